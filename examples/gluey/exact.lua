-- What Lefebvre (2009) states of one particle, a pair and a few, each against a closed form, or against the paper's
-- algorithm written out a second time below. Milliseconds each; a wrong law is named here, not only noticed.
--
--   floc run examples/gluey/exact.lua
local floc = require "floc"
if arg then package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path end -- plain Lua; floc run knows this folder
local algorithm = require "algorithm"

local args = floc.args { time_step = 0.02 }
local exact = "exact"

local function claim(item, text, where, says, value, expect, more)
  local one = { item = item, claim = text, paper = "Lefebvre 2009, " .. where, paper_says = says, value = value, expect = expect, band_from = exact }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end

-- ---- one particle above a plane: pressed with -2 until t = 2, then pulled with 2 ------------------------------------

-- Its mean over a step, as (2.8) has it.
local function mean_force(t, h)
  local pressed = math.min(math.max(2 - t, 0), h)
  return 2 * (h - 2 * pressed) / h
end

-- options of floc.gluey; radius; roughness of both sides. Returns per step t, q, gamma, impulse and velocity.
local function above_plane(options, radius, roughness, h, end_time)
  options.tolerance = 1e-13
  local sim = floc.simulation { time_step = h or args.time_step, scheme = floc.gluey(options) }
  sim:add_body { shape = floc.plane { normal = { 0, 1 } }, roughness = roughness and roughness / 2 or nil }
  if roughness then sim:add_attribute("roughness", roughness / 2) end
  local id = sim:add_particle { position = { 0, 1 + radius }, radius = radius, mass = 1 }
  sim:add_field { law = function(t, time_step)
    local force = t + time_step <= 2 and -2 or t >= 2 and 2 or (2 * (t + time_step - 2) - 2 * (2 - t)) / time_step
    return 0, force
  end }
  local rows = { h = sim.time_step }
  for step = 1, math.floor((end_time or 5) / sim.time_step + 1e-9) do
    sim:run { steps = 1, progress = false }
    local contact = sim:contacts()[1]
    rows[step] = { t = step * sim.time_step, q = sim.y[id] - radius, v = sim.vy[id], gamma = contact and contact.gamma or 0,
      impulse = contact and contact.impulse or 0 }
  end
  return rows
end

local function released(rows)
  local last = 0
  for _, row in ipairs(rows) do if row.gamma < 0 then last = row.t end end
  return last
end

-- Algorithm 2.7: projection, gamma, and the correction where it comes loose, for m = 1. The impulse is at least gamma.
local function above_plane_again(h, gamma_min, end_time)
  local q, u, gamma, rows = 1, 0, 0, {}
  for step = 1, math.floor(end_time / h + 1e-9) do
    u = u + h * mean_force((step - 1) * h, h)
    local impulse = math.max(gamma, -(q / h + u))
    u, gamma = u + impulse, math.max(math.min(gamma - impulse, 0), gamma_min)
    q = q + h * u
    rows[step] = { q = q, gamma = gamma, v = u }
  end
  return rows
end

for _, model in ipairs { { "smooth", -math.huge }, { "rough", -3 } } do
  local rows, again = above_plane({ gamma_min = model[2] }, 1), above_plane_again(args.time_step, model[2], 5)
  local worst, both, momentum, pressed, distance = 0, 0, 0, 0, 0
  for k, row in ipairs(rows) do
    worst = math.max(worst, math.abs(row.q - again[k].q), math.abs(row.gamma - again[k].gamma), math.abs(row.v - again[k].v))
    both = math.max(both, math.abs(row.q * row.gamma))
    if row.gamma < 0 then distance = math.max(distance, math.abs(row.q)) end
    pressed = pressed + row.impulse
    momentum = math.max(momentum, math.abs(row.v - pressed - 2 * math.max(row.t - 4, -row.t)))
  end
  claim("L20", model[1] .. ": distance from the algorithm in twenty lines, of q, gamma and u", "Algorithm 2.7",
    "projection, then gamma, then the correction where the particle comes loose", worst, { at_most = 1e-11 })
  claim("L13", model[1] .. ": greatest product of q and gamma", "Remark 2.3", "q gamma = 0", both, { at_most = 1e-11 })
  claim("L06", model[1] .. ": greatest distance while gamma < 0", "2.1 (2.1)-(2.5)", "glued while gamma < 0", distance, { at_most = 1e-11 })
  claim("L21", model[1] .. ": momentum less the impulses of force and contact", "(2.8)", "m (u+ - u) / h = m f + lambda", momentum, { at_most = 1e-11 })
