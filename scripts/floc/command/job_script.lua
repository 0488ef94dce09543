-- Job scripts for Slurm: floc run --slurm and floc sweep --slurm.
--
-- Two minutes before the time limit Slurm sends SIGTERM to what srun started (--signal without B:), that is to floc, which writes
-- a checkpoint and ends with 143. The job then puts itself into the queue again; a cancelled job, which is no longer
-- RUNNING, does not. A job that Slurm requeues (--requeue: a node failed, a job of higher priority) gets the same signal where there
-- is time. The shell must live longer than floc, so it catches the signal as well.

local check = require "floc.surface.check"
local shell = require "floc.command.shell"

local job_script = {}

local least_minutes = 5 -- the signal comes up to three minutes before the end

-- ---- values of options --------------------------------------------------------------------------

local function minutes_of(text)
  local days, rest = text:match "^(%d+)%-(.+)$"
  if days then
    local hours, minutes, seconds = rest:match "^(%d+)$", 0, 0
    if not hours then hours, minutes = rest:match "^(%d+):(%d+)$" end
    if not hours then hours, minutes, seconds = rest:match "^(%d+):(%d+):(%d+)$" end
    return hours and days * 1440 + hours * 60 + minutes + (seconds or 0) / 60
  end
  if text:find "^%d+$" then return tonumber(text) end
  local minutes, seconds = text:match "^(%d+):(%d+)$"
  if minutes then return minutes + seconds / 60 end
  local hours
  hours, minutes, seconds = text:match "^(%d+):(%d+):(%d+)$"
  return hours and hours * 60 + minutes + seconds / 60
end

-- The value as Slurm takes it; nil and what it must be.
local checks = {
  time = function(text)
    local minutes = minutes_of(text)
    if not minutes then
      return nil, "must be a time as Slurm writes it: minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes or days-hours:minutes:seconds"
    end
    if minutes < least_minutes then
      return nil, string.format("must be at least %d minutes, as the checkpoint is written two to three minutes before the end (a number alone is minutes)", least_minutes)
    end
    return text
  end,
  mem = function(text)
    local number = text:match "^(%d+)[KMGT]?$"
    if not number or tonumber(number) == 0 then return nil, "must be an integer above 0 with K, M, G or T after it, such as 4G; without a letter it is megabytes" end
    return text
  end,
}

-- A function that checks the value of an option of this name; nil for others.
function job_script.check(name)
  local fn = checks[name]
  return fn and function(text)
    local value, message = fn(text)
    if not value then return nil, string.format("--%s is %s; it %s", name, check.show(text), message) end
    return value
  end
end

-- ---- the script ---------------------------------------------------------------------------------

local function quoted(words)
  local list = {}
  for k, word in ipairs(words) do list[k] = word:find "^[%w%-_=./,:]+$" and word or shell.quote(word) end
  return table.concat(list, " ")
end

-- job: name, time, mem, cpus (of a task), tasks (ranks), array (number of jobs, or nil), comment (lines), words (of the command), last (text
-- of the shell after them).
local function script(job)
  local name = job.name:gsub("[^%w_.-]", "_")
  local me = job.array and "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" or "$SLURM_JOB_ID"
  local lines = { "#!/bin/sh" }
  for _, line in ipairs(job.comment) do lines[#lines + 1] = "# " .. line end
  local function option(format, ...) lines[#lines + 1] = "#SBATCH --" .. string.format(format, ...) end
  option("job-name=%s", name)
  if job.array then option("array=1-%d", job.array) end
  option("output=%s-%s.log", name, job.array and "%A_%a" or "%j")
  option "open-mode=append"
  option("ntasks=%d", job.tasks)
  option("cpus-per-task=%d", job.cpus)
  option("time=%s", job.time or "24:00:00")
  option("mem=%s", job.mem or "4G")
  option "requeue"
  option "signal=TERM@120"
  lines[#lines + 1] = "\ntrap : TERM # floc gets the signal from Slurm; this shell waits for it"
  lines[#lines + 1] = string.format("srun %s--ntasks=%d --cpus-per-task=%d %s%s", job.tasks > 1 and "--mpi=pmix " or "", job.tasks, job.cpus,
    quoted(job.words), job.last or "")
  lines[#lines + 1] = "status=$?"
  lines[#lines + 1] = "# 143: floc was stopped and wrote a checkpoint. RUNNING: by the time limit, as the job was neither cancelled nor requeued."
  lines[#lines + 1] = string.format('if [ $status -eq 143 ] && [ "$(squeue --noheader --jobs="%s" --format=%%T)" = RUNNING ]; then', me)
  lines[#lines + 1] = string.format('  scontrol requeue "%s"', me)
  lines[#lines + 1] = "fi\nexit $status\n"
  return table.concat(lines, "\n")
end

local function base_name(path) return (path:gsub("^.*/", ""):gsub("%.lua$", "")) end

-- options: those of floc run, with ranks, time and mem; arguments: of the script.
function job_script.run(program, path, options, arguments)
  local threads = options.threads or 1
  local words = { program, "run", path }
  for _, argument in ipairs(arguments) do words[#words + 1] = argument end
  words[#words + 1] = "--continue"
  words[#words + 1] = "--threads=" .. threads
  for _, name in ipairs { "changes", "out" } do
    if options[name] then words[#words + 1] = "--" .. name .. "=" .. options[name] end
  end
  for _, name in ipairs { "hash", "quiet", "strict", "traceback", "trust" } do
    if options[name] then words[#words + 1] = "--" .. name end
  end
  return script { name = base_name(path), time = options.time, mem = options.mem, cpus = threads, tasks = options.ranks or 1, words = words,
    comment = { "A job of Slurm: sbatch this file in the folder where it was made. It continues from its checkpoint after its",
      "time limit and when it is requeued, until the run has ended." } }
end

-- given: as for sweep.run, with file, arguments, out, and jobs, the sets at a time in one job; tasks: how many jobs.
function job_script.sweep(given, options, tasks)
  local words = { given.program, "sweep", given.file, "--out=" .. given.out, "--jobs=" .. given.jobs }
  for _, argument in ipairs(given.arguments) do words[#words + 1] = argument end
  return script { name = base_name(given.file) .. "-sweep", time = options.time, mem = options.mem, cpus = given.jobs, tasks = 1, array = tasks, words = words,
    last = string.format(' --array-task="$SLURM_ARRAY_TASK_ID/%d"', tasks),
    comment = { "A job array of Slurm: sbatch this file in the folder where it was made. Its jobs continue from their checkpoints after",
      "their time limit and when they are requeued. Afterwards the sweep itself prints the table, as it finds all sets done." } }
end

return job_script
