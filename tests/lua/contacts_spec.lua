-- Contacts balance: what they exert on a particle is what changed its momentum, to the last digits, whatever the scheme;
-- a pile of three carries 30, 20 and 10 in every scheme and by every way out; a checkpoint gives the same numbers.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end

-- Momentum that the contacts gave to every particle: balance(sim, contacts) -> { [id] = { x, y, z } }
local helpers = [==[
  local dimension = DIMENSION
  local axes = { "x", "y", "z" }
  local function exchange(sim)
    local sum = {}
    for id = 1, sim.count do sum[id] = { 0, 0, 0 } end
    for _, contact in ipairs(sim:contacts()) do
      for a = 1, dimension do
        local push = contact.impulse * contact.normal[a] + contact.friction[a]
        sum[contact.id_i][a] = sum[contact.id_i][a] - push
        if contact.id_j then sum[contact.id_j][a] = sum[contact.id_j][a] + push end
      end
    end
    return sum
  end
  local function velocities(sim)
    local v = {}
    for id = 1, sim.count do
      v[id] = {}
      for a = 1, dimension do v[id][a] = sim["v" .. axes[a]][id] end
    end
    return v
  end ]==]

local function scene(dimension, scheme, more)
  local text = helpers .. [[
    local function vector(x, y, z) return dimension == 2 and { x, y } or { x, y, z } end
    local sim = floc.simulation { time_step = STEP, dimension = dimension, gravity = vector(0, -10, 0), scheme = SCHEME }
    sim:add_body { shapes = { floc.plane { point = vector(0, 0, 0), normal = vector(0, 1, 0) } } }
    local pusher = sim:add_body { shapes = { floc.plane { point = vector(-1.3, 0, 0), normal = vector(1, 0, 0) } },
      velocity = vector(0.7, 0, 0) }
    local wheel = sim:add_body { shapes = { (dimension == 2 and floc.circle or floc.sphere) { center = vector(0, 0, 0), radius = 0.4 } },
      position = vector(1.5, 0.3, 0.1), angular_velocity = dimension == 2 and -3 or { 0, 0, -3 } }
    local id = 0
    for layer = 0, 3 do
      for row = 0, dimension == 3 and 2 or 0 do
        for k = 0, 4 do
          local radius = 0.2 + 0.01 * ((k + 2 * layer) % 4)
          id = id + 1
          sim:add_particle { radius = radius, mass = 1 + 0.2 * (k % 3),
            position = vector(-1 + 0.47 * k + 0.1 * layer, 0.25 + 0.48 * layer + 0.01 * k, 0.5 * row + 0.07 * layer),
            velocity = vector(0.3 * (k % 2), -1, 0.1 * row) }
        end
      end
    end
    MORE ]]
  return (text:gsub("DIMENSION", dimension):gsub("SCHEME", scheme):gsub("MORE", more or ""))
end

