-- The declarations of the surface: options of floc.h and the calls of the Lua half that set them, once, as data.
--
--   enum "solver" { { word, number, text }, ... }       prefix: of its names in C, FLOC_<NAME>_ without one
--   struct "projection_options" { { name, type, key = value, ... }, ... }   in the order of the members in C: only append
--   arguments "measure_moment" { fields }                          numbers that floc_measure_moment takes beside structs
--   call "floc.gluey" { of = struct, sets = { member = word }, summary =, returns =, names of fields, or { name, key = value } to change them }
--
-- A struct that is plain has members only: calls fill it, or check it by themselves. sized = false: it has no struct_size.
-- One with file = a header is declared there (bindings/picture): it has no floc_ before its name and no struct_size; arguments with
-- file only have their rows there. C checks its ranges by bindings/picture/draw/options.h.
--
-- Keys of a field: default, required, at_least, at_most, above, below, infinite, unit; free: its range depends on others, and C checks
-- it; when = { kind = "funnel" }, or a list of words: it is checked only then; text for every reader; c: what floc.h says instead;
-- aliases: other names that calls take, { "law" } or { scaling = { force = false, noise = true } } with other values;
-- automatic: NaN, or -1 of a colour, is allowed and means that floc chooses; zero: 0 is allowed besides the range, and means that, too;
-- signature, instead_of: see check.lua; before: a comment above it; since: the version that added it, for which 0 means "as before".
-- A struct with result = true is what a call returns: the binding makes a table of its members. Keys of these: shown: the name there, false: it is
-- not there, or is put there by hand; absent: the value for which there is nil; from_one: a number that counts from 0 in C; whole: a vector
-- of three numbers in the plane as well; axial: a vector that is one number in the plane; matrix: of as many rows and columns as axes; truth: a
-- boolean; word: the word of an enum, and not its number.
-- A type is one of surface.c_types, an enum or a type of C, with sizes behind it an array. A default of an array is a list.
--
-- An entry of a call may be required, or optional, with no default: whatever the struct has. One with a type of its own,
-- { "points", "points" }, is none of the struct's. from: the struct or the arguments that it is of, if not of the call's;
-- member: its name there. summary: of the call, for every reader; returns: what it returns, for editors.
--
-- scripts/surface.sh makes C of them (structs and enums of floc.h, ranges and defaults, the binding's table); here calls are made
-- for declarations.lua, and what a script gave is made into what the engine takes.

local surface = { enums = {}, structs = {}, calls = {}, order = {} }
surface.constants = {} -- values of all enums by their names in C, as shape_plane for FLOC_SHAPE_PLANE

local keys = {}
for name in ("name type default required at_least at_most above below infinite free unit text c aliases signature instead_of since before when "
  .. "positional automatic zero shown from_one absent whole truth axial matrix word"):gmatch "%S+" do keys[name] = true end

-- Types of C; other types without "*" are those of floc.h.
surface.c_types = {
  number = "double", integer = "int32_t", integer64 = "int64_t", unsigned32 = "uint32_t", unsigned64 = "uint64_t", boolean = "bool",
  string = "const char *", path = "const char *", text = "char", context = "void *", vector = "double", colour = "int32_t",
}
local scalars = { number = true, integer = true, integer64 = true, boolean = true, colour = true }

local function check_default(where, field)
  local default = field.default
  assert(default == nil or not field.required, where .. "it has a default and is required")
  if field.enum then assert(field.required or field.enum.value[default], where .. "the default is no word of " .. field.enum.name) end
  if scalars[field.type] then assert(default ~= nil or field.required, where .. "it has no default") end
  local zero = default == nil or default == 0 or default == false or field.enum and field.enum.value[default] == 0
  assert(not field.since or zero, where .. "a field that was added must mean 'as before' when it is 0")
end

local function check_field(struct, field)
  field.name, field.type = field[1], field[2]
  local where = struct.name .. "." .. tostring(field.name) .. ": "
  for key in pairs(field) do assert(type(key) == "number" or keys[key], where .. "unknown key " .. tostring(key)) end
  field.enum = surface.enums[field.type:match "^[%w_]+"]
  if struct.plain then return end
  if scalars[field.type] or field.enum then assert(field.text or field.c, where .. "it has no text") end
  check_default(where, field)
  for member, words in pairs(field.when or {}) do
    local enum = assert(struct.field[member] and struct.field[member].enum, where .. "when names no word before it")
    for _, word in ipairs(type(words) == "table" and words or { words }) do assert(enum.value[word], where .. word) end
  end
end

local function declare(kind, list, finish)
  return function(name)
    return function(body)
      assert(not list[name], kind .. " " .. name .. " is declared twice")
      body.name, body.kind = name, kind
      list[name], surface.order[#surface.order + 1] = body, body
      finish(body)
    end
  end
end

surface.enum = declare("enum", surface.enums, function(enum)
  enum.value = {}
  local prefix = (enum.prefix or "FLOC_" .. enum.name .. "_"):lower():gsub("^floc_", "")
  for _, word in ipairs(enum) do
    enum.value[word[1]] = word[2]
    surface.constants[prefix .. word[1]] = word[2]
  end
end)

local function check_fields(list)
  list.field = {}
  for _, field in ipairs(list) do
    check_field(list, field)
    list.field[field.name] = field
  end
end

surface.struct = declare("struct", surface.structs, check_fields)
surface.arguments = declare("arguments", surface.structs, check_fields)

-- The entries of a call as { name, field of the struct or nil, own: what the call has besides }.
local function entries(call)
  local list = {}
  for k, entry in ipairs(call) do
    local own = type(entry) == "table" and entry or { entry }
    local from = surface.structs[own.from or call.of]
    local field = not own[2] and from.field[own.member or own[1]] or nil
    assert(field or own[2], call.name .. " has no field " .. tostring(own[1]))
    list[k] = { name = own[1], field = field, own = own }
  end
  return list
end

surface.call = declare("call", surface.calls, function(call)
  assert(call.summary, call.name)
  for member, word in pairs(call.sets or {}) do assert(surface.structs[call.of].field[member].enum.value[word], call.name) end
  entries(call)
end)

local only_c = { shown = true, enum = true, c = true, since = true, automatic = true, zero = true, before = true, when = true, free = true, optional = true, from = true, member = true }
local lua_types = { colour = "integer", integer64 = "integer", unsigned32 = "integer", unsigned64 = "integer" }

local function merged(entry)
  local field = {}
  for _, from in ipairs { entry.field or {}, entry.own } do
    for key, value in pairs(from) do
      if type(key) == "string" and not only_c[key] then field[key] = value end
    end
  end
  if entry.own.above then field.at_least = nil end
  if not field.unit then field.unit = nil end
  if entry.own.required or entry.own.optional then field.default = nil end
  if entry.own.optional or entry.own.default ~= nil then field.required = nil end
  return field
end

local function alias_names(aliases)
  local names = {}
  for key, value in pairs(aliases) do names[#names + 1] = type(key) == "number" and value or key end
  table.sort(names)
  return names
end

-- The fields of a call as declarations.lua has them.
function surface.fields(name)
  local call = assert(surface.calls[name], name)
  local fields = { optional = call.optional, returns = call.returns }
  for k, entry in ipairs(entries(call)) do
    local field = merged(entry)
    local enum = entry.field and entry.field.enum
    if enum then
      field.one_of, field.type = field.one_of or {}, field.type == entry.field.type and "choice" or field.type
      for i, word in ipairs(not field.one_of[1] and enum or {}) do field.one_of[i] = word[1] end
    end
    if type(field.default) == "table" then field.default = nil end
    if field.aliases then field.text = field.text .. " Also: " .. table.concat(alias_names(field.aliases), ", ") .. "." end
    if entry.field and entry.field.type == "unsigned64" then field.at_least = 0 end
    field[1], field[2] = entry.name, lua_types[field.type] or field.type or entry.own[2]
    field.name, field.type = nil, nil
    fields[k] = field
  end
  return fields
end

-- What the engine takes for a table that was checked: numbers for words, and what the call sets itself. Functions and the fields
-- that the struct does not have stay out: they go their own way.
function surface.for_engine(name, values)
  local call, options = surface.calls[name], {}
  local struct = surface.structs[call.of]
  for member, word in pairs(call.sets or {}) do options[member] = struct.field[member].enum.value[word] end
  for _, entry in ipairs(entries(call)) do
    local field, value = entry.field, values[entry.name]
    if field and not entry.own.from and type(value) ~= "function" then options[field.name] = field.enum and field.enum.value[value] or value end
  end
  return options
end

return surface
