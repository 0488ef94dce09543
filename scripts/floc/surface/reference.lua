-- The rest of the surface: calls that take values by position, and fields. Together with declarations.lua
-- this is all that a script can name; `floc help`, docs/lua.md and the annotations are made from both.

local reference = {}

-- Each: owner, name, parameters, result types, text. A parameter is a field as in declarations.lua, { name, type, key = value };
-- check.arguments checks it and fills in its default. Without a type it is checked where it is used; editor: its type for
-- editors (LuaCATS), as the types of results are.
reference.calls = {
  { "floc", "args", { { "parameters", editor = "table" } }, { "table" },
    "Declares the scenario's parameters with their defaults and returns their values; --name=value on the command line changes "
    .. "one, --help lists them. A parameter is a default, or { default, text =, one_of =, above =, at_least =, below =, "
    .. "at_most =, integer = true }; { value, minimum, maximum } may change while the simulation runs, see docs/view.md. One call per script." },
  { "floc", "resume", { { "path", "path", required = true } }, { "floc.Simulation" },
    "Executes the script in a checkpoint up to the point where it was written and returns the simulation as it was." },
  { "floc", "random", { { "name", "string", required = true }, { "seed", "number", optional = true } }, { "floc.Random" },
    "A stream of random numbers; one for each name. Number k of a stream is a function of its seed (1 unless given), its name and k, and a checkpoint holds k: a resumed "
    .. "run draws the same numbers." },
  { "floc", "output", { { "name", "path", required = true } }, { "string" },
    "The full name of a file in the output folder (floc.out), which is created." },
  { "sim", "every", { { "steps", "integer|table", required = true, at_least = 1 },
      { "fn", "function", required = true, signature = "of the simulation", editor = "fun(sim: floc.Simulation)" } }, {},
    "Calls the function after every step whose number is a multiple of steps; or, instead of steps, { time = 0.1 }: after the first step at or beyond each multiple of "
    .. "that time, once a step at most; or { condition = function(sim) return ... end }: asked after every step, when it becomes true (true after the first step "
    .. "counts). Particles may be added and removed, columns written, gravity "
    .. "and constant motions changed there; bodies, laws and callbacks may not be added." },
  { "sim", "add_attribute", { { "name", "string", required = true }, { "initial", "number", default = 0 } }, {},
    "Adds a column of one number per particle, read and written as sim.name[id]." },
  { "sim", "remove_particle", { { "id", "integer", required = true } }, {},
    "Removes a particle: bonds, links, contacts and what pairs remember go with it. The others keep their ids; its id is never given again. "
    .. "Between runs and in callbacks; members of assemblies cannot be removed." },
  { "sim", "remove_body", { { "body", editor = "floc.Body|integer" } }, {},
    "Removes a body, which is given by what sim:add_body returned or by its number: its shapes are gone, with what particles remember of them, and its motion is not asked "
    .. "again. Its number is never given again; the others keep theirs, and what is asked of the removed body is refused with the step. Between runs and in callbacks; the walls of "
    .. "the domain cannot be removed." },
  { "sim", "ids", {}, { "integer[]" }, "Ids of all particles, ascending: for _, id in ipairs(sim:ids()) do ... end." },
  { "sim", "measure", { { "name", "string", required = true } }, { "number" },
    "A number about the present state, by name. Energies are computed on request: laws are evaluated once more for them, which changes nothing." },
  { "sim", "sum", { { "fn", editor = "function" } }, { "number" },
    "Adds fn over all particles, which it is called for in the order of ids. The sum is exact and rounded once. The parameters' names are columns: sim:sum(function(mass, vx) return "
    .. "mass * vx end). A function that returns true or false counts." },
  { "sim", "map", { { "columns", editor = "string|string[]" }, { "fn", editor = "function" } }, {},
    "Sets columns for all particles from a function whose parameters' names are columns: sim:map(\"vx\", function(x, vx) ... end)." },
  { "sim", "explain", { { "law", editor = "floc.Law" } }, { "string" },
    "Prints how a law is computed, and returns the text: whether it was traced, its inputs, its operations one by one, or why it is "
    .. "called as a function and what that costs." },
  { "sim", "contacts", {}, { "floc.Contact[]" },
    "The contacts: id_i, id_j or body and shape; normal, a unit vector from i on; point, where the surfaces are nearest; distance of the surfaces "
    .. "now, below 0 overlapping; impulse along the normal, above 0 apart; friction, the impulse across it as a vector on j or on the body; moment, against rolling and "
    .. "twisting, likewise (a number in two dimensions); gamma. A contact carries an impulse or a gamma, or its surfaces are within 1 % of the smaller radius. In the projection impulses are those of the last step, and "
    .. "normal and point of a contact that carries one are those that the step was solved with: impulse normal + friction add up to the change of momentum. "
    .. "In discrete elements they are the forces now (contact, friction, bonds, and pair and wall laws on those that touch) times sim.time_step, found when they are asked for. "
    .. "Not in flight (ballistic, event_driven)." },
  { "sim", "contact_columns", { { "names", editor = "string|string[]|nil" }, { "into", editor = "table|nil" } }, { "table" },
    "The same contacts as lists of numbers, one list per name: { count = n, id_i = { ... }, impulse = { ... } }. Names: id_i, id_j (0: a body), body and "
    .. "shape (numbers from 1; 0: a pair of particles), distance, impulse, gamma, point_x, normal_x, friction_x, moment_x (_y, _z); default: all that the dimension has. "
    .. "In large simulations far quicker than sim:contacts(). into: what an earlier call returned, whose lists are filled again." },
  { "sim", "neighbors", { { "id", "integer", required = true, at_least = 1 }, { "range", "number", optional = true, at_least = 0 } }, { "integer[]", "number[]" },
    "The particles whose surfaces are within range of this one's, without range those that touch it (within 1e-3 of the smaller radius, as coordination_number counts): their ids, "
    .. "ascending, and the distances of the centres. Goes through all particles; for the neighbours of many, sim:pairs." },
  { "sim", "law_pairs", { { "law", editor = "floc.Law" }, { "names", editor = "string|string[]|nil" }, { "into", editor = "table|nil" } }, { "table" },
    "What a law of add_force, add_wall_force or add_angle_force exerts now, as lists of numbers over the pairs within its range, one list per name: { count = n, id_i = "
    .. "{ ... }, normal = { ... } }. Names: id_i and id_j (at bodies: id, body, shape; numbers from 1), distance, overlap, normal_x (_y, _z), each output of the law, "
    .. "tangential_x (_y, _z; the whole tangential force on j or on the body), each input, and each memory, which is what the pair remembers after the "
    .. "last step; default: ids, distance, outputs and memory. Of add_angle_force id_i, id_j, id_k, angle and outputs, by name also distance_ij (_jk, _ik), inputs and memory. The law is evaluated once more for this, which changes nothing. into: what an "
    .. "earlier call returned, whose lists are filled again, in half the time." },
  { "sim", "law_bonds", { { "law", editor = "floc.Law" }, { "into", editor = "table|nil" } }, { "table" },
    "The bonds of a law of add_force with pairs = \"bonds\", or of add_angle_force, as lists of numbers: { count = n, id_i = { ... }, id_j = { ... } }, of angles also id_k, and one list for each attribute and each "
    .. "memory, in the order of ids. into: what an earlier call returned, whose lists are filled again." },
  { "sim", "report", {}, { "table" },
    "A report on the last step: converged, residual, tolerance, tolerance_rule (what determined it: given, radius, acceleration, speed), "
    .. "iterations, contacts, active_contacts, islands, overlap, energy_fall (docs/schemes/inelastic.md), "
    .. "kinetic_energy, work (see work_limit of floc.simulation), pairs_left_out (omitted because they miss each other, docs/schemes/inelastic.md); and on all steps so far: greatest_overlap, greatest_residual, unconverged_steps, total_iterations, total_left_out, lists (number of neighbour lists built; list_entries: entries of the present one), stage_seconds."
    .. " Of unconverged steps: unsolved_islands (groups of contacts above the tolerance in the last step); and since the start of the process worst_residual (in tolerances), worst_step, and the contact where it was: worst_particle and worst_other (ids), or worst_body (a body's number); contacts_left_out (the farthest of pairs of polyhedra with more than 128)." },
  { "sim", "ballistic_report", {}, { "table" },
    "Counts of floc.ballistic and floc.event_driven since the start: clusters, links, merges, reflections, searches; of the "
    .. "first minimisations, iterations, dropped, unsolved, stalled, retried, pairs_looked_at, greatest_residual; of the second events, "
    .. "bounces, expirations, predictions, stale, queue_length, greatest_gap. See floc.h." },
  { "sim", "record_problem", { { "path", "path", required = true } }, {},
    "The next step writes its contact problem to this file, for `floc solve`." },
  { "sim", "hash", {}, { "string" }, "Hash of the physical state: equal states give equal hashes." },
  { "sim", "check_overlap", {}, { "number" }, "Greatest overlap of particles with each other and with bodies, in radii." },
  { "sim", "columns", {}, { "string[]" }, "Names of all columns." },
  { "sim", "add_ray_source", { { "source", "ray_source", required = true } }, { "integer" },
    "Adds floc.plane_wave{...}, floc.point_source{...} or floc.emitter{...}; returns its number, from 1. A pulse begins with the first "
    .. "step that starts at or after its time." },
  { "sim", "ray_report", { { "source", "integer", optional = true, at_least = 1 } }, { "table" },
    "Counts and power of the rays of a source, or of all sources, since the start: pulses, rays, reflections (on particles), body_reflections, ended_rays; "
    .. "the power incident = absorbed + body_absorbed + escaped + residual + in_flight; exit_power and flight_power as vectors; "
    .. "retained, their sum over incident: I_x, I_y, I_z of (39); rays_in_flight." },
  { "sim", "rays", {}, { "table" }, "The rays in flight: a list of { position, direction, power }." },
  { "sim", "element_report", {}, { "table" },
    "The discrete-element scheme's counters: contacts, wall_contacts, bonds, bonds_formed, bonds_broken; energies by kind: kinetic_energy, "
    .. "rotational_energy, contact_energy, friction_energy, bond_energy, near_field_energy; iterations, total_iterations, evaluations, "
    .. "rejected_steps, time_step, next_time_step, error; critical_time_step, above which contacts may gain energy (inf: nothing "
    .. "limits it), and critical_id, the particle that limits it." },
  { "sim", "bonds", {}, { "table" }, "The persistent bonds: a list of { id_i, id_j, area, strain }, strain above 0 in tension." },
  { "body", "get_attribute", { { "name", "string", required = true }, { "index", "integer", default = 1, at_least = 1 } }, { "number" },
    "An attribute of one of its shapes (add_body { attributes = ... }), which wall laws may change." },
  { "body", "set_attribute", { { "name", "string", required = true }, { "value", "number", required = true }, { "index", "integer", at_least = 1 } }, {},
    "Sets an attribute of one of its shapes, or of all." },
  { "body", "get_shape", { { "index", "integer", required = true, at_least = 1 } }, { "table" }, "A shape in world coordinates: kind, points, radius." },
  { "joint", "remove", {}, {}, "Ends the joint; its number is not used again." },
  { "random", "uniform", { { "low", "number", optional = true }, { "high", "number", optional = true } }, { "number" }, "Above low and below high; 0 and 1 without them." },
  { "random", "normal", { { "mean", "number", default = 0 }, { "deviation", "number", default = 1, at_least = 0 } }, { "number" }, "Normal distribution." },
  { "random", "exponential", { { "mean", "number", default = 1, above = 0 } }, { "number" }, "Exponential distribution." },
  { "random", "integer", { { "low", "integer", required = true }, { "high", "integer", required = true } }, { "integer" }, "An integer from low to high." },
  { "panels", "write", { { "path", "path", required = true } }, {}, "Draws the panels that were added; not after a resume when some were added before the checkpoint, which a message reports." },
}

