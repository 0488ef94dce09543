-- floc.coagulation: Smoluchowski's equation against its exact solutions, kernels against merges that are drawn with a known
-- kernel, wrong input.

local support = require "support"

local coagulation = support.floc.coagulation

-- log k!
local function log_factorial(k)
  local sum = 0
  for i = 2, k do sum = sum + math.log(i) end
  return sum
end

-- Kernel, density of size k at time t from single ones of density 1, number of clusters. Smoluchowski 1916; Golovin 1963;
-- McLeod 1962 (before the gel point t = 1).
local exact = {
  constant = {
    kernel = function() return 1 end, time = 10,
    density = function(k, t) return (t / 2) ^ (k - 1) / (1 + t / 2) ^ (k + 1) end,
    number = function(t) return 1 / (1 + t / 2) end, square = function(t) return 1 + t end,
  },
  additive = {
    kernel = function(i, j) return i + j end, time = 1,
    density = function(k, t)
      local tau = 1 - math.exp(-t)
      return math.exp(-t + (k - 1) * math.log(k * tau) - k * tau - log_factorial(k))
    end,
    number = function(t) return math.exp(-t) end, square = function(t) return math.exp(2 * t) end,
  },
  product = {
    kernel = function(i, j) return i * j end, time = 0.5,
    density = function(k, t) return math.exp((k - 2) * math.log(k) + (k - 1) * math.log(t) - k * t - log_factorial(k)) end,
    number = function(t) return 1 - t / 2 end, square = function(t) return 1 / (1 - t) end,
  },
}

