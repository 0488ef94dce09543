-- Pairs of laws and contacts as columns: against the formulas of the laws at the positions that a script sees, against
-- sim:contacts(), and what is refused.

local support = require "support"

local function run(script, options) return support.run('local floc = require "floc"\n' .. script, options) end

-- A cloud in a periodic box with a law of everything that a pair law may return, and one at a wall.
local function cloud(dimension, scheme)
  return (([[
    local dimension = DIMENSION
    local function vector(x, y, z) return dimension == 2 and { x, y } or { x, y, z } end
    local sim = floc.simulation { dimension = dimension, time_step = 1e-3, scheme = SCHEME, domain = floc.box { lower = vector(0, 0, 0), upper = vector(4, 4, 4) },
      boundary = { "periodic", "open", dimension == 3 and "open" or nil } }
    local body = sim:add_body { shape = floc.plane { point = vector(0, 0, 0), normal = vector(0, 1, 0) } }
    local place = floc.random "places"
    for id = 1, 120 do
      sim:add_particle { position = vector(place:uniform(0, 4), place:uniform(0.1, 4), place:uniform(0, 4)), radius = place:uniform(0.1, 0.2),
        velocity = vector(place:uniform(-1, 1), place:uniform(-1, 1), place:uniform(-1, 1)), mass = 1, allow_overlap = true }
    end
    local law = sim:add_force { name = "springs", range = 0.2, memory = { "age" }, returns = { "normal", "tangential", "energy", "age" }, parameters = { k = 30 },
      law = function(overlap, distance, tangential_velocity, age, time_step, k, radius_i)
        return k * overlap + radius_i, -0.1 * tangential_velocity, 0.5 * k * overlap ^ 2 + distance, age + time_step
      end }
    local wall = sim:add_wall_force { range = 0.3, returns = { "normal", "energy" }, law = function(distance, radius)
      return 2 * (radius + 0.3 - distance), (radius + 0.3 - distance) ^ 2 end }
    local function nearest(d) return d - 4 * math.floor(d / 4 + 0.5) end
  ]]):gsub("DIMENSION", dimension):gsub("SCHEME", scheme))
end

local compare = [[
  local function check(sim)
    local found = sim:law_pairs(law, { "id_i", "id_j", "distance", "overlap", "normal", "energy", "age", "k", "radius_i", "normal_x", "normal_y", "normal_z",
      "tangential", "tangential_x", "tangential_y", "tangential_z" })
    local at, worst, expected = {}, 0, 0
    for row = 1, found.count do at[found.id_i[row] * 1000 + found.id_j[row] ] = row end
    for i = 1, sim.count do
      for j = i + 1, sim.count do
        local d = { nearest(sim.x[j] - sim.x[i]), sim.y[j] - sim.y[i], dimension == 3 and sim.z[j] - sim.z[i] or 0 }
        local distance = math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
        local overlap = sim.radius[i] + sim.radius[j] - distance
        if overlap >= -0.2 then
          expected = expected + 1
          local row = assert(at[i * 1000 + j], "a pair is missing")
          local across = math.sqrt(found.tangential_x[row] ^ 2 + found.tangential_y[row] ^ 2 + found.tangential_z[row] ^ 2)
          local along = found.tangential_x[row] * d[1] + found.tangential_y[row] * d[2] + found.tangential_z[row] * d[3]
          for _, pair in ipairs { { found.distance[row], distance }, { found.overlap[row], overlap }, { found.normal[row], 30 * overlap + sim.radius[i] },
              { found.energy[row], 15 * overlap ^ 2 + distance }, { found.k[row], 30 }, { found.radius_i[row], sim.radius[i] },
              { found.normal_x[row], d[1] / distance }, { found.normal_y[row], d[2] / distance }, { found.normal_z[row], d[3] / distance },
              { across, math.abs(found.tangential[row]) }, { along, 0 } } do
            worst = math.max(worst, math.abs(pair[1] - pair[2]))
          end
        end
      end
    end
    assert(found.count == expected, found.count .. " " .. expected)
    return worst, found
  end ]]

