-- The lists of scripts/floc/surface: what the rest of the Lua half makes of them.

require "floc"

describe("measures", function()
  local measures = require "floc.surface.measures"
  local floc = require "floc"
  local needing = { energies = "store no energy", critical = "limit no time step", exerts_contacts = "store no impulses", turns = "do not rotate" }

  it("are those of the engine: each gives a number, or is refused by name where the scheme lacks what it needs", function()
    for scheme, has in pairs { inelastic = { exerts_contacts = true }, event_driven = {},
      discrete_element = { energies = true, critical = true, exerts_contacts = true } } do
      local options = scheme == "discrete_element" and { stiffness = 1e3 } or {}
      local sim = floc.simulation { time_step = 1e-3, scheme = floc[scheme](options) }
      sim:add_particle { position = { 0, 0 }, radius = 1, mass = 2, velocity = { 3, 0 } }
      sim:add_attribute "displacement_x"
      sim:run { steps = 1 }
      for _, one in ipairs(measures) do
        local ok, value = pcall(sim.measure, sim, one.name)
        if one.needs and not has[one.needs] then
          assert.is_false(ok, one.name)
          assert.matches(one.name .. ": .*" .. needing[one.needs], value)
        else
          assert.is_true(ok, one.name)
          assert.are.equal("number", type(value))
        end
      end
      assert.are.equal(9, sim:measure "kinetic_energy")
    end
  end)
  if rawget(_G, "jit") then
    it("of a host are found by name, in tables too", function()
      local c, ffi = require "floc.ffi", require "ffi"
      local sim = floc.simulation { time_step = 1e-3 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      local options = c.new "floc_measure_options"
      local fn = ffi.cast("floc_measure_function", function(_, _, value) value[0] = 42.5 return 0 end)
      options.name, options["function"] = "answer", fn
      c.check(c.lib.floc_measure_add(c.world(sim), options), c.world(sim))
      local path = os.tmpname()
      assert.are.equal(42.5, sim:measure "answer")
      sim:observe { path = path, columns = { "step", "answer" } }
      sim:run { steps = 1 }
      local file = assert(io.open(path))
      assert.are.equal("step\tanswer\n0\t42.5\n1\t42.5\n", file:read "*a")
      file:close()
      os.remove(path)
      local ok, message = pcall(sim.measure, sim, "anwser")
      assert.is_false(ok)
      assert.matches("did you mean answer", message)
      fn:free()
    end)
  end
  it("that are unknown are refused with the nearest", function()
    local sim = floc.simulation { time_step = 1e-3 }
    local ok, message = pcall(sim.measure, sim, "kinetc_energy")
    assert.is_false(ok)
    assert.matches("did you mean kinetic_energy", message)
  end)
end)

describe("operations of law programs", function()
  local operations = require "floc.surface.operations"
  local graph, derivative = require "floc.trace.graph", require "floc.trace.derivative"
  local exp, log = math.exp, math.log

  -- what each computes, by means that the tracer does not have
  local value = {
    add = function(a, b) return a + b end, subtract = function(a, b) return a - b end,
    multiply = function(a, b) return a * b end, divide = function(a, b) return a / b end,
    negate = function(a) return -a end, absolute = math.abs, square_root = math.sqrt, floor = math.floor, ceiling = math.ceil,
    less = function(a, b) return a < b and 1 or 0 end, less_equal = function(a, b) return a <= b and 1 or 0 end,
    equal = function(a, b) return a == b and 1 or 0 end, ["and"] = function(a, b) return a ~= 0 and b ~= 0 and 1 or 0 end,
    ["or"] = function(a, b) return (a ~= 0 or b ~= 0) and 1 or 0 end, ["not"] = function(a) return a == 0 and 1 or 0 end,
    select = function(a, b, c) return a ~= 0 and b or c end, power = function(a, b) return a ^ b end,
    remainder = function(a, b) return a % b end, truncated_remainder = math.fmod,
    arc_tangent2 = rawget(math, "atan2") or math.atan, arc_tangent = function(a) return math.atan(a) end,
    exponential = exp, logarithm = function(a) return log(a) end,
    logarithm2 = function(a) return log(a) / log(2) end, logarithm10 = function(a) return log(a) / log(10) end,
    sine = math.sin, cosine = math.cos, tangent = math.tan, arc_sine = math.asin, arc_cosine = math.acos,
    hyperbolic_sine = function(a) return (exp(a) - exp(-a)) / 2 end, hyperbolic_cosine = function(a) return (exp(a) + exp(-a)) / 2 end,
    hyperbolic_tangent = function(a) return 1 - 2 / (exp(2 * a) + 1) end,
  }

  local function evaluate(g, node, x)
    local one = g.nodes[node]
    if one[1] == "input" then return x end
    if one.value then return one.value end
    local operand = {}
    for k = 2, 4 do operand[k - 1] = one[k] and evaluate(g, one[k], x) end
    return value[one[1]](operand[1], operand[2], operand[3])
  end

  it("have numbers of their own, and are differentiated", function()
    local taken = {}
    for _, one in ipairs(operations) do
      assert.is_nil(taken[one.number], one.name)
      taken[one.number] = true
      for _, at in ipairs { 0.37, 0.61 } do
        -- the operation of (x, 1.1 - x/2, x^2), and its slope by x
        local g = graph.new()
        local x = g:input "x"
        local b = g:make("subtract", g:constant(1.1), g:make("divide", x, g:constant(2)))
        local operand = { x, one.operands > 1 and b or nil, one.operands > 2 and g:make("multiply", x, x) or nil }
        local node = g:make(one.name, operand[1], operand[2], operand[3])
        local slope = derivative.of(g, node, { x = 1 })
        local h = 1e-5
        local expected = (evaluate(g, node, at + h) - evaluate(g, node, at - h)) / (2 * h)
        assert.is_true(math.abs(evaluate(g, slope, at) - expected) < 1e-8 * (1 + math.abs(expected)), one.name)
      end
    end
  end)
end)

describe("colour maps", function()
  it("that scripts may name are those that pictures have", function()
    local core, one_of = require "floc.core", nil
    for _, field in ipairs(require("floc.surface.reader").fields "sim.picture") do
      if field[1] == "map" then one_of = field.one_of end
    end
    if not core.map_name then return end -- built without pictures
    for k, name in ipairs(one_of) do assert.are.equal(name, core.map_name(k - 1)) end
    assert.is_nil(core.map_name(#one_of))
  end)
end)