describe("contacts of the projection", function()
  for _, dimension in ipairs { 2, 3 } do
    for name, scheme in pairs { frictional = "floc.inelastic { friction = 0.4 }", plain = "floc.inelastic {}",
      rebounding = "floc.inelastic { restitution = 0.5 }", gluey = "floc.gluey { gamma_min = -0.5 }" } do
      it(string.format("balance in a collapsing pile: %s, %d-D", name, dimension), function()
        local worst, loads = run(scene(dimension, scheme):gsub("STEP", "2e-3") .. [[
          local worst, loads = 0, 0
          for step = 1, 150 do
            local before = velocities(sim)
            sim:run { steps = 1 }
            local sum = exchange(sim)
            for id = 1, sim.count do
              local m = sim.mass[id]
              for a = 1, dimension do
                local gained = m * (sim["v" .. axes[a] ][id] - before[id][a]) - (a == 2 and -10 * m * sim.time_step or 0)
                local size = m * (math.abs(before[id][a]) + 1)
                worst = math.max(worst, math.abs(sum[id][a] - gained) / size)
                if sum[id][a] ~= 0 then loads = loads + 1 end
              end
            end
          end
          return worst, loads ]])
        assert.is_true(loads > 1000, loads)
        assert.is_true(worst < 1e-14, worst)
      end)
    end

    it(string.format("and bodies: force and torque are those of the contacts, %d-D", dimension), function()
      local worst = run(scene(dimension, "floc.inelastic { friction = 0.4 }"):gsub("STEP", "2e-3") .. [[
        local worst, loads = 0, 0
        for step = 1, 150 do
          sim:run { steps = 1 }
          local fx, fy, turn = 0, 0, 0
          for _, contact in ipairs(sim:contacts()) do
            if contact.body == wheel then
              local px = contact.impulse * contact.normal[1] + contact.friction[1]
              local py = contact.impulse * contact.normal[2] + contact.friction[2]
              fx, fy = fx + px / sim.time_step, fy + py / sim.time_step
              turn = turn + ((contact.point[1] - 1.5) * py - (contact.point[2] - 0.3) * px) / sim.time_step
            end
          end
          local torque = dimension == 2 and wheel.torque or wheel.torque[3]
          if fx ~= 0 then loads = loads + 1 end
          worst = math.max(worst, math.abs(fx - wheel.force[1]), math.abs(fy - wheel.force[2]), math.abs(turn - torque))
        end
        assert(loads > 20, loads)
        return worst ]])
      assert.is_true(worst < 1e-9, worst) -- of forces of the order of 1000
    end)

    it(string.format("balance for rigid assemblies, %d-D", dimension), function()
      local worst = run(scene(dimension, "floc.inelastic { friction = 0.4 }", [[
        local first = sim:add_particle { radius = 0.2, position = vector(-0.5, 2.4, 0.3), mass = 1 }
        sim:add_particle { radius = 0.2, position = vector(-0.1, 2.5, 0.3), mass = 2 }
        local rod = sim:add_assembly { particles = { first, first + 1 } } ]]):gsub("STEP", "2e-3") .. [[
        local worst, loads = 0, 0
        for step = 1, 250 do
          local before = { rod.velocity[1], rod.velocity[2], rod.velocity[3] }
          sim:run { steps = 1 }
          local sum = exchange(sim)
          for a = 1, dimension do
            local got = sum[first][a] + sum[first + 1][a]
            local gained = rod.mass * (rod.velocity[a] - before[a]) - (a == 2 and -10 * rod.mass * sim.time_step or 0)
            worst = math.max(worst, math.abs(got - gained) / (rod.mass * (math.abs(before[a]) + 1)))
            if got ~= 0 then loads = loads + 1 end
          end
        end
        assert(loads > 50, loads)
        return worst ]])
      assert.is_true(worst < 1e-14, worst)
    end)
  end
end)

-- Three balls on a floor: 30, 20 and 10 N.
local pile = [==[
  local sim = floc.simulation { time_step = 1e-4, gravity = { 0, -10 }, scheme = SCHEME }
  local floor = sim:add_body { shapes = { floc.plane { point = { 0, 0 }, normal = { 0, 1 } } } }
  for k = 1, 3 do sim:add_particle { position = { 0, k - 0.5 }, radius = 0.5, mass = 1 } end
  LAWS
  sim:run { steps = 15000 }
  local found = {}
  for _, contact in ipairs(sim:contacts()) do
    found[contact.id_i + (contact.id_j or 0)] = contact.impulse / sim.time_step
  end
  for id = 1, 3 do found["f" .. id] = sim.fy[id] end
  found.floor = -floor.force[2]
  MORE
  return found ]==]

local law = [==[
  local function spring(overlap, normal_velocity)
    if overlap < 0 then return 0 end
    return 1e5 * overlap - 200 * normal_velocity
  end
  sim:add_force { range = 0.1, law = spring, way = WAY }
  sim:add_wall_force { range = 0.1, law = spring, way = WAY }
  sim:add_force { range = 0.1, memory = { "age" }, law = function(overlap, age) return 0 * overlap, age + 1 end, way = WAY } ]==]

local verlet = "integrator = 'velocity_verlet'"
local cases = {
  inelastic = { "floc.inelastic {}", hard = true },
  gluey = { "floc.gluey {}", hard = true },
  friction = { "floc.inelastic { friction = 0.3 }", hard = true },
  gluey_friction = { "floc.gluey { friction = 0.3 }", hard = true },
  hooke = { "floc.discrete_element { contact = 'hooke', stiffness = 1e5, damping = 200, " .. verlet .. " }" },
  hooke_friction = { "floc.discrete_element { contact = 'hooke', stiffness = 1e5, damping = 200, friction = 'spring', "
    .. "friction_stiffness = 5e4, rotation = true, " .. verlet .. " }" },
  hertz = { "floc.discrete_element { contact = 'hertz', young_modulus = 1e6, damping = 8e4, " .. verlet .. " }" },
  penalty = { "floc.discrete_element { stiffness = 1e7, damping = 2e4 }" },
  traced = { "floc.discrete_element { contact = 'none', " .. verlet .. " }", laws = law:gsub("WAY", "'traced'") },
  called = { "floc.discrete_element { contact = 'none', " .. verlet .. " }", laws = law:gsub("WAY", "'called'") },
}

