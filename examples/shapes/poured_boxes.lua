-- Boxes poured into a box: on the floor they lie on their faces; above they lean on each other as they fell.
--
--   floc run examples/shapes/poured_boxes.lua --boxes=300 --length=1.5
--
-- What to take from here: polyhedra (floc.polyhedron), random orientations, direction of a grain's own axes from its quaternion.
local floc = require "floc"
local args = floc.args { boxes = { 300, at_least = 1, text = "how many" }, length = { 1.5, above = 0, text = "of a box, over its two other edges" },
  friction = { 0.3, at_least = 0 }, end_time = { 2.5, above = 0, text = "[s]" }, seed = 1 }
local radius, width = 0.5, 3.5
local height = 3 + args.boxes * 0.02 * width -- they fall from a thin cloud
local sim = floc.simulation { time_step = 2e-3, seed = args.seed, dimension = 3, scheme = floc.inelastic { friction = args.friction }, gravity = { 0, 0, -9.81 },
  boundary = "wall", domain = floc.box { lower = { 0, 0, 0 }, upper = { width, width, height } } }
sim:add_particles { count = args.boxes, radius = { 0.8 * radius, radius }, density = 1, shape = floc.polyhedron { form = "box", size = { 1, 1, args.length } } }
sim:add_attribute("flatness", 0) -- greatest vertical component of the three axes: 1 lies on a face

local function flatness(id)
  local w, x, y, z = sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id]
  local n = w * w + x * x + y * y + z * z
  return math.max(math.abs(2 * (x * z - w * y)), math.abs(2 * (y * z + w * x)), math.abs(w * w - x * x - y * y + z * z)) / n
end
local mass = sim:sum(function(mass) return mass end)
sim:run { until_time = args.end_time }
local top, low, sum = 0, 0, 0
for _, id in ipairs(sim:ids()) do
  top = math.max(top, sim.z[id])
  sim.flatness[id] = flatness(id)
  if sim.z[id] < 0.7 * radius then low, sum = low + 1, sum + sim.flatness[id] end
end
sim:picture { path = floc.output "poured_boxes.png", colour = "flatness", width = 700, upper = { width, width, top + radius } }
floc.report { claim = "greatest overlap, in radii", value = sim:check_overlap(), expect = { at_most = 5e-3 } }
floc.report { claim = "steps that did not converge", value = sim:report().unconverged_steps, expect = { equal = 0 } }
local usual = args.boxes == 300 and args.length == 1.5 and args.friction == 0.3 and args.end_time == 2.5
local function claim(name, value, expect)
  if usual then floc.report { claim = name, value = value, expect = expect }
  else floc.report { claim = name, absent = "bands are those of the arguments as they stand" } end
end
claim("mean flatness of boxes on the floor: they lie on faces", sum / low, { at_least = 0.95 }) -- 0.83 where all orientations are alike
claim("kinetic energy over that of a fall by a radius", sim:measure "kinetic_energy" / (mass * 9.81 * radius), { at_most = 0.02 })
