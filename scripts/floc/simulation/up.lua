-- Which way is up: one rule for pictures, movies and pages. Up is what floc.simulation { up = } says; otherwise against
-- gravity as it is at the start of the first run; otherwise y. In the plane pictures have y upwards in any case.
--
-- The start settles it: gravity that turns later (a table that tilts) does not turn pictures. What was settled goes into
-- checkpoints, because a resume begins later. Settling also tells of funnels and containers that lie on their side.

local check = require "floc.surface.check"
local core = require "floc.core"
local warnings = require "floc.session.warnings"

local up = {}

local lying = 0.5 -- cosine of the angle between axis and up below which a container lies

local function unit(v)
  local greatest = 0
  for k = 1, #v do greatest = math.max(greatest, math.abs(v[k])) end
  local sum, made = 0, {}
  for k = 1, #v do sum = sum + (v[k] / greatest) ^ 2 end
  for k = 1, #v do made[k] = v[k] / greatest / math.sqrt(sum) + 0 end
  return made
end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

function up.check(call, given, dimension)
  if not given then return end
  if dimension == 2 then check.fail(call, "up is given, but it applies to three dimensions only; in the plane y is upwards") end
  if given[1] == 0 and given[2] == 0 and given[3] == 0 then check.fail(call, "up is 0; it must have a direction") end
end

-- The direction of a vector times sign; nil where it has none, or is no vector (which the run refuses).
local function direction_of(vector, dimension, sign)
  local v, there = {}, false
  for k = 1, dimension do
    local a = vector[k]
    if type(a) ~= "number" or a - a ~= 0 then return nil end
    v[k], there = sign * a, there or a ~= 0
  end
  return there and unit(v) or nil
end

function up.against(gravity, dimension) return direction_of(gravity, dimension, -1) end

local function against_now(inner)
  local gravity = inner.gravity
  if type(gravity) ~= "function" then return up.against(gravity, inner.dimension) end
  local ok, a, b, c = pcall(gravity, (select(2, core.clock(inner.world)))) -- the run tells what is wrong with it
  if not ok then return nil end
  return up.against(type(a) == "table" and a or { a, b, c }, inner.dimension)
end

local function chosen(inner, against) return unit(inner.given_up or against or (inner.dimension == 2 and { 0, 1 } or { 0, 1, 0 })) end

function up.of(inner)
  return inner.up and unit(inner.up.shown) or chosen(inner, against_now(inner))
end

-- ---- what lies on its side ----------------------------------------------------------------------

-- The y axis of a body.
local function y_axis(inner, number)
  local state = core.body_state(inner.world, number)
  local w, x, y, z = state.orientation[1], state.orientation[2], state.orientation[3], state.orientation[4]
  return { 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), inner.dimension == 3 and 2 * (y * z + w * x) or nil }
end

local function text_of(vector)
  local parts = {}
  for k = 1, #vector do parts[k] = core.number_format("%.3g", vector[k]) end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

local function tell_if_lying(inner, one)
  local against, axis, along = inner.up.against, y_axis(inner, one.body), 0
  for k = 1, against and #against or 0 do along = along + against[k] * axis[k] end
  if not against or math.abs(along) >= lying or inner.session.replay then return end
  local name = one.name and " " .. one.name or ""
  warnings.tell(inner.session, inner.number, string.format("%sthe floc.%s of body %d%s lies on its side: it is open towards %s, and up, against "
    .. "gravity, is %s; axis = %s turns it, axis = %s says that it is meant to lie", one.place, one.shape, one.body, name, text_of(axis), text_of(against),
    text_of(against), inner.dimension == 2 and "{ 0, 1 }" or "{ 0, 1, 0 }"))
end

-- A body was added: those of its shapes that have an opening, and whose script did not say where.
function up.watch(inner, body, name, shapes)
  for _, shape in ipairs(shapes) do
    local one = { body = body, name = name, shape = shape, place = check.where() }
    if inner.up then
      tell_if_lying(inner, one)
    else
      inner.upright[#inner.upright + 1] = one
    end
  end
end

-- A body was removed.
function up.forget(inner, body)
  for k = #inner.upright, 1, -1 do
    if inner.upright[k].body == body then table.remove(inner.upright, k) end
  end
end

-- Before the first step, when its gravity has been applied.
function up.settle(inner)
  local against = up.against(inner.applied_gravity, inner.dimension)
  inner.up = { shown = chosen(inner, against), against = against or false }
  for _, one in ipairs(inner.upright) do tell_if_lying(inner, one) end
end

-- ---- for checkpoints ----------------------------------------------------------------------------

function up.record(inner)
  return inner.up and { shown = unit(inner.up.shown), against = inner.up.against and unit(inner.up.against) } or false
end

-- A direction in a file, which may hold anything; nil where it is none.
function up.direction(value)
  if type(value) ~= "table" then return nil end
  return direction_of(value, #value == 2 and 2 or 3, 1)
end

function up.restore(inner, record)
  local shown = type(record) == "table" and up.direction(record.shown)
  inner.up = shown and #shown == inner.dimension and { shown = shown, against = up.direction(record.against) or false } or nil
end

-- ---- the camera ---------------------------------------------------------------------------------

-- From where the eye looks by default (the opposite of the direction in which), and what is upwards where it looks along up.
-- Right is x, unless x is the coordinate axis nearest to up: then -y.
function up.camera(shown)
  local x, y, z = math.abs(shown[1]), math.abs(shown[2]), math.abs(shown[3])
  local along_x = x > y and x > z
  local front = unit(cross(along_x and { 0, -1, 0 } or { 1, 0, 0 }, shown))
  local right, eye, behind = cross(shown, front), {}, {}
  for k = 1, 3 do eye[k], behind[k] = 0.45 * right[k] + 0.4 * shown[k] + front[k], -front[k] + 0 end
  return { up = shown, eye = eye, behind = behind }
end

-- What a picture shows upwards, and the direction in which it looks: values given by the script go first.
function up.for_picture(inner, given_up, direction)
  if inner.dimension == 2 then return nil, nil end
  local shown = given_up and unit(given_up) or up.of(inner)
  local camera = up.camera(shown)
  if not direction then return shown, { -camera.eye[1], -camera.eye[2], -camera.eye[3] } end
  local across = cross(unit(direction), shown)
  local is_along = across[1] ^ 2 + across[2] ^ 2 + across[3] ^ 2 < 1e-10
  return not given_up and is_along and camera.behind or shown, direction
end

return up
