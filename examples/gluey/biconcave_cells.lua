-- Red blood cells that settle in a fluid at rest: rigid biconcave discs, each a union of balls, gluey where they touch.
--
--   floc run examples/gluey/biconcave_cells.lua
--   floc run examples/gluey/biconcave_cells.lua --cells=60 --gamma_min=0     dry
--
-- The thickness of a cell of the radius R is that of Evans and Fung (Microvascular Research 4, 335, 1972), with s = r/R:
--   D(s) = R (1 - s^2)^(1/2) (0.207 + 2.003 s^2 - 1.123 s^4)
-- It is filled by rings of balls around its axis, each ball the greatest that fits there; the outermost touches the rim. Gravity, the mass of a
-- cell and R are 1; the fluid drags each ball by its mass over `relaxation`, so a cell alone comes to fall by `relaxation` in the time 1. Lefebvre
-- (2009) has red cells as rigid assemblies in her code.
-- What to take from here: assemblies in three dimensions, grains that are not convex, their axis from two members, moments of a union.
local floc = require "floc"
local args = floc.args {
  cells = { 30, at_least = 1, integer = true }, end_time = { 30, above = 0 }, time_step = { 0.02, above = 0 }, seed = 1,
  gamma_min = { -0.2, at_most = 0, text = "of gluey contacts; 0: dry" }, relaxation = { 0.5, above = 0, text = "time of the drag" },
}

local function half(s) return 0.5 * math.sqrt(math.max(0, 1 - s * s)) * (0.207 + 2.003 * s ^ 2 - 1.123 * s ^ 4) end

-- ---- one cell: rings of balls ----
local samples = 2000
local function fitting(ring) -- radius of the greatest ball within the profile, its centre in the middle plane
  local least = math.huge
  for k = 0, samples do least = math.min(least, (k / samples - ring) ^ 2 + half(k / samples) ^ 2) end
  return math.sqrt(least)
