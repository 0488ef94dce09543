-- Pairs of laws, contacts and neighbours as columns: sim:law_pairs, sim:contact_columns and sim:pairs give one list of numbers
-- per name, not one table per pair. The C half (bindings/lua/world/pairs.c) fills one block of numbers, column after column; lists are made
-- of it here, on LuaJIT through its address, in a compiled loop.
--
-- What a script reads between runs is in the log (replay.lua) as the block's bytes.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local gap = require "floc.session.gap"
local laws = require "floc.simulation.laws"
local replay = require "floc.session.replay"
local surface = require "floc.surface.structs"

local constants = surface.constants
local pairs_of = {}

local has_ffi, ffi = pcall(require, "ffi")
has_ffi = has_ffi and type(ffi) == "table" and type(rawget(_G, "jit")) == "table"

local list_of

if has_ffi then
  local new_table = require "table.new"

  function list_of(block, column, list)
    local rows = block.rows
    local numbers = ffi.cast("const double *", block.address) + column * block.capacity
    list = list or new_table(rows, 0)
    for k = 1, rows do list[k] = numbers[k - 1] end
    for k = #list, rows + 1, -1 do list[k] = nil end
    return list
  end
else
  function list_of(block, column, list) return core.numbers_table(block.numbers, block.rows, block.capacity, column, list) end
end

-- into: a result of an earlier call; its lists are filled again, which saves the time that new memory takes.
local function lists(call, names, block, into)
  if into ~= nil and type(into) ~= "table" then
    check.fail(call, "into is %s; it must be what an earlier call returned", check.show(into))
  end
  local result = into or {}
  result.count = block.rows
  for key, value in pairs(block.summary or {}) do result[key] = value end
  for k, name in ipairs(names) do
    local list = result[name]
    result[name] = list_of(block, k - 1, type(list) == "table" and list or nil)
  end
  return result
end

-- ---- names ----------------------------------------------------------------------------------------

