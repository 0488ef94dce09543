-- Grains that are ellipses, and in three dimensions ellipsoids, under floc.inelastic. Distances: tests/geometry/test_ellipsoid.c.

local grains = require "grains_support"
local support = require "support"

local start = grains.start

local function plane(more, scheme) return (start(more, scheme):gsub("dimension = 3", "dimension = 2")) end

-- The three semi-axes of one, as vectors; its moments of inertia; angular momentum of all about 0.
local moments = [[
  local function axes(id, given)
    local w, x, y, z = sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id]
    local n = w * w + x * x + y * y + z * z
    local a, most = given or { 1, 1, 1 }, 0
    for k = 1, 3 do most = math.max(most, a[k]) end
    for k = 1, 3 do a[k] = a[k] / most * sim.radius[id] end
    return a, { { (w * w + x * x - y * y - z * z) / n, 2 * (x * y + w * z) / n, 2 * (x * z - w * y) / n },
      { 2 * (x * y - w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z + w * x) / n },
      { 2 * (x * z + w * y) / n, 2 * (y * z - w * x) / n, (w * w - x * x - y * y + z * z) / n } }
  end
  local forms, factors = { [0] = { 1, 1, 1 } }, {}
  local function spin_momentum(id)
    local form = forms[ sim.shape[id] ]
    local a, e = axes(id, { form[1], form[2], form[3] })
    local l, inertia, own = { 0, 0, 0 }, {}, {}
    for k = 1, 3 do
      local b, c = a[k % 3 + 1], a[(k + 1) % 3 + 1]
      inertia[k] = sim.mass[id] / 5 * (b * b + c * c) * (factors[ sim.shape[id] ] or 1)
      own[k] = e[k][1] * sim.wx[id] + e[k][2] * sim.wy[id] + e[k][3] * sim.wz[id]
      for i = 1, 3 do l[i] = l[i] + inertia[k] * own[k] * e[k][i] end
    end
    return l, inertia, own
  end
]] .. grains.momenta

local box = grains.box
local mixed = grains.bodies .. [[
  sim:add_particles { count = 15, radius = { 0.3, 0.4 }, density = 1, shape = floc.ellipsoid { semi_axes = { 1.25, 1, 0.8 } } }
  sim:add_particles { count = 10, radius = 0.3, density = 2, shape = floc.ellipsoid { aspect = 0.5 } }
  sim:add_particles { count = 10, radius = 0.4, density = 1, shape = floc.rod { aspect = 3 } }
  sim:add_particles { count = 10, radius = 0.2, density = 1 }
]]

