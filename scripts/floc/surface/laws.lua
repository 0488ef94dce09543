-- Laws: programs, functions of the host, attraction, flows and noise. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct, call = surface.enum, surface.struct, surface.call

struct "instruction" {
  plain = true, sized = false,
  { "operation", "integer", c = "floc_operation" },
  { "a", "integer" },
  { "b", "integer" },
  { "c", "integer" },
}

struct "program_options" {
  { "input_count", "integer", default = 0, at_least = 0, at_most = 64, c = "" },
  { "constants", "const double *" },
  { "constant_count", "integer", default = 0, at_least = 0, at_most = 1024, c = "" },
  { "code_count", "integer", default = 0, at_least = 0, at_most = 4096, c = "" },
  { "code", "const floc_instruction *" },
  { "outputs", "const int32_t *", c = "numbers of values" },
  { "output_count", "integer", required = true, at_least = 1, at_most = 48, c = "" },
  { "fast_math", "boolean", default = false, c = "A product and a sum may be rounded once, and library functions may be off by "
      .. "some units in the last place: other bits than without, the same on any number of threads and after a "
      .. "resume on the same machine and libraries. Refused where there is no AVX2 with FMA, or no glibc of 2.35 "
      .. "or newer." },
}

enum "law_kind" {
  prefix = "FLOC_LAW_",
  { "pair", 1, "a force between particles closer than range" },
  { "field", 2, "a force on every particle" },
  { "wall", 3, "a force between particles and bodies closer than range" },
  { "evolution", 4, "attributes that change in time" },
  { "angle", 5, "a force between three particles that bonds name" },
}

enum "law_pairs" {
  prefix = "FLOC_PAIRS_",
  { "near", 0, "those within range" },
  { "bonds", 1, "those that floc_law_add_bonds gives it, at any distance" },
}

-- What depends on the kind of law is checked in engine/laws/law_input.c: the number of outputs that have no names, and that
-- only pairs and walls have memory.
struct "law_options" {
  { "name", "string", c = "shown in messages; may be NULL" },
  { "inputs", "const char *const *", c = "names of the law's inputs" },
  { "input_count", "integer", default = 0, at_least = 0, at_most = 64, c = "" },
  { "output_count", "integer", required = true, at_least = 1, at_most = 48, c = "" },
  { "range", "number", default = 0, at_least = 0, infinite = true, unit = "length", text = "Maximum distance between the surfaces at which it acts. "
      .. "Pairs: math.huge for all pairs, which are not stored then and can have no memory; in a periodic box each pair interacts once, by its "
      .. "nearest images.",
    c = "Pair, wall: maximum surface distance at which it acts. Pair: INFINITY for all pairs, at their nearest images. Pairs of a law "
      .. "that reaches across the box (the diagonal; half the length on periodic axes) and has no memory are not stored." },
  { "function", "kernel_function", c = "no default; or program" },
  { "context", "context" },
  { "parallel", "boolean", default = false, c = "function may run on several threads at once." },
  { "outputs", "const char *const *", c = "names of its outputs; NULL: as above" },
  { "memory", "const char *const *", c = "pair, wall: numbers that each pair remembers from step to step, 0 for a "
      .. "pair that comes into range; inputs and outputs. Names of up to 16 characters." },
  { "memory_count", "integer", default = 0, at_least = 0, at_most = 32, c = "" },
  { "parameters", "const char *const *", c = "names of numbers that can be changed between steps" },
  { "parameter_values", "const double *" },
  { "parameter_count", "integer", default = 0, at_least = 0, at_most = 16, c = "" },
  { "program", "const floc_program_options *", c = "instead of function; copied. It is stored in checkpoints." },
  { "pairs", "law_pairs", default = "near", since = "0.3.0", c = "Pair: on which pairs it acts. With bonds range is 0." },
  { "attributes", "const char *const *", since = "0.3.0", c = "of laws over bonds: numbers that each bond has, by name. Inputs; an attribute "
      .. "that is named among the outputs is set by the law." },
  { "attribute_values", "const double *", since = "0.3.0", c = "of bonds that are added without values" },
  { "attribute_count", "integer", default = 0, at_least = 0, at_most = 8, since = "0.3.0", c = "" },
}

