-- Discrete elements: soft spheres. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct, call, arguments = surface.enum, surface.struct, surface.call, surface.arguments

enum "contact_force" {
  { "none", 0, "contacts exert no force of the scheme's own: laws do it; without friction and bonds, and contacts "
      .. "are not counted" },
  { "penalty", 1, "(13): stiffness E^exponent A, E the overlap over R_i + R_j (14), A the contact area (68)-(69)" },
  { "hertz", 2, "(70), with young_modulus and poisson_ratio" },
  { "hooke", 3, "stiffness times overlap" },
}

enum "friction" {
  { "none", 0 },
  { "regularized", 1, "(20)-(24): stick force proportional to the tangential velocity" },
  { "spring", 2, "accumulated tangential spring (Cundall and Strack 1979)" },
}

enum "bond_law" {
  prefix = "FLOC_BOND_",
  { "none", 0 },
  { "literal", 1, "(25)-(26) as printed: acts only while the particles overlap" },
  { "persistent", 2, "once formed it pulls in tension, until it breaks" },
}

enum "integrator" {
  { "trapezoidal", 1, "(31)-(34), fixed-point iteration with adaptive steps, 6.1" },
  { "velocity_verlet", 2, "explicit, one evaluation of the forces per step" },
}

enum "near_field_scaling" {
  prefix = "FLOC_NEAR_FIELD_",
  { "constant", 0, "the coefficients as they are" },
  { "mass", 1, "times m_i m_j" },
  { "area", 2, "times the surface areas 4 pi R^2" },
  { "volume", 3, "times the volumes" },
  { "charge", 4, "times the charges q_i q_j (attribute \"charge\")" },
}

-- So that no product overflows (engine/schemes/discrete_element/verlet.c).
local huge = 1e60

