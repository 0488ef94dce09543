-- Grains that are not round: polygons and rods under floc.inelastic, in two dimensions.

local support = require "support"

local function start(more, scheme)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { time_step = 2e-3, scheme = floc.inelastic { %s }, %s }
  ]], scheme or "", more or "")
end

local mixed = [[
  sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
  sim:add_body { shape = floc.polyline { { 1, 1 }, { 3, 2 }, { 5, 1 } } }
  sim:add_body { shape = floc.circle { radius = 0.7 }, position = { 6, 3 }, angular_velocity = 1 }
  sim:add_particles { count = 25, radius = { 0.3, 0.5 }, density = 1, shape = floc.polygon { sides = 6 } }
  sim:add_particles { count = 20, radius = { 0.3, 0.5 }, density = 2, shape = floc.polygon { { 0, 0 }, { 2, 0 }, { 0, 1 }, rounding = 0.05 } }
  sim:add_particles { count = 20, radius = 0.5, density = 1, shape = floc.rod { aspect = 4 } }
  sim:add_particles { count = 10, radius = 0.3, density = 1 }
]]
local box = 'gravity = { 0, -10 }, seed = 5, boundary = "wall", domain = floc.box { lower = { 0, -1 }, upper = { 8, 14 } }'

describe("grains that are not round", function()
  it("fall on a heap without overlap, friction or not, and the floor bears them", function()
    for _, friction in ipairs { "", "friction = 0.4" } do
      local greatest, unconverged, force = support.run(start(box, friction) .. mixed .. [[
        local load, count, weight = 0, 0, 10 * sim:sum(function(mass) return mass end)
        local function momentum() return sim:sum(function(mass, vy) return mass * vy end) end
        sim:run { until_time = 3 }
        local greatest, before = 0, momentum()
        sim:every(1, function()
          greatest = math.max(greatest, sim:check_overlap())
          count = count + 1
          for _, body in ipairs(sim.bodies) do load = load + body.force[2] end
        end)
        sim:run { until_time = 3.5 }
        return greatest, sim:report().unconverged_steps, (load + (momentum() - before) / 2e-3) / count / weight ]])
      assert.is_true(greatest < 1e-3, greatest)
      assert.are.equal(0, unconverged)
      if friction == "" then assert.near(-1, force, 1e-9) end -- rough side walls bear a part
    end
  end)

  -- A crowd that falls many radii in a step: pairs are looked for along their ways, so that there are few. The floor
  -- keeps the step from being taken without the motion in common.
  local crowd = [[
    sim:add_body { shape = floc.plane { point = { 0, -1 }, normal = { 0, 1 } } }
    sim:add_particles { count = 300, radius = { 0.3, 0.5 }, density = 1, shape = floc.polygon { sides = 6 },
      region = floc.box { lower = { 0, 40 }, upper = { 20, 65 } } }
    for _, id in ipairs(sim:ids()) do sim.vy[id] = -%d * 0.4 / 2e-3 end
  ]]

  it("that fall many radii in a step have few contacts, and come to rest on the floor", function()
    local falling, overlap, left = support.run(start((box:gsub("8, 14", "20, 70")), "tolerance = 1e-3") .. crowd:format(6) .. [[
      sim:run { steps = 2 }
      local falling = sim:report().contacts
      sim:run { steps = 300 }
      return falling, sim:check_overlap(), { sim:report().unconverged_steps, sim:sum(function(y) return y < -1 end) } ]])
    assert.is_true(falling < 1000, falling) -- by reach alone 30,000
    assert.is_true(overlap < 0.01, overlap) -- more while they turn by radians in a step
    assert.are.same({ 0, 0 }, left)
  end)

  it("turn in such a step without passing through what lies beside them", function()
    local contacts, impulse, overlap = support.run(start("gravity = { 0, 0 }, seed = 5") .. crowd:format(20) .. [[
      local rod = sim:add_particle { position = { -50, 20 }, radius = 1, mass = 1, shape = floc.rod { aspect = 10 }, angle = 0 }
      sim:add_particle { position = { -49.2, 20 + 0.1 + 0.2 + 0.03 }, radius = 0.2, mass = 1 }
      sim.wz[rod] = 0.1 / 2e-3
      sim:run { steps = 1 }
      return sim:report().contacts, sim.vy[302], sim:check_overlap() ]])
    assert.is_true(contacts < 1000, contacts)
    assert.is_true(impulse > 0, impulse)
    assert.is_true(overlap < 0.01, overlap) -- 0.05 of the disc's way if nothing held them apart
  end)

  it("keep their momentum and angular momentum, and lose energy alone, when they meet", function()
    local before, after = support.run(start("seed = 3", "friction = 0.3") .. [[
      sim:add_particles { count = 40, radius = { 0.2, 0.4 }, density = 1, velocity_spread = 2, shape = floc.polygon { sides = 5 },
        region = floc.ball { center = { 0, 0 }, radius = 4 } }
      sim:add_particles { count = 30, radius = 0.4, density = 1, velocity_spread = 2, shape = floc.rod { aspect = 3 },
        region = floc.ball { center = { 0, 0 }, radius = 4 } }
      for _, id in ipairs(sim:ids()) do sim.vx[id], sim.vy[id], sim.wz[id] = -sim.x[id], -sim.y[id], math.sin(id) end
      sim:add_attribute("own", 0)
      local function state()
        -- moment of inertia from the energy of each alone
        local sums, wz = { 0, 0, 0, sim:measure "kinetic_energy" }, {}
        for _, id in ipairs(sim:ids()) do wz[id] = sim.wz[id] end
        for _, id in ipairs(sim:ids()) do
          for _, other in ipairs(sim:ids()) do sim.wz[other] = other == id and 1 or 0 end
          local inertia = 2 * sim:measure "rotational_kinetic_energy"
          local m, x, y, vx, vy = sim.mass[id], sim.x[id], sim.y[id], sim.vx[id], sim.vy[id]
          sums[1], sums[2] = sums[1] + m * vx, sums[2] + m * vy
          sums[3] = sums[3] + m * (x * vy - y * vx) + inertia * wz[id]
        end
        for _, id in ipairs(sim:ids()) do sim.wz[id] = wz[id] end
        return sums
      end
      local before = state()
      sim:run { until_time = 1 }
      return before, state() ]])
    for k = 1, 3 do assert.near(before[k], after[k], 1e-10) end
    assert.is_true(after[4] < 0.5 * before[4], after[4])
  end)

  it("slide down an incline as their friction says, and a square does not roll", function()
    local slope, mu = math.rad(30), 0.3
    local vx, turned = support.run(string.format(start("gravity = { %.17g, %.17g }", "friction = 0.3"), 10 * math.sin(slope), -10 * math.cos(slope)) .. [[
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      sim:add_particle { position = { 0, 0.5 / math.sqrt(2) + 0.02 }, radius = 0.5, mass = 1, shape = floc.polygon { sides = 4 }, angle = math.pi / 4 }
      sim:run { until_time = 1 }
      return sim.vx[1], sim.angle[1] - math.pi / 4 ]])
    assert.near(10 * (math.sin(slope) - mu * math.cos(slope)), vx, 0.05)
    assert.near(0, turned, 1e-6)
  end)

  it("rebound with the law of restitution: a rod that is hit at its end", function()
    -- Both masses 1; the disc's speed 1 towards the end of a rod at rest, across it: 1/m_eff = 1 + 1 + d^2/I.
    local gone, spin, inertia = support.run(start("", "restitution = 0.6") .. [[
      local rod = sim:add_particle { position = { 0, 0 }, radius = 1, mass = 1, shape = floc.rod { aspect = 5 } }
      sim.wz[rod] = 1
      local inertia = 2 * sim:measure "rotational_kinetic_energy"
      sim.wz[rod] = 0
      sim:add_particle { position = { 0.7, 0.5 }, velocity = { 0, -1 }, radius = 0.2, mass = 1 }
      sim:run { until_time = 0.4 }
      return sim.vy[2], sim.wz[1], inertia ]])
    local impulse = 1.6 / (2 + 0.49 / inertia)
    assert.near(-1 + impulse, gone, 1e-6)
    assert.near(-0.7 * impulse / inertia, spin, 1e-6)
  end)

  it("are the same after a resume in the middle, bit for bit, and on any number of threads", function()
    local folder = support.folder()
    local script = start(box, "friction = 0.4") .. mixed .. string.format([[
      sim:checkpoint { path = %q, every = 150, keep = 9 }
      sim:run { steps = 900 }
      return sim:hash() ]], folder .. "/run.floc")
    local hash = support.run(script)
    for k = 1, 5, 2 do assert.are.equal(hash, (support.resume(folder .. "/run.floc." .. k))) end
    support.remove(folder)
    for _, threads in ipairs { 1, 2, 3, 8 } do
      local same = support.run(start(box .. ", threads = " .. threads, "friction = 0.4") .. mixed .. "sim:run { steps = 900 } return sim:hash()")
      local first = support.run(start(box .. ", threads = 1", "friction = 0.4") .. mixed .. "sim:run { steps = 900 } return sim:hash()")
      assert.are.equal(first, same)
    end
  end)

  it("are in checkpoints that are looked at without their script", function()
    local folder = support.folder()
    local path = folder .. "/run.floc"
    support.run(start(box, "friction = 0.4") .. mixed .. string.format("sim:checkpoint { path = %q } sim:run { steps = 10 }", path))
    local file = io.popen(string.format("%s view %s --output=%s/page.html 2>&1", assert(os.getenv "FLOC_PROGRAM"), path, folder))
    local text = file:read "*a"
    file:close()
    assert.is_true(support.exists(folder .. "/page.html") or text:find("without its browser page", 1, true) ~= nil, text)
    support.remove(folder)
  end)

  it("have their area and moment in masses and measures", function()
    local alone, filled, angles = support.run(start 'boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { 10, 10 } }' .. [[
      local id = sim:add_particle { position = { 5, 5 }, radius = 1, density = 3, shape = floc.rod { aspect = 4 } }
      local mass, fraction = sim.mass[id], sim:measure "volume_fraction"
      sim:remove_particle(id)
      sim:add_particles { count = 300, radius = { 0.1, 0.3 }, density = 1, volume_fraction = 0.3, shape = floc.polygon { sides = 3, rounding = 0.1 }, angle = { 0.5, 0.7 } }
      return { mass, fraction }, sim:measure "volume_fraction", { sim:sum(function(angle) return angle >= 0.5 and angle <= 0.7 end), sim:sum(function(angle) return angle < 0.6 end) } ]])
    local area = 4 * 0.75 * 0.25 + math.pi * 0.25 ^ 2
    assert.near(3 * area, alone[1], 1e-12)
    assert.near(area / 100, alone[2], 1e-12)
    assert.near(0.3, filled, 1e-6)
    assert.are.equal(300, angles[1])
    assert.near(150, angles[2], 40)
  end)

  it("stand on a lattice as near as their shape lets them", function()
    local message
    local overlap = support.run(start() .. [[
      sim:add_particles { count = 100, radius = 0.5, mass = 1, shape = floc.polygon { sides = 4 }, angle = math.pi / 4, placement = "lattice", spacing = 0.75,
        region = floc.box { lower = { 0, 0 }, upper = { 20, 20 } } }
      return sim:check_overlap() ]])
    assert.are.equal(0, overlap)
    message = support.failure(start() .. [[ sim:add_particles { count = 100, radius = 0.5, mass = 1, shape = floc.polygon { sides = 4 }, angle = 0, placement = "lattice", spacing = 0.75,
        region = floc.box { lower = { 30, 30 }, upper = { 38.6, 38.6 } } } ]])
    assert.is_truthy(message:find("lattice sites are occupied", 1, true), message)
  end)

  local function refused(script, words, more, scheme)
    local message = support.failure(start(more, scheme) .. script)
    assert.is_truthy(message:find(words, 1, true), message)
    assert.is_truthy(message:find("script.lua:%d+: "), message)
  end
  local one = "sim:add_particle { position = { 0, 0 }, radius = 1, shape = floc.rod { aspect = 2 } } "

  it("are refused where they are wrong, with the line", function()
    refused("floc.polygon { { 0, 0 }, { 1, 0 } }", "3 or more points")
    refused("floc.polygon {}", "sides is missing")
    refused("floc.polygon { sides = 5, { 0, 0 }, { 1, 0 }, { 0, 1 } }", "both given")
    refused("floc.polygon { sides = 2 }", "sides is 2; it must be an integer, at least 3 and at most 16")
    refused("floc.rod { aspect = 1 }", "aspect is 1; it must be a finite number above 1")
    refused("floc.rod { aspect_ratio = 3 }", "did you mean aspect?")
    for points, words in pairs { ["{ 0, 0 }, { 1, 1 }, { 1, 0 }, { 0, 1 }"] = "turns inward", ["{ 0, 0 }, { 1, 0 }, { 2, 0 }"] = "on the line",
      ["{ 0, 0 }, { 1, 0 }, { 1, 0 }, { 0, 1 }"] = "corners 2 and 3 of the shape are the same point" } do
      refused("sim:add_particle { position = { 0, 0 }, radius = 1, shape = floc.polygon { " .. points .. " } }", words)
    end
    refused("sim:add_particle { position = { 0, 0 }, radius = 1, shape = floc.circle { radius = 1 } }", "shape is floc.circle; it must be a shape of grains")
    refused("sim:add_particle { position = { 0, 0 }, radius = 1, angle = 1 }", "angle is 1 without a shape")
    refused(one .. "sim.shape[1] = 2 sim:run { steps = 1 }", "particle 1 has shape 2 before step 1; it must be an integer from 0, a disc, to 1")
    refused(one .. "sim.rounding[1] = 1 sim:run { steps = 1 }", "particle 1 has rounding 1 before step 1")
    refused(one .. "sim:add_particle { position = { 0, 0.7 }, radius = 1, shape = floc.rod { aspect = 2 }, angle = 0.3 } sim:run { steps = 1 }", "overlap")
    refused("sim:every(1, function() " .. one .. " end) sim:run { steps = 1 }", "shape is new in a run; give a grain or an inlet this shape before the run")
    refused("sim:add_particle { position = { 0, 0, 0 }, radius = 1, shape = floc.polygon { sides = 4 } }", "needs 2 dimensions", "dimension = 3")
    refused("sim:add_particles { count = 3, radius = 1, shape = floc.rod { aspect = 2 }, placement = 'dense', region = floc.ball { center = { 0, 0 }, radius = 9 } }", "dense packings are of discs and balls")
  end)

  it("are refused by name beside what knows discs alone", function()
    for text, words in pairs {
      ["sim:add_force { law = function(distance) return 1 end, range = 3 }"] = "a law between particles",
      ["sim:add_wall_force { law = function(distance) return 1 end, range = 3 }"] = "a law between particles and bodies",
      ["sim:add_attraction { kappa = 1, epsilon = 1 }"] = "attraction, or a force of long range",
      ["sim:add_flow { flow = 'still', relaxation_time = 1 }"] = "a flow",
      ["sim:add_ray_source(floc.plane_wave { direction = { 0, -1 }, power = 1 })"] = "a source of rays",
      ["sim:add_particle { position = { 5, 0 }, radius = 1 } sim:add_assembly { particles = { 1, 2 } }"] = "an assembly",
    } do refused(one .. text .. " sim:run { steps = 1 }", "particles are not round, which " .. words .. " does not know") end
    refused(one .. "sim:run { steps = 1 }", "the energy ledger", "energy_ledger = true")
    for _, call in ipairs { "stress()", "contacts()", "clusters { gap = 0.1 }", "neighbors(1)", "force_distribution()" } do
      refused(one .. "sim:run { steps = 1 } sim:" .. call, "particle 1 is not round, and this is known of discs alone")
    end
    refused(one .. "sim:measure 'coordination_number'", "known of discs alone")
    refused(one, "with rolling or twisting resistance", nil, "friction = 0.3, rolling = 0.1")
  end)
end)
