-- An hourglass: grains rest on a lid at the neck, the lid goes, and the rate of flow is Beverloo's (C 0.55 to 0.65, k 1 to 2: Mankoc and others 2007).
local floc = require "floc"
local args = floc.args { grains = 700, neck = { 6, above = 3, text = "width of the neck in diameters" }, seed = 1 }
local d, g, high, wide = 0.01, 9.81, 0.12, 0.15
local sim = floc.simulation { dimension = 3, time_step = 1e-3, gravity = { 0, 0, -g }, seed = args.seed, scheme = floc.inelastic { friction = 0.5 } }
local neck = args.neck * d / 2
local upper, lower = { { 0, 0, 0 }, { 0, 0, high }, radii = { neck, wide } }, { { 0, 0, 0 }, { 0, 0, -high }, radii = { neck, wide }, ends = "second" }
sim:add_body { shapes = { floc.cone(upper), floc.cone(lower) } }
local lid = sim:add_body { shape = floc.cylinder { { 0, 0, -d }, { 0, 0, 0 }, radius = neck, solid = true } }
sim:add_particles { count = args.grains, radius = { 0.45 * d, 0.55 * d }, density = 2500, region = floc.cone(upper) }
sim:run { until_ = "at rest" }
sim:picture { path = floc.output "hourglass.png", colour = "z", legend = false, width = 500, caption = "at rest" }
lid:set_motion { velocity = { 0, 0, -2 } }
local times = {}
sim:every({ time = 0.005 }, function() times[#times + 1] = { sim.time, sim:sum(function(z) return z < 0 end) } end)
sim:run { until_ = function() return sim:sum(function(z) return z > 0 end) < 0.3 * args.grains end }
local first, last = times[math.floor(0.3 * #times)], times[#times]
local rate = (last[2] - first[2]) / (last[1] - first[1]) / math.sqrt(g / d)
floc.report { claim = "grains in (d/g)^0.5, over 0.58 phi 6/pi (D/d - 1.5)^2.5 with phi = 0.6", value = rate / (0.58 * 0.6 * 6 / math.pi * (args.neck - 1.5) ^ 2.5), expect = { at_least = 0.7, at_most = 1.3 } }
