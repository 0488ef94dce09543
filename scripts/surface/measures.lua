-- Measures: names with functions and needs for the engine, the list in floc.h.

local files = require "files"
local measures = require "floc.surface.measures"

local rows, needs, list = {}, {}, {}
for k, one in ipairs(measures) do
  rows[k] = string.format("  X(%s, %s, %s)", one.name, one.fails and "MAY_FAIL" or "VALUE", one.needs or "nothing")
  local line = " *   " .. one.name .. (one.unit ~= "" and " [" .. one.unit .. "]" or "") .. ":"
  for word in one.text:gmatch "%S+" do
    if #line + 1 + #word > 118 then
      list[#list + 1], line = line, " *    "
    end
    line = line .. " " .. word
  end
  list[#list + 1] = line
end
for k, one in ipairs(measures.needs) do needs[k] = string.format('  X(%s, "%s")', one[1], one[2]) end

local taken = '"' .. table.concat(measures.of_simulation, '", "') .. '", "' .. table.concat(measures.of_report, '", "') .. '"'
files.deliver("engine/measures/measures_made.h", files.made .. "/* clang-format off */\n\n/* X(name, VALUE or MAY_FAIL, what the scheme must have) */\n"
  .. "#define MEASURES(X) \\\n" .. table.concat(rows, " \\\n")
  .. "\n\n/* X(member of scheme, why not without it) */\n#define MEASURE_NEEDS(X) \\\n" .. table.concat(needs, " \\\n")
  .. "\n\n/* What tables of observables know besides. */\n#define MEASURE_COLUMNS " .. taken .. "\n")
files.replace("include/floc/floc.h", "/* A number about the present state, by name:\n", " * Those that have no meaning",
  "/* A number about the present state, by name:\n" .. table.concat(list, "\n") .. "\n")
