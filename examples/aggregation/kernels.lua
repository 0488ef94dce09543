-- From micro to macro: collision kernels measured from merges, Smoluchowski's equation solved with them, and its size
-- distribution beside that of runs which had no part in the kernel. Maury 2004, section 5, and Degond et al. 2024 name this
-- as what their methods are for. Ballistic (event-driven), shear and noise.
--
--   floc run examples/aggregation/kernels.lua
--   floc run examples/aggregation/kernels.lua --forcing=noise --seeds=20
--   floc run examples/aggregation/kernels.lua --dimension=3
--
-- Writes kernels.tsv (pairs of bins), sizes.tsv (bins at the end), kernels.png.
local floc = require "floc"

local args = floc.args {
  dimension = { 2, one_of = { 2, 3 } },
  forcing = { "all", one_of = { "all", "ballistic", "shear", "noise" } },
  seed = 1, seeds = { 8, integer = true, at_least = 1 }, -- that many runs for the kernel, and that many to compare with
}
local radius, kappa, epsilon = 0.01, 3e-3, 3e-3
local bins = { 1, 2, 3, 5, 9, 17, 33, 65, 129 }
local settings = {
  ballistic = { particles = 2500, density = 0.02, end_time = 60 },
  -- At the paper's rate, 1, attraction alone determines what merges: K(1, 1) is what it is without a flow.
  shear = { particles = 500, density = 0.1, end_time = 3, step = 0.02, rate = 10 },
  ["no flow"] = { particles = 500, density = 0.1, end_time = 1, step = 0.02, rate = 0 },
  noise = { particles = 500, density = 0.1, end_time = 3, step = 0.01 },
}

local in_space = args.dimension == 3
local function point(x, y, z) return in_space and { x, y, z } or { x, y } end
-- Area of the plane or volume of space between two corners.
local function extent(lower, upper)
  local product = 1
  for axis = 1, args.dimension do product = product * (upper[axis] - lower[axis]) end
  return product
end

-- A simulation, its area (in space its volume), and what sim:merges and sim:clusters take. Points of a lattice that fly apart, in a box.
local function fly(setting, seed)
  local sim, size = floc.ballistic_start { dimension = args.dimension, count = setting.particles, volume_fraction = setting.density, seed = seed,
    threads = 1, scheme = floc.event_driven {} }
  sim.time_step = setting.end_time / 20
  return sim, extent(sim.domain.lower, sim.domain.upper), {}, size
end

-- Maury's particles: in a strip that is periodic along the flow, so that the area stays what it is; in a periodic square. A pair
-- sticks at the examples' contact distance, 0.05 r, and comes apart beyond 0.2 r, so that contacts which tremble are one merge.
local function drift(name, setting, seed)
  local area = setting.particles * (in_space and 4 / 3 * math.pi * radius ^ 3 or math.pi * radius ^ 2) / setting.density
  local half = 0.5 * area ^ (1 / args.dimension)
  local box = floc.box { lower = point(-half, -half, -half), upper = point(half, half, half) }
  local sim = floc.simulation {
    dimension = args.dimension, time_step = setting.step, seed = seed, threads = 1, scheme = floc.inelastic { tolerance = 1e-6 * radius },
    domain = box, boundary = name == "noise" and "periodic" or point("periodic", "open", "open"),
  }
  sim:add_particles { count = setting.particles, radius = { 0.85 * radius, 1.15 * radius }, mass = 1, region = box }
  for id = 1, sim.count do sim.mass[id] = (sim.radius[id] / radius) ^ 3 end
  if name == "noise" then
    sim:add_flow { flow = "still", relaxation_time = 0.2 }
    sim:add_noise { sigma = 0.5 }
    sim:add_attraction { kappa = kappa, epsilon = epsilon, scaling = "noise" }
  else
    sim:add_flow { flow = "oscillating_shear", rate = setting.rate, frequency = math.pi, relaxation_time = 0.2 }
    sim:add_attraction { kappa = kappa, epsilon = epsilon }
  end
  return sim, area, { gap = 0.05 * radius, apart = 0.2 * radius }
