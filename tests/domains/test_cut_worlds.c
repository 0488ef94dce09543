/*
 * Worlds that are cut into patches (domains/patches.h), of some hundred particles each: the same bits at any number
 * of threads and through checkpoints, the same physics as in one patch, particles stored by patch.
 */
#include "support_world.h"

#include <stdio.h>
#include <stdlib.h>

enum { DISCS = 1600, STEPS = 24, GOLDEN_STEPS = 40 };
static const char path[] = "test_cut_worlds.floc";

typedef enum scene_kind { PILE, SOFT } scene_kind;

/* Discs fall into a box, close to each other from the start. */
static floc_world *make_scene(scene_kind kind, int64_t patch_particles, int32_t threads)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = kind == PILE ? 0.02 : 0.002;
  options.gravity[1] = -1.0;
  options.threads = threads;
  options.patch_particles = patch_particles;
  for (int axis = 0; axis < 2; axis++) {
    options.boundary[axis] = FLOC_BOUNDARY_WALL;
    options.domain_lower[axis] = axis ? 0.0 : -3.0;
    options.domain_upper[axis] = axis ? 14.0 : 5.0;
  }
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) fail_msg("%s", options.message);
  floc_discrete_element_options soft;
  floc_discrete_element_options_init(&soft);
  soft.stiffness = 1e4;
  soft.damping = 5.0;
  if (kind == SOFT) assert_world_ok(world, floc_world_set_discrete_element(world, &soft));
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = DISCS;
  insertion.radius_lower = 0.06;
  insertion.radius_upper = 0.08;
  insertion.velocity_spread = 0.3;
  insertion.region_lower[0] = -3.0;
  insertion.region_upper[0] = 5.0;
  insertion.region_upper[1] = 7.0;
  assert_world_ok(world, floc_particles_insert(world, &insertion, NULL));
  return world;
}

static void run(floc_world *world, int steps)
{
  for (int step = 0; step < steps; step++) assert_world_ok(world, floc_world_step(world));
}

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash;
  assert_world_ok(world, floc_world_hash(world, &hash));
  return hash;
}

static double measured(floc_world *world, const char *measure)
{
  double value;
  assert_world_ok(world, floc_measure(world, measure, &value));
  return value;
}

static void threads_have_the_same_bits(void **state)
{
  (void)state;
  static const int32_t threads[] = {2, 3, 8};
  for (scene_kind kind = PILE; kind <= SOFT; kind++) {
    floc_world *one = make_scene(kind, 100, 1);
    run(one, STEPS);
    for (int k = 0; k < 3; k++) {
      floc_world *other = make_scene(kind, 100, threads[k]);
      run(other, STEPS);
      assert_true(hash_of(other) == hash_of(one));
      floc_world_destroy(other);
    }
    floc_world_destroy(one);
  }
}

/* In the middle of a run, into a world that was made without the option: the file has it. */
static void resumed_runs_continue_bit_for_bit(void **state)
{
  (void)state;
  for (scene_kind kind = PILE; kind <= SOFT; kind++) {
    floc_world *whole = make_scene(kind, 100, 1), *resumed = make_scene(kind, 0, 2);
    run(whole, STEPS / 2);
    assert_world_ok(whole, floc_world_save(whole, path, 1));
    run(whole, STEPS / 2);
    assert_world_ok(resumed, floc_world_load(resumed, path));
    run(resumed, STEPS / 2);
    assert_true(hash_of(resumed) == hash_of(whole));
    floc_world_destroy(whole);
    floc_world_destroy(resumed);
  }
  remove(path);
}

