-- sim:bond_order: lattices whose order is known in closed form, sums written out here in another way (products of Legendre
-- polynomials of the angles between neighbours, cosines of multiples of angles), rotations, and what is refused.

local support = require "support"

-- What the script returns in a table, one by one.
local function run(script) return (table.unpack or unpack)(support.run('local floc = require "floc"\n' .. script)) end

-- Points of a lattice with the basis in `vectors`, n cells along each, turned by a rotation about an axis that is none of the lattice.
local lattice = [[
  local function turned(p, angle)
    local axis, c, s = { 2 / 7, 3 / 7, 6 / 7 }, math.cos(angle), math.sin(angle)
    if #p == 2 then return { c * p[1] - s * p[2], s * p[1] + c * p[2] } end
    local along = p[1] * axis[1] + p[2] * axis[2] + p[3] * axis[3]
    local cross = { axis[2] * p[3] - axis[3] * p[2], axis[3] * p[1] - axis[1] * p[3], axis[1] * p[2] - axis[2] * p[1] }
    local q = {}
    for k = 1, 3 do q[k] = c * p[k] + s * cross[k] + (1 - c) * along * axis[k] end
    return q
  end
  -- Returns the simulation, and the order of the particle in the middle.
  local function order_of(vectors, n, angle, options)
    local dimension, middle = #vectors, nil
    local sim = floc.simulation { dimension = dimension, time_step = 0.01, scheme = floc.discrete_element { contact = "none" } }
    for i = -n, n do for j = -n, n do for k = dimension == 3 and -n or 0, dimension == 3 and n or 0 do
      local p = {}
      for axis = 1, dimension do
        p[axis] = i * vectors[1][axis] + j * vectors[2][axis] + (dimension == 3 and k * vectors[3][axis] or 0)
      end
      sim:add_particle { position = turned(p, angle), radius = 0.5 - 1e-4, mass = 1 }
      if i == 0 and j == 0 and k == 0 then middle = #sim.x end
    end end end
    local found = sim:bond_order(options)
    return found.of[middle], found, sim
  end
  local h = math.sqrt(0.5)
  local hexagonal, square = { { 1, 0 }, { 0.5, math.sqrt(0.75) } }, { { 1, 0 }, { 0, 1 } }
  local cubic, fcc = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { { 0, h, h }, { h, 0, h }, { h, h, 0 } }
  local legendre = { [4] = function(x) return (35 * x ^ 4 - 30 * x ^ 2 + 3) / 8 end,
    [6] = function(x) return (231 * x ^ 6 - 315 * x ^ 4 + 105 * x ^ 2 - 5) / 16 end, [3] = function(x) return (5 * x ^ 3 - 3 * x) / 2 end }
]]

