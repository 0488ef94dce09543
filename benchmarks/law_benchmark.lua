-- The laws of law_benchmark.c in Lua: traces them and writes their programs for it.
--
--   floc run benchmarks/law_benchmark.lua > programs.txt; law_benchmark programs.txt
local derivative = require "floc.trace.derivative"
local floc = require "floc"
local trace = require "floc.trace.trace"
local ways = require "floc.trace.ways"
package.path = package.path:match "^[^;]*%?%.lua":gsub("%?%.lua$", "../examples/laws/?.lua;") .. package.path

local function contact(distance, radius_i, radius_j, normal_velocity)
  local gap = distance - radius_i - radius_j
  if gap < 0 then return -1e4 * gap - 5 * normal_velocity end
  return 0
end

local laws = {
  { "spring", 1, { "distance", "radius_i", "radius_j", "normal_velocity" },
    function(distance, radius_i, radius_j) return -1e4 * (distance - radius_i - radius_j) end },
  { "contact", 1, { "distance", "radius_i", "radius_j", "normal_velocity" }, contact },
  { "attraction", 1, { "distance", "radius_i", "radius_j", "normal_velocity" },
    function(distance, radius_i, radius_j, normal_velocity)
      local gap = distance - radius_i - radius_j
      if gap < 0 then return contact(distance, radius_i, radius_j, normal_velocity) end
      return -3 * (1 - math.tanh(gap / 0.02) ^ 2)
    end },
  { "near_field", 1, { "distance", "radius_i", "radius_j", "normal_velocity" },
    function(distance, radius_i, radius_j)
      local r = distance / (radius_i + radius_j)
      return 2 * r ^ -2.5 - 3 * r ^ -1.5
    end },
  { "screened", 1, { "distance", "radius_i", "radius_j", "normal_velocity" },
    function(distance, radius_i, radius_j)
      local r = distance / (radius_i + radius_j)
      return math.exp(-3 * r) * r ^ -1.3 - 2 * math.tanh(r - 1)
    end },
  { "field", 3, { "x", "y", "vx", "vy" },
    function(x, y, vx, vy)
      return -0.5 * (vx - 2 * y) - x * math.sqrt(x * x + y * y), -0.5 * vy - y * math.sqrt(x * x + y * y),
        0.1 * (x * vy - y * vx)
    end },
  -- the law of dense_packing_benchmark.c: Hooke's spring and dashpot with accumulated Coulomb friction
  { "friction", 7, { "overlap", "normal_velocity", "slip_x", "slip_y", "slip_z", "normal_x", "normal_y", "normal_z",
    "spring_x", "spring_y", "spring_z", "time_step" },
    function(overlap, normal_velocity, slip_x, slip_y, slip_z, normal_x, normal_y, normal_z, spring_x, spring_y, spring_z,
      time_step)
      local normal = 2e5 * overlap - 50 * normal_velocity
      spring_x, spring_y, spring_z = spring_x + time_step * slip_x, spring_y + time_step * slip_y, spring_z + time_step * slip_z
      local along = spring_x * normal_x + spring_y * normal_y + spring_z * normal_z
      spring_x, spring_y, spring_z = spring_x - along * normal_x, spring_y - along * normal_y, spring_z - along * normal_z
      local k, damping = 2 / 7 * 2e5, 25
      local fx, fy, fz = k * spring_x + damping * slip_x, k * spring_y + damping * slip_y, k * spring_z + damping * slip_z
      local limit, square = 0.5 * math.max(normal, 0), fx * fx + fy * fy + fz * fz
      if square > limit * limit then
        local factor = limit / math.sqrt(square)
        fx, fy, fz = factor * fx, factor * fy, factor * fz
        spring_x, spring_y, spring_z = (fx - damping * slip_x) / k, (fy - damping * slip_y) / k, (fz - damping * slip_z) / k
      end
      return normal, -fx, -fy, -fz, spring_x, spring_y, spring_z
    end },
}

-- The program of a potential of directions, as sim:add_force makes it.
local function of_directions(law)
  local choose, found = ways.choose, nil
  function ways.choose(inner, one)
    choose(inner, one)
    found = one
  end
  law.way = "traced"
  local sim = floc.simulation { dimension = 3, time_step = 1, scheme = floc.discrete_element { contact = "none", rotation = true } }
  sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 1 }
  sim:add_force(law)
  ways.choose = choose
  return found.program
end

