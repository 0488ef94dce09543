-- Columns that scripts write between steps: neighbour lists that stand must still hold all who are near. Radii that grow and
-- positions that jump, in both schemes, against all pairs looked at one by one; the same bits at 1 to 3 threads and after a resume.

local support = require "support"

local schemes = {
  { "discrete elements", 'floc.discrete_element { contact = "hooke", stiffness = 100, integrator = "velocity_verlet" }' },
  { "the trapezoidal rule", 'floc.discrete_element { contact = "hooke", stiffness = 100, integrator = "trapezoidal", adaptive = false }' },
  { "the projection", "floc.inelastic {}" },
  { "the projection with friction", "floc.inelastic { friction = 0.3 }" },
}

-- Balls on a lattice, at rest, whose surfaces are 0.2 apart.
local function lattice(scheme, threads, walls)
  return string.format([[
    local floc = require "floc"
    local sim = floc.simulation { dimension = 3, time_step = 1e-4, threads = %d, scheme = %s }
    for k = 0, 124 do
      sim:add_particle { position = { k %% 5, math.floor(k / 5) %% 5, math.floor(k / 25) }, radius = 0.4, mass = 1 }
    end
    if %s then sim:add_body { shape = floc.plane { point = { 0, 0, -0.6 }, normal = { 0, 0, 1 } } } end ]], threads, scheme, tostring(walls))
end

describe("radii that a script writes", function()
  for _, scheme in ipairs(schemes) do
    for _, walls in ipairs { false, true } do
      it("bring particles into contact" .. (walls and " with a wall, " or ", ") .. scheme[1], function()
        local found = support.run(lattice(scheme[2], 1, walls) .. [[
          sim:run { steps = 3 } -- there are lists
          sim.radius[1] = 0.62 -- reaches three neighbours, and the wall
          sim.radius[63] = 0.61 -- six
          sim:run { steps = 1 }
          local with = {}
          for _, contact in ipairs(sim:contacts()) do
            if contact.impulse > 0 then for _, id in ipairs { contact.id_i, contact.id_j } do with[id] = (with[id] or 0) + 1 end end
          end
          local pushed = 0
          for id = 1, sim.count do pushed = pushed + (math.abs(sim.vx[id]) + math.abs(sim.vy[id]) + math.abs(sim.vz[id]) > 1e-9 and 1 or 0) end
          return { with[1] or 0, with[63] or 0, pushed } ]])
        assert.are.equal(walls and 4 or 3, found[1])
        assert.are.equal(6, found[2])
        assert.is_true(found[3] >= 9)
      end)
    end

    it("that grow slowly find every neighbour, on any number of threads and after a resume, " .. scheme[1], function()
      local function growing(threads, before)
        return lattice(scheme[2], threads, true) .. (before or "") .. [[
          sim:every(1, function() for id = 1, sim.count, 3 do sim.radius[id] = sim.radius[id] + 1e-3 end end)
          sim:run { steps = 260 } ]]
      end
      -- every third ball has grown by 0.26: it reaches balls of 0.4 and others of its kind
      local count, expected = support.run(growing(1) .. [[
        local pairs_there, expected = {}, 0
        for _, contact in ipairs(sim:contacts()) do
          if contact.id_j and contact.distance < -1e-6 then pairs_there[contact.id_i .. " " .. contact.id_j] = true end
        end
        local count = 0
        for _ in pairs(pairs_there) do count = count + 1 end
        for i = 1, sim.count do for j = i + 1, sim.count do
          local x, y, z = sim.x[i] - sim.x[j], sim.y[i] - sim.y[j], sim.z[i] - sim.z[j]
          if math.sqrt(x * x + y * y + z * z) < sim.radius[i] + sim.radius[j] - 1e-6 then expected = expected + 1 end
        end end
        return count, expected ]])
      assert.are.equal(expected, count)
      local bits = support.run(growing(1) .. "return sim:hash()")
      for threads = 2, 3 do assert.are.equal(bits, (support.run(growing(threads) .. "return sim:hash()"))) end
      local folder = support.folder()
      local path = folder .. "/run.state"
      assert.are.equal(bits, (support.run(growing(2, string.format("sim:checkpoint { path = %q, every = 171 } ", path)) .. "return sim:hash()")))
      assert.are.equal(bits, (support.resume(path)))
      support.remove(folder)
    end)
  end

  it("count in what is found between steps", function()
    local found = support.run(lattice(schemes[1][2], 1, false) .. [[
      sim:run { steps = 3 }
      local before = #sim:contacts()
      sim.radius[63] = 0.61
      return { before, #sim:contacts() } ]])
    assert.are.same({ 0, 6 }, found)
  end)
end)

describe("positions that a script writes", function()
  for _, scheme in ipairs(schemes) do
    it("bring particles into contact, " .. scheme[1], function()
      local found = support.run(lattice(scheme[2], 1, true) .. [[
        sim:run { steps = 3 }
        sim.x[1], sim.y[1], sim.z[1] = 2, 1.25, 2 -- beside ball 58, which is at 2, 1, 2; ball 63 at 2, 2, 2
        sim.z[2] = -0.25 -- into the plane
        sim:run { steps = 1 }
        local with, wall = {}, 0
        for _, contact in ipairs(sim:contacts()) do
          if contact.id_i == 1 and contact.impulse > 0 then with[#with + 1] = contact.id_j end
          if contact.id_i == 2 and contact.body and contact.impulse > 0 then wall = wall + 1 end
        end
        table.sort(with)
        return { with[1] or 0, with[2] or 0, wall } ]])
      assert.are.same({ 58, 63, 1 }, found)
    end)
  end
end)
