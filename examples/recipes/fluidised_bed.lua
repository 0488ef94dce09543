-- A fluidised bed: a prescribed flow blows upwards through grains in a vessel that widens.
--
--   floc run examples/recipes/fluidised_bed.lua
--   floc run examples/recipes/fluidised_bed.lua --flow=0.5      too weak: the bed stays where it is
--
-- The drag is -m (u - U)/tau: a grain hovers where the flow goes up with g tau. The flow is given, grains do not act
-- back on it; it is that of a channel (a parabola across), divided by the vessel's width, so that nothing is lost.
-- What to take from here: a flow as a function of the place, two runs in one script, profiles over the place.
local floc = require "floc"

local args = floc.args {
  grains = { 400, text = "how many", integer = true, at_least = 1 },
  flow = { 1.6, text = "mean speed at the bottom, in units of g tau", above = 0 },
  end_time = { 4, text = "in s", above = 0 },
  seed = 1,
}
local g, tau = 9.81, 0.1
local bottom, top, height = 0.5, 2.5, 3       -- the vessel's width below and above
local widening = (top - bottom) / height

local sim = floc.simulation {
  dimension = 2, time_step = 1e-3, gravity = { 0, -g }, seed = args.seed, scheme = floc.inelastic { friction = 0.2 },
}
sim:add_body { name = "vessel", shape = floc.polyline {
  { -top / 2, height }, { -bottom / 2, 0 }, { bottom / 2, 0 }, { top / 2, height } } }
sim:add_particles {
  count = args.grains, radius = { 0.015, 0.02 }, density = 2000,
  region = floc.box { lower = { -0.5 * bottom + 0.02, 0.02 }, upper = { 0.5 * bottom - 0.02, height } },
}
local function mean_height() return sim:measure "center_y" end
sim:run { until_time = 0.8 } -- the bed settles without flow
local settled = mean_height()

-- Across the vessel s goes from -1 to 1; the flow follows the lines of constant s.
local rate = args.flow * g * tau * bottom
sim:add_flow { relaxation_time = tau, law = function(x, y)
  local width = bottom + widening * math.max(y, 0)
  local s = 2 * x / width
  local up = 1.5 * rate / width * math.max(0, 1 - s * s)
  return up * s * widening / 2, up
end }

-- Means over the second half: how fast grains go up in the middle and down along the walls.
local begin, count = sim.time, 0
local up, down, heights = 0, 0, 0
sim:every(50, function()
  if sim.time < begin + 0.5 * args.end_time then return end
  local middle = { speed = 0, count = 0 }
  local side = { speed = 0, count = 0 }
  for id = 1, sim.count do
    local s = math.abs(2 * sim.x[id] / (bottom + widening * sim.y[id]))
    local part = s < 0.3 and middle or s > 0.7 and side
    if part then part.speed, part.count = part.speed + sim.vy[id], part.count + 1 end
  end
  up, down, heights = up + middle.speed / math.max(1, middle.count), down + side.speed / math.max(1, side.count), heights + mean_height()
  count = count + 1
end)
sim:run { until_time = begin + args.end_time }
up, down, heights = up / count, down / count, heights / count

local blown = args.flow > 1
floc.report { claim = "mean height of the bed over that without flow", value = heights / settled,
              expect = blown and { at_least = 1.05 } or { equal = 1, tolerance = 0.05 } }
floc.report { claim = "mean speed in the middle, upwards", value = up, unit = "m/s", expect = blown and { at_least = 0 } or nil }
floc.report { claim = "mean speed along the walls, upwards", value = down, unit = "m/s", expect = blown and { at_most = 0 } or nil }
floc.report { claim = "grains in the vessel", value = sim:sum(function(y) return y > 0 end), expect = { equal = args.grains } }
sim:picture { path = floc.output "bed.png", colour = "vy", label = "speed upwards", unit = "m/s", map = "diverging",
              lower = { -1.3, -0.05 }, upper = { 1.3, 2.4 } }
