-- A force law of one's own, and a function that is called after every step.
--
--   floc run examples/first/new_law.lua
--   floc run examples/first/new_law.lua --strength=0
local floc = require "floc"

local args = floc.args { strength = { 2, text = "of the attraction, in N", at_least = 0 }, seed = 1 }

local sim = floc.simulation { dimension = 2, time_step = 0.005, seed = args.seed }
sim:add_particles {
  count = 120, radius = 0.03, mass = 1, velocity_spread = 0.1,
  region = floc.box { lower = { -1, -1 }, upper = { 1, 1 } },
}

-- An attribute: one more number per grain. Here half of them are of kind 0 and half of kind 1.
sim:add_attribute("kind", 0)
for id = 1, sim.count, 2 do sim.kind[id] = 1 end

-- The law is an ordinary function. The names of its parameters say what it needs: the distance of the
-- centres, the radii, the attribute kind of both grains. It returns the force along the line of centres,
-- positive when it is repulsive. Unlike kinds attract each other when their surfaces are nearer than 0.2.
local range = 0.2
sim:add_force {
  name = "unlike kinds attract", range = range,
  law = function(distance, radius_i, radius_j, kind_i, kind_j)
    if kind_i == kind_j then return 0 end
    local gap = distance - radius_i - radius_j
    return -args.strength * math.max(0, 1 - gap / range)
  end,
}

-- A field acts on every grain: here friction, so that clumps come to rest.
sim:add_field { name = "friction", law = function(vx, vy) return -0.5 * vx, -0.5 * vy end }

-- Called after every step: the greatest kinetic energy so far, and when it was.
sim.state.greatest, sim.state.when = 0, 0
sim:every(1, function(sim)
  local energy = sim:measure "kinetic_energy"
  if energy > sim.state.greatest then sim.state.greatest, sim.state.when = energy, sim.time end
end)

local before = sim:clusters { by = "gap", gap = 0.003 }.count
sim:run { steps = 2000 }
local after = sim:clusters { by = "gap", gap = 0.003 }

print(("greatest kinetic energy %.3g J at t = %.2f s"):format(sim.state.greatest, sim.state.when))
floc.report { claim = "grains clump: clusters at the end, of " .. before .. " at the start", value = after.count,
              expect = { at_most = args.strength > 0 and before / 2 or before } }
floc.report { claim = "the law conserves momentum up to friction, which takes it away",
              value = math.abs(sim:measure "momentum_x") + math.abs(sim:measure "momentum_y"), expect = { at_most = 0.1 } }
sim:picture { path = floc.out .. "/clumps.png", group = "kind" }
