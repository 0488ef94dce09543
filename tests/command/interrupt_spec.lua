-- The program `floc` stopped in the middle of what would not end for minutes or ever: it ends by itself, with a
-- checkpoint of the state before, from which a run that is not stopped comes to the same end as one that never was.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")
local run_shell, write, read = shell.run, shell.write, shell.read

-- Each script writes the file `begun` when it has come to what does not end, which does end when the variable FREE is set.
local head = [[
local floc = require "floc"
local function free() return os.getenv "FREE" end -- no variable: those come from the checkpoint
local function begun() io.open("begun", "w"):close() end
]]

local grains = [[
local sim = floc.simulation { time_step = 0.002, gravity = { 0, -10 }, seed = 3 }
sim:add_body { shape = floc.container { width = 1.2, height = 2 } }
sim:add_particles { count = 40, radius = { 0.02, 0.04 }, region = floc.box { lower = { -0.5, 0.2 }, upper = { 0.5, 1 } } }
]]

-- says: what is known of the state; anywhere: any state. other_end: with FREE it is another run, so ends are not compared.
local cases = {
  { name = "a loop in a law", says = "interrupted after step 20,", script = grains .. [[
local calls = 0
sim:add_field { law = function(x, y)
  if sim.step == 20 and not free() then begun() while true do end end
  return 0, -x
end }
sim:run { steps = 40 }]] },
  { name = "a loop in a callback", says = "interrupted after step 20, .*starts this callback again", script = grains .. [[
sim:every(10, function(sim)
  if sim.step == 20 and not free() then begun() local n = 0 while true do n = n + 1 end end
  sim.state.sum = (sim.state.sum or 0) + sim.step
end)
sim:run { steps = 40 }
assert(sim.state.sum == 100)]] },
  { name = "a loop that catches errors", says = "interrupted after step 20,", script = grains .. [[
sim:every(10, function(sim)
  if sim.step == 20 and not free() then begun() while true do pcall(function() while true do end end) end end
end)
sim:run { steps = 40 }]] },
  { name = "a loop between runs", says = "interrupted after step 20, .*between runs", script = grains .. [[
sim:run { steps = 20 }
if not free() then begun() repeat until false end
sim:run { steps = 20 }]] },
  { name = "a condition that never answers", says = "interrupted after step 20,", script = grains .. [[
sim:run { until_ = function(sim)
  if sim.step == 20 and not free() then begun() while true do end end
  return sim.step == 40
end }]] },
  { name = "a step of very many events", says = "interrupted after step 3,", script = [[
local sim = floc.simulation { work_limit = math.huge, time_step = 1e-3, scheme = floc.event_driven { restitution = 1 },
  domain = floc.box { lower = { 0, 0 }, upper = { 10, 10 } } }
for k = 1, 5 do sim:add_particle { position = { 2 * k - 1, 5 }, velocity = { 1 - 2 * (k % 2), 0.3 }, radius = 0.2 } end
sim:run { steps = 3 }
local fast = free() and 1 or 1e12
sim.time_step = sim.time_step * fast
begun()
sim:run { steps = 3 }]], other_end = true },
  { name = "a solve without an end", says = "interrupted after step 30,", script = [[
local sim = floc.simulation { work_limit = math.huge, time_step = 0.01, gravity = { 0, -10 }, scheme = floc.inelastic { friction = 0.5, tolerance = 1e-30,
  max_iterations = free() and 20 or 1e9 } }
sim:add_body { shape = floc.container { width = 1, height = 3 } }
sim:add_particles { count = 150, radius = { 0.02, 0.04 }, region = floc.box { lower = { -0.5, 0.2 }, upper = { 0.5, 2 } } }
begun()
sim:run { steps = 3000 }]], other_end = true, anywhere = true },
  { name = "all pairs by a law in Lua", says = "interrupted after step 0,", script = [[
local sim = floc.simulation { work_limit = math.huge, time_step = 1e-3 }
for k = 1, 10000 do sim:add_particle { position = { 3 * (k % 100), 3 * math.floor(k / 100) }, radius = 0.2 } end
local weights = {}
for k = 1, 50 do weights[k] = k end
sim:add_force { range = 1000, law = function(distance)
  local sum = 0
  for k = 1, #weights do sum = sum + weights[k + math.floor(distance * 1e-9)] / distance end
  return 1e-9 * sum
end }
begun()
sim:run { steps = 1000 }]], other_end = true, anywhere = true },
  { name = "rays without number", says = "interrupted after step 0,", script = [[
local sim = floc.simulation { work_limit = math.huge, time_step = 1e-3, dimension = 3, scheme = floc.discrete_element {} }
for k = 1, 1000 do sim:add_particle { position = { k % 10, math.floor(k / 10) % 10, math.floor(k / 100) }, radius = 0.4 } end
sim:add_ray_source(floc.plane_wave { direction = { 1, 0.1, 0.2 }, aim = { 5, 5, 5 }, radius = 8, rays = 2e6, power = 1 })
begun()
sim:run { steps = 1000 }]], other_end = true, anywhere = true },
}

describe("floc run, stopped by Ctrl-C", function()
  setup(function() shell.open() end)
  teardown(function() shell.close() end)
  before_each(function() run_shell "rm -rf begun stopped" end)

  for _, case in ipairs(cases) do
    it("in " .. case.name, function()
      write("s.lua", head .. case.script .. "\nprint(sim.step, sim:hash())\n")
      local text = run_shell("sh -c 'echo $$ > pid; exec \"" .. program .. "\" run s.lua --out=stopped --quiet' & "
        .. "while [ ! -e begun ] && kill -0 $!; do sleep 0.02; done; sleep 0.2; kill -INT $(cat pid); wait $!; echo \"exit $?\"")
      assert.matches(case.anywhere and "floc: interrupted after step %d+," or "floc: " .. case.says, text)
      assert.matches("exit 130\n", text)
      assert.is_truthy(read "stopped/interrupted.floc")
      assert.are.equal(0, select(2, run_shell("'" .. program .. "' verify stopped/interrupted.floc")))
      if case.other_end then return end
      local whole = run_shell("FREE=1 '" .. program .. "' run s.lua --out=whole --quiet")
      local resumed, status = run_shell("FREE=1 '" .. program .. "' resume stopped/interrupted.floc --quiet")
      assert.are.equal(0, status, resumed)
      assert.are.equal(whole, resumed)
    end)
  end
end)
