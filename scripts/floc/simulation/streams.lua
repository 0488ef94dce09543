-- Inlets and outlets: particles that come and go after each step, before callbacks are called. Outlets take particles away first,
-- in the order in which they were added; then inlets put particles where there is space.
--
-- How many have come of an inlet is compared with what should have come since it opened, so fractions are carried over without
-- rounding, and what found no place comes later. Radii and places are drawn by the engine, from the seed of the simulation and the
-- particle's id: a particle that has to wait keeps its radius, so that large ones are not passed over.
--
-- What has passed is in checkpoints and, for what a script reads between runs, in the log of runs (replay.lua).

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local interval = require "floc.session.interval"
local known = require "floc.session.known"
local particles = require "floc.simulation.particles"
local regions = require "floc.simulation.regions"
local warnings = require "floc.session.warnings"

local streams = {}

-- ---- what scripts hold --------------------------------------------------------------------------

local meta = { __name = "floc.stream", floc_name = "stream" }
local readers = {}

function readers.count(record) return record.tally.count end
function readers.mass(record) return record.tally.mass end
function readers.waiting(record) return record.tally.waiting end

-- By number; particles without a material have 0.
function readers.materials(record)
  local copy = {}
  for number, passed in next, record.tally.materials do copy[number] = { count = passed.count, mass = passed.mass } end
  return copy
end

function meta.__index(self, key)
  local read = readers[key]
  if read then return read(check.record(self, "stream")) end
  local names = {}
  for name in next, readers do names[#names + 1] = name end
  check.fail("stream", "there is no %s%s", tostring(key), check.suggestion(key, names))
end

function meta.__newindex(_, key) check.fail("stream", "%s cannot be assigned", tostring(key)) end

function meta.__tostring(self) return "floc." .. check.record(self, "stream").kind end

local function make(inner, record)
  inner.streams, inner.stream_objects = inner.streams or {}, inner.stream_objects or {}
  local number = #inner.streams + 1
  record.tally = { count = 0, mass = 0, waiting = 0, materials = {} }
  record.place = check.where():gsub(":%s*$", "")
  inner.streams[number] = record
  local object = check.object({}, meta, record)
  known.know(object, inner, "stream " .. number)
  inner.stream_objects[number] = object
  return object
end

local function note(inner, tally, ids)
  local has_material = false
  for _, name in ipairs(core.column_names(inner.world)) do has_material = has_material or name == "material" end
  for _, id in ipairs(ids) do
    local mass = core.column_element(inner.world, "mass", id)
    local number = has_material and core.column_element(inner.world, "material", id) or 0
    local passed = tally.materials[number] or { count = 0, mass = 0 }
    tally.materials[number] = passed
    passed.count, passed.mass = passed.count + 1, passed.mass + mass
    tally.count, tally.mass = tally.count + 1, tally.mass + mass
  end
end

-- ---- outlets ------------------------------------------------------------------------------------

function streams.add_outlet(inner, given)
  local values = check.table(declarations.add_outlet, given, inner.dimension)
  local contains, lower, upper = regions.contains("add_outlet", inner.world, values.region, inner.dimension)
  return make(inner, { kind = "outlet", every = interval.of("add_outlet", values.every), contains = contains, lower = lower, upper = upper })
end

local function let_out(inner, record)
  local found, ids = core.particles_between(inner.world, record.lower, record.upper), {}
  for k = 1, #found, 4 do
    if record.contains(found[k + 1], found[k + 2], found[k + 3]) then ids[#ids + 1] = found[k] end
  end
  if #ids == 0 then return end
  local passed = { count = 0, mass = 0, materials = {} } -- if the engine refuses, none has passed
  note(inner, passed, ids)
  particles.remove("add_outlet", inner, ids)
  local tally = record.tally
  tally.count, tally.mass = tally.count + passed.count, tally.mass + passed.mass
  for number, part in next, passed.materials do
    local all = tally.materials[number] or { count = 0, mass = 0 }
    tally.materials[number] = { count = all.count + part.count, mass = all.mass + part.mass }
  end
end

-- ---- inlets -------------------------------------------------------------------------------------

function streams.add_inlet(inner, given, now)
  local values = check.table(declarations.add_inlet, given, inner.dimension)
  if not check.exclusive("add_inlet", values, "rate", "mass_rate") then
    check.fail("add_inlet", "rate is missing; give rate or mass_rate")
  end
  local options, within = particles.prepare("add_inlet", inner, values)
  local start = values.start or now
  if values.until_ and values.until_ <= start then
    check.fail("add_inlet", "until_ is %s; the inlet opens at %s", check.show(values.until_), check.show(start))
  end
  return make(inner, { kind = "inlet", values = values, options = options, within = within, start = start })
end

-- Particles that are due now: by their number, or one at a time while mass is due.
local function due(record, time)
  local values, tally = record.values, record.tally
  local elapsed = math.min(time, values.until_ or math.huge) - record.start
  local left = (values.limit or math.huge) - tally.count
  if elapsed < 0 or left <= 0 then return 0 end
  if values.rate then return math.min(math.floor(values.rate * elapsed) - tally.count, left) end
  return tally.mass < values.mass_rate * elapsed and 1 or 0
end

-- True: they were put; false: there is no room.
local function put(inner, sim, record, count)
  local options = record.options
  options.count = count
  local first, message, status = particles.insert("add_inlet", inner, sim, record.values, options, record.within)
  if first then
    local ids = {}
    for k = 1, count do ids[k] = first + k - 1 end
    note(inner, record.tally, ids)
    return true
  end
  if status ~= "no room" then check.fail("add_inlet", "%s", message) end
  return false
end

-- Together, or if there is no room for all, one after the other.
local function let_in(inner, sim, record, step, time)
  local wanted, fits = due(record, time), true
  if wanted > 1 and put(inner, sim, record, wanted) then wanted = due(record, time) end
  while wanted > 0 and fits do
    fits = put(inner, sim, record, 1)
    wanted = due(record, time)
  end
  record.tally.waiting = wanted
  if wanted == 0 then return end
  warnings.tell(inner.session, inner.number, string.format("%s: the inlet found no place for a particle after step %d; %d of %d have come",
    record.place, step, record.tally.count, record.tally.count + wanted), "no place in " .. record.place)
end

-- ---- after a step -------------------------------------------------------------------------------

function streams.flow(inner, sim, step, time)
  for _, record in ipairs(inner.streams or {}) do
    if record.kind == "outlet" and interval.is_due(record.every, inner, step, time) then let_out(inner, record) end
  end
  for _, record in ipairs(inner.streams or {}) do
    if record.kind == "inlet" then let_in(inner, sim, record, step, time) end
  end
end

return streams
