-- What the calls for discrete elements, rays and ballistic aggregation take; the form of these declarations is explained in
-- declarations.lua, which calls this with its own `declare`.

local surface = require "floc.surface.structs"

return function(declare)

-- ---- discrete elements --------------------------------------------------------------------------

declare("discrete_element", "floc", "Soft spheres: forces grow with the overlap (Zohdi 2016; equation numbers are that "
  .. "paper's). With adaptive steps time_step of the simulation is the maximum.", surface.fields "floc.discrete_element")

declare("add_bond", "sim", "Joins two particles by a persistent bond of the discrete-element scheme.", {
  { "particles", "table", required = true, instead_of = { "ids" }, text = "Their two ids." },
  { "area", "number", required = true, above = 0, unit = "length^2", text = "Contact area that it represents." },
})

declare("remove_bond", "sim", "Breaks the bond between two particles.", {
  { "particles", "table", required = true, instead_of = { "ids" }, text = "Their two ids." },
})

-- ---- rays ---------------------------------------------------------------------------------------

declare("plane_wave", "floc", "A source of parallel rays over a disc, in two dimensions over a line. Rays that meet nothing escape; a ray "
  .. "that starts inside a particle first leaves it, without a hit.", surface.fields "floc.plane_wave")

declare("point_source", "floc", "A source of rays from a point into a cone.", surface.fields "floc.point_source")

declare("emitter", "floc", "A source whose rays a function makes.", surface.fields "floc.emitter")

declare("set_media", "sim", "What rays travel through: decides reflectance (2), refraction and force (7).", surface.fields "sim.set_media")

declare("reflectance", "floc", "Reflectance (2), (60)-(62) and cosine of refraction of a ray that meets a particle.", {
  { "cosine", "number", required = true, at_least = 0, at_most = 1, text = "Of the angle of incidence." },
  { "media", "table", text = "As for sim:set_media; default water and ceramic." },
})

declare("trace", "sim", "Traces one pulse at once through the particles in their present positions; nothing changes. Returns what "
  .. "sim:ray_report returns, and what was requested.", {
  { "source", "ray_source", required = true, text = "floc.plane_wave{...}, floc.point_source{...} or floc.emitter{...}." },
  { "media", "table", text = "As for sim:set_media; default the simulation's." },
  { "paths", "boolean|integer", at_least = 0, default = false,
    text = "Keep the pieces of the paths, or this number of them, for pictures: result.paths, a list of { ray, from, to, power }." },
  { "by_particle", "boolean", default = false,
    text = "result.force[id] and result.absorbed_by[id]: force and absorbed power of every particle." },
})

-- ---- ballistic aggregation ----------------------------------------------------------------------

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

end
