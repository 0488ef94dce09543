-- Numbers of pairs of materials in the projection: tables and functions against closed forms, one number for all against the same
-- as a function, resume, wrong input.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end
local function failure(script) return support.failure('local floc = require "floc"\n' .. script) end

-- Three discs on an incline, far from each other: y is across it.
local incline = [[
  local slope, g, r = 0.3, 9.81, 0.1
  local sim = floc.simulation { time_step = 1e-3, gravity = { g * math.sin(slope), -g * math.cos(slope) }, scheme = floc.inelastic { %s } }
  sim:add_body { shape = floc.plane { normal = { 0, 1 } }, material = %s }
  local function disc(x, material) return sim:add_particle { position = { x, r }, radius = r, mass = 2, material = material } end
]]

describe("friction by pairs of materials", function()
  it("lets one disc slide, one roll and one stick on the same incline", function()
    local function law(given, floor, materials)
      return run(string.format(incline, given, floor) .. string.format([[
        for k, material in ipairs { %s } do disc(10 * k, material) end
        sim:run { until_time = 0.5 }
        local along, normal = g * math.sin(slope), g * math.cos(slope)
        return { sim.vx[1] / 0.5, along - 0.05 * normal, sim.wz[1] / 0.5, -2 * 0.05 * normal / r,
          sim.vx[2] / 0.5, 2 / 3 * along, sim.vx[3], sim.wz[3] }]], materials))
    end
    local by_name = [[materials = { "floor", "ice", "rubber", "mud" },
      friction = { floor = { floor = 1, ice = 0.05, rubber = 0.5, mud = 0.5 }, ice = { ice = 0, rubber = 0, mud = 0 }, rubber = { rubber = 1, mud = 1 },
        mud = { mud = 1 } },
      rolling = function(a, b) return (a == "mud" or b == "mud") and 0.04 or 0 end]]
    local by_number = [[friction = function(a, b) return a == 1 and 0.05 or 0.5 end, rolling = function(a, b) return a == 3 and 0.04 or 0 end]]
    by_number = by_number:gsub("a == 1", "math.max(a, b) == 1"):gsub("a == 3", "math.max(a, b) == 3")
    for _, found in ipairs { law(by_name, '"floor"', '"ice", "rubber", "mud"'), law(by_number, "0", "1, 2, 3") } do
      assert.near(found[2], found[1], 1e-9)
      assert.near(found[4], found[3], 1e-7)
      assert.near(found[6], found[5], 1e-4)
      assert.near(0, found[7], 1e-9)
      assert.near(0, found[8], 1e-9)
    end
  end)

  it("asks a function once per pair, and only for pairs that meet", function()
    local calls = run [[
      local calls = {}
      local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -9.81 }, scheme = floc.inelastic {
        friction = function(a, b) calls[#calls + 1] = a .. b return 0.5 end } }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } }, material = 70 }
      for k = 0, 2 do sim:add_particle { position = { 0.2 * k, 0.1 }, radius = 0.1, mass = 1, material = k % 2 } end
      sim:add_particle { position = { 9, 0.1 }, radius = 0.1, mass = 1, material = 1000 }
      sim:run { steps = 50 }
      table.sort(calls)
      return table.concat(calls, " ") ]]
    assert.are.equal("01 070 170 701000", calls)
  end)

  it("has the bits of one number where all pairs have it", function()
    local function hash(given)
      return run(string.format([[
        local sim = floc.simulation { time_step = 5e-3, gravity = { 0, -9.81 }, seed = 3, scheme = floc.inelastic { %s } }
        sim:add_body { shape = floc.hollow { radius = 1 }, angular_velocity = 1 }
        sim:add_particles { count = 100, radius = { 0.04, 0.05 }, density = 1, region = floc.box { lower = { -0.6, -0.6 }, upper = { 0.6, 0.6 } } }
        sim:run { steps = 120 }
        return sim:hash()]], given))
    end
    local number = hash "friction = 0.4"
    assert.are.equal(number, hash "friction = function() return 0.4 end")
    assert.are.equal(number, hash "friction = { a = { a = 0.4, b = 0.4 }, b = { b = 0.4 } }, materials = { 'a', 'b' }")
    assert.are_not.equal(number, hash "friction = function() return 0.41 end")
    assert.are.equal(hash "restitution = 0.5", hash "restitution = function() return 0.5 end")
    assert.are.equal(hash "restitution = 0", hash "restitution = function() return 0 end")
  end)
end)

describe("restitution by pairs of materials", function()
  it("gives each pair its bounce height, also on shapes of one body", function()
    local found = run [[
      local sim = floc.simulation { time_step = 2e-4, gravity = { 0, -10 }, scheme = floc.inelastic { materials = { "steel", "cork" },
        restitution = { steel = { steel = 0.9, cork = 0.5 }, cork = { cork = 0 } } } }
      local function plate(x) return floc.segment { { x - 0.4, 0 }, { x + 0.4, 0 } } end
      sim:add_body { shapes = { plate(0), plate(1), plate(2) }, materials = { "steel", "cork", "cork" } }
      for k = 0, 2 do sim:add_particle { position = { k, 1.1 }, radius = 0.1, mass = 1, material = k < 2 and "steel" or "cork" } end
      sim:run { until_time = 0.46 }
      local highest = { 0, 0, 0 }
      for _ = 1, 200 do
        sim:run { steps = 20 }
        for id = 1, 3 do highest[id] = math.max(highest[id], sim.y[id] - 0.1) end
        if sim.vy[1] < 0 then break end
      end
      return highest ]]
    assert.near(0.9 ^ 2, found[1], 0.01)
    assert.near(0.5 ^ 2, found[2], 0.01)
    assert.near(0, found[3], 0.01)
  end)

  it("acts between particles", function()
    local found = run [[
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.inelastic { restitution = function(a, b) return a + b == 1 and 0.25 or 1 end } }
      sim:add_particle { position = { 0, 0 }, velocity = { 1, 0 }, radius = 0.1, mass = 1 }
      sim:add_particle { position = { 0.5, 0 }, radius = 0.1, mass = 1, material = 1 }
      sim:run { until_time = 1 }
      return { sim.vx[1], sim.vx[2] } ]]
    assert.near((1 - 0.25) / 2, found[1], 1e-9)
    assert.near((1 + 0.25) / 2, found[2], 1e-9)
  end)
end)

