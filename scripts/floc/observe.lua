-- sim:observe: a table of observables as tab-separated text, one row every so many steps, written through at
-- once, so that what the file shows is never behind by more than a row. A checkpoint remembers how long the
-- file was; on resume it is cut to that length and goes on.

local check = require "floc.check"
local core = require "floc.core"
local declarations = require "floc.declarations"
local session = require "floc.session"

local observe = {}

-- What the step report offers beside the measures.
local from_report = { contacts = true, iterations = true, residual = true, overlap = true }
local from_simulation = { step = true, time = true, time_step = true }

-- The shortest of 15, 16 or 17 digits that gives the number back.
function observe.number(value)
  if value ~= value then return "nan" end
  if value == math.huge or value == -math.huge then return value > 0 and "inf" or "-inf" end
  for digits = 15, 17 do
    local text = string.format("%." .. digits .. "g", value)
    if tonumber(text) == value then return text end
  end
end

-- Names of all measures of the engine.
function observe.measures()
  local names, index, name = {}, 0, core.measure_name(0)
  while name do
    names[#names + 1] = name
    index = index + 1
    name = core.measure_name(index)
  end
  return names
end

local function known_names()
  local names = observe.measures()
  for name in pairs(from_report) do names[#names + 1] = name end
  for name in pairs(from_simulation) do names[#names + 1] = name end
  return names
end

local function column(k, entry, is_known)
  if type(entry) == "string" then
    if not is_known[entry] then
      check.fail("observe", "columns[%s] is %s, which is no measure%s", tostring(k), check.show(entry),
        check.suggestion(entry, known_names()))
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
local function named_columns(columns, is_known)
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
    local one = type(entry) == "function" and { fn = entry } or column(name, entry, is_known)
    list[#list + 1] = { name = name, fn = one.fn, measure = one.measure }
  end
  return list
end

local function columns_of(values)
  local list, is_known = {}, {}
  for _, name in ipairs(known_names()) do is_known[name] = true end
  if #values.columns == 0 and next(values.columns) ~= nil then return named_columns(values.columns, is_known) end
  for k, entry in ipairs(values.columns) do list[k] = column(k, entry, is_known) end
  if #list == 0 then check.fail("observe", "columns is empty; it must be a list of names or functions") end
  return list
end

local function put(self, line)
  local ok, message = self.file:write(line, "\n")
  if ok then ok, message = self.file:flush() end
  if not ok then check.fail("observe", "%s: %s", self.path, message) end
  self.offset = self.offset + #line + 1
end

local function header(self)
  local names = {}
  for k, one in ipairs(self.columns) do names[k] = one.name end
  return table.concat(names, "\t")
end

-- Registers a table; the file is begun now, unless a checkpoint is being replayed.
function observe.add(inner, given)
  local values = check.table(declarations.observe, given)
  local self = { path = values.path, every = values.every, columns = columns_of(values), offset = 0, last = -1 }
  inner.observers[#inner.observers + 1] = self
  if inner.session.replay then return end
  local ok, message = session.make_folder_for(self.path)
  if ok then self.file, message = io.open(self.path, "wb") end
  if not self.file then check.fail("observe", "%s", message) end
  put(self, header(self))
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
  if from_simulation[name] then return sim[name] end
  if from_report[name] then return report[name] end
  local value, message = core.measure(inner.world, name)
  if not value then check.fail("observe", "%s", message) end
  return value
end

-- Writes the row of the present step, once.
function observe.row(sim, inner, self, step)
  if self.last == step or not self.file then return end
  self.last = step
  local report = core.report(inner.world)
  local cells = {}
  for k, one in ipairs(self.columns) do cells[k] = observe.number(value_of(sim, inner, one, report)) end
  put(self, table.concat(cells, "\t"))
end

-- What a checkpoint keeps of a simulation's tables.
function observe.positions(inner)
  local list = {}
  for k, self in ipairs(inner.observers) do list[k] = { path = self.path, offset = self.offset, last = self.last } end
  return list
end

-- How many bytes of the file belong to before the checkpoint; 0 when it has to begin anew.
local function bytes_to_keep(self, kept)
  if not kept or kept.path ~= self.path or kept.offset == 0 then return 0 end
  local file = io.open(self.path, "rb")
  if not file then return 0 end
  local size = file:seek("end")
  file:close()
  return size >= kept.offset and core.truncate(self.path, kept.offset) and kept.offset or 0
end

-- Goes on where the checkpoint was: the file is cut there and opened at its end. A file that is gone, or
-- shorter, or now of another name, is begun anew, and that is said.
function observe.restore(inner, list, tell)
  for k, self in ipairs(inner.observers) do
    local kept = list and list[k]
    self.offset = bytes_to_keep(self, kept)
    self.last = kept and kept.last or -1
    local ok, message = session.make_folder_for(self.path)
    if ok then self.file, message = io.open(self.path, self.offset > 0 and "ab" or "wb") end
    if not self.file then check.fail("resume", "%s", message) end
    if self.offset == 0 then
      put(self, header(self))
      if kept and kept.offset > 0 then
        tell(string.format("%s does not hold the rows up to the checkpoint; it begins anew", self.path))
      end
    end
  end
end

return observe
