-- Checkpoints that bring a whole script back, not only numbers.
--
-- A checkpoint holds functions of the script (laws, motions, callbacks), which no file can hold. So it holds
-- the script's text, and resuming executes that text again up to the point where the checkpoint was
-- written: bodies, laws and callbacks are rebuilt in the same order, runs before that point are skipped,
-- and at that point the engine's state, sim.state and the reports are put back. The point is the number of
-- the simulation in the script and the number of its event (a run, or a checkpoint between runs).
--
-- What a script measures between runs (sim:measure, sim:sum, sim:contacts, the force on a body, the step and time
-- that a run ended with) is in the record as well, and given again during the replay, so that decisions made from it
-- come out the same. So is what it reads of columns (gap.lua), what runs did to its variables (keep.lua), the place of its
-- random numbers (random.lua), and what it was told of the world outside (session.lua, modules.lua).
--
-- Several simulations in one script: the checkpoint is of one; the others are computed again.

local changes = require "floc.session.changes"
local check = require "floc.surface.check"
local core = require "floc.core"
local gap = require "floc.session.gap"
local keep = require "floc.session.keep"
local modules = require "floc.session.modules"
local outputs = require "floc.output.outputs"
local random = require "floc.simulation.random"
local ranks = require "floc.session.ranks"
local serialise = require "floc.session.serialise"
local session = require "floc.session.session"
local up = require "floc.simulation.up"
local warnings = require "floc.session.warnings"
local setup = require "floc.session.setup"

local replay = {}

local record_format = 2

-- Whether this simulation is the one whose checkpoint is being resumed.
function replay.is_target(inner)
  local active = inner.session.replay
  return active and active.simulation == inner.number and active or nil
end

-- ---- the log of what was measured between runs ---------------------------------------------------

local function record_of(inner) return inner.session.replay.record end

local function next_entry(inner, kind)
  local record = record_of(inner)
  local log, position = record.log, inner.log_position
  if kind == "run" and log[position + 1] == kind then setup.compare(inner, record, log[position + 2].setup) end
  if log[position + 1] ~= kind then
    check.fail("resume", "the script reads %s where it read %s when the checkpoint was written; "
      .. "up to there it must make the same calls", kind, tostring(log[position + 1] or "nothing"))
  end
  inner.log_position = position + 2
  return log[position + 2]
end

local function copied(value)
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, element in pairs(value) do copy[key] = copied(element) end
  return copy
end

