/*
 * Writing and reading while things go wrong: every file operation fails, tears or is the last one before a
 * crash, in turn; the power goes; every allocation fails in turn. What must hold: a status each time, no
 * leak, and an old or the new checkpoint readable under one of the names.
 */
#include "samples.h"

#include "files/checkpoint/checkpoint.h"
#include "memory_disk.h"
#include "ways_of_writing.h"

static const char PATH[] = "run.floc";
enum { OLD_FILES = 3, NEW_VERSION = OLD_FILES + 1, ROWS = 20 };

/* A disk with versions 1, 2 and 3, as path.2, path.1 and path; `keep` says how many of them stay. */
static void prepare(memory_disk *disk, int32_t keep)
{
  environment env = test_environment(1);
  disk_init(disk);
  for (uint64_t version = 1; version <= OLD_FILES; version++) {
    sample old;
    sample_make(&old, &env, ROWS, version);
    assert_ok(&env, write_file(&env, &disk->layer, PATH, keep, &old.list));
    sample_free(&old);
  }
}

static floc_status write_new(memory_disk *disk, environment *env, int32_t keep)
{
  sample fresh;
  sample_make(&fresh, env, ROWS, NEW_VERSION);
  floc_status status = write_file(env, &disk->layer, PATH, keep, &fresh.list);
  sample_free(&fresh);
  return status;
}

/* The version that a file holds; 0 if it cannot be read. */
static uint64_t version_of(const checkpoint *file, environment *env)
{
  for (uint64_t version = 1; version <= NEW_VERSION; version++) {
    sample expected;
    sample_make(&expected, env, ROWS, version);
    bool equal = sections_equal(checkpoint_sections(file), &expected.list);
    sample_free(&expected);
    if (equal) return version;
  }
  return 0;
}

static uint64_t version_at(memory_disk *disk, const char *path)
{
  environment env = test_environment(1);
  checkpoint *file;
  if (checkpoint_open(&env, &disk->layer, path, &file) != FLOC_OK) return 0;
  uint64_t version = version_of(file, &env);
  checkpoint_close(file);
  return version;
}

static uint64_t newest_version(memory_disk *disk)
{
  environment env = test_environment(1);
  checkpoint *file;
  checkpoint_choice choice;
  uint64_t version = 0;
  if (checkpoint_newest_valid(&env, &disk->layer, PATH, &file, &choice) == FLOC_OK)
    version = version_of(file, &env);
  checkpoint_choice_free(&choice);
  checkpoint_close(file);
  return version;
}

static void expect_old_files(memory_disk *disk, int32_t keep)
{
  static const char *const name[] = {"run.floc", "run.floc.1", "run.floc.2"};
  for (int32_t k = 0; k < keep; k++) assert_int_equal(version_at(disk, name[k]), OLD_FILES - k);
}

static void expect_new_files(memory_disk *disk, int32_t keep)
{
  static const char *const name[] = {"run.floc", "run.floc.1", "run.floc.2"};
  for (int32_t k = 0; k < keep; k++) assert_int_equal(version_at(disk, name[k]), NEW_VERSION - k);
}

/* ---- single faults -------------------------------------------------------------------------------- */

/* After a fault that was reported, everything is as before; the one exception is a folder whose flush
 * failed after the new file got its name. A fault in tidying up is no failure. */
static void check_after_failure(memory_disk *disk, environment *env, floc_status status, int32_t keep)
{
  disk_operation failed = disk->failed_operation;
  disk_disarm(disk);
  assert_int_equal(status, FLOC_FILE_ERROR);
  assert_non_null(strstr(env->message, "run.floc"));
  if (failed == DISK_FLUSH_FOLDER) {
    assert_non_null(strstr(env->message, "the new file is in place"));
    expect_new_files(disk, keep);
  } else {
    expect_old_files(disk, keep);
    assert_int_equal(disk_temporaries(disk), 0);
    char over[30];
    snprintf(over, sizeof over, "run.floc.%d", (int)keep);
    assert_null(disk_get(disk, over));
  }
  assert_ok(env, write_new(disk, env, keep)); /* nothing stands in the way of the next one */
  assert_int_equal(version_at(disk, PATH), NEW_VERSION);
}

