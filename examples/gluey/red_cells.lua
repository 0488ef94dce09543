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
local function flow(y) return 1 - 4 * y * y, 0 end
sim:add_flow { law = flow, relaxation_time = 0.05 }

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

local function mean_speed()
  local sum = 0
  for _, cell in ipairs(cells) do sum = sum + cell.velocity[1] / #cells end
  return sum
end

local stretch, glued, looks, pulled, across, early = 0, 0, 0, 0, 0, nil
sim:every(20, function()
  stretch, looks = math.max(stretch, greatest_stretch()), looks + 1
  if sim.step == 100 then early = mean_speed() end
  for _, contact in ipairs(sim:contacts()) do
    if contact.gamma < 0 then glued = glued + 1 end
    for _, component in ipairs(contact.friction) do across = math.max(across, math.abs(component)) end
    pulled = math.min(pulled, contact.gamma)
  end
end)
local panels = floc.panels { columns = 2, title = "Red cells in a channel" }
for quarter = 0, 3 do
  panels:add(sim, { group = function(id) return math.floor((id - 1) / 3) end, tubes = "gamma" })
  if quarter < 3 then sim:run { steps = math.floor(args.steps / 3) } end
end
panels:write(floc.output "red_cells.png")

local turned, speed = 0, mean_speed()
for _, cell in ipairs(cells) do turned = turned + math.abs(cell.angle) / #cells end
local report = sim:report()

-- One cell in the same flow, beside the same explicit step written out: each disc is dragged to the flow where it is, at the
-- rate 1/tau, turned to half of its vorticity by 8 pi mu r^3 for a drag of 6 pi mu r, and the cell moves as its discs do
-- together. Returns the greatest distance of place and angle.
local function alone()
  local tau, h, x, y, angle, vx, vy, spin = 0.05, args.time_step, -0.3, 0.2, 1, 0, 0, 0
  local one = floc.simulation { time_step = h, scheme = floc.gluey {} }
  local ids = {}
  for m = -1, 1 do
    ids[m + 2] = one:add_particle { radius = radius, mass = 1 / 3, position = { x + m * spacing * math.cos(angle), y + m * spacing * math.sin(angle) } }
  end
  local cell = one:add_assembly { particles = ids, mass = 1 }
  one:add_flow { law = flow, relaxation_time = tau }
  local inertia, worst = cell.inertia, 0
  for _ = 1, 1000 do
    local fx, fy, moment = 0, 0, 0
    for m = -1, 1 do
      local dx, dy = m * spacing * math.cos(angle), m * spacing * math.sin(angle)
      local ax, ay = (flow(y + dy) - (vx - spin * dy)) / (3 * tau), -(vy + spin * dx) / (3 * tau)
      fx, fy, moment = fx + ax, fy + ay, moment + dx * ay - dy * ax + 4 / 9 * radius ^ 2 / tau * (4 * (y + dy) - spin)
    end
    vx, vy, spin = vx + h * fx, vy + h * fy, spin + h * moment / inertia
    x, y, angle = x + h * vx, y + h * vy, angle + h * spin
    one:run { steps = 1, progress = false }
    worst = math.max(worst, math.abs(one.x[ids[2]] - x), math.abs(one.y[ids[2]] - y), math.abs(cell.angle + 1 - angle))
  end
  return worst
end

local function claim(text, says, value, expect, band_from, ensemble)
  floc.report { item = "L57", claim = text, paper = paper, paper_says = says, value = value, expect = expect, band_from = band_from, ensemble = ensemble }
end
local many = "red cells are assemblies of rigid particles"
claim("one cell beside its equations: greatest distance of place and angle", many, alone(), { at_most = 1e-9 }, "exact")
claim("greatest change of length of a cell, in radii", many, stretch / radius, { at_most = 1e-10 }, "exact")
claim("least gamma over gamma_min", many, pulled / args.gamma_min, { equal = 1, tolerance = 1e-12 }, "exact, and reached")
claim("glued pairs per cell", many, glued / looks / args.cells, nil, nil, 1)
claim("cells turn in the shear: mean angle, in radians", many, turned, nil, nil, 1)
claim("mean speed of the cells over the greatest of the fluid", many, speed, nil, nil, 1)
floc.report { item = "L57", claim = "mean speed after 100 steps, which began at rest", paper = paper, paper_says = many, value = early, ensemble = 1,
  absent = not early and "the run ends before" or nil }
if args.friction == 0 then
  claim("greatest impulse across a contact", "contacts push and hold along the normal", across, { equal = 0, tolerance = 0 }, "exact")
end
claim("mass of a cell", many, cells[1].mass, { equal = 1, tolerance = 0 }, "exact")
claim("greatest overlap, in radii", many, report.greatest_overlap, { at_most = 1e-3 }, "ten tolerances")
claim("steps above tolerance", nil, report.unconverged_steps, { at_most = args.steps / 1000 })
