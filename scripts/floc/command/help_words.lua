-- Words that users of other programs look for (LAMMPS, LIGGGHTS, YADE, MercuryDPM, Box2D, HOOMD, ESPResSo), each with a
-- sentence about what floc has for it and the pages to read. `floc help WORD` shows them. The keys are in lower case,
-- without hyphens and underscores.

local words = {}

-- All of `names`, with spaces between them, mean the same.
local function mean(names, text, ...)
  for name in names:gmatch "%S+" do words[name] = { text = text, pages = { ... } } end
end

mean("timestep dt stepsize", "The length of a step is time_step of floc.simulation; sim.time_step may be assigned.", "simulation")
mean("fix", "What happens in every step is a law (sim:add_field, sim:add_force, sim:add_wall_force), a callback (sim:every), or part of the scheme.",
  "add_field", "add_force", "every", "simulation")
mean("pairstyle paircoeff pairpotential potential forcefield engine", "Forces between pairs are Lua functions or potentials: sim:add_force.", "add_force", "add_attraction", "add_long_range", "explain")
mean("langevin thermostat brownian bath temperature",
  "A bath is drift and noise: sim:add_flow { flow = \"still\", relaxation_time = tau } and sim:add_noise { sigma = s }; the mean of v^2 per axis is then s^2 tau / 2. sim:measure \"temperature\" reads it.",
  "add_flow", "add_noise", "measures")
mean("barostat npt pressurecontrol lees edwards leesedwards sheared deform triclinic", "sim:deform shears a periodic cell, strains it or holds a pressure; a piston under a load is a body "
  .. "whose velocity follows body.force.", "deform", "piston", "body")
mean("nve nvt integrator integrate verlet velocityverlet leapfrog", "The scheme chooses how a step is made; floc.discrete_element has integrator = \"velocity_verlet\".",
  "simulation", "discrete_element")
mean("thermo log monitor plotdata", "sim:observe writes a table while the simulation runs; sim:measure returns one number.", "observe", "measure", "measures")
mean("dump vtk paraview trajectory recorder", "sim:write_vtp writes files for ParaView, sim:write_xyz for OVITO, sim:record a movie; floc view makes a page.",
  "write_vtp", "write_xyz", "record", "view")
mean("restart readrestart writerestart save load snapshot", "sim:checkpoint writes the state, floc resume continues from it bit for bit.", "checkpoint", "resume")
mean("createatoms atoms particles insert pack packing generate randomdensepack", "sim:add_particles fills a region at random or on a lattice.", "add_particles", "add_particle")
mean("freeze frozen thaw setforce rigidwall immobile", "sim:add_attribute \"frozen\": particles where it is not 0 keep their velocity, under discrete elements and in projections.", "add_attribute", "discrete_element", "inelastic")
mean("group", "A group is an attribute of particles.", "add_attribute")
mean("wall walls wallgran facet facets stl mesh boundary", "Walls are bodies with shapes, fixed or moving; the faces of a domain are boundary = \"wall\".", "add_body",
  "simulation", "plane", "mesh", "oscillation")
mean("servo stresscontroller triaxial biaxial", "floc.servo is a motion of walls that hold a force or a pressure; body.force is what particles exert on a body.", "servo", "body", "add_body")
mean("gravity fixgravity", "Gravity is a vector or a function of time in floc.simulation; sim.gravity may be assigned.", "simulation")
mean("periodic pbc box cell", "domain = floc.box{ lower, upper } and boundary = \"periodic\" in floc.simulation.", "simulation", "box")
mean("friction mu coulomb", "floc.inelastic, floc.gluey and floc.discrete_element take friction.", "inelastic", "gluey", "discrete_element")
mean("crowd crowds pedestrian pedestrians evacuation overdamped brownian active cells firstorder", "Velocities that are given, without inertia, are the scheme floc.first_order.", "first_order", "set_a_priori")
mean("restitution rebound bounce elastic", "floc.inelastic { restitution = e }; particles of discrete elements have damping instead.", "inelastic", "discrete_element")
mean("young stiffness hertz hooke hookean mindlin hertzmindlin granular contactmodel contactlaw interaction interactions", "Soft contacts are the scheme floc.discrete_element.", "discrete_element", "add_force", "add_wall_force")
mean("cohesion adhesion jkr sticky glue", "Contacts that stick: floc.gluey, bonds of floc.discrete_element, or an attractive law.", "gluey", "discrete_element", "add_force")
mean("hopper bin orifice", "A hopper is floc.funnel, or floc.cone along any axis; floc.container a box without a lid.", "funnel", "cone", "container")
mean("rolling rollingresistance rollingfriction twisting", "floc.inelastic and floc.gluey have rolling and twisting (lengths), floc.discrete_element rolling_friction (a coefficient, with rotation).",
  "inelastic", "discrete_element")
