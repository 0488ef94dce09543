-- What surrounds a law while it is traced: its upvalues, the tables it can reach, its globals.
--
-- For the time of the trace functions of math are replaced by ones that know symbols, functions whose result may be
-- another one next time (math.random, os.time, ...) by ones that refuse, and objects by guards, so that nothing
-- that can change is taken for a constant. Plain tables get a metatable, through which a look-up with a symbol
-- becomes a choice between the entries. Everything is put back at the end, and compared: a law that counts
-- calls or fills a table cannot be traced.
--
-- What a law reads of plain numbers is remembered (`watch`): when the script changes one of them later, the law is
-- traced again.

local session = require "floc.session.session"
local symbols = require "floc.trace.symbols"

local refuse, is_symbol = symbols.refuse, symbols.is_symbol
local debug, getmetatable = debug, debug.getmetatable
local setfenv, getfenv = rawget(_G, "setfenv"), rawget(_G, "getfenv")

local entry_limit, choice_limit = 4096, 32

local shield = {}
shield.__index = shield

-- ---- functions of the standard library ----------------------------------------------------------

local names, libraries = {}, {}
for library_name, library in pairs(_G) do
  if type(library) == "function" then
    names[library] = library_name
  elseif type(library) == "table" and library ~= _G and package.loaded[library_name] == library then
    libraries[library] = library_name
    for name, fn in pairs(library) do
      -- one function may have two names: atan and atan2 in Lua 5.4
      local full = library_name .. "." .. tostring(name)
      if type(fn) == "function" and (not names[fn] or full < names[fn]) then names[fn] = full end
    end
  end
end

names[pairs], names[next] = "pairs", "next" -- of the Lua half, see traversal.lua

-- A function that took the place of one of the library: it is treated as that.
function shield.know(fn, name) names[fn] = name end

-- The name of a function of the library, "math.sin"; nil for others.
function shield.name_of(fn) return names[fn] end

local safe = {}
for _, name in ipairs { "pairs", "ipairs", "next", "select", "unpack", "assert", "error", "rawlen" } do safe[name] = true end
for _, library in ipairs { "string", "table" } do
  for name in pairs(_G[library]) do safe[library .. "." .. name] = true end
end

local function has_symbol(...)
  for k = 1, select("#", ...) do
    if is_symbol((select(k, ...))) then return true end
  end
  return false
end

local stand_ins = {} -- by name

function stand_ins.type(original)
  return function(value) return is_symbol(value) and "number" or original(value) end
end

function stand_ins.tonumber(original)
  return function(value, base)
    if is_symbol(value) then return value end
    if base == nil then return original(value) end
    return original(value, base)
  end
end

for _, name in ipairs { "tostring", "rawequal", "rawget", "rawset", "getmetatable", "setmetatable", "math.type",
  "math.tointeger", "math.ult", "math.frexp", "math.ldexp" } do
  stand_ins[name] = function(original)
    return function(...)
      if has_symbol(...) then refuse("it calls %s with a value that is known only at run time", name) end
      return original(...)
    end
  end
end

local function stand_in_for(fn)
  local name = names[fn] or (debug.getinfo(fn, "S").what == "C" and "a function written in C" or "a function of floc")
  if safe[name] then return fn end
  if stand_ins[name] then return stand_ins[name](fn) end
  local bare = name:match("^math%.(.*)$")
  local symbolic = bare and symbols.of_math[bare]
  if symbolic then
    return function(...)
      if has_symbol(...) then return symbolic(...) end
      return fn(...)
    end
  end
  return function() refuse("it calls %s", name) end
end

-- ---- guards -------------------------------------------------------------------------------------

local function scalar(value)
  local kind = type(value)
  return kind == "number" or kind == "string" or kind == "boolean" or kind == "nil"
end

