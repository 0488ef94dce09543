-- The time, a variable of the environment as a seed, a file of data, a file of code.
local floc = require "floc"
local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, domain = floc.box { lower = { 0, 0 }, upper = { 1, 3 } },
  boundary = { "periodic", "wall" } }
sim:add_particles { count = 12, radius = { 0.03, 0.05 }, mass = 1, region = floc.box { lower = { 0, 0.1 }, upper = { 1, 1.5 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 13, keep = 2 }
local began, seen = os.time(), nil
local seed = tonumber(os.getenv "SEED" or "1")
math.randomseed(seed)
local total = 0
for line in io.lines "numbers.txt" do total = total + tonumber(line) end
local file = io.open("numbers.txt", "r")
local first = tonumber(file:read "*l" or file:read "l")
file:close()
local settings = dofile "settings.lua"
sim:every(5, function(s) TICK() seen = seen or began s.vx[1] = seed * settings.kick * math.random() end)
sim:run { steps = 70 }
sim:run { steps = 20 }
floc.report { claim = "read", value = total + first + settings.kick }
floc.report { claim = "the time of the beginning", value = seen - began, expect = { equal = 0 } }
