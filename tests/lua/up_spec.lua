-- Up: pictures, collections for the page and checkpoints agree on it; funnels, containers and wheels along an axis; those
-- that lie on their side are told of, quiet or not.

local support = require "support"
local view = require "floc.command.view"

local folder

local function text(script) return (script:gsub("FOLDER", function() return string.format("%q", folder) end)) end

-- The script's results, and what it wrote to standard error.
local function told(script, options)
  local lines, write = {}, io.stderr
  local tell = require("floc.session.warnings").tell
  require("floc.session.warnings").tell = function(_, _, line) lines[#lines + 1] = line end
  local ok, a, b = pcall(support.run, text(script), options)
  require("floc.session.warnings").tell = tell
  assert(write == io.stderr)
  if not ok then error(a, 0) end
  return lines, a, b
end

local grains = [[
  local floc = require "floc"
  local function make(options)
    options.time_step, options.dimension = 0.01, 3
    local sim = floc.simulation(options)
    for k = 1, 5 do sim:add_particle { position = { 0.3 * k, k * k / 10, -0.2 * k }, radius = 0.1 } end
    return sim
  end
]]

describe("up", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  it("is against gravity at the start of the first run, or what the script says, or y", function()
    local got = support.run(grains .. [[
      local function shown(v) return string.format("%.3f %.3f %.3f", v[1] + 0, v[2] + 0, v[3] + 0) end
      local got = {}
      local function add(sim) sim:run { steps = 1 } got[#got + 1] = shown(sim.up) end
      add(make {})
      add(make { gravity = { 0, 0, -9.81 } })
      add(make { gravity = { 3, 0, 4 } })
      add(make { gravity = function(t) return 0, t > 0.005 and -1 or 0, t > 0.005 and 0 or -1 end })
      add(make { up = { 0, 2, 2 }, gravity = { 0, 0, -1 } })
      local late = make {}
      late.gravity = { -1, 0, 0 }
      got[#got + 1] = shown(late.up)
      late:run { steps = 1 }
      late.gravity = { 0, -1, 0 }
      add(late)
      return got
    ]])
    assert.are.same({ "0.000 1.000 0.000", "0.000 0.000 1.000", "-0.600 0.000 -0.800", "0.000 0.000 1.000", "0.000 0.707 0.707",
      "1.000 0.000 0.000", "1.000 0.000 0.000" }, got)
  end)

  it("is upwards in pictures: the same as one that says so, and another than with y", function()
    if not support.core.picture then return pending "built without pictures" end
    support.run(text(grains .. [[
      local folder = FOLDER
      local sim, other = make { gravity = { 0, 0, -9.81 } }, make {}
      sim:picture { path = folder .. "/a.png", width = 300 }
      sim:picture { path = folder .. "/b.png", width = 300, up = { 0, 0, 5 }, direction = { -0.45, 1, -0.4 } }
      sim:picture { path = folder .. "/c.png", width = 300, up = { 0, 1, 0 } }
      other:picture { path = folder .. "/d.png", width = 300 }
      other:picture { path = folder .. "/e.png", width = 300, direction = { -0.45, -0.4, -1 } }
      sim:picture { path = folder .. "/f.png", width = 300, direction = { 0, 0, -2 } }
      other:picture { path = folder .. "/g.png", width = 300, direction = { 0, 0, -2 } }
    ]]))
    local function file(name) return support.read(folder .. "/" .. name .. ".png") end
    assert.is_true(file "a" == file "b")
    assert.is_true(file "c" == file "d" and file "d" == file "e")
    assert.is_false(file "a" == file "c")
    assert.is_true(file "f" == file "g") -- from above: y is upwards, as on the page
  end)

  it("is the same on the page of a run and of a checkpoint", function()
    support.run(text(grains .. [[
      local folder = FOLDER
      local sim = make { gravity = function(t) return t > 0.015 and -1 or 0, 0, t > 0.015 and 0 or -1 end }
      sim:write_vtp { path = folder .. "/run", every = 1 }
      sim:checkpoint { path = folder .. "/run.floc", every = 4 }
      sim:run { steps = 5 }
    ]]))
    local run = view.find(folder .. "/run.pvd")
    assert.are.same({ 0, 0, 1 }, run.up)
    assert.are.equal(6, #run.frames)
    local camera = view.camera(run.up)
    assert.are.same({ 0, 0, 1 }, camera.up)
    assert.are.same({ 0.45, -1, 0.4 }, camera.eye)
    assert.are.same({ 0, 1, 0 }, view.camera(nil).up)
    assert.are.same({ 0.45, 0.4, 1 }, view.camera({}).eye)
    assert.are.same({ 0, 1, 0 }, view.camera({ "a", 1, 0 / 0 }).up)
    local resumed = support.resume(folder .. "/run.floc")
    assert.is_nil(resumed)
    assert.are.same({ 0, 0, 1 }, view.find(folder .. "/run.pvd").up)
  end)

  it("survives a resume, although gravity has turned", function()
    local script = grains .. [[
      local sim = make { gravity = function(t) return t > 0.015 and -1 or 0, 0, t > 0.015 and 0 or -1 end }
      sim:checkpoint { path = FOLDER .. "/run.floc", every = 4 }
      sim:run { steps = 5 }
      return sim.up
    ]]
    assert.are.same({ 0, 0, 1 }, support.run(text(script)))
    assert.are.same({ 0, 0, 1 }, (support.resume(folder .. "/run.floc")))
  end)

  it("is refused where it means nothing", function()
    assert.matches("script.lua:1: simulation: up is given, but it applies to three dimensions only",
      support.failure "require('floc').simulation { time_step = 1, up = { 0, 1 } }")
    assert.matches("script.lua:1: simulation: up is 0; it must have a direction",
      support.failure "require('floc').simulation { time_step = 1, dimension = 3, up = { 0, 0, 0 } }")
    if not support.core.picture then return end
    assert.matches("picture: up is given, but it applies to three", support.failure(text
      "require('floc').simulation { time_step = 1 }:picture { path = FOLDER .. '/a.png', up = { 0, 1 } }"))
    assert.matches("picture: .*direction", support.failure(text(
      "require('floc').simulation { time_step = 1, dimension = 3 }:picture { path = FOLDER .. '/a.png', up = { 0, 0, 1 }, direction = { 0, 0, 1 } }")))
  end)
end)

describe("an axis", function()
  it("is where funnel and container are open to: grains stay in them", function()
    local low = support.run [[
      local floc = require "floc"
      local low = {}
      for _, shape in ipairs { floc.container { width = 1, height = 1, axis = { 0, 0, 3 } }, floc.funnel { top = 1, bottom = 0.05, height = 0.6, axis = { 0, 0, 1 } } } do
        local sim = floc.simulation { time_step = 0.01, dimension = 3, gravity = { 0, 0, -10 } }
        sim:add_body { shape = shape }
        sim:add_particles { count = 30, radius = 0.05, region = floc.box { lower = { -0.2, -0.2, 0.5 }, upper = { 0.2, 0.2, 1 } } }
        sim:run { steps = 200 }
        low[#low + 1] = math.huge
        for id = 1, sim.count do low[#low] = math.min(low[#low], sim.z[id]) end
      end
      return low
    ]]
    assert.is_true(low[1] > 0.049 and low[1] < 0.06, low[1])
    assert.is_true(low[2] > 0 and low[2] < 0.2, low[2])
  end)

  it("is what a wheel turns about", function()
    local points = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.01, dimension = 3 }
      local wheel = sim:add_body { shape = floc.wheel { radius = 1, paddles = 1, width = 0.5, axis = { 1, 0, 0 } } }
      return wheel:get_shape(1).points
    ]]
    for _, point in ipairs(points) do assert.are.equal(0.25, math.abs(point[1])) end
  end)

  it("is refused where it means nothing", function()
    assert.matches("script.lua:1: wheel: axis is 0; it must have a direction", support.failure "require('floc').wheel { radius = 1, axis = { 0, 0, 0 } }")
    assert.matches("container: unknown parameter axes; did you mean axis%?", support.failure "require('floc').container { width = 1, height = 1, axes = { 0, 1 } }")
    local add = "local floc = require('floc') floc.simulation { time_step = 1%s }:add_body { shape = floc.%s }"
    assert.matches("add_body: wheel: axis is given; in two dimensions a wheel turns in the plane", support.failure(add:format("", "wheel { radius = 1, axis = { 1, 0 } }")))
    assert.matches("add_body: floc.funnel has vectors of 2 numbers; the simulation has 3 dimensions",
      support.failure(add:format(", dimension = 3", "funnel { top = 2, bottom = 1, height = 1, axis = { 1, 0 } }")))
  end)

  local pot = [[
    local floc = require "floc"
    local function run(gravity, shape, more)
      local sim = floc.simulation { time_step = 0.01, dimension = #gravity, gravity = gravity }
      local body = { shape = shape, name = "pot" }
      for key, value in pairs(more or {}) do body[key] = value end
      sim:add_body(body)
      sim:run { steps = 1 }
      sim:run { steps = 1 }
      return sim
    end
    local pot, funnel = floc.container { width = 1, height = 1 }, floc.funnel { top = 1, bottom = 0.1, height = 1 }
  ]]

  it("across gravity is told of: once, with the line that added it", function()
    local lines = told(pot .. "run({ 0, 0, -9.81 }, pot)")
    assert.are.equal(1, #lines)
    assert.matches("^script.lua:6: the floc.container of body 0 pot lies on its side: it is open towards { 0, 1, 0 }, and up, against gravity, "
      .. "is { 0, 0, 1 }; axis = { 0, 0, 1 } turns it, axis = { 0, 1, 0 } says that it is meant to lie$", lines[1])
    assert.matches("floc.funnel .* open towards { 0, 1 }, .* is { 1, 0 };", told(pot .. "run({ -1, 0 }, funnel)")[1])
    local late = told(pot .. "local sim = run({ 0, 0, -1 }, floc.plane { normal = { 0, 0, 1 } }) sim:add_body { shapes = { funnel, pot } }")
    assert.are.equal(2, #late)
  end)

  it("is not told of where it stands, was turned, was meant, or nothing pulls", function()
    for _, good in ipairs { "run({ 0, -9.81, 0 }, pot)", "run({ 0, -9.81 }, pot)", "run({ 0, 0, -9.81 }, pot, { rotation = { math.pi / 2, 0, 0 } })",
      "run({ 0, 0, -9.81 }, floc.container { width = 1, height = 1, axis = { 0, 0, 1 } })", "run({ 0, 0, 0 }, pot)", "run({ 3, -9, 0 }, funnel)",
      "run({ 0, 0, -9.81 }, floc.container { width = 1, height = 1, axis = { 0, 1, 0 } })", "run({ 0, 9.81, 0 }, pot)" } do
      assert.are.same({}, (told(pot .. good)), good)
    end
  end)
end)
