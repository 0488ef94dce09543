-- Dense disordered packings: spheres to 0.63 of a periodic cube, and discs of many sizes to 0.84 of a square.
--
--   floc run examples/recipes/dense_packing.lua --spheres=10000
local floc = require "floc"
local args = floc.args { spheres = { 500, integer = true, at_least = 300 }, discs = { 500, integer = true, at_least = 300 }, seed = 1 }
local panels = floc.panels { columns = 2 }

local function pack(dimension, count, radius, fraction)
  local lower, upper = { 0, 0 }, { 1, 1 }
  if dimension == 3 then lower[3], upper[3] = 0, 1 end
  local sim = floc.simulation { dimension = dimension, time_step = 1e-3, seed = args.seed, boundary = "periodic", domain = floc.box { lower = lower, upper = upper } }
  sim:add_particles { count = count, radius = radius, density = 1, placement = "dense", volume_fraction = fraction }
  panels:add(sim, { title = ("%d %s at %.2f"):format(count, dimension == 3 and "spheres" or "discs", fraction), colour = "radius", legend = false })
  return sim
end

local spheres = pack(3, args.spheres, 1, 0.63)
local discs = pack(2, args.discs, { 1, 1.6 }, 0.84)
panels:write(floc.output "dense_packing.png")
local d = 2 * spheres.radius[1]
local g = spheres:radial_distribution { range = 3 * d, bins = 60 }
floc.plot { path = floc.output "dense_packing_g.png", x = { label = "distance, in diameters" }, y = { label = "g" }, series = { { x = (function()
  local x = {}
  for k, r in ipairs(g.r) do x[k] = r / d end
  return x
end)(), y = g.g } } }
for name, sim in pairs { spheres = spheres, discs = discs } do
  floc.report { claim = "fraction of " .. name, value = sim:measure "volume_fraction", expect = { equal = sim.dimension == 3 and 0.63 or 0.84, tolerance = 1e-9 } }
  floc.report { claim = "overlap of " .. name .. ", in radii", value = sim:check_overlap(), expect = { at_most = 1e-9 } }
end
floc.report { claim = "global bond order q6 of the spheres (0.57 in a crystal)", value = spheres:bond_order { range = 0.1 * d }.global, expect = { at_most = 0.1 } }
