-- What Zohdi (2016) states of one ray, one sphere and a pair, each against the printed formula with numbers of its own.
--
--   floc run examples/acoustic/exact.lua
local floc = require "floc"

local R = 0.05
local mass = 4 / 3 * math.pi * R ^ 3 * 6000

local function claim(item, text, where, says, value, expect, more)
  local one = { item = item, claim = text, paper = "Zohdi 2016, " .. where, paper_says = says, value = value, expect = expect, band_from = "exact" }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end

-- ---- rays on one sphere ---------------------------------------------------------------------------------------------------

local water, ceramic = { density = 1000, speed = 1500 }, { density = 6000, speed = 4500 }

-- (2), (3) with Snell's law the right way round.
local function reflectance(angle, from, to)
  local sine = math.sin(angle) * to.speed / from.speed
  if sine >= 1 then return 1 end
  local impedance, cosine = to.density * to.speed / (from.density * from.speed), math.sqrt(1 - sine * sine)
  return ((impedance * math.cos(angle) - cosine) / (impedance * math.cos(angle) + cosine)) ^ 2
end

-- One ray along x that meets a sphere under the given angle, with the cross-section of one of 10,000 rays over a disc of radius 1.
local area = math.pi / 10000
local function one_ray(angle, from, to, power, wider)
  local sim = floc.simulation { dimension = 3, time_step = 1e-6, scheme = floc.discrete_element {} }
  sim:add_particle { position = { 0, 0, 0 }, radius = R, mass = mass }
  return sim:trace { media = { density = { from.density, to.density }, sound_speed = { from.speed, to.speed } }, by_particle = true,
    source = floc.emitter { rays = 1, power = power, emit = function()
      return { position = { -2 * R, R * math.sin(angle), 0 }, direction = { 1, 0, 0 }, area = (wider or 1) * area }
    end } }
end

do
  local worst, total, budget, force, scale = 0, 0, 0, 0, 0
  for k = 0, 20 do
    local angle = math.rad(4.5 * k) * 0.999
    local share = 1 - reflectance(angle, water, ceramic)
    local result, fourfold = one_ray(angle, water, ceramic, 7e7), one_ray(angle, water, ceramic, 28e7)
    worst = math.max(worst, math.abs(result.absorbed / 7e7 - share))
    if math.deg(angle) > 19.5 then total = math.max(total, result.absorbed) end
    budget = math.max(budget, math.abs((result.absorbed + result.escaped + result.residual) / 7e7 - 1))
    -- (7): along the refracted ray, which is turned from the incident one by the difference of the angles towards the normal
    local size = math.sqrt(7e7 * share * ceramic.density * ceramic.speed * area)
    if share > 0 then
      local turn = math.asin(math.sin(angle) * ceramic.speed / water.speed) - angle
      local fx, fy = size * math.cos(turn), size * math.sin(turn)
      force = math.max(force, math.abs(result.force[1][1] / size - fx / size), math.abs(result.force[1][2] / size - fy / size))
      scale = math.max(scale, math.abs(fourfold.force[1][1] / result.force[1][1] - 2))
    end
  end
  claim("Z03", "one ray on a sphere at 21 angles: share that is absorbed, beside 1 - R", "3.1 (2)", "the reflectance of two media", worst, { at_most = 1e-12 })
  claim("Z05", "what is absorbed beyond the critical angle", "(3)", "R = 1 beyond the critical angle", total, { at_most = 0 })
  claim("Z07", "and with a power of one, at 60 degrees", "(4), (62)", "a reflection coefficient of modulus 1", one_ray(math.pi / 3, water, ceramic, 1).absorbed, { at_most = 0 })
  claim("Z08", "power of these rays that is not accounted for, relative", "(5)", "I_t = I_i (1 - R)", budget, { at_most = 1e-14 })
  claim("Z09", "their force on the sphere, beside (7) along the refracted ray, relative", "(7)", "sqrt(I (1 - R) rho c a_r)", force, { at_most = 1e-12 })
  claim("Z10", "the force at four times the power over it, less 2", "3.1", "force along the transmitted ray", scale, { at_most = 1e-12 })

  claim("Z11", "the force of a ray at four times its cross-section over it", "3.1", "a_r = beam area / rays", one_ray(0.1, water, ceramic, 1, 4).force[1][1] / one_ray(0.1, water, ceramic, 1).force[1][1],
    { equal = 2, tolerance = 1e-12 })

  -- The critical angle, by halving; the printed c_t sin(theta_t) = c_i sin(theta_i) has none.
  local lower, upper = 0, math.pi / 2
  for _ = 1, 50 do
    local middle = 0.5 * (lower + upper)
    if one_ray(middle, water, ceramic, 1).absorbed > 0 then lower = middle else upper = middle end
  end
  claim("Z04", "critical angle from water to ceramic, in degrees", "3.1", "c_t sin(theta_t) = c_i sin(theta_i), which has no critical angle for a faster medium", math.deg(lower),
    { equal = math.deg(math.asin(1 / 3)), tolerance = 1e-6 }, { paper_value = "none", paper_band = { at_least = 90 },
      differs = "misprint: Snell's law is c_i sin(theta_t) = c_t sin(theta_i)" })
  local head_on = 1 - one_ray(0, water, ceramic, 1).absorbed
  claim("Z31", "reflectance at normal incidence", "(38)", "R(0)", head_on, { equal = (17 / 19) ^ 2, tolerance = 1e-12 }, { paper_value = 0.944, paper_band = { equal = 0.944, tolerance = 0.001 },
    differs = "((18 - 1)/(18 + 1))^2 = 0.80055; 0.944 is 17/18" })
  claim("Z32", "share that is absorbed at normal incidence", "7", "1 - R(0)", 1 - head_on, { equal = 1 - (17 / 19) ^ 2, tolerance = 1e-12 },
    { paper_value = 0.056, paper_band = { equal = 0.056, tolerance = 0.001 }, differs = "follows from R(0)" })
  claim("Z33", "ratio of the impedances, from R(0)", "7", "A = 18", (1 + math.sqrt(head_on)) / (1 - math.sqrt(head_on)), { equal = 18, tolerance = 1e-9 }, { paper_value = 18 })
  claim("Z06", "share that equal media let through", "Remark 1", "no reflection", one_ray(0.3, water, water, 1).absorbed, { equal = 1, tolerance = 1e-12 })
