-- Forces, flows and rates of change given by Lua functions. The names of a function's parameters say what it needs; they
-- are read from the function itself, so a law reads like the formula in the paper.
--
-- A law goes one of three ways (trace/ways.lua): as a program of the engine, in a loop over blocks in several states of Lua, or called
-- one by one. law_description.lua takes what the script gives; here laws are added, held, and followed while the script runs.

local audit = require "floc.trace.audit"
local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local known = require "floc.session.known"
local law_chunk = require "floc.trace.chunk"
local law_description = require "floc.simulation.law_description"
local law_names = require "floc.simulation.law_names"
local many_body = require "floc.simulation.many_body"
local potential = require "floc.trace.potential"
local replay = require "floc.session.replay"
local session = require "floc.session.session"
local shield = require "floc.trace.shield"
local surface = require "floc.surface.structs"
local warnings = require "floc.session.warnings"
local ways = require "floc.trace.ways"

local constants = surface.constants
local touches_pairs = law_names.touches_pairs
local laws = {}

laws.parameter_names = law_names.parameters_of

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
  local turns = law.turns ~= nil or core.column_extent(inner.world, "wz") ~= nil
  for _, name in ipairs(law.audited) do turns = turns or name:find "^torque_" ~= nil end
  local symmetry, balance = audit.run(law, ways.sampler_for(inner, law), inner.dimension)
  for _, one in ipairs { { symmetry, values.symmetric, "symmetric" }, { turns and balance or nil, values.balanced, "balanced" } } do
    if one[1] and one[2] then check.fail(law.call, "%s = true, and %s", one[3], one[1]) end
    if one[1] and one[2] == nil then
      warnings.tell(inner.session, inner.number, string.format("%s: %s; %s = false says that it is meant", law.label, one[1], one[3]), law.label .. one[3])
    end
  end
end

local function add(inner, call, kind, given)
  local values = check.table(declarations[call], given)
  local law = law_description.of(call, values, kind, inner, given)
  if law.potential then law.values, law.derive, law.differentiated = 1, potential.outputs_of, "the potential" end
  ways.choose(inner, law)
  audit_law(inner, law, values)
  many_body.check_sums(inner, law)
  give_to_engine(inner, law)
  return register(inner, law)
end

-- A law of several parts, each a law of the engine; the script holds the whole. is_free(name): may a column have that name?
function laws.add_many_body(inner, given, is_free)
  local whole = many_body.describe(inner, given, law_description.take_parameters, is_free)
  for _, part in ipairs(whole.parts) do
    part.inner = inner
    ways.choose(inner, part)
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
  local law = values.law and law_description.of("add_flow", values, constants.law_field, inner) or nil
  local options = law or {}
  options.kind = constants["flow_" .. (values.flow or "function")]
  for _, name in ipairs { "relaxation_time", "exponential", "velocity", "rate", "frequency", "center" } do
    options[name] = values[name]
  end
  if not law then return answer("add_flow", core.set_flow(inner.world, options)) and nil end
  local flow_kind = options.kind
  law.kind = constants.law_field
  ways.choose(inner, law)
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
  local law = law_description.of(call, values, constants.law_field, inner)
  ways.choose(inner, law)
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
  if final or pcall(law_description.of, "first_order", { law = velocity }, constants.law_field, inner) then laws.set_a_priori(inner, velocity, "first_order") end
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
      local program, reason = ways.program_of(inner, law)
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

function laws.explanation(handle)
  local law, texts = law_of(handle, "explain"), {}
  for k, part in ipairs(law.parts or { law }) do texts[k] = ways.explain(part) end
  return table.concat(texts)
end

return laws
