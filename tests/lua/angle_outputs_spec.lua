-- Laws of angles beside their forces: random numbers, sums and exchanges of attributes, and what sim:law_pairs reads of them.

local support = require "support"

-- A ring of particles in a box without forces, each the middle of one triple (k, k + 1, k + 2).
local ring = [[
  local floc = require "floc"
  local scheme, count, threads, way = %q, %d, %d, %q
  local sim = floc.simulation { time_step = 1e-3, seed = 11, threads = threads,
    scheme = scheme == "element" and floc.discrete_element { contact = "none", integrator = "velocity_verlet" } or floc[scheme]() }
  sim:add_attribute("heat", 0)
  sim:add_attribute("crowd", 0)
  local r = count / (2 * math.pi)
  for k = 1, count do
    local at = 2 * math.pi * k / count
    sim:add_particle { position = { r * math.cos(at), r * math.sin(at) }, radius = 0.1, mass = 1,
      attributes = { heat = 3 + math.cos(3 * at) } }
  end
  local triples = {}
  for k = 1, count do triples[k] = { k, k %% count + 1, (k + 1) %% count + 1 } end
]]

-- support.run() hands back three values.
local function numbers(text)
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = tonumber(word) end
  return list[1], list[2], list[3]
end

describe("a law of angles", function()
  it("exchanges attributes between two of three, as the closed form of a ring does", function()
    -- Of i and k, two further on: d/dt T_k = c (T_(k-2) - 2 T_k + T_(k+2)); of neighbours by ij and jk each bond counts twice.
    -- The mode cos(q k) shrinks in an explicit step by 1 - 2 c h (1 - cos 2 q), and by 1 - 4 c h (1 - cos q).
    for _, case in ipairs { { "element", "traced" }, { "gluey", "traced" }, { "element", "called" } } do
      for _, sides in ipairs { { '"rate_ik_heat"', "heat_k - heat_i", "2 * (1 - math.cos(2 * q))" },
        { '"rate_ij_heat", "rate_jk_heat"', "heat_j - heat_i, heat_k - heat_j", "4 * (1 - math.cos(q))" } } do
        local worst, sum = support.run(ring:format(case[1], 24, 2, case[2]) .. ([[
          local law = sim:add_angle_force { way = way, returns = { "moment", %s }, law = function(heat_i, heat_j, heat_k) return 0 * heat_j, %s end }
          sim:add_law_bonds { law = law, particles = triples }
          sim:run { steps = 100 }
          local q, worst, sum = 3 * 2 * math.pi / count, 0, 0
          local factor = (1 - 1e-3 * %s) ^ 100
          for k = 1, count do
            sum = sum + sim.heat[k]
            worst = math.max(worst, math.abs(sim.heat[k] - 3 - factor * math.cos(q * k)))
          end
          return worst, math.abs(sum - 3 * count)]]):format(sides[1], sides[2], sides[3]))
        assert.is_true(worst < 1e-12, ("%s: %g"):format(case[1], worst))
        assert.is_true(sum < 1e-11, tostring(sum))
      end
    end
  end)

  it("adds sums to all three or to one, and a later law reads them in the same step", function()
    for _, scheme in ipairs { "element", "gluey" } do
      local wrong, speed = support.run(ring:format(scheme, 9, 1, "traced") .. [==[
        local law = sim:add_angle_force { returns = { "moment", "sum_crowd" }, law = function(id_i, id_k) return 0, id_i + 100 * id_k end }
        local ends = sim:add_angle_force { returns = { "moment", "sum_i_crowd", "sum_j_crowd", "sum_k_crowd" },
          law = function(id_i, id_j, id_k) return 0, 1e4 * id_k, 1e6 * id_i, 1e8 * id_j end }
        local push = sim:add_field { returns = { "force_x" }, law = function(sum_crowd) return 1e-9 * sum_crowd end } -- too little to make them meet
        sim:add_law_bonds { law = law, particles = triples }
        sim:add_law_bonds { law = ends, particles = { { 1, 2, 3 }, { 9, 4, 5 } } }
        sim:run { steps = 3 }
        local want, wrong = {}, 0
        for k = 1, count do want[k] = 0 end
        for _, t in ipairs(triples) do
          local i, k = math.min(t[1], t[3]), math.max(t[1], t[3]) -- the order of a triple: the smaller end first
          for _, id in ipairs(t) do want[id] = want[id] + i + 100 * k end
        end
        for _, t in ipairs { { 1, 2, 3 }, { 5, 4, 9 } } do
          want[t[1]], want[t[2]], want[t[3]] = want[t[1]] + 1e4 * t[3], want[t[2]] + 1e6 * t[1], want[t[3]] + 1e8 * t[2]
        end
        local speed = 0
        for k = 1, count do
          if sim.crowd[k] ~= want[k] then wrong = wrong + 1 end
          speed = math.max(speed, math.abs(sim.vx[k] / want[k] * 1e9 - 3e-3))
        end
        return wrong, speed]==])
      assert.equal(0, wrong)
      -- velocity Verlet's first step begins without forces of a step before: its kick is whole all the same
      assert.is_true(speed < 1e-12, scheme .. " " .. speed)
    end
  end)

  it("gives each triple random numbers of its own, whatever the order in which it was named", function()
    local text = ring .. [[
      for k = 1, count do -- others with the same middle and one end the same
        local function id(n) return (k + n - 1) %% count + 1 end
        triples[#triples + 1] = { k, id(1), id(3) }
        triples[#triples + 1] = { id(4), id(1), id(2) }
      end
      local law = sim:add_angle_force { way = way, returns = { "moment", "energy" },
        law = function(normal_random, uniform_random) return 1e-6 * normal_random, uniform_random end }
      local other = sim:add_angle_force { law = function(normal_random) return 1e-6 * normal_random end }
      local turned = {}
      for k, t in ipairs(triples) do turned[#triples + 1 - k] = { t[3], t[2], t[1] } end
      sim:add_law_bonds { law = law, particles = %s }
      sim:add_law_bonds { law = other, particles = triples }
      local sum, square, even, seen, twice, mixed = 0, 0, 0, {}, 0, 0
      for step = 1, 40 do
        sim:run { steps = 1 }
        local now, of_other = sim:law_pairs(law), sim:law_pairs(other)
        for k = 1, now.count do
          local z = now.moment[k] * 1e6
          sum, square, even = sum + z, square + z * z, even + now.energy[k]
          local moment = now.moment[k]
          if seen[moment] then twice = twice + 1 end
          seen[moment] = true
          mixed = mixed + z * of_other.moment[k] * 1e6
        end
        if kept and step == 20 then sim:checkpoint(kept) end
      end
      local n = 40 * #triples
      return sim:hash(), ("%%.17g %%.17g %%.17g"):format(sum / n, square / n, even / n), ("%%d %%.17g"):format(twice, mixed / n) ]]
    local first
    for threads = 1, 3 do
      for _, way in ipairs { "traced", "called" } do
        for _, list in ipairs { "triples", "turned" } do
          local hash, moments, others = support.run(text:format("element", 500, threads, way, list))
          first = first or hash
          assert.equal(first, hash)
          local mean, square, even = numbers(moments)
          local twice, mixed = numbers(others)
          -- 60,000 numbers: eight standard errors
          assert.is_true(math.abs(mean) < 0.036 and math.abs(square - 1) < 0.05 and math.abs(even - 0.5) < 0.011, mean .. " " .. square .. " " .. even)
          assert.equal(0, twice)
          assert.is_true(math.abs(mixed) < 0.036, "laws share numbers: " .. mixed)
        end
      end
    end
    local folder = support.folder()
    support.run(("local kept = %q\n"):format(folder .. "/kept.floc") .. text:format("element", 500, 2, "traced", "triples"))
    assert.equal(first, (support.resume(folder .. "/kept.floc")))
    support.remove(folder)
  end)

  it("is read back angle by angle, which changes nothing", function()
    for _, scheme in ipairs { "element", "gluey" } do
      local off, kept, names = support.run(ring:format(scheme, 30, 3, "traced") .. [[
        local law = sim:add_angle_force { memory = { "age" }, attributes = { rest = 2 }, returns = { "moment", "energy", "age", "rate_ik_heat" },
          law = function(angle, distance_ik, rest, age, heat_i, heat_k) return rest - angle + 0 * distance_ik, 0.5 * (angle - rest) ^ 2, age + 1, heat_k - heat_i end }
        sim:add_law_bonds { law = law, particles = triples, attributes = { rest = function(i, j, k) return 1 + i / 40 end } }
        sim:run { steps = 5 }
        local hash = sim:hash()
        local all = sim:law_pairs(law)
        local some = sim:law_pairs(law, { "distance_ij", "distance_jk", "distance_ik", "rest", "heat_i" })
        local worst, energy, ages, names = 0, 0, 0, {}
        local function way(a, b) return sim.x[b] - sim.x[a], sim.y[b] - sim.y[a] end
        local function off(found, wanted) worst = math.max(worst, math.abs(found - wanted)) end
        for n = 1, all.count do
          local i, j, k = all.id_i[n], all.id_j[n], all.id_k[n]
          local ax, ay = way(j, i)
          local bx, by = way(j, k)
          local cx, cy = way(i, k)
          local angle, rest = math.acos((ax * bx + ay * by) / math.sqrt((ax ^ 2 + ay ^ 2) * (bx ^ 2 + by ^ 2))), 1 + i / 40
          off(all.angle[n], angle)
          off(all.moment[n], rest - angle)
          off(some.distance_ij[n], math.sqrt(ax ^ 2 + ay ^ 2))
          off(some.distance_jk[n], math.sqrt(bx ^ 2 + by ^ 2))
          off(some.distance_ik[n], math.sqrt(cx ^ 2 + cy ^ 2))
          off(some.rest[n], rest)
          off(some.heat_i[n], sim.heat[i])
          off(all.rate_ik_heat[n], sim.heat[k] - sim.heat[i])
          energy, ages = energy + all.energy[n], ages + all.age[n]
        end
        for name in pairs(all) do names[#names + 1] = name end
        table.sort(names)
        local into = sim:law_pairs(law, "angle", all)
        return ("%.17g %.17g"):format(worst, energy - law.energy), ("%d %d %d"):format(hash == sim:hash() and 1 or 0, ages, into == all and into.count or 0),
          table.concat(names, " ")]])
      local worst, energy = numbers(off)
      local same, ages, again = numbers(kept)
      assert.is_true(worst < 1e-8, scheme .. " " .. worst) -- acos near pi
      assert.is_true(math.abs(energy) < 1e-11, tostring(energy))
      assert.equal(1, same)
      assert.equal(150, ages)
      assert.equal("age angle count energy id_i id_j id_k moment rate_ik_heat", names)
      assert.equal(30, again)
    end
  end)

  it("refuses by name what means nothing for three", function()
    local set_up = ring:format("element", 6, 1, "auto") .. [[local law = sim:add_angle_force { name = "bend", law = function(angle) return angle end }
      ]]
    for _, case in ipairs {
      { "sim:add_angle_force { returns = { 'rate_heat' }, law = function() return 1 end }", "of three particles two exchange: rate_ij_heat" },
      { "sim:add_angle_force { returns = { 'rate_ij_heta' }, law = function() return 1 end }", "no attribute heta.*did you mean rate_ij_heat" },
      { "sim:add_angle_force { returns = { 'sum_k_heta' }, law = function() return 1 end }", "no attribute heta" },
      { "sim:add_angle_force { returns = { 'torque_z' }, law = function() return 1 end }", "returns%[1%] is \"torque_z\", which a law does not return" },
      { "sim:add_force { pairs = 'bonds', returns = { 'sum_k_crowd' }, law = function() return 1 end }", "\"sum_k_crowd\", which a law does not return" },
      { "sim:add_force { pairs = 'bonds', returns = { 'rate_ij_heat' }, law = function() return 1 end }", "\"rate_ij_heat\", which a law does not return" },
      { "sim:add_angle_force { potential = function(angle, uniform_random) return angle end }", "uniform_random" },
      { "sim:law_pairs(law, 'normal_x')", "angles of the law \"bend\" of .* have no \"normal_x\"" },
      { "sim:law_pairs(law, 'distance_i')", "did you mean distance_i[jk]" },
    } do
      assert.matches(case[2], support.failure(set_up .. case[1]))
    end
  end)
end)
