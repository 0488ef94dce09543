-- Adding particles: radii as a number, a range or a distribution; mass or density; attributes. Removing particles.

local cell = require "floc.simulation.cell"
local check = require "floc.surface.check"
local columns = require "floc.surface.columns"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local gap = require "floc.session.gap"
local materials = require "floc.simulation.materials"
local regions = require "floc.simulation.regions"
local replay = require "floc.session.replay"
local selection = require "floc.simulation.columns"
local shapes = require "floc.simulation.shapes"
local surface = require "floc.surface.structs"

local constants = surface.constants
local particles = {}

local distributions = {}
for k, word in ipairs(surface.enums.distribution) do distributions[k] = word[1] end
local radius_keys = { "lower", "upper", "distribution", "mean", "deviation" }

check.types.radii = {
  takes = "table",
  describe = function() return "{ lower, upper } or { distribution = ..., lower =, upper =, mean =, deviation = }" end,
  convert = function(_, value) return value end,
}

local function positive(name, value)
  return check.value("add_particles", { name = name, type = "number", above = 0 }, value)
end

-- { 0.1, 0.2 } or { lower = 0.1, upper = 0.2, distribution = ... } as insertion options.
local function set_radii(radius, options)
  if type(radius) == "number" then
    options.radius_lower, options.radius_upper = radius, radius
    options.distribution = constants.distribution_uniform
    return
  end
  for key in pairs(radius) do
    local is_known = key == 1 or key == 2
    for _, name in ipairs(radius_keys) do is_known = is_known or name == key end
    if not is_known then
      check.fail("add_particles", "unknown parameter radius.%s%s", tostring(key), check.suggestion(key, radius_keys))
    end
  end
  local word = check.value("add_particles", { name = "radius.distribution", type = "choice", one_of = distributions },
    radius.distribution or "uniform")
  options.distribution = constants["distribution_" .. word]
  local listed = radius[1] ~= nil
  options.radius_lower = positive(listed and "radius[1]" or "radius.lower", listed and radius[1] or radius.lower)
  options.radius_upper = positive(listed and "radius[2]" or "radius.upper", listed and radius[2] or radius.upper)
  if options.radius_upper < options.radius_lower then
    check.fail("add_particles", "radius is %s to %s; the second must be at least the first",
      check.show(options.radius_lower), check.show(options.radius_upper))
  end
  if word == "normal" or word == "lognormal" then
    options.radius_mean = positive("radius.mean", radius.mean)
    options.radius_deviation = positive("radius.deviation", radius.deviation)
  elseif radius.mean or radius.deviation then
    check.fail("add_particles", "radius.%s is given; it belongs to the distributions normal and lognormal",
      radius.mean and "mean" or "deviation")
  end
end

-- Checked attributes: { name = number or function }.
local function check_attributes(call, world, given, functions)
  local known, is_known = columns.with_former(core.column_names(world)), {}
  for _, name in ipairs(known) do is_known[name] = true end
  for name, value in pairs(given or {}) do
    if not is_known[name] then
      check.fail(call, "there is no attribute %s%s; sim:add_attribute makes one", tostring(name),
        check.suggestion(name, known))
    end
    check.value(call, { name = "attributes." .. name, type = functions and "number|function" or "number",
      signature = "of the id" }, value)
  end
end

local function sorted_names(given)
  local names = {}
  for name in pairs(given or {}) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function set_attributes(sim, given, first, last)
  for _, name in ipairs(sorted_names(given)) do
    local value, column = given[name], sim[name]
    for id = first, last do
      local number = value
      if type(value) == "function" then
        number = value(id)
        if type(number) ~= "number" or number - number ~= 0 then
          check.fail("add_particles", "attributes.%s returned %s for particle %d; it must return a finite number", name, check.show(number), id)
        end
      end
      column[id] = number
    end
  end
end

-- The column material is there from the first particle on that has one. A resume, which skips runs, would not make it in one.
local function need_material(call, inner)
  for _, name in ipairs(core.column_names(inner.world)) do
    if name == "material" then return end
  end
  if inner.running then
    check.fail(call, "material is given in a run, and no particle before it had one; write sim:add_attribute(\"material\", 0) before the run")
  end
  local ok, message = core.add_attribute(inner.world, "material", 0)
  if not ok then check.fail(call, "%s", message) end
end

local function set_material(call, inner, sim, given, first, last)
  if given == nil then return end
  local number = materials.number(call, inner, given)
  need_material(call, inner)
  local column = sim.material
  for id = first, last do column[id] = number end
end

-- Number and area of a shape of grains. A resume, which skips runs, would not make one that is new in a run.
local function grain_shape(call, inner, given)
  if given == nil then return nil end
  local number, area = shapes.grain(call, inner, given)
  if not inner.running then
    inner.grain_shapes = math.max(inner.grain_shapes or 0, number)
  elseif number > (inner.grain_shapes or 0) then
    check.fail(call, "shape is new in a run; give a grain or an inlet this shape before the run")
  end
  return number, area
end

