-- Files: recorded contact problems, checkpoints. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct = surface.enum, surface.struct

struct "problem_options" {
  { "solver", "integer", default = -1, at_least = -1, at_most = 3, c = "floc_solver; -1: the one of the file." },
  { "threads", "integer", default = 0, at_least = 0, at_most = 256, c = "0: one per processor." },
  { "repeat", "integer", default = 1, at_least = 1, at_most = 1000000, c = "Number of solves; the shortest time is reported." },
  { "max_iterations", "integer64", default = 0, at_least = 0, c = "Products with A; 0: the file's." },
  { "tolerance", "number", default = 0, at_least = 0, unit = "length", c = "On the residual; 0: the file's." },
  { "warm_start", "boolean", default = true, c = "Begin with the impulses of the file, not with 0." },
  { "message", "text[512]", c = "what was wrong" },
  { "answer", "path", since = "0.3.0", c = "The problem is written to this file again, with the answer as the initial guess of its impulses; NULL: it is not." },
}

struct "problem_report" {
  plain = true, result = true,
  { "converged", "boolean", c = "residual <= tolerance" },
  { "dimension", "integer" },
  { "solver", "integer" },
  { "islands", "integer", c = "0 where the solver does not look for them" },
  { "particles", "integer64" },
  { "contacts", "integer64" },
  { "active_contacts", "integer64", c = "with an impulse other than 0" },
  { "iterations", "integer64", c = "products with A that the work amounts to" },
  { "time_step", "number" },
  { "tolerance", "number", c = "[length]" },
  { "residual", "number", c = "R, by the engine [length]" },
  { "audited_residual", "number", c = "R, by plain loops that share nothing with the solvers [length]" },
  { "seconds", "number", c = "CPU time of one solve, the least of all repeats; their mean where the clock is too coarse for one" },
}

enum "compression" {
  { "default", 0, "what can be compressed at little cost: about half the bytes" },
  { "none", 1, "the numbers as they are: the file is larger, writing and reading are faster" },
}

struct "section_info" {
  plain = true, result = true,
  { "name", "text[64]" },
  { "type", "text[8]", c = "\"f64\", \"i64\", \"i32\", \"u8\"" },
  { "rows", "unsigned64" },
  { "columns", "unsigned64" },
  { "raw_bytes", "unsigned64" },
  { "stored_bytes", "unsigned64" },
  { "crc32", "unsigned32", shown = false, c = "of the raw bytes" },
  { "is_state", "boolean", c = "counts for the hash" },
}

struct "section_difference" {
  plain = true, result = true,
  { "missing", "boolean", c = "the other file has no section of that name" },
  { "other_kind", "boolean", c = "type or number of columns differ; then nothing below is known" },
  { "rows_a", "unsigned64" },
  { "rows_b", "unsigned64" },
  { "differing", "unsigned64", c = "numbers that differ, in the rows that both have" },
  { "row", "unsigned64", c = "of the first one, from 0; rows of particles.* are ids less 1" },
  { "column", "unsigned64" },
  { "value_a", "number", c = "its values" },
  { "value_b", "number" },
  { "greatest", "number", c = "greatest difference; NaN if a NaN is among them" },
}

return surface
