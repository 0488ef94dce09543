-- Forces, flows and rates of change given by Lua functions. The names of a function's parameters say what it needs; they
-- are read from the function itself, so a law reads like the formula in the paper.
--
-- A law goes one of three ways. Traced (trace.lua): it becomes a program of the engine, checked against the function
-- (trace/check.lua). Chunked (trace/chunk.lua): what cannot be traced and changes nothing runs in a loop over blocks, in a
-- state of Lua for every thread, on LuaJIT. Called: one call of Lua per pair or particle, in order, on one thread.
-- sim:explain shows which way was taken, and why.

local audit = require "floc.trace.audit"
local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local known = require "floc.session.known"
local law_chunk = require "floc.trace.chunk"
local law_names = require "floc.simulation.law_names"
local many_body = require "floc.simulation.many_body"
local replay = require "floc.session.replay"
local derivative = require "floc.trace.derivative"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"
local shield = require "floc.trace.shield"
local trace = require "floc.trace.trace"
local trace_check = require "floc.trace.check"
local surface = require "floc.surface.structs"
local warnings = require "floc.session.warnings"

local constants = surface.constants
local touches_pairs, set_of = law_names.touches_pairs, law_names.set_of
local laws = {}

-- ---- names --------------------------------------------------------------------------------------

laws.parameter_names = law_names.parameters_of

local function list_of_names(call, field, given)
  local names = {}
  for k, name in ipairs(given or {}) do
    if type(name) ~= "string" then check.fail(call, "%s[%d] is %s; it must be a string", field, k, check.show(name)) end
    names[k] = name
  end
  return names
end

-- Without a range a law acts on what overlaps, which a law of the distance is not meant for.
local function check_range(law, values)
  if law.members then
    if values.range then check.fail(law.call, "range is %s; a law over bonds has none, it acts on its bonds at any distance", check.show(values.range)) end
    return
  end
  if not touches_pairs(law.kind) or values.range ~= nil then return end
  local inputs = set_of(law.inputs)
  if inputs.distance and not inputs.overlap then
    check.fail(law.call, "range is missing: the law takes the distance, and without a range it acts only on what overlaps; range = 0 allows that")
  end
end

-- ---- description --------------------------------------------------------------------------------

