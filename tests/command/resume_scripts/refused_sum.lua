-- refused: refused_sum.lua:%d+: checkpoint: refused_sum.lua:%d+: the function of sim:sum changes the variable calls of the function at refused_sum.lua:%d+, and a resume
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
local calls = 0
sim:run { steps = 5 }
local energy = sim:sum(function(mass, vy)
  calls = calls + 1
  return 0.5 * mass * vy * vy
end)
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
sim:run { steps = 40 }
print(energy, calls)
