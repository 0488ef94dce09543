-- sim:record: a movie made by ffmpeg while the simulation runs, or numbered pictures.
--
-- A movie cannot be cut at a checkpoint and continued: what ffmpeg has not closed is lost with the process,
-- and frames lean on their neighbours. So it is made in parts, NAME.parts/000001.mp4, ...: a part is closed
-- before each checkpoint, and a checkpoint notes how many parts and frames there are. When the script ends,
-- stopped or not, the parts are joined to the movie, without a new compression, and removed. On resume the parts
-- after the checkpoint are removed; if the movie has been put together already, its first frames, as many as the
-- checkpoint knows, are copied out of it as the first part. As a part begins with a whole picture, that cut is
-- exact. A .gif is compressed again by both, with the same frames. A checkpoint costs the start of an ffmpeg.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local drawing = require "floc.output.drawing"
local interval = require "floc.session.interval"
local outputs = require "floc.output.outputs"
local picture = require "floc.output.picture"
local session = require "floc.session.session"
local shell = require "floc.command.shell"

local movie = {}

local containers = { mp4 = "mp4", webm = "webm", gif = "gif" }
local gif_colours = "split[a][b];[a]palettegen[p];[b][p]paletteuse"

local function ending_of(path) return (path:match("%.(%w+)$") or ""):lower() end

local function is_pattern(path) return path:match("^[^%%]*%%%d*d[^%%]*%.[pP][nN][gG]$") ~= nil end

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- ---- the files ----------------------------------------------------------------------------------

local function parts_folder(self) return self.kept.path .. ".parts" end

local function part_name(self, number) return string.format("%06d.%s", number, ending_of(self.kept.path)) end

local function part_path(self, number) return parts_folder(self) .. "/" .. part_name(self, number) end

-- Removes what is in the folder of the parts but the first `count` parts; with count 0 the folder too.
local function clear_parts(self, count)
  local folder, keep = parts_folder(self), {}
  for number = 1, count do keep[part_name(self, number)] = true end
  for _, name in ipairs(core.list_folder(folder) or {}) do
    if name:match("^%d+%.") and not keep[name] or name == "list.txt" then os.remove(folder .. "/" .. name) end
  end
  if count == 0 then os.remove(folder) end
end

-- The name of a picture, from 0.
local function picture_path(self, number)
  local before, digits, after = self.kept.pictures:match("^(.-)%%(%d*)d(.*)$")
  return before .. string.format("%" .. digits .. "d", number) .. after
end

-- Pictures that an earlier run left behind the first `count`.
local function clear_pictures(self, count)
  while os.remove(picture_path(self, count)) do count = count + 1 end
end

local function ffmpeg(...)
  local ok, said = shell.run("ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", ...)
  return ok, (said:gsub("%s+$", ""))
end

