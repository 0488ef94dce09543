-- Coarse-grained fields: mass and stress are whole, one grain has a closed form, mass is conserved at every point; the .vti file;
-- what is refused.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end

describe("coarse-grained fields", function()
  for dimension = 2, 3 do
    for _, boundary in ipairs { "periodic", "open", "wall" } do
      for name, scheme in pairs { elements = "floc.discrete_element { contact = 'hooke', stiffness = 1e4, integrator = 'velocity_verlet' }", projection = "floc.inelastic { friction = 0.2 }" } do
        it(("hold all of the mass, the momentum and the stress: %d-D, %s, %s"):format(dimension, boundary, name), function()
          local found = run(([[
            local dimension, boundary = %d, %q
            local function vector(x, y, z) return dimension == 2 and { x, y } or { x, y, z } end
            local sim = floc.simulation { dimension = dimension, time_step = 1e-3, scheme = %s, gravity = vector(0, -5, 0), boundary = boundary,
              domain = boundary ~= "open" and floc.box { lower = vector(0, 0, 0), upper = vector(2, 2, 2) } or nil }
            local count = dimension == 2 and 20 or 40
            sim:add_particles { count = count, radius = { 0.1, 0.15 }, region = floc.box { lower = vector(0.2, 0.2, 0.2), upper = vector(1.8, 1.8, 1.8) }, mass = 2 }
            sim:add_force { range = 0.2, law = function(overlap) return 30 * (overlap + 0.2) end }
            local place = floc.random "velocities"
            for id = 1, count do sim.vx[id], sim.vy[id] = place:uniform(-1, 1), place:uniform(-1, 1) end
            sim:run { steps = 200 }
            local field, stress = sim:coarse_grain { width = 0.3, grid = vector(9, 7, 5) }, sim:stress { volume = 1 }
            local cell = 1
            for axis = 1, dimension do cell = cell * field.spacing[axis] end
            local function sum(list)
              local total = 0
              for _, value in ipairs(list) do total = total + value end
              return total * cell
            end
            local worst = math.abs(sum(field.density) / sim:measure "total_mass" - 1)
            worst = math.max(worst, math.abs(sum(field.momentum_x) - sim:measure "momentum_x") / 80, math.abs(sum(field.momentum_y) - sim:measure "momentum_y") / 80)
            local size, letters = 0, { "x", "y", "z" }
            for row = 1, dimension do
              for column = 1, dimension do
                local component = "_" .. letters[row] .. letters[column]
                size = math.max(size, math.abs(stress.laws[row][column]), math.abs(stress.contacts[row][column]))
                worst = math.max(worst, math.abs(sum(field["contact_stress" .. component]) - stress.contacts[row][column]) / 50,
                  math.abs(sum(field["law_stress" .. component]) - stress.laws[row][column]) / 50)
              end
            end
            assert(#field.density == 63 * (dimension == 3 and 5 or 1) and field.cells[2] == 7, "another grid")
            return { worst, size, math.abs(sum(field.kinetic_stress_xx)) } ]]):format(dimension, boundary, scheme))
          assert.is_true(found[1] < 1e-12, found[1])
          assert.is_true(found[2] > 0.5, found[2])
          assert.is_true(found[3] > 1, found[3])
        end)
      end
    end
  end

  -- Means of the normal density over cells, by Simpson's rule.
  it("of one grain are the kernel, and the kinetic stress is that of velocities about the field's", function()
    local worst, momentum = run [[
      local sim = floc.simulation { time_step = 1e-3 }
      sim:add_particle { position = { 0.3, 0.1 }, radius = 0.1, mass = 3, velocity = { 2, 0 } }
      local field = sim:coarse_grain { width = 0.4, grid = { 12, 10 }, lower = { -1, -1 }, upper = { 2, 1.5 } }
      local function mean(a, b, x)
        local sum, n = 0, 200
        for k = 0, n do
          local at = (a + (b - a) * k / n - x) / 0.4
          sum = sum + (k == 0 and 1 or k == n and 1 or k % 2 == 1 and 4 or 2) * math.exp(-0.5 * at * at) / (0.4 * math.sqrt(2 * math.pi))
        end
        return sum / (3 * n) / (1 - 1.973175290075396e-9) -- what is beyond six deviations
      end
      local worst, momentum, cell = 0, 0, 0
      for j = 1, 10 do
        for i = 1, 12 do
          cell = cell + 1
          local expected = 3 * mean(-1 + 0.25 * (i - 1), -1 + 0.25 * i, 0.3) * mean(-1 + 0.25 * (j - 1), -1 + 0.25 * j, 0.1)
          worst = math.max(worst, math.abs(field.density[cell] - expected))
          momentum = math.max(momentum, math.abs(field.momentum_x[cell] - 2 * field.density[cell]), math.abs(field.stress_xx[cell]))
        end
      end
      return worst, momentum ]]
    assert.is_true(worst < 1e-11, worst)
    assert.is_true(momentum < 1e-14, momentum)
  end)

  -- d rho/dt + div p = 0: differences in time over two steps, in space of the sixth order.
  -- At one place the masses 1 and 3 have 3 and -1 about the common (5, 2): the mean square is (9 + 3)/4, shared by the components.
  it("have the granular temperature of velocities about the field's", function()
    for dimension = 2, 3 do
      local worst, cells = run(("local dimension = %d\n"):format(dimension) .. [[
        local function vector(x, y, z) return dimension == 2 and { x, y } or { x, y, z } end
        local sim = floc.simulation { dimension = dimension, time_step = 1e-3, scheme = floc.discrete_element { contact = "none" } }
        sim:add_particle { position = vector(0.3, 0.1, 0), radius = 0.1, mass = 1, velocity = vector(8, 2, 0), allow_overlap = true }
        sim:add_particle { position = vector(0.3, 0.1, 0), radius = 0.1, mass = 3, velocity = vector(4, 2, 0), allow_overlap = true }
        local field, worst = sim:coarse_grain { width = 0.4, grid = vector(9, 8, 7) }, 0
        for _, temperature in ipairs(field.granular_temperature) do worst = math.max(worst, math.abs(temperature - 3 / dimension)) end
        return worst, #field.granular_temperature ]])
      assert.equal(dimension == 2 and 72 or 504, cells)
      assert.is_true(worst < 1e-12, worst)
    end
  end)

  it("satisfy the continuity equation", function()
    local worst, size = run [[
      local h, n, side = 1e-4, 120, 6
      local sim = floc.simulation { time_step = h, boundary = "periodic", domain = floc.box { lower = { 0, 0 }, upper = { side, side } },
        scheme = floc.discrete_element { contact = "none", integrator = "velocity_verlet" } }
      local place = floc.random "places"
      for id = 1, 12 do
        sim:add_particle { position = { place:uniform(0, side), place:uniform(0, side) }, radius = 0.1, mass = place:uniform(1, 2), allow_overlap = true,
          velocity = { place:uniform(-1, 1), place:uniform(-1, 1) } }
      end
      local fields = {}
      for k = 1, 3 do
        fields[k] = sim:coarse_grain { width = 0.8, grid = { n, n } }
        sim:run { steps = 1 }
      end
      local worst, size = 0, 0
      local px, py = fields[2].momentum_x, fields[2].momentum_y
      local function at(list, i, j) return list[(j % n) * n + i % n + 1] end
      local function slope(list, i, j, x, y)
        local function difference(d) return at(list, i + d * x, j + d * y) - at(list, i - d * x, j - d * y) end
        return (45 * difference(1) - 9 * difference(2) + difference(3)) / (60 * side / n)
      end
      for j = 0, n - 1 do
        for i = 0, n - 1 do
          local rate = (at(fields[3].density, i, j) - at(fields[1].density, i, j)) / (2 * h)
          worst, size = math.max(worst, math.abs(rate + slope(px, i, j, 1, 0) + slope(py, i, j, 0, 1))), math.max(size, math.abs(rate))
        end
      end
      return worst, size ]]
    assert.is_true(size > 0.1, size)
    assert.is_true(worst / size < 1e-6, worst / size)
  end)

  it("are written as a .vti file", function()
    local folder = support.folder()
    local field, count = run(([[
      local sim = floc.simulation { time_step = 1e-3 }
      sim:add_particle { position = { 0.3, 0.1 }, radius = 0.1, mass = 3, velocity = { 2, 0 } }
      local field = sim:coarse_grain { width = 0.4, grid = { 3, 2 }, lower = { -1, -1 }, upper = { 2, 1 }, path = %q }
      return field, sim.count ]]):format(folder .. "/field.vti"))
    assert.are.equal(1, count)
    local text = support.read(folder .. "/field.vti")
    support.remove(folder)
    assert.is_truthy(text:find('<ImageData WholeExtent="0 3 0 2 0 1" Origin="-1 -1 0" Spacing="1 1 1">', 1, true))
    local arrays = 0
    for name, components, numbers in text:gmatch '<DataArray type="Float64" Name="([%a_]+)" NumberOfComponents="(%d)" format="ascii">(.-)</DataArray>' do
      local list = {}
      for number in numbers:gmatch "%S+" do list[#list + 1] = tonumber(number) end
      arrays = arrays + 1
      assert.are.equal(6 * components, #list)
      for cell = 1, 6 do
        if name == "density" then assert.are.equal(field.density[cell], list[cell]) end
        if name == "momentum" then assert.are.equal(field.momentum_x[cell], list[3 * cell - 2]) end
        if name == "kinetic_stress" then assert.are.equal(field.kinetic_stress_xy[cell], list[9 * cell - 7]) end
      end
    end
    assert.are.equal(9, arrays)
  end)

  it("that are refused are named", function()
    for _, one in ipairs {
      { "sim:coarse_grain {}", "width is missing" }, { "sim:coarse_grain { width = 0 }", "width is 0; it must be a finite number above 0" },
      { "sim:coarse_grain { width = 1, grid = { 3 } }", "grid has 1 numbers; it must have one for each axis, 2" },
      { "sim:coarse_grain { width = 1, grid = { 3, 2.5 } }", "grid[2] is 2.5; it must be an integer" },
      { "sim:coarse_grain { width = 1, grid = { 30000, 30000 } }", "the grid has 900000000 cells" },
      { "sim:coarse_grain { width = 1, lower = { 0, 0 } }", "lower is given without upper" },
      { "sim:coarse_grain { width = 1, lower = { 0, 2 }, upper = { 0, 1 } }", "upper is 1 on the axis y; it must be above lower, 2" },
      { "sim:coarse_grain { width = 1, lower = { 1, 0 }, upper = { 2, 0 } }", "lower and upper are given on the axis x, which is periodic" },
      { "sim:add_angle_force { name = 'bend', law = function() return 1 end } sim:coarse_grain { width = 1 }", 'coarse_grain: the law of angles "bend"' },
    } do
      local message = support.failure([[
local floc = require "floc"
local sim = floc.simulation { time_step = 1e-3, domain = floc.box { lower = { 0, 0 }, upper = { 2, 2 } }, boundary = { "periodic", "open" } }
sim:add_particle { position = { 0.3, 0.1 }, radius = 0.1, mass = 3 }
]] .. one[1])
      assert.is_truthy(message:find("script.lua:4: ", 1, true), message)
      assert.is_truthy(message:find(one[2], 1, true), message)
    end
  end)
end)
