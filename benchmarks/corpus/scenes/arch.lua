-- An arch of equal discs or balls in the form of a hanging chain turned over: the line of contacts carries the weight
-- without friction. load: a disc of this mass lies on its crown. Rings: more arches on top of each other.
local floc = require "floc"
local record = require "record"

local args = record.args { dimension = 2, links = 40, rise = 1.2, load = 0, load_height = 1e-3, time_step = 2e-3 }
local plane, radius = args.dimension == 2, 0.02
-- The vertical force in link k from the crown is k - 1/2 weights (an even number of discs), the horizontal one is thrust.
local half = math.floor(args.links / 2)
local thrust = half / args.rise
local x, y, discs = radius, 0, {}
discs[1] = { x, y }
for k = 1, half - 1 do
  local angle = math.atan(k / thrust)
  x, y = x + 2 * radius * math.cos(angle), y - 2 * radius * math.sin(angle)
  discs[#discs + 1] = { x, y }
end
local function point(px, py) return plane and { px, py } or { px, 0, py } end
local sim = floc.simulation { dimension = args.dimension, time_step = args.time_step, gravity = point(0, -10), seed = args.seed,
  scheme = floc.inelastic(record.scheme(args, radius)) }
-- Abutments: fixed discs where the next link would end.
local angle = math.atan(half / thrust)
local foot_x, foot_y = x + 2 * radius * math.cos(angle), y - 2 * radius * math.sin(angle)
local shapes = {}
for side = -1, 1, 2 do
  shapes[#shapes + 1] = plane and floc.circle { radius = radius, center = { side * foot_x, foot_y } }
    or floc.sphere { radius = radius, center = { side * foot_x, 0, foot_y } }
end
sim:add_body { shapes = shapes }
for side = -1, 1, 2 do
  for _, at in ipairs(discs) do sim:add_particle { position = point(side * at[1], at[2]), radius = radius * (1 - 1e-9), mass = 1 } end
end
if args.load > 0 then
  sim:add_particle { position = point(0, math.sqrt(3) * radius + args.load_height * radius), velocity = point(0, -0.5), radius = radius, mass = args.load }
end
record.run(sim, args)
