-- What becomes of a box of discs at rest by tolerances about |gravity| h^2, the residual of free fall: means over 240 steps.
-- One at a time, of the same start: build/floc run benchmarks/friction/free_fall.lua [--friction=0.3 --time_step=0.002]
local floc = require "floc"
local args = floc.args { friction = 0, time_step = 1 / 60, discs = 600, seed = 1 }
local g, h, r, steps = 10, args.time_step, 0.05, 240

local function of(part)
  local sim = floc.simulation { time_step = h, gravity = { 0, -g }, seed = args.seed,
    scheme = floc.inelastic { friction = args.friction > 0 and args.friction or nil, tolerance = part and part * g * h * h } }
  local box = sim:add_body { shape = floc.container { width = 2, height = 12 } }
  sim:add_particles { count = args.discs, radius = { 0.9 * r, 1.1 * r }, density = 1, region = floc.box { lower = { -1, 0 }, upper = { 1, 6 } } }
  sim:run { until_time = 3 }
  local weight, squares, force, spread, overlap, products = 0, 0, 0, 0, 0, 0
  for id = 1, sim.count do weight = weight + g * sim.mass[id] end
  for _ = 1, steps do
    sim:run { steps = 1 }
    local ratio, report = -box.force[2] / weight, sim:report()
    force, spread = force + ratio / steps, spread + (ratio - 1) ^ 2 / steps
    overlap, products = math.max(overlap, report.overlap), products + report.iterations / steps
    for id = 1, sim.count do squares = squares + (sim.vx[id] ^ 2 + sim.vy[id] ^ 2) / sim.count / steps end
  end
  print(("tolerance %.3g g h^2: rms speed %.2f g h; force %.3f of the weight, rms deviation %.3f; greatest overlap %.1e radii; %.0f products a step")
    :format(sim:report().tolerance / (g * h * h), math.sqrt(squares) / (g * h), force, math.sqrt(spread), overlap, products))
end

of(nil)
for _, part in ipairs { 0.1, 0.5, 1.1, 2, 7 } do of(part) end
