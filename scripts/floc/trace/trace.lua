-- Tracing: a law is called with symbols instead of numbers, once for each way that its comparisons can go, and
-- what it computes becomes a straight-line program (floc_program_options) that the engine runs on blocks of pairs or
-- particles, on every thread, without Lua.
--
-- Each call follows a list of decisions; where the list ends the first alternative (true) is taken, and the other one
-- is left for a later call. So all paths are seen, and the results are joined by selections in a tree of
-- decisions. On a path where the law fails (an error, nil) the program gives NaN, which the engine refuses as soon as a
-- pair takes it; the reason is kept for the message. A loop with a fixed number of turns is simply done; one whose end depends on the numbers has no end
-- here and runs into the limits, which report it.

local graph_module = require "floc.trace.graph"
local shield = require "floc.trace.shield"
local symbols = require "floc.trace.symbols"

local trace = {}

local path_limit, decision_limit, node_limit = 128, 200, 4000

-- ---- decisions ----------------------------------------------------------------------------------

-- What follows from a comparison that holds: { [node] = value } of other comparisons of the same two.
local function implied(graph, node, value)
  local known = { [node] = value }
  local operation, a, b = graph.nodes[node][1], graph.nodes[node][2], graph.nodes[node][3]
  if not value then return known end
  local function say(name, x, y, holds)
    known[graph:make(name, x, y)] = holds
  end
  if operation == "less" then
    say("less", b, a, false)
    say("less_equal", b, a, false)
    say("less_equal", a, b, true)
    say("equal", a, b, false)
  elseif operation == "equal" then
    say("less", a, b, false)
    say("less", b, a, false)
    say("less_equal", a, b, true)
    say("less_equal", b, a, true)
  end
  return known
end

local function make_decider(state)
  return function(node)
    local constant = state.graph:value_of(node)
    if constant then return constant ~= 0 end
    if #state.graph.nodes > node_limit then
      symbols.refuse("it needs more than %d operations: a loop whose end depends on computed values cannot be traced", node_limit)
    end
    local known = state.known[node]
    if known ~= nil then return known end
    local place = #state.path + 1
    if place > decision_limit then
      symbols.refuse("it takes more than %d decisions in one call: a loop whose end depends on computed values cannot be traced",
        decision_limit)
    end
    local value = state.plan[place]
    if value == nil then value = true end
    state.path[place] = { node = node, value = value }
    for other, holds in pairs(implied(state.graph, node, value)) do state.known[other] = holds end
    return value
  end
end

-- "distance - radius_i < 0" of a node, for messages; deep ones are cut.
local signs = { add = "+", subtract = "-", multiply = "*", divide = "/", less = "<", less_equal = "<=", equal = "==",
  power = "^" }
local function show_node(graph, number, depth)
  local node = graph.nodes[number]
  if node.value then return string.format("%.6g", node.value) end
  if node.name then return node.name end
  if depth == 0 then return "..." end
  local a = show_node(graph, node[2], depth - 1)
  if not node[3] then return node[1] .. " " .. a end
  return string.format("%s %s %s", a, signs[node[1]] or node[1], show_node(graph, node[3], depth - 1))
end

