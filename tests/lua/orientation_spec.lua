-- Orientation of particles: turned by angular velocities in every scheme that has them, given to laws as axes. Against closed
-- forms, conservation laws, and rotation of what is known in the plane; what does not turn is refused by name.

local once = require "once"
local support = require "support"

local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
local laws = here .. "examples/laws/?.lua;"

local function run(script) return support.run(('package.path = %q .. package.path local floc = require "floc"\n'):format(laws) .. script) end

local schemes = {
  { "velocity Verlet", 'floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" }', 0 },
  { "the trapezoidal rule", 'floc.discrete_element { contact = "none", rotation = true, integrator = "trapezoidal", tolerance = 1e-12, iterations = 30 }', 0 },
  { "the projection", "floc.inelastic { rotation = true }", 0.5 },
  { "the projection with friction", "floc.inelastic { friction = 0.3 }", 0.5 },
}

-- A quaternion that turns x to any direction, and products of such, for scripts.
local quaternions = [[
  local function about(x, y, z, angle)
    local length, s = math.sqrt(x * x + y * y + z * z), math.sin(angle / 2)
    return { math.cos(angle / 2), s * x / length, s * y / length, s * z / length }
  end
  local function compose(a, b)
    return { a[1] * b[1] - a[2] * b[2] - a[3] * b[3] - a[4] * b[4], a[1] * b[2] + a[2] * b[1] + a[3] * b[4] - a[4] * b[3],
      a[1] * b[3] + a[3] * b[1] + a[4] * b[2] - a[2] * b[4], a[1] * b[4] + a[4] * b[1] + a[2] * b[3] - a[3] * b[2] }
  end
  local function rotate(q, v)
    local p = compose(compose(q, { 0, v[1], v[2], v[3] }), { q[1], -q[2], -q[3], -q[4] })
    return { p[2], p[3], p[4] }
  end
  local function put(sim, id, q) sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id] = q[1], q[2], q[3], q[4] end
  local function get(sim, id) return { sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id] } end
]]

describe("a dipole in a uniform field", function()
  -- I a'' = -mu B a: a = a0 cos(omega t), omega = sqrt(mu B/I). The projection is leapfrog with velocities half a step early: it begins with
  -- that of t = -h/2. Leapfrog runs ahead by (omega h)^2/24 of the phase, the trapezoidal rule lags by (omega h)^2/12.
  for _, scheme in ipairs(schemes) do
    for _, dimension in ipairs { 2, 3 } do
      it("oscillates with its period, " .. scheme[1] .. " in " .. dimension .. " dimensions", function()
        local found = run(quaternions .. string.format([[
          local dimension, early = %d, %g
          local mass, radius, moment, field, a0 = 3, 0.2, 0.7, 1.9, 1e-3
          local inertia = (dimension == 2 and 0.5 or 0.4) * mass * radius ^ 2
          local omega = math.sqrt(moment * field / inertia)
          local h = 2 * math.pi / omega / 400
          local sim = floc.simulation { dimension = dimension, time_step = h, scheme = %s }
          sim:add_attribute("dipole", moment)
          -- the field along x; in space dipoles tilt from it about an axis across
          local law = require("dipoles").field { x = field, dimension = dimension }
          law.way = "traced"
          law = sim:add_field(law)
          sim:add_particle { position = dimension == 2 and { 0, 0 } or { 0, 0, 0 }, radius = radius, mass = mass }
          local kick = early * h * omega ^ 2 * a0
          if dimension == 2 then
            sim.angle[1], sim.wz[1] = a0, kick
          else
            put(sim, 1, about(0, 3, 4, a0))
            sim.wy[1], sim.wz[1] = 0.6 * kick, 0.8 * kick
          end
          local worst = 0
          sim:every(1, function()
            local angle = dimension == 2 and sim.angle[1] or 2 * math.asin(0.6 * sim.qy[1] + 0.8 * sim.qz[1])
            local stray = dimension == 2 and 0 or math.abs(sim.qx[1]) + math.abs(0.8 * sim.qy[1] - 0.6 * sim.qz[1])
            worst = math.max(worst, math.abs(angle - a0 * math.cos(omega * sim.time)) / a0, stray)
          end)
          sim:run { steps = 1000 }
          return { worst, omega * h, law.energy + moment * field } ]], dimension, scheme[3], scheme[2]))
        local phase = 2.5 * 2 * math.pi
        assert.is_true(found[1] < 1.05 * phase * found[2] ^ 2 / (scheme[1]:find "trapezoidal" and 12 or 24) + 1e-6, "differs by " .. found[1])
        assert.is_true(found[1] > 1e-4, "there is the error of the time step")
      end)
    end
  end

  it("keeps its energy when it turns over, in space", function()
    local found = run(quaternions .. [[
      local function drift(h)
        local sim = floc.simulation { dimension = 3, time_step = h, scheme = floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" } }
        sim:add_attribute("dipole", 1)
        local law = sim:add_field(require("dipoles").field { x = 0.3, y = -1, z = 0.4, dimension = 3 })
        sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 10 }
        put(sim, 1, about(1, 2, 3, 1.3))
        sim.wx[1], sim.wy[1], sim.wz[1] = 1, 2, -1.5
        local first, worst, length = nil, 0, 0
        sim:every(1, function()
          local energy = sim:measure "total_energy"
          first = first or energy
          worst = math.max(worst, math.abs(energy - first))
          local q = get(sim, 1)
          length = math.max(length, math.abs(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2 - 1))
        end)
        sim:run { until_time = 20 }
        return worst, length
      end
      local coarse, length = drift(4e-3)
      return { coarse, drift(2e-3), length } ]])
    assert.is_true(found[1] < 1e-4, "energy off by " .. found[1])
    assert.near(4, found[1] / found[2], 0.2)
    assert.is_true(found[3] < 1e-14)
  end)
end)

