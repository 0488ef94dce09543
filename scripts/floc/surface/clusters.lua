-- Contacts, pairs of neighbours, measures of a host, clusters and the shapes of clusters. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct, call, arguments = surface.enum, surface.struct, surface.call, surface.arguments

struct "contact" {
  plain = true, result = true,
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
  { "moment", "vector", axial = true, since = "0.3.0", c = "angular impulse against rolling and twisting, on j (or on the body) [mass length^2/time]; "
      .. "in the plane moment[2] alone" },
}

enum "neighbors_by" {
  prefix = "FLOC_NEIGHBORS_",
  { "touching", 0, "surfaces within 1e-3 of the smaller radius, as the measure coordination_number counts" },
  { "surfaces", 1, "surfaces at most range apart" },
  { "centers", 2, "centres at most range apart" },
}

struct "pairs_options" {
  { "by", "neighbors_by", default = "touching", text = "What makes two particles neighbours: surfaces that touch (within 1e-3 of the smaller radius), or surfaces, or "
      .. "centres, at most range apart.", c = "" },
  { "range", "number", default = 0, at_least = 0, unit = "length", text = "Maximum distance of the surfaces, or of the centres." },
  { "particle", "integer64", default = 0, at_least = 0, c = "0: every pair once, id_i < id_j; otherwise the pairs of the particle of this id, which is id_i." },
}

call "sim.pairs" {
  summary = "Pairs of particles near each other as lists of numbers, one list per name, in the order of ids: { count = n, id_i = { ... }, id_j = { ... }, "
    .. "distance = { ... }, gap = { ... } }; id_i < id_j. In a periodic domain particles are at their nearest images.",
  of = "pairs_options", returns = "table",
  { "range", required = true, text = "Maximum distance of the surfaces, or of the centres." },
  { "by", one_of = { "surfaces", "centers" }, default = "surfaces", text = "What range is measured between." },
  { "names", "table", text = "Of id_i, id_j, distance (of the centres), gap (of the surfaces, below 0 overlapping), x, y, z (from i to j); default: the first four." },
  { "into", "table", text = "What an earlier call returned, whose lists are filled again." },
}

struct "stress_options" {
  { "volume", "number", default = 0, at_least = 0, unit = "length^dimension", text = "That the particles fill; 0: of the domain, on open axes of their bounding box." },
}

struct "stress" {
  plain = true, result = true,
  { "volume", "number", c = "[length^dimension]" },
  { "pressure", "number", c = "mean of the diagonal" },
  { "tensor", "number[9]", matrix = true, c = "kinetic + contacts + laws, row by row; compression is positive" },
  { "kinetic", "number[9]", matrix = true, c = "of velocities about their mean" },
  { "contacts", "number[9]", matrix = true, c = "of contacts, friction and bonds of the scheme, with particles and bodies" },
  { "laws", "number[9]", matrix = true, c = "of pair laws, laws over bonds, wall laws and attractions" },
  { "fabric", "number[9]", matrix = true, c = "mean of n n^T over contacts between particles" },
  { "contact_count", "integer64", c = "contacts that carry a force, with bodies too" },
  { "coordination_number", "number", c = "twice those between particles over the particles; an assembly is one" },
}

