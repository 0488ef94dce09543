---@meta floc
-- Annotations of the Lua surface for editors (LuaCATS). Made by `floc help annotations`; do not edit.

---@class floc.Region
---@class floc.Shape
---@class floc.Scheme
---@class floc.Motion
---@class floc.RaySource
---@class floc.RayPaths
---@class floc.Column
---@field [integer] number
---@class floc.Contact
---@field id_i integer
---@field id_j integer?
---@field body floc.Body?
---@field shape integer?
---@field point number[]
---@field normal number[]
---@field distance number
---@field impulse number
---@field gamma number
---@field friction number[]
---@field moment number|number[]

---@class floc
---@field version string # Version of floc.
---@field mathematics string # Whose functions are behind math.* and ^ of callbacks: engine in the program, with the same bits on every machine; host where another program, such as luajit, has loaded the module: its C library's, whose last bits depend on library and processor. Traced laws take the engine's anywhere. Checkpoints note it, and a resume elsewhere warns of it.
---@field out string # Folder for output: --out, or what the script assigned, or out/<name of the script>.
---@field coagulation table # Collision kernels from merges and Smoluchowski's equation: measure, solve, histogram; docs/coagulation.md.
---@field lubrication table # The lubrication model that gluey contacts are the limit of; see scripts/floc/simulation/lubrication.lua.
local floc = {}

---@class floc.Simulation
---@field step integer # Steps done.
---@field time number # Time reached.
---@field time_step number # Length of a step; may be assigned.
---@field gravity number[]|function # May be assigned, or its components.
---@field domain table? # The domain as it is now: lower, upper; offset, rate, shear_plane, shear_rate, strain, shear_strain of a cell that sim:deform moves, and stress and pressure of its last step (docs/cells.md). nil without a domain.
---@field state table # Plain data of the script; stored in checkpoints, as local variables that callbacks use are.
---@field threads integer # Threads in use; may be assigned.
---@field count integer # Number of particles; ids are 1 to count, until particles are removed: sim:ids().
---@field dimension integer # 2 or 3.
---@field seed integer # Of every random number.
---@field bodies floc.Body[] # All bodies that the script added.
---@field x floc.Column
---@field y floc.Column
---@field z floc.Column
---@field vx floc.Column
---@field vy floc.Column
---@field vz floc.Column
---@field fx floc.Column
---@field fy floc.Column
---@field fz floc.Column
---@field radius floc.Column
---@field mass floc.Column
---@field wx floc.Column # angular velocity, where particles rotate
---@field wy floc.Column # angular velocity
---@field wz floc.Column # angular velocity; in two dimensions the only one
---@field tx floc.Column # torque of laws and rays, and of soft contacts, where particles rotate
---@field ty floc.Column # torque
---@field tz floc.Column # torque; in two dimensions the only one
---@field angle floc.Column # orientation in two dimensions, full turns counted, where particles rotate; in discrete elements by sim:add_attribute "angle" or a law that takes an axis
---@field inertia floc.Column # moment of inertia, by sim:add_attribute "inertia"; 0, as at first: that of a uniform disc, m r^2/2, or ball, 2 m r^2/5
---@field material floc.Column # the material, a number from 0 on, by sim:add_attribute "material"; without it 0
---@field qw floc.Column # orientation in three dimensions, a quaternion of any length, by sim:add_attribute "qw" (which adds all four) or a law that takes an axis
---@field qx floc.Column # orientation
---@field qy floc.Column # orientation
---@field qz floc.Column # orientation
---@field displacement_x floc.Column # how far the particle has gone, through periodic faces too, by sim:add_attribute "displacement_x" (which adds all axes)
---@field displacement_y floc.Column # likewise
---@field displacement_z floc.Column # likewise; in three dimensions
---@field shape floc.Column # the shape, where sim:add_particles was given one: a number from 1 on, in the order in which they were given; 0: a disc
---@field rounding floc.Column # radius of a shape's rounded corners, and of a rod; 0 of a disc
---@field radius_rate floc.Column # how fast the radius grows, by sim:add_attribute "radius_rate"; the mass grows with the volume
---@field rounding_rate floc.Column # how fast the rounding grows, by sim:add_attribute "rounding_rate"; without it, in proportion to the radius
---@field [string] floc.Column # attributes
local sim = {}

---@class floc.Body
---@field number integer # Its number in the engine, from 0.
---@field name string? # As it was given.
---@field position number[] # Of its frame, now.
---@field angle number # Orientation in two dimensions; full turns are counted.
---@field orientation number[] # Orientation in three dimensions: unit quaternion w, x, y, z.
---@field velocity number[] # Mean over the last step.
---@field angular_velocity number|number[] # Mean over the last step.
---@field force number[] # That all particles exert on it, mean over the last step.
---@field torque number|number[] # About its position, likewise.
---@field shape_count integer # How many shapes it has.
local body = {}

---@class floc.Joint
---@field number integer # Its number in the engine, from 0.
---@field kind string # As it was given.
---@field angle number # Of a hinge: by which its second end has turned against the first since it was added; full turns are counted.
---@field displacement number # Of a slider: of its second end along the axis, from where it was added.
---@field length number # Of a distance: between its anchors.
---@field velocity number # Mean rate of the angle, displacement or length over the last step.
---@field anchor number[] # On the second end, now.
---@field force number[] # Of the joint on its second end, mean over the last step, with what motor, limits and spring exert; on the first end the opposite.
---@field torque number|number[] # Likewise, about the anchor.
---@field added_inertia number # That the inertia of its bodies counted as more in the last step, because the step is long for its pull; else 0.
local joint = {}

---@class floc.Stream
---@field count integer # Particles that have passed since the start.
---@field mass number # Their mass.
---@field materials table # The same by material: { [number] = { count =, mass = } }; particles without a material count as 0.
---@field waiting integer # Of an inlet: particles that are due and found no place so far.
local stream = {}

---@class floc.Law
---@field energy number # Sum of its energies in the last step, for laws that return one or are given by a potential.
---@field way string # How it is evaluated: traced, chunked or called; see docs/laws.md.
---@field reason string? # Why it was not traced.
---@field name string # As it was given, or where the function is.
---@field [string] number # parameters
local law = {}

---@class floc.Random
local random = {}

---@class floc.Panels
local panels = {}

---Declares the scenario's parameters with their defaults and returns their values; --name=value on the command line changes one, --help lists them. A parameter is a default, or { default, text =, one_of =, above =, at_least =, below =, at_most =, integer = true }; { value, minimum, maximum } may change while the simulation runs, see docs/view.md. One call per script.
---@param parameters table
---@return table
function floc.args(parameters) end

---Executes the script in a checkpoint up to the point where it was written and returns the simulation as it was.
---@param path string
---@return floc.Simulation
function floc.resume(path) end

---A stream of random numbers; one for each name. Number k of a stream is a function of its seed (1 unless given), its name and k, and a checkpoint holds k: a resumed run draws the same numbers.
---@param name string
---@param seed? number
---@return floc.Random
function floc.random(name, seed) end

---The full name of a file in the output folder (floc.out), which is created.
---@param name string
---@return string
function floc.output(name) end

---Calls the function after every step whose number is a multiple of steps; or, instead of steps, { time = 0.1 }: after the first step at or beyond each multiple of that time, once a step at most; or { condition = function(sim) return ... end }: asked after every step, when it becomes true (true after the first step counts). Particles may be added and removed, columns written, gravity and constant motions changed there; bodies, laws and callbacks may not be added.
---@param steps integer|table
---@param fn fun(sim: floc.Simulation)
function sim:every(steps, fn) end

---Adds a column of one number per particle, read and written as sim.name[id].
---@param name string
---@param initial? number
function sim:add_attribute(name, initial) end

---Removes a particle: bonds, links, contacts and what pairs remember go with it. The others keep their ids; its id is never given again. Between runs and in callbacks; members of assemblies cannot be removed.
---@param id integer
function sim:remove_particle(id) end

---Removes a body, which is given by what sim:add_body returned or by its number: its shapes are gone, with what particles remember of them, and its motion is not asked again. Its number is never given again; the others keep theirs, and what is asked of the removed body is refused with the step. Between runs and in callbacks; the walls of the domain cannot be removed.
---@param body floc.Body|integer
function sim:remove_body(body) end

---Ids of all particles, ascending: for _, id in ipairs(sim:ids()) do ... end.
---@return integer[]
function sim:ids() end

---A number about the present state, by name. Energies are computed on request: laws are evaluated once more for them, which changes nothing.
---@param name string
---@return number
function sim:measure(name) end

---Adds fn over all particles, which it is called for in the order of ids. The sum is exact and rounded once. The parameters' names are columns: sim:sum(function(mass, vx) return mass * vx end). A function that returns true or false counts.
---@param fn function
---@return number
function sim:sum(fn) end

---Sets columns for all particles from a function whose parameters' names are columns: sim:map("vx", function(x, vx) ... end).
---@param columns string|string[]
---@param fn function
function sim:map(columns, fn) end

---Prints how a law is computed, and returns the text: whether it was traced, its inputs, its operations one by one, or why it is called as a function and what that costs.
---@param law floc.Law
---@return string
function sim:explain(law) end

---The contacts: id_i, id_j or body and shape; normal, a unit vector from i on; point, where the surfaces are nearest; distance of the surfaces now, below 0 overlapping; impulse along the normal, above 0 apart; friction, the impulse across it as a vector on j or on the body; moment, against rolling and twisting, likewise (a number in two dimensions); gamma. A contact carries an impulse or a gamma, or its surfaces are within 1 % of the smaller radius. In the projection impulses are those of the last step, and normal and point of a contact that carries one are those that the step was solved with: impulse normal + friction add up to the change of momentum. In discrete elements they are the forces now (contact, friction, bonds, and pair and wall laws on those that touch) times sim.time_step, found when they are asked for. Not in flight (ballistic, event_driven).
---@return floc.Contact[]
function sim:contacts() end

---The same contacts as lists of numbers, one list per name: { count = n, id_i = { ... }, impulse = { ... } }. Names: id_i, id_j (0: a body), body and shape (numbers from 1; 0: a pair of particles), distance, impulse, gamma, point_x, normal_x, friction_x, moment_x (_y, _z); default: all that the dimension has. In large simulations far quicker than sim:contacts(). into: what an earlier call returned, whose lists are filled again.
---@param names string|string[]|nil
---@param into table|nil
---@return table
function sim:contact_columns(names, into) end

---The particles whose surfaces are within range of this one's, without range those that touch it (within 1e-3 of the smaller radius, as coordination_number counts): their ids, ascending, and the distances of the centres. Goes through all particles; for the neighbours of many, sim:pairs.
---@param id integer
---@param range? number
---@return integer[]
---@return number[]
function sim:neighbors(id, range) end

---What a law of add_force, add_wall_force or add_angle_force exerts now, as lists of numbers over the pairs within its range, one list per name: { count = n, id_i = { ... }, normal = { ... } }. Names: id_i and id_j (at bodies: id, body, shape; numbers from 1), distance, overlap, normal_x (_y, _z), each output of the law, tangential_x (_y, _z; the whole tangential force on j or on the body), each input, and each memory, which is what the pair remembers after the last step; default: ids, distance, outputs and memory. Of add_angle_force id_i, id_j, id_k, angle and outputs, by name also distance_ij (_jk, _ik), inputs and memory. The law is evaluated once more for this, which changes nothing. into: what an earlier call returned, whose lists are filled again, in half the time.
---@param law floc.Law
---@param names string|string[]|nil
---@param into table|nil
---@return table
function sim:law_pairs(law, names, into) end

---The bonds of a law of add_force with pairs = "bonds", or of add_angle_force, as lists of numbers: { count = n, id_i = { ... }, id_j = { ... } }, of angles also id_k, and one list for each attribute and each memory, in the order of ids. into: what an earlier call returned, whose lists are filled again.
---@param law floc.Law
---@param into table|nil
---@return table
function sim:law_bonds(law, into) end

