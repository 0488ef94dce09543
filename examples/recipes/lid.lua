-- A lid of a given weight on a bed of grains.
--
--   floc run examples/recipes/lid.lua
--   floc run examples/recipes/lid.lua --grains=500 --weight=5000
--
-- The lid is a free body that may only go up and down. At rest the grains bear its weight: exactly in the mean, since the
-- forces on it are the impulses that move it, and from step to step as well as the tolerance lets them.
local floc = require "floc"
local args = floc.args { grains = { 300, integer = true, at_least = 1 }, weight = { 2000, text = "of the lid", above = 0 }, friction = { 0, at_least = 0 } }

local sim = floc.simulation { time_step = 2e-3, gravity = { 0, -10 }, seed = 1, scheme = floc.inelastic { friction = args.friction } }
sim:add_body { shape = floc.container { width = 10, height = 20 } }
sim:add_particles { count = args.grains, radius = { 0.2, 0.3 }, density = 1, region = floc.box { lower = { -5, 0 }, upper = { 5, 14 } } }
sim:run { until_time = 3 }

local top = 0
for id = 1, args.grains do top = math.max(top, sim.y[id] + sim.radius[id]) end
local lid = sim:add_body { shape = floc.segment { { -4.85, 0 }, { 4.85, 0 }, thickness = 0.2 }, position = { 0, top + 0.15 }, name = "lid",
  free = { "y" }, mass = args.weight / 10 }
sim:run { until_time = 6 }

local sum, square = 0, 0
for _ = 1, 1000 do
  sim:run { steps = 1 }
  sum, square = sum + lid.force[2], square + (lid.force[2] - args.weight) ^ 2
end
sim:picture { path = floc.output "lid.png", width = 480 }

floc.report { claim = "mean force on the lid over its weight", value = sum / 1000 / args.weight, expect = { equal = 1, tolerance = 1e-3 } }
floc.report { claim = "its deviation over 1000 steps at rest, over the weight", value = math.sqrt(square / 1000) / args.weight, expect = { at_most = 0.01 } }
floc.report { claim = "steps that missed the tolerance", value = sim:report().unconverged_steps, expect = { equal = 0, tolerance = 0 } }
