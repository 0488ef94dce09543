-- Laws over bonds: forces against a sum of the script's own, attributes and memory that follow their bond, breaking, resumes,
-- threads, and what is refused.

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
