-- Grains with resistance against rolling and twisting, of the types A, B and C of Ai, Chen, Rotter and Ooi (2011), on
-- linear springs with friction.
--
--   local rolling = require "rolling"
--   sim:add_force(rolling.pairs { stiffness = 1e5, restitution = 0.5, friction = 0.6, type = "C", rolling = 0.1 })
--   sim:add_wall_force(rolling.walls { ... the same })        -- dimension = 3 where the simulation has three
--
-- Forces (Cundall, Strack 1979): F_n = k d - c v_n, F_t = -2/7 k u - c_t v_t, at most mu F_n; c from the restitution.
-- With R = r_i r_j/(r_i + r_j) (at a wall the radius), w the relative angular velocity, without its part along the
-- normal for rolling, that part alone for twisting, and w0 = w/|w|, the moment is
--   A  -mu_r R F_n w0                          a constant, which flips about 0 where a grain comes to rest
--   B  -mu_r R F_n R |w| w0/speed              proportional to the rolling velocity R |w|: it slows, never holds
--   C  -k_r theta - c_r w, the first at most mu_r R F_n; c_r acts below that bound. theta, the memory, is the rolled
--      angle; k_r = 2.25 k (mu_r R)^2 if not given, c_r = 2 ratio sqrt(I k_r), I of both about the contact
-- and for twisting the same with its own coefficient. Needs rotation = true in the scheme.
local options = require "law_options"

local rules = {
  dimension = { default = 2, one_of = { 2, 3 } },
  stiffness = { above = 0 }, -- k [force/length]
  restitution = { default = 1, above = 0, at_most = 1 },
  friction = { at_least = 0 }, -- mu
  type = { default = "C", one_of = { "A", "B", "C" } },
  rolling = { default = 0, at_least = 0 }, -- mu_r
  twisting = { default = 0, at_least = 0 }, -- mu_r of twisting
  speed = { default = 1, above = 0 }, -- of type B: R |w| at which the moment is that of type A
  rolling_stiffness = { default = 0, at_least = 0 }, -- k_r of type C [force length]; 0: from k
  damping_ratio = { default = 0.3, at_least = 0 }, -- of c_r
}

-- The moment along one vector of relative angular velocity; returns it and the new angle.
local function moment_of(o, x, y, z, tx, ty, tz, limit, R, inertia, time_step)
  if o.type ~= "C" then
    local size = math.sqrt(x * x + y * y + z * z)
    local factor = 0
    if size > 0 then factor = o.type == "A" and -limit / size or -limit * R / o.speed end
    return factor * x, factor * y, factor * z, 0, 0, 0
  end
  local k = o.k_r or 2.25 * o.stiffness * (o.coefficient * R) ^ 2
  tx, ty, tz = tx + time_step * x, ty + time_step * y, tz + time_step * z
  local size, c = k * math.sqrt(tx * tx + ty * ty + tz * tz), 2 * o.damping_ratio * math.sqrt(inertia * k)
  if size > limit then
    local factor = limit / size
    tx, ty, tz, c = factor * tx, factor * ty, factor * tz, 0
  end
  return -k * tx - c * x, -k * ty - c * y, -k * tz - c * z, tx, ty, tz
end

local function make(given)
  local o = options("rolling", given, rules)
  local k, kt = o.stiffness, 2 / 7 * o.stiffness
  local logarithm = math.log(o.restitution)
  local ratio = -2 * logarithm / math.sqrt(math.pi ^ 2 + logarithm ^ 2)
  local function part(coefficient)
    return { type = o.type, speed = o.speed, stiffness = k, coefficient = coefficient, damping_ratio = o.damping_ratio,
             k_r = o.rolling_stiffness > 0 and o.rolling_stiffness or nil }
  end
  local roll, twist = part(o.rolling), part(o.twisting)
  -- m: reduced mass; inertia: of both about the contact, reduced
  return function(overlap, normal_velocity, R, m, inertia, sx, sy, sz, nx, ny, nz, wx, wy, wz, ux, uy, uz, tx, ty, tz, time_step)
    if overlap <= 0 then return 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 end
    local normal = k * overlap - ratio * math.sqrt(k * m) * normal_velocity
    local held = math.max(normal, 0)
    local c = ratio * math.sqrt(kt * m)
    ux, uy, uz = ux + time_step * sx, uy + time_step * sy, uz + time_step * sz
    local along = ux * nx + uy * ny + uz * nz
    ux, uy, uz = ux - along * nx, uy - along * ny, uz - along * nz
    local fx, fy, fz = kt * ux + c * sx, kt * uy + c * sy, kt * uz + c * sz
    local limit, square = o.friction * held, fx * fx + fy * fy + fz * fz
    if square > limit * limit then
      local factor = limit / math.sqrt(square)
      fx, fy, fz = factor * fx, factor * fy, factor * fz
      ux, uy, uz = (fx - c * sx) / kt, (fy - c * sy) / kt, (fz - c * sz) / kt
    end
    local spin, turned = wx * nx + wy * ny + wz * nz, tx * nx + ty * ny + tz * nz
    local mx, my, mz, ax, ay, az = 0, 0, 0, 0, 0, 0
    if o.rolling > 0 then
      mx, my, mz, ax, ay, az = moment_of(roll, wx - spin * nx, wy - spin * ny, wz - spin * nz, tx - turned * nx, ty - turned * ny,
        tz - turned * nz, o.rolling * R * held, R, inertia, time_step)
    end
    if o.twisting > 0 then
      local px, py, pz, bx, by, bz = moment_of(twist, spin * nx, spin * ny, spin * nz, turned * nx, turned * ny, turned * nz,
        o.twisting * R * held, R, inertia, time_step)
      mx, my, mz, ax, ay, az = mx + px, my + py, mz + pz, ax + bx, ay + by, az + bz
    end
    return normal, -fx, -fy, -fz, ux, uy, uz, mx, my, mz, ax, ay, az
  end, o.dimension
