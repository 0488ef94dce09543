-- A heavy ball on a chain that swings into a heap of grains and knocks it over.
--
--   floc run examples/recipes/wrecking_ball.lua
--   floc run examples/recipes/wrecking_ball.lua --links=20
--
-- The links are free bodies and hinges join them, the first one to the world; a step solves all joints at once, so the chain
-- does not stretch, whatever hangs on it. Bodies that a joint links do not touch each other.
local floc = require "floc"
local args = floc.args { links = { 10, text = "of the chain", integer = true, at_least = 1 }, angle = { 66, text = "of the chain against the vertical, in degrees", above = 0 } }

local height, length, angle = 5, 3.6, math.rad(args.angle)
local s, c, pitch = math.sin(angle), math.cos(angle), length / args.links
local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -10 }, seed = 1, scheme = floc.inelastic { friction = 0.3 } }
sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
sim:add_particles { count = 150, radius = 0.1, density = 1, region = floc.box { lower = { 0.6, 0 }, upper = { 2, 6 } }, placement = "lattice" }

local function at(distance) return { -distance * s, height - distance * c } end
local bodies, joints = {}, {}
for k = 1, args.links do
  local half = 0.25 * pitch
  bodies[k] = sim:add_body { shape = floc.capsule { { 0, half }, { 0, -half }, radius = 0.05 }, position = at((k - 0.5) * pitch), angle = -angle,
    free = "all", density = 2 }
end
bodies[#bodies + 1] = sim:add_body { shape = floc.circle { radius = 0.6 }, position = at(length + 0.5), angle = -angle, free = "all", density = 8, name = "ball" }
for k, body in ipairs(bodies) do
  joints[k] = k == 1 and sim:add_joint { kind = "hinge", body = body, anchor = at(0) }
    or sim:add_joint { kind = "hinge", bodies = { bodies[k - 1], body }, anchor = at((k - 1) * pitch) }
end

local function energy()
  local sum = 0
  for _, body in ipairs(bodies) do
    local p, v, w = body.center, body.velocity, body.angular_velocity
    sum = sum + body.mass * ((v[1] ^ 2 + v[2] ^ 2) / 2 + 10 * p[2]) + body.inertia * w ^ 2 / 2
  end
  return sum
end

local weight = 0
for _, body in ipairs(bodies) do weight = weight + body.mass end
local start, drift, pull, stretch, hit = energy(), 0, 0, 0, false
local ball = bodies[#bodies]
sim:every(1, function()
  for k = 2, #joints do
    local a, b = joints[k - 1].anchor, joints[k].anchor
    stretch = math.max(stretch, math.abs(math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2) - pitch))
  end
  hit = hit or ball.force[1] ~= 0
  if hit then return end
  drift, pull = energy() - start, math.max(pull, joints[1].force[2])
end)
local right = sim:sum(function(x) return x end) / sim.count
sim:run { until_time = 1.6 }
sim:picture { path = floc.output "wrecking_ball.png", width = 640 }

floc.report { claim = "energy of ball and chain until it hits, over what it began with", value = 1 + drift / start, expect = { equal = 1, tolerance = 5e-3 } }
floc.report { claim = "stretch of any link", value = stretch, expect = { at_most = 1e-10 } }
floc.report { claim = "greatest pull of the chain until then over 3 - 2 cos(angle) times the weight", value = pull / (10 * weight * (3 - 2 * c)), expect = { equal = 1, tolerance = 0.1 } }
floc.report { claim = "grains have gone to the right by", value = sim:sum(function(x) return x end) / sim.count - right, expect = { at_least = 0.2 } }
