-- Ordinary scripts (resume_scripts/), each run whole, and run again, killed in the middle and resumed: the same states, tables,
-- plots and verdicts, or a refusal at the first checkpoint that names the line. FLOC_PROGRAMS names the programs, one for each Lua.
--
-- TICK(), which the scripts call in their callbacks, kills the program at a certain call when there is a file `armed`, whose
-- name is changed first: so it happens once, at a place that no clock decides. FLOC_KILLS says how often each script is killed,
-- under one program after the other.

local shell = require "shell"
local source = assert(shell.source, "FLOC_SOURCE is not set") .. "/tests/command/resume_scripts/"
local kills = tonumber(os.getenv "FLOC_KILLS" or "2")

local programs = {}
for path in assert(os.getenv "FLOC_PROGRAMS", "FLOC_PROGRAMS is not set"):gmatch "[^:]+" do programs[#programs + 1] = path end

local names = {}
for path in io.popen("ls '" .. source .. "'"):lines() do
  local name = path:match "^(.*)%.lua$"
  if name and name ~= "helper" and name ~= "settings" then names[#names + 1] = name end
end

local folder

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

-- The script with TICK before its first line. The number of calls so far is a variable: a resume restores it.
local function script(name, at, signal)
  return string.format("local ticks = 0 local function TICK() ticks = ticks + 1 if ticks == %d and os.rename('armed', 'fired') then os.execute 'kill -%s $PPID' end end ",
    at, signal) .. read(source .. name .. ".lua") .. "print('ticks ' .. ticks)\n"
end

-- What the run left: all files in its folder for output but checkpoints, by name.
local function products(out)
  local found = {}
  for name in io.popen("cd '" .. folder .. "/" .. out .. "' && ls"):lines() do
    if not name:find "%.floc" then found[name] = read(folder .. "/" .. out .. "/" .. name) end
  end
  return found
end

local function hashes(text)
  local found = {}
  for line in text:gmatch "simulation %d+: step %d+, hash %x+" do found[#found + 1] = line end
  return table.concat(found, "\n")
end

local function start(program, name, out, at, signal)
  shell.write(name .. ".lua", (script(name, at or 0, signal or "KILL")))
  return shell.run(string.format("export SEED=5; '%s' run %s.lua --out=%s --hash --quiet", program, name, out))
end

-- The checkpoints that a killed run left, with how many steps they hold: the newest one is resumed.
local function newest(out)
  local text = shell.run("ls -t " .. out .. "/*.floc 2> /dev/null")
  return text:match "^(%S+)"
end

local function check(number, name, seed)
  local program = programs[number]
  shell.run "rm -rf whole killed armed fired"
  local whole, status = start(program, name, "whole")
  assert.are.equal(0, status, whole)
  local expected, calls = products "whole", tonumber(whole:match "ticks (%d+)")
  for kill = number, kills, #programs do
    local signal = (kill + seed) % 2 == 1 and "KILL" or "TERM"
    local at = math.ceil(calls * (0.25 + 0.65 * ((seed * 0.618034 + kill * 0.754878) % 1)))
    shell.run("rm -rf killed fired && touch armed")
    local text, how = start(program, name, "killed", at, signal)
    local file = newest(name == "first" and "." or "killed")
    local fired = select(2, shell.run "test -f fired") == 0
    assert.is_true(fired, name .. " was not killed at " .. at .. ": " .. text)
    assert.are_not.equal(0, how)
    if file then
      local resumed, last = shell.run(string.format("rm -f armed; '%s' resume %s --hash --quiet", program, file))
      assert.are.equal(0, last, name .. " at " .. at .. ": " .. resumed)
      assert.are.equal(hashes(whole), hashes(resumed), name .. " at " .. at)
      local got = products "killed"
      for product, bytes in pairs(expected) do
        if not product:find "%.png$" then assert.are.equal(bytes, got[product]) end
        assert.is_true(bytes == got[product], string.format("%s, killed by %s at %d: %s differs", name, signal, at, product))
      end
    end
  end
end

for number, program in ipairs(programs) do
  describe("under " .. program:match "[^/]+$", function()
    setup(function()
      folder = shell.open()
      for _, name in ipairs { "helper.lua", "settings.lua", "numbers.txt" } do shell.write(name, read(source .. name)) end
    end)
    teardown(function() shell.close() end)

    for seed, name in ipairs(names) do
      local text = read(source .. name .. ".lua")
      local refusal = text:match "^%-%- refused: ([^\n]*)"
      if refusal then
        it(name .. " is refused at its first checkpoint, by name and line", function()
          local said, status = start(program, name, "whole")
          assert.are.equal(1, status)
          assert.matches(refusal, said)
        end)
      else
        it(name .. " comes out the same when it is killed and resumed", function()
          if name == "resumes_another" then start(program, "first", "killed_first") end
          check(number, name, seed)
        end)
      end
    end

    -- A run of twenty steps with a checkpoint in the middle; then a file is changed, or removed.
    local function after(change, options, text)
      shell.run "rm -rf out part.lua part.txt part.stl"
      shell.write("part.lua", "local part = { speed = 0.1 }\nfunction part.velocity() return part.speed, 0 end\nreturn part\n")
      shell.write("part.txt", "7\n")
      shell.write("part.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n")
      shell.write("parts.lua", text)
      local said, status = shell.run(string.format("'%s' run parts.lua --out=out --hash --quiet", program))
      assert.are.equal(0, status, said)
      shell.run(change)
      local resumed, last = shell.run(string.format("'%s' resume out/parts.floc --hash --quiet %s", program, options))
      return resumed, last, said
    end

    local with_module = [[
local floc = require "floc"
local part = require "part"
local sim = floc.simulation { time_step = 0.1 }
sim:add_body { shape = floc.segment { { 0, 0 }, { 0, 1 } }, velocity = part.velocity }
sim:add_particle { position = { 0.2, 0.5 }, radius = 0.1 }
sim:checkpoint { path = floc.out .. "/parts.floc", every = 15 }
sim:run { steps = 20 }
]]

    it("a module that was changed or is gone is refused by name, unless --modules says what to take", function()
      local resumed, status, whole = after("true", "", with_module)
      assert.are.equal(0, status, resumed)
      assert.are.equal(whole, resumed)
      resumed, status = after("sed -i s/0.1/0.9/ part.lua", "", with_module)
      assert.are.equal(1, status)
      assert.matches("parts.lua:2: require: part %(./part.lua%) was changed since the checkpoint was written; .*--modules=new.*--modules=stored", resumed)
      resumed, status = after("rm part.lua", "", with_module)
      assert.are.equal(1, status)
      assert.matches("parts.lua:2: require: part %(./part.lua%) is gone since", resumed)
      resumed, status, whole = after("rm part.lua", "--modules=stored", with_module)
      assert.are.equal(0, status, resumed)
      assert.are.equal(whole, resumed)
      resumed, status, whole = after("sed -i s/0/0/ part.lua; echo >> part.lua", "--modules=new", with_module)
      assert.are.equal(0, status, resumed)
      assert.are.equal(whole, resumed)
      resumed, status = after("true", "--modules=old", with_module)
      assert.are.equal(1, status)
      assert.matches('--modules is "old"; it must be new or stored', resumed)
    end)

    it("a file of data that was changed or is gone is refused by name", function()
      local with_data = with_module:gsub('local part = require "part"', "local file = io.open 'part.txt' local part = { velocity = function() return 0.1, 0 end } file:close()")
      local resumed, status = after("echo 8 > part.txt", "", with_data)
      assert.are.equal(1, status)
      assert.matches("parts.lua:2: io.open: the file part.txt was changed since the checkpoint was written", resumed)
      resumed, status = after("rm part.txt", "", with_data)
      assert.are.equal(1, status)
      assert.matches("the file part.txt is gone since", resumed)
      resumed, status = after("echo 8 > part.txt", "--modules=new", with_data)
      assert.are.equal(0, status, resumed)
    end)

    it("a mesh that was changed is refused by name", function()
      local with_mesh = [[
local floc = require "floc"
local sim = floc.simulation { time_step = 0.1, dimension = 3 }
sim:add_body { shape = floc.mesh { path = "part.stl" } }
sim:add_particle { position = { 0.2, 0.5, 3 }, radius = 0.1, velocity = { 0, 0, -1 } }
sim:checkpoint { path = floc.out .. "/parts.floc", every = 15 }
sim:run { steps = 20 }
]]
      local resumed, status, whole = after("true", "", with_mesh)
      assert.are.equal(0, status, resumed)
      assert.are.equal(whole, resumed)
      resumed, status = after("sed -i 's/vertex 1 0 0/vertex 2 0 0/' part.stl", "", with_mesh)
      assert.are.equal(1, status)
      assert.matches("parts.lua:3: add_body: the file part.stl was changed since the checkpoint was written", resumed)
    end)

    it("pairs over objects as keys says that their order does not last", function()
      shell.write("objects.lua", "local t = { [{}] = 1, [{}] = 2 }\nfor _ in pairs(t) do end for _ in pairs(t) do end\n")
      local said, status = shell.run(string.format("'%s' run objects.lua --quiet", program))
      assert.are.equal(0, status)
      assert.are.equal("floc: warning: objects.lua:2: pairs traverses a table with 2 keys that are not numbers, strings or booleans: their order differs "
        .. "between processes, and so may the result after a resume\n", said)
    end)

    it("a state does not go into another simulation of the script", function()
      shell.write("other.lua", [[
local floc = require "floc"
local function make(g)
  local sim = floc.simulation { time_step = 0.1, gravity = { 0, -g } }
  sim:add_particle { position = { 0, 0 }, radius = 0.1 }
  return sim
end
local first = make(os.rename("swap", "swapped") and 2 or 1)
first:checkpoint { path = floc.out .. "/other.floc", every = 2 }
first:run { steps = 3 }
]])
      assert.are.equal(0, select(2, shell.run(string.format("'%s' run other.lua --out=other --quiet", program))))
      local said, status = shell.run(string.format("touch swap; '%s' resume other/other.floc --quiet", program))
      assert.are.equal(1, status)
      assert.matches("^other.lua:9: resume: simulation 1 of the script is not the one of the checkpoint, set%-up call 1: then it was simulation { gravity = { 0, %-1 }, "
        .. "time_step = 0.1.* %(other.lua:3%), now it is simulation { gravity = { 0, %-2 }.*a script must make the same simulations in the same order each time", said)
    end)

    it("--hash names simulations that the garbage collector has taken", function()
      shell.write("gone.lua", [[
local floc = require "floc"
for k = 1, 4 do
  local sim = floc.simulation { time_step = 0.1 }
  sim:add_particle { position = { 0, 0 }, radius = 0.1, velocity = { k, 0 } }
  sim:run { steps = k }
end
collectgarbage() collectgarbage()
]])
      local said = shell.run(string.format("'%s' run gone.lua --hash --quiet", program))
      local numbers = {}
      for number, step in said:gmatch "simulation (%d+): step (%d+), hash %x+" do numbers[#numbers + 1] = number .. step end
      assert.are.equal("11 22 33 44", table.concat(numbers, " "))
    end)
  end)
end

if #programs == 2 then
  it("a checkpoint of one Lua is resumed by the other", function()
    folder = shell.open()
    for from = 1, 2 do
      for _, name in ipairs { "closures", "tables", "plot_from_callback" } do
        shell.run "rm -rf whole"
        local whole = start(programs[from], name, "whole")
        local expected = products "whole"
        local resumed, status = shell.run(string.format("'%s' resume whole/run.floc.1 --hash --quiet", programs[3 - from]))
        assert.are.equal(0, status, resumed)
        assert.are.equal(hashes(whole), hashes(resumed))
        assert.are.same(expected, products "whole")
      end
    end
    shell.close()
  end)
end
