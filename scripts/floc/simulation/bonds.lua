-- Bonds of laws: sim:add_law_bonds and the calls beside it. A law over bonds (add_force with pairs = "bonds") has a list of
-- pairs of particles, and numbers for each of them; the engine keeps it in the order of ids (floc.h, floc_law_add_bonds).
--
-- During a replay bonds that are added before the first run are added again, because what a set-up reads comes out the same; what is
-- done to them later comes with the state.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local laws = require "floc.simulation.laws"
local pairs_of = require "floc.simulation.pairs"
local replay = require "floc.session.replay"

local bonds = {}

local id_names = { "id_i", "id_j", "id_k" }

local function first_ids(members)
  local names = {}
  for k = 1, members do names[k] = id_names[k] end
  return names
end

-- Ids one after the other, from { { 1, 2 }, { 2, 3 } }.
local function ids_of(call, members, particles)
  local ids = {}
  for k, list in ipairs(particles) do
    if type(list) ~= "table" then
      check.fail(call, "particles[%d] is %s; it must be a list of %d ids", k, check.show(list), members)
    end
    if #list ~= members then check.fail(call, "particles[%d] has %d ids; it must have %d", k, #list, members) end
    for n = 1, members do
      local id = list[n]
      if type(id) ~= "number" or id % 1 ~= 0 then
        check.fail(call, "particles[%d][%d] is %s; it must be an id", k, n, check.show(id))
      end
      ids[#ids + 1] = id
    end
  end
  for key in pairs(particles) do
    if type(key) ~= "number" or key % 1 ~= 0 or key < 1 or key > #ids / members then
      check.fail(call, "particles has the key %s; it must be a list of lists of ids", check.show(key))
    end
  end
  return ids
end

local function check_number(call, name, k, value)
  if type(value) ~= "number" or value ~= value or math.abs(value) == math.huge then
    check.fail(call, "attributes.%s of bond %d is %s; it must be a finite number", name, k, check.show(value))
  end
  return value
end

-- The numbers of an attribute: of a number, a list, or a function of the bond. of(k): what the function is given.
local function numbers_of(call, name, given, count, of)
  local kind, list = type(given), {}
  if kind == "table" then
    if #given ~= count then check.fail(call, "attributes.%s has %d numbers; there are %d bonds", name, #given, count) end
    for k = 1, count do list[k] = check_number(call, name, k, given[k]) end
  elseif kind == "function" then
    for k = 1, count do list[k] = check_number(call, name, k, given(of(k))) end
  elseif kind == "number" then
    check_number(call, name, 1, given)
    for k = 1, count do list[k] = given end
  else
    check.fail(call, "attributes.%s is %s; it must be a number, a list of numbers, or a function of the bond", name, check.show(given))
  end
  return list
end

local function check_names(call, law, given)
  local known = {}
  for _, name in ipairs(law.attribute_names) do known[name] = true end
  for name in pairs(given) do
    if not known[name] then
      check.fail(call, "attributes has %s, and bonds of %s have no such attribute%s", check.show(name), law.place,
        #law.attribute_names == 0 and "; they have none: attributes = { NAME = VALUE } in its call declares them"
          or check.suggestion(name, law.attribute_names))
    end
  end
end

-- Methods of sim; inner_of finds a simulation's record.
function bonds.methods(inner_of)
  local methods = {}

  local function answer(call, value, message)
    if value == nil then check.fail(call, "%s", message) end
    return value
  end

  local function begin(sim, call, given)
    local inner = inner_of(sim, call)
    local values = check.table(declarations[call], given)
    return inner, values, laws.of_bonds(inner, values.law, call)
  end

  -- Comes with the state.
  local function is_done(inner) return replay.is_target(inner) and inner.gap end

  function methods.add_law_bonds(sim, given)
    local call = "add_law_bonds"
    local inner, values, law = begin(sim, call, given)
    local members = law.members
    local ids = ids_of(call, members, values.particles)
    local attributes, columns = values.attributes or {}, {}
    check_names(call, law, attributes)
    if is_done(inner) then return end
    local function of(k) -- in the engine's order
      local first, last = ids[(k - 1) * members + 1], ids[k * members]
      if first > last then first, last = last, first end
      if members == 2 then return first, last end
      return first, ids[k * members - 1], last
    end
    for k, name in ipairs(law.attribute_names) do
      columns[k] = attributes[name] ~= nil and numbers_of(call, name, attributes[name], #ids / members, of)
    end
    answer(call, core.add_law_bonds(inner.world, law.kind, law.number, members, ids, columns))
  end

  function methods.remove_law_bonds(sim, given)
    local call = "remove_law_bonds"
    local inner, values, law = begin(sim, call, given)
    local ids = ids_of(call, law.members, values.particles)
    if is_done(inner) then return end
    answer(call, core.remove_law_bonds(inner.world, law.kind, law.number, law.members, ids))
  end

  function methods.set_law_bonds(sim, given)
    local call = "set_law_bonds"
    local inner, values, law = begin(sim, call, given)
    check_names(call, law, values.attributes)
    if is_done(inner) then return end
    local names = first_ids(law.members)
    for _, name in ipairs(law.attribute_names) do names[#names + 1] = name end
    local now = pairs_of.lists(call, names, pairs_of.block(call, core.law_bonds(inner.world, law.kind, law.number, law.members, law.attribute_names)))
    for _, name in ipairs(law.attribute_names) do
      local function of(k)
        if law.members == 3 then return now.id_i[k], now.id_j[k], now.id_k[k], now[name][k] end
        return now.id_i[k], now.id_j[k], now[name][k]
      end
      if values.attributes[name] ~= nil then
        local numbers = numbers_of(call, name, values.attributes[name], now.count, of)
        answer(call, core.set_law_bonds(inner.world, law.kind, law.number, name, numbers))
      end
    end
  end

  function methods.law_bonds(sim, handle, into)
    local call = "law_bonds"
    local inner = inner_of(sim, call)
    local law = laws.of_bonds(inner, handle, call)
    local names, own = first_ids(law.members), {}
    for _, list in ipairs { law.attribute_names, law.memory } do
      for _, name in ipairs(list) do
        names[#names + 1] = name
        own[#own + 1] = name
      end
    end
    return pairs_of.read(inner, call, names, into, function()
      return core.law_bonds(inner.world, law.kind, law.number, law.members, own)
    end)
  end

  return methods
end

return bonds
