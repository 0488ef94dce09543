-- Part II of the mechanically derived contact model: grains as a whole (Zunker, Kamrin 2024, J. Mech. Phys. Solids 183, 105493;
-- `fix granular/mdr` of LAMMPS). Every contact is that of mdr.lua; besides, grains grow by the volume that contacts
-- displace, and grains that have little free surface left resist a further decrease of their volume.
--
--   require("mdr_grains").add(sim, { young_modulus = 1e9, yield_stress = 5e6, greatest_radius = 1e-4, walls = true })
--
-- It adds attributes, a law of pairs, one of walls and an evolution. sim.radius stays the initial radius R_o; the apparent one is
-- R = R_o + grown, and overlaps d are those of apparent radii. Of each grain, sums over its contacts (at the end of a step; contacts
-- see those of the step before):
--   A_c, A   area pi d R where elastic, pi (2 d R - d^2 + d_Y^2 - d_Y R) beyond yield; their sum
--   V        4/3 pi R^3 - sum of segments pi/3 d^2 (3 R - d), at most V_o = 4/3 pi R_o^3
--   strain   - sum of F (R - d)/(3 kappa V_o (1 + strain)), the mean volume strain by Hooke's law, kappa = E/(3 (1 - 2 nu))
--            (a tenth of V_o is the least that either volume is taken to be)
--   psi      free over total surface, total = 4 pi R^2 + sum of (A_c - 2 pi R (d_MDR,max + d_B))
-- Growth keeps the volume, dV = V_o d(strain), from the contacts that flow (at their deepest, beyond yield, pressed):
--   dR (4 pi R^2 - sum 2 pi R d) = sum of (V_o d(strain) + pi (R^2 - (R_o - d_o)^2) d(d_o)) w,  d_o = d - grown,
-- w = 1/(1 + exp(-75 (psi - 0.2))), 0 below 0.1: grains that are shut in grow no more. It is never negative.
-- Bulk response, where psi < free_surface: the mean displacement of the surface, sum of A_c/A times the change of d, goes into d_B
-- of each contact, and its spring sees d_MDR = d - d_B only; the contact has the further force A/V kappa d_B A_c.
--
-- Not in here: LAMMPS weighs a contact down where a third grain stands between two, by a penalty over all triples of grains
-- that touch one another. The engine has laws of triples that the script names, but none of those that touch, so in a packing in
-- which two grains reach each other past a third one, the volume between them counts twice. Nor is LAMMPS's factor on forces at
-- walls, 1 + exp(10.7 d_o/R_o - 10), which is 1.01 at d_o = R_o/2. Growth is not averaged over ten steps.
local mdr = require "mdr"
local options = require "law_options"

local rules = {
  free_surface = { default = 0.08, at_least = 0, below = 1 }, -- psi below which the bulk responds
  greatest_growth = { default = 0.2, above = 0, at_most = 0.5 }, -- grown/R_o; the range of the laws allows for it; beyond it the run stops
  walls = { default = false, one_of = { false, true } }, -- walls act on grains as well, rigid ones
}
for name, rule in pairs(mdr.rules) do rules[name] = rule end

-- Of a grain, kept from step to step: what it has grown, and by the sums of the step before: the area in contact, 1 - psi, V_o - V, the
-- strain, the mean displacement of its surface in that step.
local kept = { "grown", "contact_area", "covered", "lost_volume", "volume_strain", "surface_shift" }
-- Sums of a step: A_c, the loss of total surface, segments, strain, what flows, the surface that it lifts less 4 pi R^2, the shift.
local sums = { "area_now", "surface_now", "segments_now", "strain_now", "flow_now", "lifted_now", "shift_now" }
-- Of a contact, of each side: the displacement without load, d, d_o, d_B, the deepest d_MDR, the radius in contact, A_c, its strain.
local remembered = { "rest", "d", "d_o", "d_bulk", "deepest_mdr", "held", "area", "strain" }

local function is_above(x) return math.min(math.max(x, 0) * 1e300, 1) end -- 1 where x > 0, else 0, without a branch for the tracer

