-- sim:pairs and sim:neighbors: against a look at all pairs, with lists that are filled again, in a resumed run, and what is
-- refused. tests/measures/test_pairs.c tries more ranges.

local support = require "support"

local function run(script) return support.run('local floc = require "floc"\n' .. script) end

local cloud = [[
  local sim = floc.simulation { dimension = 2, time_step = 0.01, domain = floc.box { lower = { 0, 0 }, upper = { 5, 5 } }, boundary = { "periodic", "wall" } }
  sim:add_particles { count = 100, radius = { 0.1, 0.2 }, region = floc.box { lower = { 0.3, 0.3 }, upper = { 4.7, 4.7 } } }
  local place = floc.random "velocities"
  for id = 1, 100 do sim.vx[id] = place:uniform(-1, 1) end
  local function between(i, j)
    local x, y = sim.x[j] - sim.x[i], sim.y[j] - sim.y[i]
    x = x - 5 * math.floor(x / 5 + 0.5)
    return math.sqrt(x * x + y * y), x, y
  end
]]

describe("neighbours", function()
  it("of all particles are those within range, in the order of ids", function()
    local worst, counts = run(cloud .. [[
      local worst, counts, lists = 0, {}
      for round = 1, 3 do
        sim:run { steps = 20 }
        for _, by in ipairs { "surfaces", "centers" } do
          lists = sim:pairs { range = 0.6, by = by, names = { "id_i", "id_j", "distance", "gap", "x", "y" }, into = lists }
          local row = 0
          for i = 1, 100 do
            for j = i + 1, 100 do
              local distance, x, y = between(i, j)
              local gap = distance - sim.radius[i] - sim.radius[j]
              if (by == "surfaces" and gap or distance) <= 0.6 then
                row = row + 1
                assert(lists.id_i[row] == i and lists.id_j[row] == j, "another pair")
                worst = math.max(worst, math.abs(lists.distance[row] - distance), math.abs(lists.gap[row] - gap), math.abs(lists.x[row] - x),
                  math.abs(lists.y[row] - y))
              end
            end
          end
          assert(row == lists.count and row == #lists.id_i and row == #lists.y, "a pair is missing")
          counts[#counts + 1] = row
        end
      end
      return worst, counts ]])
    assert.is_true(worst <= 1e-14, worst)
    assert.are.equal(6, #counts)
    assert.is_true(counts[1] > counts[2] and counts[2] > 0)
  end)

  it("of one particle are its rows of all pairs, and those that touch it without a range", function()
    local touching, coordination = run(cloud .. [[
      sim:run { steps = 40 }
      local all, touching = sim:pairs { range = 0.4 }, 0
      for id = 1, 100 do
        local expected, ids, distances = {}, sim:neighbors(id, 0.4)
        for row = 1, all.count do
          if all.id_i[row] == id then expected[#expected + 1] = all.id_j[row] end
          if all.id_j[row] == id then expected[#expected + 1] = all.id_i[row] end
        end
        table.sort(expected)
        assert(#expected == #ids and #ids == #distances, id)
        for k = 1, #ids do assert(expected[k] == ids[k] and math.abs(between(id, ids[k]) - distances[k]) < 1e-14, id) end
        touching = touching + #sim:neighbors(id)
      end
      return touching, sim:measure "coordination_number" * 100 ]])
    assert.near(coordination, touching, 1e-9)
    assert.is_true(touching > 0)
  end)

  it("that a script refuses are named", function()
    for _, one in ipairs {
      { "sim:pairs {}", "range" }, { "sim:pairs { range = -1 }", "range is -1; it must be a finite number at least 0" },
      { "sim:pairs { range = 1, by = 'center' }", 'by is "center"; it must be one of surfaces, centers' },
      { "sim:pairs { range = 1, names = { 'gaps' } }", 'pairs of neighbours have no "gaps"; did you mean gap?' },
      { "sim:pairs { range = 1, names = 3 }", "names is 3" }, { "sim:pairs { range = 1, into = 3 }", "into is 3" },
      { "sim:neighbors()", "id is missing" }, { "sim:neighbors(0)", "id is 0" }, { "sim:neighbors(3, -1)", "range is -1" },
      { "sim:neighbors(101)", "there is no particle 101; ids are from 1 to 100" }, { "sim:neighbors(1.5)", "id is 1.5" },
    } do
      local message = support.failure('local floc = require "floc"\n' .. cloud .. one[1])
      assert.is_truthy(message:find("script.lua:11: ", 1, true), message)
      assert.is_truthy(message:find(one[2], 1, true), message)
    end
  end)
end)
