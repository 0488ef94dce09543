-- Contact problems as files: sim:record_problem, and `floc solve FILE`.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local replay = require "floc.session.replay"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"
local surface = require "floc.surface.structs"

local problem = {}

-- Those of the declarations, in the order of floc_solver.
for _, field in ipairs(declarations.inelastic) do
  if field.name == "solver" then problem.solvers = field.one_of end
end

-- The next step writes its contact problem to path. During a replay that step is not made.
function problem.record(inner, path)
  path = check.arguments("sim.record_problem", path)
  if replay.is_target(inner) or sandbox.leaves_out "record_problem" then return end
  local made, reason = session.make_folder_for(path)
  if not made then check.fail("record_problem", "%s", reason) end
  local ok, message = core.problem_record(inner.world, path)
  if not ok then check.fail("record_problem", "%s", message) end
end

local function row(report, name)
  return string.format("%-14s %12.4g %12d %12.3g %12.3g  %s", name, 1e3 * report.seconds, report.iterations,
    report.residual, report.audited_residual, report.converged and "solved" or "not solved")
end

-- Solves a recorded problem with each of the named solvers. The text to print and whether all were solved;
-- nil, message when the file is none or is damaged.
function problem.solve(path, options)
  local out, solved = {}, true
  for k, name in ipairs(options.solvers) do
    local report, message = core.problem_solve(path, {
      solver = name ~= "recorded" and surface.constants["solver_" .. name] or -1, threads = options.threads,
      ["repeat"] = options.repeats, tolerance = options.tolerance, max_iterations = options.max_iterations,
      warm_start = not options.cold,
    })
    if not report then return nil, message end
    if k == 1 then
      out[1] = string.format("problem     %s: %d particles, %d contacts, %dD, time step %g", path, report.particles,
        report.contacts, report.dimension, report.time_step)
      out[2] = string.format("tolerance   %g%s", report.tolerance, options.cold and ", without an initial guess" or "")
      out[3] = string.format("%-14s %12s %12s %12s %12s", "solver", "CPU ms", "products", "residual", "audited")
    end
    out[#out + 1] = row(report, problem.solvers[report.solver + 1])
    solved = solved and report.converged
  end
  return table.concat(out, "\n") .. "\n", solved
end

return problem