local function take_parameters(law, given)
  law.parameter_names, law.parameter_values = {}, {}
  for name in pairs(given or {}) do
    if type(name) ~= "string" or not name:find("^[%a_][%w_]*$") then
      check.fail(law.call, "parameters has the key %s; it must be a name", check.show(name))
    end
    law.parameter_names[#law.parameter_names + 1] = name
  end
  table.sort(law.parameter_names)
  for k, name in ipairs(law.parameter_names) do
    law.parameter_values[k] = check.value(law.call, { name = "parameters." .. name, type = "number" }, given[name])
  end
end

-- What a law over bonds has beside others: how many particles a bond has, and its attributes.
local function take_bonds(law, values)
  law.attribute_names, law.attribute_values = {}, {}
  if law.kind == constants.law_angle then law.members = 3 end
  if law.kind == constants.law_pair then
    law.pairs = constants["pairs_" .. values.pairs]
    if values.pairs == "bonds" then law.members = 2 end
  elseif not law.members then
    return
  end
  if not law.members and values.attributes then
    check.fail(law.call, "attributes is given, and the law acts on pairs within range, which have none; pairs = \"bonds\" makes it a law over bonds")
  end
  for name in pairs(values.attributes or {}) do
    if type(name) ~= "string" or not name:find "^[%a_][%w_]*$" then
      check.fail(law.call, "attributes has the key %s; it must be a name: attributes = { rest_length = 1 }", check.show(name))
    end
    law.attribute_names[#law.attribute_names + 1] = name
  end
  table.sort(law.attribute_names)
  for k, name in ipairs(law.attribute_names) do
    law.attribute_values[k] = check.value(law.call, { name = "attributes." .. name, type = "number" }, values.attributes[name])
  end
end

local function take_outputs(law, values, inner)
  if law.kind == constants.law_field and values.returns then
    if law.potential then check.fail(law.call, "potential and returns are both given; a potential returns the energy") end
    law.outputs = list_of_names(law.call, "returns", values.returns)
  elseif law.kind == constants.law_field then
    law.output_count = inner.dimension + (law.potential and 1 or 0)
    if values.angular_velocity then law.output_count = inner.dimension + (inner.dimension == 2 and 1 or 3) end
  elseif law.kind == constants.law_evolution then
    law.outputs = list_of_names(law.call, "attributes", values.attributes)
    if #law.outputs == 0 then check.fail(law.call, "attributes is empty; it must name attributes") end
  elseif law.potential then
    law.outputs = { law.members == 3 and "moment" or "normal", "energy" }
    if law.members == 3 and values.returns then check.fail(law.call, "potential and returns are both given; a potential returns the energy") end
  elseif values.returns then
    law.outputs = list_of_names(law.call, "returns", values.returns)
  else
    law.outputs = { law.members == 3 and "moment" or "normal" }
    for _, name in ipairs(law.memory) do law.outputs[#law.outputs + 1] = name end
  end
  law.output_count = law.output_count or #law.outputs
end

-- A potential of angles gives a force for each of what it depends on.
local by_input = { angle = "moment", distance_ij = "force_ij", distance_jk = "force_jk", distance_ik = "force_ik" }

local function take_derivatives(inner, law)
  local own = set_of(law_names.of_energy(inner, law.kind, law.parameter_names))
  for _, name in ipairs(law.attribute_names) do own[name] = true end
  law.outputs, law.coordinates = {}, {}
  for _, name in ipairs(law.inputs) do
    if not own[name] then
      check.fail(law.call, "the potential takes %s, and its derivative would not be the whole force; a potential of angles may depend on "
        .. "angle, distance_ij, distance_jk, distance_ik, its attributes, and what does not move", name)
    end
    if by_input[name] then
      law.coordinates[#law.coordinates + 1] = name
      law.outputs[#law.outputs + 1] = by_input[name]
    end
  end
  law.outputs[#law.outputs + 1] = "energy"
  law.output_count = #law.outputs
end

-- What the C half needs to know of a law, and what this half remembers of it.
local function describe(call, values, kind, inner, given)
  local fn = values.law or values.potential
  if not fn then check.fail(call, "law is missing; it must be %s", check.describe(declarations[call][1])) end
  if values.law and values.potential then check.fail(call, "law and potential are both given; only one of them may be") end
  local place = check.definition(fn)
  local named = values.name and string.format("the law %s", check.show(values.name)) or "the law"
  local law = {
    call = call, kind = kind, fn = fn, potential = values.potential ~= nil, place_of_definition = place,
    memory = list_of_names(call, "memory", values.memory), name = values.name or place, range = values.range or 0,
    label = string.format("%s: %s: %s", place, call, named), wanted_way = values.way or "auto",
    fast_math = values.fast_math or false,
    place = string.format("%s of %s at %s", named, call, place),
  }
  take_parameters(law, values.parameters)
  take_bonds(law, values)
  take_outputs(law, values, inner)
  law.inputs = values.inputs and list_of_names(call, "inputs", values.inputs) or laws.parameter_names(call, fn)
  law_names.check_inputs(inner, law)
  if law.potential and law.members == 3 then take_derivatives(inner, law) end
  for _, name in ipairs(law.inputs) do
    if law.potential and law_names.is_axis(name) then
      check.fail(call, "the potential takes %s; only its derivative by the place is found, and the torque would be missing: give a law that "
        .. "returns the force, the torque and the energy", name)
    end
  end
  if values.returns then law_names.check_outputs(inner, law) end
  check_range(law, given)
  return law
end

-- ---- tracing ------------------------------------------------------------------------------------

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
local function sampler_for(inner, law)
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

-- Minus the derivatives of a potential, and behind them the potential itself, as the outputs of a law.
local function forces_of(law, traced, dimension)
  local g, energy = traced.graph, traced.outputs[1]
  if law.coordinates then
    local outputs = {}
    for k, name in ipairs(law.coordinates) do outputs[k] = derivative.of(g, energy, { [name] = -1 }) end
    outputs[#outputs + 1] = energy
    return outputs
  end
  if law.kind ~= constants.law_field then return { derivative.of(g, energy, { distance = -1, overlap = 1 }), energy } end
  local outputs = {}
  for axis, name in ipairs { "x", "y", "z" } do
    if axis <= dimension then outputs[axis] = derivative.of(g, energy, { [name] = -1 }) end
  end
  outputs[#outputs + 1] = energy
  return outputs
end

-- The program of a law; nil and the reason where it must not or cannot be traced. A law whose outputs are made of derivatives
-- (derive) is a function with `values` results of the inputs `given`; where they are missing, those of the law.
local function program_of(inner, law)
  local wanted, inputs = law.values or law.output_count, law.given or law.inputs
  local traced, reason, too_many = trace.run(law.fn, inputs, wanted)
  if too_many then
    check.fail(law.call, "the law returns %d values; it must return %d%s", too_many, wanted,
      law.outputs and ": " .. table.concat(law.outputs, ", ") or "")
  end
  if not traced then return nil, reason end
  local program = traced.graph:program(inputs, traced.outputs)
  reason = trace_check.run(traced, program, law.fn, sampler_for(inner, law))
  if reason then return nil, reason end
  law.watch, law.paths, law.failures = traced.watch, traced.paths, traced.failures
  if law.derive then program = traced.graph:program(law.inputs, law.derive(law, traced, inner.dimension)) end
  program.fast_math = law.fast_math
  return program
end

-- Chooses the way of a law. Sets program or leaves it nil, with the reason.
local function choose_way(inner, law)
  if law.wanted_way == "called" then
    law.reason = "way = \"called\" was requested"
  elseif law.wanted_way == "chunked" then
    law.reason = "way = \"chunked\" was requested"
  else
    law.program, law.reason = program_of(inner, law)
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
  local recipe, watched = law_chunk.prepare(law, sampler_for(inner, law))
  if recipe then
    law.way, law.recipe, law.watch = "chunked", recipe, watched
  else
    law.not_chunked = watched
    if law.wanted_way == "chunked" then check.fail(law.call, "the law cannot run on several threads: %s", watched) end
  end
end

-- ---- the object that a script holds -------------------------------------------------------------

local handle_meta = check.kinds("law", { law = true })
local records = setmetatable({}, { __mode = "k" }) -- by handle, out of reach of scripts

local function law_of(handle, call)
  local law = handle ~= nil and records[handle]
  if not law then check.fail(call, "takes a law as sim:add_force and the like return it, got %s", check.show(handle)) end
  return law
end

local function is_parameter(law, name)
  for _, parameter in ipairs(law.parameter_names) do
    if parameter == name then return true end
  end
  return false
end

-- The laws of the engine that make up the script's, and fit.
local function parts_of(law, fits)
  local parts = {}
  for _, part in ipairs(law.parts or { law }) do
    if not law.parts or fits(part) then parts[#parts + 1] = part end
  end
  return parts
end

local function takes(key)
  return function(part) return is_parameter(part, key) end
end

local function gives_energy(part) return law_names.set_of(part.outputs).energy end

local function energy_of(law)
  local sum = 0
  for _, part in ipairs(parts_of(law, gives_energy)) do
    local energy, message = core.law_energy(law.inner.world, part.kind, part.number)
    if not energy then check.fail("law", "%s", message) end
    sum = sum + energy
  end
  return sum
end

function handle_meta.__index(handle, key)
  local law = records[handle]
  if is_parameter(law, key) then
    return replay.after_runs(law.inner, "law." .. key, function()
      local part = parts_of(law, takes(key))[1]
      return (core.law_parameter(law.inner.world, part.kind, part.number, key))
    end)
  end
  if key == "energy" then return replay.after_runs(law.inner, "law.energy", function() return energy_of(law) end) end
  if key == "way" or key == "reason" or key == "name" then return law[key] end
  local names = { "energy", "way", "reason", "name" }
  for _, name in ipairs(law.parameter_names) do names[#names + 1] = name end
  check.fail("law", "there is no law.%s%s", tostring(key), check.suggestion(key, names))
end

function handle_meta.__newindex(handle, key, value)
  local law = records[handle]
  if not is_parameter(law, key) then
    check.fail("law", "%s is no parameter of the law%s", tostring(key), #law.parameter_names == 0
      and "; it has none: parameters = { NAME = VALUE } declares them" or check.suggestion(key, law.parameter_names))
  end
  value = check.value("law", { name = key, type = "number" }, value)
  for _, part in ipairs(parts_of(law, takes(key))) do
    local ok, message = core.set_law_parameter(law.inner.world, part.kind, part.number, key, value)
    if not ok then check.fail("law", "%s", message) end
  end
end

function handle_meta.__tostring(handle) return "floc.law " .. records[handle].name end

-- ---- adding -------------------------------------------------------------------------------------

local function answer(call, value, message)
  if value == nil then check.fail(call, "%s", message) end
  return value
end

local function register(inner, law)
  law.inner = inner
  inner.laws = inner.laws or {}
  inner.laws[#inner.laws + 1] = law
  local handle = setmetatable({}, handle_meta)
  records[handle] = law
  inner.law_handles = inner.law_handles or setmetatable({}, { __mode = "v" }) -- a law that led to its handle would keep it alive
  inner.law_handles[#inner.laws] = handle
  known.know(handle, inner, "law " .. #inner.laws)
  return handle
end

local function give_to_engine(inner, law)
  local number, message = core.add_law(inner.world, law, not law.program and law.fn or nil, law.program)
  law.number = answer(law.call, number, message)
  law.mark = not law.program and message or nil
end

-- A law of pairs that depends on which particle is i, or whose torques do not balance its force, is warned about, unless it is
-- meant. Not of laws that are called one by one: they may change something with every call.
local function audit_law(inner, law, values)
  if law.kind ~= constants.law_pair or (law.members or 2) ~= 2 or law.way == "called" or (values.symmetric == false and values.balanced == false) then return end
  law.audited = law.potential and { "energy" } or law.outputs
  law.least_radius, law.greatest_radius = core.column_extent(inner.world, "radius")
  local turns = core.column_extent(inner.world, "wz") ~= nil
  for _, name in ipairs(law.audited) do turns = turns or name:find "^torque_" ~= nil end
  local symmetry, balance = audit.run(law, sampler_for(inner, law), inner.dimension)
  for _, one in ipairs { { symmetry, values.symmetric, "symmetric" }, { turns and balance or nil, values.balanced, "balanced" } } do
    if one[1] and one[2] then check.fail(law.call, "%s = true, and %s", one[3], one[1]) end
    if one[1] and one[2] == nil then
      warnings.tell(inner.session, inner.number, string.format("%s: %s; %s = false says that it is meant", law.label, one[1], one[3]), law.label .. one[3])
    end
  end
end

local function add(inner, call, kind, given)
  local values = check.table(declarations[call], given)
  local law = describe(call, values, kind, inner, given)
  if law.potential then law.values, law.derive, law.differentiated = 1, forces_of, "the potential" end
  choose_way(inner, law)
  audit_law(inner, law, values)
  many_body.check_sums(inner, law)
  give_to_engine(inner, law)
  return register(inner, law)
end

-- A law of several parts, each a law of the engine; the script holds the whole. is_free(name): may a column have that name?
function laws.add_many_body(inner, given, is_free)
  local whole = many_body.describe(inner, given, take_parameters, is_free)
  for _, part in ipairs(whole.parts) do
    part.inner = inner
    choose_way(inner, part)
    many_body.check_sums(inner, part)
  end
  many_body.add_columns(inner, whole)
  local handle = register(inner, whole)
  for _, part in ipairs(whole.parts) do
    give_to_engine(inner, part)
    inner.laws[#inner.laws + 1] = part
  end
  return handle
end

function laws.add_field(inner, given) return add(inner, "add_field", constants.law_field, given) end
function laws.add_force(inner, given) return add(inner, "add_force", constants.law_pair, given) end
function laws.add_wall_force(inner, given) return add(inner, "add_wall_force", constants.law_wall, given) end
function laws.add_angle_force(inner, given) return add(inner, "add_angle_force", constants.law_angle, given) end
function laws.add_evolution(inner, given) return add(inner, "add_evolution", constants.law_evolution, given) end

function laws.add_attraction(inner, given)
  local values = check.table(declarations.add_attraction, given)
  answer("add_attraction", core.add_attraction(inner.world, values))
end

function laws.add_long_range(inner, given)
  local values = check.table(declarations.add_long_range, given)
  values.kind = constants["long_range_" .. values.kind]
  answer("add_long_range", core.add_long_range(inner.world, values))
end

function laws.add_flow(inner, given)
  local values = check.table(declarations.add_flow, given, inner.dimension)
  if not check.exclusive("add_flow", values, "flow", "law") then
    check.fail("add_flow", "flow is missing; it must be %s, or give law", check.describe(declarations.add_flow[1]))
  end
  if values.flow ~= "none" and not values.relaxation_time then
    check.fail("add_flow", "relaxation_time is missing; it must be a finite number above 0")
  end
  local law = values.law and describe("add_flow", values, constants.law_field, inner) or nil
  local options = law or {}
  options.kind = constants["flow_" .. (values.flow or "function")]
  for _, name in ipairs { "relaxation_time", "exponential", "velocity", "rate", "frequency", "center" } do
    options[name] = values[name]
  end
  if not law then return answer("add_flow", core.set_flow(inner.world, options)) and nil end
  local flow_kind = options.kind
  law.kind = constants.law_field
  choose_way(inner, law)
  function law.set()
    law.kind = flow_kind
    local ok, message = core.set_flow(inner.world, law, not law.program and law.fn or nil, law.program)
    law.kind = constants.law_field
    answer("add_flow", ok, message)
    law.mark = not law.program and message or nil
  end
  law.set()
  return register(inner, law)
end

-- A function alone is the law. call: as messages say it, where it is another one.
function laws.set_a_priori(inner, given, call)
  call = call or "set_a_priori"
  if type(given) == "function" then given = { law = given } end
  local values = check.table(declarations.set_a_priori, given)
  if values.angular_velocity and inner.scheme and inner.scheme.velocity then
    check.fail(call, "angular_velocity is true, which is not supported under the scheme first_order; inelastic and gluey do it")
  end
  local law = describe(call, values, constants.law_field, inner)
  choose_way(inner, law)
  function law.set()
    local ok, message = core.set_a_priori(inner.world, law, not law.program and law.fn or nil, law.program)
    answer(call, ok, message)
    law.mark = not law.program and message or nil
  end
  law.set()
  inner.desired = nil
  return register(inner, law)
end

-- The velocity of floc.first_order may read attributes, which a script adds when the simulation is there: it is set when it finds
-- all its inputs, and at the latest by the first run (final), which says what is missing.
function laws.set_desired(inner, final)
  local velocity = inner.desired
  if not velocity then return end
  if final or pcall(describe, "first_order", { law = velocity }, constants.law_field, inner) then laws.set_a_priori(inner, velocity, "first_order") end
end

function laws.add_noise(inner, given)
  answer("add_noise", core.set_noise(inner.world, check.table(declarations.add_noise, given)))
end

-- ---- while it runs ------------------------------------------------------------------------------

-- What was shipped has changed: it is shipped again, and without another check; it is the same function.
local function ship_again(inner, law)
  if not law_chunk.changed(law.watch) then return end
  local recipe, watched = law_chunk.prepare(law)
  if not recipe then check.fail(law.call, "the script changed a value that the law reads, and now it cannot run on several threads: %s", watched) end
  law.watch = watched
  answer(law.call, core.set_law_recipe(inner.world, law.mark, recipe))
end

-- Laws read numbers of the script (upvalues, globals); where the script has changed one, the law is traced again. Called
-- before every step.
function laws.refresh(inner)
  for _, law in ipairs(inner.laws or {}) do
    if law.recipe then ship_again(inner, law) end
    if law.program and law.watch[1] and shield.changed(law.watch) then
      local program, reason = program_of(inner, law)
      if not program then check.fail(law.call, "the script changed a value that the law reads, and now it cannot be traced: %s", reason) end
      law.program = program
      law.retraced = (law.retraced or 0) + 1
      if law.retraced == 100 and not session.current().quiet then
        io.stderr:write(string.format("floc: warning: %s was traced 100 times, because the script keeps changing variables "
          .. "that the law reads; pass values that change as parameters\n", law.place))
      end
      if law.set then
        law.set()
      else
        answer(law.call, core.set_law_program(inner.world, law.kind, law.number, program))
      end
    end
  end
end

-- Why a traced law may have given NaN: the paths on which the function fails. "" when the message is of no such law.
function laws.failure_note(inner, message)
  for _, law in ipairs(inner.laws or {}) do
    if law.program and law.failures[1] and message:find('"' .. law.name:sub(1, 63) .. '"', 1, true) then
      return "; of this law's function: " .. table.concat(law.failures, "; ")
    end
  end
  return ""
end

local function no_chunk_note(law)
  return law.not_chunked and "; nor can it run on several threads: " .. law.not_chunked or ""
end

-- After a run: laws that were called one by one, and what that cost.
function laws.warn_costs(inner)
  for _, law in ipairs(inner.laws or {}) do
    if law.mark and not law.recipe and not law.warned then
      local calls, seconds = core.law_cost(inner.world, law.mark)
      if calls > 10000 then
        law.warned = true
        io.stderr:write(string.format("floc: warning: %s is one Lua call per %s, %.2f microseconds each, %.3g s in all; "
          .. "a traced law takes a few nanoseconds, but this one cannot be traced: %s%s\n", law.place,
          touches_pairs(law.kind) and "pair" or "particle", seconds / calls * 1e6, seconds, law.reason, no_chunk_note(law)))
      end
    end
  end
end

-- What this half knows of a law, for tests.
function laws.record(handle) return records[handle] end

-- The record of a pair law or wall law of this simulation.
function laws.of_pairs(inner, handle, call)
  local law = law_of(handle, call)
  if law.inner ~= inner then check.fail(call, "%s belongs to another simulation", law.place) end
  law = law.force or law
  if not (touches_pairs(law.kind) or law.kind == constants.law_angle) or not law.number then
    check.fail(call, "%s has no pairs; it must be a law of add_force, add_wall_force or add_angle_force", law.place)
  end
  return law
end

-- The record of a law over bonds.
function laws.of_bonds(inner, handle, call)
  local law = law_of(handle, call)
  if law.inner ~= inner then check.fail(call, "%s belongs to another simulation", law.place) end
  if not law.members then
    check.fail(call, "%s has no bonds; it must be a law of add_force with pairs = \"bonds\", or of add_angle_force", law.place)
  end
  return law
end

-- The way that a law takes, and its program, as text.
local function explain(law)
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

function laws.explanation(handle)
  local law, texts = law_of(handle, "explain"), {}
  for k, part in ipairs(law.parts or { law }) do texts[k] = explain(part) end
  return table.concat(texts)
end

return laws
