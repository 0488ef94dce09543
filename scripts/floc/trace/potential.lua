-- Laws that are given as an energy: what the energy may depend on, and the forces and torques that follow from its derivatives.
--
--   pairs   U(distance)                          normal = -dU/d(distance)
--           U(distance, n, axes of both)         force on i = dU/dr = n U_r + (g - (g.n) n)/distance, r = distance n from i to j, g = dU/dn;
--                                                torque on each = -(sum over its axes a of a x dU/da), as a turn by w changes a by w x a
--   fields  U(x, y, z, axes)                     force = -dU/dx, torque as above
--   angles  U(angle, distances)                  moment and forces between two, minus the derivatives (engine/laws/bonds/law_angles.c)
--
-- The components of n and of axes are taken as independent numbers: only what is along a turn of them is used, so it does not
-- matter what the energy is beyond vectors of length 1. Whatever else moves with particles is refused, or the force would
-- lack a part of the derivative.

local check = require "floc.surface.check"
local derivative = require "floc.trace.derivative"
local law_names = require "floc.simulation.law_names"
local constants = require("floc.surface.structs").constants

local potential = {}

local set_of = law_names.set_of
local components = { "x", "y", "z" }

-- ---- what an energy takes -----------------------------------------------------------------------

local by_angle = { angle = "moment", distance_ij = "force_ij", distance_jk = "force_jk", distance_ik = "force_ik" }

local may_take = {
  [constants.law_pair] = "a potential of pairs may depend on distance, overlap, normal_x, axis_i_x, axis_j_x",
  [constants.law_field] = "a potential of particles may depend on x, y, z, axis_x",
  [constants.law_angle] = "a potential of angles may depend on angle, distance_ij, distance_jk, distance_ik",
}

local function allowed(inner, law)
  local names = set_of(law_names.of_energy(inner, law.kind, law.parameter_names))
  for _, name in ipairs(law.attribute_names) do names[name] = true end
  for k, name in ipairs(components) do
    if law.kind == constants.law_pair then names["normal_" .. name] = true end
    if law.kind == constants.law_field and k <= inner.dimension then names[name] = true end
  end
  for name in pairs(law_names.is_random) do names[name] = law.kind ~= constants.law_angle or nil end
  return names
end

-- Of each particle the axes that the law names, with how their components are called: { i = { "axis_i_", "axis2_i_" }, ... }.
local function axes_of(law)
  local found, seen = {}, {}
  for _, name in ipairs(law.inputs) do
    local stem = law_names.is_axis(name) and name:sub(1, -2)
    if stem and not seen[stem] then
      local side = stem:match "_([ij])_$" or ""
      found[side] = found[side] or {}
      table.insert(found[side], stem)
      seen[stem] = true
    end
  end
  return found
end

local function takes_direction(law)
  for _, name in ipairs(law.inputs) do
    if name:find "^normal_[xyz]$" or law_names.is_axis(name) then return true end
  end
  return false
end

