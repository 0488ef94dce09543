-- Scripts over ranks: mpirun starts the program several times, and what comes out is what one process gives: hashes, files,
-- messages, exit status. Scripts that do not do the same on all ranks are refused, and errors end all of them.

local shell = require "shell"
assert(shell.program, "FLOC_PROGRAM is not set")
local mpirun = assert(os.getenv "FLOC_MPIEXEC", "FLOC_MPIEXEC is not set")

local programs = {}
for program in (os.getenv "FLOC_PROGRAMS" or os.getenv "FLOC_PROGRAM"):gmatch "[^:]+" do programs[#programs + 1] = program end

-- Grains that fall into each other in a periodic box with a floor.
local scene = [[
local floc = require "floc"
local sim = floc.simulation {
  dimension = 3, time_step = 5e-4, gravity = { 0, 0, -10 }, seed = 3, patch_particles = 30,
  domain = floc.box { lower = { 0, 0, 0 }, upper = { 1, 1, 1.5 } }, boundary = { "periodic", "periodic", "wall" },
  scheme = floc.discrete_element { integrator = "velocity_verlet", rotation = true, stiffness = 1000, damping = 2, friction = "spring",
    friction_static = 0.3, friction_dynamic = 0.3 },
}
sim:add_particles { count = 150, radius = { 0.04, 0.07 }, density = 1, placement = "random",
  region = floc.box { lower = { 0, 0, 0.05 }, upper = { 1, 1, 1.4 } } }
]]

-- In scripts that do what none may: the number of this rank, past all that is the same on all of them (LuaJIT alone has a way).
local rank = [[
local ffi = require "ffi"
ffi.cdef "char *getenv(const char *);"
local rank = tonumber(ffi.string(ffi.C.getenv "OMPI_COMM_WORLD_RANK"))
]]

local whole = [[
sim.state.calls = 0
sim:observe { path = floc.output "table.tsv", every = 10, columns = { "kinetic_energy",
  { "height", function(s) return s:sum(function(z) return z end) end }, { "first", function(s) return s.x[1] end } } }
sim:write_vtp { path = floc.output "v", every = 20 }
sim:write_xyz { path = floc.output "v.xyz", every = 20 }
sim:checkpoint { path = floc.output "run.floc", every = 20 }
sim:every(15, function(s)
  s.state.calls = s.state.calls + 1
  s.vx[2] = s.vx[2] + 0.5 * math.random()
  print("callback", s.step, #s.x, s.vx[2])
end)
print(sim:run { steps = 40 }, sim.x[3], os.clock() >= 0, io.popen "echo from a program":read "*a")
sim:picture { path = floc.output "p.png", width = 100 }
local file = io.open(floc.output "own.txt", "w")
file:write("hash ", sim:hash(), "\n")
print(file:seek())
file:close()
file = io.open(floc.output "own.txt", "a")
file:write "more\n"
file:close()
for line in io.lines(floc.output "own.txt") do print(line) end
print(os.rename(floc.output "own.txt", floc.output "moved.txt"), io.open(floc.output "own.txt") == nil, os.getenv "OMPI_COMM_WORLD_RANK" == "1")
]]

-- Without what mpirun says of its own.
local function said(text)
  local lines = {}
  for line in text:gmatch "[^\n]+" do
    if not line:find "^%-%-%-" and not line:find "^Primary job" and not line:find "^a non%-zero" and not line:find "^mpi%w+ detected" and not line:find "^the job"
      and not line:find "^ +Process name" and not line:find "^ +Exit code" then lines[#lines + 1] = line end
  end
  return table.concat(lines, "\n") .. "\n"
end

local function over(count, words, program, variables)
  local text, status = shell.run(string.format("%s timeout 60 '%s' --oversubscribe -n %d '%s' %s", variables or "", mpirun, count, program or shell.program, words))
  return said(text), status
end

local function run(count, body, words)
  shell.write("s.lua", scene .. body)
  return over(count, "run s.lua --quiet " .. (words or ""))
end

local files = { "table.tsv", "v.pvd", "v_bodies.pvd", "v_contacts.pvd", "v/particles_000040.vtp", "v/contacts_000020.vtp", "v.xyz", "p.png", "moved.txt" }

describe("a script over ranks", function()
  setup(function() shell.open() end)
  teardown(function() shell.close() end)

  for number, program in ipairs(programs) do
    it("writes and prints what it does in one process, " .. program:match "[^/]*$", function()
      shell.write("s.lua", scene .. whole)
      local alone, status = shell.run("'" .. program .. "' run s.lua --quiet --hash && mv out alone")
      assert.are.equal(0, status, alone)
      assert.matches("simulation 1: step 40, hash %x+", alone)
      for count = number == 1 and 2 or 3, 3 do
        local text, ended = over(count, "run s.lua --quiet --hash", program)
        assert.are.equal(0, ended, text)
        assert.are.equal(alone:gsub("\n+", "\n"), text)
        for _, name in ipairs(files) do
          assert.is_true(shell.read("alone/s/" .. name) == shell.read("out/s/" .. name), name .. " differs over " .. count .. " ranks")
          assert.is_string(shell.read("out/s/" .. name), name)
        end
        assert.matches("the states are equal", (shell.run("'" .. program .. "' diff alone/s/run.floc out/s/run.floc")))
        if count == 2 then shell.run "mv out two" end
      end
      if number == 1 then
        local differ = shell.run("'" .. program .. "' diff two/s/run.floc out/s/run.floc")
        assert.is_true(shell.read "two/s/run.floc" == shell.read "out/s/run.floc", differ)
      end
      shell.run "rm -rf alone two out"
    end)
  end

  it("stops at one step where one rank gets a signal, and continues over any number of ranks", function()
    local body = [[
sim:checkpoint { path = "c.floc", every = 1000 }
sim:every(10, function(s) if s.step == 20 and os.getenv "STOP" then os.execute "kill -TERM $PPID" end end)
sim:run { steps = 40 }
print(sim:hash())
]]
    shell.write("s.lua", scene .. body)
    local alone = shell.run("'" .. shell.program .. "' run s.lua --quiet")
    assert.matches("^%x+\n$", alone)
    local text, status = over(3, "run s.lua --quiet", nil, "STOP=1")
    assert.are.equal(143, status, text)
    assert.matches("^floc: stopping\nfloc: interrupted after step 2%d, t = [%d%.]+; continue with: %S+ resume c.floc\n$", text)
    shell.run "cp c.floc kept.floc"
    text, status = over(2, "resume c.floc --quiet")
    assert.are.equal(0, status, text)
    assert.are.equal(alone, text)
    shell.run "cp kept.floc c.floc"
    assert.are.equal(alone, (shell.run("'" .. shell.program .. "' resume c.floc --quiet")))
  end)

  it("leaves ranks without a particle where there are few", function()
    shell.write("f.lua", [[
local floc = require "floc"
local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { integrator = "velocity_verlet", stiffness = 1e3 } }
for k = 0, 1 do sim:add_particle { position = { 0.9 * k, 0, 0 }, velocity = { k, 0, 0 }, radius = 0.5, mass = 1, allow_overlap = true } end
for _ = 1, 3 do
  sim:run { steps = 2 }
  print(sim.x[1], sim.vx[2], sim:hash())
end
]])
    local alone = shell.run("'" .. shell.program .. "' run f.lua --quiet")
    local text, status = over(3, "run f.lua --quiet")
    assert.are.equal(0, status, text)
    assert.are.equal(said(alone), text)
  end)

  it("tells an error once, with its line", function()
    local text, status = run(3, "sim:run { steps = 2 }\nsim:every(1, function(s) error 'mine' end)\nsim:run { steps = 2 }\n")
    assert.are.equal(1, status)
    assert.are.equal("s.lua:11: mine (in the callback of every(1) at s.lua:11, after step 3)\n", text)
    text, status = run(2, "sim:run { steps = 2 }\nprint 'last'\nos.exit(7)\n")
    assert.are.equal(7, status)
    assert.are.equal("last\n", text)
  end)

  it("ends where one rank alone has an error, which tells it", function()
    local text, status = run(3, rank .. "sim:run { steps = 2 }\nif rank == 2 then error 'only here' end\nsim:run { steps = 2 }\n")
    assert.are.equal(1, status)
    assert.are.equal("floc: rank 2 of 3 alone: s.lua:14: only here\n", text)
  end)

  it("is refused where ranks diverge: in its state", function()
    local text, status = run(2, rank .. [[
sim:every(5, function(s) s.state.mine = rank end)
sim:checkpoint { path = "d.floc", every = 10 }
sim:run { steps = 40 }
]])
    assert.are.equal(1, status)
    assert.are.equal("floc: ranks have diverged: rank 0 came to sim.state.mine 0 (s.lua:15), rank 1 to sim.state.mine 1 (s.lua:15); "
      .. "a script must do the same on all ranks\n", text)
    assert.is_nil(shell.read "d.floc")
    text, status = run(2, rank .. "sim:run { steps = 5 }\nsim.state.mine = rank\n")
    assert.are.equal(1, status)
    assert.matches("^floc: ranks have diverged: rank 0 came to sim.state.mine 0, rank 1 to sim.state.mine 1", text)
  end)

  it("is refused where ranks diverge: in what it writes, and in the set-up", function()
    local text, status = run(2, rank .. "sim:every(5, function(s) s.vx[3] = rank end)\nsim:run { steps = 40 }\n")
    assert.are.equal(1, status)
    assert.matches("^s.lua:14: run: ranks have diverged: before step 6 ", text)
    assert.matches("what was called last is the callback of every%(5%) at s.lua:13\n$", text)
    text, status = run(2, rank .. "sim:add_particle { position = { 0.5, 0.5, 1.45 }, radius = 1e-3, mass = 1 + rank }\nsim:run { steps = 2 }\n")
    assert.are.equal(1, status)
    assert.matches("^floc: ranks have diverged: rank 0 and rank 1 came to add particle %(s.lua:13%) with different values", text)
  end)

  it("is refused where ranks take different ways", function()
    local text, status = run(2, rank .. "sim:every({ condition = function(s) return s.step > 3 + rank end }, function(s) print(s.x[1]) end)\nsim:run { steps = 9 }\n")
    assert.are.equal(1, status)
    assert.matches("^floc: ranks have diverged: rank 0 came to sim.x %(s.lua:13%), rank 1 to a step %(s.lua:14%)", text)
    text, status = run(2, rank .. "sim:run { steps = 2 }\nif rank == 1 then sim:run { steps = 3 } end\n")
    assert.are.equal(1, status)
    assert.matches("^floc: ranks have diverged: rank 0 came to the end of the script, rank 1 to .*%(s.lua:14%)", text)
  end)

  it("refuses by name what needs one process", function()
    shell.write("p.lua", "local floc = require 'floc'\nlocal sim = floc.simulation { time_step = 0.01 }\nsim:add_particle { position = { 0, 0 }, radius = 0.1 }\nsim:run { steps = 1 }\n")
    local text, status = over(2, "run p.lua")
    assert.are.equal(1, status)
    assert.are.equal("p.lua:4: run: the scheme inelastic is not supported over several ranks, of which there are 2; discrete_element is, in step 1\n", text)
    text, status = over(2, "run p.lua --live")
    assert.are.equal(1, status)
    assert.are.equal("floc: run: --live is not supported over several ranks, of which there are 2\n", text)
    text, status = over(2, "sweep p.lua --n=1,2")
    assert.are.equal(1, status)
    assert.are.equal("floc: floc sweep is not supported over several ranks, of which there are 2; floc run and floc resume are\n", text)
  end)
end)
