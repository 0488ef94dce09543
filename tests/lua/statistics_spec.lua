-- Radial distribution, structure factor, profiles and the distribution of contact forces: against sums written out here, lattices,
-- a gas without correlations; and what is refused.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end

-- DIMENSION, and BOUNDARY of y; x is periodic.
local gas = [[
  local dimension, side = DIMENSION, 6
  local function vector(x, y, z) return dimension == 2 and { x, y } or { x, y, z } end
  local sim = floc.simulation { dimension = dimension, time_step = 0.01, domain = floc.box { lower = vector(0, 0, 0), upper = vector(side, side, side) },
    boundary = { "periodic", "BOUNDARY", dimension == 3 and "periodic" or nil }, scheme = floc.discrete_element { contact = "none" } }
  local place = floc.random "places"
  for id = 1, COUNT do
    sim:add_particle { position = vector(place:uniform(0.1, 5.9), place:uniform(0.1, 5.9), place:uniform(0.1, 5.9)), radius = 0.05, mass = place:uniform(1, 3), allow_overlap = true,
      velocity = vector(place:uniform(-1, 1), 0, 0) }
  end
]]
local function gas_of(dimension, boundary, count)
  return (gas:gsub("DIMENSION", dimension):gsub("BOUNDARY", boundary):gsub("COUNT", count))
end

