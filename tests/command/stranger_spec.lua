-- Checkpoints of strangers, from outside: what looks at one does not run the script in it.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")

local function floc(arguments) return shell.run("'" .. program .. "' " .. arguments) end

local scenario = [[
os.execute "echo ran >> ran.txt"
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01, dimension = 3, gravity = { 0, 0, -10 } }
sim:add_attribute("heat", 2)
sim:add_particles { count = 40, radius = 0.1, region = floc.box { lower = { 0, 0, 0.1 }, upper = { 1, 1, 1.5 } } }
sim:add_body { shape = floc.plane { normal = { 0, 0, 1 } } }
sim:add_body { shape = floc.container { width = 2, depth = 2, height = 2 }, velocity = function(t) return 0, 0.1, 0 end }
sim:run { steps = 30 }
sim:checkpoint "one.floc"
]]

describe("a checkpoint", function()
  setup(function()
    shell.open()
    shell.write("s.lua", scenario)
    local text, status = floc "run s.lua --quiet"
    assert.are.equal(0, status, text)
    shell.run "rm ran.txt"
  end)
  teardown(function() shell.close() end)

  it("is looked at without running what is in it", function()
    local has_page = select(2, floc "view one.floc") == 0
    for _, words in ipairs { "info one.floc", "verify one.floc", "diff one.floc one.floc" } do
      assert.are.equal(0, select(2, floc(words)))
    end
    if has_page then
      assert.matches("1 frame", (floc "view one.floc --output=page.html --columns=heat,speed"))
    end
    assert.is_nil(shell.read "ran.txt")
  end)
end)
