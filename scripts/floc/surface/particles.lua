-- Particles: one, many, assemblies of them. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct, call = surface.enum, surface.struct, surface.call

struct "particle_options" {
  { "position", "vector", unit = "length", text = "Of the centre.",
    c = "Default 0; within a closed or periodic domain; at most 4.5e9 radii from 0, where numbers are a millionth of a radius apart." },
  { "velocity", "vector", unit = "length/time", text = "Default 0." },
  { "radius", "number", required = true, above = 0, unit = "length", instead_of = { "r" }, text = "Its radius.",
    c = "1e-100 to 1e100, at most half of a periodic axis and the whole of a closed one." },
  { "mass", "number", default = 1, above = 0, unit = "mass", text = "Default 1.", c = "1e-100 to 1e100." },
  { "allow_overlap", "boolean", since = "0.2.0", default = false,
    text = "It may overlap others or a body. Otherwise the next step refuses it if it overlaps by more than a tenth of the smaller radius; in "
      .. "floc.discrete_element by more than half, without contacts never. Members of one assembly may.",
    c = "It may lie in others, or in a body." },
  { "angle", "number", since = "0.3.0", default = 0, unit = "rad", text = "Orientation of a shape.", c = "Of the shape." },
  { "shape", "integer", since = "0.3.0", default = 0, at_least = 0, c = "Number of floc_grain_shape_add(); radius is that of the circle, or ball, about it; 0: a disc or ball." },
  { "orientation", "number[4]", since = "0.3.0", free = true, c = "Of a shape in three dimensions: quaternion w, x, y, z of any length; 0, 0, 0, 0: as the shape was given." },
}

struct "grain_shape_options" {
  { "corner_count", "integer", default = 0, at_least = 0, at_most = 16, c = "2: a capsule; 0: an ellipse or ellipsoid of these semi_axes." },
  { "corners", "number[32]", free = true, shown = false, c = "x and y of each, in turn about a convex polygon; of any size, which that of a particle replaces. In three dimensions the two of a capsule, in the grain's own axes, where z is 0." },
  { "regular", "boolean", default = false, c = "The corners are those of a regular polygon, and `corners` is not read." },
  { "rounding", "number", default = 0.02, at_least = 0, below = 1, text = "Radius of the rounded corners over the radius of the whole grain.",
    c = "Radius of the rounded corners over that of the circle about the whole grain; above 0 with two corners; not read of ellipsoids." },
  { "semi_axes", "number[3]", free = true, shown = false, c = "Of an ellipse (two) or ellipsoid, along the grain's own axes; of any size, which that of a particle replaces; none more than a hundred times another. 0, 0, 0: it has corners." },
  { "point_count", "integer", default = 0, at_least = 0, at_most = 32, c = "In three dimensions, corners of a polyhedron, in the place of corners and semi_axes; at least 4." },
  { "points", "number[96]", free = true, shown = false, c = "x, y and z of each, in any order; of any size, which that of a particle replaces. All must be corners of their convex hull." },
}

call "floc.polygon" {
  summary = "A convex polygon with rounded corners: a shape of grains, in two dimensions.", returns = "floc.GrainShape", of = "grain_shape_options",
  { "sides", "integer", at_least = 3, at_most = 16, instead_of = { "n" }, text = "Number of sides of a regular polygon." },
  { "points", "points", positional = true, may_lack = true, at_least = 3, at_most = 16, unit = "length",
    text = "Instead of sides, the corners, in turn; only the form counts, for the size is the particle's radius." },
  "rounding",
}

call "floc.rod" {
  summary = "A capsule, a disc or ball swept along a segment: a shape of grains, in two and three dimensions.", returns = "floc.GrainShape",
  { "aspect", "number", required = true, above = 1, at_most = 1000, instead_of = { "aspect_ratio" }, text = "Whole length over width; the particle's radius is half the length." },
}

call "floc.ellipse" {
  summary = "An ellipse: a shape of grains, in two dimensions.", returns = "floc.GrainShape",
  { "aspect", "number", at_least = 1, at_most = 100, instead_of = { "aspect_ratio" }, text = "Length over width; the particle's radius is half the length, which lies along x at the angle 0." },
  { "semi_axes", "vector", instead_of = { "axes", "radii" }, text = "Instead of aspect, both semi-axes, along x and y at the angle 0; only their ratio counts: the greater is as long as the particle's radius." },
}

