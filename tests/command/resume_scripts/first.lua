-- What resumes_another continues from; it runs by itself as well.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = "first.floc", every = 25 }
local n = 0
sim:every(1, function(s) TICK() n = n + 1 s.vx[1] = math.random() + n / 1000 end)
sim:run { steps = 60 }
floc.report { claim = "n", value = n, expect = { equal = 60 } }
