-- Energies by name: of motion, gravity, laws, attraction, springs and bonds; before the first step, in every scheme, and
-- against closed forms and conservation. Looking changes nothing.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end

describe("the energy", function()
  it("of a harmonic oscillator stays within 1e-3 over 1000 periods", function()
    local first, worst, field = run [[
      local sim = floc.simulation { time_step = 2 * math.pi / 100,
        scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_particle { position = { 1, 0 }, velocity = { 0, 0.5 }, radius = 0.1, mass = 2 }
      local trap = sim:add_field { potential = function(x, y) return x ^ 2 + y ^ 2 end }
      local first, worst = sim:measure "total_energy", 0
      for k = 1, 1000 do
        sim:run { steps = 97 + k % 7 }
        worst = math.max(worst, math.abs(sim:measure "total_energy" / first - 1))
      end
      return first, worst, trap.energy - sim:measure "law_energy" ]]
    assert.near(1.25, first, 1e-14)
    assert.is_true(worst < 1e-3, worst)
    assert.are.equal(0, field)
  end)

  it("of the projection is that of the state as it is, not of the step's start", function()
    local worst = run [[
      local sim = floc.simulation { time_step = 2 * math.pi / 6000 }
      sim:add_particle { position = { 1, 0 }, radius = 0.1, mass = 2 }
      sim:add_field { potential = function(x, y) return x ^ 2 + y ^ 2 end }
      local worst = 0
      for _ = 1, 100 do
        sim:run { steps = 301 }
        worst = math.max(worst, math.abs(sim:measure "total_energy" - 1))
      end
      return worst ]]
    assert.is_true(worst < 1e-3, worst)
  end)

  -- A disc near another, a floor below, in a field: every part has a closed form.
  local scene = [[
    local sim = floc.simulation { time_step = 1e-4, gravity = { 0, -10 }, scheme = SCHEME }
    sim:add_body { shapes = { floc.plane { point = { 0, 0 }, normal = { 0, 1 } } } }
    sim:add_particle { position = { 0, 0.6 }, velocity = { 3, 4 }, radius = 0.5, mass = 2 }
    sim:add_particle { position = { 1.2, 0.6 }, radius = 0.5, mass = 3 }
    local field = sim:add_field { potential = function(x, mass) return mass * x end }
    local pair = sim:add_force { range = 0.5, potential = function(distance) return 7 / distance end }
    local wall = sim:add_wall_force { range = 0.5, returns = { "normal", "energy" },
      law = function(distance) return -2 * distance, distance ^ 2 end }
    sim:add_attraction { kappa = 5, epsilon = 0.1 } ]]
  local schemes = {
    projection = "nil", friction = "floc.inelastic { friction = 0.3 }",
    gluey = "floc.gluey {}", verlet = "floc.discrete_element { contact = 'hooke', stiffness = 1e4, integrator = 'velocity_verlet' }",
    trapezoidal = "floc.discrete_element {}" }
  for name, scheme in pairs(schemes) do
    it("is right before the first step: " .. name, function()
      local parts, own = run(scene:gsub("SCHEME", scheme) .. [[
        local parts = {}
        for _, name in ipairs { "translational_kinetic_energy", "rotational_kinetic_energy", "kinetic_energy",
          "gravitational_energy", "law_energy", "attraction_energy", "potential_energy", "total_energy" } do
          parts[name] = sim:measure(name)
        end
        return parts, { field.energy, pair.energy, wall.energy } ]])
      local attraction = 5 * (0 + ((1 - math.exp(-4)) / (1 + math.exp(-4))) - (1 - math.exp(-10)) / (1 + math.exp(-10)))
      local expected = { translational_kinetic_energy = 25, rotational_kinetic_energy = 0, kinetic_energy = 25,
        gravitational_energy = 30, law_energy = 3.6 + 7 / 1.2 + 2 * 0.36, attraction_energy = attraction }
      expected.potential_energy = 30 + expected.law_energy + attraction
      expected.total_energy = 25 + expected.potential_energy
      for key, value in pairs(expected) do assert.near(value, parts[key], 1e-12) end
      for k, value in ipairs { 3.6, 7 / 1.2, 0.72 } do assert.near(value, own[k], 1e-12) end
    end)
  end

  it("is conserved by discrete elements in everything that has a potential", function()
    local first, worst, parts = run [[
      local sim = floc.simulation { time_step = 1e-4, gravity = { 0, -1 },
        scheme = floc.discrete_element { contact = "hooke", stiffness = 1e4, integrator = "velocity_verlet" } }
      sim:add_body { shapes = { floc.plane { point = { 0, 0 }, normal = { 0, 1 } } } }
      for k = 0, 8 do
        sim:add_particle { position = { 1.02 * (k % 3) + 0.01 * k, 0.5 + 1.03 * math.floor(k / 3) }, radius = 0.5,
          velocity = { 0.3 * (k % 2), 0.1 * k } }
      end
      sim:add_field { potential = function(x) return 0.5 * (x - 1) ^ 2 end }
      sim:add_force { range = 3, potential = function(distance) return 1 / distance end }
      sim:add_wall_force { range = 0.5, returns = { "normal", "energy" },
        law = function(overlap) return 4 * (overlap + 0.5), 2 * (overlap + 0.5) ^ 2 end }
      sim:add_attraction { kappa = 1, epsilon = 0.3, range = 3 }
      local first, worst, seen = sim:measure "total_energy", 0, 0
      for _ = 1, 40 do
        sim:run { steps = 250 }
        worst = math.max(worst, math.abs(sim:measure "total_energy" - first))
        if sim:measure "contact_energy" > 0 then seen = seen + 1 end
      end
      return first, worst, seen ]]
    assert.is_true(worst < 2e-3 * math.abs(first), worst / first)
    assert.is_true(parts > 10)
  end)

  it("of a spinning ball is the same in every scheme that turns it, and in the report", function()
    for _, case in ipairs {
      { "floc.inelastic { rotation = true }", "angular_velocity_z" }, { "floc.inelastic { friction = 0.2 }", "angular_velocity_z" },
      { "floc.gluey { friction = 0.2 }", "angular_velocity_z" }, { "floc.ballistic { rotation = true }", "angular_velocity_z" },
      { "floc.discrete_element { rotation = true }", "wz" },
      { "floc.discrete_element { rotation = true, contact = 'hooke', integrator = 'velocity_verlet' }", "wz" } } do
      for dimension = 2, 3 do
        local found = run(([[
          local sim = floc.simulation { time_step = 1e-3, dimension = %d, scheme = %s }
          sim:add_particle { position = { 0, 0%s }, velocity = { 1, 0%s }, radius = 1, mass = 1 }
          sim.%s[1] = 2
          local before = sim:measure "rotational_kinetic_energy"
          sim:run { steps = 1 }
          assert(math.abs(sim:measure "rotational_kinetic_energy" - before) < 1e-14)
          assert(math.abs(sim:measure "greatest_speed" - 1) < 1e-14)
          return { before, sim:measure "translational_kinetic_energy", sim:measure "kinetic_energy",
            sim:report().kinetic_energy } ]]):format(dimension, case[1], dimension == 3 and ", 0" or "",
            dimension == 3 and ", 0" or "", case[2]))
        local spun, moved, sum, reported = found[1], found[2], found[3], found[4]
        local inertia = dimension == 2 and 0.5 or 0.4 -- discs and balls
        assert.near(0.5 * inertia * 4, spun, 1e-14)
        assert.near(0.5, moved, 1e-14)
        assert.near(spun + moved, sum, 1e-14)
        assert.near(sum, reported, 1e-14)
      end
    end
  end)

  it("is refused by name where a scheme has none", function()
    for _, name in ipairs { "contact_energy", "friction_energy", "bond_energy", "near_field_energy" } do
      local message = support.failure('local floc = require "floc"\nfloc.simulation { time_step = 1 }:measure "' .. name .. '"')
      assert.matches("script.lua:2: measure: " .. name .. ": contacts of the scheme inelastic store no energy", message)
    end
    for _, scheme in ipairs { "ballistic", "event_driven" } do
      local message = support.failure(([[local floc = require "floc"
        floc.simulation { time_step = 1, scheme = floc.%s {} }:measure "contact_count"]]):format(scheme))
      assert.matches("contact_count: contacts of the scheme " .. scheme .. " store no impulse", message)
    end
  end)

  it("does not change what it looks at: laws with memory, hashes, lists", function()
    local script = [[
      local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -10 }, seed = 3, scheme = SCHEME }
      sim:add_body { shapes = { floc.container { width = 3, height = 9 } } }
      sim:add_particles { count = 20, radius = 0.25, region = floc.box { lower = { -1.5, 0 }, upper = { 1.5, 3 } } }
      local pair = sim:add_force { range = 0.3, memory = { "age" }, returns = { "normal", "energy", "age" },
        law = function(overlap, age) return 3 * (overlap + 0.3) + age, overlap ^ 2, age + 0.01 end }
      sim:add_wall_force { range = 0.3, memory = { "age" }, returns = { "normal", "energy", "age" },
        law = function(overlap, age) return 3 * (overlap + 0.3) + age, overlap ^ 2, age + 0.01 end }
      for k = 1, 60 do
        sim:run { steps = 5 }
        if LOOK then assert(sim:measure "total_energy" * pair.energy * sim:measure "coordination_number" > -math.huge) end
      end
      return sim:hash() ]]
    for _, scheme in ipairs { "nil", "floc.discrete_element { contact = 'hooke', stiffness = 1e4, integrator = 'velocity_verlet' }" } do
      local made = script:gsub("SCHEME", scheme)
      assert.are.equal(run((made:gsub("LOOK", "false"))), run((made:gsub("LOOK", "true"))))
    end
  end)
