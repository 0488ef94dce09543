-- The account of energy: it closes in both kinds of schemes with everything that can act, its entries have closed forms
-- where there are any, and it changes no bit of a run. Resuming and threads change no bit of it.

local once = require "once"
local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end

local parts = { "gravity", "laws", "fields", "near_field", "drag", "contacts", "damping", "friction", "rolling", "bonds", "flow", "rays", "walls", "cell", "outside", "loads", "joints",
  "motors", "springs" }

-- A heap that collapses on a floor that shakes; OPTIONS of the scheme, MORE before the run.
local flat = [[
  local sim = floc.simulation { time_step = 5e-5, gravity = { 0, -10 }, LEDGER
    scheme = floc.discrete_element { friction = "spring", friction_stiffness = 5e4, friction_damping = 2, friction_static = 0.5,
      friction_dynamic = 0.4, rotation = true, integrator = "velocity_verlet", OPTIONS } }
  sim:add_body { shape = floc.plane { point = { 0, 0 }, normal = { 0, 1 } }, velocity = function(t) return 0.3 * math.sin(20 * t), 0.2 * math.cos(30 * t) end }
  sim:add_particles { count = 64, radius = { 0.04, 0.06 }, region = floc.box { lower = { 0, 0.1 }, upper = { 0.6, 3 } }, placement = "lattice", spacing = 0.13 }
  MORE
  sim:run { steps = STEPS }
  local energy = sim:energy_ledger() ]]

local function fill(script, given)
  return (script:gsub("%u%u%u%u+", function(word) return given[word] end))
end

local function closes(energy, tolerance, name)
  local sum = energy.kinetic - energy.start
  for _, part in ipairs(parts) do sum = sum - energy[part] end
  assert.is_true(energy.turnover > 0.1 and energy.kinetic > 1e-3, name .. " " .. energy.turnover)
  assert.is_true(math.abs(sum) <= tolerance * energy.turnover, string.format("%s: %g of %g", name, sum, energy.turnover))
  assert.near(sum, energy.residual, 1e-14 * energy.turnover)
end

local plain = 'contact = "hooke", stiffness = 5e4, damping = 20'
local elements = {
  { "a frictional collapse", plain, acts = { "gravity", "contacts", "damping", "friction", "walls" } },
  { "rolling resistance", plain .. ", rolling_friction = 0.02, rolling_stiffness = 1e3, rolling_damping = 1", acts = { "rolling" } },
  { "Hertz", 'contact = "hertz", young_modulus = 1e6, poisson_ratio = 0.3, damping = 100', acts = { "contacts", "damping", "friction" } },
  { "bonds that form", plain .. ', bonds = "persistent", bond_formation = 1e-4, bond_stiffness = 1e7, bond_breaking = 0.05, bond_tangential_stiffness = 1e4', acts = { "bonds" } },
  { "drag and a near field", plain .. ", viscosity = 0.02, attraction = 1e-4, attraction_exponent = 1, near_field_range = 0.5, repulsion = 0", acts = { "drag", "near_field" } },
  { "a magnetic and an electric field", plain .. ", electric_field = function(x, y) return y, x, 0 end, magnetic_field = function() return 0, 0, 2 end",
    more = 'sim:add_attribute("charge", 0.01)', acts = { "fields" } },
  { "laws with torques, flow and noise", plain, acts = { "laws", "flow" },
    more = [[sim:add_force { range = 0.1, law = function(distance) return 0.1 * (distance - 0.2) end }
      sim:add_field { law = function(x, y) return -x, 0, 0.1 * y end, returns = { "force_x", "force_y", "torque_z" } }
      sim:add_flow { flow = "shear", rate = 2, relaxation_time = 0.5 } sim:add_noise { sigma = 0.01 }]] },
  { "rays", plain, acts = { "rays" }, more = [[sim:set_media { sound_speed = { 300, 300 }, density = { 2, 2 } }
    sim:add_ray_source(floc.plane_wave { direction = { 1, 0 }, rays = 200, power = 1000, duration = 0.05, radius = 2 })]] },
  { "particles that come, go, and are written", plain, acts = { "outside" }, more = [[sim:every(300, function() sim.vx[sim:ids()[5] ] = 1 end)
    sim:every(1000, function() sim:remove_particle(sim:ids()[1]) sim:add_particle { position = { 0, 8 + sim.time }, radius = 0.05, velocity = { 0, -1 } } end)]] },
}

