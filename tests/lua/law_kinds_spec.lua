-- Laws of all kinds from Lua: potentials, memory, walls, rates of change, parameters, what the script changes later,
-- resume; both ways, traced and called, give the same.

local support = require "support"
local core = support.core

-- ---- potentials ---------------------------------------------------------------------------------

-- Random potentials of the distance with their derivatives, built by the same steps: each piece is { text, derivative }.
local function random_pieces(draw)
  local function number(lowest, highest) return string.format("%.6g", lowest + (highest - lowest) * draw()) end
  local function choose(list) return list[1 + math.floor(draw() * #list)] end
  local piece
  local leaves = {
    function() return "d", "1" end,
    function() return number(0.5, 2), "0" end,
    function()
      local n = choose { "2", "3", "-1", "-6", "1.5", "-0.5", "2.5", "0.7", "0.25" }
      return "d^(" .. n .. ")", "(" .. n .. ")*d^((" .. n .. ")-1)"
    end,
  }
  local nodes = {
    function(a, da, b, db) return "(" .. a .. "+" .. b .. ")", "((" .. da .. ")+(" .. db .. "))" end,
    function(a, da, b, db) return "(" .. a .. "-" .. b .. ")", "((" .. da .. ")-(" .. db .. "))" end,
    function(a, da, b, db) return "(" .. a .. "*" .. b .. ")", "((" .. da .. ")*" .. b .. "+" .. a .. "*(" .. db .. "))" end,
    function(a, da, b, db)
      local divisor = "(2+(" .. b .. ")^2)"
      return "(" .. a .. "/" .. divisor .. ")", "(((" .. da .. ")*" .. divisor .. "-" .. a .. "*2*" .. b .. "*(" .. db .. "))/"
        .. divisor .. "^2)"
    end,
    function(a, da) return "math.exp(-(" .. a .. ")^2)", "(-2*(" .. a .. ")*(" .. da .. ")*math.exp(-(" .. a .. ")^2))" end,
    function(a, da) return "math.sin(" .. a .. ")", "(math.cos(" .. a .. ")*(" .. da .. "))" end,
    function(a, da) return "math.cos(" .. a .. ")", "(-math.sin(" .. a .. ")*(" .. da .. "))" end,
    function(a, da) return "math.log(3+(" .. a .. ")^2)", "(2*(" .. a .. ")*(" .. da .. ")/(3+(" .. a .. ")^2))" end,
    function(a, da) return "math.sqrt(1+(" .. a .. ")^2)", "((" .. a .. ")*(" .. da .. ")/math.sqrt(1+(" .. a .. ")^2))" end,
    function(a, da) return "math.atan(" .. a .. ")", "((" .. da .. ")/(1+(" .. a .. ")^2))" end,
    function(a, da, b, db)
      return "(d<1 and (" .. a .. ") or (" .. b .. "))", "(d<1 and (" .. da .. ") or (" .. db .. "))"
    end,
    function(a, da) return "math.abs(" .. a .. ")", "((" .. a .. ")<0 and -(" .. da .. ") or (" .. da .. "))" end,
  }
  function piece(depth)
    if depth == 0 then return choose(leaves)() end
    local a, da = piece(depth - 1)
    local b, db = piece(depth - 1 - (draw() < 0.5 and depth > 1 and 1 or 0))
    return choose(nodes)(a, da, b, db)
  end
  return piece(3)
end

local function generator(seed)
  local state = seed
  return function()
    state = (state * 16807) % 2147483647
    return state / 2147483647
  end
end

describe("a potential", function()
  it("gives the force that one writes by hand, for a hundred random ones", function()
    local draw = generator(11)
    local compile = loadstring or load
    local sim = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.01 }
      sim:add_particle { position = { 0, 0 }, radius = 0.5 }
      return sim ]]
    local laws = require "floc.simulation.laws"
    local worst = 0
    for k = 1, 100 do
      local text, slope = random_pieces(draw)
      local potential = assert(compile("return function(distance) local d = distance return " .. text .. " end"))()
      local force = assert(compile("return function(distance) local d = distance return -(" .. slope .. ") end"))()
      if k % 50 == 1 then
        sim = support.run [[
          local floc = require "floc"
          return floc.simulation { time_step = 0.01 } ]]
      end
      local law = laws.record(laws.add_force(getmetatable(sim).inner, { potential = potential, range = 1, inputs = { "distance" } }))
      local distances = {}
      for row = 1, 50 do distances[row] = 0.2 + 2 * draw() end
      local results = assert(core.program_evaluate(law.program, { distances }, #distances))
      for row, d in ipairs(distances) do
        local f, u = force(d), potential(d)
        -- the hand's own rounding: how much the result changes when the distance does by one unit in the last place
        local scale = math.max(math.abs(f), math.abs(force(d * (1 + 2 ^ -50)) - f) * 1e3, 1e-3)
        worst = math.max(worst, math.abs(results[1][row] - f) / scale, math.abs(results[2][row] - u) / math.max(math.abs(u), 1e-3))
      end
    end
    assert.is_true(worst <= 1e-12, worst)
  end)

  it("of overlap and parameters, with its energy", function()
    local sim, law, before = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3 }
      sim:add_particle { position = { 0, 0 }, radius = 0.5 }
      sim:add_particle { position = { 0.9, 0 }, radius = 0.5, allow_overlap = true }
      local law = sim:add_force { potential = function(overlap, k) return 0.5 * k * overlap ^ 2 end, parameters = { k = 30 } }
      local before = law.energy
      sim:run { steps = 1 }
      return sim, law, before ]]
    assert.near(3, sim.fx[2], 1e-12)
    assert.near(0.15, before, 1e-12)
    assert.near(0, law.energy, 1e-12) -- the discs are hard: after the step they do not overlap
  end)

  it("of two and three coordinates", function()
    for dimension = 2, 3 do
      local sim = support.run(([[
        local floc = require "floc"
        local sim = floc.simulation { time_step = 1e-3, dimension = %d }
        sim:add_particle { position = { 0.3, 0.4 %s }, radius = 0.1 }
        sim:add_field { potential = function(x, y %s, mass) return mass * (x ^ 2 * y + math.sin(y) %s) end }
        sim:run { steps = 1 }
        return sim ]]):format(dimension, dimension == 3 and ", 0.5" or "", dimension == 3 and ", z" or "",
        dimension == 3 and "+ x * z ^ 3" or ""))
      local z = dimension == 3 and 0.5 or 0
      assert.near(-(2 * 0.3 * 0.4 + z ^ 3), sim.fx[1], 1e-14)
      assert.near(-(0.09 + math.cos(0.4)), sim.fy[1], 1e-14)
      if dimension == 3 then assert.near(-3 * 0.3 * 0.25, sim.fz[1], 1e-14) end
    end
  end)

  it("that cannot be traced is an error", function()
    local message = support.failure [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3 }
      local n = 0
      sim:add_force { potential = function(distance) n = n + 1 return distance end, range = 1 } ]]
    assert.matches("script.lua:4: add_force: the potential cannot be traced.*it changes n", message)
  end)
