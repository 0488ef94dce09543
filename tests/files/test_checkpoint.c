/*
 * Checkpoints that go well: round trips, the same bytes at any number of threads, rotation, the newest
 * valid file, the golden files of released formats; and what is refused at the time of writing.
 */
#include "predicted_sample.h"

#include "base/numbers/byte_order.h"
#include "files/checkpoint/checkpoint.h"
#include "files/checkpoint/format.h"
#include "memory_disk.h"
#include "ways_of_writing.h"

#include <stdio.h>
#include <unistd.h>

static const char PATH[] = "run.floc";

static void write_sample(memory_disk *disk, const char *path, int32_t keep, uint64_t rows, uint64_t version)
{
  environment env = test_environment(1);
  sample written;
  sample_make(&written, &env, rows, version);
  assert_ok(&env, write_file(&env, &disk->layer, path, keep, &written.list));
  sample_free(&written);
}

static bool holds(memory_disk *disk, const char *path, uint64_t rows, uint64_t version)
{
  environment env = test_environment(1);
  sample expected;
  checkpoint *file;
  if (checkpoint_open(&env, &disk->layer, path, &file) != FLOC_OK) return false;
  sample_make(&expected, &env, rows, version);
  bool equal = sections_equal(checkpoint_sections(file), &expected.list);
  sample_free(&expected);
  checkpoint_close(file);
  return equal;
}

static void check_round_trip(memory_disk *disk, const section_list *list, int32_t threads)
{
  counting_allocator counter = {0};
  environment env = counting_environment(&counter, threads);
  char path[30];
  snprintf(path, sizeof path, "%d.floc", (int)threads);
  assert_ok(&env, write_file(&env, &disk->layer, path, 1, list));
  const disk_file *first = disk_get(disk, "1.floc"), *here = disk_get(disk, path);
  assert_int_equal(here->size, first->size);
  assert_memory_equal(here->bytes, first->bytes, first->size);
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, &disk->layer, path, &file));
  assert_true(sections_equal(checkpoint_sections(file), list));
  assert_true(section_list_hash(checkpoint_sections(file)) == section_list_hash(list));
  checkpoint_close(file);
  assert_int_equal(counter.held, 0);
}

static void every_type_comes_back_at_any_number_of_threads(void **state)
{
  (void)state;
  static const uint64_t lengths[] = {1, 3, 16, 1000, 131071, 131072, 131073, 300000};
  static const int32_t threads[] = {1, 2, 3, 8};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    environment env = test_environment(1);
    memory_disk disk;
    disk_init(&disk);
    sample written;
    sample_make(&written, &env, lengths[k], 7);
    for (size_t t = 0; t < 4; t++) check_round_trip(&disk, &written.list, threads[t]);
    sample_free(&written);
    assert_int_equal(disk_open_count(&disk), 0);
    disk_free(&disk);
  }
}

static void special_doubles_keep_their_bits(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  uint64_t bits[4096];
  for (uint64_t k = 0; k < 4096; k++) {
    static const uint64_t special[] = {
        0, 0x8000000000000000u, 0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u, 0x7ff0000000000001u,
        1, 0x000fffffffffffffu};
    bits[k] = k < 8 ? special[k] : special[k % 8] ^ (k << (k % 50));
  }
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, section_list_add(&list, "bits", "f64", 4096, 1, bits, true));
  assert_ok(&env, write_file(&env, &disk.layer, PATH, 1, &list));
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, &disk.layer, PATH, &file));
  assert_memory_equal(checkpoint_sections(file)->item[0].data, bits, sizeof bits);
  checkpoint_close(file);
  section_list_free(&list);
  disk_free(&disk);
}

