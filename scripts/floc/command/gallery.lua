-- The page of `floc reproduce`: one HTML file that needs nothing else, with the pictures inside.

local core = require "floc.core"
local json = require "floc.output.json"
local report = require "floc.output.report"
local session = require "floc.session.session"
local statements = require "floc.command.statements"

local gallery = {}

local function escape(text)
  return (tostring(text):gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"):gsub('"', "&quot;"))
end

-- ---- pictures -----------------------------------------------------------------------------------

-- Names of the PNG files in a folder, sorted.
function gallery.pictures(folder)
  local names = {}
  for _, name in ipairs(core.list_folder(folder) or {}) do
    if name:match("%.png$") then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

local function pictures_of(out, folder)
  local names = gallery.pictures(folder)
  if #names == 0 then return end
  out[#out + 1] = '<div class="pictures">'
  for _, name in ipairs(names) do
    out[#out + 1] = string.format('<figure><img alt="%s" src="data:image/png;base64,%s"><figcaption>%s</figcaption></figure>',
      escape(name), core.base64(session.read_text(folder .. "/" .. name)), escape(name))
  end
  out[#out + 1] = "</div>"
end

-- ---- claims -------------------------------------------------------------------------------------

-- The verdicts that pages count, in their order.
local counted = { "agrees", "differs", "open", "not applicable", "not met" }
local counted_words = { agrees = "agree with the paper", differs = "differ from it, each for a reason", open = "open (the paper has no value)",
  ["not applicable"] = "not applicable at these sizes", ["not met"] = "not met" }

-- What stands in the verdict's column, and under which word it is counted.
function gallery.verdict(one)
  if one.passed ~= false then return one.verdict .. (one.verdict == "open" and one.passed == nil and ", no band" or ""), one.verdict end
  if one.verdict == "agrees" and one.differs then return "not met: agrees, and was to differ", "not met" end
  if one.verdict == "differs" and not one.differs then return "not met: differs", "not met" end
  return "not met: outside the band", "not met"
end

-- The other cells of a claim's row: claim, where, the paper, ours, band and where it is from.
function gallery.cells(one)
  local says = one.paper_says or ""
  if one.paper_value ~= nil then says = says .. (says ~= "" and ": " or "") .. report.short(one.paper_value) end
  if one.paper_band and type(one.paper_value) ~= "string" then says = says .. " (" .. report.expected_text(one.paper_band) .. ")" end
  local band = one.absent or one.expect and report.expected_text(one.expect) or ""
  return { one.claim, one.paper or "", says, report.value_text(one), band .. (one.band_from and " (" .. one.band_from .. ")" or "") }
end

gallery.columns = { "claim", "where", "the paper", "ours", "band, and where it is from", "verdict" }

-- What differs from a paper, of all its runs: claim, the paper, ours, why.
function gallery.differing(one)
  local rows = {}
  for _, run in ipairs(one.runs) do
    for _, claim in ipairs(gallery.results(run) or {}) do
      if claim.verdict == "differs" then
        local cells = gallery.cells(claim)
        rows[#rows + 1] = { cells[1], cells[2], cells[3], cells[4], claim.differs or "no reason is known" }
      end
    end
  end
  return rows
end

gallery.differing_columns = { "claim", "where", "the paper", "ours", "why" }
gallery.misprint_columns = { "where", "printed", "meant", "how it is known" }

-- What a run reported; nil when there is nothing.
function gallery.results(run)
  local text = session.read_text(run.folder .. "/result.json")
  local result = text and json.decode(text)
  return result and result.results
end

local function row_of(out, cells, class, tag)
  local escaped = {}
  for k, cell in ipairs(cells) do escaped[k] = string.format("<%s>%s</%s>", tag or "td", escape(cell), tag or "td") end
  out[#out + 1] = (class and string.format('<tr class="%s">', class) or "<tr>") .. table.concat(escaped) .. "</tr>"
end

local function table_of(out, columns, rows)
  out[#out + 1] = "<table>"
  row_of(out, columns, nil, "th")
  for _, row in ipairs(rows) do row_of(out, row) end
  out[#out + 1] = "</table>"
end

-- Counts verdicts; made once, for both pages.
function gallery.count(done)
  local counts = {}
  for _, one in ipairs(done) do
    for _, run in ipairs(one.runs) do
      local results = gallery.results(run)
      for _, claim in ipairs(results or {}) do
        local _, word = gallery.verdict(claim)
        counts[word] = (counts[word] or 0) + 1
      end
      if not run.ok or not results then counts.failed = (counts.failed or 0) + 1 end
    end
  end
  return counts
end

local function claims_of(out, results)
  out[#out + 1] = "<table>"
  row_of(out, gallery.columns, nil, "th")
  for _, one in ipairs(results) do
    local cells, shown, word = gallery.cells(one), gallery.verdict(one)
    cells[#cells + 1] = shown
    row_of(out, cells, (word:gsub(" ", "-")))
  end
  out[#out + 1] = "</table>"
end

-- A run: file, arguments, shows, folder, ok, seconds, log. Its result is read from its folder.
local function run_of(out, run)
  out[#out + 1] = string.format("<h3>%s</h3>\n<p><code>floc run examples/%s%s</code>, %.0f s</p>", escape(run.shows), escape(run.file),
    run.arguments ~= "" and " " .. escape(run.arguments) or "", run.seconds)
  local results = gallery.results(run)
  if results then claims_of(out, results) end
  if not run.ok or not results then
    out[#out + 1] = '<p class="not-met">The run ' .. (run.ok and "reported nothing." or "failed:") .. "</p><pre>" .. escape(run.log) .. "</pre>"
  end
  pictures_of(out, run.folder)
end

local head = [[
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>floc: the papers reproduced</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 70em; margin: 0 auto; padding: 1em; color: #222; }
h2 { margin-top: 2.5em; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; width: 100%; font-size: 0.9em; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25em 0.7em; border-bottom: 1px solid #ddd; }
tr.agrees td:last-child { color: #17692c; }
tr.differs td:last-child { color: #8a5a00; }
tr.not-met td, p.not-met { color: #a8201a; font-weight: bold; }
tr.open td:last-child, tr.not-applicable td { color: #777; }
.pictures { display: flex; flex-wrap: wrap; gap: 1em; margin: 1em 0; }
figure { margin: 0; flex: 1 1 22em; max-width: 40em; }
img { max-width: 100%; height: auto; border: 1px solid #eee; }
figcaption { font-size: 0.8em; color: #777; }
pre { background: #f6f6f6; padding: 0.5em; overflow-x: auto; }
</style></head><body>
<h1>floc: the papers reproduced</h1>
]]

function gallery.summary(counts)
  local parts = {}
  for _, word in ipairs(counted) do parts[#parts + 1] = string.format("%d %s", counts[word] or 0, counted_words[word]) end
  if counts.failed then parts[#parts + 1] = string.format("%d runs failed", counts.failed) end
  return table.concat(parts, ", ")
end

gallery.explanation = "An open claim has a band of ours where one stands beside it: of an ensemble, a theory, or exact. It shows whether "
  .. "floc still does the same; the paper has no number there, or a picture."

-- Of a paper: the rows of statements that nothing computed, and a sentence with the numbers.
function gallery.left(one, rows)
  local results = {}
  for k, run in ipairs(one.runs) do results[k] = gallery.results(run) or {} end
  local left, count, computed = statements.left(rows, one.paper.name, results)
  return left, string.format("%d of %d statements of the paper were computed.", computed, count)
end

-- done: a list of { paper =, runs = }. statement_rows: of statements.read. The page as a string.
function gallery.page(done, size, counts, statement_rows)
  local body = { "<h2>What differs from the papers, and why</h2>" }
  for _, one in ipairs(done) do
    local rows = gallery.differing(one)
    if #rows > 0 then
      body[#body + 1] = "<h3>" .. escape(one.paper.title) .. "</h3>"
      table_of(body, gallery.differing_columns, rows)
    end
  end
  body[#body + 1] = "<h2>Misprints</h2>\n<p>Not results, and no failures of a method: what is printed cannot be meant.</p>"
  for _, one in ipairs(done) do
    if #one.paper.misprints > 0 then
      body[#body + 1] = "<h3>" .. escape(one.paper.title) .. "</h3>"
      table_of(body, gallery.misprint_columns, one.paper.misprints)
    end
  end
  for _, one in ipairs(done) do
    body[#body + 1] = "<h2>" .. escape(one.paper.title) .. "</h2>"
    for _, run in ipairs(one.runs) do run_of(body, run) end
    body[#body + 1] = "<h3>Where the paper is ambiguous, and how it is read here</h3>\n<ul>"
    for _, text in ipairs(one.paper.open) do body[#body + 1] = "<li>" .. escape(text) .. "</li>" end
    body[#body + 1] = "</ul>"
    local left, sentence = gallery.left(one, statement_rows)
    body[#body + 1] = "<h3>What the paper states and nothing here computes</h3>\n<p>" .. sentence .. "</p>"
    if #left > 0 then table_of(body, statements.left_columns, left) end
  end
  local opening = string.format("<p>Made by <code>floc reproduce --%s</code>, floc %s. Claims: %s. %s</p>\n", size, core.version,
    gallery.summary(counts), gallery.explanation)
  return head .. opening .. table.concat(body, "\n") .. "\n</body></html>\n"
end

return gallery