describe("bond order in the plane", function()
  it("is 1 in its lattice, 0 in another, at any angle", function()
    for angle = 0, 2 do
      local six, four, twelve, square_four, square_six, square_eight = run(lattice .. ("local angle = %d"):format(angle) .. [[

        local function at(vectors, order) return (order_of(vectors, 2, angle, { order = order })) end
        return { at(hexagonal, 6), at(hexagonal, 4), at(hexagonal, 12), at(square, 4), at(square, 6), at(square, 8) } ]])
      assert.near(1, six, 1e-13)
      assert.near(0, four, 1e-13)
      assert.near(1, twelve, 1e-13)
      assert.near(1, square_four, 1e-13)
      assert.near(0, square_six, 1e-13) -- exp(6 i k pi/2) = 1, -1, 1, -1
      assert.near(1, square_eight, 1e-13)
    end
  end)

  it("of corners and edges counts the neighbours that are there", function()
    -- 3 x 3 square: the corner has neighbours at 0 and 90 degrees, the middle of an edge at 0, 90 and 180.
    local corner, edge, neighbors, alone, mean, global = run(lattice .. [[
      local _, found = order_of(square, 1, 0, {})
      return { found.of[1], found.of[2], found.neighbors, found.alone, found.mean, found.global } ]])
    assert.near(0, corner, 1e-13)        -- (1 - 1)/2
    assert.near(1 / 3, edge, 1e-13)      -- |1 - 1 + 1|/3, or |-1 + 1 - 1|/3
    assert.near(24 / 9, neighbors, 1e-15)
    assert.equal(0, alone)
    assert.near(4 / 3 / 9, mean, 1e-13)
    assert.near(0, global, 1e-13)        -- two edges have 1/3, two -1/3
  end)

  for _, by in ipairs { "surfaces", "centers" } do
    it("of a gas is the sum over its pairs by " .. by, function()
      local worst, alone, expected_alone, mean, averages = run(([[
        local sim = floc.simulation { time_step = 0.01, domain = floc.box { lower = { 0, 0 }, upper = { 6, 6 } }, boundary = { "periodic", "wall" },
          scheme = floc.discrete_element { contact = "none" } }
        local place = floc.random "places"
        for id = 1, 150 do
          sim:add_particle { position = { place:uniform(0.1, 5.9), place:uniform(0.1, 5.9) }, radius = place:uniform(0.02, 0.08), mass = 1, allow_overlap = true }
        end
        sim:remove_particle(7)
        local range, by, worst, alone, total, averages = 0.4, "BY", 0, 0, 0, 0
        local lists = sim:pairs { range = range, by = by, names = { "id_i", "id_j", "x", "y" } }
        local function sum(id, what)
          local count, total = 0, what(id) or 0
          for row = 1, lists.count do
            if lists.id_i[row] == id then count, total = count + 1, total + what(lists.id_j[row], lists.x[row], lists.y[row]) end
            if lists.id_j[row] == id then count, total = count + 1, total + what(lists.id_i[row], -lists.x[row], -lists.y[row]) end
          end
          return total, count
        end
        for _, order in ipairs { 5, 6 } do
          local found = sim:bond_order { order = order, range = range, by = by }
          local averaged = sim:bond_order { order = order, range = range, by = by, averaged = true }
          local real, imaginary = {}, {}
          alone, total = 0, 0
          for _, id in ipairs(sim:ids()) do
            local a, count = sum(id, function(_, x, y) return x and math.cos(order * math.atan2(y, x)) end)
            local b = sum(id, function(_, x, y) return x and math.sin(order * math.atan2(y, x)) end)
            real[id], imaginary[id] = a / math.max(count, 1), b / math.max(count, 1)
            local expected = math.sqrt(real[id] ^ 2 + imaginary[id] ^ 2)
            if count == 0 then alone = alone + 1 end
            worst, total = math.max(worst, math.abs(found.of[id] - expected)), total + expected / 149
          end
          for _, id in ipairs(sim:ids()) do
            local a, count = sum(id, function(other) return real[other] end)
            local b = sum(id, function(other) return imaginary[other] end)
            averages = math.max(averages, math.abs(averaged.of[id] - math.sqrt(a * a + b * b) / (count + 1)))
          end
          assert(found.of[7] == nil, "a removed particle has an order")
          if order == 6 then return { worst, found.alone, alone, found.mean - total, averages } end
        end ]]):gsub("BY", by):gsub("math.atan2", "(math.atan2 or math.atan)"))
      assert.is_true(worst < 1e-12, worst)
      assert.is_true(alone > 0 and alone < 100, alone)
      assert.equal(expected_alone, alone)
      assert.near(0, mean, 1e-12)
      assert.is_true(averages < 1e-12, averages)
    end)
  end
end)

