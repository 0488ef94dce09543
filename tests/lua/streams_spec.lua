-- Inlets and outlets: what comes and goes is what was asked for, counted without a loss, also by a run that was resumed.

local support = require "support"

local empty = [[
  local floc = require "floc"
  local sim = floc.simulation { dimension = 2, time_step = 1 / 64, seed = SEED }
]]

local function run(text, seed) return support.run((empty:gsub("SEED", tostring(seed or 1))) .. text) end

describe("an inlet", function()
  it("adds at its rate, from when it opens until it closes, fractions carried over", function()
    local counts, later = run [[
      local inlet = sim:add_inlet { region = floc.box { lower = { 0, 0 }, upper = { 9, 9 } }, rate = 10.25, radius = 0.05, start = 0.5, until_ = 3.5 }
      local counts = {}
      sim:every(16, function() counts[#counts + 1] = inlet.count end)
      sim:run { steps = 320 }
      return counts, { inlet.count, sim.count, inlet.mass, inlet.waiting } ]]
    for k, count in ipairs(counts) do
      assert.are.equal(math.floor(10.25 * math.max(0, math.min(k / 4, 3.5) - 0.5)), count)
    end
    assert.are.same({ 30, 30, 30, 0 }, later)
  end)

  it("follows a mass per time with particles of many sizes, within one of them", function()
    local worst, greatest = run [[
      local inlet = sim:add_inlet { region = floc.box { lower = { 0, 0 }, upper = { 20, 20 } }, mass_rate = 2, radius = { 0.1, 0.3 }, density = 1 }
      local worst = 0
      sim:every(1, function() worst = math.max(worst, inlet.mass - 2 * sim.time, 2 * sim.time - inlet.mass) end)
      sim:run { steps = 1280 }
      assert(math.abs(inlet.mass - sim:sum(function(mass) return mass end)) < 1e-9)
      return worst, math.pi * 0.3 ^ 2 ]]
    assert.is_true(worst <= greatest)
  end)

  it("gives particles what they are asked to have, without overlaps, the same for the same seed", function()
    local text = [[
      sim:add_attribute("age", -1)
      local inlet = sim:add_inlet { region = floc.difference { floc.box { lower = { 0, 0 }, upper = { 4, 4 } }, floc.ball { center = { 2, 2 }, radius = 1 } },
        rate = 64, radius = { 0.05, 0.1 }, mass = 0.25, velocity = { 1, -2 }, clearance = 0.01, limit = 100, material = 3,
        attributes = { age = function(id) return 2 * id end } }
      sim:run { steps = 1 }
      local one = { sim.vx[1], sim.vy[1], sim.mass[1], sim.age[1], sim.material[1] }
      sim:map("vx", function(id) return 0 end)
      sim:map("vy", function(id) return 0 end)
      sim:run { steps = 200 }
      assert(sim:check_overlap() == 0 and inlet.count == 100 and inlet.materials[3].count == 100 and inlet.mass == 25)
      return one, sim:hash() ]]
    local one, hash = run(text)
    assert.are.same({ 1, -2, 0.25, 2, 3 }, one)
    assert.are.equal(hash, (select(2, run(text))))
    assert.are_not.equal(hash, (select(2, run(text, 2))))
  end)

  it("says how many found no place, and adds them when there is room", function()
    local counts, later = run [[
      local inlet = sim:add_inlet { region = floc.box { lower = { 0, 0 }, upper = { 1, 1 } }, rate = 64, radius = 0.2, limit = 12 }
      sim:run { steps = 12 }
      local counts = { inlet.count, inlet.waiting }
      sim:remove { region = floc.box { lower = { 0, 0 }, upper = { 1, 1 } } }
      sim:run { steps = 1 }
      return counts, { inlet.count, inlet.waiting } ]]
    assert.is_true(counts[1] < 12)
    assert.are.equal(12, counts[1] + counts[2])
    assert.is_true(later[1] > counts[1])
    assert.are.equal(12, later[1] + later[2])
  end)
end)

-- Grains of the mass 1/4 rain into a hopper and leave it below.
local hopper = [[
  local floc = require "floc"
  local folder = FOLDER
  local sim = floc.simulation { time_step = TIME_STEP, gravity = { 0, -10 }, threads = THREADS, scheme = SCHEME }
  sim:add_body { shape = floc.segment { { -2, 1.5 }, { -0.25, 0.8 } } }
  sim:add_body { shape = floc.segment { { 2, 1.5 }, { 0.25, 0.8 } } }
  sim:add_attribute("material", 0)
  local inlet = sim:add_inlet { region = floc.box { lower = { -1, 2.5 }, upper = { 1, 3 } }, rate = 60, radius = { 0.03, 0.05 }, mass = 0.25, velocity = { 0, -1 } FIRST_SHAPE }
  local other = sim:add_inlet { region = floc.ball { center = { 0, 3.5 }, radius = 0.4 }, mass_rate = 2, radius = 0.04, mass = 0.25, velocity = { 0, -1 }, material = 1 SECOND_SHAPE }
  local outlet = sim:add_outlet { region = floc.box { lower = { -9, -9 }, upper = { 9, 0.2 } }, every = EVERY }
  sim.state.seen = 0
  sim:every(50, function() sim.state.seen = sim.state.seen + outlet.count * sim.count end)
  BEFORE
  sim:run { until_time = 1.6 }
  local middle = outlet.count + 1000 * inlet.count
  sim:run { until_time = 2.6 }
  return sim:hash(), string.format("%d %d %d %d %d", inlet.count, other.count, outlet.count, middle, sim.state.seen),
    { inlet.count + other.count - outlet.count - sim.count, inlet.mass + other.mass - outlet.mass - sim:sum(function(mass) return mass end),
      outlet.materials[0].count + outlet.materials[1].count - outlet.count, outlet.materials[1].mass, outlet.count }
]]

describe("a stream through a hopper", function()
  for name, scheme in pairs {
    projection = { 0.004, "floc.inelastic { friction = 0.3 }", "3" },
    grains = { 0.004, "floc.inelastic { friction = 0.3 }", "3", ", shape = floc.polygon { sides = 5 }",
      ", shape = floc.rod { aspect = 2 }, angle = { 0, 0.3 }" },
    elements = { 0.0005, 'floc.discrete_element { contact = "hooke", stiffness = 5000, damping = 5, integrator = "velocity_verlet" }', "{ time = 0.0013 }" },
  } do
    it("loses nothing, whatever it is resumed from, " .. name, function()
      local folder = support.folder()
      local function text(threads, before)
        return (hopper:gsub("FOLDER", string.format("%q", folder)):gsub("TIME_STEP", scheme[1]):gsub("SCHEME", scheme[2]):gsub("THREADS", threads)
          :gsub("BEFORE", before or ""):gsub("EVERY", scheme[3])
          :gsub("FIRST_SHAPE", scheme[4] or ""):gsub("SECOND_SHAPE", scheme[5] or ""))
      end
      local hash, numbers, balance = support.run(text(1))
      assert.are.equal(0, balance[1])
      assert.are.equal(0, balance[2])
      assert.are.equal(0, balance[3])
      assert.is_true(balance[4] > 1 and balance[5] > 30)
      local every = math.floor(0.36 / scheme[1])
      local again, numbers_again = support.run(text(3, string.format("sim:checkpoint { path = folder .. '/run.floc', every = %d, keep = 9 }", every)))
      assert.are.equal(hash, again)
      assert.are.equal(numbers, numbers_again)
      for k = 0, 6 do
        again, numbers_again = support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or ""))
        assert.are.equal(hash, again)
        assert.are.equal(numbers, numbers_again)
      end
      support.remove(folder)
    end)
  end
end)

