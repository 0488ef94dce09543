-- Every law of examples/laws in a run, whatever it makes (pairs, walls, bonds, a field, a flock): it is traced, equal to its function
-- on all samples, explained with its outputs, acts, and gives the same bits on 1, 2 and 3 threads and after a resume on
-- another number of threads. There are more pairs, walls and particles than one thread takes at a time.

local support = require "support"

local here = debug.getinfo(1, "S").source:match "^@(.*)tests/lua/" or ""
local laws = here .. "examples/laws/?.lua;"
package.path = laws .. package.path

-- File, function, options, dimension; what must have become other than 0 (default fy).
local rows = {
  { "hertz_dmt", "pairs", "{ young_modulus = 1e5, work_of_adhesion = 5, separation = 1e-3, restitution = 0.9 }", 2 },
  { "hertz_dmt", "walls", "{ young_modulus = 1e5, work_of_adhesion = 5, separation = 1e-3, restitution = 0.9 }", 2 },
  { "jkr", "pairs", "{ young_modulus = 1e5, work_of_adhesion = 5, greatest_radius = 0.06, damping = 0.1 }", 2 },
  { "jkr", "walls", "{ young_modulus = 1e5, work_of_adhesion = 5, greatest_radius = 0.06, damping = 0.1 }", 2 },
  { "plastic_adhesive", "pairs", "{ young_modulus = 1e5, yield_pressure = 5e3, work_of_adhesion = 2, greatest_radius = 0.06 }", 2 },
  { "plastic_adhesive", "walls", "{ young_modulus = 1e5, yield_pressure = 5e3, work_of_adhesion = 2, greatest_radius = 0.06 }", 2 },
  { "mdr", "pairs", "{ young_modulus = 1e5, yield_stress = 2e3, work_of_adhesion = 2, greatest_radius = 0.06, damping = 0.1 }", 2 },
  { "mdr", "walls", "{ young_modulus = 1e5, yield_stress = 2e3, work_of_adhesion = 2, greatest_radius = 0.06, damping = 0.1 }", 2 },
  { "mdr_grains", "add", "{ young_modulus = 1e5, yield_stress = 2e3, greatest_radius = 0.06, damping = 0.1, walls = true }", 2, "grown" },
  { "capillary", "pairs", "{ surface_tension = 3, volume = 1e-6 }", 2 },
  { "capillary", "walls", "{ surface_tension = 3, volume = 1e-6 }", 2 },
  { "hertz_mindlin", "pairs", "{ young_modulus = 1e5, friction = 0.5, restitution = 0.8 }", 2 },
  { "hertz_mindlin", "pairs", "{ young_modulus = 1e5, friction = 0.5, restitution = 0.8 }", 3 },
  { "hertz_mindlin", "walls", "{ young_modulus = 1e5, friction = 0.5, restitution = 0.8 }", 2 },
  { "lennard_jones", "pairs", "{ sigma = 0.09, epsilon = 0.2, shift = 'force' }", 2 },
  { "lennard_jones", "wca", "{ sigma = 0.12, epsilon = 0.2, radius = 0.04 }", 2 },
  { "screened_charge", "pairs", "{ coupling = 0.1, screening = 20, cutoff = 0.3 }", 2 },
  { "rolling", "pairs", "{ stiffness = 1e4, friction = 0.5, restitution = 0.8, rolling = 0.1 }", 2, "tz" },
  { "rolling", "pairs", "{ stiffness = 1e4, friction = 0.5, type = 'B', rolling = 0.1, speed = 0.3 }", 2, "tz" },
  { "rolling", "pairs", "{ stiffness = 1e4, friction = 0.5, type = 'A', rolling = 0.1, twisting = 0.1, dimension = 3 }", 3, "tx" },
  { "rolling", "walls", "{ stiffness = 1e4, friction = 0.5, restitution = 0.8, rolling = 0.1 }", 2, "tz" },
  { "heat", "pairs", "{ conductivity = 1, capacity = 1 }", 2, "heat" },
  { "dipoles", "pairs", "{ cutoff = 0.3 }", 2, "tz" },
  { "dipoles", "pairs", "{ cutoff = 0.2, dimension = 3 }", 3, "tx" },
  { "dipoles", "field", "{ x = 3, y = 4 }", 2, "tz" },
  { "gay_berne", "pairs", "{ sigma = 0.08, epsilon = 0.1, length = 1.3, cutoff = 2, dimension = 2 }", 2, "tz" },
  { "gay_berne", "pairs", "{ sigma = 0.08, epsilon = 0.1, length = 0.8, depth = 0.5, cutoff = 2 }", 3, "tx" },
  { "patchy", "pairs", "{ stiffness = 1e3, energy = 1, width = 0.02, opening = 2 }", 2, "tz" },
  { "patchy", "pairs", "{ stiffness = 1e3, energy = 1, width = 0.02, opening = 2, dimension = 3 }", 3, "tx" },
  { "archard", "walls", "{ stiffness = 1e4, restitution = 0.5, friction = 0.3, wear = 1e-3, hardness = 50 }", 2, "worn" },
  { "fene", "beads", "{ sigma = 0.12, epsilon = 0.2 }", 2 },
  { "fene", "bonds", "{ sigma = 0.12, epsilon = 0.2 }", 2 },
  { "bonded", "pairs", "{ young_modulus = 1e5, bond_radius = 0.03, gap = 0.02, dimension = 2 }", 2, "tz" },
  { "bonded", "pairs", "{ young_modulus = 1e5, bond_radius = 0.03, gap = 0.02, tensile_strength = 1e4, shear_strength = 1e4 }", 3, "tx" },
  { "bonded", "beams", "{ young_modulus = 1e5, bond_radius = 0.03, dimension = 2, tensile_strength = 1e4 }", 2, "tz" },
  { "bonded", "beams", "{ young_modulus = 1e5, bond_radius = 0.03, tensile_strength = 1e4 }", 3, "tx" },
  { "vicsek", "add", "{ speed = 1, radius = 0.2, noise = 1 }", 2, "heading" },
}

