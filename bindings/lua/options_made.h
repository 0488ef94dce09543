/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */
#define PROJECTION_OPTIONS \
  OPTION(FIELD_INTEGER, floc_projection_options, contact_law), \
  OPTION(FIELD_NUMBER, floc_projection_options, gamma_min), \
  OPTION(FIELD_INTEGER, floc_projection_options, solver), \
  OPTION(FIELD_NUMBER, floc_projection_options, tolerance), \
  OPTION(FIELD_INTEGER, floc_projection_options, max_iterations), \
  OPTION(FIELD_BOOLEAN, floc_projection_options, warm_start), \
  OPTION(FIELD_INTEGER, floc_projection_options, gluey_rule), \
  OPTION(FIELD_BOOLEAN, floc_projection_options, radius_factor), \
  OPTION(FIELD_NUMBER, floc_projection_options, viscosity), \
  OPTION(FIELD_NUMBER, floc_projection_options, friction), \
  OPTION(FIELD_BOOLEAN, floc_projection_options, rotation), \
  OPTION(FIELD_NUMBER, floc_projection_options, restitution), \
  OPTION(FIELD_NUMBER, floc_projection_options, restitution_speed), \
  {NULL, 0, 0}

#define BALLISTIC_OPTIONS \
  OPTION(FIELD_INTEGER, floc_ballistic_options, minimiser), \
  OPTION(FIELD_BOOLEAN, floc_ballistic_options, rigid), \
  OPTION(FIELD_BOOLEAN, floc_ballistic_options, rotation), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, step_factor), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, tolerance), \
  OPTION(FIELD_INTEGER, floc_ballistic_options, max_iterations), \
  OPTION(FIELD_INTEGER, floc_ballistic_options, patience), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, descent), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, ascent), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, penalty), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, damping), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, skin), \
  {NULL, 0, 0}

#define EVENT_DRIVEN_OPTIONS \
  OPTION(FIELD_NUMBER, floc_event_driven_options, restitution), \
  OPTION(FIELD_NUMBER, floc_event_driven_options, sticking_restitution), \
  OPTION(FIELD_NUMBER, floc_event_driven_options, sticking_speed), \
  OPTION(FIELD_NUMBER, floc_event_driven_options, skin), \
  {NULL, 0, 0}

#define DISCRETE_ELEMENT_OPTIONS \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, contact_force), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, exponent), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, young_modulus), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, poisson_ratio), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, damping), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, limit_damping), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, rotation), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, friction), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_static), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_dynamic), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_damping), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_time), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, bond_law), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_exponent), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_tangential_stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_formation), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_breaking), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, thermal_softening), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, thermal_sensitivity), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, reference_temperature), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, initial_temperature), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, least_stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, viscosity), \
  OPTION(FIELD_VECTOR, floc_discrete_element_options, medium_velocity), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, attraction), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, attraction_exponent), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, repulsion), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, repulsion_exponent), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, near_field_scaling), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, near_field_range), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, magnetization), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, magnetic_difference), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, parallel_fields), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, integrator), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, phi), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, tolerance), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, iterations), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, adaptive), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, first_time_step), \
  {NULL, 0, 0}
