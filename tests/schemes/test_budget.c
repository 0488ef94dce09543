/*
 * Steps of the projection with a budget of sweeps: what they leave is said (overlap, energy_fall), free fall is
 * never the answer, and bits depend neither on threads nor on a checkpoint between.
 */
#include "support_projection.h"

#include <math.h>

static floc_projection_options with_budget(double friction, int32_t budget)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = friction;
  options.budget = budget;
  return options;
}

/* Balls in a hollow ball, some layers high, at rest, warm impulses forgotten. */
static floc_world *make_drum(int64_t count)
{
  floc_world *world = make_world(3, 5e-3, -10.0, 1);
  floc_projection_options rough = with_budget(0.5, 0);
  rough.tolerance = 1e-4;
  rough.warm_start = false;
  set_projection(world, rough);
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t number;
  assert_world_ok(world, floc_body_add(world, &fixed, &number));
  floc_shape hollow;
  floc_shape_init(&hollow);
  hollow.kind = FLOC_SHAPE_HOLLOW;
  hollow.radius = 1.0;
  assert_world_ok(world, floc_body_add_shape(world, number, &hollow));
  floc_insertion_options balls;
  floc_insertion_options_init(&balls);
  balls.count = count;
  balls.radius_lower = 0.038;
  balls.radius_upper = 0.042;
  for (int axis = 0; axis < 3; axis++) {
    balls.region_lower[axis] = -0.55;
    balls.region_upper[axis] = 0.55;
  }
  assert_world_ok(world, floc_particles_insert(world, &balls, NULL));
  run_steps(world, 150);
  return world;
}

static void stop(floc_world *world)
{
  static const char *const names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  for (int k = 0; k < 6; k++) {
    double *column;
    int64_t count;
    assert_world_ok(world, floc_column(world, names[k], &column, &count));
    for (int64_t i = 0; i < count; i++) column[i] = 0.0;
  }
}

/* The mean velocity of a step from rest, over that of free fall. */
static double part_of_free_fall(int32_t budget, int32_t max_iterations, floc_step_report *report)
{
  floc_world *world = make_drum(1000);
  floc_projection_options options = with_budget(0.5, budget);
  options.warm_start = false;
  if (max_iterations > 0) options.max_iterations = max_iterations;
  if (max_iterations > 0) options.tolerance = 1e-9;
  set_projection(world, options);
  stop(world);
  run_steps(world, 1);
  double sum = 0.0;
  for (int64_t id = 1; id <= 1000; id++) sum -= column_value(world, "vy", id);
  *report = step_report(world);
  floc_world_destroy(world);
  return sum / 1000.0 / (10.0 * 5e-3);
}

/* A step from rest without a first guess, limited by max_iterations or by a budget: doing nothing has nearly the
 * least residual, but no low energy. */
static void limited_steps_are_no_free_fall(void **state)
{
  (void)state;
  floc_step_report report, longer;
  assert_true(part_of_free_fall(0, 15, &report) < 0.5);
  assert_int_equal(report.converged, false);
  assert_true(part_of_free_fall(10, 0, &report) < 0.5);
  assert_true(part_of_free_fall(480, 0, &longer) < 0.1);
  /* what the report says of the two */
  assert_true(report.converged && longer.converged);
  assert_int_equal(report.unconverged_steps, 0);
  assert_true(report.energy_fall > 0.0 && report.energy_fall <= 1.0);
  assert_true(longer.energy_fall < 0.5 * report.energy_fall);
  assert_true(longer.overlap < report.overlap || longer.overlap < 1e-4);
}

/* Two contacts of one disc: J is that of the closed form, and nothing is left of it after the first sweeps. */
static void a_solved_step_has_no_fall(void **state)
{
  (void)state;
  for (int32_t budget = 0; budget < 60; budget += 30) {
    floc_world *world = make_world(2, 1e-2, -10.0, 1);
    set_projection(world, with_budget(0.3, budget));
    add_segment(world, NULL, -1.0, 0.0, 1.0, 0.0);
    add_particle(world, 0.0, 0.1, 0.0, 0.0, 0.1);
    run_steps(world, 3);
    floc_step_report report = step_report(world);
    assert_true(report.converged);
    assert_true(report.iterations < 10); /* it ends where the tolerance that would be chosen is met */
    assert_true(report.energy_fall == 0.0);
    assert_close(column_value(world, "y", 1), 0.1, 1e-9);
    floc_world_destroy(world);
  }
}

