-- Gluey discs under laws that ask for functions which every C library rounds in its own way: in traced laws, in one that
-- is called, in motions and in a callback; and discs on which so little acts that speeds are subnormal numbers.
local floc = require "floc"

local sim = floc.simulation { dimension = 2, time_step = 0.005, seed = 4, scheme = floc.gluey { gamma_min = -0.5 },
  gravity = function(t) return math.sin(3 * t), -9 * math.exp(-0.1 * t) end }
sim:add_body { shape = floc.container { width = 2, height = 2 } }
sim:add_body { shape = floc.wheel { radius = 0.3 }, position = { 0, 0.5 }, angular_velocity = function(t) return 2 * math.cos(t) ^ 3 end }
sim:add_particles { count = 80, radius = { 0.03, 0.05 }, region = floc.box { lower = { -1, 0 }, upper = { 1, 2 } } }
sim:add_field { law = function(x, y, vx, vy, t) return -0.2 * vx + 0.1 * math.sin(5 * y - t), -0.2 * vy * math.abs(x) ^ 1.5 end }
sim:add_field { law = function(x, y) return 1e-3 * math.log(1 + x * x), 1e-3 * math.atan(y) end, way = "called" }
sim:add_force { range = 0.05, law = function(distance, radius_i, radius_j) return -0.5 * math.exp(-40 * (distance - radius_i - radius_j)) end }
local numbers = floc.random("kick")
sim:every(7, function(sim)
  local id = 1 + sim.step % 80
  sim.vx[id] = sim.vx[id] + 0.05 * math.abs(math.cos(sim.y[id])) ^ 1.5 * numbers:uniform()
end)
sim:run { steps = 150 }

local small = floc.simulation { dimension = 2, time_step = 1, seed = 9, scheme = floc.inelastic() }
small:add_particles { count = 40, radius = 0.02, mass = 1, region = floc.box { lower = { -1, -1 }, upper = { 1, 1 } } }
small:add_field { law = function(x, y) return 3e-308 * x * y, 0.5 * math.exp(-708 - 30 * x * x) end }
small:add_force { range = 0.5, law = function(distance) return -1e-303 * distance ^ 3 * math.exp(-40 * distance) end }
small:run { steps = 20 }
