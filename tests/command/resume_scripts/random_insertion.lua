-- Particles that come at random during the run.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
math.randomseed(7)
sim:every(4, function(sim)
  TICK()
  sim:add_particle { position = { 0.1 + 0.8 * math.random(), 2.5 }, radius = 0.02 + 0.01 * math.random(), mass = 1,
    velocity = { math.random(-3, 3) / 10, -1 } }
end)
sim:observe { path = floc.out .. "/table.tsv", every = 5, columns = { n = function(s) return s.count end, e = "kinetic_energy" } }
sim:run { steps = 80 }
local extra = math.random(3)
for _ = 1, extra do sim:add_particle { position = { math.random(), 2.8 }, radius = 0.02 } end
sim:run { steps = 40 }
floc.report { claim = "particles", value = sim.count, expect = { equal = 12 + 30 + extra } }
floc.report { claim = "next number", value = math.random() }
