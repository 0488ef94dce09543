-- Laws that cannot be traced and run in worker states: which do, which must not, and that the states give what one
-- call after the other in the script's state gives, bit for bit, on any number of threads.

local support = require "support"

local is_jit = rawget(_G, "jit") ~= nil

-- Particles in rows, so numerous that several threads have work where it is asked for; the law stands in `law`.
local function run(law, way, options)
  options = options or {}
  return support.try(string.format([[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 1e-4, seed = 5, threads = %d }
    sim:add_attribute("charge", 1)
    local side = math.floor(math.sqrt(%d))
    for row = 1, side do
      for k = 1, side do
        sim:add_particle { position = { k + 0.1 * math.sin(7 * row + k), row + 0.1 * math.sin(k) }, radius = 0.4,
          attributes = { charge = k %% 3 } }
      end
    end
    %s
    local handle = sim:add_force { range = 1, law = law, way = %q }
    %s
    sim:run { steps = 3 }
    return sim:hash(), handle.way
  ]], options.threads or 1, options.particles or 100, law, way or "auto", options.after or ""))
end

local chunked = {
  ["a table that is looked up"] = [[
    local values = {}
    for k = 0, 300 do values[k] = math.exp(-k / 40) end
    local function law(distance)
      local place = distance * 100
      local k = math.min(math.max(math.floor(place), 0), 299)
      return values[k] + (place - k) * (values[k + 1] - values[k])
    end ]],
  ["a loop that ends by value"] = [[
    local tolerance, most = 1e-13, 500
    local function law(distance)
      local x = 1
      for _ = 1, most do
        local change = (x * x * x - distance) / (3 * x * x)
        x = x - change
        if math.abs(change) < tolerance then break end
      end
      return x
    end ]],
  ["a while that does not end for some numbers"] = [[
    local function law(distance)
      local n = 0
      while distance ~= 0 and distance > 1e-3 or distance < -2 do distance, n = distance / 2, n + 1 end
      return n
    end ]],
  ["a protected call"] = "local function law(distance) local ok, root = pcall(math.sqrt, distance) return ok and root or 0 end",
  ["helpers, upvalues of helpers, a global"] = [[
    law_chunk_factor = 1.5
    local inner = { scale = { 2, 3 }, on = true, name = "x" }
    local function twice(x) return inner.on and inner.scale[1] * x or inner.name end
    local function law(distance, charge_i)
      local _ = pcall(twice, distance)
      return law_chunk_factor * twice(distance) + inner.scale[1 + charge_i % 2]
    end ]],
  ["recursion that ends by value"] = [[
    local function halve(x) if x < 0.01 then return x end return halve(x / 2) end
    local function law(distance) return halve(distance) end ]],
  ["tables of its own"] = [[
    local function law(distance, charge_i)
      local list = { distance, 1, 2, 3 }
      table.insert(list, charge_i)
      list[1 + charge_i] = 5
      local sum = 0
      for _, x in ipairs(list) do sum = sum + x end
      pcall(table.sort, list)
      return sum
    end ]],
  ["text"] = [[ local function law(distance) return tonumber(("%.3f"):format(distance)) end ]],
}

local never = {
  { "a counter", "changes a variable outside", "local n = 0 local function law(distance) n = n + 1 return n * distance end" },
  { "a helper that counts", "changes a variable outside",
    "local n = 0 local function count() n = n + 1 return n end local function law(distance) return count() end" },
  { "a function within that counts", "changes a variable outside",
    "local n = 0 local function law(distance) local f = function() n = n + 1 return n end return f() end" },
  { "a global", "sets a global", "local function law(distance) law_chunk_count = distance return 1 end" },
  { "a list that grows", "writes to a table", "local seen = {} local function law(distance) seen[#seen + 1] = distance return 1 end" },
  { "a list that table.insert lets grow", "writes to a table",
    "local seen = {} local function law(distance) table.insert(seen, distance) return 1 end" },
  { "a list that a local insert lets grow", "writes to a table",
    "local insert, seen = table.insert, {} local function law(distance) insert(seen, distance) return 1 end" },
  { "a field of math", "writes to a table", "local function law(distance) math.floc_count = 1 return pcall(math.sqrt, 1) and 1 end" },
  { "random numbers", "random numbers", "local function law(distance) return distance * math.random() end" },
  { "random numbers by a local name", "random numbers", "local draw = math.random local function law(distance) return distance * draw() end" },
  { "random numbers by a name at run time", "a worker state returns",
    "local name = 'rand' .. 'om' local function law(distance) return distance + math[name]() end" },
  { "the clock", "the global os", "local function law(distance) return os.clock() > 0 and distance or 0 end" },
  { "printing", "the global print", "local function law(distance) if distance < 0 then print(distance) end return 1 end" },
  { "an order of hashes", "the global pairs",
    "local t = { a = 1, b = 2 } local function law(distance) local s = 0 for _, v in pairs(t) do s = s + v * distance end return s end" },
  { "a table with a metatable", "metatable",
    "local t = setmetatable({}, { __index = function(_, k) return k end }) local function law(distance) return t[math.floor(distance)] end" },
  { "the simulation", "sim", "local function law(distance) return sim.time + distance end" },
  { "errors that are tables", "errors that are not strings", "local function law(distance) error({ distance }) end" },
  { "a coroutine", "the global coroutine",
    "local function law(distance) return coroutine.wrap(function() return distance end)() end" },
}