call "floc.ellipsoid" {
  summary = "An ellipsoid: a shape of grains, in three dimensions.", returns = "floc.GrainShape",
  { "aspect", "number", at_least = 0.01, at_most = 100, instead_of = { "aspect_ratio" },
    text = "Of an ellipsoid of revolution about the axis x, length along it over width: above 1 prolate, below 1 oblate. The particle's radius is the greatest semi-axis." },
  { "semi_axes", "vector", instead_of = { "axes", "radii" }, text = "Instead of aspect, the three semi-axes, along its own x, y and z; only their ratios count: the greatest is as long as the particle's radius." },
}

call "floc.polyhedron" {
  summary = "A convex polyhedron with rounded edges and corners: a shape of grains, in three dimensions.", returns = "floc.GrainShape", of = "grain_shape_options",
  { "form", "choice", one_of = { "box", "tetrahedron", "octahedron", "icosahedron", "prism" }, text = "Which one; along the grain's own axes." },
  { "points", "points", positional = true, may_lack = true, at_least = 4, at_most = 32, unit = "length",
    text = "Instead of form, the corners, in any order; only the form counts, for the size is the particle's radius. All must be corners of their convex hull." },
  { "size", "vector", optional = true, unit = "length", text = "Of a box, its edges along x, y and z, without the rounding; only their ratios count. Default: a cube." },
  { "sides", "integer", optional = true, at_least = 3, at_most = 16, text = "Of a prism, the number of its sides; default 6." },
  { "aspect", "number", optional = true, above = 0, text = "Of a prism, its length along z over the diameter of the circle about its base; default 1." },
  "rounding",
}

call "sim.add_particle" {
  summary = "Adds one particle and returns its id.", returns = "integer",
  of = "particle_options",
  { "position", required = true }, "radius", "velocity", { "mass", optional = true },
  { "density", "number", above = 0, unit = "mass/length^dimension", text = "Instead of the mass." },
  { "shape", "grain_shape", text = "floc.polygon, floc.rod or floc.ellipse: a grain that is not round; radius is that of the circle, or ball, about it. In three dimensions floc.rod, floc.ellipsoid or floc.polyhedron." }, "angle",
  { "axis", "vector", text = "In three dimensions, the direction of a rod, or of an ellipsoid's or polyhedron's own x; default x." },
  { "orientation", type = "table", text = "In three dimensions, instead of axis, a quaternion { w, x, y, z } that turns a rod from the direction x, another shape from its own axes." },
  { "attributes", "table", text = "Values of attributes by name: { charge = 1 }." },
  { "material", "integer|string", at_least = 0, at_most = 2147483647, text = "Its material: a number, or a name of the scheme's; adds the column material." },
  "allow_overlap",
}

enum "region_kind" {
  prefix = "FLOC_REGION_",
  { "box", 1, "lower .. upper" },
  { "ball", 2, "center, radius; a disc in two dimensions" },
  { "function", 3, "where region_function sets *inside, between region_lower and region_upper" },
}

enum "placement" {
  { "random", 1, "random sequential addition: uniform positions, overlaps rejected" },
  { "lattice", 2, "square or cubic lattice, row by row from the lower corner" },
  { "fcc", 3, "face-centred cubic lattice, likewise; in three dimensions" },
  { "bcc", 4, "body-centred cubic lattice; in three dimensions" },
  { "hcp", 5, "hexagonal close-packed lattice; in three dimensions" },
  { "triangular", 6, "triangular lattice; in two dimensions" },
  { "dense", 7, "dense disordered packing, by relaxing overlaps" },
}

enum "distribution" {
  { "uniform", 1, "between radius_lower and radius_upper" },
  { "normal", 2, "mean and deviation, cut at radius_lower and radius_upper" },
  { "lognormal", 3, "mean and deviation of the radius itself, cut likewise" },
  { "by_volume", 4, "uniform in volume (area in 2-D) between the two radii" },
}