describe("a run with tables of materials", function()
  it("resumes bit for bit, and does not ask again", function()
    local folder = support.folder()
    local script = string.format([[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 2e-3, gravity = { 0, -9.81 }, scheme = floc.gluey { friction = function(a, b) return 0.1 + 0.2 * (a + b) end,
        gamma_min = function(a, b) return a + b > 0 and -0.01 or 0 end } }
      sim:add_body { shape = floc.hollow { radius = 1 }, material = 2 }
      sim:add_particles { count = 40, radius = { 0.06, 0.08 }, density = 1, region = floc.box { lower = { -0.6, -0.6 }, upper = { 0.6, 0.6 } }, material = 1 }
      for id = 1, 20 do sim.material[id] = 0 end
      sim:checkpoint { path = %q, every = 100 }
      sim:run { steps = 300 }
      return sim:hash() ]], folder .. "/run.state")
    local whole = support.run(script)
    local path = folder .. "/run.state.1"
    if not support.exists(path) then path = folder .. "/run.state" end
    assert.are.equal(whole, (support.resume(path)))
    support.remove(folder)
  end)
end)

describe("wrong materials", function()
  local function message(scheme, more)
    return failure(string.format([[
      local sim = floc.simulation { time_step = 1e-3, scheme = %s }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      sim:add_particle { position = { 0, 0.1 }, radius = 0.1, mass = 1, velocity = { 0, -1 } }
      %s
      sim:run { steps = 3 }]], scheme, more or ""))
  end

  it("are named with their line", function()
    local two = "materials = { 'glass', 'rubber' }, "
    for _, case in ipairs {
      { "floc.inelastic { friction = { glass = { glass = 1 } } }", "friction is a table, which needs the names of the materials" },
      { "floc.inelastic { " .. two .. "friction = { glass = { glass = 1, ruber = 2 } } }", 'there is no material "ruber"; did you mean rubber?' },
      { "floc.inelastic { " .. two .. "friction = { glass = { glass = 1, rubber = 2 }, rubber = { glass = 3, rubber = 1 } } }", "a pair has one number" },
      { "floc.inelastic { " .. two .. "friction = { glass = { glass = 1, rubber = -2 }, rubber = { rubber = 1 } } }",
        "friction.glass.rubber is -2; it must be a finite number at least 0" },
      { "floc.inelastic { " .. two .. "restitution = { glass = { glass = 1, rubber = 2 }, rubber = { rubber = 1 } } }",
        "restitution.glass.rubber is 2; it must be a finite number at least 0 and at most 1" },
      { "floc.inelastic { " .. two .. "friction = { glass = { glass = 1, rubber = 2 } } }", "friction.rubber.rubber is missing" },
      { "floc.inelastic { " .. two .. "friction = { glass = 3 } }", "friction.glass is 3; it must be a table of numbers by materials" },
      { "floc.inelastic { materials = { 'a', 'a' } }", "materials: a is there twice" },
      { "floc.inelastic { materials = { 'a', 3 } }", "materials[2] is 3; it must be a name" },
      { "floc.inelastic { friction = function() return -1 end }", "friction of materials 0 and 0 is -1; it must be a finite number at least 0" },
      { "floc.inelastic { friction = function() return 0 / 0 end }", "friction of materials 0 and 0 is " },
      { "floc.inelastic { " .. two .. "friction = function() return 'much' end }", "friction of materials glass and glass is \"much\"; it must be" },
      { "floc.inelastic { friction = function(a, b) error('no friction of ' .. a) end }", "no friction of 0" },
      { "floc.inelastic { friction = function(a, b) return 1 end, rolling = function() return math.huge end }", "rolling of materials 0 and 0 is inf" },
    } do
      local said = message(case[1])
      assert.is_truthy(said:find(case[2], 1, true), said)
      assert.is_truthy(said:find("script.lua:", 1, true), said)
    end
    local given = "floc.inelastic { materials = { 'glass', 'rubber' }, friction = function() return 1 end }"
    local said = message(given, "sim:add_particle { position = { 3, 3 }, radius = 0.1, mass = 1, material = 'ruber' }")
    assert.is_truthy(said:find('material is "ruber"; there is no such material; did you mean rubber?', 1, true), said)
    said = message(given, "sim:add_body { shape = floc.circle { radius = 1 }, position = { 9, 9 }, materials = { 'glass', 'glass' } }")
    assert.is_truthy(said:find("materials has 2 entries, and there are 1 shapes", 1, true), said)
    said = message(given, "sim:add_attribute 'material' sim.material[1] = 0.5")
    assert.is_truthy(said:find("material of particle 1 is 0.5; it must be an integer from 0 to 2147483647", 1, true), said)
    said = message(given, "sim:add_attribute 'material' sim.material[1] = 7")
    assert.is_truthy(said:find("material 7 has no name; materials are glass, rubber", 1, true), said)
    said = message("floc.inelastic { friction = 1 }", "sim:add_particle { position = { 3, 3 }, radius = 0.1, mass = 1, material = 'glass' }")
    assert.is_truthy(said:find("the scheme has no names of materials", 1, true), said)
  end)
end)
