/*
 * Crowds that go many radii in a step: lists and memory stay small, no particle gets through, and bits depend
 * neither on threads nor on a restart.
 */
#include "support_world.h"

#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct counted_bytes {
  int64_t now, greatest;
  int64_t calls, refused; /* the call that fails; 0: none */
} counted_bytes;

static void *counted_allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  counted_bytes *bytes = context;
  if (new_size > 0 && ++bytes->calls == bytes->refused) return NULL;
  bytes->now += (int64_t)new_size - (pointer ? (int64_t)old_size : 0);
  if (bytes->now > bytes->greatest) bytes->greatest = bytes->now;
  return default_allocate(NULL, pointer, old_size, new_size);
}

static void add_wall_rows(floc_world *world, int dimension, long count, double from, double velocity)
{
  const double radius = 0.02, width = 2.0;
  int along = dimension == 2 ? 1 : 24;
  long row = (long)(dimension == 2 ? width / (2.1 * radius) : 24);
  for (long k = 0; k < count; k++) {
    floc_particle_options options;
    floc_particle_options_init(&options);
    long level = k / (row * along), place = k % (row * along);
    options.position[0] = (double)(place % row) * 2.1 * radius + (level % 2 ? 1.5 : 1.05) * radius;
    options.position[1] = from + radius + (double)level * 2.1 * radius;
    options.position[2] = (double)(place / row) * 2.1 * radius + (level % 2 ? 1.5 : 1.05) * radius;
    options.velocity[1] = velocity;
    options.radius = radius * (0.9 + 0.1 * (double)(k * 7919 % 101) / 101.0);
    int64_t id;
    assert_world_ok(world, floc_particle_add(world, &options, &id));
  }
}

/* A heap at rest in a box, and as many again that fall on it at 20: 17 radii in a step of 1/60. */
static floc_world *make_fall(int dimension, long half, int threads, counted_bytes *bytes)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = dimension;
  options.time_step = 1.0 / 60.0;
  options.gravity[1] = -10.0;
  options.threads = threads;
  options.allocate = bytes ? counted_allocate : NULL;
  options.allocate_context = bytes;
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.tolerance = 0.05 * 0.018;
  projection.max_iterations = 20000;
  assert_world_ok(world, floc_world_set_projection(world, &projection));
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t box;
  assert_world_ok(world, floc_body_add(world, &fixed, &box));
  double width = dimension == 2 ? 2.0 : 1.05;
  for (int side = 0; side < 2 * dimension; side++) {
    if (side == 2 * 1 + 1) continue; /* open above */
    floc_shape plane;
    floc_shape_init(&plane);
    plane.kind = FLOC_SHAPE_PLANE;
    plane.points[1][side / 2] = side % 2 ? -1.0 : 1.0;
    plane.points[0][side / 2] = side % 2 ? width : 0.0;
    assert_world_ok(world, floc_body_add_shape(world, box, &plane));
  }
  add_wall_rows(world, dimension, half, 0.0, 0.0);
  add_wall_rows(world, dimension, half, dimension == 2 ? 2.0 : 0.8, -20.0);
  return world;
}

static void check_fall(int dimension, long half, int steps)
{
  uint64_t hash[2];
  for (int threads = 1; threads <= 2; threads++) {
    counted_bytes bytes = {0};
    floc_world *world = make_fall(dimension, half, threads, &bytes);
    int64_t longest = 0;
    for (int k = 0; k < steps; k++) {
      run_steps(world, 1);
      int64_t pairs = neighbors_pairs(world->near)->count;
      longest = pairs > longest ? pairs : longest;
      assert_true(step_report(world).overlap < 0.15);
    }
    double deepest, energy, speed;
    assert_world_ok(world, floc_measure(world, "greatest_overlap", &deepest));
    assert_world_ok(world, floc_measure(world, "kinetic_energy", &energy));
    assert_world_ok(world, floc_measure(world, "greatest_speed", &speed));
    assert_true(deepest < 0.15);
    assert_true(speed < 5.0); /* they have arrived */
    if (longest > 25 * 2 * half || bytes.greatest > (dimension == 2 ? 16000 : 30000) * half)
      fail_msg("%lld pairs and %lld bytes for %ld particles", (long long)longest, (long long)bytes.greatest,
               2 * half);
    hash[threads - 1] = world_hash(world);
    floc_world_destroy(world);
    assert_int_equal(bytes.now, 0);
  }
  assert_true(hash[0] == hash[1]);
}

