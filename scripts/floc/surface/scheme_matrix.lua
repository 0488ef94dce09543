-- Which call acts under which scheme. Every method of a simulation, every option of floc.simulation, every field that can be
-- assigned and every option of a scheme that stands for a whole behaviour has a row; tests/lua/matrix_spec.lua holds each cell
-- against a run, and fails where a call or a scheme has none. `floc help matrix > docs/schemes/matrix.md` makes the manual's page.

local matrix = {}

matrix.schemes = { "inelastic", "gluey", "first_order", "discrete_element", "ballistic", "event_driven" }

local everywhere = { inelastic = true, gluey = true, first_order = true, discrete_element = true, ballistic = true, event_driven = true }

local function only(...)
  local acts = {}
  for _, name in ipairs { ... } do acts[name] = true end
  return acts
end

local inertial, forces = only("inelastic", "gluey"), only("inelastic", "gluey", "discrete_element")
local projection, laws = only("inelastic", "gluey", "first_order"), only("inelastic", "gluey", "first_order", "discrete_element")
local falling = only("inelastic", "gluey", "discrete_element", "event_driven")
local elements, aggregation = only "discrete_element", only("ballistic", "event_driven")

-- name: what the spec calls the row; of: the method, option or field; acts: the schemes; text: what one sees.
matrix.rows = {
  { "gravity", "gravity", falling, "acceleration of everything, a vector or a function of time" },
  { "gravity, assigned", "sim.gravity", falling, "the same, changed between steps" },
  { "add_force", "add_force", laws, "force between pairs" },
  { "add_many_body", "add_many_body", laws, "energy of sums over neighbours, and its force" },
  { "add_force, bonds", "add_force", laws, "the same between bonds given by ids" },
  { "add_angle_force", "add_angle_force", laws, "force between three particles given by ids" },
  { "add_field", "add_field", laws, "force on every particle" },
  { "add_wall_force", "add_wall_force", laws, "force between particles and bodies" },
  { "add_attraction", "add_attraction", laws, "short-range attraction" },
  { "add_long_range", "add_long_range", laws, "gravity between particles, forces between charges" },
  { "add_flow", "add_flow", forces, "drag towards a flow" },
  { "add_flow, rotation", "add_flow", forces, "viscous torque on what rotates" },
  { "add_noise", "add_noise", forces, "random force" },
  { "set_a_priori", "set_a_priori", projection, "velocity before contacts; not beside gravity, a flow or noise" },
  { "set_a_priori, rotation", "set_a_priori", inertial, "angular velocity before contacts" },
  { "a_priori", "a_priori", inertial, "the same as an option; velocity of floc.first_order" },
  { "add_evolution", "add_evolution", everywhere, "attributes that change" },
  { "add_body", "add_body", laws, "a wall at rest" },
  { "add_body, moving", "add_body", laws, "a wall with a motion, a constant or a function" },
  { "add_body, servo", "add_body", elements, "a wall that holds a force or a pressure" },
  { "add_body, free", "add_body", forces, "a body with a mass, which particles move; discrete elements by velocity Verlet" },
  { "add_joint", "add_joint", inertial, "hinges, sliders, rods and ropes between bodies, particles and the world" },
  { "add_assembly", "add_assembly", inertial, "particles that move as one rigid body" },
  { "add_particles, shape", "add_particles", only "inelastic", "grains that are not round: polygons, rods and ellipses in two dimensions, rods, ellipsoids and polyhedra in three" },
  { "add_ray_source", "add_ray_source", laws, "rays that exert forces" },
  { "set_media", "set_media", everywhere, "properties of the media for rays; sim:trace uses them in any scheme" },
  { "add_bond", "add_bond", elements, "bonds added by the script" },
  { "remove_bond", "remove_bond", elements, "bonds removed by the script" },
  { "bonds", "bonds", elements, "list of bonds" },
  { "element_report", "element_report", elements, "energies by kind, counts" },
  { "ballistic_report", "ballistic_report", aggregation, "clusters, links, events" },
  { "merges", "merges", everywhere, "clusters that merged and came apart, by gap; by links under ballistic, event_driven and, as bonds, discrete_element" },
  { "stress", "stress", forces, "stress tensor, pressure, fabric" },
  { "coarse_grain", "coarse_grain", forces, "fields of density, momentum and stress" },
  { "energy_ledger", "energy_ledger", forces, "the work of everything that acts; discrete elements by velocity Verlet" },
  { "force_distribution", "force_distribution", forces, "distribution of contact forces" },
  { "record_problem", "record_problem", projection, "the contact problem of the next step as a file" },
  { "rotation", "rotation", only("inelastic", "gluey", "discrete_element", "ballistic", "event_driven"), "an option of the scheme: particles rotate" },
  { "friction", "friction", forces, "an option of the scheme" },
  { "restitution", "restitution", only("inelastic", "event_driven"), "an option of the scheme; of discrete elements it follows from damping" },
  { "boundary, walls", "boundary", everywhere, "closed domain" },
  { "boundary, periodic", "boundary", everywhere, "periodic domain" },
  { "deform", "deform", forces, "periodic domain that moves: strain rates, shear, a pressure or stresses held" },
}

-- Calls that have nothing to do with how a step is made. They work under every scheme.
matrix.common = {
  options = { "energy_ledger", "time_step", "dimension", "scheme", "seed", "threads", "work_limit", "domain", "up", "patch_particles" },
  fields = { "time_step", "threads", "state" },
  methods = { "add_inlet", "add_law_bonds", "add_outlet", "add_particle", "add_particles", "add_attribute", "bond_changes", "bond_order", "box_counting", "check_overlap", "checkpoint",
    "cluster_scaling", "cluster_sizes", "clusters", "columns", "contact_columns", "contact_number", "contacts", "every", "explain",
    "greatest_distance", "gyration", "hash", "ids", "law_bonds", "law_pairs", "map", "mass_radius", "measure", "mixing_index", "moment", "neighbors", "observe", "pair_distribution", "pairs", "picture", "profile", "radial_distribution", "ray_report",
    "rays", "record", "remove", "remove_body", "remove_law_bonds", "remove_particle", "report", "run", "set_law_bonds", "structure_factor", "sum", "trace", "write_merges", "write_vtp", "write_xyz" },
}

function matrix.markdown()
  local out = { "# What acts under which scheme\n",
    "Made by `floc help matrix`; `tests/lua/matrix_spec.lua` measures every cell. \"acts\": the call changes the result by the right "
      .. "amount. \"-\": the call, or\nthe choice of the scheme where the call came first, is refused with the names of the schemes that do it; an option that "
      .. "a scheme does not have is an unknown parameter.\n",
    "| | " .. table.concat(matrix.schemes, " | ") .. " | |", "| --- |" .. (" --- |"):rep(#matrix.schemes) .. " --- |" }
  for _, row in ipairs(matrix.rows) do
    local cells = {}
    for k, scheme in ipairs(matrix.schemes) do cells[k] = row[3][scheme] and "acts" or "-" end
    out[#out + 1] = string.format("| `%s` | %s | %s |", row[1], table.concat(cells, " | "), row[4])
  end
  out[#out + 1] = "\nUnder every scheme: the options `" .. table.concat(matrix.common.options, "`, `") .. "`; the methods `"
    .. table.concat(matrix.common.methods, "`, `") .. "`."
  return table.concat(out, "\n") .. "\n"
end

return matrix
