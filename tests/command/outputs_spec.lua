-- Movies and files for other programs, made by the program: read by VTK and by the grammar of extended XYZ, and whole
-- after a run that was stopped or killed and resumed. FLOC_PROGRAM, FLOC_SOURCE and FLOC_PYTHON name the program, the
-- repository, and a Python that has VTK.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")
local source = assert(shell.source, "FLOC_SOURCE is not set")
local python = assert(os.getenv "FLOC_PYTHON", "FLOC_PYTHON is not set")

local folder

local run_shell = shell.run

local function succeed(command)
  local text, status = run_shell(command)
  assert.are.equal(0, status, command .. "\n" .. text)
  return text
end

local function floc(arguments) return succeed("'" .. program .. "' " .. arguments) end

local read = shell.read

local function names_in(name)
  local list = {}
  for line in run_shell("ls '" .. name .. "'"):gmatch("[^\n]+") do list[#list + 1] = line end
  return list
end

-- stop_at: the script sends itself the signal in that step, once, so that nothing depends on how fast the machine is.
local scenario = [[
local floc = require "floc"
local args = floc.args { steps = 60, dimension = 2, movie = "film.mp4", signal = "", stop_at = 0, files = true }
local D = args.dimension
local function v(x, y, z) return D == 3 and { x, y, z } or { x, y } end
local sim = floc.simulation { dimension = D, time_step = 0.01, gravity = v(0, -10, 0), scheme = floc.gluey {},
  domain = floc.box { lower = v(-1, -1, -1), upper = v(1, 2, 1) }, boundary = D == 3 and { "periodic", "wall", "open" } or { "periodic", "wall" } }
sim:add_particles { count = 60, radius = { 0.05, 0.1 }, region = floc.box { lower = v(-1, 0.5, -0.8), upper = v(1, 2, 0.8) } }
sim:add_attribute("charge", 1)
for id = 1, sim.count do sim.charge[id] = 0.5 * id end
sim:add_body { shape = D == 3 and floc.sphere { radius = 0.3 } or floc.circle { radius = 0.3 } }
sim:add_body { shape = floc.wheel { radius = 0.3, thickness = 0.02 }, position = v(0.6, 0, 0), angular_velocity = D == 3 and { 0, 0, 1 } or 1 }
if args.movie ~= "" then sim:record { movie = floc.out .. "/" .. args.movie, every = 2, colour = "speed", width = 160, height = 200 } end
if args.files then
  sim:write_vtp { path = floc.out .. "/run", every = 10 }
  sim:write_xyz { path = floc.out .. "/run.xyz", every = 10, length_unit = "m", time_unit = "s", mass_unit = "kg" }
  sim:observe { path = floc.out .. "/table.tsv", every = 10, columns = { energy = "kinetic_energy" } }
end
sim:checkpoint { path = floc.out .. "/run.floc", every = 14 }
sim:every(1, function(sim)
  if sim.step == args.stop_at and not io.open(floc.out .. "/stopped") then
    io.open(floc.out .. "/stopped", "w"):close()
    local pid = io.open("/proc/self/stat"):read("*n")
    os.execute("kill -" .. args.signal .. " " .. ("%d"):format(pid))
  end
end)
sim:run { steps = args.steps }
]]

describe("outputs", function()
  setup(function()
    folder = shell.open()
    local file = assert(io.open(folder .. "/s.lua", "wb"))
    file:write(scenario)
    file:close()
  end)
  teardown(function() shell.close() end)

  local function outside(out, dimension)
    return succeed(string.format("'%s' '%s/tests/command/read_outputs.py' %s %d 0.01 0 10 20 30 40 50 60", python, source, out, dimension))
  end

  for _, dimension in ipairs { 2, 3 } do
    it("are read by VTK and by the grammar of XYZ, in " .. dimension .. " dimensions", function()
      floc("run s.lua --quiet --movie= --out=d" .. dimension .. " --dimension=" .. dimension)
      assert.matches("^read 7 frames, %d+ contacts, %d+ with gamma\n$", outside("d" .. dimension, dimension))
    end)
  end

  -- More than a block of 1 MiB, in arrays of numbers that are known.
  it("are read by VTK when their arrays have several blocks", function()
    local file = assert(io.open(folder .. "/many.lua", "wb"))
    file:write [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1 }
      sim:add_particles { count = 150000, radius = 0.25, placement = "lattice", region = floc.box { lower = { 0, 0 }, upper = { 200, 200 } } }
      sim:map("vx", function(id) return id / 3 end)
      sim:write_vtp { path = floc.out .. "/run", bodies = false, contacts = false }
      sim:run { steps = 0 }
    ]]
    file:close()
    floc "run many.lua --quiet --out=many"
    file = assert(io.open(folder .. "/many.py", "wb"))
    file:write [[
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.util.numpy_support import vtk_to_numpy
reader = vtkXMLPolyDataReader()
reader.SetFileName("many/run/particles_000000.vtp")
reader.Update()
data = reader.GetOutput().GetPointData()
velocity, ids = vtk_to_numpy(data.GetArray("velocity")), vtk_to_numpy(data.GetArray("id"))
print(len(ids), (ids == range(1, 150001)).all(), (velocity[:, 0] == ids / 3).all(), (velocity[:, 1:] == 0).all())
]]
    file:close()
    assert.are.equal("150000 True True True\n", succeed("'" .. python .. "' many.py"))
  end)

  -- Number of frames, and a checksum of each decoded frame.
  local function frames_of(film)
    local sums = {}
    for line in succeed("ffmpeg -v error -nostdin -i " .. film .. " -f framemd5 -"):gmatch("[^\n]+") do
      if not line:match("^#") then sums[#sums + 1] = line:match("(%x+)%s*$") end
    end
    return sums
  end

  local function same_files(a, b)
    for _, name in ipairs { "table.tsv", "run.xyz", "run.pvd", "run_bodies.pvd", "run_contacts.pvd" } do
      assert.are.equal(read(a .. "/" .. name), read(b .. "/" .. name), name)
    end
    assert.are.equal("", (run_shell("diff -r " .. a .. "/run " .. b .. "/run")))
  end

  -- The outputs name their folder, so that a resumed run has to be in one of the same name.
  local function whole()
    if not read("whole/out/film.mp4") then succeed("mkdir -p whole; cd whole; '" .. program .. "' run ../s.lua --quiet --out=out") end
    return "whole/out"
  end

  for _, case in ipairs { { "TERM", "interrupted" }, { "KILL", "killed" } } do
    local signal, name = case[1], case[2]
    it("are whole after a run that was " .. name .. " and resumed", function()
      local complete = whole()
      assert.are.equal(31, #frames_of(complete .. "/film.mp4"))
      local text = run_shell("mkdir -p " .. name .. "; cd " .. name .. "; '" .. program .. "' run ../s.lua --quiet --out=out --signal=" .. signal .. " --stop_at=35")
      if signal == "TERM" then
        assert.matches("go on with: %S*floc resume out/run.floc", text)
        assert.are.equal(18, #frames_of(name .. "/out/film.mp4")) -- steps 0, 2, ..., 34: what there is is a film
      else
        assert.is_nil(read(name .. "/out/film.mp4")) -- no half film that looks whole
      end
      succeed("cd " .. name .. "; '" .. program .. "' resume out/run.floc --quiet")
      same_files(complete, name .. "/out")
      local film = frames_of(name .. "/out/film.mp4")
      assert.are.equal(31, #film)
      -- Parts end at the checkpoints of steps 14 and 28, also of the run that was killed after them.
      if signal == "KILL" then assert.are.same(frames_of(complete .. "/film.mp4"), film) end
      assert.is_nil(read(name .. "/out/film.mp4.parts/000001.mp4"))
      outside(name .. "/out", 2)
    end)
  end

  it("are cut out of a film that was put together already", function()
    local before = frames_of(whole() .. "/film.mp4")
    succeed("cp -r whole again; cd again; '" .. program .. "' resume out/run.floc --quiet --steps=4")
    -- The last checkpoint is of step 56, after 29 frames; steps 58 and 60 follow.
    local after = frames_of("again/out/film.mp4")
    assert.are.equal(31, #after)
    for k = 1, 29 do assert.are.equal(before[k], after[k], "frame " .. k) end
  end)

  it("as .gif and .webm have all frames after a resume", function()
    for _, ending in ipairs { "gif", "webm" } do
      local start = "'" .. program .. "' run s.lua --quiet --files=false --out=" .. ending .. " --movie=film." .. ending .. " --steps=20"
      run_shell(start .. " --signal=KILL --stop_at=17")
      floc("resume " .. ending .. "/run.floc --quiet")
      assert.are.equal(11, #frames_of(ending .. "/film." .. ending), ending)
    end
  end)

  it("are pictures where that is asked for, without one too many after a resume", function()
    run_shell("'" .. program .. "' run s.lua --quiet --files=false --out=png --movie=f%04d.png --signal=KILL --stop_at=27")
    assert.is_truthy(read("png/f0013.png"))
    floc "resume png/run.floc --quiet --steps=8" -- from step 14 to 22
    assert.is_truthy(read("png/f0011.png"))
    assert.is_nil(read("png/f0012.png"))
  end)

  it("are pictures where ffmpeg is missing, and that is said", function()
    succeed "mkdir -p bin; ln -sf \"$(command -v sh)\" bin/sh"
    local text, status = run_shell("PATH=$PWD/bin '" .. program .. "' run s.lua --files=false --out=bare --steps=4")
    assert.are.equal(0, status, text)
    assert.matches("floc: warning: bare/film.mp4 needs the program ffmpeg, which is not installed; the frames go to bare/film/000000.png", text, 1, true)
    assert.are.same({ "000000.png", "000001.png", "000002.png" }, names_in "bare/film")
    assert.are.equal("\137PNG", read("bare/film/000002.png"):sub(1, 4))
    -- The command that the warning names makes the film.
    succeed(text:match("Later: (ffmpeg [^\n]+)") .. " -v error -nostdin")
    assert.are.equal(3, #frames_of "bare/film.mp4")
  end)

  it("begin anew, and say so, when their files are gone", function()
    succeed("cp -r whole gone; rm -r gone/out/run gone/out/run.xyz gone/out/run.pvd gone/out/film.mp4")
    local text = succeed("cd gone; '" .. program .. "' resume out/run.floc --steps=4")
    assert.is_truthy(text:find("floc: out/run does not hold the frames up to the checkpoint; it begins anew", 1, true), text)
    assert.is_truthy(text:find("floc: out/run.xyz does not hold the frames up to the checkpoint; it begins anew", 1, true), text)
    assert.is_truthy(text:find("floc: out/film.mp4 does not hold the frames up to the checkpoint; it begins anew", 1, true), text)
    assert.are.equal(2, #frames_of "gone/out/film.mp4")
    assert.matches("Step=60", read "gone/out/run.xyz")
    assert.matches("run/particles_000060.vtp", read "gone/out/run.pvd")
  end)
end)
