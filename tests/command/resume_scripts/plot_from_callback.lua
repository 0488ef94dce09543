-- Tables of locals that a callback fills, plotted at the end.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local t, y, best = {}, {}, { height = 0, at = nil }
sim:every(1, function(sim)
  TICK()
  t[#t + 1], y[#y + 1] = sim.time, sim.y[1]
  if sim.y[1] > best.height then best.height, best.at = sim.y[1], sim.step end
end)
sim:run { steps = 100 }
floc.plot { path = floc.output "height.png", x = { label = "t" }, y = { label = "y" }, series = { { x = t, y = y } } }
floc.report { claim = "points", value = #t, expect = { equal = 100 } }
floc.report { claim = "greatest height", value = best.height, expect = { at_least = 0.1 } }
