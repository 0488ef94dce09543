-- Free bodies that touch each other, other bodies and the walls of the domain in space, under the projection: stacks, Coulomb's angle,
-- dominoes, balances, resume, and what is refused.

local support = require "support"

local function start(options, scheme)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { time_step = 1e-3, dimension = 3, scheme = %s, %s }
  local function block(at, a, b, c, more)
    local options = { shape = floc.box { lower = { -a / 2, -b / 2, -c / 2 }, upper = { a / 2, b / 2, c / 2 } }, position = at, free = "all", density = 1 }
    for name, value in pairs(more or {}) do options[name] = value end
    return sim:add_body(options)
  end
  ]], scheme or "floc.inelastic { friction = 0.3 }", options or "gravity = { 0, 0, -10 }")
end

local ground = "local floor = sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }\n"

-- Momentum and angular momentum of free bodies together.
local total = [[
  local function cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end
  local function turned(q, v, back)
    local w, u = q[1], { q[2], q[3], q[4] }
    if back then w = -w end
    local t = cross(u, v)
    local s = cross(u, t)
    return { v[1] + 2 * (w * t[1] + s[1]), v[2] + 2 * (w * t[2] + s[2]), v[3] + 2 * (w * t[3] + s[3]) }
  end
  local function total(list)
    local sum = { 0, 0, 0, 0, 0, 0 }
    for _, one in ipairs(list) do
      local c, w, m, I = one.center, one.angular_velocity, one.mass, one.inertia
      local arm = { c[1] - one.position[1], c[2] - one.position[2], c[3] - one.position[3] }
      local add, v, p = cross(w, arm), {}, {}
      for a = 1, 3 do v[a] = one.velocity[a] + add[a] p[a] = m * v[a] end
      local own = turned(one.orientation, w, true)
      local L = turned(one.orientation, { I[1] * own[1] + I[4] * own[2] + I[5] * own[3], I[4] * own[1] + I[2] * own[2] + I[6] * own[3], I[5] * own[1] + I[6] * own[2] + I[3] * own[3] })
      local orbit = cross(c, p)
      for a = 1, 3 do sum[a], sum[3 + a] = sum[a] + p[a], sum[3 + a] + L[a] + orbit[a] end
    end
    return sum
  end
]]

