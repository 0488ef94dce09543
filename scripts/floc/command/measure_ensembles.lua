-- `floc reproduce --ensembles [PAPER ...]`: every run of the papers that has an `ensemble` (papers.lua), with the seeds 101 to
-- 120; mean and standard deviation of each claim with floc.report { ensemble = } go into ensembles.tsv beside the script
-- (output/ensembles.lua), in place of the rows of the same arguments.

local core = require "floc.core"
local ensembles = require "floc.output.ensembles"
local json = require "floc.output.json"
local papers = require "floc.command.papers"
local session = require "floc.session.session"
local shell = require "floc.command.shell"

local measure_ensembles = {}

local first_seed, last_seed = 101, 120

-- The values of each claim over the seeds, the claims in their order, the parameters as text; nil and a message.
local function values_of(run, options)
  local values, order, parameters = {}, {}, nil
  for seed = first_seed, last_seed do
    local out = string.format("%s/ensembles/%s-%d", options.out, (run.file:gsub("%.lua$", ""):gsub("/", "-")), seed)
    os.remove(out .. "/result.json")
    local ok, log = shell.run_example(options.program, options.examples .. "/" .. run.file, out, run.ensemble, "--seed=" .. seed)
    local text = session.read_text(out .. "/result.json")
    if not ok or not text then return nil, string.format("%s %s --seed=%d failed: %s", run.file, run.ensemble, seed, log) end
    local result = json.decode(text)
    parameters = result.parameters
    for _, one in ipairs(result.results) do
      if one.ensemble and type(one.value) == "number" then
        if one.ensemble ~= 1 then return nil, string.format("%s %s: \"%s\" is a mean of %d runs; an ensemble is of single ones", run.file,
          run.ensemble, one.claim, one.ensemble) end
        if not values[one.claim] then
          values[one.claim], order[#order + 1] = {}, one.claim
        end
        table.insert(values[one.claim], one.value)
      end
    end
    if options.interrupted() then return nil, "interrupted; nothing is written for " .. run.file end
  end
  return values, order, parameters
end

local function rows_of(values, order)
  local rows = {}
  for _, claim in ipairs(order) do
    local mean, deviation = ensembles.mean_and_deviation(values[claim])
    rows[#rows + 1] = { claim = claim, runs = #values[claim], mean = mean, sd = deviation, first_seed = first_seed }
  end
  return rows
end

-- options as for reproduce.run. Number of rows that were written; nil and a message.
function measure_ensembles.run(options)
  local count, done = 0, {}
  for _, name in ipairs(options.names) do
    for _, run in ipairs(papers.find(name).runs) do
      local key = run.ensemble and run.file .. " " .. run.ensemble
      if key and not done[key] then
        done[key] = true
        local from = core.now()
        local values, order, parameters = values_of(run, options)
        if not values then return nil, order end
        local path = options.examples .. "/" .. run.file:match "^(.*)/" .. "/" .. ensembles.file
        local rows = rows_of(values, order)
        local ok, message = session.write_text(path, ensembles.replaced(session.read_text(path), ensembles.script(run.file), parameters, rows))
        if not ok then return nil, session.about(path, tostring(message)) end
        count = count + #rows
        options.tell(string.format("%s: %d claims of %d runs, %.0f s, in %s", key, #rows, last_seed - first_seed + 1, core.now() - from, path))
      end
    end
  end
  return count
end

return measure_ensembles
