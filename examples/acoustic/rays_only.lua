-- Zohdi 2016, Figs. 7, 8 and 10: one pulse through the agglomeration, without motion of the particles. Rays travel with
-- the sound speed of the water, so that the pulse can be watched; and the law of how often they are reflected.
--
-- For spheres that lie entirely in a ball of radius R_b lit by a uniform beam of the same radius, the number of
-- reflections per ray, averaged over the directions of the beam, is the sum of R_k^2 / R_b^2, whatever the packing:
-- a flux balance (Cauchy). For the paper's packing it is 5.

local floc = require "floc"

local args = floc.args {
  directions = { 400, at_least = 0, integer = true, text = "number of beams for the law; 0 leaves it out" },
  rays = { 10000, at_least = 1, integer = true, text = "per beam of the pulse that is watched" },
  law_rays = { 10000, at_least = 1, integer = true, text = "per beam for the law" },
  shown = { 1500, at_least = 1, integer = true, text = "rays in the pictures" },
  seed = { 1, at_least = 1, integer = true, text = "of the packing" },
  pictures = true,
}

local power = 7.07e11
local still = floc.discrete_element { integrator = "velocity_verlet" }

local function packing(time_step, groups)
  local sim = floc.simulation { dimension = 3, time_step = time_step, seed = args.seed, scheme = still }
  for _, group in ipairs(groups) do
    group.density, group.region = 6000, floc.ball { center = { 0, 0, 0 }, radius = 1 }
    sim:add_particles(group)
  end
  return sim
end

local paper = { { count = 2000, radius = 0.05 } }

-- ---- the law ------------------------------------------------------------------------------------

-- Points spread evenly over a sphere.
local function direction(k, count)
  local z, angle = (2 * k - 1) / count - 1, 2.399963229728653 * k
  local r = math.sqrt(1 - z * z)
  return { r * math.cos(angle), r * math.sin(angle), z }
end

local function law(name, groups, tolerance, printed)
  local sim = packing(1, groups)
  local expected, mean, square, budget = 0, 0, 0, 0
  for id = 1, sim.count do expected = expected + sim.radius[id] ^ 2 end
  if printed then -- of the paper's numbers, not of this run's
    floc.report { item = "Z29", claim = "sum of R_k^2 over R_b^2", paper = "Zohdi 2016, 7", paper_says = "2000 spheres of d/D = 0.05", value = expected,
      expect = { equal = printed, tolerance = 1e-12 }, band_from = "exact" }
    expected = printed
  end
  for k = 1, args.directions do
    local beam = sim:trace { source = floc.plane_wave { direction = direction(k, args.directions), rays = args.law_rays,
      seed = args.seed + k } }
    local per_ray = beam.reflections / beam.rays
    mean, square = mean + per_ray / args.directions, square + per_ray ^ 2 / args.directions
    budget = math.max(budget, math.abs(beam.absorbed + beam.escaped + beam.residual - beam.incident) / beam.incident)
  end
  local error = math.sqrt((square - mean ^ 2) / args.directions)
  floc.report { item = "Z55", claim = ("reflections per ray, %s, mean of %d directions"):format(name, args.directions), standard_error = error, paper = "flux balance",
    value = mean, expect = { equal = expected, tolerance = math.max(tolerance, 4 * error) }, band_from = "sum of R_k^2 / R_b^2" }
  floc.report { item = "Z56", claim = "power budget of these beams, worst, " .. name, paper = "Zohdi 2016, (5)", value = budget, expect = { at_most = 1e-13 }, band_from = "rounding" }
end

if args.directions > 0 then
  law("2000 spheres", paper, 0.01, 2000 * 0.05 ^ 2)
  law("mixed radii", { { count = 40, radius = 0.12 }, { count = 300, radius = { 0.05, 0.08 } }, { count = 800, radius = 0.03 } }, 0.01)
end

-- ---- a pulse that travels -----------------------------------------------------------------------

-- So weak that nothing moves.
local weak = 1

local function pulse(rays, time_step)
  local sim = packing(time_step, paper)
  sim:add_ray_source(floc.plane_wave { rays = rays, power = weak, in_flight = true, distance = 1.05, seed = args.seed })
  return sim
end

