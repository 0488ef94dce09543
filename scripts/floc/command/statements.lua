-- What the papers state, item by item: examples/statements.tsv, a row each with its paper, its place, what it says, and why
-- nothing computes it; empty where a claim of an example does (floc.report { item = }). The page of `floc reproduce` ends
-- with the ones that are not computed, so that silence is no agreement.

local session = require "floc.session.session"

local statements = {}

statements.file = "statements.tsv"
statements.columns = { "item", "paper", "place", "says", "not_computed" }

-- Rows by the names of columns; nil and a message without the file.
function statements.read(examples)
  local path, rows = examples .. "/" .. statements.file, {}
  local text = session.read_text(path)
  if not text then return nil, path .. ": cannot be read" end
  for line in text:gmatch "[^\n]+" do
    local row, column = {}, 0
    for cell in (line .. "\t"):gmatch "([^\t]*)\t" do
      column = column + 1
      row[statements.columns[column] or column] = cell
    end
    if row.item ~= statements.columns[1] then rows[#rows + 1] = row end
  end
  return rows
end

-- The rows of a paper that no claim of the results computed, as cells: item, place, what is stated, why. results: lists of claims.
-- Then the number of the paper's statements, and of those that were computed.
function statements.left(rows, paper, results)
  local computed, left, count, done = {}, {}, 0, 0
  for _, claims in ipairs(results) do
    for _, claim in ipairs(claims) do
      if claim.item and not claim.absent then computed[claim.item] = true end
    end
  end
  for _, row in ipairs(rows) do
    if row.paper == paper then
      count = count + 1
      if computed[row.item] then
        done = done + 1
      else
        left[#left + 1] = { row.item, row.place, row.says, row.not_computed ~= "" and row.not_computed or "by a run that this size leaves out" }
      end
    end
  end
  return left, count, done
end

statements.left_columns = { "statement", "where", "the paper", "why it is not computed" }

return statements
