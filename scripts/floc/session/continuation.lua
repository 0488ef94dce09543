-- floc run --continue: a run that is started again by the same command, by a batch system say, continues from its newest
-- checkpoint. The file continue.txt in the folder of output names that checkpoint and the state in it; it is written after each
-- checkpoint, wherever the script has these written.

local session = require "floc.session.session"

local continuation = {}

local function path_of(one) return session.out_folder(one) .. "/continue.txt" end

-- What --name=value words come to: their order means nothing, the last value of a name counts.
local function values_of(words)
  local values = {}
  for _, word in ipairs(words) do values[word:match "^%-%-([^=]+)" or word] = word end
  return values
end

local function same(a, b)
  a, b = values_of(a), values_of(b)
  for name, word in pairs(a) do
    if b[name] ~= word then return false end
  end
  for name in pairs(b) do
    if not a[name] then return false end
  end
  return true
end

-- What there is noted in a folder of output; nil without it.
function continuation.noted(out) return session.read_text(out .. "/continue.txt") end

-- What resume.find gives of the checkpoint to continue from; nil where the run has to start at its beginning, which tell is told
-- the reason of. A checkpoint without this user's seal is taken when the program in it is the one that the user is starting.
function continuation.find(one, tell)
  local noted = session.read_text(path_of(one))
  local path = noted and noted:match "^[^\n]*\n([^\n]+)\n"
  if not path then return nil end
  local found, message = require("floc.session.resume").find(path, tell)
  local why = not found and message or found.script ~= one.script_text and path .. " contains another script"
    or not same(found.record.arguments, one.arguments) and path .. " is of a run with other arguments"
  if why then
    tell(why .. "; the run starts at its beginning")
    return nil
  end
  return found, noted
end

-- A checkpoint was written. one.is_further: the session has come further than the checkpoint that it began with.
function continuation.note(one, path, simulation, step)
  local text = string.format("simulation %d, step %.0f\n%s\n", simulation, step, path)
  one.is_further = one.is_further or text ~= one.continued_from
  if text == one.noted then return end
  local ok = session.make_folder_for(path_of(one), true)
  local message
  if ok then ok, message = session.write_text(path_of(one), text) end
  if not ok then error(string.format("%s: %s", path_of(one), message or "its folder cannot be made"), 0) end
  one.noted = text
end

return continuation