describe("free rotation", function()
  for _, scheme in ipairs(schemes) do
    it("is exact about a fixed axis, " .. scheme[1], function()
      local found = run(quaternions .. string.format([[
        local sim = floc.simulation { dimension = 3, time_step = 0.01, scheme = %s }
        sim:add_attribute "qw"
        sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 1 }
        local q = compose(about(1, 0, 0, 0.7), about(0, 1, 2, 2))
        put(sim, 1, q)
        sim.wx[1], sim.wy[1], sim.wz[1] = 3, -2, 6
        sim:run { steps = 1000 }
        local expected, worst = compose(about(3, -2, 6, 70), q), 0
        for k = 1, 4 do worst = math.max(worst, math.abs(get(sim, 1)[k] - expected[k])) end
        return worst ]], scheme[2]))
      assert.is_true(found < 1e-12, "differs by " .. found)
    end)
  end

  it("turns members of a rigid assembly with it", function()
    local found = run(quaternions .. [[
      local sim = floc.simulation { dimension = 3, time_step = 0.01, scheme = floc.inelastic {} }
      sim:add_attribute "qw"
      for k = 0, 2 do sim:add_particle { position = { k, 0, 0.3 * k * k }, radius = 0.5, mass = 1 + k } end
      for id = 1, 3 do put(sim, id, about(1, id, 2, id)) end
      local one = sim:add_assembly { particles = { 1, 2, 3 }, angular_velocity = { 1, 2, -0.5 } }
      sim:run { steps = 200 }
      local worst = 0
      for id = 1, 3 do
        local expected = compose(one.orientation, about(1, id, 2, id))
        for k = 1, 4 do worst = math.max(worst, math.abs(get(sim, id)[k] - expected[k])) end
      end
      return { worst, math.abs(one.orientation[1]) } ]])
    assert.is_true(found[1] < 1e-12, "differs by " .. found[1])
    assert.is_true(found[2] < 0.95, "it has turned")
  end)
end)

