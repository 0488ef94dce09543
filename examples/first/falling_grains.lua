-- Grains fall into a container and come to rest. The place to begin: read it from top to bottom.
--
--   floc run examples/first/falling_grains.lua
--   floc run examples/first/falling_grains.lua --grains=500
local floc = require "floc"

-- Parameters of the scenario with their defaults; --grains=500 on the command line changes one.
local args = floc.args { grains = { 200, text = "how many grains", integer = true, at_least = 1 }, seed = 1 }

-- The world: two dimensions, so a vector is { x, y }. Units are yours; here metres, seconds, kilograms.
local sim = floc.simulation { dimension = 2, time_step = 0.002, gravity = { 0, -9.81 }, seed = args.seed }

-- A body: a box without lid, the middle of its floor at (0, 0).
local container = sim:add_body { shape = floc.container { width = 1, height = 3 }, name = "container" }

-- Grains at random places, none touching another, of radii between 2 and 3 cm and equal density.
sim:add_particles {
  count = args.grains, radius = { 0.02, 0.03 }, density = 2000,
  region = floc.box { lower = { -0.48, 0.05 }, upper = { 0.48, 2.9 } },
}

-- Called after every 250th step.
sim:every(250, function(sim)
  print(("t = %.1f s   kinetic energy %8.3f J   force on the container %7.1f N"):format(
    sim.time, sim:measure "kinetic_energy", -container.force[2]))
end)

sim:run { until_time = 2.5 }

-- What should be true, beside what is measured. At rest the container carries the weight of all grains.
local weight = 9.81 * sim:sum(function(mass) return mass end)
floc.report { claim = "the container carries the weight of the grains", value = -container.force[2] / weight,
              expect = { equal = 1, tolerance = 0.02 } }
floc.report { claim = "grains inside the container",
              value = sim:sum(function(x, y) return math.abs(x) < 0.5 and y > 0 end), expect = { equal = args.grains } }
floc.report { claim = "greatest overlap of any step, in radii", value = sim:report().greatest_overlap,
              expect = { at_most = 1e-3 } }

-- floc.out is out/falling_grains, or what --out= says.
sim:picture { path = floc.out .. "/grains.png", colour = "radius", label = "radius", unit = "m" }
