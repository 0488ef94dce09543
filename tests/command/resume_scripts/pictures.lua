-- Pictures and tables from callbacks.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local highest = 0
sim:observe { path = floc.out .. "/rows.tsv", every = 4, columns = { { "highest", function() return highest end }, "kinetic_energy" } }
sim:every(10, function(s)
  TICK()
  highest = math.max(highest, s.y[1])
  s:picture { path = floc.output("step" .. s.step .. ".png"), width = 120, height = 90, colour = function(id) return s.y[id] + highest end }
end)
sim:run { steps = 45 }
sim:picture { path = floc.output "between.png", width = 120, height = 90, colour = function(id) return sim.vx[id] end }
sim:run { steps = 45 }
floc.report { claim = "highest", value = highest }
