-- The run loop: goals, callbacks, gravity, splitting, threads, several simulations.

local support = require "support"

local pile = [[
  local floc = require "floc"
  local function make(options)
    options.time_step, options.gravity = 0.002, options.gravity or { 0, -10 }
    local sim = floc.simulation(options)
    sim:add_particles { count = 80, radius = { 0.02, 0.03 }, mass = 2, region = floc.box { lower = { -0.5, 0.2 }, upper = { 0.5, 1.5 } } }
    sim:add_body { shape = floc.container { width = 1.2, height = 2 } }
    sim:add_body { shape = floc.wheel { radius = 0.1 }, position = { 0, 0.12 }, angular_velocity = -2 }
    return sim
  end
]]

describe("run", function()
  it("makes so many steps, or goes until a time, or until a function says so", function()
    local sim, steps, more, rest = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      local steps = sim:run { steps = 7 }
      local more = sim:run { until_time = 1 }
      local rest = sim:run { until_ = function(sim) return sim.step >= 12 end }
      assert(sim:run { until_time = 1 } == 0 and sim:run { steps = 0 } == 0)
      return sim, steps, more
    ]]
    assert.are.equal(7, steps)
    assert.are.equal(3, more)
    assert.are.equal(12, sim.step)
    assert.near(1.2, sim.time, 1e-12)
    assert.is_nil(rest)
  end)

  it("gives the same when it is split", function()
    local a, b = support.run(pile .. [[
      local one, two = make {}, make {}
      one:run { steps = 300 }
      for _, steps in ipairs { 100, 1, 0, 99, 100 } do two:run { steps = steps } end
      return one:hash(), two:hash()
    ]])
    assert.are.equal(a, b)
    assert.matches("^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x$", a)
  end)

  it("gives the same at 1, 2 and 3 threads", function()
    local hashes = support.run(pile .. [[
      local hashes = {}
      for threads = 1, 3 do
        local sim = make { threads = threads, scheme = floc.gluey { gamma_min = -1 } }
        assert(sim.threads == threads)
        sim:add_field { law = function(vx, vy) return -vx, -vy end }
        sim:run { steps = 150 }
        hashes[threads] = sim:hash()
      end
      return hashes
    ]])
    assert.are.equal(hashes[1], hashes[2])
    assert.are.equal(hashes[1], hashes[3])
  end)

  it("differs for another seed", function()
    local a, b = support.run(pile .. "local a, b = make { seed = 1 }, make { seed = 2 } return a:hash(), b:hash()")
    assert.are_not.equal(a, b)
  end)

  it("calls back in order, after steps that are multiples", function()
    local calls = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      local calls = {}
      sim:every(2, function(given) assert(given == sim) calls[#calls + 1] = "a" .. given.step end)
      sim:every(3, function(given) calls[#calls + 1] = "b" .. given.step end)
      sim:run { steps = 4 }
      sim:run { steps = 2 }
      return table.concat(calls, " ")
    ]]
    assert.are.equal("a2 b3 a4 a6 b6", calls)
  end)

  it("lets callbacks change particles, gravity, motions and the time step", function()
    local sim = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.5 }
      sim:add_particle { position = { 0, 0 }, radius = 0.1 }
      local wall = sim:add_body { shape = floc.circle { radius = 1 }, position = { 9, 9 } }
      sim:every(2, function(sim)
        if sim.step ~= 2 then return end
        sim.vx[1] = 4
        sim.time_step = 0.25
        sim.gravity = { 0, -1 }
        wall:set_motion { velocity = { 1, 0 } }
        sim:add_particle { position = { 5, 0 }, radius = 0.1 }
      end)
      sim:run { steps = 4 }
      return sim
    ]]
    assert.are.equal(2, sim.x[1])
    assert.are.equal(1.5, sim.time)
    assert.are.equal(-0.5, sim.vy[1])
    assert.are.equal(9.5, sim.bodies[1].position[1])
    assert.are.equal(2, sim.count)
  end)
end)

describe("gravity", function()
  it("is a vector that can be read and written", function()
    local sim = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1, gravity = { 1, -2 } }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      sim:run { steps = 1 }
      sim.gravity[2] = 0
      sim:run { steps = 1 }
      sim.gravity = { 0, 5 }
      sim:run { steps = 1 }
      return sim
    ]]
    assert.near(0.2, sim.vx[1], 1e-15)
    assert.near(-0.2 + 0.5, sim.vy[1], 1e-15)
    assert.are.same({ 0, 5 }, sim.gravity)
  end)

  it("is a function of the time at the start of the step", function()
    local vx, times = support.run [[
      local floc = require "floc"
      local times = {}
      local sim = floc.simulation { time_step = 0.5, gravity = function(t) times[#times + 1] = t return t, 0 end }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      sim:run { steps = 4 }
      return sim.vx[1], times
    ]]
    assert.are.same({ 0, 0.5, 1, 1.5 }, times)
    assert.near(1.5, vx, 1e-15)
  end)

  it("works in three dimensions, as a table too", function()
    local vz = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 0.5, gravity = function(t) return { 0, 0, -1 } end }
      sim:add_particle { position = { 0, 0, 0 }, radius = 1 }
      sim:run { steps = 2 }
      return sim.vz[1]
    ]]
    assert.are.equal(-1, vz)
  end)
end)

describe("several simulations", function()
  it("live side by side", function()
    local a, b, c = support.run(pile .. [[
      local one, two, three = make {}, make {}, make {}
      for _ = 1, 50 do one:run { steps = 2 } two:run { steps = 1 } end
      three:run { steps = 100 }
      return one:hash(), two:hash(), three:hash()
    ]])
    assert.are.equal(a, c)
    assert.are_not.equal(a, b)
  end)

  it("are freed", function()
    support.run(pile .. [[
      local kept = setmetatable({}, { __mode = "v" })
      local function fill(k)
        local sim = make {}
        sim:every(1, function() return sim end)
        sim:add_field { law = function(x) return sim and 0 or x, 0 end }
        sim:run { steps = 2 }
        kept[k] = sim
      end
      for k = 1, 5 do fill(k) end
      if jit then jit.flush() end -- a trace keeps the functions that it was made for
      collectgarbage() collectgarbage()
      for k = 1, 5 do assert(kept[k] == nil) end
    ]])
  end)
end)

describe("a step that fails", function()
  it("names the particle and leaves the state before it", function()
    local folder = support.folder()
    local message = support.failure([[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e10 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      sim:add_particle { position = { 9, 7 }, radius = 1, velocity = { 1e305, 0 } }
      sim:run { steps = 3 }
    ]], { out = folder })
    assert.matches("^script.lua:5: run: particle 2 .*; the state before this step is in ", message)
    assert.matches("step 1", message)
    assert.is_true(support.exists(folder .. "/failed.floc"))
    support.remove(folder)
  end)
end)

describe("measures and reports", function()
  it("of a simulation are numbers by name", function()
    local sim = support.run(pile .. "local sim = make {} sim:run { steps = 200 } return sim")
    assert.are.equal(80, sim:measure "particle_count")
    assert.is_true(sim:measure "center_y" < 1)
    assert.is_true(sim:measure "kinetic_energy" > 0)
    local report = sim:report()
    assert.is_true(report.contacts > 0 and report.iterations >= 0)
    assert.is_number(report.stage_seconds[support.floc and next(report.stage_seconds)])
    assert.is_true(report.greatest_overlap < 1e-3)
    assert.is_true(sim:check_overlap() < 1e-3)
  end)
end)