function shield:note(place)
  self.watch[#self.watch + 1] = place
  if type(place.value) == "number" then self.literals[place.value] = true end
end

-- An object instead of which the law gets a guard. Objects of the script may be read, as long as plain values come out.
function shield:guard(object, name)
  local meta = getmetatable(object)
  local readable = type(object) == "table" and not (type(meta) == "table" and meta.floc_name)
  local function read(_, key)
    if is_symbol(key) or not readable then
      refuse("it reads %s, whose contents may change; pass what the law needs as a parameter", name)
    end
    local value = object[key]
    if scalar(value) then self:note { object = object, key = key, value = value } end
    return self:replace(value, name .. "." .. tostring(key))
  end
  local function no_use() refuse("it uses %s, an object", name) end
  return setmetatable({}, { __index = read, __newindex = function() refuse("it writes to %s", name) end,
    __call = no_use, __len = no_use, __add = no_use, __sub = no_use, __mul = no_use, __div = no_use, __unm = no_use,
    __lt = no_use, __le = no_use, __concat = no_use })
end

function shield:library(library, name)
  local copy = {}
  for key, value in pairs(library) do copy[key] = self:replace(value, name .. "." .. tostring(key)) end
  return setmetatable(copy, { __newindex = function() refuse("it writes to %s", name) end })
end

-- Globals are looked at when they are asked for.
function shield:environment(env)
  return setmetatable({}, {
    __index = function(_, name)
      local value = env[name]
      if scalar(value) then self:note { object = env, key = name, value = value } end
      return self:replace(value, tostring(name))
    end,
    __newindex = function(_, name) refuse("it sets the global %s", tostring(name)) end,
  })
end

-- ---- tables and functions -----------------------------------------------------------------------

-- A look-up that raw access did not answer: with a symbol it is a choice between the entries with a number as key.
local function look_up(self, content)
  return function(_, key)
    if not is_symbol(key) then return nil end
    local keys = {}
    for candidate in pairs(content) do
      if type(candidate) == "number" then keys[#keys + 1] = candidate end
    end
    if #keys > choice_limit then
      refuse("it looks up a table of more than %d entries with a value that is known only at run time", choice_limit)
    end
    table.sort(keys)
    for _, candidate in ipairs(keys) do
      if self.decide("equal", key, candidate) then return content[candidate] end
    end
    return nil
  end
end

function shield:visit_table(t, name)
  local content, shown, count = {}, {}, 0
  for key, value in next, t do
    content[key] = value
    count = count + 1
  end
  self.entries = self.entries + count
  if self.entries > entry_limit then
    refuse("it refers to a table with more than %d entries (%s); copy the entries that it needs into local variables", entry_limit, name)
  end
  -- from here on the table is restored at the end, whatever happens
  self.tables[#self.tables + 1] = { t = t, name = name, content = content, shown = shown }
  self.replaced[t] = t
  for key, value in next, content do
    if type(key) == "number" then self.literals[key] = true end
    if scalar(value) then self:note { object = t, key = key, value = value, raw = true } end
    shown[key] = self:replace(value, name .. "." .. tostring(key))
    if shown[key] ~= value then rawset(t, key, shown[key]) end
  end
  debug.setmetatable(t, { __index = look_up(self, shown),
    __newindex = function() refuse("it writes to the table %s", name) end })
end

local upvalue_id = debug.upvalueid

function shield:visit_function(fn)
  local info = debug.getinfo(fn, "S")
  self.functions[#self.functions + 1] = { fn = fn, source = info.source, first = info.linedefined,
    last = info.lastlinedefined }
  if setfenv then
    local env = getfenv(fn)
    setfenv(fn, self:replace_environment(env))
    self.environments[#self.environments + 1] = { fn = fn, env = env }
  end
  for k = 1, 255 do
    local name, value = debug.getupvalue(fn, k)
    if not name then break end
    local id = upvalue_id and upvalue_id(fn, k) or {}
    if not self.seen_upvalue[id] then
      self.seen_upvalue[id] = true
      local shown
      if name == "_ENV" and not setfenv then
        shown = self:replace_environment(value)
      else
        if scalar(value) then self:note { fn = fn, number = k, value = value } end
        shown = self:replace(value, name)
      end
      if shown ~= value then debug.setupvalue(fn, k, shown) end
      self.upvalues[#self.upvalues + 1] = { fn = fn, number = k, name = name, value = value, shown = shown }
    end
  end
end

function shield:replace_environment(env)
  if not self.replaced[env] then
    local proxy = self:environment(env)
    self.replaced[env], self.replaced[proxy] = proxy, proxy
  end
  return self.replaced[env]
end

-- What stands in for a value while the law is traced.
function shield:replace(value, name)
  if scalar(value) or is_symbol(value) then return value end
  local known = self.replaced[value]
  if known then return known end
  local kind, shown = type(value), value
  if kind == "function" then
    local info = debug.getinfo(value, "S")
    if info.what == "C" or info.source:sub(1, 6) == "=floc/" then -- what the module is made of is not looked into
      shown = stand_in_for(value)
    else
      self.replaced[value] = value
      self:visit_function(value)
    end
  elseif value == _G then
    return self:replace_environment(value)
  elseif libraries[value] then
    shown = self:library(value, libraries[value])
  elseif kind == "table" and getmetatable(value) == nil then
    self:visit_table(value, name)
  else
    shown = self:guard(value, name)
  end
  self.replaced[value], self.replaced[shown] = shown, shown
  return shown
end

-- ---- from begin to end --------------------------------------------------------------------------

-- decide(operation, a, b): which way a comparison of two values goes in this call.
function shield.begin(fn, decide)
  local self = setmetatable({ decide = decide, watch = {}, literals = {}, tables = {}, functions = {}, environments = {},
    upvalues = {}, seen_upvalue = {}, replaced = {}, entries = 0 }, shield)
  self.replaced[fn] = fn
  local ok, problem = pcall(self.visit_function, self, fn)
  if ok then return self end
  self:finish()
  if symbols.is_refusal(problem) then return nil, problem.reason end
  error(problem, 0)
end

local function table_changed(one, expected)
  for key, value in next, one.t do
    if not rawequal(expected[key], value) then return true end
  end
  for key in next, expected do
    if rawget(one.t, key) == nil then return true end
  end
  return false
end

local function refill(one)
  for key in next, one.t do
    if one.content[key] == nil then rawset(one.t, key, nil) end
  end
  for key, value in next, one.content do rawset(one.t, key, value) end
end

-- A symbol, which a law may have left there, must not be compared: no decision can be made any more.
local function is_nan(value) return type(value) == "number" and value ~= value end

-- Compares with what was there before, and restores it; the reason if the law has changed something. shown:
-- against what stood in during the trace.
function shield:compare(shown)
  local reason
  for _, one in ipairs(self.upvalues) do
    local _, value = debug.getupvalue(one.fn, one.number)
    local expected = one.value
    if shown then expected = one.shown end
    if not rawequal(value, expected) and not (is_nan(value) and is_nan(expected)) then
      reason = reason or string.format("it changes %s, a variable outside of it", one.name)
    end
    debug.setupvalue(one.fn, one.number, one.value)
  end
  for _, one in ipairs(self.tables) do
    if table_changed(one, shown and one.shown or one.content) then
      reason = reason or string.format("it changes the table %s", one.name)
    end
    refill(one)
  end
  return reason
end

function shield:finish()
  for _, one in ipairs(self.tables) do debug.setmetatable(one.t, nil) end
  for _, one in ipairs(self.environments) do setfenv(one.fn, one.env) end
  return self:compare(true)
end

-- ---- what the script may change later -----------------------------------------------------------

local function present(place)
  if place.fn then
    local _, value = debug.getupvalue(place.fn, place.number)
    return value
  end
  if place.raw then return rawget(place.object, place.key) end
  return place.object[place.key]
end

-- Has something changed that the law has read?
function shield.changed(watch)
  for k = 1, #watch do
    local place = watch[k]
    local value = present(place)
    if value ~= place.value and value == value then return true end
  end
  return false
end

-- ---- numbers in the source ----------------------------------------------------------------------

local function text_of(source)
  if source:sub(1, 1) == "=" then return nil end
  if source:sub(1, 1) ~= "@" then return source end
  local one = session.current()
  if one.script_text and source == "@" .. tostring(one.script_name) then return one.script_text end
  return session.read_text(source:sub(2))
end

local function add_numbers(text, literals)
  for word in text:gmatch("[%w_%.]+[%+%-]?%d*") do
    local number = tonumber(word) or tonumber((word:match("^[%w%.]+")))
    if number then literals[number] = true end
  end
end

-- Every number that is written in the law and in the functions that it calls: where it may behave in a special way.
function shield:collect_literals()
  for _, one in ipairs(self.functions) do
    local text, line = text_of(one.source), 0
    for content in (text or ""):gmatch("([^\n]*)\n?") do
      line = line + 1
      if line > one.last then break end
      if line >= one.first then add_numbers(content, self.literals) end
    end
  end
  return self.literals
end

return shield
