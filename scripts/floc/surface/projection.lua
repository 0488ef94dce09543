-- The projection scheme: its options, their words, and the calls that set them. See reader.lua for the form.
-- Rules between two options are C: check_together() in engine/schemes/projection/create.c.

local surface = require "floc.surface.reader"
local enum, struct, call = surface.enum, surface.struct, surface.call

enum "contact_law" {
  prefix = "FLOC_CONTACT_",
  { "inelastic", 1, "Maury 2004 (3.5)-(3.6): surfaces that touch do not penetrate" },
  { "gluey", 2, "Lefebvre 2009, 3.2: pairs that were pressed together stick until they have been pulled apart by the same impulse" },
}

enum "gluey_rule" {
  prefix = "FLOC_GLUEY_",
  { "bounded", 0, "p >= gamma: the implicit discretisation of Lefebvre 2009, (2.6); conserves momentum when a pair detaches "
    .. "and is solvable whenever the inelastic problem is" },
  { "equality", 1, "Algorithm 3.3 as printed: glued pairs keep their distance exactly, and gamma is clamped at 0 after the step" },
}

enum "solver" {
  { "auto", 0, "working set, islands, conjugate gradient or accelerated Gauss-Seidel" },
  { "uzawa", 1, "the papers' projected gradient on the dual, Maury 2004 (3.13)-(3.14)" },
  { "apgd", 2, "accelerated projected gradient with restart and backtracking" },
  { "interior_point", 3, "interior point method with a sparse factorisation: a few dozen factorisations whatever the problem", since = "0.3.0" },
}

enum "friction_law" {
  prefix = "FLOC_FRICTION_LAW_",
  { "exact", 0, "Coulomb's law: a contact that slides is not lifted" },
  { "convex", 1, "associated flow: a convex problem, which is always solved; a sliding contact keeps a gap of friction times the distance that it slides in a step" },
}

