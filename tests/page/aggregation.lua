-- Ballistic aggregation in three dimensions, for a picture of the page: colours are clusters.
local floc = require "floc"
local args = floc.args { count = 1500, steps = 240 }
local sim = floc.ballistic_start { count = args.count, volume_fraction = 0.04, dimension = 3, seed = 3, scheme = floc.ballistic {} }
sim:add_attribute("cluster", 0)
sim:add_attribute("cluster_size", 1)
local function mark(sim)
  local found = sim:clusters { by = "link" }
  local sizes = {}
  for _, number in ipairs(found.of) do sizes[number] = (sizes[number] or 0) + 1 end
  for id, number in ipairs(found.of) do sim.cluster[id], sim.cluster_size[id] = number, sizes[number] end
end
sim:every(4, mark)
sim:write_vtp { path = floc.out .. "/aggregation", every = 4 }
sim:observe { path = floc.out .. "/clusters.tsv", every = 4, columns = { "time", { "clusters", function(sim) return sim:ballistic_report().clusters end },
  "kinetic_energy" } }
sim:run { steps = args.steps }
