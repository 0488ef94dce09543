-- The script's own variables in a checkpoint: what functions that are called while a simulation runs can reach and change.
--
-- A resume executes the script again and skips the runs before the point (replay.lua), so it misses what callbacks did to
-- the script's variables in them. Here that is found out and done again. From the functions that a simulation was given
-- (callbacks, laws, motions, gravity: the roots), from the global variables that the script made and from its modules,
-- everything is visited: variables outside of functions (upvalues), tables, functions that they hold, and so on. The
-- visit goes in an order that depends on the data alone, and gives every table and function a number when it is first met;
-- so the visit of a replay gives the same numbers, and data that mention a table by its number fill that very table,
-- whatever else refers to it.
--
--   at the start of a run    numbers for what is new; a copy of all contents (the shadow)
--   at its end               what differs from the shadow goes into the run's entry of the log, and a replay that skips the
--                            run puts it in place
--   in a checkpoint          all contents in full
--
-- Numbers, strings, booleans and tables of them can be kept, and so can references to tables, functions and objects that were
-- there when the run began. What came or changed since and is none of these (a new function, a coroutine that continued, a
-- file that was written to) cannot: it is remembered by name, and the next checkpoint is refused with it.
--
-- Stored data: { cells = { { function, name of the variable, value }, ... }, tables = { { number, metatable, whole, keys, values }, ... } };
-- a value is plain, or { "t", number } for a numbered table or function, { "o", name } for an object of the module or of
-- Lua's library, { "l", digits } for a number of 64 bits of LuaJIT, { "x" } for nothing.

local check = require "floc.surface.check"
local known = require "floc.session.known"
local random = require "floc.simulation.random"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"
local visit = require "floc.session.visit"

local keep = {}

local next, type, rawset, rawequal, tostring, sort = next, type, rawset, rawequal, tostring, table.sort
local debug = debug
local setupvalue, getinfo = debug.setupvalue, debug.getinfo
local is_scalar, key_rank, plain_before = visit.is_scalar, visit.key_rank, visit.plain_before

-- ---- roots --------------------------------------------------------------------------------------

