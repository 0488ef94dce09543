-- What the default tolerance costs, and whether it is enough: five scenes in which results bear little (first-order crowds) or
-- digits are dear (friction). Each settles, then the same steps are made from the same state with tolerances from coarse to
-- fine, and with the default; errors are against a tolerance finer by far. Crowds make one step: later ones diverge, as a
-- difference of rounding decides who goes first.
--
--   build/floc run benchmarks/tolerance.lua
--   build/floc run benchmarks/tolerance.lua --scene=crowd --grains=2000
--
-- Enough means: with gravity, the mean force on bodies is within 1 % of the grains' weight; with given velocities, every
-- velocity is within 0.5 % of the greatest given one. The loosest sufficient tolerance is the coarsest of the list that is
-- enough, as all finer ones are. The constants of choose_tolerance() in engine/schemes/projection/projection.c come from these tables.
local floc = require "floc"

local args = floc.args {
  scene = { "all", one_of = { "all", "pile", "drum", "silo", "crowd", "active" } },
  grains = { 400, at_least = 10, integer = true },
  steps = { 60, at_least = 2, integer = true, text = "from the settled state; the mean is of the second half" },
  seeds = { 5, at_least = 1, integer = true, text = "1 to this; the cost is the mean over them, as single ones differ by a factor of four" },
  details = false,
}
-- The same errors with wrong constants: 1e-4 radii for crowds gives 0.7 to 2.9 %, 1e-2 radii for a drum 2 %.
local g, mu, coarse_to_fine = 10, 0.5, { 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6 } -- in radii

-- ---- scenes: a simulation, the body whose force counts, where grains begin ------------------------

local function simulation(one, options, more)
  options.friction = one.friction
  more.time_step, more.seed, more.scheme = one.time_step, one.seed, floc.inelastic(options)
  return floc.simulation(more)
end

local scenes = {
  { name = "pile", radius = 0.05, time_step = 0.005, friction = mu, settle = 600, finest = 2e-5, make = function(one, options)
    local w = math.sqrt(args.grains) * 2 * one.radius
    local sim = simulation(one, options, { gravity = { 0, -g } })
    local box = sim:add_body { shape = floc.polyline { { -w, 3 * w }, { -w, 0 }, { w, 0 }, { w, 3 * w } } }
    return sim, box, floc.box { lower = { -w, 0 }, upper = { w, 2 * w } }
  end },
  { name = "drum", radius = 0.05, time_step = 0.005, friction = mu, settle = 200, finest = 2e-5, make = function(one, options)
    local radius = math.sqrt(args.grains / 0.4) * one.radius
    local sim = simulation(one, options, { gravity = { 0, -g } })
    local drum = sim:add_body { shape = floc.hollow { radius = radius }, angular_velocity = 0.5 }
    return sim, drum, floc.ball { center = { 0, 0 }, radius = 0.95 * radius }
  end },
  { name = "silo", radius = 0.05, time_step = 0.005, friction = mu, settle = 300, finest = 5e-5, make = function(one, options)
    local d = 12 * one.radius
    local height = args.grains * 4 / 3 * math.pi * one.radius ^ 3 / 0.3 / d ^ 2
    local sim = simulation(one, options, { dimension = 3, gravity = { 0, -g, 0 } })
    local bin = sim:add_body { shape = floc.container { width = d, depth = d, height = 3 * height } }
    return sim, bin, floc.box { lower = { -d / 2, 0, -d / 2 }, upper = { d / 2, height, d / 2 } }
  end },
  { name = "crowd", radius = 0.2, time_step = 0.02, friction = 0, speed = 1.2, settle = 300, finest = 1e-9, make = function(one, options)
    local w = math.sqrt(args.grains) * one.radius
    local sim = simulation(one, options, {})
    local wall = sim:add_body { shapes = { floc.segment { { -0.6, 0 }, { -2 * w, 0 } }, floc.segment { { 0.6, 0 }, { 2 * w, 0 } } } }
    sim:set_a_priori { law = function(x, y)
      local d = math.sqrt(x * x + (y + 1) * (y + 1))
      return -1.2 * x / d, -1.2 * (y + 1) / d
    end }
    return sim, wall, floc.box { lower = { -w, 0.3 }, upper = { w, 3 * w } }
  end },
  { name = "active", radius = 0.1, time_step = 0.02, friction = 0, speed = 1, settle = 300, finest = 1e-9, make = function(one, options)
    local w = math.sqrt(args.grains) * 1.2 * one.radius
    local sim = simulation(one, options, { domain = floc.box { lower = { -w, -w }, upper = { w, w } }, boundary = "wall" })
    sim:add_attribute "heading"
    sim:set_a_priori { law = function(heading) return math.cos(heading), math.sin(heading) end }
    return sim, nil, floc.box { lower = { -w, -w }, upper = { w, w } }, function(made)
      for id = 1, made.count do made.heading[id] = id * 2.399963 end
    end
  end },
}

