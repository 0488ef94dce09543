-- A hopper empties through its outlet: how fast, for outlets of different widths.
--
--   floc run examples/recipes/hopper.lua
--   floc run examples/recipes/hopper.lua --friction=0 --grains=1000
--
-- What to take from here: the same scenario for several values, a lid that is drawn away, curves and pictures side by side.
local floc = require "floc"

local args = floc.args {
  grains = { 250, text = "how many", integer = true, at_least = 1 },
  friction = { 0.4, text = "between grains and at walls", at_least = 0 },
  end_time = { 1.6, text = "after the lid opens, in s", above = 0 },
  seed = 1,
}
local widths = { 0.3, 0.4, 0.5 }
local settle = 0.6
local panels = floc.panels { columns = #widths }

local function empty(width)
  local sim = floc.simulation {
    dimension = 2, time_step = 1e-3, gravity = { 0, -9.81 }, seed = args.seed,
    scheme = floc.inelastic { friction = args.friction },
  }
  sim:add_body { name = "hopper", shapes = {
    floc.funnel { top = 1.2, bottom = width, height = 0.5 },
    floc.segment { { -0.6, 0.5 }, { -0.6, 3 } }, floc.segment { { 0.6, 0.5 }, { 0.6, 3 } },
  } }
  local lid = sim:add_body { name = "lid", shape = floc.segment { { -0.4, -0.001 }, { 0.4, -0.001 } } }
  sim:add_particles {
    count = args.grains, radius = { 0.02, 0.03 }, density = 2000,
    region = floc.box { lower = { -0.56, 0.55 }, upper = { 0.56, 2.6 } },
  }
  sim:run { until_time = settle }
  -- Drawn aside faster than grains follow.
  lid:set_motion { motion = floc.piston { velocity = { 40, 0 }, travel = 2 } }

  local times, discharged = {}, {}
  sim:every(20, function()
    times[#times + 1] = sim.time - settle
    discharged[#discharged + 1] = sim:sum(function(y, mass) return y < 0 and mass or 0 end)
  end)
  local total = sim:sum(function(mass) return mass end)
  sim:run { until_time = settle + 0.25 * args.end_time }
  panels:add(sim, { title = ("outlet %.1f m"):format(width), colour = "speed", unit = "m/s", range = { 0, 3 },
                    lower = { -0.75, -0.6 }, upper = { 0.75, 1.1 } })
  sim:run { until_time = settle + args.end_time }
  return sim, times, discharged, total
end

-- Mass per time between a tenth and six tenths of the mass, as a slope.
local function flow_rate(times, discharged, total)
  local first, last
  for k = 1, #times do
    if discharged[k] >= 0.1 * total and not first then first = k end
    if discharged[k] <= 0.6 * total then last = k end
  end
  if not first or last <= first then return 0 end
  return (discharged[last] - discharged[first]) / (times[last] - times[first])
end

local series, rates = {}, {}
local worst = 0
for k, width in ipairs(widths) do
  local sim, times, discharged, total = empty(width)
  rates[k] = flow_rate(times, discharged, total)
  series[k] = { name = ("outlet %.1f m: %.0f kg/s"):format(width, rates[k]), x = times, y = discharged }
  worst = math.max(worst, sim:report().greatest_overlap)
end
panels:write(floc.output "hopper.png")
floc.plot { path = floc.output "discharge.png", x = { label = "time", unit = "s" }, y = { label = "mass through the outlet", unit = "kg" }, series = series }

for k = 2, #widths do
  floc.report { claim = ("flow through %.1f m over flow through %.1f m"):format(widths[k], widths[k - 1]),
                value = rates[k] / math.max(rates[k - 1], 1e-9), expect = { at_least = 1.1 } }
end
floc.report { claim = "greatest overlap of any step, in radii", value = worst, expect = { at_most = 0.01 } }
