-- The world: how it is made, what a step was. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct, call, arguments = surface.enum, surface.struct, surface.call, surface.arguments

enum "boundary" {
  { "open", 0, "particles may go anywhere" },
  { "wall", 1, "both faces of the domain are planes that particles cannot pass" },
  { "periodic", 2, "what leaves through one face enters through the opposite one" },
}

struct "world_options" {
  { "dimension", "integer", default = 2, at_least = 2, at_most = 3, instead_of = { "dim", "dimensions" }, text = "2 or 3.",
    c = "In 2 the columns z, vz, fz stay 0." },
  { "time_step", "number", required = true, above = 0, unit = "time", instead_of = { "dt", "h", "step" }, text = "Length of a time step.", c = "h." },
  { "seed", "unsigned64", default = 1, text = "Of every random number; the same seed reproduces the run.", c = "Of every random stream." },
  { "threads", "integer", default = 0, at_least = 0, at_most = 256,
    text = "Number of threads; 0: one per processor. The results do not depend on it.",
    c = "0: one per processor. The results do not depend on it. A world of 256 particles or more keeps its threads from its "
      .. "first step until it is destroyed; they sleep while there is no work, and signals do not reach them. Their stacks are 1 MB "
      .. "each; the engine itself needs no more than 128 kB, also of the caller's thread." },
  { "boundary", "boundary[3]", default = "open", text = "What the faces of the domain do, for all axes or as a list with one word per axis.",
    c = "Per axis." },
  { "domain_lower", "vector", free = true, unit = "length", c = "Finite, and used, on axes that are not open." },
  { "domain_upper", "vector", free = true, unit = "length", c = "Above domain_lower on axes that are not open." },
  { "gravity", "vector", unit = "length/time^2", text = "Acceleration of every particle; a function of time is called before each step. Default: none.",
    c = "Acceleration; default 0." },
  { "allocate", "allocate_function", c = "NULL: malloc and free" },
  { "allocate_context", "context" },
  { "log", "log_function", c = "NULL: silent" },
  { "log_context", "context" },
  { "message", "text[512]", c = "filled by floc_world_create when it fails" },
  { "energy_ledger", "boolean", default = false, since = "0.3.0",
    text = "Keeps the account of energy that sim:energy_ledger() shows: the work of everything that acts, in every step. It changes no bit of the run and costs "
      .. "up to the time of the step again.", c = "For floc_world_get_energy_ledger." },
  { "patch_particles", "integer64", default = 0, at_least = 0, at_most = 2147483646, since = "0.3.0",
    text = "For tests and experts: a world of at least four times as many particles is cut by space into patches that hold about that many, "
      .. "half of it or more where they are full. Particles are stored patch by patch. 0: 8192. Results agree within the tolerance, not bit for bit, with those of another cut. "
      .. "A box that deforms is one patch.",
    c = "A world of at least four times as many particles is cut by space into patches that hold about that many; 0: 8192. Another cut has "
      .. "other bits. A box that deforms is one patch." },
}

arguments "world_set_work_limit" {
  { "limit", "number", default = 0, at_least = 0, infinite = true,
    text = "Maximum work of a step, counted in contacts times products, candidates of searches and the like (about 20 ns each): "
      .. "a step that needs more is an error that names a particle. 0: 2e7 + 5e5 for each particle + 5e4 for each ray, and a contact problem that "
      .. "is not solved within half of that counts as not converged instead; math.huge: none. "
      .. "sim:report().work is that of the last step." },
}

call "floc.simulation" {
  summary = "Creates a simulation: the world with its rules, without particles or bodies.", returns = "floc.Simulation",
  of = "world_options",
  "time_step", "dimension", { "gravity", type = "vector|function", signature = "of the time that returns the vector" },
  { "scheme", "scheme", instead_of = { "contacts", "contact", "method", "solver", "law" }, text = "How a step is made; default floc.inelastic()." },
  { "a_priori", "function", signature = "that returns the a priori velocity",
    text = "Replaces u + h f/m before contacts are solved (Lefebvre 2009, Remark 2.8), for instance by a fluid solver. See "
      .. "set_a_priori." },
  "seed", "threads", "energy_ledger", "patch_particles",
  { "work_limit", from = "world_set_work_limit", member = "limit" },
  { "domain", "domain", text = "The box floc.box{ lower, upper } to which the boundaries belong." },
  { "boundary", type = "choice|table" },
  { "up", "vector", text = "Three dimensions: upwards in pictures, movies and pages; default: against gravity at the start of the first run, without gravity y." },
}

