-- A half-filled drum of discs turns: the mean slope of the surface (dynamic angle of repose) against friction. One line of
-- output a run.
--
--   build/floc run benchmarks/granular/drum.lua --friction=0.5 --seed=1
--
-- The wall of the drum carries a ring of discs of the mean size, so that the bed does not slide on it. The slope is that of a
-- straight line through the highest grains of 20 columns between -0.6 R and 0.6 R, in axes that gravity defines, once a
-- fiftieth of a turn, after `transient` turns; its standard error is from ten blocks of `turns`.
local floc = require "floc"
local args = floc.args {
  friction = { 0.5, at_least = 0 },
  rolling = { 0, at_least = 0, text = "moment arm of the resistance against rolling, in diameters" },
  radius = { 20, above = 3, text = "of the drum, in mean diameters" },
  froude = { 1e-3, above = 0, text = "(angular velocity)^2 R/g" },
  transient = { 0.3, at_least = 0, text = "of a turn" },
  turns = { 1, above = 0, text = "that are averaged over" },
  time_step = { 0.02, above = 0, text = "in sqrt(d/g)" },
  seed = 1,
}
local R = args.radius -- d = 1, g = 1
local omega = math.sqrt(args.froude / R)
local sim = floc.simulation { time_step = args.time_step, gravity = { 0, -1 }, seed = args.seed,
  scheme = floc.inelastic { friction = args.friction, rolling = args.rolling > 0 and args.rolling or nil, tolerance = 1e-4 } }
local shapes, ring = { floc.hollow { radius = R + 0.5 } }, math.floor(2 * math.pi * R / 1.5)
for k = 1, ring do
  local angle = 2 * math.pi * k / ring
  shapes[#shapes + 1] = floc.circle { radius = 0.5, center = { R * math.cos(angle), R * math.sin(angle) } }
end
local drum = sim:add_body { shapes = shapes }
sim:add_particles { count = math.floor(0.5 * (R - 0.5) ^ 2 * 0.82 * 4), radius = { 0.4, 0.6 }, density = 4 / math.pi,
  region = floc.ball { center = { 0, 0 }, radius = R - 1 } }
sim:run { until_time = 2 * math.sqrt(2 * R) }
drum:set_motion { angular_velocity = omega }
local turn = 2 * math.pi / omega
sim:run { until_time = sim.time + args.transient * turn }

local columns, slopes = 20, {}
local function slope() -- of the surface, in degrees
  local top, reach = {}, 0.6 * R
  for id = 1, sim.count do
    local column = 1 + math.floor((sim.x[id] + reach) / (2 * reach) * columns)
    if column >= 1 and column <= columns and (not top[column] or sim.y[id] > sim.y[top[column]]) then top[column] = id end
  end
  local n, x, y, xx, xy = 0, 0, 0, 0, 0
  for _, id in pairs(top) do
    n, x, y, xx, xy = n + 1, x + sim.x[id], y + sim.y[id], xx + sim.x[id] ^ 2, xy + sim.x[id] * sim.y[id]
  end
  return math.deg(math.atan(math.abs((n * xy - x * y) / (n * xx - x * x))))
end
sim:every({ time = turn / 50 }, function() slopes[#slopes + 1] = slope() end)
sim:run { until_time = sim.time + args.turns * turn }
local sum, squares, blocks = 0, 0, 10
for block = 1, blocks do
  local part, from, to = 0, math.floor((block - 1) * #slopes / blocks) + 1, math.floor(block * #slopes / blocks)
  for k = from, to do part = part + slopes[k] / (to - from + 1) end
  sum, squares = sum + part, squares + part ^ 2
end
local mean = sum / blocks
print(("drum friction=%g rolling=%g radius=%g froude=%g grains=%d seed=%d angle=%.2f angle_error=%.2f"):format(args.friction, args.rolling, R, args.froude,
  sim.count, args.seed, mean, math.sqrt(math.max(0, squares / blocks - mean ^ 2) / (blocks - 1))))
sim:picture { path = floc.output "drum.png", colour = "speed", width = 700 }
