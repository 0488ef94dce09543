-- Lacey's mixing index: pure cells, checkerboards and random mixtures, whose values are known, in cells with equal and with
-- unequal numbers of particles.

local floc = require "floc"

-- Particles at given places, each with a number `kind`.
local function scene(places, options)
  options = options or { domain = floc.box { lower = { 0, 0 }, upper = { 8, 8 } }, boundary = "wall" }
  options.time_step = 0.01
  local sim = floc.simulation(options)
  sim:add_attribute("kind", 0)
  for _, place in ipairs(places) do sim:add_particle { position = { place[1], place[2] }, radius = 0.05, attributes = { kind = place[3] } } end
  return sim
end

-- Four particles in each of 64 cells; kind: of the cell's column i, row j and number k.
local function lattice(kind)
  local places = {}
  for i = 0, 7 do for j = 0, 7 do for k = 0, 3 do
    places[#places + 1] = { i + 0.25 + 0.5 * (k % 2), j + 0.25 + 0.5 * math.floor(k / 2), kind(i, j, k) }
  end end end
  return places
end

describe("the mixing index", function()
  it("is 0 where every cell has one kind", function()
    for _, kind in ipairs {
      function(i) return i < 4 and 0 or 1 end,
      function(i, j) return (i + j) % 2 end, -- a checkerboard of cells
    } do
      local found = scene(lattice(kind)):mixing_index { cell = 1, column = "kind" }
      assert.are.equal(0, found.index)
      assert.are.equal(64, found.cells)
      assert.are.equal(0.5, found.fraction)
      assert.are.equal(0.25, found.segregated)
    end
  end)

  it("sees the size of the patches: the same checkerboard in larger cells is mixed", function()
    local sim = scene(lattice(function(i, j) return (i + j) % 2 end))
    local found = sim:mixing_index { cell = 2, column = "kind" }
    assert.are.equal(0, found.variance)
    assert.is_true(math.abs(found.index - 1 / (1 - 15 / 255)) < 1e-14) -- more even than chance: 16 cells, 256 particles
  end)

  it("is 1 in the mean of random mixtures, however many particles cells hold", function()
    local random = floc.random("mixing", 3)
    local places = {}
    for k = 1, 300 do places[k] = { 8 * random:uniform() ^ 2, 8 * random:uniform(), k <= 90 and 1 or 0 } end -- crowded at x = 0
    local sim = scene(places)
    local sum, square, trials = 0, 0, 400
    for _ = 1, trials do
      for k = 300, 2, -1 do -- shuffled (Fisher and Yates)
        local other = random:integer(1, k)
        sim.kind[k], sim.kind[other] = sim.kind[other], sim.kind[k]
      end
      local index = sim:mixing_index { cell = 1, column = "kind" }.index
      sum, square = sum + index, square + index ^ 2
    end
    local mean = sum / trials
    local error_of_mean = math.sqrt((square / trials - mean ^ 2) / trials)
    assert.is_true(error_of_mean > 0 and error_of_mean < 0.01)
    assert.is_true(math.abs(mean - 1) < 3.5 * error_of_mean, mean)
  end)

  it("takes radii, and the middle between them, by itself; open axes end at the centres", function()
    local sim = floc.simulation { time_step = 0.01 }
    for k = 0, 19 do sim:add_particle { position = { k, 5 }, radius = k < 10 and 0.1 or 0.2 } end
    assert.are.equal(0, sim:mixing_index { cell = 1.9 }.index)
    assert.are.equal(10, sim:mixing_index { cell = 1.9 }.cells)
    local found = sim:mixing_index { cell = 19 }
    assert.is_true(found.cells == 1 and found.variance == 0 and found.index == 1)
  end)

  it("is refused where it has no meaning", function()
    local sim = scene(lattice(function() return 2 end))
    local function refused(text, options)
      local ok, message = pcall(sim.mixing_index, sim, options)
      assert.is_false(ok)
      assert.is_truthy(message:find(text, 1, true), message)
    end
    refused("all 256 particles have kind up to it, so there is one kind only", { cell = 1, column = "kind" })
    refused("all 256 particles have kind above it", { cell = 1, column = "kind", threshold = 1 })
    refused("cell is 0; it must be", { cell = 0, column = "kind" })
    refused("there is no column \"knd\"", { cell = 1, column = "knd" })
    refused("that makes more than 67108864 cells", { cell = 1e-6, column = "kind" })
    sim.kind[1] = 3
    refused("no cell has more than one of the 256 particles", { cell = 0.5, column = "kind" })
    local few = floc.simulation { time_step = 0.01 }
    few:add_particle { position = { 0, 0 }, radius = 1 }
    assert.is_false((pcall(few.mixing_index, few, { cell = 1 })))
  end)
end)
