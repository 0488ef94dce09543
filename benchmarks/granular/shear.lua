-- Plane shear of discs under a held normal stress: friction mu = tau/P and volume fraction phi at one inertial number, for comparison
-- with da Cruz, Emam, Prochnow, Roux and Chevoir, Phys. Rev. E 72 (2005) 021309. One line of output a run.
-- The conditions are theirs: diameters within 20 % of the mean, friction 0.4, restitution 0.1, tangential
-- stiffness half of the normal one, kappa = kn/P = 1e4; but a periodic cell (Lees and Edwards) in place of rough walls.
--
--   build/floc run benchmarks/granular/shear.lua --I=0.01 --seed=1
--
-- Units: mean diameter, mass of such a disc, P = 1. The first `transient` of shear strain is left out, then means are taken
-- over `strain`, in ten blocks, whose scatter gives the standard error of this run.
local floc = require "floc"
local args = floc.args {
  I = { 0.1, above = 0, text = "(shear rate) sqrt(mean mass / P)" },
  grains = { 400, integer = true, at_least = 50 },
  kappa = { 1e4, above = 0, text = "normal stiffness over P" },
  restitution = { 0.1, above = 0, below = 1 },
  friction = { 0.4, at_least = 0 },
  transient = { 2, at_least = 0, text = "of shear strain" },
  strain = { 10, above = 0, text = "that is averaged over" },
  gain = { 1.25, above = 0, text = "relaxation time of the held stress over sqrt(kn m)/P" },
  steps = { 25, at_least = 10, text = "of time in a collision" },
  seed = 1,
}
local k = args.kappa
local log = math.log(args.restitution)
local damping = -2 * log * math.sqrt(k / 2 / (math.pi ^ 2 + log ^ 2))
local side = math.sqrt(args.grains * math.pi / 4 / 0.42)
local sim = floc.simulation { time_step = math.pi * math.sqrt(0.5 / k) / args.steps, seed = args.seed, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { side, side } },
  scheme = floc.discrete_element { contact = "hooke", stiffness = k, damping = damping, integrator = "velocity_verlet", rotation = true,
    friction = "spring", friction_static = args.friction, friction_dynamic = args.friction, friction_stiffness = k / 2 } }
sim:add_particles { count = args.grains, radius = { 0.4, 0.6 }, density = 4 / math.pi }
local mass = sim:sum(function(mass) return mass end) / sim.count
local rate = args.I / math.sqrt(mass)
sim:deform { rate = { -0.02, -0.02 }, shear_rate = 0.1 }
sim:run { until_time = 13.8 } -- to a fraction of 0.73
sim:deform { shear_rate = rate, stress = { 0, 1 }, relaxation_time = args.gain * math.sqrt(k) }
sim:run { until_time = sim.time + args.transient / rate }

local blocks, begin, length = {}, sim.time, args.strain / rate / 10
sim:every({ time = args.strain / rate / 5000 }, function()
  local stress, place = sim:stress(), math.min(10, 1 + math.floor((sim.time - begin) / length))
  local block = blocks[place] or { count = 0, shear = 0, contacts = 0, normal = 0, along = 0, filled = 0 }
  blocks[place] = block
  block.count, block.filled = block.count + 1, block.filled + sim:measure "volume_fraction"
  block.shear, block.contacts = block.shear - stress.tensor[1][2], block.contacts - stress.contacts[1][2]
  block.normal, block.along = block.normal + stress.tensor[2][2], block.along + stress.tensor[1][1]
end)
sim:run { until_time = begin + args.strain / rate }

local function mean(value) -- and its standard error
  local sum, squares = 0, 0
  for _, block in ipairs(blocks) do
    local v = value(block)
    sum, squares = sum + v, squares + v * v
  end
  local n = #blocks
  return sum / n, math.sqrt(math.max(0, squares / n - (sum / n) ^ 2) / (n - 1))
end
local mu, mu_error = mean(function(block) return block.shear / block.normal end)
local contacts = mean(function(block) return block.contacts / block.normal end)
local phi, phi_error = mean(function(block) return block.filled / block.count end)
local normal = mean(function(block) return block.normal / block.count end)
local along = mean(function(block) return block.along / block.normal end)
print(("shear I=%g grains=%d kappa=%g restitution=%g friction=%g gain=%g strain=%g seed=%d mu=%.5f mu_error=%.5f contacts=%.5f phi=%.5f phi_error=%.5f P=%.4f ratio=%.4f"):format(
  args.I, args.grains, k, args.restitution, args.friction, args.gain, args.strain, args.seed, mu, mu_error, contacts, phi, phi_error, normal, along))
