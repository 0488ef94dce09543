-- A scenario for scenario.c: a law in Lua, and two functions for the host.
local floc = require "floc"

local sim = floc.simulation { time_step = 0.001, gravity = { 0, -10 } }
sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
sim:add_particles { count = 100, radius = { 0.02, 0.03 }, region = floc.box { lower = { -1, 0 }, upper = { 1, 1 } } }
sim:add_force { range = 0.05, law = function(overlap, normal_velocity)
  return overlap > -0.01 and 2 * (overlap + 0.01) - 0.1 * normal_velocity or 0
end }

local function advance(steps) sim:run { steps = steps } end
local function measure() return sim.step, sim:measure "kinetic_energy" end

return advance, measure
