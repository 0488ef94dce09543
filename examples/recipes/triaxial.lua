-- A triaxial test (in the plane a biaxial one): a sample between smooth walls that hold a pressure is compressed from above. Friction in slow
-- shear: discs 14 degrees (da Cruz and others 2005: 0.25), glass beads 21 (Jop, Forterre, Pouliquen 2006: tan 21 = 0.38).
--
--   floc run examples/recipes/triaxial.lua --dimension=3 --grains=800
local floc = require "floc"
local args = floc.args { dimension = { 2, integer = true, at_least = 2, at_most = 3 }, grains = { 300, integer = true, above = 0 }, strain = { 0.2, above = 0 }, seed = 1 }
local n, p, k, rate, rubs = args.dimension, 1, 1000, 1e-3, { grain = { grain = 0.5, wall = 0 }, wall = { wall = 0 } }
local sim = floc.simulation { dimension = n, time_step = 3e-3, seed = args.seed, scheme = floc.discrete_element { contact = "hooke", stiffness = k, damping = 10,
  friction = "spring", friction_stiffness = 0.8 * k, friction_damping = 2, friction_static = rubs, friction_dynamic = rubs, rotation = true,
  materials = { "grain", "wall" }, integrator = "velocity_verlet" } }
local side, high = 1.22 * math.ceil(args.grains ^ (1 / n) - 1e-9) + 0.01, {} -- the walls at the upper ends
local function along(axis, value) return { axis == 1 and value or 0, axis == 2 and value or 0, n == 3 and (axis == 3 and value or 0) or nil } end
local function length(axis) return high[axis].position[axis] end
local function area(axis) return (axis == 1 and 1 or length(1)) * (axis == 2 and 1 or length(2)) * ((axis == 3 or n == 2) and 1 or length(3)) end
for axis = 1, n do
  sim:add_body { material = "wall", shape = floc.plane { normal = along(axis, 1) } }
  high[axis] = sim:add_body { material = "wall", position = along(axis, side), shape = floc.plane { normal = along(axis, -1) }, motion = floc.servo {
    direction = along(axis, -1), pressure = p, area = function() return area(axis) end, mass = 20, damping = 1, greatest_speed = 0.5 } }
end
sim:add_particles { count = args.grains, radius = { 0.4, 0.6 }, density = 1.3, material = "grain", placement = "lattice", spacing = 1.22,
  region = floc.box { lower = along(1, 0), upper = n == 2 and { side, side } or { side, side, side } } }
sim:run { until_ = { speed_below = 1e-2, unbalanced_below = 0.05, lasting = 3 }, until_time = 500 }
local panels, strain, ratio, worst, sum, count, height = floc.panels { columns = 2 }, {}, {}, 0, 0, 0, length(n)
panels:add(sim, { title = "at rest", colour = "wz" })
high[n]:set_motion { velocity = along(n, -rate * height) }
sim:every({ time = 0.1 }, function()
  local axial, lateral = high[n].force[n] / area(n), high[1].force[1] / area(1)
  strain[#strain + 1], ratio[#ratio + 1] = 1 - length(n) / height, (axial - lateral) / (axial + lateral)
  if strain[#strain] > 0.5 * args.strain then sum, count, worst = sum + ratio[#ratio], count + 1, worst + lateral / p - 1 end
end)
sim:run { until_time = sim.time + args.strain / rate }
panels:add(sim, { title = "compressed", colour = "wz" })
panels:write(floc.output "triaxial.png")
floc.plot { path = floc.output "triaxial_curve.png", x = { label = "strain" }, y = { label = "sin of the friction angle" }, series = { { x = strain, y = ratio } } }
local angle = math.deg(math.asin(sum / count))
print(string.format("friction angle %.2f degrees", angle))
floc.report(args.grains >= 300 and { claim = "friction angle in degrees", value = angle, expect = { at_least = n == 2 and 12 or 17, at_most = n == 2 and 20 or 26 } }
  or { claim = "friction angle in degrees", absent = "in samples of fewer than 300 grains it scatters by several degrees" })
floc.report { claim = "mean lateral pressure over the one that the walls hold", value = 1 + worst / count, expect = { equal = 1, tolerance = 0.005 } }
