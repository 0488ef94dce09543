-- Objects with metatables, made before and during the run.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local Track = {}
Track.__index = Track
local made = 0
function Track.new(id) made = made + 1 return setmetatable({ id = id, length = 0 }, Track) end
function Track:add(sim) self.length = self.length + math.abs(sim.vy[self.id]) * sim.time_step return self end
local tracks = { Track.new(1) }
sim:every(5, function(s)
  TICK()
  if #tracks < 9 then tracks[#tracks + 1] = Track.new(#tracks + 1) end
  for _, track in ipairs(tracks) do track:add(s) end
end)
sim:run { steps = 30 }
tracks[2]:add(sim)
sim:run { steps = 50 }
local sum = 0
for _, track in ipairs(tracks) do sum = sum + track:add(sim).length end
floc.report { claim = "tracks", value = made, expect = { equal = 9 } }
floc.report { claim = "length", value = sum }
