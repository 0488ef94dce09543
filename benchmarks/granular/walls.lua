-- Plane shear of discs between rough walls, the cell of da Cruz, Emam, Prochnow, Roux and Chevoir, Phys. Rev. E 72 (2005) 021309: friction
-- mu and volume fraction phi at the inertial number that the middle of the cell has. One line of output a run.
--
--   build/floc run benchmarks/granular/walls.lua --I=0.1 --seed=1
--
-- Grains as in shear.lua. Walls are rows of glued grains of the same sizes that touch; the lower one moves along x, the upper one holds the
-- normal stress P. The cell is periodic along x. mu is the shear force on the upper wall over the normal one, I from the slope of
-- the velocity's profile outside of `layer` diameters from both walls, phi of the same part, from the areas of discs that are in it.
-- Units: mean diameter, mass of such a disc, P = 1.
local floc = require "floc"
local args = floc.args {
  I = { 0.1, above = 0, text = "of the walls: velocity over height, times sqrt(mean mass / P)" },
  length = { 20, at_least = 10, text = "of the cell, in diameters" },
  height = { 40, at_least = 15, text = "about, in diameters" },
  layer = { 5, at_least = 0 },
  kappa = { 1e4, above = 0 },
  restitution = { 0.1, above = 0, below = 1 },
  friction = { 0.4, at_least = 0 },
  transient = { 3, at_least = 0, text = "of shear strain" },
  strain = { 8, above = 0, text = "that is averaged over" },
  seed = 1,
}
local k, L, H = args.kappa, args.length, args.height
local log = math.log(args.restitution)
local damping = -2 * log * math.sqrt(k / 2 / (math.pi ^ 2 + log ^ 2))
local rate, high = args.I, 1.9 * H
local sim = floc.simulation { time_step = math.pi * math.sqrt(0.5 / k) / 25, seed = args.seed, boundary = { "periodic", "open" },
  domain = floc.box { lower = { 0, -2 }, upper = { L, high + 2 } },
  scheme = floc.discrete_element { contact = "hooke", stiffness = k, damping = damping, integrator = "velocity_verlet", rotation = true,
    friction = "spring", friction_static = args.friction, friction_dynamic = args.friction, friction_stiffness = k / 2 } }
local random = args.seed * 7919 % 2147483647
local function number() -- from 0 to 1
  random = random * 16807 % 2147483647
  return random / 2147483647
end
-- One period of a row is scaled to the length of the cell; repeated, since shapes have no periodic images.
local function row(from, to)
  local radii, sum = {}, 0
  while sum < L - 0.5 do
    radii[#radii + 1] = 0.4 + 0.2 * number()
    sum = sum + 2 * radii[#radii]
  end
  local shapes, x = {}, from * L
  for _ = from, to do
    for _, radius in ipairs(radii) do
      local r = radius * L / sum
      shapes[#shapes + 1] = floc.circle { radius = r, center = { x + r, 0 } }
      x = x + 2 * r
    end
  end
  return shapes
end
local way = (args.strain + args.transient) * 1.15 * H -- of the lower wall
local lower = sim:add_body { shapes = row(-1 - math.ceil(way / L), 1) }
local upper = sim:add_body { shapes = row(-1, 1), position = { 0, high }, motion = floc.servo { direction = { 0, -1 }, pressure = 1, area = L, mass = 5 * L, damping = L, greatest_speed = 1 } }
sim:add_particles { count = math.floor(L * H * 0.81 * 4 / math.pi / 1.013), radius = { 0.4, 0.6 }, density = 4 / math.pi,
  region = floc.box { lower = { 0, 0.7 }, upper = { L, high - 0.7 } } }
local mass = sim:sum(function(mass) return mass end) / sim.count
sim:run { until_time = 1.5 * H }
rate = rate / math.sqrt(mass)
local speed, settled = rate * upper.position[2], upper.position[2]
lower:set_motion { velocity = { speed, 0 } }
for id = 1, sim.count do sim.vx[id] = speed * (1 - sim.y[id] / settled) end -- the straight profile, which would else take long to come
sim:run { until_time = sim.time + args.transient / rate }

local began, blocks, n = sim.time, {}, 10
local length = args.strain / rate / n
local function middle(block) -- sums of the velocity's straight line over the middle, and its area fraction
  local bottom, top = args.layer, upper.position[2] - args.layer
  local filled = 0
  for id = 1, sim.count do
    local y, r = sim.y[id], sim.radius[id]
    local function below(at) -- part of the disc's area that is below
      local s = math.max(-1, math.min(1, (at - y) / r))
      return r * r * (math.pi / 2 + math.asin(s) + s * math.sqrt(1 - s * s))
    end
    filled = filled + below(top) - below(bottom)
    if y > bottom and y < top then
      local v = sim.vx[id]
      block.n, block.y, block.v, block.yy, block.yv = block.n + 1, block.y + y, block.v + v, block.yy + y * y, block.yv + y * v
    end
  end
  block.looks, block.phi, block.high = block.looks + 1, block.phi + filled / L / (top - bottom), block.high + upper.position[2]
end
local function block() -- of now
  local place = math.min(n, 1 + math.floor((sim.time - began) / length))
  blocks[place] = blocks[place] or { n = 0, y = 0, v = 0, yy = 0, yv = 0, looks = 0, phi = 0, high = 0, times = 0, shear = 0, normal = 0 }
  return blocks[place]
end
sim:every({ time = args.strain / rate / 1000 }, function() middle(block()) end)
sim:every(10, function()
  local now, force = block(), upper.force
  now.times, now.shear, now.normal = now.times + 1, now.shear + force[1], now.normal + force[2]
end)
sim:run { until_time = began + args.strain / rate }

local function mean(value)
  local sum, squares = 0, 0
  for _, one in ipairs(blocks) do sum, squares = sum + value(one), squares + value(one) ^ 2 end
  return sum / #blocks, math.sqrt(math.max(0, squares / #blocks - (sum / #blocks) ^ 2) / (#blocks - 1))
end
local mu, mu_error = mean(function(one) return math.abs(one.shear / one.normal) end)
local inertial = mean(function(one) return math.abs((one.n * one.yv - one.y * one.v) / (one.n * one.yy - one.y ^ 2)) * math.sqrt(mass / (one.normal / one.times / L)) end)
local phi, phi_error = mean(function(one) return one.phi / one.looks end)
local pressure = mean(function(one) return one.normal / one.times / L end)
local tall = mean(function(one) return one.high / one.looks end)
print(("walls I=%g inertial=%.5f grains=%d length=%g height=%.2f layer=%g friction=%g restitution=%g kappa=%g strain=%g seed=%d mu=%.5f mu_error=%.5f phi=%.5f phi_error=%.5f P=%.4f over=%.4f phi_over=%.4f"):format(
  args.I, inertial, sim.count, L, tall, args.layer, args.friction, args.restitution, k, args.strain, args.seed, mu, mu_error, phi, phi_error, pressure, mu / (0.25 + 1.1 * inertial),
  phi / (0.81 - 0.3 * inertial)))
sim:picture { path = floc.output(("walls_%g.png"):format(args.I)), colour = "vx", width = 500 }
