-- What a pair costs by the way that its law takes: laws that cannot be traced, in a loop in worker states and one
-- call of Lua for each pair. CPU time of steps with the law less that of steps without it, over the pairs in range, least of
-- several rounds that are taken in turn.
--
--   floc run benchmarks/law_ways_benchmark.lua --quiet
local floc = require "floc"
local args = floc.args { particles = 20000, steps = 20, rounds = 5 }

local values = {}
for k = 0, 200 do values[k] = math.exp(-k / 40) end

local laws = {
  { "table of 201 numbers", function(distance)
    local place = distance * 100
    local k = math.min(math.max(math.floor(place), 0), 199)
    return values[k] + (place - k) * (values[k + 1] - values[k])
  end },
  { "loop that ends by value", function(distance, radius_i, radius_j)
    local x, target = 1.0, distance / (radius_i + radius_j)
    for _ = 1, 200 do
      local change = (x * x * x - target) / (3 * x * x)
      x = x - change
      if math.abs(change) < 1e-12 then break end
    end
    return 100 * (1 - x)
  end },
  { "protected call", function(distance)
    local ok, root = pcall(math.sqrt, distance)
    return ok and root or 0
  end },
  { "tables of its own", function(distance, charge_i, charge_j)
    local parts, sum = { distance, charge_i, charge_j }, 0
    for k = 1, 3 + charge_i do sum = sum + (parts[k] or 0) end
    return sum
  end },
}

local function new_simulation(law, way)
  local sim = floc.simulation { dimension = 2, time_step = 1e-6, seed = 3, scheme = floc.discrete_element { contact = "none" } }
  local side = math.sqrt(args.particles)
  sim:add_attribute("charge", 0)
  sim:add_particles { count = args.particles, radius = 0.4, mass = 1, region = floc.box { lower = { 0, 0 }, upper = { side, side } } }
  local handle = sim:add_force { range = 1, law = law, way = way }
  sim:run { steps = 5 }
  return sim, handle.way
end

local function seconds(sim)
  local begin = os.clock()
  sim:run { steps = args.steps }
  return os.clock() - begin
end

-- Pairs in range, as the law itself counts them.
local function count_pairs()
  local pairs_in_range = 0
  local sim = new_simulation(function(distance)
    pairs_in_range = pairs_in_range + 1
    return 0 * distance
  end, "called")
  pairs_in_range = 0
  sim:run { steps = 1 }
  return pairs_in_range
end

local in_range = count_pairs()
print(string.format("%d particles, %d pairs in range; nanoseconds of CPU per pair", args.particles, in_range))
for _, law in ipairs(laws) do
  local nothing = new_simulation(function() return 0 end, "traced")
  local best, way = new_simulation(law[2], "auto")
  local sims, least = { best, (new_simulation(law[2], "called")), nothing }, { math.huge, math.huge, math.huge }
  for _ = 1, args.rounds do
    for k, sim in ipairs(sims) do least[k] = math.min(least[k], seconds(sim)) end
  end
  local per_pair = 1e9 / (in_range * args.steps)
  print(string.format("%-26s %-8s %7.1f   called %7.1f", law[1], way, (least[1] - least[3]) * per_pair,
    (least[2] - least[3]) * per_pair))
end
