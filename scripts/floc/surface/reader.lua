-- The declarations of the surface: options of floc.h and the calls of the Lua half that set them, once, as data.
--
--   enum "solver" { { word, number, text }, ... }       prefix: of its names in C, FLOC_<NAME>_ without one
--   struct "projection_options" { { name, type, key = value, ... }, ... }   in the order of the members in C: only append
--   call "floc.gluey" { of = struct, sets = { member = word }, summary, names of fields, or { name, key = value } to change them }
--
-- A struct that calls fill, or whose members the engine checks by itself, is plain: only its members are declared. sized = false: it has no
-- struct_size.
--
-- Keys of a field: default, at_least, at_most, above, below, infinite, unit; text for every reader; c: what floc.h says instead;
-- lua: its name in calls; type, signature, instead_of: see check.lua; before: a comment above it; since: the version that added it, for which 0 means "as
-- before". A type is number, integer, boolean, an enum, or one of surface.c_types, or a type of C; with sizes behind it an array.
--
-- scripts/surface.sh makes C of them (structs and enums of floc.h, ranges and defaults, the binding's table); here calls are made
-- for declarations.lua, and what a script gave is made into what the engine takes.

local surface = { enums = {}, structs = {}, calls = {}, order = {} }

local keys = {}
for name in ("name type default at_least at_most above below infinite unit text c lua signature instead_of since before"):gmatch "%S+" do keys[name] = true end
local types = { number = true, integer = true, boolean = true }

-- Types of C; other types without "*" are those of floc.h.
surface.c_types = {
  number = "double", integer = "int32_t", integer64 = "int64_t", unsigned32 = "uint32_t", unsigned64 = "uint64_t", boolean = "bool",
  string = "const char *", text = "char", context = "void *", vector = "double",
}

local function check_field(struct, field)
  field.name, field.type = field[1], field[2]
  local where = struct.name .. "." .. tostring(field.name) .. ": "
  for key in pairs(field) do assert(type(key) == "number" or keys[key], where .. "unknown key " .. tostring(key)) end
  local enum = surface.enums[field.type]
  field.enum = enum
  if struct.plain then return end
  if enum then assert(enum.value[field.default], where .. "the default is no word of " .. enum.name) end
  if types[field.type] or enum then assert(field.text or field.c, where .. "it has no text") end
  if types[field.type] then assert(field.default ~= nil, where .. "it has no default") end
  local zero = field.default == nil or field.default == 0 or field.default == false or enum and enum.value[field.default] == 0
  assert(not field.since or zero, where .. "a field that was added must mean 'as before' when it is 0")
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
  for _, word in ipairs(enum) do enum.value[word[1]] = word[2] end
end)

surface.struct = declare("struct", surface.structs, function(struct)
  struct.field = {}
  for _, field in ipairs(struct) do
    check_field(struct, field)
    struct.field[field.name] = field
  end
end)

-- The entries of a call as { field of the struct, what the call changes }.
local function entries(call)
  local struct, list = assert(surface.structs[call.of], call.name), {}
  for k, entry in ipairs(call) do
    local changed = type(entry) == "table" and entry or { entry }
    list[k] = { assert(struct.field[changed[1]], call.name .. " has no field " .. tostring(changed[1])), changed }
  end
  return list
end

surface.call = declare("call", surface.calls, function(call)
  for member, word in pairs(call.sets) do assert(surface.structs[call.of].field[member].enum.value[word], call.name) end
  entries(call)
end)

-- The fields of a call as declarations.lua has them.
function surface.fields(name)
  local call = surface.calls[name]
  local fields = { optional = call.optional }
  for k, entry in ipairs(entries(call)) do
    local field = {}
    for _, from in ipairs(entry) do
      for key, value in pairs(from) do
        if type(key) == "string" and key ~= "enum" and key ~= "c" and key ~= "lua" and key ~= "since" then field[key] = value end
      end
    end
    local enum = entry[1].enum
    if enum then
      field.one_of, field.type = {}, "choice"
      for i, word in ipairs(enum) do field.one_of[i] = word[1] end
    end
    field[1], field[2] = entry[1].lua or entry[1].name, field.type
    field.name, field.type = nil, nil
    fields[k] = field
  end
  return fields
end

-- What the engine takes for a table that was checked: its own names, numbers for words, and what the call sets itself.
-- Functions stay out: they go their own way.
function surface.for_engine(name, values)
  local call, options = surface.calls[name], {}
  local struct = surface.structs[call.of]
  for member, word in pairs(call.sets) do options[member] = struct.field[member].enum.value[word] end
  for _, entry in ipairs(entries(call)) do
    local field = entry[1]
    local value = values[field.lua or field.name]
    if type(value) ~= "function" then options[field.name] = field.enum and field.enum.value[value] or value end
  end
  return options
end

return surface
