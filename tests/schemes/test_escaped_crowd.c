/*
 * Maury's aggregation, with lists that a few escaped particles do not break (neighbors/escaped.c): bits depend
 * neither on threads nor on restarts, wherever they happen in the life of a list.
 */
#include "support_world.h"

#include "neighbors/internal.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PARTICLES = 3000, BEFORE = 40, STEPS = 14 };

static floc_world *make_crowd(int32_t threads)
{
  const double radius = 0.01;
  floc_world *world = make_world(2, 0.02, 0.0, threads);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.tolerance = 1e-4 * radius;
  assert_world_ok(world, floc_world_set_projection(world, &projection));
  floc_attraction_options attraction;
  floc_attraction_options_init(&attraction);
  attraction.kappa = attraction.epsilon = 3e-3;
  assert_world_ok(world, floc_attraction_add(world, &attraction, NULL));
  floc_flow_options flow;
  floc_flow_options_init(&flow);
  flow.kind = FLOC_FLOW_OSCILLATING_SHEAR;
  flow.frequency = 3.14159265358979323846;
  flow.relaxation_time = 0.2;
  assert_world_ok(world, floc_world_set_flow(world, &flow));
  insert_box(world, PARTICLES, -0.87, -0.87, 0.87, 0.87, 0.85 * radius, 1.15 * radius);
  return world;
}

/* Somebody's reach was longer than the list's cover when it was looked at last, and yet it was kept. */
static bool is_kept_with_escaped(const floc_world *world)
{
  const neighbors *near = world->near;
  return near->skin.age > 1 && near->escaped[0] >= 0 && near->grid_stands;
}

static void bits_depend_on_nothing_else(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-test-XXXXXX";
  assert_true(mkstemp(path) >= 0);
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  floc_world *world = make_crowd(1), *other = make_crowd(3);
  run_steps(world, BEFORE);
  run_steps(other, BEFORE);
  assert_true(world_hash(world) == world_hash(other));
  int kept = 0;
  for (int k = 0; k < STEPS; k++) {
    run_steps(world, 1);
    kept += is_kept_with_escaped(world);
    /* the other one is rebuilt at every step */
    assert_world_ok(other, floc_world_save(other, path, 1));
    floc_world_destroy(other);
    other = make_crowd(1 + k % 3);
    assert_world_ok(other, floc_world_load(other, path));
    run_steps(other, 1);
    if (world_hash(world) != world_hash(other)) fail_msg("other bits %d steps after the first restart", k + 1);
    assert_int_equal(world->near->skin.age, other->near->skin.age);
    assert_int_equal(neighbors_pairs(world->near)->count, neighbors_pairs(other->near)->count);
  }
  assert_true(kept >= 2);
  floc_world_destroy(world);
  floc_world_destroy(other);
  remove(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(bits_depend_on_nothing_else)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
