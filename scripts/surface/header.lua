-- Declarations of floc.h, and of other headers that a declaration names as its file: a declaration takes the place of the one of its name.
local files = require "files"

local header = {}

local WIDTH = 120

-- A declaration and its comment, which continues in the comments' column.
function header.commented(left, text, column)
  if not text or text == "" then return left end
  local line, lines = left .. (" "):rep(math.max(column - #left, 1)) .. "/*", {}
  for word in text:gmatch "%S+" do
    if #line + 1 + #word > WIDTH - 3 then
      lines[#lines + 1], line = line, (" "):rep(column + 2)
    end
    line = line .. " " .. word
  end
  lines[#lines + 1] = line .. " */"
  return table.concat(lines, "\n")
end

function header.name_of(one) return one.file and one.name or "floc_" .. one.name end

-- { name, prefix, column, { word, number, text, before }, ... }; the text may have its name, too; before: a comment of its own
-- before the word.
function header.enum(enum)
  local lines, lefts, column = { "typedef enum " .. header.name_of(enum) .. " {" }, {}, 29
  for k, word in ipairs(enum) do
    lefts[k] = string.format("  %s%s = %d%s", enum.prefix or "FLOC_" .. enum.name:upper() .. "_", word[1]:upper(), word[2], enum[k + 1] and "," or "")
    column = math.min(math.max(column, #lefts[k] + 1), 38)
  end
  for k, word in ipairs(enum) do
    if word.before then lines[#lines + 1] = header.commented("", word.before, 2) end
    lines[#lines + 1] = header.commented(lefts[k], word.text or word[3], enum.column or column)
  end
  return table.concat(lines, "\n") .. "\n}"
end

-- one: a struct or an enum; text: all but the name at the end.
function header.replace(one, text)
  local name = header.name_of(one)
  files.replace(one.file or "include/floc/floc.h", "typedef " .. one.kind .. " " .. name .. " {", " " .. name .. ";\n", text)
end

return header
