/*
 * Locks of paths, and complete files by the public functions: which callers are kept off, what is left.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static int enter_folder(void **state)
{
  (void)state;
  snprintf(folder, sizeof folder, "test_lock.XXXXXX");
  return mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
  (void)state;
  return chdir("..") != 0 || rmdir(folder) != 0;
}

static bool exists(const char *path)
{
  struct stat found;
  return lstat(path, &found) == 0;
}

static void put_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* A child that holds the lock of a path until it is killed; *said is what it reported. */
static pid_t hold(const char *path, char *said)
{
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    floc_lock *lock;
    char letter = floc_lock_take(path, &lock, NULL, 0) == FLOC_OK ? 'y' : 'n';
    if (write(ends[1], &letter, 1) != 1) _exit(1);
    for (;;) pause();
  }
  assert_int_equal(read(ends[0], said, 1), 1);
  close(ends[0]);
  close(ends[1]);
  return child;
}

static void end_child(pid_t child)
{
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, NULL, 0), child);
}

static void one_has_it_the_other_is_told_who(void **state)
{
  (void)state;
  static const char *const paths[] = {"run.floc", "./"}, *const files[] = {"run.floc.lock", "floc.lock"};
  for (int k = 0; k < 2; k++) {
    char letter, message[300], expected[120];
    pid_t child = hold(paths[k], &letter);
    assert_int_equal(letter, 'y');
    floc_lock *lock;
    assert_int_equal(floc_lock_take(paths[k], &lock, message, sizeof message), FLOC_WRONG_STATE);
    assert_null(lock);
    snprintf(expected, sizeof expected, "%s: another run is writing there: process %ld on host ", paths[k],
             (long)child);
    assert_int_equal(strncmp(message, expected, strlen(expected)), 0);
    end_child(child);
    assert_true(exists(files[k])); /* what the dead one left has no effect */
    assert_int_equal(floc_lock_take(paths[k], &lock, message, sizeof message), FLOC_OK);
    floc_lock *second;
    assert_int_equal(floc_lock_take(paths[k], &second, message, sizeof message), FLOC_WRONG_STATE);
    floc_lock_release(lock);
    assert_false(exists(files[k]));
  }
}

/* Many at once: each time exactly one. */
static void of_many_at_once_one_gets_it(void **state)
{
  (void)state;
  enum { ROUNDS = 40, RUNS = 6 };
  for (int round = 0; round < ROUNDS; round++) {
    int start[2], said[2], taken = 0;
    assert_int_equal(pipe(start), 0);
    assert_int_equal(pipe(said), 0);
    pid_t child[RUNS];
    for (int k = 0; k < RUNS; k++) {
      child[k] = fork();
      assert_true(child[k] >= 0);
      if (child[k] != 0) continue;
      char letter;
      close(start[1]);
      (void)!read(start[0], &letter, 1); /* until the parent closes its end */
      floc_lock *lock;
      letter = floc_lock_take("run.floc", &lock, NULL, 0) == FLOC_OK ? 'y' : 'n';
      if (write(said[1], &letter, 1) != 1) _exit(1);
      for (;;) pause();
    }
    close(start[0]);
    close(start[1]);
    for (int k = 0; k < RUNS; k++) {
      char letter;
      assert_int_equal(read(said[0], &letter, 1), 1);
      taken += letter == 'y';
    }
    for (int k = 0; k < RUNS; k++) end_child(child[k]);
    close(said[0]);
    close(said[1]);
    assert_int_equal(taken, 1);
  }
  unlink("run.floc.lock");
}

