-- A Galton board: discs fall one after the other through rows of pins into bins, as often to the left as to the right.
local floc = require "floc"
local args = floc.args { discs = 120, rows = 8, restitution = { 0.4, at_least = 0, at_most = 1 }, seed = 1 }
local sim = floc.simulation { time_step = 2e-3, gravity = { 0, -9.81 }, scheme = floc.inelastic { restitution = args.restitution } }
local shapes, half, pitch, deep = {}, args.rows + 3, math.sqrt(3) / 2, 5 -- pins one apart, in triangles
for row = 0, args.rows - 1 do
  for k = -half, half do shapes[#shapes + 1] = floc.circle { radius = 0.2, center = { k + row % 2 / 2, -pitch * row } } end
end
local rim = -pitch * args.rows
for k = -half, half do shapes[#shapes + 1] = floc.segment { { k, rim - deep }, { k, rim } } end
shapes[#shapes + 1] = floc.segment { { -half, rim - deep }, { half, rim - deep } }
sim:add_body { shapes = shapes }
local numbers = floc.random("start", args.seed)
sim:every({ time = 0.5 }, function() -- between two pins
  if sim.count < args.discs then sim:add_particle { position = { numbers:uniform(0.3, 0.7), 1.5 }, radius = 0.12, mass = 1 } end
end)
sim:run { until_time = 0.5 * args.discs + 10 }
sim:picture { path = floc.output "galton_board.png", colour = "x", map = "diverging", legend = false, width = 500 }
local sum, squares = 0, 0
for id = 1, sim.count do
  local turns = math.floor(sim.x[id]) -- more to the right than to the left
  sum, squares = sum + turns, squares + turns ^ 2
end
local mean = sum / sim.count
local variance = squares / sim.count - mean ^ 2
floc.report { claim = "discs in bins", value = sim:sum(function(y) return y < rim end), expect = { equal = args.discs } }
floc.report { claim = "mean of the bins, in standard errors", value = mean / math.sqrt(variance / sim.count), expect = { at_least = -3, at_most = 3 } }
floc.report { claim = "variance of the bins, over rows/4 of independent turns", value = variance / (args.rows / 4), expect = { at_least = 0.5, at_most = 4 } }