-- Laws of examples/laws, with the inputs that they name.
local function add(name, law, count)
  local fn, inputs = law.law or law.potential, {}
  for k = 1, 64 do inputs[k] = debug.getlocal(fn, k) end
  local one = { name, count or law.returns and #law.returns or 1, inputs, fn, law.potential ~= nil }
  if law.potential and inputs[2] then one.program = of_directions(law) end
  laws[#laws + 1] = one
end

add("hertz_dmt", require("hertz_dmt").pairs { young_modulus = 1e7, work_of_adhesion = 0.5, separation = 1e-3, restitution = 0.8 }, 2)
add("jkr", require("jkr").pairs { young_modulus = 1e5, work_of_adhesion = 5, greatest_radius = 0.06, damping = 0.1 }, 3)
add("plastic_adhesive", require("plastic_adhesive").pairs { young_modulus = 1e5, yield_pressure = 5e3, work_of_adhesion = 2, greatest_radius = 0.06 })
add("mdr", require("mdr").pairs { young_modulus = 1e5, yield_stress = 2e3, work_of_adhesion = 2, greatest_radius = 0.06, damping = 0.1 })
add("capillary", require("capillary").pairs { surface_tension = 0.07, volume = 1e-6 }, 3)
add("hertz_mindlin", require("hertz_mindlin").pairs { young_modulus = 1e5, friction = 0.5, restitution = 0.8 })
add("lennard_jones", require("lennard_jones").pairs { cutoff = 2.5 }, 1)
add("wca", require("lennard_jones").wca {}, 1)
add("screened_charge", require("screened_charge").pairs { coupling = 0.7, screening = 2, cutoff = 2.4 })
add("fene_beads", require("fene").beads {})
add("fene_bonds", require("fene").bonds {})
for _, kind in ipairs { "A", "B", "C" } do
  add("rolling_" .. kind:lower(), require("rolling").pairs { dimension = 3, stiffness = 1e5, restitution = 0.5, friction = 0.6, type = kind, rolling = 0.1, speed = 0.3 })
end
add("heat", require("heat").pairs { conductivity = 50, capacity = 500 })
add("dipoles", require("dipoles").pairs { coupling = 0.7, cutoff = 2.4, dimension = 3 })
add("gay_berne", require("gay_berne").pairs { length = 3, depth = 5, cutoff = 5 })
add("patchy", require("patchy").pairs { stiffness = 1e3, energy = 1, width = 0.2, opening = 2, dimension = 3 })
add("archard", require("archard").walls { stiffness = 1e4, restitution = 0.5, friction = 0.3, wear = 1e-3, hardness = 50 })
add("bonded", require("bonded").pairs { young_modulus = 1e6, bond_radius = 0.03, gap = 0.01, tensile_strength = 1e5, shear_strength = 1e5 })
local function nothing() end
require("vicsek").add({ add_attribute = nothing, set_a_priori = nothing, -- adds its laws by itself
  add_force = function(_, law) add("vicsek_sums", law) end, add_evolution = function(_, law) add("vicsek_turn", law, 1) end },
  { speed = 0.03, radius = 1, noise = 0.4 })

-- The stages of a density and of embedded atoms (docs/laws.md): sums over neighbours, and the force that comes of the sums.
laws[#laws + 1] = { "density", 1, { "distance" }, function(distance) return (1 - (distance / 2.2) ^ 2) ^ 3 end }
laws[#laws + 1] = { "copper_sum", 1, { "distance" }, function(distance) return (3.61 / distance) ^ 6 end }
laws[#laws + 1] = { "copper_force", 1, { "distance", "slope_i", "slope_j" }, function(distance, slope_i, slope_j)
  return (9 * 1.2382e-2 * (3.61 / distance) ^ 9 + 6 * (slope_i + slope_j) * (3.61 / distance) ^ 6) / distance
end }

-- Of a potential the force, and the potential behind it.
local function outputs_of(law, traced)
  if not law[5] then return traced.outputs end
  return { derivative.of(traced.graph, traced.outputs[1], { distance = -1 }), traced.outputs[1] }
end

local function program_of(law)
  local traced = assert(trace.run(law[4], law[3], law[2]))
  return traced.graph:program(law[3], outputs_of(law, traced))
end

for _, law in ipairs(laws) do
  local program = law.program or program_of(law)
  local words = { law[1], program.input_count }
  for _, list in ipairs { program.constants, program.code, program.outputs } do
    words[#words + 1] = #list
    for _, number in ipairs(list) do words[#words + 1] = string.format("%.17g", number) end
  end
  print(table.concat(words, " "))
end
