-- floc.ballistic{...}, floc.event_driven{...}, their start, and shapes of clusters.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local runner = require "floc.session.runner"
local surface = require "floc.surface.structs"

local constants = surface.constants
local ballistic = { constructors = {} }

-- ---- schemes ------------------------------------------------------------------------------------

local metas = { ballistic = check.kinds("ballistic", { scheme = true }), event_driven = check.kinds("event_driven", { scheme = true }) }

function ballistic.constructors.ballistic(given)
  local values = check.table(declarations.ballistic, given)
  if values.rigid and values.rotation then
    check.fail("ballistic", "rigid and rotation are both true; the time of impact is known for clusters that only translate")
  end
  return setmetatable(values, metas.ballistic)
end

function ballistic.constructors.event_driven(given)
  return setmetatable(check.table(declarations.event_driven, given), metas.event_driven)
end

-- true, or nil and the engine's message.
function ballistic.set_scheme(world, name, scheme)
  local set = name == "event_driven" and core.set_event_driven or core.set_ballistic
  return set(world, surface.for_engine("floc." .. name, scheme))
end

-- ---- the paper's start --------------------------------------------------------------------------

local closest = { [2] = math.pi / 4, [3] = math.pi / 6 }

function ballistic.constructors.ballistic_start(given)
  local values = check.table(declarations.ballistic_start, given)
  local dimension, spacing = values.dimension, values.spacing
  if not (values.volume_fraction < closest[dimension]) then
    check.fail("ballistic_start", "volume_fraction is %s; it must be below %.3f, at which particles of the lattice touch",
      check.show(values.volume_fraction), closest[dimension])
  end
  local side = math.ceil(values.count ^ (1 / dimension) - 1e-9)
  local unit = dimension == 2 and math.pi or 4 / 3 * math.pi
  local radius = spacing * (values.volume_fraction / unit) ^ (1 / dimension)
  local lower, upper = {}, {}
  for axis = 1, dimension do lower[axis], upper[axis] = 0, side * spacing end
  local box = require("floc.simulation.shapes").box { lower = lower, upper = upper }
  local sim = require("floc.simulation.simulation").new {
    dimension = dimension, time_step = values.time_step, seed = values.seed, threads = values.threads, domain = box,
    boundary = values.boundary, scheme = values.scheme or ballistic.constructors.event_driven {},
  }
  sim:add_particles { count = side ^ dimension, radius = radius, mass = 1, placement = "lattice", spacing = spacing,
    region = box, velocity_spread = values.speed }
  return sim, radius
end

-- ---- shapes of clusters -------------------------------------------------------------------------

local rules = { link = constants.cluster_link, gap = constants.cluster_gap }
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

-- Methods of sim; inner_of finds a simulation's record.
function ballistic.methods(inner_of)
  local methods = {}

  -- sim:name{...} that asks the engine by ask(world, values); what it gave is remembered for a replay.
  local function measure(name, ask)
    methods[name] = function(sim, given)
      local inner = inner_of(sim, name)
      local values = check.table(declarations[name], given, inner.dimension)
      local found = runner.logged(inner, name, function()
        local result = { ask(inner.world, values) }
        if result[1] == nil then check.fail(name, "%s", result[2]) end
        return result
      end)
      return found[1], found[2]
    end
  end

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

  function methods.ballistic_report(sim)
    local inner = inner_of(sim, "ballistic_report")
    return runner.logged(inner, "ballistic_report", function()
      local report, message = core.ballistic_report(inner.world)
      if not report then check.fail("ballistic_report", "%s", message) end
      return report
    end)
  end

  return methods
end

return ballistic
