-- docs/lua.md and the annotations for editors (LuaCATS), from declarations.lua and reference.lua:
--   floc help manual > docs/lua.md        floc help annotations > scripts/floc.d.lua

local check = require "floc.surface.check"
local declarations = require "floc.surface.declarations"
local columns = require "floc.surface.columns"
local measures = require "floc.surface.measures"
local reference = require "floc.surface.reference"

local manual = {}

local titles = {
  { "floc", "The module: `local floc = require \"floc\"`" },
  { "sim", "A simulation: `local sim = floc.simulation { ... }`" },
  { "body", "A body: `local body = sim:add_body { ... }`" },
  { "joint", "A joint: `local joint = sim:add_joint { ... }`" },
  { "stream", "An inlet or outlet: `local outlet = sim:add_outlet { ... }`" },
  { "law", "A law: `local law = sim:add_force { ... }`, and the other calls that add one" },
  { "random", "Random numbers: `local numbers = floc.random(name)`" },
  { "panels", "Panels: `local panels = floc.panels { ... }`" },
  { "part", "Tables inside `sim:run { until_ = { ... } }`, and where a call takes an interval" },
  { "plot", "Parts of a plot: tables inside `floc.plot { ... }`" },
}

-- Parts of a plot are tables, not calls.
local prefixes = { floc = "floc.", plot = "plot, ", part = "" }
local function prefix_of(owner) return prefixes[owner] or owner .. ":" end

local function default_text(field)
  if field.required then return "required" end
  if field.default == nil then return "" end
  return "`" .. (type(field.default) == "number" and check.show(field.default) or tostring(field.default)) .. "`"
end

local function cell(text) return (text:gsub("|", "\\|")) end

-- ---- markdown -----------------------------------------------------------------------------------

