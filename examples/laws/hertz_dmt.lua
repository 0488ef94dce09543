-- Hertz contact with the adhesion of Derjaguin, Muller and Toporov (DMT): stiff, small or weakly sticking spheres.
--
--   local dmt = require "hertz_dmt"
--   sim:add_force(dmt.pairs { young_modulus = 1e9, poisson_ratio = 0.3, work_of_adhesion = 0.05 })
--   sim:add_wall_force(dmt.walls { ... the same })
--
-- With R = r_i r_j/(r_i + r_j) (at a wall the radius), E* = E/(2 (1 - nu^2)), overlap d:
--   d > 0:  F = 4/3 E* sqrt(R) d^(3/2) - 2 pi w R            Hertz 1882; Derjaguin, Muller, Toporov 1975
--   d < 0:  F = -2 pi w R/(1 + |d|/z0)^2                     van der Waals force of spheres close by (Hamaker 1937):
--                                                            A R/(6 (z0 + |d|)^2) with w = A/(12 pi z0^2)
-- and a dashpot -sqrt(5) beta sqrt(m* k) v with k = 4/3 E* sqrt(R d), beta = -ln e/sqrt(pi^2 + (ln e)^2): without
-- adhesion the restitution is e at every velocity (Tsuji, Tanaka, Ishida 1992; Antypov, Elliott 2011).
-- Two materials: 1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2; change the line of `stiffness`.
local options = require "law_options"

local rules = {
  young_modulus = { above = 0 }, -- [force/length^2]
  poisson_ratio = { default = 0.3, above = -1, at_most = 0.5 },
  work_of_adhesion = { default = 0, at_least = 0 }, -- w [energy/length^2]; 0: Hertz
  separation = { default = 4e-10, above = 0 }, -- z0 [length], of surfaces in contact
  cutoff = { default = 30, at_least = 0 }, -- of the van der Waals force, in z0: there it is 0.1 % of its maximum
  restitution = { default = 1, above = 0, at_most = 1 },
}

local function make(given)
  local o = options("hertz_dmt", given, rules)
  local stiffness = o.young_modulus / (2 * (1 - o.poisson_ratio ^ 2)) -- E*
  local pull, z0, farthest = 2 * math.pi * o.work_of_adhesion, o.separation, o.cutoff * o.separation
  local logarithm = math.log(o.restitution)
  local damping = -math.sqrt(5) * logarithm / math.sqrt(math.pi ^ 2 + logarithm ^ 2)
  local function force(overlap, normal_velocity, R, mass)
    if overlap > 0 then
      local k = 4 / 3 * stiffness * math.sqrt(R * overlap)
      local elastic = k * overlap
      return elastic - pull * R - damping * math.sqrt(mass * k) * normal_velocity,
        0.4 * elastic * overlap - pull * R * (overlap + z0)
    end
    if overlap < -farthest then return 0, 0 end
    local x = z0 / (z0 - overlap)
    return -pull * R * x * x, -pull * R * z0 * x
  end
  return force, o.work_of_adhesion > 0 and farthest or 0
end

local dmt = {}

function dmt.pairs(given)
  local force, range = make(given)
  return {
    name = "Hertz and DMT", range = range, returns = { "normal", "energy" },
    law = function(overlap, normal_velocity, radius_i, radius_j, mass_i, mass_j)
      return force(overlap, normal_velocity, radius_i * radius_j / (radius_i + radius_j), mass_i * mass_j / (mass_i + mass_j))
    end,
  }
end

function dmt.walls(given)
  local force, range = make(given)
  return {
    name = "Hertz and DMT at walls", range = range, returns = { "normal", "energy" },
    law = function(overlap, normal_velocity, radius, mass) return force(overlap, normal_velocity, radius, mass) end,
  }
end

return dmt