describe("ellipsoids", function()
  it("fall on a heap without overlap, friction or not, and walls and bodies bear them", function()
    for _, friction in ipairs { "", "friction = 0.4" } do
      local greatest, unconverged, force = support.run(start((box:gsub("seed = 5", "seed = 6")), friction) .. mixed .. grains.fall(0.7, 20))
      assert.is_true(greatest < 5e-3, greatest) -- they still turn
      assert.are.equal(0, unconverged)
      assert.near(0, force, friction == "" and 1e-10 or 0.5) -- rough side walls bear a part
    end
  end)

  it("keep momentum and angular momentum when they meet, and lose energy alone", function()
    for _, scheme in ipairs { "friction = 0.3", "restitution = 0.5" } do
      local before, after, others = support.run(start("seed = 3", scheme) .. moments .. [[
        local region = floc.ball { center = { 0, 0, 0 }, radius = 2.2 }
        forms[1], forms[2], forms[3], factors[3] = { 1.25, 1, 0.8 }, { 2, 1, 1 }, { 1, 1, 1 }, 5 / 9 -- 2/9 R^2 of a cube, 2/5 of a ball
        sim:add_particles { count = 20, radius = { 0.3, 0.5 }, density = 1, velocity_spread = 2, shape = floc.ellipsoid { semi_axes = { 1.25, 1, 0.8 } }, region = region }
        sim:add_particles { count = 20, radius = { 0.3, 0.5 }, density = 1, velocity_spread = 2, shape = floc.ellipsoid { aspect = 2 }, region = region }
        sim:add_particles { count = 10, radius = { 0.3, 0.5 }, density = 1, velocity_spread = 2, shape = floc.polyhedron { form = "box", rounding = 1e-13 }, region = region }
        sim:add_particles { count = 10, radius = 0.2, density = 1, velocity_spread = 2, region = region }
        for _, id in ipairs(sim:ids()) do
          sim.vx[id], sim.vy[id], sim.vz[id] = -2 * sim.x[id], -2 * sim.y[id], -2 * sim.z[id]
          sim.wx[id], sim.wy[id], sim.wz[id] = math.sin(id), math.cos(3 * id), math.sin(id * id)
        end
        local before, energy = momenta(), sim:measure "kinetic_energy"
        sim:run { steps = 300 }
        return before, momenta(), { sim:measure "kinetic_energy" / energy, sim:check_overlap() } ]])
      for k = 1, 6 do assert.near(before[k], after[k], 1e-12) end
      assert.is_true(others[1] < 0.6, others[1])
      assert.is_true(others[2] < 2e-3, others[2])
    end
  end)

  it("tumble about the middle axis with their energy and angular momentum, and turn over when the elliptic integral says", function()
    local drift, flips, expected = support.run(start("", "") .. moments .. [[
      sim.time_step = 0.01
      forms[1] = { 2, 1.5, 1 }
      local id = sim:add_particle { position = { 0, 0, 0 }, radius = 1, density = 1, shape = floc.ellipsoid { semi_axes = { 2, 1.5, 1 } } }
      sim.wx[id], sim.wy[id], sim.wz[id] = 3e-2, 1, 0
      local before, inertia = spin_momentum(id)
      local energy = sim:measure "rotational_kinetic_energy"
      local flips, last, drift = {}, 1, { 0, 0 }
      for step = 1, 10000 do
        sim:run { steps = 1 }
        local now, _, own = spin_momentum(id)
        if own[2] * last < 0 then flips[#flips + 1] = 0.01 * (step - own[2] / (own[2] - last)) end
        last = own[2]
        if step % 100 == 0 then
          for k = 1, 3 do drift[1] = math.max(drift[1], math.abs(now[k] / before[2] - before[k] / before[2])) end
          drift[2] = math.max(drift[2], math.abs(sim:measure "rotational_kinetic_energy" / energy - 1))
        end
      end
      -- Landau and Lifshitz, Mechanics, section 37, with 2E and L^2 at the start
      local a, b, c = inertia[1], inertia[2], inertia[3]
      local twice, square = a * 9e-4 + b, a * a * 9e-4 + b * b
      if square < twice * b then a, c = c, a end
      local rate = ((c - b) * (square - twice * a) / (a * b * c)) ^ 0.5
      local k2 = (b - a) * (twice * c - square) / ((c - b) * (square - twice * a))
      local m, g = 1, (1 - k2) ^ 0.5
      for _ = 1, 40 do m, g = (m + g) / 2, (m * g) ^ 0.5 end
      return drift, { #flips, flips[2] - flips[1], flips[#flips] - flips[1] }, math.pi / m / rate ]])
    assert.is_true(drift[1] < 1e-11 and drift[2] < 1e-11, drift[1] .. " " .. drift[2]) -- wanted 1e-8
    assert.is_true(flips[1] >= 3, flips[1])
    assert.near(1, flips[2] / expected, 1e-4)
    assert.near(1, flips[3] / (flips[1] - 1) / expected, 1e-4)
  end)

  it("are balls where their semi-axes are alike, with friction and restitution", function()
    for _, shape in ipairs { "", "shape = floc.ellipsoid { aspect = 1 }," } do
      support[shape == "" and "balls" or "alike"] = { support.run(start("gravity = { 0.5, 0, -10 }, seed = 8, boundary = 'wall', domain = floc.box { lower = { 0, 0, 0 }, upper = { 4, 4, 6 } }", "friction = 0.3") .. string.format([[
        sim:add_body { shape = floc.sphere { radius = 0.7 }, position = { 2, 2, 0.1 } }
        for k = 0, 7 do sim:add_particle { position = { 0.8 + 1.7 * (k %% 2) + 0.1 * k, 0.8 + 1.8 * (math.floor(k / 2) %% 2), 1.5 + 1.3 * math.floor(k / 4) }, velocity = { 1, 0.3 * k, -1 }, %s radius = 0.5, density = 1 } end
        sim:run { steps = 500 }
        local list = {}
        for id = 1, 8 do list[#list + 1], list[#list + 2], list[#list + 3], list[#list + 4] = sim.x[id], sim.y[id], sim.z[id], sim.wy[id] end
        return list ]], shape)) }
    end
    local balls, alike = support.balls[1], support.alike[1]
    support.balls, support.alike = nil, nil
    for k = 1, #balls do assert.near(balls[k], alike[k], 1e-7) end
    assert.is_true(math.abs(balls[4]) > 0.1)
  end)

  it("lie on a mesh of wide triangles, and do not fall through", function()
    local heights, overlap = support.run(start "gravity = { 0, 0, -10 }" .. [[
      sim:add_body { shape = floc.triangle { { -10, -10, 0 }, { 10, -10, 0 }, { 0, 20, 0 } } }
      for k = 1, 3 do
        sim:add_particle { position = { 2 * k, 0, 0.6 }, radius = 1 / k, density = 1, shape = floc.ellipsoid { aspect = 0.5 }, axis = { 0, 0, 1 } }
      end
      sim:run { until_time = 1 }
      return { sim.z[1], sim.z[2], sim.z[3] }, sim:check_overlap() ]])
    for k = 1, 3 do assert.near(0.5 / k, heights[k], 1e-6) end
    assert.near(0, overlap, 1e-6)
  end)

  it("stay inside of a hollow, on the flatter sides too", function()
    local overlap, farthest, lowest = support.run(start("gravity = { 0, 0, -10 }, seed = 2", "friction = 0.2") .. [[
      sim:add_body { shape = floc.hollow { radius = 1.3 } }
      local region = floc.ball { center = { 0, 0, 0 }, radius = 1.3 }
      sim:add_particles { count = 1, radius = 1.1, density = 1, shape = floc.ellipsoid { aspect = 0.3 }, axis = { 1, 0, 1 }, region = region }
      sim:add_particles { count = 12, radius = 0.25, density = 1, shape = floc.ellipsoid { aspect = 2 }, region = region }
      sim:run { until_time = 1 }
      local farthest = 0
      for _, id in ipairs(sim:ids()) do farthest = math.max(farthest, math.sqrt(sim.x[id] ^ 2 + sim.y[id] ^ 2 + sim.z[id] ^ 2)) end
      return sim:check_overlap(), farthest, sim.z[1] ]])
    assert.is_true(overlap < 5e-3, overlap)
    assert.is_true(farthest < 1.2, farthest)
    assert.is_true(lowest < 0, lowest)
  end)

  it("keep their distance as they grow, and their mass goes with the volume", function()
    local mass, fraction, grown = support.run(start 'boundary = "periodic", domain = floc.box { lower = { 0, 0, 0 }, upper = { 10, 10, 10 } }' .. [[
      local id = sim:add_particle { position = { 5, 5, 5 }, radius = 1, density = 3, shape = floc.ellipsoid { semi_axes = { 4, 2, 1 } } }
      local other = sim:add_particle { position = { 6.6, 5.3, 5.2 }, radius = 1, density = 3, shape = floc.ellipsoid { semi_axes = { 4, 2, 1 } } }
      local mass, fraction = sim.mass[id], sim:measure "volume_fraction"
      sim:add_attribute "radius_rate"
      for k = 1, 2 do sim.radius_rate[k] = 0.4 end
      sim:run { steps = 500 }
      return mass, fraction, { sim.mass[id] / mass, sim.x[other] - sim.x[id], sim:check_overlap(), sim.radius[id] } ]])
    local volume = 4 / 3 * math.pi * 0.5 * 0.25
    assert.near(3 * volume, mass, 1e-12)
    assert.near(2 * volume / 1000, fraction, 1e-12)
    assert.near(1.4 ^ 3, grown[1], 1e-9)
    assert.is_true(grown[2] > 1.7, grown[2])
    assert.is_true(grown[3] < 1e-4, grown[3])
  end)

  it("are the same after a resume in the middle, bit for bit, on any number of threads, and in view, VTP and pictures", function()
    local folder = support.folder()
    local run = start(box, "friction = 0.4, passes = 2") .. mixed .. "sim:run { steps = 250 } return sim:hash()"
    local script = start(box, "friction = 0.4, passes = 2") .. mixed .. string.format([[
      sim:checkpoint { path = %q, every = 60, keep = 9 }
      sim:run { steps = 250 }
      sim:write_vtp { path = %q }
      sim:picture { path = %q, width = 200 }
      sim:picture { path = %q, width = 200 }
      return sim:hash() ]], folder .. "/run.floc", folder .. "/out", folder .. "/a.png", folder .. "/a.svg")
    local hash = support.run(script)
    for k = 1, 3, 2 do assert.are.equal(hash, (support.resume(folder .. "/run.floc." .. k))) end
    for _, threads in ipairs { 1, 2, 3, 8 } do
      assert.are.equal(hash, (support.run((run:gsub("dimension = 3", "dimension = 3, threads = " .. threads)))))
    end
    local file = io.popen(string.format("%s view %s --output=%s/page.html 2>&1", assert(os.getenv "FLOC_PROGRAM"), folder .. "/run.floc.1", folder))
    local text = file:read "*a"
    file:close()
    assert.is_true(support.exists(folder .. "/page.html") or text:find("without its browser page", 1, true) ~= nil, text)
    support.remove(folder)
  end)
end)

describe("ellipses", function()
  it("fall beside discs, rods and polygons, on lines and in a circle, without overlap and with the floor's load", function()
    local greatest, unconverged, load = support.run(plane('gravity = { 0, -10 }, seed = 6, boundary = { "periodic", "open" }, domain = floc.box { lower = { 0, 0 }, upper = { 6, 9 } }', "friction = 0.3") .. [[
      local floor = sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      local ramp = sim:add_body { shape = floc.polyline { { 1, 1 }, { 3, 0.6 }, { 5, 1 } } }
      local region = floc.box { lower = { 0, 0 }, upper = { 6, 9 } }
      for _, shape in ipairs { floc.ellipse { aspect = 2 }, floc.ellipse { semi_axes = { 1, 3 } }, floc.rod { aspect = 3 }, floc.polygon { sides = 5 } } do
        sim:add_particles { count = 12, radius = { 0.2, 0.4 }, density = 1, shape = shape, region = region }
      end
      sim:add_particles { count = 10, radius = 0.2, density = 1, region = region }
      sim:run { until_time = 2 }
      local greatest, load, before = 0, 0, sim:sum(function(mass, vy) return mass * vy end)
      for _ = 1, 20 do
        sim:run { steps = 1 }
        greatest, load = math.max(greatest, sim:check_overlap()), load + floor.force[2] + ramp.force[2]
      end
      local weight = 10 * sim:sum(function(mass) return mass end)
      return greatest, sim:report().unconverged_steps, (load / 20 + weight + (sim:sum(function(mass, vy) return mass * vy end) - before) / 0.04) / weight ]])
    assert.is_true(greatest < 5e-3, greatest)
    assert.are.equal(0, unconverged)
    assert.near(0, load, 1e-9)
  end)

  it("have their area and moment of inertia, and rebound with the law of restitution", function()
    local mass, gone, spin = support.run(plane("", "restitution = 0.5") .. [[
      local id = sim:add_particle { position = { 0, 0 }, radius = 1, density = 2, shape = floc.ellipse { aspect = 2 }, angle = 0 }
      local x = 0.6
      local y = 0.5 * math.sqrt(1 - x * x) -- hit along the normal there
      local n = { x, 4 * y }
      local length = math.sqrt(n[1] ^ 2 + n[2] ^ 2)
      n[1], n[2] = n[1] / length, n[2] / length
      sim:add_particle { position = { x + 0.5 * n[1], y + 0.5 * n[2] }, velocity = { -n[1], -n[2] }, radius = 0.3, mass = 1 }
      local lever = x * n[2] - y * n[1]
      sim:run { until_time = 0.5 }
      local inertia = sim.mass[id] * 1.25 / 4
      local impulse = 1.5 / (1 + 1 / sim.mass[id] + lever ^ 2 / inertia)
      return sim.mass[id], sim.vx[2] + (1 - impulse) * n[1], { sim.wz[id], -impulse * lever / inertia } ]])
    assert.near(2 * math.pi * 0.5, mass, 1e-12)
    assert.near(0, gone, 2e-3) -- the normal turns by what is left of the way in the step before
    assert.near(spin[2], spin[1], 2e-3)
  end)

  it("find places by their true distance, and lie on a lattice as near as that allows", function()
    local overlap, fraction, lattice = support.run(plane("seed = 4", "") .. [[
      local region = floc.box { lower = { 0, 0 }, upper = { 10, 10 } }
      sim:add_particles { count = 220, radius = 0.4, density = 1, shape = floc.ellipse { aspect = 4 }, region = region }
      local sum = sim:sum(function(mass) return mass end)
      local overlap = sim:check_overlap()
      sim:add_particles { count = 100, radius = 1, mass = 1, shape = floc.ellipse { aspect = 2 }, angle = math.pi / 2, placement = "lattice", spacing = 2.0001,
        region = floc.box { lower = { 20, 0 }, upper = { 50, 50 } } }
      return overlap, sum / 100, sim:check_overlap() ]])
    assert.is_true(overlap <= 0, overlap)
    assert.near(220 * math.pi * 0.04 / 100, fraction, 1e-9)
    assert.is_true(lattice <= 0, lattice)
  end)

  it("write their outlines", function()
    local folder = support.folder()
    support.run(plane() .. string.format([[
      sim:add_particle { position = { 1, 2 }, radius = 2, mass = 1, shape = floc.ellipse { aspect = 2 }, angle = math.pi / 2 }
      sim:write_vtp { path = %q }
      sim:run { steps = 1 }
      sim:picture { path = %q, width = 200, colour = "radius" }
      sim:picture { path = %q, width = 200 } ]], folder .. "/out", folder .. "/a.png", folder .. "/a.pdf"))
    assert.is_true(support.exists(folder .. "/a.png") and support.exists(folder .. "/a.pdf"))
    local file = assert(io.popen("cat " .. folder .. "/out/grains_000000.vtp | tr -c '[:print:]' ' '"))
    local text = file:read "*a"
    file:close()
    assert.is_truthy(text:find('NumberOfPoints="48"', 1, true), text:sub(1, 400))
    support.remove(folder)
  end)

  local function refused(script, words, make)
    local message = support.failure((make or plane)() .. script)
    assert.is_truthy(message:find(words, 1, true), message)
    assert.is_truthy(message:find("script.lua:%d+: "), message)
  end
  local function one(shape, more) return "sim:add_particle { position = { 0, 0 }, radius = 1, shape = floc." .. shape .. ", " .. (more or "") .. " } " end
  local function ball(shape) return "sim:add_particle { position = { 0, 0, 0 }, radius = 1, shape = floc." .. shape .. " } " end

  it("are refused where they are wrong or not known, with the line", function()
    refused(one "ellipse {}", "aspect is missing")
    refused(one "ellipse { aspect = 0.5 }", "aspect is 0.5; it must be a finite number at least 1")
    refused(one "ellipse { aspect = 2, semi_axes = { 1, 2 } }", "both given")
    refused(one "ellipse { semi_axes = { 1, 2, 3 } }", "semi_axes has 3 numbers; it must have 2")
    refused(one "ellipse { semi_axes = { 1, 0 } }", "semi_axes[2] is 0")
    refused(one "ellipse { semi_axes = { 1, 200 } }", "at most 100 times the least")
    refused(one "ellipsoid { aspect = 2 }", "floc.ellipsoid, which needs 3 dimensions")
    refused(ball "ellipse { aspect = 2 }", "floc.ellipse, which needs 2 dimensions", start)
    refused(ball "ellipsoid { semi_axes = { 1, 2 } }", "semi_axes has 2 numbers; it must have 3", start)
    refused(one "ellipse { aspect = 2 }" .. "sim.rounding[1] = 0.1 sim:run { steps = 1 }", "particle 1 has rounding 0.1 before step 1; it must be 0")
    refused(one "ellipse { aspect = 2 }" .. 'sim:add_attribute "rounding_rate" sim.rounding_rate[1] = 1 sim:run { steps = 1 }', "is not known of ellipses")
    refused(one "ellipse { aspect = 2 }" .. "sim:stress()", "known of")
    local message = support.failure [[local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-4, scheme = floc.discrete_element { stiffness = 1e4 } }
      sim:add_particle { position = { 0, 0 }, radius = 1, shape = floc.ellipse { aspect = 2 } }]]
    assert.is_truthy(message:find("inelastic does it", 1, true), message)
  end)
end)