struct "discrete_element_options" {
  { "contact_force", "contact_force", before = "contact", default = "penalty", aliases = { "contact" },
    text = "Elastic force of a contact: stiffness E^exponent times the contact area (13), Hertz (70), stiffness times overlap, or none: "
      .. "laws of the script exert all forces.",
    c = "" },
  { "stiffness", "number", instead_of = { "kn", "k_n", "k", "normal_stiffness" }, default = 1e7, above = 0, at_most = huge, unit = "force/length^2", text = "Of the penalty force (13); with hooke: force/length.",
    c = "Penalty: K_p; Hooke: k [force/length]." },
  { "exponent", "number", default = 2, at_least = 0, at_most = 100, text = "Exponent of the penalty force.", c = "Penalty: p_p." },
  { "young_modulus", "number", instead_of = { "E", "young", "youngs_modulus" }, default = 1e9, above = 0, at_most = huge, unit = "force/length^2", text = "Young's modulus, with hertz.", c = "Hertz. Bodies are rigid." },
  { "poisson_ratio", "number", instead_of = { "nu", "poisson" }, default = 0.3, above = -1, at_most = 0.5, text = "Poisson's ratio, with hertz.", c = "With hertz." },
  { "damping", "number", instead_of = { "restitution", "gamma_n", "normal_damping", "viscous_damping" }, default = 0, at_least = 0, at_most = huge,
    text = "(19): normal damping force per contact area and normal velocity; with hooke per normal velocity.",
    c = "(19): c_cd, force per contact area and normal velocity; with Hooke force per normal velocity [mass/time]." },
  { "limit_damping", "boolean", default = false, text = "The normal force of a contact never pulls.",
    c = "The normal contact force never pulls; it does by default, as in the paper." },
  { "rotation", "boolean", default = false, text = "Particles rotate (16)-(18): columns wx, wy, wz, in two dimensions wz.",
    c = "(16)-(18): particles spin; adds the columns wx wy wz (2-D: wz) [1/time]." },
  { "friction", "friction", before = "friction", default = "none",
    text = "Friction as printed (20)-(24), or an accumulated tangential spring (Cundall and Strack 1979).", c = "" },
  { "friction_stiffness", "number", instead_of = { "kt", "k_t", "ks", "tangential_stiffness" }, default = 1e7, at_least = 0, at_most = huge, unit = "force/length^3",
    text = "Tangential stiffness, multiplied by the contact area; with hooke and spring: force/length.",
    c = "K_f, times the contact area; with Hooke and spring: k_t [force/length]." },
  { "friction_static", "number", instead_of = { "mu", "mu_s", "friction_coefficient" }, default = 0.4, at_least = 0, at_most = 1e6, text = "Coefficient of static friction: a contact sticks up to this times its normal force.",
    c = "mu_s, of static friction: a contact sticks up to this times its normal force." },
  { "friction_dynamic", "number", instead_of = { "mu_d" }, default = 0.3, at_least = 0, at_most = 1e6, text = "Coefficient of friction of a contact that slides; at most friction_static.",
    c = "mu_d, the coefficient of friction of a contact that slides; at most friction_static." },
  { "friction_damping", "number", default = 0, at_least = 0, at_most = huge, text = "Damping of the tangential spring, in the units of damping.",
    c = "Spring: c_t, along the surface; units as for damping." },
  { "friction_time", "number", default = 1e-5, at_least = 0, at_most = huge, unit = "time",
    text = "Replaces the step in (20), (21) and (26), so that friction does not depend on it; 0: the step, as printed.",
    c = "Regularized and bonds: the time that stands for the step in (20), (21) and (26); 0: the time step itself, as printed." },
  { "bond_law", "bond_law", before = "bonds", default = "none", aliases = { "bonds" },
    text = "Bonds as printed (25), which act on overlapping particles only, or bonds that pull in tension until they break.", c = "" },
  { "bond_stiffness", "number", default = 1e6, at_least = 0, at_most = huge, unit = "force/length^2", text = "K_nb of (25).", c = "K_nb." },
  { "bond_exponent", "number", default = 2, at_least = 0, at_most = 100, text = "Exponent of the strain in (25).", c = "p_b." },
  { "bond_tangential_stiffness", "number", default = 1e3, at_least = 0, at_most = huge, unit = "force/length^3", text = "K_rb of (26)." },
  { "bond_formation", "number", default = 0.01, at_least = 0, at_most = 1,
    text = "Overlap over the sum of the radii at which a bond forms.", c = "E*: overlap strain at which a bond forms." },
  { "bond_breaking", "number", default = 0.1, above = 0, at_most = 100,
    text = "Surface distance over the sum of the radii at which a persistent bond breaks.", c = "Persistent: tensile strain at which it breaks." },
  { "thermal_softening", "boolean", before = "temperature", default = false,
    text = "(35)-(37): the stiffness falls with the attribute temperature, which is added.",
    c = "(35)-(37): the stiffness falls with the attribute \"temperature\"." },
  { "thermal_sensitivity", "number", default = 1, at_least = -100, at_most = 100, text = "a of (35)." },
  { "reference_temperature", "number", default = 500, above = 0, at_most = huge, unit = "temperature", text = "Theta* of (35)." },
  { "initial_temperature", "number", default = 300, at_least = -huge, at_most = huge, unit = "temperature",
    text = "Temperature of particles that are given no other.", c = "Of particles that are given no other." },
  { "least_stiffness", "number", default = 1e6, at_least = 0, at_most = huge, unit = "force/length^2", text = "K_lim of (35)." },
  { "viscosity", "number", before = "surroundings", default = 0, at_least = 0, at_most = huge, unit = "mass/(length time)",
    text = "Stokes damping (30); with rotation also the torque -8 pi viscosity r^3 (omega - rot U/2), U the medium's velocity.", c = "(30): c_e." },
  { "medium_velocity", "vector", at_least = -huge, at_most = huge, unit = "length/time", text = "Velocity of the medium; default 0.", c = "v_e; default 0." },
  { "medium_flow", "kernel_function", c = "instead: inputs x y z time, outputs vx vy vz; may be NULL" },
  { "medium_flow_context", "context" },
  { "attraction", "number", before = "near field (28): attraction r^-attraction_exponent - repulsion r^-repulsion_exponent towards the other",
    default = 0, at_least = -huge, at_most = huge, text = "Near field (28): attraction r^-attraction_exponent towards the other.", c = "" },
  { "attraction_exponent", "number", default = 2, at_least = 0, at_most = 100, text = "See attraction.", c = "" },
  { "repulsion", "number", default = 0, at_least = -huge, at_most = huge, text = "Near field (28): repulsion r^-repulsion_exponent.", c = "" },
  { "repulsion_exponent", "number", default = 4, at_least = 0, at_most = 100, text = "See repulsion.", c = "" },
  { "near_field_scaling", "near_field_scaling", default = "constant",
    text = "The property of both particles by which the coefficients are multiplied; they are also multiplied by an attribute sign, if there is one.",
    c = "With an attribute \"sign\" the coefficients are also multiplied by c_i c_j." },
  { "near_field_range", "number", default = math.huge, at_least = 0, infinite = true, unit = "length",
    text = "Maximum surface distance; infinite: all pairs, at a cost that grows with the square of their number." },
  { "electric_field", "kernel_function", before = "external fields: inputs x y z time, outputs three components; NULL: none",
    c = "(27), acts on the attribute \"charge\"" },
  { "electric_field_context", "context" },
  { "magnetic_field", "kernel_function", c = "(27) and (29), B" },
  { "magnetic_field_context", "context" },
  { "magnetization", "number", default = 0, at_least = -huge, at_most = huge,
    text = "gamma of (29), the attribute magnetization, which is added when it is not 0.",
    c = "(29): gamma of particles that were not given another; adds the attribute \"magnetization\" when it is not 0." },
  { "magnetic_difference", "number", default = 1e-3, above = 0, at_most = huge, unit = "length",
    text = "Distance over which the gradient of B.B is computed by differences of fourth order.",
    c = "Over which grad(B.B) is taken by central differences of fourth order." },
  { "parallel_fields", "boolean", default = false, c = "The field functions may run on several threads at once." },
  { "integrator", "integrator", before = "time", default = "trapezoidal",
    text = "The trapezoidal rule (31)-(34) with fixed-point iteration, or velocity Verlet, which is explicit with one evaluation of forces per step.", c = "" },
  { "phi", "number", default = 0.5, at_least = 0, at_most = 1, text = "Weight of the step's end in the trapezoidal rule." },
  { "tolerance", "number", default = 5e-4, above = 0, at_most = 1, text = "Tolerance of the iteration (6.1).", c = "Of the iteration (6.1)." },
  { "iterations", "integer", default = 10, at_least = 1, at_most = 1000000, text = "Target number of iterations (K_d).", c = "Target (K_d)." },
  { "adaptive", "boolean", default = true, text = "The trapezoidal step follows (75).",
    c = "Trapezoidal: the step follows (75), at most the world's time step. When it is off and K_d iterations are not enough, the step "
      .. "is taken all the same and counts as unconverged." },
  { "first_time_step", "number", default = 0, at_least = 0, at_most = huge, unit = "time", text = "First step of adaptive steps; 0: time_step.",
    c = "Adaptive: the first step; 0: the world's." },
  { "rolling_friction", "number", instead_of = { "mu_r", "rolling", "rolling_resistance", "rolling_coefficient" }, before = "resistance to rolling, with rotation",
    default = 0, at_least = 0, at_most = 1e6, since = "0.3.0",
    text = "Coefficient of rolling resistance: a spring opposes rolling of the surfaces on each other, up to the torque rolling_friction "
      .. "times R* times the normal force, 1/R* = 1/R_i + 1/R_j, R* = R_i at a body. Needs rotation and rolling_stiffness.",
    c = "mu_r: torque at most mu_r R* |F_n|, R* = R_i R_j/(R_i + R_j), with a body R_i; 0: none" },
  { "rolling_stiffness", "number", default = 0, at_least = 0, at_most = huge, unit = "force/length^3", since = "0.3.0",
    text = "Of the rolling spring, whose length is the rolled angle times R*, times the contact area; with hooke: force/length.",
    c = "K_r, per rolled length, times the contact area; Hooke: k_r [force/length]" },
  { "rolling_damping", "number", default = 0, at_least = 0, at_most = huge, since = "0.3.0", text = "Damping of the rolling spring, in the units of damping.",
    c = "of that spring; units as for damping" },
  { "by_pair", "string", since = "0.3.0",
    c = "The members that pair_function gives by pairs of materials, separated by spaces, of stiffness, damping, friction_stiffness, friction_static, "
      .. "friction_dynamic, friction_damping, rolling_friction, rolling_stiffness, rolling_damping; here they are then at their defaults. Materials are 0 "
      .. "to 63. NULL: none." },
  { "pair_function", "pair_function", since = "0.3.0", c = "Called once per pair of materials and member, when such a pair is first near." },
  { "pair_context", "context", since = "0.3.0" },
  { "bond_bodies", "boolean", default = false, since = "0.3.0",
    text = "Particles bond to bodies and walls as they do to each other, with strains over the particle's radius.",
    c = "Particles bond to bodies and walls as to each other; strains are then over R_i." },
  { "bond_strength_spread", "number", default = 0, at_least = 0, at_most = 0.999, since = "0.3.0",
    text = "Each bond has a strength of its own: it breaks at bond_breaking times a number between 1 - bond_strength_spread and 1, which depends "
      .. "on the seed and its particles alone. Persistent bonds only.",
    c = "Persistent: each bond breaks at bond_breaking (1 - bond_strength_spread u), u in (0, 1) of the seed and the ids; 0: all at bond_breaking." },
}

