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
}

call "floc.event_driven" { of = "event_driven_options", optional = true, "restitution", "sticking_restitution", "sticking_speed", "skin" }

struct "event_driven_report" {
  plain = true,
  { "clusters", "integer64", c = "now" },
  { "links", "integer64", c = "pairs that touched and stuck" },
  { "events", "integer64", c = "taken from the queue and carried out" },
  { "merges", "integer64", c = "of two clusters" },
  { "bounces", "integer64", c = "collisions that did not stick" },
  { "reflections", "integer64", c = "of a cluster at a wall" },
  { "expirations", "integer64", c = "of a cluster's neighbour lists" },
  { "second_looks", "integer64", c = "at pairs whose collision time was bounded only" },
  { "stale", "integer64", c = "events that had lost their meaning" },
  { "predictions", "integer64", c = "of a pair's collision time" },
  { "searches", "integer64", c = "for neighbours of one particle" },
  { "queue_length", "integer64", c = "now, stale events included" },
  { "greatest_gap", "number", c = "|surface distance| at a collision, in radii of the smaller particle" },
}

return surface
