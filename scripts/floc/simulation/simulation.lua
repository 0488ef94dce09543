-- The simulation object that scripts hold.
--
-- `sim` itself is an empty table. Its metatable holds `inner`, the module's own record of it, and a table of
-- fields with the column views, so that sim.x is a plain table access; methods and computed fields (sim.step,
-- sim.gravity) come behind. A script cannot overwrite a column or a method by mistake.

local arguments = require "floc.session.arguments"
local assemblies = require "floc.simulation.assemblies"
local bodies = require "floc.simulation.bodies"
local cell = require "floc.simulation.cell"
local check = require "floc.surface.check"
local columns = require "floc.simulation.columns"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local export = require "floc.output.export"
local gap = require "floc.session.gap"
local interval = require "floc.session.interval"
local keep = require "floc.session.keep"
local known = require "floc.session.known"
local laws = require "floc.simulation.laws"
local movie = require "floc.output.movie"
local observe = require "floc.output.observe"
local particles = require "floc.simulation.particles"
local picture = require "floc.output.picture"
local problem = require "floc.command.problem"
local ranks = require "floc.session.ranks"
local replay = require "floc.session.replay"
local runner = require "floc.session.runner"
local session = require "floc.session.session"
local setup = require "floc.session.setup"
local shapes = require "floc.simulation.shapes"
local streams = require "floc.simulation.streams"
local surface = require "floc.surface.structs"
local up = require "floc.simulation.up"

local constants = surface.constants
local simulation = {}

local methods, readers, writers = {}, {}, {}

-- ---- the object ---------------------------------------------------------------------------------

local function inner_of(sim, call)
  return check.record(sim, "simulation") or check.fail(call, "is called on %s; write sim:%s with a colon", check.show(sim), call)
end