static void strike_each_operation(disk_fault fault, int error, int32_t keep)
{
  int64_t n = 1;
  for (bool done = false; !done; n++) {
    memory_disk disk;
    prepare(&disk, keep);
    counting_allocator counter = {0};
    environment env = counting_environment(&counter, 1);
    disk_arm(&disk, fault, n, error);
    floc_status status = write_new(&disk, &env, keep);
    done = n > disk.operations;
    assert_int_equal(disk_open_count(&disk), 0);
    assert_int_equal(counter.held, 0);
    if (status == FLOC_OK) {
      disk_disarm(&disk);
      expect_new_files(&disk, keep);
    } else {
      check_after_failure(&disk, &env, status, keep);
    }
    disk_free(&disk);
  }
  assert_in_range(n, 20, 200); /* the loop went through a whole writing */
}

static void every_operation_may_fail_once(void **state)
{
  (void)state;
  for (int32_t keep = 1; keep <= 3; keep++) {
    strike_each_operation(FAULT_ERROR, EIO, keep);
    strike_each_operation(FAULT_ERROR, ENOSPC, keep);
  }
}

static void a_full_disk_is_named_and_leaves_no_file(void **state)
{
  (void)state;
  for (int64_t n = 1;; n++) {
    memory_disk disk;
    prepare(&disk, 2);
    environment env = test_environment(1);
    disk_arm(&disk, FAULT_ERROR_FOREVER, n, ENOSPC);
    floc_status status = write_new(&disk, &env, 2);
    bool is_write = disk.happened && disk.failed_operation == DISK_WRITE;
    bool is_past = !disk.happened;
    disk_disarm(&disk);
    if (is_write) {
      assert_int_equal(status, FLOC_FILE_ERROR);
      assert_non_null(strstr(env.message, "run.floc: cannot be written at offset "));
      assert_non_null(strstr(env.message, ": No space left on device"));
      expect_old_files(&disk, 2);
      assert_int_equal(disk_temporaries(&disk), 0);
    }
    disk_free(&disk);
    if (is_past) break;
  }
}

static void short_writes_and_reads_do_no_harm(void **state)
{
  (void)state;
  for (int64_t n = 1; n < 60; n++) {
    memory_disk disk;
    prepare(&disk, 2);
    environment env = test_environment(1);
    disk_arm(&disk, FAULT_SHORT, n, 0);
    assert_ok(&env, write_new(&disk, &env, 2));
    disk_disarm(&disk);
    expect_new_files(&disk, 2);
    disk_free(&disk);
  }
}

/* A disk that loses or changes bytes without a word: reading back finds it out. */
static void silent_damage_is_found_by_reading_back(void **state)
{
  (void)state;
  static const disk_fault faults[] = {FAULT_TEAR, FAULT_FLIP};
  for (int f = 0; f < 2; f++) {
    int struck = 0;
    for (int64_t n = 1; n < 60; n++) {
      memory_disk disk;
      prepare(&disk, 2);
      environment env = test_environment(1);
      disk_arm(&disk, faults[f], n, 0);
      floc_status status = write_new(&disk, &env, 2);
      if (disk.happened && status == FLOC_FILE_ERROR) {
        struck++;
        /* one may also strike the look at the file that is to be replaced */
        assert_true(
            strstr(
                env.message,
                "run.floc: verification failed, the file that was read back is not the one that was written: ") ||
            (disk.failed_operation == DISK_READ && strstr(env.message, "it is not a checkpoint")));
        disk_disarm(&disk);
        expect_old_files(&disk, 2);
        assert_int_equal(disk_temporaries(&disk), 0);
      } else {
        /* not struck, or a header that was torn before its final form was written over it */
        assert_int_equal(status, FLOC_OK);
        disk_disarm(&disk);
        expect_new_files(&disk, 2);
      }
      disk_free(&disk);
    }
    assert_true(struck > 5);
  }
}

/* ---- crashes and power ---------------------------------------------------------------------------- */

static void after_a_crash_at_any_operation_one_is_readable(void **state)
{
  (void)state;
  for (int32_t keep = 1; keep <= 3; keep++) {
    bool old_seen = false, new_seen = false;
    for (int64_t n = 1;; n++) {
      memory_disk disk;
      prepare(&disk, keep);
      environment env = test_environment(1);
      disk_arm(&disk, FAULT_CRASH, n, EIO);
      floc_status status = write_new(&disk, &env, keep);
      bool is_past = !disk.happened;
      disk_disarm(&disk);
      uint64_t newest = newest_version(&disk);
      assert_true(newest == OLD_FILES || newest == NEW_VERSION);
      if (status == FLOC_OK) assert_int_equal(newest, NEW_VERSION);
      if (keep > 1)
        assert_true(version_at(&disk, "run.floc.1") >= OLD_FILES - 1 || version_at(&disk, "run.floc.2"));
      old_seen |= newest == OLD_FILES;
      new_seen |= newest == NEW_VERSION;
      disk_free(&disk);
      if (is_past) break;
    }
    assert_true(old_seen && new_seen);
  }
}

