-- LAMMPS's benchmark bench/in.lj: 32,000 atoms on an fcc lattice of density 0.8442, T = 1.44, cut off at 2.5 without a
-- shift, in reduced units; step 0.005. At step 0 LAMMPS prints, per atom, the energy of pairs -6.7733681 and the total
-- -4.6134356, and the pressure -5.0197073. The latter is (2 K + sum of distance x force over all pairs)/(3 V): the law
-- gives this product in place of its energy while its parameter virial is 1. Velocities are random, with momentum 0, so
-- K = 3/2 T (N - 1); from step 1 on numbers differ by chance, because LAMMPS draws others.
local floc = require "floc"
local args = floc.args { cells = 20, steps = 100 }
local edge, count, random = (4 / 0.8442) ^ (1 / 3), 4 * args.cells ^ 3, floc.random "velocities"
local side, mean, square, speed = args.cells * edge, { 0, 0, 0 }, 0, {}
for k = 1, 3 * count do speed[k] = random:uniform(); mean[k % 3 + 1] = mean[k % 3 + 1] + speed[k] / count end
for k = 1, 3 * count do speed[k] = speed[k] - mean[k % 3 + 1]; square = square + speed[k] ^ 2 end
local sim = floc.simulation { dimension = 3, time_step = 0.005, boundary = "periodic", domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } },
  scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
for k = 0, count - 1 do -- corner (0, 0, 0) or the middle of a face of each cell
  local cell, position, velocity = math.floor(k / 4), {}, {}
  for axis = 1, 3 do
    position[axis] = (math.floor(cell / args.cells ^ (axis - 1)) % args.cells + ((k % 4 == 0 or k % 4 == axis) and 0 or 0.5)) * edge
    velocity[axis] = speed[3 * k + axis] * math.sqrt(3 * 1.44 * (count - 1) / square)
  end
  sim:add_particle { position = position, velocity = velocity, radius = 0.1, mass = 1 }
end
local law = sim:add_force { range = 2.3, parameters = { virial = 0 }, returns = { "normal", "energy" }, law = function(distance, virial)
  local six = 1 / (distance * distance * distance) ^ 2
  local force = (48 * six - 24) * six / distance
  return force, virial == 1 and force * distance or 4 * (six - 1) * six
end }
local function show()
  local kinetic, energy = sim:measure "kinetic_energy", law.energy
  law.virial = 1
  local pressure = (2 * kinetic + law.energy) / (3 * side ^ 3)
  law.virial = 0
  local total = (energy + kinetic) / count
  print(("step %d: T %.7f, E_pair %.7f, total %.7f, pressure %.7f"):format(sim.step, 2 * kinetic / (3 * (count - 1)), energy / count, total, pressure))
  return energy / count, total, pressure
end
local pairs_energy, total, pressure = show()
local fewer = 1.44 * (1 / 32000 - 1 / count) -- what a smaller box lacks of K
floc.report { claim = "E_pair at step 0", value = pairs_energy, expect = { equal = -6.7733681, tolerance = 1e-7 } }
floc.report { claim = "total energy at step 0", value = total, expect = { equal = -4.6134356 + 1.5 * fewer, tolerance = 1e-7 } }
floc.report { claim = "pressure at step 0", value = pressure, expect = { equal = -5.0197073 + 0.8442 * fewer, tolerance = 1e-7 } }
local start = os.clock()
sim:run { steps = args.steps }
print(("cpu_seconds %.3f"):format(os.clock() - start))
local _, after = show()
floc.report { claim = "total energy at the end, over that at the start", value = after / total, expect = { equal = 1, tolerance = 0.005 } }
