-- Cylinders, cones and tori as bodies; regions of every kind and put together.

local floc = require "floc"

local function flat() return floc.simulation { time_step = 0.01 } end
local function solid(gravity) return floc.simulation { dimension = 3, time_step = 2e-3, gravity = gravity } end

-- Each particle of a filled region, as centre and radius.
local function fill(sim, region, count, more)
  local options = { count = count, radius = { 0.02, 0.05 }, region = region }
  for key, value in pairs(more or {}) do options[key] = value end
  sim:add_particles(options)
  local list = {}
  for id = 1, sim.count do
    list[id] = { sim.x[id], sim.y[id], sim.dimension == 3 and sim.z[id] or 0, sim.radius[id] }
  end
  return list
end

local function length(x, y, z) return math.sqrt(x * x + y * y + (z or 0) ^ 2) end

describe("regions", function()
  it("hold particles wholly: a cylinder that lies askew", function()
    local a, b = { 1, 2, 3 }, { 2, 4, 5 } -- length 3
    local u = { 1 / 3, 2 / 3, 2 / 3 }
    local far = 0
    for _, p in ipairs(fill(solid(), floc.cylinder { { 1, 2, 3 }, b, radius = 0.7 }, 400)) do
      local d = { p[1] - a[1], p[2] - a[2], p[3] - a[3] }
      local along = d[1] * u[1] + d[2] * u[2] + d[3] * u[3]
      local across = length(d[1] - along * u[1], d[2] - along * u[2], d[3] - along * u[3])
      assert.is_true(along >= p[4] - 1e-12 and along <= 3 - p[4] + 1e-12 and across <= 0.7 - p[4] + 1e-12)
      far = math.max(far, across + p[4])
    end
    assert.is_true(far > 0.65) -- up to the wall
  end)

  it("hold particles wholly: a cone and a torus", function()
    local slope = math.atan(0.5)
    for _, p in ipairs(fill(solid(), floc.cone { { 0, 0, 0 }, { 0, 0, 2 }, radii = { 1, 0 } }, 300)) do
      local room = 1 - p[3] / 2 - length(p[1], p[2]) -- along the radius
      assert.is_true(p[3] >= p[4] - 1e-12 and room * math.cos(slope) >= p[4] - 1e-12)
    end
    for _, p in ipairs(fill(solid(), floc.torus { center = { 0, 5, 0 }, axis = { 0, 2, 0 }, ring_radius = 1, tube_radius = 0.3 }, 300)) do
      assert.is_true(length(length(p[1], p[3]) - 1, p[2] - 5) <= 0.3 - p[4] + 1e-12)
    end
  end)

  it("hold particles wholly: a ring in the plane, on a lattice too", function()
    for _, p in ipairs(fill(flat(), floc.annulus { center = { 1, 1 }, inner = 1, outer = 2 }, 300)) do
      local distance = length(p[1] - 1, p[2] - 1)
      assert.is_true(distance >= 1 + p[4] - 1e-12 and distance <= 2 - p[4] + 1e-12)
    end
    local sites = fill(flat(), floc.annulus { inner = 1, outer = 2 }, 100, { radius = 0.05, placement = "lattice" })
    for _, p in ipairs(sites) do
      local distance = length(p[1], p[2])
      assert.is_true(distance >= 1.05 - 1e-9 and distance <= 1.95 + 1e-9)
    end
  end)

  it("are put together", function()
    local whole, hole = floc.box { lower = { -1, -1 }, upper = { 1, 1 } }, floc.ball { center = { 0, 0 }, radius = 0.5 }
    for _, p in ipairs(fill(flat(), floc.difference { whole, hole }, 200)) do
      assert.is_true(length(p[1], p[2]) >= 0.5 + p[4] - 1e-12 and math.max(math.abs(p[1]), math.abs(p[2])) <= 1 - p[4] + 1e-12)
    end
    for _, p in ipairs(fill(flat(), floc.intersection { whole, floc.ball { center = { 1, 1 }, radius = 1 } }, 50)) do
      assert.is_true(length(p[1] - 1, p[2] - 1) <= 1 - p[4] + 1e-12 and math.max(p[1], p[2]) <= 1 - p[4] + 1e-12)
    end
    local left, right = 0, 0
    local other = floc.ball { center = { 3, 0 }, radius = 0.5 }
    for _, p in ipairs(fill(flat(), floc.union { hole, other }, 100)) do
      local first, second = length(p[1], p[2]) <= 0.5 - p[4] + 1e-12, length(p[1] - 3, p[2]) <= 0.5 - p[4] + 1e-12
      assert.is_true(first or second)
      left, right = left + (first and 1 or 0), right + (second and 1 or 0)
    end
    assert.is_true(left > 20 and right > 20)
    -- a ring in a ring: what is taken out may itself be put together
    local ring = floc.difference { hole, floc.ball { center = { 0, 0 }, radius = 0.3 } }
    for _, p in ipairs(fill(flat(), floc.difference { whole, ring }, 100)) do
      local distance = length(p[1], p[2])
      assert.is_true(distance >= 0.5 + p[4] - 1e-12 or distance <= 0.3 - p[4] + 1e-12)
    end
  end)

  it("are functions of the script, the same particles each time", function()
    local function make()
      local sim = flat()
      fill(sim, floc.region { lower = { 0, 0 }, upper = { 4, 4 }, contains = function(x, y, z, radius) return z == 0 and y - radius > x end }, 100)
      return sim
    end
    local sim = make()
    for id = 1, sim.count do assert.is_true(sim.y[id] - sim.radius[id] > sim.x[id]) end
    assert.are.equal(sim:hash(), make():hash())
  end)

  it("that are wrong are refused by name", function()
    local box = floc.box { lower = { 0, 0 }, upper = { 1, 1 } }
    local function refused(message, make, region)
      local ok, said = pcall(function() return fill(make(), region(), 10) end)
      assert.is_false(ok)
      assert.matches(message, said)
    end
    refused("annulus: inner is 2; it must be below outer, which is 1", flat, function() return floc.annulus { inner = 2, outer = 1 } end)
    refused("floc.annulus has vectors of 2 numbers; the simulation has 3 dimensions", solid, function() return floc.annulus { inner = 1, outer = 2 } end)
    refused("union: 1 regions are given; it must be 2 or more regions", flat, function() return floc.union { box } end)
    refused("union: region 2 is floc.hollow; it must be a region", flat, function() return floc.union { box, floc.hollow { radius = 1 } } end)
    refused("region is empty", flat, function() return floc.intersection { box, floc.ball { center = { 9, 9 }, radius = 1 } } end)
    refused("contains returned 1 at", flat, function() return floc.region { lower = { 0, 0 }, upper = { 1, 1 }, contains = function() return 1 end } end)
    refused("my fault", flat, function() return floc.region { lower = { 0, 0 }, upper = { 1, 1 }, contains = function() error "my fault" end } end)
    refused("10 particles fitted.*box around the region", flat,
      function() return floc.region { lower = { 0, 0 }, upper = { 1, 1 }, contains = function() return false end } end)
    refused("cone: radii are both 0", solid, function() return floc.cone { { 0, 0, 0 }, { 0, 0, 1 }, radii = { 0, 0 } } end)
    refused("cylinder: both points are the same", solid, function() return floc.cylinder { { 0, 0, 0 }, { 0, 0, 0 }, radius = 1 } end)
    refused("torus: tube_radius is 2; it must be below ring_radius, which is 1", solid, function() return floc.torus { ring_radius = 1, tube_radius = 2 } end)
  end)
end)

