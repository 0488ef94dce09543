-- JSON: result.json is written, and read again by `floc reproduce` and `floc sweep`.

local core = require "floc.core"

local json = {}

-- Marks a table that may be empty as a list: setmetatable({}, json.list).
json.list = {}

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function text(value)
  return '"' .. value:gsub('[%c"\\]', function(character)
    return escapes[character] or string.format("\\u%04x", character:byte())
  end) .. '"'
end

local function number(value)
  if value ~= value or value == math.huge or value == -math.huge then return text(tostring(value)) end
  return core.number_text(value)
end

local encode

local function list(value, indent)
  local parts = {}
  for k, element in ipairs(value) do parts[k] = indent .. "  " .. encode(element, indent .. "  ") end
  if #parts == 0 then return "[]" end
  return "[\n" .. table.concat(parts, ",\n") .. "\n" .. indent .. "]"
end

local function object(value, indent)
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys)
  for k, key in ipairs(keys) do
    parts[k] = indent .. "  " .. text(key) .. ": " .. encode(value[key], indent .. "  ")
  end
  if #parts == 0 then return "{}" end
  return "{\n" .. table.concat(parts, ",\n") .. "\n" .. indent .. "}"
end

-- Tables with the field is_list (removed) or with element 1 are lists.
function encode(value, indent)
  local kind = type(value)
  if kind == "string" then return text(value) end
  if kind == "number" then return number(value) end
  if kind == "boolean" then return tostring(value) end
  if kind ~= "table" then return "null" end
  if value[1] ~= nil or getmetatable(value) == json.list then return list(value, indent) end
  return object(value, indent)
end

-- ---- reading ------------------------------------------------------------------------------------

local plain = { n = "\n", t = "\t", r = "\r", b = "\b", f = "\f" }
local words = { ["true"] = true, ["false"] = false, null = nil }
local names_of_numbers = { inf = math.huge, ["-inf"] = -math.huge, nan = 0 / 0, ["-nan"] = 0 / 0 }

local function utf8_bytes(code)
  if code < 128 then return string.char(code) end
  if code < 2048 then return string.char(192 + math.floor(code / 64), 128 + code % 64) end
  return string.char(224 + math.floor(code / 4096), 128 + math.floor(code / 64) % 64, 128 + code % 64)
end

local function unescape(text)
  return (text:gsub("\\(.)(%x?%x?%x?%x?)", function(letter, digits)
    if letter == "u" and #digits == 4 then return utf8_bytes(tonumber(digits, 16)) end
    return (plain[letter] or letter) .. digits
  end))
end

local read

local function fail(at) error("it is not valid JSON at byte " .. at, 0) end

local function read_text(source, at)
  local from = at
  while true do
    local stop = source:find('["\\]', at) or fail(from)
    if source:sub(stop, stop) == '"' then return unescape(source:sub(from, stop - 1)), stop + 1 end
    at = stop + 2
  end
end

local function skip(source, at) return source:find("[^ \t\r\n]", at) or #source + 1 end

-- What stands between brackets; one() reads an element and returns where it continues.
local function read_elements(source, at, closing, one)
  at = skip(source, at)
  if source:sub(at, at) == closing then return at + 1 end
  while true do
    at = skip(source, one(at))
    local mark = source:sub(at, at)
    at = skip(source, at + 1)
    if mark == closing then return at end
    if mark ~= "," then fail(at) end
  end
end

local function read_object(source, at)
  local object = {}
  return object, read_elements(source, at, "}", function(here)
    if source:sub(here, here) ~= '"' then fail(here) end
    local key
    key, here = read_text(source, here + 1)
    here = skip(source, here)
    if source:sub(here, here) ~= ":" then fail(here) end
    object[key], here = read(source, skip(source, here + 1))
    return here
  end)
end

local function read_list(source, at)
  local list = setmetatable({}, json.list)
  return list, read_elements(source, at, "]", function(here)
    list[#list + 1], here = read(source, here)
    return here
  end)
end

function read(source, at)
  local mark = source:sub(at, at)
  if mark == "{" then return read_object(source, at + 1) end
  if mark == "[" then return read_list(source, at + 1) end
  if mark == '"' then return read_text(source, at + 1) end
  local word = source:match("^[%w%+%-%.]+", at) or fail(at)
  if word == "true" or word == "false" or word == "null" then return words[word], at + #word end
  return tonumber(word) or fail(at), at + #word
end

-- The value of a string; nil, message when it is no JSON. A number that JSON cannot write is the string "inf" or "nan".
function json.decode(source)
  local ok, value, at = pcall(read, source, skip(source, 1))
  if not ok then return nil, value end
  if skip(source, at) <= #source then return nil, "it continues at byte " .. at end
  return value
end

-- A value that may be one of those strings, as a number.
function json.number(value) return names_of_numbers[value] or tonumber(value) end

function json.encode(value) return encode(value, "") .. "\n" end

return json