static void a_file_without_sections_is_a_file(void **state)
{
  (void)state;
  counting_allocator counter = {0};
  environment env = counting_environment(&counter, 2);
  memory_disk disk;
  disk_init(&disk);
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, write_file(&env, &disk.layer, PATH, 1, &list));
  assert_int_equal(disk_get(&disk, PATH)->size, sizeof(file_header));
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, &disk.layer, PATH, &file));
  assert_int_equal(checkpoint_sections(file)->count, 0);
  checkpoint_close(file);
  assert_int_equal(counter.held, 0);
  disk_free(&disk);
}

static void constant_columns_take_next_to_nothing(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  enum { COUNT = 200000 };
  double *masses = malloc(COUNT * sizeof *masses);
  int64_t *ids = malloc(COUNT * sizeof *ids);
  for (int64_t k = 0; k < COUNT; k++) {
    masses[k] = 1.1;
    ids[k] = k + 1;
  }
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, section_list_add(&list, "mass", "f64", COUNT, 1, masses, true));
  assert_ok(&env, section_list_add(&list, "id", "i64", COUNT, 1, ids, true));
  assert_ok(&env, write_file(&env, &disk.layer, PATH, 1, &list));
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, &disk.layer, PATH, &file));
  for (int32_t k = 0; k < 2; k++) assert_in_range(checkpoint_stored_bytes(file, k), 1, COUNT * 8 / 400);
  checkpoint_close(file);
  section_list_free(&list);
  free(masses);
  free(ids);
  disk_free(&disk);
}

static void the_last_files_stay_under_numbers(void **state)
{
  (void)state;
  memory_disk disk;
  disk_init(&disk);
  for (uint64_t version = 1; version <= 5; version++) write_sample(&disk, PATH, 3, 3, version);
  assert_true(holds(&disk, "run.floc", 3, 5));
  assert_true(holds(&disk, "run.floc.1", 3, 4));
  assert_true(holds(&disk, "run.floc.2", 3, 3));
  assert_null(disk_get(&disk, "run.floc.3"));
  assert_int_equal(disk_temporaries(&disk), 0);
  write_sample(&disk, PATH, 5, 3, 6);
  assert_true(holds(&disk, "run.floc.3", 3, 3));
  write_sample(&disk, PATH, 2, 3, 7); /* fewer than before: the surplus goes */
  assert_true(holds(&disk, "run.floc", 3, 7));
  assert_true(holds(&disk, "run.floc.1", 3, 6));
  for (int number = 2; number < 6; number++) {
    char name[20];
    snprintf(name, sizeof name, "run.floc.%d", number);
    assert_null(disk_get(&disk, name));
  }
  disk_free(&disk);
}

/* A crash between two renames leaves a gap in the numbers; the next rotation closes it, losing nothing. */
static void a_gap_in_the_numbers_is_filled(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  for (uint64_t version = 1; version <= 3; version++) write_sample(&disk, PATH, 3, 3, version);
  disk_rename(&disk, "run.floc.1", "elsewhere");
  write_sample(&disk, PATH, 3, 3, 4);
  assert_true(holds(&disk, "run.floc", 3, 4));
  assert_true(holds(&disk, "run.floc.1", 3, 3));
  assert_true(holds(&disk, "run.floc.2", 3, 1));
  (void)env;
  disk_free(&disk);
}

/* ---- the newest file that is whole --------------------------------------------------------------- */

static void spoil(memory_disk *disk, const char *path)
{
  disk_file *file = &disk->file[disk_find(disk->name, path)->file];
  file->bytes[100] ^= 1; /* in the first section */
}

static floc_status choose(memory_disk *disk, environment *env, checkpoint_choice *choice, uint64_t expected_version)
{
  checkpoint *file;
  floc_status status = checkpoint_newest_valid(env, &disk->layer, PATH, &file, choice);
  assert_true((status == FLOC_OK) == (file != NULL));
  if (!file) return status;
  sample expected;
  sample_make(&expected, env, 3, expected_version);
  assert_true(sections_equal(checkpoint_sections(file), &expected.list));
  sample_free(&expected);
  checkpoint_close(file);
  return status;
}

