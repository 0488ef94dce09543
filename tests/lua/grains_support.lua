-- What the specs of grains that are not round have in common, in space.

local grains = {}

-- Beginning of a script: simulation `sim` with more of its options, and those of floc.inelastic.
function grains.start(more, scheme)
  return string.format([[local floc = require "floc"
  local sim = floc.simulation { dimension = 3, time_step = 2e-3, scheme = floc.inelastic { %s }, %s }
  ]], scheme or "", more or "")
end

grains.box = 'gravity = { 0, 0, -10 }, seed = 5, boundary = "wall", domain = floc.box { lower = { 0, 0, -1 }, upper = { 3, 3, 5 } }'

-- One of each kind, in that box.
grains.bodies = [[
  sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }
  sim:add_body { shape = floc.sphere { radius = 0.4 }, position = { 1.5, 1.5, 0.5 }, angular_velocity = { 0, 0, 1 } }
  sim:add_body { shape = floc.capsule { { 0, 0.6, 0.8 }, { 3, 0.6, 0.8 }, radius = 0.1 } }
  sim:add_body { shape = floc.triangle { { 0, 2, 0.2 }, { 3, 2, 0.2 }, { 1.5, 3, 1 } } }
]]

-- Runs until a time and some steps more. Returns of these the greatest overlap, the number of unsolved steps, and the most by
-- which weight, bodies' forces and the change of momentum miss each other, over the weight.
function grains.fall(until_time, steps)
  return string.format([[
    local weight, greatest, unbalanced = 10 * sim:sum(function(mass) return mass end), 0, 0
    local function momentum() return sim:sum(function(mass, vz) return mass * vz end) end
    sim:run { until_time = %g }
    for _ = 1, %d do
      local before, load = momentum(), 0
      sim:run { steps = 1 }
      for _, body in ipairs(sim.bodies) do load = load + body.force[3] end
      greatest = math.max(greatest, sim:check_overlap())
      unbalanced = math.max(unbalanced, math.abs((momentum() - before) / 2e-3 + weight + load))
    end
    return greatest, sim:report().unconverged_steps, unbalanced / weight ]], until_time, steps)
end

-- momenta(): momentum, and angular momentum about 0, of all, where spin_momentum(id) is that of one about its centre.
grains.momenta = [[
  local function momenta()
    local sum = { 0, 0, 0, 0, 0, 0 }
    for _, id in ipairs(sim:ids()) do
      local x, v, l = { sim.x[id], sim.y[id], sim.z[id] }, { sim.vx[id], sim.vy[id], sim.vz[id] }, spin_momentum(id)
      for k = 1, 3 do
        local b, c = k % 3 + 1, (k + 1) % 3 + 1
        sum[k] = sum[k] + sim.mass[id] * v[k]
        sum[3 + k] = sum[3 + k] + sim.mass[id] * (x[b] * v[c] - x[c] * v[b]) + l[k]
      end
    end
    return sum
  end
]]

return grains