end

-- ---- forces on one sphere and on a pair -----------------------------------------------------------------------------------

-- Spheres are put in one another on purpose here, of which the program warns.
local instant = 1e-9 -- so short that nothing moves: what a velocity gains in it is force over mass

-- The force on the first of `places`, whose velocities are given.
local function force_on(options, places, setup)
  options.integrator = "velocity_verlet"
  local sim = floc.simulation { dimension = 3, time_step = instant, scheme = floc.discrete_element(options) }
  for _, place in ipairs(places) do
    sim:add_particle { position = place.at, velocity = place.velocity or { 0, 0, 0 }, radius = place.radius or R, mass = 1, allow_overlap = true }
  end
  if setup then setup(sim) end
  local before = { sim.vx[1], sim.vy[1], sim.vz[1] }
  sim:run { steps = 1, progress = false }
  return { (sim.vx[1] - before[1]) / instant, (sim.vy[1] - before[2]) / instant, (sim.vz[1] - before[3]) / instant }, sim
end

-- (68), (69): the circle in which two spheres at a distance intersect.
local function contact_area(distance, a, b)
  local to_plane = (distance ^ 2 + a ^ 2 - b ^ 2) / (2 * distance)
  return math.pi * (a ^ 2 - to_plane ^ 2)
end

do
  local worst, slope, ratio_at_last = 0, {}, nil
  for k, strain in ipairs { 0.001, 0.01, 0.1 } do
    for _, other in ipairs { R, 2 * R } do
      local distance = (R + other) * (1 - strain)
      local force = force_on({ stiffness = 1e7 }, { { at = { 0, 0, 0 } }, { at = { distance, 0, 0 }, radius = other } })
      local area_now = contact_area(distance, R, other)
      worst = math.max(worst, math.abs(-force[1] / (1e7 * strain ^ 2 * area_now) - 1))
      if other == R then slope[k] = -force[1] / area_now end
      ratio_at_last = -force[1] / (1e7 * strain ^ 2 * area_now)
    end
  end
  claim("Z13", "two spheres at strains 0.001 to 0.1, radii 1:1 and 1:2: force over K E^2 A", "4 (13), (14)", "K |E|^p A", worst, { at_most = 1e-8 }, { band_from = "exact; the pair moves by 1e-10 of the overlap" })
  claim("Z14", "the same, radii 1:2 at strain 0.1, the area from the printed lengths", "App. 2 (64)-(69)", "the circle in which spheres intersect", ratio_at_last, { equal = 1, tolerance = 1e-8 })
  claim("Z65", "exponent of the strain", "7", "p = 2", math.log(slope[2] / slope[1]) / math.log(10), { equal = 2, tolerance = 1e-8 }, { paper_value = 2 })
