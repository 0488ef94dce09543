-- Self-propelled particles that align with their neighbours (Vicsek et al. 1995), in two dimensions.
--
--   local vicsek = require "vicsek"
--   vicsek.add(sim, { speed = 0.03, radius = 1, noise = 0.4 })      -- adds the attribute heading [rad]
--
-- Per step, each heading becomes the direction of the sum of unit vectors of all particles within `radius`, itself
-- included, plus a random angle in -noise/2 to noise/2; every particle moves by its heading at a constant speed. The pair
-- law adds up cosines and sines of the neighbours, the evolution reads the finished sums. Order is |sum of the unit
-- vectors|/N: 1 where all fly in one direction. Set headings by sim.heading[id]; the initial ones are random.
-- Under floc.inelastic particles are discs that do not overlap; with small radii they are points as in the paper.
local options = require "law_options"

local rules = {
  speed = { at_least = 0 },
  radius = { above = 0 }, -- within which particles align, of the centres [length]
  noise = { default = 0, at_least = 0, at_most = 2 * math.pi }, -- eta
}

local vicsek = {}

function vicsek.add(sim, given)
  local o = options("vicsek", given, rules)
  local speed, radius, noise = o.speed, o.radius, o.noise
  for _, name in ipairs { "heading", "ahead_x", "ahead_y" } do sim:add_attribute(name, 0) end
  sim:add_force {
    name = "neighbours' headings", range = radius, returns = { "sum_i_ahead_x", "sum_i_ahead_y", "sum_j_ahead_x", "sum_j_ahead_y" },
    law = function(distance, heading_i, heading_j)
      if distance > radius then return 0, 0, 0, 0 end
      return math.cos(heading_j), math.sin(heading_j), math.cos(heading_i), math.sin(heading_i)
    end,
  }
  sim:add_evolution {
    name = "alignment", attributes = { "heading" },
    law = function(heading, sum_ahead_x, sum_ahead_y, uniform_random, time_step)
      local x, y = sum_ahead_x + math.cos(heading), sum_ahead_y + math.sin(heading)
      -- by the smaller angle between the two directions, so that headings do not jump by a turn
      local across, along = y * math.cos(heading) - x * math.sin(heading), x * math.cos(heading) + y * math.sin(heading)
      return (math.atan2 and math.atan2(across, along) or math.atan(across, along)) / time_step + noise * (uniform_random - 0.5) / time_step
    end,
  }
  sim:set_a_priori(function(heading) return speed * math.cos(heading), speed * math.sin(heading) end)
end

return vicsek
