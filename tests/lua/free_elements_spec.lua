-- Free bodies under soft contacts: balances, energy, what is shown, resume, and what is refused.

local support = require "support"

local function start(options, scheme, step)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { time_step = %g, scheme = %s, %s }
  ]], step or 1e-4, scheme, options)
end

-- By velocity Verlet.
local function soft(more)
  return 'floc.discrete_element { contact = "hooke", stiffness = 1e4, integrator = "velocity_verlet"' .. (more and ", " .. more or "") .. " }"
end
local rough = 'damping = 1, rotation = true, friction = "spring", friction_stiffness = 5e3, friction_damping = 0.5, friction_static = 0.4, friction_dynamic = 0.4'

-- A body, in the plane, between particles that fly at it, and what all have together.
local between = [[
  local one = sim:add_body { shape = floc.segment { { -1, 0 }, { 1, 0.2 }, thickness = 0.3 }, free = "all", density = 1, velocity = { 0.3, 0.2 }, angular_velocity = 1 }
  for k = 1, 12 do
    sim:add_particle { position = { 0.3 * (k - 6.5), k % 2 == 0 and 0.7 or -0.8 }, radius = 0.1, mass = 0.05 + 0.01 * k, velocity = { 0, k % 2 == 0 and -2 or 1 } }
  end
  local function total(turns)
    local c, p, v, w = one.center, one.position, one.velocity, one.angular_velocity
    local vc = { v[1] - w * (c[2] - p[2]), v[2] + w * (c[1] - p[1]) }
    local L = one.inertia * w + one.mass * (c[1] * vc[2] - c[2] * vc[1])
    for k = 1, 12 do
      L = L + sim.mass[k] * (sim.x[k] * sim.vy[k] - sim.y[k] * sim.vx[k])
      if turns then L = L + 0.5 * sim.mass[k] * sim.radius[k] ^ 2 * sim.angular_velocity_z[k] end
    end
    return { sim:measure "momentum_x", sim:measure "momentum_y", L }
  end
]]

