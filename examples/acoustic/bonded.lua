-- A bonded agglomerate under acoustic pulses: what Zohdi 2016 is about (Figs. 1, 2 and 6), and what its text leaves open.
--
--   floc run examples/acoustic/bonded.lua
--   floc run examples/acoustic/bonded.lua --place=substrate --strength_spread=0.5
--
-- First the agglomerate is made: spheres without overlap are pulled together, press on each other beyond the strain at which
-- bonds form, come to rest, and the pull ends. Then four pulses, 0.5 s apart, as in agglomeration.lua. Bonds are persistent:
-- they pull by K_nb E^2 A_0, A_0 the greatest contact area that they have had, up to the strain 0.1, or each up to one of its own
-- (--strength_spread). With --place=substrate it is half a ball on a plate, to which it is bonded as well (Fig. 2); in a channel there is another plate above it.
--
-- How hard the agglomerate was pressed decides how many bonds there are, and through A_0 how strong: --pull. The power and
-- stiffness of the presets are those of another study of this model, with which `strong` and `weak` are compared.
-- benchmarks/acoustic/agglomerate.c is a program of its own for the same equations; --state=FILE writes what it reads.

local floc = require "floc"

local args = floc.args {
  preset = { "strong", one_of = { "strong", "weak" }, text = "strong: 7.07e11 W, stiffness and bonds ten times the paper's; weak: 4.71e10 W" },
  place = { "free", one_of = { "free", "substrate", "channel" }, text = "a ball; half a ball on a plate; the same in a channel" },
  strength_spread = { 0, at_least = 0, at_most = 0.999, text = "bonds break at 0.1 times a number from 1 less this to 1" },
  seeds = { 1, at_least = 1, integer = true, text = "realisations" },
  seed = { 1, at_least = 1, integer = true, text = "of the first realisation" },
  particles = { 2000, at_least = 2, integer = true, text = "spheres" },
  rays = { 10000, at_least = 1, integer = true, text = "per pulse" },
  pull = { 0, at_least = 0, text = "acceleration of the gather stage [m/s^2]; 0: 4 (strong), 1 (weak)" },
  gather = { 2, above = 0, text = "duration of the pull [s]; half a second without it follows" },
  state = { "", text = "file for the state of the first realisation before the first pulse" },
  pictures = { true, text = "draw the first realisation" },
}

local radius, pulses, period, rest = 0.05, 4, 0.5, 0.5
local stiffer = args.preset == "strong" and 10 or 1
local power = args.preset == "strong" and 7.07e11 or 4.71e10
local pull = args.pull > 0 and args.pull or (args.preset == "strong" and 4 or 1)
local on_plate = args.place ~= "free"
local started = args.gather + rest -- the time of the first pulse

local function make(seed)
  local sim = floc.simulation {
    dimension = 3, time_step = 2.5e-4, seed = seed,
    scheme = floc.discrete_element {
      stiffness = 1e7 * stiffer, least_stiffness = 1e6 * stiffer, thermal_softening = true, damping = 1e5,
      friction = "regularized", friction_stiffness = 1e7, friction_static = 0.4, friction_dynamic = 0.3,
      bonds = "persistent", bond_stiffness = 1e6 * stiffer, bond_tangential_stiffness = 1e3 * stiffer, bond_formation = 0.01, bond_breaking = 0.1,
      bond_bodies = on_plate, bond_strength_spread = args.strength_spread,
      viscosity = 1, first_time_step = 1e-5, tolerance = 5e-4, iterations = 10,
    },
  }
  -- The same space for each sphere at any number of them; half a ball has twice the volume of a ball.
  local reach = (args.particles / 2000 * (on_plate and 2 or 1)) ^ (1 / 3)
  local ball = floc.ball { center = { 0, 0, 0 }, radius = reach }
  if on_plate then
    sim:add_body { name = "substrate", shape = floc.plane { point = { 0, 0, 0 }, normal = { 0, 0, 1 } } }
    ball = floc.intersection { ball, floc.box { lower = { -reach, -reach, 0 }, upper = { reach, reach, reach } } }
  end
  if args.place == "channel" then
    sim:add_body { name = "roof", shape = floc.plane { point = { 0, 0, 1.2 * reach }, normal = { 0, 0, -1 } } }
  end
  sim:add_particles { count = args.particles, radius = radius, density = 6000, region = ball }
  local ends, calm = args.gather, started - 0.05
  sim:add_field { name = "gather", law = function(x, y, z, vx, vy, vz, mass, t)
    local away = math.sqrt(x * x + y * y + z * z + 1e-12)
    local force = t < ends and mass * pull / away or 0
    local drag = t < calm and 5 * mass or 0
    return -force * x - drag * vx, -force * y - drag * vy, -force * z - drag * vz
  end }
  sim:set_media { density = { 1000, 6000 }, sound_speed = { 1500, 4500 } }
  sim:add_ray_source(floc.plane_wave { direction = { 1, 0, 0 }, radius = 1, rays = args.rays, power = power, start = started, period = period,
    pulses = pulses, aim = { 0, 0, on_plate and 1 or 0 } })
  return sim
end

local function write_state(sim, path)
  local file = assert(io.open(path, "w"))
  for id = 1, sim.count do
    file:write(("particle %.17g %.17g %.17g %.17g %.17g %.17g\n"):format(sim.x[id], sim.y[id], sim.z[id], sim.vx[id], sim.vy[id], sim.vz[id]))
  end
  for _, bond in ipairs(sim:bonds()) do file:write(("bond %d %d %.17g\n"):format(bond.id_i, bond.id_j, bond.area)) end
  file:close()
end

local looks = { 0, 0.48, 0.98, 1.48, 1.99 } -- after the first pulse: before each of the others, and at the end
local panels = floc.panels { columns = 3, title = "bonded, preset " .. args.preset .. ", " .. args.place, shared_scale = true }
local results = {}

