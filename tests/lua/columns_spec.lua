-- sim.x[id], attributes, bulk operations.

local support = require "support"
local floc = support.floc

local function three_grains()
  return support.run [[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 } }
    for k = 1, 3 do sim:add_particle { position = { 10 * k, k }, radius = 0.1 * k, mass = k, velocity = { k, -k } } end
    return sim
  ]]
end

describe("columns", function()
  it("are read by id", function()
    local sim = three_grains()
    assert.are.equal(3, sim.count)
    assert.are.equal(20, sim.x[2])
    assert.are.equal(3, sim.y[3])
    assert.are.equal(-1, sim.vy[1])
    assert.are.equal(2, sim.mass[2])
    assert.are.equal(0, sim.z[1])
    assert.are.equal(3, #sim.x)
  end)

  it("are written by id", function()
    local sim = three_grains()
    sim.x[2] = 5
    sim.vy[2] = 0
    sim:run { steps = 1 }
    assert.are.equal(5.02, sim.x[2])
    assert.near(-0.1, sim.vy[2], 1e-15)
  end)

  it("follow particles that are added later", function()
    local sim = three_grains()
    local x = sim.x
    for k = 4, 500 do sim:add_particle { position = { 10 * k, 0 }, radius = 0.1 } end
    assert.are.equal(500, #x)
    assert.are.equal(5000, x[500])
    assert.are.equal(10, x[1])
  end)

  it("keep ids apart from storage, whatever the engine does with its order", function()
    local sim = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.01, seed = 3 }
      local box = floc.box { lower = { -1, -1 }, upper = { 1, 1 } }
      sim:add_particles { count = 400, radius = 0.01, region = box, velocity_spread = 2 }
      sim:add_body { shape = box }
      sim:add_attribute "mark"
      for id = 1, sim.count do sim.mark[id] = id end
      sim:run { steps = 200 }
      return sim
    ]]
    for id = 1, 400 do assert.are.equal(id, sim.mark[id]) end
  end)

  it("of attributes begin with their value and belong to the script", function()
    local sim = three_grains()
    sim:add_attribute("charge", 1.5)
    assert.are.equal(1.5, sim.charge[3])
    sim.charge[3] = -2
    sim:run { steps = 3 }
    assert.are.equal(-2, sim.charge[3])
    local id = sim:add_particle { position = { 0, 9 }, radius = 1, attributes = { charge = 4 } }
    assert.are.equal(4, sim.charge[id])
    local first, last = sim:add_particles { count = 5, radius = 0.1, attributes = { charge = function(k) return 2 * k end },
      region = floc.box { lower = { -9, -9 }, upper = { -8, -8 } } }
    assert.are.equal(5, first)
    assert.are.equal(9, last)
    assert.are.equal(18, sim.charge[9])
    local names = table.concat(sim:columns(), " ")
    assert.matches("^x y z vx vy vz fx fy fz radius mass charge$", names)
  end)

  it("give an error, not freed memory, when the simulation is gone", function()
    local x = three_grains().x
    collectgarbage() collectgarbage()
    local ok, message = pcall(function() return x[1] end)
    assert.is_false(ok)
    assert.matches("there are no particles", message)
  end)
end)

describe("bulk operations", function()
  it("map a function over all particles", function()
    local sim = three_grains()
    sim:map("vx", function(x, id) return x / 10 + id end)
    assert.are.equal(2, sim.vx[1])
    assert.are.equal(6, sim.vx[3])
    sim:map({ "vx", "vy" }, function(vx, vy) return vy, vx end)
    assert.are.equal(-3, sim.vx[3])
    assert.are.equal(6, sim.vy[3])
  end)

  it("sum in the order of ids, and count", function()
    local sim = three_grains()
    assert.are.equal(14, sim:sum(function(mass, vx) return mass * vx end))
    assert.are.equal(2, sim:sum(function(y) return y > 1.5 end))
    assert.are.equal(sim:measure "kinetic_energy",
      sim:sum(function(mass, vx, vy) return 0.5 * mass * (vx * vx + vy * vy) end))
  end)

  it("refuse what does not fit", function()
    local sim = three_grains()
    assert.has_error(function() sim:map("vx", 1) end)
    local function message_of(fn) return select(2, pcall(fn)) end
    assert.matches("map: there is no column \"vq\"; did you mean v", message_of(function() sim:map("vq", function(x) return x end) end))
    assert.matches("map: there is no column xx for the function's parameter",
      message_of(function() sim:map("vx", function(xx) return xx end) end))
    assert.matches("map: the function returned nil for particle 2; it must return finite numbers",
      message_of(function() sim:map("vx", function(id) if id ~= 2 then return 0 end end) end))
    assert.matches("map: the function returned 0 for particle 1; .*fit the column",
      message_of(function() sim:map("radius", function() return 0 end) end))
    assert.matches("sum: the function returned nil for particle 1", message_of(function() sim:sum(function() end) end))
    assert.matches("not allowed inside", message_of(function()
      sim:map("vx", function(x) sim:add_particle { position = { 0, 0 }, radius = 1 } return x end)
    end))
    assert.are.equal(3, sim.count)
    assert.are.equal(9, sim:sum(function() return 3 end)) -- usable afterwards
  end)
end)
