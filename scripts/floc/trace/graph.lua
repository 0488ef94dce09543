-- The graph that a traced law becomes: numbered nodes, each made once however often it is written.
--
-- A node is { operation, a, b, c } with operands by number, { "input", name = } or { "constant", value = }. Operands
-- have smaller numbers than what is made of them. What is simplified here leaves every bit as Lua would compute it,
-- with one exception: powers with a multiple of 1/4 as exponent become products and square roots, which are as
-- exact as pow() to a few units in the last place and many times faster.

local branches = require "floc.trace.branches"
local operations = require "floc.surface.operations".named

local floor, abs = math.floor, math.abs

local graph = {}
graph.__index = graph

function graph.new()
  return setmetatable({ nodes = {}, index = {}, loose = false, powers = {} }, graph)
end

local function add_node(self, key, node)
  local found = self.index[key]
  if found then return found end
  local number = #self.nodes + 1
  self.nodes[number] = node
  self.index[key] = number
  return number
end

function graph:input(name)
  return add_node(self, "input " .. name, { "input", name = name })
end

function graph:constant(value)
  local sign = value == 0 and 1 / value < 0 and "-" or ""
  local text = value ~= value and "nan" or string.format("%.17g", value)
  return add_node(self, "constant " .. sign .. text, { "constant", value = value + 0.0 })
end

-- The value of a node that is a constant; nil for others.
function graph:value_of(number)
  return self.nodes[number].value
end

-- ---- simplification -----------------------------------------------------------------------------

local function is_power_of_two(value)
  if value == 0 or value ~= value or value == 1 / 0 or value == -1 / 0 then return false end
  local magnitude = abs(value)
  if magnitude < 1e-200 or magnitude > 1e200 then return false end
  while magnitude >= 2 do magnitude = magnitude / 2 end
  while magnitude < 1 do magnitude = magnitude * 2 end
  return magnitude == 1
end

local fold = {
  add = function(a, b) return a + b end,
  subtract = function(a, b) return a - b end,
  multiply = function(a, b) return a * b end,
  divide = function(a, b) return a / b end,
  negate = function(a) return -a end,
  less = function(a, b) return a < b and 1 or 0 end,
  less_equal = function(a, b) return a <= b and 1 or 0 end,
  equal = function(a, b) return a == b and 1 or 0 end,
}

local simplify = {}

-- In derivatives 0 + x and 0 x are simplified as in a textbook; in what Lua computes, 0 x may be NaN.
function simplify.add(self, a, b)
  if not self.loose then return end
  if self:value_of(a) == 0 then return b end
  if self:value_of(b) == 0 then return a end
end

function simplify.subtract(self, a, b)
  local zero = self:value_of(b)
  if zero == 0 and 1 / zero > 0 then return a end
  if self.loose and self:value_of(a) == 0 then return self:make("negate", b) end
end

function simplify.multiply(self, a, b)
  if self:value_of(a) == 1 then return b end
  if self:value_of(b) == 1 then return a end
  if not self.loose then return end
  if self:value_of(a) == 0 then return a end
  if self:value_of(b) == 0 then return b end
  if self:value_of(a) == -1 then return self:make("negate", b) end
  if self:value_of(b) == -1 then return self:make("negate", a) end
end

function simplify.divide(self, a, b)
  local divisor = self:value_of(b)
  if divisor == 1 then return a end
  if self.loose and self:value_of(a) == 0 then return a end
  if divisor and is_power_of_two(divisor) then return self:make("multiply", a, self:constant(1 / divisor)) end
end

function simplify.negate(self, a)
  local node = self.nodes[a]
  if node[1] == "negate" then return node[2] end
end

simplify["not"] = function(self, a)
  local node = self.nodes[a]
  if node[1] == "not" then return node[2] end
end

function simplify.select(self, condition, a, b)
  if a == b then return a end
  local node = self.nodes[condition]
  if node.value then return node.value ~= 0 and a or b end
  if node[1] == "not" then return self:make("select", node[2], b, a) end
end

-- x^n for a whole n >= 1, by repeated squaring.
local function whole_power(self, x, n)
  local result
  local square = x
  while n > 0 do
    if n % 2 == 1 then result = result and self:make("multiply", result, square) or square end
    n = floor(n / 2)
    if n > 0 then square = self:make("multiply", square, square) end
  end
  return result
end

local function join(self, a, b)
  return a and b and self:make("multiply", a, b) or a or b
end

function simplify.power(self, x, y)
  local exponent = self:value_of(y)
  if not exponent or abs(exponent) > 32 or 4 * exponent ~= floor(4 * exponent) then return end
  if exponent == 0 then return self:constant(1) end
  local magnitude = abs(exponent)
  local whole, rest = floor(magnitude), 4 * (magnitude - floor(magnitude))
  local result = whole > 0 and whole_power(self, x, whole) or nil
  if rest > 0 then
    local root = self:make("square_root", x)
    local fourth = rest ~= 2 and self:make("square_root", root) or nil
    if rest ~= 1 then result = join(self, result, root) end
    result = join(self, result, fourth)
  end
  if exponent < 0 then result = self:make("divide", self:constant(1), result) end
  if rest == 0 and whole > 1 then self.powers[result] = { x, exponent } end -- for derivatives
  return result
