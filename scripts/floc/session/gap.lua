-- What a script reads between runs: columns.
--
-- A resume executes the script again and skips the runs before the checkpoint's point, so the columns that the script
-- sees between them are not those that it saw. Therefore what it reads there is written down, and a replay puts
-- it back. In a gap, which lasts from the end of a run to the next run or checkpoint, the views of columns are closed (their count is
-- 0, bindings/lua/world/columns.c), and each access ends up here. Single elements are noted as they are read. When a script reads
-- more than a few of a column, the whole column is noted as it is then and the view is opened, so that the rest goes
-- at full speed. A replay fills the column from the note at the first access and opens the view.
--
-- Notes are in the log (replay.lua) under "column NAME": { ids =, values =, all = the column's bytes }. What an element held when
-- it was first read counts, so a script may write in a gap as well; the replay writes the same.

local check = require "floc.surface.check"
local built_in = require("floc.surface.columns").named
local core = require "floc.core"

local gap = {}

local most_elements = 32
local most_bytes = 2 ^ 26

-- ---- beginning and end --------------------------------------------------------------------------

-- After a run, and after a checkpoint between runs.
function gap.open(inner)
  inner.gap = {}
  core.between_runs(inner.world, true)
end

-- Before a run.
function gap.close(inner)
  if not inner.gap then return end
  inner.gap = nil
  core.between_runs(inner.world, false)
end

-- Calls fn with columns as they are and nothing noted: for what a replay leaves out, pictures.
function gap.without(inner, fn, ...)
  local outer = inner.gap
  if not outer then return fn(...) end
  gap.close(inner)
  local function back(ok, ...)
    gap.open(inner)
    inner.gap = outer
    for name, note in pairs(outer) do
      if note.is_open then core.open_view(inner.world, name) end
    end
    if not ok then error((...), 0) end
    return ...
  end
  return back(pcall(fn, ...))
end

-- ---- notes --------------------------------------------------------------------------------------

local function open_view(inner, name, note)
  note.is_open = true
  core.open_view(inner.world, name)
end

-- During a replay: the column becomes what it was when the script read it.
local function fill(inner, name, note, entry)
  if entry.all and not core.set_column_bytes(inner.world, name, entry.all) then
    check.fail("resume", "the number of particles in column %s differs from that when it was read here; "
      .. "up to there the script must make the same calls", name)
  end
  for k, id in ipairs(entry.ids) do core.column_element(inner.world, name, id, entry.values[k]) end
  open_view(inner, name, note)
end

-- May that many bytes more be noted of what was read? Too many are a reason to refuse checkpoints.
function gap.may_note(inner, bytes, what)
  inner.noted_bytes = (inner.noted_bytes or 0) + bytes
  if inner.noted_bytes <= most_bytes then return true end
  inner.lost = inner.lost or string.format("%s%s is read between runs, and all such values so far exceed the 64 MB that a checkpoint "
    .. "stores of them (read it in a callback of sim:every, or by sim:sum)", check.where(), what)
  return false
end

-- The whole column is noted.
local function note_all(inner, name, note)
  local bytes = core.column_bytes(inner.world, name)
  if gap.may_note(inner, #bytes, "sim." .. name) then note.entry.all = bytes end
  open_view(inner, name, note)
end

local function note_of(inner, name, replay)
  local note = inner.gap[name]
  if note then return note end
  note = { known = {} }
  inner.gap[name] = note
  local entry, was_told = replay.told_or_new(inner, "column " .. name, function() return { ids = {}, values = {} } end)
  note.entry = entry
  if was_told then fill(inner, name, note, entry) end
  return note
end

-- Before a function sees whole columns (sim:map): they are noted.
function gap.touch(inner, names, replay)
  if not inner.gap then return end
  for _, name in ipairs(names) do
    if name ~= "id" then
      local note = note_of(inner, name, replay)
      if not note.is_open then note_all(inner, name, note) end
    end
  end
end

-- ---- access -------------------------------------------------------------------------------------

local function bad_index(inner, name, id)
  local count = inner and core.info(inner.world).particle_count or 0
  if count > 0 and core.info(inner.world).last_id > count and type(id) == "number" and id % 1 == 0 and math.abs(id) < 2 ^ 53 then
    local there, message = core.find_particle(inner.world, id)
    if not there then error(string.format("%ssim.%s[%s]: %s", check.where(), name, tostring(id), message), 0) end
  end
  if count == 0 or inner.running then
    error(string.format("%ssim.%s[%s]: there are no particles, or a step is running", check.where(), name, tostring(id)), 0)
  end
  error(string.format("%ssim.%s[%s]: the index is a particle's id, 1 to %d", check.where(), name, tostring(id), count), 0)
end

local function check_id(inner, name, id)
  local is_id = inner and inner.gap and type(id) == "number" and id % 1 == 0 and id >= 1
  if not is_id or not core.find_particle(inner.world, id) then bad_index(inner, name, id) end
end

-- Over ranks columns wait after each step until one is asked for: all particles come to all ranks then. Whether it was so, and
-- there is a particle of that id.
local function shown(inner, id)
  if not inner or inner.gap or not core.show_columns(inner.world) then return false end
  return id == nil or type(id) == "number" and id % 1 == 0 and id >= 1 and core.find_particle(inner.world, id) ~= nil
end

-- What columns.lua asks for ids out of range. A column does not keep its simulation alive.
function gap.slow(inner_itself, replay)
  local slow, ref = {}, setmetatable({ inner_itself }, { __mode = "v" })
  inner_itself = nil -- luacheck: ignore 311 (else the functions below would keep it alive)

  function slow.read(name, id)
    local inner = ref[1]
    if shown(inner, id) then return core.column_element(inner.world, name, id) end
    check_id(inner, name, id)
    local note = note_of(inner, name, replay)
    local value = core.column_element(inner.world, name, id)
    if note.is_open or note.known[id] then return value end
    local entry = note.entry
    if #entry.ids >= most_elements then
      note_all(inner, name, note)
    else
      note.known[id] = true
      entry.ids[#entry.ids + 1], entry.values[#entry.values + 1] = id, value
    end
    return value
  end

  function slow.write(name, id, value)
    local inner = ref[1]
    if not shown(inner, id) then check_id(inner, name, id) end
    local above = built_in[name] and built_in[name].above or -math.huge
    if type(value) ~= "number" or not (value > above and value < math.huge) then
      error(string.format("%ssim.%s[%s] = %s; it must be a finite number%s", check.where(), name, tostring(id), tostring(value),
        above == 0 and " above 0" or ""), 0)
    end
    core.column_element(inner.world, name, id, value)
  end

  function slow.length()
    local inner = ref[1]
    return inner and (inner.gap or shown(inner)) and core.info(inner.world).particle_count or 0
  end

  return slow
end

return gap
