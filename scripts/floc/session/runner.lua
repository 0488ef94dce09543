-- The run loop: steps, callbacks, tables, checkpoints, progress, and what happens when a step fails or the
-- run is interrupted.
--
-- After each step come, in this order: outlets and inlets, callbacks (in the order of registration), rows and frames, checkpoints
-- at intervals, checkpoints that callbacks asked for. So a checkpoint always holds the state after all
-- callbacks of its step, and a resumed run does none of them twice and leaves none out.

local changes = require "floc.session.changes"
local check = require "floc.surface.check"
local continuation = require "floc.session.continuation"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local gap = require "floc.session.gap"
local goal = require "floc.session.goal"
local interval = require "floc.session.interval"
local keep = require "floc.session.keep"
local laws = require "floc.simulation.laws"
local locks = require "floc.session.locks"
local outputs = require "floc.output.outputs"
local particles = require "floc.simulation.particles"
local progress = require "floc.session.progress"
local ranks = require "floc.session.ranks"
local replay = require "floc.session.replay"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"
local cell = require "floc.simulation.cell"
local streams = require "floc.simulation.streams"
local up = require "floc.simulation.up"
local warnings = require "floc.session.warnings"

local runner = {}

runner.logged = replay.logged
runner.logged_call = replay.logged_call

-- Raised when the run was interrupted; message tells how to continue. The program knows it.
local interrupted_meta = { __tostring = function(self) return self.message end }

function runner.is_interruption(value) return getmetatable(value) == interrupted_meta end

-- ---- files --------------------------------------------------------------------------------------

-- as: what sim:checkpoint was told: path, keep and compression, or just the path.
local function write_file(call, inner, as)
  local ok, message = session.make_folder_for(as.path, as.is_own_name)
  if ok then ok, message = locks.take(inner, as.path) end
  if not ok then check.fail(call, "%s", message) end
  ok, message = core.save(inner.world, as.path, as.keep, as.compression == "none")
  if not ok then check.fail(call, "%s", session.about(as.path, message)) end
  if inner.session.continues then continuation.note(inner.session, as.path, inner.number, (core.clock(inner.world))) end
end

local function save(call, inner, as, kind)
  if sandbox.leaves_out "checkpoint" then return end
  replay.attach(call, inner, kind)
  write_file(call, inner, as)
end

-- As the script chose: a file that cannot be written ends the run, or is told of once for each row of failures. What
-- cannot be stored at all is no matter of the disk, and ends the run in any case.
local function save_as_chosen(inner, values)
  if sandbox.leaves_out "checkpoint" then return end
  if values.on_failure ~= "go_on" then return save("checkpoint", inner, values, "run") end
  replay.attach("checkpoint", inner, "run")
  local ok, message = pcall(write_file, "checkpoint", inner, values)
  if not ok and not values.failing then
    warnings.tell(inner.session, inner.number, tostring(message) .. "; the run continues without it")
  end
  values.failing = not ok
end

-- Before a run: what it could not write is refused now, not after an hour. With on_failure = "go_on" only that another run is
-- writing there.
local function claim(inner, as)
  if sandbox.leaves_out "checkpoint" then return end
  local ok, message, reason = session.make_folder_for(as.path)
  if ok then ok, message, reason = core.may_replace(as.path) end
  if ok then ok, message, reason = locks.take(inner, as.path) end
  if not ok and (as.on_failure ~= "go_on" or reason == "wrong state") then check.fail("checkpoint", "%s", message) end
end

-- A file in the folder of output that the run writes when it ends before its time. Where another run has the name, it
-- gets one of this process: the state must not be lost.
local function last_file(inner, name)
  local path = session.out_folder(inner.session) .. "/" .. name
  if session.make_folder_for(path .. ".floc", true) and not locks.take(inner, path .. ".floc") then
    path = path .. "-" .. core.process()
  end
  return { path = path .. ".floc", is_own_name = true }
