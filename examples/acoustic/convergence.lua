-- Zohdi 2016, section 7: how many rays are enough? The paper refines from 1000 to 10,000 rays and sees no noticeable
-- differences beyond. Here one pulse crosses the frozen agglomeration with more and more rays, and what it does is compared
-- with forty times the paper's number.
--
-- With --study=time_step the four pulses of the example are run with the greatest step halved at fixed pulse duration.

local floc = require "floc"

local args = floc.args {
  study = { "rays", one_of = { "rays", "time_step" }, text = "what is refined" },
  reference = { 400000, at_least = 1000, integer = true, text = "rays that the others are compared with" },
  repeats = { 8, at_least = 2, integer = true, text = "beams per number of rays, each drawn independently" },
  seeds = { 3, at_least = 2, integer = true, text = "realisations, for the time step" },
  seed = { 1, at_least = 1, integer = true, text = "of the first packing" },
  particles = { 2000, at_least = 10, integer = true, text = "spheres" },
  pictures = true,
}

local power = 7.07e11

local function agglomeration(seed, time_step)
  local sim = floc.simulation { dimension = 3, time_step = time_step, seed = seed,
    scheme = floc.discrete_element { thermal_softening = true, damping = 1e5, friction = "regularized",
      bonds = "persistent", viscosity = 1, first_time_step = 1e-5 } }
  sim:add_particles { count = args.particles, radius = 0.05, density = 6000, region = floc.ball { center = { 0, 0, 0 }, radius = 1 } }
  return sim
end

