-- One run at a time for a checkpoint's path and for the folder of output: locks of the system (floc_lock_take in floc.h),
-- which end with the process. Within one Lua state a path may be written by several simulations, as the script says: which
-- one comes last is the script's order. A lock lives as long as the one who asked for it: the simulation, the session.

local core = require "floc.core"

local locks = {}

local held = setmetatable({}, { __mode = "v" }) -- by path

-- One spelling of a path: without ./ and doubled slashes.
local function plain(path)
  path = path:gsub("//+", "/")
  local count
  repeat path, count = path:gsub("^%./", "") until count == 0
  repeat path, count = path:gsub("/%./", "/") until count == 0
  return path
end

local told = false

-- Takes the lock of a path, of a folder if it ends with /, for as long as owner lives. nil, a message and
-- the status in words ("wrong state": another run has it) when that fails.
function locks.take(owner, path)
  local name = plain(path)
  local lock = held[name]
  if not lock then
    local message, reason
    lock, message, reason = core.lock_take(name)
    if not lock and reason == "wrong state" then -- of a simulation that is gone, but not collected to the end
      collectgarbage()
      lock, message, reason = core.lock_take(name)
    end
    if not lock and reason == "not supported" then
      if not told then io.stderr:write("floc: warning: ", message, "; nothing prevents another run from writing there\n") end
      told = true
      return true
    end
    if not lock then return nil, message, reason end
    held[name] = lock
  end
  owner.locks = owner.locks or {}
  owner.locks[name] = lock
  return true
end

-- All that an owner holds.
function locks.release(owner)
  for name, lock in pairs(owner.locks or {}) do
    core.lock_release(lock)
    held[name] = nil
  end
  owner.locks = nil
end

return locks
