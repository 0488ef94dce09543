-- Every cell of scripts/floc/surface/scheme_matrix.lua: where a call acts a number comes out as physics has it, where it does not the
-- message names the schemes that do it. New methods, options and schemes fail until they have their rows.

local support = require "support"
local matrix = require "floc.surface.scheme_matrix"
local simulation = require "floc.simulation.simulation"
local check = require "floc.surface.check"
local declarations = require "floc.surface.declarations"

-- The scheme with options, and a variant: discrete elements have two integrators.
local function scheme_text(scheme, options)
  local base = ""
  if scheme == "discrete_element" then
    base = 'contact = "hooke", stiffness = 1e3, integrator = "velocity_verlet", '
  elseif scheme == "first_order" then -- a velocity that changes as with inertia
    base = "velocity = function(vx, vy, fx, fy, mass, time_step) return vx + time_step * fx / mass, vy + time_step * fy / mass end, "
  elseif scheme == "discrete_element, trapezoidal" then
    scheme, base = "discrete_element", 'contact = "hooke", stiffness = 1e3, adaptive = false, iterations = 40, tolerance = 1e-9, '
  end
  return "floc." .. scheme .. " { " .. base .. (options or "") .. " }"
end

-- Rows: `more` options of the simulation, `scheme` options, `two`: a second particle at (1, 0), and the script, which returns what
-- came out and what should have; it may be a function of the scheme. Particles have mass 2 and radius 0.1.
local cells = {}

local falls = "sim:run { steps = 10 } return sim.vy[1], -0.5"
cells["gravity"] = { more = "gravity = { 0, -5 }", falls }
cells["gravity, function"] = { more = "gravity = function(t) return 0, -5 end", falls }
cells["gravity, assigned"] = { "sim.gravity = { 0, -5 } " .. falls }
cells["add_force"] = { two = true, "sim:add_force { law = function(distance) return 4 end, range = 2 } sim:run { steps = 10 } return sim.vx[1], -0.2" }
cells["add_many_body"] = { two = true, [[sim:add_many_body { sums = { near = function(distance) return distance end }, range = 2,
  energy = function(near) return -2 * near end } sim:run { steps = 10 } return sim.vx[1], -0.2]],
  refused = "sim:add_many_body { sums = { near = function(distance) return 1 end }, energy = function(near) return near end, range = 2 }" }
cells["add_force, bonds"] = { two = true, [[local law = sim:add_force { pairs = "bonds", law = function(distance) return 4 end }
  sim:add_law_bonds { law = law, particles = { { 1, 2 } } } sim:run { steps = 10 } return sim.vx[1], -0.2]],
  refused = "sim:add_force { pairs = 'bonds', law = function(distance) return 4 end }" }
-- A right angle: the moment over the distance, on the first of three.
cells["add_angle_force"] = { two = true, [[sim:add_particle { position = { 1, 1 }, radius = 0.1, mass = 1e9 }
  local law = sim:add_angle_force { law = function(angle) return 4 end }
  sim:add_law_bonds { law = law, particles = { { 1, 2, 3 } } } sim:run { steps = 10 } return sim.vy[1], -0.2]],
  refused = "sim:add_angle_force { law = function(angle) return 4 end }" }
cells["add_field"] = { "sim:add_field { law = function(x) return 4, 0 end } sim:run { steps = 10 } return sim.vx[1], 0.2" }
cells["add_wall_force"] = { two = true, [[sim:add_wall_force { law = function(distance) return 4 end, range = 5 }
  sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, -1 } } } sim:run { steps = 10 } return sim.vy[1], 0.2]],
  refused = "sim:add_wall_force { law = function(distance) return 4 end, range = 5 }" }
cells["add_attraction"] = { two = true, [[sim:add_attraction { kappa = 1e-3, epsilon = 0.8 } sim:run { steps = 10 }
  return sim.vx[1], 1e-3 / 0.8 / math.cosh(1) ^ 2 / 2 * 0.1]] }
cells["merges"] = { two = true, [[sim.vx[1] = 1 sim:merges { gap = 0.3 } sim:run { steps = 60 }
  local found = sim:merges { gap = 0.3 } return found.mass_i[1] + found.vx_i[1], 3]] }
cells["add_long_range"] = { two = true, [[sim:add_long_range { kind = "gravity", constant = 1e-3 } sim:run { steps = 10 }
  return sim.vx[1], 1e-3 * sim.mass[2] / (sim.x[2] - sim.x[1]) ^ 2 * 0.1]] }
