-- Discs or balls on a plane that leans, in heaps: below the angle of friction they roll, above it they slide.
local floc = require "floc"
local record = require "record"

local args = record.args { dimension = 2, heaps = 8, slope = 0.3, time_step = 2e-3 }
local plane, radius = args.dimension == 2, 0.02
local along, down = 10 * math.sin(args.slope), -10 * math.cos(args.slope)
local sim = floc.simulation { dimension = args.dimension, time_step = args.time_step, gravity = plane and { along, down } or { along, 0, down }, seed = args.seed,
  scheme = floc.inelastic(record.scheme(args, radius)) }
sim:add_body { shape = floc.plane { normal = plane and { 0, 1 } or { 0, 0, 1 } } }
for heap = 1, args.heaps do
  local x = 10 * radius * heap
  for k = 0, 2 do
    sim:add_particle { position = plane and { x + 2 * k * radius, radius } or { x + 2 * k * radius, 0, radius }, radius = radius, mass = 1 }
  end
  for k = 0, 1 do
    local up = radius * (1 + math.sqrt(3))
    sim:add_particle { position = plane and { x + (2 * k + 1) * radius, up } or { x + (2 * k + 1) * radius, 0.2 * radius * k, up }, radius = radius, mass = heap % 2 == 0 and 100 or 1 }
  end
end
record.run(sim, args)
