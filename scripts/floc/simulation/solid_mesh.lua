-- The space inside of a closed mesh, as a region.
--
-- A point is inside where the winding number of the mesh about it is not 0: the sum of the solid angles of all triangles,
-- 2 atan(det(a, b, c), |a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|) each (A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng.
-- 30 (1983) 125), over 4 pi. No ray can hit an edge, and no choice of a direction is needed. It is an integer where
-- every edge is passed as often one way as the other, which is what closed means here; other meshes are refused.
--
-- Triangles lie in a grid of cells: which of them are near, and one answer for all of a cell that none of them touches.

local check = require "floc.surface.check"
local core = require "floc.core"
local modules = require "floc.session.modules"
local surface = require "floc.surface.structs"

local solid_mesh = {}

local atan2 = math.atan2 or math.atan -- luacheck: ignore
local floor, sqrt, abs, max, min = math.floor, math.sqrt, math.abs, math.max, math.min

-- ---- reading --------------------------------------------------------------------------------------

-- The triangles of the file, by a world of their own.
local function triangles_of(call, region)
  modules.reads(call, region.path)
  local world, message = core.create { dimension = 3, time_step = 1, threads = 1, boundary = { 0, 0, 0 }, gravity = { 0, 0, 0 }, number = 0 }
  local body = world and core.add_body(world, { motion = surface.constants.motion_fixed, position = { 0, 0, 0 } })
  local ok = body
  if ok then ok, message = core.add_mesh(world, body, surface.for_engine("floc.mesh", region)) end
  if not ok then check.fail(call, "%s", message) end
  local list = {}
  for k = 1, core.body_state(world, body).shape_count do list[k] = core.body_shape(world, body, k - 1).points end
  return list
end

local function point_text(p) return string.format("{ %s, %s, %s }", check.show(p[1]), check.show(p[2]), check.show(p[3])) end

