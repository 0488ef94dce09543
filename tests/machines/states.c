/*
 * The golden scenarios as a program of its own, for machines that are not the one that builds: scripts/cross.sh
 * runs it under qemu-user, and hands its checkpoints from one machine to another.
 *
 *   states run               every scenario at 1 and 2 threads: each hash beside the golden one
 *   states save FOLDER       every scenario for half its steps, and a checkpoint of it: FOLDER/NAME.floc
 *   states finish FOLDER     reads these and runs to the end: each hash beside the golden one
 *
 * The exit status is 1 where a hash differs.
 */
#include "scenarios.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_golden(const scenario *it, floc_world *world, const char *what)
{
  uint64_t hash = 0;
  if (floc_world_hash(world, &hash) != FLOC_OK) return false;
  bool equal = hash == it->golden;
  const char *verdict = equal ? "equal" : "DIFFERENT";
  printf("%-17s %-10s %016" PRIx64 "  golden %016" PRIx64 "  %s\n", it->name, what, hash, it->golden, verdict);
  return equal;
}

static bool one(const scenario *it, const char *command, int32_t threads, const char *folder)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.floc", folder, it->name);
  floc_world *world = NULL;
  floc_status status = scenario_create(it, threads, NULL, NULL, &world);
  const bool saves = !strcmp(command, "save"), finishes = !strcmp(command, "finish");
  if (finishes) THEN(status, floc_world_load(world, path));
  THEN(status, scenario_run(world, saves ? it->steps / 2 : finishes ? it->steps - it->steps / 2 : it->steps));
  if (saves) THEN(status, floc_world_save(world, path, 1));
  bool fine = status == FLOC_OK;
  if (!fine)
    printf("%s: %s: %s\n", it->name, floc_status_name(status), world ? floc_world_message(world) : "no world");
  else if (!saves)
    fine = is_golden(it, world, finishes ? "finished" : threads == 1 ? "1 thread" : "2 threads");
  floc_world_destroy(world);
  return fine;
}

int main(int count, char **argument)
{
  const char *command = count > 1 ? argument[1] : "", *folder = count > 2 ? argument[2] : NULL;
  const bool runs = !strcmp(command, "run");
  if (!runs && !((!strcmp(command, "save") || !strcmp(command, "finish")) && folder)) {
    fprintf(stderr, "usage: states run | save FOLDER | finish FOLDER\n");
    return 2;
  }
  bool fine = true;
  for (int k = 0; k < SCENARIO_COUNT; k++)
    for (int32_t threads = 1; threads <= (runs ? 2 : 1); threads++)
      fine = one(&scenarios[k], command, threads, runs ? "" : folder) && fine;
  return !fine;
}
