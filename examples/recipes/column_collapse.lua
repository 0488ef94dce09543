-- A column of discs collapses when its walls are drawn away: how far its heap runs out, beside the law of Lube and others (Phys. Rev.
-- E 72 (2005) 041301) for columns of sand, sugar and rice in a channel: 1.2 a up to a = 1.8, 1.9 a^(2/3) from 2.8 on, between them in
-- between. Resistance against rolling stands for the shape of such grains. A tolerance of 1e-3 d lets the heap creep for ever.
--
--   floc run examples/recipes/column_collapse.lua --ratio=4
local floc = require "floc"
local args = floc.args { ratio = { 1, above = 0, text = "height over half width" }, across = { 20, integer = true, at_least = 4, text = "discs over the half width" },
  rolling = { 0.1, above = 0, text = "moment arm of the resistance against rolling, in diameters" }, seed = 1 }
local d, g = 0.01, 9.81
local half, count = args.across * d, math.floor(1.9 * args.across ^ 2 * args.ratio)
local scheme = floc.inelastic { friction = 0.5, rolling = args.rolling * d, tolerance = 1e-4 * d }
local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -g }, seed = args.seed, scheme = scheme }
sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
local left = sim:add_body { shape = floc.plane { point = { -half, 0 }, normal = { 1, 0 } } }
local right = sim:add_body { shape = floc.plane { point = { half, 0 }, normal = { -1, 0 } } }
sim:add_particles { count = count, radius = { 0.45 * d, 0.55 * d }, density = 2500,
  region = floc.box { lower = { -half, 0 }, upper = { half, 2.2 * args.ratio * half } } }
sim:run { until_time = 1 + math.sqrt(2 * args.ratio * half / g) }
sim:add_attribute("layer", 0)
for id = 1, sim.count do sim.layer[id] = sim.y[id] / half end
local panels, a = floc.panels { columns = 1 }, 2 * sim:measure "center_y" / half -- of a full rectangle
local function show(title) panels:add(sim, { title = title, colour = "layer", range = { 0, a }, legend = false, lower = { -(2 + 2 * a) * half, -d }, upper = { (2 + 2 * a) * half, 1.2 * a * half } }) end
show "before"
left:set_motion { velocity = { -20, 0 } }
right:set_motion { velocity = { 20, 0 } }
local fall = math.sqrt(a * half / g)
sim:run { until_ = { speed_below = 0.02 * math.sqrt(g * d), lasting = 0.5 * fall }, until_time = sim.time + 40 * fall }
show "at rest"
panels:write(floc.output "column_collapse.png")
local of, xs = sim:clusters { gap = 0.5 * d }.of, {}
for id = 1, sim.count do xs[of[id]] = xs[of[id]] or {} end
for id = 1, sim.count do table.insert(xs[of[id]], sim.x[id]) end
table.sort(xs, function(p, q) return #p > #q end) -- the heap first: grains that rolled off alone do not count
table.sort(xs[1])
local reach = (xs[1][#xs[1]] - xs[1][1] + d) / 2 / half - 1
local between = math.min(1, math.max(0, a - 1.8))
local law = (1 - between) * 1.2 * a + between * 1.9 * a ^ (2 / 3)
print(string.format("a = %.3f: the heap runs out %.3f half widths (law: %.3f); %d of %d grains are beside it", a, reach, law, count - #xs[1], count))
floc.report { claim = "run-out over half the width, over Lube's", value = reach / law, ensemble = 1 }
