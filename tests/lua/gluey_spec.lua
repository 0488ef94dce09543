-- Gluey contacts from a script: the contact law's options, a priori velocities, the lubrication model, plots.

local support = require "support"

local plane = [[
  local floc = require "floc"
  local function make(options, body)
    local sim = floc.simulation { time_step = 0.01, scheme = floc.gluey(options) }
    body = body or {}
    body.shape = floc.plane { normal = { 0, 1 } }
    sim:add_attribute("material", 3)
    sim:add_attribute("roughness", 0.01)
    sim:add_body(body)
    sim:add_particle { position = { 0, 2 }, radius = 1 }
    sim:add_field { law = function(t) return 0, t < 1.995 and -2 or 2 end }
    return sim
  end
  local function release(sim)
    local last = 0
    while sim.time < 4.5 do
      sim:run { steps = 1 }
      local contact = sim:contacts()[1]
      if contact and contact.gamma < 0 then last = sim.time end
    end
    return last
  end
]]

describe("gluey", function()
  it("takes the threshold from a number, or from a function of materials", function()
    local smooth, rough, mixed = support.run(plane .. [[
      local asked = {}
      local mixed = make({ gamma_min = function(a, b) asked[#asked + 1] = a .. "," .. b return -3 end }, { material = 1 })
      return release(make {}), release(make { gamma_min = -3 }), { release(mixed), asked }
    ]])
    assert.near(4, smooth, 0.011)
    assert.near(3.5, rough, 0.011)
    assert.are.equal(rough, mixed[1])
    assert.are.same({ "1,3" }, mixed[2])
  end)

  it("takes the threshold from roughness", function()
    -- 6 pi mu ln(0.01 + 0.04) = -3
    local time = support.run(plane .. [[
      return release(make({ viscosity = 3 / (6 * math.pi * math.log(20)) }, { roughness = 0.04 }))
    ]])
    assert.near(3.5, time, 0.011)
  end)

  it("has the printed algorithm", function()
    local time = support.run(plane .. [[ return release(make { law = "equality" }) ]])
    assert.near(4, time, 0.011)
  end)

  it("names a function that fails or gives nonsense", function()
    for _, case in ipairs {
      { "error 'no such material'", "no such material" },
      { "return 1", "gamma_min of materials 0 and 3 is 1; it must be a number at most 0" },
      { "return nil", "gamma_min of materials 0 and 3 is nil" },
    } do
      local message = support.failure(plane .. "release(make { gamma_min = function(a, b) " .. case[1] .. " end })")
      assert.is_truthy(message:find(case[2], 1, true), message)
    end
  end)
end)

describe("a_priori", function()
  it("replaces the a priori velocity, at creation or later", function()
    local x, y, vy = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1, a_priori = function(t, x) return 1 + t, -x end }
      sim:add_attribute("drift", 0.5)
      sim:add_particle { position = { 2, 0 }, radius = 0.1 }
      sim:run { steps = 2 }
      local x, y = sim.x[1], sim.y[1]
      sim:set_a_priori(function(drift) return drift, 0 end)
      sim:every(1, function(sim) sim.drift[1] = sim.drift[1] + 1 end)
      sim:run { steps = 2 }
      return x, y, sim.vx[1]
    ]]
    assert.near(2.21, x, 1e-12)
    assert.near(-0.2 - 0.21, y, 1e-12)
    assert.near(1.5, vy, 1e-12)
  end)

  it("is refused beside forces that it does not read", function()
    local message = support.failure [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1, a_priori = function() return 0, -1 end }
      sim:add_particle { position = { 0, 1 }, radius = 0.1 }
      sim:add_field { law = function(x, t) return t > 0.15 and 3 or 0, 0 end }
      sim:run { steps = 20 }
    ]]
    assert.is_truthy(message:find("script.lua:5: run: a force of 3 along x on particle 1, by laws or rays, has no effect", 1, true), message)
  end)

  it("works for contacts of any kind, and says what is wrong with it", function()
    local y = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1, a_priori = function() return 0, -1 end }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      sim:add_particle { position = { 0, 1 }, radius = 0.1 }
      sim:run { steps = 20 }
      return sim.y[1]
    ]]
    assert.near(0.1, y, 1e-6)
    local message = support.failure [[
      local floc = require "floc"
      floc.simulation { time_step = 0.1, a_priori = function(x, colour) return 0, 0 end }
    ]]
    assert.is_truthy(message:find("colour", 1, true), message)
  end)
