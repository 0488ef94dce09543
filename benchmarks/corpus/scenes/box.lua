-- Discs or spheres that fall into a box and settle: columns, piles, landings. Radii 0.015 to 0.025.
--
--   floc run box.lua --width=10 --height=20 --record=400:column
local floc = require "floc"
local record = require "record"

local args = record.args {
  dimension = 2,
  width = 10,       -- of the box, in grains
  height = 20,      -- of the settled grains, about, in grains
  count = 0,        -- instead of the height: a square heap of this number of grains
  ratio = 5 / 3,    -- of the largest and the smallest radius
  mass_ratio = 1,   -- by which half of the grains are heavier
  heavy = { "none", one_of = { "none", "mixed", "above" } },
  fill = 0.4,       -- part of the space that grains fill before they fall, 0.4 of it in space
  stirrer = false,  -- a cross that turns in the pile
}
local plane = args.dimension == 2
local least = 0.04 / (1 + args.ratio)
local mean, count = 0.02, args.count
local width, up = args.width * 2 * mean, plane and 2 or 3
if count > 0 then
  width = plane and math.sqrt(count * 0.00196) or (count * 6.1e-5) ^ (1 / 3)
else
  count = math.floor(plane and args.width * args.height / 0.92 or args.width ^ 2 * args.height / 0.9)
end
local room = plane and count * math.pi * mean ^ 2 / (args.fill * width) or count * 4.19 * mean ^ 3 / (0.4 * args.fill * width ^ 2)
local top = room + 10 * mean

local sim = floc.simulation { dimension = args.dimension, time_step = args.time_step, gravity = plane and { 0, -10 } or { 0, 0, -10 }, seed = args.seed,
  scheme = floc.inelastic(record.scheme(args, least)) }
if plane then
  sim:add_body { shape = floc.polyline { { 0, 4 * top }, { 0, 0 }, { width, 0 }, { width, 4 * top } } }
else
  sim:add_body { shape = floc.box { lower = { 0, 0, 0 }, upper = { width, width, 4 * top } } }
end
if args.stirrer then
  sim:add_body { position = { 0.5 * width, 0.3 * width }, angular_velocity = 0.5, shapes = {
    floc.segment { { -0.15 * width, 0 }, { 0.15 * width, 0 } }, floc.segment { { 0, -0.15 * width }, { 0, 0.15 * width } } } }
end

local function pour(number, density, from, to)
  local lower, upper = plane and { 0 } or { 0, 0 }, plane and { width } or { width, width }
  lower[up], upper[up] = from, to
  sim:add_particles { count = number, radius = { least, args.ratio * least }, density = density, region = floc.box { lower = lower, upper = upper } }
end
if args.heavy == "none" then
  pour(count, 1000, 0, top)
else
  local half = math.floor(count / 2)
  local above = args.heavy == "above"
  pour(half, 1000, 0, above and 0.5 * top or top)
  pour(count - half, 1000 * args.mass_ratio, above and 0.5 * top or 0, top)
end
record.run(sim, args)
