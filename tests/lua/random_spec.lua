-- math.random as the program has it, and floc.random: both Luas draw the same numbers, which the engine's generator gives.

local support = require "support"
local random = require "floc.simulation.random"

local function in_session(fn)
  support.session.push(support.session.new { script_name = "script.lua", quiet = true })
  local results = { pcall(fn) }
  support.session.pop()
  if not results[1] then error(results[2], 0) end
  return (unpack or table.unpack)(results, 2)
end

describe("math.random of the program", function()
  it("draws the same numbers for a seed on every Lua", function()
    in_session(function()
      random.randomseed(42)
      local first = {}
      for k = 1, 200 do first[k] = random.random() end
      -- printed once by LuaJIT; Lua 5.4 must give the same
      assert.are.equal("0.89538804490570689", string.format("%.17g", first[1]))
      random.randomseed(42)
      for k = 1, 200 do assert.are.equal(first[k], random.random()) end
      random.randomseed(43)
      assert.are_not.equal(first[1], random.random())
    end)
  end)

  it("is uniform", function()
    in_session(function()
      local count, sum, squares, bins = 20000, 0, 0, {}
      for _ = 1, count do
        local u = random.random()
        assert(u > 0 and u < 1)
        sum, squares = sum + u, squares + u * u
        local bin = math.floor(10 * u)
        bins[bin] = (bins[bin] or 0) + 1
      end
      assert.near(0.5, sum / count, 4 * math.sqrt(1 / 12 / count))
      assert.near(1 / 3, squares / count, 4 * math.sqrt(4 / 45 / count))
      for bin = 0, 9 do assert.near(count / 10, bins[bin], 4 * math.sqrt(count * 0.09)) end
    end)
  end)

  it("takes ranges as Lua documents them", function()
    in_session(function()
      local seen = {}
      for _ = 1, 1000 do
        local k = random.random(6)
        assert(k >= 1 and k <= 6 and k % 1 == 0)
        seen[k] = true
        k = random.random(-3, 2)
        assert(k >= -3 and k <= 2 and k % 1 == 0)
      end
      for k = 1, 6 do assert.is_true(seen[k]) end
      assert.are.equal(5, random.random(5, 5))
      if math.type then assert.are.equal("integer", math.type(random.random(3))) end
    end)
  end)

  it("refuses what Lua refuses, in the same words", function()
    in_session(function()
      for _, given in ipairs { { "x" }, { {} }, { 0.5 }, { 2, 1 }, { -1 }, { 1, "y" } } do
        local unpack = unpack or table.unpack
        local ok, message = pcall(function() return (math.random(unpack(given))) end)
        local own, said = pcall(function() return (random.random(unpack(given))) end)
        assert.are.equal(ok, own)
        if not ok then assert.are.equal((message:gsub("^.-: ", "")), (said:gsub("^.-: ", ""))) end
      end
    end)
  end)

  if math.type then
    it("reaches all integers of 64 bits", function()
      in_session(function()
        local low, high = 0, 0
        for _ = 1, 400 do
          local k = random.random(math.mininteger, math.maxinteger)
          if k < 0 then low = low + 1 else high = high + 1 end
          local half = math.tointeger(2.0 ^ 60)
          local wide = random.random(-half, half)
          assert(wide >= -half and wide <= half)
          assert.are.equal("integer", math.type(random.random(0)))
        end
        assert.near(200, low, 60)
        assert.near(200, high, 60)
      end)
    end)
  end
end)

describe("floc.random", function()
  it("is a stream of its own for each name, the same one when it is asked for again", function()
    in_session(function()
      local a, b = random.stream "a", random.stream "b"
      local first = a:uniform()
      assert.are_not.equal(first, b:uniform())
      assert.are.equal(a, random.stream "a")
      assert.are_not.equal(first, a:uniform())
    end)
    assert.are.equal(in_session(function() return random.stream("a"):uniform() end), in_session(function()
      random.random()
      random.stream("b"):normal()
      return random.stream("a"):uniform()
    end))
  end)

  it("has the moments of its distributions", function()
    in_session(function()
      local numbers, count = random.stream("moments", 7), 20000
      local sum, squares, exponential, whole = 0, 0, 0, 0
      for _ = 1, count do
        local x = numbers:normal(1, 2)
        sum, squares = sum + x, squares + (x - 1) ^ 2
        exponential = exponential + numbers:exponential(3)
        whole = whole + numbers:integer(1, 4)
        local u = numbers:uniform(-2, -1)
        assert(u > -2 and u < -1)
      end
      assert.near(1, sum / count, 4 * 2 / math.sqrt(count))
      assert.near(4, squares / count, 4 * 4 * math.sqrt(2 / count))
      assert.near(3, exponential / count, 4 * 3 / math.sqrt(count))
      assert.near(2.5, whole / count, 4 * math.sqrt(1.25 / count))
    end)
  end)

  it("refuses wrong calls by name", function()
    local function refused(text) return support.failure("local floc = require 'floc'\n" .. text) end
    assert.matches("^script.lua:2: floc.random: name is 3", refused "floc.random(3)")
    assert.matches("^script.lua:2: floc.random: seed is 2; the stream \"a\" has the seed 1 already", refused "floc.random('a', 1) floc.random('a', 2)")
    assert.matches("^script.lua:2: uniform: high is 1; it must be above low, which is 1", refused "floc.random('a'):uniform(1, 1)")
    assert.matches("^script.lua:2: integer: high is 1; it must be at least low, which is 2", refused "floc.random('a'):integer(2, 1)")
    assert.matches("^script.lua:2: normal: deviation is %-1", refused "floc.random('a'):normal(0, -1)")
    assert.matches("is called on 1; write numbers:uniform with a colon", refused "floc.random('a').uniform(1)")
  end)
end)
