-- Gluey billiard: a disc is thrown on another, both stick and turn about each other until the centrifugal pull
-- has used up gamma. Lefebvre 2009, section 4.1, Fig. 15.
--
--   floc run examples/gluey/billiard.lua
--   floc run examples/gluey/billiard.lua --time_step=0.001
local floc = require "floc"

local args = floc.args {
  time_step = 0.01,      -- half a radius, as in the paper
  law = "bounded",       -- or "equality": Algorithm 3.3 as printed
}
local paper, radius, h = "Lefebvre 2009, 4.1", 0.02, args.time_step

local sim = floc.simulation { time_step = h, scheme = floc.gluey { law = args.law, tolerance = 1e-12 } }
local target = sim:add_particle { position = { 0, 0 }, radius = radius }
local thrown = sim:add_particle {
  position = { -0.25, -0.25 }, velocity = { 0.2 * 0.25, 0.2 * (0.25 - radius) }, radius = radius,
}

-- Exact values by hand: the centres meet at distance 2 r; angular momentum about the pair's middle is kept, so it
-- turns uniformly; gamma starts at -(m/2) times the normal approach and grows by the centripetal impulse.
local speed_x, speed_y = 0.05, 0.046
local speed_squared = speed_x ^ 2 + speed_y ^ 2
local along = (0.25 * speed_x + 0.25 * speed_y) / speed_squared
local hit = along - math.sqrt(along ^ 2 - (2 * 0.25 ^ 2 - 4 * radius ^ 2) / speed_squared)
local normal_x, normal_y = (0.25 - speed_x * hit) / (2 * radius), (0.25 - speed_y * hit) / (2 * radius)
local approach = speed_x * normal_x + speed_y * normal_y
local turning = math.abs(speed_x * normal_y - speed_y * normal_x) / (2 * radius)
local glued = (approach / 2) / (turning ^ 2 * radius)
local turned = math.deg(turning * glued)

local panels = floc.panels { columns = 4, title = "Gluey billiard" }
local shown = { [0] = true, [432] = true, [504] = true, [600] = true, [768] = true, [888] = true, [1008] = true, [1344] = true }
local trace = { { x = {}, y = {} }, { x = {}, y = {} } }
local found = { momentum = 0 }

local function angle_now()
  return math.deg(math.atan2 and math.atan2(sim.y[target] - sim.y[thrown], sim.x[target] - sim.x[thrown])
    or math.atan(sim.y[target] - sim.y[thrown], sim.x[target] - sim.x[thrown]))
end

-- The paper's times are step numbers at h = 0.01.
local function look(step)
  local printed = step * h / 0.01
  if math.abs(printed - math.floor(printed + 0.5)) < 1e-6 and shown[math.floor(printed + 0.5)] then
    panels:add(sim, { title = ("step %d"):format(math.floor(printed + 0.5)), lower = { -0.28, -0.28 }, upper = { 0.36, 0.36 } })
  end
  for k, id in ipairs { target, thrown } do
    trace[k].x[step + 1], trace[k].y[step + 1] = sim.x[id], sim.y[id]
  end
end

look(0)
for step = 1, math.floor(13.44 / h + 0.5) do
  sim:run { steps = 1, progress = false }
  look(step)
  local contact = sim:contacts()[1]
  local gamma = contact and contact.gamma or 0
  found.momentum = math.max(found.momentum, math.abs(sim:measure "momentum_x" - speed_x) + math.abs(sim:measure "momentum_y" - speed_y))
  if gamma < 0 and not found.hit then
    found.hit, found.first = sim.time, angle_now()
  end
  if gamma < 0 then found.last = angle_now() end
  if gamma == 0 and found.hit and not found.leaves then found.leaves = sim.time end
end

panels:write(floc.output "billiard.png")
floc.plot { path = floc.output "trajectories.png", title = "Gluey billiard", equal_scale = true, x = { label = "x" }, y = { label = "y" },
  series = { { name = "at rest at first", x = trace[1].x, y = trace[1].y }, { name = "thrown", x = trace[2].x, y = trace[2].y } } }

local angle = math.abs(found.last - found.first) % 360
angle = math.min(angle, 360 - angle)
floc.report { claim = "they meet at", paper = paper, value = found.hit, expect = { equal = hit, tolerance = 2 * h } }
floc.report { claim = "they stay glued for", paper = paper, value = found.leaves - found.hit, expect = { equal = glued, tolerance = 2 * h } }
floc.report { claim = "they part at", paper = paper, value = found.leaves, expect = { equal = hit + glued, tolerance = 2 * h } }
floc.report { claim = "the pair has turned by, in degrees", paper = paper, value = angle,
              expect = { equal = turned, tolerance = 2 * h * math.deg(turning) } }
floc.report { claim = "greatest change of total momentum", paper = "conservation", value = found.momentum,
              expect = { at_most = 1e-14 } }
