-- Simulations made in a loop over names, each with a checkpoint of its own.
local floc = require "floc"
local results = {}
for name, g in pairs { inelastic = 1, gluey = 3, heavy = 30 } do
  local sim = floc.simulation { time_step = 0.01, gravity = { 0, -g }, scheme = name == "gluey" and floc.gluey { gamma_min = -1 } or nil }
  sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
  for _ = 1, 5 do sim:add_particle { position = { 10 * math.random(), 0.3 + math.random() }, radius = 0.1, velocity = { math.random(), 0 } } end
  sim:checkpoint { path = floc.out .. "/" .. name .. ".floc", every = 11 }
  local path = { x = {}, y = {} }
  sim:every(2, function(s) TICK() path.x[#path.x + 1], path.y[#path.y + 1] = s.x[1], s.y[1] + 1e-3 * math.random() end)
  sim:run { steps = 40 }
  results[name] = path
end
for name, path in pairs(results) do
  floc.plot { path = floc.output(name .. ".png"), x = {}, y = {}, series = { path } }
  floc.report { claim = name, value = path.y[#path.y] }
end
