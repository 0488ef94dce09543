-- Rays: media, sources, what a trace gives. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct, call, arguments = surface.enum, surface.struct, surface.call, surface.arguments

struct "media" {
  { "density", "number[2]", default = { 1000, 6000 }, above = 0, text = "{ of the surroundings, of the particles }, above 0; default { 1000, 6000 }. "
      .. "With more numbers, up to 17, a particle has that of its material: the second is of material 0, the third of material 1.",
    c = "Of the surroundings and of the particles." },
  { "sound_speed", "number[2]", default = { 1500, 4500 }, above = 0, unit = "length/time", text = "Likewise, as many; default { 1500, 4500 }.", c = "Likewise." },
  { "body_reflectance", "number", default = 1, at_least = 0, at_most = 1,
    text = "Fraction of the power that bodies and walls reflect; the rest is absorbed there." },
  { "materials", "integer", default = 0, at_least = 0, at_most = 15, since = "0.3.0",
    c = "Number of further materials: with any, a particle whose attribute \"material\" is k > 0 has material_density[k - 1], material_sound_speed[k - 1]." },
  { "material_density", "number[15]", free = true, since = "0.3.0", c = "Of the materials from 1 on, above 0." },
  { "material_sound_speed", "number[15]", free = true, since = "0.3.0", unit = "length/time", c = "Likewise." },
  { "heat_capacity", "number[16]", free = true, since = "0.3.0", unit = "energy/(mass temperature)",
    text = "Of the particles, or { of material 0, of material 1, ... }: absorbed energy raises the attribute temperature by itself "
      .. "over mass and heat capacity; default 0, which leaves the temperature as it is.",
    c = "By material, from 0 on; only [0] without further ones: absorbed energy raises the attribute \"temperature\" by energy / (mass heat_capacity); 0: it does not." },
  { "attenuation", "number[17]", free = true, since = "0.3.0", unit = "1/length",
    text = "Of the surroundings, or { of the surroundings, of material 0, of material 1, ... }: over a way d the power of a ray falls to exp(-attenuation d) "
      .. "of itself; default 0. What the surroundings take is sim:ray_report().attenuated, what a particle takes is absorbed by it, without a force. An "
      .. "escaping ray loses power until it leaves the box around the particles. In particles rays fly only where a hit function answers transmit; "
      .. "sources without one are refused then.",
    c = "[0]: of the surroundings, [k + 1]: in particles of material k. Over a way d the power of a ray falls to exp(-attenuation d) of itself." },
}

call "sim.set_media" {
  summary = "What rays travel through: decides reflectance (2), refraction and force (7).",
  of = "media", { "density", type = "table" }, { "sound_speed", type = "table", unit = false }, "body_reflectance",
  { "heat_capacity", type = "number|table" }, { "attenuation", type = "number|table" },
}

arguments "reflectance" {
  { "incident_cosine", "number", required = true, at_least = 0, at_most = 1, text = "Of the angle of incidence." },
}

call "floc.reflectance" {
  returns = "number, number",
  summary = "Reflectance (2), (60)-(62) and cosine of refraction of a ray that meets a particle.",
  { "cosine", from = "reflectance", member = "incident_cosine" },
  { "media", "table", text = "As for sim:set_media; default water and ceramic." },
}

enum "ray_source_kind" {
  prefix = "FLOC_RAY_SOURCE_",
  { "plane_wave", 1, "parallel rays over a disc (2-D: over a line)" },
  { "point", 2, "from aim into a cone around direction" },
  { "function", 3, "whatever emit says" },
}

enum "ray_sampling" {
  { "random", 1, "independent uniform points" },
  { "even", 2, "sunflower arrangement, rotated at random for each pulse" },
}

enum "ray_method" {
  { "exact", 1, "exact intersections" },
  { "advance", 2, "the paper's discrete advance (9), for verification" },
}

struct "ray" {
  plain = true, result = true, sized = false,
  { "position", "vector", c = "[length]" },
  { "direction", "vector", c = "unit vector" },
  { "power", "number", c = ">= 0" },
  { "area", "number", shown = false, c = "a_r of (7): cross-section that the ray stands for [length^2]" },
  { "solid_angle", "number", shown = false, c = "the cross-section grows by this times the squared length of the path" },
}

enum "hit_action" {
  prefix = "FLOC_HIT_",
  { "reflect", 1, "the ray continues outside" },
  { "absorb", 2, "the ray ends; all its power is absorbed" },
  { "transmit", 3, "the ray crosses the surface; its next hit is the other side, from within" },
}

