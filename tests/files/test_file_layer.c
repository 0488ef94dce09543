/*
 * The operating system's files: what it refuses is reported with the path and its own words, and the old
 * file stays. And the atomic writing of complete files.
 */
#include "samples.h"

#include "files/checkpoint/checkpoint.h"
#include "files/new_file.h"
#include "memory_disk.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A file from beginning to end, as writers of files do it. */
static floc_status write_whole(environment *env, const file_layer *layer, const char *path, const void *bytes,
                               size_t size)
{
  new_file made;
  floc_status status = new_file_create(env, layer, path, &made);
  if (status == FLOC_OK) status = file_write(&made.file, bytes, size);
  if (status == FLOC_OK) status = new_file_close(&made);
  if (status == FLOC_OK) status = new_file_place(&made);
  new_file_end(&made);
  return status;
}

static char folder[64];

static int make_folder(void **state)
{
  (void)state;
  snprintf(folder, sizeof folder, "test_file_layer.XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static const char *in_folder(const char *name)
{
  static char path[4][400];
  static int turn;
  char *here = path[turn++ % 4];
  snprintf(here, sizeof path[0], "%s/%s", folder, name);
  return here;
}

static int remove_folder(void **state)
{
  (void)state;
  static const char *const names[] = {"run.floc", "run.floc.1", "run.floc.2", "table.txt", "pipe", "tail", "other"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) unlink(in_folder(names[k]));
  return rmdir(folder);
}

static floc_status write_numbers(environment *env, const char *path, int32_t keep, uint64_t count, uint64_t version)
{
  double *numbers = sample_numbers("f64", count, version);
  section_list list;
  section_list_init(&list, env);
  assert_ok(env, section_list_add(&list, "numbers", "f64", count, 1, numbers, true));
  floc_status status = checkpoint_write(env, file_layer_system(), path, keep, &list);
  section_list_free(&list);
  free(numbers);
  return status;
}

static void expect_numbers(const char *path, uint64_t count, uint64_t version)
{
  environment env = test_environment(2);
  double *expected = sample_numbers("f64", count, version);
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, file_layer_system(), path, &file));
  const section *part = &checkpoint_sections(file)->item[0];
  assert_int_equal(part->rows, count);
  assert_memory_equal(part->data, expected, count * sizeof *expected);
  checkpoint_close(file);
  free(expected);
}

static bool exists(const char *path)
{
  struct stat found;
  return lstat(path, &found) == 0;
}

static int count_temporary(void *count, const char *name)
{
  *(int *)count += strstr(name, ".new") != NULL;
  return 0;
}

static int temporaries(void)
{
  int count = 0;
  assert_int_equal(file_layer_system()->list(NULL, in_folder("any"), count_temporary, &count), 0);
  return count;
}

static void checkpoints_go_to_the_disk_and_back(void **state)
{
  (void)state;
  environment env = test_environment(2);
  for (uint64_t version = 1; version <= 4; version++)
    assert_ok(&env, write_numbers(&env, in_folder("run.floc"), 3, 300000, version));
  expect_numbers(in_folder("run.floc"), 300000, 4);
  expect_numbers(in_folder("run.floc.1"), 300000, 3);
  expect_numbers(in_folder("run.floc.2"), 300000, 2);
  assert_false(exists(in_folder("run.floc.3")));
  assert_int_equal(temporaries(), 0);
  /* without a folder in the path: the current one */
  assert_int_equal(chdir(folder), 0);
  floc_status status = write_numbers(&env, "run.floc", 1, 10, 5);
  assert_int_equal(chdir(".."), 0);
  assert_ok(&env, status);
  expect_numbers(in_folder("run.floc"), 10, 5);
  assert_false(exists(in_folder("run.floc.1"))); /* keep is 1 now */
}

static void missing_files_and_folders_are_named(void **state)
{
  (void)state;
  environment env = test_environment(1);
  checkpoint *file;
  char expected[300];
  assert_int_equal(checkpoint_open(&env, file_layer_system(), in_folder("none.floc"), &file), FLOC_NOT_FOUND);
  snprintf(expected, sizeof expected, "%s: cannot be opened for reading: No such file or directory",
           in_folder("none.floc"));
  assert_string_equal(env.message, expected);
  assert_int_equal(write_numbers(&env, in_folder("missing/run.floc"), 1, 10, 1), FLOC_FILE_ERROR);
  snprintf(expected, sizeof expected, "%s: cannot be opened for writing: No such file or directory",
           in_folder("missing/run.floc"));
  assert_string_equal(env.message, expected);
}

