-- What calls that measure take; the form of these declarations is explained in declarations.lua, which calls this with its own
-- `declare`. Numbers that have no more than a name are in measures.lua.

return function(declare)

declare("moment", "sim", "Moment of a column about a value (Zohdi 2016, (40)): sum of a (Q - about)^order over the sum of a.", {
  { "column", "string", required = true, text = "Q: any column or attribute." },
  { "order", "integer", default = 1, at_least = 1, at_most = 64, text = "The power." },
  { "about", "number|string", default = 0, text = "A value, or \"mean\"." },
  { "weight", "string", default = "mass", text = "a: a column, or \"none\"." },
})

declare("greatest_distance", "sim", "Maximum distance between two centres, of all particles or of one cluster.", {
  optional = true,
  { "by", "choice", one_of = { "gap", "link", "bond" }, default = "gap", text = "What forms clusters, as for sim:clusters." },
  { "gap", "number", default = 0, at_least = 0, unit = "length", text = "Maximum surface distance that connects." },
  { "cluster", "string|integer", at_least = 1,
    text = "Number of the cluster as in sim:clusters, or \"largest\"; default all particles." },
})

-- ---- clusters -----------------------------------------------------------------------------------

declare("clusters", "sim", "Finds clusters: count, single, largest, mean_size, weighted_mean_size, sizes (largest first), and "
  .. "`of`, the cluster's number by particle id.", {
  optional = true,
  { "by", "choice", one_of = { "gap", "link", "bond" }, default = "gap",
    text = "What connects two particles: surfaces within gap, or a link or bond of the scheme." },
  { "gap", "number", default = 0, at_least = 0, unit = "length", text = "Maximum surface distance that connects." },
})

declare("bond_changes", "sim", "Pairs within gap that formed and broke since the last call: returns both numbers.", {
  { "gap", "number", required = true, at_least = 0, unit = "length", text = "Maximum surface distance of a bond." },
})

-- ---- shapes of clusters -------------------------------------------------------------------------

-- A declaration's own fields and those that choose particles.
local function of_cluster(fields)
  fields.optional = fields.optional == nil or fields.optional
  local chosen = {
    { "cluster", "choice|integer", one_of = { "all", "largest" }, at_least = 1, default = "all",
      text = "Of all particles, of the largest cluster, or of the one with this number in sim:clusters." },
    { "by", "choice", one_of = { "link", "gap" }, default = "link",
      text = "What connects particles to clusters: links of the scheme, or surfaces within gap." },
    { "gap", "number", default = 0, at_least = 0, unit = "length", text = "Maximum surface distance that connects." },
  }
  for _, field in ipairs(chosen) do fields[#fields + 1] = field end
  return fields
end

declare("gyration", "sim", "Shape by the gyration tensor (4.11)-(4.12): count, mass, center, tensor, eigenvalues "
  .. "(descending), orientation, aspect_ratio, radius (of gyration).", of_cluster {})

declare("contact_number", "sim", "Mean number of other particles whose centre is within factor times the mean radius of "
  .. "both: (4.13) without the particle itself and not divided by 6 (12).", of_cluster {
  { "factor", "number", default = 2.1, above = 0, text = "2.1 is the paper's; 2.002 counts those that touch: the coordination "
    .. "number." },
})

declare("pair_distribution", "sim", "Mean numbers of other particles whose centre is within each distance, (4.14) without "
  .. "the particle itself: a list.", of_cluster {
  optional = false,
  { "distances", "table", required = true, text = "Ascending numbers, at least 0." },
})

local function least()
  return { "least", "number", default = 0, at_least = 0, unit = "length", text = "Start of the fit; 0: three mean radii." }
end

local function greatest()
  return { "greatest", "number", default = 0, at_least = 0, unit = "length",
    text = "End of the fit; 0: half of the box, or the radius of gyration for mass_radius." }
end

declare("box_counting", "sim", "Fractal dimension by box counting (4.15): dimension, deviation (standard error of the slope), "
  .. "x (sides), y (boxes that hold a centre), first and last point of the fit, prefactor.", of_cluster {
  least(), greatest(),
  { "side", "number", default = 0, at_least = 0, unit = "length",
    text = "Of the greatest box; 0: the longest side of the domain, or of the particles where it is open." },
  { "corner", "vector", unit = "length", text = "Its lower corner; used with side." },
})

declare("mass_radius", "sim", "Fractal dimension from the mass within distances of the centre of mass; as box_counting, x "
  .. "are distances and y masses.", of_cluster { least(), greatest() })

declare("cluster_scaling", "sim", "Fractal dimension from the masses of clusters against their radii of gyration; as "
  .. "box_counting, x are radii and y masses.", {
  optional = true,
  { "least_count", "integer", default = 8, at_least = 2, text = "Clusters of fewer particles are omitted." },
  { "by", "choice", one_of = { "link", "gap" }, default = "link", text = "What connects particles to clusters." },
  { "gap", "number", default = 0, at_least = 0, unit = "length", text = "Maximum surface distance that connects." },
})

declare("cluster_sizes", "sim", "Clusters by size: a list of sizes, ascending, and how many clusters have each.", {
  optional = true,
  { "by", "choice", one_of = { "link", "gap" }, default = "link", text = "What connects particles to clusters." },
  { "gap", "number", default = 0, at_least = 0, unit = "length", text = "Maximum surface distance that connects." },
})

end
