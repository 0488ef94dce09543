-- refused: refused_coroutine.lua:%d+: checkpoint: the variable walk of the function at refused_coroutine.lua:14 is a .- that changed in this run
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local walk = coroutine.wrap(function()
  local k = 0
  while true do
    k = k + 1
    coroutine.yield(k)
  end
end)
sim:every(5, function(s) s.vx[1] = walk() end)
sim:run { steps = 40 }
