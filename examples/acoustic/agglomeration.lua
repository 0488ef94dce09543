-- Zohdi 2016, section 7: 2000 spheres in a ball are hit by four acoustic pulses, 0.5 s apart, of 10,000 rays each.
--
-- Presets: `printed` takes the power as printed, 7.06e13 W; `pressure` what the sentence beside it says, 150 MPa times
-- 1500 m/s times the beam's area, which is a hundredth of that; `cohesive` is `pressure` with contacts and bonds ten
-- times as stiff. How long a ray's force acts, friction's dependence on the step and bonds in tension are not
-- determined by the text: see the README next to this file.

local floc = require "floc"

local args = floc.args {
  preset = { "pressure", one_of = { "printed", "pressure", "cohesive" }, text = "which reading of the pulse's power" },
  seeds = { 1, at_least = 1, integer = true, text = "realisations; means and scatter are reported" },
  seed = { 1, at_least = 1, integer = true, text = "of the first realisation" },
  particles = { 2000, at_least = 1, integer = true, text = "spheres" },
  rays = { 10000, at_least = 1, integer = true, text = "per pulse" },
  time_step = { 2.5e-4, above = 0, text = "upper bound of the adaptive step [s]" },
  duration = { 1e-5, above = 0, text = "how long the force of a pulse acts [s]" },
  bonds = { "persistent", one_of = { "persistent", "literal", "none" }, text = "literal: as printed, without tension" },
  gap = { 0.05, at_least = 0, text = "surface distance that joins a cluster [m]" },
  in_flight = { false, text = "rays travel with the sound speed instead of crossing at once" },
  pictures = { true, text = "draw the first realisation" },
  files = { false, text = "of the first realisation, for floc view and ParaView, with the paths of 200 rays" },
}

local radius, density, pulses, period = 0.05, 6000, 4, 0.5
local power = args.preset == "printed" and 7.06e13 or 150e6 * 1500 * math.pi
local stiffer = args.preset == "cohesive" and 10 or 1

local function make(seed)
  local sim = floc.simulation {
    dimension = 3, time_step = args.time_step, seed = seed,
    scheme = floc.discrete_element {
      stiffness = 1e7 * stiffer, least_stiffness = 1e6 * stiffer, thermal_softening = true, damping = 1e5,
      friction = "regularized", friction_stiffness = 1e7, friction_static = 0.4, friction_dynamic = 0.3,
      bonds = args.bonds, bond_stiffness = 1e6 * stiffer, bond_tangential_stiffness = 1e3 * stiffer,
      bond_formation = 0.01, bond_breaking = 0.1,
      viscosity = 1, first_time_step = 1e-5, tolerance = 5e-4, iterations = 10,
    },
  }
  sim:add_particles { count = args.particles, radius = radius, density = density,
    region = floc.ball { center = { 0, 0, 0 }, radius = 1 } }
  sim:set_media { density = { 1000, 6000 }, sound_speed = { 1500, 4500 } }
  sim:add_ray_source(floc.plane_wave { direction = { 1, 0, 0 }, radius = 1, rays = args.rays, power = power,
    duration = args.duration, period = period, pulses = pulses, in_flight = args.in_flight })
  return sim
end

local panels = floc.panels { columns = 3, title = "preset " .. args.preset, shared_scale = true }
local history -- of the first realisation, in its sim.state: there it survives a resume

local function draw(sim)
  panels:add(sim, { title = string.format("t = %.2f s", sim.time), colour = "speed", unit = "m s^{-1}",
    lower = { -2.5, -3, -3 }, upper = { 5, 3, 3 }, direction = { 0.2, -0.3, -1 }, length_unit = "m" })
end

local function note(sim)
  local history, report = sim.state.history, sim:ray_report()
  local n = #history.time + 1
  history.time[n], history.reflections[n] = sim.time, report.reflections
  local square = 0
  for axis = 1, 3 do
    history.retained[axis][n] = report.retained[axis]
    square = square + report.retained[axis] ^ 2
  end
  history.retained[4][n] = math.sqrt(square)
end

