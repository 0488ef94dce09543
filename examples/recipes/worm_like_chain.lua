-- Worm-like chains: segments of length b with the bending energy kappa (1 - cos theta) between neighbours, theta the angle by
-- which a segment turns from the last. In a heat bath <cos theta> is coth k - 1/k in space and I_1(k)/I_0(k) in the plane
-- (modified Bessel functions), k = kappa/kT: theta has the density exp(k cos theta), times sin theta in space. Turns are
-- independent, so directions n segments apart have <cos> to the n-th power, and the persistence length is -b/log <cos theta>.
local floc = require "floc"
local args = floc.args { dimension = 3, stiffness = 5, chains = 100, beads = 16, start = 4000, steps = 16000 }
local dimension, beads = args.dimension, args.beads
local sim = floc.simulation { dimension = dimension, time_step = 0.01, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
local random, bonds, triples = floc.random "turns", {}, {}
for chain = 1, args.chains do
  local x, y, turn = 0, 1000 * chain, 0 -- far from the others
  for k = 1, beads do
    x, y, turn = x + math.cos(turn), y + math.sin(turn), turn + random:normal(0, 0.5)
    local id = sim:add_particle { position = { x, y, dimension == 3 and 0.2 * (k % 3) or nil }, radius = 0.1, mass = 1 }
    if k > 1 then bonds[#bonds + 1] = { id - 1, id } end
    if k > 2 then triples[#triples + 1] = { id - 2, id - 1, id } end
  end
end
local stretch = sim:add_force { pairs = "bonds", potential = function(distance) return 200 * (distance - 1) ^ 2 end }
local bend = sim:add_angle_force { attributes = { kappa = args.stiffness }, potential = function(angle, kappa) return kappa * (1 + math.cos(angle)) end }
sim:add_law_bonds { law = stretch, particles = bonds }
sim:add_law_bonds { law = bend, particles = triples }
sim:add_flow { flow = "still", relaxation_time = 1 }
sim:add_noise { sigma = math.sqrt(2) } -- sigma^2 relaxation_time/2 = kT = 1
sim:run { steps = args.start }
local samples, bending = 0, 0
sim:every(20, function() samples, bending = samples + 1, bending + bend.energy end)
sim:run { steps = args.steps }
local cosine = 1 - bending / (samples * args.stiffness * #triples)
local k, expected = args.stiffness
if dimension == 3 then
  expected = 1 / math.tanh(k) - 1 / k
else
  local i0, i1, term = 0, 0, 1
  for n = 0, 100 do
    i0, i1, term = i0 + term, i1 + term * k / 2 / (n + 1), term * (k / 2 / (n + 1)) ^ 2
  end
  expected = i1 / i0
end
floc.report { claim = "cosine of the turn", value = cosine, expect = { equal = expected, tolerance = 0.005 } }
floc.report { claim = "persistence length", value = -1 / math.log(cosine), expect = { equal = -1 / math.log(expected), tolerance = 0.005 / (expected * math.log(expected) ^ 2) } }