describe("grains that are not round, of an inlet", function()
  it("have their shape, their area and the orientations that were asked for", function()
    local found = run [[
      local inlet = sim:add_inlet { region = floc.box { lower = { 0, 0 }, upper = { 8, 8 } }, rate = 640, limit = 80, radius = { 0.1, 0.2 }, density = 2,
        shape = floc.rod { aspect = 3 }, angle = { 0.5, 0.6 } }
      sim:run { steps = 1 }
      sim:run { steps = 16 }
      local least, most, worst = 9, 0, 0
      for id = 1, sim.count do
        least, most = math.min(least, sim.angle[id]), math.max(most, sim.angle[id])
        local r, c = sim.radius[id], sim.rounding[id]
        worst = math.max(worst, math.abs(sim.mass[id] / (2 * (math.pi * c ^ 2 + 4 * (r - c) * c)) - 1))
      end
      assert(sim:check_overlap() < 1e-12)
      return { sim.count, sim.shape[1], sim.shape[80], inlet.waiting, least >= 0.5 and most <= 0.6 and most > least, worst < 1e-12 } ]]
    assert.are.same({ 80, 1, 1, 0, true, true }, found)
    local vertical = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 1 / 64 }
      sim:add_inlet { region = floc.box { lower = { 0, 0, 0 }, upper = { 8, 8, 8 } }, rate = 640, limit = 20, radius = 0.2, shape = floc.rod { aspect = 3 }, axis = { 0, 0, 1 } }
      sim:run { steps = 4 }
      local worst = 0
      for id = 1, sim.count do worst = math.max(worst, math.abs(2 * (sim.qw[id] ^ 2 - 0.5)), math.abs(2 * (sim.qy[id] ^ 2 - 0.5))) end
      return sim.count == 20 and worst ]]
    assert.is_true(vertical < 1e-12)
  end)

  it("come in a run with a shape that was there before, and are refused with another", function()
    local count, shape, message = run [[
      sim:add_inlet { region = floc.box { lower = { 0, 0 }, upper = { 1, 1 } }, rate = 1, start = 50, radius = 0.1, shape = floc.polygon { sides = 6 } }
      local message
      sim:every(1, function()
        sim:add_particle { position = { 2 * sim.step, 3 }, radius = 0.5, shape = floc.polygon { sides = 6 } }
        sim:add_particles { count = 2, region = floc.box { lower = { 2 * sim.step, 5 }, upper = { 2 * sim.step + 1.9, 9 } }, radius = 0.3, shape = floc.polygon { sides = 6 } }
        local ok
        ok, message = pcall(sim.add_particle, sim, { position = { 9, 9 }, radius = 1, shape = floc.polygon { sides = 5 } })
      end)
      sim:run { steps = 3 }
      return sim.count, sim.shape[9], message ]]
    assert.are.equal(9, count)
    assert.are.equal(1, shape)
    assert.is_truthy(message:find("shape is new in a run; give a grain or an inlet this shape before the run", 1, true), message)
  end)
