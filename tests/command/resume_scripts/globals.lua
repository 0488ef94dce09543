-- Global variables as the state of a script.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
count, names = 0, {}
function note(s) count = count + 1 names["step " .. s.step] = s.y[1] end
sim:every(4, function(s) TICK() note(s) if s.step == 44 then fresh = { s.step } end end)
sim:run { steps = 50 }
local seen = count
sim:run { steps = 30 }
local list = {}
for name, y in pairs(names) do list[#list + 1] = #name * y end
floc.plot { path = floc.output "names.png", x = {}, y = {}, series = { { x = list, y = list } } }
floc.report { claim = "count", value = count * 100 + seen + fresh[1], expect = { equal = 2056 } }
