-- Coarse-grained fields: the tables that scripts get, and .vti files (VTK ImageData, XML, version 1.0) of them. Means over
-- cells are cell data; numbers are text, so that a file is the same on every machine.

local check = require "floc.surface.check"
local session = require "floc.session.session"
local surface = require "floc.surface.structs"

local vti = {}

local letters = { "x", "y", "z" }

-- What the engine takes.
function vti.options(values, dimension)
  local options = { width = values.width, lower = values.lower, upper = values.upper }
  if (values.lower == nil) ~= (values.upper == nil) then
    check.fail("coarse_grain", "%s is given without %s", values.lower and "lower" or "upper", values.lower and "upper" or "lower")
  end
  if values.grid == nil then return options end
  if #values.grid ~= dimension then
    check.fail("coarse_grain", "grid has %d numbers; it must have one for each axis, %d", #values.grid, dimension)
  end
  for axis, cells in ipairs(values.grid) do
    if type(cells) ~= "number" or cells ~= math.floor(cells) or not (cells >= 1 and cells <= 10000000) then
      check.fail("coarse_grain", "grid[%d] is %s; it must be an integer, 1 to 10000000", axis, check.show(cells))
    end
    options["cells_" .. letters[axis]] = cells
  end
  return options
end

local function sum_of(lists, count)
  local sum = {}
  for cell = 1, count do
    sum[cell] = 0
    for _, list in ipairs(lists) do sum[cell] = sum[cell] + list[cell] end
  end
  return sum
end

-- Tables by name from the engine's lists, whose numbers are those of floc_field.
function vti.fields(grid, lists)
  local found, dimension, count = grid, #grid.cells, #lists[1]
  local function list(name, offset) return lists[surface.constants["field_" .. name] + offset + 1] end
  found.density = list("density", 0)
  for axis = 1, dimension do
    local momentum, velocity = list("momentum", axis - 1), {}
    for cell = 1, count do velocity[cell] = found.density[cell] > 0 and momentum[cell] / found.density[cell] or 0 end
    found["momentum_" .. letters[axis]], found["velocity_" .. letters[axis]] = momentum, velocity
  end
  local diagonal, fluctuation = {}, {}
  for row = 1, dimension do
    for column = 1, dimension do
      local component, parts = "_" .. letters[row] .. letters[column], {}
      for k, part in ipairs { "kinetic_stress", "contact_stress", "law_stress" } do
        parts[k] = list(part, 3 * (row - 1) + column - 1)
        found[part .. component] = parts[k]
      end
      found["stress" .. component] = sum_of(parts, count)
      if row == column then diagonal[row], fluctuation[row] = found["stress" .. component], parts[1] end
    end
  end
  found.pressure = sum_of(diagonal, count)
  found.granular_temperature = sum_of(fluctuation, count)
  for cell = 1, count do
    local density = found.density[cell]
    found.pressure[cell] = found.pressure[cell] / dimension
    found.granular_temperature[cell] = density > 0 and found.granular_temperature[cell] / (dimension * density) or 0
  end
  return found
end

-- ---- the file --------------------------------------------------------------------------------------

-- Arrays in the file: names, and the lists that stand side by side in it. In the plane vectors and tensors have zeros.
local function arrays_of(found)
  local dimension, zeros, arrays = #found.cells, {}, {}
  for k, name in ipairs { "density", "pressure", "granular_temperature" } do arrays[k] = { name, { found[name] } } end
  for cell = 1, #found.density do zeros[cell] = 0 end
  for _, name in ipairs { "momentum", "velocity" } do
    local lists = {}
    for axis = 1, 3 do lists[axis] = found[name .. "_" .. letters[axis]] or zeros end
    arrays[#arrays + 1] = { name, lists }
  end
  for _, name in ipairs { "stress", "kinetic_stress", "contact_stress", "law_stress" } do
    local lists = {}
    for row = 1, 3 do
      for column = 1, 3 do lists[#lists + 1] = row <= dimension and column <= dimension and found[name .. "_" .. letters[row] .. letters[column]] or zeros end
    end
    arrays[#arrays + 1] = { name, lists }
  end
  return arrays
end

local function triple(list, rest, pattern) return (pattern .. " " .. pattern .. " " .. pattern):format(list[1], list[2], list[3] or rest) end

local function write_array(put, array, count)
  local name, lists = array[1], array[2]
  put(('        <DataArray type="Float64" Name="%s" NumberOfComponents="%d" format="ascii">\n'):format(name, #lists))
  local row = {}
  for cell = 1, count do
    for k, list in ipairs(lists) do row[k] = ("%.17g"):format(list[cell]) end
    put(table.concat(row, " "), "\n")
  end
  put "        </DataArray>\n"
end

function vti.write(path, found, time)
  local cells = found.cells
  local extent = ("0 %d 0 %d 0 %d"):format(cells[1], cells[2], cells[3] or 1)
  local ok, message = session.make_folder_for(path)
  if ok then
    ok, message = session.write_whole(path, function(put)
      put('<?xml version="1.0"?>\n<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian">\n')
      put(('  <ImageData WholeExtent="%s" Origin="%s" Spacing="%s">\n'):format(extent, triple(found.lower, 0, "%.17g"), triple(found.spacing, 1, "%.17g")))
      put(('    <FieldData>\n      <DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">%.17g</DataArray>\n    </FieldData>\n'):format(time))
      put(('    <Piece Extent="%s">\n      <CellData>\n'):format(extent))
      for _, array in ipairs(arrays_of(found)) do write_array(put, array, #found.density) end
      put "      </CellData>\n    </Piece>\n  </ImageData>\n</VTKFile>\n"
    end)
  end
  if not ok then check.fail("coarse_grain", "%s", message) end
end

return vti
