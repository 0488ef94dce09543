-- When something is due that happens at intervals: every n steps, or { time = }: after the first step at or beyond each
-- multiple of a time. Steps of any length come out right, and a resume has to know the time before the last step alone.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"

local interval = {}

-- The interval that a call was given as its parameter every: a number of steps, or a table with a time.
function interval.of(call, given)
  if type(given) ~= "table" then return given end
  local values = check.table(declarations.interval, given)
  if values.condition then check.fail(call, "every has a condition; only sim:every takes one") end
  if not values.time then check.fail(call, "every is a table without time; it must be an integer or { time = ... }") end
  return { time = values.time }
end

-- Whether the last step, from inner.before to time, is one.
function interval.is_due(every, inner, step, time)
  if type(every) == "number" then return step % every == 0 end
  local h = core.info(inner.world).time_step
  local before, slack = inner.before or time - h, 1e-9 * h
  return math.floor((time + slack) / every.time) > math.floor((before + slack) / every.time)
end

local function text(every)
  if not every then return "{ condition }" end
  return type(every) == "number" and string.format("%d", every) or string.format("{ time = %s }", check.show(every.time))
end

-- A callback of sim:every: every, or condition; fn; and the places of its functions, for messages.
function interval.callback(given, fn)
  local values = type(given) == "table" and check.table(declarations.interval, given) or { steps = given }
  if not check.exclusive("every", values, "steps", "time", "condition") then
    check.fail("every", "the interval is an empty table; it must have time or condition")
  end
  local every = values.time and { time = values.time } or values.steps
  return { every = every, condition = values.condition, fn = fn, place = string.format("the callback of every(%s) at %s", text(every), check.definition(fn)),
    condition_place = values.condition and "the condition of every at " .. check.definition(values.condition) }
end

return interval
