-- A little of everything, for the page's tests: grains of many sizes with an attribute, bodies that stand and turn, gluey
-- contacts, a periodic axis, walls; grains that come later.
local floc = require "floc"
local args = floc.args { steps = 60, dimension = 2, every = 5, grains = 60, added = 20 }
local D = args.dimension
local function v(x, y, z) return D == 3 and { x, y, z } or { x, y } end
local sim = floc.simulation {
  dimension = D, time_step = 0.01, gravity = v(0, -10, 0), scheme = floc.gluey {}, domain = floc.box { lower = v(-1, -1, -1), upper = v(1, 2, 1) },
  boundary = D == 3 and { "periodic", "wall", "open" } or { "periodic", "wall" },
}
sim:add_attribute("charge", 1)
sim:add_particles { count = args.grains, radius = { 0.05, 0.1 }, region = floc.box { lower = v(-1, 0.5, -0.8), upper = v(1, 1.7, 0.8) } }
for id = 1, sim.count do sim.charge[id] = 0.5 * id end
sim:add_body { shape = D == 3 and floc.sphere { radius = 0.3 } or floc.circle { radius = 0.3 } }
sim:add_body { shape = floc.wheel { radius = 0.3, thickness = 0.02 }, position = v(0.6, 0, 0), angular_velocity = D == 3 and { 0, 0, 1 } or 1 }
sim:write_vtp { path = floc.out .. "/run", every = args.every }
sim:observe { path = floc.out .. "/table.tsv", every = 5, columns = { "time", "kinetic_energy", { "grains", function(sim) return sim.count end } } }
sim:checkpoint { path = floc.out .. "/end.floc", every = args.steps }
sim:run { steps = math.floor(args.steps / 2) }
for k = 1, args.added do
  sim:add_particle { position = v(-0.95 + 0.09 * k, 1.9, 0), radius = 0.04, mass = 0.1 }
end
sim:run { steps = args.steps - math.floor(args.steps / 2) }
