-- A script that continues from the checkpoint of another one.
local floc = require "floc"
local sim = floc.resume "first.floc"
local seen = {}
sim:every(1, function(s) TICK() seen[#seen + 1] = s.y[1] + math.random() end)
sim:checkpoint { path = floc.out .. "/run.floc", every = 9 }
sim:run { steps = 50 }
local y = sim.y[2]
sim:run { steps = 20 }
floc.plot { path = floc.output "seen.png", x = {}, y = {}, series = { { x = seen, y = seen } } }
floc.report { claim = "y", value = y + #seen }
