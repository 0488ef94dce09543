-- Soft spheres with friction settle on a floor and around a ball, in a box that is periodic to its sides. The same script
-- runs over several processes, with the same result bit for bit (docs/ranks.md).
--
--   floc run examples/recipes/settling.lua
--   mpirun -n 2 floc run examples/recipes/settling.lua --grains=20000 --hash
--
-- What to take from here: discrete elements, forces on bodies, what works over ranks.
local floc = require "floc"

local args = floc.args {
  grains = { 600, text = "how many", integer = true, at_least = 20 },
  end_time = { 6, text = "of the run", above = 0 },
  seed = 1,
}
local radius, stiffness = 0.05, 2000
local side = (args.grains / 600) ^ (1 / 3)
local height = 3 * side

local sim = floc.simulation {
  dimension = 3, time_step = 1e-3, gravity = { 0, 0, -1 }, seed = args.seed,
  domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, height } }, boundary = { "periodic", "periodic", "open" },
  scheme = floc.discrete_element {
    integrator = "velocity_verlet", rotation = true, stiffness = stiffness, damping = 20,
    friction = "spring", friction_stiffness = stiffness, friction_static = 0.4, friction_dynamic = 0.3,
  },
}
local floor = sim:add_body { name = "floor", shape = floc.plane { normal = { 0, 0, 1 } } }
local ball = sim:add_body { name = "ball", shape = floc.sphere { center = { 0.5 * side, 0.5 * side, 0.3 * side }, radius = 0.2 * side } }
sim:add_particles {
  count = args.grains, radius = { 0.8 * radius, 1.2 * radius }, density = 1,
  region = floc.box { lower = { 0, 0, 0.5 * side }, upper = { side, side, height } },
}
sim:observe { path = floc.output "settling.tsv", every = 500, columns = { "kinetic_energy", "contacts" } }
sim:checkpoint { path = floc.output "settling.floc", every = 2000 }
sim:run { until_time = args.end_time }

local weight = sim:sum(function(mass) return mass end)
local energy = sim:measure "kinetic_energy"
sim:picture { path = floc.output "settling.png", width = 480, colour = "z" }
floc.report { claim = "force on floor and ball over the weight of the grains", value = -(floor.force[3] + ball.force[3]) / weight,
  expect = { equal = 1, tolerance = 1e-2 } }
floc.report { claim = "kinetic energy over what a fall by a radius gives", value = energy / (weight * radius), expect = { at_most = 1e-3 } }
