-- Ballistic aggregation by events. See reader.lua for the form.

local surface = require "floc.surface.reader"
local struct, call = surface.struct, surface.call

struct "event_driven_options" {
  { "restitution", "number", default = 0, at_least = 0, at_most = 1, text = "Of a fast collision, (2.3).",
    c = "Coefficient of restitution of a fast collision, (2.3)." },
  { "sticking_restitution", "number", default = 0, at_least = 0, at_most = 1,
    text = "Collisions whose coefficient is not above this stick, all others bounce, (2.6)." },
  { "sticking_speed", "number", default = 0, at_least = 0, unit = "length/time",
    text = "Normal speed v_s up to which adhesion dominates; above it the coefficient is restitution sqrt(1 - (v_s/v)^2)." },
  { "skin", "number", default = 0, at_least = 0, unit = "length",
    text = "Surface distance up to which neighbours are listed; 0: chosen by the engine. It changes only the cost.",
    c = "Surface distance up to which neighbours are listed, at least 1e-6 of the smallest radius (FLOC_LIMIT_EXCEEDED by the step); 0: "
      .. "chosen by the engine; changes the cost only." },
  { "rotation", "boolean", default = false, since = "0.3.0",
    text = "Clusters rotate about their centres, as free rigid bodies; columns wz in two dimensions, wx, wy, wz in three.",
    c = "Clusters rotate about their centres, as free rigid bodies, and touch at exact times; linear and angular momentum are conserved at "
      .. "merges. Impacts with restitution and at walls are those of rigid bodies, without friction. The columns wz (2-D) or wx wy wz (3-D) "
      .. "are added. Clusters that reach themselves through periodic faces do not rotate." },
}

call "floc.event_driven" {
  summary = "Ballistic aggregation from collision to collision, at exact times (Degond et al. 2024, "
    .. "Appendix A). A step goes to time + time_step, or ends where one cluster is left. No fields, laws, gravity or bodies.", returns = "floc.Scheme",
  of = "event_driven_options", optional = true, "restitution", "sticking_restitution", "sticking_speed", "skin", "rotation",
}

struct "event_driven_report" {
  plain = true, result = true,
  { "clusters", "integer64", c = "now" },
  { "links", "integer64", c = "pairs that touched and stuck" },
  { "events", "integer64", c = "taken from the queue and carried out" },
  { "merges", "integer64", c = "of two clusters" },
  { "bounces", "integer64", c = "collisions that did not stick" },
  { "reflections", "integer64", c = "of a cluster at a wall" },
  { "expirations", "integer64", c = "of a cluster's neighbour lists" },
  { "second_looks", "integer64", c = "at pairs whose collision time was bounded only" },
  { "stale", "integer64", c = "events that a later collision had made obsolete" },
  { "predictions", "integer64", c = "of a pair's collision time" },
  { "searches", "integer64", c = "for neighbours of one particle" },
  { "queue_length", "integer64", c = "now, stale events included" },
  { "greatest_gap", "number", c = "|surface distance| at a collision, in radii of the smaller particle" },
}

call "floc.ballistic_start" {
  of = "world_options", returns = "floc.Simulation, number",
  summary = "A simulation with the start of Degond et al. 2024, section 4: a square (cubic) lattice "
    .. "that fills the box, random velocities, equal radii. Returns it and the radius.",
  { "count", "integer", required = true, at_least = 1, at_most = 2e9, instead_of = { "particles", "N" },
    text = "Number of particles; rounded up to the next square (cubic) number." },
  { "volume_fraction", "number", required = true, above = 0, below = 0.785, instead_of = { "Vf" },
    text = "Of the particles in the box; in three dimensions below 0.523." },
  { "scheme", "scheme", text = "Default floc.event_driven{}." },
  "dimension",
  { "spacing", "number", default = 1, above = 0, unit = "length", text = "Lattice constant." },
  { "speed", "number", default = 0.5, at_least = 0, unit = "length/time",
    text = "Each component of a velocity is uniform between minus this and this." },
  { "boundary", type = "choice", default = "wall", text = "Of the box." },
  { "time_step", default = 1e6,
    text = "Longest step. By default floc.ballistic takes its own, and floc.event_driven one to a single cluster." },
  { "seed", text = "Of the velocities." },
  { "threads", text = "As for floc.simulation." },
}

return surface
