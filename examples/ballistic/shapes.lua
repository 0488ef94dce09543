-- Shapes of the final cluster by both methods of Degond et al. 2024: Figs. 7, 8, 10, 11 and 12 to 17. Means over seeds with
-- standard errors; the event-driven ones stand beside an independent prototype's.
--
--   floc run examples/ballistic/shapes.lua
--   floc run examples/ballistic/shapes.lua --counts=100,400,900,2500,10000 --seeds=200
--   floc run examples/ballistic/shapes.lua --method=ballistic --step_factor=0.1 --minimiser=arrow_hurwicz
--
-- Writes shapes.tsv (means and errors), curves.tsv (pair distribution, box counts) and one picture per figure.
local floc = require "floc"

local args = floc.args {
  method = { "both", one_of = { "both", "event_driven", "ballistic" } },
  counts = "100,400,900", volume_fractions = "0.1,0.2,0.3",
  seeds = { 40, integer = true, at_least = 2 }, first_seed = { 1, integer = true, at_least = 0 },
  step_factor = { 1, above = 0, text = "the time step in units of R / max|V|" },
  minimiser = { "projection", one_of = { "projection", "arrow_hurwicz", "stochastic" } },
  rigid = false, rotation = false, dimension = { 2, integer = true, at_least = 2, at_most = 3 },
  pictures = true,
}
local full = args.dimension == 2 and 6 or 12 -- neighbours of a particle in the closest packing

