-- Particles with the attribute frozen: they keep their velocity under everything that acts, act on the others, and thaw.

local support = require "support"

local schemes = {
  verlet = 'floc.discrete_element { contact = "hooke", stiffness = 1e3, rotation = true, friction = "spring", friction_stiffness = 1e3, friction_static = 0.5, friction_dynamic = 0.5, integrator = "velocity_verlet" }',
  trapezoidal = 'floc.discrete_element { contact = "hooke", stiffness = 1e3, rotation = true, adaptive = false, iterations = 40, tolerance = 1e-9 }',
}

local function start(scheme, more)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -10 }, scheme = %s, %s }
  sim:add_attribute "frozen"
  ]], scheme, more or "")
end

describe("frozen particles", function()
  for name, scheme in pairs(schemes) do
    it("keep their velocity in everything that acts, and rebounds know no recoil: " .. name, function()
      local kept, hit, seen = support.run(start(scheme) .. [[
        local still = sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1, attributes = { frozen = 1 } }
        local moves = sim:add_particle { position = { 50, 0 }, velocity = { 0.3, 0.4 }, radius = 0.5, mass = 1, attributes = { frozen = 1 } }
        local falls = sim:add_particle { position = { 0, 1.2 }, radius = 0.5, mass = 1 }
        sim:add_field { law = function(frozen) return 7 * frozen, 0 end }
        sim:add_flow { flow = "uniform", velocity = { 9, 0 }, relaxation_time = 1e9 }
        sim:add_noise { sigma = 1e-9 }
        sim.wz[still] = 0
        local seen = 0
        sim:every(1, function() seen = math.max(seen, sim.y[falls] < 1 and sim.vy[falls] or 0) end)
        sim:run { until_time = 0.5 }
        return { sim.x[still], sim.y[still], sim.vx[still], sim.wz[still], sim.vx[moves], sim.vy[moves] }, sim.y[moves] - 0.4 * sim.time, seen ]])
      assert.are.same({ 0, 0, 0, 0, 0.3, 0.4 }, kept)
      assert.near(0, hit, 1e-12)
      assert.near(2, seen, 0.25) -- the speed of the fall, sqrt(2 g 0.2), comes back
    end)

    it("thaw, also in a callback and after a resume: " .. name, function()
      local folder = support.folder()
      local script = start(scheme) .. string.format([[
        local one = sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1, attributes = { frozen = 1 } }
        sim:every({ condition = function() return sim.time > 0.2 end }, function() sim.frozen[one] = 0 end)
        sim:checkpoint { path = %q, every = 60, keep = 9 }
        sim:run { until_time = 0.4 }
        return sim:hash(), sim.vy[one] ]], folder .. "/run.floc")
      local hash, speed = support.run(script)
      assert.near(-2, speed, 0.03)
      for k = 1, 5, 2 do assert.are.equal(hash, (support.resume(folder .. "/run.floc." .. k))) end
      support.remove(folder)
    end)
  end

  it("leave the account of energy closed", function()
    local energy = support.run(start(schemes.verlet, "energy_ledger = true") .. [[
      for k = 1, 30 do sim:add_particle { position = { k % 5, k / 3 }, radius = 0.3 + k / 100, mass = 1, attributes = { frozen = k <= 5 and 1 or 0 } } end
      sim:run { until_time = 1 }
      return sim:energy_ledger() ]])
    assert.is_true(energy.turnover > 100 and math.abs(energy.residual) < 1e-11 * energy.turnover, energy.residual)
  end)

  it("are refused by name where the scheme does not hold them", function()
    for _, scheme in ipairs { "floc.ballistic()", "floc.event_driven()" } do
      local message = support.failure(start(scheme):gsub("gravity = { 0, %-10 }, ", "") .. "sim:add_particle { position = { 0, 0 }, radius = 1, attributes = { frozen = 2 } }\nsim:run { steps = 1 }")
      assert.is_truthy(message:find("particle 1 is frozen (its attribute frozen is 2), which is not supported under the scheme", 1, true), message)
      assert.is_truthy(message:find("; inelastic, gluey, first_order and discrete_element do it", 1, true), message)
    end
    local message = support.failure(start "floc.inelastic()" .. [[
      for k = 1, 3 do sim:add_particle { position = { 3 * k, 0 }, radius = 1, attributes = { frozen = k - 1 } } end
      sim:add_assembly { particles = { 1, 2 } }
      sim:run { steps = 1 } ]])
    assert.is_truthy(message:find("particle 2 is frozen (its attribute frozen is 1), and belongs to assembly 0; members of assemblies cannot be frozen", 1, true), message)
  end)
