-- A script over several ranks, processes that mpirun or srun started: all run it from its beginning, with the same
-- values, and rank 0 alone talks to the world outside.
--
-- What asks or changes something outside (files, folders, the time, other programs, variables of the environment) is
-- done by rank 0, and the others get its answer. Files that are read come from rank 0 as a whole; what the others write
-- goes to files of their own without a name, so that a file's position and errors are the same everywhere. What is
-- printed needs nothing here: the streams of the others take nothing (bindings/command/ranks.c). Calls of the engine
-- that write about a simulation are made by all ranks, since they look at it, which all do or none.
--
-- Each call of the engine is noted (core.ranks_note) with what it was given, and ranks compare the notes whenever they
-- have to tell each other something: see bindings/lua/ranks.c. Loaded before all other files of the module, because it
-- puts other functions in place of those of floc.core, io and os.

local core = require "floc.core"
local serialise = require "floc.session.serialise"

local ranks = {}

local type, select, pcall, error, tostring = type, select, pcall, error, tostring
local unpack = rawget(_G, "unpack") or table.unpack

ranks.number, ranks.count = core.ranks()
ranks.are_several = ranks.count > 1
ranks.exit = nil -- the program's, in place of os.exit

-- ---- rank 0's answer ----------------------------------------------------------------------------

-- What `what` comes to is for rank 0 to say: plain values, or an error; those of the others do not count.
local function told(what, ok, ...)
  local text
  if ranks.number == 0 then
    local said = { ok = ok, count = ok and select("#", ...) or 1, values = { ... } }
    if not ok then said.values = { tostring((...)) } end
    text = assert(serialise.write(said, what))
  end
  local said = assert(serialise.read(core.ranks_tell(what, text)))
  if not said.ok then error(said.values[1], 0) end
  return unpack(said.values, 1, said.count)
end

-- Calls fn on rank 0.
local function first(what, fn, ...)
  if ranks.number == 0 then return told(what, pcall(fn, ...)) end
  return told(what, true)
end

ranks.first = first

-- fn, called on rank 0 alone.
local function by_first(what, fn)
  return function(...) return first(what, fn, ...) end
end

-- The same for what gives rank 0 an object, with which only functions of rank 0 do something.
local function with_handle(what, fn)
  return function(...)
    local handle
    local function call(...)
      local message, reason
      handle, message, reason = fn(...)
      return handle ~= nil, message, reason
    end
    local ok, further, reason = first(what, call, ...)
    if not ok then return nil, further, reason end
    return ranks.number == 0 and handle or {}, further
  end
end

-- ---- the engine ---------------------------------------------------------------------------------

-- Functions of core that have to do with files, or with this process.
local of_first = { "make_folder", "truncate", "list_folder", "hash_of_file", "may_replace", "file_settle", "lock_release", "new_file_put", "new_file_finish",
  "new_file_abandon", "movie_frame", "movie_close", "picture", "plot", "read_inside", "seal", "seal_fits", "process" }
local with_handles = { "lock_take", "new_file", "movie_open" }
-- Those that look at a simulation and write a file, the second value.
local writers = { "vtp_particles", "vtp_grains", "vtp_contacts", "vtp_bodies", "vtp_bonds", "vtp_rays", "vtp_points", "xyz_frame" }
-- Those that are not noted: asked in each step, given an address, or with a door of their own.
local unnoted = { step = true, clock = true, info = true, view = true, float_default = true, float_restore = true }
for _, list in ipairs { of_first, with_handles } do
  for _, name in ipairs(list) do unnoted[name] = true end
end

-- By all ranks, the others into a file that is removed at once.
local function writing(what, fn, remove, temporary)
  return function(world, path, ...)
    if ranks.number == 0 then return told(what, pcall(fn, world, path, ...)) end
    local aside = temporary()
    pcall(fn, world, aside, ...)
    remove(aside)
    return told(what, true)
  end
end

-- The state that is written is that of all ranks.
local function saving(save, report)
  return function(world, ...)
    report(world)
    return first("a checkpoint", save, world, ...)
  end
end

local function noting(name, fn)
  local shown = name:gsub("_", " ")
  return function(...)
    if name == "create" then
      core.ranks_note(shown, ...)
    elseif type((...)) == "userdata" then
      core.ranks_note(shown, select(2, ...))
    end
    return fn(...)
  end
end

local function replace_core()
  local remove, temporary, save, report = os.remove, os.tmpname, core.save, core.report
  local attach, view = core.attach, core.view
  for _, name in ipairs(of_first) do core[name] = by_first(name:gsub("_", " "), core[name]) end
  for _, name in ipairs(with_handles) do core[name] = with_handle(name:gsub("_", " "), core[name]) end
  for _, name in ipairs(writers) do core[name] = writing(name:gsub("_", " "), core[name], remove, temporary) end
  core.save = saving(save, report)
  for name, fn in next, core do
    if type(fn) == "function" and not name:find "^ranks" and not unnoted[name] then core[name] = noting(name, fn) end
  end
  core.view = function(world, name, ...)
    core.ranks_note("sim." .. name)
    return view(world, name, ...)
  end
  core.attach = function(world, name, text)
    core.ranks_note("what a checkpoint keeps, its " .. name, { text }) -- what is in a table is hashed and not shown
    return attach(world, name, text)
  end
