-- The statuses: the enum of floc.h, their words in the engine, the table of docs/errors.md.

local files = require "files"
local header = require "header"
local statuses = require "floc.surface.statuses"

header.replace({ kind = "enum", name = statuses.name }, header.enum(statuses))

local words = { files.made .. "/* clang-format off */" }
local rows = { "| status | number | words | usual cause | what to do |", "| --- | --- | --- | --- | --- |" }
for _, one in ipairs(statuses) do
  local name, text = "FLOC_" .. one[1]:upper(), one[1]:gsub("_", " ")
  words[#words + 1] = string.format('STATUS(%s, "%s")', name, text)
  rows[#rows + 1] = string.format("| `%s` | %d | %s | %s |%s |", name, one[2], text, one.cause, one.remedy and " " .. one.remedy or "")
end
files.deliver("engine/base/surface/statuses_made.h", table.concat(words, "\n") .. "\n")
files.replace("docs/errors.md", "| status |", "\n\n## Frequent messages", table.concat(rows, "\n"))
