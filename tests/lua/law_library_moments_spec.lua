-- The laws of examples/laws that return more than a force (rolling, heat, dipoles, Vicsek, bonded grains) against closed
-- forms. That they are traced and give the same bits however they run is in law_library_runs_spec.lua.

local support = require "support"

local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
local laws = here .. "examples/laws/?.lua;"
package.path = laws .. package.path

local function run(script) return support.run(('package.path = %q .. package.path local floc = require "floc"\n'):format(laws) .. script) end

describe("rolling", function()
  -- a disc that rolls slows by 2/3 mu_r g, a spinning ball by mu g/(0.4 r)
  local function roll(type, more, until_time)
    return run(string.format([[
      local g, r, m, k = 9.81, 0.1, 2, 1e6
      local sim = floc.simulation { dimension = 2, time_step = 1e-4, gravity = { 0, -g }, scheme = floc.discrete_element { contact = "none", rotation = true,
        integrator = "velocity_verlet" } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      sim:add_particle { position = { 0, r - m * g / k }, radius = r, mass = m, velocity = { 1, 0 }, allow_overlap = true }
      sim.wz[1] = -1 / r
      local law = require("rolling").walls { stiffness = k, restitution = 0.5, friction = 0.6, type = %q, rolling = 0.1, %s }
      law.way = "traced"
      sim:add_wall_force(law)
      sim:run { until_time = %g }
      return { sim.x[1], sim.vx[1] } ]], type, more, until_time))
  end

  it("stops a disc where the formula says, with types A and C", function()
    for _, type in ipairs { "A", "C" } do
      local found = roll(type, "rolling_stiffness = 1e3", 2)
      local way = 1 / (2 * 2 / 3 * 0.1 * 9.81)
      assert.near(way, found[1], 1e-3 * way)
      assert.near(0, found[2], 1e-4)
    end
  end)

  it("slows it exponentially with type B", function()
    assert.near(math.exp(-2 / 3 * 0.1 * 9.81 / 0.5), roll("B", "speed = 0.5", 1)[2], 1e-3)
  end)

  it("slows a spinning ball by its twisting", function()
    local found = run [[
      local g, r, m, k = 9.81, 0.1, 2, 1e6
      local sim = floc.simulation { dimension = 3, time_step = 1e-4, gravity = { 0, 0, -g }, scheme = floc.discrete_element { contact = "none", rotation = true,
        integrator = "velocity_verlet" } }
      sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }
      sim:add_particle { position = { 0, 0, r - m * g / k }, radius = r, mass = m, allow_overlap = true }
      sim.wz[1] = 100
      local law = require("rolling").walls { dimension = 3, stiffness = k, restitution = 0.5, friction = 0.6, type = "A", rolling = 0.1, twisting = 0.02 }
      law.way = "traced"
      sim:add_wall_force(law)
      sim:run { until_time = 1 }
      return { sim.wz[1], sim.vx[1] } ]]
    assert.near(100 - 0.02 * 9.81 / (0.4 * 0.1), found[1], 1e-3)
    assert.near(0, found[2], 1e-9)
  end)
end)