static void the_newest_valid_file_is_taken_and_the_others_named(void **state)
{
  (void)state;
  counting_allocator counter = {0};
  environment env = counting_environment(&counter, 1);
  memory_disk disk;
  disk_init(&disk);
  checkpoint_choice choice;
  assert_int_equal(choose(&disk, &env, &choice, 0), FLOC_NOT_FOUND);
  assert_non_null(strstr(env.message, "run.floc"));
  checkpoint_choice_free(&choice);
  for (uint64_t version = 1; version <= 3; version++) write_sample(&disk, PATH, 3, 3, version);
  assert_ok(&env, choose(&disk, &env, &choice, 3));
  assert_string_equal(choice.taken, "run.floc");
  assert_int_equal(choice.refused_count, 0);
  checkpoint_choice_free(&choice);
  spoil(&disk, "run.floc");
  spoil(&disk, "run.floc.1");
  assert_ok(&env, choose(&disk, &env, &choice, 1));
  assert_string_equal(choice.taken, "run.floc.2");
  assert_int_equal(choice.refused_count, 2);
  assert_string_equal(choice.refused[0].path, "run.floc");
  assert_string_equal(choice.refused[1].path, "run.floc.1");
  assert_int_equal(choice.refused[1].status, FLOC_DAMAGED_FILE);
  assert_non_null(strstr(choice.refused[1].message, "run.floc.1: section"));
  checkpoint_choice_free(&choice);
  spoil(&disk, "run.floc.2");
  assert_int_equal(choose(&disk, &env, &choice, 0), FLOC_DAMAGED_FILE);
  assert_null(choice.taken);
  assert_int_equal(choice.refused_count, 3);
  assert_non_null(strstr(env.message, "none of 3 files can be read; of the newest: run.floc: section"));
  checkpoint_choice_free(&choice);
  assert_int_equal(counter.held, 0);
  disk_free(&disk);
}

static void a_file_that_was_not_yet_renamed_counts(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  for (uint64_t version = 1; version <= 3; version++) write_sample(&disk, PATH, 3, 3, version);
  disk_rename(&disk, "run.floc", "run.floc.new");
  checkpoint_choice choice;
  assert_ok(&env, choose(&disk, &env, &choice, 3));
  assert_string_equal(choice.taken, "run.floc.new");
  checkpoint_choice_free(&choice);
  spoil(&disk, "run.floc.new");
  assert_ok(&env, choose(&disk, &env, &choice, 2));
  assert_string_equal(choice.taken, "run.floc.1");
  assert_int_equal(choice.refused_count, 1);
  checkpoint_choice_free(&choice);
  disk_free(&disk);
}

/* What a dead writer left is newer than what has its name, and the greater number than the smaller one; a name that
 * is not ours is none of them. The next writing is newer than all of them, and removes them. */
static void of_files_that_were_not_renamed_the_last_counts(void **state)
{
  (void)state;
  static const char *const left[] = {"run.floc.new", "run.floc.new-2-17-0badcafe", "run.floc.new-10-9-00000001"};
  static const char *const foreign[] = {"run.floc.new-10", "run.floc.newer", "run.floc.01", "xrun.floc.new"};
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  checkpoint_choice choice;
  for (uint64_t version = 1; version <= 3; version++) {
    write_sample(&disk, "other", 1, 3, version + 10);
    disk_rename(&disk, "other", left[version - 1]);
  }
  for (int k = 0; k < 4; k++) disk_place(&disk, foreign[k], "text", 4);
  for (int k = 2; k >= 0; k--) {
    assert_ok(&env, choose(&disk, &env, &choice, (uint64_t)k + 11));
    assert_string_equal(choice.taken, left[k]);
    checkpoint_choice_free(&choice);
    spoil(&disk, left[k]);
  }
  write_sample(&disk, PATH, 1, 3, 1);
  assert_ok(&env, choose(&disk, &env, &choice, 1));
  assert_int_equal(choice.refused_count, 0);
  checkpoint_choice_free(&choice);
  for (int k = 0; k < 3; k++) assert_null(disk_get(&disk, left[k]));
  for (int k = 0; k < 4; k++) assert_non_null(disk_get(&disk, foreign[k]));
  disk_free(&disk);
}

