-- Laws of pairs must not depend on which particle is called i, and their torques must balance the moment of their force. Wrong
-- laws are found when they are added, by the output that differs; right ones, the library's among them, are not accused.

local support = require "support"

local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
local laws = here .. "examples/laws/?.lua;"
local head = ('package.path = %q .. package.path local floc = require "floc"\n'):format(laws)

local function world(dimension)
  return head .. string.format([[
    local sim = floc.simulation { dimension = %d, time_step = 1e-4, scheme = floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" } }
    for _, name in ipairs { "charge", "heat", "dipole" } do sim:add_attribute(name, 1) end
    sim:add_particle { position = %s, radius = 0.1, mass = 1 }
    sim:add_particle { position = %s, radius = 0.15, mass = 2 }
    sim.charge[2] = 3 ]], dimension, dimension == 2 and "{ 0, 0 }" or "{ 0, 0, 0 }", dimension == 2 and "{ 0.3, 0 }" or "{ 0.3, 0, 0 }")
end

-- The refusal of a law that says symmetric = true and balanced = true, or nil.
local function refusal(dimension, law)
  local ok, message = support.try(world(dimension) .. "local law = " .. law .. " law.symmetric, law.balanced = true, true sim:add_force(law)")
  return not ok and tostring(message) or nil
end

describe("the audit of a law", function()
  it("accuses none that is right", function()
    for _, case in ipairs {
      { 2, "{ range = 1, law = function(distance, charge_i, charge_j) return charge_i * charge_j / distance ^ 2 end }" },
      { 3, "{ range = 1, potential = function(distance, mass_i, mass_j) return -mass_i * mass_j / distance end }" },
      { 3, "{ range = 1, law = function(overlap, radius_i, radius_j, normal_velocity) return 1e3 * math.sqrt(radius_i * radius_j / (radius_i + radius_j)) * math.max(0, overlap) ^ 1.5 - normal_velocity end }" },
      { 2, "{ range = 0, returns = { 'normal', 'tangential' }, law = function(overlap, tangential_velocity) return 100 * overlap, -3 * tangential_velocity end }" },
      { 3, "{ range = 0, returns = { 'normal', 'tangential_x', 'tangential_y', 'tangential_z' }, law = function(overlap, slip_x, slip_y, slip_z) return 100 * overlap, -slip_x, -slip_y, -slip_z end }" },
      { 3, "{ range = 0, returns = { 'torque_x', 'torque_y', 'torque_z' }, law = function(wx_i, wy_i, wz_i, wx_j, wy_j, wz_j) return wx_j - wx_i, wy_j - wy_i, wz_j - wz_i end }" },
      { 2, "{ range = 1, returns = { 'rate_heat', 'sum_charge' }, law = function(heat_i, heat_j, distance) return heat_j - heat_i, distance end }" },
      { 2, "{ range = 1, returns = { 'sum_i_heat', 'sum_j_heat' }, law = function(mass_i, mass_j) return mass_j, mass_i end }" },
      { 2, "{ range = 1, law = function(distance, id_i, id_j) return id_j == id_i + 1 and distance or 0 end }" },
      { 2, "{ range = 1, law = function(distance, id_i, id_j) return math.abs(id_i - id_j) == 1 and distance or 0 end }" },
      { 3, "{ range = 1, law = function(distance, normal_random, time_step) return 1 / distance + normal_random / math.sqrt(time_step) end }" },
      { 3, "{ range = 0.1, memory = { 'stretch' }, returns = { 'normal', 'stretch' }, law = function(overlap, stretch, normal_velocity, time_step) return overlap + stretch, stretch + time_step * normal_velocity end }" },
      { 3, "{ range = 1, returns = { 'force_x', 'force_y', 'force_z' }, law = function(x_i, x_j, y_i, y_j, z_i, z_j) return x_j - x_i, y_j - y_i, z_j - z_i end }" },
      { 2, "require('dipoles').pairs { cutoff = 2 }" },
      { 3, "require('dipoles').pairs { cutoff = 2, dimension = 3 }" },
      { 2, "require('patchy').pairs { stiffness = 100, energy = 1, width = 0.2, opening = 2 }" },
      { 3, "require('patchy').pairs { stiffness = 100, energy = 1, width = 0.2, opening = 2, dimension = 3 }" },
      { 2, "require('rolling').pairs { stiffness = 1e4, friction = 0.5, restitution = 0.8, rolling = 0.1 }" },
      { 3, "require('rolling').pairs { stiffness = 1e4, friction = 0.5, type = 'A', rolling = 0.1, twisting = 0.1, dimension = 3 }" },
      { 3, "require('hertz_mindlin').pairs { young_modulus = 1e7, friction = 0.3 }" },
      { 3, "require('heat').pairs { conductivity = 1, capacity = 1 }" },
    } do
      local message = refusal(case[1], case[2])
      assert.is_nil(message, case[2] .. ": " .. tostring(message))
    end
  end)

  it("names the output that differs if i and j are exchanged", function()
    for _, case in ipairs {
      { 2, "{ range = 1, law = function(distance, charge_i) return charge_i / distance end }", "with i and j exchanged normal is" },
      { 2, "{ range = 1, law = function(overlap, radius_i, radius_j) return (radius_i + 2 * radius_j) * overlap end }", "normal is" },
      { 2, "{ range = 1, potential = function(distance, mass_i) return mass_i / distance end }", "energy is" },
      { 2, "{ range = 1, returns = { 'normal', 'energy' }, law = function(distance, mass_j) return distance, mass_j end }", "energy is" },
      { 2, "{ range = 1, returns = { 'force_x', 'force_y' }, law = function(distance) return 1, distance end }", "force_x is 1; it should be -1" },
      { 2, "{ range = 1, returns = { 'rate_heat' }, law = function(heat_i, heat_j) return math.abs(heat_i - heat_j) end }", "rate_heat is" },
      { 2, "{ range = 1, returns = { 'sum_heat' }, law = function(charge_i) return charge_i end }", "sum_heat is" },
      { 2, "{ range = 1, returns = { 'sum_i_heat' }, law = function(charge_j) return charge_j end }", "sum_j_heat is 0" },
      { 2, "{ range = 1, returns = { 'torque_z' }, law = function(wz_i) return wz_i end }", "torque_z is" },
      { 2, "{ range = 1, returns = { 'torque_i_z', 'torque_j_z' }, law = function(wz_i, wz_j) return -wz_i, -2 * wz_j end }", "torque_j_z is" },
      { 3, "{ range = 1, returns = { 'tangential_x', 'tangential_y', 'tangential_z' }, law = function(slip_x) return slip_x * slip_x, 0, 0 end }", "tangential_x is" },
      { 3, "{ range = 1, law = function(axis_i_x, distance) return axis_i_x * distance end }", "normal is" },
    } do
      local message = refusal(case[1], case[2])
      assert.is_truthy(message, case[2])
      assert.is_truthy(message:find(case[3], 1, true), case[2] .. ": " .. message)
      assert.is_truthy(message:find("symmetric = true", 1, true), message)
      -- and is accepted where it is meant
      support.run(world(case[1]) .. "local law = " .. case[2] .. " law.symmetric, law.balanced = false, false sim:add_force(law)")
    end
  end)

  it("names the component of angular momentum that is not kept, and its residual", function()
    -- dipoles whose torque on j is forgotten in part, a force across the line without its torque, torques without a force
    for _, case in ipairs {
      { 3, [[(function()
          local law = require("dipoles").pairs { cutoff = 2, dimension = 3 }
          local right = law.law
          law.law = function(distance, normal_x, normal_y, normal_z, dipole_i, axis_i_x, axis_i_y, axis_i_z, dipole_j, axis_j_x, axis_j_y, axis_j_z)
            local fx, fy, fz, ax, ay, az, bx, by, bz, energy = right(distance, normal_x, normal_y, normal_z, dipole_i, axis_i_x, axis_i_y, axis_i_z, dipole_j, axis_j_x, axis_j_y, axis_j_z)
            return fx, fy, fz, ax, ay, 1.01 * az, bx, by, 1.01 * bz, energy
          end
          return law
        end)()]], "torque_i_z + torque_j_z - (d x force)_z = " },
      { 2, "{ range = 1, returns = { 'force_x', 'force_y' }, law = function(vx_i, vy_i, vx_j, vy_j) return vx_j - vx_i, vy_j - vy_i end }", "angular momentum is not kept" },
      { 2, "{ range = 1, returns = { 'torque_i_z', 'torque_j_z' }, law = function(wz_i, wz_j) return -wz_i, -wz_j end }", "balanced = true" },
    } do
      local message = refusal(case[1], case[2])
      assert.is_truthy(message, case[2])
      assert.is_truthy(message:find(case[3], 1, true), message)
    end
    -- the same force with its torques is right
    assert.is_nil(refusal(2, "{ range = 1, returns = { 'force_x', 'force_y', 'torque_i_z', 'torque_j_z' }, "
      .. "law = function(vx_i, vy_i, vx_j, vy_j, distance, normal_x, normal_y) local fx, fy = vx_j - vx_i, vy_j - vy_i "
      .. "local half = distance * (normal_x * fy - normal_y * fx) / 2 return fx, fy, half, half end }"))
  end)

  it("warns where nothing is said, and runs", function()
    local told = {}
    local warnings = require "floc.session.warnings"
    local tell = warnings.tell
    warnings.tell = function(_, _, text) told[#told + 1] = text end
    local ok, message = support.try(world(2) .. [[
      sim:add_force { name = "pulls", range = 1, law = function(distance, charge_i) return charge_i / distance end }
      sim:add_force { name = "drags", range = 1, returns = { "force_x", "force_y" }, law = function(vx_i, vy_i, vx_j, vy_j) return vx_j - vx_i, vy_j - vy_i end }
      sim:add_force { name = "fine", range = 1, law = function(distance, charge_i, charge_j) return charge_i * charge_j / distance end }
      sim:run { steps = 2 } ]])
    warnings.tell = tell
    assert.is_true(ok, tostring(message))
    assert.are.equal(2, #told)
    assert.is_truthy(told[1]:find("pulls", 1, true) and told[1]:find("with i and j exchanged normal is", 1, true), told[1])
    assert.is_truthy(told[2]:find("drags", 1, true) and told[2]:find("angular momentum is not kept", 1, true), told[2])
  end)
end)
