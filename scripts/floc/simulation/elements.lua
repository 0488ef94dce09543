-- floc.discrete_element{...}, and bonds.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local laws = require "floc.simulation.laws"
local materials = require "floc.simulation.materials"
local replay = require "floc.session.replay"
local runner = require "floc.session.runner"
local surface = require "floc.surface.structs"

local elements = {}

-- ---- the scheme ---------------------------------------------------------------------------------

local field_inputs = { x = true, y = true, z = true, t = true, time = true }

-- What the C half needs of a field given as a function of place and time.
local function describe(name, fn)
  local inputs = laws.parameter_names("discrete_element", fn)
  for _, input in ipairs(inputs) do
    if not field_inputs[input] then
      check.fail("discrete_element", "%s takes %s; its parameters may be x, y, z, t", name, input)
    end
  end
  if #inputs > 4 then check.fail("discrete_element", "%s takes %d values; its parameters may be x, y, z, t", name, #inputs) end
  local place = check.definition(fn)
  return { law = fn, inputs = inputs, place = string.format("%s of floc.discrete_element at %s", name, place),
    label = string.format("%s: discrete_element: %s", place, name) }
end

local meta = check.kinds("discrete_element", { scheme = true })

function elements.discrete_element(given)
  if type(given) == "table" and type(given.friction) == "number" then
    check.fail("discrete_element", "friction is %s; it must be none, regularized or spring, and the coefficients are friction_static and friction_dynamic",
      check.show(given.friction))
  end
  local values = check.table(declarations.discrete_element, given)
  materials.check("discrete_element", values)
  local dynamic, static = values.friction_dynamic, values.friction_static
  if type(dynamic) == "number" and type(static) == "number" and dynamic > static then
    check.fail("discrete_element", "friction_dynamic is %s; it must be at most friction_static, which is %s",
      check.show(values.friction_dynamic), check.show(values.friction_static))
  end
  return setmetatable(values, meta)
end

-- true, or nil and the engine's message.
function elements.set_scheme(world, scheme)
  local fields = {}
  for name, value in pairs(scheme) do
    local is_field = type(value) == "function" and not materials.is_by_pair("discrete_element", name)
    if is_field then fields[name] = describe(name, value) end
  end
  local options = surface.for_engine("floc.discrete_element", scheme)
  local by_pair = materials.by_pair("discrete_element", scheme, options)
  return core.set_discrete_element(world, options, fields, by_pair)
end

-- ---- bonds --------------------------------------------------------------------------------------

local function two_ids(call, list)
  for k = 1, 2 do
    if type(list[k]) ~= "number" or list[k] % 1 ~= 0 then
      check.fail(call, "particles[%d] is %s; it must be an id", k, check.show(list[k]))
    end
  end
  if #list ~= 2 then check.fail(call, "particles has %d ids; it must have 2", #list) end
  return list[1], list[2]
end

-- Methods of sim; inner_of finds a simulation's record.
function elements.methods(inner_of)
  local methods = {}

  local function answer(call, value, message)
    if value == nil and message:find "^bond_law is" then
      check.fail(call, 'bonds of floc.discrete_element is not "persistent"; only such bonds can be added and removed')
    end
    if value == nil then check.fail(call, "%s", message) end
    return value
  end

  function methods.add_bond(sim, given)
    local inner = inner_of(sim, "add_bond")
    local values = check.table(declarations.add_bond, given)
    local i, j = two_ids("add_bond", values.particles)
    if replay.is_target(inner) then return end -- its bonds come with the state
    answer("add_bond", core.add_bond(inner.world, i, j, values.area))
  end

  function methods.remove_bond(sim, given)
    local inner = inner_of(sim, "remove_bond")
    local i, j = two_ids("remove_bond", check.table(declarations.remove_bond, given).particles)
    if replay.is_target(inner) then return end
    answer("remove_bond", core.remove_bond(inner.world, i, j))
  end

  function methods.bonds(sim)
    local inner = inner_of(sim, "bonds")
    return runner.logged(inner, "bonds", function() return answer("bonds", core.bonds(inner.world)) end)
  end

  function methods.element_report(sim)
    local inner = inner_of(sim, "element_report")
    return runner.logged(inner, "element_report", function()
      return answer("element_report", core.element_report(inner.world))
    end)
  end

  return methods
end

return elements