-- Fragments that are 2^(k-1) to 2^k - 1 spheres large, held together by bonds.
local function classes(sizes)
  local counts = {}
  for _, size in ipairs(sizes) do
    local class = math.floor(math.log(size) / math.log(2) + 1e-9) + 1
    counts[class] = (counts[class] or 0) + 1
  end
  return counts
end

local function realise(seed, first)
  local sim, result = make(seed), { bonds = {}, walls = {}, largest = {}, fragments = {}, energy = {} }
  for k, time in ipairs(looks) do
    sim:run { until_time = started + time, progress = false }
    if k == 1 and first and args.state ~= "" then write_state(sim, args.state) end
    local report, clusters = sim:element_report(), sim:clusters { by = "bond" }
    result.bonds[k], result.walls[k], result.energy[k] = report.bonds, report.wall_bonds, report.kinetic_energy
    result.largest[k], result.fragments[k] = clusters.largest, classes(clusters.sizes)
    result.single = clusters.single / sim.count
    if first and args.pictures then
      panels:add(sim, { title = ("t = %.2f s, %d bonds"):format(time, report.bonds), colour = "speed", unit = "m s^{-1}", lower = { -2, -2, on_plate and -0.5 or -2 },
        upper = { 4, 2, 2 }, direction = { 0.2, -1, -0.3 }, length_unit = "m" })
    end
  end
  result.gyration = sim:measure "gyration_radius"
  result.rays = sim:ray_report()
  print(("seed %d: bonds %s; to plates %s; largest fragment %s; kinetic energy %.0f J, radius of gyration %.3f m at the end"):format(seed,
    table.concat(result.bonds, " "), table.concat(result.walls, " "), table.concat(result.largest, " "), result.energy[#looks], result.gyration))
  return result
end

for k = 1, args.seeds do results[k] = realise(args.seed + k - 1, k == 1) end

local function mean_of(value)
  local sum, square = 0, 0
  for _, one in ipairs(results) do sum = sum + value(one) / #results end
  for _, one in ipairs(results) do square = square + (value(one) - sum) ^ 2 end
  return sum, #results > 1 and math.sqrt(square / (#results - 1) / #results) or nil
end

-- The other study's numbers are means of ten seeds at its size, without plates and with bonds of one strength: eight seeds of ours
-- are enough to tell them apart (its deviations are 44 to 130, ours 57 to 120).
local is_its = args.seeds >= 8 and args.place == "free" and args.strength_spread == 0 and args.particles == 2000 and args.rays == 10000 and args.pull == 0 and args.gather == 2
local study = args.preset == "strong" and { 7963, 6024, 4053, 2251, 1018 } or { 7485, nil, nil, nil, 3236 }
local why = "its numbers are those of strains over the present distance of the centres, where (14) has the sum of the radii: a program of its own agrees with "
  .. "floc as (14) has it, and with the other study so (README.md)"
local apart = args.preset == "strong" and { [2] = why, [3] = why, [4] = why, [5] = why } or {}

local function claim(item, text, says, unit, value, more)
  local mean, spread = mean_of(value)
  local one = { item = item, claim = text, paper = "Zohdi 2016, 7", paper_says = says, unit = unit, value = mean, ensemble = args.seeds, standard_error = spread }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end

for k, time in ipairs(looks) do
  local known = is_its and study[k] and { paper_value = study[k], paper_band = { equal = study[k], tolerance = k == 1 and 200 or 150 }, differs = apart[k] } or nil
  claim(k == 1 and "Z45" or "Z66", ("bonds at %.2f s"):format(time), "another study of this model", nil, function(one) return one.bonds[k] end, known)
end
claim("Z45", "kinetic energy before the first pulse over that at the end", "converges to an equilibrium first", nil, function(one) return one.energy[1] / one.energy[#looks] end)
claim("Z66", "largest fragment at the end", nil, nil, function(one) return one.largest[#looks] end)
claim("Z66", "share of the spheres that are single at the end", nil, nil, function(one) return one.single end)
claim("Z66", "kinetic energy at the end", nil, "J", function(one) return one.energy[#looks] end)
claim("Z66", "radius of gyration at the end", nil, "m", function(one) return one.gyration end)
if on_plate then
  claim("Z46", "bonds to plates before the first pulse", "an agglomerate on a substrate", nil, function(one) return one.walls[1] end)
  claim("Z46", "bonds to plates at the end", "an agglomerate on a substrate", nil, function(one) return one.walls[#looks] end)
end

-- Fragment sizes, as mean numbers of fragments in classes of powers of two.
local file = assert(io.open(floc.output "fragments.tsv", "w"))
file:write("time\tsmallest\tlargest\tfragments\n")
local series = {}
for k, time in ipairs(looks) do
  local x, y = {}, {}
  for class = 1, math.floor(math.log(args.particles) / math.log(2)) + 1 do
    local mean = mean_of(function(one) return one.fragments[k][class] or 0 end)
    file:write(("%g\t%d\t%d\t%.6g\n"):format(time, 2 ^ (class - 1), 2 ^ class - 1, mean))
    if mean > 0 then x[#x + 1], y[#y + 1] = 2 ^ (class - 1) * math.sqrt(2), mean end
  end
  series[k] = { name = ("t = %.2f s"):format(time), x = x, y = y, style = "line markers" }
end
file:close()
if args.pictures then
  panels:write(floc.output "bonded.png")
  floc.plot { path = floc.output "fragments.png", title = "Fragments held together by bonds, preset " .. args.preset,
    x = { label = "spheres of a fragment, classes of powers of two", logarithmic = true }, y = { label = "fragments", logarithmic = true }, series = series }
end
