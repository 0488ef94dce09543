-- What Degond et al. (2024) state of one particle, a pair, one cluster and one step, against closed forms and brute force.
--
--   floc run examples/ballistic/exact.lua
local floc = require "floc"

local args = floc.args { seed = 1 }

local function claim(item, text, where, says, value, expect, more)
  local one = { item = item, claim = text, paper = "Degond et al. 2024, " .. where, paper_says = says, value = value, expect = expect, band_from = "exact" }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end

local function simulation(scheme, half, time_step)
  return floc.simulation { time_step = time_step, scheme = scheme, boundary = "wall", domain = floc.box { lower = { -half, -half }, upper = { half, half } } }
end

-- ---- flight and walls -----------------------------------------------------------------------------------------------

do
  local sim, worst = simulation(floc.event_driven {}, 50, 0.25), 0
  sim:add_particle { position = { -40, 40 }, radius = 1 } -- a run of one cluster ends at once
  local id = sim:add_particle { position = { 0.3, -0.2 }, velocity = { 1.1, -0.7 }, radius = 0.5 }
  for k = 1, 40 do
    sim:run { steps = 1, progress = false }
    local t = 0.25 * k
    worst = math.max(worst, math.abs(sim.x[id] - 0.3 - 1.1 * t), math.abs(sim.y[id] + 0.2 + 0.7 * t))
  end
  claim("D01", "a particle between its events: distance from a straight line", "2 (2.1)", "straight flight", worst, { at_most = 1e-12 })
end

-- Towards the wall x = 10 at several angles: at the wall after (10 - R - x) / v_x, and (A.7) says d / |V|.
do
  local energy, place, early = 0, 0, 0
  for k = 1, 8 do
    local angle = 0.15 * k
    local sim = simulation(floc.event_driven {}, 10, 8)
    sim:add_particle { position = { -8, 8 }, radius = 0.1, velocity = { 0, 0 } }
    local id = sim:add_particle { position = { 0, -5 }, velocity = { 2 * math.cos(angle), 2 * math.sin(angle) }, radius = 0.5 }
    sim:run { steps = 1, progress = false }
    local hit = 9.5 / (2 * math.cos(angle))
    local x = hit < 8 and 9.5 - (8 - hit) * 2 * math.cos(angle) or 16 * math.cos(angle)
    place = math.max(place, math.abs(sim.x[id] - x))
    energy = math.max(energy, math.abs(math.sqrt(sim.vx[id] ^ 2 + sim.vy[id] ^ 2) - 2))
    early = math.max(early, hit / (9.5 / 2))
  end
  claim("D02", "particles that meet a wall at eight angles: distance from the mirrored line", "2 (2.2)", "walls reflect as mirrors", place, { at_most = 1e-12 })
  claim("D02", "change of their speeds", "2 (2.2)", "walls reflect as mirrors", energy, { at_most = 1e-14 })
  claim("D53", "time to the wall over d / |V|, at the flattest of these angles", "App. A (A.7)", "a wall is met after d / |V|", early, { equal = 1 / math.cos(1.2), tolerance = 1e-12 },
    { paper_band = { equal = 1, tolerance = 0.01 }, differs = "only the velocity along the wall's normal approaches it; d / |V| is a lower bound" })
end

-- ---- pairs --------------------------------------------------------------------------------------------------------------

-- Masses 1 and 3 meet obliquely, restitution e: (2.3)-(2.7), the loss (2.8), and the time of (A.5).
local function pair(restitution)
  local sim = simulation(floc.event_driven { restitution = restitution, sticking_restitution = 0 }, 50, 4)
  sim:add_particle { position = { 0, 0 }, velocity = { 1, 0.2 }, radius = 0.5, mass = 1 }
  sim:add_particle { position = { 2, 0.3 }, velocity = { -1, 0 }, radius = 0.5, mass = 3 }
  -- |x + t v| = 1
  local x, y, u, w = 2, 0.3, -2, -0.2
  local b, square = x * u + y * w, u * u + w * w
  local t = (-b - math.sqrt(b * b - square * (x * x + y * y - 1))) / square
  local nx, ny = x + t * u, y + t * w
  local closing = u * nx + w * ny
  local impulse = -(1 + restitution) * closing * (1 * 3 / 4)
  return sim, t, { 1 - impulse * nx, 0.2 - impulse * ny, -1 + impulse * nx / 3, impulse * ny / 3 }, closing
