-- What laws do besides exerting forces on pairs, where other specs do not look: wall laws against the bodies that they act on, evolutions that
-- read sums, materials, explanations, and what is refused of laws without a list.

local support = require "support"

local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
local laws = here .. "examples/laws/?.lua;"
local head = ('package.path = %q .. package.path local floc = require "floc"\n'):format(laws)

local function run(script) return support.run(head .. script) end

local schemes = {
  { "discrete elements", 'floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" }' },
  { "the projection", "floc.inelastic { rotation = true }" },
}

-- The same bits on 1, 2, 3 threads and after a resume; make(threads, tail) is a script that ends in tail.
local function assert_same_bits(make, steps, at)
  local tail = string.format("sim:run { steps = %d } return sim:hash()", steps)
  local bits = support.run(make(1, tail))
  for threads = 2, 3 do assert.are.equal(bits, (support.run(make(threads, tail)))) end
  local folder = support.folder()
  local path = folder .. "/run.state"
  assert.are.equal(bits, (support.run(make(2, string.format("sim:checkpoint { path = %q, every = %d } ", path, at) .. tail))))
  assert.are.equal(bits, (support.resume(path)))
  support.remove(folder)
end

describe("a wall law", function()
  -- Force and torque on the body are those on the particles, about any point; a rate and a sum are what the law says.
  for _, scheme in ipairs(schemes) do
    for _, dimension in ipairs { 2, 3 } do
      it("acts on the body as on the particles, in " .. dimension .. " dimensions, " .. scheme[1], function()
        for _, way in ipairs { "traced", "called" } do
          local found = run(string.format([[
            local dimension, way = %d, %q
            local h = 1e-4
            local sim = floc.simulation { dimension = dimension, time_step = h, scheme = %s }
            for _, name in ipairs { "heat", "load" } do sim:add_attribute(name, 0) end
            local body = dimension == 2 and sim:add_body { position = { 0.3, -0.2 }, shapes = { floc.segment { { -2, 0 }, { 2, 0 } }, floc.sphere { center = { -3, 0 }, radius = 0.5 } },
                velocity = { 0.3, 0 }, angular_velocity = 0.2 }
              or sim:add_body { position = { 0.3, -0.2, 0.1 }, shapes = { floc.segment { { -2, 0, 0 }, { 2, 0, 0 } }, floc.sphere { center = { -3, 0, 0 }, radius = 0.5 } },
                velocity = { 0.3, 0, 0.1 }, angular_velocity = { 0.1, 0.2, -0.3 } }
            local z = floc.random "z"
            for k = 0, 9 do
              local at = { -3.2 + 0.6 * k, 0.4 + 0.02 * k + (k < 3 and 0.2 or 0), z:uniform(0, 0.1) }
              local v = { z:uniform(-1, 1), z:uniform(-1, 1), z:uniform(-1, 1) }
              if dimension == 2 then at[3], v[3] = nil, nil end
              sim:add_particle { position = at, radius = 0.1, mass = 1 + k, velocity = v }
              sim.wz[k + 1] = k - 4
              if dimension == 3 then sim.wx[k + 1], sim.wy[k + 1] = 3 - k, 0.3 * k end
            end
            local returns = dimension == 2 and { "normal", "tangential", "force_x", "force_y", "torque_z", "rate_heat", "sum_load" }
              or { "normal", "tangential", "force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z", "rate_heat", "sum_load" }
            sim:add_wall_force { way = way, range = 0.8, returns = returns,
              law = function(distance, tangential_velocity, vx, vy, wz, mass)
                if dimension == 2 then return 2 / distance, -0.3 * tangential_velocity, 0.1 - vx, 0.2 - vy, -wz, 3 * mass, mass / 2 end
                return 2 / distance, -0.3 * tangential_velocity, 0.1 - vx, 0.2 - vy, 0.5, wz, 0.25, -wz, 3 * mass, mass / 2
              end }
            sim:run { steps = 1 }
            local force, moment, worst = { 0, 0, 0 }, { 0, 0, 0 }, 0
            local scale = 0
            for id = 1, sim.count do
              -- of a projection forces are those at the step's start, of discrete elements those at its end
              local back = %s
              local x = { sim.x[id] - back * sim.vx[id], sim.y[id] - back * sim.vy[id], dimension == 3 and sim.z[id] - back * sim.vz[id] or 0 }
              local f = { sim.fx[id], sim.fy[id], dimension == 3 and sim.fz[id] or 0 }
              local t = { dimension == 3 and sim.tx[id] or 0, dimension == 3 and sim.ty[id] or 0, sim.tz[id] }
              for a = 1, 3 do
                local b, c = a %% 3 + 1, (a + 1) %% 3 + 1
                force[a], moment[a] = force[a] + f[a], moment[a] + x[b] * f[c] - x[c] * f[b] + t[a]
                scale = scale + math.abs(f[a])
              end
              local meets = f[1] ~= 0
              local times = math.floor(sim.load[id] / (id / 2) + 0.5) -- near how many shapes
              if meets ~= (times > 0) then worst = 1 end
              worst = math.max(worst, math.abs(sim.heat[id] - 3 * h * id * times), math.abs(sim.load[id] - id / 2 * times))
            end
            local F, T, X = body.force, body.torque, body.position
            F[3], X[3] = F[3] or 0, X[3] or 0
            if dimension == 2 then T = { 0, 0, T } end
            local off_force, off_moment = 0, 0
            for a = 1, 3 do
              local b, c = a %% 3 + 1, (a + 1) %% 3 + 1
              off_force = math.max(off_force, math.abs(F[a] + force[a]))
              if dimension == 3 or a == 3 then off_moment = math.max(off_moment, math.abs(moment[a] + T[a] + X[b] * F[c] - X[c] * F[b])) end
            end
            return { off_force / scale, off_moment / scale, worst, scale } ]], dimension, way, scheme[2], scheme[2]:find "inelastic" and "h" or "0"))
          assert.is_true(found[1] < 1e-13, "forces differ by " .. found[1])
          assert.is_true(found[2] < 1e-12, "moments differ by " .. found[2])
          assert.is_true(found[3] < 1e-15, "amounts differ by " .. found[3])
          assert.is_true(found[4] > 5)
        end
      end)
    end
  end
end)

