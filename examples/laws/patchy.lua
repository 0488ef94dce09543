-- Patchy particles: soft balls with one sticky patch each, on their first axis (Janus particles, if it is wide).
--
--   local patchy = require "patchy"
--   sim:add_force(patchy.pairs { stiffness = 1e3, energy = 1, width = 0.2, opening = 0.5, dimension = 3 })
--
-- Two patches hold each other where they face each other. With the overlap d, the axes e and n from i to j:
--   energy  k/2 d^2 for d > 0,  and  -E S(d) A(e_i.n) A(-e_j.n),
--   S = (1 - (d/w)^2)^2 for |d| < w,   A(c) = ((c - c0)/(1 - c0))^2 for c > c0 = cos(opening), else 0,
-- a smooth form of the square well with angular limits of Kern and Frenkel (2003). Forces and torques are its derivatives,
-- so energy, momentum and angular momentum are kept. Needs rotation = true in the scheme.
local options = require "law_options"

local rules = {
  stiffness = { above = 0 }, -- k [force/length]
  energy = { above = 0 }, -- E
  width = { above = 0 }, -- w [length]
  opening = { default = math.pi / 4, above = 0, at_most = math.pi }, -- half the angle of the patch [rad]
  dimension = { default = 2, one_of = { 2, 3 } },
}

local function angular(c, c0)
  if c <= c0 then return 0, 0 end
  local part = (c - c0) / (1 - c0)
  return part * part, 2 * part / (1 - c0)
end

local function make(o)
  local c0 = math.cos(o.opening)
  -- The force on i along n, along e_i and along e_j; the torques on i and j over e_i x n and e_j x n; the energy.
  return function(r, d, ci, cj)
    local push, energy = 0, 0
    if d > 0 then push, energy = -o.stiffness * d, 0.5 * o.stiffness * d * d end
    local x = d / o.width
    if x * x >= 1 then return push, 0, 0, 0, 0, energy end
    local well = 1 - x * x
    local S, slope = well * well, 4 * well * x / o.width -- of r: d falls as r grows
    local A, a = angular(ci, c0)
    local B, b = angular(cj, c0)
    local ui, uj = -o.energy * S * a * B, -o.energy * S * A * b -- dU/dc_i, dU/dc_j
    return push - o.energy * slope * A * B - (ui * ci + uj * cj) / r, ui / r, -uj / r, -ui, uj, energy - o.energy * S * A * B
  end
end

local patchy = {}

function patchy.pairs(given)
  local o = options("patchy", given, rules)
  local interact = make(o)
  if o.dimension == 2 then
    return {
      name = "patchy", range = o.width, returns = { "force_x", "force_y", "torque_i_z", "torque_j_z", "energy" },
      law = function(distance, overlap, normal_x, normal_y, axis_i_x, axis_i_y, axis_j_x, axis_j_y)
        local along, fi, fj, ti, tj, energy = interact(distance, overlap, axis_i_x * normal_x + axis_i_y * normal_y,
          -(axis_j_x * normal_x + axis_j_y * normal_y))
        return along * normal_x + fi * axis_i_x + fj * axis_j_x, along * normal_y + fi * axis_i_y + fj * axis_j_y,
          ti * (axis_i_x * normal_y - axis_i_y * normal_x), tj * (axis_j_x * normal_y - axis_j_y * normal_x), energy
      end,
    }
  end
  return {
    name = "patchy", range = o.width,
    returns = { "force_x", "force_y", "force_z", "torque_i_x", "torque_i_y", "torque_i_z", "torque_j_x", "torque_j_y", "torque_j_z", "energy" },
    law = function(distance, overlap, normal_x, normal_y, normal_z, axis_i_x, axis_i_y, axis_i_z, axis_j_x, axis_j_y, axis_j_z)
      local along, fi, fj, ti, tj, energy = interact(distance, overlap, axis_i_x * normal_x + axis_i_y * normal_y + axis_i_z * normal_z,
        -(axis_j_x * normal_x + axis_j_y * normal_y + axis_j_z * normal_z))
      return along * normal_x + fi * axis_i_x + fj * axis_j_x, along * normal_y + fi * axis_i_y + fj * axis_j_y,
        along * normal_z + fi * axis_i_z + fj * axis_j_z,
        ti * (axis_i_y * normal_z - axis_i_z * normal_y), ti * (axis_i_z * normal_x - axis_i_x * normal_z), ti * (axis_i_x * normal_y - axis_i_y * normal_x),
        tj * (axis_j_y * normal_z - axis_j_z * normal_y), tj * (axis_j_z * normal_x - axis_j_x * normal_z), tj * (axis_j_x * normal_y - axis_j_y * normal_x),
        energy
    end,
  }
end

return patchy