-- Filled by number: the parts from gravity to outside, and those behind steps, stand in the order of engine/schemes/energy_ledger.h.
struct "energy_ledger" {
  plain = true, result = true,
  { "kinetic", "number", c = "[energy] at the end of the last step, spins included" },
  { "start", "number", c = "[energy] the same before the first step of the account" },
  { "gravity", "number", c = "work [energy] from here to walls: what each gave the particles' motion since the start, below 0 what it took" },
  { "laws", "number", c = "laws of forces: pairs, walls, fields, bonds, attractions, long-range forces, and their torques" },
  { "fields", "number", c = "electric and magnetic fields of discrete elements" },
  { "near_field", "number", c = "near field of discrete elements" },
  { "drag", "number", c = "drag and viscous torque of the medium of discrete elements" },
  { "contacts", "number", c = "elastic forces along normals; in the projection impulses along normals: what collisions lose, above 0 what restitution or gamma give back" },
  { "damping", "number", c = "viscous forces along normals of discrete elements" },
  { "friction", "number", c = "tangential forces or impulses, springs and damping together" },
  { "rolling", "number", c = "moments against rolling and twisting" },
  { "bonds", "number", c = "bonds of discrete elements, along and across" },
  { "flow", "number", c = "a flow, noise, or a priori velocities by a function" },
  { "rays", "number", c = "forces and torques of rays" },
  { "walls", "number", c = "bodies that move, through contacts: forces times velocities of their surfaces" },
  { "cell", "number", c = "a cell that deforms, where kinetic energy is that about its flow: -stress : velocity gradient, times volume and time" },
  { "outside", "number", c = "what changed kinetic energy between steps: particles that came or went, columns that were written, masses that grew" },
  { "residual", "number", c = "kinetic - start - the sum of all works: 0 to rounding" },
  { "turnover", "number", c = "sum over steps of the magnitudes of all works: what residual is to be held against" },
  { "steps", "integer64", c = "in the account" },
  { "loads", "number", since = "0.3.0", c = "works again: loads of free bodies; their damping is drag" },
  { "joints", "number", since = "0.3.0", c = "what joints and their limits gave to what they hold, prescribed bodies left out" },
  { "motors", "number", since = "0.3.0", c = "motors of joints" },
  { "springs", "number", since = "0.3.0", c = "springs and dampers of joints" },
}

call "sim.energy_ledger" {
  summary = "The account of energy of a simulation with energy_ledger = true, as a table: kinetic = start + the works of gravity, laws, fields, near_field, drag, "
    .. "contacts, damping, friction, rolling, bonds, flow, rays, walls, cell, outside, loads, joints, motors, springs; each from its own forces, so that residual shows what is missing. turnover, steps.",
  optional = true, returns = "table",
}

call "sim.stress" {
  summary = "The stress tensor of all particles (compression is positive) as the sum of its parts: tensor = kinetic + contacts + laws, matrices of rows; pressure, the mean of "
    .. "its diagonal; volume; fabric, the mean of n n^T over the contacts of particles that carry a force; contact_count, coordination_number of these.",
  of = "stress_options", optional = true, returns = "table", "volume",
}

struct "radial_options" {
  { "range", "number", required = true, above = 0, unit = "length", text = "Largest distance between two centres; at most half the length of the box on periodic axes." },
  { "bins", "integer", default = 100, at_least = 1, at_most = 100000, text = "Intervals of equal width." },
}

struct "structure_options" {
  { "greatest", "number", required = true, above = 0, unit = "1/length", text = "Largest wave number, 2 pi/length." },
  { "bins", "integer", default = 100, at_least = 1, at_most = 100000, text = "Intervals of wave numbers of equal width." },
}

struct "profile_options" {
  { "axis", "integer", default = 1, at_least = 0, at_most = 2, c = "0, 1, 2: x, y, z, along which the bins lie." },
  { "bins", "integer", default = 20, at_least = 1, at_most = 100000, text = "Intervals of equal width." },
  { "lower", "number", default = 0, unit = "length", text = "Where the first begins." },
  { "upper", "number", default = 0, unit = "length", text = "Where the last ends.", c = "Where the last ends; lower and upper both 0: those of the domain, on an "
      .. "open axis of the particles." },
}

struct "force_distribution_options" {
  { "bins", "integer", default = 50, at_least = 1, at_most = 100000, text = "Intervals of equal width." },
  { "greatest", "number", default = 5, above = 0, text = "Largest force, as a multiple of the mean." },
}

call "sim.radial_distribution" {
  summary = "The radial distribution function g(r): { r = { ... }, g = { ... } }, r the midpoints of the intervals; the number density of centres at a distance r from a particle, divided by their mean "
    .. "density. On axes that are not periodic only particles at least range away from both ends of the domain (of the particles' bounding box where it is open) serve "
    .. "as the particle at r = 0, so that no neighbour is missing.",
  of = "radial_options", returns = "table", "range", "bins",
}

call "sim.structure_factor" {
  summary = "The structure factor S(k) = |sum of exp(i k.x)|^2 / n, averaged over the wave vectors k of the periodic box in each interval: { k = { ... }, s = { ... }, "
    .. "vectors = { ... } }, k their mean length, vectors how many there are (k and -k are one); intervals without a vector are left out. All axes must be periodic.",
  of = "structure_options", returns = "table", "greatest", "bins",
}

