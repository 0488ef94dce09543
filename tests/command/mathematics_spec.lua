-- A checkpoint that continues where mathematical functions round otherwise. glibc's tunable takes the fused multiply-add
-- away, as an older processor would.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")
local source = assert(shell.source, "FLOC_SOURCE is not set")

local scenario = [[
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01 }
sim:add_field { law = function(x, y) return math.sin(x) - x, math.exp(-y) - y end }
sim:add_particles { count = 10, region = floc.box { lower = { 0, 0 }, upper = { 2, 2 } }, radius = 0.05 }
sim:checkpoint { path = "run.floc", every = 50 }
sim:run { steps = 150 }
]]

local without_fma = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"

local function floc(arguments, environment)
  return shell.run((environment or "") .. " '" .. program .. "' " .. arguments)
end

local function processor_has_fma()
  local file = io.open "/proc/cpuinfo"
  local text = file and file:read "*a" or ""
  if file then file:close() end
  return text:find " fma " and text:find " avx2 "
end

describe("the fingerprint of the mathematics library", function()
  local folder
  setup(function()
    folder = shell.open()
    shell.write("s.lua", scenario)
    local text, status = floc "run --quiet s.lua"
    assert(status == 0, text)
  end)
  teardown(function() shell.close() end)

  it("is the same on the same machine, and nothing is said", function()
    local text, status = floc "resume --quiet run.floc"
    assert.are.equal("", text)
    assert.are.equal(0, status)
    text = floc "info run.floc"
    assert.matches("\nmathematics %x+, as here\n", text)
  end)

  it("of another rounding is warned of, whatever is quiet", function()
    if not processor_has_fma() then return end
    local before = floc("info run.floc", without_fma)
    assert.matches("\nmathematics %x+, here %x+: results may differ in the last bits\n", before)
    local text, status = floc("resume --quiet run.floc", without_fma)
    assert.are.equal(0, status)
    local _, lines = text:gsub("\n", "")
    assert.are.equal(1, lines)
    assert.matches("^floc: warning: .*run%.floc: the mathematical functions of the C library round differently where it was written", text)
    assert.matches("may differ in the last bits", text)
  end)

  it("is missing in older files, which are read", function()
    local text, status = floc("info '" .. source .. "/tests/golden/format-1.floc'")
    assert.are.equal(0, status)
    assert.matches("\nmathematics not stored", text)
  end)

  it("is no part of the state: files of both roundings compare as equal", function()
    if not processor_has_fma() then return end
    assert(os.execute("mkdir '" .. folder .. "/other'"))
    shell.write("short.lua", (scenario:gsub("steps = 150", "steps = 0"):gsub('sim:checkpoint.-\n', 'sim:checkpoint "short.floc"\n')))
    assert.are.equal(0, select(2, floc "run --quiet short.lua"))
    assert.are.equal(0, select(2, floc("run --quiet ../short.lua", "cd other &&" .. without_fma)))
    local text, status = floc "diff short.floc other/short.floc"
    assert.are.equal(0, status)
    assert.matches("the states are equal", text)
  end)
end)
