-- Ballistic aggregation by time steps. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct, call = surface.enum, surface.struct, surface.call

enum "minimiser" {
  { "projection", 0, "violated links are projected one by one, in the perturbed neighbourhood only; needs no "
      .. "parameters" },
  { "arrow_hurwicz", 1, "damped Arrow-Hurwicz over whole clusters, (3.22)-(3.23)" },
  { "stochastic", 2, "projection in an order that is drawn at random from the world's seed" },
}

struct "ballistic_options" {
  { "minimiser", "minimiser", default = "projection", instead_of = { "minimizer" },
    text = "How contact is restored: violated links are projected one by one, in the order in which they come up or, stochastic, "
      .. "in one drawn from the seed; or damped Arrow-Hurwicz, (3.22)-(3.23), over whole clusters.",
    c = "" },
  { "rigid", "boolean", default = false, text = "Clusters keep their shape: they are stopped at the time at which they touch; no minimiser.",
    c = "Clusters keep their shape: they are moved back to the time at which they first touched, and the minimiser is not used." },
  { "rotation", "boolean", default = false,
    text = "Clusters rotate about their centres; columns wz in two dimensions, wx, wy, wz in three. Not with rigid.",
    c = "Clusters rotate about their centres; angular momentum is conserved at merges and kept at walls; not with rigid. The columns "
      .. "wz (2-D) or wx wy wz (3-D) are added. Clusters that reach themselves through periodic faces do not rotate." },
  { "step_factor", "number", default = 1, at_least = 0,
    text = "A step is step_factor R / max|V|, (3.3), and at most the simulation's time_step; 0: always that. A step "
      .. "whose links cannot be brought to contact is repeated at half its length.",
    c = "The step is step_factor R / max|V|, (3.3), with the least radius R, and not above the world's time step; 0: the world's time "
      .. "step. A step whose links cannot be brought to contact is repeated at half its length." },
  { "tolerance", "number", default = 0.01, above = 0, text = "Maximum distance from contact of linked particles, in radii of the smaller one." },
  { "max_iterations", "integer", default = 1000, at_least = 1,
    text = "Of Arrow-Hurwicz per minimisation (projection does the rest), or projections of one link per step." },
  { "patience", "integer", default = 150, at_least = 1,
    text = "After this number, stretched links that close a loop lose their attraction: some loops cannot be satisfied." },
  { "descent", "number", default = 0.1, above = 0, text = "Arrow-Hurwicz: alpha." },
  { "ascent", "number", default = 0.01, above = 0, text = "Arrow-Hurwicz: beta R^2." },
  { "penalty", "number", default = 0.0675, above = 0, text = "Arrow-Hurwicz: gamma R^2; stable below 0.08." },
  { "damping", "number", default = 1, above = 0, text = "Arrow-Hurwicz: c." },
  { "skin", "number", default = 0, at_least = 0, unit = "length",
    text = "Surface distance up to which neighbours are listed; 0: chosen by the engine. It changes only the cost.", c = "As for the event-driven scheme." },
}

call "floc.ballistic" {
  summary = "Ballistic aggregation by time steps: free flight, clusters that overlap become one and "
    .. "are brought to contact (Degond et al. 2024, section 3). No fields, laws, gravity or bodies.", returns = "floc.Scheme",
  of = "ballistic_options", optional = true,
  "minimiser", "rigid", "rotation", "step_factor", "tolerance", { "max_iterations", at_most = 1e9 }, { "patience", at_most = 1e9 },
  "descent", "ascent", "penalty", "damping", "skin",
}

struct "ballistic_report" {
  plain = true, result = true,
  { "clusters", "integer64", c = "now" },
  { "links", "integer64", c = "pairs that overlapped and stick" },
  { "merges", "integer64", c = "of two clusters" },
  { "reflections", "integer64", c = "of a cluster at a wall" },
  { "minimisations", "integer64", c = "runs of the minimiser" },
  { "iterations", "integer64", c = "projections of links, or iterations of Arrow-Hurwicz" },
  { "dropped", "integer64", c = "links of loops that lost their attraction" },
  { "unsolved", "integer64", c = "links that were beyond the tolerance when max_iterations was reached" },
  { "searches", "integer64", c = "for neighbours of one particle" },
  { "pairs_looked_at", "integer64", c = "in the search for overlaps" },
  { "greatest_residual", "number", c = "distance from contact of a link after its minimisation, in radii, without "
      .. "the stretch of those that were dropped" },
  { "stalled", "integer64", c = "minimisations that Arrow-Hurwicz did not finish; projection did" },
  { "retried", "integer64", c = "steps that were repeated at half their length, because clusters had interlocked" },
}

return surface
