-- The program `floc`: run, resume, view, info, diff, verify, solve, reproduce, sweep, help, --version. Returns the exit status: 0 when all went well, 1
-- for any error, 128 + the signal's number after an interruption.

local arguments = require "floc.session.arguments"
local check = require "floc.surface.check"
local compare = require "floc.command.compare"
local continuation = require "floc.session.continuation"
local core = require "floc.core"
local help = require "floc.command.help"
local info = require "floc.command.info"
local job_script = require "floc.command.job_script"
local changes = require "floc.session.changes"
local live = require "floc.session.live"
local locks = require "floc.session.locks"
local measure_ensembles = require "floc.command.measure_ensembles"
local mutate = require "floc.command.mutate"
local outputs = require "floc.output.outputs"
local papers = require "floc.command.papers"
local problem = require "floc.command.problem"
local ranks = require "floc.session.ranks"
local replay = require "floc.session.replay"
local report = require "floc.output.report"
local reproduce = require "floc.command.reproduce"
local resume = require "floc.session.resume"
local rounding = require "floc.session.rounding"
local runner = require "floc.session.runner"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"
local standard = require "floc.session.standard"
local sweep = require "floc.command.sweep"
local view = require "floc.command.view"
local warnings = require "floc.session.warnings"
local surface = require "floc.surface.structs"

local command = {}

local function say(text) io.stderr:write(text, "\n") end

-- An error in how the program was called: raised, shown by main.
local function refuse(format, ...) error("floc: " .. string.format(format, ...), 0) end

-- ---- options ------------------------------------------------------------------------------------

local option_words = {
  run = arguments.reserved,
  live = { "changes", "continue", "hash", "help", "live", "out", "paused", "port", "quiet", "strict", "threads", "traceback", "trust" },
  slurm = { "changes", "continue", "hash", "help", "live", "mem", "out", "quiet", "ranks", "sandbox", "slurm", "strict", "threads", "time", "traceback",
    "trust" },
  sandbox = { "continue", "out", "hash", "memory", "print", "quiet", "sandbox", "strict", "threads", "time", "traceback", "help" },
  resume = { "live", "memory", "modules", "out", "hash", "paused", "port", "print", "quiet", "sandbox", "steps", "strict", "threads", "time", "traceback",
    "trust", "help" },
  info = { "hash", "help" },
  view = { "columns", "every", "help", "output", "units" },
  diff = { "help" },
  verify = { "help" },
  reproduce = { "ensembles", "examples", "full", "help", "markdown", "mutations", "out", "quick", "strict", "threads" },
  sweep = { "array-task", "help", "jobs", "out", "parallel", "slurm" },
  sweep_slurm = { "array-task", "help", "jobs", "mem", "out", "parallel", "per-job", "ranks", "slurm", "time" },
  solve = { "answer", "cold", "help", "json", "max-iterations", "repeat", "solver", "threads", "tolerance" },
}
local further_files = { diff = 1, solve = math.huge }
local needed_files = { diff = 1 } -- of these
local shown_names = { sandbox = "run", live = "run", slurm = "run", sweep_slurm = "sweep" }
local flags = { ["continue"] = true, quiet = true, strict = true, traceback = true, hash = true, help = true, cold = true, json = true, quick = true, full = true, parallel = true, slurm = true,
  sandbox = true, live = true, paused = true, trust = true, ensembles = true }

local function whole_number(name, text, least, greatest)
  local value = tonumber(text)
  if not value or value ~= math.floor(value) or value < least or value > greatest then
    refuse("--%s is %s; it must be an integer from %d to %d", name, check.show(text), least, greatest)
  end
  return math.floor(value)
end

local function length(name, text)
  local value = tonumber(text)
  if not value or not (value > 0 and value < math.huge) then
    refuse("--%s is %s; it must be a finite number above 0", name, check.show(text))
  end
  return value
end

local whole_ranges = { threads = { 0, 256 }, jobs = { 1, 4096 }, ["repeat"] = { 1, 1e6 }, ["max-iterations"] = { 1, 1e6 },
  memory = { 1, 1e6 }, print = { 1, 1e6 }, time = { 1, 1e6 }, steps = { 0, 2 ^ 53 }, every = { 1, 1e9 }, port = { 0, 65535 },
  ranks = { 1, 1e6 }, ["per-job"] = { 1, 1e5 } }