---A report on the last step: converged, residual, tolerance, tolerance_rule (what determined it: given, radius, acceleration, speed), iterations, contacts, active_contacts, islands, overlap, energy_fall (docs/schemes/inelastic.md), kinetic_energy, work (see work_limit of floc.simulation), pairs_left_out (omitted because they miss each other, docs/schemes/inelastic.md); and on all steps so far: greatest_overlap, greatest_residual, unconverged_steps, total_iterations, total_left_out, lists (number of neighbour lists built; list_entries: entries of the present one), stage_seconds. Of unconverged steps: unsolved_islands (groups of contacts above the tolerance in the last step); and since the start of the process worst_residual (in tolerances), worst_step, and the contact where it was: worst_particle and worst_other (ids), or worst_body (a body's number); contacts_left_out (the farthest of pairs of polyhedra with more than 128).
---@return table
function sim:report() end

---Counts of floc.ballistic and floc.event_driven since the start: clusters, links, merges, reflections, searches; of the first minimisations, iterations, dropped, unsolved, stalled, retried, pairs_looked_at, greatest_residual; of the second events, bounces, expirations, predictions, stale, queue_length, greatest_gap. See floc.h.
---@return table
function sim:ballistic_report() end

---The next step writes its contact problem to this file, for `floc solve`.
---@param path string
function sim:record_problem(path) end

---Hash of the physical state: equal states give equal hashes.
---@return string
function sim:hash() end

---Greatest overlap of particles with each other and with bodies, in radii.
---@return number
function sim:check_overlap() end

---Names of all columns.
---@return string[]
function sim:columns() end

---Adds floc.plane_wave{...}, floc.point_source{...} or floc.emitter{...}; returns its number, from 1. A pulse begins with the first step that starts at or after its time.
---@param source floc.RaySource
---@return integer
function sim:add_ray_source(source) end

---Counts and power of the rays of a source, or of all sources, since the start: pulses, rays, reflections (on particles), body_reflections, ended_rays; the power incident = absorbed + body_absorbed + escaped + residual + in_flight; exit_power and flight_power as vectors; retained, their sum over incident: I_x, I_y, I_z of (39); rays_in_flight.
---@param source? integer
---@return table
function sim:ray_report(source) end

---The rays in flight: a list of { position, direction, power }.
---@return table
function sim:rays() end

---The discrete-element scheme's counters: contacts, wall_contacts, bonds, bonds_formed, bonds_broken; energies by kind: kinetic_energy, rotational_energy, contact_energy, friction_energy, bond_energy, near_field_energy; iterations, total_iterations, evaluations, rejected_steps, time_step, next_time_step, error; critical_time_step, above which contacts may gain energy (inf: nothing limits it), and critical_id, the particle that limits it.
---@return table
function sim:element_report() end

---The persistent bonds: a list of { id_i, id_j, area, strain }, strain above 0 in tension.
---@return table
function sim:bonds() end

---An attribute of one of its shapes (add_body { attributes = ... }), which wall laws may change.
---@param name string
---@param index? integer
---@return number
function body:get_attribute(name, index) end

---Sets an attribute of one of its shapes, or of all.
---@param name string
---@param value number
---@param index? integer
function body:set_attribute(name, value, index) end

---A shape in world coordinates: kind, points, radius.
---@param index integer
---@return table
function body:get_shape(index) end

---Ends the joint; its number is not used again.
function joint:remove() end

---Above low and below high; 0 and 1 without them.
---@param low? number
---@param high? number
---@return number
function random:uniform(low, high) end

---Normal distribution.
---@param mean? number
---@param deviation? number
---@return number
function random:normal(mean, deviation) end

---Exponential distribution.
---@param mean? number
---@return number
function random:exponential(mean) end

---An integer from low to high.
---@param low integer
---@param high integer
---@return integer
function random:integer(low, high) end

---Draws the panels that were added; not after a resume when some were added before the checkpoint, which a message reports.
---@param path string
function panels:write(path) end

---@class floc.simulation.options
---@field time_step number # Length of a time step. [time]
---@field dimension? integer # 2 or 3.
---@field gravity? number[]|function # Acceleration of every particle; a function of time is called before each step. Default: none. [length/time^2]
---@field scheme? floc.Scheme # How a step is made; default floc.inelastic().
---@field a_priori? function # Replaces u + h f/m before contacts are solved (Lefebvre 2009, Remark 2.8), for instance by a fluid solver. See set_a_priori.
---@field seed? integer # Of every random number; the same seed reproduces the run.
---@field threads? integer # Number of threads; 0: one per processor. The results do not depend on it.
---@field energy_ledger? boolean # Keeps the account of energy that sim:energy_ledger() shows: the work of everything that acts, in every step. It changes no bit of the run and costs up to the time of the step again.
---@field patch_particles? integer # For tests and experts: a world of at least four times as many particles is cut by space into patches that hold about that many, half of it or more where they are full. Particles are stored patch by patch. 0: 8192. Results agree within the tolerance, not bit for bit, with those of another cut. A box that deforms is one patch.
---@field work_limit? number # Maximum work of a step, counted in contacts times products, candidates of searches and the like (about 20 ns each): a step that needs more is an error that names a particle. 0: 2e7 + 5e5 for each particle + 5e4 for each ray, and a contact problem that is not solved within half of that counts as not converged instead; math.huge: none. sim:report().work is that of the last step.
---@field domain? floc.Region # The box floc.box{ lower, upper } to which the boundaries belong.
---@field boundary? "open"|"wall"|"periodic"|table # What the faces of the domain do, for all axes or as a list with one word per axis.
---@field up? number[] # Three dimensions: upwards in pictures, movies and pages; default: against gravity at the start of the first run, without gravity y.

---Creates a simulation: the world with its rules, without particles or bodies.
---@param options floc.simulation.options
---@return floc.Simulation
function floc.simulation(options) end

---@class floc.deform.options
---@field rate? number[]|function # Strain rates of the lengths along the axes, d(ln L)/dt; or a function of time. Default 0. [1/time]
---@field shear_rate? number|function # Of the velocity along x that grows with y (simple shear; x and y must be periodic); or a function of time. [1/time]
---@field shear_plane? "xy"|"xz"|"yx"|"yz"|"zx"|"zy" # Of shear_rate: the axis along which velocities are, and the one with which they grow. It can change while the cell is upright.
---@field pressure? number # That the lengths of all periodic axes, changed alike, hold; above 0. Default: no pressure is held. [stress]
---@field stress? number[] # Normal stresses (compression is positive) that the lengths along the axes hold, each by itself; 0: that length is not held. [stress]
---@field relaxation_time? number # tau of held lengths: d(ln L)/dt = (stress now/stress held - 1)/tau, at most 0.01 a step. sqrt(k m)/P for discs of stiffness k and mass m (docs/cells.md); needed with pressure or stress. [time]

---Lets the periodic cell deform from the next step on, until the next call: by strain rates, in simple shear (Lees and Edwards 1972), under a pressure or normal stresses that are held. Particles move with the cell, whose middle is at rest; sim:deform {} stops it. sim.domain has the cell as it is. Without assemblies, rays, and bodies but planes along it; see docs/cells.md.
---@param options floc.deform.options
function sim:deform(options) end

---@class floc.inelastic.options
---@field friction? number|table|function # Coulomb's coefficient. Above 0 particles rotate: columns wz and angle in two dimensions, wx, wy, wz in three.
---@field friction_law? "exact"|"convex" # exact: Coulomb's law. convex: a convex problem that is always solved; a sliding contact keeps a gap of friction times the distance that it slides in a step.
---@field rolling? number|table|function # Resistance against rolling: a contact transmits a moment of up to this length times its normal impulse, which brakes the relative rotation across the normal. Particles rotate as with friction. [length]
---@field twisting? number|table|function # The same against rotation about the normal; in space only. [length]
---@field rotation? boolean # Particles rotate even without friction.
---@field restitution? number|table|function # Coefficient of restitution: fraction of the approach speed with which a contact separates.
---@field restitution_speed? number # Contacts that close more slowly do not rebound. [length/time]
---@field passes? integer # 2: with grains that are not round and with free bodies, contacts are found again where a step leads, and it is solved once more, so that what turns by a in a step overlaps by a^3 or so of its size instead of a^2. 0 and 1: they are found once. A step in which a crowd goes many radii has one pass. Not with restitution, rigid assemblies or cells that deform.
---@field solver? "auto"|"uzawa"|"apgd"|"interior_point" # How the contact problem is solved.
---@field tolerance? number # Residual at which a step counts as solved; 0: chosen from radii and accelerations. Above |gravity| time_step^2, which free fall meets, a warning is given. [length]
---@field max_iterations? integer # Maximum number of products with the contact matrix per step.
---@field budget? integer # Above 0: each solve of a step makes that many sweeps over its contacts and no step counts as unconverged. What is left is in sim:report(): overlap, residual, energy_fall.
---@field warm_start? boolean # Start from the impulses of the last step.
---@field materials? table # Names of materials; the first is the one of particles and bodies that have none. friction, rolling, twisting and restitution may be a number, a table such as { glass = { glass = 0.1, rubber = 0.6 }, rubber = { rubber = 0.9 } }, or a function of two materials, called once per pair with their names (without materials: their numbers).

---Contacts without rebound: surfaces that touch do not penetrate (Maury 2004).
---@param options? floc.inelastic.options
---@return floc.Scheme
function floc.inelastic(options) end

---@class floc.gluey.options
---@field gamma_min? number|table|function # Minimum of gamma, which bounds how long a contact can stick. Minus infinity is the smooth case; rougher surfaces have values closer to 0. A function is called once per pair of materials: the attribute material, and material of bodies. [mass length/time]
---@field gluey_rule? "bounded"|"equality" # The impulse is bounded by gamma, or glued pairs keep their distance as in Algorithm 3.3 as printed. Also: law.
---@field viscosity? number # Above 0: gamma_min is 6 pi viscosity ln(s_i + s_j), s the attribute roughness of particles and the roughness of bodies; with the radius factor (Remark 3.2). [mass/(length time)]
---@field radius_factor? boolean # gamma changes by R times the impulse, R = (r_i + r_j)^2/(r_i r_j)^2, 1/r^2 at a body (Remark 3.2).
---@field friction? number|table|function # Coulomb's coefficient; the limit is this times the impulse above gamma. Above 0 particles rotate: columns wz and angle in two dimensions, wx, wy, wz in three.
---@field friction_law? "exact"|"convex" # exact: Coulomb's law. convex: a convex problem that is always solved; a sliding contact keeps a gap of friction times the distance that it slides in a step.
---@field rolling? number|table|function # Resistance against rolling: a contact transmits a moment of up to this length times its normal impulse, which brakes the relative rotation across the normal. Particles rotate as with friction. [length]
---@field twisting? number|table|function # The same against rotation about the normal; in space only. [length]
---@field rotation? boolean # Particles rotate even without friction.
---@field solver? "auto"|"uzawa"|"apgd"|"interior_point" # How the contact problem is solved.
---@field tolerance? number # Residual at which a step counts as solved; 0: chosen from radii and accelerations. Above |gravity| time_step^2, which free fall meets, a warning is given. [length]
---@field max_iterations? integer # Maximum number of products with the contact matrix per step.
---@field budget? integer # Above 0: each solve of a step makes that many sweeps over its contacts and no step counts as unconverged. What is left is in sim:report(): overlap, residual, energy_fall.
---@field warm_start? boolean # Start from the impulses of the last step.
---@field materials? table # Names of materials, as in floc.inelastic; gamma_min, friction, rolling and twisting may be tables or functions of two of them.

---Contacts in a viscous film: what was pressed together sticks until it has been pulled apart by the same impulse (Lefebvre 2009).
---@param options? floc.gluey.options
---@return floc.Scheme
function floc.gluey(options) end

---@class floc.first_order.options
---@field velocity function # What each particle would do alone. The names of the function's parameters select its inputs: x y z vx vy vz fx fy fz radius mass id t time_step, or an attribute. Laws of forces act if it reads fx, fy or fz, for instance as a mobility times force, and are refused otherwise.
---@field solver? "auto"|"uzawa"|"apgd"|"interior_point" # How the contact problem is solved.
---@field tolerance? number # Residual at which a step counts as solved; 0: the least of 1e-4 of the least radius and 1e-4 of the way that the fastest particle wants to go in a step. [length]
---@field max_iterations? integer # Maximum number of products with the contact matrix per step.
---@field budget? integer # Above 0: each solve of a step makes that many sweeps over its contacts and no step counts as unconverged. What is left is in sim:report(): overlap, residual, energy_fall.
---@field warm_start? boolean # Start from the impulses of the last step.

---Velocities are given, without inertia; contacts replace them by the nearest ones without overlap (Maury and Venel 2011): crowds, cells, active matter.
---@param options floc.first_order.options
---@return floc.Scheme
function floc.first_order(options) end

---@class floc.polygon.options
---@field sides? integer # Number of sides of a regular polygon.
---@field [integer] number[] # Instead of sides, the corners, in turn; only the form counts, for the size is the particle's radius. [length]
---@field rounding? number # Radius of the rounded corners over the radius of the whole grain.

---A convex polygon with rounded corners: a shape of grains, in two dimensions.
---@param options floc.polygon.options
---@return floc.GrainShape
function floc.polygon(options) end

---@class floc.rod.options
---@field aspect number # Whole length over width; the particle's radius is half the length.

---A capsule, a disc or ball swept along a segment: a shape of grains, in two and three dimensions.
---@param options floc.rod.options
---@return floc.GrainShape
function floc.rod(options) end

---@class floc.ellipse.options
---@field aspect? number # Length over width; the particle's radius is half the length, which lies along x at the angle 0.
---@field semi_axes? number[] # Instead of aspect, both semi-axes, along x and y at the angle 0; only their ratio counts: the greater is as long as the particle's radius.

---An ellipse: a shape of grains, in two dimensions.
---@param options floc.ellipse.options
---@return floc.GrainShape
function floc.ellipse(options) end

---@class floc.ellipsoid.options
---@field aspect? number # Of an ellipsoid of revolution about the axis x, length along it over width: above 1 prolate, below 1 oblate. The particle's radius is the greatest semi-axis.
---@field semi_axes? number[] # Instead of aspect, the three semi-axes, along its own x, y and z; only their ratios count: the greatest is as long as the particle's radius.

---An ellipsoid: a shape of grains, in three dimensions.
---@param options floc.ellipsoid.options
---@return floc.GrainShape
function floc.ellipsoid(options) end

---@class floc.polyhedron.options
---@field form? "box"|"tetrahedron"|"octahedron"|"icosahedron"|"prism" # Which one; along the grain's own axes.
---@field [integer] number[] # Instead of form, the corners, in any order; only the form counts, for the size is the particle's radius. All must be corners of their convex hull. [length]
---@field size? number[] # Of a box, its edges along x, y and z, without the rounding; only their ratios count. Default: a cube. [length]
---@field sides? integer # Of a prism, the number of its sides; default 6.
---@field aspect? number # Of a prism, its length along z over the diameter of the circle about its base; default 1.
---@field rounding? number # Radius of the rounded corners over the radius of the whole grain.

---A convex polyhedron with rounded edges and corners: a shape of grains, in three dimensions.
---@param options floc.polyhedron.options
---@return floc.GrainShape
function floc.polyhedron(options) end

---@class floc.add_particle.options
---@field position number[] # Of the centre. [length]
---@field radius number # Its radius. [length]
---@field velocity? number[] # Default 0. [length/time]
---@field mass? number # Default 1. [mass]
---@field density? number # Instead of the mass. [mass/length^dimension]
---@field shape? any # floc.polygon, floc.rod or floc.ellipse: a grain that is not round; radius is that of the circle, or ball, about it. In three dimensions floc.rod, floc.ellipsoid or floc.polyhedron.
---@field angle? number # Orientation of a shape. [rad]
---@field axis? number[] # In three dimensions, the direction of a rod, or of an ellipsoid's or polyhedron's own x; default x.
---@field orientation? table # In three dimensions, instead of axis, a quaternion { w, x, y, z } that turns a rod from the direction x, another shape from its own axes.
---@field attributes? table # Values of attributes by name: { charge = 1 }.
---@field material? integer|string # Its material: a number, or a name of the scheme's; adds the column material.
---@field allow_overlap? boolean # It may overlap others or a body. Otherwise the next step refuses it if it overlaps by more than a tenth of the smaller radius; in floc.discrete_element by more than half, without contacts never. Members of one assembly may.

---Adds one particle and returns its id.
---@param options floc.add_particle.options
---@return integer
function sim:add_particle(options) end

---@class floc.ball.options
---@field center number[] # Its centre. [length]
---@field radius number # Its radius. [length]

---A ball, in two dimensions a disc: a region for particles.
---@param options floc.ball.options
---@return floc.Region
function floc.ball(options) end

---@class floc.annulus.options
---@field center? number[] # Of both circles; default the origin. [length]
---@field inner number # Radius of the inner circle. [length]
---@field outer number # Radius of the outer circle. [length]

---The space between two circles of one centre: a region for particles; two dimensions.
---@param options floc.annulus.options
---@return floc.Region
function floc.annulus(options) end

---@class floc.region.options
---@field lower number[] # Lower corner of the box. [length]
---@field upper number[] # Upper corner of the box. [length]
---@field contains function # Whether a particle of that radius may have its centre there; z is 0 in two dimensions.

---The part of a box in which a function returns true: a region for particles.
---@param options floc.region.options
---@return floc.Region
function floc.region(options) end

---@class floc.union.options
---@field [integer] floc.Region # The regions.

---Several regions as one; each particle lies wholly in one of them.
---@param options floc.union.options
---@return floc.Region
function floc.union(options) end

---@class floc.intersection.options
---@field [integer] floc.Region # The regions.

---What several regions have in common.
---@param options floc.intersection.options
---@return floc.Region
function floc.intersection(options) end

---@class floc.difference.options
---@field [integer] floc.Region # The region, and those that are taken out of it.

---A region without others.
---@param options floc.difference.options
---@return floc.Region
function floc.difference(options) end

---@class floc.add_particles.options
---@field count integer # Number of particles.
---@field radius number|table # One radius, { lower, upper }, or { distribution = "uniform", "normal", "lognormal" or "by_volume", lower =, upper =, mean =, deviation = }. [length]
---@field region? floc.Region # Where: floc.box, ball, annulus, cylinder, cone, torus, region; union, difference or intersection of such; default the domain of the simulation.
---@field placement? "random"|"lattice"|"fcc"|"bcc"|"hcp"|"triangular"|"dense" # random: random sequential addition. lattice (square or cubic), fcc, bcc, hcp, triangular: row by row; without a seam through periodic faces whose distance is a multiple of the period. dense: a disordered packing without overlap.
---@field spacing? number # Lattice constant; 0: neighbours touch, or are clearance apart. [length]
---@field volume_fraction? number # Fraction of the region that the particles fill (area in 2-D): all radii are scaled by one factor for it; 0: radii as given.
---@field mass? number # Mass of each; default 1. [mass]
---@field density? number # Instead of the mass. [mass/length^dimension]
---@field shape? any # floc.polygon, floc.rod or floc.ellipse: grains that are not round; radius is that of the circle, or ball, about them. In three dimensions floc.rod, floc.ellipsoid or floc.polyhedron.
---@field angle? number|table # Orientation of shapes: one angle, or { lower, upper }, uniform between; default: all directions. [rad]
---@field axis? number[] # In three dimensions, one direction of all rods, or of the own x of ellipsoids and polyhedra; default: all directions.
---@field orientation? table # In three dimensions, instead of axis, one quaternion { w, x, y, z } that turns rods from the direction x, others from their own axes.
---@field velocity? number[] # Of all; default 0. [length/time]
---@field velocity_spread? number # A random number between minus this and this is added to each component. [length/time]
---@field temperature? number # Normal velocities about that of all, which stays the mean: each degree of freedom has the energy temperature/2, exactly dimension (count - 1) temperature/2 in all. Not beside velocity_spread. [mass length^2/time^2]
---@field clearance? number # Minimum distance between surfaces, to other particles and to bodies. [length]
---@field seed? integer # 0: from the simulation's seed.
---@field tries? integer # Random placement gives up after this number of rejected positions in a row.
---@field attributes? table # Values of attributes by name: a number, or a function of the id.
---@field material? integer|string # Their material: a number, or a name of the scheme's; adds the column material.

---Adds many particles without overlaps; returns the first and the last id.
---@param options floc.add_particles.options
---@return integer, integer
function sim:add_particles(options) end

---@class floc.remove.options
---@field region? floc.Region # Centres that lie in it: floc.box, ball, annulus, cylinder, cone, torus, region; union, difference or intersection of such.
---@field where? function # Whose parameters' names are columns, or id; removed is where it returns true: function(y, radius) return y < -radius end.
---@field particles? table # Ids of particles that there are, a list.

---Removes the particles that every condition given holds for, and returns how many they were. Bonds, links and contacts go with them; ids are never given again.
---@param options floc.remove.options
---@return integer
function sim:remove(options) end

---@class floc.add_outlet.options
---@field region floc.Region # Where: floc.box, ball, annulus, cylinder, cone, torus, region; union, difference or intersection of such.
---@field every? integer|table # Steps from one look to the next, or { time = }.

---Removes after each step the particles whose centres are in a region, and counts them.
---@param options floc.add_outlet.options
---@return floc.Stream
function sim:add_outlet(options) end

---@class floc.add_inlet.options
---@field rate? number # Particles per time. [1/time]
---@field mass_rate? number # Instead of rate: a particle comes when those before have less mass than is due. [mass/time]
---@field radius number|table # One radius, { lower, upper }, or a distribution, as in sim:add_particles. [length]
---@field region floc.Region # Where: floc.box, ball, annulus, cylinder, cone, torus, region; union, difference or intersection of such.
---@field mass? number # Mass of each; default 1. [mass]
---@field density? number # Instead of the mass. [mass/length^dimension]
---@field velocity? number[] # Of all; default 0. [length/time]
---@field velocity_spread? number # A random number between minus this and this is added to each component. [length/time]
---@field clearance? number # Minimum distance between surfaces, to other particles and to bodies. [length]
---@field tries? integer # Places that are drawn for a particle before it has to wait for the next step.
---@field start? number # When the inlet opens; default: now. [time]
---@field until_? number # When it closes; default: never. [time]
---@field limit? integer # Most particles in all.
---@field shape? any # A shape, as in sim:add_particles: grains that are not round; radius is that of the circle, or ball, about them.
---@field angle? number|table # Orientation of shapes: one angle, or { lower, upper }, uniform between; default: all directions. [rad]
---@field axis? number[] # In three dimensions, one direction of all rods, or of the own x of other shapes; default: all directions.
---@field orientation? table # In three dimensions, instead of axis, one quaternion { w, x, y, z } that turns all grains from the directions of their shape.
---@field attributes? table # Values of attributes by name: a number, or a function of the id.
---@field material? integer|string # Their material: a number, or a name of the scheme's; adds the column material.

---Adds particles in a region while the simulation runs, without overlaps, at a given rate; what finds no place is owed, which is reported by a warning.
---@param options floc.add_inlet.options
---@return floc.Stream
function sim:add_inlet(options) end

---@class floc.add_assembly.options
---@field particles table # Ids of the particles.
---@field mass? number # Default: the sum of the members' masses, which are scaled to it. [mass]
---@field center? number[] # Of mass. Default: from the members; if they overlap, from their union, uniformly filled. [length]
---@field inertia? number|table # About the centre; in three dimensions { xx, yy, zz, xy, xz, yz }. Default as for the centre. [mass length^2]
---@field velocity? number[] # Of the centre; default 0. [length/time]
---@field angular_velocity? number|number[] # A number in two dimensions, a vector in three. [rad/time]

---Joins several particles into one rigid body, and returns it.
---@param options floc.add_assembly.options
function sim:add_assembly(options) end

---@class floc.plane.options
---@field normal number[] # Points towards the particles; any length except 0.
---@field point? number[] # Any point of the plane; default: the origin. [length]

---An infinite plane; particles stay on the side to which the normal points.
---@param options floc.plane.options
---@return floc.Shape
function floc.plane(options) end

---@class floc.segment.options
---@field [integer] number[] # The two ends. [length]
---@field thickness? number # Thickness of the plate. [length]

---A straight plate between two points, with two sides and rounded ends.
---@param options floc.segment.options
---@return floc.Shape
function floc.segment(options) end

---@class floc.capsule.options
---@field [integer] number[] # Ends of its axis. [length]
---@field radius number # Its radius. [length]

---A bar with rounded ends: all points closer than the radius to a segment.
---@param options floc.capsule.options
---@return floc.Shape
function floc.capsule(options) end

---@class floc.circle.options
---@field radius number # Its radius. [length]
---@field center? number[] # Its centre; default the origin. [length]

---A disc as a body; particles stay outside.
---@param options floc.circle.options
---@return floc.Shape
function floc.circle(options) end

---@class floc.sphere.options
---@field radius number # Its radius. [length]
---@field center? number[] # Its centre; default the origin. [length]

---A ball as a body; particles stay outside.
---@param options floc.sphere.options
---@return floc.Shape
function floc.sphere(options) end

---@class floc.hollow.options
---@field radius number # Its inner radius. [length]
---@field center? number[] # Its centre; default the origin. [length]

---A hollow ball or drum; particles stay inside.
---@param options floc.hollow.options
---@return floc.Shape
function floc.hollow(options) end

---@class floc.triangle.options
---@field [integer] number[] # Its corners. [length]
---@field thickness? number # Thickness of the plate. [length]

---A flat triangular plate with two sides; three dimensions.
---@param options floc.triangle.options
---@return floc.Shape
function floc.triangle(options) end

---@class floc.torus.options
---@field ring_radius number # From the axis to the middle of the tube. [length]
---@field tube_radius number # Of the tube; below ring_radius. [length]
---@field center? number[] # Its centre; default the origin. [length]
---@field axis? number[] # Direction of its axis, of any length except 0; default { 0, 0, 1 }.

---A ring with a round tube as a body, or the space in it as a region; three dimensions.
---@param options floc.torus.options
---@return floc.Shape|floc.Region
function floc.torus(options) end

---@class floc.cylinder.options
---@field [integer] number[] # The two ends of its axis. [length]
---@field radius number # Its inner radius; of a solid one the outer. [length]
---@field ends? "none"|"first"|"second"|"both" # Which ends a disc closes: that at the first point, at the second, both; of a wall only.
---@field solid? boolean # A solid body instead of a wall with two sides; its ends are closed.
---@field thickness? number # Thickness of the plate. [length]

---A cylinder: a wall around an axis, open or closed at its ends; a solid one; or the space in it as a region; three dimensions.
---@param options floc.cylinder.options
---@return floc.Shape|floc.Region
function floc.cylinder(options) end

---@class floc.cone.options
---@field [integer] number[] # The two ends of its axis. [length]
---@field radii table # Inner radii at the two ends, { first, second }; one of them may be 0. Of a solid one the outer. [length]
---@field ends? "none"|"first"|"second"|"both" # Which ends a disc closes: that at the first point, at the second, both; of a wall only.
---@field solid? boolean # A solid body instead of a wall with two sides; its ends are closed.
---@field thickness? number # Thickness of the plate. [length]

---A cone, cut off straight: a wall around an axis, a solid one, or the space in it as a region; three dimensions.
---@param options floc.cone.options
---@return floc.Shape|floc.Region
function floc.cone(options) end

---@class floc.add_body.options
---@field shape? floc.Shape # One shape.
---@field shapes? table # Instead of shape: a list of shapes that move as one.
---@field position? number[]|function # Of the body's frame; a function of time prescribes the motion. Default the origin. [length]
---@field angle? number|function # Orientation in two dimensions; a function of time prescribes the motion. [rad]
---@field rotation? number[]|function # Orientation in three dimensions as a rotation vector. [rad]
---@field velocity? number[]|function # Constant, or a function of time that is called for the middle of each step. [length/time]
---@field angular_velocity? number|number[]|function # Counter-clockwise; a number in two dimensions, a vector in three, or a function of time. [rad/time]
---@field motion? floc.Motion # floc.oscillation{...}, floc.piston{...} or floc.servo{...}.
---@field roughness? number # Used by the gluey contact law. [length]
---@field material? integer|string # Its material: a number, or a name of the scheme's. Contact laws by pairs of materials and laws of walls read it.
---@field materials? table # Of each of the shapes, where they differ.
---@field attributes? table # Numbers of its shapes by name, { wear = 0 }, which all shapes of the simulation have from then on, 0 first. Wall laws read shape_NAME, and change it by rate_shape_NAME or sum_shape_NAME.
---@field name? string # Shown in messages and pictures.
---@field free? string|table # Makes it a free body: "all", or a list of what is free, of "x", "y", "z", "angle" (any turn) and, in three dimensions, "angle_x", "angle_y", "angle_z". velocity and angular_velocity are those at the start then. Inelastic and gluey.
---@field mass? number # Of a free body. It may also be given by density. [mass]
---@field density? number # Instead of mass: of the shapes, each uniformly filled; closed outlines and meshes are filled too. [mass/length^dimension]
---@field inertia? number|table # Of a free body, about its centre of mass; in three dimensions { xx, yy, zz, xy, xz, yz }. Default: of its shapes. [mass length^2]
---@field load? table # On a free body, beside gravity: { force = , torque = }, each a vector or a function of time that returns it.
---@field damping? number # Of a free body: times its velocity, against it. [mass/time]
---@field angular_damping? number # Of a free body: times its angular velocity, against it. [mass length^2/time]

---Adds a body and returns it: of infinite mass, fixed or moving, or a free one, which has a mass and is moved by what acts on it.
---@param options floc.add_body.options
---@return floc.Body
function sim:add_body(options) end

---@class floc.set_free.options
---@field free string|table # What is free, as in add_body.
---@field mass? number # Of a free body. It may also be given by density. [mass]
---@field density? number # Instead of mass: of the shapes, each uniformly filled; closed outlines and meshes are filled too. [mass/length^dimension]
---@field inertia? number|table # Of a free body, about its centre of mass; in three dimensions { xx, yy, zz, xy, xz, yz }. Default: of its shapes. [mass length^2]
---@field load? table # Beside gravity: { force = , torque = }, each a vector or a function of time that returns it.
---@field damping? number # Of a free body: times its velocity, against it. [mass/time]
---@field angular_damping? number # Of a free body: times its angular velocity, against it. [mass length^2/time]
---@field velocity? number[] # Of its position; default: as it is. [length/time]
---@field angular_velocity? number|number[] # Default: as it is. [rad/time]

---Makes a body free from now on, or gives a free one other loads: as add_body with the same parameters. It keeps its place, and its velocity unless another is given. body:set_motion makes it one of infinite mass again.
---@param options floc.set_free.options
function body:set_free(options) end

---@class floc.set_motion.options
---@field position? function # Prescribes the position. [length]
---@field angle? function # Prescribes the orientation in two dimensions, from the present one. [rad]
---@field rotation? function # Prescribes the orientation in three dimensions, from the present one. [rad]
---@field velocity? number[]|function # Constant, or a function of time. Without any parameter the body stops. [length/time]
---@field angular_velocity? number|number[]|function # Constant, or a function of time. [rad/time]
---@field motion? floc.Motion # floc.oscillation{...}, floc.piston{...} or floc.servo{...}.

---Changes a body's motion from now on; the body continues from its present position.
---@param options floc.set_motion.options
function body:set_motion(options) end

---@class floc.oscillation.options
---@field amplitude number[] # Direction and amplitude. [length]
---@field frequency? number # Angular frequency. [rad/time]
---@field period? number # Instead of frequency: the period. [time]
---@field phase? number # Phase at the start. [rad]

---A motion: position + amplitude sin(frequency t + phase).
---@param options floc.oscillation.options
---@return floc.Motion
function floc.oscillation(options) end

---@class floc.servo.options
---@field direction number[] # Of its load, of any length except 0.
---@field load? number|function # Force on it along direction. [force]
---@field pressure? number|function # Instead of load: times area. [stress]
---@field area? number|function # On which the pressure acts. [length^(dimension - 1)]
---@field mass number # Its inertia along direction, 1/gain: h^2 times the stiffness of all contacts on it must be well below. [mass]
---@field damping? number # Times its velocity, against it. [mass/time]
---@field greatest_speed? number # It goes no faster; 0: as fast as it gets. [length/time]

---A motion: a wall that holds a force or pressure. Along direction m dv/dt = load + F - damping v, F what particles exert on it along direction (below 0 where they resist), so that in the steady state they resist with the load. Discrete elements.
---@param options floc.servo.options
---@return floc.Motion
function floc.servo(options) end

---@class floc.piston.options
---@field velocity number[] # Direction and speed. [length/time]
---@field travel number # Distance over which it moves. [length]
---@field returns? boolean # Moves back and forth instead of stopping.

---A motion: constant velocity over a distance, then the body stops or returns.
---@param options floc.piston.options
---@return floc.Motion
function floc.piston(options) end

---@class floc.box.options
---@field lower number[] # Lower corner. [length]
---@field upper number[] # Upper corner. [length]
---@field thickness? number # Thickness of the walls, if the box is used as a shape. [length]

---A box: a region for particles, the domain of a simulation, or four walls as a shape.
---@param options floc.box.options
---@return floc.Region|floc.Shape
function floc.box(options) end

---@class floc.polyline.options
---@field [integer] number[] # The points in order. [length]
---@field closed? boolean # Join the last point to the first.
---@field thickness? number # Thickness of the plates. [length]

---Segments from point to point; two dimensions.
---@param options floc.polyline.options
---@return floc.Shape
function floc.polyline(options) end

---@class floc.funnel.options
---@field top number # Inner width at the top. [length]
---@field bottom number # Width of the outlet. [length]
---@field height number # Height from the outlet to the top. [length]
---@field facets? integer # Number of flat faces around, in three dimensions.
---@field thickness? number # Thickness of the plates. [length]
---@field axis? number[] # Where it is open to: up, as a direction of any length except 0; default { 0, 1 } or { 0, 1, 0 }.

---Two slopes, in three dimensions a cone, open towards +y unless axis is given; the centre of the outlet is the origin.
---@param options floc.funnel.options
---@return floc.Shape
function floc.funnel(options) end

---@class floc.wheel.options
---@field radius number # Radius from the axis to the tips. [length]
---@field paddles? integer # Number of paddles.
---@field hub? number # Radius of the hub; 0: none. [length]
---@field width? number # Width along the axis, in three dimensions. [length]
---@field thickness? number # Thickness of the paddles. [length]
---@field axis? number[] # What it turns about, in three dimensions, as a direction of any length except 0; default { 0, 0, 1 }.

---Paddles around the origin, like those of a mill.
---@param options floc.wheel.options
---@return floc.Shape
function floc.wheel(options) end

---@class floc.container.options
---@field width number # Inner width. [length]
---@field height number # Height of the walls. [length]
---@field depth? number # Inner depth, in three dimensions; default the width. [length]
---@field thickness? number # Thickness of the plates. [length]
---@field axis? number[] # Where it is open to: up, as a direction of any length except 0; default { 0, 1 } or { 0, 1, 0 }.

---A box without a lid, open towards +y unless axis is given; the centre of the floor is the origin.
---@param options floc.container.options
---@return floc.Shape
function floc.container(options) end

---@class floc.mesh.options
---@field path string # Name of the file, NAME.stl, NAME.obj or NAME.vtp.
---@field scale? number # Factor on the lengths in the file.
---@field thickness? number # Of the plates. [length]

---The triangles of an STL file, binary or text, of an OBJ file or of VTK's VTP file, as plates with two sides, or, of a closed mesh, the space in it as a region; three dimensions.
---@param options floc.mesh.options
---@return floc.Shape|floc.Region
function floc.mesh(options) end

---@class floc.add_joint.options
---@field kind string # "hinge", "slider", "ball" (three dimensions), "distance" or "weld".
---@field body? table|integer # A body that the joint links to the world, or to particle.
---@field bodies? table # Instead of body: two bodies, { first, second }.
---@field particle? integer # Id of a particle, as second end: of a distance, a ball, a hinge in the plane without limits, motor or spring.
---@field particles? table # Instead of body and particle: two ids.
---@field anchor? number[] # A place of the world, where both ends meet now; default: the second body's position. That of a particle is its centre. [length]
---@field anchors? table # Of a distance: places on the first end and on the second; of a particle its centre is taken. Default: positions. [length]
---@field axis? number[] # Of a hinge in three dimensions, of a slider: as a direction now, of any length.
---@field length? number # Of a distance; default: as it is now. [length]
---@field rope? boolean # A distance that may be shorter than its length, but not longer.
---@field limits? table # { lower, upper }, of the angle of a hinge, of the displacement of a slider, both 0 now, of a distance. Either may be -math.huge or math.huge.
---@field motor? table # { velocity = , torque = } of a hinge, { velocity = , force = } of a slider or a distance: it holds the velocity (default 0) as long as no more than the torque or force is needed.
---@field stiffness? number # Of a spring on the angle, displacement or distance. [torque/rad or force/length]
---@field damping? number # Of the same: times its rate, against it. [torque time/rad or force time/length]
---@field rest? number # Where the spring is at rest; default: 0, of a distance its length. [rad or length]

---Adds a joint between two ends, which are bodies, particles or the world, and returns it. Inelastic and gluey.
---@param options floc.add_joint.options
---@return floc.Joint
function sim:add_joint(options) end

---@class floc.set_motor.options
---@field velocity? number # That it holds. [rad/time or length/time]
---@field torque? number # Greatest torque, of a hinge; 0: no motor. [torque]
---@field force? number # Greatest force, of a slider or a distance; 0: no motor. [force]

---Gives a joint another motor from now on.
---@param options floc.set_motor.options
function joint:set_motor(options) end

---@class floc.add_field.options
---@field law? function # The names of the function's parameters select its inputs: x y z vx vy vz radius mass id t time_step, uniform_random, normal_random, or an attribute.
---@field potential? function # In place of law: the force is minus its gradient. Inputs: x y z, axis_x ... (then with the torque -a x dU/da), radius mass id t, an attribute.
---@field returns? table # Names of what the law returns, in order: force_x _y _z, torque_z (in three dimensions torque_x _y _z), energy, rate_NAME and sum_NAME of an attribute NAME. Default: the force.
---@field name? string # Shown in messages.
---@field inputs? table # Names of the law's inputs, where the names of the function's parameters do not give them.
---@field parameters? table # Numbers by name that the law receives as parameters and that the script may change between steps, through the object that the call returns: { stiffness = 1e4 }.
---@field way? "auto"|"traced"|"chunked"|"called" # How the law is evaluated. "traced": as a program; an error if the law cannot be traced. "chunked": by a loop in one Lua state per thread (LuaJIT); an error if that is not possible. "called": by one Lua call per particle or pair.
---@field fast_math? boolean # A traced law may round a product and a sum once, and use exp, pow and the like from a vector library: faster, with other last bits than without. The same bits at any number of threads and after a resume on the same machine. An error where there is no AVX2 with FMA, or no glibc of 2.35 or newer.

---Adds a force on every particle, given by a function; returns the law.
---@param options floc.add_field.options
---@return floc.Law
function sim:add_field(options) end

---@class floc.add_force.options
---@field law? function # A positive force is repulsive. The names of the function's parameters select its inputs: distance (of the centres; at a body from the centre to the surface), overlap (above 0 where they overlap), normal_velocity (positive when separating), tangential_velocity, normal_x, slip_x, radius_i radius_j, mass_i mass_j, id_i id_j, material_i material_j, t, time_step, uniform_random, normal_random, an attribute with _i and _j, its memory, its parameters. i is the particle of the smaller id.
---@field potential? function # In place of law: the forces are minus its derivatives. Inputs: distance, overlap, normal_x ..., axis_i_x ... axis_j_x ... (then with torques -a x dU/da on each), radius_i radius_j, mass_i mass_j, id_i id_j, material_i material_j, t, an attribute with _i and _j, parameters.
---@field range? number # Maximum distance between the surfaces at which it acts. Pairs: math.huge for all pairs, which are not stored then and can have no memory; in a periodic box each pair interacts once, by its nearest images. [length]
---@field returns? table # Names of what the law returns, in order: normal, tangential (on j, in the direction of tangential_velocity: friction is negative), tangential_x _y _z, energy, its memory; on i, the opposite on j: force_x _y _z at the centres, torque_x _y _z; torque_i_x ..., torque_j_x ... of each; for an attribute NAME rate_NAME (added to that of i and taken from that of j, per time), sum_NAME (added to both, from 0 in each step), sum_i_NAME, sum_j_NAME. Default: normal, then the memory.
---@field memory? table # Names of numbers that are stored per pair from step to step; 0 for a new pair.
---@field symmetric? boolean # Whether it must give the same physics if i and j are exchanged, which is tried when it is added. Without it a law that does not is warned about; true: it is an error; false: it is meant.
---@field balanced? boolean # Likewise, whether its torques balance the moment of its force, so that angular momentum is kept.
---@field pairs? "near"|"bonds" # The pairs on which it acts: those within range, or the bonds that sim:add_law_bonds gives it, at any distance.
---@field attributes? table # Of laws over bonds: numbers that each bond has, by name, with the value of new bonds: { rest_length = 1 }. The law receives them as parameters, and sets those that returns names; broken among returns removes the bond at the end of the step where it is not 0.
---@field name? string # Shown in messages.
---@field inputs? table # Names of the law's inputs, where the names of the function's parameters do not give them.
---@field parameters? table # Numbers by name that the law receives as parameters and that the script may change between steps, through the object that the call returns: { stiffness = 1e4 }.
---@field way? "auto"|"traced"|"chunked"|"called" # How the law is evaluated. "traced": as a program; an error if the law cannot be traced. "chunked": by a loop in one Lua state per thread (LuaJIT); an error if that is not possible. "called": by one Lua call per particle or pair.
---@field fast_math? boolean # A traced law may round a product and a sum once, and use exp, pow and the like from a vector library: faster, with other last bits than without. The same bits at any number of threads and after a resume on the same machine. An error where there is no AVX2 with FMA, or no glibc of 2.35 or newer.

---Adds a force between pairs closer than range, given by a function; returns the law.
---@param options floc.add_force.options
---@return floc.Law
function sim:add_force(options) end

---@class floc.add_many_body.options
---@field sums table # Functions of a pair by name, { density = function(distance) ... end }. What they return, added over the neighbours of a particle, is its sum; a second number, if there is one, is added at j in place of the first. Inputs: distance, overlap, radius_i radius_j, mass_i mass_j, id_i id_j, material_i material_j, t, an attribute with _i and _j, parameters.
---@field energy function # Inputs: the sums by their names, radius, mass, id, t, an attribute, parameters.
---@field potential? function # Energy of pairs besides, with the inputs of sums.
---@field range number # Maximum distance between the surfaces at which it acts. Pairs: math.huge for all pairs, which are not stored then and can have no memory; in a periodic box each pair interacts once, by its nearest images. [length]
---@field name? string # Shown in messages.
---@field parameters? table # As for add_force; shared by all functions.
---@field fast_math? boolean # As for add_force.

---Adds an energy of sums over neighbours, such as an embedded atom's, and its forces; returns the law. Each particle gets the attributes NAME, the sum, and NAME_slope, the derivative of the energy with respect to it.
---@param options floc.add_many_body.options
---@return floc.Law
function sim:add_many_body(options) end

---@class floc.add_angle_force.options
---@field law? function # The moment opens the angle if it is positive. The names of the function's parameters select its inputs: angle (between the directions from j to i and to k, from 0 to pi; pi is straight), distance_ij distance_jk distance_ik, its attributes, id_i id_j id_k, t, time_step, a column or attribute of particles with _i, _j and _k, its memory, its parameters, uniform_random, normal_random.
---@field potential? function # In place of law: the forces are minus its derivatives with respect to the angle and the distances.
---@field returns? table # Names of what the law returns, in order: moment, force_ij force_jk force_ik (between two of the three, positive if it is repulsive), energy, broken, its attributes, its memory; for an attribute NAME of particles sum_NAME (added to all three, from 0 in each step), sum_i_NAME sum_j_NAME sum_k_NAME, rate_ij_NAME (per time, what i gets j gives) rate_jk_NAME rate_ik_NAME. Default: moment, then the memory.
---@field memory? table # Names of numbers that are stored per triple from step to step; 0 for a new one.
---@field attributes? table # Numbers that each triple has, as for add_force with pairs = "bonds".
---@field name? string # Shown in messages.
---@field inputs? table # Names of the law's inputs, where the names of the function's parameters do not give them.
---@field parameters? table # Numbers by name that the law receives as parameters and that the script may change between steps, through the object that the call returns: { stiffness = 1e4 }.
---@field way? "auto"|"traced"|"chunked"|"called" # How the law is evaluated. "traced": as a program; an error if the law cannot be traced. "chunked": by a loop in one Lua state per thread (LuaJIT); an error if that is not possible. "called": by one Lua call per particle or pair.
---@field fast_math? boolean # A traced law may round a product and a sum once, and use exp, pow and the like from a vector library: faster, with other last bits than without. The same bits at any number of threads and after a resume on the same machine. An error where there is no AVX2 with FMA, or no glibc of 2.35 or newer.

---Adds a force between three particles i, j, k, of the angle at j, given by a function; returns the law. sim:add_law_bonds gives it the triples.
---@param options floc.add_angle_force.options
---@return floc.Law
function sim:add_angle_force(options) end

---@class floc.add_law_bonds.options
---@field law any # The law, as sim:add_force or sim:add_angle_force returned it.
---@field particles table # The bonds: a list of lists of two ids, { { 1, 2 }, { 2, 3 } }, of laws of add_angle_force of three, the middle one second.
---@field attributes? table # Attributes by name, each a number, a list with a number for each bond, or a function(id_i, id_j) or (id_i, id_j, id_k) that returns it; default: those of the law's call.

---Gives bonds to a law of add_force with pairs = "bonds" or of add_angle_force. No two of them may have the same particles.
---@param options floc.add_law_bonds.options
function sim:add_law_bonds(options) end

---@class floc.remove_law_bonds.options
---@field law any # The law, as sim:add_force or sim:add_angle_force returned it.
---@field particles table # The bonds: a list of lists of two ids, { { 1, 2 }, { 2, 3 } }, of laws of add_angle_force of three, the middle one second.

---Takes bonds from a law.
---@param options floc.remove_law_bonds.options
function sim:remove_law_bonds(options) end

---@class floc.set_law_bonds.options
---@field law any # The law, as sim:add_force or sim:add_angle_force returned it.
---@field attributes table # Attributes by name, each a number, a list in the order of sim:law_bonds, or a function(id_i, id_j, value) that returns it.

---Sets attributes of all bonds of a law.
---@param options floc.set_law_bonds.options
function sim:set_law_bonds(options) end

---@class floc.add_wall_force.options
---@field law function # A positive force is repulsive. The names of the function's parameters select its inputs: distance (of the centres; at a body from the centre to the surface), overlap (above 0 where they overlap), normal_velocity (positive when separating), tangential_velocity, normal_x, slip_x, radius, mass, id, body (its number), material, t, time_step, uniform_random, normal_random, an attribute, shape_NAME for one of the shape, its memory, its parameters.
---@field range? number # Maximum distance between the surfaces at which it acts. Pairs: math.huge for all pairs, which are not stored then and can have no memory; in a periodic box each pair interacts once, by its nearest images. [length]
---@field returns? table # As for add_force; tangential is the force on the body, force_x _y _z and torque_x _y _z are those on the particle; rate_NAME and sum_NAME are added to the particle's attribute, rate_shape_NAME (per time) and sum_shape_NAME to that of the shape (add_body { attributes = { NAME = 0 } }).
---@field memory? table # Names of numbers that are stored per contact from step to step.
---@field name? string # Shown in messages.
---@field inputs? table # Names of the law's inputs, where the names of the function's parameters do not give them.
---@field parameters? table # Numbers by name that the law receives as parameters and that the script may change between steps, through the object that the call returns: { stiffness = 1e4 }.
---@field way? "auto"|"traced"|"chunked"|"called" # How the law is evaluated. "traced": as a program; an error if the law cannot be traced. "chunked": by a loop in one Lua state per thread (LuaJIT); an error if that is not possible. "called": by one Lua call per particle or pair.
---@field fast_math? boolean # A traced law may round a product and a sum once, and use exp, pow and the like from a vector library: faster, with other last bits than without. The same bits at any number of threads and after a resume on the same machine. An error where there is no AVX2 with FMA, or no glibc of 2.35 or newer.

---Adds a force between particles and bodies, given by a function; returns the law.
---@param options floc.add_wall_force.options
---@return floc.Law
function sim:add_wall_force(options) end

---@class floc.add_evolution.options
---@field law function # The names of the function's parameters select its inputs, as for add_field.
---@field attributes table # Names of the attributes whose rates it returns, in order.
---@field name? string # Shown in messages.
---@field inputs? table # Names of the law's inputs, where the names of the function's parameters do not give them.
---@field parameters? table # Numbers by name that the law receives as parameters and that the script may change between steps, through the object that the call returns: { stiffness = 1e4 }.
---@field way? "auto"|"traced"|"chunked"|"called" # How the law is evaluated. "traced": as a program; an error if the law cannot be traced. "chunked": by a loop in one Lua state per thread (LuaJIT); an error if that is not possible. "called": by one Lua call per particle or pair.
---@field fast_math? boolean # A traced law may round a product and a sum once, and use exp, pow and the like from a vector library: faster, with other last bits than without. The same bits at any number of threads and after a resume on the same machine. An error where there is no AVX2 with FMA, or no glibc of 2.35 or newer.

---Changes attributes in time, by rates that a function returns; returns the law.
---@param options floc.add_evolution.options
---@return floc.Law
function sim:add_evolution(options) end

---@class floc.add_attraction.options
---@field kappa number # Depth of the potential. [mass length^2/time^2]
---@field epsilon number # Distance over which it decays. [length]
---@field range? number # Distance beyond which the attraction is omitted; 0: five epsilon. [length]
---@field noise_scaling? boolean # It enters a step with the square root of the time step, to keep its weight relative to white noise (4.3); as scaling: "force" or "noise". Also: scaling.

---Adds a short-range attraction kappa/epsilon sech^2(D/epsilon) (Maury 2004, 2.8).
---@param options floc.add_attraction.options
function sim:add_attraction(options) end

---@class floc.add_long_range.options
---@field kind "gravity"|"coulomb" # "gravity": attraction, constant s_i s_j/r^2; "coulomb": repulsion of the same size.
---@field source? string # The attribute s; default: mass with gravity, the attribute charge with coulomb.
---@field constant number # Constant of gravity or of charges, in the units of the script.
---@field softening? number # Plummer's: the potential is constant s_i s_j/sqrt(r^2 + softening^2). [length]
---@field opening? number # A cell of the tree acts as a whole if its radius is below opening times its distance; 0: 0.3, which gives a force error of 6e-5 (rms).

---Adds gravity between particles, or forces between charges, at any distance, by a tree, at a cost of n log n.
---@param options floc.add_long_range.options
function sim:add_long_range(options) end

---@class floc.add_flow.options
---@field flow? "none"|"still"|"uniform"|"shear"|"oscillating_shear"|"rotation" # One of the built-in flows.
---@field law? function # Instead of flow: a function. The names of its parameters select its inputs, as for add_field.
---@field inputs? table # Names of the law's inputs, where the names of the function's parameters do not give them.
---@field way? "auto"|"traced"|"chunked"|"called" # As for add_force.
---@field relaxation_time? number # Mass divided by the friction coefficient; required. [time]
---@field exponential? boolean # Projection: exact decay over a step instead of the explicit one, and noise that gives <v^2> = sigma^2 tau/(2 m^2) at any h/tau; the explicit one gives that over 1 - h/(2 tau). Discrete elements are always exact.
---@field velocity? number[] # Velocity of the uniform flow. [length/time]
---@field rate? number # Rate of shear and rotation. [1/time]
---@field frequency? number # Angular frequency of the oscillating shear. [rad/time]
---@field center? number[] # Point at which the shear vanishes and about which the flow rotates; default: the origin. [length]

---Lets particles drift in a prescribed flow: friction -m (u - U)/relaxation_time. What rotates (rotation or friction in the scheme, assemblies) also experiences the viscous torque -(4/3) (m/relaxation_time) r^2 (omega - rot U/2); rot U of a function is computed by central differences over 1e-3 radii.
---@param options floc.add_flow.options
function sim:add_flow(options) end

---@class floc.add_noise.options
---@field sigma number # 0: none. [mass length/time^(3/2)]

---Adds white noise to the velocities (Maury 2004, 4.3): a random force on every particle, none on its rotation. With add_flow { flow = "still" } it is a heat bath of the temperature m <v^2> = sigma^2 tau/(2 m) per direction.
---@param options floc.add_noise.options
function sim:add_noise(options) end

---@class floc.set_a_priori.options
---@field law function # The names of the function's parameters select its inputs: x y z vx vy vz fx fy fz radius mass id t time_step, or an attribute. Forces of laws are in fx fy fz; gravity, a flow and noise would have no effect on the result and are refused.
---@field angular_velocity? boolean # The function also returns the angular velocity before contacts, after the velocity: one number in two dimensions, three in three. Something must rotate: by rotation or friction in the scheme, or an assembly, which takes its value from its members.
---@field name? string # Shown in messages.
---@field inputs? table # Names of the law's inputs, where the names of the function's parameters do not give them.
---@field way? "auto"|"traced"|"chunked"|"called" # As for add_force.

---A priori velocities by a function, in place of u + h f/m (Lefebvre 2009, Remark 2.8).
---@param options floc.set_a_priori.options
function sim:set_a_priori(options) end

---@class floc.ballistic.options
---@field minimiser? "projection"|"arrow_hurwicz"|"stochastic" # How contact is restored: violated links are projected one by one, in the order in which they come up or, stochastic, in one drawn from the seed; or damped Arrow-Hurwicz, (3.22)-(3.23), over whole clusters.
---@field rigid? boolean # Clusters keep their shape: they are stopped at the time at which they touch; no minimiser.
---@field rotation? boolean # Clusters rotate about their centres; columns wz in two dimensions, wx, wy, wz in three. Not with rigid.
---@field step_factor? number # A step is step_factor R / max|V|, (3.3), and at most the simulation's time_step; 0: always that. A step whose links cannot be brought to contact is repeated at half its length.
---@field tolerance? number # Maximum distance from contact of linked particles, in radii of the smaller one.
---@field max_iterations? integer # Of Arrow-Hurwicz per minimisation (projection does the rest), or projections of one link per step.
---@field patience? integer # After this number, stretched links that close a loop lose their attraction: some loops cannot be satisfied.
---@field descent? number # Arrow-Hurwicz: alpha.
---@field ascent? number # Arrow-Hurwicz: beta R^2.
---@field penalty? number # Arrow-Hurwicz: gamma R^2; stable below 0.08.
---@field damping? number # Arrow-Hurwicz: c.
---@field skin? number # Surface distance up to which neighbours are listed; 0: chosen by the engine. It changes only the cost. [length]

---Ballistic aggregation by time steps: free flight, clusters that overlap become one and are brought to contact (Degond et al. 2024, section 3). No fields, laws, gravity or bodies.
---@param options? floc.ballistic.options
---@return floc.Scheme
function floc.ballistic(options) end

---@class floc.event_driven.options
---@field restitution? number # Of a fast collision, (2.3).
---@field sticking_restitution? number # Collisions whose coefficient is not above this stick, all others bounce, (2.6).
---@field sticking_speed? number # Normal speed v_s up to which adhesion dominates; above it the coefficient is restitution sqrt(1 - (v_s/v)^2). [length/time]
---@field skin? number # Surface distance up to which neighbours are listed; 0: chosen by the engine. It changes only the cost. [length]
---@field rotation? boolean # Clusters rotate about their centres, as free rigid bodies; columns wz in two dimensions, wx, wy, wz in three.

---Ballistic aggregation from collision to collision, at exact times (Degond et al. 2024, Appendix A). A step goes to time + time_step, or ends where one cluster is left. No fields, laws, gravity or bodies.
---@param options? floc.event_driven.options
---@return floc.Scheme
function floc.event_driven(options) end

---@class floc.ballistic_start.options
---@field count integer # Number of particles; rounded up to the next square (cubic) number.
---@field volume_fraction number # Of the particles in the box; in three dimensions below 0.523.
---@field scheme? floc.Scheme # Default floc.event_driven{}.
---@field dimension? integer # 2 or 3.
---@field spacing? number # Lattice constant. [length]
---@field speed? number # Each component of a velocity is uniform between minus this and this. [length/time]
---@field boundary? "open"|"wall"|"periodic" # Of the box.
---@field time_step? number # Longest step. By default floc.ballistic takes its own, and floc.event_driven one to a single cluster. [time]
---@field seed? integer # Of the velocities.
---@field threads? integer # As for floc.simulation.

---A simulation with the start of Degond et al. 2024, section 4: a square (cubic) lattice that fills the box, random velocities, equal radii. Returns it and the radius.
---@param options floc.ballistic_start.options
---@return floc.Simulation, number
function floc.ballistic_start(options) end

---@class floc.discrete_element.options
---@field contact_force? "none"|"penalty"|"hertz"|"hooke" # Elastic force of a contact: stiffness E^exponent times the contact area (13), Hertz (70), stiffness times overlap, or none: laws of the script exert all forces. Also: contact.
---@field stiffness? number|table|function # Of the penalty force (13); with hooke: force/length. [force/length^2]
---@field exponent? number # Exponent of the penalty force.
---@field young_modulus? number # Young's modulus, with hertz. [force/length^2]
---@field poisson_ratio? number # Poisson's ratio, with hertz.
---@field damping? number|table|function # (19): normal damping force per contact area and normal velocity; with hooke per normal velocity.
---@field limit_damping? boolean # The normal force of a contact never pulls.
---@field rotation? boolean # Particles rotate (16)-(18): columns wx, wy, wz, in two dimensions wz.
---@field friction? "none"|"regularized"|"spring" # Friction as printed (20)-(24), or an accumulated tangential spring (Cundall and Strack 1979).
---@field friction_stiffness? number|table|function # Tangential stiffness, multiplied by the contact area; with hooke and spring: force/length. [force/length^3]
---@field friction_static? number|table|function # Coefficient of static friction: a contact sticks up to this times its normal force.
---@field friction_dynamic? number|table|function # Coefficient of friction of a contact that slides; at most friction_static.
---@field friction_damping? number|table|function # Damping of the tangential spring, in the units of damping.
---@field friction_time? number # Replaces the step in (20), (21) and (26), so that friction does not depend on it; 0: the step, as printed. [time]
---@field bond_law? "none"|"literal"|"persistent" # Bonds as printed (25), which act on overlapping particles only, or bonds that pull in tension until they break. Also: bonds.
---@field bond_stiffness? number # K_nb of (25). [force/length^2]
---@field bond_exponent? number # Exponent of the strain in (25).
---@field bond_tangential_stiffness? number # K_rb of (26). [force/length^3]
---@field bond_formation? number # Overlap over the sum of the radii at which a bond forms.
---@field bond_breaking? number # Surface distance over the sum of the radii at which a persistent bond breaks.
---@field bond_bodies? boolean # Particles bond to bodies and walls as they do to each other, with strains over the particle's radius.
---@field bond_strength_spread? number # Each bond has a strength of its own: it breaks at bond_breaking times a number between 1 - bond_strength_spread and 1, which depends on the seed and its particles alone. Persistent bonds only.
---@field thermal_softening? boolean # (35)-(37): the stiffness falls with the attribute temperature, which is added.
---@field thermal_sensitivity? number # a of (35).
---@field reference_temperature? number # Theta* of (35). [temperature]
---@field initial_temperature? number # Temperature of particles that are given no other. [temperature]
---@field least_stiffness? number # K_lim of (35). [force/length^2]
---@field viscosity? number # Stokes damping (30); with rotation also the torque -8 pi viscosity r^3 (omega - rot U/2), U the medium's velocity. [mass/(length time)]
---@field medium_velocity? number[]|function # Velocity of the medium; default 0. [length/time]
---@field attraction? number # Near field (28): attraction r^-attraction_exponent towards the other.
---@field attraction_exponent? number # See attraction.
---@field repulsion? number # Near field (28): repulsion r^-repulsion_exponent.
---@field repulsion_exponent? number # See repulsion.
---@field near_field_scaling? "constant"|"mass"|"area"|"volume"|"charge" # The property of both particles by which the coefficients are multiplied; they are also multiplied by an attribute sign, if there is one.
---@field near_field_range? number # Maximum surface distance; infinite: all pairs, at a cost that grows with the square of their number. [length]
---@field electric_field? function # (27), acts on the attribute charge.
---@field magnetic_field? function # B of (27) and (29).
---@field magnetization? number # gamma of (29), the attribute magnetization, which is added when it is not 0.
---@field magnetic_difference? number # Distance over which the gradient of B.B is computed by differences of fourth order. [length]
---@field integrator? "trapezoidal"|"velocity_verlet" # The trapezoidal rule (31)-(34) with fixed-point iteration, or velocity Verlet, which is explicit with one evaluation of forces per step.
---@field phi? number # Weight of the step's end in the trapezoidal rule.
---@field tolerance? number # Tolerance of the iteration (6.1).
---@field iterations? integer # Target number of iterations (K_d).
---@field adaptive? boolean # The trapezoidal step follows (75).
---@field first_time_step? number # First step of adaptive steps; 0: time_step. [time]
---@field rolling_friction? number|table|function # Coefficient of rolling resistance: a spring opposes rolling of the surfaces on each other, up to the torque rolling_friction times R* times the normal force, 1/R* = 1/R_i + 1/R_j, R* = R_i at a body. Needs rotation and rolling_stiffness.
---@field rolling_stiffness? number|table|function # Of the rolling spring, whose length is the rolled angle times R*, times the contact area; with hooke: force/length. [force/length^3]
---@field rolling_damping? number|table|function # Damping of the rolling spring, in the units of damping.
---@field materials? table # Names of materials, as in floc.inelastic; stiffness, damping, friction_stiffness, friction_static, friction_dynamic, friction_damping, rolling_friction, rolling_stiffness and rolling_damping may be tables or functions of two of them. At most 64.

---Soft spheres: forces grow with the overlap (Zohdi 2016; equation numbers are that paper's). With adaptive steps time_step of the simulation is the maximum.
---@param options? floc.discrete_element.options
---@return floc.Scheme
function floc.discrete_element(options) end

---@class floc.add_bond.options
---@field particles table # The ids of the two particles.
---@field area number # Cross-section of the bond. [length^2]

---Joins two particles by a persistent bond of the discrete-element scheme.
---@param options floc.add_bond.options
function sim:add_bond(options) end

---@class floc.remove_bond.options
---@field particles table # The ids of the two particles.

---Breaks the bond between two particles.
---@param options floc.remove_bond.options
function sim:remove_bond(options) end

---@class floc.set_media.options
---@field density? table # { of the surroundings, of the particles }, above 0; default { 1000, 6000 }. With more numbers, up to 17, a particle has that of its material: the second is of material 0, the third of material 1.
---@field sound_speed? table # Likewise, as many; default { 1500, 4500 }.
---@field body_reflectance? number # Fraction of the power that bodies and walls reflect; the rest is absorbed there.
---@field heat_capacity? number|table # Of the particles, or { of material 0, of material 1, ... }: absorbed energy raises the attribute temperature by itself over mass and heat capacity; default 0, which leaves the temperature as it is. [energy/(mass temperature)]
---@field attenuation? number|table # Of the surroundings, or { of the surroundings, of material 0, of material 1, ... }: over a way d the power of a ray falls to exp(-attenuation d) of itself; default 0. What the surroundings take is sim:ray_report().attenuated, what a particle takes is absorbed by it, without a force. An escaping ray loses power until it leaves the box around the particles. In particles rays fly only where a hit function answers transmit; sources without one are refused then. [1/length]

---What rays travel through: decides reflectance (2), refraction and force (7).
---@param options floc.set_media.options
function sim:set_media(options) end

---@class floc.reflectance.options
---@field cosine number # Of the angle of incidence.
---@field media? table # As for sim:set_media; default water and ceramic.

---Reflectance (2), (60)-(62) and cosine of refraction of a ray that meets a particle.
---@param options floc.reflectance.options
---@return number, number
function floc.reflectance(options) end

---@class floc.plane_wave.options
---@field direction? number[] # Direction of the beam, of any length except 0; default x.
---@field aim? number[] # A point on the beam's axis; default the origin. [length]
---@field radius? number # Radius of the disc from which rays start. [length]
---@field distance? number # Distance from the plane in which rays start to aim; 0: the plane is in front of all particles. [length]
---@field sampling? "random"|"even" # Independent uniform positions, or a sunflower pattern, rotated at random for each pulse.
---@field rays? integer # Number of rays in a pulse; with 0 the pulse carries nothing.
---@field power? number # Power of a pulse; each ray starts with an equal fraction of it.
---@field duration? number # How long the force of a hit acts; the impulse is the force times this, whatever the time step. [time]
---@field times? table # Times of the pulses, in ascending order; instead of start, period and pulses. [time]
---@field start? number # Time of the first pulse. [time]
---@field period? number # Time from one pulse to the next. [time]
---@field pulses? integer # Number of pulses; 0: without end.
---@field seed? integer # Seed of the positions; 0: derived from the simulation's seed and the source's number.
---@field method? "exact"|"advance" # Exact intersections, or the paper's discrete advance (9), to compare.
---@field advance? number # Stride of the advance, in units of the smallest radius (xi).
---@field in_flight? boolean # Rays travel at the sound speed of the surroundings; otherwise a pulse crosses everything at once.
---@field max_bounces? integer # A ray ends after this number of hits; the power that it still carries counts as residual.
---@field power_floor? number # A ray ends when it carries less than this fraction of its initial power.
---@field hit? function # Decides the result of a hit, from hit.ray, id or body, bounces, inside, power, reflected_power, cosine, area, time, point, normal, direction, refracted_direction, force. It returns nothing (acoustic reflection) or "reflect", "absorb" or "transmit", then, unless the usual values are wanted, the power of the continuing ray, its direction, and the force.

---A source of parallel rays over a disc, in two dimensions over a line. Rays that meet nothing escape; a ray that starts inside a particle first leaves it, without a hit.
---@param options? floc.plane_wave.options
---@return floc.RaySource
function floc.plane_wave(options) end

---@class floc.point_source.options
---@field position number[] # Where the rays start. [length]
---@field direction? number[] # Direction of the cone's axis; default x.
---@field half_angle? number # Half of the cone's opening angle; pi: all directions. [rad]
---@field sampling? "random"|"even" # Independent uniform positions, or a sunflower pattern, rotated at random for each pulse.
---@field rays? integer # Number of rays in a pulse; with 0 the pulse carries nothing.
---@field power? number # Power of a pulse; each ray starts with an equal fraction of it.
---@field duration? number # How long the force of a hit acts; the impulse is the force times this, whatever the time step. [time]
---@field times? table # Times of the pulses, in ascending order; instead of start, period and pulses. [time]
---@field start? number # Time of the first pulse. [time]
---@field period? number # Time from one pulse to the next. [time]
---@field pulses? integer # Number of pulses; 0: without end.
---@field seed? integer # Seed of the positions; 0: derived from the simulation's seed and the source's number.
---@field method? "exact"|"advance" # Exact intersections, or the paper's discrete advance (9), to compare.
---@field advance? number # Stride of the advance, in units of the smallest radius (xi).
---@field in_flight? boolean # Rays travel at the sound speed of the surroundings; otherwise a pulse crosses everything at once.
---@field max_bounces? integer # A ray ends after this number of hits; the power that it still carries counts as residual.
---@field power_floor? number # A ray ends when it carries less than this fraction of its initial power.
---@field hit? function # Decides the result of a hit, from hit.ray, id or body, bounces, inside, power, reflected_power, cosine, area, time, point, normal, direction, refracted_direction, force. It returns nothing (acoustic reflection) or "reflect", "absorb" or "transmit", then, unless the usual values are wanted, the power of the continuing ray, its direction, and the force.

---A source of rays from a point into a cone.
---@param options floc.point_source.options
---@return floc.RaySource
function floc.point_source(options) end

---@class floc.emitter.options
---@field emit function # { position =, direction =, area = or solid_angle =, power = }: the cross-section that the ray stands for (or how it grows with the square of the distance), and its power, by default an equal fraction.
---@field rays? integer # Number of rays in a pulse; with 0 the pulse carries nothing.
---@field power? number # Power of a pulse; each ray starts with an equal fraction of it.
---@field duration? number # How long the force of a hit acts; the impulse is the force times this, whatever the time step. [time]
---@field times? table # Times of the pulses, in ascending order; instead of start, period and pulses. [time]
---@field start? number # Time of the first pulse. [time]
---@field period? number # Time from one pulse to the next. [time]
---@field pulses? integer # Number of pulses; 0: without end.
---@field seed? integer # Seed of the positions; 0: derived from the simulation's seed and the source's number.
---@field method? "exact"|"advance" # Exact intersections, or the paper's discrete advance (9), to compare.
---@field advance? number # Stride of the advance, in units of the smallest radius (xi).
---@field in_flight? boolean # Rays travel at the sound speed of the surroundings; otherwise a pulse crosses everything at once.
---@field max_bounces? integer # A ray ends after this number of hits; the power that it still carries counts as residual.
---@field power_floor? number # A ray ends when it carries less than this fraction of its initial power.
---@field hit? function # Decides the result of a hit, from hit.ray, id or body, bounces, inside, power, reflected_power, cosine, area, time, point, normal, direction, refracted_direction, force. It returns nothing (acoustic reflection) or "reflect", "absorb" or "transmit", then, unless the usual values are wanted, the power of the continuing ray, its direction, and the force.

---A source whose rays a function makes.
---@param options floc.emitter.options
---@return floc.RaySource
function floc.emitter(options) end

---@class floc.trace.options
---@field source floc.RaySource # floc.plane_wave{...}, floc.point_source{...} or floc.emitter{...}.
---@field media? table # As for sim:set_media; default the simulation's.
---@field paths? boolean|integer # Keep the pieces of the paths, or this number of them, for pictures: result.paths, a list of { ray, from, to, power }.
---@field by_particle? boolean # result.force[id] and result.absorbed_by[id]: force and absorbed power of every particle.

---Traces one pulse at once through the particles in their present positions; nothing changes. Returns what sim:ray_report returns, and what was requested.
---@param options floc.trace.options
---@return table
function sim:trace(options) end

---@class floc.pairs.options
---@field range number # Maximum distance of the surfaces, or of the centres. [length]
---@field by? "surfaces"|"centers" # What range is measured between.
---@field names? table # Of id_i, id_j, distance (of the centres), gap (of the surfaces, below 0 overlapping), x, y, z (from i to j); default: the first four.
---@field into? table # What an earlier call returned, whose lists are filled again.

---Pairs of particles near each other as lists of numbers, one list per name, in the order of ids: { count = n, id_i = { ... }, id_j = { ... }, distance = { ... }, gap = { ... } }; id_i < id_j. In a periodic domain particles are at their nearest images.
---@param options floc.pairs.options
---@return table
function sim:pairs(options) end

---@class floc.energy_ledger.options

---The account of energy of a simulation with energy_ledger = true, as a table: kinetic = start + the works of gravity, laws, fields, near_field, drag, contacts, damping, friction, rolling, bonds, flow, rays, walls, cell, outside, loads, joints, motors, springs; each from its own forces, so that residual shows what is missing. turnover, steps.
---@param options? floc.energy_ledger.options
---@return table
function sim:energy_ledger(options) end

---@class floc.stress.options
---@field volume? number # That the particles fill; 0: of the domain, on open axes of their bounding box. [length^dimension]

---The stress tensor of all particles (compression is positive) as the sum of its parts: tensor = kinetic + contacts + laws, matrices of rows; pressure, the mean of its diagonal; volume; fabric, the mean of n n^T over the contacts of particles that carry a force; contact_count, coordination_number of these.
---@param options? floc.stress.options
---@return table
function sim:stress(options) end

---@class floc.radial_distribution.options
---@field range number # Largest distance between two centres; at most half the length of the box on periodic axes. [length]
---@field bins? integer # Intervals of equal width.

---The radial distribution function g(r): { r = { ... }, g = { ... } }, r the midpoints of the intervals; the number density of centres at a distance r from a particle, divided by their mean density. On axes that are not periodic only particles at least range away from both ends of the domain (of the particles' bounding box where it is open) serve as the particle at r = 0, so that no neighbour is missing.
---@param options floc.radial_distribution.options
---@return table
function sim:radial_distribution(options) end

---@class floc.structure_factor.options
---@field greatest number # Largest wave number, 2 pi/length. [1/length]
---@field bins? integer # Intervals of wave numbers of equal width.

---The structure factor S(k) = |sum of exp(i k.x)|^2 / n, averaged over the wave vectors k of the periodic box in each interval: { k = { ... }, s = { ... }, vectors = { ... } }, k their mean length, vectors how many there are (k and -k are one); intervals without a vector are left out. All axes must be periodic.
---@param options floc.structure_factor.options
---@return table
function sim:structure_factor(options) end

---@class floc.profile.options
---@field along "x"|"y"|"z" # The axis.
---@field columns table # Names of columns or attributes.
---@field weight? string # A column, or "none".
---@field bins? integer # Intervals of equal width.
---@field lower? number # Where the first begins; default: the domain's, on an open axis that of the particles. [length]
---@field upper? number # Where the last ends; likewise. [length]

---Means of columns along an axis, as of velocities: { y = { ... }, count = { ... }, vx = { ... } }: the midpoints of the intervals, the number of particles whose centres are in them, and the weighted mean of each column; nan where there are none.
---@param options floc.profile.options
---@return table
function sim:profile(options) end

---@class floc.force_distribution.options
---@field bins? integer # Intervals of equal width.
---@field greatest? number # Largest force, as a multiple of the mean.

---The distribution of the normal forces of contacts: { force = { ... }, density = { ... }, mean = number, count = n }, force the midpoints of the intervals, as multiples of the mean force; the density's integral is the fraction of contacts below greatest. The contacts are those of sim:stress.
---@param options? floc.force_distribution.options
---@return table
function sim:force_distribution(options) end

---@class floc.mixing_index.options
---@field cell number # Side of the cells, which hold some ten particles each; as many fit on an axis as come nearest to it. [length]
---@field column? string # Column or attribute that tells the kinds apart.
---@field threshold? number # Particles above it are of the one kind; default: the middle between the minimum and the maximum.

---Lacey's mixing index of two kinds of particles, told apart by a column: 0 where each cell of a grid has one kind, 1 in the mean of random mixtures; 1 minus it measures segregation. Returns { index, fraction, variance, segregated, random, cells }.
---@param options floc.mixing_index.options
---@return table
function sim:mixing_index(options) end

---@class floc.bond_order.options
---@field order? integer # k of psi_k in the plane, l of q_l in space.
---@field range? number # Maximum distance of the surfaces, or of the centres; default: neighbours touch (surfaces within 1e-3 of the smaller radius). [length]
---@field by? "surfaces"|"centers" # What range is measured between.
---@field averaged? boolean # The vector of a particle is the mean over itself and its neighbours (Lechner and Dellago 2008).

---Bond-orientational order from the directions to neighbours: { mean, global, neighbors, alone, of = { ... } }. In the plane of[id] is |psi_k|, psi_k the mean of exp(i k angle) over the neighbours; in space Steinhardt's q_l, the root of 4 pi/(2 l + 1) times the sum of |mean of Y_lm|^2 over m. mean: of these over all particles; global: the same length of the mean of the psi_k, or of the q_lm, over all particles; neighbors: their mean number; alone: particles that have none, whose order is 0.
---@param options? floc.bond_order.options
---@return table
function sim:bond_order(options) end

---@class floc.coarse_grain.options
---@field width number # Deviation of the kernel, a product of normal densities cut off at six widths. [length]
---@field grid? table # Numbers of cells { nx, ny } or { nx, ny, nz }; default: as many as keep cells within half a width.
---@field lower? number[] # Where the grid begins on axes that are not periodic; default: the grid holds all kernels. [length]
---@field upper? number[] # Where it ends. [length]
---@field path? string # A .vti file, which ParaView reads.

---Coarse-grained fields (Goldhirsch 2010) as means over the cells of a grid, lists in which x runs fastest: density, momentum_x, velocity_x ..., kinetic_stress_xx, contact_stress_xx, law_stress_xx ..., their sum stress_xx ... (compression is positive), pressure, granular_temperature (mean square of a component of the velocity about the field's, by mass); and cells, lower, spacing of the grid. With path they are written as a .vti file, too.
---@param options floc.coarse_grain.options
---@return table
function sim:coarse_grain(options) end

---@class floc.moment.options
---@field column string # Q: any column or attribute.
---@field order? integer # Exponent of the moment.
---@field about? number|string # A value, or "mean".
---@field weight? string # a: a column, or "none".

---Moment of a column about a value (Zohdi 2016, (40)): sum of a (Q - about)^order over the sum of a.
---@param options floc.moment.options
---@return number
function sim:moment(options) end

---@class floc.clusters.options
---@field by? "gap"|"link"|"bond" # What connects two particles: surfaces within gap, or a link or bond of the scheme.
---@field gap? number # Maximum surface distance that connects. [length]

---Finds clusters: count, single, largest, mean_size, weighted_mean_size, sizes (largest first), and `of`, the cluster's number by particle id.
---@param options? floc.clusters.options
---@return table
function sim:clusters(options) end

---@class floc.greatest_distance.options
---@field by? "gap"|"link"|"bond" # What forms clusters, as for sim:clusters.
---@field gap? number # Maximum surface distance that connects. [length]
---@field cluster? string|integer # Number of the cluster as in sim:clusters, or "largest"; default all particles.

---Maximum distance between two centres, of all particles or of one cluster.
---@param options? floc.greatest_distance.options
---@return number
function sim:greatest_distance(options) end

---@class floc.bond_changes.options
---@field gap number # Maximum surface distance of a bond. [length]

---Pairs within gap that formed and broke since the last call: returns both numbers.
---@param options floc.bond_changes.options
---@return integer, integer
function sim:bond_changes(options) end

---@class floc.merges.options
---@field gap? number # Clusters are those of surfaces at most this far apart, compared between calls. Without it they are those of links or bonds of the scheme; under ballistic and event_driven each merge is recorded at its time. [length]
---@field apart? number # A pair within gap stays joined until its surfaces are further apart than this; default: gap. [length]
---@field names? table # Of time; change of the number of clusters (-1: two merged, +1: one came apart); id_i, id_j, the particles that touched, id_i < id_j; size_i, size_j, mass_i, mass_j of the two clusters; x, y, z in the middle between the surfaces; normal_x, .. from i to j; vx_i, .. and vx_j, .. of the mass centres while apart, vx, .. while together; default: all.
---@field into? table # What an earlier call returned, whose lists are filled again.

---Clusters that merged and came apart since the last call, in their order, as lists of numbers; the first call begins. A table { count = n, time = { ... }, ... } with, besides, numbers since the first call: clusters = start - merges + splits + outside, where outside is what particles that came (each is a cluster) and went have added. Under ballistic and event_driven, without gap, times and velocities are those of the merge; otherwise clusters of two calls are compared: the time is that of the call, velocities while apart (of splits: while together) are those at the call before. All calls of a simulation must give the same gap and apart.
---@param options? floc.merges.options
---@return table
function sim:merges(options) end

---@class floc.write_merges.options
---@field path string # The file; missing folders are created.
---@field every? integer|table # Looks every that many steps, or { time = ... }.
---@field gap? number # Clusters are those of surfaces at most this far apart, compared between calls. Without it they are those of links or bonds of the scheme; under ballistic and event_driven each merge is recorded at its time. [length]
---@field apart? number # A pair within gap stays joined until its surfaces are further apart than this; default: gap. [length]
---@field names? table # The columns; default: all.

---Writes what sim:merges gives as rows of a table, after steps and at the end of the script; the columns are separated by tabs, in files .csv by commas. NAME.vtp, for ParaView, has the merges as points with these numbers; it is made at the end of the script from NAME.csv. Plain Lua, outside of the program, knows no end of a script: rows after the last interval and NAME.vtp are not written there.
---@param options floc.write_merges.options
function sim:write_merges(options) end

---@class floc.cluster_sizes.options
---@field by? "link"|"gap" # What connects particles to clusters.
---@field gap? number # Maximum surface distance that connects. [length]

---Clusters by size: a list of sizes, ascending, and how many clusters have each.
---@param options? floc.cluster_sizes.options
---@return integer[], integer[]
function sim:cluster_sizes(options) end

---@class floc.gyration.options
---@field cluster? "all"|"largest"|integer # Of all particles, of the largest cluster, or of the one with this number in sim:clusters.
---@field by? "link"|"gap" # What connects particles to clusters: links of the scheme, or surfaces within gap.
---@field gap? number # Maximum surface distance that connects. [length]

---Shape by the gyration tensor (4.11)-(4.12): count, mass, center, tensor, eigenvalues (descending), orientation, aspect_ratio, radius (of gyration).
---@param options? floc.gyration.options
---@return table
function sim:gyration(options) end

---@class floc.contact_number.options
---@field factor? number # 2.1 is the paper's; 2.002 counts those that touch: the coordination number.
---@field cluster? "all"|"largest"|integer # Of all particles, of the largest cluster, or of the one with this number in sim:clusters.
---@field by? "link"|"gap" # What connects particles to clusters: links of the scheme, or surfaces within gap.
---@field gap? number # Maximum surface distance that connects. [length]

---Mean number of other particles whose centre is within factor times the mean radius of both: (4.13) without the particle itself and not divided by 6 (12).
---@param options? floc.contact_number.options
---@return number
function sim:contact_number(options) end

---@class floc.pair_distribution.options
---@field distances table # Ascending numbers, at least 0.
---@field cluster? "all"|"largest"|integer # Of all particles, of the largest cluster, or of the one with this number in sim:clusters.
---@field by? "link"|"gap" # What connects particles to clusters: links of the scheme, or surfaces within gap.
---@field gap? number # Maximum surface distance that connects. [length]

---Mean numbers of other particles whose centre is within each distance, (4.14) without the particle itself: a list.
---@param options floc.pair_distribution.options
---@return number[]
function sim:pair_distribution(options) end

---@class floc.box_counting.options
---@field least? number # Start of the fit; 0: three mean radii. [length]
---@field greatest? number # End of the fit; 0: half of the box, or the radius of gyration for mass_radius. [length]
---@field side? number # Of the greatest box; 0: the longest side of the domain, or of the particles where it is open. [length]
---@field corner? number[] # Its lower corner; used with side. [length]
---@field cluster? "all"|"largest"|integer # Of all particles, of the largest cluster, or of the one with this number in sim:clusters.
---@field by? "link"|"gap" # What connects particles to clusters: links of the scheme, or surfaces within gap.
---@field gap? number # Maximum surface distance that connects. [length]

---Fractal dimension by box counting (4.15): dimension, deviation (standard error of the slope), x (sides), y (boxes that hold a centre), first and last point of the fit, prefactor.
---@param options? floc.box_counting.options
---@return table
function sim:box_counting(options) end

---@class floc.mass_radius.options
---@field least? number # Start of the fit; 0: three mean radii. [length]
---@field greatest? number # End of the fit; 0: half of the box, or the radius of gyration for mass_radius. [length]
---@field cluster? "all"|"largest"|integer # Of all particles, of the largest cluster, or of the one with this number in sim:clusters.
---@field by? "link"|"gap" # What connects particles to clusters: links of the scheme, or surfaces within gap.
---@field gap? number # Maximum surface distance that connects. [length]

---Fractal dimension from the mass within distances of the centre of mass; as box_counting, x are distances and y masses.
---@param options? floc.mass_radius.options
---@return table
function sim:mass_radius(options) end

---@class floc.cluster_scaling.options
---@field least_count? integer # Clusters of fewer particles are omitted.
---@field by? "link"|"gap" # What connects particles to clusters.
---@field gap? number # Maximum surface distance that connects. [length]

---Fractal dimension from the masses of clusters against their radii of gyration; as box_counting, x are radii and y masses.
---@param options? floc.cluster_scaling.options
---@return table
function sim:cluster_scaling(options) end

---@class floc.run.options
---@field steps? integer # Number of steps; or one of the next two.
---@field until_time? number # Run until this time. [time]
---@field until_? function|"at rest"|table # Run until this function, called before every step, returns true; or until all is at rest: "at rest", or limits of one's own (until_ below). Beside these two, steps or until_time ends the run if it comes first, with a warning.
---@field progress? boolean # Show progress; by default the program decides.
---@field on_unconverged? "warn"|"stop"|"go_on" # What to do when the contacts of a step were not solved to the tolerance: warn after the run, stop with an error at the first, or continue without a warning. floc run --strict stops unless go_on is written here.

---Advances the simulation; returns the number of steps.
---@param options floc.run.options
---@return integer
function sim:run(options) end

---@class floc.until_.options
---@field kinetic_below? number # The kinetic energy of all, the measure kinetic_energy, is below this. [energy]
---@field speed_below? number # The greatest speed of a centre, the measure greatest_speed, is below this. [length/time]
---@field unbalanced_below? number # The mean force left on a particle over that of a contact, the measure unbalanced_force_ratio, is below this.
---@field lasting? number # For how long they hold without a break; default 0.1 sqrt(d/g), which a start from rest and a throw at its highest point do not; without gravity 10 time steps. The state with which the run begins does not count. [time]

---@class floc.interval.options
---@field time? number # After the first step at or beyond each multiple of it, once a step at most; of files also the first state. [time]
---@field condition? function # Of sim:every alone: after a step after which it has become true.

---@class floc.checkpoint.options
---@field path string # Name of the file.
---@field every? integer|table # Steps between two files, or { time = }; without it the file is written at once.
---@field keep? integer # Number of files that are kept: path, path.1, path.2, ... (newest first).
---@field compression? "default"|"none" # none: the file is not compressed; it is larger and written in a fraction of the time. Its contents are the same.
---@field on_failure? "stop"|"go_on" # What to do when the file cannot be written during a run: stop with an error, or warn and continue; older files stay.

---Writes the whole state: now, or at intervals.
---@param options floc.checkpoint.options|string
function sim:checkpoint(options) end

---@class floc.observe.options
---@field path string # Name of the file.
---@field every? integer|table # Steps between two rows, or { time = }.
---@field columns table # A list of names (measures, step, time, contacts, iterations, residual, overlap) and of { "name", function(sim) return number end }; or a table { name = function or measure }, whose columns are step, time, and the names in alphabetical order.

---Writes a table of observables, one row at intervals, as tab-separated text.
---@param options floc.observe.options
function sim:observe(options) end

---@class floc.report.options
---@field claim string # What is claimed, in one sentence.
---@field value? number|string|boolean # What was measured.
---@field absent? string # Instead of value: why the claim does not apply to this run.
---@field unit? string # Unit of the value.
---@field standard_error? number # Standard error of the value, if it is a mean.
---@field expect? table # What the value must satisfy: { at_least =, at_most =, equal =, tolerance = }.
---@field band_from? string # Where expect comes from: exact, a theory, a measurement.
---@field ensemble? integer # Instead of expect: the value is the mean of that many runs, and its band that of the ensemble in ensembles.tsv beside the script, which floc reproduce --ensembles measures. At arguments without an ensemble the claim does not apply.
---@field paper? string # Where the claim is made: author, year, section.
---@field item? string # Which row of examples/statements.tsv the claim computes: L20. One row may have several claims.
---@field paper_says? string # What the paper says, in words.
---@field paper_value? number|string # The value in the paper: a number, or its words.
---@field paper_band? table # In which range a value agrees with the paper, in the form of expect; without it, where the paper's words or value are given, it is expect.
---@field differs? string # Why the value is not in paper_band. A claim that differs without a reason fails, and so does one that has a reason and agrees.

---Records a claim and the measured value; all of them are printed at the end of the run.
---@param options floc.report.options
---@return boolean?
function floc.report(options) end

---@class floc.picture.options
---@field path string # Name of the file.
---@field caption? string # Caption below the picture; default: step and time.
---@field colour? string|function # What colours the particles: a column, an attribute, "speed", or a function.
---@field group? string|function # Colour by group instead: an attribute, or a function.
---@field field? table|function # Two dimensions: draw a field, cell by cell, under everything else: what sim:coarse_grain returned, or a table like it (cells, lower, spacing, and lists in which x runs fastest); for movies a function. Without colour, group and tubes particles are left out.
---@field quantity? string # Which list of the field; default: density.
---@field tubes? "gamma"|"impulse"|"force" # Draw contacts as tubes, darker for larger values of gamma, of the impulse of the last step, or of the force (the impulse divided by the time step).
---@field rays? boolean|floc.RayPaths # Draw rays, coloured by their power: true for those in flight, as arrows; or paths of sim:trace.
---@field ray_power? number # Power that has the brightest colour and the longest arrow; by default the largest one.
---@field ray_length? number # Length of an arrow at that power; default 0.1. [length]
---@field ray_width? number # Width of the lines of rays; 0: chosen automatically. [pixels]
---@field ray_unit? string # Unit of the power, for the legend.
---@field range? table # Values { lowest, highest } at the ends of the colour scale; default: those of what the window shows. range, map, logarithmic, label and unit apply to the field if there is one, else to the particles if colour is given, otherwise to the tubes.
---@field map? "viridis"|"magma"|"inferno"|"grey"|"diverging" # Colour map.
---@field logarithmic? boolean # Colour by the logarithm.
---@field legend? boolean # Draw the colour bar.
---@field label? string # Label of the colour bar; default: the name of the column.
---@field unit? string # Unit, written after the label.
---@field lower? number[] # Window: lower corner; default: everything. [length]
---@field upper? number[] # Window: upper corner. [length]
---@field direction? number[] # Three dimensions: viewing direction of the camera; default: from the front, a little from the right and above.
---@field up? number[] # Three dimensions: upwards in the picture; default: up of the simulation.
---@field zoom? number # Magnification about the centre.
---@field title? string # Title above the panel.
---@field note? string # Small text in the upper left corner.
---@field length_unit? string # Unit of length, written after the number of the scale bar.
---@field width? integer # Width. [pixels]
---@field height? integer # Height; default: from what is drawn. [pixels]
---@field background? integer # Colour of the background, 0xRRGGBB; default white.

---Draws the present state of the simulation into a .png, .svg or .pdf file.
---@param options floc.picture.options|string
function sim:picture(options) end

---@class floc.add.options
---@field colour? string|function # What colours the particles: a column, an attribute, "speed", or a function.
---@field group? string|function # Colour by group instead: an attribute, or a function.
---@field field? table|function # Two dimensions: draw a field, cell by cell, under everything else: what sim:coarse_grain returned, or a table like it (cells, lower, spacing, and lists in which x runs fastest); for movies a function. Without colour, group and tubes particles are left out.
---@field quantity? string # Which list of the field; default: density.
---@field tubes? "gamma"|"impulse"|"force" # Draw contacts as tubes, darker for larger values of gamma, of the impulse of the last step, or of the force (the impulse divided by the time step).
---@field rays? boolean|floc.RayPaths # Draw rays, coloured by their power: true for those in flight, as arrows; or paths of sim:trace.
---@field ray_power? number # Power that has the brightest colour and the longest arrow; by default the largest one.
---@field ray_length? number # Length of an arrow at that power; default 0.1. [length]
---@field ray_width? number # Width of the lines of rays; 0: chosen automatically. [pixels]
---@field ray_unit? string # Unit of the power, for the legend.
---@field range? table # Values { lowest, highest } at the ends of the colour scale; default: those of what the window shows. range, map, logarithmic, label and unit apply to the field if there is one, else to the particles if colour is given, otherwise to the tubes.
---@field map? "viridis"|"magma"|"inferno"|"grey"|"diverging" # Colour map.
---@field logarithmic? boolean # Colour by the logarithm.
---@field legend? boolean # Draw the colour bar.
---@field label? string # Label of the colour bar; default: the name of the column.
---@field unit? string # Unit, written after the label.
---@field lower? number[] # Window: lower corner; default: everything. [length]
---@field upper? number[] # Window: upper corner. [length]
---@field direction? number[] # Three dimensions: viewing direction of the camera; default: from the front, a little from the right and above.
---@field up? number[] # Three dimensions: upwards in the picture; default: up of the simulation.
---@field zoom? number # Magnification about the centre.
---@field title? string # Title above the panel.
---@field note? string # Small text in the upper left corner.
---@field length_unit? string # Unit of length, written after the number of the scale bar.

---Adds the present state of a simulation to panels made by floc.panels.
---@param sim floc.Simulation
---@param options? floc.add.options
function panels:add(sim, options) end

---@class floc.panels.options
---@field columns? integer # Panels per row; 0: the number that uses the area best.
---@field shared_scale? boolean # One range of colours, and one legend, for all.
---@field title? string # Above everything.
---@field caption? string # Below everything.
---@field width? integer # Width. [pixels]
---@field height? integer # Height; default: from what is drawn. [pixels]
---@field background? integer # Colour of the background, 0xRRGGBB; default white.

---Several moments or simulations in one picture: panels:add(sim, {...}), panels:write(path).
---@param options? floc.panels.options
---@return floc.Panels
function floc.panels(options) end

---@class floc.plot.options
---@field path string # Name of the file.
---@field title? string # Above everything.
---@field caption? string # Below everything.
---@field panels? table # Several graphs in one picture: a list of { title =, x =, y =, series =, ... }.
---@field columns? integer # Panels per row; 0: chosen automatically.
---@field x? table # The horizontal axis: { label =, unit =, lower =, upper =, logarithmic = }.
---@field y? table # The vertical axis, likewise.
---@field series? table # A list of { name =, x = {...}, y = {...}, style =, dash =, ... }; see floc help series.
---@field references? table # Reference lines and bands: a list of { value =, second =, vertical =, label = }.
---@field equal_scale? boolean # Equal scales in x and y.
---@field legend? "automatic"|"none"|"upper_right"|"upper_left"|"lower_right"|"lower_left"|"below" # Position of the legend.
---@field width? integer # Width. [pixels]
---@field height? integer # Height; default: from what is drawn. [pixels]
---@field background? integer # Colour of the background, 0xRRGGBB; default white.

---Draws curves into a .png, .svg or .pdf file.
---@param options floc.plot.options
function floc.plot(options) end

---@class floc.panel.options
---@field title? string # Above it.
---@field x? table # The horizontal axis: { label =, unit =, lower =, upper =, logarithmic = }.
---@field y? table # The vertical axis, likewise.
---@field series? table # A list of { name =, x = {...}, y = {...}, style =, dash =, ... }; see floc help series.
---@field references? table # Reference lines and bands: a list of { value =, second =, vertical =, label = }.
---@field equal_scale? boolean # Equal scales in x and y.
---@field legend? "automatic"|"none"|"upper_right"|"upper_left"|"lower_right"|"lower_left"|"below" # Position of the legend.

---@class floc.axis.options
---@field label? string # Name of the quantity.
---@field unit? string # Unit, written in brackets after the label.
---@field lower? number # Lower end; default: from the data.
---@field upper? number # Upper end; default: from the data.
---@field logarithmic? boolean # Logarithmic, to base 10.

---@class floc.series.options
---@field y table # The values; a value that is not finite leaves a gap.
---@field x? table # Positions of the values; default 1, 2, 3, ...
---@field name? string # Name in the legend.
---@field style? string # line, markers, steps, bars, or several: "line markers".
---@field dash? "solid"|"dashed"|"dotted"|"dash_dotted" # Kind of line.
---@field colour? integer # Colour 0xRRGGBB; by default each curve gets another one.
---@field width? number # Width of the line; 0: chosen automatically. [pixels]
---@field marker_size? number # Size of markers; 0: chosen automatically. [pixels]
---@field error? table # Half lengths of error bars.
---@field band_lower? table # With band_upper: a translucent band.
---@field band_upper? table # See band_lower.

---@class floc.reference.options
---@field value number # Position of the line.
---@field second? number # With this, a band from value to second.
---@field vertical? boolean # The line is vertical, at an x.
---@field label? string # Label next to the line.

---@class floc.record.options
---@field movie string # Name of the movie, .mp4, .webm or .gif, made by ffmpeg; or a pattern like frames/%05d.png for a picture per frame. Without ffmpeg the frames become pictures in a folder with the movie's name. While it runs, the parts of a movie are in a folder NAME.parts; a part ends with each checkpoint, and they are joined at the end of the script.
---@field every? integer|table # Steps between two frames, or { time = }.
---@field frames_per_second? number # Frames per second of the movie.
---@field caption? string # Caption below the picture; default: step and time.
---@field colour? string|function # What colours the particles: a column, an attribute, "speed", or a function.
---@field group? string|function # Colour by group instead: an attribute, or a function.
---@field field? table|function # Two dimensions: draw a field, cell by cell, under everything else: what sim:coarse_grain returned, or a table like it (cells, lower, spacing, and lists in which x runs fastest); for movies a function. Without colour, group and tubes particles are left out.
---@field quantity? string # Which list of the field; default: density.
---@field tubes? "gamma"|"impulse"|"force" # Draw contacts as tubes, darker for larger values of gamma, of the impulse of the last step, or of the force (the impulse divided by the time step).
---@field rays? boolean|floc.RayPaths # Draw rays, coloured by their power: true for those in flight, as arrows; or paths of sim:trace.
---@field ray_power? number # Power that has the brightest colour and the longest arrow; by default the largest one.
---@field ray_length? number # Length of an arrow at that power; default 0.1. [length]
---@field ray_width? number # Width of the lines of rays; 0: chosen automatically. [pixels]
---@field ray_unit? string # Unit of the power, for the legend.
---@field range? table # Values { lowest, highest } at the ends of the colour scale; default: those of what the window shows. range, map, logarithmic, label and unit apply to the field if there is one, else to the particles if colour is given, otherwise to the tubes.
---@field map? "viridis"|"magma"|"inferno"|"grey"|"diverging" # Colour map.
---@field logarithmic? boolean # Colour by the logarithm.
---@field legend? boolean # Draw the colour bar.
---@field label? string # Label of the colour bar; default: the name of the column.
---@field unit? string # Unit, written after the label.
---@field lower? number[] # Window: lower corner; default: everything. [length]
---@field upper? number[] # Window: upper corner. [length]
---@field direction? number[] # Three dimensions: viewing direction of the camera; default: from the front, a little from the right and above.
---@field up? number[] # Three dimensions: upwards in the picture; default: up of the simulation.
---@field zoom? number # Magnification about the centre.
---@field title? string # Title above the panel.
---@field note? string # Small text in the upper left corner.
---@field length_unit? string # Unit of length, written after the number of the scale bar.
---@field width? integer # Width. [pixels]
---@field height? integer # Height; default: from what is drawn. [pixels]
---@field background? integer # Colour of the background, 0xRRGGBB; default white.

---Makes a movie, a frame at intervals. It continues correctly when a run is stopped and resumed.
---@param options floc.record.options
function sim:record(options) end

---@class floc.write_vtp.options
---@field path string # NAME or NAME.pvd: particles are in NAME.pvd, bodies in NAME_bodies.pvd, contacts in NAME_contacts.pvd; the .vtp files of all steps are in the folder NAME.
---@field every? integer|table # Steps between two frames, or { time = }.
---@field bodies? boolean # Write bodies as well.
---@field contacts? boolean # Write contacts as well. The force is the impulse of the last step over the time step.
---@field grains? boolean # Write the outlines of grains that are not round as well, in NAME_grains.pvd, from the first frame that has any.
---@field bonds? boolean # Write bonds as well, from the first frame that has any.
---@field rays? boolean # Write rays in flight as well, from the first frame that has any.
---@field ray_paths? function # Instead of the rays in flight, these paths: function(sim) return sim:trace { source = wave, paths = true }.paths end.

---Writes files for ParaView, and for the page of floc view, at intervals: particles with all columns, bodies, contacts as lines with force, impulse and gamma, outlines of grains that are not round, bonds and rays where there are any. They continue correctly when a run is stopped and resumed.
---@param options floc.write_vtp.options
function sim:write_vtp(options) end

---@class floc.write_xyz.options
---@field path string # Name of the file.
---@field every? integer|table # Steps between two frames, or { time = }.
---@field columns? table # Names of columns and attributes behind id, position, velocity, radius and mass; default all attributes.
---@field length_unit? string # Unit of length, such as "m"; it is written into every frame.
---@field time_unit? string # Unit of time, likewise.
---@field mass_unit? string # Unit of mass, likewise.

---Writes extended XYZ for OVITO at intervals, all frames in one file, with box and units. It keeps its place when a run is stopped and resumed.
---@param options floc.write_xyz.options
function sim:write_xyz(options) end

return floc
