-- Bodies that a script removes: what is asked of them afterwards, what is drawn and written, resuming.

local support = require "support"

local shelf = [[
  local floc = require "floc"
  local sim = floc.simulation { dimension = 2, time_step = 0.01, gravity = { 0, -10 } }
  local shelf = sim:add_body { name = "shelf", shape = floc.segment { { -1, 0 }, { 1, 0 } }, attributes = { wear = 1 } }
  local floor = sim:add_body { shape = floc.segment { { -1, -1 }, { 1, -1 } }, attributes = { wear = 2 } }
  sim:add_particle { position = { 0, 0.1 }, radius = 0.1 }
]]

describe("removing bodies", function()
  it("lets fall what rested on them, and leaves the others their numbers", function()
    local fallen, numbers, shown = support.run(shelf .. [[
      sim:run { steps = 10 }
      assert(sim.y[1] == 0.1 and #sim:contacts() == 1)
      sim:remove_body(shelf)
      assert(#sim:contacts() == 0 and #sim.bodies == 1 and sim.bodies[1] == floor)
      sim:run { steps = 20 }
      local fallen = sim.y[1]
      sim:run { steps = 100 }
      local contact = sim:contacts()[1]
      assert(contact.body == floor and math.abs(sim.y[1] + 0.9) < 1e-9)
      local new = sim:add_body { shape = floc.segment { { 2, 0 }, { 3, 0 } } }
      sim:remove_body(new.number)
      return fallen, { floor.number, new.number, sim:add_body { shape = floc.segment { { 2, 0 }, { 3, 0 } } }.number }, string.format("%g %s", floor:get_attribute "wear", tostring(shelf)) ]])
    assert.is_true(math.abs(fallen - (0.1 - 5 * 0.2 * 0.21)) < 1e-12, fallen)
    assert.are.same({ 1, 2, 3 }, numbers)
    assert.are.equal("2 floc.body 0 shelf", shown)
  end)

  it("is refused where it means nothing, and so is what is asked of them", function()
    local removed = "sim:run { steps = 3 } sim:remove_body(shelf) "
    for code, wanted in pairs {
      ["sim:remove_body(7)"] = "script.lua:6: remove_body: body is 7; it must be a body of this simulation, as sim:add_body returns it, or its number",
      ["sim:remove_body()"] = "remove_body: body is nil; it must be",
      ["sim:remove_body('shelf')"] = 'remove_body: body is "shelf"; it must be',
      ["floc.simulation { dimension = 2, time_step = 1 }:remove_body(shelf)"] = "body is body 0 shelf of simulation 1; it must be",
      [removed .. "sim:remove_body(shelf)"] = "remove_body: body 0 shelf was removed after step 3",
      [removed .. "sim:remove_body(0)"] = "remove_body: body 0 shelf was removed after step 3",
      [removed .. "local _ = shelf.force"] = "body.force: body 0 shelf was removed after step 3",
      [removed .. "shelf:set_motion { velocity = { 1, 0 } }"] = "set_motion: body 0 shelf was removed after step 3",
      [removed .. "shelf:get_shape(1)"] = "get_shape: body 0 shelf was removed after step 3",
      [removed .. "shelf:get_attribute 'wear'"] = "get_attribute: body 0 shelf was removed after step 3",
      [removed .. "shelf:set_attribute('wear', 3)"] = "set_attribute: body 0 shelf was removed after step 3",
      ["sim:every(2, function() sim:remove_body(shelf) end) sim:run { steps = 5 }"] = "remove_body: body 0 shelf was removed after step 2",
      ["sim:add_field { law = function(x) sim:remove_body(shelf) return 0, 0 end, trace = false } sim:run { steps = 1 }"] = "",
    } do
      local ok, message = support.try(shelf .. code)
      assert.is_false(ok, code)
      assert.is_truthy(message:find(wanted, 1, true), code .. ": " .. message)
    end
    local ok, message = support.try [[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 2, time_step = 1, domain = floc.box { lower = { 0, 0 }, upper = { 1, 1 } }, boundary = "wall" }
      sim:remove_body(0) ]]
    assert.is_false(ok)
    assert.is_truthy(message:find("remove_body: body is 0; it must be", 1, true), message)
  end)

  it("acts in every scheme that knows bodies", function()
    for _, scheme in ipairs { "floc.inelastic { friction = 0.3 }", "floc.gluey {}", "floc.discrete_element { contact = 'hooke', stiffness = 1e5, damping = 100 }",
      "floc.first_order { velocity = function() return 0, -1 end }" } do
      local rested, fallen = support.run(string.format([[
        local floc = require "floc"
        local sim = floc.simulation { dimension = 2, time_step = 0.001, scheme = %s, gravity = GRAVITY }
        local shelf = sim:add_body { shape = floc.segment { { -1, 0 }, { 1, 0 } } }
        sim:add_particle { position = { 0, 0.1 }, radius = 0.1 }
        sim:run { steps = 200 }
        local rested = sim.y[1]
        sim:remove_body(shelf)
        sim:run { steps = 200 }
        return rested, sim.y[1] ]], scheme):gsub("GRAVITY", scheme:find "first" and "nil" or "{ 0, -10 }") .. "")
      assert.is_true(math.abs(rested - 0.1) < 0.01 and rested - fallen > 0.15, scheme .. " " .. rested .. " " .. fallen)
    end
  end)

  it("takes them out of pictures and files", function()
    local folder = support.folder()
    support.run(string.format([[%s
      local folder = %q
      sim:write_vtp { path = folder .. "/a", every = 1 }
      sim:picture { path = folder .. "/with.png", lower = { -1.2, -1.2 }, upper = { 1.2, 0.5 } }
      sim:run { steps = 2 }
      sim:every(1, function() if sim.step == 3 then sim:remove_body(shelf) end end)
      sim:run { steps = 3 }
      sim:picture { path = folder .. "/without.png", lower = { -1.2, -1.2 }, upper = { 1.2, 0.5 } }
    ]], shelf, folder))
    local counts = {}
    for name in io.popen("find " .. folder .. " -name '*bodies*.vtp' | sort"):lines() do
      local text = io.open(name, "rb"):read "*a"
      counts[#counts + 1] = tonumber(text:match 'NumberOfLines="(%d+)"')
    end
    assert.are.same({ 2, 2, 1, 1, 1 }, { counts[#counts - 4], counts[#counts - 3], counts[#counts - 2], counts[#counts - 1], counts[#counts] })
    assert.are_not.equal(io.open(folder .. "/with.png", "rb"):read "*a", io.open(folder .. "/without.png", "rb"):read "*a")
    support.remove(folder)
  end)
end)

-- Gates go one after the other, in a callback and between runs, one of them moving by a function; new ones come between runs.
local gates = [=[
  local floc = require "floc"
  local folder = FOLDER
  local sim = floc.simulation { time_step = 0.004, gravity = { 0, -10 }, scheme = SCHEME }
  local floor = sim:add_body { shape = floc.segment { { -2, -1 }, { 2, -1 } }, name = "floor" }
  local gate = {}
  for k = 1, 4 do
    gate[k] = sim:add_body { shape = floc.segment { { -1, 0.4 * k }, { 1, 0.4 * k } }, name = "gate " .. k, attributes = { wear = k },
      velocity = k == 3 and function(t) return 0.1 * math.cos(t), 0 end or nil }
    for j = 1, 8 do sim:add_particle { position = { 0.2 * j - 0.9 + 0.01 * k, 0.4 * k + 0.06 }, radius = 0.05 + 0.001 * j } end
  end
  sim.state.notes = ""
  sim:every(60, function()
    if sim.step == 120 then sim:remove_body(gate[2]) end
    sim.state.notes = sim.state.notes .. #sim.bodies
  end)
  BEFORE
  sim:run { steps = 100 }
  local force = gate[2].force[2]
  sim:remove_body(gate[1])
  sim:run { steps = 100 }
  local ok, message = pcall(function() return gate[2].force end)
  assert(not ok)
  sim:remove_body(gate[3].number)
  local new = sim:add_body { shape = floc.segment { { -1, -0.5 }, { 1, -0.4 } }, attributes = { wear = 9 } }
  sim:run { steps = 100 }
  return sim:hash(), string.format("%s %.17g %s %d %d %.17g %g", sim.state.notes, force, message:match "body 2.*", #sim.bodies, new.number, new.force[2], gate[4]:get_attribute "wear")
]=]

describe("gates that go", function()
  for name, scheme in pairs { projection = "floc.gluey {}", rough = "floc.inelastic { friction = 0.3 }",
    elements = 'floc.discrete_element { contact = "hooke", stiffness = 20000, damping = 60 }' } do
    it("are gone after a resume wherever it was, " .. name, function()
      local folder = support.folder()
      local function text(before)
        return (gates:gsub("FOLDER", string.format("%q", folder)):gsub("SCHEME", scheme):gsub("BEFORE", before))
      end
      local hash, numbers = support.run(text "")
      assert.is_truthy(numbers:find("53333 ", 1, true), numbers)
      assert.is_truthy(numbers:find("body 2 gate 2 was removed after step 120 3 5", 1, true), numbers)
      support.run(text "sim:checkpoint { path = folder .. '/run.floc', every = 40, keep = 8 }")
      for k = 0, 6 do
        local again, numbers_again = support.resume(folder .. "/run.floc" .. (k > 0 and "." .. k or ""))
        assert.are.equal(hash, again)
        assert.are.equal(numbers, numbers_again)
      end
      support.remove(folder)
    end)
  end
end)
