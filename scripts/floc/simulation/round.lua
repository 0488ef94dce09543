-- Shapes around an axis: floc.cylinder, floc.cone, floc.torus. Here they become the engine's shapes: an origin, two
-- directions that span the plane across the axis, parameters (floc_shape in floc.h; engine/geometry/shapes/cone.c).
--
-- Radii that a script gives for a wall are free ones: its plates lie half a thickness outside of them, and discs
-- that close it half a thickness beyond its ends. A grain in the corner of a pot touches disc and side, so each
-- part is a shape by itself.

local check = require "floc.surface.check"
local surface = require "floc.surface.structs"

local constants = surface.constants
local round = {}

local FIRST_END, SIDE, SECOND_END = 1, 2, 4

local function minus(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function length_of(v) return math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

local function scaled(v, factor) return { v[1] * factor, v[2] * factor, v[3] * factor } end

-- Directions x and y with x cross y along the axis; x is across the coordinate axis that is farthest from it.
local function directions(axis)
  local z, least = scaled(axis, 1 / length_of(axis)), 1
  for k = 2, 3 do
    if math.abs(z[k]) < math.abs(z[least]) then least = k end
  end
  local across = { 0, 0, 0 }
  across[least] = 1
  local x = cross(across, z)
  x = scaled(x, 1 / length_of(x))
  return x, cross(z, x)
end

-- ---- checks -------------------------------------------------------------------------------------

local function check_axis(name, values)
  local a, b = values.points[1], values.points[2]
  for k, point in ipairs(values.points) do
    if #point ~= 3 then check.fail(name, "points[%d] has %d numbers; it must have 3", k, #point) end
  end
  if length_of(minus(b, a)) == 0 then check.fail(name, "both points are the same; they must differ") end
  if values.solid and values.ends ~= "none" then
    check.fail(name, "ends is given beside solid; a solid one is closed")
  end
  if values.solid and values.thickness ~= 0 then
    check.fail(name, "thickness is given beside solid; walls have one")
  end
end

function round.check_cylinder(values)
  check_axis("cylinder", values)
  values.radii = { values.radius, values.radius }
end

function round.check_cone(values)
  check_axis("cone", values)
  for key in pairs(values.radii) do
    if key ~= 1 and key ~= 2 then check.fail("cone", "radii has an entry %s; it must be { first, second }", check.show(key)) end
  end
  for k = 1, 2 do
    check.value("cone", { name = "radii[" .. k .. "]", type = "number", at_least = 0 }, values.radii[k])
  end
  if values.radii[1] + values.radii[2] == 0 then check.fail("cone", "radii are both 0; one must be above 0") end
end

function round.check_torus(values)
  if not (values.tube_radius < values.ring_radius) then
    check.fail("torus", "tube_radius is %s; it must be below ring_radius, which is %s", check.show(values.tube_radius),
      check.show(values.ring_radius))
  end
  if values.axis and (#values.axis ~= 3 or length_of(values.axis) == 0) then
    check.fail("torus", "axis is %s; it must be three numbers that are not all 0", check.show(values.axis))
  end
end

-- ---- the engine's shapes ------------------------------------------------------------------------

local function torus(values)
  local x, y = directions(values.axis or { 0, 0, 1 })
  return { { kind = constants.shape_torus, points = { values.center or { 0, 0, 0 }, x, y }, radius = 0,
    parameters = { values.ring_radius, values.tube_radius } } }
end

-- The space in it, or the solid body: without a wall.
local function filled(values)
  local a, axis = values.points[1], minus(values.points[2], values.points[1])
  local x, y = directions(axis)
  return { kind = constants.shape_cone, points = { a, x, y }, radius = 0,
    parameters = { values.radii[1], values.radii[2], length_of(axis) } }
end

-- Middle of the wall: radii at its two ends and where these are along the axis.
local function middle(values, height)
  local half, slope = values.thickness / 2, (values.radii[2] - values.radii[1]) / height
  local out = half * math.sqrt(1 + slope * slope)
  local first = (values.ends == "first" or values.ends == "both") and -half or 0
  local second = (values.ends == "second" or values.ends == "both") and height + half or height
  local function radius_at(z) return values.radii[1] + slope * z + out end
  if radius_at(first) < 0 then first = -(values.radii[1] + out) / slope end -- beyond the tip
  if radius_at(second) < 0 then second = -(values.radii[1] + out) / slope end
  return first, second, math.max(radius_at(first), 0), math.max(radius_at(second), 0)
end

local function wall(values)
  local a, axis = values.points[1], minus(values.points[2], values.points[1])
  local height = length_of(axis)
  local x, y = directions(axis)
  local first, second, radius_first, radius_second = middle(values, height)
  local origin = { a[1] + axis[1] * first / height, a[2] + axis[2] * first / height, a[3] + axis[3] * first / height }
  local parts = { SIDE }
  if values.ends == "first" or values.ends == "both" then parts[#parts + 1] = FIRST_END end
  if values.ends == "second" or values.ends == "both" then parts[#parts + 1] = SECOND_END end
  for k, part in ipairs(parts) do
    parts[k] = { kind = constants.shape_cone_wall, points = { origin, x, y }, radius = values.thickness / 2,
      parameters = { radius_first, radius_second, second - first, part } }
  end
  return parts
end

local function cone(values) return values.solid and { filled(values) } or wall(values) end

-- The engine's shapes of a body, by the constructor's name.
round.shapes = { cylinder = cone, cone = cone, torus = torus }

-- As a region: one shape whose distance is below 0 in it.
function round.region(name, values)
  if name == "torus" then return torus(values)[1] end
  return filled(values)
end

-- A box around it.
function round.bounds(name, values)
  local lower, upper = {}, {}
  if name == "torus" then
    local middle, reach = values.center or { 0, 0, 0 }, values.ring_radius + values.tube_radius
    for k = 1, 3 do lower[k], upper[k] = middle[k] - reach, middle[k] + reach end
    return lower, upper
  end
  local a, b = values.points[1], values.points[2]
  local axis = minus(b, a)
  local height = length_of(axis)
  for k = 1, 3 do
    local across = math.sqrt(math.max(1 - (axis[k] / height) ^ 2, 0)) -- of a disc's radius, along coordinate k
    lower[k] = math.min(a[k] - values.radii[1] * across, b[k] - values.radii[2] * across)
    upper[k] = math.max(a[k] + values.radii[1] * across, b[k] + values.radii[2] * across)
  end
  return lower, upper
end

return round
