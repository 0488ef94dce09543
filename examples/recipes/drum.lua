-- A drum turns with grains of two sizes: the slope of their surface, and the small ones that gather near the axis.
local floc = require "floc"
local args = floc.args { small = 300, large = 40, turns = 2, speed = { 1.5, text = "of the drum, in rad/s" }, seed = 1 }
local R, width, d, g = 0.08, 0.05, 0.01, 9.81
local sim = floc.simulation { dimension = 3, time_step = 2e-3, gravity = { 0, 0, -g }, seed = args.seed, scheme = floc.inelastic { friction = 0.5, tolerance = 1e-3 * d } }
local space = floc.cylinder { { 0, -width / 2, 0 }, { 0, width / 2, 0 }, radius = R, ends = "both" }
local drum = sim:add_body { shape = space }
sim:add_particles { count = args.large, radius = d, density = 2500, region = space }
sim:add_particles { count = args.small, radius = d / 2, density = 2500, region = space }
sim:run { until_time = 1.5 }
drum:set_motion { angular_velocity = { 0, args.speed, 0 } }
local start, slope, count = sim.time, 0, 0
sim:run { until_time = start + math.pi / args.speed }
sim:every({ time = 0.05 }, function() slope, count = slope + math.deg(math.atan(sim:measure "center_x" / sim:measure "center_z")), count + 1 end)
sim:run { until_time = start + 2 * math.pi * args.turns / args.speed }
sim:picture { path = floc.output "drum.png", colour = "radius", legend = false, width = 600, direction = { 0, 1, 0 } }
local function distance(low, high) return sim:sum(function(radius, x, z) return radius > low and radius < high and math.sqrt(x * x + z * z) or 0 end) end
floc.report { claim = "slope of the surface, in degrees", value = slope / count, expect = { at_least = 25, at_most = 45 } }
floc.report { claim = "distance from the axis, small over large", value = distance(0, 0.7 * d) / args.small / distance(0.7 * d, d * 2) * args.large, expect = { at_most = 0.95 } }
