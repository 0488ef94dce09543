-- Remark 4.1 of Maury (2004): how much depends on epsilon, the distance below which discs count as in contact, and on
-- kappa / epsilon, the force between them. The shear of Fig. 1 and the noise of Fig. 2, several epsilon at the same force, and
-- several forces; clusters at the end, and how many bonds break.
--
--   floc run examples/aggregation/contact_distance.lua
--   floc run examples/aggregation/contact_distance.lua --seeds=4
local floc = require "floc"

local args = floc.args { seed = 1, seeds = { 1, at_least = 1, integer = true }, end_time = 10 }
local radius, gap = 0.01, 0.05 * 0.01

local function make(forcing, kappa, epsilon, seed, scaling)
  local is_noise = forcing == "noise"
  local half = is_noise and 1 or 0.5
  local sim = floc.simulation { time_step = is_noise and 0.01 or 0.02, seed = seed, threads = 1, scheme = floc.inelastic { tolerance = 1e-6 * radius } }
  sim:add_particles { count = is_noise and 500 or 1000, radius = { 0.85 * radius, 1.15 * radius }, mass = 1,
    region = floc.box { lower = { -half, -half }, upper = { half, half } } }
  for id = 1, sim.count do sim.mass[id] = (sim.radius[id] / radius) ^ 3 end
  sim:add_attraction { kappa = kappa, epsilon = epsilon, scaling = scaling or (is_noise and "noise" or "force") }
  if is_noise then
    sim:add_flow { flow = "still", relaxation_time = 0.2 }
    sim:add_noise { sigma = 0.5 }
  else
    sim:add_flow { flow = "oscillating_shear", frequency = math.pi, relaxation_time = 0.2 }
  end
  return sim
end

-- Clusters at the end, and bonds that broke between looks five steps apart, per bond and unit of time. Means over the seeds.
local function run(forcing, kappa, epsilon)
  local clusters, rate = 0, 0
  for seed = args.seed, args.seed + args.seeds - 1 do
    local sim, broken, bonds = make(forcing, kappa, epsilon, seed), 0, 0
    sim:bond_changes { gap = gap }
    sim:every(5, function()
      local _, lost = sim:bond_changes { gap = gap }
      broken, bonds = broken + lost, bonds + #sim:pairs { range = gap }.id_i
    end)
    sim:run { until_time = args.end_time, progress = false }
    clusters = clusters + sim:clusters { by = "gap", gap = gap }.count / args.seeds
    rate = rate + broken / math.max(bonds, 1) / (5 * sim.time_step) / args.seeds
  end
  return clusters, rate
end

local function claim(item, text, says, value, more)
  local one = { item = item, claim = text, paper = "Maury 2004, Remark 4.1", paper_says = says, value = value }
  for key, given in pairs(more) do one[key] = given end
  floc.report(one)
end

local little = "epsilon hardly changes results at the same kappa / epsilon"
local enough = "kappa / epsilon large enough stops separation"
for _, forcing in ipairs { "shear", "noise" } do
  local found = {}
  for k, epsilon in ipairs { 1.5e-3, 3e-3, 6e-3 } do
    found[k] = run(forcing, epsilon, epsilon)
    claim("M38", ("%s: clusters at t = %g, epsilon %g"):format(forcing, args.end_time, epsilon), little, found[k], { ensemble = args.seeds })
  end
  local shear = forcing == "shear"
  claim("M38", forcing .. ": clusters at epsilon 1.5e-3 over those at 6e-3", little, found[1] / found[3], { paper_band = { equal = 1, tolerance = 0.2 },
    expect = shear and { at_least = 5, at_most = 14 } or { at_least = 1.2, at_most = 1.9 }, band_from = shear and "8.4 in four runs" or "1.4 in four runs",
    differs = "a wider range captures more discs; the force at contact alone does not decide" })
  local rates = {}
  for k, force in ipairs { 0.1, 0.3, 1, 3 } do
    local _, rate = run(forcing, force * 3e-3, 3e-3)
    rates[k] = rate
    claim(shear and "M39" or "M40", ("%s: bonds that break, per bond and unit of time, kappa / epsilon = %g"):format(forcing, force),
      shear and enough or "separation cannot be avoided in the stochastic case", rate, { ensemble = args.seeds })
  end
  if shear then
    claim("M39", "shear: the same at 1 over that at 0.1", enough, rates[3] / rates[1], { expect = { at_most = 0.5 }, band_from = "falls with the force" })
    claim("M09", "shear: the same at 1", "kappa / epsilon must dominate the other forces", rates[3], { expect = { at_most = 0.05 }, band_from = "a bond in twenty per unit of time" })
  else
    claim("M40", "noise: the same at 1", "separation cannot be avoided in the stochastic case", rates[3], { expect = { at_least = 1e-4, at_most = 0.5 }, band_from = "above 0, and most bonds last" })
  end
end

-- Readings of the text, tried.
do
  local squared = make("shear", 3e-3 ^ 2, 3e-3, args.seed)
  local at_start = squared:clusters { by = "gap", gap = gap }.count
  squared:run { until_time = math.min(1.5, args.end_time), progress = false }
  floc.report { item = "M07", claim = "kappa squared: clusters at t = 1.5 over those at the start", paper = "Maury 2004, 2.1 (2.8), (2.9)", paper_says = "kappa in Psi and in the force",
    value = squared:clusters { by = "gap", gap = gap }.count / at_start, expect = { at_least = 0.9 }, band_from = "nothing aggregates", paper_band = { at_most = 0.5 },
    differs = "the figure shows chains at t = 1.5, so kappa is read once" }
  local without = make("noise", 3e-3, 3e-3, args.seed, "force")
  without:run { until_time = args.end_time, progress = false }
  floc.report { item = "M32", claim = "noise with attraction that enters with h: clusters of 500 at the end", paper = "Maury 2004, 4.2 (4.3)", paper_says = "attraction enters with the square root of h",
    value = without:clusters { by = "gap", gap = gap }.count, expect = { at_least = 400 }, band_from = "with h nothing aggregates" }
end
