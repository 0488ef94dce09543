-- `floc view RUN`: one HTML file that plays a run. RUN is what sim:write_vtp left (a .pvd, its folder, or the folder that
-- contains both) or a checkpoint.
--
-- Frames go through one by one: a frame's .vtp files are read, encoded against the frame before (bindings/lua/
-- page/encode.h) and written; what the page must know beforehand (ranges, times) stands behind the frames. So the
-- memory needed is that of one frame, however long the run is.

local check = require "floc.surface.check"
local core = require "floc.core"
local info = require "floc.command.info"
local json = require "floc.output.json"
local session = require "floc.session.session"
local up = require "floc.simulation.up"

local view = {}

view.no_page = "this floc was built without its browser page; install nodejs and npm (Debian packages) and build it again"

local marker = "<!--floc-data-->"
local kinds = { "particles", "grains", "bodies", "contacts", "bonds", "rays" }
local is_kind = {}
for _, kind in ipairs(kinds) do is_kind[kind] = true end
local most_bytes_per_group, longest_group = 64e6, 24 -- between two frames at which reading can begin

local function refuse(format, ...) error("floc: " .. string.format(format, ...), 0) end

-- ---- the page -----------------------------------------------------------------------------------

-- The page before and behind its data; nil and a message where there is none.
function view.halves(page)
  local text = page and page.text()
  if not text then return nil, view.no_page end
  local first, last = text:find(marker, 1, true)
  return text:sub(1, first - 1), text:sub(last + 1)
end

-- Text that no HTML can be confused by.
function view.packed(id, text)
  return string.format('<script type="text/plain" id="%s">%s</script>\n', id, core.base64(core.deflate(text)))
end

-- ---- finding the run ----------------------------------------------------------------------------

local function is_file(path)
  local file = io.open(path, "rb")
  if not file then return false end
  local fine = file:read(0) ~= nil or file:seek("end") == 0 -- a folder opens, but is not read
  file:close()
  return fine
end

local function unescape(text) return (text:gsub("&quot;", '"'):gsub("&lt;", "<"):gsub("&amp;", "&")) end

