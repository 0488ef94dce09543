-- Derivatives of traced laws, node by node, so that a law can be given as a potential.
--
-- The derivative is written into the same graph: what value and derivative have in common is computed once. Where a law
-- has a kink (if, min, max, abs) the derivative is that of the side which is taken; where it jumps (floor,
-- comparisons) the jump is left out. In one direction (of) it goes with the nodes, from the inputs on; with respect to many
-- inputs (gradient) against them, so that it costs a few times what the function costs, however many inputs there are.

local operations = require("floc.surface.operations").named

local derivative = {}

local rules = {}

function rules.add(g, _, _, _, da, db) return g:make("add", da, db) end
function rules.subtract(g, _, _, _, da, db) return g:make("subtract", da, db) end
function rules.negate(g, _, _, _, da) return g:make("negate", da) end

function rules.multiply(g, _, a, b, da, db)
  if a == b then return g:make("multiply", g:make("multiply", g:constant(2), a), da) end
  return g:make("add", g:make("multiply", da, b), g:make("multiply", a, db))
end

-- (a/b)' = (a' - (a/b) b')/b; of a constant over b without a second division, -(a/b)^2 b'/a
function rules.divide(g, node, a, b, da, db)
  local constant = g:value_of(a)
  if constant and constant ~= 0 and g:value_of(da) == 0 then
    return g:make("multiply", g:make("multiply", node, node), g:make("multiply", g:constant(-1 / constant), db))
  end
  return g:make("divide", g:make("subtract", da, g:make("multiply", node, db)), b)
end

function rules.absolute(g, _, a, _, da)
  return g:make("select", g:make("less", a, g:constant(0)), g:make("negate", da), da)
end

function rules.square_root(g, node, _, _, da)
  return g:make("divide", da, g:make("multiply", g:constant(2), node))
end

-- (a^b)' = b a^(b-1) a' + a^b log(a) b'
function rules.power(g, node, a, b, da, db)
  local by_base = g:make("multiply", g:make("multiply", b, g:make("power", a, g:make("subtract", b, g:constant(1)))), da)
  if g:value_of(db) == 0 then return by_base end
  return g:make("add", by_base, g:make("multiply", g:make("multiply", node, g:make("logarithm", a)), db))
end

function rules.exponential(g, node, _, _, da) return g:make("multiply", node, da) end
function rules.logarithm(g, _, a, _, da) return g:make("divide", da, a) end

function rules.logarithm2(g, _, a, _, da)
  return g:make("divide", da, g:make("multiply", a, g:constant(math.log(2))))
end

function rules.logarithm10(g, _, a, _, da)
  return g:make("divide", da, g:make("multiply", a, g:constant(math.log(10))))
end

function rules.sine(g, _, a, _, da) return g:make("multiply", g:make("cosine", a), da) end
function rules.cosine(g, _, a, _, da) return g:make("negate", g:make("multiply", g:make("sine", a), da)) end

function rules.tangent(g, node, _, _, da)
  return g:make("multiply", g:make("add", g:constant(1), g:make("multiply", node, node)), da)
end

local function circle(g, a)
  return g:make("square_root", g:make("subtract", g:constant(1), g:make("multiply", a, a)))
end

function rules.arc_sine(g, _, a, _, da) return g:make("divide", da, circle(g, a)) end
function rules.arc_cosine(g, _, a, _, da) return g:make("negate", g:make("divide", da, circle(g, a))) end

function rules.arc_tangent(g, _, a, _, da)
  return g:make("divide", da, g:make("add", g:constant(1), g:make("multiply", a, a)))
end

-- atan2(y, x)' = (x y' - y x')/(x^2 + y^2)
function rules.arc_tangent2(g, _, y, x, dy, dx)
  local above = g:make("subtract", g:make("multiply", x, dy), g:make("multiply", y, dx))
  return g:make("divide", above, g:make("add", g:make("multiply", x, x), g:make("multiply", y, y)))
end

function rules.hyperbolic_sine(g, _, a, _, da) return g:make("multiply", g:make("hyperbolic_cosine", a), da) end
function rules.hyperbolic_cosine(g, _, a, _, da) return g:make("multiply", g:make("hyperbolic_sine", a), da) end

function rules.hyperbolic_tangent(g, node, _, _, da)
  return g:make("multiply", g:make("subtract", g:constant(1), g:make("multiply", node, node)), da)
end

