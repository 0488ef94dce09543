--[[
The lubrication model that the gluey particle is the limit of (Lefebvre 2009, Remark 2.2):

    m d'' = -mu d'/d + f(t),      gamma = mu ln d

With s = ln d and J(t) the integral of f, one integration gives m d' + mu s = m u0 + mu s0 + J, so

    s' = exp(-s) (m u0 + mu s0 + J - mu s)/m,      J' = f(t)

In s the distance may fall to 1e-300 without trouble; the equation is then very stiff, so it is integrated
by Radau IIA of three stages (order 5, L-stable). The error is estimated by doing every step twice at half
the length; the two halves are kept. Where f jumps, name the times in `breaks`, or let the step size find
them.
]]

local lubrication = {}

-- Radau IIA, order 5: nodes and coefficients.
local root6 = math.sqrt(6)
local nodes = { (4 - root6) / 10, (4 + root6) / 10, 1 }
local matrix = {
  { (88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225 },
  { (296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225 },
  { (16 - root6) / 36, (16 + root6) / 36, 1 / 9 },
}

-- Solves a 3 x 3 system by elimination with row exchange; right-hand side and solution in b.
local function solve3(a, b)
  for column = 1, 3 do
    local pivot = column
    for row = column + 1, 3 do
      if math.abs(a[row][column]) > math.abs(a[pivot][column]) then pivot = row end
    end
    a[column], a[pivot] = a[pivot], a[column]
    b[column], b[pivot] = b[pivot], b[column]
    if a[column][column] == 0 then return false end
    for row = column + 1, 3 do
      local factor = a[row][column] / a[column][column]
      for k = column, 3 do a[row][k] = a[row][k] - factor * a[column][k] end
      b[row] = b[row] - factor * b[column]
    end
  end
  for row = 3, 1, -1 do
    for k = row + 1, 3 do b[row] = b[row] - a[row][k] * b[k] end
    b[row] = b[row] / a[row][row]
  end
  return true
end

-- The inverse of the matrix, for the form of the stage equations below.
local inverse = { {}, {}, {} }
for column = 1, 3 do
  local copy, unit = {}, { 0, 0, 0 }
  for row = 1, 3 do copy[row] = { matrix[row][1], matrix[row][2], matrix[row][3] } end
  unit[column] = 1
  solve3(copy, unit)
  for row = 1, 3 do inverse[row][column] = unit[row] end
end

-- One step of length h from (t, s, J); the force is taken before `limit`, where it may jump. Returns s and
-- J at the step's end, or nil if Newton's iteration fails.
-- The stage equations z = h A rate(z) are used as exp(s + z_i) (A^-1 z)_i = h (driving_i - mu z_i)/m: nearly
-- linear both where the distance is large and where it has all but vanished.
local function radau_step(problem, t, s, J, h, limit)
  local force, driving, z = {}, {}, { 0, 0, 0 }
  for i = 1, 3 do force[i] = problem.force(math.min(t + nodes[i] * h, limit)) end
  local J_end
  for i = 1, 3 do
    J_end = J + h * (matrix[i][1] * force[1] + matrix[i][2] * force[2] + matrix[i][3] * force[3])
    driving[i] = (problem.constant + J_end - problem.mu * s) / problem.mass
  end
  local mobility = problem.mu / problem.mass
  for _ = 1, 60 do
    local jacobian, residual, change = {}, {}, 0
    for i = 1, 3 do
      local distance = math.exp(s + z[i])
      local slope = inverse[i][1] * z[1] + inverse[i][2] * z[2] + inverse[i][3] * z[3]
      residual[i] = distance * slope - h * (driving[i] - mobility * z[i])
      jacobian[i] = { distance * inverse[i][1], distance * inverse[i][2], distance * inverse[i][3] }
      jacobian[i][i] = jacobian[i][i] + distance * slope + h * mobility
    end
    if not solve3(jacobian, residual) then return nil end
    for i = 1, 3 do change = math.max(change, math.abs(residual[i])) end
    if not (change < 1e6) then return nil end
    local damping = change > 5 and 5 / change or 1 -- exp() must not run away
    for i = 1, 3 do z[i] = z[i] - damping * residual[i] end
    if change <= 1e-13 * math.max(1, math.abs(s)) then return s + z[3], J_end end
  end
  return nil
end

-- Advances from t to target. Returns s, J and the step size to continue with.
local function advance(problem, t, s, J, target, h)
  local limit = target - 1e-12 * math.max(1, math.abs(target))
  while t < target do
    local last = t + h >= target
    local length = last and target - t or h
    local whole = radau_step(problem, t, s, J, length, limit)
    local half, half_J = radau_step(problem, t, s, J, 0.5 * length, limit)
    local twice, twice_J
    if half then twice, twice_J = radau_step(problem, t + 0.5 * length, half, half_J, 0.5 * length, limit) end
    local error_estimate = whole and twice and math.abs(twice - whole) / problem.tolerance or math.huge
    if error_estimate <= 1 then
      t = last and target or t + length
      s, J = twice, twice_J
      local growth = error_estimate > 0 and 0.9 * error_estimate ^ (-1 / 6) or 4
      if not last or growth < 1 then h = length * math.min(4, math.max(0.2, growth)) end
    else
      h = length * (error_estimate < math.huge and math.max(0.1, 0.9 * error_estimate ^ (-1 / 6)) or 0.25)
      if h < 1e-300 then
        error(("lubrication: no step size is small enough at t = %g (ln d = %g)"):format(t, s), 0)
      end
    end
  end
  return s, J, h
end

-- Options: mu (> 0), mass (1), distance (d at times[1], > 0), velocity (0), force = function(t), times
-- (increasing), breaks (times at which force jumps; {}), tolerance (of ln d per step; 1e-10).
-- Returns lists distance, velocity, gamma, one value per time.
function lubrication.solve(options)
  local problem = {
    mu = options.mu, mass = options.mass or 1, force = options.force, tolerance = options.tolerance or 1e-10,
  }
  local times, t, s, J = options.times, options.times[1], math.log(options.distance), 0
  problem.constant = problem.mass * (options.velocity or 0) + problem.mu * s
  local stops = {}
  for _, time in ipairs(options.breaks or {}) do stops[#stops + 1] = time end
  table.sort(stops)
  local result = { distance = {}, velocity = {}, gamma = {} }
  local h = 1e-6 * math.max(1e-6, times[#times] - t)
  for index, time in ipairs(times) do
    for _, stop in ipairs(stops) do
      if stop > t and stop < time then
        s, J = advance(problem, t, s, J, stop, h)
        t, h = stop, 1e-6 * math.max(1e-6, times[#times] - stop)
      end
    end
    if time > t then s, J, h = advance(problem, t, s, J, time, h) end
    t = math.max(t, time)
    result.distance[index] = math.exp(s)
    result.velocity[index] = (problem.constant + J - problem.mu * s) / problem.mass
    result.gamma[index] = problem.mu * s
  end
  return result
end

return lubrication
