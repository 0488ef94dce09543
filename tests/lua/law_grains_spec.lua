-- MDR of grains as a whole (examples/laws/mdr_grains.lua): a grain between rigid walls that close in on it along one axis or all three,
-- and grains in a row, against what the model promises: the contact of part I, the volume, Hooke's law, the bulk modulus.

local support = require "support"

local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
local laws = here .. "examples/laws/?.lua;"

-- A grain of the radius 1 between pairs of planes that approach each other by 2 `way` in all; `tail` runs behind.
local function squeezed(axes, way, steps, given, tail)
  return support.run(string.format([[
    package.path = %q .. package.path
    local floc = require "floc"
    local axes, way, steps, E, nu = %d, %.17g, %d, 1e9, 0.3
    local kappa, whole = E / (3 * (1 - 2 * nu)), 4 / 3 * math.pi
    local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
    for axis = 1, axes do
      for side = -1, 1, 2 do
        local p, n, v = { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }
        p[axis], n[axis], v[axis] = side, -side, -side * way / steps / 1e-3
        sim:add_body { position = p, shape = floc.plane { normal = n }, velocity = v }
      end
    end
    sim:add_particle { position = { 0, 0, 0 }, radius = 1, mass = 1e9 }
    local _, law = require("mdr_grains").add(sim, { young_modulus = E, poisson_ratio = nu, greatest_radius = 1, walls = true, %s })
    -- h: from the centre to a wall; radius; volume without what walls cut off; force on a wall; A_c of a contact
    local function state()
      local h, found = 1 - way / steps * sim.step, sim:law_pairs(law)
      local R = 1 + sim.grown[1]
      local d = R - h
      return { h = h, R = R, d = d, volume = whole * R ^ 3 - axes * 2 * math.pi / 3 * d * d * (3 * R - d), force = found.normal[1], area = found.area[1],
        strain = sim.volume_strain[1], covered = sim.covered[1], total = sim.contact_area[1], bulk = found.d_bulk[1], lost = sim.lost_volume[1], count = found.count }
    end
    %s ]], laws, axes, way, steps, given, tail))
end

-- The displacement, over the radius, at which Hertz's mean pressure is the hardness.
local function yield_displacement(yield_stress)
  local low, high, modulus = 0, 1, 1e9 / 0.91
  for _ = 1, 100 do
    local middle = (low + high) / 2
    if 4 * modulus * math.sqrt(middle) / (3 * math.pi) < yield_stress * (1 + 1.75 * math.exp(-4.4 * middle)) then low = middle else high = middle end
  end
  return low
end