local function numbers(text)
  local list = {}
  for word in text:gmatch "[^,]+" do
    list[#list + 1] = tonumber(word) or error("\"" .. word .. "\" in \"" .. text .. "\" is not a number", 0)
  end
  return list
end

-- Final single cluster, event-driven, lattice start, walls, two dimensions: mean and standard error over 1000 seeds (500 for
-- N = 900) of an independent prototype.
local quantities = { "contact number / 6", "fractal dimension", "aspect ratio", "pairs within 4 R", "pairs within 10 R", "pairs within 20 R" }
if args.dimension == 3 then quantities[1] = "contact number / 12" end
local reference = {
  ["100 0.1"] = { { 0.341507, 0.000194971 }, { 1.30071, 0.0019792 }, { 3.11648, 0.0572877 }, { 5.5832, 0.00734491 }, { 23.481, 0.0631952 }, { 60.2794, 0.190233 } },
  ["400 0.1"] = { { 0.344457, 0.000102281 }, { 1.4509, 0.000648987 }, { 2.3005, 0.0319875 }, { 5.68281, 0.00372569 }, { 25.2603, 0.0348642 }, { 75.2046, 0.164664 } },
  ["900 0.1"] = { { 0.344877, 9.68979e-05 }, { 1.54881, 0.000651833 }, { 1.89862, 0.0282591 }, { 5.69994, 0.00351294 }, { 25.5043, 0.0343859 }, { 77.6969, 0.17054 } },
  ["100 0.2"] = { { 0.343743, 0.00021192 }, { 1.58021, 0.00133098 }, { 1.81281, 0.0170238 }, { 5.79824, 0.00722359 }, { 25.8638, 0.0602404 }, { 68.43, 0.152184 } },
  ["400 0.2"] = { { 0.345802, 0.000107643 }, { 1.70761, 0.000511433 }, { 1.4556, 0.00957893 }, { 5.87584, 0.0038752 }, { 27.6689, 0.0347774 }, { 87.1042, 0.155905 } },
  ["900 0.2"] = { { 0.346484, 0.000103012 }, { 1.71388, 0.000327823 }, { 1.30357, 0.00823372 }, { 5.8947, 0.00349733 }, { 28.0919, 0.0324282 }, { 91.8148, 0.161898 } },
}

local function mean_and_error(values)
  local sum, square = 0, 0
  for _, value in ipairs(values) do sum = sum + value end
  local mean = sum / #values
  for _, value in ipairs(values) do square = square + (value - mean) ^ 2 end
  return mean, math.sqrt(square / (#values - 1) / #values)
end

-- ---- one run --------------------------------------------------------------------------------------

local function scheme_of(method)
  if method == "event_driven" then return floc.event_driven {} end
  return floc.ballistic { step_factor = args.step_factor, minimiser = args.minimiser, rigid = args.rigid, rotation = args.rotation }
end

local function is_single(sim) return sim:ballistic_report().clusters == 1 end

local distances = {} -- of the pair distribution, in radii
for k = 2, 20 do distances[#distances + 1] = k end

local function one_run(method, count, volume_fraction, seed)
  local sim, radius = floc.ballistic_start {
    count = count, volume_fraction = volume_fraction, dimension = args.dimension, seed = seed, scheme = scheme_of(method), threads = 1,
  }
  sim:run { until_ = is_single, progress = false }
  local scaled = {}
  for k, distance in ipairs(distances) do scaled[k] = distance * radius end
  local boxes, gyration, pairs_within = sim:box_counting {}, sim:gyration {}, sim:pair_distribution { distances = scaled }
  local report = sim:report()
  return {
    values = { sim:contact_number {} / full, boxes.dimension, gyration.aspect_ratio, pairs_within[3], pairs_within[9], pairs_within[19] },
    pairs_within = pairs_within, boxes = boxes, orientation = math.deg(math.atan(gyration.orientation[2] / gyration.orientation[1])),
    overlap = report.greatest_overlap, sim = sim,
  }
end

-- ---- all runs of a setting --------------------------------------------------------------------------

local settings, worst_overlap, fastest_turn = {}, 0, 0

-- The greatest angular velocity; a simulation in which nothing rotates has no such columns.
local function greatest_turn(sim)
  local greatest = 0
  for _, name in ipairs { "wx", "wy", "wz" } do
    local has, column = pcall(function() return sim[name] end)
    for id = 1, has and sim.count or 0 do greatest = math.max(greatest, math.abs(column[id])) end
  end
  return greatest
end

local function one_setting(method, count, volume_fraction)
  local values, within, boxes, orientations, last = {}, {}, {}, {}, nil
  for k = 1, #quantities do values[k] = {} end
  for seed = args.first_seed, args.first_seed + args.seeds - 1 do
    last = one_run(method, count, volume_fraction, seed)
    for k, value in ipairs(last.values) do table.insert(values[k], value) end
    for k, value in ipairs(last.pairs_within) do within[k] = (within[k] or 0) + value / args.seeds end
    for k, value in ipairs(last.boxes.y) do boxes[k] = (boxes[k] or 0) + value / args.seeds end
    orientations[#orientations + 1] = last.orientation
    worst_overlap, fastest_turn = math.max(worst_overlap, last.overlap), math.max(fastest_turn, greatest_turn(last.sim))
  end
  local setting = { method = method, count = last.sim.count, volume_fraction = volume_fraction, mean = {}, error = {}, within = within,
    boxes = boxes, sides = last.boxes.x, first = last.boxes.first, last = last.boxes.last, orientations = orientations }
  for k = 1, #quantities do setting.mean[k], setting.error[k] = mean_and_error(values[k]) end
  if args.pictures then
    last.sim:picture { path = floc.output(("cluster_%s_%d_%g.png"):format(method, count, volume_fraction)), width = 600, height = 600,
      caption = ("%s, N = %d, Vf = %g"):format(method, count, volume_fraction) }
  end
  settings[#settings + 1] = setting
  print(("%-12s N = %-6d Vf = %-5g contact number / %d = %.4f +- %.4f, fractal dimension %.4f +- %.4f, aspect ratio %.3f +- %.3f"):format(
    method, setting.count, volume_fraction, full, setting.mean[1], setting.error[1], setting.mean[2], setting.error[2], setting.mean[3], setting.error[3]))
  return setting
end

local methods = args.method == "both" and { "event_driven", "ballistic" } or { args.method }
local counts, volume_fractions = numbers(args.counts), numbers(args.volume_fractions)
local found = {} -- [method][volume fraction] is a list over counts
for _, method in ipairs(methods) do
  found[method] = {}
  for _, volume_fraction in ipairs(volume_fractions) do
    local list = {}
    for k, count in ipairs(counts) do list[k] = one_setting(method, count, volume_fraction) end
    found[method][volume_fraction] = list
  end
end

-- ---- tables -----------------------------------------------------------------------------------------

local file = assert(io.open(floc.output "shapes.tsv", "w"))
file:write("method\tcount\tvolume_fraction\tseeds\tquantity\tmean\tstandard_error\treference\treference_error\n")
for _, setting in ipairs(settings) do
  local known = args.dimension == 2 and setting.method == "event_driven" and reference[("%d %g"):format(setting.count, setting.volume_fraction)]
  for k, name in ipairs(quantities) do
    file:write(("%s\t%d\t%g\t%d\t%s\t%.6g\t%.2g\t%s\t%s\n"):format(setting.method, setting.count, setting.volume_fraction, args.seeds, name,
      setting.mean[k], setting.error[k], known and known[k][1] or "", known and known[k][2] or ""))
  end
end
file:close()
file = assert(io.open(floc.output "curves.tsv", "w"))
file:write("method\tcount\tvolume_fraction\tcurve\tx\ty\n")
for _, setting in ipairs(settings) do
  local label = ("%s\t%d\t%g"):format(setting.method, setting.count, setting.volume_fraction)
  for k, distance in ipairs(distances) do file:write(("%s\tpairs within x radii\t%g\t%.6g\n"):format(label, distance, setting.within[k])) end
  for k, side in ipairs(setting.sides) do file:write(("%s\tboxes of side x\t%.6g\t%.6g\n"):format(label, side, setting.boxes[k])) end
end
file:close()

-- ---- pictures ---------------------------------------------------------------------------------------

local short = { event_driven = "event-driven", ballistic = "time stepping" }
local dashes = { event_driven = "solid", ballistic = "dashed" }
local colours = { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xe69f00 }

-- One curve per method and volume fraction; `point` gives x, y and error of a setting.
local function over_counts(point)
  local series = {}
  for _, method in ipairs(methods) do
    for v, volume_fraction in ipairs(volume_fractions) do
      local x, y, errors = {}, {}, {}
      for k, setting in ipairs(found[method][volume_fraction]) do x[k], y[k], errors[k] = setting.count, point(setting) end
      series[#series + 1] = { name = ("%s, Vf = %g"):format(short[method], volume_fraction), x = x, y = y, error = errors,
        style = "line markers", dash = dashes[method], colour = colours[(v - 1) % #colours + 1] }
    end
  end
  return series
end

-- One panel per count, with curves x, y of each method and volume fraction.
local function per_count(curve, x_axis, y_axis, chosen)
  local panels = {}
  for k, count in ipairs(counts) do
    local series = {}
    for _, method in ipairs(methods) do
      for v, volume_fraction in ipairs(volume_fractions) do
        if not chosen or chosen == volume_fraction then
          local x, y = curve(found[method][volume_fraction][k])
          series[#series + 1] = { name = ("%s, Vf = %g"):format(short[method], volume_fraction), x = x, y = y, style = "line markers",
            dash = dashes[method], colour = colours[(v - 1) % #colours + 1] }
        end
      end
    end
    panels[k] = { title = ("N = %d"):format(count), x = x_axis, y = y_axis, series = series, legend = k == 1 and "automatic" or "none" }
  end
  return panels
end

local axis = { label = "N", logarithmic = true }
local caption = ("%d seeds; time step %g R / max|V|, %s"):format(args.seeds, args.step_factor, args.rigid and "rigid" or args.minimiser)
if args.pictures then
  floc.plot { path = floc.output "contact_number.png", title = "Relative contact number (Fig. 7)", caption = caption, x = axis,
    y = { label = quantities[1] }, series = over_counts(function(setting) return setting.mean[1], setting.error[1] end) }
  floc.plot { path = floc.output "pair_distribution.png", title = "Pair distribution (Figs. 8 and 15)", caption = caption, columns = math.min(#counts, 2), width = 1000, height = 380 * math.ceil(#counts / 2) + 60,
    panels = per_count(function(setting) return distances, setting.within end, { label = "distance / R" }, { label = "particles within" }) }
  for _, volume_fraction in ipairs(volume_fractions) do
    local figure = ({ [0.1] = "Fig. 16", [0.2] = "Fig. 10", [0.3] = "Fig. 17" })[volume_fraction] or "as Fig. 10"
    floc.plot { path = floc.output(("box_counting_%g.png"):format(volume_fraction)), caption = caption, columns = math.min(#counts, 2), width = 1000, height = 380 * math.ceil(#counts / 2) + 60,
      title = ("Boxes that hold a particle, Vf = %g (%s)"):format(volume_fraction, figure),
      panels = per_count(function(setting)
        local x, y = {}, {}
        for n = setting.first, setting.last do x[#x + 1], y[#y + 1] = setting.sides[n], setting.boxes[n] end
        return x, y
      end, { label = "side", logarithmic = true }, { label = "boxes", logarithmic = true }, volume_fraction) }
  end
  local dimension_panels = { { title = "Fractal dimension (Fig. 11)", x = axis, y = { label = "fractal dimension" },
    series = over_counts(function(setting) return setting.mean[2], setting.error[2] end) } }
  if #methods == 2 then
    local series = {}
    for v, volume_fraction in ipairs(volume_fractions) do
      local x, y = {}, {}
      for k, exact in ipairs(found.event_driven[volume_fraction]) do
        x[k], y[k] = exact.count, 100 * math.abs(found.ballistic[volume_fraction][k].mean[2] / exact.mean[2] - 1)
      end
      series[v] = { name = ("Vf = %g"):format(volume_fraction), x = x, y = y, style = "line markers" }
    end
    dimension_panels[2] = { title = "Difference of the methods", x = axis, y = { label = "difference", unit = "%" }, series = series }
  end
  floc.plot { path = floc.output "fractal_dimension.png", caption = caption, columns = #dimension_panels, width = 1000, height = 420, panels = dimension_panels }
  floc.plot { path = floc.output "aspect_ratio.png", title = "Aspect ratio (Fig. 13)", caption = caption, x = axis,
    y = { label = "aspect ratio" }, series = over_counts(function(setting) return setting.mean[3], setting.error[3] end) }
  if args.dimension == 2 then
    floc.plot { path = floc.output "orientation.png", title = "Direction of the leading eigenvector (Fig. 14)", caption = caption,
      columns = math.min(#counts, 2), width = 1000, height = 380 * math.ceil(#counts / 2) + 60, panels = (function()
        local panels = {}
        for k, count in ipairs(counts) do
          local series = {}
          for _, method in ipairs(methods) do
            local sorted, share = {}, {}
            for _, volume_fraction in ipairs(volume_fractions) do
              for _, angle in ipairs(found[method][volume_fraction][k].orientations) do sorted[#sorted + 1] = angle end
            end
            table.sort(sorted)
            for n = 1, #sorted do share[n] = n / #sorted end
            series[#series + 1] = { name = short[method], x = sorted, y = share, style = "steps", dash = dashes[method] }
          end
          panels[k] = { title = ("N = %d"):format(count), x = { label = "angle", unit = "degrees", lower = -90, upper = 90 },
            y = { label = "part of the clusters below" }, series = series }
        end
        return panels
      end)() }
  end
end

-- ---- claims -----------------------------------------------------------------------------------------

local paper = "Degond et al. 2024, "
local function claim(item, text, where, says, value, expect, band_from, more)
  local one = { item = item, claim = text, paper = paper .. where, paper_says = says, value = value, expect = expect, band_from = band_from }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end

-- As many clusters as --full of the papers' page has: small differences show.
local many = args.seeds >= 200 and #counts * #volume_fractions >= 9

-- Event-driven against the prototype: distance in standard errors of the difference, the worst over all settings.
if args.dimension == 2 and found.event_driven then
  for k, name in ipairs(quantities) do
    local worst, where
    for _, setting in ipairs(settings) do
      local known = setting.method == "event_driven" and reference[("%d %g"):format(setting.count, setting.volume_fraction)]
      if known then
        local distance = math.abs(setting.mean[k] - known[k][1]) / math.sqrt(setting.error[k] ^ 2 + known[k][2] ^ 2)
        if not worst or distance > worst then
          worst, where = distance, ("N = %d, Vf = %g: %.5g, prototype %.5g"):format(setting.count, setting.volume_fraction, setting.mean[k], known[k][1])
        end
      end
    end
    if worst then
      print(("event-driven %s: the most from the prototype at %s"):format(name, where))
      claim(k <= 2 and "D40" or "D64", ("event-driven %s beside an independent prototype: standard errors at worst"):format(name), "4.2", nil, worst, { at_most = 3.5 },
        "1000 seeds of the prototype; the worst of several settings")
    end
  end
end

-- The difference of two settings in quantity k: relative to the second, and its standard error.
local function difference(one, other, k)
  return one.mean[k] / other.mean[k] - 1, math.sqrt(one.error[k] ^ 2 + other.error[k] ^ 2) / other.mean[k]
end
-- Mean over all settings of both methods of a relative difference, with its standard error.
local function over_all(k, visit)
  local sum, square, n = 0, 0, 0
  for _, volume_fraction in ipairs(volume_fractions) do
    for c, exact in ipairs(found.event_driven[volume_fraction]) do
      local value, sd = difference(found.ballistic[volume_fraction][c], exact, k)
      if visit then visit(value, sd) end
      sum, square, n = sum + value, square + sd ^ 2, n + 1
    end
  end
  return sum / n, math.sqrt(square) / n
end

local reason = args.dimension ~= 2 and "a claim of the plane" or args.rotation and "the paper's clusters do not rotate" or args.rigid and "clusters are rigid" or nil
if #methods == 2 and not reason then
  local small = args.step_factor <= 0.1
  local mean, sd = over_all(1)
  claim("D38", ("contact number, time stepping at %g R/max|V| over event-driven, less 1: mean of all settings"):format(args.step_factor), "Fig. 7", "above it for N > 2500",
    mean, small and { at_least = -4 * sd, at_most = 0.03 } or { at_least = 0.04, at_most = 0.12 }, "0.07 to 0.10 at the full step, less with smaller ones", { standard_error = sd })
  local bias, noise = 0, 0
  for _, volume_fraction in ipairs(volume_fractions) do
    local value, error_of_it = difference(found.ballistic[volume_fraction][1], found.event_driven[volume_fraction][1], 1)
    bias, noise = bias + value / #volume_fractions, noise + (error_of_it / #volume_fractions) ^ 2
  end
  claim("D38", ("the same at N = %d alone, in standard errors"):format(counts[1]), "Fig. 7", "the methods agree up to N = 2500", bias / math.sqrt(noise), { at_least = args.seeds >= 20 and 4 or 1 },
    "seen with 20 seeds", counts[1] <= 2500 and args.seeds >= 20 and not small and { paper_band = { at_least = -4, at_most = 4 }, differs = "time stepping lets particles overlap before it parts them, at any N" } or nil)
  local worst = 0
  over_all(1, function(value, error_of_it) worst = math.max(worst, 100 * (math.abs(value) - 3 * error_of_it)) end)
  claim("D17", "the same, in %, beyond 3 standard errors, at worst", "3", "the step size plays a leading role", worst, { at_most = small and 2 or 10 }, "measured with 400 seeds")
  -- Fractal dimension: the paper's errors are at most 5 %, below 3 % in the mean.
  local greatest, sum, n = 0, 0, 0
  over_all(2, function(value) greatest, sum, n = math.max(greatest, math.abs(value)), sum + math.abs(value), n + 1 end)
  claim("D48", "greatest relative difference of the fractal dimension, in %", "Fig. 11", "the largest error is 5 %, at N = 100, Vf = 0.1", 100 * greatest, { at_most = 5 }, "the paper", { paper_value = 5 })
  claim("D49", "mean relative difference of the fractal dimension, in %", "Fig. 11", "on average below 3 %", 100 * sum / n, { at_most = 3 }, "the paper", { paper_value = 3 })
  mean, sd = over_all(5)
  claim("D41", "pairs within 10 R, time stepping over event-driven, less 1: mean of all settings", "Fig. 8", "time stepping is slightly denser", mean, { at_least = 0.005, at_most = 0.12 },
    "0.02 to 0.06", { standard_error = sd })
  mean, sd = over_all(3)
  claim("D62", "aspect ratio, time stepping over event-driven, less 1, in standard errors", "Fig. 13", "the methods cannot be told apart", mean / sd,
    many and { at_least = 2, at_most = 9 } or { at_least = -4, at_most = 4 }, many and "seen with 200 seeds" or "4 standard errors",
    many and { paper_band = { at_least = -2, at_most = 2 }, differs = "time stepping lets particles overlap before it parts them: its clusters are 2 to 9 % longer, which takes many runs to see" } or nil)
  -- Figs. 10, 16, 17: boxes that hold a particle, over the range of the fit.
  local apart, apart_last = 0, 0
  for _, volume_fraction in ipairs(volume_fractions) do
    for c, exact in ipairs(found.event_driven[volume_fraction]) do
      local stepped = found.ballistic[volume_fraction][c]
      for m = exact.first, exact.last do apart = math.max(apart, math.abs(stepped.boxes[m] / exact.boxes[m] - 1)) end
      if volume_fraction == volume_fractions[#volume_fractions] then
        for m = exact.first, exact.last do apart_last = math.max(apart_last, math.abs(stepped.boxes[m] / exact.boxes[m] - 1)) end
      end
    end
  end
  claim("D47", "numbers of boxes of both methods, at the largest volume fraction: greatest relative difference", "Figs. 16, 17", "the curves lie on one another", apart_last, { at_most = 0.1 }, "0.02 to 0.07 with 20 seeds")
  claim("D46", "numbers of boxes of both methods: greatest relative difference over the range of the fit", "Figs. 10, 16, 17", "the curves lie on one another", apart, { at_most = 0.1 },
    "0.02 to 0.07 with 20 seeds; curves that lie on one another in a figure")
end

-- The thinnest and smallest setting once more: rigid clusters, and steps of a third.
if #methods == 2 and not reason and args.step_factor == 1 then
  local function contact_number(options)
    local values = {}
    for seed = args.first_seed, args.first_seed + args.seeds - 1 do
      local sim = floc.ballistic_start { count = counts[1], volume_fraction = volume_fractions[1], seed = seed, scheme = floc.ballistic(options), threads = 1 }
      sim:run { until_ = is_single, progress = false }
      values[#values + 1] = sim:contact_number {} / full
    end
    return mean_and_error(values)
  end
  local exact, stepped = found.event_driven[volume_fractions[1]][1], found.ballistic[volume_fractions[1]][1]
  local rigid, rigid_error = contact_number { rigid = true }
  claim("D20", "contact number of rigid clusters less that of event-driven ones, in standard errors", "3", "a cluster may be rigid or not", (rigid - exact.mean[1]) / math.sqrt(rigid_error ^ 2 + exact.error[1] ^ 2),
    { at_least = -4, at_most = 4 }, "rigid clusters are moved back to where they touched")
  local third, third_error = contact_number { step_factor = 0.3 }
  claim("D39", "fall of the contact number with steps of 0.3 R/max|V|, in standard errors", "Fig. 7", "smaller steps reduce N_c", (stepped.mean[1] - third) / math.sqrt(third_error ^ 2 + stepped.error[1] ^ 2),
    { at_least = args.seeds >= 20 and 2 or 0 }, "overlaps in a step become fewer")
  local same = 0
  for k, angle in ipairs(exact.orientations) do
    if math.abs(angle - stepped.orientations[k]) < 1e-6 then same = same + 1 end
  end
  claim("D19", "seeds at which both methods end in the same cluster", "3", "single runs differ, means agree", same, { at_most = 0 }, "directions of the axes")
  if #volume_fractions > 1 then
    local function apart_at(volume_fraction) return math.abs((difference(found.ballistic[volume_fraction][#counts], found.event_driven[volume_fraction][#counts], 5))) end
    claim("D42", "difference of the pairs within 10 R at the largest volume fraction over that at the smallest", "Fig. 8", "agreement is best at large volume fraction",
      apart_at(volume_fractions[#volume_fractions]) / apart_at(volume_fractions[1]))
  end
end
if args.dimension == 3 and #methods == 2 then
  local mean, sd = over_all(2)
  claim("D65", "space: fractal dimension, time stepping over event-driven, less 1", "5", "three dimensions are left for later", mean, { at_least = -0.1, at_most = 0.1 }, "as in the plane", { standard_error = sd })
end

if args.dimension == 2 and not reason then
  for _, method in ipairs(methods) do
    local name, low, high, others = short[method], 1, 0, 0
    local largest_fraction, smallest_fraction = volume_fractions[#volume_fractions], volume_fractions[1]
    for _, setting in ipairs(settings) do
      if setting.method == method then
        local literal = setting.mean[1] + 1 / 6
        low, high, others = math.min(low, literal), math.max(high, literal), math.max(others, 6 * setting.mean[1])
      end
    end
    claim("D35", name .. ": least relative contact number, the particle itself counted", "Fig. 7", "around 0.5 for all N", low, { at_least = 0.49, at_most = 0.56 }, "a tree has 1/6 + 1/3 (1 - 1/N)", { paper_value = 0.5, paper_band = { equal = 0.5, tolerance = 0.06 } })
    claim("D35", name .. ": greatest of them", "Fig. 7", "around 0.5 for all N", high, { at_least = 0.5, at_most = 0.58 }, "loops add a few per cent", { paper_value = 0.5, paper_band = { equal = 0.5, tolerance = 0.09 } })
    claim("D36", name .. ": neighbours of a particle, without itself", "4.2.1", "each particle touches three others on average", others, { at_least = 2, at_most = 2.4 }, "a tree gives 2 (N - 1)/N",
      { paper_value = 3, paper_band = { equal = 3, tolerance = 0.3 }, differs = "the printed sum counts the particle itself: two neighbours and itself are three" })
    -- Trends, as the slope between the ends over its standard error.
    local function trend(item, text, where, says, first, last, k, sign, least)
      local sd = math.sqrt(first.error[k] ^ 2 + last.error[k] ^ 2)
      claim(item, name .. ": " .. text .. ", in standard errors", where, says, sign * (last.mean[k] - first.mean[k]) / sd, { at_least = least }, "at least " .. least)
    end
    local thin = found[method][smallest_fraction]
    if #thin > 1 then
      trend("D50", "rise of the fractal dimension with N", "Fig. 11", "the dimension rises with N", thin[1], thin[#thin], 2, 1, 3)
      trend("D59", "fall of the aspect ratio with N", "Fig. 13", "falls slightly with N", thin[1], thin[#thin], 3, -1, args.seeds >= 40 and 3 or 1)
      -- sd of one run from the standard error; the F test at 1 % for 20 seeds is a ratio of 3.0
      local ratio = (thin[1].error[5] / thin[1].mean[5]) / (thin[#thin].error[5] / thin[#thin].mean[5])
      claim("D43", name .. ": relative scatter of the pairs within 10 R, fewest particles over most", "Fig. 8", "the variability falls with N", ratio, { at_least = 1.05 }, "about sqrt of the ratio of N")
      claim("D58", name .. ": scatter of the aspect ratio, fewest particles over most", "Fig. 13", "the variance is largest at N = 100", thin[1].error[3] / thin[#thin].error[3], { at_least = 1.1 }, "1.8 with 1000 seeds")
    end
    if largest_fraction > smallest_fraction then
      trend("D60", "fall of the aspect ratio with the volume fraction", "Fig. 13", "falls with the volume fraction", thin[1], found[method][largest_fraction][1], 3, -1, args.seeds >= 40 and 3 or 1)
      local dense = found[method][largest_fraction]
      local change = math.abs(dense[#dense].mean[1] / thin[#thin].mean[1] - 1)
      claim("D37", name .. ": change of the contact number from the smallest volume fraction to the largest, relative", "Fig. 7", "hardly depends on the volume fraction", change, { at_most = 0.04 }, "0.005 to 0.03")
    end
    -- Orientations: Kuiper's statistic against the uniform distribution; 2.0 is exceeded by one of a hundred.
    local angles = {}
    for _, setting in ipairs(settings) do
      if setting.method == method then
        for _, angle in ipairs(setting.orientations) do angles[#angles + 1] = (angle + 90) / 180 end
      end
    end
    table.sort(angles)
    local above, below = 0, 0
    for n, u in ipairs(angles) do above, below = math.max(above, n / #angles - u), math.max(below, u - (n - 1) / #angles) end
    local kuiper = (above + below) * (math.sqrt(#angles) + 0.155 + 0.24 / math.sqrt(#angles))
    claim("D63", name .. ": Kuiper's statistic of the directions", "Fig. 14", "no preferred direction", kuiper,
      many and { at_least = 2.0, at_most = 4.0 } or { at_most = 2.0 }, many and "seen with 200 seeds" or "exceeded by one set of directions in a hundred",
      many and { paper_band = { at_most = 2.0 }, differs = "1,800 clusters show that the diagonals of the square box are more frequent: 54 % of the directions are between 20 and 60 degrees from its sides, and 44 % of uniform ones" } or nil)
  end
end
if #methods == 2 then
  claim("D10", "greatest overlap in any run, in % of R", "2 (2.11)", "no overlaps", 100 * worst_overlap, { at_most = 1.0001 }, "the minimiser's tolerance, a hundredth")
end
if not args.rotation then
  claim("D08", "greatest angular velocity in any final cluster", "2", "clusters do not rotate", fastest_turn, { equal = 0, tolerance = 0 }, "exact")
end
if reason then
  for _, item in ipairs { "D17", "D35", "D36", "D37", "D38", "D41", "D43", "D46", "D48", "D49", "D50", "D58", "D59", "D60", "D62", "D63" } do
    floc.report { item = item, claim = item .. ", which is of clusters in the plane that are neither rigid nor rotate", paper = paper .. "4.2", absent = reason }
  end
end
