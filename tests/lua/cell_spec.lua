-- sim:deform and sim.domain: what scripts see of a cell that moves. The physics is in tests/neighbors/test_moving_box.c.

local support = require "support"

local begin = [[local floc = require "floc"
local sim = floc.simulation { time_step = 1e-3, domain = floc.box { lower = { 0, 0 }, upper = { 10, 8 } }, boundary = "periodic",
  scheme = floc.discrete_element { contact = "hooke", stiffness = 1e4, damping = 20, integrator = "velocity_verlet" } }
sim:add_particles { count = 30, radius = 0.4, mass = 1 }
]]

local function run(text) return support.run(begin .. text) end

local function fails(text, wanted, line)
  local message = support.failure(begin .. text)
  assert.is_truthy(message:find("script.lua:" .. (line or 5) .. ": ", 1, true), message)
  assert.is_truthy(message:find(wanted, 1, true), message)
end

describe("a cell that deforms", function()
  it("shows the domain as it is", function()
    local first, now = run [[local first = sim.domain
      sim:deform { rate = { -0.1, 0.2 }, shear_rate = 0.5 } sim:run { steps = 1000 } return first, sim.domain ]]
    assert.are.same({ { 0, 0 }, { 10, 8 }, 0 }, { first.lower, first.upper, first.offset })
    assert.near(10 * (1 - 1e-4) ^ 1000, now.upper[1] - now.lower[1], 1e-9)
    assert.near(8 * (1 + 2e-4) ^ 1000, now.upper[2] - now.lower[2], 1e-9)
    assert.near(10, now.upper[1] + now.lower[1], 1e-9)
    assert.near(0.5, now.shear_strain, 1e-9)
    assert.near(0.5, now.shear_rate, 1e-9)
    assert.near(math.log((1 - 1e-4) ^ 1000), now.strain[1], 1e-9)
    assert.is_nil((support.run [[local floc = require "floc" return floc.simulation { time_step = 1 }.domain ]]))
  end)

  -- Where a picture has its discs, in lengths of the simulation, from the first of them; the window gives the scale.
  local function discs_of(svg)
    local list = {}
    for x, y in svg:gmatch '<path [^>]*d="M ([%d.]+) ([%d.]+) C [^"]+"/>' do list[#list + 1] = { tonumber(x), tonumber(y) } end
    return list
  end

  it("is drawn skew, with each particle within its outline", function()
    for _, plane in ipairs { "xy", "yx" } do
      local folder = support.folder()
      local x, y, domain = support.run(begin .. string.format([[
        sim:deform { shear_rate = 0.5, shear_plane = %q } sim:run { steps = 700 }
        sim:picture { path = floc.out .. "/a.svg", lower = { -10, -10 }, upper = { 20, 20 }, width = 800 }
        local x, y = {}, {}
        for id = 1, sim.count do x[id], y[id] = sim.x[id], sim.y[id] end
        return x, y, sim.domain ]], plane), { out = folder })
      local discs = discs_of(support.read(folder .. "/a.svg"))
      assert.are.equal(30, #discs)
      local along, up = plane == "xy" and 1 or 2, plane == "xy" and 2 or 1
      local place, length = { x, y }, {}
      for axis = 1, 2 do length[axis] = domain.upper[axis] - domain.lower[axis] end
      assert.is_true(math.abs(domain.offset) > 1)
      local sign = { 1, -1 } -- the sheet's y runs down
      local low, high = 2, 1
      for id = 2, 30 do -- across the shear nothing moves, which gives the scale
        if place[up][id] < place[up][low] then low = id end
        if place[up][id] > place[up][high] then high = id end
      end
      local scale = math.abs((discs[high][up] - discs[low][up]) / (place[up][high] - place[up][low]))
      local moved, least, most = 0, math.huge, -math.huge
      for id = 1, 30 do
        local shown = place[along][1] + sign[along] * (discs[id][along] - discs[1][along]) / scale
        local images = (shown - place[along][id]) / length[along]
        assert.near(0, images - math.floor(images + 0.5), 2e-3)
        if math.floor(images + 0.5) ~= 0 then moved = moved + 1 end
        local within = shown - domain.offset * (place[up][id] - domain.lower[up]) / length[up]
        least, most = math.min(least, within), math.max(most, within)
        assert.near(place[up][1] + sign[up] * (discs[id][up] - discs[1][up]) / scale, place[up][id], 0.05)
      end
      assert.is_true(moved > 2 and most - least <= length[along] + 0.02, plane)
      support.remove(folder)
    end
  end)

  it("follows functions of time", function()
    local now, time = run [[
      sim:deform { shear_rate = function(t) return 0.3 * math.cos(t) end, rate = function(t) return 0.1 * math.cos(2 * t), 0 end }
      sim:run { steps = 2000 } return sim.domain, sim.time ]]
    assert.near(0.3 * math.sin(time), now.shear_strain, 1e-3)
    assert.near(0.05 * math.sin(2 * time), now.strain[1], 1e-3)
    assert.near(0, now.strain[2], 1e-12)
  end)

  it("takes the flow out of temperatures, and leaves it in velocities", function()
    local cold, fast = run [[sim:deform { shear_rate = 2 } sim:run { steps = 1 } return sim:measure "temperature", sim:measure "kinetic_energy" ]]
    assert.is_true(cold < 1e-12 and fast > 100)
  end)

  it("stops where it is, and particles come to be in it", function()
    local a, b, rest = run [[sim:deform { shear_rate = 0.3 } sim:run { steps = 700 } sim:deform {} sim:run { steps = 10 }
      local a = sim.domain sim:add_particles { count = 5, radius = 0.3, mass = 1 } sim:run { steps = 10 }
      return a, sim.domain, { sim:check_overlap(), sim:sum(function(x, y) return x >= 0 and x < 10 and y >= 0 and y < 8 end) } ]]
    assert.near(0.3 * 0.7 * 8, a.offset, 1e-9)
    assert.are.equal(a.offset, b.offset)
    assert.are.equal(35, rest[2])
    assert.is_true(rest[1] < 0.05)
  end)

  it("has no rows of a crystal through faces that are shifted", function()
    local overlap, refused = support.run [[local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, domain = floc.box { lower = { 0, 0 }, upper = { 10, 4 * 3 ^ 0.5 } }, boundary = "periodic",
        scheme = floc.discrete_element { contact = "hooke", stiffness = 1e4, integrator = "velocity_verlet" } }
      sim:deform { shear_rate = 0.5 } sim:run { steps = 100 } sim:deform {}
      local fits = pcall(sim.add_particles, sim, { count = 80, radius = 0.5, mass = 1, placement = "triangular", spacing = 1 })
      sim:add_particles { count = 65, radius = 0.5, mass = 1, placement = "triangular", spacing = 1 }
      return sim:check_overlap(), fits ]]
    assert.is_true(overlap < 1e-9)
    assert.is_false(refused)
  end)

  -- Discs are near each other through the shifted faces, so a packing that knew only upright images would overlap.
  it("is packed densely while it is skew", function()
    for dimension = 2, 3 do
      local overlap, fraction, across = support.run(([[local floc = require "floc"
        local lower, upper, count, wanted = { 0, 0 }, { 10, 8 }, 60, 0.79
        if %d == 3 then lower, upper, count, wanted = { 0, 0, 0 }, { 6, 5, 5 }, 90, 0.56 end
        local sim = floc.simulation { dimension = #lower, time_step = 1e-3, domain = floc.box { lower = lower, upper = upper }, boundary = "periodic",
          scheme = floc.discrete_element { contact = "hooke", stiffness = 1e4, integrator = "velocity_verlet" } }
        sim:deform { shear_rate = 0.37 } sim:run { steps = 900 } sim:deform {}
        sim:add_particles { count = count, radius = { 1, 1.4 }, mass = 1, placement = "dense", volume_fraction = wanted }
        local across, offset = 0, sim.domain.offset
        for i = 1, sim.count do for j = 1, sim.count do
          local dx, dy = sim.x[j] + offset - sim.x[i], sim.y[j] + upper[2] - sim.y[i]
          dx = dx - upper[1] * math.floor(dx / upper[1] + 0.5)
          local dz = #lower == 3 and sim.z[j] - sim.z[i] or 0
          if math.sqrt(dx ^ 2 + dy ^ 2 + dz ^ 2) < 1.15 * (sim.radius[i] + sim.radius[j]) then across = across + 1 end
        end end
        return sim:check_overlap(), sim:measure "volume_fraction" - wanted, across ]]):format(dimension))
      assert.is_true(overlap < 1e-9 and math.abs(fraction) < 1e-9, overlap .. " " .. fraction)
      assert.is_true(across > 4, across)
    end
  end)

  it("resumes bit for bit, functions and all", function()
    local text = begin .. [[local calls = 0
      sim:deform { shear_rate = function(t) calls = calls + 1 return 0.3 * math.cos(3 * t) + 1e-9 * calls end, pressure = 10, relaxation_time = 20 }
      sim:checkpoint { path = floc.out .. "/c.floc", every = 400 }
      sim:run { steps = 900 }
      return sim:hash(), sim.domain.offset, calls ]]
    local folder = support.folder()
    local hash, offset, calls = support.run(text, { out = folder })
    local again, same, same_calls = support.resume(folder .. "/c.floc", { out = folder })
    assert.are.same({ hash, offset, calls }, { again, same, same_calls })
    support.remove(folder)
  end)

  it("writes skew lattices, and pictures", function()
    local folder = support.folder()
    support.run(begin .. [[sim:deform { shear_rate = 0.5 } sim:write_xyz { path = floc.out .. "/a.xyz", every = 500 }
      sim:run { steps = 500 } sim:picture(floc.out .. "/a.png") ]], { out = folder })
    local lattices = {}
    for lattice in support.read(folder .. "/a.xyz"):gmatch 'Lattice="([^"]*)"' do lattices[#lattices + 1] = lattice end
    assert.are.equal("10 0 0 0 8 0 0 0 0.8", lattices[1])
    assert.is_truthy(lattices[#lattices]:find "^10 0 0 2[%.%d]* 8 0 0 0 0.8" or lattices[#lattices]:find "^10 0 0 1.99", lattices[#lattices])
    assert.is_true(support.exists(folder .. "/a.png"))
    support.remove(folder)
  end)

  it("refuses by name", function()
    fails("sim:deform { shear = 1 }", "unknown parameter shear")
    fails("sim:deform { rate = { 0/0, 0 } }", "rate[1]")
    fails("sim:deform { rate = { 1 } }", "rate")
    fails("sim:deform { pressure = 1 }", "relaxation_time is 0; it must be above 0")
    fails("sim:deform { pressure = -1, relaxation_time = 1 }", "pressure is -1")
    fails("sim:deform { stress = { 1, 1 }, rate = function() return 0, 0 end, relaxation_time = 1 }", "a length either has a rate or holds a stress")
    fails("sim:deform { shear_rate = function() return 'a' end } sim:run { steps = 1 }", "shear_rate returned")
    fails("sim:deform { rate = function() return 1 end } sim:run { steps = 1 }", "rate returned 1, nil at t = 0; it must return 2 finite numbers")
    fails("sim.domain = 1", "sim.domain cannot be assigned")
    fails("sim:every(1, function() sim:deform {} end) sim:run { steps = 1 }", "is not allowed inside a callback")
    fails("sim:deform { shear_rate = 1 } sim:run { steps = 5 } sim:coarse_grain { width = 1 }", "coarse_grain is not supported in a cell that deforms")
    fails("sim:deform { shear_rate = 1 } sim:run { steps = 5 } sim:structure_factor { greatest = 3, bins = 3 }", "structure_factor: the cell is skew")
  end)
end)
