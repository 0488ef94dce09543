-- sim:deform: a cell that moves. Functions of time are asked before each step, as gravity is, and what they return goes to the
-- engine together with the numbers of the call.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local surface = require "floc.surface.structs"

local cell = {}

local function finite(value) return type(value) == "number" and value - value == 0 end

local function refuse_result(name, fn, shown, time, wanted)
  error(string.format("%s: deform: %s returned %s at t = %s; it must return %s", check.definition(fn), name, shown, check.show(time), wanted), 0)
end

local function rates_at(fn, time, dimension)
  local a, b, c = fn(time)
  if type(a) == "table" then a, b, c = a[1], a[2], a[3] end
  local list, shown = { a, b, c }, {}
  for axis = 1, dimension do
    shown[axis] = check.show(list[axis])
    if not finite(list[axis]) then
      for rest = axis + 1, dimension do shown[rest] = check.show(list[rest]) end
      refuse_result("rate", fn, table.concat(shown, ", "), time, dimension .. " finite numbers")
    end
  end
  return { a, b, dimension == 3 and c or nil }
end

local function shear_at(fn, time)
  local rate = fn(time)
  if not finite(rate) then refuse_result("shear_rate", fn, check.show(rate), time, "a finite number") end
  return rate
end

local function apply(call, inner, values)
  local ok, message = core.deform(inner.world, surface.for_engine("sim.deform", values))
  if not ok then check.fail(call, "%s", message) end
end

-- Asks the functions of the last call, if it had any.
function cell.refresh(inner, time)
  local given = inner.deform
  if not given then return end
  local now = {}
  for key, value in pairs(given) do now[key] = value end
  if type(now.rate) == "function" then now.rate = rates_at(now.rate, time, inner.dimension) end
  if type(now.shear_rate) == "function" then now.shear_rate = shear_at(now.shear_rate, time) end
  apply("deform", inner, now)
end

-- Numbers go to the engine at once, so that the call itself refuses what is wrong; functions stand for small rates there.
function cell.deform(inner, given)
  local values = check.table(declarations.deform, given, inner.dimension)
  if given.shear_plane ~= nil and given.shear_rate == nil then check.fail("deform", "shear_plane has no effect without shear_rate") end
  local first, asked = {}, false
  for key, value in pairs(values) do
    first[key] = value
    if type(value) == "function" then
      asked = true
      first[key] = nil
    end
  end
  apply("deform", inner, first)
  if type(values.shear_rate) == "function" then first.shear_rate = 1e-300 end
  if type(values.rate) == "function" then
    first.rate = {}
    for axis = 1, inner.dimension do
      first.rate[axis] = 1e-300
    end
  end
  if asked then apply("deform", inner, first) end
  inner.deform = asked and values or nil
end

-- The domain as a region, as it is now.
function cell.region(inner)
  local now = core.cell(inner.world)
  return setmetatable({ lower = now.lower, upper = now.upper }, getmetatable(inner.domain))
end

return cell
