-- The visit to all that the functions of a simulation can reach: variables outside of functions (upvalues), tables, functions that
-- they hold, and so on, in an order that depends on the data alone. See keep.lua.

local check = require "floc.surface.check"
local known = require "floc.session.known"

local next, type, rawget, tostring, sort = next, type, rawget, tostring, table.sort
local debug = debug
local getmetatable, getupvalue, upvalueid, getinfo = debug.getmetatable, debug.getupvalue, debug.upvalueid, debug.getinfo
local libraries, name_of = known.libraries, known.name_of

local has_ffi, ffi = pcall(require, "ffi")
has_ffi = has_ffi and type(ffi) == "table"

-- What one visit has met, with its methods, and functions that do without one.
local visit = {}
visit.__index = visit

-- Globals of Lua and of the host: not the script's.
local not_of_script = {}

-- From here on the globals that there are count as the host's.
function visit.ignore_globals()
  for name in next, _G do not_of_script[name] = true end
end

visit.ignore_globals()
not_of_script.arg = true

local is_scalar = { ["nil"] = true, boolean = true, number = true, string = true }
visit.is_scalar = is_scalar

-- ---- values ---------------------------------------------------------------------------------------

function visit.is_module_object(value)
  local meta = getmetatable(value)
  if type(meta) ~= "table" then return false end
  return rawget(meta, "floc_name") ~= nil or type(rawget(meta, "__name")) == "string" and rawget(meta, "__name"):find "^floc" ~= nil
end

local function place_of(fn)
  local info = getinfo(fn, "S")
  return string.format("%s:%d", info.short_src, info.linedefined)
end

