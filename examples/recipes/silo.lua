-- A silo that is fed from above and empties below: grains come, flow, leave and are counted, for as long as one likes.
--
--   floc run examples/recipes/silo.lua
--   floc run examples/recipes/silo.lua --outlet=0.3 --end_time=60
--
-- What to take from here: an inlet at a rate, an outlet that removes and counts, measures of both in a table.
local floc = require "floc"

local args = floc.args {
  outlet = { 0.24, text = "width of the opening, in m", above = 0.1, at_most = 1 },
  rate = { 400, text = "grains that come per second", above = 0 },
  end_time = { 8, text = "in s", above = 0 },
}

local sim = floc.simulation { dimension = 2, time_step = 2e-3, gravity = { 0, -9.81 }, scheme = floc.inelastic { friction = 0.4 } }
sim:add_body { shapes = {
  floc.funnel { top = 1.2, bottom = args.outlet, height = 0.6 },
  floc.segment { { -0.6, 0.6 }, { -0.6, 3 } }, floc.segment { { 0.6, 0.6 }, { 0.6, 3 } },
} }
local inlet = sim:add_inlet {
  region = floc.box { lower = { -0.55, 2.3 }, upper = { 0.55, 2.9 } }, rate = args.rate, radius = { 0.014, 0.018 }, density = 2000, velocity = { 0, -3 },
}
local outlet = sim:add_outlet { region = floc.box { lower = { -2, -2 }, upper = { 2, -0.5 } } }

sim:observe { path = floc.output "silo.tsv", every = 50, columns = {
  came = function() return inlet.count end, left = function() return outlet.count end, inside = function() return sim.count end,
  mass_left = function() return outlet.mass end,
} }
sim:run { until_time = args.end_time }
sim:picture { path = floc.output "silo.png", colour = "speed", unit = "m/s", range = { 0, 8 }, lower = { -0.8, -0.6 }, upper = { 0.8, 3 } }

local inside = sim:sum(function(mass) return mass end)
floc.report { claim = "grains that came less those that left and those inside", value = inlet.count - outlet.count - sim.count, expect = { equal = 0 } }
floc.report { claim = "the same of the mass, as a part of it", value = math.abs(inlet.mass - outlet.mass - inside) / inlet.mass, expect = { at_most = 1e-12 } }
floc.report { claim = "grains that left", value = outlet.count, expect = { at_least = 1 } }
floc.report { claim = "grains that found no place", value = inlet.waiting, expect = { at_most = 0 } }