-- The shortest rotation from x to the axis, as w, x, y, z of any length.
local function rotation_to(call, axis)
  local x, y, z = axis[1], axis[2], axis[3]
  local length = math.sqrt(x * x + y * y + z * z)
  if not (length > 0) then check.fail(call, "axis is 0; it must have a direction") end
  if x < 0 and y == 0 and z == 0 then return { 0, 0, 0, 1 } end
  return { length + x, 0, -z, y }
end

-- axis or orientation, which only grains in space that are not round have.
local function set_orientation(call, inner, values, options)
  options.orientation = nil
  local name = check.exclusive(call, values, "axis", "orientation")
  if not name then return end
  if inner.dimension == 2 then check.fail(call, "%s is given; in two dimensions the orientation of a shape is angle", name) end
  if not values.shape then check.fail(call, "%s is given without a shape, which is what it turns", name) end
  if values.axis then
    options.orientation = rotation_to(call, values.axis)
    return
  end
  local given, own, square = values.orientation, {}, 0
  for key in pairs(given) do
    if not (key == 1 or key == 2 or key == 3 or key == 4) then
      check.fail(call, "orientation has the key %s; it must be a quaternion { w, x, y, z }", tostring(key))
    end
  end
  for k = 1, 4 do
    if given[k] == nil then check.fail(call, "orientation has %d numbers; it must be a quaternion { w, x, y, z }", #given) end
    own[k] = check.value(call, { name = "orientation[" .. k .. "]", type = "number" }, given[k])
    square = square + own[k] ^ 2
  end
  if square == 0 then check.fail(call, "orientation is 0, 0, 0, 0; it must be a quaternion other than 0") end
  options.orientation = own
end

-- One angle or { lower, upper }.
local function set_angles(call, angle, options, inner)
  if inner.dimension == 3 then
    if angle ~= nil then check.fail(call, "angle is given; in three dimensions the orientation of shapes is axis, or orientation") end
    return
  end
  if angle == nil then
    options.angle_lower, options.angle_upper = 0, options.shape and 2 * math.pi
    return
  end
  local pair = type(angle) == "table" and angle or { angle, angle }
  for key in pairs(pair) do
    if key ~= 1 and key ~= 2 then check.fail(call, "angle has the key %s; it must be { lower, upper }", tostring(key)) end
  end
  for k = 1, 2 do
    local name = type(angle) == "table" and "angle[" .. k .. "]" or "angle"
    if pair[k] == nil then check.fail(call, "%s is missing; angle must be a number or { lower, upper }", name) end
    pair[k] = check.value(call, { name = name, type = "number" }, pair[k])
  end
  if pair[2] < pair[1] then
    check.fail(call, "angle is %s to %s; the second must be at least the first", check.show(pair[1]), check.show(pair[2]))
  end
  options.angle_lower, options.angle_upper = pair[1], pair[2]
end

local function ball_volume(radius, dimension)
  return dimension == 2 and math.pi * radius ^ 2 or 4 / 3 * math.pi * radius ^ 3
end

-- ---- where particles were added -----------------------------------------------------------------

local line_level -- of the script's frame, seen from note_line

local function find_level()
  local level = 3
  while true do
    local info = debug.getinfo(level, "Sl")
    if not info then return nil end
    if info.currentline > 0 and info.source:sub(1, 6) ~= "=floc/" then return level - 1 end
    level = level + 1
  end
end

-- Remembers lines, each with the first id that was added there, until the next step. The frame is looked at by its number,
-- and closely only where the line is another than that before.
local function note_line(inner, id)
  local info, added = line_level and debug.getinfo(line_level, "l"), inner.added
  if info and info.currentline == added.line then return end
  info = line_level and debug.getinfo(line_level, "Sl")
  if not info or info.currentline <= 0 or info.source:sub(1, 6) == "=floc/" then
    line_level = find_level()
    info = line_level and debug.getinfo(line_level, "Sl")
    if not info then return end
  end
  added.line = info.currentline
  added[#added + 1] = id
  added[#added + 1] = string.format("%s:%d", info.short_src, info.currentline)
end

local function line_of(inner, id)
  local found
  for k = 1, #inner.added, 2 do
    if inner.added[k] <= id then found = inner.added[k + 1] end
  end
  return found
end

-- Behind a message about overlapping particles: where they come from.
function particles.lines_note(inner, message)
  local parts, first, second = {}, message:match "particles (%d+) and (%d+)"
  for _, id in ipairs { first or message:match "particle (%d+) lies" or "0", second } do
    local line = line_of(inner, tonumber(id))
    if line then parts[#parts + 1] = string.format("%s was added at %s", id, line) end
  end
  return #parts > 0 and " (" .. table.concat(parts, ", ") .. ")" or ""
end

function particles.add_one(inner, sim, given)
  local values = check.table(declarations.add_particle, given, inner.dimension)
  check.exclusive("add_particle", values, "mass", "density")
  check_attributes("add_particle", inner.world, values.attributes, false)
  local number, area = grain_shape("add_particle", inner, values.shape)
  area = area and area * values.radius ^ inner.dimension or ball_volume(values.radius, inner.dimension)
  local mass = values.mass or values.density and values.density * area
  local options = surface.for_engine("sim.add_particle", values)
  options.shape = number
  set_orientation("add_particle", inner, values, options)
  options.mass = mass
  local id, message = core.add_particle(inner.world, options)
  if not id then check.fail("add_particle", "%s", message) end
  note_line(inner, id)
  set_attributes(sim, values.attributes, id, id)
  set_material("add_particle", inner, sim, values.material, id, id)
  return id
end

-- During a replay, after a skipped run, the particles stand where they started, so that a region may be
-- taken that was free in the run. Only their number matters then: their state comes from the checkpoint.
local function add_placeholders(inner, count)
  local first
  for _ = 1, count do
    local id, message = core.add_particle(inner.world, { radius = 1 })
    if not id then check.fail("add_particles", "%s", message) end
    first = first or id
  end
  return first
end

-- Options of the engine for particles in a region, and the function of the region; values as sim:add_particles takes them.
function particles.prepare(call, inner, values)
  check.exclusive(call, values, "mass", "density")
  check_attributes(call, inner.world, values.attributes, true)
  local region = values.region or inner.domain and cell.region(inner)
  if not region then check.fail(call, "region is missing; it must be a region such as floc.box{...}") end
  local options = surface.for_engine("sim." .. call, values)
  options.shape = grain_shape(call, inner, values.shape)
  set_angles(call, values.angle, options, inner)
  set_orientation(call, inner, values, options)
  if values.material ~= nil then
    materials.number(call, inner, values.material)
    need_material(call, inner)
  end
  if values.density then options.mass = 0 end
  set_radii(values.radius, options)
  local within = regions.set(call, inner.world, region, inner.dimension, options)
  options.place = "the region"
  return options, within
end

-- The first id; nil, the engine's message and its status where there is no room.
function particles.insert(call, inner, sim, values, options, within)
  local first, message, status
  if inner.shown then
    first = add_placeholders(inner, options.count)
  else
    first, message, status = core.insert(inner.world, options, within)
  end
  if not first then return nil, message, status end
  set_attributes(sim, values.attributes, first, first + options.count - 1)
  set_material(call, inner, sim, values.material, first, first + options.count - 1)
  return first
end

function particles.add_many(inner, sim, given)
  local values = check.table(declarations.add_particles, given, inner.dimension)
  local options, within = particles.prepare("add_particles", inner, values)
  local first, message = particles.insert("add_particles", inner, sim, values, options, within)
  if not first then check.fail("add_particles", "%s", message) end
  return first, first + values.count - 1
end

-- ---- removal ------------------------------------------------------------------------------------

-- The engine refuses them all if one is not there. What a script has read of columns since the last run is noted again: a replay fills
-- columns with as many numbers as there are particles.
function particles.remove(call, inner, ids)
  local ok, message = core.remove_particles(inner.world, ids)
  if not ok then check.fail(call, "%s", message) end
  if inner.running and #ids > 0 then inner.removed_in_run = true end
  if inner.gap and #ids > 0 then gap.open(inner) end
end

local function check_ids(call, list)
  for k, id in ipairs(list) do
    if type(id) ~= "number" or id % 1 ~= 0 or not (math.abs(id) < 2 ^ 53) then
      check.fail(call, "particles[%d] is %s; it must be an id", k, check.show(id))
    end
  end
  for key in pairs(list) do
    if type(key) ~= "number" or key % 1 ~= 0 or key < 1 or key > #list then
      check.fail(call, "particles has the key %s; it must be a list of ids", check.show(key))
    end
  end
  return list
end

local function both(one, other)
  if not one or not other then return one or other end
  local is_there, common = {}, {}
  for _, id in ipairs(other) do is_there[id] = true end
  for _, id in ipairs(one) do
    if is_there[id] then common[#common + 1] = id end
  end
  return common
end

local function ids_within(call, inner, region)
  local contains, lower, upper = regions.contains(call, inner.world, region, inner.dimension)
  local found, ids = core.particles_between(inner.world, lower, upper), {}
  for k = 1, #found, 4 do
    if contains(found[k + 1], found[k + 2], found[k + 3]) then ids[#ids + 1] = found[k] end
  end
  return ids
end

function particles.remove_one(inner, id)
  particles.remove("remove_particle", inner, { (check.arguments("sim.remove_particle", id)) })
end

function particles.remove_many(inner, given, parameter_names)
  local values = check.table(declarations.remove, given)
  if not (values.region or values.where or values.particles) then
    check.fail("remove", "region is missing; give a region, where, or particles")
  end
  local functions = { values.where }
  local ids = replay.logged_call(inner, "remove", functions, function()
    local found = values.particles and check_ids("remove", values.particles)
    if values.region then found = both(found, ids_within("remove", inner, values.region)) end
    if values.where then found = both(found, selection.select("remove", inner.world, values.where, parameter_names)) end
    return found
  end)
  particles.remove("remove", inner, ids)
  return #ids
end

return particles