/* ---- what is refused ------------------------------------------------------------------------------ */

typedef struct refused_section {
  const char *name, *type;
  uint64_t rows, columns;
  const void *data;
  floc_status status;
  const char *says;
} refused_section;

static void what_cannot_be_stored_is_refused_and_named(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  write_sample(&disk, PATH, 1, 3, 1);
  int64_t number = 5;
  const refused_section cases[] = {
      {"", "f64", 1, 1, &number, FLOC_INVALID_ARGUMENT, "section name \"\" cannot be stored"},
      {"line\nbreak", "f64", 1, 1, &number, FLOC_INVALID_ARGUMENT, "cannot be stored"},
      {"short", "f32", 1, 1, &number, FLOC_INVALID_ARGUMENT, "section \"short\": type \"f32\""},
      {"nothing", "f64", 1, 1, NULL, FLOC_INVALID_ARGUMENT, "section \"nothing\": data is NULL"},
      {"huge", "f64", UINT64_MAX / 4, 3, &number, FLOC_LIMIT_EXCEEDED, "section \"huge\""},
      {"huge", "u8", UINT64_MAX, 1, &number, FLOC_LIMIT_EXCEEDED, "section \"huge\""},
      {"first", "u8", 1, 1, &number, FLOC_ALREADY_EXISTS, "section \"first\" is listed twice"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    section_list list;
    section_list_init(&list, &env);
    assert_ok(&env, section_list_add(&list, "first", "i64", 1, 1, &number, true));
    assert_ok(&env, section_list_add(&list, cases[k].name, cases[k].type, cases[k].rows, cases[k].columns,
                                     cases[k].data, true));
    assert_int_equal(write_file(&env, &disk.layer, PATH, 1, &list), cases[k].status);
    if (!strstr(env.message, cases[k].says)) fail_msg("\"%s\" does not say \"%s\"", env.message, cases[k].says);
    section_list_free(&list);
  }
  section_list empty;
  section_list_init(&empty, &env);
  assert_int_equal(write_file(&env, &disk.layer, PATH, 0, &empty), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "keep is 0; it must be an integer between 1 and 1000"));
  assert_int_equal(write_file(&env, &disk.layer, PATH, 1001, &empty), FLOC_INVALID_ARGUMENT);
  assert_int_equal(write_file(&env, &disk.layer, "", 1, &empty), FLOC_INVALID_ARGUMENT);
  assert_int_equal(write_file(&env, &disk.layer, NULL, 1, &empty), FLOC_INVALID_ARGUMENT);
  checkpoint *file;
  assert_int_equal(checkpoint_open(&env, &disk.layer, NULL, &file), FLOC_INVALID_ARGUMENT);
  checkpoint_choice choice;
  assert_int_equal(checkpoint_newest_valid(&env, &disk.layer, "", &file, &choice), FLOC_INVALID_ARGUMENT);
  checkpoint_choice_free(&choice);
  assert_true(holds(&disk, PATH, 3, 1));
  assert_int_equal(disk_temporaries(&disk), 0);
  disk_free(&disk);
}

