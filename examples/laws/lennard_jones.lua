-- Lennard-Jones with a cutoff and a shift, and its repulsive half (WCA).
--
--   local lj = require "lennard_jones"
--   sim:add_force(lj.pairs { epsilon = 1, sigma = 1, cutoff = 2.5, shift = "potential" })
--   sim:add_force(lj.wca { epsilon = 1, sigma = 1 })
--
-- u(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6), r < r_c                Lennard-Jones 1931
-- shift = "none"       u(r): the energy jumps at r_c, the force as well
-- shift = "potential"  u(r) - u(r_c): the force jumps
-- shift = "force"      u(r) - u(r_c) - u'(r_c) (r - r_c): nothing jumps  Toxvaerd, Dyre 2011
-- wca: r_c = 2^(1/6) sigma, the minimum, u + epsilon                     Weeks, Chandler, Andersen 1971
-- The range of a law is measured between surfaces, so particles should be small; radius, that of the smallest particle,
-- only saves pairs.
local options = require "law_options"

local rules = {
  epsilon = { default = 1, at_least = 0 }, -- [energy]
  sigma = { default = 1, above = 0 }, -- [length]
  cutoff = { default = 2.5, above = 0 }, -- r_c, in sigma
  shift = { default = "potential", one_of = { "none", "potential", "force" } },
  radius = { default = 0, at_least = 0 }, -- [length]
}

local lj = {}

function lj.pairs(given)
  local o = options("lennard_jones", given, rules)
  local epsilon, sigma, cutoff = o.epsilon, o.sigma, o.cutoff * o.sigma
  local function potential(distance)
    local six = (sigma / distance) ^ 6
    return 4 * epsilon * six * (six - 1)
  end
  local six = (sigma / cutoff) ^ 6
  local shift = o.shift ~= "none" and potential(cutoff) or 0
  local slope = o.shift == "force" and 24 * epsilon * (six - 2 * six * six) / cutoff or 0
  return {
    name = "Lennard-Jones", range = math.max(cutoff - 2 * o.radius, 0),
    potential = function(distance)
      if distance >= cutoff then return 0 end
      local energy = potential(distance) - shift
      return slope == 0 and energy or energy - slope * (distance - cutoff)
    end,
  }
end

function lj.wca(given)
  local made = {}
  for name, value in pairs(given) do made[name] = value end
  if made.cutoff or made.shift then error("lennard_jones: wca has a cutoff and a shift of its own", 2) end
  made.cutoff, made.shift = 2 ^ (1 / 6), "potential"
  local law = lj.pairs(made)
  law.name = "WCA"
  return law
end

return lj