static void what_is_no_lock_is_left_alone(void **state)
{
  (void)state;
  floc_lock *lock;
  char message[300], text[20] = "";
  put_text("run.floc.lock", "notes of mine");
  assert_int_equal(floc_lock_take("run.floc", &lock, message, sizeof message), FLOC_FILE_ERROR);
  assert_non_null(strstr(message, "run.floc.lock: it exists and is not a lock of floc"));
  FILE *file = fopen("run.floc.lock", "rb");
  assert_int_equal(fread(text, 1, 19, file), 13);
  fclose(file);
  assert_string_equal(text, "notes of mine");
  assert_int_equal(rename("run.floc.lock", "notes"), 0);
  assert_int_equal(symlink("notes", "run.floc.lock"), 0);
  assert_int_equal(floc_lock_take("run.floc", &lock, message, sizeof message), FLOC_FILE_ERROR);
  unlink("run.floc.lock");
  assert_int_equal(mkfifo("run.floc.lock", 0666), 0);
  assert_int_equal(floc_lock_take("run.floc", &lock, message, sizeof message), FLOC_FILE_ERROR);
  unlink("run.floc.lock");
  unlink("notes");
  assert_int_equal(floc_lock_take("none/run.floc", &lock, message, sizeof message), FLOC_FILE_ERROR);
  assert_int_equal(floc_lock_take("", &lock, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_lock_take(NULL, &lock, NULL, 0), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_lock_take("run.floc", NULL, message, sizeof message), FLOC_INVALID_ARGUMENT);
  floc_lock_release(NULL);
}

/* ---- complete files ---------------------------------------------------------------------------------- */

static void a_new_file_appears_whole_or_not_at_all(void **state)
{
  (void)state;
  floc_new_file *file;
  char message[300];
  put_text("page.html", "old");
  assert_int_equal(floc_new_file_create("page.html", &file, message, sizeof message), FLOC_OK);
  assert_int_equal(write(floc_new_file_descriptor(file), "newer", 5), 5);
  char name[100];
  snprintf(name, sizeof name, "%s", floc_new_file_name(file));
  assert_int_equal(strncmp(name, "page.html.new-1-", 16), 0);
  struct stat found;
  assert_int_equal(stat("page.html", &found), 0);
  assert_int_equal(found.st_size, 3);
  assert_int_equal(floc_new_file_finish(file, message, sizeof message), FLOC_OK);
  assert_int_equal(stat("page.html", &found), 0);
  assert_int_equal(found.st_size, 5);
  assert_false(exists(name));
  assert_int_equal(floc_new_file_create("page.html", &file, message, sizeof message), FLOC_OK);
  snprintf(name, sizeof name, "%s", floc_new_file_name(file));
  floc_new_file_abandon(file);
  assert_false(exists(name));
  assert_int_equal(stat("page.html", &found), 0);
  assert_int_equal(found.st_size, 5);
  unlink("page.html");
  assert_int_equal(floc_new_file_create("none/page.html", &file, message, sizeof message), FLOC_FILE_ERROR);
  assert_non_null(strstr(message, "none/page.html"));
  assert_int_equal(floc_new_file_create("", &file, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_new_file_create("x", NULL, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_new_file_finish(NULL, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_new_file_descriptor(NULL), -1);
  assert_null(floc_new_file_name(NULL));
  floc_new_file_abandon(NULL);
}

static void what_may_be_replaced(void **state)
{
  (void)state;
  char message[300];
  assert_int_equal(floc_checkpoint_may_replace("none.floc", message, sizeof message), FLOC_OK);
  put_text("keepme.txt", "a text");
  assert_int_equal(floc_checkpoint_may_replace("keepme.txt", message, sizeof message), FLOC_FILE_ERROR);
  assert_non_null(
      strstr(message, "keepme.txt: cannot be replaced by the new file, because it is not a checkpoint"));
  put_text("keepme.txt", "");
  assert_int_equal(floc_checkpoint_may_replace("keepme.txt", NULL, 0), FLOC_FILE_ERROR);
  assert_int_equal(floc_checkpoint_may_replace(".", NULL, 0), FLOC_FILE_ERROR);
  assert_int_equal(floc_checkpoint_may_replace(NULL, NULL, 0), FLOC_INVALID_ARGUMENT);
  unlink("keepme.txt");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_has_it_the_other_is_told_who),
      cmocka_unit_test(of_many_at_once_one_gets_it),
      cmocka_unit_test(what_is_no_lock_is_left_alone),
      cmocka_unit_test(a_new_file_appears_whole_or_not_at_all),
      cmocka_unit_test(what_may_be_replaced),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
