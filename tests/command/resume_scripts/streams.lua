-- Streams of random numbers, between runs and in callbacks.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local kicks, places = floc.random("kicks", 3), floc.random "places"
sim:every(3, function(s) TICK() s.vx[kicks:integer(1, s.count)] = kicks:normal(0, 0.5) end)
for _ = 1, 4 do
  sim:run { steps = places:integer(10, 30) }
  sim:add_particle { position = { places:uniform(), 2.9 }, radius = 0.02 }
end
floc.report { claim = "next", value = kicks:exponential(2) + floc.random("kicks"):uniform() + places:uniform(1, 2) }
