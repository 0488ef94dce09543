-- sim:merges and sim:write_merges: clusters that merge and come apart. The engine keeps the record (engine/world_merges.c); each
-- look takes what came since the last one, so there is one who looks: the script, or the file.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local interval = require "floc.session.interval"
local observe = require "floc.output.observe"
local outputs = require "floc.output.outputs"
local pairs_of = require "floc.simulation.pairs"
local surface = require "floc.surface.structs"

local merges = {}

local scalars = { "time", "change", "id_i", "id_j", "size_i", "size_j", "mass_i", "mass_j" }
local function vectors(dimension)
  local list, letters = {}, dimension == 2 and { "x", "y" } or { "x", "y", "z" }
  for _, form in ipairs { "%s", "normal_%s", "v%s_i", "v%s_j", "v%s" } do
    for _, letter in ipairs(letters) do list[#list + 1] = form:format(letter) end
  end
  return list
end

local function names_of(call, dimension, given)
  local usual, known = {}, {}
  for _, name in ipairs(scalars) do usual[#usual + 1], known[#known + 1] = name, name end
  for _, name in ipairs(vectors(dimension)) do usual[#usual + 1] = name end
  for _, name in ipairs(vectors(3)) do known[#known + 1] = name end
  return pairs_of.wanted(call, given, usual, known, "merges")
end

local function options_of(call, values)
  if values.apart and not values.gap then check.fail(call, "apart is %s, which does nothing: it needs gap", check.show(values.apart)) end
  if values.apart and values.apart < values.gap then
    check.fail(call, "apart is %s; it must be at least gap, %s", check.show(values.apart), check.show(values.gap))
  end
  local rule = values.gap and surface.constants.cluster_gap or surface.constants.cluster_link
  return { rule = rule, gap = values.gap or 0, apart = values.apart or 0 }
end

-- ---- a file ---------------------------------------------------------------------------------------

local file = {}
file.__index = file

function file.look(self, inner)
  return pairs_of.lists(self.call, self.names, pairs_of.block(self.call, core.merges(inner.world, self.options, self.names)))
end

function file.write(self, _, inner)
  local found, rows = self:look(inner), {}
  for k = 1, found.count do
    local cells = {}
    for n, name in ipairs(self.names) do cells[n] = observe.number(found[name][k]) end
    rows[k] = table.concat(cells, self.separator)
  end
  if #rows > 0 then observe.put(self, table.concat(rows, "\n")) end
end

-- The rows of the table again, as lists by name; of all runs that it is from.
local function rows_of(self)
  local found, count = {}, -1
  for _, name in ipairs(self.names) do found[name] = {} end
  for line in assert(io.lines(self.kept.path)) do
    count = count + 1
    local column = 0
    for cell in line:gmatch "[^,]+" do
      column = column + 1
      if count > 0 then found[self.names[column]][count] = tonumber(cell) end
    end
  end
  return found, count
end

-- What came since the last entry; then the .vtp file of all rows.
function file.finish(self)
  if not self.file or not self.inner.world then return true end
  local ok, message = pcall(file.write, self, nil, self.inner)
  if not ok or not self.points then return ok, tostring(message) end
  local found, count = rows_of(self)
  local written, problem = core.vtp_points(self.inner.world, self.points, count, self.names, found)
  return written ~= nil, "write_merges: " .. tostring(problem)
end

-- NAME.vtp: the rows are in NAME.csv meanwhile.
local function files_of(path, names)
  if not path:find "%.vtp$" then return path end
  for _, axis in ipairs { "x", "y" } do
    local is_there = false
    for _, name in ipairs(names) do is_there = is_there or name == axis end
    if not is_there then check.fail("write_merges", "names has no %q, and path is %s: a .vtp file has points", axis, check.show(path)) end
  end
  return path:gsub("%.vtp$", ".csv"), path
end

local function begin_file(inner, values, options, names)
  local columns, path, points = {}, files_of(values.path, names)
  for k, name in ipairs(names) do columns[k] = { name = name } end
  local self = setmetatable({ every = interval.of("write_merges", values.every), columns = columns, names = names, options = options, inner = inner,
    points = points,
    kept = { path = path, offset = 0 }, entries = "rows", call = "write_merges", separator = path:find "%.csv$" and "," or "\t",
    settle = observe.settle, restore = observe.restore }, file)
  if inner.merges_read then
    check.fail("write_merges", "sim:merges of this simulation has been called; a merge is given once, to the script or to a file")
  end
  self:look(inner) -- the record begins, or what is wrong is said
  if not outputs.add("write_merges", inner, self) then return end
  inner.merges_file = values.path
  if not inner.session.replay then observe.begin(self) end
end

-- ---- calls ----------------------------------------------------------------------------------------

function merges.methods(inner_of)
  local methods = {}

  function methods.merges(sim, given)
    local inner = inner_of(sim, "merges")
    local values = check.table(declarations.merges, given)
    local options, names = options_of("merges", values), names_of("merges", inner.dimension, values.names)
    if inner.merges_file then
      check.fail("merges", "sim:write_merges writes them to %s; a merge is given once, to the script or to a file", check.show(inner.merges_file))
    end
    inner.merges_read = true
    return pairs_of.read(inner, "merges", names, values.into, function() return core.merges(inner.world, options, names) end)
  end

  function methods.write_merges(sim, given)
    local inner = inner_of(sim, "write_merges")
    inner.guard("write_merges")
    local values = check.table(declarations.write_merges, given)
    begin_file(inner, values, options_of("write_merges", values), names_of("write_merges", inner.dimension, values.names))
  end

  return methods
end

return merges
