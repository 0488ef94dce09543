-- Grains glued by beams: the bonded particle model, with breakage.
--
--   local bonded = require "bonded"
--   sim:add_force(bonded.pairs { young_modulus = 1e9, bond_radius = 0.01, tensile_strength = 1e6, shear_strength = 1e6 })
--
-- Pairs whose gap is at most `gap` in the first step are bonded by a round beam of the radius b between their centres,
-- of the length L at that time, A = pi b^2, I = pi b^4/4, J = 2 I (Potyondy, Cundall 2004, with the stiffnesses of a beam
-- without shear of its own):
--   tension E A/L per length, shear 12 E I/L^3 per slip at the middle, bending E I/L and twist G J/L per angle.
-- Shear force and moment are kept by the pair and grow with its motion; shear acts at the middle of the gap, so a chain of
-- bonds has the stiffness matrix of Euler and Bernoulli's beam. A bond breaks where
--   tension/A + |bending moment| b/I > tensile_strength,  |shear force|/A + |twist| b/J > shear_strength;
-- then, and between grains that were never bonded, an overlap repels with E A/(r_i + r_j) per length.
-- damping is a fraction of the critical damping of each stiffness. Needs rotation = true in the scheme.
--
-- bonded.beams is the same without contacts, for bonds that the script names; each has a length of its own, and is removed
-- when it breaks. Grains that are to repel each other need a law of contact besides.
--
--   local beams = sim:add_force(bonded.beams { young_modulus = 1e9, bond_radius = 0.01 })
--   sim:add_law_bonds { law = beams, particles = { { 1, 2 }, { 2, 3 } }, attributes = { length = 0.1 } }
local options = require "law_options"

local rules = {
  dimension = { default = 3, one_of = { 2, 3 } },
  young_modulus = { above = 0 }, -- E of the beams [force/length^2]
  poisson_ratio = { default = 0.25, above = -1, at_most = 0.5 },
  bond_radius = { above = 0 }, -- b [length]
  gap = { default = 0, at_least = 0 }, -- [length]
  tensile_strength = { default = 1e300, above = 0 }, -- [force/length^2]
  shear_strength = { default = 1e300, above = 0 },
  damping = { default = 0.05, at_least = 0 },
}

local function make(given)
  local o = options("bonded", given, rules)
  local E, b = o.young_modulus, o.bond_radius
  local A, I = math.pi * b ^ 2, math.pi * b ^ 4 / 4
  local J, G = 2 * I, E / (2 * (1 + o.poisson_ratio))
  local tensile, shear, damping, gap = o.tensile_strength, o.shear_strength, 2 * o.damping, o.gap
  -- length: 0 in the first step, then that of the bond, -1 if there is none. s: shear force; m: moment on i.
  local function law(distance, overlap, normal_velocity, mass, inertia, slip_x, slip_y, slip_z, nx, ny, nz, wx, wy, wz,
    length, sx, sy, sz, mx, my, mz, time, time_step)
    if length >= 0 and length <= 0 then -- Lua 5.4 does not show the tracer ==
      length = -1
      if time <= 1.5 * time_step and -overlap <= gap then length = distance end
    end
    if length > 0 then
      local kn, ks, kb, kt = E * A / length, 12 * E * I / length ^ 3, E * I / length, G * J / length
      local tension = kn * (distance - length)
      sx, sy, sz = sx - time_step * ks * slip_x, sy - time_step * ks * slip_y, sz - time_step * ks * slip_z
      local along = sx * nx + sy * ny + sz * nz
      sx, sy, sz = sx - along * nx, sy - along * ny, sz - along * nz
      local spin = wx * nx + wy * ny + wz * nz
      local bx, by, bz = wx - spin * nx, wy - spin * ny, wz - spin * nz
      mx = mx - time_step * (kb * bx + kt * spin * nx)
      my = my - time_step * (kb * by + kt * spin * ny)
      mz = mz - time_step * (kb * bz + kt * spin * nz)
      local twist = mx * nx + my * ny + mz * nz
      local px, py, pz = mx - twist * nx, my - twist * ny, mz - twist * nz
      local bending = math.sqrt(px * px + py * py + pz * pz)
      local holds = tension / A + bending * b / I <= tensile
        and math.sqrt(sx * sx + sy * sy + sz * sz) / A + math.abs(twist) * b / J <= shear
      if holds then
        local cn, cs = damping * math.sqrt(kn * mass), damping * math.sqrt(ks * mass)
        local cb, ct = damping * math.sqrt(kb * inertia), damping * math.sqrt(kt * inertia) * spin
        return -tension - cn * normal_velocity, sx - cs * slip_x, sy - cs * slip_y, sz - cs * slip_z,
          mx - cb * bx - ct * nx, my - cb * by - ct * ny, mz - cb * bz - ct * nz, length, sx, sy, sz, mx, my, mz
      end
      length = -1
    end
    local normal = 0
    if overlap > 0 then
      local k = E * A / (distance + overlap)
      normal = math.max(k * overlap - damping * math.sqrt(k * mass) * normal_velocity, 0)
    end
    return normal, 0, 0, 0, 0, 0, 0, length, 0, 0, 0, 0, 0, 0
  end
  return law, o
