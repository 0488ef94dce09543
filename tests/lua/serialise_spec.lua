-- Plain data to text and back.

require "floc"
local serialise = require "floc.session.serialise"

local function round(value) return assert(serialise.read((assert(serialise.write(value, "state"))))) end

describe("serialise", function()
  it("gives numbers back bit for bit", function()
    for _, value in ipairs { 0, 1, -1, 0.1, 1 / 3, 1e-300, 4.9406564584124654e-324, 1.7976931348623157e308, 2 ^ 53, -2 ^ 53, math.pi,
      math.huge, -math.huge } do
      assert.are.equal(value, round(value))
    end
    local nan = round(0 / 0)
    assert.is_true(nan ~= nan)
    local zero = round(-1 / math.huge)
    assert.are.equal(-math.huge, 1 / zero)
  end)

  it("keeps integers and floats apart where Lua does", function()
    if not math.type then return end
    assert.are.equal("integer", math.type(round(3)))
    assert.are.equal("float", math.type(round(3.0)))
    assert.are.equal("float", math.type(round(-0.0)))
    assert.are.equal(math.maxinteger, round(math.maxinteger))
    assert.are.equal(math.mininteger, round(math.mininteger))
  end)

  it("gives tables, texts and booleans back", function()
    local value = { 1, "two", true, false, { a = { b = "" } }, ["a key"] = "line\nbreak\0zero;", [2.5] = 1, [true] = 2, [-1] = 3 }
    assert.are.same(value, round(value))
    assert.are.same({}, round {})
  end)

  it("writes equal data as equal texts", function()
    local a, b = {}, {}
    for k = 1, 100 do a["k" .. k] = k b["k" .. 101 - k] = 101 - k end
    assert.are.equal(serialise.write(a, "s"), serialise.write(b, "s"))
  end)

  it("takes tables larger than a Lua source could", function()
    local value = {}
    for k = 1, 70000 do value[k] = k * 1.5 end
    assert.are.same(value[70000], round(value)[70000])
  end)

  it("refuses what cannot be stored, by the path of its key", function()
    local function refusal(value) return select(2, serialise.write(value, "state")) end
    assert.are.equal("state.f is a function; only numbers, strings, booleans and tables of these can be stored", refusal { f = print })
    assert.matches("^state%.list%[2%] is a thread", refusal { list = { 1, coroutine.create(print) } })
    assert.matches('^state%["odd key"%] is a userdata', refusal { ["odd key"] = io.stdout })
    local shared = {}
    assert.are.equal("state.b is the same table as state.a; each table can be stored in only one place", refusal { a = shared, b = shared })
    local cycle = {} cycle.self = cycle
    assert.matches("^state%.self is the same table as state;", refusal(cycle))
    assert.matches("^state%.m has a metatable", refusal { m = setmetatable({}, {}) })
    assert.matches("^state has a table as a key", refusal { [{}] = 1 })
  end)

  it("takes nothing for a number that is none", function()
    for _, text in ipairs { "n0,5;", "n;", "n1.5x;", "n 1.5;", "n1.5 ;", "nNAN;", "i1.5;", "i;", "i0x10;", "s-1:", "s1,5:ab", "s9:ab", "t1,5;n1;n1;", "t1;nnan;n1;" } do
      local value, message = serialise.read(text)
      assert.is_nil(value, text)
      assert.is_string(message)
    end
    assert.are.equal(0.5, serialise.read "n0.5;")
    assert.are.equal(0.5, serialise.read "n0x1p-1;")
  end)

  it("refuses damaged texts", function()
    local text = serialise.write({ a = { 1, 2, "three" } }, "s")
    for k = 0, #text - 1 do assert.is_nil((serialise.read(text:sub(1, k)))) end
    assert.is_nil((serialise.read(text .. "b1")))
    assert.is_nil((serialise.read("x")))
  end)
end)

describe("the nearest name", function()
  local check = require "floc.surface.check"
  it("is the one that was meant", function()
    local names = { "radius", "position", "velocity", "mass", "gravity", "time_step" }
    for wrong, right in pairs { raduis = "radius", posiition = "position", velocty = "velocity", mas = "mass", Gravity = "gravity",
      gravty = "gravity", timestep = "time_step", time_stpe = "time_step", pos = "position" } do
      assert.are.equal(right, check.nearest(wrong, names))
    end
    assert.is_nil(check.nearest("colour", names))
    assert.is_nil(check.nearest("q", names))
  end)
end)
