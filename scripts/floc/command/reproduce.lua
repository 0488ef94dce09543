-- `floc reproduce [PAPER ...]`: the examples of the papers, one after the other, each in a folder of its own, and
-- the page of what came out.

local core = require "floc.core"
local gallery = require "floc.command.gallery"
local gallery_markdown = require "floc.command.gallery_markdown"
local papers = require "floc.command.papers"
local session = require "floc.session.session"
local shell = require "floc.command.shell"
local statements = require "floc.command.statements"

local reproduce = {}

local function is_file(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- The folder of examples: beside the present folder, the program, or where they are installed; nil if nowhere.
function reproduce.examples()
  local program = (core.executable() or ""):match("^(.*)/[^/]*$") or "."
  for _, folder in ipairs { "examples", program .. "/../examples", program .. "/../share/floc/examples" } do
    if is_file(folder .. "/" .. papers.list[1].runs[1].file) then return folder end
  end
end

-- A run's folder holds what this run wrote and nothing older: the page shows all that is there.
local function empty(folder)
  for _, name in ipairs(gallery.pictures(folder)) do os.remove(folder .. "/" .. name) end
  os.remove(folder .. "/result.json")
end

local function make(run, options, arguments, number)
  local stem = run.file:gsub("%.lua$", ""):gsub("/", "-")
  local one = { file = run.file, shows = run.shows, arguments = arguments,
    folder = string.format("%s/%s-%d", options.out, stem, number) }
  empty(one.folder)
  local from = core.now()
  one.ok, one.log = shell.run_example(options.program, options.examples .. "/" .. run.file, one.folder,
    options.threads and "--threads=" .. options.threads or "", arguments)
  one.seconds = core.now() - from
  return one
end

-- options: program, examples, out, markdown (path or nil), size, threads, names of papers, tell (function of a line).
-- The page's path, the counts of verdicts, their summary.
function reproduce.run(options)
  local done = {}
  local rows, unread = statements.read(options.examples)
  if not rows then return nil, unread end
  for _, name in ipairs(options.names) do
    local paper = papers.find(name)
    local part = { paper = paper, runs = {} }
    done[#done + 1] = part
    for number, run in ipairs(paper.runs) do
      local arguments = papers.arguments(run, options.size)
      if arguments then
        options.tell(string.format("%s %s", run.file, arguments))
        part.runs[#part.runs + 1] = make(run, options, arguments, number)
        if options.interrupted() then break end
      end
    end
    if options.interrupted() then break end
  end
  local counts = gallery.count(done)
  local page = gallery.page(done, options.size, counts, rows)
  local path = options.out .. "/index.html"
  local ok, message = core.make_folder(options.out)
  if ok then ok, message = session.write_text(path, page) end
  if not ok then return nil, session.about(path, tostring(message)) end
  if options.markdown then
    ok, message = gallery_markdown.write(options.markdown, done, options.size, counts, rows)
    if not ok then return nil, message end
  end
  return path, counts, gallery.summary(counts)
end

return reproduce
