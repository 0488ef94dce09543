-- Forces and flows given by Lua functions. The names of a function's parameters say what it needs; they
-- are read from the function itself, so a law reads like the formula in the paper.

local check = require "floc.check"
local core = require "floc.core"
local declarations = require "floc.declarations"

local constants = core.constants
local laws = {}

-- Names of a function's parameters; refuses what has none to read.
function laws.parameter_names(call, fn)
  local info = debug.getinfo(fn, "Su")
  if info.what == "C" then
    check.fail(call, "the function is written in C and its parameters have no names; wrap it: "
      .. "function(x) return f(x) end")
  end
  if info.isvararg then
    check.fail(call, "the function takes \"...\"; name its parameters, or give inputs = { \"x\", ... }")
  end
  local names = {}
  for k = 1, 64 do
    local name = debug.getlocal(fn, k)
    if not name then break end
    names[k] = name
  end
  return names
end

local function inputs_of(call, values)
  if not values.inputs then return laws.parameter_names(call, values.law) end
  for k, name in ipairs(values.inputs) do
    if type(name) ~= "string" then check.fail(call, "inputs[%d] is %s; it must be a text", k, check.show(name)) end
  end
  return values.inputs
end

-- What the C half needs to know of a law: inputs, and how messages call it.
local function describe(call, values)
  local place = check.definition(values.law)
  local named = values.name and string.format("the law %s", check.show(values.name)) or "the law"
  return {
    inputs = inputs_of(call, values), name = values.name or place, range = values.range,
    label = string.format("%s: %s: %s", place, call, named),
    place = string.format("%s of %s at %s", named, call, place),
  }
end

local function answer(call, value, message)
  if value == nil then check.fail(call, "%s", message) end
  return value
end

function laws.add_field(world, given)
  local values = check.table(declarations.add_field, given)
  return answer("add_field", core.add_field(world, describe("add_field", values), values.law))
end

function laws.add_force(world, given)
  local values = check.table(declarations.add_force, given)
  return answer("add_force", core.add_force(world, describe("add_force", values), values.law))
end

function laws.add_attraction(world, given)
  local values = check.table(declarations.add_attraction, given)
  values.noise_scaling = values.scaling == "noise"
  return answer("add_attraction", core.add_attraction(world, values))
end

function laws.add_flow(world, given, dimension)
  local values = check.table(declarations.add_flow, given, dimension)
  if not check.exclusive("add_flow", values, "flow", "law") then
    check.fail("add_flow", "flow is missing; it must be %s, or give law", check.describe(declarations.add_flow[1]))
  end
  if values.flow ~= "none" and not values.relaxation_time then
    check.fail("add_flow", "relaxation_time is missing; it must be a finite number above 0")
  end
  local options = values.law and describe("add_flow", values) or {}
  options.kind = constants["flow_" .. (values.flow or "function")]
  for _, name in ipairs { "relaxation_time", "exponential", "velocity", "rate", "frequency", "center" } do
    options[name] = values[name]
  end
  return answer("add_flow", core.set_flow(world, options, values.law))
end

-- A function alone is the law.
function laws.set_a_priori(world, given)
  if type(given) == "function" then given = { law = given } end
  local values = check.table(declarations.set_a_priori, given)
  return answer("set_a_priori", core.set_a_priori(world, describe("set_a_priori", values), values.law))
end

function laws.add_noise(world, given)
  return answer("add_noise", core.set_noise(world, check.table(declarations.add_noise, given)))
end

return laws
