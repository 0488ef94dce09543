-- What a law of pairs must not depend on: which of the two is called i. It is called with states of two particles that belong
-- together as in a real pair, and again with the two exchanged; then it must give the same physics: normal, tangential,
-- energy and sums the same, forces, torques and rates the opposite, what is of i that of j. And what its forces at the centres
-- and its torques do to the angular momentum of the two must add up to nothing: torque_i + torque_j = d x force, d from i to j.
-- Of a potential the latter is so if it does not change when both are turned together, which is tried instead.
--
-- Numbers that pairs remember are 0 in these states, as of a new pair, and random numbers are in the middle of their range: both
-- may belong to the direction of the pair. Ids stay with the states or with the names, whichever agrees: laws may ask
-- for neighbours in a chain.


local audit = {}

local state_count, tolerance = 60, 1e-6

-- ---- states of two particles ---------------------------------------------------------------------

local function generator(seed)
  local state = seed
  return function(low, high)
    state = (state * 16807) % 2147483647
    return (low or 0) + ((high or 1) - (low or 0)) * state / 2147483647
  end
end

local axes = { "x", "y", "z" }

local function cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

-- In the plane the third component is 0; of a spin it is the only one.
local function vector(random, dimension, size)
  return { random(-size, size), random(-size, size), dimension == 3 and random(-size, size) or 0 }
end

local function direction(random, dimension)
  while true do
    local v = vector(random, dimension, 1)
    local square = dot(v, v)
    if square > 0.01 and square <= 1 then
      local length = math.sqrt(square)
      return { v[1] / length, v[2] / length, v[3] / length }
    end
  end
end

local function put(point, name, side, v)
  for k, axis in ipairs(axes) do point[name .. axis .. side] = v[k] end
end

local function orient(random, dimension, point, side)
  local angle = random(-3, 3)
  local q = { math.cos(angle / 2), 0, 0, math.sin(angle / 2) }
  if dimension == 3 then
    local length
    repeat
      q = { random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1) }
      length = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
    until length > 0.1
    for k = 1, 4 do q[k] = q[k] / length end
  end
  local w, x, y, z = q[1], q[2], q[3], q[4]
  local bodies = { { 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y) }, { 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x) },
    { 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y) } }
  for k, name in ipairs { "axis", "axis2", "axis3" } do put(point, name .. side .. "_", "", bodies[k]) end
  for k, name in ipairs { "qw", "qx", "qy", "qz" } do point[name .. side] = q[k] end
  if dimension == 2 then point["angle" .. side] = angle end
end

local function ranged(random, sampler, name, low, high)
  local range = sampler.ranges[name]
  if range and range[2] > range[1] then
    low, high = range[1], range[2]
  elseif range and range[1] ~= 0 then
    low, high = 0.6 * range[1], 1.4 * range[1] -- all are alike now
  end
  return random(low, high)
end