describe("the account of energy of discrete elements", function()
  for _, scene in ipairs(elements) do
    it("closes to 1e-10: " .. scene[1], function()
      local script = { OPTIONS = scene[2], MORE = scene.more or "", STEPS = "6000", LEDGER = "energy_ledger = true, threads = 2," }
      local energy, hash = run(fill(flat, script) .. "return energy, sim:hash()")
      closes(energy, 1e-11, scene[1])
      for _, part in ipairs(scene.acts) do
        assert.is_true(math.abs(energy[part]) > 1e-6 * energy.turnover, part .. " " .. energy[part])
      end
      assert.is_true(energy.friction < 0 and energy.damping <= 0 and energy.rolling <= 0 and energy.drag <= 0)
      if not once then return end
      script.LEDGER = "threads = 1,"
      local without = run((fill(flat, script):gsub("local energy = .*", "")) .. "return sim:hash()")
      assert.are.equal(hash, without)
      script.LEDGER = "energy_ledger = true, threads = 1,"
      assert.are.same(energy, run(fill(flat, script) .. "return energy"))
    end)
  end

  it("closes in space, in a periodic box whose storage is sorted", function()
    local energy = run [[
      local sim = floc.simulation { dimension = 3, time_step = 1e-4, gravity = { 0, 0, -10 }, energy_ledger = true, boundary = { "periodic", "periodic", "wall" },
        domain = floc.box { lower = { 0, 0, 0 }, upper = { 1, 1, 3 } },
        scheme = floc.discrete_element { contact = "hooke", stiffness = 2e4, damping = 5, friction = "spring", friction_stiffness = 1e4, friction_static = 0.4,
          friction_dynamic = 0.4, rotation = true, integrator = "velocity_verlet" } }
      sim:add_particles { count = 1200, radius = 0.04, region = floc.box { lower = { 0, 0, 0.1 }, upper = { 1, 1, 2.9 } }, temperature = 1 }
      for _ = 1, 4 do sim:run { steps = 500 } end
      return sim:energy_ledger() ]]
    closes(energy, 1e-11, "space")
    assert.are.equal(2000, energy.steps)
  end)

  -- What elastic forces did is what is stored, up to the error of the integrator, which falls with the square of the step.
  it("agrees with what contacts store, to the order of the integrator", function()
    local function errors(steps)
      return run((([[
        local sim = floc.simulation { time_step = 0.08 / STEPS, energy_ledger = true,
          scheme = floc.discrete_element { contact = "hooke", stiffness = 1e3, integrator = "velocity_verlet" } }
        sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1, velocity = { 1, 0 } }
        sim:add_particle { position = { 1.01, 0 }, radius = 0.5, mass = 1 }
        sim:run { steps = STEPS * 0.5 }
        local energy, stored = sim:energy_ledger(), sim:measure "contact_energy"
        return energy.contacts + stored, stored, energy.residual]]):gsub("STEPS", steps)))
    end
    local coarse, stored, residual = errors(400)
    local fine = errors(1600)
    assert.is_true(stored > 0.1, stored)
    assert.near(16, coarse / fine, 2)
    assert.is_true(math.abs(residual) < 1e-14)
  end)

  it("is resumed bit for bit", function()
    local folder = support.folder()
    local script = 'local floc = require "floc"\n' .. fill(flat, { OPTIONS = plain .. ', rolling_friction = 0.02, rolling_stiffness = 1e3',
      STEPS = "900", LEDGER = "energy_ledger = true,", MORE = string.format("sim:checkpoint { path = %q, every = 250, keep = 4 }", folder .. "/run.floc") })
      .. " return energy"
    local energy = support.run(script)
    for k = 0, 2 do assert.are.same(energy, (support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or "")))) end
    support.remove(folder)
  end)
