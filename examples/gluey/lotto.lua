-- Gluey lotto: 160 discs in a square mixer that turns, dry, rough and smooth side by side; the smoother, the longer
-- the heap sticks to the floor that carries it up. Lefebvre 2009, section 4.2, Fig. 16.
--
--   floc run examples/gluey/lotto.lua
--   floc run examples/gluey/lotto.lua --seeds=6         means over six seeds
local floc = require "floc"

local args = floc.args {
  particles = 160,
  steps = 4980,          -- of the paper's last picture
  time_step = 1e-3,
  seed = 1,
  seeds = 1,             -- number of runs, from `seed` on
}
local paper = "Lefebvre 2009, 4.2"
local models = {
  { name = "inelastic", gamma_min = 0, adhesion = 0 },
  { name = "rough", gamma_min = -1, adhesion = 1 },
  { name = "smooth", gamma_min = -math.huge, adhesion = math.huge },
}
local half, gravity = 0.25, 10

local function claim(item, text, where, says, value, expect, band_from, more)
  local one = { item = item, claim = text, paper = where, paper_says = says, value = value, expect = expect, band_from = band_from }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end
local corners = { { -half, -half }, { half, -half }, { half, half }, { -half, half } }

local function mixer(gamma_min, seed, law)
  local sim = floc.simulation {
    time_step = args.time_step, gravity = { 0, -gravity }, seed = seed, scheme = floc.gluey { gamma_min = gamma_min, law = law },
  }
  local box = sim:add_body {
    name = "mixer", shape = floc.polyline { corners[1], corners[2], corners[3], corners[4], closed = true },
    angular_velocity = 1,
  }
  return sim, box
end

-- Distance of a disc's middle from the wall that was the floor.
local function height_above_floor(sim, box, id)
  return half - math.sin(box.angle) * sim.x[id] + math.cos(box.angle) * sim.y[id]
end

-- ---- one disc in the lower left corner ----------------------------------------------------------

local single = 0.01                 -- its radius
local place = half - single         -- it turns with the mixer from the start
local seen = 1e-4 * single          -- the gap at which it is seen to have left

-- The floor presses with p + g cos(angle), m = 1, and pulls where this is negative. Adhesion G is used up where the
-- integral of the pull is G, or all that was pressed; the gap then grows with the pull, or from a pull of 0 as g t^3 / 6.
local function exact_angle(adhesion)
  local from = math.acos(-place / gravity)
  local function pulled(angle) return -(place * (angle - from) + gravity * (math.sin(angle) - math.sin(from))) end
  local limit = math.min(adhesion, place * from + gravity * math.sin(from))
  local lower, upper = from, 2 * math.pi
  for _ = 1, 60 do
    local middle = 0.5 * (lower + upper)
    if pulled(middle) < limit then lower = middle else upper = middle end
  end
  local pull = -(place + gravity * math.cos(lower))
  return math.deg(lower + (adhesion == 0 and (6 * seen / gravity) ^ (1 / 3) or math.sqrt(2 * seen / pull)))
end

local function angle_of_release(gamma_min)
  local sim, box = mixer(gamma_min, args.seed)
  local id = sim:add_particle { position = { -place, -place }, velocity = { place, -place }, radius = single, mass = 1 }
  sim:run { progress = false, until_ = function()
    return height_above_floor(sim, box, id) > single + seen or sim.time > 6
  end }
  return math.deg(box.angle)
end

for _, model in ipairs(models) do
  claim("L65", "one resting disc leaves the floor, " .. model.name, paper, "a smooth one when gravity has taken back what it had pressed",
    angle_of_release(model.gamma_min), { equal = exact_angle(model.adhesion), tolerance = math.deg(3 * args.time_step) }, "closed form, three time steps",
    { unit = "degrees" })
end

-- ---- 160 discs ----------------------------------------------------------------------------------

local function filled_mixer(gamma_min, seed, law)
  local sim, box = mixer(gamma_min, seed, law)
  sim:add_attribute("white", 0)
  local black, last = sim:add_particles {
    count = math.floor(args.particles / 2), radius = { 0.007, 0.015 }, mass = 1,
    region = floc.box { lower = { -half, -half }, upper = { 0, half } },
  }
  local white, final = sim:add_particles {
    count = args.particles - (last - black + 1), radius = { 0.007, 0.015 }, mass = 1,
    region = floc.box { lower = { 0, -half }, upper = { half, half } },
  }
  for id = white, final do sim.white[id] = 1 end
  return sim, box
end

local function mean_height(sim, box)
  local sum = 0
  for id = 1, sim.count do sum = sum + height_above_floor(sim, box, id) end
  return sum / sim.count
end

do
  local sim = filled_mixer(0, args.seed)
  local white, low, high, mass = 0, math.huge, 0, 0
  for id = 1, sim.count do
    white, low, high, mass = white + sim.white[id], math.min(low, sim.radius[id]), math.max(high, sim.radius[id]), math.max(mass, sim.mass[id])
  end
  claim("L61", "greatest mass in the heap", paper, "m = 1", mass, { equal = 1, tolerance = 0 }, "exact")
  claim("L61", "white discs over all", paper, "160 discs, half of them white", white / sim.count, { equal = 0.5, tolerance = 0.5 / sim.count }, "exact")
  claim("L61", "least radius less 0.007 and 0.015 less the greatest", paper, "radii from 0.007 to 0.015", math.min(low - 0.007, 0.015 - high), { at_least = 0, at_most = 0.008 * 10 / sim.count },
    "one in e^10 runs is beyond")