/* Without friction a budget goes through the same sweeps: a column of discs at rest. */
static void budget_without_friction(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 1e-2, -10.0, 1);
  set_projection(world, with_budget(0.0, 200));
  add_segment(world, NULL, -1.0, 0.0, 1.0, 0.0);
  for (int k = 0; k < 6; k++) add_particle(world, 0.0, 0.1 + 0.2 * k, 0.0, 0.0, 0.1);
  run_steps(world, 20);
  for (int k = 0; k < 6; k++) assert_close(column_value(world, "y", k + 1), 0.1 + 0.2 * k, 1e-3 * 0.1 * (k + 1));
  assert_int_equal(step_report(world).unconverged_steps, 0);
  floc_world_destroy(world);
}

/* ---- bits ---- */

enum { DISCS = 500 };

static floc_world *make_pile(int32_t threads)
{
  floc_world *world = make_world(2, 1.0 / 60.0, -10.0, threads);
  set_projection(world, with_budget(0.3, 12));
  add_segment(world, NULL, 0.0, 0.0, 1.0, 0.0);
  add_segment(world, NULL, 0.0, 0.0, 0.0, 9.0);
  add_segment(world, NULL, 1.0, 0.0, 1.0, 9.0);
  floc_insertion_options discs;
  floc_insertion_options_init(&discs);
  discs.count = DISCS;
  discs.radius_lower = 0.015;
  discs.radius_upper = 0.025;
  discs.region_upper[0] = 1.0;
  discs.region_upper[1] = 1.6;
  assert_world_ok(world, floc_particles_insert(world, &discs, NULL));
  return world;
}

static void bits_are_the_same(void **state)
{
  (void)state;
  const int steps = 40;
  uint64_t alone = 0;
  for (int32_t threads = 1; threads <= 4; threads *= 2) {
    floc_world *world = make_pile(threads);
    run_steps(world, steps);
    floc_step_report report = step_report(world);
    assert_true(report.contacts > 1000);
    assert_int_equal(report.unconverged_steps, 0);
    if (threads == 1) alone = world_hash(world);
    assert_true(world_hash(world) == alone);
    floc_world_destroy(world);
  }
  char path[] = "/tmp/floc-budget-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  unlink(path);
  floc_world *world = make_pile(2);
  run_steps(world, steps / 2);
  assert_world_ok(world, floc_world_save(world, path, 1));
  floc_world_destroy(world);
  world = make_pile(1);
  assert_world_ok(world, floc_world_load(world, path));
  run_steps(world, steps - steps / 2);
  assert_true(world_hash(world) == alone);
  floc_world_destroy(world);
  unlink(path);
}

/* ---- what is refused ---- */

static void refuses(floc_projection_options options, floc_status status, const char *name)
{
  floc_world *world = make_world(2, 1e-2, -10.0, 1);
  assert_int_equal(floc_world_set_projection(world, &options), status);
  assert_non_null(strstr(floc_world_message(world), name));
  floc_world_destroy(world);
}

static void wrong_budgets_are_refused(void **state)
{
  (void)state;
  refuses(with_budget(0.3, -1), FLOC_INVALID_ARGUMENT, "budget");
  floc_projection_options options = with_budget(0.3, 10);
  options.tolerance = 1e-4;
  refuses(options, FLOC_INVALID_ARGUMENT, "tolerance");
  options = with_budget(0.3, 10);
  options.solver = FLOC_SOLVER_APGD;
  refuses(options, FLOC_NOT_SUPPORTED, "solver");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limited_steps_are_no_free_fall), cmocka_unit_test(a_solved_step_has_no_fall),
      cmocka_unit_test(budget_without_friction),        cmocka_unit_test(bits_are_the_same),
      cmocka_unit_test(wrong_budgets_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
