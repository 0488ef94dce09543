-- A flat-bottomed silo in the plane discharges through an opening of the width D: the mean rate W, for a fit of Beverloo's law in two
-- dimensions, W = C rho_b sqrt(g) (D - k d)^(3/2), rho_b the mass of grains per area of the bed, d the mean diameter (Beverloo,
-- Leniger, van de Velde, Chem. Eng. Sci. 15 (1961) 260, has D - k d to the power of 5/2 in space). One line of output a run.
--
--   build/floc run benchmarks/granular/silo.lua --opening=8 --seed=1
--
-- The bed begins twice as high as it is wide, and the mean is taken from `transient` on until what is left would fill less than
-- 1.2 widths, above which the rate does not depend on the height. A run in which nothing leaves for 30 sqrt(d/g) has jammed.
local floc = require "floc"
local args = floc.args {
  opening = { 8, above = 0, text = "in mean diameters" },
  friction = { 0.5, at_least = 0 },
  restitution = { 0, at_least = 0, below = 1 },
  width = { 30, above = 0, text = "of the silo, in mean diameters" },
  transient = { 8, at_least = 0, text = "in sqrt(d/g)" },
  time_step = { 0.02, above = 0, text = "in sqrt(d/g)" },
  seed = 1,
}
local half, gap = args.width / 2, args.opening / 2 -- d = 1, g = 1, mass of a mean disc 1
local sim = floc.simulation { time_step = args.time_step, gravity = { 0, -1 }, seed = args.seed,
  scheme = floc.inelastic { friction = args.friction, restitution = args.restitution, tolerance = 1e-4 } }
local high = 4.3 * args.width
sim:add_body { shapes = { floc.segment { { -half, high }, { -half, 0 } }, floc.segment { { half, high }, { half, 0 } },
  floc.segment { { -half, 0 }, { -gap, 0 } }, floc.segment { { half, 0 }, { gap, 0 } } } }
local lid = sim:add_body { shape = floc.segment { { -gap, 0 }, { gap, 0 } } }
local count = math.floor(2 * args.width ^ 2 * 0.82 / (math.pi / 4))
sim:add_particles { count = count, radius = { 0.4, 0.6 }, density = 4 / math.pi, region = floc.box { lower = { -half, 0 }, upper = { half, 4.2 * args.width } } }
sim:run { until_time = 2 * math.sqrt(2 * 2 * args.width) }
-- Mass per area in the bed, away from the walls.
local area, inside = (args.width - 6) * args.width, 0
for id = 1, sim.count do
  if math.abs(sim.x[id]) < half - 3 and sim.y[id] > 3 and sim.y[id] < 3 + args.width then inside = inside + sim.mass[id] end
end
local density = inside / area
sim:remove_body(lid)
local out = sim:add_outlet { region = floc.box { lower = { -half, -60 }, upper = { half, -2 } } }
local begin, from, last, passed = sim.time + args.transient, nil, sim.time, 0
local function is_over()
  if sim.time >= begin and not from then from = out.mass end
  if out.mass > passed then passed, last = out.mass, sim.time end
  return sim:sum(function(mass) return mass end) < 1.2 * args.width ^ 2 * density or sim.time - last > 30
end
sim:run { until_ = is_over }
local jammed, time = sim.time - last > 30, sim.time - begin
local rate = jammed and 0 or (out.mass - from) / time
print(("silo opening=%g friction=%g restitution=%g width=%g seed=%d density=%.4f rate=%.4f reduced=%.4f time=%.1f jammed=%d"):format(args.opening, args.friction,
  args.restitution, args.width, args.seed, density, rate, (rate / density) ^ (2 / 3), time, jammed and 1 or 0))
