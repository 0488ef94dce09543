-- The bead-spring melt of Kremer and Grest, J. Chem. Phys. 92 (1990) 5057: density 0.85, repulsive Lennard-Jones (WCA)
-- between all beads, FENE springs (k = 30, R_0 = 1.5) along the chains, a heat bath of temperature 1 and friction 0.5. The
-- mean bond length is 0.97. Chains start stretched on a cubic lattice; bead i is bonded to i + 1 unless it ends a chain.
-- FENE is a law over bonds, so no list of neighbours reaches further than WCA.
local floc = require "floc"
local args = floc.args { beads = 12, start = 2400, steps = 24000 }
local beads, spacing = args.beads, 0.85 ^ (-1 / 3)
local side = beads * spacing
local sim = floc.simulation { dimension = 3, time_step = 0.0025, boundary = "periodic", domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } },
  scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
local bonds = {}
for k = 0, beads ^ 3 - 1 do
  local place = { k % beads, math.floor(k / beads) % beads, math.floor(k / beads ^ 2) }
  for axis = 1, 3 do place[axis] = (place[axis] + 0.5) * spacing end
  sim:add_particle { position = place, radius = 0.1, mass = 1 }
  if k % beads > 0 then bonds[#bonds + 1] = { k, k + 1 } end
end
sim:add_force { range = 2 ^ (1 / 6) - 0.2, potential = function(distance)
  local six = 1 / (distance * distance * distance) ^ 2
  return 4 * (six - 1) * six + 1
end }
local fene = sim:add_force { pairs = "bonds", attributes = { strength = 30, longest = 1.5 }, potential = function(distance, strength, longest)
  return -0.5 * strength * longest ^ 2 * math.log(1 - (distance / longest) ^ 2)
end }
sim:add_law_bonds { law = fene, particles = bonds }
sim:add_flow { flow = "still", relaxation_time = 2 }
sim:add_noise { sigma = 1 } -- sigma^2 relaxation_time/2 = 1
sim:run { steps = args.start }
local samples, temperature, length = 0, 0, 0
local found
sim:every(10, function()
  found = sim:law_pairs(fene, "distance", found)
  local sum = 0
  for k = 1, found.count do sum = sum + found.distance[k] end
  samples, length = samples + 1, length + sum / found.count
  temperature = temperature + 2 * sim:measure "translational_kinetic_energy" / (3 * sim.count)
end)
sim:run { steps = args.steps }
local scatter = math.sqrt(2 / (3 * beads ^ 3) / (args.steps * sim.time_step)) -- of a mean over that time
floc.report { claim = "temperature", value = temperature / samples, expect = { equal = 1, tolerance = math.max(0.01, 3 * scatter) } }
floc.report { claim = "mean bond length", value = length / samples, expect = { equal = 0.97, tolerance = 0.0097 } }
