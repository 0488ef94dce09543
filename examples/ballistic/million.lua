-- Many particles, event-driven, from the lattice to one cluster: how the number of clusters falls and energy is lost, and a
-- picture of them on the way. The paper went to 10,000; this goes to a million in less than a minute.
--
--   floc run examples/ballistic/million.lua
--   floc run examples/ballistic/million.lua --particles=1000000
--   floc run examples/ballistic/million.lua --particles=250000 --volume_fraction=0.005   (dilute: the power laws)
--
-- Writes history.tsv, history.png, clusters_*.png (colour by cluster).
local floc = require "floc"

local args = floc.args {
  particles = { 40000, integer = true, at_least = 4 }, volume_fraction = 0.2, seed = { 1, integer = true, at_least = 0 },
  method = { "event_driven", one_of = { "event_driven", "projection", "rigid" } }, step_factor = { 1, above = 0 },
  samples_per_decade = { 5, integer = true, at_least = 1 }, pictures = true,
}
local schemes = {
  event_driven = function() return floc.event_driven {} end,
  projection = function() return floc.ballistic { step_factor = args.step_factor } end,
  rigid = function() return floc.ballistic { step_factor = args.step_factor, rigid = true } end,
}

local sim = floc.ballistic_start { count = args.particles, volume_fraction = args.volume_fraction, seed = args.seed,
  scheme = schemes[args.method](), threads = 1 }
local spent = 0
local history = { time = {}, clusters = {}, energy = {}, mean_mass = {} }
local file = assert(io.open(floc.output "history.tsv", "w"))
file:write("time\tclusters\tmean_mass\tkinetic_energy\tlinks\n")

local energy_at_start = sim:measure "kinetic_energy"

local function note()
  local report, energy = sim:ballistic_report(), sim:measure "kinetic_energy"
  local k = #history.time + 1
  history.time[k], history.clusters[k], history.energy[k] = sim.time, report.clusters, energy
  history.mean_mass[k] = sim.count / report.clusters
  file:write(("%.6g\t%d\t%.6g\t%.8g\t%d\n"):format(sim.time, report.clusters, history.mean_mass[k], energy, report.links))
  return report
end

local function draw(clusters)
  if not args.pictures then return end
  local of = sim:clusters { by = "link" }.of
  sim:picture { path = floc.output(("clusters_%d.png"):format(clusters)), width = 900, height = 900, group = function(id) return of[id] end,
    caption = ("t = %.4g, %d cluster%s"):format(sim.time, clusters, clusters > 1 and "s" or "") }
end

-- Samples at equal distances of log(time); a picture each time that a hundred times fewer clusters are left.
local time, factor, next_picture = 0.1, 10 ^ (1 / args.samples_per_decade), sim.count / 10
repeat
  local before = os.clock()
  sim.time_step = args.method == "event_driven" and time - sim.time or 1e6
  sim:run { until_ = function(sim) return sim.time >= time * (1 - 1e-12) or sim:ballistic_report().clusters == 1 end, progress = false }
  spent = spent + os.clock() - before
  local report = note()
  if report.clusters <= next_picture or report.clusters == 1 then
    draw(report.clusters)
    next_picture = report.clusters / 100
  end
  time = time * factor
until report.clusters == 1
file:close()

-- Exponent of y in t where the mean mass is between 10 and a thousandth of all.
local function power(y)
  local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
  for k, mass in ipairs(history.mean_mass) do
    if mass >= 10 and mass <= math.max(100, sim.count / 1000) then
      local x, value = math.log(history.time[k]), math.log(y[k])
      n, sx, sy, sxx, sxy = n + 1, sx + x, sy + value, sxx + x * x, sxy + x * value
    end
  end
  return n > 2 and (n * sxy - sx * sy) / (n * sxx - sx * sx) or nil
end

floc.plot { path = floc.output "history.png", columns = 2, panels = {
  { title = "Clusters", x = { label = "t", logarithmic = true }, y = { label = "clusters", logarithmic = true },
    series = { { x = history.time, y = history.clusters, style = "line markers" } } },
  { title = "Kinetic energy", x = { label = "t", logarithmic = true }, y = { label = "part of the start's", logarithmic = true },
    series = { { x = history.time, y = (function()
      local parts = {}
      for k, energy in ipairs(history.energy) do parts[k] = energy / energy_at_start end
      return parts
    end)(), style = "line markers" } } },
} }

local rises = 0
for k = 2, #history.energy do
  if history.energy[k] > history.energy[k - 1] * (1 + 1e-12) then rises = rises + 1 end
end
local report = sim:ballistic_report()
local boxes = sim:box_counting {}
floc.report { claim = ("CPU seconds to one cluster, %s, N = %d, Vf = %g"):format(args.method, sim.count, args.volume_fraction), value = spent, unit = "s" }
floc.report { claim = "one cluster at the end", paper = "Degond et al. 2024, 4.2", value = report.clusters, expect = { equal = 1 } }
floc.report { claim = "links at the end, in N - 1", value = report.links / (sim.count - 1), expect = { at_least = 1 } }
floc.report { claim = "samples at which the kinetic energy has grown", value = rises, expect = { equal = 0 } }
floc.report { claim = "greatest overlap", value = 100 * sim:report().greatest_overlap, unit = "% of R", expect = { at_most = 1.0001 } }
floc.report { claim = "contact number / 6 of the final cluster", paper = "Degond et al. 2024, Fig. 7", paper_value = "around 0.5, the particle itself counted", value = sim:contact_number {} / 6 }
floc.report { claim = "fractal dimension by box counting", paper = "Degond et al. 2024, Fig. 11", value = boxes.dimension }
local clusters_power, energy_power = power(history.clusters), power(history.energy)
if clusters_power then
  floc.report { claim = "exponent of the number of clusters in t (mean field, dilute: -1)", value = clusters_power }
  floc.report { claim = "exponent of the kinetic energy in t (prototype, dilute: -1.31)", value = energy_power }
end