static void a_crowd_that_falls_on_a_heap_makes_no_long_lists(void **state)
{
  (void)state;
  check_fall(2, 1000, 10);
}

static void nor_in_three_dimensions(void **state)
{
  (void)state;
  check_fall(3, 1200, 7);
}

/* A few that are a thousand radii fast do not change that. */
static void a_few_bullets_change_nothing(void **state)
{
  (void)state;
  counted_bytes bytes = {0};
  floc_world *world = make_fall(2, 2000, 1, &bytes);
  for (int k = 0; k < 3; k++) add_particle(world, 40.0 + 10.0 * k, 0.3 + 0.4 * k, -1200.0, 0.0, 0.02);
  for (int k = 0; k < 3; k++) {
    run_steps(world, 1);
    assert_true(neighbors_pairs(world->near)->count < 25 * 4000);
  }
  assert_true(bytes.greatest < 16000 * 2000);
  floc_world_destroy(world);
}

static void a_restart_in_flight_changes_no_bit(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-test-XXXXXX";
  int handle = mkstemp(path);
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  assert_true(handle >= 0);
  floc_world *world = make_fall(2, 600, 1, NULL);
  run_steps(world, 3);
  assert_world_ok(world, floc_world_save(world, path, 1));
  run_steps(world, 5);
  uint64_t reference = world_hash(world);
  floc_world_destroy(world);
  world = make_fall(2, 600, 2, NULL);
  assert_world_ok(world, floc_world_load(world, path));
  run_steps(world, 5);
  assert_true(world_hash(world) == reference);
  floc_world_destroy(world);
  remove(path);
}

/* A step that gets no memory moves no particle, whichever request it is, and can be taken again. */
static void refused_memory_moves_nobody(void **state)
{
  (void)state;
  counted_bytes bytes = {0};
  floc_world *world = make_fall(2, 150, 1, NULL);
  run_steps(world, 3);
  uint64_t reference = world_hash(world);
  double before, after;
  floc_world_destroy(world);
  world = make_fall(2, 150, 1, &bytes);
  int64_t refusals = 0;
  for (int step = 0; step < 3; step++) {
    assert_world_ok(world, floc_measure(world, "center_y", &before));
    floc_status status = FLOC_OUT_OF_MEMORY;
    for (int64_t n = 1; status != FLOC_OK; n++) {
      bytes.calls = 0;
      bytes.refused = n;
      status = floc_world_step(world);
      bytes.refused = 0;
      assert_true(status == FLOC_OK || status == FLOC_OUT_OF_MEMORY);
      if (status == FLOC_OK) break;
      refusals++;
      assert_world_ok(world, floc_measure(world, "center_y", &after));
      assert_true(after == before);
    }
  }
  assert_true(refusals > 0);
  assert_true(world_hash(world) == reference);
  floc_world_destroy(world);
  assert_int_equal(bytes.now, 0);
}

