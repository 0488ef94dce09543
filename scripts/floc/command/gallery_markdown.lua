-- The page of `floc reproduce` as Markdown, for a repository: pictures are files in a folder beside it, named after
-- the page (docs/gallery.md: docs/gallery/).

local core = require "floc.core"
local gallery = require "floc.command.gallery"
local report = require "floc.output.report"
local session = require "floc.session.session"

local gallery_markdown = {}

local function cell(text) return (tostring(text):gsub("|", "\\|"):gsub("\n", " ")) end

local function claims_of(out, results)
  out[#out + 1] = "| claim | where | the paper's value | ours | band | verdict |\n| --- | --- | --- | --- | --- | --- |"
  for _, one in ipairs(results) do
    local function shown(value) return value == nil and "" or report.short(value) end
    local cells = { one.claim, one.paper or "", shown(one.paper_value), shown(one.value) .. (one.unit and " " .. one.unit or ""),
      one.expect and report.expected_text(one.expect) or "", gallery.verdict(one) }
    for k, text in ipairs(cells) do cells[k] = cell(text) end
    out[#out + 1] = "| " .. table.concat(cells, " | ") .. " |"
  end
  out[#out + 1] = ""
end

-- files: the pictures' new paths, added to. folder: where they are seen from the page.
local function pictures_of(out, run, folder, files)
  local prefix = run.folder:match("[^/]*$")
  for _, name in ipairs(gallery.pictures(run.folder)) do
    local target = prefix .. "-" .. name
    files[#files + 1] = { from = run.folder .. "/" .. name, name = target }
    out[#out + 1] = string.format("![%s](%s/%s)\n", cell(run.shows), folder, target)
  end
end

local function run_of(out, run, folder, files)
  out[#out + 1] = string.format("### %s\n\n`floc run examples/%s%s`\n", run.shows, run.file, run.arguments ~= "" and " " .. run.arguments or "")
  local results = gallery.results(run)
  if results then claims_of(out, results) end
  if not run.ok or not results then out[#out + 1] = "**The run " .. (run.ok and "reported nothing.**\n" or "failed.**\n") end
  pictures_of(out, run, folder, files)
end

-- A folder of pictures holds what the page shows and nothing older.
local function copy_pictures(folder, files)
  local ok, message = core.make_folder(folder)
  if not ok then return nil, folder .. ": " .. tostring(message) end
  for _, name in ipairs(gallery.pictures(folder)) do os.remove(folder .. "/" .. name) end
  for _, file in ipairs(files) do
    ok, message = session.write_text(folder .. "/" .. file.name, session.read_text(file.from))
    if not ok then return nil, message end
  end
  return true
end

-- Writes the page at `path`, which ends with .md, for done, a list of { paper =, runs = }; true, or nil and a message.
function gallery_markdown.write(path, done, size, summary)
  local stem = path:gsub("%.md$", "")
  local folder, files = stem:match("[^/]*$"), {}
  local out = { "# The papers reproduced\n", string.format("Made by `floc reproduce --%s --markdown=%s`, floc %s. Claims: %s. A claim without a band is "
    .. "a number to judge by eye: the paper shows a picture, or a statement without a number.\n", size, path, core.version, summary) }
  for _, one in ipairs(done) do
    out[#out + 1] = "## " .. one.paper.title .. "\n"
    for _, run in ipairs(one.runs) do run_of(out, run, folder, files) end
    out[#out + 1] = "### Where the paper is ambiguous, and how it is read here\n"
    for _, text in ipairs(one.paper.open) do out[#out + 1] = "- " .. text end
    out[#out + 1] = ""
  end
  local ok, message = session.make_folder_for(path)
  if ok then ok, message = copy_pictures(stem, files) end
  if not ok then return nil, message end
  return session.write_text(path, table.concat(out, "\n"))
end

return gallery_markdown
