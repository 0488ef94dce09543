-- Objects of the module and of Lua's library by names that hold in every process: how a checkpoint refers to what it does not contain.
-- See keep.lua.

local check = require "floc.surface.check"
local random = require "floc.simulation.random"
local sandbox = require "floc.session.sandbox"
local shield = require "floc.trace.shield"

local known = {}

local next, type, rawget, getmetatable = next, type, rawget, debug.getmetatable

-- Columns, laws, inlets and outlets: { their simulation's record, held weakly; "column vx" }.
local objects = setmetatable({}, { __mode = "k" })

function known.know(object, inner, name) objects[object] = { setmetatable({ inner }, { __mode = "v" }), name } end

-- Tables of Lua's library, with their names; the global variables are one.
local libraries = {}
known.libraries = libraries
for name, value in next, package.loaded do
  if type(value) == "table" and type(name) == "string" and not name:find "^floc" then libraries[value] = name end
end
libraries[_G] = "_G"

known.globals = _G

-- The environment that the script has in the sandbox: its libraries and functions go by the names of the usual ones.
function known.know_environment(env)
  known.globals = env
  libraries[env] = "_G"
  for name, value in next, env do
    if type(value) == "table" and package.loaded[name] then libraries[value] = name end
    if type(value) == "function" and not shield.name_of(value) then shield.know(value, name) end
  end
end

local makers = {}

function makers.simulation(value, one)
  local inner = check.record(value, "simulation")
  return inner and inner.session == one and "simulation " .. inner.number or nil
end

function makers.body(value, one)
  local record = check.record(value, "body")
  return record and record.inner.session == one and string.format("body %d %d", record.inner.number, record.number) or nil
end

function makers.random(value) return "random " .. random.name_of(value) end

-- The name of an object of the module or of Lua's library by which another process finds it; nil for others.
function known.name_of(value, one)
  local kind = type(value)
  local about = objects[value]
  if about then
    local inner = about[1][1]
    return inner and inner.session == one and string.format("of %d %s", inner.number, about[2]) or nil
  end
  if kind == "table" then
    if libraries[value] then return "library " .. libraries[value] end
    if value == one.values then return "args" end
    local meta = getmetatable(value)
    local make = type(meta) == "table" and makers[meta.floc_name]
    return make and make(value, one)
  elseif kind == "function" then
    local name = shield.name_of(value)
    return name and "function " .. name
  end
end

local finders = {}

function finders.simulation(one, rest)
  local inner = one.simulations[tonumber(rest)]
  return inner and inner.sim
end

function finders.body(one, rest)
  local simulation, number = rest:match "^(%d+) (%d+)$"
  local inner = one.simulations[tonumber(simulation)]
  for _, body in ipairs(inner and inner.bodies or {}) do
    if body.number == tonumber(number) then return body end
  end
end

function finders.of(one, rest)
  local simulation, kind, name = rest:match "^(%d+) (%a+) (.*)$"
  local inner = one.simulations[tonumber(simulation)]
  if not inner then return nil end
  if kind == "column" then return inner.sim[name] end
  if kind == "stream" then return (inner.stream_objects or {})[tonumber(name)] end
  return (inner.law_handles or {})[tonumber(name)]
end

function finders.random(one, rest) return random.object_of(one, rest) end

-- Only what the script itself could name: in the sandbox a checkpoint is as little trusted as a script.
function finders.library(_, rest)
  local found = rest == "_G" and known.globals or rawget(known.globals, rest)
  if found == nil and not sandbox.is_active() then found = package.loaded[rest] end
  return libraries[found] == rest and found or nil
end

function finders.args(one) return one.values end

finders["function"] = function(one, rest)
  local library, field = rest:match "^(.*)%.([^.]*)$"
  local from = library and finders.library(one, library) or not library and known.globals or {}
  local found = rawget(from, field or rest)
  return type(found) == "function" and found or nil
end

function known.is_object(value) return objects[value] ~= nil end

-- The object of a name, as `name_of` gave it; nil: the script has none.
function known.find(one, name)
  local head, rest = name:match "^(%S+) ?(.*)$"
  return finders[head] and finders[head](one, rest)
end

return known