end

local smooth = above_plane({}, 1)
for _, radius in ipairs { 0.5, 2 } do
  local other, worst = above_plane({}, radius), 0
  for k, row in ipairs(smooth) do worst = math.max(worst, math.abs(row.q - other[k].q)) end
  claim("L16", "smooth, r = " .. radius .. ": distance of q from that of r = 1", "Remark 2.5", "smooth trajectories do not depend on r", worst,
    { at_most = 1e-11 })
  local scaled = above_plane({ radius_factor = true }, radius)
  worst = 0
  for k, row in ipairs(smooth) do worst = math.max(worst, math.abs(row.gamma - scaled[k].gamma * radius ^ 2)) end
  claim("L15", "r = " .. radius .. ": distance of r^2 gamma from the gamma of r = 1", "Remark 2.5 (2.7)", "gamma' = -lambda / r^2", worst, { at_most = 1e-10 })
end

-- Rough, gamma_min = -3, with (2.7): what is left of gamma at t = 2 is -min(3, 4 / r^2), used up at the rate 2 / r^2.
for _, radius in ipairs { 0.5, 1, 2 } do
  local rows = above_plane({ gamma_min = -3, radius_factor = true }, radius)
  claim("L46", "rough with the radius factor, r = " .. radius .. ": leaves at", "2.5", "the trajectory of a rough particle depends on r", released(rows),
    { equal = 2 + math.min(3, 4 / radius ^ 2) * radius ^ 2 / 2, tolerance = 2 * args.time_step }, { unit = "time" })
end

-- gamma_min = 6 pi mu ln(s_1 + s_2), reached by pressing; the larger the viscosity, the longer the contact.
for _, viscosity in ipairs { 0.5, 1, 2 } do
  local rows, least = above_plane({ viscosity = viscosity }, 1, 0.95), 0
  for _, row in ipairs(rows) do least = math.min(least, row.gamma) end
  local bound = 6 * math.pi * viscosity * math.log(0.95)
  claim("L43", "viscosity " .. viscosity .. ", roughness 0.95 in all: least gamma over its bound", "2.5", "gamma_min = 6 pi mu ln(r_s1 + r_s2)", least / bound,
    { equal = 1, tolerance = 1e-12 })
  claim("L47", "viscosity " .. viscosity .. ": leaves at", "Remark 2.15", "the larger the viscosity, the longer the contact", released(rows),
    { equal = 2 - bound / 2, tolerance = 2 * args.time_step })
end

-- Steps that are longer than the pulse is precise: h = 0.63.
local coarse, first_step, at_release = above_plane({}, 1, nil, 0.63), nil, nil
for step, row in ipairs(coarse) do
  if row.gamma < 0 and not first_step then first_step = step end
  if row.gamma < 0 then at_release = step + 1 end
end
claim("L26", "h = 0.63: the step in which the particle is first glued", "Remark 2.11", "n1 = 2", first_step, { at_least = 2, at_most = 2 }, { paper_value = 2 })
local free = coarse[at_release]
claim("L27", "h = 0.63: velocity when it has come loose, less 2 (t - 4)", "Remark 2.11", "the velocity is corrected, and exact from the next step on",
  math.abs(free.v - 2 * (free.t - 4)), { at_most = 1e-11 })

-- Stability: u_h <= u_0 + int f, total variation <= u_0 + 8 int f, with int f = 10.
local greatest, variation = 0, 0
for _, h in ipairs { 0.5, 0.25, 0.1, 0.05, 0.02, 0.01 } do
  local sum, before = 0, 0
  for _, row in ipairs(above_plane({}, 1, nil, h)) do
    greatest, sum, before = math.max(greatest, math.abs(row.v)), sum + math.abs(row.v - before), row.v
  end
  variation = math.max(variation, sum)