local function make_state(random, sampler, law, dimension)
  local point = {}
  local ri, rj = ranged(random, sampler, "radius_i", 0.2, 1), ranged(random, sampler, "radius_j", 0.2, 1)
  if law.least_radius then ri, rj = random(law.least_radius, law.greatest_radius), random(law.least_radius, law.greatest_radius) end
  local n, range = direction(random, dimension), math.min(sampler.range, 1e3 * (ri + rj))
  local gap = random() < 0.5 and random(-0.3 * math.min(ri, rj), 0) or random(0, range > 0 and range or 0.1 * ri)
  local distance = ri + rj + gap
  local at, vi, vj = vector(random, dimension, 3), vector(random, dimension, 1), vector(random, dimension, 1)
  local wi, wj = vector(random, 3, 2), vector(random, 3, 2)
  if dimension == 2 then wi[1], wi[2], wj[1], wj[2] = 0, 0, 0, 0 end
  local turn = {}
  for k = 1, 3 do turn[k] = distance * (ri * wi[k] + rj * wj[k]) / (ri + rj) end
  turn = cross(turn, n)
  local relative, other = {}, {}
  for k = 1, 3 do relative[k], other[k] = vj[k] - vi[k] - turn[k], at[k] + distance * n[k] end
  local along = dot(relative, n)
  for k = 1, 3 do relative[k] = relative[k] - along * n[k] end
  point.radius_i, point.radius_j, point.distance, point.overlap = ri, rj, distance, -gap
  point.normal_velocity = along
  point.tangential_velocity = dimension == 2 and n[1] * relative[2] - n[2] * relative[1] or math.sqrt(dot(relative, relative))
  put(point, "normal_", "", n)
  put(point, "slip_", "", relative)
  for _, one in ipairs { { "", "_i", at }, { "", "_j", other }, { "v", "_i", vi }, { "v", "_j", vj }, { "w", "_i", wi }, { "w", "_j", wj },
    { "angular_velocity_", "_i", wi }, { "angular_velocity_", "_j", wj } } do put(point, one[1], one[2], one[3]) end
  orient(random, dimension, point, "_i")
  orient(random, dimension, point, "_j")
  point.id_i = math.floor(random(1, 20))
  point.id_j = point.id_i + math.floor(random(1, 4))
  for _, name in ipairs(law.memory) do point[name] = 0 end
  for _, name in ipairs(law.inputs) do
    local stem = name:match "^(.*)_[ij]$"
    if sampler.fixed[name] then
      point[name] = sampler.fixed[name]
    elseif name:find "^uniform_random" then
      point[name] = 0.5
    elseif name:find "^normal_random" then
      point[name] = 0
    else
      for _, one in ipairs(stem and { stem .. "_i", stem .. "_j" } or { name }) do -- of both, whichever it takes
        if point[one] == nil then
          local value = ranged(random, sampler, name, 0.3, 2)
          point[one] = name:find "^material" and math.floor(value) or value
        end
      end
    end
  end
  return point
end

-- The same two with each other's names.
local function exchanged(point, ids_too)
  local other = {}
  for name, value in pairs(point) do
    local stem, side = name:match "^(.*)_([ij])$"
    local axis, own, component = name:match "^(axis[23]?)_([ij])(_[xyz])$"
    if axis then
      other[axis .. (own == "i" and "_j" or "_i") .. component] = value
    elseif stem and (ids_too or stem ~= "id") then
      other[stem .. (side == "i" and "_j" or "_i")] = value
    elseif name:find "^normal_[xyz]$" or name:find "^slip_[xyz]$" then
      other[name] = -value
    else
      other[name] = value
    end
  end
  return other
end

-- ---- what it gives --------------------------------------------------------------------------------

