-- Closed meshes as regions: the same positions as the same space put together of boxes; open ones refused.

local support = require "support"
local floc = support.floc

local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
local folder

-- Vertices and faces as an OBJ file; turned: with all faces the other way round.
local function write(name, vertices, faces, turned)
  local lines = {}
  for _, v in ipairs(vertices) do lines[#lines + 1] = string.format("v %.17g %.17g %.17g", v[1], v[2], v[3]) end
  for _, face in ipairs(faces) do
    local numbers = {}
    for k = 1, #face do numbers[k] = face[turned and #face + 1 - k or k] end
    lines[#lines + 1] = "f " .. table.concat(numbers, " ")
  end
  support.write(folder .. "/" .. name, table.concat(lines, "\n") .. "\n")
  return folder .. "/" .. name
end

-- A box with a box cut out of its corner: an L, 1 thick along z.
local outline = { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, 2 }, { 0, 2 } }
local function corner(turned)
  local vertices, faces = {}, {}
  for z = 0, 1 do
    for _, p in ipairs(outline) do vertices[#vertices + 1] = { p[1], p[2], z } end
  end
  for k = 1, 6 do
    local after = k % 6 + 1
    faces[#faces + 1] = { k, after, after + 6, k + 6 }
  end
  for _, part in ipairs { { 1, 2, 3, 4 }, { 1, 4, 5, 6 } } do -- convex ones
    faces[#faces + 1] = { part[4], part[3], part[2], part[1] }
    faces[#faces + 1] = { part[1] + 6, part[2] + 6, part[3] + 6, part[4] + 6 }
  end
  return write("corner.obj", vertices, faces, turned)
end

local function positions(region)
  local sim = floc.simulation { dimension = 3, time_step = 0.01 }
  sim:add_particles { count = 150, radius = { 0.03, 0.06 }, region = region }
  local list = {}
  for id = 1, sim.count do list[id] = string.format("%.17g %.17g %.17g", sim.x[id], sim.y[id], sim.z[id]) end
  return list
end

describe("a closed mesh as a region", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  local whole, cut = floc.box { lower = { 0, 0, 0 }, upper = { 2, 2, 1 } }, floc.box { lower = { 1, 1, -1 }, upper = { 2.5, 2.5, 3 } }

  it("holds the particles that the same space holds, whichever way its faces turn", function()
    local wanted = positions(floc.difference { whole, cut })
    assert.are.same(wanted, positions(floc.mesh { path = corner(false) }))
    assert.are.same(wanted, positions(floc.mesh { path = corner(true) }))
  end)

  it("is read from VTK's files, whatever way they were written", function()
    local wanted = positions(floc.box { lower = { 0, 0, 0 }, upper = { 2, 1, 0.5 } })
    for _, name in ipairs { "ascii", "raw-zlib", "base64-zlib-strips" } do
      assert.are.same(wanted, positions(floc.mesh { path = here .. "tests/corpus/vtp/" .. name .. ".vtp" }))
    end
  end)

  it("is one of several, inside and outside", function()
    local mesh = floc.mesh { path = corner(false) }
    assert.are.same(positions(floc.intersection { whole, cut }), positions(floc.difference { floc.intersection { whole, cut }, mesh }))
    local list = positions(floc.difference { floc.box { lower = { -1, -1, -1 }, upper = { 3, 3, 2 } }, mesh })
    for _, text in ipairs(list) do
      local x, y, z = text:match "(%S+) (%S+) (%S+)"
      x, y, z = tonumber(x), tonumber(y), tonumber(z)
      local inside = x > -0.03 and y > -0.03 and z > -0.03 and z < 1.03 and (x < 2.03 and y < 1.03 or x < 1.03 and y < 2.03)
      assert.is_false(inside and not (x > 1.03 and y > 1.03), text)
    end
  end)

  it("of many triangles: a torus", function()
    local vertices, faces, n = {}, {}, 48
    for i = 0, n - 1 do
      for j = 0, n - 1 do
        local a, b = 2 * math.pi * i / n, 2 * math.pi * j / n
        vertices[#vertices + 1] = { (1 + 0.4 * math.cos(b)) * math.cos(a), (1 + 0.4 * math.cos(b)) * math.sin(a), 0.4 * math.sin(b) }
        local i2, j2 = (i + 1) % n, (j + 1) % n
        faces[#faces + 1] = { n * i + j + 1, n * i2 + j + 1, n * i2 + j2 + 1 }
        faces[#faces + 1] = { n * i + j + 1, n * i2 + j2 + 1, n * i + j2 + 1 }
      end
    end
    local sim = floc.simulation { dimension = 3, time_step = 0.01 }
    sim:add_particles { count = 300, radius = 0.05, region = floc.mesh { path = write("torus.obj", vertices, faces) } }
    local far = 0
    for id = 1, sim.count do
      local tube = math.sqrt((math.sqrt(sim.x[id] ^ 2 + sim.y[id] ^ 2) - 1) ^ 2 + sim.z[id] ^ 2)
      assert.is_true(tube <= 0.35 + 1e-12)
      far = math.max(far, tube)
    end
    assert.is_true(far > 0.33)
  end)

  it("leaves room for the thickness of its plates", function()
    local sim = floc.simulation { dimension = 3, time_step = 0.01 }
    sim:add_particles { count = 40, radius = 0.05, region = floc.mesh { path = corner(false), thickness = 0.2 } }
    for id = 1, sim.count do assert.is_true(math.min(sim.x[id], sim.y[id], sim.z[id]) >= 0.15 - 1e-12) end
  end)

  it("is refused where it bounds no space, or is no mesh", function()
    local box = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } }
    local faces = { { 4, 3, 2, 1 }, { 5, 6, 7, 8 }, { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 4, 8, 7 } }
    local function failure(path, dimension)
      return support.failure(string.format("local floc = require 'floc'\nlocal sim = floc.simulation { dimension = %d, time_step = 0.01 }\n"
        .. "sim:add_particles { count = 1, radius = 0.1, region = floc.mesh { path = %q } }", dimension or 3, path))
    end
    assert.matches("^script.lua:3: add_particles: .*open.obj bounds no space: 4 of its edges are open; the first goes from { [%d, ]+ } to { [%d, ]+ }$",
      failure(write("open.obj", box, faces)))
    faces[6] = { 1, 4, 8, 5 }
    assert.matches("turned.obj bounds no space: at 4 of its edges one triangle shows its other side; the first goes", failure(write("turned.obj", box, faces)))
    faces[6] = { 4, 1, 5, 8 }
    assert.is_true(support.try(string.format("local floc = require 'floc' floc.simulation { dimension = 3, time_step = 1 }:add_particles { count = 1, radius = 0.1, "
      .. "region = floc.mesh { path = %q } }", write("closed.obj", box, faces))))
    assert.matches("add_particles: .*none.obj: cannot be opened", failure(folder .. "/none.obj"))
    assert.matches("add_particles: floc.mesh has vectors of 3 numbers; the simulation has 2", failure(folder .. "/closed.obj", 2))
  end)
end)
