-- A host with a locale: writes every kind of file that has numbers in it into the present folder, which is empty; or,
-- with the name of a checkpoint as its argument, opens that. The environment has FLOC_CPATH and FLOC_LOCALE. The last
-- line tells the hash and the numbers that the checkpoint has to restore.

package.cpath = os.getenv "FLOC_CPATH"
local locale = os.getenv "FLOC_LOCALE"
assert(os.setlocale(locale), "there is no locale " .. locale)
if not rawget(_G, "jit") then assert((string.format("%.1f", 0.5) == "0,5") == (locale ~= "C"), "the locale has no decimal commas") end

local floc = require "floc"

local function shown(value) return (string.format("%.17g", value):gsub(",", ".")) end

local function tell(sim)
  print(string.format("%s %s %s %s %s", sim:hash(), shown(sim.state.third), shown(sim.state.list[1.5]), shown(sim.state.list[2]), sim.state.text))
end

local opened = ...
if opened then
  tell(floc.resume(opened))
  return
end

local sim = floc.simulation { time_step = 0.0125, seed = 3, gravity = { 0, -0.75 },
  domain = floc.box { lower = { 0, 0 }, upper = { 2.5, 1.5 } }, boundary = "wall" }
local pull, calls = 0.25, 0
local force = sim:add_field { law = function(x, y) return 0.125 * math.sin(1.5 * x), pull * y end }
sim:add_field { law = function(x) -- cannot be traced: it counts its calls
  calls = calls + 1
  return 0.0625 * x, 0
end }
sim:add_particles { count = 12, region = floc.box { lower = { 0.1, 0.1 }, upper = { 2.4, 1.4 } }, radius = { 0.04, 0.06 } }
sim:observe { path = "table.txt", every = 2, columns = { "kinetic_energy", "center_x", { "half", function() return 0.5 end } } }
sim:write_vtp { path = "frames", every = 4 }
sim:write_xyz { path = "frames.xyz", every = 4 }
sim.state = { third = 1 / 3, list = { [1.5] = 2.75, [2] = -0.0625 }, text = "1,5" }
sim:checkpoint { path = "run.floc", every = 8 }
sim:run { steps = 8 }
sim:picture { path = "picture.svg", colour = "speed" }
floc.plot { path = "plot.svg", series = { { name = "curve", x = { 0.25, 0.5, 0.75 }, y = { 0.1, 0.25, 0.2 } } } }
local function write(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text, "\n")
  file:close()
end
write("explained.txt", sim:explain(force))
write("result.json", require("floc.output.json").encode { half = 0.5, third = 1 / 3, list = { 1.5, -2e-300 } })
tell(sim)
