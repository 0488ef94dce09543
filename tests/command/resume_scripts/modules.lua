-- A module with its own state.
local floc = require "floc"
local helper = require "helper"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
sim:every(3, helper.watch)
sim:every(1, function() TICK() end)
sim:add_field { law = helper.law }
sim:run { steps = 90 }
floc.report { claim = "calls of the module", value = helper.calls(), expect = { equal = 30 } }
floc.report { claim = "what it saw", value = helper.seen.sum }
