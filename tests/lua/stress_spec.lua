-- Stress, pressure, temperature, fabric and the balance of forces: against closed forms of piles at rest, the force on walls,
-- derivatives of energies with respect to the box, LAMMPS's pressure of a liquid; and what has none is refused.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end

-- Two grains on the floor, each at its side wall, and one on top between them. A column of width L: the upper one's weight goes down
-- at the angle whose cosine is (L/2 - r)/(2 r). Spheres stand in the same plane.
local pile = [[
  local r, L, mass, g = 0.5, 2.2, 3, 10
  local dimension, start = DIMENSION, math.sqrt(4 * r * r - (L / 2 - r) ^ 2)
  local function vector(x, y) return dimension == 2 and { x, y } or { x, y, 0 } end
  local sim = floc.simulation { dimension = dimension, time_step = STEP, gravity = vector(0, -g), scheme = SCHEME }
  local walls = {}
  for k, wall in ipairs { { 0, 0, 1, 0 }, { L, 0, -1, 0 }, { 0, 0, 0, 1 } } do
    walls[k] = sim:add_body { shape = floc.plane { point = vector(wall[1], wall[2]), normal = vector(wall[3], wall[4]) } }
  end
  sim:add_particle { position = vector(r, r), radius = r, mass = mass }
  sim:add_particle { position = vector(L - r, r), radius = r, mass = mass }
  sim:add_particle { position = vector(L / 2, r + start), radius = r, mass = mass }
]]

local schemes = {
  projection = { scheme = "floc.inelastic { tolerance = 1e-13 }", step = "0.01", steps = 50 },
  ["discrete elements"] = { scheme = "floc.discrete_element { contact = 'hooke', stiffness = 1e5, damping = 300, integrator = 'velocity_verlet' }", step = "5e-4", steps = 20000 },
}

