-- The default tolerance: what decides it, and that it is enough for forces with friction and for given velocities.

local support = require "support"
local g = 10

describe("the default tolerance", function()
  local function rule(text)
    return support.run('local floc = require "floc"\n' .. text .. "\nsim:run { steps = 1 }\nreturn sim:report()")
  end

  it("says what decided it", function()
    local particle = "sim:add_particle { position = { 0, 0 }, radius = 0.5 }"
    local function of(time_step, scheme, more)
      return rule(("local sim = floc.simulation { time_step = %g, gravity = { 0, %s }, scheme = floc.inelastic { %s } }\n%s\n%s"):format(
        time_step, more and 0 or -10, scheme, particle, more or ""))
    end
    local function check(report, name, value)
      assert.are.equal(name, report.tolerance_rule)
      assert.is_true(math.abs(report.tolerance / value - 1) < 1e-12, report.tolerance)
    end
    check(of(1, "tolerance = 0.125"), "given", 0.125)
    check(of(1, ""), "radius", 1e-4 * 0.5)
    check(of(1, "friction = 0.5"), "radius", 1e-3 * 0.5)
    check(of(1e-3, ""), "acceleration", 0.01 * g * 1e-6)
    check(of(1e-3, "friction = 0.5"), "acceleration", 0.1 * g * 1e-6)
    check(of(1e-3, "", "sim:set_a_priori { law = function(x) return 3, 4 end }"), "speed", 1e-4 * 5 * 1e-3)
  end)

  -- A heap of discs with friction between two walls, from the same state with the default and with a fine tolerance.
  it("is enough for the force on a body", function()
    local force, weight, report = support.run [[
      local floc = require "floc"
      local function make(tolerance)
        local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, scheme = floc.inelastic { friction = 0.5, tolerance = tolerance } }
        return sim, sim:add_body { shape = floc.polyline { { -1, 3 }, { -1, 0 }, { 1, 0 }, { 1, 3 } } }
      end
      local sim, box = make(nil)
      sim:add_particles { count = 150, radius = { 0.04, 0.05 }, density = 1000, region = floc.box { lower = { -1, 0 }, upper = { 1, 2.5 } } }
      sim:run { steps = 400 }
      local force, weight = 0, 0
      for _ = 1, 40 do
        sim:run { steps = 1 }
        force = force + box.force[2] / 40
      end
      for id = 1, sim.count do weight = weight + 10 * sim.mass[id] end
      return force, weight, sim:report()
    ]]
    assert.is_true(math.abs(-force / weight - 1) < 0.01, force / weight)
    assert.are.equal(0, report.unconverged_steps)
  end)

  -- People who press towards a door: one step, against the same step with a tolerance a hundred times finer.
  it("is enough for given velocities", function()
    local worst, coarse = support.run [[
      local floc = require "floc"
      local function make(tolerance)
        local sim = floc.simulation { time_step = 0.02, scheme = floc.inelastic { tolerance = tolerance } }
        sim:add_body { shapes = { floc.segment { { -0.6, 0 }, { -9, 0 } }, floc.segment { { 0.6, 0 }, { 9, 0 } } } }
        sim:set_a_priori { law = function(x, y)
          local d = math.sqrt(x * x + (y + 1) * (y + 1))
          return -1.2 * x / d, -1.2 * (y + 1) / d
        end }
        return sim
      end
      local crowd = make(2e-4)
      crowd:add_particles { count = 200, radius = { 0.16, 0.2 }, region = floc.box { lower = { -3, 0.3 }, upper = { 3, 9 } } }
      crowd:run { steps = 250 }
      local function step(tolerance)
        local sim = make(tolerance)
        for id = 1, crowd.count do
          sim:add_particle { position = { crowd.x[id], crowd.y[id] }, velocity = { crowd.vx[id], crowd.vy[id] }, radius = crowd.radius[id] }
        end
        sim:run { steps = 1 }
        return sim
      end
      local fine = step(1e-9)
      local function worst(sim)
        local greatest = 0
        for id = 1, sim.count do
          greatest = math.max(greatest, math.sqrt((sim.vx[id] - fine.vx[id]) ^ 2 + (sim.vy[id] - fine.vy[id]) ^ 2) / 1.2)
        end
        return greatest
      end
      return worst(step(nil)), worst(step(2e-5)) -- the second: 1e-4 radii, what a rule by radii alone would give
    ]]
    assert.is_true(worst < 0.005, worst)
    assert.is_true(coarse > worst, coarse)
  end)

  it("gives way to a budget of sweeps, which is said and not counted", function()
    for _, option in ipairs { "tolerance = 1e-4", "max_iterations = 5", 'solver = "apgd"' } do
      local message = support.failure(('require "floc".inelastic { budget = 5, %s }'):format(option))
      assert.is_truthy(message:find(option:match "%S+" .. " is .* beside budget"), message)
    end
    local few, many = support.run [[
      local floc = require "floc"
      local function report(budget)
        local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 }, scheme = floc.inelastic { friction = 0.5, budget = budget } }
        sim:add_body { shape = floc.polyline { { -1, 3 }, { -1, 0 }, { 1, 0 }, { 1, 3 } } }
        sim:add_particles { count = 150, radius = { 0.04, 0.05 }, density = 1000, region = floc.box { lower = { -1, 0 }, upper = { 1, 2.5 } } }
        sim:run { steps = 100 }
        return sim:report()
      end
      return report(4), report(400)
    ]]
    assert.is_true(few.converged and few.unconverged_steps == 0)
    assert.is_true(few.energy_fall > 0 and few.energy_fall <= 1, few.energy_fall)
    assert.is_true(many.energy_fall < 0.1 * few.energy_fall, many.energy_fall)
  end)
end)
