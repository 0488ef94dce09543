-- The script's variables in a checkpoint: data that are not those of the script are refused, whatever they name.

local support = require "support"
local check = require "floc.surface.check"
local keep = require "floc.session.keep"

-- A simulation whose callback reaches a table, a function of the module and a simulation; numbered as at the start of a run.
local function numbered()
  return support.run [[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 0.1 }
    local t, run, count = { 1, 2 }, sim.run, 0
    sim:every(1, function() count = count + #t return run, sim end)
    sim:run { steps = 2 }
    return sim, t, function() return count end
  ]]
end

local function number_of(inner, kind, ours)
  for number, object in pairs(inner.kept.object_of) do
    local is_ours = type(object) == "function" and debug.getinfo(object, "S").source:sub(1, 6) == "=floc/"
    if type(object) == kind and is_ours == ours then return number, object end
  end
end

describe("variables in a checkpoint", function()
  it("fill the tables and variables that the script has", function()
    local sim, t, look = numbered()
    local inner = check.record(sim, "simulation")
    local fn = number_of(inner, "function", false)
    local table_number
    for number, object in pairs(inner.kept.object_of) do
      if object == t then table_number = number end
    end
    keep.apply(inner, { cells = { { fn, "count", 7 } }, tables = { { table_number, false, true, { 5, x = "y" } } } }, false)
    assert.are.equal(7, look())
    assert.are.same({ 5, x = "y" }, t)
  end)

  local function refused(make)
    local sim = numbered()
    local inner = check.record(sim, "simulation")
    local data = make(inner)
    local ok, message = pcall(keep.apply, inner, { cells = data.cells or {}, tables = data.tables or {} }, false)
    assert.is_false(ok)
    return message
  end

  it("reach no function of the module", function()
    assert.matches("resume: the variables in the checkpoint are not those of its script", refused(function(inner)
      return { cells = { { assert((number_of(inner, "function", true))), "inner", 7 } } }
    end))
  end)
  it("reach no record of the module", function()
    assert.matches("resume: the variables", refused(function() return { cells = { { "world", 0, 7 } } } end))
    assert.matches("resume: the script has no library floc.core", refused(function()
      return { cells = { { "state", 0, { "o", "library floc.core" } } } }
    end))
    assert.matches("resume: the script has no function floc.core.load", refused(function()
      return { cells = { { "state", 0, { "o", "function floc.core.load" } } } }
    end))
    assert.matches("resume: the variables", refused(function(inner)
      local number, object = 0, nil
      for k, one in pairs(inner.kept.object_of) do
        if check.record(one, "simulation") then number, object = k, one end
      end
      if not object then -- known by name
        return { tables = { { "simulation", false, true, {} } } }
      end
      return { tables = { { number, false, true, {} } } }
    end))
  end)
  it("are no code", function()
    assert.matches("resume: the variables", refused(function()
      return { cells = { { "state", 0, { "l", "1 os.exit(3) --" } } } }
    end))
  end)
end)