-- Greys of the three tubes of an SVG file, 0 to 255, from the top: they are the widest strokes.
local function greys(path)
  local found = {}
  for width, grey, place in support.read(path):gmatch 'stroke%-width:([%d.]+);stroke%-linecap:round;[^"]-stroke:rgb%(([%d.]+)%%,[^"]*" d="M [%d.]+ [%d.]+ L [%d.]+ ([%d.]+) ' do
    if tonumber(width) > 10 then found[#found + 1] = { grey = math.floor(tonumber(grey) * 2.55 + 0.5), depth = tonumber(place) } end
  end
  assert.are.equal(3, #found)
  table.sort(found, function(a, b) return a.depth < b.depth end)
  return { found[1].grey, found[2].grey, found[3].grey }
end

describe("a pile of three", function()
  for name, case in pairs(cases) do
    local function run_pile(more)
      return run((pile:gsub("SCHEME", case[1]):gsub("LAWS", case.laws or ""):gsub("MORE", more or "")))
    end
    it("carries 30, 20 and 10 in contacts, forces and bodies: " .. name, function()
      local found = run_pile()
      assert.near(30, found[1], 1e-2)
      assert.near(20, found[3], 1e-2)
      assert.near(10, found[5], 1e-2)
      assert.near(30, found.floor, 1e-2)
      for id = 1, 3 do assert.near(case.hard and 0 or 10, found["f" .. id], 1e-2) end
    end)

    it("is drawn as tubes in proportion, and written to .vtp files: " .. name, function()
      local folder = support.folder()
      run_pile(string.format([==[
        sim:write_vtp { path = "%s/pile", bodies = false }
        sim:run { steps = 1 }
        sim:picture { path = "%s/pile.svg", tubes = "force" }
        for k = 1, 3 do
          sim:picture { path = "%s/" .. k .. ".svg", tubes = "force", range = { 10 * k - 0.5, 10 * k + 0.5 } }
        end ]==], folder, folder, folder))
      -- without a range colours go from 0 to 30
      local whole, tubes = greys(folder .. "/pile.svg"), {}
      for k = 1, 3 do tubes[k] = greys(folder .. "/" .. k .. ".svg") end
      local light, dark = tubes[2][1], tubes[2][3] -- 10 and 30 are beyond the range around 20
      assert.are.same({ dark, dark }, { tubes[1][2], tubes[1][3] })
      assert.are.same({ light, light }, { tubes[3][1], tubes[3][2] })
      for k = 1, 3 do
        assert.near(10 * k, 30 * (light - whole[k]) / (light - dark), 0.15) -- half a grey of 212
        assert.near(10 * k, 10 * k - 0.5 + (light - tubes[k][k]) / (light - dark), 1e-2)
      end
      assert.matches('NumberOfLines="3"', support.read(folder .. "/pile/contacts_015000.vtp"))
      support.remove(folder)
    end)
  end
end)

-- The log of what was read between runs has contacts as a list of numbers; a resume gives what the script saw.
describe("contacts read between runs", function()
  for dimension = 2, 3 do
    it("are the same after a resume: " .. dimension .. "-D", function()
      local folder = support.folder()
      local script = string.format([==[
        local floc = require "floc"
        local dimension = %d
        local function vector(x, y, z) return dimension == 2 and { x, y } or { x, y, z } end
        local sim = floc.simulation { time_step = 1e-2, dimension = dimension, gravity = vector(0.3, -10, 0.1), scheme = floc.inelastic { friction = 0.3 } }
        local floor = sim:add_body { shape = floc.plane { normal = vector(0, 1, 0) } }
        for k = 1, 3 do sim:add_particle { position = vector(0.01 * k, k - 0.5, 0.02 * k), radius = 0.5, mass = 1 } end
        sim:run { steps = 20 }
        local seen = {}
        for _, list in ipairs { sim:contacts(), sim:contacts() } do
          for _, c in ipairs(list) do
            seen[#seen + 1] = string.format("%%s %%s %%s %%s %%.17g %%.17g %%.17g", c.id_i, c.id_j, c.body == floor, c.shape, c.distance, c.impulse, c.gamma)
            for _, of in ipairs { c.point, c.normal, c.friction } do
              for a = 1, #of do seen[#seen + 1] = string.format("%%d %%.17g", #of, of[a]) end
            end
          end
          list[1] = nil -- what a script does to its list changes no other
        end
        sim:run { steps = 5 }
        sim:checkpoint(%q)
        sim:run { steps = 5 }
        return table.concat(seen, "\n"), #seen ]==], dimension, folder .. "/c.floc")
      local seen, count = support.run(script)
      assert.is_true(count >= 2 * 3 * (1 + 3 * dimension), count)
      assert.are.equal(seen, (support.resume(folder .. "/c.floc")))
      support.remove(folder)
    end)
  end
end)

describe("contacts of schemes in flight", function()
  for _, scheme in ipairs { "ballistic", "event_driven" } do
    it("are refused by name: " .. scheme, function()
      local message = support.failure(([[local floc = require "floc"
        floc.simulation { time_step = 1, scheme = floc.%s {} }:contacts()]]):format(scheme))
      assert.matches("the scheme " .. scheme .. " has no contacts with impulses", message)
    end)
  end
end)

-- Velocity Verlet: half of the forces before the step and half of those after it change the momentum.
describe("contacts of discrete elements", function()
  for _, dimension in ipairs { 2, 3 } do
    for name, options in pairs {
      plain = "contact = 'hooke', stiffness = 1e5, damping = 30",
      springs = "contact = 'hooke', stiffness = 1e5, damping = 30, friction = 'spring', friction_stiffness = 5e4, "
        .. "friction_damping = 10, friction_static = 0.4, friction_dynamic = 0.4, rotation = true",
      sliding = "contact = 'hertz', young_modulus = 1e7, damping = 1e4, friction = 'spring', friction_stiffness = 1e7, "
        .. "friction_static = 0.5, friction_dynamic = 0.3, rotation = true",
      regularized = "contact = 'penalty', stiffness = 1e8, damping = 1e4, friction = 'regularized', rotation = true" } do
      it(string.format("balance in a collapsing pile: %s, %d-D", name, dimension), function()
        local worst, loads = run(scene(dimension, "floc.discrete_element { integrator = 'velocity_verlet', " .. options .. " }")
          :gsub("STEP", "5e-5") .. [[
          local worst, loads = 0, 0
          sim:run { steps = 1500 }
          local last = exchange(sim)
          for step = 1, 100 do
            local before = velocities(sim)
            sim:run { steps = 1 }
            local sum = exchange(sim)
            for id = 1, sim.count do
              local m = sim.mass[id]
              for a = 1, dimension do
                local gained = m * (sim["v" .. axes[a] ][id] - before[id][a]) - (a == 2 and -10 * m * sim.time_step or 0)
                local got = 0.5 * (sum[id][a] + last[id][a])
                worst = math.max(worst, math.abs(got - gained) / (m * (math.abs(before[id][a]) + 1)))
                if got ~= 0 then loads = loads + 1 end
              end
            end
            last = sum
          end
          return worst, loads ]])
        assert.is_true(loads > 100, loads)
        assert.is_true(worst < 1e-14, worst)
      end)
    end
  end

  it("with laws that remember: friction in Lua is the scheme's own", function()
    local script = [==[
      local sim = floc.simulation { time_step = 1e-4, gravity = { 0, -10 }, scheme = SCHEME }
      sim:add_body { shapes = { floc.plane { point = { 0, 0 }, normal = { 0, 1 } } } }
      sim:add_particle { position = { 0, 0.4995 }, radius = 0.5, mass = 1 }
      sim:add_particle { position = { 1.02, 0.4995 }, radius = 0.5, mass = 1 }
      sim:add_particle { position = { 0.5, 1.363 }, radius = 0.5, mass = 1 }
      LAWS
      sim:run { steps = 800 } -- all four touch
      local out = {}
      for k, c in ipairs(sim:contacts()) do
        out[#out + 1] = { c.id_i, c.id_j or 0, c.impulse, c.friction[1], c.friction[2] }
      end
      return out ]==]
    local laws = [==[
      local function friction(overlap, normal_velocity, tangential_velocity, stretch, time_step)
        if overlap < 0 then return 0, 0, 0 end
        local normal = 1e4 * overlap - 20 * normal_velocity
        stretch = stretch + time_step * tangential_velocity
        local force, limit = -5e3 * stretch, 0.4 * math.max(normal, 0)
        if math.abs(force) > limit then
          force = force > 0 and limit or -limit
          stretch = -force / 5e3
        end
        return normal, force, stretch
      end
      local given = { range = 0.1, memory = { "stretch" }, returns = { "normal", "tangential", "stretch" }, law = friction }
      sim:add_force(given)
      sim:add_wall_force(given) ]==]
    local own = run((script:gsub("LAWS", ""):gsub("SCHEME", "floc.discrete_element { contact = 'hooke', stiffness = 1e4, "
      .. "damping = 20, friction = 'spring', friction_stiffness = 5e3, friction_static = 0.4, friction_dynamic = 0.4, "
      .. "rotation = true, integrator = 'velocity_verlet' }")))
    local given = run((script:gsub("LAWS", laws):gsub("SCHEME",
      "floc.discrete_element { contact = 'none', rotation = true, integrator = 'velocity_verlet' }")))
    assert.are.equal(4, #own)
    assert.are.equal(4, #given)
    for k, contact in ipairs(own) do
      assert.is_true(math.abs(contact[4]) + math.abs(contact[5]) > 1e-6)
      for n = 1, 5 do assert.near(contact[n], given[k][n], 1e-9) end
    end
  end)
end)