end)

-- ---- the same both ways -------------------------------------------------------------------------

-- A cloud of grains under a law, and a hash of what became of it.
local function cloud(law, way, threads)
  return support.run(([[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 1e-3, threads = %d, gravity = { 0, -2 } }
    sim:add_attribute("temperature", 20)
    sim:add_attribute("kind", 0)
    sim:add_body { shape = floc.segment { { -2, -1 }, { 2, -1 } }, velocity = { 0.5, 0 }, material = 3 }
    sim:add_particles { count = 120, radius = { 0.03, 0.06 }, velocity_spread = 1,
      region = floc.box { lower = { -1, -0.9 }, upper = { 1, 0.5 } } }
    for id = 1, sim.count do sim.kind[id] = id %% 3 end
    local way = %q
    %s
    sim:run { steps = 150 }
    local sum = 0
    for id = 1, sim.count do sum = sum + sim.x[id] * id + sim.vy[id] + sim.temperature[id] end
    return sim:hash(), law.way, sum, law
  ]]):format(threads or 1, way, law))
end

local kinds = {
  ["a pair law"] = [[ local law = sim:add_force { way = way, range = 0.05, law = function(overlap, normal_velocity, kind_i, kind_j)
    if kind_i == kind_j then return -0.2 * math.tanh(overlap) end
    return overlap > -0.02 and 5 * (overlap + 0.02) - 0.1 * normal_velocity or 0 end } ]],
  ["a pair law with memory"] = [[ local law = sim:add_force { way = way, range = 0.05, memory = { "age", "stretch" },
    returns = { "normal", "tangential", "age", "energy", "stretch" },
    law = function(overlap, tangential_velocity, age, stretch, time_step)
      local bond = math.max(0, 1 - age)
      stretch = stretch + tangential_velocity * time_step
      return -bond + 3 * overlap, -2 * stretch, age + time_step, 0.5 * stretch ^ 2, stretch
    end } ]],
  ["a wall law"] = [[ local law = sim:add_wall_force { way = way, range = 0.1, returns = { "normal", "tangential" },
    law = function(distance, radius, tangential_velocity, normal_velocity, body, material)
      return 0.01 * material / distance - 0.1 * normal_velocity, -0.3 * tangential_velocity * body end } ]],
  ["a field"] = [[ local law = sim:add_field { way = way, law = function(x, y, vx, vy, t, k)
    return -k * x + math.sin(3 * t), y > 0 and -vy or 0 end, parameters = { k = 2 } } ]],
  ["an evolution"] = [[ local law = sim:add_evolution { way = way, attributes = { "temperature" },
    law = function(temperature, y, vx, vy) return -0.5 * (temperature - 5 * y) + vx ^ 2 + vy ^ 2 end } ]],
  ["a flow"] = [[ local law = sim:add_flow { way = way, relaxation_time = 0.1, law = function(x, y, t)
    return y * math.cos(t), -x end } ]],
}

