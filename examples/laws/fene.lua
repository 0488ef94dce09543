-- Chains of beads: FENE springs and the repulsive half of Lennard-Jones, the model of Kremer and Grest.
--
--   local fene = require "fene"
--   sim:add_attribute("chain", 0)                      -- the number of each bead's chain; its beads have ids in a row
--   sim:add_force(fene.pairs { epsilon = 1, sigma = 1 })
--
-- Beads of one chain whose ids are neighbours are bonded: u = -k r0^2/2 ln(1 - (r/r0)^2), k = 30 epsilon/sigma^2,
-- r0 = 1.5 sigma; all beads repel each other as WCA, 4 epsilon ((sigma/r)^12 - (sigma/r)^6) + epsilon below 2^(1/6) sigma
-- (Kremer, Grest 1990). The bond's energy has its minimum at 0.961 sigma. A bond at r0 is an error of the time step:
-- the force there is not finite, and the run stops.
local options = require "law_options"

local rules = {
  epsilon = { default = 1, above = 0 }, -- [energy]
  sigma = { default = 1, above = 0 }, -- [length]
  strength = { default = 30, above = 0 }, -- k, in epsilon/sigma^2
  longest = { default = 1.5, above = 1.13 }, -- r0, in sigma
  radius = { default = 0, at_least = 0 }, -- of the smallest bead [length]; only saves pairs
}

local fene = {}

function fene.pairs(given)
  local o = options("fene", given, rules)
  local epsilon, sigma = o.epsilon, o.sigma
  local k, longest, near = o.strength * epsilon / sigma ^ 2, o.longest * sigma, 2 ^ (1 / 6) * sigma
  return {
    name = "FENE chains", range = math.max(longest - 2 * o.radius, 0), returns = { "normal", "energy" },
    law = function(distance, id_i, id_j, chain_i, chain_j)
      local force, energy = 0, 0
      if distance < near then
        local six = (sigma / distance) ^ 6
        force, energy = 24 * epsilon * (2 * six * six - six) / distance, 4 * epsilon * (six * six - six) + epsilon
      end
      if id_j - id_i < 1.5 and chain_i == chain_j then
        local rest = 1 - (distance / longest) ^ 2
        force, energy = force - k * distance / rest, energy - 0.5 * k * longest ^ 2 * math.log(rest)
      end
      return force, energy
    end,
  }
end

return fene
