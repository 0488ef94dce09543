-- Particles that a script removes: one, in a region, by a function, by ids; what reads the others; files; resuming.

local support = require "support"

local row = [[
  local floc = require "floc"
  local sim = floc.simulation { dimension = 2, time_step = 0.01 }
  for k = 1, 6 do sim:add_particle { position = { k, k % 2 }, radius = 0.1, mass = k } end
]]

local function list(ids) return table.concat(ids, " ") end

describe("removing particles", function()
  it("leaves the others their ids and their columns", function()
    local ids, counts, x = support.run(row .. [[
      sim:remove_particle(2)
      assert(sim:remove { where = function(x, mass) return x == 5 and mass == 5 end } == 1)
      sim.vx[6] = 0.25
      sim:run { steps = 4 }
      sim:map("vy", function(id) return id end)
      local new = sim:add_particle { position = { 9, 9 }, radius = 0.1 }
      assert(sim.vy[1] == 1 and sim.vy[6] == 6 and sim.x[new] == 9)
      return sim:ids(), { sim.count, #sim.x, new, sim:sum(function(id) return id end) }, sim.x[6] ]])
    assert.are.equal("1 3 4 6 7", list(ids))
    assert.are.same({ 5, 5, 7, 21 }, counts)
    assert.is_true(math.abs(x - 6.01) < 1e-12)
  end)

  it("in regions counts centres, with other conditions only those that both hold for", function()
    local removed, ids = support.run(row .. [[
      local removed = { sim:remove { region = floc.box { lower = { 0.5, 0 }, upper = { 2, 0.5 } } } }
      removed[2] = sim:remove { region = floc.ball { center = { 4, 0.5 }, radius = 1.2 }, where = function(y) return y > 0.5 end }
      removed[3] = sim:remove { region = floc.difference { floc.box { lower = { 0, -1 }, upper = { 9, 2 } }, floc.ball { center = { 1, 1 }, radius = 1 } },
        particles = { 1, 4 } }
      removed[4] = sim:remove { where = function(x) return x > 100 end }
      return removed, sim:ids() ]])
    assert.are.same({ 1, 2, 1, 0 }, removed)
    assert.are.equal("1 6", list(ids))
  end)

  it("in columns says which particle is not there, in and between runs", function()
    for _, code in ipairs {
      "sim.x[2] = 1", "local _ = sim.x[2]", "sim:run { steps = 2 } sim.x[2] = 1", "sim:run { steps = 2 } local _ = sim.x[2]",
      "sim:every(1, function() sim.x[2] = 1 end) sim:run { steps = 2 }", "sim:every(1, function() local _ = sim.x[2] end) sim:run { steps = 2 }",
    } do
      local ok, message = support.try(row .. "sim:remove_particle(2) " .. code)
      assert.is_false(ok)
      assert.is_truthy(message:find("sim.x[2]: particle 2 is not there any more: it was removed", 1, true), message)
    end
    local ok, message = support.try(row .. "sim:remove_particle(2) local _ = sim.x[7]")
    assert.is_false(ok)
    assert.is_truthy(message:find("there is no particle 7; ids are from 1 to 6, without", 1, true), message)
  end)

  it("is refused where it means nothing, and then nothing goes", function()
    for code, wanted in pairs {
      ["sim:remove_particle(7)"] = "script.lua:4: remove_particle: there is no particle 7; ids are from 1 to 6",
      ["sim:remove_particle(1.5)"] = "remove_particle: id is 1.5; it must be an integer",
      ["sim:remove_particle()"] = "remove_particle: id is missing",
      ["sim:remove {}"] = "remove: region is missing",
      ["sim:remove { particles = { 1, 1 } }"] = "particle 1 is named twice",
      ["sim:remove { particles = { 1, 9 } }"] = "there is no particle 9",
      ["sim:remove { particles = { 1, 'a' } }"] = 'particles[2] is "a"; it must be an id',
      ["sim:remove { particles = { 1, [5] = 2 } }"] = "particles has the key 5; it must be a list of ids",
      ["sim:remove { where = 5 }"] = "where is 5",
      ["sim:remove { where = function(x) return x end }"] = "the function returned 1 for particle 1; it must return true or false",
      ["sim:remove { where = function(speed) return true end }"] = "there is no column speed",
      ["sim:remove { regoin = floc.ball { center = { 0, 0 }, radius = 1 } }"] = "did you mean region",
      ["sim:remove { region = floc.ball { center = { 0, 0, 0 }, radius = 1 } }"] = "floc.ball has vectors of 3 numbers",
      ["sim:add_assembly { particles = { 1, 2 } } sim:remove_particle(2)"] = "particle 2 belongs to assembly 0",
      ["sim:add_field { law = function(x) sim:remove_particle(1) return 0, 0 end, trace = false } sim:run { steps = 1 }"] = "",
      ["sim:remove_particle(3) sim:add_assembly { particles = { 1, 3 } }"] = "particles[2] is 3; it must be an id",
    } do
      local ok, message = support.try(row .. "do local ok, message = pcall(function() " .. code
        .. " end) assert(not ok and sim:sum(function(id) return id end) >= 18) error(message, 0) end")
      assert.is_false(ok)
      assert.is_truthy(message:find(wanted, 1, true), code .. ": " .. message)
    end
  end)

  it("goes through clusters, contacts, rays, pictures and files", function()
    local folder = support.folder()
    local of, ids = support.run(string.format([[
      local floc = require "floc"
      local folder = %q
      local sim = floc.simulation { dimension = 2, time_step = 0.005, gravity = { 0, -10 } }
      sim:add_body { shape = floc.segment { { -1, 0 }, { 3, 0 } } }
      for k = 1, 8 do sim:add_particle { position = { 0.2 * math.ceil(k / 2), 0.05 + 0.1 * (k %% 2) }, radius = 0.05 } end
      sim:run { steps = 5 }
      sim:remove { particles = { 1, 4 } }
      sim:write_vtp { path = folder .. "/a.vtp", every = 1 }
      sim:write_xyz { path = folder .. "/a.xyz", every = 1 }
      sim:picture { path = folder .. "/a.png", colour = "speed", tubes = "impulse" }
      sim:picture { path = folder .. "/b.png", group = function(id) return id end }
      sim:run { steps = 1 }
      local found = sim:clusters { by = "gap", gap = 0.01 }
      assert(found.count == 4 and found.sizes[1] == 2)
      for _, contact in ipairs(sim:contacts()) do assert(contact.id_i ~= 1 and contact.id_i ~= 4 and contact.id_j ~= 1 and contact.id_j ~= 4) end
      return found.of, sim:ids() ]], folder))
    assert.are.equal("2 3 5 6 7 8", list(ids))
    assert.are.same({ [2] = 1, [3] = 2, [5] = 3, [6] = 3, [7] = 4, [8] = 4 }, of)
    local seen = {}
    for line in io.lines(folder .. "/a.xyz") do seen[#seen + 1] = line:match "^P (%d+) " end
    assert.are.equal("2 3 5 6 7 8", table.concat(seen, " ", #seen - 5))
    support.remove(folder)
  end)
end)

-- Grains rain in at the top and leave at the bottom; between two runs the script looks at columns, and removes as well.
local stream = [=[
  local floc = require "floc"
  local folder = FOLDER
  local sim = floc.simulation { time_step = 0.004, gravity = { 0, -10 }, scheme = SCHEME }
  sim:add_body { shape = floc.segment { { -2, 1 }, { 0.2, 0.6 } } }
  sim:add_attribute("age", 0)
  sim:add_noise { sigma = 1e-3 }
  sim.state.gone = 0
  sim:every(25, function()
    for _, id in ipairs(sim:ids()) do sim.age[id] = sim.age[id] + 1 end
    for k = 1, 4 do sim:add_particle { position = { 0.2 * k - 1, 2 }, velocity = { 0.1 * k, -1.5 }, radius = 0.04 + 0.005 * k } end
    sim.state.gone = sim.state.gone + sim:remove { where = function(y) return y < 0 end }
  end)
  BEFORE
  sim:run { steps = 200 }
  local newest = sim:ids()[sim.count]
  local where, sum = sim.x[newest], sim:sum(function(x) return x end)
  sim:remove_particle(sim:ids()[1])
  sim:remove { where = function(age) return age > 6 end }
  local x = sim.x[sim:ids()[2]]
  sim:add_particle { position = { x, 5 }, radius = 0.03 }
  sim:run { steps = 205 }
  for _, id in ipairs(sim:ids()) do sum = sum + sim.x[id] end
  local removed = sim:remove { region = floc.box { lower = { -2, 0 }, upper = { 2, 0.7 } } }
  sim:run { steps = 95 }
  return sim:hash(), string.format("%d %d %d %.17g %.17g %d", sim.state.gone, removed, sim.count, where, sum, sim:ids()[1])
]=]

describe("a stream of particles", function()
  for name, scheme in pairs { projection = "floc.inelastic { friction = 0.3 }",
    elements = 'floc.discrete_element { contact = "hooke", stiffness = 20000, damping = 60 }' } do
    it("is resumed bit for bit wherever it was, " .. name, function()
      local folder = support.folder()
      local function text(before)
        return (stream:gsub("FOLDER", string.format("%q", folder)):gsub("SCHEME", scheme):gsub("BEFORE", before))
      end
      local hash, numbers = support.run(text "")
      assert.is_true(tonumber(numbers:match "^%d+") > 10, numbers)
      support.run(text "sim:checkpoint { path = folder .. '/run.floc', every = 70, keep = 8 }")
      local files = 0
      for k = 0, 6 do
        local again, numbers_again = support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or ""))
        assert.are.equal(hash, again)
        assert.are.equal(numbers, numbers_again)
        files = files + 1
      end
      assert.are.equal(7, files)
      support.remove(folder)
    end)
  end
end)
