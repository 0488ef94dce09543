-- Memory of a long stream: discs come above, fall freely and leave below, `total` of them, with `present` at a time. Each row is
-- the number that came, that are present, that left, the memory of the process (VmRSS, kB), that of Lua (kB) and CPU seconds.
-- The claim is about the rows from a tenth on: nothing may be kept for each grain that passed.
--
--   build/floc run benchmarks/granular/stream.lua
local floc = require "floc"
local args = floc.args { rate = { 1e5, above = 0, text = "per unit of time" }, present = { 20000, above = 0 }, total = { 1e6, above = 0 } }
local speed, time_step = 10, 1e-3
local width, height = 0.2 * args.rate * time_step, speed * args.present / args.rate
local sim = floc.simulation { time_step = time_step, scheme = floc.discrete_element { contact = "hooke", stiffness = 1e4 } }
local inlet = sim:add_inlet { region = floc.box { lower = { 0, height - 0.25 }, upper = { width, height } }, rate = args.rate,
  radius = { 0.01, 0.02 }, density = 1, velocity = { 0, -speed } }
local outlet = sim:add_outlet { region = floc.box { lower = { -1, -5 }, upper = { width + 1, 0 } } }

local function resident()
  for line in io.lines "/proc/self/status" do
    local kilobytes = line:match "VmRSS:%s+(%d+)"
    if kilobytes then return tonumber(kilobytes) end
  end
end
local first, last = nil, 0
print "came\tpresent\tleft\tRSS (kB)\tLua (kB)\tCPU (s)"
for part = 1, 10 do
  sim:run { until_time = part / 10 * args.total / args.rate }
  collectgarbage()
  last = resident()
  first = first or last
  print(("%d\t%d\t%d\t%d\t%d\t%.1f"):format(inlet.count, sim.count, outlet.count, last, collectgarbage "count", os.clock()))
end
floc.report { claim = "memory at the end, over that after a tenth", value = last / first, expect = { at_most = 1.01 } }
floc.report { claim = "grains that came less those that left and those present", value = inlet.count - outlet.count - sim.count, expect = { equal = 0 } }
