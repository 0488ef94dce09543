-- One gluey particle above a plane: Lefebvre 2009, section 2, Figs. 2, 3, 4, 5 and 12.
-- Pressed with f = -2 until t = 2, then pulled with +2; m = 1, r = 1, q(0) = 1, u(0) = 0.
--
--   floc run examples/gluey/plane.lua
--   floc run examples/gluey/plane.lua --time_step=0.63        the coarse run of Fig. 5
local floc = require "floc"

local args = floc.args {
  time_step = 0.03,      -- of the curves in Fig. 5
  gamma_min = -3,        -- of the rough particle in Fig. 12
  end_time = 5,
}
local paper = "Lefebvre 2009, "

-- ---- the exact solution -------------------------------------------------------------------------

-- Integral of f from 0 to t.
local function pushed_until(t) return t <= 2 and -2 * t or 2 * t - 8 end

-- q and gamma at t; gamma_min -math.huge is the smooth particle.
local function exact(t, gamma_min)
  if t <= 1 then return 1 - t * t, 0 end
  local deepest = math.max(-2 * math.min(t, 2), gamma_min)
  local gamma = t <= 2 and deepest or math.min(0, deepest + 2 * (t - 2))
  local leaves = 2 - math.max(-4, gamma_min) / 2
  return t > leaves and (t - leaves) ^ 2 or 0, gamma
end

-- ---- Algorithm 2.7 ------------------------------------------------------------------------------

-- One run; returns times, q and gamma. f enters as its mean over each step, as in the algorithm.
local function run(time_step, gamma_min, end_time)
  local sim = floc.simulation { time_step = time_step, scheme = floc.gluey { gamma_min = gamma_min, tolerance = 1e-12 } }
  sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
  local id = sim:add_particle { position = { 0, 2 }, radius = 1, mass = 1 }
  sim:add_field { law = function(t, time_step)
    local force = t + time_step <= 2 and -2 or t >= 2 and 2 or (2 * (t + time_step - 2) - 2 * (2 - t)) / time_step
    return 0, force
  end }
  local t, q, gamma = { 0 }, { 1 }, { 0 }
  for step = 1, math.floor(end_time / time_step + 1e-9) do
    sim:run { steps = 1, progress = false }
    local contact = sim:contacts()[1]
    t[step + 1], q[step + 1], gamma[step + 1] = step * time_step, sim.y[id] - 1, contact and contact.gamma or 0
  end
  return t, q, gamma
end

local function greatest_error(time_step, gamma_min)
  local t, q = run(time_step, gamma_min, args.end_time)
  local worst = 0
  for k = 1, #t do worst = math.max(worst, math.abs(q[k] - exact(t[k], gamma_min))) end
  return worst
end

-- ---- curves -------------------------------------------------------------------------------------

local function curve(gamma_min)
  local t, q, gamma = {}, {}, {}
  for k = 0, 500 do
    t[k + 1] = k * args.end_time / 500
    q[k + 1], gamma[k + 1] = exact(t[k + 1], gamma_min)
  end
  return t, q, gamma
end

-- The vanishing-viscosity model d'' = -mu d'/d + f, gamma = mu ln d, from the same start.
local function lubricated(mu, start, times)
  return floc.lubrication.solve {
    mu = mu, distance = start or 1, velocity = 0, times = times, breaks = { 2 },
    force = function(t) return t < 2 and -2 or 2 end,
  }
end

local smooth_t, smooth_q, smooth_gamma = curve(-math.huge)
local rough_t, rough_q, rough_gamma = curve(args.gamma_min)

local function pair_of_panels(path, title, q_series, gamma_series)
  floc.plot { path = path, title = title, columns = 2, panels = {
    { x = { label = "t" }, y = { label = "q" }, series = q_series },
    { x = { label = "t" }, y = { label = "gamma" }, series = gamma_series },
  } }
end

pair_of_panels(floc.output "figure-2.png", "Gluey particle: q and gamma", { { name = "q", x = smooth_t, y = smooth_q } },
  { { name = "gamma", x = smooth_t, y = smooth_gamma } })
