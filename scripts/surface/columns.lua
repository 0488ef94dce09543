-- Built-in columns: the engine's list, what the binding writes, what the page shows.

local files = require "files"
local columns = require "floc.surface.columns"

local list, vectors, positive = {}, {}, {}
for k, one in ipairs(columns) do
  list[k] = string.format("  X(%s, %s)", one.name, one.moves and "true" or "false")
  if one.above == 0 then positive[#positive + 1] = '"' .. one.name .. '"' end
end
local optional = {}
for k, one in ipairs(columns.optional) do
  optional[k] = string.format("  X(%s, %s, %s, %s)", one.name, one.formerly and '"' .. one.formerly .. '"' or "NULL",
    one.moves and "true" or "false", one.owed and "true" or "false")
end
for k, vector in ipairs(columns.vectors) do
  vectors[k] = string.format('  {"%s", "%s"}', vector[1], table.concat(vector.columns, '", "'))
end

files.deliver("engine/particles/columns_made.h", files.made .. "/* clang-format off */\n\n/* X(name, does it change while particles move) */\n"
  .. "#define PARTICLE_COLUMNS(X) \\\n" .. table.concat(list, " \\\n")
  .. "\n\n/* X(name, former name or NULL, moves, is computed again in every step) */\n#define OPTIONAL_COLUMNS(X) \\\n"
  .. table.concat(optional, " \\\n") .. "\n")
files.deliver("bindings/lua/columns_made.h", files.made .. "/* clang-format off */\n\n/* Three columns that are a vector, behind its name. */\n"
  .. "#define COLUMN_VECTORS \\\n" .. table.concat(vectors, ", \\\n")
  .. "\n\n/* Those whose values are above 0. */\n#define COLUMNS_ABOVE_0 " .. table.concat(positive, ", ") .. "\n")

local on_demand = {}
for k, one in ipairs(columns.optional) do on_demand[k] = one.name end
files.replace("include/floc/floc.h", "/* A column by name: ", ", or an attribute.", "/* A column by name: " .. table.concat(columns.names, " ")
  .. ",\n * where there are such " .. table.concat(on_demand, " "))

-- ---- the page -----------------------------------------------------------------------------------

local function dimension(unit)
  return (unit:gsub("length", "L"):gsub("time", "T"):gsub("mass", "M"):gsub("%^2", "²"))
end

local names, units, order, known = {}, {}, {}, {}
local function show(name, unit)
  order[#order + 1] = '"' .. name .. '"'
  if known[name] then return end
  known[name], units[#units + 1] = true, string.format("  %s: \"%s\",", name, dimension(unit))
end
for _, vector in ipairs(columns.vectors) do
  if vector.magnitude then
    names[#names + 1] = string.format('  %s: ["%s", "%s"],', vector[1], vector.magnitude, table.concat(vector.columns, '", "'))
    show(vector.magnitude, columns.named[vector.columns[1]].unit)
    for _, name in ipairs(vector.columns) do show(name, columns.named[name].unit) end
  end
end
for _, one in ipairs(columns) do
  if not one.vector then show(one.name, one.unit) end
end
files.deliver("bindings/page/columns_made.js", "// Made by scripts/surface.sh from scripts/floc/surface: do not edit.\n\n"
  .. "// Vectors: the names of their length and their components.\nexport const vectorNames = {\n" .. table.concat(names, "\n") .. "\n};\n\n"
  .. "export const dimensions = {\n" .. table.concat(units, "\n") .. "\n};\n\n// Of the menu.\nexport const order = [" .. table.concat(order, ", ") .. "];\n")
