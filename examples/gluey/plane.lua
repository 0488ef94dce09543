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
local far = {}
for _, mu in ipairs { 1, 0.1, 0.01 } do
  local solved = lubricated(mu, 1, smooth_t)
  q_series[#q_series + 1] = { name = "mu = " .. mu, x = smooth_t, y = solved.distance }
  gamma_series[#gamma_series + 1] = { name = "mu = " .. mu, x = smooth_t, y = solved.gamma }
  local worst = 0
  for k = 1, #smooth_t do worst = math.max(worst, math.abs(solved.distance[k] - smooth_q[k])) end
  far[#far + 1] = worst
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

local worst_smooth, worst_rough = 0, 0
for _, h in ipairs { 0.5, 0.25, 0.2, 0.13, 0.1, 0.07, 0.05, 0.03, 0.02, 0.013, 0.01, 0.005 } do
  worst_smooth = math.max(worst_smooth, greatest_error(h, -math.huge) / h)
  worst_rough = math.max(worst_rough, greatest_error(h, -3) / h)
end
floc.report { claim = "smooth: greatest error of q over twelve time steps, in time steps", paper = paper .. "Theorem 2.9",
              value = worst_smooth, expect = { at_most = 2.1 } }
floc.report { claim = "rough: greatest error of q over twelve time steps, in time steps", paper = paper .. "2.5",
              value = worst_rough, expect = { at_most = 2.1 } }

local contacts, gamma_error = 0, 0
for k = 1, #coarse_t do
  if coarse_gamma[k] < 0 then
    contacts = contacts + 1
    if contacts >= 2 then gamma_error = math.max(gamma_error, math.abs(coarse_gamma[k] - pushed_until(coarse_t[k]))) end
  end
end
floc.report { claim = "h = 0.63: error of gamma from the second contact step on", paper = paper .. "Remark 2.11",
              value = gamma_error, expect = { at_most = 1e-9 } }

-- The time of the last step that is glued, plus one: when the particle leaves.
local function release(gamma_min)
  local t, _, gamma = run(1e-3, gamma_min, args.end_time)
  local last = 0
  for k = 1, #t do if gamma[k] < 0 then last = t[k] end end
  return last
end
floc.report { claim = "smooth particle leaves at", paper = paper .. "Fig. 2", value = release(-math.huge),
              expect = { equal = 4, tolerance = 2e-3 } }
floc.report { claim = "rough particle (gamma_min = -3) leaves at", paper = paper .. "Fig. 12", value = release(-3),
              expect = { equal = 3.5, tolerance = 2e-3 } }
for k, mu in ipairs { 1, 0.1, 0.01 } do
  floc.report { claim = "distance of the viscous solution from the gluey one, mu = " .. mu, paper = paper .. "Remark 2.2",
                value = far[k], expect = k > 1 and { at_most = 0.5 * far[k - 1] } or nil }
end
