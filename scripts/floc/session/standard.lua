-- Functions of Lua's library that would make a resumed run differ from an uninterrupted one, as the program gives them to
-- scripts instead.
--
-- pairs, next: neither Lua says in which order the entries of a table come, and both choose it again in every process
-- (strings are hashed with a random seed, objects by their address). Here numbers come first, in order, then strings in
-- order of their bytes, then false and true. Other keys come last, in whatever order, and where there are two or more
-- of them a warning reports it, once. What is assigned during a traversal is seen, what is set to nil is left out, what is
-- added is not visited. A table that is a list costs one walk, any other a sort of its keys.
-- math.random, math.randomseed: random.lua.
-- os.time, os.date, os.getenv: what they said is kept in the checkpoint, see session.learn.
-- require, dofile, loadfile, io.open, io.lines, io.input: what is read is compared with what was read before, see modules.lua.
-- coroutine.resume, coroutine.wrap: count, so that keep.lua knows which coroutines continued.
--
-- A host (plain luajit or lua5.4) keeps its own functions: they are not ours to change.

local check = require "floc.surface.check"
local visit = require "floc.session.visit"
local modules = require "floc.session.modules"
local random = require "floc.simulation.random"
local session = require "floc.session.session"
local shield = require "floc.trace.shield"
local traversal = require "floc.session.traversal"

local standard = {}

local type, select, rawget, getmetatable, error = type, select, rawget, debug.getmetatable, error
local real_next, real_pairs, sort = traversal.step, pairs, table.sort
local has_pairs_metamethod = _VERSION ~= "Lua 5.1"

-- ---- order --------------------------------------------------------------------------------------

local warned = false

local function warn_order(count)
  if warned then return end
  warned = true
  io.stderr:write(string.format("floc: warning: %spairs traverses a table with %d keys that are not numbers, strings or booleans: "
    .. "their order differs between processes, and so may the result after a resume\n", check.where(), count))
end

local rank, before = visit.key_rank, visit.plain_before

-- Keys of a table in order; nil when Lua's own order is that already: a list, or at most one entry.
local function ordered_keys(t)
  local keys, others, count, is_list = {}, nil, 0, true
  for key in real_next, t do
    if rank[type(key)] then
      count = count + 1
      keys[count] = key
      is_list = is_list and key == count
    else
      others = others or {}
      others[#others + 1] = key
    end
  end
  if not others and (is_list or count <= 1) then return nil end
  if not is_list then sort(keys, before) end
  for k = 1, others and #others or 0 do keys[count + k] = others[k] end
  if others and #others > 1 then warn_order(#others) end
  return keys
end

local function walk(t, keys)
  local k = 0
  return function()
    while true do
      k = k + 1
      local key = keys[k]
      if key == nil then return nil end
      local value = rawget(t, key)
      if value ~= nil then return key, value end
    end
  end
end

function standard.pairs(...)
  local t = ...
  local meta = has_pairs_metamethod and getmetatable(t)
  if type(t) ~= "table" or type(meta) == "table" and rawget(meta, "__pairs") then
    if select("#", ...) == 0 then return real_pairs() end
    return real_pairs(t)
  end
  local keys = ordered_keys(t)
  if not keys then return traversal.step, t, nil end
  return walk(t, keys), t, nil
end

-- ---- next ---------------------------------------------------------------------------------------

local orders = setmetatable({}, { __mode = "k" }) -- by table: { keys =, place = {} }, of the traversal in progress

local function order_of(t)
  local keys = ordered_keys(t)
  if not keys then return nil end
  local order = { keys = keys, place = {} }
  for k = 1, #keys do order.place[keys[k]] = k end
  return order
end

function standard.next(...)
  local t, key = ...
  if type(t) ~= "table" then return real_next(...) end
  local order
  if key == nil then
    local first = real_next(t)
    if first == nil or real_next(t, first) == nil then
      orders[t] = nil
      return real_next(t)
    end
    order = order_of(t)
    orders[t] = order
  else
    order = orders[t]
    if order and not order.place[key] then
      order = order_of(t)
      orders[t] = order
    end
  end
  if not order then return real_next(t, key) end
  local k = key == nil and 0 or order.place[key]
  if not k then error("invalid key to 'next'", 2) end
  while true do
    k = k + 1
    local found = order.keys[k]
    if found == nil then return nil end
    local value = rawget(t, found)
    if value ~= nil then return found, value end
  end
end

-- ---- coroutines ---------------------------------------------------------------------------------

local resumed = setmetatable({}, { __mode = "k" })

local real_resume, real_wrap = coroutine.resume, coroutine.wrap

function standard.resume(...)
  local thread = ...
  if thread ~= nil then resumed[thread] = (resumed[thread] or 0) + 1 end
  return real_resume(...)
end

function standard.wrap(...)
  local inner = real_wrap(...)
  local outer
  outer = function(...)
    resumed[outer] = resumed[outer] + 1
    return inner(...)
  end
  resumed[outer] = 0
  return outer
end

-- ---- what a script learns from outside ----------------------------------------------------------

local function learned(name, original)
  return function(...)
    local given, count = { ... }, select("#", ...)
    return session.learn(session.current(), name, function() return original((unpack or table.unpack)(given, 1, count)) end)
  end
end

-- Does the module itself call the function that asks?
local function is_own_call()
  local info = debug.getinfo(3, "S")
  return info and info.source:sub(1, 6) == "=floc/"
end

-- A function that reads the file that it is given first.
local function reading(name, original)
  return function(path, mode, ...)
    if type(path) == "string" and not is_own_call() and (name ~= "open" or mode == nil or type(mode) == "string" and mode:find "^r") then
      modules.reads("io." .. name, path)
    end
    if mode == nil and select("#", ...) == 0 then return original(path) end
    return original(path, mode, ...)
  end
end

local real_loadfile, real_dofile = loadfile, dofile

local function own_loadfile(path, ...) return modules.loadfile(real_loadfile, path, ...) end

local function own_dofile(path)
  if path == nil then return real_dofile() end
  local chunk, message = own_loadfile(path)
  if not chunk then error(check.where() .. message, 0) end
  return chunk()
end

-- ---- putting them in place ----------------------------------------------------------------------

local replaced = {
  _G = { pairs = standard.pairs, next = standard.next, loadfile = own_loadfile, dofile = own_dofile },
  math = { random = random.random, randomseed = random.randomseed },
  coroutine = { resume = standard.resume, wrap = standard.wrap },
  io = { open = reading("open", io.open), lines = reading("lines", io.lines), input = reading("input", io.input) },
  os = { time = learned("os.time", os.time), date = learned("os.date", os.date), getenv = learned("os.getenv", os.getenv) },
}

local installed = false

function standard.is_installed() return installed end

-- For the whole process: the program does it before it runs a script.
function standard.install()
  if installed then return end
  installed, random.installed = true, true
  modules.note_host()
  table.insert(package.searchers or package.loaders, 2, modules.searcher)
  visit.times_resumed = function(value) return resumed[value] or 0 end -- of a coroutine, or a function of coroutine.wrap
  for library, functions in real_pairs(replaced) do
    for name, fn in real_pairs(functions) do
      _G[library][name] = fn
      shield.know(fn, library == "_G" and name or library .. "." .. name)
    end
  end
  traversal.replace(standard.pairs, standard.next)
end

return standard