describe("two dipoles in space", function()
  -- U = -(cos(p - q) + 3 cos(p + q))/(2 r^3) in a plane that has any direction in space; its slopes are forces and torques.
  for _, scheme in ipairs(once and schemes or { schemes[1] }) do
    it("turn and attract as the closed form, " .. scheme[1], function()
      for _, way in ipairs { "traced", "called" } do
        local worst = run(quaternions .. string.format([[
          local worst = 0
          for case = 1, 8 do
            local h = 1e-6
            local sim = floc.simulation { dimension = 3, time_step = h, scheme = %s }
            local law = require("dipoles").pairs { cutoff = 8, dimension = 3 }
            law.way = %q
            sim:add_attribute("dipole", 1)
            sim:add_force(law)
            local frame, r, p, q = about(case, 3 - case, 2, 0.9 * case), 2 + 0.1 * case, 0.7 * case, 1.1 * case
            sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 1 }
            sim:add_particle { position = rotate(frame, { r, 0, 0 }), radius = 0.5, mass = 1 }
            put(sim, 1, compose(frame, about(0, 0, 1, p)))
            put(sim, 2, compose(frame, compose(about(0, 0, 1, q), about(1, 0, 0, case)))) -- turned about its own dipole as well
            sim:run { steps = 1 }
            local radial = -3 * (math.cos(p - q) + 3 * math.cos(p + q)) / (2 * r ^ 4)
            local torque_1, torque_2 = -(math.sin(p - q) + 3 * math.sin(p + q)) / (2 * r ^ 3), -(-math.sin(p - q) + 3 * math.sin(p + q)) / (2 * r ^ 3)
            local force, one, two = rotate(frame, { radial, -(torque_1 + torque_2) / r, 0 }), rotate(frame, { 0, 0, torque_1 }), rotate(frame, { 0, 0, torque_2 })
            for k, axis in ipairs { "x", "y", "z" } do
              for _, error in ipairs { sim["f" .. axis][2] - force[k], sim["f" .. axis][1] + force[k], sim["t" .. axis][1] - one[k], sim["t" .. axis][2] - two[k],
                sim["w" .. axis][1] - h * one[k] / 0.1, sim["v" .. axis][2] - h * force[k] } do
                worst = math.max(worst, math.abs(error))
              end
            end
          end
          return worst ]], scheme[2], way))
        assert.is_true(worst < 1e-10, "differs by " .. worst)
      end
    end)
  end
end)

-- 27 patchy balls that meet.
local function patchy(dimension, threads, scheme, tail)
  return ('package.path = %q .. package.path local floc = require "floc"\n'):format(laws) .. string.format([[
    local dimension = %d
    local sim = floc.simulation { dimension = dimension, time_step = 5e-4, threads = %d, scheme = %s }
    local law = require("patchy").pairs { stiffness = 500, energy = 4, width = 0.15, opening = 1, dimension = dimension }
    law.way = "traced"
    law = sim:add_force(law)
    local places = floc.random "places"
    for k = 0, 26 do
      local at = { k %% 3 + places:uniform(-0.02, 0.02), math.floor(k / 3) %% 3, math.floor(k / 9) }
      if dimension == 2 then at = { k %% 6 + places:uniform(-0.02, 0.02), math.floor(k / 6) } end
      for axis = 1, dimension do at[axis] = 1.02 * at[axis] end
      sim:add_particle { position = at, radius = 0.5, mass = 1 + k %% 3, velocity = dimension == 2 and { places:uniform(-1, 1), places:uniform(-1, 1) } or { places:uniform(-1, 1), places:uniform(-1, 1), places:uniform(-1, 1) } }
    end
    for id = 1, 27 do
      if dimension == 2 then sim.angle[id] = places:uniform(-3, 3) end
      for _, name in ipairs(dimension == 3 and { "qw", "qx", "qy", "qz" } or {}) do sim[name][id] = places:normal() end
    end
    %s ]], dimension, threads, scheme, tail)
end

