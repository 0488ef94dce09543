/*
 * The work of a step and its limit: the same number at any number of threads; a step may be exactly its limit and
 * not one unit more; who is given up has the state of before, and continues with the bits of a run that never was.
 * Absurd input is refused by name: speeds, skins, a time step of seconds.
 */
#include "scenarios.h"

#include "support.h"

#include <math.h>
#include <stdio.h>

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash;
  assert_int_equal(floc_world_hash(world, &hash), FLOC_OK);
  return hash;
}

static double work_of(const floc_world *world)
{
  floc_step_report report = {.struct_size = sizeof report};
  assert_int_equal(floc_world_get_report(world, &report), FLOC_OK);
  return report.work;
}

static floc_world *create(const scenario *it, int32_t threads)
{
  floc_world *world;
  assert_int_equal(scenario_create(it, threads, NULL, NULL, &world), FLOC_OK);
  return world;
}

static int never(void *context)
{
  (void)context;
  return 0;
}

/* ---- what is counted ---- */

static void work_is_the_same_at_any_number_of_threads(void **state)
{
  (void)state;
  enum { STEPS = 12 };
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    double work[STEPS], sum = 0.0;
    for (int32_t threads = 1; threads <= 3; threads++) {
      floc_world *world = create(&scenarios[k], threads);
      for (int step = 0; step < STEPS; step++) {
        assert_int_equal(floc_world_step(world), FLOC_OK);
        if (threads == 1) sum += work[step] = work_of(world);
        if (work_of(world) != work[step])
          fail_msg("%s, step %d: %g with %d threads, %g with one", scenarios[k].name, step + 1, work_of(world),
                   (int)threads, work[step]);
      }
      floc_world_destroy(world);
    }
    assert_true(sum > 0.0);
  }
}

/* A search looks at the particle itself; nothing is solved. */
static void a_single_particle_looks_at_itself(void **state)
{
  (void)state;
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 0.01;
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  floc_particle_options one;
  floc_particle_options_init(&one);
  one.radius = 0.1;
  int64_t id;
  assert_int_equal(floc_particle_add(world, &one, &id), FLOC_OK);
  assert_int_equal(floc_world_step(world), FLOC_OK);
  assert_true(work_of(world) == 1.0);
  floc_world_destroy(world);
}

/* ---- the limit ---- */

/* The step after `before` others, with a limit of one unit less than what it is, then of just that. */
static void give_up_and_go_on(const scenario *it, int before)
{
  floc_world *whole = create(it, 1);
  assert_int_equal(scenario_run(whole, before + 1), FLOC_OK);
  double work = work_of(whole);
  uint64_t after = hash_of(whole);
  assert_int_equal(scenario_run(whole, 3), FLOC_OK);
  uint64_t later = hash_of(whole);
  floc_world_destroy(whole);
  if (work < 2.0) return; /* a limit of 0 is the default */
  for (int32_t threads = 1; threads <= 2; threads++) {
    floc_world *world = create(it, threads);
    assert_int_equal(floc_world_set_interrupt(world, never, NULL), FLOC_OK);
    assert_int_equal(scenario_run(world, before), FLOC_OK);
    uint64_t start = hash_of(world);
    assert_int_equal(floc_world_set_work_limit(world, work - 1.0), FLOC_OK);
    assert_int_equal(floc_world_step(world), FLOC_LIMIT_EXCEEDED);
    assert_non_null(strstr(floc_world_message(world), "needs more work than its limit of"));
    assert_non_null(strstr(floc_world_message(world), "particle "));
    if (hash_of(world) != start) fail_msg("%s, step %d: the state has changed", it->name, before + 1);
    assert_int_equal(floc_world_set_work_limit(world, work), FLOC_OK);
    if (floc_world_step(world) != FLOC_OK)
      fail_msg("%s, step %d: %s", it->name, before + 1, floc_world_message(world));
    if (hash_of(world) != after) fail_msg("%s, step %d: another step", it->name, before + 1);
    assert_true(work_of(world) == work);
    assert_int_equal(floc_world_set_work_limit(world, INFINITY), FLOC_OK);
    assert_int_equal(scenario_run(world, 3), FLOC_OK);
    if (hash_of(world) != later) fail_msg("%s, step %d: other steps after it", it->name, before + 1);
    floc_world_destroy(world);
  }
}

static void a_step_may_be_its_limit_and_no_more(void **state)
{
  (void)state;
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    if (scenarios[k].rebuilds) continue; /* below */
    for (int before = 0; before < 30; before += 7) give_up_and_go_on(&scenarios[k], before);
  }
}

static void events_are_limited(void **state)
{
  (void)state;
  const scenario *it = &scenarios[6];
  assert_string_equal(it->name, "event_driven");
  floc_world *world = create(it, 1);
  assert_int_equal(floc_world_set_interrupt(world, never, NULL), FLOC_OK); /* so that the queue is kept */
  assert_int_equal(scenario_run(world, 3), FLOC_OK);
  assert_int_equal(floc_world_set_time_step(world, 10.0), FLOC_OK);
  uint64_t start = hash_of(world);
  assert_int_equal(floc_world_set_work_limit(world, 5000.0), FLOC_OK);
  assert_int_equal(floc_world_step(world), FLOC_LIMIT_EXCEEDED);
  assert_non_null(strstr(floc_world_message(world), "in its events"));
  assert_non_null(strstr(floc_world_message(world), "particle "));
  assert_true(hash_of(world) == start);
  assert_int_equal(floc_world_set_work_limit(world, 0.0), FLOC_OK);
  assert_int_equal(floc_world_step(world), FLOC_OK);
  floc_world_destroy(world);
}

