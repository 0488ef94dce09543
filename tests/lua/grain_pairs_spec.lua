-- Every shape of grains against every other, and against every kind of body that they know, in two dimensions and in three.

local support = require "support"

local shapes = {
  [2] = { "nil", "floc.polygon { sides = 3 }", "floc.polygon { sides = 6, rounding = 0.2 }", "floc.rod { aspect = 4 }", "floc.ellipse { aspect = 3 }" },
  [3] = { "nil", "floc.rod { aspect = 4 }", "floc.ellipsoid { semi_axes = { 1, 0.6, 0.3 } }", "floc.ellipsoid { aspect = 20 }",
    'floc.polyhedron { form = "tetrahedron" }', 'floc.polyhedron { form = "box", size = { 1, 2, 3 }, rounding = 0.1 }' },
}
local bodies = {
  [2] = { "floc.plane { normal = { -1, 0 } }", "floc.circle { radius = 0.3 }", "floc.segment { { 0, -3 }, { 0, 3 } }", "floc.segment { { 0, 0.1 }, { 2, 0.1 }, thickness = 0.05 }" },
  [3] = { "floc.plane { normal = { -1, 0, 0 } }", "floc.sphere { radius = 0.3 }", "floc.capsule { { 0, -3, 0 }, { 0, 3, 0.1 }, radius = 0.1 }",
    "floc.triangle { { 0, -3, -3 }, { 0, 3, -3 }, { 0, 0, 4 } }" },
}

local start = [[local floc = require "floc"
  local sim = floc.simulation { dimension = %d, time_step = 2e-3, scheme = floc.inelastic {} }
  local function grain(x, speed, shape, k)
    local position, velocity = { x, 0.05, 0.02 }, { speed, 0, 0 }
    if sim.dimension == 2 then position[3], velocity[3] = nil, nil end
    return sim:add_particle { position = position, velocity = velocity, radius = 0.5, mass = 1, shape = shape or nil,
      angle = sim.dimension == 2 and shape and 0.7 * k or nil, orientation = sim.dimension == 3 and shape and { 1, 0.3 * k, 0.2, 0.5 } or nil }
  end
]]

describe("grains of any two shapes", function()
  for _, dimension in ipairs { 2, 3 } do
    it("meet without overlap, and keep their momentum, in dimension " .. dimension, function()
      for a, first in ipairs(shapes[dimension]) do
        for b = a, #shapes[dimension] do
          local overlap, momentum, sums = support.run(start:format(dimension) .. string.format([[
            grain(-0.6, 1, %s, 1)
            grain(0.6, -1, %s, 2)
            local greatest, met = 0, 0
            for _ = 1, 6 do
              sim:run { steps = 100 }
              greatest, met = math.max(greatest, sim:check_overlap()), math.max(met, sim:report().contacts)
            end
            return greatest, math.abs(sim.vx[1] + sim.vx[2]), { sim:report().unconverged_steps, sim.vx[2] - sim.vx[1] } ]], first, shapes[dimension][b]))
          local pair = first .. " and " .. shapes[dimension][b]
          assert.is_true(overlap < 1e-3, pair .. ": overlap " .. overlap)
          assert.is_true(momentum < 1e-12, pair .. ": momentum " .. momentum)
          assert.are.equal(0, sums[1], pair)
          assert.is_true(sums[2] > -1.9, pair .. ": they passed through each other at " .. sums[2])
        end
      end
    end)

    it("do not pass through bodies in dimension " .. dimension, function()
      for _, shape in ipairs(shapes[dimension]) do
        for _, body in ipairs(bodies[dimension]) do
          local overlap, unsolved, speed = support.run(start:format(dimension) .. string.format([[
            sim:add_body { shape = %s }
            grain(-1, 1, %s, 1)
            local greatest = 0
            for _ = 1, 6 do
              sim:run { steps = 100 }
              greatest = math.max(greatest, sim:check_overlap())
            end
            return greatest, sim:report().unconverged_steps, sim.vx[1] ]], body, shape))
          local pair = shape .. " on " .. body
          assert.is_true(overlap < 1e-3, pair .. ": overlap " .. overlap)
          assert.are.equal(0, unsolved, pair)
          assert.is_true(speed < 0.999, pair .. ": it passed through at " .. speed)
        end
      end
    end)
  end
end)
