-- Variants of escapes from the sandbox, all in one process: a plain Lua loads the module, closes the sandbox as `floc run
-- --sandbox` does, and runs each text below as a script of a stranger. Whatever a script comes to hold (what it
-- returns, what it gives to got(), its error) is walked as far as the script itself could walk, by keys, by metatables that
-- it is shown, by its own tables. It must not hold
--   a cdata, a light userdata, or a userdata other than a column and paths of rays,
--   a library of the host or one of the functions that the sandbox leaves out,
--   an inner table or function of the module: floc.core, its other modules, sessions, the record behind a simulation,
-- and no library, module or metatable may be another one afterwards. No exception is made for laws.
--
--   luajit sandbox_escapes.lua CPATH FOLDER    prints a line for each: "ok NAME" or "ESCAPE NAME: what it holds"

local cpath, folder = ...
package.cpath = cpath
local floc = require "floc"
local core = require "floc.core"
local modules = require "floc.session.modules"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"
local has_ffi, ffi = pcall(require, "ffi")
require("floc.session.standard").install() -- as the program does

-- ---- what must not be held ----------------------------------------------------------------------

local forbidden = {}
local function forbid(value, name)
  local kind = type(value)
  if kind == "table" or kind == "function" or kind == "userdata" then forbidden[value] = forbidden[value] or name end
end

local libraries = { _G = _G, io = io, os = os, debug = debug, package = package, string = string, math = math, table = table,
  coroutine = coroutine, jit = rawget(_G, "jit"), bit = rawget(_G, "bit"), utf8 = rawget(_G, "utf8"), loaded = package.loaded, preload = package.preload,
  core = core, registry = debug.getregistry(), searchers = package.searchers or package.loaders }
for name, library in pairs(libraries) do forbid(library, name) end
for _, name in ipairs { "io", "os", "debug", "package", "jit", "core" } do
  for key, value in pairs(libraries[name] or {}) do forbid(value, name .. "." .. tostring(key)) end
end
for _, name in ipairs { "collectgarbage", "dofile", "getfenv", "getmetatable", "load", "loadfile", "loadstring", "module", "newproxy", "print", "rawget",
  "rawset", "require", "setfenv", "setmetatable" } do
  forbid(rawget(_G, name), name)
end
forbid(string.dump, "string.dump")
for name, module in pairs(package.loaded) do
  if name:find "^floc%." and name ~= "floc.output.plot" and name ~= "floc.simulation.lubrication" and name ~= "floc.init" then forbid(module, name) end
end
forbid(debug.getmetatable "", "metatable of texts")
forbid(debug.getmetatable(io.stdout), "metatable of files")
forbid(sandbox.lifted, "sandbox.lifted")
if has_ffi then for key, value in pairs(ffi) do forbid(value, "ffi." .. tostring(key)) end end

local getmetatable, next, type, tostring, pairs, rawget = debug.getmetatable, next, type, tostring, pairs, rawget

-- What a script holds too much; nil when all is well. see: getmetatable as the script has it.
local function finding(value, path, see, seen)
  local kind = type(value)
  if kind == "cdata" then return path .. " is a cdata" end
  if kind ~= "table" and kind ~= "function" and kind ~= "userdata" then return nil end
  if forbidden[value] then return path .. " is " .. forbidden[value] end
  if seen[value] then return nil end
  seen[value] = true
  local meta = getmetatable(value)
  if kind == "userdata" and not (meta and (meta.floc_name == "column" or meta.__name == "floc.column_view" or meta.__metatable == "floc.column"
    or meta == debug.getregistry()["floc.ray_paths"])) then return path .. " is a userdata" end
  if kind == "table" then
    if meta and rawget(meta, "inner") and meta.floc_name == "simulation" then forbid(meta.inner, "the record of a simulation") forbid(meta.inner.world, "a world") end
    for key, field in next, value do
      local found = finding(key, path .. " key", see, seen) or finding(field, path .. "." .. tostring(key), see, seen)
      if found then return found end
    end
  end
  local shown = see(value)
  return shown and finding(shown, path .. " metatable", see, seen)
end

-- ---- what must stay as it is --------------------------------------------------------------------

