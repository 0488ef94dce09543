/*
 * All functions of the header, each with a call on a world that would do something, and whether a function of the
 * host may make it. test_reentry.c compares the list with the header, so that a new function has to be listed.
 */
#ifndef FLOC_TESTS_WORLD_FUNCTIONS_H
#define FLOC_TESTS_WORLD_FUNCTIONS_H

#include "floc/floc.h"

#include <stdbool.h>
#include <string.h>

typedef enum call_class {
  FREE,    /* knows no world */
  ANYTIME, /* also inside the allocator */
  READS,   /* inside functions of the host */
  REFUSED
} call_class;

/* What the calls are given; filled once, only read after. */
static struct {
  floc_particle_options particle;
  floc_insertion_options insertion;
  floc_grain_shape_options grain_shape;
  floc_assembly_options assembly;
  floc_free_options free;
  floc_joint_options joint;
  floc_body_options body;
  floc_shape shape;
  floc_compound compound;
  floc_mesh_options mesh;
  floc_law_options field, pair, wall, evolution, a_priori, angle;
  floc_program_options program;
  floc_attraction_options attraction;
  floc_long_range_options long_range;
  floc_flow_options flow;
  floc_noise_options noise;
  floc_projection_options projection;
  floc_ballistic_options ballistic;
  floc_event_driven_options event_driven;
  floc_discrete_element_options discrete_element;
  floc_media media;
  floc_ray_source_options source;
  floc_selection selection;
  floc_fractal_options fractal;
  floc_pairs_options pairs;
  floc_merge_options merge;
  floc_deform_options deform;
  floc_stress_options stress;
  floc_coarse_grain_options coarse_grain;
  floc_radial_options radial;
  floc_structure_options structure;
  floc_profile_options profile;
  floc_force_distribution_options distribution;
  floc_bond_order_options bond_order;
  floc_mixing_options mixing;
  floc_measure_options measure;
  floc_shape_type shape_type;
  floc_contact_law_type contact_law;
} given;

static floc_status nothing(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context, (void)inputs;
  memset(outputs[0], 0, (size_t)count * sizeof(double));
  return FLOC_OK;
}

static floc_status two(void *context, floc_world *world, double *value)
{
  (void)context, (void)world;
  *value = 2.0;
  return FLOC_OK;
}

static floc_status no_bounds(void *context, const floc_contact_rows *rows)
{
  (void)context, (void)rows;
  return FLOC_OK;
}

static void far_away(void *context, const double *parameters, int32_t count, const double *const *points,
                     double *distances, double *const *gradients)
{
  (void)context, (void)parameters, (void)points;
  for (int32_t k = 0; k < count; k++) {
    distances[k] = gradients[0][k] = 1.0;
    gradients[1][k] = gradients[2][k] = 0.0;
  }
}

static bool around(void *context, const double *parameters, double *lower, double *upper)
{
  (void)context, (void)parameters;
  for (int k = 0; k < 3; k++) upper[k] = -(lower[k] = -1.0);
  return true;
}

static void law_given(floc_law_options *law, int32_t outputs)
{
  floc_law_options_init(law);
  law->function = nothing;
  law->output_count = outputs;
  law->range = 0.01;
}