describe("a field", function()
  it("turns, heats and sums as it says", function()
    for _, scheme in ipairs(schemes) do
      local found = run(string.format([[
        local h = 1e-3
        local sim = floc.simulation { dimension = 3, time_step = h, scheme = %s }
        for _, name in ipairs { "heat", "weight" } do sim:add_attribute(name, 1) end
        sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 2 }
        sim:add_field { returns = { "torque_x", "torque_y", "torque_z", "rate_heat", "sum_weight" }, law = function(mass) return 1, -2, 3, -4, 10 * mass end }
        sim:run { steps = 10 }
        local I = 0.4 * 2 * 0.25
        return { sim.wx[1] * I - 10 * h, sim.wy[1] * I + 20 * h, sim.wz[1] * I - 30 * h, sim.heat[1] - 1 + 40 * h, sim.weight[1] } ]], scheme[2]))
      for k = 1, 4 do assert.near(0, found[k], 1e-14) end
      assert.are.equal(20, found[5])
    end
  end)
end)

describe("an evolution that reads a sum", function()
  local function make(scheme, way)
    return function(threads, tail)
      return head .. string.format([[
        local sim = floc.simulation { dimension = 2, time_step = 1e-2, threads = %d, scheme = %s }
        for _, name in ipairs { "near", "age" } do sim:add_attribute(name, 0) end
        for k = 0, 48 do sim:add_particle { position = { k %% 7, math.floor(k / 7) }, radius = 0.1, mass = 1 } end
        sim:add_evolution { way = %q, attributes = { "age" }, law = function(sum_near, time) return sum_near * (1 + time) end } -- before what it reads
        sim:add_force { way = %q, range = 0.9, returns = { "sum_near" }, law = function(distance) return distance < 1.1 and 1 or 0 end }
        %s ]], threads, scheme, way, way, tail)
    end
  end

  for _, scheme in ipairs(schemes) do
    it("has the finished sum of the same step, " .. scheme[1], function()
      for _, way in ipairs { "traced", "called" } do
        local found = support.run(make(scheme[2], way)(1, "sim:run { steps = 20 } return { sim.age[1], sim.age[4], sim.age[25], sim.time_step, sim.near[25] }"))
        local h = found[4]
        -- the last evaluation of forces in a step is at its beginning in the projection, at its end in discrete elements
        local begin = scheme[2]:find "inelastic" and 0 or 1
        local sum = 0
        for step = begin, begin + 19 do sum = sum + h * (1 + step * h) end
        assert.near(2 * sum, found[1], 1e-13)
        assert.near(3 * sum, found[2], 1e-13)
        assert.near(4 * sum, found[3], 1e-13)
        assert.are.equal(4, found[5])
      end
    end)

    it("has the same bits on 1, 2 and 3 threads and after a resume, " .. scheme[1], function()
      assert_same_bits(make(scheme[2], "traced"), 40, 25)
    end)
  end
end)

