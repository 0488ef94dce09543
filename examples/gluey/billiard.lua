-- Gluey billiard: a disc is thrown on another, both stick and turn about each other until the centrifugal pull
-- has used up gamma. Lefebvre 2009, section 4.1, Fig. 15.
--
--   floc run examples/gluey/billiard.lua
--   floc run examples/gluey/billiard.lua --time_step=0.001
local floc = require "floc"
if arg then package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path end -- plain Lua; floc run knows this folder
local algorithm = require "algorithm"

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

-- Where both are at t: the middle moves on, the line from the thrown to the other one turns while they are glued.
local spin = speed_x * normal_y - speed_y * normal_x > 0 and 1 or -1
local function exact_places(t)
  local middle_x, middle_y = -0.125 + 0.5 * speed_x * t, -0.125 + 0.5 * speed_y * t
  local x, y
  if t <= hit then
    x, y = 0.25 - speed_x * t, 0.25 - speed_y * t
  else
    local angle = spin * turning * math.min(t - hit, glued)
    local c, s = math.cos(angle), math.sin(angle)
    local nx, ny = c * normal_x - s * normal_y, s * normal_x + c * normal_y
    local after = 2 * radius * spin * turning * math.max(t - hit - glued, 0)
    x, y = 2 * radius * nx - after * ny, 2 * radius * ny + after * nx
  end
  return middle_x + 0.5 * x, middle_y + 0.5 * y, middle_x - 0.5 * x, middle_y - 0.5 * y
end

local panels = floc.panels { columns = 4, title = "Gluey billiard" }
local shown = { [0] = true, [432] = true, [504] = true, [600] = true, [768] = true, [888] = true, [1008] = true, [1344] = true }
local trace = { { x = {}, y = {} }, { x = {}, y = {} } }
local found = { momentum = 0, apart = 0 }
-- The same two discs by the algorithm in plain Lua.
local again, gammas = { { x = 0, y = 0, vx = 0, vy = 0, r = radius, m = 1 }, { x = -0.25, y = -0.25, vx = speed_x, vy = speed_y, r = radius, m = 1 } }, {}
local printed_errors = {}

local function angle_now()
  return math.deg(math.atan2 and math.atan2(sim.y[target] - sim.y[thrown], sim.x[target] - sim.x[thrown])
    or math.atan(sim.y[target] - sim.y[thrown], sim.x[target] - sim.x[thrown]))
end

-- The paper's times are step numbers at h = 0.01.
local function look(step)
  local printed = step * h / 0.01
  if math.abs(printed - math.floor(printed + 0.5)) < 1e-6 and shown[math.floor(printed + 0.5)] then
    panels:add(sim, { title = ("step %d"):format(math.floor(printed + 0.5)), lower = { -0.28, -0.28 }, upper = { 0.36, 0.36 } })
    local x, y, thrown_x, thrown_y = exact_places(step * h)
    printed_errors[#printed_errors + 1] = { step = math.floor(printed + 0.5), error = math.max(
      math.sqrt((sim.x[target] - x) ^ 2 + (sim.y[target] - y) ^ 2), math.sqrt((sim.x[thrown] - thrown_x) ^ 2 + (sim.y[thrown] - thrown_y) ^ 2)) }
  end
  for k, id in ipairs { target, thrown } do
    trace[k].x[step + 1], trace[k].y[step + 1] = sim.x[id], sim.y[id]
  end
end

look(0)
for step = 1, math.floor(13.44 / h + 0.5) do
  sim:run { steps = 1, progress = false }
  look(step)
  algorithm.step(again, gammas, h)
  for k, id in ipairs { target, thrown } do
    found.apart = math.max(found.apart, math.abs(sim.x[id] - again[k].x), math.abs(sim.y[id] - again[k].y))
  end
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

local function claim(item, text, says, value, expect, band_from)
  floc.report { item = item, claim = text, paper = paper, paper_says = says, value = value, expect = expect, band_from = band_from }
end
local stick, closed = "they stick, turn, and part when the centrifugal force has balanced the impact", "closed form, two time steps"
claim("L58", "they meet at", stick, found.hit, { equal = hit, tolerance = 2 * h }, closed)
claim("L60", "they stay glued for", stick, found.leaves - found.hit, { equal = glued, tolerance = 2 * h }, closed)
claim("L60", "they part at", stick, found.leaves, { equal = hit + glued, tolerance = 2 * h }, closed)
claim("L60", "the pair has turned by, in degrees", stick, angle, { equal = turned, tolerance = 2 * h * math.deg(turning) }, closed)
for _, one in ipairs(printed_errors) do
  claim("L59", ("step %d of the figure: distance from the exact places, in radii"):format(one.step), "the pictures at eight steps", one.error / radius,
    { at_most = args.law == "bounded" and h or 5 * h }, "closed form; the steps of contact and release are the only error")
end
claim("L58", "greatest distance from the algorithm in plain Lua, over all steps", "Algorithm 3.3", found.apart,
  { at_most = args.law == "bounded" and 1e-9 or h * math.sqrt(speed_squared) }, args.law == "bounded" and "exact" or "the equality law parts them a step later")
claim("L50", "greatest change of total momentum", "the impulse on one is the opposite of that on the other", found.momentum, { at_most = 1e-14 }, "exact")
