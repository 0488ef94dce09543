-- Parameters that would do nothing beside the others are refused by name (scripts/floc/surface/together.lua).

local support = require "support"
local together = require "floc.surface.together"
local declarations = require "floc.surface.declarations"

local function field_of(call, name)
  for _, field in ipairs(declarations[call]) do
    if field.name == name then return field end
  end
end

-- A value that the field takes by itself, as text.
local function value_of(field)
  if field.one_of then return string.format("%q", field.one_of[#field.one_of]) end
  local kind = field.type:match "^[^|]+"
  if kind == "boolean" then return "true" end
  if kind == "vector" then return "{ 0.5, 0.25 }" end
  if kind == "function" then return "function() return 0, 0 end" end
  if kind == "string" then return '"x"' end
  if kind == "table" then return "{ 0, 1 }" end
  local value = field.at_least or 0
  if field.above or value == 0 then value = (field.above or 0) + 0.5 end
  return tostring(kind == "integer" and math.ceil(value) or field.at_most and math.min(value, field.at_most) or value)
end

local setup = 'local floc = require "floc" local sim = floc.simulation { time_step = 1, domain = floc.box { lower = { 0, 0 }, upper = { 1, 1 } } } local panels = floc.panels {}\n'
local needed = { add_flow = "relaxation_time = 1, ", add_particles = "count = 1, radius = 0.1, ", picture = 'path = "never.png", ', record = 'movie = "never.gif", ',
  pair_distribution = "distances = { 1 }, ", point_source = "position = { 0, 0 }, ", emitter = "emit = print, " }

local function call_of(name)
  local owner = declarations[name].owner
  return name == "add" and "panels:add(sim, " or (owner == "floc" and "floc." or "sim:") .. name .. "("
end

describe("parameters that act beside others", function()
  for call, rules in pairs(together) do
    for _, rule in ipairs(type(rules) == "table" and rules or {}) do
      local name, other = rule[1], rule[2]
      if not rule.beside then it(call .. ": " .. name .. " needs " .. other, function()
        local field, decider = assert(field_of(call, name), name), assert(field_of(call, other), other)
        local more, allowed = needed[call] or "", {}
        for k = 3, #rule do
          allowed[rule[k]] = true
          if decider.one_of then assert.is_truthy((" " .. table.concat(decider.one_of, " ") .. " "):find(" " .. rule[k] .. " ", 1, true), rule[k]) end
        end
        for _, one in ipairs(rule.or_given or {}) do assert(field_of(call, one), one) end
        -- the decider at a value with which the parameter does nothing
        local off = ""
        if #rule > 2 then
          for _, word in ipairs(decider.one_of or {}) do
            if not allowed[word] then off = string.format("%s = %q, ", other, word) end
          end
          if decider.type == "boolean" then off = string.format("%s = %s, ", other, tostring(not rule[3])) end
        end
        if call == "add_flow" and other == "law" then off = 'flow = "still", ' end
        if name == "first_time_step" then off = off .. 'integrator = "trapezoidal", ' end
        local message = support.failure(setup .. call_of(call) .. "{ " .. more .. off .. name .. " = " .. value_of(field) .. " })")
        assert.is_truthy(message:find("script.lua:2: " .. call_of(call):gsub("^sim:", ""):gsub("^floc%.", ""):gsub("^panels:", ""):gsub("%(.*$", "") .. ": " .. name .. " is ", 1, true), message)
        assert.is_truthy(message:find("which would do nothing: it needs " .. other, 1, true), message)
      end) end
    end
  end

  it("give way to others, and say so", function()
    local message = support.failure(setup .. "floc.gluey { gamma_min = -1, viscosity = 2 }")
    assert.are.equal("script.lua:2: gluey: gamma_min is -1, which would do nothing beside viscosity", message)
    support.run(setup .. "floc.gluey { gamma_min = -1, viscosity = 0 }")
  end)

  it("are taken beside them, and where they are off", function()
    support.run [[
      local floc = require "floc"
      floc.discrete_element { contact = "hertz", young_modulus = 1e7, limit_damping = true, friction = "spring", friction_damping = 1 }
      floc.discrete_element { integrator = "velocity_verlet", adaptive = false, repulsion = 1, near_field_range = 2 }
      floc.discrete_element { bonds = "literal", friction_time = 1e-4 }
      local sim = floc.simulation { time_step = 1 }
      sim:add_flow { flow = "shear", rate = 2, center = { 0, 1 }, relaxation_time = 1 }
      sim:add_particle { position = { 0, 0 }, radius = 1 }
      sim:clusters { gap = 0.1 } ]]
  end)
end)
