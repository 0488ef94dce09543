-- Adhesive elastic spheres of Johnson, Kendall and Roberts (JKR): soft or large spheres with short-ranged adhesion.
--
--   local jkr = require "jkr"
--   sim:add_force(jkr.pairs { young_modulus = 1e7, poisson_ratio = 0.3, work_of_adhesion = 0.05, greatest_radius = 1e-4 })
--   sim:add_wall_force(jkr.walls { ... the same })
--
-- With R = r_i r_j/(r_i + r_j) (at a wall the radius), E* = E/(2 (1 - nu^2)) and the contact radius a:
--   F = 4 E* a^3/(3 R) - sqrt(8 pi w E* a^3),  overlap d = a^2/R - sqrt(2 pi w a/E*)      Johnson, Kendall, Roberts 1971
-- Surfaces that approach touch at d = 0, where they are pulled together at once; surfaces that are pulled apart hold on
-- to d = -3/4 (pi^2 w^2 R/E*^2)^(1/3), with a neck between them. So a collision costs energy (Johnson, Pollock 1994):
-- 7.09 (w^5 R^4/E*^2)^(1/3). The memory `touching` says on which branch a pair is. The greatest tension is 3/2 pi w R.
--
-- a follows from d: with a0 the radius without load, a0^3 = 9 pi w R^2/(2 E*), and s = sqrt(a/a0),
--   s^4 - 2/3 s = d R/a0^2,  F = 6 pi w R (s^6 - s^3);
-- Ferrari's and Cardano's formulas give s, one step of Newton's method removes their cancellation where d is large.
local options = require "law_options"

local rules = {
  young_modulus = { above = 0 }, -- [force/length^2]
  poisson_ratio = { default = 0.3, above = -1, at_most = 0.5 },
  work_of_adhesion = { above = 0 }, -- w [energy/length^2]
  greatest_radius = { above = 0 }, -- of all particles [length]; the range of the law follows from it
  damping = { default = 0, at_least = 0 }, -- beta of -2 sqrt(5/6) beta sqrt(2 E* a m*) v, as in hertz_mindlin.lua
}

local jkr = {}

jkr.least = -0.5 * 6 ^ (-1 / 3) -- d R/a0^2 at which a neck breaks

-- The contact radius without load.
function jkr.free_radius(R, stiffness, work) return (4.5 * math.pi * work * R * R / stiffness) ^ (1 / 3) end

-- s of d R/a0^2, which must be at least jkr.least.
function jkr.scaled(d)
  local u = (1 / 36 + math.sqrt(math.max(1 / 1296 + d * d * d / 27, 0))) ^ (1 / 3)
  local m = math.max(u - d / (3 * u), 1e-30)
  local root = math.sqrt(2 * m)
  local s = 0.5 * (root + math.sqrt(math.max(4 / (3 * root) - 2 * m, 0)))
  local cube = s * s * s
  return s - (cube * s - 2 / 3 * s - d) / math.max(4 * cube - 2 / 3, 1e-6)
end

-- Force of a contact of that s.
function jkr.force(s, R, work)
  local cube = s * s * s
  return 6 * math.pi * work * R * (cube * cube - cube)
end

-- How far surfaces are apart where a neck breaks.
function jkr.reach(R, stiffness, work) return -jkr.least * jkr.free_radius(R, stiffness, work) ^ 2 / R end

local function make(given)
  local o = options("jkr", given, rules)
  local stiffness, work = o.young_modulus / (2 * (1 - o.poisson_ratio ^ 2)), o.work_of_adhesion
  local damping = 2 * math.sqrt(5 / 6) * o.damping
  local function law(overlap, normal_velocity, R, mass, touching)
    local a0 = jkr.free_radius(R, stiffness, work)
    local d = overlap * R / (a0 * a0)
    if d < jkr.least or (overlap < 0 and touching < 0.5) then return 0, 0, 0 end
    local s = jkr.scaled(d)
    local a, flat = a0 * s * s, a0 * a0 / R * s ^ 4 -- flat: a^2/R, the overlap that Hertz would have
    local energy = stiffness * a * flat * (8 / 15 * flat - 4 / 3 * (flat - overlap)) + math.pi * work * a * a
    return jkr.force(s, R, work) - damping * math.sqrt(2 * stiffness * a * mass) * normal_velocity, energy, 1
  end
  return law, function(R) return jkr.reach(R, stiffness, work) end, o.greatest_radius
end

function jkr.pairs(given)
  local law, reach, greatest = make(given)
  return {
    name = "JKR", range = reach(greatest / 2), memory = { "touching" }, returns = { "normal", "energy", "touching" },
    law = function(overlap, normal_velocity, radius_i, radius_j, mass_i, mass_j, touching)
      return law(overlap, normal_velocity, radius_i * radius_j / (radius_i + radius_j), mass_i * mass_j / (mass_i + mass_j), touching)
    end,
  }
end

function jkr.walls(given)
  local law, reach, greatest = make(given)
  return {
    name = "JKR at walls", range = reach(greatest), memory = { "touching" }, returns = { "normal", "energy", "touching" },
    law = function(overlap, normal_velocity, radius, mass, touching) return law(overlap, normal_velocity, radius, mass, touching) end,
  }
end

return jkr