struct "thread_pool" {
  plain = true,
  { "threads", "integer", c = "how many work at once, 1 to 256; loops are cut into four times as many tasks. With 1 the caller does the "
      .. "loops, and run is not called; no default" },
  { "context", "context" },
  { "run", "run_function", c = "no default" },
}

struct "ranks" {
  plain = true,
  { "count", "integer", c = "how many ranks there are, 1 or more" },
  { "number", "integer", c = "which of them calls, from 0 on" },
  { "context", "context" },
  { "add", "add_ranks_function", c = "no default, as for the other functions" },
  { "maximum", "maximum_ranks_function" },
  { "exchange", "exchange_ranks_function" },
  { "gather", "gather_ranks_function" },
  { "broadcast", "broadcast_ranks_function" },
}

struct "world_info" {
  plain = true, result = true,
  { "dimension", "integer" },
  { "threads", "integer" },
  { "body_count", "integer", c = "With those that were removed, whose numbers are not given again." },
  { "step", "integer64", c = "steps done since the start" },
  { "particle_count", "integer64" },
  { "time", "number", c = "[time]" },
  { "time_step", "number", c = "[time]" },
  { "gravity", "vector" },
  { "seed", "unsigned64" },
  { "last_id", "integer64", c = "the greatest id that was given to a particle", since = "0.3.0" },
}

enum "feature" {
  { "gravity", 0 },
  { "pair_laws", 1 },
  { "wall_laws", 2 },
  { "fields", 3 },
  { "attraction", 4 },
  { "evolution", 5 },
  { "flow", 6 },
  { "noise", 7 },
  { "a_priori", 8 },
  { "bodies", 9 },
  { "assemblies", 10 },
  { "ray_sources", 11 },
  { "bonds", 12 },
  { "problems", 13, "floc_problem_record" },
  { "energy_ledger", 14 },
  { "servo", 15 },
  { "deformation", 16, "floc_world_deform" },
  { "free_bodies", 17, "floc_body_set_free" },
  { "joints", 18, "floc_joint_add" },
  { "count", 19 },
}

enum "tolerance_rule" {
  prefix = "FLOC_TOLERANCE_",
  { "given", 0, "the option tolerance; also where a scheme has none" },
  { "radius", 1, "1e-4 of the smallest radius, with friction 1e-3" },
  { "acceleration", 2, "0.01 a h^2, with friction 0.1 a h^2; a the largest acceleration by forces" },
  { "speed", 3, "a priori velocities by a function: 1e-4 V h, V the largest of them" },
}

enum "shear_plane" {
  { "xy", 0, "velocities along x that grow with y" },
  { "xz", 1 },
  { "yx", 2 },
  { "yz", 3 },
  { "zx", 4 },
  { "zy", 5 },
}

struct "deform_options" {
  { "rate", "vector", free = true, unit = "1/time", text = "Strain rates of the lengths along the axes, d(ln L)/dt; or a function of time. Default 0.",
    c = "Strain rates of the lengths, d(ln L)/dt; 0 on axes that are not periodic." },
  { "shear_rate", "number", default = 0, free = true, unit = "1/time",
    text = "Of the velocity along x that grows with y (simple shear; x and y must be periodic); or a function of time.",
    c = "Of the velocity along x that grows with y." },
  { "shear_plane", "shear_plane", default = "xy", text = "Of shear_rate: the axis along which velocities are, and the one with which they grow. It can change while the cell is upright.",
    c = "Of shear_rate: the axis along which velocities are, and the one with which they grow." },
  { "pressure", "number", default = 0, at_least = 0, unit = "stress",
    text = "That the lengths of all periodic axes, changed alike, hold; above 0. Default: no pressure is held.",
    c = "Held by all periodic lengths, changed alike; 0: none." },
  { "stress", "vector", free = true, unit = "stress", text = "Normal stresses (compression is positive) that the lengths along the axes hold, each by itself; 0: that length is not held.",
    c = "Normal stresses, compression positive, held by each length by itself; 0: not held." },
  { "relaxation_time", "number", default = 0, at_least = 0, unit = "time",
    text = "tau of held lengths: d(ln L)/dt = (stress now/stress held - 1)/tau, at most 0.01 a step. sqrt(k m)/P for discs of stiffness k and mass m (docs/cells.md); needed with pressure or stress.",
    c = "tau of held lengths: d(ln L)/dt = (stress now/stress held - 1)/tau, at most 0.01 a step." },
}

