-- A conveyor: cleats run round an endless belt, carry grains up a slope and drop them into a container.
--
--   floc run examples/recipes/conveyor.lua
--   floc run examples/recipes/conveyor.lua --speed=0.5 --cleats=16
--
-- What to take from here: a body whose place and angle are functions of time, several bodies made in a loop.
local floc = require "floc"

local args = floc.args {
  grains = { 200, text = "how many", integer = true, at_least = 1 },
  speed = { 0.8, text = "of the belt, in m/s", above = 0, at_most = 2 },
  cleats = { 14, text = "on the belt", integer = true, at_least = 1 },
  end_time = { 5, text = "in s", above = 0 },
  seed = 1,
}

local sim = floc.simulation {
  dimension = 2, time_step = 1e-3, gravity = { 0, -9.81 }, seed = args.seed, scheme = floc.inelastic { friction = 0.3 },
}

-- The belt: a slide from foot to top that stands still, and cleats that move along it, round the top, back below
-- and round the foot. turn is the radius of the ends; everything is measured along the slope.
local foot, slope, length, turn, cleat = { -1, 0.2 }, 0.5, 2.4, 0.1, 0.16
local ux, uy = math.cos(slope), math.sin(slope)
local function place(along, across) return foot[1] + ux * along - uy * across, foot[2] + uy * along + ux * across end
local circumference = 2 * length + 2 * math.pi * turn

-- Where a cleat is that has gone a way s round the belt: place and direction of its foot.
local function on_belt(s)
  s = s % circumference
  if s < length then
    local x, y = place(s, turn)
    return x, y, slope
  end
  s = s - length
  if s < math.pi * turn then
    local angle = s / turn
    local x, y = place(length + turn * math.sin(angle), turn * math.cos(angle))
    return x, y, slope - angle
  end
  s = s - math.pi * turn
  if s < length then
    local x, y = place(length - s, -turn)
    return x, y, slope - math.pi
  end
  local angle = (s - length) / turn
  local x, y = place(-turn * math.sin(angle), -turn * math.cos(angle))
  return x, y, slope - math.pi - angle
end

-- An angle as a function of time must not jump: full turns are counted.
local function turns(s) return -2 * math.pi * math.floor(s / circumference) end

for k = 1, args.cleats do
  local start = circumference * (k - 1) / args.cleats
  local function way(t) return start + args.speed * t end
  sim:add_body {
    name = "cleat " .. k, shape = floc.segment { { 0, 0.015 }, { 0, cleat }, thickness = 0.02 },
    position = function(t)
      local x, y = on_belt(way(t))
      return x, y
    end,
    angle = function(t)
      local _, _, angle = on_belt(way(t))
      return angle + turns(way(t))
    end,
  }
end

local left, left_y = place(0, turn)
local right, right_y = place(length, turn)
sim:add_body { name = "slide", shape = floc.polyline { { left, left_y }, { right, right_y } } }
-- Grains trickle out of a chute above the lower part of the slide.
local chute_x, chute_y = place(0.9, turn + 0.45)
sim:add_body { name = "chute", position = { chute_x, chute_y }, shapes = {
  floc.funnel { top = 0.8, bottom = 0.13, height = 0.45 },
  floc.segment { { -0.4, 0.45 }, { -0.4, 1.6 } }, floc.segment { { 0.4, 0.45 }, { 0.4, 1.6 } },
} }
sim:add_body { name = "container", shape = floc.container { width = 1, height = 0.8 }, position = { right + 0.55, 0 } }

sim:add_particles {
  count = args.grains, radius = { 0.012, 0.016 }, density = 2000,
  region = floc.box { lower = { chute_x - 0.38, chute_y + 0.46 }, upper = { chute_x + 0.38, chute_y + 1.6 } },
}

local function delivered() return sim:sum(function(x, y) return x > right + 0.05 and y < 0.8 end) end
sim:observe { path = floc.output "delivered.tsv", every = 100, columns = { delivered = delivered, kinetic_energy = "kinetic_energy" } }
sim:run { until_time = 0.5 * args.end_time }
sim:picture { path = floc.output "conveyor.png", colour = "speed", unit = "m/s", range = { 0, 3 },
              lower = { left - 0.4, -0.2 }, upper = { right + 1.2, 2.1 } }
sim:run { until_time = args.end_time }

floc.report { claim = "grains that the belt has delivered", value = delivered(), expect = { at_least = 1 } }
floc.report { claim = "greatest overlap of any step, in radii", value = sim:report().greatest_overlap, expect = { at_most = 0.01 } }
floc.report { claim = "steps above tolerance", value = sim:report().unconverged_steps, expect = { at_most = 0 } }
