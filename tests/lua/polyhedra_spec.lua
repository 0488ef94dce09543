-- Convex polyhedra as grains in three dimensions, under floc.inelastic.

local grains = require "grains_support"
local support = require "support"

local function start(more, scheme)
  return grains.start(more, scheme) .. "local half = (1 - 0.02) / 3 ^ 0.5 + 0.02 " -- of a cube of radius 1
end

-- Momentum, and angular momentum about 0, of boxes of the edges 2 a, 2 b, 2 c with hardly a rounding, and of balls.
local moments = [[
  local function momenta(a, b, c)
    local sum = { 0, 0, 0, 0, 0, 0 }
    for _, id in ipairs(sim:ids()) do
      local m, l = sim.mass[id], { 0, 0, 0 }
      local turning = { sim.wx[id], sim.wy[id], sim.wz[id] }
      if sim.shape[id] == 0 then
        for k = 1, 3 do l[k] = 0.4 * m * sim.radius[id] ^ 2 * turning[k] end
      else
        local w, x, y, z = sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id]
        local n, scale = w * w + x * x + y * y + z * z, sim.radius[id] ^ 2 / (a * a + b * b + c * c)
        local axes = { { w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y) },
          { 2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x) },
          { 2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z } }
        for k, inertia in ipairs { b * b + c * c, c * c + a * a, a * a + b * b } do
          local about = 0
          for j = 1, 3 do about = about + axes[k][j] * turning[j] / n end
          for j = 1, 3 do l[j] = l[j] + m / 3 * scale * inertia * about * axes[k][j] / n end
        end
      end
      local p, v = { sim.x[id], sim.y[id], sim.z[id] }, { sim.vx[id], sim.vy[id], sim.vz[id] }
      for k = 1, 3 do
        local i, j = k % 3 + 1, (k + 1) % 3 + 1
        sum[k] = sum[k] + m * v[k]
        sum[3 + k] = sum[3 + k] + m * (p[i] * v[j] - p[j] * v[i]) + l[k]
      end
    end
    return sum
  end
]]
local box = grains.box
local mixed = grains.bodies .. [[
  sim:add_particles { count = 8, radius = { 0.3, 0.5 }, density = 1, shape = floc.polyhedron { form = "box", size = { 1, 1, 2 } } }
  sim:add_particles { count = 4, radius = 0.4, density = 1, shape = floc.polyhedron { form = "icosahedron" } }
  sim:add_particles { count = 4, radius = 0.4, density = 1, shape = floc.polyhedron { form = "tetrahedron", rounding = 0.1 } }
  sim:add_particles { count = 4, radius = 0.4, density = 1, shape = floc.polyhedron { form = "prism", sides = 5 } }
  sim:add_particles { count = 4, radius = 0.4, density = 1, shape = floc.rod { aspect = 3 } }
  sim:add_particles { count = 6, radius = 0.4, density = 1, shape = floc.ellipsoid { semi_axes = { 1.25, 1, 0.8 } } }
  sim:add_particles { count = 4, radius = 0.4, density = 1, shape = floc.ellipsoid { aspect = 0.4 } }
  sim:add_particles { count = 4, radius = 0.2, density = 1 }
]]

