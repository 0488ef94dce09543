/*
 * kill -9 at random moments: a child process runs a scenario and writes a checkpoint every other step; the parent
 * kills it, another child continues from the newest checkpoint that loads, until one gets to the end. The state
 * there must be that of an undisturbed run, however often it was killed.
 *
 * FLOC_KILLS says how many kills in all (200 unless given, 60 with sanitizers; scripts/test.sh --long makes
 * 10,000).
 */
#include "scratch.h"
#include "support.h"

#include "scenarios.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 24, INTERVAL = 2, KEEP = 3 };

static char folder[64], path[96], answer[96];

/* ---- the child ---- */

/* Before the first save is done there may be nothing, or a temporary file that was never finished. */
static floc_status load_newest(floc_world *world)
{
  floc_file *file;
  floc_status status = floc_file_open_newest(path, &file, NULL, 0);
  if (status == FLOC_NOT_FOUND || status == FLOC_DAMAGED_FILE) return FLOC_OK;
  if (status == FLOC_OK) status = floc_world_load(world, floc_file_path(file));
  if (status == FLOC_OK) floc_file_close(file);
  return status;
}

static int64_t steps_done(const floc_world *world)
{
  floc_world_info info = {.struct_size = sizeof info};
  floc_world_get_info(world, &info);
  return info.step;
}

static floc_status run_to_the_end(floc_world *world)
{
  floc_status status = FLOC_OK;
  for (int64_t step = steps_done(world); step < STEPS && status == FLOC_OK; step++) {
    status = floc_world_step(world);
    if ((step + 1) % INTERVAL == 0) THEN(status, floc_world_save(world, path, KEEP));
  }
  return status;
}

static void child(const scenario *it, int32_t threads)
{
  floc_world *world;
  floc_status status = scenario_create(it, threads, NULL, NULL, &world);
  THEN(status, load_newest(world));
  THEN(status, run_to_the_end(world));
  uint64_t hash = 0;
  THEN(status, floc_world_hash(world, &hash));
  FILE *file = fopen(answer, "wb");
  if (status != FLOC_OK || !file || fwrite(&hash, sizeof hash, 1, file) != 1 || fclose(file) != 0) _exit(1);
  _exit(0);
}

/* ---- the parent ---- */

static uint64_t draws = 1;

static double draw(void)
{
  draws = draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(draws >> 11) * 0x1p-53;
}

static void sleep_for(double seconds)
{
  struct timespec span = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  while (nanosleep(&span, &span) != 0 && errno == EINTR) continue;
}

/* Runs a child; after `patience` seconds it is killed. Returns whether it came to its end. */
static bool run_child(const scenario *it, int32_t threads, double patience)
{
  pid_t process = fork();
  assert_true(process >= 0);
  if (process == 0) child(it, threads);
  if (patience >= 0.0) {
    sleep_for(patience);
    kill(process, SIGKILL);
  }
  int status;
  assert_int_equal(waitpid(process, &status, 0), process);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return false;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("%s: the child failed: %#x", it->name, status);
  return true;
}

static uint64_t answered_hash(void)
{
  uint64_t hash;
  FILE *file = fopen(answer, "rb");
  assert_non_null(file);
  assert_int_equal(fread(&hash, sizeof hash, 1, file), 1);
  fclose(file);
  return hash;
}

static void clear_folder(void)
{
  char command[160];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  assert_int_equal(system(command), 0);
  assert_int_equal(mkdir(folder, 0700), 0);
}

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void killed_runs_end_like_others(void **state)
{
  (void)state;
  long wanted = getenv("FLOC_KILLS") ? atol(getenv("FLOC_KILLS")) : SLOWED ? 60 : 200, kills = 0, runs = 0;
  uint64_t expected[SCENARIO_COUNT];
  double duration[SCENARIO_COUNT];
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    clear_folder();
    double start = seconds_now();
    assert_true(run_child(&scenarios[k], 1, -1.0));
    duration[k] = seconds_now() - start;
    expected[k] = answered_hash();
  }
  while (kills < wanted) {
    for (int k = 0; k < SCENARIO_COUNT; k++, runs++) {
      clear_folder();
      double patience = duration[k]; /* grows, because the machine may be slower than when that was measured */
      for (; !run_child(&scenarios[k], 1 + (int32_t)(kills % 3), patience * draw()); patience *= 1.1) kills++;
      if (answered_hash() != expected[k])
        fail_msg("%s: after %ld kills in all, the run ended differently", scenarios[k].name, kills);
    }
  }
  print_message("%ld kills in %ld runs\n", kills, runs);
}

int main(void)
{
  snprintf(folder, sizeof folder, "%s/floc-kill-%ld", scratch_folder(), (long)getpid());
  snprintf(path, sizeof path, "%s/run.floc", folder);
  snprintf(answer, sizeof answer, "%s/hash", folder);
  const struct CMUnitTest tests[] = {cmocka_unit_test(killed_runs_end_like_others)};
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  char command[160];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command) != 0 ? 1 : failures;
}