describe("materials", function()
  it("are inputs of pairs and walls", function()
    for _, way in ipairs { "traced", "called" } do
      local found = run(string.format([[
        local sim = floc.simulation { dimension = 2, time_step = 1e-6, scheme = floc.inelastic {} }
        sim:add_attribute("material", 0)
        sim:add_body { shapes = { floc.segment { { -1, -1 }, { 1, -1 } }, floc.segment { { 2, -1 }, { 9, -1 } } }, material = 5, materials = { 6, 7 } }
        for k = 0, 2 do sim:add_particle { position = { 2.5 * k, 0 }, radius = 0.5, mass = 1 } end
        for id = 1, 3 do sim.material[id] = 2 * id - 1 end
        local pair = sim:add_force { way = %q, range = 2, law = function(material_i, material_j) return 10 * material_i + material_j end, symmetric = false }
        local wall = sim:add_wall_force { way = %q, range = 0.7, law = function(material, id) return material + id / 100 end }
        sim:run { steps = 1 }
        local pairs_found, walls_found = sim:law_pairs(pair, { "id_i", "normal" }), sim:law_pairs(wall, { "id", "normal" })
        local list = {}
        for k = 1, pairs_found.count do list[10 + pairs_found.id_i[k] ] = pairs_found.normal[k] end
        for k = 1, walls_found.count do list[20 + walls_found.id[k] ] = walls_found.normal[k] end
        return { list[11], list[12], list[21], list[22], list[23], sim.fx[1] } ]], way, way))
      assert.are.same({ 13, 35, 6.01, 7.02, 7.03, -13 }, found)
    end
  end)

  it("are 0 where particles have none", function()
    local found = run [[
      local sim = floc.simulation { dimension = 2, time_step = 1e-6, scheme = floc.inelastic {} }
      for k = 0, 1 do sim:add_particle { position = { 2.5 * k, 0 }, radius = 0.5, mass = 1 } end
      sim:add_force { range = 2, law = function(material_i, material_j) return 4 + material_i + material_j end }
      sim:run { steps = 1 }
      return sim.fx[2] ]]
    assert.are.equal(4, found)
  end)
end)

describe("sim:explain", function()
  it("names inputs and outputs of laws that return more", function()
    local text = run [[
      local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { contact = "none", rotation = true } }
      for _, name in ipairs { "heat", "density" } do sim:add_attribute(name, 0) end
      local pair = sim:add_force { range = 1, memory = { "stretch" }, returns = { "force_x", "force_y", "force_z", "torque_i_x", "torque_j_z", "rate_heat", "sum_density", "stretch", "energy" },
        symmetric = false, balanced = false,
        law = function(distance, axis_i_x, stretch) return distance, axis_i_x, 0, 1, 2, stretch, 3, stretch + 1, distance end }
      local field = sim:add_field { returns = { "torque_x", "sum_density" }, law = function(mass, normal_random) return normal_random, mass end }
      return { sim:explain(pair), sim:explain(field) } ]]
    for _, name in ipairs { "force_x", "force_y", "force_z", "torque_i_x", "torque_j_z", "rate_heat", "sum_density", "stretch", "energy", "axis_i_x", "distance" } do
      assert.is_truthy(text[1]:find(name, 1, true), name .. " in " .. text[1])
    end
    for _, name in ipairs { "torque_x", "sum_density", "normal_random", "mass" } do assert.is_truthy(text[2]:find(name, 1, true), name .. " in " .. text[2]) end
  end)
end)

describe("laws without a list", function()
  it("have no pairs to read, and say so", function()
    local message = support.failure(head .. [[
      local sim = floc.simulation { dimension = 2, time_step = 1e-3, scheme = floc.inelastic {} }
      for k = 0, 3 do sim:add_particle { position = { 2 * k, 0 }, radius = 0.5, mass = 1 } end
      local law = sim:add_force { name = "everywhere", range = math.huge, law = function(distance) return 1 / distance end }
      sim:run { steps = 1 }
      sim:law_pairs(law) ]])
    assert.is_truthy(message:find("everywhere: the law acts on all pairs, which are not stored; give it a shorter range", 1, true), message)
  end)
end)

describe("long-range forces", function()
  for _, scheme in ipairs(schemes) do
    it("have the same bits on 1, 2 and 3 threads and after a resume, " .. scheme[1], function()
      assert_same_bits(function(threads, tail)
        return head .. string.format([[
          local sim = floc.simulation { dimension = 3, time_step = 1e-3, threads = %d, seed = 2, scheme = %s }
          sim:add_particles { count = 700, radius = 0.01, mass = 1, region = floc.box { lower = { 0, 0, 0 }, upper = { 1, 1, 1 } }, velocity_spread = 1 }
          sim:add_attribute("charge", 0)
          for id = 1, sim.count do sim.charge[id] = id %% 2 - 0.5 end
          sim:add_long_range { kind = "gravity", constant = 1e-3, softening = 0.01 }
          sim:add_long_range { kind = "coulomb", constant = 1e-2, opening = 0.5, softening = 0.01 }
          %s ]], threads, scheme[2], tail)
      end, 30, 17)
    end)
  end
end)
