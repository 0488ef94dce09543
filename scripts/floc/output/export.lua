-- sim:write_vtp and sim:write_xyz: particles for ParaView and OVITO.
--
-- A collection (.pvd) is a whole XML file after each frame: an entry is written over the closing tags and the
-- tags behind it. A frame is named only when its .vtp files are written, so that a collection never names what
-- is not there. A checkpoint keeps how long the entries were; on resume the rest is cut off, and .vtp files of
-- later steps are removed.

local check = require "floc.surface.check"
local built_in = require "floc.surface.columns"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local interval = require "floc.session.interval"
local observe = require "floc.output.observe"
local outputs = require "floc.output.outputs"
local session = require "floc.session.session"
local surface = require "floc.surface.structs"
local up = require "floc.simulation.up"
local warnings = require "floc.session.warnings"

local export = {}

local function fail_unless(call, ok, message)
  if not ok then check.fail(call, "%s", message) end
  return ok
end

-- ---- vtp ----------------------------------------------------------------------------------------

local collection_head = '<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0">\n  <Collection>\n'
local collection_tail = "  </Collection>\n</VTKFile>\n"

local kinds = {
  { name = "particles", suffix = "", write = core.vtp_particles },
  { name = "bodies", suffix = "_bodies", write = core.vtp_bodies },
  { name = "contacts", suffix = "_contacts", write = core.vtp_contacts },
  -- of schemes and scripts that have them: begun with the first frame that has any
  { name = "grains", suffix = "_grains", write = core.vtp_grains, optional = true },
  { name = "bonds", suffix = "_bonds", write = core.vtp_bonds, optional = true },
  { name = "rays", suffix = "_rays", write = core.vtp_rays, optional = true },
}
local is_kind = {}
for _, kind in ipairs(kinds) do is_kind[kind.name] = true end

local vtp = {}
vtp.__index = vtp

local function collection_path(self, kind) return self.kept.path .. kind.suffix .. ".pvd" end

local function escape(text) return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub('"', "&quot;")) end

-- Writes text over the closing tags; with offset 0 the file is begun.
local function put(self, kind, text)
  local offset = self.kept[kind.name]
  local path = collection_path(self, kind)
  local file, message = io.open(path, offset == 0 and "wb" or "r+b")
  fail_unless("write_vtp", file, message)
  file:seek("set", offset)
  local ok, problem = file:write(text, collection_tail)
  if ok then ok, problem = file:close() end
  fail_unless("write_vtp", ok, path .. ": " .. tostring(problem))
  self.kept[kind.name] = offset + #text
end

local function begin_kind(self, kind)
  self.kept[kind.name] = 0
  put(self, kind, collection_head)
end

local function begin(self)
  fail_unless("write_vtp", session.make_folder_for(self.kept.path .. "/x"))
  for _, kind in ipairs(self.kinds) do
    if kind.optional then
      self.kept[kind.name] = nil
      os.remove(collection_path(self, kind))
    else
      begin_kind(self, kind)
    end
  end
end

-- Files of steps after the given one.
local function clear_later(self, last)
  for _, name in ipairs(core.list_folder(self.kept.path) or {}) do
    local kind, step = name:match("^(%a+)_(%d+)%.vtp$")
    if is_kind[kind] and tonumber(step) > last then os.remove(self.kept.path .. "/" .. name) end
  end
end

-- What the function ray_paths gives now.
local function paths_of(inner)
  local paths = inner.ray_paths and inner.ray_paths(inner.sim)
  if inner.ray_paths and type(paths) ~= "userdata" then
    check.fail("write_vtp", "the function ray_paths returned %s; it must return the paths of sim:trace", check.show(paths))
  end
  return paths
end

-- For `floc view`; other programs read over it.
local function up_line(inner)
  if inner.dimension == 2 then return "" end
  local v = up.of(inner)
  return string.format("    <!-- up %s %s %s -->\n", observe.number(v[1]), observe.number(v[2]), observe.number(v[3]))
end

-- Contacts of grains that are not round are not listed: what is not written is said.
local function leaves_out(self, kind, inner)
  if kind.name ~= "contacts" then return false end
  for _, name in ipairs(core.column_names(inner.world)) do
    if name == "shape" then
      if not self.was_told then
        warnings.tell(inner.session, inner.number, "write_vtp leaves out contacts, which are known of discs alone: there are grains that are not round")
      end
      self.was_told = true
      return true
    end
  end
  return false
