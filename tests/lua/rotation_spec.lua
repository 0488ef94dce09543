-- Columns of rotation: one spelling in all schemes and the former names, torque, moments of inertia.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end
local function failure(script) return support.failure('local floc = require "floc"\n' .. script) end

local turning = { "floc.inelastic { friction = 0.3 }", "floc.inelastic { rotation = true }", "floc.ballistic { rotation = true }",
  "floc.discrete_element { rotation = true, contact = 'hooke', integrator = 'velocity_verlet' }" }

describe("the angular velocity", function()
  it("has one name in all schemes, and its former one finds it", function()
    for _, scheme in ipairs(turning) do
      local found = run(string.format([[
        local sim = floc.simulation { time_step = 1e-3, scheme = %s }
        sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 2, attributes = { angular_velocity_z = 3 } }
        sim:run { steps = 3 }
        local listed = table.concat(sim:columns(), " ")
        local new, old = sim.wz[1], sim.angular_velocity_z[1]
        sim:map("angular_velocity_z", function(wz, angular_velocity_z) return wz + angular_velocity_z end)
        local mapped = sim.wz[1]
        sim.angular_velocity_z[1] = 5
        return { new, old, listed, mapped, sim.wz[1] } ]], scheme))
      local new, old, listed, mapped, set = found[1], found[2], found[3], found[4], found[5]
      assert.are.equal(3, new, scheme)
      assert.are.equal(3, old, scheme)
      assert.is_truthy(listed:find " wz", listed)
      assert.is_nil(listed:find "angular_velocity", listed)
      assert.are.equal(6, mapped)
      assert.are.equal(5, set)
    end
  end)

  it("is an input of laws by both names", function()
    for _, name in ipairs { "wz", "angular_velocity_z" } do
      local force = run(string.format([[
        local sim = floc.simulation { time_step = 1e-3, scheme = floc.inelastic { rotation = true } }
        sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 2, attributes = { wz = 3 } }
        sim:add_field { law = function(%s) return 2 * %s, 0 end }
        sim:run { steps = 1 }
        return sim.fx[1] ]], name, name))
      assert.are.equal(6, force)
    end
  end)

  it("is not there where nothing rotates, and comes with the attribute of either name", function()
    assert.is_truthy(failure('local sim = floc.simulation { time_step = 1 } return sim.wz'):find("there is no sim.wz", 1, true))
    assert.are.same({ 4, 4 }, { run [[local sim = floc.simulation { time_step = 1 }
      sim:add_attribute("angular_velocity_z", 4)
      sim:add_particle { position = { 0, 0 }, radius = 1, mass = 1 }
      return sim.wz[1], sim.angular_velocity_z[1] ]] })
    assert.is_truthy(failure [[local sim = floc.simulation { time_step = 1, scheme = floc.inelastic { rotation = true } }
      sim:add_attribute "angular_velocity_z"]]:find("is an attribute already", 1, true))
  end)
end)