local function declared(out, declaration)
  local first = declaration.owner == "panels" and "(sim, { ... })" or declaration.positional and (declaration.positional.type == "points" and " { {x, y}, ... }" or " { region, ... }") or " { ... }"
  out[#out + 1] = string.format("### %s%s%s\n", prefix_of(declaration.owner), declaration.name, first)
  out[#out + 1] = declaration.summary .. "\n"
  out[#out + 1] = "| name | value | unit | default | |"
  out[#out + 1] = "| --- | --- | --- | --- | --- |"
  for _, field in ipairs(declaration) do
    out[#out + 1] = string.format("| %s | %s | %s | %s | %s |", field.positional and "(" .. field.type .. ")" or "`" .. field.name .. "`",
      cell(check.describe(field)), field.unit or "", default_text(field), cell(field.text))
  end
  out[#out + 1] = ""
end

local function signature(call)
  local names = {}
  for k, parameter in ipairs(call[3]) do names[k] = parameter[1] end
  return string.format("%s%s(%s)", prefix_of(call[1]), call[2], table.concat(names, ", "))
end

-- What parameters may be beyond their types: "`steps`: an integer, at least 1."
local function parameter_text(call)
  local list = {}
  for _, field in ipairs(call[3]) do
    if field.at_least or field.above or field.optional or field.default ~= nil or field.signature then
      local default = field.default ~= nil and "; default " .. check.show(field.default) or field.optional and "; may be left out" or ""
      list[#list + 1] = string.format("`%s`: %s%s.", field.name, check.describe(field), default)
    end
  end
  return table.concat(list, " ")
end

-- What sim:measure and the tables of sim:observe know.
local function measure_table()
  local rows = { "| measure | unit | |", "| --- | --- | --- |" }
  for _, one in ipairs(measures) do rows[#rows + 1] = string.format("| `%s` | %s | %s |", one.name, one.unit, one.text) end
  return table.concat(rows, "\n")
end

local function section(out, owner, title)
  out[#out + 1] = "## " .. title .. "\n"
  if owner ~= "panels" and owner ~= "random" then out[#out + 1] = "| field | |\n| --- | --- |" end
  for _, field in ipairs(reference.fields) do
    if field[1] == owner then out[#out + 1] = string.format("| `%s.%s` | %s |", owner, field[2], cell(field[4])) end
  end
  if owner == "sim" then
    out[#out + 1] = string.format("| `sim.x[id]` ... | Columns, read and written by particle id: `%s`, and attributes. |",
      table.concat(columns.names, " "))
    for _, one in ipairs(columns.optional) do
      out[#out + 1] = string.format("| `sim.%s[id]` | %s%s%s. |", one.name, (one.text:gsub("^%l", string.upper)),
        one.unit ~= "" and " [" .. one.unit .. "]" or "", one.formerly and "; also `" .. one.formerly .. "`" or "")
    end
  end
  out[#out + 1] = ""
  for _, call in ipairs(reference.calls) do
    if call[1] == owner then
      out[#out + 1] = string.format("### %s\n\n%s\n", signature(call), call[5])
      if parameter_text(call) ~= "" then out[#out + 1] = parameter_text(call) .. "\n" end
      if call[2] == "measure" then out[#out + 1] = measure_table() .. "\n" end
    end
  end
  for _, declaration in ipairs(declarations) do
    if declaration.owner == owner then declared(out, declaration) end
  end
end

local introduction = [[
# The Lua surface

Made by `floc help manual` from the declarations that check scripts; do not edit.

Set-up calls take one table of named values. An unknown name, a wrong type, a value out of its range or a NaN is refused with the
line of the script, the name, the value and what is allowed. So is a parameter that would do nothing beside the others. A vector is
a list of as many numbers as the simulation has dimensions. In two dimensions an orientation or angular velocity is one number, counter-clockwise.

## What a checkpoint restores

A checkpoint holds the engine's state and the script, which `floc resume` executes again up to the point where the file was written:
runs before it are skipped, pictures, tables and checkpoints are not written again. What the script prints or writes by itself
before that point happens again. So a checkpoint is a program, and `floc resume` runs only those that you wrote, unless told to ([checkpoint.md](checkpoint.md#a-checkpoint-is-a-program)).
So that the script takes the same course, the checkpoint also contains:

- *Variables that runs change*: `sim.state`, local and global variables, and tables in them, also of modules, as far as callbacks, laws,
  motions, gravity and `until_` can reach them. The same tables are filled, whatever else refers to them. A value that was created or changed during a run and is no
  number, string, boolean, table, or function or object that was there before (a new function, a coroutine that continued, a file that was written
  to, memory of the FFI, another simulation that ran) is refused at the first checkpoint, with the variable's name and place.
  A call of `run` costs some 70 microseconds for it (180 on Lua 5.4), and more where much data is in reach.
- *What the script read between runs*: measures, sums, contacts, reports, bodies, laws, and columns. Of a column up to 32 elements are kept one by
  one; beyond that the whole column, as it is then. 64 MB of columns are kept for one simulation; with more, checkpoints are refused with the line.
  Functions given to `sim:sum` and `sim:trace` are not called again: one that changes a variable or draws random numbers has the next checkpoint refused, with the name.
- *Random numbers*: `math.random` and `math.randomseed` of a script in the program draw from the engine's counter-based generator, the same numbers on both
  Luas (seed 1 unless the script says otherwise), and `floc.random` gives streams of their own; a checkpoint holds how far each has come.
- *What it was told*: `os.time`, `os.date`, `os.getenv` answer again what they answered before the point; `os.clock` and `io.popen` do not.
- *Set-up*: each call that sets a simulation up, with its values and line. A script that makes other simulations, or the same in another
  order, is refused at the first call that differs.
- *Files*: the text of each module, and of each file that `dofile` or `loadfile` read; the hash of each file that `io.open`, `io.lines`, `io.input` read and of
  each mesh. One that was changed or is gone is refused by name. `floc resume --modules=new` takes what there is now, `--modules=stored` the
  versions in the checkpoint. The state of a module written in C is not stored; a warning names it.

In the program `pairs` and `next` go through a table in an order that is the same in every process: numbers, then strings, then booleans, each
sorted. Keys that are objects come last, in an order that may differ; where there are two or more a warning reports it. A list costs one walk
before the loop begins, any other table a sort of its keys (10,000 strings: 10 milliseconds, 30 on Lua 5.4); `next(t)` of a table with several
keys likewise.

A program of your own that loads the module keeps its `pairs` and `math.random`. A checkpoint of a script that draws `math.random` there is refused;
`floc.random` works everywhere.
]]

function manual.markdown()
  local out = { introduction }
  for _, title in ipairs(titles) do
    section(out, title[1], title[2])
  end
  return (table.concat(out, "\n"):gsub("\n+$", "")) .. "\n"
end

-- ---- annotations --------------------------------------------------------------------------------

local lua_types = { number = "number", integer = "integer", boolean = "boolean", string = "string", path = "string", ["function"] = "function",
  table = "table", vector = "number[]", rotation = "number|number[]", points = "number[][]", radii = "table",
  ray_source = "floc.RaySource", paths = "floc.RayPaths",
  region = "floc.Region", shape = "floc.Shape", scheme = "floc.Scheme", motion = "floc.Motion", domain = "floc.Region" }

local function annotated_type(field)
  local parts = {}
  for name in field.type:gmatch("[^|]+") do
    if name == "choice" then
      for _, word in ipairs(field.one_of) do parts[#parts + 1] = string.format("%q", word) end
    else
      parts[#parts + 1] = lua_types[name] or "any"
    end
  end
  return table.concat(parts, "|")
end

local classes = { floc = "floc", sim = "floc.Simulation", body = "floc.Body", joint = "floc.Joint", law = "floc.Law", stream = "floc.Stream", panels = "floc.Panels", random = "floc.Random" }

local function annotate_table(out, declaration)
  local class = string.format("floc.%s.options", declaration.name)
  out[#out + 1] = "---@class " .. class
  for _, field in ipairs(declaration) do
    local name = field.positional and "[integer]" or field.name .. (field.required and "" or "?")
    local kind = field.positional and (field.type == "points" and "number[]" or "floc.Region") or annotated_type(field)
    out[#out + 1] = string.format("---@field %s %s # %s%s", name, kind, field.text, field.unit and " [" .. field.unit .. "]" or "")
  end
  out[#out + 1] = ""
  return class
end

local function annotate_declared(out, declaration)
  local options = annotate_table(out, declaration)
  if declaration.owner == "plot" or declaration.owner == "part" then return end
  if declaration.owner == "panels" then options = nil end
  out[#out + 1] = "---" .. declaration.summary
  if not options then out[#out + 1] = "---@param sim floc.Simulation" end
  out[#out + 1] = string.format("---@param options%s %s%s", declaration.optional and "?" or "",
    options or "floc.add.options", (declaration.name == "checkpoint" or declaration.name == "picture") and "|string" or "")
  if declaration.returns then out[#out + 1] = "---@return " .. declaration.returns end
  out[#out + 1] = string.format("function %s%s%s(%soptions) end\n", declaration.owner == "floc" and "floc" or
    declaration.owner, declaration.owner == "floc" and "." or ":", declaration.name, options and "" or "sim, ")
end

local function annotate_call(out, call)
  out[#out + 1] = "---" .. call[5]
  local names = {}
  for k, parameter in ipairs(call[3]) do
    names[k] = parameter[1]
    local optional = parameter.type and not parameter.required and "?" or ""
    out[#out + 1] = string.format("---@param %s%s %s", parameter.name, optional, parameter.editor or annotated_type(parameter))
  end
  for _, result in ipairs(call[4]) do out[#out + 1] = "---@return " .. result end
  out[#out + 1] = string.format("function %s%s%s(%s) end\n", call[1], call[1] == "floc" and "." or ":", call[2],
    table.concat(names, ", "))
end

local function annotate_class(out, owner)
  out[#out + 1] = "---@class " .. classes[owner]
  for _, field in ipairs(reference.fields) do
    if field[1] == owner and field[2] ~= "NAME" then
      out[#out + 1] = string.format("---@field %s %s # %s", field[2], field[3], field[4])
    end
  end
  if owner == "sim" then
    for _, name in ipairs(columns.names) do out[#out + 1] = string.format("---@field %s floc.Column", name) end
    for _, one in ipairs(columns.optional) do out[#out + 1] = string.format("---@field %s floc.Column # %s", one.name, one.text) end
    out[#out + 1] = "---@field [string] floc.Column # attributes"
  elseif owner == "law" then
    out[#out + 1] = "---@field [string] number # parameters"
  end
  out[#out + 1] = string.format("local %s = {}\n", owner)
end

local annotations_head = [[
---@meta floc
-- Annotations of the Lua surface for editors (LuaCATS). Made by `floc help annotations`; do not edit.

---@class floc.Region
---@class floc.Shape
---@class floc.Scheme
---@class floc.Motion
---@class floc.RaySource
---@class floc.RayPaths
---@class floc.Column
---@field [integer] number
---@class floc.Contact
---@field id_i integer
---@field id_j integer?
---@field body floc.Body?
---@field shape integer?
---@field point number[]
---@field normal number[]
---@field distance number
---@field impulse number
---@field gamma number
---@field friction number[]
---@field moment number|number[]
]]

function manual.annotations()
  local out = { annotations_head }
  for _, title in ipairs(titles) do
    if classes[title[1]] then annotate_class(out, title[1]) end
  end
  for _, call in ipairs(reference.calls) do annotate_call(out, call) end
  for _, declaration in ipairs(declarations) do annotate_declared(out, declaration) end
  out[#out + 1] = "return floc\n"
  return table.concat(out, "\n")
end

-- One call with positional values, for `floc help <name>`: its signature, its text and what its parameters may be; nil if
-- there is none. owner may be nil.
function manual.call_text(name, owner)
  for _, call in ipairs(reference.calls) do
    if call[2] == name and (owner == nil or owner == call[1]) then
      return signature(call), call[5], (parameter_text(call):gsub("`", ""))
    end
  end
end

-- What an object of the script has: its title, its fields as { name, text }, and the names and first sentences of its calls. nil for
-- what is no object.
function manual.object(owner)
  for _, title in ipairs(titles) do
    if title[1] == owner and owner ~= "floc" and owner ~= "plot" then
      local fields, calls = {}, {}
      for _, field in ipairs(reference.fields) do
        if field[1] == owner then fields[#fields + 1] = { owner .. "." .. field[2], field[4] } end
      end
      for _, call in ipairs(manual.call_list()) do
        if call.owner == owner then calls[#calls + 1] = call end
      end
      return (title[2]:gsub("`", "")), fields, calls
    end
  end
end

-- All calls with their prefix and first sentence, in the order of names.
function manual.call_list()
  local list = {}
  for _, call in ipairs(reference.calls) do
    list[#list + 1] = { name = call[2], owner = call[1], shown = prefix_of(call[1]) .. call[2], summary = call[5], text = call[5] }
  end
  for _, declaration in ipairs(declarations) do
    local texts = { declaration.summary }
    for _, field in ipairs(declaration) do texts[#texts + 1] = field.name .. ": " .. field.text end
    list[#list + 1] = { name = declaration.name, owner = declaration.owner, shown = prefix_of(declaration.owner) .. declaration.name,
      summary = declaration.summary, text = table.concat(texts, "\n") }
  end
  for _, one in ipairs(list) do one.summary = one.summary:match("^(.-%.)%s%u") or one.summary end
  table.sort(list, function(a, b) return a.shown < b.shown end)
  return list
end

return manual