-- Results by name, or nil where it fails there or gives what is no number.
local function evaluate(law, outputs, point)
  local arguments = {}
  local names = law.given or law.inputs
  for k, name in ipairs(names) do arguments[k] = point[name] end
  local results = { pcall(law.fn, (table.unpack or unpack)(arguments, 1, #names)) }
  if not results[1] then return nil end
  local given = {}
  for k, name in ipairs(outputs) do
    local value = results[k + 1]
    if type(value) ~= "number" or value - value ~= 0 then return nil end
    given[name] = value
  end
  return given
end

-- The name of the output that the exchanged pair must give instead, and its sign.
local function counterpart(name)
  local kind, axis = name:match "^(torque_)[ij](_[xyz])$"
  if kind then return kind .. (name:find "^torque_i" and "j" or "i") .. axis, 1 end
  local side, attribute = name:match "^sum_([ij])_(.+)$"
  if side then return "sum_" .. (side == "i" and "j" or "i") .. "_" .. attribute, 1 end
  local opposite = name:find "^force_[xyz]$" or name:find "^torque_[xyz]$" or name:find "^tangential_[xyz]$" or name:find "^rate_"
  return name, opposite and -1 or 1
end

-- How large a number is that is 0 but for rounding: of a vector, its greatest component.
local function scale_of(name, ...)
  local stem, greatest = name:match "^(.*_)[xyz]$", 0
  for _, given in ipairs { ... } do
    for other, value in pairs(given) do
      if other == name or (stem and other:sub(1, #stem) == stem) then greatest = math.max(greatest, math.abs(value)) end
    end
  end
  return greatest
end

local function show(law, point)
  local parts = {}
  for k, name in ipairs(law.given or law.inputs) do parts[k] = string.format("%s = %.6g", name, point[name]) end
  return table.concat(parts, ", ")
end

-- The first output that differs with i and j exchanged: its name, its value and what it should be.
local function difference(law, given, other)
  local remembered = {}
  for _, name in ipairs(law.memory) do remembered[name] = true end
  for _, name in ipairs(law.attribute_names or {}) do remembered[name] = true end
  for _, name in ipairs(law.audited) do
    if not remembered[name] then
      local twin, sign = counterpart(name)
      local expected, value = sign * given[name], other[twin] or 0
      if math.abs(value - expected) > tolerance * math.max(scale_of(name, given), scale_of(twin, other)) then return twin, value, expected end
    end
  end
end

-- What pairs do to their own angular momentum: a component, its value, what is added up at most.
local function imbalance(given, point)
  local d = {}
  for k, axis in ipairs(axes) do d[k] = point.distance * point["normal_" .. axis] end
  local force = { given.force_x or 0, given.force_y or 0, given.force_z or 0 }
  local moment = cross(d, force)
  local scale = point.distance * math.sqrt(dot(force, force))
  for k, axis in ipairs(axes) do
    scale = math.max(scale, math.abs(moment[k]), math.abs(given["torque_i_" .. axis] or 0), math.abs(given["torque_j_" .. axis] or 0))
  end
  for k, axis in ipairs(axes) do
    local rest = (given["torque_i_" .. axis] or 0) + (given["torque_j_" .. axis] or 0) - moment[k]
    if math.abs(rest) > tolerance * scale then return axis, rest, scale end
  end
end

-- The same pair turned in space, or in its plane: of what a potential may take, directions alone change.
local function turned(point, dimension)
  local other, rows = {}, { { 2 / 3, -1 / 3, 2 / 3 }, { 2 / 3, 2 / 3, -1 / 3 }, { -1 / 3, 2 / 3, 2 / 3 } }
  if dimension == 2 then rows = { { 0.6, -0.8, 0 }, { 0.8, 0.6, 0 }, { 0, 0, 1 } } end
  for name, value in pairs(point) do other[name] = value end
  for _, stem in ipairs { "normal_", "axis_i_", "axis_j_", "axis2_i_", "axis2_j_", "axis3_i_", "axis3_j_" } do
    local v = { point[stem .. "x"], point[stem .. "y"], point[stem .. "z"] }
    put(other, stem, "", { dot(rows[1], v), dot(rows[2], v), dot(rows[3], v) })
  end
  return other
end

local function dependence(law, given, point, dimension)
  local other = evaluate(law, law.audited, turned(point, dimension))
  if other and math.abs(other.energy - given.energy) > tolerance * math.max(math.abs(given.energy), math.abs(other.energy)) then
    return string.format("its energy changes if both particles are turned together, from %.6g to %.6g, so angular momentum is not kept (for %s)",
      given.energy, other.energy, show(law, point))
  end
end

-- law: as simulation/laws.lua has it, with audited, the names of what its function returns. sampler: as in trace/check.lua.
-- Returns what is wrong with the symmetry, and with the angular momentum; nil each where nothing is.
function audit.run(law, sampler, dimension)
  local random = generator(4711)
  local symmetry, balance
  for _ = 1, state_count do
    local point = make_state(random, sampler, law, dimension)
    local given = evaluate(law, law.audited, point)
    if given then
      local name, value, expected
      for _, ids_too in ipairs { false, true } do
        local other = evaluate(law, law.audited, exchanged(point, ids_too))
        name = nil
        if other then name, value, expected = difference(law, given, other) end
        if not name then break end
      end
      if name and not symmetry then
        symmetry = string.format("with i and j exchanged %s is %.6g; it should be %.6g, so what it does depends on which particle has "
          .. "the smaller id (for %s)", name, value, expected, show(law, point))
      end
      local axis, rest, scale
      if not law.potential then axis, rest, scale = imbalance(given, point) end
      if law.turns then balance = balance or dependence(law, given, point, dimension) end
      if axis and not balance then
        balance = string.format("its torques and the moment of its force do not balance: torque_i_%s + torque_j_%s - (d x force)_%s = %.6g, "
          .. "of terms up to %.6g, so angular momentum is not kept (for %s)", axis, axis, axis, rest, scale, show(law, point))
      end
    end
  end
  return symmetry, balance
end


return audit
