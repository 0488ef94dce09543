-- What holds particles and bodies together: rigid assemblies, particles that move as one, and joints. What a script holds is a
-- small table that asks the engine for the present state.

local bodies = require "floc.simulation.bodies"
local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local replay = require "floc.session.replay"
local setup = require "floc.session.setup"
local surface = require "floc.surface.structs"

local assemblies = {}

local function components(vector, dimension)
  if dimension == 2 then return { vector[1], vector[2] } end
  return { vector[1], vector[2], vector[3] }
end

local readers = {
  position = function(state, dimension) return components(state.position, dimension) end,
  velocity = function(state, dimension) return components(state.velocity, dimension) end,
  angular_velocity = function(state, dimension)
    return dimension == 2 and state.angular_velocity[3] or state.angular_velocity
  end,
  inertia = function(state, dimension) return dimension == 2 and state.inertia[3] or state.inertia end,
  angle = function(state) return state.angle end,
  orientation = function(state) return state.orientation end,
  mass = function(state) return state.mass end,
}

local meta = { __name = "floc.assembly", floc_name = "assembly" }

function meta.__index(self, key)
  local record, read = check.record(self, "assembly"), readers[key]
  if key == "number" or key == "particles" then return record[key] end
  if not read then
    local known = { "number", "particles" }
    for name in pairs(readers) do known[#known + 1] = name end
    check.fail("assembly", "there is no %s%s", tostring(key), check.suggestion(key, known))
  end
  if key == "angle" and record.dimension == 3 then
    check.fail("assembly", "angle is there in two dimensions; in three it is orientation, a quaternion")
  end
  local state, message = core.assembly_state(record.world, record.number)
  if not state then check.fail("assembly", "%s", message) end
  return read(state, record.dimension)
end

function meta.__newindex(_, key) check.fail("assembly", "%s cannot be assigned", tostring(key)) end

function meta.__tostring(self) return string.format("floc.assembly %d", self.number) end

local function ids_of(list, world)
  local ids, seen = {}, {}
  for k, id in ipairs(list) do
    if type(id) ~= "number" or id % 1 ~= 0 or not core.find_particle(world, id) then
      check.fail("add_assembly", "particles[%d] is %s; it must be an id, 1 to %d", k, check.show(id), core.info(world).last_id)
    end
    if seen[id] then check.fail("add_assembly", "particles[%d] is %d, as particles[%d]", k, id, seen[id]) end
    ids[k], seen[id] = id, k
  end
  return ids
end

local function inertia_of(value, dimension)
  if value == nil then return nil end
  if dimension == 2 then
    if type(value) ~= "number" then
      check.fail("add_assembly", "inertia is %s; in two dimensions it is a number", check.show(value))
    end
    return { 0, 0, value, 0, 0, 0 }
  end
  if type(value) == "number" or #value ~= 6 then
    check.fail("add_assembly", "inertia is %s; in three dimensions it is { xx, yy, zz, xy, xz, yz }",
      type(value) == "number" and check.show(value) or string.format("a list of %d", #value))
  end
  return value
end

function assemblies.add(inner, given)
  local world, dimension = inner.world, inner.dimension
  local values = check.table(declarations.add_assembly, given, dimension)
  local ids, spin = ids_of(values.particles, world), values.angular_velocity
  local number, message = core.add_assembly(world, {
    mass = values.mass, center_is_given = values.center ~= nil, center = values.center, velocity = values.velocity,
    inertia = inertia_of(values.inertia, dimension), angular_velocity = type(spin) == "number" and { 0, 0, spin } or spin,
  }, ids)
  if not number then check.fail("add_assembly", "%s", message) end
  return check.object({}, meta, { world = world, dimension = dimension, number = number, particles = ids })
end

-- ---- joints -------------------------------------------------------------------------------------

local constants = surface.constants

local joint_kinds = { "hinge", "slider", "ball", "distance", "weld" }

local joint_readers = {
  anchor = function(state, dimension) return components(state.anchor, dimension) end,
  force = function(state, dimension) return components(state.force, dimension) end,
  torque = function(state, dimension) return dimension == 2 and state.torque[3] or components(state.torque, 3) end,
  velocity = function(state) return state.velocity end,
  added_inertia = function(state) return state.added_inertia end,
}

-- What the coordinate of a kind is called.
local coordinates = { hinge = "angle", slider = "displacement", distance = "length" }
local motor_limits = { hinge = "torque", slider = "force", distance = "force" }

local joint_methods = {}

local function joint_label(record) return string.format("joint %d, a %s", record.number, record.kind) end

function joint_methods:remove()
  local record = check.record(self, "joint", "remove")
  local ok, message = core.remove_joint(record.world, record.number)
  if not ok then check.fail("remove", "%s", message) end
end

-- Velocity and greatest force or torque, by the name that it has for the kind.
local function motor_of(call, kind, values)
  local name = motor_limits[kind]
  if not name then check.fail(call, "a %s has no motor; a hinge, a slider and a distance have", kind) end
  local other = name == "torque" and "force" or "torque"
  if values[other] then check.fail(call, "the motor of a %s is given a %s; it has a greatest %s", kind, other, name) end
  if not values[name] then check.fail(call, "the motor's %s is missing; it is the greatest that the motor exerts", name) end
  return values.velocity or 0, values[name]
end

function joint_methods:set_motor(given)
  local record = check.record(self, "joint", "set_motor")
  local velocity, greatest = motor_of("set_motor", record.kind, check.table(declarations.set_motor, given, record.dimension))
  if greatest == 0 then velocity = 0 end
  setup.note(record.inner, "set_motor of joint " .. record.number, given)
  local ok, message = core.set_joint_motor(record.world, record.number, velocity, greatest)
  if not ok then check.fail("set_motor", "%s", message) end
end

check.strict_all(joint_methods, 1)

local joint_meta = { __name = "floc.joint", floc_name = "joint" }

function joint_meta.__index(self, key)
  local record = check.record(self, "joint")
  if joint_methods[key] then return joint_methods[key] end
  if key == "number" or key == "kind" then return record[key] end
  local read = joint_readers[key]
  if key == coordinates[record.kind] then read = function(state) return state.coordinate end end
  if not read then
    local known = { "number", "kind", "remove", "set_motor", coordinates[record.kind] }
    for name in pairs(joint_readers) do known[#known + 1] = name end
    check.fail("joint", "%s has no %s%s", joint_label(record), tostring(key), check.suggestion(key, known))
  end
  return replay.after_runs(record.inner, "joint." .. key, function()
    local state, message = core.joint_state(record.world, record.number)
    if not state then check.fail("joint", "%s", message) end
    return read(state, record.dimension)
  end)
end

function joint_meta.__newindex(_, key)
  check.fail("joint", "%s cannot be assigned; use joint:set_motor{...}", tostring(key))
end

function joint_meta.__tostring(self) return "floc." .. joint_label(check.record(self, "joint")) end

-- ---- adding -------------------------------------------------------------------------------------

-- Of each end a body's number or a particle's id.
local function ends_of(inner, values)
  local function body(given) return bodies.find("add_joint", inner, given).number end
  local function pair(name, of)
    local list = values[name]
    for other in pairs { body = true, bodies = true, particle = true, particles = true } do
      if other ~= name and values[other] then check.fail("add_joint", "%s and %s are both given; only one of them may be", name, other) end
    end
    if #list ~= 2 then check.fail("add_joint", "%s has %d entries; it must have 2", name, #list) end
    return of(list[1]), of(list[2])
  end
  local function id(given)
    if type(given) ~= "number" or given % 1 ~= 0 then check.fail("add_joint", "particles has %s; it must be two ids", check.show(given)) end
    return given
  end
  local made = {}
  if values.bodies then
    made.first, made.second = pair("bodies", body)
  elseif values.particles then
    made.first_particle, made.second_particle = pair("particles", id)
  elseif values.particle then
    made.first, made.second_particle = values.body and body(values.body) or -1, values.particle
  elseif values.body then
    made.second = body(values.body)
  else
    check.fail("add_joint", "body is missing; a joint links a body or a particle to the world (body, particle), or two of them (bodies, particles)")
  end
  return made
end

-- Where a body is; of a particle the engine knows it.
local function place_of(inner, number)
  if not number or number < 0 then return nil end
  return components(core.body_state(inner.world, number).position, inner.dimension)
end

local function set_anchors(inner, values, options)
  local holds_particle = values.particle or values.particles
  if values.kind ~= "distance" then
    if values.anchors then check.fail("add_joint", "anchors is given for a %s, whose ends meet in one anchor; only a distance has two", values.kind) end
    if values.anchor and holds_particle then check.fail("add_joint", "anchor and %s are both given; the anchor of a particle is its centre", values.particle and "particle" or "particles") end
    options.anchor = values.anchor or place_of(inner, options.second)
    return
  end
  if values.anchor then check.fail("add_joint", "anchor is given for a distance, which has two: anchors = { first, second }") end
  local given = values.anchors and {}
  if given and #values.anchors ~= 2 then check.fail("add_joint", "anchors has %d entries; it must be { first, second }", #values.anchors) end
  for k = 1, given and 2 or 0 do
    given[k] = check.value("add_joint", { name = "anchors[" .. k .. "]", type = "vector" }, values.anchors[k], inner.dimension)
  end
  options.anchor = given and given[1] or place_of(inner, options.first)
  options.second_anchor = given and given[2] or place_of(inner, options.second)
  if not options.anchor and not options.first_particle then
    check.fail("add_joint", "anchors is missing; a distance to the world needs { place in the world, place on the other end }")
  end
end

local function set_limits(values, options)
  local given = values.limits
  if not given then return end
  if #given ~= 2 then check.fail("add_joint", "limits has %d entries; it must be { lower, upper }", #given) end
  for k = 1, 2 do check.value("add_joint", { name = "limits[" .. k .. "]", type = "number", infinite = true }, given[k]) end
  options.limited, options.lower, options.upper = true, given[1], given[2]
end

function assemblies.add_joint(inner, given)
  local world, dimension = inner.world, inner.dimension
  local values = check.table(declarations.add_joint, given, dimension)
  local kind = constants["joint_" .. values.kind]
  if not kind then check.fail("add_joint", "kind is %s; it must be \"hinge\", \"slider\", \"ball\", \"distance\" or \"weld\"%s", check.show(values.kind), check.suggestion(values.kind, joint_kinds)) end
  local options = ends_of(inner, values)
  options.kind, options.axis, options.rope = kind, values.axis, values.rope
  options.length, options.stiffness, options.damping, options.rest = values.length, values.stiffness, values.damping, values.rest
  set_anchors(inner, values, options)
  set_limits(values, options)
  if values.motor then
    local motor = check.table({ name = "add_joint: motor", declarations.set_motor[1], declarations.set_motor[2], declarations.set_motor[3] }, values.motor, dimension)
    options.motor_velocity, options.motor_greatest = motor_of("add_joint", values.kind, motor)
  end
  if replay.is_target(inner) and inner.shown then -- bodies are not where they were: the checkpoint has what was added
    options.limited, options.length = false, nil
  end
  local number, message = core.add_joint(world, options)
  if not number then check.fail("add_joint", "%s", message) end
  return check.object({}, joint_meta, { world = world, inner = inner, dimension = dimension, number = number, kind = values.kind })
end

return assemblies
