-- Columns of numbers by particle id: sim.x[id], and the bulk operations sim:map and sim:sum.
--
-- A script holds an empty object whose metatable has the three functions below, and no way to anything else: no
-- field, no pointer, no cdata. The words of a view, which the C half refreshes (bindings/lua/world/columns.c), are an
-- FFI struct on LuaJIT, an upvalue of these functions; reading an element compiles to a bounds check and two
-- loads. After particles were removed the bounds check fails, and an id is looked for among those that there are. Elsewhere they are in the object, a userdata of C. FFI is used for memory only; nothing is called through it.

local check = require "floc.surface.check"
local core = require "floc.core"
local surface = require "floc.surface.columns"

local columns = {}

local has_ffi, ffi = pcall(require, "ffi")
has_ffi = has_ffi and type(ffi) == "table" and type(rawget(_G, "jit")) == "table"

local create

if has_ffi then
  local huge, floor, newproxy = math.huge, math.floor, newproxy
  local view_type = ffi.typeof [[struct {
    double *values;
    const int64_t *slots;
    double above;
    int32_t count, present;
    const int64_t *ids;
  }]]

  local function bad_value(name, view, id, value)
    error(string.format("%ssim.%s[%s] = %s; it must be a finite number%s", check.where(),
      name, tostring(id), tostring(value), view.above == 0 and " above 0" or ""), 0)
  end

  -- The slot of an id where some were removed; nil: it is not there.
  local function find(view, id)
    local low, high = 0, view.present
    if high == 0 or type(id) ~= "number" or not (id >= 1) or id ~= floor(id) then return nil end
    while low < high do
      local middle = floor((low + high) / 2)
      if view.ids[view.slots[middle]] < id then low = middle + 1 else high = middle end
    end
    if low < view.present and view.ids[view.slots[low]] == id then return view.slots[low] end
  end

  -- Fills the metatable of a view. slow: what to do with an id out of range.
  local function give_words(meta, view, name, slow)
    meta.floc_name, meta.__metatable = "column", "floc.column"
    function meta.__index(_, id)
      if type(id) ~= "number" or not (id >= 1 and id <= view.count) or id ~= floor(id) then
        local slot = find(view, id)
        if not slot then return slow.read(name, id) end
        return view.values[slot]
      end
      return view.values[view.slots[id - 1]]
    end
    function meta.__newindex(_, id, value)
      local slot
      if type(id) ~= "number" or not (id >= 1 and id <= view.count) or id ~= floor(id) then
        slot = find(view, id)
        if not slot then return slow.write(name, id, value) end
      end
      if type(value) ~= "number" or not (value > view.above and value < huge) then bad_value(name, view, id, value) end
      view.values[slot or view.slots[id - 1]] = value
    end
    function meta.__len()
      local count = view.count + view.present
      return count == 0 and slow.length() or tonumber(count)
    end
    function meta.__tostring() return "floc.column " .. name end
  end

  function create(world, name, slow)
    local words = view_type()
    local view, message = core.view(world, name, slow, words, tonumber(ffi.cast("intptr_t", ffi.cast("void *", words))))
    if not view then return nil, message end
    local object = newproxy(true)
    give_words(getmetatable(object), words, name, slow)
    return object
  end
else
  function create(world, name, slow) return core.view(world, name, slow) end
end

-- The view of a column, or nil and the engine's message. slow: functions read(name, id), write(name, id, value) and
-- length() for what the view itself does not answer, see gap.lua.
columns.view = create

-- ---- bulk operations ----------------------------------------------------------------------------

local function check_function(call, fn)
  if type(fn) ~= "function" then
    check.fail(call, "needs a function of columns such as function(x, vx) ... end, got %s", check.show(fn))
  end
end

-- Columns that the parameters of a function name; id is allowed too.
local function inputs_of(call, world, fn, parameter_names)
  local known = surface.with_former(core.column_names(world))
  known[#known + 1] = "id"
  local is_known = {}
  for _, name in ipairs(known) do is_known[name] = true end
  local inputs = parameter_names(call, fn)
  for _, name in ipairs(inputs) do
    if not is_known[name] then
      check.fail(call, "there is no column %s for the function's parameter%s", name, check.suggestion(name, known))
    end
  end
  return inputs
end

local function answer(call, value, message)
  if value == nil then check.fail(call, "%s", message) end
  return value
end

-- touch(inputs): called before columns are read.
function columns.map(world, names, fn, parameter_names, touch)
  if type(names) == "string" then names = { names } end
  if type(names) ~= "table" or #names == 0 then
    check.fail("map", "takes the name of a column (or a list of names) and a function: "
      .. "sim:map(\"vx\", function(x, vx) ... end)")
  end
  check_function("map", fn)
  local known, is_known = surface.with_former(core.column_names(world)), {}
  for _, name in ipairs(known) do is_known[name] = true end
  for _, name in ipairs(names) do
    if not is_known[name] then
      check.fail("map", "there is no column %s%s", check.show(name), check.suggestion(name, known))
    end
  end
  local inputs = inputs_of("map", world, fn, parameter_names)
  touch(inputs)
  return answer("map", core.map(world, fn, inputs, names))
end

function columns.sum(world, fn, parameter_names)
  check_function("sum", fn)
  return answer("sum", core.sum(world, fn, inputs_of("sum", world, fn, parameter_names)))
end

-- Ids of the particles of which a function of columns says true, ascending.
function columns.select(call, world, fn, parameter_names)
  local ids, inputs = {}, { "id" }
  for _, name in ipairs(inputs_of(call, world, fn, parameter_names)) do inputs[#inputs + 1] = name end
  answer(call, core.sum(world, function(id, ...)
    local goes = fn(...)
    if type(goes) ~= "boolean" then
      check.fail(call, "the function returned %s for particle %d; it must return true or false", check.show(goes), id)
    end
    if goes then ids[#ids + 1] = id end
    return 0
  end, inputs))
  return ids
end

return columns
