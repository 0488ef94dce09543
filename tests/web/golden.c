/*
 * The golden scenarios compiled to WebAssembly, run by node: each must have the hash that world_test_golden holds
 * natively, since the engine takes + - * / and sqrt from the machine, and every other function is its own.
 */
#include "scenarios.h"

#include <inttypes.h>
#include <stdio.h>

static bool hash_of(const scenario *it, uint64_t *hash)
{
  floc_world *world = NULL;
  floc_status status = scenario_create(it, 1, NULL, NULL, &world);
  THEN(status, scenario_run(world, it->steps));
  THEN(status, floc_world_hash(world, hash));
  if (status != FLOC_OK)
    printf("%s: %s: %s\n", it->name, floc_status_name(status), world ? floc_world_message(world) : "no world");
  floc_world_destroy(world);
  return status == FLOC_OK;
}

int main(void)
{
  int wrong = 0;
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    const scenario *it = &scenarios[k];
    uint64_t hash = 0;
    bool equal = hash_of(it, &hash) && hash == it->golden;
    wrong += !equal;
    printf("%-17s %016" PRIx64 "  golden %016" PRIx64 "  %s\n", it->name, hash, it->golden,
           equal ? "equal" : "DIFFERENT");
  }
  return wrong != 0;
}