static void a_folder_is_no_file(void **state)
{
  (void)state;
  environment env = test_environment(1);
  checkpoint *file;
  assert_int_equal(checkpoint_open(&env, file_layer_system(), folder, &file), FLOC_FILE_ERROR);
  assert_non_null(strstr(env.message, ": Is a directory"));
  assert_int_equal(mkdir(in_folder("run"), 0777), 0);
  assert_int_equal(mkdir(in_folder("run/full"), 0777), 0);
  floc_status once = write_numbers(&env, in_folder("run"), 1, 10, 1);
  int left_over = temporaries();
  rmdir(in_folder("run/full"));
  rmdir(in_folder("run"));
  assert_int_equal(once, FLOC_FILE_ERROR);
  assert_non_null(strstr(env.message, "run: cannot be opened for reading: Is a directory"));
  assert_int_equal(left_over, 0);
}

/* A pipe without a writer must not make the reader wait. */
static void a_pipe_is_no_file(void **state)
{
  (void)state;
  environment env = test_environment(1);
  checkpoint *file;
  assert_int_equal(mkfifo(in_folder("pipe"), 0666), 0);
  assert_int_equal(checkpoint_open(&env, file_layer_system(), in_folder("pipe"), &file), FLOC_FILE_ERROR);
  assert_int_equal(checkpoint_open(&env, file_layer_system(), "/dev/zero", &file), FLOC_FILE_ERROR);
}

/* Root may write everywhere, so root becomes somebody else for a moment. */
static void without_permission_the_old_file_stays(void **state)
{
  (void)state;
  environment env = test_environment(1);
  const char *path = in_folder("run.floc");
  assert_ok(&env, write_numbers(&env, path, 1, 10, 1));
  assert_int_equal(chmod(folder, 0555), 0);
  bool was_root = geteuid() == 0;
  if (was_root) assert_int_equal(seteuid(65534), 0);
  floc_status status = write_numbers(&env, path, 1, 10, 2);
  if (was_root) assert_int_equal(seteuid(0), 0);
  assert_int_equal(chmod(folder, 0755), 0);
  assert_int_equal(status, FLOC_FILE_ERROR);
  assert_non_null(strstr(env.message, "run.floc: cannot be opened for writing: Permission denied"));
  expect_numbers(path, 10, 1);
  assert_int_equal(chmod(path, 0), 0);
  if (was_root) assert_int_equal(seteuid(65534), 0);
  checkpoint *file;
  status = checkpoint_open(&env, file_layer_system(), path, &file);
  if (was_root) assert_int_equal(seteuid(0), 0);
  assert_int_equal(chmod(path, 0644), 0);
  assert_int_equal(status, FLOC_FILE_ERROR);
  assert_non_null(strstr(env.message, "run.floc: cannot be opened for reading: Permission denied"));
}

/* The limit on a file's length stands for a full disk: the system takes a part, then no more. */
static void a_disk_that_takes_no_more_is_reported(void **state)
{
  (void)state;
  environment env = test_environment(1);
  const char *path = in_folder("run.floc");
  assert_ok(&env, write_numbers(&env, path, 1, 10, 1));
  struct rlimit before, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 100000;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  floc_status status = write_numbers(&env, path, 1, 100000, 2);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_DFL);
  assert_int_equal(status, FLOC_FILE_ERROR);
  assert_non_null(strstr(env.message, "run.floc: cannot be written at offset 100000: File too large"));
  assert_int_equal(temporaries(), 0);
  expect_numbers(path, 10, 1);
}

