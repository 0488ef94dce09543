-- Errors that point at the script, and checking of set-up tables against their declarations (types.lua: of single values).
--
-- An error reads `script.lua:12: simulation: time_step is -0.1; it must be above 0`: the line of the
-- script that made the call, the call, the argument, its value, what is allowed. The line is found by
-- walking up the stack past this module's own frames, whose chunk names begin with "=floc/".

local reference = require "floc.surface.reference"
local sandbox = require "floc.session.sandbox"
local together = require "floc.surface.together"
local types = require "floc.surface.types"

local check = { show = types.show, types = types.of }

local type, math, string, table, tostring = type, math, string, table, tostring

-- ---- objects that scripts hold ------------------------------------------------------------------
-- What the module itself knows of an object is a record in the object's metatable. Its key is a table that is known here
-- alone, so a script can neither read the record nor forge one; the same holds for what an object can serve as.

local record_key, kinds_key = {}, {}
local getmetatable, rawget = debug.getmetatable, rawget

local function entry(value, key)
  local meta = type(value) == "table" and getmetatable(value)
  return meta and rawget(meta, key) or nil
end

-- The object with a metatable of its own, a copy of meta, that holds a record.
function check.object(object, meta, record)
  local own = { [record_key] = record }
  for key, value in next, meta do own[key] = value end
  return setmetatable(object, own)
end

-- The record of an object of the given floc_name; call: the method that needs it, refused without (nil: nil is returned).
function check.record(value, name, call)
  local record = entry(value, record_key)
  if record and getmetatable(value).floc_name == name then return record end
  if call then check.fail(call, "is called on %s; write %s:%s with a colon", check.show(value), name, call) end
end

local serving = {}

-- A metatable for what can serve as the named kinds: region, shape, scheme, ...
function check.kinds(name, kinds)
  for kind in pairs(kinds) do
    serving[kind] = serving[kind] or {}
    serving[kind][name] = true
  end
  return { [kinds_key] = kinds, floc_name = name, __name = "floc." .. name }
end

-- The names of what can serve as a kind, as a set.
function check.serving(kind) return serving[kind] or {} end

-- ---- where the script called --------------------------------------------------------------------

-- "script.lua:12: ", or "" when no frame of a script is on the stack (a tail call can hide it).
function check.where()
  local level = 2
  while true do
    local info = debug.getinfo(level, "Sl")
    if not info then return "" end
    if info.currentline > 0 and info.source:sub(1, 6) ~= "=floc/" then
      return string.format("%s:%d: ", info.short_src, info.currentline)
    end
    level = level + 1
  end
end

-- "script.lua:10" of a function's definition.
function check.definition(fn)
  local info = debug.getinfo(fn, "S")
  return string.format("%s:%d", info.short_src, info.linedefined)
end

function check.fail(call, format, ...)
  local message = select("#", ...) > 0 and string.format(format, ...) or format
  error(check.where() .. call .. ": " .. message, 0)
end

-- ---- nearest name -------------------------------------------------------------------------------

