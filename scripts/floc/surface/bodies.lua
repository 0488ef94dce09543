-- Bodies and the shapes that they are made of. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct = surface.enum, surface.struct

enum "shape_kind" {
  prefix = "FLOC_SHAPE_",
  { "plane", 1, "points[0]: a point, points[1]: normal; particles stay on the normal's side" },
  { "segment", 2, "points[0] to points[1], thickened by radius: a capsule; two sides and ends" },
  { "sphere", 3, "points[0]: centre, radius; particles stay outside" },
  { "hollow", 4, "points[0]: centre, radius; particles stay inside (a drum, a round pot)" },
  { "triangle", 5, "points[0..2], thickened by radius; two sides and edges; 3-D only" },
}

struct "shape" {
  plain = true,
  { "kind", "integer", c = "floc_shape_kind. no default" },
  { "points", "number[3][3]", c = "in the body's frame [length]" },
  { "radius", "number", c = ">= 0 [length]; default 0" },
}

enum "motion_kind" {
  prefix = "FLOC_MOTION_",
  { "fixed", 0 },
  { "constant", 1, "velocity and angular_velocity stay as given" },
  { "velocity", 2, "function(time) returns velocity and angular velocity; called for the middle of the step" },
  { "position", 3, "function(time) returns position and rotation vector; called for the end of the step" },
  { "oscillation", 4, "position + amplitude sin(frequency time + phase)" },
  { "piston", 5, "moves with velocity until it has gone travel, then stays or turns back" },
}

struct "body_options" {
  plain = true,
  { "position", "vector", c = "of the body's frame and pivot [length]; default 0" },
  { "rotation", "vector", c = "rotation vector [rad]; in 2-D only rotation[2]; default 0" },
  { "motion", "integer", c = "floc_motion_kind. default fixed" },
  { "velocity", "vector", c = "constant, piston [length/time]; default 0" },
  { "angular_velocity", "vector", c = "constant [rad/time]; in 2-D only [2], counter-clockwise; default 0" },
  { "amplitude", "vector", c = "oscillation [length]" },
  { "frequency", "number", c = "oscillation, angular [rad/time]" },
  { "phase", "number", c = "oscillation [rad]" },
  { "travel", "number", c = "piston: distance to go, > 0 [length]" },
  { "returns", "boolean", c = "piston: goes back and forth instead of stopping" },
  { "function", "motion_function", c = "velocity, position" },
  { "function_context", "context" },
  { "roughness", "number", c = ">= 0 [length]; used by the gluey contact law; default 0" },
  { "material", "integer", c = "any number >= 0; default 0" },
  { "name", "string", c = "shown in messages; may be NULL" },
}

enum "compound_kind" {
  prefix = "FLOC_COMPOUND_",
  { "polyline", 1, "points in order; closed joins the last to the first; 2-D" },
  { "box", 2, "lower .. upper: four segments, in 3-D twelve triangles; hollow" },
  { "funnel", 3, "two slopes, in 3-D a cone; the middle of the outlet is the origin" },
  { "wheel", 4, "radial paddles around the origin, in 3-D plates of the given width" },
  { "container", 5, "a box without lid; the middle of the floor is the origin" },
}

struct "compound" {
  plain = true,
  { "kind", "integer", c = "floc_compound_kind. no default" },
  { "points", "const double *", c = "polyline: x, y pairs [length]" },
  { "point_count", "integer", c = "polyline: 2 or more" },
  { "closed", "boolean", c = "polyline; default false" },
  { "lower", "vector", c = "box [length]" },
  { "upper", "vector" },
  { "top", "number", c = "funnel: inner width at the top [length]; above bottom" },
  { "bottom", "number", c = "funnel: width of the outlet, >= 0 [length]" },
  { "height", "number", c = "funnel, container [length], > 0" },
  { "radius", "number", c = "wheel: length of the paddles from the axis [length], > 0" },
  { "hub", "number", c = "wheel: radius of the hub, >= 0 [length]; default 0: none" },
  { "paddles", "integer", c = "wheel: 1 or more; default 6" },
  { "width", "number", c = "container: inner width along x; wheel in 3-D: along the axis z [length]" },
  { "depth", "number", c = "container in 3-D: inner width along z [length]" },
  { "facets", "integer", c = "funnel in 3-D: flat faces around; default 48" },
  { "thickness", "number", c = "of every plate, >= 0 [length]; plates are rounded by half of it; default 0" },
}

struct "mesh_options" {
  plain = true,
  { "path", "string", c = "STL file, binary or text; no default" },
  { "scale", "number", c = "> 0: lengths of the file are multiplied by it; default 1" },
  { "thickness", "number", c = "of the plates, >= 0 [length]; default 0" },
}

struct "body_state" {
  plain = true,
  { "shape_count", "integer" },
  { "position", "vector", c = "[length]" },
  { "orientation", "number[4]", c = "unit quaternion w, x, y, z" },
  { "angle", "number", c = "2-D: accumulated rotation [rad]" },
  { "velocity", "vector", c = "mean over the last step [length/time]" },
  { "angular_velocity", "vector", c = "mean over the last step [rad/time]" },
  { "force", "vector", c = "exerted on the body by all particles, mean over the last step" },
  { "torque", "vector", c = "about the body's position, likewise" },
}

return surface
