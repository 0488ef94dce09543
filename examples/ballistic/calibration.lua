-- Calibration of the box-counting dimension: sets whose dimension is known, as in Fig. 9 of Degond et al. 2024.
--
--   floc run examples/ballistic/calibration.lua
--
-- Writes calibration.tsv, calibration.png and a picture of each set.
local floc = require "floc"

local args = floc.args { particles = { 900, integer = true, at_least = 81, text = "about so many in each set" } }
local side = 120

-- Sets of about N points as lists of { x, y } and the radius at which they touch; lengths in units of the box's side.
local function lines(count)
  local points, per_line = {}, math.floor(count / 3)
  for line = 1, 3 do
    for k = 1, per_line do points[#points + 1] = { (k - 0.5) / per_line, (line - 0.5) / 3 } end
  end
  return points, 0.5 / per_line
end

local function line(count)
  local points = {}
  for k = 1, count do points[k] = { (k - 0.5) / count, 0.5 } end
  return points, 0.5 / count
end

local function lattice(count)
  local points, per_side = {}, math.ceil(math.sqrt(count) - 1e-9)
  for row = 1, per_side do
    for k = 1, per_side do points[#points + 1] = { (k - 0.5) / per_side, (row - 0.5) / per_side } end
  end
  return points, 0.5 / per_side
end

-- Corners of the smallest triangles; three times as many points per generation.
local function sierpinski(count)
  local points, generations = { { 0, 0 } }, math.max(1, math.floor(math.log(count) / math.log(3) + 0.5))
  local size = 1
  for _ = 1, generations do
    size = size / 2
    local more = {}
    for _, point in ipairs(points) do
      more[#more + 1] = point
      more[#more + 1] = { point[1] + size, point[2] }
      more[#more + 1] = { point[1] + size / 2, point[2] + size * math.sqrt(3) / 2 }
    end
    points = more
  end
  for _, point in ipairs(points) do point[1], point[2] = point[1] + size / 2, point[2] + size / 4 end
  return points, size / 2
end

local sets = {
  { name = "line", make = line, dimension = 1 },
  { name = "three lines", make = lines, dimension = 1 },
  { name = "lattice", make = lattice, dimension = 2 },
  { name = "Sierpinski triangle", make = sierpinski, dimension = math.log(3) / math.log(2) },
}

local file = assert(io.open(floc.output "calibration.tsv", "w"))
file:write("set\tparticles\tside\tboxes\n")
local panels = {}
for _, set in ipairs(sets) do
  local points, radius = set.make(args.particles)
  local sim = floc.simulation { time_step = 1, domain = floc.box { lower = { 0, 0 }, upper = { side, side } } }
  for _, point in ipairs(points) do
    sim:add_particle { position = { side * point[1], side * point[2] }, radius = side * radius * (1 - 1e-9) }
  end
  -- The range of the fit: where boxes are larger than the distance of neighbours and, for several lines, smaller than that
  -- of the lines, "the central part between the two plateaus".
  local found = sim:box_counting { side = side, corner = { 0, 0 }, least = 2.5 * side * radius,
    greatest = set.name == "three lines" and side / 3 or nil, by = "gap" }
  for k, width in ipairs(found.x) do file:write(("%s\t%d\t%g\t%g\n"):format(set.name, sim.count, width, found.y[k])) end
  local x, y = {}, {}
  for k = found.first, found.last do x[#x + 1], y[#y + 1] = found.x[k], found.prefactor * found.x[k] ^ -found.dimension end
  panels[#panels + 1] = { title = ("%s: %.3f"):format(set.name, found.dimension), x = { label = "side", logarithmic = true },
    y = { label = "boxes", logarithmic = true }, series = { { x = found.x, y = found.y, style = "markers", name = "counted" },
      { x = x, y = y, name = "fit" } } }
  sim:picture { path = floc.output((set.name:gsub(" ", "_")) .. ".png"), width = 500, height = 500 }
  floc.report { item = set.name == "line" and "D33" or "D44", claim = ("box-counting dimension of the %s, %d particles"):format(set.name, sim.count), paper = "Degond et al. 2024, Fig. 9",
    paper_says = "the method finds the dimension of known sets", value = found.dimension, expect = { equal = set.dimension, tolerance = args.particles >= 400 and 0.03 or 0.06 },
    band_from = "the set's own dimension; the range of the fit" }
  -- The lower end of the curve: a box for each particle. (The text has it the other way round.)
  floc.report { item = "D45", claim = ("%s: boxes of the smallest side over particles"):format(set.name), paper = "Degond et al. 2024, Fig. 9", paper_says = "plateaus at both ends",
    value = found.y[#found.y] / sim.count, expect = { equal = 1, tolerance = 0 }, band_from = "exact" }
end
file:close()
floc.plot { path = floc.output "calibration.png", columns = 2, panels = panels }