-- What the files offer besides laws.
local helpers = { mdr = { rules = true, sphere = true, yield_displacement = true }, jkr = { free_radius = true, scaled = true, force = true, reach = true, least = true } }
local no_laws = { curves = true, motions = true, law_options = true }

local function scene(row, tail)
  return string.format([[
    package.path = %q .. package.path
    local floc = require "floc"
    local name, kind, dimension, acts = %q, %q, %d, %q
    local wide = kind == "walls" or kind == "field" -- loops over particles, whose blocks are larger than those of pairs
    local function vector(x, y, z) return dimension == 2 and { x, y } or { x, y, z } end
    local domain = name == "vicsek" and floc.box { lower = { 0, 0 }, upper = { 4, 4 } } or nil
    local sim = floc.simulation { dimension = dimension, time_step = 1e-4, gravity = not domain and vector(0, -5, 0) or nil, seed = 4, domain = domain,
      boundary = domain and "periodic" or nil,
      scheme = domain and floc.inelastic {} or floc.discrete_element { contact = "none", rotation = true, integrator = "velocity_verlet" } }
    for _, attribute in ipairs { "heat", "dipole", "charge" } do sim:add_attribute(attribute, 1) end
    local size = wide and vector(262, 0.2, 0) or dimension == 2 and { 3.7, 3.7 } or { 3.7, 3.7, 1 }
    sim:add_particles { count = wide and 2090 or dimension == 2 and 700 or 800, radius = { 0.05, 0.06 }, density = 100, placement = "lattice", spacing = 0.12,
      velocity_spread = 4, region = floc.box { lower = vector(0, 0, 0), upper = size } }
    for id = 1, sim.count do
      sim.heat[id], sim.dipole[id] = id, 0.01 * (id %% 3)
      if not domain then sim.wz[id] = id %% 7 end
    end
    local plate = (kind == "walls" or name == "mdr_grains") and sim:add_body { shape = floc.plane { point = { 0, 0.005 }, normal = { 0, 1 } }, attributes = { wear = 0 } }
    local texts, returns = {}, {}
    local function note(law, handle)
      texts[#texts + 1] = sim:explain(handle)
      for _, output in ipairs(law.returns or {}) do returns[#returns + 1] = output end
      return handle
    end
    local library = require(name)
    if kind == "add" then
      local taken = {}
      for _, call in ipairs { "add_force", "add_wall_force", "add_evolution" } do taken[call] = function(_, law) law.way = "traced" return note(law, sim[call](sim, law)) end end
      for _, call in ipairs { "add_attribute", "set_a_priori" } do taken[call] = function(_, ...) return sim[call](sim, ...) end end
      library.add(taken, %s)
      for id = 1, domain and sim.count or 0 do sim.heading[id] = id %% 7 end
    else
      local law = library[kind](%s)
      law.way = "traced"
      local made = note(law, sim[kind == "walls" and "add_wall_force" or kind == "field" and "add_field" or "add_force"](sim, law))
      if law.pairs == "bonds" then
        local bonds = {}
        for id = 2, sim.count do
          if math.abs(sim.y[id] - sim.y[id - 1]) < 0.01 and math.abs(sim.x[id] - sim.x[id - 1]) < 0.13 then bonds[#bonds + 1] = { id - 1, id } end
        end
        assert(#bonds > 600)
        sim:add_law_bonds { law = made, particles = bonds, attributes = law.attributes.length and { length = 0.12 } or nil }
      end
    end
    %s
    local acted = 0
    for id = 1, acts ~= "worn" and sim.count or 0 do
      if sim[acts][id] ~= (acts == "heat" and id or acts == "heading" and id %% 7 or 0) then acted = acted + 1 end
    end
    if acts == "worn" then acted = plate:get_attribute "wear" * 1e9 end
    return sim:hash(), { acted, texts, returns } ]], laws, row[1], row[2], row[4], row[5] or "fy", row[3], row[3], tail)
end

describe("the law of the library", function()
  local folder = support.folder()
  local path = folder .. "/run.state"
  teardown(function() support.remove(folder) end)
  for _, row in ipairs(rows) do
    it(row[1] .. "." .. row[2] .. " in " .. row[4] .. " dimensions, " .. row[3], function()
      local run = scene(row, "sim:run { steps = 50 }")
      local bits, found = support.run(run, { threads = 1 })
      assert.is_true(found[1] > 10, "acts on " .. found[1])
      assert.is_true(#found[2] > 0)
      for _, text in ipairs(found[2]) do
        assert.is_truthy(text:find("way: traced", 1, true) and text:find("equal to it on all samples", 1, true), text)
      end
      local all = table.concat(found[2])
      for _, output in ipairs(found[3]) do assert.is_truthy(all:find("\n    " .. output .. " = ", 1, true), output .. " in " .. all) end
      assert.are.equal(bits, (support.run(run, { threads = 2 })))
      local kept = scene(row, string.format("sim:checkpoint { path = %q, every = 30 } sim:run { steps = 50 }", path))
      assert.are.equal(bits, (support.run(kept, { threads = 3 })))
      assert.are.equal(bits, (support.resume(path, { threads = 2 })))
    end)
  end

  it("is in the list above, whatever makes it", function()
    local made = {}
    for _, row in ipairs(rows) do made[row[1] .. "." .. row[2]] = true end
    local files, count = assert(io.popen(("ls %sexamples/laws/*.lua"):format(here))), 0
    for file in files:lines() do
      local name = file:match "([%w_]+)%.lua$"
      for kind in pairs(no_laws[name] and {} or require(name)) do
        if not (helpers[name] and helpers[name][kind]) then
          assert.is_true(made[name .. "." .. kind] == true, name .. "." .. kind .. " is not tried")
          count = count + 1
        end
      end
    end
    files:close()
    assert.is_true(count > 20)
  end)
end)
