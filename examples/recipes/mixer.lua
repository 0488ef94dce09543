-- A drum turns, with blades inside, and mixes two kinds of grains that lay side by side.
--
--   floc run examples/recipes/mixer.lua
--   floc run examples/recipes/mixer.lua --speed=4 --blades=2
--
-- What to take from here: several shapes that turn as one body, an attribute per grain, a measure of one's own.
local floc = require "floc"

local args = floc.args {
  grains = { 200, text = "how many", integer = true, at_least = 2 },
  speed = { 2.5, text = "of the drum, in rad/s", above = 0 },
  blades = { 4, text = "inside the drum", integer = true, at_least = 1 },
  turns = { 2, text = "how often it goes round", above = 0 },
  seed = 1,
}
local radius = 0.5

local sim = floc.simulation {
  dimension = 2, time_step = 1e-3, gravity = { 0, -9.81 }, seed = args.seed, scheme = floc.inelastic { friction = 0.3 },
}
local shapes = { floc.hollow { radius = radius } }
for k = 1, args.blades do
  local angle = 2 * math.pi * (k - 0.5) / args.blades
  local c, s = math.cos(angle), math.sin(angle)
  shapes[#shapes + 1] = floc.segment { { 0.6 * radius * c, 0.6 * radius * s }, { 0.99 * radius * c, 0.99 * radius * s }, thickness = 0.01 }
end
local drum = sim:add_body { name = "drum", shapes = shapes }

sim:add_particles {
  count = args.grains, radius = { 0.018, 0.022 }, density = 2000,
  region = floc.ball { center = { 0, 0 }, radius = 0.97 * radius },
}
sim:run { until_time = 0.5 } -- they fall

-- Half of the grains are of kind 1: those left of the middle one.
sim:add_attribute("kind", 0)
local places = {}
for id = 1, sim.count do places[id] = sim.x[id] end
table.sort(places)
local middle = places[math.floor(sim.count / 2)]
for id = 1, sim.count do sim.kind[id] = sim.x[id] <= middle and 1 or 0 end

-- How well mixed, 0 to 1: unlike neighbours among all pairs of neighbours, over the half that chance gives.
local function mixing()
  local unlike, all = 0, 0
  for _, contact in ipairs(sim:contacts()) do
    if contact.id_j then
      all = all + 1
      if sim.kind[contact.id_i] ~= sim.kind[contact.id_j] then unlike = unlike + 1 end
    end
  end
  return all > 0 and 2 * unlike / all or 0
end

local panels = floc.panels { columns = 3 }
local function show(title) panels:add(sim, { title = title, group = "kind" }) end
local before = mixing()
local function lacey() return sim:mixing_index { cell = 6 * 0.02, column = "kind" }.index end
local lacey_before = lacey()
show(("before: %.2f"):format(before))

drum:set_motion { angular_velocity = -args.speed }
local begin, period = sim.time, 2 * math.pi / args.speed
local times, values = {}, {}
sim:every(50, function()
  times[#times + 1] = (sim.time - begin) / period
  values[#values + 1] = mixing()
end)
sim:run { until_time = begin + 0.5 * args.turns * period }
show(("after turn %g: %.2f"):format(0.5 * args.turns, mixing()))
sim:run { until_time = begin + args.turns * period }
local after = mixing()
show(("after turn %g: %.2f"):format(args.turns, after))
panels:write(floc.output "mixer.png")
floc.plot { path = floc.output "mixing.png", x = { label = "turns" }, y = { label = "unlike neighbours over chance", lower = 0 },
  series = { { x = times, y = values } }, references = { { value = 1, label = "chance" } } }

floc.report { claim = "unlike neighbours over chance at the start", value = before, expect = { at_most = 0.3 } }
floc.report { claim = "unlike neighbours over chance at the end", value = after, expect = { at_least = 2 * before } }
floc.report { claim = "Lacey's index at the start", value = lacey_before, expect = { at_most = 0.3 } }
floc.report { claim = "Lacey's index at the end", value = lacey(), expect = { at_least = 1.2 * lacey_before } }
floc.report { claim = "grains in the drum", value = sim:sum(function(x, y) return x * x + y * y < radius * radius end),
              expect = { equal = args.grains } }
