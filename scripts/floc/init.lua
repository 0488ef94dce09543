-- What require "floc" returns.

local arguments = require "floc.arguments"
local check = require "floc.check"
local core = require "floc.core"
local picture = require "floc.picture"
local random = require "floc.random"
local report = require "floc.report"
local resume = require "floc.resume"
local session = require "floc.session"
local shapes = require "floc.shapes"
local simulation = require "floc.simulation"
local warnings = require "floc.warnings"

core.set_log(warnings.from_engine)

local public = {
  version = core.version,
  cdef = core.cdef,
  simulation = simulation.new,
  args = arguments.args,
  report = report.add,
  resume = resume.resume,
  panels = picture.panels,
  random = random.stream,
}

-- The whole name of a file in the folder for output; the folder is made. For files that a script writes.
function public.output(name)
  local path = session.out_folder(session.current()) .. "/" .. check.value("floc.output", { name = "name", type = "path" }, name)
  local ok, message = session.make_folder_for(path)
  if not ok then check.fail("floc.output", "%s", message) end
  return path
end

-- Loaded when they are asked for.
local further = { lubrication = "floc.lubrication", plot = "floc.plot" }

for _, name in ipairs { "inelastic", "gluey", "box", "ball", "plane", "segment", "capsule", "polyline", "circle",
  "sphere", "hollow", "triangle", "mesh", "funnel", "wheel", "container", "oscillation", "piston" } do
  public[name] = shapes[name]
end

public.discrete_element = require("floc.elements").discrete_element
for name, make in pairs(require("floc.rays").constructors) do public[name] = make end
for name, make in pairs(require("floc.ballistic").constructors) do public[name] = make end

check.strict_all(public, 0)

-- The module is read-only but for `out`, so that floc.simulaton {...} says what is wrong with it.
return setmetatable({}, {
  __name = "floc",
  __index = function(_, key)
    if key == "out" then return session.out_folder(session.current()) end
    local value = public[key]
    if value ~= nil then return value end
    if further[key] then return require(further[key]) end
    local names = { "out" }
    for name in pairs(further) do names[#names + 1] = name end
    for name in pairs(public) do names[#names + 1] = name end
    check.fail("floc", "there is no floc.%s%s", tostring(key), check.suggestion(key, names))
  end,
  __newindex = function(_, key, value)
    if key ~= "out" then check.fail("floc", "floc.%s cannot be assigned", tostring(key)) end
    local one = session.current()
    value = check.value("floc.out", { name = "out", type = "string" }, value)
    if not one.out_is_fixed then one.out = value end
  end,
})
