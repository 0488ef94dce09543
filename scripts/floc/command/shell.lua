-- Other programs, by the shell: the same on every Lua.

local shell = {}

function shell.quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- Runs a program with its arguments; whether it succeeded, and what it said on both streams.
function shell.run(...)
  local words = {}
  for k, word in ipairs { ... } do words[k] = shell.quote(word) end
  local pipe, message = io.popen("{ " .. table.concat(words, " ") .. "; } < /dev/null 2>&1; echo \" $?\"", "r")
  if not pipe then return false, message end
  local text = pipe:read("*a")
  pipe:close()
  local said, status = text:match("^(.*) (%d+)\n$")
  return status == "0", said or text
end

-- Whether there is a program of that name.
function shell.has(program) return (shell.run("sh", "-c", "command -v " .. shell.quote(program))) end

return shell
