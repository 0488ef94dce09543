-- A session is one execution of one script: its name and text, the arguments it was given, where its output
-- goes, the simulations and reports it made, and, while a checkpoint is being resumed, the replay.
--
-- `floc run` and `floc resume` make one. In plain luajit or lua5.4 one is made from the global table arg
-- when it is first needed. floc.resume() inside a script runs another script in a session of its own, so
-- sessions form a stack.

local core = require "floc.core"
local locks = require "floc.session.locks"
local ranks = require "floc.session.ranks"
local sandbox = require "floc.session.sandbox"

local session = {}

local stack = {}

-- The name without folders and without .lua: "out/x/run.lua" gives "run".
local function base_name(path)
  return (path:gsub("[/\\]+$", ""):gsub("^.*[/\\]", ""):gsub("%.lua$", ""))
end

-- options: script_name, script_text, arguments (list of strings), out, threads, quiet, progress, steps (overrides
-- the goal of the next run), changes (list of changes of parameters, see changes.lua) and changes_path, interrupted (function), program (how it was
-- called: unknown arguments are an error even when the script does not ask for any), shows_reports (a host without an end of its own: they
-- are shown when it closes), wants_hashes (of simulations that are collected the last hash is kept), continues (bool: see
-- continuation.lua)
function session.new(options)
  local self = {
    script_name = options.script_name,
    script_text = options.script_text,
    arguments = options.arguments or {},
    out = options.out,
    threads = options.threads,
    quiet = options.quiet,     -- no progress, no information; warnings of wrong results are written in any case
    strict = options.strict or false,
    warnings = options.warnings or {},
    progress = options.progress or false,
    program = options.program or false,
    interrupted = options.interrupted,
    steps = options.steps,
    shows_reports = options.shows_reports,
    changes = options.changes or {},
    changes_path = options.changes_path,
    reports = {},
    simulations = ranks.are_several and {} or setmetatable({}, { __mode = "v" }), -- over ranks none is collected before all are at their end
    simulation_count = 0,
    wants_hashes = options.wants_hashes or false,
    continues = options.continues or false,
    last_hashes = {},          -- { step, hash } of simulations that are gone, by number
    positions = {},            -- of outputs, by number of the simulation: see outputs.lua
    origins = {},
    modules = {},              -- that the script has loaded, by name: { path, text }, see modules.lua
    module_names = {},         -- in the order of loading
    stored_modules = nil,      -- those of the checkpoint that is resumed
    module_policy = options.module_policy, -- "new" or "stored" where they may differ from what there is now
    origin_count = 0,
    streams = {},              -- of random numbers, by name: see random.lua
    learned = {},              -- what the script was told from outside: see session.learn
    learned_position = 0,
    running = nil,             -- number of the simulation whose run is in progress
    replay = nil,
  }
  return self
end

-- ---- what a script learns from outside ----------------------------------------------------------
-- The time, variables of the environment: what ask() said is kept, with the number of the simulation in whose run it was
-- asked. During a replay it is reported again, but for what was asked in the runs that the replay skips. Equal answers one
-- after the other are one entry: { name, value, simulation or 0, how often }.

local function copied(value)
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, element in pairs(value) do copy[key] = element end
  return copy
end

-- Same, or tables with the same entries.
local function alike(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in pairs(a) do
    if b[key] ~= value then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

-- The next answer of the record's list that a replay needs; nil at its end.
local function told(self, name)
  local active = self.replay
  local list = active.record.learned or {}
  while true do
    local entry = list[self.learned_position + 1]
    if not entry then return nil end
    if entry[3] ~= active.simulation and self.learned_count ~= entry[4] then
      if entry[1] ~= name then return nil end
      self.learned_count = (self.learned_count or 0) + 1
      return entry
    end
    self.learned_position, self.learned_count = self.learned_position + 1, 0
  end
end

function session.learn(self, name, ask)
  if self.replay then
    local entry = told(self, name)
    if entry then return copied(entry[2] or nil) end
    return ask()
  end
  local value, during, last = ask(), self.running or 0, self.learned[#self.learned]
  if last and last[1] == name and last[3] == during and alike(last[2], value or false) then
    last[4] = last[4] + 1
  else
    self.learned[#self.learned + 1] = { name, copied(value) or false, during, 1 }
  end
  return value
end

-- Something is done that a resume misses when it skips the run in progress: checkpoints are refused from here on.
function session.in_run(self, what)
  local running = self.simulations[self.running]
  if running then running.lost = running.lost or string.format("%s in a run of simulation %d, which a resume skips", what, running.number) end
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

-- Makes the folder in which a file is to be written; nil and a message when that fails. What goes to the folder of output
-- locks it, unless the file has a name that no other run uses.
function session.make_folder_for(path, is_own_name)
  local allowed, refusal = sandbox.allow_files()
  if not allowed then return nil, refusal end
  local folder = path:match("^(.*)/[^/]*$")
  if not folder or folder == "" then return true end
  local ok, message = core.make_folder(folder)
  if not ok then return nil, string.format("the folder %s cannot be made: %s", folder, message) end
  local one = session.current()
  local out = session.out_folder(one) .. "/"
  if not is_own_name and (path:sub(1, #out) == out) then return locks.take(one, out) end
  return true
end

-- Writes a complete file through fill(put): put(text, ...) adds to it. The file takes its place when it is complete, under a
-- temporary name until then. true and its size; nil and a message.
function session.write_whole(path, fill)
  local file, message = core.new_file(path)
  if not file then return nil, message end
  local size = 0
  local function put(...)
    for k = 1, select("#", ...) do
      local text = tostring((select(k, ...)))
      local ok, problem = core.new_file_put(file, text)
      if not ok then error(session.about(path, problem), 0) end
      size = size + #text
    end
  end
  local fine, value = pcall(fill, put)
  if not fine then
    core.new_file_abandon(file)
    return nil, value
  end
  local ok, problem = core.new_file_finish(file)
  if not ok then return nil, session.about(path, problem) end
  return true, size
end

-- The same with a string.
function session.write_text(path, text)
  return session.write_whole(path, function(put) put(text) end)
end

return session
