-- Free bodies that touch each other, other bodies and the walls of the domain, in the plane under the projection: Coulomb's angle,
-- stacks, balances, resume, and what is refused.

local support = require "support"

local function start(options, scheme)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { time_step = 1e-3, dimension = 2, scheme = %s, %s }
  ]], scheme or "floc.inelastic { friction = 0.3 }", options or "gravity = { 0, -10 }")
end

local block = 'floc.box { lower = { -0.5, -0.25 }, upper = { 0.5, 0.25 } }'

-- Momenta of free bodies together.
local total = [[local function total(list)
    local L = 0
    for _, one in ipairs(list) do
      local c, p, v, w = one.center, one.position, one.velocity, one.angular_velocity
      local vc = { v[1] - w * (c[2] - p[2]), v[2] + w * (c[1] - p[1]) }
      L = L + one.inertia * w + one.mass * (c[1] * vc[2] - c[2] * vc[1])
    end
    return { sim:measure "momentum_x", sim:measure "momentum_y", L }
  end
]]

describe("bodies that touch", function()
  it("rest on a slope below Coulomb's angle and slide above it", function()
    for factor, law in pairs { [0.98] = "", [1.02] = "", [1.5] = "", [1.6] = ', friction_law = "convex"' } do
      local angle = math.atan(0.3) * factor
      local found = support.run(start(("gravity = { %.17g, %.17g }"):format(10 * math.sin(angle), -10 * math.cos(angle)), "floc.inelastic { friction = 0.3" .. law .. " }") .. [[
        sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
        local one = sim:add_body { shape = ]] .. block .. [[, position = { 0, 0.25 }, free = "all", density = 1 }
        sim:run { steps = 1000 }
        return { one.position[1], one.velocity[1], one.angle, one.position[2], one.force[2] / one.mass, sim:report().unconverged_steps } ]])
      local x, v, turned, height, pressed, unconverged = (unpack or table.unpack)(found)
      local wanted = math.max(0, 10 * (math.sin(angle) - 0.3 * math.cos(angle)))
      assert.near(wanted, v, law == "" and 1e-6 or 1e-3)
      assert.near(wanted / 2, x, 1e-3 * wanted + 1e-6)
      assert.near(0, turned, 1e-6)
      if law == "" then assert.near(0.25, height, 1e-6) end
      assert.near(10 * math.cos(angle), pressed, 1e-3)
      assert.are.equal(0, unconverged)
    end
  end)

  it("slide without friction, and roll where they stick", function()
    local slides, rolls, turns = support.run(start("gravity = { 2, -9 }", "floc.inelastic {}") .. [[
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      local one = sim:add_body { shape = ]] .. block .. [[, position = { 0, 0.25 }, free = "all", density = 1 }
      sim:run { steps = 500 }
      local v = one.velocity[1]
      sim = floc.simulation { time_step = 1e-3, dimension = 2, gravity = { 2, -9 }, scheme = floc.inelastic { friction = 0.3 } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      one = sim:add_body { shape = floc.circle { radius = 0.5 }, position = { 0, 0.5 }, free = "all", density = 1 }
      sim:run { steps = 500 }
      return v, one.velocity[1], one.angular_velocity ]])
    assert.near(1, slides, 1e-10)
    assert.near(2 / 3, rolls, 1e-6)
    assert.near(-4 / 3, turns, 1e-6)
  end)

  it("topple where a lever says so", function()
    -- a tower of 0.2 by 1 on a slope that it does not slide on: it tips above tan = 0.2
    for slope, tips in pairs { [0.19] = false, [0.21] = true } do
      local angle = support.run(start(("gravity = { %g, -10 }"):format(10 * slope), "floc.inelastic { friction = 0.9 }") .. [[
        sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
        local one = sim:add_body { shape = floc.box { lower = { -0.1, 0 }, upper = { 0.1, 1 } }, free = "all", density = 1 }
        sim:run { steps = 1500 } return one.angle ]])
      assert.are.equal(tips, angle < -0.05, slope .. " " .. angle)
      if not tips then assert.near(0, angle, 1e-6) end
    end
  end)

  it("stand on each other, and each bears what is above it", function()
    for _, friction in ipairs { 0, 0.5 } do
      local found = support.run(start(nil, ("floc.inelastic { friction = %g }"):format(friction)) .. [[
        local floor = sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
        local stack, worst = {}, 0
        for k = 1, 3 do stack[k] = sim:add_body { shape = ]] .. block .. [[, position = { 0.05 * k, 0.5 * k - 0.25 + 0.001 * k }, free = "all", density = 1 } end
        sim:run { steps = 2000 }
        for k = 1, 3 do worst = math.max(worst, math.abs(stack[k].position[1] - 0.05 * k), math.abs(stack[k].position[2] - 0.5 * k + 0.25), math.abs(stack[k].angle)) end
        return { worst, floor.force[2], sim:report().unconverged_steps, sim:measure "kinetic_energy" } ]])
      assert.is_true(found[1] < 1e-6, found[1])
      assert.near(-15, found[2], 1e-3)
      assert.are.equal(0, found[3])
      assert.is_true(found[4] < 1e-10, found[4])
    end
  end)

  it("keep momentum and angular momentum when they collide", function()
    for _, scheme in ipairs { "floc.inelastic {}", "floc.inelastic { friction = 0.3 }", "floc.gluey { gamma_min = -0.1 }" } do
      local found = support.run(start("gravity = { 0, 0 }", scheme) .. total .. [[
        local a = sim:add_body { shape = ]] .. block .. [[, position = { -1, 0 }, free = "all", density = 1, velocity = { 2, 0.1 }, angular_velocity = 3 }
        local b = sim:add_body { shape = floc.wheel { radius = 0.6, paddles = 5, hub = 0.2, thickness = 0.1 }, position = { 1, 0.1 }, free = "all", density = 2, angular_velocity = -1 }
        local c = sim:add_body { shape = floc.circle { radius = 0.4 }, position = { 0.3, 1.2 }, free = "all", density = 2, velocity = { 0, -1 } }
        local d = sim:add_body { shape = floc.polyline { { -0.5, 0 }, { 0, 0.3 }, { 0.5, 0 }, thickness = 0.05 }, position = { 0.3, -1.2 }, free = "all", density = 2, velocity = { 0, 1 } }
        sim:add_particle { position = { 0, -2 }, radius = 0.2, mass = 0.3, velocity = { 0.2, 3 } }
        local turns = ]] .. tostring(scheme:find "friction" ~= nil) .. [[

        local function all()
          local sum = total { a, b, c, d }
          sum[3] = sum[3] + 0.3 * (sim.x[1] * sim.vy[1] - sim.y[1] * sim.vx[1]) + (turns and 0.5 * 0.3 * 0.04 * sim.angular_velocity_z[1] or 0)
          return sum
        end
        local before, energy, worst = all(), sim:measure "kinetic_energy", 0
        for _ = 1, 100 do
          sim:run { steps = 10 }
          local now = all()
          for k = 1, 3 do worst = math.max(worst, math.abs(now[k] - before[k])) end
        end
        return { worst, sim:measure "kinetic_energy" / energy, a.angular_velocity, sim:report().greatest_overlap } ]])
      assert.is_true(found[1] < 1e-12, scheme .. found[1])
      assert.is_true(found[2] < 0.9, scheme .. found[2])
      assert.is_true(math.abs(found[3] - 3) > 0.1, scheme .. found[3])
      assert.is_true(found[4] < 1e-4, scheme .. found[4])
    end
  end)

  it("show as force what moved them, and what they exert on walls", function()
    local worst, walls = support.run(start("gravity = { 1, -10 }", "floc.inelastic { friction = 0.4 }") .. [[
      local box = sim:add_body { shape = floc.container { width = 3, height = 3 }, angular_velocity = 0.1 }
      local list = {}
      for k = 1, 4 do list[k] = sim:add_body { shape = k % 2 == 0 and floc.box { lower = { -0.3, -0.2 }, upper = { 0.3, 0.2 } } or floc.circle { radius = 0.3 }, position = { 0.65 * (k - 2.5), 0.5 + 0.2 * k }, free = "all", density = 1 } end
      local worst, walls = 0, 0
      for _ = 1, 1500 do
        local v, w = {}, {}
        for k, one in ipairs(list) do v[k], w[k] = sim:measure "momentum_y", one.angular_velocity end
        local p = { sim:measure "momentum_x", sim:measure "momentum_y" }
        sim:run { steps = 1 }
        local mass, force = 0, { 0, 0 }
        for k, one in ipairs(list) do
          worst = math.max(worst, math.abs(one.inertia * (one.angular_velocity - w[k]) - 1e-3 * one.torque))
          mass, force = mass + one.mass, { force[1] + one.force[1], force[2] + one.force[2] }
        end
        worst = math.max(worst, math.abs(force[1] + box.force[1]), math.abs(force[2] + box.force[2]),
          math.abs(sim:measure "momentum_x" - p[1] - 1e-3 * (mass - box.force[1])), math.abs(sim:measure "momentum_y" - p[2] - 1e-3 * (-10 * mass - box.force[2])))
        walls = math.max(walls, -box.force[2])
      end
      return worst, walls ]])
    assert.is_true(worst < 1e-10, worst)
    assert.is_true(walls > 10, walls)
  end)

  it("do not overlap as they tumble in a drum", function()
    local deepest, turned, unconverged = support.run(start(nil, "floc.inelastic { friction = 0.5 }") .. [[
      sim:add_body { shape = floc.hollow { radius = 2 }, angular_velocity = 1.5 }
      local list = {}
      for k = 1, 9 do list[k] = sim:add_body { shape = floc.box { lower = { -0.3, -0.2 }, upper = { 0.3, 0.2 } }, position = { (k % 3 - 1) * 0.8, math.floor(k / 3) * 0.6 - 0.8 }, free = "all", density = 1 } end
      local function read(one)
        local at, angle = one.position, one.angle
        local c, s, found = math.cos(angle), math.sin(angle), { angle = angle, x = at[1], y = at[2] }
        for k, p in ipairs { { -0.3, -0.2 }, { 0.3, -0.2 }, { 0.3, 0.2 }, { -0.3, 0.2 } } do
          found[k] = { at[1] + c * p[1] - s * p[2], at[2] + s * p[1] + c * p[2] }
        end
        return found
      end
      local function depth(a, b) -- of two rectangles, by axes
        if (a.x - b.x) ^ 2 + (a.y - b.y) ^ 2 > 0.6 then return 0 end
        local least = math.huge
        for _, angle in ipairs { a.angle, a.angle + math.pi / 2, b.angle, b.angle + math.pi / 2 } do
          local n, low, high = { math.cos(angle), math.sin(angle) }, { math.huge, math.huge }, { -math.huge, -math.huge }
          for side, one in ipairs { a, b } do
            for _, at in ipairs(one) do
              local along = at[1] * n[1] + at[2] * n[2]
              low[side], high[side] = math.min(low[side], along), math.max(high[side], along)
            end
          end
          least = math.min(least, high[1] - low[2], high[2] - low[1])
        end
        return least
      end
      local deepest = 0
      for _ = 1, 150 do
        sim:run { steps = 20 }
        local now = {}
        for i = 1, 9 do now[i] = read(list[i]) end
        for i = 1, 9 do
          for _, at in ipairs(now[i]) do deepest = math.max(deepest, math.sqrt(at[1] ^ 2 + at[2] ^ 2) - 2) end
          for j = i + 1, 9 do deepest = math.max(deepest, depth(now[i], now[j])) end
        end
      end
      return deepest, math.abs(list[1].angle), sim:report().unconverged_steps ]])
    assert.is_true(deepest < 2e-4, deepest)
    assert.is_true(turned > 1, turned)
    assert.are.equal(0, unconverged)
  end)

  it("are held by the walls of the domain, and by guides and hinges", function()
    local found = support.run(start('gravity = { 0, -10 }, seed = 2, domain = floc.box { lower = { -1, 0 }, upper = { 1, 9 } }, boundary = { "wall", "wall" }') .. [[
      sim:add_particles { count = 40, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -1, 0 }, upper = { 1, 2.6 } } }
      local lid = sim:add_body { shape = floc.segment { { -0.95, 0 }, { 0.95, 0 }, thickness = 0.1 }, position = { 0, 2.8 }, free = { "y" }, mass = 10 }
      local block = sim:add_body { shape = floc.box { lower = { -0.3, 0 }, upper = { 0.3, 0.4 } }, position = { 0.4, 3.2 }, free = "all", mass = 2 }
      sim:run { steps = 4000 }
      local on = block.position[2] - lid.position[2]
      sim = floc.simulation { time_step = 1e-3, dimension = 2, gravity = { 0, -10 }, scheme = floc.inelastic { friction = 0.3 } }
      sim:add_body { shape = floc.circle { radius = 0.5 }, position = { 0.8, -0.6 } }
      local flap = sim:add_body { shape = floc.segment { { 0, 0 }, { 1, 0 }, thickness = 0.02 }, free = { "angle" }, mass = 3 }
      sim:run { steps = 2000 }
      local reach = math.sqrt(0.8 ^ 2 + 0.6 ^ 2) -- the flap lies on the circle: its line is 0.51 from the circle's centre
      return { on, block.angle, flap.angle - (math.asin(0.51 / reach) - math.asin(0.6 / reach)), flap.angular_velocity, lid.position[1] } ]])
    assert.near(0.05, found[1], 1e-5)
    assert.near(0, found[2], 1e-5)
    assert.near(0, found[3], 1e-5)
    assert.near(0, found[4], 1e-6)
    assert.are.equal(0, found[5])
  end)

  it("take friction by materials", function()
    local stays, slides = support.run(start("gravity = { 4, -10 }", "floc.inelastic { friction = function(a, b) return a + b == 1 and 0.5 or 0.3 end }") .. [[
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      local list = {}
      for k = 0, 1 do list[k + 1] = sim:add_body { shape = ]] .. block .. [[, position = { 3 * k, 0.25 }, free = "all", density = 1, material = 1 - k } end
      sim:run { steps = 300 }
      return list[1].velocity[1], list[2].velocity[1] ]])
    assert.near(0, stays, 1e-6)
    assert.near(0.3, slides, 1e-6)
  end)

  it("are resumed bit for bit, on any number of threads", function()
    local folder, hashes = support.folder(), {}
    for _, threads in ipairs { 1, 2, 3 } do
      hashes[#hashes + 1] = support.run(start("gravity = { 0, -10 }, seed = 4, threads = " .. threads, "floc.inelastic { friction = 0.3 }") .. string.format([[
        sim:add_body { shape = floc.container { width = 4, height = 9 } }
        sim:add_particles { count = 60, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -2, 0 }, upper = { 2, 1.7 } } }
        for k = 1, 4 do sim:add_body { shape = ]] .. block .. [[, position = { 0.1 * k, 1.6 + 0.6 * k }, free = "all", density = 3 } end
        sim:checkpoint { path = %q, every = 100, keep = 3 }
        sim:run { steps = 900 }
        return sim:hash() ]], folder .. "/run.floc"))
    end
    for k = 2, #hashes do assert.are.equal(hashes[1], hashes[k]) end
    for k = 0, 2 do assert.are.equal(hashes[1], (support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or "")))) end
    support.remove(folder)
  end)

  it("are refused by name where their contacts are not known", function()
    local floor = 'sim:add_body { shape = floc.plane { normal = { 0, 1 } }, name = "floor" }\n'
    local ball = 'sim:add_body { shape = floc.circle { radius = 1 }, position = { 0, 1.01 }, free = "all", mass = 1, name = "ball" }\n'
    local function refused(text, wanted)
      local message = support.failure(text)
      assert.is_truthy(message:find(wanted, 1, true), message)
    end
    refused(start(nil, "floc.inelastic { restitution = 0.5 }") .. floor .. ball .. "sim:run { steps = 300 }", "body 1 ball, which is free, would touch body 0 floor in step 45, which is not supported: bodies with restitution touch particles alone")
    refused(start() .. [[
      sim:add_body { shape = floc.segment { { -1, 0 }, { 1, 0 } }, name = "shelf" }
      sim:add_body { shape = floc.segment { { -1, 0 }, { 1, 0.1 } }, position = { 0, 0.2 }, free = "all", mass = 1, name = "plate" } sim:run { steps = 300 } ]],
      "which is not supported: a segment and a segment touch, and both have no thickness")
    refused(start() .. floor .. 'sim:add_body { shape = floc.circle { radius = 1 }, position = { 0, 0.5 }, free = "all", mass = 1, name = "ball" } sim:run { steps = 1 }',
      "body 1 (ball), which is free, and body 0 (floor) overlap by 0.5 before step 1; the limit is 0.1 of the smaller one's size")
    refused(start() .. [[
      sim:add_body { shape = floc.circle { radius = 1 }, position = { -3, 0 }, velocity = { 1, 0 }, name = "ram" }
      sim:add_body { shape = floc.circle { radius = 1 }, free = { "y" }, mass = 1, load = { force = { 0, 10 } }, name = "lift" } sim:run { steps = 3000 } ]],
      "which is not supported: it is guided or hinged, and cannot give way")
  end)
end)