local function mean_and_scatter(list)
  local mean, square = 0, 0
  for _, value in ipairs(list) do mean = mean + value / #list end
  for _, value in ipairs(list) do square = square + (value - mean) ^ 2 end
  return mean, math.sqrt(square / (#list - 1))
end

-- ---- rays ---------------------------------------------------------------------------------------

local function study_rays()
  local sim = agglomeration(args.seed, 1e-4)
  local function pulse(rays, seed)
    local beam = sim:trace { source = floc.plane_wave { rays = rays, power = power, seed = seed }, by_particle = true }
    beam.per_ray, beam.share = beam.reflections / rays, beam.absorbed / beam.incident
    return beam
  end
  local truth = pulse(args.reference, 1000)

  -- How far the forces on the particles are from the reference's, in the mean square.
  local function force_error(beam)
    local difference, whole = 0, 0
    for id = 1, sim.count do
      for axis = 1, 3 do
        difference = difference + (beam.force[id][axis] - truth.force[id][axis]) ^ 2
        whole = whole + truth.force[id][axis] ^ 2
      end
    end
    return math.sqrt(difference / whole)
  end

  local counts, quantities = {}, { per_ray = {}, share = {}, I_x = {}, force = {} }
  local errors = { per_ray = {}, share = {}, I_x = {} }
  for rays = 1000, 10000, 1000 do
    local lists = { per_ray = {}, share = {}, I_x = {}, force = {} }
    for k = 1, args.repeats do
      local beam = pulse(rays, rays + k)
      lists.per_ray[k], lists.share[k], lists.I_x[k], lists.force[k] = beam.per_ray, beam.share, beam.retained[1], force_error(beam)
    end
    counts[#counts + 1] = rays
    for name, list in pairs(lists) do
      local mean, scatter = mean_and_scatter(list)
      quantities[name][#counts] = mean
      if errors[name] then errors[name][#counts] = scatter end
    end
    print(string.format("%6d rays: reflections per ray %.3f +- %.3f, absorbed %.4f +- %.4f, I_x %.4f +- %.4f, forces off by %.3f",
      rays, quantities.per_ray[#counts], errors.per_ray[#counts], quantities.share[#counts], errors.share[#counts],
      quantities.I_x[#counts], errors.I_x[#counts], quantities.force[#counts]))
  end

  local last = #counts
  local same = "no noticeable differences beyond 1000 to 10,000 rays"
  local function claim(item, text, value, error, tolerance)
    floc.report { item = item, claim = text, paper = "Zohdi 2016, 7", paper_says = same, value = value, standard_error = error / math.sqrt(args.repeats),
      expect = { equal = 1, tolerance = math.max(tolerance, 4 * error / math.sqrt(args.repeats)) }, band_from = "4 standard errors or more" }
  end
  claim("Z41", "reflections per ray: 10,000 rays against " .. args.reference, quantities.per_ray[last] / truth.per_ray, errors.per_ray[last] / truth.per_ray, 0.01)
  claim("Z41", "absorbed power, likewise", quantities.share[last] / truth.share, errors.share[last] / truth.share, 0.02)
  claim("Z41", "I_x, likewise", quantities.I_x[last] / truth.retained[1], errors.I_x[last] / math.abs(truth.retained[1]), 0.03)
  floc.report { item = "Z42", claim = "forces on single particles at 10,000 rays, relative error in the mean square", paper = "Zohdi 2016, 7", paper_says = "results are independent of the density of rays",
    value = quantities.force[last], expect = { at_least = 1, at_most = 2.2 }, band_from = "1.5 to 1.6 over packings", paper_band = { at_most = 0.1 },
    differs = "eight of nine hits are reflected totally and exert nothing, so a particle's force comes from few rays: it is sampled, not resolved" }
  floc.report { item = "Z42", claim = "the same over that at 1000 rays, times sqrt(10): 1 if sampling is all there is", paper = "Zohdi 2016, 7",
    value = quantities.force[last] / quantities.force[1] * math.sqrt(10), expect = { equal = 1, tolerance = 0.25 }, band_from = "a mean of independent rays" }
  if not args.pictures then return end
  local function band(name, scale)
    local lower, upper, values = {}, {}, {}
    for k, value in ipairs(quantities[name]) do
      values[k] = value / scale
      lower[k], upper[k] = (value - errors[name][k]) / scale, (value + errors[name][k]) / scale
    end
    return { x = counts, y = values, band_lower = lower, band_upper = upper, style = "line markers" }
  end
  local panels = {}
  for k, one in ipairs { { "per_ray", "reflections per ray", truth.per_ray }, { "share", "absorbed power", truth.share },
    { "I_x", "I_{x}", truth.retained[1] } } do
    panels[k] = { title = one[2] .. " over its limit", x = { label = "rays" }, series = { band(one[1], one[3]) },
      references = { { value = 1 } } }
  end
  panels[4] = { title = "relative error of forces", x = { label = "rays", logarithmic = true }, y = { logarithmic = true },
    series = { { x = counts, y = quantities.force, style = "line markers" } } }
  floc.plot { path = floc.output "convergence.png", panels = panels, columns = 2, width = 1100 }
end

-- ---- time step ----------------------------------------------------------------------------------

local function study_time_step()
  local function total(seed, time_step)
    local sim = agglomeration(seed, time_step)
    sim:add_ray_source(floc.plane_wave { power = power, period = 0.5, pulses = 4 })
    sim:run { until_time = 2 }
    return sim:ray_report().reflections
  end
  local coarse, fine = {}, {}
  for k = 1, args.seeds do
    coarse[k], fine[k] = total(args.seed + k - 1, 2.5e-4), total(args.seed + k - 1, 1.25e-4)
    print(string.format("seed %d: %d reflections with steps up to 0.25 ms, %d with half of it", args.seed + k - 1, coarse[k], fine[k]))
  end
  local a, scatter = mean_and_scatter(coarse)
  local b = mean_and_scatter(fine)
  floc.report { item = "Z26", claim = "change of the reflections with half the time step, in seed scatters", paper = "Zohdi 2016, 7", paper_says = "steps of at most 2.5e-4 s",
    value = math.abs(b - a) / scatter, expect = { at_most = 1 }, band_from = "the scatter of seeds" }
end

if args.study == "rays" then study_rays() else study_time_step() end