describe("the radial distribution", function()
  for dimension = 2, 3 do
    for _, boundary in ipairs { "periodic", "wall", "open" } do
      it(("is the number of neighbours over that of a gas: %d-D, %s"):format(dimension, boundary), function()
        local worst, total, middles = run(gas_of(dimension, boundary, 200) .. ([[
          local boundary, range, bins = %q, 2.2, 11
          local found = sim:radial_distribution { range = range, bins = bins }
          local lower, upper, counts, middle = 0, side, {}, 0
          for bin = 1, bins do counts[bin] = 0 end
          if boundary == "open" then
            lower, upper = math.huge, -math.huge
            for id = 1, 200 do lower, upper = math.min(lower, sim.y[id] - 0.05), math.max(upper, sim.y[id] + 0.05) end
          end
          for i = 1, 200 do
            if boundary == "periodic" or sim.y[i] >= lower + range and sim.y[i] <= upper - range then
              middle = middle + 1
              for j = 1, 200 do
                local function nearest(d) return d - side * math.floor(d / side + 0.5) end
                local y = sim.y[j] - sim.y[i]
                local square = nearest(sim.x[j] - sim.x[i]) ^ 2 + (boundary == "periodic" and nearest(y) or y) ^ 2
                if dimension == 3 then square = square + nearest(sim.z[j] - sim.z[i]) ^ 2 end
                local bin = math.floor(math.sqrt(square) / 0.2) + 1
                if i ~= j and bin <= bins then counts[bin] = counts[bin] + 1 end
              end
            end
          end
          local worst, total, density = 0, 0, 200 / (side ^ (dimension - 1) * (upper - lower))
          for bin = 1, bins do
            local shell = dimension == 2 and math.pi * 0.04 * (bin ^ 2 - (bin - 1) ^ 2) or 4 / 3 * math.pi * 0.008 * (bin ^ 3 - (bin - 1) ^ 3)
            worst, total = math.max(worst, math.abs(found.g[bin] * middle * density * shell - counts[bin])), total + counts[bin]
          end
          return worst, total, found.r ]]):format(boundary))
        assert.is_true(total > 100, total)
        assert.is_true(worst < 1e-9, worst)
        assert.are.equal(11, #middles)
        assert.near(0.1, middles[1], 1e-15)
      end)
    end
  end

  -- The number of pairs of 4000 in a shell that holds a share p has a deviation of the root of n^2/2 p.
  it("of a gas without correlations is 1, within five deviations", function()
    local worst = run(gas_of(3, "periodic", 4000):gsub("uniform%(0.1, 5.9%)", "uniform(0, 6)") .. [[
      local found, worst = sim:radial_distribution { range = 2, bins = 10 }, 0
      for bin = 1, 10 do
        local share = 4 / 3 * math.pi * 0.008 * (bin ^ 3 - (bin - 1) ^ 3) / 216
        worst = math.max(worst, math.abs(found.g[bin] - 1) * math.sqrt(4000 ^ 2 / 2 * share))
      end
      return worst ]])
    assert.is_true(worst < 5, worst)
  end)
end)

describe("the structure factor", function()
  it("is the square of a sum over particles", function()
    local worst, vectors = run(gas_of(2, "periodic", 50) .. [[
      local found = sim:structure_factor { greatest = 4.5, bins = 9 }
      local sums, counts, lengths = {}, {}, {}
      for m = -4, 4 do
        for n = -4, 4 do
          local k = 2 * math.pi / side * math.sqrt(m * m + n * n)
          if k > 0 and k <= 4.5 then
            local bin, real, imaginary = math.ceil(k / 0.5), 0, 0
            for id = 1, 50 do
              local phase = 2 * math.pi / side * (m * sim.x[id] + n * sim.y[id])
              real, imaginary = real + math.cos(phase), imaginary + math.sin(phase)
            end
            sums[bin], counts[bin] = (sums[bin] or 0) + (real * real + imaginary * imaginary) / 50, (counts[bin] or 0) + 1
            lengths[bin] = (lengths[bin] or 0) + k
          end
        end
      end
      local worst, row, vectors = 0, 0, 0
      for bin = 1, 9 do
        if counts[bin] then
          row, vectors = row + 1, vectors + found.vectors[row + 1]
          assert(found.vectors[row] * 2 == counts[bin], "another number of vectors")
          worst = math.max(worst, math.abs(found.s[row] - sums[bin] / counts[bin]), math.abs(found.k[row] - lengths[bin] / counts[bin]))
        end
      end
      assert(#found.k == row and #found.s == row, "other intervals")
      return worst, vectors ]])
    assert.is_true(worst < 1e-10, worst)
    assert.is_true(vectors > 20)
  end)

  it("of a lattice is n at its reciprocal vectors, and 0 between", function()
    local found = run [[
      local sim = floc.simulation { dimension = 3, time_step = 0.01, boundary = "periodic", domain = floc.box { lower = { 0, 0, 0 }, upper = { 4, 4, 4 } } }
      for x = 0, 3 do for y = 0, 3 do for z = 0, 3 do sim:add_particle { position = { x, y, z }, radius = 0.1 } end end end
      return sim:structure_factor { greatest = 2 * math.pi, bins = 400 } ]]
    for row = 1, #found.k - 1 do assert.near(0, found.s[row], 1e-20) end
    assert.near(2 * math.pi, found.k[#found.k], 1e-12)
    -- three reciprocal vectors among those of this length: (4 0 0) and its like, and none else
    assert.near(64 * 3 / found.vectors[#found.k], found.s[#found.k], 1e-9)
  end)
end)

describe("a profile", function()
  it("is the weighted mean in each interval", function()
    local worst, empty, total = run(gas_of(2, "wall", 300) .. [[
      sim:map("vx", function(y) return 3 * y end)
      local worst, found = 0, sim:profile { along = "y", columns = { "vx", "mass" }, weight = "none", bins = 8 }
      worst = math.max(worst, math.abs(found.y[1] - 0.375)) -- of the domain: 6/8 wide
    ]] .. [[
      found = sim:profile { along = "x", columns = { "vx", "radius" }, bins = 5, lower = -1, upper = 4, weight = "mass" }
      local total = 0
      for bin = 1, 5 do
        local mass, sum, count = 0, 0, 0
        for id = 1, 300 do
          if sim.x[id] >= bin - 2 and sim.x[id] < bin - 1 then mass, sum, count = mass + sim.mass[id], sum + sim.mass[id] * sim.vx[id], count + 1 end
        end
        assert(found.count[bin] == count, "another count")
        total = total + count
        if count > 0 then worst = math.max(worst, math.abs(found.vx[bin] - sum / mass), math.abs(found.radius[bin] - 0.05)) end
      end
      return worst, found.vx[1], total ]])
    assert.is_true(worst < 1e-13, worst)
    assert.is_true(empty ~= empty)
    assert.is_true(total > 100)
  end)
end)

describe("the distribution of contact forces", function()
  for name, scheme in pairs { projection = "floc.inelastic { friction = 0.3 }", elements = "floc.discrete_element { contact = 'hooke', stiffness = 1e4, damping = 5, integrator = 'velocity_verlet' }" } do
    it("counts the contacts that carry a force: " .. name, function()
      local worst, count, mean, expected = run([[
        local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -10 }, scheme = ]] .. scheme .. [[ }
        sim:add_body { shapes = { floc.plane { point = { 0, 0 }, normal = { 0, 1 } }, floc.plane { point = { 0, 0 }, normal = { 1, 0 } }, floc.plane { point = { 2, 0 }, normal = { -1, 0 } } } }
        sim:add_particles { count = 60, radius = { 0.07, 0.1 }, mass = 1, region = floc.box { lower = { 0.1, 0.1 }, upper = { 1.9, 3 } } }
        sim:run { steps = 600 }
        local found, sum, list = sim:force_distribution { bins = 20, greatest = 4 }, 0, {}
        for _, contact in ipairs(sim:contacts()) do
          if contact.impulse ~= 0 then list[#list + 1] = math.abs(contact.impulse) / sim.time_step sum = sum + list[#list] end
        end
        local counts, worst = {}, 0
        for bin = 1, 20 do counts[bin] = 0 end
        for _, force in ipairs(list) do
          local bin = math.floor(force / (sum / #list) / 0.2) + 1
          if counts[bin] then counts[bin] = counts[bin] + 1 end
        end
        for bin = 1, 20 do worst = math.max(worst, math.abs(found.density[bin] * 0.2 * #list - counts[bin])) end
        assert(#list == found.count, "another number of contacts")
        return worst, found.count, found.mean / (sum / #list) ]])
      assert.is_true(worst < 1e-9, worst)
      assert.is_true(count > 40, count)
      assert.near(1, mean, 1e-12)
      assert.is_nil(expected)
    end)
  end
end)

describe("statistics that are refused", function()
  it("are named", function()
    for _, one in ipairs {
      { "wall", "sim:radial_distribution {}", "range is missing" },
      { "wall", "sim:radial_distribution { range = 3.5 }", "range is 3.5; it must be at most half the length of the periodic axis x, 3" },
      { "wall", "sim:radial_distribution { range = 2.99999 }", "no particle is that far away" },
      { "wall", "sim:radial_distribution { range = 1, bins = 0 }", "bins is 0" },
      { "wall", "sim:structure_factor { greatest = 3 }", "structure_factor: the axis y is not periodic" },
      { "periodic", "sim:structure_factor { greatest = 1e4 }", "terms" },
      { "periodic", "sim:structure_factor { greatest = 0 }", "greatest is 0; it must be a finite number above 0" },
      { "wall", "sim:profile { along = 'z', columns = { 'vx' } }", 'along is "z"; in two dimensions it must be x or y' },
      { "wall", "sim:profile { along = 'y', columns = {} }", "columns is empty" },
      { "wall", "sim:profile { along = 'y', columns = { 3 } }", "columns[1] is 3" },
      { "wall", "sim:profile { along = 'y', columns = { 'vx', 'y' } }", 'columns[2] is "y", a list that the profile has already' },
      { "wall", "sim:profile { along = 'y', columns = { 'speed' } }", 'there is no column "speed"' },
      { "wall", "sim:profile { along = 'y', columns = { 'vx' }, weight = 'weight' }", 'there is no column "weight"' },
      { "wall", "sim:profile { along = 'y', columns = { 'vx' }, lower = 1 }", "lower is given without upper" },
      { "wall", "sim:profile { along = 'y', columns = { 'vx' }, lower = 1, upper = 1 }", "upper is 1; it must be above lower, 1" },
      { "wall", "sim:force_distribution { greatest = 0 }", "greatest is 0" },
    } do
      local message = support.failure('local floc = require "floc"\n' .. gas_of(2, one[1], 9) .. one[2])
      assert.is_truthy(message:find("script.lua:11: ", 1, true), message)
      assert.is_truthy(message:find(one[3], 1, true), message)
    end
  end)
end)
