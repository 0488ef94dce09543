-- Rigid assemblies: particles that move as one. What a script holds is a small table that asks the engine for
-- the assembly's present state.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"

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

return assemblies
