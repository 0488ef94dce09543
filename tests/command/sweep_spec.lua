-- floc sweep and floc reproduce, from outside. FLOC_PROGRAM and FLOC_SOURCE name the program and the repository.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")
local source = assert(shell.source, "FLOC_SOURCE is not set")

local folder

local run_shell = shell.run

local function floc(arguments, before) return run_shell((before or "") .. " '" .. program .. "' " .. arguments) end

local write = shell.write

local read = shell.read

local function contains(text, part) assert.is_truthy(text:find(part, 1, true), part .. "\nis not in\n" .. text) end

local scenario = [[
local floc = require "floc"
local args = floc.args { particles = 10, seed = 1, label = "a", stop = false }
local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 }, seed = args.seed }
sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
sim:add_particles { count = args.particles, radius = 0.05, region = floc.box { lower = { -1, 0 }, upper = { 1, 2 } } }
sim:checkpoint { path = floc.out .. "/run.floc", every = 20 }
sim:observe { path = floc.out .. "/steps.tsv", columns = { "step" } }
sim:every(1, function(sim)
  if args.stop and sim.step == 45 and not io.open "go" then os.execute("kill -9 " .. ("%d"):format(io.open("/proc/self/stat"):read("*n"))) end
end)
io.open("runs", "a"):write(("%d %d\n"):format(args.particles, args.seed))
sim:run { steps = 50 }
floc.report { claim = "height", value = sim:measure "center_y", expect = { at_least = 0 } }
floc.report { claim = "seed", value = args.seed, expect = { at_most = 3 } }
floc.report { claim = "label", value = args.label }
]]

