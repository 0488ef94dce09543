--[[
From micro to macro: floc.coagulation measures collision kernels from merges (sim:merges) and solves Smoluchowski's
equation with them.

With n_k clusters of size k per volume (area in the plane), and K(i, j) the kernel,

    dn_k/dt = 1/2 sum over i + j = k of K(i, j) n_i n_j  -  n_k sum over j of K(k, j) n_j

measure(): sizes are put into bins. If bins a and b hold N_a(t) and N_b(t) clusters in the volume V, there are
N_a N_b pairs (N_a (N_a - 1)/2 in one bin), and the number of merges M_ab of such pairs has the mean K_ab E_ab,

    E_ab = integral of N_a N_b / V dt,     E_aa = integral of N_a (N_a - 1) / (2 V) dt.

So K_ab = M_ab / E_ab, the estimate of largest likelihood where merges are independent. Between two merges numbers of
clusters are constant, so the integrals follow from the rows alone, exactly. Where clusters come apart, the net kernel has
M_ab less the number of times that such pairs came apart. Its standard error is K / sqrt(M) (Poisson) or,
from two runs on, that of the ratio of sums over runs, whichever is larger.

solve(): the fixed pivots of Kumar and Ramkrishna (Chem. Eng. Sci. 51, 1311, 1996). Clusters have sizes x_1 < x_2 < ...; what
is between two of them is divided such that number and mass are kept. Sizes that are integers from 1 on are solved exactly as
they stand; larger ones are apart by a factor. What is beyond the last one is put there with its mass, and counted. Steps in
time are those of Dormand and Prince (order 5), with the error of each kept below the tolerance.
]]

local check = require "floc.surface.check"

local coagulation = {}

-- ---- kernels measured -----------------------------------------------------------------------------

local measured = {}
measured.__index = measured

local function fields(name, list)
  for _, field in ipairs(list) do field.name, field.type, field[1], field[2] = field[1], field[2], nil, nil end
  list.name, list.owner = "coagulation." .. name, "floc"
  return list
end

local of_measure = fields("measure", {
  { "bins", "table", required = true, text = "The least size of each bin, ascending; the last has no end." },
  { "volume", "number", required = true, above = 0, text = "Of the system; in the plane its area." },
})
local of_add = fields("add", {
  { "merges", "table", required = true, text = "What sim:merges gave, or a list of it in the order of time." },
  { "sizes", "table", required = true, text = "Of all clusters at the start." },
  { "from", "number", default = 0, text = "Time of the start." },
  { "to", "number", required = true, text = "Time of the end." },
  { "after", "number", text = "Merges and pairs count from this time on; default: from." },
})

-- Sizes, positive and, for bins, ascending.
local function check_sizes(call, name, list, ascending)
  local before = 0
  for k, size in ipairs(list) do
    if type(size) ~= "number" or not (size > before and size < math.huge) then
      check.fail(call, "%s[%d] is %s; it must be a finite number above %s", name, k, check.show(size), check.show(before))
    end
    if ascending then before = size end
  end
  if #list == 0 then check.fail(call, "%s is empty; it must hold numbers", name) end
end

local function bin_of(self, size)
  for a = #self.bins, 1, -1 do
    if size >= self.bins[a] then return a end
  end
  check.fail("coagulation.add", "a cluster has the size %s, which is below the first bin, %s", check.show(size), check.show(self.bins[1]))
end

-- measure { bins, volume }: a record of merges, to which runs are added.
function coagulation.measure(given)
  local values = check.table(of_measure, given)
  check_sizes("coagulation.measure", "bins", values.bins, true)
  local bins = {}
  for a, size in ipairs(values.bins) do bins[a] = size end
  return setmetatable({ bins = bins, volume = values.volume, runs = {} }, measured)
end

local function matrix(count, value)
  local m = {}
  for a = 1, count do
    m[a] = {}
    for b = 1, count do m[a][b] = value end
  end
  return m
end

-- Pairs of clusters over the volume, summed over the time between, as far as it counts; and the sums of the logarithms of
-- their sizes. now: number of clusters by bin, and the sum of the logarithms of their sizes.
local function expose(self, run, now, from, to)
  local number, logs = now.number, now.logs
  local part = (to - math.max(from, run.after)) / self.volume
  if part <= 0 then return end
  for a = 1, #self.bins do
    for b = a, #self.bins do
      local others = a == b and 0.5 * (number[b] - 1) or number[b]
      if number[a] > 0 and others > 0 then
        run.exposure[a][b] = run.exposure[a][b] + number[a] * others * part
        run.size_i[a][b] = run.size_i[a][b] + logs[a] * others * part
        run.size_j[a][b] = run.size_j[a][b] + (a == b and others or number[a]) * logs[b] * part
      end
    end
  end