local function show_path(graph, path)
  local parts = {}
  for k, decision in ipairs(path) do
    if k > 4 then
      parts[#parts + 1] = "..."
      break
    end
    parts[#parts + 1] = (decision.value and "" or "not ") .. show_node(graph, decision.node, 3)
  end
  return #parts > 0 and " where " .. table.concat(parts, " and ") or ""
end

-- ---- one call -----------------------------------------------------------------------------------

-- The nodes of the results; nil and what is wrong with one that is no number.
local function results_of(state, count, ...)
  local nodes = {}
  for k = 1, count do
    local value = (select(k, ...))
    if type(value) ~= "number" and not symbols.is_symbol(value) then
      return nil, string.format("it returns %s as value %d%s", value == nil and "nil" or "a " .. type(value), k,
        show_path(state.graph, state.path))
    end
    nodes[k] = symbols.node_for(value)
  end
  return nodes
end

-- What only symbols cause, told apart by its words.
local function is_loop_over_symbol(text)
  return text:find("'for' %a+ must be a number") or text:find("bad 'for' %a+ %(number expected")
end

local function failing(state, count, reason)
  state.failures[#state.failures + 1] = reason
  local nodes = {}
  for k = 1, count do nodes[k] = state.graph:constant(0 / 0) end
  return nodes
end

-- How many values there are; what is nil at the end does not count.
local function count_values(...)
  local count = select("#", ...)
  while count > 0 and (select(count, ...)) == nil do count = count - 1 end
  return count
end

-- The nodes of one call's results, NaN where the law fails; nil and the reason when it cannot be traced.
local function call_law(state, fn, arguments, count)
  state.path, state.known = {}, {}
  local results, given = (function(...) return { ... }, count_values(...) - 1 end)(
    pcall(fn, (table.unpack or unpack)(arguments, 1, #arguments)))
  if results[1] then
    if given > count then state.too_many = given end
    local nodes, problem = results_of(state, count, (table.unpack or unpack)(results, 2, count + 1))
    if nodes then
      state.succeeded = true
      return nodes
    end
    return failing(state, count, problem)
  end
  local problem = results[2]
  if symbols.is_refusal(problem) then return nil, problem.reason end
  if is_loop_over_symbol(tostring(problem)) then
    return nil, "the number of passes of a loop is known only at run time"
  end
  return failing(state, count, string.format("it raises an error%s: %s", show_path(state.graph, state.path), tostring(problem)))
end

-- ---- all paths ----------------------------------------------------------------------------------

-- Hangs a path with its results into the tree of decisions.
local function grow(tree, path, nodes)
  for _, decision in ipairs(path) do
    if not tree.node then tree.node, tree.yes, tree.no = decision.node, {}, {} end
    if tree.node ~= decision.node then
      return "two calls with the same numbers take different paths; does it use random numbers?"
    end
    tree = decision.value and tree.yes or tree.no
  end
  tree.results = nodes
end

local function merge(graph, tree, count)
  if not tree.node then return tree.results end
  local yes, no, joined = merge(graph, tree.yes, count), merge(graph, tree.no, count), {}
  for k = 1, count do joined[k] = graph:make("select", tree.node, yes[k], no[k]) end
  return joined
end

-- The next path: the last decision that was true becomes false. nil: all were seen.
local function next_plan(path)
  for k = #path, 1, -1 do
    if path[k].value then
      local plan = {}
      for n = 1, k - 1 do plan[n] = path[n].value end
      plan[k] = false
      return plan
    end
  end
end

local function explore(state, fn, arguments, count)
  local tree, paths = {}, 0
  repeat
    paths = paths + 1
    if paths > path_limit then
      return nil, string.format("it can take more than %d paths through its conditions", path_limit)
    end
    local nodes, reason = call_law(state, fn, arguments, count)
    if not nodes then return nil, reason end
    reason = grow(tree, state.path, nodes)
    if reason then return nil, reason end
    state.plan = next_plan(state.path)
  until not state.plan
  state.paths = paths
  if not state.succeeded then return nil, state.failures[1] end
  return merge(state.graph, tree, count)
end

-- ---- the trace ----------------------------------------------------------------------------------

-- Traces fn, whose parameters are `inputs`; `count` is the number of results. Returns { graph, outputs (nodes), inputs,
-- paths, failures, watch, literals, surroundings }, or nil and the reason; nil, nil and how many values there were
-- where a call returned more than `count`.
function trace.run(fn, inputs, count)
  local state = { graph = graph_module.new(), plan = {}, path = {}, known = {}, failures = {} }
  state.decide = make_decider(state)
  local arguments, outputs = {}, nil
  local surroundings, reason = shield.begin(fn, function(operation, a, b)
    return state.decide(state.graph:make(operation, symbols.node_for(a), symbols.node_for(b)))
  end)
  if not surroundings then return nil, reason end
  symbols.begin(state)
  local ok, problem = pcall(function()
    for k, name in ipairs(inputs) do arguments[k] = symbols.wrap(state.graph:input(name)) end
    outputs, reason = explore(state, fn, arguments, count)
  end)
  symbols.finish()
  local change = surroundings:finish()
  if not ok then reason = tostring(problem) end
  if change then reason = change end
  if state.too_many then return nil, nil, state.too_many end
  if reason then return nil, reason end
  return { graph = state.graph, outputs = outputs, inputs = inputs, paths = state.paths, watch = surroundings.watch,
    failures = state.failures, literals = surroundings:collect_literals(), surroundings = surroundings }
end

return trace
