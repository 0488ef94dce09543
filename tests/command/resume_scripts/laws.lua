-- Laws that read variables and parameters which callbacks change.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01 }
sim:add_particle { position = { 0, 0 }, radius = 0.1, velocity = { 1, 0.5 } }
sim:add_particle { position = { 1, 0 }, radius = 0.1 }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local drag, calls = 0.5, { n = 0 }
local field = sim:add_field { law = function(vx, vy) return -drag * vx, -drag * vy end }
local spring = sim:add_force { range = 5, parameters = { k = 1 }, law = function(distance, k) return -k * (distance - 1), 0.5 * k * (distance - 1) ^ 2 end,
  returns = { "normal", "energy" } }
sim:add_field { law = function(x) calls.n = calls.n + 1 return 0.001 * calls.n, 0 end, way = "called" }
sim:every(8, function(s) TICK() drag = drag * 0.9 spring.k = spring.k + 0.2 + 0 * s.step end)
sim:run { steps = 30 }
local energy, k = spring.energy, spring.k
sim:run { steps = 50 }
floc.report { claim = "energy", value = energy * 100 + k }
floc.report { claim = "drag, calls", value = drag + calls.n + spring.energy + (field.way == "traced" and 1 or 0) }
