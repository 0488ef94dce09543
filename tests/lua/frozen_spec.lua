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
    for _, scheme in ipairs { "floc.inelastic()", "floc.gluey {}" } do
      local message = support.failure(start(scheme) .. "sim:add_particle { position = { 0, 0 }, radius = 1, attributes = { frozen = 2 } }\nsim:run { steps = 1 }")
      assert.is_truthy(message:find("particle 1 is frozen (its attribute frozen is 2), which is not supported under the scheme", 1, true), message)
      assert.is_truthy(message:find("; discrete_element does it", 1, true), message)
    end
  end)
end)
