/*
 * Tables of observables: numbers that read back, batches, resume, wrong files, failing disks and allocators.
 */
#include "samples.h"

#include "base/number_text.h"
#include "base/random.h"
#include "files/table.h"
#include "memory_disk.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

static const char PATH[] = "energy.tsv";
static const char *const NAMES[] = {"step", "kinetic energy", "contacts"};
static const char HEAD[] = "step\tkinetic energy\tcontacts\n";

static void expect_file(memory_disk *disk, const char *expected)
{
  const disk_file *file = disk_get(disk, PATH);
  assert_non_null(file);
  if (file->size != strlen(expected) || memcmp(file->bytes, expected, file->size) != 0)
    fail_msg("the file is \"%.*s\", expected \"%s\"", (int)file->size, (const char *)file->bytes, expected);
}

/* ---- numbers -------------------------------------------------------------------------------------- */

static void numbers_read_back_to_the_same_bits(void **state)
{
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {
      {0.0, "0"},
      {-0.0, "-0"},
      {1.0, "1"},
      {0.1, "0.1"},
      {1.0 / 3.0, "0.3333333333333333"},
      {0.1 + 0.2, "0.30000000000000004"},
      {-2.5e-7, "-2.5e-07"},
      {1e22, "1e+22"},
      {5e-324, "4.94065645841247e-324"},
      {NAN, "nan"},
      {-NAN, "nan"},
      {INFINITY, "inf"},
      {-INFINITY, "-inf"},
      {1.7976931348623157e308, "1.79769313486232e+308"},
  };
  char text[NUMBER_TEXT_SIZE];
  for (size_t k = 0; k < sizeof cases / sizeof *cases - 1; k++) {
    assert_int_equal(number_text(cases[k].value, text), strlen(cases[k].text));
    assert_string_equal(text, cases[k].text);
  }
  for (uint64_t k = 0; k < 100000; k++) {
    double uniform[4], value, back;
    random_uniform4(5, k, 0, RANDOM_SCRIPT, 0, uniform);
    uint64_t bits = (uint64_t)(uniform[0] * 0x1p32) << 32 | (uint64_t)(uniform[1] * 0x1p32);
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    assert_in_range(number_text(value, text), 1, NUMBER_TEXT_SIZE - 1);
    back = strtod(text, NULL);
    assert_memory_equal(&back, &value, sizeof value);
  }
}

/* The greatest number needs all digits: with fewer it would read back as infinity or another number. */
static void extreme_numbers_read_back(void **state)
{
  (void)state;
  static const double values[] = {1.7976931348623157e308, 2.2250738585072014e-308, 4.9406564584124654e-324,
                                  9007199254740993.0,     123456789012345678.0,    0.30000000000000004};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    char text[NUMBER_TEXT_SIZE];
    number_text(values[k], text);
    assert_true(strtod(text, NULL) == values[k]);
  }
}

static void a_decimal_comma_does_not_get_in(void **state)
{
  (void)state;
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE"};
  bool found = false;
  for (size_t k = 0; k < sizeof locales / sizeof *locales && !found; k++) found = setlocale(LC_NUMERIC, locales[k]);
  if (!found) skip(); /* none is installed */
  char text[NUMBER_TEXT_SIZE];
  number_text(-0.25, text);
  setlocale(LC_NUMERIC, "C");
  assert_string_equal(text, "-0.25");
}

/* ---- tables --------------------------------------------------------------------------------------- */

static void append(environment *env, table_file *rows, double step, double energy, double contacts)
{
  double values[3] = {step, energy, contacts};
  assert_ok(env, table_append(rows, values));
}

