-- Runs, checkpoints, tables and reports. See reader.lua for the form.

local surface = require "floc.surface.reader"
local arguments, call = surface.arguments, surface.call

call "sim.run" {
  returns = "integer",
  summary = "Advances the simulation; returns the number of steps.",
  { "steps", "integer", at_least = 0, text = "Number of steps; or one of the next two." },
  { "until_time", "number", unit = "time", text = "Run until this time." },
  { "until_", "function", signature = "of the simulation that returns true at the end",
    text = "Run until this function, called before every step, returns true." },
  { "progress", "boolean", text = "Show progress; by default the program decides." },
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
    text = "none: the file is not compressed; it is larger and written in a fraction of the time. Its contents are the same." },
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
      .. "{ \"name\", function(sim) return number end }; or a table { name = function or measure }, whose "
      .. "columns are step, time, and the names in alphabetical order." },
}

call "floc.report" {
  returns = "boolean?",
  summary = "Records a claim and the measured value; all of them are printed at the end of the run.",
  { "claim", "string", required = true, text = "What is claimed, in one sentence." },
  { "value", "number|string|boolean", required = true, infinite = true, nan = true,
    text = "What was measured." },
  { "paper", "string", text = "Where the claim is made: author, year, section." },
  { "paper_value", "number|string", text = "The value in the paper: a number, or its words." },
  { "unit", "string", text = "Unit of the value." },
  { "expect", "table", text = "What the value must satisfy: { at_least =, at_most =, equal =, tolerance = }." },
}

return surface
