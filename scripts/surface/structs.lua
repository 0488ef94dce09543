-- Structs and enums of the declarations: in floc.h, as rows of the engine (engine/base/fields.h), as tables of the binding.
local files = require "files"
local header = require "header"
local surface = require "floc.surface.reader"

-- ---- the header: structs and enums take the place of those of their name ------------------------

local function show(value)
  if value == -math.huge then return "-infinity" end
  return type(value) == "number" and string.format("%.14g", value) or tostring(value)
end

local function range(field)
  if field.at_least and field.at_most then return show(field.at_least) .. " to " .. show(field.at_most) end
  local limits = {}
  for _, limit in ipairs { { "above", "> " }, { "at_least", ">= " }, { "below", "< " }, { "at_most", "<= " } } do
    local value = field[limit[1]]
    if value then limits[#limits + 1] = limit[2] .. show(value) end
  end
  return limits[1] and table.concat(limits, ", ")
end

local function comment(field)
  local parts = {}
  if field.enum then parts[1] = "floc_" .. field.enum.name end
  local number = (range(field) or "") .. (field.unit and " [" .. field.unit .. "]" or "")
  if number ~= "" then parts[#parts + 1] = number:match "^ *(.*)$" end
  if field.default ~= nil then parts[#parts + 1] = "default " .. show(field.default) end
  local text, head = field.c or field.text or "", table.concat(parts, "; ")
  return head .. (head ~= "" and text ~= "" and ". " or "") .. text
end

-- "double position[3]"
local function c_member(field)
  local kind, sizes = field.type:match "^(.-)(%[.*)$"
  kind = kind or field.type
  local c = field.enum and "int32_t" or surface.c_types[kind] or kind:find("*", 1, true) and kind or "floc_" .. kind
  return c .. (c:find "%*$" and "" or " ") .. field.name .. (kind == "vector" and "[3]" or sizes or "")
end

local function c_struct(struct)
  local lines = { "typedef struct floc_" .. struct.name .. " {" }
  if struct.sized ~= false then lines[2] = "  uint32_t struct_size;" end
  for _, field in ipairs(struct) do
    if field.before then lines[#lines + 1] = header.commented("", field.before, 2) end
    lines[#lines + 1] = header.commented("  " .. c_member(field) .. ";", comment(field), 29)
  end
  return table.concat(lines, "\n") .. "\n}"
end

for _, one in ipairs(surface.order) do
  if one.kind ~= "call" then header.replace(one.kind, one.name, (one.kind == "enum" and header.enum or c_struct)(one)) end
end

-- ---- the engine's rows, the binding's table -----------------------------------------------------

local kinds = { number = "NUMBER", integer = "INTEGER", boolean = "BOOLEAN" }

local function c_number(value)
  if value == math.huge or value == -math.huge then return value > 0 and "INFINITY" or "-INFINITY" end
  return string.format("%.17g", value)
end

local used = {} -- enums of structs with rows
for _, struct in pairs(surface.structs) do
  for _, field in ipairs(struct) do
    if field.enum and not struct.plain then used[field.enum] = true end
  end
end

local rows = { files.made .. '#include "base/fields.h"\n\n#include <math.h>\n\n/* clang-format off */' }
local table_rows = { files.made .. "/* clang-format off */" }
for _, one in ipairs(surface.order) do
  if one.kind == "enum" and used[one] then
    rows[#rows + 1] = "static const field_word words_" .. one.name .. "[] = {"
    for _, word in ipairs(one) do rows[#rows + 1] = string.format('  {"%s", %d},', word[1], word[2]) end
    rows[#rows + 1] = "  {NULL, 0}};\n"
  elseif one.kind == "struct" and not one.plain then
    rows[#rows + 1] = "static const field_row fields_" .. one.name .. "[] = {"
    table_rows[#table_rows + 1] = "#define " .. one.name:upper() .. " \\"
    for _, field in ipairs(one) do
      local kind = field.enum and "WORD" or kinds[field.type]
      if kind then
        local flags = {}
        if field.above then flags[#flags + 1] = "FIELD_ABOVE" end
        if field.below then flags[#flags + 1] = "FIELD_BELOW" end
        if field.infinite then flags[#flags + 1] = "FIELD_INFINITE" end
        local initial = field.enum and field.enum.value[field.default] or field.default == true and 1 or tonumber(field.default) or 0
        rows[#rows + 1] = string.format('  {"%s", offsetof(floc_%s, %s), FIELD_%s, %s, %s, %s, %s, %s},', field.name, one.name, field.name, kind,
          flags[1] and table.concat(flags, " | ") or "0", c_number(field.above or field.at_least or -math.huge),
          c_number(field.below or field.at_most or math.huge), c_number(initial), field.enum and "words_" .. field.enum.name or "NULL")
        table_rows[#table_rows + 1] = string.format("  OPTION(FIELD_%s, floc_%s, %s), \\", field.enum and "INTEGER" or kind, one.name, field.name)
      end
    end
    rows[#rows + 1] = "};"
    rows[#rows + 1] = string.format("const struct_fields struct_%s = {fields_%s, sizeof fields_%s / sizeof *fields_%s};\n", one.name, one.name, one.name, one.name)
    table_rows[#table_rows + 1] = "  {NULL, 0, 0}\n"
  end
end
files.deliver("engine/base/fields_made.c", table.concat(rows, "\n"))
files.deliver("bindings/lua/options_made.h", table.concat(table_rows, "\n"))
