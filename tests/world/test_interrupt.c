/*
 * A step that the host gives up at any question: the n-th time that it is asked whether the step shall end it says
 * yes, for every n until a step asks no more (a sample of them where there are thousands). Each time the call
 * gives FLOC_INTERRUPTED, the world has the hash that it had before, and the same step made again has the hash of a
 * run that was never interrupted.
 */
#include "scenarios.h"

#include "support.h"

#include <stdlib.h>

enum { TRIED_AT_MOST = SLOWED ? 15 : 60 };

typedef struct asked {
  int64_t times, yes_at; /* yes_at 0: never */
} asked;

static int answer(void *context)
{
  asked *host = context;
  return ++host->times == host->yes_at;
}

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash;
  assert_int_equal(floc_world_hash(world, &hash), FLOC_OK);
  return hash;
}

static floc_world *create(const scenario *it, double time_step, int32_t threads)
{
  floc_world *world;
  assert_int_equal(scenario_create(it, threads, NULL, NULL, &world), FLOC_OK);
  assert_int_equal(floc_world_set_time_step(world, time_step), FLOC_OK);
  return world;
}

static void step(floc_world *world)
{
  floc_status status = floc_world_step(world);
  if (status != FLOC_OK) fail_msg("%s: %s", floc_status_name(status), floc_world_message(world));
}

/* Interrupts the step after `before` others at question n; returns whether it asked so often. */
static bool interrupt_at(const scenario *it, double time_step, int before, int64_t n, uint64_t after,
                         uint64_t later)
{
  floc_world *world = create(it, time_step, 1);
  asked host = {0, n};
  for (int k = 0; k < before; k++) step(world);
  uint64_t start = hash_of(world);
  assert_int_equal(floc_world_set_interrupt(world, answer, &host), FLOC_OK);
  floc_status status = floc_world_step(world);
  bool reached = status != FLOC_OK;
  if (reached) {
    if (status != FLOC_INTERRUPTED)
      fail_msg("%s at question %lld: %s", it->name, (long long)n, floc_world_message(world));
    assert_int_equal(host.times, n); /* not asked again */
    assert_non_null(strstr(floc_world_message(world), "interrupted"));
    if (hash_of(world) != start) fail_msg("%s at question %lld: the state has changed", it->name, (long long)n);
    host.yes_at = 0;
    step(world);
  }
  host.yes_at = 0;
  if (hash_of(world) != after) fail_msg("%s at question %lld: another step", it->name, (long long)n);
  step(world);
  if (hash_of(world) != later) fail_msg("%s at question %lld: another step after that", it->name, (long long)n);
  floc_world_destroy(world);
  return reached;
}

/* Returns how often the step asked. */
static int64_t interrupt_everywhere(const scenario *it, double time_step, int before)
{
  floc_world *whole = create(it, time_step, 1);
  asked host = {0, 0};
  for (int k = 0; k < before; k++) step(whole);
  assert_int_equal(floc_world_set_interrupt(whole, answer, &host), FLOC_OK);
  step(whole);
  int64_t questions = host.times, tried = 0;
  uint64_t after = hash_of(whole);
  step(whole);
  uint64_t later = hash_of(whole);
  floc_world_destroy(whole);
  int64_t stride = questions / TRIED_AT_MOST + 1;
  for (int64_t n = 1; n <= questions; n += stride, tried++)
    assert_true(interrupt_at(it, time_step, before, n, after, later));
  assert_false(interrupt_at(it, time_step, before, questions + 1, after, later));
  print_message("%s, h = %g, step %d: %lld questions, %lld tried\n", it->name, time_step, before + 1,
                (long long)questions, (long long)tried);
  return questions;
}

static void every_question_may_be_answered(void **state)
{
  (void)state;
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    /* what a first step builds is undone as well */
    assert_true(interrupt_everywhere(&scenarios[k], scenarios[k].time_step, 0) > 0);
    for (int before = 3; before < 40; before += 9)
      interrupt_everywhere(&scenarios[k], scenarios[k].time_step, before);
  }
}

/* ---- ballistic schemes: a state is kept where a step is expected to do much ---- */

static floc_status fill_billiard(floc_world *world)
{
  floc_event_driven_options options;
  floc_event_driven_options_init(&options);
  options.restitution = 1.0;
  floc_status status = floc_world_set_event_driven(world, &options);
  THEN(status, scenario_insert(world, 100, 2, 0.0, 5.0, 0.15, 2.0));
  return status;
}

static floc_status fill_crowded(floc_world *world, int32_t minimiser, bool rigid, bool rotation)
{
  floc_ballistic_options options;
  floc_ballistic_options_init(&options);
  options.minimiser = minimiser;
  options.rigid = rigid;
  options.rotation = rotation;
  options.step_factor = rigid ? 0.0 : 4.0;
  floc_status status = floc_world_set_ballistic(world, &options);
  THEN(status, scenario_insert(world, 100, 2, 0.0, 5.0, 0.18, 2.0));
  return status;
}