struct "insertion_options" {
  { "count", "integer64", required = true, at_least = 1, instead_of = { "number", "n" }, text = "Number of particles.", c = "How many." },
  { "region_kind", "region_kind", default = "box", c = "" },
  { "region_lower", "vector", free = true, unit = "length", c = "Box; particles lie wholly inside." },
  { "region_upper", "vector", free = true, unit = "length", c = "Box; above region_lower." },
  { "region_center", "vector", when = { region_kind = "ball" }, unit = "length", c = "Ball." },
  { "region_radius", "number", required = true, above = 0, when = { region_kind = "ball" }, unit = "length", c = "Ball." },
  { "placement", "placement", default = "random", text = "random: random sequential addition. lattice (square or cubic), fcc, bcc, hcp, triangular: row by "
      .. "row; without a seam through periodic faces whose distance is a multiple of the period. dense: a disordered packing without overlap.", c = "" },
  { "spacing", "number", default = 0, at_least = 0, when = { placement = { "lattice", "fcc", "bcc", "hcp", "triangular" } }, unit = "length",
    text = "Lattice constant; 0: neighbours touch, or are clearance apart." },
  { "distribution", "distribution", default = "uniform", c = "Of radii." },
  { "radius_lower", "number", required = true, above = 0, unit = "length", c = "" },
  { "radius_upper", "number", default = 0, at_least = 0, unit = "length", c = "At least radius_lower; 0: that." },
  { "radius_mean", "number", required = true, above = 0, when = { distribution = { "normal", "lognormal" } }, unit = "length",
    c = "Normal and lognormal." },
  { "radius_deviation", "number", default = 0, at_least = 0, when = { distribution = { "normal", "lognormal" } }, unit = "length",
    c = "Normal and lognormal." },
  { "mass", "number", default = 1, at_least = 0, unit = "mass", text = "Mass of each; default 1.", c = "Of each; 0: from the density." },
  { "density", "number", free = true, default = 0, unit = "mass/length^dimension", c = "Used, and above 0, where mass is 0." },
  { "velocity", "vector", unit = "length/time", text = "Of all; default 0." },
  { "velocity_spread", "number", default = 0, at_least = 0, unit = "length/time",
    text = "A random number between minus this and this is added to each component." },
  { "clearance", "number", default = 0, at_least = 0, unit = "length",
    text = "Minimum distance between surfaces, to other particles and to bodies." },
  { "seed", "unsigned64", default = 0, text = "0: from the simulation's seed.", c = "0: from the world's seed and the number of particles before." },
  { "tries", "integer64", default = 100000, at_least = 1, when = { placement = "random" },
    text = "Random placement gives up after this number of rejected positions in a row." },
  { "temperature", "number", since = "0.3.0", default = 0, at_least = 0, unit = "mass length^2/time^2", instead_of = { "kT" },
    text = "Normal velocities about that of all, which stays the mean: each degree of freedom has the energy temperature/2, exactly "
      .. "dimension (count - 1) temperature/2 in all. Not beside velocity_spread.",
    c = "Normal velocities about `velocity`, which stays the mean; their energy is dimension (count - 1) temperature/2." },
  { "region_function", "region_function", since = "0.3.0", when = { region_kind = "function" }, c = "Function; no default." },
  { "region_context", "context", since = "0.3.0" },
  { "volume_fraction", "number", since = "0.3.0", default = 0, at_least = 0, below = 1, instead_of = { "packing_fraction", "solid_fraction", "phi" },
    text = "Fraction of the region that the particles fill (area in 2-D): all radii are scaled by one factor for it; 0: radii as given.",
    c = "Of the region; all radii are scaled by one factor for it; 0: as given." },
  { "shape", "integer", since = "0.3.0", default = 0, at_least = 0, c = "Number of floc_grain_shape_add(); radii are those of circles about it; 0: discs or balls." },
  { "angle_lower", "number", since = "0.3.0", default = 0, unit = "rad", c = "Orientations of shapes are uniform from here" },
  { "angle_upper", "number", since = "0.3.0", default = 0, unit = "rad", c = "to here; at least angle_lower." },
  { "orientation", "number[4]", since = "0.3.0", free = true, c = "Of all shapes in three dimensions: quaternion w, x, y, z of any length; 0, 0, 0, 0: uniform over all rotations." },
}

call "floc.ball" {
  summary = "A ball, in two dimensions a disc: a region for particles.", returns = "floc.Region", of = "insertion_options",
  { "center", member = "region_center", required = true, instead_of = { "centre" }, text = "Its centre." },
  { "radius", member = "region_radius", text = "Its radius." },
}

