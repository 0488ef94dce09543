-- Rigid assemblies that fall into a box: pairs, crosses of five, rods; heavy: every second one is heavier by this factor.
local floc = require "floc"
local record = require "record"

local args = record.args { dimension = 2, kind = { "pair", one_of = { "pair", "cross", "rod" } }, clumps = 100, members = 2, heavy = 1, free = 0,
  time_step = 2e-3 }
local plane, radius = args.dimension == 2, 0.02
local function members(kind)
  local list = {}
  if kind == "cross" then
    list[1] = { 0, 0, 0 }
    for axis = 1, args.dimension do
      for side = -1, 1, 2 do
        local place = { 0, 0, 0 }
        place[axis] = 1.6 * side
        list[#list + 1] = place
      end
    end
  else
    local count = kind == "pair" and 2 or args.members
    for k = 1, count do list[k] = { 1.6 * (k - 0.5 * (count + 1)), 0, 0 } end
  end
  return list
end
local places = members(args.kind)
local hull = radius
for _, place in ipairs(places) do hull = math.max(hull, radius * (1 + math.sqrt(place[1] ^ 2 + place[2] ^ 2 + place[3] ^ 2))) end

local count = args.clumps + args.free
local width = plane and 1.1 * math.sqrt(count) * 2 * hull or 1.2 * count ^ (1 / 3) * 2 * hull
local height = plane and count * math.pi * hull ^ 2 / (0.42 * width) or count * 4.19 * hull ^ 3 / (0.2 * width ^ 2)
local lower, upper = plane and { 0, 0 } or { 0, 0, 0 }, plane and { width, height } or { width, width, height }
local scratch = floc.simulation { dimension = args.dimension, time_step = 1, seed = args.seed }
scratch:add_particles { count = count, radius = hull, region = floc.box { lower = lower, upper = upper } }

local sim = floc.simulation { dimension = args.dimension, time_step = args.time_step, gravity = plane and { 0, -10 } or { 0, 0, -10 }, seed = args.seed,
  scheme = floc.inelastic(record.scheme(args, 0.8 * radius)) }
if plane then
  sim:add_body { shape = floc.polyline { { 0, 4 * height }, { 0, 0 }, { width, 0 }, { width, 4 * height } } }
else
  sim:add_body { shape = floc.box { lower = lower, upper = { width, width, 4 * height } } }
end
for k = 1, count do
  local at = { scratch.x[k], scratch.y[k], not plane and scratch.z[k] or 0 }
  if k > args.clumps then
    sim:add_particle { position = plane and { at[1], at[2] } or at, radius = radius, mass = 1 }
  else
    -- Turned by an angle of its own, in the plane of the first two axes.
    local angle, ids = 2.399963 * k, {}
    local c, s = math.cos(angle), math.sin(angle)
    for _, place in ipairs(places) do
      local where = { at[1] + radius * (c * place[1] - s * place[2]), at[2] + radius * (s * place[1] + c * place[2]), at[3] + radius * place[3] }
      if plane then where[3] = nil end
      ids[#ids + 1] = sim:add_particle { position = where, radius = (0.8 + 0.1 * (k % 3)) * radius, mass = 1 }
    end
    sim:add_assembly { particles = ids, mass = #ids * (k % 2 == 0 and args.heavy or 1) }
  end
end
record.run(sim, args)
