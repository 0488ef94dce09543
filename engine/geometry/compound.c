#include "geometry/shape.h"
floc_status compound_shapes(environment *env, const floc_compound *compound, int32_t dimension, floc_shape *shapes,
                            int32_t capacity, int32_t *count)
{
  (void)compound;
  (void)dimension;
  (void)shapes;
  (void)capacity;
  (void)count;
  return refuse(env, FLOC_NOT_SUPPORTED, "compounds are not there yet");
}
