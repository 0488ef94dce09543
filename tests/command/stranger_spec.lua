-- Checkpoints of strangers, from outside: what looks at one does not run the script in it.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")

local function floc(arguments) return shell.run("'" .. program .. "' " .. arguments) end

local scenario = [[
os.execute "echo ran >> ran.txt"
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01, dimension = 3, gravity = { 0, 0, -10 } }
sim:add_attribute("heat", 2)
sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }
sim:add_body { shape = floc.container { width = 2, depth = 2, height = 2 }, velocity = function(t) return 0, 0.1, 0 end }
sim:add_particles { count = 40, radius = 0.1, region = floc.box { lower = { 0, 0, 0.1 }, upper = { 1, 1, 1.5 } } }
sim:run { steps = 30 }
sim:checkpoint "one.floc"
]]

describe("a checkpoint", function()
  setup(function()
    shell.open()
    shell.write("s.lua", scenario)
    local text, status = floc "run s.lua --quiet"
    assert.are.equal(0, status, text)
    shell.run "rm ran.txt"
  end)
  teardown(function() shell.close() end)

  it("is looked at without running what is in it", function()
    local has_page = select(2, floc "view one.floc") == 0
    for _, words in ipairs { "info one.floc", "verify one.floc", "diff one.floc one.floc" } do
      assert.are.equal(0, select(2, floc(words)))
    end
    if has_page then
      assert.matches("1 frame", (floc "view one.floc --output=page.html --columns=heat,speed"))
    end
    assert.is_nil(shell.read "ran.txt")
  end)
end)

describe("floc resume of a checkpoint", function()
  -- Ends with its hash; writes a table and checkpoints.
  local long = [[
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 } }
sim:add_particles { count = 4, radius = 0.1, region = floc.box { lower = { 0, 0 }, upper = { 2, 2 } } }
sim:observe { path = "steps.tsv", columns = { "step" }, every = 2 }
sim:checkpoint { path = "run.floc", every = 5 }
sim:run { steps = 12 }
sim:picture "end.png"
print("end " .. sim:hash())
os.execute "echo ran >> ran.txt"
]]
  local undisturbed

  local function as(state, arguments) return shell.run("XDG_STATE_HOME=$PWD/" .. state .. " '" .. program .. "' " .. arguments .. " < /dev/null") end

  setup(function()
    shell.open()
    shell.write("s.lua", long)
    undisturbed = as("me", "run s.lua --quiet"):match "end %x+"
    shell.run "cp run.floc mine.floc"
  end)
  teardown(function() shell.close() end)
  before_each(function() shell.run "rm -f ran.txt steps.tsv end.png run.floc" end)

  it("of one's own asks nothing", function()
    local text, status = as("me", "resume mine.floc --quiet")
    assert.are.equal(0, status)
    assert.are.equal(undisturbed, text:match "end %x+")
    assert.are.equal("600 32\n", (shell.run "stat -c '%a %s' me/floc/key"))
  end)

  it("of somebody else is refused, or runs as it is with --trust", function()
    as("them", "run s.lua --quiet")
    shell.run "rm -f ran.txt steps.tsv end.png run.floc"
    for state, doubt in pairs { them = "its seal is not of your key", nobody = "there is no key yet" } do
      local text, status = as(state, "resume mine.floc")
      assert.are.equal(1, status)
      assert.matches("^floc: mine.floc: a checkpoint is a program, and nothing shows that you wrote this one: [^\n]*" .. doubt .. "[^\n]*%-%-sandbox[^\n]*%-%-trust[^\n]*\n$", text)
      assert.is_nil(shell.read "ran.txt")
    end
    local text, status = as("them", "resume mine.floc --quiet --trust")
    assert.are.equal(0, status)
    assert.are.equal(undisturbed, text:match "end %x+")
    assert.are.equal("ran\n", shell.read "ran.txt")
    -- what it writes is of the one who trusted it
    assert.are.equal(0, select(2, as("them", "resume mine.floc --quiet --trust --steps=10")))
    assert.are.equal(0, select(2, as("them", "resume run.floc --quiet")))
    assert.are.equal(1, select(2, as("me", "resume run.floc --quiet")))
  end)

  it("is asked for at a terminal", function()
    for answer, wanted in pairs { n = 1, y = 0, [""] = 1 } do
      shell.write("answer", answer .. "\n")
      local text = shell.run("export XDG_STATE_HOME=$PWD/them; script -qec \"'" .. program .. "' resume mine.floc --quiet; echo status \\$?\" /dev/null < answer")
      if text:find "not found" then return pending "script is not installed" end
      assert.matches("Run it%? %[y/N%] ", text)
      assert.matches("status " .. wanted, text)
    end
  end)

  it("runs in the sandbox and leaves no files", function()
    if os.getenv "FLOC_SANITIZED" then return pending "sanitizers need more memory than any sandbox gives" end
    local text, status = as("them", "resume mine.floc --sandbox")
    assert.are.equal(1, status) -- the script's os.execute
    assert.matches("omits what the script writes by observe\n", text)
    assert.matches("omits what the script writes by checkpoint\n", text)
    assert.matches("omits what the script writes by picture\n", text)
    assert.are.equal(undisturbed, text:match "end %x+")
    for _, name in ipairs { "ran.txt", "steps.tsv", "end.png", "run.floc" } do assert.is_nil(shell.read(name), name) end
    assert.matches("the sandbox's time of 1 s is used up", (as("them", "resume mine.floc --sandbox --quiet --time=1 --steps=1000000000")))
    assert.matches("%-%-time is given without %-%-sandbox", (as("me", "resume mine.floc --time=1")))
  end)

  it("is refused by floc.resume in a script too", function()
    shell.write("host.lua", 'local floc = require "floc"\nlocal sim = floc.resume "mine.floc"\nprint("at " .. sim.step)\n')
    assert.matches("at 10\n", (as("me", "run host.lua --quiet")))
    local text, status = as("them", "run host.lua --quiet")
    assert.are.equal(1, status)
    assert.matches("host.lua:2: resume: mine.floc: a checkpoint is a program", text)
    assert.matches("at 10\n", (as("them", "run host.lua --quiet --trust")))
  end)

  it("without a key needs --trust, and the run says so", function()
    local text = shell.run("env -u HOME -u XDG_STATE_HOME '" .. program .. "' run s.lua")
    assert.matches("checkpoints are not sealed, so floc resume will need %-%-trust: neither XDG_STATE_HOME nor HOME", text)
    assert.matches("it has no seal", (as("me", "resume run.floc")))
    shell.run "chmod 644 me/floc/key"
    assert.matches("you must own it and no other user may read it", (as("me", "resume mine.floc")))
    shell.run "chmod 600 me/floc/key"
  end)
end)