end

local function write_kind(self, kind, inner, step, time, folder)
  local name = string.format("%s_%06d.vtp", kind.name, step)
  local begun = self.kept[kind.name] ~= nil
  local count = fail_unless("write_vtp", kind.write(inner.world, self.kept.path .. "/" .. name, not begun,
    kind.name == "rays" and paths_of(inner) or nil))
  if not begun and count > 0 then begin_kind(self, kind) end
  if kind.name == "particles" and self.kept.particles == #collection_head then put(self, kind, up_line(inner)) end
  if begun or count > 0 then
    put(self, kind, string.format('    <DataSet timestep="%s" part="0" file="%s/%s"/>\n', observe.number(time),
      escape(folder), name))
  end
end

function vtp:write(_, inner)
  local step, time = core.clock(inner.world)
  local folder = self.kept.path:match("([^/]+)$")
  for _, kind in ipairs(self.kinds) do
    if not leaves_out(self, kind, inner) then write_kind(self, kind, inner, step, time, folder) end
  end
end

local function is_whole(self)
  for _, kind in ipairs(self.kinds) do
    local offset = self.kept[kind.name]
    if offset == nil and kind.optional then
      os.remove(collection_path(self, kind)) -- begun after the checkpoint
    elseif not offset or not outputs.cut(collection_path(self, kind), offset) then return false end
  end
  return true
end

function vtp:settle()
  for _, kind in ipairs(self.kinds) do
    if self.kept[kind.name] then outputs.settle("write_vtp", collection_path(self, kind)) end
  end
end

vtp.entries = "frames"

function vtp:restore(was)
  if was then outputs.take_back(self, was) end
  clear_later(self, self.kept.last)
  if was and is_whole(self) then
    for _, kind in ipairs(self.kinds) do
      if self.kept[kind.name] then put(self, kind, "") end
    end
    return true
  end
  begin(self)
  return false
end

