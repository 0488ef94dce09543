-- Displacements through periodic faces, and their mean square: against free flight and a diffusion of known steps, after a checkpoint
-- that is resumed, and what is refused.

local support = require "support"

local function run(script, options) return support.run('local floc = require "floc"\n' .. script, options) end

local flight = [[
  local sim = floc.simulation { dimension = DIMENSION, time_step = 0.01, boundary = "periodic", scheme = SCHEME,
    domain = floc.box { lower = DIMENSION == 2 and { 0, 0 } or { 0, 0, 0 }, upper = DIMENSION == 2 and { 2, 3 } or { 2, 3, 4 } } }
  local function vector(x, y, z) return DIMENSION == 2 and { x, y } or { x, y, z } end
  for k = 1, 40 do sim:add_particle { position = vector(k / 20 - 0.01, k / 14, 1), radius = 0.001, mass = 1, velocity = vector(k - 20, 7 - k % 11, k % 3 - 1) } end
]]

describe("displacements", function()
  for _, scheme in ipairs { "floc.discrete_element { contact = 'none', integrator = 'velocity_verlet' }", "floc.inelastic {}" } do
    for dimension = 2, 3 do
      it(("count periods: %d-D, %s"):format(dimension, scheme:match "floc%.([%a_]+)"), function()
        local worst, ratio = run(flight:gsub("DIMENSION", dimension):gsub("SCHEME", function() return scheme end) .. [[
          sim:run { steps = 30 }
          sim:add_attribute "displacement_x"
          local contacts = 0
          local before = {}
          for id = 1, 40 do before[id] = { sim.vx[id], sim.vy[id] } end
          sim.x[3] = 1.9 -- where it is put is no way that it went
          sim:run { steps = 500 }
          local worst, sum = 0, 0
          for id = 1, 40 do
            if before[id][1] == sim.vx[id] and before[id][2] == sim.vy[id] then
              contacts = contacts + 1
              worst = math.max(worst, math.abs(sim.displacement_x[id] - 5 * sim.vx[id]), math.abs(sim.displacement_y[id] - 5 * sim.vy[id]))
            end
            sum = sum + sim.displacement_x[id] ^ 2 + sim.displacement_y[id] ^ 2 + (sim.dimension == 3 and sim.displacement_z[id] ^ 2 or 0)
          end
          assert(contacts > 20, contacts)
          return worst, sim:measure "mean_square_displacement" / (sum / 40) ]])
        assert.is_true(worst < 1e-10, worst)
        assert.near(1, ratio, 1e-13)
      end)
    end
  end

  it("are the same in a run that was resumed", function()
    local folder = support.folder()
    local path = folder .. "/half.floc"
    local script = flight:gsub("DIMENSION", 2):gsub("SCHEME", "floc.inelastic { friction = 0.1 }") .. [[
      sim:add_attribute "displacement_x"
      sim:checkpoint { path = PATH, every = 150 }
      sim:run { steps = 200 }
      return sim:measure "mean_square_displacement", sim:hash() ]]
    script = script:gsub("PATH", function() return ("%q"):format(path) end)
    local whole, hash = run(script)
    local resumed, again = support.resume(path)
    support.remove(folder)
    assert.are.equal(whole, resumed)
    assert.are.equal(hash, again)
  end)

  it("that are not known are refused", function()
    local function fails(script, text)
      local message = support.failure('local floc = require "floc"\n' .. flight:gsub("DIMENSION", 2):gsub("SCHEME", "floc.inelastic {}") .. script)
      assert.is_truthy(message:find(text, 1, true), message)
    end
    fails('sim:measure "mean_square_displacement"', "mean_square_displacement: displacements are not followed")
    fails('sim:add_attribute("displacement_y", 1)', "initial is 1; a displacement begins at 0")
    fails('sim:add_attribute "displacement_x" sim:add_attribute "displacement_y"', '"displacement_y" is an attribute already')
    fails('sim:add_attribute "displacement_x" sim.vx[7] = 101 sim:run { steps = 1 }', "displacement_x: particle 7 goes half the length of the periodic axis")
  end)
end)
