-- Branches that do the same with other numbers: c ? f(x) : f(y) becomes f(c ? x : y), which computes f once.
--
-- A law whose conditions choose a number early (a contact radius, the slope of a patch) continues with it in the same way, but each
-- path through the law is traced to its end, so that a program has the rest once per path. Here selections are moved back
-- to where paths begin to differ. Every bit stays: f gets the same numbers as before. What is selected moves back as long
-- as some operands are alike, the operands of sums and products in whichever order has more in common; a branch that begins in
-- another way stays what it was. Selections may become more (two operands that differ), so of both forms the one that
-- costs less is taken.

local operations = require("floc.surface.operations").named

local branches = {}

local pair_limit = 200000 -- of pairs of nodes that are compared; beyond it a law stays as it was traced
local cost_of = { divide = 8, square_root = 8 } -- of additions; as in engine/laws/program/regions.c
local cost_of_library = 16

-- How much of what makes node a and node b is alike: 1 for the same node, 0 where a selection must choose between both.
local function likeness(state, a, b)
  if a == b then return 1 end
  local key = a * 67108864 + b
  local known = state.likeness[key]
  if known then return known end
  state.compared = state.compared + 1
  local first, second, found = state.graph.nodes[a], state.graph.nodes[b], 0
  if state.compared <= pair_limit and first[1] == second[1] and first[2] then
    local straight, count = 0, 0
    for k = 2, 4 do
      if first[k] then straight, count = straight + likeness(state, first[k], second[k]), count + 1 end
    end
    if operations[first[1]].commutes then
      straight = math.max(straight, likeness(state, first[2], second[3]) + likeness(state, first[3], second[2]))
    end
    local single = count == 1 or count == 2 and first[2] == first[3] and second[2] == second[3] -- one selection for one operation
    if single then straight = 1 + straight / count end
    found = straight / (single and 2 or count + 1) -- below 1
  end
  state.likeness[key] = found
  return found
end

local function is_crossed(state, first, second)
  return operations[first[1]].commutes
    and likeness(state, first[2], second[3]) + likeness(state, first[3], second[2]) > likeness(state, first[2], second[2]) + likeness(state, first[3], second[3])
end

-- condition ? a : b
local function select_between(state, condition, a, b)
  if a == b then return a end
  local key = condition .. " " .. a .. " " .. b
  if state.made[key] then return state.made[key] end
  local graph = state.graph
  local first, second = graph.nodes[a], graph.nodes[b]
  local made
  if likeness(state, a, b) == 0 then
    made = graph:make("select", condition, a, b)
  else
    local x, y = second[2], second[3]
    if is_crossed(state, first, second) then x, y = y, x end
    made = graph:make(first[1], select_between(state, condition, first[2], x), y and select_between(state, condition, first[3], y),
      first[4] and select_between(state, condition, first[4], second[4]))
  end
  state.made[key] = made
  return made
end

-- The node that takes the place of another one, made of what takes the place of its operands.
local function replace(state, number)
  local known = state.instead[number]
  if known then return known end
  local node, made = state.graph.nodes[number], number
  if node[2] then
    local a, b, c = replace(state, node[2]), node[3] and replace(state, node[3]), node[4] and replace(state, node[4])
    made = node[1] == "select" and select_between(state, a, b, c) or state.graph:make(node[1], a, b, c)
  end
  state.instead[number] = made
  return made
end

local function cost(graph, outputs)
  local seen, sum = {}, 0
  local function visit(number)
    if seen[number] then return end
    seen[number] = true
    local node = graph.nodes[number]
    if not node[2] then return end
    sum = sum + (operations[node[1]].library and cost_of_library or cost_of[node[1]] or 1)
    for k = 2, 4 do
      if node[k] then visit(node[k]) end
    end
  end
  for _, output in ipairs(outputs) do visit(output) end
  return sum
end

-- Outputs (nodes of the graph) that give the same numbers as those given, with as few operations as this finds.
function branches.join(graph, outputs)
  local state = { graph = graph, likeness = {}, made = {}, instead = {}, compared = 0 }
  local joined = {}
  for k, output in ipairs(outputs) do joined[k] = replace(state, output) end
  if state.compared > pair_limit or cost(graph, joined) >= cost(graph, outputs) then return outputs end
  return joined
end

return branches