local sim = pulse(args.rays, 2e-5)
local time, reflections, retained = {}, {}, { {}, {}, {}, {} }
local end_of_rays, under_way
sim:run { steps = 1, progress = false } -- the first rays have not arrived
local at_start = math.sqrt((sim:ray_report().retained[1] - 1) ^ 2 + sim:ray_report().retained[2] ^ 2 + sim:ray_report().retained[3] ^ 2)
repeat
  sim:run { steps = 5, progress = false }
  local report, n = sim:ray_report(), #time + 1
  time[n], reflections[n] = sim.time * 1e3, report.reflections
  local square = 0
  for axis = 1, 3 do
    retained[axis][n] = report.retained[axis]
    square = square + report.retained[axis] ^ 2
  end
  retained[4][n] = math.sqrt(square)
  end_of_rays = report
  if sim.time < 1.2e-3 + 1e-9 then under_way = report.rays_in_flight / args.rays end
until report.rays_in_flight == 0 or sim.time > 0.05

local function claim(item, text, says, where, value)
  floc.report { item = item, claim = text, paper = "Zohdi 2016, " .. where, paper_says = says, value = value, ensemble = 1 }
end
claim("Z38", "reflections of a pulse along x", "first quarter of the curve", "Fig. 9", end_of_rays.reflections)
claim("Z47", "absorbed share of its power", "the vectors become shorter", "Figs. 7, 8", end_of_rays.absorbed / end_of_rays.incident)
claim("Z39", "I_x (39) when all rays have left", "I_x falls", "Fig. 10", end_of_rays.retained[1])
floc.report { item = "Z40", claim = "I (39) at the start: length of the sum of the vectors less the beam's direction", paper = "Zohdi 2016, (39)", paper_says = "normalised pulse strengths",
  value = at_start, expect = { at_most = 1e-12 }, band_from = "exact" }
claim("Z47", "share of the rays under way at 1.2 ms", "rays pass", "Figs. 7, 8", under_way)
floc.report { item = "Z56", claim = "power budget of the pulse", paper = "Zohdi 2016, (5)", value = math.abs(end_of_rays.absorbed + end_of_rays.escaped
  + end_of_rays.residual + end_of_rays.in_flight - end_of_rays.incident) / end_of_rays.incident, expect = { at_most = 1e-13 }, band_from = "rounding" }
claim("Z47", "time at which the last ray has left, in ms", "rays pass", "Figs. 7, 8", sim.time * 1e3)

if args.pictures then
  floc.plot { path = floc.output "reflections.png", title = "reflections of one pulse (Fig. 9, first quarter)",
    x = { label = "time", unit = "ms", upper = 8 }, y = { label = "reflections", lower = 0 },
    series = { { x = time, y = reflections } } }
  local series = {}
  for k, name in ipairs { "I_{x}", "I_{y}", "I_{z}", "magnitude" } do series[k] = { name = name, x = time, y = retained[k] } end
  floc.plot { path = floc.output "retained.png", title = "power retained in the beam (Fig. 10)",
    x = { label = "time", unit = "ms", upper = 8 }, y = { label = "share of the incident power" }, series = series }

  local dark = 0x161a22 -- the strongest rays are nearly white
  local watched = pulse(args.shown, 2e-5)
  local panels = floc.panels { columns = 3, background = dark, title = "a pulse in the agglomeration (Figs. 7 and 8)" }
  for _, moment in ipairs { 0.1, 0.6, 0.9, 1.2, 1.6, 2.4 } do
    watched:run { until_time = moment * 1e-3, progress = false }
    panels:add(watched, { title = string.format("%.1f ms, %d rays under way", watched.time * 1e3, #watched:rays()),
      rays = true, ray_power = weak / args.shown, ray_length = 0.35, ray_unit = "W",
      lower = { -1.6, -1.3, -1.3 }, upper = { 1.6, 1.3, 1.3 }, direction = { 0.25, -0.35, -1 }, length_unit = "m" })
  end
  panels:write(floc.output "rays.png")
  local paths = watched:trace { source = floc.plane_wave { rays = 400, power = power }, paths = true }.paths
  watched:picture { path = floc.output "paths.png", rays = paths, ray_unit = "W", ray_width = 1,
    direction = { 0.25, -0.35, -1 }, lower = { -1.6, -1.3, -1.3 }, upper = { 1.6, 1.3, 1.3 }, length_unit = "m",
    background = dark, caption = "paths of 400 rays, coloured by their power" }
end
