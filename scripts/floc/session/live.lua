-- `floc run --live`: the run loop's side of the browser page. The server is a thread of its own (bindings/command/
-- live_server.h); here is what goes into it and what comes out of it, between two steps.
--
-- A frame is made only when a browser asked for one, and frames take at most a fifth of the time: a slow browser, none,
-- or many change nothing about the simulation, which never waits for them.

local changes = require "floc.session.changes"
local core = require "floc.core"
local json = require "floc.output.json"
local up = require "floc.simulation.up"
local view = require "floc.command.view"

local live = {}
live.__index = live

live.no_server = "this floc was built without the server of --live; install libmicrohttpd-dev (Debian package) and build it again"

local rest_per_frame, shortest_rest = 4, 0.02 -- in times of a frame's making, and seconds
local nap = 0.01
local patience, haste, pause_of_others = 10, 2, 0.3 -- seconds without a request after which the page counts as gone; the same after a signal;
-- and until those who were not the first to say that they have it all are taken to have it

local function refuse(format, ...) error("floc: " .. string.format(format, ...), 0) end

-- page: functions of the program; options: port, paused, title, interrupted. The address goes to tell.
function live.start(page, options, tell)
  if not page.start then refuse("%s", live.no_server) end
  local first, last = view.halves(page)
  if not first then refuse("%s", last) end
  local self = setmetatable({ page = page, paused = options.paused or false, interrupted = options.interrupted,
    encoder = core.page_encoder(true, nil), next_frame = 0, logged = 0, tables = {}, changed = true }, live)
  self.text = first .. view.index { live = true, title = options.title, frames = setmetatable({}, json.list) } .. last
  local port, key
  self.server, port, key = page.start(self.text, options.port or 0)
  if not self.server then refuse("--live: %s", port) end
  tell(string.format("floc: open http://127.0.0.1:%d/?key=%s", port, key))
  return self
end

-- ---- what goes out ------------------------------------------------------------------------------

local function parameters_of(one)
  local list = setmetatable({}, json.list)
  for _, field in ipairs(one.parameters or {}) do
    if field.adjustable then
      list[#list + 1] = { name = field.name, low = field.at_least, high = field.at_most, value = one.values[field.name],
        integer = field.type == "integer", text = field.text }
    end
  end
  return list
end

local function publish(self, inner, ended)
  local begun = core.now()
  view.encode_world(self.encoder, inner, true, inner.ray_paths and inner.ray_paths(inner.sim))
  local bytes = core.page_end(self.encoder, json.encode { paused = self.paused, ended = ended or false, simulation = inner.number,
    dimension = inner.dimension, camera = inner.dimension == 3 and view.camera(up.of(inner)) or nil, parameters = parameters_of(inner.session), log = self.logged })
  if bytes then self.page.publish(self.server, bytes) end
  local now = core.now()
  self.next_frame = now + math.max(shortest_rest, rest_per_frame * (now - begun))
  self.shown, self.shown_step, self.changed = inner, core.clock(inner.world), false
end

local function publish_if_wanted(self, inner)
  if core.now() < self.next_frame or not self.page.watch(self.server) then return end
  if self.changed or self.shown ~= inner or self.shown_step ~= core.clock(inner.world) then publish(self, inner) end
end

-- A row of a table of sim:observe; columns: its names.
function live:row(path, columns, line)
  local name = path:match("([^/]+)$")
  local text = "R\t" .. name .. "\t" .. line .. "\n"
  if not self.tables[path] then
    self.tables[path] = true
    text = "H\t" .. name .. "\t" .. columns .. "\n" .. text
  end
  if self.page.log(self.server, text) then self.logged = self.logged + #text end
end

-- ---- what comes in ------------------------------------------------------------------------------

local function say_once(self, message)
  if self.said == message then return end
  self.said = message
  io.stderr:write("floc: --live: ", message, "\n")
end

local words = {}

function words.pause(self) self.paused = true end
function words.resume(self) self.paused = false end

function words.step(self)
  self.paused, self.single = true, true
end

function words.set(self, inner, name, text)
  local ok, message = changes.make(inner, name, tonumber(text))
  if not ok then say_once(self, message) end
end

local function take_commands(self, inner)
  local text = self.page.command(self.server)
  while text do
    local word, name, value = text:match("^(%a*)\t([^\t]*)\t([^\t]*)$")
    if words[word] then words[word](self, inner, name, value) end
    self.changed = true
    text = self.page.command(self.server)
  end
end

-- Between two steps. While it is paused the simulation stays here, until it is told to continue or interrupted.
function live:tick(inner)
  self.single, self.inner = false, inner
  take_commands(self, inner)
  publish_if_wanted(self, inner)
  while self.paused and not self.single and not self.interrupted() do
    self.page.sleep(nap)
    take_commands(self, inner)
    publish_if_wanted(self, inner)
  end
end

-- Whether a page has said that it has the last frame and the tables; nothing else is taken any more.
local function has_parted(self)
  for text in self.page.command, self.server do
    if text:find "^bye\t" then self.parted = true end
  end
  return self.parted
end

-- The end of the script, also of one that failed: the last state, for who looks at it, until it is known to be there.
function live:finish()
  local _, _, silence = self.page.watch(self.server)
  local longest = self.interrupted() and haste or patience
  if self.inner and silence < longest then
    pcall(publish, self, self.inner, true)
    while silence < (has_parted(self) and pause_of_others or longest) do
      self.page.sleep(nap)
      _, _, silence = self.page.watch(self.server)
    end
  end
  self.page.stop(self.server)
end

return live
