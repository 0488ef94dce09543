-- Wear of walls: Archard's law on a spring and dashpot with friction.
--
--   local archard = require "archard"
--   local plate = sim:add_body { shape = floc.segment { { 0, 0 }, { 1, 0 } }, attributes = { wear = 0 } }
--   sim:add_wall_force(archard.walls { stiffness = 1e5, restitution = 0.5, friction = 0.3, wear = 1e-4, hardness = 1e9 })
--   ... plate:get_attribute "wear"                 -- the volume worn off, of a body of several shapes by its number
--
-- Forces: F_n = k d - c v_n, never below 0; F_t = mu F_n against the slip v_t, or c_t |v_t| where that is less. The volume
-- that is worn off the shape grows by (Archard 1953; in two dimensions per length)
--   dV/dt = K F_n |v_t|/H
-- K the wear coefficient, H the hardness. Every shape of a body has its own, so a mesh shows where it wears: it is in .vtp
-- files of bodies. With rotation = true in the scheme the slip has the spin in it.
local options = require "law_options"

local rules = {
  stiffness = { above = 0 }, -- k [force/length]
  restitution = { default = 1, above = 0, at_most = 1 },
  friction = { default = 0, at_least = 0 }, -- mu
  friction_damping = { default = 0, at_least = 0 }, -- c_t [force time/length]; 0: k/1000 times a unit of time
  wear = { at_least = 0 }, -- K
  hardness = { above = 0 }, -- H [force/length^2; in two dimensions force/length]
}

local archard = {}

function archard.walls(given)
  local o = options("archard", given, rules)
  local k, mu, rate = o.stiffness, o.friction, o.wear / o.hardness
  local ct = o.friction_damping > 0 and o.friction_damping or 1e-3 * k
  local logarithm = math.log(o.restitution)
  local ratio = -2 * logarithm / math.sqrt(math.pi ^ 2 + logarithm ^ 2)
  return {
    name = "archard", returns = { "normal", "tangential", "rate_shape_wear" },
    law = function(overlap, normal_velocity, tangential_velocity, mass)
      if overlap <= 0 then return 0, 0, 0 end
      local normal = k * overlap - ratio * math.sqrt(k * mass) * normal_velocity
      if normal <= 0 then return 0, 0, 0 end
      local slip = math.abs(tangential_velocity)
      local friction = math.min(mu * normal, ct * slip)
      if tangential_velocity > 0 then friction = -friction end
      return normal, friction, rate * normal * slip
    end,
  }
end

return archard
