-- Charges screened by ions (Yukawa, Debye and Hueckel, DLVO's repulsion): the attribute charge of each particle.
--
--   local screened = require "screened_charge"
--   sim:add_attribute("charge", 1)
--   sim:add_force(screened.pairs { coupling = 1, screening = 2, cutoff = 5 })
--
-- u(r) = k q_i q_j exp(-kappa r)/r, cut off and shifted to 0 at r_c              Debye, Hueckel 1923; Yukawa 1935
-- finite = "yes": each charge is spread over its sphere, which ions cannot enter: times
--   exp(kappa r_i)/(1 + kappa r_i) exp(kappa r_j)/(1 + kappa r_j)                 Derjaguin, Landau 1941; Verwey, Overbeek 1948
-- k = 1/(4 pi epsilon). With screening = 0 this is Coulomb's law up to the cutoff.
local options = require "law_options"

local rules = {
  coupling = { default = 1 }, -- k [force length^2/charge^2]
  screening = { at_least = 0 }, -- kappa [1/length]
  cutoff = { above = 0 }, -- r_c of the centres [length]
  finite = { default = "no", one_of = { "no", "yes" } },
  radius = { default = 0, at_least = 0 }, -- of the smallest particle [length]; only saves pairs
}

local screened = {}

function screened.pairs(given)
  local o = options("screened_charge", given, rules)
  local k, kappa, cutoff, finite = o.coupling, o.screening, o.cutoff, o.finite == "yes"
  local last = math.exp(-kappa * cutoff) / cutoff
  local function spread(radius)
    if not finite then return 1 end
    return math.exp(kappa * radius) / (1 + kappa * radius)
  end
  return {
    name = "screened charges", range = math.max(cutoff - 2 * o.radius, 0),
    returns = { "normal", "energy" },
    law = function(distance, charge_i, charge_j, radius_i, radius_j)
      if distance >= cutoff then return 0, 0 end
      local strength, inverse = k * charge_i * charge_j * spread(radius_i) * spread(radius_j), 1 / distance
      local value = math.exp(-kappa * distance) * inverse
      return strength * value * (inverse + kappa), strength * (value - last)
    end,
  }
end

return screened
