-- refused: refused_function.lua:%d+: checkpoint: the variable handler of the function at refused_function.lua:8 is a new function
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local handler = nil
sim:every(5, function(s)
  local step = s.step
  handler = function() return step end
end)
sim:run { steps = 40 }
