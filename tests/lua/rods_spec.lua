-- Grains that are not round in three dimensions: rods (capsules) under floc.inelastic.

local grains = require "grains_support"
local support = require "support"

local start = grains.start

-- Inertia about the axis and across it, and the direction of the axis, of a rod; angular momentum of all about 0.
local moments = [[
  local function rod(id)
    local r, s, m = sim.rounding[id], sim.radius[id] - sim.rounding[id], sim.mass[id]
    local density = m / (math.pi * r ^ 2 * (2 * s + 4 / 3 * r))
    local about = density * math.pi * r ^ 4 * (s + 8 / 15 * r)
    local across = density * math.pi * r ^ 2 * (2 / 3 * s ^ 3 + 4 / 3 * s ^ 2 * r + 3 / 2 * s * r ^ 2 + 8 / 15 * r ^ 3)
    local w, x, y, z = sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id]
    local n = w * w + x * x + y * y + z * z
    return about, across, { (w * w + x * x - y * y - z * z) / n, 2 * (x * y + w * z) / n, 2 * (x * z - w * y) / n }
  end
  local function spin_momentum(id)
    local w, l = { sim.wx[id], sim.wy[id], sim.wz[id] }, {}
    if sim.shape[id] == 0 then
      for k = 1, 3 do l[k] = 0.4 * sim.mass[id] * sim.radius[id] ^ 2 * w[k] end
      return l
    end
    local about, across, a = rod(id)
    local along = a[1] * w[1] + a[2] * w[2] + a[3] * w[3]
    for k = 1, 3 do l[k] = across * (w[k] - along * a[k]) + about * along * a[k] end
    return l
  end
]] .. grains.momenta
local box = grains.box
local mixed = grains.bodies .. [[
  sim:add_particles { count = 30, radius = { 0.3, 0.5 }, density = 1, shape = floc.rod { aspect = 4 } }
  sim:add_particles { count = 15, radius = 0.3, density = 2, shape = floc.rod { aspect = 2 } }
  sim:add_particles { count = 10, radius = 0.2, density = 1 }
]]