cells["add_flow"] = { [[sim:add_flow { flow = "uniform", velocity = { 3, 0 }, relaxation_time = 0.2, exponential = true }
  sim:run { steps = 10 } return sim.vx[1], 3 * (1 - math.exp(-0.5))]] }
cells["add_flow, rotation"] = { scheme = "rotation = true", function(scheme)
  local spin = scheme:find "element" and "wz" or "angular_velocity_z"
  return 'sim:add_flow { flow = "shear", rate = 2, relaxation_time = 0.02 } sim:run { steps = 100 } return sim.' .. spin .. "[1], -1"
end, refused = 'sim:add_flow { flow = "shear", rate = 2, relaxation_time = 0.02 }' }
cells["add_noise"] = { tolerance = 0.1, [[sim:add_particles { count = 1000, radius = 0.01, mass = 2, placement = "lattice", spacing = 10,
    region = floc.box { lower = { 10, 10 }, upper = { 400, 400 } } }
  sim:add_noise { sigma = 3 } sim:run { steps = 10 }
  return sim:sum(function(vx, vy) return vx * vx + vy * vy end) / 2 / 1001, 9 * 0.1 / 4]] }
-- The energy of a rod that turns, of half the length l of its axis and radius r.
cells["add_particles, shape"] = { [[local l, r = 0.3, 0.1
  local first = sim:add_particles { count = 1, radius = l + r, mass = 2, shape = floc.rod { aspect = (l + r) / r }, region = floc.box { lower = { 2, 2 }, upper = { 4, 4 } } }
  sim.wz[first] = 3
  sim:run { steps = 2 }
  local half, disc, area = 4 * r / (3 * math.pi), math.pi * r ^ 2, 4 * l * r + math.pi * r ^ 2
  local moment = 4 / 3 * r * l ^ 3 + disc * (r ^ 2 / 4 - half ^ 2) + disc * (l + half) ^ 2 + 4 / 3 * l * r ^ 3 + disc * r ^ 2 / 4
  return sim:measure "rotational_kinetic_energy", 2 * moment / area * 9 / 2]] }
cells["set_a_priori"] = { "sim:set_a_priori(function(vx) return vx + 1, 0 end) sim:run { steps = 3 } return sim.vx[1], 3" }
cells["set_a_priori, rotation"] = { named_by = "set_a_priori", scheme = "rotation = true", [[sim:set_a_priori { law = function(t) return 0, 0, 7 end, angular_velocity = true }
  sim:run { steps = 3 } return sim.angle[1], 0.21]],
  refused = "sim:set_a_priori { law = function(t) return 0, 0, 7 end, angular_velocity = true }" }
cells["a_priori"] = { named_by = "set_a_priori", more = "a_priori = function(vx) return vx + 1, 0 end", "sim:run { steps = 3 } return sim.vx[1], 3" }
cells["add_evolution"] = { [[sim:add_attribute("heat", 1) sim:add_evolution { attributes = { "heat" }, law = function(heat) return 3 end }
  sim.vx[1] = 0.5 sim:run { until_time = 0.1 } return sim.heat[1], 1 + 3 * sim.time]] }
-- Thrown at a wall: it stays there, or comes back.
cells["add_body"] = { tolerance = 0.02, function(scheme)
  return [[sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, -0.2 } } }
    sim.vy[1] = -1 sim:run { steps = 50 } return sim.vy[1], ]] .. (scheme:find "element" and 1 or 0)
end }
cells["add_body, moving"] = { tolerance = 0.02, function(scheme)
  return [[sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, -0.2 } }, velocity = function(t) return 0, 1 end }
    sim:run { steps = 50 } return sim.vy[1], ]] .. (scheme:find "element" and 2 or 1)
end }
-- Pressed from above on a floor: what it bears is the load.
cells["add_body, servo"] = { tolerance = 1e-3, more = "gravity = { 0, 0 }", [[sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, -0.1 } } }
  local lid = sim:add_body { shape = floc.plane { normal = { 0, -1 }, point = { 0, 0.1 } }, motion = floc.servo { direction = { 0, -1 }, load = 4, mass = 10, damping = 100 } }
  sim:run { steps = 3000 } return lid.force[2], 4]],
  refused = "sim:add_body { shape = floc.plane { normal = { 0, -1 } }, motion = floc.servo { direction = { 0, -1 }, load = 4, mass = 10 } }" }
