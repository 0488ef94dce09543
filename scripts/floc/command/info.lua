-- `floc info FILE`: what a checkpoint holds.

local core = require "floc.core"
local serialise = require "floc.session.serialise"

local info = {}

local function size_text(bytes)
  if bytes < 1024 then return string.format("%d B", bytes) end
  if bytes < 1024 ^ 2 then return string.format("%.1f kB", bytes / 1024) end
  return string.format("%.1f MB", bytes / 1024 ^ 2)
end

-- Sections by name, with their bytes on demand.
local function index_of(file)
  local by_name = {}
  local sections = core.file_sections(file)
  for k, section in ipairs(sections) do by_name[section.name] = k - 1 end
  return sections, by_name
end

-- What the Lua half noted about the script, as data; nil for files of other hosts.
function info.record(file)
  local _, by_name = index_of(file)
  local at = by_name["attachment.record"]
  local record = at and serialise.read(core.file_read(file, at) or "")
  return type(record) == "table" and record or nil
end

local function script_lines(file, out)
  local record = info.record(file)
  if not record then
    out[#out + 1] = "script      none: a state without a script"
    return
  end
  out[#out + 1] = "script      " .. record.script_name
  if #record.arguments > 0 then out[#out + 1] = "arguments   " .. table.concat(record.arguments, " ") end
  out[#out + 1] = string.format("written by  floc %s at step %d, t = %.6g", record.version, record.step, record.time)
end

local function number_of_particles(sections)
  for _, section in ipairs(sections) do
    if section.name:find("%f[%w]x$") and section.type == "f64" then return section.rows end
  end
end

local function table_lines(sections, out)
  local widest = 4
  for _, section in ipairs(sections) do widest = math.max(widest, #section.name) end
  local format = "  %-" .. widest .. "s  %-4s  %10s  %7s  %10s  %10s"
  out[#out + 1] = ""
  out[#out + 1] = string.format(format, "section", "type", "rows", "columns", "size", "stored")
  for _, section in ipairs(sections) do
    out[#out + 1] = string.format(format, section.name, section.type, string.format("%d", section.rows),
      string.format("%d", section.columns), size_text(section.raw_bytes), size_text(section.stored_bytes))
  end
end

-- The text to print; nil, message when the file is none or is damaged.
function info.text(path, only_hash)
  local file, message = core.file_open(path)
  if not file then return nil, message end
  local hash, problem = core.file_hash(file)
  if not hash then return nil, problem end
  if only_hash then return hash .. "\n" end
  local sections = index_of(file)
  local stored = 0
  for _, section in ipairs(sections) do stored = stored + section.stored_bytes end
  local out = { "checkpoint  " .. path }
  script_lines(file, out)
  local particles = number_of_particles(sections)
  if particles then out[#out + 1] = string.format("particles   %d", particles) end
  out[#out + 1] = "hash        " .. hash
  local written, here = core.file_mathematics(file)
  out[#out + 1] = "mathematics " .. (not written and "not stored: the file was written before versions of it existed"
    or written .. (written == here and ", as here" or ", here " .. here .. ": results may differ in the last bits"))
  local record = info.record(file)
  if record and record.mathematics == "host" then
    out[#out + 1] = "            math.* and ^ of its callbacks were those of a host's C library: results may differ in the last bits"
  end
  out[#out + 1] = "size        " .. size_text(stored)
  table_lines(sections, out)
  core.file_close(file)
  return table.concat(out, "\n") .. "\n"
end

return info
