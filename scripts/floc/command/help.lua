-- Help of the program: an overview, one page per command, and one page per call of the module, the latter
-- from the declarations. `floc help manual` and `floc help annotations` print docs/lua.md and scripts/floc.d.lua.

local check = require "floc.surface.check"
local declarations = require "floc.surface.declarations"
local columns = require "floc.surface.columns"
local measures = require "floc.surface.measures"
local manual = require "floc.command.manual"
local reference = require "floc.surface.reference"
local words = require "floc.command.help_words"

local help = {}

local overview = [[
floc: particles, contacts, force fields and rays, driven by Lua scripts

  floc run FILE [--parameter=value ...]   run a scenario
  floc resume FILE                        continue from a checkpoint
  floc view RUN                           one page that plays a run in a browser
  floc info FILE                          show what a checkpoint holds
  floc diff FILE FILE                     where two checkpoints differ
  floc verify FILE or FOLDER              whether checkpoints are complete and valid
  floc solve FILE ...                     solve recorded contact problems
  floc reproduce [PAPER ...]              run the papers' examples, all on one page
  floc sweep FILE --parameter=1,2,5..9    run a scenario for all sets of parameters
  floc help [WORD]                        this, a command, a call, an object (sim, body, law), or a search for WORD
  floc --version

A scenario is a Lua file:

  local floc = require "floc"
  local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 } }
  sim:add_particles { count = 100, radius = 0.02, region = floc.box { lower = {-1, 0}, upper = {1, 2} } }
  sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
  sim:run { steps = 200 }

floc run FILE --help lists the parameters of a scenario; floc help calls lists the calls of the module.
]]

local pages = {}

pages.run = [[
floc run FILE [--parameter=value ...] [options]

Runs the scenario FILE, a Lua script. --parameter=value changes a parameter that the script declares with
floc.args; floc run FILE --help lists them.

Options:
  --out=DIR      folder for output, floc.out in the script; default out/<name of the script>
  --threads=N    threads to compute with; 0: one per processor. Does not change results.
  --hash         print the hash of each simulation's final state
  --quiet        no progress and no information; what the script prints and warnings that a result may be wrong stay
  --trust        floc.resume in the script takes checkpoints that you did not write
  --strict       exit status 1 when a claim of floc.report is not met, or as soon as a step stays above its tolerance
  --traceback    show where in the script an error came from, call by call
  --live         show the run in a browser while it runs, with pause, step, and sliders for the parameters that the script
                 declares as name = { value, minimum, maximum }. The address is printed, no browser is opened; only
                 this machine can reach it. --port=N listens at that port instead of any free one, --paused waits for
                 the page's start button before the first step.
  --changes=FILE repeat the parameter changes that a live run recorded in FILE (changes.tsv in its folder)
  --continue     continue from the newest checkpoint that the same command wrote (continue.txt in the folder of output names
                 it), or start where there is none: for batch systems. Exit status 75 instead of 128 + the signal's number
                 where the run came no further
  --slurm        run nothing; print a job script for Slurm that continues by itself after its time limit and when it is
                 requeued. --threads=N processors (default 1), --time=LIMIT as Slurm writes it (default 24:00:00, at least
                 5 minutes), --mem=4G for each machine (default 4G), --ranks=N to run over N ranks by srun
  --sandbox      for the script of a stranger: no files, no os, no io, no FFI, only source text; laws must be traced.
                 It may require Lua files of its own folder, as text. --memory=MB (default 1024), --time=SECONDS of
                 CPU (default 60) and --print=MB of output (default 16) limit what it uses; at a limit the program
                 names it and ends with status 1.
Without --sandbox a script is trusted: it has all permissions of the user who runs it.

Ctrl-C (or SIGTERM, SIGHUP) abandons the step, writes a checkpoint of the state before it and prints how to continue; loops of the
script that do not end are stopped as well. A second one stops at once, and writes nothing.
SIGXCPU (ulimit -t), SIGUSR1 and SIGUSR2 (batch systems send them before the end) do the same; so does a standard output
that is full or closed, which is an error.
Exit status: 0 when all went well, 1 for an error, 128 + the signal's number after an interruption.

Over several processes, of one machine or of several, under MPI: mpirun -n 3 floc run FILE. Discrete elements of round grains share
a world so, with the same results; what does not work over ranks is refused by name. It needs floc_mpi.so (package floc-mpi).
]]