-- ---- one scene -----------------------------------------------------------------------------------

local function settled(one)
  local sim, _, region, finish = one:make { tolerance = 1e-3 * one.radius }
  sim:add_particles { count = args.grains, radius = { 0.8 * one.radius, one.radius }, density = 1000, region = region }
  if finish then finish(sim) end
  sim:run { steps = one.settle, progress = false }
  return sim
end

local axes, speeds = { "x", "y", "z" }, { "vx", "vy", "vz" }

-- The same grains in a simulation of their own: what pairs remember is not taken along, so all begin alike.
local function run(one, from, tolerance)
  local sim, body, _, finish = one:make { tolerance = tolerance, max_iterations = 100000 }
  for id = 1, from.count do
    local position, velocity = {}, {}
    for axis = 1, from.dimension do position[axis], velocity[axis] = from[axes[axis]][id], from[speeds[axis]][id] end
    sim:add_particle { position = position, velocity = velocity, radius = from.radius[id], mass = from.mass[id] }
  end
  if one.friction > 0 then
    for _, name in ipairs(from.dimension == 2 and { "angular_velocity_z" } or { "angular_velocity_x", "angular_velocity_y", "angular_velocity_z" }) do
      for id = 1, from.count do sim[name][id] = from[name][id] end
    end
  end
  if finish then finish(sim) end
  local force = { 0, 0, 0 }
  local steps = one.speed and 1 or args.steps
  for step = 1, steps do
    sim:run { steps = 1, progress = false }
    if body and step > steps / 2 then
      for axis, value in ipairs(body.force) do force[axis] = force[axis] + value / math.ceil(steps / 2) end
    end
  end
  return { sim = sim, force = force, report = sim:report() }
end

local function force_error(one, reference)
  local weight, square = 0, 0
  for id = 1, one.sim.count do weight = weight + g * one.sim.mass[id] end
  for axis = 1, one.sim.dimension do square = square + (one.force[axis] - reference.force[axis]) ^ 2 end
  return math.sqrt(square) / weight
end

local function velocity_error(one, reference, speed)
  local greatest = 0
  for id = 1, one.sim.count do
    local square = 0
    for axis = 1, one.sim.dimension do
      local name = speeds[axis]
      square = square + (one.sim[name][id] - reference.sim[name][id]) ^ 2
    end
    greatest = math.max(greatest, math.sqrt(square))
  end
  return greatest / speed
end

local function examine(one)
  local from = settled(one)
  local reference = run(one, from, one.finest * one.radius)
  local allowed = one.speed and 0.005 or 0.01
  local function error_of(result)
    if one.speed then return velocity_error(result, reference, one.speed) end
    return force_error(result, reference)
  end
  local loosest
  for _, part in ipairs(coarse_to_fine) do
    if part < 2 * one.finest then break end
    local result = run(one, from, part * one.radius)
    local wrong = error_of(result)
    if args.details then
      print(("  %-6s %.0e radii: %6d products, error %.5f"):format(one.name, part, result.report.total_iterations, wrong))
    end
    if wrong > allowed then
      loosest = nil
    elseif not loosest then
      loosest = { part = part, products = result.report.total_iterations }
    end
  end
  local default = run(one, from, 0)
  local ratio = loosest and default.report.total_iterations / loosest.products
  print(("%-6s default %.1e radii (%s): %6d products, error %.5f of at most %g, %d steps unconverged; loosest sufficient %s"):format(
    one.name, default.report.tolerance / one.radius, default.report.tolerance_rule, default.report.total_iterations, error_of(default), allowed,
    default.report.unconverged_steps, loosest and ("%.0e radii: %d products, the default costs %.2f times that"):format(loosest.part, loosest.products, ratio)
    or "none of the list"))
  return error_of(default), allowed, ratio
end

local function examine_seeds(one)
  local greatest, sum, count, limit = 0, 0, 0, nil
  for seed = 1, args.seeds do
    one.seed = seed
    local wrong, allowed, ratio = examine(one)
    greatest, limit = math.max(greatest, wrong), allowed
    if ratio then sum, count = sum + ratio, count + 1 end
  end
  floc.report { claim = one.name .. ": greatest error at the default tolerance", value = greatest, expect = { at_most = limit } }
  if count > 0 then
    floc.report { claim = one.name .. ": mean cost of it, over the loosest sufficient", value = sum / count, expect = { at_most = 2 } }
  end
end

for _, one in ipairs(scenes) do
  if args.scene == "all" or args.scene == one.name then examine_seeds(one) end
end
