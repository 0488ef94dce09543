-- Bodies, the shapes that they are made of, and joints between them. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct, call = surface.enum, surface.struct, surface.call

enum "shape_kind" {
  prefix = "FLOC_SHAPE_",
  { "plane", 1, "points[0]: a point, points[1]: normal; particles stay on the normal's side" },
  { "segment", 2, "points[0] to points[1], thickened by radius: a capsule; two sides and ends" },
  { "sphere", 3, "points[0]: centre, radius; particles stay outside" },
  { "hollow", 4, "points[0]: centre, radius; particles stay inside (a drum, a round pot)" },
  { "triangle", 5, "points[0..2], thickened by radius; two sides and edges; 3-D only" },
  { "torus", 6, "parameters: radius of the ring around its axis z, radius of the tube; 3-D only" },
  { "cone", 7, "parameters: radius at z = 0, radius at z = height, height; solid, particles stay outside; 3-D only" },
  { "cone_wall", 8, "parameters likewise, and the sum of its parts: 1 the disc at z = 0, 2 the side, 4 the disc at z = height; thickened by "
    .. "radius, two sides; particles touch one part at a time, so a pot is a shape of each part; 3-D only" },
}

struct "shape" {
  result = true,
  { "kind", "shape_kind", free = true, required = true, c = "" },
  { "points", "number[3][3]", free = true, unit = "length", c = "In the body's frame; those of the kind, of at most 1e150." },
  { "radius", "number", default = 0, at_least = 0, at_most = 1e150, unit = "length", c = "Of spheres > 0." },
  { "parameters", "number[8]", shown = false, free = true, since = "0.2.0", c = "of kinds that have some: torus, cone, cone_wall, and those of the host (floc_shape_type). These stand "
      .. "in a frame of their own: points[0] is its origin, points[1] and points[2] are its axes x and y, as directions; both 0: the body's" },
}

struct "shape_type" {
  plain = true,
  { "name", "string", c = "letters, digits and _, no digit first; at most 47; no default" },
  { "dimension", "integer", c = "2 or 3; default 0: both" },
  { "parameter_count", "integer", c = "0 to 8; default 0" },
  { "parameters", "const char *const *", c = "their names, for messages; like name" },
  { "exact", "boolean", c = "the distance is that of the nearest point of the surface; else it is no larger, outside and inside, and "
      .. "contacts act as far away as it says. default false" },
  { "hollow", "boolean", c = "particles stay inside: the distance is positive there, and all outside of the bounds is solid; default false" },
  { "context", "context" },
  { "distance", "distance_function", c = "no default" },
  { "bounds", "bounds_function", c = "no default" },
}

call "floc.plane" {
  summary = "An infinite plane; particles stay on the side to which the normal points.", returns = "floc.Shape",
  { "normal", "vector", required = true, text = "Points towards the particles; any length except 0." },
  { "point", "vector", unit = "length", text = "Any point of the plane; default: the origin." },
}

local thickness = { "thickness", "number", default = 0, at_least = 0, unit = "length", text = "Thickness of the plate." }

call "floc.segment" {
  summary = "A straight plate between two points, with two sides and rounded ends.", returns = "floc.Shape",
  { "points", "points", positional = true, at_least = 2, at_most = 2, unit = "length", text = "The two ends." }, thickness,
}

call "floc.capsule" {
  summary = "A bar with rounded ends: all points closer than the radius to a segment.", returns = "floc.Shape", of = "shape",
  { "points", "points", positional = true, at_least = 2, at_most = 2, unit = "length", text = "Ends of its axis." },
  { "radius", required = true, above = 0, text = "Its radius." },
}

local center = { "center", "vector", unit = "length", instead_of = { "centre" }, text = "Its centre; default the origin." }

call "floc.circle" {
  summary = "A disc as a body; particles stay outside.", returns = "floc.Shape", of = "shape", { "radius", required = true, above = 0, text = "Its radius." }, center,
}

call "floc.sphere" {
  summary = "A ball as a body; particles stay outside.", returns = "floc.Shape", of = "shape", { "radius", required = true, above = 0, text = "Its radius." }, center,
}

call "floc.hollow" {
  summary = "A hollow ball or drum; particles stay inside.", returns = "floc.Shape", of = "shape",
  { "radius", required = true, above = 0, text = "Its inner radius." }, center,
}

