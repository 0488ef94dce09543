-- Tables by id, shared tables, tables that lead to themselves, keys that are booleans and bodies.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local floor = sim:add_body { shape = floc.segment { { -1, 0.02 }, { 2, 0.02 } }, name = "floor" }
local shared = { count = 0 }
local by_id, log, last = {}, { first = shared }, shared
shared.itself = shared
local marks = { [true] = 0, [false] = 0, [floor] = 1 }
sim:every(3, function(s)
  TICK()
  for id = 1, s.count, 2 do
    by_id[id] = by_id[id] or { highest = 0, visits = {}, owner = shared }
    local one = by_id[id]
    one.highest = math.max(one.highest, s.y[id])
    one.visits[#one.visits + 1] = s.step
  end
  shared.count = shared.count + 1
  last = { before = last, step = s.step }
  if s.step % 10 == 0 then by_id[1] = nil log[s.step / 10] = last end
  local right = s.vx[1] > 0 -- Lua 5.4.4 compiles a comparison in the brackets of both sides wrongly
  marks[right] = marks[right] + 1
  marks[floor] = marks[floor] * 1.5
end)
sim:run { steps = 50 }
local visits = by_id[3] and #by_id[3].visits or 0
sim:run { steps = 45 }
local depth, node = 0, last
while node and node ~= shared do depth, node = depth + 1, node.before end
assert(by_id[3].owner == shared and shared.itself == shared and log.first == shared)
floc.report { claim = "depth", value = depth, expect = { equal = 31 } }
floc.report { claim = "visits", value = visits + #by_id[5].visits * 1000 + by_id[5].highest }
floc.report { claim = "marks", value = marks[true] * 100 + marks[false] + marks[floor] }