call "sim.profile" {
  summary = "Means of columns along an axis, as of velocities: { y = { ... }, count = { ... }, vx = { ... } }: the midpoints of the intervals, the number of particles whose centres are in them, and the "
    .. "weighted mean of each column; nan where there are none.",
  of = "profile_options", returns = "table",
  { "along", "choice", one_of = { "x", "y", "z" }, required = true, text = "The axis." },
  { "columns", "table", required = true, text = "Names of columns or attributes." },
  { "weight", "string", default = "mass", text = "A column, or \"none\"." },
  "bins", { "lower", optional = true, text = "Where the first begins; default: the domain's, on an open axis that of the particles." },
  { "upper", optional = true, text = "Where the last ends; likewise." },
}

call "sim.force_distribution" {
  summary = "The distribution of the normal forces of contacts: { force = { ... }, density = { ... }, mean = number, count = n }, force the midpoints of the intervals, as multiples of the mean force; the density's "
    .. "integral is the fraction of contacts below greatest. The contacts are those of sim:stress.",
  of = "force_distribution_options", optional = true, returns = "table", "bins", "greatest",
}

struct "bond_order_options" {
  { "order", "integer", default = 6, at_least = 1, at_most = 12, text = "k of psi_k in the plane, l of q_l in space." },
  { "by", "neighbors_by", default = "touching", c = "As for floc_world_get_pairs." },
  { "range", "number", default = 0, at_least = 0, unit = "length", text = "Maximum distance of the surfaces, or of the centres." },
  { "averaged", "boolean", default = false, text = "The vector of a particle is the mean over itself and its neighbours (Lechner and Dellago 2008)." },
}

struct "bond_order" {
  plain = true, result = true,
  { "mean", "number", c = "of the particles' orders" },
  { "global", "number", c = "length of the mean of the particles' vectors" },
  { "neighbors", "number", c = "per particle, in the mean" },
  { "alone", "integer64", c = "particles without a neighbour; their vector is 0" },
}

struct "mixing_options" {
  { "cell", "number", required = true, above = 0, unit = "length", text = "Side of the cells, which hold some ten particles each; as many fit on an axis as come nearest to it." },
  { "threshold", "number", free = true, default = 0, text = "Particles above it are of the one kind; default: the middle between the minimum and the maximum.",
    c = "Particles above it are of the one kind; NaN: the middle between the minimum and the maximum." },
}

struct "mixing" {
  plain = true, result = true,
  { "index", "number", c = "(segregated - variance)/(segregated - random)" },
  { "fraction", "number", c = "p, of the particles above the threshold" },
  { "variance", "number", c = "of that fraction over cells, weighted by their particles" },
  { "segregated", "number", c = "that of pure cells, p (1 - p)" },
  { "random", "number", c = "its mean in random mixtures with the same cells, p (1 - p) (cells - 1)/(particles - 1)" },
  { "cells", "integer64", c = "that hold particles" },
}

call "sim.mixing_index" {
  summary = "Lacey's mixing index of two kinds of particles, told apart by a column: 0 where each cell of a grid has one kind, 1 in the mean of random mixtures; "
    .. "1 minus it measures segregation. Returns { index, fraction, variance, segregated, random, cells }.",
  of = "mixing_options", returns = "table", "cell",
  { "column", "string", default = "radius", text = "Column or attribute that tells the kinds apart." },
  { "threshold", optional = true },
}

call "sim.bond_order" {
  summary = "Bond-orientational order from the directions to neighbours: { mean, global, neighbors, alone, of = { ... } }. In the plane of[id] is |psi_k|, psi_k the mean of exp(i k angle) over "
    .. "the neighbours; in space Steinhardt's q_l, the root of 4 pi/(2 l + 1) times the sum of |mean of Y_lm|^2 over m. mean: of these over all particles; global: the same "
    .. "length of the mean of the psi_k, or of the q_lm, over all particles; neighbors: their mean number; alone: particles that have none, whose order is 0.",
  of = "bond_order_options", optional = true, returns = "table", "order",
  { "range", optional = true, text = "Maximum distance of the surfaces, or of the centres; default: neighbours touch (surfaces within 1e-3 of the smaller radius)." },
  { "by", one_of = { "surfaces", "centers" }, default = "surfaces", text = "What range is measured between." },
  "averaged",
}

