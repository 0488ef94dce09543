-- Particles that grow: sim:add_attribute "radius_rate" and "rounding_rate" under projections.

local support = require "support"

local function start(scheme, more)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { time_step = 1e-2, scheme = %s, %s }
  ]], scheme, more or "")
end

local mixed = [[
  sim:add_attribute "radius_rate"
  sim:add_attribute "rounding_rate"
  sim:add_particles { count = 25, radius = { 0.2, 0.3 }, density = 1 }
  sim:add_particles { count = 25, radius = { 0.2, 0.3 }, density = 1, shape = floc.polygon { sides = 5 } }
  sim:add_particles { count = 25, radius = 0.3, density = 1, shape = floc.rod { aspect = 3 } }
  for _, id in ipairs(sim:ids()) do sim.radius_rate[id] = 0.05 + 0.002 * (id % 7) end
]]
local box = 'seed = 3, boundary = "wall", domain = floc.box { lower = { 0, 0 }, upper = { 8, 8 } }'

describe("particles that grow", function()
  it("push each other apart as fast as their surfaces go: two discs, two balls, a disc and a wall", function()
    for _, scheme in ipairs { "floc.inelastic {}", "floc.gluey { gamma_min = -1 }", "floc.inelastic { friction = 0.5 }" } do
      local pair, wall, mass = support.run(start(scheme) .. [[
        sim:add_attribute "radius_rate"
        sim:add_body { shape = floc.plane { point = { 0, -10 }, normal = { 0, 1 } } }
        sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1, attributes = { radius_rate = 0.1 } }
        sim:add_particle { position = { 1.1, 0 }, radius = 0.5, mass = 1, attributes = { radius_rate = 0.3 } }
        sim:add_particle { position = { 0, -9.5 }, radius = 0.5, mass = 1, attributes = { radius_rate = 0.2 } }
        sim:run { steps = 100 }
        return { sim.x[2] - sim.x[1], sim.radius[1], sim.radius[2] }, { sim.y[3], sim.radius[3] }, { sim.mass[1], sim.mass[2] } ]])
      assert.near(0.6, pair[2], 1e-12)
      assert.near(0.8, pair[3], 1e-12)
      assert.near(1.4, pair[1], 1e-9, scheme)
      assert.near(0.7, wall[2], 1e-12)
      assert.near(-9.3, wall[1], 1e-9)
      assert.near(1.44, mass[1], 1e-12)
      assert.near(2.56, mass[2], 1e-12)
    end
    local apart, mass = support.run(start("floc.inelastic {}", "dimension = 3") .. [[
      sim:add_attribute "radius_rate"
      for k = 0, 1 do sim:add_particle { position = { k, 0, 0 }, radius = 0.5, mass = 1, attributes = { radius_rate = 0.5 } } end
      sim:run { steps = 100 }
      return sim.x[2] - sim.x[1], sim.mass[1] ]])
    assert.near(2, apart, 1e-9)
    assert.near(8, mass, 1e-11)
  end)

  it("meet though they stand still and were far apart when neighbours were listed", function()
    local apart = support.run(start "floc.inelastic {}" .. [[
      sim:add_attribute "radius_rate"
      sim:add_body { shape = floc.plane { point = { 0, -100 }, normal = { 0, 1 } } }
      for k = 0, 3 do sim:add_particle { position = { 6 * k, 0 }, radius = 0.5, mass = 1, attributes = { radius_rate = 2 } } end
      sim:run { steps = 200 }
      return { sim.x[2] - sim.x[1], sim.x[3] - sim.x[2], sim.x[4] - sim.x[3] } ]])
    for k = 1, 3 do assert.is_true(apart[k] > 9 - 1e-9, apart[k]) end
    assert.near(9, apart[2], 1e-8)
  end)

  it("never overlap, whatever their shape, though what they grow in a step is fifty times what they may", function()
    local greatest, fraction, area = support.run(start("floc.inelastic { tolerance = 1e-5 }", box) .. mixed .. [[
      local before, greatest = sim:measure "volume_fraction", 0
      sim:every(1, function() greatest = math.max(greatest, sim:check_overlap()) end)
      sim:run { steps = 300 }
      return greatest, sim:measure "volume_fraction" / before, sim:sum(function(mass) return mass end) / 64 / sim:measure "volume_fraction" ]])
    assert.is_true(greatest < 2e-4, greatest) -- of a radius of 0.3; a step adds 0.01 to a gap's loss
    assert.is_true(fraction > 2, fraction)
    assert.near(1, area, 1e-12) -- the density stays
  end)

  it("become longer at one width, where the rounding does not grow, or grow alike all round", function()
    local long, alike, wall = support.run(start "floc.inelastic {}" .. [[
      sim:add_attribute "radius_rate"
      local rod = sim:add_particle { position = { 0, 0 }, radius = 1, density = 1, shape = floc.rod { aspect = 4 } }
      sim.radius_rate[rod] = 0.5
      sim:run { steps = 100 }
      local alike = { sim.radius[rod], sim.rounding[rod], sim.mass[rod] }
      sim:add_attribute "rounding_rate"
      sim:add_body { shape = floc.plane { point = { -1.5, 0 }, normal = { 1, 0 } } }
      sim:run { steps = 100 }
      return { sim.radius[rod], sim.rounding[rod], sim.mass[rod] }, alike, { sim.x[rod], sim.y[rod], sim.angle[rod] } ]])
    local area = 4 * 0.75 * 0.25 + math.pi / 16
    for k, value in ipairs { 1.5, 0.375, 2.25 * area } do assert.near(value, alike[k], 1e-12) end
    for k, value in ipairs { 2, 0.375, 4 * 1.625 * 0.375 + math.pi * 0.375 ^ 2 } do assert.near(value, long[k], 1e-12) end
    assert.near(0.5, wall[1], 1e-9)
    assert.near(0, wall[2], 1e-9)
    assert.near(0, wall[3], 1e-9)
  end)

  it("keep a moment of inertia that was given in proportion", function()
    local inertia = support.run(start "floc.inelastic { friction = 0.3 }" .. [[
      sim:add_attribute "radius_rate" sim:add_attribute "inertia"
      sim:add_particle { position = { 0, 0 }, radius = 1, mass = 1, attributes = { inertia = 0.9, radius_rate = 1 } }
      sim:run { steps = 100 }
      return sim.inertia[1] ]])
    assert.near(0.9 * 16, inertia, 1e-10)
  end)

  it("are the same after a resume in the middle, bit for bit, and on any number of threads", function()
    local folder = support.folder()
    local script = start("floc.inelastic { friction = 0.3 }", box) .. mixed .. string.format([[
      sim:checkpoint { path = %q, every = 20, keep = 9 }
      sim:run { steps = 150 }
      return sim:hash() ]], folder .. "/run.floc")
    local hash = support.run(script)
    for k = 1, 5, 2 do assert.are.equal(hash, (support.resume(folder .. "/run.floc." .. k))) end
    support.remove(folder)
    for _, threads in ipairs { 1, 2, 3, 8 } do
      local same = support.run(start("floc.inelastic { friction = 0.3 }", box .. ", threads = " .. threads) .. mixed .. "sim:run { steps = 150 } return sim:hash()")
      local first = support.run(start("floc.inelastic { friction = 0.3 }", box .. ", threads = 1") .. mixed .. "sim:run { steps = 150 } return sim:hash()")
      assert.are.equal(first, same)
    end
  end)

  it("are refused by name where they do not, and where nothing would be left, with all as it was", function()
    local one = [[ sim:add_attribute "radius_rate" sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1, attributes = { radius_rate = %g } } sim:run { steps = 90 } ]]
    local message = support.failure(start 'floc.discrete_element { contact = "hooke", stiffness = 1e3 }' .. one:format(0.1))
    assert.is_truthy(message:find("particle 1 has the radius_rate 0.1, which is not supported under the scheme discrete_element; inelastic, gluey and first_order do it", 1, true), message)
    message = support.failure(start("floc.inelastic {}", "energy_ledger = true") .. one:format(0.1))
    assert.is_truthy(message:find("not supported with energy_ledger", 1, true), message)
    message = support.failure(start "floc.inelastic {}" .. [[ sim:add_attribute "rounding_rate"
      sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1, attributes = { rounding_rate = 1 } } sim:run { steps = 1 } ]])
    assert.is_truthy(message:find("particle 1 has the rounding_rate 1, which has no effect on particles that are round", 1, true), message)
    local step, radius, mass, said = support.run(start "floc.inelastic {}" .. [[ sim:add_attribute "radius_rate"
      sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1, attributes = { radius_rate = -1 } }
      local _, said = pcall(sim.run, sim, { steps = 90 })
      return { sim.step, sim.radius[1], sim.mass[1] }, said ]])
    if type(step) == "table" then step, radius, mass, said = step[1], step[2], step[3], radius end
    assert.are.equal(49, step)
    assert.near(0.01, radius, 1e-12)
    assert.near(4e-4, mass, 1e-12)
    assert.is_truthy(tostring(said):find("particle 1 of radius 0.01 has the radius_rate -1, so that step 50 would make it", 1, true), said)
  end)
end)