local watched = { debug.getmetatable "", debug.getmetatable(io.stdout), core, core.symbols }
for name, library in pairs(libraries) do
  if name ~= "registry" and name ~= "loaded" then watched[#watched + 1] = library end
end
for name, module in pairs(package.loaded) do
  if name:find "^floc%." and type(module) == "table" and name ~= "floc.session.session" then watched[#watched + 1] = module end
end
local before

local function take()
  local all = {}
  for k, one in ipairs(watched) do
    all[k] = {}
    for key, value in next, one do all[k][key] = value end
  end
  return all
end

local function change()
  for k, one in ipairs(watched) do
    for key, value in next, one do
      if before[k][key] ~= value then return "something of the host has become another: " .. tostring(key) end
    end
    for key in next, before[k] do
      if rawget(one, key) == nil then return "something of the host is gone: " .. tostring(key) end
    end
  end
  if not sandbox.is_active() or sandbox.allow_files() then return "the sandbox is off" end
end

-- ---- one variant --------------------------------------------------------------------------------

local head = [[local floc = require "floc" local sim = floc.simulation { time_step = 0.01 } sim.state.a = 1
sim:add_particle { position = { 0, 0 }, radius = 0.1 } sim:add_particle { position = { 1, 0 }, radius = 0.1 }
local body = sim:add_body { shape = floc.plane { point = { 0, -5 }, normal = { 0, 1 } } } local x = sim.x ]]

local function attempt(text, more)
  local env, held = sandbox.environment(floc, modules.require_in), {}
  local one = session.new { script_name = folder .. "/escape.lua", script_text = text, quiet = true }
  function env.got(...)
    for k = 1, select("#", ...) do held[#held + 1] = (select(k, ...)) end
  end
  for key, value in pairs(more or {}) do env[key] = value end
  held[1] = env
  local chunk, message = sandbox.load(head .. text, "@escape.lua", env)
  session.push(one)
  local results = chunk and { pcall(chunk) } or { false, message }
  session.pop()
  for k = 2, #results + 1 do held[#held + 1] = results[k] end
  local seen = { [held] = true }
  for k = 1, #held do
    local found = finding(held[k], k == 1 and "_ENV" or "value", env.getmetatable, seen)
    if found then return found, results end
  end
  return change(), results
end

-- ---- the variants -------------------------------------------------------------------------------

local variants = {}
local function try(kind, texts)
  local count = 0
  for line in texts:gmatch "[^\n]+" do
    count = count + 1
    variants[#variants + 1] = { name = kind .. " " .. count, text = line }
  end
end

-- Every key that may lead inwards, of every object that the module gives out.
local objects = { "floc", "sim", "sim.x", "sim.radius", "body", "sim.state", "sim.bodies", "sim:report()", "floc.box { lower = { 0, 0 }, upper = { 1, 1 } }", "floc.inelastic {}",
  "sim:add_field { law = function(x) return x, 1 end }", "floc.panels {}", "floc.plot", "floc.lubrication", "sim:clusters {}", "sim.run", "floc.simulation", "''", "0", "true", "nil", "got" }
local keys = { "values", "slots", "count", "above", "name", "words", "inner", "world", "session", "core", "meta", "__index", "__newindex", "__metatable", "__gc", "__len", "__tostring",
  "floc_name", "floc_kinds", "fn", "law", "record", "graph", "node", "dump", "_G", "_ENV", "require", "io", "os", "ffi", "debug", "package", "out", "cdef" }
for _, object in ipairs(objects) do
  local parts = { "local object = " .. object }
  for _, key in ipairs(keys) do
    parts[#parts + 1] = string.format("got(select(2, pcall(function() return object[%q] end)))", key)
    if key ~= "out" and object ~= "got" then
      parts[#parts + 1] = string.format("got(select(2, pcall(function() local was = object[%q] object[%q] = got got(object[%q]) object[%q] = was end)))", key, key, key, key)
    end
  end
  parts[#parts + 1] = "for _, key in ipairs { 0, -1, 1, 1.5, 2 ^ 31, 2 ^ 53, 1 / 0, 0 / 0, {}, print, sim, x, true } do got(select(2, pcall(function() return object[key] end))) end"
  variants[#variants + 1] = { name = "keys of " .. object, text = table.concat(parts, " ") }
end

try("column", [[
return x.values[1]
x.values = nil return x[1]
x.count = 1e9 return x[5e8]
x.slots = x return x[1]
sim.radius.values[1] = -1
return x[x]
return x[sim]
x[1] = x
x[1] = {}
x[1] = "7"
x[1] = 0 / 0
x[1] = 1 / 0
x[1] = -1 / 0
sim.radius[1] = 0
sim.mass[1] = -1
return tostring(x), #x
return ("%p"):format(x) == nil
for key, value in pairs(x) do got(key, value) end
for key, value in ipairs(x) do got(key, value) end
for key, value in next, x do got(key, value) end
return x + 1
return x .. ""
return x()
return -x
return x == 1, x == sim.y, x < sim.y
return unpack and unpack(x, 1, 2) or table.unpack(x, 1, 2)
return table.concat(x)
table.sort(x)
table.insert(x, 1)
table.remove(x)
return rawget(x, "values"), rawequal(x, x)
rawset(x, "values", 1)
return rawlen and rawlen(x)
return getmetatable(x)
return setmetatable(x, { __index = got })
return setmetatable({}, { __index = x })[1], setmetatable({}, { __index = x }).values
local t = setmetatable({}, { __newindex = x }) t[1] = 5 t.values = 5 return t
local keep do local other = floc.simulation { time_step = 1 } other:add_particle { position = { 0, 0 }, radius = 1 } keep = other.x end collectgarbage() collectgarbage() return keep[1]
x[setmetatable({}, { __tostring = function(self) got(self) return "x" end })] = 1
return x[setmetatable({}, { __tostring = function() return nil end })]
for k = 1, 300 do sim:add_particle { position = { k + 2, 0 }, radius = 0.1 } end return x[1], x[302]
sim:map("x", function(x, id) return sim.x[id] end)
sim:map("x", function(x) sim:add_particle { position = { 9, 9 }, radius = 0.1 } return x end)
return sim:sum(function(x) got(x) return x end)
sim:map({ "x", "values" }, function(x) return x, x end)
sim.x = x
sim.values = x
]])

try("metatable", [[
return getmetatable(sim)
return getmetatable(floc)
return getmetatable("")
return getmetatable("").__index
return getmetatable(print), getmetatable(1), getmetatable(nil), getmetatable(true)
return getmetatable(coroutine.create(print))
return getmetatable(floc.box { lower = { 0, 0 }, upper = { 1, 1 } })
return getmetatable(body), getmetatable(sim:add_field { law = function(x) return x, 1 end })
setmetatable(sim, { __index = got })
setmetatable(floc, nil)
setmetatable("", { __index = got })
setmetatable(_G, { __index = function(_, key) got(key) end }) return undefined
setmetatable(string, { __index = got }) return string.dump
setmetatable(math, { __index = _G }) return math.require
return rawget(sim, "inner"), rawget(floc, "simulation"), rawget(body, "number")
rawset(sim, "x", {}) return sim.x
rawset(floc, "simulation", got)
rawset(string, "format", got) return ("%d"):format(1)
string.format = got return ("%d"):format(1)
string.rep, table.concat, math.floor, tostring, type, pairs, error, select = got, got, got, got, got, got, got, got sim:run { steps = 1 }
local fake = setmetatable({}, { inner = { world = x }, floc_name = "simulation" }) return sim.measure(fake, "kinetic_energy")
local inner = setmetatable({}, { __index = function(_, key) got(key) return x end }) return sim.run(setmetatable({}, { inner = inner }), { steps = 1 })
local inner = setmetatable({}, { __index = function(_, key) got(key) return got end }) return sim.add_body(setmetatable({}, { inner = inner }), {})
local inner = setmetatable({}, { __index = function(_, key) got(key) return got end }) return sim.step(setmetatable({}, { inner = inner }))
local inner = setmetatable({}, { __index = function(_, key) got(key) return {} end }) return floc.panels {}:add(setmetatable({}, { inner = inner }), {})
local meta = setmetatable({}, { __index = function(_, key) got(key) return true end }) return sim.run(setmetatable({}, meta), { steps = 1 })
local kinds = setmetatable({}, { __index = function(_, key) got(key) return true end }) sim:add_body { shape = setmetatable({}, { floc_kinds = kinds, floc_name = "mesh" }) }
sim:add_body { shape = setmetatable({ path = "/etc/passwd", scale = 1, thickness = 0 }, { floc_kinds = { shape = true }, floc_name = "mesh" }) }
local meta = setmetatable({}, { __index = function(_, key) got(key) return { shape = true, region = true, scheme = true } end }) sim:add_body { shape = setmetatable({}, meta) }
floc.simulation { time_step = 1, scheme = setmetatable({}, { floc_kinds = { scheme = true }, floc_name = "world_pointer" }) }
floc.simulation { time_step = 1, domain = setmetatable({ lower = {}, upper = {} }, { floc_kinds = { domain = true }, floc_name = "box" }) }
sim:add_particles { count = 1, radius = 0.1, region = setmetatable({ lower = x, upper = x }, { floc_kinds = { region = true }, floc_name = "box" }) }
local shape = floc.plane { normal = { 0, 1 } } shape.normal = x return sim:add_body { shape = shape }
local shape = floc.sphere { center = { 0, 0, 0 }, radius = 1 } shape.path, shape.radius = "/etc/passwd", got return sim:add_body { shape = shape }
local t = setmetatable({}, { __index = function(t, key) got(t, key) end, __len = function() return 1e9 end }) floc.simulation(t)
local t = setmetatable({}, { __metatable = got, __index = got }) return getmetatable(t), floc.simulation(t)
floc.simulation { time_step = setmetatable({}, { __lt = got, __le = got, __sub = got, __tostring = got }) }
floc.simulation(setmetatable({}, { floc_name = io, __pairs = got }))
return getmetatable(setmetatable({}, { __name = "floc.simulation" }))
]])

try("finaliser", [[
setmetatable({}, { __gc = function(o) got(o) end }) collectgarbage() collectgarbage "collect"
setmetatable({}, { __gc = function() got(debug, io, require "floc") error(sim) end }) collectgarbage()
setmetatable({}, { __gc = setmetatable({}, { __call = got }) }) collectgarbage()
local t = setmetatable({}, { __mode = "k" }) t[sim] = x sim = nil collectgarbage() for key, value in pairs(t) do got(key, value) end
collectgarbage "stop"
collectgarbage("step", 100)
collectgarbage("setpause", 0)
collectgarbage(setmetatable({}, { __tostring = function() return "stop" end }))
return collectgarbage "count", collectgarbage "collect"
sim = nil x = nil body = nil collectgarbage() collectgarbage()
local t = setmetatable({}, { __close = got, __mode = "v" }) t[1] = sim.y return t
return newproxy, newproxy and newproxy(true)
]])

try("random", [[
return floc.random "a", floc.random("a"):uniform(), math.random(), math.random(1, 6), math.randomseed(3)
return floc.random("a").stream, floc.random("a").name, getmetatable(floc.random "a")
return floc.random(sim), floc.random(x)
return floc.random("a").uniform(setmetatable({}, { floc_name = "random", stream = got }))
return floc.random("a").uniform(sim), floc.random("a").integer(x, 1, 2)
return rawget(floc.random "a", "stream"), next(floc.random "a")
return math.random(x), math.random(sim)
for key, value in pairs(setmetatable({}, { __pairs = function(t) got(t) return next, floc, nil end })) do got(key, value) end
for key, value in next, floc do got(key, value) end
local t = { b = 1, a = 2, [sim] = 3 } for key, value in pairs(t) do got(key, value) t[key] = nil end
return next({}, sim), next(sim, "inner")
sim:every(1, function() sim:add_field { law = function(x) return math.random(), 0 end } end) sim:run { steps = 1 }
sim:add_body(setmetatable({ shape = floc.plane { normal = { 0, 1 } } }, { floc_name = {} }))
sim.state = setmetatable({ body = body }, { floc_name = "body", __index = got }) sim:run { steps = 1 }
sim:add_body { shape = floc.plane { normal = { 0, 1 } }, velocity = setmetatable({}, { __call = got, floc_name = "law" }) }
]])

try("coroutine", [[
return coroutine.wrap(function() return coroutine.running() end)()
return coroutine.wrap(function() got(getmetatable(sim), _G) return pcall(error, x) end)()
local co = coroutine.create(function() sim:run { until_ = function(s) coroutine.yield(s) return true end } end) got(coroutine.resume(co)) got(coroutine.resume(co))
local co = coroutine.create(function() sim:every(1, function(s) coroutine.yield(s, x) end) sim:run { steps = 1 } end) got(coroutine.resume(co))
local co = coroutine.wrap(function() sim:map("x", function(x) coroutine.yield(x) return x end) end) got(pcall(co)) got(pcall(co)) sim:run { steps = 1 }
local co = coroutine.wrap(function() return sim:sum(function(x) return coroutine.yield(x) end) end) got(pcall(co)) got(pcall(co, got))
local co = coroutine.wrap(function() sim:add_field { law = function(x) coroutine.yield(x) return 0, 0 end } end) got(pcall(co)) got(pcall(co))
local co = coroutine.create(function() floc.resume "x.floc" end) got(coroutine.resume(co)) got(coroutine.status(co))
local co co = coroutine.create(function() got(coroutine.resume(co)) end) got(coroutine.resume(co))
got(coroutine.close and coroutine.close(coroutine.create(print)), coroutine.isyieldable and coroutine.isyieldable())
got(coroutine.yield(sim))
local co = coroutine.wrap(error) got(pcall(co, sim))
local co = coroutine.create(function() local t <const> = 1 end) got(coroutine.resume(co))
got(coroutine.wrap(load)("return _G"))
got(coroutine.wrap(require)("floc"))
got(pcall(coroutine.wrap(function() return string.gsub("x", "x", coroutine.yield) end)))
]])

try("text", [[
return tostring(sim), tostring(floc), tostring(body), tostring(floc.plane { normal = { 0, 1 } })
return tostring(setmetatable({}, { __tostring = function(t) got(t) return t end }))
return tostring(setmetatable({}, { __name = sim }))
return ("x").dump, string.dump, ("x"):dump()
return ("x"):rep(1e9):len()
return ("%s %p"):format(sim, sim)
return ("%d"):format(x)
return ("%q"):format(sim)
return ("x"):gsub("x", { x = sim })
return ("x"):gsub("x", function(s) got(s) return sim end)
return ("x"):gsub("x", setmetatable({}, { __index = function(t, key) got(t, key) return got end }))
return ("x"):gmatch("x")()
return string.char(27, 76, 74) .. "", load(string.char(27, 76, 74))
return string.pack and string.pack("j", sim)
return string.unpack and string.unpack("j", ("x"):rep(8))
return string.buffer, string.format("%a", 1)
return utf8 and utf8.char(27)
return ("x").format("%s", setmetatable({}, { __tostring = function() error(sim) end }))
return select("#", ("x"):byte(1, -1)), select(-1, sim, x)
]])

try("error", [[
return pcall(error, sim)
return pcall(error, x, 2)
return pcall(function() sim.x[9] = 1 end)
return pcall(floc.args, 1), pcall(floc.args, { a = {} })
return xpcall(function() sim:run {} end, function(e) got(e) return e end)
return xpcall(sim.run, function(...) got(...) return sim end, sim, { steps = -1 })
return xpcall(error, got, setmetatable({}, { __tostring = error }))
sim:every(1, function() error(sim) end) got(pcall(sim.run, sim, { steps = 1 }))
sim:every(1, function() error(setmetatable({}, { __tostring = function(e) got(e) return "x" end })) end) got(pcall(sim.run, sim, { steps = 1 }))
sim:every(1, function(...) got(...) error() end) got(pcall(sim.run, sim, { steps = 1 }))
sim.gravity = function(t) error(x) end got(pcall(sim.run, sim, { steps = 1 }))
sim.gravity = function(t) return x, sim end got(pcall(sim.run, sim, { steps = 1 }))
sim.gravity = function(t) return setmetatable({}, { __index = x }) end got(pcall(sim.run, sim, { steps = 1 }))
sim.gravity = setmetatable({ 0, 0 }, { __index = got }) got(pcall(sim.run, sim, { steps = 1 }))
got(pcall(sim.run, sim, { until_ = function(s) error(s) end }))
got(pcall(sim.run, sim, { until_ = function(...) got(...) return x end }))
got(pcall(sim.add_particle, sim, sim)) got(pcall(sim.add_particle, x, {})) got(pcall(sim.add_particle))
local function f() return f() end got(pcall(f == nil and f or function() local function g() return g() + 1 end return g() end))
got(pcall(assert, false, sim), pcall(assert, nil, x))
error(sim)
error(setmetatable({}, { __index = _G, __tostring = function() return sim end }))
]])

try("debug", [[
return debug, debug and debug.getinfo, debug and debug.getregistry()
return getfenv, getfenv and getfenv(0)
return setfenv, setfenv and setfenv(sim.run, {})
return getfenv and getfenv(floc.simulation)
return _ENV, _G._G, _G == _ENV
_G = { require = got } got(require)
_ENV = setmetatable({}, { __index = got })
local _ENV = { got = got } got(_ENV)
local _ENV = setmetatable({}, { __index = floc }) got(simulation) got(out) got(io)
return jit, jit and jit.util, jit and jit.on
return ffi, bit and bit.ffi, bit, math, table
return package, package and package.loaded, module
return io, os, os and os.getenv, io and io.stdout
return dofile, loadfile, arg
return math.random, math.randomseed(1), math.type
return coroutine.debug, coroutine.getinfo
return unpack, table.unpack, table.getn, table.foreach
return _VERSION, warn
if warn then warn("@on") warn("x") end
return floc.core, floc.check, floc.session
return floc.symbols, floc.lib, floc.C
return floc.ffi
floc.out = "/tmp/escape" return floc.out
floc.out = sim
]])

try("load", [[
return load "return _G"
return load "return ..."(sim)
return load("return io", "x", "bt", setmetatable({}, { __index = _G }))()
return load("return _ENV", "x", "t", nil)()
return load("return _ENV", "x", "t", got)
return load("x = 1", "=floc/surface/check.lua", "t", {})
got(load("error 'x'", "=floc/surface/check.lua")) got(pcall(load("error 'x'", "=floc/check.lua")))
return load "\27Lua"
return load("\27LJ\2")
return load(function() return nil end)
local k = 0 return load(function() k = k + 1 return ({ "\27", "LJ\2" })[k] end)
local k = 0 return load(function() k = k + 1 return ({ "", "\27LJ" })[k] end)
return load(function() return sim end)
return load(function() return 5 end)
return load(function() error(sim) end)
return load(setmetatable({}, { __call = function() return nil end, __tostring = function() return "return io" end }))
return load(sim)
return load "return 1LL"
return load "return 0x1ULL"
return load "return 5i"
return load "local function f() return function() return { 1LL } end end return f()()"
return load("return 1", setmetatable({}, { __tostring = function() return "@/etc/passwd" end }))
return loadstring("return getfenv and getfenv(1)")()
return loadstring("\27LJ")
return load("goto continue ::continue:: return 1 // 1")
return load(("("):rep(1e5))
return load(("return "):rep(1) .. ("{"):rep(300) .. ("}"):rep(300))
return tonumber "1LL", tonumber("0x1ULL"), tonumber("5i")
return nil + 1
return bit and bit.band(1, "1"), bit and bit.tobit(x)
return string.load, table.load, math.load
]])

try("require", [[
return require "ffi"
return require "jit"
return require "jit.util"
return require "string.buffer"
return require "table.new"
return require "io"
return require "os"
return require "debug"
return require "package"
return require "string"
return require "_G"
return require "floc.core"
return require "floc.ffi"
return require "floc.init"
return require "floc.session.sandbox"
return require "floc.session.session"
return require "floc.session.modules"
return require "floc.command.command"
return require "../secret"
return require "..secret"
return require "/etc/passwd"
return require "secret\0"
return require "secret/../secret"
return require ""
return require "."
return require "a..b"
return require(nil)
return require(sim)
return require(setmetatable({}, { __tostring = function() return "ffi" end }))
return require "own"
require("own").broken = got return require "own"
return require "escape_c"
return require "link"
return require "compiled"
]])

try("file", [[
return floc.mesh { path = "/etc/passwd" }
return floc.mesh { path = "escape.stl", scale = 1 }
sim:checkpoint "pwned.floc"
sim:checkpoint { path = "pwned.floc", every = 1 } sim:run { steps = 1 }
sim:every(1, function() sim:checkpoint "pwned.floc" end) sim:run { steps = 1 }
sim:every(1, function() sim:checkpoint { path = "pwned.floc", on_failure = "go_on" } end) sim:run { steps = 1 }
sim:picture "pwned.png"
sim:picture { path = "pwned.svg" }
sim:record { movie = "pwned.mp4", every = 1 }
sim:record { movie = "pwned%d.png", every = 1 }
sim:write_vtp { path = "pwned", every = 1 }
sim:write_xyz { path = "pwned.xyz", every = 1 }
sim:observe { path = "pwned.tsv", every = 1, columns = { "time" } }
sim:observe { path = "pwned.tsv", columns = { { "x", function(...) got(...) return 1 end } } } sim:run { steps = 1 }
sim:record_problem "pwned.problem" sim:run { steps = 1 }
floc.plot { path = "pwned.png", series = { { x = { 1 }, y = { 1 } } } }
local p = floc.panels {} p:add(sim, {}) p:write "pwned.png"
return floc.output "pwned.txt"
floc.out = "pwned" return floc.output "x"
return floc.resume "/etc/passwd"
return floc.resume "own.floc"
return floc.resume { path = "x" }
floc.report { claim = "x", value = 1, expect = { at_least = 0 } }
floc.report { claim = "x", value = sim }
sim.vx[1] = 1e308 sim.vx[2] = -1e308 sim:run { steps = 20 }
sim.state = setmetatable({}, { __index = sim, __pairs = got }) sim:checkpoint "pwned.floc"
sim.state.s = sim sim.state.f = got sim:checkpoint "pwned.floc"
local t = {} t.t = t sim.state = t sim:checkpoint "pwned.floc"
sim.state = sim return sim.state
return sim:hash(), sim:report(), sim:columns(), sim:contacts(), sim:measure "kinetic_energy"
]])

try("law", [[
sim:add_field { law = function(x) got(x) return x, 0 end }
local leak = {} got(pcall(sim.add_field, sim, { law = function(x) leak[1] = x return x, 0 end })) got(leak)
local leak got(pcall(sim.add_field, sim, { law = function(x) leak = x return x, 0 end })) got(leak, pcall(function() return leak < 1, leak == 1, leak + 1, -leak end))
leaked = nil got(pcall(sim.add_field, sim, { law = function(x) leaked = x return x, 0 end })) got(leaked)
local leak got(pcall(sim.add_field, sim, { law = function(x) ("x"):gsub("x", function() leak = x end) return x, 0 end })) got(leak)
local leak = {} got(pcall(sim.add_field, sim, { law = function(x) table.insert(leak, x) return x, 0 end })) got(leak)
local leak = {} got(pcall(sim.add_field, sim, { law = function(x) rawset(leak, 1, x) return x, 0 end })) got(leak)
local leak = setmetatable({}, { __newindex = function(t, k, v) got(v) end }) got(pcall(sim.add_field, sim, { law = function(x) leak[1] = x return x, 0 end }))
local leak = setmetatable({}, { __index = function(t, k) got(k) return 1 end }) got(pcall(sim.add_field, sim, { law = function(x) return leak[x], 0 end }))
local f = coroutine.wrap(function(v) while true do v = coroutine.yield(v) got(v) end end) got(pcall(sim.add_field, sim, { law = function(x) f(x) return x, 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) error(x) end }))
got(pcall(sim.add_field, sim, { law = function(x) error { x } end }))
got(pcall(sim.add_field, sim, { law = function(x) error(setmetatable({}, { __tostring = function() got(x) return "x" end })) end }))
local meta = { __tostring = function(t) got(t, t[1]) return "x" end } got(pcall(sim.add_field, sim, { law = function(x) local t = setmetatable({ x }, meta) error(t) end }))
got(pcall(sim.add_field, sim, { law = function(x) return pcall(got, x) end }))
got(pcall(sim.add_field, sim, { law = function(x) return x.node, 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) x.node = 5 return x, 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) x[0] = 5 return x[0], 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return #x, -x end }))
got(pcall(sim.add_field, sim, { law = function(x) return x(), 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return x .. "", 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return ("%p"):format(x), 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return tostring(x), 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return getmetatable(x), 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return setmetatable(x, {}), 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return next(x), 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) for k, v in pairs(x) do got(k, v) end return x, 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return rawget(x, 1), rawlen(x) end }))
got(pcall(sim.add_field, sim, { law = function(x) return table.concat { x }, 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) table.sort({ x, x }, function(a, b) got(a, b) return a < b end) return x, 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return require("floc").simulation { time_step = 1 }, 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return floc.args { a = x }.a, 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return load "return 1"(), 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) return sim.x[1], sim.x[x] end }))
got(pcall(sim.add_field, sim, { law = function(x) sim.x[1] = x return x, 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) sim.state.leak = x return x, 0 end })) got(sim.state)
got(pcall(sim.add_field, sim, { law = function(x) math.floor = x return x, 0 end })) got(math.floor)
got(pcall(sim.add_field, sim, { law = function(x) _G.leak = x return x, 0 end })) got(_G.leak)
local t = {} got(pcall(sim.add_field, sim, { law = function(x) t[x] = 1 return x, 0 end })) for k in pairs(t) do got(k) end
got(pcall(sim.add_field, sim, { law = function(x) local t = {} t[x] = x return t[x], 0 end }))
got(pcall(sim.add_field, sim, { law = function(x) if bit then return bit.tobit(x), 0 end return x // 1, x % 1 end }))
got(pcall(sim.add_field, sim, { law = function(x) return math.type and math.type(x) or 0, select("#", x) end }))
got(pcall(sim.add_field, sim, { law = got })) got(pcall(sim.add_field, sim, { law = print })) got(pcall(sim.add_field, sim, { law = load })) got(pcall(sim.add_field, sim, { law = require }))
got(pcall(sim.add_field, sim, { law = math.sin })) got(pcall(sim.add_field, sim, { law = floc.simulation })) got(pcall(sim.add_field, sim, { law = sim.run }))
got(pcall(sim.add_field, sim, { law = function(x) return x, 0 end, way = "called" }))
got(pcall(sim.add_field, sim, { law = function(x) return x, 0 end, way = "chunked" }))
local law = sim:add_field { law = function(x, k) return k * x, 0 end, parameters = { k = 1 } } law.k = x
local law = sim:add_field { law = function(x, k) return k * x, 0 end, parameters = { k = 1 } } law.k = 2 law.way = "called" return law.k, law.reason
return sim:explain(sim:add_field { law = function(x) return x < 0 and 1 or 2, 0 end })
return sim:explain(x), sim:explain(setmetatable({}, { way = "traced" }))
got(sim:add_force { law = function(distance, overlap) if overlap < 0 then return 0 end return overlap * distance end, range = 0.1 }) sim:run { steps = 2 }
got(pcall(sim.add_force, sim, { potential = function(distance) got(distance) return distance ^ 2 end, range = 0.1 }))
got(pcall(sim.add_wall_force, sim, { law = function(distance, body, material) got(body, material) return 0 end, range = 0.1 }))
sim:add_attribute("charge", 1) got(pcall(sim.add_evolution, sim, { attributes = { "charge" }, law = function(charge) got(charge) return -charge end }))
got(pcall(sim.set_a_priori, sim, function(vx, vy) got(vx) return vx, vy end))
got(pcall(sim.add_flow, sim, { law = function(x, y) got(x, y) return y, 0 end, relaxation_time = 1 }))
]])

try("callback", [[
sim:every(1, got) sim:run { steps = 1 }
sim:every(1, function(...) got(...) sim:every(1, got) end) sim:run { steps = 1 }
sim:every(1, function(s) s:add_particle { position = { 5, 5 }, radius = 0.1 } got(s.x[3], s.bodies) end) sim:run { steps = 2 }
sim:every(1, function(s) s:run { steps = 1 } end) sim:run { steps = 1 }
sim:every(1, function(s) s:add_body { shape = floc.plane { normal = { 0, 1 } } } end) sim:run { steps = 1 }
sim:every(1, function() sim = nil x = nil body = nil collectgarbage() collectgarbage() end) sim:run { steps = 2 }
sim:run { until_ = function(...) got(...) return true end }
sim:run { until_ = setmetatable({}, { __call = got }) }
sim.gravity = function(...) got(...) return 0, -1 end sim:run { steps = 1 }
sim:add_body { shape = floc.segment { { 0, -3 }, { 1, -3 } }, velocity = function(...) got(...) return 0, 0 end } sim:run { steps = 1 }
sim:add_body { shape = floc.segment { { 0, -3 }, { 1, -3 } }, velocity = function(t) return x, sim end } sim:run { steps = 1 }
sim:add_body { shape = floc.segment { { 0, -3 }, { 1, -3 } }, velocity = function(t) return sim.x[1], sim.y[1] end } sim:run { steps = 1 }
sim:add_body { shape = floc.segment { { 0, -3 }, { 1, -3 } }, velocity = function(t) sim:add_particle { position = { 3, 3 }, radius = 1 } return 0, 0 end } sim:run { steps = 1 }
sim:add_body { shape = floc.segment { { 0, -3 }, { 1, -3 } }, angular_velocity = function(...) got(...) error(sim) end } sim:run { steps = 1 }
sim:add_body { shape = floc.segment { { 0, -3 }, { 1, -3 } }, velocity = coroutine.wrap(function(t) while true do coroutine.yield(0, 0) end end) } sim:run { steps = 3 }
sim:add_particles { count = 5, region = floc.box { lower = { 3, 3 }, upper = { 5, 5 } }, radius = function(...) got(...) return 0.1 end }
sim:add_particles { count = 5, region = floc.box { lower = { 3, 3 }, upper = { 5, 5 } }, radius = 0.1, velocity = function(...) got(...) return 0, 0 end }
sim:add_particles { positions = x, radius = 0.1 }
sim:add_particle { position = setmetatable({ 5, 5 }, { __index = got, __len = function() return 2 end }), radius = 0.1 }
sim:add_assembly { particles = { 1, 2, x } }
return sim:trace { source = floc.plane_wave { direction = { 0, -1 }, center = { 0, 3 }, width = 1, power = 1, rays = 10 }, paths = true }
return sim:trace(setmetatable({}, { floc_kinds = { ray_source = true } }))
local result = sim:trace { source = floc.emitter { position = { 0, 3 }, rays = 8, power = 1 }, paths = true } got(result, result.paths) for k = 1, 3 do got(result.paths[k]) end
floc.panels {}:add(sim, { rays = x })
floc.panels {}:add(sim, { colour = got })
floc.panels {}:add(sim, { colour = function(...) got(...) return 1 end })
floc.panels {}:add(sim, { rays = coroutine.create(print) })
return floc.simulation { time_step = 0.01, scheme = floc.gluey { gamma_min = function(...) got(...) return -1 end } }
return floc.simulation { time_step = 0.01, scheme = floc.discrete_element { electric_field = function(...) got(...) return 0, 0 end } }
floc.args(setmetatable({}, { __pairs = function() got(sim) end, __index = got }))
got(pcall(floc.args, { help = 1 })) got(floc.args { a = { 1, 0, 2 } }) got(getmetatable(floc.args { b = 1 }))
local lubrication = floc.lubrication for key, value in pairs(lubrication) do got(key, value, pcall(value, sim), pcall(value, x), pcall(value, { f = got })) end
for _, name in ipairs { "panels", "report", "args", "box", "ball", "plane", "emitter", "point_source", "plane_wave", "ballistic", "event_driven" } do for _, value in ipairs { sim, x, got, "x", -1 } do got(pcall(floc[name], value)) end end
for _, name in ipairs(sim:columns()) do got(sim[name], pcall(function() return sim[name].values end)) end
]])

-- ---- the run ------------------------------------------------------------------------------------

-- What the checker must find: the same checks, with a hole made on purpose.
local out = io.stdout
local real_get, real_load = debug.getmetatable, loadstring or load
local function get(value) return real_get(value) end
local function compile(text) return real_load(text) end
local controls = {
  { "a library", "got(hole())", function() return os end }, { "a function of a library", "return { { hole() } }", function() return os.getenv end },
  { "what is behind __index", "return setmetatable({}, { __index = hole() })", function() return debug end }, { "what an error holds", "error { hole() }", function() return core end },
  { "a key", "return { [hole()] = 1 }", function() return package.loaded end }, { "a metatable", "got(hole(''))", get },
  { "the record of a simulation", "got(sim) got(hole(sim).inner)", get }, { "a world", "got(sim) got(hole(sim).inner.world)", get },
  { "a changed library", "hole().format = got", function() return string end }, { "a changed module", "hole().allow_files = got", function() return sandbox end },
  { "the environment of the host", "return hole 'return _G' ()", compile }, { "a userdata", "got(hole())", function() return out end },
  { "a function that is left out", "got(hole())", function() return rawget(_G, "setfenv") or rawget(_G, "load") end },
}
if has_ffi then
  controls[#controls + 1] = { "memory", "got(hole())", function() return ffi.new "int[1]" end }
  controls[#controls + 1] = { "a number of 64 bits", "return { hole() }", function() return ffi.new "int64_t" end }
end

-- The process belongs to the sandbox from here on.
sandbox.begin({ time = 500 }, function() end)
session.push(session.new { script_name = folder .. "/none.lua", quiet = true })
before = take()
for _, one in ipairs(variants) do
  local escaped, results = attempt(one.text)
  local result = type(results[2]) == "string" and results[2]:gsub("\n.*", ""):sub(1, 120) or type(results[2])
  out:write(escaped and "ESCAPE " or "ok ", one.name, ": ", escaped or tostring(results[1]) .. ", " .. result, escaped and " | " .. one.text:sub(1, 200) or "", "\n")
  if escaped then before = take() end
end
for _, one in ipairs(controls) do
  local found = attempt(one[2], { hole = one[3] })
  out:write(found and "found " or "MISSED ", one[1], ": ", tostring(found), "\n")
  for k, kept in ipairs(watched) do
    for key, value in next, before[k] do kept[key] = value end
  end
end