describe("bond order in space", function()
  -- By the addition theorem q_l^2 is the mean of P_l(cos of the angle) over all pairs of the neighbours' directions.
  it("is that of the lattices, at any rotation", function()
    for angle = 0, 2 do
      local worst, fcc_four, fcc_six, cubic_four, cubic_six = run(lattice .. ("local angle = %d"):format(angle) .. [[

        local worst, all = 0, {}
        for name, vectors in pairs { fcc = fcc, cubic = cubic } do
          for order, polynomial in pairs(legendre) do
            local found, _, sim = order_of(vectors, 2, angle, { order = order })
            local middle, directions, sum = (#sim.x + 1) / 2, {}, 0
            local ids = sim:neighbors(middle)
            for k, id in ipairs(ids) do
              local d = { sim.x[id] - sim.x[middle], sim.y[id] - sim.y[middle], sim.z[id] - sim.z[middle] }
              local length = math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
              directions[k] = { d[1] / length, d[2] / length, d[3] / length }
            end
            assert(#ids == (name == "fcc" and 12 or 6), "another number of neighbours: " .. #ids)
            for _, a in ipairs(directions) do
              for _, b in ipairs(directions) do sum = sum + polynomial(a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) end
            end
            worst = math.max(worst, math.abs(found ^ 2 - sum / (#ids) ^ 2))
            all[name .. order] = found
          end
        end
        return { worst, all.fcc4, all.fcc6, all.cubic4, all.cubic6 } ]])
      assert.is_true(worst < 1e-13, worst)
      assert.near(0.19094, fcc_four, 5e-6)
      assert.near(0.57452, fcc_six, 5e-6)
      assert.near(math.sqrt(7 / 12), cubic_four, 1e-13) -- 0.76376
      assert.near(math.sqrt(1 / 8), cubic_six, 1e-13)   -- 0.35355
    end
  end)

  it("of one neighbour is 1 at every order, and the average over a periodic crystal is that of a particle", function()
    local worst, difference, global = run(lattice .. [[
      local worst = 0
      for order = 1, 12 do
        local sim = floc.simulation { dimension = 3, time_step = 0.01 }
        for k = 0, 1 do sim:add_particle { position = { 0.3 * k, 0.5 * k, -0.7 * k }, radius = 0.1, mass = 1 } end
        worst = math.max(worst, math.abs(sim:bond_order { order = order, range = 1, by = "centers" }.mean - 1))
      end
      local side = 6 * h
      local crystal = floc.simulation { dimension = 3, time_step = 0.01, domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } },
        boundary = { "periodic", "periodic", "periodic" }, scheme = floc.discrete_element { contact = "none" } }
      for i = 0, 5 do for j = 0, 5 do for k = 0, 5 do
        if (i + j + k) % 2 == 0 then crystal:add_particle { position = { i * h, j * h, k * h }, radius = 0.4, mass = 1 } end
      end end end
      local own = crystal:bond_order { range = 1.2, by = "centers" }
      local averaged = crystal:bond_order { range = 1.2, by = "centers", averaged = true }
      assert(own.neighbors == 12 and own.alone == 0, own.neighbors)
      return { worst, math.max(math.abs(own.mean - averaged.mean), math.abs(own.mean - 0.5745243)), own.global - own.mean } ]])
    assert.is_true(worst < 1e-12, worst)
    assert.is_true(difference < 1e-7, difference)
    assert.near(0, global, 1e-12)
  end)
end)

describe("bond order that is refused", function()
  it("is named", function()
    for _, one in ipairs {
      { "order = 0", "order is 0; it must be an integer, at least 1 and at most 12" },
      { "order = 13", "order is 13" },
      { "range = -1", "range is -1" },
      { "by = 'centers'", 'by is "centers", which does nothing' },
      { "range = 1, by = 'touching'", "surfaces" },
      { "ordr = 6", "order" },
      { "range = 1", "the centres of the particles 1 and 2 are at one place" },
    } do
      local message = support.failure('local floc = require "floc"\nlocal sim = floc.simulation { time_step = 0.01, scheme = floc.discrete_element { contact = "none" } }\n'
        .. 'for _ = 1, 2 do sim:add_particle { position = { 0, 0 }, radius = 1, mass = 1, allow_overlap = true } end\nsim:bond_order { ' .. one[1] .. " }")
      assert.is_truthy(message:find("script.lua:4: ", 1, true), message)
      assert.is_truthy(message:find(one[2], 1, true), message)
    end
  end)
end)
