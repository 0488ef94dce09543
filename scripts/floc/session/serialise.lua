-- Plain data as text and back, exactly: what sim.state and the run's record become in a checkpoint.
--
-- Not Lua source: a table of 100,000 entries would not compile, and loading must not run anything. One
-- letter says what follows:
--   n<%.17g> i<integer> s<length>:<bytes> b1 b0 t<entries>{key value}   each number ends with ';'
-- i is an integer of Lua 5.4; a float that happens to be whole stays a float. Keys are written in order, so
-- equal data give equal bytes. What cannot be stored is refused with the path of its key.

local core = require "floc.core"

local serialise = {}

local type, tostring, string, table = type, tostring, string, table
local integer_type = math.type or function() return "float" end

-- ---- writing ------------------------------------------------------------------------------------

local function number_text(value)
  if value ~= value then return "nnan;" end
  if value == math.huge then return "ninf;" end
  if value == -math.huge then return "n-inf;" end
  if integer_type(value) == "integer" then return string.format("i%d;", value) end
  return "n" .. core.number_text(value, 17) .. ";"
end

local function key_order(a, b)
  local kind_a, kind_b = type(a), type(b)
  if kind_a ~= kind_b then return kind_a < kind_b end
  if kind_a == "boolean" then return not a and b end
  return a < b
end

local function key_path(path, key)
  if type(key) == "string" and key:find("^[%a_][%w_]*$") then return path .. "." .. key end
  return string.format("%s[%s]", path, type(key) == "string" and string.format("%q", key) or tostring(key))
end

local write

local function write_table(out, value, path, seen)
  if seen[value] then
    error(string.format("%s is the same table as %s; each table can be stored in only one place", path,
      seen[value]), 0)
  end
  if getmetatable(value) ~= nil then
    error(path .. " has a metatable; only plain tables can be stored", 0)
  end
  seen[value] = path
  local keys = {}
  for key in pairs(value) do
    local kind = type(key)
    if kind ~= "string" and kind ~= "number" and kind ~= "boolean" then
      error(string.format("%s has a %s as a key; keys must be strings, numbers or booleans", path, kind), 0)
    end
    keys[#keys + 1] = key
  end
  table.sort(keys, key_order)
  out[#out + 1] = string.format("t%d;", #keys)
  for _, key in ipairs(keys) do
    local below = key_path(path, key)
    write(out, key, below, seen)
    write(out, value[key], below, seen)
  end
end

function write(out, value, path, seen)
  local kind = type(value)
  if kind == "number" then
    out[#out + 1] = number_text(value)
  elseif kind == "string" then
    out[#out + 1] = string.format("s%d:", #value)
    out[#out + 1] = value
  elseif kind == "boolean" then
    out[#out + 1] = value and "b1" or "b0"
  elseif kind == "table" then
    write_table(out, value, path, seen)
  else
    error(string.format("%s is a %s; only numbers, strings, booleans and tables of these can be stored", path, kind),
      0)
  end
end

-- The text of a value; nil and a message when it cannot be stored. name begins the paths in messages.
function serialise.write(value, name)
  local out = {}
  local ok, message = pcall(write, out, value, name, {})
  if not ok then return nil, message end
  return table.concat(out)
end

-- ---- reading ------------------------------------------------------------------------------------

local special = { nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge }

local readers = {}

local function read(text, position)
  local reader = readers[text:sub(position, position)]
  if not reader then error("the data are damaged at byte " .. position, 0) end
  return reader(text, position)
end

local function up_to(text, position, mark)
  local stop = text:find(mark, position, true)
  if not stop then error("the data are truncated at byte " .. position, 0) end
  return text:sub(position + 1, stop - 1), stop + 1
end

function readers.n(text, position)
  local digits, next_position = up_to(text, position, ";")
  local value = special[digits]
  if value == nil then value = core.number_from(digits) end
  if not value then error(string.format("\"%.40s\" at byte %d is no number", digits, position), 0) end
  return value, next_position
end

-- The integer up to a mark.
local function whole(text, position, mark)
  local digits, next_position = up_to(text, position, mark)
  if not digits:find "^%-?%d+$" then error(string.format("\"%.40s\" at byte %d is not an integer", digits, position), 0) end
  return tonumber(digits), next_position
end

function readers.i(text, position) return whole(text, position, ";") end

function readers.s(text, position)
  local length, start = whole(text, position, ":")
  if length < 0 or start + length - 1 > #text then error("the data are truncated at byte " .. position, 0) end
  return text:sub(start, start + length - 1), start + length
end

function readers.b(text, position)
  return text:sub(position + 1, position + 1) == "1", position + 2
end

function readers.t(text, position)
  local count, next_position = whole(text, position, ";")
  local value = {}
  for _ = 1, count do
    local key, element
    key, next_position = read(text, next_position)
    element, next_position = read(text, next_position)
    if key == nil or key ~= key then error("the data are damaged at byte " .. position, 0) end
    value[key] = element
  end
  return value, next_position
end

-- The value of a string; nil and a message when it is damaged.
function serialise.read(text)
  local ok, value, stop = pcall(read, text, 1)
  if not ok then return nil, value end
  if stop ~= #text + 1 then return nil, "the data continue where they should end" end
  return value
end

return serialise
