-- Ballistic aggregation by events. See reader.lua for the form.

local surface = require "floc.surface.reader"
local struct = surface.struct

struct "event_driven_options" {
  plain = true,
  { "restitution", "number", c = "0 to 1: coefficient of restitution of a fast collision, (2.3); default 0" },
  { "sticking_restitution", "number", c = "0 to 1: collisions whose coefficient is not above this stick, all "
      .. "others bounce by (2.6); default 0" },
  { "sticking_speed", "number", c = ">= 0: normal speed v_s [length/time] at and below which adhesion wins; above "
      .. "it the coefficient is restitution sqrt(1 - (v_s / v)^2); default 0" },
  { "skin", "number", c = ">= 0: surface distance up to which neighbours are listed [length], at least 1e-6 of "
      .. "the smallest radius (FLOC_LIMIT_EXCEEDED by the step); 0: chosen by the engine; changes the cost only; "
      .. "default 0" },
}

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