static void rows_appear_after_a_flush(void **state)
{
  (void)state;
  counting_allocator counter = {0};
  environment env = counting_environment(&counter, 1);
  memory_disk disk;
  disk_init(&disk);
  disk_place(&disk, PATH, "old", 3);
  table_file *rows;
  assert_ok(&env, table_open(&env, &disk.layer, PATH, NAMES, 3, 0, &rows));
  expect_file(&disk, HEAD);
  append(&env, rows, 0, 0.5, 3);
  append(&env, rows, 1, 1.0 / 3.0, 4);
  expect_file(&disk, HEAD);
  assert_ok(&env, table_flush(rows));
  expect_file(&disk, "step\tkinetic energy\tcontacts\n0\t0.5\t3\n1\t0.3333333333333333\t4\n");
  append(&env, rows, 2, NAN, 5);
  assert_ok(&env, table_close(rows));
  expect_file(&disk, "step\tkinetic energy\tcontacts\n0\t0.5\t3\n1\t0.3333333333333333\t4\n2\tnan\t5\n");
  assert_int_equal(disk_temporaries(&disk), 0);
  assert_int_equal(disk_open_count(&disk), 0);
  assert_int_equal(counter.held, 0);
  assert_ok(&env, table_close(NULL));
  disk_free(&disk);
}

/* Runs a table of `steps` rows, interrupted without a close at `crash` after a position was taken at `save`. */
static void run(memory_disk *disk, int from, int to, uint64_t resume, int save, uint64_t *saved)
{
  environment env = test_environment(1);
  table_file *rows;
  assert_ok(&env, table_open(&env, &disk->layer, PATH, NAMES, 3, resume, &rows));
  for (int step = from; step < to; step++) {
    append(&env, rows, step, sin(step), step % 7);
    if (step == save) assert_ok(&env, table_position(rows, saved));
  }
  assert_ok(&env, table_close(rows));
}

static void a_resumed_table_is_the_uninterrupted_one(void **state)
{
  (void)state;
  memory_disk whole, resumed;
  disk_init(&whole);
  disk_init(&resumed);
  uint64_t position = 0;
  run(&whole, 0, 9000, 0, -1, &position);
  run(&resumed, 0, 8000, 0, 5000, &position); /* it went on beyond the checkpoint at row 5000 */
  assert_true(position > 100000);
  run(&resumed, 5001, 9000, position, -1, &position);
  const disk_file *a = disk_get(&whole, PATH), *b = disk_get(&resumed, PATH);
  assert_int_equal(a->size, b->size);
  assert_memory_equal(a->bytes, b->bytes, a->size);
  disk_free(&whole);
  disk_free(&resumed);
}

/* What table_position reported survives a loss of power. */
static void a_position_is_on_the_disk(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  table_file *rows;
  uint64_t position;
  assert_ok(&env, table_open(&env, &disk.layer, PATH, NAMES, 3, 0, &rows));
  append(&env, rows, 1, 2, 3);
  assert_ok(&env, table_position(rows, &position));
  append(&env, rows, 4, 5, 6);
  assert_ok(&env, table_flush(rows));
  assert_ok(&env, table_close(rows));
  disk_lose_power(&disk, disk.change_count, false);
  assert_int_equal(disk_get(&disk, PATH)->size, position);
  expect_file(&disk, "step\tkinetic energy\tcontacts\n1\t2\t3\n");
  disk_free(&disk);
}

