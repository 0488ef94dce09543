-- Magnetic or electric dipoles that particles carry along their first axis.
--
--   local dipoles = require "dipoles"
--   sim:add_attribute("dipole", 1)                 -- the strength p; where it points is the particle's orientation
--   sim:add_force(dipoles.pairs { coupling = 1, cutoff = 3, dimension = 3 })
--   sim:add_field(dipoles.field { x = 0, y = 0, z = 2, dimension = 3 })
--
-- Point dipoles p_i, p_j at a distance r, n from i to j (Jackson 1998, 4.1):
--   energy       k (p_i.p_j - 3 (p_i.n)(p_j.n))/r^3
--   force on i   -3 k/r^4 ((p_i.n) p_j + (p_j.n) p_i + (p_i.p_j) n - 5 (p_i.n)(p_j.n) n)
--   torque on i  k p_i x (3 (p_j.n) n - p_j)/r^3, and the same of j, so that angular momentum is kept
-- k = mu_0/(4 pi) or 1/(4 pi epsilon). In a uniform field B the torque is p x B, the energy -p.B. Needs rotation = true
-- in the scheme. The energy jumps at the cutoff.
local options = require "law_options"

local rules = {
  coupling = { default = 1 }, -- k
  cutoff = { above = 0 }, -- of the centres [length]
  radius = { default = 0, at_least = 0 }, -- of the smallest particle [length]; only saves pairs
  dimension = { default = 2, one_of = { 2, 3 } },
}

-- Force on i, torques on i and j, energy, of moments of length 1 along a and b, without k.
local function interact(r, nx, ny, nz, ax, ay, az, bx, by, bz)
  local an, bn, ab = ax * nx + ay * ny + az * nz, bx * nx + by * ny + bz * nz, ax * bx + ay * by + az * bz
  local cube = 1 / (r * r * r)
  local force, along = -3 * cube / r, ab - 5 * an * bn
  local ex, ey, ez = cube * (3 * bn * nx - bx), cube * (3 * bn * ny - by), cube * (3 * bn * nz - bz) -- field of j at i
  local gx, gy, gz = cube * (3 * an * nx - ax), cube * (3 * an * ny - ay), cube * (3 * an * nz - az) -- of i at j
  return force * (an * bx + bn * ax + along * nx), force * (an * by + bn * ay + along * ny), force * (an * bz + bn * az + along * nz),
    ay * ez - az * ey, az * ex - ax * ez, ax * ey - ay * ex, by * gz - bz * gy, bz * gx - bx * gz, bx * gy - by * gx,
    cube * (ab - 3 * an * bn)
end

local dipoles = {}

function dipoles.pairs(given)
  local o = options("dipoles", given, rules)
  local k, cutoff = o.coupling, o.cutoff
  local range = math.max(cutoff - 2 * o.radius, 0)
  if o.dimension == 2 then
    return {
      name = "dipoles", range = range, returns = { "force_x", "force_y", "torque_i_z", "torque_j_z", "energy" },
      law = function(distance, normal_x, normal_y, dipole_i, axis_i_x, axis_i_y, dipole_j, axis_j_x, axis_j_y)
        if distance >= cutoff then return 0, 0, 0, 0, 0 end
        local s = k * dipole_i * dipole_j
        local fx, fy, _, _, _, ti, _, _, tj, energy = interact(distance, normal_x, normal_y, 0, axis_i_x, axis_i_y, 0, axis_j_x, axis_j_y, 0)
        return s * fx, s * fy, s * ti, s * tj, s * energy
      end,
    }
  end
  return {
    name = "dipoles", range = range,
    returns = { "force_x", "force_y", "force_z", "torque_i_x", "torque_i_y", "torque_i_z", "torque_j_x", "torque_j_y", "torque_j_z", "energy" },
    law = function(distance, normal_x, normal_y, normal_z, dipole_i, axis_i_x, axis_i_y, axis_i_z, dipole_j, axis_j_x, axis_j_y, axis_j_z)
      if distance >= cutoff then return 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 end
      local s = k * dipole_i * dipole_j
      local fx, fy, fz, ix, iy, iz, jx, jy, jz, energy = interact(distance, normal_x, normal_y, normal_z, axis_i_x, axis_i_y, axis_i_z, axis_j_x, axis_j_y, axis_j_z)
      return s * fx, s * fy, s * fz, s * ix, s * iy, s * iz, s * jx, s * jy, s * jz, s * energy
    end,
  }
end

-- A uniform field.
function dipoles.field(given)
  local o = options("dipoles", given, { x = { default = 0 }, y = { default = 0 }, z = { default = 0 }, dimension = rules.dimension })
  local x, y, z = o.x, o.y, o.z
  if o.dimension == 2 then
    return { name = "dipoles in a field", returns = { "torque_z", "energy" },
             law = function(dipole, axis_x, axis_y) return dipole * (axis_x * y - axis_y * x), -dipole * (axis_x * x + axis_y * y) end }
  end
  return {
    name = "dipoles in a field", returns = { "torque_x", "torque_y", "torque_z", "energy" },
    law = function(dipole, axis_x, axis_y, axis_z)
      return dipole * (axis_y * z - axis_z * y), dipole * (axis_z * x - axis_x * z), dipole * (axis_x * y - axis_y * x),
        -dipole * (axis_x * x + axis_y * y + axis_z * z)
    end,
  }
end

return dipoles
