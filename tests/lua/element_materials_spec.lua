-- Numbers of pairs of materials with discrete elements: stiffnesses in series, bounces, friction, the same as one number, resume.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end
local function failure(script) return support.failure('local floc = require "floc"\n' .. script) end

describe("discrete elements by pairs of materials", function()
  -- What a column of two discs on a floor sinks by is the weight over the stiffness of each contact, in series.
  it("have stiffnesses in series", function()
    local found = run [[
      local own = { wood = 4e3, steel = 2e4, felt = 1e3 }
      local sim = floc.simulation { time_step = 5e-4, gravity = { 0, -10 }, scheme = floc.discrete_element { contact = "hooke", integrator = "velocity_verlet",
        damping = 60, materials = { "felt", "steel", "wood" }, stiffness = function(a, b) return own[a] * own[b] / (own[a] + own[b]) end } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } }, material = "wood" }
      sim:add_particle { position = { 0, 0.1 }, radius = 0.1, mass = 2, material = "steel" }
      sim:add_particle { position = { 0, 0.3 }, radius = 0.1, mass = 3, material = "felt" }
      sim:run { until_time = 6 }
      local floor, pair = 1 / (1 / own.wood + 1 / own.steel), 1 / (1 / own.steel + 1 / own.felt)
      local energy = 0.5 * 50 ^ 2 / floor + 0.5 * 30 ^ 2 / pair
      return { 0.1 - sim.y[1], 50 / floor, 0.3 - sim.y[2], 50 / floor + 30 / pair, sim:measure "contact_energy", energy } ]]
    assert.near(found[2], found[1], 1e-6 * found[2])
    assert.near(found[4], found[3], 1e-6 * found[4])
    assert.near(found[6], found[5], 1e-5 * found[6])
  end)

  -- e = exp(-pi z/sqrt(1 - z^2)), z = c/(2 sqrt(k m)) of a spring and dashpot against a wall
  it("have a damping and a stiffness for each wall", function()
    local found = run [[
      local k, c = { 1e4, 4e4 }, { 10, 60 }
      local sim = floc.simulation { time_step = 1e-5, scheme = floc.discrete_element { contact = "hooke", integrator = "velocity_verlet",
        stiffness = function(_, b) return k[b] end, damping = function(_, b) return c[b] end } }
      for n = 1, 2 do
        sim:add_body { shape = floc.segment { { 3 * n - 1, 0 }, { 3 * n + 1, 0 } }, material = n }
        sim:add_particle { position = { 3 * n, 0.12 }, radius = 0.1, mass = 1, velocity = { 0, -1 } }
      end
      sim:run { until_time = 0.08 }
      local function e(n)
        local z = c[n] / (2 * math.sqrt(k[n]))
        return math.exp(-math.pi * z / math.sqrt(1 - z * z))
      end
      return { sim.vy[1], e(1), sim.vy[2], e(2) } ]]
    assert.near(found[2], found[1], 1e-3)
    assert.near(found[4], found[3], 1e-3)
  end)

  it("slide by the friction of the pair", function()
    local found = run [[
      local slope, g = 0.4, 10
      local sim = floc.simulation { time_step = 2e-5, gravity = { g * math.sin(slope), -g * math.cos(slope) }, scheme = floc.discrete_element {
        contact = "hooke", stiffness = 1e5, damping = 300, integrator = "velocity_verlet", friction = "spring", friction_stiffness = 5e4,
        friction_static = function(a, b) return b == 1 and 0.1 or 0.2 end, friction_dynamic = function(a, b) return b == 1 and 0.1 or 0.2 end } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      for material = 1, 2 do
        sim:add_particle { position = { 5 * material, 0.1 - 10 * math.cos(slope) / 1e5 }, radius = 0.1, mass = 1, material = material }
      end
      sim:run { until_time = 0.5 }
      local v1, v2 = sim.vx[1], sim.vx[2]
      sim:run { until_time = 1 }
      local function a(mu) return g * math.sin(slope) - mu * g * math.cos(slope) end
      return { (sim.vx[1] - v1) / 0.5, a(0.1), (sim.vx[2] - v2) / 0.5, a(0.2) } ]]
    assert.near(found[2], found[1], 1e-3 * found[2])
    assert.near(found[4], found[3], 1e-3 * found[4])
  end)

  it("have the numbers of one for all where all pairs have them", function()
    local function state(given)
      return run(string.format([[
        local sim = floc.simulation { time_step = 1e-4, gravity = { 0, -9.81 }, seed = 3, scheme = floc.discrete_element { contact = "hooke",
          integrator = "velocity_verlet", damping = 5, rotation = true, friction = "spring", limit_damping = true, friction_stiffness = 1e3, %s } }
        sim:add_body { shape = floc.hollow { radius = 1 }, angular_velocity = 1 }
        sim:add_particles { count = 60, radius = { 0.04, 0.05 }, density = 1, region = floc.box { lower = { -0.6, -0.6 }, upper = { 0.6, 0.6 } } }
        sim:run { steps = 4000 }
        return sim:hash()]], given))
    end
    local number = state "stiffness = 2e3, friction_static = 0.4, friction_dynamic = 0.4"
    assert.are.equal(number, state "stiffness = function() return 2e3 end, friction_static = 0.4, friction_dynamic = 0.4")
    assert.are.equal(number, state "materials = { 'a', 'b' }, stiffness = { a = { a = 2e3, b = 1 }, b = { b = 1 } }, friction_static = 0.4, friction_dynamic = 0.4")
    assert.are_not.equal(number, state "stiffness = function() return 2.1e3 end, friction_static = 0.4, friction_dynamic = 0.4")
  end)

  it("let a pair without rolling friction roll beside others that resist", function()
    local function rolled(given)
      return run(string.format([[
        local sim = floc.simulation { time_step = 1e-4, gravity = { 0, -9.81 }, scheme = floc.discrete_element { contact = "hooke", integrator = "velocity_verlet",
          damping = 5, rotation = true, friction = "spring", stiffness = 2e3, friction_stiffness = 1e3, friction_static = 0.5, friction_dynamic = 0.5, %s } }
        sim:add_body { shape = floc.plane { normal = { 0, 1 } }, material = 0 }
        for k = 1, 4 do -- two that touch, beside two others
          sim:add_particle { position = { k > 2 and k or k * 0.199, 0.1 }, radius = 0.1, mass = 0.1, material = k %% 2, velocity = { 1, 0 } }
        end
        sim:run { steps = 1500 }
        return { sim.vx[4], sim.wz[4], sim.vx[3], sim.vx[2] }]], given))
    end
    local mixed = rolled "rolling_friction = function(a, b) return 0.1 * math.max(a, b) end, rolling_stiffness = 500"
    local free = rolled ""
    assert.are.equal(free[1], mixed[1])
    assert.are.equal(free[2], mixed[2])
    assert.is_true(mixed[3] < 0.97 * free[3] and mixed[4] ~= free[4])
  end)

  it("resume bit for bit", function()
    local folder = support.folder()
    local whole = support.run(string.format([[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-4, gravity = { 0, -9.81 }, scheme = floc.discrete_element { contact = "hooke", integrator = "velocity_verlet",
        damping = 5, rotation = true, friction = "spring", friction_stiffness = 1e3, friction_static = function(a, b) return 0.1 + 0.2 * (a + b) end,
        friction_dynamic = function(a, b) return 0.1 * (a + b) end, stiffness = function(a, b) return 1000 * (1 + a + b) end,
        rolling_friction = function(a, b) return 0.01 * (a + b) end, rolling_stiffness = 500 } }
      sim:add_body { shape = floc.hollow { radius = 1 }, material = 2, angular_velocity = 1 }
      sim:add_particles { count = 40, radius = { 0.06, 0.08 }, density = 1, region = floc.box { lower = { -0.6, -0.6 }, upper = { 0.6, 0.6 } }, material = 1 }
      for id = 1, 20 do sim.material[id] = 0 end
      sim:checkpoint { path = %q, every = 3000 }
      sim:run { steps = 8000 }
      return sim:hash() ]], folder .. "/run.state"))
    assert.are.equal(whole, (support.resume(folder .. "/run.state")))
    support.remove(folder)
  end)

  it("say what is wrong", function()
    for _, case in ipairs {
      { "stiffness = function() return 0 end", "stiffness of materials 0 and 0 is 0; it must be a finite number above 0" },
      { "friction = 'spring', friction_static = 0.2, friction_dynamic = function() return 0.3 end",
        "friction_dynamic of materials 0 and 0 is 0.3; it must be at most friction_static, which is 0.2" },
      { "damping = { a = 1 }", "damping is a table, which needs the names of the materials" },
      { "stiffness = function() error 'no idea' end", "no idea" },
    } do
      local message = failure(string.format([[
        local sim = floc.simulation { time_step = 1e-4, scheme = floc.discrete_element { contact = "hooke", integrator = "velocity_verlet", %s } }
        sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
        sim:add_particle { position = { 0, 0.1 }, radius = 0.1, mass = 1, velocity = { 0, -1 } }
        sim:run { steps = 10 }]], case[1]))
      assert.is_truthy(message:find(case[2], 1, true), message)
    end
    local message = failure [[
      local sim = floc.simulation { time_step = 1e-4, scheme = floc.discrete_element { contact = "hooke", integrator = "velocity_verlet", damping = function() return 1 end } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } }, material = 64 }
      sim:add_particle { position = { 0, 0.1 }, radius = 0.1, mass = 1, velocity = { 0, -1 } }
      sim:run { steps = 10 }]]
    assert.is_truthy(message:find("a material is 64; discrete elements by pairs of materials take 0 to 63", 1, true), message)
  end)
end)
