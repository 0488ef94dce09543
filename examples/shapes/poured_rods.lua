-- Rods poured into a box: how densely they lie, and that they lie rather than stand, by their length.
--
--   floc run examples/shapes/poured_rods.lua --rods=200 --aspect=4
--
-- What to take from here: rods in three dimensions (floc.rod), random directions, direction of a rod from its quaternion, the
-- volume of what lies in a slab.
local floc = require "floc"
local args = floc.args { rods = { 200, at_least = 1, text = "how many" }, aspect = { 4, above = 1, text = "whole length over width" },
  friction = { 0.3, at_least = 0 }, end_time = { 2.5, above = 0, text = "[s]" }, seed = 1 }
local half = 0.5 -- of a rod's length
local volume = math.pi * (half / args.aspect) ^ 2 * (2 * half - 2 / 3 * half / args.aspect)
local width = 5 * half
local height = 4 + args.rods * volume / (0.08 * width ^ 2) -- they fall from a thin cloud
local sim = floc.simulation { time_step = 2e-3, seed = args.seed, dimension = 3, scheme = floc.inelastic { friction = args.friction }, gravity = { 0, 0, -9.81 },
  boundary = "wall", domain = floc.box { lower = { 0, 0, 0 }, upper = { width, width, height } } }
sim:add_particles { count = args.rods, radius = half, density = 1, shape = floc.rod { aspect = args.aspect } }
sim:add_attribute("steepness", 0) -- of the axis: 0 lies, 1 stands

local function steepness(id)
  local w, x, y, z = sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id]
  return math.abs(2 * (x * z - w * y)) / (w * w + x * x + y * y + z * z)
end
local function mean_square()
  local sum = 0
  for _, id in ipairs(sim:ids()) do sum = sum + steepness(id) ^ 2 / sim.count end
  return sum
end

local before = mean_square()
sim:run { until_time = args.end_time }
local energy = sim:measure "kinetic_energy" / (args.rods * volume * 9.81 * half)

-- The part of the volume between two heights in the heap that points are in which a rod covers: shots at random.
local top = 0
for _, id in ipairs(sim:ids()) do top = math.max(top, sim.z[id]) end
local random, hits, shots = floc.random("shots", args.seed), 0, 20000
local rods = {}
for _, id in ipairs(sim:ids()) do
  local w, x, y, z = sim.qw[id], sim.qx[id], sim.qy[id], sim.qz[id]
  local n, s = w * w + x * x + y * y + z * z, sim.radius[id] - sim.rounding[id]
  rods[#rods + 1] = { x = sim.x[id], y = sim.y[id], z = sim.z[id], s = s, r = sim.rounding[id],
    ax = (w * w + x * x - y * y - z * z) / n, ay = 2 * (x * y + w * z) / n, az = 2 * (x * z - w * y) / n }
  sim.steepness[id] = steepness(id)
end
local function covered(x, y, z)
  for _, rod in ipairs(rods) do
    local dx, dy, dz = x - rod.x, y - rod.y, z - rod.z
    local along = math.max(-rod.s, math.min(rod.s, dx * rod.ax + dy * rod.ay + dz * rod.az))
    if (dx - along * rod.ax) ^ 2 + (dy - along * rod.ay) ^ 2 + (dz - along * rod.az) ^ 2 < rod.r ^ 2 then return true end
  end
  return false
end
local margin = half -- of walls, floor and top
for _ = 1, shots do
  if covered(random:uniform(margin, width - margin), random:uniform(margin, width - margin), random:uniform(margin, math.max(top - 2 * margin, 1.1 * margin))) then hits = hits + 1 end
end

sim:picture { path = floc.output "poured_rods.png", colour = "steepness", width = 700, upper = { width, width, top + half } }
floc.report { claim = "greatest overlap, in radii", value = sim:check_overlap(), expect = { at_most = 1e-3 } }
floc.report { claim = "steps that did not converge", value = sim:report().unconverged_steps, expect = { equal = 0 } }
floc.report { claim = "mean square of the axes' vertical component before, all directions alike", value = before, expect = { equal = 1 / 3, tolerance = 4 * 0.3 / args.rods ^ 0.5 } }
local usual = args.rods == 200 and args.aspect == 4 and args.friction == 0.3 and args.end_time == 2.5
local function claim(name, value, expect)
  if usual then floc.report { claim = name, value = value, expect = expect }
  else floc.report { claim = name, absent = "bands are those of the arguments as they stand" } end
end
claim("mean square in the heap: they lie", mean_square(), { at_most = 0.25 })
claim("volume fraction within the heap", hits / shots, { at_least = 0.4, at_most = 0.7 })
claim("kinetic energy over the weight of a rod times half its length, of each", energy, { at_most = 0.01 })
