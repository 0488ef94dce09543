-- Options of the laws beside this file: their names, ranges and defaults. Copy it along with a law.
--
--   local o = options("jkr", given, { young_modulus = { above = 0 }, restitution = { default = 1, above = 0, at_most = 1 } })
--
-- A rule has a default, or the option must be given; below, above, at_least and at_most bound numbers; one_of lists words.

local function fits(value, rule)
  if rule.one_of then
    for _, word in ipairs(rule.one_of) do
      if value == word then return true end
    end
    return false
  end
  return type(value) == "number" and value > (rule.above or -math.huge) and value < (rule.below or math.huge)
    and value >= (rule.at_least or -math.huge) and value <= (rule.at_most or math.huge)
end

local function describe(rule)
  if rule.one_of then return "one of " .. table.concat(rule.one_of, ", ") end
  local words = {}
  for _, bound in ipairs { "above", "at_least", "below", "at_most" } do
    if rule[bound] then words[#words + 1] = bound:gsub("_", " ") .. " " .. rule[bound] end
  end
  return "a finite number" .. (#words > 0 and " " or "") .. table.concat(words, " and ")
end

return function(law, given, rules)
  local names, taken = {}, {}
  for name in pairs(rules) do names[#names + 1] = name end
  table.sort(names)
  for name in pairs(given) do
    if not rules[name] then
      error(("%s: there is no option %s; there are %s"):format(law, tostring(name), table.concat(names, ", ")), 3)
    end
  end
  for _, name in ipairs(names) do
    local rule, value = rules[name], given[name]
    if value == nil then value = rule.default end
    if value == nil then error(("%s: %s is missing; it must be %s"):format(law, name, describe(rule)), 3) end
    if not fits(value, rule) then error(("%s: %s is %s; it must be %s"):format(law, name, tostring(value), describe(rule)), 3) end
    taken[name] = value
  end
  return taken
end
