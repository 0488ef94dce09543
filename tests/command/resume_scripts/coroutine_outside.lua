-- A coroutine that drives the runs.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local rest = 0
sim:every(3, function(s) TICK() rest = rest + s.vy[1] end)
local plan = coroutine.wrap(function()
  for k = 1, 5 do
    sim:run { steps = 10 + k }
    coroutine.yield(rest * k)
  end
end)
local sum = 0
for _ = 1, 5 do sum = sum + plan() end
floc.report { claim = "sum", value = sum }
