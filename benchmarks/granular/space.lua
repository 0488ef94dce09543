-- Columns of spheres collapse in space: in a channel (Lube, Huppert, Sparks and Freundt, Phys. Rev. E 72 (2005) 041301) or around an
-- axis (Lube, Huppert, Sparks and Hallworth, J. Fluid Mech. 508 (2004) 175): run-out over 1.2 a and 1.9 a^(2/3), or 1.24 a up to a = 1.7 and
-- 1.6 a^0.5 above. One line of output a run.
--
--   build/floc run benchmarks/granular/space.lua --column=channel --ratio=4 --seed=1
--
-- The channel is a slice, periodic across; the column stands against a smooth wall at x = 0 and runs out to one side, as half of one
-- that runs out to both. Around an axis it is the quarter between two smooth walls. The gate is taken away at once.
-- The front is that of the connected heap: grains that gaps below `gap` diameters join. In the channel it is the farthest of them,
-- around the axis the mean over nine equal sectors of the farthest in each. `thick` is where the heap, averaged across, is half a
-- diameter of grains and holes high (in a layer of solid fraction 0.6), another measure of its foot.
-- Soft spheres with a linear spring, friction and a resistance against rolling whose moment arm is `rolling` between grains and at the floor.
-- Units: mean diameter, mass of such a sphere, g = 1.
local floc = require "floc"
local args = floc.args {
  column = { "channel", one_of = { "channel", "axis" } },
  ratio = { 1, above = 0, text = "height over half width or radius" },
  across = { 15, integer = true, at_least = 4, text = "diameters over the half width or radius" },
  width = { 6, above = 3, text = "of the slice of the channel, in diameters" },
  friction = { 0.5, at_least = 0 },
  rolling = { 0.1, at_least = 0, text = "moment arm of the resistance against rolling, in diameters" },
  gap = { 0.5, at_least = 0, text = "in diameters, in the connected heap" },
  stiffness = { 2e4, above = 0, text = "in weights of a grain per diameter" },
  restitution = { 0.3, above = 0, below = 1 },
  steps = { 30, at_least = 15, text = "of time in a collision" },
  seed = 1,
}
local base, channel, k = args.across, args.column == "channel", args.stiffness
local log = math.log(args.restitution)
local damping = -2 * log * math.sqrt(k / 2 / (math.pi ^ 2 + log ^ 2))
local function rolls(p, q) -- the moment arm is this times 1/4 of a diameter between grains, 1/2 at the floor
  return (p == "smooth" or q == "smooth") and 0 or args.rolling / (p == q and 0.25 or 0.5)
end
local function rubs(p, q) return (p == "smooth" or q == "smooth") and 0 or args.friction end
local area = channel and base * args.width or math.pi / 4 * base ^ 2
local count = math.floor(0.6 * area * args.ratio * base * 6 / math.pi)
local loose = count * math.pi / 6 / 0.2 / area -- height of the rain
local far = base * (2 + 3 * args.ratio)
local sim = floc.simulation { dimension = 3, time_step = math.pi * math.sqrt(0.5 / k) / args.steps, gravity = { 0, 0, -1 }, seed = args.seed,
  boundary = channel and { "open", "periodic", "open" } or "open", domain = channel and floc.box { lower = { -1, 0, -1 }, upper = { far, args.width, loose + 2 } } or nil,
  scheme = floc.discrete_element { contact = "hooke", integrator = "velocity_verlet", rotation = true, materials = { "grain", "floor", "smooth" },
    stiffness = k, damping = damping, friction = "spring", friction_stiffness = 2 / 7 * k, friction_damping = damping / 2, friction_static = rubs, friction_dynamic = rubs,
    rolling_friction = rolls, rolling_stiffness = 0.1 * k, rolling_damping = damping / 2 } }
sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } }, material = "floor" }
sim:add_body { shape = floc.plane { normal = { 1, 0, 0 } }, material = "smooth" }
if not channel then sim:add_body { shape = floc.plane { normal = { 0, 1, 0 } }, material = "smooth" } end
local gate, region
if channel then
  gate = floc.plane { point = { base, 0, 0 }, normal = { -1, 0, 0 } }
  region = floc.box { lower = { 0, 0, 0 }, upper = { base, args.width, loose } }
else
  gate = floc.cylinder { { 0, 0, -1 }, { 0, 0, loose + 1 }, radius = base }
  region = floc.intersection { floc.box { lower = { 0, 0, 0 }, upper = { base, base, loose } }, floc.cylinder { { 0, 0, 0 }, { 0, 0, loose }, radius = base } }
end
gate = sim:add_body { shape = gate, material = "smooth" }
sim:add_particles { count = count, radius = { 0.45, 0.55 }, density = 6 / math.pi, region = region }
local step = 0
local function rest(fall) -- until all but 0.5 % of the grains are slower than 0.05; grains that roll away alone do so for long
  sim:run { until_time = sim.time + 3 * fall }
  local last = sim.time + 20 * fall
  sim:run { until_ = function()
    step = step + 1
    return step % 100 == 0 and (sim.time > last or sim:sum(function(vx, vy, vz) return vx * vx + vy * vy + vz * vz > 0.0025 end) < 0.005 * count)
  end }
end
rest(math.sqrt(args.ratio * base))
local high = 2 * sim:sum(function(mass, z) return mass * z end) / sim:sum(function(mass) return mass end)
local a, fall, began = high / base, math.sqrt(high), sim.time
sim:remove_body(gate)
rest(fall)

local function place(id) return channel and sim.x[id] or math.sqrt(sim.x[id] ^ 2 + sim.y[id] ^ 2) end
local of, size, largest = sim:clusters { gap = args.gap }.of, {}, 1
for id = 1, count do
  size[of[id]] = (size[of[id]] or 0) + 1
  if size[of[id]] > (size[largest] or 0) then largest = of[id] end
end
local sectors, fronts, rings, top = channel and 1 or 9, {}, {}, 0
for id = 1, count do
  if of[id] == largest then
    local r = place(id)
    local sector = channel and 1 or math.max(1, math.min(9, math.ceil(math.atan2(sim.y[id], sim.x[id]) / (math.pi / 2) * 9)))
    fronts[sector] = math.max(fronts[sector] or 0, r + sim.radius[id])
    local ring = math.max(0, math.floor(r))
    rings[ring] = (rings[ring] or 0) + math.pi / 6 * (2 * sim.radius[id]) ^ 3
    top = math.max(top, sim.z[id] + sim.radius[id])
  end
end
local front, farthest = 0, 0
for sector = 1, sectors do front, farthest = front + fronts[sector] / sectors, math.max(farthest, fronts[sector]) end
local thick = math.floor(farthest)
local function height(ring) return (rings[ring] or 0) / 0.6 / (channel and args.width or math.pi / 4 * ((ring + 1) ^ 2 - ring ^ 2)) end
while thick > 0 and height(thick) < 0.5 do thick = thick - 1 end
local run, foot = front / base - 1, (thick + 1) / base - 1
local part = math.min(1, math.max(0, a - 1.8)) -- of the way from one power to the other
local law = channel and (1 - part) * 1.2 * a + part * 1.9 * a ^ (2 / 3) or a < 1.7 and 1.24 * a or 1.6 * math.sqrt(a)
print(("space column=%s ratio=%g a=%.3f across=%d width=%g friction=%g rolling=%g stiffness=%g grains=%d loose=%d seed=%d runout=%.3f thick=%.3f height=%.3f over=%.3f thick_over=%.3f end=%.1f kinetic=%.2g"):format(
  args.column, args.ratio, a, base, args.width, args.friction, args.rolling, k, count, count - size[largest], args.seed, run, foot, top / base, run / law, foot / law,
  (sim.time - began) / fall, sim:measure "kinetic_energy"))
sim:picture { path = floc.output(("space_%s_%g_%d.png"):format(args.column, args.ratio, args.seed)), colour = "z", width = 900 }
