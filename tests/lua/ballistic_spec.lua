-- Ballistic aggregation from a script: both schemes, their start, shapes of clusters, resuming in the middle.

local support = require "support"

local head = [[
  local floc = require "floc"
  local function is_single(sim) return sim:ballistic_report().clusters == 1 end
]]

-- Runs one configuration to a single cluster; returns what the body of the script returns.
local function single(scheme, body, count)
  return support.run(head .. ([[
    local sim, radius = floc.ballistic_start { count = %d, volume_fraction = 0.2, scheme = %s }
    sim:run { until_ = is_single }
  ]]):format(count or 100, scheme) .. body)
end

local schemes = {
  "floc.event_driven {}", "floc.ballistic {}", "floc.ballistic { minimiser = 'arrow_hurwicz' }", "floc.ballistic { minimiser = 'stochastic' }",
  "floc.ballistic { rigid = true }", "floc.ballistic { rotation = true, step_factor = 0.5 }",
  "floc.event_driven { rotation = true }",
}

describe("ballistic aggregation", function()
  it("ends with one cluster that touches and does not overlap, with every scheme", function()
    for _, scheme in ipairs(schemes) do
      local report, clusters, overlap = single(scheme, [[
        return sim:ballistic_report(), sim:clusters { by = "link" }, sim:check_overlap()
      ]])
      assert.are.equal(1, report.clusters)
      assert.are.equal(99, report.merges)
      assert.are.equal(1, clusters.count)
      assert.are.equal(100, clusters.largest)
      assert.is_true(report.links >= 99)
      assert.is_true(overlap <= 0.01 + 1e-9, scheme .. ": overlap " .. overlap)
    end
  end)

  it("starts from the paper's lattice", function()
    local sim, radius = support.run(head .. [[
      local sim, radius = floc.ballistic_start { count = 26, dimension = 3, volume_fraction = 0.1, spacing = 2, speed = 3 }
      return sim, radius
    ]])
    assert.are.equal(27, sim.count)
    assert.near(0.1 * 8, 4 / 3 * math.pi * radius ^ 3, 1e-12)
    local fastest = 0
    for id = 1, 27 do
      assert.near(1 + 2 * ((id - 1) % 3), sim.x[id], 1e-12)
      assert.near(1 + 2 * math.floor((id - 1) / 9), sim.z[id], 1e-12)
      fastest = math.max(fastest, math.abs(sim.vx[id]))
    end
    assert.is_true(fastest > 2 and fastest <= 3)
  end)

  it("lets fast collisions bounce", function()
    local vx, report = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1.5, scheme = floc.event_driven { restitution = 0.8, sticking_speed = 0.6 } }
      sim:add_particle { position = { 0, 0 }, velocity = { 1, 0 }, radius = 0.5, mass = 3 }
      sim:add_particle { position = { 2, 0 }, radius = 0.5 }
      sim:run { steps = 1 }
      return sim.vx[1], sim:ballistic_report()
    ]]
    assert.near(1 - (1 + 0.8 * 0.8) * 0.25, vx, 1e-12)
    assert.are.equal(1, report.bounces)
    assert.are.equal(0, report.links)
  end)

  it("turns clusters and shows their angular velocity", function()
    local spin, energy, after = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.125, scheme = floc.ballistic { rotation = true, step_factor = 0, tolerance = 1e-10 } }
      sim:add_particle { position = { 0, 0 }, velocity = { 0, 1 }, radius = 0.5 }
      sim:add_particle { position = { 1 - 1e-12, 0.25 }, velocity = { 0, -1 }, radius = 0.5 }
      sim:run { steps = 1 }
      local energy = sim:report().kinetic_energy
      sim:run { steps = 100 }
      return sim.angular_velocity_z[1], energy, sim:report().kinetic_energy
    ]]
    assert.near(-1 / 0.75, spin, 1e-9)
    assert.near(0.5 * 0.75 * (1 / 0.75) ^ 2, energy, 1e-9)
    assert.near(energy, after, 1e-9)
  end)

  it("says what is wrong", function()
    for _, case in ipairs {
      { "floc.ballistic { minimiser = 'arrow' }", 'minimiser is "arrow"; it must be one of projection, arrow_hurwicz, stochastic' },
      { "floc.ballistic { rigid = true, rotation = true }", "rigid and rotation are both true" },
      { "floc.ballistic { tolerance = 0 }", "tolerance is 0; it must be a finite number above 0" },
      { "floc.event_driven { restitution = 2 }", "restitution is 2; it must be a finite number at least 0 and at most 1" },
      { "floc.event_driven { restitutoin = 1 }", "unknown parameter restitutoin; did you mean restitution?" },
      { "floc.ballistic_start { count = 10, volume_fraction = 0.6, dimension = 3 }", "volume_fraction is 0.6; it must be below 0.524" },
      { "floc.ballistic_start { volume_fraction = 0.1 }", "count is missing" },
    } do
      local message = support.failure("local floc = require 'floc'\n" .. case[1])
      assert.is_truthy(message:find(case[2], 1, true), message)
      assert.is_truthy(message:find("script.lua:2:", 1, true), message)
    end
    local message = support.failure [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1, gravity = { 0, -1 }, scheme = floc.ballistic {} }
      sim:add_particle { position = { 0, 0 }, radius = 0.5 }
      sim:run { steps = 1 }
    ]]
    assert.is_truthy(message:find("simulation: gravity is not supported under the scheme ballistic; inelastic, gluey, discrete_element and event_driven do it", 1, true), message)
    message = support.failure [[
      local floc = require "floc"
      floc.simulation { time_step = 1 }:ballistic_report()
    ]]
    assert.is_truthy(message:find("the scheme is inelastic", 1, true), message)
  end)