end
claim("L29", "greatest velocity over six time steps", "Lemma 2.12", "max |u| <= |u_0| + int |f| = 10", greatest, { at_most = 10 })
claim("L30", "greatest variation of the velocity over six time steps", "Lemma 2.13", "Var u <= |u_0| + 8 int |f| = 80", variation, { at_most = 80 },
  { paper_band = { at_most = 80 } })

-- ---- pairs ------------------------------------------------------------------------------------------------------------

-- Radii 1 and 2 that meet head on: the change of gamma over the impulse is (r1 + r2)^2 / (r1 r2)^2 = 2.25.
local function thrown_pair(dimension, options)
  options.tolerance = 1e-13
  local sim = floc.simulation { dimension = dimension, time_step = args.time_step, scheme = floc.gluey(options) }
  local function place(x, y) return dimension == 2 and { x, y } or { x, y, 0 } end
  sim:add_particle { position = place(0, 0), radius = 1, mass = 1 }
  sim:add_particle { position = place(3.5, 0.7), velocity = place(-1, 0), radius = 2, mass = 3 }
  local impulses, gamma, least = 0, 0, 0
  for _ = 1, 100 do
    sim:run { steps = 1, progress = false }
    local contact = sim:contacts()[1]
    if contact then impulses, gamma = impulses + contact.impulse, contact.gamma end
    least = math.min(least, gamma)
  end
  return sim, impulses, gamma
end
local _, impulses, gamma = thrown_pair(2, { radius_factor = true })
claim("L03", "radii 1 and 2: change of gamma over the impulse", "1 (1.3)", "the force between two spheres has the factor r1^2 r2^2 / (r1 + r2)^2", -gamma / impulses,
  { equal = 2.25, tolerance = 1e-12 })
claim("L51", "radii 1 and 2: the factor R of the pair", "Remark 3.2", "R = (r_i + r_j)^2 / (r_i r_j)^2", -gamma / impulses, { equal = 9 / 4, tolerance = 1e-12 })
local plane_pair, space_pair = thrown_pair(2, {}), thrown_pair(3, {})
local apart = 0
for id = 1, 2 do
  apart = math.max(apart, math.abs(plane_pair.x[id] - space_pair.x[id]), math.abs(plane_pair.y[id] - space_pair.y[id]), math.abs(space_pair.z[id]))
end
claim("L72", "a pair in space: distance from the same in the plane", "4", "the code is three-dimensional", apart, { at_most = 1e-12 })

-- A floor that moves up and down carries a disc that sticks to it: no gap, no lag.
local carried, gap = floc.simulation { time_step = args.time_step, scheme = floc.gluey { tolerance = 1e-13 }, gravity = { 0, -10 } }, 0
local floor = carried:add_body { shape = floc.segment { { -5, 0 }, { 5, 0 } }, motion = floc.oscillation { amplitude = { 0, 0.5 }, frequency = 3 } }
local rider = carried:add_particle { position = { 0, 0.1 }, radius = 0.1, mass = 1 }
for _ = 1, 300 do
  carried:run { steps = 1, progress = false }
  gap = math.max(gap, math.abs(carried.y[rider] - 0.1 - floor.position[2]))
end
claim("L53", "a disc on a floor that swings, amplitude 0.5: greatest gap", "Remark 3.5", "obstacles enter with their position at the end of the step", gap,
  { at_most = 1e-11 })

-- ---- a few discs --------------------------------------------------------------------------------------------------------

-- Twelve discs that a spring draws to the middle.
local function crowd()
  local discs = {}
  for k = 1, 12 do
    local angle = 2.4 * k
    discs[k] = { x = 0.22 * math.sqrt(k) * math.cos(angle), y = 0.22 * math.sqrt(k) * math.sin(angle), vx = 0, vy = 0, r = 0.07 + 0.002 * k, m = 1 + 0.1 * k }
  end
  return discs
end

local stiffness, discs, gammas = 2, crowd(), {}
local few = floc.simulation { time_step = 0.01, scheme = floc.gluey { tolerance = 1e-14 } }
for _, d in ipairs(discs) do few:add_particle { position = { d.x, d.y }, radius = d.r, mass = d.m } end
few:add_field { law = function(x, y) return -stiffness * x, -stiffness * y end }
local worst = 0
for _ = 1, 150 do
  few:run { steps = 1, progress = false }
  for _, d in ipairs(discs) do
    d.vx, d.vy = d.vx - 0.01 * stiffness * d.x / d.m, d.vy - 0.01 * stiffness * d.y / d.m
  end
  algorithm.step(discs, gammas, 0.01)
  for id, d in ipairs(discs) do worst = math.max(worst, math.abs(few.x[id] - d.x), math.abs(few.y[id] - d.y)) end
