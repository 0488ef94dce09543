-- Gravity that a callback changes, as a function's variable and as a table.
local floc = require "floc"
local strength, phase = 1, 0
local sim = floc.simulation { time_step = 0.01, gravity = function(t) return strength * math.cos(t + phase), -strength end }
sim:add_particle { position = { 0, 0 }, radius = 0.1 }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
sim:every(6, function(s) TICK() strength, phase = strength + 0.1, phase + s.vx[1] end)
sim:run { steps = 40 }
sim.gravity = { 0.5, 0 }
sim:every(4, function(s) s.gravity[1] = s.gravity[1] + 0.01 * s.step end)
sim:run { steps = 40 }
floc.report { claim = "strength", value = strength + phase }
floc.report { claim = "gravity", value = sim.gravity[1] }
