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
