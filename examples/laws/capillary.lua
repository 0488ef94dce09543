-- Capillary bridges of a wetting liquid between spheres: made on contact, broken at a distance.
--
--   local capillary = require "capillary"
--   sim:add_force(capillary.pairs { surface_tension = 0.072, volume = 1e-12, contact_angle = math.rad(20) })
--   sim:add_wall_force(capillary.walls { ... the same })
--
-- With R = 2 r_i r_j/(r_i + r_j) (Derjaguin; at a wall twice the radius), the gap S of the surfaces, the bridge's volume V:
--   F = -2 pi R gamma cos(theta)/(1 + 1.05 x + 2.5 x^2),  x = S sqrt(R/V)    Willett, Adams, Johnson, Seville 2000
--   the bridge breaks at S = (1 + theta/2) V^(1/3)                           Lian, Thornton, Adams 1993
-- Valid for small bridges (V up to 1e-3 R^3), no gravity, angles below 50 degrees or so, slow motion: no viscous force.
-- Surfaces that overlap are pulled as at S = 0; a contact force, of the scheme or of another law, must hold them apart.
local options = require "law_options"

local rules = {
  surface_tension = { at_least = 0 }, -- gamma [force/length]
  volume = { above = 0 }, -- V of each bridge [length^3]
  contact_angle = { default = 0, at_least = 0, below = math.pi / 2 }, -- theta [rad]
}

local function make(given)
  local o = options("capillary", given, rules)
  local volume, rupture = o.volume, (1 + o.contact_angle / 2) * o.volume ^ (1 / 3)
  local pull, root = 2 * math.pi * o.surface_tension * math.cos(o.contact_angle), math.sqrt(4 * 2.5 - 1.05 ^ 2)
  local function primitive(x) return 2 / root * math.atan((5 * x + 1.05) / root) end -- of 1/(1 + 1.05 x + 2.5 x^2)
  local function law(overlap, R, bridge)
    local gap, scale = math.max(-overlap, 0), math.sqrt(R / volume)
    if overlap <= -rupture or (overlap < 0 and bridge < 0.5) then return 0, 0, 0 end
    local x = gap * scale
    return -pull * R / (1 + 1.05 * x + 2.5 * x * x),
      -pull * R * ((primitive(rupture * scale) - primitive(x)) / scale + math.max(overlap, 0)), 1
  end
  return law, rupture
end

local capillary = {}

function capillary.pairs(given)
  local law, rupture = make(given)
  return {
    name = "capillary bridges", range = rupture, memory = { "bridge" }, returns = { "normal", "energy", "bridge" },
    law = function(overlap, radius_i, radius_j, bridge)
      return law(overlap, 2 * radius_i * radius_j / (radius_i + radius_j), bridge)
    end,
  }
end

function capillary.walls(given)
  local law, rupture = make(given)
  return {
    name = "capillary bridges at walls", range = rupture, memory = { "bridge" }, returns = { "normal", "energy", "bridge" },
    law = function(overlap, radius, bridge) return law(overlap, 2 * radius, bridge) end,
  }
end

return capillary