describe("polyhedra", function()
  it("fall on a heap without overlap, beside rods, ellipsoids and balls, and walls and bodies bear them", function()
    local greatest, unconverged = support.run(start(box, "friction = 0.4") .. mixed .. [[
      local greatest = 0
      for _ = 1, 10 do
        sim:run { steps = 60 }
        greatest = math.max(greatest, sim:check_overlap())
      end
      return greatest, sim:report().unconverged_steps ]])
    assert.is_true(greatest < 1e-2, greatest) -- they still turn
    assert.are.equal(0, unconverged)
  end)

  it("keep momentum and angular momentum when they meet, and lose energy alone", function()
    for _, scheme in ipairs { "friction = 0.3", "restitution = 0.5" } do
      local before, after, others = support.run(start("seed = 3", scheme) .. moments .. [[
        local region = floc.ball { center = { 0, 0, 0 }, radius = 2 }
        sim:add_particles { count = 12, radius = { 0.3, 0.5 }, density = 1, shape = floc.polyhedron { form = "box", size = { 1, 2, 3 }, rounding = 1e-13 }, region = region }
        sim:add_particles { count = 4, radius = 0.2, density = 1, region = region }
        for _, id in ipairs(sim:ids()) do
          sim.vx[id], sim.vy[id], sim.vz[id] = -2 * sim.x[id], -2 * sim.y[id], -2 * sim.z[id]
          sim.wx[id], sim.wy[id], sim.wz[id] = math.sin(id), math.cos(3 * id), math.sin(id * id)
        end
        local before, energy = momenta(1, 2, 3), sim:measure "kinetic_energy"
        sim:run { steps = 250 }
        return before, momenta(1, 2, 3), { sim:measure "kinetic_energy" / energy, sim:check_overlap() } ]])
      for k = 1, 6 do assert.near(before[k], after[k], 1e-12) end
      assert.is_true(others[1] < 0.9, others[1])
      assert.is_true(others[2] < 1e-2, others[2])
    end
  end)

  it("rotate freely with their energy", function()
    local energy, mass = support.run(start() .. [[
      sim.time_step = 0.01
      local id = sim:add_particle { position = { 0, 0, 0 }, radius = 1, density = 1, shape = floc.polyhedron { form = "box", size = { 1, 2, 3 }, rounding = 1e-9 } }
      sim.wx[id], sim.wy[id], sim.wz[id] = 1e-3, 1, 1e-3 -- about the middle axis, which turns over
      local energy, least = sim:measure "rotational_kinetic_energy", 1
      for _ = 1, 50 do
        sim:run { steps = 60 }
        local w, x, y, z = sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id]
        least = math.min(least, (w * w - x * x + y * y - z * z) / (w * w + x * x + y * y + z * z))
      end
      assert(least < -0.9)
      return sim:measure "rotational_kinetic_energy" / energy - 1, sim.mass[id] ]])
    assert.near(0, energy, 1e-12)
    assert.near(8 * 6 / 14 ^ 1.5, mass, 1e-8)
  end)

  it("stand on each other on an incline below Coulomb's angle, and slide as one above it", function()
    for degrees, moves in pairs { [0] = false, [18] = false, [21] = true, [24] = true } do
      local slope, mu = math.rad(degrees), math.tan(math.rad(20))
      local slanted = string.format("gravity = { %.17g, 0, %.17g }", 10 * math.sin(slope), -10 * math.cos(slope))
      local speeds, turned, heights = support.run(start(slanted, string.format("friction = %.17g", mu)) .. [[
        sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }
        local cube = floc.polyhedron { form = "box" }
        sim:add_particle { position = { 0, 0, half + 1e-9 }, radius = 1, density = 1, shape = cube }
        sim:add_particle { position = { -0.1, 0.2, 3 * half + 2e-9 }, radius = 1, density = 1, shape = cube, orientation = { 1, 0, 0, 0.4 } } -- no corner over a face
        sim:run { until_time = 0.5 }
        return { sim.vx[1], sim.vx[2] }, { sim.wx[1], sim.wy[1], sim.wx[2], sim.wy[2] }, { sim.z[1] - half, sim.z[2] - 3 * half } ]])
      local expected = moves and 5 * (math.sin(slope) - mu * math.cos(slope)) or 0
      for k = 1, 2 do
        assert.near(expected, speeds[k], 1e-3)
        assert.near(0, heights[k], 1e-6)
      end
      for k = 1, 4 do assert.near(0, turned[k], 1e-3) end
    end
  end)

  it("bear ellipsoids, which roll down an incline on them, or slide, by the friction of both materials", function()
    -- A ball by its semi-axes, on a slab that rests on a slope: it rolls, unless friction is below 2/7 of the slope.
    for _, mu in ipairs { 0.6, 0.05 } do
      local slope = math.rad(20)
      local along, spin, others = support.run(start(string.format("gravity = { %.17g, 0, %.17g }", 10 * math.sin(slope), -10 * math.cos(slope)),
        string.format("materials = { 'rough', 'other' }, friction = { rough = { rough = 0.6, other = %g }, other = { other = 0.6 } }", mu)) .. [[
        sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }
        local top = 6 * ((1 - 1e-3) / 201 ^ 0.5 + 1e-3) -- of a slab of 10 to 10 to 1
        local slab = sim:add_particle { position = { 0, 0, top / 2 }, radius = 3, mass = 1e3,
          shape = floc.polyhedron { form = "box", size = { 10, 10, 1 }, rounding = 1e-3 } }
        local ball = sim:add_particle { position = { -1, 0, top + 0.1 + 1e-9 }, radius = 0.1, mass = 1, material = "other", shape = floc.ellipsoid { aspect = 1 } }
        sim:run { until_time = 0.5 }
        return sim.vx[ball], sim.wy[ball], { sim.vx[slab], sim.z[ball] - top - 0.1 } ]])
      if mu == 0.6 then
        assert.near(5 * math.sin(slope) * 5 / 7, along, 1e-6)
        assert.near(along / 0.1, spin, 1e-5)
      else
        assert.near(5 * (math.sin(slope) - mu * math.cos(slope)), along, 1e-2)
        assert.near(2.5 * mu * 5 * math.cos(slope) / 0.1, spin, 2e-2)
      end
      assert.near(0, others[1], 1e-6)
      assert.near(0, others[2], 1e-6)
    end
  end)

  it("are the same after a resume in the middle, bit for bit, on any number of threads, with two passes", function()
    local folder = support.folder()
    local from = start(box, "friction = 0.3, passes = 2") .. mixed
    local hash = support.run(from .. string.format([[
      sim:checkpoint { path = %q, every = 50, keep = 9 }
      sim:run { steps = 150 }
      return sim:hash() ]], folder .. "/run.floc"))
    for k = 1, 2 do assert.are.equal(hash, (support.resume(folder .. "/run.floc." .. k))) end
    for _, threads in ipairs { 2, 3, 8 } do
      assert.are.equal(hash, (support.run((from:gsub("dimension = 3", "dimension = 3, threads = " .. threads)) .. "sim:run { steps = 150 } return sim:hash()")))
    end
    support.remove(folder)
  end)

  it("are drawn, and written with a cell for each face, edge and corner", function()
    local folder = support.folder()
    support.run(start() .. string.format([[
      sim:add_particle { position = { 1, 2, 3 }, radius = 1, density = 1, shape = floc.polyhedron { form = "box" } }
      sim:add_particle { position = { 5, 2, 3 }, radius = 1, density = 1, shape = floc.polyhedron { form = "octahedron" } }
      sim:write_vtp { path = %q, every = 1 }
      sim:run { steps = 1 }
      sim:picture { path = %q, width = 100 } ]], folder .. "/out", folder .. "/out.png"))
    local file = io.open(folder .. "/out/grains_000001.vtp", "rb")
    local text = file:read "*a"
    file:close()
    assert.are.equal(tostring(6 + 12 + 8 + 8 + 12 + 6), text:match 'NumberOfPolys="(%d+)"')
    assert.is_true(support.exists(folder .. "/out.png"))
    support.remove(folder)
  end)

  it("are refused where they are none, or not known", function()
    for words, code in pairs {
      ["corner 9 of the polyhedron, (0, 0, 0), is none of the hull"] = [[{ -1, -1, -1 }, { 1, -1, -1 }, { -1, 1, -1 }, { 1, 1, -1 }, { -1, -1, 1 }, { 1, -1, 1 }, { -1, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 }]],
      ["the 4 corners of the polyhedron lie in one plane"] = [[{ 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }]],
      ["corners 1 and 4 of the polyhedron are the same point"] = [[{ 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 }]],
      ["rounding is 0; it must be above 0"] = [[form = "box", rounding = 0]],
      ["form is missing"] = [[rounding = 0.1]],
      ["size is given, which is that of a box"] = [[form = "prism", size = { 1, 1, 1 }]],
      ["size[2] is 0"] = [[form = "box", size = { 1, 0, 1 }]],
      ["did you mean icosahedron?"] = [[form = "icosaedron"]],
    } do
      local message = support.failure(start() .. "sim:add_particle { position = { 0, 0, 0 }, radius = 1, density = 1, shape = floc.polyhedron { " .. code .. " } }")
      assert.is_truthy(message:find(words, 1, true), message)
      assert.is_truthy(message:find("script.lua:%d+: "), message)
    end
    local flat = support.failure [[local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.inelastic {} }
      sim:add_particle { position = { 0, 0 }, radius = 1, mass = 1, shape = floc.polyhedron { form = "box" } }]]
    assert.is_truthy(flat:find("floc.polyhedron, which needs 3 dimensions; the simulation has 2", 1, true), flat)
  end)
end)