struct "ray_hit" {
  plain = true, result = true, sized = false,
  { "ray", "integer64", from_one = true, c = "number of the ray within its pulse, from 0" },
  { "id", "integer64", absent = 0, c = "the particle, or 0: a body or a wall of the domain" },
  { "body", "integer", absent = -1, c = "the body; -1: a particle or a wall of the domain" },
  { "bounces", "integer", c = "hits of this ray before this one" },
  { "inside", "integer", truth = true, c = "1: the ray meets the surface from within the particle" },
  { "source", "integer", from_one = true, absent = -1, c = "number of the source; -1 in floc_trace" },
  { "point", "vector", c = "[length]" },
  { "normal", "vector", c = "unit vector, against the ray" },
  { "direction", "vector", c = "of the ray" },
  { "power", "number", c = "of the ray" },
  { "incident_cosine", "number", shown = "cosine", c = "0 .. 1" },
  { "refracted_direction", "vector", c = "by Snell's law; zero at total reflection" },
  { "area", "number", c = "cross-section of the ray here" },
  { "time", "number", c = "[time]" },
}

struct "ray_response" {
  plain = true, sized = false,
  { "action", "integer", c = "floc_hit_action" },
  { "power", "number", c = "of the ray that continues, 0 .. the incident power; the rest is absorbed" },
  { "direction", "vector", c = "of the ray that continues; need not be of unit length" },
  { "force", "vector", c = "on the particle, while the pulse lasts" },
}

struct "ray_source_options" {
  { "kind", "ray_source_kind", default = "plane_wave", c = "" },
  { "rays", "integer64", default = 10000, at_least = 0, at_most = 1000000000, text = "Number of rays in a pulse; with 0 the pulse carries nothing.", c = "Per pulse; 0: the pulse carries nothing." },
  { "power", "number", default = 1, at_least = 0, text = "Power of a pulse; each ray starts with an equal fraction of it.", c = "Of a pulse; each ray starts with an even share." },
  { "duration", "number", default = 1e-5, above = 0, unit = "time",
    text = "How long the force of a hit acts; the impulse is the force times this, whatever the time step." },
  { "times", "const double *", c = "when pulses start, ascending [time]; NULL: start, period, pulses" },
  { "time_count", "integer", free = true, default = 0, c = "" },
  { "start", "number", free = true, default = 0, unit = "time", text = "Time of the first pulse.", c = "Of the first pulse." },
  { "period", "number", free = true, default = 0, unit = "time", text = "Time from one pulse to the next.", c = "Above 0 where there are several pulses." },
  { "pulses", "integer64", free = true, default = 1, at_least = 0, text = "Number of pulses; 0: without end.", c = "0: for ever." },
  { "direction", "vector", free = true, default = { 1, 0, 0 }, text = "Direction of the beam, of any length except 0; default x.", c = "Of the beam, any length but 0." },
  { "aim", "vector", when = { kind = { "plane_wave", "point" } }, unit = "length", text = "A point on the beam's axis; default the origin.",
    c = "Plane wave: a point on the beam's axis; point: where the rays start; default 0." },
  { "radius", "number", default = 1, above = 0, when = { kind = "plane_wave" }, unit = "length", text = "Radius of the disc from which rays start.", c = "Plane wave: of the disc." },
  { "distance", "number", default = 0, at_least = 0, when = { kind = "plane_wave" }, unit = "length",
    text = "Distance from the plane in which rays start to aim; 0: the plane is in front of all particles.",
    c = "Plane wave: from the plane where rays start to aim; 0: before all particles." },
  { "half_angle", "number", default = math.pi, above = 0, at_most = math.pi, when = { kind = "point" }, unit = "rad",
    text = "Half of the cone's opening angle; pi: all directions.", c = "Point: of the cone; pi: all directions." },
  { "sampling", "ray_sampling", default = "random", when = { kind = { "plane_wave", "point" } },
    text = "Independent uniform positions, or a sunflower pattern, rotated at random for each pulse.", c = "" },
  { "seed", "unsigned64", default = 0, text = "Seed of the positions; 0: derived from the simulation's seed and the source's number.", c = "0: from the world's seed and the source's number." },
  { "method", "ray_method", default = "exact", text = "Exact intersections, or the paper's discrete advance (9), to compare.", c = "" },
  { "advance", "number", default = 0.05, above = 0, at_most = 1, text = "Stride of the advance, in units of the smallest radius (xi)." },
  { "in_flight", "boolean", default = false,
    text = "Rays travel at the sound speed of the surroundings; otherwise a pulse crosses everything at once.",
    c = "Rays travel at the sound speed of the surroundings; otherwise a pulse crosses everything at once, as the paper's (9) says." },
  { "max_bounces", "integer", default = 1000, at_least = 1, at_most = 1000000,
    text = "A ray ends after this number of hits; the power that it still carries counts as residual." },
  { "power_floor", "number", default = 0, at_least = 0, at_most = 1,
    text = "A ray ends when it carries less than this fraction of its initial power." },
  { "emit", "emit_function", c = "function source" },
  { "emit_context", "context" },
  { "hit", "hit_function", c = "NULL: acoustic reflection" },
  { "hit_context", "context" },
}

