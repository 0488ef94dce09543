-- The world: how it is made, what a step was. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct = surface.enum, surface.struct

enum "boundary" {
  { "open", 0, "particles may go anywhere" },
  { "wall", 1, "both faces of the domain are planes that particles cannot pass" },
  { "periodic", 2, "what leaves through one face enters through the opposite one" },
}

struct "world_options" {
  plain = true,
  { "dimension", "integer", c = "2 or 3; default 2. In 2 the columns z, vz, fz stay 0." },
  { "time_step", "number", c = "h > 0 [time]; no default: must be set" },
  { "seed", "unsigned64", c = "of every random stream; default 1" },
  { "threads", "integer", c = "1 to 256, or 0: one per processor; default 0. The results do not "
      .. "depend on it. A world of 256 particles or more keeps its threads from its first step until it is "
      .. "destroyed; they sleep while there is no work, and signals do not reach them. Their stacks are 1 MB "
      .. "each; the engine itself needs no more than 128 kB, also of the caller's thread." },
  { "boundary", "integer[3]", c = "floc_boundary per axis; default open" },
  { "domain_lower", "vector", c = "[length]; used on axes that are not open" },
  { "domain_upper", "vector", c = "[length]; above domain_lower on axes that are not open" },
  { "gravity", "vector", c = "acceleration [length/time^2]; default 0" },
  { "allocate", "allocate_function", c = "NULL: malloc and free" },
  { "allocate_context", "context" },
  { "log", "log_function", c = "NULL: silent" },
  { "log_context", "context" },
  { "message", "text[512]", c = "filled by floc_world_create when it fails" },
}

struct "thread_pool" {
  plain = true,
  { "threads", "integer", c = "how many work at once, 1 to 256; loops are cut into four times as many tasks. With 1 the caller does the "
      .. "loops, and run is not called; no default" },
  { "context", "context" },
  { "run", "run_function", c = "no default" },
}

struct "world_info" {
  plain = true,
  { "dimension", "integer" },
  { "threads", "integer" },
  { "body_count", "integer" },
  { "step", "integer64", c = "steps done since the start" },
  { "particle_count", "integer64" },
  { "time", "number", c = "[time]" },
  { "time_step", "number", c = "[time]" },
  { "gravity", "vector" },
  { "seed", "unsigned64" },
}

enum "tolerance_rule" {
  prefix = "FLOC_TOLERANCE_",
  { "given", 0, "the option tolerance; also where a scheme has none" },
  { "radius", 1, "the least radius: 1e-4 of it, with friction 1e-3" },
  { "acceleration", 2, "0.01 a h^2, with friction 0.2 a h^2; a the greatest acceleration by forces" },
  { "speed", 3, "a priori velocities by a function: 1e-4 V h, V the greatest of them" },
}

struct "step_report" {
  plain = true,
  { "converged", "boolean", c = "the last step's residual is at or below its tolerance" },
  { "islands", "integer", c = "connected groups of contacts in the last step" },
  { "contacts", "integer64", c = "pairs and walls considered in the last step" },
  { "active_contacts", "integer64", c = "those that carry an impulse" },
  { "iterations", "integer64", c = "products with the contact matrix in the last step" },
  { "residual", "number", c = "[length]; discrete elements by the trapezoidal rule: change of the last iteration, "
      .. "relative" },
  { "tolerance", "number", c = "of the residual" },
  { "overlap", "number", c = "greatest overlap after the last step, in radii of the smaller particle" },
  { "greatest_overlap", "number", c = "the same, over all steps since the start" },
  { "greatest_residual", "number", c = "residual/tolerance, over all steps since the start" },
  { "unconverged_steps", "integer64", c = "steps since the start whose residual stayed above tolerance" },
  { "total_iterations", "integer64", c = "since the start" },
  { "kinetic_energy", "number", c = "after the last step, spins included" },
  { "lists", "integer64", c = "neighbour lists built by this world; 0 for a scheme without lists; not in checkpoints" },
  { "list_entries", "integer64", c = "pairs and walls in the present lists" },
  { "stage_seconds", "number[FLOC_STAGE_COUNT]", c = "wall time per stage since the start of this process" },
  { "tolerance_rule", "integer", c = "floc_tolerance_rule. what decided the tolerance of the last step" },
  { "pairs_left_out", "integer64", c = "of the last step's problem, because they pass beside each other (see "
      .. "above)" },
  { "total_left_out", "integer64", c = "since the start" },
  { "work", "number", c = "of the last step, in the units of floc_world_set_work_limit; not in checkpoints" },
}

return surface