describe("the moment of inertia", function()
  -- I = k m r^2 rolls down a plane with g sin(slope)/(1 + k).
  local function acceleration(dimension, inertia, scheme)
    return run(string.format([[
      local dimension, inertia = %d, %s
      local slope = 0.3
      local function v(x, y) return dimension == 2 and { x, y } or { x, y, 0 } end
      local sim = floc.simulation { dimension = dimension, time_step = 5e-4, scheme = %s,
        gravity = v(9.81 * math.sin(slope), -9.81 * math.cos(slope)) }
      sim:add_body { shape = floc.plane { normal = v(0, 1) } }
      if inertia then sim:add_attribute("inertia", inertia) end
      sim:add_particle { position = v(0, 0.1), radius = 0.1, mass = 2 }
      sim:run { until_time = 0.5 }
      local before = sim.vx[1]
      sim:run { until_time = 1 }
      return (sim.vx[1] - before) / 0.5 / (9.81 * math.sin(slope)), sim:measure "rotational_kinetic_energy", sim.wz[1] ]],
      dimension, tostring(inertia), scheme))
  end
  local hard = "floc.inelastic { friction = 2 }"
  local soft = "floc.discrete_element { contact = 'hooke', stiffness = 4e5, damping = 300, friction = 'spring', friction_stiffness = 2e5, "
    .. "friction_static = 2, friction_dynamic = 2, rotation = true, integrator = 'velocity_verlet' }"

  it("of uniform discs and balls is the default, in both schemes", function()
    for _, scheme in ipairs { hard, soft } do
      for dimension, part in pairs { [2] = 2 / 3, [3] = 5 / 7 } do
        for _, inertia in ipairs { "nil", "0" } do
          assert.near(part, (acceleration(dimension, inertia, scheme)), 5e-3)
        end
      end
    end
  end)

  it("is the column's where it is given: a hoop", function()
    for _, scheme in ipairs { hard, soft } do
      for dimension = 2, 3 do
        local part, energy, spin = acceleration(dimension, 2 * 0.1 ^ 2, scheme)
        assert.near(1 / 2, part, 5e-3)
        assert.near(0.5 * 0.02 * spin ^ 2, energy, 1e-12 * energy)
      end
    end
  end)

  it("is refused where it is wrong or has no meaning", function()
    local function message(scheme, inertia, more)
      return failure(string.format([[
        local sim = floc.simulation { time_step = 1e-3, scheme = %s }
        sim:add_attribute("inertia", %s)
        sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 2 }
        %s
        sim:run { steps = 1 }]], scheme, inertia, more or ""))
    end
    local said = message("floc.inelastic { rotation = true }", "-1")
    assert.is_truthy(said:find("particle 1 has inertia -1 before step 1; it must be ", 1, true), said)
    said = message("floc.ballistic { rotation = true }", "0.5")
    assert.is_truthy(said:find("which ballistic does not know; set it to 0, for uniform discs", 1, true), said)
    said = message("floc.inelastic { rotation = true }", "0.5",
      "sim:add_flow { relaxation_time = 1, flow = 'uniform', velocity = { 0, 0 } }")
    assert.is_truthy(said:find("which a flow does not know", 1, true), said)
  end)
end)

describe("the torque", function()
  it("of a tangential law is what turns, in both schemes", function()
    for _, scheme in ipairs { "floc.inelastic { rotation = true }",
      "floc.discrete_element { rotation = true, contact = 'none', integrator = 'velocity_verlet' }" } do
      local found = run(string.format([[
        local sim = floc.simulation { time_step = 1e-4, scheme = %s }
        for k = 0, 1 do sim:add_particle { position = { 0.5 * k, 0 }, radius = 0.1, mass = 2 } end
        sim:add_force { range = 1, returns = { "tangential_x", "tangential_y" }, law = function(distance) return 0, 3 end }
        sim:run { steps = 1 }
        local before = sim.wz[1]
        sim:run { steps = 1 }
        return { sim.tz[1], before, sim.wz[1], table.concat(sim:columns(), " ") } ]], scheme))
      local torque, before, after, listed = found[1], found[2], found[3], found[4]
      assert.is_true(torque ~= 0)
      assert.near(torque / (0.5 * 2 * 0.1 ^ 2), (after - before) / 1e-4, 1e-6 * math.abs(torque) / 0.01)
      assert.is_nil(listed:find " tz")
    end
  end)

  it("is 0 where none acts, missing where nothing rotates, and a script's attribute of its name stays the script's", function()
    assert.are.equal(0, (run [[local sim = floc.simulation { scheme = floc.inelastic { rotation = true }, time_step = 1e-3 }
      sim:add_particle { position = { 0, 0 }, radius = 1, mass = 1 }
      sim:run { steps = 1 } return sim.tz[1] ]]))
    assert.is_truthy(failure "local sim = floc.simulation { time_step = 1 } return sim.tz":find("there is no sim.tz", 1, true))
    for _, late in ipairs { "", "floc.inelastic { rotation = true }" } do
      assert.are.equal(7, (run(string.format([[
        local sim = floc.simulation { scheme = %s, time_step = 1e-3 }
        sim:add_attribute("tz", 7)
        sim:add_particle { position = { 0, 0 }, radius = 1, mass = 1 }
        sim:run { steps = 2 }
        return sim.tz[1] ]], late == "" and "floc.discrete_element { rotation = true }" or late))))
    end
  end)
end)
