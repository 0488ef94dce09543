-- Steps of hard grains with friction: what they cost, and whether their answers are answers. Five scenes, each from a settled
-- state that is made once and kept in a folder:
--
--   build/floc run benchmarks/scenes/friction/friction.lua                                    all, some minutes
--   build/floc run benchmarks/scenes/friction/friction.lua --scene=pile --discs=3000          one
--   build/floc run benchmarks/scenes/friction/friction.lua --scene=drum --budget=60           sweeps by number instead of tolerance
--
-- pile    discs of radius 0.015 to 0.025 in a box with two slopes and a turning cross, settled without friction for 300 frames
--         of 1/60 s (benchmarks/pile_benchmark.c); then friction acts. Tolerance 0.05 of the least radius.
-- drum    spheres of radius 0.45 to 0.5 in a hollow ball, settled without friction, then for 20 steps of 5e-3 s with it, so that
--         contacts have impulses to begin with; then the ball turns, and the next 30 steps are measured.
-- funnel  the sedimentation of examples/gluey after 1.5 s, steps of 1e-3 s, default tolerance.
-- plane   600 discs in a drum with four blades, default tolerance.
-- free    spheres that touch nothing, with friction and without: what friction costs where it does not act.
--
-- A line has CPU per step (mean, slowest), sweeps (products with A) per step, contacts, CPU per contact and sweep of the solver,
-- greatest overlap in least radii, the force on all bodies over the weight (mean over the last third), kinetic energy, steps
-- that stayed above the tolerance, and the split of a step by stages in percent.
local floc = require "floc"

local args = floc.args {
  scene = { "all", one_of = { "all", "pile", "drum", "funnel", "plane", "free" } },
  discs = { 10000, at_least = 10, integer = true, text = "of the pile" },
  spheres = { 20000, at_least = 10, integer = true, text = "of the drum" },
  steps = { 0, at_least = 0, integer = true, text = "measured ones; 0: the scene's own number" },
  tolerance = { 0, at_least = 0, text = "in least radii; 0: the scene's own" },
  sweeps = { 0, at_least = 0, integer = true, text = "max_iterations; 0: the scene's own" },
  budget = { 0, at_least = 0, integer = true, text = "sweeps by number; 0: by tolerance" },
  substeps = { 1, at_least = 1, integer = true, text = "of each step: the pile's frames of 1/60 s are made of that many" },
  friction = { 0, at_least = 0, text = "0: the scene's own" },
  states = { "build-benchmarks/friction", text = "folder of the settled states" },
  details = false,
}

-- ---- states ----------------------------------------------------------------------------------------

local columns = { "x", "y", "z", "vx", "vy", "vz", "radius", "mass" }

local function write(path, sim)
  os.execute("mkdir -p '" .. args.states .. "'")
  local file = assert(io.open(path, "w"))
  file:write(("%d %d %.17g\n"):format(sim.dimension, sim.count, sim.time))
  for id = 1, sim.count do
    local row = {}
    for k, name in ipairs(columns) do row[k] = ("%.17g"):format((sim.dimension == 2 and name:find "z") and 0 or sim[name][id]) end
    file:write(table.concat(row, " "), "\n")
  end
  file:close()
end