end
claim("L49", "twelve gluey discs, 150 steps: distance from the algorithm in plain Lua", "3.1 (3.1)", "the model of many particles", worst, { at_most = 1e-9 })

-- Thrown together without a force: momentum is kept to rounding.
local cloud = floc.simulation { time_step = 0.01, scheme = floc.gluey {} }
local drift, scale, momentum_x, momentum_y = 0, 0, 0, 0
for k, d in ipairs(crowd()) do
  local vx, vy = -3 * d.x + 0.3 * math.sin(k), -3 * d.y
  cloud:add_particle { position = { d.x, d.y }, velocity = { vx, vy }, radius = d.r, mass = d.m }
  momentum_x, momentum_y, scale = momentum_x + d.m * vx, momentum_y + d.m * vy, scale + d.m * math.sqrt(vx * vx + vy * vy)
end
for _ = 1, 100 do
  cloud:run { steps = 1, progress = false }
  drift = math.max(drift, math.abs(cloud:measure "momentum_x" - momentum_x), math.abs(cloud:measure "momentum_y" - momentum_y))
end
claim("L50", "twelve discs thrown together: greatest change of momentum, relative", "Remark 3.1", "the impulse on i is the opposite of that on j", drift / scale,
  { at_most = 1e-14 })

-- Neighbours by cells: the lists of four times as many particles are four times as long.
local per_particle = {}
for k, count in ipairs { 1000, 4000, 16000 } do
  local half = 0.5 * math.sqrt(count / 1000)
  local gas = floc.simulation { time_step = 1e-3, seed = 1, scheme = floc.gluey {} }
  gas:add_particles { count = count, radius = { 0.008, 0.012 }, mass = 1, region = floc.box { lower = { -half, -half }, upper = { half, half } } }
  gas:run { steps = 1, progress = false }
  per_particle[k] = gas:report().list_entries / count
end
claim("L56", "entries of neighbour lists per particle, 16,000 over 1,000 particles", "3.3", "bucket sort avoids N (N - 1) / 2 pairs",
  per_particle[3] / per_particle[1], { equal = 1, tolerance = 0.1 }, { band_from = "at equal density; a rim of 6 % of the particles at 1,000" })

-- ---- rough lubrication -------------------------------------------------------------------------------------------------------

-- (1.4): d'' = f - mu d' / (d + d_s), of which d' + mu ln(d + d_s) - f t is kept; the surfaces meet in finite time, as they never do
-- with d_s = 0. By a field, explicitly.
do
  local function fall(roughness, until_time)
    local mu, f, sim = 1, -2, floc.simulation { time_step = 1e-4, scheme = floc.inelastic {} }
    local id = sim:add_particle { position = { 0, 1 }, radius = 0.1, mass = 1 }
    sim:add_field { law = function(y, vy) return 0, f - mu * vy / (y + roughness) end }
    local start, worst = mu * math.log(1 + roughness), 0
    repeat
      sim:run { steps = 10, progress = false }
      if sim.y[id] > 0 then worst = math.max(worst, math.abs(sim.vy[id] + mu * math.log(sim.y[id] + roughness) - f * sim.time - start)) end
    until sim.y[id] <= 0 or sim.time >= until_time
    return sim.y[id], sim.time, worst
  end
  local rough, met, changed = fall(0.05, 20)
  local without = fall(0, 4)
  claim("L04", "rough lubrication, d_s = 0.05: d' + mu ln(d + d_s) - f t, greatest change until contact", "1 (1.4)", "rough: d + d_s", changed, { at_most = 1e-3 },
    { band_from = "first order in the step" })
  claim("L04", "the same: time of contact", "1 (1.4)", "contact in finite time", rough <= 0 and met or math.huge, { at_most = 4 }, { band_from = "20 is when the run would end" })
  claim("L04", "without roughness: distance at t = 4", "1 (1.3)", "no contact in finite time", without, { equal = math.exp(-8), tolerance = 1e-6 })
end