-- Refuses a mesh with an edge that is not passed as often one way as the other.
local function check_closed(call, path, triangles)
  local number_of, count, uses, order = {}, 0, {}, {}
  local function number(p)
    local key = string.format("%.17g %.17g %.17g", p[1] + 0, p[2] + 0, p[3] + 0)
    if not number_of[key] then
      count = count + 1
      number_of[key] = count
    end
    return number_of[key]
  end
  for _, triangle in ipairs(triangles) do
    local corner = { number(triangle[1]), number(triangle[2]), number(triangle[3]) }
    for k = 1, 3 do
      local a, b = corner[k], corner[k % 3 + 1]
      local key = min(a, b) * 2 ^ 26 + max(a, b)
      if not uses[key] then
        uses[key] = { 0, 0, triangle[k], triangle[k % 3 + 1] }
        order[#order + 1] = key
      end
      uses[key][1] = uses[key][1] + (a < b and 1 or -1)
      uses[key][2] = uses[key][2] + 1
    end
  end
  local odd, turned, first = 0, 0, nil
  for _, key in ipairs(order) do
    local edge = uses[key]
    if edge[1] ~= 0 then
      first = first or edge
      if edge[2] % 2 == 1 then odd = odd + 1 else turned = turned + 1 end
    end
  end
  if not first then return end
  check.fail(call, "%s bounds no space: %s; the first goes from %s to %s", path, odd > 0 and string.format("%d of its edges are open", odd)
    or string.format("at %d of its edges one triangle shows its other side", turned), point_text(first[3]), point_text(first[4]))
end

-- ---- the grid -------------------------------------------------------------------------------------

local function bounds_of(points, lower, upper)
  for _, point in ipairs(points) do
    for axis = 1, 3 do lower[axis], upper[axis] = min(lower[axis], point[axis]), max(upper[axis], point[axis]) end
  end
  return lower, upper
end

local function nothing() return { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge } end

local function new_grid(triangles)
  local lower, upper = nothing()
  for _, triangle in ipairs(triangles) do bounds_of(triangle, lower, upper) end
  local volume, size = 1, {}
  for axis = 1, 3 do volume = volume * max(upper[axis] - lower[axis], 1e-300) end
  local edge = (volume / (2 * #triangles + 8)) ^ (1 / 3)
  for axis = 1, 3 do size[axis] = max(1, min(64, floor((upper[axis] - lower[axis]) / edge))) end
  return { lower = lower, upper = upper, size = size, cells = {}, answers = {} }
end

local function place(grid, axis, value)
  local share = (value - grid.lower[axis]) / (grid.upper[axis] - grid.lower[axis])
  return max(0, min(grid.size[axis] - 1, floor(share * grid.size[axis])))
end

-- Calls fn with the number of every cell of a box.
local function each_cell(grid, lower, upper, fn)
  local nx, ny = grid.size[1], grid.size[2]
  for k = place(grid, 3, lower[3]), place(grid, 3, upper[3]) do
    for j = place(grid, 2, lower[2]), place(grid, 2, upper[2]) do
      for i = place(grid, 1, lower[1]), place(grid, 1, upper[1]) do fn(i + nx * (j + ny * k)) end
    end
  end
end

-- ---- questions ------------------------------------------------------------------------------------

local function length(x, y, z) return sqrt(x * x + y * y + z * z) end

-- The winding number about a point that is on no triangle.
local function winding(triangles, x, y, z)
  local sum = 0
  for k = 1, #triangles do
    local t = triangles[k]
    local a, b, c = t[1], t[2], t[3]
    local ax, ay, az, bx, by, bz, cx, cy, cz = a[1] - x, a[2] - y, a[3] - z, b[1] - x, b[2] - y, b[3] - z, c[1] - x, c[2] - y, c[3] - z
    local la, lb, lc = length(ax, ay, az), length(bx, by, bz), length(cx, cy, cz)
    local determinant = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    sum = sum + atan2(determinant, la * lb * lc + (ax * bx + ay * by + az * bz) * lc + (bx * cx + by * cy + bz * cz) * la
      + (cx * ax + cy * ay + cz * az) * lb)
  end
  return sum / (2 * math.pi)
end

-- within, clear and the box, as regions.lua wants them.
function solid_mesh.test(call, world, region)
  local triangles = triangles_of(call, region)
  check_closed(call, region.path, triangles)
  local grid, solids = new_grid(triangles), {}
  for number, triangle in ipairs(triangles) do
    solids[number] = { kind = surface.constants.shape_triangle, points = triangle, radius = region.thickness / 2 }
    local lower, upper = nothing()
    bounds_of(triangle, lower, upper)
    each_cell(grid, lower, upper, function(cell)
      grid.cells[cell] = grid.cells[cell] or {}
      table.insert(grid.cells[cell], number)
    end)
  end

  local function is_inside(x, y, z)
    for axis, value in ipairs { x, y, z } do
      if value < grid.lower[axis] or value > grid.upper[axis] then return false end
    end
    local cell = place(grid, 1, x) + grid.size[1] * (place(grid, 2, y) + grid.size[2] * place(grid, 3, z))
    if grid.cells[cell] then return abs(winding(triangles, x, y, z)) > 0.5 end
    if grid.answers[cell] == nil then grid.answers[cell] = abs(winding(triangles, x, y, z)) > 0.5 end
    return grid.answers[cell]
  end

  -- Whether a ball keeps away from all triangles.
  local function keeps_away(x, y, z, radius)
    local reach, seen, away = radius + region.thickness / 2, {}, true
    each_cell(grid, { x - reach, y - reach, z - reach }, { x + reach, y + reach, z + reach }, function(cell)
      for _, number in ipairs(away and grid.cells[cell] or {}) do
        if not seen[number] then
          seen[number] = true
          away = away and core.shape_distance(world, solids[number], x, y, z) >= radius
        end
      end
    end)
    return away
  end

  local function within(x, y, z, radius) return is_inside(x, y, z) and keeps_away(x, y, z, radius) end
  local function clear(x, y, z, radius) return not is_inside(x, y, z) and keeps_away(x, y, z, radius) end
  return within, clear, grid.lower, grid.upper
end

return solid_mesh
