-- sim:record, sim:write_vtp, sim:write_xyz inside a host: refusals, options, and what other Luas do at their end.

local support = require "support"

local folder

local function text(script) return (script:gsub("FOLDER", function() return string.format("%q", folder) end)) end

local setup_lines = text [[
local floc = require "floc"
local sim = floc.simulation { time_step = 0.5 }
sim:add_particle { position = { 0, 0 }, radius = 1, velocity = { 0.125, 0 } }
sim:add_particle { position = { 5, 0 }, radius = 2, mass = 3 }
]]

local function run(lines) return support.run(setup_lines .. text(lines)) end
local function failure(lines) return support.failure(setup_lines .. text(lines)) end

describe("outputs", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  for call, message in pairs {
    ['record { movie = "a.avi" }'] = 'record: movie is "a.avi"; it must end with .mp4, .webm or .gif, or be a pattern like frames/%05d.png',
    ['record { movie = "a%d%d.png" }'] = 'record: movie is "a%d%d.png"; it must end',
    ['record { movie = "a.mp4", every = 0 }'] = "record: every is 0; it must be an integer, at least 1",
    ['record { movie = "a.mp4", frames_per_second = 0 }'] = "record: frames_per_second is 0; it must be a finite number above 0 and at most 1000",
    ['record { path = "a.mp4" }'] = "record: ",
    ['write_vtp { path = "" }'] = "write_vtp: path",
    ['write_vtp { path = "x/.pvd" }'] = "write_vtp: path is \"x/.pvd\"; it must be the name of a collection",
    ['write_xyz { path = "a.xyz", columns = { "charg" } }'] = 'write_xyz: columns[1] is "charg", which is no column',
    ['write_xyz { path = "a.xyz", length_unit = "m\\"" }'] = "write_xyz: length_unit is",
    ['write_xyz { every = 3 }'] = "write_xyz: path is missing",
  } do
    it("refuse sim:" .. call, function()
      local got = failure("sim:" .. call)
      assert.is_truthy(got:find("script.lua:5: " .. message, 1, true), got)
    end)
  end

  it("refuse folders that cannot be", function()
    support.write(folder .. "/file", "")
    for _, call in ipairs { 'write_vtp { path = FOLDER .. "/file/run" }', 'write_xyz { path = FOLDER .. "/file/run.xyz" }' } do
      assert.matches("cannot be made", failure("sim:" .. call))
    end
    assert.matches("cannot be made", failure 'sim:record { movie = FOLDER .. "/file/%d.png" } sim:run { steps = 1 }')
  end)

  it("write XYZ frame by frame", function()
    run [[
      sim:add_attribute("charge", 0.25)
      sim:write_xyz { path = FOLDER .. "/deep/run.xyz", every = 2, columns = { "charge", "fx" } }
      sim:run { steps = 2 }
      sim:run { steps = 1 }
    ]]
    local head = 'Lattice="%s 0 0 0 4 0 0 0 4" Origin="-%s -2 -2" pbc="F F F" '
      .. "Properties=species:S:1:id:I:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1:charge:R:1:fx:R:1 Time=%s Step=%d\n"
    assert.are.equal("2\n" .. head:format("8", "1", "0", 0)
      .. "P 1 0 0 0 0.125 0 0 1 1 0.25 0\nP 2 5 0 0 0 0 0 2 3 0.25 0\n"
      .. "2\n" .. head:format("7.875", "0.875", "1", 2)
      .. "P 1 0.125 0 0 0.125 0 0 1 1 0.25 0\nP 2 5 0 0 0 0 0 2 3 0.25 0\n", support.read(folder .. "/deep/run.xyz"))
  end)

  it("leave out bodies and contacts of .vtp when told to, and remove files of a run before", function()
    assert(support.core.make_folder(folder .. "/run"))
    support.write(folder .. "/run/particles_000009.vtp", "old")
    support.write(folder .. "/run/notes.txt", "not ours")
    run 'sim:write_vtp { path = FOLDER .. "/run.pvd", bodies = false, contacts = false } sim:run { steps = 1 }'
    local names = support.core.list_folder(folder .. "/run")
    table.sort(names)
    assert.are.same({ ".", "..", "notes.txt", "particles_000000.vtp", "particles_000001.vtp" }, names)
    assert.is_false(support.exists(folder .. "/run_bodies.pvd"))
    assert.are.equal('<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0">\n  <Collection>\n'
      .. '    <DataSet timestep="0" part="0" file="run/particles_000000.vtp"/>\n'
      .. '    <DataSet timestep="0.5" part="0" file="run/particles_000001.vtp"/>\n  </Collection>\n</VTKFile>\n',
      support.read(folder .. "/run.pvd"))
  end)

  it("give attributes another name where theirs is taken", function()
    run [[
      for _, name in ipairs { "pos", "velocity", "force" } do sim:add_attribute(name, 1) end
      sim:write_xyz { path = FOLDER .. "/run.xyz" }
      sim:write_vtp { path = FOLDER .. "/run" }
      sim:run { steps = 0 }
    ]]
    assert.matches("mass:R:1:attribute_pos:R:1:velocity:R:1:force:R:1 ", support.read(folder .. "/run.xyz"))
    local file = support.read(folder .. "/run/particles_000000.vtp")
    for _, name in ipairs { "velocity", "attribute_velocity", "force", "attribute_force", "pos" } do
      assert.are.equal(1, select(2, file:gsub('Name="' .. name .. '"', "")))
    end
  end)

  it("write an empty simulation", function()
    support.run(text [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1, dimension = 3 }
      sim:write_vtp { path = FOLDER .. "/run" }
      sim:write_xyz { path = FOLDER .. "/run.xyz" }
      sim:run { steps = 0 }
    ]])
    assert.matches('NumberOfPoints="0"', support.read(folder .. "/run/contacts_000000.vtp"))
    assert.matches('^0\nLattice="1 0 0 0 1 0 0 0 1" Origin="%-0.5 %-0.5 %-0.5"', support.read(folder .. "/run.xyz"))
  end)

  it("put a film together when the simulation is gone, in a host without an end of its own", function()
    run 'sim:record { movie = FOLDER .. "/film.mp4", width = 64, height = 64 } sim:run { steps = 3 }'
    collectgarbage()
    collectgarbage()
    assert.is_true(support.exists(folder .. "/film.mp4"))
    assert.is_false(support.exists(folder .. "/film.mp4.parts/000001.mp4"))
  end)

  it("keep the place of a simulation that is gone before the checkpoint", function()
    local script = text [[
      local floc = require "floc"
      local function make(name)
        local sim = floc.simulation { time_step = 0.5 }
        sim:add_particle { position = { 0, 0 }, radius = 1, velocity = { 0.125, 0 } }
        sim:observe { path = FOLDER .. "/" .. name .. ".tsv", columns = { "step" } }
        sim:write_xyz { path = FOLDER .. "/" .. name .. ".xyz" }
        return sim
      end
      make("first"):run { steps = 3 }
      collectgarbage() collectgarbage()
      local sim = make "second"
      sim:run { steps = 1 }
      sim:checkpoint(FOLDER .. "/a.floc")
      sim:run { steps = 1 }
    ]]
    support.run(script)
    local before = {}
    for _, name in ipairs { "first.tsv", "first.xyz", "second.tsv", "second.xyz" } do before[name] = support.read(folder .. "/" .. name) end
    assert.are.equal("step\n0\n1\n2\n3\n", before["first.tsv"])
    support.resume(folder .. "/a.floc")
    for name, content in pairs(before) do assert.are.equal(content, support.read(folder .. "/" .. name), name) end
  end)
end)