-- Copies what ffmpeg reads from the given arguments into path.
local function copy(self, path, ...)
  local words = { ... }
  local container = ending_of(self.kept.path)
  local how = container == "gif" and { "-vf", gif_colours } or { "-c", "copy" }
  for _, word in ipairs(how) do words[#words + 1] = word end
  for _, word in ipairs { "-f", containers[container], path } do words[#words + 1] = word end
  return ffmpeg((unpack or table.unpack)(words))
end

local function join(self)
  local list = {}
  for number = 1, self.kept.parts do list[number] = "file '" .. part_name(self, number) .. "'\n" end
  local name, joined = parts_folder(self) .. "/list.txt", parts_folder(self) .. "/000000." .. ending_of(self.kept.path)
  local written, message = session.write_text(name, table.concat(list))
  if not written then return nil, message end
  local ok, said = copy(self, joined, "-f", "concat", "-safe", "0", "-i", name)
  if not ok then return nil, "the parts of " .. self.kept.path .. " could not be joined: " .. said end
  return os.rename(joined, self.kept.path)
end

-- ---- frames -------------------------------------------------------------------------------------

local methods = { entries = "frames" }
methods.__index = methods

-- Without ffmpeg: pictures in a folder of the movie's name.
local function use_pictures(self, tell)
  local name = self.kept.path:gsub("%.%w+$", "")
  self.kept.pictures = name .. "/%06d.png"
  tell(string.format("%s needs the program ffmpeg, which is not installed; the frames go to %s instead. Later: ffmpeg "
    .. "-framerate %g -i %s -pix_fmt yuv420p %s", self.kept.path, picture_path(self, 0), self.values.frames_per_second,
    self.kept.pictures, self.kept.path))
end

local function open(self, options, scene)
  local kept = self.kept
  if not kept.width then
    local width, height = core.picture_size(options, { scene })
    if not width then check.fail("record", "%s", height) end
    kept.width, kept.height = width, height
  end
  if not kept.pictures then kept.parts = kept.parts + 1 end
  local path = kept.pictures or part_path(self, kept.parts)
  local ok, message = session.make_folder_for(path)
  if ok then
    self.movie, message = core.movie_open(path, kept.width, kept.height, self.values.frames_per_second,
      kept.pictures and kept.frames or 0)
  end
  if not self.movie then check.fail("record", "%s", message) end
end

function methods:write(sim, inner)
  local values = self.values
  local caption = string.format("step %d, t = %.6g", sim.step, sim.time)
  local options = picture.page_of(values, caption)
  local scene = picture.scene_of("record", inner, sim, self.follows_cell and picture.window_of_cell(inner, values) or values)
  if not self.movie then open(self, options, scene) end
  local ok, message = core.movie_frame(self.movie, options, { scene })
  core.scene_free(scene)
  if not ok then check.fail("record", "%s", message) end
  self.kept.frames = self.kept.frames + 1
end

function methods:settle()
  if not self.movie or self.kept.pictures then return end
  local ok, message = core.movie_close(self.movie)
  self.movie = nil
  if not ok then check.fail("record", "%s", message) end
end

-- The movie from its parts; nil, message when that fails: the parts stay then.
function methods:finish()
  if self.finished then return true end
  self.finished = true
  if self.movie then
    local ok, message = core.movie_close(self.movie)
    self.movie = nil
    if not ok then return nil, message end
  end
  if self.kept.pictures or self.kept.parts == 0 then return true end
  local ok, message
  if self.kept.parts == 1 then
    ok, message = os.rename(part_path(self, 1), self.kept.path)
  else
    ok, message = join(self)
  end
  if not ok then return nil, message end
  clear_parts(self, 0)
  return true
end

-- ---- resume -------------------------------------------------------------------------------------

-- Parts 1 to kept.parts as they were at the checkpoint, from themselves or from the movie; false when neither
-- has them.
local function bring_back(self)
  local kept = self.kept
  local whole = true
  for number = 1, kept.parts do whole = whole and exists(part_path(self, number)) end
  if whole then return true end
  if not exists(kept.path) then return false end
  local ok = session.make_folder_for(part_path(self, 1))
  clear_parts(self, 0)
  ok = ok and session.make_folder_for(part_path(self, 1))
    and copy(self, part_path(self, 1), "-i", kept.path, "-map", "0:v:0", "-frames:v", tostring(kept.frames))
  if ok then kept.parts = 1 end
  return ok
end

function methods:restore(was, tell)
  self.finished = nil
  local goes_on = was ~= nil
  if was then outputs.take_back(self, was) end
  local kept = self.kept
  if not kept.pictures and not shell.has("ffmpeg") then use_pictures(self, tell) end
  if kept.pictures then
    clear_pictures(self, kept.frames)
    return goes_on
  end
  if not bring_back(self) then
    goes_on, kept.parts, kept.frames = false, 0, 0
  end
  clear_parts(self, kept.parts)
  return goes_on
end

-- ---- the call -----------------------------------------------------------------------------------

function movie.record(inner, given)
  drawing.need "record"
  local values = check.table(declarations.record, given, inner.dimension)
  if not containers[ending_of(values.movie)] and not is_pattern(values.movie) then
    check.fail("record", "movie is %s; it must end with .mp4, .webm or .gif, or be a pattern like frames/%%05d.png",
      check.show(values.movie))
  end
  -- Without a window the picture would follow the outermost particle: a domain stands still.
  local follows_cell = not values.lower and not values.upper and inner.domain
  if follows_cell then values.lower, values.upper = inner.domain.lower, inner.domain.upper end
  local self = setmetatable({ every = interval.of("record", values.every), values = values, follows_cell = follows_cell,
    kept = { path = values.movie, frames = 0, parts = 0, pictures = is_pattern(values.movie) and values.movie or nil } }, methods)
  if not outputs.add("record", inner, self) then return end
  self.guard = session.guard(function() self:finish() end)
  if inner.session.replay then
    self.finished = true -- nothing to put together before the checkpoint is reached
    return
  end
  if not self.kept.pictures and not shell.has("ffmpeg") then
    use_pictures(self, function(text)
      if not inner.session.quiet then io.stderr:write("floc: warning: ", text, "\n") end
    end)
  end
  if self.kept.pictures then
    clear_pictures(self, 0)
  else
    clear_parts(self, 0)
  end
end

return movie
