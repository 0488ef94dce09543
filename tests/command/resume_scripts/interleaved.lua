-- Two simulations that run in turns and look at each other.
local floc = require "floc"
local function make(v)
  local sim = floc.simulation { time_step = 0.01 }
  sim:add_particle { position = { 0, 0 }, radius = 0.1, velocity = { v, 0 } }
  return sim
end
local a, b = make(1), make(2)
a:checkpoint { path = floc.out .. "/a.floc", every = 7 }
b:checkpoint { path = floc.out .. "/b.floc", every = 9 }
local hits = 0
a:every(1, function(sim) TICK() sim.vy[1] = b.x[1] hits = hits + 1 end)
b:every(1, function(sim) sim.vy[1] = 0.5 * math.random() hits = hits + 100 end)
for _ = 1, 5 do
  a:run { steps = 10 }
  b:run { steps = 12 }
  b.vx[1] = 1 + a.y[1]
end
floc.report { claim = "hits", value = hits }
