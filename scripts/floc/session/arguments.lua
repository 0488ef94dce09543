-- floc.args: a scenario's parameters with their defaults, changed on the command line by --name=value, and
-- listed by --help. The type of the default is the type of the parameter. name = { value, minimum, maximum } may be changed
-- while the simulation runs as well (changes.lua, live.lua): the new value appears in the table that floc.args returned.

local changes = require "floc.session.changes"
local check = require "floc.surface.check"
local session = require "floc.session.session"

local arguments = {}

-- Options of the program; scenarios cannot have parameters of these names.
arguments.reserved = { "changes", "continue", "hash", "help", "live", "out", "quiet", "sandbox", "slurm", "strict", "threads", "traceback", "trust" }

local reserved_words = {}
for _, word in ipairs(arguments.reserved) do reserved_words[word] = true end

local described_keys = { "one_of", "text", "above", "at_least", "below", "at_most", "integer" }

-- ---- declarations -------------------------------------------------------------------------------

-- { value, minimum, maximum }
local function set_range(name, field, given)
  local least, greatest = given[2], given[3]
  for k, bound in ipairs { given[1], least or false, greatest or false } do
    if type(bound) ~= "number" or bound - bound ~= 0 then
      check.fail("args", "%s[%d] is %s; it must be a finite number: %s = { value, minimum, maximum }", name, k, check.show(given[k]), name)
    end
  end
  if not (least < greatest) then
    check.fail("args", "%s ranges from %s to %s; the minimum must be below the maximum", name, check.show(least), check.show(greatest))
  end
  for _, key in ipairs { "one_of", "above", "at_least", "below", "at_most" } do
    if given[key] ~= nil then check.fail("args", "%s has a minimum and a maximum, and also %s; use one or the other", name, key) end
  end
  field.at_least, field.at_most, field.adjustable = least, greatest, true
end

-- `particles = 3000`, or `model = { "inelastic", one_of = { ... }, text = "..." }`, as a field for check.
local function field_of(name, given)
  local default = given
  local field = { name = name }
  if type(given) == "table" then
    default = given[1]
    for key, value in pairs(given) do
      local is_known = key == 1 or key == 2 or key == 3
      for _, known in ipairs(described_keys) do is_known = is_known or known == key end
      if not is_known then
        check.fail("args", "unknown parameter %s.%s%s", name, tostring(key), check.suggestion(key, described_keys))
      end
      if type(key) == "string" then field[key] = value end
    end
  end
  if type(given) == "table" and (given[2] ~= nil or given[3] ~= nil) then set_range(name, field, given) end
  local kind = type(default)
  if kind ~= "number" and kind ~= "string" and kind ~= "boolean" then
    check.fail("args", "%s is %s; a default must be a number, a string, true or false", name, check.show(default))
  end
  field.default = default
  field.type = field.one_of and "choice" or field.integer and "integer" or kind
  if kind == "string" and not field.one_of then field.allow_empty = true end
  return field
end

