-- A column of grains whose walls are drawn up slumps to a heap: with friction it keeps a slope, and the more friction,
-- the steeper. Grains are pairs of discs, which do not roll away. The floor is rough: a row of fixed discs.
--
--   floc run examples/friction/sandpile.lua
--   floc run examples/friction/sandpile.lua --grains=discs     round grains: beyond mu = 0.3 they roll instead of sliding
local floc = require "floc"

local args = floc.args { particles = 240, grains = "pairs", seed = 1, time_step = 1e-3, settle = 0.6, slump = 2, tolerance = 1e-6 }
local coefficients = { 0, 0.1, 0.3, 0.6 }

local half, radius = 0.25, 0.02

-- Discs that hold a whole pair are put at random into a simulation of their own, and replaced by pairs.
local function add_pairs(sim, count, hull, region)
  local places = floc.simulation { time_step = 1, seed = args.seed }
  places:add_particles { count = count, radius = hull, region = region }
  for k = 1, count do
    local angle, small = 2.399963 * k, 0.95 * radius
    local ids = {}
    for side = -1, 1, 2 do
      ids[#ids + 1] = sim:add_particle { radius = small, mass = 1, position = {
        places.x[k] + 0.9 * radius * side * math.cos(angle), places.y[k] + 0.9 * radius * side * math.sin(angle) } }
    end
    sim:add_assembly { particles = ids }
  end
end

local function pour(friction)
  local sim = floc.simulation { time_step = args.time_step, gravity = { 0, -10 }, seed = args.seed,
    scheme = floc.inelastic { friction = friction, tolerance = args.tolerance } }
  local bumps = {}
  for k = -40, 40 do bumps[#bumps + 1] = floc.circle { radius = radius, center = { 2.4 * radius * k, -radius } } end
  sim:add_body { name = "floor", shapes = bumps }
  local left = sim:add_body { name = "left wall", shape = floc.segment { { -half, 0.005 }, { -half, 3 } } }
  local right = sim:add_body { name = "right wall", shape = floc.segment { { half, 0.005 }, { half, 3 } } }
  local pairs_wanted = args.grains == "pairs"
  local hull = pairs_wanted and 1.9 * radius or radius
  local count = pairs_wanted and math.floor(args.particles / 2) or args.particles
  local region = floc.box { lower = { -half, 0.01 }, upper = { half, 0.01 + count * math.pi * hull ^ 2 / (0.4 * 2 * half) } }
  if pairs_wanted then
    add_pairs(sim, count, hull, region)
  else
    sim:add_particles { count = count, radius = { 0.8 * radius, 1.2 * radius }, mass = 1, region = region }
  end
  sim:run { until_time = args.settle }
  left:set_motion { velocity = { 0, 3 } }
  right:set_motion { velocity = { 0, 3 } }
  sim:run { until_time = args.settle + args.slump }
  return sim
end

-- The slope of the surface on both sides: highest tops over columns of four radii, fitted by a straight line from a
-- fifth of the heap's height up.
local function slope(sim)
  local middle, count = 0, 0
  for id = 1, sim.count do
    if sim.y[id] > 0 then middle, count = middle + sim.x[id], count + 1 end
  end
  middle = middle / count
  local tops, apex = {}, 0
  for id = 1, sim.count do
    local column = math.floor(math.abs(sim.x[id] - middle) / (4 * radius))
    local side = sim.x[id] > middle and 1 or -1
    tops[side * (column + 1)] = math.max(tops[side * (column + 1)] or 0, sim.y[id] + sim.radius[id])
    apex = math.max(apex, sim.y[id])
  end
  local n, sum_x, sum_y, sum_xx, sum_xy = 0, 0, 0, 0, 0
  for column, top in pairs(tops) do
    local x = (math.abs(column) - 0.5) * 4 * radius
    if top > 0.2 * apex + 2 * radius then
      n, sum_x, sum_y, sum_xx, sum_xy = n + 1, sum_x + x, sum_y + top, sum_xx + x * x, sum_xy + x * top
    end
  end
  local fall = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x ^ 2)
  return n > 2 and math.deg(math.atan(-fall)) or 0
end

local panels = floc.panels { columns = 1, title = "Slumped columns" }
local angles, unsolved, steps = {}, 0, 0
for k, friction in ipairs(coefficients) do
  local sim = pour(friction)
  angles[k] = slope(sim)
  local report = sim:report()
  unsolved, steps = unsolved + report.unconverged_steps, steps + sim.step
  panels:add(sim, { title = ("mu = %g: %.1f degrees"):format(friction, angles[k]), colour = "speed", lower = { -1.6, -0.05 }, upper = { 1.6, 0.8 } })
  print(("mu = %-4g angle of repose %5.1f degrees, kinetic energy left %.2g, %.0f products per step"):format(friction,
    angles[k], sim:measure "kinetic_energy", report.total_iterations / sim.step))
end
panels:write(floc.output "sandpile.png")
floc.plot { path = floc.output "repose.png", x = { label = "mu" }, y = { label = "angle of repose", unit = "degrees", lower = 0 },
  series = { { x = coefficients, y = angles, style = "line markers" } } }

-- Beyond 0.3 the angle hardly changes: the grains interlock and roll before they slide.
for k, friction in ipairs(coefficients) do
  local grows = k > 1 and friction <= 0.3
  floc.report { claim = "angle of repose, mu = " .. friction, paper = grows and "grows with mu" or nil, value = angles[k],
                unit = "degrees", expect = grows and { at_least = 1.1 * angles[k - 1] } or nil }
end
floc.report { claim = "with the greatest mu it is far from flat", value = angles[#angles], unit = "degrees", expect = { at_least = 12, at_most = 45 } }
floc.report { claim = "steps above tolerance, of " .. steps, value = unsolved, expect = { at_most = steps / 1000 } }
