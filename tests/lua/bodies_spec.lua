-- Shapes in two and three dimensions, motions, and what is read of a body.

local support = require "support"
local floc = support.floc

local function new(options)
  options = options or {}
  options.time_step = options.time_step or 0.01
  support.session.push(support.session.new { script_name = "script.lua", quiet = true })
  local sim = floc.simulation(options)
  support.session.pop()
  return sim
end

describe("shapes", function()
  it("of two dimensions can all be added", function()
    local sim = new()
    local list = {
      { floc.plane { normal = { 0, 1 } }, 1 }, { floc.plane { normal = { 0, 1 }, point = { 0, -1 } }, 1 },
      { floc.segment { { 0, 0 }, { 1, 0 }, thickness = 0.1 }, 1 }, { floc.capsule { { 0, 0 }, { 1, 0 }, radius = 0.2 }, 1 },
      { floc.polyline { { 0, 0 }, { 1, 0 }, { 1, 1 } }, 2 }, { floc.polyline { { 0, 0 }, { 1, 0 }, { 1, 1 }, closed = true }, 3 },
      { floc.circle { radius = 1 }, 1 }, { floc.sphere { radius = 1, center = { 1, 1 } }, 1 }, { floc.hollow { radius = 3 }, 1 },
      { floc.box { lower = { 0, 0 }, upper = { 1, 1 } }, 4 }, { floc.funnel { top = 2, bottom = 0.2, height = 1 }, 2 },
      { floc.wheel { radius = 1, paddles = 5 }, 5 }, { floc.container { width = 1, height = 1 }, 3 },
    }
    for k, case in ipairs(list) do
      local body = sim:add_body { shape = case[1] }
      assert.are.equal(k - 1, body.number)
      assert.are.equal(case[2], body.shape_count)
    end
  end)

  it("of three dimensions can all be added", function()
    local sim = new { dimension = 3 }
    for _, shape in ipairs {
      floc.plane { normal = { 0, 0, 1 } }, floc.segment { { 0, 0, 0 }, { 1, 0, 0 } }, floc.sphere { radius = 1 },
      floc.hollow { radius = 3, center = { 0, 0, 1 } }, floc.triangle { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } },
      floc.box { lower = { 0, 0, 0 }, upper = { 1, 1, 1 } }, floc.funnel { top = 2, bottom = 0.2, height = 1, facets = 12 },
      floc.wheel { radius = 1, width = 0.5 }, floc.container { width = 1, height = 1, depth = 2 },
    } do
      assert.is_true(sim:add_body { shape = shape }.shape_count >= 1)
    end
  end)

  it("can be several in one body, and are seen in world coordinates", function()
    local sim = new()
    local body = sim:add_body { shapes = { floc.circle { radius = 0.5 }, floc.segment { { 0, 0 }, { 1, 0 } } },
      position = { 2, 3 }, angle = math.pi / 2 }
    assert.are.equal(2, body.shape_count)
    local segment = body:get_shape(2)
    assert.near(2, segment.points[2][1], 1e-15)
    assert.near(4, segment.points[2][2], 1e-15)
    assert.are.equal(0.5, body:get_shape(1).radius)
    assert.has_error(function() body:get_shape(3) end)
  end)
end)