static void limits_are_checked(void **state)
{
  (void)state;
  floc_world *world = create(&scenarios[0], 1);
  static const double wrong[] = {-1.0, -INFINITY, NAN, -5e-324};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    assert_int_equal(floc_world_set_work_limit(world, wrong[k]), FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(floc_world_message(world), "limit is "));
  }
  static const double right[] = {1e300, INFINITY, 0x1p63, 0x1p62, 0.0, -0.0};
  for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
    assert_int_equal(floc_world_set_work_limit(world, right[k]), FLOC_OK);
    assert_int_equal(floc_world_step(world), FLOC_OK);
  }
  floc_world_destroy(world);
}

/* ---- absurd input ---- */

static floc_world *event_driven(double skin)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 3;
  options.time_step = 0.05;
  options.threads = 1;
  for (int axis = 0; axis < 3; axis++) {
    options.boundary[axis] = FLOC_BOUNDARY_PERIODIC;
    options.domain_upper[axis] = 5.0;
  }
  floc_event_driven_options scheme;
  floc_event_driven_options_init(&scheme);
  scheme.skin = skin;
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  assert_int_equal(floc_world_set_event_driven(world, &scheme), FLOC_OK);
  assert_int_equal(floc_world_set_interrupt(world, never, NULL), FLOC_OK); /* so that the queue is kept */
  assert_int_equal(scenario_insert(world, 100, 3, 0.0, 5.0, 0.2, 0.5), FLOC_OK);
  return world;
}

/* Particle 42 gets the speed after a step. */
static floc_world *with_speed(double speed)
{
  floc_world *world = event_driven(0.0);
  assert_int_equal(floc_world_step(world), FLOC_OK);
  double *vx;
  const int64_t *slot;
  int64_t count;
  assert_int_equal(floc_column(world, "vx", &vx, &count), FLOC_OK);
  assert_int_equal(floc_particle_ids(world, NULL, &slot, &count), FLOC_OK);
  vx[slot[41]] = speed;
  return world;
}

static void refused(floc_world *world, const char *first, const char *second)
{
  uint64_t before = hash_of(world);
  assert_int_equal(floc_world_step(world), FLOC_LIMIT_EXCEEDED);
  const char *message = floc_world_message(world);
  if (!strstr(message, first) || !strstr(message, second)) fail_msg("%s: %s, %s", message, first, second);
  assert_true(hash_of(world) == before);
  floc_world_destroy(world);
}

static void thin_skins_are_refused(void **state)
{
  (void)state;
  refused(event_driven(1e-9), "skin is 1e-09, ", "of the radius of particle ");
  refused(event_driven(1e-300), "skin is 1e-300, ", "of the radius of particle ");
  refused(event_driven(3e-7), "in its events; particle ", "a thicker skin");
  floc_world *world = event_driven(1e-3);
  assert_int_equal(floc_world_step(world), FLOC_OK);
  floc_world_destroy(world);
}

static void speeds_without_times_are_refused(void **state)
{
  (void)state;
  refused(with_speed(1e15), "particle 42 has the speed 1e+15", "the limit is 1e-06");
  refused(with_speed(1e300), "particle 42 has the speed 1e+300", "the limit is 1e-06");
}

/* Spheres fall through their box forty times in one step: most pairs are contacts, and nothing solves them. */
static void absurd_contact_problems_are_refused(void **state)
{
  (void)state;
  const scenario *it = &scenarios[3];
  assert_string_equal(it->name, "friction");
  floc_world *world = create(it, 1);
  assert_int_equal(scenario_run(world, 20), FLOC_OK);
  assert_int_equal(floc_world_set_time_step(world, 2.0), FLOC_OK);
  refused(world, "in the iterations of its contact problem; particle ", "a smaller time step than 2");
}

/* A pulse every 1e-300 s, with rays and without. */
static void pulses_without_end_are_refused(void **state)
{
  (void)state;
  for (int64_t rays = 0; rays <= 3; rays += 3) {
    floc_world *world = create(&scenarios[7], 1);
    assert_string_equal(scenarios[7].name, "discrete_element");
    floc_ray_source_options source;
    floc_ray_source_options_init(&source);
    source.direction[0] = 1.0;
    source.radius = 0.5;
    source.rays = rays;
    source.power = 1.0;
    source.pulses = 0;
    source.period = 1e-300;
    source.duration = 1e-6;
    assert_int_equal(floc_ray_source_add(world, &source, NULL), FLOC_OK);
    assert_int_equal(floc_world_set_work_limit(world, 1e6), FLOC_OK);
    refused(world, "in the flights of rays; particle ", "fewer rays");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(work_is_the_same_at_any_number_of_threads),
                                     cmocka_unit_test(a_single_particle_looks_at_itself),
                                     cmocka_unit_test(a_step_may_be_its_limit_and_no_more),
                                     cmocka_unit_test(events_are_limited),
                                     cmocka_unit_test(limits_are_checked),
                                     cmocka_unit_test(thin_skins_are_refused),
                                     cmocka_unit_test(speeds_without_times_are_refused),
                                     cmocka_unit_test(absurd_contact_problems_are_refused),
                                     cmocka_unit_test(pulses_without_end_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
