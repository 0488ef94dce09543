-- A column of discs on a rough floor collapses to both sides: how far it runs out, for comparison with the law of Lube, Huppert,
-- Sparks and Freundt, Phys. Rev. E 72 (2005) 041301, for columns in a channel: (d_end - d_0)/d_0 = 1.2 a for a < 1.8 and
-- 1.9 a^(2/3) for a > 2.8, d the half width of the base, a its height over d_0. One line of output a run.
--
--   build/floc run benchmarks/granular/collapse.lua --ratio=4 --seed=1
--
-- The front is that of the connected heap: the farthest grain that a chain of gaps below `gap` diameters joins to the
-- middle. Grains that rolled off alone do not count, as in the experiments.
local floc = require "floc"
local args = floc.args {
  ratio = { 1, above = 0, text = "height over half width" },
  across = { 20, integer = true, at_least = 4, text = "discs over the half width" },
  friction = { 0.5, at_least = 0 },
  rolling = { 0.1, at_least = 0, text = "moment arm of the resistance against rolling, in diameters" },
  gap = { 0.5, at_least = 0, text = "in diameters, in the connected heap" },
  time_step = { 1e-3, above = 0, text = "in s" },
  tolerance = { 1e-4, above = 0, text = "of non-overlap and friction, in diameters" },
  seed = 1,
}
local d, g = 0.01, 9.81
local half = args.across * d
local sim = floc.simulation { time_step = args.time_step, gravity = { 0, -g }, seed = args.seed,
  scheme = floc.inelastic { friction = args.friction, rolling = args.rolling * d, tolerance = args.tolerance * d } }
sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
local left = sim:add_body { shape = floc.plane { point = { -half, 0 }, normal = { 1, 0 } } }
local right = sim:add_body { shape = floc.plane { point = { half, 0 }, normal = { -1, 0 } } }
sim:add_particles { count = math.floor(1.9 * args.across ^ 2 * args.ratio), radius = { 0.45 * d, 0.55 * d }, density = 2500,
  region = floc.box { lower = { -half, 0 }, upper = { half, 2.2 * args.ratio * half } } }
local function height() -- of the bed, so that grains and holes below a flat top fill it as they do below
  return 2 * sim:sum(function(mass, y) return mass * y end) / sim:sum(function(mass) return mass end)
end
sim:run { until_time = 1 + math.sqrt(2 * args.ratio * half / g) }
local a = height() / half
left:set_motion { velocity = { -20, 0 } }
right:set_motion { velocity = { 20, 0 } }
local fall = math.sqrt(a * half / g)
sim:run { until_ = { speed_below = 0.02 * math.sqrt(g * d), lasting = 0.5 * fall }, until_time = sim.time + 40 * fall }
local found = sim:clusters { gap = args.gap * d, by = "gap" }
local largest, size = 1, {}
for id = 1, sim.count do
  local of = found.of[id]
  size[of] = (size[of] or 0) + 1
  if size[of] > (size[largest] or 0) then largest = of end
end
local low, high, top = 0, 0, 0
for id = 1, sim.count do
  if found.of[id] == largest then
    low, high, top = math.min(low, sim.x[id] - sim.radius[id]), math.max(high, sim.x[id] + sim.radius[id]), math.max(top, sim.y[id] + sim.radius[id])
  end
end
local far = (high - low) / 2 / half - 1
local small, large = 1.2 * a, 1.9 * a ^ (2 / 3)
print(("collapse ratio=%g a=%.3f across=%d friction=%g rolling=%g gap=%g grains=%d loose=%d seed=%d runout=%.3f height=%.3f over_1.2a=%.3f over_1.9a23=%.3f end=%.1f kinetic=%.2g"):format(
  args.ratio, a, args.across, args.friction, args.rolling, args.gap, sim.count, sim.count - size[largest], args.seed, far, top / half, far / small, far / large,
  (sim.time) / fall, sim:measure "kinetic_energy"))