describe("a free body in discrete elements", function()
  it("exchanges momentum with particles, and nothing is lost", function()
    for _, more in ipairs { "", rough, rough .. ", rolling_friction = 0.1, rolling_stiffness = 1e3" } do
      local turns = more:find "rotation" ~= nil
      local found = support.run(start("dimension = 2", soft(more)) .. between .. string.format([[
        local before, velocity, worst = total(%s), one.velocity[2], 0
        for _ = 1, 60 do
          sim:run { steps = 100 }
          local now = total(%s)
          for k = 1, 3 do worst = math.max(worst, math.abs(now[k] - before[k])) end
        end
        return { worst, math.abs(one.velocity[2] - velocity), sim:report().kinetic_energy - sim:measure "kinetic_energy" } ]], tostring(turns), tostring(turns)))
      assert.is_true(found[1] < 1e-12, more .. " " .. found[1])
      assert.is_true(found[2] > 0.1, more .. " " .. found[2])
      assert.near(0, found[3], 1e-13)
    end
  end)

  it("keeps energy to the square of the time step", function()
    local lost = {}
    for k, step in ipairs { 2e-4, 1e-4 } do
      lost[k] = support.run(start("dimension = 2", soft(), step) .. between .. string.format([[
        local energy, worst = sim:measure "kinetic_energy", 0
        for _ = 1, 60 do
          sim:run { steps = %d }
          worst = math.max(worst, math.abs(sim:measure "kinetic_energy" + sim:measure "contact_energy" - energy))
        end
        return worst / energy ]], 0.01 / step))
    end
    assert.is_true(lost[2] < 1e-4, lost[2])
    assert.is_true(lost[1] / lost[2] > 2.5, lost[1] / lost[2])
  end)

  it("balances its momenta with half of the forces before and after, load and damping", function()
    local worst, moved = support.run(start("dimension = 2, gravity = { 0, -10 }, seed = 3", soft(rough), 2e-4) .. [[
      local lid = sim:add_body { shape = floc.segment { { -0.9, 0 }, { 0.9, 0 }, thickness = 0.1 }, position = { 0, 2.8 }, free = "all", mass = 2, damping = 3, angular_damping = 0.5,
        load = { force = function(t) return math.sin(9 * t), -20 end, torque = 0.3 } }
      sim:add_body { shape = floc.container { width = 4, height = 9 } }
      sim:add_particles { count = 40, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -1, 0 }, upper = { 1, 2.6 } } }
      sim:run { steps = 1 }
      local worst, moved, h = 0, 0, 2e-4
      for _ = 1, 2000 do
        local v, w, f, t, x, y, a, time = lid.velocity, lid.angular_velocity, lid.force, lid.torque, lid.position[1], lid.position[2], lid.angle, sim.time
        sim:run { steps = 1 }
        local F, V = lid.force, lid.velocity
        worst = math.max(worst, math.abs(2 * (V[1] - v[1]) - h * ((f[1] + F[1]) / 2 + math.sin(9 * (time + h / 2))) + 3 * (lid.position[1] - x)),
          math.abs(2 * (V[2] - v[2]) - h * ((f[2] + F[2]) / 2 - 20 - 20) + 3 * (lid.position[2] - y)),
          math.abs(lid.inertia * (lid.angular_velocity - w) - h * ((t + lid.torque) / 2 + 0.3) + 0.5 * (lid.angle - a)))
        moved = math.max(moved, math.abs(h * F[2]))
      end
      return worst, moved ]])
    assert.is_true(worst < 1e-12, worst)
    assert.is_true(moved > 1e-3, moved)
  end)

  it("balances its angular momentum in space, where it touches and where it flies", function()
    local found = support.run(start("dimension = 3, gravity = { 0, 0, 0 }", soft(rough)) .. [[
      local one = sim:add_body { shape = floc.capsule { { -1, 0, 0 }, { 1, 0.2, 0.1 }, radius = 0.2 }, free = "all", density = 1, angular_velocity = { 0.3, -0.5, 1 } }
      for k = 1, 8 do
        sim:add_particle { position = { 0.25 * (k - 4.5), k % 2 == 0 and 0.8 or -0.8, 0.02 * k }, radius = 0.1, mass = 0.05, velocity = { 0, k % 2 == 0 and -3 or 2, 0.4 } }
      end
      local function L()
        local w, q, I = one.angular_velocity, one.orientation, one.inertia
        local R = { { 1 - 2 * (q[3]^2 + q[4]^2), 2 * (q[2]*q[3] - q[1]*q[4]), 2 * (q[2]*q[4] + q[1]*q[3]) },
          { 2 * (q[2]*q[3] + q[1]*q[4]), 1 - 2 * (q[2]^2 + q[4]^2), 2 * (q[3]*q[4] - q[1]*q[2]) },
          { 2 * (q[2]*q[4] - q[1]*q[3]), 2 * (q[3]*q[4] + q[1]*q[2]), 1 - 2 * (q[2]^2 + q[3]^2) } }
        local o, m, own = {}, {}, {}
        for a = 1, 3 do o[a] = R[1][a] * w[1] + R[2][a] * w[2] + R[3][a] * w[3] end
        m = { I[1] * o[1] + I[4] * o[2] + I[5] * o[3], I[4] * o[1] + I[2] * o[2] + I[6] * o[3], I[5] * o[1] + I[6] * o[2] + I[3] * o[3] }
        local c, p, v = one.center, one.position, one.velocity
        local arm = { p[1] - c[1], p[2] - c[2], p[3] - c[3] }
        local out = {}
        for a = 1, 3 do
          local b, d = a % 3 + 1, (a + 1) % 3 + 1
          local vb, vd = v[b] - (w[d] * arm[a] - w[a] * arm[d]), v[d] - (w[a] * arm[b] - w[b] * arm[a])
          out[a] = R[a][1] * m[1] + R[a][2] * m[2] + R[a][3] * m[3] + one.mass * (c[b] * vd - c[d] * vb)
          local x, u, spin = { sim.x, sim.y, sim.z }, { sim.vx, sim.vy, sim.vz }, { sim.angular_velocity_x, sim.angular_velocity_y, sim.angular_velocity_z }
          for k = 1, 8 do out[a] = out[a] + 0.05 * (x[b][k] * u[d][k] - x[d][k] * u[b][k]) + 0.4 * 0.05 * 0.01 * spin[a][k] end
        end
        return out
      end
      local first, worst, turned = L(), 0, 0
      for _ = 1, 50 do
        sim:run { steps = 100 }
        local now = L()
        for a = 1, 3 do worst = math.max(worst, math.abs(now[a] - first[a])) turned = math.max(turned, math.abs(one.torque[a])) end
      end
      return { worst, turned } ]])
    assert.is_true(found[1] < 1e-12, found[1])
    assert.is_true(found[2] > 0.1, found[2])
  end)

  it("shows the forces that moved it: those of its contacts", function()
    local off, force = support.run(start("dimension = 2, gravity = { 0, -10 }, seed = 1", soft(rough)) .. [[
      sim:add_body { shape = floc.container { width = 2, height = 9 } }
      sim:add_particles { count = 40, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -1, 0 }, upper = { 1, 2.6 } } }
      local lid = sim:add_body { shape = floc.segment { { -0.9, 0 }, { 0.9, 0 }, thickness = 0.1 }, position = { 0, 2.8 }, free = "all", mass = 2 }
      sim:run { until_time = 0.6 }
      local sum = { 0, 0 }
      for _, one in ipairs(sim:contacts()) do
        for a = 1, one.body == lid and 2 or 0 do sum[a] = sum[a] + (one.impulse * one.normal[a] + one.friction[a]) / sim.time_step end
      end
      return math.abs(sum[1] - lid.force[1]) + math.abs(sum[2] - lid.force[2]), math.abs(lid.force[2]) ]])
    assert.is_true(force > 1, force)
    assert.is_true(off < 1e-12 * force, off)
  end)

  it("bounces off an elastic particle at any mass, hinged or guided", function()
    for _, mass in ipairs { 0.1, 1, 30 } do
      local v, u = support.run(start("dimension = 2", soft(), 1e-5) .. string.format([[
        local one = sim:add_body { shape = floc.circle { radius = 0.5 }, free = { "x" }, mass = %g }
        sim:add_particle { position = { -0.61, 0 }, radius = 0.1, mass = 1, velocity = { 2, 0 } }
        sim:run { until_time = 0.3 } return one.velocity[1], sim.vx[1] ]], mass))
      assert.near(4 / (1 + mass), v, 1e-5)
      assert.near(2 * (1 - mass) / (1 + mass), u, 1e-5)
    end
    -- a rod on a hinge at its end, hit at its other end
    local w, u, at = support.run(start("dimension = 2", soft(), 1e-5) .. [[
      local rod = sim:add_body { shape = floc.segment { { 0, 0 }, { 1, 0 }, thickness = 0.02 }, free = { "angle" }, mass = 3, inertia = 1 }
      sim:add_particle { position = { 1, 0.12 }, radius = 0.1, mass = 1, velocity = { 0, -2 } }
      local inertia = rod.inertia
      sim:run { until_time = 0.1 } return rod.angular_velocity, sim.vy[1], inertia ]])
    assert.near(-4 / (at + 1), w, 2e-3)
    assert.near(-2 * (1 - at) / (1 + at), u, 2e-3)
  end)

  it("is braked as it should be at any damping", function()
    for _, damping in ipairs { 2, 2e3, 2e5 } do
      local v, y = support.run(start("dimension = 2, gravity = { 0, -10 }", soft(), 1e-2) .. string.format([[
        local one = sim:add_body { shape = floc.circle { radius = 0.5 }, free = "all", mass = 1, damping = %g, angular_damping = %g, load = { torque = 5 } }
        sim:run { steps = 2000 }
        local y = one.position[2]
        sim:run { steps = 100 }
        return (one.position[2] - y), one.angular_velocity ]], damping, damping))
      assert.near(-10 / damping, v, 1e-3 / damping)
      if damping < 1e3 then assert.near(5 / damping, y, 1e-9) end
    end
  end)

  it("is resumed bit for bit, on any number of threads", function()
    for _, dimension in ipairs { 2, 3 } do
      local folder, hashes = support.folder(), {}
      local flat = dimension == 2
      for _, threads in ipairs { 1, 2, 3 } do
        hashes[#hashes + 1] = support.run(start(("dimension = %d, gravity = %s, seed = 4, threads = %d"):format(dimension, flat and "{ 0, -10 }" or "{ 0, 0, -10 }", threads), soft(rough)) .. string.format(flat and [[
          sim:add_body { shape = floc.container { width = 4, height = 9 } }
          sim:add_particles { count = 120, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -2, 0 }, upper = { 2, 3.6 } } }
          local lid = sim:add_body { shape = floc.segment { { -1.5, 0 }, { 1.5, 0 }, thickness = 0.1 }, position = { 0, 4.5 }, free = "all", density = 20, angular_velocity = 0.3, damping = 1,
            load = { torque = function(t) return math.sin(9 * t) end } }
          sim:every(150, function() lid:set_free { free = "all", mass = 5 + sim.time, load = { force = { 1, 0 } } } end)
          sim:checkpoint { path = %q, every = 100, keep = 3 }
          sim:run { steps = 700 }
          return sim:hash() ]] or [[
          sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }
          sim:add_particles { count = 36, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -0.6, -0.6, 0.01 }, upper = { 0.6, 0.6, 1 } } }
          local lid = sim:add_body { shape = floc.capsule { { -0.5, 0, 0 }, { 0.5, 0.1, 0 }, radius = 0.1 }, position = { 0, 0, 1.2 }, free = "all", density = 20, angular_velocity = { 1, 2, 3 }, velocity = { 0, 0, -2 } }
          sim:checkpoint { path = %q, every = 100, keep = 3 }
          sim:run { steps = 700 }
          return sim:hash() ]], folder .. "/run.floc"))
      end
      for k = 2, #hashes do assert.are.equal(hashes[1], hashes[k]) end
      for k = 0, 2 do assert.are.equal(hashes[1], (support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or "")))) end
      support.remove(folder)
    end
  end)

  it("counts for the critical time step", function()
    local alone, light, heavy = support.run(start("dimension = 2", soft()) .. [[
      local one = sim:add_body { shape = floc.circle { radius = 0.5 }, mass = 1e9, free = { "x" } }
      sim:add_particle { position = { -0.595, 0 }, radius = 0.1, mass = 1 }
      sim:run { steps = 1 }
      local found = { sim:measure "critical_time_step" }
      for _, mass in ipairs { 1, 1e-2 } do
        one:set_free { free = { "x" }, mass = mass }
        sim:run { steps = 1 }
        found[#found + 1] = sim:measure "critical_time_step"
      end
      return found[1], found[2], found[3] ]])
    assert.near(2 / math.sqrt(1e4), alone, 1e-9)
    assert.near(2 / math.sqrt(2e4), light, 1e-9)
    assert.near(2 / math.sqrt(1e4 * 101), heavy, 1e-9)
  end)

  it("is refused by name where the scheme does not move it", function()
    local trapezoidal = 'floc.discrete_element { contact = "hooke", stiffness = 1e4 }'
    local body = 'sim:add_body { shape = floc.circle { radius = 1 }, position = { 0, 1.01 }, free = "all", mass = 1, name = "ball" }\n'
    local message = support.failure(start("dimension = 2", trapezoidal) .. body)
    assert.is_truthy(message:find("script.lua:3: ", 1, true) and message:find("free bodies are not supported under the scheme discrete_element by the trapezoidal rule; integrator velocity_verlet does it", 1, true), message)
    message = support.failure(start("dimension = 2, gravity = { 0, -10 }", soft(), 1e-3) .. 'sim:add_body { shape = floc.plane { normal = { 0, 1 } }, name = "floor" }\n' .. body .. "sim:run { steps = 300 }")
    assert.is_truthy(message:find("body 1 ball, which is free, would touch body 0 floor in step 45, which is not supported: in discrete elements bodies touch particles alone", 1, true), message)
    message = support.failure(start("dimension = 2", soft()) .. 'sim:add_body { shape = floc.circle { radius = 1 }, free = "all", mass = 1, name = "ball", load = { force = function() return 0 / 0 end } } sim:run { steps = 1 }')
    assert.is_truthy(message:find("the force returned nan, nil at t = 5e-05; it must return 2 finite numbers (in the motion of body \"ball\"), in step 1", 1, true), message)
    message = support.failure(start("dimension = 2", soft(), 1) .. 'sim:add_body { shape = floc.circle { radius = 1 }, free = "all", mass = 1, name = "ball", load = { force = { 1e80, 0 } } } sim:run { steps = 1 }')
    assert.is_truthy(message:find("body 0 (ball) at (0, 0, 0) got velocity", 1, true), message)
  end)
end)
