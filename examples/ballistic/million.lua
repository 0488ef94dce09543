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

-- ---- claims -----------------------------------------------------------------------------------------

local paper = "Degond et al. 2024, "
local function claim(item, text, where, says, value, more)
  local one = { item = item, claim = text, paper = paper .. where, paper_says = says, value = value }
  for key, given in pairs(more) do one[key] = given end
  floc.report(one)
end

-- At given times, and when few are left: what ensembles of the same run give.
for _, moment in ipairs { 1, 10, 100 } do
  local at
  for k, t in ipairs(history.time) do
    if math.abs(t / moment - 1) < 1e-6 then at = k end
  end
  local over = not at and (args.method == "event_driven" and "one cluster is left before" or "steps of time stepping end at other times") or nil
  claim("D57", ("clusters at t = %g"):format(moment), "Fig. 12", "on the way to one cluster", at and history.clusters[at], { ensemble = 1, absent = over })
  claim("D57", ("share of the kinetic energy at t = %g"):format(moment), "Fig. 12", "on the way to one cluster", at and history.energy[at] / energy_at_start, { ensemble = 1, absent = over })
end
local report, rises = sim:ballistic_report(), 0
for k = 2, #history.energy do
  if history.energy[k] > history.energy[k - 1] * (1 + 1e-12) then rises = rises + 1 end
end
claim("D05", "samples at which the kinetic energy has grown", "(2.8)", "collisions lose energy", rises, { expect = { equal = 0 }, band_from = "exact" })
if args.method == "event_driven" then
  claim("D07", "links at the end less N - 1", "2", "one link for each collision", report.links - (sim.count - 1), { expect = { equal = 0 }, band_from = "exact" })
else
  claim("D07", "links at the end beyond N - 1, per particle", "2", "one link for each collision", (report.links - (sim.count - 1)) / sim.count,
    { expect = { at_least = 0, at_most = args.method == "rigid" and 0.01 or 0.2 }, band_from = "steps close loops" })
end
-- The greatest overlap of all pairs that are nearer than two diameters, counted here; not the scheme's own.
local near, radius, overlap = sim:pairs { range = 2 * sim.radius[1], names = { "gap" } }, sim.radius[1], 0
for k = 1, #near.gap do overlap = math.max(overlap, -near.gap[k]) end
claim("D10", "greatest overlap of the last state, in R", "2 (2.11)", "no overlaps", overlap / radius, { expect = { at_most = args.method == "event_driven" and 1e-9 or 0.0101 },
  band_from = args.method == "event_driven" and "rounding" or "the minimiser's tolerance, a hundredth" })
claim("D35", "relative contact number of the last cluster, the particle itself counted", "Fig. 7", "around 0.5", sim:contact_number {} / 6 + 1 / 6, { ensemble = 1, paper_value = 0.5, paper_band = { equal = 0.5, tolerance = 0.06 } })
claim("D57", "fractal dimension of the last cluster, by boxes", "Fig. 11", nil, sim:box_counting {}.dimension, { ensemble = 1 })
floc.report { claim = "CPU time to one cluster", value = spent, unit = "s" }
local clusters_power, energy_power = power(history.clusters), power(history.energy)
if clusters_power then print(("exponents in t: clusters %.3f, kinetic energy %.3f"):format(clusters_power, energy_power)) end
if clusters_power and args.volume_fraction <= 0.01 then -- mean field is the dilute limit
  claim("D68", "exponent of the number of clusters in t", "mean field", nil, clusters_power, { expect = { equal = -1, tolerance = 0.06 }, band_from = "mean field, dilute; 0.03 of one run" })
  claim("D69", "exponent of the kinetic energy in t", "mean field", nil, energy_power, { expect = { equal = -1.31, tolerance = 0.1 }, band_from = "an independent prototype" })
end