call "floc.annulus" {
  summary = "The space between two circles of one centre: a region for particles; two dimensions.", returns = "floc.Region",
  { "center", "vector", unit = "length", instead_of = { "centre" }, text = "Of both circles; default the origin." },
  { "inner", "number", required = true, at_least = 0, unit = "length", text = "Radius of the inner circle." },
  { "outer", "number", required = true, above = 0, unit = "length", text = "Radius of the outer circle." },
}

call "floc.region" {
  summary = "The part of a box in which a function returns true: a region for particles.", returns = "floc.Region",
  { "lower", "vector", required = true, unit = "length", instead_of = { "min", "from" }, text = "Lower corner of the box." },
  { "upper", "vector", required = true, unit = "length", instead_of = { "max", "to" }, text = "Upper corner of the box." },
  { "contains", "function", required = true, signature = "of x, y, z, radius that returns true or false",
    text = "Whether a particle of that radius may have its centre there; z is 0 in two dimensions." },
}

local function list(text) return { "regions", "regions", positional = true, at_least = 2, text = text } end

call "floc.union" {
  summary = "Several regions as one; each particle lies wholly in one of them.", returns = "floc.Region", list "The regions.",
}

call "floc.intersection" {
  summary = "What several regions have in common.", returns = "floc.Region", list "The regions.",
}

call "floc.difference" {
  summary = "A region without others.", returns = "floc.Region", list "The region, and those that are taken out of it.",
}

call "sim.add_particles" {
  summary = "Adds many particles without overlaps; returns the first and the last id.", returns = "integer, integer",
  of = "insertion_options",
  "count",
  { "radius", "number|radii", required = true, above = 0, unit = "length", instead_of = { "r", "size" },
    text = "One radius, { lower, upper }, or { distribution = \"uniform\", \"normal\", \"lognormal\" or "
      .. "\"by_volume\", lower =, upper =, mean =, deviation = }." },
  { "region", "region", text = "Where: floc.box, ball, annulus, cylinder, cone, torus, region; union, difference or intersection of such; default the domain of the simulation." },
  "placement", "spacing", "volume_fraction", { "mass", optional = true, above = 0 },
  { "density", optional = true, above = 0, text = "Instead of the mass." },
  { "shape", "grain_shape", text = "floc.polygon, floc.rod or floc.ellipse: grains that are not round; radius is that of the circle, or ball, about them. In three dimensions floc.rod, floc.ellipsoid or floc.polyhedron." },
  { "angle", "number|table", unit = "rad", text = "Orientation of shapes: one angle, or { lower, upper }, uniform between; default: all directions." },
  { "axis", "vector", text = "In three dimensions, one direction of all rods, or of the own x of ellipsoids and polyhedra; default: all directions." },
  { "orientation", type = "table", text = "In three dimensions, instead of axis, one quaternion { w, x, y, z } that turns rods from the direction x, others from their own axes." },
  "velocity", "velocity_spread", "temperature", "clearance", "seed", "tries",
  { "attributes", "table", text = "Values of attributes by name: a number, or a function of the id." },
  { "material", "integer|string", at_least = 0, at_most = 2147483647, text = "Their material: a number, or a name of the scheme's; adds the column material." },
}

call "sim.remove" {
  summary = "Removes the particles that every condition given holds for, and returns how many they were. Bonds, links and contacts go with them; ids are never given again.",
  returns = "integer",
  { "region", "region", text = "Centres that lie in it: floc.box, ball, annulus, cylinder, cone, torus, region; union, difference or intersection of such." },
  { "where", "function", signature = "of columns", editor = "function",
    text = "Whose parameters' names are columns, or id; removed is where it returns true: function(y, radius) return y < -radius end." },
  { "particles", "table", instead_of = { "ids" }, text = "Ids of particles that there are, a list." },
}

call "sim.add_outlet" {
  summary = "Removes after each step the particles whose centres are in a region, and counts them.", returns = "floc.Stream",
  { "region", "region", required = true, instead_of = { "shape" },
    text = "Where: floc.box, ball, annulus, cylinder, cone, torus, region; union, difference or intersection of such." },
  { "every", "integer|table", default = 1, at_least = 1, text = "Steps from one look to the next, or { time = }." },
}