describe("heat", function()
  -- cosines are the modes of a chain of equal conductances, which decay by 2 H (1 - cos q) (H: conductance over capacity)
  it("flows along 100 touching spheres as the exact solution, and its sum stays", function()
    local found = run [[
      local n, r, overlap, H, steps = 100, 0.5, 1e-4, 2e-3, 5000
      local sim = floc.simulation { dimension = 3, time_step = 1, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_attribute("heat", 0)
      for k = 1, n do sim:add_particle { position = { k * (2 * r - overlap), 0, 0 }, radius = r, mass = 2, allow_overlap = true } end
      local law = require("heat").pairs { conductivity = H * 6 / (2 * math.sqrt(overlap * r / 2)), capacity = 3 } -- H m c = 2 k a
      law.way = "traced"
      sim:add_force(law)
      local q = 2 * math.pi / n
      for k = 1, n do sim.heat[k] = 1 + math.cos(q * (k - 0.5)) end
      sim:run { steps = steps }
      local worst, sum, decay = 0, 0, math.exp(-2 * H * (1 - math.cos(q)) * steps)
      for k = 1, n do
        worst = math.max(worst, math.abs(sim.heat[k] - 1 - decay * math.cos(q * (k - 0.5))))
        sum = sum + sim.heat[k]
      end
      return { worst, sum / n - 1, decay } ]]
    assert.is_true(found[1] < 1e-6)
    assert.is_true(math.abs(found[2]) < 1e-12)
    assert.is_true(found[3] < 0.97)
  end)
end)

describe("dipoles", function()
  local law = require("dipoles").pairs { coupling = 2, cutoff = 10, dimension = 3 }.law

  it("attract and turn as the closed forms", function()
    local r, p, q = 1.5, 0.7, 1.3
    local function call(a, b) return { law(r, 1, 0, 0, p, a[1], a[2], a[3], q, b[1], b[2], b[3]) } end
    -- in a row: 6 k p q/r^4 together; side by side: 3 k p q/r^4 apart; i across, j along: torques of k p q/r^3 and 2 k p q/r^3
    local row, side, crossed = call({ 1, 0, 0 }, { 1, 0, 0 }), call({ 0, 1, 0 }, { 0, 1, 0 }), call({ 0, 1, 0 }, { 1, 0, 0 })
    assert.near(12 * p * q / r ^ 4, row[1], 1e-12) -- i is pulled to j, along +x
    assert.near(-4 * p * q / r ^ 3, row[10], 1e-12)
    assert.near(-6 * p * q / r ^ 4, side[1], 1e-12)
    assert.near(0, crossed[1], 1e-12)
    assert.near(-4 * p * q / r ^ 3, crossed[6], 1e-12)
    assert.near(-2 * p * q / r ^ 3, crossed[9], 1e-12)
    assert.near(-6 * p * q / r ^ 4, crossed[2], 1e-12)
    assert.near(0, crossed[6] + crossed[9] - r * crossed[2], 1e-12) -- no torque on both together
  end)

  it("keep angular momentum to rounding, and energy", function()
    for _, dimension in ipairs { 2, 3 } do
      local found = run(string.format([[
        local dimension = %d
        local sim = floc.simulation { dimension = dimension, time_step = 2e-4, scheme = floc.discrete_element { contact = "none", rotation = true,
          integrator = "velocity_verlet" } }
        local dipoles = require "dipoles"
        sim:add_attribute("dipole", 0)
        local law = dipoles.pairs { coupling = 0.5, cutoff = 10, dimension = dimension }
        law.way = "traced"
        law = sim:add_force(law)
        local place, moment = floc.random "places", floc.random "moments"
        for id = 1, 8 do
          local at = { id %% 2 + place:uniform(0, 0.2), math.floor(id / 2) %% 2 + place:uniform(0, 0.2), math.floor(id / 4) }
          if dimension == 2 then at = { id %% 3 + place:uniform(0, 0.2), math.floor(id / 3) } end
          sim:add_particle { position = at, radius = 0.1 + 0.01 * id, mass = id }
        end
        for id = 1, 8 do
          sim.dipole[id] = moment:uniform(0.5, 1.5)
          if dimension == 2 then sim.angle[id] = moment:uniform(-3, 3) end
          for _, name in ipairs(dimension == 3 and { "qw", "qx", "qy", "qz" } or {}) do sim[name][id] = moment:normal() end
        end
        local before = law.energy
        sim:run { steps = 1000 }
        local sum, scale = { 0, 0, 0 }, 0
        for id = 1, 8 do
          local m = sim.mass[id]
          local I = (dimension == 2 and 0.5 or 0.4) * m * sim.radius[id] ^ 2
          local x, v = { sim.x[id], sim.y[id], dimension == 3 and sim.z[id] or 0 }, { sim.vx[id], sim.vy[id], dimension == 3 and sim.vz[id] or 0 }
          local w = { dimension == 3 and sim.wx[id] or 0, dimension == 3 and sim.wy[id] or 0, sim.wz[id] }
          for axis = 1, 3 do
            local a, b = axis %% 3 + 1, (axis + 1) %% 3 + 1
            sum[axis] = sum[axis] + m * (x[a] * v[b] - x[b] * v[a]) + I * w[axis]
            scale = scale + I * math.abs(w[axis])
          end
        end
        local total, kinetic = sim:measure "total_energy", sim:measure "kinetic_energy"
        return { (sum[1] ^ 2 + sum[2] ^ 2 + sum[3] ^ 2) ^ 0.5 / scale, (total - before) / kinetic, kinetic } ]], dimension))
      assert.is_true(found[1] < 1e-12)
      assert.is_true(found[3] > 1e-3)
      assert.near(0, found[2], 2e-2)
    end
  end)
end)

describe("bonded", function()
  it("bends as Euler and Bernoulli's beam: 20 spheres, one end held, a load at the other", function()
    for _, dimension in ipairs { 2, 3 } do
      local found = run(string.format([[
        local dimension, n, E, b, F = %d, 20, 1e6, 0.4, 1e-2
        local sim = floc.simulation { dimension = dimension, time_step = 1e-3, scheme = floc.discrete_element { contact = "none", rotation = true,
          integrator = "velocity_verlet" } }
        for k = 1, n do
          sim:add_particle { position = dimension == 2 and { k - 1, 0 } or { k - 1, 0, 0 }, radius = 0.5, mass = k == 1 and 1e15 or 1, allow_overlap = true }
        end
        local law = require("bonded").pairs { dimension = dimension, young_modulus = E, bond_radius = b, gap = 1e-6, damping = 0.1 }
        law.way = "traced"
        sim:add_force(law)
        sim:add_field { law = function(id, vx, vy)
          local fy = -2.4 * vy
          if id > n - 0.5 then fy = fy + F end
          if dimension == 2 then return -2.4 * vx, fy end
          return -2.4 * vx, fy, 0
        end }
        sim:run { until_time = 10 }
        return sim.y[n] / (F * (n - 1) ^ 3 / (3 * E * math.pi * b ^ 4 / 4)) ]], dimension))
      assert.near(1, found, 1e-3)
    end
  end)

  it("bends by beams between bonds as by those between pairs, and parts where it is pulled", function()
    for _, dimension in ipairs { 2, 3 } do
      local found = run(string.format([[
        local dimension, n, E, b = %d, 6, 1e6, 0.4
        local function make(list)
          local sim = floc.simulation { dimension = dimension, time_step = 1e-3, scheme = floc.discrete_element { contact = "none", rotation = true,
            integrator = "velocity_verlet" } }
          for k = 1, n do
            sim:add_particle { position = dimension == 2 and { k - 1, 0 } or { k - 1, 0, 0 }, radius = 0.5, mass = k == 1 and 1e15 or 1, allow_overlap = true }
          end
          local given = { dimension = dimension, young_modulus = E, bond_radius = b, gap = 1e-6, damping = 0.1, tensile_strength = 2e3 }
          local law = list and require("bonded").beams(given) or require("bonded").pairs(given)
          law.way = "traced"
          local made = sim:add_force(law)
          local bonds = {}
          for k = 2, n do bonds[k - 1] = { k, k - 1 } end
          if list then sim:add_law_bonds { law = made, particles = bonds, attributes = { length = function(i, j) return j - i end } } end
          sim:add_field { law = function(id, t)
            local fx, fy = 0, 0
            if id > n - 0.5 then fx, fy = 1000 * math.max(t - 0.5, 0), 1 end
            if dimension == 2 then return fx, fy end
            return fx, fy, 0
          end }
          sim:run { steps = 500 }
          local y = sim.y[n]
          sim:run { steps = 3000 }
          return y, list and sim:law_bonds(made).count, sim.x[n]
        end
        local y, _, x = make(false)
        local again, left, there = make(true)
        return { y, again, left, x, there } ]], dimension))
      assert.is_true(found[1] > 1e-5)
      assert.near(1, found[2] / found[1], 1e-9)
      assert.is_true(found[3] < 5, "a bond has broken")
      assert.is_true(found[4] > 6 and math.abs(found[5] / found[4] - 1) < 0.05)
    end
  end)

  it("breaks at its strength in tension, bending, shear and twist, and only then", function()
    local b = 0.1
    local A, I = math.pi * b ^ 2, math.pi * b ^ 4 / 4
    local law = require("bonded").pairs { young_modulus = 1e6, bond_radius = b, tensile_strength = 1e3, shear_strength = 500 }.law
    -- at rest, with a stretch, forces and moments as remembered; returns the length that is remembered: -1 broken
    local function kept(stretch, s, bending, twist)
      return (select(8, law(1 + stretch, -stretch, 0, 1, 1, 0.5, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, s, 0, twist, bending, 0, 5, 1e-3)))
    end
    local stretch = 1e3 / 1e6 -- tension = E A stretch
    for _, factor in ipairs { 0.999, 1.001 } do
      local expected = factor < 1 and 1 or -1
      assert.are.equal(expected, kept(factor * stretch, 0, 0, 0))
      assert.are.equal(expected, kept(0, 0, factor * 1e3 * I / b, 0))
      assert.are.equal(expected, kept(0.5 * stretch, 0, (factor - 0.5) * 1e3 * I / b, 0))
      assert.are.equal(expected, kept(0, factor * 500 * A, 0, 0))
      assert.are.equal(expected, kept(0, 0, 0, factor * 500 * 2 * I / b))
    end
    assert.are.equal(1, kept(-10 * stretch, 0, 0, 0)) -- pressure does not break it
  end)

  it("parts for good where it is pulled apart", function()
    local found = run [[
      local sim = floc.simulation { dimension = 3, time_step = 1e-4, scheme = floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" } }
      for k = 0, 1 do sim:add_particle { position = { k, 0, 0 }, radius = 0.5, mass = 1e9, velocity = { 0.01 * k, 0, 0 }, allow_overlap = true } end
      local law = require("bonded").pairs { young_modulus = 1e6, bond_radius = 0.1, gap = 1e-5, tensile_strength = 1e3, damping = 0 }
      law.way = "traced"
      sim:add_force(law)
      local most, parted = 0
      sim:every(1, function()
        most = math.max(most, sim.fx[1])
        if not parted and most > 0 and sim.fx[1] == 0 then parted = sim.x[2] - sim.x[1] end
      end)
      sim:run { steps = 2000 }
      return { most, parted } ]]
    assert.near(1e3 * math.pi * 0.01, found[1], 2e-3 * 31.4)
    assert.near(1.001, found[2], 1e-5)
  end)
end)

describe("vicsek", function()
  it("turns two particles into their mean direction, and orders a flock without noise only", function()
    local found = run [[
      local function flock(count, size, noise, steps, headings)
        local sim = floc.simulation { dimension = 2, time_step = 1, scheme = floc.inelastic {}, domain = floc.box { lower = { 0, 0 }, upper = { size, size } },
          boundary = "periodic" }
        sim:add_particles { count = count, radius = 5e-3, mass = 1, region = floc.box { lower = { 0, 0 }, upper = { size, size } } }
        require("vicsek").add(sim, { speed = 0.03, radius = 1, noise = noise })
        local place = floc.random "headings"
        for id = 1, count do sim.heading[id] = headings and headings[id] or place:uniform(-math.pi, math.pi) end
        sim:run { steps = steps }
        local x, y = 0, 0
        for id = 1, count do x, y = x + math.cos(sim.heading[id]), y + math.sin(sim.heading[id]) end
        return math.sqrt(x * x + y * y) / count, sim
      end
      local _, two = flock(2, 0.9, 0, 1, { 0.3, 1.1 })
      return { two.heading[1], two.heading[2], flock(200, 5, 0, 150), (flock(200, 5, 2 * math.pi, 60)) } ]]
    assert.near(0.7, found[1], 1e-12)
    assert.near(0.7, found[2], 1e-12)
    assert.is_true(found[3] > 0.999)
    assert.is_true(found[4] < 0.25)
  end)
end)
