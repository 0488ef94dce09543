-- The differential check: a traced program must give what the Lua function gives, on random numbers and on those where
-- something special may happen: 0, 1, -1, every number in the law's source, centres at the distance of contact, and
-- the values that the particles have now. Without it a law that compares by == in Lua 5.4, or that reads what the
-- tracer does not see, would be silently another law.

local check = require "floc.surface.check"
local core = require "floc.core"

local trace_check = {}

local sample_count, tolerance = 600, 1e-12
local loose_share = 0.1 -- of samples at which rounding alone may make a difference beyond the tolerance

-- ---- random numbers of our own: the script's sequence stays as it is ----------------------------

local function generator(seed)
  local state = seed
  return function()
    state = (state * 16807) % 2147483647
    return state / 2147483647
  end
end

-- ---- samples ------------------------------------------------------------------------------------

local function sorted_numbers(set)
  local list = {}
  for number in pairs(set) do
    if number == number and math.abs(number) < 1e150 then list[#list + 1] = number + 0.0 end
  end
  table.sort(list)
  return list
end

local never_negative = { distance = true, time = true, t = true, time_step = true, id = true, id_i = true, id_j = true,
  body = true, material = true, material_i = true, material_j = true }

local function is_positive(name)
  return never_negative[name] or name:find("^radius") or name:find("^mass") or name:find("^uniform_random")
end

-- One number for an input: the columns' own range, a special number, or any size.
local function draw_one(random, sampler, name)
  local choice = random()
  local range = sampler.ranges[name]
  local value
  if range and choice < 0.6 then
    return range[1] + (range[2] - range[1]) * random()
  elseif choice < (range and 0.85 or 0.5) then
    value = sampler.special[1 + math.floor(random() * #sampler.special)]
    if random() < 0.2 then value = value * (1 + (random() - 0.5) * 1e-6) end
  elseif choice < (range and 0.9 or 0.7) then
    value = math.floor(random() * 7) - 2
  else
    value = 10 ^ (5 * random() - 3)
    if random() < 0.5 then value = -value end
  end
  if is_positive(name) then value = math.abs(value) end
  if (name:find("^radius") or name:find("^mass") or name == "distance" or name == "time_step") and value == 0 then value = 0.25 end
  if name:find("^id") then value = 1 + math.floor(value) end
  return value
end

-- Two out of three samples belong together as in a real contact.
local function make_consistent(random, sampler, point)
  local ri, rj, distance = point.radius_i or point.radius, point.radius_j or 0, point.distance
  if not ri or random() < 0.35 then return end
  local choice, gap = random(), 0
  if choice > 0.25 then gap = (2 * random() - 1) * (random() < 0.5 and sampler.range + 0.1 * ri or 0.2 * ri) end
  if distance then point.distance = math.max(ri + rj + gap, 1e-3 * ri) end
  if point.overlap then point.overlap = distance and ri + rj - point.distance or -gap end
end

local function make_samples(sampler)
  local random, points = generator(20261), {}
  for k = 1, sample_count do
    local point = {}
    for _, name in ipairs(sampler.inputs) do
      point[name] = sampler.fixed[name] and (random() < 0.5 and sampler.fixed[name]) or draw_one(random, sampler, name)
    end
    make_consistent(random, sampler, point)
    points[k] = point
  end
  return points
end

-- ---- comparison ---------------------------------------------------------------------------------

local function close(a, b)
  if a == b or (a ~= a and b ~= b) then return true end
  return math.abs(a - b) <= tolerance * math.max(math.abs(a), math.abs(b))
end

local function show_point(inputs, point)
  local parts = {}
  for k, name in ipairs(inputs) do parts[k] = string.format("%s = %s", name, check.show(point[name])) end
  return table.concat(parts, ", ")
end

local function call(fn, inputs, point)
  local arguments = {}
  for k, name in ipairs(inputs) do arguments[k] = point[name] end
  return pcall(fn, (table.unpack or unpack)(arguments, 1, #inputs))
end

-- How much result k changes when the inputs are off by `step` of their size, to both sides; nil where it fails.
local function response(fn, inputs, point, k, step)
  local moved = { {}, {} }
  for _, name in ipairs(inputs) do
    moved[1][name], moved[2][name] = point[name] * (1 + step), point[name] * (1 - step)
  end
  local above, below = { call(fn, inputs, moved[1]) }, { call(fn, inputs, moved[2]) }
  if not above[1] or not below[1] or type(above[k + 1]) ~= "number" or type(below[k + 1]) ~= "number" then return nil end
  return math.abs(above[k + 1] - below[k + 1])
end

-- Is a difference no more than what inputs that are off by their rounding would make? Where the function is smooth the
-- change grows with the step; where it is mere noise (the sine of 1e24) every step gives another one. At a jump all steps
-- give the same, at a single value none.
local function is_rounding(fn, inputs, point, k, difference)
  local near, far = response(fn, inputs, point, k, 2 ^ -46), response(fn, inputs, point, k, 2 ^ -45)
  if not near or not far then return false end
  if far > 1.5 * near and far < 3 * near and difference <= near then return true end
  local least, greatest = math.min(near, far), math.max(near, far)
  for bits = 47, 51 do
    local one = response(fn, inputs, point, k, 2 ^ -bits) or 0
    least, greatest = math.min(least, one), math.max(greatest, one)
  end
  return least > 0 and greatest > 1.1 * least and greatest > 0.1 * difference
end

local function run_program(traced, program, points)
  local columns = {}
  for k, name in ipairs(traced.inputs) do
    columns[k] = {}
    for row, point in ipairs(points) do columns[k][row] = point[name] end
  end
  return core.program_evaluate(program, columns, #points)
end

local function is_finite(value) return type(value) == "number" and value - value == 0 end

-- Every output of every sample; the reason of the first difference.
local function compare(traced, program, fn, points)
  local computed, message = run_program(traced, program, points)
  if not computed then return "the engine refuses the program: " .. message end
  local loose = 0
  for row, point in ipairs(points) do
    local results = { call(fn, traced.inputs, point) }
    local fails = not results[1]
    for k = 1, #computed do fails = fails or type(results[k + 1]) ~= "number" end
    for k = 1, #computed do
      local expected, value = results[k + 1], computed[k][row]
      if fails then expected = 0 / 0 end
      if not close(expected, value) then
        loose = loose + 1
        if not is_finite(expected) or not is_finite(value) or loose > loose_share * sample_count
          or not is_rounding(fn, traced.inputs, point, k, math.abs(expected - value)) then
          if value ~= value and traced.failures[1] then return traced.failures[1] end
          return string.format("the traced program returns %.17g where the function returns %.17g, for %s; does it compare "
            .. "with ==, or depend on anything but its parameters?", value, expected, show_point(traced.inputs, point))
        end
      end
    end
  end
end

trace_check.call = call

-- Points { name = number } for a law that was not traced.
function trace_check.samples(inputs, sampler)
  sampler.inputs = inputs
  sampler.special = sorted_numbers { [0] = true, [1] = true, [-1] = true, [sampler.range] = true }
  return make_samples(sampler)
end

-- sampler: ranges { name = { lowest, highest } }, fixed { parameter = value }, range. Returns nil, or the reason why the
-- program must not be used.
function trace_check.run(traced, program, fn, sampler)
  sampler.inputs = traced.inputs
  local special = traced.literals
  special[0], special[1], special[-1] = true, true, true
  if sampler.range > 0 then special[sampler.range] = true end
  sampler.special = sorted_numbers(special)
  for k = 1, #sampler.special do
    local number = sampler.special[k]
    if number > 0 and not special[-number] then sampler.special[#sampler.special + 1] = -number end
  end
  local points = make_samples(sampler)
  local reason = compare(traced, program, fn, points)
  return traced.surroundings:compare(false) or reason
end

return trace_check
