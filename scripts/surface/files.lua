-- Files that are made: read, written or compared. Paths count from the root of the repository.
local files = { root = arg[1], check = arg[2] == "--check", made = "/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */\n" }
local stale = {}

function files.read(path)
  local file = io.open(files.root .. "/" .. path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

function files.deliver(path, text)
  if files.read(path) == text then return end
  if not stale[path] then stale[#stale + 1], stale[path] = path, true end
  if files.check then return end
  local file = assert(io.open(files.root .. "/" .. path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

-- What stands in the file from `first` up to `last`, which stays, gets this text.
function files.replace(path, first, last, text)
  local all = assert(files.read(path), path)
  local from = assert(all:find(first, 1, true), path .. " has no " .. first)
  local to = assert(all:find(last, from, true), path .. " has no " .. last)
  files.deliver(path, all:sub(1, from - 1) .. text .. all:sub(to))
end

-- Says what was made; ends the program with 1 if something is stale that should not be.
function files.report()
  for _, path in ipairs(stale) do print((files.check and "stale: " or "made: ") .. path) end
  if not files.check or not stale[1] then return end
  print "run scripts/surface.sh"
  os.exit(1)
end

return files
