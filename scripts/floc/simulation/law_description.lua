-- What the engine's half and this half know of a law before it is traced: its inputs, outputs, memory, parameters and bonds, taken
-- from the table that the script gives and from the names of its function's parameters, and checked.

local check = require "floc.surface.check"
local constants = require("floc.surface.structs").constants
local declarations = require "floc.surface.declarations"
local law_names = require "floc.simulation.law_names"
local potential = require "floc.trace.potential"

local touches_pairs, set_of = law_names.touches_pairs, law_names.set_of
local law_description = {}

local function list_of_names(call, field, given)
  local names = {}
  for k, name in ipairs(given or {}) do
    if type(name) ~= "string" then check.fail(call, "%s[%d] is %s; it must be a string", field, k, check.show(name)) end
    names[k] = name
  end
  return names
end

-- Without a range a law acts on what overlaps, which a law of the distance is not meant for.
local function check_range(law, values)
  if law.members then
    if values.range then check.fail(law.call, "range is %s; a law over bonds has none, it acts on its bonds at any distance", check.show(values.range)) end
    return
  end
  if not touches_pairs(law.kind) or values.range ~= nil then return end
  local inputs = set_of(law.inputs)
  if inputs.distance and not inputs.overlap then
    check.fail(law.call, "range is missing: the law takes the distance, and without a range it acts only on what overlaps; range = 0 allows that")
  end
end

function law_description.take_parameters(law, given)
  law.parameter_names, law.parameter_values = {}, {}
  for name in pairs(given or {}) do
    if type(name) ~= "string" or not name:find("^[%a_][%w_]*$") then
      check.fail(law.call, "parameters has the key %s; it must be a name", check.show(name))
    end
    law.parameter_names[#law.parameter_names + 1] = name
  end
  table.sort(law.parameter_names)
  for k, name in ipairs(law.parameter_names) do
    law.parameter_values[k] = check.value(law.call, { name = "parameters." .. name, type = "number" }, given[name])
  end
end

-- What a law over bonds has beside others: how many particles a bond has, and its attributes.
local function take_bonds(law, values)
  law.attribute_names, law.attribute_values = {}, {}
  if law.kind == constants.law_angle then law.members = 3 end
  if law.kind == constants.law_pair then
    law.pairs = constants["pairs_" .. values.pairs]
    if values.pairs == "bonds" then law.members = 2 end
  elseif not law.members then
    return
  end
  if not law.members and values.attributes then
    check.fail(law.call, "attributes is given, and the law acts on pairs within range, which have none; pairs = \"bonds\" makes it a law over bonds")
  end
  for name in pairs(values.attributes or {}) do
    if type(name) ~= "string" or not name:find "^[%a_][%w_]*$" then
      check.fail(law.call, "attributes has the key %s; it must be a name: attributes = { rest_length = 1 }", check.show(name))
    end
    law.attribute_names[#law.attribute_names + 1] = name
  end
  table.sort(law.attribute_names)
  for k, name in ipairs(law.attribute_names) do
    law.attribute_values[k] = check.value(law.call, { name = "attributes." .. name, type = "number" }, values.attributes[name])
  end
end

local function take_outputs(law, values, inner)
  if law.kind == constants.law_field and values.returns then
    if law.potential then check.fail(law.call, "potential and returns are both given; a potential returns the energy") end
    law.outputs = list_of_names(law.call, "returns", values.returns)
  elseif law.kind == constants.law_field then
    law.output_count = inner.dimension + (law.potential and 1 or 0)
    if values.angular_velocity then law.output_count = inner.dimension + (inner.dimension == 2 and 1 or 3) end
  elseif law.kind == constants.law_evolution then
    law.outputs = list_of_names(law.call, "attributes", values.attributes)
    if #law.outputs == 0 then check.fail(law.call, "attributes is empty; it must name attributes") end
  elseif law.potential then
    law.outputs = { law.members == 3 and "moment" or "normal", "energy" }
    if law.members == 3 and values.returns then check.fail(law.call, "potential and returns are both given; a potential returns the energy") end
  elseif values.returns then
    law.outputs = list_of_names(law.call, "returns", values.returns)
  else
    law.outputs = { law.members == 3 and "moment" or "normal" }
    for _, name in ipairs(law.memory) do law.outputs[#law.outputs + 1] = name end
  end
  law.output_count = law.output_count or #law.outputs
end

-- What the C half needs to know of a law, and what this half remembers of it.
function law_description.of(call, values, kind, inner, given)
  local fn = values.law or values.potential
  if not fn then check.fail(call, "law is missing; it must be %s", check.describe(declarations[call][1])) end
  if values.law and values.potential then check.fail(call, "law and potential are both given; only one of them may be") end
  local place = check.definition(fn)
  local named = values.name and string.format("the law %s", check.show(values.name)) or "the law"
  local law = {
    call = call, kind = kind, fn = fn, potential = values.potential ~= nil, place_of_definition = place,
    memory = list_of_names(call, "memory", values.memory), name = values.name or place, range = values.range or 0,
    label = string.format("%s: %s: %s", place, call, named), wanted_way = values.way or "auto",
    fast_math = values.fast_math or false,
    place = string.format("%s of %s at %s", named, call, place),
  }
  law_description.take_parameters(law, values.parameters)
  take_bonds(law, values)
  take_outputs(law, values, inner)
  law.inputs = values.inputs and list_of_names(call, "inputs", values.inputs) or law_names.parameters_of(call, fn)
  law_names.check_inputs(inner, law)
  if law.potential then potential.describe(inner, law) end
  if values.returns then law_names.check_outputs(inner, law) end
  check_range(law, given)
  return law
end

return law_description
