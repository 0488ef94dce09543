-- Finding a checkpoint and starting the script in it: for `floc resume` and for floc.resume in a script.

local arguments = require "floc.arguments"
local check = require "floc.check"
local core = require "floc.core"
local keep = require "floc.keep"
local modules = require "floc.modules"
local replay = require "floc.replay"
local sandbox = require "floc.sandbox"
local serialise = require "floc.serialise"
local session = require "floc.session"
local simulation = require "floc.simulation"

local resume = {}

local prefix = "attachment."

-- The attachments of a checkpoint by name; nil, message when the file cannot be read.
function resume.attachments(path)
  local file, message = core.file_open(path)
  if not file then return nil, message end
  local texts = {}
  for k, section in ipairs(core.file_sections(file)) do
    if section.name:sub(1, #prefix) == prefix then
      local bytes, problem = core.file_read(file, k - 1)
      if not bytes then return nil, problem end
      texts[section.name:sub(#prefix + 1)] = bytes
    end
  end
  core.file_close(file)
  return texts
end

-- Script, record and state of one file; nil, message when it is damaged or holds no script.
local function read(path)
  local texts, message = resume.attachments(path)
  if not texts then return nil, message end
  if not texts.record then return nil, "it holds no script, only a state; it was not written by a Lua script" end
  local record, problem = serialise.read(texts.record)
  if not record then return nil, "its record: " .. problem end
  if record.format ~= 1 and record.format ~= 2 then
    return nil, "its record is of format " .. tostring(record.format) .. "; this program reads 1 and 2"
  end
  local state, fault = serialise.read(texts.state or "t0;")
  if not state then return nil, "its sim.state: " .. fault end
  if not texts.script then return nil, "the text of its script is not in it" end
  return { path = path, script = texts.script, record = record, state = state }
end

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- The newest valid file of path, path.1, path.2, ...; those before it are named through tell. nil, message
-- when there is none.
function resume.find(path, tell)
  local first_message
  local k = 0
  while k == 0 or exists(path .. "." .. k) or k == 1 do
    local candidate = k == 0 and path or path .. "." .. k
    if exists(candidate) then
      local found, message = read(candidate)
      if found then
        if k > 0 then tell(string.format("taking %s instead", candidate)) end
        return found
      end
      message = session.about(candidate, message)
      first_message = first_message or message
      if exists(path .. "." .. (k + 1)) then tell(message) end
    elseif k == 0 then
      first_message = path .. ": there is no such file"
    end
    k = k + 1
  end
  return nil, first_message
end

-- What a session needs to replay up to a found file's point.
function resume.replay_of(found, tell, restored)
  return { path = found.path, record = found.record, state = found.state, simulation = found.record.simulation,
    event = found.record.event, load = true, tell = tell, restored = restored }
end

-- The script as a function; line 1 may begin with #!.
function resume.load_script(text, name)
  local env = sandbox.is_active() and sandbox.environment(require "floc.init", modules.require_in) or nil
  if env then keep.know_environment(env) end
  return sandbox.load(text, "@" .. name, env)
end

-- ---- floc.resume in a script --------------------------------------------------------------------

local function tell_nobody() end

-- Executes a found script up to its point in a coroutine and returns the simulation that was restored there.
-- looks_only: the files that it writes are not touched.
local function execute(found, outer, load, looks_only)
  local nested = session.new {
    script_name = found.record.script_name, script_text = found.script, arguments = found.record.arguments,
    out = outer.out, threads = outer.threads, quiet = outer.quiet, interrupted = outer.interrupted,
    progress = outer.progress, changes = found.record.changes,
  }
  nested.replay = resume.replay_of(found, outer.quiet and tell_nobody or resume.tell)
  nested.stored_modules = found.record.modules
  nested.replay.load, nested.replay.looks_only = load, looks_only
  nested.hand_over = coroutine.yield
  local chunk, message = resume.load_script(found.script, found.record.script_name)
  if not chunk then check.fail("resume", "%s", message) end
  session.push(nested)
  local ok, sim = coroutine.resume(coroutine.create(function()
    chunk()
    replay.check_reached(nested)
  end))
  session.pop()
  if not ok then error(sim, 0) end
  return sim, nested
end

-- Takes the restored simulation into the session of the script that asked for it, as its next one.
local function adopt(inner, outer, nested, is_target)
  if not outer.replay then
    for _, report in ipairs(nested.reports) do outer.reports[#outer.reports + 1] = report end
  end
  simulation.adopt(inner, outer)
  inner.run_start, inner.running = nil, false
  if is_target then
    replay.skip_run(inner)
  else
    replay.log_run(inner)
  end
end

function resume.tell(text) io.stderr:write("floc: ", text, "\n") end

-- The record of the simulation in a checkpoint, to look at: what its run writes stays as it is. And the file's record.
function resume.look(path)
  local outer = session.current()
  local found, message = resume.find(path, resume.tell)
  if not found then error("floc: " .. message, 0) end
  local sim = execute(found, outer, true, true)
  return simulation.inner_of(sim, "resume"), found.record
end

-- floc.resume(path): the simulation as it was when the file was written. A checkpoint that this script
-- writes later keeps what is needed to do this again (origins), because the file itself may be gone by then.
function resume.resume(path)
  path = check.value("resume", { name = "path", type = "path" }, path)
  local outer = session.current()
  arguments.check_unused(outer)
  outer.origin_count = outer.origin_count + 1
  local number, active = outer.origin_count, outer.replay
  local is_target = active ~= nil and active.simulation == outer.simulation_count + 1
  local found, message
  if is_target then found = active.record.origins[number] end
  local from_file = found == nil
  if from_file then
    found, message = resume.find(path, outer.quiet and tell_nobody or resume.tell)
    if not found then check.fail("resume", "%s", message) end
  end
  local sim, nested = execute(found, outer, from_file)
  adopt(simulation.inner_of(sim, "resume"), outer, nested, is_target)
  found.record.reports, found.record.observers = {}, {}
  outer.origins[number] = { script = found.script, record = found.record }
  return sim
end

return resume