pages.resume = [[
floc resume FILE [options]

Continues from a checkpoint as if the run had never stopped, bit for bit. The script is inside the file. When
FILE is damaged or missing, the newest valid one of what a crash left under a temporary name
(FILE.new-...), FILE.1, FILE.2, ... is used. Output files are named relative to the
present folder: resume where the run was started.

A checkpoint is a program: resuming runs the script inside with all your permissions. One that you did not write
yourself (judged by its seal) needs your confirmation at a terminal and is refused elsewhere: see --sandbox and
--trust. floc info and floc view read a checkpoint without running it.

Options:
  --modules=new  take modules and files that the script reads as they are now, even if they have changed;
                 --modules=stored takes the modules' text in the checkpoint. Without it a changed file is refused by name
  --steps=N      make N steps from here instead of running to the end that the script sets
  --sandbox      run the script as floc run --sandbox does, with its --memory=MB, --time=SECONDS and --print=MB;
                 files that it would write are omitted
  --trust        run it although nothing shows that you wrote it
  --live, --port=N, --paused, --out=DIR, --threads=N, --hash, --quiet, --strict, --traceback: as for floc run
]]

pages.view = [[
floc view RUN [options]

Writes one HTML page that plays a run, in any browser, also on a phone and without a network: particles, bodies, contacts,
bonds, rays, and the tables of sim:observe that are in the same folder. RUN is what sim:write_vtp wrote (run.pvd, the folder of
its frames, or the folder that contains both), or a checkpoint, of which the page has one frame.

Options:
  --output=FILE      name of the page; default the run's name with .html
  --every=N          every N-th frame only
  --columns=A,B,...  these columns of particles only: a smaller page
  --units=m,s,kg     units of length, time and mass, to be shown
]]

pages.info = [[
floc info FILE [--hash]

Checks a checkpoint and shows its script, its hash and its sections.

  --hash         only the hash of the physical state: equal states give equal hashes
]]

pages.diff = [[
floc diff FILE FILE

Compares the states in two checkpoints, bit for bit: each section that differs, with the first particle (id) or row that
does, both values, how many numbers differ and by how much at most.

Exit status: 0 when the states are equal, 1 when they differ.
]]

pages.verify = [[
floc verify FILE or FOLDER

Reads checkpoints completely and checks every checksum: one file, or all in a folder and the folders in it (run.floc,
run.floc.1, run.floc.new-...). Damage is named by file, section and offset.

Exit status: 0 when all are valid, 1 otherwise.
]]

pages.solve = [[
floc solve FILE ... [options]

Solves contact problems that sim:record_problem wrote, alone, and prints the cost of each solver: CPU time, products with
the contact matrix, the residual that the engine reports and the one that an independent audit finds. Several files are
one table, with residuals in units of the tolerance.

Options:
  --solver=LIST          auto, uzawa, apgd, interior_point, or several with commas, or all that solve the problem; default: the
                         one that the simulation used
  --tolerance=LENGTH     on the residual; default: that of the simulation
  --max-iterations=N     products with the contact matrix; default: that of the simulation
  --cold                 start from zero impulses, not from those of the previous step
  --repeat=N             solve N times; the shortest time counts; default 1
  --threads=N            threads to compute with; 0: one per processor. Does not change results.
  --answer=FILE          write the problem to FILE with the answer as its initial guess; one problem and one solver
  --json                 print a list of reports as JSON

Exit status: 1 when a solver stopped above the tolerance.
]]

pages.reproduce = [[
floc reproduce [PAPER ...] [options]

Runs the examples of the papers (aggregation, gluey, ballistic, acoustic; default all of them), each in a folder of its
own, and writes one HTML page that needs nothing else, index.html. It begins with what differs from the papers, and why,
and their misprints; then come, for each run, the command, its claims (what the paper says, ours, the band that is
expected and where it is from, the verdict: agrees, differs, open, not applicable), the pictures, and where a paper is
ambiguous.

Options:
  --quick          small sizes, a few minutes for all papers; the default
  --full           the papers' sizes and many seeds
  --out=DIR        folder for all of it; default out/reproduce
  --markdown=FILE  also as a Markdown page, FILE.md, with its pictures in the folder FILE next to it
  --examples=DIR   where the examples are; default examples, or next to the program
  --threads=N      threads of each run
  --strict         exit status 1 when a claim is not met, or differs although it was to agree, or agrees although it was
                   to differ
  --ensembles      measures the bands instead: runs with the seeds 101 to 120, mean and standard deviation of each claim
                   into ensembles.tsv beside the example
  --mutations[=NAME,...]
                   runs the examples with wrong physics instead, all of the list or those named (sh1, or sh for all of
                   that example), and shows which claims notice; also in mutations.tsv

Exit status: 1 when a run failed; of --mutations, when nothing notices a mutation, or a control fails.
]]