describe("motions", function()
  local circle = floc.circle { radius = 0.1 }

  it("stay", function()
    local sim = new()
    local body = sim:add_body { shape = circle, position = { 1, 2 }, angle = 0.5, name = "still" }
    sim:run { steps = 10 }
    assert.are.same({ 1, 2 }, body.position)
    assert.are.equal(0.5, body.angle)
    assert.are.same({ 0, 0 }, body.velocity)
    assert.are.equal("still", body.name)
    assert.are.equal("floc.body 0 still", tostring(body))
  end)

  it("go with constant velocity and turn", function()
    local sim = new()
    local body = sim:add_body { shape = circle, velocity = { 1, -2 }, angular_velocity = -2 }
    sim:run { steps = 100 }
    assert.near(1, body.position[1], 1e-12)
    assert.near(-2, body.position[2], 1e-12)
    assert.near(-2, body.angle, 1e-12)
    assert.near(-2, body.angular_velocity, 1e-12)
    assert.near(1, body.velocity[1], 1e-12)
  end)

  it("follow functions of time, as numbers or as a table", function()
    local sim = new()
    local first = sim:add_body { shape = circle, velocity = function(t) return math.cos(t), 0 end,
      angular_velocity = function(t) return 2 * t end }
    local second = sim:add_body { shape = circle, velocity = function(t) return { 0, 1 } end }
    local third = sim:add_body { shape = circle, position = function(t) return t * t, 1 end, angle = function(t) return 3 * t end }
    local fourth = sim:add_body { shape = circle, position = { 5, 5 }, angle = function(t) return t end }
    assert.are.same({ 0, 1 }, third.position)
    sim:run { steps = 100 }
    assert.near(math.sin(1), first.position[1], 1e-5) -- midpoint rule, h^2/24
    assert.near(1, first.angle, 1e-12)
    assert.near(1, second.position[2], 1e-12)
    assert.near(1, third.position[1], 1e-12)
    assert.near(3, third.angle, 1e-12)
    assert.are.same({ 5, 5 }, fourth.position)
    assert.near(1, fourth.angle, 1e-12)
  end)

  it("oscillate and push", function()
    local sim = new()
    local swing = sim:add_body { shape = circle, position = { 1, 0 }, motion = floc.oscillation { amplitude = { 0, 2 }, period = 4 } }
    local piston = sim:add_body { shape = circle, motion = floc.piston { velocity = { 3, 0 }, travel = 1.5 } }
    local back = sim:add_body { shape = circle, motion = floc.piston { velocity = { 1, 0 }, travel = 0.75, returns = true } }
    sim:run { steps = 100 }
    assert.near(2, swing.position[2], 1e-12)
    assert.near(1.5, piston.position[1], 1e-12)
    assert.near(0.5, back.position[1], 1e-12)
  end)

  it("can be changed; the body goes on from where it is", function()
    local sim = new()
    local body = sim:add_body { shape = circle, velocity = { 1, 0 } }
    sim:run { steps = 100 }
    body:set_motion { velocity = function(t) return 0, 1 end }
    sim:run { steps = 100 }
    body:set_motion {}
    sim:run { steps = 10 }
    assert.near(1, body.position[1], 1e-12)
    assert.near(1, body.position[2], 1e-12)
    assert.are.same({ 0, 0 }, body.velocity)
  end)

  it("work in three dimensions", function()
    local sim = new { dimension = 3 }
    local body = sim:add_body { shape = floc.sphere { radius = 1 }, angular_velocity = { 0, 0, 1 }, velocity = { 0, 0, 1 } }
    local other = sim:add_body { shape = floc.sphere { radius = 1 }, rotation = function(t) return 0, 0, t end }
    sim:run { steps = 100 }
    assert.near(1, body.position[3], 1e-12)
    for _, one in ipairs { body, other } do
      assert.near(math.cos(0.5), one.orientation[1], 1e-12)
      assert.near(math.sin(0.5), one.orientation[4], 1e-12)
    end
    assert.near(1, body.angular_velocity[3], 1e-9)
  end)
end)