local function known_names(inner)
  local names = core.column_names(inner.world)
  for name in pairs(methods) do names[#names + 1] = name end
  for name in pairs(readers) do names[#names + 1] = name end
  return names
end

-- Words for columns that have a name for each axis.
local columns_of = { velocity = "vx, vy, vz", velocities = "vx, vy, vz", position = "x, y, z", positions = "x, y, z", force = "fx, fy, fz", forces = "fx, fy, fz" }

local function look_up(inner, fields, key)
  if methods[key] then return methods[key] end
  if readers[key] then return readers[key](inner) end
  local view = type(key) == "string" and columns.view(inner.world, key, inner.slow)
  if view then
    fields[key] = view
    known.know(view, inner, "column " .. key)
    return view
  end
  if columns_of[key] then check.fail("sim", "there is no sim.%s; the columns are %s: sim.%s[id]", key, columns_of[key], columns_of[key]:match "%a+") end
  check.fail("sim", "there is no sim.%s%s", tostring(key), check.suggestion(key, known_names(inner)))
end

local function assign(inner, key, value)
  if writers[key] then return writers[key](inner, value) end
  if methods[key] or readers[key] then check.fail("sim", "sim.%s cannot be assigned", tostring(key)) end
  local names = {}
  for name in pairs(writers) do names[#names + 1] = name end
  if columns.view(inner.world, key, inner.slow) then
    check.fail("sim", "sim.%s is a column; assign one element, sim.%s[id] = ..., or use sim:map", key, key)
  end
  check.fail("sim", "sim.%s cannot be assigned%s; values of the script itself belong in sim.state", tostring(key),
    check.suggestion(key, names))
end

local function wrap(inner)
  local fields = setmetatable({}, { __index = function(fields, key) return look_up(inner, fields, key) end })
  local sim = check.object({}, {
    inner = inner,
    floc_name = "simulation",
    __name = "floc.simulation",
    __index = fields,
    __newindex = function(_, key, value) assign(inner, key, value) end,
    __tostring = function() return string.format("floc.simulation %d", inner.number) end,
  }, inner)
  inner.sim = sim
  return sim
end

-- ---- creation -----------------------------------------------------------------------------------

local boundary_words = { "open", "wall", "periodic" }

local function boundaries(values, dimension)
  local list = {}
  local field = { name = "boundary", type = "choice", one_of = boundary_words }
  for axis = 1, dimension do
    local word = values.boundary
    if type(word) == "table" then
      field.name = string.format("boundary[%d]", axis)
      word = check.value("simulation", field, word[axis])
    end
    if word ~= "open" and not values.domain then
      check.fail("simulation", "boundary is %s; it needs domain = floc.box{ lower = ..., upper = ... }",
        check.show(word))
    end
    list[axis] = constants["boundary_" .. word]
  end
  if type(values.boundary) == "table" and #values.boundary ~= dimension then
    check.fail("simulation", "boundary is a list of %d; it must have %d words", #values.boundary, dimension)
  end
  return list
end

-- The dimension decides what a vector is, so it is checked before the rest.
local function dimension_of(given)
  local declared = declarations.simulation
  if type(given) ~= "table" or given.dimension == nil then return 2 end
  for _, field in ipairs(declared) do
    if field.name == "dimension" then return check.value("simulation", field, given.dimension) end
  end
end

-- Gravity is refused where the scheme would not feel it; a function counts whatever it returns.
local function check_gravity(call, world, gravity)
  local acts = type(gravity) == "function"
  for axis = 1, acts and 0 or #gravity do acts = acts or gravity[axis] ~= 0 end
  if not acts then return end
  local ok, message = core.check_feature(world, constants.feature_gravity)
  if not ok then check.fail(call, "%s", message) end
end

-- For --hash: the state that a simulation came to is noted when it is collected.
local function keep_last_hash(inner)
  local one, number, world = inner.session, inner.number, inner.world
  inner.hash_guard = session.guard(function()
    one.last_hashes[number] = { (core.clock(world)), (core.hash(world)) }
  end)
end

-- Adopts an inner into a session: its number there, and the count of its runs and checkpoints from zero.
function simulation.adopt(inner, one)
  one.simulation_count = one.simulation_count + 1
  one.simulations[one.simulation_count] = inner
  inner.session = one
  inner.number = one.simulation_count
  inner.events = 0
  one.positions[one.simulation_count] = inner.positions
  inner.log, inner.log_position = {}, 0
  if one.wants_hashes and not ranks.are_several then keep_last_hash(inner) end
end

function simulation.new(given)
  local one = session.current()
  -- Lua sees a few bytes where the engine holds megabytes, so it would not collect old simulations in time.
  if one.simulation_count > 0 then collectgarbage() end
  arguments.check_unused(one)
  session.in_run(one, check.where() .. "a simulation is made")
  local dimension = dimension_of(given)
  local values = check.table(declarations.simulation, given, dimension)
  if values.domain then shapes.check_dimension("simulation", "box", dimension, values.domain.lower) end
  local boundary = boundaries(values, dimension)
  up.check("simulation", values.up, dimension)
  local gravity = values.gravity or (dimension == 2 and { 0, 0 } or { 0, 0, 0 })
  local world, message = core.create {
    dimension = dimension, time_step = values.time_step, seed = values.seed,
    threads = one.threads or values.threads, boundary = boundary,
    domain_lower = values.domain and values.domain.lower, domain_upper = values.domain and values.domain.upper,
    gravity = type(gravity) == "table" and gravity or nil, number = one.simulation_count + 1, work_limit = values.work_limit,
    energy_ledger = values.energy_ledger, patch_particles = values.patch_particles,
  }
  if not world then check.fail("simulation", "%s", message) end
  if values.scheme then
    local ok, refusal = shapes.set_scheme(world, values.scheme)
    if not ok then check.fail("simulation", "%s", refusal) end
  end
  local inner = {
    world = world, dimension = dimension, gravity = gravity, applied_gravity = {}, domain = values.domain,
    state = {}, added = {}, setup = {}, callbacks = {}, outputs = {}, positions = {}, pending = {}, bodies = {}, removed_bodies = {}, boundary = boundary,
    given_up = values.up, upright = {}, conditions = {},
    materials = values.scheme and values.scheme.materials, scheme = values.scheme,
  }
  check_gravity("simulation", world, gravity)
  for _, kind in ipairs(boundary) do inner.has_walls = inner.has_walls or kind == constants.boundary_wall end
  function inner.guard(call, when)
    if when ~= false and inner.in_callback then
      check.fail(call, "is not allowed inside a callback, because a checkpoint could not restore it")
    end
  end
  inner.desired = values.scheme and values.scheme.velocity
  if inner.desired and values.a_priori then
    check.fail("simulation", "a_priori is not supported under the scheme first_order; its velocity is one, and inelastic and gluey take another")
  end
  laws.set_desired(inner)
  if values.a_priori then laws.set_a_priori(inner, values.a_priori) end
  keep.begin(inner)
  inner.slow = gap.slow(inner, replay)
  simulation.adopt(inner, one)
  local noted = {} -- who raises the limit may resume
  for key, value in pairs(given) do
    if key ~= "work_limit" then noted[key] = value end
  end
  setup.note(inner, "simulation", noted)
  return wrap(inner)
end

function simulation.inner_of(sim, call) return inner_of(sim, call) end

-- ---- computed fields ----------------------------------------------------------------------------

-- While a checkpoint is replayed, runs are skipped: the step and the time are those that the log has.
function readers.step(inner)
  if inner.shown then return inner.shown.step end
  return (core.clock(inner.world))
end

function readers.time(inner)
  if inner.shown then return inner.shown.time end
  return (select(2, core.clock(inner.world)))
end

function readers.dimension(inner) return inner.dimension end
-- The domain as it is; nil without one. Cells that never deformed need no engine.
function readers.domain(inner)
  if not inner.domain then return nil end
  return replay.after_runs(inner, "sim.domain", function() return core.cell(inner.world) end)
end

function readers.gravity(inner) return inner.gravity end
function readers.state(inner) return inner.state end
function readers.time_step(inner) return core.info(inner.world).time_step end
function readers.count(inner) return core.info(inner.world).particle_count end
function readers.up(inner) return up.of(inner) end
function readers.threads(inner) return core.info(inner.world).threads end
function readers.seed(inner) return core.info(inner.world).seed end

readers.bodies = bodies.present

local function field_named(call, name)
  for _, field in ipairs(declarations[call]) do
    if field.name == name then return field end
  end
end

function writers.gravity(inner, value)
  inner.guard("sim.gravity", type(value) == "function")
  value = check.value("sim.gravity", field_named("simulation", "gravity"), value, inner.dimension)
  check_gravity("sim.gravity", inner.world, value)
  inner.gravity = value
  inner.applied_gravity = {}
  setup.note(inner, "sim.gravity =", value)
end

function writers.time_step(inner, value)
  value = check.value("sim.time_step", field_named("simulation", "time_step"), value)
  local ok, message = core.set_time_step(inner.world, value)
  if not ok then check.fail("sim.time_step", "%s", message) end
end

function writers.threads(inner, value)
  value = check.value("sim.threads", field_named("simulation", "threads"), value)
  local ok, message = core.set_threads(inner.world, inner.session.threads or value)
  if not ok then check.fail("sim.threads", "%s", message) end
end

function writers.state(inner, value)
  if type(value) ~= "table" then
    check.fail("sim.state", "is assigned %s; it must be a table of plain data", check.show(value))
  end
  inner.state = value
end

-- ---- set-up -------------------------------------------------------------------------------------

function methods.add_particle(sim, given)
  return particles.add_one(inner_of(sim, "add_particle"), sim, given)
end

function methods.add_particles(sim, given)
  return particles.add_many(inner_of(sim, "add_particles"), sim, given)
end

local function is_reserved(name) return methods[name] or readers[name] or name == "id" or name == "t" end

function methods.remove_particle(sim, id)
  particles.remove_one(inner_of(sim, "remove_particle"), id)
end

function methods.remove(sim, given)
  return particles.remove_many(inner_of(sim, "remove"), given, laws.parameter_names)
end

function methods.add_outlet(sim, given)
  local inner = inner_of(sim, "add_outlet")
  inner.guard("add_outlet")
  return streams.add_outlet(inner, given)
end

function methods.add_inlet(sim, given)
  local inner = inner_of(sim, "add_inlet")
  inner.guard("add_inlet")
  return streams.add_inlet(inner, given, readers.time(inner))
end

function methods.deform(sim, given)
  local inner = inner_of(sim, "deform")
  inner.guard("deform")
  cell.deform(inner, given)
end

function methods.ids(sim) return core.particle_ids(inner_of(sim, "ids").world) end

function methods.add_attribute(sim, name, initial)
  local inner = inner_of(sim, "add_attribute")
  inner.guard("add_attribute")
  name, initial = check.arguments("sim.add_attribute", name, initial)
  if not name:find("^[%a_][%w_]*$") then check.fail("add_attribute", "name is %s; it must be a word", check.show(name)) end
  if is_reserved(name) then
    check.fail("add_attribute", "the name %s is reserved: sim.%s has another meaning", name, name)
  end
  local ok, message = core.add_attribute(inner.world, name, initial)
  if not ok then check.fail("add_attribute", "%s", message) end
  laws.set_desired(inner)
end

function methods.add_body(sim, given)
  local inner = inner_of(sim, "add_body")
  inner.guard("add_body")
  local body = bodies.add(inner, given)
  inner.bodies[#inner.bodies + 1] = body
  return body
end

function methods.remove_body(sim, body)
  local inner = inner_of(sim, "remove_body")
  bodies.remove(inner, body, readers.step(inner))
end

function methods.add_joint(sim, given)
  local inner = inner_of(sim, "add_joint")
  inner.guard("add_joint")
  return assemblies.add_joint(inner, given)
end

function methods.add_assembly(sim, given)
  local inner = inner_of(sim, "add_assembly")
  inner.guard("add_assembly")
  return assemblies.add(inner, given)
end

for _, name in ipairs { "add_field", "add_force", "add_wall_force", "add_angle_force", "add_evolution", "add_attraction", "add_long_range",
  "add_noise", "add_flow", "set_a_priori" } do
  methods[name] = function(sim, given)
    local inner = inner_of(sim, name)
    inner.guard(name)
    return laws[name](inner, given)
  end
end

function methods.add_many_body(sim, given)
  local inner = inner_of(sim, "add_many_body")
  inner.guard("add_many_body")
  local taken = {}
  for _, name in ipairs(core.column_names(inner.world)) do taken[name] = true end
  return laws.add_many_body(inner, given, function(name) return not taken[name] and not is_reserved(name) end)
end

-- Prints how a law is computed, and returns the text.
function methods.explain(sim, law)
  inner_of(sim, "explain")
  local text = laws.explanation(law)
  io.stdout:write(text)
  return text
end

-- Greatest overlap of particles with each other and with bodies, in radii of the smaller one.
function methods.check_overlap(sim)
  local inner = inner_of(sim, "check_overlap")
  return replay.after_runs(inner, "check_overlap", function()
    local worst, message = core.check_overlap(inner.world)
    if not worst then check.fail("check_overlap", "%s", message) end
    return worst
  end)
end

-- ---- running ------------------------------------------------------------------------------------

function methods.every(sim, steps, fn)
  local inner = inner_of(sim, "every")
  inner.guard("every")
  steps, fn = check.arguments("sim.every", steps, fn)
  inner.callbacks[#inner.callbacks + 1] = interval.callback(steps, fn)
end

function methods.run(sim, given)
  local inner = inner_of(sim, "run")
  laws.set_desired(inner, true)
  return runner.run(inner, sim, given)
end

function methods.checkpoint(sim, given)
  return runner.checkpoint(inner_of(sim, "checkpoint"), given)
end

function methods.record_problem(sim, path)
  problem.record(inner_of(sim, "record_problem"), path)
end

function methods.observe(sim, given)
  local inner = inner_of(sim, "observe")
  inner.guard("observe")
  observe.add(inner, given)
end

function methods.record(sim, given)
  local inner = inner_of(sim, "record")
  inner.guard("record")
  movie.record(inner, given)
end

for _, name in ipairs { "write_vtp", "write_xyz" } do
  methods[name] = function(sim, given)
    local inner = inner_of(sim, name)
    inner.guard(name)
    export[name](inner, given)
  end
end

-- ---- looking ------------------------------------------------------------------------------------

function methods.hash(sim)
  local inner = inner_of(sim, "hash")
  return runner.logged(inner, "hash", function()
    local value, message = core.hash(inner.world)
    if value == nil then check.fail("hash", "%s", message) end
    return value
  end)
end

function methods.sum(sim, fn)
  local inner = inner_of(sim, "sum")
  return runner.logged_call(inner, "sum", { fn }, function() return columns.sum(inner.world, fn, laws.parameter_names) end)
end

function methods.map(sim, names, fn)
  local inner = inner_of(sim, "map")
  columns.map(inner.world, names, fn, laws.parameter_names, function(inputs) gap.touch(inner, inputs, replay) end)
end

-- Contacts in a log are one list of numbers: tables in tables cost more to copy, and to keep, than to make.
local contact_numbers, contact_vectors = { "id_i", "id_j", "body", "shape", "distance", "impulse", "gamma" }, { "point", "normal", "friction" }

local function pack_contacts(list)
  local axes = list[1] and #list[1].point or 2
  local packed, at = { axes, moments = true }, 1
  for _, contact in ipairs(list) do
    for k = 1, #contact_numbers do packed[at + k] = contact[contact_numbers[k]] end
    at = at + #contact_numbers
    for k = 1, #contact_vectors do
      local vector = contact[contact_vectors[k]]
      for axis = 1, axes do packed[at + axis] = vector[axis] end
      at = at + axes
    end
    local moment = contact.moment
    if axes == 2 then moment = { moment } end
    for k = 1, #moment do packed[at + k] = moment[k] end
    at = at + #moment
  end
  return packed
end

local function unpack_contacts(packed)
  local list, axes, at = {}, packed[1], 1
  while at < #packed do
    local contact = {}
    for k = 1, #contact_numbers do contact[contact_numbers[k]] = packed[at + k] end
    at = at + #contact_numbers
    for k = 1, #contact_vectors do
      local vector = {}
      for axis = 1, axes do vector[axis] = packed[at + axis] end
      contact[contact_vectors[k]] = vector
      at = at + axes
    end
    if packed.moments then -- older checkpoints have none
      contact.moment = axes == 2 and packed[at + 1] or { packed[at + 1], packed[at + 2], packed[at + 3] }
      at = at + (axes == 2 and 1 or 3)
    end
    list[#list + 1] = contact
  end
  return list
end

-- The contacts of the last step. body is the body's handle; id_j is nil then.
function methods.contacts(sim)
  local inner = inner_of(sim, "contacts")
  local list = replay.after_runs(inner, "contacts", function()
    local found, message = core.contacts(inner.world)
    if not found then check.fail("contacts", "%s", message) end
    return found
  end, pack_contacts, unpack_contacts)
  local by_number = {}
  for _, body in ipairs(inner.bodies) do by_number[body.number] = body end
  for _, contact in ipairs(list) do
    if contact.body >= 0 then
      contact.id_j, contact.shape = nil, contact.shape + 1
      contact.body = by_number[contact.body]
    else
      contact.body, contact.shape = nil, nil
    end
  end
  return list
end

-- sim:picture "run.png" or sim:picture { path = "run.png", colour = "speed" }: the simulation as it is now.
function methods.picture(sim, given)
  picture.draw(inner_of(sim, "picture"), sim, given)
end

-- What the last step and all steps so far were like; see floc_step_report in floc.h.
function methods.report(sim)
  local inner = inner_of(sim, "report")
  return replay.after_runs(inner, "report", function() return core.report(inner.world) end)
end

-- Names of all columns: x, y, ..., and the attributes.
function methods.columns(sim)
  return core.column_names(inner_of(sim, "columns").world)
end

for _, room in ipairs { "floc.simulation.ballistic", "floc.simulation.elements", "floc.simulation.measures", "floc.simulation.pairs", "floc.output.merges", "floc.simulation.bonds",
  "floc.simulation.rays" } do
  for name, method in pairs(require(room).methods(inner_of)) do methods[name] = method end
end

check.strict_all(methods, 1)
for _, name in ipairs(setup.calls) do methods[name] = setup.noting(name, methods[name], inner_of) end
simulation.methods = methods
simulation.readers = readers
simulation.writers = writers

return simulation
