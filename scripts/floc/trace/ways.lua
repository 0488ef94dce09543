-- Which of three ways a law goes, and what follows from it. Traced (trace.lua): it becomes a program of the engine, checked
-- against the function (check.lua). Chunked (chunk.lua): what cannot be traced and changes nothing runs in a loop over blocks, in
-- a state of Lua for every thread, on LuaJIT. Called: one call of Lua per pair or particle, in order, on one thread.
-- sim:explain shows which way was taken, and why.

local check = require "floc.surface.check"
local core = require "floc.core"
local law_chunk = require "floc.trace.chunk"
local law_names = require "floc.simulation.law_names"
local sandbox = require "floc.session.sandbox"
local trace = require "floc.trace.trace"
local trace_check = require "floc.trace.check"

local constants = require("floc.surface.structs").constants
local touches_pairs = law_names.touches_pairs
local ways = {}

local function add_range(inner, ranges, name, column)
  local least, greatest = core.column_extent(inner.world, column)
  if least then ranges[name] = { least, greatest } end
end

-- How far particles are apart at the most, at present; at least the number given.
local function extent_of(inner, least)
  local square = 0
  for axis, name in ipairs { "x", "y", "z" } do
    local lower, upper = core.column_extent(inner.world, name)
    if lower and axis <= inner.dimension then square = square + (upper - lower) ^ 2 end
  end
  return math.max(least, math.sqrt(square))
end

-- What the differential check should know of the numbers that will come.
function ways.sampler_for(inner, law)
  local ranges, fixed = {}, {}
  local info = core.info(inner.world)
  for k, name in ipairs(law.parameter_names) do fixed[name] = law.parameter_values[k] end
  fixed.time_step = info.time_step
  for _, name in ipairs(law.inputs) do
    local column = law.kind == constants.law_pair and name:match "^(.*)_[ij]$" or law.kind == constants.law_angle and name:match "^(.*)_[ijk]$" or name
    if law_names.is_axis(name) then ranges[name] = { -1, 1 } end
    if law_names.is_random[name] then ranges[name] = name:find("^normal") and { -4, 4 } or { 2 ^ -53, 1 - 2 ^ -53 } end
    column = column:match("^sum_(.*)$") or column
    if not fixed[name] and not ranges[name] then add_range(inner, ranges, name, column) end
  end
  local least, greatest = core.column_extent(inner.world, "radius")
  least, greatest = least or 0.1, greatest or 1
  for k, attribute in ipairs(law.attribute_names or {}) do
    local value = law.attribute_values[k]
    if value ~= 0 then ranges[attribute] = { math.min(0.5 * value, 2 * value), math.max(0.5 * value, 2 * value) } end
  end
  local range = law.range < math.huge and not law.members and law.range or extent_of(inner, 100 * greatest)
  if law.kind == constants.law_pair then ranges.distance = { 1.6 * least, 2 * greatest + range } end
  if law.kind == constants.law_wall then ranges.distance = { 0.8 * least, greatest + range } end
  if law.members == 3 then
    ranges.angle = { 0, math.pi }
    for _, side in ipairs { "ij", "jk", "ik" } do ranges["distance_" .. side] = { 1.6 * least, 2 * greatest + range } end
  end
  ranges.overlap = { -range - 0.1 * greatest, 0.4 * least }
  ranges.time = { info.time, info.time + 1000 * info.time_step }
  ranges.t = ranges.time
  return { ranges = ranges, fixed = fixed, range = range }
end

-- The program of a law; nil and the reason where it must not or cannot be traced. A law whose outputs are made of derivatives
-- (derive) is a function with `values` results of the inputs `given`; where they are missing, those of the law.
function ways.program_of(inner, law)
  local wanted, inputs = law.values or law.output_count, law.given or law.inputs
  local traced, reason, too_many = trace.run(law.fn, inputs, wanted)
  if too_many then
    check.fail(law.call, "the law returns %d values; it must return %d%s", too_many, wanted,
      law.outputs and ": " .. table.concat(law.outputs, ", ") or "")
  end
  if not traced then return nil, reason end
  local program = traced.graph:program(inputs, traced.outputs)
  reason = trace_check.run(traced, program, law.fn, ways.sampler_for(inner, law))
  if reason then return nil, reason end
  law.watch, law.paths, law.failures = traced.watch, traced.paths, traced.failures
  if law.derive then program = traced.graph:program(law.inputs, law.derive(law, traced, inner.dimension)) end
  program.fast_math = law.fast_math
  return program
end

-- Chooses the way of a law. Sets program or leaves it nil, with the reason.
function ways.choose(inner, law)
  if law.wanted_way == "called" then
    law.reason = "way = \"called\" was requested"
  elseif law.wanted_way == "chunked" then
    law.reason = "way = \"chunked\" was requested"
  else
    law.program, law.reason = ways.program_of(inner, law)
  end
  law.way = law.program and "traced" or "called"
  if law.program then return end
  if law.fast_math then check.fail(law.call, "fast_math is for laws that are traced, and this one is not: %s", law.reason) end
  if law.derive then
    check.fail(law.call, "%s cannot be traced, and only a traced one can be differentiated: %s", law.differentiated, law.reason)
  end
  if law.wanted_way == "traced" then check.fail(law.call, "the law cannot be traced: %s", law.reason) end
  if sandbox.is_active() then
    check.fail(law.call, "the sandbox accepts only traced laws, and this one cannot be traced: %s", law.reason)
  end
  if law.wanted_way == "called" then return end
  local recipe, watched = law_chunk.prepare(law, ways.sampler_for(inner, law))
  if recipe then
    law.way, law.recipe, law.watch = "chunked", recipe, watched
  else
    law.not_chunked = watched
    if law.wanted_way == "chunked" then check.fail(law.call, "the law cannot run on several threads: %s", watched) end
  end
end

-- ---- as text -------------------------------------------------------------------------------------

-- The way that a law takes, and its program, as text.
function ways.explain(law)
  local lines = { law.place }
  local function say(...) lines[#lines + 1] = string.format(...) end
  say("  inputs: %s", #law.inputs > 0 and table.concat(law.inputs, ", ") or "nothing")
  if law.members then
    local found, count = core.law_bonds(law.inner.world, law.kind, law.number, law.members, {})
    say("  acts on: %sbonds of %d particles%s", found and count .. " " or "", law.members,
      law.attribute_names[1] and "; attributes: " .. table.concat(law.attribute_names, ", ") or "")
  end
  if law.way == "traced" then
    say("  way: traced, a program of %d operations from %d path%s through the function; equal to it on all samples",
      #law.program.code / 4, law.paths, law.paths == 1 and "" or "s")
    if law.fast_math then say("  fast_math: products and sums are rounded once, functions have errors of a few units in the last place") end
    for _, failure in ipairs(law.failures) do say("  fails on a path: %s", failure) end
    if law.number then
      for line in core.law_text(law.inner.world, law.kind, law.number):gmatch("[^\n]+") do say("    %s", line) end
    end
  elseif law.way == "chunked" then
    say("  way: a loop over blocks of %s in one Lua state per thread; equal to the function on all samples",
      touches_pairs(law.kind) and "pairs" or "particles")
    say("  because: %s", law.reason)
  else
    say("  way: one Lua call per %s, on one thread", touches_pairs(law.kind) and "pair" or "particle")
    say("  because: %s", law.reason)
    if law.not_chunked then say("  and not on several threads, because: %s", law.not_chunked) end
  end
  return table.concat(lines, "\n") .. "\n"
end

return ways
