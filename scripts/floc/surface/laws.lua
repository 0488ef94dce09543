-- Laws: programs, functions of the host, attraction, flows and noise. See reader.lua for the form.

local surface = require "floc.surface.reader"
local enum, struct = surface.enum, surface.struct

struct "instruction" {
  plain = true, sized = false,
  { "operation", "integer", c = "floc_operation" },
  { "a", "integer" },
  { "b", "integer" },
  { "c", "integer" },
}

struct "program_options" {
  plain = true,
  { "input_count", "integer", c = "0 .. 32" },
  { "constants", "const double *" },
  { "constant_count", "integer", c = "0 .. 1024" },
  { "code_count", "integer", c = "0 .. 4096" },
  { "code", "const floc_instruction *" },
  { "outputs", "const int32_t *", c = "numbers of values" },
  { "output_count", "integer", c = "1 .. 16" },
  { "fast_math", "boolean", c = "a product and a sum may be rounded once, and library functions may be off by "
      .. "some units in the last place: other bits than without, the same on any number of threads and after a "
      .. "resume on the same machine and libraries. Refused where there is no AVX2 with FMA, or no glibc of 2.35 "
      .. "or newer. Default false." },
}

enum "law_kind" {
  prefix = "FLOC_LAW_",
  { "pair", 1, "a force between particles closer than range" },
  { "field", 2, "a force on every particle" },
  { "wall", 3, "a force between particles and bodies closer than range" },
  { "evolution", 4, "attributes that change in time" },
}

struct "law_options" {
  plain = true,
  { "name", "string", c = "shown in messages; may be NULL" },
  { "inputs", "const char *const *", c = "names of the law's inputs" },
  { "input_count", "integer", c = "0 .. 32" },
  { "output_count", "integer", c = "1 .. 16" },
  { "range", "number", c = "pair, wall: maximum surface distance at which it acts, >= 0 [length]" },
  { "function", "kernel_function", c = "no default; or program" },
  { "context", "context" },
  { "parallel", "boolean", c = "function may run on several threads at once; default false" },
  { "outputs", "const char *const *", c = "names of its outputs; NULL: as above" },
  { "memory", "const char *const *", c = "pair, wall: numbers that each pair remembers from step to step, 0 for a "
      .. "pair that comes into range; inputs and outputs. Names of up to 16 characters." },
  { "memory_count", "integer", c = "0 .. 8" },
  { "parameters", "const char *const *", c = "names of numbers that can be changed between steps" },
  { "parameter_values", "const double *" },
  { "parameter_count", "integer", c = "0 .. 16" },
  { "program", "const floc_program_options *", c = "instead of function; copied. It is stored in checkpoints." },
}

struct "attraction_options" {
  plain = true,
  { "kappa", "number", c = "depth of the potential, > 0 [mass length^2/time^2]; no default" },
  { "epsilon", "number", c = "distance over which it falls off, > 0 [length]; no default" },
  { "range", "number", c = "surface distance beyond which it is left out [length]; default 0: 5 epsilon, where it "
      .. "has fallen to 2e-4 of its greatest value" },
  { "noise_scaling", "boolean", c = "false: enters a step as h F (3.7); true: as sqrt(h) F (4.3), so that it "
      .. "keeps its weight beside white noise; default false" },
}

enum "flow_kind" {
  prefix = "FLOC_FLOW_",
  { "none", 0 },
  { "uniform", 1, "U = velocity" },
  { "shear", 2, "U = (rate y, 0, 0)" },
  { "oscillating_shear", 3, "U = (rate sin(frequency t) y, 0, 0), Maury 2004, (4.1)" },
  { "rotation", 4, "U = rate (-y, x, 0) about center" },
  { "function", 5, "the kernel: inputs by name as for a field, outputs U" },
  { "still", 6, "U = 0: friction only" },
}

struct "flow_function" {
  plain = true,
  { "name", "string" },
  { "inputs", "const char *const *" },
  { "input_count", "integer" },
  { "output_count", "integer" },
  { "range", "number" },
  { "function", "kernel_function" },
  { "context", "context" },
  { "parallel", "boolean" },
  { "outputs", "const char *const *" },
  { "memory", "const char *const *" },
  { "memory_count", "integer" },
  { "parameters", "const char *const *" },
  { "parameter_values", "const double *" },
  { "parameter_count", "integer" },
  { "program", "const floc_program_options *" },
}

struct "flow_options" {
  plain = true,
  { "kind", "integer", c = "floc_flow_kind. no default" },
  { "relaxation_time", "number", c = "tau = m/xi, > 0 [time]; no default" },
  { "exponential", "boolean", c = "projection. false: explicit, as printed in (3.7), stable for h <= 2 tau; true: "
      .. "exact for a constant U over the step; default false. Rotation of particles is always exact, and so are "
      .. "discrete elements." },
  { "velocity", "vector", c = "uniform [length/time]" },
  { "rate", "number", c = "shear, rotation [1/time]; default 1" },
  { "frequency", "number", c = "oscillating shear, angular [rad/time]" },
  { "center", "vector", c = "shear: where U vanishes; rotation: the axis [length]; default 0" },
  { "function", "flow_function", c = "function: name, inputs, output_count = dimension" },
  { "law", "const floc_law_options *", c = "function: instead of `function`, if it is not NULL" },
}

struct "noise_options" {
  plain = true,
  { "sigma", "number", c = ">= 0 [mass length/time^(3/2)]; 0 switches it off; no default" },
}

return surface
