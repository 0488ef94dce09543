-- The program `floc`, from outside: what it prints, where, and its exit status. FLOC_PROGRAM names it.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")

local folder

local run_shell = shell.run

-- Output (both streams) and exit status.
local function floc(arguments, before)
  return run_shell((before or "") .. " '" .. program .. "' " .. arguments)
end

local write = shell.write

local read = shell.read

-- CRC-32 as zlib computes it, by arithmetic alone: the specs run on every Lua.
local function exclusive_or(a, b)
  local result, bit = 0, 1
  while a > 0 or b > 0 do
    if a % 2 ~= b % 2 then result = result + bit end
    a, b, bit = math.floor(a / 2), math.floor(b / 2), bit * 2
  end
  return result
end

local function crc32(bytes)
  local crc = 0xffffffff
  for k = 1, #bytes do
    crc = exclusive_or(crc, bytes:byte(k))
    for _ = 1, 8 do crc = crc % 2 == 1 and exclusive_or(math.floor(crc / 2), 0xedb88320) or math.floor(crc / 2) end
  end
  return exclusive_or(crc, 0xffffffff)
end

local function little_endian(number)
  local bytes = {}
  for k = 1, 4 do
    bytes[k] = string.char(number % 256)
    number = math.floor(number / 256)
  end
  return table.concat(bytes)
end

local grains = [[
-- Grains in a box, for tests.
-- Second line.
local floc = require "floc"
local args = floc.args { steps = { 300, text = "how many steps" }, pause = 0, hold = 0, laws = true }
local sim = floc.simulation { time_step = 0.002, gravity = { 0, -10 }, scheme = floc.gluey { gamma_min = -1 } }
sim:add_body { shape = floc.container { width = 1.2, height = 2 } }
sim:add_body { shape = floc.wheel { radius = 0.1 }, position = { 0, 0.15 }, angular_velocity = function(t) return 2 * math.cos(t) end }
sim:add_particles { count = 60, radius = { 0.02, 0.03 }, mass = 2, region = floc.box { lower = { -0.5, 0.2 }, upper = { 0.5, 1 } } }
if args.laws then sim:add_field { law = function(vx, vy, t) return -0.5 * vx + math.sin(3 * t), -0.5 * vy end } end
sim.state.sum = 0
sim:every(5, function(sim)
  sim.state.sum = sim.state.sum + sim.x[1]
  local stop = os.clock() + args.pause
  while os.clock() < stop do end
  while args.hold > 0 and sim.step >= args.hold and os.rename("held", "held") do end -- os.execute would ignore SIGINT
end)
sim:checkpoint { path = floc.out .. "/run.floc", every = 50, keep = 2 }
sim:observe { path = floc.out .. "/table.tsv", every = 10, columns = { e = "kinetic_energy" } }
sim:run { steps = args.steps }
sim:checkpoint(floc.out .. "/end.floc")
print(("sum %.17g"):format(sim.state.sum))
floc.report { claim = "grains are in the box", value = sim:sum(function(y) return y > 0 end), expect = { equal = 60 } }
]]

