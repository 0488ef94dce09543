-- What sim measures: numbers by name, moments of columns, clusters and their shapes. Nothing here changes the simulation.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local observe = require "floc.output.observe"
local runner = require "floc.session.runner"
local surface = require "floc.surface.structs"
local vti = require "floc.output.vti"

local measures = {}

-- What joins particles to clusters: surfaces within gap, or links of the scheme, which discrete elements call bonds.
local rules = { gap = surface.constants.cluster_gap, link = surface.constants.cluster_link, bond = surface.constants.cluster_link }
local numbers = { all = 0, largest = -1 }

local function selection_of(values)
  return { rule = rules[values.by], gap = values.gap, cluster = numbers[values.cluster] or values.cluster }
end

local function check_distances(distances)
  local before = 0
  for k, distance in ipairs(distances) do
    if type(distance) ~= "number" or not (distance >= before and distance < math.huge) then
      check.fail("pair_distribution", "distances[%d] is %s; it must be a finite number, at least %s", k,
        check.show(distance), k == 1 and "0" or "the one before")
    end
    before = distance
  end
  if #distances == 0 then check.fail("pair_distribution", "distances is empty; it must hold numbers") end
end

local function cluster_number(given)
  if given == nil then return 0 end
  if given == "largest" then return -1 end
  if type(given) == "number" then return given end
  check.fail("greatest_distance", "cluster is %s; it must be an integer, at least 1, or \"largest\"", check.show(given))
end

-- The engine names the call as well where several come to one place.
local function answer(call, value, message)
  if value == nil then check.fail(call, "%s", (message:gsub("^" .. call .. ": ", ""))) end
  return value
end

-- The list `of`, which is in the order of ids, by ids: another one after removals.
local function by_ids(world, found)
  if #found.of == core.info(world).last_id then return found end
  local of = {}
  for k, id in ipairs(core.particle_ids(world)) do of[id] = found.of[k] end
  found.of = of
  return found
end

-- The middles of intervals of equal width.
local function middles(lower, upper, bins)
  local list = {}
  for k = 1, bins do list[k] = lower + (k - 0.5) * (upper - lower) / bins end
  return list
end

-- What each axis of a profile is called, and its number in the engine.
local axes = { x = 0, y = 1, z = 2 }

local function check_profile(values, dimension)
  if values.along == "z" and dimension == 2 then check.fail("profile", "along is \"z\"; in two dimensions it must be x or y") end
  if (values.lower == nil) ~= (values.upper == nil) then
    check.fail("profile", "%s is given without %s", values.lower and "lower" or "upper", values.lower and "upper" or "lower")
  end
  if values.lower and not (values.upper > values.lower) then
    check.fail("profile", "upper is %s; it must be above lower, %s", check.show(values.upper), check.show(values.lower))
  end
  for k, name in ipairs(values.columns) do
    if type(name) ~= "string" then check.fail("profile", "columns[%d] is %s; it must be the name of a column", k, check.show(name)) end
    if name == values.along or name == "count" then check.fail("profile", "columns[%d] is %s, a list that the profile has already", k, check.show(name)) end
  end
  if #values.columns == 0 then check.fail("profile", "columns is empty; it must be a list of names, such as { \"vx\" }") end
end

local function profile(world, values)
  local options = { axis = axes[values.along], bins = values.bins, lower = values.lower, upper = values.upper }
  local weight, found = values.weight ~= "none" and values.weight or nil, {}
  for _, column in ipairs(values.columns) do
    local counts, means, lower, upper = core.profile(world, options, column, weight)
    if not counts then return nil, means end
    found.count, found[column], found[values.along] = counts, means, middles(lower, upper, values.bins)
  end
  return found
end

-- Intervals in which no wave vector lies are left out.
local function structure_factor(world, values)
  local numbers, factors, vectors = core.structure_factor(world, surface.for_engine("sim.structure_factor", values))
  if not numbers then return nil, factors end
  local found = { k = {}, s = {}, vectors = {} }
  for bin, count in ipairs(vectors) do
    if count > 0 then
      local row = #found.k + 1
      found.k[row], found.s[row], found.vectors[row] = numbers[bin], factors[bin], count
    end
  end
  return found
end

