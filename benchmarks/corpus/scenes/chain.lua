-- Lines of grains. tower: one on another in a shaft, the highest is heavy; row: between two walls, one of which moves in;
-- cradle: the first of a row comes with a speed; hanging: pressed against a ceiling, glued there, then gravity turns.
local floc = require "floc"
local record = require "record"

local args = record.args { dimension = 2, kind = { "tower", one_of = { "tower", "row", "cradle", "hanging" } }, grains = 80, heavy = 1, zigzag = 0.05,
  turn = 30, gluey_rule = { "bounded", one_of = { "bounded", "equality" } }, time_step = 2e-3 }
local plane, radius = args.dimension == 2, 0.02
local upright = args.kind == "tower" or args.kind == "hanging"
local function point(px, py) return plane and { px, py } or { px, 0, py } end
local now = 0 -- the step
local function gravity()
  if args.kind == "row" or args.kind == "cradle" then return plane and { 0, 0 } or { 0, 0, 0 } end
  local up = args.kind == "hanging" and now <= args.turn and 10 or args.kind == "hanging" and -2 or -10
  return plane and { 0, up } or { 0, 0, up }
end
local options = record.scheme(args, radius)
if args.kind == "hanging" then options.gamma_min, options.gluey_rule = -math.huge, args.gluey_rule end
local sim = floc.simulation { dimension = args.dimension, time_step = args.time_step, gravity = gravity, seed = args.seed,
  scheme = args.kind == "hanging" and floc.gluey(options) or floc.inelastic(options) }
local function wall(normal, at) return sim:add_body { shape = floc.plane { normal = normal, point = at } } end

-- Each grain touches the one before; a crooked line, zigzag in radii.
local along, side = radius, 1
for k = 1, args.grains do
  local across = 0.5 * side * args.zigzag * radius
  local position = upright and point(across, args.kind == "hanging" and -along or along) or point(along, across)
  local mass = (k == args.grains and args.heavy) or 1
  sim:add_particle { position = position, radius = radius, mass = mass,
    velocity = args.kind == "cradle" and k == 1 and point(1, 0) or nil }
  along, side = along + radius * math.sqrt(4 - args.zigzag ^ 2), -side
end
if args.kind == "tower" then
  wall(plane and { 0, 1 } or { 0, 0, 1 }, plane and { 0, 0 } or { 0, 0, 0 })
  local reach = radius * (1 + 0.5 * args.zigzag)
  if plane then
    wall({ 1, 0 }, { -reach, 0 })
    wall({ -1, 0 }, { reach, 0 })
  else
    for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do wall(n, { -reach * n[1], -reach * n[2], 0 }) end
  end
elseif args.kind == "row" then
  local push = wall(plane and { 1, 0 } or { 1, 0, 0 }, plane and { 0, 0 } or { 0, 0, 0 })
  push:set_motion { velocity = plane and { 0.05, 0 } or { 0.05, 0, 0 } }
elseif args.kind == "hanging" then
  wall(plane and { 0, -1 } or { 0, 0, -1 }, plane and { 0, 0 } or { 0, 0, 0 })
end
record.run(sim, args, function(step) now = step end)
