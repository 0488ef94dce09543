-- Ray sources, media, tracing, and what rays did.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local runner = require "floc.session.runner"
local shapes = require "floc.simulation.shapes"
local surface = require "floc.surface.structs"

local rays = {}

-- ---- sources ------------------------------------------------------------------------------------


local function check_times(call, values)
  if not values.times then
    if values.pulses ~= 1 and not values.period then
      check.fail(call, "period is missing; several pulses need a finite number above 0")
    end
    return
  end
  for k, time in ipairs(values.times) do
    if type(time) ~= "number" or time - time ~= 0 or k > 1 and not (time > values.times[k - 1]) then
      check.fail(call, "times[%d] is %s; times must be finite and ascending", k, check.show(time))
    end
  end
end

local function is_zero(vector)
  for _, component in ipairs(vector) do
    if component ~= 0 then return false end
  end
  return true
end

rays.constructors = {}

for _, name in ipairs { "plane_wave", "point_source", "emitter" } do
  local meta = check.kinds(name, { ray_source = true })
  rays.constructors[name] = function(given)
    local values = check.table(declarations[name], given)
    if type(given) == "table" and given.times ~= nil then
      for _, other in ipairs { "start", "period", "pulses" } do
        if given[other] ~= nil then
          check.fail(name, "times and %s are both given; only one of them may be", other)
        end
      end
    end
    check_times(name, values)
    if values.direction and is_zero(values.direction) then
      check.fail(name, "direction is 0; it must have a direction")
    end
    return setmetatable(values, meta)
  end
end

local function described(name, what, fn)
  if not fn then return nil end
  local place = check.definition(fn)
  return { law = fn, place = string.format("%s of floc.%s at %s", what, name, place),
    label = string.format("%s: %s: %s", place, name, what) }
end

-- A source as the C half takes it, for a simulation of this dimension.
local function options_of(call, source, dimension)
  local name = shapes.name_of(source)
  shapes.check_dimension(call, name, dimension, source.direction, source.aim, source.position)
  local options = surface.for_engine("floc." .. name, source)
  options.times = source.times
  options.aim = source.position or source.aim
  options.emit = described(name, "emit", source.emit)
  options.hit = described(name, "hit", source.hit)
  return options
end

-- ---- media --------------------------------------------------------------------------------------

local most_materials = 16 -- of particles

