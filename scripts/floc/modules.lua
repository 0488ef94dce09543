-- Modules of a scenario: Lua files beside the script, in its folder or below. They are read as text, here alone, and what
-- was loaded is kept in the session, name = { path, text }: so a checkpoint can hold the modules of its script as
-- it holds the script, and a text that is in the session already is taken instead of the file.
--
-- "a.b" is a/b.lua or a/b/init.lua in the folder. The name has no other way out of the folder, and in the sandbox
-- a link has none either: the file that is opened must lie in the folder when all links are followed.

local check = require "floc.check"
local core = require "floc.core"
local sandbox = require "floc.sandbox"
local session = require "floc.session"

local modules = {}

-- The folder of a session's script, with a slash at its end.
function modules.folder(one) return one.script_name:match("^(.*/)[^/]*$") or "./" end

-- Text and path of a file of the folder; nil and the reason.
local function read(folder, inside)
  local path = folder .. inside
  if sandbox.is_active() then
    local text, reason = sandbox.lifted(core.read_inside, folder, inside)
    return text, text and path or reason
  end
  local text = session.read_text(path)
  return text, text and path or "there is no such file, or it cannot be read"
end

-- Text and path of a module; nil and why there is none.
function modules.find(one, name)
  local known = one.modules[name]
  if known then return known.text, known.path end
  if not name:find "^[%w_%-]+$" and not name:find "^[%w_%-][%w_%-%.]*[%w_%-]$" or name:find("..", 1, true) then
    return nil, "it is not a name such as a or a.b"
  end
  local inside, reasons = name:gsub("%.", "/"), {}
  for k, ending in ipairs { ".lua", "/init.lua" } do
    local text, path = read(modules.folder(one), inside .. ending)
    if text then return text, path end
    reasons[k] = inside .. ending .. ": " .. path
  end
  return nil, table.concat(reasons, "; ")
end

-- The module as a function, in the environment (that of the host without one), and its path; nil and the reason. It
-- is noted in the session.
function modules.load(name, env)
  local one = session.current()
  local text, path = modules.find(one, name)
  if not text then return nil, path end
  local chunk, message = sandbox.load(text, "@" .. path, env)
  if not chunk then return nil, message end
  one.modules[name] = { path = path, text = text }
  return chunk, path
end

-- require for an environment: each module once. given: modules that are there already.
function modules.require_in(env, given)
  local loaded, going_on = given, {}
  return function(name)
    if type(name) ~= "string" then check.fail("require", "takes the name of a module, got %s", check.show(name)) end
    if loaded[name] ~= nil then return loaded[name] end
    if going_on[name] then check.fail("require", "the module %s requires itself", name) end
    local chunk, path = modules.load(name, env)
    if not chunk then check.fail("require", "the sandbox has no module %s (%s)", name, path) end
    going_on[name] = true
    local value = chunk(name, path)
    going_on[name] = nil
    loaded[name] = value == nil and true or value
    return loaded[name]
  end
end

return modules
