-- Small steps under noise: what becomes of the clusters as the step goes to 0. Maury 2004, section 5, leaves the limit of the
-- stochastic equation open; attraction enters with the square root of the step, so that its force grows without bound.
--
--   floc run examples/aggregation/noise_step.lua
--   floc run examples/aggregation/noise_step.lua --seeds=10
local floc = require "floc"

local args = floc.args { seed = 1, seeds = { 4, integer = true, at_least = 1 }, particles = 500, end_time = 3 }

-- The values of (4.5), and the square of noise.lua.
local radius, kappa, epsilon = 0.01, 3e-3, 3e-3
local steps = { 0.02, 0.01, 0.005, 0.0025, 0.00125 }

local function run(step, seed)
  local sim = floc.simulation { dimension = 2, time_step = step, seed = seed, threads = 1, scheme = floc.inelastic { tolerance = 1e-6 * radius } }
  sim:add_particles { count = args.particles, radius = { 0.85 * radius, 1.15 * radius }, mass = 1, region = floc.box { lower = { -1, -1 }, upper = { 1, 1 } } }
  for id = 1, sim.count do sim.mass[id] = (sim.radius[id] / radius) ^ 3 end
  sim:add_flow { flow = "still", relaxation_time = 0.2 }
  sim:add_attraction { kappa = kappa, epsilon = epsilon, scaling = "noise" }
  sim:add_noise { sigma = 0.5 }
  sim:run { until_time = args.end_time, progress = false }
  return sim:clusters { by = "gap", gap = 0.05 * radius }.count, sim:measure "kinetic_energy"
end

local clusters, energy = {}, {}
for k, step in ipairs(steps) do
  clusters[k], energy[k] = 0, 0
  for seed = args.seed, args.seed + args.seeds - 1 do
    local count, kinetic = run(step, seed)
    clusters[k], energy[k] = clusters[k] + count / args.seeds, energy[k] + kinetic / args.seeds
  end
  print(("step %g: %.1f clusters, kinetic energy %.3f at t = %g"):format(step, clusters[k], energy[k], args.end_time))
end

local function claim(text, value, more)
  local one = { item = "M48", claim = text, paper = "Maury 2004, 5", paper_says = "the limit of small steps is left to analysis", value = value, ensemble = args.seeds }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end
for k = 2, #steps do claim(("clusters with the step %g over those with %g"):format(steps[k - 1], steps[k]), clusters[k - 1] / clusters[k]) end
claim(("kinetic energy with the step %g over that with %g"):format(steps[1], steps[2]), energy[1] / energy[2])
claim(("kinetic energy with the step %g over that with %g"):format(steps[4], steps[5]), energy[4] / energy[5])
