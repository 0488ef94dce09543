-- Particles: one, many, assemblies of them. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct = surface.enum, surface.struct

struct "particle_options" {
  plain = true,
  { "position", "vector", c = "[length]; default 0; within a closed or periodic domain; at most 4.5e9 radii from "
      .. "0, where numbers are a millionth of a radius apart" },
  { "velocity", "vector", c = "[length/time]; default 0" },
  { "radius", "number", c = "> 0 [length]; 1e-100 to 1e100, at most half of a periodic axis and the whole of a "
      .. "closed one; no default" },
  { "mass", "number", c = "> 0 [mass]; 1e-100 to 1e100; default 1" },
  { "allow_overlap", "boolean", c = "it may lie in others, or in a body; default false" },
}

enum "region_kind" {
  prefix = "FLOC_REGION_",
  { "box", 1, "lower .. upper" },
  { "ball", 2, "center, radius; a disc in two dimensions" },
}

enum "placement" {
  { "random", 1, "random sequential addition: uniform positions, overlaps rejected" },
  { "lattice", 2, "square or cubic lattice, row by row from the lower corner" },
}

enum "distribution" {
  { "uniform", 1, "between radius_lower and radius_upper" },
  { "normal", 2, "mean and deviation, cut at radius_lower and radius_upper" },
  { "lognormal", 3, "mean and deviation of the radius itself, cut likewise" },
  { "by_volume", 4, "uniform in volume (area in 2-D) between the two radii" },
}

struct "insertion_options" {
  plain = true,
  { "count", "integer64", c = "how many particles, 1 or more; no default" },
  { "region_kind", "integer", c = "floc_region_kind. default box" },
  { "region_lower", "vector", c = "box [length]; particles lie wholly inside" },
  { "region_upper", "vector" },
  { "region_center", "vector", c = "ball [length]" },
  { "region_radius", "number" },
  { "placement", "integer", c = "floc_placement. default random" },
  { "spacing", "number", c = "lattice constant [length]; 0: twice the greatest radius" },
  { "distribution", "integer", c = "floc_distribution. of radii; default uniform" },
  { "radius_lower", "number", c = "> 0 [length]; no default" },
  { "radius_upper", "number", c = ">= radius_lower [length]; default radius_lower" },
  { "radius_mean", "number", c = "normal and lognormal [length]" },
  { "radius_deviation", "number", c = "normal and lognormal [length]" },
  { "mass", "number", c = "> 0 [mass] each, or 0: from the density; default 1" },
  { "density", "number", c = "> 0 [mass/length^3] (mass/length^2 in 2-D); used when mass is 0" },
  { "velocity", "vector", c = "[length/time]; default 0" },
  { "velocity_spread", "number", c = ">= 0: each component gets a uniform draw in [-spread, spread] on top; "
      .. "default 0" },
  { "clearance", "number", c = ">= 0: least surface distance to others and to bodies [length]; default 0" },
  { "seed", "unsigned64", c = "0: from the world's seed and the number of particles before" },
  { "tries", "integer64", c = "random placement gives up after this many rejected draws in a row; default 100000" },
}

struct "assembly_options" {
  plain = true,
  { "mass", "number", c = "> 0 [mass], or 0: the sum of the members' masses; default 0. The members' masses are "
      .. "scaled so that their sum is this." },
  { "center_is_given", "boolean", c = "default false: the members' common centre of mass; if they overlap, the "
      .. "centre of their union, uniformly filled" },
  { "center", "vector", c = "centre of mass [length]" },
  { "inertia", "number[6]", c = "about the centre, xx yy zz xy xz yz; in 2-D only [2] [mass length^2]; default 0: "
      .. "of the members, each uniformly filled; of the union if they overlap" },
  { "velocity", "vector", c = "of the centre [length/time]; default 0" },
  { "angular_velocity", "vector", c = "[rad/time]; in 2-D only [2]; default 0" },
}

struct "assembly_state" {
  plain = true,
  { "member_count", "integer" },
  { "mass", "number" },
  { "inertia", "number[6]", c = "about the centre, in the assembly's own axes" },
  { "position", "vector", c = "of the centre [length]" },
  { "orientation", "number[4]", c = "unit quaternion w, x, y, z; identity at the start" },
  { "angle", "number", c = "2-D: accumulated rotation [rad]" },
  { "velocity", "vector", c = "[length/time]" },
  { "angular_velocity", "vector", c = "[rad/time]" },
}

return surface