end)

-- The same collapse by impulses.
local falling = [[
  local sim = floc.simulation { time_step = 2e-3, dimension = DIMENSION, gravity = GRAVITY, energy_ledger = true, threads = THREADS, scheme = SCHEME }
  local plane = DIMENSION == 2
  local function vector(x, y) if plane then return x, y end return x, 0, y end
  sim:add_body { shape = floc.plane { point = { vector(0, 0) }, normal = { vector(0, 1) } },
    velocity = function(t) return vector(0.3 * math.sin(20 * t), 0.2 * math.cos(30 * t)) end }
  sim:add_particles { count = 100, radius = { 0.04, 0.06 }, placement = "lattice", spacing = 0.13,
    region = floc.box { lower = plane and { 0, 0.1 } or { 0, 0, 0.1 }, upper = plane and { 0.6, 8 } or { 0.4, 0.4, 8 } } }
  sim:add_field { law = function(x) return vector(-x, 0) end }
  MORE
  sim:run { steps = 400 }
  return sim:energy_ledger() ]]

local projections = {
  ["floc.inelastic()"] = { "gravity", "laws", "contacts", "walls" },
  ["floc.inelastic { friction = 0.4 }"] = { "friction" },
  ["floc.inelastic { friction = 0.4, rolling = 0.005, restitution = 0.3 }"] = { "rolling" },
  ["floc.gluey { gamma_min = -0.01, rotation = true }"] = { "contacts" },
}

