-- `floc reproduce --mutations`: the examples with wrong physics (mutations.lua), each in a folder of its own with the files
-- that stand beside the example, and which claims notice. The score is how many of the mutations some claim does
-- not meet, or end with an error. Controls, which are right, must pass, and with no claim left out.

local core = require "floc.core"
local ensembles = require "floc.output.ensembles"
local gallery = require "floc.command.gallery"
local mutations = require "floc.command.mutations"
local session = require "floc.session.session"
local shell = require "floc.command.shell"

local mutate = {}

-- The text with every place of each patch replaced; nil and the text that is not there.
local function patched(text, patches)
  for _, patch in ipairs(patches or {}) do
    local parts, from = {}, 1
    while true do
      local first, last = text:find(patch[1], from, true)
      if not first then break end
      parts[#parts + 1] = text:sub(from, first - 1)
      from = last + 1
    end
    if #parts == 0 then return nil, patch[1] end
    parts[#parts + 1] = text:sub(from)
    text = table.concat(parts, patch[2])
  end
  return text
end

-- Writes the mutated example and what stands beside it; its path, or nil and a message.
local function prepare(one, options, folder)
  local group, name = one.file:match "^(.*)/([^/]*)$"
  local source = options.examples .. "/" .. group
  local ok, message = core.make_folder(folder)
  if not ok then return nil, folder .. ": " .. tostring(message) end
  os.remove(folder .. "/out/result.json")
  for _, file in ipairs(core.list_folder(source) or {}) do
    if file:find "%.lua$" or file == ensembles.file then
      local text = session.read_text(source .. "/" .. file)
      if file == name then
        local changed, missing = patched(text, one.patches)
        if not changed then return nil, string.format("mutation %s: %s does not have the text %q", one.id, one.file, missing) end
        text = changed
      end
      ok, message = session.write_text(folder .. "/" .. file, text)
      if not ok then return nil, message end
    end
  end
  return folder .. "/" .. name
end

-- What became of a mutation: "caught", "stops", "passes", or of a control "passes", "fails"; the claims that notice, or why.
local function outcome(one, ok, log, results)
  local noticed, left_out = {}, {}
  for _, claim in ipairs(results or {}) do
    if claim.passed == false then noticed[#noticed + 1] = claim.claim end
    if claim.absent then left_out[#left_out + 1] = claim.claim .. ": " .. claim.absent end
  end
  if not ok then return one.control and "fails" or "stops", { (log:gsub("%s+$", ""):match "[^\n]*$") } end
  if #noticed > 0 then return one.control and "fails" or "caught", noticed end
  if one.control and (#left_out > 0 or not results) then return "fails", #left_out > 0 and left_out or { "reported nothing" } end
  return "passes", {}
end

-- Whether it is as the list says.
local function is_right(one, word)
  if one.control then return word == "passes" end
  return (word == "passes") == (one.missed ~= nil)
end

local function is_chosen(one, options)
  local of_a_paper, named = false, options.mutations == ""
  for _, name in ipairs(options.names) do of_a_paper = of_a_paper or one.file:match "^[^/]*" == name end
  for word in options.mutations:gmatch "[^,]+" do named = named or word == one.id or word == one.id:match "^%a+" end
  return of_a_paper and named
end

-- options as for reproduce.run, and mutations: names (sh1) or groups of them (sh) with commas between, "" for all. The rows { mutation,
-- word, reasons, right }; nil and a message.
function mutate.run(options)
  local rows = {}
  for _, one in ipairs(mutations.list) do
    if is_chosen(one, options) and not options.interrupted() then
      local folder = options.out .. "/mutations/" .. one.id
      local path, message = prepare(one, options, folder)
      if not path then return nil, message end
      local ok, log = shell.run_example(options.program, path, folder .. "/out", one.arguments or "",
        options.threads and "--threads=" .. options.threads or "")
      local word, reasons = outcome(one, ok, log, gallery.results { folder = folder .. "/out" })
      rows[#rows + 1] = { one = one, word = word, reasons = reasons, right = is_right(one, word) }
      options.tell(string.format("%-5s %-30s %-45s %s", one.id, one.file, one.change, word))
    end
  end
  if #rows == 0 then return nil, string.format("there is no mutation %s", options.mutations) end
  return rows
end

-- The table and the score as text; whether all is as the list says.
function mutate.text(rows)
  local lines, caught, count, controls, passing, right = { "id\tfile\tchange\toutcome\tclaims that notice, or why none does" }, 0, 0, 0, 0, true
  for _, row in ipairs(rows) do
    local one, why = row.one, table.concat(row.reasons, "; ")
    if one.control then
      controls, passing = controls + 1, passing + (row.word == "passes" and 1 or 0)
    else
      count, caught = count + 1, caught + (row.word ~= "passes" and 1 or 0)
    end
    if row.word == "passes" then why = one.control and "control" or one.missed or "NOTHING NOTICES, and no reason is known" end
    if row.word ~= "passes" and one.missed then why = "WAS TO PASS (" .. one.missed .. "), but: " .. why end
    lines[#lines + 1] = table.concat({ one.id, one.file, one.change, row.word, why }, "\t")
    right = right and row.right
  end
  return table.concat(lines, "\n") .. "\n", string.format("%d of %d mutations are caught, %d of %d controls pass", caught, count, passing, controls), right
end

return mutate
