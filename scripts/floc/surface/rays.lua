-- Rays: media, sources, what a trace gives. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct = surface.enum, surface.struct

struct "media" {
  plain = true,
  { "density", "number[2]", c = "of the surroundings and of the particles, > 0; default 1000, 6000" },
  { "sound_speed", "number[2]", c = "likewise, > 0 [length/time]; default 1500, 4500" },
  { "body_reflectance", "number", c = "fraction of the power that bodies and walls of the domain reflect, 0 .. 1; "
      .. "the rest is absorbed there; default 1" },
}

enum "ray_source_kind" {
  prefix = "FLOC_RAY_SOURCE_",
  { "plane_wave", 1, "parallel rays over a disc (2-D: over a line)" },
  { "point", 2, "from aim into a cone around direction" },
  { "function", 3, "whatever emit says" },
}

enum "ray_sampling" {
  { "random", 1, "independent uniform points" },
  { "even", 2, "sunflower arrangement, turned at random for each pulse" },
}

enum "ray_method" {
  { "exact", 1, "exact intersections" },
  { "advance", 2, "the paper's discrete advance (9), for verification" },
}

struct "ray" {
  plain = true, sized = false,
  { "position", "vector", c = "[length]" },
  { "direction", "vector", c = "unit vector" },
  { "power", "number", c = ">= 0" },
  { "area", "number", c = "a_r of (7): cross-section that the ray stands for [length^2]" },
  { "solid_angle", "number", c = "the cross-section grows by this times the squared length of the path" },
}

enum "hit_action" {
  prefix = "FLOC_HIT_",
  { "reflect", 1, "the ray continues outside" },
  { "absorb", 2, "the ray ends; all its power is absorbed" },
  { "transmit", 3, "the ray crosses the surface; its next hit is the other side, from within" },
}

struct "ray_hit" {
  plain = true, sized = false,
  { "ray", "integer64", c = "number of the ray within its pulse, from 0" },
  { "id", "integer64", c = "the particle, or 0: a body or a wall of the domain" },
  { "body", "integer", c = "the body; -1: a particle or a wall of the domain" },
  { "bounces", "integer", c = "hits of this ray before this one" },
  { "inside", "integer", c = "1: the ray meets the surface from within the particle" },
  { "source", "integer", c = "number of the source; -1 in floc_trace" },
  { "point", "vector", c = "[length]" },
  { "normal", "vector", c = "unit vector, against the ray" },
  { "direction", "vector", c = "of the ray" },
  { "power", "number", c = "of the ray" },
  { "incident_cosine", "number", c = "0 .. 1" },
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
  plain = true,
  { "kind", "integer", c = "floc_ray_source_kind. default plane wave" },
  { "rays", "integer64", c = "per pulse, 0 to 1e9; 0: the pulse carries nothing; default 10000" },
  { "power", "number", c = "of a pulse, >= 0; each ray starts with power/rays; default 1" },
  { "duration", "number", c = "> 0: how long the force of a hit acts [time]; default 1e-5" },
  { "times", "const double *", c = "when pulses start, ascending [time]; NULL: start, period, pulses" },
  { "time_count", "integer" },
  { "start", "number", c = "of the first pulse [time]; default 0" },
  { "period", "number", c = "> 0 when there are several pulses [time]; default 0" },
  { "pulses", "integer64", c = "1 or more, 0: for ever; default 1" },
  { "direction", "vector", c = "of the beam, any length but 0; default x" },
  { "aim", "vector", c = "plane wave: a point on the beam's axis; point: where the rays start; default 0" },
  { "radius", "number", c = "plane wave: of the disc, > 0 [length]; default 1" },
  { "distance", "number", c = "plane wave: from the start plane to aim along the beam [length]; 0: before all "
      .. "particles; default 0" },
  { "half_angle", "number", c = "point: of the cone, above 0, up to pi: all around; default pi" },
  { "sampling", "integer", c = "floc_ray_sampling. default random" },
  { "seed", "unsigned64", c = "0: from the world's seed and the source's number" },
  { "method", "integer", c = "floc_ray_method. default exact" },
  { "advance", "number", c = "xi of the paper's advance, in smallest radii, above 0, up to 1; default 0.05" },
  { "in_flight", "boolean", c = "false: a pulse crosses everything at once, as the paper's (9) says; true: rays "
      .. "travel with the sound speed of the surroundings; default false" },
  { "max_bounces", "integer", c = "a ray ends after this number of hits, 1 to 1000000; its power is residual; default "
      .. "1000" },
  { "power_floor", "number", c = "and when its power is below this fraction of its first, 0 .. 1; default 0" },
  { "emit", "emit_function", c = "function source" },
  { "emit_context", "context" },
  { "hit", "hit_function", c = "NULL: acoustic reflection" },
  { "hit_context", "context" },
}

struct "ray_segment" {
  plain = true, sized = false,
  { "ray", "integer64", c = "number within its pulse" },
  { "from", "vector", c = "an escaping ray ends a tenth of the scene's size outside" },
  { "to", "vector" },
  { "power", "number" },
}

struct "ray_report" {
  plain = true,
  { "pulses", "integer64", c = "started so far" },
  { "rays", "integer64", c = "emitted" },
  { "rays_in_flight", "integer64", c = "still under way" },
  { "reflections", "integer64", c = "hits on particles" },
  { "body_reflections", "integer64", c = "hits on bodies and walls" },
  { "ended_rays", "integer64", c = "ended by max_bounces or power_floor" },
  { "incident", "number", c = "power emitted; = absorbed + body_absorbed + escaped + residual + in_flight" },
  { "absorbed", "number", c = "by particles" },
  { "body_absorbed", "number" },
  { "escaped", "number", c = "left for good" },
  { "residual", "number", c = "of ended rays" },
  { "in_flight", "number", c = "of rays still under way" },
  { "exit_power", "vector", c = "vector sum of power times direction over escaped rays" },
  { "flight_power", "vector", c = "likewise over rays in flight; (39): (exit + flight) / incident" },
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
  { "ray_report", "floc_ray_report *", c = "NULL, or where the report goes as well, with what later versions add "
      .. "to it" },
}

return surface
