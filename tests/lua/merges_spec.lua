-- sim:merges and sim:write_merges from scripts: streams under both ballistic schemes, files that continue after a resume, refusals.

local support = require "support"

local folder

local gas = [[
  local floc = require "floc"
  local function single(sim) return sim:ballistic_report().clusters == 1 end
  local sim = floc.ballistic_start { count = 100, volume_fraction = 0.2, scheme = %s }
  sim.time_step = 0.25
]]

local schemes = {
  "floc.event_driven {}", "floc.ballistic {}", "floc.ballistic { minimiser = 'arrow_hurwicz' }",
  "floc.ballistic { rigid = true }", "floc.ballistic { rotation = true, step_factor = 0.5 }",
}

local function text(script) return (script:gsub("FOLDER", function() return string.format("%q", folder) end)) end

local function lines_of(path)
  local list = {}
  for line in support.read(path):gmatch "[^\n]+" do list[#list + 1] = line end
  return list
end

describe("merges", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  it("are all there, with every ballistic scheme, and keep momentum", function()
    for _, scheme in ipairs(schemes) do
      local found, of = support.run(gas:format(scheme) .. [[
        sim:merges()
        sim:run { until_ = single }
        return sim:merges(), sim:clusters { by = "link" }.count
      ]])
      assert.are.equal(1, of)
      assert.are.same({ 99, 100, 1, 99, 0, 0 }, { found.count, found.start, found.clusters, found.merges, found.splits, found.outside }, scheme)
      -- who merges with whom, followed from ids alone, has the sizes that the rows have
      local parent, size = {}, {}
      for id = 1, 100 do parent[id], size[id] = id, 1 end
      local function root(id) return parent[id] == id and id or root(parent[id]) end
      for k = 1, found.count do
        local i, j = root(found.id_i[k]), root(found.id_j[k])
        assert.are.same({ size[i], size[j] }, { found.size_i[k], found.size_j[k] })
        parent[j], size[i] = i, size[i] + size[j]
        assert.near(found.mass_i[k] * found.vx_i[k] + found.mass_j[k] * found.vx_j[k], (found.mass_i[k] + found.mass_j[k]) * found.vx[k], 1e-15)
        assert.is_true(k == 1 or found.time[k] >= found.time[k - 1])
      end
    end
  end)

  it("have the time of impact: rigid steps give the times of events", function()
    local lists = {}
    for k, scheme in ipairs { "floc.event_driven {}", "floc.ballistic { rigid = true }" } do
      lists[k] = support.run(gas:format(scheme) .. "sim:merges() sim:run { until_time = 10 } return sim:merges()")
    end
    assert.is_true(lists[1].count > 20)
    for k = 1, 20 do
      assert.near(lists[1].time[k], lists[2].time[k], 1e-9)
      assert.near(lists[1].x[k], lists[2].x[k], 1e-9)
    end
  end)

  it("of steps that are taken back do not count", function()
    local found, report = support.run [[
      local floc = require "floc"
      local sim = floc.ballistic_start { count = 100, volume_fraction = 0.2, scheme = floc.ballistic { step_factor = 6 } }
      sim:merges()
      sim:run { until_ = function(sim) return sim:ballistic_report().clusters == 1 end }
      return sim:merges(), sim:ballistic_report()
    ]]
    assert.is_true(report.retried > 0)
    assert.are.same({ 99, 0 }, { found.count, found.outside })
  end)

  it("are the same in pieces, in callbacks and lists that are filled again", function()
    local whole, parts = support.run(gas:format "floc.event_driven {}" .. [[
      local other = floc.ballistic_start { count = 100, volume_fraction = 0.2, scheme = floc.event_driven {} }
      other.time_step = 0.1
      sim:merges()
      sim:run { until_time = 4 }
      local list, into = {}, other:merges()
      other:every({ time = 0.3 }, function(other)
        for _, time in ipairs(other:merges { into = into }.time) do list[#list + 1] = time end
      end)
      other:run { until_time = 4 }
      for _, time in ipairs(other:merges { into = into }.time) do list[#list + 1] = time end
      return sim:merges { names = { "time" } }, list
    ]])
    assert.is_true(#parts > 10)
    assert.are.same(whole.time, parts)
    assert.is_nil(whole.id_i)
  end)

  local shear = [[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 0.02, scheme = floc.inelastic { tolerance = 1e-8 } }
    sim:add_particles { count = 200, radius = { 0.0085, 0.0115 }, region = floc.box { lower = { -0.3, -0.3 }, upper = { 0.3, 0.3 } } }
    sim:add_flow { flow = "oscillating_shear", frequency = math.pi, relaxation_time = 0.2 }
    sim:add_attraction { kappa = 3e-3, epsilon = 3e-3 }
  ]]

  it("of clusters by gap add up step by step", function()
    local found, rows, count = support.run(shear .. [[
      local rows = 0
      local found = sim:merges { gap = 5e-4, apart = 1e-3 }
      sim:every(1, function(sim)
        found = sim:merges { gap = 5e-4, apart = 1e-3 }
        for _, change in ipairs(found.change) do rows = rows + change end
      end)
      sim:run { steps = 100 }
      return found, rows, sim:clusters { gap = 1e-3 }.count
    ]])
    assert.is_true(found.merges > 50)
    assert.are.equal(0, found.outside)
    assert.are.equal(found.clusters - found.start, rows)
    assert.is_true(found.clusters >= count)
  end)

  it("go into a file, which a resume continues bit for bit", function()
    for name, script in pairs {
      events = gas:format "floc.event_driven {}" .. 'sim:write_merges { path = FOLDER .. "/events.csv", every = 3 } ',
      shear = shear .. 'sim:write_merges { path = FOLDER .. "/shear.csv", every = 3, gap = 5e-4, apart = 1e-3 } ',
    } do
      local path, ending = folder .. "/" .. name .. ".csv", " sim:run { steps = 40 } return sim:hash()"
      local hash = support.run(text(script .. ending))
      local rows = support.read(path)
      assert.is_true(#lines_of(path) > 20)
      assert.matches("^time,change,id_i,id_j,size_i,size_j,mass_i,mass_j,x,y,normal_x,normal_y,vx_i,vy_i,vx_j,vy_j,vx,vy\n", rows)
      support.run(text(script .. "sim:checkpoint { path = FOLDER .. '/run.floc', every = 10, keep = 3 }" .. ending))
      assert.are.equal(rows, support.read(path))
      for _, file in ipairs { "run.floc.1", "run.floc.2" } do
        assert.are.equal(hash, (support.resume(folder .. "/" .. file)))
        assert.are.equal(rows, support.read(path))
      end
    end
  end)

  it("in a .vtp file need places", function()
    assert.matches('names has no "y"', support.failure(text(gas:format "floc.event_driven {}" .. 'sim:write_merges { path = FOLDER .. "/a.vtp", names = { "time", "x" } }')))
  end)

  it("that a script reads between runs come from the record of a resume", function()
    local script = text(gas:format "floc.event_driven {}" .. [[
      sim:merges()
      sim:run { until_time = 4 }
      local first = sim:merges()
      sim:checkpoint { path = FOLDER .. "/run.floc" }
      sim:run { until_time = 12 }
      local second = sim:merges()
      return first.time, second.time, second.merges
    ]])
    local first, second, merges = support.run(script)
    assert.is_true(#first > 3 and #second > 3)
    local again, last, total = support.resume(folder .. "/run.floc")
    assert.are.same(first, again)
    assert.are.same(second, last)
    assert.are.equal(merges, total)
  end)

  it("of bonds of discrete elements, which come apart", function()
    local found = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-3, scheme = floc.discrete_element { contact = "hooke", stiffness = 1e3, bond_law = "persistent",
        bond_stiffness = 1e3, bond_breaking = 0.05, bond_formation = 1, integrator = "velocity_verlet" } }
      for k = 0, 2 do sim:add_particle { position = { k, 0 }, radius = 0.5 } end
      sim:merges()
      sim:add_bond { particles = { 1, 2 }, area = 1 }
      sim:add_bond { particles = { 2, 3 }, area = 1 }
      local made = sim:merges()
      sim:remove_bond { particles = { 1, 2 } }
      local broken = sim:merges()
      return { made.merges, made.clusters, broken.splits, broken.clusters, broken.id_i[1], broken.id_j[1], broken.size_j[1] }
    ]]
    assert.are.same({ 2, 1, 1, 2, 1, 2, 2 }, found)
  end)

  for call, message in pairs {
    ["merges {}"] = "merges: the scheme inelastic has neither bonds nor links; use clusters by gap",
    ["merges { apart = 1 }"] = "merges: apart is 1, which does nothing: it needs gap",
    ["merges { gap = 2, apart = 1 }"] = "merges: apart is 1; it must be at least gap, 2",
    ["merges { gap = -1 }"] = "merges: gap is -1",
    ["merges { gap = 1, names = { 'masses' } }"] = 'merges: merges have no "masses"',
    ["merges { gap = 1, names = {} }"] = "merges: names is",
    ["merges { gap = 1, into = 3 }"] = "merges: into is 3",
    ["merges { gap = 1 } sim:merges { gap = 2 }"] = "merges: merges are recorded by gap, with gap 1 and apart 1, since the first call; they must stay the same",
    ["write_merges { gap = 1 }"] = "write_merges: path is missing",
    ["write_merges { path = FOLDER .. '/a.csv' }"] = "write_merges: the scheme inelastic has neither bonds nor links",
    ["write_merges { path = FOLDER .. '/a.csv', gap = 1 } sim:merges { gap = 1 }"] = "merges: sim:write_merges writes them to",
    ["merges { gap = 1 } sim:write_merges { path = FOLDER .. '/a.csv', gap = 1 }"] = "write_merges: sim:merges of this simulation has been called",
    ["write_merges { path = FOLDER .. '/a.csv', gap = 1, every = 0 }"] = "write_merges: every is 0",
  } do
    it("refuse sim:" .. call, function()
      local got = support.failure(text('local sim = require "floc".simulation { time_step = 1, scheme = require "floc".inelastic {} } sim:' .. call))
      assert.is_truthy(got:find("script.lua:1: " .. message, 1, true), got)
    end)
  end
end)
