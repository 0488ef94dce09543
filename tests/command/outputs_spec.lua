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

-- Merges until 10, looked for at every third step of 40: a row for each, and in the end points of them.
local merges = [[
local floc = require "floc"
local sim = floc.ballistic_start { count = 100, volume_fraction = 0.2, scheme = floc.event_driven {} }
sim.time_step = 0.25
sim:write_merges { path = floc.out .. "/merges.vtp", every = 3 }
sim:checkpoint { path = floc.out .. "/run.floc", every = 10, keep = 2 }
sim:run { steps = 40 }
]]

local read_points = [[
import sys, vtk
reader = vtk.vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
data = reader.GetOutput()
rows = [line.strip().split(",") for line in open(sys.argv[2])]
assert data.GetNumberOfPoints() == len(rows) - 1 and len(rows) > 20, (data.GetNumberOfPoints(), len(rows))
for k, row in enumerate(rows[1:]):
    for name, text in zip(rows[0], row):
        if name in "xyz":
            assert data.GetPoint(k)["xyz".index(name)] == float(text)
        else:
            assert data.GetPointData().GetArray(name).GetValue(k) == float(text), (name, k)
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
    it("have merges as a table and as points for VTK, whole after a resume", function()
    shell.write("merges.lua", merges)
    shell.write("points.py", read_points)
    floc "run merges.lua --out=merges --quiet"
    succeed("'" .. python .. "' points.py merges/merges.vtp merges/merges.csv")
    local points, rows = read "merges/merges.vtp", read "merges/merges.csv"
    os.execute(("rm '%s/merges/merges.vtp'"):format(folder))
    floc "resume merges/run.floc.1 --quiet"
    assert.are.equal(points, read "merges/merges.vtp")
    assert.are.equal(rows, read "merges/merges.csv")
  end)

  it("are read by VTK and by the grammar of XYZ, in " .. dimension .. " dimensions", function()
      floc("run s.lua --quiet --movie= --out=d" .. dimension .. " --dimension=" .. dimension)
      assert.matches("^read 7 frames, %d+ contacts, %d+ with gamma\n$", outside("d" .. dimension, dimension))
    end)
  end

  -- Three balls of 1 kg that stand on each other, by each kind of contact.
  for name, scheme in pairs {
    inelastic = "floc.inelastic {}", gluey = "floc.gluey {}", friction = "floc.inelastic { friction = 0.3, tolerance = 1e-12 }",
    soft = "floc.discrete_element { contact = 'hooke', stiffness = 1e5, damping = 200, integrator = 'velocity_verlet' }",
    law = "floc.discrete_element { contact = 'none', integrator = 'velocity_verlet' }" } do
    it("have the forces of a pile: " .. name, function()
      shell.write("pile.lua", ([[
        local floc = require "floc"
        local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -10 }, scheme = SCHEME }
        sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
        for k = 1, 3 do sim:add_particle { position = { 0, k - 0.5 }, radius = 0.5, mass = 1 } end
        if LAW then
          local function spring(overlap, normal_velocity) return overlap < 0 and 0 or 1e5 * overlap - 200 * normal_velocity end
          sim:add_force { range = 0.1, law = spring }
          sim:add_wall_force { range = 0.1, law = spring }
        end
        sim:run { steps = 8000 }
        sim:write_vtp { path = floc.out .. "/pile", every = 1, bodies = false }
        sim:run { steps = 1 }]]):gsub("SCHEME", scheme):gsub("LAW", tostring(name == "law")))
      floc("run pile.lua --quiet --out=pile-" .. name)
      local forces = succeed(string.format("'%s' '%s/tests/command/read_forces.py' pile-%s/pile/contacts_008001.vtp", python, source, name))
      local found = {}
      for force in forces:gmatch "%S+" do found[#found + 1] = tonumber(force) end
      assert.are.equal(3, #found)
      for k = 1, 3 do assert.near(10 * k, found[k], 1e-2) end
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
        assert.matches("continue with: %S*floc resume out/run.floc", text)
        assert.are.equal(18, #frames_of(name .. "/out/film.mp4")) -- steps 0, 2, ..., 34: what there is is a movie
      else
        assert.is_nil(read(name .. "/out/film.mp4")) -- no half movie that looks whole
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

  -- Bonds and rays begin with the first frame that has any: their collections must keep their place as well.
  it("hold bonds and rays, begun when there are some, the same after a resume", function()
    local file = assert(io.open(folder .. "/bonds.lua", "wb"))
    file:write [[
      local floc = require "floc"
      local args = floc.args { steps = 60, paths = false }
      local sim = floc.simulation { dimension = 3, time_step = 1e-4, seed = 2, scheme = floc.discrete_element {
        stiffness = 1e4, damping = 10, bonds = "persistent", bond_stiffness = 1e3, bond_formation = 0.01, bond_breaking = 0.5 } }
      for k = 1, 8 do sim:add_particle { position = { 0.2003 * k, 0, 0 }, radius = 0.1, mass = 0.1, velocity = { k < 5 and 0.5 or -0.5, 0, 0 } } end
      sim:set_media { density = { 1000, 6000 }, sound_speed = { 15, 45 } }
      local wave = floc.plane_wave { direction = { 0, -1, 0 }, aim = { 0.9, 0, 0 }, radius = 0.5, distance = 0.2, rays = 40, power = 1, start = 0.0022, in_flight = true, duration = 1e-3 }
      sim:add_ray_source(wave)
      sim:write_vtp { path = floc.out .. "/run", every = 5, ray_paths = args.paths and function(sim)
        return sim:trace { source = floc.plane_wave { direction = { 0, -1, 0 }, aim = { 0.9, 0, 0 }, radius = 0.5, rays = 10 }, paths = true }.paths
      end or nil }
      sim:checkpoint { path = floc.out .. "/run.floc", every = 20 }
      sim:run { steps = args.steps }
    ]]
    file:close()
    floc "run bonds.lua --quiet --out=bonds"
    local bonds, rays = read "bonds/run_bonds.pvd", read "bonds/run_rays.pvd"
    assert.is_truthy(bonds and rays)
    assert.is_nil(bonds:find("bonds_000000.vtp", 1, true))
    assert.is_nil(rays:find("rays_000020.vtp", 1, true))
    assert.is_truthy(rays:find("rays_000060.vtp", 1, true))
    succeed("mkdir again2; cp bonds.lua again2; cd again2; '" .. program .. "' run bonds.lua --quiet --out=bonds --steps=35")
    local text, status = run_shell("cd again2; '" .. program .. "' resume bonds/run.floc --quiet --steps=40")
    assert.are.equal(0, status, text)
    assert.are.equal("", (run_shell "diff -r bonds/run again2/bonds/run"))
    for _, name in ipairs { "run.pvd", "run_bonds.pvd", "run_rays.pvd" } do
      assert.are.equal(read("bonds/" .. name), read("again2/bonds/" .. name), name)
    end
    floc "run bonds.lua --quiet --out=paths --paths=true --steps=5"
    file = assert(io.open(folder .. "/bonds.py", "wb"))
    file:write [[
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
for name in ["bonds/run/bonds_000060.vtp", "bonds/run/rays_000060.vtp", "paths/run/rays_000005.vtp"]:
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(name)
    reader.Update()
    data = reader.GetOutput()
    arrays = sorted(data.GetCellData().GetArrayName(k) for k in range(data.GetCellData().GetNumberOfArrays()))
    print(data.GetNumberOfLines() > 0, data.GetNumberOfVerts() > 0, *arrays)
]]
    file:close()
    assert.are.equal("True False area id_i id_j strain\nFalse True direction power\nTrue False power ray\n", succeed("'" .. python .. "' bonds.py"))
  end)

  it("have the outlines of grains that are not round, with their columns, by areas", function()
    local file = assert(io.open(folder .. "/grains.lua", "wb"))
    file:write [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.01, scheme = floc.inelastic {} }
      local region = floc.box { lower = { 0, 0 }, upper = { 20, 20 } }
      sim:add_particles { count = 5, radius = 0.5, density = 1, region = region }
      sim:add_particles { count = 8, radius = { 0.5, 0.8 }, density = 1, region = region, shape = floc.polygon { sides = 5, rounding = 0.1 } }
      sim:add_particles { count = 8, radius = { 0.5, 0.8 }, density = 1, region = region, shape = floc.rod { aspect = 4 } }
      sim:write_vtp { path = floc.out .. "/run", every = 1 }
      sim:run { steps = 1 }
    ]]
    file:close()
    floc "run grains.lua --quiet --out=grains"
    assert.is_truthy(read "grains/run_grains.pvd":find("grains_000001.vtp", 1, true))
    file = assert(io.open(folder .. "/grains.py", "wb"))
    file:write [[
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
reader = vtkXMLPolyDataReader()
reader.SetFileName("grains/run/grains_000001.vtp")
reader.Update()
data = reader.GetOutput()
ids, mass, velocity = (data.GetCellData().GetArray(name) for name in ["id", "mass", "velocity"])
worst = 0
for k in range(data.GetNumberOfPolys()):
    points = data.GetCell(k).GetPoints()
    at = [points.GetPoint(p) for p in range(points.GetNumberOfPoints())]
    area = 0.5 * sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(at, at[1:] + at[:1]))
    worst = max(worst, abs(area / mass.GetValue(k) - 1))
print(data.GetNumberOfPolys(), [ids.GetValue(k) for k in (0, 15)], velocity.GetNumberOfComponents(), worst < 0.01)
]]
    file:close()
    assert.are.equal("16 [6, 21] 3 True\n", succeed("'" .. python .. "' grains.py"))
  end)

  it("have the surfaces of rods in space, with their columns, by volumes", function()
    local file = assert(io.open(folder .. "/rods.lua", "wb"))
    file:write [[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 0.01, scheme = floc.inelastic {} }
      local region = floc.box { lower = { 0, 0, 0 }, upper = { 6, 6, 6 } }
      sim:add_particles { count = 3, radius = 0.5, density = 1, region = region }
      sim:add_particles { count = 5, radius = { 0.5, 0.8 }, density = 1, region = region, shape = floc.rod { aspect = 4 } }
      sim:write_vtp { path = floc.out .. "/run", every = 1 }
      sim:run { steps = 1 }
    ]]
    file:close()
    floc "run rods.lua --quiet --out=rods"
    file = assert(io.open(folder .. "/rods.py", "wb"))
    file:write [[
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
reader = vtkXMLPolyDataReader()
reader.SetFileName("rods/run/grains_000001.vtp")
reader.Update()
data = reader.GetOutput()
ids, mass = (data.GetCellData().GetArray(name) for name in ["id", "mass"])
volume, whole = {}, {}
for k in range(data.GetNumberOfPolys()):
    points = data.GetCell(k).GetPoints()
    a, *rest = [points.GetPoint(p) for p in range(points.GetNumberOfPoints())]
    whole[ids.GetValue(k)] = mass.GetValue(k)
    for b, c in zip(rest, rest[1:]): # tetrahedra from the origin
        volume[ids.GetValue(k)] = volume.get(ids.GetValue(k), 0) + (a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
print(sorted(volume), all(0.95 < volume[k] / whole[k] < 1 for k in volume))
]]
    file:close()
    assert.are.equal("[4, 5, 6, 7, 8] True\n", succeed("'" .. python .. "' rods.py"))
  end)

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
    -- The command that the warning names makes the movie.
    succeed(text:match("Later: (ffmpeg [^\n]+)") .. " -v error -nostdin")
    assert.are.equal(3, #frames_of "bare/film.mp4")
  end)

  it("begin anew, and say so, when their files are gone", function()
    succeed("cp -r whole gone; rm -r gone/out/run gone/out/run.xyz gone/out/run.pvd gone/out/film.mp4")
    local text = succeed("cd gone; '" .. program .. "' resume out/run.floc --steps=4")
    assert.is_truthy(text:find("floc: out/run does not contain the frames up to the checkpoint; it is started again", 1, true), text)
    assert.is_truthy(text:find("floc: out/run.xyz does not contain the frames up to the checkpoint; it is started again", 1, true), text)
    assert.is_truthy(text:find("floc: out/film.mp4 does not contain the frames up to the checkpoint; it is started again", 1, true), text)
    assert.are.equal(2, #frames_of "gone/out/film.mp4")
    assert.matches("Step=60", read "gone/out/run.xyz")
    assert.matches("run/particles_000060.vtp", read "gone/out/run.pvd")
  end)
end)
