-- Are all steps solved? Grains fall into a box and settle, with friction 0.5 at the default tolerance, under Coulomb's law and
-- under the convex law, whose problems are always solved. A step that is not is listed: its number, residual over tolerance,
-- and the two that touch where the residual is.
--
--   build/floc run benchmarks/friction/settling.lua
--   build/floc run benchmarks/friction/settling.lua --grains=20000 --dimension=2 --law=convex
--
-- Each scene is a lattice with a random shift of each grain, 40 grains wide (2,000 discs) or a quarter as high as wide (spheres),
-- a grain's diameter above the floor; the time step lets a grain fall through its own radius in 10 steps from rest.
local floc = require "floc"

local args = floc.args {
  grains = { 2000, at_least = 10, integer = true },
  dimension = { 0, one_of = { 0, 2, 3 }, text = "0: both" },
  law = { "both", one_of = { "both", "exact", "convex" } },
  steps = { 1000, at_least = 1, integer = true },
  friction = { 0.5, at_least = 0 },
  max_iterations = { 20000, at_least = 1, integer = true },
}
local g, radius, time_step = 9.81, 0.01, 4.5e-3

local function make(dimension, law)
  local sim = floc.simulation { dimension = dimension, time_step = time_step, seed = 1,
                                gravity = dimension == 2 and { 0, -g } or { 0, -g, 0 },
                                scheme = floc.inelastic { friction = args.friction, friction_law = law, max_iterations = args.max_iterations } }
  local spacing = 2.2 * radius
  local across = dimension == 2 and math.floor(math.sqrt(args.grains) * 0.9) or math.floor((2 * args.grains) ^ (1 / 3))
  local width = across * spacing
  if dimension == 2 then
    sim:add_body { shape = floc.polyline { { 0, 4 * width }, { 0, 0 }, { width, 0 }, { width, 4 * width } } }
  else
    sim:add_body { shape = floc.container { width = width, depth = width, height = 4 * width } }
  end
  local random, count = 1, 0
  local function draw() -- the same on every machine
    random = (random * 16807) % 2147483647
    return random / 2147483647
  end
  while count < args.grains do
    local layer, place = math.floor(count / across ^ (dimension - 1)), count % (across ^ (dimension - 1))
    local r = radius * (0.8 + 0.2 * draw())
    local free = spacing - 2 * r
    local function at(k, from) return from + k * spacing + r + free * draw() end
    local position
    if dimension == 2 then
      position = { at(place, 0), at(layer, 2 * radius) }
    else
      position = { at(place % across, -width / 2), at(layer, 2 * radius), at(math.floor(place / across), -width / 2) }
    end
    sim:add_particle { position = position, radius = r, mass = 1000 * (dimension == 2 and math.pi * r ^ 2 or 4 / 3 * math.pi * r ^ 3) }
    count = count + 1
  end
  return sim
end

local function settle(dimension, law)
  local sim = make(dimension, law)
  local unsolved, worst, products, most = 0, 0, 0, 0
  local began = os.clock()
  for step = 1, args.steps do
    sim:run { steps = 1, progress = false, on_unconverged = "go_on" }
    local report = sim:report()
    products, most = products + report.iterations, math.max(most, report.iterations)
    if not report.converged then
      unsolved = unsolved + 1
      worst = math.max(worst, report.residual / report.tolerance)
      if unsolved <= 10 then
        local other = report.worst_other and "particle " .. report.worst_other or report.worst_body and "body " .. report.worst_body
        print(("  step %d: residual %.2g of the tolerance, after %d products, in %d of %d islands%s"):format(step, report.residual / report.tolerance,
          report.iterations, report.unsolved_islands, report.islands,
          report.worst_step == step and other and (", between particle %d and %s"):format(report.worst_particle, other) or ""))
      end
    end
  end
  local report, seconds = sim:report(), os.clock() - began
  print(("%d %s, %-6s: %4d of %d steps unsolved%s; %.0f products a step, most %d; %.1f ms a step; overlap %.1e radii, kinetic energy %.1e m g r a grain")
    :format(args.grains, dimension == 2 and "discs" or "spheres", law, unsolved, args.steps,
      unsolved > 0 and (", greatest residual %.2g of the tolerance"):format(worst) or "", products / args.steps, most, 1000 * seconds / args.steps,
      report.overlap, report.kinetic_energy / (args.grains * (dimension == 2 and 25 or 3) * g * radius ^ dimension * radius)))
  io.stdout:flush()
  return unsolved
end

local convex = 0
for _, dimension in ipairs(args.dimension == 0 and { 2, 3 } or { args.dimension }) do
  for _, law in ipairs(args.law == "both" and { "exact", "convex" } or { args.law }) do
    local unsolved = settle(dimension, law)
    if law == "convex" then convex = convex + unsolved end
  end
end
if args.law ~= "exact" then
  floc.report { claim = "the convex law is solved in every step", value = convex, expect = { equal = 0, tolerance = 0 } }
end
if convex > 0 then error("the convex law left steps unsolved", 0) end