-- Entries of a collection in its order: { time =, file = }.
local function read_collection(path)
  local text = session.read_text(path)
  if not text then refuse("%s: there is no such file, or it cannot be read", path) end
  if not text:find('<VTKFile type="Collection"', 1, true) then refuse("%s: it is not a collection of .vtp files", path) end
  if not text:find("</VTKFile>", 1, true) then refuse("%s: damaged: it ends in the middle", path) end
  local folder, entries = path:match("^(.*/)[^/]*$") or "", {}
  for time, file in text:gmatch('<DataSet timestep="([^"]*)"[^>]- file="([^"]*)"') do
    file = unescape(file)
    entries[#entries + 1] = { time = time, file = file:sub(1, 1) == "/" and file or folder .. file }
  end
  local x, y, z = text:match "<!%-%- up (%S+) (%S+) (%S+) %-%->"
  entries.up = { tonumber(x), tonumber(y), tonumber(z) }
  return entries
end

local function tables_in(folder)
  local list = {}
  for _, name in ipairs(core.list_folder(folder) or {}) do
    if name:match("%.tsv$") then list[#list + 1] = { name = name, path = folder .. "/" .. name } end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- The run whose particles are in base.pvd.
local function run_at(base)
  local frames = read_collection(base .. ".pvd")
  if #frames == 0 then refuse("%s.pvd: the run has no frames", base) end
  local by_time = {}
  for k = 2, #kinds do
    local kind = kinds[k]
    local path = base .. "_" .. kind .. ".pvd"
    by_time[kind] = {}
    if is_file(path) then
      for _, entry in ipairs(read_collection(path)) do by_time[kind][entry.time] = entry.file end
    end
  end
  local list = {}
  for k, entry in ipairs(frames) do
    list[k] = { particles = entry.file }
    for kind, files in pairs(by_time) do list[k][kind] = files[entry.time] end
  end
  return { base = base, frames = list, up = frames.up, tables = tables_in(base:match("^(.*)/[^/]*$") or ".") }
end

-- Collections of particles in a folder, without their .pvd, sorted.
local function bases_in(folder, names)
  local is_there, bases = {}, {}
  for _, name in ipairs(names) do is_there[name] = true end
  for _, name in ipairs(names) do
    local base = name:match("^(.+)%.pvd$")
    local owner, kind = (base or ""):match("^(.+)_(%l+)$")
    local belongs = owner and is_there[owner .. ".pvd"] and is_kind[kind]
    if base and not belongs then bases[#bases + 1] = folder .. "/" .. base end
  end
  table.sort(bases)
  return bases
end

local function checkpoints_in(folder, names)
  local list = {}
  for _, name in ipairs(names) do
    if name:match("%.floc$") then list[#list + 1] = folder .. "/" .. name end
  end
  table.sort(list)
  return list
end

local function only_one(path, list, ending)
  if #list < 2 then return list[1] end
  local shown = {}
  for k, one in ipairs(list) do shown[k] = one .. ending end
  refuse("%s contains several runs; name one of them: %s", path, table.concat(shown, ", "))
end

local function run_in(path, names)
  local folder = path:gsub("(.)/+$", "%1")
  local base = only_one(path, bases_in(folder, names), ".pvd")
  if base then return run_at(base) end
  if is_file(folder .. ".pvd") then return run_at(folder) end
  local checkpoint = only_one(path, checkpoints_in(folder, names), "")
  if checkpoint then return { base = checkpoint, checkpoint = checkpoint, tables = tables_in(folder) } end
  refuse("%s contains no run: expected a .pvd written by sim:write_vtp, or a checkpoint (.floc)", path)
end

function view.find(path)
  local names, message, is_a_file = core.list_folder(path)
  if names then return run_in(path, names) end
  if not is_a_file then
    if is_file(path .. ".pvd") then return run_at(path) end
    refuse("%s: %s", path, is_file(path) and message or "there is no such file or folder")
  end
  if path:match("%.pvd$") then return run_at((path:gsub("%.pvd$", ""))) end
  if path:match("%.vtp$") then refuse("%s is one file of a run; name the run's collection (.pvd) or its folder", path) end
  return { base = path, checkpoint = path, tables = tables_in(path:match("^(.*)/[^/]*$") or ".") }
end

-- ---- frames -------------------------------------------------------------------------------------

local function answer(value, ...)
  if value == nil then refuse("%s", (...)) end
  return value, ...
end

-- Encodes what a world is like now.
function view.encode_world(encoder, inner, key, paths)
  core.page_begin(encoder, key)
  for _, kind in ipairs(kinds) do
    answer(core.page_world(inner.world, encoder, kind, kind == "rays" and paths or nil))
  end
end

local function encode_files(encoder, frame, key)
  core.page_begin(encoder, key)
  for _, kind in ipairs(kinds) do
    if frame[kind] then answer(core.page_file(encoder, kind, frame[kind])) end
  end
end

-- Names of the particles' columns, from the ranges of a frame.
local function columns_of(ranges)
  local names, list = {}, {}
  for name in pairs(ranges) do
    local column = name:match("^particles%.([^.]+)")
    if column and column ~= "x" and column ~= "y" and column ~= "z" then names[column] = true end
  end
  for name in pairs(names) do list[#list + 1] = name end
  table.sort(list)
  return list
end

local function check_columns(wanted, ranges)
  local known = columns_of(ranges)
  known[#known + 1] = "speed"
  for k, name in ipairs(wanted) do
    local found = false
    for _, column in ipairs(known) do found = found or column == name end
    if not found then refuse("--columns: the run has no column %s%s; it has %s", name, check.suggestion(name, known), table.concat(known, ", ")) end
    if name == "speed" then wanted[k] = "velocity" end
  end
end

local function encoder_for(run, options)
  local wanted = options.columns
  if not wanted then return core.page_encoder(false, nil) end
  local probe = core.page_encoder(false, nil)
  if run.inner then
    view.encode_world(probe, run.inner, true)
  else
    encode_files(probe, run.frames[1], true)
  end
  check_columns(wanted, core.page_ranges(probe))
  return core.page_encoder(false, wanted)
end

-- Writes all frames through put(text); their list for the index.
local function write_frames(run, options, encoder, put)
  local every, list, since_key, group = options.every or 1, {}, 0, longest_group
  for k = 1, #run.frames, every do
    if options.interrupted() then refuse("interrupted; no page was written") end
    local key = #list == 0 or since_key >= group
    if run.inner then
      view.encode_world(encoder, run.inner, true)
    else
      encode_files(encoder, run.frames[k], key)
    end
    local bytes, step, time, count = answer(core.page_end(encoder))
    group = math.max(1, math.min(longest_group, math.floor(most_bytes_per_group / (64 * count + 1))))
    since_key = key and 1 or since_key + 1
    list[#list + 1] = { step, time, count, key and 1 or 0 }
    put(string.format('<script type="text/plain" id="f%d">', #list - 1), core.base64(bytes), "</script>\n")
  end
  return list
end

-- ---- the file -----------------------------------------------------------------------------------

local unit_names = { "length", "time", "mass" }

local function units_of(text)
  if not text then return nil end
  local units, k = {}, 0
  for unit in (text .. ","):gmatch("([^,]*),") do
    k = k + 1
    if not unit_names[k] or unit == "" then refuse("--units is %s; it must be the units of length, time and mass, as in --units=m,s,kg", text) end
    units[unit_names[k]] = unit
  end
  if k ~= 3 then refuse("--units is %s; it must be the units of length, time and mass, as in --units=m,s,kg", text) end
  return units
end

function view.index(given)
  given.version = core.version
  return view.packed("floc-index", json.encode(given))
end

-- Where the page looks from; by default y is upwards, as in pictures.
function view.camera(upwards)
  local v = up.direction(upwards)
  return up.camera(v and #v == 3 and v or { 0, 1, 0 })
end

local function title_of(run) return run.title or run.base:match("([^/]+)$") end

local function write_page(run, options, put, first, last)
  put(first)
  local encoder = encoder_for(run, options)
  local frames = write_frames(run, options, encoder, put)
  local tables = setmetatable({}, json.list)
  for k, one in ipairs(run.tables) do
    tables[k] = one.name
    put(view.packed("t" .. (k - 1), session.read_text(one.path) or ""))
  end
  put(view.index { title = title_of(run), frames = frames, ranges = core.page_ranges(encoder), tables = tables, units = units_of(options.units), camera = view.camera(run.up) })
  put(last)
  return #frames
end

-- The world of a checkpoint, made from its sections alone: the script in it is not run.
local function load_checkpoint(run)
  local file, taken, refused = core.file_open_newest(run.checkpoint)
  if not file then refuse("%s", session.about(run.checkpoint, taken)) end
  for line in refused:gmatch("[^\n]+") do io.stderr:write("floc: ", line, "\n") end
  if taken ~= run.checkpoint then io.stderr:write("floc: taking ", taken, " instead\n") end
  local world, message = core.file_world(file)
  if not world then refuse("%s", session.about(taken, message)) end
  local record = info.record(file)
  core.file_close(file)
  local name = record and tostring(record.script_name)
  run.inner, run.title = { world = world }, name and (name:match("([^/]+)%.lua$") or name)
  local settled = record and record.up
  run.up = type(settled) == "table" and settled.shown or up.against(core.info(world).gravity, 3)
  run.frames = { {} }
end

-- options: output, every, columns (list), units, page (functions of the program), interrupted. The file's name, its size in bytes, the number of frames.
function view.write(path, options)
  local run = view.find(path)
  local first, last = view.halves(options.page)
  if not first then refuse("%s", last) end
  units_of(options.units)
  if run.checkpoint then load_checkpoint(run) end
  local output = options.output or run.base:gsub("%.floc$", "") .. ".html"
  local ok, message = session.make_folder_for(output)
  if not ok then refuse("%s", session.about(output, message)) end
  local count
  local fine, size = session.write_whole(output, function(put) count = write_page(run, options, put, first, last) end)
  if not fine then error(size:find("^floc: ") and size or "floc: " .. session.about(output, size), 0) end
  return output, size, count
end

return view
