-- What Maury (2004) states of one disc, a pair and a few, each against a closed form, the paper's own recursion, or the step
-- written out a second time. Milliseconds each; a wrong law is named here, not only noticed.
--
--   floc run examples/aggregation/exact.lua
local floc = require "floc"

local args = floc.args { time_step = 0.02, seed = 1 }
local h, r, kappa, epsilon, tau = args.time_step, 0.01, 3e-3, 3e-3, 0.2

local function claim(item, text, where, says, value, expect, band_from, more)
  local one = { item = item, claim = text, paper = "Maury 2004, " .. where, paper_says = says, value = value, expect = expect, band_from = band_from or "exact" }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end

local function cosh(x) return 0.5 * (math.exp(x) + math.exp(-x)) end

local function simulation(options)
  options = options or {}
  options.time_step, options.scheme = options.time_step or h, options.scheme or floc.inelastic { tolerance = 1e-13 }
  return floc.simulation(options)
end

-- ---- one disc ---------------------------------------------------------------------------------------------------------

-- In a flow that is the same everywhere: u_n = U (1 - (1 - h / tau)^n).
do
  local sim, worst = simulation(), 0
  local id = sim:add_particle { position = { 0, 0 }, radius = r, mass = 0.7 }
  sim:add_flow { law = function() return 1.5, -0.5 end, relaxation_time = tau }
  for n = 1, 100 do
    sim:run { steps = 1, progress = false }
    local share = 1 - (1 - h / tau) ^ n
    worst = math.max(worst, math.abs(sim.vx[id] - 1.5 * share), math.abs(sim.vy[id] + 0.5 * share))
  end
  claim("M04", "a disc in a flow that is the same everywhere: distance from U (1 - (1 - h/tau)^n)", "2.1 (2.6), (2.7)", "drag -xi (u - U), relaxation time m / xi",
    worst, { at_most = 1e-13 })
end

-- Without neighbours in the oscillating shear, beside the recursion u <- u + h/tau (sin(omega t) y - u).
do
  local sim, worst, x, v = simulation(), 0, 0, 0
  local id = sim:add_particle { position = { 0, 0.3 }, radius = r, mass = 0.7 }
  sim:add_flow { flow = "oscillating_shear", frequency = math.pi, relaxation_time = tau }
  for n = 0, 499 do
    sim:run { steps = 1, progress = false }
    v = v + h / tau * (math.sin(math.pi * n * h) * 0.3 - v)
    x = x + h * v
    worst = math.max(worst, math.abs(sim.x[id] - x), math.abs(sim.vx[id] - v))
  end
  claim("M21", "a disc without neighbours in the shear: distance from its recursion, 500 steps", "4.1 (4.1)", "U = sin(omega t) (x2, 0)", worst, { at_most = 1e-12 })
end

-- Free discs in noise: <u^2> of a component is sigma^2 tau/2 over 1 - h/(2 tau), the explicit step's own; <x^2> grows by
-- 2 D = sigma^2 tau^2 per unit of time.
do
  local count, sigma, step = 4000, 0.5, 0.01
  local sim, start = simulation { time_step = step, seed = args.seed }, {}
  for k = 1, count do sim:add_particle { position = { 1000 * (k % 64), 1000 * math.floor(k / 64) }, radius = r, mass = 1 } end
  sim:add_flow { flow = "still", relaxation_time = tau }
  sim:add_noise { sigma = sigma }
  sim:run { steps = 300, progress = false }
  local square, way = 0, 0
  for id = 1, count do
    square, start[id] = square + (sim.vx[id] ^ 2 + sim.vy[id] ^ 2) / (2 * count), { sim.x[id], sim.y[id] }
  end
  claim("M30", "4000 free discs in noise: variance of a component over the step's own", "4.2", "<u^2> = sigma^2 tau / 2", square / (sigma ^ 2 * tau / 2 / (1 - step / (2 * tau))),
    { equal = 1, tolerance = 4 / math.sqrt(count) }, "4 standard errors", { standard_error = 1 / math.sqrt(count) })
  sim:run { steps = 1000, progress = false }
  for id = 1, count do way = way + ((sim.x[id] - start[id][1]) ^ 2 + (sim.y[id] - start[id][2]) ^ 2) / (2 * count) end
  claim("M31", "their diffusion over 10 units of time, over sigma^2 tau^2 / 2", "4.2", "D = sigma^2 tau^2 / 2",
    way / (sigma ^ 2 * tau ^ 2 * (10 - tau)), { equal = 1, tolerance = 4 / math.sqrt(count) }, "4 standard errors; the first tau is ballistic",
    { standard_error = 1 / math.sqrt(count) })
