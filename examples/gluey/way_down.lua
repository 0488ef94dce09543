-- The way down of Lefebvre (2009), 4.3: funnel, rotating wheel, inclined plane with discs, container; and where grains are on
-- it. The paper prints the wheel's speed and the radius of the discs; the coordinates are ours (README.md). A module of
-- sedimentation.lua and dry_and_gluey.lua.
local floc = require "floc"

local way_down = {}

-- Adds the bodies; returns the wheel.
function way_down.build(sim)
  sim:add_body { name = "left side of the funnel", shape = floc.polyline { { -1.6, 5.2 }, { -1.6, 1.6 }, { -0.08, 0 } } }
  sim:add_body { name = "right side of the funnel", shape = floc.polyline { { 1.6, 5.2 }, { 1.6, 1.6 }, { 0.08, 0 } } }
  local wheel = sim:add_body {
    name = "wheel", shape = floc.wheel { radius = 0.40, paddles = 6 }, position = { -0.10, -0.55 }, angular_velocity = -2,
  }
  sim:add_body { name = "plane", shape = floc.polyline { { -0.9, -0.3 }, { -0.9, -1.05 }, { 2.2, -2.3 } } }
  for _, x in ipairs { 0.5, 0.95, 1.4, 1.85 } do
    local y = -1.05 + (x + 0.9) * (-2.3 + 1.05) / (2.2 + 0.9)
    sim:add_body { name = "obstacle", shape = floc.circle { radius = 0.1 }, position = { x, y } }
  end
  sim:add_body { name = "container", shape = floc.polyline { { 1.7, -2.6 }, { 1.7, -4.2 }, { 4.6, -4.2 }, { 4.6, -1.5 } } }
  return wheel
end

-- 3000 grains fill the funnel up to here.
function way_down.funnel(share)
  return floc.box { lower = { -1.58, 1.65 }, upper = { 1.58, 1.65 + 2.75 * share } }
end

function way_down.count_where(sim, test)
  local count = 0
  for id = 1, sim.count do
    if test(sim.x[id], sim.y[id]) then count = count + 1 end
  end
  return count
end
function way_down.passed_outlet(_, y) return y < 0 end
function way_down.in_container(x, y) return x > 1.7 and y < -2.3 end

return way_down