describe("patchy particles", function()
  for _, dimension in ipairs { 2, 3 } do
    it("keep energy, momentum and angular momentum, in " .. dimension .. " dimensions", function()
      local found = support.run(patchy(dimension, 1, schemes[1][2], [[
        local function all()
          local sum, scale, turning = { 0, 0, 0, 0, 0, 0 }, 0, 0
          for id = 1, 27 do
            local m = sim.mass[id]
            local I = (dimension == 2 and 0.5 or 0.4) * m * sim.radius[id] ^ 2
            local x, v = { sim.x[id], sim.y[id], dimension == 3 and sim.z[id] or 0 }, { sim.vx[id], sim.vy[id], dimension == 3 and sim.vz[id] or 0 }
            local w = { dimension == 3 and sim.wx[id] or 0, dimension == 3 and sim.wy[id] or 0, sim.wz[id] }
            for axis = 1, 3 do
              local a, b = axis % 3 + 1, (axis + 1) % 3 + 1
              sum[axis], sum[3 + axis] = sum[axis] + m * v[axis], sum[3 + axis] + m * (x[a] * v[b] - x[b] * v[a]) + I * w[axis]
              scale, turning = scale + I * math.abs(w[axis]) + m * math.abs(x[a] * v[b]), turning + I * math.abs(w[axis])
            end
          end
          return sum, scale, turning
        end
        local before, energy = all(), sim:measure "total_energy"
        sim:run { steps = 4000 }
        local after, scale, turning = all()
        local worst = 0
        for k = 1, 6 do worst = math.max(worst, math.abs(after[k] - before[k]) / scale) end
        return { worst, (sim:measure "total_energy" - energy) / energy, turning, law.energy } ]]))
      assert.is_true(found[1] < 1e-12, "momenta off by " .. found[1])
      assert.near(0, found[2], 2e-3)
      assert.is_true(found[3] > 0.1, "they turn")
      assert.is_true(found[4] < -1, "they hold each other, " .. found[4])
    end)
  end

  for _, scheme in ipairs(schemes) do
    it("have the same bits on 1, 2 and 3 threads and after a resume, " .. scheme[1], function()
      for _, dimension in ipairs { 2, 3 } do
        local tail = "sim:run { steps = 100 } return sim:hash()"
        local first = support.run(patchy(dimension, 1, scheme[2], tail))
        for threads = 2, 3 do assert.are.equal(first, (support.run(patchy(dimension, threads, scheme[2], tail)))) end
        local folder = support.folder()
        local path = folder .. "/run.state"
        assert.are.equal(first, (support.run(patchy(dimension, 2, scheme[2], string.format("sim:checkpoint { path = %q, every = 60 } ", path) .. tail))))
        assert.are.equal(first, (support.resume(path)))
        support.remove(folder)
      end
    end)
  end
end)

describe("an active particle in space", function()
  it("swims along its axis, on a helix where a torque turns it", function()
    -- drag gamma v, drive gamma v0 e; a torque with rotational drag turns e about z at Omega
    local found = run(quaternions .. [[
      local speed, gamma, Omega = 2, 50, 3
      local sim = floc.simulation { dimension = 3, time_step = math.pi / Omega / 2e4, scheme = floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" } }
      sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 1 }
      sim:add_field { name = "swims", returns = { "force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z" },
        law = function(axis_x, axis_y, axis_z, vx, vy, vz, wx, wy, wz)
          return gamma * (speed * axis_x - vx), gamma * (speed * axis_y - vy), gamma * (speed * axis_z - vz), -10 * wx, -10 * wy, 10 * (Omega - wz)
        end }
      put(sim, 1, about(0, 1, 0, -0.5))
      sim.wz[1] = Omega
      sim:run { until_time = 2 } -- what it began with has decayed
      local x, y, z = sim.x[1], sim.y[1], sim.z[1]
      sim:run { steps = 20000 } -- half a turn
      return { math.sqrt((sim.x[1] - x) ^ 2 + (sim.y[1] - y) ^ 2), sim.z[1] - z } ]])
    -- the velocity follows the axis with 1/(1 + i Omega/gamma)
    local across = 2 * math.cos(0.5) / math.sqrt(1 + (3 / 50) ^ 2)
    assert.near(2 * across / 3, found[1], 1e-5)
    assert.near(2 * math.sin(0.5) * math.pi / 3, found[2], 1e-5)
  end)
end)

