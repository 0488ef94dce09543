-- The sedimentation of Lefebvre (2009), 4.3, with fewer grains: dry and viscous side by side from the same start, and in
-- numbers what Figs. 17 and 18 show in two pictures: the viscous flow is slower, and glued where the grains are pressed.
--
--   floc run examples/gluey/dry_and_gluey.lua
local floc = require "floc"
if arg then package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path end -- plain Lua; floc run knows this folder
local way_down = require "way_down"

local args = floc.args { particles = 300, steps = 14226, seed = 1 }

local function start(scheme)
  local sim = floc.simulation { time_step = 1e-3, seed = args.seed, gravity = { 0, -10 }, scheme = scheme }
  way_down.build(sim)
  sim:add_particles { count = args.particles, radius = { 0.015, 0.025 }, mass = 2, region = way_down.funnel(math.max(args.particles / 2400, 0.1)) }
  return sim
end

-- What a run does, in times and counts.
local function follow(sim)
  local seen = { least = 0, funnel = { 0, 0 }, wheel = { 0, 0 }, grains_in_funnel = 0, grains_at_wheel = 0 }
  local function add(place, gamma) place[1], place[2] = place[1] + gamma, place[2] + 1 end
  sim:every(25, function()
    local passed = way_down.count_where(sim, way_down.passed_outlet)
    if passed >= sim.count / 2 and not seen.half then seen.half = sim.time end
    if sim.step == 3000 then seen.passed = passed end
  end)
  sim:every(100, function()
    seen.grains_in_funnel = seen.grains_in_funnel + way_down.count_where(sim, function(_, y) return y > 0 and y < 1.6 end)
    seen.grains_at_wheel = seen.grains_at_wheel + way_down.count_where(sim, function(_, y) return y < -0.1 and y > -0.95 end)
    for _, contact in ipairs(sim:contacts()) do
      if contact.gamma and contact.gamma < 0 then
        local y = sim.y[contact.id_i]
        seen.least = math.min(seen.least, contact.gamma)
        if contact.id_j and y > 0 and y < 1.6 then add(seen.funnel, contact.gamma) end
        if contact.id_j and y < -0.1 and y > -0.95 then add(seen.wheel, contact.gamma) end
      end
    end
  end)
  sim:run { steps = args.steps }
  seen.half = seen.half or sim.time -- not even by the end
  local all, seconds = 0, sim:report().stage_seconds
  for _, one in pairs(seconds) do all = all + one end
  seen.solving = (seconds.solve + seconds.contacts) / all
  seen.container = way_down.count_where(sim, way_down.in_container)
  seen.overlap = sim:report().greatest_overlap
  return seen
end

local dry, viscous = follow(start(floc.inelastic {})), follow(start(floc.gluey { gamma_min = -10 }))
local too_short = args.steps < 14226 and "the run ends before" or nil
local function mean(place) return place[2] > 0 and place[1] / place[2] or 0 end

local function claim(item, text, says, value, more)
  local one = { item = item, claim = text, paper = "Lefebvre 2009, Fig. 17", paper_says = says, value = not too_short and value or nil, absent = too_short, ensemble = 1 }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end
local slower = "the dry flow is faster than the viscous one"
claim("L66", "dry: half of the grains have passed the outlet at", slower, dry.half, { unit = "time" })
claim("L67", "gluey: half of the grains have passed the outlet at", slower, viscous.half, { unit = "time" })
claim("L67", "half-time of the gluey grains over that of the dry ones", slower, viscous.half / dry.half)
claim("L66", "dry: passed the outlet at t = 3", slower, dry.passed)
claim("L67", "gluey: passed the outlet at t = 3", slower, viscous.passed)
claim("L68", "dry: in the container at the end", "grains slip along the plane into the container", dry.container)
claim("L68", "gluey: in the container at the end", "grains slip along the plane into the container", viscous.container)
claim("L67", "in the container at the end, gluey over dry", slower, viscous.container / dry.container, { paper_band = { at_most = 1 } })
claim("L69", "mean gamma of glued pairs of grains in the funnel", "a network of gamma in the funnel", mean(viscous.funnel), { paper = "Lefebvre 2009, Fig. 18" })
claim("L70", "glued pairs per grain at the wheel, over that in the funnel", "grains come loose smoothly at the wheel",
  viscous.wheel[2] / viscous.grains_at_wheel / (viscous.funnel[2] / viscous.grains_in_funnel), { paper = "Lefebvre 2009, Fig. 18", paper_band = { at_most = 1 } })
claim("L70", "mean gamma of glued pairs at the wheel, over that in the funnel", "grains come loose smoothly at the wheel", mean(viscous.wheel) / mean(viscous.funnel),
  { paper = "Lefebvre 2009, Fig. 18", paper_band = { at_most = 1 } })
floc.report { item = "L71", claim = "gluey: least gamma", paper = "Lefebvre 2009, 4.3", paper_says = "gamma >= -10", value = viscous.least,
  expect = { equal = -10, tolerance = 1e-12 }, band_from = "exact, and reached" }
floc.report { item = "L71", claim = "dry: least gamma", paper = "Lefebvre 2009, 4.3", value = dry.least, expect = { at_least = 0 }, band_from = "exact" }
floc.report { item = "L54", claim = "gluey: share of the wall time of a step that the projection takes, its assembly with it", paper = "Lefebvre 2009, 3.3",
  paper_says = "the projection is the most expensive part", value = not too_short and viscous.solving or nil, absent = too_short, expect = { at_least = 1 / 3 }, band_from = "the largest of three parts: neighbours, projection, the rest" }
floc.report { item = "L55", claim = "greatest overlap of any step of both, in radii", paper = "Lefebvre 2009, Remark 3.6",
  paper_says = "lists of neighbours are no approximation", value = math.max(dry.overlap, viscous.overlap), expect = { at_most = 1e-4 }, band_from = "the solver's tolerance" }