local function add_input(law, seen, name)
  if not seen[name] then law.inputs[#law.inputs + 1] = name end
  seen[name] = true
end

-- The program needs the vectors whole, and outputs that are vectors. `given` is what the function takes.
local function take_vectors(law, dimension)
  law.given, law.inputs, law.outputs = law.inputs, {}, {}
  local seen = {}
  for _, name in ipairs(law.given) do add_input(law, seen, name) end
  local pair = law.kind == constants.law_pair
  law.turns = axes_of({ inputs = law.given })
  for k = 1, dimension do
    if pair then add_input(law, seen, "normal_" .. components[k]) end
    law.outputs[k] = "force_" .. components[k]
  end
  if pair then add_input(law, seen, "distance") end
  for _, side in ipairs { "i", "j", "" } do
    for _, stem in ipairs(law.turns[side] or {}) do
      for k = 1, dimension do add_input(law, seen, stem .. components[k]) end
    end
    if law.turns[side] then
      for k = dimension == 2 and 3 or 1, 3 do
        law.outputs[#law.outputs + 1] = (side == "" and "torque_" or "torque_" .. side .. "_") .. components[k]
      end
    end
  end
  law.outputs[#law.outputs + 1] = "energy"
  law.output_count = #law.outputs
end

-- Checks what the energy takes, and says which outputs the law has (where it has not been said: take_outputs of laws.lua).
function potential.describe(inner, law)
  local known = allowed(inner, law)
  for _, name in ipairs(law.inputs) do
    if not known[name] and not law_names.is_axis(name) then
      check.fail(law.call, "the potential takes %s, and its derivative would not be the whole force; %s, %sand what does not move", name,
        may_take[law.kind], law.members and "its attributes, " or "")
    end
  end
  if law.kind == constants.law_angle then
    law.outputs, law.coordinates = {}, {}
    for _, name in ipairs(law.inputs) do
      if by_angle[name] then
        law.coordinates[#law.coordinates + 1], law.outputs[#law.outputs + 1] = name, by_angle[name]
      end
    end
    law.outputs[#law.outputs + 1] = "energy"
    law.output_count = #law.outputs
  elseif takes_direction(law) then
    take_vectors(law, inner.dimension)
  end
end

-- ---- what follows from it -----------------------------------------------------------------------

-- Of the graph, in derivatives: 0 + x and 0 x are simplified.
local function calculator(g)
  local function make(...)
    g.loose = true
    local node = g:make(...)
    g.loose = false
    return node
  end
  local c = {}
  function c.add(a, b) return make("add", a, b) end
  function c.subtract(a, b) return make("subtract", a, b) end
  function c.multiply(a, b) return make("multiply", a, b) end
  function c.divide(a, b) return make("divide", a, b) end
  function c.negate(a) return make("negate", a) end
  return c
end

-- Minus the sum over axes of a x dU/da, component k.
local function torque(g, c, slopes, stems, k)
  local sum = g:constant(0)
  local p, q = components[k % 3 + 1], components[(k + 1) % 3 + 1]
  for _, stem in ipairs(stems) do
    sum = c.add(sum, c.subtract(c.multiply(g:input(stem .. q), slopes[stem .. p]), c.multiply(g:input(stem .. p), slopes[stem .. q])))
  end
  return sum
end

local function slope_names(law, dimension)
  local names = {}
  for _, name in ipairs(law.inputs) do
    if name == "distance" or name:find "^normal_[xyz]$" or law_names.is_axis(name) then names[#names + 1] = name end
  end
  for k = 1, dimension do names[#names + 1] = components[k] end
  names[#names + 1] = "overlap"
  return names
end

-- dU/dr, with r the vector from i to j, is the force on i.
local function pair_force(g, c, slopes, dimension)
  local along = c.subtract(slopes.distance, slopes.overlap)
  local n, inward = {}, g:constant(0)
  for k = 1, dimension do
    n[k] = g:input("normal_" .. components[k])
    inward = c.add(inward, c.multiply(slopes["normal_" .. components[k]], n[k]))
  end
  local over = c.divide(g:constant(1), g:input "distance")
  local radial, force = c.subtract(along, c.multiply(inward, over)), {}
  for k = 1, dimension do force[k] = c.add(c.multiply(radial, n[k]), c.multiply(slopes["normal_" .. components[k]], over)) end
  return force
end

local function vectors_of(law, g, energy, dimension)
  local c, slopes = calculator(g), derivative.gradient(g, energy, slope_names(law, dimension))
  local outputs = {}
  if law.kind == constants.law_pair then
    outputs = pair_force(g, c, slopes, dimension)
  else
    for k = 1, dimension do outputs[k] = c.negate(slopes[components[k]]) end
  end
  for _, side in ipairs { "i", "j", "" } do
    for k = dimension == 2 and 3 or 1, law.turns[side] and 3 or 0 do
      outputs[#outputs + 1] = torque(g, c, slopes, law.turns[side], k)
    end
  end
  return outputs
end

-- The outputs of the law: minus the derivatives of the traced energy, and behind them the energy itself.
function potential.outputs_of(law, traced, dimension)
  local g, energy, outputs = traced.graph, traced.outputs[1], {}
  if law.coordinates then
    for k, name in ipairs(law.coordinates) do outputs[k] = derivative.of(g, energy, { [name] = -1 }) end
  elseif law.turns then
    outputs = vectors_of(law, g, energy, dimension)
  elseif law.kind == constants.law_field then
    for k = 1, dimension do outputs[k] = derivative.of(g, energy, { [components[k]] = -1 }) end
  else
    outputs[1] = derivative.of(g, energy, { distance = -1, overlap = 1 })
  end
  outputs[#outputs + 1] = energy
  return outputs
end

return potential
