-- Energies of directions and axes: their forces and torques against differences of the energy and closed forms, the balance of
-- momentum and angular momentum, Gay and Berne's potential, and what is refused because the force would lack a part.

local support = require "support"

local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
local laws = here .. "examples/laws/?.lua;"
local function run(script) return support.run(('package.path = %q .. package.path local floc = require "floc"\n'):format(laws) .. script) end
local function failure(script) return support.failure('local floc = require "floc"\n' .. script) end

-- In the plane and in space: particles, and a law of each that depends on all that it may. turn(id, axis, angle) turns a particle.
local world = [[
  local flat
  local function make(dimension, h)
    flat = dimension == 2
    local sim = floc.simulation { dimension = dimension, time_step = h or 1e-12,
      scheme = floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" } }
    sim:add_attribute("strength", 1)
    if dimension == 3 then sim:add_attribute "qw" else sim:add_attribute "angle" end
    return sim
  end
  local function turn(sim, id, axis, angle)
    if flat then sim.angle[id] = sim.angle[id] + angle return end
    local c, s = math.cos(angle / 2), math.sin(angle / 2)
    local a, q = { c, axis == 1 and s or 0, axis == 2 and s or 0, axis == 3 and s or 0 }, { sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id] }
    sim.qw[id], sim.qx[id] = a[1] * q[1] - a[2] * q[2] - a[3] * q[3] - a[4] * q[4], a[1] * q[2] + a[2] * q[1] + a[3] * q[4] - a[4] * q[3]
    sim.qy[id], sim.qz[id] = a[1] * q[3] + a[3] * q[1] + a[4] * q[2] - a[2] * q[4], a[1] * q[4] + a[4] * q[1] + a[2] * q[3] - a[3] * q[2]
  end
  -- The greatest difference of forces and torques from those of the energy, over their size; how large they are.
  local function differences(sim, law, dimension, count)
    sim:run { steps = 1 }
    local forces, torques = {}, {}
    for id = 1, count do
      forces[id] = { sim.fx[id], sim.fy[id], dimension == 3 and sim.fz[id] or 0 }
      torques[id] = { dimension == 3 and sim.tx[id] or 0, dimension == 3 and sim.ty[id] or 0, sim.tz[id] }
    end
    local worst, size, h = 0, 0, 1e-5
    local function compare(found, change)
      change(h)
      local above = law.energy
      change(-2 * h)
      local slope = (above - law.energy) / (2 * h)
      change(h)
      worst, size = math.max(worst, math.abs(found + slope)), math.max(size, math.abs(found))
    end
    for id = 1, count do
      for k, axis in ipairs { "x", "y", "z" } do
        if k <= dimension then compare(forces[id][k], function(d) sim[axis][id] = sim[axis][id] + d end) end
        if k >= (dimension == 2 and 3 or 1) then compare(torques[id][k], function(d) turn(sim, id, k, d) end) end
      end
    end
    return worst / size, size
  end
  local function scatter(sim, dimension, count, spacing)
    local function somewhere(id, k) return 0.1 * (1 + math.sin(17 * id + 5 * k)) end
    for id = 1, count do
      local at = { spacing * (id % 2) + somewhere(id, 1), spacing * (math.floor(id / 2) % 2) + somewhere(id, 2) }
      at[3] = dimension == 3 and spacing * math.floor(id / 4) + somewhere(id, 3) or nil
      sim:add_particle { position = at, radius = 0.1 + 0.02 * id, mass = id }
    end
    for id = 1, count do
      sim.strength[id] = 0.5 + 0.1 * id
      for k = dimension == 2 and 3 or 1, 3 do turn(sim, id, k, 30 * somewhere(id, 3 + k)) end
    end
  end
  -- Momentum and angular momentum over the size of their terms.
  local function momenta(sim, dimension, count)
    local sum, scale, turning = { 0, 0, 0, 0, 0, 0 }, 0, 0
    for id = 1, count do
      local m = sim.mass[id]
      local I = (dimension == 2 and 0.5 or 0.4) * m * sim.radius[id] ^ 2
      local x, v = { sim.x[id], sim.y[id], dimension == 3 and sim.z[id] or 0 }, { sim.vx[id], sim.vy[id], dimension == 3 and sim.vz[id] or 0 }
      local w = { dimension == 3 and sim.wx[id] or 0, dimension == 3 and sim.wy[id] or 0, sim.wz[id] }
      for k = 1, 3 do
        local a, b = k % 3 + 1, (k + 1) % 3 + 1
        sum[k], sum[3 + k] = sum[k] + m * v[k], sum[3 + k] + m * (x[a] * v[b] - x[b] * v[a]) + I * w[k]
        scale, turning = scale + I * math.abs(w[k]) + m * math.abs(x[a] * v[b]), turning + I * math.abs(w[k])
      end
    end
    local worst = 0
    for k = 1, 6 do worst = math.max(worst, math.abs(sum[k])) end
    return worst / scale, turning
  end
]]

