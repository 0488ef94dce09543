-- The Brazil nut effect: a box of grains is shaken, and the large one rises from the bottom to the top.
-- The convex law of friction is solved in each of some 14,000 steps, the exact one not in every one of them.
local floc = require "floc"
local args = floc.args { grains = 200, periods = 60, seed = 1 }
local d, g, frequency = 0.01, 9.81, 2 * math.pi * 5
local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -g }, seed = args.seed, scheme = floc.inelastic { friction = 0.4, friction_law = "convex" } }
local box = sim:add_body { shape = floc.container { width = 20 * d, height = 60 * d } }
local nut = sim:add_particle { position = { 0, 2 * d }, radius = 2 * d, density = 2500 }
sim:add_particles { count = args.grains, radius = { 0.45 * d, 0.55 * d }, density = 2500, region = floc.box { lower = { -10 * d, 0 }, upper = { 10 * d, 45 * d } } }
sim:run { until_time = 1.5 }
local panels, places = floc.panels { columns = 2 }, {}
local function show(title) panels:add(sim, { title = title, colour = "radius", legend = false, lower = { -11 * d, -2 * d }, upper = { 11 * d, 30 * d } }) end
show "at rest"
local height, first = 0, sim.y[nut]
for id = 1, sim.count do height = math.max(height, sim.y[id]) end
box:set_motion { motion = floc.oscillation { amplitude = { 0, 3 * g / frequency ^ 2 }, frequency = frequency } }
sim:every({ time = 2 * math.pi / frequency }, function() places[#places + 1] = sim.y[nut] / d end)
sim:run { until_time = sim.time + args.periods * 2 * math.pi / frequency }
show(("after %d periods"):format(args.periods))
panels:write(floc.output "brazil_nut.png")
floc.plot { path = floc.output "rise.png", x = { label = "period" }, y = { label = "height of the nut, in diameters of a grain" }, series = { { y = places } } }
floc.report { claim = "the nut's height at the start, over that of the bed", value = first / height, expect = { at_most = 0.3 } }
floc.report { claim = "and at the end", value = sim.y[nut] / height, expect = { at_least = 0.7 } }
