-- Shear in any plane of space: what happens is what happens in the plane xy with the axes exchanged, to rounding.

local support = require "support"

local axis_of = { x = 1, y = 2, z = 3 }

local function run(scheme, addition, plane, steps)
  local a, b = axis_of[plane:sub(1, 1)], axis_of[plane:sub(2, 2)]
  return support.run(([=[local floc = require "floc"
    local at = { %d, %d, %d } -- where x, y, z of the plane xy are
    local function placed(list) local result = {} for k, axis in ipairs(at) do result[axis] = list[k] end return result end
    local names = { "x", "y", "z" }
    local sim = floc.simulation { dimension = 3, time_step = 5e-3, boundary = "periodic", threads = 1,
      domain = floc.box { lower = { 0, 0, 0 }, upper = placed { 7, 6, 5 } }, scheme = %s }
    for k = 0, 7 * 6 * 5 - 1 do
      sim:add_particle { position = placed { k %% 7 + 0.5 + 0.05 * math.sin(7 * k), math.floor(k / 7) %% 6 + 0.5 + 0.05 * math.cos(5 * k),
        math.floor(k / 42) + 0.5 + 0.05 * math.sin(3 * k + 1) }, radius = 0.42 + 0.02 * math.sin(11 * k), mass = 1 + 0.1 * (k %% 3),
        velocity = placed { math.sin(13 * k), math.cos(17 * k), math.sin(19 * k) } }
    end
    %s
    sim:deform { shear_rate = 0.9, shear_plane = %q, rate = placed { 0.1, -0.15, 0.02 } }
    sim:run { steps = %d }
    local now, result = sim.domain, {}
    local length = {}
    for axis = 1, 3 do length[axis] = now.upper[axis] - now.lower[axis] end
    for id = 2, sim.count do
      local way = {}
      for k, axis in ipairs(at) do way[k] = sim[names[axis]][id] - sim[names[axis]][1] end
      for k = 3, 1, -1 do
        local side = length[at[k]]
        local turns = math.floor(way[k] / side + 0.5)
        way[k] = way[k] - turns * side
        if k == 2 then way[1] = way[1] - turns * now.offset end
      end
      for k = 1, 3 do result[#result + 1] = way[k] end
    end
    local stress = {}
    for row = 1, 3 do for column = 1, 3 do stress[#stress + 1] = now.stress[at[row]][at[column]] end end
    return { result, stress, { now.offset, now.shear_plane, now.shear_strain }, sim:hash() } ]=]):format(a, b, 6 - a - b, scheme, addition, plane, steps), nil)
end

local cases = {
  { "laws and contacts", "floc.discrete_element { contact = 'hooke', stiffness = 500, damping = 1, integrator = 'velocity_verlet', rotation = true, friction = 'spring', "
    .. "friction_static = 0.4, friction_dynamic = 0.4, friction_stiffness = 200 }",
    "sim:add_force { range = 0.4, law = function(distance, normal_velocity) return 2 * (1.3 - distance) - 0.3 * normal_velocity end } sim:add_flow { flow = 'still', relaxation_time = 0.5 }", 200 },
  { "a projection with friction", "floc.inelastic { tolerance = 1e-9, max_iterations = 100000, friction = 0.4 }", "", 150 },
}

describe("shear in the plane", function()
  for _, case in ipairs(cases) do
    local expected
    for _, plane in ipairs { "xz", "yx", "yz", "zx", "zy" } do
      it(plane .. ", " .. case[1], function()
        expected = expected or run(case[2], case[3], "xy", case[4])
        local found = run(case[2], case[3], plane, case[4])
        local worst, most = 0, 0
        for k, value in ipairs(expected[1]) do worst = math.max(worst, math.abs(value - found[1][k])) end
        for k, value in ipairs(expected[2]) do
          worst, most = math.max(worst, math.abs(value - found[2][k])), math.max(most, math.abs(value))
        end
        assert.is_true(worst < 1e-5, worst)
        assert.is_true(most > 0.05, most)
        assert.are.equal(plane, found[3][2])
        assert.near(expected[3][1], found[3][1], 1e-9)
      end)
    end
  end

  it("resumes, and changes while the cell is upright alone", function()
    local folder = support.folder()
    local text = [[local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 1e-2, boundary = "periodic", domain = floc.box { lower = { 0, 0, 0 }, upper = { 8, 8, 8 } }, scheme = floc.inelastic {} }
      sim:add_particles { count = 200, radius = 0.5, density = 1 }
      sim:deform { shear_rate = 0.5, shear_plane = "zy" }
      sim:checkpoint { path = floc.out .. "/c.floc", every = 70 }
      sim:write_xyz { path = floc.out .. "/a.xyz", every = 90 }
      sim:run { steps = 90 }
      return sim:hash(), sim.domain.offset, sim.domain.shear_plane ]]
    local hash, offset, plane = support.run(text, { out = folder })
    assert.near(0.45 * 8, offset, 1e-9)
    assert.are.equal("zy", plane)
    local again, same_offset, same_plane = support.resume(folder .. "/c.floc", { out = folder })
    assert.are.same({ hash, offset, plane }, { again, same_offset, same_plane })
    assert.is_truthy(support.read(folder .. "/a.xyz"):find('Lattice="8 0 0 0 8 [%-%d%.]+ 0 0 8"'))
    support.remove(folder)
  end)

  it("is refused where it has no meaning", function()
    local function fails(dimension, script, wanted)
      local message = support.failure(([[local floc = require "floc"
        local lower, upper = { 0, 0, 0 }, { 8, 8, 8 }
        if %d == 2 then lower[3], upper[3] = nil, nil end
        local sim = floc.simulation { dimension = %d, time_step = 1e-2, boundary = "periodic", domain = floc.box { lower = lower, upper = upper }, scheme = floc.inelastic {} }
        sim:add_particle { position = upper, radius = 0.5 } ]]):format(dimension, dimension) .. script)
      assert.is_truthy(message:find(wanted, 1, true), message)
    end
    fails(3, "sim:deform { shear_rate = 1, shear_plane = 'zz' }", "shear_plane")
    fails(3, "sim:deform { shear_plane = 'xz' }", "shear_plane has no effect without shear_rate")
    fails(2, "sim:deform { shear_rate = 1, shear_plane = 'xz' }", "the axis z is not periodic")
    fails(3, "sim:deform { shear_rate = 1 } sim:run { steps = 20 } sim:deform { shear_rate = 1, shear_plane = 'xz' }",
      "shear_plane is xz, and the cell is skew in the plane xy; the plane can change only while it is upright")
  end)
end)
