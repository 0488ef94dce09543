-- floc.ballistic{...}, floc.event_driven{...}, and their start.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local runner = require "floc.session.runner"
local surface = require "floc.surface.structs"

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

-- Methods of sim; inner_of finds a simulation's record.
function ballistic.methods(inner_of)
  local methods = {}

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