call "floc.triangle" {
  summary = "A flat triangular plate with two sides; three dimensions.", returns = "floc.Shape",
  { "points", "points", positional = true, at_least = 3, at_most = 3, unit = "length", text = "Its corners." }, thickness,
}

call "floc.torus" {
  summary = "A ring with a round tube as a body, or the space in it as a region; three dimensions.", returns = "floc.Shape|floc.Region",
  { "ring_radius", "number", required = true, above = 0, unit = "length", text = "From the axis to the middle of the tube." },
  { "tube_radius", "number", required = true, above = 0, unit = "length", text = "Of the tube; below ring_radius." }, center,
  { "axis", "vector", text = "Direction of its axis, of any length except 0; default { 0, 0, 1 }." },
}

local ends = { "ends", "choice", one_of = { "none", "first", "second", "both" }, default = "none",
  text = "Which ends a disc closes: that at the first point, at the second, both; of a wall only." }
local solid = { "solid", "boolean", default = false, text = "A solid body instead of a wall with two sides; its ends are closed." }

call "floc.cylinder" {
  summary = "A cylinder: a wall around an axis, open or closed at its ends; a solid one; or the space in it as a region; three dimensions.",
  returns = "floc.Shape|floc.Region",
  { "points", "points", positional = true, at_least = 2, at_most = 2, unit = "length", text = "The two ends of its axis." },
  { "radius", "number", required = true, above = 0, unit = "length", text = "Its inner radius; of a solid one the outer." },
  ends, solid, thickness,
}

call "floc.cone" {
  summary = "A cone, cut off straight: a wall around an axis, a solid one, or the space in it as a region; three dimensions.",
  returns = "floc.Shape|floc.Region",
  { "points", "points", positional = true, at_least = 2, at_most = 2, unit = "length", text = "The two ends of its axis." },
  { "radii", "table", required = true, unit = "length", text = "Inner radii at the two ends, { first, second }; one of them may be 0. Of a solid one the outer." },
  ends, solid, thickness,
}

enum "motion_kind" {
  prefix = "FLOC_MOTION_",
  { "fixed", 0 },
  { "constant", 1, "velocity and angular_velocity stay as given" },
  { "velocity", 2, "function(time) returns velocity and angular velocity; called for the middle of the step" },
  { "position", 3, "function(time) returns position and rotation vector; called for the end of the step" },
  { "oscillation", 4, "position + amplitude sin(frequency time + phase)" },
  { "piston", 5, "moves with velocity until it has gone travel, then stays or turns back" },
  { "servo", 6, "m dv/dt = load - (what particles exert against direction) - damping v along direction; function(time) may give the load" },
  { "free", 7, "not a choice of options: floc_body_set_free" },
}

struct "body_options" {
  { "position", "vector", unit = "length", text = "Of the body's frame; a function of time prescribes the motion. Default the origin.",
    c = "Of the body's frame and pivot; default 0." },
  { "rotation", "vector", unit = "rad", text = "Orientation in three dimensions as a rotation vector.",
    c = "Rotation vector; in 2-D only rotation[2]; default 0." },
  { "motion", "motion_kind", default = "fixed", c = "" },
  { "velocity", "vector", when = { motion = { "constant", "piston" } }, unit = "length/time",
    text = "Constant, or a function of time that is called for the middle of each step.", c = "Constant, piston; default 0." },
  { "angular_velocity", "vector", when = { motion = "constant" }, unit = "rad/time",
    text = "Counter-clockwise; a number in two dimensions, a vector in three, or a function of time.",
    c = "Constant; in 2-D only [2], counter-clockwise; default 0." },
  { "amplitude", "vector", when = { motion = "oscillation" }, unit = "length", c = "Oscillation." },
  { "frequency", "number", default = 0, when = { motion = "oscillation" }, unit = "rad/time", c = "Oscillation, angular." },
  { "phase", "number", default = 0, when = { motion = "oscillation" }, unit = "rad", text = "Phase at the start.", c = "Oscillation." },
  { "travel", "number", required = true, above = 0, when = { motion = "piston" }, unit = "length", c = "Piston: distance to go." },
  { "returns", "boolean", default = false, c = "Piston: goes back and forth instead of stopping." },
  { "function", "motion_function", c = "velocity, position" },
  { "function_context", "context" },
  { "roughness", "number", default = 0, at_least = 0, unit = "length", text = "Used by the gluey contact law." },
  { "material", "integer", default = 0, at_least = 0, text = "Any number; laws may distinguish bodies by it.", c = "" },
  { "name", "string", text = "Shown in messages and pictures.", c = "shown in messages; may be NULL" },
  { "direction", "vector", free = true, since = "0.3.0", instead_of = { "axis", "normal" }, text = "Of its load, of any length except 0.", c = "Servo: of its load; any length but 0." },
  { "load", "number", free = true, default = 0, since = "0.3.0", unit = "force", instead_of = { "target" }, text = "Force on it along direction.", c = "Servo; a function that is there gives it as values[0]." },
  { "mass", "number", free = true, default = 0, since = "0.3.0", unit = "mass", text = "Its inertia along direction, 1/gain: h^2 times the stiffness of all contacts on it must be well below.",
    c = "Servo: inertia, above 0." },
  { "damping", "number", default = 0, at_least = 0, when = { motion = "servo" }, since = "0.3.0", unit = "mass/time", text = "Times its velocity, against it.", c = "Servo." },
  { "greatest_speed", "number", default = 0, at_least = 0, when = { motion = "servo" }, since = "0.3.0", unit = "length/time", text = "It goes no faster; 0: as fast as it gets.", c = "Servo; 0: none." },
}