end
local outer = 0.5 -- the innermost ring whose balls touch the rim
while fitting(outer) < 0.9999 * (1 - outer) do outer = outer + 0.005 end
local rings, balls = {}, {}
for k = 0, 5 do
  local ring = outer * k / 5
  local radius = fitting(ring)
  local count = math.max(1, math.ceil(2 * math.pi * ring / (0.7 * radius)))
  rings[#rings + 1] = { ring, radius, count }
  for m = 1, count do
    local turn = 2 * math.pi * m / count
    balls[#balls + 1] = { ring * math.cos(turn), ring * math.sin(turn), 0, radius }
  end
end
-- How far the union's surface stays below the profile at most, along the axis, within 0.95 of the radius.
local function covering_error()
  local worst = 0
  for k = 0, 95 do
    for m = 0, 59 do
      local s, turn, height = k / 100, math.pi * m / 30, 0
      local x, y = s * math.cos(turn), s * math.sin(turn)
      for _, ball in ipairs(balls) do height = math.max(height, ball[4] ^ 2 - (x - ball[1]) ^ 2 - (y - ball[2]) ^ 2) end
      worst = math.max(worst, half(s) - math.sqrt(height))
    end
  end
  return worst
end
-- Moments of inertia of the profile's body over its mass, about the axis and across it.
local function moments()
  local volume, about, axial = 0, 0, 0
  for k = 0.5, samples do
    local s = k / samples
    volume, about, axial = volume + 2 * half(s) * s, about + 2 * half(s) * s ^ 3, axial + 2 / 3 * half(s) ^ 3 * s
  end
  return about / volume, 0.5 * about / volume + axial / volume, 2 * math.pi * volume / samples
end

-- ---- many cells ----
local side, height = 6, 3 + args.cells * 0.5
local box = floc.box { lower = { 0, 0, 0 }, upper = { side, side, height } }
local sim = floc.simulation { dimension = 3, time_step = args.time_step, seed = args.seed, gravity = { 0, 0, -1 }, boundary = "wall", domain = box,
  scheme = floc.gluey { gamma_min = args.gamma_min } }
sim:add_flow { law = function() return 0, 0, 0 end, relaxation_time = args.relaxation }
local places = floc.simulation { dimension = 3, time_step = 1, seed = args.seed } -- balls about whole cells, which are not in the run
places:add_particles { count = args.cells, radius = 1.001, region = box }
local random, cells = floc.random("orientations", args.seed), {}
for k = 1, args.cells do
  local cosine, turn = random:uniform(-1, 1), random:uniform(0, 2 * math.pi)
  local sine = math.sqrt(1 - cosine * cosine)
  local u, v = { cosine * math.cos(turn), cosine * math.sin(turn), -sine }, { -math.sin(turn), math.cos(turn), 0 } -- the middle plane
  local ids = {}
  for m, ball in ipairs(balls) do
    ids[m] = sim:add_particle { radius = ball[4], mass = 1 / #balls, position = {
      places.x[k] + ball[1] * u[1] + ball[2] * v[1], places.y[k] + ball[1] * u[2] + ball[2] * v[2], places.z[k] + ball[1] * u[3] + ball[2] * v[3] } }
  end
  cells[k] = sim:add_assembly { particles = ids, mass = 1 }
end

-- The vertical part of a cell's axis, squared: the cross product of the ways from its centre to two balls of the last ring.
local last = rings[#rings][3]
local function upright(cell)
  local ids = cell.particles
  local o, p, q = ids[1], ids[#ids], ids[#ids - math.floor(last / 4)]
  local ax, ay, az = sim.x[p] - sim.x[o], sim.y[p] - sim.y[o], sim.z[p] - sim.z[o]
  local bx, by, bz = sim.x[q] - sim.x[o], sim.y[q] - sim.y[o], sim.z[q] - sim.z[o]
  local x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
  return z * z / (x * x + y * y + z * z)
end
local function mean_upright()
  local sum = 0
  for _, cell in ipairs(cells) do sum = sum + upright(cell) / #cells end
  return sum
end
local function across(cell) -- from the first ball of the last ring to the one opposite it, or nearly
  local ids = cell.particles
  local p, q = ids[#ids], ids[#ids - math.floor(last / 2)]
  return math.sqrt((sim.x[p] - sim.x[q]) ^ 2 + (sim.y[p] - sim.y[q]) ^ 2 + (sim.z[p] - sim.z[q]) ^ 2)
end
local first, began = across(cells[1]), mean_upright()
local stretch, overlap, pulled = 0, 0, 0
sim:every(10, function()
  for _, cell in ipairs(cells) do stretch = math.max(stretch, math.abs(across(cell) - first)) end
  for _, contact in ipairs(sim:contacts()) do pulled = math.min(pulled, contact.gamma) end
  overlap = math.max(overlap, sim:report().greatest_overlap)
end)
sim:run { until_time = args.end_time }

-- One cell alone, beside the explicit step written out. Returns the greatest difference of its velocity.
local function alone()
  local one, ids, speed, worst = floc.simulation { dimension = 3, time_step = args.time_step, gravity = { 0, 0, -1 }, scheme = floc.gluey {} }, {}, 0, 0
  for m, ball in ipairs(balls) do ids[m] = one:add_particle { radius = ball[4], mass = 1 / #balls, position = { ball[1], ball[2], ball[3] } } end
  local cell = one:add_assembly { particles = ids, mass = 1 }
  one:add_flow { law = function() return 0, 0, 0 end, relaxation_time = args.relaxation }
  for _ = 1, 100 do
    speed = speed - args.time_step * (1 + speed / args.relaxation)
    one:run { steps = 1, progress = false }
    worst = math.max(worst, math.abs(cell.velocity[3] - speed), math.abs(cell.velocity[1]))
  end
  return worst
end

local inertia = cells[1].inertia
local about, side_on, volume = moments()
print(("a cell: %d balls in %d rings, at most %.3f below the profile; %d cells, mean square of the axes' vertical part %.2f, at first %.2f"):format(
  #balls, #rings, covering_error(), args.cells, mean_upright(), began))
local thick = 0
for k = 0, samples do thick = math.max(thick, 2 * half(k / samples)) end
local function claim(text, value, expect, band_from, paper)
  floc.report { claim = text, paper = paper or "Lefebvre 2009, 3.4", paper_says = paper and "measured cells" or "red cells are assemblies of rigid particles",
    value = value, expect = expect, band_from = band_from }
end
claim("volume of the profile, in cubic micrometres at R = 3.91", volume * 3.91 ^ 3, { equal = 94, tolerance = 0.5 }, "rounding", "Evans, Fung 1972")
claim("its greatest thickness, in micrometres", thick * 3.91, { equal = 2.58, tolerance = 0.03 }, "about 1 %", "Evans, Fung 1972")
claim("sum of the principal moments of the union over that of the profile", (inertia[1] + inertia[2] + inertia[3]) / (about + 2 * side_on),
  { equal = 1, tolerance = 0.03 }, "holes between balls")
claim("greatest change of width of a cell", stretch, { at_most = 1e-9 }, "exact")
claim("one cell that falls alone, beside its equation: greatest difference of velocity", alone(), { at_most = 1e-9 }, "exact")
claim("least gamma less gamma_min", pulled - args.gamma_min, { at_least = -1e-12 }, "exact")
claim("greatest overlap, in radii", overlap, { at_most = 1e-3 }, "ten tolerances")
claim("steps above tolerance", sim:report().unconverged_steps, { at_most = args.end_time / args.time_step / 1000 })
sim:picture { path = floc.output "biconcave_cells.png", group = function(id) return math.floor((id - 1) / #balls) end, width = 900,
  lower = { 0, 0, 0 }, upper = { side, side, 4 } }
