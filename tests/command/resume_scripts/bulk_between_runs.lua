-- Whole columns read, written and mapped between runs.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01 }
sim:add_particles { count = 60, radius = 0.01, region = floc.box { lower = { 0, 0 }, upper = { 4, 4 } }, velocity_spread = 0.3 }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
sim:every(5, function() TICK() end)
local history, sum = {}, 0
for round = 1, 6 do
  sim:run { steps = 15 }
  local energy = 0
  for id = 1, sim.count do energy = energy + 0.5 * (sim.vx[id] ^ 2 + sim.vy[id] ^ 2) end
  local factor = math.sqrt(1 / energy)
  for id = 1, sim.count do sim.vx[id], sim.vy[id] = factor * sim.vx[id], factor * sim.vy[id] end
  sim:map("vx", function(vx, id) sum = sum + vx / id return vx + 1e-3 end)
  history[round] = sim:sum(function(x, vy) return x * vy end) + sim.vx[round]
end
floc.plot { path = floc.output "history.png", x = {}, y = {}, series = { { x = history, y = history } } }
floc.report { claim = "sum", value = sum }
