-- Further passes of the projection: overlap of what turns, balances, the same bits, and what is refused.

local support = require "support"

-- Pairs of polygons of circumradius 0.5 just about to touch, half of them nearly side to side, that turn by up to 0.05 and slip by up
-- to as much of the radius in one step: the greatest overlap after it, in radii.
local pairs_of = [[local floc = require "floc"
  local sides, passes, count, a, h, seed = %d, %d, 300, 0.05, 1e-2, 12345
  local function random() seed = (seed * 1103515245 + 12345) %% 2147483648 return seed / 2147483648 end
  local function corners(angle, x, y)
    local out = {}
    for k = 0, sides - 1 do
      local t = angle + 2 * math.pi * k / sides
      out[k + 1] = { x + 0.5 * math.cos(t), y + 0.5 * math.sin(t) }
    end
    return out
  end
  local function separation(p, q)
    local best = -math.huge
    for _, pair in ipairs { { p, q }, { q, p } } do
      local one, two = pair[1], pair[2]
      for k = 1, #one do
        local m = k %% #one + 1
        local ex, ey = one[m][1] - one[k][1], one[m][2] - one[k][2]
        local nx, ny, low = ey / math.sqrt(ex * ex + ey * ey), -ex / math.sqrt(ex * ex + ey * ey), math.huge
        for _, v in ipairs(two) do low = math.min(low, (v[1] - one[k][1]) * nx + (v[2] - one[k][2]) * ny) end
        best = math.max(best, low)
      end
    end
    return best
  end
  local sim = floc.simulation { time_step = h, dimension = 2, scheme = floc.inelastic { passes = passes, tolerance = 1e-10 } }
  for n = 1, count do
    local X, Y, t1, t2 = 4 * (n %% 20), 4 * math.floor(n / 20), 6.28 * random(), 6.28 * random()
    if n %% 2 == 0 then t2 = t1 + 0.1 * (random() - 0.5) end
    local way, low, high = 6.28 * random(), 0.2, 1.2
    for _ = 1, 60 do
      local middle = 0.5 * (low + high)
      if separation(corners(t1, 0, 0), corners(t2, middle * math.cos(way), middle * math.sin(way))) > 1e-6 then high = middle else low = middle end
    end
    local vx, vy = 0.25 / h * a * (2 * random() - 1), 0.25 / h * a * (2 * random() - 1)
    local form = floc.polygon { sides = sides, rounding = 0 }
    local far = high + 0.15 * a * random()
    local i = sim:add_particle { position = { X, Y }, radius = 0.5, mass = 1, shape = form, angle = t1, velocity = { vx, vy } }
    local j = sim:add_particle { position = { X + far * math.cos(way), Y + far * math.sin(way) }, radius = 0.5, mass = 1, shape = form, angle = t2, velocity = { -vx, -vy } }
    sim.wz[i], sim.wz[j] = (2 * random() - 1) * a / h, (2 * random() - 1) * a / h
  end
  -- the first of them as free bodies too
  local bodies, list, outline = floc.simulation { time_step = h, dimension = 2, scheme = floc.inelastic { passes = passes, tolerance = 1e-10 } }, {}, corners(0, 0, 0)
  outline[sides + 1] = outline[1]
  for k = 1, passes > 1 and 100 or 0 do
    list[k] = bodies:add_body { shape = floc.polyline(outline), free = "all", mass = 1, position = { sim.x[k], sim.y[k] }, angle = sim.angle[k],
      velocity = { sim.vx[k], sim.vy[k] }, angular_velocity = sim.wz[k] }
  end
  sim:run { steps = 1 }
  bodies:run { steps = 1 }
  local apart = 0
  for k, one in ipairs(list) do
    apart = math.max(apart, math.abs(one.position[1] - sim.x[k]), math.abs(one.position[2] - sim.y[k]), math.abs(one.angle - sim.angle[k]))
  end
  local overlap = 0
  for k = 1, #list, 2 do
    local one, two = list[k], list[k + 1]
    overlap = math.max(overlap, -2 * separation(corners(one.angle, one.position[1], one.position[2]), corners(two.angle, two.position[1], two.position[2])))
  end
  return { sim:check_overlap(), sim:report().unconverged_steps, apart, #list, overlap } ]]

describe("passes", function()
  it("leave what turns apart", function()
    for _, sides in ipairs { 4, 6 } do
      local once, thrice = support.run(pairs_of:format(sides, 1)), support.run(pairs_of:format(sides, 3))
      assert.is_true(once[1] > 2e-3, sides .. " " .. once[1])
      assert.is_true(thrice[1] < 1e-3, sides .. " " .. thrice[1])
      assert.are.equal(0, thrice[2])
      assert.are.equal(100, thrice[4])
      assert.is_true(thrice[3] < 1e-4, sides .. " " .. thrice[3]) -- bodies go where grains of their shape go
      assert.is_true(thrice[5] < 1e-3, sides .. " " .. thrice[5])
    end
  end)

  local function start(scheme, more)
    return ([[local floc = require "floc"
      local sim = floc.simulation { time_step = 2e-3, dimension = 2, scheme = %s, %s }
    ]]):format(scheme, more or "seed = 1")
  end

  it("keep momentum and angular momentum of grains and of bodies", function()
    for _, make in ipairs { [[
        local form = floc.polygon { sides = 5 }
        for k = 0, 5 do sim:add_particle { position = { k % 3 - 1 + 0.1 * k, math.floor(k / 3) + 0.02 * k }, radius = 0.4, mass = 1 + k, shape = form, angle = k, velocity = { -4 * (k % 3 - 1), 2 - 4 * math.floor(k / 3) } } end
        for k = 1, 6 do sim.wz[k] = 9 * (k - 3) end
        local function turning(k) return inertia_of[k] * sim.wz[k] end
        local inertia_of = {}
        for k = 1, 6 do
          local kept = {}
          for m = 1, 6 do kept[m] = sim.wz[m] sim.wz[m] = m == k and 1 or 0 end
          inertia_of[k] = 2 * sim:measure "rotational_kinetic_energy"
          for m = 1, 6 do sim.wz[m] = kept[m] end
        end
        local function momenta()
          local L = 0
          for k = 1, 6 do L = L + sim.mass[k] * (sim.x[k] * sim.vy[k] - sim.y[k] * sim.vx[k]) + inertia_of[k] * sim.wz[k] end
          return { sim:measure "momentum_x", sim:measure "momentum_y", L }
        end ]], [[
        local list = {}
        for k = 0, 3 do list[k + 1] = sim:add_body { shape = floc.box { lower = { -0.4, -0.3 }, upper = { 0.4, 0.3 } }, position = { k % 2 - 0.5 + 0.1 * k, math.floor(k / 2) }, free = "all", mass = 1 + k,
          velocity = { 2 - 4 * (k % 2), 2 - 4 * math.floor(k / 2) }, angular_velocity = 9 * (k - 1) } end
        sim:add_particle { position = { -1, 0.5 }, radius = 0.1, mass = 0.3, velocity = { 4, 0 } }
        local function momenta()
          local L = 0.3 * (sim.x[1] * sim.vy[1] - sim.y[1] * sim.vx[1]) + 0.0015 * sim.angular_velocity_z[1]
          for _, one in ipairs(list) do
            local c, v = one.position, one.velocity
            L = L + one.inertia * one.angular_velocity + one.mass * (c[1] * v[2] - c[2] * v[1])
          end
          return { sim:measure "momentum_x", sim:measure "momentum_y", L }
        end ]] } do
      local found = support.run(start "floc.inelastic { friction = 0.3, passes = 2 }" .. make .. [[
        local before, energy, worst = momenta(), sim:measure "kinetic_energy", 0
        for _ = 1, 50 do
          sim:run { steps = 10 }
          local now = momenta()
          for k = 1, 3 do worst = math.max(worst, math.abs(now[k] - before[k])) end
        end
        return { worst, sim:measure "kinetic_energy" / energy } ]])
      assert.is_true(found[1] < 1e-11, found[1])
      assert.is_true(found[2] < 0.9, found[2])
    end
  end)

  -- A motor turns an arm among blocks and discs.
  local arm = [[
    local arm = sim:add_body { shape = floc.box { lower = { -0.2, -1 }, upper = { 0.2, 1 } }, free = "all", density = 1 }
    sim:add_joint { kind = "hinge", body = arm, anchor = { 0, 0 }, motor = { velocity = 3, torque = 200 } }
    for k = 1, 4 do sim:add_body { shape = floc.box { lower = { -0.3, -0.2 }, upper = { 0.3, 0.2 } }, position = { -1.5 + 0.7 * k, 1.6 + 0.5 * k }, free = "all", density = 1 } end
    sim:add_body { shape = floc.container { width = 4, height = 6 }, position = { 0, -1.5 } }
    sim:add_particles { count = 20, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -1.8, 3 }, upper = { 1.8, 4.4 } } }
  ]]

  it("leave joints closed, and what they turn apart", function()
    local overlaps = {}
    for passes = 1, 3 do
      local found = support.run(start("floc.inelastic { friction = 0.3, passes = " .. passes .. " }", "gravity = { 0, -10 }, seed = 3"):gsub("2e%-3", "1e-2") .. arm .. [[
        local worst, off = 0, 0
        for _ = 1, 200 do
          sim:run { steps = 1 }
          worst, off = math.max(worst, sim:check_overlap()), math.max(off, math.abs(arm.position[1]), math.abs(arm.position[2]))
        end
        return { worst, off, sim:report().unconverged_steps } ]])
      overlaps[passes] = found[1]
      assert.is_true(found[2] < 1e-12, found[2])
      assert.are.equal(0, found[3])
    end
    assert.is_true(overlaps[1] > 0.02 and overlaps[2] < 0.5 * overlaps[1] and overlaps[3] < 5e-3, table.concat(overlaps, " "))
  end)

  it("are resumed bit for bit, on any number of threads", function()
    local grains = [[
      sim:add_body { shape = floc.container { width = 4, height = 9 } }
      sim:add_particles { count = 30, radius = { 0.2, 0.3 }, density = 1, shape = floc.polygon { sides = 6 }, region = floc.box { lower = { -2, 0 }, upper = { 2, 6 } } } ]]
    for _, scene in ipairs { grains, arm } do
      local folder, hashes = support.folder(), {}
      for _, threads in ipairs { 1, 2, 3 } do
        hashes[#hashes + 1] = support.run(start("floc.inelastic { friction = 0.3, passes = 2 }", "gravity = { 0, -10 }, seed = 4, threads = " .. threads) .. scene .. string.format([[
          sim:checkpoint { path = %q, every = 100, keep = 3 }
          sim:run { steps = 400 }
          return { sim:hash(), sim:report().unconverged_steps } ]], folder .. "/run.floc"))
      end
      for k = 1, 3 do assert.are.same({ hashes[1][1], 0 }, hashes[k]) end
      for k = 0, 2 do assert.are.equal(hashes[1][1], (support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or "")))[1]) end
      support.remove(folder)
    end
  end)

  it("are refused by name where they are not made", function()
    local message = support.failure(start "floc.inelastic { passes = 2, restitution = 0.3 }")
    assert.is_truthy(message:find("passes is 2, which is not supported with restitution; it must be 0 or 1", 1, true), message)
    message = support.failure(start "floc.inelastic { passes = 5 }")
    assert.is_truthy(message:find("passes is 5; it must be", 1, true), message)
    message = support.failure(start "floc.gluey { passes = 2 }")
    assert.is_truthy(message:find("passes", 1, true), message)
    message = support.failure(start "floc.inelastic { passes = 2 }" .. [[
      for k = 1, 2 do sim:add_particle { position = { k, 0 }, radius = 0.5 } end
      sim:add_assembly { particles = { 1, 2 } } sim:run { steps = 1 } ]])
    assert.is_truthy(message:find("passes is 2, which is not supported with rigid assemblies", 1, true), message)
  end)
end)
