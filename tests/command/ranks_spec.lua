-- Several processes that mpirun or srun starts side by side, where floc_mpi.so is not there: they are refused, by one of them.
-- With it they are ranks: ranks/scripts_spec.lua.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")

local launchers = {
  OpenMPI = { count = "OMPI_COMM_WORLD_SIZE", rank = "OMPI_COMM_WORLD_RANK" },
  PMI = { count = "PMI_SIZE", rank = "PMI_RANK" },
  srun = { count = "SLURM_STEP_NUM_TASKS", rank = "PMIX_RANK" },
}

local script = [[
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01 }
sim:add_particle { position = { 0, 0 }, radius = 0.1 }
sim:run { steps = 1 }
sim:checkpoint "one.floc"
]]

local function run(variables)
  return shell.run(variables .. " FLOC_MPI_MODULE=/nowhere/floc_mpi.so '" .. program .. "' run s.lua --quiet")
end

describe("one of several processes", function()
  setup(function()
    shell.open()
    shell.write("s.lua", script)
  end)
  teardown(function() shell.close() end)

  for name, launcher in pairs(launchers) do
    it("is refused under " .. name .. ", by the first", function()
      local text, status = run(launcher.count .. "=3 " .. launcher.rank .. "=0")
      assert.are.equal(1, status)
      assert.matches("^floc: /nowhere/floc_mpi.so: .*Debian package floc%-mpi", text)
      assert.matches("floc sweep", text)
      text, status = run(launcher.count .. "=3 " .. launcher.rank .. "=2")
      assert.are.equal(1, status)
      assert.are.equal("", text)
      assert.is_nil(shell.read "one.floc")
    end)

    it("runs alone under " .. name, function()
      local text, status = run(launcher.count .. "=1 " .. launcher.rank .. "=0")
      assert.are.equal(0, status, text)
      assert.is_string(shell.read "one.floc")
      shell.run "rm -f one.floc"
    end)
  end

  it("is refused where the launcher tells no number of processes", function()
    assert.are.equal(1, select(2, run "PMIX_RANK=1"))
  end)

  it("runs in a job script of Slurm, which is one", function()
    local text, status = run "SLURM_NTASKS=4 SLURM_PROCID=0"
    assert.are.equal(0, status, text)
    shell.run "rm -f one.floc"
  end)
end)