-- Number of insertions, deletions, replacements and swaps of neighbours between two words.
local function edit_distance(a, b)
  local before, previous, current = {}, {}, {}
  for j = 0, #b do previous[j] = j end
  for i = 1, #a do
    current[0] = i
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      local best = math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost)
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        best = math.min(best, before[j - 2] + 1)
      end
      current[j] = best
    end
    before, previous, current = previous, current, before
  end
  return previous[#b]
end

-- The candidate that a misspelling most likely means, or nil. Ties go to the first in the alphabet, so
-- that a message does not depend on the order of a table.
function check.nearest(name, candidates)
  name = tostring(name):lower()
  local best, least
  for _, candidate in ipairs(candidates) do
    local distance = edit_distance(name, candidate:lower())
    local longer = math.max(#name, #candidate)
    if #name >= 3 and candidate:find(name, 1, true) or #candidate >= 3 and name:find(candidate:lower(), 1, true) then
      distance = math.min(distance, 2)
    end
    if distance <= math.max(1, math.floor(longer / 3)) and distance < longer then
      if not least or distance < least or (distance == least and candidate < best) then
        best, least = candidate, distance
      end
    end
  end
  return best
end

-- "; did you mean radius?" or "; known are: a, b, c".
function check.suggestion(name, candidates)
  local nearest = check.nearest(name, candidates)
  if nearest then return "; did you mean " .. nearest .. "?" end
  local sorted = {}
  for _, candidate in ipairs(candidates) do sorted[#sorted + 1] = candidate end
  table.sort(sorted)
  return "; known are: " .. table.concat(sorted, ", ")
end

-- ---- one field ----------------------------------------------------------------------------------

-- A value that a constructor of this module made: the metatable's `kinds` says what it can serve as.
local function made_type(kind, describe)
  types.of[kind] = {
    takes = "table",
    describe = function() return describe end,
    convert = function(field, value)
      local kinds, meta = entry(value, kinds_key), getmetatable(value)
      if kinds and kinds[kind] then return value end
      return nil, field.name, meta and type(meta.floc_name) == "string" and "floc." .. meta.floc_name or value
    end,
  }
end
made_type("region", "a region such as floc.box{...}")
made_type("shape", "a shape such as floc.segment{...}")
made_type("grain_shape", "a shape of grains: floc.polygon{...}, floc.rod{...}, floc.ellipse{...}, floc.ellipsoid{...} or floc.polyhedron{...}")
made_type("scheme", "a scheme such as floc.gluey{...}")
made_type("law", "a law, as sim:add_force and the like return it")
made_type("ray_source", "floc.plane_wave{...}, floc.point_source{...} or floc.emitter{...}")
made_type("motion", "floc.oscillation{...}, floc.piston{...} or floc.servo{...}")
made_type("domain", "floc.box{ lower = ..., upper = ... }")

local function describe_field(field, dimension)
  local parts = {}
  for name in field.type:gmatch("[^|]+") do
    parts[#parts + 1] = types.of[name].describe(field, dimension)
  end
  return table.concat(parts, ", or ")
end
check.describe = describe_field

local function takes(one, value, dimension)
  local wanted = one.takes
  if type(wanted) == "function" then wanted = wanted(dimension) end
  return type(value) == wanted
end

local function shown(name, value)
  if type(value) == "string" and (value:find("^a list of") or value:find("^floc%.")) then
    return name .. " is " .. value
  end
  return name .. " is " .. check.show(value)
end

-- Raises in the sandbox; name: of the parameter that is the name of a file.
function check.files_allowed(call, name)
  if sandbox.leaves_out() then return end
  local allowed, refusal = sandbox.allow_files()
  if not allowed then check.fail(call, "%s, and %s is one", refusal, name) end
end

-- The converted value; raises when it does not fit. as: the other name of the field under which it was given.
function check.value(call, field, value, dimension, as)
  local wrong_name, wrong_value = as or field.name, value
  for name in field.type:gmatch("[^|]+") do
    local one = types.of[name]
    if not one then error("no type " .. name) end
    if takes(one, value, dimension) then
      if name == "path" then check.files_allowed(call, field.name) end
      local converted, bad_name, bad_value = one.convert(field, value, dimension)
      if converted ~= nil then return converted end
      wrong_name, wrong_value = as or bad_name, bad_value
    end
  end
  local hint = ""
  if type(wrong_value) == "string" and field.one_of then
    local nearest = check.nearest(wrong_value, field.one_of)
    hint = nearest and "; did you mean " .. nearest .. "?" or ""
  end
  check.fail(call, "%s; it must be %s%s", shown(wrong_name, wrong_value), describe_field(field, dimension), hint)
end

-- ---- a whole table ------------------------------------------------------------------------------

local function names_of(declaration)
  local names = {}
  for _, field in ipairs(declaration) do
    if not field.positional then names[#names + 1] = field.name end
  end
  return names
end

-- Whether that is another name of the field; and what words mean under it, if they mean something else.
local function alias(field, key)
  for name, words in pairs(field.aliases or {}) do
    if name == key then return true, words end
    if type(name) == "number" and words == key then return true end
  end
  return false
end

-- The value of a field under its name or under another, and that other name.
local function given_value(call, field, given)
  local value, found = given[field.name], nil
  for key, other in pairs(field.aliases and given or {}) do
    local is_alias, words = alias(field, key)
    if is_alias then
      if value ~= nil then check.fail(call, "%s and %s are both given; they are the same", field.name, key) end
      if words and type(other) == "string" and words[other] == nil then
        local names = {}
        for word in pairs(words) do names[#names + 1] = word end
        table.sort(names)
        check.fail(call, "%s is %s; it must be one of %s", key, check.show(other), table.concat(names, ", "))
      end
      value, found = words and words[other], key
      if value == nil then value = other end
    end
  end
  return value, found
end

local function check_key(declaration, key)
  if type(key) == "number" and declaration.positional then return end
  for _, field in ipairs(declaration) do
    if (field.name == key or alias(field, key)) and not field.positional then return end
    if field.instead_of then
      for _, word in ipairs(field.instead_of) do
        if word == key then
          check.fail(declaration.name, "unknown parameter %s; did you mean %s?", tostring(key), field.name)
        end
      end
    end
  end
  if type(key) == "number" then
    check.fail(declaration.name, "value number %s has no name; every parameter is named: %s{ %s = ... }",
      tostring(key), declaration.name, declaration[1] and declaration[1].name or "")
  end
  check.fail(declaration.name, "unknown parameter %s%s", tostring(key),
    check.suggestion(key, names_of(declaration)))
end

-- The list part of a table: points, each a vector of the same dimension, or regions.
local function check_list(declaration, given)
  local field, list = declaration.positional, {}
  local count, one = #given, field.type == "points" and "point" or "region"
  if count == 0 and field.may_lack then return nil end
  if count < field.at_least or field.at_most and count > field.at_most then
    check.fail(declaration.name, "%d %s are given; it must be %s%s", count, field.type, types.of[field.type].describe(field),
      one == "point" and ": " .. declaration.name .. "{ {x, y}, {x, y} }" or "")
  end
  local dimension = type(given[1]) == "table" and #given[1] == 3 and 3 or 2
  for k = 1, count do
    list[k] = check.value(declaration.name, { name = one .. " " .. k, type = one == "point" and "vector" or one }, given[k], dimension)
  end
  return list
end

-- Checks `given` against a declaration and returns a table of its own with the defaults filled in;
-- what stands without a name arrives as `points` or `regions`.
function check.table(declaration, given, dimension)
  local call = declaration.name
  if given == nil and declaration.optional then given = {} end
  if type(given) ~= "table" then
    check.fail(call, "takes one table of named values, got %s; write %s { %s = ... }", check.show(given), call,
      declaration[1] and declaration[1].name or "")
  end
  local meta = getmetatable(given)
  if meta ~= nil then
    check.fail(call, "takes one table of named values, got %s",
      type(meta.floc_name) == "string" and "floc." .. meta.floc_name or "an object")
  end
  local keys = {}
  for key in pairs(given) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do check_key(declaration, key) end
  local values, named = {}, {} -- named: what was given, by the fields' own names
  for _, field in ipairs(declaration) do
    if not field.positional then
      local value, name = given_value(call, field, given)
      named[field.name] = value
      if value ~= nil then
        values[field.name] = check.value(call, field, value, dimension, name)
      elseif field.required then
        check.fail(call, "%s is missing; it must be %s", field.name, describe_field(field, dimension))
      else
        values[field.name] = field.default
      end
    end
  end
  if declaration.positional then values[declaration.positional.name] = check_list(declaration, given) end
  local silent = together.silent(call, named, values, check.show)
  if silent then check.fail(call, "%s", silent) end
  return values
end

-- ---- values by position -------------------------------------------------------------------------

-- The values of a call of reference.lua, "sim.every", checked, with defaults. Messages begin with its name, with floc. where
-- that is its owner.
function check.arguments(call, ...)
  local values, as = {}, call:match "^floc%." and call or call:match "%.(.*)$"
  local parameters = reference.parameters[call]
  for k, field in ipairs(parameters) do
    local value = select(k, ...)
    if value == nil and field.required then check.fail(as, "%s is missing; it must be %s", field.name, check.describe(field)) end
    if value == nil then
      values[k] = field.default
    else
      values[k] = field.type and check.value(as, field, value) or value
    end
  end
  return (table.unpack or unpack)(values, 1, #parameters)
end

-- ---- a whole call -------------------------------------------------------------------------------

local function refuse_surplus(call, most, hidden, ...)
  for k = most + hidden + 1, select("#", ...) do
    local value = select(k, ...)
    if value ~= nil then
      check.fail(call, "value number %d is %s; it takes %s%s", k - hidden, check.show(value),
        most == 0 and "no values" or most == 1 and "one value" or "no more than " .. most,
        most == 1 and type(value) == "table" and ", a table where there are several: " .. call .. "{ name = ..., ... }" or "")
    end
  end
end

-- The function, but values beyond those that it takes are refused: Lua would drop them without a word. hidden: 1 for
-- a method, whose object is not counted.
function check.strict(call, fn, hidden)
  local about = debug.getinfo(fn, "u")
  if about.isvararg then return fn end
  local most = about.nparams
  return function(...)
    if select("#", ...) > most then refuse_surplus(call, most - hidden, hidden, ...) end
    return fn(...)
  end
end

-- The same for all functions of a table.
function check.strict_all(functions, hidden, prefix)
  for name, fn in pairs(functions) do
    if type(fn) == "function" then functions[name] = check.strict((prefix or "") .. name, fn, hidden) end
  end
  return functions
end

-- At most one of several parameters may be given.
function check.exclusive(call, values, ...)
  local first
  for k = 1, select("#", ...) do
    local name = select(k, ...)
    if values[name] ~= nil then
      if first then check.fail(call, "%s and %s are both given; only one of them may be", first, name) end
      first = name
    end
  end
  return first
end

return check