end
do
  local velocities, losses, places = 0, 0, 0
  for _, restitution in ipairs { 0.25, 0.5, 1 } do
    local sim, t, after, closing = pair(restitution)
    local before = 0.5 * (1 + 0.04) + 0.5 * 3
    sim:run { steps = 1, progress = false }
    velocities = math.max(velocities, math.abs(sim.vx[1] - after[1]), math.abs(sim.vy[1] - after[2]), math.abs(sim.vx[2] - after[3]), math.abs(sim.vy[2] - after[4]))
    local beta = (1 - restitution) / 2
    losses = math.max(losses, math.abs(before - sim:measure "kinetic_energy" - 4 * (1 * 3 / 4) * beta * (1 - beta) * closing ^ 2 / 2))
    places = math.max(places, math.abs(sim.x[1] - t - (4 - t) * after[1]), math.abs(sim.y[2] - 0.3 - (4 - t) * after[4]))
  end
  claim("D03", "masses 1 and 3, restitution 0.25, 0.5, 1: velocities after the collision", "2 (2.3)-(2.7)", "the normal velocity is reversed and multiplied by epsilon", velocities, { at_most = 1e-13 })
  claim("D05", "their loss of energy, beside 2 mu beta (1 - beta) (dV n)^2", "(2.8)", "energy is lost as beta (1 - beta)", losses, { at_most = 1e-13 })
  claim("D52", "their places later, which depend on the time of the collision", "App. A (A.5)", "the smallest root of a square equation", places, { at_most = 1e-12 })
end

-- Restitution 0 sticks: one cluster of one with a cluster of three, which moves on with the mean of the masses.
do
  local velocity, links = 0, 0
  for _, method in ipairs { "event_driven", "ballistic" } do
    local sim = simulation(method == "ballistic" and floc.ballistic {} or floc.event_driven {}, 50, method == "ballistic" and 0.1 or 20)
    for k = 1, 3 do sim:add_particle { position = { k, 0 }, velocity = { -0.2, 0.1 }, radius = 0.5, mass = 2 } end
    sim:add_particle { position = { -4, 0.6 }, velocity = { 1, 0 }, radius = 0.5, mass = 1 }
    sim:run { until_ = function() return sim:ballistic_report().clusters == 1 or sim.time > 30 end, progress = false }
    for id = 1, 4 do
      velocity = math.max(velocity, math.abs(sim.vx[id] - (1 - 1.2) / 7), math.abs(sim.vy[id] - 0.6 / 7))
    end
    links = links + sim:ballistic_report().links
  end
  claim("D06", "four that have merged, masses 2 and 1, both methods: distance from the mean velocity", "(2.9)", "the velocity of a cluster is the mean by mass", velocity, { at_most = 1e-13 })
  claim("D11", "one that meets a cluster of three: the cluster's velocity along x", "Fig. 1", "the dashed velocity is the mean by mass", -0.2 / 7 + velocity, { equal = -0.2 / 7, tolerance = 1e-12 })
  claim("D07", "links of both", "2", "one link for each collision", links, { at_least = 6, at_most = 6 })
end

-- Clusters that do not turn lose angular momentum; with rotation = true they keep what their members had about the middle. The
-- paper does not say whether J holds the spheres' own moments; here it does.
do
  local change = {}
  for k, rotation in ipairs { false, true } do
    local sim = simulation(floc.ballistic { rotation = rotation }, 50, 0.01)
    sim:add_particle { position = { -2, 0.45 }, velocity = { 1, 0 }, radius = 0.5, mass = 1 }
    sim:add_particle { position = { 2, -0.45 }, velocity = { -1, 0 }, radius = 0.5, mass = 1 }
    sim:run { until_ = function() return sim:ballistic_report().clusters == 1 or sim.time > 5 end, progress = false }
    -- the turn over ten steps, times J of two discs a diameter apart, each with m r^2 / 2 of its own
    local x, y = sim.x[2] - sim.x[1], sim.y[2] - sim.y[1]
    local time = sim.time
    for _ = 1, 10 do sim:run { steps = 1, progress = false } end
    local c, s = sim.x[2] - sim.x[1], sim.y[2] - sim.y[1]
    local angle = math.asin((x * s - y * c) / math.sqrt((x * x + y * y) * (c * c + s * s)))
    change[k] = angle / (sim.time - time) * 2 * (0.25 + 0.125) / (-2 * 0.45)
  end
  claim("D08", "two that have merged off centre: angular momentum of the pair over what it was", "2", "the angular momentum is not kept, as clusters do not rotate",
    change[1], { equal = 0, tolerance = 1e-9 })
  claim("D09", "the same with rotation, J with the discs' own moment of inertia", "2", "Omega = M_c / J", change[2], { equal = 1, tolerance = 1e-9 })
