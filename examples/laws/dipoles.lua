-- Magnetic or electric dipoles that particles carry.
--
--   local dipoles = require "dipoles"
--   dipoles.attributes(sim)                        -- the moments: attributes px py (pz), which turn with the particles
--   sim:add_force(dipoles.pairs { coupling = 1, cutoff = 3, dimension = 3 })
--
-- Point dipoles p_i, p_j at a distance r, n from i to j (Jackson 1998, 4.1):
--   energy       k (p_i.p_j - 3 (p_i.n)(p_j.n))/r^3
--   force on i   -3 k/r^4 ((p_i.n) p_j + (p_j.n) p_i + (p_i.p_j) n - 5 (p_i.n)(p_j.n) n)
--   torque on i  k p_i x (3 (p_j.n) n - p_j)/r^3, and the same of j, so that angular momentum is kept
-- k = mu_0/(4 pi) or 1/(4 pi epsilon). Needs rotation = true in the scheme. The energy jumps at the cutoff.
local options = require "law_options"

local rules = {
  coupling = { default = 1 }, -- k
  cutoff = { above = 0 }, -- of the centres [length]
  radius = { default = 0, at_least = 0 }, -- of the smallest particle [length]; only saves pairs
  dimension = { default = 2, one_of = { 2, 3 } },
}

-- Force on i, torques on i and j, energy; without k.
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
      law = function(distance, normal_x, normal_y, px_i, py_i, px_j, py_j)
        if distance >= cutoff then return 0, 0, 0, 0, 0 end
        local fx, fy, _, _, _, ti, _, _, tj, energy = interact(distance, normal_x, normal_y, 0, px_i, py_i, 0, px_j, py_j, 0)
        return k * fx, k * fy, k * ti, k * tj, k * energy
      end,
    }
  end
  return {
    name = "dipoles", range = range,
    returns = { "force_x", "force_y", "force_z", "torque_i_x", "torque_i_y", "torque_i_z", "torque_j_x", "torque_j_y", "torque_j_z", "energy" },
    law = function(distance, normal_x, normal_y, normal_z, px_i, py_i, pz_i, px_j, py_j, pz_j)
      if distance >= cutoff then return 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 end
      local fx, fy, fz, ix, iy, iz, jx, jy, jz, energy = interact(distance, normal_x, normal_y, normal_z, px_i, py_i, pz_i, px_j, py_j, pz_j)
      return k * fx, k * fy, k * fz, k * ix, k * iy, k * iz, k * jx, k * jy, k * jz, k * energy
    end,
  }
end

-- Moments as attributes that turn with their particles, by Cayley's rotation: p' = p + h w x (p + p')/2 keeps their length.
function dipoles.attributes(sim)
  local plane = sim.dimension == 2
  for _, name in ipairs(plane and { "px", "py" } or { "px", "py", "pz" }) do sim:add_attribute(name, 0) end
  local function turn(px, py, pz, wx, wy, wz, h)
    local x, y, z = 0.5 * h * wx, 0.5 * h * wy, 0.5 * h * wz
    local cx, cy, cz = y * pz - z * py, z * px - x * pz, x * py - y * px
    local factor = 2 / (h * (1 + x * x + y * y + z * z))
    return factor * (cx + y * cz - z * cy), factor * (cy + z * cx - x * cz), factor * (cz + x * cy - y * cx)
  end
  if plane then
    return sim:add_evolution {
      name = "dipoles turn", attributes = { "px", "py" },
      law = function(px, py, wz, time_step)
        local x, y = turn(px, py, 0, 0, 0, wz, time_step)
        return x, y
      end,
    }
  end
  return sim:add_evolution {
    name = "dipoles turn", attributes = { "px", "py", "pz" },
    law = function(px, py, pz, wx, wy, wz, time_step) return turn(px, py, pz, wx, wy, wz, time_step) end,
  }
end

return dipoles