local function add(list, ...)
  for _, name in ipairs { ... } do
    local is_new = true
    for _, known in ipairs(list) do is_new = is_new and known ~= name end
    if is_new then list[#list + 1] = name end
  end
end

local function add_vector(list, dimension, name)
  for axis, letter in ipairs { "x", "y", "z" } do
    if axis <= dimension then add(list, name .. "_" .. letter) end
  end
end

-- What was asked for, or all of `usual`; each must be in `known`.
local function wanted(call, given, usual, known, what)
  if given == nil then return usual end
  if type(given) == "string" then given = { given } end
  if type(given) ~= "table" or #given == 0 then
    check.fail(call, "names is %s; it must be a list of names, such as { %q, %q }", check.show(given), usual[1], usual[#usual])
  end
  local is_known, names = {}, {}
  for _, name in ipairs(known) do is_known[name] = true end
  for k, name in ipairs(given) do
    if type(name) ~= "string" then check.fail(call, "names[%d] is %s; it must be a string", k, check.show(name)) end
    if not is_known[name] then check.fail(call, "%s have no %s%s", what, check.show(name), check.suggestion(name, known)) end
    names[k] = name
  end
  return names
end

-- Of angles: ids and the angle, then what the law gives; besides the sides, and what it is given.
local function names_of_angles(law, given)
  local usual = { "id_i", "id_j", "id_k", "angle" }
  for _, name in ipairs(law.outputs) do add(usual, name) end
  local known = { "distance_ij", "distance_jk", "distance_ik" }
  for _, list in ipairs { usual, law.inputs, law.memory, law.attribute_names } do
    for _, name in ipairs(list) do add(known, name) end
  end
  return wanted("law_pairs", given, usual, known, "angles of " .. law.place)
end

local function names_of_law(law, dimension, given)
  if law.kind == constants.law_angle then return names_of_angles(law, given) end
  local usual = law.kind == constants.law_pair and { "id_i", "id_j" } or { "id", "body" }
  add(usual, "distance")
  for _, name in ipairs(law.outputs) do add(usual, name) end
  local known, across = { "overlap", "shape" }, false
  for _, name in ipairs(usual) do add(known, name) end
  for _, name in ipairs(law.inputs) do add(known, name) end
  for _, name in ipairs(law.outputs) do across = across or name:find "^tangential" end
  add_vector(known, 3, "normal")
  if across then add_vector(known, 3, "tangential") end
  return wanted("law_pairs", given, usual, known, "pairs of " .. law.place)
end

local function names_of_contacts(dimension, given)
  local usual = { "id_i", "id_j", "body", "shape", "distance", "impulse", "gamma" }
  for _, name in ipairs { "point", "normal", "friction" } do add_vector(usual, dimension, name) end
  if dimension == 2 then add(usual, "moment_z") else add_vector(usual, 3, "moment") end
  local known = { "id_i", "id_j", "body", "shape", "distance", "impulse", "gamma" }
  for _, name in ipairs { "point", "normal", "friction", "moment" } do add_vector(known, 3, name) end
  return wanted("contact_columns", given, usual, known, "contacts")
end

local function names_of_neighbours(given)
  return wanted("pairs", given, { "id_i", "id_j", "distance", "gap" }, { "id_i", "id_j", "distance", "gap", "x", "y", "z" }, "pairs of neighbours")
end

-- ---- reading ---------------------------------------------------------------------------------------

-- compute() -> numbers, rows, capacity, address, or nil and a message.
local function read(inner, call, names, into, compute)
  local function found()
    return pairs_of.block(call, compute())
  end
  local function pack(block)
    local bytes = core.numbers_bytes(block.numbers, block.rows, block.capacity, #names)
    return { rows = block.rows, summary = block.summary, bytes = gap.may_note(inner, #bytes, "sim:" .. call) and bytes or "" }
  end
  local function unpack(entry)
    local numbers, address = core.numbers_from(entry.bytes)
    return { numbers = numbers, rows = entry.rows, capacity = entry.rows, address = address, summary = entry.summary }
  end
  return lists(call, names, replay.after_runs(inner, call, found, pack, unpack), into)
end

-- For bonds.lua and merges.lua.
pairs_of.lists, pairs_of.read, pairs_of.wanted = lists, read, wanted

-- summary: what merges have besides.
function pairs_of.block(call, numbers, rows, capacity, address, summary)
  if not numbers then check.fail(call, "%s", rows) end
  return { numbers = numbers, rows = rows, capacity = capacity, address = address, summary = summary }
end

function pairs_of.methods(inner_of)
  local methods = {}

  function methods.law_pairs(sim, handle, given, into)
    local inner = inner_of(sim, "law_pairs")
    local law = laws.of_pairs(inner, handle, "law_pairs")
    local names = names_of_law(law, inner.dimension, given)
    return read(inner, "law_pairs", names, into, function() return core.law_pairs(inner.world, law.kind, law.number, names) end)
  end

  function methods.contact_columns(sim, given, into)
    local inner = inner_of(sim, "contact_columns")
    local names = names_of_contacts(inner.dimension, given)
    return read(inner, "contact_columns", names, into, function() return core.contact_columns(inner.world, names) end)
  end

  function methods.pairs(sim, given)
    local inner = inner_of(sim, "pairs")
    local values = check.table(declarations.pairs, given)
    local names = names_of_neighbours(values.names)
    local options = surface.for_engine("sim.pairs", values)
    return read(inner, "pairs", names, values.into, function() return core.neighbour_columns(inner.world, options, names) end)
  end

  function methods.neighbors(sim, id, range)
    local inner = inner_of(sim, "neighbors")
    id, range = check.arguments("sim.neighbors", id, range)
    local options = { particle = id, range = range, by = range and constants.neighbors_surfaces or constants.neighbors_touching }
    local names = { "id_j", "distance" }
    local found = read(inner, "neighbors", names, nil, function() return core.neighbour_columns(inner.world, options, names) end)
    return found.id_j, found.distance
  end

  return methods
end

return pairs_of
