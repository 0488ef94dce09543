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

local hit_text = "Decides the result of a hit, from hit.ray, id or body, bounces, inside, power, reflected_power, cosine, area, time, "
  .. "point, normal, direction, refracted_direction, force. It returns nothing (acoustic reflection) or \"reflect\", \"absorb\" or "
  .. "\"transmit\", then, where they differ from what follows from that, the power that continues, its direction, the force."

-- Fields that all sources share.
local function source(own)
  local shared = {
    { "rays", "integer", default = 10000, at_least = 0, at_most = 1000000000,
      text = "Per pulse; 0: the pulse carries nothing." },
    { "power", "number", default = 1, at_least = 0, text = "Of a pulse; each ray starts with an even share." },
    { "duration", "number", default = 1e-5, above = 0, unit = "time",
      text = "How long the force of a hit acts; the impulse is the force times this, whatever the time step." },
    { "times", "table", unit = "time", text = "When pulses start, ascending; or" },
    { "start", "number", default = 0, unit = "time", text = "when the first starts," },
    { "period", "number", above = 0, unit = "time", text = "from one to the next," },
    { "pulses", "integer", default = 1, at_least = 0, text = "how many; 0: for ever." },
    { "seed", "integer", default = 0, at_least = 0, text = "0: from the simulation's seed and the source's number." },
    { "method", "choice", one_of = { "exact", "advance" }, default = "exact",
      text = "Exact intersections, or the paper's discrete advance (9), to compare." },
    { "advance", "number", default = 0.05, above = 0, at_most = 1, text = "Stride of the advance, in units of the smallest radius (xi)." },
    { "in_flight", "boolean", default = false,
      text = "Rays travel at the sound speed of the surroundings; otherwise a pulse crosses everything at once." },
    { "max_bounces", "integer", default = 1000, at_least = 1, at_most = 1000000,
      text = "A ray ends after this number of hits; the power that it still carries counts as residual." },
    { "power_floor", "number", default = 0, at_least = 0, at_most = 1,
      text = "A ray ends when it carries less than this fraction of its initial power." },
    { "hit", "function", signature = "of the hit", text = hit_text },
  }
  for _, field in ipairs(shared) do own[#own + 1] = field end
  return own
end

local sampling = { "sampling", "choice", one_of = { "random", "even" }, default = "random",
  text = "Independent uniform positions, or a sunflower pattern, rotated at random for each pulse." }

local function copy(field)
  local made = {}
  for key, value in pairs(field) do made[key] = value end
  return made
end

declare("plane_wave", "floc", "A source of parallel rays over a disc, in two dimensions over a line. Rays that meet nothing escape; a ray "
  .. "that starts inside a particle first leaves it, without a hit.", source {
  optional = true,
  { "direction", "vector", text = "Of the beam, any length but 0; default x." },
  { "aim", "vector", unit = "length", text = "A point on the beam's axis; default the origin." },
  { "radius", "number", default = 1, above = 0, unit = "length", text = "Of the disc." },
  { "distance", "number", default = 0, at_least = 0, unit = "length",
    text = "From the plane where rays start to aim; 0: before all particles." },
  copy(sampling),
})

declare("point_source", "floc", "A source of rays from a point into a cone.", source {
  { "position", "vector", required = true, unit = "length", instead_of = { "aim" }, text = "Where the rays start." },
  { "direction", "vector", text = "Of the cone's axis; default x." },
  { "half_angle", "number", default = math.pi, above = 0, at_most = math.pi, unit = "rad", text = "Of the cone; pi: all directions." },
  copy(sampling),
})

declare("emitter", "floc", "A source whose rays a function makes.", source {
  { "emit", "function", required = true, signature = "of the ray's number and the time that returns a table",
    text = "{ position =, direction =, area = or solid_angle =, power = }: the cross-section that the ray stands for (or how "
      .. "it grows with the squared way), and its power, default an even share." },
})

local media = {
  { "density", "table", text = "{ of the surroundings, of the particles }, above 0; default { 1000, 6000 }." },
  { "sound_speed", "table", text = "Likewise; default { 1500, 4500 }." },
  { "body_reflectance", "number", default = 1, at_least = 0, at_most = 1,
    text = "Fraction of the power that bodies and walls reflect; the rest is absorbed there." },
}

declare("set_media", "sim", "What rays travel through: decides reflectance (2), refraction and force (7).", media)

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