-- Functions of options and the adhesion of a side: one side of a contact.
local function make(o, adhesion)
  local dent, contact, reach = mdr.sphere(o, adhesion)
  local nu = o.poisson_ratio
  local kappa, yield = o.young_modulus / (3 * (1 - 2 * nu)), mdr.yield_displacement(o.young_modulus / (1 - nu * nu), o.yield_stress)

  -- Force, the 8 numbers that the side remembers, its 7 sums.
  local function press(d, initial, grown, total_area, covered, lost, strain_of, shift, before, d_o_before, d_bulk, deepest, held, area_before, strain_before)
    local R, whole = initial + math.max(grown, 0), 4 / 3 * math.pi * initial ^ 3
    local touching, d_o = is_above(d), d - grown
    d_bulk = touching * math.max(d_bulk + is_above(covered - 1 + o.free_surface) * shift, 0)
    local d_mdr = d - d_bulk
    deepest = math.max(deepest, d_mdr)
    local A, B, rest, s = dent(math.min(deepest, R), R)
    local force
    force, held = contact((math.min(d_mdr, R) - rest) / s, A, B, held)
    local plastic = is_above(deepest / R - yield)
    local area = math.pi * math.max(d * R + plastic * (d * R - d * d + R * R * yield * (yield - 1)), 0) * touching
    local bulk = total_area / math.max(whole - lost, whole / 10) * kappa * d_bulk * area
    local strain = -(force + bulk) * (R - d) / (3 * kappa * whole * math.max(1 + strain_of, 0.1))
    local flows = plastic * is_above(force) * (1 - is_above(deepest - d_mdr))
    local pressed = math.max(d, 0)
    return force + bulk, rest, d, d_o, d_bulk, deepest, held, area, strain,
      area, touching * (area - 2 * math.pi * R * (deepest + d_bulk)), math.pi / 3 * pressed * pressed * (3 * R - pressed), strain,
      flows * (whole * (strain - strain_before) + math.pi * (d_o - d_o_before) * (R * R - (initial - d_o) ^ 2)), flows * 2 * math.pi * R * d,
      area_before / math.max(total_area, 1e-300) * (d - before)
  end
  return press, reach
end

local function evolution(o)
  return function(radius, grown, contact_area, covered, lost_volume, volume_strain, surface_shift,
    sum_area_now, sum_surface_now, sum_segments_now, sum_strain_now, sum_flow_now, sum_lifted_now, sum_shift_now, time_step)
    local R = radius + math.max(grown, 0)
    if grown > o.greatest_growth * radius then error("a grain has grown by more than greatest_growth of its radius") end
    local total = 4 * math.pi * R * R + sum_surface_now
    local free = 1 - sum_area_now / total
    local w = is_above(free - math.max(o.free_surface, 0.1)) / (1 + math.exp(-75 * (free - 0.2)))
    local growth = math.max(w * sum_flow_now / (4 * math.pi * R * R - sum_lifted_now), 0)
    local lost = math.max(4 / 3 * math.pi * (radius ^ 3 - R ^ 3) + sum_segments_now, 0)
    return growth / time_step, (sum_area_now - contact_area) / time_step, (1 - free - covered) / time_step, (lost - lost_volume) / time_step,
      (sum_strain_now - volume_strain) / time_step, (sum_shift_now - surface_shift) / time_step
  end
end

local function names_of(side, list)
  local names = {}
  for k, name in ipairs(list) do names[k] = side and ("%s_%s"):format(name, side) or name end
  return names
end

