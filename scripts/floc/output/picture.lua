-- sim:picture and floc.panels: what a script says about a picture, as scenes for the C half.

local check = require "floc.surface.check"
local columns = require "floc.surface.columns"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local drawing = require "floc.output.drawing"
local replay = require "floc.session.replay"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"
local surface = require "floc.surface.structs"
local up = require "floc.simulation.up"

local picture = {}

-- ---- what colours the particles -----------------------------------------------------------------

local function speeds(sim)
  local vx, vy, vz = sim.vx, sim.vy, sim.vz
  local list = {}
  for k, id in ipairs(sim:ids()) do list[k] = math.sqrt(vx[id] ^ 2 + vy[id] ^ 2 + vz[id] ^ 2) end
  return list
end

local function values_of(call, name, sim, fn)
  local list = {}
  for k, id in ipairs(sim:ids()) do
    local value = fn(id)
    if type(value) ~= "number" then
      check.fail(call, "%s returned %s for particle %d; it must return a number", name, check.show(value), id)
    end
    list[k] = value
  end
  return list
end

local function check_column(call, world, name, value, extra)
  local known = columns.with_former(core.column_names(world))
  for _, column in ipairs(known) do
    if column == value then return end
  end
  known[#known + 1] = extra
  check.fail(call, "%s is %s, which is no column%s", name, check.show(value), check.suggestion(value, known))
end

local function set_colour(call, inner, sim, values, scene)
  local colour = values.colour
  if type(colour) == "function" then
    scene.values = values_of(call, "colour", sim, colour)
  elseif colour == "speed" then
    scene.values = speeds(sim)
  elseif colour then
    check_column(call, inner.world, "colour", colour, "speed")
    scene.value_column = colour
  end
  if type(values.group) == "function" then
    scene.group = values_of(call, "group", sim, values.group)
  elseif values.group then
    check_column(call, inner.world, "group", values.group)
    local column = sim[values.group]
    scene.group = values_of(call, "group", sim, function(id) return column[id] end)
  end
end

local function check_range(call, range)
  for k = 1, 2 do
    if type(range[k]) ~= "number" then check.fail(call, "range[%d] is %s; it must be a number", k, check.show(range[k])) end
  end
  if not (range[1] < range[2]) then
    check.fail(call, "range[2] is %s; it must be above range[1], which is %s", check.show(range[2]), check.show(range[1]))
  end
end

local function scale_of(call, values, label)
  local range = values.range or {}
  if values.range then check_range(call, range) end
  return { map = values.map, logarithmic = values.logarithmic, legend = values.legend, lower = range[1],
    upper = range[2], label = values.label or label, unit = values.unit }
end

-- ---- a field under the particles -------------------------------------------------------------------

local function pair_of_numbers(call, field, name)
  local pair = field[name]
  for axis = 1, 2 do
    local value = type(pair) == "table" and pair[axis]
    if type(value) ~= "number" or value ~= value or math.abs(value) == math.huge then
      check.fail(call, "field.%s is %s; it must be a list of 2 finite numbers, as sim:coarse_grain returns it", name, check.show(pair))
    end
  end
  return pair
end

-- The list that is drawn, checked: as many numbers as cells.
local function list_of(call, field, name, count)
  local list = field[name]
  if type(list) ~= "table" or name == "cells" or name == "lower" or name == "spacing" then
    local known = {}
    for key, value in pairs(field) do
      if type(key) == "string" and type(value) == "table" and key ~= "cells" and key ~= "lower" and key ~= "spacing" then known[#known + 1] = key end
    end
    table.sort(known)
    check.fail(call, "quantity is %s, which is no list of the field%s", check.show(name), check.suggestion(name, known))
  end
  if #list ~= count then check.fail(call, "field.%s has %d numbers; it must have one for each cell, %d", name, #list, count) end
  for cell = 1, count do
    if type(list[cell]) ~= "number" then check.fail(call, "field.%s[%d] is %s; it must be a number", name, cell, check.show(list[cell])) end
  end
  return list
end

-- The cells of the grid, checked.
local function grid_of(call, field)
  local cells, lower, spacing = pair_of_numbers(call, field, "cells"), pair_of_numbers(call, field, "lower"), pair_of_numbers(call, field, "spacing")
  for axis = 1, 2 do
    if cells[axis] ~= math.floor(cells[axis]) or cells[axis] < 1 or cells[axis] > 1e7 then
      check.fail(call, "field.cells[%d] is %s; it must be an integer, 1 to 10000000", axis, check.show(cells[axis]))
    end
    if not (spacing[axis] > 0) then check.fail(call, "field.spacing[%d] is %s; it must be above 0", axis, check.show(spacing[axis])) end
  end
  return { cells_x = cells[1], cells_y = cells[2], lower = { lower[1], lower[2] }, spacing = { spacing[1], spacing[2] } }
end

-- Into the scene; the label of its colours, or nil.
local function set_field(call, inner, sim, values, scene)
  local field, name = values.field, values.quantity or "density"
  if not field then return nil end
  if inner.dimension ~= 2 then
    check.fail(call, "field is given, but it applies to two dimensions only; the simulation has %d (sim:coarse_grain { path = } writes it for ParaView)", inner.dimension)
  end
  if type(field) == "function" then
    field = field(sim)
    if type(field) ~= "table" then check.fail(call, "field returned %s; it must return a table, as sim:coarse_grain does", check.show(field)) end
  end
  local grid = grid_of(call, field)
  scene.field_grid, scene.field = grid, list_of(call, field, name, grid.cells_x * grid.cells_y)
  if not (values.colour or values.group or values.tubes) then scene.particle_opacity = 0 end
  return (name:gsub("_", " "))
end

-- ---- scenes -------------------------------------------------------------------------------------

local function set_domain(inner, scene)
  scene.boundary = inner.boundary
  if inner.domain then -- on an open axis it is what the script gave
    local now, lower, upper = core.cell(inner.world), {}, {}
    for axis = 1, inner.dimension do
      local from = inner.boundary[axis] == surface.constants.boundary_open and inner.domain or now
      lower[axis], upper[axis] = from.lower[axis], from.upper[axis]
    end
    scene.domain_lower, scene.domain_upper = lower, upper
    scene.domain_offset, scene.shear_plane = now.offset, surface.constants["shear_plane_" .. now.shear_plane]
  end
  scene.first_body = inner.has_walls and 1 or 0
end

-- The values with a window in which the cell is and stays: the domain's at the start, larger where the cell has grown since.
-- A sheared cell leans to either side by up to half of its length.
function picture.window_of_cell(inner, values)
  local now, lower, upper = core.cell(inner.world), {}, {}
  for axis = 1, inner.dimension do
    local closed = inner.boundary[axis] ~= surface.constants.boundary_open
    local from, to = now.lower[axis], now.upper[axis]
    local lean = axis == now.shear_plane:byte(1) - 119 and (now.shear_strain ~= 0 or now.offset ~= 0) and (to - from) / 2 or 0 -- "x" is 120
    lower[axis] = closed and math.min(values.lower[axis], from - lean) or values.lower[axis]
    upper[axis] = closed and math.max(values.upper[axis], to + lean) or values.upper[axis]
  end
  return setmetatable({ lower = lower, upper = upper }, { __index = values })
end

local function check_window(call, values)
  for axis = 1, values.lower and values.upper and #values.lower or 0 do
    if not (values.lower[axis] < values.upper[axis]) then
      check.fail(call, "upper[%d] is %s; it must be above lower[%d], which is %s", axis, check.show(values.upper[axis]), axis, check.show(values.lower[axis]))
    end
  end
end

-- A snapshot of the simulation as the checked values want it seen.
local function scene_of(call, inner, sim, values)
  up.check(call, values.up, inner.dimension)
  if values.direction and inner.dimension == 2 then check.fail(call, "direction is given, but it applies to three dimensions only; the simulation has 2") end
  local upwards, direction = up.for_picture(inner, values.up, values.direction)
  local scene = { lower = values.lower, upper = values.upper, up = upwards, direction = direction, zoom = values.zoom,
    title = values.title, note = values.note, length_unit = values.length_unit, tubes = values.tubes }
  set_colour(call, inner, sim, values, scene)
  set_domain(inner, scene)
  check.exclusive(call, values, "colour", "group")
  check_window(call, values)
  local field = set_field(call, inner, sim, values, scene)
  local colour = type(values.colour) == "string" and values.colour or nil
  if field then
    scene.field_scale = scale_of(call, values, field)
    scene.scale = { label = colour, legend = values.legend }
  else
    scene.scale = scale_of(call, values, colour)
  end
  if values.tubes then
    scene.tube_scale = (values.colour or field) and { label = values.tubes, legend = values.legend } or scale_of(call, values, values.tubes)
    scene.tube_scale.reversed = values.tubes ~= "gamma" and not scene.tube_scale.map -- grey: dark is more
  end
  scene.rays = require("floc.simulation.rays").for_picture(call, inner, values)
  if scene.rays then
    scene.ray_arrows, scene.ray_width = values.rays == true, values.ray_width
    scene.ray_scale = { label = "power", unit = values.ray_unit, legend = values.legend, lower = 0, upper = values.ray_power }
  end
  local made, message = core.scene(inner.world, scene)
  if not made then check.fail(call, "%s", message) end
  return made
end

local function write(call, path, options, scenes)
  if sandbox.leaves_out(call) then return end
  local ok, message = session.make_folder_for(path)
  if ok then ok, message = core.picture(path, options, scenes) end
  if not ok then check.fail(call, "%s", message) end
end

local function page_of(values, caption)
  return { width = values.width, height = values.height, background = values.background, columns = values.columns,
    shared_scale = values.shared_scale, caption_left = values.caption or caption, title = values.page_title }
end

function picture.draw(inner, sim, given)
  drawing.need "picture"
  local values = check.table(declarations.picture, type(given) == "string" and { path = given } or given,
    inner.dimension)
  if inner.session.replay then return end
  local caption = string.format("step %d, t = %s", sim.step, core.number_format("%.6g", sim.time))
  local scene = replay.left_out(inner, scene_of, "picture", inner, sim, values)
  write("picture", values.path, page_of(values, caption), { scene })
end

picture.scene_of, picture.page_of = scene_of, page_of

-- ---- panels -------------------------------------------------------------------------------------

local methods = {}
local meta = { __index = methods, __name = "floc.panels", floc_name = "panels" }

function picture.panels(given)
  drawing.need "panels"
  local values = check.table(declarations.panels, given)
  values.page_title, values.title = values.title, nil
  return check.object({}, meta, { values = values, scenes = {}, tally = { added = 0 } })
end

function methods:add(sim, given)
  local record, inner = check.record(self, "panels", "add"), check.record(sim, "simulation")
  if not inner then check.fail("panels:add", "the first value is %s; it must be a simulation", check.show(sim)) end
  local values = check.table(declarations.add, given, inner.dimension)
  record.tally.added = record.tally.added + 1
  if inner.session.replay then return end
  values.title = values.title or "t = " .. core.number_format("%.6g", sim.time)
  record.scenes[#record.scenes + 1] = replay.left_out(inner, scene_of, "panels:add", inner, sim, values)
end

function methods:write(path)
  local record = check.record(self, "panels", "write")
  path = check.arguments("panels.write", path)
  local one = session.current()
  if one.replay then return end
  if #record.scenes < record.tally.added and one.resumed then
    one.resumed(string.format("%s%s is not written: %d of its %d panels were drawn before the checkpoint, which contains no pictures", check.where(),
      path, record.tally.added - #record.scenes, record.tally.added))
    return
  end
  if #record.scenes == 0 then check.fail("panels:write", "there are no panels yet; panels:add(sim, {...}) adds one") end
  write("panels:write", path, page_of(record.values), record.scenes)
end

check.strict_all(methods, 1, "panels:")

return picture
