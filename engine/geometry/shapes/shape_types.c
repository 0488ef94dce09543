/*
 * The table of shape types. See shape_types.h.
 */
#include "geometry/shapes/shape_types.h"

#include "geometry/shapes/added.h"
#include "geometry/shapes/shape_type.h"

#include <stdio.h>

#define DECLARE(name) extern const shape_type shape_##name;
#define ENTRY(name)   &shape_##name,
SHAPE_TYPES(DECLARE)
const shape_type *const shape_types_by_kind[] = {NULL, SHAPE_TYPES(ENTRY)};

enum { BUILT_IN = sizeof shape_types_by_kind / sizeof *shape_types_by_kind };

const shape_type *shape_type_built_in(int32_t kind)
{
  return kind > 0 && kind < BUILT_IN ? shape_types_by_kind[kind] : NULL;
}

floc_status shape_refuse_kind(environment *env, int32_t kind)
{
  char list[MESSAGE_SIZE / 2];
  size_t used = 0;
  for (int32_t k = 1; k < BUILT_IN && used < sizeof list; k++) {
    const char *between = k == 1 ? "" : k + 1 == BUILT_IN ? " or " : ", ";
    used +=
        (size_t)snprintf(list + used, sizeof list - used, "%s%d (%s)", between, k, shape_types_by_kind[k]->name);
  }
  return refuse(env, FLOC_INVALID_ARGUMENT, "shape kind is %d; it must be %s%s", kind, list,
                kind < SHAPE_FIRST_ADDED ? "" : ", or one that floc_shape_type_add returned");
}
