-- The bead-spring melt of Kremer and Grest, J. Chem. Phys. 92 (1990) 5057: density 0.85, repulsive Lennard-Jones (WCA)
-- between all beads, FENE springs (k = 30, R_0 = 1.5) along the chains, a heat bath of temperature 1 and friction 0.5. The
-- mean bond length is 0.97. Chains start stretched on a cubic lattice; bead i is bonded to i + 1 unless it ends a chain.
local floc = require "floc"
local args = floc.args { beads = 12, start = 2400, steps = 24000 }
local beads, spacing = args.beads, 0.85 ^ (-1 / 3)
local side = beads * spacing
local sim = floc.simulation { dimension = 3, time_step = 0.0025, boundary = "periodic", domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } },
  scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
for k = 0, beads ^ 3 - 1 do
  local place = { k % beads, math.floor(k / beads) % beads, math.floor(k / beads ^ 2) }
  for axis = 1, 3 do place[axis] = (place[axis] + 0.5) * spacing end
  sim:add_particle { position = place, radius = 0.1, mass = 1 }
end
sim:add_force { range = 2 ^ (1 / 6) - 0.2, potential = function(distance)
  local six = 1 / (distance * distance * distance) ^ 2
  return 4 * (six - 1) * six + 1
end }
local fene = sim:add_force { range = 1.3, potential = function(distance, id_i, id_j)
  local bonded = id_j - id_i < 1.5 and id_i % beads > 0.5
  return bonded and -0.5 * 30 * 1.5 ^ 2 * math.log(1 - (distance / 1.5) ^ 2) or 0
end }
sim:add_flow { flow = "still", relaxation_time = 2 }
sim:add_noise { sigma = 1 } -- sigma^2 relaxation_time/2 = 1
sim:run { steps = args.start }
local samples, temperature, length = 0, 0, 0
sim:every(10, function()
  local pairs, sum, count = sim:law_pairs(fene, { "distance", "energy" }), 0, 0
  for k, energy in ipairs(pairs.energy) do
    if energy > 0 then sum, count = sum + pairs.distance[k], count + 1 end
  end
  if count ~= beads ^ 2 * (beads - 1) then error "a bond is longer than 1.5" end
  samples, length = samples + 1, length + sum / count
  temperature = temperature + 2 * sim:measure "translational_kinetic_energy" / (3 * sim.count)
end)
sim:run { steps = args.steps }
local scatter = math.sqrt(2 / (3 * beads ^ 3) / (args.steps * sim.time_step)) -- of a mean over that time
floc.report { claim = "temperature", value = temperature / samples, expect = { equal = 1, tolerance = math.max(0.01, 3 * scatter) } }
floc.report { claim = "mean bond length", value = length / samples, expect = { equal = 0.97, tolerance = 0.0097 } }