struct "projection_options" {
  { "contact_law", "contact_law", default = "inelastic", c = "" },
  { "gamma_min", "number", default = -math.huge, at_most = 0, infinite = true, unit = "mass length/time",
    text = "Minimum of gamma, which bounds how long a contact can stick. Minus infinity is the smooth case; rougher surfaces have values closer to 0. A "
      .. "function is called once per pair of materials: the attribute material, and material of bodies.",
    c = "Gluey: minimum of gamma; -infinity is the smooth case." },
  { "solver", "solver", default = "auto", text = "How the contact problem is solved." },
  { "tolerance", "number", default = 0, at_least = 0, unit = "length",
    text = "Residual at which a step counts as solved; 0: chosen from radii and accelerations. Above |gravity| time_step^2, which free fall meets, a warning is given.",
    c = "Residual at which a step counts as solved; 0: the minimum of those of floc_tolerance_rule that apply. Above |gravity| time_step^2, "
      .. "which free fall meets, the log gets a warning." },
  { "max_iterations", "integer", default = 20000, at_least = 1, text = "Maximum number of products with the contact matrix per step." },
  { "warm_start", "boolean", default = true, text = "Start from the impulses of the last step." },
  { "gluey_rule", "gluey_rule", default = "bounded", aliases = { "law" },
    text = "The impulse is bounded by gamma, or glued pairs keep their distance as in Algorithm 3.3 as printed.", c = "" },
  { "radius_factor", "boolean", default = false,
    text = "gamma changes by R times the impulse, R = (r_i + r_j)^2/(r_i r_j)^2, 1/r^2 at a body (Remark 3.2).",
    c = "Gluey: gamma <- gamma - R p with R = (r_i + r_j)^2/(r_i r_j)^2, 1/r^2 at a body (Lefebvre 2009, Remark 3.2)." },
  { "viscosity", "number", default = 0, at_least = 0, unit = "mass/(length time)",
    text = "Above 0: gamma_min is 6 pi viscosity ln(s_i + s_j), s the attribute roughness of particles and the "
      .. "roughness of bodies; with the radius factor (Remark 3.2).",
    c = "Gluey: above 0 the minimum of gamma of a contact is 6 pi viscosity ln(s_i + s_j) (0 if that is above 0; -infinity if "
      .. "s_i + s_j = 0), with the radius factor on, and gamma_min is not used. s: the particle attribute \"roughness\" (0 without "
      .. "it), floc_body_options.roughness." },
  { "gamma_min_function", "material_function",
    c = "Gluey: minimum of gamma per pair of materials, <= 0, in place of gamma_min; default NULL. Materials: the particle attribute "
      .. "\"material\" (0 without it), floc_body_options.material." },
  { "gamma_min_context", "context" },
  { "friction", "number", default = 0, at_least = 0, instead_of = { "mu", "friction_coefficient" },
    text = "Coulomb's coefficient. Above 0 particles rotate: columns wz and angle in two dimensions, wx, wy, wz in three.",
    c = "Coulomb's coefficient. Above 0 particles rotate: the columns wz (2-D, with the accumulated angle) or "
      .. "wx wy wz (3-D) are added; discs have the inertia m r^2/2, spheres 2 m r^2/5. Adhesion (gluey) adds to the "
      .. "normal impulse in Coulomb's limit. Not with the equality rule." },
  { "rotation", "boolean", default = false, text = "Particles rotate even without friction." },
  { "restitution", "number", default = 0, at_least = 0, at_most = 1, instead_of = { "e", "coefficient_of_restitution" },
    text = "Coefficient of restitution: fraction of the approach speed with which a contact separates.",
    c = "A contact that closes in a step leaves with this fraction of its approach speed. Only with inelastic contacts." },
  { "restitution_speed", "number", default = 0, at_least = 0, unit = "length/time", text = "Contacts that close more slowly do not rebound.",
    c = "Slower contacts do not rebound. Nor do those that approach by less than twice what the forces of the step add." },
  { "friction_law", "friction_law", default = "exact", since = "0.3.0",
    text = "exact: Coulomb's law. convex: a convex problem that is always solved; a sliding contact keeps a gap of friction times the distance that it slides in a step.",
    c = "Only with friction." },
  { "rolling", "number", default = 0, at_least = 0, unit = "length", since = "0.3.0", instead_of = { "rolling_friction", "rolling_resistance" },
    text = "Resistance against rolling: a contact transmits a moment of up to this length times its normal impulse, which brakes the relative rotation across "
      .. "the normal. Particles rotate as with friction.",
    c = "Resistance against rolling: a contact transmits a moment about axes across the normal (in the plane: about z) of up to this length times "
      .. "the normal impulse, as friction is limited, and as much as it takes to stop the relative rotation. Particles rotate as with friction. Not with the "
      .. "equality rule, the convex law or the interior point method." },
  { "twisting", "number", default = 0, at_least = 0, unit = "length", since = "0.3.0", instead_of = { "twisting_friction", "spinning_friction", "drilling_friction" },
    text = "The same against rotation about the normal; in space only.",
    c = "The same about the normal. In space only." },
  { "budget", "integer", default = 0, at_least = 0, at_most = 1e9, since = "0.3.0",
    text = "Above 0: each solve of a step makes that many sweeps over its contacts and no step counts as unconverged. What is left is in "
      .. "sim:report(): overlap, residual, energy_fall.",
    c = "Above 0: each solve of a step makes that many sweeps over its contacts, fewer only in islands that meet the tolerance that "
      .. "would be chosen. No step counts as unconverged; overlap, residual and energy_fall of the report tell what is left." },
  { "by_pair", "string", since = "0.3.0",
    c = "The quantities that pair_function gives, separated by spaces, of friction, rolling, twisting, restitution and gamma_min; their members here are then "
      .. "at their defaults. NULL: none." },
  { "pair_function", "pair_function", since = "0.3.0", c = "Called once per pair of materials and quantity, when a contact of such a pair is first seen: the "
      .. "column material (0 without it), floc_body_options.material, floc_body_set_material. Its values have the ranges of the members." },
  { "pair_context", "context", since = "0.3.0" },
  { "first_order", "boolean", default = false, since = "0.3.0",
    c = "No inertia (Maury and Venel 2011): floc_world_set_a_priori gives the velocities that particles would have alone, and contacts replace them by the nearest "
      .. "ones in the norm sum |v|^2, where all particles weigh the same whatever their mass; impulses are lengths over time. A step without these "
      .. "velocities is refused, and so is one with forces that they do not read. The tolerance follows from radii and speeds. Only with inelastic contacts, without "
      .. "friction, rolling, twisting, rotation or restitution." },
  { "passes", "integer", default = 0, at_least = 0, at_most = 4, since = "0.3.0",
    text = "2: with grains that are not round and with free bodies, contacts are found again where a step leads, and it is solved once more, so that what "
      .. "turns by a in a step overlaps by a^3 or so of its size instead of a^2. 0 and 1: they are found once. A step in which a crowd goes many radii "
      .. "has one pass. Not with restitution, rigid assemblies or cells that deform." },
}

