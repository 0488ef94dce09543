-- Operations of law programs: the enum of floc.h; for the engine their kernels by kind, and one row each.

local files = require "files"
local header = require "header"
local operations = require "floc.surface.operations"

local enum = { name = operations.name, column = operations.column }
for k, one in ipairs(operations) do enum[k] = { one.name, one.number, one.text or "", before = one.before } end
header.replace({ kind = "enum", name = enum.name }, header.enum(enum))

local lines = { files.made .. "/* clang-format off */" }

-- One macro that calls X for each operation that fits.
local function list(name, comment, fits, row)
  local rows = {}
  for _, one in ipairs(operations) do
    if fits(one) then rows[#rows + 1] = "  X(" .. one.name:upper() .. ", " .. row(one) .. ")" end
  end
  lines[#lines + 1] = "\n/* " .. comment .. " */\n#define " .. name .. "(X) \\\n" .. table.concat(rows, " \\\n")
end

local function kernel(one) return one.c end
local function plain(operands)
  return function(one) return one.c and not one.library and one.operands == operands end
end
local function many(operands)
  return function(one) return one.many and one.operands == operands end
end
local function fast(operands)
  return function(one) return one.fast and one.operands == operands end
end

list("PROGRAM_BINARY", "X(name, expression of x and y)", plain(2), kernel)
list("PROGRAM_UNARY", "X(name, expression of x)", plain(1), kernel)
list("PROGRAM_LIBRARY", "Functions of mathematics: X(name, expression of x and y)", function(one) return one.library end, kernel)
list("PROGRAM_MANY_BINARY", "Those of them that there are for many numbers: X(name, function of base/mathematics)", many(2), function(one) return one.many end)
list("PROGRAM_MANY_UNARY", "", many(1), function(one) return one.many end)
list("PROGRAM_FAST_BINARY", "X(name, function of glibc's libmvec)", fast(2), function(one) return one.fast end)
list("PROGRAM_FAST_UNARY", "", fast(1), function(one) return one.fast end)
list("PROGRAM_OPERATIONS", "X(name, operands, a function of mathematics, how it is printed: each _ is an operand)", function() return true end, function(one)
  return string.format('%d, %s, "%s"', one.operands, one.library and "true" or "false", one[3])
end)
files.deliver("engine/laws/program/operations_made.h", table.concat(lines, "\n"):gsub("/%*  %*/\n", "") .. "\n")
