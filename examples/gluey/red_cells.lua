-- Red cells as rigid assemblies: rods of three discs, gluey, carried through a channel by a flow that they follow by
-- drag. Lefebvre 2009, section 3.4 (the paper's code has red cells as assemblies of rigid particles).
--
--   floc run examples/gluey/red_cells.lua
local floc = require "floc"

local args = floc.args { cells = 24, steps = 4000, time_step = 1e-3, seed = 1, friction = 0, gamma_min = -0.05 }
local paper = "Lefebvre 2009, 3.4"
local radius, spacing, half = 0.05, 0.06, 0.5

local sim = floc.simulation {
  time_step = args.time_step, seed = args.seed, boundary = { "periodic", "wall" },
  domain = floc.box { lower = { -1, -half }, upper = { 1, half } },
  scheme = floc.gluey { gamma_min = args.gamma_min, friction = args.friction },
}

-- Places for the cells: discs that hold a whole rod are put at random, and replaced by rods at random angles.
local scratch = floc.simulation { time_step = 1, seed = args.seed }
local hull = spacing + radius
scratch:add_particles { count = args.cells, radius = 1.001 * hull,
  region = floc.box { lower = { -1, -half }, upper = { 1, half } } }
local cells, next_angle = {}, args.seed
for k = 1, args.cells do
  next_angle = (next_angle * 2.399963) % math.pi
  local ids = {}
  for m = -1, 1 do
    ids[#ids + 1] = sim:add_particle { radius = radius, mass = 1 / 3, position = {
      scratch.x[k] + m * spacing * math.cos(next_angle + k), scratch.y[k] + m * spacing * math.sin(next_angle + k) } }
  end
  cells[k] = sim:add_assembly { particles = ids, mass = 1 }
end
sim:add_flow { law = function(y) return 1 - 4 * y * y, 0 end, relaxation_time = 0.05 }

local function greatest_stretch()
  local worst = 0
  for _, cell in ipairs(cells) do
    local a, b = cell.particles[1], cell.particles[3]
    local dx, dy = sim.x[b] - sim.x[a], sim.y[b] - sim.y[a]
    if dx > 1 then dx = dx - 2 elseif dx < -1 then dx = dx + 2 end
    worst = math.max(worst, math.abs(math.sqrt(dx * dx + dy * dy) - 2 * spacing))
  end
  return worst
end

local stretch = 0
sim:every(20, function()
  stretch = math.max(stretch, greatest_stretch())
end)
local panels = floc.panels { columns = 2, title = "Red cells in a channel" }
for quarter = 0, 3 do
  panels:add(sim, { group = function(id) return math.floor((id - 1) / 3) end, tubes = "gamma" })
  if quarter < 3 then sim:run { steps = math.floor(args.steps / 3) } end
end
panels:write(floc.output "red_cells.png")

local turned, speed = 0, 0
for _, cell in ipairs(cells) do
  turned = turned + math.abs(cell.angle) / #cells
  speed = speed + cell.velocity[1] / #cells
end
local report = sim:report()
floc.report { claim = "greatest change of length of a cell, in radii", paper = paper, value = stretch / radius, expect = { at_most = 1e-10 } }
floc.report { claim = "cells turn in the shear: mean angle, in radians", value = turned, expect = { at_least = 0.5 } }
floc.report { claim = "mean speed of the cells over the greatest of the fluid", value = speed, expect = { at_least = 0.3, at_most = 1 } }
floc.report { claim = "greatest overlap, in radii", value = report.greatest_overlap, expect = { at_most = 1e-2 } }
floc.report { claim = "steps above tolerance", value = report.unconverged_steps, expect = { at_most = args.steps / 1000 } }