-- Hit by a disc of its own mass: it stays with it, and both continue with half the speed; a soft one bounces off.
cells["add_body, free"] = { tolerance = 1e-9, plain = true, function(scheme)
  return [[local lid = sim:add_body { shape = floc.circle { radius = 0.1 }, position = { 0, -0.3 }, free = { "x", "y" }, mass = sim.mass[1] }
    sim.vy[1] = -1 sim:run { steps = 50 } return lid.velocity[2], ]] .. (scheme:find "element" and "-1 - sim.vy[1]" or -0.5)
end,
  refused = "sim:add_body { shape = floc.circle { radius = 0.1 }, position = { 0, -3 }, free = \"all\", mass = 1 }" }
-- One of two equal discs is thrown away from the other: the rod takes the other along.
cells["add_joint"] = { two = true, tolerance = 1e-9, "sim:add_joint { kind = \"distance\", particles = { 1, 2 } } sim.vx[2] = sim.mass[1] + sim.mass[2] "
  .. "sim:run { steps = 50 } return sim.vx[1], sim.mass[2]" }
cells["add_assembly"] = { two = true, [[local one = sim:add_assembly { particles = { 1, 2 }, angular_velocity = 2 }
  sim:run { steps = 50 } return one.angle, 1]] }
-- All rays of a narrow beam hit, and nothing is reflected: (7) summed, for the time of the pulse; a beam in the plane is 2 R_b wide.
cells["add_ray_source"] = { tolerance = 1e-9, [[sim:set_media { sound_speed = { 300, 300 }, density = { 2, 2 } }
  sim:add_ray_source(floc.plane_wave { direction = { 1, 0 }, rays = 1000, power = 10, duration = 0.02, radius = 0.05 })
  sim:run { steps = 10 } return sim.vx[1] * 2, math.sqrt(10 * 2 * 300 * 2 * 0.05) * 0.02]],
  refused = "sim:add_ray_source(floc.plane_wave { direction = { 1, 0 } })" }
-- Where both carry sound at the same speed the share that is reflected is the same at every angle: ((3 - 1)/(3 + 1))^2.
cells["set_media"] = { tolerance = 1e-9, [[local source = floc.plane_wave { direction = { 1, 0 }, rays = 500, radius = 0.05, power = 8, sampling = "even" }
  sim:set_media { density = { 1, 3 }, sound_speed = { 2, 2 } }
  return sim:trace { source = source }.absorbed, 6]] }
cells["add_bond"] = { two = true, scheme = 'bonds = "persistent"', plain = true, tolerance = 1e-9, [[sim.x[2] = 0.21
  sim:add_bond { particles = { 1, 2 }, area = 1e-3 } return sim.fx[1], 1e6 * 0.05 ^ 2 * 1e-3]], refused = "sim:add_bond { particles = { 1, 2 }, area = 1e-3 }" }
cells["remove_bond"] = { two = true, scheme = 'bonds = "persistent"', plain = true, tolerance = 1e-12, [[sim.x[2] = 0.21
  sim:add_bond { particles = { 1, 2 }, area = 1e-3 } sim:remove_bond { particles = { 1, 2 } } return #sim:bonds() + math.abs(sim.fx[1]), 0]], refused = "sim:remove_bond { particles = { 1, 2 } }" }
cells["bonds"] = { two = true, scheme = 'bonds = "persistent"', plain = true, tolerance = 1e-9, [[sim.x[2] = 0.21
  sim:add_bond { particles = { 1, 2 }, area = 1e-3 } local list = sim:bonds() return #list + list[1].strain + list[1].area, 1.051]],
  refused = "sim:bonds()" }
cells["element_report"] = { "sim.vx[1] = 3 sim:run { steps = 1 } return sim:element_report().kinetic_energy, 9" }
cells["ballistic_report"] = { two = true, [[sim:add_particle { position = { 0, 5 }, radius = 0.1, mass = 2 }
  sim.vx[1] = 1 sim:run { until_time = 1 } return sim:ballistic_report().clusters * 10 + sim:ballistic_report().merges, 21]] }
cells["stress"] = { two = true, "sim:add_force { law = function(distance) return 4 end, range = 2 } return sim:stress { volume = 10 }.tensor[1][1], 4 * 1 / 10",
  refused = "sim:stress()" }
cells["coarse_grain"] = { two = true, [[sim:add_force { law = function(distance) return 4 end, range = 2 }
  local found, sum = sim:coarse_grain { width = 1 }, 0
  for _, stress in ipairs(found.stress_xx) do sum = sum + stress * found.spacing[1] * found.spacing[2] end
  return sum, 4]], refused = "sim:coarse_grain { width = 1 }" }
cells["energy_ledger"] = { plain = true, tolerance = 1e-12, more = "energy_ledger = true", [[sim:add_field { law = function(x) return 4, 0 end }
  sim:run { steps = 10 } return sim:energy_ledger().laws, 2 * 0.2 ^ 2 / 2]], refused = "" }
cells["force_distribution"] = { function(scheme)
  if not scheme:find "element" then
    return [[sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, -0.1 } } } sim.gravity = { 0, -5 } sim:run { steps = 3 }
      return sim:force_distribution().mean, 2 * 5]]
  end
  return [[sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, -0.1 } } } sim.y[1] = -0.01 return sim:force_distribution().mean, 1e3 * 0.01]]