end
do
  local distance = 2 * R * 0.99
  local moving = { { at = { 0, 0, 0 }, velocity = { 0.5, 0, 0 } }, { at = { distance, 0, 0 } } }
  local damped, elastic = force_on({ damping = 1e5 }, moving), force_on({}, moving)
  claim("Z15", "damping of a pair at 0.5 m/s over c v A", "4.2 (19)", "c v_n A", (elastic[1] - damped[1]) / (1e5 * 0.5 * contact_area(distance, R, R)), { equal = 1, tolerance = 1e-4 }, { band_from = "1e-9 s of the motion" })
  local soft = force_on({ stiffness = 1e7, thermal_softening = true }, { { at = { 0, 0, 0 } }, { at = { distance, 0, 0 } } })
  claim("Z28", "stiffness at 300 K over 1e7", "(35)-(37)", "K_p exp(-a (theta / theta* - 1)), theta* = 500 K", -soft[1] / (0.01 ^ 2 * contact_area(distance, R, R)) / 1e7,
    { equal = math.exp(0.4), tolerance = 1e-7 })
  local hot = force_on({ stiffness = 1e7, thermal_softening = true }, { { at = { 0, 0, 0 } }, { at = { distance, 0, 0 } } }, function(sim)
    for id = 1, 2 do sim.temperature[id] = 500 end
  end)
  claim("Z61", "stiffness at 500 K over 1e7", "Remark after (34)", "thermal coupling: softening", -hot[1] / (0.01 ^ 2 * contact_area(distance, R, R)) / 1e7, { equal = 1, tolerance = 1e-7 })
end
-- Friction (20)-(24): K_f |v_t| A t_f while this is below mu_s |F_n|, else mu_d |F_n|.
do
  local distance, worst = 2 * R * 0.99, 0
  local circle = contact_area(distance, R, R)
  local normal = 1e7 * 0.01 ^ 2 * circle
  local limit = 0.4 * normal / (1e7 * circle * 1e-5) -- the speed at which it begins to slide
  for _, factor in ipairs { 0.5, 0.99, 1.01, 2 } do
    local force = force_on({ stiffness = 1e7, friction = "regularized", friction_static = 0.4, friction_dynamic = 0.3 },
      { { at = { 0, 0, 0 }, velocity = { 0, factor * limit, 0 } }, { at = { distance, 0, 0 } } })
    worst = math.max(worst, math.abs(-force[2] / normal - (factor < 1 and factor * 0.4 or 0.3)))
  end
  claim("Z16", "friction of a pair at 0.5 to 2 times the sliding speed, over the normal force: distance from stick, or slip", "4.3 (20)-(24)", "mu_s = 0.4, mu_d = 0.3", worst,
    { at_most = 1e-5 })
  local function as_printed(step)
    local sim = floc.simulation { dimension = 3, time_step = step, scheme = floc.discrete_element { integrator = "velocity_verlet", stiffness = 1e7, friction = "regularized", friction_time = 0 } }
    sim:add_particle { position = { 0, 0, 0 }, velocity = { 0, 1, 0 }, radius = R, mass = 1, allow_overlap = true }
    sim:add_particle { position = { distance, 0, 0 }, radius = R, mass = 1, allow_overlap = true }
    sim:run { steps = 1, progress = false }
    return (1 - sim.vy[1]) / step
  end
  claim("Z18", "friction as printed in a step twice as long, over it", "(20), (26)", "a force of the sliding speed", as_printed(2e-6) / as_printed(1e-6), { equal = 2, tolerance = 0.01 },
    { paper_band = { equal = 1, tolerance = 0.1 }, differs = "(20), (21) and (26) contain the time step; friction_time takes its place" })
