-- LAMMPS's benchmark bench/in.lj in reduced units: 32,000 atoms on an fcc lattice of density 0.8442, T = 1.44, cut off at 2.5 without
-- a shift. Numbers at step 0 are those that LAMMPS prints.
local floc = require "floc"
local args = floc.args { cells = 20, steps = 100 }
local edge, count = (4 / 0.8442) ^ (1 / 3), 4 * args.cells ^ 3
local side = args.cells * edge
local sim = floc.simulation { dimension = 3, time_step = 0.005, boundary = "periodic", domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } },
  scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
sim:add_particles { count = count, placement = "fcc", spacing = edge, temperature = 1.44, radius = 0.1 }
local law = sim:add_force { range = 2.3, potential = function(distance) local six = 1 / distance ^ 6 return 4 * (six - 1) * six end }
local function report(claim, value, expected, tolerance) floc.report { claim = claim, value = value, expect = { equal = expected, tolerance = tolerance } } end
local function state()
  local pair, total, pressure = law.energy / count, sim:measure "total_energy" / count, sim:measure "pressure"
  print(("step %d: T %.7f, E_pair %.7f, total %.7f, pressure %.7f"):format(sim.step, sim:measure "temperature", pair, total, pressure))
  return pair, total, pressure
end
local pair, total, pressure = state()
local fewer = 1.44 * (1 / 32000 - 1 / count) -- what a smaller box lacks of K
report("E_pair at step 0", pair, -6.7733681, 1e-7) report("total energy at step 0", total, -4.6134356 + 1.5 * fewer, 1e-7)
report("pressure at step 0", pressure, -5.0197073 + 0.8442 * fewer, 1e-7)
local start = os.clock() sim:run { steps = args.steps } print(("cpu_seconds %.3f"):format(os.clock() - start))
report("total energy at the end, over that at the start", select(2, state()) / total, 1, 0.005)