describe("walls around an axis", function()
  it("keep grains in a turning drum, in its corners too", function()
    local sim = solid { 0, 0, -10 }
    local drum = sim:add_body { shape = floc.cylinder { { 0, -0.5, 0 }, { 0, 0.5, 0 }, radius = 0.5, ends = "both", thickness = 0.05 },
      angular_velocity = { 0, 2, 0 } }
    assert.are.equal(3, drum.shape_count)
    sim:add_particles { count = 150, radius = { 0.05, 0.06 }, region = floc.cylinder { { 0, -0.5, 0 }, { 0, 0.5, 0 }, radius = 0.5 } }
    sim:run { steps = 400 }
    local side, ends, both = 0, 0, 0
    for id = 1, sim.count do
      local r = sim.radius[id]
      local across, along = length(sim.x[id], sim.z[id]) + r, math.abs(sim.y[id]) + r
      assert.is_true(across < 0.5 + 0.05 * r and along < 0.5 + 0.05 * r)
      if across > 0.5 - 1e-4 then side = side + 1 end
      if along > 0.5 - 1e-4 then ends = ends + 1 end
      if across > 0.5 - 1e-4 and along > 0.5 - 1e-4 then both = both + 1 end
    end
    assert.is_true(side > 20 and ends > 2)
  end)

  it("hold a grain in the corner of a pot at both of its walls", function()
    local sim = solid { 5, 0, -10 }
    sim:add_body { shape = floc.cylinder { { 0, 0, 0 }, { 0, 0, 1 }, radius = 0.5, ends = "first" } }
    local id = sim:add_particle { position = { 0, 0, 0.3 }, radius = 0.1 }
    sim:run { steps = 1500 }
    assert.is_true(math.abs(sim.z[id] - 0.1) < 1e-6)
    assert.is_true(math.abs(length(sim.x[id], sim.y[id]) - 0.4) < 1e-6)
    assert.are.equal(2, #sim:contacts())
  end)

  it("let grains through what is open, and carry them outside of what is solid", function()
    local sim = solid { 0, 0, -10 }
    sim:add_body { shape = floc.cone { { 0, 0, 0 }, { 0, 0, 1 }, radii = { 0.2, 1 } } } -- a funnel
    sim:add_body { shape = floc.cylinder { { 3, 0, 0 }, { 3, 0, 1 }, radius = 0.5, solid = true } }
    local through = sim:add_particle { position = { 0.5, 0, 1 }, radius = 0.15 }
    local stays = sim:add_particle { position = { -0.5, 0, 1 }, radius = 0.25 } -- wider than the outlet
    local on = sim:add_particle { position = { 3.1, 0, 1.5 }, radius = 0.2 }
    sim:run { steps = 1500 }
    assert.is_true(sim.z[through] < -1)
    assert.is_true(math.abs(sim.z[on] - 1.2) < 1e-6)
    -- a ball of radius r rests in a cone where its distance from the side is r: slope 0.8 outwards per height
    local height = (0.25 * math.sqrt(1 + 0.8 ^ 2) - 0.2) / 0.8
    assert.is_true(math.abs(sim.z[stays] - height) < 1e-3, tostring(sim.z[stays]))
  end)

  it("that are wrong are refused by name", function()
    local function refused(message, call)
      local ok, said = pcall(call)
      assert.is_false(ok)
      assert.matches(message, said)
    end
    local points = { { 0, 0, 0 }, { 0, 0, 1 } }
    refused("ends is given beside solid", function() return floc.cylinder { points[1], points[2], radius = 1, ends = "both", solid = true } end)
    refused("thickness is given beside solid", function() return floc.cylinder { points[1], points[2], radius = 1, thickness = 0.1, solid = true } end)
    refused("ends is \"frist\".*first", function() return floc.cylinder { points[1], points[2], radius = 1, ends = "frist" } end)
    refused("radii%[2%] is nil; it must be a finite number", function() return floc.cone { points[1], points[2], radii = { 1 } } end)
    refused("floc.cylinder needs 3 dimensions; the simulation has 2", function()
      flat():add_body { shape = floc.cylinder { { 0, 0, 0 }, { 0, 0, 1 }, radius = 1 } }
    end)
  end)
end)
