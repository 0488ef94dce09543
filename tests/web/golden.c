/*
 * The golden scenarios compiled to WebAssembly, run by node. Each hash is printed beside the golden one, which
 * world_test_golden holds natively.
 *
 * A scenario that takes only + - * / and sqrt from the machine has the same bits here, and that is required. The
 * others call sin, cos, log, exp or pow, which Emscripten has from musl and not from glibc; they differ in the last
 * bit, and these scenarios' hashes with them. Such a scenario must not fail, and gives the same hash twice.
 */
#include "scenarios.h"

#include <inttypes.h>
#include <stdio.h>

/* The scenarios in which the C library's mathematical functions have no part. */
static const char *const exact[] = {"friction", "assemblies", "ballistic", "event_driven"};

static bool is_exact(const char *name)
{
  for (size_t k = 0; k < sizeof exact / sizeof *exact; k++)
    if (!strcmp(exact[k], name)) return true;
  return false;
}

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
  int wrong = 0, found = 0;
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    const scenario *it = &scenarios[k];
    bool required = is_exact(it->name);
    found += required;
    uint64_t hash = 0, again = 0;
    if (!hash_of(it, &hash) || !hash_of(it, &again)) {
      wrong++;
      continue;
    }
    bool equal = hash == it->golden;
    const char *verdict = equal ? "equal" : required ? "DIFFERENT" : "known difference: mathematics library";
    if (hash != again) verdict = "NOT THE SAME TWICE";
    wrong += (required && !equal) || hash != again;
    printf("%-17s %016" PRIx64 "  golden %016" PRIx64 "  %s\n", it->name, hash, it->golden, verdict);
  }
  if (found != sizeof exact / sizeof *exact) {
    printf("a scenario that must agree has another name now\n");
    wrong++;
  }
  return wrong != 0;
}
