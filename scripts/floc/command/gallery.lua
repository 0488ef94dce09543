-- The page of `floc reproduce`: one HTML file that needs nothing else, with the pictures inside.

local core = require "floc.core"
local json = require "floc.output.json"
local report = require "floc.output.report"
local session = require "floc.session.session"

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

-- "met", "not met", or "no band".
function gallery.verdict(one) return one.passed == nil and "no band" or one.passed and "met" or "not met" end

-- What a run reported; nil when there is nothing.
function gallery.results(run)
  local text = session.read_text(run.folder .. "/result.json")
  local result = text and json.decode(text)
  return result and result.results
end

local function claims_of(out, results, counts)
  out[#out + 1] = "<table><tr><th>claim</th><th>where</th><th>the paper's value</th><th>ours</th><th>band</th><th>verdict</th></tr>"
  for _, one in ipairs(results) do
    local word = gallery.verdict(one)
    counts[word] = (counts[word] or 0) + 1
    local function shown(value) return value == nil and "" or escape(report.short(value)) end
    out[#out + 1] = string.format('<tr class="%s"><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>',
      word:gsub(" ", "-"), escape(one.claim), escape(one.paper or ""), shown(one.paper_value),
      shown(one.value) .. (one.unit and " " .. escape(one.unit) or ""), one.expect and escape(report.expected_text(one.expect)) or "", word)
  end
  out[#out + 1] = "</table>"
end

-- A run: file, arguments, shows, folder, ok, seconds, log. Its result is read from its folder.
local function run_of(out, run, counts)
  out[#out + 1] = string.format("<h3>%s</h3>\n<p><code>floc run examples/%s%s</code>, %.0f s</p>", escape(run.shows), escape(run.file),
    run.arguments ~= "" and " " .. escape(run.arguments) or "", run.seconds)
  local results = gallery.results(run)
  if results then claims_of(out, results, counts) end
  if not run.ok or not results then
    counts.failed = (counts.failed or 0) + 1
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
tr.met td:last-child { color: #17692c; }
tr.not-met td, p.not-met { color: #a8201a; font-weight: bold; }
tr.no-band td:last-child { color: #777; }
.pictures { display: flex; flex-wrap: wrap; gap: 1em; margin: 1em 0; }
figure { margin: 0; flex: 1 1 22em; max-width: 40em; }
img { max-width: 100%; height: auto; border: 1px solid #eee; }
figcaption { font-size: 0.8em; color: #777; }
pre { background: #f6f6f6; padding: 0.5em; overflow-x: auto; }
</style></head><body>
<h1>floc: the papers reproduced</h1>
]]

local function summary(counts)
  local parts = {}
  for _, word in ipairs { "met", "not met", "no band" } do
    parts[#parts + 1] = string.format("%d %s", counts[word] or 0, word == "no band" and "without a band" or word)
  end
  if counts.failed then parts[#parts + 1] = string.format("%d runs failed", counts.failed) end
  return table.concat(parts, ", ")
end

-- done: a list of { paper =, runs = }. The page as a string, and the counts of verdicts and of failed runs.
function gallery.page(done, size)
  local counts, body = {}, {}
  for _, one in ipairs(done) do
    body[#body + 1] = "<h2>" .. escape(one.paper.title) .. "</h2>"
    for _, run in ipairs(one.runs) do run_of(body, run, counts) end
    body[#body + 1] = "<h3>Where the paper is ambiguous, and how it is read here</h3>\n<ul>"
    for _, text in ipairs(one.paper.open) do body[#body + 1] = "<li>" .. escape(text) .. "</li>" end
    body[#body + 1] = "</ul>"
  end
  local opening = string.format("<p>Made by <code>floc reproduce --%s</code>, floc %s. Claims: %s. A claim without a band is a number to "
    .. "judge by eye: the paper shows a picture, or a statement without a number.</p>\n", size, core.version, summary(counts))
  return head .. opening .. table.concat(body, "\n") .. "\n</body></html>\n", counts, summary(counts)
end

return gallery
