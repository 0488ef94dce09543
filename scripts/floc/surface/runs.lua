-- Runs, checkpoints, tables and reports. See reader.lua for the form.

local surface = require "floc.surface.reader"
local arguments, call = surface.arguments, surface.call

call "sim.run" {
  returns = "integer",
  summary = "Advances the simulation; returns the number of steps.",
  { "steps", "integer", at_least = 0, text = "Number of steps, or" },
  { "until_time", "number", unit = "time", text = "until this time, or" },
  { "until_", "function", signature = "of the simulation that returns true at the end",
    text = "until this function, called before every step, returns true." },
  { "progress", "boolean", text = "Show progress; default: as the program decides." },
  { "on_unconverged", "choice", one_of = { "warn", "stop", "go_on" }, default = "warn",
    text = "What to do when the contacts of a step were not solved to the tolerance: warn after the run, stop with an error at the first, or continue without a "
      .. "warning. floc run --strict stops unless go_on is written here." },
}

arguments "world_save" {
  { "keep", "integer", default = 1, at_least = 1, at_most = 1000, text = "Number of files that are kept: path, path.1, path.2, ... (newest first)." },
}

call "sim.checkpoint" {
  summary = "Writes the whole state: now, or at intervals.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "every", "integer", at_least = 1, instead_of = { "interval", "steps" },
    text = "Steps between two files; without it the file is written at once." },
  { "keep", from = "world_save" },
  { "compression", "choice", one_of = { "default", "none" }, default = "default", instead_of = { "compress", "uncompressed" },
    text = "none: uncompressed; the file is larger and is written in a fraction of the time. Its contents are the same." },
  { "on_failure", "choice", one_of = { "stop", "go_on" }, default = "stop",
    text = "What to do when the file cannot be written during a run: stop with an error, or warn and continue; older files stay." },
}

call "sim.observe" {
  summary = "Writes a table of observables, one row at intervals, as tab-separated text.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "every", "integer", default = 1, at_least = 1, instead_of = { "interval", "steps" },
    text = "Steps between two rows." },
  { "columns", "table", required = true,
    text = "A list of names (measures, step, time, contacts, iterations, residual, overlap) and of "
      .. "{ \"name\", function(sim) return number end }; or a table { name = function or measure }, which gets "
      .. "step and time in front and is sorted by name." },
}

call "floc.report" {
  returns = "boolean?",
  summary = "Notes a claim beside the measured value; all are shown at the end of the run.",
  { "claim", "string", required = true, text = "What is claimed, in one sentence." },
  { "value", "number|string|boolean", required = true, infinite = true, nan = true,
    text = "What was measured." },
  { "paper", "string", text = "Where the claim stands: author, year, section." },
  { "paper_value", "number|string", text = "What the paper has there: a number, or its words." },
  { "unit", "string", text = "Of the value." },
  { "expect", "table", text = "{ at_least =, at_most =, equal =, tolerance = }." },
}

return surface