end

-- One run: sizes at the start, merges, and what the record says at the end.
local function run(name, setting, seed)
  local sim, area, by, size = (name == "ballistic" and fly or function(...) return drift(name, ...) end)(setting, seed)
  local one = { area = area, radius = size, merges = {} }
  sim:merges(by)
  one.sizes = sim:clusters(by.gap and { by = "gap", gap = by.gap } or { by = "link" }).sizes
  if by.gap then sim:every(1, function(running) one.merges[#one.merges + 1] = running:merges(by) end) end
  sim:run { until_time = setting.end_time, progress = false }
  one.merges[#one.merges + 1] = sim:merges(by)
  one.last, one.to = one.merges[#one.merges], sim.time
  return one
end

local function mean_and_error(values)
  local sum, square = 0, 0
  for _, value in ipairs(values) do sum, square = sum + value, square + value * value end
  local n, mean = #values, sum / #values
  return mean, n > 1 and math.sqrt(math.max(0, square / n - mean * mean) / (n - 1)) or 0
end

-- Clusters of a run at times, from its rows.
local function history(one, times)
  local list, count, t = {}, #one.sizes, 1
  for _, found in ipairs(one.merges) do
    for k = 1, found.count do
      while t <= #times and found.time[k] > times[t] do list[t], t = count, t + 1 end
      count = count + found.change[k]
    end
  end
  for k = t, #times do list[k] = count end
  return list
end

-- Sum of squares of sizes at the end over their sum, from the sizes at the start: each merge adds 2 i j.
local function weighted_mean(one)
  local sum, square = 0, 0
  for _, size in ipairs(one.sizes) do sum, square = sum + size, square + size * size end
  for _, found in ipairs(one.merges) do
    for k = 1, found.count do square = square - found.change[k] * 2 * found.size_i[k] * found.size_j[k] end
  end
  return square / sum
end

local function claim(text, value, more)
  local one = { item = "M47", claim = text, paper = "Maury 2004, 5", paper_says = "micro to macro: kernels, coagulation equation", value = value }
  for key, given in pairs(more) do one[key] = given end
  floc.report(one)
end

-- Of the merges of two single ones in runs after a time: mean speed of one with respect to the other, mean cosine between that
-- velocity and the normal of contact, and the standard errors of both.
local function approach(runs, after)
  local speeds, cosines = {}, {}
  for _, one in ipairs(runs) do
    for _, found in ipairs(one.merges) do
      for k = 1, found.count do
        if found.change[k] < 0 and found.time[k] > after and found.size_i[k] == 1 and found.size_j[k] == 1 then
          local wx, wy = found.vx_i[k] - found.vx_j[k], found.vy_i[k] - found.vy_j[k]
          local wz, nz = 0, 0
          if in_space then wz, nz = found.vz_i[k] - found.vz_j[k], found.normal_z[k] end
          local w = math.sqrt(wx * wx + wy * wy + wz * wz)
          speeds[#speeds + 1] = w
          cosines[#cosines + 1] = (wx * found.normal_x[k] + wy * found.normal_y[k] + wz * nz) / w
        end
      end
    end
  end
  local speed, speed_error = mean_and_error(speeds)
  local cosine, cosine_error = mean_and_error(cosines)
  return speed, speed_error, cosine, cosine_error
end

-- Runs that give the kernel and runs that it is held against; sizes at the start of all.
local function collect(name, setting)
  local all = { measured = {}, compared = {}, seeds = {}, start = {}, splits = 0, merges = 0, wrong = 0 }
  for k = 1, 2 * args.seeds do
    local seed = args.seed + (k > args.seeds and 100000 + k - args.seeds or k - 1)
    local one = run(name, setting, seed)
    if k <= args.seeds then all.seeds[k] = seed end
    all.area, all.radius = one.area, one.radius
    table.insert(k > args.seeds and all.compared or all.measured, one)
    for _, size in ipairs(one.sizes) do all.start[size] = (all.start[size] or 0) + 1 / (2 * args.seeds * one.area) end
    all.merges, all.splits = all.merges + one.last.merges, all.splits + one.last.splits
    all.wrong = all.wrong + math.abs(one.last.outside) + math.abs(one.last.clusters - (one.last.start - one.last.merges + one.last.splits))
  end
  return all
end

-- The kernel of the runs in a window of time, of merges less splits: under noise one contact in sixteen comes apart again.
local function kernel_of(runs, from, to)
  local measure = floc.coagulation.measure { bins = bins, volume = runs[1].area }
  for _, one in ipairs(runs) do measure:add { merges = one.merges, sizes = one.sizes, after = from, to = to or one.to } end
  return measure:result { net = true }
end

local kernels = assert(io.open(floc.output "kernels.tsv", "w"))
local sizes = assert(io.open(floc.output "sizes.tsv", "w"))
kernels:write("forcing\tsize_i\tsize_j\tmerges\tsplits\tkernel\tstandard_error\tfit\n")
sizes:write("forcing\tsize\tclusters\tstandard_error\tsmoluchowski\n")

local function write_kernel(name, result)
  for a = 1, #bins do
    for b = a, #bins do
      local one = result.cells[a][b]
      if one.kernel then
        kernels:write(("%s\t%g\t%g\t%d\t%d\t%.6g\t%.3g\t%.6g\n"):format(name, bins[a], bins[b], one.merges, one.splits, one.kernel, one.error,
          result.smooth(one.size_i, one.size_j)))
      end
    end
  end
end

local panels = { {}, {}, {} } -- rows of the picture

-- Number of clusters against time, runs and equation.
local function draw_history(name, all, times, solution)
  local x, y, error, line = {}, {}, {}, {}
  for t, time in ipairs(times) do
    local list = {}
    for k, one in ipairs(all.compared) do list[k] = history(one, times)[t] end
    x[t] = time
    y[t], error[t] = mean_and_error(list)
    line[t] = solution.number[t] * all.area
  end
  table.insert(panels[1], { title = name, x = { label = "t" }, y = { label = "clusters", logarithmic = true },
    series = { { name = "runs", x = x, y = y, error = error, style = "markers" }, { name = "Smoluchowski", x = x, y = line, style = "line" } } })
  return y[#times], line[#times]
end

-- Clusters by bins at the end; each bin over its width, at its middle.
local function draw_sizes(name, all, counts, solution)
  local predicted = floc.coagulation.histogram(solution, #solution.time, bins)
  local x, y, error, line, line_x = {}, {}, {}, {}, {}
  for a = 1, #bins do
    local list, width = {}, (bins[a + 1] or 2 * bins[a]) - bins[a]
    for k, number in ipairs(counts) do list[k] = number[a] end
    local mean, standard_error = mean_and_error(list)
    sizes:write(("%s\t%g\t%.6g\t%.3g\t%.6g\n"):format(name, bins[a], mean, standard_error, predicted[a] * all.area))
    local middle = math.sqrt(bins[a] * (bins[a] + width - 1))
    if mean > 0 then
      x[#x + 1], y[#y + 1], error[#error + 1] = middle, mean / width, math.min(standard_error, 0.99 * mean) / width
    end
    if predicted[a] * all.area > 0.01 then line_x[#line_x + 1], line[#line + 1] = middle, predicted[a] * all.area / width end
  end
  table.insert(panels[2], { title = ("%s, t = %g"):format(name, all.measured[1].to), x = { label = "size", logarithmic = true },
    y = { label = "clusters of a size", logarithmic = true },
    series = { { name = "runs", x = x, y = y, error = error, style = "markers" }, { name = "Smoluchowski", x = line_x, y = line, style = "line" } } })
end

-- K(1, j) and K(j, j) as measured, with the fit as lines.
local function draw_kernel(name, result)
  local series = {}
  for _, kind in ipairs { "K(1, j)", "K(j, j)" } do
    local x, y, error, line = {}, {}, {}, {}
    for b = 1, #bins do
      local one = result.cells[kind == "K(1, j)" and 1 or b][b]
      if one.kernel and one.merges >= 5 then
        x[#x + 1], y[#y + 1], error[#error + 1] = one.size_j, one.kernel, math.min(one.error, 0.99 * one.kernel)
        line[#line + 1] = result.smooth(one.size_i, one.size_j)
      end
    end
    series[#series + 1] = { name = kind, x = x, y = y, error = error, style = "markers" }
    series[#series + 1] = { name = "fit", x = x, y = line, style = "line" }
  end
  table.insert(panels[3], { title = name, x = { label = "j", logarithmic = true }, y = { label = "K", logarithmic = true }, series = series })
end

local function compare(name)
  local setting = settings[name]
  local all = collect(name, setting)
  local result = kernel_of(all.measured)
  local times, counts = {}, {}
  for k = 1, 12 do times[k] = k / 12 * setting.end_time end
  local solution = floc.coagulation.solve { kernel = result.kernel, start = all.start, times = times, largest = 2 * setting.particles }
  local check = floc.coagulation.measure { bins = bins, volume = all.area }
  local weighted, lost = {}, 0
  for k, one in ipairs(all.compared) do
    counts[k], weighted[k] = check:add { merges = one.merges, sizes = one.sizes, to = one.to }, weighted_mean(one)
    local sum = 0
    for _, number in ipairs(counts[k]) do sum = sum + number end
    lost = lost + math.abs(sum - one.last.clusters)
  end
  write_kernel(name, result)
  local clusters, predicted = draw_history(name, all, times, solution)
  draw_sizes(name, all, counts, solution)
  draw_kernel(name, result)

  claim(name .. ": clusters at the start - merges + splits - clusters at the end, and those counted from rows", all.wrong + lost,
    { expect = { equal = 0, tolerance = 0 }, band_from = "exact" })
  if name == "noise" then
    claim("noise: splits over merges", all.splits / all.merges, { ensemble = args.seeds })
  elseif name == "ballistic" then
    claim("ballistic: splits", all.splits, { expect = { equal = 0, tolerance = 0 }, band_from = "links stay" })
  end
  claim(name .. ": K(1, 1)", result.cells[1][1].kernel, { ensemble = args.seeds })
  if name ~= "shear" then claim(name .. ": degree of homogeneity of the kernel", result.degree, { ensemble = args.seeds }) end -- few sizes in the shear
  claim(name .. ": clusters at the end over those of Smoluchowski's equation", clusters / predicted, { ensemble = args.seeds })
  claim(name .. ": mean size by mass at the end over that of the equation", mean_and_error(weighted) / (solution.square[#times] / solution.mass[#times]),
    { ensemble = args.seeds })
  claim(name .. ": mass of the equation at the end over that at the start, less 1", solution.mass[#times] / solution.mass[1] - 1,
    { expect = { equal = 0, tolerance = 1e-12 }, band_from = "rounding" })
  return all
end

-- Particles of one speed v in all directions: K(1, 1) = 2 (R + R) <|v - w|> = 4 R 4 v / pi at all times, as none of them is faster
-- than another. Those that meet do so in proportion to |v - w|, whose mean is then <|v - w|^2> / <|v - w|> = pi v / 2, at impact
-- parameters that are equally likely, so that the cosine to the normal has the mean pi / 4. In space: K(1, 1) = pi (R + R)^2 4 v / 3, with
-- the means 3 v / 2 and 2 / 3. Dilute, so that corrections of density (1.6 times the fraction of the area) are below the error.
local function one_speed()
  local speed, setting = 0.5, { particles = 40000, density = 0.001 }
  local sim, size = floc.ballistic_start { dimension = args.dimension, count = setting.particles, volume_fraction = setting.density, seed = args.seed,
    threads = 1, scheme = floc.event_driven {} }
  local directions = floc.random("directions", args.seed)
  for id = 1, sim.count do
    if in_space then -- in all directions alike, which the cube of the start is not
      local up, round = directions:uniform(-1, 1), directions:uniform(0, 2 * math.pi)
      local across = math.sqrt(1 - up * up)
      sim.vx[id], sim.vy[id], sim.vz[id] = speed * across * math.cos(round), speed * across * math.sin(round), speed * up
    else
      local v = math.sqrt(sim.vx[id] ^ 2 + sim.vy[id] ^ 2)
      sim.vx[id], sim.vy[id] = speed * sim.vx[id] / v, speed * sim.vy[id] / v
    end
  end
  sim.time_step = 5
  sim:merges()
  sim:run { until_time = 25, progress = false }
  local box, start, lower, upper = sim.domain, {}, {}, {} -- centres stay a radius away from walls
  for axis = 1, args.dimension do lower[axis], upper[axis] = box.lower[axis] + size, box.upper[axis] - size end
  for id = 1, sim.count do start[id] = 1 end
  local measure = floc.coagulation.measure { bins = { 1, 2 }, volume = extent(lower, upper) }
  local merges = sim:merges()
  measure:add { merges = merges, sizes = start, to = sim.time, after = 3 } -- the lattice is forgotten
  local one, exact = measure:result().cells[1][1], in_space and 16 * math.pi * size ^ 2 * speed / 3 or 16 * size * speed / math.pi
  local text = in_space and { "16 pi R^2 v / 3", "3 v / 2", "2 / 3" } or { "16 R v / pi", "pi v / 2", "pi / 4" }
  local usual, straight = in_space and 1.5 * speed or math.pi * speed / 2, in_space and 2 / 3 or math.pi / 4
  claim("one speed in all directions: K(1, 1) over " .. text[1], one.kernel / exact,
    { expect = { equal = 1, tolerance = 4 * one.error / exact + 2 * setting.density }, band_from = "exact; four standard errors" })
  local mean, error_of_mean, cosine, error_of_cosine = approach({ { merges = { merges } } }, 3)
  claim("one speed in all directions: mean relative speed of two that merge over " .. text[2], mean / usual,
    { expect = { equal = 1, tolerance = 4 * error_of_mean / usual }, band_from = "exact; four standard errors" })
  claim("one speed in all directions: mean cosine between relative velocity and normal over " .. text[3], cosine / straight,
    { expect = { equal = 1, tolerance = 4 * error_of_cosine / straight }, band_from = "exact; four standard errors" })
end

if args.forcing ~= "shear" and args.forcing ~= "noise" then one_speed() end
for _, name in ipairs(args.forcing == "all" and { "ballistic", "shear", "noise" } or { args.forcing }) do
  local all = compare(name)
  if name == "shear" and in_space then
    claim("shear: K(1, 1) in windows of time over that without a flow", nil, { absent = "in space a run has too few merges of single ones in them" })
  elseif name == "shear" then
    -- The flow swings back: what it sweeps together meets in the first swing, and the same pairs pass each other again.
    local first, later = kernel_of(all.measured, 0.5, 1).cells[1][1], kernel_of(all.measured, 1).cells[1][1]
    local alone = {}
    for k, seed in ipairs(all.seeds) do alone[k] = run("no flow", settings["no flow"], seed) end
    claim("shear: K(1, 1) in 0.5 < t < 1 over that without a flow", first.kernel / kernel_of(alone, 0.5, 1).cells[1][1].kernel, { ensemble = args.seeds })
    claim("shear: mean relative speed of two single ones that merge, t > 0.1", (approach(all.measured, 0.1)), { ensemble = args.seeds })
    claim("shear: K(1, 1) after t = 1 over that in 0.5 < t < 1", later.kernel / first.kernel, { ensemble = args.seeds })
  end
end
kernels:close()
sizes:close()
local list = {}
for _, row in ipairs(panels) do
  for _, panel in ipairs(row) do list[#list + 1] = panel end
end
floc.plot { path = floc.output "kernels.png", columns = #panels[1], panels = list }