end
-- Bonds (25) act on overlapping particles only: pulled apart by 2 % of a diameter, one holds nothing.
do
  local function pulled(law)
    local _, sim = force_on({ stiffness = 1e7, bonds = law, bond_stiffness = 1e6 }, { { at = { 0, 0, 0 } }, { at = { 2 * R * 0.98, 0, 0 } } })
    local speed = 0.04 * 2 * R / instant
    sim.vx[2] = speed
    sim:run { steps = 1, progress = false }
    sim.vx[1], sim.vx[2] = 0, 0
    sim:run { steps = 1, progress = false }
    return sim.vx[1] / instant, contact_area(2 * R * 0.98, R, R)
  end
  claim("Z17", "a bond as printed that is pulled by 2 %: force", "4.4 (25)", "bonds hold the agglomerate", pulled "literal", { equal = 0, tolerance = 0 },
    { paper_band = { at_least = 1e-3 }, differs = "(25) acts while particles overlap, when the contact pushes them apart; ours pulls" })
  local force, circle = pulled "persistent"
  claim("Z17", "a persistent bond that is pulled by 2 %, over K_nb E^2 A_0", "4.4 (25)", "K_nb |E|^2 A", force / (1e6 * 0.02 ^ 2 * circle), { equal = 1, tolerance = 1e-3 }, { band_from = "two steps of the motion" })
end
-- Fields.
do
  local near = force_on({ attraction = 3, attraction_exponent = 2, repulsion = 0.2, repulsion_exponent = 4 }, { { at = { 0, 0, 0 } }, { at = { 0.5, 0, 0 } } })
  claim("Z21", "near field of a pair at 0.5 m over alpha_1 r^-2 - alpha_2 r^-4", "5.1 (28)", "alpha r^-beta", near[1] / (3 / 0.25 - 0.2 / 0.0625), { equal = 1, tolerance = 1e-12 })
  local magnet = force_on({ magnetization = 2, magnetic_field = function(x) return 0, 0, 3 * x end }, { { at = { 0.4, 0, 0 } } })
  claim("Z22", "a magnetized sphere in B = 3 x over gamma grad(B.B)", "5.1 (29)", "grad(gamma B.B)", magnet[1] / (2 * 2 * 9 * 0.4), { equal = 1, tolerance = 1e-6 }, { band_from = "differences over 1e-3 m" })
  -- A charge in a magnetic field goes in a circle of radius m v / (q B).
  local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { adaptive = false, tolerance = 1e-13, iterations = 100, magnetic_field = function() return 0, 0, 2 end } }
  sim:add_attribute("charge", 3)
  sim:add_particle { position = { 0, 0, 0 }, velocity = { 1.5, 0, 0 }, radius = R, mass = 2 }
  local worst = 0
  for _ = 1, 2000 do
    sim:run { steps = 1, progress = false }
    worst = math.max(worst, math.abs(math.sqrt(sim.x[1] ^ 2 + (sim.y[1] + 0.5) ^ 2) / 0.5 - 1))
  end
  claim("Z20", "a charge in a magnetic field: radius of its circle over m v / (q B), less 1", "5.1 (27)", "q (E + v x B)", worst, { at_most = 1e-5 }, { band_from = "second order in the step" })
end
do
  local function slowed(step, viscosity)
    local sim = floc.simulation { dimension = 3, time_step = step, scheme = floc.discrete_element { adaptive = false, tolerance = 1e-13, iterations = 100, viscosity = viscosity } }
    sim:add_particle { position = { 0, 0, 0 }, velocity = { 1, 0, 0 }, radius = R, mass = 2 }
    sim:run { steps = math.floor(1 / step + 0.5), progress = false }
    return sim.vx[1] / math.exp(-6 * math.pi * viscosity * R / 2) - 1
  end
  claim("Z23", "a sphere slowed by Stokes drag for 1 s over exp(-6 pi c R t / m), less 1", "5.1 (30)", "6 pi c R (v_e - v)", slowed(1e-3, 1), { equal = 0, tolerance = 1e-6 })
  claim("Z24", "order of the trapezoidal rule: error at twice the step over it", "(31)-(34)", "the trapezoidal rule, phi = 0.5", math.log(slowed(0.04, 1) / slowed(0.02, 1)) / math.log(2),
    { equal = 2, tolerance = 0.02 })
end
do
  local spin = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { integrator = "velocity_verlet", rotation = true } }
  spin:add_particle { position = { 0, 0, 0 }, radius = R, mass = 2 }
  spin:add_field { returns = { "torque_z" }, law = function() return 1e-3 end }
  spin:run { steps = 100, progress = false }
  claim("Z57", "a sphere that a moment turns for 0.1 s over M t / (2/5 m R^2)", "4.1 (16)", "I = 2/5 m R^2", spin.wz[1] / (1e-3 * 0.1 / (0.4 * 2 * R * R)), { equal = 1, tolerance = 1e-12 })