static floc_status fill_projection(floc_world *world)
{
  return fill_crowded(world, FLOC_MINIMISER_PROJECTION, false, false);
}

static floc_status fill_arrow_hurwicz(floc_world *world)
{
  return fill_crowded(world, FLOC_MINIMISER_ARROW_HURWICZ, false, false);
}

static floc_status fill_rigid(floc_world *world)
{
  return fill_crowded(world, FLOC_MINIMISER_PROJECTION, true, false);
}

static floc_status fill_rotation(floc_world *world)
{
  return fill_crowded(world, FLOC_MINIMISER_PROJECTION, false, true);
}

static void long_steps_may_be_given_up(void **state)
{
  (void)state;
  static const scenario heavy[] = {{"billiard", 2, 4.0, 0.0, 5.0, 0, 0, true, fill_billiard},
                                   {"projection", 2, 0.3, 0.0, 5.0, 0, 0, true, fill_projection},
                                   {"arrow_hurwicz", 2, 0.3, 0.0, 5.0, 0, 0, true, fill_arrow_hurwicz},
                                   {"rigid", 2, 2.0, 0.0, 5.0, 0, 0, true, fill_rigid},
                                   {"rotation", 2, 0.3, 0.0, 5.0, 0, 0, true, fill_rotation}};
  for (size_t k = 0; k < sizeof heavy / sizeof *heavy; k++) {
    int64_t questions = 0;
    for (int before = 0; before < 4; before++)
      questions += interrupt_everywhere(&heavy[k], heavy[k].time_step, before);
    assert_true(questions > 12);
  }
}

/* Every step is given up once, each at another question, and made again: the run ends with the golden hash. Lists,
 * their ages and what pairs remember must be those of before, or later lists are made at other steps. */
static void a_run_of_interrupted_steps(void **state)
{
  (void)state;
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    const scenario *it = &scenarios[k];
    if (it->rebuilds) continue; /* equal but for rounding */
    floc_world *world = create(it, it->time_step, 1);
    asked host = {0, 0};
    assert_int_equal(floc_world_set_interrupt(world, answer, &host), FLOC_OK);
    int given_up = 0;
    for (int n = 0; n < it->steps; n++) {
      host = (asked){0, 1 + (37 * n) % 23};
      floc_status status = floc_world_step(world);
      if (status == FLOC_OK) continue;
      assert_int_equal(status, FLOC_INTERRUPTED);
      given_up++;
      host = (asked){0, 0};
      step(world);
    }
    print_message("%s: %d of %d steps were given up\n", it->name, given_up, it->steps);
    if (hash_of(world) != it->golden) fail_msg("%s: another end", it->name);
    floc_world_destroy(world);
  }
}

/* With several threads the number of questions is not known, but a host that always says yes is heard, and nothing
 * is left behind. */
static void threads_hear_it(void **state)
{
  (void)state;
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    floc_world *world = create(&scenarios[k], scenarios[k].time_step, 4);
    asked host = {0, 1};
    step(world);
    uint64_t start = hash_of(world);
    floc_world_set_interrupt(world, answer, &host);
    for (int n = 1; n < 20; n++) {
      host = (asked){0, n};
      if (floc_world_step(world) == FLOC_OK) break;
      if (hash_of(world) != start) fail_msg("%s at question %d: the state has changed", scenarios[k].name, n);
    }
    floc_world_destroy(world);
  }
}

static void other_calls_end_too(void **state)
{
  (void)state;
  const scenario *pile = &scenarios[0];
  floc_world *world = create(pile, pile->time_step, 1);
  uint64_t start = hash_of(world);
  asked host = {0, 1};
  assert_int_equal(floc_world_set_interrupt(world, answer, &host), FLOC_OK);
  floc_cluster_summary summary = {.struct_size = sizeof summary};
  assert_int_equal(floc_clusters(world, FLOC_CLUSTER_GAP, 0.1, NULL, &summary), FLOC_INTERRUPTED);
  host = (asked){0, 1};
  assert_int_equal(scenario_insert(world, 5, 2, 0.0, 2.0, 0.01, 0.0), FLOC_INTERRUPTED);
  assert_true(hash_of(world) == start);
  assert_int_equal(floc_world_set_interrupt(world, NULL, NULL), FLOC_OK);
  assert_int_equal(floc_clusters(world, FLOC_CLUSTER_GAP, 0.1, NULL, &summary), FLOC_OK);
  assert_int_equal(floc_world_set_interrupt(NULL, answer, NULL), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_question_may_be_answered),
                                     cmocka_unit_test(a_run_of_interrupted_steps),
                                     cmocka_unit_test(long_steps_may_be_given_up),
                                     cmocka_unit_test(threads_hear_it), cmocka_unit_test(other_calls_end_too)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