reference.fields = {
  { "floc", "version", "string", "Version of floc." },
  { "floc", "mathematics", "string", "Whose functions are behind math.* and ^ of callbacks: engine in the program, with the same bits on every machine; host where another program, such as luajit, has loaded the module: its C library's, whose last bits depend on library and processor. Traced laws take the engine's anywhere. Checkpoints note it, and a resume elsewhere warns of it." },
  { "floc", "out", "string", "Folder for output: --out, or what the script assigned, or out/<name of the script>." },
  { "floc", "coagulation", "table", "Collision kernels from merges and Smoluchowski's equation: measure, solve, histogram; docs/coagulation.md." },
  { "floc", "lubrication", "table", "The lubrication model that gluey contacts are the limit of; see scripts/floc/simulation/lubrication.lua." },
  { "sim", "step", "integer", "Steps done." },
  { "sim", "time", "number", "Time reached." },
  { "sim", "time_step", "number", "Length of a step; may be assigned." },
  { "sim", "gravity", "number[]|function", "May be assigned, or its components." },
  { "sim", "domain", "table?", "The domain as it is now: lower, upper; offset, rate, shear_plane, shear_rate, strain, shear_strain of a cell that sim:deform moves, and stress and "
    .. "pressure of its last step (docs/cells.md). nil without a domain." },
  { "sim", "state", "table", "Plain data of the script; stored in checkpoints, as local variables that callbacks use are." },
  { "sim", "threads", "integer", "Threads in use; may be assigned." },
  { "sim", "count", "integer", "Number of particles; ids are 1 to count, until particles are removed: sim:ids()." },
  { "sim", "dimension", "integer", "2 or 3." },
  { "sim", "seed", "integer", "Of every random number." },
  { "sim", "bodies", "floc.Body[]", "All bodies that the script added." },
  { "body", "number", "integer", "Its number in the engine, from 0." },
  { "body", "name", "string?", "As it was given." },
  { "body", "position", "number[]", "Of its frame, now." },
  { "body", "angle", "number", "Orientation in two dimensions; full turns are counted." },
  { "body", "orientation", "number[]", "Orientation in three dimensions: unit quaternion w, x, y, z." },
  { "body", "velocity", "number[]", "Mean over the last step." },
  { "body", "angular_velocity", "number|number[]", "Mean over the last step." },
  { "body", "force", "number[]", "That all particles exert on it, mean over the last step." },
  { "body", "torque", "number|number[]", "About its position, likewise." },
  { "body", "shape_count", "integer", "How many shapes it has." },
  { "joint", "number", "integer", "Its number in the engine, from 0." },
  { "joint", "kind", "string", "As it was given." },
  { "joint", "angle", "number", "Of a hinge: by which its second end has turned against the first since it was added; full turns are counted." },
  { "joint", "displacement", "number", "Of a slider: of its second end along the axis, from where it was added." },
  { "joint", "length", "number", "Of a distance: between its anchors." },
  { "joint", "velocity", "number", "Mean rate of the angle, displacement or length over the last step." },
  { "joint", "anchor", "number[]", "On the second end, now." },
  { "joint", "force", "number[]", "Of the joint on its second end, mean over the last step, with what motor, limits and spring exert; on the first end the opposite." },
  { "joint", "torque", "number|number[]", "Likewise, about the anchor." },
  { "joint", "added_inertia", "number", "That the inertia of its bodies counted as more in the last step, because the step is long for its pull; else 0." },
  { "stream", "count", "integer", "Particles that have passed since the start." },
  { "stream", "mass", "number", "Their mass." },
  { "stream", "materials", "table", "The same by material: { [number] = { count =, mass = } }; particles without a material count as 0." },
  { "stream", "waiting", "integer", "Of an inlet: particles that are due and found no place so far." },
  { "law", "energy", "number", "Sum of its energies in the last step, for laws that return one or are given by a potential." },
  { "law", "way", "string", "How it is evaluated: traced, chunked or called; see docs/laws.md." },
  { "law", "reason", "string?", "Why it was not traced." },
  { "law", "name", "string", "As it was given, or where the function is." },
  { "law", "NAME", "number", "A parameter that parameters = { NAME = VALUE } declared; may be assigned." },
}

-- Parameters by "owner.name", for check.arguments.
reference.parameters = {}
for _, call in ipairs(reference.calls) do
  for _, field in ipairs(call[3]) do field.name, field.type = field[1], field[2] end
  reference.parameters[call[1] .. "." .. call[2]] = call[3]
end

return reference