end

-- ---- pairs ------------------------------------------------------------------------------------------------------------

-- The attraction at D = 0, epsilon, 3 epsilon is kappa/epsilon sech^2(D/epsilon), kappa read once.
do
  local worst = 0
  for _, distance in ipairs { 0.25 * epsilon, epsilon, 3 * epsilon } do
    local sim = simulation()
    local a = sim:add_particle { position = { 0, 0 }, radius = r, mass = 2 }
    sim:add_particle { position = { 2 * r + distance, 0 }, radius = r, mass = 2 }
    sim:add_attraction { kappa = kappa, epsilon = epsilon }
    -- a step so short that they do not meet
    sim:run { steps = 1, progress = false }
    local contact = sim:contacts()[1]
    local exact = kappa / epsilon / cosh(distance / epsilon) ^ 2
    worst = math.max(worst, math.abs((sim.vx[a] * 2 / h + (contact and contact.impulse / h or 0)) / exact - 1))
  end
  claim("M06", "attraction of a pair at D = 0.25, 1, 3 epsilon, over kappa/epsilon sech^2(D/epsilon)", "2.1 (2.8)", "minus the gradient of Psi(D)", worst, { at_most = 1e-11 })
end

-- Masses 1 and 3 meet obliquely: the relative normal velocity is gone, the tangential ones are as they were.
do
  local sim = simulation { time_step = 0.01 }
  local a = sim:add_particle { position = { 0, 0 }, velocity = { 1, 0.5 }, radius = 0.5, mass = 1 }
  local b = sim:add_particle { position = { 1.005, 0 }, velocity = { -1, 0.5 }, radius = 0.5, mass = 3 }
  sim:run { steps = 2, progress = false }
  claim("M11", "masses 1 and 3: both normal velocities after the contact, distance from their mean", "2.1 (2.15)", "u+ is the projection of u-",
    math.max(math.abs(sim.vx[a] + 0.5), math.abs(sim.vx[b] + 0.5)), { at_most = 1e-12 })
  claim("M11", "their tangential velocities: change", "2.1 (2.15)", "u+ is the projection of u-", math.max(math.abs(sim.vy[a] - 0.5), math.abs(sim.vy[b] - 0.5)), { at_most = 1e-14 })
end

-- A wall is a particle of infinite mass.
do
  local function hits(make)
    local sim = simulation { time_step = 0.01 }
    local id = sim:add_particle { position = { 0, 1.02 }, velocity = { 0.3, -2 }, radius = 0.5, mass = 1 }
    make(sim)
    sim:run { steps = 5, progress = false }
    return sim.x[id], sim.y[id], sim.vx[id], sim.vy[id]
  end
  local body = { hits(function(sim) sim:add_body { shape = floc.circle { radius = 0.5 }, position = { 0, 0 } } end) }
  local heavy, worst = { hits(function(sim) sim:add_particle { position = { 0, 0 }, radius = 0.5, mass = 1e13 } end) }, 0
  for k = 1, 4 do worst = math.max(worst, math.abs(body[k] - heavy[k])) end
  claim("M12", "a disc on a fixed one, as a body and as a particle of mass 1e13: distance", "Remark 2.2", "fixed bodies are particles of infinite mass", worst, { at_most = 1e-11 })
end

-- One disc that a force presses on a plane: of first order in h.
do
  local function error_at(step)
    local sim, worst = simulation { time_step = step }, 0
    sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
    local id = sim:add_particle { position = { 0, 1.3 }, radius = 1, mass = 1 }
    sim:add_field { law = function(t) return 0, -2 + 2 * t end }
    for n = 1, math.floor(2 / step + 1e-9) do
      sim:run { steps = 1, progress = false }
      -- free fall q = 0.3 - t^2 + t^3/3 until it meets the plane at t = 0.61..., then at rest until the force turns at t = 1
      local t = n * step
      local free = 0.3 - t ^ 2 + t ^ 3 / 3
      local exact = t < 1 and math.max(free, 0) or (t - 1) ^ 3 / 3
      worst = math.max(worst, math.abs(sim.y[id] - 1 - exact))
    end
    return worst
  end
  local x, y, xx, xy, n = 0, 0, 0, 0, 0
  for _, step in ipairs { 0.1, 0.07, 0.05, 0.03, 0.02, 0.013, 0.01, 0.005 } do
    local a, b = math.log(step), math.log(error_at(step))
    x, y, xx, xy, n = x + a, y + b, xx + a * a, xy + a * b, n + 1
  end
  claim("M49", "one disc pressed on a plane and pulled off: order of convergence", "5", "convergence with one contact", (n * xy - x * y) / (n * xx - x * x),
    { equal = 1, tolerance = 0.15 }, "the method is of first order")