end)

describe("other measures", function()
  it("volume_fraction is of the declared domain where it is closed", function()
    local periodic, open, half = run [[
      local function make(boundary, domain)
        local sim = floc.simulation { time_step = 1, boundary = boundary, domain = domain }
        sim:add_particle { position = { 1, 1 }, radius = 0.5 }
        sim:add_particle { position = { 3, 1 }, radius = 0.5 }
        return sim:measure "volume_fraction"
      end
      local box = floc.box { lower = { 0, 0 }, upper = { 10, 5 } }
      return make({ "periodic", "periodic" }, box), make({ "open", "open" }), make({ "wall", "open" }, box) ]]
    assert.near(0.5 * math.pi / 50, periodic, 1e-14)
    assert.near(0.5 * math.pi / 3, open, 1e-14)
    assert.near(0.5 * math.pi / 10, half, 1e-14)
  end)

  it("coordination_number is right before the first step and in schemes without lists", function()
    for _, scheme in ipairs { "nil", "floc.event_driven {}", "floc.discrete_element {}" } do
      assert.near(4 / 3, run(([[
        local sim = floc.simulation { time_step = 1, scheme = %s }
        for k = 0, 2 do sim:add_particle { position = { k, 0 }, radius = 0.5 } end
        return sim:measure "coordination_number" ]]):format(scheme)), 1e-14)
    end
  end)
end)
