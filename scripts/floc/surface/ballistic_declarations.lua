-- What the calls for ballistic aggregation and shapes of clusters take; the form of these declarations is explained
-- in declarations.lua, which calls this with its own `declare`.

local surface = require "floc.surface.structs"

return function(declare)

-- ---- schemes ------------------------------------------------------------------------------------

declare("ballistic", "floc", "Ballistic aggregation by time steps: free flight, clusters that overlap become one and "
  .. "are brought to contact (Degond et al. 2024, section 3). No fields, laws, gravity or bodies.", surface.fields "floc.ballistic")

declare("event_driven", "floc", "Ballistic aggregation from collision to collision, at exact times (Degond et al. 2024, "
  .. "Appendix A). A step goes to time + time_step, or ends where one cluster is left. No fields, laws, gravity or bodies.",
  surface.fields "floc.event_driven")

declare("ballistic_start", "floc", "A simulation with the start of Degond et al. 2024, section 4: a square (cubic) lattice "
  .. "that fills the box, random velocities, equal radii. Returns it and the radius.", {
  { "count", "integer", required = true, at_least = 1, at_most = 2e9, instead_of = { "particles", "N" },
    text = "Particles; rounded up to the next square (cubic) number." },
  { "volume_fraction", "number", required = true, above = 0, below = 0.785, instead_of = { "Vf" },
    text = "Of the particles in the box; in three dimensions below 0.523." },
  { "scheme", "scheme", text = "Default floc.event_driven{}." },
  { "dimension", "integer", default = 2, at_least = 2, at_most = 3, text = "2 or 3." },
  { "spacing", "number", default = 1, above = 0, unit = "length", text = "Of the lattice." },
  { "speed", "number", default = 0.5, at_least = 0, unit = "length/time",
    text = "Each component of a velocity is uniform between minus this and this." },
  { "boundary", "choice", one_of = { "open", "wall", "periodic" }, default = "wall", text = "Of the box." },
  { "time_step", "number", default = 1e6, above = 0, unit = "time",
    text = "Longest step. By default floc.ballistic takes its own, and floc.event_driven one to a single cluster." },
  { "seed", "integer", default = 1, at_least = 0, text = "Of the velocities." },
  { "threads", "integer", default = 0, at_least = 0, at_most = 256, text = "As for floc.simulation." },
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