pages.sweep = [[
floc sweep FILE --parameter=VALUES ... [options]

Runs the scenario FILE for every combination of the parameters' values, and prints a table of what floc.report reported,
which is in sweep.tsv as well. VALUES are values with commas between them, or ranges: --particles=1000,2000
--seed=1..20 --angle=0..90..15 (from, to, step). \, is a comma inside a value.

Each set of parameters has a folder of its own, named by a hash of the set: the output of the script, log.txt,
parameters.txt. The same command again runs only the sets that are not done; a stopped one continues from its newest
checkpoint. A set is repeated when the script has changed.

Options, before or after the file:
  --out=DIR    folder for all sets; default out/<name of the script>-sweep
  --jobs=N     number of sets at a time, one thread each; default: the number of processors
  --slurm      run nothing; print a job array for Slurm, whose jobs continue by themselves after their time limit and when
               they are requeued. --per-job=N sets in each job (default: as few as make at most 1,000 jobs), --jobs=N of
               them at a time (default 1), --time=LIMIT and --mem=4G as for floc run --slurm
  --array-task=K/N  the K-th of N parts of the sets alone, as such a job has it
  --parallel   run nothing; print a script for GNU parallel

Exit status: 1 when a set failed or was stopped.
]]

function help.overview() return overview end

-- A name and a string on one line.
local function listed(name, text)
  local line = string.format("  %-24s %s", name, (text:gsub("%s+", " ")))
  return #line > 118 and line:sub(1, 115) .. "..." or line
end