describe("the stress of grains at rest", function()
  for name, one in pairs(schemes) do
    for dimension = 2, 3 do
      it(("times the area of a wall is the force on it: %s, %d-D"):format(name, dimension), function()
        local script = pile:gsub("DIMENSION", dimension):gsub("STEP", one.step):gsub("SCHEME", one.scheme)
        local force, found, more = run(script .. ([[
          sim:run { steps = %d }
          local side = -walls[1].force[1]
          local found = sim:stress { volume = L * 2 }
          return { side, walls[2].force[1], -walls[3].force[2] }, found,
            { sim:measure "unbalanced_force_ratio", sim:measure "stress_xx" / sim:stress().tensor[1][1], sim:measure "fabric_yy",
              position = { sim.x[1], sim.y[1], sim.x[3], sim.y[3] } } ]]):format(one.steps))
        local position = more.position
        -- the wall's area is the volume over the width, 2; forces come in at x = 0 and at x = L
        assert.near(1, found.tensor[1][1] * 2 / force[1], 1e-10)
        assert.near(1, force[2] / force[1], 1e-10)
        assert.near(1, force[3] / (3 * 3 * 10), 1e-9)
        -- what the geometry says: half of the upper one's weight over the tangent
        local tangent = (position[4] - position[2]) / (position[3] - position[1])
        assert.near(0.5 * 3 * 10 / tangent, force[1], 1e-8)
        -- and along y: F_y l_y of the two pairs, and of the two on the floor
        local height = position[4] - position[2]
        assert.near((2 * 15 * height + 2 * 45 * position[2]) / 4.4, found.tensor[2][2], 1e-8)
        assert.near(found.pressure * dimension, found.tensor[1][1] + found.tensor[2][2], 1e-12)
        assert.near(0, more[1], 1e-9)
        assert.are.equal(6, found.contact_count)
        assert.near(4 / 3, found.coordination_number, 1e-14)
        assert.near(1 / (1 + tangent ^ 2), found.fabric[1][1], 1e-9)
        assert.near(tangent ^ 2 / (1 + tangent ^ 2), found.fabric[2][2], 1e-9)
        assert.near(0, found.fabric[1][2], 1e-9)
        assert.near(1, more[2], 1e-14)
        assert.near(found.fabric[2][2], more[3], 1e-14)
      end)
    end
  end

  -- V sigma = sum over walls of F x^T + sum over particles of (force on it) x^T, whatever moves.
  it("and of grains that move is the virial of forces on them and on walls, with friction and laws", function()
    local worst, size = run [[
      local sim = floc.simulation { time_step = 1e-3, domain = floc.box { lower = { 0, 0 }, upper = { 3, 3 } },
        scheme = floc.discrete_element { contact = 'hooke', stiffness = 1e4, damping = 3, integrator = 'velocity_verlet', friction = "spring", friction_static = 0.5,
          friction_dynamic = 0.5, friction_stiffness = 5e3, rotation = true } }
      local sides = { { 0, 0, 1, 0 }, { 3, 0, -1, 0 }, { 0, 0, 0, 1 }, { 0, 3, 0, -1 } }
      for _, w in ipairs(sides) do sim:add_body { shape = floc.plane { point = { w[1], w[2] }, normal = { w[3], w[4] } } } end
      sim:add_particles { count = 60, radius = { 0.08, 0.14 }, region = floc.box { lower = { 0.2, 0.2 }, upper = { 2.8, 2.8 } }, mass = 1 }
      sim:add_force { range = 0.2, law = function(overlap, tangential_velocity) return 20 * (overlap + 0.2), -tangential_velocity end, returns = { "normal", "tangential" } }
      sim:add_wall_force { range = 0.1, law = function(distance, radius) return 30 * (radius + 0.1 - distance) end }
      sim:add_attraction { kappa = 0.5, epsilon = 0.05 }
      local place = floc.random "velocities"
      for id = 1, 60 do sim.vx[id], sim.vy[id] = place:uniform(-3, 3), place:uniform(-3, 3) end
      sim:run { steps = 300 }
      local sum = { { 0, 0 }, { 0, 0 } }
      local x, f = { sim.x, sim.y }, { sim.fx, sim.fy }
      for a = 1, 2 do for b = 1, 2 do for id = 1, 60 do sum[a][b] = sum[a][b] + f[a][id] * x[b][id] end end end
      -- laws do not touch where contacts do not: wall forces from the law of the wall and from contacts
      local function on_wall(point, force) for a = 1, 2 do for b = 1, 2 do sum[a][b] = sum[a][b] + force[a] * point[b] end end end
      for _, c in ipairs(sim:contacts()) do
        if c.body then
          on_wall(c.point, { (c.impulse * c.normal[1] + c.friction[1]) / sim.time_step, (c.impulse * c.normal[2] + c.friction[2]) / sim.time_step })
        end
      end
      local touching = {}
      for _, c in ipairs(sim:contacts()) do if c.body then touching[c.id_i * 8 + c.body.number] = true end end
      for id = 1, 60 do
        for k, w in ipairs(sides) do
          local distance = (sim.x[id] - w[1]) * w[3] + (sim.y[id] - w[2]) * w[4]
          local gap = distance - sim.radius[id]
          if gap <= 0.1 and not touching[id * 8 + sim.bodies[k].number] then
            local force = 30 * (0.1 - gap)
            on_wall({ sim.x[id] - distance * w[3], sim.y[id] - distance * w[4] }, { -force * w[3], -force * w[4] })
          end
        end
      end
      local found, worst, size = sim:stress { volume = 1 }, 0, 0
      for a = 1, 2 do for b = 1, 2 do
        worst = math.max(worst, math.abs(found.contacts[a][b] + found.laws[a][b] - sum[a][b]))
        size = math.max(size, math.abs(sum[a][b]))
      end end
      return worst, size ]]
    assert.is_true(size > 10, size)
    assert.is_true(worst / size < 1e-12, worst / size)
  end)

  it("of a rigid assembly has branches from its centre, and nothing between its members", function()
    local found = run [[
      local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 }, scheme = floc.inelastic { tolerance = 1e-13 } }
      sim:add_body { shape = floc.plane { point = { 0, 0 }, normal = { 0, 1 } } }
      sim:add_particle { position = { 0, 0.5 }, radius = 0.5, mass = 2 }
      sim:add_particle { position = { 0, 1.5 }, radius = 0.5, mass = 2 }
      sim:add_force { range = 1, law = function() return 50 end }
      sim:add_assembly { particles = { 1, 2 } }
      sim:run { steps = 20 }
      return sim:stress { volume = 5 } ]]
    assert.near(4 * 10 * 1 / 5, found.tensor[2][2], 1e-9)
    assert.near(0, found.laws[2][2], 1e-12)
    assert.near(0, found.kinetic[2][2], 1e-12)
  end)
end)

