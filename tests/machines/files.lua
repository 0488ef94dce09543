-- Spheres in a container, with friction, and every kind of file that has numbers: .vtp, .vti, .xyz, and a checkpoint that
-- holds what was read between runs (columns, lists of pairs).
local floc = require "floc"

local args = floc.args { steps = 40 }
local sim = floc.simulation { dimension = 3, time_step = 0.004, gravity = { 0, 0, -10 }, seed = 5, scheme = floc.inelastic { friction = 0.4 } }
sim:add_body { shape = floc.container { width = 1, height = 2, depth = 1, axis = { 0, 0, 1 } } }
sim:add_particles { count = 60, radius = { 0.05, 0.09 }, mass = 1, region = floc.box { lower = { -0.4, -0.4, 0.1 }, upper = { 0.4, 0.4, 1.5 } } }
sim:write_vtp { path = "frames/run", every = 40 }
sim:write_xyz { path = "run.xyz", every = 40 }
sim:checkpoint { path = "run.floc", every = 40 }
sim:run { steps = 20 }
sim:map("vx", function(vx, x) return vx + 0.1 * x end)
local height = 0
for id = 1, sim.count do height = math.max(height, sim.z[id]) end
local near = sim:pairs { range = 0.05, names = { "id_i", "id_j", "gap" } }
for k = 1, near.count do sim.vz[near.id_i[k]] = sim.vz[near.id_i[k]] - 0.01 * near.gap[k] - 0.001 * height end
sim:run { steps = args.steps }
sim:coarse_grain { width = 0.3, grid = { 4, 4, 4 }, path = "fields.vti" }
