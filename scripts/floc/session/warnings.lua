-- Warnings that a result may be wrong: steps above their tolerance, overlaps, checkpoints that could not be written.
-- They are written whether the run is quiet or not. Of each kind five are, for each simulation; the others are counted,
-- and their number is told when the script has ended. A kind is the text without its numbers.

local session = require "floc.session.session"

local warnings = {}

local most = 5

local function write(text) io.stderr:write("floc: warning: ", text, "\n") end

-- The counts of what was not shown.
function warnings.finish(one)
  for _, entry in ipairs(one.warnings) do
    local left = entry.count - most
    if left > 0 then
      write(string.format("and %d more warning%s of this kind%s: %s", left, left == 1 and "" or "s",
        entry.number > 0 and one.simulation_count > 1 and " about simulation " .. entry.number or "", entry.last))
    end
    entry.count = 0
  end
end

-- number: of the simulation that it is about, or nil. kind: where messages of one kind differ by more than numbers.
function warnings.tell(one, number, text, kind)
  number = number or 0
  kind = number .. (kind or text:gsub("%-?%d[%d%.]*e?[%+%-]?%d*", "#"))
  local entry = one.warnings[kind]
  if not entry then
    entry = { number = number, count = 0 }
    one.warnings[kind] = entry
    one.warnings[#one.warnings + 1] = entry
  end
  entry.count, entry.last = entry.count + 1, text
  if entry.count <= most then return write(text) end
  -- a host of its own has no other end of the script
  if not one.program and not one.warnings_end then
    one.warnings_end = session.guard(function() warnings.finish(one) end)
  end
end

-- What the engine says (bindings/lua/world/world.c).
function warnings.from_engine(level, text, number)
  local one = session.current()
  if level > 0 then
    warnings.tell(one, number, text)
  elseif not one.quiet then
    io.stderr:write("floc: ", text, "\n")
  end
end

return warnings