describe("the account of energy of projections", function()
  for scheme, acts in pairs(projections) do
    for dimension = 2, 3 do
      it("closes to 1e-12: " .. scheme .. " in " .. dimension .. " dimensions", function()
        local given = { DIMENSION = dimension, GRAVITY = dimension == 2 and "{ 0, -10 }" or "{ 0, 0, -10 }", SCHEME = scheme, THREADS = 1, MORE = "" }
        local energy = run(fill(falling, given))
        closes(energy, 1e-12, scheme)
        for _, part in ipairs(acts) do assert.is_true(math.abs(energy[part]) > 1e-6 * energy.turnover, part .. " " .. energy[part]) end
        assert.is_true(energy.contacts < 0 and energy.friction <= 0 and energy.rolling <= 0)
        given.THREADS = 2
        assert.are.same(energy, run(fill(falling, given)))
        given.MORE = string.format("sim:add_flow { flow = 'uniform', velocity = { 3, 0%s }, relaxation_time = 0.2 } sim:add_noise { sigma = 0.01 }",
          dimension == 3 and ", 0" or "")
        energy = run(fill(falling, given))
        closes(energy, 1e-12, scheme .. " in a flow")
        assert.is_true(math.abs(energy.flow) > 1e-3)
      end)
    end
  end

  -- Lifted by a floor: what gravity takes the floor gives. Stopped by one: what it had is lost.
  it("has closed forms for a lift and a fall", function()
    local lift, fall, rebound = run [[
      local function one(velocity, restitution, start)
        local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 }, energy_ledger = true, scheme = floc.inelastic { restitution = restitution } }
        sim:add_body { shape = floc.plane { normal = { 0, 1 } }, velocity = { 0, velocity } }
        sim:add_particle { position = { 0, 0.1 + start }, radius = 0.1, mass = 2, velocity = { 0, velocity } }
        sim:run { steps = 100 }
        return sim:energy_ledger()
      end
      return one(0.5, 0, 0), one(0, 0, 0.3), one(0, 0.5, 0.3) ]]
    assert.near(2 * 10 * 0.5, lift.walls, 1e-9)
    assert.near(-2 * 10 * 0.5, lift.gravity, 1e-9)
    assert.near(0, lift.contacts, 1e-9)
    assert.near(2 * 10 * 0.3, fall.gravity, 1e-3)
    assert.near(-fall.gravity, fall.contacts, 1e-9)
    assert.are.equal(0, fall.walls)
    assert.is_true(rebound.contacts < 0 and rebound.contacts > fall.contacts - 0.1)
  end)

  -- A motor turns an arm among blocks and discs in a box that moves; a spring links two blocks, damping and loads act on all.
  local machine = [[
    local sim = floc.simulation { time_step = 5e-3, dimension = 2, gravity = { 0, -10 }, seed = 3, energy_ledger = true, threads = %d,
      scheme = floc.inelastic { friction = 0.3, passes = %d } }
    local arm = sim:add_body { shape = floc.box { lower = { -0.2, -1 }, upper = { 0.2, 1 } }, free = "all", density = 1 }
    sim:add_joint { kind = "hinge", body = arm, anchor = { 0, 0 }, motor = { velocity = 3, torque = 200 } }
    local block = {}
    for k = 1, 4 do
      block[k] = sim:add_body { shape = floc.box { lower = { -0.3, -0.2 }, upper = { 0.3, 0.2 } }, position = { -1.5 + 0.7 * k, 1.6 + 0.5 * k }, free = "all", density = 1,
        damping = 0.3, load = { force = { 0.2, 0.1 }, torque = 0.05 } }
    end
    sim:add_joint { kind = "distance", bodies = { block[1], block[2] }, anchors = { { -0.8, 2.1 }, { -0.1, 2.6 } }, stiffness = 30, damping = 0.2 }
    sim:add_body { shape = floc.container { width = 4, height = 6 }, position = { 0, -1.5 }, velocity = { 0.2, 0.2 } }
    sim:add_particles { count = 20, radius = { 0.1, 0.15 }, density = 1, region = floc.box { lower = { -1.8, 3 }, upper = { 1.8, 4.4 } } }
    %s
    sim:run { steps = 200 }
    return sim:energy_ledger() ]]

  it("closes to 1e-12 with free bodies and joints, is resumed bit for bit, and is the same on any threads", function()
    for passes = 1, 2 do
      local folder = support.folder()
      local energy = run(machine:format(1, passes, string.format("sim:checkpoint { path = %q, every = 50, keep = 2 }", folder .. "/run.floc")))
      assert.is_true(math.abs(energy.residual) < 1e-12 * energy.turnover, energy.residual)
      for _, part in ipairs { "gravity", "contacts", "friction", "walls", "loads", "motors", "springs", "drag" } do
        assert.is_true(math.abs(energy[part]) > 1e-7 * energy.turnover, part)
      end
      assert.is_true(math.abs(energy.joints) < 1e-12 * energy.turnover, energy.joints) -- a hinge on the world does no work
      assert.are.same(energy, (support.resume(folder .. "/run.floc.1")))
      assert.are.same(energy, (run(machine:format(3, passes, ""))))
      support.remove(folder)
    end
  end)

  it("has closed forms for a load, a motor and a spring", function()
    local pulled, turned, swung = run [[
      local function one(more)
        local sim = floc.simulation { time_step = 0.01, dimension = 2, energy_ledger = true, scheme = floc.inelastic {} }
        more.shape, more.free, more.mass = floc.circle { radius = 0.5 }, "all", 2
        return sim, sim:add_body(more)
      end
      local sim, body = one { load = { force = { 3, 0 } } }
      sim:run { steps = 100 }
      local pulled = sim:energy_ledger()
      sim, body = one {}
      sim:add_joint { kind = "hinge", body = body, anchor = { 0, 0 }, motor = { velocity = 1e6, torque = 0.7 } }
      sim:run { steps = 100 }
      local turned, inertia = sim:energy_ledger(), body.inertia
      turned.expected = 0.7 ^ 2 / (2 * inertia)
      sim, body = one { position = { 1.2, 0 } }
      sim:add_joint { kind = "distance", body = body, anchors = { { 0, 0 }, { 1.2, 0 } }, rest = 1, stiffness = 5 }
      local most = 0
      for _ = 1, 400 do
        sim:run { steps = 1 }
        most = math.max(most, sim:energy_ledger().springs)
      end
      local swung = sim:energy_ledger()
      swung.most = most
      return pulled, turned, swung ]]
    assert.near(3 ^ 2 / (2 * 2), pulled.loads, 1e-9) -- (F t)^2/(2 M)
    assert.near(turned.expected, turned.motors, 1e-6)
    assert.near(0.5 * 5 * 0.2 ^ 2, swung.most, 1e-3) -- what the spring had
    for _, energy in ipairs { pulled, turned, swung } do assert.is_true(math.abs(energy.residual) < 1e-12 * energy.turnover) end
  end)

  it("tells what a script writes and how columns changed from what acts", function()
    local energy = run [[
      local sim = floc.simulation { time_step = 0.01, energy_ledger = true }
      for k = 1, 3 do sim:add_particle { position = { k, 0 }, radius = 0.1, mass = 2 } end
      sim:run { steps = 5 }
      sim.vx[1] = -3
      sim:run { steps = 5 }
      sim.vx[2] = 1
      sim:remove_particle(1)
      return sim:energy_ledger() ]]
    assert.are.equal(1, energy.outside)
    assert.are.equal(1, energy.kinetic)
    assert.are.equal(0, energy.residual)
  end)