end
-- Zohdi's (70) in place of (13); forces add up; bonds form at the printed strain.
do
  local overlap = 0.01 * 2 * R
  local hertz = force_on({ contact = "hertz", young_modulus = 1e9, poisson_ratio = 0.3 }, { { at = { 0, 0, 0 } }, { at = { 2 * R - overlap, 0, 0 } } })
  claim("Z53", "Hertz's force of a pair over 4/3 E* sqrt(R*) d^1.5", "App. 2 (70)", "4/3 sqrt(R*) E* d^1.5", -hertz[1] / (4 / 3 * 1e9 / (2 * (1 - 0.09)) * math.sqrt(R / 2) * overlap ^ 1.5), { equal = 1, tolerance = 1e-8 })
  local places = { { at = { 0, 0, 0 }, velocity = { 0.1, 0.2, 0 } }, { at = { 2 * R * 0.99, 0, 0 } } }
  local contact, near, drag = force_on({ stiffness = 1e7 }, places), force_on({ contact = "none", attraction = 3 }, places), force_on({ contact = "none", viscosity = 2 }, places)
  local all, worst = force_on({ stiffness = 1e7, attraction = 3, viscosity = 2 }, places), 0
  for axis = 1, 3 do worst = math.max(worst, math.abs(all[axis] - contact[axis] - near[axis] - drag[axis])) end
  claim("Z01", "force of contact, near field and drag together less their sum, relative", "2 (1)", "m a is the sum of the forces", worst / math.abs(all[1]), { at_most = 1e-7 }, { band_from = "velocities are differences of rounded numbers" })
  local formed = 0
  for _, strain in ipairs { 0.0099, 0.0101 } do
    local _, sim = force_on({ bonds = "persistent", bond_formation = 0.01 }, { { at = { 0, 0, 0 } }, { at = { 2 * R * (1 - strain), 0, 0 } } })
    formed = formed + (strain > 0.01 and 10 or 1) * sim:element_report().bonds
  end
  claim("Z19", "bonds at strain 0.0099, and ten times those at 0.0101", "4.4", "bonds form at |E| >= E*", formed, { equal = 10, tolerance = 0 })
end
-- (9): a discrete advance of a tenth of a radius misses hits that graze.
do
  local sim = floc.simulation { dimension = 3, time_step = 1, scheme = floc.discrete_element {} }
  sim:add_particles { count = 500, radius = R, mass = 1, region = floc.ball { center = { 0, 0, 0 }, radius = 0.6 } }
  local exact = sim:trace { source = floc.plane_wave { rays = 4000, radius = 0.6, seed = 1 } }.reflections
  local stepped = sim:trace { source = floc.plane_wave { rays = 4000, radius = 0.6, seed = 1, method = "advance", advance = 0.1 } }.reflections
  claim("Z12", "reflections with the discrete advance of 0.1 over the exact ones", "3.2 (9)", "xi from 0.05 to 0.1", stepped / exact, { equal = 1, tolerance = 0.03 }, { band_from = "few per cent of hits graze" })
end
-- (40): moments of numbers that are known, 1, 2, 3, 4, 10: about the mean 4 they are 10, 36, 280.4 (second to fourth).
do
  local sim, values = floc.simulation { dimension = 3, time_step = 1 }, { 1, 2, 3, 4, 10 }
  for k, x in ipairs(values) do sim:add_particle { position = { x, 10 * k, 0 }, radius = R, mass = 1 } end
  local worst = 0
  for order = 2, 4 do
    local sum = 0
    for _, x in ipairs(values) do sum = sum + (x - 4) ^ order / 5 end
    worst = math.max(worst, math.abs(sim:moment { column = "x", about = "mean", order = order } / sum - 1))
  end
  claim("Z48", "moments of order 2 to 4 of five numbers, relative", "7 (40)", "moments of any order", worst, { at_most = 1e-12 })
  claim("Z49", "second moment over the square of the standard deviation", "7 (40)", "M_2 is called the standard deviation", sim:moment { column = "x", about = "mean", order = 2 } / 10,
    { equal = 1, tolerance = 1e-12 })
end
claim("Z30", "power that 150 MPa at 1500 m/s over the beam's area are, in W", "7", "150 MPa, 1500 m/s, radius 1 m, and 7.06e13 J", 150e6 * 1500 * math.pi, { equal = 7.0686e11, tolerance = 1e8 },
  { paper_value = 7.06e13, paper_band = { equal = 7.06e13, tolerance = 1e12 }, differs = "the printed number is a hundred times as large, and a power is in W" })