struct "free_options" {
  { "axes", "integer", free = true, required = true, c = "Sum of 1, 2, 4 for going along x, y, z and of 8, 16, 32 for turning about x, y, z; in 2-D of 1, 2, 32. "
      .. "Of the turns in 3-D none, one or all." },
  { "mass", "number", default = 0, at_least = 0, unit = "mass", text = "Of a free body. It may also be given by density.", c = "0: by density." },
  { "density", "number", default = 0, at_least = 0, unit = "mass/length^dimension", text = "Instead of mass: of the shapes, each uniformly filled; closed outlines and "
      .. "meshes are filled too.", c = "Instead of mass." },
  { "inertia", "number[6]", unit = "mass length^2", text = "Of a free body, about its centre of mass; in three dimensions { xx, yy, zz, xy, xz, yz }. Default: of its shapes.",
    c = "About the centre of mass, in the body's frame, xx yy zz xy xz yz; in 2-D only [2]; default 0: of the shapes." },
  { "velocity", "vector", unit = "length/time", c = "Of the body's position." },
  { "angular_velocity", "vector", unit = "rad/time", c = "In 2-D only [2]." },
  { "force", "vector", unit = "force", c = "Load." },
  { "torque", "vector", unit = "force length", c = "Load; in 2-D only [2]." },
  { "damping", "number", default = 0, at_least = 0, unit = "mass/time", text = "Of a free body: times its velocity, against it.", c = "Times the velocity, against it." },
  { "angular_damping", "number", default = 0, at_least = 0, unit = "mass length^2/time", text = "Of a free body: times its angular velocity, against it.",
    c = "Times the angular velocity, against it." },
  { "function", "motion_function", c = "values: force and torque at the middle of a step, beside the two above" },
  { "function_context", "context" },
}

