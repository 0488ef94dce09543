-- floc reproduce --ensembles and --mutations, from outside: bands are measured, and wrong physics is noticed. FLOC_PROGRAM and
-- FLOC_SOURCE name the program and the repository.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")
local source = assert(shell.source, "FLOC_SOURCE is not set")
local folder

local function floc(arguments) return shell.run(("'%s' %s"):format(program, arguments)) end

local function read(path)
  local file = assert(io.open(folder .. "/" .. path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(folder .. "/" .. path, "wb"))
  file:write(text)
  file:close()
end

local function contains(text, part)
  assert.is_truthy(text:find(part, 1, true), ("%q is not in\n%s"):format(part, text))
end

-- Examples whose claims are known: the value is the seed, plus the particles.
local function imitate(claims)
  os.execute(("mkdir -p '%s/examples/aggregation'"):format(folder))
  for _, name in ipairs { "shear", "noise", "size_distribution", "contact_distance", "kernels", "noise_step" } do
    write("examples/aggregation/" .. name .. ".lua", [[
      local floc = require "floc"
      local args = floc.args { seed = 1, seeds = 1, particles = 500, dimension = 2, pictures = true }
      local value = args.seed + args.particles -- (sim.radius[id] / radius) ^ 3
    ]] .. claims)
  end
end

describe("floc reproduce --ensembles", function()
  setup(function() folder = shell.open() end)
  teardown(function() shell.close() end)

  it("measures bands, and runs use them", function()
    imitate [[ floc.report { claim = "a", value = value, ensemble = 1 } floc.report { claim = "b", value = 1, expect = { equal = 1 } } ]]
    write("examples/aggregation/ensembles.tsv", "script\targuments\tclaim\truns\tmean\tsd\tfirst_seed\nnoise.lua\tdimension=2 particles=500\told\t2\t1\t1\t1\n"
      .. "noise.lua\tdimension=2 particles=9\tkept\t2\t1\t1\t1\n")
    local text, status = floc "reproduce aggregation --ensembles --examples=examples"
    assert.are.equal(0, status, text)
    -- Seeds 101 to 120: the mean is 110.5, the variance 20 * 21 / 12 = 35.
    local rows = {}
    for _, row in ipairs { { "contact_distance", "2 particles=500", 610.5 }, { "kernels", "2 particles=500", 610.5 }, { "kernels", "3 particles=500", 610.5 }, { "noise", "2 particles=2000", 2110.5 }, { "noise", "2 particles=500", 610.5 },
      { "noise", "2 particles=9" }, { "noise_step", "2 particles=500", 610.5 }, { "shear", "2 particles=500", 610.5 }, { "shear", "3 particles=500", 610.5 }, { "size_distribution", "2 particles=200", 310.5 }, { "size_distribution", "3 particles=200", 310.5 } } do
      rows[#rows + 1] = ("%s.lua\tdimension=%s\t%s\n"):format(row[1], row[2], row[3] and ("a\t20\t%g\t5.916\t101"):format(row[3]) or "kept\t2\t1\t1\t1")
    end
    assert.are.equal("script\targuments\tclaim\truns\tmean\tsd\tfirst_seed\n" .. table.concat(rows), read "examples/aggregation/ensembles.tsv")
    for seed, wanted in pairs { [134] = 0, [135] = 1, [87] = 0, [86] = 1 } do -- 4 sd: 23.66
      assert.are.equal(wanted, select(2, floc("run examples/aggregation/shear.lua --strict --quiet --seed=" .. seed)), seed)
    end
    text, status = floc "run examples/aggregation/shear.lua --strict --quiet --particles=501 --pictures=false"
    assert.are.equal(0, status)
    contains(text, "not applicable: no ensemble at particles=501 (not 500)")
  end)

  it("refuses means as members, and runs that fail", function()
    imitate [[ floc.report { claim = "a", value = value, ensemble = 2 } ]]
    local text, status = floc "reproduce aggregation --ensembles --examples=examples"
    assert.are.equal(1, status)
    contains(text, '"a" is a mean of 2 runs; an ensemble is of single ones')
    write("examples/aggregation/shear.lua", "error 'broken'")
    text, status = floc "reproduce aggregation --ensembles --examples=examples"
    assert.are.equal(1, status)
    contains(text, "aggregation/shear.lua  --seed=101 failed: ")
  end)
end)

describe("floc reproduce --mutations", function()
  setup(function() folder = shell.open() end)
  teardown(function() shell.close() end)

  it("finds wrong masses, kappa and noise in the examples as they are", function()
    local text, status = floc(("reproduce --mutations=sh0,sh1,sh8,no2 --threads=1 --examples='%s/examples'"):format(source))
    assert.are.equal(0, status, text)
    contains(text, "3 of 3 mutations are caught, 1 of 1 controls pass\nout/reproduce/mutations.tsv\n")
    local rows = read "out/reproduce/mutations.tsv"
    contains(rows, "sh0\taggregation/shear.lua\tnothing is changed\tpasses\tcontrol\n")
    contains(rows, "sh8\taggregation/shear.lua\tall masses 1\tcaught\tgreatest distance of a mass from (r_i / r)^3, relative")
  end)

  it("fails where nothing notices, where a control fails, and where the text is not there", function()
    imitate [[ floc.report { claim = "a", value = value, expect = { equal = 501 } } ]]
    local text, status = floc "reproduce --mutations=sh0,sh8 --examples=examples"
    assert.are.equal(1, status)
    contains(text, "sh8\taggregation/shear.lua\tall masses 1\tpasses\tNOTHING NOTICES, and no reason is known\n")
    contains(text, "0 of 1 mutations are caught, 1 of 1 controls pass")
    imitate [[ floc.report { claim = "a", value = value, expect = { equal = 502 } } ]]
    text, status = floc "reproduce --mutations=sh0,sh8 --examples=examples"
    assert.are.equal(1, status)
    contains(text, "1 of 1 mutations are caught, 0 of 1 controls pass")
    imitate [[ floc.report { claim = "a", value = value, expect = { equal = 501 } } floc.report { claim = "b", absent = "late" } ]]
    text, status = floc "reproduce --mutations=sh0 --examples=examples"
    assert.are.equal(1, status)
    contains(text, "sh0\taggregation/shear.lua\tnothing is changed\tfails\tb: late\n")
    text, status = floc "reproduce --mutations=sh1 --examples=examples"
    assert.are.equal(1, status)
    contains(text, 'mutation sh1: aggregation/shear.lua does not have the text "0.01, 3e-3, 3e-3"')
  end)

  for arguments, message in pairs {
    ["--mutations=xyz"] = "reproduce: there is no mutation xyz",
    ["--mutations --ensembles"] = "reproduce: --ensembles and --mutations are given; it must be one of them",
    ["--mutations --full"] = "reproduce: --mutations and --full are given; it must be one of them",
    ["--ensembles=3"] = "--ensembles takes no value",
  } do
    it("refuses " .. arguments, function()
      local text, status = floc(("reproduce %s --examples='%s/examples'"):format(arguments, source))
      assert.are.equal(1, status)
      contains(text, message)
    end)
  end
end)

-- Every statement of the papers has a claim or a reason why not, and every claim's item is a statement.
describe("examples/statements.tsv", function()
  local function text_of(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read "*a"
    file:close()
    return text
  end

  it("agrees with the examples", function()
    local used, count = {}, 0
    for path in io.popen("ls '" .. source .. "'/examples/*/*.lua"):read("*a"):gmatch "[^\n]+" do
      for item in text_of(path):gmatch '"([MLDZ]%d%d)"' do used[item] = path end
    end
    for line in text_of(source .. "/examples/statements.tsv"):gmatch "[^\n]+" do
      local item, paper, reason = line:match "^(%u%d%d)\t(%a+)\t.*\t([^\t]*)$"
      if item then
        count = count + 1
        assert.are.equal(reason == "", used[item] ~= nil, item .. ": " .. (used[item] or "no example has it") .. ", reason: " .. reason)
        if used[item] then contains(used[item], "/examples/" .. paper .. "/") end
        used[item] = nil
      end
    end
    assert.are.equal(261, count)
    assert.is_nil(next(used), "not a statement: " .. tostring(next(used)))
  end)
end)
