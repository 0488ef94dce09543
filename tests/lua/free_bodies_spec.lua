-- Free bodies: what they weigh, free flight, what particles do to them, balances, resume, and what is refused.

local support = require "support"

local function start(options, scheme)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { time_step = 1e-3, scheme = %s, %s }
  ]], scheme or "floc.inelastic {}", options or "dimension = 2, gravity = { 0, -10 }")
end

local space = "dimension = 3, gravity = { 0, 0, 0 }"

describe("a free body", function()
  it("weighs what its shapes are", function()
    local found = support.run(start() .. [[
      local disc = sim:add_body { shape = floc.circle { radius = 0.5 }, position = { 0, 3 }, free = "all", density = 2 }
      local wedge = sim:add_body { shape = floc.polyline { { 0, 0 }, { 3, 0 }, { 0, 3 }, closed = true }, position = { 5, 3 }, free = "all", density = 2 }
      local hoop = sim:add_body { shape = floc.hollow { radius = 2 }, position = { 50, 3 }, free = "all", mass = 3 }
      return { disc.mass, disc.inertia, wedge.center, wedge.inertia, hoop.inertia } ]])
    local mass, inertia, triangle, its, ring = found[1], found[2], found[3], found[4], found[5]
    assert.near(math.pi / 2, mass, 1e-13)
    assert.near(math.pi / 16, inertia, 1e-14)
    assert.near(6, triangle[1], 1e-13)
    assert.near(9 * 3 ^ 2 / 9, its, 1e-12) -- m a^2/9 of a right triangle about its centre of mass
    assert.near(12, ring, 1e-12)
    found = support.run(start(space) .. [[
      local box = sim:add_body { shape = floc.box { lower = { 1, 0, 0 }, upper = { 3, 1, 4 } }, free = "all", density = 3 }
      local rod = sim:add_body { shape = floc.capsule { { 0, 0, 0 }, { 0, 0, 2 }, radius = 1 }, position = { 9, 9, 9 }, free = "all", density = 1 }
      return { box.inertia, box.center, rod.mass } ]])
    local box, rod, capsule = found[1], found[2], found[3]
    for k, square in ipairs { 1 + 16, 4 + 16, 4 + 1, 0, 0, 0 } do assert.near(24 / 12 * square, box[k], 1e-11) end
    assert.near(2, rod[1], 1e-13)
    assert.near(2 * math.pi + 4 / 3 * math.pi, capsule, 1e-12)
  end)

  it("falls, brakes and turns as its equation says", function()
    local y, v, angle = support.run(start() .. [[
      local one = sim:add_body { shape = floc.circle { radius = 1 }, position = { 0, 9 }, free = "all", mass = 2, angular_velocity = 3 }
      sim:run { steps = 100 } return one.position[2], one.velocity[2], one.angle ]])
    assert.near(9 - 10 * 1e-6 * 5050, y, 1e-12)
    assert.near(-1, v, 1e-12)
    assert.near(0.3, angle, 1e-12)
    -- m dv/dt = F - c v, I domega/dt = T - c omega, the end of the step's: geometric
    local x, spin = support.run(start "dimension = 2" .. [[
      local one = sim:add_body { shape = floc.circle { radius = 1 }, free = "all", mass = 2, inertia = 4, damping = 3, angular_damping = 5,
        load = { force = function(t) return 6, 0 end, torque = 7 } }
      sim:run { steps = 500 } return one.velocity[1], one.angular_velocity ]])
    assert.near(2 * (1 - (1 + 1.5e-3) ^ -500), x, 1e-12)
    assert.near(1.4 * (1 - (1 + 1.25e-3) ^ -500), spin, 1e-12)
  end)

  it("keeps energy and angular momentum in space, and flips about its middle axis", function()
    local drift, momentum, flips = support.run([[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1, dimension = 3, scheme = floc.inelastic {} }
      local one = sim:add_body { shape = floc.sphere { radius = 1 }, free = "all", mass = 1, inertia = { 1, 2, 2.9, 0, 0, 0 }, angular_velocity = { 1e-3, 1, 1e-3 } }
      local function L()
        local w, q = one.angular_velocity, one.orientation
        local R = { { 1 - 2 * (q[3]^2 + q[4]^2), 2 * (q[2]*q[3] - q[1]*q[4]), 2 * (q[2]*q[4] + q[1]*q[3]) },
          { 2 * (q[2]*q[3] + q[1]*q[4]), 1 - 2 * (q[2]^2 + q[4]^2), 2 * (q[3]*q[4] - q[1]*q[2]) },
          { 2 * (q[2]*q[4] - q[1]*q[3]), 2 * (q[3]*q[4] + q[1]*q[2]), 1 - 2 * (q[2]^2 + q[3]^2) } }
        local own, I, out = {}, { 1, 2, 2.9 }, {}
        for a = 1, 3 do own[a] = I[a] * (R[1][a] * w[1] + R[2][a] * w[2] + R[3][a] * w[3]) end
        for a = 1, 3 do out[a] = R[a][1] * own[1] + R[a][2] * own[2] + R[a][3] * own[3] end
        return out, own[2] / 2
      end
      local first, energy, flips, sign = L(), sim:measure "kinetic_energy", 0, 1
      for k = 1, 1000 do
        sim:run { steps = 10 }
        local _, about = L()
        if about * sign < -0.5 then flips, sign = flips + 1, -sign end
      end
      local last, off = L(), 0
      for a = 1, 3 do off = math.max(off, math.abs(last[a] - first[a])) end
      return math.abs(sim:measure "kinetic_energy" / energy - 1), off, flips ]])
    assert.is_true(drift < 1e-11, drift)
    assert.is_true(momentum < 1e-11, momentum)
    assert.is_true(flips > 10, flips)
  end)

  it("exchanges momentum with particles, and nothing is lost", function()
    for _, scheme in ipairs { "floc.inelastic {}", "floc.inelastic { friction = 0.4, rotation = true }", "floc.inelastic { friction = 0.4, rotation = true, restitution = 0.7 }",
      "floc.gluey { gamma_min = -0.01 }", "floc.inelastic { friction = 0.3, rotation = true, rolling = 0.01 }" } do
      for dimension = 2, 3 do
        local found = support.run(start(("dimension = %d"):format(dimension), scheme) .. string.format([[
          local d, third = %d, %d == 3 and 0.05 or nil
          local function at(x, y) return d == 2 and { x, y } or { x, y, third } end
          local one = sim:add_body { shape = d == 2 and floc.segment { at(-1, 0), at(1, 0.2), thickness = 0.3 } or floc.capsule { { -1, 0, 0 }, { 1, 0.2, 0 }, radius = 0.15 },
            free = "all", density = 1, velocity = at(0.3, 0.2), angular_velocity = d == 2 and 1 or { 0, 0.3, 1 } }
          for k = 1, 12 do
            sim:add_particle { position = at(0.3 * (k - 6.5), k %% 2 == 0 and 0.7 or -0.8), radius = 0.1, mass = 0.05 + 0.01 * k, velocity = at(0, k %% 2 == 0 and -2 or 1) }
          end
          local turns = %s
          local function total()
            local sum = { sim:measure "momentum_x", sim:measure "momentum_y" }
            local L = one.inertia
            L = d == 2 and L * one.angular_velocity or 0
            local c, v = one.center, one.velocity
            if d == 2 then
              local arm = { c[1] - one.position[1], c[2] - one.position[2] }
              local w = one.angular_velocity
              local vc = { v[1] - w * arm[2], v[2] + w * arm[1] }
              L = L + one.mass * (c[1] * vc[2] - c[2] * vc[1])
              for k = 1, 12 do
                L = L + sim.mass[k] * (sim.x[k] * sim.vy[k] - sim.y[k] * sim.vx[k])
                if turns then L = L + 0.5 * sim.mass[k] * sim.radius[k] ^ 2 * sim.angular_velocity_z[k] end
              end
            end
            sum[3] = L
            return sum
          end
          local before, velocity = total(), one.velocity[2]
          sim:run { steps = 600 }
          return { before, total(), sim:report().greatest_overlap, math.abs(one.velocity[2] - velocity) } ]], dimension, dimension, tostring(scheme:find "rotation" ~= nil)))
        local before, after, overlap, moved = found[1], found[2], found[3], found[4]
        for k = 1, 3 do assert.near(before[k], after[k], 1e-12, scheme .. " " .. k) end
        assert.is_true(overlap < 0.01, scheme .. overlap)
        assert.is_true(moved > 0.01, scheme .. moved)
      end
    end
  end)

  it("balances its own momenta with the forces on it, step by step", function()
    local worst, hub, angle = support.run(start("dimension = 2, gravity = { 0, -10 }, seed = 3", "floc.inelastic { friction = 0.3, rotation = true }") .. [[
      local wheel = sim:add_body { shape = floc.wheel { radius = 2, paddles = 6, hub = 0.4, thickness = 0.1 }, position = { 1, 2 }, free = { "angle" }, density = 2, angular_damping = 0.5 }
      sim:add_particles { count = 60, radius = 0.12, density = 1, region = floc.box { lower = { 1.5, 4.2 }, upper = { 2.6, 12 } }, clearance = 0.01 }
      local worst = 0
      for _ = 1, 800 do
        local before = wheel.angular_velocity
        sim:run { steps = 1 }
        worst = math.max(worst, math.abs(wheel.inertia * (wheel.angular_velocity - before) - 1e-3 * (wheel.torque - 0.5 * wheel.angular_velocity)))
      end
      return worst, math.abs(wheel.position[1] - 1) + math.abs(wheel.position[2] - 2), wheel.angle ]])
    assert.is_true(worst < 1e-12, worst)
    assert.are.equal(0, hub)
    assert.is_true(angle < -0.2, angle)
  end)

  it("balances its angular momentum in space", function()
    local worst, turned = support.run(start("dimension = 3, gravity = { 0, 0, 0 }", "floc.inelastic { friction = 0.4, rotation = true }") .. [[
      local one = sim:add_body { shape = floc.capsule { { -1, 0, 0 }, { 1, 0.2, 0.1 }, radius = 0.2 }, free = "all", density = 1, angular_velocity = { 0.3, -0.5, 1 } }
      for k = 1, 8 do
        sim:add_particle { position = { 0.25 * (k - 4.5), k % 2 == 0 and 0.8 or -0.8, 0.02 * k }, radius = 0.1, mass = 0.05, velocity = { 0, k % 2 == 0 and -3 or 2, 0.4 } }
      end
      local function L()
        local w, q, I = one.angular_velocity, one.orientation, one.inertia
        local R = { { 1 - 2 * (q[3]^2 + q[4]^2), 2 * (q[2]*q[3] - q[1]*q[4]), 2 * (q[2]*q[4] + q[1]*q[3]) },
          { 2 * (q[2]*q[3] + q[1]*q[4]), 1 - 2 * (q[2]^2 + q[4]^2), 2 * (q[3]*q[4] - q[1]*q[2]) },
          { 2 * (q[2]*q[4] - q[1]*q[3]), 2 * (q[3]*q[4] + q[1]*q[2]), 1 - 2 * (q[2]^2 + q[3]^2) } }
        local o, out = {}, {}
        for a = 1, 3 do o[a] = R[1][a] * w[1] + R[2][a] * w[2] + R[3][a] * w[3] end
        local m = { I[1] * o[1] + I[4] * o[2] + I[5] * o[3], I[4] * o[1] + I[2] * o[2] + I[6] * o[3], I[5] * o[1] + I[6] * o[2] + I[3] * o[3] }
        for a = 1, 3 do out[a] = R[a][1] * m[1] + R[a][2] * m[2] + R[a][3] * m[3] end
        return out
      end
      local worst, turned = 0, 0
      for _ = 1, 500 do
        local before = L()
        sim:run { steps = 1 }
        local after = L()
        for a = 1, 3 do
          worst = math.max(worst, math.abs(after[a] - before[a] - 1e-3 * one.torque[a]))
          turned = math.max(turned, math.abs(1e-3 * one.torque[a]))
        end
      end
      return worst, turned ]])
    assert.is_true(worst < 1e-13, worst)
    assert.is_true(turned > 1e-3, turned)
  end)

  it("rests as a lid on grains, which bear its weight", function()
    local found = support.run(start("dimension = 2, gravity = { 0, -10 }, seed = 1", "floc.inelastic {}") .. [[
      sim:add_body { shape = floc.container { width = 2, height = 9 } }
      sim:add_particles { count = 40, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -1, 0 }, upper = { 1, 2.6 } } }
      local lid = sim:add_body { shape = floc.segment { { -0.9, 0 }, { 0.9, 0 }, thickness = 0.1 }, position = { 0, 2.8 }, free = { "y" }, mass = 10,
        load = { force = function() return 0, -100 end } }
      sim:run { steps = 3000 }
      local v, sum, worst = lid.velocity[2], 0, 0
      for _ = 1, 300 do
        sim:run { steps = 1 }
        sum, worst = sum + lid.force[2], math.max(worst, math.abs(lid.force[2] - 200))
      end
      return { sum / 300, worst, math.abs(sum / 300 - 200 - 10 * (lid.velocity[2] - v) / 0.3), sim:report().unconverged_steps } ]])
    local mean, deviation, fall, unconverged = found[1], found[2], found[3], found[4]
    assert.near(200, mean, 0.2)
    assert.is_true(deviation < 4, deviation)
    assert.is_true(fall < 1e-9, fall)
    assert.are.equal(0, unconverged)
  end)

  it("is guided along one axis or a plane of axes", function()
    local still, gone = support.run(start("dimension = 3, gravity = { 0, 0, -10 }", "floc.inelastic { friction = 0.5 }") .. [[
      local one = sim:add_body { shape = floc.sphere { radius = 0.5 }, free = { "z" }, mass = 1, velocity = { 0, 0, 4 } }
      local two = sim:add_body { shape = floc.sphere { radius = 0.5 }, position = { 5, 0, 0 }, free = { "x", "z" }, mass = 1 }
      for k = 0, 1 do
        sim:add_particle { position = { 5 * k + 0.3, 0.2, 0.8 }, radius = 0.2, mass = 0.3, velocity = { 1, 1, -5 } }
      end
      sim:run { steps = 100 }
      return math.abs(one.position[1]) + math.abs(one.position[2]) + math.abs(two.position[2]) + math.abs(one.angular_velocity[1]) + math.abs(two.angular_velocity[2]),
        two.position[1] - 5, one.velocity[3] ]])
    assert.are.equal(0, still)
    assert.is_true(gone < -1e-3, gone)
    local v = support.run(start("dimension = 2") .. [[
      local one = sim:add_body { shape = floc.circle { radius = 0.5 }, free = { "x" }, mass = 3 }
      sim:add_particle { position = { -1, 0 }, radius = 0.5, mass = 1, velocity = { 2, 0 } }
      sim:run { steps = 10 } return one.velocity[1] ]])
    assert.near(0.5, v, 1e-12)
  end)

  it("is prescribed and free again", function()
    local held, fell, force = support.run(start() .. [[
      local one = sim:add_body { shape = floc.circle { radius = 1 }, free = "all", mass = 2 }
      one:set_motion {}
      sim:run { steps = 10 }
      local held = one.position[2]
      one:set_free { free = { "y" }, mass = 4, load = { force = { 0, 80 } } }
      sim:run { steps = 10 }
      return held, one.velocity[2], one.mass ]])
    assert.are.equal(0, held)
    assert.near(0.1, fell, 1e-13)
    assert.are.equal(4, force)
  end)

  it("is resumed bit for bit, on any number of threads", function()
    for _, scheme in ipairs { "floc.inelastic { friction = 0.3, rotation = true }", "floc.gluey { gamma_min = -0.1 }" } do
      local folder, hashes = support.folder(), {}
      for _, threads in ipairs { 1, 2, 3, 8 } do
        local hash = support.run(start("dimension = 2, gravity = { 0, -10 }, seed = 4, threads = " .. threads, scheme) .. string.format([[
          sim:add_body { shape = floc.container { width = 4, height = 9 } }
          sim:add_particles { count = 120, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -2, 0 }, upper = { 2, 3.6 } } }
          local lid = sim:add_body { shape = floc.segment { { -1.5, 0 }, { 1.5, 0 }, thickness = 0.1 }, position = { 0, 4.5 }, free = "all", density = 20, angular_velocity = 0.3,
            load = { torque = function(t) return math.sin(9 * t) end } }
          sim:every(150, function() lid:set_free { free = "all", mass = 5 + sim.time, load = { force = { 1, 0 } } } end)
          sim:checkpoint { path = %q, every = 100, keep = 3 }
          sim:run { steps = 400 }
          return sim:hash() ]], folder .. "/run.floc"))
        hashes[#hashes + 1] = hash
      end
      for k = 2, #hashes do assert.are.equal(hashes[1], hashes[k]) end
      for k = 0, 2 do assert.are.equal(hashes[1], (support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or "")))) end
      support.remove(folder)
    end
  end)

  it("is refused where it means nothing", function()
    for fields, wanted in pairs {
      ['free = "all"'] = "add_body: free is given, and mass is missing",
      ['free = "al", mass = 1'] = 'free is "al"; it must be "all" or a list such as { "x", "angle" }; did you mean all?',
      ['free = { "angel" }, mass = 1'] = 'free[1] is "angel", which is no degree of freedom in 2 dimensions; did you mean angle?',
      ['free = { "z" }, mass = 1'] = 'free[1] is "z", which is no degree of freedom in 2 dimensions',
      ['free = {}, mass = 1'] = "free is an empty list",
      ['free = { "x", "x" }, mass = 1'] = 'free[2] is "x", as free[1]',
      ['free = { "x", "angle" }, mass = 1'] = "a body that turns and goes along some axes only",
      ['free = "all", mass = 0'] = "mass is 0; it must be",
      ['free = "all", mass = 1, density = 1'] = "mass and density are both given",
      ['free = "all", mass = 1, inertia = -2'] = "inertia is -2; it must be",
      ['free = { "y" }, mass = 1, velocity = { 1, 0 }'] = "velocity[1] is 1, and the body is not free along x",
      ['free = { "y" }, mass = 1, angular_velocity = 3'] = "angular_velocity[3] is 3, and the body cannot turn so",
      ['free = "all", mass = 1, load = { push = 1 }'] = "unknown parameter push",
      ['free = "all", mass = 1, load = {}'] = "load is empty",
      ['free = "all", mass = 1, velocity = function() return 0, 0 end'] = "free and velocity as a function are both given",
      ['free = "all", mass = 1, motion = floc.piston { velocity = { 0, 1 }, travel = 1 }'] = "free and motion are both given",
      ['mass = 1'] = "mass is given, which does nothing without free",
      ['damping = 1'] = "damping is given, which does nothing without free",
    } do
      local message = support.failure(start() .. "sim:add_body { shape = floc.circle { radius = 1 }, " .. fields .. " }")
      assert.is_truthy(message:find("script.lua:3: ", 1, true) and message:find(wanted, 1, true), fields .. ": " .. message)
    end
    for shape, wanted in pairs {
      ["floc.plane { normal = { 0, 1 } }"] = "shape 0, a plane, has no end and no mass, so its body cannot be free",
      ["floc.segment { { 0, 0 }, { 1, 0 } }"] = "shape 0, a segment, has no thickness and is no part of a closed outline or mesh",
    } do
      local message = support.failure(start() .. "sim:add_body { shape = " .. shape .. ', free = "all", density = 1 }')
      assert.is_truthy(message:find(wanted, 1, true), message)
    end
    local message = support.failure(start(space) .. 'sim:add_body { shape = floc.torus { ring_radius = 2, tube_radius = 1 }, free = "all", mass = 1 }')
    assert.is_truthy(message:find("shape 0, a torus, has no inertia that floc knows; give inertia", 1, true), message)
    message = support.failure(start(space) .. 'sim:add_body { shape = floc.sphere { radius = 1 }, free = "all", mass = 1, inertia = { 1, 1, 1, 2, 0, 0 } }')
    assert.is_truthy(message:find("is not positive definite", 1, true), message)
    message = support.failure(start(space) .. 'sim:add_body { shape = floc.sphere { radius = 1 }, free = { "angle_x", "angle_y" }, mass = 1 }')
    assert.is_truthy(message:find("a body that turns about two axes", 1, true), message)
  end)

  it("is refused where it would go through something", function()
    local message = support.failure(start("dimension = 2, domain = floc.box { lower = { 0, 0 }, upper = { 9, 9 } }, boundary = { \"periodic\", \"open\" }") .. [[
      sim:add_body { shape = floc.circle { radius = 1 }, position = { 4, 4 }, free = "all", mass = 1 } sim:run { steps = 1 } ]])
    assert.is_truthy(message:find("is free along x, which is periodic", 1, true), message)
    message = support.failure(start() .. [[ sim:add_attribute("frozen", 0) sim:add_particle { position = { 9, 9 }, radius = 1 } sim.frozen[1] = 1
      sim:add_body { shape = floc.circle { radius = 1 }, free = "all", mass = 1 } sim:run { steps = 1 } ]])
    assert.is_truthy(message:find("is frozen (its attribute frozen is 1), and there are free bodies", 1, true), message)
    message = support.failure(start() .. [[ sim:add_particle { position = { 9, 9 }, radius = 0.5, shape = floc.rod { aspect = 3 } }
      sim:add_body { shape = floc.circle { radius = 1 }, free = "all", mass = 1 } sim:run { steps = 1 } ]])
    assert.is_truthy(message:find("there are free bodies and particles that are not round", 1, true), message)
    message = support.failure(start("dimension = 2", "floc.inelastic { rotation = true, rolling = 0.1 }") .. [[
      sim:add_body { shape = floc.circle { radius = 1 }, free = { "x" }, mass = 1 } sim:run { steps = 1 } ]])
    assert.is_truthy(message:find("is free along some axes only, and the scheme resists rolling or twisting", 1, true), message)
  end)
end)
