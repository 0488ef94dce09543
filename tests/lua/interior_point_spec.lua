-- solver = "interior_point": a heap comes out as with the default solver, without friction and under the convex law in the plane;
-- what it does not solve is refused.

local floc = require "floc"

-- Settles discs in a box, to a tight tolerance; what is left of solver's freedom is rounding.
local function heap(options)
  options.tolerance = 1e-11
  local sim = floc.simulation { time_step = 0.005, gravity = { 0, -10 }, seed = 5, scheme = floc.inelastic(options) }
  sim:add_body { shape = floc.container { width = 0.5, height = 2 } }
  sim:add_particles { count = 60, radius = { 0.02, 0.03 }, region = floc.box { lower = { -0.22, 0 }, upper = { 0.22, 1 } } }
  sim:run { steps = 60 }
  return sim
end

local function greatest_difference(a, b)
  local worst = 0
  for _, column in ipairs { "x", "y", "vx", "vy" } do
    for k = 1, a.count do worst = math.max(worst, math.abs(a[column][k] - b[column][k])) end
  end
  return worst
end

describe("the interior point method", function()
  it("gives the heap of the default solver", function()
    local mine, default = heap { solver = "interior_point" }, heap {}
    assert.equal(0, mine:report().unconverged_steps)
    assert.is_true(mine:report().active_contacts > 0 and mine:report().active_contacts < mine:report().contacts)
    assert.is_true(greatest_difference(mine, default) < 1e-6)
  end)

  it("gives the heap of the default solver under the convex law", function()
    local mine = heap { solver = "interior_point", friction = 0.4, friction_law = "convex" }
    local default = heap { friction = 0.4, friction_law = "convex" }
    assert.equal(0, mine:report().unconverged_steps)
    assert.is_true(greatest_difference(mine, default) < 1e-6)
  end)

  it("is refused with Coulomb's friction", function()
    local ok, message = pcall(heap, { solver = "interior_point", friction = 0.4 })
    assert.is_false(ok)
    assert.truthy(tostring(message):find("interior_point with friction 0.4", 1, true))
  end)
end)
