-- Ballistic aggregation by time steps. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct = surface.enum, surface.struct

enum "minimiser" {
  { "projection", 0, "violated links are projected one by one, in the perturbed neighbourhood only; needs no "
      .. "parameters" },
  { "arrow_hurwicz", 1, "damped Arrow-Hurwicz over whole clusters, (3.22)-(3.23)" },
}

struct "ballistic_options" {
  plain = true,
  { "minimiser", "integer", c = "floc_minimiser. default projection" },
  { "rigid", "boolean", c = "clusters keep their shape: they are put back to the time at which they first "
      .. "touched, no minimiser; default false" },
  { "rotation", "boolean", c = "clusters turn about their centres; angular momentum is conserved at merges and "
      .. "kept at walls; not with rigid; default false. The attributes angular_velocity_z (2-D) or "
      .. "angular_velocity_x/y/z (3-D) are added. Clusters that reach themselves through periodic faces do not "
      .. "turn." },
  { "step_factor", "number", c = ">= 0: the step is step_factor R / max|V|, (3.3), with the least radius R, and "
      .. "not above the world's time step; 0: the world's time step; default 1. A step whose links cannot be "
      .. "brought to contact is done again at half its length." },
  { "tolerance", "number", c = "> 0: greatest distance from contact of a link, in radii of the smaller particle; "
      .. "default 0.01" },
  { "max_iterations", "integer", c = ">= 1: iterations of Arrow-Hurwicz per minimisation, or projections of one "
      .. "link per step; default 1000" },
  { "patience", "integer", c = ">= 1: after so many, stretched links that close a loop lose their attraction: "
      .. "some loops cannot be satisfied; default 150" },
  { "descent", "number", c = "Arrow-Hurwicz: alpha > 0; default 0.1" },
  { "ascent", "number", c = "beta R^2 > 0; default 0.01" },
  { "penalty", "number", c = "gamma R^2 > 0; stable below 0.08; default 0.0675" },
  { "damping", "number", c = "c > 0; default 1" },
  { "skin", "number", c = ">= 0: as for the event-driven scheme; default 0" },
}

struct "ballistic_report" {
  plain = true,
  { "clusters", "integer64", c = "now" },
  { "links", "integer64", c = "pairs that overlapped and stick" },
  { "merges", "integer64", c = "of two clusters" },
  { "reflections", "integer64", c = "of a cluster at a wall" },
  { "minimisations", "integer64", c = "runs of the minimiser" },
  { "iterations", "integer64", c = "projections of links, or iterations of Arrow-Hurwicz" },
  { "dropped", "integer64", c = "links of loops that lost their attraction" },
  { "unsolved", "integer64", c = "links that were left beyond the tolerance when the cap was hit" },
  { "searches", "integer64", c = "for neighbours of one particle" },
  { "pairs_looked_at", "integer64", c = "in the search for overlaps" },
  { "greatest_residual", "number", c = "distance from contact of a link after its minimisation, in radii, without "
      .. "the stretch of those that were dropped" },
  { "stalled", "integer64", c = "minimisations that Arrow-Hurwicz did not finish; projection did" },
  { "retried", "integer64", c = "steps that were done again at half their length: clusters were entangled" },
}

return surface
