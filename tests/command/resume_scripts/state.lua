-- sim.state under another name, and put again by a callback.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local state = sim.state
state.list, state.n = {}, 0
sim:every(3, function(s)
  TICK()
  s.state.n = s.state.n + 1
  s.state.list[#s.state.list + 1] = s.y[2]
  if s.state.n == 12 then s.state = { n = 100, list = s.state.list, old = true } end
end)
sim:run { steps = 20 }
local early = state.n
sim:run { steps = 60 }
floc.plot { path = floc.output "list.png", x = {}, y = {}, series = { { x = sim.state.list, y = sim.state.list } } }
floc.report { claim = "early, late", value = early * 1000 + sim.state.n, expect = { equal = 6114 } }
floc.report { claim = "the old table", value = state.n, expect = { equal = 12 } }
