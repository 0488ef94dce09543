-- A colony of cells in the plane: each grows, presses the others aside, and divides when its area has about doubled.
--
--   floc run examples/recipes/growing_colony.lua --generations=8
--
-- What to take from here: radii that grow, particles that are added in a callback, motion without inertia. The warnings are
-- about daughters: they begin within each other, and the next step separates them.
local floc = require "floc"
local args = floc.args { generations = { 7, above = 0, text = "time, in doublings of an area" }, spread = { 0.3, at_least = 0, at_most = 0.5, text = "of areas at division about 2" }, seed = 1 }
local time_step = 0.02
local sim = floc.simulation { time_step = time_step, seed = args.seed, scheme = floc.first_order { velocity = function() return 0, 0 end } }
local random = floc.random("colony", args.seed)
local function limit() return (2 * (1 + args.spread * random:uniform(-1, 1))) ^ 0.5 end
sim:add_attribute("limit", 0) -- the radius at which a cell divides
sim:add_attribute("born", 0)
sim:add_particle { position = { 0, 0 }, radius = 1, attributes = { limit = limit() } }

-- Two daughters of half the area, side by side within their mother.
local function divide(id)
  local r, angle = sim.radius[id] / 2 ^ 0.5, random:uniform(0, 2 * math.pi)
  local x, y, dx, dy = sim.x[id], sim.y[id], 0.4 * r * math.cos(angle), 0.4 * r * math.sin(angle)
  sim.radius[id], sim.x[id], sim.y[id], sim.limit[id], sim.born[id] = r, x + dx, y + dy, limit(), sim.time
  sim:add_particle { position = { x - dx, y - dy }, radius = r, allow_overlap = true, attributes = { limit = limit(), born = sim.time } }
end
local growing = true
sim:every(1, function()
  for id = 1, growing and sim.count or 0 do
    sim.radius[id] = sim.radius[id] * 2 ^ (time_step / 2)
    if sim.radius[id] > sim.limit[id] then divide(id) end
  end
end)
sim:run { until_time = args.generations }
local doublings = sim.time
growing = false
sim:run { steps = 2 } -- contacts remove the overlaps of what grew last
local area = sim:sum(function(radius) return math.pi * radius ^ 2 end)
sim:picture { path = floc.output "growing_colony.png", colour = "born", width = 600 }
floc.report { claim = "area over that of the first cell, as doublings", value = math.log(area / math.pi) / math.log(2) / doublings, expect = { equal = 1, tolerance = 1e-9 } }
floc.report { claim = "overlap in the end, in radii", value = sim:check_overlap(), expect = { at_most = 1e-3 } }
floc.report { claim = "fraction of the disc of the same gyration radius", value = area / (2 * math.pi * sim:measure "gyration_radius" ^ 2), expect = { at_least = 0.6, at_most = 0.95 } }
