-- floc run --slurm, and --continue, which its job scripts call, without a Slurm; jobs.sh has one.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")

local function floc(arguments) return shell.run("'" .. program .. "' " .. arguments) end
local function contains(text, part) assert.is_truthy(text:find(part, 1, true), part .. "\nis not in\n" .. text) end

-- At step 30 it is stopped, as by a batch system, where the file `stop` is; it writes its checkpoint in a folder that it chooses.
local script = [[
local floc = require "floc"
local args = floc.args { steps = 50, seed = 1, time = 3 }
local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 }, seed = args.seed }
sim:add_particles { count = 5, radius = 0.05, region = floc.box { lower = { -1, 0 }, upper = { 1, 2 } } }
sim:checkpoint { path = "elsewhere/run.floc", every = 1000 }
sim:every(1, function(sim)
  if sim.step % 30 == 0 then os.execute("[ ! -e stop ] || { kill -TERM $PPID; sleep 0.1; }") end
end)
if args.seed == 2 then os.execute "kill -TERM $PPID; sleep 0.1" end
sim:run { steps = args.steps }
]]

describe("a job script for Slurm", function()
  setup(function()
    shell.open()
    shell.write("my run.lua", script)
  end)
  teardown(function() shell.close() end)

  it("has all that a job needs to continue by itself", function()
    local text, status = floc "run 'my run.lua' --slurm --time=2-12:30 --mem=16G --threads=8 --steps=70 --out='a b' --hash"
    assert.are.equal(0, status, text)
    for _, option in ipairs { "job-name=my_run", "output=my_run-%j.log", "open-mode=append", "ntasks=1", "cpus-per-task=8", "time=2-12:30", "mem=16G",
      "requeue", "signal=TERM@120" } do
      contains(text, "#SBATCH --" .. option .. "\n")
    end
    contains(text, "\nsrun --ntasks=1 --cpus-per-task=8 ")
    contains(text, " run 'my run.lua' --steps=70 --continue --threads=8 '--out=a b' --hash\n")
    assert.is_nil(shell.read "a b/continue.txt")
  end)

  it("runs over ranks by srun and PMIx", function()
    local text = floc "run 'my run.lua' --slurm --ranks=64"
    contains(text, "#SBATCH --ntasks=64\n")
    contains(text, "\nsrun --mpi=pmix --ntasks=64 --cpus-per-task=1 ")
    contains(text, "#SBATCH --time=24:00:00\n#SBATCH --mem=4G\n")
  end)

  it("queues itself again where it was stopped while it was running, and nowhere else", function()
    shell.write("srun", "#!/bin/sh\nexit $STATUS\n")
    shell.write("squeue", "#!/bin/sh\necho $STATE\n")
    shell.write("scontrol", "#!/bin/sh\necho called: $*\n")
    shell.run("chmod +x srun squeue scontrol; '" .. program .. "' run 'my run.lua' --slurm > job.sh")
    for _, case in ipairs { { 143, "RUNNING", "called: requeue 7\n" }, { 143, "CANCELLED", "" }, { 143, "COMPLETING", "" }, { 0, "RUNNING", "" }, { 1, "RUNNING", "" },
      { 75, "RUNNING", "" } } do
      local text, status = shell.run(string.format("PATH=.:$PATH SLURM_JOB_ID=7 STATUS=%d STATE=%s sh job.sh", case[1], case[2]))
      assert.are.same({ case[3], case[1] }, { text, status })
    end
  end)

  for arguments, message in pairs {
    ["--time=4:59"] = '--time is "4:59"; it must be at least 5 minutes',
    ["--time=1d"] = '--time is "1d"; it must be a time as Slurm writes it: minutes, minutes:seconds',
    ["--time=0-0:04"] = "it must be at least 5 minutes",
    ["--time"] = "--time needs a value",
    ["--mem=4GB"] = '--mem is "4GB"; it must be an integer above 0 with K, M, G or T after it',
    ["--mem=0"] = '--mem is "0"',
    ["--ranks=0"] = '--ranks is "0"; it must be an integer from 1',
    ["--threads=0"] = "--threads is 0; a job script needs the number of processors",
    ["--sandbox"] = "--slurm and --sandbox are given",
    ["--live"] = "--slurm and --live are given",
  } do
    it("refuses " .. arguments, function()
      local text, status = floc("run 'my run.lua' --slurm " .. arguments)
      assert.are.equal(1, status)
      contains(text, message)
    end)
  end

  it("leaves --time and the like to scripts that run at once", function()
    assert.are.equal(0, select(2, floc "run 'my run.lua' --time=4 --quiet"))
  end)
end)

describe("floc run --continue", function()
  setup(function()
    shell.open()
    shell.write("s.lua", script)
  end)
  teardown(function() shell.close() end)

  local again = "run s.lua --continue --quiet --hash --steps=70"

  it("continues wherever the checkpoint is, to the same end", function()
    local alone = floc "run s.lua --quiet --hash --steps=70 --out=alone"
    shell.write("stop", "")
    for stop = 30, 60, 30 do
      local text, status = floc(again)
      assert.are.equal(143, status, text)
      contains(text, "interrupted after step " .. stop .. ",")
      assert.are.equal("simulation 1, step " .. stop .. "\nelsewhere/run.floc\n", shell.read "out/s/continue.txt")
    end
    shell.run "rm stop"
    assert.are.equal(alone, (floc(again)))
  end)

  it("starts at the beginning, and says so, with other arguments, another script, or a checkpoint that is gone", function()
    local text = floc "run s.lua --continue --quiet --hash --steps=20"
    contains(text, "elsewhere/run.floc is of a run with other arguments; the run starts at its beginning")
    contains(text, "simulation 1: step 20,")
    shell.run "cp s.lua kept; echo '-- more' >> s.lua"
    text = floc(again)
    contains(text, "elsewhere/run.floc contains another script; the run starts at its beginning")
    contains(text, "simulation 1: step 70,")
    shell.run "mv kept s.lua; rm elsewhere/*"
    local ended, status = floc(again)
    assert.are.equal(0, status)
    contains(ended, "elsewhere/run.floc: ")
    contains(ended, "the run starts at its beginning")
  end)

  it("ends with another status where it came no further", function()
    shell.run "rm -rf elsewhere"
    local first, ended = floc "run s.lua --continue --quiet --seed=2 --out=two"
    assert.are.equal(143, ended, first) -- before the first step, which is a checkpoint to begin with
    local text, status = floc "run s.lua --continue --quiet --seed=2 --out=two"
    assert.are.equal(75, status, text)
    contains(text, "it came no further than it was when it began")
  end)

  for _, word in ipairs { "sandbox", "live" } do
    it("refuses --" .. word, function()
      local text, status = floc("run s.lua --continue --" .. word)
      assert.are.equal(1, status)
      contains(text, "--continue and --" .. word .. " are given")
    end)
  end
end)
