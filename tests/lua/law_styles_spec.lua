-- Ways in which people write laws. Each is traced, and then its program gives what the function gives, to 1e-12 on
-- samples other than those of the check; or it is refused, for the right reason, and called as it is. Nothing may be
-- another law without a word.

local support = require "support"
local core, floc = support.core, support.floc
local laws = require "floc.simulation.laws"

local is_jit = rawget(_G, "jit") ~= nil
local plain_assert = load "return assert" () -- busted puts an object in its place

-- Values a law may see, beyond those of the differential check.
local function numbers(seed)
  local state = seed
  return function(lowest, highest)
    state = (state * 16807) % 2147483647
    return lowest + (highest - lowest) * state / 2147483647
  end
end

local function new_simulation()
  local sim = floc.simulation { time_step = 0.01 }
  sim:add_attribute("charge", 0)
  sim:add_attribute("kind", 0)
  local draw = numbers(7)
  for k = 1, 20 do
    sim:add_particle { position = { 3 * k, 0 }, radius = draw(0.3, 0.6), mass = draw(1, 2),
      attributes = { charge = draw(-1, 1), kind = k % 4 } }
  end
  return sim
end

local function sample(draw, name)
  if name:find "^kind" then return math.floor(draw(0, 4)) end
  if name:find "^id" then return 1 + math.floor(draw(0, 20)) end
  if name:find "^radius" then return draw(0.3, 0.6) end
  if name:find "^mass" then return draw(1, 2) end
  if name == "distance" then return draw(0.5, 1.6) end
  if name == "time" or name == "t" then return draw(0, 10) end
  return draw(-2, 2)
end

-- The greatest relative difference between program and function over many samples.
local function difference(law, fn)
  local draw, columns, count = numbers(4711), {}, 2000
  for k, name in ipairs(law.inputs) do
    columns[k] = {}
    for row = 1, count do columns[k][row] = sample(draw, name) end
  end
  local results = assert(core.program_evaluate(law.program, columns, count))
  local greatest = 0
  for row = 1, count do
    local arguments = {}
    for k = 1, #law.inputs do arguments[k] = columns[k][row] end
    local expected = { fn((table.unpack or unpack)(arguments)) }
    for k, values in ipairs(results) do
      if values[row] ~= expected[k] then
        greatest = math.max(greatest, math.abs(values[row] - expected[k]) / math.max(1e-3, math.abs(expected[k])))
      end
    end
  end
  return greatest
end

local function add(law, options)
  options = options or {}
  options.law, options.range = law, options.range or 0.5
  return new_simulation():add_force(options)
end

local function traced(name, law, options)
  it("traces " .. name, function()
    local handle = add(law, options)
    assert.are.equal("traced", handle.way, tostring(handle.reason))
    assert.is_true(difference(laws.record(handle), law) <= 1e-12)
  end)
end

local function refused(name, reason, law, options)
  it("refuses " .. name, function()
    local handle = add(law, options)
    assert.are.equal("called", handle.way)
    assert.is_truthy(handle.reason:find(reason), handle.reason)
  end)
end

-- ---- what is traced -----------------------------------------------------------------------------

