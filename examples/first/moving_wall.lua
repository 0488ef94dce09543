-- A wall that moves by a formula and a gravity that swings: forcing that changes with time.
--
--   floc run examples/first/moving_wall.lua
--   floc run examples/first/moving_wall.lua --stroke=0.3
local floc = require "floc"

local args = floc.args { stroke = { 0.2, text = "how far the wall swings, in m", above = 0, at_most = 0.35 }, seed = 1 }

-- Gravity as a function of time: its direction swings by 0.3 rad, once in 3 seconds. It is asked before each step.
local function gravity(t)
  local angle = 0.3 * math.sin(2 * math.pi * t / 3)
  return 9.81 * math.sin(angle), -9.81 * math.cos(angle)
end

local sim = floc.simulation { dimension = 2, time_step = 0.002, gravity = gravity, seed = args.seed }

-- Floor and left wall stand still.
sim:add_body { shape = floc.polyline { { -0.6, 2 }, { -0.6, 0 }, { 1.2, 0 } }, name = "floor" }

-- The right wall is given by its place as a function of time: once to and fro in one second. A velocity
-- would do as well: velocity = function(t) return ..., 0 end.
local frequency = 2 * math.pi
local wall = sim:add_body {
  name = "wall", shape = floc.segment { { 0, 0 }, { 0, 2 } },
  position = function(t) return 0.6 + args.stroke * math.sin(frequency * t), 0 end,
}

sim:add_particles {
  count = 250, radius = { 0.02, 0.03 }, mass = 1,
  region = floc.box { lower = { -0.57, 0.05 }, upper = { 0.55, 1.5 } },
}

-- A table of what the wall does and feels, one row every 10 steps: out/moving_wall/wall.tsv.
sim:observe {
  path = floc.out .. "/wall.tsv", every = 10,
  columns = { "time", { "place", function() return wall.position[1] end }, { "force", function() return wall.force[1] end },
              "kinetic_energy" },
}

-- The work that the grains do on the wall. Values that a callback keeps belong into sim.state: that table
-- travels in checkpoints, local variables do not.
sim.state.work = 0
sim:every(1, function(sim)
  sim.state.work = sim.state.work + wall.force[1] * wall.velocity[1] * sim.time_step
end)

sim:run { until_time = 3 }

floc.report { claim = "the wall is where its function says", value = wall.position[1],
              expect = { equal = 0.6 + args.stroke * math.sin(frequency * sim.time), tolerance = 1e-9 } }
floc.report { claim = "grains between the walls", value = sim:sum(function(x, y) return x > -0.6 and x < wall.position[1] and y > 0 end),
              expect = { equal = 250 } }
floc.report { claim = "the wall stirs the grains: work that it does on them", value = -sim.state.work, unit = "J",
              expect = { at_least = 0 } }
sim:picture { path = floc.out .. "/wall.png", colour = "speed", unit = "m/s" }
