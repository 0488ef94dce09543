-- Counters in closures, several functions with one variable, a function that says when to stop.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local function counter(from)
  local count = from
  return function() count = count + 1 return count end, function() return count end
end
local up, look = counter(10)
local total, swings, falling = 0, 0, true
sim:every(2, function() TICK() total = total + up() end)
sim:every(3, function(sim)
  if (sim.vy[1] < 0) ~= falling then falling, swings = not falling, swings + 1 end
end)
sim:every(7, function(sim) sim.vx[2] = 0.01 * look() end)
sim:run { until_ = function() return look() >= 40 end }
local middle = look()
sim:run { steps = 31 }
floc.report { claim = "total", value = total }
floc.report { claim = "swings", value = swings }
floc.report { claim = "middle, end", value = middle * 1000 + look() }
