-- Cells that deform under inelastic and gluey contacts: images that move enter the rows of the contact problem, stresses come from impulses,
-- and the energy ledger knows the work of the cell. Cases are run twice, the second time with everything displaced, so that
-- other pairs meet across the faces that move.

local once = require "once"
local support = require "support"

local function run(text, globals) return support.run([=[local floc = require "floc"
local names = { "x", "y", "z" }
local function cell(scheme, dimension, addition)
  local lower, upper = { 0, 0, 0 }, { 7, 6, 5 }
  if dimension == 2 then lower[3], upper[3] = nil, nil end
  local options = { dimension = dimension, time_step = 2e-2, boundary = "periodic", threads = 1, domain = floc.box { lower = lower, upper = upper }, scheme = scheme }
  for key, value in pairs(addition or {}) do options[key] = value end
  return floc.simulation(options)
end
local function fill(sim, dimension, shift, radius)
  local nx, ny, nz = 7, 6, dimension == 3 and 5 or 1
  for k = 0, nx * ny * nz - 1 do
    local place = { k % nx + 0.5 + 0.05 * math.sin(7 * k), math.floor(k / nx) % ny + 0.5 + 0.05 * math.cos(5 * k),
      math.floor(k / nx / ny) + 0.5 + 0.05 * math.sin(3 * k + 1) }
    local velocity = { math.sin(13 * k), math.cos(17 * k), math.sin(19 * k) }
    if dimension == 2 then place[3], velocity[3] = nil, nil end
    for axis = 1, dimension do place[axis] = (place[axis] + shift[axis]) % (8 - axis) end
    sim:add_particle { position = place, radius = radius + 0.02 * math.sin(11 * k), mass = 1 + 0.1 * (k % 3), velocity = velocity }
  end
end
local function lengths(sim)
  local now, length = sim.domain, {}
  for axis in ipairs(now.lower) do length[axis] = now.upper[axis] - now.lower[axis] end
  return length, now.offset
end
local function ways(sim)
  local result, length, offset = {}, lengths(sim)
  for id = 2, sim.count do
    local way = {}
    for axis in ipairs(length) do way[axis] = sim[names[axis]][id] - sim[names[axis]][1] end
    for axis = #length, 1, -1 do
      local turns = math.floor(way[axis] / length[axis] + 0.5)
      way[axis] = way[axis] - turns * length[axis]
      if axis == 2 then way[1] = way[1] - turns * offset end
    end
    for axis in ipairs(length) do result[#result + 1] = way[axis] end
  end
  return result
end
]=] .. text, globals) end

local cases = {
  { "inelastic", "floc.inelastic { tolerance = 1e-9, max_iterations = 100000 }", "", 1e-5 },
  { "friction", "floc.inelastic { tolerance = 1e-9, max_iterations = 100000, friction = 0.4 }", "", 1e-5 },
  { "friction and rolling", "floc.inelastic { tolerance = 1e-9, max_iterations = 100000, friction = 0.4, rolling = 0.1 }", "", 1e-5 },
  { "restitution", "floc.inelastic { tolerance = 1e-9, max_iterations = 100000, restitution = 0.7 }", "", 1e-5 },
  { "restitution and friction", "floc.inelastic { tolerance = 1e-9, max_iterations = 100000, restitution = 0.7, friction = 0.3 }", "", 1e-5 },
  { "gluey", "floc.gluey { tolerance = 1e-9, max_iterations = 100000, gamma_min = -0.5 }", "", 1e-5 },
  { "laws, a flow and noise", "floc.inelastic { tolerance = 1e-9, max_iterations = 100000, friction = 0.2 }",
    [[sim:add_force { range = 0.5, law = function(distance, normal_velocity) return -2 * (1.5 - distance) - 0.3 * normal_velocity end }
      sim:add_flow { flow = 'still', relaxation_time = 2 } sim:add_noise { sigma = 0.3 }]], 1e-5 },
}

describe("a cell that deforms, by projection:", function()
  for dimension = 2, 3 do
    for _, case in ipairs(cases) do
      it(case[1] .. (dimension == 2 and " in the plane" or " in space"), function()
        local worst, moved, pressed = run(([[local results, moved, pressed = {}, 0, 0
          for k = 1, 2 do
            local sim = cell(%s, %d)
            fill(sim, %d, k == 1 and { 0, 0, 0 } or { 2.3, 2.9, 1.7 }, 0.42)
            %s
            local begun = ways(sim)
            sim:deform { shear_rate = 0.8, rate = %s }
            for _ = 1, 40 do
              sim:run { steps = 1 }
              pressed = pressed + sim:measure "contact_count"
            end
            results[k] = ways(sim)
            for n, value in ipairs(begun) do moved = math.max(moved, math.abs(value - results[k][n])) end
          end
          local worst = 0
          for n, value in ipairs(results[1]) do worst = math.max(worst, math.abs(value - results[2][n])) end
          return worst, moved, pressed ]]):format(case[2], dimension, dimension, case[3], dimension == 2 and "{ 0.05, -0.1 }" or "{ 0.05, -0.1, -0.02 }"))
        assert.is_true(worst < case[4], worst)
        assert.is_true(moved > 0.5 and pressed > 100, moved .. " " .. pressed)
      end)
    end
  end

  -- Grain 1 below the upper face and the image of grain 2 above it, which the shear drives into it along x.
  it("two grains meet across the face as by hand", function()
    local results = run [[local results = {}
      for k, friction in ipairs { 0, 1e3 } do
        local sim = cell(friction == 0 and floc.inelastic { tolerance = 1e-13 } or floc.inelastic { tolerance = 1e-13, friction = friction }, 2)
        sim:add_particle { position = { 4, 5.8 }, radius = 0.5, mass = 2 }
        sim:add_particle { position = { 4 - 0.8001, 0.4001 }, radius = 0.5, mass = 3 }
        sim:deform { shear_rate = 0.5 }
        sim:run { steps = 1 }
        results[k] = { sim.vx[1], sim.vy[1], sim.vx[2], sim.vy[2], sim.domain.stress[1][1], sim.domain.stress[1][2] }
      end
      return results ]]
    -- velocities before: of the flow about the middle y = 3; the image of 2 moves by 0.5 * 6 more
    local h, way = 2e-2, { -0.8001, 0.6001 }
    local size = math.sqrt(way[1] ^ 2 + way[2] ^ 2)
    local n = { way[1] / size, way[2] / size }
    local u1, u2, image = { 0.5 * 2.8, 0 }, { 0.5 * (0.4001 - 3), 0 }, { 3, 0 }
    local relative = { u2[1] + image[1] - u1[1], 0 }
    local rate = (size - 1) / h + n[1] * relative[1]
    assert.is_true(rate < 0)
    local p = -rate / (1 / 2 + 1 / 3)
    local smooth = results[1]
    assert.near(u1[1] - p * n[1] / 2, smooth[1], 1e-10)
    assert.near(-p * n[2] / 2, smooth[2], 1e-10)
    assert.near(u2[1] + p * n[1] / 3, smooth[3], 1e-10)
    assert.near(p * n[2] / 3, smooth[4], 1e-10)
    -- friction that sticks: the surfaces, at D/2 beyond the radii, do not slide; discs have the inertia m r^2/2
    local arm = size / 2
    local across = -n[2] * relative[1]
    local inverse = 1 / 2 + 1 / 3 + arm ^ 2 * (1 / (0.5 * 2 * 0.25) + 1 / (0.5 * 3 * 0.25))
    local t = -across / inverse
    local rough = results[2]
    assert.near(u1[1] - (p * n[1] - t * n[2]) / 2, rough[1], 1e-9)
    assert.near(-(p * n[2] + t * n[1]) / 2, rough[2], 1e-9)
    assert.near(u2[1] + (p * n[1] - t * n[2]) / 3, rough[3], 1e-9)
  end)

  it("the ledger knows the work of the cell, which is stress times strain rate", function()
    for _, scheme in ipairs { "floc.inelastic { friction = 0.4, rolling = 0.05 }", "floc.inelastic { restitution = 0.8 }", "floc.gluey { gamma_min = -1 }" } do
      for dimension = 2, 3 do
        local energy, work, temperature = run(([[local sim = cell(%s, %d, { energy_ledger = true, time_step = 2e-3 })
          fill(sim, %d, { 0, 0, 0 }, 0.44)
          sim:add_force { range = 0.3, law = function(distance) return -0.5 * (1.5 - distance) end }
          sim:deform { shear_rate = 1.2, rate = { -0.02, -0.03, %d == 3 and 0.01 or nil } }
          local work = 0
          for _ = 1, 600 do
            sim:run { steps = 1 }
            local c, volume = sim.domain, 1
            for _, side in ipairs(lengths(sim)) do volume = volume * side end
            local power = 1.2 * c.stress[1][2]
            for axis = 1, #lengths(sim) do power = power + c.stress[axis][axis] * c.rate[axis] end
            work = work - 2e-3 * volume * power
          end
          return sim:energy_ledger(), work, sim:measure "temperature" ]]):format(scheme, dimension, dimension, dimension))
        assert.is_true(math.abs(energy.residual) < 1e-12 * energy.turnover, energy.residual .. " " .. energy.turnover)
        assert.is_true(energy.cell > 0.3 and energy.contacts + energy.friction < -0.3, energy.cell .. " " .. energy.contacts)
        assert.near(1, work / energy.cell, 5e-3)
        assert.is_true(energy.kinetic > 0 and temperature > 0)
      end
    end
  end)

  it("stresses are those of sim:stress", function()
    local worst, size = run [[local sim = cell(floc.inelastic { friction = 0.4 }, 3)
      fill(sim, 3, { 0, 0, 0 }, 0.46)
      sim:deform { shear_rate = 0.9, rate = { -0.03, -0.02, 0 } }
      local worst, size = 0, 0
      for _ = 1, 100 do
        sim:run { steps = 1 }
        local shown, kept = sim:stress(), sim.domain.stress
        for row = 1, 3 do for column = 1, 3 do
          worst = math.max(worst, math.abs(shown.tensor[row][column] - kept[row][column]))
          size = math.max(size, math.abs(shown.contacts[row][column]))
        end end
      end
      return worst, size ]]
    assert.is_true(size > 0.1, size)
    assert.is_true(worst < 1e-11 * size, worst)
  end)

  if once then
    it("holds a pressure in steady shear, and normal stresses", function()
      local means = run [[local h, tau = 1e-2, 8
        local function held(scheme, options, time)
          local sim = floc.simulation { time_step = h, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { 13, 13 } }, scheme = scheme }
          local function size() return math.log(sim.domain.upper[1] - sim.domain.lower[1]) end
          sim:add_particles { count = 150, radius = { 0.4, 0.6 }, density = 1, placement = "dense", volume_fraction = 0.7 }
          options.relaxation_time = tau
          sim:deform(options)
          sim:run { until_time = 60 }
          local sum, steps, ended = { 0, 0, 0 }, 0, false
          sim:every(1, function()
            local c = sim.domain
            if not ended then steps, sum[1], sum[2], sum[3] = steps + 1, sum[1] + c.pressure, sum[2] + c.stress[1][1], sum[3] + c.stress[2][2] end
          end)
          local begin = size()
          sim:run { steps = 1 } -- the rate of a step follows from the stress of the one before
          local rate = (size() - begin) / h
          sim:run { until_time = 60 + time }
          local before = size()
          ended = true
          sim:run { steps = 1 }
          -- What the mean over a time is beside what is held, by docs/cells.md.
          local more = (2 * tau * (before - begin) + tau ^ 2 * ((size() - before) / h - rate)) / (steps * h)
          return { sum[1] / steps, sum[2] / steps, sum[3] / steps, sim:measure "volume_fraction", more }
        end
        return { held(floc.inelastic { friction = 0.4 }, { shear_rate = 0.1, pressure = 2 }, 100),
          held(floc.gluey { gamma_min = -1 }, { shear_rate = 0.1, pressure = 2 }, 100),
          held(floc.inelastic { friction = 0.4 }, { stress = { 1.6, 2 } }, 50) } ]]
      assert.near(2 * (1 + means[1][5]), means[1][1], 5e-4 * 2)
      assert.near(2 * (1 + means[2][5]), means[2][1], 5e-4 * 2)
      assert.near(1.6 * (1 + means[3][5]), means[3][2], 5e-4 * 1.6)
      -- Eight seeds with friction had 1.9945 to 2.0064, with other last bits 1.9906 to 2.0113: a standard deviation of 0.008.
      assert.near(2, means[1][1], 0.02)
      assert.near(2, means[2][1], 0.005 * 2)
      assert.near(1.6, means[3][2], 0.01 * 1.6)
      assert.near(2, means[3][3], 0.01 * 2)
      assert.is_true(means[1][4] > 0.75 and means[1][4] < 0.86, means[1][4])
    end)
  end

  it("gives the same bits on any number of threads and after a resume", function()
    local text = [[local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-2, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { 50, 50 } }, threads = %s,
        energy_ledger = true, scheme = floc.%s }
      sim:add_particles { count = 1500, radius = { 0.4, 0.6 }, density = 1 }
      sim:deform { shear_rate = 0.3, stress = { 1, 2 }, relaxation_time = 10 }
      sim:checkpoint { path = floc.out .. "/c.floc", every = 70 }
      sim:run { steps = 120 }
      local energy = sim:energy_ledger()
      return sim:hash(), energy.cell, energy.residual ]]
    for _, scheme in ipairs { "inelastic { friction = 0.3 }", "gluey { gamma_min = -1 }" } do
      local folder = support.folder()
      local hash, cell = support.run(text:format(1, scheme), { out = folder })
      for threads = 2, 3 do assert.are.equal(hash, (support.run_apart(text:format(threads, scheme)))) end
      local again, same = support.resume(folder .. "/c.floc", { out = folder })
      assert.are.same({ hash, cell }, { again, same })
      support.remove(folder)
    end
  end)

  -- Walls along the axes that move stretch with the cell: nothing tells one place along them from another.
  it("planes along what deforms are walls, under both kinds of contacts", function()
    local schemes = { "floc.inelastic { tolerance = 1e-9, friction = 0.4 }",
      "floc.discrete_element { contact = 'hooke', stiffness = 2e3, damping = 3, integrator = 'velocity_verlet', rotation = true, friction = 'spring', friction_static = 0.4, friction_dynamic = 0.4, friction_stiffness = 1e3 }" }
    for dimension = 2, 3 do
      for k, scheme in ipairs(schemes) do
        local worst, moved = run(([=[local results, moved = {}, 0
          for k = 1, 2 do
            local dimension = %d
            local sim = cell(%s, dimension, { time_step = %g, gravity = dimension == 2 and { 0, -1 } or { 0, 0, -1 },
              boundary = dimension == 2 and { "periodic", "wall" } or { "periodic", "periodic", "wall" } })
            fill(sim, dimension, k == 1 and { 0, 0, 0 } or { 2.3, dimension == 3 and 2.9 or 0, 0 }, 0.42)
            local begun = {}
            for id = 1, sim.count do begun[id] = sim.vx[id] end
            sim:deform(dimension == 2 and { rate = { -0.1, 0 } } or { shear_rate = 0.5, rate = { -0.1, 0.05, 0 } })
            sim:run { steps = %d }
            results[k] = {}
            for id = 2, sim.count do
              results[k][id] = sim[names[dimension]][id]
              moved = math.max(moved, math.abs(sim.vx[id] - begun[id]))
            end
          end
          local worst = 0
          for id, value in pairs(results[1]) do worst = math.max(worst, math.abs(value - results[2][id])) end
          return worst, moved ]=]):format(dimension, scheme, k == 1 and 2e-2 or 2e-3, k == 1 and 60 or 600))
        assert.is_true(worst < (k == 1 and 1e-5 or 1e-7), worst)
        assert.is_true(moved > 0.2, moved)
      end
    end
  end)

  it("other bodies are refused with the reason", function()
    local function fails(text, wanted)
      local message = support.failure([[local floc = require "floc"
        local sim = floc.simulation { time_step = 1e-3, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { 5, 5 } }, scheme = floc.inelastic {} }
        sim:add_particle { position = { 1, 1 }, radius = 0.2 } ]] .. text)
      assert.is_truthy(message:find(wanted, 1, true), message)
    end
    fails([[sim:add_body { name = "floor", shape = floc.plane { normal = { 0, 1 }, point = { 0, 0.2 } } } sim:deform { shear_rate = 1 }]],
      "body 0 floor is not the same at every place along the axis y, which deforms")
    fails([[sim:deform { rate = { 0.1, 0 } } sim:add_body { shape = floc.segment { { 3, 3 }, { 3, 4 } } } sim:run { steps = 1 }]],
      "along the axis x, which deforms")
    fails([[sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, 0.2 } } } sim:add_wall_force { range = 1, law = function(distance) return 1 end }
      sim:deform { rate = { 0.1, 0 } }]], "laws between particles and bodies are not supported in a cell that deforms")
    run [[local sim = cell(floc.inelastic {}, 2)
      sim:add_particle { position = { 3, 3 }, radius = 0.4 }
      sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, 1 } } }
      sim:deform { rate = { 0.1, 0 } } sim:run { steps = 3 } ]]
  end)
end)
