-- A periodic cell of discs is sheared under a normal stress that it holds: friction mu = tau/P and volume fraction phi against the
-- inertial number I = (shear rate) sqrt(m/P). Lines: 0.25 + 1.1 I and 0.81 - 0.3 I, of da Cruz and others (Phys. Rev. E 72 (2005) 021309)
-- for such discs: friction 0.4, restitution 0.1, diameters within 20 %. From I = 0.01 on mu is 7 to 10 % above the line, in LAMMPS as well
-- (benchmarks/granular/README.md). Units: mean diameter, mass of such a disc, P = 1.
local floc = require "floc"
local args = floc.args { I = "0.1,0.03", grains = 200, strain = { 6, text = "that is averaged over" }, stiffness = 1000, seed = 1 }
local damping = -2 * math.log(0.1) * math.sqrt(args.stiffness / 2 / (math.pi ^ 2 + math.log(0.1) ^ 2)) -- restitution 0.1
local h, tau, side = math.pi * math.sqrt(0.5 / args.stiffness) / 25, 1.25 * math.sqrt(args.stiffness), math.sqrt(args.grains * math.pi / 4 / 0.42)

local function shear(I)
  local sim = floc.simulation { time_step = h, seed = args.seed, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { side, side } },
    scheme = floc.discrete_element { contact = "hooke", stiffness = args.stiffness, damping = damping, integrator = "velocity_verlet", rotation = true,
      friction = "spring", friction_static = 0.4, friction_dynamic = 0.4, friction_stiffness = args.stiffness / 2 } }
  sim:add_particles { count = args.grains, radius = { 0.4, 0.6 }, density = 4 / math.pi }
  sim:deform { rate = { -0.02, -0.02 }, shear_rate = 0.1 }
  sim:run { until_time = 13.8 } -- to phi = 0.73
  sim:deform { shear_rate = I, stress = { 0, 1 }, relaxation_time = tau }
  sim:run { until_time = sim.time + 2 / I }
  local count, shear_stress, pressure, filled = 0, 0, 0, 0
  sim:every(10, function()
    local cell = sim.domain
    count, shear_stress, pressure = count + 1, shear_stress - cell.stress[1][2], pressure + cell.stress[2][2]
    filled = filled + sim:measure "volume_fraction"
  end)
  sim:run { until_time = sim.time + args.strain / I }
  return sim, shear_stress / pressure, filled / count, pressure / count
end

for text in args.I:gmatch "[^,]+" do
  local I = tonumber(text)
  local sim, mu, phi, pressure = shear(I)
  print(string.format("I = %g: mu = %.4f (line: %.4f), phi = %.4f (%.4f), normal stress = %.4f", I, mu, 0.25 + 1.1 * I, phi, 0.81 - 0.3 * I, pressure))
  sim:picture { path = floc.output(string.format("shear_cell_%g.png", I)), colour = "vx", width = 500 }
  floc.report { claim = string.format("volume fraction over the line's, I = %g", I), value = phi / (0.81 - 0.3 * I), expect = { at_least = 0.98, at_most = 1.02 } }
  floc.report { claim = string.format("friction over the line's, I = %g", I), value = mu / (0.25 + 1.1 * I), expect = { at_least = 0.85, at_most = 1.2 } }
  floc.report { claim = string.format("normal stress, I = %g", I), value = pressure, expect = { at_least = 0.98, at_most = 1.02 } }
end
