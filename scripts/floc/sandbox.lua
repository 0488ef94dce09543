-- floc run --sandbox: a scenario of a stranger. The script gets an environment of its own with what computes and
-- nothing that reaches out: no files, no programs, no FFI, no compiled chunks, no debug library. Memory and
-- time are capped, and laws must be traced programs, so that no Lua runs inside a step.
--
-- Whether the sandbox is on is known here alone, in a local that no object of the script leads to; whatever writes or reads
-- files asks here. Time is checked by a hook every so many instructions, which ends the program at once: an error could
-- be caught by the script. Hooks do not reach loops that LuaJIT has compiled, so its compiler is off. Behind
-- the hook stand limits of the operating system (bindings/command/main.c), for time spent in C and for memory.

local sandbox = {}

local active = false

function sandbox.is_active() return active end

-- nil and a message when files must not be touched.
function sandbox.allow_files()
  if active then return nil, "the sandbox has no files" end
  return true
end

-- ---- what a script may use ----------------------------------------------------------------------

local plain = { "assert", "error", "ipairs", "next", "pairs", "pcall", "print", "rawequal", "rawlen", "select", "tonumber",
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
        parts[#parts + 1] = part
      end
      chunk = table.concat(parts)
    end
    if type(chunk) ~= "string" then error("load takes a text", 2) end
    if chunk:sub(1, 1) == "\27" then return nil, "the sandbox loads text chunks only" end
    name = "=(" .. tostring(name or "load") .. ")"
    return sandbox.load(chunk, name, type(chosen) == "table" and chosen or env)
  end
end

-- A text as a function in an environment.
function sandbox.load(text, name, env)
  if not rawget(_G, "setfenv") then return load(text, name, "t", env) end
  local chunk, message = loadstring(text, name)
  return chunk and setfenv(chunk, env), message
end

function sandbox.environment(public)
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
  env._G = env
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
    if is_ours(value) then error("cannot write into this value", 2) end
    return real_rawset(value, key, new)
  end
  env.require = function(name)
    if name == "floc" then return public end
    error(string.format("the sandbox has no module %s", tostring(name)), 2)
  end
  return env
end

-- ---- beginning ----------------------------------------------------------------------------------

-- From here on. seconds: CPU time; stop: what ends the program.
function sandbox.begin(seconds, stop)
  active = true
  string.dump = nil -- ("").dump would lead to it
  local compiler = rawget(_G, "jit")
  if compiler then
    compiler.off()
    compiler.flush()
  end
  local clock, start = os.clock, os.clock()
  debug.sethook(function()
    if clock() - start > seconds then stop(string.format("floc: the sandbox's time of %g s is over", seconds)) end
  end, "", 100000)
end

return sandbox
