-- Sedimentation of 3000 grains: funnel, rotating wheel, inclined plane with discs, container.
-- Lefebvre 2009, section 4.3, Figs. 17 and 18. The paper prints radii, mass, gravity, the wheel's speed and
-- the threshold on gamma; the coordinates below are ours (see README.md in this folder).
--
--   floc run examples/gluey/sedimentation.lua                  dry: inelastic contacts
--   floc run examples/gluey/sedimentation.lua --model=gluey    viscous: contacts stick, gamma >= -10
--   floc run examples/gluey/sedimentation.lua --movie=run.mp4 --files=true
local floc = require "floc"
if arg then package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path end -- plain Lua; floc run knows this folder
local way_down = require "way_down"

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

local wheel = way_down.build(sim)
sim:add_particles {
  count = args.particles, radius = { 0.015, 0.025 }, mass = 2,
  region = way_down.funnel(1),
}

local function count_where(test) return way_down.count_where(sim, test) end

sim:observe {
  path = floc.output(args.model .. ".tsv"), every = 50,
  columns = {
    passed = function() return count_where(way_down.passed_outlet) end,
    in_container = function() return count_where(way_down.in_container) end,
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
local begun = os.clock()
sim:run { steps = args.steps }

local report = sim:report()
floc.report { claim = "CPU time", paper = "Lefebvre 2009, abstract", paper_says = "a few thousand particles are feasible", item = "L73", value = os.clock() - begun, unit = "s" }
-- What the two models must differ in is measured by dry_and_gluey.lua, over seeds.
floc.report { claim = "grains that have passed the outlet of the funnel", paper = "Lefebvre 2009, Fig. 17", item = "L66", value = count_where(way_down.passed_outlet) }
floc.report { claim = "grains in the container", paper = "Lefebvre 2009, Fig. 17", item = "L68", value = count_where(way_down.in_container) }
floc.report { claim = "greatest overlap of any step, in radii", paper = "Lefebvre 2009, Remark 3.6", item = "L55",
              value = report.greatest_overlap, expect = { at_most = 1e-4 }, band_from = "the solver's tolerance is 1e-4 radii" }
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
