-- Walls that hold a force or a pressure: their equation of motion, the force in the steady state, and what is refused.

local once = require "once"
local support = require "support"

local function start(scheme)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { time_step = 1e-3, scheme = %s }
  sim:add_particle { position = { 0, 0.5 }, radius = 0.5, mass = 1 }
  ]], scheme or 'floc.discrete_element { contact = "hooke", stiffness = 1e4, damping = 20, integrator = "velocity_verlet" }')
end

local function lid(motion, height)
  return string.format([[local lid = sim:add_body { position = { 0, %g }, shape = floc.plane { normal = { 0, -1 } }, motion = floc.servo { direction = { 0, -2 }, %s } }
  ]], height or 1, motion)
end

describe("a servo", function()
  it("moves as its equation says where it meets nothing", function()
    local velocity, position = support.run(start() .. lid("load = 6, mass = 3, damping = 4", 9) .. "sim:run { until_time = 0.5 } return lid.velocity[2], lid.position[2]")
    local rate, limit = 4 / 3, 6 / 4
    assert.near(-limit * (1 - math.exp(-rate * 0.5)), velocity, 1e-3)
    assert.near(9 - limit * (0.5 - (1 - math.exp(-rate * 0.5)) / rate), position, 1e-3)
    assert.near(-0.2, support.run(start() .. lid("load = 6, mass = 3, greatest_speed = 0.2", 9) .. "sim:run { until_time = 0.5 } return lid.velocity[2]"), 1e-12)
  end)

  it("holds a force, and a pressure on an area that changes, to 1e-6", function()
    for integrator, tolerance in pairs { velocity_verlet = 1e-6, trapezoidal = 1e-6 } do
      local force, held, area = support.run(start('floc.discrete_element { contact = "hooke", stiffness = 1e4, damping = 20, integrator = "' .. integrator .. '" }')
        .. "sim:add_body { shape = floc.plane { normal = { 0, 1 } } }" .. lid("load = 5, mass = 10, damping = 200") .. [[
        sim:run { steps = 4000 }
        local force = lid.force[2]
        lid:set_motion { motion = floc.servo { direction = { 0, -1 }, mass = 10, damping = 200, pressure = 20,
          area = function(t) return 10 * lid.position[2] + (t < 5 and 1 or 0) end } }
        sim:run { steps = 4000 }
        return force, lid.force[2], 10 * lid.position[2] ]])
      assert.near(5, force, 5 * tolerance)
      assert.near(20 * area, held, 20 * area * tolerance)
    end
  end)

  it("is resumed bit for bit, also where a callback made it", function()
    local folder = support.folder()
    local script = start() .. "sim:add_body { shape = floc.plane { normal = { 0, 1 } } }" .. lid("load = function(t) return 5 + math.sin(90 * t) end, mass = 10, damping = 20")
      .. string.format([[
      local wall = sim:add_body { position = { 2, 0 }, shape = floc.plane { normal = { -1, 0 } } }
      sim:every(150, function() wall:set_motion { motion = floc.servo { direction = { -1, 0 }, load = 3, mass = 7 + sim.time } } end)
      sim:checkpoint { path = %q, every = 200, keep = 3 }
      sim:run { steps = 700 }
      return sim:hash() ]], folder .. "/run.floc")
    local hash = support.run(script)
    for k = 0, 2 do assert.are.equal(hash, (support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or "")))) end
    support.remove(folder)
  end)

  it("is refused where it means nothing", function()
    for motion, wanted in pairs {
      ["direction = { 0, 0 }, load = 1, mass = 1"] = "servo: direction is 0; it must be a direction",
      ["direction = { 0, 1 }, mass = 1"] = "servo: load is missing",
      ["direction = { 0, 1 }, pressure = 1, mass = 1"] = "servo: area is missing",
      ["direction = { 0, 1 }, load = 1, area = 1, mass = 1"] = "servo: area is given, which does nothing without pressure",
      ["direction = { 0, 1 }, load = 1, pressure = 1, area = 1, mass = 1"] = "servo: load and pressure are both given",
      ["direction = { 0, 1 }, load = 1"] = "servo: mass is missing",
      ["direction = { 0, 1 }, load = 1, mass = 0"] = "servo: mass is 0; it must be",
    } do
      local message = support.failure(start() .. "local motion = floc.servo { " .. motion .. " }")
      assert.is_truthy(message:find("script.lua:4: " .. wanted, 1, true), message)
    end
    local message = support.failure(start() .. [[local function load(t) if t > 0.002 then return 0 / 0 end return 1 end
      sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, -9 } }, motion = floc.servo { direction = { 0, 1 }, mass = 1, load = load } }
      sim:run { steps = 9 }]])
    assert.is_truthy(message:find("script.lua:4: the load returned nan at t = 0.0025; it must return 1 finite number", 1, true), message)
    message = support.failure(start "floc.inelastic()" .. lid "load = 1, mass = 1")
    assert.is_truthy(message:find("script.lua:4: add_body: a servo is not supported under the scheme inelastic; discrete_element does it; a free body "
      .. "with a load, or a cell that deforms and holds the stress, takes its place", 1, true), message)
  end)

  it("has a free body with a load in its place under inelastic", function()
    local held, mean = support.run [[local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.inelastic { friction = 0.3, tolerance = 1e-10 } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      sim:add_particle { position = { -1, 0.5 }, radius = 0.5, mass = 1 }
      sim:add_particle { position = { 1, 0.5 }, radius = 0.5, mass = 1 }
      local lid = sim:add_body { position = { 0, 1.2 }, shape = floc.segment { { -3, 0 }, { 3, 0 } }, free = { "y" }, mass = 3, load = { force = { 0, -5 } } }
      sim:run { until_time = 2 }
      local sum = 0
      sim:every(1, function() sum = sum + lid.force[2] end)
      sim:run { steps = 100 }
      return lid.force[2], sum / 100 ]]
    assert.near(5, held, 1e-2)
    assert.near(5, mean, 1e-4)
  end)

  if once then
    it("has a cell in its place under inelastic: a triaxial test", function()
      local lateral, axial = support.run [[local floc = require "floc"
        local side, tau = math.sqrt(200 * math.pi / 4 / 0.8), 5
        local sim = floc.simulation { time_step = 0.01, seed = 2, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { side, side } },
          scheme = floc.inelastic { friction = 0.5, tolerance = 2e-5 } }
        sim:add_particles { count = 200, radius = { 0.4, 0.6 }, density = 4 / math.pi, placement = "dense", volume_fraction = 0.8 }
        sim:deform { stress = { 1, 1 }, relaxation_time = tau }
        sim:run { until_time = 40 }
        sim:deform { stress = { 1, 0 }, rate = { 0, -5e-3 }, relaxation_time = tau }
        sim:run { until_time = 60 }
        local steps, lateral, axial = 0, 0, 0
        sim:every(1, function()
          local stress = sim.domain.stress
          steps, lateral, axial = steps + 1, lateral + stress[1][1], axial + stress[2][2]
        end)
        sim:run { until_time = 100 }
        return lateral / steps, axial / steps ]]
      -- In motion it is above, by 0.05 here; see the formula in docs/cells.md. Seeds 1 to 6: 0.958 to 1.055, ratios of 1.52 to 1.95.
      assert.near(1, lateral, 0.1)
      assert.is_true(axial > 1.25 * lateral, axial / lateral)
    end)
  end
end)