/* The power goes at operation n, and of what the disk still had to do any beginning was done. */
static void after_a_loss_of_power_one_is_readable(void **state)
{
  (void)state;
  int cases = 0;
  for (int32_t keep = 1; keep <= 3; keep++) {
    bool is_past = false;
    for (int64_t n = 1; !is_past; n++) {
      for (int variant = 0, variants = 1; variant < variants; variant++) {
        memory_disk disk;
        prepare(&disk, keep);
        environment env = test_environment(1);
        disk_arm(&disk, FAULT_CRASH, n, EIO);
        floc_status status = write_new(&disk, &env, keep);
        is_past = !disk.happened;
        variants = 2 * (disk.change_count + 1);
        disk_lose_power(&disk, variant / 2, variant % 2);
        uint64_t newest = newest_version(&disk);
        assert_true(newest == OLD_FILES || newest == NEW_VERSION);
        if (status == FLOC_OK) assert_int_equal(newest, NEW_VERSION);
        disk_free(&disk);
        cases++;
      }
    }
  }
  assert_true(cases > 300);
}

/* After a crash the next writing works, whatever the crash left, and leaves no more files than it should. */
static void the_next_writing_after_a_crash_is_whole(void **state)
{
  (void)state;
  bool is_past = false;
  for (int64_t n = 1; !is_past; n++) {
    memory_disk disk;
    prepare(&disk, 3);
    environment env = test_environment(1);
    disk_arm(&disk, FAULT_CRASH, n, EIO);
    write_new(&disk, &env, 3);
    is_past = !disk.happened;
    disk_disarm(&disk);
    assert_ok(&env, write_new(&disk, &env, 3));
    assert_int_equal(version_at(&disk, PATH), NEW_VERSION);
    assert_true(version_at(&disk, "run.floc.1") >= OLD_FILES - 1);
    assert_int_equal(disk_temporaries(&disk), 0);
    assert_null(disk_get(&disk, "run.floc.3"));
    disk_free(&disk);
  }
}

/* The newest file was damaged in place; writing over it must not cost the older, valid one before the new
 * one can be read. */
static void a_damaged_newest_file_does_not_cost_the_older_one(void **state)
{
  (void)state;
  bool is_past = false;
  for (int64_t n = 1; !is_past; n++) {
    memory_disk disk;
    prepare(&disk, 2);
    disk.file[disk_find(disk.name, PATH)->file].bytes[100] ^= 1;
    environment env = test_environment(1);
    disk_arm(&disk, FAULT_CRASH, n, EIO);
    write_new(&disk, &env, 2);
    is_past = !disk.happened;
    disk_disarm(&disk);
    uint64_t newest = newest_version(&disk);
    assert_true(newest == OLD_FILES - 1 || newest == NEW_VERSION);
    disk_free(&disk);
  }
}

/* ---- reading -------------------------------------------------------------------------------------- */

static void reading_may_fail_at_every_operation(void **state)
{
  (void)state;
  memory_disk disk;
  prepare(&disk, 1);
  bool is_past = false;
  for (int64_t n = 1; !is_past; n++) {
    counting_allocator counter = {0};
    environment env = counting_environment(&counter, 1);
    disk_arm(&disk, FAULT_ERROR, n, EIO);
    checkpoint *file;
    floc_status status = checkpoint_open(&env, &disk.layer, PATH, &file);
    is_past = !disk.happened;
    assert_int_equal(disk_open_count(&disk), 0);
    if (status == FLOC_OK) { /* the close of a file that was only read may fail */
      assert_true(is_past || disk.failed_operation == DISK_CLOSE);
      checkpoint_close(file);
    } else {
      assert_int_equal(status, FLOC_FILE_ERROR);
      assert_non_null(strstr(env.message, "run.floc: cannot be "));
      assert_null(file);
    }
    assert_int_equal(counter.held, 0);
  }
  disk_disarm(&disk);
  disk_free(&disk);
}

