-- `floc view` and parameters that change, from outside and without a browser: what they refuse, what they write, where. What the
-- page shows is in tests/page.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")

local function floc(arguments) return shell.run("'" .. program .. "' " .. arguments) end

local function read(name) return assert(shell.read(name), name) end

local scenario = [[
local floc = require "floc"
local args = floc.args { pull = { 10, 0, 30 }, grains = { 3, 1, 9, integer = true }, steps = 20 }
local sim = floc.simulation { time_step = 0.01, gravity = function() return 0, -args.pull end }
sim:add_particles { count = args.grains, radius = 0.1, region = floc.box { lower = { 0, 0 }, upper = { 2, 2 } } }
sim:write_vtp { path = floc.out .. "/run", every = 5 }
sim:checkpoint { path = floc.out .. "/run.floc", every = 8 }
sim:run { steps = args.steps }
sim:run { steps = 4 }
print(("%.17g %g"):format(sim.y[1], args.pull))
]]

local function refuses(arguments, message)
  local text, status = floc(arguments)
  assert.are.equal("floc: " .. message .. "\n", text)
  assert.are.equal(1, status)
end

describe("floc view", function()
  local has_page

  setup(function()
    shell.open()
    shell.write("s.lua", scenario)
    assert.are.equal(0, select(2, floc "run s.lua --quiet --out=one"))
    has_page = select(2, floc "view one --output=page.html") == 0
  end)
  teardown(function() shell.close() end)

  it("writes one file that asks for no other", function()
    if not has_page then return pending "built without the page" end
    local text, status = floc "view one/run.pvd"
    assert.are.equal(0, status)
    assert.matches("^one/run.html: 5 frames, %d+ kB\n$", text)
    local page = read "one/run.html"
    assert.is_nil(page:find('src="http', 1, true) or page:find("@import", 1, true) or page:find('rel="stylesheet"', 1, true))
    assert.matches('<script type="text/plain" id="f4">[%w+/=]+</script>', page)
    assert.is_nil(shell.read "one/run.html.new")
    for _, name in ipairs { "one/run", "one", "one/" } do
      assert.are.equal(0, select(2, floc("view " .. name .. " --output=other.html")))
      assert.is_true(read "other.html" == page, name)
    end
  end)

  it("says so where it was built without the page", function()
    if has_page then return pending "built with the page" end
    assert.matches("install nodejs and npm", (floc "view one"))
  end)

  it("refuses what is no run, with the file and what is wrong", function()
    if not has_page then return pending "built without the page" end
    refuses("view nothing", "nothing: there is no such file or folder")
    refuses("view one/run/particles_000005.vtp", "one/run/particles_000005.vtp is one file of a run; name the run's collection (.pvd) or its folder")
    shell.run "mkdir -p empty two; cp -r one/run* two; cp one/run.pvd two/more.pvd"
    refuses("view empty", "empty contains no run: expected a .pvd written by sim:write_vtp, or a checkpoint (.floc)")
    refuses("view two", "two contains several runs; name one of them: two/more.pvd, two/run.pvd")
    shell.write("text.pvd", "hello")
    refuses("view text.pvd", "text.pvd: it is not a collection of .vtp files")
    shell.write("none.pvd", '<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0">\n  <Collection>\n  </Collection>\n</VTKFile>\n')
    refuses("view none.pvd", "none.pvd: the run has no frames")
    shell.write("cut.pvd", read("one/run.pvd"):sub(1, -30))
    refuses("view cut.pvd", "cut.pvd: damaged: it ends in the middle")
    assert.matches("^floc: s.lua is not a floc checkpoint or recorded problem\n$", (floc "view s.lua"))
  end)

  it("names a damaged frame, and leaves no page behind", function()
    if not has_page then return pending "built without the page" end
    shell.run "mkdir -p bad; cp -r one/run* bad"
    local frame = read "bad/run/particles_000010.vtp"
    shell.write("bad/run/particles_000010.vtp", frame:sub(1, math.floor(#frame * 0.7)))
    local text, status = floc "view bad --output=bad.html"
    assert.matches('^floc: bad/run/particles_000010.vtp: damaged: .+\n$', text)
    assert.are.equal(1, status)
    assert.is_nil(shell.read "bad.html")
    assert.is_nil(shell.read "bad.html.new")
    os.remove "bad/run/particles_000010.vtp"
    shell.run "rm bad/run/particles_000010.vtp"
    refuses("view bad --output=bad.html", "bad/run/particles_000010.vtp: there is no such file")
  end)

  it("checks its options", function()
    if not has_page then return pending "built without the page" end
    refuses("view one --columns=radius,sped", "--columns: the run has no column sped; did you mean speed?; it has force, mass, radius, velocity, speed")
    refuses("view one --units=m,s", "--units is m,s; it must be the units of length, time and mass, as in --units=m,s,kg")
    refuses("view one --every=0", "--every is \"0\"; it must be an integer from 1 to 1000000000")
    refuses("view one --outptu=x", "view: unknown option --outptu=x; did you mean output?")
    refuses("view one --output=/dev/null/x.html", "/dev/null/x.html: the folder /dev/null cannot be made: Not a directory")
    assert.matches("^floc view RUN", (floc "view --help"))
  end)
end)

describe("parameters that change while it runs", function()
  setup(function()
    shell.open()
    shell.write("s.lua", scenario)
  end)
  teardown(function() shell.close() end)

  local function declared(text)
    shell.write("d.lua", "local floc = require 'floc'\nlocal args = floc.args { " .. text .. " }\nprint(args.a)\n")
    return (floc "run d.lua")
  end

  it("are declared with a least and a greatest value", function()
    assert.are.equal("5\n", declared "a = { 5, 1, 10 }")
    assert.matches("%-%-a=5 +%(1 to 10, with %-%-live while it runs%)", (floc "run d.lua --help"))
    assert.matches("%-%-a is 11; it must be", (floc "run d.lua --a=11"))
    for text, message in pairs {
      ["a = { 5, 1 }"] = "a[3] is nil; it must be a finite number: a = { value, minimum, maximum }",
      ["a = { 5, 'x', 3 }"] = "a[2] is \"x\"; it must be a finite number",
      ["a = { 5, 3, 3 }"] = "a ranges from 3 to 3; the minimum must be below the maximum",
      ["a = { 5, 6, 7 }"] = "the default of a is 5; it must be",
      ["a = { 5, 1, 7, at_least = 2 }"] = "a has a minimum and a maximum, and also at_least",
      ["a = { 5, 1, 7, 8 }"] = "unknown parameter a.4",
      ["a = { 1.5, 1, 7, integer = true }"] = "the default of a is 1.5; it must be",
      ["live = 1"] = "live cannot be the name of a parameter: --live is an option of floc",
    } do
      local said = declared(text)
      assert.is_truthy(said:find(message, 1, true), said)
    end
  end)

  local head = "simulation\trun\tstep\tname\tvalue\n"

  it("change where a list says so, and a resume makes no difference", function()
    local before = floc "run s.lua --quiet --out=before"
    assert.matches(" 10\n$", before)
    shell.write("list.tsv", head .. "1\t1\t3\tpull\t20\n1\t1\t10\tpull\t0\n1\t1\t16\tpull\t7\n1\t2\t22\tpull\t2.5\n")
    local after, status = floc "run s.lua --quiet --out=after --changes=list.tsv"
    assert.are.equal(0, status, after)
    assert.matches(" 2.5\n$", after)
    assert.are_not.equal(before, after)
    -- Checkpoints are of steps 24, 16 and 8 (keep = 1: the last one); those in the middle of both runs:
    for _, stop in ipairs { 8, 16, 24 } do
      shell.write("t.lua", (scenario:gsub("every = 8", "every = " .. stop)))
      assert.are.equal(after, (floc("run t.lua --quiet --out=stop --changes=list.tsv")))
      assert.are.equal(after, (floc "resume stop/run.floc --quiet"), stop)
    end
  end)

  it("are refused in lists that do not fit, with file and line", function()
    for text, message in pairs {
      [head .. "1\t1\t3\tpul\t20\n"] = "list.tsv, line 2: there is no parameter \"pul\"",
      [head .. "1\t1\t3\tpull\t31\n"] = "list.tsv, line 2: pull is 31; it must be a finite number",
      [head .. "1\t1\t3\tpull\tnan\n"] = "list.tsv, line 2: pull is ",
      [head .. "1\t1\t3\tsteps\t31\n"] = "list.tsv, line 2: steps was not declared as an adjustable parameter",
      [head .. "1\t1\t3\tgrains\t2.5\n"] = "list.tsv, line 2: grains is 2.5; it must be an integer",
      [head .. "1\t1\t-3\tpull\t3\n"] = "list.tsv, line 2: it must contain simulation, run, step, name and value",
      [head .. "1\t1\t3\tpull\n"] = "list.tsv, line 2: it must contain simulation, run, step, name and value",
      ["hello\n"] = "list.tsv: it is not a list of changes",
      [""] = "list.tsv: it is not a list of changes",
    } do
      shell.write("list.tsv", text)
      local said, status = floc "run s.lua --quiet --changes=list.tsv"
      assert.is_truthy(said:find("floc: " .. message, 1, true), said)
      assert.are.equal(1, status)
    end
    refuses("run s.lua --changes=missing.tsv", "missing.tsv: there is no such file, or it cannot be read")
  end)

  it("options of --live are refused without it", function()
    assert.matches("unknown parameter %-%-port", (floc "run s.lua --port=80"))
    refuses("resume x.floc --port=80000", "--port is \"80000\"; it must be an integer from 0 to 65535")
  end)
end)
