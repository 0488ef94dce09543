-- Shapes, regions and schemes as scripts write them: floc.segment{...}, floc.box{...}, floc.gluey{...}.
-- Each constructor checks its table and returns a plain table with a metatable that says what it can
-- serve as. Turning them into the engine's structs is done here too, where the dimension is known.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local materials = require "floc.simulation.materials"
local modules = require "floc.session.modules"
local regions = require "floc.simulation.regions"
local round = require "floc.simulation.round"
local surface = require "floc.surface.structs"

local constants = surface.constants
local shapes = {}

-- What the result of each constructor can be used for.
local kinds = {
  box = { region = true, shape = true, domain = true },
  ball = { region = true },
  cylinder = { region = true, shape = true },
  cone = { region = true, shape = true },
  torus = { region = true, shape = true },
  mesh = { region = true, shape = true },
  annulus = { region = true },
  region = { region = true },
  union = { region = true },
  difference = { region = true },
  intersection = { region = true },
  inelastic = { scheme = true },
  gluey = { scheme = true },
  first_order = { scheme = true },
  oscillation = { motion = true },
  piston = { motion = true },
  servo = { motion = true },
  polygon = { grain_shape = true },
  rod = { grain_shape = true },
  ellipse = { grain_shape = true },
  ellipsoid = { grain_shape = true },
  polyhedron = { grain_shape = true },
}
for _, name in ipairs { "plane", "segment", "capsule", "polyline", "circle", "sphere", "hollow", "triangle",
  "funnel", "wheel", "container" } do
  kinds[name] = { shape = true }
end

local function length_of(vector)
  local sum = 0
  for _, component in ipairs(vector) do sum = sum + component * component end
  return math.sqrt(sum)
end

-- Refuses vectors of the other dimension.
local function check_dimension(call, name, dimension, ...)
  for k = 1, select("#", ...) do
    local vector = select(k, ...)
    if vector and #vector ~= dimension then
      check.fail(call, "floc.%s has vectors of %d numbers; the simulation has %d dimensions", name, #vector,
        dimension)
    end
  end
end
-- Checks beyond the single field.
local further = {}

