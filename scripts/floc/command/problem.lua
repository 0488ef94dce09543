-- Contact problems as files: sim:record_problem, and `floc solve FILE ...`.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local json = require "floc.output.json"
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

-- The report of one solver on one file, with the names of both; nil, message, status when the file is none, is damaged, or holds a
-- problem that is none for this solver.
local function solve_once(path, name, options)
  local report, message, status = core.problem_solve(path, {
    solver = name ~= "recorded" and surface.constants["solver_" .. name] or -1, threads = options.threads,
    ["repeat"] = options.repeats, tolerance = options.tolerance, max_iterations = options.max_iterations,
    warm_start = not options.cold, answer = options.answer,
  })
  if not report then return nil, message, status end
  report.problem, report.solver, report.warm_start = path, problem.solvers[report.solver + 1], not options.cold
  return report
end

local function row(report)
  return string.format("%-14s %12.4g %12d %12.3g %12.3g  %s", report.solver, 1e3 * report.seconds, report.iterations,
    report.residual, report.audited_residual, report.converged and "solved" or "not solved")
end

-- One file: what it is, and a line for each solver.
local function description(reports, options)
  local first = reports[1]
  local out = {
    string.format("problem     %s: %d particles, %d contacts, %dD, time step %g", first.problem, first.particles, first.contacts, first.dimension,
      first.time_step),
    string.format("tolerance   %g%s", first.tolerance, options.cold and ", without an initial guess" or ""),
    string.format("%-14s %12s %12s %12s %12s", "solver", "CPU ms", "products", "residual", "audited"),
  }
  for _, report in ipairs(reports) do out[#out + 1] = row(report) end
  return out
end

-- Several files: a line for each file and solver; residuals in tolerances, because these differ between files.
local function listing(reports)
  local widest = 7
  for _, report in ipairs(reports) do widest = math.max(widest, #report.problem) end
  local head = "%-" .. widest .. "s %9s %9s  %-14s %10s %10s %12s %12s"
  local line = "%-" .. widest .. "s %9d %9d  %-14s %10.4g %10d %12.3g %12.3g  %s"
  local out = { head:format("problem", "particles", "contacts", "solver", "CPU ms", "products", "residual/tol", "audited/tol") }
  for _, one in ipairs(reports) do
    out[#out + 1] = line:format(one.problem, one.particles, one.contacts, one.solver, 1e3 * one.seconds, one.iterations, one.residual / one.tolerance,
      one.audited_residual / one.tolerance, one.converged and "solved" or "not solved")
  end
  return out
end

-- Solves recorded problems with each of the named solvers, or, with options.all, those of them that can. The text to print and whether all were solved; nil, message, path when a
-- file is none or is damaged.
function problem.solve(paths, options)
  local reports, solved = setmetatable({}, json.list), true
  for _, path in ipairs(paths) do
    for _, name in ipairs(options.solvers) do
      local report, message, status = solve_once(path, name, options)
      if report then
        reports[#reports + 1] = report
        solved = solved and report.converged
      elseif not options.all or status ~= "not supported" then
        return nil, message, path
      end
    end
  end
  if options.json then return json.encode(reports), solved end
  return table.concat(#paths > 1 and listing(reports) or description(reports, options), "\n") .. "\n", solved
end

return problem
