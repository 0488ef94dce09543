-- What the time step and the tolerance do to the answer: the same grains fall into a box, with one and then another.
--
--   floc run examples/recipes/time_step.lua
--   floc run examples/recipes/time_step.lua --time_steps=0.001 --tolerances=0,1e-5,1e-3
--
-- What to take from here: how to look at one's own scenario before a number is believed (docs/choosing.md).
local floc = require "floc"

local args = floc.args {
  grains = { 200, text = "how many", integer = true, at_least = 1 },
  time_steps = { "0.008,0.004,0.002,0.001,0.0005", text = "in s, with commas" },
  tolerances = { "0", text = "in m, with commas; 0: the default" },
  friction = { 0, at_least = 0 },
  seed = 1,
}

local function numbers(text)
  local list = {}
  for word in text:gmatch "[^,]+" do list[#list + 1] = tonumber(word) or error(word .. " is not a number", 0) end
  return list
end

local function fall(time_step, tolerance)
  local start = os.clock()
  local sim = floc.simulation {
    dimension = 2, time_step = time_step, gravity = { 0, -9.81 }, seed = args.seed,
    scheme = floc.inelastic { tolerance = tolerance, friction = args.friction },
  }
  local box = sim:add_body { name = "box", shape = floc.container { width = 1, height = 3 } }
  sim:add_particles {
    count = args.grains, radius = { 0.02, 0.03 }, density = 2000,
    region = floc.box { lower = { -0.48, 0.05 }, upper = { 0.48, 2.9 } },
  }
  local weight = 9.81 * sim:sum(function(mass) return mass end)
  -- At rest: the last half of a second. Mean and scatter of the force on the box over the weight.
  local sum, squares, count = 0, 0, 0
  sim:every(1, function()
    if sim.time < 1.5 then return end
    local ratio = -box.force[2] / weight
    sum, squares, count = sum + ratio, squares + ratio * ratio, count + 1
  end)
  sim:run { until_time = 2 }
  local mean, report = sum / count, sim:report()
  return {
    time_step = time_step, tolerance = report.tolerance, overlap = report.greatest_overlap, mean = mean,
    scatter = math.sqrt(math.max(0, squares / count - mean * mean)), height = sim:measure "center_y",
    products = report.total_iterations / sim.step, unsolved = report.unconverged_steps, seconds = os.clock() - start,
  }
end

print "time step  tolerance  greatest overlap  force/weight  scatter  height of centre  products/step  unsolved  CPU s"
local worst = 0
for _, time_step in ipairs(numbers(args.time_steps)) do
  for _, tolerance in ipairs(numbers(args.tolerances)) do
    local one = fall(time_step, tolerance)
    print(("%-9g  %-9.1e  %-16.1e  %-12.4f  %-7.4f  %-16.4f  %-13.0f  %-8d  %.2f"):format(one.time_step, one.tolerance,
      one.overlap, one.mean, one.scatter, one.height, one.products, one.unsolved, one.seconds))
    worst = math.max(worst, math.abs(one.mean - 1))
  end
end
floc.report { claim = "force on the box over the weight, greatest deviation from 1", value = worst, expect = { at_most = 0.05 } }
