-- Options of pictures and plots: rows of bindings/picture/draw/options.h, which knows neither the engine nor its rows. What is allowed
-- is put into words here.
local files = require "files"

local pictures = {}

local FILE = "bindings/picture/draw/options_made"
local kinds = { number = "NUMBER", vector = "NUMBER", integer = "INTEGER", integer64 = "INTEGER64", boolean = "BOOLEAN", colour = "INTEGER" }
local rows = { files.made .. '#include "draw/options.h"\n#include "plot/plot.h"\n\n#include <math.h>\n\n/* clang-format off */' }
local declared = { files.made .. "/* clang-format off */" }

local function number(value)
  if value ~= value then return "NAN" end
  if value == math.huge or value == -math.huge then return value > 0 and "INFINITY" or "-INFINITY" end
  return string.format("%.17g", value)
end

local function words(enum)
  local list = {}
  for k, word in ipairs(enum) do
    assert(word[2] == enum[1][2] + k - 1, enum.name .. ": its numbers are not consecutive")
    list[k] = (k == 1 and "" or k < #enum and ", " or " or ") .. string.format("%s (%d)", word[1], word[2])
  end
  return table.concat(list)
end

local function limits(field)
  local low, high = field.above or field.at_least, field.below or field.at_most
  if field.at_least and field.at_most then return string.format(" between %.14g and %.14g", low, high) end
  return (low and string.format(" %s %.14g", field.above and "above" or "of at least", low) or "") .. (low and high and " and" or "")
    .. (high and string.format(" %s %.14g", field.below and "below" or "of at most", high) or "")
end

-- "an integer between 64 and 16384, or 0 (automatic)"
local function allowed(field)
  if field.enum then return words(field.enum) end
  if field.type == "colour" then return "a colour from 0x000000 to 0xffffff" .. (field.automatic and ", or -1 (automatic)" or "") end
  return (kinds[field.type:match "^%w+"] == "NUMBER" and "a finite number" or "an integer") .. limits(field)
    .. (field.zero and ", or 0 (automatic)" or field.automatic and ", or NaN (automatic)" or "")
end

local function row(struct, field, name, kind, count, default)
  local flags = {}
  for _, flag in ipairs { "above", "below", "automatic", "zero" } do
    if field[flag] then flags[#flags + 1] = "OPTION_" .. flag:upper() end
  end
  local enum = field.enum
  local lower = enum and enum[1][2] or field.above or field.at_least or -math.huge
  local upper = enum and enum[#enum][2] or field.below or field.at_most or math.huge
  local initial = enum and enum.value[default] or default == true and 1 or tonumber(default) or 0
  return string.format('  {"%s", %s, OPTION_%s, %d, %s, %s, %s, %s, "%s"},', name,
    struct.kind == "struct" and string.format("offsetof(%s, %s)", struct.name, name) or "0", kind, count, flags[1] and table.concat(flags, " | ") or "0",
    number(lower), number(upper), number(initial), kind == "BOOLEAN" and "" or allowed(field))
end

local function rows_of(struct, field)
  local kind = field.enum and "INTEGER" or kinds[field.type:match "^%w+"]
  if not kind or field.type:find "[*]" then return end
  local count = field.type == "vector" and 3 or tonumber(field.type:match "%[(%d+)%]") or 1
  if type(field.default) ~= "table" then
    rows[#rows + 1] = row(struct, field, field.name, kind, count, field.default)
  else
    for k, default in ipairs(field.default) do rows[#rows + 1] = row(struct, field, string.format("%s[%d]", field.name, k - 1), kind, 1, default) end
  end
end

-- Rows of a struct, or of arguments.
function pictures.add(struct)
  rows[#rows + 1] = "static const option_row rows_" .. struct.name .. "[] = {"
  for _, field in ipairs(struct) do rows_of(struct, field) end
  rows[#rows + 1] = string.format("};\nconst option_rows options_of_%s = {rows_%s, sizeof rows_%s / sizeof *rows_%s};\n", struct.name, struct.name,
    struct.name, struct.name)
  declared[#declared + 1] = string.format("extern const option_rows options_of_%s;", struct.name)
end

function pictures.deliver()
  files.deliver(FILE .. ".c", table.concat(rows, "\n"))
  files.deliver(FILE .. ".h", table.concat(declared, "\n") .. "\n")
end

return pictures
