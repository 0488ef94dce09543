-- Which lines of the Lua half the specs never reach. A helper for busted, under Lua 5.4 (see docs/reliability.md):
--
--   FLOC_COVERAGE=floc/surface/check.lua,floc/session/arguments.lua busted --lua=lua5.4 --helper=tests/lua/coverage.lua ...
--
-- Prints, for each file, how many of its lines with code were reached and the numbers of the others.

local wanted = {}
for name in (os.getenv "FLOC_COVERAGE" or "floc/surface/check.lua"):gmatch "[^,]+" do wanted["=" .. name] = {} end

-- Lines with code, as the compiler of Lua lists them.
local function lines_with_code(source)
  local lines = {}
  local pipe = io.popen("luac5.4 -l -p '" .. os.getenv "FLOC_SOURCE" .. "/scripts/" .. source:sub(2) .. "'")
  for line in pipe:lines() do
    local number = line:match "^%s+%d+%s+%[(%d+)%]"
    if number then lines[tonumber(number)] = true end
  end
  pipe:close()
  return lines
end

debug.sethook(function(_, line)
  local lines = wanted[debug.getinfo(2, "S").source]
  if lines then lines[line] = true end
end, "l")

local create = coroutine.create
coroutine.create = function(fn)
  local thread = create(fn)
  debug.sethook(thread, debug.gethook())
  return thread
end

local function report()
  debug.sethook()
  for source, reached in pairs(wanted) do
    local count, hit, missing = 0, 0, {}
    for line in pairs(lines_with_code(source)) do
      count = count + 1
      if reached[line] then hit = hit + 1 else missing[#missing + 1] = line end
    end
    table.sort(missing)
    print(string.format("%s: %d of %d lines with code reached (%.1f %%); not: %s", source, hit, count, 100 * hit / math.max(count, 1),
      table.concat(missing, " ")))
  end
end

local exit = os.exit
os.exit = function(...) -- busted ends with it
  report()
  exit(...)
end