-- Laws of pairs by name, in the plane and in space. "everything" depends on all three axes, radii, an attribute and the overlap, and
-- has an if, an absolute value, a minimum and functions.
local potentials = [[
  local potentials = { {}, { }, { } }
  potentials[2].everything = function(distance, overlap, normal_x, normal_y, axis_i_x, axis_i_y, axis_j_x, axis_j_y, axis2_i_x, axis2_i_y, axis2_j_x, axis2_j_y,
      strength_i, strength_j, radius_i, radius_j)
    local an, bn = axis_i_x * normal_x + axis_i_y * normal_y, axis_j_x * normal_x + axis_j_y * normal_y
    local cross = axis2_i_x * axis_j_x + axis2_i_y * axis_j_y + axis_i_x * axis2_j_x + axis_i_y * axis2_j_y
    local far = strength_i * strength_j * math.exp(-distance) * (1 + math.abs(an) * math.abs(bn) + math.sin(cross))
    if an > bn then return far + 0.3 * an ^ 2 * bn ^ 2 / distance + 0.01 * overlap ^ 2 / (radius_i + radius_j) end
    return far + 0.3 * an ^ 2 * bn ^ 2 / distance + 0.01 * math.min(overlap ^ 2, 400) / (radius_i + radius_j)
  end
  potentials[3].everything = function(distance, overlap, normal_x, normal_y, normal_z, axis_i_x, axis_i_y, axis_i_z, axis_j_x, axis_j_y, axis_j_z,
      axis2_i_x, axis2_i_y, axis2_i_z, axis2_j_x, axis2_j_y, axis2_j_z, axis3_i_z, axis3_j_z, axis3_i_x, axis3_j_x, axis3_i_y, axis3_j_y,
      strength_i, strength_j, radius_i, radius_j)
    local an = axis_i_x * normal_x + axis_i_y * normal_y + axis_i_z * normal_z
    local bn = axis_j_x * normal_x + axis_j_y * normal_y + axis_j_z * normal_z
    local second = axis2_i_x * axis2_j_x + axis2_i_y * axis2_j_y + axis2_i_z * axis2_j_z
    local third = axis3_i_x * axis3_j_x + axis3_i_y * axis3_j_y + axis3_i_z * axis3_j_z
    local far = strength_i * strength_j * math.exp(-distance) * (1 + math.abs(an) * math.abs(bn) + math.sin(second) + third ^ 3)
    if an > bn then return far + 0.3 * an ^ 2 * bn ^ 2 / distance + 0.01 * overlap ^ 2 / (radius_i + radius_j) end
    return far + 0.3 * an ^ 2 * bn ^ 2 / distance + 0.01 * math.min(overlap ^ 2, 400) / (radius_i + radius_j)
  end
  potentials[2].direction = function(distance, normal_x) return normal_x ^ 2 / distance end
  potentials[3].direction = function(distance, normal_z) return normal_z ^ 2 / distance end
  potentials[2].axes = function(axis_i_x, axis_i_y, axis_j_x, axis_j_y) return (axis_i_x * axis_j_x + axis_i_y * axis_j_y) ^ 2 end
  potentials[3].axes = function(axis_i_x, axis_i_y, axis_i_z, axis_j_x, axis_j_y, axis_j_z)
    return (axis_i_x * axis_j_x + axis_i_y * axis_j_y + axis_i_z * axis_j_z) ^ 2
  end
  potentials[2].gay_berne = require("gay_berne").pairs { dimension = 2, cutoff = 9, sigma = 0.7 }.potential
  potentials[3].gay_berne = require("gay_berne").pairs { dimension = 3, cutoff = 9, sigma = 0.7 }.potential
  potentials[2].plates = require("gay_berne").pairs { dimension = 2, cutoff = 9, sigma = 0.7, length = 0.5, depth = 0.3, mu = 1, nu = 2 }.potential
  potentials[3].plates = require("gay_berne").pairs { dimension = 3, cutoff = 9, sigma = 0.7, length = 0.5, depth = 0.3, mu = 1.3, nu = 2 }.potential
]]

