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
    refused("placement is dense; it fills a box or a ball, not a region that a function describes", sim,
      { count = 10, radius = 0.01, placement = "dense", region = floc.annulus { inner = 0.1, outer = 0.4 } })
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
