/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
#include "base/fields.h"

#include <math.h>

/* clang-format off */
static const field_word words_boundary[] = {
  {"open", 0},
  {"wall", 1},
  {"periodic", 2},
  {NULL, 0}};

static const field_row fields_world_options[] = {
  {"dimension", offsetof(floc_world_options, dimension), FIELD_INTEGER, 1, 0, 2, 3, 2, NULL, 0, 0},
  {"time_step", offsetof(floc_world_options, time_step), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"seed", offsetof(floc_world_options, seed), FIELD_UNSIGNED64, 1, 0, -INFINITY, INFINITY, 1, NULL, 0, 0},
  {"threads", offsetof(floc_world_options, threads), FIELD_INTEGER, 1, 0, 0, 256, 0, NULL, 0, 0},
  {"boundary", offsetof(floc_world_options, boundary), FIELD_WORD, 3, 0, -INFINITY, INFINITY, 0, words_boundary, 0, 0},
  {"domain_lower", offsetof(floc_world_options, domain_lower), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"domain_upper", offsetof(floc_world_options, domain_upper), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"gravity", offsetof(floc_world_options, gravity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"energy_ledger", offsetof(floc_world_options, energy_ledger), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"patch_particles", offsetof(floc_world_options, patch_particles), FIELD_INTEGER64, 1, 0, 0, 2147483646, 0, NULL, 0, 0},
};
const struct_fields struct_world_options = {fields_world_options, sizeof fields_world_options / sizeof *fields_world_options};

static const field_row fields_world_set_work_limit[] = {
  {"limit", 0, FIELD_NUMBER, 1, FIELD_INFINITE, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields arguments_world_set_work_limit = {fields_world_set_work_limit, sizeof fields_world_set_work_limit / sizeof *fields_world_set_work_limit};

static const field_word words_shear_plane[] = {
  {"xy", 0},
  {"xz", 1},
  {"yx", 2},
  {"yz", 3},
  {"zx", 4},
  {"zy", 5},
  {NULL, 0}};

static const field_row fields_deform_options[] = {
  {"rate", offsetof(floc_deform_options, rate), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"shear_rate", offsetof(floc_deform_options, shear_rate), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"shear_plane", offsetof(floc_deform_options, shear_plane), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_shear_plane, 0, 0},
  {"pressure", offsetof(floc_deform_options, pressure), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"stress", offsetof(floc_deform_options, stress), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"relaxation_time", offsetof(floc_deform_options, relaxation_time), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_deform_options = {fields_deform_options, sizeof fields_deform_options / sizeof *fields_deform_options};

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
  {"interior_point", 3},
  {NULL, 0}};

static const field_word words_friction_law[] = {
  {"exact", 0},
  {"convex", 1},
  {NULL, 0}};

static const field_row fields_projection_options[] = {
  {"contact_law", offsetof(floc_projection_options, contact_law), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 1, words_contact_law, 0, 0},
  {"gamma_min", offsetof(floc_projection_options, gamma_min), FIELD_NUMBER, 1, FIELD_INFINITE, -INFINITY, 0, -INFINITY, NULL, 0, 0},
  {"solver", offsetof(floc_projection_options, solver), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_solver, 0, 0},
  {"tolerance", offsetof(floc_projection_options, tolerance), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"max_iterations", offsetof(floc_projection_options, max_iterations), FIELD_INTEGER, 1, 0, 1, INFINITY, 20000, NULL, 0, 0},
  {"warm_start", offsetof(floc_projection_options, warm_start), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 1, NULL, 0, 0},
  {"gluey_rule", offsetof(floc_projection_options, gluey_rule), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_gluey_rule, 0, 0},
  {"radius_factor", offsetof(floc_projection_options, radius_factor), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"viscosity", offsetof(floc_projection_options, viscosity), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"friction", offsetof(floc_projection_options, friction), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"rotation", offsetof(floc_projection_options, rotation), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"restitution", offsetof(floc_projection_options, restitution), FIELD_NUMBER, 1, 0, 0, 1, 0, NULL, 0, 0},
  {"restitution_speed", offsetof(floc_projection_options, restitution_speed), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"friction_law", offsetof(floc_projection_options, friction_law), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_friction_law, 0, 0},
  {"rolling", offsetof(floc_projection_options, rolling), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"twisting", offsetof(floc_projection_options, twisting), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"budget", offsetof(floc_projection_options, budget), FIELD_INTEGER, 1, 0, 0, 1000000000, 0, NULL, 0, 0},
  {"first_order", offsetof(floc_projection_options, first_order), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"passes", offsetof(floc_projection_options, passes), FIELD_INTEGER, 1, 0, 0, 4, 0, NULL, 0, 0},
};
const struct_fields struct_projection_options = {fields_projection_options, sizeof fields_projection_options / sizeof *fields_projection_options};

static const field_row fields_particle_options[] = {
  {"position", offsetof(floc_particle_options, position), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"velocity", offsetof(floc_particle_options, velocity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"radius", offsetof(floc_particle_options, radius), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"mass", offsetof(floc_particle_options, mass), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 1, NULL, 0, 0},
  {"allow_overlap", offsetof(floc_particle_options, allow_overlap), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"angle", offsetof(floc_particle_options, angle), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"shape", offsetof(floc_particle_options, shape), FIELD_INTEGER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"orientation", offsetof(floc_particle_options, orientation), FIELD_NUMBER, 4, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_particle_options = {fields_particle_options, sizeof fields_particle_options / sizeof *fields_particle_options};

static const field_row fields_grain_shape_options[] = {
  {"corner_count", offsetof(floc_grain_shape_options, corner_count), FIELD_INTEGER, 1, 0, 0, 16, 0, NULL, 0, 0},
  {"corners", offsetof(floc_grain_shape_options, corners), FIELD_NUMBER, 32, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"regular", offsetof(floc_grain_shape_options, regular), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"rounding", offsetof(floc_grain_shape_options, rounding), FIELD_NUMBER, 1, FIELD_BELOW, 0, 1, 0.02, NULL, 0, 0},
  {"semi_axes", offsetof(floc_grain_shape_options, semi_axes), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"point_count", offsetof(floc_grain_shape_options, point_count), FIELD_INTEGER, 1, 0, 0, 32, 0, NULL, 0, 0},
  {"points", offsetof(floc_grain_shape_options, points), FIELD_NUMBER, 96, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_grain_shape_options = {fields_grain_shape_options, sizeof fields_grain_shape_options / sizeof *fields_grain_shape_options};

static const field_word words_region_kind[] = {
  {"box", 1},
  {"ball", 2},
  {"function", 3},
  {NULL, 0}};

static const field_word words_placement[] = {
  {"random", 1},
  {"lattice", 2},
  {"fcc", 3},
  {"bcc", 4},
  {"hcp", 5},
  {"triangular", 6},
  {"dense", 7},
  {NULL, 0}};

static const field_word words_distribution[] = {
  {"uniform", 1},
  {"normal", 2},
  {"lognormal", 3},
  {"by_volume", 4},
  {NULL, 0}};

static const field_row fields_insertion_options[] = {
  {"count", offsetof(floc_insertion_options, count), FIELD_INTEGER64, 1, 0, 1, INFINITY, 0, NULL, 0, 0},
  {"region_kind", offsetof(floc_insertion_options, region_kind), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 1, words_region_kind, 0, 0},
  {"region_lower", offsetof(floc_insertion_options, region_lower), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"region_upper", offsetof(floc_insertion_options, region_upper), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"region_center", offsetof(floc_insertion_options, region_center), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_insertion_options, region_kind), 4},
  {"region_radius", offsetof(floc_insertion_options, region_radius), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, offsetof(floc_insertion_options, region_kind), 4},
  {"placement", offsetof(floc_insertion_options, placement), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 1, words_placement, 0, 0},
  {"spacing", offsetof(floc_insertion_options, spacing), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, offsetof(floc_insertion_options, placement), 124},
  {"distribution", offsetof(floc_insertion_options, distribution), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 1, words_distribution, 0, 0},
  {"radius_lower", offsetof(floc_insertion_options, radius_lower), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"radius_upper", offsetof(floc_insertion_options, radius_upper), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"radius_mean", offsetof(floc_insertion_options, radius_mean), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, offsetof(floc_insertion_options, distribution), 12},
  {"radius_deviation", offsetof(floc_insertion_options, radius_deviation), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, offsetof(floc_insertion_options, distribution), 12},
  {"mass", offsetof(floc_insertion_options, mass), FIELD_NUMBER, 1, 0, 0, INFINITY, 1, NULL, 0, 0},
  {"density", offsetof(floc_insertion_options, density), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"velocity", offsetof(floc_insertion_options, velocity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"velocity_spread", offsetof(floc_insertion_options, velocity_spread), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"clearance", offsetof(floc_insertion_options, clearance), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"seed", offsetof(floc_insertion_options, seed), FIELD_UNSIGNED64, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"tries", offsetof(floc_insertion_options, tries), FIELD_INTEGER64, 1, 0, 1, INFINITY, 100000, NULL, offsetof(floc_insertion_options, placement), 2},
  {"temperature", offsetof(floc_insertion_options, temperature), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"volume_fraction", offsetof(floc_insertion_options, volume_fraction), FIELD_NUMBER, 1, FIELD_BELOW, 0, 1, 0, NULL, 0, 0},
  {"shape", offsetof(floc_insertion_options, shape), FIELD_INTEGER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"angle_lower", offsetof(floc_insertion_options, angle_lower), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"angle_upper", offsetof(floc_insertion_options, angle_upper), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"orientation", offsetof(floc_insertion_options, orientation), FIELD_NUMBER, 4, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_insertion_options = {fields_insertion_options, sizeof fields_insertion_options / sizeof *fields_insertion_options};

static const field_row fields_assembly_options[] = {
  {"mass", offsetof(floc_assembly_options, mass), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"center_is_given", offsetof(floc_assembly_options, center_is_given), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"center", offsetof(floc_assembly_options, center), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"inertia", offsetof(floc_assembly_options, inertia), FIELD_NUMBER, 6, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"velocity", offsetof(floc_assembly_options, velocity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"angular_velocity", offsetof(floc_assembly_options, angular_velocity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_assembly_options = {fields_assembly_options, sizeof fields_assembly_options / sizeof *fields_assembly_options};

static const field_word words_shape_kind[] = {
  {"plane", 1},
  {"segment", 2},
  {"sphere", 3},
  {"hollow", 4},
  {"triangle", 5},
  {"torus", 6},
  {"cone", 7},
  {"cone_wall", 8},
  {NULL, 0}};

static const field_row fields_shape[] = {
  {"kind", offsetof(floc_shape, kind), FIELD_WORD, 1, FIELD_FREE, -INFINITY, INFINITY, 0, words_shape_kind, 0, 0},
  {"points", offsetof(floc_shape, points), FIELD_NUMBER, 9, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"radius", offsetof(floc_shape, radius), FIELD_NUMBER, 1, 0, 0, 9.9999999999999998e+149, 0, NULL, 0, 0},
  {"parameters", offsetof(floc_shape, parameters), FIELD_NUMBER, 8, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_shape = {fields_shape, sizeof fields_shape / sizeof *fields_shape};

static const field_word words_motion_kind[] = {
  {"fixed", 0},
  {"constant", 1},
  {"velocity", 2},
  {"position", 3},
  {"oscillation", 4},
  {"piston", 5},
  {"servo", 6},
  {"free", 7},
  {NULL, 0}};

static const field_row fields_body_options[] = {
  {"position", offsetof(floc_body_options, position), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"rotation", offsetof(floc_body_options, rotation), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"motion", offsetof(floc_body_options, motion), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_motion_kind, 0, 0},
  {"velocity", offsetof(floc_body_options, velocity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_body_options, motion), 34},
  {"angular_velocity", offsetof(floc_body_options, angular_velocity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_body_options, motion), 2},
  {"amplitude", offsetof(floc_body_options, amplitude), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_body_options, motion), 16},
  {"frequency", offsetof(floc_body_options, frequency), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_body_options, motion), 16},
  {"phase", offsetof(floc_body_options, phase), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_body_options, motion), 16},
  {"travel", offsetof(floc_body_options, travel), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, offsetof(floc_body_options, motion), 32},
  {"returns", offsetof(floc_body_options, returns), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"roughness", offsetof(floc_body_options, roughness), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"material", offsetof(floc_body_options, material), FIELD_INTEGER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"direction", offsetof(floc_body_options, direction), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"load", offsetof(floc_body_options, load), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"mass", offsetof(floc_body_options, mass), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"damping", offsetof(floc_body_options, damping), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, offsetof(floc_body_options, motion), 64},
  {"greatest_speed", offsetof(floc_body_options, greatest_speed), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, offsetof(floc_body_options, motion), 64},
};
const struct_fields struct_body_options = {fields_body_options, sizeof fields_body_options / sizeof *fields_body_options};

static const field_row fields_free_options[] = {
  {"axes", offsetof(floc_free_options, axes), FIELD_INTEGER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"mass", offsetof(floc_free_options, mass), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"density", offsetof(floc_free_options, density), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"inertia", offsetof(floc_free_options, inertia), FIELD_NUMBER, 6, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"velocity", offsetof(floc_free_options, velocity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"angular_velocity", offsetof(floc_free_options, angular_velocity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"force", offsetof(floc_free_options, force), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"torque", offsetof(floc_free_options, torque), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"damping", offsetof(floc_free_options, damping), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"angular_damping", offsetof(floc_free_options, angular_damping), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_free_options = {fields_free_options, sizeof fields_free_options / sizeof *fields_free_options};

static const field_word words_compound_kind[] = {
  {"polyline", 1},
  {"box", 2},
  {"funnel", 3},
  {"wheel", 4},
  {"container", 5},
  {NULL, 0}};

static const field_row fields_compound[] = {
  {"kind", offsetof(floc_compound, kind), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_compound_kind, 0, 0},
  {"point_count", offsetof(floc_compound, point_count), FIELD_INTEGER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"closed", offsetof(floc_compound, closed), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"lower", offsetof(floc_compound, lower), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"upper", offsetof(floc_compound, upper), FIELD_NUMBER, 3, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"top", offsetof(floc_compound, top), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"bottom", offsetof(floc_compound, bottom), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, offsetof(floc_compound, kind), 8},
  {"height", offsetof(floc_compound, height), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, offsetof(floc_compound, kind), 40},
  {"radius", offsetof(floc_compound, radius), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, offsetof(floc_compound, kind), 16},
  {"hub", offsetof(floc_compound, hub), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"paddles", offsetof(floc_compound, paddles), FIELD_INTEGER, 1, 0, 1, 100000, 6, NULL, offsetof(floc_compound, kind), 16},
  {"width", offsetof(floc_compound, width), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, offsetof(floc_compound, kind), 32},
  {"depth", offsetof(floc_compound, depth), FIELD_NUMBER, 1, FIELD_ABOVE | FIELD_FREE, 0, INFINITY, 0, NULL, 0, 0},
  {"facets", offsetof(floc_compound, facets), FIELD_INTEGER, 1, FIELD_FREE, 3, 100000, 48, NULL, 0, 0},
  {"thickness", offsetof(floc_compound, thickness), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"axis", offsetof(floc_compound, axis), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_compound = {fields_compound, sizeof fields_compound / sizeof *fields_compound};

static const field_row fields_mesh_options[] = {
  {"scale", offsetof(floc_mesh_options, scale), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 1, NULL, 0, 0},
  {"thickness", offsetof(floc_mesh_options, thickness), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_mesh_options = {fields_mesh_options, sizeof fields_mesh_options / sizeof *fields_mesh_options};

static const field_word words_joint_kind[] = {
  {"hinge", 1},
  {"slider", 2},
  {"ball", 3},
  {"distance", 4},
  {"weld", 5},
  {NULL, 0}};

static const field_row fields_joint_options[] = {
  {"kind", offsetof(floc_joint_options, kind), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_joint_kind, 0, 0},
  {"first", offsetof(floc_joint_options, first), FIELD_INTEGER, 1, FIELD_FREE, -INFINITY, INFINITY, -1, NULL, 0, 0},
  {"second", offsetof(floc_joint_options, second), FIELD_INTEGER, 1, FIELD_FREE, -INFINITY, INFINITY, -1, NULL, 0, 0},
  {"first_particle", offsetof(floc_joint_options, first_particle), FIELD_INTEGER64, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"second_particle", offsetof(floc_joint_options, second_particle), FIELD_INTEGER64, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"anchor", offsetof(floc_joint_options, anchor), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"second_anchor", offsetof(floc_joint_options, second_anchor), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"axis", offsetof(floc_joint_options, axis), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"length", offsetof(floc_joint_options, length), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"rope", offsetof(floc_joint_options, rope), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"limited", offsetof(floc_joint_options, limited), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"lower", offsetof(floc_joint_options, lower), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"upper", offsetof(floc_joint_options, upper), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"motor_velocity", offsetof(floc_joint_options, motor_velocity), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"motor_greatest", offsetof(floc_joint_options, motor_greatest), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"stiffness", offsetof(floc_joint_options, stiffness), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"damping", offsetof(floc_joint_options, damping), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"rest", offsetof(floc_joint_options, rest), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_joint_options = {fields_joint_options, sizeof fields_joint_options / sizeof *fields_joint_options};

static const field_row fields_program_options[] = {
  {"input_count", offsetof(floc_program_options, input_count), FIELD_INTEGER, 1, 0, 0, 64, 0, NULL, 0, 0},
  {"constant_count", offsetof(floc_program_options, constant_count), FIELD_INTEGER, 1, 0, 0, 1024, 0, NULL, 0, 0},
  {"code_count", offsetof(floc_program_options, code_count), FIELD_INTEGER, 1, 0, 0, 4096, 0, NULL, 0, 0},
  {"output_count", offsetof(floc_program_options, output_count), FIELD_INTEGER, 1, 0, 1, 48, 0, NULL, 0, 0},
  {"fast_math", offsetof(floc_program_options, fast_math), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_program_options = {fields_program_options, sizeof fields_program_options / sizeof *fields_program_options};

static const field_word words_law_pairs[] = {
  {"near", 0},
  {"bonds", 1},
  {NULL, 0}};

static const field_row fields_law_options[] = {
  {"input_count", offsetof(floc_law_options, input_count), FIELD_INTEGER, 1, 0, 0, 64, 0, NULL, 0, 0},
  {"output_count", offsetof(floc_law_options, output_count), FIELD_INTEGER, 1, 0, 1, 48, 0, NULL, 0, 0},
  {"range", offsetof(floc_law_options, range), FIELD_NUMBER, 1, FIELD_INFINITE, 0, INFINITY, 0, NULL, 0, 0},
  {"parallel", offsetof(floc_law_options, parallel), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"memory_count", offsetof(floc_law_options, memory_count), FIELD_INTEGER, 1, 0, 0, 32, 0, NULL, 0, 0},
  {"parameter_count", offsetof(floc_law_options, parameter_count), FIELD_INTEGER, 1, 0, 0, 16, 0, NULL, 0, 0},
  {"pairs", offsetof(floc_law_options, pairs), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_law_pairs, 0, 0},
  {"attribute_count", offsetof(floc_law_options, attribute_count), FIELD_INTEGER, 1, 0, 0, 8, 0, NULL, 0, 0},
};
const struct_fields struct_law_options = {fields_law_options, sizeof fields_law_options / sizeof *fields_law_options};

static const field_row fields_attraction_options[] = {
  {"kappa", offsetof(floc_attraction_options, kappa), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"epsilon", offsetof(floc_attraction_options, epsilon), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"range", offsetof(floc_attraction_options, range), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"noise_scaling", offsetof(floc_attraction_options, noise_scaling), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_attraction_options = {fields_attraction_options, sizeof fields_attraction_options / sizeof *fields_attraction_options};

static const field_word words_long_range_kind[] = {
  {"gravity", 0},
  {"coulomb", 1},
  {NULL, 0}};

static const field_row fields_long_range_options[] = {
  {"kind", offsetof(floc_long_range_options, kind), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_long_range_kind, 0, 0},
  {"constant", offsetof(floc_long_range_options, constant), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"softening", offsetof(floc_long_range_options, softening), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"opening", offsetof(floc_long_range_options, opening), FIELD_NUMBER, 1, 0, 0, 1, 0, NULL, 0, 0},
};
const struct_fields struct_long_range_options = {fields_long_range_options, sizeof fields_long_range_options / sizeof *fields_long_range_options};

static const field_word words_flow_kind[] = {
  {"none", 0},
  {"uniform", 1},
  {"shear", 2},
  {"oscillating_shear", 3},
  {"rotation", 4},
  {"function", 5},
  {"still", 6},
  {NULL, 0}};

static const field_row fields_flow_options[] = {
  {"kind", offsetof(floc_flow_options, kind), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_flow_kind, 0, 0},
  {"relaxation_time", offsetof(floc_flow_options, relaxation_time), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, offsetof(floc_flow_options, kind), 126},
  {"exponential", offsetof(floc_flow_options, exponential), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"velocity", offsetof(floc_flow_options, velocity), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_flow_options, kind), 126},
  {"rate", offsetof(floc_flow_options, rate), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 1, NULL, offsetof(floc_flow_options, kind), 126},
  {"frequency", offsetof(floc_flow_options, frequency), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_flow_options, kind), 126},
  {"center", offsetof(floc_flow_options, center), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_flow_options, kind), 126},
};
const struct_fields struct_flow_options = {fields_flow_options, sizeof fields_flow_options / sizeof *fields_flow_options};

static const field_row fields_noise_options[] = {
  {"sigma", offsetof(floc_noise_options, sigma), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_noise_options = {fields_noise_options, sizeof fields_noise_options / sizeof *fields_noise_options};

static const field_word words_minimiser[] = {
  {"projection", 0},
  {"arrow_hurwicz", 1},
  {"stochastic", 2},
  {NULL, 0}};

static const field_row fields_ballistic_options[] = {
  {"minimiser", offsetof(floc_ballistic_options, minimiser), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_minimiser, 0, 0},
  {"rigid", offsetof(floc_ballistic_options, rigid), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"rotation", offsetof(floc_ballistic_options, rotation), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"step_factor", offsetof(floc_ballistic_options, step_factor), FIELD_NUMBER, 1, 0, 0, INFINITY, 1, NULL, 0, 0},
  {"tolerance", offsetof(floc_ballistic_options, tolerance), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0.01, NULL, 0, 0},
  {"max_iterations", offsetof(floc_ballistic_options, max_iterations), FIELD_INTEGER, 1, 0, 1, INFINITY, 1000, NULL, 0, 0},
  {"patience", offsetof(floc_ballistic_options, patience), FIELD_INTEGER, 1, 0, 1, INFINITY, 150, NULL, 0, 0},
  {"descent", offsetof(floc_ballistic_options, descent), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0.10000000000000001, NULL, 0, 0},
  {"ascent", offsetof(floc_ballistic_options, ascent), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0.01, NULL, 0, 0},
  {"penalty", offsetof(floc_ballistic_options, penalty), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0.067500000000000004, NULL, 0, 0},
  {"damping", offsetof(floc_ballistic_options, damping), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 1, NULL, 0, 0},
  {"skin", offsetof(floc_ballistic_options, skin), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_ballistic_options = {fields_ballistic_options, sizeof fields_ballistic_options / sizeof *fields_ballistic_options};

static const field_row fields_event_driven_options[] = {
  {"restitution", offsetof(floc_event_driven_options, restitution), FIELD_NUMBER, 1, 0, 0, 1, 0, NULL, 0, 0},
  {"sticking_restitution", offsetof(floc_event_driven_options, sticking_restitution), FIELD_NUMBER, 1, 0, 0, 1, 0, NULL, 0, 0},
  {"sticking_speed", offsetof(floc_event_driven_options, sticking_speed), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"skin", offsetof(floc_event_driven_options, skin), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"rotation", offsetof(floc_event_driven_options, rotation), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_event_driven_options = {fields_event_driven_options, sizeof fields_event_driven_options / sizeof *fields_event_driven_options};

static const field_word words_contact_force[] = {
  {"none", 0},
  {"penalty", 1},
  {"hertz", 2},
  {"hooke", 3},
  {NULL, 0}};

static const field_word words_friction[] = {
  {"none", 0},
  {"regularized", 1},
  {"spring", 2},
  {NULL, 0}};

static const field_word words_bond_law[] = {
  {"none", 0},
  {"literal", 1},
  {"persistent", 2},
  {NULL, 0}};

static const field_word words_integrator[] = {
  {"trapezoidal", 1},
  {"velocity_verlet", 2},
  {NULL, 0}};

static const field_word words_near_field_scaling[] = {
  {"constant", 0},
  {"mass", 1},
  {"area", 2},
  {"volume", 3},
  {"charge", 4},
  {NULL, 0}};

static const field_row fields_discrete_element_options[] = {
  {"contact_force", offsetof(floc_discrete_element_options, contact_force), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 1, words_contact_force, 0, 0},
  {"stiffness", offsetof(floc_discrete_element_options, stiffness), FIELD_NUMBER, 1, FIELD_ABOVE, 0, 9.9999999999999995e+59, 10000000, NULL, 0, 0},
  {"exponent", offsetof(floc_discrete_element_options, exponent), FIELD_NUMBER, 1, 0, 0, 100, 2, NULL, 0, 0},
  {"young_modulus", offsetof(floc_discrete_element_options, young_modulus), FIELD_NUMBER, 1, FIELD_ABOVE, 0, 9.9999999999999995e+59, 1000000000, NULL, 0, 0},
  {"poisson_ratio", offsetof(floc_discrete_element_options, poisson_ratio), FIELD_NUMBER, 1, FIELD_ABOVE, -1, 0.5, 0.29999999999999999, NULL, 0, 0},
  {"damping", offsetof(floc_discrete_element_options, damping), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"limit_damping", offsetof(floc_discrete_element_options, limit_damping), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"rotation", offsetof(floc_discrete_element_options, rotation), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"friction", offsetof(floc_discrete_element_options, friction), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_friction, 0, 0},
  {"friction_stiffness", offsetof(floc_discrete_element_options, friction_stiffness), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 10000000, NULL, 0, 0},
  {"friction_static", offsetof(floc_discrete_element_options, friction_static), FIELD_NUMBER, 1, 0, 0, 1000000, 0.40000000000000002, NULL, 0, 0},
  {"friction_dynamic", offsetof(floc_discrete_element_options, friction_dynamic), FIELD_NUMBER, 1, 0, 0, 1000000, 0.29999999999999999, NULL, 0, 0},
  {"friction_damping", offsetof(floc_discrete_element_options, friction_damping), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"friction_time", offsetof(floc_discrete_element_options, friction_time), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 1.0000000000000001e-05, NULL, 0, 0},
  {"bond_law", offsetof(floc_discrete_element_options, bond_law), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_bond_law, 0, 0},
  {"bond_stiffness", offsetof(floc_discrete_element_options, bond_stiffness), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 1000000, NULL, 0, 0},
  {"bond_exponent", offsetof(floc_discrete_element_options, bond_exponent), FIELD_NUMBER, 1, 0, 0, 100, 2, NULL, 0, 0},
  {"bond_tangential_stiffness", offsetof(floc_discrete_element_options, bond_tangential_stiffness), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 1000, NULL, 0, 0},
  {"bond_formation", offsetof(floc_discrete_element_options, bond_formation), FIELD_NUMBER, 1, 0, 0, 1, 0.01, NULL, 0, 0},
  {"bond_breaking", offsetof(floc_discrete_element_options, bond_breaking), FIELD_NUMBER, 1, FIELD_ABOVE, 0, 100, 0.10000000000000001, NULL, 0, 0},
  {"thermal_softening", offsetof(floc_discrete_element_options, thermal_softening), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"thermal_sensitivity", offsetof(floc_discrete_element_options, thermal_sensitivity), FIELD_NUMBER, 1, 0, -100, 100, 1, NULL, 0, 0},
  {"reference_temperature", offsetof(floc_discrete_element_options, reference_temperature), FIELD_NUMBER, 1, FIELD_ABOVE, 0, 9.9999999999999995e+59, 500, NULL, 0, 0},
  {"initial_temperature", offsetof(floc_discrete_element_options, initial_temperature), FIELD_NUMBER, 1, 0, -9.9999999999999995e+59, 9.9999999999999995e+59, 300, NULL, 0, 0},
  {"least_stiffness", offsetof(floc_discrete_element_options, least_stiffness), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 1000000, NULL, 0, 0},
  {"viscosity", offsetof(floc_discrete_element_options, viscosity), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"medium_velocity", offsetof(floc_discrete_element_options, medium_velocity), FIELD_NUMBER, 3, 0, -9.9999999999999995e+59, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"attraction", offsetof(floc_discrete_element_options, attraction), FIELD_NUMBER, 1, 0, -9.9999999999999995e+59, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"attraction_exponent", offsetof(floc_discrete_element_options, attraction_exponent), FIELD_NUMBER, 1, 0, 0, 100, 2, NULL, 0, 0},
  {"repulsion", offsetof(floc_discrete_element_options, repulsion), FIELD_NUMBER, 1, 0, -9.9999999999999995e+59, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"repulsion_exponent", offsetof(floc_discrete_element_options, repulsion_exponent), FIELD_NUMBER, 1, 0, 0, 100, 4, NULL, 0, 0},
  {"near_field_scaling", offsetof(floc_discrete_element_options, near_field_scaling), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_near_field_scaling, 0, 0},
  {"near_field_range", offsetof(floc_discrete_element_options, near_field_range), FIELD_NUMBER, 1, FIELD_INFINITE, 0, INFINITY, INFINITY, NULL, 0, 0},
  {"magnetization", offsetof(floc_discrete_element_options, magnetization), FIELD_NUMBER, 1, 0, -9.9999999999999995e+59, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"magnetic_difference", offsetof(floc_discrete_element_options, magnetic_difference), FIELD_NUMBER, 1, FIELD_ABOVE, 0, 9.9999999999999995e+59, 0.001, NULL, 0, 0},
  {"parallel_fields", offsetof(floc_discrete_element_options, parallel_fields), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"integrator", offsetof(floc_discrete_element_options, integrator), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 1, words_integrator, 0, 0},
  {"phi", offsetof(floc_discrete_element_options, phi), FIELD_NUMBER, 1, 0, 0, 1, 0.5, NULL, 0, 0},
  {"tolerance", offsetof(floc_discrete_element_options, tolerance), FIELD_NUMBER, 1, FIELD_ABOVE, 0, 1, 0.00050000000000000001, NULL, 0, 0},
  {"iterations", offsetof(floc_discrete_element_options, iterations), FIELD_INTEGER, 1, 0, 1, 1000000, 10, NULL, 0, 0},
  {"adaptive", offsetof(floc_discrete_element_options, adaptive), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 1, NULL, 0, 0},
  {"first_time_step", offsetof(floc_discrete_element_options, first_time_step), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"rolling_friction", offsetof(floc_discrete_element_options, rolling_friction), FIELD_NUMBER, 1, 0, 0, 1000000, 0, NULL, 0, 0},
  {"rolling_stiffness", offsetof(floc_discrete_element_options, rolling_stiffness), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"rolling_damping", offsetof(floc_discrete_element_options, rolling_damping), FIELD_NUMBER, 1, 0, 0, 9.9999999999999995e+59, 0, NULL, 0, 0},
  {"bond_bodies", offsetof(floc_discrete_element_options, bond_bodies), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"bond_strength_spread", offsetof(floc_discrete_element_options, bond_strength_spread), FIELD_NUMBER, 1, 0, 0, 0.999, 0, NULL, 0, 0},
};
const struct_fields struct_discrete_element_options = {fields_discrete_element_options, sizeof fields_discrete_element_options / sizeof *fields_discrete_element_options};

static const field_row fields_bond_add[] = {
  {"area", 0, FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields arguments_bond_add = {fields_bond_add, sizeof fields_bond_add / sizeof *fields_bond_add};

static const field_row fields_media[] = {
  {"density[0]", offsetof(floc_media, density[0]), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 1000, NULL, 0, 0},
  {"density[1]", offsetof(floc_media, density[1]), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 6000, NULL, 0, 0},
  {"sound_speed[0]", offsetof(floc_media, sound_speed[0]), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 1500, NULL, 0, 0},
  {"sound_speed[1]", offsetof(floc_media, sound_speed[1]), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 4500, NULL, 0, 0},
  {"body_reflectance", offsetof(floc_media, body_reflectance), FIELD_NUMBER, 1, 0, 0, 1, 1, NULL, 0, 0},
  {"materials", offsetof(floc_media, materials), FIELD_INTEGER, 1, 0, 0, 15, 0, NULL, 0, 0},
  {"material_density", offsetof(floc_media, material_density), FIELD_NUMBER, 15, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"material_sound_speed", offsetof(floc_media, material_sound_speed), FIELD_NUMBER, 15, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"heat_capacity", offsetof(floc_media, heat_capacity), FIELD_NUMBER, 16, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"attenuation", offsetof(floc_media, attenuation), FIELD_NUMBER, 17, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_media = {fields_media, sizeof fields_media / sizeof *fields_media};

static const field_row fields_reflectance[] = {
  {"incident_cosine", 0, FIELD_NUMBER, 1, 0, 0, 1, 0, NULL, 0, 0},
};
const struct_fields arguments_reflectance = {fields_reflectance, sizeof fields_reflectance / sizeof *fields_reflectance};

static const field_word words_ray_source_kind[] = {
  {"plane_wave", 1},
  {"point", 2},
  {"function", 3},
  {NULL, 0}};

static const field_word words_ray_sampling[] = {
  {"random", 1},
  {"even", 2},
  {NULL, 0}};

static const field_word words_ray_method[] = {
  {"exact", 1},
  {"advance", 2},
  {NULL, 0}};

static const field_row fields_ray_source_options[] = {
  {"kind", offsetof(floc_ray_source_options, kind), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 1, words_ray_source_kind, 0, 0},
  {"rays", offsetof(floc_ray_source_options, rays), FIELD_INTEGER64, 1, 0, 0, 1000000000, 10000, NULL, 0, 0},
  {"power", offsetof(floc_ray_source_options, power), FIELD_NUMBER, 1, 0, 0, INFINITY, 1, NULL, 0, 0},
  {"duration", offsetof(floc_ray_source_options, duration), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 1.0000000000000001e-05, NULL, 0, 0},
  {"time_count", offsetof(floc_ray_source_options, time_count), FIELD_INTEGER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"start", offsetof(floc_ray_source_options, start), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"period", offsetof(floc_ray_source_options, period), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"pulses", offsetof(floc_ray_source_options, pulses), FIELD_INTEGER64, 1, FIELD_FREE, 0, INFINITY, 1, NULL, 0, 0},
  {"direction[0]", offsetof(floc_ray_source_options, direction[0]), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 1, NULL, 0, 0},
  {"direction[1]", offsetof(floc_ray_source_options, direction[1]), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"direction[2]", offsetof(floc_ray_source_options, direction[2]), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"aim", offsetof(floc_ray_source_options, aim), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, offsetof(floc_ray_source_options, kind), 6},
  {"radius", offsetof(floc_ray_source_options, radius), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 1, NULL, offsetof(floc_ray_source_options, kind), 2},
  {"distance", offsetof(floc_ray_source_options, distance), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, offsetof(floc_ray_source_options, kind), 2},
  {"half_angle", offsetof(floc_ray_source_options, half_angle), FIELD_NUMBER, 1, FIELD_ABOVE, 0, 3.1415926535897931, 3.1415926535897931, NULL, offsetof(floc_ray_source_options, kind), 4},
  {"sampling", offsetof(floc_ray_source_options, sampling), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 1, words_ray_sampling, offsetof(floc_ray_source_options, kind), 6},
  {"seed", offsetof(floc_ray_source_options, seed), FIELD_UNSIGNED64, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"method", offsetof(floc_ray_source_options, method), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 1, words_ray_method, 0, 0},
  {"advance", offsetof(floc_ray_source_options, advance), FIELD_NUMBER, 1, FIELD_ABOVE, 0, 1, 0.050000000000000003, NULL, 0, 0},
  {"in_flight", offsetof(floc_ray_source_options, in_flight), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"max_bounces", offsetof(floc_ray_source_options, max_bounces), FIELD_INTEGER, 1, 0, 1, 1000000, 1000, NULL, 0, 0},
  {"power_floor", offsetof(floc_ray_source_options, power_floor), FIELD_NUMBER, 1, 0, 0, 1, 0, NULL, 0, 0},
};
const struct_fields struct_ray_source_options = {fields_ray_source_options, sizeof fields_ray_source_options / sizeof *fields_ray_source_options};

static const field_word words_neighbors_by[] = {
  {"touching", 0},
  {"surfaces", 1},
  {"centers", 2},
  {NULL, 0}};

static const field_row fields_pairs_options[] = {
  {"by", offsetof(floc_pairs_options, by), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_neighbors_by, 0, 0},
  {"range", offsetof(floc_pairs_options, range), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"particle", offsetof(floc_pairs_options, particle), FIELD_INTEGER64, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_pairs_options = {fields_pairs_options, sizeof fields_pairs_options / sizeof *fields_pairs_options};

static const field_row fields_stress_options[] = {
  {"volume", offsetof(floc_stress_options, volume), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_stress_options = {fields_stress_options, sizeof fields_stress_options / sizeof *fields_stress_options};

static const field_row fields_radial_options[] = {
  {"range", offsetof(floc_radial_options, range), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"bins", offsetof(floc_radial_options, bins), FIELD_INTEGER, 1, 0, 1, 100000, 100, NULL, 0, 0},
};
const struct_fields struct_radial_options = {fields_radial_options, sizeof fields_radial_options / sizeof *fields_radial_options};

static const field_row fields_structure_options[] = {
  {"greatest", offsetof(floc_structure_options, greatest), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"bins", offsetof(floc_structure_options, bins), FIELD_INTEGER, 1, 0, 1, 100000, 100, NULL, 0, 0},
};
const struct_fields struct_structure_options = {fields_structure_options, sizeof fields_structure_options / sizeof *fields_structure_options};

static const field_row fields_profile_options[] = {
  {"axis", offsetof(floc_profile_options, axis), FIELD_INTEGER, 1, 0, 0, 2, 1, NULL, 0, 0},
  {"bins", offsetof(floc_profile_options, bins), FIELD_INTEGER, 1, 0, 1, 100000, 20, NULL, 0, 0},
  {"lower", offsetof(floc_profile_options, lower), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"upper", offsetof(floc_profile_options, upper), FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_profile_options = {fields_profile_options, sizeof fields_profile_options / sizeof *fields_profile_options};

static const field_row fields_force_distribution_options[] = {
  {"bins", offsetof(floc_force_distribution_options, bins), FIELD_INTEGER, 1, 0, 1, 100000, 50, NULL, 0, 0},
  {"greatest", offsetof(floc_force_distribution_options, greatest), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 5, NULL, 0, 0},
};
const struct_fields struct_force_distribution_options = {fields_force_distribution_options, sizeof fields_force_distribution_options / sizeof *fields_force_distribution_options};

static const field_row fields_bond_order_options[] = {
  {"order", offsetof(floc_bond_order_options, order), FIELD_INTEGER, 1, 0, 1, 12, 6, NULL, 0, 0},
  {"by", offsetof(floc_bond_order_options, by), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 0, words_neighbors_by, 0, 0},
  {"range", offsetof(floc_bond_order_options, range), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"averaged", offsetof(floc_bond_order_options, averaged), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_bond_order_options = {fields_bond_order_options, sizeof fields_bond_order_options / sizeof *fields_bond_order_options};

static const field_row fields_mixing_options[] = {
  {"cell", offsetof(floc_mixing_options, cell), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"threshold", offsetof(floc_mixing_options, threshold), FIELD_NUMBER, 1, FIELD_FREE, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_mixing_options = {fields_mixing_options, sizeof fields_mixing_options / sizeof *fields_mixing_options};

static const field_row fields_coarse_grain_options[] = {
  {"width", offsetof(floc_coarse_grain_options, width), FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 0, NULL, 0, 0},
  {"cells_x", offsetof(floc_coarse_grain_options, cells_x), FIELD_INTEGER, 1, 0, 0, 10000000, 0, NULL, 0, 0},
  {"cells_y", offsetof(floc_coarse_grain_options, cells_y), FIELD_INTEGER, 1, 0, 0, 10000000, 0, NULL, 0, 0},
  {"cells_z", offsetof(floc_coarse_grain_options, cells_z), FIELD_INTEGER, 1, 0, 0, 10000000, 0, NULL, 0, 0},
  {"lower", offsetof(floc_coarse_grain_options, lower), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"upper", offsetof(floc_coarse_grain_options, upper), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_coarse_grain_options = {fields_coarse_grain_options, sizeof fields_coarse_grain_options / sizeof *fields_coarse_grain_options};

static const field_word words_cluster_rule[] = {
  {"gap", 1},
  {"link", 2},
  {NULL, 0}};

static const field_row fields_selection[] = {
  {"rule", offsetof(floc_selection, rule), FIELD_WORD, 1, FIELD_FREE, -INFINITY, INFINITY, 2, words_cluster_rule, 0, 0},
  {"gap", offsetof(floc_selection, gap), FIELD_NUMBER, 1, FIELD_FREE, 0, INFINITY, 0, NULL, 0, 0},
  {"cluster", offsetof(floc_selection, cluster), FIELD_INTEGER64, 1, FIELD_FREE, -1, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_selection = {fields_selection, sizeof fields_selection / sizeof *fields_selection};

static const field_row fields_fractal_options[] = {
  {"least", offsetof(floc_fractal_options, least), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"greatest", offsetof(floc_fractal_options, greatest), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"side", offsetof(floc_fractal_options, side), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"corner", offsetof(floc_fractal_options, corner), FIELD_NUMBER, 3, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_fractal_options = {fields_fractal_options, sizeof fields_fractal_options / sizeof *fields_fractal_options};

static const field_row fields_measure_moment[] = {
  {"about", 0, FIELD_NUMBER, 1, 0, -INFINITY, INFINITY, 0, NULL, 0, 0},
  {"order", 0, FIELD_INTEGER, 1, 0, 1, 64, 1, NULL, 0, 0},
};
const struct_fields arguments_measure_moment = {fields_measure_moment, sizeof fields_measure_moment / sizeof *fields_measure_moment};

static const field_row fields_merge_options[] = {
  {"rule", offsetof(floc_merge_options, rule), FIELD_WORD, 1, 0, -INFINITY, INFINITY, 2, words_cluster_rule, 0, 0},
  {"gap", offsetof(floc_merge_options, gap), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"apart", offsetof(floc_merge_options, apart), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
};
const struct_fields struct_merge_options = {fields_merge_options, sizeof fields_merge_options / sizeof *fields_merge_options};

static const field_row fields_measure_contact_number[] = {
  {"factor", 0, FIELD_NUMBER, 1, FIELD_ABOVE, 0, INFINITY, 2.1000000000000001, NULL, 0, 0},
};
const struct_fields arguments_measure_contact_number = {fields_measure_contact_number, sizeof fields_measure_contact_number / sizeof *fields_measure_contact_number};

static const field_row fields_measure_cluster_scaling[] = {
  {"least_count", 0, FIELD_INTEGER64, 1, 0, 2, INFINITY, 8, NULL, 0, 0},
};
const struct_fields arguments_measure_cluster_scaling = {fields_measure_cluster_scaling, sizeof fields_measure_cluster_scaling / sizeof *fields_measure_cluster_scaling};

static const field_row fields_problem_options[] = {
  {"solver", offsetof(floc_problem_options, solver), FIELD_INTEGER, 1, 0, -1, 3, -1, NULL, 0, 0},
  {"threads", offsetof(floc_problem_options, threads), FIELD_INTEGER, 1, 0, 0, 256, 0, NULL, 0, 0},
  {"repeat", offsetof(floc_problem_options, repeat), FIELD_INTEGER, 1, 0, 1, 1000000, 1, NULL, 0, 0},
  {"max_iterations", offsetof(floc_problem_options, max_iterations), FIELD_INTEGER64, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"tolerance", offsetof(floc_problem_options, tolerance), FIELD_NUMBER, 1, 0, 0, INFINITY, 0, NULL, 0, 0},
  {"warm_start", offsetof(floc_problem_options, warm_start), FIELD_BOOLEAN, 1, 0, -INFINITY, INFINITY, 1, NULL, 0, 0},
};
const struct_fields struct_problem_options = {fields_problem_options, sizeof fields_problem_options / sizeof *fields_problem_options};

static const field_row fields_world_save[] = {
  {"keep", 0, FIELD_INTEGER, 1, 0, 1, 1000, 1, NULL, 0, 0},
};
const struct_fields arguments_world_save = {fields_world_save, sizeof fields_world_save / sizeof *fields_world_save};