end)

describe("a stream for long", function()
  -- What the engine holds is counted to the byte in tests/particles/test_stream.c. Compiled traces and tables of strings take
  -- some 0.1 bytes a grain here; a list that grew by one number for each grain would take 8 and more.
  it("keeps nothing in Lua for each grain that left", function()
    local per_grain, left, present = run [[
      local inlet = sim:add_inlet { region = floc.box { lower = { 0, 0 }, upper = { 10, 1 } }, rate = 6400, radius = 0.01, velocity = { 0, -64 } }
      local outlet = sim:add_outlet { region = floc.box { lower = { -1, -9 }, upper = { 11, -2 } } }
      local function held()
        collectgarbage() collectgarbage()
        return collectgarbage "count" * 1024
      end
      sim:run { steps = 200 }
      local count, before = outlet.count, held()
      sim:run { steps = 200 }
      return (held() - before) / (outlet.count - count), outlet.count, sim.count ]]
    assert.is_true(left > 30000 and present < 1000)
    assert.is_true(per_grain < 2, per_grain)
  end)
end)

describe("an outlet every so often", function()
  it("looks at the same steps by time as by their number", function()
    local function counts(every)
      return support.run((([[
        local floc = require "floc"
        local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 }, scheme = floc.inelastic() }
        for k = 1, 40 do sim:add_particle { position = { 3 * k, 0.1 * k }, radius = 0.5 } end
        local outlet = sim:add_outlet { region = floc.box { lower = { -999, -999 }, upper = { 999, -0.5 } }, every = EVERY }
        local list = {}
        sim:every(1, function() list[#list + 1] = outlet.count end)
        sim:run { steps = 100 }
        return table.concat(list, " ") ]]):gsub("EVERY", every)))
    end
    local by_time = counts("{ time = 0.07 }")
    assert.are.equal(counts("7"), by_time)
    assert.are_not.equal(counts("8"), by_time)
    assert.is_truthy(by_time:find(" 40$"), by_time)
  end)
end)