call "sim.add_body" {
  summary = "Adds a body and returns it: of infinite mass, fixed or moving, or a free one, which has a mass and is moved by what acts on it.", returns = "floc.Body",
  of = "body_options",
  { "shape", "shape", text = "One shape." },
  { "shapes", "table", text = "Instead of shape: a list of shapes that move as one." },
  { "position", type = "vector|function", signature = "of the time that returns the vector" },
  { "angle", "number|function", unit = "rad", signature = "of the time that returns a number",
    text = "Orientation in two dimensions; a function of time prescribes the motion." },
  { "rotation", type = "vector|function", signature = "of the time that returns the vector" },
  { "velocity", type = "vector|function", signature = "of the time that returns the vector" },
  { "angular_velocity", type = "rotation|function", signature = "of the time that returns the angular velocity" },
  { "motion", "motion", text = "floc.oscillation{...}, floc.piston{...} or floc.servo{...}." },
  "roughness", { "material", type = "integer|string", at_most = 2147483647,
    text = "Its material: a number, or a name of the scheme's. Contact laws by pairs of materials and laws of walls read it." },
  { "materials", "table", text = "Of each of the shapes, where they differ." },
  { "attributes", "table", text = "Numbers of its shapes by name, { wear = 0 }, which all shapes of the simulation have from then on, 0 first. Wall laws "
    .. "read shape_NAME, and change it by rate_shape_NAME or sum_shape_NAME." }, "name",
  { "free", "string|table", text = "Makes it a free body: \"all\", or a list of what is free, of \"x\", \"y\", \"z\", \"angle\" (any turn) and, in three dimensions, "
    .. "\"angle_x\", \"angle_y\", \"angle_z\". velocity and angular_velocity are those at the start then. Inelastic and gluey." },
  { "mass", from = "free_options", optional = true, above = 0 }, { "density", from = "free_options", optional = true, above = 0, instead_of = { "rho" } },
  { "inertia", from = "free_options", type = "number|table", above = 0, instead_of = { "moment_of_inertia" } },
  { "load", "table", text = "On a free body, beside gravity: { force = , torque = }, each a vector or a function of time that returns it." },
  { "damping", from = "free_options", optional = true }, { "angular_damping", from = "free_options", optional = true },
}

call "body.set_free" {
  summary = "Makes a body free from now on, or gives a free one other loads: as add_body with the same parameters. It keeps its place, and its velocity unless another is given. body:set_motion "
    .. "makes it one of infinite mass again.", of = "free_options",
  { "free", "string|table", required = true, text = "What is free, as in add_body." },
  { "mass", optional = true, above = 0 }, { "density", optional = true, above = 0, instead_of = { "rho" } },
  { "inertia", type = "number|table", above = 0, instead_of = { "moment_of_inertia" } },
  { "load", "table", text = "Beside gravity: { force = , torque = }, each a vector or a function of time that returns it." },
  { "damping", optional = true }, { "angular_damping", optional = true },
  { "velocity", text = "Of its position; default: as it is." },
  { "angular_velocity", type = "rotation", text = "Default: as it is." },
}

call "body.set_motion" {
  summary = "Changes a body's motion from now on; the body continues from its present position.",
  { "position", "function", signature = "of the time that returns the vector", unit = "length",
    text = "Prescribes the position." },
  { "angle", "function", signature = "of the time that returns a number", unit = "rad",
    text = "Prescribes the orientation in two dimensions, from the present one." },
  { "rotation", "function", signature = "of the time that returns the vector", unit = "rad",
    text = "Prescribes the orientation in three dimensions, from the present one." },
  { "velocity", "vector|function", unit = "length/time", signature = "of the time that returns the vector",
    text = "Constant, or a function of time. Without any parameter the body stops." },
  { "angular_velocity", "rotation|function", unit = "rad/time",
    signature = "of the time that returns the angular velocity", text = "Constant, or a function of time." },
  { "motion", "motion", text = "floc.oscillation{...}, floc.piston{...} or floc.servo{...}." },
}

call "floc.oscillation" {
  summary = "A motion: position + amplitude sin(frequency t + phase).", returns = "floc.Motion", of = "body_options", sets = { motion = "oscillation" },
  { "amplitude", required = true, text = "Direction and amplitude." },
  { "frequency", optional = true, above = 0, text = "Angular frequency." },
  { "period", "number", above = 0, unit = "time", text = "Instead of frequency: the period." },
  { "phase", text = "Phase at the start." },
}

call "floc.servo" {
  summary = "A motion: a wall that holds a force or pressure. Along direction m dv/dt = load + F - damping v, F what particles exert on it along direction "
    .. "(below 0 where they resist), so that in the steady state they resist with the load. Discrete elements.", returns = "floc.Motion", of = "body_options", sets = { motion = "servo" },
  { "direction", required = true },
  { "load", type = "number|function", optional = true, signature = "of the time that returns the load" },
  { "pressure", "number|function", unit = "stress", signature = "of the time that returns the pressure", text = "Instead of load: times area." },
  { "area", "number|function", unit = "length^(dimension - 1)", signature = "of the time that returns the area, for instance from the positions of other bodies", text = "On which the pressure acts." },
  { "mass", required = true, above = 0 }, "damping", "greatest_speed",
}

