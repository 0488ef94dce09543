-- Aggregation in an oscillating shear flow. Maury 2004, section 4.1, Fig. 1.
--
--   floc run examples/aggregation/shear.lua
--   floc run examples/aggregation/shear.lua --dimension=3
local floc = require "floc"
if arg then package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path end -- plain Lua; floc run knows this folder
local claims = require "claims"

local args = floc.args { particles = 1000, dimension = 2, seed = 1, attraction = true, solver = "auto", end_time = 10 }

-- The values of (4.2); the paper does not print the domain: a square of side 1 gives the figure's time scale. Spheres
-- begin in a cube of which they fill a tenth.
local radius, kappa, epsilon = 0.01, 3e-3, 3e-3
local half = args.dimension == 2 and 0.5 or 0.5 * (args.particles * 4 / 3 * math.pi * radius ^ 3 / 0.1) ^ (1 / 3)

local sim = floc.simulation {
  dimension = args.dimension, time_step = 0.02, seed = args.seed,
  scheme = floc.inelastic { solver = args.solver, tolerance = 1e-6 * radius },
}
-- A point of the plane or of space.
local function corner(x, y, z) return args.dimension == 2 and { x, y } or { x, y, z } end
sim:add_particles {
  count = args.particles, radius = { 0.85 * radius, 1.15 * radius }, mass = 1,
  region = floc.box { lower = corner(-half, -half, -half), upper = corner(half, half, half) },
}
for id = 1, sim.count do sim.mass[id] = (sim.radius[id] / radius) ^ 3 end

sim:add_flow { flow = "oscillating_shear", frequency = math.pi, relaxation_time = 0.2 }
if args.attraction then sim:add_attraction { kappa = kappa, epsilon = epsilon } end

local contact_gap = 0.05 * radius
sim:observe {
  path = floc.output "clusters.tsv", every = 5,
  columns = {
    clusters = function() return sim:clusters { by = "gap", gap = contact_gap }.count end,
    mean_size = function() return sim:clusters { by = "gap", gap = contact_gap }.mean_size end,
    largest = function() return sim:clusters { by = "gap", gap = contact_gap }.largest end,
  },
}

claims.particles(sim, args.particles)
local series = claims.series(sim, contact_gap, { 0.5, 1, 1.5, 10 },
  "Maury 2004, Fig. 1", "pictures: single discs, short chains, dense clusters",
  args.dimension == 3 and { clusters = { "M50" }, energy = "M50", largest = "M50" }
    or { clusters = { "M26", [0.5] = "M25", [1.5] = "M27", [10] = "M28" }, energy = "M23", largest = "M24" })
local panels = floc.panels { columns = 4 }
for _, time in ipairs { 0, 0.4, 0.5, 0.75, 1.0, 1.25, 1.5, 10 } do
  if time <= args.end_time then
    sim:run { until_time = time }
    series.note(time)
    panels:add(sim, { title = ("t = %g"):format(time), lower = corner(-1.5 * half, -1.2 * half, -1.2 * half),
      upper = corner(1.5 * half, 1.2 * half, 1.2 * half) })
  end
end
panels:write(floc.output "shear.png")

series.finish(args.end_time)
claims.overlap(sim, 1e-5, args.particles)
