/*
 * kill -9 at random moments of real writing to a real disk: what is found afterwards is valid, and not older
 * than the last one whose writing was reported as done.
 */
#include "samples.h"

#include "base/numbers/random.h"
#include "files/checkpoint/checkpoint.h"
#include "files/new_file.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KILLS = 60, KEEP = 2, NUMBERS = 40000 };

static char path[60];

/* Every number of version v is v. */
static void write_version(environment *env, double *numbers, uint64_t version)
{
  for (int k = 0; k < NUMBERS; k++) numbers[k] = (double)version + (k % 7 == 0 ? 0.0 : 1e-3 * k);
  section_list list;
  section_list_init(&list, env);
  floc_status status = section_list_add(&list, "version", "u64", 1, 1, &version, true);
  if (status == FLOC_OK) status = section_list_add(&list, "numbers", "f64", NUMBERS, 1, numbers, true);
  if (status == FLOC_OK) status = checkpoint_write(env, file_layer_system(), path, KEEP, &list);
  section_list_free(&list);
  if (status != FLOC_OK) _exit(1);
}

/* The child: writes version after version, and reports each. */
static _Noreturn void write_forever(int report, uint64_t version)
{
  environment env = test_environment(1);
  double *numbers = malloc(NUMBERS * sizeof *numbers);
  if (!numbers) _exit(1);
  for (;; version++) {
    write_version(&env, numbers, version);
    if (write(report, &version, sizeof version) != sizeof version) _exit(1);
  }
}

/* The version on the disk, checked number by number. */
static uint64_t version_found(void)
{
  environment env = test_environment(1);
  checkpoint *file;
  checkpoint_choice choice;
  assert_ok(&env, checkpoint_newest_valid(&env, file_layer_system(), path, &file, &choice));
  const section_list *list = checkpoint_sections(file);
  uint64_t version = *(const uint64_t *)list->item[0].data;
  const double *numbers = list->item[1].data;
  for (int k = 0; k < NUMBERS; k++) assert_true(numbers[k] == (double)version + (k % 7 == 0 ? 0.0 : 1e-3 * k));
  checkpoint_close(file);
  checkpoint_choice_free(&choice);
  return version;
}

/* Lets a child write for a while and kills it; returns the last version that it reported. */
static uint64_t write_and_kill(uint64_t first, long microseconds)
{
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) write_forever(ends[1], first);
  close(ends[1]);
  uint64_t last = first - 1, reported;
  if (read(ends[0], &reported, sizeof reported) == sizeof reported) last = reported; /* it is under way */
  struct timespec wait = {0, microseconds * 1000};
  nanosleep(&wait, NULL);
  kill(child, SIGKILL);
  int outcome;
  assert_int_equal(waitpid(child, &outcome, 0), child);
  assert_true(WIFSIGNALED(outcome) && WTERMSIG(outcome) == SIGKILL);
  while (read(ends[0], &reported, sizeof reported) == sizeof reported) last = reported;
  close(ends[0]);
  return last;
}

static void a_killed_writer_leaves_the_newest_or_the_one_before(void **state)
{
  (void)state;
  snprintf(path, sizeof path, "test_checkpoint_kill.%ld.floc", (long)getpid());
  uint64_t next = 1;
  for (int k = 0; k < KILLS; k++) {
    double uniform[4];
    random_uniform4((uint64_t)getpid(), (uint64_t)k, 0, RANDOM_SCRIPT, 0, uniform);
    uint64_t reported = write_and_kill(next, (long)(15000 * uniform[0]));
    uint64_t found = version_found();
    assert_in_range(found, reported, reported + 1);
    next = found + 1;
  }
  environment env = test_environment(1);
  file_companions all; /* what the last kill left among them */
  assert_ok(&env, file_companions_find(&env, file_layer_system(), path, &all));
  for (int32_t k = 0; k < all.count; k++) {
    char name[140];
    snprintf(name, sizeof name, "%s%s", path, all.item[k].suffix);
    unlink(name);
  }
  file_companions_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_killed_writer_leaves_the_newest_or_the_one_before)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
