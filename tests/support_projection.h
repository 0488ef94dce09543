/*
 * What tests of projections with friction, moments and assemblies share: floors, balls, columns that are written,
 * and the comparison of runs on other numbers of threads and after a resume.
 */
#ifndef FLOC_TESTS_SUPPORT_PROJECTION_H
#define FLOC_TESTS_SUPPORT_PROJECTION_H

#include "support_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void set_projection(floc_world *world, floc_projection_options options)
{
  assert_world_ok(world, floc_world_set_projection(world, &options));
}

/* A plane through the origin, which moves as `motion` says. */
static inline void add_plane(floc_world *world, const floc_body_options *motion, double nx, double ny)
{
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t number;
  assert_world_ok(world, floc_body_add(world, motion ? motion : &fixed, &number));
  floc_shape plane;
  floc_shape_init(&plane);
  plane.kind = FLOC_SHAPE_PLANE;
  plane.points[1][0] = nx;
  plane.points[1][1] = ny;
  assert_world_ok(world, floc_body_add_shape(world, number, &plane));
}

static inline int64_t add_ball(floc_world *world, double x, double y, double z, double radius, double mass)
{
  floc_particle_options options;
  floc_particle_options_init(&options);
  options.position[0] = x;
  options.position[1] = y;
  options.position[2] = z;
  options.radius = radius;
  options.mass = mass;
  options.allow_overlap = true;
  int64_t id;
  assert_world_ok(world, floc_particle_add(world, &options, &id));
  return id;
}

/* In the plane x, y and the angle; in space everything. */
static inline floc_free_options free_along_all(floc_world *world, double mass)
{
  floc_free_options options;
  floc_free_options_init(&options);
  floc_world_info info = {.struct_size = sizeof info};
  floc_world_get_info(world, &info);
  options.axes = info.dimension == 2 ? 35 : 63;
  options.mass = mass;
  return options;
}

/* 60 balls on a plane, which fall together; variants 0 to 2 in the plane, 3 to 5 in space: with friction, gluey,
 * with restitution. */
static inline floc_world *make_falling_balls(int variant, int32_t threads)
{
  const int32_t dimension = variant < 3 ? 2 : 3;
  floc_world *world = make_world(dimension, 2e-3, -10, threads);
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = variant % 3 == 0 ? 0.4 : 0.0;
  options.contact_law = variant % 3 == 1 ? FLOC_CONTACT_GLUEY : FLOC_CONTACT_INELASTIC;
  options.gamma_min = -0.5;
  options.restitution = variant % 3 == 2 ? 0.5 : 0.0;
  set_projection(world, options);
  add_plane(world, NULL, 0, 1);
  for (int k = 0; k < 60; k++)
    add_ball(world, 0.25 * (k % 10) - 1.2 + 0.01 * (k / 10), 0.12 + 0.23 * (k / 10),
             dimension == 3 ? 0.02 * (k % 3) : 0, 0.11, 0.3);
  return world;
}

static inline void set_column_value(floc_world *world, const char *name, int64_t id, double value)
{
  double *values;
  int64_t count;
  const int64_t *slots;
  assert_world_ok(world, floc_column(world, name, &values, &count));
  assert_world_ok(world, floc_particle_ids(world, NULL, &slots, &count));
  values[slots[id - 1]] = value;
}

static inline double measured(floc_world *world, const char *name)
{
  double value = NAN;
  assert_world_ok(world, floc_measure(world, name, &value));
  return value;
}

/* Runs of each variant on 1, 2 and 4 threads have the same hash, that on 2 from a checkpoint of the first. */
static inline void assert_same_bits(floc_world *(*make)(int variant, int32_t threads), int variants, int before,
                                    int after)
{
  char path[] = "/tmp/floc-test-XXXXXX";
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  close(handle);
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  for (int variant = 0; variant < variants; variant++) {
    uint64_t reference = 0;
    for (int32_t threads = 1; threads <= 4; threads *= 2) {
      floc_world *world = make(variant, threads);
      if (threads == 2)
        assert_world_ok(world, floc_world_load(world, path));
      else
        run_steps(world, before);
      if (threads == 1) assert_world_ok(world, floc_world_save(world, path, 1));
      run_steps(world, after);
      if (threads == 1) reference = world_hash(world);
      if (world_hash(world) != reference) fail_msg("variant %d differs on %d threads", variant, threads);
      assert_int_equal(step_report(world).unconverged_steps, 0);
      floc_world_destroy(world);
    }
  }
  remove(path);
}

#endif
