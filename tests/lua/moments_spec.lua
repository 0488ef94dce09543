-- Resistance against rolling and twisting from a script: what the options do, what is refused.

local support = require "support"

local floor = [[
  local floc = require "floc"
  local function make(dimension, scheme)
    local space = dimension == 3
    local sim = floc.simulation { dimension = dimension, time_step = 1e-3, scheme = scheme,
      gravity = space and { 0, 0, -10 } or { 0, -10 } }
    sim:add_body { shape = floc.plane { normal = space and { 0, 0, 1 } or { 0, 1 } } }
    sim:add_particle { position = space and { 0, 0, 0.1 } or { 0, 0.1 }, velocity = space and { 1, 0, 0 } or { 1, 0 }, radius = 0.1 }
    if space then sim.angular_velocity_y[1] = 10 else sim.angular_velocity_z[1] = -10 end
    return sim
  end
]]

describe("rolling and twisting", function()
  it("stops what rolls, at the distances of the formulas", function()
    local disc, ball, gluey = support.run(floor .. [[
      local ways = {}
      for k, scheme in ipairs { floc.inelastic { friction = 0.5, rolling = 0.01 }, floc.inelastic { friction = 0.5, rolling = 0.01, twisting = 0.01 },
                                floc.gluey { friction = 0.5, rolling = 0.01 } } do
        local sim = make(k == 2 and 3 or 2, scheme)
        sim:run { until_time = 2 }
        ways[k] = sim.x[1]
      end
      return ways[1], ways[2], ways[3]
    ]])
    assert.near(3 * 0.1 / (4 * 10 * 0.01) - 0.5e-3, disc, 1e-4)
    assert.near(7 * 0.1 / (10 * 10 * 0.01) - 0.5e-3, ball, 1e-4)
    assert.is_true(gluey < disc)
  end)

  it("stops what turns about the normal", function()
    local angle, way = support.run(floor .. [[
      local sim = make(3, floc.inelastic { friction = 0.5, twisting = 0.01 })
      sim.angular_velocity_z[1] = 8
      local angle = 0
      for _ = 1, 500 do
        sim:run { steps = 1 }
        angle = angle + 1e-3 * sim.angular_velocity_z[1]
      end
      return angle, sim.x[1]
    ]])
    assert.near(8 ^ 2 / 2 / (0.01 * 10 / (0.4 * 0.1 ^ 2)) - 4e-3, angle, 1e-3)
    assert.near(0.5, way, 1e-3)
  end)

  it("is refused by name where it cannot act", function()
    for script, text in pairs {
      ['\n\nrequire "floc".inelastic { rolling = -1 }'] = "script.lua:3: inelastic: rolling is -1; it must be a finite number at least 0",
      ['\n\nrequire "floc".gluey { twisting = 1/0 }'] = "script.lua:3: gluey: twisting is infinite; it must be a finite number at least 0",
      ['\n\nrequire "floc".inelastic { rolling_friction = 1 }'] = "script.lua:3: inelastic: unknown parameter rolling_friction; did you mean rolling?",
      ['local floc = require "floc"\n\nfloc.simulation { time_step = 1, scheme = floc.inelastic { twisting = 0.1 } }'] =
        "script.lua:3: simulation: twisting is 0.1 in two dimensions",
      ['local floc = require "floc"\n\nfloc.simulation { time_step = 1, scheme = floc.gluey { rolling = 0.1, gluey_rule = "equality" } }'] =
        "script.lua:3: simulation: rolling is 0.1 with the equality rule",
    } do
      local message = support.failure(script)
      assert.is_truthy(message:find(text, 1, true), message)
    end
  end)
end)
