/*
 * libfloc in WebAssembly, as a host uses it: a run that continues from a checkpoint has the hash of one that was
 * not stopped, a wrong call is refused with its reason, a file that is cut off is refused, and neither changes the
 * world. Files are in Emscripten's memory, as they would be in a browser.
 */
#include "scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int wrong;

static void expect(bool good, const char *what, floc_world *world)
{
  printf("%s %s\n", good ? "ok    " : "NOT OK", what);
  if (good) return;
  wrong++;
  if (world) printf("       last message: %s\n", floc_world_message(world));
}

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash = 0;
  if (floc_world_hash(world, &hash) != FLOC_OK) expect(false, "a hash", world);
  return hash;
}

static floc_world *created(const scenario *it)
{
  floc_world *world = NULL;
  if (scenario_create(it, 1, NULL, NULL, &world) != FLOC_OK) {
    expect(false, it->name, world);
    exit(1);
  }
  return world;
}

static void resumed_runs_equal_whole_ones(const scenario *it, const char *path)
{
  floc_world *whole = created(it), *first = created(it), *second = created(it);
  floc_status status = scenario_run(whole, it->steps);
  THEN(status, scenario_run(first, it->steps / 2));
  THEN(status, floc_world_save(first, path, 1));
  expect(status == FLOC_OK, it->name, first);
  status = floc_world_load(second, path);
  THEN(status, scenario_run(second, it->steps - it->steps / 2));
  expect(status == FLOC_OK, "loaded, and run to the end", second);
  expect(hash_of(whole) == hash_of(second), "the hash of the run that was not stopped", NULL);
  floc_world_destroy(whole);
  floc_world_destroy(first);
  floc_world_destroy(second);
}

static void wrong_calls_are_refused(const scenario *it, const char *path)
{
  floc_world *world = created(it);
  uint64_t before = hash_of(world);
  floc_particle_options particle;
  floc_particle_options_init(&particle);
  particle.radius = -0.5;
  int64_t id;
  floc_status status = floc_particle_add(world, &particle, &id);
  expect(status == FLOC_INVALID_ARGUMENT && strstr(floc_world_message(world), "radius"),
         "a wrong radius is refused by name", world);
  status = floc_world_save(world, path, 1);
  expect(status == FLOC_OK && truncate(path, 200) == 0, "a file is cut off", world);
  status = floc_world_load(world, path);
  expect(status != FLOC_OK && floc_world_message(world)[0], "it is refused", world);
  expect(hash_of(world) == before, "the world is as before", NULL);
  floc_world_destroy(world);
}

int main(void)
{
  static const char path[] = "/smoke.floc";
  for (int k = 0; k < SCENARIO_COUNT; k++) resumed_runs_equal_whole_ones(&scenarios[k], path);
  wrong_calls_are_refused(&scenarios[0], path);
  return wrong != 0;
}
