-- Without gravity: grains that fly about and meet (many islands), are drawn to the middle (few), or are hit by one that is
-- fast and heavy (one, of a shock).
local floc = require "floc"
local record = require "record"

local args = record.args { dimension = 2, kind = { "gas", one_of = { "gas", "middle", "shot" } }, grains = 1000, share = 0.4, speed = 1, heavy = 1,
  restitution = 0, time_step = 2e-3 }
local plane = args.dimension == 2
local half, volume = 0.5, plane and math.pi or 4 * math.pi / 3
local radius = (args.share / (args.grains * volume)) ^ (1 / args.dimension)
local function all(value) return plane and { value, value } or { value, value, value } end
local options = record.scheme(args, 0.8 * radius)
if args.restitution > 0 then options.restitution = args.restitution end
local sim = floc.simulation { dimension = args.dimension, time_step = args.time_step, seed = args.seed, scheme = floc.inelastic(options) }
if args.kind == "gas" then
  sim:add_body { shape = plane and floc.polyline { { -half, -half }, { half, -half }, { half, half }, { -half, half }, closed = true }
    or floc.box { lower = all(-half), upper = all(half) } }
else
  if plane then
    sim:add_field { law = function(x, y, mass) return -20 * mass * x, -20 * mass * y end }
  else
    sim:add_field { law = function(x, y, z, mass) return -20 * mass * x, -20 * mass * y, -20 * mass * z end }
  end
end
sim:add_particles { count = args.grains, radius = { 0.8 * radius, 1.2 * radius }, density = 1000, velocity_spread = args.kind == "gas" and args.speed or 0,
  region = floc.box { lower = all(-half), upper = all(half) } }
if args.kind == "shot" then
  sim:add_particle { position = plane and { -1.2, 0.01 } or { -1.2, 0.01, 0.02 }, velocity = plane and { args.speed, 0 } or { args.speed, 0, 0 },
    radius = 3 * radius, density = 1000 * args.heavy }
end
record.run(sim, args)