/* ---- allocations ---------------------------------------------------------------------------------- */

static void failed_allocations_leave_the_old_file(void **state)
{
  (void)state;
  static const int32_t threads[] = {1, 3};
  for (int t = 0; t < 2; t++) {
    floc_status status = FLOC_OUT_OF_MEMORY;
    int64_t n = 1;
    environment plain = test_environment(1);
    sample fresh;
    sample_make(&fresh, &plain, ROWS, NEW_VERSION);
    for (; status != FLOC_OK; n++) {
      memory_disk disk;
      prepare(&disk, 2);
      counting_allocator counter = {.fail_at = n};
      environment env = counting_environment(&counter, threads[t]);
      status = write_file(&env, &disk.layer, PATH, 2, &fresh.list);
      if (status != FLOC_OK) {
        assert_int_equal(status, FLOC_OUT_OF_MEMORY);
        assert_non_null(strstr(env.message, "out of memory"));
        expect_old_files(&disk, 2);
        assert_int_equal(disk_temporaries(&disk), 0);
      } else {
        expect_new_files(&disk, 2);
      }
      assert_int_equal(counter.held, 0);
      assert_int_equal(disk_open_count(&disk), 0);
      disk_free(&disk);
    }
    assert_true(n > (write_file == checkpoint_write ? 15 : 8));
    sample_free(&fresh);
  }
}

static void failed_allocations_in_reading_leave_nothing(void **state)
{
  (void)state;
  memory_disk disk;
  prepare(&disk, 2);
  floc_status status = FLOC_OUT_OF_MEMORY;
  int64_t n = 1;
  for (; status != FLOC_OK; n++) {
    counting_allocator counter = {.fail_at = n};
    environment env = counting_environment(&counter, 2);
    checkpoint *file;
    status = checkpoint_open(&env, &disk.layer, PATH, &file);
    if (status == FLOC_OK)
      checkpoint_close(file);
    else
      assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    assert_int_equal(counter.held, 0);
    assert_int_equal(disk_open_count(&disk), 0);
  }
  assert_true(n > 15);
  disk_free(&disk);
}

/* Out of memory is not damage: the search for a valid file must stop, not fall back to an older one. */
static void failed_allocations_in_choosing_do_not_fall_back(void **state)
{
  (void)state;
  memory_disk disk;
  prepare(&disk, 3);
  disk.file[disk_find(disk.name, PATH)->file].bytes[100] ^= 1;
  floc_status status = FLOC_OUT_OF_MEMORY;
  for (int64_t n = 1; status != FLOC_OK; n++) {
    counting_allocator counter = {.fail_at = n};
    environment env = counting_environment(&counter, 1);
    checkpoint *file;
    checkpoint_choice choice;
    status = checkpoint_newest_valid(&env, &disk.layer, PATH, &file, &choice);
    if (status == FLOC_OK) {
      environment plain = test_environment(1);
      assert_int_equal(version_of(file, &plain), OLD_FILES - 1);
      assert_int_equal(choice.refused_count, 1);
    } else {
      assert_int_equal(status, FLOC_OUT_OF_MEMORY);
      assert_null(file);
      assert_null(choice.taken);
    }
    checkpoint_close(file);
    checkpoint_choice_free(&choice);
    assert_int_equal(counter.held, 0);
  }
  disk_free(&disk);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operation_may_fail_once),
      cmocka_unit_test(a_full_disk_is_named_and_leaves_no_file),
      cmocka_unit_test(short_writes_and_reads_do_no_harm),
      cmocka_unit_test(silent_damage_is_found_by_reading_back),
      cmocka_unit_test(after_a_crash_at_any_operation_one_is_readable),
      cmocka_unit_test(after_a_loss_of_power_one_is_readable),
      cmocka_unit_test(the_next_writing_after_a_crash_is_whole),
      cmocka_unit_test(a_damaged_newest_file_does_not_cost_the_older_one),
      cmocka_unit_test(reading_may_fail_at_every_operation),
      cmocka_unit_test(failed_allocations_leave_the_old_file),
      cmocka_unit_test(failed_allocations_in_reading_leave_nothing),
      cmocka_unit_test(failed_allocations_in_choosing_do_not_fall_back),
  };
  int failed = cmocka_run_group_tests_name("compressed", tests, NULL, NULL);
  return failed + cmocka_run_group_tests_name("uncompressed", tests, without_compression, NULL);
}
