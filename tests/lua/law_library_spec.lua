-- The laws of examples/laws against closed forms of the papers that they follow: forces by direct calls, what comes of
-- them in runs. That they are traced and give the same bits however they run is in law_library_runs_spec.lua.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end

-- The examples' folder, from that of this file.
local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
package.path = here .. "examples/laws/?.lua;" .. package.path

local parameter_names = require("floc.simulation.laws").parameter_names

-- Calls a law with inputs by name.
local function evaluate(law, inputs)
  local list, names = {}, parameter_names("evaluate", law.law)
  for k, name in ipairs(names) do list[k] = assert(inputs[name], name) end
  return law.law((table.unpack or unpack)(list, 1, #names))
end

-- Forces of a law with memory along a path of overlaps, as a step after the other would find them.
local function along(law, path, inputs)
  local memory, forces = {}, {}
  for _, name in ipairs(law.memory) do memory[name] = 0 end
  for k, overlap in ipairs(path) do
    local given = { overlap = overlap }
    for name, value in pairs(inputs) do given[name] = value end
    for name, value in pairs(memory) do given[name] = value end
    local found = { evaluate(law, given) }
    for place, name in ipairs(law.returns) do
      if memory[name] then memory[name] = found[place] end
    end
    forces[k] = found[1]
  end
  return forces
end

local function line(from, to, count)
  local path = {}
  for k = 0, count do path[#path + 1] = from + (to - from) * k / count end
  return path
end

local function least(list)
  local value = math.huge
  for _, one in ipairs(list) do value = math.min(value, one) end
  return value
end

-- energy is what the force is the slope of: -dU/d(overlap) attracts.
local function assert_slope(law, inputs, overlaps, tolerance)
  for _, overlap in ipairs(overlaps) do
    local step = 1e-5 * math.abs(overlap)
    local function at(value)
      local given = { overlap = value }
      for name, one in pairs(inputs) do given[name] = one end
      return evaluate(law, given)
    end
    local force = at(overlap)
    local _, above = at(overlap + step)
    local _, below = at(overlap - step)
    assert.near(force, (above - below) / (2 * step), tolerance * math.abs(force))
  end
end

local pair = { radius_i = 2e-3, radius_j = 3e-3, mass_i = 1e-3, mass_j = 2e-3, normal_velocity = 0 }
local R = 6e-3 / 5

-- Two balls of the masses 1 and 2 that meet with the velocity v; the velocity at which they part over v.
local function restitution(text, v, time_step, steps)
  return run(string.format([[
    package.path = %q .. package.path
    local sim = floc.simulation { dimension = 3, time_step = %.17g, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
    sim:add_particle { position = { 0, 0, 0 }, radius = 2e-3, mass = 1e-3, velocity = { %.17g, 0, 0 } }
    sim:add_particle { position = { 5.002e-3, 0, 0 }, radius = 3e-3, mass = 2e-3, velocity = { 0, 0, 0 } }
    local law = %s
    law.way = "traced"
    sim:add_force(law)
    sim:run { steps = %d }
    return (sim.vx[2] - sim.vx[1]) / %.17g, sim.x[2] - sim.x[1] - 5e-3 ]], here .. "examples/laws/?.lua;", time_step, v, text, steps, v))
end

describe("hertz_dmt", function()
  local dmt = require "hertz_dmt"
  local stiffness = 1e7 / (2 * (1 - 0.3 ^ 2))

  it("is Hertz's force without adhesion", function()
    local law = dmt.pairs { young_modulus = 1e7 }
    for _, d in ipairs { 1e-7, 1e-6, 1e-5 } do
      pair.overlap = d
      assert.near(4 / 3 * stiffness * math.sqrt(R) * d ^ 1.5, (evaluate(law, pair)), 1e-12)
    end
    pair.overlap = nil
  end)

  it("has the pull-off force 2 pi w R and the range of van der Waals forces", function()
    local law = dmt.pairs { young_modulus = 1e7, work_of_adhesion = 0.05, separation = 1e-7 }
    pair.overlap = -1e-30
    assert.near(-2 * math.pi * 0.05 * R, (evaluate(law, pair)), 1e-15)
    pair.overlap = -1e-7 -- A R/(6 (z0 + gap)^2), A = 12 pi z0^2 w
    assert.near(-12 * math.pi * 1e-14 * 0.05 * R / (6 * 4e-14), (evaluate(law, pair)), 1e-15)
    pair.overlap = nil
    assert_slope(law, pair, { -1e-6, -1e-7, 1e-7, 1e-5 }, 1e-6)
  end)

  it("bounces by the restitution that was asked for, at any velocity", function()
    for _, v in ipairs { 0.2, 2 } do
      local found, gap = restitution([[require("hertz_dmt").pairs { young_modulus = 1e9, restitution = 0.7 }]], v, 5e-7, 2.4e4 / v)
      assert.is_true(gap > 0)
      assert.near(0.7, found, 1e-3)
    end
  end)
end)

describe("jkr", function()
  local jkr = require "jkr"
  local given = { young_modulus = 1e6, poisson_ratio = 0.3, work_of_adhesion = 0.05, greatest_radius = 3e-3 }
  local stiffness = 1e6 / (2 * (1 - 0.3 ^ 2))
  local reach = 0.75 * (math.pi ^ 2 * 0.05 ^ 2 * R / stiffness ^ 2) ^ (1 / 3)

  it("lies on the curve of its contact radius", function()
    local law = jkr.pairs(given)
    for _, scale in ipairs { 0.6, 0.9, 1, 2, 10, 300 } do
      local a = scale * (9 * math.pi * 0.05 * R * R / (2 * stiffness)) ^ (1 / 3)
      local overlap = a * a / R - math.sqrt(2 * math.pi * 0.05 * a / stiffness)
      local force = 4 * stiffness * a ^ 3 / (3 * R) - math.sqrt(8 * math.pi * 0.05 * stiffness * a ^ 3)
      local inputs = { overlap = overlap, touching = 1 }
      for name, value in pairs(pair) do inputs[name] = value end
      assert.near(force, (evaluate(law, inputs)), 1e-9 * math.max(math.abs(force), 0.05 * R))
    end
    local inputs = { touching = 1 }
    for name, value in pairs(pair) do inputs[name] = value end
    assert_slope(law, inputs, { -0.9 * reach, -0.3 * reach, 0.5 * reach, 20 * reach }, 1e-6)
  end)

  it("pulls with 3/2 pi w R at most, touches at 0 and parts where its neck breaks", function()
    local law = jkr.pairs(given)
    local closing, parting = line(-2 * reach, 2 * reach, 1000), line(2 * reach, -2 * reach, 20000)
    for _, force in ipairs(along(law, line(-2 * reach, -1e-12, 100), pair)) do assert.are.equal(0, force) end
    local path = {}
    for _, list in ipairs { closing, parting } do
      for _, value in ipairs(list) do path[#path + 1] = value end
    end
    local forces, last = along(law, path, pair), 0
    assert.near(-1.5 * math.pi * 0.05 * R, least(forces), 1e-6 * R)
    for k, force in ipairs(forces) do
      if force ~= 0 then last = path[k] end
    end
    assert.near(-reach, last, 3e-4 * reach)
    assert.is_true(law.range >= reach)
  end)

  -- Johnson and Pollock: a collision costs 7.09 (w^5 R^4/E*^2)^(1/3)
  it("loses the energy of its necks", function()
    local mass = 2e-3 / 3
    local cost = 7.09 * (20 ^ 5 * R ^ 4 / stiffness ^ 2) ^ (1 / 3)
    local v = math.sqrt(2 * 2 * cost / mass) -- twice as much energy as it costs
    local found, gap = restitution([[require("jkr").pairs { young_modulus = 1e6, work_of_adhesion = 20, greatest_radius = 3e-3 }]], v, 4e-6, 20000)
    assert.is_true(gap > 0)
    assert.near(math.sqrt(0.5), found, 2e-3)
    local _, left = restitution([[require("jkr").pairs { young_modulus = 1e6, work_of_adhesion = 20, greatest_radius = 3e-3 }]], 0.69 * v, 4e-6, 10000)
    assert.is_true(left < 2e-4) -- it stays
  end)
end)

describe("plastic_adhesive", function()
  local plastic = require "plastic_adhesive"

  it("bounces as Thornton's formula says", function()
    local mass, stiffness, pressure = 2e-3 / 3, 1e9 / (2 * (1 - 0.3 ^ 2)), 1e7
    local yield = R * (math.pi * pressure / (2 * stiffness)) ^ 2
    local first = math.sqrt(16 / 15 * stiffness * math.sqrt(R) * yield ^ 2.5 / mass)
    for _, ratio in ipairs { 0.9, 2, 10 } do
      local q, v = 1 / ratio, ratio * first
      local e = ratio < 1 and 1 or math.sqrt(6 * math.sqrt(3) / 5 * (1 - q * q / 6) * math.sqrt(q / (q + 2 * math.sqrt(1.2 - q * q / 5))))
      local found, gap = restitution([[require("plastic_adhesive").pairs { young_modulus = 1e9, yield_pressure = 1e7, greatest_radius = 3e-3 }]],
        v, 4e-7, math.floor(6e-5 / v / 4e-7))
      assert.is_true(gap > 0)
      assert.near(e, found, 1e-3)
    end
  end)

  it("is JKR below the yield pressure, and pulls with 3/2 pi w R_p above it", function()
    local jkr = require "jkr"
    local given = { young_modulus = 1e7, poisson_ratio = 0.3, work_of_adhesion = 0.05, greatest_radius = 3e-3 }
    local elastic, path = jkr.pairs(given), line(0, 2e-7, 50)
    for _, value in ipairs(line(2e-7, -1e-8, 500)) do path[#path + 1] = value end
    given.yield_pressure = 1e12
    local hard = plastic.pairs(given)
    local expected, found = along(elastic, path, pair), along(hard, path, pair)
    for k, force in ipairs(expected) do assert.near(force, found[k], 1e-8 * 0.05 * R + 1e-6 * math.abs(force)) end
    -- beyond: F* and a* from the elastic curve of a, cut off at p
    given.yield_pressure = 1e5
    local stiffness, deep = 1e7 / (2 * (1 - 0.3 ^ 2)), 1e-5
    local function solve(f, low, high)
      for _ = 1, 200 do
        local middle = (low + high) / 2
        if f(middle) < 0 then low = middle else high = middle end
      end
      return low
    end
    local a = solve(function(x) return x * x / R - math.sqrt(2 * math.pi * 0.05 * x / stiffness) - deep end, 1e-6, 1e-3)
    local y = solve(function(x) return 2 * stiffness * x / (math.pi * R) - math.sqrt(2 * 0.05 * stiffness / (math.pi * x)) - 1e5 end, 1e-7, 1e-3)
    local root = math.sqrt(8 * math.pi * 0.05 * stiffness)
    local most = 4 * stiffness * y ^ 3 / (3 * R) - root * y ^ 1.5 + math.pi * 1e5 * (a * a - y * y)
    local flat = 4 * stiffness * a ^ 3 / (3 * (most + root * a ^ 1.5))
    assert.is_true(flat > 1.5 * R)
    path = line(0, deep, 50)
    for _, value in ipairs(line(deep, -1e-6, 40000)) do path[#path + 1] = value end
    local forces = along(plastic.pairs(given), path, pair)
    assert.near(most, forces[51], 1e-9 * most)
    assert.near(-1.5 * math.pi * 0.05 * flat, least(forces), 1e-5 * 0.05 * flat)
    assert.are.equal(0, forces[#forces])
  end)
end)

describe("mdr", function()
  local mdr = require "mdr"
  local one = { radius = 2e-3, mass = 1e-3, normal_velocity = 0 }
  local radius, modulus = 2e-3, 1e9 / (1 - 0.3 ^ 2)
  local function given(yield_stress, work) return { young_modulus = 1e9, yield_stress = yield_stress, work_of_adhesion = work, greatest_radius = 3e-3 } end

  -- What a contact of memory `memory` is at an overlap; the memory changes.
  local function press(law, overlap, memory, inputs)
    local all = { overlap = overlap }
    for name, value in pairs(inputs or one) do all[name] = value end
    for _, name in ipairs(law.memory) do all[name] = memory[name] or 0 end
    local found = { evaluate(law, all) }
    for place, name in ipairs(law.returns) do memory[name] = found[place] end
    return found[1]
  end

  local function hardness(yield_stress, d) return yield_stress * (1 + 1.75 * math.exp(-4.4 * d / radius)) end

  -- The displacement at which Hertz's mean pressure is the hardness.
  local function yield_displacement(yield_stress)
    local low, high = 0, radius
    for _ = 1, 200 do
      local middle = (low + high) / 2
      if 4 * modulus * math.sqrt(middle / radius) / (3 * math.pi) < hardness(yield_stress, middle) then low = middle else high = middle end
    end
    return low
  end

  -- Springs E_c dx under an ellipse of height A and width B that is d deep.
  local function springs(d, A, B)
    local edge, sum, parts = B / A * math.sqrt(d * (A - d)), 0, 200 -- the error goes with parts^-4: 1e-9
    for k = 0.5, parts do
      local x = edge * math.sin(math.pi / 2 * k / parts) -- both sides
      sum = sum + 2 * (d - A / 2 + A / B * math.sqrt(B * B / 4 - x * x)) * edge * math.pi / 2 * math.cos(math.pi / 2 * k / parts) / parts
    end
    return modulus * sum
  end

  it("is a row of springs under an ellipse below the yield stress, and Hertz's force for small overlaps", function()
    local law = mdr.walls(given(1e12))
    for _, d in ipairs { 1e-3 * radius, 0.03 * radius, 0.3 * radius } do
      local force = press(law, d, {})
      assert.near(springs(d, 4 * radius, 2 * radius), force, 1e-6 * force)
      assert.near(4 / 3 * modulus * math.sqrt(radius) * d ^ 1.5, force, 0.1 * d / radius * force)
    end
    local both, d = mdr.pairs(given(1e12)), 1e-4 * R
    local hertz = 4 / 3 * modulus / 2 * math.sqrt(R) * d ^ 1.5
    assert.near(hertz, press(both, d, {}, pair), 1e-4 * hertz)
  end)

  it("yields where the mean pressure is the hardness, which it has from there on", function()
    local y = yield_displacement(5e6)
    for _, work in ipairs { 0, 0.01 } do
      local law = mdr.walls(given(5e6, work))
      local below, above = press(law, y * (1 - 1e-9), {}), press(law, y * (1 + 1e-9), {})
      assert.near(1, above / below, 0.1 * y / radius + 1e-6)
      for _, d in ipairs { 2 * y, 0.02 * radius, 0.5 * radius } do
        local memory = {}
        local force = press(law, d, memory)
        local square = 2 * d * radius - d * d + y * y - y * radius
        assert.near(math.pi * square * hardness(5e6, d), force, 1e-10 * force)
        assert.near(math.sqrt(square), memory.held, 1e-10 * radius)
      end
    end
  end)

  it("unloads with the stiffness of a flat punch on a half-space whose far side is the sphere's centre", function()
    for _, deep in ipairs { 0.02, 0.3 } do
      local law, memory, D = mdr.walls(given(5e6)), {}, deep * radius
      local most = press(law, D, memory)
      local p, a = hardness(5e6, D), memory.held
      local indented = 2 * p * a / modulus
      -- Boussinesq: force P at the surface moves a point at the depth z and the distance r from its axis by
      -- P (1 + nu)/(2 pi E) (2 (1 - nu)/rho + z^2/rho^3), rho^2 = r^2 + z^2
      local z, moved, rings = radius - D + indented, 0, 4000
      for k = 0.5, rings do
        local r = a * k / rings
        local rho = math.sqrt(r * r + z * z)
        moved = moved + 2 * math.pi * r * a / rings * p * 1.3 / (2 * math.pi * 1e9) * (1.4 / rho + z * z / rho ^ 3)
      end
      local step = 1e-5 * indented
      local slope = (most - press(law, D - step, memory)) / step
      assert.near(2 * modulus * a / (1 - moved / indented), slope, 1e-4 * slope)
      -- back without load, and up again the same way
      local rest = D - indented + moved
      assert.are.equal(0, press(law, rest - 1e-9 * radius, memory))
      assert.is_true(press(law, rest + 0.01 * indented, memory) > 0)
      assert.near(most, press(law, D, memory), 1e-12 * most)
    end
  end)

  it("is JKR's without plastic flow: pull-off 3/2 pi w R at walls and for pairs, and the neck's length", function()
    local soft = { young_modulus = 1e6, yield_stress = 1e12, work_of_adhesion = 0.05, greatest_radius = 3e-3 }
    for _, case in ipairs { { mdr.walls(soft), one, radius, 1e6 / 0.91 },
      { mdr.pairs(soft), { radius_i = radius, radius_j = radius, mass_i = 1, mass_j = 1, normal_velocity = 0 }, radius / 2, 1e6 / 1.82 } } do
      local law, inputs, reduced, stiffness = case[1], case[2], case[3], case[4]
      local length = 0.75 * (math.pi ^ 2 * 0.05 ^ 2 * reduced / stiffness ^ 2) ^ (1 / 3)
      local memory, lowest, broken = {}, 0, nil
      press(law, 5 * length, memory, inputs)
      for _, d in ipairs(line(5 * length, -1.5 * length, 4000)) do
        local force = press(law, d, memory, inputs)
        if force < 0 then broken = d end
        lowest = math.min(lowest, force)
      end
      assert.near(-1.5 * math.pi * 0.05 * reduced, lowest, 2e-3 * 0.05 * reduced * 1.5 * math.pi)
      assert.near(-length, broken, 5e-3 * length)
      assert.is_true(length < law.range)
    end
  end)

  it("pulls off a dent with the greatest tension that its springs can hold", function()
    local law, memory, D, work = mdr.walls(given(5e6, 20)), {}, 0.05 * radius, 20
    press(law, D, memory)
    local A, B, greatest = 4 * hardness(5e6, D) * memory.held / modulus, 2 * memory.held, 0
    for k = 1, 500 do -- every radius that may still be in contact, its edge stretched as far as it holds
      local c = memory.held * k / 500
      local g = A / 2 - A / B * math.sqrt(math.max(B * B / 4 - c * c, 0))
      greatest = math.min(greatest, springs(math.max(g, 1e-12), A, B) - 2 * modulus * c * math.sqrt(2 * math.pi * c * work / modulus))
    end
    local lowest = 0
    for _, d in ipairs(line(D, 0, 4000)) do lowest = math.min(lowest, press(law, d, memory)) end
    assert.is_true(greatest < -2 * 1.5 * math.pi * work * radius) -- more than an elastic sphere
    assert.near(greatest, lowest, 5e-5 * math.abs(greatest))
  end)

  it("bounces with the energy that its unloading gives back", function()
    local law, mass = mdr.pairs(given(5e6)), 2e-3 / 3
    local last = 1
    for _, v in ipairs { 0.1, 1 } do
      local memory, work, step, d = {}, 0, 4e-9, 0
      while work < mass * v * v / 2 do
        work = work + step * press(law, d + step / 2, memory, pair)
        d = d + step
      end
      local back = 0
      while d > 0 do
        back = back + step * press(law, d - step / 2, memory, pair)
        d = d - step
      end
      local expected = math.sqrt(back / (mass * v * v / 2))
      local found, gap = restitution([[require("mdr").pairs { young_modulus = 1e9, yield_stress = 5e6, greatest_radius = 3e-3 }]],
        v, 4e-8, math.floor(6e-4 / v ^ 0.4 / 4e-8))
      assert.is_true(gap > 0)
      assert.near(expected, found, 2e-3)
      assert.is_true(found < 0.9 * last)
      last = found
    end
  end)
end)

describe("capillary", function()
  it("pulls with 2 pi R gamma cos(theta) on contact, breaks by Lian's formula, and costs the area under the curve", function()
    local given = { surface_tension = 0.07, volume = 1e-12, contact_angle = 0.3 }
    local law = require("capillary").pairs(given)
    local mean, rupture = 2 * R, 1.15 * 1e-4
    local path = line(-2e-4, 0, 100)
    for _, value in ipairs(line(0, -1.1 * rupture, 2000)) do path[#path + 1] = value end
    local forces = along(law, path, pair)
    for k = 1, 100 do assert.are.equal(0, forces[k]) end
    assert.near(-2 * math.pi * mean * 0.07 * math.cos(0.3), forces[101], 1e-15)
    local gap = -path[1000]
    local x = gap * math.sqrt(mean / 1e-12)
    assert.near(-2 * math.pi * mean * 0.07 * math.cos(0.3) / (1 + 1.05 * x + 2.5 * x * x), forces[1000], 1e-15)
    local last
    for k, force in ipairs(forces) do
      if force ~= 0 then last = path[k] end
    end
    assert.near(-rupture, last, 1e-3 * rupture)
    assert_slope(law, { radius_i = 2e-3, radius_j = 3e-3, bridge = 1 }, { -1e-4, -1e-5, 1e-6 }, 1e-7)
    local _, none = evaluate(law, { radius_i = 2e-3, radius_j = 3e-3, bridge = 1, overlap = -rupture * (1 - 1e-9) })
    local _, all = evaluate(law, { radius_i = 2e-3, radius_j = 3e-3, bridge = 1, overlap = 0 })
    assert.is_true(math.abs(none) < 1e-6 * math.abs(all))
  end)
end)

describe("hertz_mindlin", function()
  it("shears with 8 G* a per displacement up to Coulomb's bound, and back", function()
    local found = run(string.format([[
      package.path = %q .. package.path
      local sim = floc.simulation { dimension = 3, time_step = 1e-6, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_particle { position = { 0, 0, 0 }, radius = 1, mass = 1e12 }
      sim:add_particle { position = { 0, 2 - 1e-4, 0 }, radius = 1, mass = 1e12, velocity = { 1e-3, 0, 0 } }
      local law = require("hertz_mindlin").pairs { young_modulus = 1e8, poisson_ratio = 0.25, friction = 0.4 }
      law.way = "traced"
      sim:add_force(law)
      sim:run { steps = 5000 }
      local first, normal = sim.fx[1], sim.fy[2]
      sim:run { steps = 40000 }
      return { first, normal, sim.fx[1], sim.fy[2] } ]], here .. "examples/laws/?.lua;"))
    local E, a = 1e8, math.sqrt(0.5 * 1e-4)
    assert.near(4 / 3 * E / (2 * (1 - 0.25 ^ 2)) * a * 1e-4, found[2], 1e-6 * found[2])
    assert.near(8 * E / (4 * 1.25 * 1.75) * a * 5e-6, found[1], 1e-3 * found[1]) -- u = 1e-3 t
    assert.near(0.4 * found[4], found[3], 1e-4 * found[3])
  end)

  it("has the restitution of its dashpot", function()
    local found = restitution([[require("hertz_mindlin").pairs { young_modulus = 1e9, friction = 0.3, restitution = 0.5 }]], 1, 5e-7, 2.4e4)
    assert.near(0.5, found, 1e-3)
  end)
end)

describe("lennard_jones", function()
  local lj = require "lennard_jones"
  it("is 0 at the cutoff as it says, with the minimum at 2^(1/6)", function()
    local least_at = 2 ^ (1 / 6)
    for shift, at_cutoff in pairs { none = 4 * (2.5 ^ -12 - 2.5 ^ -6), potential = 0, force = 0 } do
      local u = lj.pairs { cutoff = 2.5, shift = shift }.potential
      assert.near(at_cutoff, u(2.5 - 1e-9), 1e-9)
      assert.are.equal(0, u(2.5))
      assert.near(-1 - (shift == "none" and 0 or 4 * (2.5 ^ -12 - 2.5 ^ -6)), u(least_at), shift == "force" and 0.06 or 1e-12)
    end
    local u = lj.pairs { cutoff = 2.5, shift = "force" }.potential
    assert.near(0, (u(2.5 - 1e-6) - u(2.5 - 2e-6)) / 1e-6, 1e-5)
    local wca = lj.wca { epsilon = 2, sigma = 0.5 }.potential
    assert.near(2, wca(0.5), 1e-12)
    assert.near(0, wca(0.5 * least_at - 1e-9), 1e-12)
    assert.are.equal(0, wca(0.6))
  end)

  it("oscillates about its minimum with sqrt(k/m*), k = 57.146 epsilon/sigma^2", function()
    local found = run(string.format([[
      package.path = %q .. package.path
      local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      local r = 2 ^ (1 / 6)
      sim:add_particle { position = { 0, 0, 0 }, radius = 1e-3, mass = 1 }
      sim:add_particle { position = { r + 1e-4, 0, 0 }, radius = 1e-3, mass = 1 }
      local law = require("lennard_jones").pairs { shift = "none" }
      law.way = "traced"
      law = sim:add_force(law)
      local energy, last, crossings, first, latest = law.energy, 1e-4, 0
      sim:every(1, function()
        local d = sim.x[2] - sim.x[1] - r
        if last < 0 and d >= 0 then
          latest, crossings = sim.time - 1e-3 * d / (d - last), crossings + 1
          first = first or latest
        end
        last = d
      end)
      sim:run { steps = 12000 }
      return { (latest - first) / (crossings - 1), sim:measure "total_energy" - energy } ]], here .. "examples/laws/?.lua;"))
    local k = 72 / 2 ^ (1 / 3)
    assert.near(2 * math.pi / math.sqrt(2 * k), found[1], 1e-4)
    assert.near(0, found[2], 1e-9)
  end)
end)

describe("screened_charge", function()
  it("is Yukawa's force and energy, and Coulomb's without ions", function()
    local screened = require "screened_charge"
    local law = screened.pairs { coupling = 3, screening = 2, cutoff = 4, finite = "yes" }
    local inputs = { charge_i = 2, charge_j = -1, radius_i = 0.1, radius_j = 0.2, distance = 1.5 }
    local strength = -6 * math.exp(2 * 0.3) / (1.2 * 1.4)
    local force, energy = evaluate(law, inputs)
    assert.near(strength * math.exp(-3) * (1 / 1.5 ^ 2 + 2 / 1.5), force, 1e-13)
    assert.near(strength * (math.exp(-3) / 1.5 - math.exp(-8) / 4), energy, 1e-13)
    law = screened.pairs { coupling = 3, screening = 0, cutoff = 4 }
    assert.near(-6 / 1.5 ^ 2, (evaluate(law, inputs)), 1e-13)
    inputs.distance = 4
    assert.are.equal(0, (evaluate(law, inputs)))
  end)
end)

describe("fene", function()
  it("is FENE between bonds and WCA between beads", function()
    local fene = require "fene"
    local beads, bonds = fene.beads { epsilon = 2, sigma = 0.5 }, fene.bonds { epsilon = 2, sigma = 0.5 }
    local function both(r)
      local push, u = beads.law(r * 0.5)
      local pull, energy = bonds.law(r * 0.5, bonds.attributes.strength, bonds.attributes.longest)
      return push + pull, u + energy, push, u
    end
    for _, r in ipairs { 0.9, 0.961, 1.1, 1.3, 1.49 } do
      local wca = r < 2 ^ (1 / 6) and 4 * (r ^ -12 - r ^ -6) + 1 or 0
      local push = r < 2 ^ (1 / 6) and 24 * (2 * r ^ -13 - r ^ -7) or 0
      local force, energy, of_beads, u = both(r)
      assert.near(4 * (push - 30 * r / (1 - (r / 1.5) ^ 2)), force, 1e-9 * math.abs(force) + 1e-9)
      assert.near(2 * (wca - 0.5 * 30 * 2.25 * math.log(1 - (r / 1.5) ^ 2)), energy, 1e-9)
      assert.near(4 * push, of_beads, 1e-9)
      assert.near(2 * wca, u, 1e-9)
    end
    local before, after = both(0.9605), both(0.9612) -- the minimum is at 0.9609
    assert.is_true(before > 0 and after < 0)
  end)
end)

describe("every law of the library", function()
  it("says what is wrong with its options", function()
    local jkr = require "jkr"
    for _, case in ipairs {
      { { young_modulus = 1, work_of_adhesion = 1 }, "jkr: greatest_radius is missing; it must be a finite number above 0" },
      { { young_modulus = -1, work_of_adhesion = 1, greatest_radius = 1 }, "jkr: young_modulus is -1; it must be a finite number above 0" },
      { { young_modulus = 1, work_of_adhesion = 1, greatest_radius = 1, poisson = 0.3 }, "jkr: there is no option poisson; there are damping, greatest_radius" },
      { { young_modulus = 0 / 0, work_of_adhesion = 1, greatest_radius = 1 }, "jkr: young_modulus is " },
    } do
      local ok, message = pcall(jkr.pairs, case[1])
      assert.is_false(ok)
      assert.is_truthy(message:find(case[2], 1, true), message)
    end
    local ok, message = pcall(require("lennard_jones").pairs, { shift = "both" })
    assert.is_false(ok)
    assert.is_truthy(message:find("shift is both; it must be one of none, potential, force", 1, true), message)
  end)
end)