end

-- ---- io and os ----------------------------------------------------------------------------------

local function content_of(open, path, mode)
  local file, message, code = open(path, mode)
  if not file then return nil, message, code end
  local text, problem, number = file:read "*a"
  file:close()
  if not text then return nil, problem, number end
  return text
end

local function replace_io()
  local library = rawget(_G, "io")
  local open, popen, tmpfile, output, input, lines = io.open, io.popen, io.tmpfile, io.output, io.input, io.lines
  local methods = getmetatable(io.stdout).__index
  local read, stdin = methods.read, io.stdin

  -- A file of this process that has the text.
  local function filled(text)
    local file, message = tmpfile()
    if not file then return nil, message end
    file:write(text)
    file:seek "set"
    return file
  end

  local function reading(what, take, ...)
    local text, message, code = first(what, take, ...)
    if not text then return nil, message, code end
    return filled(text)
  end

  -- The others write into a file of their own, which begins as that of rank 0 does where that counts.
  local function writing_file(path, mode)
    local file
    local function begin()
      local text = ""
      if mode:find "^r%+" or mode:find "^a" then text = content_of(open, path, "rb") or "" end
      local message, code
      file, message, code = open(path, mode)
      if not file then return nil, message, code end
      return text
    end
    local text, message, code = first("opening a file", begin)
    if not text then return nil, message, code end
    if ranks.number == 0 then return file end
    file, message = filled(text)
    if file and mode:find "^a" then file:seek "end" end
    return file, message
  end

  function library.open(path, mode, ...)
    if type(path) ~= "string" or mode ~= nil and type(mode) ~= "string" or select("#", ...) > 0 then return open(path, mode, ...) end
    mode = mode or "r"
    if mode:find "^rb?$" then return reading("reading a file", content_of, open, path, mode) end
    return writing_file(path, mode)
  end

  function library.lines(path, ...)
    if path == nil then return lines(path, ...) end
    local file, message = io.open(path)
    if not file then error(message, 2) end
    return file:lines(...)
  end

  function library.input(path)
    if type(path) ~= "string" then return input(path) end
    local file, message = io.open(path)
    if not file then error(message, 2) end
    return input(file)
  end

  function library.output(path)
    if type(path) ~= "string" then return output(path) end
    local file, message = io.open(path, "w")
    if not file then error(message, 2) end
    return output(file)
  end

  function library.popen(command, mode)
    if mode == nil or mode == "r" then return reading("a program", content_of, popen, command, "r") end
    local pipe
    local function begin()
      local message, code
      pipe, message, code = popen(command, mode)
      return pipe and true, message, code
    end
    local ok, message, code = first("a program", begin)
    if not ok then return nil, message, code end
    return ranks.number == 0 and pipe or tmpfile()
  end

  -- Standard input is that of rank 0.
  function methods.read(file, ...)
    if file == stdin then return first("standard input", read, file, ...) end
    return read(file, ...)
  end
  function library.read(...) return methods.read(input(), ...) end
end

local function replace_os()
  local library = rawget(_G, "os")
  for _, name in ipairs { "time", "clock", "date", "getenv", "remove", "rename", "tmpname", "execute" } do
    library[name] = by_first("os." .. name, library[name])
  end
  function library.exit(code)
    core.ranks_door "os.exit"
    ranks.exit((code == nil or code == true) and 0 or code == false and 1 or code)
  end
end

-- ---- the end ------------------------------------------------------------------------------------

-- What a script keeps in sim.state is compared whenever ranks tell each other something next.
function ranks.note_state(state)
  if not ranks.are_several then return end
  local keys = {}
  for key in next, state do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) == type(b) and type(a) ~= "boolean" then return a < b end
    return tostring(a) < tostring(b)
  end)
  for _, key in ipairs(keys) do core.ranks_note("sim.state." .. tostring(key), state[key]) end
end

-- What a script has come to: its state must be the same, and all ranks must be there.
function ranks.compare_end(simulations)
  if not ranks.are_several then return end
  for _, inner in ipairs(simulations) do ranks.note_state(inner.state) end
  core.ranks_door "the end of the script"
end

-- After an error: true where all ranks have one, and go the same way. Else one of them has told, and nothing can be
-- done together any more.
function ranks.fail_together(value) return not ranks.are_several or core.ranks_failed(tostring(value)) end

if ranks.are_several then
  replace_core()
  replace_io()
  replace_os()
end

return ranks
