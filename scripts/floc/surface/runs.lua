-- Runs, checkpoints, tables and reports. See reader.lua for the form.

local surface = require "floc.surface.reader"
local arguments, call = surface.arguments, surface.call

call "sim.run" {
  returns = "integer",
  summary = "Advances the simulation; returns the number of steps.",
  { "steps", "integer", at_least = 0, text = "Number of steps; or one of the next two." },
  { "until_time", "number", unit = "time", text = "Run until this time." },
  { "until_", "function|choice|table", signature = "of the simulation that returns true at the end", one_of = { "at rest" },
    text = "Run until this function, called before every step, returns true; or until all is at rest: \"at rest\", or limits of one's own (until_ below). "
      .. "Beside these two, steps or until_time ends the run if it comes first, with a warning." },
  { "progress", "boolean", text = "Show progress; by default the program decides." },
  { "on_unconverged", "choice", one_of = { "warn", "stop", "go_on" }, default = "warn",
    text = "What to do when the contacts of a step were not solved to the tolerance: warn after the run, stop with an error at the first, or continue without a "
      .. "warning. floc run --strict stops unless go_on is written here." },
}

call "part.until_" {
  summary = "When all is at rest, as limits, until_ = { speed_below = 1e-3 }; every one that is given must hold. until_ = \"at rest\" takes them from gravity g "
    .. "and the mean diameter d: the kinetic energy of all is that of a speed below 0.003 sqrt(g d).",
  { "kinetic_below", "number", above = 0, unit = "energy", text = "The kinetic energy of all, the measure kinetic_energy, is below this." },
  { "speed_below", "number", above = 0, unit = "length/time", text = "The greatest speed of a centre, the measure greatest_speed, is below this." },
  { "unbalanced_below", "number", above = 0, text = "The mean force left on a particle over that of a contact, the measure unbalanced_force_ratio, is below this." },
  { "lasting", "number", at_least = 0, unit = "time",
    text = "For how long they hold without a break; default 0.1 sqrt(d/g), which a start from rest and a throw at its highest point do not; without gravity 10 time "
      .. "steps. The state with which the run begins does not count." },
}

call "part.interval" {
  summary = "When a callback is called, or an entry of a file is written, instead of a number of steps: every = { time = 0.1 }.",
  { "time", "number", above = 0, unit = "time", text = "After the first step at or beyond each multiple of it, once a step at most; of files also the first state." },
  { "condition", "function", signature = "of the simulation that returns true or false", text = "Of sim:every alone: after a step after which it has become true." },
}

arguments "world_save" {
  { "keep", "integer", default = 1, at_least = 1, at_most = 1000, text = "Number of files that are kept: path, path.1, path.2, ... (newest first)." },
}

call "sim.checkpoint" {
  summary = "Writes the whole state: now, or at intervals.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "every", "integer|table", at_least = 1, instead_of = { "interval", "steps" },
    text = "Steps between two files, or { time = }; without it the file is written at once." },
  { "keep", from = "world_save" },
  { "compression", "choice", one_of = { "default", "none" }, default = "default", instead_of = { "compress", "uncompressed" },
    text = "none: the file is not compressed; it is larger and written in a fraction of the time. Its contents are the same." },
  { "on_failure", "choice", one_of = { "stop", "go_on" }, default = "stop",
    text = "What to do when the file cannot be written during a run: stop with an error, or warn and continue; older files stay." },
}

call "sim.observe" {
  summary = "Writes a table of observables, one row at intervals, as tab-separated text.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "every", "integer|table", default = 1, at_least = 1, instead_of = { "interval", "steps" },
    text = "Steps between two rows, or { time = }." },
  { "columns", "table", required = true,
    text = "A list of names (measures, step, time, contacts, iterations, residual, overlap) and of "
      .. "{ \"name\", function(sim) return number end }; or a table { name = function or measure }, whose "
      .. "columns are step, time, and the names in alphabetical order." },
}

call "floc.report" {
  returns = "boolean?",
  summary = "Records a claim and the measured value; all of them are printed at the end of the run.",
  { "claim", "string", required = true, text = "What is claimed, in one sentence." },
  { "value", "number|string|boolean", infinite = true, nan = true, text = "What was measured." },
  { "absent", "string", text = "Instead of value: why the claim does not apply to this run." },
  { "unit", "string", text = "Unit of the value." },
  { "standard_error", "number", at_least = 0, text = "Standard error of the value, if it is a mean." },
  { "expect", "table", text = "What the value must satisfy: { at_least =, at_most =, equal =, tolerance = }." },
  { "band_from", "string", text = "Where expect comes from: exact, a theory, a measurement." },
  { "ensemble", "integer", at_least = 1,
    text = "Instead of expect: the value is the mean of that many runs, and its band that of the ensemble in ensembles.tsv beside the script, "
      .. "which floc reproduce --ensembles measures. At arguments without an ensemble the claim does not apply." },
  { "paper", "string", text = "Where the claim is made: author, year, section." },
  { "item", "string", text = "Which row of examples/statements.tsv the claim computes: L20. One row may have several claims." },
  { "paper_says", "string", text = "What the paper says, in words." },
  { "paper_value", "number|string", text = "The value in the paper: a number, or its words." },
  { "paper_band", "table",
    text = "In which range a value agrees with the paper, in the form of expect; without it, where the paper's words or value are given, it is expect." },
  { "differs", "string", text = "Why the value is not in paper_band. A claim that differs without a reason fails, and so does one that has a reason and agrees." },
}

return surface
