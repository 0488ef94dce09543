-- Dominoes in a curve: the first turns already, and each throws the next one over. Bodies of their own with contacts between them, in space.
--
--   floc run examples/shapes/dominoes.lua --dominoes=24 --friction=0.3
--
-- What to take from here: free bodies that touch each other (add_body { free = "all" }), placed and turned along a curve, and when each falls.
local floc = require "floc"
local args = floc.args { dominoes = { 24, at_least = 2, text = "how many, along three quarters of a circle at most" }, friction = { 0.3, at_least = 0 },
  gap = { 0.4, above = 0.1, at_most = 0.8, text = "from one to the next, over their height" }, end_time = { 2.4, above = 0, text = "[s]" } }
local size = { 0.12, 0.5, 1 } -- [m]
local radius = math.max(1.5, args.dominoes * args.gap / (1.5 * math.pi))
local sim = floc.simulation { time_step = 1e-3, dimension = 3, scheme = floc.inelastic { friction = args.friction }, gravity = { 0, 0, -9.81 } }
sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }
local half = { size[1] / 2, size[2] / 2, size[3] / 2 }
local row, fell = {}, {}
for k = 1, args.dominoes do
  local angle = (k - 1) * args.gap / radius
  row[k] = sim:add_body { shape = floc.box { lower = { -half[1], -half[2], -half[3] }, upper = half }, free = "all", density = 500,
    position = { radius * math.sin(angle), radius * (1 - math.cos(angle)), half[3] }, rotation = { 0, 0, angle },
    velocity = k == 1 and { 0.4, 0, 0 } or nil, angular_velocity = k == 1 and { 0, 0.8, 0 } or nil }
end
sim:every(20, function() -- a domino falls when its own axis leans by 0.2
  for k, one in ipairs(row) do
    local q = one.orientation
    if not fell[k] and 1 - 2 * (q[2] ^ 2 + q[3] ^ 2) < math.cos(0.2) then fell[k] = sim.time end
  end
end)
sim:run { until_time = args.end_time }
local order, last = true, 1
for k = 2, #row do if fell[k] then order, last = order and fell[k - 1] ~= nil and fell[k] >= fell[k - 1], k end end
print(string.format("%d of %d fell, %.2f m/s along the curve", last, #row, (last - 1) * args.gap / math.max(1e-9, (fell[last] or 0) - (fell[1] or 0))))
sim:picture { path = floc.output "dominoes.png", width = 900 }
floc.report { claim = "dominoes fall one after another", value = order and 1 or 0, expect = { equal = 1 } }
floc.report { claim = "steps that did not converge", value = sim:report().unconverged_steps, expect = { equal = 0 } }
floc.report { claim = "greatest overlap of a step, over a domino's size", value = sim:report().greatest_overlap, expect = { at_most = 1e-4 } }