end

-- ---- a crowd ------------------------------------------------------------------------------------------------------------

-- 120 discs, packed: a step beside the projection written out, all pairs, the dual problem by one
-- coordinate after the other.
-- Their directions are all different.
local function crowd(sim, speed)
  local discs = {}
  for k = 1, 120 do
    local angle, out = 2.39996 * k, 0.145 * math.sqrt(k)
    discs[k] = { x = out * math.cos(angle), y = out * math.sin(angle), r = 0.1 * (0.8 + 0.4 * ((k * 7) % 10) / 10), m = 1 + (k % 3) }
    discs[k].vx, discs[k].vy = speed * math.cos(7.3 * k), speed * math.sin(7.3 * k)
    sim:add_particle { position = { discs[k].x, discs[k].y }, velocity = { discs[k].vx, discs[k].vy }, radius = discs[k].r, mass = discs[k].m }
  end
  return discs
end
local function each_pair(discs, visit)
  for i = 1, #discs do
    for j = i + 1, #discs do visit(discs[i], discs[j]) end
  end
end
local function project(discs, step)
  local rows = {}
  each_pair(discs, function(a, b)
    local x, y = b.x - a.x, b.y - a.y
    local length = math.sqrt(x * x + y * y)
    rows[#rows + 1] = { a = a, b = b, x = x / length, y = y / length, gap = length - a.r - b.r, p = 0 }
  end)
  for _ = 1, 100000 do
    local change = 0
    for _, row in ipairs(rows) do
      local a, b = row.a, row.b
      local closing = row.gap / step + row.x * (b.vx - a.vx) + row.y * (b.vy - a.vy)
      local p = math.max(row.p - closing / (1 / a.m + 1 / b.m), 0)
      local more = p - row.p
      a.vx, a.vy = a.vx - more * row.x / a.m, a.vy - more * row.y / a.m
      b.vx, b.vy = b.vx + more * row.x / b.m, b.vy + more * row.y / b.m
      row.p, change = p, math.max(change, math.abs(more))
    end
    if change < 1e-15 then break end
  end
end
do
  local sim = simulation { time_step = 0.05 }
  local discs, worst, open = crowd(sim, 1), 0, 0
  sim:run { steps = 1, progress = false }
  for _, contact in ipairs(sim:contacts()) do
    local i, j = contact.id_i, contact.id_j
    local a, b = discs[i], discs[j]
    local x, y = b.x - a.x, b.y - a.y
    local length = math.sqrt(x * x + y * y)
    local after = length - a.r - b.r + 0.05 * (x * (sim.vx[j] - sim.vx[i]) + y * (sim.vy[j] - sim.vy[i])) / length
    if contact.impulse > 0 then open = math.max(open, after) end
  end
  project(discs, 0.05)
  for id, d in ipairs(discs) do worst = math.max(worst, math.abs(sim.vx[id] - d.vx), math.abs(sim.vy[id] - d.vy)) end
  claim("M14", "120 discs: velocities after a step beside the projection over all pairs", "3.2 (3.4)-(3.7)", "the step is a projection", worst, { at_most = 1e-9 },
    "both are solved to 1e-13 of an impulse")
  claim("M02", "pairs that close in the same step", "1", "collisions are captured, not tracked: all of a step are dealt with together", sim:report().active_contacts, { at_least = 2 }, "this crowd")
  claim("M10", "D + h G V of pairs that carry an impulse: the greatest, in radii", "2.1 (2.14)", "impulses act only where D = 0", open / 0.1, { at_most = 1e-9 })
end

-- A crowd that goes several radii in a step. (3.6) asks the constraint of every pair; those that pass each other sideways are
-- left out where lists would grow too long (docs/schemes/inelastic.md), so the step is another projection then.
for _, radii in ipairs { 0.5, 1.5, 3 } do
  local sim = simulation { time_step = 0.1 }
  local discs, outside, deepest = crowd(sim, radii), 0, 0
  sim:run { steps = 1, progress = false }
  for id, d in ipairs(discs) do d.id = id end
  each_pair(discs, function(a, b)
    local x, y = b.x - a.x, b.y - a.y
    local length = math.sqrt(x * x + y * y)
    local after = length - a.r - b.r + 0.1 * (x * (sim.vx[b.id] - sim.vx[a.id]) + y * (sim.vy[b.id] - sim.vy[a.id])) / length
    if after < -1e-9 then outside = outside + 1 end
    deepest = math.max(deepest, a.r + b.r - math.sqrt((sim.x[a.id] - sim.x[b.id]) ^ 2 + (sim.y[a.id] - sim.y[b.id]) ^ 2))
  end)
  claim("M15", ("crowd that goes %g radii in a step: pairs whose constraint it does not meet"):format(radii), "3.2 (3.6)", "all pairs are constraints", outside,
    { at_most = radii < 1 and 0 or 20 }, "exact below a radius in a step", radii > 1 and { paper_band = { at_most = 0 },
      differs = "pairs that pass each other at some distance are left out where particles go more than a radius in a step; sim:report() counts them" } or nil)
  claim("M15", "the same: greatest overlap of all pairs after the step, in radii", "2.1 (2.3)", "particles do not overlap", math.max(deepest, 0) / 0.1, { at_most = 1e-9 })
end

-- Attraction a thousand times as strong: explicit, and still no overlap and no energy from nowhere.
do
  local worst, overlap = 0, 0
  for _, factor in ipairs { 1, 10, 100, 1000, 10000 } do
    local sim = simulation { seed = args.seed, scheme = floc.inelastic { tolerance = 1e-6 * r } }
    sim:add_particles { count = 60, radius = { 0.85 * r, 1.15 * r }, mass = 1, region = floc.box { lower = { -0.12, -0.12 }, upper = { 0.12, 0.12 } } }
    sim:add_flow { flow = "still", relaxation_time = tau }
    sim:add_attraction { kappa = factor * kappa, epsilon = epsilon }
    sim:run { steps = 100, progress = false }
    worst, overlap = math.max(worst, sim:measure "greatest_speed" * h / r / factor), math.max(overlap, sim:report().greatest_overlap)
  end
  claim("M16", "attraction x 1 to 10,000: greatest speed after 100 steps, in radii per step over the factor", "Remark 3.1", "explicit attraction does no harm to stability",
    worst, { at_most = h * h * 6 / r }, "the force of six neighbours in one step")
  claim("M16", "the same: greatest overlap, in radii", "Remark 3.1", "explicit attraction does no harm to stability", overlap, { at_most = 1e-5 }, "the solver's tolerance")
end

-- ---- lists ----------------------------------------------------------------------------------------------------------------

do
  local sim = simulation { seed = args.seed }
  sim:add_particles { count = 500, radius = { 0.85 * r, 1.15 * r }, mass = 1, region = floc.box { lower = { -0.4, -0.4 }, upper = { 0.4, 0.4 } } }
  local range, found, missing = 5 * r, {}, 0
  local list = sim:pairs { range = range, by = "centers" }
  for k = 1, #list.id_i do found[list.id_i[k] * 1000 + list.id_j[k]] = true end
  local count = 0
  for a = 1, 500 do
    for b = a + 1, 500 do
      if math.sqrt((sim.x[a] - sim.x[b]) ^ 2 + (sim.y[a] - sim.y[b]) ^ 2) <= range then
        count = count + 1
        if not (found[a * 1000 + b] or found[b * 1000 + a]) then missing = missing + 1 end
      end
    end
  end
  claim("M51", "500 discs: pairs that the lists have and all p (p - 1)/2 do not, or the other way round", "2.1", "p (p - 1) / 2 possible contacts",
    missing + math.abs(#list.id_i - count), { at_most = 0 })
end

-- The shear of Fig. 1 with `count` discs at the same density, 25 steps of two seeds; kappa times `factor`. Products with the
-- contact matrix, and entries of lists per disc at the end.
local function sheared(count, solver, factor)
  local products, entries = 0, 0
  for seed = args.seed, args.seed + 1 do
    local half = 0.5 * math.sqrt(count / 1000)
    local sim = simulation { seed = seed, threads = 1, scheme = floc.inelastic { solver = solver, tolerance = 1e-6 * r } }
    sim:add_particles { count = count, radius = { 0.85 * r, 1.15 * r }, mass = 1, region = floc.box { lower = { -half, -half }, upper = { half, half } } }
    sim:add_flow { flow = "oscillating_shear", frequency = math.pi, relaxation_time = tau }
    sim:add_attraction { kappa = (factor or 1) * kappa, epsilon = epsilon }
    sim:run { steps = 25, progress = false }
    products, entries = products + sim:report().total_iterations, entries + sim:report().list_entries / count / 2
  end
  return products, entries
end
do
  local few, thin = sheared(1000, "uzawa")
  local many, dense = sheared(8000, "uzawa")
  claim("M44", "Uzawa: products of 8,000 discs over those of 1,000", "Remark 4.2", "the number of iterations does not depend on N", many / few,
    { at_least = 1.1, at_most = 1.5 }, "the norm of the contact matrix grows with N", { paper_band = { equal = 1, tolerance = 0.1 },
      differs = "the norm of the contact matrix, and with it the number of steps of a gradient, grows with N" })
  claim("M17", "Uzawa at ten times kappa: products over those at kappa, 500 discs", "Remark 3.1", "a large kappa slows the iteration",
    sheared(500, "uzawa", 10) / sheared(500, "uzawa"), { at_least = 1.4 }, "1.8 to 2; more discs are in contact")
  claim("M41", "the default solver at ten times kappa: products over those at kappa", "Remark 4.1", "a larger kappa / epsilon costs more",
    sheared(1000, "auto", 10) / sheared(1000, "auto"), { at_least = 1.1 }, "more discs are in contact")
  claim("M42", "entries of lists per disc, 8,000 over 1,000 discs", "Remark 4.2", "the cost is linear in N", dense / thin, { equal = 1, tolerance = 0.12 },
    "at equal density; the rim is 6 % of 1,000 discs")
end
do
  local sim, equal = simulation { seed = args.seed }, simulation { seed = args.seed }
  for k = 1, 20 do sim:add_particle { position = { 3 * (k % 5), 3 * math.floor(k / 5) }, radius = 0.9, mass = 100 } end
  local region = floc.box { lower = { -1.5, -1.5 }, upper = { 13.5, 10.5 } }
  sim:add_particles { count = 8000, radius = 0.01, mass = 1e-4, region = region }
  equal:add_particles { count = 8000, radius = 0.01, mass = 1e-4, region = region }
  for _, one in ipairs { sim, equal } do one:run { steps = 1, progress = false } end
  claim("M45", "20 discs and 8,000 that are 90 times smaller: entries of lists per disc beyond those of the small ones alone", "Remark 4.2", "very different radii need special methods",
    (sim:report().list_entries - equal:report().list_entries) / 8020, { at_most = 2 }, "grids by size: a large disc meets its rim")
end

-- No continuity on the initial data: a disc hits two, almost at once. It leaves the first by its own momentum along n, and has less
-- for the second, so that which one is first decides, however small the difference is: p_1 = c / 2, p_2 = (c - p_1 n_1 . n_2) / 2.
do
  local function speed_of_first(shift)
    local b, radius, step = 0.11, 0.1, 2e-6
    local sim = simulation { time_step = step, scheme = floc.inelastic { tolerance = 1e-15 } }
    local along = math.sqrt(4 * radius ^ 2 - b ^ 2)
    sim:add_particle { position = { -along - 2e-4, 0 }, velocity = { 1, 0 }, radius = radius, mass = 1 }
    sim:add_particle { position = { -shift, b }, radius = radius, mass = 1 }
    sim:add_particle { position = { 0, -b }, radius = radius, mass = 1 }
    sim:run { until_time = 1e-3, progress = false }
    return math.sqrt(sim.vx[2] ^ 2 + sim.vy[2] ^ 2)
  end
  local c, across = math.sqrt(0.04 - 0.11 ^ 2) / 0.2, 0.55
  local first = c / 2
  local second = (c - first * (c * c - across * across)) / 2
  claim("M13", "a disc hits two at the speed 1: speed of one when it is hit first, by 1e-4, less when it is hit last", "2.2", "no continuity on the initial data",
    speed_of_first(1e-4) - speed_of_first(-1e-4), { equal = first - second, tolerance = 2e-3 }, "closed form; first order in the step")
end
