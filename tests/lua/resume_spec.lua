-- Checkpoints that bring a whole script back.

local support = require "support"

local folder

local scenario = [[
  local floc = require "floc"
  local folder, steps = FOLDER, 600
  local sim = floc.simulation { time_step = 0.002, gravity = function(t) return math.sin(5 * t), -10 end,
    scheme = floc.gluey { gamma_min = -1 } }
  sim:add_attribute("mark", 1)
  sim:add_body { shape = floc.container { width = 1.2, height = 2 } }
  local wheel = sim:add_body { shape = floc.wheel { radius = 0.1 }, position = { 0, 0.15 },
    angular_velocity = function(t) return 2 * math.cos(t) end }
  sim:add_body { shape = floc.circle { radius = 0.05 }, position = { 0.4, 0.3 }, motion = floc.oscillation { amplitude = { 0.05, 0 }, period = 0.5 } }
  sim:add_particles { count = 40, radius = { 0.02, 0.03 }, mass = 2, region = floc.box { lower = { -0.5, 0.2 }, upper = { 0.5, 1 } } }
  sim:add_field { law = function(vx, vy, mark, t) return -0.5 * vx + mark * math.sin(3 * t), -0.5 * vy end }
  sim:add_force { range = 0.01, law = function(overlap) return overlap < 0 and -0.1 or 0 end }
  sim:add_noise { sigma = 0.001 }
  sim.state.sum, sim.state.list = 0, {}
  sim:every(7, function(sim)
    sim.state.sum = sim.state.sum + sim.x[1] / 3
    sim.state.list[#sim.state.list + 1] = sim.step
    sim.mark[3] = sim.step
  end)
  sim:observe { path = folder .. "/table.tsv", every = 10, columns = { torque = function() return wheel.torque end, e = "kinetic_energy" } }
]]

local function text(rest, head)
  return (((head or scenario) .. rest):gsub("FOLDER", function() return string.format("%q", folder) end))
end

local ending = [[
  return sim:hash(), string.format("%.17g %d", sim.state.sum, #sim.state.list), sim
]]

describe("resuming", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  local function whole()
    local hash, state = support.run(text("sim:run { steps = steps }" .. ending))
    return hash, state, support.read(folder .. "/table.tsv")
  end

  it("in the middle of a run gives the uninterrupted run bit for bit", function()
    local hash, state, rows = whole()
    support.run(text("sim:checkpoint { path = folder .. '/run.floc', every = 100, keep = 4 } sim:run { steps = steps }" .. ending))
    for _, name in ipairs { "run.floc.1", "run.floc.2", "run.floc.3" } do
      local again, again_state = support.resume(folder .. "/" .. name)
      assert.are.equal(hash, again)
      assert.are.equal(state, again_state)
      assert.are.equal(rows, support.read(folder .. "/table.tsv"))
    end
  end)

  it("from files without compression gives the same, at intervals and when interrupted", function()
    local hash, state = whole()
    local checkpoint = "sim:checkpoint { path = folder .. '/run.floc', every = 100, keep = 4%s } sim:run { steps = steps }"
    support.run(text(checkpoint:format "" .. ending))
    local packed = #support.read(folder .. "/run.floc.1")
    support.run(text(checkpoint:format ", compression = 'none'" .. ending))
    local plain = #support.read(folder .. "/run.floc.1")
    assert.is_true(plain > packed)
    for _, name in ipairs { "run.floc.1", "run.floc.3" } do
      local again, again_state = support.resume(folder .. "/" .. name)
      assert.are.equal(hash, again)
      assert.are.equal(state, again_state)
    end
    local interrupted = 0
    assert.is_false((support.try(text(checkpoint:format ", compression = 'none'" .. ending), {
      interrupted = function() interrupted = interrupted + 1 return interrupted > 100 end })))
    assert.is_true(#support.read(folder .. "/run.floc") > packed)
    assert.are.equal(hash, (support.resume(folder .. "/run.floc")))
  end)

  it("after the power went: rows behind the checkpoint are taken back", function()
    local hash, _, rows = whole()
    local interrupted = 0
    local ok, message = support.try(text("sim:checkpoint { path = folder .. '/run.floc', every = 100 } sim:run { steps = steps }"), {
      interrupted = function() interrupted = interrupted + 1 return interrupted > 257 end })
    assert.is_false(ok)
    assert.matches("^interrupted after step 257, t = 0.514; continue with: floc resume .*/run.floc$", tostring(message))
    -- as if it had died at step 257: the checkpoint of step 200 is there, and rows up to 250
    os.remove(folder .. "/run.floc")
    support.run(text("sim:checkpoint { path = folder .. '/run.floc', every = 200 } sim:run { steps = 250 }" .. ending))
    assert.are.equal(hash, (support.resume(folder .. "/run.floc", { steps = 400 })))
    assert.are.equal(rows, support.read(folder .. "/table.tsv"))
  end)

  it("goes on from where an interruption left it", function()
    local hash = whole()
    local calls = 0
    local ok = support.try(text("sim:run { steps = steps }" .. ending), { out = folder,
      interrupted = function() calls = calls + 1 return calls > 123 end })
    assert.is_false(ok)
    local again, _, sim = support.resume(folder .. "/interrupted.floc")
    assert.are.equal(hash, again)
    assert.are.equal(600, sim.step)
  end)

  it("between runs, with several runs and decisions from measures", function()
    local rest = [[
      sim:run { steps = 50 }
      local energy = sim:measure "kinetic_energy"
      local runs = 0
      while sim:measure "kinetic_energy" > 0.2 * energy and runs < 8 do
        sim:run { steps = 25 }
        runs = runs + 1
        if runs == 2 then sim:checkpoint(folder .. "/a.floc") end
      end
      sim:add_particles { count = 5, radius = 0.02, region = floc.box { lower = { -0.5, 1.5 }, upper = { 0.5, 2 } } }
      sim:run { until_time = 0.7 }
      sim:checkpoint(folder .. "/b.floc")
      sim:run { until_ = function(sim) return sim.step == 600 end }
      sim:checkpoint(folder .. "/c.floc")
      assert(sim.count == 45)
    ]] .. ending
    local hash, state = support.run(text(rest))
    for _, name in ipairs { "a", "b", "c" } do
      local again, again_state = support.resume(folder .. "/" .. name .. ".floc")
      assert.are.equal(hash, again)
      assert.are.equal(state, again_state)
    end
  end)

  it("from a checkpoint that a callback asked for: it is written after all callbacks of the step", function()
    local rest = [[
      sim:every(100, function(sim) if sim.step == 300 then sim:checkpoint(folder .. "/asked.floc") end end)
      sim:every(100, function(sim) sim.state.sum = sim.state.sum + 1000 end)
      sim:run { steps = steps }
    ]] .. ending
    local hash, state = support.run(text(rest))
    local again, again_state = support.resume(folder .. "/asked.floc")
    assert.are.equal(hash, again)
    assert.are.equal(state, again_state)
  end)

  it("with particles that came during the run", function()
    local rest = [[
      sim:every(50, function(sim) if sim.step <= 400 then
        sim:add_particle { position = { 0, 2 + sim.step / 100 }, radius = 0.02, attributes = { mark = sim.step } } end end)
      sim:checkpoint { path = folder .. "/run.floc", every = 230 }
      sim:run { steps = steps }
    ]] .. ending
    local hash = support.run(text(rest))
    assert.are.equal(hash, (support.resume(folder .. "/run.floc")))
  end)

  it("makes other steps than the script when it is told to", function()
    support.run(text("sim:checkpoint { path = folder .. '/run.floc', every = 100 } sim:run { steps = 100 }" .. ending))
    local hash, _, sim = support.resume(folder .. "/run.floc", { steps = 50 })
    assert.are.equal(150, sim.step)
    assert.are.equal(hash, (support.run(text("sim:run { steps = 150 }" .. ending))))
  end)

  it("into another folder begins tables anew and says so", function()
    local script = [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.5 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      sim:observe { path = floc.out .. "/t.tsv", columns = { "step" } }
      sim:run { steps = 2 }
      sim:checkpoint(FOLDER .. "/run.floc")
      sim:run { steps = 2 }
    ]]
    support.run(text("", script), { out = folder .. "/a" })
    assert.are.equal("step\n0\n1\n2\n3\n4\n", support.read(folder .. "/a/t.tsv"))
    local _, _, _, told = support.resume(folder .. "/run.floc", { out = folder .. "/b" })
    assert.are.equal("step\n3\n4\n", support.read(folder .. "/b/t.tsv"))
    assert.matches("b/t.tsv does not contain the rows up to the checkpoint; it is started again", told[1])
  end)

  it("uses the arguments of the first time", function()
    local script = text([[
      sim:checkpoint { path = folder .. "/run.floc", every = 10 }
      sim:run { steps = args.steps }
      return sim.step, args.name
    ]], "local args = require 'floc'.args { steps = 5, name = 'a' }\n" .. scenario)
    support.run(script, { arguments = { "--steps=25", "--name=b c" } })
    local step, name = support.resume(folder .. "/run.floc")
    assert.are.equal(25, step)
    assert.are.equal("b c", name)
  end)

  it("brings reports back once", function()
    local script = text([[
      floc.report { claim = "before", value = 1 }
      sim:run { steps = 10 }
      floc.report { claim = "between", value = sim.step }
      sim:checkpoint(folder .. "/run.floc")
      floc.report { claim = "after", value = sim.time }
    ]])
    support.run(script, { out = folder })
    local first = support.read(folder .. "/result.json")
    support.resume(folder .. "/run.floc", { out = folder })
    assert.are.equal(first, support.read(folder .. "/result.json"))
  end)

  it("draws nothing that was drawn before", function()
    support.run(text([[
      sim:picture(folder .. "/first.png")
      sim:checkpoint(folder .. "/run.floc")
      sim:picture(folder .. "/second.png")
    ]]))
    os.remove(folder .. "/first.png")
    os.remove(folder .. "/second.png")
    support.resume(folder .. "/run.floc")
    assert.is_false(support.exists(folder .. "/first.png"))
    assert.is_true(support.exists(folder .. "/second.png"))
  end)

  it("of one of several simulations computes the others again", function()
    local script = text([[
      local other = floc.simulation { time_step = 0.01, gravity = { 0, -1 } }
      other:add_particle { position = { 0, 0 }, radius = 1 }
      for k = 1, 4 do
        sim:run { steps = 50 }
        other:run { steps = 3 }
        if k == 2 then sim:checkpoint(folder .. "/one.floc") other:checkpoint(folder .. "/two.floc") end
      end
      return sim:hash(), other:hash()
    ]])
    local one, two = support.run(script)
    for _, name in ipairs { "one", "two" } do
      local a, b = support.resume(folder .. "/" .. name .. ".floc")
      assert.are.equal(one, a)
      assert.are.equal(two, b)
    end
  end)

  it("takes the newest valid file and names the others", function()
    local hash = support.run(text("sim:checkpoint { path = folder .. '/run.floc', every = 100, keep = 3 } sim:run { steps = steps }" .. ending))
    local path = folder .. "/run.floc"
    support.write(path, support.read(path):sub(1, -30))
    local again, _, _, told = support.resume(path)
    assert.are.equal(hash, again)
    assert.matches("run.floc:", told[1])
    assert.are.equal("using " .. path .. ".1 instead", told[2])
    os.remove(path)
    assert.are.equal(hash, (support.resume(path)))
  end)
end)

describe("resuming is refused", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  local function damaged(change)
    support.run(text("sim:run { steps = 5 } sim:checkpoint(folder .. '/run.floc')"))
    local path = folder .. "/run.floc"
    support.write(path, change(support.read(path)))
    return support.failure('local floc = require "floc"\n\nfloc.resume(' .. string.format("%q", path) .. ")")
  end

  it("for a file that is cut", function()
    assert.matches("^script.lua:3: resume: .*run.floc", damaged(function(bytes) return bytes:sub(1, 2000) end))
  end)
  it("for a file of which one byte was changed", function()
    assert.matches("^script.lua:3: resume: .*run.floc", damaged(function(bytes)
      return bytes:sub(1, 2000) .. string.char((bytes:byte(2001) + 1) % 256) .. bytes:sub(2002) end))
  end)
  it("for a file that is no checkpoint", function()
    assert.matches("^script.lua:3: resume: .*run.floc", damaged(function() return ("not a checkpoint\n"):rep(100) end))
  end)
  it("for an empty file", function()
    assert.matches("^script.lua:3: resume: .*run.floc", damaged(function() return "" end))
  end)

  -- A checkpoint whose script is not the one that wrote it: same record, other structure.
  local function with_script(change)
    support.run(text("sim:run { steps = 5 } sim:run { steps = 5 } sim:checkpoint(folder .. '/run.floc')"))
    local found = require("floc.session.resume").find(folder .. "/run.floc")
    found.script = change(found.script)
    local one = support.session.new { script_name = "script.lua", quiet = true, arguments = {} }
    one.replay = require("floc.session.resume").replay_of(found, print)
    support.session.push(one)
    local ok, message = pcall(assert(require("floc.session.resume").load_script(found.script, "script.lua")))
    if ok then ok, message = pcall(require("floc.session.replay").check_reached, one) end
    support.session.pop()
    assert.is_false(ok)
    return message
  end

  it("for another simulation, with both calls and their lines", function()
    assert.matches("^script.lua:%d+: resume: simulation 1 of the script is not the one of the checkpoint, set%-up call 7: then it was add_field .*%(script.lua:11%), "
      .. "now it is add_body { shape = circle{ radius = 1 } } %(script.lua:11%)",
      with_script(function(script) return (script:gsub("sim:add_field", "sim:add_body { shape = floc.circle { radius = 1 } } sim:add_field")) end))
    assert.matches("set%-up call 9: then it was add_noise { sigma = 0.001.*now it is add_field", with_script(function(script) return (script:gsub("sim:add_noise", "sim:add_field { law = function() return 0, 0 end } sim:add_noise")) end))
  end)
  it("when the script takes another course", function()
    assert.matches("resume: the script makes a run where it wrote a checkpoint", with_script(function(script)
      return (script:gsub("sim:checkpoint", "sim:run { steps = 1 } sim:checkpoint")) end))
    assert.matches("resume: the script reads measure where it read run", with_script(function(script)
      return (script:gsub("sim:run", 'sim:measure "total_mass" sim:run', 1)) end))
    assert.matches("^script.lua: resume: the script ended before the point at which the checkpoint was written %(checkpoint number 3 of simulation 1%)",
      with_script(function(script) return (script:gsub("sim:run { steps = 5 } sim:run", "sim:run")) end))
  end)
end)

describe("floc.resume in a script", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  it("gives the simulation as it was, alive", function()
    local hash, state = support.run(text("sim:run { steps = steps }" .. ending))
    support.run(text("sim:checkpoint { path = folder .. '/run.floc', every = 100, keep = 9 } sim:run { steps = 250 }"))
    local again, again_state = support.run(text([[
      local sim = floc.resume(folder .. "/run.floc")
      assert(sim.step == 200 and sim.count == 40)
      sim:run { steps = 400 }
      return sim:hash(), string.format("%.17g %d", sim.state.sum, #sim.state.list)
    ]], "local floc = require 'floc'\nlocal folder = FOLDER\n"))
    assert.are.equal(hash, again)
    assert.are.equal(state, again_state)
  end)

  it("can itself be resumed, even when the first file is gone or replaced", function()
    support.run(text("sim:checkpoint { path = folder .. '/run.floc', every = 100 } sim:run { steps = 100 }"))
    local second = text([[
      local sim = floc.resume(folder .. "/run.floc")
      sim:run { steps = 50 }
      sim:checkpoint(folder .. "/second.floc")
      sim:run { steps = 350 }
      return sim:hash(), sim.step
    ]], "local floc = require 'floc'\nlocal folder = FOLDER\n")
    local hash = support.run(second)
    assert.are.equal(hash, (support.resume(folder .. "/second.floc")))
    assert.are.equal(hash, (support.resume(folder .. "/run.floc"))) -- written by the second script, step 500
    os.remove(folder .. "/run.floc")
    local again, step = support.resume(folder .. "/second.floc")
    assert.are.equal(hash, again)
    assert.are.equal(500, step)
  end)
end)
