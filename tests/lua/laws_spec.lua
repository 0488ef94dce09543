-- Fields, pair forces, flows and noise given by Lua functions.

local support = require "support"

describe("fields", function()
  it("get what their parameters name, and act", function()
    local sim = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.01 }
      sim:add_attribute("charge", 0)
      for k = 1, 3 do sim:add_particle { position = { 10 * k, 0 }, radius = 1, mass = 2, attributes = { charge = k } } end
      sim:add_field { law = function(charge, mass, id, x, t, radius, time) assert(t == time and radius == 1 and x > 9)
        return charge * mass, id end }
      sim:run { steps = 100 }
      return sim
    ]]
    for k = 1, 3 do
      assert.near(k, sim.vx[k], 1e-12)
      assert.near(k / 2, sim.vy[k], 1e-12)
    end
  end)

  it("take a list of inputs where names do not say it", function()
    local sim = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.01 }
      sim:add_particle { position = { 3, 4 }, radius = 1 }
      sim:add_field { inputs = { "x", "y" }, law = function(...) local a, b = ... return a, b end }
      sim:run { steps = 1 }
      return sim
    ]]
    assert.near(0.03, sim.vx[1], 1e-15)
    assert.near(0.04, sim.vy[1], 1e-15)
  end)

  it("are asked for the time of the step's start", function()
    local times = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.5 }
      sim:add_particle { position = { 3, 4 }, radius = 1 }
      local times = {}
      sim:add_field { law = function(t) times[#times + 1] = t return 0, 0 end }
      sim:run { steps = 3 }
      return times
    ]]
    assert.are.same({ 0, 0.5, 1 }, times)
  end)
end)

describe("pair forces", function()
  local spring = [[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 0.001 }
    sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1 }
    sim:add_particle { position = { 1.2, 0 }, radius = 0.5, mass = 2, velocity = { 0.1, 0 } }
    sim:add_particle { position = { 9, 0 }, radius = 0.5 }
    local seen
  ]]

  it("act along the line of centres, equal and opposite", function()
    local sim = support.run(spring .. [[
      sim:add_force { range = 1, law = function(distance, radius_i, radius_j, mass_i, mass_j)
        return -3 * (distance - radius_i - radius_j) * mass_i * mass_j end }
      sim:run { steps = 1 }
      return sim
    ]])
    assert.near(0.001 * 3 * 0.2 * 2, sim.vx[1], 1e-12)
    assert.near(0.1 - 0.001 * 3 * 0.2, sim.vx[2], 1e-12)
    assert.are.equal(0, sim.vx[3])
    assert.near(0.2, sim:measure "momentum_x", 1e-14)
  end)

  it("know gap, rate, ids and time", function()
    local seen = support.run(spring .. [[
      sim:add_force { range = 1, law = function(overlap, normal_velocity, id_i, id_j, time)
        seen = { overlap, normal_velocity, id_i + id_j, time } return 0 end }
      sim:run { steps = 1 }
      return seen
    ]])
    assert.near(-0.2, seen[1], 1e-15)
    assert.near(0.1, seen[2], 1e-15)
    assert.are.equal(3, seen[3])
    assert.are.equal(0, seen[4])
  end)

  it("give subnormal numbers as their function does", function()
    local speed = {}
    for _, way in ipairs { "traced", "called" } do
      speed[way] = support.run([[
        local floc = require "floc"
        local sim = floc.simulation { dimension = 2, time_step = 1, scheme = floc.inelastic() }
        sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 1 }
        sim:add_particle { position = { 0.5, 0 }, radius = 0.1, mass = 1 }
        sim:add_force { range = 1, way = "]] .. way .. [[",
          law = function(distance) return 3e-308 * distance ^ 4 * math.exp(-2 * distance) end }
        sim:run { steps = 1 }
        return sim.vx[2]
      ]])
    end
    assert.near(3e-308 / 16 / math.exp(1), speed.traced, 1e-320)
    assert.are.equal(speed.called, speed.traced)
  end)

  it("are called for pairs within range only", function()
    local count = support.run(spring .. [[
      local count = 0
      sim:add_force { range = 0.1, law = function(distance) count = count + 1 return 0 end }
      sim:run { steps = 1 }
      return count
    ]])
    assert.are.equal(0, count)
  end)

  it("of an every-step oscillator keep its period", function()
    local crossings, time = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.001 }
      sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 1 }
      sim:add_particle { position = { 1.3, 0 }, radius = 0.1, mass = 1 }
      sim:add_force { range = 2, law = function(distance) return -2 * math.pi ^ 2 * (distance - 1) end }
      local crossings, last = 0, sim.x[2] - sim.x[1] - 1
      sim:every(1, function(sim)
        local now = sim.x[2] - sim.x[1] - 1
        if last > 0 and now <= 0 then crossings = crossings + 1 end
        last = now
      end)
      sim:run { until_ = function() return crossings == 5 end }
      return crossings, sim.time
    ]]
    assert.are.equal(5, crossings)
    assert.near(4.25, time, 0.01) -- period 1: omega^2 = 2 k/m = (2 pi)^2
  end)
end)

describe("built-in forces", function()
  it("attract", function()
    local sim = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.001 }
      sim:add_particle { position = { 0, 0 }, radius = 0.5 }
      sim:add_particle { position = { 1.1, 0 }, radius = 0.5 }
      sim:add_attraction { kappa = 2, epsilon = 0.1 }
      sim:run { steps = 1 }
      return sim
    ]]
    local sech = 2 / (math.exp(1) + math.exp(-1))
    assert.near(0.001 * 20 * sech ^ 2, sim.vx[1], 1e-12)
  end)

  it("drift with flows, built in or in Lua", function()
    local still, shear, own = support.run [[
      local floc = require "floc"
      local results = {}
      for k, flow in ipairs {
        { flow = "still", relaxation_time = 0.5 },
        { flow = "shear", rate = 3, relaxation_time = 0.5 },
        { law = function(y) return 3 * y, 0 end, relaxation_time = 0.5 },
      } do
        local sim = floc.simulation { time_step = 0.01 }
        sim:add_particle { position = { 0, 2 }, radius = 0.5, velocity = { 1, 0 } }
        sim:add_flow(flow)
        sim:run { steps = 1 }
        results[k] = sim.vx[1]
      end
      return results[1], results[2], results[3]
    ]]
    assert.near(1 - 0.02, still, 1e-14)
    assert.near(1 - 0.02 * (1 - 6), shear, 1e-14)
    assert.are.equal(shear, own)
  end)

  it("make noise that belongs to the seed", function()
    local a, b, c = support.run [[
      local floc = require "floc"
      local function speed(seed)
        local sim = floc.simulation { time_step = 0.01, seed = seed }
        sim:add_particle { position = { 0, 2 }, radius = 0.5 }
        sim:add_noise { sigma = 1 }
        sim:run { steps = 1 }
        return sim.vx[1]
      end
      return speed(1), speed(1), speed(2)
    ]]
    assert.are.equal(a, b)
    assert.are_not.equal(a, c)
    assert.is_true(a ~= 0 and math.abs(a) < 1)
  end)
end)
