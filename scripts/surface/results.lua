-- Structs that calls return as tables: a list of members for each, which bindings/lua/options.c goes through (push_result).
local files = require "files"
local header = require "header"
local surface = require "floc.surface.reader"

local kinds = { number = "NUMBER", integer = "INTEGER", integer64 = "LONG", unsigned64 = "LONG", boolean = "BOOLEAN" }

-- The kind, and how many numbers it has; 0: as many as there are axes.
local function kind_of(field)
  local base, first, second = field.type:match "^([%w_]+)%[?(%w*)%]?%[?(%w*)%]?$"
  if field.word then return "WORD", 0 end
  if field.truth then return "TRUTH", 0 end
  if field.matrix then return "ROWS", 0 end
  if field.axial then return "AXIAL", 0 end
  if base == "vector" then return "VECTOR", field.whole and 3 or 0 end
  if base == "text" then return "TEXT", 0 end
  if second ~= "" then return "ROWS", tonumber(first) end
  if first ~= "" then return "VECTOR", tonumber(first) end
  return assert(field.enum and "INTEGER" or kinds[base], field.name), 0
end

local function row(struct, field)
  local kind, count = kind_of(field)
  local words = "NULL"
  if field.word then
    words = ""
    for k, word in ipairs(field.enum) do
      assert(word[2] == k - 1, field.enum.name)
      words = words .. '"' .. word[1] .. '\\0"'
    end
  end
  return string.format('  {"%s", RESULT_%s, offsetof(%s, %s), %d, %d, %s, %s}, \\', field.shown or field.name, kind, header.name_of(struct), field.name,
    count, field.from_one and 1 or 0, field.absent and string.format("%.17g", field.absent) or "NAN", words)
end

local lines = { files.made .. "#include <math.h>\n\n/* clang-format off */" }
for _, struct in ipairs(surface.order) do
  if struct.result then
    lines[#lines + 1] = "#define " .. struct.name:upper() .. "_RESULT \\"
    for _, field in ipairs(struct) do
      if field.shown ~= false then lines[#lines + 1] = row(struct, field) end
    end
    lines[#lines + 1] = "  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}\n"
  end
end
files.deliver("bindings/lua/results_made.h", table.concat(lines, "\n"))
