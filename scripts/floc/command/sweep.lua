-- `floc sweep FILE --particles=1000,2000 --seed=1..20`: the scenario once for each set of parameters.
--
-- Each set has a folder named by a hash of its parameters, so that a sweep that is extended finds what is there.
-- In it are the script's output, log.txt with what the script said, parameters.txt, and, once it has ended well,
-- done.txt with the hash of the script's text: a set that is done is not run again unless the script has changed.
-- A set that was stopped continues from its newest checkpoint, if it has one, else from the start.
--
-- The sets run side by side as processes of their own, one thread each, kept busy by xargs.

local continuation = require "floc.session.continuation"
local core = require "floc.core"
local json = require "floc.output.json"
local report = require "floc.output.report"
local session = require "floc.session.session"
local shell = require "floc.command.shell"

local sweep = {}

local function refuse(format, ...) error("floc: sweep: " .. string.format(format, ...), 0) end

-- ---- values -------------------------------------------------------------------------------------

local set_limit = 100000

local function shown(value) return core.number_format("%.15g", value) end

-- "1..20" and "0..1..0.25"; nil for anything else.
local function range(name, text)
  local first, last, step = text:match("^([^%.].-)%.%.(.-)%.%.(.+)$")
  if not first then first, last = text:match("^(.-[^%.])%.%.(.+)$") end
  local from, to, by = tonumber(first), tonumber(last), tonumber(step or 1)
  if not from or not to then return nil end
  if not by or by <= 0 or to < from or (to - from) / by >= set_limit then
    refuse("--%s has the range %s; it must be FIRST..LAST or FIRST..LAST..STEP, ascending, of at most %d values", name, text, set_limit)
  end
  local list = {}
  for k = 0, math.floor((to - from) / by + 1e-9) do list[#list + 1] = shown(from + k * by) end
  return list
end

-- The values behind a parameter: parts between commas, each a value or a range. \, is a comma in a value.
function sweep.values(name, text)
  local list, part = {}, ""
  local function close()
    for _, value in ipairs(range(name, part) or { part }) do list[#list + 1] = value end
    part = ""
  end
  local at = 1
  while at <= #text do
    local letter = text:sub(at, at)
    if letter == "\\" and text:sub(at + 1, at + 1) == "," then
      part, at = part .. ",", at + 1
    elseif letter == "," then
      close()
    else
      part = part .. letter
    end
    at = at + 1
  end
  close()
  return list
end

-- "--name=text" as name and values, in the order given.
function sweep.parameters(arguments)
  local list, seen = {}, {}
  for _, argument in ipairs(arguments) do
    local name, text = argument:match("^%-%-([%w_%-]+)=(.*)$")
    if not name then refuse("unexpected argument %s; parameters are given as --name=value,value or --name=1..20", argument) end
    name = name:gsub("%-", "_")
    if seen[name] then refuse("--%s is given twice", name) end
    seen[name] = true
    list[#list + 1] = { name = name, values = sweep.values(name, text) }
  end
  return list
end

-- ---- sets ---------------------------------------------------------------------------------------

local function canonical(set)
  local lines = {}
  for name, value in pairs(set) do lines[#lines + 1] = name .. "=" .. value .. "\n" end
  table.sort(lines)
  return table.concat(lines)
end

-- All sets, the last parameter changing fastest: { values by name, text, folder }.
function sweep.sets(parameters, out)
  local sets = { {} }
  for _, parameter in ipairs(parameters) do
    local longer = {}
    if #sets * #parameter.values > set_limit then refuse("these values make more than %d sets", set_limit) end
    for _, set in ipairs(sets) do
      for _, value in ipairs(parameter.values) do
        local one = { [parameter.name] = value }
        for name, other in pairs(set) do one[name] = other end
        longer[#longer + 1] = one
      end
    end
    sets = longer
  end
  local list, taken = {}, {}
  for _, set in ipairs(sets) do
    local text = canonical(set)
    local folder = out .. "/" .. core.text_hash(text)
    if taken[folder] then refuse("two sets are the same: %s", text:gsub("\n", " ")) end
    taken[folder] = true
    list[#list + 1] = { values = set, text = text, folder = folder }
  end
  return list
end

local function words_of(set, parameters)
  local words = {}
  for _, parameter in ipairs(parameters) do words[#words + 1] = "--" .. parameter.name .. "=" .. set.values[parameter.name] end
  return words
end

local function quoted(words)
  local list = {}
  for k, word in ipairs(words) do list[k] = shell.quote(word) end
  return table.concat(list, " ")
end

-- ---- one set ------------------------------------------------------------------------------------

local function is_done(set, script)
  local text = session.read_text(set.folder .. "/done.txt")
  return text ~= nil and text:match("^%x+") == script
end

-- The path of which this is a checkpoint: run.floc of run.floc, run.floc.1, run.floc.new-1-4711-0a1b2c3d.
local function path_of(name)
  return name:match("^(.+%.floc)$") or name:match("^(.+%.floc)%.%d+$") or name:match("^(.+%.floc)%.new")
end

-- The newest checkpoint of a set that was stopped, by the step that it is of; nil without one. A checkpoint is a program: one
-- without this user's seal (there may be no folder for a key) is taken only if the program in it is the script that the
-- user wants to sweep. text: that script's. Second: whether it has no seal.
local function newest_checkpoint(folder, text, tell)
  local best, latest, unsealed
  for _, name in ipairs(core.list_folder(folder) or {}) do
    local path = path_of(name)
    if path and not path:find("^failed") then
      local found = require("floc.session.resume").find(folder .. "/" .. path, function() end)
      local step = found and found.record.step
      if found and found.doubt and found.script ~= text then
        tell(string.format("%s/%s is left unchanged: %s, and it contains another script", folder, path, found.doubt))
      elseif step and (not latest or step > latest) then
        best, latest, unsealed = folder .. "/" .. path, step, found.doubt ~= nil
      end
    end
  end
  return best, unsealed
end

local function write(path, text)
  local ok, message = session.write_text(path, text)
  if not ok then refuse("%s", message) end
end

-- Whether a set's run wrote a checkpoint, wherever that is, from which the same command continues (continuation.lua).
local function can_continue(set, options)
  local arguments = words_of(set, options.parameters)
  return continuation.find({ script_name = options.file, script_text = options.text, arguments = arguments, out = set.folder }, options.tell) ~= nil
end

-- The commands of the shell that make a set, and report it. number: "3 of 40".
local function job(set, options, number)
  local ok, message = core.make_folder(set.folder)
  if not ok then refuse("the folder %s cannot be made: %s", set.folder, message) end
  local begun = session.read_text(set.folder .. "/begun.txt")
  local checkpoint, unsealed
  local goes_by_note = false
  if begun == options.script then
    checkpoint, unsealed = newest_checkpoint(set.folder, options.text, options.tell)
    goes_by_note = can_continue(set, options)
  end
  write(set.folder .. "/parameters.txt", set.text)
  write(set.folder .. "/begun.txt", options.script)
  os.remove(set.folder .. "/done.txt")
  local resumed = goes_by_note or checkpoint ~= nil
  if not resumed then os.remove(set.folder .. "/result.json") end
  if not goes_by_note then os.remove(set.folder .. "/continue.txt") end
  local tail = "--quiet --threads=1 --out=" .. shell.quote(set.folder)
  local start = quoted { options.program, "run", options.file } .. " " .. quoted(words_of(set, options.parameters)) .. " --continue " .. tail
  local run = checkpoint and not goes_by_note and quoted { options.program, "resume", checkpoint, unsealed and "--trust" or nil } .. " " .. tail or start
  -- 255 keeps xargs from beginning another set after SIGTERM; 75: one that came no further (commands.run)
  return string.format("%s < /dev/null %s %s 2>&1; status=$?; [ $status -eq 0 ] && echo %s > %s; echo %s$status; case $status in 143|75) exit 255 ;; esac", run,
    resumed and ">>" or ">", shell.quote(set.folder .. "/log.txt"), options.script, shell.quote(set.folder .. "/done.txt"),
    shell.quote(string.format("%s: %s: %sexit status ", number, table.concat(words_of(set, options.parameters), " "),
      resumed and "resumed, " or "")))
end

-- Runs commands side by side; they end before it does. SIGTERM, which a batch system sends to all processes, is for the runs: they
-- write checkpoints, and shells and xargs have to wait for them.
local function run_all(commands, jobs)
  local pipe, message = io.popen(string.format("trap '' TERM; exec xargs -0 -n 1 -P %d sh -c 1>&2", jobs), "w")
  if not pipe then refuse("%s", message) end
  pipe:write(table.concat(commands, "\0"))
  pipe:close()
end

-- ---- the table ----------------------------------------------------------------------------------

local function results_of(set, script)
  local text = is_done(set, script) and session.read_text(set.folder .. "/result.json")
  local result = text and json.decode(text)
  return result and result.results or {}
end

-- Rows of cells: the parameters, what each claim of floc.report came to, whether all claims are met, the folder.
function sweep.rows(sets, options)
  local claims, columns = {}, {}
  for _, set in ipairs(sets) do
    for _, one in ipairs(results_of(set, options.script)) do
      if not columns[one.claim] then
        claims[#claims + 1] = one.claim
        columns[one.claim] = true
      end
    end
  end
  local head = {}
  for _, parameter in ipairs(options.parameters) do head[#head + 1] = parameter.name end
  for _, claim in ipairs(claims) do head[#head + 1] = claim end
  head[#head + 1], head[#head + 2] = "verdict", "folder"
  local rows = { head }
  for _, set in ipairs(sets) do
    local row, values, verdict = {}, {}, "no band"
    for _, one in ipairs(results_of(set, options.script)) do
      values[one.claim] = one.value
      if one.passed == false then
        verdict = "NOT MET"
      elseif one.passed and verdict == "no band" then
        verdict = "met"
      end
    end
    for _, parameter in ipairs(options.parameters) do row[#row + 1] = set.values[parameter.name] end
    for _, claim in ipairs(claims) do row[#row + 1] = values[claim] == nil and "" or report.short(values[claim]) end
    row[#row + 1] = is_done(set, options.script) and verdict or "not done"
    row[#row + 1] = set.folder:match("[^/]+$")
    rows[#rows + 1] = row
  end
  return rows
end

local function width(text) return select(2, text:gsub("[^\128-\191]", "")) end

-- Long claims stand above the table, with a number.
local function as_text(rows)
  local lines, head = {}, {}
  for k, name in ipairs(rows[1]) do
    head[k] = name
    if width(name) > 16 then
      head[k] = "(" .. k .. ")"
      lines[#lines + 1] = string.format("(%d) %s", k, name)
    end
  end
  local shown_rows, widths = { head }, {}
  for r = 2, #rows do shown_rows[r] = rows[r] end
  for _, row in ipairs(shown_rows) do
    for k, cell in ipairs(row) do widths[k] = math.max(widths[k] or 0, width(cell)) end
  end
  for _, row in ipairs(shown_rows) do
    local cells = {}
    for k, cell in ipairs(row) do cells[k] = cell .. string.rep(" ", widths[k] - width(cell)) end
    lines[#lines + 1] = (table.concat(cells, "  "):gsub("%s+$", ""))
  end
  return table.concat(lines, "\n") .. "\n"
end

local function as_tsv(rows)
  local lines = {}
  for r, row in ipairs(rows) do
    local cells = {}
    for k, cell in ipairs(row) do cells[k] = cell:gsub("[\t\n]", " ") end
    lines[r] = table.concat(cells, "\t")
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- scripts for other machines -----------------------------------------------------------------

-- One set as a command: a sweep of one, with the same folder and the same way to continue.
local function single(set, options)
  local words = { options.program, "sweep", options.file, "--out=" .. options.out, "--jobs=1" }
  for _, word in ipairs(words_of(set, options.parameters)) do words[#words + 1] = (word:gsub(",", "\\,")) end
  return quoted(words)
end

-- How many jobs of an array these sets make; per_job is nil where Slurm's usual limit of 1,000 jobs decides.
function sweep.job_count(sets, per_job) return math.ceil(#sets / (per_job or math.ceil(#sets / 1000))) end

-- The sets of one job of an array, "3/10" the third of ten: the parts differ by one set at most.
function sweep.part(sets, text, options)
  local number, count = text:match "^(%d+)/(%d+)$"
  number, count = tonumber(number), tonumber(count)
  if not number or number < 1 or number > count or count > #sets then
    refuse("--array-task is %s; it must be K/N, the K-th of N parts, with K from 1 to N and N up to the number of sets, %d", text, #sets)
  end
  options.is_part = true
  local list = {}
  for k = math.floor((number - 1) * #sets / count) + 1, math.floor(number * #sets / count) do list[#list + 1] = sets[k] end
  return list
end

function sweep.parallel(sets, options)
  local lines = { "#!/bin/sh", "# For GNU parallel: run this file where the sweep was started. Afterwards the sweep itself prints the",
    "# table, as it finds all sets done.", string.format("parallel --jobs %d <<'END'", options.jobs) }
  for _, set in ipairs(sets) do lines[#lines + 1] = single(set, options) end
  lines[#lines + 1] = "END\n"
  return table.concat(lines, "\n")
end

-- ---- all of it ----------------------------------------------------------------------------------

-- options: program, file, text (of the script), arguments, out, jobs, tell. Adds parameters and the script's hash to
-- them and returns the sets.
function sweep.prepare(options)
  options.parameters = sweep.parameters(options.arguments)
  if #options.parameters == 0 then refuse("there is nothing to sweep; give parameters as --name=value,value or --name=1..20") end
  options.script = core.text_hash(options.text)
  return sweep.sets(options.parameters, options.out)
end

local function last_line(path)
  local last
  for line in (session.read_text(path) or ""):gmatch("[^\n]+") do last = line end
  return last or "it is empty"
end

-- Runs what is not done. The table as a string, how many sets are not done now, and whether one of them came
-- further.
function sweep.run(sets, options)
  local commands, noted = {}, {}
  for k, set in ipairs(sets) do
    if not is_done(set, options.script) then
      commands[#commands + 1] = job(set, options, string.format("%d of %d", k, #sets))
      noted[k] = continuation.noted(set.folder)
    end
  end
  options.tell(string.format("%d sets, %d to do, %d at a time, in %s", #sets, #commands, options.jobs, options.out))
  if #commands > 0 then run_all(commands, options.jobs) end
  local rows, missing, is_further = sweep.rows(sets, options), 0, false
  for k, set in ipairs(sets) do
    if not is_done(set, options.script) then
      missing = missing + 1
      is_further = is_further or continuation.noted(set.folder) ~= noted[k]
      options.tell(string.format("%s/log.txt: %s", set.folder, last_line(set.folder .. "/log.txt")))
    end
  end
  if #sets > 1 and not options.is_part then write(options.out .. "/sweep.tsv", as_tsv(rows)) end
  return as_text(rows), missing, is_further or missing < #commands
end

return sweep
