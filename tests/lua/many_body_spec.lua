-- Energies of sums over neighbours (sim:add_many_body): the force against differences of the energy, the energy over a run, the same
-- bits on any number of threads and after a resume, and what is refused. Copper's energy is in law_outputs_spec.lua.

local support = require "support"

-- A random cloud in a periodic box; atoms of two kinds give different densities, and F has two sums. Beyond the range
-- everything is 0 with four derivatives, so differences of the energy are smooth.
local function cloud(more, tail)
  return string.format([[
    local floc = require "floc"
    local dimension = 3
    local lower, upper = {}, {}
    for axis = 1, dimension do lower[axis], upper[axis] = 0, 4 end
    local sim = floc.simulation { dimension = dimension, time_step = 1e-3, seed = 3, domain = floc.box { lower = lower, upper = upper },
      boundary = "periodic", scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } %s }
    sim:add_attribute("kind", 0)
    sim:add_particles { count = 120, radius = 0.05, mass = 1, placement = "random", clearance = 0.4, velocity_spread = 0.5,
      region = floc.box { lower = lower, upper = upper } }
    for id = 1, sim.count do sim.kind[id] = id %% 3 end
    local reach = 1.3
    local function window(distance) return distance < reach and (1 - (distance / reach) ^ 2) ^ 4 or 0 end
    local law = sim:add_many_body { name = "alloy", range = reach - 0.1, parameters = { depth = 0.7, width = 0.5 },
      sums = {
        density = function(distance, kind_i, kind_j) return (1 + 0.5 * kind_j) * window(distance), (1 + 0.5 * kind_i) * window(distance) end,
        other = function(distance, width) return window(distance) * math.exp(-distance / width) end },
      energy = function(density, other, kind, depth) return -depth * (1 + 0.2 * kind) * math.sqrt(density) + other ^ 2 * density end,
      potential = function(distance, overlap, width) return width * window(distance) * math.exp(-2 * distance) + 0.1 * window(0.1 - overlap) end }
    %s ]], more or "", tail)
end

