-- Tables of observables, reports, arguments, pictures.

local support = require "support"

local folder

local function text(script) return (script:gsub("FOLDER", function() return string.format("%q", folder) end)) end

describe("sim:observe", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  it("writes a header and rows at intervals, the first at the start", function()
    support.run(text [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.5 }
      sim:add_particle { position = { 0, 0 }, radius = 1, velocity = { 0.1, 0 } }
      sim:observe { path = FOLDER .. "/deep/er/table.tsv", every = 2,
        columns = { "step", "time", { "x", function(sim) return sim.x[1] end }, "greatest_speed", "contacts" } }
      sim:run { steps = 3 }
      sim:run { steps = 2 }
    ]])
    assert.are.equal("step\ttime\tx\tgreatest_speed\tcontacts\n0\t0\t0\t0.1\t0\n2\t1\t0.1\t0.1\t0\n4\t2\t0.2\t0.1\t0\n",
      support.read(folder .. "/deep/er/table.tsv"))
  end)

  it("takes named columns, behind step and time, in the order of names", function()
    support.run(text [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.5 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      sim:observe { path = FOLDER .. "/t.tsv", columns = { b = function() return 0.25 end, a = "particle_count" } }
      sim:run { steps = 1 }
    ]])
    assert.are.equal("step\ttime\ta\tb\n0\t0\t1\t0.25\n1\t0.5\t1\t0.25\n", support.read(folder .. "/t.tsv"))
  end)

  it("names the column whose function gives no number", function()
    local message = support.failure(text 'local floc = require "floc"\nlocal sim = floc.simulation { time_step = 0.5 }\n'
      .. text 'sim:observe { path = FOLDER .. "/t.tsv", columns = { a = function() return "x" end } }\nsim:run { steps = 1 }')
    assert.matches('^script.lua:3: observe: the column "a" is "x"; it must be a number', message)
  end)
end)

