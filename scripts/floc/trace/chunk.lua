-- Laws that cannot be traced, on every thread (LuaJIT): each worker has a Lua state of its own, in which the law runs in
-- a generated loop over a block of pairs or particles that LuaJIT compiles.
--
-- A state knows nothing of the script's. What the law needs is shipped to it as a recipe, the text of a program that
-- makes it again: bytecode of the function and of those that it calls, numbers, strings, booleans, plain tables, and
-- functions of Lua's library by their names. That keeps the meaning only if the law changes nothing that outlives a
-- call and asks nothing that differs from state to state. So the bytecode is looked at: a law that writes upvalues,
-- globals or tables that are not its own, draws random numbers, asks for the time, prints, or iterates in the order of
-- a hash stays with one call after the other in the script's own state. And the made law is compared with the function
-- on samples, bit for bit.
--
-- What was shipped is watched: where the script changes it between steps, it is shipped again (laws.lua).

local core = require "floc.core"
local rounding = require "floc.session.rounding"
local trace_check = require "floc.trace.check"

local law_chunk = {}

local entry_limit = 4096 -- numbers and strings in tables

-- ---- what every state has by itself -------------------------------------------------------------

local pure = {
  math = { "abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "deg", "exp", "floor", "fmod", "frexp",
    "huge", "ldexp", "log", "log10", "max", "min", "modf", "pi", "pow", "rad", "sin", "sinh", "sqrt", "tan", "tanh" },
  string = { "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "sub", "upper" },
  table = { "concat", "insert", "maxn", "remove", "sort", "unpack" },
  bit = { "arshift", "band", "bnot", "bor", "bswap", "bxor", "lshift", "rol", "ror", "rshift", "tobit", "tohex" },
  _G = { "assert", "error", "ipairs", "pcall", "rawequal", "rawget", "select", "tonumber", "tostring", "type",
    "unpack", "xpcall" },
}

-- Which functions write into a table that they are given.
local writers = { insert = true, remove = true, sort = true }

-- As they are before any script can change them.
local library, path_of, whole = {}, {}, {}
for name, fields in pairs(pure) do
  local from = name == "_G" and _G or rawget(_G, name)
  if type(from) == "table" then
    library[name] = {}
    if name ~= "_G" then whole[from] = name end
    for _, field in ipairs(fields) do
      local value = rawget(from, field)
      library[name][field] = value
      if type(value) == "function" then path_of[value] = name == "_G" and field or name .. "." .. field end
    end
  end
end

-- The first function of a library that the script has replaced.
local function replaced(name)
  local from = name == "_G" and _G or rawget(_G, name)
  for field, value in pairs(library[name]) do
    if rawget(from, field) ~= value then return field end
  end
end

-- ---- looking at bytecode ------------------------------------------------------------------------

local bit = rawget(_G, "bit")
local found_util, util = pcall(require, "jit.util")
local found_names, names = pcall(require, "jit.vmdef")

-- Reasons are raised as tables, so that they are told from errors.
local function refuse(text, ...) error({ reason = string.format(text, ...) }, 0) end

local refused = {
  USETV = "it changes a variable outside of it", USETS = "it changes a variable outside of it",
  USETN = "it changes a variable outside of it", USETP = "it changes a variable outside of it",
  GSET = "it sets a global variable",
}
local table_writes = { TSETV = true, TSETS = true, TSETB = true, TSETM = true, TSETR = true }

local function operation_at(code, place)
  local instruction = util.funcbc(code, place)
  if not instruction then return nil end
  local number = bit.band(instruction, 0xff)
  return (names.bcnames:sub(number * 6 + 1, number * 6 + 6):gsub("%s", "")), instruction
end

-- Notes what a function (or one defined within it) does: globals[name], constants[text], writes (into a table), escapes (a
-- table of Lua's library is used otherwise than for one of its fields).
local function inspect(code, notes)
  for place = 1, 65536 do
    local operation, instruction = operation_at(code, place)
    if not operation then break end
    if refused[operation] then refuse("%s", refused[operation]) end
    if table_writes[operation] then notes.writes = true end
    if operation == "GGET" then
      local name = util.funck(code, -1 - bit.rshift(instruction, 16))
      notes.globals[name] = true
      if library[name] and operation_at(code, place + 1) ~= "TGETS" then notes.escapes = true end
    end
  end
  for number = -1, -65536, -1 do
    local constant = util.funck(code, number)
    if constant == nil then break end
    if type(constant) == "proto" then inspect(constant, notes) end
    if type(constant) == "string" then notes.constants[constant] = true end
    if type(constant) == "cdata" then refuse("it uses 64-bit integers") end
  end
end

-- ---- the recipe ---------------------------------------------------------------------------------

local function show_bytes(text)
  return '"' .. text:gsub(".", function(letter) return string.format("\\%03d", letter:byte()) end)
    :gsub("\n", "\\010") .. '"'
end

local function show_number(value)
  if value ~= value then return "(0/0)" end
  if value == math.huge then return "(1/0)" end
  if value == -math.huge then return "(-1/0)" end
  if value == 0 then return 1 / value < 0 and "(-1/(1/0))" or "0" end
  return "(" .. core.number_text(value, 17) .. ")"
end

local ship -- of any value: the expression that stands for it in the recipe

local function say(work, ...) work.lines[#work.lines + 1] = string.format(...) end

local function watch(work, kind, where, key, value)
  work.watch[#work.watch + 1] = { kind = kind, where = where, key = key, value = value }
end

local function ship_library(work, name)
  local field = replaced(name)
  if field then refuse("the script has replaced %s.%s", name, field) end
  return name == "_G" and "G" or "G." .. name
end

local function ship_table(work, value, what)
  if getmetatable(value) ~= nil then refuse("it reads %s, a table with a metatable", what) end
  local number = #work.lines + 1
  local expression = string.format("T[%d]", number)
  work.known[value], work.has_tables = expression, true
  say(work, "%s = {}", expression)
  local count = 0
  for key, field in pairs(value) do
    count, work.entries = count + 1, work.entries + 1
    if work.entries > entry_limit then refuse("it reads tables of more than %d entries", entry_limit) end
    if type(key) == "table" or type(key) == "function" then refuse("it reads %s, whose keys are not plain values", what) end
    say(work, "%s[%s] = %s", expression, ship(work, key, "a key"), ship(work, field, what .. "." .. tostring(key)))
    watch(work, "field", value, key, field)
  end
  watch(work, "size", value, nil, count)
  return expression
end

local function ship_globals(work, notes)
  for name in pairs(notes.globals) do
    local value = rawget(_G, name)
    if value ~= nil and whole[value] == name then
      ship_library(work, name)
    elseif not (value ~= nil and path_of[value] == name) then
      say(work, "G[%s] = %s", show_bytes(name), ship(work, value, "the global " .. name))
      work.keep[name] = true
    end
    watch(work, "field", _G, name, value)
  end
  if notes.constants.random or notes.constants.randomseed then refuse("it draws random numbers") end
  work.writes, work.has_tables = work.writes or notes.writes, work.has_tables or notes.escapes
  for name in pairs(writers) do work.writes = work.writes or notes.constants[name] end
end

local function ship_function(work, value, what)
  local info = debug.getinfo(value, "S")
  if path_of[value] then
    if writers[path_of[value]:match "%.(.*)"] then work.writes = true end
    return "G." .. path_of[value]
  end
  if value == math.random or value == math.randomseed then refuse("it draws random numbers") end
  if info.what == "C" or info.source:sub(1, 6) == "=floc/" then refuse("it calls %s, which does not exist in worker states", what) end
  if getfenv(value) ~= _G then refuse("%s has an environment of its own", what) end
  local notes = { globals = {}, constants = {} }
  inspect(value, notes)
  local expression = string.format("T[%d]", #work.lines + 1)
  work.known[value] = expression
  say(work, "%s = G.assert(load(%s))", expression, show_bytes(string.dump(value)))
  ship_globals(work, notes)
  for k = 1, 255 do
    local name, held = debug.getupvalue(value, k)
    if not name then break end
    say(work, "set(%s, %d, %s)", expression, k, ship(work, held, name == "" and "an upvalue" or name))
    watch(work, "upvalue", value, k, held)
  end
  return expression
end

function ship(work, value, what)
  local kind = type(value)
  if kind == "nil" or kind == "boolean" then return tostring(value) end
  if kind == "number" then return show_number(value) end
  if kind == "string" then return show_bytes(value) end
  if work.known[value] then return work.known[value] end
  if whole[value] then
    work.has_tables = true
    return ship_library(work, whole[value])
  end
  if value == _G then refuse("it reads the table of all globals") end
  if kind == "table" then return ship_table(work, value, what) end
  if kind == "function" then return ship_function(work, value, what) end
  refuse("it reads %s, which is a %s", what, kind)
end

-- The loop that calls the law for every element of the block. Returns nothing, or the row and what the law gave there.
local function loop_text(input_count, output_count)
  local function list(count, pattern)
    local parts = {}
    for k = 1, count do parts[k] = (pattern:gsub("#", k)) end
    return table.concat(parts, ", ")
  end
  local lines = {
    "return function()",
    input_count > 0 and string.format("local %s = %s", list(input_count, "i#"),
      (list(input_count, "block.inputs[#-1]"))) or "",
    string.format("local %s = %s", list(output_count, "o#"), list(output_count, "block.outputs[#-1]")),
    "for k = 0, block.count - 1 do",
    string.format("local %s = law(%s)", list(output_count, "r#"), list(input_count, "i#[k]")),
  }
  for k = 1, output_count do
    lines[#lines + 1] = string.format("if type(r%d) ~= 'number' or r%d - r%d ~= 0 then return k, %s end", k, k, k,
      list(output_count, "r#"))
    lines[#lines + 1] = string.format("o%d[k] = r%d", k, k)
  end
  lines[#lines + 1] = "end end"
  return table.concat(lines, "\n")
end

local head = [[
local address = ...
local ffi, load, set, type, G, T = require "ffi", loadstring, debug.setupvalue, type, _G, {}
local block = ffi.cast(ffi.typeof "struct { int32_t count; const double *inputs[32]; double *outputs[16]; } *", address)
]]

-- What the law must not find is taken away, so that nothing can be asked of a state that another would answer otherwise.
local function cleaning_text(work)
  local lines = { "local keep, next = {}, next" }
  for name, fields in pairs(library) do
    local known = {}
    for field in pairs(fields) do known[#known + 1] = field .. " = true" end
    lines[#lines + 1] = string.format("local known = { %s }", table.concat(known, ", "))
    if name == "_G" then
      lines[#lines + 1] = "for field in next, known do keep[field] = true end"
    else
      lines[#lines + 1] = string.format("keep.%s = true for field in next, G.%s do if not known[field] then G.%s[field] = nil end end",
        name, name, name)
    end
  end
  for name in pairs(work.keep) do lines[#lines + 1] = string.format("keep[%s] = true", show_bytes(name)) end
  lines[#lines + 1] = "for name in next, G do if not keep[name] then G[name] = nil end end"
  return table.concat(lines, "\n")
end

local function make_recipe(fn, input_count, output_count)
  local work = { lines = {}, known = {}, watch = {}, keep = {}, entries = 0 }
  local law = ship(work, fn, "the law")
  if work.writes and work.has_tables then refuse("it writes to a table that exists outside the call") end
  local text = table.concat({ head, table.concat(work.lines, "\n"), "local law = " .. law,
    cleaning_text(work), loop_text(input_count, output_count) }, "\n")
  return text, work.watch
end

-- ---- comparison ---------------------------------------------------------------------------------

local function same(a, b) return a == b or (a ~= a and b ~= b) end

local function is_finite(value) return type(value) == "number" and value - value == 0 end

-- What the function returns on each point, { ok, ... }. It may be a loop that does not end for numbers that never come: points
-- at which it runs too long are left out. A hook stops nothing that is compiled, so it is interpreted here.
local function call_all(fn, inputs, points)
  local kept, answers = {}, {}
  local was_on, hook, mask, count = jit.status(), debug.gethook()
  jit.off()
  jit.flush()
  for _, point in ipairs(points) do
    local too_long = false
    debug.sethook(function()
      too_long = true
      error("too long", 0)
    end, "", 100000)
    local answer = { trace_check.call(fn, inputs, point) }
    debug.sethook()
    if not too_long then kept[#kept + 1], answers[#answers + 1] = point, answer end
  end
  if hook then debug.sethook(hook, mask, count) end
  if was_on then jit.on() end
  return kept, answers
end

-- The reason why the made law must not be used, or nil.
local function compare(recipe, fn, inputs, output_count, sampler)
  local points, answers = call_all(fn, inputs, trace_check.samples(inputs, sampler))
  local columns = {}
  for k, name in ipairs(inputs) do
    columns[k] = {}
    for row, point in ipairs(points) do columns[k][row] = point[name] end
  end
  local computed, message = core.chunk_evaluate(recipe, columns, #points, output_count)
  if not computed then return message end
  for row, results in ipairs(answers) do
    local fails = not results[1]
    if fails and type(results[2]) ~= "string" then return "it raises errors that are not strings" end
    if not fails and results[output_count + 2] ~= nil then return "it returns too many values" end
    for k = 1, output_count do fails = fails or not is_finite(results[k + 1]) end
    for k = 1, output_count do
      local expected = fails and 0 / 0 or results[k + 1]
      if not same(expected, computed[k][row]) then
        return string.format("a worker state returns %.17g where the function returns %.17g", computed[k][row], expected)
      end
    end
  end
end

-- ---- what laws.lua asks -------------------------------------------------------------------------

-- The recipe of a law, and what is to be watched; nil and the reason where there is none.
function law_chunk.prepare(law, sampler)
  if not (rawget(_G, "jit") and found_util and found_names) then return nil, "only LuaJIT has worker states for laws" end
  if rounding.fused then return nil, "LuaJIT rounds products and sums otherwise here once they are compiled" end
  if #law.inputs > 32 then return nil, "it takes more than 32 parameters" end
  local ok, recipe, watched = pcall(make_recipe, law.fn, #law.inputs, law.output_count)
  if not ok then
    if type(recipe) == "table" and recipe.reason then return nil, recipe.reason end
    return nil, tostring(recipe)
  end
  local reason = sampler and compare(recipe, law.fn, law.inputs, law.output_count, sampler)
  if reason then return nil, reason end
  return recipe, watched
end

local function present(one)
  if one.kind == "field" then return rawget(one.where, one.key) end
  if one.kind == "upvalue" then return (select(2, debug.getupvalue(one.where, one.key))) end
  local count = 0
  for _ in pairs(one.where) do count = count + 1 end
  return count
end

-- Has the script changed something that was shipped?
function law_chunk.changed(watched)
  for _, one in ipairs(watched) do
    if not same(present(one), one.value) then return true end
  end
  return false
end

return law_chunk
