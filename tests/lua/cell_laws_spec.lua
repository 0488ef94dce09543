-- Laws, bonds, near fields, flows and noise in cells that deform. Each case is run twice, the second time with everything displaced, so
-- that other pairs meet across the faces that move: what happens must be the same. Forces and energies are held against sums over all
-- images, stresses against what they do to the energy, and held pressures against their value.

local once = require "once"
local support = require "support"

local function run(text, globals) return support.run([=[local floc = require "floc"
local function cell(scheme, dimension, seed)
  local options = { contact = "none", integrator = "velocity_verlet" }
  for key, value in pairs(scheme or {}) do options[key] = value end
  local lower, upper = { 0, 0, 0 }, { 7, 6, 5 }
  if dimension == 2 then lower[3], upper[3] = nil, nil end
  return floc.simulation { dimension = dimension, time_step = 2e-3, boundary = "periodic", seed = seed, threads = 1,
    domain = floc.box { lower = lower, upper = upper }, scheme = floc.discrete_element(options) }
end
-- A lattice, a little out of order, at rest; ids go along its rows.
local function fill(sim, dimension, shift, radius)
  local nx, ny, nz = 7, 6, dimension == 3 and 5 or 1
  for k = 0, nx * ny * nz - 1 do
    local place = { k % nx + 0.5 + 0.13 * math.sin(7 * k), math.floor(k / nx) % ny + 0.5 + 0.13 * math.cos(5 * k),
      math.floor(k / nx / ny) + 0.5 + 0.13 * math.sin(3 * k + 1) }
    if dimension == 2 then place[3] = nil end
    for axis = 1, dimension do place[axis] = (place[axis] + shift[axis]) % (8 - axis) end
    sim:add_particle { position = place, radius = radius, mass = 1 + 0.1 * (k % 3) }
  end
end
local names = { "x", "y", "z" }
local function lengths(sim)
  local now, length = sim.domain, {}
  for axis in ipairs(now.lower) do length[axis] = now.upper[axis] - now.lower[axis] end
  return length, now.offset
end
local function nearest(way, length, offset)
  for axis = #length, 1, -1 do
    local turns = math.floor(way[axis] / length[axis] + 0.5)
    way[axis] = way[axis] - turns * length[axis]
    if axis == 2 then way[1] = way[1] - turns * offset end
  end
  return way
end
-- From the first particle to the others, by the nearest image.
local function ways(sim)
  local result, length, offset = {}, lengths(sim)
  for id = 2, sim.count do
    local way = {}
    for axis in ipairs(length) do way[axis] = sim[names[axis]][id] - sim[names[axis]][1] end
    for _, value in ipairs(nearest(way, length, offset)) do result[#result + 1] = value end
  end
  return result
end
]=] .. text, globals) end

-- Nearest images of a skew cell of springs between neighbours: what each is called, options of the scheme, and what the simulation gets.
local soft = "sim:add_force { range = 1, law = function(distance) return 2 * (1.3 - distance) end }"
local laws = {
  { "a potential", "{}", "sim:add_force { range = 1.4, potential = function(distance) return (distance - 1.2) ^ 2 end }" },
  { "a law of velocities and spins", "{ rotation = true }", [[sim:add_force { range = 1, returns = { "normal", "tangential" },
      law = function(distance, normal_velocity, tangential_velocity) return 5 * (1.2 - distance) - 0.8 * normal_velocity, -0.4 * tangential_velocity end }]] },
  { "a vector, with columns and random numbers of both", "{}", [[sim:add_force { range = 1, symmetric = false, returns = { "force_x", "force_y" },
      law = function(distance, normal_x, normal_y, mass_i, mass_j, normal_random)
        local strength = (mass_i - 2 * mass_j + 0.1 * normal_random) * (1.3 - distance) return strength * normal_x, strength * normal_y end }]] },
  { "sums of many bodies", "{}", [[sim:add_many_body { range = 1, sums = { density = function(distance) return (1.6 - distance) ^ 2 end },
      energy = function(density) return 0.2 * density ^ 2 end }]] },
  { "bonds across faces", "{}", [[local bonds, triples = {}, {}
      for id = 1, sim.count do
        bonds[id] = { id, id % 7 == 0 and id - 6 or id + 1 }
        triples[id] = { bonds[id][1], bonds[id][2], bonds[id][2] % 7 == 0 and bonds[id][2] - 6 or bonds[id][2] + 1 }
      end
      sim:add_law_bonds { law = sim:add_force { pairs = "bonds", law = function(distance) return -20 * (distance - 1) end }, particles = bonds }
      sim:add_law_bonds { law = sim:add_angle_force { law = function(angle) return 2 * (math.pi - angle) end }, particles = triples } ]] .. soft },
  { "persistent bonds", "{ contact = 'hooke', stiffness = 50, damping = 1, bonds = 'persistent', bond_stiffness = 800, bond_breaking = 3 }",
    "for id = 1, sim.count do sim:add_bond { particles = { id, id % 7 == 0 and id - 6 or id + 1 }, area = 0.1 } end" },
  { "near fields", "{ attraction = 0.3, attraction_exponent = 1, repulsion = 0.4, repulsion_exponent = 2, near_field_range = 1 }", "" },
  { "attraction", "{}", "sim:add_attraction { kappa = 0.5, epsilon = 0.3 }" },
  { "a medium", "{ viscosity = 0.5, medium_velocity = { 0.3, 0.1 }, rotation = true }", soft },
  { "a still flow and noise", "{ rotation = true }", "sim:add_flow { flow = 'still', relaxation_time = 0.3 } sim:add_noise { sigma = 0.5 } " .. soft },
}

local function translated(scheme, dimension, addition, deform)
  return run(([[local results, moved = {}, 0
    local function make(k)
      local sim = cell(%s, %d, 5)
      fill(sim, %d, k == 1 and { 0, 0, 0 } or { 2.3, 2.9, 1.7 }, 0.2)
      %s
      return sim
    end
    local begun = ways(make(1))
    for k = 1, 2 do
      local sim = make(k)
      sim:deform { %s }
      sim:run { steps = 400 }
      results[k] = ways(sim)
    end
    local worst = 0
    for n, value in ipairs(results[1]) do
      worst, moved = math.max(worst, math.abs(value - results[2][n])), math.max(moved, math.abs(value - begun[n]))
    end
    return worst, moved ]]):format(scheme, dimension, dimension, addition, deform))
end

describe("laws in a cell that deforms:", function()
  for dimension = 2, 3 do
    for _, case in ipairs(laws) do
      it(case[1] .. (dimension == 2 and ", in the plane" or ", in space"), function()
        local worst, moved = translated(case[2], dimension, case[3], dimension == 2 and "shear_rate = 1.1, rate = { 0.1, -0.15 }" or "shear_rate = 1.1, rate = { 0.1, -0.15, 0.02 }")
        assert.is_true(worst < 1e-9, worst)
        assert.is_true(moved > 0.5, moved)
      end)
    end
  end

  -- Energy and forces against a sum over all images of all pairs, in cells of which the second is as skew as can be.
  it("energies, forces and stresses are sums over all images", function()
    for dimension = 2, 3 do
      for _, strain in ipairs(once and { 0.37, 0.5829, 3.9 } or { 0.5829 }) do
        local differences = run(([=[local sim = cell({}, %d, 5)
          fill(sim, %d, { 1, 2, 3 }, 0.2)
          local law = sim:add_force { range = 1.4, law = function(distance) local left = 1.8 - distance return 2 * left, left ^ 2 end, returns = { "normal", "energy" } }
          sim:deform { shear_rate = %g, rate = { 0.05, 0.03, %d == 3 and -0.02 or nil } }
          sim:run { steps = 500 }
          local length, offset = lengths(sim)
          local energy, force, virial, volume = 0, {}, {}, 1
          for axis = 1, %d do volume = volume * length[axis] virial[axis] = { 0, 0, 0 } end
          for i = 1, sim.count do force[i] = { 0, 0, 0 } end
          for i = 1, sim.count do
            for j = i + 1, sim.count do
              for a = -3, 3 do for b = -3, 3 do for c = -1, %d == 3 and 1 or -1 do
                local way = { sim.x[j] - sim.x[i] + a * length[1] + b * offset, sim.y[j] - sim.y[i] + b * length[2],
                  length[3] and sim.z[j] - sim.z[i] + c * length[3] or 0 }
                local distance = math.sqrt(way[1] ^ 2 + way[2] ^ 2 + way[3] ^ 2)
                if distance < 1.8 then
                  energy = energy + (1.8 - distance) ^ 2
                  for axis = 1, #length do
                    local push = 2 * (1.8 - distance) * way[axis] / distance
                    force[i][axis], force[j][axis] = force[i][axis] - push, force[j][axis] + push
                    for other = 1, #length do virial[axis][other] = virial[axis][other] + push * way[other] / volume end
                  end
                end
              end end end
            end
          end
          local worst, most = 0, 0
          for i = 1, sim.count do for axis in ipairs(length) do
            worst = math.max(worst, math.abs(force[i][axis] - sim["f" .. names[axis]][i]))
            most = math.max(most, math.abs(force[i][axis]))
          end end
          local own, cells = sim:stress(), 0
          local kept = sim.domain.stress
          for row in ipairs(length) do for column in ipairs(length) do
            cells = math.max(cells, math.abs(virial[row][column] - own.laws[row][column]), math.abs(kept[row][column] - own.tensor[row][column]))
          end end
          return { law.energy - energy, worst, cells, most, offset / length[1] } ]=]):format(dimension, dimension, strain, dimension, dimension, dimension))
        assert.is_true(math.abs(differences[1]) < 1e-10, differences[1])
        assert.is_true(differences[2] < 1e-11 and differences[3] < 1e-10, differences[2] .. " " .. differences[3])
        assert.is_true(differences[4] > 0.5 and math.abs(differences[5]) > 0.1, differences[4] .. " " .. differences[5])
      end
    end
  end)

  -- Without a heat bath, kinetic energy about the flow and potential energies change by -V P : L dt alone.
  it("stress times strain rate is the power", function()
    local additions = { [=[law = sim:add_force { range = 1.4, potential = function(distance) return math.max(0, 1.8 - distance) ^ 3 end }]=],
      [=[law = sim:add_force { pairs = "bonds", potential = function(distance) return 5 * (distance - 1.1) ^ 2 end }
         bend = sim:add_angle_force { potential = function(angle, distance_ik) return 2 * (math.pi - angle) ^ 2 + 0.5 * (distance_ik - 1.7) ^ 2 end }
         local bonds, triples = {}, {}
         for id = 1, sim.count do
           bonds[id] = { id, id % 7 == 0 and id - 6 or id + 1 }
           triples[id] = { bonds[id][1], bonds[id][2], bonds[id][2] % 7 == 0 and bonds[id][2] - 6 or bonds[id][2] + 1 }
         end
         sim:add_law_bonds { law = law, particles = bonds }
         sim:add_law_bonds { law = bend, particles = triples }]=] }
    for dimension = once and 2 or 3, 3 do
      for _, addition in ipairs(additions) do
        local differences = {}
        for k, step in ipairs { 1e-3, 2.5e-4 } do
          local change, work = run(([[local sim = cell({}, %d, 5)
          local law, bend
          sim.time_step = %g
          fill(sim, %d, { 0, 0, 0 }, 0.2)
          %s
          sim:run { steps = 1 }
          sim:deform { shear_rate = 0.8, rate = { 0.2, -0.3, #lengths(sim) == 3 and 0 or nil } }
          sim:run { steps = 1 }
          local function energy() return 0.5 * %d * (sim.count - 1) * sim:measure "temperature" + law.energy + (bend and bend.energy or 0) end
          local function power()
            local c, length = sim.domain, lengths(sim)
            local volume = 1
            for _, side in ipairs(length) do volume = volume * side end
            return -volume * (c.stress[1][1] * c.rate[1] + c.stress[2][2] * c.rate[2] + 0.8 * c.stress[1][2])
          end
          local begun, before, work = energy(), power(), 0
          for _ = 1, math.floor(0.4 / sim.time_step + 0.5) do
            sim:run { steps = 1 }
            local after = power()
            work, before = work + 0.5 * sim.time_step * (before + after), after
          end
          return energy() - begun, work ]]):format(dimension, step, dimension, addition, dimension))
          assert.is_true(math.abs(work) > 0.5, work)
          differences[k] = math.abs(change - work) / math.abs(work)
        end
        assert.is_true(differences[2] < 2e-4 and differences[2] < 0.3 * differences[1], differences[1] .. " " .. differences[2])
      end
    end
  end)

  if once then
    it("pressure and stresses are held", function()
      local pressure, stress, shear = run [[local function held(options, dimension, sigma)
          local sim = cell({}, dimension, 5)
          fill(sim, dimension, { 0, 0, 0 }, 0.2)
          sim:add_force { range = 1, potential = function(distance) return 10 * math.max(0, 1.2 - distance) ^ 2 end }
          sim:add_flow { flow = "still", relaxation_time = 0.5 } sim:add_noise { sigma = sigma }
          sim:deform(options)
          sim:run { until_time = 5 }
          local sum, steps = { 0, 0, 0 }, 0
          sim:every(1, function()
            local c = sim.domain
            steps, sum[1], sum[2], sum[3] = steps + 1, sum[1] + c.pressure, sum[2] + c.stress[1][1], sum[3] + c.stress[2][2]
          end)
          sim:run { until_time = 25 }
          return { sum[1] / steps, sum[2] / steps, sum[3] / steps }
        end
        return held({ pressure = 3, relaxation_time = 0.4 }, 3, 0.6),
          held({ stress = { 3, 4 }, relaxation_time = 0.4 }, 2, 0.1), held({ pressure = 3, shear_rate = 0.5, relaxation_time = 0.4 }, 2, 0.6) ]]
      assert.near(3, pressure[1], 0.005 * 3)
      assert.near(3, shear[1], 0.005 * 3)
      assert.near(3, stress[2], 0.005 * 3)
      assert.near(4, stress[3], 0.005 * 4)
    end)
  end

  -- The medium moves with the cell: profile and temperature of a thermal crowd under shear.
  it("a medium at rest in the cell heats it to the temperature of its noise", function()
    local temperature, slope = run [[local sim = cell({}, 3, 5)
      fill(sim, 3, { 0, 0, 0 }, 0.2)
      sim:add_flow { flow = "still", relaxation_time = 0.2 } sim:add_noise { sigma = math.sqrt(2 * 0.7 / 0.2) }
      sim:deform { shear_rate = 2 }
      sim:run { until_time = 2 }
      local sum, steps, above, below = 0, 0, 0, 0
      for _ = 1, 400 do
        sim:run { steps = 10 }
        sum, steps = sum + sim:measure "temperature", steps + 1
        for id = 1, sim.count do above, below = above + (sim.y[id] - 3) * sim.vx[id], below + (sim.y[id] - 3) ^ 2 end
      end
      return sum / steps, above / below ]]
    -- masses are 1, 1.1, 1.2 under the same sigma: <m v^2> is sigma^2 tau/(2 m)
    assert.near(0.7 * (1 + 1 / 1.1 + 1 / 1.2) / 3, temperature, 0.02)
    assert.near(2, slope, 0.05)
  end)

  it("gives the same bits on any number of threads and after a resume", function()
    local text = [[local floc = require "floc"
      local sim = floc.simulation { time_step = 2e-3, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { 60, 60 } }, threads = %s,
        scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet", rotation = true } }
      sim:add_particles { count = 3000, radius = 0.3, mass = 1 }
      sim:add_attribute("heat", 1)
      sim:add_force { range = 0.8, returns = { "normal", "tangential", "age", "rate_heat" }, memory = { "age" }, symmetric = false, balanced = false,
        law = function(overlap, normal_velocity, tangential_velocity, age) return 5 * (0.8 + overlap) - normal_velocity, -0.2 * tangential_velocity, age + 1, 1e-3 * overlap end }
      sim:add_law_bonds { law = sim:add_angle_force { law = function(angle) return 3 - angle end }, particles = { { 1, 2, 3 }, { 5, 4, 2000 } } }
      sim:add_flow { flow = "still", relaxation_time = 1 } sim:add_noise { sigma = 0.2 }
      sim:deform { shear_rate = 0.4, stress = { 1, 1 }, relaxation_time = 2 }
      sim:checkpoint { path = floc.out .. "/c.floc", every = 130 }
      sim:run { steps = 200 }
      return sim:hash() ]]
    local folder = support.folder()
    local hash = support.run(text:format(1), { out = folder })
    assert.are.equal(hash, (support.run_apart(text:format(2))))
    assert.are.equal(hash, (support.run_apart(text:format(3))))
    assert.are.equal(hash, (support.resume(folder .. "/c.floc", { out = folder })))
    support.remove(folder)
  end)

  it("refuses what has no meaning there", function()
    local function fails(text, wanted)
      local message = support.failure([[local floc = require "floc"
        local sim = floc.simulation { time_step = 1e-3, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { 5, 5 } },
          scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
        sim:add_particles { count = 5, radius = 0.2, mass = 1 } ]] .. text)
      assert.is_truthy(message:find(wanted, 1, true), message)
    end
    fails("sim:add_force { range = math.huge, law = function(distance) return 1 end } sim:deform { shear_rate = 1 }", "acts on all pairs")
    fails("sim:add_force { range = 2.3, law = function(distance) return 1 end } sim:deform { shear_rate = 1 } sim:run { steps = 1 }",
      "the cell is 5 long along x in step 1; where it deforms that must be at least twice the reach of laws between the largest particles, 2.7")
    fails("sim:deform { shear_rate = 1 } sim:run { steps = 3 } sim:deform {} sim:add_force { range = 2.3, law = function(distance) return 1 end } sim:run { steps = 1 }",
      "twice the reach of laws")
    fails("sim:add_flow { flow = 'shear', relaxation_time = 1 } sim:deform { shear_rate = 1 }", "a shear flow is not supported in a cell that deforms")
    fails("sim:add_long_range { kind = 'gravity', constant = 1 }", "periodic along x")
  end)
end)