function export.write_vtp(inner, given)
  local values = check.table(declarations.write_vtp, given)
  local path = values.path:gsub("%.pvd$", ""):gsub("/+$", "")
  if path == "" or values.path:match("/%.pvd$") or values.path == ".pvd" then
    check.fail("write_vtp", "path is %s; it must be the name of a collection, like run or run.pvd", check.show(values.path))
  end
  local self = setmetatable({ every = interval.of("write_vtp", values.every), kinds = {}, kept = { path = path } }, vtp)
  for _, kind in ipairs(kinds) do
    if kind.name == "particles" or values[kind.name] then self.kinds[#self.kinds + 1] = kind end
  end
  inner.ray_paths = values.ray_paths or inner.ray_paths
  if not outputs.add("write_vtp", inner, self) then return end
  if inner.session.replay then return end
  begin(self)
  clear_later(self, -1)
end

-- ---- extended XYZ -------------------------------------------------------------------------------

local xyz = {}
xyz.__index = xyz


-- Names of the attributes that go behind the built-in columns.
local function attributes_of(self, inner)
  local names = {}
  for _, name in ipairs(core.column_names(inner.world)) do
    if not built_in.named[name] then names[#names + 1] = name end
  end
  return self.columns or names
end

-- The box: the domain on closed and periodic axes, elsewhere what the particles take up. In two dimensions it is as
-- thick as the largest particle.
local function box_of(inner, sim)
  local lower, upper = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  local radius, now = sim.radius, core.cell(inner.world)
  for axis, name in ipairs { "x", "y", "z" } do
    local column = sim[name]
    for _, id in ipairs(sim:ids()) do
      lower[axis] = math.min(lower[axis], column[id] - radius[id])
      upper[axis] = math.max(upper[axis], column[id] + radius[id])
    end
    if axis <= inner.dimension and inner.boundary[axis] ~= surface.constants.boundary_open then
      lower[axis], upper[axis] = now.lower[axis], now.upper[axis]
    end
    if not (upper[axis] > lower[axis]) then lower[axis], upper[axis] = -0.5, 0.5 end
  end
  return lower, upper, now
end

local function numbers(list)
  local texts = {}
  for k, value in ipairs(list) do texts[k] = observe.number(value) end
  return table.concat(texts, " ")
end

-- Names that the format has given away already.
local is_property = { species = true }
local own_columns, own_properties = {}, { "species:S:1:id:I:1" }
for _, vector in ipairs(built_in.vectors) do
  if vector.xyz then
    is_property[vector.xyz], own_properties[#own_properties + 1] = true, vector.xyz .. ":R:3"
    for _, name in ipairs(vector.columns) do own_columns[#own_columns + 1] = name end
  end
end
for _, one in ipairs(built_in) do
  if not one.vector then own_columns[#own_columns + 1], own_properties[#own_properties + 1] = one.name, one.name .. ":R:1" end
end

local function frame_line(self, sim, inner, names)
  local lower, upper, now = box_of(inner, sim)
  local lattice, along, across = { upper[1] - lower[1], 0, 0, 0, upper[2] - lower[2], 0, 0, 0, upper[3] - lower[3] }, now.shear_plane:byte(1, 2)
  lattice[3 * (across - 120) + along - 119] = now.offset -- the letters x, y, z follow each other
  local periodic = {}
  for axis = 1, 3 do periodic[axis] = inner.boundary[axis] == surface.constants.boundary_periodic and "T" or "F" end
  local properties = { table.concat(own_properties, ":") }
  for _, name in ipairs(names) do properties[#properties + 1] = (is_property[name] and "attribute_" or "") .. name .. ":R:1" end
  local parts = {
    string.format('Lattice="%s"', numbers(lattice)),
    string.format('Origin="%s"', numbers(lower)),
    string.format('pbc="%s"', table.concat(periodic, " ")),
    "Properties=" .. table.concat(properties, ":"),
    "Time=" .. observe.number(sim.time),
    string.format("Step=%d", sim.step),
  }
  for _, unit in ipairs { "length_unit", "time_unit", "mass_unit" } do
    if self.units[unit] then parts[#parts + 1] = string.format('%s="%s"', unit, self.units[unit]) end
  end
  return table.concat(parts, " ")
end

function xyz:write(sim, inner)
  local names = attributes_of(self, inner)
  local written = {}
  for k, name in ipairs(own_columns) do written[k] = name end
  for _, name in ipairs(names) do written[#written + 1] = name end
  local length, message = core.xyz_frame(inner.world, self.kept.path, frame_line(self, sim, inner, names), written)
  fail_unless("write_xyz", length, message)
  self.kept.offset = length
end

local function begin_xyz(self)
  self.kept.offset = 0
  local ok, message = session.make_folder_for(self.kept.path)
  local file
  if ok then file, message = io.open(self.kept.path, "wb") end
  fail_unless("write_xyz", file, message)
  file:close()
end

function xyz:settle() outputs.settle("write_xyz", self.kept.path) end

xyz.entries = "frames"

function xyz:restore(was)
  if was then outputs.take_back(self, was) end
  if was and outputs.cut(self.kept.path, self.kept.offset) then return true end
  begin_xyz(self)
  return false
end

local function check_columns(inner, columns)
  for k, name in ipairs(columns or {}) do
    local known = built_in.with_former(core.column_names(inner.world))
    local found = false
    for _, column in ipairs(known) do found = found or column == name end
    if not found then
      check.fail("write_xyz", "columns[%d] is %s, which is no column%s", k, check.show(name), check.suggestion(name, known))
    end
  end
end

function export.write_xyz(inner, given)
  local values = check.table(declarations.write_xyz, given)
  check_columns(inner, values.columns)
  for _, unit in ipairs { "length_unit", "time_unit", "mass_unit" } do
    if values[unit] and values[unit]:find('["\n\\]') then
      check.fail("write_xyz", "%s is %s; it must not contain quotes, backslashes or line ends", unit, check.show(values[unit]))
    end
  end
  local self = setmetatable({ every = interval.of("write_xyz", values.every), columns = values.columns, units = values, kept = { path = values.path, offset = 0 } },
    xyz)
  if not outputs.add("write_xyz", inner, self) then return end
  if not inner.session.replay then begin_xyz(self) end
end

return export
