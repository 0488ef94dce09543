-- Parameters that change while a simulation runs: by a slider of `floc run --live`, or again from the file that such a run
-- left (`floc run FILE --changes=`).
--
-- A change is a datum of the run, as its arguments are: it has a place, between one step and the next of a certain run of a
-- certain simulation, and what follows from it is the same whenever the same list is applied. So the session keeps the
-- list, checkpoints carry it, and a resumed script finds in its args what stood there: runs that a resume skips apply
-- their changes at once, runs that are computed again apply them at their steps. The list is also written to a file
-- after each change, so that an interactive run can be made again from its start.

local check = require "floc.surface.check"
local core = require "floc.core"
local session = require "floc.session.session"

local changes = {}

local head = "simulation\trun\tstep\tname\tvalue"

function changes.file(one) return session.out_folder(one) .. "/changes.tsv" end

local function field_of(one, name)
  for _, field in ipairs(one.parameters or {}) do
    if field.name == name then return field end
  end
end

-- The value as the declared parameter takes it; nil and a message.
function changes.checked(one, name, value)
  local field = field_of(one, name)
  if not field then return nil, string.format("there is no parameter %s", check.show(name)) end
  if not field.adjustable then
    return nil, string.format("%s was not declared as an adjustable parameter: floc.args { %s = { value, minimum, maximum } }", name, name)
  end
  local converted = type(value) == "number" and check.types[field.type].convert(field, value)
  if converted == nil or converted == false then
    return nil, string.format("%s is %s; it must be %s", name, check.show(value), check.describe(field))
  end
  return converted
end

local function apply(one, change) one.values[change.name] = change.value end

-- ---- while it runs ------------------------------------------------------------------------------

-- Applies what the list has for the place between this step and the next.
function changes.due(inner, step)
  local one = inner.session
  for _, change in ipairs(one.changes) do
    if change.step == step and change.run == inner.events and change.simulation == inner.number then apply(one, change) end
  end
end

-- Of the present run: what came before a step, or all of it.
function changes.catch_up(inner, before)
  local one = inner.session
  for _, change in ipairs(one.changes) do
    if change.run == inner.events and change.simulation == inner.number and (not before or change.step < before) then apply(one, change) end
  end
end

local function write_file(one)
  local path = changes.file(one)
  local ok, message = session.make_folder_for(path)
  if not ok then return nil, message end
  local lines = { head }
  for _, change in ipairs(one.changes) do
    lines[#lines + 1] = string.format("%d\t%d\t%d\t%s\t%s", change.simulation, change.run, change.step, change.name,
      core.number_text(change.value, 17))
  end
  return session.write_text(path, table.concat(lines, "\n") .. "\n")
end

-- A change here and now. nil and a message when it is refused, or cannot be written down.
function changes.make(inner, name, value)
  local one = inner.session
  local checked, message = changes.checked(one, name, value)
  if checked == nil then return nil, message end
  local step = core.clock(inner.world)
  local last = one.changes[#one.changes]
  if last and last.step == step and last.name == name and last.run == inner.events and last.simulation == inner.number then
    last.value = checked -- the slider moved on while the simulation stood
  else
    last = { simulation = inner.number, run = inner.events, step = step, name = name, value = checked }
    one.changes[#one.changes + 1] = last
  end
  apply(one, last)
  return write_file(one)
end

-- ---- from a file --------------------------------------------------------------------------------

local function whole(text)
  local value = tonumber(text)
  return value and value >= 0 and value == math.floor(value) and value < 2 ^ 53 and value or nil
end

-- The list in a file.
function changes.read(path)
  local text = session.read_text(path)
  if not text then error(string.format("floc: %s: there is no such file, or it cannot be read", path), 0) end
  local list, number = {}, 0
  for line in text:gmatch("[^\n]+") do
    number = number + 1
    local simulation, run, step, name, value = line:match("^(%d+)\t(%d+)\t(%d+)\t([%w_]+)\t(%S+)$")
    simulation, run, step, value = whole(simulation), whole(run), whole(step), tonumber(value)
    if number > 1 and not (simulation and run and step and value) then
      error(string.format("floc: %s, line %d: it must contain simulation, run, step, name and value, separated by tabs", path, number), 0)
    end
    if number == 1 and line ~= head then error(string.format("floc: %s: it is not a list of changes as floc run --live writes it", path), 0) end
    if number > 1 then list[#list + 1] = { simulation = simulation, run = run, step = step, name = name, value = value, line = number } end
  end
  if number == 0 then error(string.format("floc: %s: it is not a list of changes as floc run --live writes it", path), 0) end
  return list
end

-- When the script has declared its parameters: whether the list fits them.
function changes.check(one)
  for k, change in ipairs(one.changes) do
    local checked, message = changes.checked(one, change.name, change.value)
    if checked == nil then
      error(string.format("floc: %s: %s", one.changes_path and one.changes_path .. ", line " .. (change.line or k + 1) or "changes", message), 0)
    end
    change.value = checked
  end
end

return changes