call "floc.piston" {
  summary = "A motion: constant velocity over a distance, then the body stops or returns.", returns = "floc.Motion", of = "body_options", sets = { motion = "piston" },
  { "velocity", required = true, text = "Direction and speed." },
  { "travel", text = "Distance over which it moves." },
  { "returns", text = "Moves back and forth instead of stopping." },
}

enum "compound_kind" {
  prefix = "FLOC_COMPOUND_",
  { "polyline", 1, "points in order; closed joins the last to the first; 2-D" },
  { "box", 2, "lower .. upper: four segments, in 3-D twelve triangles; hollow" },
  { "funnel", 3, "two slopes, in 3-D a cone; the centre of the outlet is the origin" },
  { "wheel", 4, "radial paddles around the origin, in 3-D plates of the given width" },
  { "container", 5, "a box without lid; the centre of the floor is the origin" },
}

struct "compound" {
  { "kind", "compound_kind", required = true, c = "" },
  { "points", "const double *", c = "polyline: x, y pairs [length]" },
  { "point_count", "integer", free = true, default = 0, c = "Polyline: 2 or more, 3 if it is closed." },
  { "closed", "boolean", default = false, text = "Join the last point to the first.", c = "Polyline." },
  { "lower", "vector", free = true, unit = "length", instead_of = { "min", "from" }, text = "Lower corner.", c = "Box." },
  { "upper", "vector", free = true, unit = "length", instead_of = { "max", "to" }, text = "Upper corner.", c = "Box; above lower." },
  { "top", "number", free = true, required = true, unit = "length", text = "Inner width at the top.", c = "Funnel: inner width at the top; above bottom." },
  { "bottom", "number", default = 0, at_least = 0, when = { kind = "funnel" }, unit = "length", text = "Width of the outlet.",
    c = "Funnel: width of the outlet." },
  { "height", "number", required = true, above = 0, when = { kind = { "funnel", "container" } }, unit = "length", text = "Height from the outlet to the top.",
    c = "Funnel, container." },
  { "radius", "number", required = true, above = 0, when = { kind = "wheel" }, unit = "length", text = "Radius from the axis to the tips.",
    c = "Wheel: length of the paddles from the axis." },
  { "hub", "number", free = true, default = 0, unit = "length", text = "Radius of the hub; 0: none.",
    c = "Wheel: radius of the hub; below radius less half the thickness; 0: none." },
  { "paddles", "integer", default = 6, at_least = 1, at_most = 100000, when = { kind = "wheel" }, text = "Number of paddles.", c = "Wheel." },
  { "width", "number", required = true, above = 0, when = { kind = "container" }, unit = "length", text = "Inner width.",
    c = "Container: inner width along x; wheel in 3-D: along the axis z, above the thickness." },
  { "depth", "number", free = true, required = true, above = 0, unit = "length", text = "Inner depth, in three dimensions; default the width.",
    c = "Container in 3-D: inner width along z." },
  { "facets", "integer", free = true, default = 48, at_least = 3, at_most = 100000, text = "Number of flat faces around, in three dimensions.",
    c = "Funnel, hub of a wheel, in 3-D: flat faces around." },
  { "thickness", "number", default = 0, at_least = 0, unit = "length", text = "Thickness of the plates.", c = "Of every plate; plates are rounded by half of it." },
  { "axis", "vector", since = "0.3.0", c = "funnel, container: where they are open to; wheel in 3-D: what it turns about. Any length; 0: y, of a "
      .. "wheel z. The width of a container stays along x, and a wheel begins there, unless x is the coordinate axis nearest to the axis: then along -y, of a "
      .. "wheel along y" },
}

call "floc.box" {
  summary = "A box: a region for particles, the domain of a simulation, or four walls as a shape.", returns = "floc.Region|floc.Shape",
  of = "compound", sets = { kind = "box" },
  { "lower", required = true }, { "upper", required = true }, { "thickness", text = "Thickness of the walls, if the box is used as a shape." },
}

call "floc.polyline" {
  summary = "Segments from point to point; two dimensions.", returns = "floc.Shape",
  of = "compound", sets = { kind = "polyline" },
  { "points", "points", positional = true, at_least = 2, unit = "length", text = "The points in order." }, "closed", "thickness",
}

local opens = { "axis", text = "Where it is open to: up, as a direction of any length except 0; default { 0, 1 } or { 0, 1, 0 }." }