-- One realisation: what it was like after each pulse's half second.
local function realise(seed, first)
  local sim = make(seed)
  local begun, result = os.clock(), { reflections = {}, largest = {}, inside = 0 }
  local pressed, rubbed = 0, 0 -- forces of all contacts along and across their normals, at the ends of the pulses' half seconds
  for id = 1, sim.count do
    local reaches = math.sqrt(sim.x[id] ^ 2 + sim.y[id] ^ 2 + sim.z[id] ^ 2) + radius
    if reaches <= 1 + 1e-12 and sim.radius[id] == 0.05 then result.inside = result.inside + 1 end
  end
  if first and args.pictures then draw(sim) end
  if first and args.files then
    local beam = floc.plane_wave { direction = { 1, 0, 0 }, radius = 1, rays = 200, power = power / args.rays * 200 }
    sim:write_vtp { path = floc.output "agglomeration", every = 20, ray_paths = function() return sim:trace { source = beam, paths = true }.paths end }
    sim:observe { path = floc.output "agglomeration.tsv", every = 20, columns = { "time", "kinetic_energy",
      { "reflections", function() return sim:ray_report().reflections end }, { "bonds", function() return sim:element_report().bonds end } } }
  end
  if first then
    sim.state.history = { time = {}, reflections = {}, retained = { {}, {}, {}, {} } }
    sim:every(20, note)
  end
  for pulse = 1, pulses do
    sim:run { until_time = period * pulse }
    local report = sim:ray_report()
    result.reflections[pulse] = report.reflections
    result.largest[pulse] = sim:clusters { by = "gap", gap = args.gap }.largest
    for _, contact in ipairs(sim:contacts()) do
      if contact.distance < 0 then
        pressed = pressed + math.abs(contact.impulse)
        rubbed = rubbed + math.sqrt(contact.friction[1] ^ 2 + contact.friction[2] ^ 2 + contact.friction[3] ^ 2)
      end
    end
    result.budget = math.abs(report.absorbed + report.escaped + report.residual + report.in_flight - report.incident)
      / report.incident
    if first and args.pictures then draw(sim) end
  end
  result.seconds = os.clock() - begun
  if first then history = sim.state.history end
  result.rubbing = pressed > 0 and rubbed / pressed or 0
  result.gyration = sim:measure "gyration_radius"
  result.spread = math.sqrt(sim:moment { column = "x", about = "mean", order = 2 })
  result.elements, result.rays = sim:element_report(), sim:ray_report()
  return result
end

local results = {}
for k = 1, args.seeds do
  results[k] = realise(args.seed + k - 1, k == 1)
  local one = results[k]
  print(string.format("seed %d: reflections after each pulse %d %d %d %d; largest cluster %d %d %d %d; radius of gyration %.3f m; "
    .. "%d bonds; %.2f s CPU", args.seed + k - 1, one.reflections[1], one.reflections[2], one.reflections[3], one.reflections[4],
    one.largest[1], one.largest[2], one.largest[3], one.largest[4], one.gyration, one.elements.bonds, one.seconds))
end

-- Mean and scatter of a number over the realisations.
local function statistics(value)
  local mean, square = 0, 0
  for _, one in ipairs(results) do mean = mean + value(one) / #results end
  for _, one in ipairs(results) do square = square + (value(one) - mean) ^ 2 end
  return mean, #results > 1 and math.sqrt(square / (#results - 1)) or nil
end

-- What the paper says, and what came out; the bands are of ensembles of this preset (ensembles.tsv).
local function claim(item, text, says, unit, value, more)
  local mean, scatter = statistics(value)
  local one = { item = item, claim = text, paper = "Zohdi 2016, 7", paper_says = says, unit = unit, value = mean, ensemble = args.seeds,
    standard_error = scatter and scatter / math.sqrt(args.seeds) or nil }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end

local paper_range = { paper_value = "59,238; 58,000 to 62,000", paper_band = { at_least = 58000, at_most = 62000 } }
if args.preset ~= "printed" then
  paper_range.differs = "at the power that the pressure gives, which breaks the agglomerate up; the printed power gives the paper's number"
end
claim(args.preset == "printed" and "Z34" or "Z37", "reflections of four pulses", "over 20 realisations", nil, function(one) return one.reflections[pulses] end, paper_range)
for pulse = 1, pulses - 1 do
  claim("Z38", ("share of the reflections up to pulse %d"):format(pulse), "Fig. 9: accumulated reflections", nil, function(one)
    return one.reflections[pulse] / one.reflections[pulses]
  end)
