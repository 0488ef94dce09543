-- Grains in a box with a pull that may change while it runs, for the page's tests.
local floc = require "floc"
local args = floc.args { pull = { 10, 0, 30, text = "gravity, downwards" }, steps = 1000000, stiffness = { 2, 1, 4, integer = true } }
local sim = floc.simulation { time_step = 0.002, gravity = function() return 0, -args.pull end }
sim:add_body { shape = floc.container { width = 2, height = 2 } }
sim:add_particles { count = 100, radius = { 0.02, 0.04 }, region = floc.box { lower = { -0.9, 0.2 }, upper = { 0.9, 1.9 } } }
sim:add_field { law = function(vx, vy) return -0.1 * args.stiffness * vx, -0.1 * args.stiffness * vy end }
sim:observe { path = floc.out .. "/table.tsv", every = 1, columns = { "step", "time", "kinetic_energy", { "pull", function() return args.pull end } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 1000000 }
sim:run { steps = args.steps }
