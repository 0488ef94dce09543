-- Bodies: shapes with a motion. A body that a script holds is a small table that asks the engine for
-- its present state; what a script says about motion becomes one Lua function of time that returns six
-- numbers, or one of the engine's own motions.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local materials = require "floc.simulation.materials"
local replay = require "floc.session.replay"
local setup = require "floc.session.setup"
local shapes = require "floc.simulation.shapes"
local surface = require "floc.surface.structs"
local up = require "floc.simulation.up"

local constants = surface.constants
local bodies = {}

-- ---- motions ------------------------------------------------------------------------------------

-- Raises with the place of the function that gave a wrong result.
local function wrong_result(fn, what, time, count, ...)
  local shown, given = {}, select("#", ...)
  while given > math.max(count, 1) and select(given, ...) == nil do given = given - 1 end
  for k = 1, given do shown[k] = check.show((select(k, ...))) end
  error(string.format("%s: the %s returned %s at t = %s; it must return %d finite number%s", check.definition(fn),
    what, table.concat(shown, ", "), check.show(time), count, count > 1 and "s" or ""), 0)
end

local function finite(value) return type(value) == "number" and value - value == 0 end

-- A function of time that returns three checked numbers, from a function that returns `count`. A function
-- that returns a table { vx, vy } is as good as one that returns the numbers.
local function three(fn, what, count, axis)
  return function(time)
    local a, b, c, d = fn(time)
    if type(a) == "table" then a, b, c, d = a[1], a[2], a[3], a[4] end
    local too_few = not finite(a) or count > 1 and not finite(b) or count > 2 and not finite(c)
    local too_many = count < 2 and b ~= nil or count < 3 and c ~= nil or d ~= nil
    if too_few or too_many then wrong_result(fn, what, time, count, a, b, c, d) end
    if count == 1 then return 0, 0, a end
    return a, b, c or 0
  end
end

local function constant(vector)
  local a, b, c = vector[1], vector[2], vector[3] or 0
  return function() return a, b, c end
end

local function zero() return 0, 0, 0 end

local function six(first, second)
  return function(time)
    local a, b, c = first(time)
    local d, e, f = second(time)
    return a, b, c, d, e, f
  end
end

-- As a rotation vector: about z in two dimensions.
local function as_rotation(value, dimension)
  if type(value) == "number" then return { 0, 0, value } end
  return value
end

local function is_function(value) return type(value) == "function" end

-- Prescribed place or orientation. What is not a function of time stays where it is: a place at `place`, an
-- orientation at the body's own.
local function prescribed(call, values, dimension, place)
  local turn_name = dimension == 2 and "angle" or "rotation"
  if values.velocity or values.angular_velocity then
    check.fail(call, "%s and %s are both given; only one of them may prescribe the motion",
      is_function(values.position) and "position as a function" or turn_name .. " as a function",
      values.velocity and "velocity" or "angular_velocity")
  end
  local go, turn = constant(place), zero
  if is_function(values.position) then go = three(values.position, "position", dimension) end
  if is_function(values[turn_name]) then turn = three(values[turn_name], turn_name, dimension == 2 and 1 or 3) end
  return { motion = constants.motion_position }, six(go, turn)
end

local function moving(values, dimension)
  local velocity, turning = values.velocity, values.angular_velocity
  if not is_function(velocity) and not is_function(turning) then
    if not velocity and not turning then return { motion = constants.motion_fixed } end
    return { motion = constants.motion_constant, velocity = velocity,
      angular_velocity = turning and as_rotation(turning, dimension) }
  end
  local go = is_function(velocity) and three(velocity, "velocity", dimension)
    or velocity and constant(velocity) or zero
  local turn = is_function(turning) and three(turning, "angular_velocity", dimension == 2 and 1 or 3)
    or turning and constant(as_rotation(turning, dimension)) or zero
  return { motion = constants.motion_velocity }, six(go, turn)
end

-- The load as a number, or as a function of time.
local function servo(motion)
  local function given(name)
    local value = motion[name]
    if not is_function(value) then return function() return value end end
    return function(time)
      local found = value(time)
      if not finite(found) then wrong_result(value, name, time, 1, found) end
      return found
    end
  end
  local options = { motion = constants.motion_servo, direction = motion.direction, mass = motion.mass, damping = motion.damping,
    greatest_speed = motion.greatest_speed }
  if motion.load and not is_function(motion.load) then
    options.load = motion.load
    return options
  end
  local load, area = given(motion.load and "load" or "pressure"), given "area"
  if motion.load then return options, function(time) return load(time), 0, 0, 0, 0, 0 end end
  return options, function(time) return load(time) * area(time), 0, 0, 0, 0, 0 end