describe("a potential of directions and axes", function()
  for _, dimension in ipairs { 2, 3 } do
    for _, name in ipairs { "everything", "direction", "axes", "gay_berne", "plates" } do
      it(name .. " exerts minus its gradient and turns by minus a x dU/da, in " .. dimension .. " dimensions", function()
        local found = run(world .. potentials .. string.format([[
          local dimension, name = %d, %q
          local sim = make(dimension)
          local law = sim:add_force { range = 20, way = "traced", balanced = name == "direction" and false or nil, potential = potentials[dimension][name] }
          scatter(sim, dimension, dimension == 2 and 4 or 7, name == "gay_berne" and 2.2 or 1.2)
          return { differences(sim, law, dimension, dimension == 2 and 4 or 7) } ]], dimension, name))
        assert.is_true(found[1] < 1e-6, "differs by " .. found[1])
        assert.is_true(found[2] > 1e-3, "nothing acts: " .. found[2])
      end)
    end

    it("keeps momentum and angular momentum to rounding, and energy, in " .. dimension .. " dimensions", function()
      for _, name in ipairs { "everything", "gay_berne" } do
        local found = run(world .. potentials .. string.format([[
          local dimension, name = %d, %q
          local count = dimension == 2 and 4 or 7
          local sim = make(dimension, 2e-4)
          local law = sim:add_force { range = 20, potential = potentials[dimension][name] }
          scatter(sim, dimension, count, name == "gay_berne" and 2.2 or 1.2)
          local before = sim:measure "total_energy"
          sim:run { steps = 2000 }
          local worst, turning = momenta(sim, dimension, count)
          return { worst, turning, (sim:measure "total_energy" - before) / sim:measure "kinetic_energy" } ]], dimension, name))
        assert.is_true(found[1] < 1e-12, "momenta off by " .. found[1])
        assert.is_true(found[2] > 1e-4, "nothing turns: " .. found[2])
        assert.near(0, found[3], 1e-3)
      end
    end)

    it("of a particle has force and torque, in " .. dimension .. " dimensions", function()
      local found = run(world .. string.format([[
        local dimension = %d
        local sim = make(dimension)
        local law = sim:add_field { way = "traced", potential = dimension == 2
          and function(x, y, axis_x, axis_y, axis2_x, strength) return strength * (x ^ 2 * axis_x + math.sin(y) * axis_y) + axis2_x ^ 3 end
          or function(x, y, z, axis_x, axis_z, axis2_y, axis3_x, strength) return strength * (x * axis_x + y ^ 2 * axis_z + z * axis2_y ^ 2) + axis3_x ^ 3 end }
        scatter(sim, dimension, 3, 1)
        return { differences(sim, law, dimension, 3) } ]], dimension))
      assert.is_true(found[1] < 1e-6, "differs by " .. found[1])
      assert.is_true(found[2] > 0.1)
    end)

    it("of dipoles is what the law of dipoles gives, between bonds as well, in " .. dimension .. " dimensions", function()
      local found = run(world .. string.format([[
        local dimension = %d
        local function energy(r, an, bn, ab) return 0.7 * (ab - 3 * an * bn) / r ^ 3 end
        local potential = dimension == 2 and function(distance, normal_x, normal_y, axis_i_x, axis_i_y, axis_j_x, axis_j_y)
            return energy(distance, axis_i_x * normal_x + axis_i_y * normal_y, axis_j_x * normal_x + axis_j_y * normal_y, axis_i_x * axis_j_x + axis_i_y * axis_j_y)
          end or function(distance, normal_x, normal_y, normal_z, axis_i_x, axis_i_y, axis_i_z, axis_j_x, axis_j_y, axis_j_z)
            return energy(distance, axis_i_x * normal_x + axis_i_y * normal_y + axis_i_z * normal_z, axis_j_x * normal_x + axis_j_y * normal_y + axis_j_z * normal_z,
              axis_i_x * axis_j_x + axis_i_y * axis_j_y + axis_i_z * axis_j_z)
          end
        local states = {}
        for k, kind in ipairs { "law", "potential", "bonds" } do
          local sim = make(dimension)
          local law
          if kind == "law" then
            law = require("dipoles").pairs { coupling = 0.7, cutoff = 20, dimension = dimension }
            sim:add_attribute("dipole", 1)
            law = sim:add_force(law)
          elseif kind == "potential" then
            law = sim:add_force { range = 19, potential = potential }
          else
            law = sim:add_force { pairs = "bonds", potential = potential }
          end
          scatter(sim, dimension, 4, 1.2)
          if kind == "bonds" then sim:add_law_bonds { law = law, particles = { { 1, 2 }, { 3, 1 }, { 4, 1 }, { 2, 3 }, { 2, 4 }, { 4, 3 } } } end
          sim:run { steps = 1 }
          states[k] = { law.energy }
          for id = 1, 4 do
            for _, column in ipairs(dimension == 2 and { "fx", "fy", "tz" } or { "fx", "fy", "fz", "tx", "ty", "tz" }) do table.insert(states[k], sim[column][id]) end
          end
        end
        local worst, size = 0, 0
        for k = 1, #states[1] do
          worst = math.max(worst, math.abs(states[1][k] - states[2][k]), math.abs(states[1][k] - states[3][k]))
          size = math.max(size, math.abs(states[1][k]))
        end
        return { worst / size, size } ]], dimension))
      assert.is_true(found[1] < 1e-14, "differs by " .. found[1])
      assert.is_true(found[2] > 0.1)
    end)
  end

  it("is explained, read back and shown among contacts", function()
    local found = run(world .. potentials .. [[
      local sim = make(3)
      local law = sim:add_force { range = 20, name = "rods", potential = potentials[3].gay_berne }
      sim:add_particle { position = { 0, 0, 0 }, radius = 0.8, mass = 1 }
      sim:add_particle { position = { 0.5, 1.4, 0 }, radius = 0.8, mass = 1, allow_overlap = true }
      sim:run { steps = 1 }
      local pairs_of, text = sim:law_pairs(law), sim:explain(law)
      local contacts = sim:contacts()
      return { pairs_of.count, pairs_of.force_x[1] - sim.fx[1], pairs_of.torque_j_z[1] - sim.tz[2], text, pairs_of.energy[1] - law.energy, #contacts } ]])
    assert.are.equal(1, found[1])
    assert.are.equal(0, found[2])
    assert.are.equal(0, found[3])
    assert.is_truthy(found[4]:find("torque_j_z = v", 1, true), found[4])
    assert.are.equal(0, found[5])
    assert.are.equal(1, found[6])
  end)

  it("is refused where the force would lack a part", function()
    for _, case in ipairs {
      { "sim:add_force { range = 1, potential = function(distance, x_i) return x_i end }", "the potential takes x_i, and its derivative would not be the whole force; a potential of pairs may depend on distance, overlap, normal_x, axis_i_x" },
      { "sim:add_force { range = 1, potential = function(distance, normal_velocity) return normal_velocity end }", "the potential takes normal_velocity" },
      { "sim:add_force { range = 1, potential = function(distance, wz_i) return wz_i end }", "the potential takes wz_i" },
      { "sim:add_force { range = 1, potential = function(distance, angle_i, angle_j) return angle_i * angle_j end }", "the potential takes angle_i" },
      { "sim:add_force { range = 1, potential = function(distance, slip_x) return slip_x end }", "the potential takes slip_x" },
      { "sim:add_field { potential = function(x, vx) return x * vx end }", "the potential takes vx, and its derivative would not be the whole force; a potential of particles may depend on x, y, z, axis_x" },
      { "sim:add_field { potential = function(angle) return angle end }", "the potential takes angle" },
      { "sim:add_force { range = 1, balanced = true, potential = function(distance, axis_i_x, axis_j_x) return axis_i_x * axis_j_x end }",
        "its energy changes if both particles are turned together" },
      { "sim:add_force { range = 1, symmetric = true, potential = function(distance, normal_x, axis_i_x, normal_y, axis_i_y) return axis_i_x * normal_x + axis_i_y * normal_y end }",
        "with i and j exchanged energy is" },
      { "sim:add_force { range = 1, potential = function(distance, axis_i_w) return axis_i_w end }", "there is no input axis_i_w" },
    } do
      local message = failure([[
        local sim = floc.simulation { time_step = 0.1, scheme = floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" } }
        sim:add_attribute "angle"
        sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 1 }
        ]] .. case[1])
      assert.is_truthy(message:find(case[2], 1, true), message)
    end
    local message = failure [[
      local sim = floc.simulation { time_step = 0.1, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_force { range = 1, name = "rods", potential = function(distance, axis_i_x, axis_j_x, axis_i_y, axis_j_y)
        return (axis_i_x * axis_j_x + axis_i_y * axis_j_y) / distance end }
      sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 1 }
      sim:run { steps = 1 } ]]
    assert.is_truthy(message:find("rods", 1, true) and message:find("rotat", 1, true), message)
  end)

  it("stops the run where it fails", function()
    local message = support.failure(('package.path = %q .. package.path local floc = require "floc"\n'):format(laws) .. [[
      local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" } }
      sim:add_force(require("gay_berne").pairs {})
      sim:add_particle { position = { 0, 0, 0 }, radius = 0.1, mass = 1 }
      sim:add_particle { position = { 1.5, 0, 0 }, radius = 0.1, mass = 1 } -- in a row, within each other
      sim:run { steps = 1 } ]])
    assert.is_truthy(message:find("two rods overlap by more than their width", 1, true), message)
  end)
end)

-- Gay and Berne 1981: GB(3, 5, 2, 1). The pair touches (U = 0) at sigma_0 side by side, 3 sigma_0 in a row; depths and distances
-- of the four arrangements follow from their equations with chi = 0.8, chi' = (sqrt 5 - 1)/(sqrt 5 + 1).
describe("gay_berne", function()
  package.path = laws .. package.path
  local u = require("gay_berne").pairs { cutoff = 1e4 }.potential
  local x, y, z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }
  local function at(r, a, b) return u(r, 1, 0, 0, a[1], a[2], a[3], b[1], b[2], b[3]) end
  local prime = (math.sqrt(5) - 1) / (math.sqrt(5) + 1)
  for _, case in ipairs {
    { "side by side", y, y, 1, 5 / 3 }, { "in a row", x, x, 3, 1 / 3 }, { "T", x, y, math.sqrt(5), (1 - prime) ^ 2 }, { "X", y, z, 1, 1 },
  } do
    it(case[1] .. " touches and holds as it says", function()
      local contact, depth = case[4], case[5]
      assert.near(0, at(contact, case[2], case[3]), 1e-9)
      local bottom = contact - 1 + 2 ^ (1 / 6)
      assert.near(-depth, at(bottom, case[2], case[3]), 1e-9)
      assert.is_true(at(bottom + 1e-3, case[2], case[3]) > -depth and at(bottom - 1e-3, case[2], case[3]) > -depth)
    end)
  end

  it("is Lennard-Jones for balls, and 0 at the cutoff in all directions", function()
    local ball = require("gay_berne").pairs { length = 1, depth = 1, cutoff = 2.5 }.potential
    local lj = require("lennard_jones").pairs { cutoff = 2.5 }.potential
    for _, r in ipairs { 0.9, 1, 1.3, 2.4 } do assert.near(lj(r), ball(r, 0, 0, 1, 0.6, 0.8, 0, 0, 0, 1), 1e-12) end
    local rods = require("gay_berne").pairs { cutoff = 4 }.potential
    for _, one in ipairs { { x, x }, { x, y }, { y, y }, { y, z } } do
      local a, b = one[1], one[2]
      assert.near(0, rods(4 - 1e-12, 1, 0, 0, a[1], a[2], a[3], b[1], b[2], b[3]), 1e-10)
    end
    local ok, message = pcall(require("gay_berne").pairs, { cutoff = 2 })
    assert.is_false(ok)
    assert.is_truthy(message:find("cutoff is 2; it must be at least length", 1, true), message)
  end)
end)
