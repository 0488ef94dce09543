-- The C interface of floc.h from LuaJIT: declarations, library, and the world's pointer.
--
--   local c = require "floc.ffi"
--   local world = c.world(sim)                          -- floc_world *
--   local info = c.new("floc_world_info")               -- struct_size is set
--   c.check(c.lib.floc_world_get_info(world, info), world)
--
-- The declarations are floc_cdef(), the header's own text as compiled, and the functions are those of the module that
-- is loaded, found by their addresses: there is no second library that could be of another version. A function of the
-- engine that is called this way must not call back into Lua (LuaJIT forbids it), so a step that needs a
-- Lua function fails with "callback failed"; use sim:run for those.

local core = require "floc.core"

local has_ffi, ffi = pcall(require, "ffi")
if not (has_ffi and rawget(_G, "jit")) then
  error("floc.ffi needs LuaJIT; in Lua 5.4 use sim.x[id], sim:map and sim:sum", 2)
end

local public = { C = ffi.C }

ffi.cdef(core.cdef)

-- ---- functions ----------------------------------------------------------------------------------

-- The type of each function as a pointer, from the text of the header.
local function function_types(text)
  local types = {}
  text = text:gsub("/%*.-%*/", ""):gsub("typedef%s+struct%s+[%w_]+%s*%b{}%s*[%w_]+;", ""):gsub("typedef%s+enum%s+[%w_]+%s*%b{}%s*[%w_]+;", "")
    :gsub("typedef[^;]*;", "")
  for result, name, arguments in text:gmatch("([%w_][%w_%s%*]-)(floc_[%w_]+)%s*(%b())%s*;") do
    types[name] = result .. "(*)" .. arguments
  end
  return types
end

local types = function_types(core.cdef)

-- In C these are macros, which give the size of the struct as the program knows it: floc_NAME_init, and those named here
-- with their size's place among the arguments.
local macros = { floc_trace = { "floc_ray_segment", 5 }, floc_world_get_contacts = { "floc_contact", 3 }, floc_world_get_bonds = { "floc_bond", 3 },
  floc_body_get_drawing = { "floc_shape", 5 } }

local function macro(lib, name)
  local struct = types[name .. "_sized"] and name:match "^(floc_.*)_init$"
  local type_name, place = struct, 2
  if macros[name] then type_name, place = macros[name][1], macros[name][2] end
  if not type_name then return nil end
  local fn, size = lib[name .. "_sized"], ffi.sizeof(type_name)
  if place == 2 then return function(a) return fn(a, size) end end
  if place == 3 then return function(a, b, c, d) return fn(a, b, size, c, d) end end
  return function(a, b, c, d, ...) return fn(a, b, c, d, size, ...) end
end

public.lib = setmetatable({}, {
  __index = function(lib, name)
    local made = macro(lib, name)
    if made then
      rawset(lib, name, made)
      return made
    end
    local address = core.symbols[name]
    if not address or not types[name] then error("floc.h has no function " .. tostring(name), 2) end
    local fn = ffi.cast(types[name], address)
    rawset(lib, name, fn)
    return fn
  end,
})

-- Names of all functions, in order.
function public.function_names()
  local names = {}
  for name in pairs(types) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- ---- worlds and structs -------------------------------------------------------------------------

-- The world of a simulation. It lives as long as the simulation does.
function public.world(sim)
  local inner = require("floc.simulation.simulation").inner_of(sim, "floc.ffi.world")
  return ffi.cast("floc_world *", core.world_pointer(inner.world))
end

-- A struct of floc.h with struct_size set; everything else is 0. For options call lib.floc_NAME_init.
function public.new(name)
  local made = ffi.new(name)
  made.struct_size = ffi.sizeof(name)
  return made
end

-- Raises the world's message unless the status is FLOC_OK.
function public.check(status, world)
  if status == 0 then return end
  local text = world ~= nil and ffi.string(public.lib.floc_world_message(world)) or ""
  if text == "" then text = ffi.string(public.lib.floc_status_name(status)) end
  error(text, 2)
end

-- A column as double * and its length; valid until particles or attributes are added, a step, or a load.
function public.column(sim, name)
  local values, count, world = ffi.new "double *[1]", ffi.new "int64_t[1]", public.world(sim)
  public.check(public.lib.floc_column(world, name, values, count), world)
  return values[0], tonumber(count[0])
end

return public
