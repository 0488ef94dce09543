-- The types of what calls take, and how values are shown in messages.
--
-- A type says which Lua types it takes, how to describe what is allowed, and how to convert. convert
-- returns the value, or nil and the name (with index) and value that are wrong.

local type, math, string, table, tostring = type, math, string, table, tostring
local huge, floor = math.huge, math.floor

local of = {} -- types by name
local types = { of = of }

function types.show(value)
  local kind = type(value)
  if kind == "number" then
    if value ~= value then return "nan" end
    if value == huge then return "infinite" end
    if value == -huge then return "-infinite" end
    return string.format("%.14g", value)
  elseif kind == "string" then
    return string.format("%q", #value > 60 and value:sub(1, 57) .. "..." or value)
  elseif kind == "boolean" or kind == "nil" then
    return tostring(value)
  end
  return "a " .. kind
end

-- ---- types ----------------------------------------------------------------------------------------

local function range_text(field)
  local parts = {}
  if field.above then parts[#parts + 1] = "above " .. types.show(field.above) end
  if field.at_least then parts[#parts + 1] = "at least " .. types.show(field.at_least) end
  if field.below then parts[#parts + 1] = "below " .. types.show(field.below) end
  if field.at_most then parts[#parts + 1] = "at most " .. types.show(field.at_most) end
  return table.concat(parts, " and ")
end

local function in_range(field, value)
  if value ~= value then return field.nan or false end
  if (value == huge or value == -huge) and not field.infinite then return false end
  return not (field.above and not (value > field.above) or field.at_least and not (value >= field.at_least)
    or field.below and not (value < field.below) or field.at_most and not (value <= field.at_most))
end

of.number = {
  takes = "number",
  describe = function(field)
    local range = range_text(field)
    local noun = field.infinite and "a number" or "a finite number"
    return range == "" and noun or noun .. " " .. range
  end,
  convert = function(field, value)
    if in_range(field, value) then return value end
    return nil, field.name, value
  end,
}

of.integer = {
  takes = "number",
  describe = function(field)
    local range = range_text(field)
    return range == "" and "an integer" or "an integer, " .. range
  end,
  convert = function(field, value)
    if value == floor(value) and in_range(field, value) and math.abs(value) <= 2 ^ 53 then return value end
    return nil, field.name, value
  end,
}

of.boolean = {
  takes = "boolean",
  describe = function() return "true or false" end,
  convert = function(_, value) return value end,
}

of.string = {
  takes = "string",
  describe = function() return "a string" end,
  convert = function(field, value)
    if value ~= "" then return value end
    return nil, field.name, value
  end,
}

-- The name of a file or folder. The sandbox has none: it refuses the value here, whatever the call does with it.
of.path = {
  takes = "string",
  describe = of.string.describe,
  convert = of.string.convert,
}

of["function"] = {
  takes = "function",
  describe = function(field) return field.signature and "a function " .. field.signature or "a function" end,
  convert = function(_, value) return value end,
}

of.table = {
  takes = "table",
  describe = function() return "a table" end,
  convert = function(_, value) return value end,
}

-- A list of finite numbers, as many as the simulation has dimensions (2 or 3 where there is none yet).
of.vector = {
  takes = "table",
  describe = function(field, dimension)
    return dimension and string.format("a vector of %d finite numbers", dimension)
      or "a vector of 2 or 3 finite numbers"
  end,
  convert = function(field, value, dimension)
    local count = #value
    if dimension and count ~= dimension or not dimension and count ~= 2 and count ~= 3 then
      return nil, field.name, string.format("a list of %d", count)
    end
    local copy = {}
    for key, component in pairs(value) do
      if type(key) ~= "number" then return nil, field.name .. "." .. tostring(key), component end
      local finite = type(component) == "number" and component - component == 0
      if not finite then return nil, string.format("%s[%s]", field.name, tostring(key)), component end
      copy[key] = component
    end
    return copy
  end,
}

-- Points by position in the table, not by name: floc.segment{ {0, 0}, {1, 0} }.
local function list_of(what)
  return {
    takes = "table",
    describe = function(field)
      if field.at_most == field.at_least then return string.format("%d %s", field.at_least, what) end
      return string.format("%d or more %s", field.at_least, what)
    end,
  }
end
of.points, of.regions = list_of "points", list_of "regions"

-- About an axis: one number in two dimensions, a vector in three.
of.rotation = {
  takes = function(dimension) return dimension == 3 and "table" or "number" end,
  describe = function(field, dimension)
    local which = dimension == 3 and of.vector or of.number
    return which.describe(field, dimension)
  end,
  convert = function(field, value, dimension)
    local which = dimension == 3 and of.vector or of.number
    return which.convert(field, value, dimension)
  end,
}

-- One of a few words.
of.choice = {
  takes = "string",
  describe = function(field) return "one of " .. table.concat(field.one_of, ", ") end,
  convert = function(field, value)
    for _, word in ipairs(field.one_of) do
      if value == word then return value end
    end
    return nil, field.name, value
  end,
}

-- Paths of rays, as sim:trace gives them.
of.paths = {
  takes = "userdata",
  describe = function() return "paths of sim:trace" end,
  convert = function(_, value) return value end,
}

return types
