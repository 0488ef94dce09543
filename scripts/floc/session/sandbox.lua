-- floc run --sandbox: a scenario of a stranger. The script gets an environment of its own with what computes and
-- nothing that reaches out: no files, no programs, no FFI, no compiled chunks, no debug library. Memory and
-- time are limited, and laws must be traced programs, so that no Lua runs inside a step.
--
-- Whether the sandbox is on is known here alone, in a local that no object of the script leads to; whatever writes or reads
-- files asks here. Time is checked by a hook every few thousand instructions, which ends the program at once: an error could
-- be caught by the script. Hooks do not reach loops that LuaJIT has compiled, so its compiler is off. Behind
-- the hook stand limits of the operating system (bindings/command/main.c), for time spent in C and for memory. What
-- is written is counted. Whatever ends the program is reported.

local core = require "floc.core"

local sandbox = {}

local active = false
local found_util, jit_util = pcall(require, "jit.util")
if not found_util then jit_util = nil end

function sandbox.is_active() return active end

-- ---- the gate before files ----------------------------------------------------------------------
-- Four doors, one behind the other: parameters that name files (the type "path" of check.lua) and calls that make
-- folders ask allow_files, for a message with the script's line; the functions of Lua that reach files and programs are
-- replaced for the whole process; the C half takes each name of a file by check_path (bindings/lua/system.c); and the
-- process may open no file any more (RLIMIT_NOFILE).

local no_files = "the sandbox has no files"
local lifted = false

-- nil and a message when files must not be touched.
function sandbox.allow_files()
  if active and not lifted then return nil, no_files end
  return true
end

-- floc resume --sandbox: a script that was written to leave files runs, and leaves none. tell(call) is called once for each
-- kind of call that writes.
local tell_left_out, told = nil, {}

function sandbox.leave_out(tell) tell_left_out = tell end

-- Whether a call does not write its files. Without a call: whether there are such calls.
function sandbox.leaves_out(call)
  if not active or not tell_left_out then return false end
  if call and not told[call] then tell_left_out(call) end
  told[call or ""] = true
  return true
end

-- Calls a function of the module, which must call nothing of the script's, with files allowed.
function sandbox.lifted(fn, ...)
  if not active or lifted then return fn(...) end
  local function close(ok, ...)
    lifted = false
    core.close_files(true)
    if not ok then error((...), 0) end
    return ...
  end
  lifted = true
  core.close_files(false)
  return close(pcall(fn, ...))
end

local reaching = { io = { "open", "popen", "lines", "input", "output", "tmpfile" }, os = { "execute", "remove", "rename", "tmpname" },
  package = { "loadlib" }, _G = { "dofile", "loadfile" } }

local function close_files()
  for library, names in pairs(reaching) do
    for _, name in ipairs(names) do
      local original = _G[library][name]
      _G[library][name] = function(...)
        if not lifted then return nil, no_files end
        return original(...)
      end
    end
  end
  core.close_files(true)
end

-- ---- what a script may use ----------------------------------------------------------------------

local plain = { "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawlen", "select", "tonumber",
  "tostring", "type", "unpack", "xpcall", "_VERSION" }
local copied = { "math", "string", "table", "coroutine", "bit", "utf8" }

local real_getmetatable, real_setmetatable, real_rawget, real_rawset = getmetatable, setmetatable, rawget, rawset

-- Objects of the module keep what they are made of in their metatables: those are not shown.
local function is_ours(value)
  if type(value) ~= "table" then return true end
  local meta = debug.getmetatable(value)
  return type(meta) == "table" and (meta.floc_name ~= nil or meta.__name ~= nil)
end

