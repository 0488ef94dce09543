-- `floc diff A B`: where two checkpoints differ. `floc verify FOLDER`: whether checkpoints are complete and valid.

local check = require "floc.surface.check"
local core = require "floc.core"
local session = require "floc.session.session"

local compare = {}

local function open(path)
  local file, message = core.file_open(path)
  if not file then return nil, session.about(path, message) end
  return file
end

-- ---- diff ---------------------------------------------------------------------------------------

-- What a row is called: rows of particles.* are ids less one, or after removals their places in the order of ids; pairs that
-- remember begin with two ids.
local function row_name(name, row, all_there)
  if not name:match("^particles%.") then return string.format("row %d", row) end
  return string.format(all_there and "id %d" or "particle number %d in the order of ids", row + 1)
end

local function section_line(section, found, all_there)
  if found.missing then return section.name .. ": only in the first file" end
  if found.other_kind then return section.name .. ": its type or number of columns differs in the second file" end
  local parts = {}
  if found.rows_a ~= found.rows_b then parts[1] = string.format("%d rows and %d rows", found.rows_a, found.rows_b) end
  if found.differing > 0 then
    local column = section.columns > 1 and string.format(", column %d", found.column) or ""
    parts[#parts + 1] = string.format("%s%s: %.17g and %.17g; %d of its numbers differ, by %.3g at most",
      row_name(section.name, found.row, all_there), column, found.value_a, found.value_b, found.differing, found.greatest)
  end
  if #parts > 0 then return section.name .. ": " .. table.concat(parts, "; ") end
end

-- The sections of one kind (state or not) that differ, as lines.
local function differing(a, b, of_state)
  local lines, of_a = {}, {}
  for _, section in ipairs(core.file_sections(a)) do of_a[section.name] = true end
  for k, section in ipairs(core.file_sections(a)) do
    if section.is_state == of_state then
      lines[#lines + 1] = section_line(section, core.file_compare(a, k - 1, b), not of_a["particles.ids"])
    end
  end
  for _, section in ipairs(core.file_sections(b)) do
    if not of_a[section.name] and section.is_state == of_state then
      lines[#lines + 1] = section.name .. ": only in the second file"
    end
  end
  return lines
end

-- The text to print and whether the states are equal; nil, message when a file cannot be read.
function compare.diff(path_a, path_b)
  local a, message = open(path_a)
  if not a then return nil, message end
  local b
  b, message = open(path_b)
  if not b then return nil, message end
  local out = differing(a, b, true)
  local equal = #out == 0
  if equal then out[1] = "the states are equal, bit for bit: hash " .. core.file_hash(a) end
  local rest = {}
  for _, line in ipairs(differing(a, b, false)) do rest[#rest + 1] = line:match("^[^:]+") end
  if #rest > 0 then out[#out + 1] = "beside the state: " .. table.concat(rest, ", ") end
  return table.concat(out, "\n") .. "\n", equal
end

-- ---- verify -------------------------------------------------------------------------------------

-- Files that a checkpoint may be called: run.floc, run.floc.1, run.floc.new-1-4711-0a1b2c3d, and run.floc.new of earlier
-- versions.
local function is_checkpoint_name(name)
  return name:find("%.floc$") ~= nil or name:find("%.floc%.%d+$") ~= nil or name:find("%.floc%.new$") ~= nil
    or name:find("%.floc%.new%-[%x%-]+$") ~= nil
end

local function files_below(path)
  local names, reason, is_file = core.list_folder(path)
  if is_file then return { path } end
  if not names then return nil, path .. ": " .. reason end
  table.sort(names)
  local files = {}
  for _, name in ipairs(names) do
    local whole = path:gsub("/+$", "") .. "/" .. name
    if is_checkpoint_name(name) then
      files[#files + 1] = whole
    elseif name ~= "." and name ~= ".." then
      for _, file in ipairs(core.list_folder(whole) and files_below(whole) or {}) do files[#files + 1] = file end
    end
  end
  return files
end

-- The text to print and whether all are valid; nil, message when there is nothing to look at.
function compare.verify(path)
  local files, message = files_below(path)
  if not files then return nil, message end
  if #files == 0 then return nil, check.show(path) .. ": it contains no checkpoint" end
  local out, damaged = {}, 0
  for _, name in ipairs(files) do
    local file, problem = open(name)
    out[#out + 1] = file and string.format("%s: valid, hash %s", name, core.file_hash(file)) or problem
    damaged = damaged + (file and 0 or 1)
    if file then core.file_close(file) end
  end
  out[#out + 1] = string.format("%d of %d are valid", #files - damaged, #files)
  return table.concat(out, "\n") .. "\n", damaged == 0
end

return compare
