-- Files that runs share, from outside: who may write where, what stays as it is, and which file a resume takes.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")

local function floc(arguments) return shell.run("'" .. program .. "' " .. arguments) end

-- Steps until a file called go is there, or for any number of steps.
local scenario = [[
local floc = require "floc"
local args = floc.args { path = "run.floc", steps = 10, waits = false, keep = 1 }
local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 } }
sim:add_particles { count = 4, radius = 0.1, region = floc.box { lower = { 0, 0 }, upper = { 2, 2 } } }
sim:checkpoint { path = args.path, every = 2, keep = args.keep }
if args.waits then
  io.stderr:write("has it\n")
  while not io.open "go" do os.execute "sleep 0.02" end
end
sim:run { steps = args.steps }
print("end " .. sim:hash())
]]

local function exists(name) return select(2, shell.run("test -e '" .. name .. "' -o -h '" .. name .. "'")) == 0 end

describe("files", function()
  setup(function()
    shell.open()
    shell.write("s.lua", scenario)
  end)
  teardown(function() shell.close() end)

  it("of other kinds stay, and are refused before the run", function()
    for _, text in ipairs { "a text of mine\n", "" } do
      shell.write("keepme.txt", text)
      local said, status = floc "run s.lua --path=keepme.txt"
      assert.are.equal(1, status)
      assert.matches("^s.lua:5: checkpoint: keepme.txt: cannot be replaced by the new file, because it is not a checkpoint", said)
      assert.are.equal(text, shell.read "keepme.txt")
    end
  end)

  it("are not written through links that somebody planted", function()
    shell.write("mine.txt", "mine")
    shell.run "ln -s mine.txt n.floc.new; ln -s mine.txt n.floc.new-7-1-00000000; ln -s mine.txt m.floc.lock"
    assert.are.equal(0, select(2, floc "run s.lua --path=n.floc"))
    assert.are.equal("mine", shell.read "mine.txt")
    assert.is_false(exists "n.floc.new" or exists "n.floc.new-7-1-00000000")
    assert.are.equal(1, select(2, floc "run s.lua --path=m.floc"))
    assert.are.equal("mine", shell.read "mine.txt")
  end)

  it("belong to one of the runs that begin at once", function()
    local runs = {}
    for k = 1, 3 do runs[k] = string.format("('%s' run s.lua --waits=true --path=shared.floc > one%d 2>&1; echo $? > status%d) &", program, k, k) end
    -- the two others end by themselves; then the first may continue
    shell.run("rm -f go; " .. table.concat(runs, " ") .. " while [ $(cat status? 2>/dev/null | wc -l) -lt 2 ]; do sleep 0.02; done; "
      .. "touch go; wait")
    local won, refused = 0, 0
    for k = 1, 3 do
      local status, text = tonumber(shell.read("status" .. k)), shell.read("one" .. k)
      if status == 0 then
        won = won + 1
        assert.matches("end %x+\n", text)
      else
        refused = refused + 1
        assert.matches("^s.lua:5: checkpoint: shared.floc: another run is writing there: process %d+ on host %S+ %(shared.floc.lock%)", text)
      end
    end
    assert.are.equal(1, won)
    assert.are.equal(2, refused)
    assert.is_false(exists "shared.floc.lock")
    assert.are.equal(0, select(2, floc "resume shared.floc --quiet --steps=4 --modules=new"))
  end)

  it("in the folder of output too", function()
    shell.write("out.lua", 'local floc = require "floc"\nlocal sim = floc.simulation { time_step = 0.01 }\nsim:add_particle { position = { 0, 0 }, radius = 1 }\n'
      .. 'sim:observe { every = 1, columns = { "step" }, path = floc.out .. "/steps.tsv" }\n'
      .. 'io.stderr:write("has it\\n")\nwhile not io.open "go" do os.execute "sleep 0.02" end\nsim:run { steps = 3 }\n')
    local text = shell.run("rm -f go first; '" .. program .. "' run out.lua --quiet --out=folder 2> first & while ! grep -qs 'has it' first; do sleep 0.02; done; "
      .. "'" .. program .. "' run out.lua --out=folder; echo second $?; touch go; wait $!; echo first $?")
    assert.matches("out.lua:4: observe: folder/: another run is writing there: process %d+ on host", text)
    assert.matches("second 1\nfirst 0\n", text)
    assert.is_false(exists "folder/floc.lock")
  end)

  it("of a run that was killed are in nobody's way", function()
    shell.run("rm -f go first; '" .. program .. "' run s.lua --waits=true --path=killed.floc 2> first & "
      .. "while ! grep -qs 'has it' first; do sleep 0.02; done; kill -9 $!; wait $!; touch go")
    assert.is_true(exists "killed.floc.lock")
    assert.are.equal(0, select(2, floc "run s.lua --path=killed.floc"))
    assert.is_false(exists "killed.floc.lock")
  end)

  it("that a crash left before the rename are taken", function()
    local undisturbed = (floc "run s.lua --path=crash.floc --keep=3 --quiet"):match "end %x+"
    local function resumes(from)
      local text, status = floc("resume crash.floc")
      assert.are.equal(0, status)
      assert.matches("resumed " .. from:gsub("%p", "%%%0") .. " at step 10", text)
      assert.are.equal(undisturbed, text:match "end %x+")
    end
    shell.run "cp crash.floc whole; mv crash.floc crash.floc.new"
    resumes "crash.floc.new"
    shell.run "cp whole crash.floc.new-1-1-0badcafe; mv crash.floc.1 crash.floc"
    resumes "crash.floc.new-1-1-0badcafe"
    shell.run "rm crash.floc*; cp whole crash.floc.new-12-1-0badcafe"
    resumes "crash.floc.new-12-1-0badcafe"
    -- one that was not finished is refused by name, and the next taken
    shell.run "cp whole crash.floc; head -c 3000 whole > crash.floc.new-13-1-0badcafe"
    local text = floc "resume crash.floc"
    assert.matches("crash.floc.new%-13%-1%-0badcafe: [^\n]+\nfloc: using crash.floc.new%-12%-1%-0badcafe instead\n", text)
    assert.matches("nothing.floc: there is no such file", (floc "resume nothing.floc"))
  end)
end)
