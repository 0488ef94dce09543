-- A wheel of six paddles on a hinge that falling grains turn.
--
--   floc run examples/recipes/water_wheel.lua
--   floc run examples/recipes/water_wheel.lua --brake=8
--
-- The wheel is a free body that may only turn; a brake takes angular_damping times its angular velocity. In the steady
-- state the mean torque of the grains is what the brake takes, and its balance holds in every step to rounding.
local floc = require "floc"
local args = floc.args { rate = { 25, text = "grains per time", above = 0 }, time = { 8, above = 0 }, brake = { 4, text = "its torque over the angular velocity", above = 0 } }

local sim = floc.simulation { time_step = 2e-3, gravity = { 0, -10 }, seed = 1, scheme = floc.inelastic { friction = 0.3 } }
local wheel = sim:add_body { shape = floc.wheel { radius = 2, paddles = 6, hub = 0.4, thickness = 0.1 }, name = "wheel",
  free = { "angle" }, density = 2, angular_damping = args.brake }
sim:add_inlet { rate = args.rate, radius = 0.1, density = 3, region = floc.box { lower = { 0.7, 3.2 }, upper = { 1.5, 4 } } }
sim:add_outlet { region = floc.box { lower = { -20, -30 }, upper = { 20, -4 } } }

local before, off, torque, taken, steps = 0, 0, 0, 0, 0
sim:every(1, function()
  local w = wheel.angular_velocity
  off = math.max(off, math.abs(wheel.inertia * (w - before) - sim.time_step * (wheel.torque - args.brake * w)))
  before = w
  if sim.time > args.time / 2 then torque, taken, steps = torque + wheel.torque, taken + args.brake * w, steps + 1 end
end)
sim:run { until_time = args.time }
sim:picture { path = floc.output "water_wheel.png", width = 640 }

floc.report { claim = "angular momentum of a step: what the balance leaves", value = off, expect = { at_most = 1e-10 } }
floc.report { claim = "mean torque of the grains over what the brake takes", value = torque / taken, expect = { equal = 1, tolerance = 0.1 } }
floc.report { claim = "hub off its place", value = math.abs(wheel.position[1]) + math.abs(wheel.position[2]), expect = { equal = 0, tolerance = 0 } }