static void fill_given(void)
{
  static const char *const rate[] = {"heat"};
  static const floc_instruction code[] = {{FLOC_OPERATION_ADD, 0, 0, -1}};
  static const double constant[] = {1.0};
  static const int32_t output[] = {1};
  floc_particle_options_init(&given.particle);
  given.particle.radius = 0.01;
  given.particle.position[0] = 50.0;
  floc_grain_shape_options_init(&given.grain_shape);
  given.grain_shape.corner_count = 5;
  given.grain_shape.regular = true;
  floc_insertion_options_init(&given.insertion);
  given.insertion.count = 1;
  given.insertion.radius_lower = 0.01;
  for (int axis = 0; axis < 2; axis++) {
    given.insertion.region_lower[axis] = 40.0;
    given.insertion.region_upper[axis] = 41.0;
  }
  floc_assembly_options_init(&given.assembly);
  floc_body_options_init(&given.body);
  floc_free_options_init(&given.free);
  floc_joint_options_init(&given.joint);
  given.joint.kind = FLOC_JOINT_DISTANCE;
  given.joint.first_particle = 1;
  given.joint.second_particle = 2;
  given.free.axes = 3;
  given.free.mass = 1.0;
  floc_shape_init(&given.shape);
  given.shape.kind = FLOC_SHAPE_SPHERE;
  given.shape.radius = 0.1;
  given.shape.points[0][0] = 60.0;
  floc_compound_init(&given.compound);
  given.compound.kind = FLOC_COMPOUND_WHEEL;
  given.compound.radius = 0.1;
  floc_mesh_options_init(&given.mesh);
  given.mesh.path = "none.stl";
  law_given(&given.field, 2);
  law_given(&given.pair, 1);
  law_given(&given.wall, 1);
  law_given(&given.angle, 1);
  given.angle.range = 0.0;
  law_given(&given.evolution, 1);
  given.evolution.outputs = rate;
  law_given(&given.a_priori, 2);
  floc_program_options_init(&given.program);
  given.program.constants = constant;
  given.program.constant_count = 1;
  given.program.code = code;
  given.program.code_count = 1;
  given.program.outputs = output;
  given.program.output_count = 1;
  floc_attraction_options_init(&given.attraction);
  given.attraction.kappa = given.attraction.epsilon = 1.0;
  floc_long_range_options_init(&given.long_range);
  given.long_range.constant = 1.0;
  floc_flow_options_init(&given.flow);
  given.flow.kind = FLOC_FLOW_STILL;
  given.flow.relaxation_time = 1.0;
  floc_noise_options_init(&given.noise);
  floc_projection_options_init(&given.projection);
  floc_ballistic_options_init(&given.ballistic);
  floc_event_driven_options_init(&given.event_driven);
  floc_discrete_element_options_init(&given.discrete_element);
  floc_media_init(&given.media);
  floc_ray_source_options_init(&given.source);
  given.source.rays = 1;
  floc_selection_init(&given.selection);
  floc_fractal_options_init(&given.fractal);
  floc_pairs_options_init(&given.pairs);
  floc_merge_options_init(&given.merge);
  floc_deform_options_init(&given.deform);
  floc_stress_options_init(&given.stress);
  floc_coarse_grain_options_init(&given.coarse_grain);
  given.coarse_grain.width = 1.0;
  floc_radial_options_init(&given.radial);
  floc_structure_options_init(&given.structure);
  floc_profile_options_init(&given.profile);
  floc_force_distribution_options_init(&given.distribution);
  floc_bond_order_options_init(&given.bond_order);
  floc_mixing_options_init(&given.mixing);
  given.mixing.cell = 1.0;
  given.mixing.threshold = NAN;
  given.radial.range = 1.0;
  given.structure.greatest = 1.0;
  floc_shape_type_init(&given.shape_type);
  given.shape_type.name = "given";
  given.shape_type.distance = far_away;
  given.shape_type.bounds = around;
  floc_contact_law_type_init(&given.contact_law);
  given.contact_law.name = "given";
  given.contact_law.bounds = no_bounds;
  floc_measure_options_init(&given.measure);
  given.measure.name = "given";
  given.measure.function = two;
}

/* clang-format off */
#define SIZED(type) &(type){.struct_size = sizeof(type)}
#define INTEGER     &(int64_t){0}
#define NUMBER      &(int32_t){0}
#define VALUE       &(double){0.0}
/* clang-format on */

/* What is returned as a pointer or not at all, as a status. */
static floc_status message_of(floc_world *w)
{
  return floc_world_message(w) ? FLOC_OK : FLOC_NOT_FOUND;
}

static floc_status shape_attribute_name_of(floc_world *w)
{
  return floc_shape_attribute_name(w, 0) ? FLOC_OK : floc_shape_attribute_get(w, 0, 0, "wear", &(double){0.0});
}

static floc_status column_name_of(floc_world *w)
{
  return floc_column_name(w, 0) ? FLOC_OK : FLOC_WRONG_STATE;
}

static floc_status destroy(floc_world *w)
{
  floc_world_destroy(w);
  return FLOC_WRONG_STATE;
}