describe("axes", function()
  it("are the columns of the rotation, for pairs, walls, fields and evolutions", function()
    local worst = run(quaternions .. [[
      local worst = 0
      for _, way in ipairs { "traced", "called" } do
        local sim = floc.simulation { dimension = 3, time_step = 1e-9, scheme = floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" } }
        for axis = 1, 3 do for _, kind in ipairs { "i", "j", "w", "f", "e" } do for _, c in ipairs { "x", "y", "z" } do sim:add_attribute(kind .. axis .. c, 0) end end end
        sim:add_body { shape = floc.plane { point = { 0, 0, -0.6 }, normal = { 0, 0, 1 } } }
        for axis = 1, 3 do
          local a = axis == 1 and "axis" or "axis" .. axis
          local function names(kind, list) for _, c in ipairs { "x", "y", "z" } do list[#list + 1] = kind .. axis .. c end return list end
          local function inputs(side) return { a .. side .. "_x", a .. side .. "_y", a .. side .. "_z" } end
          local function same(x, y, z) return x, y, z end
          local function sums(list, stem) for k, name in ipairs(list) do list[k] = stem .. name end return list end
          sim:add_force { way = way, range = 2, inputs = inputs "_i", returns = sums(names("i", {}), "sum_i_"), law = same }
          sim:add_force { way = way, range = 2, inputs = inputs "_j", returns = sums(names("j", {}), "sum_j_"), law = same }
          sim:add_wall_force { way = way, range = 2, inputs = inputs "", returns = sums(names("w", {}), "sum_"), law = same }
          sim:add_field { way = way, inputs = inputs "", returns = sums(names("f", {}), "sum_"), law = same }
          sim:add_evolution { way = way, inputs = inputs "", attributes = names("e", {}), law = same }
        end
        sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 1 }
        sim:add_particle { position = { 1.2, 0, 0 }, radius = 0.5, mass = 1 }
        local q = { about(1, 2, 3, 2.2), about(-1, 0.3, 2, 0.4) }
        for id = 1, 2 do put(sim, id, { 3 * q[id][1], 3 * q[id][2], 3 * q[id][3], 3 * q[id][4] }) end -- of any length
        sim:run { steps = 1 }
        for axis = 1, 3 do
          for id = 1, 2 do
            local e = rotate(q[id], { axis == 1 and 1 or 0, axis == 2 and 1 or 0, axis == 3 and 1 or 0 })
            for k, c in ipairs { "x", "y", "z" } do
              local pair = sim[(id == 1 and "i" or "j") .. axis .. c][id]
              for _, value in ipairs { pair, sim["w" .. axis .. c][id], sim["f" .. axis .. c][id], sim["e" .. axis .. c][id] / 1e-9 } do
                worst = math.max(worst, math.abs(value - e[k]))
              end
            end
          end
        end
      end
      return worst ]])
    assert.is_true(worst < 1e-14, "differs by " .. worst)
  end)

  it("lie in the plane in two dimensions", function()
    local found = run [[
      local sim = floc.simulation { time_step = 1e-9, scheme = floc.inelastic { rotation = true } }
      local names = {}
      for axis = 1, 3 do for _, c in ipairs { "x", "y", "z" } do
        names[#names + 1] = "a" .. axis .. c
        sim:add_attribute(names[#names], 0)
      end end
      local returns = {}
      for k, name in ipairs(names) do returns[k] = "sum_" .. name end
      sim:add_field { returns = returns, law = function(axis_x, axis_y, axis_z, axis2_x, axis2_y, axis2_z, axis3_x, axis3_y, axis3_z)
        return axis_x, axis_y, axis_z, axis2_x, axis2_y, axis2_z, axis3_x, axis3_y, axis3_z
      end }
      sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1 }
      sim.angle[1] = 0.3
      sim:run { steps = 1 }
      local list = {}
      for k, name in ipairs(names) do list[k] = sim[name][1] end
      return list ]]
    local c, s = math.cos(0.3), math.sin(0.3)
    for k, value in ipairs { c, s, 0, -s, c, 0, 0, 0, 1 } do assert.near(value, found[k], 1e-15) end
  end)

  it("go into .vtp files", function()
    local folder = support.folder()
    local path = folder .. "/turned"
    local found = run(string.format([[
      local path = %q
      local sim = floc.simulation { dimension = 3, time_step = 0.1, scheme = floc.inelastic { rotation = true } }
      sim:add_attribute "qx"
      sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 1 }
      sim.wz[1] = math.pi
      sim:write_vtp { path = path }
      sim:run { steps = 5 }
      return { sim.qw[1], sim.qz[1] } ]], path))
    local last
    for name in support.read(path .. ".pvd"):gmatch 'file="(.-)"' do last = name end
    local text = support.read(folder .. "/" .. last)
    support.remove(folder)
    assert.near(math.sqrt(0.5), found[1], 1e-14)
    assert.near(math.sqrt(0.5), found[2], 1e-14)
    for _, name in ipairs { "qw", "qx", "qy", "qz" } do assert.is_truthy(text:find('Name="' .. name .. '"', 1, true)) end
  end)
end)

describe("what has no orientation", function()
  local function failure(script) return support.failure(('package.path = %q .. package.path local floc = require "floc"\n'):format(laws) .. script) end
  local law = [[ sim:add_field { name = "aims", law = function(axis_x, axis_y) return axis_x, axis_y end } ]]

  it("is refused by name where a scheme does not turn particles", function()
    for _, scheme in ipairs { "floc.inelastic {}", 'floc.discrete_element { contact = "none", integrator = "velocity_verlet" }' } do
      local message = failure(string.format([[
        local sim = floc.simulation { time_step = 0.1, scheme = %s }
        sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1 } %s
        sim:run { steps = 1 } ]], scheme, law))
      assert.is_truthy(message:find("aims takes axes of particles", 1, true), message)
      assert.is_truthy(message:find("does not turn them", 1, true), message)
    end
    local message = failure [[
      local sim = floc.simulation { dimension = 3, time_step = 0.1, scheme = floc.ballistic { rotation = true } }
      sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 1 }
      sim:add_attribute "qw"
      sim:run { steps = 1 } ]]
    assert.is_truthy(message:find("qw qx qy qz", 1, true), message)
  end)

  it("is refused: a quaternion of zeros, a value to begin with, axes of a flow", function()
    local message = failure [[
      local sim = floc.simulation { dimension = 3, time_step = 0.1, scheme = floc.inelastic { rotation = true } }
      sim:add_attribute "qw"
      sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 1 }
      sim.qw[1] = 0
      sim:run { steps = 1 } ]]
    assert.is_truthy(message:find("particle 1 has the orientation qw, qx, qy, qz = 0, 0, 0, 0", 1, true), message)
    message = failure [[ floc.simulation { dimension = 3, time_step = 0.1 }:add_attribute("qy", 1) ]]
    assert.is_truthy(message:find("begins as 1, 0, 0, 0", 1, true), message)
    message = failure [[
      local sim = floc.simulation { time_step = 0.1 }
      sim:add_flow { relaxation_time = 1, law = function(axis_x, y) return axis_x, y end } ]]
    assert.is_truthy(message:find("knows no axis of particles", 1, true), message)
    message = failure [[
      local sim = floc.simulation { dimension = 3, time_step = 0.1 }
      sim:add_force { range = 1, law = function(distance, axis_i_w) return axis_i_w end } ]]
    assert.is_truthy(message:find("axis_i_", 1, true), message)
  end)
end)
