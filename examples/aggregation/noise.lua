-- Aggregation under white noise. Maury 2004, section 4.2, Figs. 2, 3 and 4.
--
--   floc run examples/aggregation/noise.lua --particles=500       Fig. 2
--   floc run examples/aggregation/noise.lua --particles=2000      Fig. 3
--   floc run examples/aggregation/noise.lua --particles=5000      Fig. 4
--   floc run examples/aggregation/noise.lua --dimension=3         spheres
local floc = require "floc"
if arg then package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path end -- plain Lua; floc run knows this folder
local claims = require "claims"

local args = floc.args { particles = 500, dimension = 2, seed = 1, solver = "auto", end_time = 9 }

-- The values of (4.5). The paper prints neither step nor domain: h = 0.01 and a square of side 2 for all
-- three figures reproduce their time scales. The model depends on the step (attraction enters with sqrt(h)).
local radius, kappa, epsilon = 0.01, 3e-3, 3e-3
local half = args.dimension == 2 and 1 or (args.particles * radius ^ 3 * 16 * 4 / 3) ^ (1 / 3)
local times = {
  [500] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 },
  [2000] = { 0, 0.4, 0.6, 0.8, 1.0, 1.2, 1.8, 3 },
  [5000] = { 0, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 3 },
}
local figure = { [500] = "Fig. 2", [2000] = "Fig. 3", [5000] = "Fig. 4" }

local sim = floc.simulation {
  dimension = args.dimension, time_step = 0.01, seed = args.seed,
  scheme = floc.inelastic { solver = args.solver, tolerance = 1e-6 * radius },
}
-- The point at the same distance from the origin along every axis.
local function corner(x) return args.dimension == 2 and { x, x } or { x, x, x } end
sim:add_particles {
  count = args.particles, radius = { 0.85 * radius, 1.15 * radius }, mass = 1,
  region = floc.box { lower = corner(-half), upper = corner(half) },
}
for id = 1, sim.count do sim.mass[id] = (sim.radius[id] / radius) ^ 3 end
sim:add_flow { flow = "still", relaxation_time = 0.2 }
sim:add_attraction { kappa = kappa, epsilon = epsilon, scaling = "noise" }
sim:add_noise { sigma = 0.5 }

local function clusters() return sim:clusters { by = "gap", gap = 0.05 * radius } end
sim:observe {
  path = floc.output "clusters.tsv", every = 10,
  columns = {
    clusters = function() return clusters().count end,
    mean_size = function() return clusters().mean_size end,
    largest = function() return clusters().largest end,
  },
}

claims.particles(sim, args.particles)
local claimed = { [500] = { 1, 3, 5, 9 }, [2000] = { 0.4, 1, 3 }, [5000] = { 0.1, 0.5, 3 } }
local series = claims.series(sim, 0.05 * radius, claimed[args.particles] or { 1, 3 },
  "Maury 2004, " .. (figure[args.particles] or "section 4.2"), "pictures: single discs, then clusters",
  { clusters = { args.particles == 500 and "M33" or args.particles == 2000 and "M35" or "M36" }, energy = "M33",
    largest = args.particles == 500 and "M34" or args.particles == 2000 and "M35" or "M36" })
local panels = floc.panels { columns = args.particles == 500 and 5 or 4 }
for _, time in ipairs(times[args.particles] or { 0, 0.5, 1, 2, 3 }) do
  if time <= args.end_time then
    sim:run { until_time = time }
    series.note(time)
    panels:add(sim, { title = ("t = %g"):format(time), lower = corner(-1.2 * half), upper = corner(1.2 * half) })
  end
end
panels:write(floc.output "noise.png")

series.finish(args.end_time)
claims.overlap(sim, 1e-5, args.particles)