end)

-- The engine's tests hold falling clusters against a plain program (tests/schemes/event_driven).
describe("event-driven flight in gravity", function()
  local start = [[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 0.25, gravity = { 0, -2 }, scheme = floc.event_driven {},
      domain = floc.box { lower = { 0, 0 }, upper = { 20, 20 } }, boundary = "wall" }
  ]]

  it("hands out merges, places and velocities at rest in the box", function()
    -- Masses 1 and 3 meet at t = 1 at the height 10 - 1 and fly apart from nothing: mean velocity -0.5, less 2 t.
    local seen = support.run(start .. [[
      sim:add_particle { position = { 5, 10 }, velocity = { 1, 0 }, radius = 0.5, mass = 1 }
      sim:add_particle { position = { 8, 10 }, velocity = { -1, 0 }, radius = 0.5, mass = 3 }
      sim:add_particle { position = { 15, 0.5 }, velocity = { 0, 6 }, radius = 0.5, mass = 1 }
      sim:merges()
      sim:run { steps = 6 }
      local found = sim:merges()
      return { found.time[1], found.y[1], found.vy_i[1], found.vx[1], found.vy[1], sim.vy[1], sim.y[1], sim.vy[3], sim.y[3], sim.time }
    ]])
    for k, value in ipairs { 1, 9, -2, -0.5, -2, -3, 10 - 2.25, 3, 0.5 + 9 - 2.25, 1.5 } do assert.near(value, seen[k], 1e-12, "number " .. k) end
  end)

  it("takes another gravity between steps", function()
    local found = support.run(start .. [[
      sim:add_particle { position = { 5, 10 }, radius = 0.5 }
      sim:add_particle { position = { 9, 10 }, radius = 0.5 }
      sim:run { steps = 4 }
      sim.gravity = { 0, 2 }
      sim:run { steps = 4 }
      return { sim.y[1], sim.vy[1] }
    ]])
    assert.near(8, found[1], 1e-12)
    assert.near(0, found[2], 1e-12)
  end)

  it("says what a wall would have to hold up", function()
    local message = support.failure(start .. [[
      sim:add_particle { position = { 5, 9 }, radius = 0.5 }
      sim:add_particle { position = { 8, 0.5 }, radius = 0.5 }
      sim:run { steps = 1 }
    ]])
    assert.is_truthy(message:find("particle 2, or the cluster that it is in, rests on a wall across axis 1: under event_driven walls reflect what flies", 1, true), message)
  end)
end)