local function two(name) return { name, type = "number|table|function", signature = "of two materials that returns a number" } end
local from_place = "of x, y, z, t that returns three numbers"

call "floc.discrete_element" {
  summary = "Soft spheres: forces grow with the overlap (Zohdi 2016; equation numbers are that "
    .. "paper's). With adaptive steps time_step of the simulation is the maximum.", returns = "floc.Scheme",
  of = "discrete_element_options", optional = true,
  "contact_force", two "stiffness", "exponent", "young_modulus", "poisson_ratio", two "damping", "limit_damping", "rotation",
  "friction", two "friction_stiffness", two "friction_static", two "friction_dynamic", two "friction_damping", "friction_time",
  "bond_law", "bond_stiffness", "bond_exponent", "bond_tangential_stiffness", "bond_formation", "bond_breaking", "bond_bodies", "bond_strength_spread",
  "thermal_softening", "thermal_sensitivity", "reference_temperature", "initial_temperature", "least_stiffness",
  "viscosity", { "medium_velocity", type = "vector|function", signature = from_place },
  "attraction", "attraction_exponent", "repulsion", "repulsion_exponent", "near_field_scaling", "near_field_range",
  { "electric_field", "function", signature = from_place, text = "(27), acts on the attribute charge." },
  { "magnetic_field", "function", signature = from_place, text = "B of (27) and (29)." },
  "magnetization", "magnetic_difference", "integrator", "phi", "tolerance", "iterations", "adaptive", "first_time_step",
  two "rolling_friction", two "rolling_stiffness", two "rolling_damping",
  { "materials", "table", text = "Names of materials, as in floc.inelastic; stiffness, damping, friction_stiffness, friction_static, friction_dynamic, "
    .. "friction_damping, rolling_friction, rolling_stiffness and rolling_damping may be tables or functions of two of them. At most 64." },
}