end, refused = "sim:force_distribution()" }
-- A gap of 0.003 that would close by 0.01: without impulses the residual of the file's problem is h v - D.
cells["record_problem"] = { two = true, tolerance = 1e-9, [[local core, path = require "floc.core", os.tmpname() os.remove(path)
  sim.x[2], sim.vx[1] = 0.203, 1 sim:record_problem(path) sim:run { steps = 1 }
  local report = core.problem_solve(path, { solver = require("floc.surface.structs").constants.solver_uzawa, max_iterations = 1, warm_start = false })
  os.remove(path) return report.residual + report.contacts + 10 * report.particles, 0.007 + 1 + 20]],
  refused = 'sim:record_problem "never.floc"' }
cells["rotation"] = { two = true, scheme = "rotation = true", function(scheme)
  if scheme:find "element" then return "sim.wz[1] = 3 sim:run { steps = 10 } return sim:element_report().rotational_energy, 0.5 * 0.5 * 2 * 0.01 * 9" end
  if scheme == "ballistic" then
    -- they touch at a quarter of the way across: L = m v b/2 about the common centre, I = 2 (m r^2/2 + m r^2)
    return "sim.y[2] = 0.1 sim.vx[1] = 1 sim:run { until_time = 2 } return math.abs(sim.angular_velocity_z[1]), 0.1 / 2 / (3 * 0.01)"
  end
  if scheme == "event_driven" then -- a third, far away: the run ends where one cluster is left
    return [[sim:add_particle { position = { 50, 50 }, radius = 0.1, mass = 2 } sim.y[2] = 0.1 sim.vx[1] = 1
      sim:run { until_time = 2 } return math.abs(sim.angular_velocity_z[1]), 0.1 / 2 / (3 * 0.01)]]
  end
  return "sim.angular_velocity_z[1] = 3 sim:run { steps = 10 } return sim.angle[1], 0.3"
end, tolerance = 0.02, option = true }
-- Slides on a floor that it is pressed on: mu g. Gluey contacts are pressed by all that gamma has kept: it rolls at once.
cells["friction"] = { two = true, option = true, tolerance = 0.02, scheme = function(scheme)
  return scheme:find "element" and 'friction = "spring", friction_static = 0.3, friction_dynamic = 0.3, friction_stiffness = 1e4, damping = 100' or "friction = 0.3"
end, more = "gravity = { 0, -5 }", function(scheme)
  return [[sim:add_body { shape = floc.plane { normal = { 0, 1 }, point = { 0, -0.1 } } }
  sim:run { steps = 30 } sim.vx[1] = 2 sim:run { steps = 10 } return sim.vx[1], ]] .. (scheme == "gluey" and "2 * 2 / 3" or "2 - 0.3 * 5 * 0.1")
end }
cells["restitution"] = { option = true, scheme = function(scheme)
  return scheme == "event_driven" and "restitution = 0.5, sticking_restitution = 0.1" or "restitution = 0.5"
end, two = true, [[sim.vx[1] = 1 sim:run { until_time = 2 } return sim.vx[2] - sim.vx[1], 0.5]] }
cells["boundary, walls"] = { tolerance = 0.02, more = 'domain = floc.box { lower = { -1, -1 }, upper = { 1, 1 } }, boundary = "wall"', function(scheme)
  local speed = (scheme:find "element" or scheme == "ballistic" or scheme == "event_driven") and -1 or 0
  return "sim.vx[1] = 1 sim:run { until_time = 1.2 } return sim.vx[1], " .. speed
end }
cells["boundary, periodic"] = { more = 'domain = floc.box { lower = { -1, -1 }, upper = { 1, 1 } }, boundary = "periodic"',
  "sim.vx[1] = 1 sim:run { until_time = 1.5 } return sim.x[1], -0.5" }