if not is_jit then
  describe("Lua 5.4", function()
    it("has no states of its own for laws", function()
      local ok, _, way = run(chunked["a protected call"])
      assert.is_true(ok)
      assert.are.equal("called", way)
      assert.matches("only LuaJIT has worker states", support.failure('local floc = require "floc"\n'
        .. "floc.simulation { time_step = 1 }:add_force { range = 1, way = 'chunked', law = function(distance) return pcall(error) end }"))
    end)
  end)
  return
end

describe("a law in a state of its own", function()
  for name, law in pairs(chunked) do
    it("gives the same as called: " .. name, function()
      local ok, sum, way = run(law)
      assert.is_true(ok, tostring(sum))
      assert.are.equal("chunked", way)
      local _, expected, other = run(law, "called")
      assert.are.equal("called", other)
      assert.are.equal(expected, sum)
    end)
  end

  it("gives the same on any number of threads", function()
    local law = chunked["a table that is looked up"]
    local _, expected = run(law, "called", { particles = 12100 })
    for _, threads in ipairs { 1, 2, 3 } do
      local ok, sum = run(law, "chunked", { particles = 12100, threads = threads })
      assert.is_true(ok, tostring(sum))
      assert.are.equal(expected, sum)
    end
  end)

  it("sees what the script changes between steps", function()
    local law = [[ local strength, list = 2, { 1, 2, 3 }
      local function law(distance) return strength * select(2, pcall(math.sqrt, distance)) + list[2] end ]]
    local after = [[ sim:every(1, function() strength = strength + 1 if sim.step == 2 then list[2] = 7 end end) ]]
    local ok, sum, way = run(law, "auto", { after = after })
    assert.is_true(ok, tostring(sum))
    assert.are.equal("chunked", way)
    local _, expected = run(law, "called", { after = after })
    local _, constant = run(law, "called")
    assert.are.equal(expected, sum)
    assert.are_not.equal(constant, sum)
  end)

  it("goes on after a resume", function()
    local folder = support.folder()
    local path = folder .. "/a.floc"
    local function script()
      local text = [[
        local floc = require "floc"
        local sim = floc.simulation { time_step = 1e-3, seed = 5 }
        for k = 1, 30 do sim:add_particle { position = { 0.9 * k, 0 }, radius = 0.4 } end
        local law = sim:add_force { range = 1, law = function(distance) return select(2, pcall(math.sqrt, distance)) end }
        sim:run { steps = 10 }
        sim:checkpoint(PATH)
        sim:run { steps = 10 }
        return sim:hash() .. " " .. sim.step .. " " .. law.way ]]
      return (text:gsub("PATH", string.format("%q", path)))
    end
    local expected = support.run(script())
    assert.matches(" 20 chunked$", expected)
    assert.are.equal(expected, (support.resume(path)))
    support.remove(folder)
  end)

  it("that fails names the line, and the step is undone", function()
    local ok, text = support.try([[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, threads = 2 }
      for k = 1, 30 do sim:add_particle { position = { 0.9 * k, 0 }, radius = 0.4 } end
      local late = 0
      local law = sim:add_force { range = 1, parameters = { wrong = 0 }, law = function(distance, wrong)
        if wrong == 1 then error("broken") end
        if wrong == 2 then return nil end
        if wrong == 3 then return true end
        if wrong == 4 then return "5" end
        if wrong == 5 then error({}) end
        if wrong == 6 then return 0 / 0 end
        return select(2, pcall(math.sqrt, distance)) end }
      sim:run { steps = 1 }
      local seen = { law.way }
      for k = 1, 6 do
        law.wrong = k
        local before = sim.x[3]
        local fine, message = pcall(sim.run, sim, { steps = 1 })
        assert(not fine and sim.x[3] == before and sim.step == 1)
        seen[#seen + 1] = message
      end
      law.wrong = 0
      sim:run { steps = 1 }
      return table.concat(seen, "\n") ]])
    assert.is_true(ok, tostring(text))
    local lines = {}
    for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
    assert.are.equal("chunked", lines[1])
    assert.matches("script.lua:6: broken %(in the law of add_force at script.lua:5%)", lines[2])
    assert.matches("returned nil for distance = [%d.]+, wrong = 2; it must return 1 finite number", lines[3])
    assert.matches("returned a boolean", lines[4])
    assert.matches('returned "5"', lines[5])
    assert.matches("a table", lines[6])
    assert.matches("returned %-?nan", lines[7])
  end)

  it("is explained", function()
    local ok, text = support.try([[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3 }
      local one = sim:add_force { range = 1, law = function(distance) return select(2, pcall(math.sqrt, distance)) end }
      local n = 0
      local two = sim:add_force { range = 1, law = function(distance) n = n + 1 return 1 end }
      local laws = require "floc.simulation.laws"
      return laws.explanation(one) .. laws.explanation(two) ]])
    assert.is_true(ok, tostring(text))
    assert.matches("way: a loop over blocks of pairs in one Lua state per thread; equal to the function on all samples\n  because: it calls pcall\n", text)
    assert.matches("because: it changes n, a variable outside of it\n  and not on several threads, because: it changes a variable outside of it\n", text)
  end)
end)

describe("a law that must stay in the script's state:", function()
  for _, case in ipairs(never) do
    it(case[1], function()
      local ok, message = run(case[3], "chunked")
      assert.is_false(ok)
      assert.matches("the law cannot run on several threads: ", message)
      assert.is_truthy(message:find(case[2]), message)
    end)
  end
end)
