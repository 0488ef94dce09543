-- What documents tell a reader to type, typed: every command in the head of an example, in a README and on a page of the
-- manual, at a small size, by the program and by plain Lua 5.4. FLOC_PROGRAM, FLOC_SOURCE and FLOC_LUA54 (a command that runs
-- a script with the module; empty: only the program) say where things are.
--
-- A command is taken from the documents as it stands; what makes it small is added behind it (the last value of a
-- parameter counts). So a parameter that does not exist, or a dimension that an example cannot do, fails here.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")
local source = assert(shell.source, "FLOC_SOURCE is not set")
local lua54 = os.getenv "FLOC_LUA54" or ""

-- What makes an example small enough to run in about a second. A new example fails until it stands here.
local small = {
  ["acoustic/agglomeration.lua"] = "--particles=150 --rays=500 --seeds=1",
  ["acoustic/bonded.lua"] = "--particles=60 --rays=200 --seeds=1 --gather=0.1",
  ["acoustic/convergence.lua"] = "--particles=100 --reference=4000 --repeats=2 --seeds=2 --pictures=false",
  ["acoustic/exact.lua"] = "",
  ["acoustic/rays_only.lua"] = "--directions=0 --rays=2000 --shown=20",
  ["aggregation/contact_distance.lua"] = "--end_time=0.1 --seeds=1",
  ["aggregation/exact.lua"] = "",
  ["aggregation/kernels.lua"] = "--seeds=1",
  ["aggregation/noise.lua"] = "--particles=120 --end_time=0.4",
  ["aggregation/noise_step.lua"] = "--particles=60 --end_time=0.2 --seeds=1",
  ["aggregation/shear.lua"] = "--particles=120 --end_time=0.5",
  ["aggregation/size_distribution.lua"] = "--particles=60 --seeds=2 --end_time=0.3 --samples=2 --densities=0.2 --intensities=1",
  ["ballistic/calibration.lua"] = "--particles=300",
  ["ballistic/cost.lua"] = "--counts=100,200",
  ["ballistic/exact.lua"] = "",
  ["ballistic/million.lua"] = "--particles=500",
  ["ballistic/shapes.lua"] = "--counts=50 --seeds=3 --volume_fractions=0.2",
  ["first/falling_grains.lua"] = "--grains=60",
  ["first/moving_wall.lua"] = "",
  ["first/new_law.lua"] = "",
  ["friction/sandpile.lua"] = "--particles=30 --settle=0.05 --slump=0.05",
  ["friction/tilting_plane.lua"] = "--rate=2",
  ["gluey/billiard.lua"] = "--time_step=0.01",
  ["gluey/coupling.lua"] = "--time_step=0.02 --mesh=0.2",
  ["gluey/dry_and_gluey.lua"] = "--particles=30 --steps=40",
  ["gluey/exact.lua"] = "",
  ["gluey/lotto.lua"] = "--particles=20 --steps=200 --seeds=1",
  ["gluey/plane.lua"] = "--end_time=1",
  ["gluey/biconcave_cells.lua"] = "--cells=2 --end_time=1",
  ["gluey/red_cells.lua"] = "--cells=6 --steps=100",
  ["gluey/sedimentation.lua"] = "--particles=60 --steps=40",
  ["laws/curves.lua"] = "",
  ["laws/motions.lua"] = "",
  ["recipes/brazil_nut.lua"] = "--grains=60 --periods=2",
  ["recipes/column_collapse.lua"] = "--across=5",
  ["recipes/settling.lua"] = "--grains=60 --end_time=1",
  ["recipes/shear_cell.lua"] = "--I=0.1 --grains=80 --strain=1",
  ["recipes/crowd.lua"] = "--people=60",
  ["recipes/dense_packing.lua"] = "--spheres=300",
  ["recipes/growing_colony.lua"] = "--generations=3",
  ["shapes/random_packing.lua"] = "--grains=30 --growth=0.02 --stop=5e-3",
  ["shapes/poured_boxes.lua"] = "--boxes=10 --end_time=0.2",
  ["shapes/poured_mixture.lua"] = "--grains=14 --end_time=0.2",
  ["shapes/dominoes.lua"] = "--dominoes=3 --end_time=0.3",
  ["shapes/poured_rods.lua"] = "--rods=30 --end_time=0.2",
  ["shapes/red_cells.lua"] = "--cells=2 --error=0.3 --end_time=0.002",
  ["shapes/rod_colony.lua"] = "--generations=3",
  ["recipes/drum.lua"] = "--small=40 --large=8 --turns=0.6",
  ["recipes/galton_board.lua"] = "--discs=8",
  ["recipes/hourglass.lua"] = "--grains=300 --neck=5",
  ["recipes/conveyor.lua"] = "--grains=30 --end_time=0.3",
  ["recipes/wrecking_ball.lua"] = "--links=3",
  ["recipes/lid.lua"] = "--grains=40 --weight=200",
  ["recipes/water_wheel.lua"] = "--time=1",
  ["recipes/silo.lua"] = "--rate=40 --end_time=0.9",
  ["recipes/fluidised_bed.lua"] = "--grains=50 --end_time=0.1",
  ["recipes/lennard_jones_liquid.lua"] = "--cells=6 --steps=5",
  ["recipes/lennard_jones_state.lua"] = "--start=50 --blocks=2 --samples=1",
  ["recipes/triaxial.lua"] = "--grains=25 --strain=0.01",
  ["recipes/hopper.lua"] = "--grains=50 --end_time=0.05",
  ["recipes/mixer.lua"] = "--grains=30 --turns=0.05",
  ["recipes/piston.lua"] = "--discs=30 --travel=0.02",
  ["recipes/polymer_melt.lua"] = "--beads=6 --start=100 --steps=200",
  ["recipes/worm_like_chain.lua"] = "--chains=10 --start=50 --steps=100",
  ["recipes/time_step.lua"] = "--grains=30 --time_steps=0.004,0.002",
}
-- A host's script, which the tests of embedding run.
local not_scenarios = { ["embed/scenario.lua"] = true }

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function list(pattern)
  local files = {}
  for path in io.popen("cd '" .. source .. "' && ls " .. pattern):read("*a"):gmatch "[^\n]+" do files[#files + 1] = path end
  assert(#files > 0, "nothing matches " .. pattern)
  return files
end

-- Laws and other modules that scenarios load: nothing in their heads says how to run them.
for _, path in ipairs(list "examples/laws/*.lua examples/aggregation/claims.lua examples/gluey/algorithm.lua examples/gluey/way_down.lua") do
  if not read(source .. "/" .. path):find "\n%-%-   floc run " then not_scenarios[path:gsub("^examples/", "")] = true end
end

-- ---- commands that run an example ----------------------------------------------------------------

local commands, order, seen = {}, {}, {} -- by what a command runs at its small size

-- The parameters that a command has once it is small: of those given more than once the last.
local function parameters_of(file, given)
  local last, list = {}, {}
  for name, value in (given .. " " .. (small[file] or "")):gmatch "%-%-([%w_]+)(%S*)" do last[name] = value end
  for name, value in pairs(last) do list[#list + 1] = "--" .. name .. value end
  table.sort(list)
  return file .. " " .. table.concat(list, " ")
end

-- Commands that differ in nothing but parameters that are made small run once, with all that was given.
local function note(file, given, place)
  given = given:gsub("%s+$", "")
  local key = parameters_of(file, given)
  if not commands[key] then
    commands[key] = { file = file, arguments = "", places = {} }
    order[#order + 1] = key
  end
  if not seen[file .. given] then
    seen[file .. given] = true
    local one = commands[key]
    one.arguments, one.places[#one.places + 1] = one.arguments .. " " .. given, place
  end
end

-- The head of an example: "--   floc run examples/x/y.lua --a=1      what it shows".
local function note_head(path)
  local file = path:gsub("^examples/", "")
  if not_scenarios[file] then return end
  note(file, "", path)
  for line in read(source .. "/" .. path):gmatch "[^\n]+" do
    if not line:find "^%-%-" then break end
    local named, given = line:match "^%-%-%s+floc run examples/(%S+%.lua)(.*)$"
    if named then note(named, given:gsub("%s%s+.*$", ""), path) end
    for option in line:gmatch "%-%-[%a_]+=%S+" do
      if not named then note(file, option:gsub("[%s;,.)]+$", ""), path) end
    end
  end
end

-- Code spans of a page: those that name an example with its options, and options in the row of a table that begins with
-- an example of the page's own folder.
local function note_page(path)
  local folder = path:match "^examples/(%w+)/"
  local in_block = false
  for line in read(source .. "/" .. path):gmatch "[^\n]+" do
    if line:find "^%s*```" then in_block = not in_block end
    local row = folder and line:match "^| `([%w_]+%.lua)`"
    for span in (in_block and "" or line):gmatch "`([^`]+)`" do
      local name, given = span:match "([%w_/]+%.lua)%s+(%-%-.*)$"
      local complete = given and not given:find "%.%.%." and not given:find "%-%-[%w_]+=%u[%u_]*"
      if complete then
        name = name:gsub("^examples/", "")
        if small[name] == nil and folder then name = folder .. "/" .. name end
        if small[name] then note(name, given, path) end
      elseif row and span:find "^%-%-[%a_]+=[^%s.]" and not span:find "%.%.%." then
        note(folder .. "/" .. row, span, path)
      end
    end
  end
end

for _, path in ipairs(list "examples/*/*.lua") do note_head(path) end
for _, path in ipairs(list "README.md docs/*.md docs/schemes/*.md examples/*/README.md") do note_page(path) end

-- ---- options that pages speak of ------------------------------------------------------------------

-- Options of other programs and of floc's scripts, by the page's own words.
local others = { "cmake", "ctest", "mpirun", "luarocks", "pkg%-config", "%.sh", "apt", "npm", "git", "perf", "valgrind", "CMAKE", "`%-%-compare`", "cc ", "gcc" }

local function is_of_others(span)
  for _, word in ipairs(others) do
    if span:find(word) then return true end
  end
  return false
end

-- ---- running --------------------------------------------------------------------------------------

local function described(text, status) return ("status %s:\n%s"):format(tostring(status), text) end

describe("commands in documents:", function()
  setup(function() shell.open() end)
  teardown(function() shell.close() end)

  it("every example is made small somewhere", function()
    for _, path in ipairs(list "examples/*/*.lua") do
      local file = path:gsub("^examples/", "")
      assert.is_true(not_scenarios[file] or small[file] ~= nil, path .. " has no small size in tests/command/commands_spec.lua")
    end
  end)

  for number, key in ipairs(order) do
    local one = commands[key]
    local call = ("'%s/examples/%s' %s %s"):format(source, one.file, one.arguments, small[one.file] or "")
    it(one.file .. one.arguments .. " (" .. table.concat(one.places, ", ") .. ")", function()
      local text, status = shell.run(("'%s' run %s --out=out%d --quiet"):format(program, call, number))
      assert.are.equal(0, status, described(text, status))
      local shows_loose_ones = one.arguments:find "%-%-tolerances="
      assert.is_true(shows_loose_ones ~= nil or not text:find "the tolerance %S+ is above", text)
    end)
  end

  -- Plain Lua has one command less to type; each example once is enough, the options are the same table.
  for number, path in ipairs(lua54 ~= "" and list "examples/*/*.lua" or {}) do
    local file = path:gsub("^examples/", "")
    if not not_scenarios[file] then
      it(file .. " on Lua 5.4", function()
        local text, status = shell.run(("mkdir plain%d && cd plain%d && %s '%s/%s' %s"):format(number, number, lua54, source, path,
          small[file] or ""))
        assert.are.equal(0, status, described(text, status))
      end)
    end
  end

  it("options that pages speak of exist", function()
    local help = shell.run("for c in '' run resume view info diff verify solve reproduce sweep; do '" .. program .. "' help $c; done")
    local known = { help = true, version = true, pull = true } -- pull: of a scenario on the page about sliders
    for option in help:gmatch "%-%-([%a][%w_%-]*)" do known[option] = true end
    for file in pairs(small) do
      local parameters = shell.run(("'%s' run '%s/examples/%s' --help"):format(program, source, file))
      for option in parameters:gmatch "%-%-([%a][%w_]*)=" do known[option] = true end
    end
    local unknown = {}
    for _, path in ipairs(list "README.md docs/*.md docs/schemes/*.md examples/*/README.md") do
      for line in read(source .. "/" .. path):gmatch "[^\n]+" do
        for span in line:gmatch "`([^`]+)`" do
          if not is_of_others(line) then
            for option in span:gmatch "%f[%-%w]%-%-([%a][%w_%-]*)" do
              if not known[option] then unknown[#unknown + 1] = path .. ": --" .. option .. " in " .. span end
            end
          end
        end
      end
    end
    assert.are.same({}, unknown)
  end)
end)