end

-- ---- the start and one step ---------------------------------------------------------------------------------------------

do
  local sim, radius = floc.ballistic_start { count = 20000, volume_fraction = 0.1, seed = args.seed, scheme = floc.ballistic {} }
  local mean, square, greatest = 0, 0, 0
  for id = 1, sim.count do
    mean, square = mean + (sim.vx[id] + sim.vy[id]) / (2 * sim.count), square + (sim.vx[id] ^ 2 + sim.vy[id] ^ 2) / (2 * sim.count)
    greatest = math.max(greatest, math.sqrt(sim.vx[id] ^ 2 + sim.vy[id] ^ 2))
  end
  claim("D55", "mean of a component of the velocities", "App. A", "velocities uniform in [-1/2, 1/2]^2", mean, { equal = 0, tolerance = 4 * math.sqrt(1 / 12 / 40000) }, { band_from = "4 standard errors" })
  claim("D55", "its variance over 1/12", "App. A", "velocities uniform in [-1/2, 1/2]^2", square * 12, { equal = 1, tolerance = 4 * math.sqrt(0.8 / 40000) }, { band_from = "4 standard errors" })
  local x, y = {}, {}
  for id = 1, sim.count do x[id], y[id] = sim.x[id], sim.y[id] end
  sim:run { steps = 1, progress = false }
  local way = 0
  for id = 1, sim.count do way = math.max(way, math.sqrt((sim.x[id] - x[id]) ^ 2 + (sim.y[id] - y[id]) ^ 2)) end
  claim("D15", "first step over R / max |V|", "3 (3.3)", "dt = R / max |V|", sim.time / (radius / greatest), { equal = 1, tolerance = 1e-12 })
  claim("D16", "greatest way in it, in radii", "3", "no sphere goes further than its radius", way / radius, { at_most = 1 + 1e-9 })
end

-- ---- clusters to the end, by brute force -----------------------------------------------------------------------------------

for _, method in ipairs { "event_driven", "ballistic" } do
  local is_stepped = method == "ballistic"
  local sim, radius = floc.ballistic_start { count = 400, volume_fraction = 0.2, seed = args.seed, scheme = is_stepped and floc.ballistic {} or floc.event_driven {} }
  for id = 1, sim.count do sim.mass[id] = 1 + 2 * (id % 2) end
  sim:run { until_ = function() return sim:ballistic_report().clusters == 1 end, progress = false }
  local overlap, spread, links = 0, 0, sim:ballistic_report().links
  for a = 1, sim.count do
    for b = a + 1, sim.count do
      overlap = math.max(overlap, 2 * radius - math.sqrt((sim.x[a] - sim.x[b]) ^ 2 + (sim.y[a] - sim.y[b]) ^ 2))
    end
    spread = math.max(spread, math.abs(sim.vx[a] - sim.vx[1]), math.abs(sim.vy[a] - sim.vy[1]))
  end
  local name = is_stepped and "time stepping" or "event-driven"
  claim("D10", name .. ", 400 to one cluster: greatest overlap of all pairs, in R", "2 (2.11)", "no overlaps", overlap / radius, { at_most = is_stepped and 0.0101 or 1e-10 },
    { band_from = is_stepped and "the minimiser's tolerance, a hundredth" or "rounding" })
  claim("D06", name .. ": differences of velocities in the last cluster, masses 1 and 3", "(2.9)", "one velocity", spread, { at_most = 1e-13 })
  if not is_stepped then claim("D07", name .. ": links less merges that 400 particles need", "2", "one link for each collision", links - (sim.count - 1), { at_least = 0, at_most = 0 }) end
end

-- ---- measures on sets that are known ------------------------------------------------------------------------------------------

do
  -- A rectangle of points, 12 by 4, turned by 30 degrees: variances of equally spaced points are (n^2 - 1) / 12.
  local sim = floc.simulation { time_step = 1 }
  local c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
  for i = 1, 12 do
    for j = 1, 4 do sim:add_particle { position = { c * i - s * j, s * i + c * j }, radius = 0.5 - 1e-9 } end
  end
  local shape = sim:gyration { by = "gap", gap = 1e-6 }
  claim("D28", "aspect ratio of 12 x 4 points over the ratio of their variances", "4.2 (4.11)", "ratio of the eigenvalues of the gyration tensor",
    shape.aspect_ratio / ((144 - 1) / (16 - 1)), { equal = 1, tolerance = 1e-12 })
  claim("D30", "its direction, in degrees", "(4.12)", "the leading eigenvector", math.deg(math.atan(shape.orientation[2] / shape.orientation[1])), { equal = 30, tolerance = 1e-9 })
