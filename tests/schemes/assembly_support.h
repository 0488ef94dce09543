/*
 * What tests of rigid assemblies share: particles joined into bodies.
 */
#ifndef FLOC_TESTS_ASSEMBLY_SUPPORT_H
#define FLOC_TESTS_ASSEMBLY_SUPPORT_H

#include "support_projection.h"

static inline floc_assembly_options defaults(void)
{
  floc_assembly_options options;
  assert_int_equal(floc_assembly_options_init(&options), FLOC_OK);
  return options;
}

/* Particles first .. last as one body. */
static inline int32_t join(floc_world *world, int64_t first, int64_t last, const floc_assembly_options *options)
{
  int64_t ids[256];
  floc_assembly_options usual = defaults();
  for (int64_t id = first; id <= last; id++) ids[id - first] = id;
  int32_t number = -1;
  assert_world_ok(world, floc_assembly_add(world, ids, last - first + 1, options ? options : &usual, &number));
  return number;
}

static inline floc_assembly_state state_of(floc_world *world, int32_t number)
{
  floc_assembly_state found = {.struct_size = sizeof found};
  assert_world_ok(world, floc_assembly_get_state(world, number, &found));
  return found;
}

#endif