local function load_text(env)
  return function(chunk, name, _, chosen)
    if type(chunk) == "function" then
      local parts = {}
      for part in chunk do
        if part == "" then break end
        if type(part) ~= "string" then error("load: the function must return strings", 2) end
        parts[#parts + 1] = part
      end
      chunk = table.concat(parts)
    end
    if type(chunk) ~= "string" then error("load takes a string", 2) end
    name = "=(" .. tostring(name or "load") .. ")"
    return sandbox.load(chunk, name, type(chosen) == "table" and chosen or env)
  end
end

-- ---- loading ------------------------------------------------------------------------------------

-- Is it a compiled chunk? LuaJIT and Lua let a line that begins with # stand before one.
local function is_compiled(text) return text:gsub("^\239\187\191", ""):gsub("^#[^\n]*\n?", ""):sub(1, 1) == "\27" end

-- Numbers of 64 bits (1LL) and imaginary ones (1i) are cdata on LuaJIT: among the constants of a function, or of those in it.
local function has_cdata(of)
  for k = 1, math.huge do
    local constant = jit_util.funck(of, -k)
    if constant == nil then return false end
    if type(constant) == "cdata" or type(constant) == "proto" and has_cdata(constant) then return true end
  end
end

-- A source string as a function in an environment (the host's without one); nil and the reason. That of a file ("@" and its name)
-- may begin with #!. In the sandbox nothing else is loaded: compiled chunks reach all memory, because neither Lua
-- checks what they do.
function sandbox.load(text, name, env)
  if active and is_compiled(text) then
    return nil, string.format("%s: this is a compiled chunk; the sandbox loads only source text", name:gsub("^[@=]", ""))
  end
  if name:sub(1, 1) == "@" then text = text:gsub("^#!", "--") end
  local chunk, message = load(text, name, active and "t" or "bt", env or _G)
  if chunk and active and jit_util and has_cdata(chunk) then
    return nil, string.format("%s: the sandbox has no numbers such as 1LL, 1ULL or 1i", name:gsub("^[@=]", ""))
  end
  return chunk, message
end

-- ---- the environment ----------------------------------------------------------------------------

-- public: what require "floc" gives; require_in(env, modules): require for the scenario's own modules (modules.lua).
function sandbox.environment(public, require_in)
  local env = {}
  for _, name in ipairs(plain) do env[name] = rawget(_G, name) end
  for _, name in ipairs(copied) do
    local library = rawget(_G, name)
    if library then
      env[name] = {}
      for key, value in pairs(library) do env[name][key] = value end
    end
  end
  env.string.dump = nil
  env._G, env.print = env, sandbox.print
  env.load = load_text(env)
  env.loadstring = env.load
  env.collectgarbage = function(option)
    if option == "count" or option == nil or option == "collect" then return collectgarbage(option) end
    error("the sandbox allows collectgarbage \"count\" and \"collect\"", 2)
  end
  env.getmetatable = function(value) return not is_ours(value) and real_getmetatable(value) or nil end
  env.setmetatable = function(value, meta)
    if is_ours(value) then error("cannot change the metatable of this value", 2) end
    return real_setmetatable(value, meta)
  end
  env.rawget = function(value, key) return not is_ours(value) and real_rawget(value, key) or nil end
  env.rawset = function(value, key, new)
    if is_ours(value) then error("cannot write to this value", 2) end
    return real_rawset(value, key, new)
  end
  env.require = require_in(env, { floc = public })
  return env
end

-- ---- limits -------------------------------------------------------------------------------------

local limits = { memory = 1024, time = 60, print = 16 } -- MB, seconds of CPU, MB

-- Ends the program; the script cannot catch it.
local function stop(write, message)
  io.stdout:flush()
  write(io.stderr, message, "\n")
  os.exit(1)
end

-- All that is written goes through the method write of files: that of the module, the engine's lines, and print, which
-- is replaced.
local function cap_output(left)
  local methods = getmetatable(io.stdout).__index
  local write = methods.write
  local message = string.format("floc: the sandbox's output of %g MB is used up; --print=MB allows more", limits.print)
  function methods.write(file, ...)
    for k = 1, select("#", ...) do left = left - #tostring((select(k, ...))) end
    if left < 0 then stop(write, message) end
    return write(file, ...)
  end
  return write
end

function sandbox.print(...)
  local parts = {}
  for k = 1, select("#", ...) do parts[k] = tostring((select(k, ...))) end
  io.stdout:write(table.concat(parts, "\t"), "\n")
end

-- The limit behind an error that ended the script, or nil.
function sandbox.memory_is_over(value)
  if not active or type(value) ~= "string" or not (value:find "not enough memory" or value:find "[Oo]ut of memory") then return nil end
  return string.format("floc: the sandbox's memory of %g MB is used up; --memory=MB allows more", limits.memory)
end

-- ---- beginning ----------------------------------------------------------------------------------

-- From here on. given: limits other than the usual ones; limit_process: sets those of the operating system, see main.c.
function sandbox.begin(given, limit_process)
  for name, value in pairs(given) do limits[name] = value end
  active = true
  close_files()
  string.dump = nil -- ("").dump would lead to it
  local compiler = rawget(_G, "jit")
  if compiler then
    compiler.off()
    compiler.flush()
  end
  local write, clock, start = cap_output(limits.print * 2 ^ 20), os.clock, os.clock()
  local message = string.format("floc: the sandbox's time of %g s is used up; --time=SECONDS allows more", limits.time)
  limit_process(limits.memory * 2 ^ 20, limits.time + 1, message)
  debug.sethook(function()
    if clock() - start > limits.time then stop(write, message) end
  end, "", 100000)
end

return sandbox
