-- A column of discs collapses when its walls are drawn away: how far it runs out, beside the law of Lube and others (2005).
--
--   floc run examples/recipes/column_collapse.lua --ratio=4
local floc = require "floc"
local args = floc.args { ratio = { 1, above = 0, text = "height over half width" }, across = { 10, integer = true, at_least = 4, text = "discs over the half width" }, seed = 1 }
local d, g = 0.01, 9.81
local half, count = args.across * d, math.floor(2.1 * args.across ^ 2 * args.ratio)
local scheme = floc.inelastic { friction = 0.5, rolling = 0.1 * d, tolerance = 1e-3 * d }
local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -g }, seed = args.seed, scheme = scheme }
sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
local left = sim:add_body { shape = floc.plane { point = { -half, 0 }, normal = { 1, 0 } } }
local right = sim:add_body { shape = floc.plane { point = { half, 0 }, normal = { -1, 0 } } }
sim:add_particles { count = count, radius = { 0.45 * d, 0.55 * d }, density = 2500,
  region = floc.box { lower = { -half, 0 }, upper = { half, 2.2 * args.ratio * half } } }
sim:run { until_time = 1 }
local panels = floc.panels { columns = 1 }
local function show(title) panels:add(sim, { title = title, colour = "y", legend = false, lower = { -5 * half, -d }, upper = { 5 * half, 1.2 * args.ratio * half } }) end
show "before"
local top = 0
for id = 1, sim.count do top = math.max(top, sim.y[id] + sim.radius[id]) end
left:set_motion { velocity = { -20, 0 } }
right:set_motion { velocity = { 20, 0 } }
sim:run { until_time = sim.time + 15 * math.sqrt(top / g) }
show "after"
panels:write(floc.output "column_collapse.png")
local places = {}
for id = 1, sim.count do places[id] = math.abs(sim.x[id]) end
table.sort(places)
local a, far = top / half, places[math.ceil(0.99 * #places)] / half - 1
local law = a < 2.3 and 1.2 * a or 1.9 * a ^ (2 / 3)
floc.report { claim = "run-out over half the width, over Lube's", value = far / law, expect = { at_least = 0.7, at_most = 1.3 } }