-- a - floor(a/b) b, between its jumps
local function remainder(rounding)
  return function(g, _, a, b, da, db)
    if g:value_of(db) == 0 then return da end
    local quotient = g:make("divide", a, b)
    local whole = g:make("floor", quotient)
    if rounding == "to zero" then
      whole = g:make("select", g:make("less", quotient, g:constant(0)), g:make("ceiling", quotient), whole)
    end
    return g:make("subtract", da, g:make("multiply", whole, db))
  end
end
rules.remainder = remainder "down"
rules.truncated_remainder = remainder "to zero"

-- The node of the derivative of a node in the direction in which inputs change as said, { distance = 1, overlap = -1 }.
function derivative.of(graph, node, change)
  local known = {}
  graph.loose = true
  local function slope(number)
    if known[number] then return known[number] end
    local one = graph.nodes[number]
    local result
    if one[1] == "input" then
      result = graph:constant(change[one.name] or 0)
    elseif one[1] == "constant" or operations[one[1]].flat then
      result = graph:constant(0)
    elseif graph.powers[number] then
      local base, exponent = graph.powers[number][1], graph:constant(graph.powers[number][2])
      result = rules.power(graph, number, base, exponent, slope(base), graph:constant(0))
    elseif one[1] == "select" then
      result = graph:make("select", one[2], slope(one[3]), slope(one[4]))
    else
      result = rules[one[1]](graph, number, one[2], one[3], slope(one[2]), one[3] and slope(one[3]))
    end
    known[number] = result
    return result
  end
  local result = slope(node)
  graph.loose = false
  return result
end

-- The derivatives of node `number` with respect to its one or two operands, by the rules above.
local function partials(graph, number)
  local zero, one = graph:constant(0), graph:constant(1)
  local node, power = graph.nodes[number], graph.powers[number]
  if power then return { { power[1], rules.power(graph, number, power[1], graph:constant(power[2]), one, zero) } } end
  local rule, a, b = rules[node[1]], node[2], node[3]
  if not b or a == b then return { { a, rule(graph, number, a, b, one, b and one) } } end
  return { { a, rule(graph, number, a, b, one, zero) }, { b, rule(graph, number, a, b, zero, one) } }
end

-- Nodes that `number` is made of, without what is behind a select, the last made first: each comes before its operands.
local function behind(graph, number)
  local list, seen = {}, {}
  local function visit(one)
    if seen[one] then return end
    seen[one], list[#list + 1] = true, one
    local node, power = graph.nodes[one], graph.powers[one]
    if node[1] == "select" or node[1] == "input" or node[1] == "constant" or operations[node[1]].flat then return end
    for k = 2, power and 2 or 3 do
      if node[k] then visit(power and power[1] or node[k]) end
    end
  end
  visit(number)
  table.sort(list, function(a, b) return a > b end)
  return list
end

-- The nodes of the derivatives of a node with respect to the inputs named (each once), by name. Of an if each side has a gradient of its own:
-- what a side that is not taken makes of its numbers (the root of one below 0) is never multiplied by 0, but left.
function derivative.gradient(graph, node, names)
  local known = {}
  local function add(sums, key, value) sums[key] = sums[key] and graph:make("add", sums[key], value) or value end
  local function gradient(number)
    if known[number] then return known[number] end
    local found, factor = {}, { [number] = graph:constant(1) }
    for _, at in ipairs(behind(graph, number)) do
      local one = graph.nodes[at]
      if not factor[at] or one[1] == "constant" then
        factor[at] = nil
      elseif one[1] == "input" then
        add(found, one.name, factor[at])
      elseif one[1] == "select" then
        local yes, no = gradient(one[3]), gradient(one[4])
        for _, name in ipairs(names) do
          if yes[name] or no[name] then
            local slope = graph:make("select", one[2], yes[name] or graph:constant(0), no[name] or graph:constant(0))
            add(found, name, graph:make("multiply", factor[at], slope))
          end
        end
      elseif not operations[one[1]].flat then
        for _, part in ipairs(partials(graph, at)) do
          if graph:value_of(part[2]) ~= 0 then add(factor, part[1], graph:make("multiply", factor[at], part[2])) end
        end
      end
    end
    known[number] = found
    return found
  end
  graph.loose = true
  local found, result = gradient(node), {}
  graph.loose = false
  for _, name in ipairs(names) do result[name] = found[name] or graph:constant(0) end
  return result
end

return derivative
