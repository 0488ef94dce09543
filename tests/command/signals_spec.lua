-- Signals and streams from outside: what ends a run leaves a checkpoint, reports it, and the run continues from there.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")

local function floc(arguments) return shell.run("'" .. program .. "' " .. arguments) end

-- Sends itself a signal in the middle; or works until the limit of CPU time, which is 1 s, sends one.
local scenario = [[
local floc = require "floc"
local args = floc.args { signal = "none", prints = false, works = false, waits = false }
local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 } }
sim:add_particles { count = 4, radius = 0.1, region = floc.box { lower = { 0, 0 }, upper = { 2, 2 } } }
sim:every(1, function()
  while args.waits and not io.open "gone" do os.execute "sleep 0.02" end
  if args.prints and sim.step == 5 then print "a line" end
  if args.signal ~= "none" and sim.step == 5 then io.popen("kill -" .. args.signal .. " $PPID"):close() end
end)
sim:run { steps = args.works and 1e9 or 30 }
io.stderr:write("end " .. sim:hash() .. "\n")
]]

describe("a run", function()
  local undisturbed

  setup(function()
    shell.open()
    shell.write("s.lua", scenario)
    undisturbed = (floc "run s.lua --quiet"):match "end %x+"
  end)
  teardown(function() shell.close() end)

  it("saves and prints how to continue", function()
    for signal, number in pairs { INT = 2, TERM = 15, HUP = 1, USR1 = 10, USR2 = 12, XCPU = 24 } do
      local text, status = shell.run("env --default-signal=HUP '" .. program .. "' run s.lua --quiet --signal=" .. signal .. " --out=" .. signal) -- under nohup too
      assert.are.equal(128 + number, status, signal)
      assert.matches("floc: interrupted after step 5, t = 0.05; continue with: %S+ resume " .. signal .. "/interrupted.floc\n", text)
      text, status = floc("resume --quiet " .. signal .. "/interrupted.floc")
      assert.are.equal(0, status)
      assert.are.equal(undisturbed, text:match "end %x+")
    end
  end)

  it("saves at the limit of CPU time", function()
    local text, status = shell.run("ulimit -St 1; '" .. program .. "' run s.lua --quiet --works=true --out=limited")
    assert.are.equal(128 + 24, status)
    assert.matches("interrupted after step %d+", text)
    assert.are.equal(0, select(2, floc "info limited/interrupted.floc"))
  end)

  it("whose output is closed or full saves too", function()
    local ways = { pipe = " | (exec <&-; touch gone)", full = " > /dev/full", closed = " >&-" }
    for name, where in pairs(ways) do
      local words = "run s.lua --quiet --prints=true --waits=" .. tostring(name == "pipe") .. " --out=" .. name
      local inner = name == "pipe" and "" or where
      local text = shell.run("{ '" .. program .. "' " .. words .. inner .. "; echo status $? >&2; }" .. (name == "pipe" and where or ""))
      assert.matches("standard output accepts no more; stopped after step [56], [^\n]* resume " .. name .. "/interrupted.floc\n", text)
      assert.matches("\nfloc: standard output could not be written[^\n]*\nstatus 1\n", text)
      text = floc("resume --quiet " .. name .. "/interrupted.floc")
      assert.are.equal(undisturbed, text:match "end %x+")
    end
  end)

  it("that prints nothing needs no output", function()
    assert.are.equal(0, select(2, shell.run("'" .. program .. "' run s.lua --quiet --out=none >&- <&-")))
  end)

  it("does not write messages into its files where a stream is closed", function()
    local _, status = shell.run("'" .. program .. "' run s.lua --quiet --signal=USR1 --out=silent 2>&-")
    assert.are.equal(138, status)
    assert.are.equal(0, select(2, floc "verify silent"))
  end)
end)

describe("a command that cannot print", function()
  setup(function()
    shell.open()
    shell.write("s.lua", scenario)
    floc "run s.lua --quiet --signal=USR1 --out=one"
  end)
  teardown(function() shell.close() end)

  it("fails", function()
    for _, words in ipairs { "help", "help run", "--version", "info one/interrupted.floc", "verify one", "diff one/interrupted.floc one/interrupted.floc" } do
      for _, where in ipairs { "/dev/full", "&-" } do
        local text, status = floc(words .. " >" .. where)
        assert.are.equal(1, status, words)
        assert.matches("^floc: standard output could not be written", text)
      end
    end
  end)
end)