-- The value of make(), which goes into the log itself; during a replay the one that the log has, and true.
function replay.told_or_new(inner, kind, make)
  if replay.is_target(inner) then return next_entry(inner, kind), true end
  local value, log = make(), inner.log
  log[#log + 1] = kind
  log[#log + 1] = value
  return value, false
end

-- The value of compute(), remembered; during a replay the remembered value. Inside a run nothing is
-- remembered, because a replay skips runs; nor while something is done that a replay leaves out.
-- pack, unpack: where a copy is dear, the value as it lies in the log, and back.
function replay.logged(inner, kind, compute, pack, unpack)
  if inner.running or inner.unlogged then return compute() end
  if replay.is_target(inner) then return (unpack or copied)(next_entry(inner, kind)) end
  local value = compute()
  replay.told_or_new(inner, kind, function() return (pack or copied)(value) end)
  return value
end

-- The same for what functions of the script compute: a replay does not call them, so what they do besides is refused at the next
-- checkpoint.
function replay.logged_call(inner, kind, functions, compute)
  if inner.running or inner.unlogged or replay.is_target(inner) or #functions == 0 then return replay.logged(inner, kind, compute) end
  return replay.logged(inner, kind, function()
    local place, changed = check.where(), keep.watch(inner, functions)
    local value = compute()
    local what = changed()
    if what then
      inner.lost = inner.lost or string.format("%sthe function of sim:%s changes %s, and a resume, which takes its result from the checkpoint, "
        .. "does not call it again", place, kind, what)
    end
    return value
  end)
end

-- The same for what is not of the past before the first run: what a set-up reads comes out the same by itself.
function replay.after_runs(inner, kind, compute, pack, unpack)
  if not inner.gap then return compute() end
  return replay.logged(inner, kind, compute, pack, unpack)
end

-- Calls a function whose readings a replay leaves out, because it does not call it.
function replay.left_out(inner, fn, ...)
  local outer = inner.unlogged
  inner.unlogged = true
  local function back(ok, ...)
    inner.unlogged = outer
    if not ok then error((...), 0) end
    return ...
  end
  return back(pcall(gap.without, inner, fn, ...))
end

-- What has passed inlets and outlets.
local function tallies(inner)
  local list = {}
  for k, stream in ipairs(inner.streams or {}) do list[k] = copied(stream.tally) end
  return list
end

local function take_tallies(inner, list)
  for k, tally in ipairs(list or {}) do
    if inner.streams and inner.streams[k] then inner.streams[k].tally = copied(tally) end
  end
end

-- Ids as first and last of rows without gaps, of which a stream of particles has few: the log keeps them of each run.
local function ranges_of(ids)
  local ranges = {}
  for _, id in ipairs(ids) do
    local last = #ranges
    if last > 0 and ranges[last] == id - 1 then
      ranges[last] = id
    else
      ranges[last + 1], ranges[last + 2] = id, id
    end
  end
  return ranges
end

-- Notes where a run ended, and what it did to the script's variables.
function replay.log_run(inner)
  local changed = keep.finish(inner)
  replay.logged(inner, "run", function()
    local step, time = core.clock(inner.world)
    local info = core.info(inner.world)
    local removed = inner.removed_in_run or nil
    inner.removed_in_run = nil
    return { step = step, time = time, particles = info.particle_count, time_step = info.time_step, setup = #inner.setup, kept = changed,
      random = random.state(inner.session), ids = removed and ranges_of(core.particle_ids(inner.world)), last_id = removed and info.last_id,
      streams = inner.streams and tallies(inner), bodies = next(inner.removed_bodies) and copied(inner.removed_bodies) or nil }
  end)
  gap.open(inner)
end

local most_placeholders = 4096

-- Particles come and go until the ids are those of ranges_of(), and `last` was the last that was given: in portions, because far more
-- may have come than there ever were.
local function match_ids(inner, ranges, last)
  local world, wanted = inner.world, {}
  for k = 1, #ranges, 2 do
    for id = ranges[k], ranges[k + 1] do wanted[id] = true end
  end
  local function drop_others()
    local others = {}
    for _, id in ipairs(core.particle_ids(world)) do
      if not wanted[id] then others[#others + 1] = id end
    end
    local ok, message = core.remove_particles(world, others)
    if not ok then check.fail("resume", "%s", message) end
  end
  drop_others()
  while core.info(world).last_id < last do
    for _ = 1, math.min(most_placeholders, last - core.info(world).last_id) do core.add_particle(world, { radius = 1 }) end
    drop_others()
  end
end

-- Those that were removed until then, with the step after which each was; the engine may have done so when it loaded.
local function remove_bodies(inner, removed)
  for number in pairs(removed) do
    if not inner.removed_bodies[number] then core.remove_body(inner.world, number) end
    up.forget(inner, number)
  end
  inner.removed_bodies = copied(removed)
end

-- Takes a skipped run as done: step, time and number of particles as they were after it.
function replay.skip_run(inner)
  local entry = next_entry(inner, "run")
  if entry.kept then keep.apply(inner, entry.kept, true) end
  if entry.random then random.restore(inner.session, entry.random) end
  if entry.time_step then core.set_time_step(inner.world, entry.time_step) end
  inner.shown = { step = entry.step, time = entry.time }
  changes.catch_up(inner)
  take_tallies(inner, entry.streams)
  remove_bodies(inner, entry.bodies or {})
  if entry.ids then match_ids(inner, entry.ids, entry.last_id) end
  for _ = core.info(inner.world).particle_count + 1, entry.particles do
    core.add_particle(inner.world, { radius = 1 })
  end
  if record_of(inner).format > 1 then gap.open(inner) end
end

-- ---- what a checkpoint keeps --------------------------------------------------------------------

-- Says once what a checkpoint cannot hold and what would go unnoticed later.
local function warn(call, one)
  if not random.installed and (one.script_text or ""):find "math%s*%.%s*random" then
    check.fail(call, "the script draws math.random in a program other than floc, and no checkpoint stores the state of that generator; "
      .. "use floc.random, or run it by floc run")
  end
  if one.quiet or one.warned_of_checkpoint then return end
  one.warned_of_checkpoint = true
  for _, name in ipairs(modules.foreign(one)) do
    warnings.tell(one, nil, string.format("the module %s is not Lua source; its state is not in the checkpoint", name))
  end
end

local function make_record(call, inner, kind)
  local one = inner.session
  warn(call, one)
  local step, time = core.clock(inner.world)
  return {
    format = record_format, step = step, time = time, version = core.version, mathematics = core.mathematics, script_name = one.script_name, arguments = one.arguments,
    out = one.out or false, simulation = inner.number, event = inner.events, kind = kind,
    run = inner.run_start or false, unfinished = inner.unfinished or false, log = inner.log, reports = one.reports, observers = outputs.positions(one),
    origins = one.origins, changes = one.changes, gravity_is_function = type(inner.gravity) == "function",
    modules = one.modules, setup = inner.setup, learned = one.learned, random = random.state(one), kept = keep.everything(call, inner),
    streams = inner.streams and tallies(inner), bodies = copied(inner.removed_bodies), up = up.record(inner), before = inner.before or false, conditions = copied(inner.conditions),
    watch = copied(inner.watch or false),
  }
end

-- The seal says that this user wrote the script (bindings/lua/seal.c). Without a key there is none, which is reported once.
local function seal_of(one, ...)
  local seal, why = core.seal(...)
  if not seal and not one.quiet and not one.warned_of_seal then
    io.stderr:write("floc: warning: checkpoints are not sealed, so floc resume will need --trust: ", why, "\n")
  end
  one.warned_of_seal = true
  return seal or ""
end

local function attach(call, inner, name, text)
  local ok, message = core.attach(inner.world, name, text)
  if not ok then check.fail(call, "%s", message) end
end

-- Hangs script, record and sim.state on the world, so that saving it takes them along.
function replay.attach(call, inner, kind)
  ranks.note_state(inner.state)
  local state, problem = serialise.write(inner.state, "state")
  if not state then check.fail(call, "%s", problem) end
  local record, fault = serialise.write(make_record(call, inner, kind), "record")
  if not record then check.fail(call, "%s", fault) end
  local one = inner.session
  local script = one.script_text or ""
  attach(call, inner, "script", script)
  attach(call, inner, "record", record)
  attach(call, inner, "state", state)
  attach(call, inner, "seal", seal_of(one, script, record, state))
end

-- ---- putting it back ----------------------------------------------------------------------------

-- Of a checkpoint of the first format.
local function restore_gravity(inner, record)
  if record.gravity_is_function and type(inner.gravity) == "function" then return end
  inner.gravity = core.info(inner.world).gravity
end

-- Called at the point itself: from here on the script is live again.
function replay.restore(inner)
  local one = inner.session
  local active, record = one.replay, one.replay.record
  setup.compare(inner, record)
  if active.load then
    local ok, message = core.load(inner.world, active.file)
    if not ok then check.fail("resume", "%s", session.about(active.path, message)) end
    if not record.kept then inner.state = active.state end
  end
  if record.kept then keep.restore(inner, record.kept) end
  if record.random then random.restore(one, record.random) end
  if record.learned then one.learned = record.learned end
  inner.log, inner.log_position = record.log, 0
  inner.shown = nil
  gap.close(inner)
  inner.run_start = record.run or nil
  take_tallies(inner, record.streams)
  remove_bodies(inner, record.bodies or {})
  inner.unfinished = record.unfinished or nil
  up.restore(inner, record.up)
  inner.before, inner.conditions, inner.watch = record.before or nil, copied(record.conditions or {}), copied(record.watch or nil)
  inner.applied_gravity = {}
  if not record.kept then restore_gravity(inner, record) end
  changes.catch_up(inner, (core.clock(inner.world)))
  one.replay = nil
  one.resumed = active.tell
  for k, report in ipairs(record.reports) do one.reports[k] = report end
  one.origins = record.origins
  one.origin_count = #record.origins
  if active.load then outputs.restore(one, record.observers, active.tell) end
  if active.load and active.restored then active.restored(inner) end
end

-- After the script has ended: a replay that never came to its point.
function replay.check_reached(one)
  local active = one.replay
  if not active then return end
  error(string.format("%s: resume: the script ended before the point at which the checkpoint was written (%s number %d of simulation %d); "
    .. "up to there it must make the same calls", one.script_name, active.record.kind, active.event,
    active.simulation), 0)
end

return replay
