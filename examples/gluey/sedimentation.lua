-- Sedimentation of 3000 grains: funnel, rotating wheel, inclined plane with discs, container.
-- Lefebvre 2009, section 4.3, Figs. 17 and 18. The paper prints radii, mass, gravity, the wheel's speed and
-- the threshold on gamma; the coordinates below are ours (see README.md in this folder).
--
--   floc run examples/gluey/sedimentation.lua                  dry: inelastic contacts
--   floc run examples/gluey/sedimentation.lua --model=gluey    viscous: contacts stick, gamma >= -10
--   floc run examples/gluey/sedimentation.lua --movie=run.mp4 --files=true
local floc = require "floc"

local args = floc.args {
  model = "inelastic",   -- or "gluey"
  particles = 3000,
  steps = 14226,         -- the step of the paper's snapshots
  seed = 1,
  movie = "",            -- name of a movie, "run.mp4"
  files = false,         -- for floc view, ParaView and OVITO
}
local contact_laws = { inelastic = floc.inelastic {}, gluey = floc.gluey { gamma_min = -10 } }
local scheme = contact_laws[args.model] or error("model is \"" .. tostring(args.model) .. "\"; it must be inelastic or gluey", 0)

local sim = floc.simulation {
  dimension = 2, time_step = 1e-3, seed = args.seed, gravity = { 0, -10 }, scheme = scheme,
}

-- The way down.
sim:add_body { name = "left side of the funnel", shape = floc.polyline { { -1.6, 5.2 }, { -1.6, 1.6 }, { -0.08, 0 } } }
sim:add_body { name = "right side of the funnel", shape = floc.polyline { { 1.6, 5.2 }, { 1.6, 1.6 }, { 0.08, 0 } } }
local wheel = sim:add_body {
  name = "wheel", shape = floc.wheel { radius = 0.40, paddles = 6 }, position = { -0.10, -0.55 }, angular_velocity = -2,
}
sim:add_body { name = "plane", shape = floc.polyline { { -0.9, -0.3 }, { -0.9, -1.05 }, { 2.2, -2.3 } } }
for _, x in ipairs { 0.5, 0.95, 1.4, 1.85 } do
  local y = -1.05 + (x + 0.9) * (-2.3 + 1.05) / (2.2 + 0.9)
  sim:add_body { name = "obstacle", shape = floc.circle { radius = 0.1 }, position = { x, y } }
end
sim:add_body { name = "container", shape = floc.polyline { { 1.7, -2.6 }, { 1.7, -4.2 }, { 4.6, -4.2 }, { 4.6, -1.5 } } }

sim:add_particles {
  count = args.particles, radius = { 0.015, 0.025 }, mass = 2,
  region = floc.box { lower = { -1.58, 1.65 }, upper = { 1.58, 4.40 } },
}

local function count_where(test)
  local count = 0
  for id = 1, sim.count do
    if test(sim.x[id], sim.y[id]) then count = count + 1 end
  end
  return count
end
local function passed_outlet(_, y) return y < 0 end
local function in_container(x, y) return x > 1.7 and y < -2.3 end

sim:observe {
  path = floc.output(args.model .. ".tsv"), every = 50,
  columns = {
    passed = function() return count_where(passed_outlet) end,
    in_container = function() return count_where(in_container) end,
    kinetic_energy = "kinetic_energy",
    torque_on_wheel = function() return wheel.torque end,
  },
}
local lower, upper = { -1.7, -4.3 }, { 4.7, 5.3 } -- of pictures: some grains leap over an edge and fall for ever
if args.movie ~= "" then sim:record { movie = floc.output(args.movie), every = 40, colour = "speed", lower = lower, upper = upper } end
if args.files then
  sim:write_vtp { path = floc.output(args.model), every = 100 }
  sim:write_xyz { path = floc.output(args.model .. ".xyz"), every = 500, length_unit = "m", time_unit = "s", mass_unit = "kg" }
end
sim:checkpoint { path = floc.output(args.model .. ".floc"), every = 1000, keep = 3 }
sim:run { steps = args.steps }

local report = sim:report()
floc.report { claim = "grains pass the outlet of the funnel", paper = "Lefebvre 2009, 4.3",
              value = count_where(passed_outlet), expect = { at_least = 1 } }
floc.report { claim = "grains reach the container", paper = "Lefebvre 2009, Fig. 17",
              value = count_where(in_container), expect = { at_least = 1 } }
floc.report { claim = "greatest overlap of any step, in radii", paper = "Lefebvre 2009, Remark 3.6",
              value = report.greatest_overlap, expect = { at_most = 1e-3 } }
floc.report { claim = "steps whose contact problem stayed above its tolerance",
              value = report.unconverged_steps, expect = { at_most = math.floor(args.steps / 1000) } }
sim:picture {
  path = floc.output(args.model .. ".png"), colour = "speed",
  tubes = args.model == "gluey" and "gamma" or nil, lower = lower, upper = upper,
}
-- Fig. 18: the network of glued pairs around the wheel, darker where more is glued.
if args.model == "gluey" then
  sim:picture {
    path = floc.output "wheel.png", tubes = "gamma", lower = { -0.9, -1.1 }, upper = { 0.7, 0.7 },
  }
end
