-- Finding a checkpoint and starting the script in it: for `floc resume` and for floc.resume in a script.

local arguments = require "floc.session.arguments"
local check = require "floc.surface.check"
local core = require "floc.core"
local known = require "floc.session.known"
local modules = require "floc.session.modules"
local replay = require "floc.session.replay"
local sandbox = require "floc.session.sandbox"
local serialise = require "floc.session.serialise"
local session = require "floc.session.session"
local simulation = require "floc.simulation.simulation"

local resume = {}

local prefix = "attachment."

-- The attachments of an open checkpoint by name; nil, message when they cannot be read.
local function attachments(file)
  local texts = {}
  for k, section in ipairs(core.file_sections(file)) do
    if section.name:sub(1, #prefix) == prefix then
      local bytes, problem = core.file_read(file, k - 1)
      if not bytes then return nil, problem end
      texts[section.name:sub(#prefix + 1)] = bytes
    end
  end
  return texts
end

-- Script, record and state of an open checkpoint; nil, message when it holds no script.
local function read(file)
  local texts, message = attachments(file)
  if not texts then return nil, message end
  if not texts.record then return nil, "it contains no script, only a state; it was not written by a Lua script" end
  local record, problem = serialise.read(texts.record)
  if not record then return nil, "its record: " .. problem end
  if record.format ~= 1 and record.format ~= 2 then
    return nil, "its record is of format " .. tostring(record.format) .. "; this program reads 1 and 2"
  end
  local state, fault = serialise.read(texts.state or "t0;")
  if not state then return nil, "its sim.state: " .. fault end
  if not texts.script then return nil, "it does not contain the text of its script" end
  local own, why = core.seal_fits(texts.seal or "", texts.script, texts.record, texts.state or "")
  local doubt = not own and (not texts.seal and "it has no seal" or why or "its seal is not of your key") or nil
  return { script = texts.script, record = record, state = state, file = file, doubt = doubt }
end

-- What is said where math.* and ^ are others than in the run that wrote the file: floc.mathematics.
local other_mathematics = {
  host = "its callbacks took math.* and ^ from the C library of another host, and take the engine's here: the results may differ in the last bits",
  engine = "its callbacks took math.* and ^ from the engine, and take those of this host's C library here: the results may differ in the last bits",
}

-- Script, record and state of the newest valid file of a path (floc_file_open_newest in floc.h); files that were refused
-- are named through tell. nil, message when there is none, or it holds no script.
function resume.find(path, tell)
  local file, taken, refused = core.file_open_newest(path)
  if not file then return nil, session.about(path, taken) end
  for line in refused:gmatch("[^\n]+") do tell(line) end
  if taken ~= path then tell(string.format("using %s instead", taken)) end
  local found, message = read(file)
  if not found then
    core.file_close(file)
    return nil, session.about(taken, message)
  end
  found.path = taken
  local written = found.record.mathematics
  if written and written ~= core.mathematics then tell(string.format("%s: %s", taken, other_mathematics[written] or written)) end
  return found
end

-- A checkpoint is a program, so one that this user did not write is not run without being told to. true; nil and a message.
-- session.trusts: --trust was given.
function resume.may_run(one, found)
  if not found.doubt or one.trusts then return true end
  return nil, string.format("%s: a checkpoint is a program, and nothing shows that you wrote this one: %s. floc info and floc view read it "
    .. "without running it; --sandbox runs it without files, --trust as it is", found.path, found.doubt)
end

-- What a session needs to replay up to a found file's point.
function resume.replay_of(found, tell, restored)
  return { path = found.path, file = found.file, record = found.record, state = found.state, simulation = found.record.simulation,
    event = found.record.event, load = true, tell = tell, restored = restored }
end

-- The script as a function; line 1 may begin with #!.
function resume.load_script(text, name)
  local env = sandbox.is_active() and sandbox.environment(require "floc.init", modules.require_in) or nil
  if env then known.know_environment(env) end
  return sandbox.load(text, "@" .. name, env)
end

-- ---- floc.resume in a script --------------------------------------------------------------------

local function tell_nobody() end

-- Executes a found script up to its point in a coroutine and returns the simulation that was restored there.
local function execute(found, outer, load)
  local nested = session.new {
    script_name = found.record.script_name, script_text = found.script, arguments = found.record.arguments,
    out = outer.out, threads = outer.threads, quiet = outer.quiet, strict = outer.strict, warnings = outer.warnings,
    interrupted = outer.interrupted,
    progress = outer.progress, changes = found.record.changes,
  }
  nested.trusts = outer.trusts
  nested.replay = resume.replay_of(found, outer.quiet and tell_nobody or resume.tell)
  nested.stored_modules = found.record.modules
  nested.replay.load = load
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

-- floc.resume(path): the simulation as it was when the file was written. A checkpoint that this script
-- writes later keeps what is needed to do this again (origins), because the file itself may be gone by then.
function resume.resume(path)
  path = check.arguments("floc.resume", path)
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
    local fine
    if found then fine, message = resume.may_run(outer, found) end
    if not fine then check.fail("resume", "%s", message) end
  end
  local sim, nested = execute(found, outer, from_file)
  adopt(simulation.inner_of(sim, "resume"), outer, nested, is_target)
  found.record.reports, found.record.observers = {}, {}
  outer.origins[number] = { script = found.script, record = found.record }
  return sim
end

return resume
