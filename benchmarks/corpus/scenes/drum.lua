-- A round drum with four blades in the plane, a hollow ball in space; it stands while grains settle without
-- friction, then it turns.
local floc = require "floc"
local record = require "record"

local args = record.args { dimension = 2, grains = 600, speed = 2.5, settle = 300, settle_step = 2e-3, time_step = 1e-3, full = 0.38 }
local plane = args.dimension == 2
local outer = 0.5
local part = plane and args.full or 0.6 * args.full -- spheres fill less
local radius = plane and outer * math.sqrt(part / args.grains) or outer * (part / args.grains) ^ (1 / 3)
local middle = plane and { 0, 0 } or { 0, 0, 0 }

-- Two simulations, because friction and time step change when the drum starts.
local function make(options, time_step)
  local sim = floc.simulation { dimension = args.dimension, time_step = time_step, gravity = plane and { 0, -9.81 } or { 0, 0, -9.81 },
    seed = args.seed, scheme = floc.inelastic(options) }
  local shapes = { floc.hollow { radius = outer } }
  for k = 1, plane and 4 or 0 do
    local angle = 2 * math.pi * (k - 0.5) / 4
    local c, s = math.cos(angle) * outer, math.sin(angle) * outer
    shapes[#shapes + 1] = floc.segment { { 0.6 * c, 0.6 * s }, { 0.99 * c, 0.99 * s }, thickness = 0.01 }
  end
  return sim, sim:add_body { shapes = shapes }
end

local still = make({ tolerance = 1e-3 * radius }, args.settle_step)
still:add_particles { count = args.grains, radius = { 0.9 * radius, 1.1 * radius }, density = 2000,
  region = floc.ball { center = middle, radius = 0.97 * outer } }
still:run { steps = args.settle, progress = false }
local sim, drum = make(record.scheme(args, 0.9 * radius), args.time_step)
for id = 1, still.count do
  sim:add_particle { position = plane and { still.x[id], still.y[id] } or { still.x[id], still.y[id], still.z[id] },
    radius = still.radius[id], mass = still.mass[id] }
end
drum:set_motion { angular_velocity = plane and -args.speed or { 0, args.speed, 0 } }
record.run(sim, args)
