-- Decisions from columns that were read between runs.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local top = 0
sim:every(1, function(sim)
  TICK()
  for id = 1, sim.count do if sim.y[id] > top and sim.vy[id] > 0 then sim.vy[id] = 0 end end
end)
sim:run { steps = 30 }
for id = 1, sim.count do top = math.max(top, sim.y[id]) end
sim.vx[3] = 2 * sim.vx[3] + 0.1
sim:run { steps = 40 }
local fast = sim.vx[3] > 0 and 1 or 2
sim:run { steps = 20 * fast }
local list = {}
for id = 1, #sim.x do list[id] = sim.x[id] end
floc.plot { path = floc.output "x.png", x = {}, y = {}, series = { { x = list, y = list } } }
floc.report { claim = "top", value = top }
