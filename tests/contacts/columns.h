/*
 * Contact problems of real packings, for tests of solvers: discs or spheres in a narrow box under gravity, after
 * some steps of settling, as the projection was about to solve them.
 */
#ifndef FLOC_TESTS_COLUMNS_H
#define FLOC_TESTS_COLUMNS_H

#include "contacts/problem/problem_file.h"
#include "files/checkpoint/checkpoint.h"
#include "files/file_layer.h"
#include "support_world.h"

#include <stdlib.h>
#include <unistd.h>

static const double COLUMN_RADIUS = 0.015; /* the smallest; the greatest is 0.025 */

typedef struct packing {
  environment env;
  checkpoint *file;
  contact_problem problem;
  recorded_problem recorded; /* with its guesses */
  const double *warm;        /* impulses of the step before */
} packing;

static inline void column_add_walls(floc_world *world, int32_t dimension, double width, double height)
{
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t body;
  assert_int_equal(floc_body_add(world, &fixed, &body), FLOC_OK);
  floc_compound walls;
  floc_compound_init(&walls);
  const double corner[] = {0, height, 0, 0, width, 0, width, height};
  if (dimension == 3) {
    walls.kind = FLOC_COMPOUND_BOX;
    walls.upper[0] = walls.upper[1] = width;
    walls.upper[2] = height;
    assert_int_equal(floc_body_add_compound(world, body, &walls), FLOC_OK);
    return;
  }
  walls.kind = FLOC_COMPOUND_POLYLINE;
  walls.point_count = 2;
  for (int k = 0; k < 6; k += 2) {
    walls.points = corner + k;
    assert_int_equal(floc_body_add_compound(world, body, &walls), FLOC_OK);
  }
}

/* width and height in diameters. */
static inline void column_create_with(int32_t dimension, double width, int64_t height, double time_step,
                                      int64_t steps, const floc_projection_options *projection, packing *it)
{
  const double diameter = 0.04, box = width * diameter;
  double top = (double)height * diameter * (dimension == 2 ? 1.9 : 2.6) + 10 * diameter;
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = time_step;
  options.dimension = dimension;
  options.gravity[dimension - 1] = -10;
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  assert_int_equal(floc_world_set_projection(world, projection), FLOC_OK);
  column_add_walls(world, dimension, box, 2 * top);
  floc_insertion_options inserted;
  floc_insertion_options_init(&inserted);
  double count = dimension == 2 ? width * (double)height / 0.92 : width * width * (double)height / 0.9;
  inserted.count = (int64_t)count;
  inserted.radius_lower = COLUMN_RADIUS;
  inserted.radius_upper = 0.025;
  inserted.region_upper[0] = box;
  inserted.region_upper[1] = dimension == 2 ? top : box;
  inserted.region_upper[2] = dimension == 2 ? 0 : top;
  assert_int_equal(floc_particles_insert(world, &inserted, NULL), FLOC_OK);
  for (int64_t k = 1; k < steps; k++) assert_int_equal(floc_world_step(world), FLOC_OK);
  char path[] = "/tmp/floc-column-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  unlink(path);
  assert_int_equal(floc_problem_record(world, path), FLOC_OK);
  assert_int_equal(floc_world_step(world), FLOC_OK);
  floc_world_destroy(world);
  it->env = test_environment(1);
  recorded_problem recorded;
  assert_ok(&it->env, checkpoint_open(&it->env, file_layer_system(), path, &it->file));
  assert_ok(&it->env, problem_from_sections(checkpoint_sections(it->file), NULL, &recorded));
  it->recorded = recorded;
  it->problem = recorded.problem;
  it->warm = recorded.impulse;
  unlink(path);
}

/* Without friction. */
static inline void column_create(int32_t dimension, double width, int64_t height, double time_step, int64_t steps,
                                 packing *it)
{
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.tolerance = 0.002 * COLUMN_RADIUS;
  column_create_with(dimension, width, height, time_step, steps, &projection, it);
}

static inline void column_free(packing *it)
{
  checkpoint_close(it->file);
}

#endif