-- What laws of all kinds share.
local way = { "way", "choice", one_of = { "auto", "traced", "chunked", "called" }, default = "auto", text = "As for add_force." }
local inputs = { "inputs", "table", text = "Names of the law's inputs, where the names of the function's parameters do not give them." }
local name = { "name", text = "Shown in messages." }

local function law(fields)
  fields.of, fields.returns = "law_options", "floc.Law"
  for _, entry in ipairs {
    name, inputs,
    { "parameters", "table", text = "Numbers by name that the law receives as parameters and that the script may change between "
      .. "steps, through the object that the call returns: { stiffness = 1e4 }." },
    { "way", "choice", one_of = way.one_of, default = "auto",
      text = "How the law is evaluated. \"traced\": as a program; an error if the law cannot be traced. \"chunked\": by a loop in one "
        .. "Lua state per thread (LuaJIT); an error if that is not possible. \"called\": by one Lua call per particle or pair." },
    { "fast_math", from = "program_options", text = "A traced law may round a product and a sum once, and use exp, pow and the like "
      .. "from a vector library: faster, with other last bits than without. The same bits at any number of threads and after a resume on the "
      .. "same machine. An error where there is no AVX2 with FMA, or no glibc of 2.35 or newer." },
  } do fields[#fields + 1] = entry end
  return fields
end

local contact_inputs = "distance (of the centres; at a body from the centre to the surface), overlap (above 0 where they overlap), "
  .. "normal_velocity (positive when separating), tangential_velocity, normal_x, slip_x, "

call "sim.add_field" (law {
  summary = "Adds a force on every particle, given by a function; returns the law.",
  { "law", "function", signature = "that returns the force vector",
    text = "The names of the function's parameters select its inputs: x y z vx vy vz radius mass id t time_step, uniform_random, normal_random, or an attribute." },
  { "potential", "function", signature = "that returns the potential energy",
    text = "In place of law: the force is minus its gradient. Inputs: x y z, axis_x ... (then with the torque -a x dU/da), radius mass id t, an attribute." },
  { "returns", "table", text = "Names of what the law returns, in order: force_x _y _z, torque_z (in three dimensions torque_x _y _z), "
      .. "energy, rate_NAME and sum_NAME of an attribute NAME. Default: the force." },
})

call "sim.add_force" (law {
  summary = "Adds a force between pairs closer than range, given by a function; returns the law.",
  { "law", "function", signature = "that returns the normal force",
    text = "A positive force is repulsive. The names of the function's parameters select its inputs: " .. contact_inputs .. "radius_i radius_j, "
      .. "mass_i mass_j, id_i id_j, material_i material_j, t, time_step, uniform_random, normal_random, an attribute with _i and _j, "
      .. "its memory, its parameters. i is the particle of the smaller id." },
  { "potential", "function", signature = "that returns the potential energy",
    text = "In place of law: the forces are minus its derivatives. Inputs: distance, overlap, normal_x ..., axis_i_x ... axis_j_x ... (then with "
      .. "torques -a x dU/da on each), radius_i radius_j, mass_i mass_j, id_i id_j, material_i material_j, t, an attribute with _i and _j, parameters." },
  "range",
  { "returns", "table", text = "Names of what the law returns, in order: normal, tangential (on j, in the direction of "
      .. "tangential_velocity: friction is negative), tangential_x _y _z, energy, its memory; on i, the opposite on j: force_x _y _z at "
      .. "the centres, torque_x _y _z; torque_i_x ..., torque_j_x ... of each; for an attribute NAME rate_NAME (added to that of i and "
      .. "taken from that of j, per time), sum_NAME (added to both, from 0 in each step), sum_i_NAME, sum_j_NAME. Default: normal, "
      .. "then the memory." },
  { "memory", "table", text = "Names of numbers that are stored per pair from step to step; 0 for a new pair." },
  { "symmetric", "boolean", text = "Whether it must give the same physics if i and j are exchanged, which is tried when it is added. Without it a "
      .. "law that does not is warned about; true: it is an error; false: it is meant." },
  { "balanced", "boolean", text = "Likewise, whether its torques balance the moment of its force, so that angular momentum is kept." },
  { "pairs", "choice", one_of = { "near", "bonds" }, default = "near",
    text = "The pairs on which it acts: those within range, or the bonds that sim:add_law_bonds gives it, at any distance." },
  { "attributes", "table", text = "Of laws over bonds: numbers that each bond has, by name, with the value of new bonds: "
      .. "{ rest_length = 1 }. The law receives them as parameters, and sets those that returns names; broken among returns removes the "
      .. "bond at the end of the step where it is not 0." },
})

call "sim.add_many_body" {
  summary = "Adds an energy of sums over neighbours, such as an embedded atom's, and its forces; returns the law. Each particle gets the "
    .. "attributes NAME, the sum, and NAME_slope, the derivative of the energy with respect to it.",
  of = "law_options", returns = "floc.Law",
  { "sums", "table", required = true, text = "Functions of a pair by name, { density = function(distance) ... end }. What they return, "
      .. "added over the neighbours of a particle, is its sum; a second number, if there is one, is added at j in place of the first. "
      .. "Inputs: distance, overlap, radius_i radius_j, mass_i mass_j, id_i id_j, material_i material_j, t, an attribute with _i and _j, parameters." },
  { "energy", "function", required = true, signature = "that returns the energy of a particle",
    text = "Inputs: the sums by their names, radius, mass, id, t, an attribute, parameters." },
  { "potential", "function", signature = "that returns the energy of a pair", text = "Energy of pairs besides, with the inputs of sums." },
  { "range", required = true },
  name,
  { "parameters", "table", text = "As for add_force; shared by all functions." },
  { "fast_math", from = "program_options", text = "As for add_force." },
}

call "sim.add_angle_force" (law {
  summary = "Adds a force between three particles i, j, k, of the angle at j, given by a function; returns the law. "
    .. "sim:add_law_bonds gives it the triples.",
  { "law", "function", signature = "that returns the moment",
    text = "The moment opens the angle if it is positive. The names of the function's parameters select its inputs: angle (between the directions "
      .. "from j to i and to k, from 0 to pi; pi is straight), distance_ij distance_jk distance_ik, its attributes, id_i id_j id_k, t, time_step, a column or attribute of "
      .. "particles with _i, _j and _k, its memory, its parameters, uniform_random, normal_random." },
  { "potential", "function", signature = "that returns the energy of a triple",
    text = "In place of law: the forces are minus its derivatives with respect to the angle and the distances." },
  { "returns", "table", text = "Names of what the law returns, in order: moment, force_ij force_jk force_ik (between two of the three, positive "
      .. "if it is repulsive), energy, broken, its attributes, its memory; for an attribute NAME of particles sum_NAME (added to all three, from 0 in "
      .. "each step), sum_i_NAME sum_j_NAME sum_k_NAME, rate_ij_NAME (per time, what i gets j gives) rate_jk_NAME rate_ik_NAME. "
      .. "Default: moment, then the memory." },
  { "memory", "table", text = "Names of numbers that are stored per triple from step to step; 0 for a new one." },
  { "attributes", "table", text = "Numbers that each triple has, as for add_force with pairs = \"bonds\"." },
})

local bond_particles = { "particles", "table", required = true, instead_of = { "bonds", "ids" },
  text = "The bonds: a list of lists of two ids, { { 1, 2 }, { 2, 3 } }, of laws of add_angle_force of three, the middle one second." }
local bond_law = { "law", "law", required = true, text = "The law, as sim:add_force or sim:add_angle_force returned it." }

call "sim.add_law_bonds" {
  summary = "Gives bonds to a law of add_force with pairs = \"bonds\" or of add_angle_force. No two of them may have the same particles.", of = "law_options",
  bond_law, bond_particles,
  { "attributes", "table", text = "Attributes by name, each a number, a list with a number for each bond, or a function(id_i, id_j) or (id_i, id_j, id_k) "
      .. "that returns it; default: those of the law's call." },
}

call "sim.remove_law_bonds" {
  summary = "Takes bonds from a law.", of = "law_options", bond_law, bond_particles,
}

call "sim.set_law_bonds" {
  summary = "Sets attributes of all bonds of a law.", of = "law_options", bond_law,
  { "attributes", "table", required = true, text = "Attributes by name, each a number, a list in the order of sim:law_bonds, or a "
      .. "function(id_i, id_j, value) that returns it." },
}

call "sim.add_wall_force" (law {
  summary = "Adds a force between particles and bodies, given by a function; returns the law.",
  { "law", "function", required = true, signature = "that returns the normal force",
    text = "A positive force is repulsive. The names of the function's parameters select its inputs: " .. contact_inputs .. "radius, mass, id, body "
      .. "(its number), material, t, time_step, uniform_random, normal_random, an attribute, shape_NAME for one of the shape, its memory, its parameters." },
  "range",
  { "returns", "table", text = "As for add_force; tangential is the force on the body, force_x _y _z and torque_x _y _z are "
      .. "those on the particle; rate_NAME and sum_NAME are added to the particle's attribute, rate_shape_NAME (per time) and "
      .. "sum_shape_NAME to that of the shape (add_body { attributes = { NAME = 0 } })." },
  { "memory", "table", text = "Names of numbers that are stored per contact from step to step." },
})

call "sim.add_evolution" (law {
  summary = "Changes attributes in time, by rates that a function returns; returns the law.",
  { "law", "function", required = true, signature = "that returns the rates of change",
    text = "The names of the function's parameters select its inputs, as for add_field." },
  { "attributes", "table", required = true, instead_of = { "attribute" },
    text = "Names of the attributes whose rates it returns, in order." },
})

struct "attraction_options" {
  { "kappa", "number", required = true, above = 0, unit = "mass length^2/time^2", text = "Depth of the potential." },
  { "epsilon", "number", required = true, above = 0, unit = "length", text = "Distance over which it decays." },
  { "range", "number", default = 0, at_least = 0, unit = "length", text = "Distance beyond which the attraction is omitted; 0: five epsilon.",
    c = "Surface distance beyond which it is omitted; 0: 5 epsilon, where it has fallen to 2e-4 of its maximum." },
  { "noise_scaling", "boolean", default = false, aliases = { scaling = { force = false, noise = true } },
    text = "It enters a step with the square root of the time step, to keep its weight relative to white noise (4.3); as scaling: "
      .. "\"force\" or \"noise\".",
    c = "false: enters a step as h F (3.7); true: as sqrt(h) F (4.3), so that it keeps its weight relative to white noise." },
}

call "sim.add_attraction" {
  summary = "Adds a short-range attraction kappa/epsilon sech^2(D/epsilon) (Maury 2004, 2.8).",
  of = "attraction_options", "kappa", "epsilon", "range", "noise_scaling",
}

enum "long_range_kind" {
  prefix = "FLOC_LONG_RANGE_",
  { "gravity", 0, "sources attract each other" },
  { "coulomb", 1, "sources of the same sign repel each other" },
}

struct "long_range_options" {
  { "kind", "long_range_kind", required = true, text = "\"gravity\": attraction, constant s_i s_j/r^2; \"coulomb\": repulsion of the same size.", c = "" },
  { "source", "string", text = "The attribute s; default: mass with gravity, the attribute charge with coulomb.",
    c = "mass or an attribute, read in each step; NULL: mass, or charge with coulomb" },
  { "constant", "number", required = true, above = 0, text = "Constant of gravity or of charges, in the units of the script." },
  { "softening", "number", default = 0, at_least = 0, unit = "length", text = "Plummer's: the potential is constant s_i s_j/sqrt(r^2 + softening^2)." },
  { "opening", "number", default = 0, at_least = 0, at_most = 1, text = "A cell of the tree acts as a whole if its radius is below opening times its distance; "
      .. "0: 0.3, which gives a force error of 6e-5 (rms)." },
}

call "sim.add_long_range" {
  summary = "Adds gravity between particles, or forces between charges, at any distance, by a tree, at a cost of n log n.",
  of = "long_range_options", "kind", "source", "constant", "softening", "opening",
}

enum "flow_kind" {
  prefix = "FLOC_FLOW_",
  { "none", 0 },
  { "uniform", 1, "U = velocity" },
  { "shear", 2, "U = (rate y, 0, 0)" },
  { "oscillating_shear", 3, "U = (rate sin(frequency t) y, 0, 0), Maury 2004, (4.1)" },
  { "rotation", 4, "U = rate (-y, x, 0) about center" },
  { "function", 5, "the kernel: inputs by name as for a field, outputs U" },
  { "still", 6, "U = 0: friction only" },
}

struct "flow_function" {
  plain = true,
  { "name", "string" },
  { "inputs", "const char *const *" },
  { "input_count", "integer" },
  { "output_count", "integer" },
  { "range", "number" },
  { "function", "kernel_function" },
  { "context", "context" },
  { "parallel", "boolean" },
  { "outputs", "const char *const *" },
  { "memory", "const char *const *" },
  { "memory_count", "integer" },
  { "parameters", "const char *const *" },
  { "parameter_values", "const double *" },
  { "parameter_count", "integer" },
  { "program", "const floc_program_options *" },
}

local flows = { kind = { "uniform", "shear", "oscillating_shear", "rotation", "function", "still" } }

struct "flow_options" {
  { "kind", "flow_kind", default = "none", c = "" },
  { "relaxation_time", "number", required = true, above = 0, when = flows, unit = "time", instead_of = { "tau", "damping", "friction" },
    text = "Mass divided by the friction coefficient; required.", c = "tau = m/xi." },
  { "exponential", "boolean", default = false, text = "Projection: exact decay over a step instead of the explicit one, "
      .. "and noise that gives <v^2> = sigma^2 tau/(2 m^2) at any h/tau; the explicit one gives that over 1 - h/(2 tau). "
      .. "Discrete elements are always exact.",
    c = "Projection. false: explicit, as printed in (3.7), stable for h <= 2 tau; true: exact for a constant U over the step. Rotation of "
      .. "particles is always exact, and so are discrete elements." },
  { "velocity", "vector", when = flows, unit = "length/time", text = "Velocity of the uniform flow.", c = "Uniform." },
  { "rate", "number", default = 1, when = flows, unit = "1/time", text = "Rate of shear and rotation.", c = "Shear, rotation." },
  { "frequency", "number", default = 0, when = flows, unit = "rad/time", text = "Angular frequency of the oscillating shear.", c = "Oscillating shear, angular." },
  { "center", "vector", when = flows, unit = "length", instead_of = { "centre" },
    text = "Point at which the shear vanishes and about which the flow rotates; default: the origin.",
    c = "Shear: where U vanishes; rotation: the axis; default 0." },
  { "function", "flow_function", c = "function: name, inputs, output_count = dimension" },
  { "law", "const floc_law_options *", since = "0.2.0", c = "function: instead of `function`, if it is not NULL" },
}

call "sim.add_flow" {
  summary = "Lets particles drift in a prescribed flow: friction -m (u - U)/relaxation_time. What rotates (rotation or "
    .. "friction in the scheme, assemblies) also experiences the viscous torque -(4/3) (m/relaxation_time) r^2 (omega - rot U/2); rot U of a "
    .. "function is computed by central differences over 1e-3 radii.",
  of = "flow_options",
  { "flow", "choice", one_of = { "none", "still", "uniform", "shear", "oscillating_shear", "rotation" }, text = "One of the built-in flows." },
  { "law", "function", signature = "that returns the flow's velocity",
    text = "Instead of flow: a function. The names of its parameters select its inputs, as for add_field." },
  inputs, way,
  { "relaxation_time", optional = true }, "exponential", "velocity", "rate", "frequency", "center",
}

struct "noise_options" {
  { "sigma", "number", required = true, at_least = 0, unit = "mass length/time^(3/2)", instead_of = { "temperature", "strength", "kT" },
    text = "0: none." },
}

call "sim.add_noise" {
  summary = "Adds white noise to the velocities (Maury 2004, 4.3): a random force on every particle, none on its rotation. "
    .. "With add_flow { flow = \"still\" } it is a heat bath of the temperature m <v^2> = sigma^2 tau/(2 m) per direction.",
  of = "noise_options", "sigma",
}

call "sim.set_a_priori" {
  summary = "A priori velocities by a function, in place of u + h f/m (Lefebvre 2009, Remark 2.8).", of = "law_options",
  { "law", "function", required = true, signature = "that returns the a priori velocity",
    text = "The names of the function's parameters select its inputs: x y z vx vy vz fx fy fz radius mass id t time_step, or an "
      .. "attribute. Forces of laws are in fx fy fz; gravity, a flow and noise would have no effect on the result and are refused." },
  { "angular_velocity", "boolean", default = false,
    text = "The function also returns the angular velocity before contacts, after the velocity: one number in two dimensions, "
      .. "three in three. Something must rotate: by rotation or friction in the scheme, or an assembly, which takes its value from its members." },
  name, inputs, way,
}

return surface