local function list_of_calls()
  local out = { "Calls of the module (floc help NAME shows one; help sim, body, law show what these objects have):", "" }
  for _, call in ipairs(manual.call_list()) do out[#out + 1] = listed(call.shown, call.summary) end
  return table.concat(out, "\n") .. "\n"
end

local function default_text(value)
  if type(value) == "number" then return check.show(value) end
  return tostring(value)
end

-- One field as the reader sees it: what is allowed, the unit, the default, the sentence.
function help.field_text(field)
  local parts = { check.describe(field) }
  if field.unit then parts[#parts] = parts[#parts] .. " [" .. field.unit .. "]" end
  if field.required then
    parts[#parts + 1] = "required"
  elseif field.default ~= nil then
    parts[#parts + 1] = "default " .. default_text(field.default)
  end
  return table.concat(parts, "; "), field.text
end

local function wrapped(text, width, indent)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    if #line + #word + 1 > width and line ~= "" then
      lines[#lines + 1] = line
      line = word
    else
      line = line == "" and word or line .. " " .. word
    end
  end
  lines[#lines + 1] = line
  return indent .. table.concat(lines, "\n" .. indent)
end

local function call_page(declaration)
  local prefix = declaration.owner == "floc" and "floc." or declaration.owner == "part" and "" or declaration.owner .. ":"
  local out = { prefix .. declaration.name .. " { ... }", "", wrapped(declaration.summary, 96, ""), "" }
  for _, field in ipairs(declaration) do
    local allowed, text = help.field_text(field)
    out[#out + 1] = "  " .. (field.positional and "{ ... }, { ... }" or field.name)
    out[#out + 1] = wrapped(allowed, 92, "      ")
    out[#out + 1] = wrapped(text, 92, "      ")
  end
  return table.concat(out, "\n") .. "\n"
end

local function list_of_measures()
  local lines = {}
  for k, one in ipairs(measures) do
    lines[k] = "  " .. one.name .. (one.unit ~= "" and " [" .. one.unit .. "]\n" or "\n") .. wrapped(one.text, 92, "      ")
  end
  return "Measures, for sim:measure NAME and the tables of sim:observe:\n\n"
    .. table.concat(lines, "\n") .. "\n"
end

local function list_of_columns()
  local lines = {}
  for k, one in ipairs(columns) do lines[k] = listed(one.name .. " [" .. one.unit .. "]", one.text) end
  local more = {}
  for k, one in ipairs(columns.optional) do
    more[k] = listed(one.name .. (one.unit ~= "" and " [" .. one.unit .. "]" or ""),
      one.text .. (one.formerly and " (formerly " .. one.formerly .. ")" or ""))
  end
  return "Columns, read and written by the particle's id, sim.x[id], in laws by their names, in tables and pictures:\n\n"
    .. table.concat(lines, "\n") .. "\n\nWhere a scheme or sim:add_attribute has added them:\n\n" .. table.concat(more, "\n")
    .. "\n\nsim:add_attribute adds one; a scheme with rotation adds its own. sim:columns() lists those of a simulation.\n"
end

local special_pages = { calls = list_of_calls, manual = manual.markdown, annotations = manual.annotations,
  matrix = function() return require("floc.surface.scheme_matrix").markdown() end, measures = list_of_measures,
  columns = list_of_columns }
local listed_after = { measure = list_of_measures, columns = list_of_columns }

-- The page of an object of the script: its fields and calls.
local function page_of_object(name)
  local title, fields, calls = manual.object(name)
  if not title then return nil end
  local out = { title, "" }
  for _, field in ipairs(fields) do out[#out + 1] = listed(field[1], field[2]) end
  for _, call in ipairs(calls) do out[#out + 1] = listed(call.shown, call.summary) end
  return table.concat(out, "\n") .. "\n"
end

-- The page of a call, with or without its owner: floc.report and sim:report are two.
local function page_of_call(name)
  local owner, bare = name:match("^(%a+)[.:]([%w_]+)$")
  bare = bare or name
  local declaration = declarations[bare]
  if declaration and (owner == nil or owner == declaration.owner) then return call_page(declaration) end
  local signature, text, parameters = manual.call_text(bare, owner)
  if not signature then return nil end
  local list = listed_after[bare]
  if parameters ~= "" then text = wrapped(text, 96, "") .. "\n\n" .. wrapped(parameters, 96, "") else text = wrapped(text, 96, "") end
  return signature .. "\n\n" .. text .. "\n" .. (list and "\n" .. list() or "")
end

-- ---- search -------------------------------------------------------------------------------------

local most_lines = 10

-- Commands and calls with all that is written about them.
local function everything()
  local all = {}
  for name, text in pairs(pages) do
    all[#all + 1] = { name = name, shown = "floc " .. name, summary = text:match "\n\n(.-[.:])%s" or "", text = text }
  end
  table.sort(all, function(a, b) return a.name < b.name end)
  for _, call in ipairs(manual.call_list()) do all[#all + 1] = call end
  for _, field in ipairs(reference.fields) do
    all[#all + 1] = { name = field[2], shown = field[1] .. "." .. field[2], summary = field[4], text = field[4] }
  end
  return all
end

local function occurrences(text, word)
  local count, from = 0, 1
  while true do
    local first, last = text:find(word, from, true)
    if not first then return count end
    count, from = count + 1, last + 1
  end
end

-- Pages that speak of a word, those with it in the name first, then those that name it most often.
local function pages_about(word)
  local found = {}
  for place, one in ipairs(everything()) do
    local score = occurrences(one.text:lower(), word) + (one.name:lower():find(word, 1, true) and 100 or 0)
    if score > 0 then found[#found + 1] = { one = one, score = score, place = place } end
  end
  table.sort(found, function(a, b)
    if a.score ~= b.score then return a.score > b.score end
    return a.place < b.place
  end)
  return found
end

-- At most ten lines about a word that has no page: what other programs call so, else the pages that speak of it. nil: none does.
local function search(name)
  local word = name:lower():gsub("[-_ ]", "")
  local lines = {}
  local meant = words[word]
  if meant then
    lines[1] = wrapped(meant.text, 96, "")
    for _, page in ipairs(meant.pages) do lines[#lines + 1] = "  floc help " .. page end
    return table.concat(lines, "\n") .. "\n"
  end
  local found = #name >= 3 and pages_about(name:lower()) or {}
  if #found == 0 then return nil end
  lines[1] = string.format("There is no page on %s. %s:", name, #found == 1 and "One mentions it" or "These mention it")
  local shown = math.min(#found, #found > most_lines - 1 and most_lines - 2 or #found)
  for k = 1, shown do
    lines[#lines + 1] = listed(found[k].one.shown, found[k].one.summary)
  end
  if shown < #found then lines[#lines + 1] = string.format("  and %d more", #found - shown) end
  return table.concat(lines, "\n") .. "\n"
end

-- Prints a page, or what was found; the exit status.
function help.show(name)
  if name == nil then
    io.stdout:write(help.overview())
    return 0
  end
  local text = pages[name] or special_pages[name] and not manual.call_text(name) and special_pages[name]() or page_of_object(name)
    or page_of_call(name)
  text = text or search(name)
  if text then
    io.stdout:write(text)
    return 0
  end
  local known = { "calls", "measures", "columns" }
  for page in pairs(pages) do known[#known + 1] = page end
  for _, call in ipairs(manual.call_list()) do known[#known + 1] = call.name end
  local nearest = check.nearest(name, known)
  io.stderr:write(string.format("floc: there is no help on %s; %s\n", name,
    nearest and "did you mean " .. nearest .. "?" or "floc help calls lists the calls, floc help the commands"))
  return 1
end

return help