describe("forces on bodies", function()
  it("are the weight of what lies on them", function()
    local sim = new { gravity = { 0, -10 } }
    local floor = sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
    for k = 1, 5 do sim:add_particle { position = { 3 * k, 0.5 }, radius = 0.5, mass = k } end
    sim:run { steps = 20 }
    assert.near(-150, floor.force[2], 1e-6)
    assert.near(0, floor.force[1], 1e-12)
    assert.near(-10 * 3 * (1 + 4 + 9 + 16 + 25), floor.torque, 1e-5)
    assert.is_true(#sim:contacts() >= 5)
    for _, contact in ipairs(sim:contacts()) do
      assert.are.equal(floor, contact.body)
      assert.is_nil(contact.id_j)
      assert.near(0.1 * sim.mass[contact.id_i], contact.impulse, 1e-6)
    end
    assert.are.same({ floor }, sim.bodies)
  end)

  it("of walls of the domain are no bodies of the script, yet hold", function()
    local sim = new { gravity = { 0, -10 }, boundary = "wall", domain = floc.box { lower = { 0, 0 }, upper = { 1, 1 } } }
    sim:add_particles { count = 10, radius = 0.05 }
    sim:run { steps = 200 }
    assert.are.same({}, sim.bodies)
    assert.is_true(sim:sum(function(y) return y > 0.0499 end) == 10)
  end)
end)

describe("a mesh", function()
  local folder
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  -- A floor of two triangles, 2 x 2 after scaling, in millimetres.
  local floor = "solid floor\n"
  for _, corners in ipairs { "-1000 -1000 0 1000 -1000 0 1000 1000 0", "-1000 -1000 0 1000 1000 0 -1000 1000 0" } do
    local vertices = corners:gsub("(%S+ %S+ %S+) ?", "vertex %1\n")
    floor = floor .. "facet normal 0 0 1\nouter loop\n" .. vertices .. "endloop\nendfacet\n"
  end
  floor = floor .. "endsolid\n"

  it("from an STL file holds particles up", function()
    support.write(folder .. "/floor.stl", floor)
    local floc = require "floc"
    local sim = floc.simulation { dimension = 3, time_step = 0.01, gravity = { 0, 0, -10 } }
    local body = sim:add_body { shape = floc.mesh { path = folder .. "/floor.stl", scale = 1e-3 } }
    for k = -4, 4 do sim:add_particle { position = { 0.2 * k, 0.1 * k, 0.15 + 0.01 * k }, radius = 0.1 } end
    sim:run { steps = 60 }
    for id = 1, 9 do assert.is_true(math.abs(sim.z[id] - 0.1) < 1e-4) end
    assert.are.equal(-1, body:get_shape(2).points[1][1])
  end)

  it("from an OBJ file is the same", function()
    support.write(folder .. "/floor.obj", "v -1000 -1000 0\nv 1000 -1000 0\nv 1000 1000 0\nv -1000 1000 0\nf 1/1 2/1 3/1 4/1\n")
    local floc = require "floc"
    local sim = floc.simulation { dimension = 3, time_step = 0.01, gravity = { 0, 0, -10 } }
    local body = sim:add_body { shape = floc.mesh { path = folder .. "/floor.obj", scale = 1e-3, thickness = 0.02 } }
    assert.are.equal(2, body.shape_count)
    sim:add_particle { position = { 0.3, -0.4, 0.2 }, radius = 0.1 }
    sim:run { steps = 60 }
    assert.near(0.11, sim.z[1], 1e-4)
  end)

  it("is refused with the reason", function()
    support.write(folder .. "/bad.obj", "v 0 0 0\nf 1 2 3\n")
    support.write(folder .. "/bad.stl", "solid x\nfacet")
    local set_up = 'local floc = require "floc"\nlocal sim = floc.simulation { dimension = 3, time_step = 0.01 }\n'
    local function message(path) return support.failure(set_up .. "sim:add_body { shape = floc.mesh { path = '" .. path .. "' } }") end
    assert.matches("^script.lua:3: add_body: .*bad.stl: an STL facet is expected: line 2", message(folder .. "/bad.stl"))
    assert.matches("^script.lua:3: add_body: .*bad.obj: line 2: a face has vertex 2; there are 1 above it", message(folder .. "/bad.obj"))
    assert.matches("^script.lua:3: add_body: .*none.stl: cannot be opened", message(folder .. "/none.stl"))
    assert.matches("floc.mesh needs 3 dimensions; the simulation has 2",
      support.failure('local floc = require "floc"\nlocal sim = floc.simulation { time_step = 0.01 }\nsim:add_body { shape = floc.mesh { path = "a.stl" } }'))
  end)
end)
