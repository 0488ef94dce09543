-- Regions: where sim:add_particles puts particles. A box and a ball are the engine's own; all others are made here into
-- one function that the engine asks for each position that it draws: may a particle of this radius have its centre
-- there? Around them is a box in which positions are drawn.
--
-- Every region has two such questions: does the particle lie wholly in it (`within`), and wholly outside (`clear`):
--   union         within one of them; outside of all
--   intersection  within all of them; outside of one
--   difference    within the first and outside of the others
-- so particles never stick out over an edge that two parts share.

local check = require "floc.surface.check"
local core = require "floc.core"
local round = require "floc.simulation.round"
local solid_mesh = require "floc.simulation.solid_mesh"
local surface = require "floc.surface.structs"

local constants = surface.constants
local regions = {}
local tests = {} -- by name of the constructor: of the region, makes within, clear, lower, upper

local function name_of(region) return getmetatable(region).floc_name end

-- ---- single ones --------------------------------------------------------------------------------

function tests.box(_, box)
  local lower, upper = box.lower, box.upper
  local function distance(x, y, z) -- below 0 in it: of the nearest face; outside no more than the true one
    local far = math.max(lower[1] - x, x - upper[1], lower[2] - y, y - upper[2])
    return lower[3] and math.max(far, lower[3] - z, z - upper[3]) or far
  end
  local function outside(x, y, z, radius)
    local dx, dy = math.max(lower[1] - x, 0, x - upper[1]), math.max(lower[2] - y, 0, y - upper[2])
    local dz = lower[3] and math.max(lower[3] - z, 0, z - upper[3]) or 0
    return distance(x, y, z) > 0 and dx * dx + dy * dy + dz * dz >= radius * radius
  end
  return function(x, y, z, radius) return distance(x, y, z) <= -radius end, outside, lower, upper
end

local function distance_from(center, x, y, z)
  local dx, dy, dz = x - center[1], y - center[2], z - (center[3] or 0)
  return math.sqrt(dx * dx + dy * dy + dz * dz)
end

local function around(center, reach)
  local lower, upper = {}, {}
  for k, middle in ipairs(center) do lower[k], upper[k] = middle - reach, middle + reach end
  return lower, upper
end

function tests.ball(_, ball)
  local function within(x, y, z, radius) return distance_from(ball.center, x, y, z) <= ball.radius - radius end
  local function clear(x, y, z, radius) return distance_from(ball.center, x, y, z) >= ball.radius + radius end
  return within, clear, around(ball.center, ball.radius)
end

function tests.annulus(_, ring)
  local function within(x, y, z, radius)
    local distance = distance_from(ring.center, x, y, z)
    return distance >= ring.inner + radius and distance <= ring.outer - radius
  end
  local function clear(x, y, z, radius)
    local distance = distance_from(ring.center, x, y, z)
    return distance <= ring.inner - radius or distance >= ring.outer + radius
  end
  return within, clear, around(ring.center, ring.outer)
end

-- Of a solid shape of the engine, by its distance.
local function by_shape(world, name, region)
  local solid = round.region(name, region)
  local function distance(x, y, z)
    local value, message = core.shape_distance(world, solid, x, y, z)
    if not value then error(message, 0) end
    return value
  end
  local function within(x, y, z, radius) return distance(x, y, z) <= -radius end
  local function clear(x, y, z, radius) return distance(x, y, z) >= radius end
  return within, clear, round.bounds(name, region)
end

for _, name in ipairs { "cylinder", "cone", "torus" } do
  tests[name] = function(world, region) return by_shape(world, name, region) end
end

function tests.mesh(world, region) return solid_mesh.test("add_particles", world, region) end

-- A function of the script. Outside of it is where it returns false, of a particle of that radius.
function tests.region(_, region)
  local contains = region.contains
  local function asked(x, y, z, radius)
    local answer = contains(x, y, z, radius)
    if type(answer) ~= "boolean" then
      error(string.format("%s: contains returned %s at (%g, %g, %g); it must return true or false", check.definition(contains),
        check.show(answer), x, y, z), 0)
    end
    return answer
  end
  return asked, function(x, y, z, radius) return not asked(x, y, z, radius) end, region.lower, region.upper