describe("mdr_grains", function()
  it("keeps the volume of a grain that flows between two walls, up to Hooke's strain", function()
    local found = squeezed(1, 0.3, 3000, "yield_stress = 2e7", [[
      local list = {}
      for k = 1, 10 do
        sim:run { steps = 300 }
        list[k] = state()
      end
      local last = list[10]
      return { list, last.R, whole - 2 * math.pi / 3 * 0.3 ^ 2 * (3 - 0.3), last.volume / whole } ]])
    for k, one in ipairs(found[1]) do
      local whole, kappa = 4 / 3 * math.pi, 1e9 / 1.2
      assert.are.equal(2, one.count)
      -- the contact's area; Hooke's law for the mean strain: the trace of the mean stress is the sum of force times distance
      local y = yield_displacement(2e7)
      assert.near(math.pi * (2 * one.d * one.R - one.d ^ 2 + one.R ^ 2 * (y * y - y)), one.area, 1e-3 * one.area)
      local stress = 2 * one.force * one.h / (3 * kappa * whole * (1 + one.strain))
      assert.near(-stress, one.strain, 2e-3 * stress)
      -- what is lost before it flows stays lost, but for the error of steps of the first order (3.2e-5; 2.6e-5 at 4,000)
      local off = one.volume / whole - 1 - one.strain
      assert.near(found[1][1].volume / whole - 1 - found[1][1].strain, off, 5e-5)
      assert.is_true(math.abs(off) < 3e-4)
      assert.near(1 - (4 * math.pi * one.R ^ 2 - 4 * math.pi * one.R * one.d) / (4 * math.pi * one.R ^ 2 + 2 * one.area - 4 * math.pi * one.R * one.d), one.covered, 2e-3)
      assert.is_true(k == 1 or one.R > found[1][k - 1].R)
    end
    assert.is_true(found[2] > 1.05)
    assert.is_true(found[3] / (4 / 3 * math.pi) < 0.95, "without growth the volume would be lost")
  end)

  it("responds with the bulk modulus once little free surface is left, and only then", function()
    local found = squeezed(3, 0.25, 5000, "yield_stress = 2e7, greatest_growth = 0.5", [[
      local before
      repeat
        sim:run { steps = 10 }
        before = state()
      until before.bulk > 0 or sim.step > 4900
      sim:run { steps = 100 }
      return { before, state(), kappa } ]])
    local a, b, kappa = found[1], found[2], found[3]
    assert.is_true(a.bulk > 0 and a.covered > 0.92 and a.covered < 0.93, "begins at " .. a.covered)
    -- walls that move by 100 steps: all of it is bulk displacement, and the force rises by kappa A d_B/V A_c
    assert.near(a.h - b.h, b.bulk - a.bulk, 1e-12)
    local function bulk(one) return kappa * one.total / (4 / 3 * math.pi - one.lost) * one.bulk * one.area end
    assert.near(bulk(b) - bulk(a), b.force - a.force, 5e-3 * bulk(b))
    assert.are.equal(a.R, b.R) -- shut in, it grows no more
    -- not the elastic response of six separate contacts
    local softer = squeezed(3, 0.25, 1500, "yield_stress = 2e7, greatest_growth = 0.5, free_surface = 0", "sim:run { steps = 1400 } return state()")
    local stiff = squeezed(3, 0.25, 1500, "yield_stress = 2e7, greatest_growth = 0.5", "sim:run { steps = 1400 } return state()")
    assert.is_true(stiff.force > 1.2 * softer.force, stiff.force .. " and " .. softer.force)
    assert.are.equal(0, softer.bulk)
  end)

  -- Two heavy balls that meet and are drawn apart again, by either file.
  local function meet(file, given)
    return support.run(string.format([[
      package.path = %q .. package.path
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_particle { position = { 0, 0, 0 }, radius = 1, mass = 1e30, velocity = { 0.02, 0, 0 } }
      sim:add_particle { position = { 2.2, 0, 0 }, radius = 1.2, mass = 1e30 }
      local given, forces, most = { young_modulus = 1e9, greatest_radius = 1.2, %s }, {}, 0
      if %q == "mdr" then sim:add_force(require("mdr").pairs(given)) else require("mdr_grains").add(sim, given) end
      local function go()
        sim:run { steps = 50 }
        forces[#forces + 1], most = sim.fx[2], math.max(most, sim.fx[2])
      end
      for _ = 1, 10 do go() end
      sim.vx[1] = -0.02
      for _ = 1, 12 do go() end
      return { forces, most } ]], laws, given, file))
  end

  it("is the contact of part I where nothing has flowed yet, and nearly where little has", function()
    for _, case in ipairs { { "yield_stress = 1e12", 1e-12 }, { "yield_stress = 1e12, work_of_adhesion = 1e5", 1e-12 }, { "yield_stress = 5e6", 3e-3 },
      { "yield_stress = 5e6, work_of_adhesion = 1e4", 3e-3 } } do
      local one, all = meet("mdr", case[1]), meet("mdr_grains", case[1])
      assert.is_true(one[2] > 0)
      for k, force in ipairs(one[1]) do assert.near(force, all[1][k], case[2] * one[2]) end
    end
  end)

  it("is between grains in a row what it is between walls", function()
    local wall = squeezed(1, 0.2, 2000, "yield_stress = 2e7", "sim:run { steps = 2000 } return state()")
    local row = support.run(string.format([[
      package.path = %q .. package.path
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_body { position = { -1, 0, 0 }, shape = floc.plane { normal = { 1, 0, 0 } }, velocity = { 0.1, 0, 0 } }
      sim:add_body { position = { 5, 0, 0 }, shape = floc.plane { normal = { -1, 0, 0 } }, velocity = { -0.5, 0, 0 } }
      for k = 0, 2 do sim:add_particle { position = { 2 * k, 0, 0 }, radius = 1, mass = 1e30, velocity = { -0.2 * k, 0, 0 } } end
      local law, walls = require("mdr_grains").add(sim, { young_modulus = 1e9, yield_stress = 2e7, greatest_radius = 1, walls = true })
      sim:run { steps = 2000 }
      local all = sim:law_pairs(law)
      return { all.normal[1], all.normal[2], sim.grown[1], sim.grown[2], all.count, sim:law_pairs(walls).normal[1] } ]], laws))
    assert.are.equal(2, row[5])
    for k = 1, 2 do
      assert.near(wall.force, row[k], 1e-9 * wall.force)
      assert.near(wall.R - 1, row[2 + k], 1e-9)
    end
    assert.near(wall.force, row[6], 1e-9 * wall.force)
  end)

  it("stops where a grain grows beyond what its range allows for, and says so", function()
    local ok, message = pcall(squeezed, 1, 0.3, 3000, "yield_stress = 2e7, greatest_growth = 0.01", "sim:run { steps = 3000 }")
    assert.is_false(ok)
    assert.is_truthy(tostring(message):find("a grain has grown by more than greatest_growth of its radius", 1, true), tostring(message))
    ok, message = pcall(squeezed, 1, 0.3, 3000, "yield_stress = 2e7, free_surfaces = 1", "")
    assert.is_false(ok)
    assert.is_truthy(tostring(message):find("mdr_grains: there is no option free_surfaces; there are damping, free_surface", 1, true), tostring(message))
  end)
end)
