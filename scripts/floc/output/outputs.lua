-- Files that grow while a simulation runs: tables (observe.lua), movies (movie.lua), particles for other programs
-- (export.lua). What they share is here: when they write, and how they keep their place when a run is stopped
-- and resumed.
--
-- An output has
--   every                    the interval between two entries (session/interval.lua)
--   kept                     plain data that say how far it is; travels in the checkpoint. kept.last is the step
--                            of the last entry, so that none is written twice; kept.path tells outputs apart
--   write(self, sim, inner)  the entry of the present step
--   restore(self, was, tell) continues from where a checkpoint was; `was` is what kept was then, or nil where there
--                            was no such file. False when the file does not hold what it held then, and is begun
--                            again
--   entries                  what they are called: rows, frames
-- and may have
--   settle(self)             before a checkpoint: all that was written so far is safe in files of its own
--   finish(self)             after the last entry, when the script has ended
--
-- The session holds the kept data of all simulations, by number, and the outputs belong to the simulation: a
-- simulation that is gone keeps its place as well.

local check = require "floc.surface.check"
local core = require "floc.core"
local interval = require "floc.session.interval"
local sandbox = require "floc.session.sandbox"

local outputs = {}

-- Comes before anything is written, or removed. call: for the message. False where the file is left out.
function outputs.add(call, inner, self)
  if sandbox.leaves_out(call) then return false end
  local ok, message = sandbox.allow_files()
  if not ok then check.fail(call, "%s", message) end
  for _, other in ipairs(inner.outputs) do
    if other.kept.path == self.kept.path then check.fail(call, "%s is written by an earlier call of this simulation already", check.show(self.kept.path)) end
  end
  self.kept.last = -1
  inner.outputs[#inner.outputs + 1] = self
  inner.positions[#inner.outputs] = self.kept
  return true
end

-- Those that have an entry to write now.
-- At intervals of time, there is one of the first state as well.
function outputs.is_due(self, inner, step, time)
  if self.kept.last == step then return false end
  if type(self.every) == "table" and self.kept.last < 0 then return true end
  return interval.is_due(self.every, inner, step, time)
end

function outputs.write(self, sim, inner, step)
  self.kept.last = step
  self:write(sim, inner, step)
end

local function each(one, fn)
  for _, inner in pairs(one.simulations) do
    for _, self in ipairs(inner.outputs) do fn(self) end
  end
end

-- What a checkpoint keeps, of all simulations of a session.
function outputs.positions(one)
  each(one, function(self) if self.settle then self:settle() end end)
  return one.positions
end

-- kept becomes what it was; the table stays the same, as the session holds it.
function outputs.take_back(self, was)
  for key in pairs(self.kept) do self.kept[key] = nil end
  for key, value in pairs(was) do self.kept[key] = value end
end

-- What was written to a file that grows in its position is on the disk, so that a crash of the machine does not leave it
-- shorter than a checkpoint says.
function outputs.settle(call, path)
  local ok, message = core.file_settle(path)
  if not ok then check.fail(call, "%s: %s", path, message) end
end

-- Cuts a file to a length; false when it is not as long as that.
function outputs.cut(path, length)
  local file = io.open(path, "rb")
  if not file then return false end
  local size = file:seek("end")
  file:close()
  return size >= length and core.truncate(path, length) or false
end

local function restore_one(inner, list, tell)
  for k, self in ipairs(inner.outputs) do
    local was, path = list and list[k], self.kept.path
    local goes_on = self:restore(was and was.path == path and was or nil, tell)
    if was then self.kept.last = was.last end -- the entry of the checkpoint's step was written then
    if not goes_on and was and was.last >= 0 then
      tell(string.format("%s does not contain the %s up to the checkpoint; it is started again", path, self.entries))
    end
  end
end

function outputs.restore(one, positions, tell)
  for number, list in pairs(positions) do
    if not one.simulations[number] then one.positions[number] = list end
  end
  for number, inner in pairs(one.simulations) do restore_one(inner, positions[number], tell) end
end

-- At the end of a script, also of one that failed. Problems are reported, not raised: there may be an error on its
-- way already.
function outputs.finish(one, tell)
  each(one, function(self)
    if not self.finish then return end
    local ok, message = self:finish()
    if not ok and message then tell(message) end
  end)
end

return outputs
