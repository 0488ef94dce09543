-- sim:observe: a table of observables as tab-separated text, one row at intervals of steps, written through at
-- once, so that what the file shows is never behind by more than a row. A checkpoint remembers how long the
-- file was; on resume it is cut to that length and continues.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local measures = require "floc.surface.measures"
local interval = require "floc.session.interval"
local outputs = require "floc.output.outputs"
local session = require "floc.session.session"

local observe, unpack = {}, rawget(_G, "unpack") or table.unpack

-- The shortest of 15, 16 or 17 digits that gives the number back.
function observe.number(value)
  if value ~= value then return "nan" end
  if value == math.huge or value == -math.huge then return value > 0 and "inf" or "-inf" end
  return core.number_text(value)
end

-- Names of all measures, those that a host has added behind the engine's own.
function observe.measures(world)
  local names = { unpack(measures.names) }
  for _, name in ipairs(core.added_measures(world)) do names[#names + 1] = name end
  return names
end

local function known_names(world)
  local names = observe.measures(world)
  for _, name in ipairs(measures.of_report) do names[#names + 1] = name end
  for _, name in ipairs(measures.of_simulation) do names[#names + 1] = name end
  return names
end

local function column(world, k, entry, is_known)
  if type(entry) == "string" then
    if not is_known[entry] then
      check.fail("observe", "columns[%s] is %s, which is no measure%s", tostring(k), check.show(entry),
        check.suggestion(entry, known_names(world)))
    end
    return { name = entry, measure = entry }
  end
  if type(entry) == "table" and type(entry[1]) == "string" and type(entry[2]) == "function" then
    return { name = entry[1], fn = entry[2] }
  end
  check.fail("observe", "columns[%s] is %s; it must be the name of a measure or { \"name\", function(sim) ... end }",
    tostring(k), check.show(entry))
end

-- { name = function or measure } in the order of names, behind step and time.
local function named_columns(world, columns, is_known)
  local list, names = { { name = "step" }, { name = "time" } }, {}
  for name in pairs(columns) do
    if type(name) ~= "string" then
      check.fail("observe", "columns mixes named and listed entries; it must be one or the other")
    end
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local entry = columns[name]
    local one = type(entry) == "function" and { fn = entry } or column(world, name, entry, is_known)
    list[#list + 1] = { name = name, fn = one.fn, measure = one.measure }
  end
  return list
end

local function columns_of(world, values)
  local list, is_known = {}, {}
  for _, name in ipairs(known_names(world)) do is_known[name] = true end
  if #values.columns == 0 and next(values.columns) ~= nil then return named_columns(world, values.columns, is_known) end
  for k, entry in ipairs(values.columns) do list[k] = column(world, k, entry, is_known) end
  if #list == 0 then check.fail("observe", "columns is empty; it must be a list of names or functions") end
  return list
end

-- A line, or several; of a table of another call (merges.lua) as well.
function observe.put(self, line)
  local ok, message = self.file:write(line, "\n")
  if ok then ok, message = self.file:flush() end
  if not ok then check.fail(self.call, "%s: %s", self.kept.path, message) end
  self.kept.offset = self.kept.offset + #line + 1
end

local function header(self)
  local names = {}
  for k, one in ipairs(self.columns) do names[k] = one.name end
  return table.concat(names, self.separator)
end

function observe.settle(self) outputs.settle(self.call, self.kept.path) end

function observe.begin(self)
  local ok, message = session.make_folder_for(self.kept.path)
  if ok then self.file, message = io.open(self.kept.path, "wb") end
  if not self.file then check.fail(self.call, "%s", message) end
  observe.put(self, header(self))
end

-- Registers a table; the file is begun now, unless a checkpoint is being replayed.
function observe.add(inner, given)
  local values = check.table(declarations.observe, given)
  local self = { every = interval.of("observe", values.every), columns = columns_of(inner.world, values), kept = { path = values.path, offset = 0 },
    entries = "rows", write = observe.row, settle = observe.settle, restore = observe.restore, call = "observe", separator = "\t" }
  if not outputs.add("observe", inner, self) then return end
  if not inner.session.replay then observe.begin(self) end
end

local function value_of(sim, inner, one, report)
  if one.fn then
    local value = one.fn(sim)
    if type(value) ~= "number" then
      error(string.format("%s: observe: the column %s is %s; it must be a number", check.definition(one.fn),
        check.show(one.name), check.show(value)), 0)
    end
    return value
  end
  local name = one.measure or one.name
  if measures.of_simulation[name] then return sim[name] end
  if measures.of_report[name] then return report[name] end
  local value, message = core.measure(inner.world, name)
  if not value then check.fail("observe", "%s", message) end
  return value
end

-- Writes the row of the present step.
function observe.row(self, sim, inner)
  local report = core.report(inner.world)
  local cells = {}
  for k, one in ipairs(self.columns) do cells[k] = observe.number(value_of(sim, inner, one, report)) end
  local line = table.concat(cells, "\t")
  observe.put(self, line)
  local live = inner.session.live
  if live then live:row(self.kept.path, header(self), line) end
end

-- Continues where the checkpoint was: the file is truncated there and opened at its end. A file that is gone, or
-- shorter, or now of another name, is started again.
function observe.restore(self, was)
  local path = self.kept.path
  if was then outputs.take_back(self, was) end
  if not outputs.cut(path, self.kept.offset) then self.kept.offset = 0 end
  local ok, message = session.make_folder_for(path)
  if ok then self.file, message = io.open(path, self.kept.offset > 0 and "ab" or "wb") end
  if not self.file then check.fail("resume", "%s", message) end
  if self.kept.offset > 0 then return true end
  observe.put(self, header(self))
  return false
end

return observe
