-- What every spec needs: a folder of its own, and scripts that run in a session of their own, so that a
-- spec sees exactly what a script would see, and its lines are counted from 1.

local core -- after require "floc"

local floc = require "floc"
core = require "floc.core"
local resume = require "floc.session.resume"
local scratch = require "scratch"
local session = require "floc.session.session"

require("floc.session.visit").ignore_globals() -- those of busted are no script's

local support = { floc = floc, core = core, session = session }

-- A new empty folder.
function support.folder()
  local name = scratch() .. ".floc"
  assert(core.make_folder(name))
  return name
end

function support.remove(folder)
  os.execute("rm -rf '" .. folder .. "'")
end

function support.exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

function support.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

function support.write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function new_session(text, options)
  options = options or {}
  return session.new {
    script_name = options.name or "script.lua", script_text = text, arguments = options.arguments or {},
    out = options.out, threads = options.threads, quiet = true, program = options.program,
    interrupted = options.interrupted, steps = options.steps,
  }
end

local function execute(one, text, name)
  local chunk, message = resume.load_script(text, name)
  if not chunk then error(message, 0) end
  session.push(one)
  local ok, a, b, c, d = pcall(chunk)
  if ok then ok, d = pcall(require("floc.session.replay").check_reached, one) end
  session.pop()
  return ok, ok and a or (a == nil and d or a), b, c
end

-- Runs a script; true and its results, or false and the error, then the session.
function support.try(text, options)
  local one = new_session(text, options)
  local ok, a, b, c = execute(one, text, options and options.name or "script.lua")
  return ok, a, b, c, one
end

-- Runs a script that must not fail; its results.
function support.run(text, options)
  local ok, a, b, c = support.try(text, options)
  if not ok then error("the script failed: " .. tostring(a), 2) end
  return a, b, c
end

-- Runs a script that must not fail and that writes files, in a folder of its own, which goes with it; its results.
function support.run_apart(text)
  local folder = support.folder()
  local a, b, c = support.run(text, { out = folder })
  support.remove(folder)
  return a, b, c
end

-- The error of a script that must fail.
function support.failure(text, options)
  local ok, message = support.try(text, options)
  if ok then error("the script was expected to fail", 2) end
  return message
end

-- Resumes a checkpoint as the program does; the script's results.
function support.resume(path, options)
  local told = {}
  local found, message = resume.find(path, function(line) told[#told + 1] = line end)
  if not found then error(message, 2) end
  options = options or {}
  options.name, options.arguments = found.record.script_name, found.record.arguments
  options.out = options.out or found.record.out or nil
  local one = new_session(found.script, options)
  one.replay = resume.replay_of(found, function(line) told[#told + 1] = line end)
  local ok, a, b, c = execute(one, found.script, found.record.script_name)
  if not ok then error(a, 0) end
  return a, b, c, told
end

return support