describe("an energy of sums", function()
  it("exerts minus its gradient", function()
    local worst, greatest, sum = support.run(cloud("", [[
      sim:run { steps = 1 }
      local worst, greatest, sum = 0, 0, { fx = 0, fy = 0, fz = 0 }
      local force = {}
      for _, axis in ipairs { "x", "y", "z" } do
        for id = 1, sim.count do
          local f = sim["f" .. axis][id]
          force[axis .. id], sum["f" .. axis] = f, sum["f" .. axis] + f
          greatest = math.max(greatest, math.abs(f))
        end
      end
      for id = 1, sim.count, 7 do
        for _, axis in ipairs { "x", "y", "z" } do
          local column, step = sim[axis], 2e-3
          local at, energy = column[id], {}
          for n = -3, 3 do column[id] = at + n * step energy[n] = law.energy end
          column[id] = at
          -- sixth order
          local slope = (45 * (energy[1] - energy[-1]) - 9 * (energy[2] - energy[-2]) + energy[3] - energy[-3]) / (60 * step)
          worst = math.max(worst, math.abs(force[axis .. id] + slope))
        end
      end
      return worst, greatest, math.abs(sum.fx) + math.abs(sum.fy) + math.abs(sum.fz) ]]))
    assert.is_true(greatest > 1, "there are forces: " .. greatest)
    assert.is_true(worst < 1e-8 * greatest, "differs by " .. worst .. " of " .. greatest)
    assert.is_true(sum < 1e-11, "momentum is kept: " .. sum)
  end)

  it("keeps the energy of a run, and is counted in that of the simulation", function()
    local drift, exchanged, own = support.run(cloud("", [[
      sim.time_step = 2e-4
      local before, kinetic = sim:measure "total_energy", sim:measure "kinetic_energy"
      local worst = 0
      for _ = 1, 10 do
        sim:run { steps = 100 }
        worst = math.max(worst, math.abs(sim:measure "total_energy" - before))
      end
      return worst, math.abs(sim:measure "kinetic_energy" - kinetic), math.abs(law.energy - sim:measure "law_energy") ]]))
    assert.is_true(exchanged > 1, "energy is exchanged: " .. exchanged)
    assert.is_true(drift < 1e-5 * exchanged, "drifts by " .. drift .. " of " .. exchanged)
    assert.is_true(own < 1e-12)
  end)

  it("gives the same bits on 1, 2 and 3 threads, and after a resume", function()
    local tail = "sim:run { steps = 60 } return sim:hash(), law.energy"
    local first, energy = support.run(cloud(", threads = 1", tail))
    for threads = 2, 3 do
      local hash, again = support.run(cloud(", threads = " .. threads, tail))
      assert.are.equal(first, hash)
      assert.are.equal(energy, again)
    end
    local folder = support.folder()
    local path = folder .. "/run.state"
    assert.are.equal(first, (support.run(cloud(", threads = 2", string.format("sim:checkpoint { path = %q, every = 50 } ", path) .. tail))))
    local hash, again = support.resume(path)
    assert.are.equal(first, hash)
    assert.are.equal(energy, again)
    support.remove(folder)
  end)

  it("is that of many threads: a block of pairs' sums does not hold all", function()
    local function run(threads)
      return support.run(string.format([[
        local floc = require "floc"
        local sim = floc.simulation { time_step = 1e-3, threads = %d, seed = 5,
          scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
        sim:add_particles { count = 9000, radius = 0.05, mass = 1, placement = "lattice", spacing = 0.3, velocity_spread = 1,
          region = floc.box { lower = { 0, 0 }, upper = { 30, 30 } } }
        local law = sim:add_many_body { range = 0.5, sums = { near = function(distance) return math.max(0, 0.6 - distance) ^ 3 end },
          energy = function(near) return 50 * near ^ 2 end }
        sim:run { steps = 20 }
        return sim:hash(), law.energy ]], threads))
    end
    local first, energy = run(1)
    assert.is_true(energy > 0)
    for threads = 2, 3 do
      local hash, again = run(threads)
      assert.are.equal(first, hash)
      assert.are.equal(energy, again)
    end
  end)

  it("acts in the projection as well", function()
    local kinetic, drift = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-4, scheme = floc.inelastic() }
      sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 1 }
      sim:add_particle { position = { 1, 0 }, radius = 0.1, mass = 3 }
      sim:add_many_body { range = 2, sums = { far = function(distance) return distance end }, energy = function(far) return far ^ 2 end }
      local before = sim:measure "total_energy"
      sim:run { steps = 1000 }
      return sim:measure "kinetic_energy", sim:measure "total_energy" - before ]]
    assert.is_true(kinetic > 0.05)
    assert.is_true(math.abs(drift) < 2e-3 * kinetic, "the error of a first-order step: " .. drift / kinetic)
  end)

  it("leaves a particle without neighbours alone, where the slope is infinite", function()
    local force, energy = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.discrete_element { contact = "none" } }
      sim:add_particle { position = { 0, 0 }, radius = 0.1 }
      sim:add_particle { position = { 9, 0 }, radius = 0.1 }
      local law = sim:add_many_body { range = 1, sums = { near = function(distance) return 1 / distance end },
        energy = function(near) return -math.sqrt(near) end }
      sim:run { steps = 2 }
      return math.abs(sim.fx[1]) + math.abs(sim.fx[2]), law.energy ]]
    assert.are.equal(0, force)
    assert.are.equal(0, energy)
  end)

  it("follows its parameters and what the script changes", function()
    local first, by_parameter, by_variable = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-6, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      sim:add_particle { position = { 0, 0 }, radius = 0.1 }
      sim:add_particle { position = { 2, 0 }, radius = 0.1 }
      local factor = 1
      local law = sim:add_many_body { range = 5, parameters = { power = 2 }, sums = { far = function(distance) return factor * distance end },
        energy = function(far, power) return power * far end, potential = function(distance, power) return power * distance end }
      local function force()
        sim:run { steps = 1 }
        return sim.fx[1]
      end
      local first = force()
      law.power = 6
      assert(law.power == 6)
      local by_parameter = force()
      factor = 3
      local found = sim:law_pairs(law)
      assert(math.abs(found.normal[1] + 18) < 1e-9 and math.abs(found.energy[1] - 12) < 1e-3)
      local text = sim:explain(law)
      assert(text:find("sum_i_far", 1, true) and text:find("sum_far_slope", 1, true) and text:find("normal = ", 1, true))
      return first, by_parameter, force() ]]
    assert.is_true(math.abs(first - 6) < 1e-9, "2 slopes of 2 and 2 of the potential: " .. first)
    assert.is_true(math.abs(by_parameter - 18) < 1e-9, by_parameter)
    assert.is_true(math.abs(by_variable - 42) < 1e-9, by_variable)
  end)
end)

