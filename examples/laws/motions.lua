-- What the laws that turn, heat and align do: small runs beside their closed forms.
--
--   floc run examples/laws/motions.lua
--
-- What to take from here: how laws with torques, exchanges and sums are set up and tested.
local floc = require "floc"
if arg then package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path end -- plain Lua; floc run knows this folder

local function soft(dimension, time_step, gravity)
  return floc.simulation {
    dimension = dimension, time_step = time_step, gravity = gravity,
    scheme = floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" },
  }
end

-- ---- a disc rolls on a plane, with resistance of three types ----

local g, r, m, k, mu = 9.81, 0.1, 2, 1e6, 0.1
local rolls, farthest = {}, {}
for _, type in ipairs { "A", "B", "C" } do
  local sim = soft(2, 1e-4, { 0, -g })
  sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
  sim:add_particle { position = { 0, r - m * g / k }, radius = r, mass = m, velocity = { 1, 0 }, allow_overlap = true }
  sim.wz[1] = -1 / r
  sim:add_wall_force(require("rolling").walls {
    stiffness = k, restitution = 0.5, friction = 0.6, type = type, rolling = mu, rolling_stiffness = 1e3, speed = 0.5 })
  local t, v = {}, {}
  sim:every(100, function() t[#t + 1], v[#v + 1] = sim.time, sim.vx[1] end)
  sim:run { until_time = 2 }
  rolls[#rolls + 1] = { name = "type " .. type, x = t, y = v, dash = type == "C" and "dashed" or "solid" }
  farthest[type] = sim.x[1]
end

-- ---- heat along a chain, one end hot ----

local profiles, spheres = {}, 40
local sim = soft(3, 1)
sim:add_attribute("heat", 0)
for n = 1, spheres do sim:add_particle { position = { n * 0.9999, 0, 0 }, radius = 0.5, mass = 1, allow_overlap = true } end
for n = 1, spheres / 2 do sim.heat[n] = 1 end
sim:add_force(require("heat").pairs { conductivity = 5, capacity = 1 })
for _, steps in ipairs { 0, 100, 900, 3000 } do
  if steps > 0 then sim:run { steps = steps } end
  local x, y = {}, {}
  for n = 1, spheres do x[n], y[n] = n, sim.heat[n] end
  profiles[#profiles + 1] = { name = ("t = %d"):format(sim.time), x = x, y = y, style = "line markers" }
end
local heat = sim:sum(function(heat) return heat end)

-- ---- a beam of 20 bonded spheres, held on the left, loaded on the right ----

local beads, E, b, F = 20, 1e6, 0.4, 0.5
sim = soft(2, 1e-3)
for n = 1, beads do sim:add_particle { position = { n - 1, 0 }, radius = 0.5, mass = n == 1 and 1e15 or 1, allow_overlap = true } end
sim:add_force(require("bonded").pairs { dimension = 2, young_modulus = E, bond_radius = b, gap = 1e-6, damping = 0.1 })
sim:add_field { name = "load and damping", law = function(id, vx, vy)
  if id > beads - 0.5 then return -2.4 * vx, -2.4 * vy + F end
  return -2.4 * vx, -2.4 * vy
end }
sim:run { until_time = 10 }
local at, bent, beam = {}, {}, {}
local length, stiffness = beads - 1, E * math.pi * b ^ 4 / 4
for n = 1, beads do
  at[n], bent[n] = sim.x[n], sim.y[n]
  beam[n] = F * (n - 1) ^ 2 * (3 * length - (n - 1)) / (6 * stiffness)
end

-- ---- FENE and WCA ----

local beads_of, springs = require("fene").beads {}.law, require("fene").bonds {}
local apart, u, repulsion = {}, {}, {}
for n = 0, 300 do
  local distance = 0.85 + 0.6 * n / 300
  apart[#apart + 1] = distance
  repulsion[#repulsion + 1] = select(2, beads_of(distance))
  u[#u + 1] = repulsion[#repulsion] + select(2, springs.law(distance, springs.attributes.strength, springs.attributes.longest))
end

-- ---- two dipoles turn and meet ----

sim = soft(2, 1e-3)
sim:add_attribute("dipole", 0.5)
sim:add_force(require("dipoles").pairs { cutoff = 5 })
for n = 0, 1 do sim:add_particle { position = { 1.5 * n, 0 }, radius = 0.2, mass = 1 } end
sim.angle[1] = math.pi / 2
local times, angles = {}, { {}, {} }
sim:every(10, function()
  times[#times + 1] = sim.time
  for n = 1, 2 do angles[n][#times] = math.deg(sim.angle[n]) end
end)
sim:run { steps = 1 }
local torque = sim.tz[1]
sim:run { until_time = 0.4 }

-- ---- a grain that yields, between two walls and between six ----

-- Forces against the way of each wall, in radii; what the grain has of its volume at the end, and would have if it did not grow.
local function squeeze(axes, way, steps) -- steps: a multiple of 100
  local grain = soft(3, 1e-3)
  for axis = 1, axes do
    for side = -1, 1, 2 do
      local point, normal, velocity = { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }
      point[axis], normal[axis], velocity[axis] = side, -side, -side * way / (steps * 1e-3)
      grain:add_body { position = point, shape = floc.plane { normal = normal }, velocity = velocity }
    end
  end
  grain:add_particle { position = { 0, 0, 0 }, radius = 1, mass = 1e9 }
  local _, law = require("mdr_grains").add(grain, { young_modulus = 1e9, yield_stress = 2e7, greatest_radius = 1, greatest_growth = 0.5, walls = true })
  local ways, forces = {}, {}
  grain:every(steps / 100, function() ways[#ways + 1], forces[#forces + 1] = way * grain.step / steps, grain:law_pairs(law).normal[1] / 1e6 end)
  grain:run { steps = steps }
  local function left(R) return R ^ 3 - axes / 2 * (R - 1 + way) ^ 2 * (2 * R + 1 - way) end -- segments cut off, over 4 pi/3
  return { x = ways, y = forces }, left(1 + grain.grown[1]), left(1)
end
local two, volume, without = squeeze(1, 0.3, 3000)
local six = squeeze(3, 0.23, 2300)
local part_one, memory = { x = two.x, y = {} }, { 0, 0 }
for n, overlap in ipairs(two.x) do
  part_one.y[n], memory[1], memory[2] = require("mdr").walls { young_modulus = 1e9, yield_stress = 2e7, greatest_radius = 1 }.law(overlap, 0, 1, 1, memory[1], memory[2])
  part_one.y[n] = part_one.y[n] / 1e6
end
two.name, six.name, part_one.name, part_one.dash = "two walls", "six walls", "part I", "dashed"

-- ---- a flock ----

local flocks = {}
for number, noise in ipairs { 0.1, 3, 6.2 } do
  sim = floc.simulation { dimension = 2, time_step = 1, scheme = floc.inelastic {}, domain = floc.box { lower = { 0, 0 }, upper = { 6, 6 } }, boundary = "periodic" }
  sim:add_particles { count = 150, radius = 5e-3, mass = 1, region = floc.box { lower = { 0, 0 }, upper = { 6, 6 } } }
  require("vicsek").add(sim, { speed = 0.03, radius = 1, noise = noise })
  local place, order = floc.random "headings", {}
  for id = 1, sim.count do sim.heading[id] = place:uniform(-math.pi, math.pi) end
  sim:every(1, function()
    local x, y = 0, 0
    for id = 1, sim.count do x, y = x + math.cos(sim.heading[id]), y + math.sin(sim.heading[id]) end
    order[#order + 1] = math.sqrt(x * x + y * y) / sim.count
  end)
  sim:run { steps = 100 }
  flocks[number] = { name = ("noise %g"):format(noise), y = order }
end

floc.plot {
  path = floc.output "motions.png", width = 1200, columns = 3,
  panels = {
    { title = "a rolling disc", x = { label = "time", unit = "s" }, y = { label = "velocity", unit = "m/s" }, series = rolls },
    { title = "heat along 40 spheres", x = { label = "sphere" }, y = { label = "heat" }, series = profiles },
    { title = "20 bonded spheres, loaded at the end", x = { label = "x" }, y = { label = "deflection" }, series = {
      { name = "bonds", x = at, y = bent, style = "markers" }, { name = "Euler, Bernoulli", x = at, y = beam } } },
    { title = "FENE chains", x = { label = "r/sigma" }, y = { label = "u/epsilon", lower = 0, upper = 60 }, series = {
      { name = "bonded", x = apart, y = u }, { name = "not bonded", x = apart, y = repulsion } } },
    { title = "two dipoles turn each other", x = { label = "time" }, y = { label = "angle", unit = "degrees" }, series = {
      { name = "across", x = times, y = angles[1] }, { name = "along", x = times, y = angles[2] } } },
    { title = "Vicsek's flock", x = { label = "step" }, y = { label = "order", lower = 0 }, series = flocks },
    { title = "MDR: a grain between walls", x = { label = "way of a wall", unit = "R" }, y = { label = "force on a wall", unit = "MN" },
      series = { two, six, part_one } },
  },
}

local way = 1 / (2 * 2 / 3 * mu * g)
for _, type in ipairs { "A", "C" } do
  floc.report { claim = "a disc with resistance of type " .. type .. " stops at v^2/(2 * 2/3 mu g)", value = farthest[type] / way,
                expect = { equal = 1, tolerance = 1e-3 } }
end
floc.report { claim = "heat stays", value = heat, expect = { equal = spheres / 2, tolerance = 1e-12 } }
floc.report { claim = "the end of the beam is where Euler and Bernoulli have it", value = bent[beads] / beam[beads], expect = { equal = 1, tolerance = 1e-2 } }
floc.report { claim = "MDR: the volume that a grain between two walls has left", value = volume, expect = { equal = 1, tolerance = 2e-2 } }
floc.report { claim = "MDR: what the volume would be if grains did not grow", value = without, expect = { at_most = 0.9 } }
floc.report { claim = "torque on a dipole across another: 2 p q/r^3", value = -torque / (2 * 0.25 / 1.5 ^ 3), expect = { equal = 1, tolerance = 1e-3 } }
floc.report { claim = "order of a flock with little noise", value = flocks[1].y[100], expect = { at_least = 0.95 } }
floc.report { claim = "order of a flock with much noise", value = flocks[3].y[100], expect = { at_most = 0.4 } }