-- What all sources have in common, behind what a call has of its own.
local function source(call)
  call.of, call.returns = "ray_source_options", "floc.RaySource"
  for _, entry in ipairs {
    "rays", "power", "duration", { "times", "table", unit = "time", text = "Times of the pulses, in ascending order; instead of start, period and pulses." }, "start",
    { "period", optional = true, above = 0 }, "pulses", "seed", "method", "advance", "in_flight", "max_bounces", "power_floor",
    { "hit", "function", signature = "of the hit",
      text = "Decides the result of a hit, from hit.ray, id or body, bounces, inside, power, reflected_power, cosine, area, time, "
        .. "point, normal, direction, refracted_direction, force. It returns nothing (acoustic reflection) or \"reflect\", \"absorb\" or "
        .. "\"transmit\", then, unless the usual values are wanted, the power of the continuing ray, its direction, and the force." },
  } do call[#call + 1] = entry end
  return call
end

call "floc.plane_wave" (source {
  summary = "A source of parallel rays over a disc, in two dimensions over a line. Rays that meet nothing escape; a ray "
    .. "that starts inside a particle first leaves it, without a hit.",
  sets = { kind = "plane_wave" }, optional = true, "direction", "aim", "radius", "distance", "sampling",
})

call "floc.point_source" (source {
  summary = "A source of rays from a point into a cone.",
  sets = { kind = "point" },
  { "position", "vector", required = true, unit = "length", instead_of = { "aim" }, text = "Where the rays start." },
  { "direction", text = "Direction of the cone's axis; default x." }, "half_angle", "sampling",
})

call "floc.emitter" (source {
  summary = "A source whose rays a function makes.",
  sets = { kind = "function" },
  { "emit", "function", required = true, signature = "of the ray's number and the time that returns a table",
    text = "{ position =, direction =, area = or solid_angle =, power = }: the cross-section that the ray stands for (or how "
      .. "it grows with the square of the distance), and its power, by default an equal fraction." },
})

call "sim.trace" {
  returns = "table",
  summary = "Traces one pulse at once through the particles in their present positions; nothing changes. Returns what "
    .. "sim:ray_report returns, and what was requested.",
  { "source", "ray_source", required = true, text = "floc.plane_wave{...}, floc.point_source{...} or floc.emitter{...}." },
  { "media", "table", text = "As for sim:set_media; default the simulation's." },
  { "paths", "boolean|integer", at_least = 0, default = false,
    text = "Keep the pieces of the paths, or this number of them, for pictures: result.paths, a list of { ray, from, to, power }." },
  { "by_particle", "boolean", default = false,
    text = "result.force[id] and result.absorbed_by[id]: force and absorbed power of every particle." },
}

struct "ray_segment" {
  plain = true, result = true, sized = false,
  { "ray", "integer64", from_one = true, c = "number within its pulse" },
  { "from", "vector", whole = true, c = "an escaping ray ends a tenth of the scene's size outside" },
  { "to", "vector", whole = true },
  { "power", "number" },
}

struct "ray_report" {
  plain = true, result = true,
  { "pulses", "integer64", c = "started so far" },
  { "rays", "integer64", c = "emitted" },
  { "rays_in_flight", "integer64", c = "still under way" },
  { "reflections", "integer64", c = "hits on particles" },
  { "body_reflections", "integer64", c = "hits on bodies and walls" },
  { "ended_rays", "integer64", c = "ended by max_bounces or power_floor" },
  { "incident", "number", c = "power emitted; = absorbed + body_absorbed + attenuated + escaped + residual + in_flight" },
  { "absorbed", "number", c = "by particles" },
  { "body_absorbed", "number" },
  { "escaped", "number", c = "left for good" },
  { "residual", "number", c = "of ended rays" },
  { "in_flight", "number", c = "of rays still under way" },
  { "exit_power", "vector", c = "vector sum of power times direction over escaped rays" },
  { "flight_power", "vector", c = "likewise over rays in flight; (39): (exit + flight) / incident" },
  { "attenuated", "number", since = "0.3.0", c = "taken by the surroundings on the way" },
}

struct "trace_report" {
  plain = true,
  { "pulses", "integer64" },
  { "rays", "integer64" },
  { "rays_in_flight", "integer64" },
  { "reflections", "integer64" },
  { "body_reflections", "integer64" },
  { "ended_rays", "integer64" },
  { "incident", "number" },
  { "absorbed", "number" },
  { "body_absorbed", "number" },
  { "escaped", "number" },
  { "residual", "number" },
  { "in_flight", "number" },
  { "exit_power", "vector" },
  { "flight_power", "vector" },
}

struct "trace_result" {
  plain = true,
  { "report", "trace_report", c = "struct_size is set by the call" },
  { "force", "double *", c = "NULL, or 3 doubles per particle, in storage order: forces" },
  { "absorbed", "double *", c = "NULL, or one double per particle: absorbed power" },
  { "segments", "floc_ray_segment *", c = "NULL, or segment_capacity pieces of paths" },
  { "segment_capacity", "integer64" },
  { "segment_count", "integer64", c = "pieces that there were" },
  { "ray_report", "floc_ray_report *", since = "0.2.0", c = "NULL, or where the report goes as well, with what later versions add "
      .. "to it" },
}

return surface