/* A hash for each cut of the same pile: they change for a stated reason alone. */
static void cuts_have_golden_hashes(void **state)
{
  (void)state;
  static const struct {
    int64_t patch_particles;
    uint64_t hash;
  } golden[] = {
      {0, 0x73a0e1ba8a970f7e}, {50, 0x1ef3084ce5cd310c}, {100, 0xe3b6824def1757c2}, {400, 0xd48aa96c9f39a2b0}};
  double energy[4], height[4];
  int changed = 0;
  for (int k = 0; k < 4; k++) {
    floc_world *world = make_scene(PILE, golden[k].patch_particles, 2);
    run(world, GOLDEN_STEPS);
    energy[k] = measured(world, "kinetic_energy");
    height[k] = measured(world, "center_y");
    if (hash_of(world) != golden[k].hash && ++changed)
      print_message("patches of %d: 0x%016llx\n", (int)golden[k].patch_particles,
                    (unsigned long long)hash_of(world));
    assert_close(energy[k] / energy[0], 1.0, 2e-3);
    assert_close(height[k] / height[0], 1.0, 2e-4);
    floc_world_destroy(world);
  }
  assert_int_equal(changed, 0);
}

/* The file knows the patches: solved alone, the problem takes the products that it took in the step. */
static void recorded_problems_know_their_patches(void **state)
{
  (void)state;
  floc_world *world = make_scene(PILE, 100, 1);
  run(world, STEPS);
  assert_world_ok(world, floc_problem_record(world, path));
  run(world, 1);
  floc_step_report step;
  floc_step_report_init(&step);
  floc_world_get_report(world, &step);
  floc_problem_options options;
  floc_problem_options_init(&options);
  options.threads = 2;
  floc_problem_report alone;
  floc_problem_report_init(&alone);
  assert_int_equal(floc_problem_solve(path, &options, &alone), FLOC_OK);
  assert_int_equal(alone.iterations, step.iterations);
  assert_true(alone.residual == step.residual && alone.residual > 0.0);
  floc_world_destroy(world);
  remove(path);
}

/* Another order of storage is another order of sums in contacts: other last digits, the same run. */
static void another_cut_is_the_same_run(void **state)
{
  (void)state;
  for (scene_kind kind = PILE; kind <= SOFT; kind++) {
    floc_world *one = make_scene(kind, 0, 1), *cut = make_scene(kind, 100, 1);
    run(one, STEPS);
    run(cut, STEPS);
    assert_true(hash_of(one) != hash_of(cut));
    const double allowed = kind == PILE ? 2e-3 : 1e-9;
    assert_close(measured(cut, "kinetic_energy") / measured(one, "kinetic_energy"), 1.0, allowed);
    assert_close(measured(cut, "center_y") / measured(one, "center_y"), 1.0, 0.1 * allowed);
    floc_world_destroy(one);
    floc_world_destroy(cut);
  }
}

/* Neighbours in storage are neighbours in space: bricks hold 50 to 100 of 1600, so the box around each hundred in a
 * row is far smaller than that around all. */
static void storage_goes_by_patches(void **state)
{
  (void)state;
  floc_world *world = make_scene(SOFT, 100, 1);
  run(world, 2);
  double *x, *y, area = 0.0;
  int64_t count;
  assert_world_ok(world, floc_column(world, "x", &x, &count));
  assert_world_ok(world, floc_column(world, "y", &y, &count));
  for (int64_t first = 0; first + 100 <= count; first += 100) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = first; i < first + 100; i++) {
      low[0] = fmin(low[0], x[i]), high[0] = fmax(high[0], x[i]);
      low[1] = fmin(low[1], y[i]), high[1] = fmax(high[1], y[i]);
    }
    area += (high[0] - low[0]) * (high[1] - low[1]);
  }
  assert_true(area < 3.0 * 8.0 * 7.0); /* rows of all would be long and flat; in no order it is 16 times the area */
  floc_world_destroy(world);
}

static void values_out_of_range_are_refused(void **state)
{
  (void)state;
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 1.0;
  options.patch_particles = -1;
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(options.message, "patch_particles"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_have_the_same_bits),           cmocka_unit_test(resumed_runs_continue_bit_for_bit),
      cmocka_unit_test(another_cut_is_the_same_run),          cmocka_unit_test(cuts_have_golden_hashes),
      cmocka_unit_test(recorded_problems_know_their_patches), cmocka_unit_test(storage_goes_by_patches),
      cmocka_unit_test(values_out_of_range_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