struct "cell" {
  plain = true, result = true,
  { "lower", "vector", c = "ends of the box; -infinity and infinity on open axes" },
  { "upper", "vector" },
  { "offset", "number", c = "[length] by which the image above the box (along y, or the plane's second axis) is shifted along x (its first); at most half the length" },
  { "rate", "vector", c = "[1/time] strain rates of the lengths in the last step" },
  { "shear_rate", "number", c = "[1/time] of the last step" },
  { "strain", "vector", c = "logarithms of the lengths over those at the start" },
  { "shear_strain", "number", c = "shear rate times time since the start" },
  { "stress", "number[9]", matrix = true, c = "of the last step, row by row, compression positive: contacts and velocities; 0 in a box that never moved" },
  { "pressure", "number", c = "mean of its diagonal along periodic axes" },
  { "shear_plane", "shear_plane", word = true, c = "of offset and shear_rate" },
}

call "sim.deform" {
  summary = "Lets the periodic cell deform from the next step on, until the next call: by strain rates, in simple shear (Lees and Edwards 1972), under a pressure or normal stresses that are held. "
    .. "Particles move with the cell, whose middle is at rest; sim:deform {} stops it. sim.domain has the cell as it is. Without assemblies, rays, and bodies but planes along it; see docs/cells.md.",
  of = "deform_options",
  { "rate", type = "vector|function", optional = true, signature = "of the time that returns the vector" },
  { "shear_rate", type = "number|function", optional = true, signature = "of the time that returns the number" }, "shear_plane", "pressure", "stress", "relaxation_time",
}

struct "step_report" {
  plain = true, result = true,
  { "converged", "boolean", c = "the last step's residual is at or below its tolerance" },
  { "islands", "integer", c = "connected groups of contacts in the last step" },
  { "contacts", "integer64", c = "pairs and walls considered in the last step" },
  { "active_contacts", "integer64", c = "those that carry an impulse" },
  { "iterations", "integer64", c = "products with the contact matrix in the last step" },
  { "residual", "number", c = "[length]; discrete elements by the trapezoidal rule: change of the last iteration, "
      .. "relative" },
  { "tolerance", "number", c = "of the residual" },
  { "overlap", "number", c = "greatest overlap after the last step, in radii of the smaller particle" },
  { "greatest_overlap", "number", c = "the same, over all steps since the start" },
  { "greatest_residual", "number", c = "residual/tolerance, over all steps since the start" },
  { "unconverged_steps", "integer64", c = "steps since the start whose residual stayed above tolerance" },
  { "total_iterations", "integer64", c = "since the start" },
  { "kinetic_energy", "number", c = "after the last step, spins included" },
  { "lists", "integer64", c = "neighbour lists built by this world; 0 for a scheme without lists; not in checkpoints" },
  { "list_entries", "integer64", c = "pairs and walls in the present lists" },
  { "stage_seconds", "number[FLOC_STAGE_COUNT]", shown = false, c = "wall time per stage since the start of this process" },
  { "tolerance_rule", "tolerance_rule", word = true, since = "0.2.0", c = "what decided the tolerance of the last step" },
  { "pairs_left_out", "integer64", c = "pairs omitted from the last step's problem, because they miss each other (see "
      .. "above)" },
  { "total_left_out", "integer64", c = "since the start" },
  { "work", "number", c = "of the last step, in the units of floc_world_set_work_limit; not in checkpoints" },
  { "energy_fall", "number", since = "0.3.0", c = "of the last step, projection with friction, assemblies or a budget: the part "
      .. "by which the energy objective J of contacts (docs/schemes/inelastic.md) changed in the last half of the sweeps or more, in groups above "
      .. "the default tolerance; at most 1. Not in checkpoints" },
  { "unsolved_islands", "integer", since = "0.3.0", c = "of the last step: connected groups of contacts whose residual is above the tolerance" },
  { "worst_body", "integer", absent = -1, since = "0.3.0", c = "where worst_residual was: the number of the body; -1 if it was a pair of particles" },
  { "worst_residual", "number", absent = 0, since = "0.3.0", c = "residual/tolerance of the unconverged step in which it was greatest; this and what follows: "
      .. "projections, since the start of this process, not in checkpoints; 0 if there was none" },
  { "worst_step", "integer64", absent = 0, since = "0.3.0", c = "the number of that step" },
  { "worst_particle", "integer64", absent = 0, since = "0.3.0", c = "id of the particle at the contact of that residual; 0: unconverged, with a residual within the tolerance" },
  { "worst_other", "integer64", absent = 0, since = "0.3.0", c = "id of the other particle; 0: a body" },
  { "contacts_left_out", "integer64", since = "0.3.0", c = "of pairs of polyhedra with more than 128 contacts within reach in a step, the number of the "
      .. "farthest, which are no part of its problem; since the start of this process, not in checkpoints" },
}

return surface