-- Methods of sim; inner_of finds a simulation's record.
function measures.methods(inner_of)
  local methods = {}

  function methods.measure(sim, name)
    local inner = inner_of(sim, "measure")
    name = check.arguments("sim.measure", name)
    return runner.logged(inner, "measure", function()
      local value, message, status = core.measure(inner.world, name)
      if value ~= nil then return value end
      check.fail("measure", "%s%s", message, status == "not found" and check.suggestion(name, observe.measures(inner.world)) or "")
    end)
  end

  -- Clusters as a table; see declarations.lua.
  function methods.clusters(sim, given)
    local inner = inner_of(sim, "clusters")
    local values = check.table(declarations.clusters, given)
    return runner.logged(inner, "clusters", function()
      local found, message = core.clusters(inner.world, rules[values.by], values.gap)
      if not found then check.fail("clusters", "%s", message) end
      found.sizes = {}
      for number = 1, found.count do found.sizes[number] = 0 end
      for _, number in ipairs(found.of) do found.sizes[number] = found.sizes[number] + 1 end
      table.sort(found.sizes, function(a, b) return a > b end)
      return by_ids(inner.world, found)
    end)
  end

  -- Bonds made and broken since the last call.
  function methods.bond_changes(sim, given)
    local inner = inner_of(sim, "bond_changes")
    local values = check.table(declarations.bond_changes, given)
    local changes = runner.logged(inner, "bond_changes", function()
      local made, broken = core.bond_changes(inner.world, values.gap)
      if not made then check.fail("bond_changes", "%s", broken) end
      return { made = made, broken = broken }
    end)
    return changes.made, changes.broken
  end

  function methods.moment(sim, given)
    local inner = inner_of(sim, "moment")
    local values = check.table(declarations.moment, given)
    if type(values.about) == "string" and values.about ~= "mean" then
      check.fail("moment", "about is %s; it must be a finite number, or \"mean\"", check.show(values.about))
    end
    local weight = values.weight ~= "none" and values.weight or nil
    return runner.logged(inner, "moment", function()
      local about = values.about
      if about == "mean" then about = answer("moment", core.moment(inner.world, values.column, weight, 0, 1)) end
      return answer("moment", core.moment(inner.world, values.column, weight, about, values.order))
    end)
  end

  function methods.greatest_distance(sim, given)
    local inner = inner_of(sim, "greatest_distance")
    local values = check.table(declarations.greatest_distance, given)
    local cluster = cluster_number(values.cluster)
    return runner.logged(inner, "greatest_distance", function()
      return answer("greatest_distance", core.greatest_distance(inner.world, rules[values.by], values.gap, cluster))
    end)
  end

  -- sim:name{...} that asks the engine by ask(world, values); what it gave is remembered for a replay.
  local function measure(name, ask)
    methods[name] = function(sim, given)
      local inner = inner_of(sim, name)
      local values = check.table(declarations[name], given, inner.dimension)
      local found = runner.logged(inner, name, function()
        local result = { ask(inner.world, values) }
        answer(name, result[1], result[2])
        return result
      end)
      return found[1], found[2]
    end
  end

  measure("stress", function(world, values) return core.stress(world, surface.for_engine("sim.stress", values)) end)
  measure("energy_ledger", function(world) return core.energy_ledger(world) end)
  measure("radial_distribution", function(world, values)
    local found, message = core.radial_distribution(world, surface.for_engine("sim.radial_distribution", values))
    return found and { r = middles(0, values.range, values.bins), g = found }, message
  end)
  measure("structure_factor", structure_factor)
  measure("force_distribution", function(world, values)
    local density, mean, count = core.force_distribution(world, surface.for_engine("sim.force_distribution", values))
    return density and { force = middles(0, values.greatest, values.bins), density = density, mean = mean, count = count }, mean
  end)
  function methods.bond_order(sim, given)
    local inner = inner_of(sim, "bond_order")
    if type(given) == "table" and given.by ~= nil and given.range == nil then
      check.fail("bond_order", "by is %s, which does nothing: it says what range is measured between, and range is not given", check.show(given.by))
    end
    local values = check.table(declarations.bond_order, given, inner.dimension)
    local by = surface.constants[values.range and "neighbors_" .. values.by or "neighbors_touching"]
    local options = { order = values.order, range = values.range, by = by, averaged = values.averaged }
    return runner.logged(inner, "bond_order", function()
      return by_ids(inner.world, answer("bond_order", core.bond_order(inner.world, options)))
    end)
  end
  function methods.profile(sim, given)
    local inner = inner_of(sim, "profile")
    local values = check.table(declarations.profile, given)
    check_profile(values, inner.dimension)
    return runner.logged(inner, "profile", function() return answer("profile", profile(inner.world, values)) end)
  end
  function methods.coarse_grain(sim, given)
    local inner = inner_of(sim, "coarse_grain")
    local values = check.table(declarations.coarse_grain, given, inner.dimension)
    local options = vti.options(values, inner.dimension)
    local found = runner.logged(inner, "coarse_grain", function()
      local grid, fields = core.coarse_grain(inner.world, options)
      return vti.fields(answer("coarse_grain", grid, fields), fields)
    end)
    if values.path and not inner.session.replay then vti.write(values.path, found, sim.time) end
    return found
  end
  measure("mixing_index", function(world, values)
    return core.mixing_index(world, { cell = values.cell, threshold = values.threshold or 0 / 0 }, values.column)
  end)
  measure("gyration", function(world, values) return core.gyration(world, selection_of(values)) end)
  measure("contact_number", function(world, values)
    return core.contact_number(world, selection_of(values), values.factor)
  end)
  measure("pair_distribution", function(world, values)
    check_distances(values.distances)
    return core.pair_distribution(world, selection_of(values), values.distances, #values.distances)
  end)
  measure("box_counting", function(world, values) return core.box_counting(world, selection_of(values), values) end)
  measure("mass_radius", function(world, values) return core.mass_radius(world, selection_of(values), values) end)
  measure("cluster_scaling", function(world, values)
    return core.cluster_scaling(world, rules[values.by], values.gap, values.least_count)
  end)
  measure("cluster_sizes", function(world, values) return core.cluster_sizes(world, rules[values.by], values.gap) end)

  return methods
end

return measures