end
-- "Broken up and dispersed after about 4 pulses": no more than a hundredth is left together.
for pulse = 1, pulses do
  local last = pulse == pulses and { paper_value = "broken up after about 4 pulses", paper_band = { at_most = args.particles / 100 } } or nil
  claim(last and "Z36" or "Z63", ("largest cluster after pulse %d, gap %g m"):format(pulse, args.gap), "the agglomerate breaks up", nil,
    function(one) return one.largest[pulse] end, last)
end
claim("Z63", "radius of gyration at 2 s", "statistics of the break-up", "m", function(one) return one.gyration end)
claim("Z63", "spread along the beam at 2 s, root of the second moment (40)", "statistics of the break-up", "m", function(one) return one.spread end)
claim("Z62", "power absorbed, share of the incident", "not all of the energy is absorbed", nil, function(one) return one.rays.absorbed / one.rays.incident end)
claim("Z62", "kinetic energy at 2 s over what was absorbed", "not all absorbed energy moves material", nil,
  function(one) return one.elements.kinetic_energy / (one.rays.absorbed * args.duration) end, { paper_band = { at_most = 1 } })
claim("Z16", "forces of contacts across their normals over those along them", "stick and slip, mu_s 0.4, mu_d 0.3", nil, function(one) return one.rubbing end)
claim("Z45", "bonds at 2 s", nil, nil, function(one) return one.elements.bonds end)
claim("Z26", "evaluations of all forces in 2 s", "steps of at most 2.5e-4 s", nil, function(one) return one.elements.evaluations end)
if args.seeds > 1 and args.preset == "printed" and args.particles == 2000 and args.rays == 10000 then
  local low, high = math.huge, 0
  for _, one in ipairs(results) do low, high = math.min(low, one.reflections[pulses]), math.max(high, one.reflections[pulses]) end
  for k, value in ipairs { low, high } do
    floc.report { item = "Z35", claim = k == 1 and "fewest reflections of the realisations" or "most reflections of the realisations", paper = "Zohdi 2016, 7", paper_says = "58,000 to 62,000 over realisations",
      value = value, expect = { at_least = 57000, at_most = 63000 }, band_from = "one deviation more", paper_band = { at_least = 57000, at_most = 63000 } }
  end
end
do
  local budget = statistics(function(one) return one.budget end)
  floc.report { item = "Z56", claim = "power budget: |absorbed + escaped + residual + in flight - incident| / incident", paper = "Zohdi 2016, (5)", value = budget,
    expect = { at_most = 1e-13 }, band_from = "rounding" }
  floc.report { item = "Z29", claim = "spheres in the ball of radius 1", paper = "Zohdi 2016, 7", paper_value = 2000, value = results[1].inside, expect = { equal = args.particles, tolerance = 0 },
    band_from = "exact", paper_band = args.particles ~= 2000 and { equal = args.particles, tolerance = 0 } or nil, paper_says = "N_p = 2000, d/D = 0.05" }
  floc.report { item = "Z44", claim = "CPU time of a realisation", paper = "Zohdi 2016, 7", paper_says = "two minutes on a laptop", unit = "s",
    value = (statistics(function(one) return one.seconds end)), paper_band = { at_most = 120 } }
end

if args.pictures then
  panels:write(floc.output "agglomeration.png")
  floc.plot { path = floc.output "reflections.png", title = "accumulated reflections (Fig. 9), preset " .. args.preset,
    x = { label = "time", unit = "s" }, y = { label = "reflections", lower = 0 },
    series = { { name = "floc", x = history.time, y = history.reflections, style = "steps" } },
    references = { { value = 58000, second = 62000, label = "paper, four pulses" } } }
  local series = {}
  for k, name in ipairs { "I_x", "I_y", "I_z", "magnitude" } do
    series[k] = { name = name:gsub("_(.)", "_{%1}"), x = history.time, y = history.retained[k], style = "steps" }
  end
  floc.plot { path = floc.output "retained.png", title = "power retained in the beam, all pulses so far (39)",
    x = { label = "time", unit = "s" }, y = { label = "share of the incident power" }, series = series }
end