end

-- Inertia of a ball (2/5 + 1) m r^2 or a disc (1/2 + 1) m r^2 about its rim.
local function about(dimension, mass, radius) return (dimension == 2 and 1.5 or 1.4) * mass * radius * radius end

local plane = { memory = { "ux", "uy", "rolled" },
                returns = { "normal", "tangential_x", "tangential_y", "ux", "uy", "torque_z", "rolled" } }
local space = { memory = { "ux", "uy", "uz", "tx_rolled", "ty_rolled", "tz_rolled" },
                returns = { "normal", "tangential_x", "tangential_y", "tangential_z", "ux", "uy", "uz", "torque_x", "torque_y", "torque_z",
                  "tx_rolled", "ty_rolled", "tz_rolled" } }

local rolling = {}

function rolling.pairs(given)
  local law, dimension = make(given)
  if dimension == 2 then
    return {
      name = "rolling resistance", memory = plane.memory, returns = plane.returns,
      law = function(overlap, normal_velocity, radius_i, radius_j, mass_i, mass_j, slip_x, slip_y, normal_x, normal_y, wz_i, wz_j,
        ux, uy, rolled, time_step)
        local one, other = about(2, mass_i, radius_i), about(2, mass_j, radius_j)
        local normal, fx, fy, _, vx, vy, _, _, _, mz, _, _, angle = law(overlap, normal_velocity, radius_i * radius_j / (radius_i + radius_j),
          mass_i * mass_j / (mass_i + mass_j), one * other / (one + other), slip_x, slip_y, 0, normal_x, normal_y, 0, 0, 0, wz_i - wz_j,
          ux, uy, 0, 0, 0, rolled, time_step)
        return normal, fx, fy, vx, vy, mz, angle
      end,
    }
  end
  return {
    name = "rolling resistance", memory = space.memory, returns = space.returns,
    law = function(overlap, normal_velocity, radius_i, radius_j, mass_i, mass_j, slip_x, slip_y, slip_z, normal_x, normal_y, normal_z,
      wx_i, wy_i, wz_i, wx_j, wy_j, wz_j, ux, uy, uz, tx_rolled, ty_rolled, tz_rolled, time_step)
      local one, other = about(3, mass_i, radius_i), about(3, mass_j, radius_j)
      return law(overlap, normal_velocity, radius_i * radius_j / (radius_i + radius_j), mass_i * mass_j / (mass_i + mass_j),
        one * other / (one + other), slip_x, slip_y, slip_z, normal_x, normal_y, normal_z, wx_i - wx_j, wy_i - wy_j, wz_i - wz_j,
        ux, uy, uz, tx_rolled, ty_rolled, tz_rolled, time_step)
    end,
  }
end

-- At walls that do not turn.
function rolling.walls(given)
  local law, dimension = make(given)
  if dimension == 2 then
    return {
      name = "rolling resistance at walls", memory = plane.memory, returns = plane.returns,
      law = function(overlap, normal_velocity, radius, mass, slip_x, slip_y, normal_x, normal_y, wz, ux, uy, rolled, time_step)
        local normal, fx, fy, _, vx, vy, _, _, _, mz, _, _, angle = law(overlap, normal_velocity, radius, mass, about(2, mass, radius),
          slip_x, slip_y, 0, normal_x, normal_y, 0, 0, 0, wz, ux, uy, 0, 0, 0, rolled, time_step)
        return normal, fx, fy, vx, vy, mz, angle
      end,
    }
  end
  return {
    name = "rolling resistance at walls", memory = space.memory, returns = space.returns,
    law = function(overlap, normal_velocity, radius, mass, slip_x, slip_y, slip_z, normal_x, normal_y, normal_z, wx, wy, wz, ux, uy, uz,
      tx_rolled, ty_rolled, tz_rolled, time_step)
      return law(overlap, normal_velocity, radius, mass, about(3, mass, radius), slip_x, slip_y, slip_z, normal_x, normal_y, normal_z,
        wx, wy, wz, ux, uy, uz, tx_rolled, ty_rolled, tz_rolled, time_step)
    end,
  }
end

return rolling