describe("inlets and outlets", function()
  it("are refused where they mean nothing", function()
    local box = "region = floc.box { lower = { 0, 0 }, upper = { 1, 1 } }"
    for code, wanted in pairs {
      ["sim:add_outlet {}"] = "add_outlet: region is missing",
      ["sim:add_outlet { BOX, every = 0 }"] = "every is 0",
      ["sim:add_outlet { BOX, every = { time = 0 } }"] = "time is 0",
      ["sim:add_outlet { BOX, every = { condition = print } }"] = "only sim:every takes one",
      ["sim:add_outlet { BOX, every = {} }"] = "every is a table without time",
      ["sim:add_outlet { region = floc.ball { center = { 0, 0, 0 }, radius = 1 } }"] = "vectors of 3 numbers",
      ["sim:add_inlet { BOX, radius = 0.1 }"] = "add_inlet: rate is missing",
      ["sim:add_inlet { BOX, radius = 0.1, rate = 1, mass_rate = 1 }"] = "only one of them",
      ["sim:add_inlet { BOX, rate = 1 }"] = "add_inlet: radius is missing",
      ["sim:add_inlet { radius = 0.1, rate = 1 }"] = "add_inlet: region is missing",
      ["sim:add_inlet { BOX, radius = 0.1, rate = -1 }"] = "rate is -1",
      ["sim:add_inlet { BOX, radius = 0.1, rate = 1, mass = 1, density = 1 }"] = "only one of them",
      ["sim:add_inlet { BOX, radius = 0.1, rate = 1, start = 2, until_ = 1 }"] = "until_ is 1; the inlet opens at 2",
      ["sim:add_inlet { BOX, radius = 0.1, rate = 1, attributes = { heat = 1 } }"] = "there is no attribute heat",
      ["sim:add_inlet { BOX, radius = 0.1, rate = 1, seed = 1 }"] = "unknown parameter seed",
      ["sim:add_inlet { BOX, radius = 0.1, rate = 1, angle = { 1, 0 }, shape = floc.polygon { sides = 6 } }"] = "add_inlet: angle is 1 to 0",
      ["sim:add_inlet { BOX, radius = 0.1, rate = 1, axis = { 1, 0 } }"] = "in two dimensions the orientation of a shape is angle",
      ["sim:every(1, function() sim:add_inlet { BOX, radius = 0.1, rate = 1 } end) sim:run { steps = 1 }"] = "not allowed inside a callback",
      ["sim:every(1, function() sim:add_outlet { BOX } end) sim:run { steps = 1 }"] = "not allowed inside a callback",
      ["local s = sim:add_outlet { BOX } s.count = 3"] = "count cannot be assigned",
      ["local s = sim:add_outlet { BOX } print(s.weight)"] = "there is no weight",
      ["sim:every(1, function() sim:add_particle { position = { 0, 0 }, radius = 1, material = 2 } end) sim:run { steps = 1 }"] = "material is given in a run",
      ["sim:add_particle { position = { 0.5, 0.5 }, radius = 0.1 } sim:add_assembly { particles = { 1 } } sim:add_outlet { BOX } sim:run { steps = 1 }"] =
        "particle 1 belongs to assembly 0",
    } do
      local ok, message = support.try((empty:gsub("SEED", "1")) .. code:gsub("BOX", box))
      assert.is_false(ok, code)
      assert.is_truthy(tostring(message):find(wanted, 1, true), code .. ": " .. tostring(message))
    end
  end)
end)