static void tables_that_do_not_fit_are_left_alone(void **state)
{
  (void)state;
  static const char content[] = "step\tkinetic energy\tcontacts\n1\t2\t3\n4\t5\t6\n";
  static const char *const others[] = {"step", "energy", "contacts"};
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  table_file *rows;
  assert_int_equal(table_open(&env, &disk.layer, PATH, NAMES, 3, 40, &rows), FLOC_NOT_FOUND);
  assert_non_null(strstr(env.message, "energy.tsv: cannot be opened for reading"));
  disk_place(&disk, PATH, content, sizeof content - 1);
  assert_int_equal(table_open(&env, &disk.layer, PATH, NAMES, 3, sizeof content, &rows), FLOC_DAMAGED_FILE);
  assert_non_null(strstr(env.message, "energy.tsv: the table is cut: it has 41 bytes, but had 42"));
  assert_int_equal(table_open(&env, &disk.layer, PATH, NAMES, 3, sizeof HEAD + 2, &rows), FLOC_DAMAGED_FILE);
  assert_non_null(strstr(env.message, "energy.tsv: no row of the table ends at offset 32"));
  assert_int_equal(table_open(&env, &disk.layer, PATH, others, 3, sizeof content - 1, &rows),
                   FLOC_STRUCTURE_MISMATCH);
  assert_non_null(strstr(env.message, "its first line must be \"step\tenergy\tcontacts\""));
  assert_int_equal(table_open(&env, &disk.layer, PATH, NAMES, 3, 5, &rows), FLOC_STRUCTURE_MISMATCH);
  assert_null(rows);
  expect_file(&disk, content);
  assert_int_equal(disk_temporaries(&disk), 0);
  assert_int_equal(disk_open_count(&disk), 0);
  assert_ok(&env, table_open(&env, &disk.layer, PATH, NAMES, 3, sizeof HEAD - 1 + 6, &rows));
  assert_ok(&env, table_close(rows));
  expect_file(&disk, "step\tkinetic energy\tcontacts\n1\t2\t3\n");
  disk_free(&disk);
}

static void wrong_names_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  table_file *rows;
  static const char *const tab[] = {"a", "b\tc"}, *const empty[] = {""}, *const none[] = {NULL};
  assert_int_equal(table_open(&env, &disk.layer, PATH, tab, 2, 0, &rows), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "column_names[1]"));
  assert_int_equal(table_open(&env, &disk.layer, PATH, empty, 1, 0, &rows), FLOC_INVALID_ARGUMENT);
  assert_int_equal(table_open(&env, &disk.layer, PATH, none, 1, 0, &rows), FLOC_INVALID_ARGUMENT);
  assert_int_equal(table_open(&env, &disk.layer, PATH, NAMES, 0, 0, &rows), FLOC_INVALID_ARGUMENT);
  assert_int_equal(table_open(&env, &disk.layer, "", NAMES, 3, 0, &rows), FLOC_INVALID_ARGUMENT);
  assert_null(disk_get(&disk, PATH));
  disk_free(&disk);
}

/* ---- failures ------------------------------------------------------------------------------------- */

/* A disk that fails once, at any operation: opening leaves the old table, writing loses and doubles no row. */
static void every_operation_may_fail(void **state)
{
  (void)state;
  static const char old[] = "step\tkinetic energy\tcontacts\n7\t8\t9\n";
  static const disk_fault faults[] = {FAULT_ERROR, FAULT_SHORT};
  for (int f = 0; f < 2; f++) {
    bool is_past = false;
    for (int64_t n = 1; !is_past && n < 40; n++) {
      counting_allocator counter = {0};
      environment env = counting_environment(&counter, 1);
      memory_disk disk;
      disk_init(&disk);
      disk_place(&disk, PATH, old, sizeof old - 1);
      disk_arm(&disk, faults[f], n, ENOSPC);
      table_file *rows;
      if (table_open(&env, &disk.layer, PATH, NAMES, 3, sizeof old - 1, &rows) != FLOC_OK) {
        assert_int_equal(disk_temporaries(&disk), 0);
        expect_file(&disk, old);
      } else {
        double values[3] = {1, 2, 3};
        uint64_t position;
        if (table_append(rows, values) != FLOC_OK) append(&env, rows, 1, 2, 3);
        if (table_flush(rows) != FLOC_OK) assert_ok(&env, table_flush(rows));
        values[0] = 4;
        assert_ok(&env, table_append(rows, values));
        if (table_position(rows, &position) != FLOC_OK) assert_ok(&env, table_position(rows, &position));
        floc_status status = table_close(rows);
        is_past = !disk.happened && faults[f] == FAULT_ERROR;
        assert_true(status == FLOC_OK || disk.failed_operation == DISK_CLOSE);
        expect_file(&disk, "step\tkinetic energy\tcontacts\n7\t8\t9\n1\t2\t3\n4\t2\t3\n");
        assert_int_equal(position, disk_get(&disk, PATH)->size);
      }
      assert_int_equal(disk_open_count(&disk), 0);
      assert_int_equal(counter.held, 0);
      disk_free(&disk);
    }
    assert_true(is_past || faults[f] == FAULT_SHORT);
  }
}

