-- A block of spheres on a plane that tilts slowly: it slips when the tangent of the angle reaches the coefficient of
-- friction (Coulomb).
--
--   floc run examples/friction/tilting_plane.lua
local floc = require "floc"

local args = floc.args { rate = 0.02, time_step = 1e-3, solver = "auto" }
local coefficients = { 0.1, 0.2, 0.4, 0.6, 0.8, 1.0 }

local function slip_angle(dimension, friction)
  local angle = math.atan(friction) - 0.04
  local function pull(t)
    local now = angle + args.rate * t
    return 10 * math.sin(now), -10 * math.cos(now), dimension == 3 and 0 or nil
  end
  local sim = floc.simulation {
    dimension = dimension, time_step = args.time_step, gravity = pull,
    scheme = floc.inelastic { friction = friction, solver = args.solver, tolerance = 1e-10 },
  }
  sim:add_body { name = "plane", shape = floc.plane { normal = dimension == 2 and { 0, 1 } or { 0, 1, 0 } } }
  local ids, radius = {}, 0.05
  for i = 0, 5 do
    for j = 0, 1 do
      for k = 0, dimension == 3 and 2 or 0 do
        local position = { 2 * radius * i, radius + 2 * radius * j, dimension == 3 and 2 * radius * k or nil }
        ids[#ids + 1] = sim:add_particle { position = position, radius = radius }
      end
    end
  end
  local block = sim:add_assembly { particles = ids }
  sim:run { progress = false, until_ = function() return block.velocity[1] > 1e-4 or sim.time > 4 end }
  return angle + args.rate * sim.time, sim
end

local measured, expected, sim = {}, {}, nil
for dimension = 2, 3 do
  measured[dimension] = {}
  for k, friction in ipairs(coefficients) do
    measured[dimension][k], sim = slip_angle(dimension, friction)
    expected[k] = math.atan(friction)
    floc.report { claim = ("%d-D, mu = %g: angle of slip over atan(mu)"):format(dimension, friction), paper = "Coulomb",
                  value = measured[dimension][k] / expected[k], expect = { equal = 1, tolerance = 0.01 } }
  end
end
sim:picture(floc.output "block.png")
floc.plot { path = floc.output "slip.png", title = "Block on a tilting plane", x = { label = "mu" },
  y = { label = "angle of slip", unit = "rad" }, series = {
    { name = "atan(mu)", x = coefficients, y = expected },
    { name = "2-D", x = coefficients, y = measured[2], style = "markers" },
    { name = "3-D", x = coefficients, y = measured[3], style = "markers" } } }