-- The flow of the cell, and the place to which it brings the particle.
cells["deform"] = { plain = true,
  more = 'domain = floc.box { lower = { -1, -1 }, upper = { 1, 1 } }, boundary = "periodic"',
  "sim.y[1] = 0.5 sim:deform { shear_rate = 2 } sim:run { steps = 10 } return sim.x[1] + sim.vx[1] + sim.domain.offset, 0.1 + 1 + 0.4",
  refused = "sim:deform { shear_rate = 2 }" }

local function start(cell, scheme)
  local options = type(cell.scheme) == "function" and cell.scheme(scheme) or cell.scheme
  local text = string.format("local floc = require 'floc' local sim = floc.simulation { time_step = 0.01, scheme = %s, %s }\n",
    scheme_text(scheme, options), cell.more or "")
  text = text .. "sim:add_particle { position = { 0, 0 }, radius = 0.1, mass = 2 } "
  if cell.two then text = text .. "sim:add_particle { position = { 1, 0 }, radius = 0.1, mass = 2 } " end
  return text .. "\n"
end

local function check_acts(name, cell, scheme)
  local script = type(cell[1]) == "function" and cell[1](scheme) or cell[1]
  local got, wanted = support.run(start(cell, scheme) .. script)
  local tolerance = (cell.tolerance or 1e-3) * math.max(math.abs(wanted), 1)
  assert.is_true(math.abs(got - wanted) <= tolerance, string.format("%s under %s: %.10g, expected %.10g", name, scheme, got, wanted))
end

local function check_refused(name, cell, scheme, acts)
  local message
  if cell.option then
    message = support.failure("require 'floc'\n" .. scheme_text(scheme, name .. " = 1"):gsub("^floc", "local s = require 'floc'"))
    assert.is_truthy(message:find("script.lua:2: " .. scheme .. ": unknown parameter " .. name, 1, true), message)
    return
  end
  local script = cell.refused or type(cell[1]) == "string" and cell[1] or cell[1](scheme)
  local plain = { more = cell.more, two = cell.two } -- options that the scheme lacks would be refused first
  message = support.failure(start(plain, scheme) .. script)
  assert.is_truthy(message:find("script.lua:%d+: "), message)
  assert.is_truthy(message:find("the scheme is " .. scheme, 1, true) or message:find("under the scheme " .. scheme .. "; ", 1, true), name .. ": " .. message)
  local rest = message:match("; (.*)$") or message:match("not (.*)$")
  for _, other in ipairs(matrix.schemes) do
    local named = rest:find(other, 1, true) ~= nil
    if message:find "; " then assert.are.equal(acts[other] or false, named, name .. ": " .. message) end
  end
end

