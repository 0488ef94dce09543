/*
 * Structs that a host hands in, of whatever age: floc.h promises that a program which was compiled with an older or
 * a newer header works with this library.
 *
 * A struct only grows, at its end, and what is added means "as before" when it is 0. So an older host's struct is
 * read as its bytes with zeros behind them, and a newer host's as its first bytes, if the others are 0: what this
 * library does not know must not be dropped in silence. Neither is read or written behind its struct_size.
 *
 * FIRST_x is the size of a struct in the oldest header that is served: sizeof while it has not grown, then the
 * offset of the first field that was added (which may not lie in what was padding before; tests/abi holds it
 * against that header).
 */
#ifndef FLOC_BASE_STRUCTS_H
#define FLOC_BASE_STRUCTS_H

#include "base/environment.h"
#include "base/fields.h"

#include <string.h>

enum {
  FIRST_world_options = sizeof(floc_world_options),
  FIRST_world_info = sizeof(floc_world_info),
  FIRST_thread_pool = sizeof(floc_thread_pool),
  FIRST_particle_options = offsetof(floc_particle_options, allow_overlap),
  FIRST_insertion_options = sizeof(floc_insertion_options),
  FIRST_assembly_options = sizeof(floc_assembly_options),
  FIRST_assembly_state = sizeof(floc_assembly_state),
  FIRST_shape = offsetof(floc_shape, parameters),
  FIRST_shape_type = sizeof(floc_shape_type),
  FIRST_body_options = sizeof(floc_body_options),
  FIRST_compound = sizeof(floc_compound),
  FIRST_mesh_options = sizeof(floc_mesh_options),
  FIRST_body_state = sizeof(floc_body_state),
  FIRST_program_options = sizeof(floc_program_options),
  FIRST_law_options = sizeof(floc_law_options),
  FIRST_attraction_options = sizeof(floc_attraction_options),
  FIRST_flow_options = offsetof(floc_flow_options, law),
  FIRST_noise_options = sizeof(floc_noise_options),
  FIRST_projection_options = sizeof(floc_projection_options),
  FIRST_ballistic_options = sizeof(floc_ballistic_options),
  FIRST_ballistic_report = sizeof(floc_ballistic_report),
  FIRST_event_driven_options = sizeof(floc_event_driven_options),
  FIRST_event_driven_report = sizeof(floc_event_driven_report),
  FIRST_discrete_element_options = sizeof(floc_discrete_element_options),
  FIRST_discrete_element_report = offsetof(floc_discrete_element_report, critical_time_step),
  FIRST_bond = sizeof(floc_bond),
  FIRST_media = sizeof(floc_media),
  FIRST_ray_source_options = sizeof(floc_ray_source_options),
  FIRST_ray_segment = sizeof(floc_ray_segment),
  FIRST_ray_report = sizeof(floc_ray_report),
  FIRST_trace_result = offsetof(floc_trace_result, ray_report),
  FIRST_step_report = offsetof(floc_step_report, tolerance_rule),
  FIRST_contact = sizeof(floc_contact),
  FIRST_measure_options = sizeof(floc_measure_options),
  FIRST_cluster_summary = sizeof(floc_cluster_summary),
  FIRST_selection = sizeof(floc_selection),
  FIRST_gyration = sizeof(floc_gyration),
  FIRST_scaling = sizeof(floc_scaling),
  FIRST_fractal_options = sizeof(floc_fractal_options),
  FIRST_problem_options = sizeof(floc_problem_options),
  FIRST_problem_report = sizeof(floc_problem_report),
  FIRST_section_info = sizeof(floc_section_info),
  FIRST_section_difference = sizeof(floc_section_difference),
};

/* Whether that can be the size of the struct in some header. */
bool struct_size_fits(uint32_t size, uint32_t first, uint32_t own_size);

/* own: the struct of this library with its defaults. */
floc_status struct_init(void *target, uint32_t size, uint32_t first, const void *own, uint32_t own_size);

/* The host's struct as one of this library's. name: of the argument. */
floc_status struct_read(environment *env, const char *name, const void *given, uint32_t first, void *own,
                        uint32_t own_size);

/* A struct that a call fills: read when the call begins, written back to the host when it ends, however that is. */
typedef struct struct_result {
  void *target; /* the host's; NULL: it was refused */
  const void *own;
  uint32_t own_size;
} struct_result;
void struct_write_back(struct_result *result);

/* Element k of an array of the host's, whose elements have `size` bytes; those that this library does not know are
 * 0. */
void struct_put_element(void *array, int64_t k, size_t size, const void *own, size_t own_size);

/* The same for elements with a struct_size, which becomes `size`. */
void struct_put_sized(void *array, int64_t k, uint32_t size, const void *own, size_t own_size);

/* A function that floc.h no longer declares, but the library has. */
#define FOR_OLD_PROGRAMS __attribute__((visibility("default")))

static inline void struct_zero(void *target)
{
  (void)target;
}

/* Defines floc_TYPE_init_sized: the defaults that function puts into a struct full of zeros. */
#define STRUCT_INIT_SIZED(type, function)                                                                          \
  floc_status floc_##type##_init_sized(floc_##type *target, uint32_t size)                                         \
  {                                                                                                                \
    floc_##type own;                                                                                               \
    memset(&own, 0, sizeof own);                                                                                   \
    function(&own);                                                                                                \
    return struct_init(target, size, FIRST_##type, &own, sizeof own);                                              \
  }                                                                                                                \
  _Static_assert(sizeof(floc_##type) >= FIRST_##type, "structs only grow")

/* The same, and floc_TYPE_init, which programs of 0.1.0 call: it knows the struct as it was then, for ever. floc.h
 * has a macro of that name instead. */
#define STRUCT_INIT(type, function)                                                                                \
  STRUCT_INIT_SIZED(type, function);                                                                               \
  FOR_OLD_PROGRAMS floc_status(floc_##type##_init)(floc_##type * target);                                          \
  floc_status(floc_##type##_init)(floc_##type * target)                                                            \
  {                                                                                                                \
    return floc_##type##_init_sized(target, FIRST_##type);                                                         \
  }                                                                                                                \
  _Static_assert(FIRST_##type > 0, "")

/* The same for a struct that is declared with its defaults. */
#define STRUCT_INIT_DECLARED(type)                                                                                 \
  static void type##_defaults(floc_##type *own)                                                                    \
  {                                                                                                                \
    fields_defaults(&struct_##type, own);                                                                          \
  }                                                                                                                \
  STRUCT_INIT(type, type##_defaults)

/* Options from the host: from here on `options` is this library's own struct. */
#define READ_OPTIONS(env, type, options)                                                                           \
  floc_##type own_##options;                                                                                       \
  do {                                                                                                             \
    floc_status read_ = struct_read(env, #options, options, FIRST_##type, &own_##options, sizeof own_##options);   \
    if (read_ != FLOC_OK) return read_;                                                                            \
    (options) = &own_##options;                                                                                    \
  } while (0)

/* A struct to be filled: the same, and what is in it when the function returns goes back to the host. */
#define FILL_RESULT(env, type, result)                                                                             \
  floc_##type own_##result;                                                                                        \
  __attribute__((cleanup(struct_write_back))) struct_result back_##result = {0};                                   \
  do {                                                                                                             \
    floc_status read_ = struct_read(env, #result, result, FIRST_##type, &own_##result, sizeof own_##result);       \
    if (read_ != FLOC_OK) return read_;                                                                            \
    back_##result = (struct_result){result, &own_##result, sizeof own_##result};                                   \
    (result) = &own_##result;                                                                                      \
  } while (0)

#endif
