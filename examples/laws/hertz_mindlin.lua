-- Hertz's normal and Mindlin's tangential force with Coulomb's bound: the usual contact of elastic grains.
--
--   local mindlin = require "hertz_mindlin"
--   sim:add_force(mindlin.pairs { young_modulus = 1e8, poisson_ratio = 0.25, friction = 0.5, restitution = 0.8 })
--   sim:add_wall_force(mindlin.walls { ... the same })
--
-- With R = r_i r_j/(r_i + r_j), m* = m_i m_j/(m_i + m_j) (at a wall the radius and the mass), contact radius
-- a = sqrt(R d), E* = E/(2 (1 - nu^2)), G* = E/(4 (1 + nu) (2 - nu)):
--   normal      4/3 E* a d - 2 sqrt(5/6) beta sqrt(2 E* a m*) v_n                       Hertz 1882; Tsuji et al. 1992
--   tangential  -8 G* a u - 2 sqrt(5/6) beta sqrt(8 G* a m*) v_t, at most mu times it   Mindlin 1949
-- beta = -ln e/sqrt(pi^2 + (ln e)^2) gives the restitution e at every normal velocity. u, the tangential displacement
-- since the surfaces met, is the memory; it turns with the pair, and where the bound is reached it follows from the force.
-- Mindlin's slip at the rim of the contact is left out. A pair that attracts (dashpot at the end of a contact) does not stick.
-- Friction turns particles where the scheme has rotation: floc.discrete_element { contact = "none", rotation = true }.
local options = require "law_options"

local rules = {
  young_modulus = { above = 0 }, -- [force/length^2]
  poisson_ratio = { default = 0.3, above = -1, at_most = 0.5 },
  friction = { at_least = 0 }, -- mu
  restitution = { default = 1, above = 0, at_most = 1 },
}

local function make(given)
  local o = options("hertz_mindlin", given, rules)
  local nu, friction = o.poisson_ratio, o.friction
  local normal_modulus, shear_modulus = o.young_modulus / (2 * (1 - nu * nu)), o.young_modulus / (4 * (1 + nu) * (2 - nu))
  local logarithm = math.log(o.restitution)
  local damping = -2 * math.sqrt(5 / 6) * logarithm / math.sqrt(math.pi ^ 2 + logarithm ^ 2)
  return function(overlap, normal_velocity, R, mass, slip_x, slip_y, slip_z, normal_x, normal_y, normal_z, ux, uy, uz, time_step)
    if overlap <= 0 then return 0, 0, 0, 0, 0, 0, 0 end
    local a = math.sqrt(R * overlap)
    local normal = 4 / 3 * normal_modulus * a * overlap - damping * math.sqrt(2 * normal_modulus * a * mass) * normal_velocity
    local k = 8 * shear_modulus * a
    local c = damping * math.sqrt(k * mass)
    ux, uy, uz = ux + time_step * slip_x, uy + time_step * slip_y, uz + time_step * slip_z
    local along = ux * normal_x + uy * normal_y + uz * normal_z
    ux, uy, uz = ux - along * normal_x, uy - along * normal_y, uz - along * normal_z
    local fx, fy, fz = k * ux + c * slip_x, k * uy + c * slip_y, k * uz + c * slip_z
    local limit, square = friction * math.max(normal, 0), fx * fx + fy * fy + fz * fz
    if square > limit * limit then
      local factor = limit / math.sqrt(square)
      fx, fy, fz = factor * fx, factor * fy, factor * fz
      ux, uy, uz = (fx - c * slip_x) / k, (fy - c * slip_y) / k, (fz - c * slip_z) / k
    end
    return normal, -fx, -fy, -fz, ux, uy, uz
  end
end

local mindlin = {}
local memory = { "ux", "uy", "uz" }
local returns = { "normal", "tangential_x", "tangential_y", "tangential_z", "ux", "uy", "uz" }

function mindlin.pairs(given)
  local law = make(given)
  return {
    name = "Hertz and Mindlin", memory = memory, returns = returns,
    law = function(overlap, normal_velocity, radius_i, radius_j, mass_i, mass_j, slip_x, slip_y, slip_z, normal_x, normal_y,
      normal_z, ux, uy, uz, time_step)
      return law(overlap, normal_velocity, radius_i * radius_j / (radius_i + radius_j), mass_i * mass_j / (mass_i + mass_j),
        slip_x, slip_y, slip_z, normal_x, normal_y, normal_z, ux, uy, uz, time_step)
    end,
  }
end

function mindlin.walls(given)
  local law = make(given)
  return {
    name = "Hertz and Mindlin at walls", memory = memory, returns = returns,
    law = function(overlap, normal_velocity, radius, mass, slip_x, slip_y, slip_z, normal_x, normal_y, normal_z, ux, uy, uz, time_step)
      return law(overlap, normal_velocity, radius, mass, slip_x, slip_y, slip_z, normal_x, normal_y, normal_z, ux, uy, uz, time_step)
    end,
  }
end

return mindlin
