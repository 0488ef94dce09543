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

-- The words between spaces.
function shell.words(text)
  local words = {}
  for word in text:gmatch("%S+") do words[#words + 1] = word end
  return words
end

-- Runs an example without progress: folder and file of it, where its output goes, more words. Whether it succeeded, what it
-- said.
function shell.run_example(program, path, out, ...)
  local words = { program, "run", path, "--quiet", "--out=" .. out }
  for _, text in ipairs { ... } do
    for _, word in ipairs(shell.words(text)) do words[#words + 1] = word end
  end
  return shell.run((unpack or table.unpack)(words))
end

-- Whether there is a program of that name.
function shell.has(program) return (shell.run("sh", "-c", "command -v " .. shell.quote(program))) end

return shell
