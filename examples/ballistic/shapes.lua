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
  minimiser = { "projection", one_of = { "projection", "arrow_hurwicz" } },
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

local settings, worst_overlap = {}, 0

local function one_setting(method, count, volume_fraction)
  local values, within, boxes, orientations, last = {}, {}, {}, {}, nil
  for k = 1, #quantities do values[k] = {} end
  for seed = args.first_seed, args.first_seed + args.seeds - 1 do
    last = one_run(method, count, volume_fraction, seed)
    for k, value in ipairs(last.values) do table.insert(values[k], value) end
    for k, value in ipairs(last.pairs_within) do within[k] = (within[k] or 0) + value / args.seeds end
    for k, value in ipairs(last.boxes.y) do boxes[k] = (boxes[k] or 0) + value / args.seeds end
    orientations[#orientations + 1] = last.orientation
    worst_overlap = math.max(worst_overlap, last.overlap)
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
      floc.report { claim = ("event-driven %s is the prototype's: standard errors between them at worst (%s)"):format(name, where),
        paper = "Degond et al. 2024, 4.2", value = worst, expect = { at_most = 3 } }
    end
  end
end

-- Time stepping against event-driven: what is left of the relative difference after three standard errors.
if #methods == 2 then
  local small = args.step_factor <= 0.1
  for k, allowed in ipairs { small and 2 or 10, small and 1 or 2 } do
    local worst, where = -1, ""
    for _, volume_fraction in ipairs(volume_fractions) do
      for n, exact in ipairs(found.event_driven[volume_fraction]) do
        local stepped = found.ballistic[volume_fraction][n]
        local difference = math.abs(stepped.mean[k] - exact.mean[k])
        local noise = 3 * math.sqrt(stepped.error[k] ^ 2 + exact.error[k] ^ 2)
        local percent = 100 * math.max(0, difference - noise) / exact.mean[k]
        if percent > worst then
          worst, where = percent, ("N = %d, Vf = %g: %.4f and %.4f"):format(exact.count, volume_fraction, stepped.mean[k], exact.mean[k])
        end
      end
    end
    floc.report { claim = ("time stepping at %g R/max|V|: %s differs from event-driven, beyond 3 standard errors, by at most (%s)"):format(
      args.step_factor, quantities[k], where), paper = "Degond et al. 2024, Figs. 7 and 11", value = worst, unit = "%",
      expect = not args.rotation and { at_most = allowed } or nil }
  end
  floc.report { claim = "greatest overlap in any run", paper = "tolerance", value = 100 * worst_overlap, unit = "% of R", expect = { at_most = 1.0001 } }
end
