-- Laws that do more than exert a force: vectors, torques, exchanges, sums and the order that they give to laws, random numbers.
-- Each against a closed form or a conservation law, traced and called; what is refused names what is wrong.

local support = require "support"

local function each_way(run)
  for _, way in ipairs { "traced", "called" } do run(way) end
end

describe("an exchange", function()
  it("conducts heat along a chain as the exact solution, and keeps the sum", function()
    each_way(function(way)
      local steps = way == "traced" and 15000 or 1500
      local worst, sum = support.run(string.format([[
        local floc = require "floc"
        local way, steps = %q, %d
        local n, cosine = 100, math.pi / 100
        local sim = floc.simulation { time_step = 1, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
        sim:add_attribute("temperature", 0)
        for k = 1, n do sim:add_particle { position = { k, 0 }, radius = 0.5 } end
        for k = 1, n do sim.temperature[k] = 3 + math.cos(cosine * (k - 0.5)) end
        local conductance = 1e-5 / (2 - 2 * math.cos(cosine)) -- the rate of the slowest mode is 1e-5
        sim:add_force { way = way, returns = { "rate_temperature" }, range = 0.1, law = function(overlap, temperature_i, temperature_j)
          return conductance * (temperature_j - temperature_i)
        end }
        sim:run { steps = steps }
        local worst, sum, decay = 0, 0, math.exp(-1e-5 * steps)
        for k = 1, n do
          worst = math.max(worst, math.abs(sim.temperature[k] - 3 - decay * math.cos(cosine * (k - 0.5))))
          sum = sum + sim.temperature[k]
        end
        return worst, sum ]], way, steps))
      assert.is_true(worst < 1e-6, "differs by " .. worst)
      assert.is_true(worst > 1e-9, "there is the error of the time step")
      assert.is_true(math.abs(sum / 300 - 1) < 1e-12, "the sum is " .. sum)
    end)
  end)
end)

describe("a sum", function()
  it("is the density of a lattice, and is read finished", function()
    each_way(function(way)
      local worst, force = support.run(string.format([[
        local floc = require "floc"
        local sim = floc.simulation { dimension = 3, time_step = 1e-3, domain = floc.box { lower = { 0, 0, 0 }, upper = { 6, 6, 6 } },
          boundary = "periodic", scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
        sim:add_attribute("density", 0)
        for i = 0, 5 do for j = 0, 5 do for k = 0, 5 do
          sim:add_particle { position = { i + 0.5, j + 0.5, k + 0.5 }, radius = 0.1, mass = 1 }
        end end end
        local way, reach = %q, 2.2
        local function kernel(r) return (1 - (r / reach) ^ 2) ^ 3 end
        -- the reader comes first: laws are ordered by what they read
        sim:add_force { way = way, range = reach - 0.2, returns = { "force_x", "energy" },
          law = function(distance, normal_x, sum_density_i, sum_density_j)
            return (1 / sum_density_i + 1 / sum_density_j) * normal_x * (reach - distance), sum_density_i
          end }
        sim:add_force { way = way, range = reach - 0.2, returns = { "sum_density" }, law = function(distance) return kernel(distance) end }
        sim:add_field { way = way, returns = { "sum_density" }, law = function(mass) return mass end }
        sim:run { steps = 3 }
        local expected = 1
        for i = -2, 2 do for j = -2, 2 do for k = -2, 2 do
          local r = math.sqrt(i * i + j * j + k * k)
          if r > 0 and r < reach then expected = expected + kernel(r) end
        end end end
        local worst, force = 0, 0
        for k = 1, 216 do
          worst = math.max(worst, math.abs(sim.density[k] / expected - 1))
          force = math.max(force, math.abs(sim.fx[k]))
        end
        return worst, force ]], way))
      assert.is_true(worst < 1e-12, "differs by " .. worst)
      assert.is_true(force < 1e-12)
    end)
  end)

  it("gives copper the energy and the equilibrium of Sutton and Chen", function()
    -- A. P. Sutton, J. Chen, Philosophical Magazine Letters 61 (1990) 139: n = 9, m = 6, c = 39.432, epsilon = 1.2382e-2 eV,
    -- a = 3.61 A; fitted to the cohesive energy of 3.49 eV. The tail beyond the cut-off is an integral over uniform density.
    local per_atom, residual, energy_again = support.run [[
      local floc = require "floc"
      local a, n, m, c, epsilon, cells = 3.61, 9, 6, 39.432, 1.2382e-2, 5
      local length, reach = a * cells, 8.9
      local sim = floc.simulation { dimension = 3, time_step = 1e-9, domain = floc.box { lower = { 0, 0, 0 }, upper = { length, length, length } },
        boundary = "periodic", scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      for i = 0, cells - 1 do for j = 0, cells - 1 do for k = 0, cells - 1 do
        for _, p in ipairs { { 0, 0, 0 }, { 0.5, 0.5, 0 }, { 0.5, 0, 0.5 }, { 0, 0.5, 0.5 } } do
          sim:add_particle { position = { (i + p[1] + 0.1) * a, (j + p[2] + 0.1) * a, (k + p[3] + 0.1) * a }, radius = 0.1, mass = 1 }
        end
      end end end
      local number_density = 4 / a ^ 3
      local rho_tail = 4 * math.pi * number_density * a ^ m * reach ^ (3 - m) / (m - 3)
      local pair_tail = 2 * math.pi * number_density * epsilon * a ^ n * reach ^ (3 - n) / (n - 3)
      local copper = sim:add_many_body { range = reach - 0.2,
        sums = { rho = function(distance) return (a / distance) ^ m end },
        energy = function(rho) return -epsilon * c * math.sqrt(rho + rho_tail) end,
        potential = function(distance) return epsilon * (a / distance) ^ n end }
      local before = copper.energy / 500 + pair_tail
      sim:run { steps = 1 }
      local force = 0
      for k = 1, 500 do force = math.max(force, math.abs(sim.fx[k])) end
      return before, force, sim:measure "law_energy" / 500 + pair_tail ]]
    assert.is_true(math.abs(per_atom + 3.49) < 0.01, "energy per atom " .. per_atom)
    assert.is_true(residual < 1e-10, "force " .. residual)
    assert.is_true(math.abs(energy_again - per_atom) < 1e-9)
  end)
end)

describe("vectors and torques", function()
  -- Point dipoles of unit strength in the plane of z = 0 with angle a: energy (cos(a - b) - 3 cos a' cos b')/r^3, a' from the line.
  it("turn and attract two dipoles as the closed form", function()
    each_way(function(way)
      local worst = support.run(string.format([[
        local floc = require "floc"
        local worst = 0
        for case = 1, 20 do
          local sim = floc.simulation { dimension = 2, time_step = 1e-4,
            scheme = floc.inelastic { rotation = true } }
          local r, line, a, b = 2 + 0.1 * case, 0.3 * case, 0.7 * case, 1.1 * case
          sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1 }
          sim:add_particle { position = { r * math.cos(line), r * math.sin(line) }, radius = 0.5, mass = 1 }
          sim.angle[1], sim.angle[2] = a, b
          sim:add_force { way = %q, range = 5, returns = { "force_x", "force_y", "torque_i_z", "torque_j_z", "energy" },
            law = function(distance, normal_x, normal_y, angle_i, angle_j)
              local ax, ay, bx, by = math.cos(angle_i), math.sin(angle_i), math.cos(angle_j), math.sin(angle_j)
              local an, bn, ab = ax * normal_x + ay * normal_y, bx * normal_x + by * normal_y, ax * bx + ay * by
              local f = 3 / distance ^ 4
              local fx = f * ((5 * an * bn - ab) * normal_x - bn * ax - an * bx) -- on i
              local fy = f * ((5 * an * bn - ab) * normal_y - bn * ay - an * by)
              local d3 = distance ^ 3
              local cross = ax * by - ay * bx
              return fx, fy, (3 * bn * (ax * normal_y - ay * normal_x) - cross) / d3,
                (3 * an * (bx * normal_y - by * normal_x) + cross) / d3, (ab - 3 * an * bn) / d3
            end }
          sim:run { steps = 1 } -- forces are those of its start
          local p, q = a - line, b - line
          -- U = -(cos(p - q) + 3 cos(p + q))/(2 r^3); its slopes are forces and torques
          local radial = -3 * (math.cos(p - q) + 3 * math.cos(p + q)) / (2 * r ^ 4)
          local torque_1 = -(math.sin(p - q) + 3 * math.sin(p + q)) / (2 * r ^ 3)
          local torque_2 = -(-math.sin(p - q) + 3 * math.sin(p + q)) / (2 * r ^ 3)
          local around = -(torque_1 + torque_2) / r
          local fx = radial * math.cos(line) - around * math.sin(line)
          local fy = radial * math.sin(line) + around * math.cos(line)
          for _, error in ipairs { sim.fx[2] - fx, sim.fy[2] - fy, sim.fx[1] + fx, sim.fy[1] + fy, sim.tz[1] - torque_1, sim.tz[2] - torque_2,
            sim.wz[1] - 1e-4 * torque_1 / 0.125, sim.vx[2] - 1e-4 * fx } do
            worst = math.max(worst, math.abs(error))
          end
        end
        return worst ]], way))
      assert.is_true(worst < 1e-10, "differs by " .. worst)
    end)
  end)

  it("stop a rolling disc where the formula says", function()
    -- m v' = -f, I w' = f R - M with v = w R: v' = -M/(R (m + I/R^2)) until it stops at v^2/(2 |v'|).
    local way, exact, speed = support.run [[
      local floc = require "floc"
      local R, m, M, v = 0.1, 2, 0.05, 0.5
      local sim = floc.simulation { dimension = 2, time_step = 1e-5, gravity = { 0, -9.81 },
        scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet", rotation = true } }
      sim:add_body { shape = floc.plane { point = { 0, 0 }, normal = { 0, 1 } } }
      local k, kt = 1e6, 5e5
      sim:add_particle { position = { 0, R - m * 9.81 / k }, radius = R, mass = m, velocity = { v, 0 } }
      sim.wz[1] = -v / R
      sim:add_wall_force { range = 0.01, memory = { "spring" }, returns = { "normal", "tangential", "torque_z", "spring" },
        law = function(overlap, normal_velocity, tangential_velocity, wz, spring, time_step)
          if overlap <= 0 then return 0, 0, 0, 0 end
          spring = spring + tangential_velocity * time_step
          local roll = M * math.max(-1, math.min(1, wz / 1e-3))
          return k * overlap - 300 * normal_velocity, -kt * spring - 300 * tangential_velocity, -roll, spring
        end }
      local start = sim.x[1]
      sim:run { until_ = function(sim) return math.abs(sim.vx[1]) < 2e-4 end }
      local slowing = M / (R * (m + 0.5 * m))
      return sim.x[1] - start, v * v / (2 * slowing), sim.vx[1] ]]
    assert.is_true(math.abs(speed) < 2e-4)
    assert.is_true(math.abs(way / exact - 1) < 1e-3, way .. " " .. exact)
  end)
end)

describe("a free cloud with all outputs", function()
  local script = [[
    local floc = require "floc"
    local dimension, threads, way = %d, %d, %q
    local sim = floc.simulation { dimension = dimension, time_step = 1e-4, threads = threads, seed = 7,
      scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet", rotation = true } }
    sim:add_attribute("heat", 1)
    sim:add_attribute("density", 0)
    sim:add_particles { count = %d, radius = 0.05, velocity_spread = 1,
      region = floc.box { lower = dimension == 2 and { 0, 0 } or { 0, 0, 0 }, upper = dimension == 2 and { %g, %g } or { 1, 1, 1 } } }
    sim:add_force { way = way, range = 0.05, returns = { "sum_density", "rate_heat" }, law = function(overlap, heat_i, heat_j, uniform_random)
      return (overlap + 0.05) ^ 2, uniform_random * (heat_j - heat_i)
    end }
    if dimension == 2 then
      sim:add_force { way = way, range = 0.05, memory = { "age" }, parameters = { k = 20 },
        returns = { "force_x", "force_y", "torque_i_z", "torque_j_z", "normal", "tangential", "energy", "age" },
        law = function(distance, normal_x, normal_y, density_i, density_j, wz_i, wz_j, tangential_velocity, normal_random, age, k)
          local fx, fy = k * (density_i + density_j) * normal_y, normal_random * k
          local moment = distance * (normal_x * fy - normal_y * fx) -- what the force on i turns about j
          return fx, fy, 0.3 * moment - 0.01 * wz_i, 0.7 * moment + 0.01 * wz_i, 3 + age, -tangential_velocity, 1, age + 1
        end }
    else
      sim:add_force { way = way, range = 0.05,
        returns = { "force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z", "torque_i_x", "torque_i_y", "torque_i_z", "tangential" },
        law = function(distance, normal_x, normal_y, normal_z, density_i, density_j, wx_i, wx_j, normal_random, normal_random_2, tangential_velocity)
          local fx, fy, fz = 20 * (density_i + density_j), normal_random, normal_random_2
          local mx, my, mz = distance * (normal_y * fz - normal_z * fy), distance * (normal_z * fx - normal_x * fz), distance * (normal_x * fy - normal_y * fx)
          return fx, fy, fz, 0.1 * (wx_j - wx_i), fx, fy, mx, my, mz, -tangential_velocity
        end }
    end
    local function momentum()
      local total = { 0, 0, 0, 0, 0, 0 }
      for k = 1, sim.count do
        local m, x, y, z = sim.mass[k], sim.x[k], sim.y[k], sim.z[k]
        local vx, vy, vz = sim.vx[k], sim.vy[k], sim.vz[k]
        local inertia = (dimension == 2 and 0.5 or 0.4) * m * sim.radius[k] ^ 2
        local add = { m * (y * vz - z * vy) + (dimension == 3 and inertia * sim.wx[k] or 0), m * (z * vx - x * vz) + (dimension == 3 and inertia * sim.wy[k] or 0),
          m * (x * vy - y * vx) + inertia * sim.wz[k], m * vx, m * vy, m * vz }
        for n = 1, 6 do total[n] = total[n] + add[n] end
      end
      return total
    end
    local before = momentum()
    sim:run { steps = %d }
    if kept then sim:checkpoint(kept) sim:run { steps = 5 } end
    local after, worst, heat, size = momentum(), 0, 0, 0
    for n = 1, 6 do worst = math.max(worst, math.abs(after[n] - before[n])) end
    for k = 1, sim.count do heat = heat + sim.heat[k]; size = size + sim.mass[k] * sim.radius[k] * math.abs(sim.wz[k]) end
    return worst, heat / sim.count, sim.count < 1000 and size or sim:hash() ]]

  it("keeps momentum, angular momentum and what is exchanged", function()
    for dimension = 2, 3 do
      for _, way in ipairs { "traced", "called" } do
        local worst, heat, size = support.run(script:format(dimension, 1, way, 150, 1.7, 1.7, 100))
        assert.is_true(worst < 1e-12, "momentum changes by " .. worst)
        assert.is_true(math.abs(heat - 1) < 1e-12)
        assert.is_true(size > 1e-6, "something turns")
      end
    end
  end)

  it("goes on after a resume as it would have", function()
    local folder = support.folder()
    local text = ("local kept = %q\n"):format(folder .. "/kept.floc") .. script:format(2, 2, "traced", 1500, 6, 6, 10)
    local _, _, hash = support.run(text)
    local _, _, resumed = support.resume(folder .. "/kept.floc")
    support.remove(folder)
    assert.is_truthy(hash)
    assert.equal(hash, resumed)
  end)

  it("has the same bits on 1, 2 and 3 threads", function()
    local hashes = {}
    for threads = 1, 3 do
      local _, _, hash = support.run(script:format(2, threads, "traced", 6000, 12, 12, 10))
      hashes[threads] = assert(hash)
    end
    assert.equal(hashes[1], hashes[2])
    assert.equal(hashes[1], hashes[3])
  end)
end)

describe("slip", function()
  it("has the angular velocities in it where no law exerts a torque", function()
    for _, scheme in ipairs { "inelastic { rotation = true }", "discrete_element { contact = 'none', rotation = true }" } do
      local near_wall, of_pair = support.run(string.format([[
        local floc = require "floc"
        local h, spin, radius = 1e-6, 3, 0.5
        local sim = floc.simulation { time_step = h, scheme = floc.%s }
        sim:add_attribute("heat", 0)
        sim:add_body { shape = floc.segment { { -9, 0 }, { 9, 0 } } }
        sim:add_particle { position = { 0, 0.6 }, radius = radius }
        sim:add_particle { position = { 5, 3 }, radius = radius }
        sim:add_particle { position = { 6.05, 3 }, radius = 0.5 * radius }
        for k = 1, 3 do sim.wz[k] = spin end
        sim:add_wall_force { range = 0.2, returns = { "rate_heat" }, law = function(slip_x) return slip_x end }
        sim:add_force { range = 0.4, returns = { "rate_heat" }, law = function(slip_y) return slip_y end }
        sim:run { steps = 1 }
        return math.abs(sim.heat[1]) / (h * 0.6 * spin), math.abs(sim.heat[2]) / (h * 1.05 * spin) -- the arms add up to the distance
      ]], scheme))
      assert.near(1, near_wall, 1e-9, scheme)
      assert.near(1, of_pair, 1e-9, scheme)
    end
  end)
end)

describe("what laws return and read", function()
  it("is refused by name where it means nothing", function()
    local set_up = [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.discrete_element { contact = "none" } }
      sim:add_attribute("density", 0) sim:add_attribute("other", 0)
      sim:add_particle { position = { 0, 0 }, radius = 0.5 }
    ]]
    local cases = {
      { "sim:add_force { returns = { 'forse_x' }, law = function() return 1 end }", "returns%[1%] is \"forse_x\".*did you mean force_x" },
      { "sim:add_force { returns = { 'rate_heat' }, law = function() return 1 end }", "there is no attribute heat" },
      { "sim:add_force { returns = { 'sum_x' }, law = function() return 1 end }", "returns%[1%] is \"sum_x\"" },
      { "sim:add_force { returns = { 'torque_x' }, law = function() return 1 end }", "did you mean torque_z" },
      { "sim:add_field { returns = { 'normal' }, law = function() return 1 end }", "returns%[1%] is \"normal\"" },
      { "sim:add_force { law = function(normal_randon) return 1 end }", "did you mean normal_random" },
      { "sim:add_force { returns = { 'torque_z' }, law = function() return 1 end } sim:run { steps = 1 }", "gives a torque, and particles do not rotate" },
      { "sim:add_field { name = 'reads', law = function(sum_density) return 1, sum_density end } sim:run { steps = 1 }",
        "reads reads sum_density, which no law writes" },
      { "sim:add_force { name = 'a', returns = { 'sum_density' }, law = function(density_i) return density_i end }",
        "in a cycle: \"a\" reads density, which \"a\" writes" },
      { "sim:add_force { name = 'a', returns = { 'sum_density' }, law = function(other_i) return other_i end }\n"
        .. "sim:add_field { name = 'b', returns = { 'sum_other' }, law = function(density) return density end }", "in a cycle: .*\"b\"" },
      { "sim:add_force { returns = { 'sum_density' }, law = function() return 1 end }\n"
        .. "sim:add_evolution { attributes = { 'density' }, law = function() return 1 end }", "changes density in time, which is a sum" },
    }
    for _, case in ipairs(cases) do
      assert.matches(case[2], (support.failure(set_up .. case[1])))
    end
  end)
end)

describe("memory of many numbers", function()
  -- A law whose pairs remember `count` numbers, m_k growing by k times the overlap each step; the force has all of them in it.
  -- `before`: inputs that come first.
  local function scene(count, tail, before)
    local names, grown = {}, {}
    for k = 1, count do names[k], grown[k] = "m" .. k, ("m%d + %d * overlap"):format(k, k) end
    local list = table.concat(names, ", ")
    return string.format([[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 2, time_step = 1e-3, gravity = { 0, -1 }, seed = 3,
        scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      sim:add_wall_force { law = function(overlap) return 1e3 * math.max(overlap, 0) end }
      sim:add_particles { count = 40, radius = { 0.4, 0.5 }, density = 1, placement = "lattice", spacing = 1, velocity_spread = 1,
        region = floc.box { lower = { 0, 0 }, upper = { 7, 7 } } }
      local law = sim:add_force { memory = { %s }, returns = { "normal", %s }, way = "traced",
        law = function(%soverlap, %s)
          if overlap < 0 then return 0, %s end
          return 1e2 * overlap + 1e-2 * (%s), %s
        end }
      %s ]], '"' .. table.concat(names, '", "') .. '"', '"' .. table.concat(names, '", "') .. '"', before or "", list, list,
      table.concat(names, " + "), table.concat(grown, ", "), tail)
  end

  -- How much the first number has grown, and by how much the others are not k times as large.
  local tail = [[sim:run { steps = 300 }
    local m, worst, most = sim:law_pairs(law), 0, 0
    for p = 1, #m.m1 do
      most = math.max(most, m.m1[p])
      for k = 2, 32 do worst = math.max(worst, math.abs(m["m" .. k][p] - k * m.m1[p]) / k) end
    end
    return sim:hash(), most, worst]]

  it("is kept, read and resumed bit for bit: 32 numbers of a pair", function()
    local first, most, worst = support.run(scene(32, tail))
    assert.is_true(most > 0.1)
    assert.is_true(worst < 1e-12 * most)
    local folder = support.folder()
    local path = folder .. "/run.state"
    assert.are.equal(first, (support.run(scene(32, string.format("sim:checkpoint { path = %q, every = 170 } ", path) .. tail))))
    assert.are.equal(first, (support.resume(path)))
    support.remove(folder)
  end)

  it("is each pair's own beyond the 32nd input too, where the first one is the same for all", function()
    local alone = support.run(scene(32, tail))
    local hash, most, worst = support.run(scene(32, tail, "time, "))
    assert.is_true(most > 0.1)
    assert.is_true(worst < 1e-12 * most)
    assert.are.equal(alone, hash)
  end)

  it("is limited, and says so", function()
    local ok, message = pcall(support.run, scene(33, ""))
    assert.is_false(ok)
    assert.is_truthy(message:find("memory_count is 33; it must be an integer between 0 and 32", 1, true), message)
  end)
end)
