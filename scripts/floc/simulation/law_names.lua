-- Names of what laws ask for and return. The engine resolves them (engine/laws/law_input.c); here they are checked where
-- the script's line and the nearest valid name can be given.

local check = require "floc.surface.check"
local columns = require "floc.surface.columns"
local core = require "floc.core"
local constants = require("floc.surface.structs").constants

local law_names = {}

function law_names.touches_pairs(kind) return kind == constants.law_pair or kind == constants.law_wall end
local touches_pairs = law_names.touches_pairs

function law_names.set_of(names)
  local set = {}
  for _, name in ipairs(names) do set[name] = true end
  return set
end
local set_of = law_names.set_of

-- Names of a function's parameters; refuses what has none to read.
function law_names.parameters_of(call, fn)
  local info = debug.getinfo(fn, "Su")
  if info.what == "C" then
    check.fail(call, "the function is written in C and its parameters have no names; wrap it: "
      .. "function(x) return f(x) end")
  end
  if info.isvararg then
    check.fail(call, "the function takes \"...\"; name its parameters, or give inputs = { \"x\", ... }")
  end
  local names = {}
  for k = 1, 64 do
    local name = debug.getlocal(fn, k)
    if not name then break end
    names[k] = name
  end
  return names
end

local random = {}
for _, kind in ipairs { "uniform_random", "normal_random" } do
  for _, ending in ipairs { "", "_2", "_3", "_4" } do random[#random + 1] = kind .. ending end
end
law_names.is_random = set_of(random)

local everywhere = { "time", "t", "time_step" }
local angles = { "angle", "distance_ij", "distance_jk", "distance_ik" }
local contacts = { "distance", "overlap", "normal_velocity", "tangential_velocity", "normal_x", "normal_y", "normal_z",
  "slip_x", "slip_y", "slip_z" }
local own_names = {
  [constants.law_pair] = { "id_i", "id_j", "material_i", "material_j" },
  [constants.law_wall] = { "id", "body", "material" },
  [constants.law_field] = { "id" },
  [constants.law_evolution] = { "id" },
  [constants.law_angle] = { "id_i", "id_j", "id_k" },
}

local sides_of = { [constants.law_pair] = { "_i", "_j" }, [constants.law_angle] = { "_i", "_j", "_k" } }

-- Axes that turn with particles, of pairs those of both.
local own_axes, axes_of_both = {}, {}
for _, axis in ipairs { "axis", "axis2", "axis3" } do
  for _, component in ipairs { "_x", "_y", "_z" } do
    own_axes[#own_axes + 1] = axis .. component
    for _, side in ipairs { "_i", "_j" } do axes_of_both[#axes_of_both + 1] = axis .. side .. component end
  end
end

function law_names.is_axis(name) return name:find "^axis[23]?_[xyz]$" ~= nil or name:find "^axis[23]?_[ij]_[xyz]$" ~= nil end

local built_in = set_of(columns.names)
local optional = {}
for _, one in ipairs(columns.optional) do optional[one.name] = true end

local function adder(names)
  return function(list)
    for _, name in ipairs(list) do names[#names + 1] = name end
  end
end

-- All names that a law of a kind may ask for.
function law_names.inputs(inner, law)
  local names = {}
  local add = adder(names)
  add(law.parameter_names)
  add(law.memory)
  add(law.attribute_names or {})
  add(everywhere)
  if touches_pairs(law.kind) then add(contacts) end
  add(own_names[law.kind])
  add(random)
  if law.kind == constants.law_angle then
    add(angles)
  else
    add(law.kind == constants.law_pair and axes_of_both or own_axes)
  end
  if law.kind == constants.law_wall then
    for _, attribute in ipairs(core.shape_attributes(inner.world)) do add { "shape_" .. attribute } end
  end
  local sides = sides_of[law.kind] or { "" }
  for _, column in ipairs(columns.with_former(core.column_names(inner.world))) do
    for _, side in ipairs(sides) do
      add { column .. side }
      if not built_in[column] and not optional[column] then add { "sum_" .. column .. side } end
    end
  end
  return names
end

-- Names that an energy may depend on so that its derivative with respect to the distance, or to sums, is the whole force: what
-- is given, and not what moves with positions, velocities or chance.
function law_names.of_energy(inner, kind, parameter_names)
  local names = {}
  local add = adder(names)
  add(parameter_names)
  add(everywhere)
  if kind == constants.law_pair then add { "distance", "overlap" } end
  if kind == constants.law_angle then add(angles) end
  add(own_names[kind])
  for _, column in ipairs(core.column_names(inner.world)) do
    local fixed = column == "radius" or column == "mass" or column == "inertia" or column == "material"
    if fixed or not built_in[column] and not optional[column] then
      for _, side in ipairs(sides_of[kind] or { "" }) do add { column .. side } end
    end
  end
  return names
end

-- All names that a law of a kind with named results may return. In the plane forces have x and y, torques z.
function law_names.outputs(inner, law)
  local names = {}
  local add = adder(names)
  local plane, pair = inner.dimension == 2, law.kind == constants.law_pair
  if law.kind == constants.law_angle then
    add { "moment", "force_ij", "force_jk", "force_ik", "energy", "broken" }
    for _, column in ipairs(core.column_names(inner.world)) do
      if not built_in[column] and column ~= "tx" and column ~= "ty" and column ~= "tz" then
        add { "rate_ij_" .. column, "rate_jk_" .. column, "rate_ik_" .. column }
      end
      if not built_in[column] and not optional[column] then
        add { "sum_" .. column, "sum_i_" .. column, "sum_j_" .. column, "sum_k_" .. column }
      end
    end
    add(law.memory)
    add(law.attribute_names)
    return names
  end
  if touches_pairs(law.kind) then add { "normal", "tangential", "tangential_x", "tangential_y", "tangential_z" } end
  add { "energy", "force_x", "force_y" }
  if not plane then add { "force_z" } end
  for _, axis in ipairs(plane and { "z" } or { "x", "y", "z" }) do
    add { "torque_" .. axis }
    if pair then add { "torque_i_" .. axis, "torque_j_" .. axis } end
  end
  for _, column in ipairs(core.column_names(inner.world)) do
    if not built_in[column] and column ~= "tx" and column ~= "ty" and column ~= "tz" then add { "rate_" .. column } end
    if not built_in[column] and not optional[column] then
      add { "sum_" .. column }
      if pair then add { "sum_i_" .. column, "sum_j_" .. column } end
    end
  end
  if law.kind == constants.law_wall then
    for _, attribute in ipairs(core.shape_attributes(inner.world)) do add { "rate_shape_" .. attribute, "sum_shape_" .. attribute } end
  end
  add(law.memory)
  add(law.attribute_names or {})
  if law.members then add { "broken" } end
  return names
end

-- "rate_heat" where there is no attribute heat: the message tells it.
local function no_attribute(name, known)
  local of_shapes = name:match("^rate_shape_(.+)$") or name:match("^sum_shape_(.+)$")
  if of_shapes then
    return string.format(", because shapes have no attribute %s; add_body { attributes = { %s = 0 } } makes one", of_shapes, of_shapes)
  end
  local exchanged = name:match "^rate_(.+)$"
  if exchanged and known["rate_ij_" .. exchanged] then
    return string.format(", because of three particles two exchange: rate_ij_%s (what i gets j gives), rate_jk_%s or rate_ik_%s", exchanged, exchanged, exchanged)
  end
  local attribute = name:match("^rate_[ij][jk]_(.+)$") or exchanged or name:match("^sum_[ijk]_(.+)$") or name:match("^sum_(.+)$")
  return attribute and string.format(", because there is no attribute %s; sim:add_attribute %q makes one", attribute, attribute) or ""
end

function law_names.check_outputs(inner, law)
  local names = law_names.outputs(inner, law)
  local known = set_of(names)
  for k, name in ipairs(law.outputs) do
    if not known[name] then
      check.fail(law.call, "returns[%d] is %s, which a law does not return%s%s", k, check.show(name), no_attribute(name, known),
        check.suggestion(name, names))
    end
  end
end

-- Names of the law's own must be new, or the function would get one for the other; a parameter must be one of its inputs.
local function check_own_names(inner, law)
  local taken = set_of(law_names.inputs(inner, { kind = law.kind, parameter_names = {}, memory = {} }))
  for k, name in ipairs(law.memory) do
    if taken[name] then check.fail(law.call, "memory[%d] is %s, which is an input of laws; it must be another name", k, check.show(name)) end
    taken[name] = true
  end
  local inputs, outputs = set_of(law.inputs), set_of(law.outputs or {})
  for _, name in ipairs(law.attribute_names or {}) do
    if taken[name] then check.fail(law.call, "attributes.%s: %s is an input of laws; it must be another name", name, name) end
    taken[name] = true
    if not inputs[name] and not outputs[name] then
      check.fail(law.call, "attributes.%s is given, and the function does not take it%s", name, check.suggestion(name, law.inputs))
    end
  end
  for _, name in ipairs(law.parameter_names) do
    if taken[name] then check.fail(law.call, "parameters.%s: %s is an input of laws; it must be another name", name, name) end
    if not inputs[name] then check.fail(law.call, "parameters.%s is given, and the function does not take it%s", name, check.suggestion(name, law.inputs)) end
  end
end

function law_names.check_inputs(inner, law)
  check_own_names(inner, law)
  local names = law_names.inputs(inner, law)
  local known = set_of(names)
  for _, name in ipairs(law.inputs) do
    if not known[name] then check.fail(law.call, "there is no input %s%s", name, check.suggestion(name, names)) end
  end
end

return law_names
