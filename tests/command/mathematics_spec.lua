-- Scripts' mathematics in the program: math.* and ^ are the engine's own, in the interpreter, in traces, on both Luas and
-- on processors without fused multiply-add, which glibc's tunable takes away; and what checkpoints say of it.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")
local source = assert(shell.source, "FLOC_SOURCE is not set")

local without_fma = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"

local function floc(arguments, environment, by)
  return shell.run((environment or "") .. " '" .. (by or program) .. "' " .. arguments)
end

local function programs()
  local found = {}
  for one in (os.getenv "FLOC_PROGRAMS" or program):gmatch "[^:]+" do found[#found + 1] = one end
  return found
end

-- Functions that the C library rounds otherwise at these arguments: what it is, x, y, and the engine's value.
local told_apart = [[
local told_apart = {
  { "acos",  -0.063982016520009122, 0, 1.6348220777758147 },
  { "acos",  -0.2009154842235148, 0, 1.7730886990147541 },
  { "asin",  -0.025905109316935127, 0, -0.025908007569440412 },
  { "asin",  -0.036013283395103679, 0, -0.036021072552766722 },
  { "atan",  -0.070510840123223062, 0, -0.070394332714261196 },
  { "atan",  -0.18630669360396546, 0, -0.18419492227515452 },
  { "atan2", 0.20736305818172845, 1.5199713310028811, 0.13558858298761536 },
  { "atan2", 0.34014076006155847, 2.8897383467740037, 0.11716729649331913 },
  { "cos",   -0.56795678332436772, 0, 0.84300180223991805 },
  { "cos",   -0.74967906126732586, 0, 0.73190759546726147 },
  { "cosh",  -0.76085298434825344, 0, 1.30368429985217 },
  { "cosh",  -1.0060501432791256, 0, 1.5502190555237447 },
  { "exp",   -2.4594320875045774, 0, 0.085483484323566686 },
  { "exp",   -2.5250264529887447, 0, 0.08005619503308406 },
  { "log",   0.38842579630795182, 0, -0.94565312791168477 },
  { "log",   0.3886393357266078, 0, -0.9451035229552196 },
  { "log10", 0.29697159081177682, 0, -0.52728509460132156 },
  { "log10", 0.35906121307923966, 0, -0.44483150619513395 },
  { "pow",   0.60530110462329789, -0.62881075450538138, 1.3711933131524467 },
  { "pow",   1.6045373536532621, -0.040066898981760524, 0.98123327885790312 },
  { "sin",   -0.49959333747769996, 0, -0.47906861903353809 },
  { "sin",   -0.93935731105402098, 0, -0.80717888340649047 },
  { "sinh",  -0.013097664000344622, 0, -0.01309803848498535 },
  { "sinh",  -0.47670088623262163, 0, -0.49496168711687588 },
  { "tan",   -0.83148504376322308, 0, -1.0966987782028224 },
  { "tan",   -0.85246943426101573, 0, -1.1440180369947406 },
  { "tanh",  -0.00523906560013776, 0, -0.0052390176670411596 },
  { "tanh",  -0.19068035449304865, 0, -0.18840249486055774 },
}
]]

local functions = [[
local functions = {
  sin = function(x) return math.sin(x) end, cos = function(x) return math.cos(x) end, tan = function(x) return math.tan(x) end,
  asin = function(x) return math.asin(x) end, acos = function(x) return math.acos(x) end, atan = function(x) return math.atan(x) end,
  exp = function(x) return math.exp(x) end, log = function(x) return math.log(x) end,
  pow = function(x, y) return x ^ y end, square = function(x) return x ^ 2 end, inverse = function(x) return x ^ -1 end,
  root = function(x) return x ^ 0.5 end, cube = function(x) return x ^ 3 end, ten = function(x) return 10 ^ x end,
  two = function(x) return 2 ^ x end, remainder = function(x, y) return math.fmod(x, y) end, modulo = function(x, y) return x % y end,
  log2 = function(x) return math.log(x, 2) end,
}
if math.atan2 then
  functions.atan2 = function(x, y) return math.atan2(x, y) end
  functions.sinh = function(x) return math.sinh(x) end
  functions.cosh = function(x) return math.cosh(x) end
  functions.tanh = function(x) return math.tanh(x) end
  functions.log10 = function(x) return math.log10(x) end
  functions.power = function(x, y) return math.pow(x, y) end
else
  functions.atan2 = function(x, y) return math.atan(x, y) end
  functions.log10 = function(x) return math.log(x, 10) end
end
]]

describe("mathematics of scripts", function()
  setup(function() shell.open() end)
  teardown(function() shell.close() end)

  it("is the engine's, by every name", function()
    shell.write("names.lua", told_apart .. functions .. [[
for _, one in ipairs(told_apart) do
  local name, x, y, value = one[1], one[2], one[3], one[4]
  if functions[name] then
    local f = functions[name]
    for k = 1, 300 do if f(x, y) ~= value then print(name, string.format("%.17g", f(x, y)), k) break end end
  end
end
print "asked"]])
    for _, by in ipairs(programs()) do
      assert.are.same({ "asked\n", 0 }, { floc("run --quiet names.lua", nil, by) })
      assert.are.same({ "asked\n", 0 }, { floc("run --quiet names.lua", without_fma, by) })
    end
  end)

  it("has the same bits in the interpreter and in traces", function()
    shell.write("traces.lua", functions .. [[
local count = 1000000
local function fill(f, values)
  local n = 12345
  for k = 1, count do
    n = n * 16807 % 2147483647
    local x = n / 2147483647 * (k % 3 == 0 and 1 or 20)
    n = n * 16807 % 2147483647
    values[k] = f(x, 6 * n / 2147483647 - 3)
  end
end
for name, f in pairs(functions) do
  local traced, plain = {}, {}
  if jit then jit.on(fill) jit.on(f) end
  fill(f, traced)
  if jit then jit.off(fill) jit.off(f) jit.flush() end
  fill(f, plain)
  local differ = 0
  for k = 1, count do if traced[k] ~= plain[k] and (traced[k] == traced[k] or plain[k] == plain[k]) then differ = differ + 1 end end
  if differ > 0 then print(name, differ) end
end
print "compared"]])
    assert.are.same({ "compared\n", 0 }, { floc "run --quiet traces.lua" })
  end)

  it("has the same bits in every program and on every processor", function()
    shell.write("text.lua", functions .. [[
local names = {}
for name in pairs(functions) do -- x % y is a - floor(a/b) b in LuaJIT and exact in Lua 5.4, by their own definitions
  if not name:find "h$" and name ~= "power" and name ~= "log2" and name ~= "log10" and name ~= "modulo" then names[#names + 1] = name end
end
table.sort(names)
for _, name in ipairs(names) do
  local f, n = functions[name], 777
  for k = 1, 300 do
    n = n * 16807 % 2147483647
    local x = n / 2147483647 * (k % 2 == 0 and 1 or 9)
    io.write(string.format("%.17g\n", f(x, (n % 1000) / 100 + 0.3)))
  end
end]])
    local first = floc "run --quiet text.lua"
    assert.is_true(#first > 40000)
    for _, by in ipairs(programs()) do
      assert.are.equal(first, (floc("run --quiet text.lua", nil, by)))
      assert.are.equal(first, (floc("run --quiet text.lua", without_fma, by)))
    end
  end)
end)

local scenario = [[
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01 }
sim:add_field { law = function(x, y) return math.sin(x) - x, math.exp(-y) - y end }
sim:add_particles { count = 10, region = floc.box { lower = { 0, 0 }, upper = { 2, 2 } }, radius = 0.05 }
sim:every(3, function(sim) sim.vx[1] = math.tanh and sim.vx[1] + 0.01 * math.cos(sim.x[1]) ^ 1.5 or sim.vx[1] end)
sim:checkpoint { path = "run.floc", every = 50 }
sim:run { steps = 150 }
]]

-- A callback so busy that it is compiled. The file `interpret`, which it takes away, turns the compiler off.
local busy = [[
local floc = require "floc"
local args = floc.args { steps = 100 }
local sim = floc.simulation { time_step = 0.01 }
sim:add_particles { count = 10, region = floc.box { lower = { 0, 0 }, upper = { 2, 2 } }, radius = 0.05 }
sim:every(1, function(sim)
  if os.rename("interpret", "interpreted") then jit.off() jit.flush() print "interpreted" end
  local sum = 0
  for k = 1, 300 do
    local x = sim.x[k % 10 + 1] + 0.01 * k
    sum = sum + math.sin(x) * math.exp(-x) + math.log(1 + x * x) - math.cos(x) ^ 2 + math.atan2(x, 2) + math.tanh(x)
    sum = sum + (1 + x * x) ^ 0.37 + x ^ 2 + (2 + math.abs(x)) ^ -1 + math.sinh(0.1 * x) * math.log10(3 + x * x) + 1.5 ^ x + math.fmod(x, 0.3)
  end
  sim.vx[1] = 1e-3 * sum
  sim.vy[sim.step % 10 + 1] = math.cos(sum)
end)
sim:checkpoint { path = "busy.floc", every = 40 }
sim:run { steps = args.steps }
if jit.status() and not (jit.util or require "jit.util").traceinfo(1) then print "nothing was compiled" end
]]

describe("a run whose rest is interpreted", function()
  setup(function() shell.open() end)
  teardown(function() shell.close() end)

  it("comes to the same state as one that is compiled", function()
    if floc "--version":find "Lua 5.4" then return pending "this program has no compiler" end
    shell.write("busy.lua", busy)
    local whole, status = floc "run --quiet --hash busy.lua"
    assert.are.equal(0, status, whole)
    assert.matches("^simulation 1: step 100, hash %x+\n$", whole)
    assert.are.same({ "", 0 }, { shell.run "rm -f busy.floc; touch interpret" })
    assert.are.same({ "interpreted\n" .. whole, 0 }, { floc "run --quiet --hash busy.lua" })
    shell.run "rm -f busy.floc"
    assert.are.equal(0, (select(2, floc "run --quiet busy.lua --steps=40")))
    shell.run "touch interpret"
    assert.are.same({ "interpreted\n" .. whole, 0 }, { floc "resume --quiet --hash busy.floc --steps=60" })
  end)
end)

-- luajit with the module: its math.* and ^ stay the C library's.
local function module_in_luajit(arguments)
  local modules = program:match "^(.*)/[^/]*$" .. "/lua/5.1/?.so"
  return shell.run("LUA_CPATH='" .. modules .. "' luajit " .. arguments)
end

describe("the module in another host", function()
  setup(function()
    shell.open()
    shell.write("s.lua", scenario)
    shell.write("whose.lua", 'print((require "floc").mathematics)')
  end)
  teardown(function() shell.close() end)

  it("says that callbacks take the host's functions, the program that they take the engine's", function()
    for _, by in ipairs(programs()) do assert.are.same({ "engine\n", 0 }, { floc("run --quiet whose.lua", nil, by) }) end
    if os.getenv "FLOC_SANITIZED" then return end -- luajit does not load a module that has a sanitizer in it
    assert.are.same({ "host\n", 0 }, { module_in_luajit "whose.lua" })
  end)

  it("writes that into checkpoints, and a resume elsewhere says so", function()
    if os.getenv "FLOC_SANITIZED" then return pending "luajit does not load a module that has a sanitizer in it" end
    assert.are.equal(0, (select(2, floc "run --quiet s.lua")))
    assert.is_nil((floc "info run.floc"):find "a host's C library")
    assert.is_nil((floc "resume --quiet run.floc"):find "C library")
    assert.are.equal(0, (select(2, module_in_luajit "s.lua")))
    assert.matches("\n +math%.%* and %^ of its callbacks were those of a host's C library", (floc "info run.floc"))
    local text, status = floc "resume --quiet --trust run.floc"
    assert.are.equal(0, status, text)
    assert.matches("run.floc: its callbacks took math%.%* and %^ from the C library of another host, and take the engine's here", text)
  end)
end)

describe("the version of the mathematics", function()
  setup(function()
    shell.open()
    shell.write("s.lua", scenario)
    local text, status = floc "run --quiet s.lua"
    assert(status == 0, text)
  end)
  teardown(function() shell.close() end)

  it("is the same with and without fused multiply-add, and nothing is said", function()
    local _, _, version = (floc "info run.floc"):find "\nmathematics (%x+), as here\n"
    assert.is_string(version)
    for _, environment in ipairs { "", without_fma } do
      assert.are.same({ "", 0 }, { floc("resume --quiet run.floc", environment) })
      assert.matches("\nmathematics " .. version .. ", as here\n", (floc("info run.floc", environment)))
    end
  end)

  it("and the end of a run are the same without fused multiply-add", function()
    local hash = floc "info --hash run.floc"
    assert(os.remove "run.floc" or true)
    assert.are.same({ "", 0 }, { floc("run --quiet s.lua", without_fma) })
    assert.are.equal(hash, (floc "info --hash run.floc"))
  end)

  it("of another one is warned of, whatever is quiet", function()
    local text, status = floc("info '" .. source .. "/tests/golden/format-1.floc'")
    assert.are.equal(0, status)
    assert.matches("\nmathematics not stored", text)
  end)
end)
