/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
#include "base/fields.h"

#include <math.h>

/* clang-format off */
static const field_word words_contact_law[] = {
  {"inelastic", 1},
  {"gluey", 2},
  {NULL, 0}};

static const field_word words_gluey_rule[] = {
  {"bounded", 0},
  {"equality", 1},
  {NULL, 0}};

static const field_word words_solver[] = {
  {"auto", 0},
  {"uzawa", 1},
  {"apgd", 2},
  {NULL, 0}};

static const field_row fields_projection_options[] = {
  {"contact_law", offsetof(floc_projection_options, contact_law), FIELD_WORD, 0, -INFINITY, INFINITY, 1, words_contact_law},
  {"gamma_min", offsetof(floc_projection_options, gamma_min), FIELD_NUMBER, FIELD_INFINITE, -INFINITY, 0, -INFINITY, NULL},
  {"solver", offsetof(floc_projection_options, solver), FIELD_WORD, 0, -INFINITY, INFINITY, 0, words_solver},
  {"tolerance", offsetof(floc_projection_options, tolerance), FIELD_NUMBER, 0, 0, INFINITY, 0, NULL},
  {"max_iterations", offsetof(floc_projection_options, max_iterations), FIELD_INTEGER, 0, 1, INFINITY, 20000, NULL},
  {"warm_start", offsetof(floc_projection_options, warm_start), FIELD_BOOLEAN, 0, -INFINITY, INFINITY, 1, NULL},
  {"gluey_rule", offsetof(floc_projection_options, gluey_rule), FIELD_WORD, 0, -INFINITY, INFINITY, 0, words_gluey_rule},
  {"radius_factor", offsetof(floc_projection_options, radius_factor), FIELD_BOOLEAN, 0, -INFINITY, INFINITY, 0, NULL},
  {"viscosity", offsetof(floc_projection_options, viscosity), FIELD_NUMBER, 0, 0, INFINITY, 0, NULL},
  {"friction", offsetof(floc_projection_options, friction), FIELD_NUMBER, 0, 0, INFINITY, 0, NULL},
  {"rotation", offsetof(floc_projection_options, rotation), FIELD_BOOLEAN, 0, -INFINITY, INFINITY, 0, NULL},
  {"restitution", offsetof(floc_projection_options, restitution), FIELD_NUMBER, 0, 0, 1, 0, NULL},
  {"restitution_speed", offsetof(floc_projection_options, restitution_speed), FIELD_NUMBER, 0, 0, INFINITY, 0, NULL},
};
const struct_fields struct_projection_options = {fields_projection_options, sizeof fields_projection_options / sizeof *fields_projection_options};
