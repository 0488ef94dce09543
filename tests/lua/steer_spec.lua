-- Runs that end at rest, callbacks and files at intervals of time, callbacks on conditions; and that a resume knows of them.

local once = require "once"
local support = require "support"

local folder

local function text(script) return (script:gsub("FOLDER", function() return string.format("%q", folder) end)) end

local function told(script)
  local lines, warnings = {}, require "floc.session.warnings"
  local tell = warnings.tell
  warnings.tell = function(_, _, line) lines[#lines + 1] = line end
  local ok, a, b, c = pcall(support.run, text(script))
  warnings.tell = tell
  if not ok then error(a, 0) end
  return lines, a, b, c
end

-- Discs that fall into a box; h, scheme and so on as given.
local heap = [[
  local floc = require "floc"
  local function make(options)
    options.time_step, options.gravity = options.time_step or 1e-3, options.gravity or { 0, -10 }
    local sim = floc.simulation(options)
    sim:add_body { shape = floc.container { width = 1, height = 3 } }
    sim:add_particles { count = 40, radius = { 0.04, 0.05 }, region = floc.box { lower = { -0.5, 0.1 }, upper = { 0.5, 1.5 } }, density = 1000 }
    return sim
  end
  local soft = floc.discrete_element { contact = "hooke", stiffness = 2e6, damping = 300, integrator = "velocity_verlet" }
]]

describe("a run until all is at rest", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  it("ends when the heap lies, and stays so, in both kinds of contacts", function()
    for _, options in ipairs { "{}", "{ scheme = floc.inelastic { friction = 0.3 } }", "{ time_step = 5e-5, scheme = soft }" } do
      local got = support.run(heap .. "local sim = make(" .. options .. [[)
        local high = sim:measure "center_y"
        sim:run { until_ = "at rest" }
        local g, d = 10, 0
        for id = 1, sim.count do d = d + 2 * sim.radius[id] / sim.count end
        local speed = math.sqrt(2 * sim:measure "kinetic_energy" / sim:measure "total_mass") / math.sqrt(g * d)
        local low, time = sim:measure "center_y", sim.time
        sim:run { until_time = time + 0.5 }
        return { speed, high - low, math.abs(sim:measure "center_y" - low) / d, time }
      ]])
      local speed, fell, moved, time = got[1], got[2], got[3], got[4]
      assert.is_true(speed < 3e-3, options .. speed)
      assert.is_true(fell > 0.2, options .. fell)
      assert.is_true(moved < 0.02, options .. moved)
      assert.is_true(time > 0.3 and time < 20, options .. time)
    end
  end)

  it("says once that it waits where something falls for ever", function()
    local lines = told [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.05, gravity = { 0, -10 }, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_particle { position = { 0, 0 }, radius = 0.05, mass = 1 }
      sim:every({ time = 150 }, function() if sim.time > 100 then sim.gravity = { 0, 0 } sim.vy[1] = 0 end end)
      sim:run { until_ = "at rest" } ]]
    assert.are.equal(1, #lines)
    assert.is_truthy(lines[1]:find("the run has waited from t = 0", 1, true) and lines[1]:find("has no other end: the greatest speed is", 1, true), lines[1])
  end)

  it("does not end at the start, nor where a throw turns", function()
    local time = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-5, gravity = { 0, -10 }, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_particle { position = { 0, 0 }, radius = 0.05, mass = 1, velocity = { 0, 0.5 } }
      sim:run { until_ = "at rest", steps = 20000 }
      return sim.time
    ]]
    assert.near(0.2, time, 1e-9)
  end)

  it("waits for each limit, for as long as it should last", function()
    local kinetic, steps, first = support.run [[
      local floc = require "floc"
      local function make()
        local sim = floc.simulation { time_step = 0.01, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
        sim:add_particle { position = { 0, 0 }, radius = 0.05, mass = 2, velocity = { 1, 0 } }
        sim:add_field { law = function(vx) return -2 * vx, 0 end } -- v = exp(-t)
        return sim
      end
      local a, b, c = make(), make(), make()
      a:run { until_ = { kinetic_below = math.exp(-2), lasting = 0 } } -- v^2 < exp(-2): t > 1
      b:run { until_ = { speed_below = math.exp(-1), lasting = 0.5 } }
      return a.time, b.time, c:run { until_ = { speed_below = 10 } } -- ten steps, and the first does not count
    ]]
    assert.near(1, kinetic, 0.03)
    assert.near(1.5, steps, 0.03)
    assert.are.equal(11, first)
  end)

  it("waits until forces are balanced", function()
    for options, limit in pairs { ["{ scheme = floc.inelastic { friction = 0.3 } }"] = 2e-2, ["{ time_step = 5e-5, scheme = soft }"] = once and 1e-3 or nil } do
      local ratio, speed = support.run(heap .. "local sim = make(" .. options .. [[)
        sim:run { until_ = { unbalanced_below = ]] .. limit .. [[, lasting = 0.2 }, until_time = 20 }
        return sim:measure "unbalanced_force_ratio", sim:measure "greatest_speed", sim.time
      ]])
      assert.is_true(ratio < limit and ratio > 0, options .. ratio)
      assert.is_true(speed < 0.05, options .. speed)
    end
  end)

  it("ends at a bound, and says so", function()
    local lines, steps = told(heap .. "return make {}:run { until_ = 'at rest', steps = 10 }")
    assert.are.equal(10, steps)
    assert.are.same({ "the run ended at its last step, before all was at rest" }, lines)
    lines = told(heap .. "make {}:run { until_ = { kinetic_below = 1e-9 }, until_time = 0.01 }")
    assert.are.same({ "the run ended at until_time, before all was at rest" }, lines)
    lines = told(heap .. "make {}:run { until_ = { kinetic_below = 1e9, lasting = 0 }, until_time = 0.01 }")
    assert.are.same({}, lines)
  end)

  it("continues after a resume where it was, and ends at the same step", function()
    local script = text(heap .. [[
      local sim = make {}
      sim:run { until_ = { speed_below = 0.5, lasting = 0.02 } }
      sim:checkpoint { path = FOLDER .. "/run.floc", every = 7, keep = 40 }
      sim:run { until_ = "at rest" }
      return sim:hash(), sim.step
    ]])
    local hash, step = support.run(script)
    local count = 0
    for k = 1, 39, 9 do
      local path = folder .. "/run.floc." .. k
      if support.exists(path) then
        local again, at = support.resume(path)
        assert.are.equal(step, at)
        assert.are.equal(hash, again)
        count = count + 1
      end
    end
    assert.is_true(count > 2)
  end)

  it("refuses what means nothing", function()
    local sim = "local floc = require 'floc' local sim = floc.simulation { time_step = 1%s } sim:add_particle { position = { 0, 0 }, radius = 1 } sim:run %s"
    for _, one in ipairs {
      { "", "{ until_ = 'at rest' }", 'run: until_ is "at rest", which compares speeds with those that gravity gives; there is no gravity now' },
      { "", "{ until_ = 'at peace' }", 'run: until_ is "at peace"; it must be a function of the simulation that returns true at the end, or one of at rest, or a table' },
      { "", "{ until_ = {} }", "run: until_ names no limit; it must have kinetic_below or speed_below or unbalanced_below" },
      { "", "{ until_ = { lasting = 1 } }", "run: until_ names no limit" },
      { "", "{ until_ = { kinetic_below = 0 } }", "until_: kinetic_below is 0; it must be a finite number above 0" },
      { "", "{ until_ = { kinetc_below = 1 } }", "until_: unknown parameter kinetc_below; did you mean kinetic_below?" },
      { ", gravity = { 0, -1 }", "{ until_ = 'at rest', steps = 1, until_time = 2 }", "run: steps and until_time are both given" },
      { "", "{ until_ = function() return true end, steps = 1 }", "run: until_ and steps are both given" },
    } do
      local message = support.failure(sim:format(one[1], one[2]))
      assert.is_truthy(message:find(one[3], 1, true), message)
    end
  end)