/* A disk that takes half of a write and then nothing more, until it is told otherwise. */
static bool is_full;

static int write_half(void *context, int handle, const void *bytes, size_t size, size_t *written)
{
  static int calls;
  if (is_full && calls++ % 2 == 1) return ENOSPC;
  return disk_write(context, handle, bytes, is_full ? size / 2 : size, written);
}

static void a_disk_that_was_full_for_a_while_leaves_no_torn_row(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  disk.layer.write = write_half;
  table_file *rows;
  is_full = false;
  assert_ok(&env, table_open(&env, &disk.layer, PATH, NAMES, 3, 0, &rows));
  for (int step = 0; step < 100; step++) append(&env, rows, step, 2.5, 3);
  assert_ok(&env, table_flush(rows));
  for (int step = 100; step < 200; step++) append(&env, rows, step, 2.5, 3);
  is_full = true;
  for (int try = 0; try < 3; try++) {
    assert_int_equal(table_flush(rows), FLOC_FILE_ERROR);
    assert_non_null(strstr(env.message, "energy.tsv: cannot be written at offset "));
    assert_non_null(strstr(env.message, "No space left on device"));
  }
  double values[3] = {200, 2.5, 3};
  int taken = 200;
  while (table_append(rows, values) == FLOC_OK && taken < 100000)
    values[0] = ++taken; /* until the buffer is full */
  assert_in_range(taken, 1000, 99999);
  is_full = false;
  append(&env, rows, taken, 2.5, 3);
  assert_ok(&env, table_close(rows));
  static char expected[1 << 18];
  size_t length = (size_t)snprintf(expected, sizeof expected, "%s", HEAD);
  for (int step = 0; step <= taken && length < sizeof expected; step++)
    length += (size_t)snprintf(expected + length, sizeof expected - length, "%d\t2.5\t3\n", step);
  assert_true(length < sizeof expected);
  expect_file(&disk, expected);
  disk_free(&disk);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  static const char old[] = "step\tkinetic energy\tcontacts\n7\t8\t9\n";
  floc_status status = FLOC_OUT_OF_MEMORY;
  for (int64_t n = 1; status != FLOC_OK; n++) {
    counting_allocator counter = {.fail_at = n};
    environment env = counting_environment(&counter, 1);
    memory_disk disk;
    disk_init(&disk);
    disk_place(&disk, PATH, old, sizeof old - 1);
    table_file *rows;
    status = table_open(&env, &disk.layer, PATH, NAMES, 3, sizeof old - 1, &rows);
    if (status != FLOC_OK) {
      assert_int_equal(status, FLOC_OUT_OF_MEMORY);
      assert_int_equal(disk_temporaries(&disk), 0);
    } else {
      table_close(rows);
    }
    expect_file(&disk, old);
    assert_int_equal(disk_open_count(&disk), 0);
    assert_int_equal(counter.held, 0);
    disk_free(&disk);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_read_back_to_the_same_bits),
      cmocka_unit_test(extreme_numbers_read_back),
      cmocka_unit_test(a_decimal_comma_does_not_get_in),
      cmocka_unit_test(rows_appear_after_a_flush),
      cmocka_unit_test(a_resumed_table_is_the_uninterrupted_one),
      cmocka_unit_test(a_position_is_on_the_disk),
      cmocka_unit_test(tables_that_do_not_fit_are_left_alone),
      cmocka_unit_test(wrong_names_are_refused),
      cmocka_unit_test(every_operation_may_fail),
      cmocka_unit_test(a_disk_that_was_full_for_a_while_leaves_no_torn_row),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