describe("shapes of clusters", function()
  local rows = [[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 1, scheme = floc.event_driven {} }
    local function row(n, x, y, dx, dy)
      for k = 0, n - 1 do sim:add_particle { position = { x + dx * k, y + dy * k }, radius = 0.5 } end
    end
  ]]

  it("are measured of one cluster or of all", function()
    local line, square, numbers = support.run(rows .. [[
      row(4, 0, 0, 1, 0)
      for k = 0, 2 do row(3, 20 + k, 20, 0, 1) end
      sim:run { steps = 1 }
      return sim:gyration { cluster = 1 }, sim:gyration { cluster = "largest" }, { sim:gyration().count, sim:contact_number { cluster = 1, factor = 2.002 }, sim:contact_number { cluster = 2, factor = 2.002 },
          sim:contact_number { factor = 2.002 }, sim:contact_number { by = "gap", gap = 0.1, cluster = "largest" } }
    ]])
    assert.are.equal(4, line.count)
    assert.near(1.25, line.eigenvalues[1], 1e-12)
    assert.are.same({ 1, 0 }, { line.orientation[1], math.abs(line.orientation[2]) })
    assert.are.equal(9, square.count)
    assert.near(1, square.aspect_ratio, 1e-9)
    assert.near(21, square.center[1], 1e-12)
    assert.near(math.sqrt(4 / 3), square.radius, 1e-12)
    assert.near(2 / 3, square.tensor[1][1], 1e-12)
    for k, expected in ipairs { 13, 1.5, 24 / 9, 30 / 13, 24 / 9 } do assert.near(expected, numbers[k], 1e-12) end
  end)

  it("have pair distributions and sizes", function()
    local within, sizes, numbers = support.run(rows .. [[
      row(3, 0, 0, 1, 0)
      row(3, 0, 10, 1, 0)
      row(1, 50, 50, 0, 0)
      sim:run { steps = 1 }
      local sizes, numbers = sim:cluster_sizes()
      return sim:pair_distribution { distances = { 0.5, 1, 2 }, cluster = 2 }, sizes, numbers
    ]])
    assert.are.same({ 0, 4 / 3, 2 }, within)
    assert.are.same({ 1, 3 }, sizes)
    assert.are.same({ 1, 2 }, numbers)
  end)

  it("have fractal dimensions", function()
    local boxes, mass = support.run(rows .. [[
      for k = 0, 31 do row(32, k, 0, 0, 1) end
      sim:run { steps = 1 }
      return sim:box_counting { side = 32, corner = { -0.5, -0.5 } }, sim:mass_radius { greatest = 15 }
    ]])
    assert.near(2, boxes.dimension, 0.01)
    assert.are.equal(16, boxes.x[1])
    assert.are.equal(4, boxes.y[1])
    assert.is_true(boxes.first == 1 and boxes.last > 2)
    assert.near(2, mass.dimension, 0.1)
  end)

  it("scale over many clusters", function()
    local scaling = support.run [[
      local floc = require "floc"
      local sim = floc.ballistic_start { count = 3600, volume_fraction = 0.05, time_step = 12 }
      sim:run { steps = 1 }
      return sim:cluster_scaling { least_count = 3 }
    ]]
    assert.is_true(scaling.dimension > 1.2 and scaling.dimension < 2, "dimension " .. scaling.dimension)
  end)

  it("say what is wrong", function()
    for _, case in ipairs {
      { "sim:gyration { cluster = 7 }", "7" },
      { "sim:gyration { cluster = 'biggest' }", 'cluster is "biggest"; it must be one of all, largest, or an integer, at least 1' },
      { "sim:contact_number { factor = -1 }", "factor is -1" },
      { "sim:pair_distribution { distances = { 2, 1 } }", "distances[2] is 1; it must be a finite number, at least the one before" },
      { "sim:pair_distribution {}", "distances is missing" },
      { "sim:box_counting { least = 50, greatest = 60, side = 10 }", "box_counting: " },
    } do
      local message = support.failure(rows .. "row(4, 0, 0, 1, 0)\nsim:run { steps = 1 }\n" .. case[1])
      assert.is_truthy(message:find(case[2], 1, true), message)
    end
  end)
end)

-- A run that writes its checkpoint in the middle, and continues to the same bits, whichever way it comes there.
describe("resuming ballistic runs", function()
  local script = [[
    local floc = require "floc"
    local sim = floc.ballistic_start { count = 400, volume_fraction = 0.25, time_step = %s, scheme = %s, boundary = "%s" }
    sim.state.clusters = {}
    sim:checkpoint { path = "%s", every = 7, keep = 1 }
    sim:run { steps = %d }
    local before = sim:gyration { cluster = "largest" }.radius
    sim:checkpoint "%s.later"
    sim:run { steps = 20 }
    local report = sim:ballistic_report()
    return sim:hash(), report.clusters .. " " .. report.links .. " " .. report.merges .. " " .. before, sim.step
  ]]

  it("is bit for bit, the queue included", function()
    for k, scheme in ipairs(schemes) do
      local folder = support.folder()
      local path = folder .. "/run.floc"
      local text = script:format(scheme:find "event" and "0.4" or "1e6", scheme, k % 2 == 1 and "wall" or "periodic", path, 13, path)
      local hash, counts, step = support.run(text)
      for _, threads in ipairs { 1, 3 } do
        for _, file in ipairs { path .. ".later", path } do
          if support.exists(file) then
            local again, counts_again, step_again = support.resume(file, { threads = threads })
            assert.are.equal(hash, again, scheme .. " from " .. file)
            assert.are.equal(counts, counts_again)
            assert.are.equal(step, step_again)
          end
        end
      end
      support.remove(folder)
    end
  end)

  it("resumes in the middle of the events, by the engine's own files", function()
    local folder = support.folder()
    local hash, again = support.run(([[
      local floc = require "floc"
      local core = require "floc.core"
      local function make(threads)
        return floc.ballistic_start { count = 900, volume_fraction = 0.3, time_step = 0.3, threads = threads }
      end
      local sim = make(1)
      sim:run { steps = 5 }
      sim:checkpoint "%s/middle.floc"
      local queue = sim:ballistic_report().queue_length
      assert(queue > 100)
      sim:run { steps = 200 }
      local other = make(8)
      local world = getmetatable(other).inner.world
      assert(core.load(world, "%s/middle.floc"))
      assert(other:ballistic_report().queue_length <= queue)
      other:run { steps = 200 }
      return sim:hash(), other:hash()
    ]]):format(folder, folder))
    assert.are.equal(hash, again)
    support.remove(folder)
  end)
end)