call "sim.add_inlet" {
  summary = "Adds particles in a region while the simulation runs, without overlaps, at a given rate; what finds no place is owed, which is reported by a warning.",
  returns = "floc.Stream", of = "insertion_options",
  { "rate", "number", above = 0, unit = "1/time", text = "Particles per time." },
  { "mass_rate", "number", above = 0, unit = "mass/time", text = "Instead of rate: a particle comes when those before have less mass than is due." },
  { "radius", "number|radii", required = true, above = 0, unit = "length", instead_of = { "r", "size" },
    text = "One radius, { lower, upper }, or a distribution, as in sim:add_particles." },
  { "region", "region", required = true, text = "Where: floc.box, ball, annulus, cylinder, cone, torus, region; union, difference or intersection of such." },
  { "mass", optional = true, above = 0 }, { "density", optional = true, above = 0, text = "Instead of the mass." },
  "velocity", "velocity_spread", "clearance",
  { "tries", default = 1000, text = "Places that are drawn for a particle before it has to wait for the next step." },
  { "start", "number", at_least = 0, unit = "time", text = "When the inlet opens; default: now." },
  { "until_", "number", above = 0, unit = "time", text = "When it closes; default: never." },
  { "limit", "integer", at_least = 1, text = "Most particles in all." },
  { "shape", "grain_shape", text = "A shape, as in sim:add_particles: grains that are not round; radius is that of the circle, or ball, about them." },
  { "angle", "number|table", unit = "rad", text = "Orientation of shapes: one angle, or { lower, upper }, uniform between; default: all directions." },
  { "axis", "vector", text = "In three dimensions, one direction of all rods, or of the own x of other shapes; default: all directions." },
  { "orientation", type = "table", text = "In three dimensions, instead of axis, one quaternion { w, x, y, z } that turns all grains from the directions of their shape." },
  { "attributes", "table", text = "Values of attributes by name: a number, or a function of the id." },
  { "material", "integer|string", at_least = 0, at_most = 2147483647, text = "Their material: a number, or a name of the scheme's; adds the column material." },
}

struct "assembly_options" {
  { "mass", "number", default = 0, at_least = 0, unit = "mass", text = "Default: the sum of the members' masses, which are scaled to it.",
    c = "0: the sum of the members' masses. The members' masses are scaled so that their sum is this." },
  { "center_is_given", "boolean", default = false,
    c = "Otherwise it is the members' common centre of mass; if they overlap, the centre of their union, uniformly filled." },
  { "center", "vector", unit = "length", instead_of = { "centre" },
    text = "Of mass. Default: from the members; if they overlap, from their union, uniformly filled.", c = "Of mass." },
  { "inertia", "number[6]", unit = "mass length^2",
    text = "About the centre; in three dimensions { xx, yy, zz, xy, xz, yz }. Default as for the centre.",
    c = "About the centre, xx yy zz xy xz yz; in 2-D only [2]; default 0: of the members, each uniformly filled; of the union if they "
      .. "overlap." },
  { "velocity", "vector", unit = "length/time", text = "Of the centre; default 0." },
  { "angular_velocity", "vector", unit = "rad/time", text = "A number in two dimensions, a vector in three.", c = "In 2-D only [2]; default 0." },
}

call "sim.add_assembly" {
  summary = "Joins several particles into one rigid body, and returns it.",
  of = "assembly_options",
  { "particles", "table", required = true, instead_of = { "ids", "members" }, text = "Ids of the particles." },
  { "mass", optional = true, above = 0 }, "center", { "inertia", type = "number|table", above = 0 }, "velocity",
  { "angular_velocity", type = "rotation" },
}

struct "assembly_state" {
  plain = true, result = true,
  { "member_count", "integer" },
  { "mass", "number" },
  { "inertia", "number[6]", c = "about the centre, in the assembly's own axes" },
  { "position", "vector", whole = true, c = "of the centre [length]" },
  { "orientation", "number[4]", c = "unit quaternion w, x, y, z; identity at the start" },
  { "angle", "number", c = "2-D: accumulated rotation [rad]" },
  { "velocity", "vector", whole = true, c = "[length/time]" },
  { "angular_velocity", "vector", whole = true, c = "[rad/time]" },
}

return surface