function visit.key_text(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" then return "." .. key end
  return "[" .. (type(key) == "string" and string.format("%q", key) or tostring(key)) .. "]"
end

-- The order of keys that have one in every process.
local key_rank = { number = 1, string = 2, boolean = 3 }
visit.key_rank = key_rank

function visit.plain_before(a, b)
  local kind_a, kind_b = type(a), type(b)
  if kind_a ~= kind_b then return key_rank[kind_a] < key_rank[kind_b] end
  if kind_a == "boolean" then return not a and b end
  return a < b
end
local plain_before = visit.plain_before

-- What changes of an object whose contents cannot be kept: a number or text that is another one afterwards.
function visit.fingerprint(value)
  local kind = type(value)
  if kind == "thread" then return coroutine.status(value) .. visit.times_resumed(value) end
  if kind == "function" then return visit.times_resumed(value) end
  if kind == "userdata" and io.type(value) and value ~= io.stdout and value ~= io.stderr and value ~= io.stdin then
    if io.type(value) == "closed file" then return "closed" end
    return (value:seek "cur")
  end
  if kind == "cdata" and has_ffi and not known.is_object(value) then
    local text = tostring(ffi.typeof(value))
    if text:find "[*(&]" or text:find "complex" or text:find "enum" then return 0 end
    local ok, bytes = pcall(function()
      return ffi.string(ffi.cast("const char *", ffi.cast("void *", value)), ffi.sizeof(value))
    end)
    return ok and bytes or 0
  end
  return 0
end

-- How often a coroutine was resumed; standard.lua counts it in the program.
function visit.times_resumed() return 0 end

-- numbers: gives numbers that last (at a mark), or for this visit alone (in a checkpoint). may_add: objects of any kind may
-- be new; else they are lost.
function visit.new(inner, lasting, may_add)
  local kept = inner.kept
  return setmetatable({ inner = inner, one = inner.session, kept = kept, lasting = lasting, may_add = may_add, last = kept.last,
    own = {}, seen = {}, cell_seen = {}, queue = {}, done = 0, tables = {}, cells = {}, opaque = {} }, visit)
end

function visit:number(value) return self.kept.number_of[value] or self.own[value] end

function visit:lose(name, text)
  self.lost = self.lost or string.format("%s %s", name, text)
end

function visit:give_number(value)
  self.last = self.last + 1
  if self.lasting then
    self.kept.last = self.last
    self.kept.number_of[value], self.kept.object_of[self.last] = self.last, value
  else
    self.own[value] = self.last
  end
end

function visit.kind_text(value)
  if type(value) == "userdata" and io.type(value) then return "file" end
  return type(value) == "thread" and "coroutine" or type(value)
end

-- Looks at a value that a variable or an entry holds; name: for messages.
function visit:reach(value, name)
  if is_scalar[type(value)] or self.seen[value] then return end
  self.seen[value] = true
  if name_of(value, self.one) then return end
  local kind = type(value)
  if kind == "cdata" and tostring(value):find "^%-?%d+U?LL$" then return end
  local is_data = kind == "table" and not visit.is_module_object(value)
  if not self:number(value) then
    if not is_data and not self.may_add then
      self:lose(name, string.format("is a new %s, which a checkpoint cannot restore", visit.kind_text(value)))
      return
    end
    self:give_number(value)
  end
  self.queue[#self.queue + 1] = { value, name }
end

-- The upvalues of a function, by name: the two Luas number them differently. key: the name, with a number behind it for all but
-- the first of several with the same.
function visit.variables_of(fn)
  local list, seen = {}, {}
  for k = 1, 255 do
    local name, value = getupvalue(fn, k)
    if not name then break end
    if not (name == "_ENV" and libraries[value] == "_G") then
      seen[name] = (seen[name] or 0) + 1
      list[#list + 1] = { k = k, name = name, key = seen[name] > 1 and name .. " " .. seen[name] or name, value = value }
    end
  end
  sort(list, function(a, b) return a.key < b.key end)
  return list
end

function visit:function_contents(fn, name)
  local info = getinfo(fn, "S")
  if info.what == "C" or info.source:sub(1, 6) == "=floc/" then
    self.opaque[#self.opaque + 1] = { fn, name }
    return
  end
  local place
  for _, one in ipairs(visit.variables_of(fn)) do
    local k, variable, value = one.k, one.name, one.value
    local id = upvalueid(fn, k)
    if not self.cell_seen[id] then
      self.cell_seen[id] = true
      place = place or place_of(fn)
      local called = string.format("the variable %s of the function at %s", variable, place)
      self.cells[#self.cells + 1] = { fn = fn, key = one.key, id = id, value = value, name = called }
      self:reach(value, called)
    end
  end
end

-- Keys that are objects, in an order that lasts: by number or by name.
function visit:order_objects(keys, name)
  if #keys < 2 then return end
  local rank = {}
  for _, key in ipairs(keys) do
    rank[key] = name_of(key, self.one) or self:number(key)
    if not rank[key] then
      self:lose(name, "has several new keys that are objects, and their order differs between processes")
      return
    end
    rank[key] = type(rank[key]) == "number" and string.format("%016d", rank[key]) or rank[key]
  end
  sort(keys, function(a, b) return rank[a] < rank[b] end)
end

function visit.entries_of(t)
  if t ~= known.globals then return t end
  local own = {}
  for key, value in next, t do
    if not not_of_script[key] and not libraries[value] then own[key] = value end
  end
  return own
end

function visit:table_contents(t, name)
  local entries = visit.entries_of(t)
  local keys, objects = nil, nil
  for key, value in next, entries do
    if not key_rank[type(key)] then
      objects = objects or {}
      objects[#objects + 1] = key
    elseif not is_scalar[type(value)] then
      keys = keys or {}
      keys[#keys + 1] = key
    end
  end
  local meta = t ~= known.globals and getmetatable(t) or nil
  self.tables[#self.tables + 1] = { t = t, entries = entries, meta = meta, name = name, plain = not keys and not objects and not meta }
  if meta then self:reach(meta, "the metatable of " .. name) end
  if keys then
    sort(keys, plain_before)
    for k = 1, #keys do self:reach(entries[keys[k]], name .. visit.key_text(keys[k])) end
  end
  if objects then
    self:order_objects(objects, name)
    for k = 1, #objects do
      self:reach(objects[k], "a key of " .. name)
      self:reach(entries[objects[k]], name .. "[object]")
    end
  end
end

function visit:drain()
  while self.queue[self.done + 1] do
    self.done = self.done + 1
    local value, name = self.queue[self.done][1], self.queue[self.done][2]
    local kind = type(value)
    if kind == "function" then
      self:function_contents(value, name)
    elseif check.record(value, "panels") then
      self:reach(check.record(value, "panels").tally, name)
    elseif kind == "table" and not visit.is_module_object(value) then
      self:table_contents(value, name)
    else
      self.opaque[#self.opaque + 1] = { value, name }
    end
  end
end

-- More variables than upvalues: those of the simulation that callbacks may assign.
local own_variables = { "state", "gravity" }

-- extra: a function that is called in this run alone (until_).
function visit:all(extra)
  local inner = self.inner
  local roots = inner.roots
  for k = 1, #roots do self:reach(roots.of[roots[k]], roots[k]) end
  if extra then self:reach(extra, "until_") end
  for _, variable in ipairs(own_variables) do
    local value = inner[variable]
    self.cells[#self.cells + 1] = { own = variable, id = variable, value = value, name = "sim." .. variable }
    self:reach(value, "sim." .. variable)
  end
  for _, name in ipairs(inner.session.module_names) do self:reach(package.loaded[name], "the module " .. name) end
  self:table_contents(known.globals, "the global variable")
  self:drain()
  -- what was there when the run began may have been released, and the script may still hold it
  for _, one in ipairs(not self.may_add and self.kept.started or {}) do self:reach(one[1], one[2]) end
  self:drain()
  return self
end

return visit
