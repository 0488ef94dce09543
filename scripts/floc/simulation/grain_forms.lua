-- Polyhedra as shapes of grains: corners of those that have a name.

local check = require "floc.surface.check"
local core = require "floc.core"

local forms = {}

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

local corners = {
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

function forms.check(values)
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
function forms.add(call, inner, shape)
  if inner.dimension ~= 3 then
    check.fail(call, "shape is floc.polyhedron, which needs 3 dimensions; the simulation has %d", inner.dimension)
  end
  local list = {}
  for k, point in ipairs(shape.points or corners[shape.form](shape)) do
    for axis = 1, 3 do list[3 * k - 3 + axis] = point[axis] end
  end
  local number, volume = core.add_polyhedron(inner.world, list, shape.rounding)
  if not number then check.fail(call, "%s", volume) end
  return number, volume
end

return forms
