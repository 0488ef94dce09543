-- Modules of a scenario: Lua files beside the script, in its folder or below. They are read as text, here alone, and what
-- was loaded is kept in the session, name = { path, text }: so a checkpoint can hold the modules of its script as
-- it holds the script, and a source that is in the session already is taken instead of the file.
--
-- Without the sandbox Lua's own require asks `searcher` first, which takes sources from package.path; dofile and loadfile go
-- the same way. A resume compares each text with the one in the checkpoint, and every other file that the script reads with its
-- hash: what was changed, or is gone, is refused by name. `--modules=stored` takes the sources of the checkpoint, `--modules=new`
-- what there is now.
--
-- In the sandbox "a.b" is a/b.lua or a/b/init.lua in the folder. The name has no other way out of the folder, and in the sandbox
-- a link has none either: the file that is opened must lie in the folder when all links are followed.

local check = require "floc.surface.check"
local core = require "floc.core"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"

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
  local known = one.modules[name] or one.stored_modules and one.stored_modules[name]
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

-- ---- without the sandbox ------------------------------------------------------------------------

local choices = "floc resume --modules=new continues with the present one"

-- The text of a file that is a part of the script, by a name; noted in the session. Raises when a resume finds another
-- one than the checkpoint has. nil without a file.
local function take(one, call, name, path)
  local text, stored = path and session.read_text(path), one.stored_modules and one.stored_modules[name]
  if stored and one.module_policy == "stored" then
    text, path = stored.text, stored.path
  elseif stored and one.module_policy ~= "new" and text ~= stored.text then
    check.fail(call, "%s (%s) %s since the checkpoint was written; %s, --modules=stored with the text of the checkpoint",
      name, stored.path, text and "was changed" or "is gone", choices)
  end
  if not text then return nil end
  if not one.modules[name] then one.module_names[#one.module_names + 1] = name end
  one.modules[name] = { path = path, text = text }
  return text, path
end

-- For package.searchers: modules that are text.
function modules.searcher(name)
  local one = session.current()
  local path, reasons = package.searchpath(name, package.path)
  local text, from = take(one, "require", name, path)
  if not text or text:sub(1, 1) == "\27" then return reasons end
  session.in_run(one, "the module " .. name .. " is loaded")
  local chunk, message = load((text:gsub("^#[^\n]*", "")), "@" .. from)
  if not chunk then error(string.format("error loading module '%s' from file '%s':\n\t%s", name, from, message), 0) end
  return chunk, from
end

-- dofile and loadfile.
function modules.loadfile(original, path, mode, ...)
  if type(path) ~= "string" then return original(path, mode, ...) end
  local text = take(session.current(), "loadfile", "the file " .. path, path)
  if not text then return original(path, mode, ...) end
  return load((text:gsub("^#[^\n]*", "")), "@" .. path, mode or "bt", select("#", ...) > 0 and (...) or _G)
end

-- Before a script reads a file as data.
function modules.reads(call, path)
  local one = session.current()
  local now = core.hash_of_file(path)
  local was = session.learn(one, "file " .. path, function() return now end)
  if was == now or one.module_policy == "new" then return end
  check.fail(call, "the file %s %s since the checkpoint was written; %s", path, not now and "is gone" or was and "was changed" or "has appeared",
    choices)
end

local host = {}

-- From here on the modules that there are count as the host's.
function modules.note_host()
  for name in pairs(package.loaded) do host[name] = true end
end

-- Names of loaded modules that are not text: what they keep is in no checkpoint.
function modules.foreign(one)
  local names = {}
  for name in pairs(package.loaded) do
    if not host[name] and not one.modules[name] and name ~= "floc" and not name:find "^floc%." then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

return modules