end)

describe("lubrication", function()
  it("agrees with the reference table", function()
    local rows = require "gluey_plane"
    local times = {}
    for k, row in ipairs(rows) do times[k] = row[1] end
    for column, mu in pairs { [2] = 1, [4] = 0.1 } do
      local solved = support.floc.lubrication.solve { mu = mu, distance = 1, velocity = 0, times = times, breaks = { 2 },
        force = function(t) return t < 2 and -2 or 2 end }
      for k, row in ipairs(rows) do
        assert.near(1, solved.distance[k] / row[column], 1e-6)
        assert.near(row[column + 1], solved.gamma[k], 1e-6 * math.max(1, math.abs(row[column + 1])))
      end
    end
  end)

  it("tends to the gluey particle as mu falls", function()
    local times, worst = {}, {}
    for k = 0, 50 do times[k + 1] = 0.1 * k end
    for k, mu in ipairs { 1, 0.1, 0.01 } do
      local solved = support.floc.lubrication.solve { mu = mu, distance = 1, velocity = 0, times = times, breaks = { 2 },
        force = function(t) return t < 2 and -2 or 2 end }
      worst[k] = 0
      for j, t in ipairs(times) do
        local exact = t < 1 and 1 - t * t or t < 4 and 0 or (t - 4) ^ 2
        worst[k] = math.max(worst[k], math.abs(solved.distance[j] - exact))
      end
    end
    assert.is_true(worst[2] < 0.3 * worst[1] and worst[3] < 0.3 * worst[2] and worst[3] < 0.02)
  end)
end)

describe("plot", function()
  it("draws one graph or several", function()
    local folder = support.folder()
    support.run(([[
      local floc = require "floc"
      local curve = { name = "square", x = { 0, 1, 2 }, y = { 0, 1, 4 }, style = "line markers", dash = "dashed" }
      floc.plot { path = "%s/one.svg", title = "One", x = { label = "t", unit = "s" }, y = { logarithmic = true },
        series = { curve, { y = { 1, 0 / 0, 3 }, error = { 0.1, 0.1, 0.1 } } }, references = { { value = 2, label = "two" } } }
      floc.plot { path = "%s/two.png", columns = 2, panels = { { title = "a", series = { curve } }, { series = {} } } }
    ]]):format(folder, folder))
    local text = support.read(folder .. "/one.svg")
    assert.is_truthy(text:find("<svg", 1, true))
    assert.are.equal("\137PNG", support.read(folder .. "/two.png"):sub(1, 4))
    support.remove(folder)
  end)

  it("refuses what it cannot draw", function()
    for _, case in ipairs {
      { 'path = "x.png"', "series is missing" },
      { 'path = "x.png", series = { { y = { 1, 2 }, x = { 1 } } }', "x has 1 values and y has 2" },
      { 'path = "x.png", series = { { y = { 1, "a" } } }', 'y[2] is "a"; it must be a number' },
      { 'path = "x.png", series = { { y = { 1 }, style = "dots" } }', 'style is "dots"' },
      { 'path = "x.png", series = {}, panels = {}', "panels and series are both given" },
      { 'path = "x.bmp", series = {}', "x.bmp" },
      { 'path = "x.png", x = { lower = 2, upper = 1 }, series = {}', "lower is 2" },
    } do
      local message = support.failure("require('floc').plot { " .. case[1] .. " }")
      assert.is_truthy(message:find(case[2], 1, true), message)
    end
  end)
end)
