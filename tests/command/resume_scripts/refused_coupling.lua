-- refused: refused_coupling.lua:9: run of simulation 2 is called in a run of simulation 1
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local other = floc.simulation { time_step = 0.01 }
other:add_particle { position = { 0, 0 }, radius = 0.1 }
sim:every(5, function() other:run { steps = 1 } end)
sim:run { steps = 40 }