local function check_corners(name, values)
  if #values.lower ~= #values.upper then
    check.fail(name, "lower has %d numbers and upper %d; their lengths must be equal", #values.lower, #values.upper)
  end
  for axis, lower in ipairs(values.lower) do
    if not (values.upper[axis] > lower) then
      check.fail(name, "upper[%d] is %s; it must be above lower[%d], which is %s", axis,
        check.show(values.upper[axis]), axis, check.show(lower))
    end
  end
end

function further.box(values) check_corners("box", values) end
function further.region(values) check_corners("region", values) end

function further.plane(values)
  if length_of(values.normal) == 0 then check.fail("plane", "normal is 0; it must have a direction") end
end

function further.segment(values)
  local a, b = values.points[1], values.points[2]
  local equal = a[1] == b[1] and a[2] == b[2] and a[3] == b[3]
  if equal then check.fail("segment", "both points are the same; they must differ") end
end

further.cylinder, further.cone, further.torus = round.check_cylinder, round.check_cone, round.check_torus
further.annulus = regions.check_annulus

function further.inelastic(values) materials.check("inelastic", values) end
function further.gluey(values) materials.check("gluey", values) end

local function check_axis(name, values)
  if values.axis and length_of(values.axis) == 0 then check.fail(name, "axis is 0; it must have a direction") end
end

function further.funnel(values)
  check_axis("funnel", values)
  if not (values.top > values.bottom) then
    check.fail("funnel", "top is %s; it must be above bottom, which is %s", check.show(values.top),
      check.show(values.bottom))
  end
end

function further.container(values) check_axis("container", values) end

function further.wheel(values)
  check_axis("wheel", values)
  if not (values.radius > values.hub) then
    check.fail("wheel", "hub is %s; it must be below radius, which is %s", check.show(values.hub),
      check.show(values.radius))
  end
end

function further.oscillation(values)
  local given = check.exclusive("oscillation", values, "frequency", "period")
  if not given then check.fail("oscillation", "frequency is missing; it must be a finite number above 0") end
  if values.period then values.frequency = 2 * math.pi / values.period end
end

function further.piston(values)
  if length_of(values.velocity) == 0 then check.fail("piston", "velocity is 0; it must have a direction") end
end

function further.servo(values)
  if length_of(values.direction) == 0 then check.fail("servo", "direction is 0; it must be a direction") end
  check.exclusive("servo", values, "load", "pressure")
  if values.load == nil and values.pressure == nil then check.fail("servo", "load is missing; it must be a force, or pressure and area in its place") end
  if values.pressure and not values.area then check.fail("servo", "area is missing; it must be the one that the pressure acts on") end
  if values.area and not values.pressure then check.fail("servo", "area is given, which does nothing without pressure") end
end

function further.polygon(values)
  local given = check.exclusive("polygon", values, "sides", "points")
  if not given then check.fail("polygon", "sides is missing; it must be a number of sides, or points in its place") end
  for _, point in ipairs(values.points or {}) do check_dimension("polygon", "polygon", 2, point) end
end

-- Into both, or all three, semi-axes.
local function check_semi_axes(name, values, dimension)
  local given = check.exclusive(name, values, "aspect", "semi_axes")
  if not given then check.fail(name, "aspect is missing; it must be length over width, or semi_axes in its place") end
  values.semi_axes = values.semi_axes or (dimension == 2 and { values.aspect, 1 } or { values.aspect, 1, 1 })
  if #values.semi_axes ~= dimension then
    check.fail(name, "semi_axes has %d numbers; it must have %d", #values.semi_axes, dimension)
  end
  for k, length in ipairs(values.semi_axes) do
    if not (length > 0) then check.fail(name, "semi_axes[%d] is %s; it must be above 0", k, check.show(length)) end
  end
end

function further.ellipse(values) check_semi_axes("ellipse", values, 2) end
function further.ellipsoid(values) check_semi_axes("ellipsoid", values, 3) end
-- ---- polyhedra as shapes of grains: corners of those that have a name -------------------------------

local golden = (1 + math.sqrt(5)) / 2

-- All changes of sign of a point, those of 0 once; cyclic: with its axes changed in turn too.
local function signs_of(points, x, y, z, cyclic)
  for _, a in ipairs(x == 0 and { 1 } or { -1, 1 }) do
    for _, b in ipairs(y == 0 and { 1 } or { -1, 1 }) do
      for _, c in ipairs(z == 0 and { 1 } or { -1, 1 }) do
        points[#points + 1] = { a * x, b * y, c * z }
        if cyclic then
          points[#points + 1] = { c * z, a * x, b * y }
          points[#points + 1] = { b * y, c * z, a * x }
        end
      end
    end
  end
  return points
end

local corners_of = {
  box = function(shape)
    local size = shape.size or { 1, 1, 1 }
    return signs_of({}, size[1], size[2], size[3])
  end,
  tetrahedron = function() return { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } } end,
  octahedron = function() return signs_of({}, 1, 0, 0, true) end,
  icosahedron = function() return signs_of({}, 0, 1, golden, true) end,
  prism = function(shape)
    local points, sides = {}, shape.sides or 6
    for k = 1, sides do
      local x, y = math.cos(2 * math.pi * k / sides), math.sin(2 * math.pi * k / sides)
      points[2 * k - 1], points[2 * k] = { x, y, -(shape.aspect or 1) }, { x, y, shape.aspect or 1 }
    end
    return points
  end,
}

local belongs_to = { size = "box", sides = "prism", aspect = "prism" }

function further.polyhedron(values)
  if not check.exclusive("polyhedron", values, "form", "points") then
    check.fail("polyhedron", "form is missing; it must be box, tetrahedron, octahedron, icosahedron or prism, or points in its place")
  end
  for _, name in ipairs { "size", "sides", "aspect" } do
    if values[name] and values.form ~= belongs_to[name] then
      check.fail("polyhedron", "%s is given, which is that of a %s; form is %s", name, belongs_to[name], check.show(values.form))
    end
  end
  if values.size and #values.size ~= 3 then check.fail("polyhedron", "size has %d numbers; it must have 3", #values.size) end
  for k, length in ipairs(values.size or {}) do
    if not (length > 0) then check.fail("polyhedron", "size[%d] is %s; it must be above 0", k, check.show(length)) end
  end
  for k, point in ipairs(values.points or {}) do
    if #point ~= 3 then check.fail("polyhedron", "points[%d] has %d numbers; it must have 3", k, #point) end
  end
  if values.rounding == 0 then check.fail("polyhedron", "rounding is 0; it must be above 0") end
end

-- Number of the shape in a world, and the volume of one whose radius is 1.
local function add_polyhedron(call, inner, shape)
  if inner.dimension ~= 3 then
    check.fail(call, "shape is floc.polyhedron, which needs 3 dimensions; the simulation has %d", inner.dimension)
  end
  local list = {}
  for k, point in ipairs(shape.points or corners_of[shape.form](shape)) do
    for axis = 1, 3 do list[3 * k - 3 + axis] = point[axis] end
  end
  local number, volume = core.add_polyhedron(inner.world, list, shape.rounding)
  if not number then check.fail(call, "%s", volume) end
  return number, volume
end

for name, uses in pairs(kinds) do
  local declaration = declarations[name]
  local meta = check.kinds(name, uses)
  shapes[name] = function(given)
    local values = check.table(declaration, given)
    if further[name] then further[name](values) end
    return setmetatable(values, meta)
  end
end

function shapes.name_of(value)
  return getmetatable(value).floc_name
end

-- ---- into the engine ----------------------------------------------------------------------------

local origin = { 0, 0, 0 }

shapes.check_dimension = check_dimension

local simple = {
  plane = function(s) return constants.shape_plane, { s.point or origin, s.normal }, 0 end,
  segment = function(s) return constants.shape_segment, s.points, s.thickness / 2 end,
  capsule = function(s) return constants.shape_segment, s.points, s.radius end,
  circle = function(s) return constants.shape_sphere, { s.center or origin }, s.radius end,
  sphere = function(s) return constants.shape_sphere, { s.center or origin }, s.radius end,
  hollow = function(s) return constants.shape_hollow, { s.center or origin }, s.radius end,
  triangle = function(s) return constants.shape_triangle, s.points, s.thickness / 2 end,
}

local function flat(points)
  local list = {}
  for k, point in ipairs(points) do list[2 * k - 1], list[2 * k] = point[1], point[2] end
  return list
end

local function compound(name, shape)
  local options = surface.for_engine("floc." .. name, shape)
  if name == "polyline" then options.points = flat(shape.points) end
  if name == "container" then options.depth = shape.depth or shape.width end
  return options
end

local dimension_of = { triangle = 3, mesh = 3, cylinder = 3, cone = 3, torus = 3, polyline = 2, circle = 2 }

-- Checks a shape against a simulation's dimension, before any body exists.
function shapes.check_for(call, shape, dimension)
  local name = shapes.name_of(shape)
  local only = dimension_of[name]
  if only and only ~= dimension then
    check.fail(call, "floc.%s needs %d dimensions; the simulation has %d", name, only, dimension)
  end
  check_dimension(call, name, dimension, shape.point, shape.normal, shape.center, shape.lower, shape.upper, shape.axis)
  if shape.points then
    for _, point in ipairs(shape.points) do check_dimension(call, name, dimension, point) end
  end
end

local has_opening = { funnel = true, container = true }

-- Names of those that have an opening, and leave it where it is by default.
function shapes.without_axis(list)
  local names = {}
  for _, shape in ipairs(list) do
    local name = shapes.name_of(shape)
    if has_opening[name] and not shape.axis then names[#names + 1] = name end
  end
  return names
end

-- Of shapes of grains: the dimension that they need, and what the engine makes them from.
local grain_shapes = {
  polygon = { dimension = 2, arguments = function(shape) return shape.points and flat(shape.points) or shape.sides, shape.rounding end },
  rod = { arguments = function(shape) return { -1, 0, 1, 0 }, 1 / shape.aspect end },
  ellipse = { dimension = 2, arguments = function(shape) return nil, shape.semi_axes end },
  ellipsoid = { dimension = 3, arguments = function(shape) return nil, shape.semi_axes end },
}

-- The number of a shape of grains in a world, and the area, or volume, of one whose radius is 1.
function shapes.grain(call, inner, shape)
  local name = shapes.name_of(shape)
  if name == "polyhedron" then return add_polyhedron(call, inner, shape) end
  local needed = grain_shapes[name].dimension
  if needed and needed ~= inner.dimension then
    check.fail(call, "shape is floc.%s, which needs %d dimensions; the simulation has %d, where shapes of grains are %s", name, needed,
      inner.dimension, inner.dimension == 2 and "floc.polygon, floc.rod and floc.ellipse" or "floc.rod, floc.ellipsoid and floc.polyhedron")
  end
  local number, area = core.add_grain_shape(inner.world, grain_shapes[name].arguments(shape))
  if not number then check.fail(call, "%s", area) end
  return number, area
end

-- Adds a checked shape to a body; true, or nil and the engine's message.
function shapes.add(world, body, shape)
  local name = shapes.name_of(shape)
  if simple[name] then
    local kind, points, radius = simple[name](shape)
    return core.add_shape(world, body, { kind = kind, points = points, radius = radius })
  end
  if round.shapes[name] then
    for _, part in ipairs(round.shapes[name](shape)) do
      local ok, message = core.add_shape(world, body, part)
      if not ok then return nil, message end
    end
    return true
  end
  if name == "mesh" then
    modules.reads("add_body", shape.path)
    return core.add_mesh(world, body, surface.for_engine("floc.mesh", shape))
  end
  return core.add_compound(world, body, compound(name, shape))
end

-- Sets the scheme of a world; true, or nil and the engine's message.
function shapes.set_scheme(world, scheme)
  local name = shapes.name_of(scheme)
  if name == "discrete_element" then return require("floc.simulation.elements").set_scheme(world, scheme) end
  if name == "ballistic" or name == "event_driven" then return require("floc.simulation.ballistic").set_scheme(world, name, scheme) end
  local options = surface.for_engine("floc." .. name, scheme)
  options.first_order = name == "first_order"
  return core.set_projection(world, options, materials.by_pair(name, scheme, options))
end

return shapes
