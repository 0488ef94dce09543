-- Attributes of shapes that wall laws change: wear by Archard's law against the closed form, sums, inputs, checkpoints, files.

local support = require "support"

local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
local laws = here .. "examples/laws/?.lua;"
local head = ('package.path = %q .. package.path local floc = require "floc"\n'):format(laws)

local function run(script) return support.run(head .. script) end
local function failure(script) return support.failure(head .. script) end

-- Two balls slide along each of two plates under their weight: V = K m g s/H.
local function sliding(scheme, threads, law, tail)
  return string.format([[
    local sim = floc.simulation { dimension = 2, time_step = 1e-3, gravity = { 0, -10 }, threads = %d, scheme = %s }
    local floor = sim:add_body { shapes = { floc.segment { { -2.5, 0 }, { 0, 0 } }, floc.segment { { 0.5, 0 }, { 3, 0 } } }, attributes = { wear = 0 } }
    local other = sim:add_body { shape = floc.segment { { -2, 5 }, { 2, 5 } }, attributes = { wear = 7 } }
    for k = 0, 3 do sim:add_particle { position = { ({ -2.3, -2, 0.7, 1 })[k + 1], %s }, radius = 0.05, mass = 2, velocity = { k < 2 and 1 or 0.5, 0 }, allow_overlap = true } end
    %s
    %s ]], threads, scheme, law.height, law.text, tail)
end

local K, H = 1e-3, 50
local soft = { height = "0.05 - 2 * 10 / 1e4", -- at rest on Archard's spring
  text = 'local law = require("archard").walls { stiffness = 1e4, wear = 1e-3, hardness = 50 } law.way = way law = sim:add_wall_force(law)' }
local cushion = { height = "0.05 + 0.05 - 2 * 10 / 1e4", -- a spring that begins above the floor, for hard contacts
  text = [[sim:add_wall_force { way = way, range = 0.1, returns = { "normal", "rate_shape_wear" }, law = function(overlap, tangential_velocity)
    local normal = math.max(0, 1e4 * (overlap + 0.05))
    return normal, 1e-3 / 50 * normal * math.abs(tangential_velocity)
  end }]] }

local schemes = {
  { "discrete elements", 'floc.discrete_element { contact = "none", integrator = "velocity_verlet" }', soft },
  { "the trapezoidal rule", 'floc.discrete_element { contact = "none", integrator = "trapezoidal", adaptive = false }', soft },
  { "the projection", "floc.inelastic {}", cushion },
}

describe("wear", function()
  for _, scheme in ipairs(schemes) do
    it("is Archard's, of every shape its own, " .. scheme[1], function()
      for _, way in ipairs { "traced", "called" } do
        local found = run(string.format("local way = %q ", way) .. sliding(scheme[2], 1, scheme[3], [[
          sim:run { steps = 1700 }
          return { floor:get_attribute "wear", floor:get_attribute("wear", 2), other:get_attribute "wear" } ]]))
        assert.near(1, found[1] / (2 * K * 20 * 1.7 / H), 1e-11)
        assert.near(1, found[2] / (2 * K * 20 * 0.85 / H), 1e-11)
        assert.are.equal(7, found[3])
      end
    end)

    it("has the same bits on 1, 2 and 3 threads and after a resume, " .. scheme[1], function()
      local tail = 'sim:run { steps = 900 } return sim:hash(), floor:get_attribute "wear"'
      local bits, worn = support.run(head .. "local way " .. sliding(scheme[2], 1, scheme[3], tail))
      assert.is_true(worn > 0)
      for threads = 2, 3 do
        local again, volume = support.run(head .. "local way " .. sliding(scheme[2], threads, scheme[3], tail))
        assert.are.equal(bits, again)
        assert.are.equal(worn, volume)
      end
      local folder = support.folder()
      local path = folder .. "/run.state"
      support.run(head .. "local way " .. sliding(scheme[2], 2, scheme[3], string.format("sim:checkpoint { path = %q, every = 500 } ", path) .. tail))
      local again, volume = support.resume(path)
      assert.are.equal(bits, again)
      assert.are.equal(worn, volume)
      support.remove(folder)
    end)
  end

  it("is exact on one plane in space, to the last digits", function()
    local found = run [[
      local sim = floc.simulation { dimension = 3, time_step = 1e-3, gravity = { 0, 0, -10 }, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      local floor = sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } }, attributes = { wear = 0 } }
      sim:add_wall_force(require("archard").walls { stiffness = 1e4, wear = 1e-3, hardness = 50 })
      sim:add_particle { position = { 0, 0, 0.05 - 2 * 10 / 1e4 }, radius = 0.05, mass = 2, velocity = { 0.6, 0.8, 0 }, allow_overlap = true }
      sim:run { steps = 1000 }
      return floor:get_attribute "wear" ]]
    assert.near(K * 20 * 1 / H, found, 1e-12 * K)
  end)

  it("ends where friction ends the slip", function()
    local found = run [[
      local sim = floc.simulation { dimension = 2, time_step = 1e-4, gravity = { 0, -10 }, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      local floor = sim:add_body { shape = floc.plane { normal = { 0, 1 } }, attributes = { wear = 0 } }
      sim:add_wall_force(require("archard").walls { stiffness = 1e4, friction = 0.4, friction_damping = 1e4, wear = 1e-3, hardness = 50 })
      sim:add_particle { position = { 0, 0.05 - 2 * 10 / 1e4 }, radius = 0.05, mass = 2, velocity = { 1.5, 0 }, allow_overlap = true }
      sim:run { until_time = 1 }
      return floor:get_attribute "wear" ]]
    local way = 1.5 ^ 2 / (2 * 0.4 * 10)
    assert.near(K * 20 * way / H, found, 2e-3 * K * 20 * way / H)
  end)
end)