end

local bonded = {}

function bonded.pairs(given)
  local law, o = make(given)
  local function reduced(first, second) return first * second / (first + second) end
  if o.dimension == 2 then
    return {
      name = "bonded grains", range = 2 * o.gap + o.bond_radius, memory = { "length", "sx", "sy", "bending" },
      returns = { "normal", "tangential_x", "tangential_y", "torque_z", "length", "sx", "sy", "bending" },
      law = function(distance, overlap, normal_velocity, mass_i, mass_j, radius_i, radius_j, slip_x, slip_y, normal_x, normal_y, wz_i, wz_j,
        length, sx, sy, bending, time, time_step)
        local normal, fx, fy, _, _, _, mz, now, qx, qy, _, _, _, kept = law(distance, overlap, normal_velocity, reduced(mass_i, mass_j),
          0.5 * reduced(mass_i * radius_i ^ 2, mass_j * radius_j ^ 2), slip_x, slip_y, 0, normal_x, normal_y, 0, 0, 0, wz_i - wz_j,
          length, sx, sy, 0, 0, 0, bending, time, time_step)
        return normal, fx, fy, mz, now, qx, qy, kept
      end,
    }
  end
  return {
    name = "bonded grains", range = 2 * o.gap + o.bond_radius, memory = { "length", "sx", "sy", "sz", "mx", "my", "mz" },
    returns = { "normal", "tangential_x", "tangential_y", "tangential_z", "torque_x", "torque_y", "torque_z", "length", "sx", "sy", "sz", "mx", "my", "mz" },
    law = function(distance, overlap, normal_velocity, mass_i, mass_j, radius_i, radius_j, slip_x, slip_y, slip_z, normal_x, normal_y, normal_z,
      wx_i, wy_i, wz_i, wx_j, wy_j, wz_j, length, sx, sy, sz, mx, my, mz, time, time_step)
      return law(distance, overlap, normal_velocity, reduced(mass_i, mass_j), 0.4 * reduced(mass_i * radius_i ^ 2, mass_j * radius_j ^ 2),
        slip_x, slip_y, slip_z, normal_x, normal_y, normal_z, wx_i - wx_j, wy_i - wy_j, wz_i - wz_j,
        length, sx, sy, sz, mx, my, mz, time, time_step)
    end,
  }
end

-- The law of pairs with an overlap that never is one. What it remembers as the length is -1 when the bond breaks.
function bonded.beams(given)
  local whole = bonded.pairs(given)
  local law, three = whole.law, whole.memory[4] == "sz"
  local made = { name = "beams", pairs = "bonds", attributes = { length = 1 }, memory = {}, returns = {} }
  for k = 2, #whole.memory do made.memory[k - 1] = whole.memory[k] end
  for k, name in ipairs(whole.returns) do made.returns[k] = name == "length" and "broken" or name end
  if three then
    made.law = function(distance, normal_velocity, mass_i, mass_j, radius_i, radius_j, slip_x, slip_y, slip_z, normal_x, normal_y, normal_z,
      wx_i, wy_i, wz_i, wx_j, wy_j, wz_j, length, sx, sy, sz, mx, my, mz, time, time_step)
      local fn, fx, fy, fz, tx, ty, tz, now, ax, ay, az, bx, by, bz = law(distance, -1, normal_velocity, mass_i, mass_j, radius_i, radius_j, slip_x, slip_y, slip_z,
        normal_x, normal_y, normal_z, wx_i, wy_i, wz_i, wx_j, wy_j, wz_j, length, sx, sy, sz, mx, my, mz, time, time_step)
      return fn, fx, fy, fz, tx, ty, tz, now < 0 and 1 or 0, ax, ay, az, bx, by, bz
    end
  else
    made.law = function(distance, normal_velocity, mass_i, mass_j, radius_i, radius_j, slip_x, slip_y, normal_x, normal_y, wz_i, wz_j,
      length, sx, sy, bending, time, time_step)
      local fn, fx, fy, tz, now, ax, ay, b = law(distance, -1, normal_velocity, mass_i, mass_j, radius_i, radius_j, slip_x, slip_y,
        normal_x, normal_y, wz_i, wz_j, length, sx, sy, bending, time, time_step)
      return fn, fx, fy, tz, now < 0 and 1 or 0, ax, ay, b
    end
  end
  return made
end

return bonded
