-- Symbols: what a law gets instead of numbers while it is traced. Arithmetic with them makes nodes of a graph; a
-- comparison asks the explorer (trace.lua) which way this call of the law goes.
--
-- On LuaJIT a symbol is a cdata: only there do <, <= and == with a number reach a metamethod. It is one without content, a
-- struct of no bytes, because what a script gets must lead nowhere; which node it stands for is in a table here. On Lua
-- 5.4 it is a table: < and <= work with numbers as well, but x == 1 is false without asking anybody; the differential check finds
-- such laws (trace/check.lua).

local operations = require "floc.surface.operations"

local symbols = {}

local active -- what the present trace needs: graph, decide(node)

-- A refusal is raised as an error; its reason goes to the user.
local refusal_meta = { __tostring = function(self) return self.reason end }

function symbols.refuse(format, ...)
  error(setmetatable({ reason = string.format(format, ...) }, refusal_meta), 0)
end

function symbols.is_refusal(value) return getmetatable(value) == refusal_meta end

-- ---- representation -----------------------------------------------------------------------------

local meta = {}
local make_symbol, is_symbol
local nodes = {} -- of the present trace, by symbol

local has_ffi, ffi = pcall(require, "ffi")
if has_ffi and rawget(_G, "jit") then
  local ok, declared = pcall(ffi.typeof, "struct { }")
  has_ffi = ok
  if ok then
    local construct
    make_symbol = function(node)
      local symbol = construct()
      nodes[symbol] = node
      return symbol
    end
    is_symbol = function(value) return type(value) == "cdata" and ffi.istype(declared, value) end
    symbols.attach = function() construct = construct or ffi.metatype(declared, meta) end
  end
else
  has_ffi = false
end
if not has_ffi then
  make_symbol = function(node)
    local symbol = setmetatable({}, meta)
    nodes[symbol] = node
    return symbol
  end
  local getmetatable = debug.getmetatable
  is_symbol = function(value) return getmetatable(value) == meta end
  symbols.attach = function() end
end
symbols.is_symbol = is_symbol

function symbols.begin(state)
  symbols.attach()
  active, nodes = state, {}
end

function symbols.finish() active, nodes = nil, {} end

-- A node as a value of the law: constants are plain numbers again.
local function wrap(node)
  return active.graph:value_of(node) or make_symbol(node)
end
symbols.wrap = wrap

-- The node of a number or a symbol.
local function node_for(value, doing)
  local known = is_symbol(value)
  if not active or known and not nodes[value] then error("a value computed inside a traced law is used outside the law", 0) end
  if known then return nodes[value] end
  local kind = type(value)
  if kind == "number" then return active.graph:constant(value) end
  if kind == "nil" or kind == "boolean" or kind == "function" then
    error(string.format("attempt to %s a %s value", doing, kind), 0) -- as with numbers
  end
  symbols.refuse("it tries to %s a %s", doing, kind)
end
symbols.node_for = node_for

local function unary(name, doing)
  return function(x) return wrap(active.graph:make(name, node_for(x, doing))) end
end

local function binary(name, doing)
  return function(x, y)
    local a, b = node_for(x, doing), node_for(y, doing)
    return wrap(active.graph:make(name, a, b))
  end
end

-- ---- operators ----------------------------------------------------------------------------------

for _, one in ipairs(operations) do
  if one.metamethod then meta[one.metamethod] = (one.operands == 1 and unary or binary)(one.name, one.verb) end
end

-- a // b
meta.__idiv = function(a, b)
  local x, y = node_for(a, "divide"), node_for(b, "divide by")
  local g = active.graph
  return wrap(g:make("floor", g:make("divide", x, y)))
end

-- Lua 5.4 goes by fmod; LuaJIT computes a - floor(a/b) b.
meta.__mod = function(a, b)
  local x, y = node_for(a, "divide"), node_for(b, "divide by")
  local g = active.graph
  if not rawget(_G, "jit") then return wrap(g:make("remainder", x, y)) end
  return wrap(g:make("subtract", x, g:make("multiply", g:make("floor", g:make("divide", x, y)), y)))
end

local function comparison(name)
  return function(a, b)
    local x, y = node_for(a, "compare"), node_for(b, "compare")
    return active.decide(active.graph:make(name, x, y))
  end
end

meta.__lt = comparison("less")
meta.__le = comparison("less_equal")

function meta.__eq(a, b)
  if not (is_symbol(a) or type(a) == "number") or not (is_symbol(b) or type(b) == "number") then return false end
  local x, y = node_for(a, "compare"), node_for(b, "compare")
  return active.decide(active.graph:make("equal", x, y))
end

local function no_such(doing)
  return function() symbols.refuse("it %s", doing) end
end

meta.__concat = no_such "converts a number to a string"
meta.__len = no_such "takes the length of a number"
meta.__call = no_such "calls a number"
meta.__tostring = no_such "converts a number to a string"
meta.__newindex = no_such "indexes a number"
for name, words in pairs { band = "and", bor = "or", bxor = "exclusive or", shl = "shift", shr = "shift", bnot = "not" } do
  meta["__" .. name] = no_such("uses the bits of a number (" .. words .. ")")
end
meta.__index, meta.__metatable, meta.__name = no_such "indexes a number", "floc.symbol", "floc.symbol"

-- ---- functions ----------------------------------------------------------------------------------

-- The symbolic half of each function of math: those that are one operation, and then the others.
local of_math = {}
for _, one in ipairs(operations) do
  if one.math then of_math[one.math] = (one.operands == 1 and unary or binary)(one.name, one.name) end
end
symbols.of_math = of_math

-- math.atan(y, x) has two arguments in Lua 5.4 only.
function of_math.atan(y, x)
  if x == nil or rawget(_G, "jit") then return wrap(active.graph:make("arc_tangent", node_for(y, "atan"))) end
  return wrap(active.graph:make("arc_tangent2", node_for(y, "atan"), node_for(x, "atan")))
end

function of_math.log(x, base)
  local g, argument = active.graph, node_for(x, "log")
  if base == nil then return wrap(g:make("logarithm", argument)) end
  if base == 2 then return wrap(g:make("logarithm2", argument)) end
  if base == 10 then return wrap(g:make("logarithm10", argument)) end
  return wrap(g:make("divide", g:make("logarithm", argument), g:make("logarithm", node_for(base, "log"))))
end

function of_math.deg(x) return wrap(active.graph:make("multiply", node_for(x, "deg"), active.graph:constant(180 / math.pi))) end
function of_math.rad(x) return wrap(active.graph:make("multiply", node_for(x, "rad"), active.graph:constant(math.pi / 180))) end

-- As Lua does it: the first stays unless the next is truly less (greater).
local function extreme(swapped)
  return function(first, ...)
    local g = active.graph
    local best = node_for(first, "compare")
    for k = 1, select("#", ...) do
      local other = node_for((select(k, ...)), "compare")
      local better = swapped and g:make("less", best, other) or g:make("less", other, best)
      best = g:make("select", better, other, best)
    end
    return wrap(best)
  end
end
of_math.min = extreme(false)
of_math.max = extreme(true)

function of_math.modf(x)
  local g, argument = active.graph, node_for(x, "modf")
  local negative = g:make("less", argument, g:constant(0))
  local whole = g:make("select", negative, g:make("ceiling", argument), g:make("floor", argument))
  return wrap(whole), wrap(g:make("subtract", argument, whole))
end

return symbols
