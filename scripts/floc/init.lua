-- What require "floc" returns.

require "floc.session.traversal" -- before any other
require "floc.session.ranks" -- before all that take functions of core, io and os
local arguments = require "floc.session.arguments"
local check = require "floc.surface.check"
local core = require "floc.core"
local picture = require "floc.output.picture"
local random = require "floc.simulation.random"
local report = require "floc.output.report"
local resume = require "floc.session.resume"
local session = require "floc.session.session"
local shapes = require "floc.simulation.shapes"
local simulation = require "floc.simulation.simulation"
local warnings = require "floc.session.warnings"

core.set_log(warnings.from_engine)

local public = {
  version = core.version,
  mathematics = core.mathematics,
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
  local path = session.out_folder(session.current()) .. "/" .. check.arguments("floc.output", name)
  local ok, message = session.make_folder_for(path)
  if not ok then check.fail("floc.output", "%s", message) end
  return path
end

-- Loaded when they are asked for.
local further = { coagulation = "floc.analysis.coagulation", lubrication = "floc.simulation.lubrication", plot = "floc.output.plot" }

for _, name in ipairs { "inelastic", "gluey", "first_order", "box", "ball", "plane", "segment", "capsule", "polyline", "circle",
  "sphere", "hollow", "triangle", "cylinder", "cone", "torus", "annulus", "region",
  "union", "difference", "intersection", "mesh", "funnel", "wheel", "container", "oscillation", "piston", "servo", "polygon", "rod", "ellipse", "ellipsoid", "polyhedron" } do
  public[name] = shapes[name]
end

public.discrete_element = require("floc.simulation.elements").discrete_element
for name, make in pairs(require("floc.simulation.rays").constructors) do public[name] = make end
for name, make in pairs(require("floc.simulation.ballistic").constructors) do public[name] = make end

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
