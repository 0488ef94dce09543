-- When a run is at its end: after a number of steps, at a time, when a function returns true, or when all is at rest.
--
-- At rest. The kinetic energy is that of a mean speed v: K = M v^2 / 2, M the mass of all. Gravity g and the mean diameter d
-- give a speed, sqrt(g d), and a time, sqrt(d / g), in which something that nothing holds reaches that speed. "at rest" is
-- v < CALM sqrt(g d) at every step for a time LASTING sqrt(d / g): a start from rest, and a throw at its highest point,
-- are not at rest. A run that has no other end says once that it waits, after PATIENCE times as long. What a run waits for is computed when it begins; how long all has been calm goes into checkpoints.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local warnings = require "floc.session.warnings"

local goal = {}

local CALM, LASTING, STEPS, PATIENCE = 3e-3, 0.1, 10, 1e4

-- ---- what is given --------------------------------------------------------------------------------

local limits = { "kinetic_below", "speed_below", "unbalanced_below" }

-- The values of sim:run, checked further: until_ as a table is one of its own.
function goal.check(values)
  check.exclusive("run", values, "steps", "until_time")
  if type(values.until_) == "function" then check.exclusive("run", values, "until_", "steps", "until_time") end
  if not values.steps and not values.until_time and not values.until_ then
    check.fail("run", "steps is missing; it must be %s, or give until_time or until_", check.describe(declarations.run[1]))
  end
  if type(values.until_) ~= "table" then return end
  values.until_ = check.table(declarations.until_, values.until_)
  for _, name in ipairs(limits) do
    if values.until_[name] then return end
  end
  check.fail("run", "until_ names no limit; it must have %s", table.concat(limits, " or "))
end

-- The function of the script in it, if there is one.
function goal.function_of(values) return type(values.until_) == "function" and values.until_ or nil end

-- ---- rest -----------------------------------------------------------------------------------------

local function measured(inner, name)
  local value, message = core.measure(inner.world, name)
  if not value then check.fail("run", "%s", message) end
  return value
end

local function length_of(vector)
  local sum = 0
  for k = 1, #vector do sum = sum + vector[k] ^ 2 end
  return math.sqrt(sum)
end

local function mean_diameter(inner, sim)
  local radius, sum, ids = sim.radius, 0, core.particle_ids(inner.world)
  for k = 1, #ids do sum = sum + radius[ids[k]] end
  return #ids > 0 and 2 * sum / #ids or 0
end

-- Speed and time that gravity and the grains give; nil without one of them.
local function scales(inner, sim)
  local g, d = length_of(core.info(inner.world).gravity), mean_diameter(inner, sim)
  if g == 0 or d == 0 then return nil end
  return math.sqrt(g * d), math.sqrt(d / g)
end

-- What a run waits for, as plain data.
local function watch_of(inner, sim, values)
  local speed, time = scales(inner, sim)
  if values.until_ == "at rest" then
    if not speed then
      check.fail("run", 'until_ is "at rest", which compares speeds with those that gravity gives; there is %s now: give until_ = { kinetic_below = } or { speed_below = }',
        core.info(inner.world).particle_count == 0 and "no particle" or "no gravity")
    end
    return { mean_speed = CALM * speed, lasting = LASTING * time }
  end
  local given = values.until_
  return { kinetic_below = given.kinetic_below, speed_below = given.speed_below, unbalanced_below = given.unbalanced_below,
    lasting = given.lasting or (time and LASTING * time or STEPS * core.info(inner.world).time_step) }
end

local function is_calm(inner, watch)
  local kinetic = (watch.mean_speed or watch.kinetic_below) and measured(inner, "kinetic_energy")
  if watch.mean_speed and not (kinetic < 0.5 * measured(inner, "total_mass") * watch.mean_speed ^ 2) then return false end
  if watch.kinetic_below and not (kinetic < watch.kinetic_below) then return false end
  if watch.speed_below and not (measured(inner, "greatest_speed") < watch.speed_below) then return false end
  return not watch.unbalanced_below or measured(inner, "unbalanced_force_ratio") < watch.unbalanced_below
end

-- A run without another end waits for ever where something never comes to rest, a grain that falls past everything for one.
local function tell_of_waiting(inner, watch, time)
  watch.from = watch.from or time
  if watch.told or time - watch.from < PATIENCE * watch.lasting then return end
  watch.told = true
  warnings.tell(inner.session, inner.number, string.format("the run has waited from t = %g to %g for all to be at rest, and has no other end: the greatest speed is %g; "
    .. "give steps or until_time as well if something may never stop", watch.from, time, measured(inner, "greatest_speed")), "waits")
end

-- Asked before every step; the state that the run begins with does not count.
local function rests(inner, first, step, time, bounded)
  local watch = inner.watch
  if not bounded then tell_of_waiting(inner, watch, time) end
  if step == first then return false end
  if watch.asked ~= step then
    watch.asked = step
    watch.since = is_calm(inner, watch) and (watch.since or time) or nil
  end
  return watch.since ~= nil and time - watch.since >= watch.lasting * (1 - 1e-9)
end

-- ---- the end of a run -----------------------------------------------------------------------------

local function bound_of(inner, values, first)
  if values.steps then
    local last = first + values.steps
    return function(step) return step >= last end, { step = last }
  elseif values.until_time then
    local slack = 1e-9 * core.info(inner.world).time_step
    return function(_, time) return time >= values.until_time - slack end, { time = values.until_time }
  end
  return function() return false end, {}
end

-- A function of step and time that says whether the run is at its end, and the goal for progress. first: the step at which the run
-- began; call: calls a function of the script.
function goal.of(inner, sim, values, first, call)
  local until_ = values.until_
  if type(until_) == "function" then
    inner.watch = nil
    local place = "the until_ function at " .. check.definition(until_)
    return function() return call(inner, place, until_, sim) end, {}
  end
  local reached, aim = bound_of(inner, values, first)
  if not until_ then
    inner.watch = nil
    return reached, aim
  end
  inner.watch = inner.watch or watch_of(inner, sim, values)
  return function(step, time)
    if rests(inner, first, step, time, values.steps or values.until_time) then return true end
    if not reached(step, time) then return false end
    warnings.tell(inner.session, inner.number, string.format("the run ended at %s, before all was at rest",
      values.steps and "its last step" or "until_time"), "rest")
    return true
  end, aim
end

return goal
