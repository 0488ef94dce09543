-- Bodies that callbacks turn round, and functions of motion with variables.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local speed = 0.3
local piston = sim:add_body { shape = floc.segment { { -1, 0 }, { 2, 0 } }, velocity = { 0, 0.1 } }
local wheel = sim:add_body { shape = floc.circle { radius = 0.1 }, position = { 0.5, 0.4 }, velocity = function(t) return speed * math.sin(9 * t), 0 end }
sim:every(9, function(s)
  TICK()
  local up = piston.position[2] > 0.05
  piston:set_motion { velocity = { 0, up and -0.1 or 0.1 } }
  speed = speed + 0.01 * s.x[1]
end)
sim:run { steps = 40 }
local x = wheel.position[1]
sim:run { steps = x > 0.5 and 30 or 50 }
wheel:set_motion { velocity = function() return 2 * speed, 0 end }
sim:run { steps = 20 }
floc.report { claim = "wheel", value = x + wheel.position[1] }
