-- Names of materials, and numbers of pairs of them: tables and functions of a scheme's options.
--
-- The engine asks one function for the number of a pair, once, when it first sees the pair. A table is looked up there; it is
-- checked as a whole when the scheme is made, so that a pair that is left out is found before a contact needs it.

local check = require "floc.surface.check"
local declarations = require "floc.surface.declarations"

local materials = {}

-- Options that may come by pairs, by scheme.
local quantities = {
  inelastic = { "friction", "rolling", "twisting", "restitution" },
  discrete_element = { "stiffness", "damping", "friction_stiffness", "friction_static", "friction_dynamic",
    "friction_damping", "rolling_friction", "rolling_stiffness", "rolling_damping" },
  gluey = { "friction", "rolling", "twisting", "gamma_min" },
  first_order = {},
}

local function field_of(call, name)
  for _, field in ipairs(declarations[call]) do
    if field.name == name then return field end
  end
end

-- The same limits for one number of a pair.
local function single(call, name, shown)
  local field = {}
  for key, value in pairs(field_of(call, name)) do field[key] = value end
  field.name, field.type, field.signature = shown, "number", nil
  return field
end

local function check_names(call, names)
  local seen = {}
  if #names == 0 then check.fail(call, "materials is empty; it must be a list of names, such as { \"glass\", \"rubber\" }") end
  for key, name in pairs(names) do
    if type(key) ~= "number" or type(name) ~= "string" or not name:find "^[%a_][%w_]*$" then
      check.fail(call, "materials[%s] is %s; it must be a name", check.show(key), check.show(name))
    end
    if seen[name] then check.fail(call, "materials: %s is there twice", name) end
    seen[name] = true
  end
  return seen
end

local function check_known(call, name, shown, known, names)
  if known[name] then return end
  check.fail(call, "%s: there is no material %s%s", shown, check.show(name), check.suggestion(tostring(name), names))
end

-- The symmetric table of a quantity, with both orders of each pair.
local function complete(call, quantity, given, known, names)
  local values = {}
  for _, first in ipairs(names) do values[first] = {} end
  local rows = {}
  for first in pairs(given) do rows[#rows + 1] = first end
  table.sort(rows, function(a, b) return tostring(a) < tostring(b) end)
  for _, first in ipairs(rows) do
    check_known(call, first, quantity, known, names)
    local row, shown = given[first], quantity .. "." .. first
    if type(row) ~= "table" then check.fail(call, "%s is %s; it must be a table of numbers by materials", shown, check.show(row)) end
    for second in pairs(row) do check_known(call, second, shown, known, names) end
    for _, second in ipairs(names) do
      local name = shown .. "." .. second
      local value = row[second] ~= nil and check.value(call, single(call, quantity, name), row[second])
      local other = values[first][second]
      if value and other and other ~= value then
        check.fail(call, "%s is %s, and %s.%s.%s is %s; a pair has one number", name, check.show(value), quantity, second, first, check.show(other))
      end
      if value then values[first][second], values[second][first] = value, value end
    end
  end
  for k, first in ipairs(names) do
    for n = k, #names do
      if not values[first][names[n]] then check.fail(call, "%s.%s.%s is missing; every pair of materials needs a number", quantity, first, names[n]) end
    end
  end
  return values
end

-- Checks what a scheme says about materials, and makes its tables symmetric.
function materials.check(call, values)
  local names = values.materials
  local known = names and check_names(call, names)
  for _, quantity in ipairs(quantities[call]) do
    if type(values[quantity]) == "table" then
      if not names then
        check.fail(call, "%s is a table, which needs the names of the materials: materials = { \"glass\", \"rubber\" }", quantity)
      end
      values[quantity] = complete(call, quantity, values[quantity], known, names)
    end
  end
  return values
end

-- What a material is called in functions and messages: its name, or its number where there are no names.
local function name_of(names, number)
  return names and names[number + 1] or number
end

local function value_of(call, scheme, quantity, first, second)
  local names, given = scheme.materials, scheme[quantity]
  local a, b = name_of(names, first), name_of(names, second)
  for _, name in ipairs { a, b } do
    if names and type(name) == "number" then
      error(string.format("%s: material %d has no name; materials are %s, counted from 0", quantity, name, table.concat(names, ", ")), 0)
    end
  end
  if type(given) == "table" then return given[a][b] end
  local value, field = given(a, b), single(call, quantity, quantity)
  local least, greatest = field.at_least or -math.huge, field.at_most or math.huge
  local fits = type(value) == "number" and value >= least and value <= greatest and not (field.above and value <= field.above)
    and (field.infinite or math.abs(value) < math.huge)
  if not fits then
    error(string.format("%s of materials %s and %s is %s; it must be %s", quantity, a, b, check.show(value), check.describe(field)), 0)
  end
  return value
end

-- The engine's function of a scheme and the names of what it gives; nil where all are numbers. Removes these from options.
function materials.by_pair(call, scheme, options)
  local names, place = {}, nil
  for _, quantity in ipairs(quantities[call]) do
    local kind = type(scheme[quantity])
    if kind == "table" or kind == "function" then
      names[#names + 1] = quantity
      options[quantity] = nil
      place = place or kind == "function" and check.definition(scheme[quantity])
    end
  end
  options.materials = nil
  if #names == 0 then return nil end
  options.by_pair = table.concat(names, " ")
  options.place = string.format("%s of floc.%s%s", table.concat(names, ", "), call, place and " at " .. place or "")
  return function(quantity, first, second) return value_of(call, scheme, quantity, first, second) end
end

function materials.is_by_pair(call, name)
  for _, quantity in ipairs(quantities[call]) do
    if quantity == name then return true end
  end
  return false
end

-- The number of a material of the script: a name of the scheme's, or a number.
function materials.number(call, inner, given, shown)
  local names = inner.materials
  if type(given) == "number" then return given end
  for k, name in ipairs(names or {}) do
    if name == given then return k - 1 end
  end
  check.fail(call, "%s is %s; %s", shown or "material", check.show(given), names and "there is no such material" .. check.suggestion(given, names)
    or "the scheme has no names of materials; it must be a number")
end

return materials