end

local function change_bin(now, bin, size, by)
  now.number[bin] = now.number[bin] + by
  now.logs[bin] = now.number[bin] > 0 and now.logs[bin] + by * math.log(size) or 0
  return now.number[bin] >= 0
end

-- A merge (change -1) or one that came apart (+1).
local function follow(self, run, now, change, i, j, counts)
  local a, b, whole = bin_of(self, i), bin_of(self, j), bin_of(self, i + j)
  local are_there
  if change < 0 then
    are_there = change_bin(now, a, i, -1) and change_bin(now, b, j, -1) and change_bin(now, whole, i + j, 1)
  else
    are_there = change_bin(now, whole, i + j, -1) and change_bin(now, a, i, 1) and change_bin(now, b, j, 1)
  end
  if not are_there then
    check.fail("coagulation.add", "the merge of sizes %s and %s is of clusters that are not there; sizes must be those of all clusters at the start, and merges "
      .. "all since then", check.show(i), check.show(j))
  end
  if not counts then return end
  if a > b then a, b = b, a end
  local count = change < 0 and run.merges or run.splits
  count[a][b] = count[a][b] + 1
end

-- A run: its merges, all clusters at its start, its times. Returns how many clusters each bin has at the end.
function measured:add(given)
  local values = check.table(of_add, given)
  check_sizes("coagulation.add", "sizes", values.sizes)
  local count = #self.bins
  local run = { after = values.after or values.from, merges = matrix(count, 0), splits = matrix(count, 0), exposure = matrix(count, 0), size_i = matrix(count, 0), size_j = matrix(count, 0) }
  local now, time = { number = {}, logs = {} }, values.from
  for a = 1, count do now.number[a], now.logs[a] = 0, 0 end
  for _, size in ipairs(values.sizes) do change_bin(now, bin_of(self, size), size, 1) end
  for _, found in ipairs(values.merges.time and { values.merges } or values.merges) do
    for k = 1, found.count do
      if found.time[k] > values.to then break end
      expose(self, run, now, time, found.time[k])
      time = found.time[k]
      follow(self, run, now, found.change[k], found.size_i[k], found.size_j[k], time > run.after)
    end
  end
  expose(self, run, now, time, values.to)
  self.runs[#self.runs + 1] = run
  return now.number
end

-- Standard error of the ratio of two sums over runs.
local function error_of_ratio(pairs_of, ratio, below)
  local n, square = #pairs_of, 0
  for _, pair in ipairs(pairs_of) do square = square + (pair[1] - ratio * pair[2]) ^ 2 end
  return n > 1 and math.sqrt(square * n / (n - 1)) / below or 0
end

-- Of a pair of bins: merges, splits, exposure, what is counted, the kernel and its standard error (nil without any), and the
-- mean sizes (of their logarithms) of its pairs.
local function cell(self, a, b, net)
  local merges, splits, exposure, size_i, size_j, list = 0, 0, 0, 0, 0, {}
  for k, run in ipairs(self.runs) do
    merges, splits, exposure = merges + run.merges[a][b], splits + run.splits[a][b], exposure + run.exposure[a][b]
    size_i, size_j = size_i + run.size_i[a][b], size_j + run.size_j[a][b]
    list[k] = { run.merges[a][b] - (net and run.splits[a][b] or 0), run.exposure[a][b] }
  end
  local counted = net and merges - splits or merges
  local one = { merges = merges, splits = splits, exposure = exposure, counted = counted }
  if exposure > 0 then one.size_i, one.size_j = math.exp(size_i / exposure), math.exp(size_j / exposure) end
  if counted > 0 and exposure > 0 then
    one.kernel = counted / exposure
    one.error = math.max(math.sqrt(net and merges + splits or merges) / exposure, error_of_ratio(list, one.kernel, exposure))
  end
  return one
end

-- Solves a x = b; nil where a is singular.
local function solve_symmetric(a, b)
  local n = #b
  for column = 1, n do
    local pivot = column
    for row = column + 1, n do
      if math.abs(a[row][column]) > math.abs(a[pivot][column]) then pivot = row end
    end
    a[column], a[pivot], b[column], b[pivot] = a[pivot], a[column], b[pivot], b[column]
    if math.abs(a[column][column]) < 1e-12 then return nil end
    for row = 1, n do
      if row ~= column then
        local factor = a[row][column] / a[column][column]
        for k = column, n do a[row][k] = a[row][k] - factor * a[column][k] end
        b[row] = b[row] - factor * b[column]
      end
    end
  end
  for k = 1, n do b[k] = b[k] / a[k][k] end
  return b
end

-- log K = c1 + c2 log(i j) + c3 log(i/j)^2, homogeneous of degree 2 c2, of largest Poisson likelihood: pairs of bins without
-- merges count as well, so that those with a few are not taken for more than they are. Newton's method. Also the greatest
-- log(i j) and log(i/j)^2 at which there were merges.
local function fit(cells)
  local rows, sum, exposure, with, last_u, last_v = {}, 0, 0, 0, 0, 0
  for _, one in ipairs(cells) do
    if one.exposure > 0 then
      local u, v = math.log(one.size_i * one.size_j), math.log(one.size_i / one.size_j) ^ 2
      rows[#rows + 1] = { 1, u, v, counted = one.counted, exposure = one.exposure }
      sum, exposure = sum + one.counted, exposure + one.exposure
      if one.kernel then with, last_u, last_v = with + 1, math.max(last_u, u), math.max(last_v, v) end
    end
  end
  if with < 3 then return nil end
  local c = { math.log(sum / exposure), 0, 0 }
  for _ = 1, 100 do
    local a, b = matrix(3, 0), { 0, 0, 0 }
    for _, row in ipairs(rows) do
      local expected = row.exposure * math.exp(c[1] + c[2] * row[2] + c[3] * row[3])
      for p = 1, 3 do
        b[p] = b[p] + (row.counted - expected) * row[p]
        for q = 1, 3 do a[p][q] = a[p][q] + expected * row[p] * row[q] end
      end
    end
    local step = solve_symmetric(a, b)
    if not step then return nil end
    local longest = math.max(math.abs(step[1]), math.abs(step[2]), math.abs(step[3]))
    local part = math.min(1, 0.5 / longest)
    for p = 1, 3 do c[p] = c[p] + part * step[p] end
    if longest < 1e-12 then break end
  end
  return c, last_u, last_v
end

local of_result = fields("result", { { "net", "boolean", default = false, text = "The net kernel, of merges less splits." } })
of_result.optional = true

-- What was measured: cells[a][b] (a <= b also as [b][a]), and of all of them the smooth kernel(i, j).
function measured:result(given)
  local net = check.table(of_result, given).net
  if #self.runs == 0 then check.fail("coagulation.result", "no run was added") end
  local cells, list = matrix(#self.bins, false), {}
  for a = 1, #self.bins do
    for b = a, #self.bins do
      local one = cell(self, a, b, net)
      cells[a][b], cells[b][a], list[#list + 1] = one, one, one
    end
  end
  local c, last_u, last_v = fit(list)
  local result = { bins = self.bins, cells = cells, parameters = c, degree = c and 2 * c[2] }
  -- The fit; beyond what was measured it stays what it is at the edge.
  function result.smooth(i, j)
    if not c then check.fail("coagulation.smooth", "fewer than three pairs of bins have merges; there is no fit") end
    return math.exp(c[1] + c[2] * math.min(math.log(i * j), last_u) + c[3] * math.min(math.log(i / j) ^ 2, last_v))
  end
  -- A cell that is known to a tenth, elsewhere the fit.
  function result.kernel(i, j)
    local one = cells[bin_of(self, i)][bin_of(self, j)]
    if one.kernel and one.error < 0.1 * one.kernel then return one.kernel end
    return result.smooth(i, j)
  end
  return result
end

-- ---- Smoluchowski's equation ----------------------------------------------------------------------

local of_solve = fields("solve", {
  { "kernel", "function", required = true, text = "K(i, j) of two sizes, symmetric [volume/time]." },
  { "start", "table", required = true, text = "Numbers of clusters per volume by size: { [1] = 0.2 }." },
  { "times", "table", required = true, text = "At which the solution is wanted, ascending; the start is at time 0." },
  { "largest", "number", required = true, above = 1, text = "The last size; at least that of what is there at the end." },
  { "integers", "integer", default = 32, at_least = 1, at_most = 4096, text = "Sizes 1, 2, ... to this one are all there." },
  { "ratio", "number", default = 1.15, above = 1, at_most = 4, text = "Factor between sizes beyond." },
  { "tolerance", "number", default = 1e-8, above = 0, at_most = 0.1, text = "Of the error of a step, relative to the number of clusters at the start." },
})

-- 1, 2, ..., then by the factor, integers all the way, as sizes are.
local function make_pivots(values)
  local x = {}
  for k = 1, math.min(values.integers, math.ceil(values.largest)) do x[k] = k end
  while x[#x] < values.largest do x[#x + 1] = math.max(x[#x] + 1, math.floor(x[#x] * values.ratio + 0.5)) end
  return x
end

-- Where the sum of two pivots goes: target k with its part, the rest of it (by number and mass) to k + 1.
local function make_pairs(x, kernel)
  local n, list = #x, {}
  for i = 1, n do
    for j = 1, i do
      local rate = kernel(x[j], x[i])
      if type(rate) ~= "number" or not (rate >= 0 and rate < math.huge) then
        check.fail("coagulation.solve", "kernel(%s, %s) is %s; it must be a finite number, at least 0", check.show(x[j]), check.show(x[i]), check.show(rate))
      end
      local size, k = x[i] + x[j], n
      if size < x[n] then
        k = i
        while x[k + 1] <= size do k = k + 1 end
      end
      local one = { i = i, j = j, rate = i == j and 0.5 * rate or rate, to = k }
      if k < n then
        one.second = (size - x[k]) / (x[k + 1] - x[k])
        one.first = 1 - one.second
      else
        one.first, one.second, one.beyond = size / x[n], 0, size > x[n]
      end
      list[#list + 1] = one
    end
  end
  return list
end

-- dn/dt into `slope`; returns the mass per time that goes beyond the last pivot.
local function find_slope(pairs_of, x, n, slope)
  local beyond = 0
  for k = 1, #x do slope[k] = 0 end
  for index = 1, #pairs_of do
    local one = pairs_of[index]
    local rate = one.rate * n[one.i] * n[one.j]
    if rate ~= 0 then
      slope[one.i] = slope[one.i] - rate
      slope[one.j] = slope[one.j] - rate
      slope[one.to] = slope[one.to] + one.first * rate
      if one.second > 0 then slope[one.to + 1] = slope[one.to + 1] + one.second * rate end
      if one.beyond then beyond = beyond + rate * (x[one.i] + x[one.j]) end
    end
  end
  return beyond
end

-- Dormand and Prince 1980.
local stages = {
  {},
  { 1 / 5 },
  { 3 / 40, 9 / 40 },
  { 44 / 45, -56 / 15, 32 / 9 },
  { 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729 },
  { 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656 },
  { 35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84 },
}
local differences = { 71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40 }

local function begin_solver(x, start, pairs_of, tolerance)
  local self = { x = x, pairs = pairs_of, n = {}, next = {}, slope = {}, time = 0, step = nil, beyond = 0, scale = 0, steps = 0 }
  for s = 1, 7 do self.slope[s] = {} end
  for k = 1, #x do self.n[k] = start[k] or 0 self.scale = self.scale + self.n[k] end
  self.allowed = tolerance * self.scale
  find_slope(pairs_of, x, self.n, self.slope[1])
  local fastest = 0
  for k = 1, #x do fastest = math.max(fastest, math.abs(self.slope[1][k])) end
  self.step = fastest > 0 and 0.01 * self.scale / fastest or math.huge
  return self
end

-- One step of length h, into self.next; its error over what is allowed, and the mass that went beyond.
local function try(self, h)
  local n, next_n, worst, beyond = self.n, self.next, 0, 0
  for s = 2, 7 do
    local part = stages[s]
    for k = 1, #self.x do
      local sum = 0
      for r = 1, s - 1 do sum = sum + part[r] * self.slope[r][k] end
      next_n[k] = n[k] + h * sum
    end
    local rate = find_slope(self.pairs, self.x, next_n, self.slope[s])
    if s == 7 then beyond = h * rate end
  end
  for k = 1, #self.x do
    local sum = 0
    for s = 1, 7 do sum = sum + differences[s] * self.slope[s][k] end
    worst = math.max(worst, math.abs(h * sum))
  end
  return worst / self.allowed, beyond
end

local function advance(self, to)
  while self.time < to do
    local h = math.min(self.step, to - self.time)
    local wrong, beyond = try(self, h)
    if wrong <= 1 then
      self.time = h < to - self.time and self.time + h or to
      self.n, self.next = self.next, self.n
      self.slope[1], self.slope[7] = self.slope[7], self.slope[1] -- the last stage is the first of the next step
      self.beyond = self.beyond + beyond
    end
    self.steps = self.steps + 1
    if self.steps > 200000 then
      check.fail("coagulation.solve", "200000 steps end at t = %s of %s; the kernel grows too fast for this tolerance", check.show(self.time), check.show(to))
    end
    local factor = 0.9 * math.max(wrong, 1e-6) ^ -0.2
    if wrong <= 1 and h < self.step then factor = math.max(factor, 1) h = self.step end
    self.step = h * math.min(5, math.max(0.2, factor))
  end
end

-- The start at the pivots, divided as what merges is.
local function place_start(x, start)
  local n = {}
  for size, number in pairs(start) do
    if type(size) ~= "number" or not (size >= 1 and size <= x[#x]) then
      check.fail("coagulation.solve", "start has the size %s; sizes are numbers from 1 to largest, %s", check.show(size), check.show(x[#x]))
    end
    if type(number) ~= "number" or not (number >= 0 and number < math.huge) then
      check.fail("coagulation.solve", "start[%s] is %s; it must be a finite number, at least 0", check.show(size), check.show(number))
    end
    local k = 1
    while k < #x and x[k + 1] <= size do k = k + 1 end
    local second = k < #x and (size - x[k]) / (x[k + 1] - x[k]) or 0
    n[k] = (n[k] or 0) + number * (1 - second)
    if second > 0 then n[k + 1] = (n[k + 1] or 0) + number * second end
  end
  return n
end

local function moments(x, n)
  local number, mass, square = 0, 0, 0
  for k = 1, #x do number, mass, square = number + n[k], mass + n[k] * x[k], square + n[k] * x[k] ^ 2 end
  return number, mass, square
end

-- solve { kernel, start, times, largest }: { size = pivots, time = times, density[t][k], number, mass, square (moments by time),
-- beyond: mass that went beyond the largest size, steps }.
function coagulation.solve(given)
  local values = check.table(of_solve, given)
  local before = 0
  for k, time in ipairs(values.times) do
    if type(time) ~= "number" or not (time >= before and time < math.huge) then
      check.fail("coagulation.solve", "times[%d] is %s; it must be a finite number, at least %s", k, check.show(time), check.show(before))
    end
    before = time
  end
  if #values.times == 0 then check.fail("coagulation.solve", "times is empty; it must hold numbers") end
  local x = make_pivots(values)
  local self = begin_solver(x, place_start(x, values.start), make_pairs(x, values.kernel), values.tolerance)
  if self.scale == 0 then check.fail("coagulation.solve", "start is empty; it must hold numbers of clusters per volume") end
  local found = { size = x, time = {}, density = {}, number = {}, mass = {}, square = {}, beyond = {} }
  for t, time in ipairs(values.times) do
    advance(self, time)
    found.time[t], found.density[t], found.beyond[t] = time, {}, self.beyond
    for k = 1, #x do found.density[t][k] = self.n[k] end
    found.number[t], found.mass[t], found.square[t] = moments(x, self.n)
  end
  found.steps = self.steps
  return found
end

-- Clusters per volume whose size lies in bins that begin at these sizes, of a density of solve(). What is at a pivot stands for
-- the sizes about it, up to the middles between it and its neighbours, of which the bin's part is taken.
function coagulation.histogram(solution, t, bins)
  local x, sums = solution.size, {}
  check_sizes("coagulation.histogram", "bins", bins, true)
  for a = 1, #bins do
    local lower, upper = bins[a] - 0.5, bins[a + 1] and bins[a + 1] - 0.5 or math.huge
    sums[a] = 0
    for k = 1, #x do
      local from = k > 1 and 0.5 * (x[k - 1] + x[k]) or x[k] - 0.5
      local to = k < #x and 0.5 * (x[k] + x[k + 1]) or x[k] + 0.5
      local part = (math.min(to, upper) - math.max(from, lower)) / (to - from)
      if part > 0 then sums[a] = sums[a] + part * solution.density[t][k] end
    end
  end
  return sums
end

check.strict_all(coagulation, 0, "coagulation.")

return coagulation
