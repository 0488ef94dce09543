/*
 * Golden hashes: the state that each scheme reaches is a constant, at 1, 2, 3 and 8 threads, whatever compiled it
 * (CI runs this with gcc -O3, clang -O3 and the sanitizers' debug build; scripts/test.sh --long with every level of
 * both compilers). A change of the physics or of the order of sums changes a constant here, knowingly.
 *
 * Mathematical functions are the engine's own (base/mathematics), so that the constants hold with every C library
 * and on every processor.
 */
#include "support.h"

#include "scenarios.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t hash_of(const scenario *it, int32_t threads)
{
  floc_world *world;
  floc_status status = scenario_create(it, threads, NULL, NULL, &world);
  THEN(status, scenario_run(world, it->steps));
  uint64_t hash = 0;
  THEN(status, floc_world_hash(world, &hash));
  if (status != FLOC_OK)
    fail_msg("%s at %d threads: %s: %s", it->name, threads, floc_status_name(status), floc_world_message(world));
  floc_world_destroy(world);
  return hash;
}

static void hashes_are_golden(void **state)
{
  (void)state;
  static const int32_t threads[] = {1, 3, 2, 8};
  int wrong = 0;
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    for (size_t t = 0; t < (EMULATED ? 2 : sizeof threads / sizeof *threads); t++) {
      uint64_t hash = hash_of(&scenarios[k], threads[t]);
      if (hash == scenarios[k].golden) continue;
      print_error("%s at %d threads: hash 0x%016" PRIx64 ", golden 0x%016" PRIx64 "\n", scenarios[k].name,
                  threads[t], hash, scenarios[k].golden);
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

/* A thousand restarts, each after one step, in a world rebuilt each time: the same as one run. */
static void chained_restarts_equal_one_run(void **state)
{
  (void)state;
  enum { RESTARTS = EMULATED ? 100 : 1000 };
  char path[] = "/tmp/floc-chain-XXXXXX";
  int handle = mkstemp(path);
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  assert_true(handle >= 0);
  close(handle);
  const scenario *it = &scenarios[1];
  floc_world *one;
  floc_status status = scenario_create(it, 1, NULL, NULL, &one);
  THEN(status, scenario_run(one, RESTARTS));
  uint64_t expected, hash = 0;
  THEN(status, floc_world_hash(one, &expected));
  assert_int_equal(status, FLOC_OK);
  floc_world_destroy(one);
  for (int k = 0; k < RESTARTS; k++) {
    floc_world *world;
    status = scenario_create(it, 1, NULL, NULL, &world);
    if (k > 0) THEN(status, floc_world_load(world, path));
    THEN(status, floc_world_step(world));
    THEN(status, floc_world_save(world, path, 1));
    THEN(status, floc_world_hash(world, &hash));
    if (status != FLOC_OK) fail_msg("restart %d: %s", k, floc_world_message(world));
    floc_world_destroy(world);
  }
  remove(path);
  assert_true(hash == expected);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(hashes_are_golden),
                                     cmocka_unit_test(chained_restarts_equal_one_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