-- by_batch: among the options of a job script, where --time is not that of the sandbox.
local function option_value(name, text, by_batch)
  if flags[name] then
    if text then refuse("--%s takes no value", name) end
    return true
  end
  if name == "mutations" then return text or "" end
  if not text or text == "" then refuse("--%s needs a value: --%s=...", name, name) end
  if name == "tolerance" then return length(name, text) end
  if name == "modules" and text ~= "new" and text ~= "stored" then refuse("--modules is %s; it must be new or stored", check.show(text)) end
  local batch = by_batch and job_script.check(name)
  if batch then
    local value, message = batch(text)
    if not value then refuse("%s", message) end
    return value
  end
  local range = whole_ranges[name]
  return range and whole_number(name, text, range[1], range[2]) or text
end

-- Splits a command's arguments into its own options, the file, and what is left for the script, or further files where
-- the command takes several.
local function parse(name, list, script_takes_rest)
  local options, rest, file = {}, {}, nil
  local own, by_batch, words = {}, name:find "slurm" ~= nil, option_words[name]
  for _, word in ipairs(words) do own[word] = true end
  name = shown_names[name] or name
  for _, argument in ipairs(list) do
    local word, text = argument:match("^%-%-([%w_%-]+)=(.*)$")
    word = word or argument:match("^%-%-([%w_%-]+)$")
    if argument == "-h" then word = "help" end
    if word and own[word] and not (word == "help" and file and script_takes_rest) then
      options[word] = option_value(word, text, by_batch)
    elseif not file and argument:sub(1, 1) ~= "-" then
      file = argument
    elseif script_takes_rest and file or argument:sub(1, 1) ~= "-" and #rest < (further_files[name] or 0) then
      rest[#rest + 1] = argument
    elseif argument:sub(1, 1) == "-" then
      refuse("%s: unknown option %s%s", name, argument, check.suggestion((word or argument), words))
    else
      refuse("%s: unexpected argument %s", name, argument)
    end
  end
  local further = needed_files[name] or 0
  if not options.help and (not file or #rest < further) then
    refuse("%s needs %s: floc %s FILE%s; see floc help %s", name, further > 0 and "two files" or "a file", name,
      (" FILE"):rep(further), name)
  end
  return options, file, rest
end

-- ---- executing a script -------------------------------------------------------------------------

local function new_session(options, given)
  given.threads, given.quiet = options.threads or ranks.are_several and 1 or nil, options.quiet or false
  given.progress = not options.quiet
  given.strict = options.strict or false
  given.program = command.called_as
  given.interrupted = command.interrupted
  given.wants_hashes, given.module_policy, given.continues = options.hash, options.modules, options.continue
  local one = session.new(given)
  one.out_is_fixed = options.out ~= nil
  one.trusts = options.trust or false
  return one
end

-- Scripts find their own modules beside them, and their arguments in `arg` as under plain Lua.
local function set_environment(name, rest)
  local folder = name:match("^(.*/)[^/]*$") or "./"
  package.path = folder .. "?.lua;" .. folder .. "?/init.lua;" .. package.path
  local list = { [0] = name }
  for k, value in ipairs(rest) do list[k] = value end
  rawset(_G, "arg", list)
  standard.install()
end

-- The state that each simulation came to, in the order of making; of those that the garbage collector has taken what it
-- was then.
local function show_hashes(one)
  collectgarbage() -- some may be on their way: gone from the list, and their hash not noted yet
  for number = 1, one.simulation_count do
    local inner = one.simulations[number]
    local step, hash = nil, one.last_hashes[number]
    if inner then
      step, hash = core.clock(inner.world), core.hash(inner.world)
    elseif hash then
      step, hash = hash[1], hash[2]
    end
    if hash then io.stdout:write(string.format("simulation %d: step %d, hash %s\n", number, step, hash)) end
  end
end

-- --live, for a session.
local function begin_live(one, options)
  if not options.live then
    for _, name in ipairs { "port", "paused" } do
      if options[name] then refuse("--%s is given without --live", name) end
    end
    return
  end
  one.live = live.start(command.page, { port = options.port, paused = options.paused, interrupted = command.interrupted,
    title = one.script_name:match("([^/]+)%.lua$") or one.script_name }, say)
end

-- What is left to do when the script has ended or failed: the reports.
local function finish(one, options)
  local text = report.text(one)
  if text ~= "" then io.stdout:write("\n", text) end
  if options.hash then show_hashes(one) end
  io.stdout:flush()
  return options.strict and report.failures(one) > 0 and 1 or 0
end

local function interruption_status()
  local by = command.interrupted()
  return type(by) == "number" and 128 + by or 1
end

-- sim:step() is Lua's own error, and says nothing of what to write.
local function with_hint(message)
  local name = message:match "attempt to call method '(%a+)' %(a number value%)" or message:match "attempt to call a number value %(method '(%a+)'%)"
  if not name then return message end
  return message .. string.format("; %s is a number, without brackets%s", name, name == "step" and ": sim.step; sim:run { steps = 1 } makes a step" or "")
end

-- Shows an error and returns the exit status for it.
local function failed(value, one)
  if value == arguments.finished then return 0 end
  local signal = one and type(command.interrupted()) == "number"
  if signal and not runner.is_interruption(value) then
    value = runner.interrupted_between(one, tostring(value)) or value
  end
  if signal and not runner.is_interruption(value) then
    say("floc: " .. tostring(value) .. (one.replay and "; the checkpoint that was being resumed is as it was"
      or "; no run had ended, so there is no state to continue from"))
    return interruption_status()
  end
  if runner.is_interruption(value) then
    say("floc: " .. tostring(value))
    return interruption_status()
  end
  if one and #one.reports > 0 then finish(one, {}) end
  say(with_hint(tostring(value)))
  local reason = sandbox.memory_is_over(value)
  if reason then say(reason) end
  return 1
end

local function execute(one, text, name, options)
  local chunk, message = resume.load_script(text, name)
  if not chunk then
    say(message)
    return 1
  end
  session.push(one)
  local ok, value = xpcall(function()
    chunk()
    arguments.check_unused(one)
    replay.check_reached(one)
    ranks.compare_end(one.simulations)
  end, options.traceback and command.add_traceback or function(raised) return raised end)
  if not ok and not ranks.fail_together(value) then
    session.pop()
    return 1
  end
  outputs.finish(one, function(message) say("floc: " .. message) end)
  warnings.finish(one)
  if one.live then one.live:finish() end
  local status = ok and finish(one, options) or failed(value, one)
  locks.release(one)
  for _, inner in pairs(one.simulations) do locks.release(inner) end
  session.pop()
  return status
end

-- ---- commands -----------------------------------------------------------------------------------

local commands = {}

-- A checkpoint or a picture is told from a script before Lua says something about its bytes.
local function check_is_script(path, text)
  if text:find("^\137FLOC") then refuse("%s is a checkpoint; floc resume %s continues from it", path, path) end
  if text:sub(1, 1) ~= "\27" and text:find("\0", 1, true) then refuse("%s is not text; floc run takes a Lua script", path) end
end

-- What needs one process.
local function check_over_ranks(name, options)
  for _, word in ipairs { "live", "sandbox" } do
    if ranks.are_several and options[word] then
      refuse("%s: --%s is not supported over several ranks, of which there are %d", name, word, ranks.count)
    end
  end
end

-- Tasks of srun that no MPI joins are runs of their own, which somebody who wanted ranks would not notice.
local function tell_of_tasks(options)
  local tasks = tonumber(os.getenv "SLURM_STEP_NUM_TASKS")
  if ranks.are_several or options.quiet or not tasks or tasks < 2 or os.getenv "SLURM_PROCID" ~= "0" then return end
  say(string.format("floc: srun started %d tasks, and each makes a run of its own; srun --mpi=pmix makes ranks of one run of them", tasks))
end

local continue_from

-- floc run --continue. A job that ended before it came any further would do the same again and again, so its status is another.
local function run_on(one, options, text, path)
  local found, noted = continuation.find(one, resume.tell)
  local status
  if found then
    status, one = continue_from(found, options, function(own) own.continued_from = noted end)
  else
    set_environment(path, one.arguments)
    status = execute(one, text, path, options)
  end
  if status > 128 and not one.is_further then
    say("floc: it came no further than it was when it began, so to continue is of no use: give it more time")
    return 75 -- EX_TEMPFAIL of sysexits.h
  end
  return status
end

local function print_job(options, path, rest)
  for _, word in ipairs { "live", "sandbox" } do
    if options[word] then refuse("run: --slurm and --%s are given; it must be one of them", word) end
  end
  if options.threads == 0 then refuse("--threads is 0; a job script needs the number of processors, from 1 to 256") end
  io.stdout:write(job_script.run(core.executable(), path, options, rest))
  return 0
end

function commands.run(list)
  -- --memory, --time and --print, --port and --paused, --mem and --ranks are words that scripts may have for parameters of their own
  local words = "run"
  for _, argument in ipairs(list) do
    words = argument == "--slurm" and "slurm" or words == "slurm" and words or argument == "--sandbox" and "sandbox"
      or argument == "--live" and words == "run" and "live" or words
  end
  local options, path, rest = parse(words, list, true)
  if options.help then return help.show("run") end
  check_over_ranks("run", options)
  local text = session.read_text(path)
  if not text then refuse("%s: there is no such file, or it cannot be read", path) end
  check_is_script(path, text)
  if options.slurm then return print_job(options, path, rest) end
  if options.continue and (options.sandbox or options.live) then
    refuse("run: --continue and --%s are given; it must be one of them", options.sandbox and "sandbox" or "live")
  end
  tell_of_tasks(options)
  local one = new_session(options, { script_name = path, script_text = text, arguments = rest, out = options.out,
    changes = options.changes and changes.read(options.changes), changes_path = options.changes })
  begin_live(one, options)
  if options.continue then return run_on(one, options, text, path) end
  set_environment(path, rest)
  if options.sandbox then
    sandbox.begin({ memory = options.memory, time = options.time, print = options.print }, command.limit)
  end
  return execute(one, text, path, options)
end

-- Somebody at a terminal is asked; a refusal otherwise.
local function ask_for_trust(found, options)
  local fine, message = resume.may_run({ trusts = options.trust }, found)
  if fine then return end
  if not core.is_asked() then refuse("%s", message) end
  io.stderr:write(string.format("floc: %s is a program with all your permissions, and nothing shows that you wrote it: %s.\n"
    .. "Run it? [y/N] ", found.path, found.doubt))
  local answer = io.stdin:read "*l"
  if not (answer and answer:lower():find "^y") then refuse("%s: it was not run", found.path) end
end

function commands.resume(list)
  local options, path = parse("resume", list, false)
  if options.help then return help.show("resume") end
  check_over_ranks("resume", options)
  for _, name in ipairs { "memory", "print", "time" } do
    if options[name] and not options.sandbox then refuse("--%s is given without --sandbox", name) end
  end
  if options.sandbox and options.live then refuse("resume: --sandbox and --live are given; it must be one of them") end
  local found, message = resume.find(path, resume.tell)
  if not found then refuse("%s", message) end
  if not options.sandbox then ask_for_trust(found, options) end
  return (continue_from(found, options))
end

-- Runs what was found in a checkpoint; the exit status and the session, which `prepare` is given before.
function continue_from(found, options, prepare)
  local record = found.record
  local one = new_session(options, { script_name = record.script_name, script_text = found.script,
    arguments = record.arguments, out = options.out or record.out or nil, steps = options.steps, changes = record.changes })
  if prepare then prepare(one) end
  begin_live(one, options)
  one.stored_modules = record.modules
  one.replay = resume.replay_of(found, resume.tell, function(inner)
    if options.quiet then return end
    local step, time = core.clock(inner.world)
    say(string.format("floc: resumed %s at step %d, t = %.6g", found.path, step, time))
  end)
  set_environment(record.script_name, record.arguments)
  if options.sandbox then
    sandbox.leave_out(function(call) if not options.quiet then say("floc: the sandbox omits what the script writes by " .. call) end end)
    sandbox.begin({ memory = options.memory, time = options.time, print = options.print }, command.limit)
  end
  return execute(one, found.script, record.script_name, options), one
end

function commands.info(list)
  local options, path = parse("info", list, false)
  if options.help then return help.show("info") end
  local text, message = info.text(path, options.hash)
  if not text then refuse("%s", session.about(path, message)) end
  io.stdout:write(text)
  return 0
end

function commands.diff(list)
  local options, first, others = parse("diff", list, false)
  if options.help then return help.show("diff") end
  local text, equal = compare.diff(first, others[1])
  if not text then refuse("%s", equal) end
  io.stdout:write(text)
  return equal and 0 or 1
end

function commands.verify(list)
  local options, path = parse("verify", list, false)
  if options.help then return help.show("verify") end
  local text, whole = compare.verify(path)
  if not text then refuse("%s", whole) end
  io.stdout:write(text)
  return whole and 0 or 1
end

local function size_text(bytes)
  return bytes < 1e6 and string.format("%.0f kB", bytes / 1e3) or string.format("%.1f MB", bytes / 1e6)
end

function commands.view(list)
  local options, path = parse("view", list, false)
  if options.help then return help.show("view") end
  local columns
  if options.columns then
    columns = {}
    for name in options.columns:gmatch("[^,]+") do columns[#columns + 1] = name end
  end
  session.push(session.new { script_name = "floc view", quiet = true, program = command.called_as })
  local output, size, frames = view.write(path, { output = options.output, every = options.every, columns = columns, units = options.units,
    page = command.page, interrupted = command.interrupted })
  session.pop()
  io.stdout:write(string.format("%s: %d frame%s, %s\n", output, frames, frames == 1 and "" or "s", size_text(size)))
  return 0
end

local function solver_names(text)
  local names = {}
  if text == "all" then return problem.solvers end
  for name in (text or "recorded"):gmatch("[^,]+") do
    if text and not surface.constants["solver_" .. name] then
      refuse("--solver: there is no solver %s%s; there are %s", name, check.suggestion(name, problem.solvers),
        table.concat(problem.solvers, ", "))
    end
    names[#names + 1] = name
  end
  return names
end

function commands.solve(list)
  local options, path, paths = parse("solve", list, false)
  if options.help then return help.show("solve") end
  table.insert(paths, 1, path)
  local solvers = solver_names(options.solver)
  if options.answer and (#paths > 1 or #solvers > 1) then
    refuse("--answer takes the answer of one solver to one problem; there are %d problems and %d solvers", #paths, #solvers)
  end
  local text, solved, faulty = problem.solve(paths, { solvers = solvers, all = options.solver == "all", tolerance = options.tolerance, max_iterations = options["max-iterations"],
    repeats = options["repeat"], threads = options.threads, cold = options.cold, answer = options.answer, json = options.json })
  if not text then refuse("%s", session.about(faulty, solved)) end
  io.stdout:write(text)
  return solved and 0 or 1
end

-- What the claims say of wrong physics, as text and as out/mutations.tsv.
local function mutated(given)
  local rows, message = mutate.run(given)
  if not rows then refuse("reproduce: %s", message) end
  local text, score, right = mutate.text(rows)
  local path = given.out .. "/mutations.tsv"
  local ok, problem_with = session.write_text(path, text)
  if not ok then refuse("%s", problem_with) end
  io.stdout:write(text, score, "\n", path, "\n")
  if command.interrupted() then return interruption_status() end
  return right and 0 or 1
end

-- reproduce takes any number of papers, where parse knows of one file.
function commands.reproduce(list)
  local names, words = {}, {}
  for _, argument in ipairs(list) do
    if argument:sub(1, 1) == "-" then
      words[#words + 1] = argument
    else
      if not papers.find(argument) then
        refuse("reproduce: there is no paper %s%s", argument, check.suggestion(argument, papers.names()))
      end
      names[#names + 1] = argument
    end
  end
  words[#words + 1] = "all"
  local options = parse("reproduce", words, false)
  if options.help then return help.show("reproduce") end
  if options.quick and options.full then refuse("reproduce: --quick and --full are given; it must be one of them") end
  for _, other in ipairs { "mutations", "full", "quick", "markdown", "strict" } do
    if options.ensembles and options[other] then refuse("reproduce: --ensembles and --%s are given; it must be one of them", other) end
  end
  for _, other in ipairs { "full", "quick", "markdown", "strict" } do
    if options.mutations and options[other] then refuse("reproduce: --mutations and --%s are given; it must be one of them", other) end
  end
  if options.markdown and not options.markdown:find("%.md$") then
    refuse("reproduce: --markdown is %s; the name of a Markdown page ends with .md", check.show(options.markdown))
  end
  local examples = options.examples or reproduce.examples()
  if not examples then refuse("reproduce: the folder of examples is not found; give it as --examples=FOLDER") end
  local given = { program = core.executable(), examples = examples,
    out = options.out or "out/reproduce", markdown = options.markdown, size = options.full and "full" or "quick", threads = options.threads,
    names = #names > 0 and names or papers.names(), mutations = options.mutations, tell = say, interrupted = command.interrupted }
  if options.ensembles then
    local count, message = measure_ensembles.run(given)
    if not count then refuse("reproduce: %s", message) end
    if count == 0 then refuse("reproduce: none of these papers has an ensemble") end
    return 0
  end
  if options.mutations then return mutated(given) end
  local path, counts, summary = reproduce.run(given)
  if not path then refuse("%s", counts) end
  io.stdout:write(summary, "\n", path, "\n")
  if command.interrupted() then return interruption_status() end
  return (counts.failed or options.strict and counts["not met"]) and 1 or 0
end

function commands.sweep(list)
  local words = "sweep"
  for _, argument in ipairs(list) do words = argument == "--slurm" and "sweep_slurm" or words end
  local options, path, rest = parse(words, list, true)
  if options.help then return help.show("sweep") end
  local text = session.read_text(path)
  if not text then refuse("%s: there is no such file, or it cannot be read", path) end
  local given = { program = core.executable(), file = path, text = text, arguments = rest, tell = say,
    out = options.out or session.out_folder { script_name = path } .. "-sweep", jobs = options.jobs or core.processors() }
  local sets = sweep.prepare(given)
  for _, others in ipairs { { "slurm", "parallel" }, { "slurm", "array-task" }, { "parallel", "array-task" } } do
    if options[others[1]] and options[others[2]] then refuse("sweep: --%s and --%s are given; it must be one of them", others[1], others[2]) end
  end
  if (options.ranks or 1) > 1 then
    refuse("sweep: --ranks is %d; each set of a sweep is a run of one process, and floc run FILE --slurm --ranks=%d is one over ranks", options.ranks, options.ranks)
  end
  if options.slurm then
    given.jobs = options.jobs or 1
    io.stdout:write(job_script.sweep(given, options, sweep.job_count(sets, options["per-job"])))
    return 0
  end
  if options.parallel then
    io.stdout:write(sweep.parallel(sets, given))
    return 0
  end
  if options["array-task"] then sets = sweep.part(sets, options["array-task"], given) end
  local shown, missing, is_further = sweep.run(sets, given)
  io.stdout:write(shown)
  if missing == 0 then return 0 end
  if command.interrupted() and is_further then return interruption_status() end
  say(string.format("floc: sweep: %d of %d sets are not done; the same command continues with them", missing, #sets))
  return 1
end

function commands.help(list)
  return help.show(list[1])
end

local function version()
  local lua = rawget(_G, "jit") and rawget(_G, "jit").version or _VERSION
  io.stdout:write(string.format("floc %s (%s)\n", core.version, lua))
  return 0
end

local command_names = { "run", "resume", "view", "info", "diff", "verify", "solve", "reproduce", "sweep", "help" }

local function dispatch(list)
  rounding.settle()
  local name = table.remove(list, 1)
  if name == nil then
    io.stderr:write(help.overview())
    return 1
  end
  if name == "--help" or name == "-h" then return help.show(nil) end
  if name == "--version" or name == "-v" then return version() end
  if ranks.are_several and name ~= "run" and name ~= "resume" and name ~= "help" then
    refuse("floc %s is not supported over several ranks, of which there are %d; floc run and floc resume are", name, ranks.count)
  end
  if not commands[name] then
    refuse("there is no command %s%s; floc --help lists them", name,
      name:find("%.lua$") and "; did you mean floc run " .. name .. "?" or check.suggestion(name, command_names))
  end
  return commands[name](list)
end

-- interrupted, add_traceback, limit and end_over_ranks are functions of the program, see bindings/command/main.c; page is a table of them, see
-- bindings/command/page.c.
function command.main(list, interrupted, add_traceback, limit, page, end_over_ranks)
  ranks.exit = end_over_ranks
  command.interrupted, command.add_traceback, command.limit, command.page = interrupted, add_traceback, limit, page
  -- What to type to call it again: build/floc, or floc where the shell found it by itself.
  command.called_as = list[0] and list[0]:find("/", 1, true) and list[0] or "floc"
  io.stdout:setvbuf "line" -- so that what a script prints keeps its place among messages, in a file too
  local ok, value = pcall(dispatch, list)
  if ok then return value end
  return failed(value)
end

return command
