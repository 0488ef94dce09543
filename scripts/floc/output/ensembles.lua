-- Ensembles: the mean and the scatter of claims over many seeds, from which floc.report { ensemble = n } takes its band.
--
-- They stand in the file ensembles.tsv beside the scripts they belong to, which `floc reproduce --ensembles` writes: a row
-- is a claim of one script at one set of arguments. A band is mean +- 4 sd for one run. For the mean of n runs it is
-- mean +- 4 sd sqrt(1/n + 1/N) with the N runs of the ensemble, whose own mean is known no better than sd / sqrt(N).
-- No band is typed, and a row is used only by a run with the row's arguments.

local modules = require "floc.session.modules"
local session = require "floc.session.session"

local ensembles = {}

ensembles.file = "ensembles.tsv"
ensembles.columns = { "script", "arguments", "claim", "runs", "mean", "sd", "first_seed" }
local deviations = 4

-- Parameters that change which run it is, or what is drawn of it, not what its claims are distributed like.
local neutral = { seed = true, seeds = true, solver = true, pictures = true, end_time = true, directions = true }

-- The parameters of a run that its claims depend on, as text: a=1 b=two.
function ensembles.arguments(self)
  local words = {}
  for _, field in ipairs(self.parameters or {}) do
    local value = self.values[field.name]
    if not neutral[field.name] then
      words[#words + 1] = field.name .. "=" .. (type(value) == "number" and string.format("%.14g", value) or tostring(value))
    end
  end
  return table.concat(words, " ")
end

-- Rows of a file's text, by the names of columns.
function ensembles.rows(text)
  local rows = {}
  for line in text:gmatch "[^\n]+" do
    local row, column = {}, 0
    for cell in (line .. "\t"):gmatch "([^\t]*)\t" do
      column = column + 1
      row[ensembles.columns[column] or column] = cell
    end
    row.runs, row.mean, row.sd = tonumber(row.runs), tonumber(row.mean), tonumber(row.sd)
    if row.sd then rows[#rows + 1] = row end
  end
  return rows
end

-- The name of a script in the file: without its folders.
function ensembles.script(name) return (name:gsub("^.*[/\\]", "")) end

-- The file's text; false where there is none.
local function text_beside(self)
  return session.learn(self, "ensembles", function() return session.read_text(modules.folder(self) .. ensembles.file) or false end)
end

-- The words that differ between two lists of arguments: "particles=200 (not 1000)".
local function difference(own, stored)
  local words, by_name = {}, {}
  for name, value in stored:gmatch "([%w_]+)=(%S*)" do by_name[name] = value end
  for name, value in own:gmatch "([%w_]+)=(%S*)" do
    if by_name[name] ~= value then words[#words + 1] = name .. "=" .. value .. " (not " .. tostring(by_name[name]) .. ")" end
  end
  return table.concat(words, ", "), #words
end

-- The band of a claim: { equal =, tolerance = } and where it is from. nil and why it does not apply to this run; a third
-- value, true, where it should: the arguments have an ensemble, but without this claim.
function ensembles.band(self, claim, runs)
  local text = text_beside(self)
  if not text then return nil, "there is no " .. ensembles.file .. " beside the script" end
  local script, own = ensembles.script(self.script_name), ensembles.arguments(self)
  local is_stored, nearest, least = false, nil, math.huge
  for _, row in ipairs(ensembles.rows(text)) do
    if row.script == script and row.arguments == own then
      is_stored = true
      if row.claim == claim then
        local factor = runs == 1 and 1 or math.sqrt(1 / runs + 1 / row.runs)
        return { equal = row.mean, tolerance = deviations * row.sd * factor },
          string.format("ensemble of %d runs, sd %.3g", row.runs, row.sd)
      end
    elseif row.script == script then
      local words, count = difference(own, row.arguments)
      if count < least then nearest, least = words, count end
    end
  end
  if is_stored then return nil, ensembles.file .. " has these arguments, but not this claim: floc reproduce --ensembles", true end
  return nil, nearest and "no ensemble at " .. nearest or ensembles.file .. " has no row of " .. script
end

-- Mean and standard deviation of one.
function ensembles.mean_and_deviation(values)
  local sum, square = 0, 0
  for _, value in ipairs(values) do sum = sum + value end
  local mean = sum / #values
  for _, value in ipairs(values) do square = square + (value - mean) ^ 2 end
  return mean, math.sqrt(square / (#values - 1))
end

-- The text of a file with the rows of a script at these arguments replaced. rows: a list of { claim =, runs =, mean =, sd =, first_seed = }.
function ensembles.replaced(text, script, arguments, rows)
  local kept = {}
  for line in (text or ""):gmatch "[^\n]+" do
    local cells = {}
    for cell in (line .. "\t"):gmatch "([^\t]*)\t" do cells[#cells + 1] = cell end
    if cells[1] ~= "script" and not (cells[1] == script and cells[2] == arguments) then kept[#kept + 1] = line end
  end
  for _, row in ipairs(rows) do
    kept[#kept + 1] = table.concat({ script, arguments, row.claim, string.format("%d", row.runs), string.format("%.6g", row.mean),
      string.format("%.4g", row.sd), string.format("%d", row.first_seed) }, "\t")
  end
  table.sort(kept)
  return table.concat(ensembles.columns, "\t") .. "\n" .. table.concat(kept, "\n") .. "\n"
end

return ensembles