describe("bodies that touch in space", function()
  it("stand on each other, and each bears what is above it", function()
    for friction, shift in pairs { [0] = 0.03, [0.5] = 0 } do
      local found = support.run(start(nil, ("floc.inelastic { friction = %g }"):format(friction)) .. ground .. ("local shift = %g\n"):format(shift) .. [[
        local pile, worst, force = {}, 0, 0
        for k = 1, 5 do pile[k] = block({ shift * k, 0.7 * shift * k, 0.5 * k - 0.25 + 0.001 * k }, 1, 0.8, 0.5) end
        sim:run { steps = 1000 }
        for k = 1, 5 do
          local p = pile[k].position
          worst = math.max(worst, math.abs(p[1] - shift * k), math.abs(p[2] - 0.7 * shift * k), math.abs(p[3] - 0.5 * k + 0.25))
          force = math.max(force, math.abs(pile[k].force[3] - 4))
        end
        return { worst, force, floor.force[3], sim:report().unconverged_steps, sim:measure "kinetic_energy" } ]])
      assert.is_true(found[1] < 1e-6, found[1])
      assert.is_true(found[2] < 5e-3, found[2])
      assert.near(-20, found[3], 1e-2)
      assert.are.equal(0, found[4])
      assert.is_true(found[5] < 1e-8, found[5])
    end
  end)

  it("rest on a slope below Coulomb's angle and slide above it, on a plane and on a box", function()
    for factor, floor in pairs { [0.98] = "plane { normal = { 0, 0, 1 } }", [1.02] = "plane { normal = { 0, 0, 1 } }", [1.5] = "box { lower = { -9, -9, -1 }, upper = { 9, 9, 0 } }" } do
      local angle = math.atan(0.3) * factor
      local found = support.run(start(("gravity = { %.17g, %.17g, %.17g }"):format(8 * math.sin(angle), 6 * math.sin(angle), -10 * math.cos(angle))) .. [[
        sim:add_body { shape = floc.]] .. floor .. [[ }
        local one = block({ 0, 0, 0.25 }, 1, 0.8, 0.5)
        sim:run { steps = 500 }
        return { one.velocity[1], one.velocity[2], one.position[3], one.force[3] / one.mass, one.angular_velocity[3], sim:report().unconverged_steps } ]])
      local wanted = 0.5 * math.max(0, 10 * (math.sin(angle) - 0.3 * math.cos(angle)))
      assert.near(0.8 * wanted, found[1], 1e-6)
      assert.near(0.6 * wanted, found[2], 1e-6)
      assert.near(0.25, found[3], 1e-6)
      assert.near(10 * math.cos(angle), found[4], 1e-3)
      assert.near(0, found[5], 1e-6)
      assert.are.equal(0, found[6])
    end
  end)

  it("keep momentum and angular momentum when they collide, and do not pass through each other", function()
    for _, scheme in ipairs { "floc.inelastic {}", "floc.inelastic { friction = 0.3, passes = 2 }" } do
      local found = support.run(start("gravity = { 0, 0, 0 }", scheme) .. total .. [[
        local list = {
          block({ -1, 0.1, 0.2 }, 1, 0.8, 0.6, { velocity = { 2, 0, 0 }, angular_velocity = { 1, 2, 3 } }),
          block({ 0.6, 0, 0 }, 0.7, 0.7, 1, { angular_velocity = { -1, 0, 2 } }),
          sim:add_body { shape = floc.capsule { { -0.4, 0, 0 }, { 0.4, 0, 0 }, radius = 0.2 }, position = { 0, 1.2, 0.1 }, free = "all", density = 1, velocity = { 0, -2, 0 } },
          sim:add_body { shape = floc.sphere { radius = 0.3 }, position = { 0.2, 0, 1.3 }, free = "all", density = 2, velocity = { 0, 0, -2 } },
          sim:add_body { shapes = { floc.sphere { radius = 0.3 }, floc.box { lower = { 0, -0.1, -0.1 }, upper = { 1, 0.1, 0.1 } } }, position = { -0.2, 0.1, -1 }, free = "all", density = 1, velocity = { 0, 0, 2 } } }
        local before, energy, worst = total(list), sim:measure "kinetic_energy", 0
        for _ = 1, 60 do
          sim:run { steps = 10 }
          local now = total(list)
          for k = 1, 6 do worst = math.max(worst, math.abs(now[k] - before[k])) end
        end
        return { worst, sim:measure "kinetic_energy" / energy, sim:report().greatest_overlap } ]])
      assert.is_true(found[1] < 1e-12, scheme .. found[1])
      assert.is_true(found[2] < 0.8, scheme .. found[2])
      assert.is_true(found[3] < 1e-4, scheme .. found[3])
    end
    local a, b, v = support.run(start("gravity = { 0, 0, 0 }", "floc.inelastic { tolerance = 1e-13 }") .. [[
      local a, b = block({ -1, 0, 0 }, 1, 1, 1, { velocity = { 1, 0, 0 } }), block({ 1, 0, 0 }, 1, 1, 1, { velocity = { -0.5, 0, 0 } })
      sim:run { steps = 800 }
      return a.position[1], b.position[1], a.velocity[1] ]])
    assert.near(0.25, v, 1e-9) -- they meet after 2/3, at -1/3, and continue together
    assert.near(-1 / 3 + 0.25 * (0.8 - 2 / 3), a, 1e-3)
    assert.near(1, b - a, 1e-9)
  end)

  it("show as force and torque what moved them", function()
    local worst, below = support.run(start(nil, "floc.inelastic { friction = 0.4 }") .. total .. ground .. [[
      local list = { block({ 0, 0, 0.4 }, 1, 1, 0.5), block({ 0.3, 0.2, 1 }, 0.6, 0.6, 0.4, { angular_velocity = { 1, 0, 1 } }), sim:add_body { shape = floc.sphere { radius = 0.3 }, position = { 0.4, 0.3, 1.8 }, free = "all", density = 1 } }
      local worst, below = 0, 0
      for _ = 1, 600 do
        local before, mass, force, torque = total(list), 0, { 0, 0, 0 }, { 0, 0, 0 }
        local about = {}
        for k, one in ipairs(list) do about[k] = one.center end
        sim:run { steps = 1 }
        local now = total(list)
        for k, one in ipairs(list) do
          mass = mass + one.mass
          for a = 1, 3 do force[a] = force[a] + one.force[a] end
          local arm = cross(about[k], { one.force[1], one.force[2], one.force[3] - 10 * one.mass })
          for a = 1, 3 do torque[a] = torque[a] + one.torque[a] + arm[a] end
        end
        for a = 1, 3 do worst = math.max(worst, math.abs(force[a] + floor.force[a]), math.abs(now[a] - before[a] - 1e-3 * (force[a] + (a == 3 and -10 * mass or 0))), math.abs(now[3 + a] - before[3 + a] - 1e-3 * torque[a])) end
        below = math.max(below, -floor.force[3])
      end
      return worst, below ]])
    assert.is_true(worst < 1e-11, worst)
    assert.is_true(below > 6, below)
  end)

  it("fall in a row of dominoes, one by the other", function()
    local found = support.run(start() .. ground .. [[
      local row, fell = {}, {}
      for k = 1, 6 do row[k] = block({ 0.4 * k, 0, 0.5 }, 0.15, 0.5, 1, k == 1 and { velocity = { 0.4, 0, 0 }, angular_velocity = { 0, 0.8, 0 } }) end
      for _ = 1, 260 do
        sim:run { steps = 10 }
        for k, one in ipairs(row) do
          if not fell[k] and 2 * math.asin(math.abs(one.orientation[3])) > 0.2 then fell[k] = sim.time end
        end
      end
      local order = true
      for k = 2, 6 do order = order and fell[k] and fell[k - 1] and fell[k] > fell[k - 1] end
      local function lean(one) return 2 * math.asin(math.abs(one.orientation[3])) end
      return { lean(row[1]), lean(row[6]), order, sim:report().unconverged_steps } ]])
    local first, last, order, unconverged = found[1], found[2], found[3], found[4]
    assert.is_true(order)
    assert.near(math.pi / 2, last, 2e-3)
    assert.is_true(first > 1 and first < math.pi / 2, first)
    assert.are.equal(0, unconverged)
  end)

  it("touch sheets and walls of the domain, with friction by materials", function()
    local found = support.run(start('gravity = { 4, 0, -10 }, domain = floc.box { lower = { -1, -1, 0 }, upper = { 9, 9, 9 } }, boundary = "wall"', "floc.inelastic { friction = function(a, b) return a + b == 1 and 0.5 or 0.3 end }") .. [[
      sim:add_body { shapes = { floc.triangle { { -1, 0.1, 1 }, { 9, 0.1, 1 }, { 9, 9, 1 } }, floc.triangle { { -1, 0.1, 1 }, { 9, 9, 1 }, { -1, 9, 1 } } } }
      local list = {}
      for k = 0, 1 do list[k + 1] = block({ 0, 1 + 3 * k, 1.25 }, 1, 0.8, 0.5, { material = 1 - k }) end
      local low = block({ 8.5, -0.5, 0.3 }, 0.4, 0.4, 0.4)
      sim:run { steps = 1200 }
      return { list[1].velocity[1], list[2].velocity[1], list[2].position[3], low.position[1], low.position[3] } ]])
    assert.near(0, found[1], 1e-5)
    assert.near(1.2, found[2], 1e-4)
    assert.near(1.25, found[3], 1e-6)
    assert.near(8.8, found[4], 1e-6)
    assert.near(0.2, found[5], 1e-6)
  end)

  it("are resumed bit for bit, on any number of threads", function()
    local folder, hashes = support.folder(), {}
    for _, threads in ipairs { 1, 2, 3, 8 } do
      hashes[#hashes + 1] = support.run(start("gravity = { 0, 0, -10 }, seed = 4, threads = " .. threads) .. ground .. string.format([[
        sim:add_particles { count = 30, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -0.5, -0.5, 0 }, upper = { 0.5, 0.5, 1 } } }
        for k = 1, 4 do block({ 0.1 * k, 0, 1 + 0.6 * k }, 1, 0.8, 0.5) end
        sim:checkpoint { path = %q, every = 100, keep = 2 }
        sim:run { steps = 400 }
        return sim:hash() ]], folder .. "/run.floc"))
    end
    for k = 2, #hashes do assert.are.equal(hashes[1], hashes[k]) end
    for k = 0, 1 do assert.are.equal(hashes[1], (support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or "")))) end
    support.remove(folder)
  end)

  it("are refused by name where their contacts are not known", function()
    local function refused(text, wanted)
      local message = support.failure(text)
      assert.is_truthy(message:find(wanted, 1, true), message)
    end
    local ball = 'sim:add_body { shape = floc.sphere { radius = 1 }, position = { 0, 0, 1.01 }, free = "all", mass = 1, name = "ball" }\n'
    refused(start(nil, "floc.inelastic { restitution = 0.5 }") .. ground .. ball .. "sim:run { steps = 300 }", "body 1 ball, which is free, would touch body 0 in step 45, which is not supported: bodies with restitution touch particles alone")
    refused(start() .. ground .. 'block({ 0, 0, 0 }, 1, 1, 1, { name = "sunk" }) sim:run { steps = 1 }', "body 1 (sunk), which is free, and body 0 (without a name) overlap by 0.5 before step 1")
    refused(start() .. [[
      sim:add_body { shape = floc.torus { ring_radius = 1, tube_radius = 0.3 }, name = "ring" }
      sim:add_body { shape = floc.sphere { radius = 0.3 }, position = { 1, 0, 0.7 }, free = "all", mass = 1, name = "ball" } sim:run { steps = 300 } ]],
      "which is not supported: a sphere and a torus touch, of which no contacts are known")
    refused(start() .. [[
      local sheet = floc.triangle { { -1, -1, 0 }, { 1, -1, 0 }, { 0, 1, 0 }, thickness = 0.1 }
      sim:add_body { shape = sheet, name = "shelf" }
      sim:add_body { shape = sheet, position = { 0, 0, 0.2 }, free = "all", mass = 1, name = "plate" } sim:run { steps = 300 } ]],
      "which is not supported: a triangle and a triangle touch, and neither belongs to a closed convex mesh of up to 32 corners")
  end)
end)
