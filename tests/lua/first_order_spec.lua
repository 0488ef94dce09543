-- floc.first_order: given velocities, projected on those that do not overlap, all particles weighing the same.

local support = require "support"

local function run(text, options) return support.run("local floc = require 'floc'\n" .. text, options) end

-- A pair in touch on the x axis, with desired velocities u and w, and what it does in one step.
local function pair(u, w, masses, more)
  return run(([[
    local sim = floc.simulation { time_step = 0.01, scheme = floc.first_order { velocity = function(u, v) return u, v end%s } }
    sim:add_attribute("u", 0) sim:add_attribute("v", 0)
    sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = %g, attributes = { u = %g, v = 0.3 } }
    sim:add_particle { position = { 0.2, 0 }, radius = 0.1, mass = %g, attributes = { u = %g, v = -0.4 } }
    sim:run { steps = 1 }
    return { sim.vx[1], sim.vx[2] }, { sim.vy[1], sim.vy[2] }, sim:contacts()[1] ]]):format(more or "", masses[1], u, masses[2], w))
end

describe("floc.first_order", function()
  it("stops two that are driven against each other, and gives them the mean otherwise", function()
    local tight = ", tolerance = 1e-13"
    local along, across = pair(1, -1, { 1, 1 }, tight)
    assert.near(0, along[1], 1e-10)
    assert.near(0, along[2], 1e-10)
    assert.are.same({ 0.3, -0.4 }, across)
    along = pair(3, -1, { 1, 1 }, tight)
    assert.near(1, along[1], 1e-10)
    assert.near(1, along[2], 1e-10)
    assert.are.same({ -1, 2 }, (pair(-1, 2, { 1, 1 }, tight))) -- apart: nothing is in the way
  end)

  it("does not know masses", function()
    local equal = pair(3, -1, { 1, 1 })
    for _, masses in ipairs { { 1000, 1 }, { 1e-3, 50 } } do
      local along, _, contact = pair(3, -1, masses)
      assert.are.same(equal, along)
      assert.near(2, contact.impulse, 1e-3) -- half of 3 + 1, with weight 1
    end
  end)

  it("has no inertia, and a tolerance of its own", function()
    local vx, again, report = run [[
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.first_order { velocity = function(t) return t < 0.0105 and 3 or 1, 4 end } }
      sim:add_particle { position = { 0, 0 }, radius = 0.5, velocity = { -70, 0 } }
      sim:run { steps = 1 }
      local first = sim.vx[1]
      sim:run { steps = 20 }
      local later = sim.vx[1]
      sim:set_a_priori(function(t) return 3 + 1e-6 * t, 4 end)
      sim:run { steps = 2 }
      return first, later, sim:report()]]
    assert.are.same({ 3, 1 }, { vx, again })
    assert.are.equal("speed", report.tolerance_rule) -- a change of velocity by 1e-9 does not count
    assert.near(1e-4 * 5e-3, report.tolerance, 1e-12)
  end)

  it("slides along a wall with the tangential part, exactly", function()
    local state = run [[
      local sim = floc.simulation { time_step = 2 ^ -6, scheme = floc.first_order { velocity = function() return 0.75, -2 end } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      sim:add_particle { position = { 0, 0.25 }, radius = 0.25 }
      sim:run { steps = 128 }
      return { sim.x[1], sim.vx[1], sim.y[1], sim.vy[1] }]]
    assert.are.same({ 1.5, 0.75 }, { state[1], state[2] }) -- 2 s
    assert.near(0.25, state[3], 1e-4)
    assert.near(0, state[4], 1e-2)
  end)

  -- The projection of a row of n onto "not closer" is the mean of all where they press in order (isotonic regression).
  it("gives a row that is pushed from behind the mean of the velocities", function()
    local speeds, impulses = run [[
      local sim = floc.simulation { time_step = 0.01, scheme = floc.first_order { velocity = function(id) return 5 - id, 0 end, tolerance = 1e-12 } }
      for n = 1, 5 do sim:add_particle { position = { n, 0 }, radius = 0.5, mass = 3 ^ n } end
      sim:run { steps = 1 }
      local speeds, impulses = {}, {}
      for n = 1, 5 do speeds[n] = sim.vx[n] end
      for n, contact in ipairs(sim:contacts()) do impulses[n] = contact.impulse end
      return speeds, impulses]]
    for n = 1, 5 do assert.near(2, speeds[n], 1e-9) end
    table.sort(impulses)
    for n, value in ipairs { 2, 2, 3, 3 } do assert.near(value, impulses[n], 1e-8) end -- sums of 4 - 2, 3 - 2, ...
  end)

  it("lets forces act where the velocity reads them, and refuses them otherwise", function()
    local begin = [[local sim = floc.simulation { time_step = 0.1, scheme = floc.first_order { velocity = function(%s) return %s, 0 end } }
      sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 7 } sim:add_field { law = function(x) return 6, 0 end }
      sim:run { steps = 2 } return sim.vx[1] ]]
    assert.are.equal(3, (run(begin:format("fx", "0.5 * fx"))))
    local message = support.failure("local floc = require 'floc'\n" .. begin:format("x", "1 + x"))
    assert.is_truthy(message:find("script.lua:4: run: forces of laws have no effect under the scheme first_order, whose velocity does not read fx", 1, true), message)
  end)

  it("resumes bit for bit", function()
    local folder = support.folder()
    local scenario = ("local folder = %q\n"):format(folder) .. [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.02, seed = 3,
        scheme = floc.first_order { velocity = function(x, y, t, normal_random) return -x - y + 0.2 * normal_random, x * math.cos(t) - y end } }
      sim:add_particles { count = 60, radius = { 0.04, 0.06 }, region = floc.box { lower = { -1, -1 }, upper = { 1, 1 } } }
      %s sim:run { steps = 150 } return sim:hash()]]
    local whole = support.run(scenario:format "")
    support.run(scenario:format "sim:checkpoint { path = folder .. '/run.floc', every = 50, keep = 3 }")
    for _, name in ipairs { "run.floc.1", "run.floc.2" } do assert.are.equal(whole, (support.resume(folder .. "/" .. name))) end
    support.remove(folder)
  end)

  it("says what is wrong with its input", function()
    local function fails(text, wanted)
      local message = support.failure("local floc = require 'floc'\n" .. text)
      assert.is_truthy(message:find("script.lua:2: " .. wanted, 1, true), message)
    end
    local simulation = "local sim = floc.simulation { time_step = 0.1, scheme = floc.first_order { velocity = function() return 1, 0 end } } "
    fails("floc.first_order {}", "first_order: velocity is missing")
    fails("floc.first_order { velocity = 3 }", "first_order: velocity is 3; it must be a function")
    fails("floc.first_order { velocity = function() return 1, 0 end, friction = 0.3 }", "first_order: unknown parameter friction")
    fails("floc.first_order { velocity = function() return 1, 0 end, tolerance = -1 }", "first_order: tolerance is -1")
    fails("floc.simulation { time_step = 0.1, scheme = floc.first_order { velocity = function(colour) return 1, 0 end } }:run { steps = 1 }",
      "first_order: there is no input colour")
    fails("floc.simulation { time_step = 0.1, a_priori = function() return 1, 0 end, scheme = floc.first_order { velocity = function() return 1, 0 end } }",
      "simulation: a_priori is not supported under the scheme first_order")
    fails(simulation .. "sim.gravity = { 0, -1 }", "sim.gravity: gravity is not supported under the scheme first_order; inelastic, gluey, discrete_element and event_driven do it")
    fails(simulation .. "sim:stress()", "stress: ")
  end)
end)
