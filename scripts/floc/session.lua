-- A session is one execution of one script: its name and text, the arguments it was given, where its output
-- goes, the simulations and reports it made, and, while a checkpoint is being resumed, the replay.
--
-- `floc run` and `floc resume` make one. In plain luajit or lua5.4 one is made from the global table arg
-- when it is first needed. floc.resume() inside a script runs another script in a session of its own, so
-- sessions form a stack.

local core = require "floc.core"
local sandbox = require "floc.sandbox"

local session = {}

local stack = {}

-- The name without folders and without .lua: "out/x/run.lua" gives "run".
local function base_name(path)
  return (path:gsub("[/\\]+$", ""):gsub("^.*[/\\]", ""):gsub("%.lua$", ""))
end

-- options: script_name, script_text, arguments (list of texts), out, threads, quiet, progress, steps (overrides
-- the goal of the next run), changes (list of changes of parameters, see changes.lua) and changes_path, interrupted (function), program (how it was
-- called: unknown arguments are an error even when the script does not ask for any), shows_reports (a host without an end of its own: they
-- are shown when it closes)
function session.new(options)
  local self = {
    script_name = options.script_name,
    script_text = options.script_text,
    arguments = options.arguments or {},
    out = options.out,
    threads = options.threads,
    quiet = options.quiet,
    progress = options.progress or false,
    program = options.program or false,
    interrupted = options.interrupted,
    steps = options.steps,
    shows_reports = options.shows_reports,
    changes = options.changes or {},
    changes_path = options.changes_path,
    reports = {},
    simulations = setmetatable({}, { __mode = "v" }),
    simulation_count = 0,
    positions = {},            -- of outputs, by number of the simulation: see outputs.lua
    origins = {},
    modules = {},              -- that the script has loaded, by name: { path, text }, see modules.lua
    origin_count = 0,
    replay = nil,
  }
  return self
end

-- A value that calls fn when it is collected, at the latest when the host closes its Lua state.
function session.guard(fn)
  local guard
  if rawget(_G, "newproxy") then
    guard = newproxy(true)
    getmetatable(guard).__gc = fn
  else
    guard = setmetatable({}, { __gc = fn })
  end
  return guard
end

-- Calls fn when the host closes its Lua state: in plain luajit and lua5.4 there is no other end of a script.
function session.at_exit(fn) session.exit_guard = session.guard(fn) end

function session.push(one) stack[#stack + 1] = one end
function session.pop() stack[#stack] = nil end

local function read_text(path)
  if sandbox.is_active() then return nil end
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("*a")
  file:close()
  return text
end
session.read_text = read_text

-- Plain luajit or lua5.4: arg[0] is the script, if there is one.
local function from_host()
  local host = rawget(_G, "arg")
  local name = type(host) == "table" and type(host[0]) == "string" and host[0] or nil
  local arguments = {}
  if name then
    for k, value in ipairs(host) do arguments[k] = tostring(value) end
  end
  return session.new {
    script_name = name or "script",
    script_text = name and read_text(name),
    arguments = arguments,
    quiet = true,
    shows_reports = true,
  }
end

function session.current()
  if #stack == 0 then stack[1] = from_host() end
  return stack[#stack]
end

-- The folder for output, without a slash at its end.
function session.out_folder(self)
  return self.out or "out/" .. base_name(self.script_name)
end

-- A message about a file, with the file's name in front unless it is there already.
function session.about(path, message)
  return message:find(path, 1, true) and message or path .. ": " .. message
end

-- Makes the folder in which a file is to be written; nil and a message when that fails.
function session.make_folder_for(path)
  local allowed, refusal = sandbox.allow_files()
  if not allowed then return nil, refusal end
  local folder = path:match("^(.*)/[^/]*$")
  if not folder or folder == "" then return true end
  local ok, message = core.make_folder(folder)
  if not ok then return nil, string.format("the folder %s cannot be made: %s", folder, message) end
  return true
end

return session
