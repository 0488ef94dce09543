-- Laws over bonds: forces against a sum of the script's own, attributes and memory that follow their bond, breaking, resumes,
-- threads, and what is refused.

local once = require "once"
local support = require "support"

-- A gas whose storage is sorted again and again, with random bonds between any particles.
local script = [[
  local floc = require "floc"
  local threads, way, scheme, count, bonds, steps = %d, %q, %q, %d, %d, %d
  local side = math.sqrt(count)
  local made = scheme == "element" and floc.discrete_element { contact = "none", integrator = "velocity_verlet", rotation = true }
    or floc[scheme] { rotation = true }
  local sim = floc.simulation { time_step = 2e-3, threads = threads, seed = 7, boundary = "periodic",
    domain = floc.box { lower = { 0, 0 }, upper = { side, side } }, scheme = made }
  sim:add_attribute("heat", 1)
  sim:add_attribute("degree", 0)
  sim:add_particles { count = count, radius = 0.1, mass = 1, velocity_spread = 3, region = floc.box { lower = { 0, 0 }, upper = { side, side } } }
  local law = sim:add_force { pairs = "bonds", way = way, memory = { "age" }, attributes = { rest_length = 1, strength = 30, left = 1000 },
    returns = { "normal", "energy", "torque_z", "rate_heat", "sum_degree", "age", "left", "broken" },
    law = function(distance, rest_length, strength, age, left, heat_i, heat_j, id_i, uniform_random)
      local stretch = distance - rest_length
      left = left - 2 * uniform_random
      return -strength * stretch, 0.5 * strength * stretch ^ 2, 0.01 * (heat_j - heat_i), 0.5 * (heat_j - heat_i), 1, age + 1, left, left < 0 and 1 or 0
    end }
  local list, seen, random = {}, {}, floc.random "bonds"
  while #list < bonds do
    local i, j = random:integer(1, count), random:integer(1, count)
    local key = math.min(i, j) * 1e6 + math.max(i, j)
    if i ~= j and not seen[key] then seen[key], list[#list + 1] = true, { i, j } end
  end
  local function life(i, j) return 1 + (i * 7 + j * 3) %% 40 end -- a mean of one is lost in each step
  sim:add_law_bonds { law = law, particles = list, attributes = { rest_length = function(i, j) return 0.5 + (i + j) %% 5 / 10 end, left = life } }
  sim:run { steps = steps }
  if kept then sim:checkpoint(kept) end
  sim:run { steps = 7 }
  local now = sim:law_bonds(law)
  local lists = 0
  for k = 1, now.count do lists = lists + now.rest_length[k] * k + now.age[k] + now.left[k] end
  return sim:hash(), now.count, lists ]]

describe("a law over bonds", function()
  it("exerts what the same sum in the script gives, after storage was sorted", function()
    for _, way in ipairs { "traced", "called" } do
      local worst, energy, sorted = support.run(string.format([[
        local floc = require "floc"
        local count, side = 8500, 48
        local sim = floc.simulation { dimension = 3, time_step = 2e-3, seed = 3, boundary = "periodic",
          domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } }, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
        sim:add_particles { count = count, radius = 0.2, mass = 1, velocity_spread = 40,
          region = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } } }
        sim:add_force { range = 1, law = function(distance) return 0 end } -- sorts storage now and then
        sim:run { steps = 1 }
        local law = sim:add_force { way = %q, pairs = "bonds", attributes = { rest = 2, k = 1 }, returns = { "normal", "energy" },
          law = function(distance, rest, k) return -k * (distance - rest), 0.5 * k * (distance - rest) ^ 2 end }
        local list, random = {}, floc.random "bonds"
        for i = 1, count - 1 do list[i] = random:uniform() < 0.5 and { i, i + 1 } or { i + 1, i } end
        for i = 2, count / 2 do list[#list + 1] = { i, count + 2 - i > i + 1 and count + 2 - i or i + 3 } end
        local function stiffness(i, j) return 1 + (i + 2 * j) %% 7 end
        sim:add_law_bonds { law = law, particles = list, attributes = { k = stiffness } }
        sim:run { steps = 10 }
        local energy = 0
        local f = { {}, {}, {} }
        for axis = 1, 3 do for i = 1, count do f[axis][i] = 0 end end
        for _, pair in ipairs(list) do
          local i, j, d, square = math.min(pair[1], pair[2]), math.max(pair[1], pair[2]), {}, 0
          for axis, name in ipairs { "x", "y", "z" } do
            local column = sim[name]
            d[axis] = column[j] - column[i]
            d[axis] = d[axis] - side * math.floor(d[axis] / side + 0.5)
            square = square + d[axis] ^ 2
          end
          local r, k = math.sqrt(square), stiffness(i, j)
          energy = energy + 0.5 * k * (r - 2) ^ 2
          for axis = 1, 3 do
            local part = k * (r - 2) * d[axis] / r
            f[axis][i], f[axis][j] = f[axis][i] + part, f[axis][j] - part
          end
        end
        local worst, greatest, sorted = 0, 0, 0
        for axis, name in ipairs { "fx", "fy", "fz" } do
          local column = sim[name]
          for i = 1, count do
            worst, greatest = math.max(worst, math.abs(column[i] - f[axis][i])), math.max(greatest, math.abs(f[axis][i]))
          end
        end
        local listed = sim:law_pairs(law, "id_i").id_i
        for k = 2, #listed do if listed[k] < listed[k - 1] then sorted = sorted + 1 end end
        return worst / greatest, law.energy / energy - 1, sorted ]], way))
      assert.is_true(worst < 1e-12, "forces differ by " .. worst)
      assert.is_true(math.abs(energy) < 1e-12, "energies differ by " .. energy)
      assert.is_true(sorted > 1000, "storage was not sorted: " .. sorted)
    end
  end)

  it("has the same bits on 1, 2 and 3 threads, traced and called, and goes on after a resume", function()
    local folder = support.folder()
    for _, case in ipairs { { "traced", "element", 8500, 9000 }, { "called", "element", 300, 450 }, { "traced", "inelastic", 300, 450 } } do
      local way, scheme, count, bonds = case[1], case[2], case[3], case[4]
      local first, left, lists
      for threads = 1, 3 do
        local hash, number, sum = support.run(script:format(threads, way, scheme, count, bonds, 12))
        first, left, lists = first or hash, left or number, lists or sum
        assert.equal(first, hash)
        assert.equal(left, number)
        assert.equal(lists, sum)
      end
      assert.is_true(left > bonds / 20 and left < bonds / 1.5, left .. " bonds are left")
      local text = ("local kept = %q\n"):format(folder .. "/kept.floc") .. script:format(2, way, scheme, count, bonds, 12)
      assert.equal(first, (support.run(text)))
      local hash, number, sum = support.resume(folder .. "/kept.floc")
      assert.equal(first, hash)
      assert.equal(left, number)
      assert.equal(lists, sum)
    end
    support.remove(folder)
  end)

  it("breaks a bond in the step in which it says so", function()
    -- a load grows by one per unit of time on a spring that holds 5
    local at, before, after = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 2e-3, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      for k = 1, 2 do sim:add_particle { position = { k, 0 }, radius = 0.1, mass = 1 } end
      local law = sim:add_force { pairs = "bonds", attributes = { strength = 0 }, returns = { "normal", "energy", "broken" },
        law = function(distance, normal_velocity, strength)
          local pull = 1e3 * (distance - 1)
          if pull > strength then return 0, 0, 1 end
          return -pull - 2 * normal_velocity, 0.5 * 1e3 * (distance - 1) ^ 2, 0
        end }
      sim:add_law_bonds { law = law, particles = { { 2, 1 } }, attributes = { strength = { 5 } } }
      sim:add_field { law = function(id, t) return id > 1.5 and t or -t, 0 end }
      local at, before
      sim:every(1, function()
        if at then return end
        if sim:law_bonds(law).count == 0 then at = sim.time else before = law.energy end
      end)
      sim:run { steps = 3000 }
      return at, before, sim:law_bonds(law).count + law.energy ]]
    assert.is_true(math.abs(at - 5) < 0.1, "breaks at " .. at)
    assert.is_true(math.abs(before - 0.5 * 25 / 1e3) < 2e-3 * 25, "energy " .. before)
    assert.equal(0, after)
  end)

  it("keeps attributes with their bonds when others come and go", function()
    local result = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.inelastic() }
      for k = 1, 6 do sim:add_particle { position = { k, 0 }, radius = 0.1 } end
      local law = sim:add_force { pairs = "bonds", memory = { "age" }, attributes = { a = 1, b = 2 }, returns = { "normal", "age", "b" },
        law = function(a, b, age) return 0 * a, age + 1, b + 10 end }
      sim:add_law_bonds { law = law, particles = { { 5, 2 }, { 1, 3 }, { 4, 1 } }, attributes = { a = { 52, 13, 41 } } }
      sim:run { steps = 2 }
      sim:remove_law_bonds { law = law, particles = { { 3, 1 } } }
      sim:add_law_bonds { law = law, particles = { { 2, 1 } }, attributes = { a = 21, b = function(i, j) return i + j / 10 end } }
      sim:add_particle { position = { 7, 0 }, radius = 0.1 }
      sim:add_law_bonds { law = law, particles = { { 7, 6 } } }
      sim:run { steps = 1 }
      sim:set_law_bonds { law = law, attributes = { a = function(i, j, a) return i == 6 and -a or a end } }
      local out, now = {}, sim:law_bonds(law)
      for k = 1, now.count do
        out[k] = string.format("%d-%d a=%g b=%g age=%d", now.id_i[k], now.id_j[k], now.a[k], now.b[k], now.age[k])
      end
      return table.concat(out, "; ") ]]
    assert.equal("1-2 a=21 b=11.2 age=1; 1-4 a=41 b=32 age=3; 2-5 a=52 b=32 age=3; 6-7 a=-1 b=12 age=1", result)
  end)

  it("shows its pairs, its program and its force at contacts", function()
    local text, normal, force = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.discrete_element { contact = "none" } }
      for k = 1, 3 do sim:add_particle { position = { k * 1.0, 0 }, radius = 0.55, allow_overlap = true } end
      local law = sim:add_force { pairs = "bonds", name = "spring", attributes = { rest = 0.9 }, law = function(distance, rest) return 10 * (rest - distance) end }
      sim:add_law_bonds { law = law, particles = { { 3, 2 } } }
      local found, force = sim:law_pairs(law), {}
      for _, one in ipairs(sim:contacts()) do force[one.id_i] = one.impulse / sim.time_step end
      return sim:explain(law), found.normal[1] * found.distance[1], force[2] ]]
    assert.matches("acts on: 1 bonds of 2 particles; attributes: rest", text)
    assert.matches("way: traced", text)
    assert.near(-1, normal, 1e-12)
    assert.near(-1, force, 1e-9)
  end)

  it("is refused with the script's line, the value and the range", function()
    local set_up = [[local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.discrete_element { contact = "none" } }
      for k = 1, 3 do sim:add_particle { position = { 2 * k, 0 }, radius = 0.5 } end
      local near = sim:add_force { law = function(overlap) return overlap end }
      local law = sim:add_force { pairs = "bonds", name = "beam", attributes = { rest_length = 1 }, law = function(distance, rest_length) return rest_length - distance end }
      ]]
    local cases = {
      { "sim:add_force { pairs = 'bond', law = function(distance) return 1 end }", "pairs is \"bond\"; it must be one of near, bonds; did you mean bonds" },
      { "sim:add_force { attributes = { rest = 1 }, law = function(overlap, rest) return 1 end }", "attributes is given, and the law acts on pairs within range.*pairs = \"bonds\"" },
      { "sim:add_force { law = function(overlap, rest_length) return 1 end }", "there is no input rest_length" },
      { "sim:add_force { pairs = 'bonds', attributes = { rest_length = 1 }, law = function(distance, rest_lenght) return 1 end }", "attributes.rest_length is given, and the function does not take it; did you mean rest_lenght" },
      { "sim:add_force { pairs = 'bonds', attributes = { rest = 0/0 }, law = function(rest) return 1 end }", "attributes.rest is nan; it must be a finite number" },
      { "sim:add_force { pairs = 'bonds', attributes = { 'rest' }, law = function(rest) return 1 end }", "attributes has the key 1; it must be a name" },
      { "sim:add_force { pairs = 'bonds', attributes = { distance = 1 }, law = function(distance) return 1 end }", "attributes.distance: distance is an input of laws" },
      { "sim:add_force { pairs = 'bonds', range = 1, law = function(distance) return 1 end }", "range is 1; a law over bonds has none" },
      { "sim:add_force { returns = { 'normal', 'broken' }, law = function(overlap) return 1, 0 end }", "returns%[2%] is \"broken\"" },
      { "sim:add_law_bonds { law = near, particles = { { 1, 2 } } }", "has no bonds; it must be a law of add_force with pairs = \"bonds\"" },
      { "sim:add_law_bonds { law = 7, particles = { { 1, 2 } } }", "law is 7; it must be a law" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2 }, { 2, 4 } } }", "beam: bond 2 has the particle 4; ids are from 1 to 3" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2.5 } } }", "particles%[1%]%[2%] is 2.5; it must be an id" },
      { "sim:add_law_bonds { law = law, particles = { { 2, 2 } } }", "bond 1 has the particle 2 twice" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2 }, { 2, 1 } } }", "the bond of particles 1 and 2 is named twice, as 1 and 2" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2 } } } sim:add_law_bonds { law = law, particles = { { 2, 1 } } }", "particles 1 and 2 have a bond already" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2, 3 } } }", "particles%[1%] has 3 ids; it must have 2" },
      { "sim:add_law_bonds { law = law, particles = { 1, 2 } }", "particles%[1%] is 1; it must be a list of 2 ids" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2 } }, attributes = { rest_lenght = 1 } }", "attributes has \"rest_lenght\", and bonds of .*did you mean rest_length" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2 } }, attributes = { rest_length = { 1, 2 } } }", "attributes.rest_length has 2 numbers; there are 1 bonds" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2 } }, attributes = { rest_length = { 0/0 } } }", "attributes.rest_length of bond 1 is nan; it must be a finite number" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2 } }, attributes = { rest_length = function() end } }", "attributes.rest_length of bond 1 is nil" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2 } }, attributes = { rest_length = 'long' } }", "attributes.rest_length is \"long\"" },
      { "sim:remove_law_bonds { law = law, particles = { { 1, 2 } } }", "particles 1 and 2 have no bond" },
      { "sim:set_law_bonds { law = law, attributes = { rest_length = { 1 } } }", "attributes.rest_length has 1 numbers; there are 0 bonds" },
      { "sim:law_bonds(near)", "has no bonds" },
      { "floc.simulation { time_step = 1 }:law_bonds(law)", "belongs to another simulation" },
    }
    for _, case in ipairs(cases) do
      local message = support.failure(set_up .. case[1])
      assert.matches(case[2], message)
      assert.matches("script.lua:6:", message)
    end
  end)
