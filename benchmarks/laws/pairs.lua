-- What it costs to read a law's pairs and the contacts as columns: CPU time per pair, and that of sim:contacts().
--
--   floc run benchmarks/laws/pairs.lua --quiet --threads=1
--
-- Balls on a cubic lattice, 2.9 pairs each, with a law that remembers one number.
local floc = require "floc"
local args = floc.args { side = 20, times = 20 }
local sim = floc.simulation { dimension = 3, time_step = 1e-3, scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
for k = 0, args.side ^ 3 - 1 do
  sim:add_particle { radius = 0.51, mass = 1, allow_overlap = true,
    position = { k % args.side, math.floor(k / args.side) % args.side, math.floor(k / args.side ^ 2) } }
end
local law = sim:add_force { memory = { "age" }, returns = { "normal", "energy", "age" }, law = function(overlap, normal_velocity, age, time_step)
  return 100 * overlap - normal_velocity, 50 * overlap ^ 2, age + time_step
end }
sim:run { steps = 5 }

local function measure(what, read)
  local count = read() -- compiles, and makes the memory
  collectgarbage()
  local start = os.clock()
  for _ = 1, args.times do read() end
  print(("%-44s %6.1f ns per pair"):format(what, (os.clock() - start) / args.times / count * 1e9))
end

sim:every(1, function()
  print(("%d pairs"):format(sim:law_pairs(law, "age").count))
  measure("law_pairs: memory", function() return sim:law_pairs(law, "age").count end)
  measure("law_pairs: normal, energy, memory", function() return sim:law_pairs(law, { "normal", "energy", "age" }).count end)
  measure("law_pairs: ids, distance and these", function() return sim:law_pairs(law).count end)
  local into = sim:law_pairs(law)
  measure("law_pairs: the same, into the lists of before", function() return sim:law_pairs(law, nil, into).count end)
  measure("law_pairs: memory, likewise", function() return sim:law_pairs(law, "age", into).count end)
  measure("law_pairs: normal, likewise", function() return sim:law_pairs(law, "normal", into).count end)
  measure("contact_columns: impulse", function() return sim:contact_columns("impulse").count end)
  measure("contact_columns: all", function() return sim:contact_columns().count end)
  measure("contacts", function() return #sim:contacts() end)
end)
sim:run { steps = 1 }