describe("a law", function()
  traced("a spring", function(distance, radius_i, radius_j) return -1e4 * (distance - radius_i - radius_j) end)

  traced("an if", function(overlap, normal_velocity)
    if overlap > 0 then return 1e4 * overlap - 5 * normal_velocity end
    return 0
  end)

  traced("and with or", function(overlap) return overlap > 0 and 3 * overlap or 0 end)

  traced("nested conditions", function(distance, charge_i, charge_j)
    if charge_i < 0 then
      if charge_j < 0 then return 1 / distance elseif charge_j < 0.5 then return 2 / distance end
      return 3
    elseif charge_j > charge_i then
      return charge_j - charge_i
    else
      return -1
    end
  end)

  traced("early returns", function(overlap, normal_velocity)
    if overlap <= -0.2 then return 0 end
    if normal_velocity > 1 then return -1 end
    local force = overlap * 7
    if force < 0 then return force / 2 end
    return force
  end)

  traced("conditions with not, and, or", function(charge_i, charge_j, distance)
    if not (charge_i < 0 or charge_j < 0) and distance < 1 then return 1 end
    return distance >= 1.2 and charge_i ~= charge_j and 2 or 3
  end)

  traced("a loop with a fixed number of turns", function(distance)
    local sum = 0
    for k = 1, 6 do sum = sum + (-1) ^ k / distance ^ k end
    return sum
  end)

  traced("a loop over a list", function(distance)
    local sum = 0
    for k, coefficient in ipairs { 0.5, -1, 0.25 } do sum = sum + coefficient * distance ^ (k - 1) end
    return sum
  end)

  traced("a while loop that counts", function(distance)
    local k, product = 0, 1
    while k < 5 do
      product = product * distance
      k = k + 1
    end
    return product
  end)

  traced("a loop left by break", function(distance)
    local force = 0
    for k = 1, 4 do
      if distance < 0.4 * k then break end
      force = force + k
    end
    return force
  end)

  local function square(x) return x * x end
  traced("a helper", function(distance) return square(distance) - square(1) end)

  local stiffness, radius = 1e3, 0.5
  local function gap_of(distance) return distance - 2 * radius end
  local function spring(distance) return -stiffness * gap_of(distance) end
  traced("helpers of helpers with constants outside", function(distance) return spring(distance) end)

  local function make(k) return function(distance) return k * (1 - distance) end end
  traced("a closure made by a function", make(42))

  traced("functions inside", function(distance)
    local function f(x) return x > 1 and x or 1 / x end
    return f(distance) + f(2 * distance)
  end)

  local material = { stiffness = 3, damping = { normal = 0.25 } }
  traced("numbers in tables", function(overlap, normal_velocity)
    return material.stiffness * overlap - material.damping.normal * normal_velocity
  end)

  local by_kind = { [0] = 1, 10, 100, 1000 }
  traced("a table looked up with an attribute", function(kind_i, overlap) return by_kind[kind_i] * overlap end)

  local default = { [1] = 5, [3] = 7 }
  traced("a look-up with a default", function(kind_i) return default[kind_i] or 2 end)

  traced("a table made on the way", function(distance, charge_i)
    local terms = { distance, charge_i, 2 }
    terms[#terms + 1] = distance * charge_i
    local sum = 0
    for k = 1, #terms do sum = sum + terms[k] end
    return sum
  end)

  traced("a vector as a table", function(slip_x, slip_y)
    local v = { x = slip_x, y = slip_y }
    return math.sqrt(v.x * v.x + v.y * v.y)
  end)

  local vector_meta = {}
  vector_meta.__index = vector_meta
  vector_meta.__add = function(a, b) return setmetatable({ a[1] + b[1], a[2] + b[2] }, vector_meta) end
  function vector_meta.dot(a, b) return a[1] * b[1] + a[2] * b[2] end
  it("traces objects with methods or says why not", function()
    local law = function(slip_x, slip_y)
      local a = setmetatable({ slip_x, slip_y }, vector_meta)
      return (a + a):dot(a)
    end
    local handle = add(law)
    if handle.way == "traced" then
      assert.is_true(difference(laws.record(handle), law) <= 1e-12)
    else
      assert.is_truthy(handle.reason:find "vector_meta" or handle.reason:find "setmetatable", handle.reason)
    end
  end)

  traced("functions of math", function(distance, charge_i)
    return math.sin(distance) + math.cos(charge_i) * math.exp(-distance) + math.log(distance) + math.abs(charge_i)
      + math.floor(charge_i) + math.ceil(distance) + math.sqrt(distance) + math.tan(0.3 * charge_i)
      + math.atan(charge_i) + math.fmod(distance, 0.3)
  end)

  local sin, max = math.sin, math.max
  traced("functions of math as locals", function(distance) return max(0, sin(distance)) end)

  traced("min and max of several", function(distance, charge_i, charge_j)
    return math.min(distance, charge_i, charge_j, 0.5) + math.max(charge_i, charge_j)
  end)

  traced("powers", function(distance)
    return distance ^ 2 + distance ^ -6 - distance ^ 1.5 + distance ^ -0.5 + distance ^ 0.25 + distance ^ 2.75 + distance ^ 0.3
  end)

  traced("a power of something else", function(distance, charge_i) return distance ^ charge_i + 2 ^ charge_i end)
  traced("a remainder", function(charge_i) return charge_i % 0.75 + -charge_i % 2 end)
  traced("pi and infinity", function(distance)
    local least = math.huge
    if distance < least then least = distance end
    return math.pi * least
  end)

  traced("a constant", function() return 3 end)
  traced("parameters that it does not use", function(distance, radius_i, mass_j) return distance end)
  traced("assert with a fixed condition", function(distance)
    plain_assert(stiffness > 0, "stiffness")
    return distance * stiffness
  end)
  traced("a test of the type", function(distance)
    if type(distance) ~= "number" then error "no number" end
    return distance
  end)
  traced("tonumber", function(distance) return tonumber(distance) * 2 end)

  local function factorial(n) return n <= 1 and 1 or n * factorial(n - 1) end
  traced("recursion with a fixed depth", function(distance) return distance / factorial(5) end)

  traced("varargs inside", function(distance, charge_i)
    local function sum(...)
      local total = 0
      for k = 1, select("#", ...) do total = total + (select(k, ...)) end
      return total
    end
    return sum(distance, charge_i, 1)
  end)

  traced("sorting", function(distance, charge_i, charge_j)
    local list = { distance, charge_i, charge_j }
    table.sort(list)
    return list[1] + 2 * list[2] + 4 * list[3]
  end)

  traced("comparison of two attributes", function(kind_i, kind_j) return kind_i == kind_j and 1 or -1 end)
  traced("several results of a helper", function(distance)
    local function both(x) return x, 1 / x end
    local a, b = both(distance)
    return a - b
  end)
  traced("time", function(time, distance) return math.sin(10 * time) * distance end)
  traced("goto-free bisection with fixed steps", function(distance)
    local lower, upper = 0, 2
    for _ = 1, 4 do
      local middle = (lower + upper) / 2
      if middle * middle < distance then lower = middle else upper = middle end
    end
    return lower
  end)
  traced("parameters", function(distance, stiffness, length) return stiffness * (length - distance) end,
    { parameters = { stiffness = 8, length = 2 } })
  traced("results with names", function(overlap) return overlap, 0.5 * overlap ^ 2 end, { returns = { "normal", "energy" } })
  traced("a globally defined number", load "return function(distance) return distance * math.pi end" ())
end)

-- ---- what is refused ----------------------------------------------------------------------------

describe("a law", function()
  local calls = 0
  refused("a counter", "changes calls, a variable outside", function(distance)
    calls = calls + 1
    return distance
  end)

  local seen = {}
  refused("a list that grows", "table seen", function(distance)
    seen[#seen + 1] = distance
    return distance
  end)

  local totals = { count = 0 }
  refused("a field that counts", "changes the table totals", function(distance)
    totals.count = totals.count + 1
    return distance
  end)

  local large, nested = {}, { inner = { 1, 2, 3 }, random = math.random }
  for k = 1, 5000 do large[k] = k end
  refused("a large table", "more than 4096 entries %(large%)", function(distance) return large[1] * distance end)
  refused("what a nested table holds", "calls math.random", function(distance) return nested.random() * nested.inner[1] * distance end)

  it("leaves counters, lists and tables as they were", function()
    assert.are.equal(5000, #large)
    assert.are.equal(5000, large[5000])
    assert.are.equal(math.random, nested.random)
    assert.is_nil(getmetatable(nested))
    assert.is_nil(getmetatable(nested.inner))
    assert.are.same({ 1, 2, 3 }, nested.inner)
    assert.are.equal(0, calls)
    assert.are.equal(0, #seen)
    assert.are.equal(0, totals.count)
  end)

  refused("a global that is set", "sets the global law_style_global", function(distance)
    law_style_global = distance -- luacheck: ignore
    return distance
  end)

  refused("random numbers", "calls math.random", function(distance) return distance * math.random() end)
  local random = math.random
  refused("random numbers by a local name", "calls math.random", function(distance) return distance * random() end)
  local tools = { random = math.random }
  refused("random numbers in a table", "calls math.random", function(distance) return distance * tools.random() end)
  refused("the clock", "calls os.clock", function(distance) return distance * os.clock() end)
  refused("printing", "calls print", function(distance)
    print(distance)
    return distance
  end)

  refused("a loop over a number", "the number of passes of a loop is known only", function(kind_i)
    local sum = 0
    for _ = 1, kind_i do sum = sum + 1 end
    return sum
  end)

  refused("a loop that ends by value", "decisions in one call", function(distance)
    local steps = 0
    while distance > 0.01 do
      distance = distance / 2
      steps = steps + 1
    end
    return steps
  end)

  local function depth(x) return x < 0.01 and 0 or 1 + depth(x / 2) end
  refused("recursion that ends by value", "more than 128 paths", function(distance) return depth(distance) end)

  refused("too many ways", "more than 128 paths", function(distance)
    local bits = 0
    for k = 1, 9 do
      if math.sin(k * distance) > 0 then bits = bits + 2 ^ k end
    end
    return bits
  end)

  refused("a text as result", "returns a string as value 1", function() return "strong" end)

  -- Where the function fails on some way, the program gives NaN, and the run stops with the reason.
  local failing = {
    ["a missing return"] = { "returns nil as value 1 where not 0 < overlap", function(overlap)
      if overlap > 0 then return overlap end
    end },
    ["an error"] = { "raises an error where overlap < 0: .*apart", function(overlap)
      if overlap < 0 then error "apart" end
      return overlap
    end },
    ["an assertion"] = { "raises an error where not 0.1 < overlap: .*assertion failed", function(overlap)
      plain_assert(overlap > 0.1)
      return overlap
    end },
    ["a look-up without an entry"] = { "raises an error .*multiply", function(kind_i, distance)
      return ({})[kind_i] * distance
    end },
  }
  for name, one in pairs(failing) do
    it("stops the run at " .. name, function()
      local sim = floc.simulation { time_step = 0.01 }
      sim:add_attribute("kind", 7)
      sim:add_particle { position = { 0, 0 }, radius = 0.5 }
      sim:add_particle { position = { 1.1, 0 }, radius = 0.5 }
      local handle = sim:add_force { range = 0.5, law = one[2] }
      local ok, message = pcall(sim.run, sim, { steps = 1 })
      assert.is_false(ok)
      assert.is_truthy(tostring(message):find(handle.way == "traced" and one[1] or ""), message)
      assert.are.equal(0, sim.step)
    end)
  end

  refused("a text as a number", "tries to multiply a string", function(distance) return "2" * distance end)
  refused("converts a number to a string", "converts a number to a string", function(distance) return #("" .. distance) end)
  refused("tostring", "calls tostring with a value", function(distance) return #tostring(distance) end)
  refused("string.format", "raises an error", function(distance) return #string.format("%g", distance) end)

  local sim = new_simulation()
  refused("the simulation's time", "reads sim, whose contents may change", function(distance) return distance * sim.time end)
  refused("a column", "reads sim, whose contents may change", function(id_i) return sim.x[1] * id_i end)
  local view = sim.x
  refused("a column by a local name", "reads view, whose contents may change", function(id_i) return view[1] * id_i end)
  refused("protected calls", "calls pcall", function(distance)
    local ok, value = pcall(function() return distance end)
    return ok and value or 0
  end)
  refused("coroutines", "calls coroutine", function(distance)
    return coroutine.wrap(function() coroutine.yield(distance) end)()
  end)

  local object = setmetatable({}, { __index = function() return calls end })
  it("traces what an object gives, and traces again when that changes", function()
    local handle = add(function(distance) return distance + object.value end)
    assert.are.equal("traced", handle.way, handle.reason)
  end)

  local special = 1e3
  -- On Lua 5.4 x == 1 calls no metamethod; the differential check finds it. On LuaJIT it is traced.
  local equals = {
    ["equality with a number"] = function(kind_i) return kind_i == 2 and 5 or 1 end,
    ["inequality with a number"] = function(kind_i) return kind_i ~= 3 and 5 or 1 end,
    ["equality with a number outside"] = function(charge_i) return charge_i == special and 5 or charge_i end,
    ["a rare number"] = function(charge_i)
      if charge_i == 0.123456789 then return 1 end
      return charge_i
    end,
  }
  for name, law in pairs(equals) do
    if is_jit then
      traced(name, law)
    else
      refused(name, "does it compare with ==", law)
    end
  end

  it("is told apart by a number that a table made on the way is asked for", function()
    local law = function(kind_i) return ({ 4, 5, 6 })[kind_i] or 0 end
    local handle = add(law)
    assert.are.equal("called", handle.way)
    assert.is_truthy(handle.reason:find "the traced program returns", handle.reason)
  end)

  if not is_jit then
    local law = load "return function(kind_i) return kind_i // 2 end" ()
    traced("floor division", law)
    refused("bits", "uses the bits of a number", load "return function(kind_i) return 1 | kind_i end" ())
  else
    refused("bits", "calls bit.bor", function(kind_i) return bit.bor(1, kind_i) end)
  end
end)

describe("branches that continue alike", function()
  -- What follows is computed once, not once per path, and every bit is that of the function.
  local function operations(law)
    local record = laws.record(add(law, { symmetric = false }))
    assert.are.equal(0, difference(record, law))
    return #record.program.code / 4
  end

  it("have one program for what follows", function()
    -- two comparisons, two selections, a product, and five operations behind
    assert.is_true(operations(function(charge_i, charge_j, distance)
      local width = charge_i
      if charge_i > 0.5 then width = distance elseif charge_j > 0.2 then width = charge_j * distance end
      return (width * width + 3) / (distance - width * 2)
    end) <= 2 + 2 + 1 + 5)
    -- sums whose operands stand in another order on each path
    assert.is_true(operations(function(charge_i, charge_j, distance)
      local a, b = charge_i * distance, charge_j * charge_j
      if charge_i > 0 then return math.sqrt(math.abs(a + b)) * 2 end
      local c = charge_j * distance
      return math.sqrt(math.abs(b + c)) * 2
    end) <= 1 + 1 + 2 + 4)
  end)

  it("grow with the number of their conditions, not with that of their paths", function()
    local function law(count)
      return function(charge_i, charge_j, distance)
        local sum = charge_j
        for k = 1, count do
          local slope = distance
          if charge_i > 0.3 * k - 1 then slope = charge_j end
          sum = sum + slope * k
        end
        return sum * distance
      end
    end
    assert.is_true(operations(law(6)) <= 6 * 5 + 1)
  end)

  it("stay apart where they compute something else, or fail", function()
    assert.is_true(operations(function(charge_i, distance)
      if charge_i > 0 then return math.sqrt(distance) end
      return distance * charge_i + 1
    end) <= 5)
    local handle = add(function(charge_i, distance)
      if distance < -5 then error "too near" end
      if charge_i > 0 then return distance * 2 end
      return charge_i * 2
    end, { symmetric = false })
    assert.are.equal("traced", handle.way, tostring(handle.reason))
  end)
end)