describe("rods in space", function()
  it("fall on a heap without overlap, friction or not, and walls and bodies bear them", function()
    for _, friction in ipairs { "", "friction = 0.4" } do
      local greatest, unconverged, force = support.run(start(box, friction) .. mixed .. grains.fall(1.4, 40))
      assert.is_true(greatest < 5e-3, greatest) -- they still turn
      assert.are.equal(0, unconverged)
      assert.near(0, force, friction == "" and 1e-10 or 0.5) -- rough side walls bear a part
    end
  end)

  it("keep momentum and angular momentum when they meet, and lose energy alone", function()
    local before, after, others = support.run(start("seed = 3", "friction = 0.3") .. moments .. [[
      local region = floc.ball { center = { 0, 0, 0 }, radius = 2.2 }
      sim:add_particles { count = 30, radius = { 0.3, 0.5 }, density = 1, velocity_spread = 2, shape = floc.rod { aspect = 3 }, region = region }
      sim:add_particles { count = 10, radius = 0.2, density = 1, velocity_spread = 2, region = region }
      for _, id in ipairs(sim:ids()) do
        sim.vx[id], sim.vy[id], sim.vz[id] = -2 * sim.x[id], -2 * sim.y[id], -2 * sim.z[id]
        sim.wx[id], sim.wy[id], sim.wz[id] = math.sin(id), math.cos(3 * id), math.sin(id * id)
      end
      local before, energy = momenta(), sim:measure "kinetic_energy"
      sim:run { steps = 500 }
      return before, momenta(), { sim:measure "kinetic_energy" / energy, sim:check_overlap() } ]])
    for k = 1, 6 do assert.near(before[k], after[k], 1e-12) end
    assert.is_true(others[1] < 0.5, others[1])
    assert.is_true(others[2] < 1e-3, others[2])
  end)

  it("rotate freely with their energy and angular momentum, and precess at L/I", function()
    local momentum, energy, axes = support.run(start("", "") .. moments .. [[
      sim.time_step = 0.01
      local id = sim:add_particle { position = { 0, 0, 0 }, radius = 1, density = 1, shape = floc.rod { aspect = 3 }, axis = { 1, 1, 0 } }
      sim.wx[id], sim.wy[id], sim.wz[id] = 1, 0.3, -0.5
      local energy, before = sim:measure "rotational_kinetic_energy", spin_momentum(id)
      local _, across, a = rod(id)
      sim:run { steps = 10000 }
      local _, _, axis = rod(id)
      -- the axis goes round L with the rate L/I across
      local size = (before[1] ^ 2 + before[2] ^ 2 + before[3] ^ 2) ^ 0.5
      local n, angle = { before[1] / size, before[2] / size, before[3] / size }, size / across * sim.time
      local along, c, s, expected = a[1] * n[1] + a[2] * n[2] + a[3] * n[3], math.cos(angle), math.sin(angle), {}
      for k = 1, 3 do
        local p, q = k % 3 + 1, (k + 1) % 3 + 1
        expected[k] = c * a[k] + s * (n[p] * a[q] - n[q] * a[p]) + (1 - c) * along * n[k]
      end
      return { before, spin_momentum(id) }, sim:measure "rotational_kinetic_energy" / energy - 1, { axis, expected } ]])
    for k = 1, 3 do
      assert.near(momentum[1][k], momentum[2][k], 1e-12)
      assert.near(axes[2][k], axes[1][k], 2e-3) -- of second order in the step, over 12 turns
    end
    assert.near(0, energy, 1e-12)
  end)

  it("roll across their axis down an incline, and slide along it, as their friction says", function()
    local slope, mu = math.rad(20), 0.25
    local rolls, slides, others = support.run(string.format(start("gravity = { %.17g, 0, %.17g }", "friction = " .. mu), 10 * math.sin(slope), -10 * math.cos(slope)) .. moments .. [[
      sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }
      local across = sim:add_particle { position = { 0, 0, 0.2501 }, radius = 1, density = 1, shape = floc.rod { aspect = 4 }, axis = { 0, 1, 0 } }
      local along = sim:add_particle { position = { 0, 5, 0.2501 }, radius = 1, density = 1, shape = floc.rod { aspect = 4 }, axis = { 1, 0, 0 } }
      sim:run { until_time = 1 }
      return sim.vx[across], sim.vx[along], { sim.wy[across], rod(across) / sim.mass[across] / 0.25 ^ 2 } ]])
    assert.near(10 * math.sin(slope) / (1 + others[2]), rolls, 0.01)
    assert.near(rolls / 0.25, others[1], 0.01)
    assert.near(10 * (math.sin(slope) - mu * math.cos(slope)), slides, 0.03)
  end)

  it("slide over the seam of a floor of triangles as over a plane", function()
    local speed, height, turned = support.run(start("gravity = { 0, 0, -10 }", "") .. [[
      sim:add_body { shapes = { floc.triangle { { -5, -5, 0 }, { 5, -5, 0 }, { 5, 5, 0 } }, floc.triangle { { -5, -5, 0 }, { 5, 5, 0 }, { -5, 5, 0 } } } }
      sim:add_particle { position = { -1, 0.2, 0.2 }, velocity = { 2, 0, 0 }, radius = 0.8, density = 1, shape = floc.rod { aspect = 4 }, axis = { 1, 0.3, 0 } }
      sim:run { until_time = 1 }
      return sim.vx[1], sim.z[1], (sim.wx[1] ^ 2 + sim.wy[1] ^ 2 + sim.wz[1] ^ 2) ^ 0.5 ]])
    assert.near(2, speed, 1e-6)
    assert.near(0.2, height, 1e-4)
    assert.near(0, turned, 1e-6)
  end)

  it("rebound with the law of restitution: a rod that is hit at its end", function()
    local gone, spin, across = support.run(start("", "restitution = 0.6") .. moments .. [[
      local rod_id = sim:add_particle { position = { 0, 0, 0 }, radius = 1, mass = 1, shape = floc.rod { aspect = 5 }, axis = { 0, 1, 0 } }
      sim:add_particle { position = { 0, 0.7, 0.5 }, velocity = { 0, 0, -1 }, radius = 0.2, mass = 1 }
      local _, across = rod(rod_id)
      sim:run { until_time = 0.4 }
      return sim.vz[2], sim.wx[1], across ]])
    local impulse = 1.6 / (2 + 0.49 / across)
    assert.near(-1 + impulse, gone, 1e-6)
    assert.near(-0.7 * impulse / across, spin, 1e-6)
  end)

  it("are the same after a resume in the middle, bit for bit, on any number of threads, and in view and VTP", function()
    local folder = support.folder()
    local run = start(box, "friction = 0.4") .. mixed .. "sim:run { steps = 250 } return sim:hash()"
    local script = start(box, "friction = 0.4") .. mixed .. string.format([[
      sim:checkpoint { path = %q, every = 60, keep = 9 }
      sim:run { steps = 250 }
      sim:write_vtp { path = %q }
      return sim:hash() ]], folder .. "/run.floc", folder .. "/out")
    local hash = support.run(script)
    for k = 1, 3, 2 do assert.are.equal(hash, (support.resume(folder .. "/run.floc." .. k))) end
    for _, threads in ipairs { 2, 3, 8 } do
      assert.are.equal(support.run((run:gsub("dimension = 3", "dimension = 3, threads = 1"))), support.run((run:gsub("dimension = 3", "dimension = 3, threads = " .. threads))))
    end
    local file = io.popen(string.format("%s view %s --output=%s/page.html 2>&1", assert(os.getenv "FLOC_PROGRAM"), folder .. "/run.floc.1", folder))
    local text = file:read "*a"
    file:close()
    assert.is_true(support.exists(folder .. "/page.html") or text:find("without its browser page", 1, true) ~= nil, text)
    support.remove(folder)
  end)

  it("have their volume in masses and measures, and grow at constant width", function()
    local mass, fraction, others = support.run(start 'boundary = "periodic", domain = floc.box { lower = { 0, 0, 0 }, upper = { 10, 10, 10 } }' .. [[
      local id = sim:add_particle { position = { 5, 5, 5 }, radius = 1, density = 3, shape = floc.rod { aspect = 4 } }
      local mass, fraction = sim.mass[id], sim:measure "volume_fraction"
      sim:remove_particle(id)
      sim:add_particles { count = 300, radius = { 0.2, 0.6 }, density = 1, volume_fraction = 0.05, shape = floc.rod { aspect = 3 } }
      local filled = sim:measure "volume_fraction"
      sim:add_attribute "radius_rate"
      sim:add_attribute "rounding_rate"
      sim.radius_rate[5] = 0.1
      local r, s = sim.rounding[5], sim.radius[5] - sim.rounding[5]
      sim:run { steps = 50 }
      local grown = sim.mass[5] / (math.pi * r ^ 2 * (2 * (s + 0.01) + 4 / 3 * r))
      return mass, fraction, { filled, grown, sim.rounding[5] / r } ]])
    local volume = math.pi * 0.25 ^ 2 * (1.5 + 4 / 3 * 0.25)
    assert.near(3 * volume, mass, 1e-12)
    assert.near(volume / 1000, fraction, 1e-12)
    assert.near(0.05, others[1], 1e-7)
    assert.near(1, others[2], 1e-12)
    assert.are.equal(1, others[3])
  end)

  it("have all directions alike, or the one that is given", function()
    local squares, one, other = support.run(start() .. [[
      local region = floc.box { lower = { 0, 0, 0 }, upper = { 40, 40, 40 } }
      local first, last = sim:add_particles { count = 3000, radius = 0.5, mass = 1, shape = floc.rod { aspect = 4 }, region = region }
      local squares = { 0, 0, 0 }
      local function axis(id)
        local w, x, y, z = sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id]
        return { w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y) }
      end
      for id = first, last do
        for k, component in ipairs(axis(id)) do squares[k] = squares[k] + component ^ 2 / 3000 end
      end
      local turned = sim:add_particles { count = 1, radius = 0.5, mass = 1, shape = floc.rod { aspect = 4 }, region = region, axis = { 0, 0, -2 } }
      local given = sim:add_particle { position = { 50, 0, 0 }, radius = 0.5, mass = 1, shape = floc.rod { aspect = 4 }, orientation = { 1, 0, 0, 1 } }
      sim.qw[given], sim.qz[given] = 3, 3 -- of any length
      sim:run { steps = 1 }
      return squares, axis(turned), axis(given) ]])
    for k = 1, 3 do assert.near(1 / 3, squares[k], 0.03) end -- five deviations
    assert.near(-1, one[3], 1e-12)
    assert.near(1, other[2], 1e-12)
  end)

  local function refused(script, words, more, scheme)
    local message = support.failure(start(more, scheme) .. script)
    assert.is_truthy(message:find(words, 1, true), message)
    assert.is_truthy(message:find("script.lua:%d+: "), message)
  end
  local function one(more) return "sim:add_particle { position = { 0, 0, 0 }, radius = 1, shape = floc.rod { aspect = 2 }, " .. (more or "") .. " } " end

  it("are refused where they are wrong or not known, with the line", function()
    refused("sim:add_particle { position = { 0, 0, 0 }, radius = 1, shape = floc.polygon { sides = 4 } }", "floc.polygon, which needs 2 dimensions")
    refused(one "axis = { 0, 0, 0 }", "axis is 0; it must have a direction")
    refused(one "axis = { 1, 0, 0 }, orientation = { 1, 0, 0, 0 }", "both given")
    refused(one "orientation = { 0, 0, 0, 0 }", "quaternion other than 0")
    refused(one "orientation = { 1, 0, 0 }", "orientation has 3 numbers")
    refused(one "angle = 1", "angle is 1; in three dimensions")
    refused("sim:add_particle { position = { 0, 0, 0 }, radius = 1, axis = { 1, 0, 0 } }", "axis is given without a shape")
    refused("sim:add_particles { count = 2, radius = 1, mass = 1, shape = floc.rod { aspect = 2 }, angle = 1, region = floc.ball { center = { 0, 0, 0 }, radius = 9 } }", "angle is given; in three dimensions")
    refused(one() .. "sim.rounding[1] = 0 sim:run { steps = 1 }", "particle 1 has rounding 0")
    refused(one() .. 'sim:add_attribute "inertia" sim.inertia[1] = 2 sim:run { steps = 1 }', "particle 1 is not round and has the inertia 2")
    refused(one() .. "sim:add_body { shape = floc.torus { ring_radius = 3, tube_radius = 1 }, position = { 0, 0, -9 } } sim:run { steps = 1 }", "which the shape torus of body 0 does not know")
    refused(one() .. "sim:run { steps = 1 }", "not supported with rolling or twisting", "", "friction = 0.1, rolling = 0.1")
    refused(one() .. "sim:stress()", "known of")
    local message = support.failure [[local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 1e-4, scheme = floc.discrete_element { stiffness = 1e4 } }
      sim:add_particle { position = { 0, 0, 0 }, radius = 1, shape = floc.rod { aspect = 2 } }]]
    assert.is_truthy(message:find("inelastic does it", 1, true), message)
  end)
end)
