-- refused: refused_file.lua:%d+: checkpoint: the variable file of the function at refused_file.lua:8 is a file that changed in this run
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local file = io.open(floc.output "rows.txt", "w")
sim:every(5, function(s) file:write(s.step, "\n") end)
sim:run { steps = 40 }
