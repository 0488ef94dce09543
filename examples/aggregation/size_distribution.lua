-- Cluster size distribution against density, type and intensity of forcing, averaged over seeds: what
-- Maury 2004, section 5, calls the real potential interest of the method.
--
--   floc run examples/aggregation/size_distribution.lua
--   floc run examples/aggregation/size_distribution.lua --forcing=noise --particles=2000 --seeds=20
--   floc run examples/aggregation/size_distribution.lua --dimension=3
--
-- Writes distribution.tsv: for each setting and time, the mean number of clusters whose size lies in
-- [1], [2,3], [4,7], [8,15], ... with its standard error over the seeds; and summary.tsv.
local floc = require "floc"

local args = floc.args {
  dimension = { 2, one_of = { 2, 3 } },
  forcing = "both",           -- shear, noise or both
  particles = 500, seed = 1, seeds = 5, end_time = 3, samples = 6,
  densities = { "", text = "fractions that particles fill; empty: 0.1,0.2,0.3 of the plane, 0.02,0.05,0.1 of space" },
  intensities = "0.5,1,2",    -- times the paper's shear rate or sigma
}
local radius, kappa, epsilon = 0.01, 3e-3, 3e-3
local densities = args.densities ~= "" and args.densities or args.dimension == 2 and "0.1,0.2,0.3" or "0.02,0.05,0.1"