struct "discrete_element_report" {
  plain = true, result = true,
  { "iterations", "integer", c = "fixed-point iterations of the last step" },
  { "total_iterations", "integer64", c = "since the start" },
  { "evaluations", "integer64", c = "evaluations of all forces since the start" },
  { "rejected_steps", "integer64", c = "steps that were repeated with a smaller time step, since the start" },
  { "time_step", "number", c = "of the last step" },
  { "next_time_step", "number", c = "that the adaptive rule chose for the next step" },
  { "error", "number", c = "of the last fixed-point iteration, over the tolerance (Z_K)" },
  { "contacts", "integer64", c = "overlapping pairs at the last evaluation" },
  { "wall_contacts", "integer64" },
  { "bonds", "integer64", c = "persistent bonds now" },
  { "bonds_formed", "integer64", c = "since the start, of pairs of particles" },
  { "bonds_broken", "integer64" },
  { "kinetic_energy", "number", c = "translation" },
  { "rotational_energy", "number" },
  { "contact_energy", "number", c = "stored in the overlaps of pairs and walls" },
  { "friction_energy", "number", c = "stored in tangential and rolling springs" },
  { "bond_energy", "number", c = "stored in stretched persistent bonds" },
  { "near_field_energy", "number", c = "of (28)" },
  { "critical_time_step", "number", since = "0.2.0", c = "of the present state: above it contacts may gain energy; infinite "
      .. "without a limit" },
  { "critical_id", "integer64", c = "the particle that limits it; 0: none" },
  { "wall_bonds", "integer64", since = "0.3.0", c = "persistent bonds to bodies and walls now" },
}

struct "bond" {
  plain = true, result = true,
  { "id_i", "integer64", c = "id_i < id_j" },
  { "id_j", "integer64" },
  { "area", "number", c = "A_0: greatest contact area seen [length^2]" },
  { "strain", "number", c = "distance of the surfaces over R_i + R_j; above 0 the bond pulls" },
}

arguments "bond_add" {
  { "area", "number", required = true, above = 0, unit = "length^2", text = "Cross-section of the bond." },
}

call "sim.add_bond" {
  summary = "Joins two particles by a persistent bond of the discrete-element scheme.", of = "bond_add",
  { "particles", "table", required = true, instead_of = { "ids" }, text = "The ids of the two particles." }, "area",
}

call "sim.remove_bond" {
  summary = "Breaks the bond between two particles.", of = "bond_add",
  { "particles", "table", required = true, instead_of = { "ids" }, text = "The ids of the two particles." },
}

return surface
