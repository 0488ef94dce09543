-- What a simulation was made of, call by call, so that a resume puts a state into the simulation that it came from.
--
-- Each call that sets a simulation up becomes one line of text: the call, what it was given, and its line in the script.
-- Functions stand for themselves by their place, bodies and laws by their number, other values of the module by their
-- name and what they hold. A checkpoint keeps the lines, and a resume compares them before it loads the state. Equal calls of the
-- same line of the script, one after the other, are one line with a count (particles that are added one by one, whose
-- values come with the state).
--
-- The functions that such a call was given are also what can change the script's variables during a run: they are
-- handed to keep.lua.

local check = require "floc.surface.check"
local core = require "floc.core"
local keep = require "floc.session.keep"
local session = require "floc.session.session"

local setup = {}

local next, type, concat, sort = next, type, table.concat, table.sort

local longest_line, most_lines = 160, 4000

-- Calls of which only the number is kept.
local counted = { add_particle = true, remove_particle = true }

-- Methods of sim that set it up.
setup.calls = { "add_particle", "add_particles", "remove_particle", "remove_body", "remove", "add_inlet", "add_outlet", "add_attribute", "add_body", "deform", "add_assembly", "add_joint", "add_field", "add_force", "add_many_body", "add_wall_force",
  "add_evolution", "add_attraction", "add_long_range", "add_noise", "add_flow", "set_a_priori", "every", "observe", "write_merges", "record", "write_vtp", "write_xyz",
  "add_bond", "remove_bond", "add_angle_force", "add_law_bonds", "remove_law_bonds", "set_law_bonds", "add_ray_source", "set_media" }

-- ---- a call as text -----------------------------------------------------------------------------

local function key_order(a, b)
  if type(a) == type(b) then return a < b end
  return type(a) < type(b)
end

local describe

-- A path below the folder for output is the same in any such folder: `floc resume --out` may choose another one.
local function describe_text(value, one)
  local out = session.out_folder(one)
  if value:sub(1, #out + 1) == out .. "/" then value = "(out)" .. value:sub(#out + 1) end
  return string.format("%q", value)
end

local function describe_entries(value, functions, depth)
  local keys, parts = {}, {}
  for key in next, value do
    if type(key) == "string" or type(key) == "number" then keys[#keys + 1] = key end
  end
  sort(keys, key_order)
  for k, key in ipairs(keys) do
    parts[k] = (key == k and "" or tostring(key) .. " = ") .. describe(value[key], functions, depth + 1)
  end
  return "{ " .. concat(parts, ", ") .. " }"
end

local named = { simulation = true, body = true, law = true, panels = true, random = true }

function describe(value, functions, depth)
  local kind = type(value)
  if kind == "number" then return core.number_text(value, 17) end
  if kind == "string" then return describe_text(value, session.current()) end
  if kind == "boolean" or kind == "nil" then return tostring(value) end
  if kind == "function" then
    functions[#functions + 1] = value
    return "function at " .. check.definition(value)
  end
  if kind ~= "table" then return kind end
  if depth > 8 then return "{ ... }" end
  local meta = debug.getmetatable(value)
  local name = type(meta) == "table" and meta.floc_name
  if type(name) ~= "string" then return describe_entries(value, functions, depth) end
  if named[name] then
    local record = name ~= "simulation" and check.record(value, name)
    return name .. (record and " " .. record.number or "")
  end
  return name .. describe_entries(value, functions, depth)
end

-- ---- noting -------------------------------------------------------------------------------------

local function append(list, call, text, place)
  local last = list[#list]
  if last and last.call == call and last.text == text and last.place == place then
    last.count = last.count + 1
  elseif #list < most_lines then
    list[#list + 1] = { call = call, text = text, place = place, count = 1 }
  else -- what comes after is known by its number and by a hash
    if last.call ~= "further" then
      last = { call = "further", text = "", place = "", count = 0 }
      list[#list + 1] = last
    end
    last.text, last.count = core.text_hash(last.text .. call .. text .. place), last.count + 1
  end
end

-- After a call that set up `inner`: what it was given.
function setup.note(inner, call, ...)
  if inner.session.running then return keep.outside(inner, call) end
  local place, functions, parts = check.where(), {}, {}
  if counted[call] then
    append(inner.setup, call, "", place)
    return
  end
  for k = 1, select("#", ...) do parts[k] = describe((select(k, ...)), functions, 0) end
  local text = concat(parts, ", ")
  if #text > longest_line then text = text:sub(1, longest_line) .. " ... " .. core.text_hash(text) end
  append(inner.setup, call, text, place)
  for k, fn in ipairs(functions) do
    keep.root(inner, string.format("%s %d.%d", call, #inner.setup, k), fn)
  end
end

-- A method that notes what it was given. hidden: the first value is the simulation.
function setup.noting(call, method, inner_of)
  return function(sim, ...)
    local inner = inner_of(sim, call)
    setup.note(inner, call, ...)
    return method(sim, ...)
  end
end

-- ---- comparing ----------------------------------------------------------------------------------

local function shown(line)
  if not line then return "nothing" end
  if line.call == "further" then return line.count .. " further calls" end
  return string.format("%s%s%s (%s)", line.call, line.text ~= "" and " " .. line.text or "", line.count > 1 and ", " .. line.count .. " times" or "",
    line.place:gsub(": $", ""))
end

-- Raises when the simulation is not the one of the record. count: how many lines there were when the point was reached.
function setup.compare(inner, record, count)
  local was, now = record.setup, inner.setup
  if not was then return end -- a checkpoint of an earlier version
  local function differ(k)
    check.fail("resume", "simulation %d of the script is not the one of the checkpoint, set-up call %d: then it was %s, now it is %s; "
      .. "a script must make the same simulations in the same order each time", inner.number, k, shown(was[k]), shown(now[k]))
  end
  local final = count == nil
  count = count or #was
  for k = 1, math.max(count, #now) do
    local a, b = was[k], now[k]
    if not a or not b or k > count or a.call ~= b.call or a.text ~= b.text or a.place ~= b.place then differ(k) end
    if a.count ~= b.count and (k < count or final) then differ(k) end
  end
end

return setup
