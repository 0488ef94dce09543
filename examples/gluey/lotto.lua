-- Gluey lotto: 160 discs in a square mixer that turns, dry, rough and smooth side by side; the smoother, the longer
-- the heap sticks to the floor that carries it up. Lefebvre 2009, section 4.2, Fig. 16.
--
--   floc run examples/gluey/lotto.lua
--   floc run examples/gluey/lotto.lua --seeds=6         the order of the three boxes for six seeds
local floc = require "floc"

local args = floc.args {
  particles = 160,
  steps = 4980,          -- of the paper's last picture
  time_step = 1e-3,
  seed = 1,
  seeds = 1,             -- number of runs, from `seed` on
}
local paper = "Lefebvre 2009, 4.2"
local models = {
  { name = "inelastic", gamma_min = 0, leaves = 91.4 },
  { name = "rough", gamma_min = -1, leaves = 117.3 },
  { name = "smooth", gamma_min = -math.huge, leaves = 184.4 },
}
local half = 0.25
local corners = { { -half, -half }, { half, -half }, { half, half }, { -half, half } }

local function mixer(gamma_min, seed)
  local sim = floc.simulation {
    time_step = args.time_step, gravity = { 0, -10 }, seed = seed, scheme = floc.gluey { gamma_min = gamma_min },
  }
  local box = sim:add_body {
    name = "mixer", shape = floc.polyline { corners[1], corners[2], corners[3], corners[4], closed = true },
    angular_velocity = 1,
  }
  return sim, box
end

-- Distance of a disc's middle from the wall that was the floor.
local function height_above_floor(sim, box, id)
  return half - math.sin(box.angle) * sim.x[id] + math.cos(box.angle) * sim.y[id]
end

-- ---- one disc in the lower left corner ----------------------------------------------------------

local function angle_of_release(gamma_min)
  local sim, box = mixer(gamma_min, args.seed)
  local radius = 0.01
  local place = half - radius -- it turns with the mixer from the start
  local id = sim:add_particle { position = { -place, -place }, velocity = { place, -place }, radius = radius, mass = 1 }
  sim:run { progress = false, until_ = function()
    return height_above_floor(sim, box, id) > (1 + 1e-4) * radius or sim.time > 6
  end }
  return math.deg(box.angle)
end

for _, model in ipairs(models) do
  floc.report { claim = "one resting disc leaves the floor, " .. model.name, paper = "closed form",
                value = angle_of_release(model.gamma_min), unit = "degrees", expect = { equal = model.leaves, tolerance = 1 } }
end

-- ---- 160 discs ----------------------------------------------------------------------------------

local function filled_mixer(gamma_min, seed)
  local sim, box = mixer(gamma_min, seed)
  sim:add_attribute("white", 0)
  local black, last = sim:add_particles {
    count = math.floor(args.particles / 2), radius = { 0.007, 0.015 }, mass = 1,
    region = floc.box { lower = { -half, -half }, upper = { 0, half } },
  }
  local white, final = sim:add_particles {
    count = args.particles - (last - black + 1), radius = { 0.007, 0.015 }, mass = 1,
    region = floc.box { lower = { 0, -half }, upper = { half, half } },
  }
  for id = white, final do sim.white[id] = 1 end
  return sim, box
end

local function mean_height(sim, box)
  local sum = 0
  for id = 1, sim.count do sum = sum + height_above_floor(sim, box, id) end
  return sum / sim.count
end

-- The three mixers of a seed, run side by side. Returns per model the angle at which the heap has left the floor:
-- its middle is nearer to the opposite wall.
local function run(seed, panels)
  local sims, angles, unconverged = {}, {}, 0
  for k, model in ipairs(models) do
    local sim, box = filled_mixer(model.gamma_min, seed)
    sims[k], angles[k] = sim, math.huge
    sim:every(10, function()
      if angles[k] == math.huge and box.angle > 0.8 and mean_height(sim, box) > half then angles[k] = math.deg(box.angle) end
    end)
  end
  for _, step in ipairs { 0, 980, 1980, 2980, 3980, 4980 } do
    for k, sim in ipairs(sims) do
      if step <= args.steps then sim:run { steps = step - sim.step } end
      if step <= args.steps and panels then
        panels:add(sim, { group = "white", title = ("%s, step %d"):format(models[k].name, step),
                          lower = { -0.36, -0.36 }, upper = { 0.36, 0.36 } })
      end
    end
  end
  for _, sim in ipairs(sims) do unconverged = unconverged + sim:report().unconverged_steps end
  return angles, unconverged
end

local unconverged, order_holds, first_angles = 0, 0, nil
local steps = 3 * args.seeds * args.steps
for seed = args.seed, args.seed + args.seeds - 1 do
  local panels = seed == args.seed and floc.panels { columns = 3, title = "Gluey lotto" } or nil
  local angles, failed = run(seed, panels)
  if panels then panels:write(floc.output "lotto.png") end
  unconverged = unconverged + failed
  print(("seed %d: the heap leaves the floor at %.1f, %.1f, %.1f degrees"):format(seed, angles[1], angles[2], angles[3]))
  if angles[1] < angles[2] and angles[2] < angles[3] then order_holds = order_holds + 1 end
  first_angles = first_angles or angles
end
for k, model in ipairs(models) do
  floc.report { claim = "the heap leaves the floor, " .. model.name, paper = paper, value = first_angles[k], unit = "degrees" }
end
floc.report { claim = "seeds with the order inelastic, rough, smooth", paper = paper .. ", Fig. 16", value = order_holds,
              expect = { equal = args.seeds } }
floc.report { claim = "steps above tolerance, of " .. steps, value = unconverged, expect = { at_most = steps / 1000 } }
