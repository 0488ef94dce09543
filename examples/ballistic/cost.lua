-- CPU time of both methods of Degond et al. 2024 against the number of particles, to the single final cluster, with fitted
-- exponents. The paper's verdict is that time stepping is the faster one; measured here it depends on what is asked for.
--
--   floc run examples/ballistic/cost.lua
--   floc run examples/ballistic/cost.lua --counts=1000,4000,16000,64000,250000,1000000 --volume_fractions=0.1,0.2,0.3
--   floc run examples/ballistic/cost.lua --methods=arrow_hurwicz --counts=1000,4000,16000
--
-- Methods: event_driven, projection, arrow_hurwicz, stochastic, rigid. One thread; user CPU time of the process.
-- Writes cost.tsv and cost.png.
local floc = require "floc"

local args = floc.args {
  methods = "event_driven,projection,rigid",
  counts = "1000,4000,16000,64000", volume_fractions = "0.2",
  step_factor = { 1, above = 0 }, seed = { 1, integer = true, at_least = 0 }, dimension = { 2, integer = true, at_least = 2, at_most = 3 },
}

local function words(text)
  local list = {}
  for word in text:gmatch "[^,]+" do list[#list + 1] = word end
  return list
end

local function numbers(text)
  local list = words(text)
  for k, word in ipairs(list) do list[k] = tonumber(word) or error("\"" .. word .. "\" is not a number", 0) end
  return list
end

local schemes = {
  event_driven = function() return floc.event_driven {} end,
  projection = function() return floc.ballistic { step_factor = args.step_factor } end,
  arrow_hurwicz = function() return floc.ballistic { step_factor = args.step_factor, minimiser = "arrow_hurwicz" } end,
  stochastic = function() return floc.ballistic { step_factor = args.step_factor, minimiser = "stochastic" } end,
  rigid = function() return floc.ballistic { step_factor = args.step_factor, rigid = true } end,
}

local function run(method, count, volume_fraction)
  collectgarbage()
  local sim = floc.ballistic_start { count = count, volume_fraction = volume_fraction, dimension = args.dimension, seed = args.seed,
    scheme = schemes[method](), threads = 1 }
  local start = os.clock()
  sim:run { until_ = function(sim) return sim:ballistic_report().clusters == 1 end, progress = false }
  local seconds = os.clock() - start
  local report = sim:ballistic_report()
  local events = method == "event_driven" and report.events or report.merges
  return { method = method, count = sim.count, volume_fraction = volume_fraction, seconds = seconds, steps = sim.step,
    looks = method == "event_driven" and report.predictions + report.second_looks or report.pairs_looked_at, per_event = 1e6 * seconds / events, overlap = sim:report().greatest_overlap, report = report }
end

-- Slope of log(what) against log(count) over the settings that took long enough to be timed.
local function exponent(rows, what)
  local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
  for _, row in ipairs(rows) do
    if row.seconds >= 2e-3 then
      local x, y = math.log(row.count), math.log(row[what])
      n, sx, sy, sxx, sxy = n + 1, sx + x, sy + y, sxx + x * x, sxy + x * y
    end
  end
  if n < 2 then return nil end
  return (n * sxy - sx * sy) / (n * sxx - sx * sx)
end

for _, method in ipairs(words(args.methods)) do
  if not schemes[method] then error("\"" .. method .. "\" is not event_driven, projection, arrow_hurwicz or rigid", 0) end
end

local file = assert(io.open(floc.output "cost.tsv", "w"))
file:write("method\tcount\tvolume_fraction\tseconds\tsteps\tevents\tmicroseconds_per_event\tgreatest_overlap\n")
local series, exponents = {}, {}
for _, method in ipairs(words(args.methods)) do
  for _, volume_fraction in ipairs(numbers(args.volume_fractions)) do
    local rows, x, y = {}, {}, {}
    for k, count in ipairs(numbers(args.counts)) do
      local row = run(method, count, volume_fraction)
      rows[k], x[k], y[k] = row, row.count, row.seconds
      print(("%-14s Vf = %-4g N = %-8d %8.3f s  %7d steps  %6.3f us per event  greatest overlap %.3g R"):format(
        method, volume_fraction, row.count, row.seconds, row.steps, row.per_event, row.overlap))
      file:write(("%s\t%d\t%g\t%.4g\t%d\t%d\t%.4g\t%.3g\n"):format(method, row.count, volume_fraction, row.seconds, row.steps,
        row.report.events or row.report.merges, row.per_event, row.overlap))
      file:flush()
    end
    series[#series + 1] = { name = ("%s, Vf = %g"):format(method, volume_fraction), x = x, y = y, style = "line markers" }
    exponents[#exponents + 1] = { method = method, volume_fraction = volume_fraction, seconds = exponent(rows, "seconds"), looks = exponent(rows, "looks"),
      last = rows[#rows] }
  end
end
file:close()

floc.plot { path = floc.output "cost.png", title = "CPU time to one cluster", x = { label = "N", logarithmic = true },
  y = { label = "user CPU", unit = "s", logarithmic = true }, series = series }
-- What a run looks at is the same on every machine, so its growth can be judged; processor times are for the reader.
local function claim(item, text, where, says, value, more)
  local one = { item = item, claim = text, paper = "Degond et al. 2024, " .. where, paper_says = says, value = value }
  for key, given in pairs(more) do one[key] = given end
  floc.report(one)
end
local last = {}
for _, one in ipairs(exponents) do
  local name = ("%s, Vf = %g"):format(one.method, one.volume_fraction)
  last[one.method .. one.volume_fraction] = one.last
  if one.seconds then
    claim("D14", name .. ": exponent of the CPU time in N", "5", "time stepping: 1.2 to 1.3, by volume fraction", one.seconds, {})
    local is_exact = one.method == "event_driven"
    claim(is_exact and "D12" or "D18", name .. ": exponent of the pairs that were looked at in N", is_exact and "1, 3" or "3", is_exact and "the event-driven method costs N^2" or "N log N by cells", one.looks,
      { expect = { at_least = 0.9, at_most = 1.35 }, band_from = "N log N, and more steps the more particles",
        paper_band = is_exact and { equal = 2, tolerance = 0.2 } or nil, differs = is_exact and "events are predicted among neighbours in cells, in a queue" or nil })
  end
end
for _, volume_fraction in ipairs(numbers(args.volume_fractions)) do
  local one = last["event_driven" .. volume_fraction]
  if one then
    claim("D54", ("event-driven, Vf = %g: pairs that were looked at for an event, N = %d"):format(volume_fraction, one.count), "App. A", "events stay about the square of the clusters", one.looks / one.report.events,
      { expect = { at_most = 100 }, band_from = "neighbours only", paper_band = { at_least = one.count / 4 }, differs = "pairs that are far apart are not looked at" })
  end
end
for _, volume_fraction in ipairs(numbers(args.volume_fractions)) do
  local exact, stepped = last["event_driven" .. volume_fraction], last["projection" .. volume_fraction]
  if exact and stepped then
    local few = stepped.count < 16000 and "with fewer than 16,000 particles both are done in a moment" or nil
    claim("D13", ("CPU time of time stepping over event-driven, N = %d, Vf = %g"):format(stepped.count, volume_fraction), "abstract, 5", "time stepping is faster for large N",
      not few and stepped.seconds / exact.seconds or nil, { absent = few, expect = not few and { at_least = 1 } or nil, band_from = not few and "1.5 to 3" or nil,
        paper_band = not few and { at_most = 1 } or nil, differs = not few and "the event-driven method here does not look at all pairs" or nil })
  end
end
