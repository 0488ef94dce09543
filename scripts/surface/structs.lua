-- Structs and enums of the declarations: in floc.h, as rows of the engine (engine/base/fields.h), as tables of the binding.
local files = require "files"
local header = require "header"
local rows_for_pictures = require "pictures"
local surface = require "floc.surface.reader"

-- ---- the header: structs and enums take the place of those of their name ------------------------

local function show(value)
  if value ~= value then return "NaN" end
  if value == math.huge then return "INFINITY" end
  if value == -math.huge then return "-INFINITY" end
  if type(value) ~= "number" then return tostring(value) end
  local text = string.format("%.14g", value)
  if math.abs(value) < 1e6 and (value == 0 or math.abs(value) >= 1e-3) then return text end
  return (string.format("%.14e", value):gsub("%.?0*e", "e"):gsub("e%+?(%-?)0*", "e%1"))
end

local function range(field)
  if field.type == "colour" then return "0xRRGGBB" end
  if field.at_least and field.at_most then return show(field.at_least) .. " to " .. show(field.at_most) end
  local limits = {}
  for _, limit in ipairs { { "above", "> " }, { "at_least", ">= " }, { "below", "< " }, { "at_most", "<= " } } do
    local value = field[limit[1]]
    if value then limits[#limits + 1] = limit[2] .. show(value) end
  end
  return limits[1] and table.concat(limits, ", ")
end

local function default_of(field)
  if field.type == "colour" then return field.default < 0 and "automatic" or string.format("0x%06x", field.default) end
  if type(field.default) ~= "table" then return show(field.default) end
  local parts = {}
  for k, value in ipairs(field.default) do parts[k] = show(value) end
  return table.concat(parts, ", ")
end

local function comment(field)
  local parts = {}
  if field.enum then parts[1] = header.name_of(field.enum) end
  local number = (range(field) or "") .. (field.unit and " [" .. field.unit .. "]" or "")
  if number ~= "" then parts[#parts + 1] = number:match "^ *(.*)$" end
  if field.required then parts[#parts + 1] = "no default" end
  if field.default ~= nil then parts[#parts + 1] = "default " .. default_of(field) end
  local text, head = field.c or field.text or "", table.concat(parts, "; ")
  return head .. (head ~= "" and text ~= "" and ". " or "") .. text
end

-- "double position[3]"
local function c_member(field)
  local kind, sizes = field.type:match "^(.-)(%[.*)$"
  kind = kind or field.type
  local struct = surface.structs[kind]
  local c = field.enum and "int32_t" or surface.c_types[kind] or kind:find("*", 1, true) and kind or struct and header.name_of(struct)
    or "floc_" .. kind
  return c .. (c:find "%*$" and "" or " ") .. field.name .. (kind == "vector" and "[3]" or sizes or "")
end

local function c_struct(struct)
  local lines = { "typedef struct " .. header.name_of(struct) .. " {" }
  if struct.sized ~= false and not struct.file then lines[2] = "  uint32_t struct_size;" end
  for _, field in ipairs(struct) do
    if field.before then lines[#lines + 1] = header.commented("", field.before, 2) end
    lines[#lines + 1] = header.commented("  " .. c_member(field) .. ";", comment(field), 29)
  end
  return table.concat(lines, "\n") .. "\n}"
end

for _, one in ipairs(surface.order) do
  local text = one.kind == "enum" and header.enum or one.kind == "struct" and c_struct
  if text then header.replace(one, text(one)) end
end

-- ---- the engine's rows, the binding's table -----------------------------------------------------

local kinds = { number = "NUMBER", vector = "NUMBER", integer = "INTEGER", integer64 = "INTEGER64", unsigned64 = "UNSIGNED64", boolean = "BOOLEAN" }
local binding_kinds = { number = "NUMBER", vector = "VECTOR", integer = "INTEGER", integer64 = "LONG", unsigned64 = "LONG", boolean = "BOOLEAN", colour = "INTEGER",
  string = "STRING", path = "PATH", ["number[3][3]"] = "POINTS", ["number[8]"] = "PARAMETERS", ["number[4]"] = "QUATERNION" }

local function c_number(value)
  if value == math.huge or value == -math.huge then return value > 0 and "INFINITY" or "-INFINITY" end
  return string.format("%.17g", value)
end

local function initial(field, default)
  return field.enum and field.enum.value[default] or default == true and 1 or tonumber(default) or 0
end

-- "offset of the word, bits of its values"
local function c_when(struct, field)
  if not field.when then return "0, 0" end
  local member, words = next(field.when)
  local bits = 0
  for _, word in ipairs(type(words) == "table" and words or { words }) do bits = bits + 2 ^ struct.field[member].enum.value[word] end
  return string.format("offsetof(floc_%s, %s), %d", struct.name, member, bits)
end

local function row(struct, field, name, kind, count, default)
  local flags = {}
  for _, flag in ipairs { "above", "below", "infinite", "free" } do
    if field[flag] then flags[#flags + 1] = "FIELD_" .. flag:upper() end
  end
  local offset = struct.kind == "struct" and string.format("offsetof(floc_%s, %s)", struct.name, name) or "0"
  return string.format('  {"%s", %s, FIELD_%s, %d, %s, %s, %s, %s, %s, %s},', name, offset, kind, count,
    flags[1] and table.concat(flags, " | ") or "0", c_number(field.above or field.at_least or -math.huge),
    c_number(field.below or field.at_most or math.huge), c_number(initial(field, default)), field.enum and "words_" .. field.enum.name or "NULL",
    c_when(struct, field))
end

local function rows_of(struct, rows)
  for _, field in ipairs(struct) do
    local count = field.type == "vector" and 3 or 1
    local kind = field.enum and "WORD" or kinds[field.type:match "^%w+"]
    for size in field.type:gmatch "%[(%d+)%]" do count = count * tonumber(size) end
    if kind and type(field.default) == "table" then
      for k, default in ipairs(field.default) do
        rows[#rows + 1] = row(struct, field, string.format("%s[%d]", field.name, k - 1), kind, 1, default)
      end
    elseif kind then
      rows[#rows + 1] = row(struct, field, field.name, kind, count, field.default)
    end
  end
end

local used = {} -- enums of structs with rows
for _, struct in pairs(surface.structs) do
  for _, field in ipairs(struct) do
    if field.enum and not struct.plain and not struct.file then used[field.enum] = true end
  end
end

local rows = { files.made .. '#include "base/fields.h"\n\n#include <math.h>\n\n/* clang-format off */' }
local declared = { files.made .. "/* clang-format off */" }
local table_rows = { files.made .. "/* clang-format off */" }
for _, one in ipairs(surface.order) do
  if one.kind == "enum" and used[one] then
    rows[#rows + 1] = "static const field_word words_" .. one.name .. "[] = {"
    for _, word in ipairs(one) do rows[#rows + 1] = string.format('  {"%s", %d},', word[1], word[2]) end
    rows[#rows + 1] = "  {NULL, 0}};\n"
  elseif one.kind ~= "enum" and one.kind ~= "call" and not one.plain and one.file then
    rows_for_pictures.add(one)
  elseif (one.kind == "struct" or one.kind == "arguments") and not one.plain then
    rows[#rows + 1] = "static const field_row fields_" .. one.name .. "[] = {"
    rows_of(one, rows)
    rows[#rows + 1] = "};"
    rows[#rows + 1] = string.format("const struct_fields %s_%s = {fields_%s, sizeof fields_%s / sizeof *fields_%s};\n", one.kind, one.name, one.name,
      one.name, one.name)
    declared[#declared + 1] = string.format("extern const struct_fields %s_%s;", one.kind, one.name)
  end
  if one.kind == "struct" and not one.plain then
    table_rows[#table_rows + 1] = "#define " .. one.name:upper() .. " \\"
    for _, field in ipairs(one) do
      local kind = binding_kinds[field.enum and not field.type:find "%[" and "integer" or field.type]
      if kind then table_rows[#table_rows + 1] = string.format("  OPTION(FIELD_%s, %s, %s), \\", kind, header.name_of(one), field.name) end
    end
    table_rows[#table_rows + 1] = "  {NULL, 0, 0}\n"
  end
end
-- The size of a struct in the oldest header: up to the first member that was added.
local sizes = {}
for _, one in ipairs(surface.order) do
  if one.kind == "struct" and not one.file then
    local size = string.format("sizeof(floc_%s)", one.name)
    for k = #one, 1, -1 do
      if one[k].since then size = string.format("offsetof(floc_%s, %s)", one.name, one[k].name) end
    end
    sizes[#sizes + 1] = string.format("  FIRST_%s = %s,", one.name, size)
  end
end
declared[#declared + 1] = "\n/* Sizes in the oldest header that is served: see structs.h. */\nenum {\n" .. table.concat(sizes, "\n") .. "\n};"

-- Upper limits of counts, for what the engine reserves.
local limits = {}
for _, one in ipairs(surface.order) do
  for _, field in ipairs(one.kind == "struct" and not one.plain and not one.file and one or {}) do
    if field.type == "integer" and field.at_most and field.name:find "_count$" then
      limits[#limits + 1] = string.format("  LIMIT_%s_%s = %d,", one.name, field.name, field.at_most)
    end
  end
end
declared[#declared + 1] = "\n/* The most that counts may be. */\nenum {\n" .. table.concat(limits, "\n") .. "\n};"

files.deliver("engine/base/fields_made.c", table.concat(rows, "\n"))
files.deliver("engine/base/fields_made.h", table.concat(declared, "\n") .. "\n")
files.deliver("bindings/lua/options_made.h", table.concat(table_rows, "\n"))
rows_for_pictures.deliver()