/* Links at the names that earlier versions wrote to, and at random ones, lead nowhere. */
static void a_planted_link_is_not_followed(void **state)
{
  (void)state;
  environment env = test_environment(1);
  const file_layer *layer = file_layer_system();
  assert_ok(&env, write_whole(&env, layer, in_folder("other"), "mine", 4));
  assert_int_equal(symlink("other", in_folder("run.floc.new")), 0);
  assert_int_equal(symlink("other", in_folder("run.floc.new-3-1-00000000")), 0);
  int handle, guard;
  assert_int_equal(layer->open_new(NULL, in_folder("run.floc.new"), &handle, &guard), EEXIST);
  assert_ok(&env, write_numbers(&env, in_folder("run.floc"), 1, 10, 7));
  expect_numbers(in_folder("run.floc"), 10, 7);
  assert_int_equal(temporaries(), 0); /* the links are gone, what they led to is not */
  char text[8] = "";
  FILE *stream = fopen(in_folder("other"), "rb");
  assert_non_null(stream);
  assert_int_equal(fread(text, 1, sizeof text, stream), 4);
  fclose(stream);
  assert_memory_equal(text, "mine", 4);
}

/* A file whose writer lives is neither taken for a dead one's nor removed; when the writer dies it is both. */
static void a_living_writers_file_stays(void **state)
{
  (void)state;
  environment env = test_environment(1);
  const file_layer *layer = file_layer_system();
  const char *path = in_folder("run.floc");
  assert_ok(&env, write_numbers(&env, path, 1, 10, 1));
  int go[2], said[2];
  assert_int_equal(pipe(go), 0);
  assert_int_equal(pipe(said), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    new_file made;
    char letter = new_file_create(&env, layer, path, &made) == FLOC_OK ? 'y' : 'n';
    if (write(said[1], &letter, 1) == 1) (void)!read(go[0], &letter, 1);
    _exit(0);
  }
  char letter;
  assert_int_equal(read(said[0], &letter, 1), 1);
  assert_int_equal(letter, 'y');
  checkpoint *file;
  checkpoint_choice choice;
  assert_ok(&env, checkpoint_newest_valid(&env, layer, path, &file, &choice));
  assert_int_equal(choice.refused_count, 0); /* it was not even looked at */
  checkpoint_close(file);
  checkpoint_choice_free(&choice);
  assert_ok(&env, write_numbers(&env, path, 1, 10, 2));
  assert_int_equal(temporaries(), 1);
  assert_int_equal(kill(child, SIGKILL), 0);
  assert_int_equal(waitpid(child, NULL, 0), child);
  assert_ok(&env, checkpoint_newest_valid(&env, layer, path, &file, &choice));
  assert_int_equal(choice.refused_count, 1); /* it holds nothing yet */
  checkpoint_close(file);
  checkpoint_choice_free(&choice);
  assert_ok(&env, write_numbers(&env, path, 1, 10, 3));
  assert_int_equal(temporaries(), 0);
  for (int k = 0; k < 2; k++) {
    close(go[k]);
    close(said[k]);
  }
}

static void long_paths_keep_the_reason_in_the_message(void **state)
{
  (void)state;
  environment env = test_environment(1);
  char path[3000];
  memset(path, 'x', sizeof path);
  memcpy(path, folder, strlen(folder));
  path[strlen(folder)] = '/';
  path[sizeof path - 1] = '\0';
  assert_int_equal(write_numbers(&env, path, 1, 10, 1), FLOC_FILE_ERROR);
  assert_non_null(strstr(env.message, "x: cannot be opened for writing: File name too long"));
  char longer[6000];
  memset(longer, '/', sizeof longer);
  longer[sizeof longer - 1] = '\0';
  assert_int_equal(file_layer_system()->flush_folder(NULL, longer), ENAMETOOLONG);
}

/* ---- complete files ---------------------------------------------------------------------------------- */

static void expect_text(const char *path, const char *expected)
{
  char text[100] = "";
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  size_t size = fread(text, 1, sizeof text - 1, stream);
  fclose(stream);
  assert_int_equal(size, strlen(expected));
  assert_string_equal(text, expected);
}

static void whole_files_are_replaced_at_once(void **state)
{
  (void)state;
  environment env = test_environment(1);
  const file_layer *layer = file_layer_system();
  const char *path = in_folder("table.txt");
  assert_ok(&env, write_whole(&env, layer, path, "first", 5));
  expect_text(path, "first");
  assert_ok(&env, write_whole(&env, layer, path, "second", 6));
  expect_text(path, "second");
  assert_ok(&env, write_whole(&env, layer, path, NULL, 0));
  expect_text(path, "");
  assert_int_equal(temporaries(), 0);
  assert_int_equal(write_whole(&env, layer, "", "x", 1), FLOC_INVALID_ARGUMENT);
  assert_int_equal(write_whole(&env, layer, in_folder("missing/t"), "x", 1), FLOC_FILE_ERROR);
}

