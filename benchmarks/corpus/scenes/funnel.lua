-- Grains run out of a funnel; below it they fall freely. Inelastic or gluey.
local floc = require "floc"
local record = require "record"

local args = record.args { dimension = 2, grains = 900, outlet = 0.2, gamma_min = 0, time_step = 2e-3,
  gluey_rule = { "bounded", one_of = { "bounded", "equality" } } }
local plane = args.dimension == 2
local half = 0.5
local radius = plane and 0.8 * math.sqrt(1 / (args.grains * math.pi)) or 0.62 * (0.8 * 0.75 / (args.grains * math.pi)) ^ (1 / 3)
local glued = args.gamma_min < 0
local options = record.scheme(args, 0.8 * radius, glued and { gamma_min = args.gamma_min, gluey_rule = args.gluey_rule } or {})
local sim = floc.simulation { dimension = args.dimension, time_step = args.time_step, gravity = plane and { 0, -10 } or { 0, 0, -10 }, seed = args.seed,
  scheme = glued and floc.gluey(options) or floc.inelastic(options) }
local shapes = { floc.funnel { top = 2 * half, bottom = args.outlet, height = 0.5, facets = 12 } }
if plane then
  for side = -1, 1, 2 do shapes[#shapes + 1] = floc.segment { { side * half, 0.5 }, { side * half, 5 } } end
end
sim:add_body { name = "funnel", shapes = shapes }
local inner = plane and half or 0.3
sim:add_particles { count = args.grains, radius = { 0.8 * radius, 1.2 * radius }, density = 1000,
  region = floc.box { lower = plane and { -inner, 0.5 } or { -inner, -inner, 0.5 }, upper = plane and { inner, 3 } or { inner, inner, 3 } } }
record.run(sim, args)