struct "coarse_grain_options" {
  { "width", "number", required = true, above = 0, unit = "length", text = "Deviation of the kernel, a product of normal densities cut off at six widths." },
  { "cells_x", "integer", default = 0, at_least = 0, at_most = 10000000, c = "Number of cells along x; 0: as many as keep them within half a width." },
  { "cells_y", "integer", default = 0, at_least = 0, at_most = 10000000, c = "Likewise." },
  { "cells_z", "integer", default = 0, at_least = 0, at_most = 10000000, c = "Likewise." },
  { "lower", "vector", unit = "length", text = "Where the grid begins.", c = "Of the grid, on axes that are not periodic; default 0." },
  { "upper", "vector", unit = "length", text = "Where it ends.", c = "Both 0 on an axis: the grid holds all kernels." },
}

struct "grid" {
  plain = true, result = true,
  { "cells", "integer[3]", shown = false, c = "along each axis; 1 along z in the plane" },
  { "lower", "vector", c = "corner [length]" },
  { "spacing", "vector", c = "of the cells [length]; 1 along z in the plane" },
}

enum "field" {
  { "density", 0, "[mass/length^dimension]" },
  { "momentum", 1, "x, y, z: three fields [mass/(length^(dimension-1) time)]" },
  { "kinetic_stress", 4, "nine: xx, xy, xz, yx, ... [stress]" },
  { "contact_stress", 13, "likewise" },
  { "law_stress", 22, "likewise" },
  { "count", 31, "of fields" },
}

call "sim.coarse_grain" {
  summary = "Coarse-grained fields (Goldhirsch 2010) as means over the cells of a grid, lists in which x runs fastest: density, momentum_x, velocity_x ..., kinetic_stress_xx, "
    .. "contact_stress_xx, law_stress_xx ..., their sum stress_xx ... (compression is positive), pressure, granular_temperature (mean square of a component of the velocity about the field's, by mass); "
    .. "and cells, lower, spacing of the grid. With path they are written as a .vti file, too.",
  of = "coarse_grain_options", returns = "table", "width",
  { "grid", "table", text = "Numbers of cells { nx, ny } or { nx, ny, nz }; default: as many as keep cells within half a width." },
  { "lower", optional = true, text = "Where the grid begins on axes that are not periodic; default: the grid holds all kernels." },
  { "upper", optional = true, text = "Where it ends." },
  { "path", "path", text = "A .vti file, which ParaView reads." },
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
  plain = true, result = true,
  { "count", "integer64", c = "clusters; a particle alone is one" },
  { "single", "integer64", c = "clusters of one particle" },
  { "largest", "integer64", c = "particles in the largest" },
  { "mean_size", "number", c = "particles per cluster" },
  { "weighted_mean_size", "number", c = "the size of the cluster that a particle is in, on average" },
}

enum "cluster_rule" {
  prefix = "FLOC_CLUSTER_",
  { "gap", 1, "connected if the surface distance is at most gap" },
  { "link", 2, "connected by a link or bond of the scheme" },
}

struct "selection" {
  { "rule", "cluster_rule", free = true, default = "link", c = "" },
  { "gap", "number", free = true, default = 0, at_least = 0, unit = "length", c = "As for floc_clusters." },
  { "cluster", "integer64", free = true, default = 0, at_least = -1, c = "0: all particles; 1, 2, ...: the cluster of that number in "
      .. "floc_clusters; -1: the one of most particles." },
}

struct "gyration" {
  plain = true, result = true,
  { "count", "integer64", c = "particles" },
  { "mass", "number" },
  { "center", "vector", c = "of mass [length]; within the box on periodic axes" },
  { "tensor", "number[9]", matrix = true, c = "mean of y y^T, y from the centre, row by row [length^2]" },
  { "eigenvalue", "vector", shown = "eigenvalues", c = "descending [length^2]; the last is 0 in 2-D" },
  { "orientation", "vector", c = "unit eigenvector of the largest, (4.12); its first component that is not 0 is "
      .. "positive" },
  { "aspect_ratio", "number", c = "largest over smallest eigenvalue, (4.11); 1 for one particle, infinite for "
      .. "particles in a row" },
  { "radius", "number", c = "of gyration: root of the sum of the eigenvalues [length]" },
}

