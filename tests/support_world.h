/*
 * For tests through the public surface: worlds with short set-ups.
 */
#ifndef FLOC_TESTS_SUPPORT_WORLD_H
#define FLOC_TESTS_SUPPORT_WORLD_H

#include "support.h"

#include <math.h>
#include <string.h>

#define assert_world_ok(world, call)                                                                               \
  do {                                                                                                             \
    floc_status status_ = (call);                                                                                  \
    if (status_ != FLOC_OK) fail_msg("%s: %s: %s", #call, floc_status_name(status_), floc_world_message(world));   \
  } while (0)

static inline floc_world *make_world(int32_t dimension, double time_step, double gravity_y, int32_t threads)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = dimension;
  options.time_step = time_step;
  options.gravity[1] = gravity_y;
  options.threads = threads;
  floc_world *world = NULL;
  floc_status status = floc_world_create(&options, &world);
  if (status != FLOC_OK) fail_msg("floc_world_create: %s", options.message);
  return world;
}

static inline int64_t add_particle(floc_world *world, double x, double y, double vx, double vy, double radius)
{
  floc_particle_options options;
  floc_particle_options_init(&options);
  options.position[0] = x;
  options.position[1] = y;
  options.velocity[0] = vx;
  options.velocity[1] = vy;
  options.radius = radius;
  options.allow_overlap = true;
  int64_t id = 0;
  assert_world_ok(world, floc_particle_add(world, &options, &id));
  return id;
}

static inline int32_t add_segment(floc_world *world, const floc_body_options *motion, double x0, double y0,
                                  double x1, double y1)
{
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t number = -1;
  assert_world_ok(world, floc_body_add(world, motion ? motion : &fixed, &number));
  floc_shape segment;
  floc_shape_init(&segment);
  segment.kind = FLOC_SHAPE_SEGMENT;
  segment.points[0][0] = x0;
  segment.points[0][1] = y0;
  segment.points[1][0] = x1;
  segment.points[1][1] = y1;
  assert_world_ok(world, floc_body_add_shape(world, number, &segment));
  return number;
}

static inline void insert_box(floc_world *world, int64_t count, double x0, double y0, double x1, double y1,
                              double r0, double r1)
{
  floc_insertion_options options;
  floc_insertion_options_init(&options);
  options.count = count;
  options.region_lower[0] = x0;
  options.region_lower[1] = y0;
  options.region_upper[0] = x1;
  options.region_upper[1] = y1;
  options.radius_lower = r0;
  options.radius_upper = r1;
  int64_t first;
  assert_world_ok(world, floc_particles_insert(world, &options, &first));
}

static inline double column_value(floc_world *world, const char *name, int64_t id)
{
  double *values;
  int64_t count;
  const int64_t *slots;
  assert_world_ok(world, floc_column(world, name, &values, &count));
  assert_world_ok(world, floc_particle_ids(world, NULL, &slots, &count));
  return values[slots[id - 1]];
}

static inline void run_steps(floc_world *world, int steps)
{
  for (int k = 0; k < steps; k++) assert_world_ok(world, floc_world_step(world));
}

static inline floc_step_report step_report(floc_world *world)
{
  floc_step_report report = {.struct_size = sizeof report};
  assert_world_ok(world, floc_world_get_report(world, &report));
  return report;
}

static inline uint64_t world_hash(floc_world *world)
{
  uint64_t hash = 0;
  assert_world_ok(world, floc_world_hash(world, &hash));
  return hash;
}

#endif