local schemes = {
  elements = "floc.discrete_element { contact_force = 'none' }",
  trapezoidal = "floc.discrete_element { contact_force = 'none', integrator = 'trapezoidal' }",
  projection = "floc.inelastic {}",
}

describe("pairs of a law as columns", function()
  for _, dimension in ipairs { 2, 3 } do
    for name, scheme in pairs(schemes) do
      it(string.format("are those within range, with what the law gives them: %s, %d-D", name, dimension), function()
        local worst, count, ages = run(cloud(dimension, scheme) .. compare .. [[
          local worst = check(sim)
          local oldest, found = 0
          sim:every(7, function()
            local difference
            difference, found = check(sim)
            worst = math.max(worst, difference)
          end)
          sim:run { steps = 28 }
          for row = 1, found.count do oldest = math.max(oldest, found.age[row]) end
          return worst, found.count, oldest ]])
        assert.is_true(worst < 1e-12, worst)
        assert.is_true(count > 40, count)
        assert.near(28e-3, ages, 1e-12) -- what the pairs remember after the last step
      end)
    end
  end

  it("have all usual names by default, and one list where one is asked for", function()
    local first, second, third = run(cloud(3, schemes.elements) .. [[
      local function names(found)
        local list = {}
        for name, values in pairs(found) do
          list[#list + 1] = name
          assert(name == "count" or #values == found.count)
        end
        table.sort(list)
        return table.concat(list, " ")
      end
      return names(sim:law_pairs(law)), names(sim:law_pairs(wall)), names(sim:law_pairs(law, "age")) ]])
    assert.equal("age count distance energy id_i id_j normal tangential", first)
    assert.equal("body count distance energy id normal", second)
    assert.equal("age count", third)
  end)

  it("are put into the lists of an earlier call, which get shorter and longer", function()
    run(cloud(2, schemes.elements) .. [[
      local kept = sim:law_pairs(law)
      local lists, counts = { kept.normal, kept.id_i }, {}
      sim:every(5, function()
        counts[#counts + 1] = kept.count
        local again, new = sim:law_pairs(law, { "normal", "id_i" }, kept), sim:law_pairs(law, { "normal", "id_i" })
        assert(again == kept and again.count == new.count and #kept.normal == new.count)
        assert(not jit or (kept.normal == lists[1] and kept.id_i == lists[2]))
        for k = 1, new.count do assert(kept.normal[k] == new.normal[k] and kept.id_i[k] == new.id_i[k]) end
      end)
      sim:run { steps = 100 }
      local shorter, longer = false, false
      for k = 2, #counts do shorter, longer = shorter or counts[k] < counts[k - 1], longer or counts[k] > counts[k - 1] end
      assert(shorter and longer) ]])
  end)

  it("of a wall law are the particles near it", function()
    local worst, rows = run(cloud(3, schemes.elements) .. [[
      sim:run { steps = 5 }
      local found = sim:law_pairs(wall, { "id", "body", "shape", "distance", "overlap", "normal", "normal_y", "energy", "radius" })
      local worst, expected = 0, 0
      for id = 1, sim.count do expected = expected + (sim.y[id] - sim.radius[id] <= 0.3 and 1 or 0) end
      assert(found.count == expected)
      for row, id in ipairs(found.id) do
        local y, r = sim.y[id], sim.radius[id]
        for _, pair in ipairs { { found.distance[row], y }, { found.overlap[row], r - y }, { found.normal[row], 2 * (r + 0.3 - y) },
            { found.energy[row], (r + 0.3 - y) ^ 2 }, { found.normal_y[row], -1 }, { found.body[row], 1 }, { found.shape[row], 1 }, { found.radius[row], r } } do
          worst = math.max(worst, math.abs(pair[1] - pair[2]))
        end
      end
      return worst, found.count ]])
    assert.is_true(worst < 1e-13, worst)
    assert.is_true(rows > 5, rows)
  end)

  it("add up to the law's energy, with the same bits on any number of threads, and change nothing", function()
    local sums = {}
    for threads = 1, 3 do
      local sum, energy, hash = run(cloud(3, schemes.elements) .. [[
        sim.threads = ]] .. threads .. "\n" .. [[
        if READS then sim:every(1, function() sim:law_pairs(law) end) end
        sim:run { steps = 20 }
        local found, sum = sim:law_pairs(law, "energy"), 0
        for _, energy in ipairs(found.energy) do sum = sum + energy end
        return sum, law.energy, sim:hash() ]])
      assert.near(energy, sum, 1e-9)
      sums[threads] = string.format("%a %s", sum, hash)
    end
    assert.same({ sums[1], sums[1], sums[1] }, sums)
    local _, _, hash = run("READS = true\n" .. cloud(3, schemes.elements) .. [[
      sim:every(1, function() sim:law_pairs(law) sim:contact_columns() end)
      sim:run { steps = 20 }
      return 0, 0, sim:hash() ]])
    assert.equal(sums[1]:match " (.*)", hash)
  end)

  it("leave the energies of all laws as they are", function()
    local before, after = run(cloud(3, schemes.elements) .. [[
      sim:run { steps = 5 }
      local before = { law.energy, wall.energy, sim:measure "law_energy" }
      sim:law_pairs(wall)
      sim:law_pairs(law, "normal")
      local after = { law.energy, wall.energy, sim:measure "law_energy" }
      return before, after ]])
    for k = 1, 3 do
      assert.is_true(before[k] > 0)
      assert.near(before[k], after[k], 1e-10 * before[k])
    end
  end)

  it("come back in a resume as they were read", function()
    local folder = support.folder()
    local script = 'local floc = require "floc"\n' .. cloud(2, schemes.elements) .. string.format([[
      sim:run { steps = 5 }
      local found, seen = sim:law_pairs(law, { "normal", "id_j" }), sim:contact_columns "id_i"
      sim:checkpoint %q
      local again = sim:law_pairs(law, "normal")
      return string.format("%%a %%d %%d %%d %%a", found.normal[found.count], found.id_j[1], found.count, seen.count, again.normal[1]) ]], folder .. "/c.floc")
    local before = support.run(script)
    assert.equal(before, (support.resume(folder .. "/c.floc")))
    support.remove(folder)
  end)

  it("are refused by name", function()
    for script, text in pairs {
      ["sim:law_pairs(law, { 'id_i', 'energi' })"] = 'have no "energi"; did you mean energy?',
      ["sim:law_pairs(wall, 'id_i')"] = 'have no "id_i"; known are: body, distance, energy, id, normal,',
      ["sim:law_pairs(law, {})"] = "law_pairs: names is",
      ["sim:law_pairs(law, { 7 })"] = "law_pairs: names[1] is 7; it must be a string",
      ["sim:law_pairs(law, nil, 3)"] = "law_pairs: into is 3; it must be what an earlier call returned",
      ["sim:law_pairs(sim)"] = "law_pairs: takes a law",
      ["sim:law_pairs(sim:add_field { law = function(x) return x, 0 end })"] = "has no pairs; it must be a law of add_force, add_wall_force or add_angle_force",
      ["floc.simulation { time_step = 1 }:law_pairs(law)"] = "belongs to another simulation",
      ["sim:contact_columns { 'impuls' }"] = 'contacts have no "impuls"; did you mean impulse?',
    } do
      local message = support.failure('local floc = require "floc"\n' .. cloud(2, schemes.elements) .. script)
      assert.is_truthy(message:find(text, 1, true), message)
      assert.is_truthy(message:find "^script.lua:%d+: ", message)
    end
  end)
end)

describe("contacts as columns", function()
  for name, scheme in pairs { projection = "floc.inelastic { friction = 0.4, rolling = 0.05 }",
      elements = "floc.discrete_element { contact_force = 'hooke', stiffness = 1e4, damping = 40, friction = 'spring', friction_static = 0.4, friction_dynamic = 0.4, rotation = true, rolling_friction = 0.1, rolling_stiffness = 1e3 }" } do
    for _, dimension in ipairs { 2, 3 } do
      it(string.format("are those of sim:contacts(): %s, %d-D", name, dimension), function()
        local count, loaded, turned = run((([[
          local dimension = DIMENSION
          local function vector(x, y, z) return dimension == 2 and { x, y } or { x, y, z } end
          local sim = floc.simulation { dimension = dimension, time_step = 1e-3, gravity = vector(0, -10, 0), scheme = SCHEME }
          local floor = sim:add_body { shape = floc.plane { point = vector(0, 0, 0), normal = vector(0, 1, 0) } }
          for k = 0, 5 do sim:add_particle { position = vector(0.41 * (k % 3) + 0.03 * k, 0.2 + 0.36 * math.floor(k / 3), 0.05 * k), radius = 0.2, mass = 1,
            velocity = vector(1, 0, 0), allow_overlap = true } end
          sim:run { steps = STEPS }
          local columns, loaded, turned = sim:contact_columns(), 0, 0
          local list = sim:contacts()
          assert(columns.count == #list)
          for row, contact in ipairs(list) do
            for _, name in ipairs { "id_i", "distance", "impulse", "gamma" } do assert(columns[name][row] == contact[name], name) end
            assert(columns.id_j[row] == (contact.id_j or 0) and columns.shape[row] == (contact.shape or 0))
            assert(columns.body[row] == (contact.body and contact.body.number + 1 or 0))
            for _, name in ipairs { "point", "normal", "friction" } do
              for axis, letter in ipairs { "x", "y", "z" } do
                if axis <= dimension then assert(columns[name .. "_" .. letter][row] == contact[name][axis], name) end
              end
            end
            local moment = dimension == 2 and { 0, 0, contact.moment } or contact.moment
            for axis, letter in ipairs { "x", "y", "z" } do
              local values = columns["moment_" .. letter]
              if values then assert(values[row] == moment[axis]) end
            end
            loaded = loaded + (contact.impulse > 0 and 1 or 0)
            turned = turned + (moment[3] ~= 0 and 1 or 0)
          end
          return #list, loaded, turned ]]):gsub("STEPS", name == "projection" and 200 or 20):gsub("DIMENSION", dimension):gsub("SCHEME", scheme)))
        assert.is_true(count >= 3 and loaded >= 3 and turned >= 2, string.format("%d %d %d", count, loaded, turned))
      end)
    end
  end

  it("have the moment that turns what rolls, in the projection", function()
    local worst, least = run [[
      local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -10 }, scheme = floc.inelastic { friction = 0.5, rolling = 0.01 } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      sim:add_particle { position = { 0, 0.1 }, velocity = { 1, 0 }, radius = 0.1, mass = 2 }
      sim.wz[1] = -10
      local worst, least = 0, 1
      for _ = 1, 100 do
        local before = sim.wz[1]
        sim:run { steps = 1 }
        local c = sim:contacts()[1]
        worst = math.max(worst, math.abs(0.5 * 2 * 0.1 ^ 2 * (sim.wz[1] - before) - (-0.1 * c.friction[1] - c.moment)))
        least = math.min(least, math.abs(c.moment))
      end
      return worst, least ]]
    assert.is_true(worst < 1e-15, worst)
    assert.near(0.01 * 2 * 10 * 1e-3, least, 1e-9) -- b times the normal impulse
  end)

  it("have the moment that turns what rolls, in discrete elements", function()
    local worst, most = run [[
      local sim = floc.simulation { time_step = 1e-4, gravity = { 0, -10 }, scheme = floc.discrete_element { contact_force = "hooke", stiffness = 1e4, damping = 5,
        friction = "spring", friction_static = 0.5, friction_dynamic = 0.5, rotation = true, rolling_friction = 0.05, rolling_stiffness = 1e3 } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      sim:add_particle { position = { 0, 0.0985 }, velocity = { 1, 0 }, radius = 0.1, mass = 1 }
      sim.wz[1] = -10
      local worst, most = 0, 0
      for _ = 1, 100 do
        sim:run { steps = 1 }
        local c, arm = sim:contacts()[1], sim.y[1]
        worst = math.max(worst, math.abs(sim.tz[1] - (-arm * c.friction[1] - c.moment) / 1e-4))
        most = math.max(most, math.abs(c.moment))
      end
      return worst, most ]]
    assert.is_true(worst < 1e-12, worst)
    assert.is_true(most > 1e-6, most)
  end)
end)
