-- Warnings of the program: five of a kind for each simulation, then a count; quiet hides progress only; what happens with
-- steps above their tolerance.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")
local write = shell.write

local function run(script, arguments)
  write("s.lua", script)
  return shell.run("'" .. program .. "' run s.lua --out=out " .. (arguments or "--quiet"))
end

local function count(text, pattern) return select(2, text:gsub(pattern, "")) end

-- Three iterations are too few for a heap that is to be solved to rounding.
local heap = [[
local floc = require "floc"
local sim = floc.simulation { time_step = 0.002, gravity = { 0, -10 }, scheme = floc.inelastic { tolerance = 1e-15, max_iterations = 3 } }
sim:add_body { shape = floc.container { width = 1, height = 3 } }
for k = 0, 29 do sim:add_particle { position = { -0.4 + 0.1605 * (k % 6), 0.0801 + 0.1605 * math.floor(k / 6) }, radius = 0.08 } end
]]

describe("steps above their tolerance", function()
  setup(function() shell.open() end)
  teardown(function() shell.close() end)

  it("are told of five times and then counted, however many runs there are", function()
    local text, status = run(heap .. "local bad = 0\nfor k = 1, 40 do sim:run { steps = 1 } if not sim:report().converged then bad = bad + 1 end end print(bad)")
    assert.are.equal(0, status)
    assert.are.equal(5, count(text, "floc: warning: 1 step of this run did not reach the tolerance; maximum residual so far "))
    local more = tonumber(text:match "floc: warning: and (%d+) more warnings of this kind: 1 step of this run")
    local total = tonumber(text:match "\n(%d+)\n" or text:match "^(%d+)\n")
    assert.is_truthy(more and total and total > 5, text)
    assert.are.equal(total, more + 5)
  end)

  it("are counted for each simulation by itself", function()
    local two = heap:gsub("^local floc[^\n]*\n", "local floc = require 'floc'\nfor _ = 1, 2 do\n")
      .. "for k = 1, 20 do sim:run { steps = 1 } end\nend"
    local text = run(two)
    assert.are.equal(10, count(text, "floc: warning: 1 step of this run"))
    assert.are.equal(2, count(text, "more warnings of this kind about simulation [12]: "))
  end)

  it("end the run where the script wants it, with the state after the step", function()
    local text, status = run(heap .. 'sim:run { steps = 40, on_unconverged = "stop" }')
    assert.are.equal(1, status)
    local step = text:match 's.lua:5: run: step (%d+) did not reach its tolerance: residual %S+ tolerances, maximum overlap %S+ radii; worst in step %d+, between particles? %d+ and %l* ?%d+; a larger max_iterations or a shorter time step helps %(on_unconverged = "stop"%); the state after this step is in out/failed.floc'
    assert.is_truthy(step, text)
    local shown = shell.run("'" .. program .. "' info out/failed.floc")
    assert.matches("at step " .. step .. ",", shown)
  end)

  it("end it by --strict, but not where the script goes on", function()
    local text, status = run(heap .. "sim:run { steps = 40 }", "--quiet --strict")
    assert.are.equal(1, status)
    assert.matches("did not reach its tolerance.*%(%-%-strict%)", text)
    text, status = run(heap .. 'sim:run { steps = 40, on_unconverged = "go_on" }', "--quiet --strict")
    assert.are.equal(0, status)
    assert.are.equal("", text)
  end)

  it("have the error of discrete elements in their warning", function()
    local text = run [[
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01, scheme = floc.discrete_element { contact = "hooke", stiffness = 1e6, adaptive = false } }
sim:add_particle { position = { 0, 0 }, radius = 1, velocity = { 1, 0 } }
sim:add_particle { position = { 2, 0 }, radius = 1, velocity = { -1, 0 } }
sim:run { steps = 3 }
print(sim:element_report().error)]]
    local residual = tonumber(text:match "maximum residual so far (%S+) tolerances")
    assert.is_truthy(residual and residual > 1, text)
  end)

  it("are told apart from contacts of polyhedra that were left out, which are counted", function()
    -- Two flat domes of thirty corners face each other, nearly touching.
    local domes = [[
local floc = require "floc"
local sim = floc.simulation { dimension = 3, time_step = 2e-3, scheme = floc.inelastic {} }
for side = 1, 2 do
  local points, sign = {}, 3 - 2 * side
  for k = 0, 31 do
    local r, a = 0.99 * math.sqrt((k + 0.5) / 32.5), 2.399963 * k + side
    points[k + 1] = { r * math.cos(a), r * math.sin(a), sign * (k > 29 and -0.3 or 0.03 * math.sqrt(1 - r * r)) }
  end
  sim:add_particle { position = { 0, 0, 0.4 * side }, radius = 1, density = 1, shape = floc.polyhedron(points) }
  sim.wz[side] = %g * sign
end
sim:run { steps = 2 }
print(sim:report().contacts_left_out)]]
    local text = run(domes:format(100))
    local said, counted = text:match "more than 128 contacts within reach in a step: the farthest were left out, (%d+) in this run", text:match "(%d+)%s*$"
    assert.is_truthy(said and tonumber(said) > 20, text)
    assert.are.equal(said, counted)
    assert.are.equal("0\n", run(domes:format(1)))
  end)

  it("refuse another word", function()
    local text, status = run(heap .. 'sim:run { steps = 1, on_unconverged = "halt" }')
    assert.are.equal(1, status)
    assert.matches("run: on_unconverged is \"halt\"; it must be one of warn, stop, go_on", text)
  end)
end)

-- A column of discs at rest, whose residual without contact forces is 10 h^2 = 1e-3.
local column = [[
local floc = require "floc"
local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 }, scheme = floc.%s }
sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
for k = 1, 10 do sim:add_particle { position = { 0, 2 * k - 1 }, radius = 1 } end
%s
sim:run { steps = 1 }
local report = sim:report()
print(report.converged and report.residual > 0.99e-3 and "fell" or "held")
for k = 1, 20 do sim:run { steps = 1 } end]]

describe("a tolerance that free fall meets", function()
  setup(function() shell.open() end)
  teardown(function() shell.close() end)

  it("is warned of once for each simulation, however quiet", function()
    local warning = "floc: warning: the tolerance 0%.00%d+ is above 0%.001, the gravity times the square of the time step 0%.01: "
    for _, scheme in ipairs { "inelastic { tolerance = 2.1e-3 }", "inelastic { tolerance = 2.1e-3, friction = 0.5 }", "gluey { tolerance = 2.1e-3 }" } do
      local text, status = run(column:format(scheme, ""))
      assert.are.equal(0, status)
      assert.are.equal(1, count(text, warning), text)
      assert.are.equal(1, count(text, "fell\n"), text) -- which is why
    end
    local two = "for _ = 1, 2 do\n" .. column:format("inelastic { tolerance = 1.01e-3 }", "") .. "\nend"
    assert.are.equal(2, count(run(two), warning))
  end)

  it("is one: nothing is said below it, by default or without gravity", function()
    assert.are.equal("held\n", run(column:format("inelastic { tolerance = 0.99e-3 }", "")))
    assert.are.equal("held\n", run(column:format("inelastic {}", "")))
    local weightless = column:format("inelastic { tolerance = 0.1 }", ""):gsub("0, %-10", "0, 0")
    assert.are.equal("held\n", run(weightless))
  end)
end)