local function runs()
  local lines = {}
  for line in (read "runs" or ""):gmatch("[^\n]+") do lines[#lines + 1] = line end
  os.remove(folder .. "/runs")
  table.sort(lines)
  return lines
end

local function rows_of(text)
  local rows = {}
  for line in text:gmatch("[^\n]+") do
    local row = {}
    for cell in (line .. "\t"):gmatch("([^\t]*)\t") do row[#row + 1] = cell end
    rows[#rows + 1] = row
  end
  return rows
end

describe("floc sweep", function()
  before_each(function()
    folder = shell.open()
    write("s.lua", scenario)
  end)
  after_each(function() shell.close() end)

  it("gives no verdict where no claim has a band", function()
    write("plain.lua", 'local floc = require "floc"\nlocal args = floc.args { a = 1, banded = false }\n'
      .. 'floc.report { claim = "a", value = args.a }\nif args.banded then floc.report { claim = "b", value = 1, expect = { equal = 1 } } end')
    assert.are.equal(0, select(2, floc "sweep plain.lua --a=1,2 --banded=false,true"))
    for _, row in ipairs(rows_of(read "out/plain-sweep/sweep.tsv")) do
      if row[1] ~= "a" then assert.are.equal(row[2] == "true" and "met" or "no band", row[5]) end
    end
  end)

  it("runs all sets, each in its folder, and prints a table", function()
    local text, status = floc "sweep s.lua --particles=5,10 --seed=3..5"
    assert.are.equal(0, status, text)
    assert.are.same({ "10 3", "10 4", "10 5", "5 3", "5 4", "5 5" }, runs())
    local rows = rows_of(read "out/s-sweep/sweep.tsv")
    assert.are.same({ "particles", "seed", "height", "seed", "label", "verdict", "folder" }, rows[1])
    assert.are.equal(7, #rows)
    local seen = {}
    for k = 2, 7 do
      local row = rows[k]
      assert.are.equal(k <= 4 and "5" or "10", row[1])
      assert.are.equal(tostring(3 + (k - 2) % 3), row[2])
      assert.are.equal(row[2], row[4])
      assert.are.equal(row[2] == "3" and "met" or "NOT MET", row[6])
      assert.is_nil(seen[row[7]])
      seen[row[7]] = true
      assert.are.equal("particles=" .. row[1] .. "\nseed=" .. row[2] .. "\n", read("out/s-sweep/" .. row[7] .. "/parameters.txt"))
      contains(text, row[7])
    end
    -- What is there is not done again, also when the sweep has grown and its parameters stand in another order.
    text = floc "sweep s.lua --seed=2..3 --particles=5,10"
    contains(text, "4 sets, 2 to do")
    assert.are.same({ "10 2", "5 2" }, runs())
    -- Another script is another result.
    write("s.lua", scenario .. "-- changed\n")
    contains(floc "sweep s.lua --seed=2 --particles=5", "1 sets, 1 to do")
  end)

  it("goes on with a set that was killed, from its newest checkpoint", function()
    local text, status = floc "sweep s.lua --seed=1,2 --stop=true"
    assert.are.equal(1, status)
    contains(text, "floc: sweep: 2 of 2 sets are not done; the same command continues with them")
    runs()
    write("go", "")
    text, status = floc "sweep s.lua --seed=1,2 --stop=true"
    assert.are.equal(0, status, text)
    contains(text, "1 of 2: --seed=1 --stop=true: resumed, exit status 0")
    for _, row in ipairs(rows_of(read "out/s-sweep/sweep.tsv")) do
      local steps = read("out/s-sweep/" .. row[#row] .. "/steps.tsv")
      if row[1] == "1" or row[1] == "2" then
        local expected = { "step" }
        for step = 0, 50 do expected[#expected + 1] = tostring(step) end
        assert.are.equal(table.concat(expected, "\n") .. "\n", steps)
      end
    end
  end)

  it("goes on where there is no key to seal with, but not with a program that is not its script", function()
    local keyless = "env -u HOME -u XDG_STATE_HOME"
    assert.are.equal(1, select(2, floc("sweep s.lua --seed=1 --stop=true", keyless)))
    write("go", "")
    local text, status = floc("sweep s.lua --seed=1 --stop=true", keyless)
    assert.are.equal(0, status, text)
    contains(text, "1 of 1: --seed=1 --stop=true: resumed, exit status 0")

    run_shell "rm -rf go out"
    floc("sweep s.lua --seed=1 --stop=true", keyless)
    write("go", "")
    write("other.lua", 'local floc = require "floc"\nio.open("pwned", "a"):close()\nlocal sim = floc.simulation { time_step = 0.01 }\n'
      .. 'sim:add_particle { position = { 0, 0 }, radius = 1 }\nsim:run { steps = 70 }\nsim:checkpoint { path = "other.floc" }\n')
    floc("run other.lua --quiet", keyless)
    run_shell "rm pwned; for set in out/s-sweep/*/; do mv other.floc $set; done"
    text, status = floc("sweep s.lua --seed=1 --stop=true", keyless)
    assert.are.equal(0, status, text)
    assert.matches("other.floc is left unchanged: it has no seal[^\n]*, and it contains another script", text)
    contains(text, "resumed, exit status 0")
    assert.is_nil(read "pwned")
  end)

  it("says which set failed, and why", function()
    local text, status = floc "sweep s.lua --particles=5,1e9 --jobs=1"
    assert.are.equal(1, status)
    contains(text, "1 of 2: --particles=5: exit status 0")
    contains(text, "2 of 2: --particles=1e9: exit status 1")
    assert.matches("out/s%-sweep/%x+/log.txt: s.lua:5: add_particles: ", text)
    contains(text, "not done")
  end)

  it("takes ranges with steps, and commas in values", function()
    local text, status = floc "sweep s.lua --seed=0..4..2 '--label=a\\,b,c d'"
    assert.are.equal(0, status, text)
    local found = {}
    for k, row in ipairs(rows_of(read "out/s-sweep/sweep.tsv")) do
      if k > 1 then found[#found + 1] = row[1] .. " " .. row[2] .. " " .. row[5] end
    end
    assert.are.same({ "0 a,b a,b", "0 c d c d", "2 a,b a,b", "2 c d c d", "4 a,b a,b", "4 c d c d" }, found)
  end)

  for _, case in ipairs {
    { "", "there is nothing to sweep; give parameters as --name=value,value or --name=1..20" },
    { "--seed", "unexpected argument --seed; parameters are given as --name=value,value" },
    { "--seed=5..1", "--seed has the range 5..1; it must be FIRST..LAST or FIRST..LAST..STEP, ascending" },
    { "--seed=1..5..0", "--seed has the range 1..5..0" },
    { "--seed=1..1000 --particles=1..1000", "these values make more than 100000 sets" },
    { "--seed=1,1", "two sets are the same: seed=1" },
    { "--seed=1 --seed=2", "--seed is given twice" },
    { "--seed=1 --jobs=0", "--jobs is \"0\"; it must be an integer from 1 to 4096" },
    { "--seed=1..3 --array-task=2/4", "--array-task is 2/4; it must be K/N, the K-th of N parts, with K from 1 to N and N up to the number of sets, 3" },
    { "--seed=1..3 --slurm --ranks=2", "each set of a sweep is a run of one process" },
    { "--seed=1..3 --slurm --parallel", "--slurm and --parallel are given" },
    { "--seed=1..3 --slurm --time=soon", "--time is \"soon\"; it must be a time as Slurm writes it" },
  } do
    it("refuses " .. (case[1] == "" and "no parameters" or case[1]), function()
      local text, status = floc("sweep s.lua " .. case[1])
      assert.are.equal(1, status)
      contains(text, case[2])
      assert.are.same({}, runs())
    end)
  end

  it("prints a job array for Slurm that makes the same folders", function()
    local script, status = floc "sweep s.lua --seed=1..3 --label='x\\,y' --slurm --per-job=2 --time=1-0 --mem=500M"
    assert.are.equal(0, status)
    assert.are.same({}, runs())
    for _, option in ipairs { "array=1-2", "time=1-0", "mem=500M", "requeue", "signal=TERM@120", "open-mode=append", "cpus-per-task=1" } do
      contains(script, "#SBATCH --" .. option .. "\n")
    end
    write("job.sh", script)
    write("srun", "#!/bin/sh\nshift 2\nexec \"$@\"\n")
    for task = 1, 2 do
      local text, ended = run_shell("chmod +x srun; PATH=.:$PATH SLURM_ARRAY_TASK_ID=" .. task .. " sh job.sh")
      assert.are.equal(0, ended, text)
      assert.is_nil(read "out/s-sweep/sweep.tsv") -- the whole sweep alone has all rows
    end
    assert.are.same({ "10 1", "10 2", "10 3" }, runs())
    contains(floc "sweep s.lua --seed=1..3 --label='x\\,y'", "3 sets, 0 to do")
  end)

  it("prints a script for GNU parallel that makes the same folders", function()
    local script = floc "sweep s.lua --seed=1..2 --label='x\\,y' --parallel --jobs=3"
    contains(script, "parallel --jobs 3 <<'END'\n")
    write("job.sh", script)
    write("parallel", "#!/bin/sh\nexec sh -e\n") -- as GNU parallel does, one after the other
    local text, status = run_shell "chmod +x parallel; PATH=.:$PATH sh job.sh"
    assert.are.equal(0, status, text)
    contains(floc "sweep s.lua --seed=1..2 --label='x\\,y'", "2 sets, 0 to do")
  end)
end)

describe("floc reproduce", function()
  setup(function()
    folder = shell.open()
  end)
  teardown(function() shell.close() end)

  -- Examples of every name, of which one fails and one misses its band: the page is what is tested here.
  local names_of, asked = {}, {}
  local function imitate()
    local listed = assert((loadstring or load)(assert(io.open(source .. "/scripts/floc/command/papers.lua")):read("*a")))()
    os.execute("mkdir -p '" .. folder .. "/examples'")
    write("examples/statements.tsv", "item\tpaper\tplace\tsays\tnot_computed\nX1\tgluey\t2\tsticks\t\nX2\tgluey\t3\tturns < once\tno | number\nX3\tgluey\t4\tfalls\t\n")
    for _, paper in ipairs(listed.list) do
      os.execute("mkdir -p '" .. folder .. "/examples/" .. paper.name .. "'")
      for number, run in ipairs(paper.runs) do
        -- Each run's arguments are parameters that the real example has; the imitation takes the same ones.
        if not asked[paper.name .. number] then
          asked[paper.name .. number] = true
          local help, status = floc("run '" .. source .. "/examples/" .. run.file .. "' --help")
          assert.are.equal(0, status, help)
          for _, size in ipairs { "quick", "full" } do
            for name in (run[size] or ""):gmatch("%-%-([%w_]+)=") do
              contains(help, "--" .. name .. "=")
              names_of[run.file] = (names_of[run.file] or "") .. name .. ' = "", '
            end
          end
        end
        write("examples/" .. run.file, 'local floc = require "floc"\nfloc.args { ' .. (names_of[run.file] or "") .. " }" .. [[

          local sim = floc.simulation { time_step = 1 }
          sim:add_particle { position = { 0, 0 }, radius = 1 }
          sim:picture { path = floc.output "one.png", width = 64 }
          floc.report { claim = "a < b & \"c\"", paper = "Fig. 1", paper_value = "about 3", value = 3.25, unit = "m", expect = { equal = 3, tolerance = 0.5 } }
          floc.report { claim = "infinite", item = "X1", value = math.huge }
          floc.report { claim = "unlike", paper = "(38)", paper_value = 0.944, paper_band = { equal = 0.944, tolerance = 1e-3 }, value = 0.8,
            expect = { equal = 0.8 }, band_from = "exact", differs = "17/18 | <it>" }
          floc.report { claim = "late", item = "X3", absent = "end_time=1" }
        ]])
      end
    end
    return listed
  end

  it("puts all papers on one page", function()
    local listed = imitate()
    write("examples/acoustic/rays_only.lua", 'local floc = require "floc"\nfloc.args { directions = 1 }\nfloc.report { claim = "too much", value = 2, expect = { at_most = 1 } }')
    write("examples/gluey/lotto.lua", 'error "no such <box>"')
    local text, status = floc "reproduce --quick"
    assert.are.equal(1, status, text)
    local quick, page = 0, read "out/reproduce/index.html"
    for _, paper in ipairs(listed.list) do
      contains(page, "<h2>" .. paper.title .. "</h2>")
      for _, run in ipairs(paper.runs) do quick = quick + (run.full_only and 0 or 1) end
    end
    contains(text, string.format("%d agree with the paper, %d differ from it, each for a reason, %d open (the paper has no value), %d not applicable "
      .. "at these sizes, 1 not met, 1 runs failed\nout/reproduce/index.html\n", quick - 2, quick - 2, quick - 2, quick - 2))
    contains(page, '<tr class="agrees"><td>a &lt; b &amp; &quot;c&quot;</td><td>Fig. 1</td><td>about 3</td><td>3.25 m</td><td>3 +- 0.5</td><td>agrees</td></tr>')
    contains(page, '<tr class="not-met"><td>too much</td><td></td><td></td><td>2</td><td>&lt;= 1</td><td>not met: outside the band</td></tr>')
    contains(page, '<td>inf</td><td></td><td>open, no band</td>')
    contains(page, '<td></td><td>end_time=1</td><td>not applicable</td>')
    -- What differs is told at the top, with the reason, and misprints in a table of their own.
    local first = page:find("<td>unlike</td><td>(38)</td><td>0.944 (0.944 +- 0.001)</td><td>0.8</td><td>17/18 | &lt;it&gt;</td>", 1, true)
    assert.is_true(first < page:find("<h2>Misprints</h2>", 1, true))
    assert.is_true(page:find("<h2>Misprints</h2>", 1, true) < page:find("<h3>One disc, pairs", 1, true))
    for _, paper in ipairs(listed.list) do
      for _, misprint in ipairs(paper.misprints) do contains(page, "<td>" .. misprint[1] .. "</td>") end
    end
    contains(page, "no such &lt;box&gt;")
    -- What nothing computed, with the reason; a claim that does not apply computes nothing.
    contains(page, "<p>1 of 3 statements of the paper were computed.</p>")
    contains(page, "<tr><td>X2</td><td>3</td><td>turns &lt; once</td><td>no | number</td></tr>\n<tr><td>X3</td><td>4</td><td>falls</td><td>by a run that this size leaves out</td></tr>")
    assert.is_nil(page:find('src="[^d]')) -- nothing from elsewhere
    -- The picture comes back from the page byte by byte.
    write("picture", page:match('base64,([^"]+)"'))
    local decoded = run_shell "base64 -d picture | cmp - out/reproduce/aggregation-exact-1/one.png && echo equal"
    assert.are.equal("equal\n", decoded)
  end)

  it("writes the page as Markdown, with its pictures beside it", function()
    imitate()
    local text, status = floc "reproduce aggregation --out=two --markdown=pages/papers.md"
    assert.are.equal(0, status, text)
    local page = read "pages/papers.md"
    contains(page, "| a < b & \"c\" | Fig. 1 | about 3 | 3.25 m | 3 +- 0.5 | agrees |\n")
    contains(page, "| unlike | (38) | 0.944 (0.944 +- 0.001) | 0.8 | 17/18 \\| <it> |\n")
    contains(page, "0 of 0 statements of the paper were computed.")
    local shown = 0
    for path in page:gmatch("!%[[^%]]*%]%(([^)]*)%)") do
      shown = shown + 1
      contains(read("pages/" .. path):sub(1, 8), "PNG")
    end
    assert.is_true(shown >= 3)
  end)

  it("runs one paper, with the status asked for", function()
    imitate()
    local text, status = floc "reproduce gluey --full --out=one"
    assert.are.equal(0, status, text)
    assert.is_nil(read("one/index.html"):find("Zohdi", 1, true))
    write("examples/gluey/plane.lua", 'local floc = require "floc"\nfloc.report { claim = "c", value = 2, expect = { at_most = 1 } }')
    assert.are.equal(0, select(2, floc "reproduce gluey"))
    assert.are.equal(1, select(2, floc "reproduce gluey --strict"))
    -- What was to differ, and agrees, is as wrong.
    for value, status_of in pairs { ["0.8"] = 0, ["0.944"] = 1 } do
      write("examples/gluey/plane.lua", 'local floc = require "floc"\nfloc.report { claim = "c", paper_value = 0.944, '
        .. "paper_band = { equal = 0.944, tolerance = 1e-3 }, differs = 'why', value = " .. value .. " }")
      assert.are.equal(status_of, select(2, floc "reproduce gluey --strict"))
    end
  end)

  for arguments, message in pairs {
    ["acoustics"] = "reproduce: there is no paper acoustics; did you mean acoustic?",
    ["--quick --full"] = "reproduce: --quick and --full are given; it must be one of them",
    ["--fast"] = "reproduce: unknown option --fast",
    ["--markdown=papers.html"] = "reproduce: --markdown is \"papers.html\"; the name of a Markdown page ends with .md",
  } do
    it("refuses " .. arguments, function()
      local text, status = floc("reproduce " .. arguments)
      assert.are.equal(1, status)
      contains(text, message)
    end)
  end
end)
