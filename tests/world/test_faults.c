/*
 * Memory that runs out anywhere: the n-th request fails, for every n until a run needs no more. Set-up, steps,
 * removal, checkpoint, resume: each gives FLOC_OUT_OF_MEMORY or succeeds, nothing leaks, and a call that failed can
 * be made again as if nothing had happened, to the same bits (ballistic and event-driven aggregation: to rounding).
 */
#include "failing_allocator.h"
#include "scenarios.h"
#include "scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STEPS_BEFORE = 3, STEPS_AFTER = 2 };

static char path[64];
static floc_compression compression; /* of the checkpoint */

/* What a run came to. */
typedef struct run_outcome {
  uint64_t hash;
  double moment;     /* sum of id times x and y, over both worlds */
  bool failed;       /* a request was refused and came out as a status */
  bool after_set_up; /* in a call that can be made again */
} run_outcome;

/* A call after set-up: once it fails for want of memory, it is made again. */
#define AGAIN(outcome, world, call)                                                                                \
  do {                                                                                                             \
    floc_status status_ = (call);                                                                                  \
    if (status_ == FLOC_OUT_OF_MEMORY && !(outcome)->failed) {                                                     \
      assert_true(strlen(floc_world_message(world)) > 0);                                                          \
      (outcome)->failed = (outcome)->after_set_up = true;                                                          \
      status_ = (call);                                                                                            \
    }                                                                                                              \
    if (status_ != FLOC_OK) fail_msg("%s: %s: %s", #call, floc_status_name(status_), floc_world_message(world));   \
  } while (0)

static floc_world *set_up(const scenario *it, failing_allocator *memory, run_outcome *outcome)
{
  floc_world *world = NULL;
  floc_status status = scenario_create(it, 1, failing_allocate, memory, &world);
  if (status == FLOC_OK) return world;
  if (status != FLOC_OUT_OF_MEMORY) fail_msg("%s: %s", it->name, floc_status_name(status));
  floc_world_destroy(world);
  outcome->failed = true;
  return NULL;
}

/* The newest particle that belongs to no assembly; so does the one before. */
static int64_t loose_particle(floc_world *world)
{
  int32_t owner = 0;
  int64_t id;
  assert_int_equal(floc_particle_ids(world, NULL, NULL, &id), FLOC_OK);
  while (floc_assembly_of(world, id, &owner) == FLOC_OK && owner >= 0) id--;
  return id;
}

static double moment_of(floc_world *world)
{
  double *x, *y, sum = 0.0;
  const int64_t *ids;
  int64_t count;
  assert_int_equal(floc_particle_ids(world, &ids, NULL, &count), FLOC_OK);
  assert_int_equal(floc_column(world, "x", &x, &count), FLOC_OK);
  assert_int_equal(floc_column(world, "y", &y, &count), FLOC_OK);
  for (int64_t k = 0; k < count; k++) sum += (double)ids[k] * (x[k] + 2.0 * y[k]);
  return sum;
}

static run_outcome run(const scenario *it, failing_allocator *memory)
{
  run_outcome outcome = {0};
  floc_world *world = set_up(it, memory, &outcome);
  if (!world) return outcome;
  for (int k = 0; k < STEPS_BEFORE; k++) AGAIN(&outcome, world, floc_world_step(world));
  int64_t gone = loose_particle(world) - 1;
  AGAIN(&outcome, world, floc_particles_remove(world, &gone, 1));
  floc_world_info info = {.struct_size = sizeof info};
  if (floc_world_get_info(world, &info) == FLOC_OK && info.body_count > 1)
    AGAIN(&outcome, world, floc_body_remove(world, info.body_count - 1));
  AGAIN(&outcome, world, floc_world_set_checkpoint_compression(world, compression));
  AGAIN(&outcome, world, floc_world_save(world, path, 1));
  floc_world *resumed = set_up(it, memory, &outcome);
  if (!resumed) {
    floc_world_destroy(world);
    return outcome;
  }
  AGAIN(&outcome, resumed, floc_world_load(resumed, path));
  for (int k = 0; k < STEPS_AFTER; k++) {
    AGAIN(&outcome, world, floc_world_step(world));
    AGAIN(&outcome, resumed, floc_world_step(resumed));
  }
  uint64_t hash = 0;
  AGAIN(&outcome, world, floc_world_hash(world, &hash));
  AGAIN(&outcome, resumed, floc_world_hash(resumed, &outcome.hash));
  assert_true(hash == outcome.hash || it->rebuilds);
  outcome.moment = moment_of(world) + moment_of(resumed);
  floc_world_destroy(world);
  floc_world_destroy(resumed);
  return outcome;
}

/* In every scenario, or in each `every`-th; under sanitizers every third request, of each scenario others. */
static void fail_every_request(int every)
{
  int different = 0;
  for (int k = 0; k < SCENARIO_COUNT; k += every) {
    failing_allocator memory = {0};
    run_outcome whole = run(&scenarios[k], &memory);
    assert_false(whole.failed);
    int64_t requests = memory.calls, statuses = 0, repeated = 0;
    const int64_t stride = SLOWED ? 3 : 1;
    int64_t tried = 0;
    for (int64_t n = 1 + k % stride; n <= requests; n += stride, tried++) {
      memory = (failing_allocator){.refused = n};
      run_outcome outcome = run(&scenarios[k], &memory);
      assert_int_equal(memory.bytes, 0);
      bool same = scenarios[k].rebuilds ? fabs(outcome.moment - whole.moment) <= 1e-9 * fabs(whole.moment)
                                        : outcome.hash == whole.hash;
      if (outcome.after_set_up && !same) {
        print_error("%s: request %lld failed, and the run went on differently\n", scenarios[k].name, (long long)n);
        different++;
      }
      statuses += outcome.failed;
      repeated += outcome.after_set_up;
    }
    print_message("%s: %lld requests, %lld came out as a status, %lld of them in calls that were repeated\n",
                  scenarios[k].name, (long long)requests, (long long)statuses, (long long)repeated);
    assert_true(statuses > tried / 2);
  }
  assert_int_equal(different, 0);
}

static void every_request_may_fail(void **state)
{
  (void)state;
  compression = FLOC_COMPRESSION_DEFAULT;
  fail_every_request(1);
}

static void every_request_may_fail_without_compression(void **state)
{
  (void)state;
  compression = FLOC_COMPRESSION_NONE;
  fail_every_request(3);
}

int main(void)
{
  snprintf(path, sizeof path, "%s/floc-faults-%ld.floc", scratch_folder(), (long)getpid());
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail),
                                     cmocka_unit_test(every_request_may_fail_without_compression)};
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  return failures;
}
