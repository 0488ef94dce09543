-- Random numbers of scripts: math.random as the program has it, and floc.random.
--
-- A stream is a sequence of numbers of the engine's counter-based generator (engine/base/numbers/random.h): number k of a stream
-- is a function of its seed, its name and k. So what a checkpoint has to keep of a stream is its seed and how far it has
-- come, and both Luas draw the same numbers. math.random is the stream "math.random"; math.randomseed gives it a seed and
-- restarts it. Numbers are fetched from the engine in blocks.

local check = require "floc.surface.check"
local core = require "floc.core"
local session = require "floc.session.session"

local random = {}

local type, select, error = type, select, error
local floor, math_type = math.floor, math.type
local block_length = 64

-- ---- streams ------------------------------------------------------------------------------------

local function fill(stream)
  stream.first = stream.position - stream.position % block_length
  stream.block = core.random_block(stream.seed, stream.name, stream.first, block_length)
end

-- The next number, above 0 and below 1.
local function draw(stream)
  local k = stream.position - stream.first
  if k < 0 or k >= block_length then
    fill(stream)
    k = stream.position - stream.first
  end
  stream.position = stream.position + 1
  return stream.block[k + 1]
end

local function begin(stream, seed, position)
  stream.seed, stream.position, stream.first = seed, position, -block_length
end

-- A stream of the present session; it is made when it is first asked for.
local function stream_of(one, name, seed)
  local stream = one.streams[name]
  if not stream then
    stream = { name = name }
    begin(stream, seed or 1, 0)
    one.streams[name] = stream
  end
  return stream
end

-- { name = { seed, position } } of a session: what a checkpoint keeps.
function random.state(one)
  local state = {}
  for name, stream in pairs(one.streams) do state[name] = { stream.seed, stream.position } end
  return state
end

function random.restore(one, state)
  for name, kept in pairs(state) do begin(stream_of(one, name), kept[1], kept[2]) end
  for name, stream in pairs(one.streams) do
    if not state[name] then begin(stream, stream.seed, 0) end
  end
end

-- ---- integers ------------------------------------------------------------------------------

-- Lua 5.4 has integers of 64 bits, and ranges that one number below 1 cannot reach into: bits of two draws then, as
-- many as the range needs, until they are inside.
local wide = math_type and load [[
  local draw, stream, low, high = ...
  local span = high - low
  local mask = span
  for _, shift in ipairs { 1, 2, 4, 8, 16, 32 } do mask = mask | mask >> shift end
  local bits
  repeat
    bits = math.floor(draw(stream) * 4294967296.0) << 32 | math.floor(draw(stream) * 4294967296.0)
    bits = bits & mask
  until not math.ult(span, bits)
  return low + bits
]]

local function whole(stream, low, high)
  local span = high - low
  if wide and math_type(span) == "integer" and (span < 0 or span >= 0x1p52) then return wide(draw, stream, low, high) end
  return low + floor(draw(stream) * (span + 1))
end

-- ---- math.random and math.randomseed ------------------------------------------------------------

local function bad(number, name, text) error(string.format("bad argument #%d to '%s' (%s)", number, name, text), 3) end

-- The argument as each Lua takes it: LuaJIT any number, Lua 5.4 integers.
local function limit(value, number)
  local given = tonumber(value)
  if type(value) == "table" or not given then
    bad(number, "random", "number expected, got " .. (value == nil and "no value" or type(value)))
  end
  if not math_type then return given end
  local converted = math.tointeger(given)
  if not converted then bad(number, "random", "number has no integer representation") end
  return converted
end

-- math.random() of every script in the program: see "Random numbers" in docs/lua.md.
function random.random(...)
  local stream, count = stream_of(session.current(), "math.random"), select("#", ...)
  if count == 0 then return draw(stream) end
  if count > 2 and math_type then error("wrong number of arguments", 2) end
  local low, high = 1, (...)
  if count == 1 then
    high = limit(high, 1)
    if math_type and high == 0 then return wide(draw, stream, 0, -1) end
  else
    low, high = limit((...), 1), limit((select(2, ...)), 2)
  end
  if math_type and low > high then bad(1, "random", "interval is empty") end -- LuaJIT does not look
  return whole(stream, low, high)
end

-- A seed is a number; of two (Lua 5.4) the second counts as well. Without one the clock is asked, and what it said is kept in
-- the checkpoint as all that a script learns from outside.
function random.randomseed(...)
  local one = session.current()
  local first, second = ...
  if select("#", ...) == 0 and math_type then
    first = session.learn(one, "math.randomseed", function() return floor(core.now() * 1e6) end)
  elseif type(first) ~= "number" and not tonumber(first) then
    bad(1, "randomseed", "number expected, got " .. (select("#", ...) == 0 and "no value" or type(first)))
  end
  local seed = tonumber(first) + 0.0
  if second ~= nil then seed = seed + tonumber(second) * 0x1p-20 end
  begin(stream_of(one, "math.random"), seed, 0)
end

-- ---- floc.random --------------------------------------------------------------------------------

local methods = {}
local meta = { __index = methods, __name = "floc.random", floc_name = "random" }
local stream_behind = setmetatable({}, { __mode = "k" })

local function behind(self, call)
  local stream = type(self) == "table" and stream_behind[self]
  if not stream then check.fail(call, "is called on %s; write numbers:%s with a colon", check.show(self), call) end
  return stream
end

function methods:uniform(low, high)
  local stream = behind(self, "uniform")
  if low == nil and high == nil then return draw(stream) end
  low, high = check.arguments("random.uniform", low, high)
  if low == nil or high == nil then check.fail("uniform", "only one of low and high is given; it takes both or none") end
  if not (low < high) then check.fail("uniform", "high is %s; it must be above low, which is %s", check.show(high), check.show(low)) end
  return low + (high - low) * draw(stream)
end

-- Two numbers are drawn for each, so that nothing is left over that a checkpoint would have to keep (Box and Muller).
function methods:normal(mean, deviation)
  local stream = behind(self, "normal")
  mean, deviation = check.arguments("random.normal", mean, deviation)
  local length = math.sqrt(-2 * math.log(draw(stream)))
  return mean + deviation * length * math.cos(2 * math.pi * draw(stream))
end

function methods:integer(low, high)
  local stream = behind(self, "integer")
  low, high = check.arguments("random.integer", low, high)
  if low > high then check.fail("integer", "high is %s; it must be at least low, which is %s", check.show(high), check.show(low)) end
  return whole(stream, low, high)
end

function methods:exponential(mean)
  local stream = behind(self, "exponential")
  mean = check.arguments("random.exponential", mean)
  return -mean * math.log(draw(stream))
end

function meta.__tostring(self) return "floc.random " .. behind(self, "tostring").name end

check.strict_all(methods, 1, "random:")

-- For keep.lua: the name behind an object, and the object of a name.
function random.name_of(object) return stream_behind[object].name end

function random.object_of(one, name) return one.streams[name] and one.streams[name].object end

-- floc.random(name [, seed]): the stream of that name; asked for twice it is the same.
function random.stream(name, seed)
  local one = session.current()
  name, seed = check.arguments("floc.random", name, seed)
  local stream = stream_of(one, "stream " .. name, seed)
  if seed and stream.seed ~= seed then
    check.fail("floc.random", "seed is %s; the stream %s has the seed %s already", check.show(seed), check.show(name), check.show(stream.seed))
  end
  local object = stream.object or setmetatable({}, meta)
  stream.object, stream_behind[object] = object, stream
  return object
end

return random