describe("floc.coagulation", function()
  for name, case in pairs(exact) do
    it("solves Smoluchowski's equation with the " .. name .. " kernel", function()
      local found = coagulation.solve { kernel = case.kernel, start = { [1] = 1 }, times = { case.time / 2, case.time }, largest = 2000, tolerance = 1e-11 }
      for t, time in ipairs(found.time) do
        for k = 1, 30 do assert.near(case.density(k, time), found.density[t][k], 1e-6 * case.density(k, time) + 1e-11) end
        assert.near(case.number(time), found.number[t], 1e-9)
        assert.near(1, found.mass[t], 1e-13)
        assert.is_true(found.beyond[t] < 1e-10)
      end
    end)

    -- Between pivots a factor apart numbers and mass are right, and the second moment is too great, less so with more pivots.
    it("converges with more sizes for the " .. name .. " kernel", function()
      local wrong = {}
      for k, ratio in ipairs { 1.6, 1.26 } do
        local found = coagulation.solve { kernel = case.kernel, start = { [1] = 1 }, times = { case.time }, largest = 4000, integers = 2, ratio = ratio }
        wrong[k] = found.square[1] / case.square(case.time) - 1
        assert.near(1, found.mass[1], 1e-12)
      end
      assert.is_true(wrong[1] > 0 and wrong[2] > 0 and wrong[2] < 0.6 * wrong[1] and wrong[2] < 0.2, wrong[1] .. " " .. wrong[2])
    end)
  end

  it("keeps mass that grows beyond the largest size, and says how much", function()
    local found = coagulation.solve { kernel = function() return 1 end, start = { [1] = 1 }, times = { 0, 200 }, largest = 50 }
    assert.are.equal(1, found.number[1])
    assert.near(1, found.mass[2], 1e-12)
    assert.is_true(found.beyond[2] > 0.1)
  end)

  it("begins with any sizes, and divides what lies between two", function()
    local found = coagulation.solve { kernel = function() return 0 end, start = { [1] = 0.5, [40.5] = 0.25 }, times = { 3 }, largest = 100, integers = 10, ratio = 1.5 }
    assert.near(0.75, found.number[1], 1e-15)
    assert.near(0.5 + 0.25 * 40.5, found.mass[1], 1e-13)
  end)

  it("sums sizes into bins", function()
    local found = coagulation.solve { kernel = function() return 1 end, start = { [1] = 1 }, times = { 2 }, largest = 500, integers = 16 }
    local sums = coagulation.histogram(found, 1, { 1, 2, 3, 5, 9, 33 })
    local total, expected = 0, 0
    for k = 3, 4 do expected = expected + exact.constant.density(k, 2) end
    assert.near(expected, sums[3], 1e-7)
    for _, number in ipairs(sums) do total = total + number end
    assert.near(found.number[1], total, 1e-12)
  end)

  -- Park and Miller's numbers, above 0 and below 1.
  local function numbers(seed)
    local state = 1000003 * seed
    return function()
      state = 48271 * state % 2147483647
      return state / 2147483647
    end
  end

  -- Merges drawn one by one (Gillespie 1975): after exponential times, of a pair of clusters with the probability of its kernel.
  local function draw(kernel, count, volume, until_, random)
    local sizes, rows = {}, { count = 0, time = {}, change = {}, size_i = {}, size_j = {} }
    for k = 1, count do sizes[k] = 1 end
    local time, greatest = 0, kernel(1, 1)
    while #sizes > 1 do
      time = time + -math.log(random()) * 2 * volume / (#sizes * (#sizes - 1) * greatest)
      if time > until_ then break end
      local i, j = 1 + math.floor(random() * #sizes), 1 + math.floor(random() * (#sizes - 1))
      if j >= i then j = j + 1 end
      if random() * greatest < kernel(sizes[i], sizes[j]) then
        local n = rows.count + 1
        rows.count, rows.time[n], rows.change[n], rows.size_i[n], rows.size_j[n] = n, time, -1, sizes[i], sizes[j]
        sizes[i] = sizes[i] + sizes[j]
        greatest = math.max(greatest, kernel(sizes[i], sizes[i]))
        sizes[j] = sizes[#sizes]
        sizes[#sizes] = nil
      end
    end
    return rows
  end

  it("measures the kernel with which merges are drawn, with errors that hold", function()
    local wrong, cells, volume, degrees = 0, 0, 21, 0
    for seed = 1, 5 do
      local random = numbers(seed)
      local measure = coagulation.measure { bins = { 1, 2, 3, 4, 5 }, volume = volume }
      local single = {}
      for k = 1, 600 do single[k] = 1 end
      for _ = 1, 6 do
        measure:add { merges = draw(function(i, j) return 2 * math.sqrt(i * j) end, 600, volume, 0.02, random), sizes = single, to = 0.02 }
      end
      local result = measure:result()
      for a = 1, 4 do
        for b = a, 4 do
          local one = result.cells[a][b]
          if one.merges >= 30 then
            cells = cells + 1
            wrong = wrong + ((one.kernel - 2 * math.sqrt(a * b)) / one.error) ^ 2
          end
        end
      end
      degrees = degrees + result.degree / 5
      assert.near(2, result.kernel(1, 1), 0.25)
    end
    assert.is_true(cells > 20)
    assert.near(1, degrees, 0.2)
    assert.near(1, wrong / cells, 4 * math.sqrt(2 / cells)) -- chi square over its number
  end)

  it("counts a window of time alone, and clusters that come apart", function()
    local rows = { count = 3, time = { 1, 2, 3 }, change = { -1, -1, 1 }, size_i = { 1, 1, 1 }, size_j = { 1, 2, 2 } }
    local measure = coagulation.measure { bins = { 1, 2, 3 }, volume = 2 }
    assert.are.same({ 2, 1, 0 }, measure:add { merges = rows, sizes = { 1, 1, 1, 1 }, to = 4, after = 1.5 })
    local cells = measure:result().cells
    assert.are.equal(0, cells[1][1].merges)
    assert.near((1 * 0.5 + 0 * 1 + 1 * 1) / 2, cells[1][1].exposure, 1e-15) -- two single ones, one, then two: pairs 1, 0, 1
    assert.are.same({ 1, 1 }, { cells[1][2].merges, cells[1][2].splits })
    assert.near((2 * 0.5 + 0 * 1 + 2 * 1) / 2, cells[1][2].exposure, 1e-15)
    assert.near(1 * 1 / 2, cells[1][3].exposure, 1e-15)
    assert.is_nil(measure:result { net = true }.cells[1][2].kernel)
  end)

  local single = "{ kernel = function() return 1 end, start = { [1] = 1 }, times = { 1 }, largest = 9"
  for call, message in pairs {
    ["solve {}"] = "coagulation.solve: kernel is missing",
    ["solve { kernel = 1 }"] = "coagulation.solve: kernel is 1; it must be a function",
    ["solve { kernel = function() return -1 end, start = { [1] = 1 }, times = { 1 }, largest = 9 }"] = "coagulation.solve: kernel(1, 1) is -1; it must be a finite number",
    ["solve { kernel = function() return 1 end, start = { [10] = 1 }, times = { 1 }, largest = 9 }"] = "coagulation.solve: start has the size 10; sizes are numbers from 1",
    ["solve { kernel = function() return 1 end, start = { [1] = -1 }, times = { 1 }, largest = 9 }"] = "coagulation.solve: start[1] is -1",
    ["solve { kernel = function() return 1 end, start = {}, times = { 1 }, largest = 9 }"] = "coagulation.solve: start is empty",
    ["solve { kernel = function() return 1 end, start = { [1] = 1 }, times = { 2, 1 }, largest = 9 }"] = "coagulation.solve: times[2] is 1; it must be a finite number, at least 2",
    ["solve " .. single .. ", ratio = 1 }"] = "coagulation.solve: ratio is 1; it must be",
    ["solve " .. single .. ", steps = 1 }"] = "coagulation.solve: ",
    ["measure { bins = { 2, 1 }, volume = 1 }"] = "coagulation.measure: bins[2] is 1; it must be a finite number above 2",
    ["measure { bins = { 1 }, volume = 0 }"] = "coagulation.measure: volume is 0",
    ["measure { bins = { 1 }, volume = 1 }:result()"] = "coagulation.result: no run was added",
    ["measure { bins = { 2 }, volume = 1 }:add { merges = { time = {}, count = 0 }, sizes = { 1 }, to = 1 }"] = "coagulation.add: a cluster has the size 1, which is below the first bin, 2",
    ["measure { bins = { 1 }, volume = 1 }:add { merges = { time = { 1 }, change = { -1 }, size_i = { 1 }, size_j = { 1 }, count = 1 }, sizes = { 1 }, to = 2 }"]
      = "coagulation.add: the merge of sizes 1 and 1 is of clusters that are not there",
  } do
    it("refuses " .. call, function()
      local got = support.failure('local coagulation = require "floc".coagulation coagulation.' .. call)
      assert.is_truthy(got:find("script.lua:1: " .. message, 1, true), got)
    end)
  end
end)
