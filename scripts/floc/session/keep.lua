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
local random = require "floc.simulation.random"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"
local shield = require "floc.trace.shield"

local keep = {}

local next, type, rawget, rawset, rawequal, tostring, sort = next, type, rawget, rawset, rawequal, tostring, table.sort
local debug = debug
local getmetatable, getupvalue, setupvalue, upvalueid = debug.getmetatable, debug.getupvalue, debug.setupvalue, debug.upvalueid
local getinfo = debug.getinfo

local has_ffi, ffi = pcall(require, "ffi")
has_ffi = has_ffi and type(ffi) == "table"

-- Globals of Lua and of the host: not the script's.
local not_of_script = {}

-- From here on the globals that there are count as the host's.
function keep.ignore_globals()
  for name in next, _G do not_of_script[name] = true end
end

keep.ignore_globals()
not_of_script.arg = true

local is_scalar = { ["nil"] = true, boolean = true, number = true, string = true }

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

-- ---- objects that are known by name --------------------------------------------------------------

-- Columns and laws: { their simulation's record, held weakly; "column vx" }.
local known = setmetatable({}, { __mode = "k" })

function keep.know(object, inner, name) known[object] = { setmetatable({ inner }, { __mode = "v" }), name } end

local libraries = {}
for name, value in next, package.loaded do
  if type(value) == "table" and type(name) == "string" and not name:find "^floc" then libraries[value] = name end
end
libraries[_G] = "_G"

local globals = _G

-- The environment that the script has in the sandbox: its libraries and functions go by the names of the usual ones.
function keep.know_environment(env)
  globals = env
  libraries[env] = "_G"
  for name, value in next, env do
    if type(value) == "table" and package.loaded[name] then libraries[value] = name end
    if type(value) == "function" and not shield.name_of(value) then shield.know(value, name) end
  end
end

local makers = {}

function makers.simulation(value, one)
  local inner = check.record(value, "simulation")
  return inner and inner.session == one and "simulation " .. inner.number or nil
end

function makers.body(value, one)
  local record = check.record(value, "body")
  return record and record.inner.session == one and string.format("body %d %d", record.inner.number, record.number) or nil
end

function makers.random(value) return "random " .. random.name_of(value) end

-- The name of an object of the module or of Lua's library by which another process finds it; nil for others.
local function name_of(value, one)
  local kind = type(value)
  local about = known[value]
  if about then
    local inner = about[1][1]
    return inner and inner.session == one and string.format("of %d %s", inner.number, about[2]) or nil
  end
  if kind == "table" then
    if libraries[value] then return "library " .. libraries[value] end
    if value == one.values then return "args" end
    local meta = getmetatable(value)
    local make = type(meta) == "table" and makers[meta.floc_name]
    return make and make(value, one)
  elseif kind == "function" then
    local name = shield.name_of(value)
    return name and "function " .. name
  end
end

local finders = {}

function finders.simulation(one, rest)
  local inner = one.simulations[tonumber(rest)]
  return inner and inner.sim
end

function finders.body(one, rest)
  local simulation, number = rest:match "^(%d+) (%d+)$"
  local inner = one.simulations[tonumber(simulation)]
  for _, body in ipairs(inner and inner.bodies or {}) do
    if body.number == tonumber(number) then return body end
  end
end

function finders.of(one, rest)
  local simulation, kind, name = rest:match "^(%d+) (%a+) (.*)$"
  local inner = one.simulations[tonumber(simulation)]
  if not inner then return nil end
  if kind == "column" then return inner.sim[name] end
  return (inner.law_handles or {})[tonumber(name)]
end

function finders.random(one, rest) return random.object_of(one, rest) end

-- Only what the script itself could name: in the sandbox a checkpoint is as little trusted as a script.
function finders.library(_, rest)
  local found = rest == "_G" and globals or rawget(globals, rest)
  if found == nil and not sandbox.is_active() then found = package.loaded[rest] end
  return libraries[found] == rest and found or nil
end

function finders.args(one) return one.values end

finders["function"] = function(one, rest)
  local library, field = rest:match "^(.*)%.([^.]*)$"
  local from = library and finders.library(one, library) or not library and globals or {}
  local found = rawget(from, field or rest)
  return type(found) == "function" and found or nil
end

-- ---- the visit ----------------------------------------------------------------------------------

local function is_module_object(value)
  local meta = getmetatable(value)
  if type(meta) ~= "table" then return false end
  return rawget(meta, "floc_name") ~= nil or type(rawget(meta, "__name")) == "string" and rawget(meta, "__name"):find "^floc" ~= nil
end

local function place_of(fn)
  local info = getinfo(fn, "S")
  return string.format("%s:%d", info.short_src, info.linedefined)
end

local function key_text(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" then return "." .. key end
  return "[" .. (type(key) == "string" and string.format("%q", key) or tostring(key)) .. "]"
end

-- The order of keys that have one in every process.
keep.key_rank = { number = 1, string = 2, boolean = 3 }
local key_rank = keep.key_rank

function keep.plain_before(a, b)
  local kind_a, kind_b = type(a), type(b)
  if kind_a ~= kind_b then return key_rank[kind_a] < key_rank[kind_b] end
  if kind_a == "boolean" then return not a and b end
  return a < b
end
local plain_before = keep.plain_before

-- What changes of an object whose contents cannot be kept: a number or text that is another one afterwards.
local function fingerprint(value)
  local kind = type(value)
  if kind == "thread" then return coroutine.status(value) .. keep.times_resumed(value) end
  if kind == "function" then return keep.times_resumed(value) end
  if kind == "userdata" and io.type(value) and value ~= io.stdout and value ~= io.stderr and value ~= io.stdin then
    if io.type(value) == "closed file" then return "closed" end
    return (value:seek "cur")
  end
  if kind == "cdata" and has_ffi and not known[value] then
    local text = tostring(ffi.typeof(value))
    if text:find "[*(&]" or text:find "complex" or text:find "enum" then return 0 end
    local ok, bytes = pcall(function()
      return ffi.string(ffi.cast("const char *", ffi.cast("void *", value)), ffi.sizeof(value))
    end)
    return ok and bytes or 0
  end
  return 0
end

-- How often a coroutine was resumed; standard.lua counts it in the program.
function keep.times_resumed() return 0 end

local visit = {}
visit.__index = visit

-- numbers: gives numbers that last (at a mark), or for this visit alone (in a checkpoint). may_add: objects of any kind may
-- be new; else they are lost.
local function new_visit(inner, lasting, may_add)
  local kept = inner.kept
  return setmetatable({ inner = inner, one = inner.session, kept = kept, lasting = lasting, may_add = may_add, last = kept.last,
    own = {}, seen = {}, cell_seen = {}, queue = {}, done = 0, tables = {}, cells = {}, opaque = {} }, visit)
end

function visit:number(value) return self.kept.number_of[value] or self.own[value] end

function visit:lose(name, text)
  self.lost = self.lost or string.format("%s %s", name, text)
end

function visit:give_number(value)
  self.last = self.last + 1
  if self.lasting then
    self.kept.last = self.last
    self.kept.number_of[value], self.kept.object_of[self.last] = self.last, value
  else
    self.own[value] = self.last
  end
end

local function kind_text(value)
  if type(value) == "userdata" and io.type(value) then return "file" end
  return type(value) == "thread" and "coroutine" or type(value)
end

-- Looks at a value that a variable or an entry holds; name: for messages.
function visit:reach(value, name)
  if is_scalar[type(value)] or self.seen[value] then return end
  self.seen[value] = true
  if name_of(value, self.one) then return end
  local kind = type(value)
  if kind == "cdata" and tostring(value):find "^%-?%d+U?LL$" then return end
  local is_data = kind == "table" and not is_module_object(value)
  if not self:number(value) then
    if not is_data and not self.may_add then
      self:lose(name, string.format("is a new %s, which a checkpoint cannot restore", kind_text(value)))
      return
    end
    self:give_number(value)
  end
  self.queue[#self.queue + 1] = { value, name }
end

-- The upvalues of a function, by name: the two Luas number them differently. key: the name, with a number behind it for all but
-- the first of several with the same.
local function variables_of(fn)
  local list, seen = {}, {}
  for k = 1, 255 do
    local name, value = getupvalue(fn, k)
    if not name then break end
    if not (name == "_ENV" and libraries[value] == "_G") then
      seen[name] = (seen[name] or 0) + 1
      list[#list + 1] = { k = k, name = name, key = seen[name] > 1 and name .. " " .. seen[name] or name, value = value }
    end
  end
  sort(list, function(a, b) return a.key < b.key end)
  return list
end

function visit:function_contents(fn, name)
  local info = getinfo(fn, "S")
  if info.what == "C" or info.source:sub(1, 6) == "=floc/" then
    self.opaque[#self.opaque + 1] = { fn, name }
    return
  end
  local place
  for _, one in ipairs(variables_of(fn)) do
    local k, variable, value = one.k, one.name, one.value
    local id = upvalueid(fn, k)
    if not self.cell_seen[id] then
      self.cell_seen[id] = true
      place = place or place_of(fn)
      local called = string.format("the variable %s of the function at %s", variable, place)
      self.cells[#self.cells + 1] = { fn = fn, key = one.key, id = id, value = value, name = called }
      self:reach(value, called)
    end
  end
end

-- Keys that are objects, in an order that lasts: by number or by name.
function visit:order_objects(keys, name)
  if #keys < 2 then return end
  local rank = {}
  for _, key in ipairs(keys) do
    rank[key] = name_of(key, self.one) or self:number(key)
    if not rank[key] then
      self:lose(name, "has several new keys that are objects, and their order differs between processes")
      return
    end
    rank[key] = type(rank[key]) == "number" and string.format("%016d", rank[key]) or rank[key]
  end
  sort(keys, function(a, b) return rank[a] < rank[b] end)
end

local function entries_of(t)
  if t ~= globals then return t end
  local own = {}
  for key, value in next, t do
    if not not_of_script[key] and not libraries[value] then own[key] = value end
  end
  return own
end

function visit:table_contents(t, name)
  local entries = entries_of(t)
  local keys, objects = nil, nil
  for key, value in next, entries do
    if not key_rank[type(key)] then
      objects = objects or {}
      objects[#objects + 1] = key
    elseif not is_scalar[type(value)] then
      keys = keys or {}
      keys[#keys + 1] = key
    end
  end
  local meta = t ~= globals and getmetatable(t) or nil
  self.tables[#self.tables + 1] = { t = t, entries = entries, meta = meta, name = name, plain = not keys and not objects and not meta }
  if meta then self:reach(meta, "the metatable of " .. name) end
  if keys then
    sort(keys, plain_before)
    for k = 1, #keys do self:reach(entries[keys[k]], name .. key_text(keys[k])) end
  end
  if objects then
    self:order_objects(objects, name)
    for k = 1, #objects do
      self:reach(objects[k], "a key of " .. name)
      self:reach(entries[objects[k]], name .. "[object]")
    end
  end
end

function visit:drain()
  while self.queue[self.done + 1] do
    self.done = self.done + 1
    local value, name = self.queue[self.done][1], self.queue[self.done][2]
    local kind = type(value)
    if kind == "function" then
      self:function_contents(value, name)
    elseif check.record(value, "panels") then
      self:reach(check.record(value, "panels").tally, name)
    elseif kind == "table" and not is_module_object(value) then
      self:table_contents(value, name)
    else
      self.opaque[#self.opaque + 1] = { value, name }
    end
  end
end

-- More variables than upvalues: those of the simulation that callbacks may assign.
local own_variables = { "state", "gravity" }

-- extra: a function that is called in this run alone (until_).
function visit:all(extra)
  local inner = self.inner
  local roots = inner.roots
  for k = 1, #roots do self:reach(roots.of[roots[k]], roots[k]) end
  if extra then self:reach(extra, "until_") end
  for _, variable in ipairs(own_variables) do
    local value = inner[variable]
    self.cells[#self.cells + 1] = { own = variable, id = variable, value = value, name = "sim." .. variable }
    self:reach(value, "sim." .. variable)
  end
  for _, name in ipairs(inner.session.module_names) do self:reach(package.loaded[name], "the module " .. name) end
  self:table_contents(globals, "the global variable")
  self:drain()
  -- what was there when the run began may have been released, and the script may still hold it
  for _, one in ipairs(not self.may_add and self.kept.started or {}) do self:reach(one[1], one[2]) end
  self:drain()
  return self
end

-- ---- values as they are stored --------------------------------------------------------------------

local nothing = { "x" }

function visit:encode(value)
  if value == nil then return nothing end
  if is_scalar[type(value)] then return value end
  local name = name_of(value, self.one)
  if name then return { "o", name } end
  local number = self:number(value)
  if number then return { "t", number } end
  if type(value) == "cdata" then return { "l", tostring(value) } end
  return nothing -- it is lost, and the checkpoint is refused
end

function visit:cell_data(cell)
  return { cell.own or self:number(cell.fn), cell.key or "", self:encode(cell.value) }
end

function visit:number_of_table(t) return t == globals and 0 or self:number(t) end

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

function visit:table_data(node, keys, whole)
  local names, values = {}, {}
  sort(keys, key_before)
  for k, key in ipairs(keys) do
    names[k] = self:encode(key)
    values[k] = self:encode(node.entries[key])
  end
  return { self:number_of_table(node.t), node.meta and self:encode(node.meta) or false, whole, names, values }
end

-- Compares everything with the shadow and brings that up to date; what differed when `collect` is set.
function visit:compare(collect)
  local kept = self.kept
  local data = { cells = {}, tables = {} }
  local cells = {}
  for _, cell in ipairs(self.cells) do
    local before = kept.cells[cell.id]
    cells[cell.id] = { cell.value }
    if collect and (not before or not same(before[1], cell.value)) then data.cells[#data.cells + 1] = self:cell_data(cell) end
  end
  kept.cells = cells
  for _, node in ipairs(self.tables) do
    local fresh, changed = follow(kept, node)
    if collect and (fresh or changed) then
      data.tables[#data.tables + 1] = self:table_data(node, changed or {}, fresh)
    end
  end
  for _, one in ipairs(self.opaque) do
    local now = fingerprint(one[1])
    if collect and kept.opaque[one[1]] ~= now then
      self:lose(one[2], string.format("is a %s that changed in a run, which a checkpoint cannot restore", kind_text(one[1])))
    end
    kept.opaque[one[1]] = now
  end
  if #data.cells == 0 and #data.tables == 0 then return nil end
  return data
end

-- Before a run, and before a checkpoint between runs: what the script made since is numbered.
function keep.start(inner, extra)
  inner.until_ = extra
  local self = new_visit(inner, true, true):all(extra)
  self:compare(false)
  inner.kept.started = self.queue
end

-- After a run: what it changed, or nil.
function keep.finish(inner)
  local self = new_visit(inner, true, false):all(inner.until_)
  local data = self:compare(true)
  inner.lost = inner.lost or self.lost
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
  local self = new_visit(inner, false, true)
  for k = 1, #functions do self:reach(functions[k], "the function") end
  self:table_contents(globals, "the global variable")
  self:drain()
  return self
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
  for k, one in ipairs(before.opaque) do objects[k] = fingerprint(one[1]) end
  return function()
    for _, cell in ipairs(look_from(inner, functions).cells) do
      if cells[cell.id] and not same(cells[cell.id][1], cell.value) then return cell.name end
    end
    for k, node in ipairs(before.tables) do
      local key = differing_key(contents[k], entries_of(node.t))
      if key ~= nil then return node.name .. (key_rank[type(key)] and key_text(key) or "[object]") end
    end
    for k, one in ipairs(before.opaque) do
      if fingerprint(one[1]) ~= objects[k] then return one[2] end
    end
    for name, now in pairs(random.state(inner.session)) do
      local was = drawn[name]
      if not was or was[1] ~= now[1] or was[2] ~= now[2] then return "the random numbers of " .. name end
    end
  end
end

-- ---- in a checkpoint ------------------------------------------------------------------------------

-- A table of plain values goes into the file as it is.
function visit:full_table(node)
  if node.plain then return { self:number_of_table(node.t), false, true, node.entries } end
  local keys = {}
  for key in next, node.entries do keys[#keys + 1] = key end
  return self:table_data(node, keys, true)
end

-- Everything, for serialise.write at once (tables are not copied). Raises for what cannot be kept.
function keep.everything(call, inner)
  local self = new_visit(inner, false, not inner.running):all(inner.until_)
  for _, one in ipairs(self.opaque) do
    if inner.running and inner.kept.opaque[one[1]] ~= fingerprint(one[1]) then
      self:lose(one[2], string.format("is a %s that changed in this run, which a checkpoint cannot restore", kind_text(one[1])))
    end
  end
  local lost = inner.lost or self.lost
  if lost then check.fail(call, "%s; so a resumed run would differ, and no checkpoint is written", lost) end
  local data = { cells = {}, tables = {}, numbered = inner.kept.last }
  for k, cell in ipairs(self.cells) do data.cells[k] = self:cell_data(cell) end
  for k, node in ipairs(self.tables) do data.tables[k] = self:full_table(node) end
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
  local head, rest = what:match "^(%S+) ?(.*)$"
  local found = finders[head] and finders[head](inner.session, rest)
  if found == nil then check.fail("resume", "the script has no %s, which it had when the checkpoint was written", what) end
  return found
end

local function clear(t)
  if t == globals then
    for key, value in next, entries_of(t) do
      if value ~= nil then rawset(t, key, nil) end
    end
    return
  end
  for key in next, t do rawset(t, key, nil) end
end

local function fill(inner, made, one)
  local number, meta, whole, keys, values = one[1], one[2], one[3], one[4], one[5]
  local t = number == 0 and globals or decode(inner, made, { "t", number })
  if type(t) ~= "table" or is_module_object(t) then wrong_data() end
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
      for _, one in ipairs(variables_of(fn)) do place = one.key == cell[2] and one.k or place end
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