static void whole_files_survive_every_fault(void **state)
{
  (void)state;
  static const disk_fault faults[] = {FAULT_ERROR, FAULT_CRASH, FAULT_SHORT};
  for (int f = 0; f < 3; f++) {
    for (int64_t n = 1; n < 12; n++) {
      counting_allocator counter = {0};
      environment env = counting_environment(&counter, 1);
      memory_disk disk;
      disk_init(&disk);
      disk_place(&disk, "a.png", "the old picture", 15);
      disk_place(&disk, "a.png.1", "not ours", 8);
      disk_arm(&disk, faults[f], n, ENOSPC);
      floc_status status = write_whole(&env, &disk.layer, "a.png", "a new picture", 13);
      bool struck = disk.happened && faults[f] != FAULT_SHORT,
           flushing = disk.failed_operation == DISK_FLUSH_FOLDER;
      assert_int_equal(status, struck ? FLOC_FILE_ERROR : FLOC_OK);
      disk_disarm(&disk);
      const disk_file *file = disk_get(&disk, "a.png");
      bool is_new = file->size == 13 && memcmp(file->bytes, "a new picture", 13) == 0;
      bool is_old = file->size == 15 && memcmp(file->bytes, "the old picture", 15) == 0;
      assert_true(struck && !flushing ? is_old : is_new);
      if (faults[f] != FAULT_CRASH) assert_int_equal(disk_temporaries(&disk), 0);
      assert_int_equal(disk_get(&disk, "a.png.1")->size, 8);
      assert_int_equal(counter.held, 0);
      disk_free(&disk);
    }
  }
}

/* Past the system's cache only whole pages can be read; whatever else is asked for comes all the same, from
 * wherever, as does a checkpoint that is longer than the window in which it is verified. */
static void reading_past_the_cache_gives_the_same(void **state)
{
  (void)state;
  enum { SIZE = 300001, PAGE = 4096 };
  environment env = test_environment(1);
  unsigned char *numbers = sample_numbers("u8", SIZE, 3), *block = malloc(SIZE + 2 * PAGE);
  assert_non_null(block);
  unsigned char *aligned = block + (PAGE - (uintptr_t)block % PAGE) % PAGE;
  assert_ok(&env, write_whole(&env, file_layer_system(), in_folder("tail"), numbers, SIZE));
  static const size_t offsets[] = {0, PAGE, 1, 4095, SIZE - 1}, shifts[] = {0, 1, 64};
  for (size_t o = 0; o < 5; o++) {
    for (size_t k = 0; k < 3; k++) {
      open_file file;
      size_t got, size = SIZE - offsets[o];
      assert_ok(&env, file_open(&env, file_layer_system(), in_folder("tail"), &file));
      file_pass_cache(&file);
      assert_ok(&env, file_seek(&file, offsets[o]));
      assert_ok(&env, file_read_between(&file, aligned + shifts[k], size, (size + PAGE - 1) / PAGE * PAGE, &got));
      assert_int_equal(got, size);
      assert_memory_equal(aligned + shifts[k], numbers + offsets[o], size);
      assert_int_equal(file_read_between(&file, aligned, 1, PAGE, &got), FLOC_DAMAGED_FILE);
      assert_ok(&env, file_close(&file));
    }
  }
  free(numbers);
  free(block);
  assert_ok(&env, write_numbers(&env, in_folder("run.floc"), 1, 600000, 1)); /* noise: more than two windows */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checkpoints_go_to_the_disk_and_back),
      cmocka_unit_test(missing_files_and_folders_are_named),
      cmocka_unit_test(a_folder_is_no_file),
      cmocka_unit_test(a_pipe_is_no_file),
      cmocka_unit_test(without_permission_the_old_file_stays),
      cmocka_unit_test(a_disk_that_takes_no_more_is_reported),
      cmocka_unit_test(a_planted_link_is_not_followed),
      cmocka_unit_test(a_living_writers_file_stays),
      cmocka_unit_test(long_paths_keep_the_reason_in_the_message),
      cmocka_unit_test(whole_files_are_replaced_at_once),
      cmocka_unit_test(whole_files_survive_every_fault),
      cmocka_unit_test(reading_past_the_cache_gives_the_same),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