local is_jit = rawget(_G, "jit") ~= nil

describe("traced, chunked and called,", function()
  for name, text in pairs(kinds) do
    it(name .. " gives the same", function()
      local traced, way, sum = cloud(text, "traced")
      local called, other, same = cloud(text, "called")
      assert.are.equal("traced", way)
      assert.are.equal("called", other)
      assert.near(sum, same, 1e-9 * math.abs(sum))
      assert.are.equal(traced, (cloud(text, "traced", 3)))
      if is_jit then
        assert.are.equal(called, (cloud(text, "chunked")))
        assert.are.equal(called, (cloud(text, "chunked", 3)))
      end
      -- without powers and functions, which here are those of the host's Lua, every operation is the same: the same bits
      if not text:find "%^" and not text:find "math%." then assert.are.equal(traced, called) end
    end)
  end
end)

-- ---- what a script holds ------------------------------------------------------------------------

describe("a law in a script", function()
  local set_up = [[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 0.001 }
    sim:add_attribute("charge", 2)
    sim:add_particle { position = { 0, 0 }, radius = 0.5 }
    sim:add_particle { position = { 2, 0 }, radius = 0.5 }
  ]]

  it("has parameters that change without a new trace, and survive a resume", function()
    local folder = support.folder()
    local text = set_up .. [[
      local law = sim:add_force { range = 3, law = function(distance, k) return k / distance end, parameters = { k = 4 } }
      sim:every(1, function(sim) if sim.step == 5 then law.k = 8 end end)
      sim:checkpoint { path = "]] .. folder .. [[/p.floc", every = 7 }
      sim:run { steps = 10 }
      return sim:hash(), law.k, sim.fx[2] ]]
    local hash, k, force = support.run(text)
    assert.are.equal(8, k)
    assert.near(4, force, 0.01)
    local again, same = support.resume(folder .. "/p.floc")
    assert.are.equal(hash, again)
    assert.are.equal(8, same)
    support.remove(folder)
  end)

  it("acts on all pairs if its range is infinite, and goes on after a resume", function()
    local folder = support.folder()
    local text = [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.01 }
      for k = 0, 99 do sim:add_particle { position = { 3 * (k % 10), 3 * math.floor(k / 10) + 0.1 * k }, radius = 0.5 } end
      local law = sim:add_force { range = math.huge, potential = function(distance) return -1 / distance end }
      sim:checkpoint { path = "]] .. folder .. [[/p.floc", every = 7 }
      sim:run { steps = 10 }
      local sum = 0
      for i = 1, 100 do for j = 1, i - 1 do sum = sum - 1 / math.sqrt((sim.x[i] - sim.x[j]) ^ 2 + (sim.y[i] - sim.y[j]) ^ 2) end end
      return sim:hash(), sim:measure "law_energy", sum ]]
    local hash, energy, sum = support.run(text)
    assert.near(sum, energy, 1e-11)
    assert.are.equal(hash, (support.resume(folder .. "/p.floc")))
    support.remove(folder)
  end)

  it("follows the variables that the script changes, also after a resume", function()
    local folder = support.folder()
    local text = set_up .. [[
      local k, table_of = 4, { factor = 1 }
      local law = sim:add_force { range = 3, law = function(distance) return k * table_of.factor / distance end }
      sim:every(1, function(sim)
        if sim.step == 3 then k = 8 end
        if sim.step == 4 then table_of.factor = 0.25 end
      end)
      sim:checkpoint { path = "]] .. folder .. [[/p.floc", every = 6 }
      sim:run { steps = 3 }
      local first = sim.fx[2]
      sim:run { steps = 1 }
      local second = sim.fx[2]
      sim:run { steps = 4 }
      return { first, second, sim.fx[2] }, law.way, sim:hash() ]]
    local forces, way, hash = support.run(text)
    local first, second, third = forces[1], forces[2], forces[3]
    assert.near(2, first, 0.01)
    assert.near(4, second, 0.01)
    assert.near(1, third, 0.01)
    assert.are.equal("traced", way)
    local _, _, again = support.resume(folder .. "/p.floc")
    assert.are.equal(hash, again)
    support.remove(folder)
  end)

  it("is explained", function()
    local text = support.run(set_up .. [[
      local stdout = io.stdout
      io.stdout = { write = function() end }
      local n = 0
      local a = sim:add_force { range = 1, name = "spring", law = function(distance) return 2 * (1 - distance) end }
      local b = sim:add_force { range = 1, law = function(distance) n = n + 1 return 0 end }
      local text = sim:explain(a) .. sim:explain(b)
      io.stdout = stdout
      return text ]])
    assert.matches('the law "spring" of add_force at script.lua:9\n  inputs: distance\n  way: traced, a program of 2 operations', text)
    assert.matches("normal = v2\n", text)
    assert.matches("way: one Lua call per pair, on one thread\n  because: it changes n, a variable outside of it\n", text)
  end)

  it("that is called warns of what that costs, once, unless it is quiet", function()
    local lines = {}
    local stderr = io.stderr
    io.stderr = { write = function(_, text) lines[#lines + 1] = text end }
    for _, quiet in ipairs { false, true } do
      local text = [[
        local floc = require "floc"
        local sim = floc.simulation { time_step = 0.001 }
        for k = 1, 40 do sim:add_particle { position = { 0.3 * k, 0 }, radius = 0.1 } end
        local n = 0
        sim:add_field { name = "counter", law = function(x) n = n + 1 return 0, 0 end }
        sim:run { steps = 300 }
        sim:run { steps = 300 } ]]
      local one = support.session.new { script_name = "script.lua", script_text = text, quiet = quiet }
      support.session.push(one)
      local ok, message = pcall((loadstring or load)(text, "@script.lua"))
      support.session.pop()
      if not ok then lines[#lines + 1] = tostring(message) end
    end
    io.stderr = stderr
    assert.are.equal(1, #lines, table.concat(lines))
    assert.matches('warning: the law "counter" of add_field at script.lua:5 is one Lua call per particle, .* microseconds each, .* it changes n', lines[1])
  end)

  it("with fast_math gives almost the same, the same on any number of threads, and goes on after a resume", function()
    local folder = support.folder()
    local function script(options, threads)
      local text = [[
        local floc = require "floc"
        local sim = floc.simulation { time_step = 1e-3, seed = 5, threads = THREADS }
        for k = 1, 40 do sim:add_particle { position = { 0.9 * k, 0.1 * math.sin(k) }, radius = 0.4 } end
        local law = sim:add_force { range = 1, OPTIONS law = function(distance, t)
          return math.exp(-3 * distance) * distance ^ -1.3 + 0.1 * math.tanh(distance + t) end }
        sim:run { steps = 10 }
        sim:checkpoint(PATH)
        sim:run { steps = 10 }
        return sim:hash(), sim.x[3], require("floc.simulation.laws").explanation(law)]]
      return (text:gsub("%u%u%u%u+", { THREADS = threads or 1, OPTIONS = options, PATH = string.format("%q", folder .. "/a.floc") }))
    end
    local exact, x = support.run(script(""))
    local ok, fast, y, text = support.try(script("fast_math = true,"))
    if not ok and fast:find "fast_math is not available here" then return support.remove(folder) end
    assert.is_true(ok, tostring(fast))
    assert.are.equal(fast, (support.resume(folder .. "/a.floc")))
    assert.are_not.equal(exact, fast)
    assert.near(x, y, 1e-12 * math.abs(x))
    assert.matches("fast_math: products and sums are rounded once", text)
    assert.are.equal(fast, (support.run(script("fast_math = true,", 3))))
    assert.matches("fast_math is for laws that are traced", support.failure(script("fast_math = true, way = 'called',")))
    support.remove(folder)
  end)

  it("is refused where names are wrong", function()
    local cases = {
      { "sim:add_force { range = 1, law = function(distanz) return 1 end }", "add_force: there is no input distanz; did you mean distance%?" },
      { "sim:add_force { range = 1, law = function(charge) return 1 end }", "there is no input charge; did you mean charge_i%?" },
      { "sim:add_field { law = function(charge_i) return 1, 1 end }", "there is no input charge_i; did you mean charge%?" },
      { "sim:add_force { range = 1, law = function() return 1 end, returns = { 'sideways' } }", "returns%[1%] is \"sideways\", which a law does not return" },
      { "sim:add_force { range = 1, law = function(a) return 1 end, parameters = { a = 'x' } }", "parameters.a is \"x\"" },
      { "sim:add_force { range = 1 }", "law is missing" },
      { "sim:add_evolution { attributes = { 'x' }, law = function() return 1 end }", "output 1 is \"x\"; it must be an attribute" },
      { "sim:add_force { way = 'traced', law = function() return math.random() end }", "the law cannot be traced: it calls math.random" },
      { "local law = sim:add_force { law = function() return 1 end } law.k = 3", "k is no parameter of the law" },
      { "local law = sim:add_force { law = function() return 1 end } print(law.ways)", "there is no law.ways; did you mean way%?" },
      { "sim:explain(3)", "explain: takes a law" },
    }
    for _, case in ipairs(cases) do
      assert.matches("script.lua:6: .*" .. case[2], (support.failure(set_up:gsub("%s+$", "\n") .. case[1])))
    end
  end)
end)

-- ---- a law of contact, wholly in Lua ------------------------------------------------------------

describe("friction written in Lua", function()
  local scene = [[
    local floc = require "floc"
    local own = %s or nil
    local sim = floc.simulation { dimension = 2, time_step = 2e-4, gravity = { 0, -10 }, threads = %d,
      scheme = floc.discrete_element { integrator = "velocity_verlet", rotation = true,
        contact = own and "hooke" or "none", stiffness = own and 1e4, damping = own and 2, friction = own and "spring" or "none",
        friction_stiffness = own and 4e3, friction_damping = own and 1, friction_static = own and 0.4, friction_dynamic = own and 0.4 } }
    sim:add_body { shape = floc.container { width = 1, height = 2 } }
    sim:add_particles { count = 60, radius = { 0.03, 0.05 }, region = floc.box { lower = { -0.5, 0 }, upper = { 0.5, 1 } },
      velocity_spread = 0.5 }
    local function contact(overlap, normal_velocity, tangential_velocity, stretch, time_step)
      if overlap <= 0 then return 0, 0, 0 end
      local normal = 1e4 * overlap - 2 * normal_velocity
      stretch = stretch + time_step * tangential_velocity
      local force = 4e3 * stretch + tangential_velocity
      local limit = 0.4 * math.max(normal, 0)
      if math.abs(force) > limit then
        force = force > 0 and limit or -limit
        stretch = (force - tangential_velocity) / 4e3
      end
      return normal, -force, stretch
    end
    if not own then
      local law = { way = "traced", memory = { "stretch" }, returns = { "normal", "tangential", "stretch" }, law = contact }
      sim:add_force(law)
      sim:add_wall_force(law)
    end
    sim:run { steps = 600 }
    local x, spin = 0, 0
    for id = 1, sim.count do
      x = x + id * sim.x[id] + sim.y[id]
      spin = math.max(spin, math.abs(sim.wz[id]))
    end
    return x, spin, sim:hash()
  ]]

  it("is the scheme's own, between grains and at walls", function()
    local expected, spin = support.run(scene:format("true", 1))
    local found, same, hash = support.run(scene:format("false", 1))
    local _, _, again = support.run(scene:format("false", 3))
    assert.is_true(spin > 0.5)
    assert.near(expected, found, 1e-6 * math.abs(expected))
    assert.near(spin, same, 1e-5 * spin)
    assert.are.equal(hash, again)
  end)
end)

-- ---- the end of a law's range -------------------------------------------------------------------

describe("a law with a range in discrete elements", function()
  -- Lists are of the positions before a step, the law acts where it leads. Forces are summed here over all pairs as well, and each step's
  -- change of velocity is theirs: of pairs that come into range in a step, too.
  for integrator, further in pairs { velocity_verlet = "", trapezoidal = ", adaptive = false, tolerance = 1e-12, iterations = 50" } do
    it("acts on every pair within it, " .. integrator, function()
      local wrong, entered, lists = support.run(string.format([[
        local floc = require "floc"
        local side, range, h, n, push = 6, 1.5, 0.04, 120, 1e-4
        local sim = floc.simulation { dimension = 3, time_step = h, boundary = "periodic", domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } },
          scheme = floc.discrete_element { contact = "none", integrator = %q%s } }
        sim:add_particles { count = n, radius = 0.1, temperature = 1, mass = 1 }
        sim:add_force { range = range, law = function(distance) return push + 0 * distance end }
        local function shortest(way) return way - side * math.floor(way / side + 0.5) end
        local function forces()
          local sum, pairs = {}, 0
          for i = 1, n do sum[i] = 0 end
          for i = 1, n do
            for j = i + 1, n do
              local dx, dy, dz = shortest(sim.x[j] - sim.x[i]), shortest(sim.y[j] - sim.y[i]), shortest(sim.z[j] - sim.z[i])
              local distance = math.sqrt(dx * dx + dy * dy + dz * dz)
              if distance <= range + 0.2 then sum[i], sum[j], pairs = sum[i] - push * dx / distance, sum[j] + push * dx / distance, pairs + 1 end
            end
          end
          return sum, pairs
        end
        local before, pairs = forces()
        local wrong, entered, speed = 0, 0, {}
        for step = 1, 80 do
          for i = 1, n do speed[i] = sim.vx[i] end
          sim:run { steps = 1, progress = false }
          local now, count = forces()
          for i = 1, n do
            if math.abs(sim.vx[i] - speed[i] - h / 2 * (before[i] + now[i])) > 1e-8 then wrong = wrong + 1 end
          end
          entered, before, pairs = entered + math.max(0, count - pairs), now, count
        end
        return wrong, entered, sim:report().lists ]], integrator, further))
      assert.are.equal(0, wrong)
      assert.is_true(entered > 50 and lists > 10)
    end)
  end
end)