-- -dU/d(strain) over the volume, by central differences of two worlds that are strained by +-e.
local strained = [[
  local dimension = DIMENSION
  local function vector(x, y, z) return dimension == 2 and { x, y } or { x, y, z } end
  local place, places = floc.random "places", {}
  for id = 1, 60 do places[id] = { place:uniform(0, 4), place:uniform(0, 4), place:uniform(0, 4) } end
  local function make(strain, row, column)
    local side = { 4, 4, 4 }
    if PERIODIC then side[row] = side[row] * (1 + strain) end
    local sim = floc.simulation { dimension = dimension, time_step = 1e-3, scheme = SCHEME, boundary = PERIODIC and "periodic" or "open",
      domain = PERIODIC and floc.box { lower = vector(0, 0, 0), upper = vector(side[1], side[2], side[3]) } or nil }
    for id = 1, 60 do
      local at = { places[id][1], places[id][2], places[id][3] }
      at[row] = at[row] + strain * at[column]
      sim:add_particle { position = vector(at[1], at[2], at[3]), radius = 0.01, mass = 1, allow_overlap = true }
    end
    ADD
    return sim
  end
  local worst, size, volume = 0, 0, 4 ^ dimension
  local found = make(0, 1, 1):stress { volume = volume }
  for row = 1, dimension do
    for column = 1, PERIODIC and 0 or dimension do
      local e = 1e-5
      local slope = (ENERGY(make(e, row, column)) - ENERGY(make(-e, row, column))) / (2 * e)
      worst = math.max(worst, math.abs(-slope / volume - found.laws[row][column]))
      size = math.max(size, math.abs(slope / volume))
    end
    if PERIODIC then
      local e = 1e-5
      local slope = (ENERGY(make(e, row, row)) - ENERGY(make(-e, row, row))) / (2 * e)
      worst = math.max(worst, math.abs(-slope / volume - found.laws[row][row]))
      size = math.max(size, math.abs(slope / volume))
    end
  end
  local trace = 0
  for row = 1, dimension do trace = trace + found.tensor[row][row] end
  return worst / size, size, trace / dimension - found.pressure ]]

local function strain_test(dimension, periodic, add, energy, scheme)
  local script = strained:gsub("DIMENSION", dimension):gsub("PERIODIC", tostring(periodic)):gsub("ADD", function() return add end)
    :gsub("ENERGY", function() return "(function(sim) return " .. energy .. " end)" end):gsub("SCHEME", function() return scheme end)
  local worst, size, difference = run(script)
  assert.is_true(size > 1e-3, size)
  assert.is_true(worst < 1e-7, worst)
  assert.near(0, difference, 1e-12 * size)
end

describe("the stress of laws is minus the derivative of their energy with respect to the strain", function()
  local smooth = "sim:add_force { range = 1.48, potential = function(distance) return 2 * (1 - distance / 1.5) ^ 4 + (1 - distance / 1.5) ^ 5 end }"
  local bonds = [[local law = sim:add_force { pairs = "bonds", potential = function(distance) return 3 * (distance - 1) ^ 2 end }
    local list = {} for id = 1, 59 do list[id] = { id, id + 1 } end sim:add_law_bonds { law = law, particles = list }]]
  for _, scheme in ipairs { "floc.discrete_element { contact = 'none', integrator = 'velocity_verlet' }", "floc.inelastic {}" } do
    for dimension = 2, 3 do
      local name = (": %d-D, %s"):format(dimension, scheme:match "floc%.(%a+)")
      it("in a periodic box" .. name, function() strain_test(dimension, true, smooth, 'sim:measure "law_energy"', scheme) end)
      it("sheared too, without a box" .. name, function() strain_test(dimension, false, smooth, 'sim:measure "law_energy"', scheme) end)
      it("over bonds that no list holds" .. name, function() strain_test(dimension, false, bonds, 'sim:measure "law_energy"', scheme) end)
      it("at any distance" .. name, function()
        strain_test(dimension, false, "sim:add_force { range = math.huge, potential = function(distance) return 1 / (distance + 1) end }", 'sim:measure "law_energy"', scheme)
      end)
      it("of attractions" .. name, function()
        strain_test(dimension, false, "sim:add_attraction { kappa = 2, epsilon = 0.3, range = 6 }", 'sim:measure "attraction_energy"', scheme)
      end)
    end
  end
end)

describe("temperature", function()
  it("is the mean square of velocities about their mean, with one particle's freedom less", function()
    local found = run [[
      local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { contact = "hooke", stiffness = 1e3, integrator = "velocity_verlet", rotation = true } }
      local place, sum, mass = floc.random "velocities", { 0, 0, 0 }, 0
      for id = 1, 40 do
        local m = place:uniform(1, 2)
        sim:add_particle { position = { 3 * id, 0, 0 }, radius = 0.5, mass = m, velocity = { place:uniform(-1, 1) + 5, place:uniform(-2, 2), place:uniform(-1, 1) } }
        sim.wx[id], sim.wz[id] = place:uniform(-1, 1), 2
        mass = mass + m
        sum = { sum[1] + m * sim.vx[id], sum[2] + m * sim.vy[id], sum[3] + m * sim.vz[id] }
      end
      local fluctuation, turning = 0, 0
      for id = 1, 40 do
        local m = sim.mass[id]
        fluctuation = fluctuation + m * ((sim.vx[id] - sum[1] / mass) ^ 2 + (sim.vy[id] - sum[2] / mass) ^ 2 + (sim.vz[id] - sum[3] / mass) ^ 2)
        turning = turning + 0.4 * m * 0.25 * (sim.wx[id] ^ 2 + 4)
      end
      return { sim:measure "temperature" - fluctuation / (3 * 39), sim:measure "granular_temperature" - fluctuation / (3 * mass),
        sim:measure "rotational_temperature" - turning / (3 * 40), sim:measure "pressure" * sim:stress().volume * 3 - fluctuation } ]]
    for k = 1, 4 do assert.near(0, found[k], 1e-12) end
  end)
