-- New particles that lie in others or in bodies: refused at the next step, with ids, overlap and lines, unless they may.

local support = require "support"

local function script(scheme, rest)
  return string.format([[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 1e-4, scheme = %s }
    sim:add_particle { position = { 0, 0 }, radius = 1 }
    %s
    return sim]], scheme, rest)
end

local function second(at, more) return string.format("sim:add_particle { position = { %g, 0 }, radius = 0.5 %s } sim:run { steps = 1 }", at, more or "") end

-- 1.5 - at is the overlap; in radii of the smaller one twice that.
describe("a new particle", function()
  for _, scheme in ipairs { "floc.inelastic {}", "floc.gluey {}", "floc.inelastic { friction = 0.3 }" } do
    it("is refused above a tenth of a radius in " .. scheme, function()
      local message = support.failure(script(scheme, second(1.44)))
      assert.matches("script.lua:4: run: particles 1 and 2 overlap by 0.12 radii of the smaller one before step 1; .* by up to 0.1 unless it has allow_overlap", message)
      assert.matches("%(1 was added at script.lua:3, 2 was added at script.lua:4%)", message)
      support.run(script(scheme, second(1.46)))
      support.run(script(scheme, second(1.2, ", allow_overlap = true")))
    end)
  end

  it("may overlap by half a radius in discrete elements, and without contacts as it likes", function()
    local elements = 'floc.discrete_element { contact = "hooke", stiffness = 10, integrator = "velocity_verlet" }'
    assert.matches("overlap by 0.6 radii", support.failure(script(elements, second(1.2))))
    support.run(script(elements, second(1.3)))
    support.run(script('floc.discrete_element { contact = "none", integrator = "velocity_verlet" }', second(0.1)))
  end)

  it("is refused in a body, wherever that came first", function()
    for _, order in ipairs { { "sim:add_body { shape = floc.plane { normal = { 0, 1 } } }", "" }, { "", "sim:add_body { shape = floc.plane { normal = { 0, 1 } } }" } } do
      local message = support.failure([[
        local floc = require "floc"
        local sim = floc.simulation { time_step = 1e-4 } ]] .. order[1] .. [[
        sim:add_particle { position = { 0, 0.4 }, radius = 1 } ]] .. order[2] .. [[
        sim:run { steps = 1 }]])
      assert.matches("particle 1 lies 0.6 radii deep in a body before step 1", message)
    end
  end)

  it("that came in a callback is refused by the next step, and the one after that knows it", function()
    local message = support.failure(script("floc.inelastic {}", "sim:every(2, function(sim) sim:add_particle { position = { 0.5, 0 }, radius = 1 } end) sim:run { steps = 4 }"))
    assert.matches("particles 1 and 2 overlap by 1.5 radii of the smaller one before step 3", message)
    -- grown later, they are no mistake
    support.run(script("floc.inelastic {}", "sim:add_particle { position = { 3, 0 }, radius = 1 } sim:run { steps = 1 } sim.radius[2] = 2.3 sim:run { steps = 1 }"))
  end)

  it("belongs to its assembly, whose members may overlap", function()
    support.run(script("floc.inelastic { rotation = true }",
      "local second = sim:add_particle { position = { 0.5, 0 }, radius = 1 } sim:add_assembly { particles = { 1, second } } sim:run { steps = 1 }"))
  end)
end)
