-- Discrete elements: soft spheres. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct = surface.enum, surface.struct

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

struct "discrete_element_options" {
  plain = true,
  { "contact_force", "integer", before = "contact", c = "floc_contact_force. default penalty" },
  { "stiffness", "number", c = "penalty: K_p [force/length^2]; Hooke: k [force/length]; > 0; default 1e7" },
  { "exponent", "number", c = "penalty: p_p >= 0; default 2" },
  { "young_modulus", "number", c = "Hertz [force/length^2], > 0; default 1e9. Bodies are rigid." },
  { "poisson_ratio", "number", c = "Hertz, > -1 and <= 0.5; default 0.3" },
  { "damping", "number", c = "(19): c_cd >= 0, force per contact area and normal velocity; with Hooke force per "
      .. "normal velocity [mass/time]; default 0" },
  { "limit_damping", "boolean", c = "the normal contact force never pulls; default false, as in the paper" },
  { "rotation", "boolean", c = "(16)-(18): particles spin; adds the attributes wx wy wz (2-D: wz) [1/time]; "
      .. "default false" },
  { "friction", "integer", before = "friction", c = "floc_friction. default none" },
  { "friction_stiffness", "number", c = "K_f >= 0 [force/length^3], times the contact area; with Hooke and "
      .. "spring: k_t [force/length]; default 1e7" },
  { "friction_static", "number", c = "mu_s >= 0; default 0.4" },
  { "friction_dynamic", "number", c = "mu_d, 0 .. mu_s; default 0.3" },
  { "friction_damping", "number", c = "spring: c_t >= 0 along the surface, units as for damping; default 0" },
  { "friction_time", "number", c = "regularized and bonds: the time that stands for the step in (20), (21) and "
      .. "(26) [time]; 0: the time step itself, as printed; default 1e-5" },
  { "bond_law", "integer", before = "bonds", c = "floc_bond_law. default none" },
  { "bond_stiffness", "number", c = "K_nb >= 0 [force/length^2]; default 1e6" },
  { "bond_exponent", "number", c = "p_b >= 0; default 2" },
  { "bond_tangential_stiffness", "number", c = "K_rb >= 0 [force/length^3]; default 1e3" },
  { "bond_formation", "number", c = "E* >= 0: overlap strain at which a bond forms; default 0.01" },
  { "bond_breaking", "number", c = "persistent: tensile strain at which it breaks, > 0; default 0.1" },
  { "thermal_softening", "boolean", before = "temperature", c = "(35)-(37): stiffness falls with the attribute "
      .. "\"temperature\"; default false" },
  { "thermal_sensitivity", "number", c = "a; default 1" },
  { "reference_temperature", "number", c = "Theta* > 0; default 500" },
  { "initial_temperature", "number", c = "of particles that were not given another; default 300" },
  { "least_stiffness", "number", c = "K_lim >= 0; default 1e6" },
  { "viscosity", "number", before = "surroundings", c = "(30): c_e >= 0 [mass/(length time)]; default 0" },
  { "medium_velocity", "vector", c = "v_e [length/time]; default 0" },
  { "medium_flow", "kernel_function", c = "instead: inputs x y z time, outputs vx vy vz; may be NULL" },
  { "medium_flow_context", "context" },
  { "attraction", "number", before = "near field (28): attraction r^-attraction_exponent - repulsion r^-repulsion_exponent towards the other", c = ""
      .. "default 0" },
  { "attraction_exponent", "number", c = ">= 0; default 2" },
  { "repulsion", "number", c = "default 0" },
  { "repulsion_exponent", "number", c = ">= 0; default 4" },
  { "near_field_scaling", "integer", c = "floc_near_field_scaling. default constant. With an attribute \"sign\" "
      .. "the coefficients are also multiplied by c_i c_j." },
  { "near_field_range", "number", c = "greatest surface distance [length]; INFINITY: all pairs, at a cost that "
      .. "grows with the square of their number; default INFINITY" },
  { "electric_field", "kernel_function", before = "external fields: inputs x y z time, outputs three components; NULL: none", c = ""
      .. "(27), acts on the attribute \"charge\"" },
  { "electric_field_context", "context" },
  { "magnetic_field", "kernel_function", c = "(27) and (29), B" },
  { "magnetic_field_context", "context" },
  { "magnetization", "number", c = "(29): gamma of particles that were not given another; adds the attribute "
      .. "\"magnetization\" when it is not 0; default 0" },
  { "magnetic_difference", "number", c = "length over which grad(B.B) is taken by central differences of fourth "
      .. "order, > 0; default 1e-3" },
  { "parallel_fields", "boolean", c = "the field functions may run on several threads at once; default false" },
  { "integrator", "integer", before = "time", c = "floc_integrator. default trapezoidal" },
  { "phi", "number", c = "trapezoidal: weight of the step's end, 0 .. 1; default 0.5" },
  { "tolerance", "number", c = "of the fixed-point iteration, 6.1, > 0; default 5e-4" },
  { "iterations", "integer", c = "K_d: iterations aimed at, 1 or more; default 10" },
  { "adaptive", "boolean", c = "trapezoidal: the step follows (75), at most the world's time step; default true. "
      .. "When it is off and K_d iterations are not enough, the step is taken all the same and counts as "
      .. "unconverged." },
  { "first_time_step", "number", c = "adaptive: the first step > 0 [time]; 0: the world's; default 0" },
}

struct "discrete_element_report" {
  plain = true,
  { "iterations", "integer", c = "fixed-point iterations of the last step" },
  { "total_iterations", "integer64", c = "since the start" },
  { "evaluations", "integer64", c = "evaluations of all forces since the start" },
  { "rejected_steps", "integer64", c = "steps that were done again with a smaller time step, since the start" },
  { "time_step", "number", c = "of the last step" },
  { "next_time_step", "number", c = "what the iteration would take next" },
  { "error", "number", c = "of the last fixed-point iteration, over the tolerance (Z_K)" },
  { "contacts", "integer64", c = "overlapping pairs at the last evaluation" },
  { "wall_contacts", "integer64" },
  { "bonds", "integer64", c = "persistent bonds now" },
  { "bonds_formed", "integer64", c = "since the start" },
  { "bonds_broken", "integer64" },
  { "kinetic_energy", "number", c = "translation" },
  { "rotational_energy", "number" },
  { "contact_energy", "number", c = "stored in the overlaps of pairs and walls" },
  { "friction_energy", "number", c = "stored in tangential springs" },
  { "bond_energy", "number", c = "stored in stretched persistent bonds" },
  { "near_field_energy", "number", c = "of (28)" },
  { "critical_time_step", "number", c = "of the present state: above it contacts may gain energy; infinite "
      .. "without a limit" },
  { "critical_id", "integer64", c = "the particle that limits it; 0: none" },
}

struct "bond" {
  plain = true,
  { "id_i", "integer64", c = "id_i < id_j" },
  { "id_j", "integer64" },
  { "area", "number", c = "A_0: greatest contact area seen [length^2]" },
  { "strain", "number", c = "distance of the surfaces over R_i + R_j; above 0 the bond pulls" },
}

return surface