describe("what is wrong with an energy of sums", function()
  local function failure(before, fields, after)
    return support.failure(string.format([[
local floc = require "floc"
local sim = floc.simulation { time_step = 1e-3, scheme = floc.discrete_element { contact = "none" } }
sim:add_attribute("charge", 1)
%s
local phi, F = function(distance) return 1 - distance end, function(rho) return rho ^ 2 end
sim:add_many_body { %s }
%s
sim:add_particles { count = 10, radius = 0.1, region = floc.box { lower = { 0, 0 }, upper = { 3, 3 } } }
sim:run { steps = 1 } ]], before, fields, after or ""))
  end

  it("is said with line and names", function()
    for _, case in ipairs {
      { "range = 1, energy = F, sums = {}", "script.lua:6: add_many_body: sums is empty" },
      { "energy = F, sums = { rho = phi }", "range is missing" },
      { "range = 1, energy = F, sums = { charge = phi }", "sums.charge: there is charge already; the sum needs a new name" },
      { "range = 1, energy = F, sums = { run = phi }", "sums.run: there is run already" },
      { "range = 1, energy = F, sums = { rho = 3 }", "sums.rho is 3; it must be a function of a pair" },
      { "range = 1, energy = F, sums = { rho = phi, eta = phi }", "energy does not take eta, so sums.eta would have no effect" },
      { "range = 1, energy = function(rhe) return rhe end, sums = { rho = phi }", "energy: there is no input rhe; did you mean rho" },
      { "range = 1, energy = function(rho, x) return rho * x end, sums = { rho = phi }",
        "energy takes x; an energy may not, because its force would not be the whole derivative; it may take" },
      { "range = 1, energy = function(rho, normal_random) return rho * normal_random end, sums = { rho = phi }", "energy takes normal_random; an energy may not" },
      { "range = 1, energy = F, sums = { rho = function(distance, normal_x) return distance * normal_x end }", "sums.rho takes normal_x; an energy may not" },
      { "range = 1, energy = F, sums = { rho = function(distance, rho_i) return distance * rho_i end }", "sums.rho: there is no input rho_i" },
      { "range = 1, energy = F, sums = { rho = phi }, potential = function(distance, vx_i) return vx_i end", "potential takes vx_i; an energy may not" },
      { "range = 1, energy = F, sums = { rho = phi }, parameters = { k = 1 }", "parameters.k is given, and no function takes it" },
      { "range = 1, energy = F, sums = { rho = function(distance) return distance, 1, 2 end }", "it returns more than 2 values" },
      { "range = 1, energy = F, sums = { rho = function(distance) end }", "it returns nothing" },
      { "range = 1, energy = function(rho) return rho, 1 end, sums = { rho = phi }", "the law returns 2 values; it must return 1" },
      { "range = 1, energy = function(rho) return rho + math.random() end, sums = { rho = phi }",
        "energy cannot be traced, and only a traced one can be differentiated" },
    } do
      local message = failure("", case[1])
      assert.is_truthy(message:find(case[2], 1, true), message)
      assert.is_truthy(message:find("script.lua:6: ", 1, true), message)
    end
  end)

  it("refuses sums of other laws in energies of which only one derivative is taken", function()
    local sum = [[sim:add_force { name = "charges", range = 1, returns = { "sum_charge" }, law = function(distance) return distance end }]]
    local fields = "range = 1, energy = function(rho, charge) return rho * charge end, sums = { rho = phi }"
    local words = [[takes charge, which the law "charges" of add_force at script.lua:%d sums over neighbours]]
    local before, after = failure(sum, fields), failure("", fields, sum)
    assert.is_truthy(before:find("script.lua:6: add_many_body: ", 1, true) and before:find(words:format(4), 1, true), before)
    assert.is_truthy(after:find("script.lua:7: add_force: ", 1, true) and after:find(words:format(7), 1, true), after)
    local reader = "sim:add_force { range = 1, potential = function(distance, rho_i) return distance * rho_i end }"
    local message = failure("", "range = 1, energy = F, sums = { rho = phi }", reader)
    assert.is_truthy(message:find("takes rho_i, which the law of add_many_body", 1, true), message)
    local writer = [[sim:add_field { returns = { "sum_rho" }, law = function(mass) return mass end }]]
    message = failure("", "range = 1, energy = F, sums = { rho = phi }", writer)
    assert.is_truthy(message:find("adds to rho, which is a sum of the law of add_many_body", 1, true), message)
  end)

  it("refuses a sum that is read and not written, and a cycle", function()
    local message = support.failure [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.discrete_element { contact = "none" } }
      sim:add_attribute("rho", 1)
      sim:add_particles { count = 2, radius = 0.1, region = floc.box { lower = { 0, 0 }, upper = { 3, 3 } } }
      sim:add_field { name = "reader", returns = { "energy" }, law = function(sum_rho) return sum_rho end }
      sim:run { steps = 1 } ]]
    assert.is_truthy(message:find("reader reads sum_rho, which no law writes", 1, true), message)
    message = failure("", "range = 1, energy = F, sums = { rho = phi }", [[
      sim:add_attribute("a", 0)
      sim:add_field { name = "one", returns = { "sum_a" }, law = function(charge) return charge end }
      sim:add_field { name = "two", returns = { "sum_charge" }, law = function(a) return a end }]])
    assert.is_truthy(message:find("the sums of laws depend on each other in a cycle", 1, true), message)
  end)
end)