end
do
  local sim, distances = floc.simulation { time_step = 1 }, { 1.001, 1.5, 2.001, 2.3, 3.001 }
  for i = 1, 20 do
    for j = 1, 20 do sim:add_particle { position = { i, j }, radius = 0.5 - 1e-9 } end
  end
  local square = sim:gyration { by = "gap", gap = 1e-6 }
  claim("D29", "aspect ratio of a square lattice", "(4.11)", "A_r >= 1", square.aspect_ratio, { equal = 1, tolerance = 1e-12 })
  local found, worst = sim:pair_distribution { by = "gap", gap = 1e-6, distances = distances }, 0
  for k, distance in ipairs(distances) do
    local count = 0
    for i = 1, 20 do
      for j = 1, 20 do
        for a = math.max(1, i - 4), math.min(20, i + 4) do
          for b = math.max(1, j - 4), math.min(20, j + 4) do
            if (a ~= i or b ~= j) and math.sqrt((a - i) ^ 2 + (b - j) ^ 2) <= distance then count = count + 1 end
          end
        end
      end
    end
    worst = math.max(worst, math.abs(found[k] - count / 400))
  end
  claim("D32", "P(r) of a square lattice at five distances beside a count of all pairs", "(4.14)", "pairs within r per particle", worst, { at_most = 1e-12 })
  local touching = sim:contact_number { by = "gap", gap = 1e-6 }
  claim("D31", "relative contact number of the lattice with the particle itself, as printed", "(4.13)", "N_c in 1/6 .. 1", (touching + 1) / 6,
    { equal = (4 * 2 * 19 * 20 / 800 + 1) / 6, tolerance = 1e-12 })
  local hexagons = floc.simulation { time_step = 1 }
  for i = -8, 8 do
    for j = -8, 8 do hexagons:add_particle { position = { i + 0.5 * j, j * math.sqrt(3) / 2 }, radius = 0.5 - 1e-9 } end
  end
  local inner = 0
  local list = hexagons:pairs { range = 2.1 * 0.5, by = "centers" }
  for k = 1, #list.id_i do inner = inner + (list.id_i[k] == 145 and 1 or list.id_j[k] == 145 and 1 or 0) end
  claim("D31", "the same for a particle among six others", "(4.13)", "N_c in 1/6 .. 1", (inner + 1) / 6, { equal = 7 / 6, tolerance = 1e-12 },
    { paper_band = { at_least = 1 / 6, at_most = 1 }, differs = "the sum as printed counts the particle itself; without it six neighbours give 1" })
end
-- The range of the fit of box counting, on one cluster: from 3 R to half of the box, as the paper chooses it.
do
  local sim, radius = floc.ballistic_start { count = 900, volume_fraction = 0.2, seed = args.seed }
  sim:run { steps = 1, progress = false }
  local found = {}
  for k, least in ipairs { 3, 4, 6 } do found[k] = sim:box_counting { least = least * radius }.dimension end
  claim("D34", "dimension from 4 R over that from 3 R", "4.2.1", "the central part, 3 R to L/2", found[2] / found[1], { equal = 1, tolerance = 0.1 }, { band_from = "a choice that moves it by less than N does" })
  claim("D34", "dimension from 6 R over that from 3 R", "4.2.1", "the central part, 3 R to L/2", found[3] / found[1], { equal = 1, tolerance = 0.2 }, { band_from = "a choice that moves it by less than N does" })
end

-- ---- how far a minimisation moves ------------------------------------------------------------------------------------------

-- 200 particles that drift together: greatest distance, in R, of a particle after a step from where free flight takes it.
local function greatest_move(factor)
  local sim, random, worst = floc.simulation { time_step = 1e6, seed = args.seed, scheme = floc.ballistic { step_factor = factor } }, floc.random("directions " .. args.seed), 0
  for k = 1, 200 do
    local angle, a, b = random:uniform(0, 2 * math.pi), (k - 1) % 15 - 7, math.floor((k - 1) / 15) - 7
    sim:add_particle { position = { a, b }, radius = 0.2, velocity = { -0.03 * a + 0.3 * math.cos(angle), -0.03 * b + 0.3 * math.sin(angle) } }
  end
  for _ = 1, 60 / factor do
    local x, y, before = {}, {}, sim.time
    for id = 1, 200 do x[id], y[id] = { sim.x[id], sim.vx[id] }, { sim.y[id], sim.vy[id] } end
    sim:run { steps = 1, progress = false }
    local h = sim.time - before
    for id = 1, 200 do
      local dx, dy = sim.x[id] - x[id][1] - h * x[id][2], sim.y[id] - y[id][1] - h * y[id][2]
      worst = math.max(worst, math.sqrt(dx * dx + dy * dy) / 0.2)
    end
  end
  return worst
