-- A run that continues on another machine (scripts/cross.sh MACHINE --package): friction, a law in Lua that remembers its
-- pairs, a callback with a variable of its own, random numbers. --steps ends it early; it writes run.floc on its way.
local floc = require "floc"

local args = floc.args { steps = 160 }
local sim = floc.simulation { dimension = 2, time_step = 0.005, gravity = { 0, -10 }, seed = 7, scheme = floc.inelastic { friction = 0.3 } }
sim:add_body { shape = floc.container { width = 1, height = 3 } }
sim:add_particles { count = 120, radius = { 0.02, 0.03 }, region = floc.box { lower = { -0.48, 0.1 }, upper = { 0.48, 1.2 } } }
sim:add_force {
  name = "tiring attraction", range = 0.02, memory = { "age" },
  law = function(distance, radius_i, radius_j, age)
    return -0.001 * (1 - (distance - radius_i - radius_j) / 0.02) / (1 + 0.1 * age), age + 1
  end,
}
local kicks, numbers = 0, floc.random("kick")
sim:every(10, function()
  kicks = kicks + 1
  sim.vx[kicks % 120 + 1] = sim.vx[kicks % 120 + 1] + 0.1 * numbers:uniform()
end)
sim:checkpoint { path = "run.floc", every = 80 }
sim:run { steps = args.steps }