end)

describe("intervals", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  it("of time: after the first step at or beyond each multiple, with steps of any length", function()
    local steps, times = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      local steps, times = {}, {}
      sim:every({ time = 0.3 }, function(sim) steps[#steps + 1] = sim.step times[#times + 1] = string.format("%.2f", sim.time) end)
      sim:run { steps = 7 } -- 0.3 and 0.6
      sim.time_step = 0.25
      sim:run { steps = 2 } -- 0.95, 1.2
      sim.time_step = 0.7
      sim:run { steps = 2 } -- 1.9 passes two, 2.6 two
      sim.time_step = 0.01
      sim:run { steps = 12 } -- 2.7
      return table.concat(steps, " "), table.concat(times, " ")
    ]]
    assert.are.equal("3 6 8 9 10 11 21", steps)
    assert.are.equal("0.30 0.60 0.95 1.20 1.90 2.60 2.70", times)
  end)

  it("of files: the first state, and one at each multiple", function()
    support.run(text [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      sim:observe { path = FOLDER .. "/a.tsv", every = { time = 0.25 }, columns = { "step" } }
      sim:write_xyz { path = FOLDER .. "/a.xyz", every = { time = 0.5 } }
      sim:run { steps = 6 }
      sim:run { steps = 5 }
    ]])
    assert.are.equal("step\n0\n3\n5\n8\n10\n", support.read(folder .. "/a.tsv"))
    assert.are.equal(3, select(2, support.read(folder .. "/a.xyz"):gsub("Lattice", "Lattice") ))
  end)

  it("by a condition: when it becomes true, not while it stays so", function()
    local steps, asked = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      local steps, asked = {}, 0
      sim:every({ condition = function(sim) asked = asked + 1 return sim.step % 10 < 4 end }, function(sim) steps[#steps + 1] = sim.step end)
      sim:run { steps = 12 }
      sim:run { steps = 12 }
      return table.concat(steps, " "), asked
    ]]
    assert.are.equal("1 10 20", steps)
    assert.are.equal(24, asked)
  end)

  it("are the same after a resume at any step", function()
    local script = text [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1, gravity = { 0, -1 } }
      sim:add_particle { position = { 0, 0 }, radius = 1, velocity = { 0, 1 } }
      sim:observe { path = FOLDER .. "/a.tsv", every = { time = 0.25 }, columns = { "step", "momentum_y" } }
      local list = {}
      sim:every({ time = 0.35 }, function(sim) sim.vy[1] = sim.vy[1] * 0.9 list[#list + 1] = "t" .. sim.step end)
      sim:every({ condition = function(sim) return math.sin(sim.step) > 0.5 end }, function(sim) sim.vy[1] = sim.vy[1] + 0.1 list[#list + 1] = "c" .. sim.step end)
      sim:checkpoint { path = FOLDER .. "/run.floc", every = 1, keep = 30 }
      sim:run { steps = 12 }
      sim.time_step = 0.21
      sim:run { steps = 12 }
      return sim:hash(), table.concat(list, " ")
    ]]
    local hash, list = support.run(script)
    local rows = support.read(folder .. "/a.tsv")
    assert.matches("t%d.*c%d", list)
    os.execute("cp -r '" .. folder .. "' '" .. folder .. ".kept'")
    for k = 1, 23, 2 do
      os.execute(string.format("rm -rf '%s'; cp -r '%s.kept' '%s'", folder, folder, folder))
      local again, same = support.resume(folder .. "/run.floc." .. k)
      assert.are.equal(list, same)
      assert.are.equal(hash, again)
      assert.are.equal(rows, support.read(folder .. "/a.tsv"))
    end
    support.remove(folder .. ".kept")
  end)

  it("of checkpoints", function()
    support.run(text [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      sim:checkpoint { path = FOLDER .. "/run.floc", every = { time = 0.45 }, keep = 9 }
      sim:run { steps = 14 } -- 0.5, 0.9, 1.4
    ]])
    assert.is_true(support.exists(folder .. "/run.floc.2"))
    assert.is_false(support.exists(folder .. "/run.floc.3"))
  end)

  it("refuse what means nothing", function()
    local sim = "local floc = require 'floc' local sim = floc.simulation { time_step = 1 } sim:add_particle { position = { 0, 0 }, radius = 1 } "
    for script, wanted in pairs {
      ["sim:every({}, print)"] = "every: the interval is an empty table; it must have time or condition",
      ["sim:every({ time = 0 }, print)"] = "interval: time is 0; it must be a finite number above 0",
      ["sim:every({ tme = 1 }, print)"] = "interval: unknown parameter tme; did you mean time?",
      ["sim:every({ time = 1, condition = print }, print)"] = "every: time and condition are both given",
      ["sim:every({ condition = 3 }, print)"] = "interval: condition is 3; it must be a function of the simulation",
      ["sim:every({ condition = function() return 1 end }, function() end) sim:run { steps = 1 }"] = "every: the condition at script.lua:1 returned 1; it must return true or false",
      ["sim:observe { path = 'a', every = { condition = print }, columns = { 'step' } }"] = "observe: every has a condition; only sim:every takes one",
      ["sim:write_xyz { path = 'a', every = {} }"] = "write_xyz: every is a table without time; it must be an integer or { time = ... }",
      ["sim:write_xyz { path = 'a', every = 0 }"] = "write_xyz: every is 0; it must be an integer, at least 1",
    } do
      local message = support.failure(sim .. script)
      assert.is_truthy(message:find(wanted, 1, true), message)
    end
  end)
end)