call "floc.funnel" {
  summary = "Two slopes, in three dimensions a cone, open towards +y unless axis is given; the centre of the outlet is the origin.", returns = "floc.Shape",
  of = "compound", sets = { kind = "funnel" }, { "top", above = 0 }, { "bottom", required = true }, "height", "facets", "thickness", opens,
}

call "floc.wheel" {
  summary = "Paddles around the origin, like those of a mill.", returns = "floc.Shape",
  of = "compound", sets = { kind = "wheel" },
  "radius", "paddles", { "hub", at_least = 0 }, { "width", default = 1, text = "Width along the axis, in three dimensions." },
  { "thickness", text = "Thickness of the paddles." },
  { "axis", text = "What it turns about, in three dimensions, as a direction of any length except 0; default { 0, 0, 1 }." },
}

call "floc.container" {
  summary = "A box without a lid, open towards +y unless axis is given; the centre of the floor is the origin.", returns = "floc.Shape",
  of = "compound", sets = { kind = "container" }, "width", { "height", text = "Height of the walls." }, { "depth", optional = true }, "thickness", opens,
}

struct "mesh_options" {
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file, NAME.stl, NAME.obj or NAME.vtp.", c = "STL file, binary or text, OBJ file (NAME.obj) or VTP file (NAME.vtp)." },
  { "scale", "number", default = 1, above = 0, text = "Factor on the lengths in the file." },
  { "thickness", "number", default = 0, at_least = 0, unit = "length", text = "Of the plates." },
}

call "floc.mesh" {
  summary = "The triangles of an STL file, binary or text, of an OBJ file or of VTK's VTP file, as plates with two sides, or, of a closed mesh, the space in it as a "
    .. "region; three dimensions.", returns = "floc.Shape|floc.Region",
  of = "mesh_options", "path", "scale", "thickness",
}

struct "body_state" {
  plain = true, result = true,
  { "shape_count", "integer" },
  { "position", "vector", whole = true, c = "[length]" },
  { "orientation", "number[4]", c = "unit quaternion w, x, y, z" },
  { "angle", "number", c = "2-D: accumulated rotation [rad]" },
  { "velocity", "vector", whole = true, c = "mean over the last step [length/time]" },
  { "angular_velocity", "vector", whole = true, c = "mean over the last step [rad/time]" },
  { "force", "vector", whole = true, c = "exerted on the body by all particles, mean over the last step" },
  { "torque", "vector", whole = true, c = "about the body's position, of a free one about the point that it turns about (center), likewise" },
  { "axes", "integer", since = "0.3.0", c = "those of floc_free_options; 0: the body is not free" },
  { "mass", "number", since = "0.3.0", c = "of a free body, else 0" },
  { "inertia", "number[6]", since = "0.3.0", c = "about center, in the body's frame; of a free body, else 0" },
  { "center", "vector", whole = true, since = "0.3.0", c = "what it turns about: its centre of mass, or its position where no translation is free [length]" },
}

-- ---- joints ----

enum "joint_kind" {
  prefix = "FLOC_JOINT_",
  { "hinge", 1, "holds a point; the ends turn about it, in 3-D about the axis" },
  { "slider", 2, "the second end goes along the axis of the first, and does not turn" },
  { "ball", 3, "holds a point; 3-D only" },
  { "distance", 4, "between two anchors: a rod, a rope, a spring" },
  { "weld", 5, "holds point and orientation" },
}