end

local function engine_motion(call, values, dimension)
  for _, name in ipairs { "velocity", "angular_velocity" } do
    if values[name] then check.fail(call, "motion and %s are both given; only one of them may be", name) end
  end
  for _, name in ipairs { "position", "angle", "rotation" } do
    if is_function(values[name]) then
      check.fail(call, "motion and %s as a function are both given; only one of them may be", name)
    end
  end
  local motion = values.motion
  local name = shapes.name_of(motion)
  shapes.check_dimension(call, name, dimension, motion.amplitude, motion.velocity or motion.direction)
  if name == "oscillation" then
    return { motion = constants.motion_oscillation, amplitude = motion.amplitude, frequency = motion.frequency,
      phase = motion.phase }
  end
  if name == "servo" then return servo(motion) end
  return { motion = constants.motion_piston, velocity = motion.velocity, travel = motion.travel,
    returns = motion.returns }
end

-- Options and function of a motion, from checked values.
local function compose(call, values, dimension, place)
  local wrong = dimension == 2 and "rotation" or "angle"
  if values[wrong] then
    check.fail(call, "%s is given; in %d dimensions the orientation is %s", wrong, dimension,
      dimension == 2 and "angle, a number" or "rotation, a vector")
  end
  if values.motion then return engine_motion(call, values, dimension) end
  if is_function(values.position) or is_function(values.angle) or is_function(values.rotation) then
    return prescribed(call, values, dimension, place)
  end
  return moving(values, dimension)
end

-- ---- free bodies ---------------------------------------------------------------------------------

local free_axes = { { x = 1, y = 2, angle = 32 },
  { x = 1, y = 2, z = 4, angle = 56, angle_x = 8, angle_y = 16, angle_z = 32 } }

