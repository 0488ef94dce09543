-- Heat conducted through contacts.
--
--   local heat = require "heat"
--   sim:add_attribute("heat", 0)                       -- energy of each particle; its temperature is heat/(c m)
--   sim:add_force(heat.pairs { conductivity = 50, capacity = 500 })
--
-- Between two spheres that touch in a circle of the radius a flows 2 k a (T_j - T_i) (Batchelor, O'Brien 1977): each side
-- resists as a half space does, 1/(4 k a). a^2 = R d of Hertz, R = r_i r_j/(r_i + r_j), d the overlap; where stiffness in
-- a run is lower than that of the material, d and a are too large, and reduction corrects a (Zhou, Yu, Zulli 2010).
-- What one particle gets the other gives, so the sum of heat stays. It needs no contact force of its own.
local options = require "law_options"

local rules = {
  conductivity = { above = 0 }, -- k [power/(length temperature)]
  capacity = { above = 0 }, -- c [energy/(mass temperature)]
  reduction = { default = 1, above = 0, at_most = 1 }, -- (E of the run/E of the material)^(1/5)
}

local heat = {}

function heat.pairs(given)
  local o = options("heat", given, rules)
  local conductance, capacity = 2 * o.conductivity * o.reduction, o.capacity
  return {
    name = "heat", range = 0, returns = { "rate_heat" },
    law = function(overlap, radius_i, radius_j, mass_i, mass_j, heat_i, heat_j)
      local a = math.sqrt(math.max(overlap, 0) * radius_i * radius_j / (radius_i + radius_j))
      return conductance * a * (heat_j / mass_j - heat_i / mass_i) / capacity
    end,
  }
end

return heat