-- A function that will be called while the simulation runs. Under a key that is known it takes the place of the old one.
function keep.root(inner, key, fn)
  local roots = inner.roots
  if not roots.place[key] then
    roots[#roots + 1] = key
    roots.place[key] = #roots
  end
  roots.of[key] = fn
end

function keep.begin(inner)
  inner.roots = { place = {}, of = {} }
  inner.kept = { last = 0, number_of = setmetatable({}, { __mode = "k" }), object_of = setmetatable({}, { __mode = "v" }),
    tables = setmetatable({}, { __mode = "k" }), cells = {}, opaque = setmetatable({}, { __mode = "k" }) }
end

-- A call that sets up `inner`, or runs it, during a run. A replay skips that run: what is done to the simulation
-- itself comes back with its state, what is done to another one does not.
function keep.outside(inner, call)
  local one = inner.session
  if one.running and one.running ~= inner.number then
    session.in_run(one, string.format("%s%s of simulation %d is called", check.where(), call, inner.number))
  end
end

-- ---- values as they are stored --------------------------------------------------------------------

local nothing = { "x" }

local function encode(visited, value)
  if value == nil then return nothing end
  if is_scalar[type(value)] then return value end
  local name = known.name_of(value, visited.one)
  if name then return { "o", name } end
  local number = visited:number(value)
  if number then return { "t", number } end
  if type(value) == "cdata" then return { "l", tostring(value) } end
  return nothing -- it is lost, and the checkpoint is refused
end

local function cell_data(visited, cell)
  return { cell.own or visited:number(cell.fn), cell.key or "", encode(visited, cell.value) }
end

local function number_of_table(visited, t) return t == known.globals and 0 or visited:number(t) end

-- ---- at the start and at the end of a run --------------------------------------------------------

local function same(a, b) return rawequal(a, b) or a ~= a and b ~= b end

-- Brings the shadow of a table up to date; the keys that differed, and whether there was one before.
local function follow(kept, node)
  local shadow = kept.tables[node.t]
  local fresh, changed = shadow == nil, nil
  if fresh then
    shadow = { content = {} }
    kept.tables[node.t] = shadow
  end
  local content, entries = shadow.content, node.entries
  for key, value in next, entries do
    if not same(content[key], value) then
      changed = changed or {}
      changed[#changed + 1] = key
      content[key] = value
    end
  end
  for key in next, content do
    if entries[key] == nil then
      changed = changed or {}
      changed[#changed + 1] = key
    end
  end
  for k = 1, changed and #changed or 0 do
    if entries[changed[k]] == nil then content[changed[k]] = nil end
  end
  local other_meta = not fresh and shadow.meta ~= node.meta
  shadow.meta = node.meta
  return fresh, changed or other_meta and {} or nil
end

local function key_before(a, b)
  local rank_a, rank_b = key_rank[type(a)] or 4, key_rank[type(b)] or 4
  if rank_a ~= rank_b then return rank_a < rank_b end
  return rank_a < 4 and plain_before(a, b)
end

local function table_data(visited, node, keys, whole)
  local names, values = {}, {}
  sort(keys, key_before)
  for k, key in ipairs(keys) do
    names[k] = encode(visited, key)
    values[k] = encode(visited, node.entries[key])
  end
  return { number_of_table(visited, node.t), node.meta and encode(visited, node.meta) or false, whole, names, values }
end

-- Compares everything with the shadow and brings that up to date; what differed when `collect` is set.
local function compare(visited, collect)
  local kept = visited.kept
  local data = { cells = {}, tables = {} }
  local cells = {}
  for _, cell in ipairs(visited.cells) do
    local before = kept.cells[cell.id]
    cells[cell.id] = { cell.value }
    if collect and (not before or not same(before[1], cell.value)) then data.cells[#data.cells + 1] = cell_data(visited, cell) end
  end
  kept.cells = cells
  for _, node in ipairs(visited.tables) do
    local fresh, changed = follow(kept, node)
    if collect and (fresh or changed) then
      data.tables[#data.tables + 1] = table_data(visited, node, changed or {}, fresh)
    end
  end
  for _, one in ipairs(visited.opaque) do
    local now = visit.fingerprint(one[1])
    if collect and kept.opaque[one[1]] ~= now then
      visited:lose(one[2], string.format("is a %s that changed in a run, which a checkpoint cannot restore", visit.kind_text(one[1])))
    end
    kept.opaque[one[1]] = now
  end
  if #data.cells == 0 and #data.tables == 0 then return nil end
  return data
end

-- Before a run, and before a checkpoint between runs: what the script made since is numbered.
function keep.start(inner, extra)
  inner.until_ = extra
  local visited = visit.new(inner, true, true):all(extra)
  compare(visited, false)
  inner.kept.started = visited.queue
end

-- After a run: what it changed, or nil.
function keep.finish(inner)
  local visited = visit.new(inner, true, false):all(inner.until_)
  local data = compare(visited, true)
  inner.lost = inner.lost or visited.lost
  return data
end

-- ---- functions that a replay does not call ---------------------------------------------------------

local function copied(t)
  local copy = {}
  for key, value in next, t do copy[key] = value end
  return copy
end

-- The variables and tables that functions can reach, and the script's globals: all but what belongs to this module.
local function look_from(inner, functions)
  local visited = visit.new(inner, false, true)
  for k = 1, #functions do visited:reach(functions[k], "the function") end
  visited:table_contents(known.globals, "the global variable")
  visited:drain()
  return visited
end

local function differing_key(before, now)
  for key, value in next, before do
    if not same(now[key], value) then return key end
  end
  for key in next, now do
    if before[key] == nil then return key end
  end
end

-- A function that names the first variable, table or object that was changed since, or the random numbers; nil where nothing was.
function keep.watch(inner, functions)
  local before = look_from(inner, functions)
  local cells, contents, objects, drawn = {}, {}, {}, random.state(inner.session)
  for _, cell in ipairs(before.cells) do cells[cell.id] = { cell.value } end
  for k, node in ipairs(before.tables) do contents[k] = copied(node.entries) end
  for k, one in ipairs(before.opaque) do objects[k] = visit.fingerprint(one[1]) end
  return function()
    for _, cell in ipairs(look_from(inner, functions).cells) do
      if cells[cell.id] and not same(cells[cell.id][1], cell.value) then return cell.name end
    end
    for k, node in ipairs(before.tables) do
      local key = differing_key(contents[k], visit.entries_of(node.t))
      if key ~= nil then return node.name .. (key_rank[type(key)] and visit.key_text(key) or "[object]") end
    end
    for k, one in ipairs(before.opaque) do
      if visit.fingerprint(one[1]) ~= objects[k] then return one[2] end
    end
    for name, now in pairs(random.state(inner.session)) do
      local was = drawn[name]
      if not was or was[1] ~= now[1] or was[2] ~= now[2] then return "the random numbers of " .. name end
    end
  end
end

-- ---- in a checkpoint ------------------------------------------------------------------------------

-- A table of plain values goes into the file as it is.
local function full_table(visited, node)
  if node.plain then return { number_of_table(visited, node.t), false, true, node.entries } end
  local keys = {}
  for key in next, node.entries do keys[#keys + 1] = key end
  return table_data(visited, node, keys, true)
end

-- Everything, for serialise.write at once (tables are not copied). Raises for what cannot be kept.
function keep.everything(call, inner)
  local visited = visit.new(inner, false, not inner.running):all(inner.until_)
  for _, one in ipairs(visited.opaque) do
    if inner.running and inner.kept.opaque[one[1]] ~= visit.fingerprint(one[1]) then
      visited:lose(one[2], string.format("is a %s that changed in this run, which a checkpoint cannot restore", visit.kind_text(one[1])))
    end
  end
  local lost = inner.lost or visited.lost
  if lost then check.fail(call, "%s; so a resumed run would differ, and no checkpoint is written", lost) end
  local data = { cells = {}, tables = {}, numbered = inner.kept.last }
  for k, cell in ipairs(visited.cells) do data.cells[k] = cell_data(visited, cell) end
  for k, node in ipairs(visited.tables) do data.tables[k] = full_table(visited, node) end
  return data
end

-- ---- putting it back ------------------------------------------------------------------------------

local function wrong_data() check.fail("resume", "the variables in the checkpoint are not those of its script") end

local function is_of_script(fn)
  if type(fn) ~= "function" then return false end
  local info = getinfo(fn, "S")
  return info.what ~= "C" and info.source:sub(1, 6) ~= "=floc/"
end

local function decode(inner, made, value)
  if type(value) ~= "table" then return value end
  local kind, what = value[1], value[2]
  if kind == "x" then return nil end
  if kind == "t" and type(what) ~= "number" then wrong_data() end
  if kind == "t" then
    local object = made[what] or inner.kept.object_of[what]
    if object == nil then
      if what <= inner.kept.last then
        check.fail("resume", "the script no longer has a table or function that it had when the checkpoint was written; "
          .. "up to there it must make the same calls")
      end
      object = {}
      made[what] = object
    end
    return object
  end
  if kind == "l" and (sandbox.is_active() or type(what) ~= "string" or not what:find "^%-?%d+U?LL$") then wrong_data() end
  if kind == "l" then return assert((loadstring or load)("return " .. what:match "^%-?%d+U?LL$"))() end
  if kind ~= "o" or type(what) ~= "string" then wrong_data() end
  local found = known.find(inner.session, what)
  if found == nil then check.fail("resume", "the script has no %s, which it had when the checkpoint was written", what) end
  return found
end

local function clear(t)
  if t == known.globals then
    for key, value in next, visit.entries_of(t) do
      if value ~= nil then rawset(t, key, nil) end
    end
    return
  end
  for key in next, t do rawset(t, key, nil) end
end

local function fill(inner, made, one)
  local number, meta, whole, keys, values = one[1], one[2], one[3], one[4], one[5]
  local t = number == 0 and known.globals or decode(inner, made, { "t", number })
  if type(t) ~= "table" or visit.is_module_object(t) then wrong_data() end
  -- floc.resume executes a script beside another one, whose globals are none of its business
  if whole and not (number == 0 and inner.session.hand_over) then clear(t) end
  if not values then
    for key, value in next, keys do rawset(t, key, value) end
    return
  end
  for k = 1, #keys do rawset(t, decode(inner, made, keys[k]), decode(inner, made, values[k])) end
  if number ~= 0 then debug.setmetatable(t, meta and decode(inner, made, meta) or nil) end
end

-- Puts stored data in place: those of a run that is skipped, or all of a checkpoint. lasting: tables that are made keep
-- the numbers that they have in the data.
function keep.apply(inner, data, lasting)
  local made = {}
  for _, cell in ipairs(data.cells) do
    local value = decode(inner, made, cell[3])
    if cell[1] == "state" or cell[1] == "gravity" then
      inner[cell[1]] = value
    else
      local fn = inner.kept.object_of[cell[1]]
      if not is_of_script(fn) then wrong_data() end
      local place
      for _, one in ipairs(visit.variables_of(fn)) do place = one.key == cell[2] and one.k or place end
      if not place then wrong_data() end
      setupvalue(fn, place, value)
    end
  end
  for _, one in ipairs(data.tables) do fill(inner, made, one) end
  if not lasting then return end
  for number, object in next, made do
    inner.kept.number_of[object], inner.kept.object_of[number] = number, object
    if number > inner.kept.last then inner.kept.last = number end
  end
end

-- Puts a checkpoint's data in place.
function keep.restore(inner, data)
  if data.numbered ~= inner.kept.last then
    check.fail("resume", "the script made %d tables and functions that its callbacks can reach, and %d when the checkpoint was written; "
      .. "up to there it must make the same calls", inner.kept.last, data.numbered)
  end
  keep.apply(inner, data, false)
end

return keep