local function fields_of(given)
  if type(given) ~= "table" then
    check.fail("args", "takes one table of parameters and defaults, got %s; write floc.args { particles = 3000 }",
      check.show(given))
  end
  local fields = {}
  for name, default in pairs(given) do
    if type(name) ~= "string" or not name:find("^[%a_][%w_]*$") then
      check.fail("args", "%s cannot be the name of a parameter; it must be a word", check.show(name))
    end
    for _, word in ipairs(arguments.reserved) do
      if word == name then
        check.fail("args", "%s cannot be the name of a parameter: --%s is an option of floc", name, name)
      end
    end
    fields[#fields + 1] = field_of(name, default)
  end
  table.sort(fields, function(a, b) return a.name < b.name end)
  return fields
end

-- ---- values -------------------------------------------------------------------------------------

local truths = { ["true"] = true, yes = true, on = true, ["1"] = true,
  ["false"] = false, no = false, off = false, ["0"] = false }

local function refuse(format, ...)
  error(session.current().script_name .. ": " .. string.format(format, ...), 0)
end

-- The text of an argument as a value of the field's type.
local function parse(field, text)
  local kind = type(field.default)
  if kind == "boolean" then
    local value = text == nil or truths[text:lower()]
    if value == nil then refuse("--%s is %s; it must be true or false", field.name, check.show(text)) end
    return value
  end
  if text == nil then
    refuse("--%s needs a value: --%s=%s", field.name, field.name, tostring(field.default))
  end
  if kind == "string" then return text end
  local value = tonumber(text)
  if not value then
    refuse("--%s is %s; it must be %s", field.name, check.show(text), check.describe(field))
  end
  return value
end

local function find(fields, name)
  for _, field in ipairs(fields) do
    if field.name == name then return field end
  end
end

local function names_of(fields, others)
  local names = {}
  for k, field in ipairs(fields) do names[k] = field.name end
  for _, name in ipairs(others or {}) do names[#names + 1] = name end
  return names
end

local function check_value(field, value)
  if field.allow_empty then return value end
  local one = check.types[field.type]
  local converted = one.convert(field, value)
  if converted == nil then
    refuse("--%s is %s; it must be %s", field.name, check.show(value), check.describe(field))
  end
  return converted
end

-- ---- help ---------------------------------------------------------------------------------------

-- The comment that a script begins with tells what it is.
local function opening_comment(text)
  local lines = {}
  for line in (text or ""):gmatch("([^\n]*)\n") do
    local comment = line:match("^%-%-%s?(.*)$")
    if comment then
      lines[#lines + 1] = comment
    elseif not line:find("^#!") or #lines > 0 then
      break
    end
  end
  return lines
end

local function default_text(value)
  return type(value) == "number" and string.format("%.14g", value) or tostring(value)
end

function arguments.help(self, fields)
  local out = { "floc run " .. self.script_name .. (#fields > 0 and " [--parameter=value ...]" or "") }
  for _, line in ipairs(opening_comment(self.script_text)) do out[#out + 1] = "  " .. line end
  out[#out + 1] = ""
  if #fields == 0 then
    out[#out + 1] = "This script takes no parameters."
  else
    out[#out + 1] = "Parameters, with their defaults:"
  end
  local widest = 0
  for _, field in ipairs(fields) do widest = math.max(widest, #field.name + #default_text(field.default)) end
  for _, field in ipairs(fields) do
    local shown = field.name .. "=" .. default_text(field.default)
    local words = {}
    if field.text then words[#words + 1] = field.text end
    if field.adjustable then
      words[#words + 1] = string.format("(%s to %s, with --live while it runs)", default_text(field.at_least), default_text(field.at_most))
    end
    local text = table.concat(words, " ")
    if field.one_of then text = text .. (text ~= "" and "; " or "") .. "one of " .. table.concat(field.one_of, ", ") end
    out[#out + 1] = ("  --" .. shown .. string.rep(" ", widest + 3 - #shown) .. text)
      :gsub("%s+$", "")
  end
  out[#out + 1] = ""
  out[#out + 1] = "Options of floc: --out=DIR --threads=N --quiet --strict --live; see floc help run."
  return table.concat(out, "\n") .. "\n"
end

-- Raised to end a script early without an error; the program knows it.
arguments.finished = setmetatable({}, { __tostring = function() return "floc: help was shown" end })

local function show_help(self, fields)
  io.stdout:write(arguments.help(self, fields))
  error(arguments.finished, 0)
end

-- ---- the call -----------------------------------------------------------------------------------

local function apply(self, fields, values)
  for _, argument in ipairs(self.arguments) do
    local name, text = argument:match("^%-%-([%w_%-]+)=(.*)$")
    name = (name or argument:match("^%-%-([%w_%-]+)$") or ""):gsub("%-", "_")
    if name == "" then
      refuse("unexpected argument %s; parameters are given as --name=value", check.show(argument))
    end
    if name == "help" then show_help(self, fields) end
    local field = find(fields, name)
    if not field and reserved_words[name] then refuse("--%s is an option of the program: floc run FILE --%s", name, name) end
    if not field then
      refuse("unknown parameter --%s%s", name, check.suggestion(name, names_of(fields, arguments.reserved)))
    end
    values[name] = check_value(field, parse(field, text))
  end
end

function arguments.args(given)
  local self = session.current()
  if self.arguments_used then check.fail("args", "is called a second time; one call declares all parameters") end
  local fields = fields_of(given)
  local values = {}
  for _, field in ipairs(fields) do
    local one = check.types[field.type]
    if not field.allow_empty and one.convert(field, field.default) == nil then
      check.fail("args", "the default of %s is %s; it must be %s", field.name, check.show(field.default),
        check.describe(field))
    end
    values[field.name] = field.default
  end
  self.arguments_used = true
  apply(self, fields, values)
  self.parameters, self.values = fields, values
  changes.check(self)
  return setmetatable(values, { __index = function(_, name)
    check.fail("args", "there is no parameter %s%s", tostring(name), check.suggestion(name, names_of(fields)))
  end })
end

-- In the program, a script that never asks for parameters must not swallow them silently.
function arguments.check_unused(self)
  if self.arguments_used or not self.program then return end
  self.arguments_used = true
  apply(self, {}, {})
end

return arguments
