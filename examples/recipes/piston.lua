-- A piston compresses a gas of elastic discs. Slowly compressed without exchange of heat, a gas of discs in two
-- dimensions obeys energy x area = constant, with the area that the discs leave free.
--
--   floc run examples/recipes/piston.lua
--   floc run examples/recipes/piston.lua --speed=2         too fast for that law: more energy goes in
--
-- What to take from here: a body that goes a way and stops, force and work on it, a table of observables.
local floc = require "floc"

local args = floc.args {
  discs = { 200, text = "how many", integer = true, at_least = 1 },
  speed = { 0.05, text = "of the piston; the discs' is about 1", above = 0 },
  travel = { 0.5, text = "of the piston; the box is 1 long", above = 0, below = 0.8 },
  time_step = { 2.5e-4, text = "a fast disc goes a tenth of its radius in it", above = 0 },
  seed = 1,
}

local radius = 0.004
local sim = floc.simulation {
  dimension = 2, time_step = args.time_step, seed = args.seed,
  scheme = floc.inelastic { restitution = 1 },
}
sim:add_body { name = "cylinder", shape = floc.polyline { { 1.2, 1 }, { 0, 1 }, { 0, 0 }, { 1.2, 0 } } }
local piston = sim:add_body {
  name = "piston", shape = floc.segment { { 0, 0.0001 }, { 0, 0.9999 } }, position = { 1, 0 },
  motion = floc.piston { velocity = { -args.speed, 0 }, travel = args.travel },
}
sim:add_particles {
  count = args.discs, radius = radius, mass = 1, velocity_spread = 1,
  region = floc.box { lower = { 0.01, 0.01 }, upper = { 0.99, 0.99 } },
}

-- Centres reach to a radius from the walls; two centres come no nearer than two radii, which takes half of the
-- disc of that radius per disc.
local function free_area()
  local excluded = 0.5 * args.discs * math.pi * (2 * radius) ^ 2
  return (piston.position[1] - 2 * radius) * (1 - 2 * radius) - excluded
end

sim.state.work = 0
sim:every(1, function()
  sim.state.work = sim.state.work - piston.force[1] * piston.velocity[1] * sim.time_step
end)
local first_energy, first_area = sim:measure "kinetic_energy", free_area()
local function law() return sim:measure "kinetic_energy" * free_area() / (first_energy * first_area) end
sim:observe {
  path = floc.output "piston.tsv", every = 200,
  columns = { "time", { "free_area", free_area }, "kinetic_energy", { "force", function() return piston.force[1] end },
              { "work", function() return sim.state.work end }, { "law", law } },
}
local areas, energies, adiabatic = {}, {}, {}
sim:every(400, function()
  areas[#areas + 1], energies[#energies + 1] = free_area(), sim:measure "kinetic_energy"
  adiabatic[#adiabatic + 1] = first_energy * first_area / free_area()
end)
sim:run { until_time = args.travel / args.speed }

local gained = sim:measure "kinetic_energy" - first_energy
floc.report { claim = "work of the piston over the energy that the gas gained", value = sim.state.work / gained,
              expect = { equal = 1, tolerance = 0.05 } }
floc.report { claim = "energy x free area, over its value at the start", value = law(),
              expect = args.speed <= 0.1 and { equal = 1, tolerance = 0.05 } or { at_least = 1 } }
floc.report { claim = "discs in the cylinder", value = sim:sum(function(x, y) return x > 0 and x < piston.position[1] and y > 0 and y < 1 end),
              expect = { equal = args.discs } }
sim:picture { path = floc.output "gas.png", colour = "speed" }
floc.plot { path = floc.output "compression.png", x = { label = "free area" }, y = { label = "kinetic energy" },
  series = { { name = "measured", x = areas, y = energies }, { name = "energy x area = constant", x = areas, y = adiabatic, dash = "dashed" } } }