end

-- ---- making -------------------------------------------------------------------------------------

function graph:make(operation, a, b, c)
  if fold[operation] then
    local x, y = self:value_of(a), b and self:value_of(b)
    if x and (not b or y) then return self:constant(fold[operation](x, y)) end
  end
  local simpler = simplify[operation] and simplify[operation](self, a, b, c)
  if simpler then return simpler end
  if operations[operation].commutes and b < a then a, b = b, a end
  return add_node(self, string.format("%s %d %d %d", operation, a, b or 0, c or 0), { operation, a, b, c })
end

-- ---- the program --------------------------------------------------------------------------------
-- Functions of the C library are computed one by one, so it pays to know where they are needed. `need` is a list of
-- conditions that all hold wherever a node is used: { [node] = true or false }; nil: nowhere yet. Of two uses what
-- they have in common remains, which is always enough.

local function meet(a, b)
  if not a then return b end
  local common = {}
  for condition, value in pairs(a) do
    if b[condition] == value then common[condition] = value end
  end
  return common
end

local function with(need, condition, value)
  local more = { [condition] = value }
  for other, holds in pairs(need) do more[other] = holds end
  return more
end

local function find_needs(self, outputs)
  local need = {}
  for _, output in ipairs(outputs) do need[output] = {} end
  for number = #self.nodes, 1, -1 do
    local node, mine = self.nodes[number], need[number]
    if mine and node[1] == "select" then
      need[node[2]] = meet(need[node[2]], mine)
      need[node[3]] = meet(need[node[3]], with(mine, node[2], true))
      need[node[4]] = meet(need[node[4]], with(mine, node[2], false))
    elseif mine and not node.value then
      for k = 2, 4 do
        if node[k] then need[node[k]] = meet(need[node[k]], mine) end
      end
    end
  end
  return need
end

local function reaches(self, masks, from, target, seen)
  if from == target then return true end
  if seen[from] then return false end
  seen[from] = true
  local node = self.nodes[from]
  for k = 2, 4 do
    if node[k] and reaches(self, masks, node[k], target, seen) then return true end
  end
  return masks[from] ~= nil and reaches(self, masks, masks[from], target, seen)
end

local function by_library(node)
  local operation = operations[node[1]]
  return operation and operation.library
end

-- For each function of the library the node of the condition under which it is needed, where there is one.
local function find_masks(self, need)
  local masks = {}
  for number = 1, #self.nodes do
    local node = self.nodes[number]
    if need[number] and by_library(node) then
      local conditions = {}
      for condition in pairs(need[number]) do conditions[#conditions + 1] = condition end
      table.sort(conditions)
      local mask
      for _, condition in ipairs(conditions) do
        local term = need[number][condition] and condition or self:make("not", condition)
        if not reaches(self, masks, term, number, {}) then mask = mask and self:make("and", mask, term) or term end
      end
      masks[number] = mask
    end
  end
  return masks
end

-- Instructions for floc_program_options: outputs are nodes, inputs the names in order. Returns a table with
-- constants, code (operation, a, b, c one after the other) and outputs, all values numbered from 0.
function graph:program(inputs, outputs)
  outputs = branches.join(self, outputs)
  local masks = find_masks(self, find_needs(self, outputs))
  local position, constants, order = {}, {}, {}
  local visit
  function visit(number)
    if position[number] then return end
    local node = self.nodes[number]
    position[number] = true
    if node.value then
      constants[#constants + 1] = number
      return
    elseif node[1] == "input" then
      return
    end
    if masks[number] then visit(masks[number]) end
    for k = 2, 4 do
      if node[k] then visit(node[k]) end
    end
    order[#order + 1] = number
  end
  for _, output in ipairs(outputs) do visit(output) end
  for k, name in ipairs(inputs) do
    local number = self.index["input " .. name]
    if number then position[number] = k - 1 end
  end
  local made = { input_count = #inputs, constants = {}, code = {}, outputs = {} }
  for k, number in ipairs(constants) do
    position[number] = #inputs + k - 1
    made.constants[k] = self.nodes[number].value
  end
  for k, number in ipairs(order) do
    local node, code = self.nodes[number], made.code
    position[number] = #inputs + #constants + k - 1
    local mask = masks[number] and position[masks[number]] or -1
    code[#code + 1] = operations[node[1]].number
    code[#code + 1] = position[node[2]]
    code[#code + 1] = node[3] and position[node[3]] or -1
    code[#code + 1] = node[4] and position[node[4]] or mask
  end
  for k, output in ipairs(outputs) do made.outputs[k] = position[output] end
  return made
end

return graph
