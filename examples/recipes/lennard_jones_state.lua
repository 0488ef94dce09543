-- A Lennard-Jones liquid at two state points for which NIST publishes energy and pressure (reference simulations of 500 particles, forces cut
-- at 3 sigma, tail corrections added), each with the standard error of the mean over blocks of the run. Some minutes.
--
--   floc run examples/recipes/lennard_jones_state.lua --temperature=0.85
local floc = require "floc"
local args = floc.args { temperature = { 0.9, text = "0.85 or 0.9" }, blocks = { 20, integer = true, at_least = 2 }, samples = { 800, integer = true, at_least = 1 },
  start = { 5000, integer = true, at_least = 0 }, seed = 3 }
local published = { [0.85] = { -5.5121, 0.0067714, 4.6e-4, 1.8e-3 }, [0.9] = { -5.4689, 0.24056, 4.3e-4, 2.1e-3 } }
local wanted = published[args.temperature] or error "published are 0.85 and 0.9"
local density, cut, cells = 0.776, 3, 5
local edge, count = (4 / density) ^ (1 / 3), 4 * cells ^ 3
local side = cells * edge
local sim = floc.simulation { dimension = 3, time_step = 0.003, boundary = "periodic", seed = args.seed,
  domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } }, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
sim:add_particles { count = count, placement = "fcc", spacing = edge, temperature = 2 * args.temperature, radius = 0.1 }
local law = sim:add_force { range = cut - 0.2, potential = function(distance) local six = 1 / distance ^ 6 return 4 * (six - 1) * six end }
sim:add_flow { flow = "still", relaxation_time = 2 } -- a heat bath at the temperature: sigma^2 = 2 T m/tau
sim:add_noise { sigma = math.sqrt(2 * args.temperature / 2) }
sim:run { steps = args.start }
local third, means = 1 / cut ^ 3, { {}, {} }
local tail = { 8 / 3 * math.pi * density * (third ^ 3 / 3 - third), 16 / 3 * math.pi * density ^ 2 * (2 / 3 * third ^ 3 - third) }
for block = 1, args.blocks do
  local energy, pressure = 0, 0
  for _ = 1, args.samples do
    sim:run { steps = 20 }
    energy, pressure = energy + law.energy / count, pressure + sim:measure "pressure"
  end
  means[1][block], means[2][block] = energy / args.samples + tail[1], pressure / args.samples + tail[2]
end
for k, name in ipairs { "energy per particle", "pressure" } do
  local mean, square = 0, 0
  for _, value in ipairs(means[k]) do mean = mean + value / args.blocks end
  for _, value in ipairs(means[k]) do square = square + (value - mean) ^ 2 / (args.blocks - 1) end
  local own = math.sqrt(square / args.blocks)
  floc.report { claim = name .. " at T = " .. args.temperature, value = mean, paper = tostring(wanted[k]),
    expect = { equal = wanted[k], tolerance = 3 * math.sqrt(own ^ 2 + wanted[k + 2] ^ 2) } }
  floc.report { claim = "its standard error, by blocks", value = own, expect = { at_most = ({ 2e-3, 1.2e-2 })[k] } }
end
