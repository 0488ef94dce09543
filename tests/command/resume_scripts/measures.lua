-- A loop that continues as long as measures require; contacts and the force on a body.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local floor = sim:add_body { shape = floc.segment { { -1, 0.05 }, { 2, 0.05 } } }
sim:every(2, function() TICK() end)
local rounds, most, force, overlap = 0, 0, 0, 0
repeat
  sim:run { steps = 20 }
  rounds = rounds + 1
  for _, contact in ipairs(sim:contacts()) do
    if contact.body == floor then force = force + contact.impulse end
    most = math.max(most, contact.distance)
  end
  overlap = math.max(overlap, sim:check_overlap(), sim:report().greatest_overlap)
  if floor.force[2] < -1 then sim:add_particle { position = { 0.5, 2.9 }, radius = 0.03, allow_overlap = true } end
until sim:measure "kinetic_energy" < 1 or rounds >= 6
floc.report { claim = "rounds", value = rounds }
floc.report { claim = "force", value = force + most + overlap + floor.force[2] }
