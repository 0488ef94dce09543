-- A Lennard-Jones liquid in a cell that holds the pressure which NIST publishes for T = 0.9 and the density 0.776 (forces cut at 3 sigma; what
-- the tail adds to the pressure is taken off): mean pressure and density, with the standard errors of blocks of the run. Some minutes.
local floc = require "floc"
local args = floc.args { blocks = { 20, integer = true, at_least = 2 }, steps = { 8000, integer = true, at_least = 1 }, start = { 5000, integer = true, at_least = 0 },
  shear_rate = { 0, text = "of the cell" }, seed = 3 }
local temperature, density, published, cut, cells = 0.9, 0.776, 0.24056, 3, 5
local third = 1 / cut ^ 3
local held = published - 16 / 3 * math.pi * density ^ 2 * (2 / 3 * third ^ 3 - third)
local edge, count = (4 / density) ^ (1 / 3), 4 * cells ^ 3
local side = cells * edge
local sim = floc.simulation { dimension = 3, time_step = 0.003, boundary = "periodic", seed = args.seed,
  domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } }, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
sim:add_particles { count = count, placement = "fcc", spacing = edge, temperature = 2 * temperature, radius = 0.1 }
sim:add_force { range = cut - 0.2, potential = function(distance) local six = 1 / distance ^ 6 return 4 * (six - 1) * six end }
sim:add_flow { flow = "still", relaxation_time = 2 } -- a heat bath at the temperature, which moves with the cell: sigma^2 = 2 T m/tau
sim:add_noise { sigma = math.sqrt(2 * temperature / 2) }
sim:deform { pressure = held, relaxation_time = 5, shear_rate = args.shear_rate }
sim:run { steps = args.start }
local pressure, number_density, steps, means = 0, 0, 0, { {}, {} }
sim:every(1, function()
  local cell = sim.domain
  pressure, number_density, steps = pressure + cell.pressure, number_density + count / (cell.upper[1] - cell.lower[1]) ^ 3, steps + 1
end)
for block = 1, args.blocks do
  pressure, number_density, steps = 0, 0, 0
  sim:run { steps = args.steps }
  means[1][block], means[2][block] = pressure / steps, number_density / steps
end
for k, name in ipairs { "pressure", "density" } do
  local mean, square, wanted = 0, 0, ({ held, density })[k]
  for _, value in ipairs(means[k]) do mean = mean + value / args.blocks end
  for _, value in ipairs(means[k]) do square = square + (value - mean) ^ 2 / (args.blocks - 1) end
  local own = math.sqrt(square / args.blocks)
  -- of the published pressure, +- 0.0021, which is 2e-4 of density at a slope of 11
  floc.report { claim = name, value = mean, expect = { equal = wanted, tolerance = 3 * math.sqrt(own ^ 2 + (k == 2 and 2e-4 or 0) ^ 2) } }
  floc.report { claim = "its standard error, by blocks", value = own, expect = { at_most = ({ 5e-3, 1e-3 })[k] } }
end