end)

describe("a law of angles", function()
  it("exerts minus the gradient of its potential, and keeps momentum and angular momentum", function()
    for dimension = 2, 3 do
      local worst, force, torque = support.run(string.format([[
        local floc = require "floc"
        local dimension = %d
        local names = { "x", "y", "z" }
        local random = floc.random "places"
        local function make(places)
          local sim = floc.simulation { dimension = dimension, time_step = 1e-6, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
          for k = 1, 4 do sim:add_particle { position = places[k], radius = 0.01, mass = 1 } end
          local law = sim:add_angle_force { attributes = { k = 3, rest = 2 }, parameters = { c = 0.7 },
            potential = function(angle, distance_ij, distance_jk, distance_ik, k, rest, c)
              return 0.5 * k * (angle - rest) ^ 2 * distance_ij + c * distance_jk / distance_ik + math.cos(angle)
            end }
          sim:add_law_bonds { law = law, particles = { { 3, 1, 2 }, { 1, 2, 3 }, { 4, 3, 2 } }, attributes = { rest = { 1.1, 2.2, 3 }, k = function(i, j, l) return i + 2 * j + 3 * l end } }
          return sim, law
        end
        local worst, push, turn = 0, 0, 0
        for case = 1, 5 do
          local places = {}
          for k = 1, 4 do
            places[k] = {}
            for axis = 1, dimension do places[k][axis] = random:uniform(-1, 1) end
          end
          local sim, law = make(places)
          local found, largest, h = {}, 0, 1e-5
          for axis = 1, dimension do
            local sum = 0
            for k = 1, 4 do
              local energy = {}
              for n, sign in ipairs { -1, 1 } do
                local kept = places[k][axis]
                places[k][axis] = kept + sign * h
                local _, other = make(places)
                energy[n] = other.energy
                places[k][axis] = kept
              end
              local exact, given = -(energy[2] - energy[1]) / (2 * h), sim["f" .. names[axis] ][k]
              worst = math.max(worst, math.abs(exact - given) / (1 + math.abs(exact)))
              sum, largest = sum + given, math.max(largest, math.abs(given))
            end
            push = math.max(push, math.abs(sum) / largest)
          end
          for axis = dimension == 2 and 3 or 1, 3 do
            local a, b = axis %% 3 + 1, (axis + 1) %% 3 + 1
            local sum = 0
            for k = 1, 4 do
              sum = sum + (places[k][a] or 0) * (b <= dimension and sim["f" .. names[b] ][k] or 0) - (places[k][b] or 0) * (a <= dimension and sim["f" .. names[a] ][k] or 0)
            end
            turn = math.max(turn, math.abs(sum) / largest)
          end
        end
        return worst, push, turn ]], dimension))
      assert.is_true(worst < 1e-6, "differs from the gradient by " .. worst)
      assert.is_true(force < 1e-13, "momentum changes by " .. force)
      assert.is_true(torque < 1e-13, "angular momentum changes by " .. torque)
    end
  end)

  it("is exact up to straight angles, and exerts nothing across a line", function()
    local ratio, on_line = support.run [[
      local floc = require "floc"
      local function force(bend)
        local sim = floc.simulation { time_step = 1e-6, scheme = floc.discrete_element { contact = "none" } }
        sim:add_particle { position = { -1, 0 }, radius = 0.01 }
        sim:add_particle { position = { 0, 0 }, radius = 0.01 }
        sim:add_particle { position = { math.cos(bend), math.sin(bend) }, radius = 0.01 }
        local law = sim:add_angle_force { law = function(angle) return 5 end }
        sim:add_law_bonds { law = law, particles = { { 1, 2, 3 } } }
        return sim.fy[1]
      end
      return force(1e-9), force(0) ]]
    assert.near(-5, ratio, 1e-8)
    assert.equal(0, on_line)
  end)

  it("has the same bits on 1, 2 and 3 threads, and goes on after a resume", function()
    local text = [[
      local floc = require "floc"
      local threads, way, scheme, count = %d, %q, %q, %d
      local side = count ^ (1 / 3)
      local sim = floc.simulation { dimension = 3, time_step = 1e-3, threads = threads, boundary = "periodic",
        domain = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } },
        scheme = scheme == "element" and floc.discrete_element { contact = "none", integrator = "velocity_verlet" } or floc[scheme]() }
      sim:add_particles { count = count, radius = 0.05, mass = 1, velocity_spread = 5, region = floc.box { lower = { 0, 0, 0 }, upper = { side, side, side } } }
      local stretch = sim:add_force { pairs = "bonds", potential = function(distance) return 5 * (distance - 1) ^ 2 end }
      local law = sim:add_angle_force { way = way, memory = { "age" }, attributes = { k = 2, damage = 0 },
        returns = { "moment", "energy", "force_ik", "age", "damage", "broken" },
        law = function(angle, distance_ik, k, damage, age, vx_j)
          damage = damage + math.abs(angle - 2) * 0.01
          return -k * (angle - 2), 0.5 * k * (angle - 2) ^ 2, 0.1 * vx_j - 0.1 * distance_ik, age + 1, damage, damage > 0.15 and 1 or 0
        end }
      local bonds, triples, list = {}, {}, {}
      for k = 1, count - 1 do bonds[k] = { k, k + 1 } end
      for k = 1, count - 2 do triples[k] = { k + 2, k + 1, (k * 7919) %% count + 1 } end
      for k, t in ipairs(triples) do if t[1] ~= t[3] and t[2] ~= t[3] then list[#list + 1] = t end end
      sim:add_law_bonds { law = stretch, particles = bonds }
      sim:add_law_bonds { law = law, particles = list, attributes = { k = function(i, j, k) return 1 + (i + k) %% 3 end } }
      sim:run { steps = 10 }
      if kept then sim:checkpoint(kept) end
      local energy = law.energy
      sim:run { steps = 10 }
      return sim:hash(), sim:law_bonds(law).count, law.energy + energy ]]
    local folder = support.folder()
    for _, case in ipairs { { "traced", "element", 8300 }, { "called", "element", 400 }, { "traced", "gluey", 400 } } do
      local first, left, sum
      for threads = 1, 3 do
        local hash, count, energy = support.run(text:format(threads, case[1], case[2], case[3]))
        first, left, sum = first or hash, left or count, sum or energy
        assert.equal(first, hash)
        assert.equal(left, count)
        assert.equal(sum, energy)
      end
      assert.is_true(left < 0.95 * case[3] and left > 0.1 * case[3], left .. " angles are left")
      support.run(("local kept = %q\n"):format(folder .. "/kept.floc") .. text:format(2, case[1], case[2], case[3]))
      local hash, count, energy = support.resume(folder .. "/kept.floc")
      assert.equal(first, hash)
      assert.equal(left, count)
      assert.equal(sum, energy)
    end
    support.remove(folder)
  end)

  it("is refused by name where it means nothing", function()
    local set_up = [[local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.discrete_element { contact = "none" } }
      for k = 1, 4 do sim:add_particle { position = { 2 * k, k % 2 }, radius = 0.5 } end
      local law = sim:add_angle_force { name = "bend", attributes = { rest = 3 }, law = function(angle, rest) return rest - angle end }
      ]]
    local cases = {
      { "sim:add_angle_force { law = function(angel) return 1 end }", "there is no input angel; did you mean angle" },
      { "sim:add_angle_force { law = function(distance) return 1 end }", "there is no input distance; did you mean distance_" },
      { "sim:add_angle_force { returns = { 'normal' }, law = function(angle) return 1 end }", "returns%[1%] is \"normal\"" },
      { "sim:add_angle_force { potential = function(angle, x_i) return x_i end }", "the potential takes x_i, and its derivative would not be the whole force" },
      { "sim:add_angle_force { range = 1, law = function(angle) return 1 end }", "range" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2 } } }", "particles%[1%] has 2 ids; it must have 3" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2, 1 } } }", "bend: bond 1 has the particle 1 twice; its 3 particles must differ" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2, 3 }, { 3, 2, 1 } } }", "the bond of particles 1, 2 and 3 is named twice, as 1 and 2" },
      { "sim:add_law_bonds { law = law, particles = { { 1, 2, 9 } } }", "bond 1 has the particle 9; ids are from 1 to 4" },
    }
    for _, case in ipairs(cases) do
      local message = support.failure(set_up .. case[1])
      assert.matches(case[2], message)
      assert.matches("script.lua:5:", message)
    end
  end)

  -- Segments of length b and an energy kappa (1 - cos theta) of the angle theta by which each turns from the last: theta has the
  -- density exp(k cos theta), k = kappa/kT, times sin theta in space, so <cos theta> is I_1(k)/I_0(k) in the plane and
  -- coth k - 1/k in space; directions at n segments' distance have <cos> to the power n, the persistence length is
  -- -b/log <cos theta>. That lengths fluctuate changes nothing: the measure of positions is a product of r^(d-1) dr and angles.
  if once then
    it("gives a worm-like chain its persistence length", function()
      local steps = os.getenv "FLOC_LONG_TESTS" and 40000 or 4000
      for dimension = 2, 3 do
        local text = ([[
          local floc = require "floc"
          local dimension, steps, kappa = %d, %d, 2
          local chains, beads = 120, 10
          local sim = floc.simulation { dimension = dimension, time_step = 0.01, seed = 5 + dimension,
            scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
          local bonds, angles, random = {}, {}, floc.random "chains"
          for c = 0, chains - 1 do
            local x, y, turn = 0, 0, 0
            for b = 1, beads do
              local id = c * beads + b
              x, y = x + math.cos(turn), y + math.sin(turn)
              turn = turn + random:uniform(-2, 2) -- <cos theta> is 0.45 at first
              sim:add_particle { position = { x, y + 100 * c, dimension == 3 and 0.3 * (b %% 3) or nil }, radius = 0.1, mass = 1 }
              if b > 1 then bonds[#bonds + 1] = { id - 1, id } end
              if b > 2 then angles[#angles + 1] = { id - 2, id - 1, id } end
            end
          end
          local stretch = sim:add_force { pairs = "bonds", potential = function(distance) return 0.5 * 400 * (distance - 1) ^ 2 end }
          local bend = sim:add_angle_force { attributes = { kappa = kappa }, potential = function(angle, kappa) return kappa * (1 + math.cos(angle)) end }
          sim:add_law_bonds { law = stretch, particles = bonds }
          sim:add_law_bonds { law = bend, particles = angles }
          sim:add_flow { flow = "still", relaxation_time = 1 }
          sim:add_noise { sigma = math.sqrt(2) } -- a temperature of 1
          local columns = {}
          local function directions(c, list)
            for b = 1, beads - 1 do
              local id, square, d = c * beads + b, 0, {}
              for axis = 1, dimension do
                local column = columns[axis]
                d[axis] = column[id + 1] - column[id]
                square = square + d[axis] ^ 2
              end
              for axis = 1, dimension do d[axis] = d[axis] / math.sqrt(square) end
              list[b] = d
            end
          end
          local chain_means = { {}, {} }
          for c = 1, chains do chain_means[1][c], chain_means[2][c] = 0, 0 end
          local samples = 0
          sim:run { steps = 2000 }
          sim:every(50, function()
            for axis, name in ipairs { "x", "y", "z" } do if axis <= dimension then columns[axis] = sim[name] end end
            samples = samples + 1
            local list = {}
            for c = 0, chains - 1 do
              directions(c, list)
              for n, apart in ipairs { 1, 4 } do
                local sum = 0
                for b = 1, beads - 1 - apart do
                  for axis = 1, dimension do sum = sum + list[b][axis] * list[b + apart][axis] end
                end
                chain_means[n][c + 1] = chain_means[n][c + 1] + sum / (beads - 1 - apart)
              end
            end
          end)
          sim:run { steps = steps }
          local result = {}
          for n = 1, 2 do
            local mean, square = 0, 0
            for c = 1, chains do
              local one = chain_means[n][c] / samples
              mean, square = mean + one / chains, square + one ^ 2 / chains
            end
            result[n] = mean
            result[n + 2] = math.sqrt((square - mean ^ 2) / (chains - 1)) -- chains are independent
          end
          return table.concat(result, " ") ]]):format(dimension, steps)
        local one, four, scatter, scatter4 = support.run(text):match "(%S+) (%S+) (%S+) (%S+)"
        one, four, scatter, scatter4 = tonumber(one), tonumber(four), tonumber(scatter), tonumber(scatter4)
        local exact = 1 / math.tanh(2) - 1 / 2
        if dimension == 2 then
          local i0, i1, term = 0, 0, 1
          for n = 0, 30 do
            i0, i1 = i0 + term, i1 + term / (n + 1)
            term = term / (n + 1) ^ 2
          end
          exact = i1 / i0
        end
        assert.is_true(scatter < 0.006, "scatter " .. scatter)
        assert.is_true(math.abs(one - exact) < 3.5 * scatter + 0.002, one .. " " .. exact)
        assert.is_true(math.abs(four - exact ^ 4) < 3.5 * scatter4 + 0.004, four .. " " .. exact ^ 4)
      end
    end)
  end
end)