/* Neither at the path nor at a number that would move, or go. */
static void what_is_no_checkpoint_stays(void **state)
{
  (void)state;
  static const char *const names[] = {"run.floc", "run.floc.1", "run.floc.2", "run.floc.3"};
  static const char *const texts[] = {"a text of somebody", "FLOC", ""};
  for (int n = 0; n < 4; n++) {
    for (int k = 0; k < 3; k++) {
      environment env = test_environment(1);
      memory_disk disk;
      disk_init(&disk);
      for (uint64_t version = 1; version <= 3; version++) write_sample(&disk, PATH, 3, 3, version);
      disk_place(&disk, names[n], texts[k], strlen(texts[k]));
      sample fresh;
      sample_make(&fresh, &env, 3, 4);
      floc_status status = write_file(&env, &disk.layer, PATH, 3, &fresh.list);
      sample_free(&fresh);
      const disk_file *kept = disk_get(&disk, names[n]);
      assert_non_null(kept);
      assert_int_equal(kept->size, strlen(texts[k]));
      assert_memory_equal(kept->bytes, texts[k], kept->size);
      assert_int_equal(disk_temporaries(&disk), 0);
      assert_int_equal(status, FLOC_FILE_ERROR);
      assert_non_null(strstr(env.message, names[n]));
      assert_non_null(strstr(env.message, "it is not a checkpoint"));
      for (int other = 0; other < 3; other++)
        if (other != n) assert_true(holds(&disk, names[other], 3, 3 - (uint64_t)other));
      disk_free(&disk);
    }
  }
}

/* A name without end, as no list would make it. */
static void a_name_of_sixty_four_bytes_is_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  int64_t number = 5;
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, section_list_add(&list, "x", "i64", 1, 1, &number, true));
  memset(list.item[0].name, 'x', sizeof list.item[0].name);
  assert_int_equal(write_file(&env, &disk.layer, PATH, 1, &list), FLOC_INVALID_ARGUMENT);
  section_list_free(&list);
  disk_free(&disk);
}

/* ---- golden files --------------------------------------------------------------------------------- */

/* tests/golden/format-1.floc was written once, by version 0.1.0, from sample_make(rows 40, version 1). It is
 * never written again: whatever the writer does later, these bytes must stay readable. */
static void files_of_format_1_stay_readable(void **state)
{
  (void)state;
  environment env = test_environment(1);
  const char *path = "tests/golden/format-1.floc";
  sample expected;
  sample_make(&expected, &env, 40, 1);
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, file_layer_system(), path, &file));
  assert_true(sections_equal(checkpoint_sections(file), &expected.list));
  checkpoint_close(file);
  sample_free(&expected);
}

/* tests/golden/format-2*.floc were written once, by version 0.1.0: sample_make(rows 300, version 2) and
 * predicted_make(dimension 2, seed 10). */
static void files_of_format_2_stay_readable(void **state)
{
  (void)state;
  environment env = test_environment(1);
  sample expected;
  static predicted_sample predicted;
  sample_make(&expected, &env, 300, 2);
  predicted_make(&predicted, &env, 2, 10);
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, file_layer_system(), "tests/golden/format-2.floc", &file));
  assert_true(sections_equal(checkpoint_sections(file), &expected.list));
  checkpoint_close(file);
  assert_ok(&env, checkpoint_open(&env, file_layer_system(), "tests/golden/format-2-predicted.floc", &file));
  assert_true(sections_equal(checkpoint_sections(file), &predicted.list));
  checkpoint_close(file);
  section_list_free(&predicted.list);
  sample_free(&expected);
}

/* ---- without compression --------------------------------------------------------------------------- */

static void numbers_are_stored_as_they_are(void **state)
{
  (void)state;
  environment env = test_environment(2);
  memory_disk disk;
  disk_init(&disk);
  sample written;
  sample_make(&written, &env, 100000, 5);
  assert_ok(&env, write_file(&env, &disk.layer, PATH, 1, &written.list));
  const disk_file *file = disk_get(&disk, PATH);
  size_t place = sizeof(file_header);
  for (int32_t k = 0; k < written.list.count; k++) {
    const section *part = &written.list.item[k];
    size_t element = section_type_size(part->type), bytes = part->rows * part->columns * element;
    assert_true(place + bytes < file->size);
    little_endian_numbers(file->bytes + place, bytes / element, element); /* from the order of files */
    assert_memory_equal(file->bytes + place, part->data, bytes);
    place += bytes;
  }
  sample_free(&written);
  disk_free(&disk);
}

