-- Wrong physics, as patches on the text of the examples: what `floc reproduce --mutations` runs to see whether the claims
-- notice. A mutation replaces words by others wherever they stand (words that are not there are an error) and runs the
-- example with `arguments`. A `control` changes nothing that a claim may see, and must pass. `missed` tells why nothing
-- notices; a mutation that is missed without a reason fails, and so does one with a reason that is noticed.

local mutations = {}

mutations.list = {
  -- Maury
  { id = "sh0", file = "aggregation/shear.lua", change = "nothing is changed", control = true },
  { id = "sh1", file = "aggregation/shear.lua", change = "kappa / 3", patches = { { "0.01, 3e-3, 3e-3", "0.01, 1e-3, 3e-3" } } },
  { id = "sh2", file = "aggregation/shear.lua", change = "kappa x 3", patches = { { "0.01, 3e-3, 3e-3", "0.01, 9e-3, 3e-3" } } },
  { id = "sh3", file = "aggregation/shear.lua", change = "epsilon and kappa / 2 (Remark 4.1)",
    patches = { { "0.01, 3e-3, 3e-3", "0.01, 1.5e-3, 1.5e-3" } } },
  { id = "sh4", file = "aggregation/shear.lua", change = "no attraction", patches = { { "if args.attraction then", "if false then" } } },
  { id = "sh5", file = "aggregation/shear.lua", change = "attraction with sqrt(h)",
    patches = { { "epsilon = epsilon }", 'epsilon = epsilon, scaling = "noise" }' } } },
  { id = "sh6", file = "aggregation/shear.lua", change = "relaxation time x 10", patches = { { "relaxation_time = 0.2", "relaxation_time = 2" } } },
  { id = "sh7", file = "aggregation/shear.lua", change = "omega x 3", patches = { { "frequency = math.pi", "frequency = 3*math.pi" } } },
  { id = "sh8", file = "aggregation/shear.lua", change = "all masses 1", patches = { { "(sim.radius[id] / radius) ^ 3", "1" } } },
  { id = "sh9", file = "aggregation/shear.lua", change = "radii 0.4 r to 1.6 r",
    patches = { { "0.85 * radius, 1.15 * radius", "0.4 * radius, 1.6 * radius" } } },
  { id = "sh10", file = "aggregation/shear.lua", change = "shear rate / 2",
    patches = { { '"oscillating_shear", ', '"oscillating_shear", rate = 0.5, ' } } },
  { id = "sh11", file = "aggregation/shear.lua", change = "relaxation time / 10 with h/tau = 1",
    patches = { { "relaxation_time = 0.2", "relaxation_time = 0.021" } } },
  { id = "sh12", file = "aggregation/shear.lua", change = "solver tolerance x 1e5",
    patches = { { "tolerance = 1e-6 * radius", "tolerance = 0.1 * radius" } } },
  { id = "sh13", file = "aggregation/shear.lua", change = "mass as radius squared", patches = { { "/ radius) ^ 3", "/ radius) ^ 2" } } },
  { id = "no0", file = "aggregation/noise.lua", change = "nothing is changed", control = true },
  { id = "no1", file = "aggregation/noise.lua", change = "attraction with h, not sqrt(h)",
    patches = { { 'scaling = "noise"', 'scaling = "force"' } } },
  { id = "no2", file = "aggregation/noise.lua", change = "sigma / 2", patches = { { "sigma = 0.5", "sigma = 0.25" } } },
  { id = "no3", file = "aggregation/noise.lua", change = "sigma x 2", patches = { { "sigma = 0.5", "sigma = 1" } } },
  { id = "no4", file = "aggregation/noise.lua", change = "relaxation time x 10", patches = { { "relaxation_time = 0.2", "relaxation_time = 2" } } },
  { id = "no5", file = "aggregation/noise.lua", change = "step 0.02", patches = { { "time_step = 0.01", "time_step = 0.02" } } },
  { id = "no6", file = "aggregation/noise.lua", change = "kappa / 3", patches = { { "0.01, 3e-3, 3e-3", "0.01, 1e-3, 3e-3" } } },
  { id = "no7", file = "aggregation/noise.lua", change = "masses equal", patches = { { "(sim.radius[id] / radius) ^ 3", "1" } } },
  { id = "no8", file = "aggregation/noise.lua", change = "domain half as wide", patches = { { "and 1 or", "and 0.5 or" } } },
  { id = "no9", file = "aggregation/noise.lua", change = "domain 1.2 times as wide", patches = { { "and 1 or", "and 1.2 or" } } },
}

return mutations