end

-- ---- put together -------------------------------------------------------------------------------

local function test_of(world, region) return tests[name_of(region)](world, region) end

local function parts_of(world, list)
  local parts = {}
  for k, region in ipairs(list) do
    local within, clear, lower, upper = test_of(world, region)
    parts[k] = { within = within, clear = clear, lower = lower, upper = upper }
  end
  return parts
end

local function any(parts, question, first)
  return function(x, y, z, radius)
    for k = first or 1, #parts do
      if parts[k][question](x, y, z, radius) then return true end
    end
    return false
  end
end

local function all(parts, question, first)
  return function(x, y, z, radius)
    for k = first or 1, #parts do
      if not parts[k][question](x, y, z, radius) then return false end
    end
    return true
  end
end

-- The box around all of them, or what is common to their boxes.
local function join(parts, low, high)
  local lower, upper = {}, {}
  for axis in ipairs(parts[1].lower) do
    lower[axis], upper[axis] = parts[1].lower[axis], parts[1].upper[axis]
    for k = 2, #parts do
      lower[axis], upper[axis] = low(lower[axis], parts[k].lower[axis]), high(upper[axis], parts[k].upper[axis])
    end
  end
  return lower, upper
end

function tests.union(world, region)
  local parts = parts_of(world, region.regions)
  return any(parts, "within"), all(parts, "clear"), join(parts, math.min, math.max)
end

function tests.intersection(world, region)
  local parts = parts_of(world, region.regions)
  return all(parts, "within"), any(parts, "clear"), join(parts, math.max, math.min)
end

function tests.difference(world, region)
  local parts = parts_of(world, region.regions)
  local outside, behind = all(parts, "clear", 2), any(parts, "within", 2)
  return function(x, y, z, radius) return parts[1].within(x, y, z, radius) and outside(x, y, z, radius) end,
    function(x, y, z, radius) return parts[1].clear(x, y, z, radius) or behind(x, y, z, radius) end, parts[1].lower, parts[1].upper
end

-- ---- checks of the constructors -----------------------------------------------------------------

function regions.check_annulus(values)
  if not (values.inner < values.outer) then
    check.fail("annulus", "inner is %s; it must be below outer, which is %s", check.show(values.inner), check.show(values.outer))
  end
  values.center = values.center or { 0, 0 }
  if #values.center ~= 2 then check.fail("annulus", "center has %d numbers; it must have 2", #values.center) end
end

-- ---- for the engine -----------------------------------------------------------------------------

local function check_dimension(call, region, dimension)
  local name = name_of(region)
  if region.regions then
    for _, part in ipairs(region.regions) do check_dimension(call, part, dimension) end
    return
  end
  local vector = region.lower or region.center or region.points and region.points[1] or region.axis or { 0, 0, 0 }
  if #vector == dimension then return end
  check.fail(call, "floc.%s has vectors of %d numbers; the simulation has %d dimensions", name, #vector, dimension)
end

-- Of points, for what acts on particles by their centres: is (x, y, z) in the region? With the box around it.
function regions.contains(call, world, region, dimension)
  check_dimension(call, region, dimension)
  local within, _, lower, upper = test_of(world, region)
  return function(x, y, z) return within(x, y, z, 0) end, lower, upper
end

-- Fills the region part of insertion options; the function, if there is one.
function regions.set(call, world, region, dimension, options)
  check_dimension(call, region, dimension)
  local name = name_of(region)
  if name == "box" then
    options.region_kind, options.region_lower, options.region_upper = constants.region_box, region.lower, region.upper
    return
  elseif name == "ball" then
    options.region_kind, options.region_center, options.region_radius = constants.region_ball, region.center, region.radius
    return
  end
  local within, _, lower, upper = test_of(world, region)
  for axis = 1, dimension do
    if not (lower[axis] < upper[axis]) then check.fail(call, "region is empty: its parts have nothing in common") end
  end
  options.region_kind, options.region_lower, options.region_upper = constants.region_function, lower, upper
  return within
end

return regions