end

-- Values of the runs: by name a list over the seeds.
local found, names = {}, {}
local function note(name, value)
  if not found[name] then found[name], names[#names + 1] = {}, name end
  table.insert(found[name], value)
end

local function least_gamma(sim)
  local least = 0
  for _, contact in ipairs(sim:contacts()) do least = math.min(least, contact.gamma) end
  return least
end

-- The angle at which the heap has left the floor: its middle is nearer to the opposite wall.
local function watch(sim, box, seen_at)
  sim:every(10, function()
    if not seen_at.angle and box.angle > 0.8 and mean_height(sim, box) > half then seen_at.angle = math.deg(box.angle) end
    seen_at.gamma = math.min(seen_at.gamma or 0, least_gamma(sim))
  end)
end

-- The three mixers of a seed, run side by side.
local function run(seed, panels)
  local sims, boxes, events, unconverged = {}, {}, { {}, {}, {} }, 0
  for k, model in ipairs(models) do
    sims[k], boxes[k] = filled_mixer(model.gamma_min, seed)
    watch(sims[k], boxes[k], events[k])
  end
  for _, step in ipairs { 0, 980, 1980, 2980, 3980, 4980 } do
    for k, sim in ipairs(sims) do
      if step <= args.steps then sim:run { steps = step - sim.step } end
      if step <= args.steps and panels then
        panels:add(sim, { group = "white", title = ("%s, step %d"):format(models[k].name, step),
                          lower = { -0.36, -0.36 }, upper = { 0.36, 0.36 } })
      end
      if step == 980 or step == 1980 or step == 2980 then
        note(("mean height above the floor at step %d, %s"):format(step, models[k].name), step <= args.steps and mean_height(sim, boxes[k]) or nil)
      elseif step == 4980 and step <= args.steps then
        note("mixing index of black and white at step 4980, " .. models[k].name,
          sim:mixing_index { column = "white", threshold = 0.5, cell = 0.05 }.index)
      end
    end
  end
  for k, model in ipairs(models) do
    note("the heap leaves the floor, " .. model.name .. ", degrees", args.steps >= 4980 and (events[k].angle or 360) or nil)
    unconverged = unconverged + sims[k]:report().unconverged_steps
  end
  note("rough less inelastic, degrees", args.steps >= 4980 and (events[2].angle or 360) - (events[1].angle or 360) or nil)
  return unconverged, events
end

local unconverged, deepest = 0, { 0, 0, 0 }
local steps = 3 * args.seeds * args.steps
for seed = args.seed, args.seed + args.seeds - 1 do
  local panels = seed == args.seed and floc.panels { columns = 3, title = "Gluey lotto" } or nil
  local failed, events = run(seed, panels)
  if panels then panels:write(floc.output "lotto.png") end
  unconverged = unconverged + failed
  for k = 1, 3 do deepest[k] = math.min(deepest[k], events[k].gamma or 0) end
end

local says = { heap = "the smooth heap is carried to the top, the rough one falls earlier", mean = "pictures at six steps", mixing = "black and white mix",
  rough = "the smooth heap is carried to the top, the rough one falls earlier" }
for _, name in ipairs(names) do
  local sum, count = 0, #found[name]
  for _, value in ipairs(found[name]) do sum = sum + value end
  local item = name:find "^mixing" and "L64" or name:find "^mean" and "L63" or "L62"
  local word = name:match "^the (%a+)" or name:match "^%a+"
  floc.report { item = item, claim = name, paper = paper .. ", Fig. 16", paper_says = says[word], value = count > 0 and sum / count or nil, ensemble = args.seeds,
    absent = count == 0 and "the run ends before" or nil }
end
if args.steps >= 980 then
  claim("L48", "least gamma of the rough heaps", paper, "gamma is clamped at gamma_min = -1", deepest[2], { equal = -1, tolerance = 1e-12 }, "exact, and reached")
end
claim("L48", "least gamma of the inelastic heaps", paper, "gamma_min = 0", deepest[1], { at_least = 0 }, "exact")
claim(nil, "steps above tolerance, of " .. steps, paper, nil, unconverged, { at_most = steps / 1000 })

-- Algorithm 3.3 as printed keeps glued pairs at their distance by equations, which a dense heap does not always allow.
local equal = filled_mixer(-math.huge, args.seed, "equality")
equal:run { steps = math.min(args.steps, 2000), on_unconverged = "go_on" }
local without_solution = equal:report().unconverged_steps
claim("L52", "steps of 2000 in which the equations of glued pairs have no solution within the tolerance", "Lefebvre 2009, Algorithm 3.3",
  "projection with equality for glued pairs", without_solution, { at_least = 1 }, "a dense heap", { paper_band = { at_most = 0 },
    differs = "equations for all glued pairs are more than the unknowns of a dense heap; the bounded rule always has a solution" })