struct "joint_options" {
  { "kind", "joint_kind", required = true, text = "hinge, slider, ball (three dimensions), distance or weld.", c = "" },
  { "first", "integer", default = -1, free = true, c = "A body. -1: first_particle, or the world." },
  { "second", "integer", default = -1, free = true, c = "Likewise. At least one end is a particle or a free body." },
  { "first_particle", "integer64", default = 0, free = true, c = "Its id; 0: none. Of a distance, a ball, or a hinge in 2-D without limits, motor or spring." },
  { "second_particle", "integer64", default = 0, free = true, c = "Likewise." },
  { "anchor", "vector", unit = "length", text = "A place of the world, in which both ends meet now; of a distance that on its first end.",
    c = "A place of the world, where both ends meet now; of a distance on the first end. Not read where an end is a particle, whose centre it is." },
  { "second_anchor", "vector", unit = "length", c = "Of a distance: on the second end." },
  { "axis", "vector", text = "Of a hinge in three dimensions, of a slider: as a direction now, of any length.", c = "Of a hinge in 3-D, of a slider: a direction of the world now, of any length." },
  { "length", "number", default = 0, at_least = 0, unit = "length", text = "Of a distance; default: as it is now.", c = "Of a distance; 0: as it is now." },
  { "rope", "boolean", default = false, text = "A distance that may be shorter than its length, but not longer." },
  { "limited", "boolean", default = false, c = "lower and upper hold." },
  { "lower", "number", default = 0, free = true, c = "Of the angle of a hinge, the displacement of a slider, both 0 now, of a distance; may be -infinity." },
  { "upper", "number", default = 0, free = true, c = "Likewise; may be infinity." },
  { "motor_velocity", "number", default = 0, unit = "rad/time or length/time", c = "Of the same, which the motor holds as long as its force or torque is enough." },
  { "motor_greatest", "number", default = 0, at_least = 0, unit = "torque or force", c = "0: there is no motor." },
  { "stiffness", "number", default = 0, at_least = 0, unit = "torque/rad or force/length", text = "Of a spring on the angle, displacement or distance." },
  { "damping", "number", default = 0, at_least = 0, unit = "torque time/rad or force time/length", text = "Of the same: times its rate, against it." },
  { "rest", "number", default = 0, unit = "rad or length", text = "Where the spring is at rest; default: 0, of a distance its length.", c = "Where the spring is at rest; 0 of a distance: at its length." },
}

call "sim.add_joint" {
  summary = "Adds a joint between two ends, which are bodies, particles or the world, and returns it. Inelastic and gluey.", returns = "floc.Joint",
  of = "joint_options",
  { "kind", type = "string", required = true, text = "\"hinge\", \"slider\", \"ball\" (three dimensions), \"distance\" or \"weld\"." },
  { "body", "table|integer", text = "A body that the joint links to the world, or to particle." },
  { "bodies", "table", text = "Instead of body: two bodies, { first, second }." },
  { "particle", "integer", at_least = 1, text = "Id of a particle, as second end: of a distance, a ball, a hinge in the plane without limits, motor or spring." },
  { "particles", "table", text = "Instead of body and particle: two ids." },
  { "anchor", text = "A place of the world, where both ends meet now; default: the second body's position. That of a particle is its centre." },
  { "anchors", "table", unit = "length", text = "Of a distance: places on the first end and on the second; of a particle its centre is taken. Default: positions." },
  { "axis" }, { "length", optional = true, above = 0 }, "rope",
  { "limits", "table", text = "{ lower, upper }, of the angle of a hinge, of the displacement of a slider, both 0 now, of a distance. Either may be -math.huge or math.huge." },
  { "motor", "table", text = "{ velocity = , torque = } of a hinge, { velocity = , force = } of a slider or a distance: it holds the velocity (default 0) as long as no more than the torque or force is needed." },
  { "stiffness", optional = true, above = 0 }, { "damping", optional = true }, { "rest", optional = true },
}

call "joint.set_motor" {
  summary = "Gives a joint another motor from now on.",
  { "velocity", "number", default = 0, unit = "rad/time or length/time", text = "That it holds." },
  { "torque", "number", at_least = 0, unit = "torque", text = "Greatest torque, of a hinge; 0: no motor." },
  { "force", "number", at_least = 0, unit = "force", text = "Greatest force, of a slider or a distance; 0: no motor." },
}

struct "joint_state" {
  plain = true, result = true,
  { "kind", "joint_kind" },
  { "first", "integer", c = "bodies; -1: a particle or the world" },
  { "second", "integer" },
  { "first_particle", "integer64", c = "0: none" },
  { "second_particle", "integer64" },
  { "coordinate", "number", c = "angle of a hinge [rad], displacement of a slider, distance [length]; 0 of others" },
  { "velocity", "number", c = "its mean rate over the last step" },
  { "added_inertia", "number", c = "that its bodies' inertia counted as more in the last step, because the step is long for its pull; else 0 [mass length^2]" },
  { "anchor", "vector", whole = true, c = "on the second end, now [length]" },
  { "force", "vector", whole = true, c = "of the joint on the second end, mean over the last step; on the first the opposite" },
  { "torque", "vector", whole = true, c = "likewise, about the anchor" },
}

return surface