/* clang-format off */
#define FUNCTIONS(F, W)                                                                                         \
  F(floc_world_info_init_sized) F(floc_assembly_state_init_sized) F(floc_body_state_init_sized)                 \
  F(floc_ballistic_report_init_sized) F(floc_event_driven_report_init_sized)                                    \
  F(floc_discrete_element_report_init_sized) F(floc_ray_report_init_sized) F(floc_step_report_init_sized)       \
  F(floc_cluster_summary_init_sized) F(floc_gyration_init_sized) F(floc_scaling_init_sized)                     \
  F(floc_problem_report_init_sized) F(floc_section_info_init_sized) F(floc_section_difference_init_sized)       \
  F(floc_status_name) F(floc_version) F(floc_version_number) F(floc_cdef) F(floc_world_options_init_sized) F(floc_world_create)\
  W(REFUSED, floc_world_destroy, destroy(w))                                                                    \
  W(ANYTIME, floc_world_message, message_of(w))                                                                 \
  W(REFUSED, floc_world_set_gravity, floc_world_set_gravity(w, (const double[3]){1.0, 0.0, 0.0}))               \
  W(REFUSED, floc_world_set_time_step, floc_world_set_time_step(w, 0.5))                                        \
  F(floc_deform_options_init_sized) F(floc_cell_init_sized)                                                     \
  W(REFUSED, floc_world_deform, floc_world_deform(w, &given.deform))                                            \
  W(ANYTIME, floc_world_get_cell, floc_world_get_cell(w, SIZED(floc_cell)))                                     \
  W(REFUSED, floc_world_set_threads, floc_world_set_threads(w, 1))                                              \
  F(floc_thread_pool_init_sized)                                                                                \
  W(REFUSED, floc_world_set_thread_pool, floc_world_set_thread_pool(w, NULL))                                   \
  F(floc_ranks_init_sized)                                                                                      \
  W(REFUSED, floc_world_set_ranks, floc_world_set_ranks(w, NULL))                                               \
  W(REFUSED, floc_world_set_interrupt, floc_world_set_interrupt(w, NULL, NULL))                                 \
  W(REFUSED, floc_world_set_work_limit, floc_world_set_work_limit(w, 1e9))                                      \
  W(ANYTIME, floc_world_get_info, floc_world_get_info(w, SIZED(floc_world_info)))                               \
  W(READS, floc_world_check_feature, floc_world_check_feature(w, FLOC_FEATURE_GRAVITY))                         \
  W(REFUSED, floc_world_hash, floc_world_hash(w, &(uint64_t){0}))                                               \
  F(floc_particle_options_init_sized)                                                                           \
  W(REFUSED, floc_particle_add, floc_particle_add(w, &given.particle, INTEGER))                                 \
  F(floc_insertion_options_init_sized) F(floc_grain_shape_options_init_sized)                                    \
  W(REFUSED, floc_particles_insert, floc_particles_insert(w, &given.insertion, INTEGER))                        \
  W(REFUSED, floc_particles_remove, floc_particles_remove(w, (const int64_t[1]){1}, 1))                         \
  W(REFUSED, floc_particles_check, floc_particles_check(w, VALUE))                                              \
  W(READS, floc_column, floc_column(w, "x", &(double *){NULL}, INTEGER))                                        \
  W(REFUSED, floc_grain_shape_add, floc_grain_shape_add(w, &given.grain_shape, NULL, NULL))                       \
  W(REFUSED, floc_grain_corners, floc_grain_corners(w, &(const int64_t *){NULL}, &(const double *){NULL}, INTEGER)) \
  W(REFUSED, floc_grain_faces, floc_grain_faces(w, 0, &(int32_t){0}, &(int32_t){0}, &(const uint8_t *){NULL}, &(const uint8_t *){NULL})) \
  W(REFUSED, floc_attribute_add, floc_attribute_add(w, "more", 1.0))                                            \
  W(READS, floc_column_name, column_name_of(w))                                                                 \
  W(READS, floc_particle_ids, floc_particle_ids(w, NULL, NULL, INTEGER))                                        \
  W(READS, floc_particle_slot, floc_particle_slot(w, 1, INTEGER))                                               \
  F(floc_assembly_options_init_sized)                                                                           \
  W(REFUSED, floc_assembly_add, floc_assembly_add(w, (const int64_t[1]){1}, 1, &given.assembly, NUMBER))        \
  W(READS, floc_assembly_get_state, floc_assembly_get_state(w, 0, SIZED(floc_assembly_state)))                  \
  W(READS, floc_assembly_of, floc_assembly_of(w, 1, NUMBER))                                                    \
  F(floc_shape_init_sized) F(floc_body_options_init_sized)                                                      \
  W(REFUSED, floc_body_add, floc_body_add(w, &given.body, NUMBER))                                              \
  W(REFUSED, floc_body_add_shape, floc_body_add_shape(w, 0, &given.shape))                                      \
  W(REFUSED, floc_body_set_material, floc_body_set_material(w, 0, -1, 0))                                       \
  W(REFUSED, floc_shape_attribute_add, floc_shape_attribute_add(w, "more", 1.0))                                \
  W(READS, floc_shape_attribute_name, shape_attribute_name_of(w))                                               \
  W(READS, floc_shape_attribute_get, floc_shape_attribute_get(w, 0, 0, "wear", VALUE))                          \
  W(REFUSED, floc_shape_attribute_set, floc_shape_attribute_set(w, 0, -1, "wear", 1.0))                         \
  F(floc_contact_law_type_init_sized)                                                                           \
  W(REFUSED, floc_contact_law_add, floc_contact_law_add(w, &given.contact_law))                                 \
  F(floc_shape_type_init_sized)                                                                                 \
  W(REFUSED, floc_shape_type_add, floc_shape_type_add(w, &given.shape_type, NUMBER))                            \
  W(REFUSED, floc_shape_type_find, floc_shape_type_find(w, "plane", NUMBER))                                    \
  W(REFUSED, floc_body_get_drawing_sized, floc_body_get_drawing(w, 0, 0, NULL, 0, INTEGER))                     \
  F(floc_compound_init_sized)                                                                                   \
  W(REFUSED, floc_body_add_compound, floc_body_add_compound(w, 0, &given.compound))                             \
  F(floc_mesh_options_init_sized)                                                                               \
  W(REFUSED, floc_body_add_mesh, floc_body_add_mesh(w, 0, &given.mesh, NUMBER))                                 \
  W(READS, floc_body_get_state, floc_body_get_state(w, 0, SIZED(floc_body_state)))                              \
  W(READS, floc_shape_distance, floc_shape_distance(w, &given.shape, (const double[3]){0.0}, VALUE))            \
  W(READS, floc_body_get_shape, floc_body_get_shape(w, 0, 0, SIZED(floc_shape)))                                \
  W(REFUSED, floc_body_remove, floc_body_remove(w, 0))                                                          \
  W(REFUSED, floc_body_set_motion, floc_body_set_motion(w, 0, &given.body))                                     \
  F(floc_free_options_init_sized)                                                                               \
  W(REFUSED, floc_body_set_free, floc_body_set_free(w, 0, &given.free))                                         \
  F(floc_joint_options_init_sized) F(floc_joint_state_init_sized)                                               \
  W(REFUSED, floc_joint_add, floc_joint_add(w, &given.joint, NUMBER))                                           \
  W(REFUSED, floc_joint_remove, floc_joint_remove(w, 0))                                                        \
  W(REFUSED, floc_joint_set_motor, floc_joint_set_motor(w, 0, 0.0, 0.0))                                        \
  W(READS, floc_joint_get_state, floc_joint_get_state(w, 0, SIZED(floc_joint_state)))                           \
  F(floc_program_options_init_sized) F(floc_program_evaluate) F(floc_law_options_init_sized)                    \
  W(REFUSED, floc_pair_law_add, floc_pair_law_add(w, &given.pair, NUMBER))                                      \
  W(REFUSED, floc_angle_law_add, floc_angle_law_add(w, &given.angle, NUMBER))                                   \
  W(REFUSED, floc_field_add, floc_field_add(w, &given.field, NUMBER))                                           \
  W(REFUSED, floc_wall_law_add, floc_wall_law_add(w, &given.wall, NUMBER))                                      \
  W(REFUSED, floc_evolution_add, floc_evolution_add(w, &given.evolution, NUMBER))                               \
  W(REFUSED, floc_law_set_parameter, floc_law_set_parameter(w, FLOC_LAW_FIELD, 0, "a", 1.0))                    \
  W(READS, floc_law_get_parameter, floc_law_get_parameter(w, FLOC_LAW_FIELD, 0, "a", VALUE))                    \
  W(REFUSED, floc_law_set_program, floc_law_set_program(w, FLOC_LAW_FIELD, 0, &given.program))                  \
  W(READS, floc_law_get_energy, floc_law_get_energy(w, FLOC_LAW_FIELD, 0, VALUE))                               \
  W(REFUSED, floc_law_get_pairs,                                                                                \
    floc_law_get_pairs(w, FLOC_LAW_PAIR, 0, (const char *[1]){"normal"}, 1, NULL, 0, 0, INTEGER))               \
  W(REFUSED, floc_law_add_bonds,                                                                                \
    floc_law_add_bonds(w, FLOC_LAW_PAIR, 0, 1, (const int64_t[2]){1, 2}, NULL))                                 \
  W(REFUSED, floc_law_remove_bonds,                                                                             \
    floc_law_remove_bonds(w, FLOC_LAW_PAIR, 0, 1, (const int64_t[2]){1, 2}))                                    \
  W(REFUSED, floc_law_set_bonds, floc_law_set_bonds(w, FLOC_LAW_PAIR, 0, "a", VALUE, 1))                        \
  W(REFUSED, floc_law_get_bonds, floc_law_get_bonds(w, FLOC_LAW_PAIR, 0, NULL, 0, NULL, NULL, 0, INTEGER))      \
  W(READS, floc_law_text, floc_law_text(w, FLOC_LAW_FIELD, 7, NULL, 0, &(size_t){0}))                           \
  F(floc_attraction_options_init_sized)                                                                         \
  W(REFUSED, floc_attraction_add, floc_attraction_add(w, &given.attraction, NUMBER))                            \
  F(floc_long_range_options_init_sized)                                                                         \
  W(REFUSED, floc_long_range_add, floc_long_range_add(w, &given.long_range, NUMBER))                            \
  W(REFUSED, floc_world_set_a_priori, floc_world_set_a_priori(w, &given.a_priori))                              \
  F(floc_flow_options_init_sized)                                                                               \
  W(REFUSED, floc_world_set_flow, floc_world_set_flow(w, &given.flow))                                          \
  F(floc_noise_options_init_sized)                                                                              \
  W(REFUSED, floc_world_set_noise, floc_world_set_noise(w, &given.noise))                                      \
  F(floc_projection_options_init_sized)                                                                         \
  W(REFUSED, floc_world_set_projection, floc_world_set_projection(w, &given.projection))                        \
  F(floc_ballistic_options_init_sized)                                                                          \
  W(REFUSED, floc_world_set_ballistic, floc_world_set_ballistic(w, &given.ballistic))                           \
  W(REFUSED, floc_world_get_ballistic_report, floc_world_get_ballistic_report(w, SIZED(floc_ballistic_report))) \
  F(floc_event_driven_options_init_sized)                                                                       \
  W(REFUSED, floc_world_set_event_driven, floc_world_set_event_driven(w, &given.event_driven))                  \
  W(REFUSED, floc_world_get_event_driven_report,                                                                \
    floc_world_get_event_driven_report(w, SIZED(floc_event_driven_report)))                                     \
  F(floc_discrete_element_options_init_sized)                                                                   \
  W(REFUSED, floc_world_set_discrete_element, floc_world_set_discrete_element(w, &given.discrete_element))     \
  W(REFUSED, floc_world_get_discrete_element_report,                                                            \
    floc_world_get_discrete_element_report(w, SIZED(floc_discrete_element_report)))                             \
  W(REFUSED, floc_bond_add, floc_bond_add(w, 1, 2, 1.0))                                                        \
  W(REFUSED, floc_bond_remove, floc_bond_remove(w, 1, 2))                                                       \
  W(REFUSED, floc_world_get_bonds_sized, floc_world_get_bonds(w, NULL, 0, INTEGER))                             \
  F(floc_media_init_sized)                                                                                      \
  W(REFUSED, floc_world_set_media, floc_world_set_media(w, &given.media))                                      \
  F(floc_reflectance) F(floc_ray_source_options_init_sized)                                                     \
  W(REFUSED, floc_ray_source_add, floc_ray_source_add(w, &given.source, NUMBER))                               \
  W(READS, floc_world_get_ray_report, floc_world_get_ray_report(w, -1, SIZED(floc_ray_report)))                 \
  W(REFUSED, floc_world_get_rays, floc_world_get_rays(w, NULL, 0, INTEGER))                                     \
  F(floc_trace_result_init_sized)                                                                               \
  W(REFUSED, floc_trace_sized, floc_trace(w, &given.source, NULL, SIZED(floc_trace_result)))                    \
  W(REFUSED, floc_world_step, floc_world_step(w))                                                               \
  W(READS, floc_world_get_report, floc_world_get_report(w, SIZED(floc_step_report)))                            \
  F(floc_stage_name)                                                                                            \
  W(REFUSED, floc_world_get_contacts_sized, floc_world_get_contacts(w, NULL, 0, INTEGER))                       \
  W(REFUSED, floc_world_get_contact_columns,                                                                    \
    floc_world_get_contact_columns(w, (const char *[1]){"impulse"}, 1, NULL, 0, 0, INTEGER))                    \
  F(floc_pairs_options_init_sized)                                                                              \
  W(REFUSED, floc_world_get_pairs,                                                                              \
    floc_world_get_pairs(w, &given.pairs, (const char *[1]){"gap"}, 1, NULL, 0, 0, INTEGER))                    \
  F(floc_stress_options_init_sized) F(floc_stress_init_sized)                                                   \
  W(REFUSED, floc_measure_stress, floc_measure_stress(w, &given.stress, SIZED(floc_stress)))                    \
  F(floc_energy_ledger_init_sized)                                                                              \
  W(REFUSED, floc_world_get_energy_ledger, floc_world_get_energy_ledger(w, SIZED(floc_energy_ledger)))          \
  F(floc_coarse_grain_options_init_sized) F(floc_grid_init_sized)                                               \
  W(REFUSED, floc_measure_coarse_grain,                                                                         \
    floc_measure_coarse_grain(w, &given.coarse_grain, SIZED(floc_grid), NULL, 0))                               \
  F(floc_radial_options_init_sized) F(floc_structure_options_init_sized) F(floc_profile_options_init_sized)     \
  F(floc_force_distribution_options_init_sized)                                                                 \
  W(REFUSED, floc_measure_radial_distribution,                                                                  \
    floc_measure_radial_distribution(w, &given.radial, (double[100]){0.0}))                                     \
  W(REFUSED, floc_measure_structure_factor,                                                                     \
    floc_measure_structure_factor(w, &given.structure, (double[100]){0.0}, (double[100]){0.0}, (double[100]){0.0}))\
  W(REFUSED, floc_measure_profile,                                                                              \
    floc_measure_profile(w, &given.profile, "vx", NULL, (double[20]){0.0}, (double[20]){0.0}, NULL))            \
  W(REFUSED, floc_measure_force_distribution,                                                                   \
    floc_measure_force_distribution(w, &given.distribution, (double[50]){0.0}, NULL, NULL))                     \
  F(floc_bond_order_options_init_sized) F(floc_bond_order_init_sized)                                           \
  W(REFUSED, floc_measure_bond_order,                                                                           \
    floc_measure_bond_order(w, &given.bond_order, NULL, SIZED(floc_bond_order)))                                \
  F(floc_mixing_options_init_sized) F(floc_mixing_init_sized)                                                   \
  W(REFUSED, floc_measure_mixing, floc_measure_mixing(w, &given.mixing, "x", SIZED(floc_mixing)))               \
  W(REFUSED, floc_measure, floc_measure(w, "kinetic_energy", VALUE))                                            \
  W(REFUSED, floc_measure_moment, floc_measure_moment(w, "x", NULL, 0.0, 1, VALUE))                             \
  F(floc_measure_options_init_sized)                                                                            \
  W(REFUSED, floc_measure_add, floc_measure_add(w, &given.measure))                                             \
  W(REFUSED, floc_measure_added, floc_measure_added(w, 0, SIZED(floc_measure_options)))                         \
  F(floc_measure_name)                                                                                          \
  W(REFUSED, floc_clusters, floc_clusters(w, FLOC_CLUSTER_GAP, 0.1, NULL, SIZED(floc_cluster_summary)))         \
  F(floc_merge_options_init_sized) F(floc_merge_summary_init_sized)                                             \
  W(REFUSED, floc_world_find_merges, floc_world_find_merges(w, &given.merge, SIZED(floc_merge_summary)))        \
  W(REFUSED, floc_world_get_merges,                                                                             \
    floc_world_get_merges(w, (const char *[1]){"time"}, 1, NULL, 0, 0, INTEGER))                                \
  W(REFUSED, floc_bond_changes, floc_bond_changes(w, 0.1, INTEGER, INTEGER))                                    \
  F(floc_selection_init_sized)                                                                                  \
  W(REFUSED, floc_cluster_sizes, floc_cluster_sizes(w, FLOC_CLUSTER_GAP, 0.1, NULL, NULL, 0, INTEGER))          \
  W(REFUSED, floc_measure_gyration, floc_measure_gyration(w, &given.selection, SIZED(floc_gyration)))          \
  W(REFUSED, floc_measure_contact_number, floc_measure_contact_number(w, &given.selection, 2.0, VALUE))        \
  W(REFUSED, floc_measure_pair_distribution,                                                                    \
    floc_measure_pair_distribution(w, &given.selection, (const double[1]){1.0}, 1, VALUE))                     \
  W(REFUSED, floc_measure_greatest_distance, floc_measure_greatest_distance(w, &given.selection, VALUE))       \
  F(floc_fractal_options_init_sized)                                                                            \
  W(REFUSED, floc_measure_box_counting,                                                                         \
    floc_measure_box_counting(w, &given.selection, &given.fractal, SIZED(floc_scaling)))                      \
  W(REFUSED, floc_measure_mass_radius,                                                                          \
    floc_measure_mass_radius(w, &given.selection, &given.fractal, SIZED(floc_scaling)))                         \
  W(REFUSED, floc_measure_cluster_scaling,                                                                      \
    floc_measure_cluster_scaling(w, FLOC_CLUSTER_GAP, 0.1, 2, SIZED(floc_scaling)))                             \
  W(REFUSED, floc_problem_record, floc_problem_record(w, "/nowhere/problem.floc"))                              \
  F(floc_problem_options_init_sized) F(floc_problem_solve)                                                      \
  W(REFUSED, floc_attachment_set, floc_attachment_set(w, "note", "text", 4))                        \
  W(READS, floc_attachment_get, floc_attachment_get(w, "note", &(const void *){NULL}, &(size_t){0}))         \
  W(REFUSED, floc_world_set_checkpoint_compression,                                                             \
    floc_world_set_checkpoint_compression(w, FLOC_COMPRESSION_NONE))                                            \
  W(REFUSED, floc_world_save, floc_world_save(w, "/nowhere/world.floc", 1))                                     \
  W(REFUSED, floc_world_load, floc_world_load(w, "tests/golden/format-1.floc"))                                 \
  W(REFUSED, floc_world_load_file, floc_world_load_file(w, NULL))                                               \
  F(floc_file_open) F(floc_file_close) F(floc_file_section_count) F(floc_file_section) F(floc_file_read)        \
  F(floc_exp) F(floc_exp2) F(floc_expm1) F(floc_log) F(floc_log2) F(floc_log10) F(floc_log1p) F(floc_pow)       \
  F(floc_sinh) F(floc_cosh) F(floc_tanh) F(floc_sin) F(floc_cos) F(floc_tan) F(floc_asin) F(floc_acos)          \
  F(floc_atan) F(floc_atan2) F(floc_cbrt) F(floc_hypot) F(floc_fmod) F(floc_erf) F(floc_erfc) F(floc_sum)       \
  F(floc_file_hash) F(floc_file_compare) F(floc_random_uniform) F(floc_file_mathematics)                        \
  F(floc_file_open_newest) F(floc_file_path) F(floc_file_world) F(floc_new_file_create)                         \
  F(floc_new_file_descriptor) F(floc_new_file_name) F(floc_new_file_finish) F(floc_new_file_abandon)            \
  F(floc_lock_take) F(floc_lock_release) F(floc_checkpoint_may_replace)
/* clang-format on */

#define NO_CALL(name)
#define DEFINE_CALL(class, name, expression)                                                                       \
  static floc_status call_##name(floc_world *w)                                                                    \
  {                                                                                                                \
    return expression;                                                                                             \
  }
FUNCTIONS(NO_CALL, DEFINE_CALL)

typedef struct listed {
  const char *name;
  call_class class;
  floc_status (*call)(floc_world *world);
} listed;

/* clang-format off */
#define LIST_FREE(name)                    {#name, FREE, NULL},
#define LIST_CALL(class, name, expression) {#name, class, call_##name},
/* clang-format on */
static const listed functions[] = {FUNCTIONS(LIST_FREE, LIST_CALL)};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

#endif
