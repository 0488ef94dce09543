-- Parameters that act only beside another one. A call that gives such a parameter where it would do nothing is refused by
-- name; what is left out, or false, is not looked at.
--
--   { "exponent", "contact", "penalty" }    exponent acts where contact is penalty (one of several words, or true)
--   { "ray_power", "rays" }                 ray_power acts where rays is given
--   { "range", "colour", or_given = { "tubes" } }    ... or one of these is
--   { "gamma_min", beside = "viscosity" }   gamma_min gives way where viscosity is above 0

local together = {}

-- Rules for several options that hang on the same other one.
local function rules(list, names, ...)
  for name in names:gmatch "%S+" do list[#list + 1] = { name, ... } end
end

local element = {}
rules(element, "stiffness", "contact_force", "penalty", "hooke")
rules(element, "exponent", "contact_force", "penalty")
rules(element, "young_modulus poisson_ratio", "contact_force", "hertz")
rules(element, "damping limit_damping", "contact_force", "penalty", "hertz", "hooke")
rules(element, "friction_stiffness friction_static friction_dynamic", "friction", "regularized", "spring")
rules(element, "friction_damping", "friction", "spring")
rules(element, "rolling_friction", "rotation", true)
rules(element, "rolling_stiffness rolling_damping", "rolling_friction")
rules(element, "bond_stiffness bond_exponent bond_tangential_stiffness bond_formation", "bond_law", "literal", "persistent")
rules(element, "bond_breaking", "bond_law", "persistent")
rules(element, "thermal_sensitivity reference_temperature initial_temperature least_stiffness", "thermal_softening", true)
rules(element, "medium_velocity", "viscosity")
rules(element, "attraction_exponent", "attraction")
rules(element, "repulsion_exponent", "repulsion")
element[#element + 1] = { "near_field_scaling", "attraction", or_given = { "repulsion" } }
element[#element + 1] = { "near_field_range", "attraction", or_given = { "repulsion" } }
element[#element + 1] = { "friction_time", "friction", "regularized", or_given = { "bond_law" } }
rules(element, "magnetization", "magnetic_field")
rules(element, "magnetic_difference", "magnetization")
rules(element, "phi tolerance iterations adaptive", "integrator", "trapezoidal")
rules(element, "first_time_step", "adaptive", true)
together.discrete_element = element

together.inelastic = { { "restitution_speed", "restitution" }, { "friction_law", "friction" } }
together.gluey = { { "gamma_min", beside = "viscosity" }, { "friction_law", "friction" } }
together.first_order = {}
for _, name in ipairs { "inelastic", "gluey", "first_order" } do
  for _, option in ipairs { "tolerance", "max_iterations", "solver" } do
    table.insert(together[name], { option, beside = "budget" })
  end
end
together.ballistic = {}
rules(together.ballistic, "descent ascent penalty damping", "minimiser", "arrow_hurwicz")
rules(together.ballistic, "minimiser", "rigid", false)

for name in ("plane_wave point_source emitter"):gmatch "%S+" do together[name] = { { "advance", "method", "advance" } } end

local flow = {}
rules(flow, "velocity", "flow", "uniform")
rules(flow, "rate center", "flow", "shear", "oscillating_shear", "rotation")
rules(flow, "frequency", "flow", "oscillating_shear")
rules(flow, "inputs way", "law")
together.add_flow = flow

together.add_particles = { { "spacing", "placement", "lattice", "fcc", "bcc", "hcp", "triangular" }, { "tries", "placement", "random" } }
together.box_counting = { { "corner", "side" } }
for name in ("clusters greatest_distance gyration contact_number pair_distribution box_counting mass_radius cluster_scaling cluster_sizes"):gmatch "%S+" do
  local list = together[name] or {}
  rules(list, "gap", "by", "gap")
  together[name] = list
end

-- What colours: the field, particles where colour is given, otherwise tubes.
local seen = {}
for name in ("range map logarithmic label unit"):gmatch "%S+" do seen[#seen + 1] = { name, "colour", or_given = { "tubes", "field" } } end
rules(seen, "ray_power ray_length ray_width ray_unit", "rays")
rules(seen, "quantity", "field")
for name in ("picture record add"):gmatch "%S+" do together[name] = seen end

local function given_one(given, names)
  for _, name in ipairs(names or {}) do
    if given[name] then return true end
  end
  return false
end

local function acts(rule, given, values)
  if rule.beside then return not (values[rule.beside] > 0) end
  if given_one(given, rule.or_given) then return true end
  if #rule == 2 then return given_one(given, { rule[2] }) end
  for k = 3, #rule do
    if values[rule[2]] == rule[k] then return true end
  end
  return false
end

-- contact = "penalty" or "hooke"; or: rays
local function needed(rule, show)
  local words = {}
  for k = 3, #rule do words[#words + 1] = show(rule[k]) end
  local list = { #words > 0 and rule[2] .. " = " .. table.concat(words, " or ") or rule[2] }
  for _, name in ipairs(rule.or_given or {}) do list[#list + 1] = name end
  return table.concat(list, " or ")
end

-- nil, or what is wrong with a call: a parameter that would do nothing, its value, and what it needs.
function together.silent(call, given, values, show)
  for _, rule in ipairs(together[call] or {}) do
    local name = rule[1]
    if given[name] and not acts(rule, given, values) then
      local value = type(given[name]) == "table" and "given" or show(given[name])
      if rule.beside then return string.format("%s is %s, which would do nothing beside %s", name, value, rule.beside) end
      local other = #rule > 2 and values[rule[2]]
      return string.format("%s is %s, which would do nothing: it needs %s%s", name, value, needed(rule, show), other and string.format("; %s is %s", rule[2], show(other)) or "")
    end
  end
end

return together
