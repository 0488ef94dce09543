-- Files that are made: read, written or compared. Paths count from the root of the repository.
local files = { root = arg[1], check = arg[2] == "--check" }
local stale = {}

function files.read(path)
  local file = io.open(files.root .. "/" .. path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

function files.deliver(path, text)
  if files.read(path) == text then return end
  stale[#stale + 1] = path
  if files.check then return end
  local file = assert(io.open(files.root .. "/" .. path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

-- Says what was made; ends the program with 1 if something is stale that should not be.
function files.report()
  for _, path in ipairs(stale) do print((files.check and "stale: " or "made: ") .. path) end
  if not files.check or not stale[1] then return end
  print "run scripts/surface.sh"
  os.exit(1)
end

return files