pair_of_panels(floc.output "figure-12.png", "Rough particle, gamma_min = " .. args.gamma_min,
  { { name = "rough", x = rough_t, y = rough_q }, { name = "smooth", x = smooth_t, y = smooth_q, dash = "dashed" } },
  { { name = "rough", x = rough_t, y = rough_gamma }, { name = "smooth", x = smooth_t, y = smooth_gamma, dash = "dashed" } })

-- Fig. 3: gamma is what mu ln d tends to.
local q_series, gamma_series = {}, {}
local far, least_log = {}, 0
for _, mu in ipairs { 1, 0.1, 0.01 } do
  local solved = lubricated(mu, 1, smooth_t)
  q_series[#q_series + 1] = { name = "mu = " .. mu, x = smooth_t, y = solved.distance }
  gamma_series[#gamma_series + 1] = { name = "mu = " .. mu, x = smooth_t, y = solved.gamma }
  local worst = 0
  for k = 1, #smooth_t do worst = math.max(worst, math.abs(solved.distance[k] - smooth_q[k])) end
  far[#far + 1] = worst
  for k = 1, #smooth_t do least_log = math.min(least_log, math.log(solved.distance[k])) end
end
q_series[#q_series + 1] = { name = "gluey", x = smooth_t, y = smooth_q, dash = "dashed" }
gamma_series[#gamma_series + 1] = { name = "gluey", x = smooth_t, y = smooth_gamma, dash = "dashed" }
pair_of_panels(floc.output "figure-3.png", "Vanishing viscosity", q_series, gamma_series)

-- Fig. 4: the same fall on a layer of thickness 0.02, coated with very different fluids; above it the particle is
-- free. Seen from far away, the times of hitting and leaving hardly depend on mu.
local layer, thickness = {}, 0.02
local enters = math.sqrt(1 - thickness)
for _, mu in ipairs { 0.1, 1, 10, 100 } do
  local times, t, q = { enters }, { 0 }, { 1 }
  for k = 2, #smooth_t do
    if smooth_t[k] > enters then times[#times + 1] = smooth_t[k] end
  end
  local solved = floc.lubrication.solve { mu = mu, distance = thickness, velocity = -2 * enters, times = times,
    breaks = { 2 }, force = function(t) return t < 2 and -2 or 2 end }
  for k = 2, #smooth_t do
    if smooth_t[k] < enters then t[#t + 1], q[#q + 1] = smooth_t[k], 1 - smooth_t[k] ^ 2 end
  end
  for k = 1, #times do t[#t + 1], q[#q + 1] = times[k], solved.distance[k] end
  layer[#layer + 1] = { name = "mu = " .. mu, x = t, y = q }
end
layer[#layer + 1] = { name = "gluey", x = smooth_t, y = smooth_q, dash = "dashed" }
floc.plot { path = floc.output "figure-4.png", title = "Layers of different viscosity", x = { label = "t" },
  y = { label = "q", lower = 0, upper = 0.025 }, series = layer }

-- Fig. 5: the algorithm at a fine and at a coarse step.
local fine_t, fine_q, fine_gamma = run(args.time_step, -math.huge, args.end_time)
local coarse_t, coarse_q, coarse_gamma = run(0.63, -math.huge, args.end_time)
local function beside(name, t, values) return { name = name, x = t, y = values, style = "markers" } end
pair_of_panels(floc.output "figure-5.png", "Algorithm 2.7 at large time steps",
  { { name = "exact", x = smooth_t, y = smooth_q }, beside("h = " .. args.time_step, fine_t, fine_q), beside("h = 0.63", coarse_t, coarse_q) },
  { { name = "exact", x = smooth_t, y = smooth_gamma }, beside("h = " .. args.time_step, fine_t, fine_gamma), beside("h = 0.63", coarse_t, coarse_gamma) })

-- ---- claims -------------------------------------------------------------------------------------

if args.end_time < 5 then
  floc.report { claim = "what the particle does until t = 5", paper = paper .. "2", absent = "the run ends before" }
  do return end
end

local function claim(item, text, where, says, value, expect, band_from, more)
  local one = { item = item, claim = text, paper = paper .. where, paper_says = says, value = value, expect = expect, band_from = band_from }
  for key, given in pairs(more or {}) do one[key] = given end
  floc.report(one)
end

-- First order: the slope of log(error) over log(h), and the constant, 2 where h divides the times of the events.
local steps = { 0.5, 0.25, 0.2, 0.13, 0.1, 0.07, 0.05, 0.03, 0.02, 0.013, 0.01, 0.005 }
local function order_of(gamma_min)
  local n, x, y, xx, xy, worst = #steps, 0, 0, 0, 0, 0
  for _, h in ipairs(steps) do
    local error_of_step = greatest_error(h, gamma_min)
    local a, b = math.log(h), math.log(error_of_step)
    x, y, xx, xy, worst = x + a, y + b, xx + a * a, xy + a * b, math.max(worst, error_of_step / h)
  end
  return (n * xy - x * y) / (n * xx - x * x), worst
end
for _, model in ipairs { { "smooth", -math.huge, "Theorem 2.9" }, { "rough", -3, "2.5" } } do
  local order, worst = order_of(model[2])
  claim("L22", model[1] .. ": order of convergence of q over twelve time steps", model[3], "u, q and gamma converge", order,
    { equal = 1, tolerance = 0.15 }, "the method is of first order")
  claim("L22", model[1] .. ": greatest error of q over twelve time steps, in time steps", model[3], "u, q and gamma converge", worst, { at_most = 2.1 },
    "2 where h divides the times of the events")
end

local contacts, gamma_error, coarse_error, fine_error = 0, 0, 0, 0
for k = 1, #coarse_t do
  coarse_error = math.max(coarse_error, math.abs(coarse_q[k] - exact(coarse_t[k], -math.huge)))
  if coarse_gamma[k] < 0 then
    contacts = contacts + 1
    if contacts >= 2 then gamma_error = math.max(gamma_error, math.abs(coarse_gamma[k] - pushed_until(coarse_t[k]))) end
  end
end
for k = 1, #fine_t do fine_error = math.max(fine_error, math.abs(fine_q[k] - exact(fine_t[k], -math.huge))) end
claim("L25", "h = 0.63: error of gamma from the second contact step on", "Remark 2.11", "gamma is exact from the second contact step on", gamma_error,
  { at_most = 1e-12 }, "exact")
claim("L28", "h = 0.63: greatest error of q, in time steps", "Fig. 5", "q close to the exact curve", coarse_error / 0.63, { at_most = 2.1 }, "as over twelve time steps")
claim("L24", ("h = %g: greatest error of q, in time steps"):format(args.time_step), "Remark 2.11", "at 0.03 it cannot be told from the exact curve",
  fine_error / args.time_step, { at_most = 2.1 }, "as over twelve time steps")

-- When the particle is first glued; gamma a step later, as the impact takes two; gamma when the force turns; the last
-- step that is glued.
local function events(gamma_min)
  local h, found = 1e-3, { released = 0 }
  local t, _, gamma = run(h, gamma_min, args.end_time)
  for k = 1, #t do
    if gamma[k] < 0 then
      if not found.hit then found.hit, found.first = t[k], gamma[k + 1] end
      found.released = t[k]
    end
    if math.abs(t[k] - 2) < 0.5 * h then found.turned = gamma[k] end
    if math.abs(t[k] - 1.5) < 0.5 * h then found.middle = gamma[k] end
  end
  return found
end
local band = "two time steps of 0.001"
local smooth_events, rough_events = events(-math.huge), events(-3)
claim("L08", "smooth particle hits at", "Fig. 2", "q falls to 0, stays, leaves", smooth_events.hit, { equal = 1, tolerance = 2e-3 }, band)
claim("L07", "gamma a step after the impact: m times the velocity", "2.1", "gamma starts at m u", smooth_events.first, { equal = -2, tolerance = 5e-3 }, band)
claim("L08", "smooth: gamma when the force turns", "Fig. 2", "gamma falls and rises on straight lines", smooth_events.turned, { equal = -4, tolerance = 4e-3 }, band)
claim("L08", "smooth particle leaves at", "Fig. 2", "it leaves when gamma is used up", smooth_events.released, { equal = 4, tolerance = 2e-3 }, band)
claim("L44", "rough particle: gamma at 1.5", "Fig. 12", "-3 is reached at 1.5", rough_events.middle, { equal = -3, tolerance = 4e-3 }, band, { paper_value = -3 })
claim("L44", "rough particle: gamma at 2", "Fig. 12", "-3 is held until 2", rough_events.turned, { equal = -3, tolerance = 4e-3 }, band, { paper_value = -3 })
claim("L45", "rough particle (gamma_min = -3) leaves at", "Fig. 12", "before the smooth one", rough_events.released, { equal = 3.5, tolerance = 2e-3 }, band)

claim("L02", "least ln d of the lubricated particle, over -4 / mu of the smallest mu", "1 (1.2)", "it never reaches the plane", least_log / (-4 / 0.01), { equal = 1, tolerance = 0.05 },
  "gamma = mu ln d comes to -4")

-- A decade of viscosity brings the lubricated particle nearer by these factors, and gamma to within 3 mu ln(1 / mu).
claim("L09", "distance of the viscous solution from the gluey one: mu = 0.1 over mu = 1", "Remark 2.2", "(d_mu, gamma_mu) tends to (q, gamma)", far[2] / far[1],
  { equal = 0.227, tolerance = 0.05 }, "the model's equation, solved by floc.lubrication")
claim("L09", "the same: mu = 0.01 over mu = 0.1", "Remark 2.2", "(d_mu, gamma_mu) tends to (q, gamma)", far[3] / far[2], { equal = 0.122, tolerance = 0.03 },
  "the model's equation, solved by floc.lubrication")
for k, mu in ipairs { 0.1, 0.01 } do
  local sum, values = 0, gamma_series[k + 1].y
  for n = 1, #smooth_t do sum = sum + math.abs(values[n] - smooth_gamma[n]) / #smooth_t end
  claim("L10", "mean distance of gamma_mu from gamma over mu ln(1 / mu), mu = " .. mu, "Fig. 3", "gamma_mu near gamma", sum / (mu * math.log(1 / mu)),
    { at_most = 0.5 }, "of the order of mu ln(1 / mu); 0.23 and 0.11 for the exact model")
end

-- How long the coated particle stays in its layer, and how deep, from the least viscous to the most.
local longest, shortest, depths = 0, math.huge, {}
for k = 1, 4 do
  local back, at_turn
  for n = 1, #layer[k].x do
    local t, q = layer[k].x[n], layer[k].y[n]
    if t >= 2 and not at_turn then at_turn = q end
    if t > 2 and q > thickness and not back then back = t end
  end
  depths[k], back = at_turn, back or math.huge
  longest, shortest = math.max(longest, back), math.min(shortest, back)
end
claim("L17", "leaves the layer of 0.02 for the four viscosities: the latest time over the earliest", "Remark 2.6", "seen from far, times agree for all viscosities",
  longest / shortest, { at_least = 1, at_most = 1 + math.sqrt(thickness) / 4 }, "a dry particle leaves at 4, one that stays in the layer at 4 + sqrt(0.02)")
claim("L18", "depths at t = 2 rise with the viscosity, of 3 comparisons", "Fig. 4", "the more viscous, the further from the plane",
  (depths[1] < depths[2] and 1 or 0) + (depths[2] < depths[3] and 1 or 0) + (depths[3] < depths[4] and 1 or 0), { at_least = 3, at_most = 3 }, "the figure")
claim("L19", "leaves the layer at the latest at", "Fig. 4", "below 0.02 from 1 to 4", longest, { equal = 4.1, tolerance = 0.05 }, "gluey: 4 + sqrt(0.02)")