describe("floc.report", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  it("compares with what is expected", function()
    local results = support.run([[
      local floc = require "floc"
      local function met(value, expect) return floc.report { claim = "c", value = value, expect = expect } end
      return { met(1, { at_least = 1 }), met(1, { at_least = 1.1 }), met(1, { at_most = 1 }), met(2, { at_most = 1 }),
        met(1, { equal = 1 }), met(1, { equal = 2 }), met(1, { equal = 2, tolerance = 1 }), met(0.9, { equal = 2, tolerance = 1 }),
        met(3, { at_least = 1, at_most = 2 }), met("a", { equal = "a" }), met(true, { equal = false }), met(0/0, { at_least = 0 }),
        met(5) == nil }
    ]], { out = folder })
    assert.are.same({ true, false, true, false, true, false, true, false, false, true, false, false, true }, results)
  end)

  -- One claim in a script of its own, whose folder is that of the test.
  local function claim(words, arguments)
    local ok, message, _, _, one = support.try('local floc = require "floc"\nfloc.args { n = 3, seed = 1 }\nfloc.report { claim = "c", ' .. words .. " }",
      { out = folder, name = folder .. "/script.lua", arguments = arguments or {} })
    assert.is_true(ok, message)
    return one.reports[1], one
  end

  it("judges by the paper's band, and by ours", function()
    local paper = 'paper_value = 2, paper_band = { equal = 2, tolerance = 0.1 }, '
    for words, wanted in pairs {
      ["value = 1"] = { "open", nil },
      ["value = 1, expect = { equal = 1 }"] = { "open", true },
      ["value = 1, expect = { equal = 2 }"] = { "open", false },
      ['value = 1, paper_says = "one", expect = { equal = 1 }'] = { "agrees", true },
      ['value = 1, paper_says = "two", expect = { equal = 2 }'] = { "differs", false },
      [paper .. "value = 2.05"] = { "agrees", true },
      [paper .. "value = 2.2"] = { "differs", false },
      [paper .. 'value = 2.2, differs = "why"'] = { "differs", true },
      [paper .. 'value = 2.05, differs = "why"'] = { "agrees", false },
      [paper .. 'value = 2.2, differs = "why", expect = { equal = 2.2 }'] = { "differs", true },
      [paper .. 'value = 2.3, differs = "why", expect = { equal = 2.2 }'] = { "differs", false },
      [paper .. 'absent = "late"'] = { "not applicable", nil },
    } do
      local one = claim(words)
      assert.are.equal(wanted[1], one.verdict, words)
      assert.are.equal(wanted[2], one.passed, words)
    end
  end)

  it("takes the band of an ensemble, at its arguments only", function()
    local file = io.open(folder .. "/ensembles.tsv", "w")
    file:write("script\targuments\tclaim\truns\tmean\tsd\tfirst_seed\n", "script.lua\tn=3\tc\t16\t10\t0.5\t101\n",
      "script.lua\tn=4\tother\t16\t10\t0.5\t101\n", "another.lua\tn=5\tc\t16\t10\t0.5\t101\n")
    file:close()
    -- For one run mean +- 4 sd; for the mean of n +- 4 sd sqrt(1/n + 1/16): with n = 9 that is 2/2.4 of 1, or 0.8333.
    for words, wanted in pairs {
      ["value = 11.99, ensemble = 1"] = true, ["value = 12.01, ensemble = 1"] = false,
      ["value = 10.83, ensemble = 9"] = true, ["value = 10.84, ensemble = 9"] = false,
    } do
      local one = claim(words, { "--seed=7" })
      assert.are.equal(wanted, one.passed, words)
      assert.are.equal("open", one.verdict)
      assert.are.equal("ensemble of 16 runs, sd 0.5", one.band_from)
    end
    assert.are.equal("agrees", claim("value = 10, paper_value = 11.5, ensemble = 1").verdict)
    local far = claim("value = 10, paper_value = 12.5, ensemble = 1")
    assert.is_true(far.verdict == "differs" and far.passed == false)
    local other, one = claim("value = 100, ensemble = 1", { "--n=6" })
    assert.are.same({ "not applicable", "no ensemble at n=6 (not 3)" }, { other.verdict, other.absent })
    assert.matches("not applicable: no ensemble at n=6 %(not 3%)", require("floc.output.report").text(one))
    assert.is_nil(other.passed)
    -- Arguments with an ensemble that lacks the claim: it was renamed, and must be measured again.
    local lost = claim("value = 10, ensemble = 1", { "--n=4" })
    assert.are.equal(false, lost.passed)
    assert.are.equal("ensembles.tsv has these arguments, but not this claim: floc reproduce --ensembles", lost.absent)
    os.remove(folder .. "/ensembles.tsv")
    assert.are.equal("there is no ensembles.tsv beside the script", claim("value = 10, ensemble = 1").absent)
  end)

  it("writes result.json and a table", function()
    local ok, _, _, _, one = support.try([[
      local floc = require "floc"
      floc.report { claim = "grains \"fall\"", paper = "Müller 2009, 4.3", value = 1 / 3, unit = "m", expect = { at_least = 0.25 } }
      floc.report { claim = "grains stop", value = 2, expect = { equal = 1, tolerance = 0.5 } }
      floc.report { claim = "count", value = 7 }
    ]], { out = folder, arguments = { "--a=1" } })
    assert.is_true(ok)
    local json = support.read(folder .. "/result.json")
    for _, part in ipairs { '"claim": "grains \\"fall\\""', '"paper": "Müller 2009, 4.3"', '"value": 0.3333333333333333',
      '"passed": false', '"at_least": 0.25', '"script": "script.lua"', '"--a=1"', '"tolerance": 0.5' } do
      assert.is_truthy(json:find(part, 1, true), part)
    end
    local report = require "floc.output.report"
    local lines = {}
    for line in report.text(one):gmatch("[^\n]+") do lines[#lines + 1] = line end
    assert.are.equal("claim          paper             measured    expected", lines[1])
    assert.are.equal('grains "fall"  Müller 2009, 4.3  0.333333 m  >= 0.25   met', lines[3])
    assert.are.equal("grains stop                      2           1 +- 0.5  NOT MET", lines[4])
    assert.are.equal("count                            7", lines[5])
    assert.are.equal(1, report.failures(one))
  end)
end)

describe("floc.args", function()
  local declared = 'local floc = require "floc"\nreturn floc.args { particles = 3000, name = "a", flag = false, '
    .. 'model = { "dry", one_of = { "dry", "gluey" }, text = "which" }, h = { 0.1, above = 0 }, n = { 3, integer = true } }'

  local function args(...) return support.run(declared, { arguments = { ... } }) end

  it("gives defaults", function()
    assert.are.same({ particles = 3000, name = "a", flag = false, model = "dry", h = 0.1, n = 3 }, args())
  end)
  it("takes values by the type of the default", function()
    assert.are.same({ particles = 1.5e3, name = "", flag = true, model = "gluey", h = 0.25, n = 4 },
      args("--particles=1.5e3", "--name=", "--flag", "--model=gluey", "--h=0.25", "--n=4"))
    assert.is_false(args("--flag=no").flag)
  end)

  for _, case in ipairs {
    { "--partciles=5", "script.lua: unknown parameter --partciles; did you mean particles?" },
    { "--particles=many", 'script.lua: --particles is "many"; it must be a finite number' },
    { "--particles", "script.lua: --particles needs a value: --particles=3000" },
    { "--flag=maybe", 'script.lua: --flag is "maybe"; it must be true or false' },
    { "--model=wet", 'script.lua: --model is "wet"; it must be one of dry, gluey' },
    { "--h=0", "script.lua: --h is 0; it must be a finite number above 0" },
    { "--n=2.5", "script.lua: --n is 2.5; it must be an integer" },
    { "loose", 'script.lua: unexpected argument "loose"; parameters are given as --name=value' },
  } do
    it("refuses " .. case[1], function()
      assert.are.equal(case[2], support.failure(declared, { arguments = { case[1] } }))
    end)
  end

  it("refuses wrong declarations", function()
    local function message(list) return support.failure('local floc = require "floc"\nfloc.args { ' .. list .. " }") end
    assert.are.equal("script.lua:2: args: out cannot be the name of a parameter: --out is an option of floc", message "out = 1")
    assert.matches("^script.lua:2: args: a is a function; a default must be", message "a = print")
    assert.matches("^script.lua:2: args: unknown parameter a.oneof; did you mean one_of?", message 'a = { "x", oneof = {} }')
    assert.matches("^script.lua:2: args: the default of a is 0; it must be", message "a = { 0, above = 0 }")
    assert.matches("^script.lua:2: args: takes one table of parameters and defaults, got 5", support.failure('local floc = require "floc"\nfloc.args(5)'))
    assert.matches('^script.lua:2: args: "2nd" cannot be the name of a parameter', message '["2nd"] = 1')
    assert.matches("^script.lua:2: args: is called a second time", support.failure('local floc = require "floc"\nfloc.args {} floc.args {}'))
  end)

  it("is not needed; then arguments of the program are refused", function()
    local script = 'local floc = require "floc"\nfloc.simulation { time_step = 1 }'
    assert.are.equal("script.lua: unknown parameter --steps; known are: changes, continue, hash, help, live, out, quiet, sandbox, slurm, strict, threads, traceback, trust",
      support.failure(script, { arguments = { "--steps=1" }, program = true }))
    support.run(script, { arguments = { "--steps=1" } }) -- a host's own arguments are not ours to judge
  end)

  it("explains itself", function()
    local arguments = require "floc.session.arguments"
    local one = support.session.new { script_name = "x.lua", script_text = "#!/usr/bin/floc\n-- What it is.\n--\n-- More.\n\ncode()\n-- not this\n" }
    local help = arguments.help(one, { { name = "n", type = "number", default = 3, text = "How many." } })
    assert.is_truthy(help:find("  What it is.\n  \n  More.\n\nParameters, with their defaults:\n  --n=3  How many.", 1, true))
  end)
end)

describe("pictures", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  local setup = [[
    local floc = require "floc"
    local sim = floc.simulation { dimension = D, time_step = 0.01, gravity = D == 2 and { 0, -10 } or { 0, -10, 0 }, scheme = floc.gluey {} }
    local low, high = { -1, 0.1, -1 }, { 1, 2, 1 }
    if D == 2 then low[3], high[3] = nil, nil end
    sim:add_particles { count = 30, radius = { 0.05, 0.1 }, region = floc.box { lower = low, upper = high } }
    sim:add_body { shape = floc.plane { normal = D == 2 and { 0, 1 } or { 0, 1, 0 } } }
    sim:add_attribute("charge", 1)
    sim:run { steps = 50 }
  ]]
  local function draw(dimension, calls)
    return support.run(text((setup .. calls):gsub("D ==", dimension .. " =="):gsub("= D,", "= " .. dimension .. ",")))
  end

  it("are drawn in all formats", function()
    draw(2, [[
      sim:picture(FOLDER .. "/a.png")
      sim:picture { path = FOLDER .. "/b.svg", colour = "speed", tubes = "gamma", label = "speed", unit = "m/s", range = { 0, 1 } }
      sim:picture { path = FOLDER .. "/c.pdf", colour = function(id) return id end, map = "magma", lower = { -1, -1 }, upper = { 1, 1 },
        caption = "caption", title = "title", width = 300 }
      sim:picture { path = FOLDER .. "/d.png", group = function(id) return id % 3 end, tubes = "impulse", background = 0 }
      sim:picture { path = FOLDER .. "/e.png", group = "charge", note = "note" }
    ]])
    assert.are.equal("\137PNG", support.read(folder .. "/a.png"):sub(1, 4))
    assert.matches("<svg", support.read(folder .. "/b.svg"))
    assert.are.equal("%PDF", support.read(folder .. "/c.pdf"):sub(1, 4))
    assert.is_true(support.exists(folder .. "/d.png") and support.exists(folder .. "/e.png"))
  end)

  it("are drawn in three dimensions, and as panels", function()
    draw(3, [[
      sim:picture { path = FOLDER .. "/a.png", colour = "speed", direction = { 0, -0.5, -1 }, zoom = 1.5 }
      local panels = floc.panels { columns = 2, title = "two moments", width = 400 }
      panels:add(sim)
      sim:run { steps = 10 }
      panels:add(sim, { title = "later", colour = "y" })
      panels:write(FOLDER .. "/panels.png")
    ]])
    assert.is_true(#support.read(folder .. "/a.png") > 1000 and #support.read(folder .. "/panels.png") > 1000)
  end)

  it("of an empty simulation, and inside a periodic domain, are drawn", function()
    support.run(text [[
      local floc = require "floc"
      floc.simulation { time_step = 1 }:picture(FOLDER .. "/empty.png")
      local sim = floc.simulation { time_step = 1, domain = floc.box { lower = { 0, 0 }, upper = { 1, 1 } }, boundary = { "periodic", "wall" } }
      sim:add_particle { position = { 0, 0.5 }, radius = 0.1 }
      sim:picture(FOLDER .. "/periodic.png")
    ]])
    assert.is_true(support.exists(folder .. "/periodic.png"))
  end)

  it("of a field show its cells, from a table or a function, with particles over it or without", function()
    support.run(text [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 0.01 }
      for k = 1, 3 do sim:add_particle { position = { k, 0.2 * k }, velocity = { k, 0 }, radius = 0.5, mass = k } end
      local function fields(sim) return sim:coarse_grain { width = 0.5 } end
      sim:picture { path = FOLDER .. "/one.png", field = fields(sim) }
      sim:picture { path = FOLDER .. "/same.png", field = fields, quantity = "density" }
      sim:picture { path = FOLDER .. "/other.png", field = fields, quantity = "momentum_x", range = { 0, 5 }, label = "p" }
      sim:picture { path = FOLDER .. "/over.png", field = { cells = { 2, 1 }, lower = { 0, 0 }, spacing = { 1, 1 }, heat = { 0, 1 } }, quantity = "heat", colour = "speed" }
      sim:picture { path = FOLDER .. "/field.svg", field = fields }
      sim:record { movie = FOLDER .. "/frames/%03d.png", every = 1, field = fields, width = 200 }
      sim:run { steps = 2 }
    ]])
    local function read(name) return support.read(folder .. "/" .. name .. ".png") end
    assert.are.equal(read "one", read "same")
    assert.is_true(read "one" ~= read "other" and read "one" ~= read "over" and #read "frames/001" > 500)
    assert.is_truthy(support.read(folder .. "/field.svg"):find("<image", 1, true))
  end)

  it("are refused with the reason", function()
    local grid = "cells = { 2, 1 }, lower = { 0, 0 }, spacing = { 1, 1 }"
    for field, message in pairs {
      ["{ cells = { 2 } }"] = "picture: field.cells is a table; it must be a list of 2 finite numbers, as sim:coarse_grain returns it",
      ["{ cells = { 2, 1.5 }, lower = { 0, 0 }, spacing = { 1, 1 } }"] = "picture: field.cells[2] is 1.5; it must be an integer, 1 to 10000000",
      ["{ cells = { 2, 1 }, lower = { 0, 0 }, spacing = { 1, 0 } }"] = "picture: field.spacing[2] is 0; it must be above 0",
      ["{ " .. grid .. ", densty = { 1, 2 } }"] = 'picture: quantity is "density", which is no list of the field; did you mean densty?',
      ["{ " .. grid .. ", density = { 1 } }"] = "picture: field.density has 1 numbers; it must have one for each cell, 2",
      ["{ " .. grid .. ', density = { 1, "x" } }'] = 'picture: field.density[2] is "x"; it must be a number',
      ["function() return 1 end"] = "picture: field returned 1; it must return a table, as sim:coarse_grain does",
      ["3"] = "picture: field is 3; it must be",
    } do
      local ok, got = pcall(draw, 2, 'sim:picture { path = FOLDER .. "/a.png", field = ' .. field .. " }")
      assert.is_false(ok)
      assert.is_truthy(got:find(message, 1, true), got)
    end
    local drawn, refused = pcall(draw, 3, 'sim:picture { path = FOLDER .. "/a.png", field = sim:coarse_grain { width = 1 } }')
    assert.is_false(drawn)
    assert.is_truthy(refused:find("picture: field is given, but it applies to two dimensions only; the simulation has 3", 1, true), refused)
    for call, message in pairs {
      ['{ path = FOLDER .. "/a.bmp" }'] = "picture: ",
      ['{ path = FOLDER .. "/a.png", colour = "speed", map = "viridus" }'] = 'picture: map is "viridus"; it must be one of viridis, magma, inferno, grey, diverging; did you mean viridis?',
      ['{ path = FOLDER .. "/a.png", colour = function(id) end }'] = "picture: colour returned nil for particle 1; it must return a number",
      ['{ path = FOLDER .. "/a.png", colour = "speed", range = { 1 } }'] = "picture: range[2] is nil; it must be a number",
      ['{ path = FOLDER .. "/a.png", tubes = "force", range = { 1, 0 } }'] = "picture: range[2] is 0; it must be above range[1], which is 1",
      ['{ path = FOLDER .. "/a.png", range = { 0, 1 } }'] = "picture: range is given, which would do nothing: it needs colour or tubes or field",
      ['{ path = FOLDER .. "/a.png", quantity = "density" }'] = 'picture: quantity is "density", which would do nothing: it needs field',
      ['{ path = FOLDER .. "/a.png", ray_width = 2 }'] = "picture: ray_width is 2, which would do nothing: it needs rays",
      ['{ path = FOLDER .. "/a.png", direction = { 1, 0 } }'] = "picture: direction is given, but it applies to three dimensions only; the simulation has 2",
      ['{ path = FOLDER .. "/a.png", colour = "x", group = "charge" }'] = "picture: colour and group are both given; only one of them may be",
      ['{ path = FOLDER .. "/a.png", colour = "charg" }'] = 'picture: colour is "charg", which is no column; did you mean charge?',
    } do
      local ok, got = pcall(draw, 2, "sim:picture " .. call)
      assert.is_false(ok)
      assert.is_truthy(got:find(message, 1, true), got)
    end
  end)
end)
