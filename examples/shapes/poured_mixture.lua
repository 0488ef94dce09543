-- Grains of all shapes poured into a box: boxes, tetrahedra, prisms, ellipsoids, lentils, rods and balls.
--
--   floc run examples/shapes/poured_mixture.lua --grains=350 --friction=0.3
--
-- What to take from here: every shape of grains touches every other; the volume of a grain follows from density and mass.
local floc = require "floc"
local args = floc.args { grains = { 350, at_least = 7, text = "how many, a seventh of each shape" }, friction = { 0.3, at_least = 0 },
  end_time = { 2.5, above = 0, text = "[s]" }, seed = 1 }
local radius, width = 0.5, 3.5
local height = 3 + args.grains * 0.02 * width -- they fall from a thin cloud
local sim = floc.simulation { time_step = 2e-3, seed = args.seed, dimension = 3, scheme = floc.inelastic { friction = args.friction }, gravity = { 0, 0, -9.81 },
  boundary = "wall", domain = floc.box { lower = { 0, 0, 0 }, upper = { width, width, height } } }
local shapes = {
  { floc.polyhedron { form = "box", size = { 1, 1, 1.5 } }, 1 }, { floc.polyhedron { form = "tetrahedron", rounding = 0.05 }, 1 },
  { floc.polyhedron { form = "prism", sides = 6, aspect = 0.7 }, 0.9 }, { floc.ellipsoid { semi_axes = { 1.25, 1, 0.8 } }, 0.8 },
  { floc.ellipsoid { aspect = 0.4 }, 0.9 }, { floc.rod { aspect = 2.5 }, 1 }, { false, 0.7 } }
for k, one in ipairs(shapes) do
  local count = math.floor((args.grains + k - 1) / #shapes)
  sim:add_particles { count = count, radius = { 0.8 * one[2] * radius, one[2] * radius }, density = 1, shape = one[1] or nil }
end
local mass = sim:sum(function(mass) return mass end)
sim:run { until_time = args.end_time }
local top, filled = 0, 0
for _, id in ipairs(sim:ids()) do
  top = math.max(top, sim.z[id])
  if sim.z[id] < 3 * radius then filled = filled + sim.mass[id] end
end
sim:picture { path = floc.output "poured_mixture.png", colour = "shape", width = 700, upper = { width, width, top + radius } }
floc.report { claim = "greatest overlap, in radii", value = sim:check_overlap(), expect = { at_most = 5e-3 } }
floc.report { claim = "steps that did not converge", value = sim:report().unconverged_steps, expect = { equal = 0 } }
local usual = args.grains == 350 and args.friction == 0.3 and args.end_time == 2.5
local function claim(name, value, expect)
  if usual then floc.report { claim = name, value = value, expect = expect }
  else floc.report { claim = name, absent = "bands are those of the arguments as they stand" } end
end
claim("volume of grains whose centres lie below 1.5, over that of the box", filled / (width ^ 2 * 3 * radius), { at_least = 0.5, at_most = 0.7 })
claim("kinetic energy over that of a fall by a radius", sim:measure "kinetic_energy" / (mass * 9.81 * radius), { at_most = 0.05 })