local function read(path, sim, at_rest)
  local file = assert(io.open(path))
  file:read "*l"
  for line in file:lines() do
    local v = {}
    for word in line:gmatch "%S+" do v[#v + 1] = tonumber(word) end
    local position, velocity = { v[1], v[2] }, at_rest and { 0, 0 } or { v[4], v[5] }
    if sim.dimension == 3 then position[3], velocity[3] = v[3], at_rest and 0 or v[6] end
    sim:add_particle { position = position, velocity = velocity, radius = v[7], mass = v[8] }
  end
  file:close()
end

local function settled_time(path)
  local file = io.open(path)
  if not file then return nil end
  local _, _, time = file:read("*l"):match "(%S+) (%S+) (%S+)"
  file:close()
  return tonumber(time)
end

-- ---- scenes ----------------------------------------------------------------------------------------

local scenes = {}

scenes.pile = {
  count = args.discs, radius = 0.015, time_step = 1 / 60, friction = 0.3, tolerance = 0.05, steps = 60, warm = 0, settle = 1200, settle_step = 1 / 240, g = 10,
  make = function(one, scheme, time, time_step)
    local w = math.sqrt(one.count * 0.001283 / 0.656)
    local h = 3 * w
    local sim = floc.simulation { dimension = 2, time_step = time_step, gravity = { 0, -one.g }, scheme = scheme }
    local box = sim:add_body { shapes = { floc.polyline { { 0, 0 }, { w, 0 } }, floc.polyline { { 0, 0 }, { 0, h } }, floc.polyline { { w, 0 }, { w, h } },
      floc.polyline { { 0, .35 * w }, { .25 * w, .12 * w } }, floc.polyline { { w, .35 * w }, { .75 * w, .12 * w } } } }
    local cross = sim:add_body { shapes = { floc.segment { { -.15 * w, 0 }, { .15 * w, 0 } }, floc.segment { { 0, -.15 * w }, { 0, .15 * w } } },
      position = { .5 * w, .4 * w }, angle = 0.2 * time }
    cross:set_motion { angular_velocity = 0.2 }
    return sim, { box, cross }
  end,
  fill = function(one, sim)
    local w = math.sqrt(one.count * 0.001283 / 0.656)
    sim:add_particles { count = one.count, radius = { 0.015, 0.025 }, density = 1, region = floc.box { lower = { 0, 0 }, upper = { w, 1.5 * w } } }
  end,
}

scenes.drum = {
  count = args.spheres, radius = 0.45, time_step = 5e-3, friction = 0.5, tolerance = 1e-3, steps = 30, warm = 20, settle = 250, settle_step = 2e-2, at_rest = true, g = 10, turns = { 0, 0.33, 0 },
  make = function(one, scheme, _, time_step)
    local sim = floc.simulation { dimension = 3, time_step = time_step, gravity = { 0, 0, -one.g }, seed = 1, scheme = scheme }
    local drum = sim:add_body { shape = floc.hollow { radius = 22.8 * (one.count / 20000) ^ (1 / 3) } }
    return sim, { drum }
  end,
  fill = function(one, sim)
    sim:add_particles { count = one.count, radius = { 0.45, 0.5 }, mass = 1,
      region = floc.ball { center = { 0, 0, 0 }, radius = 0.97 * 22.8 * (one.count / 20000) ^ (1 / 3) } }
  end,
}

scenes.funnel = {
  count = 3300, radius = 0.015, time_step = 1e-3, friction = 0.3, steps = 60, warm = 20, settle = 1500, g = 10,
  make = function(one, scheme, time, time_step)
    local sim = floc.simulation { dimension = 2, time_step = time_step, gravity = { 0, -one.g }, scheme = scheme, seed = 1 }
    local bodies = { sim:add_body { shape = floc.polyline { { -1.6, 5.2 }, { -1.6, 1.6 }, { -0.08, 0 } } },
      sim:add_body { shape = floc.polyline { { 1.6, 5.2 }, { 1.6, 1.6 }, { 0.08, 0 } } },
      sim:add_body { shape = floc.wheel { radius = 0.40, paddles = 6 }, position = { -0.10, -0.55 }, angle = -2 * time, angular_velocity = -2 },
      sim:add_body { shape = floc.polyline { { -0.9, -0.3 }, { -0.9, -1.05 }, { 2.2, -2.3 } } } }
    for _, x in ipairs { 0.5, 0.95, 1.4, 1.85 } do
      bodies[#bodies + 1] = sim:add_body { shape = floc.circle { radius = 0.1 }, position = { x, -1.05 + (x + 0.9) * (-2.3 + 1.05) / (2.2 + 0.9) } }
    end
    bodies[#bodies + 1] = sim:add_body { shape = floc.polyline { { 1.7, -2.6 }, { 1.7, -4.2 }, { 4.6, -4.2 }, { 4.6, -1.5 } } }
    return sim, bodies
  end,
  fill = function(one, sim)
    sim:add_particles { count = one.count, radius = { 0.015, 0.025 }, mass = 2, region = floc.box { lower = { -1.58, 1.65 }, upper = { 1.58, 5.0 } } }
  end,
}

scenes.plane = {
  count = 600, radius = 0.9 * math.sqrt(0.38 * 0.25 / 600), time_step = 1e-3, friction = 0.3, steps = 1000, warm = 0, settle = 500, g = 9.81,
  make = function(one, scheme, time, time_step)
    local sim = floc.simulation { dimension = 2, time_step = time_step, gravity = { 0, -one.g }, scheme = scheme, seed = 1 }
    local shapes = { floc.hollow { radius = 0.5 } }
    for k = 1, 4 do
      local a = 2 * math.pi * (k - 0.5) / 4
      local c, s = math.cos(a), math.sin(a)
      shapes[#shapes + 1] = floc.segment { { 0.3 * c, 0.3 * s }, { 0.495 * c, 0.495 * s }, thickness = 0.01 }
    end
    local drum = sim:add_body { shapes = shapes }
    if time > 0 then drum:set_motion { angular_velocity = -2.5 } end
    return sim, { drum }
  end,
  fill = function(one, sim)
    sim:add_particles { count = one.count, radius = { one.radius, 1.1 / 0.9 * one.radius }, density = 2000, region = floc.ball { center = { 0, 0 }, radius = 0.485 } }
  end,
}

-- ---- one run ---------------------------------------------------------------------------------------

local function settle(one, name)
  local path = ("%s/%s-%d.txt"):format(args.states, name, one.count)
  local time = settled_time(path)
  if time then return path, time end
  local sim = one:make(floc.inelastic { tolerance = (one.tolerance or 1e-3) * one.radius }, 0, one.settle_step or one.time_step)
  one:fill(sim)
  sim:run { steps = one.settle, progress = false }
  write(path, sim)
  return path, sim.time
end

local function measure(name)
  local one = scenes[name]
  local path, time = settle(one, name)
  local options = { friction = args.friction > 0 and args.friction or one.friction }
  local tolerance = args.tolerance > 0 and args.tolerance or one.tolerance
  if args.budget > 0 then
    options.budget = args.budget
  elseif tolerance then
    options.tolerance = tolerance * one.radius
  end
  if args.sweeps > 0 then options.max_iterations = args.sweeps end
  local sim, bodies = one:make(floc.inelastic(options), time, one.time_step / args.substeps)
  read(path, sim, one.at_rest)
  local weight, gravity = 0, name == "drum" and 3 or 2
  for id = 1, sim.count do weight = weight + one.g * sim.mass[id] end
  sim:run { steps = one.warm * args.substeps, progress = false }
  if one.turns then bodies[1]:set_motion { angular_velocity = one.turns } end
  local steps, last = args.steps > 0 and args.steps or one.steps, 0
  local before = one.warm > 0 and sim:report() or { total_iterations = 0, unconverged_steps = 0, stage_seconds = {} }
  local cpu, slowest, force, thirds, work, fall = 0, 0, 0, 0, 0, 0
  for step = 1, steps do
    local clock = os.clock()
    sim:run { steps = args.substeps, progress = false }
    local took = os.clock() - clock
    local now = sim:report()
    cpu, slowest, work = cpu + took, math.max(slowest, took), work + args.substeps * now.iterations * now.contacts
    fall = math.max(fall, now.energy_fall or 0)
    if args.details then
      print(("  step %4d: %7.2f ms, %5d sweeps, %6d contacts, residual %.2e of tolerance, J fell by %.2e, overlap %.2e r, KE %.5g"):format(step, 1e3 * took,
        now.iterations, now.contacts, now.residual / now.tolerance, now.energy_fall or -1, now.overlap and now.overlap or 0, now.kinetic_energy))
    end
    if step > 2 * steps / 3 then
      last, thirds = last + took, thirds + 1
      for _, body in ipairs(bodies) do force = force - body.force[gravity] end
    end
  end
  local after, sum, stages = sim:report(), 0, {}
  for stage, seconds in pairs(after.stage_seconds) do
    stages[#stages + 1] = { stage, seconds - (before.stage_seconds[stage] or 0) }
    sum = sum + stages[#stages][2]
  end
  table.sort(stages, function(a, b) return a[2] > b[2] end)
  local split, solving = {}, 0
  for k, stage in ipairs(stages) do
    if stage[1] == "solver" or stage[1] == "solve" then solving = stage[2] end
    if stage[2] > 0.01 * sum then split[k] = ("%s %.0f"):format(stage[1], 100 * stage[2] / sum) end
  end
  print(("%-6s %6d grains: %.2f ms a step (last third %.2f, slowest %.1f), %.0f sweeps a step, %d contacts, solver %.1f ns per contact and sweep"):format(name, sim.count,
    1e3 * cpu / steps, 1e3 * last / thirds, 1e3 * slowest, (after.total_iterations - before.total_iterations) / steps, after.contacts, 1e9 * solving / work))
  print(("       greatest overlap %.2e r (now %.2e), force/weight %.4f, KE %.5g, above tolerance %d of %d, J fell by at most %.2e; %s"):format(
    after.greatest_overlap * 1, sim:check_overlap(), force / thirds / weight, sim:measure "kinetic_energy",
    after.unconverged_steps - before.unconverged_steps, steps, fall, table.concat(split, ", ")))
end

-- Spheres on a lattice that drift: nothing touches. Least CPU per step of blocks of 20 steps, with and without friction in
-- turn, which a busy machine disturbs little.
local function free(frictions, blocks)
  local n, sims, least = 27, {}, {}
  for which, friction in ipairs(frictions) do
    local sim = floc.simulation { dimension = 3, time_step = 1e-4, gravity = { 0, 0, -10 }, scheme = floc.inelastic { friction = friction } }
    for k = 0, n ^ 3 - 1 do
      sim:add_particle { position = { k % n, math.floor(k / n) % n, math.floor(k / n / n) }, velocity = { 1, 0.5, 0.2 }, radius = 0.4, mass = 1 }
    end
    sim:run { steps = 20, progress = false }
    sims[which], least[which] = sim, math.huge
  end
  for _ = 1, blocks do
    for which, sim in ipairs(sims) do
      local clock = os.clock()
      sim:run { steps = 20, progress = false }
      least[which] = math.min(least[which], (os.clock() - clock) / 20)
    end
  end
  return least
end

for _, name in ipairs { "pile", "drum", "funnel", "plane" } do
  if args.scene == "all" or args.scene == name then measure(name) end
end
if args.scene == "all" or args.scene == "free" then
  local least = free({ 0, 0.3 }, 50)
  print(("free   19683 spheres without contacts: %.2f ms a step with friction, %.2f without: %.2f times"):format(1e3 * least[2], 1e3 * least[1], least[2] / least[1]))
end
