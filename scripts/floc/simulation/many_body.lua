-- Energies of sums over neighbours: embedded atoms, smoothed particles, densities that cost energy. Of functions phi_k of a
-- pair and F of a particle, this makes three laws of the engine's stages (engine/laws/law_stages.c):
--
--   sums    pairs      rho_k = sum over neighbours of phi_k
--   energy  particles  F(rho), and the slopes dF/drho_k, each in an attribute of its own, NAME_slope
--   force   pairs      -(sum over k of (dF/drho_k of i phi_k' at i + dF/drho_k of j phi_k' at j)) - u', along the line
--
-- All derivatives are those of the tracer (trace/derivative.lua). The functions of pairs are traced in one call, so that what
-- they have in common is computed once. Each function takes what it names; a law of the engine gets the names of all.
--
-- The force is the whole derivative only if nothing else in the functions changes with positions: names that do are refused,
-- and so are sums of other laws (check_sums).

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local derivative = require "floc.trace.derivative"
local law_names = require "floc.simulation.law_names"
local surface = require "floc.surface.structs"

local constants = surface.constants
local many_body = {}

local call = "add_many_body"

-- ---- functions of pairs as one ------------------------------------------------------------------

-- The functions { fn, inputs } as one of the names `inputs`. Those of sums return one number, for both particles, or two, for i
-- and for j: both are among the results. The last one is the pair's energy where `potential`.
local function joined(functions, inputs, potential)
  local place, list, places, counts, unpack = {}, {}, {}, {}, table.unpack or unpack
  for k, name in ipairs(inputs) do place[name] = k end
  for k, one in ipairs(functions) do
    list[k], places[k], counts[k] = one.fn, {}, k == #functions and potential and 1 or 2
    for n, name in ipairs(one.inputs) do places[k][n] = place[name] end
  end
  return function(...)
    local given, results = { ... }, {}
    for k = 1, #list do
      local own = {}
      for n = 1, #places[k] do own[n] = given[places[k][n]] end
      local values = { list[k](unpack(own, 1, #own)) }
      if values[counts[k] + 1] ~= nil then error("it returns more than " .. counts[k] .. " values", 0) end
      if values[1] == nil then error("it returns nothing", 0) end
      if values[2] == nil then values[2] = values[1] end
      for n = 1, counts[k] do results[#results + 1] = values[n] end
    end
    return unpack(results)
  end
end

local function union(functions)
  local names, seen = {}, {}
  for _, one in ipairs(functions) do
    for _, name in ipairs(one.inputs) do
      if not seen[name] then names[#names + 1] = name end
      seen[name] = true
    end
  end
  return names
end

-- ---- derivatives --------------------------------------------------------------------------------

local function loosely(g, ...)
  g.loose = true
  local node = g:make(...)
  g.loose = false
  return node
end

-- Without neighbours a sum is 0, and its slope is not needed: 0 where it is infinite, as that of a square root.
local function finite_slope(g, energy, name)
  local slope = derivative.of(g, energy, { [name] = 1 })
  if g:value_of(slope) then return slope end
  local is_finite = g:make("less", g:make("absolute", slope), g:constant(1e300))
  local alone = g:make("select", is_finite, slope, g:constant(0))
  return g:make("select", g:make("equal", g:input(name), g:constant(0)), alone, slope)
end

local function slopes_of(sums)
  return function(_, traced)
    local g, outputs = traced.graph, { traced.outputs[1] }
    for k, one in ipairs(sums) do outputs[k + 1] = finite_slope(g, traced.outputs[1], one.name) end
    return outputs
  end
end

-- The outputs of phi are two for each sum, at i and at j.
local function force_of(sums, potential)
  return function(_, traced)
    local g, values = traced.graph, traced.outputs
    local function slope_along(node) return derivative.of(g, node, { distance = -1, overlap = 1 }) end -- minus that
    local total = g:constant(0)
    for k, one in ipairs(sums) do
      local at_i, at_j = slope_along(values[2 * k - 1]), slope_along(values[2 * k])
      local slope_i, slope_j = g:input(one.name .. "_slope_i"), g:input(one.name .. "_slope_j")
      local term
      if at_i == at_j then
        term = loosely(g, "multiply", g:make("add", slope_i, slope_j), at_i)
      else
        term = loosely(g, "add", loosely(g, "multiply", slope_i, at_i), loosely(g, "multiply", slope_j, at_j))
      end
      total = loosely(g, "add", total, term)
    end
    if potential then total = loosely(g, "add", total, slope_along(values[#values])) end
    return { total, potential and values[#values] or nil }
  end
end

-- ---- what the call is given ---------------------------------------------------------------------

local function sorted_keys(given)
  local names = {}
  for name in pairs(given) do names[#names + 1] = name end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  return names
end

-- The sums { name, fn, inputs }, by name. Their columns are made by the call: the names must be new.
local function take_sums(inner, given, parameter_names, is_free)
  local sums = {}
  for _, name in ipairs(sorted_keys(given)) do
    local fn = given[name]
    if type(name) ~= "string" or not name:find("^[%a_][%w_]*$") then
      check.fail(call, "sums has the key %s; it must be a name", check.show(name))
    end
    if type(fn) ~= "function" then check.fail(call, "sums.%s is %s; it must be a function of a pair", name, check.show(fn)) end
    for _, column in ipairs { name, name .. "_slope" } do
      if not is_free(column) then check.fail(call, "sums.%s: there is %s already; the sum needs a new name", name, column) end
    end
    for _, parameter in ipairs(parameter_names) do
      if parameter == name then check.fail(call, "sums.%s: parameters has the same name", name) end
    end
    sums[#sums + 1] = { name = name, fn = fn, what = "sums." .. name }
  end
  if #sums == 0 then check.fail(call, "sums is empty; it must be { NAME = function of a pair, ... }") end
  return sums
end

-- The names that a function takes, each of which must be one that an energy may depend on.
local function take_inputs(inner, one, kind, parameter_names, sums)
  one.inputs = law_names.parameters_of(call, one.fn)
  local names = law_names.of_energy(inner, kind, parameter_names)
  for _, sum in ipairs(sums) do names[#names + 1] = sum.name end
  local known = law_names.set_of(names)
  local others = law_names.set_of(law_names.inputs(inner, { kind = kind, parameter_names = {}, memory = {} }))
  for _, name in ipairs(one.inputs) do
    if not known[name] and others[name] then
      check.fail(call, "%s takes %s; an energy may not, because its force would not be the whole derivative; it may take %s",
        one.what, name, table.concat(names, ", "))
    end
    if not known[name] then check.fail(call, "%s: there is no input %s%s", one.what, name, check.suggestion(name, names)) end
  end
end

local function check_used(functions, energy, sums, parameter_names)
  local of_energy, used = law_names.set_of(energy.inputs), law_names.set_of(union(functions))
  for _, sum in ipairs(sums) do
    if not of_energy[sum.name] then
      check.fail(call, "energy does not take %s, so sums.%s would have no effect", sum.name, sum.name)
    end
  end
  for _, name in ipairs(parameter_names) do
    if not used[name] and not of_energy[name] then check.fail(call, "parameters.%s is given, and no function takes it", name) end
  end
end

-- ---- the three laws -----------------------------------------------------------------------------

local function part(whole, words, fields)
  fields.call, fields.memory, fields.wanted_way, fields.fast_math = call, {}, "traced", whole.fast_math
  fields.place, fields.label = whole.place .. ", " .. words, whole.label .. ", " .. words
  fields.name, fields.range, fields.output_count = whole.name .. ", " .. words, whole.range, #fields.outputs
  fields.parameter_names, fields.parameter_values, fields.whole = {}, {}, whole
  local used = law_names.set_of(fields.inputs)
  for k, name in ipairs(whole.parameter_names) do
    if used[name] then
      fields.parameter_names[#fields.parameter_names + 1] = name
      fields.parameter_values[#fields.parameter_values + 1] = whole.parameter_values[k]
    end
  end
  return fields
end

local function sums_part(whole, sums)
  local inputs, outputs = union(sums), {}
  for _, one in ipairs(sums) do
    outputs[#outputs + 1], outputs[#outputs + 2] = "sum_i_" .. one.name, "sum_j_" .. one.name
  end
  return part(whole, "sums", { kind = constants.law_pair, fn = joined(sums, inputs), inputs = inputs, outputs = outputs })
end

local function energy_part(whole, sums, energy)
  local outputs = { "energy" }
  for k, one in ipairs(sums) do outputs[k + 1] = "sum_" .. one.name .. "_slope" end
  return part(whole, "energy", { kind = constants.law_field, fn = energy.fn, inputs = energy.inputs, given = energy.inputs, values = 1,
    outputs = outputs, derive = slopes_of(sums), differentiated = "energy" })
end

local function force_part(whole, sums, potential)
  local functions, inputs = {}, {}
  for k, one in ipairs(sums) do functions[k] = one end
  functions[#functions + 1] = potential
  local given = union(functions)
  for k, name in ipairs(given) do inputs[k] = name end
  for _, one in ipairs(sums) do
    inputs[#inputs + 1], inputs[#inputs + 2] = one.name .. "_slope_i", one.name .. "_slope_j"
  end
  return part(whole, "force", { kind = constants.law_pair, fn = joined(functions, given, potential), inputs = inputs, given = given,
    values = 2 * #sums + (potential and 1 or 0), outputs = { "normal", potential and "energy" or nil },
    derive = force_of(sums, potential ~= nil), differentiated = potential and "sums or potential" or "sums" })
end

-- The law of the script with its parts, as records of laws.lua; `columns` are to be made. take_parameters(law, given): of laws.lua;
-- is_free(name): may a column have that name?
function many_body.describe(inner, given, take_parameters, is_free)
  local values = check.table(declarations[call], given)
  local place = check.definition(values.energy)
  local named = values.name and string.format("the law %s", check.show(values.name)) or "the law"
  local whole = { call = call, name = values.name or place, range = values.range, fast_math = values.fast_math or false, way = "traced",
    label = string.format("%s: %s: %s", place, call, named), place = string.format("%s of %s at %s", named, call, place) }
  take_parameters(whole, values.parameters)
  local sums = take_sums(inner, values.sums, whole.parameter_names, is_free)
  local energy = { fn = values.energy, what = "energy" }
  local potential = values.potential and { fn = values.potential, what = "potential" }
  local functions = {}
  for k, one in ipairs(sums) do functions[k] = one end
  functions[#functions + 1] = potential
  for _, one in ipairs(functions) do take_inputs(inner, one, constants.law_pair, whole.parameter_names, {}) end
  take_inputs(inner, energy, constants.law_field, whole.parameter_names, sums)
  check_used(functions, energy, sums, whole.parameter_names)
  whole.columns = {}
  for _, one in ipairs(sums) do
    whole.columns[#whole.columns + 1], whole.columns[#whole.columns + 2] = one.name, one.name .. "_slope"
  end
  whole.parts = { sums_part(whole, sums), energy_part(whole, sums, energy), force_part(whole, sums, potential) }
  whole.force = whole.parts[3]
  return whole
end

-- ---- sums of other laws -------------------------------------------------------------------------

-- The attribute that a law adds to, by the name of its output.
local function summed(output) return output:match "^sum_[ij]_(.+)$", output:match "^sum_(.+)$" end

local function writes(law, attribute)
  for _, output in ipairs(law.outputs or {}) do
    local one, other = summed(output)
    if one == attribute or other == attribute then return true end
  end
  return false
end

local function check_pair(call_name, reader, writer)
  if reader.whole and reader.whole == writer.whole then return end
  for _, column in ipairs(reader.whole and reader.whole.columns or {}) do
    if writes(writer, column) then
      check.fail(call_name, "%s adds to %s, which is a sum of %s; its force would not be the whole derivative", writer.place, column, reader.place)
    end
  end
  for _, name in ipairs(reader.given or reader.inputs) do
    local attribute = name:match "^sum_(.+)$" or name
    local of_pair = reader.kind == constants.law_pair and attribute:match "^(.+)_[ij]$"
    if reader.derive and writes(writer, of_pair or attribute) then
      check.fail(call_name, "%s takes %s, which %s sums over neighbours; its force would not be the whole derivative: sim:add_many_body "
        .. "takes energies of sums", reader.place, name, writer.place)
    end
  end
end

-- An energy of which only one derivative is taken may not read what another law sums up, whichever of the two came first.
function many_body.check_sums(inner, law)
  for _, other in ipairs(inner.laws or {}) do
    if law.derive then check_pair(law.call, law, other) end
    if other.derive then check_pair(law.call, other, law) end
  end
end

-- Makes the columns of a law's sums.
function many_body.add_columns(inner, whole)
  for _, name in ipairs(whole.columns) do
    local ok, message = core.add_attribute(inner.world, name, 0)
    if not ok then check.fail(call, "%s", message) end
  end
end

return many_body
