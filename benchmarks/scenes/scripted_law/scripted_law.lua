-- The packing with an elastic contact force alone, by a law in Lua or by the engine's own spring.
--   floc run scripted_law.lua --state=FILE --law=lua|own [--steps=1000]
local floc = require "floc"
local args = floc.args { state = "packing.state", law = "lua", steps = 1000, warmup = 20, ending = "" }

local stiffness = 2e5
local laws_of = {
  lua = floc.discrete_element { contact = "none", integrator = "velocity_verlet" },
  own = floc.discrete_element { contact = "hooke", stiffness = stiffness, integrator = "velocity_verlet" },
}
local lines = io.lines(args.state)
local header = {}
for _ = 1, 6 do
  local name, rest = lines():match "(%S+) (.*)"
  local numbers = {}
  for number in rest:gmatch "%S+" do numbers[#numbers + 1] = tonumber(number) end
  header[name] = numbers
end
local sim = floc.simulation {
  dimension = 3, time_step = 1e-4, scheme = laws_of[args.law] or error("law is lua or own", 0), boundary = "periodic",
  domain = floc.box { lower = header.lower, upper = header.upper }, threads = 1,
}
for line in lines do
  local v = {}
  for number in line:gmatch "%S+" do v[#v + 1] = tonumber(number) end
  sim:add_particle { position = { v[1], v[2], v[3] }, velocity = { v[4], v[5], v[6] }, radius = v[7], mass = v[8] }
end
if args.law == "lua" then
  sim:add_force { range = 0, law = function(distance, radius_i, radius_j)
    local overlap = radius_i + radius_j - distance
    return overlap > 0 and stiffness * overlap or 0
  end }
end
sim:run { steps = args.warmup }
local start = os.clock()
sim:run { steps = args.steps }
print(("cpu_seconds %.6f"):format(os.clock() - start))
print(("kinetic_energy %.8g"):format(sim:measure "kinetic_energy"))