describe("floc", function()
  setup(function()
    folder = shell.open()
    write("grains.lua", grains)
  end)
  teardown(function() shell.close() end)

  describe("explains itself", function()
    it("with --version", function()
      local text, status = floc "--version"
      assert.matches("^floc %d+%.%d+%.%d+ %(Lua.*%)\n$", text)
      assert.are.equal(0, status)
    end)
    it("with --help", function()
      local text, status = floc "--help"
      for _, word in ipairs { "floc run FILE", "floc resume FILE", "floc info FILE", "floc help" } do
        assert.is_truthy(text:find(word, 1, true), word)
      end
      assert.are.equal(0, status)
    end)
    it("without arguments, as an error", function()
      local text, status = floc ""
      assert.matches("floc run FILE", text)
      assert.are.equal(1, status)
    end)
    it("with help for every command and call", function()
      for _, page in ipairs { "run", "resume", "info", "calls", "simulation", "add_particles", "sim:add_body", "floc.gluey", "every",
        "sim:report", "floc.report", "manual", "annotations" } do
        local text, status = floc("help " .. page)
        assert.are.equal(0, status, page)
        assert.is_true(#text > 100, page)
      end
      for _, command in ipairs { "run", "resume", "info" } do
        assert.are.equal((floc("help " .. command)), (floc(command .. " --help")))
      end
      assert.matches("time_step\n +a finite number above 0 %[time%]; required\n +Length of a time step", (floc "help simulation"))
      assert.matches("^sim:report%(%)", (floc "help sim:report"))
      assert.matches("^floc.report {", (floc "help floc.report"))
      local text, status = floc "help add_partikles"
      assert.are.equal("floc: there is no help on add_partikles; did you mean add_particles?\n", text)
      assert.are.equal(1, status)
    end)
    it("with what is looked for", function()
      -- objects of a script, lists, words of other programs, words that strings hold
      for name, expected in pairs { body = "body:set_motion", law = "law.energy", sim = "sim:explain", explain = "Prints how a law is computed",
        measure = "kinetic_energy", measures = "momentum_x", columns = "mass [mass]", attributes = "add_attribute", viscosity = "floc.gluey" } do
        local text, status = floc("help " .. name)
        assert.are.equal(0, status, name)
        assert.is_truthy(text:find(expected, 1, true), name .. ": " .. text)
        assert.is_nil(text:find "\n[^\n]+\n[^\n]*%S{130}", name)
      end
      -- every page that an answer names is there, and no answer is longer than ten lines
      local words = dofile(os.getenv "FLOC_SOURCE" .. "/scripts/floc/command/help_words.lua")
      local seen = {}
      for word, answer in pairs(words) do
        assert.are.equal(word:lower():gsub("[-_ ]", ""), word)
        for _, page in ipairs(answer.pages) do seen[page] = true end
      end
      for page in pairs(seen) do assert.are.equal(0, select(2, floc("help " .. page)), page) end
      for _, word in ipairs { "timestep", "rdf", "thermostat", "drum", "fix", "pressure", "lubrication", "particle", "pair_style" } do
        local text, status = floc("help " .. word)
        assert.are.equal(0, status, word)
        assert.is_true(select(2, text:gsub("\n", "")) <= 10, word .. ": " .. text)
      end
      assert.are.equal("floc: there is no help on zzz; floc help calls lists the calls, floc help the commands\n", (floc "help zzz"))
    end)
    it("with every call that a simulation has", function()
      local text = floc "help sim"
      write("methods.lua", [[
        local sim = require "floc".simulation { time_step = 1 }
        for name, value in pairs(require "floc.simulation.simulation".methods) do print(name) end]])
      for name in (floc "run methods.lua --quiet"):gmatch "[%w_]+" do
        assert.is_truthy(text:find("sim:" .. name .. " ", 1, true), name .. " is in no page")
      end
    end)
    it("with a reference that is the one in the repository", function()
      for page, path in pairs { manual = "docs/lua.md", annotations = "scripts/floc.d.lua", matrix = "docs/schemes/matrix.md" } do
        local file = assert(io.open(assert(os.getenv "FLOC_SOURCE", "FLOC_SOURCE is not set") .. "/" .. path, "rb"))
        local kept = file:read("*a")
        file:close()
        assert.is_true(kept == floc("help " .. page), "make it anew: floc help " .. page .. " > " .. path)
      end
      local chunk = assert((loadstring or load)((floc "help annotations")))
      assert.is_table(chunk())
    end)
    it("with the parameters of a scenario", function()
      local text, status = floc "run grains.lua --help"
      assert.are.equal(0, status)
      assert.matches("^floc run grains.lua %[%-%-parameter=value ...%]\n  Grains in a box, for tests.\n  Second line.\n", text)
      assert.matches("\n  %-%-hold=0\n  %-%-laws=true\n  %-%-pause=0\n  %-%-steps=300  how many steps\n", text)
    end)
  end)

  describe("runs a scenario", function()
    it("to its end", function()
      local text, status = floc "run grains.lua --steps=20 --out=first"
      assert.are.equal(0, status)
      assert.matches("sum %-?[%d.]+", text)
      assert.matches("grains are in the box +60 +60 +met", text)
      assert.matches('"passed": true', read "first/result.json")
      assert.are.equal(4, select(2, read("first/table.tsv"):gsub("\n", "")))
    end)
    it("with out/<name> as the default folder", function()
      floc "run grains.lua --steps=1 --quiet"
      assert.is_string(read "out/grains/result.json")
    end)
    it("and says how a claim fared in the exit status when --strict", function()
      write("claim.lua", 'require "floc".report { claim = "c", value = 1, expect = { equal = 2 } }')
      local text, status = floc "run claim.lua"
      assert.matches("NOT MET", text)
      assert.are.equal(0, status)
      assert.are.equal(1, select(2, floc "run claim.lua --strict"))
    end)
    it("and finds modules beside it, and its own arguments", function()
      assert(os.execute("mkdir -p '" .. folder .. "/sub'"))
      write("sub/beside.lua", "return { value = 42 }")
      write("sub/main.lua", 'print(require("beside").value, arg[0], arg[1])')
      assert.are.equal("42\tsub/main.lua\t--a=1\nsub/main.lua: unknown parameter --a; known are: changes, continue, hash, help, live, out, quiet, sandbox, slurm, strict, threads, traceback, trust\n",
        (floc "run sub/main.lua --a=1"))
    end)
    it("with the same random numbers each time", function()
      write("random.lua", "print(math.random())")
      assert.are.equal((floc "run random.lua"), (floc "run random.lua"))
    end)
    it("with #! in the first line", function()
      write("bang.lua", "#!/usr/bin/env floc\nprint(debug.getinfo(1, 'l').currentline)")
      assert.are.equal("2\n", (floc "run bang.lua"))
    end)
    it("and warns once of a time step that soft contacts do not stand, by number and particle", function()
      local script = [[
        local floc = require "floc"
        local sim = floc.simulation { time_step = %s, scheme = floc.discrete_element { contact = "hooke", stiffness = 300,
          integrator = "velocity_verlet" } }
        sim:add_particle { position = { 0, 0 }, radius = 1, mass = 3 }
        sim:add_particle { position = { 2.1, 0 }, radius = 1, mass = 1 }
        for _ = 1, 3 do sim:run { steps = 1 } end ]]
      write("below.lua", script:format "0.099") -- 2 sqrt(0.75/300) = 0.1
      write("above.lua", script:format "0.101")
      assert.are.equal("", (floc "run below.lua"))
      assert.are.equal("floc: warning: the time step 0.101 is above the critical time step of the contacts, 0.1 (particle 2, step 0): "
        .. "they may gain energy from step to step; a tenth of the critical time step is usual\n", (floc "run above.lua"))
    end)
    it("and shows plain progress lines when there is no terminal", function()
      assert.are.equal(0, select(2, floc "run grains.lua --steps=5 --pause=1.2 --out=slow > text 2> errors"))
      -- on a machine that is very busy, lines of progress may come before
      assert.matches("5 steps to t = 0.01 in %d+ %a+ %([%d.]+ steps/s%)\n$", read "errors")
      floc "run grains.lua --steps=5 --pause=1.2 --out=slow --quiet > text 2> errors"
      assert.are.equal("", read "errors")
    end)
  end)

  describe("refuses, with one line and status 1,", function()
    local simulation = 'local floc = require "floc"\nlocal sim = floc.simulation { time_step = 0.01 }\n'
    for _, case in ipairs {
      { "an unknown key", simulation .. "sim:run { stepps = 1, steps = 1 }", "bad.lua:3: run: unknown parameter stepps; did you mean steps?" },
      { "a radius that is NaN", simulation .. "sim:add_particle { position = {0, 0}, radius = 0/0 }", "bad.lua:3: add_particle: radius is nan; " },
      { "a radius of 0", simulation .. "sim:add_particle { position = {0, 0}, radius = 0 }", "bad.lua:3: add_particle: radius is 0; " },
      { "a negative mass", simulation .. "sim:add_particle { position = {0, 0}, radius = 1, mass = -1 }", "bad.lua:3: add_particle: mass is %-1; " },
      { "a time step of 0", 'require "floc".simulation { time_step = 0 }', "bad.lua:1: simulation: time_step is 0; " },
      { "a negative time step", 'require "floc".simulation { time_step = -0.1 }', "bad.lua:1: simulation: time_step is %-0.1; it must be a finite number above 0" },
      { "coincident particles", simulation .. "for _ = 1, 2 do sim:add_particle { position = {1, 1}, radius = 1 } end\nsim:run { steps = 1 }",
        "bad.lua:4: run: particles 1 and 2 ", "--quiet" },
      { "a region that is too small", simulation .. "sim:add_particles { count = 50, radius = 1, region = floc.ball { center = {0, 0}, radius = 4 } }",
        "bad.lua:3: add_particles: " },
      { "a velocity that is no function", simulation .. "sim:add_body { shape = floc.circle { radius = 1 }, velocity = true }", "bad.lua:3: add_body: velocity is true; " },
      { "a callback that raises", simulation .. "sim:every(2, function(sim)\nlocal x = nil + 1 end)\nsim:run { steps = 5 }",
        "bad.lua:4: attempt to perform arithmetic on a nil value %(in the callback of every%(2%) at bad.lua:3, after step 2%)" },
      { "a law that gives a text", simulation .. "sim:add_particle { position = {1, 1}, radius = 1 }\nsim:add_field { law = function(x) return 'a', 0 end }\nsim:run { steps = 1 }",
        'bad.lua:4: add_field: the law returned "a" for x = 1; it must return 2 finite numbers, in step 1' },
      { "a script that does not parse", "local = 1", "bad.lua:1: " },
      { "a plain error", "error('no luck')", "bad.lua:1: no luck" },
      { "a number that is called", simulation .. "sim:step()", "bad.lua:3: attempt to call .*; step is a number, without brackets: sim.step; sim:run { steps = 1 } makes a step" },
      { "bytes instead of a script", "P6\0\1\2", "floc: bad.lua is not text; floc run takes a Lua script" },
      { "an unknown parameter", 'require "floc".args { steps = 1 }', "bad.lua: unknown parameter %-%-stpes; did you mean steps?", "--stpes=2" },
    } do
      it(case[1], function()
        write("bad.lua", case[2])
        local text, status = floc("run bad.lua " .. (case[4] or ""))
        assert.are.equal(1, status)
        assert.matches("^" .. case[3], text)
        assert.are.equal(1, select(2, text:gsub("\n", "")))
      end)
    end

    for _, case in ipairs {
      { "run no_such.lua", "floc: no_such.lua: there is no such file, or it cannot be read" },
      { "resume no_such.floc", "floc: no_such.floc: there is no such file" },
      { "info no_such.floc", "floc: no_such.floc: " },
      { "run", "floc: run needs a file: floc run FILE; see floc help run" },
      { "rum x", "floc: there is no command rum; did you mean run?" },
      { "x.lua", "floc: there is no command x.lua; did you mean floc run x.lua?" },
      { "run --threds=2 grains.lua", "floc: run: unknown option --threds=2; did you mean threads?" },
      { "run --threads=many grains.lua", 'floc: --threads is "many"; it must be an integer from 0 to 256' },
      { "run --quiet=1 grains.lua", "floc: --quiet takes no value" },
      { "resume a b", "floc: resume: unexpected argument b" },
    } do
      it("floc " .. case[1], function()
        local text, status = floc(case[1])
        assert.are.equal(1, status)
        assert.are.equal(case[2], text:sub(1, #case[2]))
        assert.are.equal(1, select(2, text:gsub("\n", "")))
      end)
    end

    it("a checkpoint that is cut, altered, of another version, or none", function()
      floc "run grains.lua --steps=10 --out=broken --quiet"
      local bytes = assert(read "broken/end.floc")
      local function try(name, content)
        write(name, content)
        for _, command in ipairs { "resume", "info" } do
          local text, status = floc(command .. " " .. name)
          assert.are.equal(1, status)
          assert.matches("^floc: " .. name:gsub("%.", "%%."), text)
          assert.are.equal(1, select(2, text:gsub(name:gsub("%.", "%%."), ""))) -- the name once
          assert.are.equal(1, select(2, text:gsub("\n", "")))
        end
        return (floc("info " .. name))
      end
      local text, status = floc "run broken/end.floc"
      assert.are.equal(1, status)
      assert.are.equal("floc: broken/end.floc is a checkpoint; floc resume broken/end.floc continues from it\n", text)
      assert.matches("cut", try("cut.floc", bytes:sub(1, #bytes - 100)))
      try("altered.floc", bytes:sub(1, 1000) .. string.char((bytes:byte(1001) + 1) % 256) .. bytes:sub(1002))
      assert.matches("not a floc checkpoint", try("text.floc", ("no checkpoint\n"):rep(200)))
      assert.matches("empty", try("empty.floc", ""))
      -- docs/checkpoint.md: the version is at 12, the CRC-32 of the 92 bytes before it at 92
      local head = bytes:sub(1, 12) .. "\99\0\0\0" .. bytes:sub(17, 92)
      assert.matches("version 99", try("version.floc", head .. little_endian(crc32(head)) .. bytes:sub(97)))
    end)

    it("a particle that becomes NaN: id, position and step are named, and the state is left", function()
      write("bad.lua", simulation .. "sim:add_particle { position = {3, 4}, radius = 1, velocity = { 1e308, 0 } }\nsim.time_step = 10\nsim:run { steps = 3 }")
      local text, status = floc "run bad.lua --out=nan"
      assert.are.equal(1, status)
      assert.matches("^bad.lua:5: run: particle 1 .*%(3, 4, 0%).*step 1.*; the state before this step is in nan/failed.floc\n$", text)
      assert.matches("^%x+\n$", (floc "info --hash nan/failed.floc"))
    end)

    it("a particle that is pressed through a wall: id, position, body and step are named", function()
      write("bad.lua", simulation .. [[
        sim:add_body { shape = floc.plane { normal = { 0, 1 } }, velocity = { 0, 5 }, name = "piston" }
        sim:add_body { shape = floc.plane { normal = { 0, -1 }, point = { 0, 1 } }, name = "ceiling" }
        sim:add_particle { position = { 0, 0.5 }, radius = 0.1 }
        sim:run { steps = 100 }
      ]])
      local text, status = floc "run bad.lua --out=escaped --quiet"
      assert.are.equal(1, status)
      assert.matches("^bad.lua:6: run: particle 1 at %(0, 0.9%d*, 0%).* body %d %a+ in step %d+.*; the state before this step is in escaped/failed.floc\n$", text)
      assert.are.equal(0, select(2, floc "info escaped/failed.floc"))
    end)

    it("shows more with --traceback", function()
      write("bad.lua", "local function deep() error('no luck') end\ndeep()")
      assert.matches("no luck\nstack traceback:.*bad.lua:2", (floc "run bad.lua --traceback"))
    end)
  end)

  describe("resumes", function()
    local function hash(name) return (floc("info --hash " .. name)) end

    it("to the same state as the uninterrupted run, at any number of threads", function()
      local whole = floc "run grains.lua --out=whole --quiet"
      floc "run grains.lua --out=part --steps=150 --quiet"
      local text, status = floc "resume part/run.floc --steps=150 --threads=1 --quiet"
      assert.are.equal(0, status)
      assert.are.equal(whole, text)
      assert.are.equal(hash "whole/end.floc", hash "part/end.floc")
      assert.are.equal(read "whole/table.tsv", read "part/table.tsv")
      for threads = 1, 3 do
        floc("run grains.lua --out=threads --quiet --threads=" .. threads)
        assert.are.equal(hash "whole/end.floc", hash "threads/end.floc")
      end
    end)

    it("after kill -9", function()
      floc "run grains.lua --out=whole --quiet"
      run_shell("touch held; '" .. program .. "' run grains.lua --out=killed --hold=110 --quiet & pid=$!; "
        .. "while [ ! -e killed/run.floc.1 ] && kill -0 $pid; do sleep 0.02; done; kill -9 $pid; wait $pid; rm held")
      assert.is_nil(read "killed/end.floc")
      local text, status = floc "resume killed/run.floc"
      assert.are.equal(0, status)
      assert.matches("^floc: resumed killed/run.floc at step %d+, t = ", text)
      assert.are.equal(hash "whole/end.floc", hash "killed/end.floc")
      assert.are.equal(read "whole/table.tsv", read "killed/table.tsv")
    end)

    for name, number in pairs { INT = 2, TERM = 15 } do
      it("after SIG" .. name .. ", which abandons the step and prints how to continue", function()
        floc "run grains.lua --out=whole --quiet"
        os.execute("rm -rf '" .. folder .. "/stopped'")
        local text = run_shell("touch held; sh -c 'echo $$ > pid; exec \"" .. program .. "\" run grains.lua --out=stopped --hold=110' & "
          .. "while [ ! -e stopped/run.floc ] && kill -0 $!; do sleep 0.02; done; kill -" .. name .. " $(cat pid); rm held; wait $!; echo \"exit $?\"")
        assert.matches("floc: stopping; a second signal stops at once\n", text)
        assert.matches("floc: interrupted after step %d+, t = [%d.]+; continue with: " .. program:gsub("%p", "%%%0") .. " resume stopped/run.floc\n", text)
        assert.matches("exit " .. 128 + number .. "\n", text)
        assert.are.equal(0, select(2, floc "resume stopped/run.floc --quiet"))
        assert.are.equal(hash "whole/end.floc", hash "stopped/end.floc")
      end)
    end

    it("shows what a checkpoint holds", function()
      floc "run grains.lua --steps=20 --out=shown --quiet"
      local text, status = floc "info shown/end.floc"
      assert.are.equal(0, status)
      assert.matches("script      grains.lua\narguments   %-%-steps=20\nwritten by  floc [%d.]+ at step 20, t = 0.04\n", text)
      assert.matches("particles   60\nhash        %x+\n", text)
      assert.matches("particles%.radius +f64 +60 +1 ", text)
    end)
  end)

  describe("solves", function()
    local recorder = [[
local floc = require "floc"
local args = floc.args { law = { "inelastic", one_of = { "inelastic", "rough" } } }
local scheme = args.law == "rough" and floc.inelastic { friction = 0.3 } or floc.inelastic {}
local sim = floc.simulation { time_step = 0.002, gravity = { 0, -10 }, scheme = scheme }
sim:add_body { shape = floc.container { width = 1.2, height = 2 } }
sim:add_particles { count = 80, radius = { 0.02, 0.03 }, mass = 2, region = floc.box { lower = { -0.5, 0.2 }, upper = { 0.5, 1 } } }
sim:run { steps = 200 }
sim:record_problem(floc.output "problem.floc")
sim:run { steps = 3 }
]]

    for _, law in ipairs { "rough", "inelastic" } do it("a recorded contact problem with each solver, and the audit agrees: " .. law, function()
      write("recorder.lua", recorder)
      assert.are.equal(0, select(2, floc("run recorder.lua --out=solve --quiet --law=" .. law)))
      local text, status = floc "solve solve/problem.floc --solver=auto,apgd,uzawa --cold --repeat=2 --tolerance=1e-8"
      assert.are.equal(0, status)
      assert.matches("80 particles, %d+ contacts, 2D, time step 0.002\n", text)
      for _, name in ipairs { "auto", "apgd", "uzawa" } do
        local residual, audited = text:match(name .. " +[%d.e+-]+ +%d+ +([%d.e+-]+) +([%d.e+-]+)  solved\n")
        assert.is_true(tonumber(residual) <= 1e-8 and math.abs(residual - audited) < 1e-10)
      end
      text, status = floc "solve solve/problem.floc --solver=uzawa --cold --tolerance=1e-8 --max-iterations=1"
      assert.are.equal(1, status)
      assert.matches("  not solved\n", text)
    end) end

    it("several problems, as a table and as JSON, and the answer as a problem that is solved", function()
      write("recorder.lua", recorder)
      for _, law in ipairs { "rough", "inelastic" } do
        assert.are.equal(0, select(2, floc("run recorder.lua --quiet --out=" .. law .. " --law=" .. law)))
      end
      local listing, status = floc "solve rough/problem.floc inelastic/problem.floc --solver=all --cold --tolerance=1e-8"
      assert.are.equal(0, status)
      for _, law in ipairs { "rough", "inelastic" } do
        for _, name in ipairs { "auto", "uzawa", "apgd" } do
          assert.matches("\n" .. law .. "/problem.floc +80 +%d+  " .. name .. " +[%d.e+-]+ +%d+ +0[%d.e+-]+ +0[%d.e+-]+  solved\n", listing)
        end
        local text
        text, status = floc("solve " .. law .. "/problem.floc --solver=auto --cold --tolerance=1e-12 --json --answer=answer.floc")
        assert.are.equal(0, status)
        local function value(of, name) return of:match('"' .. name .. '": ([^,\n]+)') end
        assert.are.equal('"' .. law .. '/problem.floc"', value(text, "problem"))
        assert.are.same({ '"auto"', "true", "false", "80" },
          { value(text, "solver"), value(text, "converged"), value(text, "warm_start"), value(text, "particles") })
        assert.is_true(tonumber(value(text, "iterations")) > 1)
        -- The answer is the same problem: met at once from its own guess, and from none as before.
        local again = floc "solve answer.floc --solver=auto --tolerance=1.1e-12 --json"
        assert.are.same({ "true", value(text, "contacts") }, { value(again, "converged"), value(again, "contacts") })
        assert.is_true(tonumber(value(again, "iterations")) <= 1)
        local cold = floc "solve answer.floc --solver=auto --tolerance=1e-12 --cold --json"
        assert.are.same({ value(text, "iterations"), value(text, "residual") }, { value(cold, "iterations"), value(cold, "residual") })
        text = floc("diff " .. law .. "/problem.floc answer.floc")
        assert.matches("impulse", text)
        assert.is_nil(text:find("normal", 1, true))
      end
    end)

    it("and says what it cannot", function()
      local text, status
      for _, case in ipairs {
        { "solve/problem.floc solve/problem.floc --answer=a.floc", "%-%-answer takes the answer of one solver to one problem; there are 2 problems and 1 solvers" },
        { "solve/problem.floc --solver=all --answer=a.floc", "there are 1 problems and %d solvers" },
        { "solve/problem.floc --answer=nowhere/a.floc", "nowhere/a.floc: cannot be opened" },
        { "solve/problem.floc nothing.floc", "nothing.floc: " },
        { "", "solve needs a file" },
        { "solve/problem.floc --solver=aut", "there is no solver aut; did you mean auto%?" },
        { "solve/problem.floc --tolerance=-1", "%-%-tolerance is .%-1.; it must be a finite number above 0" },
        { "solve/problem.floc --repeat=0", "%-%-repeat is .0.; it must be an integer from 1" },
        { "nothing.floc", "nothing.floc: " },
        { "recorder.lua", "recorder.lua is not a floc checkpoint" },
      } do
        text, status = floc("solve " .. case[1])
        assert.are.equal(1, status)
        assert.matches(case[2], text)
      end
    end)
  end)

  describe("compares and verifies checkpoints:", function()
    it("equal, different, damaged", function()
      floc "run grains.lua --steps=20 --out=one --quiet"
      floc "run grains.lua --steps=20 --out=two --quiet --threads=3"
      floc "run grains.lua --steps=21 --out=three --quiet"
      local text, status = floc "diff one/end.floc two/end.floc"
      assert.are.equal(0, status)
      assert.matches("^the states are equal, bit for bit: hash %x+\n", text)
      text, status = floc "diff one/end.floc three/end.floc"
      assert.are.equal(1, status)
      assert.matches("particles%.y: id 1: [%d.e+-]+ and [%d.e+-]+; %d+ of its numbers differ, by [%d.e+-]+ at most\n", text)
      text, status = floc "verify one"
      assert.are.equal(0, status)
      assert.matches("^one/end.floc: valid, hash %x+\n", text)
      local bytes = read "one/end.floc"
      write("one/bad.floc.1", bytes:sub(1, 300) .. string.char((bytes:byte(301) + 1) % 256) .. bytes:sub(302))
      text, status = floc "verify ."
      assert.are.equal(1, status)
      assert.matches("./one/bad.floc.1: section \"[%w.]+\", offset %d+: the checksum", text)
    end)

    it("says what it cannot compare", function()
      for _, case in ipairs {
        { "diff one/end.floc", "diff needs two files" },
        { "diff one/end.floc nothing.floc", "nothing.floc: cannot be opened" },
        { "verify nothing", "nothing: No such file" },
        { "verify grains.lua", "grains.lua is not a floc checkpoint" },
      } do
        local text, status = floc(case[1])
        assert.are.equal(1, status)
        assert.matches(case[2], text)
      end
    end)
  end)

  describe("when a checkpoint cannot be written", function()
    local writer = [[
local floc = require "floc"
local args = floc.args { on_failure = "stop" }
local sim = floc.simulation { time_step = 0.01 }
sim:add_particle { position = { 0, 0 }, radius = 1 }
os.execute("mkdir -p '" .. floc.out .. "/run.floc'") -- a folder in the file's place
sim:checkpoint { path = floc.out .. "/run.floc", every = 2, on_failure = args.on_failure }
sim:run { steps = 10 }
print("step " .. sim.step)
]]

    it("stops or goes on as the scenario chose", function()
      write("writer.lua", writer)
      local text, status = floc "run writer.lua --out=blocked"
      assert.are.equal(1, status)
      assert.matches("writer.lua:6: checkpoint: blocked/run.floc", text) -- before the run
      text, status = floc "run writer.lua --out=blocked --on_failure=go_on"
      assert.are.equal(0, status)
      assert.matches("floc: warning: writer.lua:7: checkpoint: blocked/run.floc[^\n]+; the run continues without it\n", text)
      assert.matches("step 10\n", text)
      assert.are.equal(1, select(2, text:gsub("warning", "")))
    end)
  end)
end)
