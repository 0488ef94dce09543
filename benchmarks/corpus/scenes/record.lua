-- What the scenes of the corpus share: the steps whose contact problems are recorded, and the scheme.
--
-- record=60:name,400:other records the problems of steps 60 and 400 as name.floc and other.floc, prints a line
-- for each (name, smallest radius, how it was solved), and ends the run after the last.
local floc = require "floc"

local record = {}

-- Parameters of every scene, with those of this one. most: products in a step.
function record.args(more)
  local all = { record = "", into = ".", seed = 1, friction = 0, law = { "exact", one_of = { "exact", "convex" } }, tolerance = 0, most = 20000, time_step = 1 / 60 }
  for name, value in pairs(more) do all[name] = value end
  return floc.args(all)
end

-- tolerance: in units of `radius`; 0: the scheme's own.
function record.scheme(args, radius, more)
  local options = { friction = args.friction > 0 and args.friction or nil, tolerance = args.tolerance > 0 and args.tolerance * radius or nil,
    max_iterations = args.most, friction_law = args.law ~= "exact" and args.law or nil }
  for name, value in pairs(more or {}) do options[name] = value end
  return options
end

-- between(step), if given, is called before each step: for scenes that change on the way.
function record.run(sim, args, between)
  local names, last = {}, 0
  for step, name in args.record:gmatch "(%d+):([^,]+)" do
    names[tonumber(step)] = name
    last = math.max(last, tonumber(step))
  end
  for step = 1, last do
    if between then between(step) end
    if names[step] then sim:record_problem(args.into .. "/" .. names[step] .. ".floc") end
    sim:run { steps = 1, progress = false }
    if names[step] then
      local report = sim:report()
      local least = math.huge
      for id = 1, sim.count do least = math.min(least, sim.radius[id]) end
      print(("%s\t%.12g\t%d contacts, %d products, %.3g tolerances"):format(names[step], least, report.contacts, report.iterations,
        report.residual / report.tolerance))
    end
  end
end

return record