-- The sum of bits of what is free.
local function axes_of(call, given, dimension)
  local known, names, sum, seen = free_axes[dimension - 1], {}, 0, {}
  for name in pairs(known) do names[#names + 1] = name end
  table.sort(names)
  if type(given) == "string" then
    if given == "all" then return dimension == 2 and 35 or 63 end
    names[#names + 1] = "all"
    check.fail(call, "free is %s; it must be \"all\" or a list such as { \"x\", \"angle\" }%s", check.show(given),
      check.suggestion(given, names))
  end
  if #given == 0 then check.fail(call, "free is an empty list; it must be \"all\" or a list such as { \"x\", \"angle\" }") end
  for k, name in ipairs(given) do
    local bits = type(name) == "string" and known[name]
    if not bits then
      check.fail(call, "free[%d] is %s, which is no degree of freedom in %d dimensions%s", k, check.show(name), dimension,
        type(name) == "string" and check.suggestion(name, names) or "")
    end
    if seen[name] then check.fail(call, "free[%d] is %s, as free[%d]", k, check.show(name), seen[name]) end
    seen[name], sum = k, sum + bits
  end
  if seen.angle and (seen.angle_x or seen.angle_y or seen.angle_z) then
    check.fail(call, "free names angle, which is any turn, and a turn about one axis; it must name one of the two")
  end
  return sum
end

local load_fields = { { name = "force", type = "vector|function", signature = "of the time that returns the vector" },
  { name = "torque", type = "rotation|function", signature = "of the time that returns the torque" }, name = "load" }

-- Constants, and a function of the others.
local function load_of(call, given, dimension)
  if given == nil then return {} end
  local load = check.table({ name = call .. ": load", load_fields[1], load_fields[2] }, given, dimension)
  if load.force == nil and load.torque == nil then check.fail(call, "load is empty; it must have force, torque or both") end
  local constants_of, push, turn = {}, zero, zero
  if is_function(load.force) then push = three(load.force, "force", dimension) else constants_of.force = load.force end
  if is_function(load.torque) then
    turn = three(load.torque, "torque", dimension == 2 and 1 or 3)
  else
    constants_of.torque = load.torque and as_rotation(load.torque, dimension)
  end
  if is_function(load.force) or is_function(load.torque) then return constants_of, six(push, turn) end
  return constants_of
end

local function inertia_of(call, value, dimension)
  if value == nil then return nil end
  if dimension == 2 then
    if type(value) ~= "number" then check.fail(call, "inertia is %s; in two dimensions it is a number", check.show(value)) end
    return { 0, 0, value, 0, 0, 0 }
  end
  if type(value) == "number" or #value ~= 6 then
    check.fail(call, "inertia is %s; in three dimensions it is { xx, yy, zz, xy, xz, yz }",
      type(value) == "number" and check.show(value) or string.format("a list of %d", #value))
  end
  for k = 1, 6 do check.value(call, { name = "inertia[" .. k .. "]", type = "number" }, value[k]) end
  return value
end

local free_only = { "mass", "density", "inertia", "load", "damping", "angular_damping" }

local function check_free(call, values)
  for _, name in ipairs { "velocity", "angular_velocity", "position", "angle", "rotation" } do
    if is_function(values[name]) then
      check.fail(call, "free and %s as a function are both given; what moves a free body is its load, gravity and particles", name)
    end
  end
  if values.motion then check.fail(call, "free and motion are both given; only one of them may be") end
  if values.mass and values.density then check.fail(call, "mass and density are both given; only one of them may be") end
  if not (values.mass or values.density) then check.fail(call, "free is given, and mass is missing; a free body needs mass or density") end
end

-- Options of a free body and the function of its load, from checked values.
local function free_options(call, values, dimension)
  check_free(call, values)
  local options, fn = load_of(call, values.load, dimension)
  options.axes = axes_of(call, values.free, dimension)
  options.mass, options.density = values.mass, values.density
  options.inertia = inertia_of(call, values.inertia, dimension)
  options.damping, options.angular_damping = values.damping, values.angular_damping
  options.velocity = values.velocity
  options.angular_velocity = values.angular_velocity and as_rotation(values.angular_velocity, dimension)
  return options, fn
end

local function place_label(values, number)
  local name = values.name and string.format("body %s", check.show(values.name)) or string.format("body %d", number)
  return "the motion of " .. name
end

-- ---- the handle ---------------------------------------------------------------------------------

local function components(vector, dimension)
  if dimension == 2 then return { vector[1], vector[2] } end
  return { vector[1], vector[2], vector[3] }
end

local function about_axis(vector, dimension)
  return dimension == 2 and vector[3] or { vector[1], vector[2], vector[3] }
end

local readers = {
  position = function(state, dimension) return components(state.position, dimension) end,
  velocity = function(state, dimension) return components(state.velocity, dimension) end,
  force = function(state, dimension) return components(state.force, dimension) end,
  angular_velocity = function(state, dimension) return about_axis(state.angular_velocity, dimension) end,
  torque = function(state, dimension) return about_axis(state.torque, dimension) end,
  angle = function(state) return state.angle end,
  orientation = function(state) return state.orientation end,
  shape_count = function(state) return state.shape_count end,
  mass = function(state) return state.axes > 0 and state.mass or math.huge end,
  inertia = function(state, dimension)
    if state.axes == 0 then return math.huge end
    return dimension == 2 and state.inertia[3] or state.inertia
  end,
  center = function(state, dimension) return components(state.center, dimension) end,
  is_free = function(state) return state.axes > 0 end,
}

local methods = {}

local function label(record) return string.format("body %d%s", record.number, record.name and " " .. record.name or "") end

-- What a replay skipped removed bodies too, so the steps are the simulation's own, not the engine's.
local function check_present(call, record)
  local step = record.inner.removed_bodies[record.number]
  if step then check.fail(call, "%s was removed after step %d", label(record), step) end
end

-- A shape in world coordinates, at the present time: kind, points, radius.
function methods:get_shape(index)
  local record = check.record(self, "body", "get_shape")
  check_present("get_shape", record)
  local state = core.body_state(record.world, record.number)
  index = check.arguments("body.get_shape", index)
  if index > state.shape_count then check.fail("get_shape", "index is %d; the body has %d shapes", index, state.shape_count) end
  return replay.after_runs(record.inner, "get_shape", function() return core.body_shape(record.world, record.number, index - 1) end)
end

local function servo_calls(motion)
  if type(motion) ~= "table" or shapes.name_of(motion) ~= "servo" then return false end
  return is_function(motion.load) or is_function(motion.pressure) or is_function(motion.area)
end

function methods:set_motion(given)
  local record = check.record(self, "body", "set_motion")
  check_present("set_motion", record)
  record.inner.guard("set_motion", type(given) == "table" and (is_function(given.velocity)
    or is_function(given.angular_velocity) or is_function(given.position) or is_function(given.angle)
    or is_function(given.rotation) or servo_calls(given.motion)))
  local dimension, number = record.dimension, record.number
  local values = check.table(declarations.set_motion, given, dimension)
  local state = core.body_state(record.world, number)
  local options, fn = compose("set_motion", values, dimension, state.position)
  options.place = place_label(record, number)
  setup.note(record.inner, "set_motion of body " .. number, given)
  local ok, message = core.set_motion(record.world, options, fn, number)
  if not ok then check.fail("set_motion", "%s", message) end
end

-- What of a vector is along axes that are free, by the bits 1, 2, 4.
local function free_part(vector, bits)
  local kept = {}
  for k = 1, 3 do kept[k] = math.floor(bits / 2 ^ (k - 1)) % 2 == 1 and vector[k] or 0 end
  return kept
end

function methods:set_free(given)
  local record = check.record(self, "body", "set_free")
  check_present("set_free", record)
  local load = type(given) == "table" and type(given.load) == "table" and given.load or {}
  record.inner.guard("set_free", is_function(load.force) or is_function(load.torque))
  local dimension, number = record.dimension, record.number
  local values = check.table(declarations.set_free, given, dimension)
  local options, fn = free_options("set_free", values, dimension)
  local state = core.body_state(record.world, number)
  options.velocity = options.velocity or free_part(state.velocity, options.axes)
  options.angular_velocity = options.angular_velocity or free_part(state.angular_velocity, math.floor(options.axes / 8))
  options.place = place_label(record, number)
  setup.note(record.inner, "set_free of body " .. number, given)
  local ok, message = core.set_free(record.world, options, fn, number)
  if not ok then check.fail("set_free", "%s", message) end
end

-- The place of a shape that a script counts from 1, and the name of an attribute.
local function check_attribute(record, call, name, index)
  check_present(call, record)
  local names = core.shape_attributes(record.world)
  local known = {}
  for _, one in ipairs(names) do known[one] = true end
  if not known[name] then check.fail(call, "shapes have no attribute %s%s; add_body { attributes = { NAME = 0 } } makes one", check.show(name), check.suggestion(name, names)) end
  local count = core.body_state(record.world, record.number).shape_count
  if index and index > count then check.fail(call, "index is %d; the body has %d shapes", index, count) end
end

-- An attribute of one of its shapes.
function methods:get_attribute(name, index)
  local record = check.record(self, "body", "get_attribute")
  name, index = check.arguments("body.get_attribute", name, index)
  check_attribute(record, "get_attribute", name, index)
  return replay.after_runs(record.inner, "get_attribute", function() return core.shape_attribute(record.world, record.number, index - 1, name) end)
end

-- Of one of its shapes, or without an index of all.
function methods:set_attribute(name, value, index)
  local record = check.record(self, "body", "set_attribute")
  name, value, index = check.arguments("body.set_attribute", name, value, index)
  check_attribute(record, "set_attribute", name, index)
  local ok, message = core.set_shape_attribute(record.world, record.number, (index or 0) - 1, name, value)
  if not ok then check.fail("set_attribute", "%s", message) end
end

check.strict_all(methods, 1)

local meta = { __name = "floc.body", floc_name = "body" }

function meta.__index(self, key)
  local record = check.record(self, "body")
  if methods[key] then return methods[key] end
  if key == "number" or key == "name" then return record[key] end
  local read = readers[key]
  if not read then
    local known = { "number", "name", "set_motion", "set_free", "get_shape", "get_attribute", "set_attribute" }
    for name in pairs(readers) do known[#known + 1] = name end
    check.fail("body", "there is no %s%s", tostring(key), check.suggestion(key, known))
  end
  if key == "angle" and record.dimension == 3 then
    check.fail("body", "angle is there in two dimensions; in three it is orientation, a quaternion")
  end
  check_present("body." .. key, record)
  return replay.after_runs(record.inner, "body." .. key, function()
    local state, message = core.body_state(record.world, record.number)
    if not state then check.fail("body", "%s", message) end
    return read(state, record.dimension)
  end)
end

function meta.__newindex(_, key)
  check.fail("body", "%s cannot be assigned; use body:set_motion{...}, or body:set_free{...}", tostring(key))
end

function meta.__tostring(self)
  return "floc." .. label(check.record(self, "body"))
end

-- ---- removing -----------------------------------------------------------------------------------

-- The record of a body of this simulation, by its handle or its number.
local function find(call, inner, given)
  local record = check.record(given, "body")
  if record and record.inner == inner then return record end
  for _, body in ipairs(record and {} or inner.bodies) do
    if body.number == given then return check.record(body, "body") end
  end
  check.fail(call, "body is %s; it must be a body of this simulation, as sim:add_body returns it, or its number",
    record and label(record) .. " of simulation " .. record.inner.number or check.show(given))
end

bodies.find = find

function bodies.remove(inner, given, step)
  local record = find("remove_body", inner, given)
  check_present("remove_body", record)
  local ok, message = core.remove_body(inner.world, record.number)
  if not ok then check.fail("remove_body", "%s", message) end
  inner.removed_bodies[record.number] = step
  up.forget(inner, record.number)
end

-- All but those that were removed.
function bodies.present(inner)
  local list = {}
  for _, body in ipairs(inner.bodies) do
    if not inner.removed_bodies[body.number] then list[#list + 1] = body end
  end
  return list
end

-- ---- adding -------------------------------------------------------------------------------------

local function shape_list(values, dimension)
  if not check.exclusive("add_body", values, "shape", "shapes") then
    check.fail("add_body", "shape is missing; it must be a shape such as floc.segment{...}")
  end
  local list = values.shape and { values.shape } or values.shapes
  if #list == 0 then check.fail("add_body", "shapes is empty; it must be a list of one or more shapes") end
  for k, shape in ipairs(list) do
    check.value("add_body", { name = values.shape and "shape" or "shapes[" .. k .. "]", type = "shape" }, shape)
    shapes.check_for("add_body", shape, dimension)
  end
  return list
end

-- Numbers of materials by shape, or nil.
local function materials_of(inner, values, list)
  if not values.materials then return nil end
  if #values.materials ~= #list then
    check.fail("add_body", "materials has %d entries, and there are %d shapes; each needs one", #values.materials, #list)
  end
  local numbers = {}
  for k, given in ipairs(values.materials) do
    local shown = "materials[" .. k .. "]"
    check.value("add_body", { name = shown, type = "integer|string", at_least = 0, at_most = 2147483647 }, given)
    numbers[k] = materials.number("add_body", inner, given, shown)
  end
  return numbers
end

-- Attributes of all shapes of the simulation, from the first body on that names them.
local function add_attributes(inner, number, given)
  local names, known = {}, {}
  for name in pairs(given or {}) do names[#names + 1] = name end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for _, name in ipairs(names) do
    check.value("add_body", { name = "attributes." .. tostring(name), type = "number" }, given[name])
  end
  for _, name in ipairs(core.shape_attributes(inner.world)) do known[name] = true end
  for _, name in ipairs(names) do
    local ok, message = known[name], nil
    if not ok then ok, message = core.add_shape_attribute(inner.world, name, 0) end
    if ok then ok, message = core.set_shape_attribute(inner.world, number, -1, name, given[name]) end
    if not ok then check.fail("add_body", "%s", message) end
  end
end

-- Adds a body with all its shapes. A shape that the engine refuses (the checks above let few through)
-- leaves the body without shapes behind: harmless, and the script ends with the error.
function bodies.add(inner, given)
  local world, dimension = inner.world, inner.dimension
  local values = check.table(declarations.add_body, given, dimension)
  local list = shape_list(values, dimension)
  local place = type(values.position) == "table" and values.position or { 0, 0, 0 }
  local free, load
  if values.free ~= nil then
    free, load = free_options("add_body", values, dimension)
    local ok, refusal = core.check_feature(world, constants.feature_free_bodies)
    if not ok then check.fail("add_body", "%s", refusal) end
    values.velocity, values.angular_velocity = nil, nil
  end
  for _, name in ipairs(free and {} or free_only) do
    if values[name] ~= nil then check.fail("add_body", "%s is given, which does nothing without free", name) end
  end
  local options, fn = compose("add_body", values, dimension, place)
  options.position = place
  local turn = dimension == 2 and values.angle or values.rotation
  if turn and not is_function(turn) then options.rotation = as_rotation(turn, dimension) end
  options.roughness, options.name = values.roughness, values.name
  options.material = materials.number("add_body", inner, values.material)
  local own = materials_of(inner, values, list)
  options.place = place_label(values, core.info(world).body_count)
  local number, message = core.add_body(world, options, fn)
  if not number then check.fail("add_body", "%s", message) end
  for k, shape in ipairs(list) do
    local first = own and core.body_state(world, number).shape_count
    local ok, refusal = shapes.add(world, number, shape)
    for index = first or 0, ok and own and core.body_state(world, number).shape_count - 1 or -1 do
      core.set_material(world, number, index, own[k])
    end
    if not ok then check.fail("add_body", "%s", refusal) end
  end
  if free then
    free.place = options.place
    local ok, refusal = core.set_free(world, free, load, number)
    if not ok then check.fail("add_body", "%s", refusal) end
  end
  add_attributes(inner, number, values.attributes)
  up.watch(inner, number, values.name, shapes.without_axis(list))
  return check.object({}, meta, { inner = inner, world = world, dimension = dimension, number = number, name = values.name })
end

return bodies
