-- What it costs to read contacts and a law's pairs as columns from Lua: processor time per contact. See run.sh.
local floc = require "floc"
local args = floc.args { side = 24, times = 7 }

local seed = 1
local function noise()
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647 - 0.5
end

-- Balls on a cubic lattice, 2.9 contacts each, that move at random.
local function lattice(scheme, radius)
  local sim = floc.simulation { dimension = 3, time_step = 1e-4, threads = 1, scheme = scheme }
  local side = args.side
  for k = 0, side ^ 3 - 1 do
    sim:add_particle { radius = radius, mass = 1, allow_overlap = true, velocity = { noise(), noise(), noise() },
      position = { k % side, math.floor(k / side) % side, math.floor(k / side ^ 2) } }
  end
  return sim
end

-- Median over rounds of calls (some clocks tick every 4 ms) that fill the lists of the call before, as a script that reads step by step does.
local function measure(what, read)
  local into = read()
  local count, times = into.count, {}
  read(into)
  collectgarbage()
  for n = 1, args.times do
    local start = os.clock()
    for _ = 1, 40 do read(into) end
    times[n] = (os.clock() - start) / 40
  end
  table.sort(times)
  print(("%s\t%.2f\t%d"):format(what, times[math.ceil(args.times / 2)] / count * 1e9, count))
end

local function contacts(what, scheme, radius)
  local sim = lattice(scheme, radius)
  sim:run { steps = 2 }
  sim:every(1, function()
    measure(what .. ": impulse", function(into) return sim:contact_columns("impulse", into) end)
    measure(what .. ": all 17 columns", function(into) return sim:contact_columns(nil, into) end)
  end)
  sim:run { steps = 1 }
end

contacts("projection", floc.inelastic {}, 0.5)
contacts("Hooke, friction", floc.discrete_element { contact_force = "hooke", stiffness = 1e4, damping = 1, rotation = true,
  friction = "spring", friction_stiffness = 5e3, friction_static = 0.3, friction_dynamic = 0.3, integrator = "velocity_verlet" }, 0.501)
contacts("Hertz, friction", floc.discrete_element { contact_force = "hertz", young_modulus = 1e6, damping = 1, rotation = true,
  friction = "spring", friction_stiffness = 5e3, friction_static = 0.3, friction_dynamic = 0.3, integrator = "velocity_verlet" }, 0.501)

local sim = lattice(floc.discrete_element { contact_force = "none", integrator = "velocity_verlet" }, 0.501)
local law = sim:add_force { memory = { "age" }, returns = { "normal", "energy", "age" }, law = function(overlap, normal_velocity, age, time_step)
  return 100 * overlap - normal_velocity, 50 * overlap ^ 2, age + time_step
end }
sim:run { steps = 2 }
sim:every(1, function()
  for _, name in ipairs { "normal", "energy", "age" } do
    measure("law_pairs: " .. name, function(into) return sim:law_pairs(law, name, into) end)
  end
  measure("law_pairs: all 6 columns", function(into) return sim:law_pairs(law, nil, into) end)
end)
sim:run { steps = 1 }
