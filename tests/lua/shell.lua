-- Shell commands and files in a folder of the spec's own, for specs that look at the program from outside.

local scratch = require "scratch"

-- As it stands between the apostrophes of a shell's command.
local function inside(path) return path and (path:gsub("'", "'\\''")) end

local shell = { program = inside(os.getenv "FLOC_PROGRAM"), source = inside(os.getenv "FLOC_SOURCE") }

local folder

-- Makes the folder; its name.
function shell.open()
  folder = scratch()
  assert(os.execute("mkdir '" .. folder .. "'"))
  return folder
end

function shell.close() os.execute("rm -rf '" .. folder .. "'") end

-- Output (both streams) and exit status.
function shell.run(command)
  local pipe = io.popen("cd '" .. folder .. "' && { " .. command .. "; } 2>&1; echo \"status $?\"", "r")
  local output = pipe:read("*a")
  pipe:close()
  local text, status = output:match("^(.*)status (%d+)\n$")
  return text, tonumber(status)
end

function shell.write(name, text)
  local file = assert(io.open(folder .. "/" .. name, "wb"))
  file:write(text)
  file:close()
end

function shell.read(name)
  local file = io.open(folder .. "/" .. name, "rb")
  if not file then return nil end
  local text = file:read("*a")
  file:close()
  return text
end

return shell