end

do
  local whole, tenth = greatest_move(1), greatest_move(0.1)
  claim("D21", "greatest distance of a particle after a step R / max |V| from free flight, in R", "(3.1), (3.7)", "the solution is within C R_i of the start", whole, { at_most = 1 },
    { band_from = "C = 1: two that fly one into the other overlap by up to 2 R" })
  claim("D21", "exponent of this distance in the step, from a tenth of the step", "(3.1), (3.7)", "the solution is near the start", math.log(whole / tenth) / math.log(10),
    { equal = 1, tolerance = 0.3 }, { band_from = "overlaps grow with the step; four deviations of 12 seeds" })
end

-- ---- stochastic minimisers ---------------------------------------------------------------------------------------------------

-- The same 20 starts to one cluster with projections in the order in which they come up and in one that is drawn. Both satisfy
-- (3.1), so that shapes may differ by no more than seeds do; what a random order costs is the answer to section 5.
do
  local function to_the_end(minimiser, seed)
    local sim = floc.ballistic_start { count = 100, volume_fraction = 0.2, seed = seed, threads = 1, scheme = floc.ballistic { minimiser = minimiser } }
    repeat sim:run { steps = 20, progress = false } until sim:ballistic_report().clusters == 1
    local report = sim:ballistic_report()
    return sim:contact_number { factor = 2.1 } / 6, report.iterations, report.unsolved, sim:check_overlap()
  end
  local sum, square, drawn, ordered, unsolved, seeds = 0, 0, 0, 0, 0, 20
  for k = 1, seeds do
    local a, more, failed, overlap = to_the_end("stochastic", args.seed + k - 1)
    local b, less = to_the_end("projection", args.seed + k - 1)
    sum, square, drawn, ordered = sum + a - b, square + (a - b) ^ 2, drawn + more, ordered + less
    unsolved = unsolved + failed + (overlap > 0.0101 and 1 or 0)
  end
  local deviation = math.sqrt((square - sum * sum / seeds) / (seeds - 1) / seeds)
  claim("D66", "contact number by a stochastic minimiser less that by the deterministic one, N = 100, 20 seeds, in standard errors", "5", "stochastic minimisers are to be explored",
    sum / seeds / deviation, { equal = 0, tolerance = 4 }, { band_from = "four standard errors" })
  claim("D66", "the same: links that are not satisfied at the end", "5, (3.1)", "linked particles touch", unsolved, { equal = 0, tolerance = 0 })
  claim("D66", "the same: projections by the stochastic one over those by the other", "5", "stochastic minimisers would improve the performance", drawn / ordered,
    { equal = 1, tolerance = 0.25 }, { band_from = "ours: the order matters little" })
end

-- ---- the start of the videos -------------------------------------------------------------------------------------------------

-- One speed in all directions, as in appendix C, beside velocities in a square, as in appendix A: does the final cluster differ?
do
  local function contacts(seed, on_circle)
    local sim = floc.ballistic_start { count = 100, volume_fraction = 0.2, seed = seed, threads = 1, scheme = floc.event_driven {} }
    for id = 1, on_circle and sim.count or 0 do
      local v = math.sqrt(sim.vx[id] ^ 2 + sim.vy[id] ^ 2)
      sim.vx[id], sim.vy[id] = 0.5 * sim.vx[id] / v, 0.5 * sim.vy[id] / v
    end
    sim:run { steps = 1, progress = false }
    return sim:contact_number { factor = 2.1 } / 6
  end
  local sum, square, seeds = 0, 0, 20
  for k = 1, seeds do
    local difference = contacts(args.seed + k - 1, true) - contacts(args.seed + k - 1, false)
    sum, square = sum + difference, square + difference ^ 2
  end
  claim("D56", "contact number from one speed in all directions less that from the square of velocities, N = 100, 20 seeds, in standard errors", "App. C", "videos: velocities on the circle",
    sum / math.sqrt((square - sum * sum / seeds) / (seeds - 1) * seeds), { equal = 0, tolerance = 4 }, { band_from = "four standard errors" })
end
