-- Contacts, measures of a host, clusters and the shapes of clusters. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct = surface.enum, surface.struct

struct "contact" {
  plain = true,
  { "id_i", "integer64", c = "particle" },
  { "id_j", "integer64", c = "particle, or 0: a body" },
  { "body", "integer", c = "the body, or -1" },
  { "shape", "integer", c = "the body's shape, or -1" },
  { "point", "vector", c = "where the surfaces are nearest [length]; see below" },
  { "normal", "vector", c = "unit vector from i to j, or to the body; see below" },
  { "distance", "number", c = "between the surfaces now, < 0 overlapping [length]" },
  { "impulse", "number", c = "along the normal, > 0 is repulsive [mass length/time]; see below" },
  { "gamma", "number", c = "gluey state, <= 0" },
  { "friction", "vector", c = "impulse across the normal, on j (or on the body)" },
}

struct "measure_options" {
  plain = true,
  { "name", "string", c = "letters, digits and _, no digit first; at most 47; no default" },
  { "unit", "string", c = "in words like length/time; NULL or \"\": a number without one; at most 47 bytes" },
  { "text", "string", c = "what it is, for readers; may be NULL; at most 255 bytes" },
  { "function", "measure_function", c = "no default" },
  { "context", "context" },
}

struct "cluster_summary" {
  plain = true,
  { "count", "integer64", c = "clusters; a particle alone is one" },
  { "single", "integer64", c = "clusters of one particle" },
  { "largest", "integer64", c = "particles in the largest" },
  { "mean_size", "number", c = "particles per cluster" },
  { "weighted_mean_size", "number", c = "the size of the cluster that a particle is in, on average" },
}

enum "cluster_rule" {
  prefix = "FLOC_CLUSTER_",
  { "gap", 1, "joined if the surface distance is at most gap" },
  { "link", 2, "joined if the scheme holds them together: links, bonds" },
}

struct "selection" {
  { "rule", "cluster_rule", free = true, default = "link", c = "" },
  { "gap", "number", free = true, default = 0, at_least = 0, unit = "length", c = "As for floc_clusters." },
  { "cluster", "integer64", free = true, default = 0, at_least = -1, c = "0: all particles; 1, 2, ...: the cluster of that number in "
      .. "floc_clusters; -1: the one of most particles." },
}

struct "gyration" {
  plain = true,
  { "count", "integer64", c = "particles" },
  { "mass", "number" },
  { "center", "vector", c = "of mass [length]; within the box on periodic axes" },
  { "tensor", "number[9]", c = "mean of y y^T, y from the centre, row by row [length^2]" },
  { "eigenvalue", "vector", c = "descending [length^2]; the last is 0 in 2-D" },
  { "orientation", "vector", c = "unit eigenvector of the greatest, (4.12); its first component that is not 0 is "
      .. "positive" },
  { "aspect_ratio", "number", c = "greatest over least eigenvalue, (4.11); 1 for one particle, infinite for "
      .. "particles in a row" },
  { "radius", "number", c = "of gyration: root of the sum of the eigenvalues [length]" },
}

struct "scaling" {
  plain = true,
  { "count", "integer", c = "points, 0 .. FLOC_SCALE_COUNT" },
  { "first", "integer", c = "the fit uses points first .. last" },
  { "last", "integer" },
  { "x", "number[FLOC_SCALE_COUNT]" },
  { "y", "number[FLOC_SCALE_COUNT]" },
  { "dimension", "number", c = "the fractal dimension: the exponent or its opposite" },
  { "deviation", "number", c = "standard error of the slope; 0 with two points" },
  { "prefactor", "number" },
}

struct "fractal_options" {
  { "least", "number", default = 0, at_least = 0, unit = "length", c = "The fit's range; 0: three times the mean radius (box counting, and "
      .. "distances from the centre)." },
  { "greatest", "number", default = 0, at_least = 0, unit = "length", c = "0: half of the box (box counting), radius of gyration (distances "
      .. "from the centre)." },
  { "side", "number", default = 0, at_least = 0, unit = "length", c = "Box counting: of the largest box; 0: the longest side of the domain, or "
      .. "of the particles' bounding box on open axes." },
  { "corner", "vector", unit = "length", c = "Box counting: lower corner, used when side is above 0; default 0." },
}

return surface
