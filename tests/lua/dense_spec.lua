-- Dense packings and crystals from scripts: what sim:add_particles takes and refuses, resumes, and the steps that follow.
-- tests/schemes/packing/test_packing.c looks at every pair.

local floc = require "floc"
local support = require "support"

local function periodic(dimension, more)
  local lower, upper = { 0, 0, 0 }, { 1, 1, 1 }
  if dimension == 2 then lower[3], upper[3] = nil, nil end
  local options = { dimension = dimension, time_step = 1e-3, boundary = "periodic", domain = floc.box { lower = lower, upper = upper } }
  for key, value in pairs(more or {}) do options[key] = value end
  return floc.simulation(options)
end

local function refused(text, sim, options)
  local ok, message = pcall(sim.add_particles, sim, options)
  assert.is_false(ok)
  assert.is_truthy(message:find(text, 1, true), message)
  assert.are.equal(0, sim.count)
end

describe("dense packings", function()
  it("have the fraction that was asked for, in the domain or a part of it", function()
    local sim = periodic(3)
    local first, last = sim:add_particles { count = 200, radius = { 1, 2 }, density = 2, placement = "dense", volume_fraction = 0.62 }
    assert.are.same({ 1, 200 }, { first, last })
    assert.is_true(math.abs(sim:measure "volume_fraction" - 0.62) < 1e-12)
    assert.is_true(math.abs(sim:measure "total_mass" - 1.24) < 1e-11)
    sim:run { steps = 1 }
    assert.is_true(sim:measure "greatest_overlap" < 1e-9)
    sim = floc.simulation { dimension = 2, time_step = 1e-3 }
    sim:add_particles { count = 100, radius = 0.05, placement = "dense", region = floc.box { lower = { 2, 0 }, upper = { 3, 1 } } }
    assert.is_true(math.abs(sim:sum(function(radius) return math.pi * radius ^ 2 end) - 100 * math.pi * 0.0025) < 1e-12)
  end)

  it("are the same after a resume", function()
    local text = [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-2, threads = 1, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { 1, 1 } } }
      sim:add_particles { count = 100, radius = { 1, 1.4 }, placement = "dense", volume_fraction = 0.8, velocity_spread = 0.1 }
      %s
      sim:run { steps = 40 }
      return sim:hash() ]]
    local folder = support.folder()
    local path = folder .. "/run.state"
    local bits = support.run(text:format "")
    assert.are.equal(bits, (support.run(text:format(("sim:checkpoint { path = %q, every = 15 }"):format(path)))))
    assert.are.equal(bits, (support.resume(path)))
    support.remove(folder)
  end)

  it("that are too dense are refused with what was reached", function()
    local sim = periodic(2)
    refused("100 discs were to fill 0.9500 of the region's area; the greatest fraction that was reached without overlap is 0.8", sim,
      { count = 100, radius = { 1, 1.5 }, placement = "dense", volume_fraction = 0.95 })
    refused("volume_fraction is 1; it must be", sim, { count = 100, radius = 1, placement = "dense", volume_fraction = 1 })
    refused("did you mean volume_fraction", sim, { count = 100, radius = 1, placement = "dense", packing_fraction = 0.5 })
    refused("a particle of the radius 0.2 fits nowhere into the region that a function describes", sim,
      { count = 10, radius = 0.2, placement = "dense", region = floc.annulus { inner = 0.1, outer = 0.4 } })
    refused("the region is empty: its function said no wherever it was asked", sim,
      { count = 10, radius = 1, volume_fraction = 0.5, placement = "dense", region = floc.region { lower = { 0, 0 }, upper = { 1, 1 }, contains = function() return false end } })
    refused("the greatest fraction that was reached without overlap is", sim,
      { count = 100, radius = { 1, 1.4 }, volume_fraction = 0.9, placement = "dense", region = floc.annulus { inner = 0.1, outer = 0.4 } })
  end)

  -- depth: how far a point is inside. Particles must lie wholly in the region, some of them at its edge, and none overlaps.
  local function fills(dimension, region, fraction, volume, depth)
    local sim = floc.simulation { dimension = dimension, time_step = 1e-3, seed = 3 }
    sim:add_particles { count = 150, radius = { 1, 1.4 }, density = 1, placement = "dense", volume_fraction = fraction, region = region }
    assert.near(fraction * volume, sim:measure "total_mass", 2e-3 * volume)
    local least, low, high = math.huge, math.huge, -math.huge
    for id = 1, sim.count do
      local x, y, z = sim.x[id], sim.y[id], dimension == 3 and sim.z[id] or 0
      least = math.min(least, (depth(x, y, z) - sim.radius[id]) / sim.radius[id])
      low, high = math.min(low, x), math.max(high, x)
    end
    assert.is_true(least >= 0 and least < 0.02, least)
    sim:run { steps = 1 }
    assert.is_true(sim:measure "greatest_overlap" < 1e-9)
    return low, high
  end

  it("fill regions by function, what is left of others, and round ones", function()
    local function ring(x, y)
      local r = math.sqrt(x * x + y * y)
      return math.min(r - 0.5, 1 - r)
    end
    local low, high = fills(2, floc.annulus { inner = 0.5, outer = 1 }, 0.78, 0.75 * math.pi, ring)
    assert.is_true(low < -0.85 and high > 0.85)
    fills(2, floc.region { lower = { -1, -1 }, upper = { 1, 1 }, contains = function(x, y, _, radius) return ring(x, y) >= radius end }, 0.78, 0.75 * math.pi, ring)
    local function holed(x, y) return math.min(x, y, 2 - x, 2 - y, math.sqrt((x - 1) ^ 2 + (y - 1) ^ 2) - 0.6) end
    fills(2, floc.difference { floc.box { lower = { 0, 0 }, upper = { 2, 2 } }, floc.ball { center = { 1, 1 }, radius = 0.6 } }, 0.78, 4 - 0.36 * math.pi, holed)
    fills(3, floc.cylinder { { 0, 0, 0 }, { 0, 0, 2 }, radius = 1 }, 0.5, 2 * math.pi,
      function(x, y, z) return math.min(1 - math.sqrt(x * x + y * y), z, 2 - z) end)
  end)

  it("take a function that asks for centres alone at its word", function()
    local sim = floc.simulation { time_step = 1e-3, seed = 3 }
    sim:add_particles { count = 100, radius = 1, placement = "dense", volume_fraction = 0.75,
      region = floc.region { lower = { -1.3, -1.3 }, upper = { 1.3, 1.3 }, contains = function(x, y) return x * x + y * y < 1 end } }
    local farthest = 0
    for id = 1, sim.count do farthest = math.max(farthest, math.sqrt(sim.x[id] ^ 2 + sim.y[id] ^ 2)) end
    assert.is_true(farthest < 1 and farthest > 0.98, farthest)
  end)
end)

describe("crystals", function()
  it("by name", function()
    for placement, neighbours in pairs { fcc = 12, hcp = 12, bcc = 8 } do
      local a = ({ fcc = 2 ^ 0.5, bcc = 2 / 3 ^ 0.5, hcp = 1 })[placement] * 0.1
      local upper = placement == "hcp" and { 4 * a, 3 * 3 ^ 0.5 * a, 3 * (8 / 3) ^ 0.5 * a } or { 4 * a, 3 * a, 3 * a }
      local sim = periodic(3, { domain = floc.box { lower = { 0, 0, 0 }, upper = upper } })
      sim:add_particles { count = 36 * (placement == "bcc" and 2 or 4), radius = 0.05, placement = placement }
      assert.are.equal(neighbours, sim:measure "coordination_number")
    end
    local flat = periodic(2, { domain = floc.box { lower = { 0, 0 }, upper = { 0.5, 0.3 * 3 ^ 0.5 } } })
    flat:add_particles { count = 30, radius = 0.05, placement = "triangular" }
    assert.are.equal(6, flat:measure "coordination_number")
    refused("placement is hcp; in two dimensions it must be", periodic(2), { count = 3, radius = 0.05, placement = "hcp" })
  end)
end)