local function media_of(call, given)
  local values = check.table(declarations.set_media, given)
  for _, name in ipairs { "density", "sound_speed" } do
    local list = values[name]
    if list and (#list < 2 or #list > most_materials + 1) then
      check.fail(call, "%s has %d numbers; it must have 2, of the surroundings and of the particles, or with materials up to %d", name, #list,
        most_materials + 1)
    end
    for k = 1, list and #list or 0 do
      check.value(call, { name = string.format("%s[%d]", name, k), type = "number", above = 0 }, list[k])
    end
  end
  local density, speed = values.density and #values.density or 2, values.sound_speed and #values.sound_speed or 2
  if density ~= speed then
    check.fail(call, "density has %d numbers and sound_speed %d; every material must have both", density, speed)
  end
  if call == "reflectance" and density > 2 then
    check.fail(call, "media has %d materials; it must be of two media, that of the ray and that beyond", density - 1)
  end
  local heat = values.heat_capacity
  if type(heat) == "number" then heat = { heat } end
  if heat and #heat ~= 1 and #heat ~= density - 1 then
    check.fail(call, "heat_capacity has %d numbers; there are %d materials", #heat, density - 1)
  end
  for k = 1, heat and #heat or 0 do
    check.value(call, { name = string.format("heat_capacity[%d]", k), type = "number", at_least = 0 }, heat[k])
  end
  for k = 2, heat and #heat == 1 and density - 1 or 0 do heat[k] = heat[1] end
  local fading = values.attenuation
  if type(fading) == "number" then fading = { fading } end
  if fading and call == "reflectance" then check.fail(call, "media has attenuation, and a surface has no length on which it could act") end
  if fading and #fading ~= 1 and #fading ~= density then
    check.fail(call, "attenuation has %d numbers; it must have 1, of the surroundings, or %d, of these and of each material", #fading, density)
  end
  for k = 1, fading and #fading or 0 do
    check.value(call, { name = string.format("attenuation[%d]", k), type = "number", at_least = 0 }, fading[k])
  end
  local media = {}
  for name, value in pairs(values) do media[name] = value end
  media.heat_capacity, media.attenuation = heat, fading
  return media
end

-- Reflectance and cosine of refraction.
function rays.constructors.reflectance(given)
  local values = check.table(declarations.reflectance, given)
  local share, refracted = core.reflectance(media_of("reflectance", values.media or {}), values.cosine)
  if share == nil then check.fail("reflectance", "%s", refracted) end
  return share, refracted
end

-- ---- methods of sim -----------------------------------------------------------------------------

local most_pieces = 2000000 -- of paths, where the script does not say how many

function rays.methods(inner_of)
  local methods = {}

  local function answer(call, value, message)
    if value == nil then check.fail(call, "%s", message) end
    return value
  end

  -- Returns the source's number, from 1.
  function methods.add_ray_source(sim, source)
    local inner = inner_of(sim, "add_ray_source")
    inner.guard("add_ray_source")
    source = check.arguments("sim.add_ray_source", source)
    inner.ray_sources = answer("add_ray_source",
      core.add_ray_source(inner.world, options_of("add_ray_source", source, inner.dimension))) + 1
    return inner.ray_sources
  end

  function methods.set_media(sim, given)
    local inner = inner_of(sim, "set_media")
    inner.guard("set_media")
    answer("set_media", core.set_media(inner.world, media_of("set_media", given)))
  end

  function methods.ray_report(sim, source)
    local inner = inner_of(sim, "ray_report")
    local count = inner.ray_sources or 0
    source = check.arguments("sim.ray_report", source)
    if source and source > count then check.fail("ray_report", "source is %d; there are %d sources", source, count) end
    return runner.logged(inner, "ray_report", function()
      return answer("ray_report", core.ray_report(inner.world, (source or 0) - 1))
    end)
  end

  function methods.rays(sim)
    local inner = inner_of(sim, "rays")
    return runner.logged(inner, "rays", function() return answer("rays", core.rays(inner.world)) end)
  end

  function methods.trace(sim, given)
    local inner = inner_of(sim, "trace")
    local values = check.table(declarations.trace, given)
    local pieces = values.paths == true and most_pieces or values.paths or 0
    local options = options_of("trace", values.source, inner.dimension)
    options.times = nil
    local media = values.media and media_of("trace", values.media)
    local paths
    local functions = {}
    for _, value in pairs(options) do functions[#functions + 1] = type(value) == "function" and value or nil end
    local result = runner.logged_call(inner, "trace", functions, function()
      local found = answer("trace", core.trace(inner.world, options, { media = media, paths = pieces,
        by_particle = values.by_particle }))
      paths, found.paths = found.paths, nil
      return found
    end)
    -- Paths are for pictures; a replay, which draws none, has none.
    if pieces > 0 then
      local complete = {}
      for key, value in pairs(result) do complete[key] = value end
      complete.paths = paths or core.flight_paths(inner.world, 1, 1)
      return complete
    end
    return result
  end

  return methods
end

-- ---- pictures -----------------------------------------------------------------------------------

-- What sim:picture's `rays` means: true for the rays in flight, or the paths of a trace.
function rays.for_picture(call, inner, values)
  if not values.rays then return nil end
  if values.rays == true then
    local power = values.ray_power
    if not power then
      power = 0
      for _, ray in ipairs(core.rays(inner.world)) do power = math.max(power, ray.power) end
      if power == 0 then power = 1 end
    end
    local paths, message = core.flight_paths(inner.world, values.ray_length or 0.1, power)
    if not paths then check.fail(call, "%s", message) end
    return paths
  end
  return values.rays
end

return rays