end)

local projections = {
  plain = "floc.inelastic { tolerance = 1e-12 }",
  rough = "floc.inelastic { friction = 0.4, rotation = true, tolerance = 1e-12 }",
  sticky = "floc.gluey { tolerance = 1e-12, gamma_min = -1e-3 }",
  first = "floc.first_order { tolerance = 1e-12, velocity = function(frozen) return 3 * frozen, -1 end }",
}

local function begin(scheme, more)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { time_step = 1e-3, scheme = %s, %s %s }
  sim:add_attribute "frozen"
  ]], scheme, scheme:find "first" and "" or "gravity = { 0, -10 },", more or "")
end

describe("frozen particles in the projection", function()
  for name, scheme in pairs(projections) do
    it("keep their velocity, stop what falls on them and push what is in their way: " .. name, function()
      local kept, stopped, pushed = support.run(begin(scheme) .. [[
        local still = sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1, attributes = { frozen = 1 } }
        local under = sim:add_particle { position = { 0.1, -0.9 }, radius = 0.5, mass = 1e-3, attributes = { frozen = 1 }, allow_overlap = true }
        local moves = sim:add_particle { position = { 49, 0 }, velocity = { 2, 0 }, radius = 0.5, mass = 1e-3, attributes = { frozen = 1 } }
        local falls = sim:add_particle { position = { 0, 1.05 }, radius = 0.5, mass = 1e3 }
        local pushed = sim:add_particle { position = { 50.1, 0 }, radius = 0.5, mass = 1e3 }
        if not sim.vx[moves] or sim.time_step ~= 1e-3 then error "unexpected" end
        sim:run { steps = 150 }
        assert(sim:report().overlap < 1e-9)
        local impulse = 0
        for _, contact in ipairs(sim:contacts()) do
          if contact.id_i == still or contact.id_j == still then impulse = impulse + contact.impulse end
          assert(not (contact.id_i <= 2 and contact.id_j == 2), "two frozen ones are a contact")
        end
        return { sim.x[still], sim.y[still], sim.vx[still], sim.vy[still], sim.vx[moves], sim.vy[moves], sim.y[under] }, { sim.y[falls], sim.vy[falls], impulse }, { sim.x[pushed] - sim.x[moves], sim.vx[pushed] } ]])
      assert.are.same({ 0, 0, 0, 0, 2, 0, -0.9 }, kept)
      assert.near(1, stopped[1], 1e-9)
      assert.near(0, stopped[2], 1e-9)
      assert.near(name == "first" and 1 or 1e3 * 10 * 1e-3, stopped[3], 1e-8) -- the velocity held back; the weight of a step
      assert.is_true(pushed[1] > 0.9 and pushed[2] > 0, pushed[1] .. " " .. pushed[2])
    end)

    it("thaw in a callback and between runs, with the same bits after a resume: " .. name, function()
      local folder = support.folder()
      local script = begin(scheme) .. string.format([[
        for k = 1, 40 do
          sim:add_particle { position = { k %% 8 + 0.02 * k, math.floor(k / 8) + 0.01 * (k %% 3) }, radius = 0.45, mass = 1 + k %% 5, attributes = { frozen = k <= 16 and 1 or 0 } }
        end
        sim:every { condition = function() return sim.time > 0.2 end }
        sim:checkpoint { path = %q, every = 60, keep = 9 }
        sim:run { steps = 150 }
        local y = {}
        for k = 1, 16 do y[k] = sim.y[k] end
        for k = 1, 8 do sim.frozen[k] = 0 end
        sim:run { steps = 150 }
        return sim:hash(), y, { sim.y[1], sim.y[16] } ]], folder .. "/run.floc"):gsub("sim:every (%b{})", "sim:every(%1, function() sim.frozen[9] = 0 end)")
      local hash, y, later = support.run(script)
      for k = 1, 16 do assert.near(math.floor(k / 8) + 0.01 * (k % 3), y[k], 0) end
      assert.is_true(later[1] < 0.01 - 0.05 and later[2] == 2 + 0.01)
      for k = 0, 4, 2 do assert.are.equal(hash, (support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or "")))) end
      support.remove(folder)
    end)
  end

  -- Spheres of a body have the same contact problem. With friction they have not: it acts on a body's surface, and
  -- midway between two particles, which differs by half the gap that a contact closes in the step.
  it("stop what a body of the same spheres stops", function()
    local function run(scheme, frozen, grains, steps)
      return support.run(begin(scheme) .. string.format([[
        local shapes = {}
        for k = 0, 9 do shapes[k + 1] = floc.sphere { center = { k - 4.5, 0.1 * (k %% 3) }, radius = 0.6 } end
        if not %s then sim:add_body { shapes = shapes } end
        for k = 0, %s and 9 or -1 do
          sim:add_particle { position = { k - 4.5, 0.1 * (k %% 3) }, radius = 0.6, mass = 2, attributes = { frozen = 1 }, allow_overlap = true }
        end
        for k = 0, %d do
          sim:add_particle { position = { 0.7 * (k %% 10) - 3.1 + 0.02 * k, 1.1 + 0.7 * math.floor(k / 10) }, radius = 0.3, mass = 1, velocity = { 0.5, -1 } }
        end
        sim:run { steps = %d }
        local list = {}
        for k = sim.count - %d, sim.count do list[#list + 1] = sim.x[k] list[#list + 1] = sim.y[k] list[#list + 1] = sim.vx[k] end
        return list, sim:contacts() ]], tostring(frozen), tostring(frozen), grains - 1, steps, grains - 1))
    end
    for _, case in ipairs { { projections.plain, 30, 200 }, { projections.first, 30, 200 },
      { projections.plain:gsub("tolerance", "restitution = 0.7, tolerance"), 1, 400 } } do
      local one, contacts = run(case[1], true, case[2], case[3])
      local other, of_body = run(case[1], false, case[2], case[3])
      assert.are.equal(3 * case[2], #one)
      for k = 1, #one do assert.near(other[k], one[k], 1e-10) end
      assert.are.equal(#of_body, #contacts) -- and what acts on them is reported as for others
      local sum = { 0, 0 }
      for k = 1, #contacts do sum[1], sum[2] = sum[1] + contacts[k].impulse, sum[2] + of_body[k].impulse end
      assert.near(sum[2], sum[1], 1e-9)
    end
  end)

  -- Particles of 1e13 times the mass, which nothing but contacts acts on, are moved by 1e-13 of what others are. What is
  -- left is what the tolerance allows a velocity, 1e-12 over the time step.
  local limit = {
    plain = "floc.inelastic { tolerance = 1e-12 }",
    uzawa = 'floc.inelastic { solver = "uzawa", tolerance = 1e-12 }',
    apgd = 'floc.inelastic { solver = "apgd", tolerance = 1e-12 }',
    ["interior point"] = 'floc.inelastic { solver = "interior_point", tolerance = 1e-12 }',
    rebound = "floc.inelastic { restitution = 0.7, tolerance = 1e-12 }",
    rough = "floc.inelastic { friction = 0.4, rotation = true, tolerance = 1e-12 }",
    ["rough rebound"] = "floc.inelastic { friction = 0.4, restitution = 0.5, rotation = true, tolerance = 1e-12 }",
    rolling = "floc.inelastic { friction = 0.4, rolling = 0.1, rotation = true, tolerance = 1e-12 }",
    convex = 'floc.inelastic { friction = 0.4, friction_law = "convex", rotation = true, tolerance = 1e-12 }',
    sticky = "floc.gluey { tolerance = 1e-12, gamma_min = -1e-3 }",
    ["sticky rough"] = "floc.gluey { friction = 0.4, rotation = true, tolerance = 1e-12, gamma_min = -1e-3 }",
  }

  local function fall(scheme, dimension, frozen, more)
    return string.format([[local floc = require "floc"
      local d, frozen = %d, %s
      local deep = d == 3 and 3 or 1
      local sim = floc.simulation { time_step = 1e-3, dimension = d, scheme = %s }
      sim:add_attribute "frozen"
      sim:add_attribute "held"
      local function place(x, y, z) return d == 3 and { x, y, z } or { x, y } end
      for k = 0, 6 * deep - 1 do
        sim:add_particle { position = place(k %% 6 - 2.5, 0.1 * (k %% 3), math.floor(k / 6)), velocity = place(0.1, 0.05, 0.02), radius = 0.49,
          mass = frozen and 1 or 1e13, attributes = { frozen = frozen and 1 or 0, held = 1 } }
      end
      local function weight(mass, held) return 0, -10 * mass * (1 - held) end
      local function weight_in_space(mass, held) return 0, -10 * mass * (1 - held), 0 end
      sim:add_field { law = d == 3 and weight_in_space or weight }
      for k = 0, 20 * deep - 1 do
        local row = math.floor(k / 6)
        sim:add_particle { position = place(0.7 * (k %% 6) - 2 + 0.01 * k, 1.15 + 0.7 * math.floor(row / deep), 0.3 + 0.7 * (row %% deep)),
          velocity = place(0.5, -1, 0.1), radius = 0.3, mass = 1 + k %% 3 }
      end
      %s
      sim:run { steps = 260 }
      local list = {}
      for k = 6 * deep + 1, sim.count do
        for _, name in ipairs { "x", "y", "z", "vx", "vy", "vz" } do list[#list + 1] = sim[name][k] end
      end
      return list, #sim:contacts(), sim:hash() ]], dimension, tostring(frozen), scheme, more or "")
  end

  for name, scheme in pairs(limit) do
    it("act as particles of great mass: " .. name, function()
      for dimension = 2, 3 do
        local one, contacts = support.run(fall(scheme, dimension, true))
        local other, same = support.run(fall(scheme, dimension, false))
        local slowed = 0 -- of those that would fall with 3.6
        for k = 5, #one, 6 do slowed = slowed + (one[k] > -2 and 1 or 0) end
        assert.is_true(slowed >= 10 and contacts == same, slowed .. ", " .. contacts .. " and " .. same)
        for k = 1, #one do assert.near(other[k], one[k], 1e-9) end
      end
    end)
  end

  for _, name in ipairs { "plain", "rough rebound", "rolling", "sticky rough" } do
    it("have the same bits on all threads, and after a resume: " .. name, function()
      for dimension = 2, 3 do
        local folder, expected = support.folder(), nil
        local text = fall(limit[name], dimension, true, string.format("sim:checkpoint { path = %q, every = 110 }", folder .. "/run.floc"))
        for _, threads in ipairs { 1, 2, 3, 8 } do
          local _, _, hash = support.run(text, { threads = threads })
          expected = expected or hash
          assert.are.equal(expected, hash)
        end
        local _, _, hash = support.resume(folder .. "/run.floc")
        assert.are.equal(expected, hash)
        support.remove(folder)
      end
    end)
  end

  it("do not count as out of balance", function()
    local ratio, rest = support.run(begin(projections.rough) .. [[
      for k = 1, 5 do sim:add_particle { position = { k, 0.1 * (k % 2) }, radius = 0.45, mass = 1e3, attributes = { frozen = 1 } } end
      for k = 1, 6 do sim:add_particle { position = { 0.7 + 0.6 * k, 1.2 + 0.05 * k }, radius = 0.25, mass = 1 } end
      sim:run { steps = 3000 }
      local count = 0
      for _, contact in ipairs(sim:contacts()) do count = count + contact.impulse end
      return sim:measure "unbalanced_force_ratio", count ]])
    assert.is_true(ratio < 1e-6 and rest > 0, ratio .. " " .. rest)
  end)

  it("leave the account of energy closed, also where they move", function()
    for _, scheme in ipairs { projections.plain, projections.rough } do
      local energy = support.run(begin(scheme, "energy_ledger = true") .. [[
        for k = 1, 30 do
          sim:add_particle { position = { k % 5, k / 3 }, radius = 0.3 + k / 100, mass = 1, velocity = { k == 3 and 0.5 or 0, 0 }, allow_overlap = true, attributes = { frozen = k <= 5 and 1 or 0 } }
        end
        sim:run { steps = 1500 }
        return sim:energy_ledger() ]])
      assert.is_true(energy.turnover > 100 and math.abs(energy.residual) < 1e-11 * energy.turnover, energy.residual .. " of " .. energy.turnover)
    end
  end)
end)