/* Two columns of discs that fly towards each other at 30 radii a step stop each other; no pair is omitted. */
static void nobody_gets_through(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  for (int side = -1; side <= 1; side += 2)
    for (int k = 0; k < 400; k++)
      add_particle(world, side * (0.5 + 0.021 * (k / 20)), 0.021 * (k % 20), -side * 30.0, 0.0, 0.01);
  for (int k = 0; k < 4; k++) {
    run_steps(world, 1);
    double deepest;
    assert_world_ok(world, floc_measure(world, "greatest_overlap", &deepest));
    assert_true(deepest < 1e-2);
  }
  double *x, *vx, momentum = 0.0;
  int64_t count;
  const int64_t *slot;
  assert_world_ok(world, floc_column(world, "x", &x, &count));
  assert_world_ok(world, floc_column(world, "vx", &vx, &count));
  assert_world_ok(world, floc_particle_ids(world, NULL, &slot, &count));
  for (int id = 1; id <= 400; id++) assert_true(x[slot[id - 1]] < x[slot[id + 399]]);
  for (int64_t i = 0; i < count; i++) momentum += vx[i];
  assert_close(momentum / 800, 0.0, 1e-6);
  floc_world_destroy(world);
}

/* Discs of radius 1 that pass each other two by two with 3 between their lines, 8 nearer to each other in a step:
 * D + h G.V = 3 - 6.4 < 0, but the gap along their paths is never below 1. Others meet head on. */
enum { PASSING = 100, MEETING = 10 };

static floc_world *make_passing(double time_step, int32_t threads)
{
  floc_world *world = make_world(2, time_step, 0.0, threads);
  for (int k = 0; k < PASSING + MEETING; k++) {
    double y = 100.0 * k, beside = k < PASSING ? 3.0 : 0.0;
    add_particle(world, 0.0, y, 4.0, 0.0, 1.0);
    add_particle(world, 4.0, y + beside, -4.0, 0.0, 1.0);
  }
  return world;
}

static floc_step_report report_of(floc_world *world)
{
  floc_step_report report = {.struct_size = sizeof report};
  assert_int_equal(floc_world_get_report(world, &report), FLOC_OK);
  return report;
}

static void pairs_that_pass_are_left_out_and_counted(void **state)
{
  (void)state;
  const char *path = "test_fast_crowd_left_out.floc";
  for (int32_t threads = 1; threads <= 2; threads++) {
    floc_world *world = make_passing(1.0, threads), *fine = make_passing(0.1, threads);
    assert_world_ok(world, floc_world_step(world));
    assert_int_equal(report_of(world).pairs_left_out, PASSING);
    assert_int_equal(report_of(world).total_left_out, PASSING);
    assert_true(report_of(world).converged);
    for (int k = 0; k < 10; k++) assert_world_ok(fine, floc_world_step(fine));
    assert_int_equal(report_of(fine).total_left_out, 0); /* no particle moves by a radius in a step */
    for (int64_t id = 1; id <= 2 * (PASSING + MEETING); id++) {
      /* to the tolerance, 1e-4 of a radius, where discs have met */
      assert_close(column_value(world, "x", id), column_value(fine, "x", id), id <= 2 * PASSING ? 1e-12 : 1e-3);
      if (id <= 2 * PASSING) assert_close(column_value(world, "vy", id), 0.0, 0.0);
    }
    assert_close(column_value(world, "x", 2 * PASSING + 2) - column_value(world, "x", 2 * PASSING + 1), 2.0, 1e-3);
    assert_world_ok(world, floc_world_step(world)); /* apart from now on */
    assert_int_equal(report_of(world).pairs_left_out, 0);
    assert_int_equal(report_of(world).total_left_out, PASSING);
    assert_world_ok(world, floc_world_save(world, path, 1));
    floc_world *again = make_passing(1.0, threads);
    assert_world_ok(again, floc_world_load(again, path));
    assert_int_equal(report_of(again).total_left_out, PASSING);
    remove(path);
    floc_world_destroy(again);
    floc_world_destroy(fine);
    floc_world_destroy(world);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_crowd_that_falls_on_a_heap_makes_no_long_lists),
      cmocka_unit_test(nor_in_three_dimensions),
      cmocka_unit_test(a_few_bullets_change_nothing),
      cmocka_unit_test(a_restart_in_flight_changes_no_bit),
      cmocka_unit_test(refused_memory_moves_nobody),
      cmocka_unit_test(nobody_gets_through),
      cmocka_unit_test(pairs_that_pass_are_left_out_and_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
