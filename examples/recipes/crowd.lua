-- People leave a hall through a door: each would walk straight to it, and none can walk through another (Maury and Venel 2011).
--
--   floc run examples/recipes/crowd.lua --door=2
local floc = require "floc"
local args = floc.args { people = { 150, integer = true, at_least = 2 }, door = { 1.4, above = 0.6, text = "width of the wider door (m)" }, seed = 1 }
local radius, speed, width, height, thick = 0.25, 1.4, 2 + args.people / 18, 8, 0.2
local panels = floc.panels { columns = 2 }

-- The hall's right wall is at x = 0, the door around y = 0; people outside walk on.
local function evacuate(door)
  local sim = floc.simulation { time_step = 0.02, seed = args.seed, scheme = floc.first_order { velocity = function(x, y)
    local tx = x < 0.3 and 0.5 - x or 1 -- ahead of the door a point behind it, then along
    local ty = x < 0.3 and -y or 0
    local way = math.sqrt(tx * tx + ty * ty)
    return speed * tx / way, speed * ty / way
  end } }
  for _, side in ipairs { -1, 1 } do
    sim:add_body { shape = floc.segment { { 0, side * (door / 2 + thick / 2) }, { 0, side * height / 2 }, thickness = thick } }
    sim:add_body { shape = floc.segment { { -width, side * height / 2 }, { 0, side * height / 2 }, thickness = thick } }
  end
  sim:add_particles { count = args.people, radius = { 0.9 * radius, radius }, region = floc.box { lower = { -width, -height / 2 + thick }, upper = { -1, height / 2 - thick } } }
  local left = sim:add_outlet { region = floc.box { lower = { 2, -height }, upper = { 4, height } } }
  sim:run { until_time = 6 }
  panels:add(sim, { title = ("door of %.2f m, 6 s"):format(door), colour = "speed", legend = false, lower = { -width, -height / 2 - thick }, upper = { 2.5, height / 2 + thick } })
  sim:run { until_ = function() return sim.count == 0 or sim.time > 300 end }
  return sim.time, left.count
end

local narrow_time, narrow = evacuate(args.door / 2 + 0.35)
local wide_time, wide = evacuate(args.door)
panels:write(floc.output "crowd.png")
floc.report { claim = "all have left", value = narrow + wide, expect = { equal = 2 * args.people, tolerance = 0 } }
floc.report { claim = "time through the narrow door, over that through the wide one", value = narrow_time / wide_time, expect = { at_least = 1.2 } }