/* Rows that all equal the first one are stored once: of a column, of a table, of single bytes; not if one bit
 * differs, wherever that is, and not where there is nothing to gain. */
static void equal_rows_are_stored_once(void **state)
{
  (void)state;
  enum { ROWS = 100000, COLUMNS = 3 };
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  double *table = malloc(ROWS * COLUMNS * sizeof *table), *differs = malloc(ROWS * sizeof *differs);
  unsigned char *bytes = malloc(ROWS);
  for (size_t k = 0; k < ROWS; k++) {
    for (size_t c = 0; c < COLUMNS; c++) table[COLUMNS * k + c] = -1.0 / (double)(c + 1);
    differs[k] = 0.1;
    bytes[k] = 7;
  }
  differs[ROWS - 1] = 0.2;
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, section_list_add(&list, "table", "f64", ROWS, COLUMNS, table, true));
  assert_ok(&env, section_list_add(&list, "differs", "f64", ROWS, 1, differs, true));
  assert_ok(&env, section_list_add(&list, "bytes", "u8", ROWS, 1, bytes, true));
  assert_ok(&env, section_list_add(&list, "short", "f64", 2, 1, table, true));
  assert_ok(&env, write_file(&env, &disk.layer, PATH, 1, &list));
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, &disk.layer, PATH, &file));
  assert_true(sections_equal(checkpoint_sections(file), &list));
  assert_in_range(checkpoint_stored_bytes(file, 0), 1, ROWS * COLUMNS * sizeof *table / 1000);
  uint64_t last_chunk = ROWS * sizeof *differs % PLAIN_CHUNK_BYTES;
  assert_in_range(checkpoint_stored_bytes(file, 1), last_chunk, last_chunk + ROWS * sizeof *differs / 1000);
  assert_in_range(checkpoint_stored_bytes(file, 2), 1, ROWS / 1000);
  assert_int_equal(checkpoint_stored_bytes(file, 3), 2 * sizeof *table);
  checkpoint_close(file);
  section_list_free(&list);
  free(table);
  free(differs);
  free(bytes);
  disk_free(&disk);
}

int main(void)
{
  const struct CMUnitTest plain[] = {
      cmocka_unit_test(every_type_comes_back_at_any_number_of_threads),
      cmocka_unit_test(special_doubles_keep_their_bits),
      cmocka_unit_test(a_file_without_sections_is_a_file),
      cmocka_unit_test(the_last_files_stay_under_numbers),
      cmocka_unit_test(what_cannot_be_stored_is_refused_and_named),
      cmocka_unit_test(numbers_are_stored_as_they_are),
      cmocka_unit_test(equal_rows_are_stored_once),
  };
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_comes_back_at_any_number_of_threads),
      cmocka_unit_test(special_doubles_keep_their_bits),
      cmocka_unit_test(a_file_without_sections_is_a_file),
      cmocka_unit_test(constant_columns_take_next_to_nothing),
      cmocka_unit_test(the_last_files_stay_under_numbers),
      cmocka_unit_test(a_gap_in_the_numbers_is_filled),
      cmocka_unit_test(the_newest_valid_file_is_taken_and_the_others_named),
      cmocka_unit_test(a_file_that_was_not_yet_renamed_counts),
      cmocka_unit_test(of_files_that_were_not_renamed_the_last_counts),
      cmocka_unit_test(what_is_no_checkpoint_stays),
      cmocka_unit_test(what_cannot_be_stored_is_refused_and_named),
      cmocka_unit_test(a_name_of_sixty_four_bytes_is_refused),
      cmocka_unit_test(files_of_format_1_stay_readable),
      cmocka_unit_test(files_of_format_2_stay_readable),
  };
  int failed = cmocka_run_group_tests_name("compressed", tests, NULL, NULL);
  return failed + cmocka_run_group_tests_name("uncompressed", plain, without_compression, NULL);
}
