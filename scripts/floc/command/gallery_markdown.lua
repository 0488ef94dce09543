-- The page of `floc reproduce` as Markdown, for a repository: pictures are files in a folder beside it, named after
-- the page (docs/gallery.md: docs/gallery/).

local core = require "floc.core"
local gallery = require "floc.command.gallery"
local session = require "floc.session.session"
local statements = require "floc.command.statements"

local gallery_markdown = {}

local function cell(text) return (tostring(text):gsub("|", "\\|"):gsub("\n", " ")) end

local function row_of(out, cells)
  local shown = {}
  for k, text in ipairs(cells) do shown[k] = cell(text) end
  out[#out + 1] = "| " .. table.concat(shown, " | ") .. " |"
end

local function table_of(out, columns, rows)
  row_of(out, columns)
  out[#out + 1] = string.rep("| --- ", #columns) .. "|"
  for _, row in ipairs(rows) do row_of(out, row) end
  out[#out + 1] = ""
end

local function claims_of(out, results)
  local rows = {}
  for k, one in ipairs(results) do
    rows[k] = gallery.cells(one)
    rows[k][#rows[k] + 1] = (gallery.verdict(one))
  end
  table_of(out, gallery.columns, rows)
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

-- Writes the page at `path`, which ends with .md, for done, a list of { paper =, runs = }, and the rows of statements; true, or
-- nil and a message.
function gallery_markdown.write(path, done, size, counts, statement_rows)
  local stem = path:gsub("%.md$", "")
  local folder, files = stem:match("[^/]*$"), {}
  local out = { "# The papers reproduced\n", string.format("Made by `floc reproduce --%s --markdown=%s`, floc %s. Claims: %s. %s\n", size, path,
    core.version, gallery.summary(counts), gallery.explanation), "## What differs from the papers, and why\n" }
  for _, one in ipairs(done) do
    local rows = gallery.differing(one)
    if #rows > 0 then
      out[#out + 1] = one.paper.title .. "\n"
      table_of(out, gallery.differing_columns, rows)
    end
  end
  out[#out + 1] = "## Misprints\n\nNot results, and no failures of a method: what is printed cannot be meant.\n"
  for _, one in ipairs(done) do
    if #one.paper.misprints > 0 then
      out[#out + 1] = one.paper.title .. "\n"
      table_of(out, gallery.misprint_columns, one.paper.misprints)
    end
  end
  for _, one in ipairs(done) do
    out[#out + 1] = "## " .. one.paper.title .. "\n"
    for _, run in ipairs(one.runs) do run_of(out, run, folder, files) end
    out[#out + 1] = "### Where the paper is ambiguous, and how it is read here\n"
    for _, text in ipairs(one.paper.open) do out[#out + 1] = "- " .. text end
    local left, sentence = gallery.left(one, statement_rows)
    out[#out + 1] = "\n### What the paper states and nothing here computes\n\n" .. sentence .. "\n"
    if #left > 0 then table_of(out, statements.left_columns, left) end
    out[#out + 1] = ""
  end
  local ok, message = session.make_folder_for(path)
  if ok then ok, message = copy_pictures(stem, files) end
  if not ok then return nil, message end
  return session.write_text(path, table.concat(out, "\n"))
end

return gallery_markdown