local function numbers(text)
  local list = {}
  for word in text:gmatch "[^,]+" do
    list[#list + 1] = tonumber(word) or error("\"" .. word .. "\" in \"" .. text .. "\" is not a number", 0)
  end
  return list
end

local function make(forcing, density, intensity, seed)
  local noise = forcing == "noise"
  local one = args.dimension == 2 and math.pi * radius ^ 2 or 4 / 3 * math.pi * radius ^ 3
  local half = 0.5 * (args.particles * one / density) ^ (1 / args.dimension)
  local function corner(x) return args.dimension == 2 and { x, x } or { x, x, x } end
  local sim = floc.simulation {
    dimension = args.dimension, time_step = noise and 0.01 or 0.02, seed = seed, threads = 1,
    scheme = floc.inelastic { tolerance = 1e-6 * radius },
  }
  sim:add_particles {
    count = args.particles, radius = { 0.85 * radius, 1.15 * radius }, mass = 1,
    region = floc.box { lower = corner(-half), upper = corner(half) },
  }
  for id = 1, sim.count do sim.mass[id] = (sim.radius[id] / radius) ^ 3 end
  sim:add_attraction { kappa = kappa, epsilon = epsilon, scaling = noise and "noise" or "force" }
  if noise then
    sim:add_flow { flow = "still", relaxation_time = 0.2 }
    sim:add_noise { sigma = 0.5 * intensity }
  else
    sim:add_flow { flow = "oscillating_shear", rate = intensity, frequency = math.pi, relaxation_time = 0.2 }
  end
  return sim
end

-- Sizes 1, 2-3, 4-7, ...: the number of the class and its text.
local function class_of(size) return math.floor(math.log(size) / math.log(2) + 1e-9) + 1 end
local function class_text(class)
  local least = 2 ^ (class - 1)
  return class == 1 and "1" or ("%d-%d"):format(least, 2 * least - 1)
end

local function mean_and_error(values)
  local sum, square = 0, 0
  for _, value in ipairs(values) do sum, square = sum + value, square + value * value end
  local mean = sum / #values
  local variance = #values > 1 and math.max(0, square / #values - mean * mean) * #values / (#values - 1) or 0
  return mean, math.sqrt(variance / #values)
end

local distribution = assert(io.open(floc.output "distribution.tsv", "w"))
local summary = assert(io.open(floc.output "summary.tsv", "w"))
distribution:write("forcing\tdensity\tintensity\ttime\tsize\tclusters\tstandard_error\n")
summary:write("forcing\tdensity\tintensity\ttime\tclusters\tmean_size\tlargest\tbonds_made\tbonds_broken\n")

local function one_setting(forcing, density, intensity)
  local counts, totals = {}, {}
  for sample = 1, args.samples do
    counts[sample], totals[sample] = {}, { clusters = {}, mean_size = {}, largest = {}, made = {}, broken = {}, energy = {} }
  end
  local classes = class_of(args.particles)
  for seed = 1, args.seeds do
    local sim = make(forcing, density, intensity, args.seed + seed - 1)
    sim:bond_changes { gap = 0.05 * radius }
    for sample = 1, args.samples do
      sim:run { until_time = args.end_time * sample / args.samples, progress = false }
      local found, total = sim:clusters { gap = 0.05 * radius }, totals[sample]
      local histogram = {}
      for _, size in ipairs(found.sizes) do histogram[class_of(size)] = (histogram[class_of(size)] or 0) + 1 end
      for class = 1, classes do
        counts[sample][class] = counts[sample][class] or {}
        counts[sample][class][seed] = histogram[class] or 0
      end
      total.clusters[seed], total.mean_size[seed], total.largest[seed] = found.count, found.mean_size, found.largest
      total.energy[seed] = sim:measure "kinetic_energy"
      total.made[seed], total.broken[seed] = sim:bond_changes { gap = 0.05 * radius }
    end
  end
  for sample = 1, args.samples do
    local time, total = args.end_time * sample / args.samples, totals[sample]
    for class = 1, classes do
      local mean, standard_error = mean_and_error(counts[sample][class])
      if mean > 0 then
        distribution:write(("%s\t%g\t%g\t%g\t%s\t%g\t%g\n"):format(forcing, density, intensity, time, class_text(class), mean, standard_error))
      end
    end
    summary:write(("%s\t%g\t%g\t%g\t%g\t%g\t%g\t%g\t%g\n"):format(forcing, density, intensity, time,
      (mean_and_error(total.clusters)), (mean_and_error(total.mean_size)), (mean_and_error(total.largest)),
      (mean_and_error(total.made)), (mean_and_error(total.broken))))
  end
  return (mean_and_error(totals[args.samples].mean_size)), (mean_and_error(totals[args.samples].energy))
end

for _, forcing in ipairs(args.forcing == "both" and { "shear", "noise" } or { args.forcing }) do
  local last = {}
  for _, density in ipairs(numbers(densities)) do
    for _, intensity in ipairs(numbers(args.intensities)) do
      local mean_size, energy = one_setting(forcing, density, intensity)
      print(("%s, density %g, intensity %g: mean cluster size %.2f at t = %g"):format(forcing, density, intensity, mean_size, args.end_time))
      last[#last + 1] = { density = density, intensity = intensity, mean_size = mean_size, energy = energy }
    end
  end
  -- At the paper's intensity: what mutations of the physics move; and the dense over the thin.
  local thin, dense
  for _, setting in ipairs(last) do
    if setting.intensity == 1 then
      thin, dense = thin or setting, setting
      floc.report { item = "M46", claim = ("%s: mean cluster size at density %g, t = %g"):format(forcing, setting.density, args.end_time), paper = "Maury 2004, 5",
        paper_says = "sizes depend on density, kind and intensity of the forcing", value = setting.mean_size, ensemble = args.seeds }
      floc.report { item = "M46", claim = ("%s: kinetic energy at density %g, t = %g"):format(forcing, setting.density, args.end_time), paper = "Maury 2004, 5",
        paper_says = "drag and forcing as in section 4", value = setting.energy, ensemble = args.seeds }
    end
  end
  if dense and dense ~= thin then
    floc.report { item = "M37", claim = ("%s: mean size at %g over that at %g"):format(forcing, dense.density, thin.density), paper = "Maury 2004, 4.2 and 5",
      paper_says = "times of aggregation depend strongly on density", value = dense.mean_size / thin.mean_size, expect = { at_least = 1.5 },
      band_from = "2.4 to 7 over seeds; 1.1 without attraction" }
  end
end
distribution:close()
summary:close()
