/*
 * A world whose memory runs out at the n-th request, and what must hold then: a call reports it, and once there is
 * memory again the world continues, and gives everything back at its end.
 */
#ifndef FLOC_TESTS_FAILING_WORLD_H
#define FLOC_TESTS_FAILING_WORLD_H

#include "failing_allocator.h"
#include "support_world.h"

static inline floc_world *make_failing_world(failing_allocator *counter)
{
  failing_environment(counter, 0);
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 1e-3;
  options.threads = 1;
  options.gravity[1] = -10.0;
  options.allocate = failing_allocate;
  options.allocate_context = counter;
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  return world;
}

/* Ends the world after calls that gave `status`, the first that failed; whether no request was refused any more. */
static inline bool failing_world_ended(floc_world *world, failing_allocator *counter, floc_status status)
{
  const bool finished = counter->calls < counter->refused;
  if (!finished) assert_int_equal(status, FLOC_OUT_OF_MEMORY);
  counter->refused = 0;
  assert_world_ok(world, floc_world_step(world));
  floc_world_destroy(world);
  assert_int_equal(counter->bytes, 0);
  return finished;
}

#endif