describe("a sum of a shape", function()
  it("is that of the present step, and is read as it was at its beginning", function()
    for _, scheme in ipairs { 'floc.discrete_element { contact = "none", integrator = "velocity_verlet" }', "floc.inelastic {}" } do
      local found = run(string.format([[
        local sim = floc.simulation { dimension = 2, time_step = 1e-2, scheme = %s }
        local floor = sim:add_body { shapes = { floc.segment { { -2, 0 }, { 0, 0 } }, floc.segment { { 0.5, 0 }, { 3, 0 } } }, attributes = { load = 0 } }
        for k = 1, 5 do sim:add_particle { position = { 1 + 0.3 * k, 0.2 }, radius = 0.1, mass = 1, velocity = { 0, k == 1 and 5 or 0 } } end
        sim:add_attribute("seen", 0)
        sim:add_wall_force { range = 0.15, returns = { "sum_shape_load", "sum_seen" }, law = function(mass, shape_load) return 3 * mass, shape_load end }
        local list = {}
        sim:every(1, function() list[#list + 1] = floor:get_attribute("load", 2) list[#list + 1] = sim.seen[5] end)
        sim:run { steps = 3 }
        list[#list + 1] = floor:get_attribute("load", 1)
        return list ]], scheme))
      assert.are.equal(15, found[1])
      assert.are.equal(0, found[2])
      assert.are.equal(12, found[5]) -- the first has left
      assert.is_true(found[4] >= 12)
      assert.are.equal(0, found[7])
    end
  end)
end)

describe("attributes of shapes", function()
  it("are set, one or all, and are in .vtp files of bodies", function()
    local folder = support.folder()
    local path = folder .. "/worn"
    local found = run(string.format([[
      local sim = floc.simulation { dimension = 2, time_step = 1e-3, scheme = floc.inelastic {} }
      local first = sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      local body = sim:add_body { shapes = { floc.segment { { -2, -1 }, { 0, -1 } }, floc.segment { { 0, -1 }, { 2, -1 } } }, attributes = { heat = 2, wear = 3 } }
      body:set_attribute("heat", 5, 2)
      first:set_attribute("wear", 4)
      sim:add_particle { position = { 0, 1 }, radius = 0.1, mass = 1 }
      sim:write_vtp { path = %q }
      sim:run { steps = 2 }
      return { first:get_attribute "heat", body:get_attribute("heat", 1), body:get_attribute("heat", 2), body:get_attribute "wear", first:get_attribute "wear" } ]], path))
    assert.are.same({ 0, 2, 5, 3, 4 }, found)
    local last
    for name in support.read(path .. "_bodies.pvd"):gmatch 'file="(.-)"' do last = name end
    local text = support.read(folder .. "/" .. last)
    for _, name in ipairs { "heat", "wear" } do assert.is_truthy(text:find('Name="' .. name .. '"', 1, true)) end
    support.remove(folder)
  end)

  it("are refused by name where there are none", function()
    local floor = [[
      local sim = floc.simulation { dimension = 2, time_step = 1e-3 }
      local floor = sim:add_body { shape = floc.plane { normal = { 0, 1 } }, attributes = { wear = 0 } } ]]
    for _, case in ipairs {
      { 'sim:add_wall_force { returns = { "rate_shape_war" }, law = function(overlap) return overlap end }', "rate_shape_war" },
      { 'sim:add_wall_force { returns = { "rate_shape_war" }, law = function(overlap) return overlap end }', "rate_shape_wear" },
      { 'sim:add_wall_force { law = function(overlap, shape_war) return overlap * shape_war end }', "shape_wear" },
      { 'sim:add_force { returns = { "rate_shape_wear" }, law = function(overlap) return overlap end }', "rate_shape_wear" },
      { 'floor:get_attribute "war"', "wear" },
      { 'floor:get_attribute("wear", 2)', "index is 2; the body has 1 shapes" },
      { 'floor:set_attribute("wear", 0/0)', "value is nan" },
      { 'sim:add_body { shape = floc.plane { normal = { 0, 1 } }, attributes = { ["a b"] = 0 } }', "a b" },
      { 'sim:add_body { shape = floc.plane { normal = { 0, 1 } }, attributes = { wear = "x" } }', "attributes.wear" },
      { [[sim:add_wall_force { returns = { "rate_shape_wear" }, law = function(overlap) return overlap end }
          sim:add_wall_force { name = "adds", returns = { "sum_shape_wear" }, law = function(overlap) return overlap end }]], "adds: the attribute wear of shapes has a rate and is a sum" },
    } do
      local message = failure(floor .. case[1])
      assert.is_truthy(message:find(case[2], 1, true), case[1] .. "\n" .. message)
    end
  end)
end)