end)

describe("the account of energy", function()
  it("is refused by name where a scheme does not know its parts", function()
    for scheme, wanted in pairs {
      ["floc.discrete_element {}"] = "energy_ledger is not supported under the scheme discrete_element by the trapezoidal rule",
      ["floc.ballistic {}"] = "energy_ledger is not supported under the scheme ballistic; inelastic, gluey and discrete_element do it",
      ["floc.event_driven {}"] = "energy_ledger is not supported under the scheme event_driven; inelastic, gluey",
      ["floc.first_order { velocity = function() return 1, 0 end }"] = "energy_ledger is not supported under the scheme first_order; inelastic",
    } do
      local message = support.failure('local floc = require "floc"\nlocal sim = floc.simulation { time_step = 1, energy_ledger = true, scheme = ' .. scheme .. " }")
      assert.is_truthy(message:find("script.lua:2: simulation: " .. wanted, 1, true), message)
    end
    local message = support.failure [[local sim = require("floc").simulation { time_step = 1 } sim:energy_ledger()]]
    assert.is_truthy(message:find("script.lua:1: energy_ledger: this world keeps no account of energy", 1, true), message)
    message = support.failure [[local floc = require "floc"
      local sim = floc.simulation { time_step = 1, energy_ledger = true }
      for k = 1, 2 do sim:add_particle { position = { k, 0 }, radius = 0.1 } end
      sim:add_assembly { particles = { 1, 2 } }
      sim:run { steps = 1 }]]
    assert.is_truthy(message:find("energy_ledger is not supported with rigid assemblies, of which there are 1", 1, true), message)
    for where, given in pairs { ["in space"] = "3, scheme = floc.inelastic {}",
      ["under this scheme"] = '2, scheme = floc.discrete_element { integrator = "velocity_verlet" }' } do
      message = support.failure('local floc = require "floc" local sim = floc.simulation { time_step = 1e-3, energy_ledger = true, dimension = ' .. given
        .. [[ } sim:add_body { shape = floc.sphere { radius = 1 }, free = "all", mass = 1 } sim:run { steps = 1 } ]])
      assert.is_truthy(message:find("energy_ledger is not supported with free bodies, of which there are 1, " .. where, 1, true), message)
    end
  end)
end)
