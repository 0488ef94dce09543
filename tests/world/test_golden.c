/*
 * Golden hashes: the state that each scheme reaches is a constant, at 1, 2, 3 and 8 threads, whatever compiled it
 * (CI runs this with gcc -O3, clang -O3 and the sanitizers' debug build; scripts/test.sh --long with every level of
 * both compilers). A change of the physics or of the order of sums changes a constant here, knowingly.
 *
 * Mathematical functions are the C library's: with another one, exp and sin may differ in the last bit, and with
 * them the scenarios that use them.
 */
#include "support.h"

#include "scenarios.h"

#include <inttypes.h>

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
  static const int32_t threads[] = {1, 2, 3, 8};
  int wrong = 0;
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
      uint64_t hash = hash_of(&scenarios[k], threads[t]);
      if (hash == scenarios[k].golden) continue;
      print_error("%s at %d threads: hash 0x%016" PRIx64 ", golden 0x%016" PRIx64 "\n", scenarios[k].name,
                  threads[t], hash, scenarios[k].golden);
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(hashes_are_golden)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