mean("material materials", "Particles have mass or density, and attributes of the script's own, which laws read; bodies have a material, a number.", "add_particle", "add_attribute", "add_body")
mean("clump clumps multisphere rigid", "Rigid unions of spheres are assemblies.", "add_assembly")
mean("hinge joint slider motor rope rod weld pendulum constraint", "Joints link bodies, particles and the world: hinges, sliders, rods, ropes, springs, motors.", "add_joint")
mean("bond bonds bondedparticle", "Bonds break and form in floc.discrete_element; sim:bonds lists them, sim:bond_changes counts.", "discrete_element", "bonds", "bond_changes")
mean("drag fluid stokes flow lattice", "A drag towards a prescribed flow is sim:add_flow; velocities from a solver of your own, sim:set_a_priori.", "add_flow", "set_a_priori")
mean("lj lennardjones yukawa morse", "Any potential of the distance is one line: sim:add_force { potential = function(distance) ... end, range = R }.", "add_force")
mean("eam embeddedatom suttonchen manybody sph density", "Energies of sums over neighbours: sim:add_many_body.", "add_many_body")
mean("rdf gr pairdistribution", "sim:radial_distribution is g(r); sim:pair_distribution counts the others within each distance; sim:structure_factor is S(k).",
  "radial_distribution", "pair_distribution", "structure_factor")
mean("msd meansquaredisplacement meansquare diffusion", "sim:add_attribute \"displacement_x\" keeps displacements through periodic faces; the measure mean_square_displacement is their mean square.",
  "measures", "add_attribute", "observe")
mean("neighbor neighbour neighborlist skin cutoff", "The engine keeps neighbour lists; range of sim:add_force is the cutoff. sim:neighbors and sim:pairs list who is near.",
  "add_force", "neighbors", "pairs", "contacts")
mean("drum tube pipe silo mill roller", "A drum, tube or silo is floc.cylinder, open or closed at its ends, or floc.hollow in the plane; a roller is a solid one.",
  "cylinder", "cone", "hollow", "wheel")
mean("remove delete erase outlet sink", "sim:remove removes particles in a region, by a function or by ids, between runs or in a callback; sim:add_outlet after each step.",
  "remove", "remove_particle", "remove_body", "add_outlet", "ids")
mean("inlet source pour inflow", "sim:add_inlet adds particles at a rate while the simulation runs; sim:add_particles may be called in a callback of sim:every.",
  "add_inlet", "add_particles", "every")
mean("pressure virial", "sim:stress has the stress with its parts and the pressure; the measures pressure and stress_xx are numbers of it; sim:coarse_grain makes fields.",
  "stress", "measures", "coarse_grain")
mean("lacey segregation mixedness demixing", "sim:mixing_index is the index of Lacey; 1 minus it measures segregation.", "mixing_index")
mean("psi6 hexatic steinhardt q6 crystallinity", "sim:bond_order is the bond-orientational order: psi_k in the plane, q_l in space.", "bond_order")
mean("ledger energybalance energyconservation dissipation work", "energy_ledger = true of floc.simulation keeps an account of energy by name; sim:energy_ledger() shows it.",
  "energy_ledger", "measures")
mean("goldhirsch coarsegraining fields homogenization heatmap contour contours pcolormesh imshow",
  "sim:coarse_grain makes fields of density, momentum and stress on a grid; sim:picture { field = } draws them.", "coarse_grain", "picture")
mean("crowd pedestrians evacuation overdamped firstorder", "floc.first_order moves particles by given velocities, without inertia.", "first_order")
mean("random rand seed", "Every random number of the engine follows from seed in floc.simulation.", "simulation", "add_noise")
mean("threads openmp parallel omp", "threads of floc.simulation, or --threads; results do not depend on it.", "simulation", "run", "sweep")
mean("mpi gpu cuda slurm cluster", "One process with threads; many runs at once are floc sweep. Both print job scripts for Slurm, with --slurm.", "run", "sweep")
mean("python api embed c", "The library is C with one header, floc.h; Python's cffi reads what floc_cdef() returns. See docs/index.md and examples/embed.", "calls")
mean("attribute attributes property properties", "sim:add_attribute adds a number per particle; add_particles and add_particle take attributes = { NAME = VALUE }.",
  "add_attribute", "add_particles", "columns")
mean("unit units", "floc has no units; all numbers must belong to one system. floc view --units writes names into a page.", "view")
mean("up camera view", "Up is against gravity at the start, or up of floc.simulation; direction and up of sim:picture turn the camera.", "picture", "simulation", "view")
mean("movie video animation film", "sim:record makes a movie, floc view a page that plays a run.", "record", "view")

return words
