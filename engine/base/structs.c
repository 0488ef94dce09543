/*
 * See structs.h.
 */
#include "base/structs.h"

enum { UNKNOWN_LIMIT = 1024 }; /* bytes that a later version may have added: more than that is no struct_size */

/* Every such struct begins with struct_size. */
static uint32_t size_of(const void *given)
{
  uint32_t size;
  memcpy(&size, given, sizeof size);
  return size;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

bool struct_size_fits(uint32_t size, uint32_t first, uint32_t own_size)
{
  return size >= first && size <= own_size + UNKNOWN_LIMIT;
}

floc_status struct_init(void *target, uint32_t size, uint32_t first, const void *own, uint32_t own_size)
{
  if (!target || !struct_size_fits(size, first, own_size)) return FLOC_INVALID_ARGUMENT;
  memset(target, 0, size);
  memcpy(target, own, lesser(size, own_size));
  memcpy(target, &size, sizeof size);
  return FLOC_OK;
}

floc_status struct_read(environment *env, const char *name, const void *given, uint32_t first, void *own,
                        uint32_t own_size)
{
  if (!given) return refuse(env, FLOC_INVALID_ARGUMENT, "%s is NULL", name);
  uint32_t size = size_of(given);
  if (!struct_size_fits(size, first, own_size))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "%s.struct_size is %u; it must be %u or more: call the _init function first", name, size, first);
  for (uint32_t k = own_size; k < size; k++)
    if (((const unsigned char *)given)[k] != 0)
      return refuse(env, FLOC_INVALID_ARGUMENT,
                    "%s: the program was compiled with a newer floc.h and sets a field that this library lacks "
                    "(byte %u of %u)",
                    name, k, size);
  memset(own, 0, own_size);
  memcpy(own, given, lesser(size, own_size));
  memcpy(own, &own_size, sizeof own_size);
  return FLOC_OK;
}

void struct_write_back(struct_result *result)
{
  if (!result->target) return;
  uint32_t size = size_of(result->target);
  memcpy(result->target, result->own, lesser(size, result->own_size));
  memcpy(result->target, &size, sizeof size);
}

void struct_put_element(void *array, int64_t k, size_t size, const void *own, size_t own_size)
{
  unsigned char *element = (unsigned char *)array + (size_t)k * size;
  memcpy(element, own, own_size < size ? own_size : size);
  if (size > own_size) memset(element + own_size, 0, size - own_size);
}

void struct_put_sized(void *array, int64_t k, uint32_t size, const void *own, size_t own_size)
{
  struct_put_element(array, k, size, own, own_size);
  memcpy((unsigned char *)array + (size_t)k * size, &size, sizeof size);
}

/* ---- structs that calls fill ---- */
STRUCT_INIT_SIZED(world_info, struct_zero);
STRUCT_INIT_SIZED(cell, struct_zero);
STRUCT_INIT_SIZED(assembly_state, struct_zero);
STRUCT_INIT_SIZED(body_state, struct_zero);
STRUCT_INIT_SIZED(joint_state, struct_zero);
STRUCT_INIT_SIZED(ballistic_report, struct_zero);
STRUCT_INIT_SIZED(event_driven_report, struct_zero);
STRUCT_INIT_SIZED(discrete_element_report, struct_zero);
STRUCT_INIT_SIZED(ray_report, struct_zero);
STRUCT_INIT_SIZED(step_report, struct_zero);
STRUCT_INIT_SIZED(cluster_summary, struct_zero);
STRUCT_INIT_SIZED(merge_summary, struct_zero);
STRUCT_INIT_SIZED(gyration, struct_zero);
STRUCT_INIT_SIZED(stress, struct_zero);
STRUCT_INIT_SIZED(energy_ledger, struct_zero);
STRUCT_INIT_SIZED(grid, struct_zero);
STRUCT_INIT_SIZED(bond_order, struct_zero);
STRUCT_INIT_SIZED(mixing, struct_zero);
STRUCT_INIT_SIZED(scaling, struct_zero);
STRUCT_INIT_SIZED(problem_report, struct_zero);
STRUCT_INIT_SIZED(section_info, struct_zero);
STRUCT_INIT_SIZED(section_difference, struct_zero);

/* ---- structs that the host fills ---- */
STRUCT_INIT_DECLARED(world_options);
STRUCT_INIT_DECLARED(particle_options);
STRUCT_INIT_DECLARED(insertion_options);
STRUCT_INIT_DECLARED(grain_shape_options);
STRUCT_INIT_DECLARED(assembly_options);
STRUCT_INIT_DECLARED(shape);
STRUCT_INIT_DECLARED(body_options);
STRUCT_INIT_DECLARED(free_options);
STRUCT_INIT_DECLARED(joint_options);
STRUCT_INIT_DECLARED(compound);
STRUCT_INIT_DECLARED(mesh_options);
STRUCT_INIT_DECLARED(projection_options);
STRUCT_INIT_DECLARED(ballistic_options);
STRUCT_INIT_DECLARED(event_driven_options);
STRUCT_INIT_DECLARED(discrete_element_options);
STRUCT_INIT_DECLARED(program_options);
STRUCT_INIT_DECLARED(law_options);
STRUCT_INIT_DECLARED(attraction_options);
STRUCT_INIT_DECLARED(long_range_options);
STRUCT_INIT_DECLARED(noise_options);
STRUCT_INIT_DECLARED(media);
STRUCT_INIT_DECLARED(ray_source_options);
STRUCT_INIT_DECLARED(selection);
STRUCT_INIT_DECLARED(fractal_options);
STRUCT_INIT_DECLARED(pairs_options);
STRUCT_INIT_DECLARED(merge_options);
STRUCT_INIT_DECLARED(deform_options);
STRUCT_INIT_DECLARED(stress_options);
STRUCT_INIT_DECLARED(coarse_grain_options);
STRUCT_INIT_DECLARED(radial_options);
STRUCT_INIT_DECLARED(structure_options);
STRUCT_INIT_DECLARED(profile_options);
STRUCT_INIT_DECLARED(force_distribution_options);
STRUCT_INIT_DECLARED(bond_order_options);
STRUCT_INIT_DECLARED(mixing_options);
STRUCT_INIT_DECLARED(problem_options);
STRUCT_INIT(trace_result, struct_zero);

/* The size of the law within it is that of 0.1.0. */
static void flow_options_defaults(floc_flow_options *options)
{
  fields_defaults(&struct_flow_options, options);
  options->function.struct_size = sizeof options->function;
}
STRUCT_INIT(flow_options, flow_options_defaults);