struct "contact_rows" {
  plain = true, sized = false,
  { "count", "integer64", c = "contacts" },
  { "dimension", "integer", c = "2 or 3" },
  { "memory_count", "integer", c = "of the law" },
  { "time_step", "number" },
  { "first", "const int64_t *", c = "id of the particle that the normal points away from" },
  { "second", "const int64_t *", c = "id of the other particle; -1 - the number of the body for a body or a wall of the domain (number -1: 0)" },
  { "distance", "const double *", c = "between the surfaces before the step, < 0 overlapping [length]" },
  { "weight", "const double *", c = "1/(1/m_first + 1/m_second): the impulse that changes the normal velocity by 1 [mass]" },
  { "normal", "const double *const *", c = "[3] unit vectors from first to second; normal[2] is NULL in two dimensions" },
  { "lower", "double *", c = "the least normal impulse, <= 0, -infinity: glued [mass length/time]" },
  { "friction", "double *", c = "coefficients >= 0; NULL unless the projection has friction" },
  { "rolling", "double *", c = ">= 0 [length]; NULL unless the projection has rolling or twisting" },
  { "twisting", "double *", c = "likewise; NULL in two dimensions" },
  { "impulse", "const double *", c = "along the normal: before the solve the first guess, then the solution [mass length/time]" },
  { "memory", "double *const *", c = "[memory_count] what pairs remember" },
}

struct "contact_law_type" {
  plain = true,
  { "name", "string", c = "letters, digits and _, no digit first; at most 15; no default" },
  { "memory_count", "integer", c = "numbers that each pair remembers, 0 to 4; default 0" },
  { "memory", "const char *const *", c = "their names, at most 15 bytes each, like name" },
  { "context", "context" },
  { "bounds", "contact_law_function", c = "no default" },
  { "remember", "contact_law_function", c = "NULL: memory stays as bounds has left it; default NULL" },
}

local of_two = "of two materials that returns a number"
local by_pair = "number|table|function"

call "floc.inelastic" {
  summary = "Contacts without rebound: surfaces that touch do not penetrate (Maury 2004).", returns = "floc.Scheme",
  of = "projection_options", sets = { contact_law = "inelastic" }, optional = true,
  { "friction", type = by_pair, signature = of_two }, "friction_law", { "rolling", type = by_pair, signature = of_two },
  { "twisting", type = by_pair, signature = of_two }, "rotation", { "restitution", type = by_pair, signature = of_two },
  "restitution_speed", "passes", "solver", "tolerance", { "max_iterations", at_most = 1e9 }, "budget", "warm_start",
  { "materials", "table", text = "Names of materials; the first is the one of particles and bodies that have none. friction, rolling, twisting and restitution may "
    .. "be a number, a table such as { glass = { glass = 0.1, rubber = 0.6 }, rubber = { rubber = 0.9 } }, or a function of two materials, called once per "
    .. "pair with their names (without materials: their numbers)." },
}

call "floc.gluey" {
  summary = "Contacts in a viscous film: what was pressed together sticks until it has been pulled apart by the same impulse "
    .. "(Lefebvre 2009).", returns = "floc.Scheme",
  of = "projection_options", sets = { contact_law = "gluey" }, optional = true,
  { "gamma_min", type = by_pair, signature = of_two },
  "gluey_rule", "viscosity", "radius_factor",
  { "friction", type = by_pair, signature = of_two,
    text = "Coulomb's coefficient; the limit is this times the impulse above gamma. Above 0 particles rotate: columns wz and angle in two "
      .. "dimensions, wx, wy, wz in three." },
  "friction_law", { "rolling", type = by_pair, signature = of_two }, { "twisting", type = by_pair, signature = of_two }, "rotation", "solver", "tolerance",
  { "max_iterations", at_most = 1e9 }, "budget", "warm_start",
  { "materials", "table", text = "Names of materials, as in floc.inelastic; gamma_min, friction, rolling and twisting may be tables or functions of two of them." },
}

call "floc.first_order" {
  summary = "Velocities are given, without inertia; contacts replace them by the nearest ones without overlap (Maury and Venel 2011): crowds, cells, active "
    .. "matter.", returns = "floc.Scheme",
  of = "projection_options", sets = { contact_law = "inelastic" },
  { "velocity", "function", required = true, signature = "that returns the desired velocity", instead_of = { "law", "desired_velocity", "a_priori" },
    text = "What each particle would do alone. The names of the function's parameters select its inputs: x y z vx vy vz fx fy fz radius mass id t time_step, or an "
      .. "attribute. Laws of forces act if it reads fx, fy or fz, for instance as a mobility times force, and are refused otherwise." },
  "solver", { "tolerance", text = "Residual at which a step counts as solved; 0: the least of 1e-4 of the least radius and 1e-4 of the way that the fastest particle "
    .. "wants to go in a step." }, { "max_iterations", at_most = 1e9 }, "budget", "warm_start",
}

return surface