local function joined(...)
  local all = {}
  for _, list in ipairs { ... } do
    for _, name in ipairs(list) do all[#all + 1] = name end
  end
  return all
end

local function sums_of(side)
  local names = {}
  for k, name in ipairs(sums) do names[k] = ("sum_%s%s"):format(side, name) end
  return names
end

local function of_pairs(o)
  local press, reach = make(o, o.work_of_adhesion / 2)
  local damping, modulus = 2 * math.sqrt(5 / 6) * o.damping, o.young_modulus / (2 * (1 - o.poisson_ratio ^ 2))
  local memory = joined({ "deepest" }, names_of("i", remembered), names_of("j", remembered))
  return {
    name = "mdr of grains", range = 2 * (reach + o.greatest_growth * o.greatest_radius), memory = memory,
    returns = joined({ "normal" }, memory, sums_of "i_", sums_of "j_"),
    law = function(overlap, normal_velocity, radius_i, radius_j, mass_i, mass_j, grown_i, grown_j, contact_area_i, contact_area_j,
      covered_i, covered_j, lost_volume_i, lost_volume_j, volume_strain_i, volume_strain_j, surface_shift_i, surface_shift_j,
      deepest, rest_i, d_i, d_o_i, d_bulk_i, deepest_mdr_i, held_i, area_i, strain_i, rest_j, d_j, d_o_j, d_bulk_j, deepest_mdr_j, held_j, area_j, strain_j)
      local R_i, R_j, apart = radius_i + math.max(grown_i, 0), radius_j + math.max(grown_j, 0), overlap + grown_i + grown_j
      deepest = math.max(deepest, apart, 0)
      local deep = math.min(deepest, R_i, R_j)
      local deep_i = deep * (2 * R_j - deep) / (2 * (R_i + R_j - deep))
      local deep_j = deep - deep_i
      local back_i, back_j = math.max(deep_i - rest_i, 0), math.max(deep_j - rest_j, 0) -- to where each would be without load
      local way = math.min(apart - deep, 0) / math.max(back_i + back_j, 1e-200)
      local force_i, force_j, a1, a2, a3, a4, a5, a6, a7, b1, b2, b3, b4, b5, b6, b7
      force_i, rest_i, d_i, d_o_i, d_bulk_i, deepest_mdr_i, held_i, area_i, strain_i, a1, a2, a3, a4, a5, a6, a7 = press(deep_i + back_i * way,
        radius_i, grown_i, contact_area_i, covered_i, lost_volume_i, volume_strain_i, surface_shift_i, d_i, d_o_i, d_bulk_i, deepest_mdr_i, held_i, area_i, strain_i)
      force_j, rest_j, d_j, d_o_j, d_bulk_j, deepest_mdr_j, held_j, area_j, strain_j, b1, b2, b3, b4, b5, b6, b7 = press(deep_j + back_j * way,
        radius_j, grown_j, contact_area_j, covered_j, lost_volume_j, volume_strain_j, surface_shift_j, d_j, d_o_j, d_bulk_j, deepest_mdr_j, held_j, area_j, strain_j)
      local drag = damping * math.sqrt(modulus * (held_i + held_j) * mass_i * mass_j / (mass_i + mass_j))
      return (force_i + force_j) / 2 - drag * normal_velocity, deepest,
        rest_i, d_i, d_o_i, d_bulk_i, deepest_mdr_i, held_i, area_i, strain_i, rest_j, d_j, d_o_j, d_bulk_j, deepest_mdr_j, held_j, area_j, strain_j,
        a1, a2, a3, a4, a5, a6, a7, b1, b2, b3, b4, b5, b6, b7
    end,
  }
end

local function of_walls(o)
  local press, reach = make(o, o.work_of_adhesion)
  local damping, modulus = 2 * math.sqrt(5 / 6) * o.damping, o.young_modulus / (1 - o.poisson_ratio ^ 2)
  local memory = { (table.unpack or unpack)(remembered, 2) } -- one wall, one side: no need of where the flat is
  return {
    name = "mdr of grains at walls", range = reach + o.greatest_growth * o.greatest_radius, memory = memory, returns = joined({ "normal" }, memory, sums_of ""),
    law = function(overlap, normal_velocity, radius, mass, grown, contact_area, covered, lost_volume, volume_strain, surface_shift,
      d, d_o, d_bulk, deepest_mdr, held, area, strain)
      local force, _, s1, s2, s3, s4, s5, s6, s7
      force, _, d, d_o, d_bulk, deepest_mdr, held, area, strain, s1, s2, s3, s4, s5, s6, s7 = press(overlap + grown,
        radius, grown, contact_area, covered, lost_volume, volume_strain, surface_shift, d, d_o, d_bulk, deepest_mdr, held, area, strain)
      return force - damping * math.sqrt(2 * modulus * held * mass) * normal_velocity, d, d_o, d_bulk, deepest_mdr, held, area, strain,
        s1, s2, s3, s4, s5, s6, s7
    end,
  }
end

local grains = {}

-- Returns the laws of pairs and of walls, for sim:law_pairs and sim:explain.
function grains.add(sim, given)
  local o = options("mdr_grains", given, rules)
  for _, name in ipairs(joined(kept, sums)) do sim:add_attribute(name, 0) end
  local pairs_law = sim:add_force(of_pairs(o))
  local walls_law = o.walls and sim:add_wall_force(of_walls(o)) or nil
  sim:add_evolution { name = "growth and bulk of grains", attributes = kept, law = evolution(o) }
  return pairs_law, walls_law
end

return grains