end

-- sim:checkpoint: at intervals, or now. Between runs it is an event of its own, at which a resume can continue.
function runner.checkpoint(inner, given)
  local values = check.table(declarations.checkpoint, type(given) == "string" and { path = given } or given)
  if values.every then
    inner.guard("checkpoint")
    values.every = interval.of("checkpoint", values.every)
    claim(inner, values)
    inner.schedule = values
    return
  end
  if inner.in_callback then
    inner.pending[#inner.pending + 1] = values
    return
  end
  if inner.running then check.fail("checkpoint", "is not allowed here, during a step") end
  inner.events = inner.events + 1
  keep.start(inner)
  inner.last_event, inner.last_run = "checkpoint", nil
  local active = inner.session.replay
  if not active then save("checkpoint", inner, values, "checkpoint") end
  if inner.gap then gap.open(inner) end -- what is read after it is noted again, as it is after a resume here
  if not active or not replay.is_target(inner) or inner.events < active.event then return end
  if active.record.kind ~= "checkpoint" then
    check.fail("resume", "the script writes a checkpoint where it made a run when the file was written; "
      .. "up to there it must make the same calls")
  end
  local was_open = inner.gap
  replay.restore(inner)
  if was_open then gap.open(inner) end
  runner.after_restore(inner)
end

-- In a script resumed by floc.resume, the script stops for good at the restored point and the simulation
-- goes to the one who asked.
function runner.after_restore(inner)
  if inner.session.hand_over then inner.session.hand_over(inner.sim) end
end

-- ---- gravity ------------------------------------------------------------------------------------

local function vector_text(a, b, c, dimension)
  local shown = { check.show(a), check.show(b) }
  if dimension == 3 then shown[3] = check.show(c) end
  return table.concat(shown, ", ")
end

local function finite(value) return type(value) == "number" and value - value == 0 end

-- Gravity as it is now goes to the engine when it has changed: a function is asked, a table (which the script
-- may have written into) is looked at.
local function apply_gravity(inner, time)
  local gravity, dimension = inner.gravity, inner.dimension
  local a, b, c
  if type(gravity) == "function" then
    a, b, c = gravity(time)
    if type(a) == "table" then a, b, c = a[1], a[2], a[3] end
  else
    a, b, c = gravity[1], gravity[2], gravity[3]
  end
  local applied = inner.applied_gravity
  if a == applied[1] and b == applied[2] and (dimension == 2 or c == applied[3]) then return end
  if not finite(a) or not finite(b) or dimension == 3 and not finite(c) then
    if type(gravity) == "function" then
      error(string.format("%s: gravity: the function returned %s at t = %s; it must return %d finite numbers",
        check.definition(gravity), vector_text(a, b, c, dimension), check.show(time), dimension), 0)
    end
    check.fail("run", "sim.gravity is { %s }; it must hold %d finite numbers", vector_text(a, b, c, dimension),
      dimension)
  end
  local ok, message = core.set_gravity(inner.world, a, b, dimension == 3 and c or 0)
  if not ok then check.fail("run", "%s", message) end
  applied[1], applied[2], applied[3] = a, b, c
end

-- ---- failures -----------------------------------------------------------------------------------

local leaves_a_file = { ["not a number"] = true, ["escaped"] = true, ["limit exceeded"] = true }

-- The state before (or after) a step that failed is written, so that it can be looked at.
local function failed_file(inner, side)
  local as = last_file(inner, "failed")
  local ok, message = pcall(save, "run", inner, as, "run")
  if ok then return "; the state " .. side .. " this step is in " .. as.path end
  return "; the state " .. side .. " this step could not be written: " .. tostring(message)
end

local function step_failed(inner, message, status)
  if type(message) ~= "string" then error(message, 0) end
  if status == "overlapping" then message = message .. particles.lines_note(inner, message) end
  if status == "wrong state" and ranks.are_several and inner.called then
    message = string.format("%s; what was called last is %s", message, inner.called)
  end
  if status == "not a number" then message = message .. laws.failure_note(inner, message) end
  if not message:find("step %d") then
    message = string.format("%s, in step %d", message, core.clock(inner.world) + 1)
  end
  if status == "callback failed" then error(message, 0) end
  if leaves_a_file[status] then message = message .. failed_file(inner, "before") end
  check.fail("run", "%s", message)
end

-- Runs a function of the script with the callback flag set; an error gets the place behind it.
local function call_guarded(inner, place, fn, ...)
  inner.in_callback = true
  local ok, value = pcall(fn, ...)
  inner.in_callback = false
  if ok then return value end
  if type(value) == "string" and place then
    local step = core.clock(inner.world)
    value = string.format("%s (in %s, after step %d)", value, place, step)
  end
  error(value, 0)
end

-- ---- interruption -------------------------------------------------------------------------------

-- The state of now is written, for a resume to continue from; where: the present activity.
local function stop_here(inner, where, kind)
  local as = inner.schedule or last_file(inner, "interrupted")
  local step, time = core.clock(inner.world)
  save("run", inner, as, kind or "run")
  local by = inner.session.interrupted and inner.session.interrupted()
  local why = by == "output" and "standard output accepts no more; stopped" or "interrupted"
  error(setmetatable({ step = step, path = as.path, message = string.format(
    "%s after step %d, t = %.6g%s; continue with: %s resume %s", why, step, time, where or "", inner.session.program or "floc", as.path) }, interrupted_meta), 0)
end

-- ---- the loop -----------------------------------------------------------------------------------

local function write_outputs(inner, sim, step, time)
  for _, one in ipairs(inner.outputs) do
    if outputs.is_due(one, inner, step, time) then call_guarded(inner, nil, outputs.write, one, sim, inner, step) end
  end
end

-- Whether a condition is true that was not after the step before. What is noted of it goes into checkpoints: that it was true
-- only when the callback has returned, because a resume starts one again that was interrupted.
local function becomes_true(inner, sim, k, one)
  local answer = call_guarded(inner, one.condition_place, one.condition, sim)
  if type(answer) ~= "boolean" then
    check.fail("every", "the condition at %s returned %s; it must return true or false", check.definition(one.condition), check.show(answer))
  end
  if not answer then inner.conditions[k] = nil end
  return answer and not inner.conditions[k]
end

-- Outlets and inlets where `first` is 0, and callbacks from number `first` on. Which one runs is known, for an interruption; outlets
-- and inlets that were stopped do what is left when they are called again.
local function call_callbacks(inner, sim, step, time, first)
  if first == 0 and inner.streams then
    inner.unfinished = 0
    call_guarded(inner, nil, streams.flow, inner, sim, step, time)
  end
  for k = math.max(first, 1), #inner.callbacks do
    local one = inner.callbacks[k]
    if one.condition then inner.unfinished = k end
    if one.condition and becomes_true(inner, sim, k, one) or one.every and interval.is_due(one.every, inner, step, time) then
      inner.unfinished, inner.called = k, one.place
      call_guarded(inner, one.place, one.fn, sim)
      if one.condition then inner.conditions[k] = true end
    end
  end
  inner.unfinished = nil
end

-- Callbacks, outputs and checkpoints that are due after a step.
local function after_step(inner, sim, step, time, silent)
  call_callbacks(inner, sim, step, time, 0)
  if silent then
    inner.pending = {}
    return
  end
  write_outputs(inner, sim, step, time)
  local schedule = inner.schedule
  if schedule and interval.is_due(schedule.every, inner, step, time) then save_as_chosen(inner, schedule) end
  if #inner.pending > 0 then
    local pending = inner.pending
    inner.pending = {}
    for _, values in ipairs(pending) do save_as_chosen(inner, values) end
  end
end

-- Where the residual of the worst step was, and what helps: "; in step 7 between particles 3 and 12; ...". Schemes that are no
-- projection do not say.
local function worst_place(inner, report)
  if not report.worst_step then return "" end
  local place = ""
  if report.worst_other then
    place = string.format(", between particles %d and %d", report.worst_particle, report.worst_other)
  elseif report.worst_body and report.worst_particle then
    place = string.format(", between particle %d and body %d", report.worst_particle, report.worst_body)
  elseif report.worst_body then
    place = string.format(", between body %d and another body", report.worst_body)
  end
  local scheme = inner.scheme
  local exact = scheme and scheme.friction and scheme.friction ~= 0 and scheme.friction_law ~= "convex"
  return string.format("; worst in step %d%s; a larger max_iterations or a shorter time step helps%s", report.worst_step, place,
    exact and ', or friction_law = "convex"' or "")
end

-- A step above its tolerance where the script, or --strict, wants none. The step is done; the state is that after it.
local function stop_unsolved(inner)
  local report = core.report(inner.world)
  inner.unfinished = 0 -- neither outlets and inlets nor callbacks were called yet
  local file = failed_file(inner, "after")
  check.fail("run", "step %d did not reach its tolerance: residual %.3g tolerances, maximum overlap %.2g radii%s (%s)%s",
    (core.clock(inner.world)), report.residual / report.tolerance, report.overlap, worst_place(inner, report),
    inner.on_unconverged == "stop" and 'on_unconverged = "stop"' or "--strict", file)
end

local function loop(inner, sim, reached, silent, shown)
  local world, interrupted, live = inner.world, inner.session.interrupted, not silent and inner.session.live
  local stops = not silent and (inner.on_unconverged == "stop" or inner.session.strict and inner.on_unconverged ~= "go_on")
  local step, time = core.clock(world)
  if inner.unfinished then call_callbacks(inner, sim, step, time, inner.unfinished) end
  if not silent then write_outputs(inner, sim, step, time) end
  while not reached(step, time) do
    if inner.session.changes[1] then changes.due(inner, step) end
    if live then live:tick(inner) end
    if interrupted and not silent and interrupted() then stop_here(inner) end
    apply_gravity(inner, time)
    if inner.deform then cell.refresh(inner, time) end
    if not inner.up then up.settle(inner) end
    if inner.laws then laws.refresh(inner) end
    local ok, message, status = core.step(world)
    if not ok and status == "interrupted" and not silent then stop_here(inner) end
    if not ok then step_failed(inner, message, status) end
    if inner.added[1] then inner.added = {} end
    inner.before = time
    if stops and message == false then stop_unsolved(inner) end
    step, time = core.clock(world)
    after_step(inner, sim, step, time, silent)
    if shown then progress.tick(shown, step, time) end
  end
  return step, time
end

-- A function of the script was stopped during a run. The state is that after the last step; a callback that was
-- in the middle is called again from its beginning when the run is resumed.
local function interrupted_within(inner, message)
  inner.pending = {}
  stop_here(inner, string.format(" (%s%s)", message, inner.unfinished and "; a resume starts this callback again" or ""))
end

-- A script was stopped between its runs. What the last simulation came to is written, if a run has ended; nil otherwise.
function runner.interrupted_between(one, message)
  local last
  for _, inner in ipairs(one.simulations) do
    if inner.last_event and (not last or inner.number > last.number) then last = inner end
  end
  if not last or one.replay then return nil end
  last.run_start, last.running = last.last_run, false
  local _, value = pcall(stop_here, last, string.format(" (%s, between runs; a resume repeats what the script did "
    .. "after the last)", message), last.last_event)
  return value
end

-- Says when steps of this run were left unsolved: a result that rests on them is worth less.
local function warn_unsolved(inner, before)
  local report = core.report(inner.world)
  local count = report.unconverged_steps - before
  if count == 0 or inner.on_unconverged == "go_on" then return end
  warnings.tell(inner.session, inner.number, string.format("%s of this run did not reach the tolerance; maximum residual so "
    .. "far %.3g tolerances, maximum overlap %.2g radii%s", count == 1 and "1 step" or count .. " steps", report.greatest_residual,
    report.greatest_overlap, worst_place(inner, report)), "unsolved")
end

-- Says when pairs had more contacts than are kept.
local function warn_left_out(inner, before)
  local count = core.report(inner.world).contacts_left_out - before
  if count == 0 then return end
  warnings.tell(inner.session, inner.number, string.format("pairs of polyhedra had more than 128 contacts within reach in a step: the farthest "
    .. "were left out, %d in this run, and may overlap; a shorter time step or fewer corners help", count))
end

-- Counts the event; true when the run was done before the checkpoint that is being resumed.
local function skip_or_restore(inner)
  inner.events = inner.events + 1
  local active = replay.is_target(inner)
  inner.run_start = nil
  if not active then return false end
  if inner.events < active.event then
    replay.skip_run(inner)
    return true
  end
  if active.record.kind ~= "run" then
    check.fail("resume", "the script makes a run where it wrote a checkpoint when the file was written; "
      .. "up to there it must make the same calls")
  end
  replay.restore(inner)
  runner.after_restore(inner)
  return false
end

-- `floc resume FILE --steps=N`: N more steps instead of the script's own goal, once.
local function override_steps(inner, values, start_step)
  local one = inner.session
  if not one.steps or one.replay then return values, start_step end
  local steps = one.steps
  one.steps = nil
  return { steps = steps, progress = values.progress }, (core.clock(inner.world))
end

local function run_in_default(inner, sim, given)
  local values = check.table(declarations.run, given)
  goal.check(values)
  if inner.running then check.fail("run", "is not allowed inside a callback: the simulation is already running") end
  keep.outside(inner, "run")
  keep.start(inner, goal.function_of(values))
  if skip_or_restore(inner) then return 0 end
  gap.close(inner)
  local world, silent = inner.world, inner.session.replay ~= nil
  if not inner.run_start then
    local step, time = core.clock(world)
    inner.run_start, inner.watch = { step = step, time = time }, nil
  end
  local first = core.clock(world)
  local wanted, start_step = override_steps(inner, values, inner.run_start.step)
  local reached, aim = goal.of(inner, sim, wanted, start_step, call_guarded)
  local show = wanted.progress
  if show == nil then show = inner.session.progress end
  local shown = show and not silent and progress.start(world, aim, core.clock(world)) or nil
  local earlier = core.report(world)
  inner.on_unconverged = values.on_unconverged

  local outer = inner.session.running
  inner.running, inner.session.running = true, outer or inner.number
  local ok, step, time = pcall(loop, inner, sim, reached, silent, shown)
  inner.running, inner.session.running = false, outer
  if not ok then
    if shown then progress.clear(shown) end
    local stopped = inner.session.interrupted
    if stopped and not silent and not runner.is_interruption(step) and stopped() then
      interrupted_within(inner, tostring(step))
    end
    error(step, 0)
  end
  inner.last_event, inner.last_run = "run", inner.run_start
  inner.run_start, inner.watch = nil, nil
  if shown then progress.finish(shown, step, time) end
  if not silent then
    warn_unsolved(inner, earlier.unconverged_steps)
    warn_left_out(inner, earlier.contacts_left_out)
  end
  if not silent and not inner.session.quiet then laws.warn_costs(inner) end
  replay.log_run(inner)
  return step - first
end

-- Gravity, motions of the cell and callbacks are the script's functions, called between steps: they compute in the
-- floating-point environment that the engine's calls have, whatever the host has set, and the host gets its own back.
function runner.run(inner, sim, given)
  local before = core.float_default()
  local ok, result = pcall(run_in_default, inner, sim, given)
  core.float_restore(before)
  if not ok then error(result, 0) end
  return result
end

return runner