end)

describe("the balance of forces", function()
  it("is the mean force that is left over the mean force of contacts", function()
    local found = run [[
      local found = {}
      for _, integrator in ipairs { "velocity_verlet", "trapezoidal" } do
        local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -3 }, scheme = floc.discrete_element { contact = "hooke", stiffness = 100, integrator = integrator } }
        sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1, allow_overlap = true }
        sim:add_particle { position = { 0.9, 0 }, radius = 0.5, mass = 2, allow_overlap = true }
        local contact = sim:contacts()[1].impulse / 1e-3
        found[#found + 1] = sim:measure "unbalanced_force_ratio" - (math.sqrt(contact ^ 2 + 9) + math.sqrt(contact ^ 2 + 36)) / 2 / contact
      end
      local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -3 } }
      sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1 }
      found[3] = sim:measure "unbalanced_force_ratio" == math.huge and 0 or 1
      return found ]]
    for k = 1, 3 do assert.near(0, found[k], 1e-12) end
  end)
end)

describe("what has no stress", function()
  local function fails(script, text)
    local message = support.failure('local floc = require "floc"\n' .. script)
    assert.is_truthy(message:find("script.lua:%d+: "), message)
    assert.is_truthy(message:find(text, 1, true), message)
    assert.is_falsy(message:find "(%w+): %1: ", message)
  end
  local begin = "local sim = floc.simulation { time_step = 1e-3, SCHEME }\nfor k = 1, 3 do sim:add_particle { position = { k, k % 2 }, radius = 0.2, mass = 1 } end\n"
  local function with(scheme) return (begin:gsub("SCHEME", function() return scheme end)) end

  it("is refused by name", function()
    local elements = "scheme = floc.discrete_element { contact = 'hooke', stiffness = 1e3 }"
    fails(with(elements) .. "sim:add_angle_force { name = 'bend', law = function(angle) return 4 end } sim:stress()", 'stress: the law of angles "bend"')
    fails(with(elements) .. 'sim:add_long_range { kind = "gravity", constant = 1 } sim:measure "pressure"', "pressure: long-range forces")
    fails(with "scheme = floc.discrete_element { contact = 'hooke', stiffness = 1e3, attraction = 1, attraction_exponent = 2 }" .. 'sim:measure "stress_xy"', "stress_xy: near fields")
    for _, scheme in ipairs { "ballistic", "event_driven" } do
      fails(with("scheme = floc." .. scheme .. " {}") .. 'sim:measure "fabric_xx"', "fabric_xx: contacts of the scheme " .. scheme)
      fails(with("scheme = floc." .. scheme .. " {}") .. 'sim:measure "unbalanced_force_ratio"', "the scheme " .. scheme)
    end
    fails(with "" .. "sim:run { steps = 2 } sim.time_step = 2e-3 sim:stress()", "time_step was changed since")
    fails(with "" .. "sim:add_noise { sigma = 1 } sim:measure 'unbalanced_force_ratio'", "unbalanced_force_ratio: with noise forces on particles are not known")
    fails(with "" .. "sim:measure 'rotational_temperature'", "rotational_temperature: particles do not rotate in the scheme inelastic")
    fails(with "" .. "sim:stress { volume = -1 }", "volume is -1; it must be a finite number at least 0")
    fails(with "" .. "sim:stress { area = 1 }", "area")
  end)

  it("of nothing is 0, and after another step the new time step counts", function()
    local empty, after = run [[
      local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -10 } }
      local empty = sim:stress()
      sim:add_body { shape = floc.plane { point = { 0, 0 }, normal = { 0, 1 } } }
      sim:add_particle { position = { 0, 0.5 }, radius = 0.5, mass = 2 }
      sim:run { steps = 3 }
      sim.time_step = 2e-3
      sim:run { steps = 2 }
      return { empty.pressure, empty.volume, empty.tensor[1][1], empty.fabric[2][2] }, sim:stress { volume = 4 }.tensor[2][2] ]]
    for k = 1, 4 do assert.are.equal(0, empty[k]) end
    assert.near(2 * 10 * 0.5 / 4, after, 1e-9)
  end)
end)