struct "scaling" {
  plain = true, result = true,
  { "count", "integer", shown = false, c = "points, 0 .. FLOC_SCALE_COUNT" },
  { "first", "integer", from_one = true, c = "the fit uses points first .. last" },
  { "last", "integer", from_one = true },
  { "x", "number[FLOC_SCALE_COUNT]", shown = false },
  { "y", "number[FLOC_SCALE_COUNT]", shown = false },
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

arguments "measure_moment" {
  { "about", "number", default = 0, text = "A value, or \"mean\"." },
  { "order", "integer", default = 1, at_least = 1, at_most = 64, text = "Exponent of the moment." },
}

call "sim.moment" {
  summary = "Moment of a column about a value (Zohdi 2016, (40)): sum of a (Q - about)^order over the sum of a.",
  of = "measure_moment", returns = "number",
  { "column", "string", required = true, text = "Q: any column or attribute." },
  "order", { "about", type = "number|string" },
  { "weight", "string", default = "mass", text = "a: a column, or \"none\"." },
}

-- What connects particles to clusters. Calls of Lua name the rule by what it looks at; `bond` is a link of discrete elements.
local gap = { "gap", text = "Maximum surface distance that connects." }

call "sim.clusters" {
  summary = "Finds clusters: count, single, largest, mean_size, weighted_mean_size, sizes (largest first), and "
    .. "`of`, the cluster's number by particle id.",
  of = "selection", optional = true, returns = "table",
  { "by", "choice", one_of = { "gap", "link", "bond" }, default = "gap",
    text = "What connects two particles: surfaces within gap, or a link or bond of the scheme." },
  gap,
}

call "sim.greatest_distance" {
  summary = "Maximum distance between two centres, of all particles or of one cluster.",
  of = "selection", optional = true, returns = "number",
  { "by", "choice", one_of = { "gap", "link", "bond" }, default = "gap", text = "What forms clusters, as for sim:clusters." },
  gap,
  { "cluster", "string|integer", at_least = 1, text = "Number of the cluster as in sim:clusters, or \"largest\"; default all particles." },
}

call "sim.bond_changes" {
  summary = "Pairs within gap that formed and broke since the last call: returns both numbers.",
  of = "selection", returns = "integer, integer",
  { "gap", required = true, text = "Maximum surface distance of a bond." },
}

struct "merge_options" {
  { "rule", "cluster_rule", default = "link", c = "" },
  { "gap", "number", default = 0, at_least = 0, unit = "length", text = "Clusters are those of surfaces at most this far apart, compared between calls. Without it they are "
      .. "those of links or bonds of the scheme; under ballistic and event_driven each merge is recorded at its time.", c = "Of clusters by gap." },
  { "apart", "number", default = 0, at_least = 0, unit = "length", text = "A pair within gap stays joined until its surfaces are further apart than this; default: gap.",
    c = "Of clusters by gap: a joined pair stays joined until its surfaces are further apart; 0: gap." },
}

struct "merge_summary" {
  plain = true, result = true,
  { "start", "integer64", c = "clusters at the first look" },
  { "clusters", "integer64", c = "now: start - merges + splits + outside" },
  { "merges", "integer64", c = "since the first look" },
  { "splits", "integer64", c = "clusters that came apart, likewise" },
  { "outside", "integer64", c = "what particles that came (each is a cluster) and went have added to the number of clusters" },
  { "found", "integer64", shown = "count", c = "rows of this look" },
}

local merge_columns = "time; change of the number of clusters (-1: two merged, +1: one came apart); id_i, id_j, the particles that touched, id_i < id_j; size_i, size_j, "
  .. "mass_i, mass_j of the two clusters; x, y, z in the middle between the surfaces; normal_x, .. from i to j; vx_i, .. and vx_j, .. of the mass centres while apart, "
  .. "vx, .. while together"

call "sim.merges" {
  summary = "Clusters that merged and came apart since the last call, in their order, as lists of numbers; the first call begins. A table { count = n, time = { ... }, ... } "
    .. "with, besides, numbers since the first call: clusters = start - merges + splits + outside, where outside is what particles that came (each is a cluster) and went "
    .. "have added. Under ballistic and event_driven, without gap, times and velocities are those of the merge; otherwise clusters of two calls are compared: the time is "
    .. "that of the call, velocities while apart (of splits: while together) are those at the call before. All calls of a simulation must give the same gap and apart.",
  of = "merge_options", optional = true, returns = "table",
  { "gap", optional = true }, { "apart", optional = true },
  { "names", "table", text = "Of " .. merge_columns .. "; default: all." },
  { "into", "table", text = "What an earlier call returned, whose lists are filled again." },
}

call "sim.write_merges" {
  summary = "Writes what sim:merges gives as rows of a table, after steps and at the end of the script; the columns are separated by tabs, in files .csv by commas. "
    .. "NAME.vtp, for ParaView, has the merges as points with these numbers; it is made at the end of the script from NAME.csv. Plain Lua, outside of the program, knows no end of a script: rows after the last interval and NAME.vtp are not written there.",
  of = "merge_options",
  { "path", "path", required = true, text = "The file; missing folders are created." },
  { "every", "integer|table", at_least = 1, default = 1, text = "Looks every that many steps, or { time = ... }." },
  { "gap", optional = true }, { "apart", optional = true },
  { "names", "table", text = "The columns; default: all." },
}

local links = { "by", "choice", one_of = { "link", "gap" }, default = "link", text = "What connects particles to clusters." }

call "sim.cluster_sizes" {
  summary = "Clusters by size: a list of sizes, ascending, and how many clusters have each.",
  of = "selection", optional = true, returns = "integer[], integer[]", links, gap,
}

-- A call's own fields and those that choose particles.
local function of_cluster(fields)
  if fields.optional == nil then fields.optional = true end
  fields.of = "selection"
  for _, entry in ipairs {
    { "cluster", "choice|integer", one_of = { "all", "largest" }, at_least = 1, default = "all",
      text = "Of all particles, of the largest cluster, or of the one with this number in sim:clusters." },
    { "by", "choice", one_of = { "link", "gap" }, default = "link",
      text = "What connects particles to clusters: links of the scheme, or surfaces within gap." },
    gap,
  } do fields[#fields + 1] = entry end
  return fields
end

call "sim.gyration" (of_cluster {
  summary = "Shape by the gyration tensor (4.11)-(4.12): count, mass, center, tensor, eigenvalues "
    .. "(descending), orientation, aspect_ratio, radius (of gyration).",
  returns = "table",
})

arguments "measure_contact_number" {
  { "factor", "number", default = 2.1, above = 0,
    text = "2.1 is the paper's; 2.002 counts those that touch: the coordination number." },
}

call "sim.contact_number" (of_cluster {
  summary = "Mean number of other particles whose centre is within factor times the mean radius of "
    .. "both: (4.13) without the particle itself and not divided by 6 (12).",
  returns = "number", { "factor", from = "measure_contact_number" },
})

call "sim.pair_distribution" (of_cluster {
  summary = "Mean numbers of other particles whose centre is within each distance, (4.14) without "
    .. "the particle itself: a list.",
  optional = false, returns = "number[]",
  { "distances", "table", required = true, text = "Ascending numbers, at least 0." },
})

local least = { "least", from = "fractal_options", text = "Start of the fit; 0: three mean radii." }
local greatest = { "greatest", from = "fractal_options", text = "End of the fit; 0: half of the box, or the radius of gyration for mass_radius." }

call "sim.box_counting" (of_cluster {
  summary = "Fractal dimension by box counting (4.15): dimension, deviation (standard error of the slope), "
    .. "x (sides), y (boxes that hold a centre), first and last point of the fit, prefactor.",
  returns = "table", least, greatest,
  { "side", from = "fractal_options",
    text = "Of the greatest box; 0: the longest side of the domain, or of the particles where it is open." },
  { "corner", from = "fractal_options", text = "Its lower corner; used with side." },
})

call "sim.mass_radius" (of_cluster {
  summary = "Fractal dimension from the mass within distances of the centre of mass; as box_counting, x "
    .. "are distances and y masses.",
  returns = "table", least, greatest,
})

arguments "measure_cluster_scaling" {
  { "least_count", "integer64", default = 8, at_least = 2, text = "Clusters of fewer particles are omitted." },
}

call "sim.cluster_scaling" {
  summary = "Fractal dimension from the masses of clusters against their radii of gyration; as "
    .. "box_counting, x are radii and y masses.",
  of = "selection", optional = true, returns = "table", { "least_count", from = "measure_cluster_scaling" }, links, gap,
}

return surface
