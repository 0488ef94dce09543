-- Chains of beads: FENE springs and the repulsive half of Lennard-Jones, the model of Kremer and Grest.
--
--   local fene = require "fene"
--   sim:add_force(fene.beads { epsilon = 1, sigma = 1 })               -- all beads repel each other
--   local springs = sim:add_force(fene.bonds { epsilon = 1, sigma = 1 })
--   sim:add_law_bonds { law = springs, particles = { { 1, 2 }, { 2, 3 } } }
--
-- Bonds: u = -k r0^2/2 ln(1 - (r/r0)^2), k = 30 epsilon/sigma^2, r0 = 1.5 sigma; beads: WCA,
-- 4 epsilon ((sigma/r)^12 - (sigma/r)^6) + epsilon below 2^(1/6) sigma (Kremer, Grest 1990). Both together have their minimum
-- at 0.961 sigma. A bond at r0 is an error of the time step: the force there is not finite, and the run stops.
-- k and r0 are attributes of each bond, strength and longest.
local options = require "law_options"

local rules = {
  epsilon = { default = 1, above = 0 }, -- [energy]
  sigma = { default = 1, above = 0 }, -- [length]
  strength = { default = 30, above = 0 }, -- k, in epsilon/sigma^2
  longest = { default = 1.5, above = 1.13 }, -- r0, in sigma
  radius = { default = 0, at_least = 0 }, -- of the smallest bead [length]; only saves pairs
}

local fene = {}

function fene.beads(given)
  local o = options("fene", given, rules)
  local epsilon, sigma = o.epsilon, o.sigma
  local near = 2 ^ (1 / 6) * sigma
  return {
    name = "WCA beads", range = math.max(near - 2 * o.radius, 0), returns = { "normal", "energy" },
    law = function(distance)
      if distance >= near then return 0, 0 end
      local six = (sigma / distance) ^ 6
      return 24 * epsilon * (2 * six * six - six) / distance, 4 * epsilon * (six * six - six) + epsilon
    end,
  }
end

function fene.bonds(given)
  local o = options("fene", given, rules)
  return {
    name = "FENE bonds", pairs = "bonds", returns = { "normal", "energy" },
    attributes = { strength = o.strength * o.epsilon / o.sigma ^ 2, longest = o.longest * o.sigma },
    law = function(distance, strength, longest)
      local rest = 1 - (distance / longest) ^ 2
      return -strength * distance / rest, -0.5 * strength * longest ^ 2 * math.log(rest)
    end,
  }
end

return fene
