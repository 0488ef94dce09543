-- JSON, writing only: result.json and nothing else needs it, so there is no reader.

local json = {}

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function text(value)
  return '"' .. value:gsub('[%c"\\]', function(character)
    return escapes[character] or string.format("\\u%04x", character:byte())
  end) .. '"'
end

local function number(value)
  if value ~= value or value == math.huge or value == -math.huge then return text(tostring(value)) end
  for digits = 15, 17 do
    local shown = string.format("%." .. digits .. "g", value)
    if tonumber(shown) == value then return shown end
  end
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

-- Marks a table that may be empty as a list: setmetatable({}, json.list).
json.list = {}

function json.encode(value) return encode(value, "") .. "\n" end

return json