describe("the matrix of schemes and calls", function()
  for _, row in ipairs(matrix.rows) do
    local name, _, acts = row[1], row[2], row[3]
    for _, scheme in ipairs(matrix.schemes) do
      it(name .. " under " .. scheme .. (acts[scheme] and " acts" or " is refused"), function()
        local cell = assert(cells[name], "no test of the row " .. name)
        local named = acts -- schemes that the message names: those of the whole call, where they do not do it at all
        for _, other in ipairs(matrix.rows) do
          if other[1] == cell.named_by and not other[3][scheme] then named = other[3] end
        end
        if not acts[scheme] then return check_refused(name, cell, scheme, named) end
        check_acts(name, cell, scheme)
        if scheme == "discrete_element" and not cell.plain then check_acts(name, cell, "discrete_element, trapezoidal") end
      end)
    end
  end

  it("refuses what an a priori velocity would leave out, in either order", function()
    local function fails(call, text)
      local message = support.failure("local floc = require 'floc' local a_priori = function(vx) return 1, 0 end\n" .. text)
      assert.is_truthy(message:find("script.lua:2: " .. call .. " is not supported together with an a priori velocity", 1, true), message)
    end
    for _, scheme in ipairs { "inelastic", "gluey" } do
      local begin = "local sim = floc.simulation { time_step = 0.1, scheme = floc." .. scheme .. " {}"
      for name, call in pairs { noise = "sim:add_noise { sigma = 1 }", ["a flow"] = 'sim:add_flow { flow = "still", relaxation_time = 1 }' } do
        fails("set_a_priori: " .. name, begin .. " } " .. call .. " sim:set_a_priori(a_priori)")
        fails(call:match "sim:([%a_]+)" .. ": " .. name, begin .. ", a_priori = a_priori } " .. call)
      end
      fails("set_a_priori: gravity", begin .. ", gravity = { 0, -1 }, a_priori = a_priori }")
      fails("set_a_priori: gravity", begin .. ", gravity = { 0, -1 } } sim:set_a_priori(a_priori)")
      fails("sim.gravity: gravity", begin .. ", a_priori = a_priori } sim.gravity = { 0, -1 }")
      fails("run: gravity", begin .. ", a_priori = a_priori, gravity = function() return 0, -1 end } sim:run { steps = 1 }")
      -- no gravity is none, and forces of laws and rays are in fx fy
      assert.near(1.5, (support.run("local floc = require 'floc'\n" .. begin .. [[, gravity = { 0, 0 } }
        sim:set_a_priori(function(fx, mass, time_step) return 1 + time_step * fx / mass, 0 end)
        sim:add_field { law = function(x) return 10, 0 end }
        sim:add_particle { position = { 0, 0 }, radius = 1, mass = 2 }
        sim:run { steps = 3 } return sim.vx[1] ]])), 1e-12)
    end
  end)

  it("knows gravity as a function", function()
    for _, scheme in ipairs(matrix.schemes) do
      local cell = cells["gravity, function"]
      if matrix.rows[1][3][scheme] then
        check_acts("gravity, function", cell, scheme)
      else
        check_refused("gravity, function", cell, scheme, matrix.rows[1][3])
      end
    end
  end)

  it("has a row for every method, option and field", function()
    local known = {}
    for _, row in ipairs(matrix.rows) do known[row[2]] = true end
    for _, name in ipairs(matrix.common.methods) do known[name] = true end
    for name in pairs(simulation.methods) do assert.is_true(known[name], "sim:" .. name .. " has no row in scripts/floc/surface/scheme_matrix.lua") end
    for _, name in ipairs(matrix.common.options) do known[name] = true end
    for _, field in ipairs(declarations.simulation) do assert.is_true(known[field.name], field.name .. " of floc.simulation has no row") end
    for _, name in ipairs(matrix.common.fields) do known["sim." .. name] = true end
    for name in pairs(simulation.writers) do assert.is_true(known["sim." .. name], "sim." .. name .. " has no row") end
  end)

  -- Whatever can be given as a scheme is made by check.kinds.
  it("has a column for every scheme", function()
    local listed = {}
    for _, name in ipairs(matrix.schemes) do listed[name] = true end
    assert.are.same(listed, check.serving "scheme")
  end)

  it("common calls work under every scheme", function()
    for _, scheme in ipairs(matrix.schemes) do
      local folder = support.folder()
      support.run(start({ two = true }, scheme) .. string.format([[
        local folder, seen = %q, 0
        sim:add_attribute("heat", 2)
        sim:every(1, function() seen = seen + 1 end)
        sim:observe { path = folder .. "/table.tsv", every = 1, columns = { "center_x" } }
        sim:write_xyz { path = folder .. "/run.xyz", every = 1 }
        sim.vx[1] = 0.1
        sim:run { steps = 2 }
        assert(seen > 0 and sim.heat[1] == 2 and math.abs(sim.x[1] - 0.1 * sim.time) < 1e-12)
        assert(sim:measure "particle_count" == 2 and #sim:hash() > 0 and sim:clusters { by = "gap", gap = 0.01 }.count == 2)
        assert(sim:report() and #sim:columns() > 10 and sim:check_overlap() == 0)
        assert(sim:sum(function(x) return x end) > 1 and sim:trace { source = floc.plane_wave { direction = { 1, 0 }, rays = 10 } })
        sim:picture(folder .. "/now.png")
      ]], folder))
      assert.is_true(support.exists(folder .. "/now.png") and support.exists(folder .. "/run.xyz"))
      support.remove(folder)
    end
  end)
end)
