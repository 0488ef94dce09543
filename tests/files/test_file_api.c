/*
 * floc_file_*: looking into a checkpoint through the public header.
 */
#include "samples.h"

#include "files/checkpoint/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static char PATH[40];

static int write_sample(void **state)
{
  static sample written;
  static environment env;
  env = test_environment(1);
  snprintf(PATH, sizeof PATH, "test_file_api.%ld.floc", (long)getpid());
  sample_make(&written, &env, 1000, 3);
  *state = &written;
  return checkpoint_write(&env, file_layer_system(), PATH, 1, &written.list) == FLOC_OK ? 0 : -1;
}

static int remove_sample(void **state)
{
  sample_free(*state);
  return unlink(PATH);
}

static void an_open_file_tells_what_it_holds(void **state)
{
  const sample *written = *state;
  floc_file *file;
  char message[200] = "old";
  assert_int_equal(floc_file_open(PATH, &file, message, sizeof message), FLOC_OK);
  assert_string_equal(message, "");
  assert_int_equal(floc_file_section_count(file), SAMPLE_SECTIONS);
  for (int32_t k = 0; k < SAMPLE_SECTIONS; k++) {
    const section *expected = &written->list.item[k];
    floc_section_info info = {.struct_size = sizeof info};
    assert_int_equal(floc_file_section(file, k, &info), FLOC_OK);
    assert_string_equal(info.name, expected->name);
    assert_string_equal(info.type, expected->type);
    assert_int_equal(info.rows, expected->rows);
    assert_int_equal(info.columns, expected->columns);
    assert_int_equal(info.is_state, expected->is_state);
    size_t size = expected->rows * expected->columns * section_type_size(expected->type);
    assert_int_equal(info.raw_bytes, size);
    assert_in_range(info.stored_bytes, size > 0, size);
    assert_int_equal(info.struct_size, sizeof info);
    unsigned char *bytes = malloc(size + 1);
    bytes[size] = 0xaa;
    assert_int_equal(floc_file_read(file, k, bytes, size), FLOC_OK);
    assert_memory_equal(bytes, expected->data, size);
    assert_int_equal(bytes[size], 0xaa);
    if (size > 0) assert_int_equal(floc_file_read(file, k, bytes, size - 1), FLOC_INVALID_ARGUMENT);
    if (size > 0) assert_int_equal(floc_file_read(file, k, NULL, size), FLOC_INVALID_ARGUMENT);
    free(bytes);
  }
  uint64_t hash;
  assert_int_equal(floc_file_hash(file, &hash), FLOC_OK);
  assert_true(hash == section_list_hash(&written->list));
  floc_file_close(file);
}

/* Rows in any order are read sorted: by the first number, then by the second, with everything in its place. */
static void rows_in_any_order_come_sorted(void **state)
{
  (void)state;
  enum { ROWS = 7, COLUMNS = 3 };
  static const double mixed[ROWS][COLUMNS] = {{2, 5, 1},  {1, 9, 2},         {2, 3, -0.0}, {INFINITY, 0, 4},
                                              {-1, 2, 5}, {-INFINITY, 0, 6}, {-1, -2, 7}};
  static const double sorted[ROWS][COLUMNS] = {{-INFINITY, 0, 6}, {-1, -2, 7}, {-1, 2, 5},      {1, 9, 2},
                                               {2, 3, -0.0},      {2, 5, 1},   {INFINITY, 0, 4}};
  environment env = test_environment(1);
  char path[2][48];
  floc_file *file[2];
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    section_list list;
    section_list_init(&list, &env);
    assert_ok(&env, section_list_add(&list, "rows", "f64", ROWS, COLUMNS, k == 0 ? mixed : sorted, true));
    assert_ok(&env, section_list_add(&list, "none", "f64", 0, COLUMNS, mixed, true));
    list.item[0].any_order = list.item[1].any_order = k == 0;
    snprintf(path[k], sizeof path[k], "%.40s.%d", PATH, k);
    assert_ok(&env, checkpoint_write_plain(&env, file_layer_system(), path[k], 1, &list));
    section_list_free(&list);
    assert_int_equal(floc_file_open(path[k], &file[k], NULL, 0), FLOC_OK);
    double found[ROWS][COLUMNS];
    assert_int_equal(floc_file_read(file[k], 0, found, sizeof found), FLOC_OK);
    assert_memory_equal(found, sorted, sizeof found);
    assert_int_equal(floc_file_hash(file[k], &hash[k]), FLOC_OK);
  }
  assert_true(hash[0] == hash[1]);
  floc_section_difference difference = {.struct_size = sizeof difference};
  assert_int_equal(floc_file_compare(file[0], 0, file[1], &difference), FLOC_OK);
  assert_true(difference.differing == 0 && !difference.missing && !difference.other_kind);
  floc_section_info info[2] = {{.struct_size = sizeof info[0]}, {.struct_size = sizeof info[1]}};
  for (int k = 0; k < 2; k++) assert_int_equal(floc_file_section(file[k], 0, &info[k]), FLOC_OK);
  assert_int_equal(info[0].crc32, info[1].crc32);
  for (int k = 0; k < 2; k++) {
    floc_file_close(file[k]);
    unlink(path[k]);
  }
}

static void what_cannot_be_sorted_is_not_written(void **state)
{
  (void)state;
  static const struct {
    const char *type;
    uint64_t columns;
    const char *says;
  } wrong[] = {{"i64", 3, "3 columns of i64"}, {"f64", 1, "1 columns of f64"}};
  static const double numbers[6] = {0};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    environment env = test_environment(1);
    section_list list;
    section_list_init(&list, &env);
    assert_ok(&env, section_list_add(&list, "rows", wrong[k].type, 2, wrong[k].columns, numbers, true));
    list.item[0].any_order = true;
    assert_int_equal(checkpoint_write_plain(&env, file_layer_system(), "not-written.floc", 1, &list),
                     FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(env.message, wrong[k].says));
    section_list_free(&list);
  }
}

static void wrong_arguments_are_refused(void **state)
{
  (void)state;
  floc_file *file;
  char message[300], small[8];
  uint64_t hash;
  floc_section_info info = {.struct_size = sizeof info};
  assert_int_equal(floc_file_open("nothing.floc", &file, message, sizeof message), FLOC_NOT_FOUND);
  assert_non_null(strstr(message, "nothing.floc: cannot be opened for reading"));
  assert_null(file);
  assert_int_equal(floc_file_open("nothing.floc", &file, small, sizeof small), FLOC_NOT_FOUND);
  assert_string_equal(small, "nothing");
  assert_int_equal(floc_file_open("nothing.floc", &file, NULL, 0), FLOC_NOT_FOUND);
  assert_int_equal(floc_file_open(NULL, &file, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_file_open(PATH, NULL, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_file_section_count(NULL), 0);
  assert_int_equal(floc_file_section(NULL, 0, &info), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_file_hash(NULL, &hash), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_file_read(NULL, 0, message, 1), FLOC_INVALID_ARGUMENT);
  floc_file_close(NULL);
  assert_int_equal(floc_file_open(PATH, &file, NULL, 0), FLOC_OK);
  assert_int_equal(floc_file_section(file, -1, &info), FLOC_NOT_FOUND);
  assert_int_equal(floc_file_section(file, SAMPLE_SECTIONS, &info), FLOC_NOT_FOUND);
  assert_int_equal(floc_file_section(file, 0, NULL), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_file_read(file, SAMPLE_SECTIONS, message, sizeof message), FLOC_NOT_FOUND);
  assert_int_equal(floc_file_hash(file, NULL), FLOC_INVALID_ARGUMENT);
  info.struct_size = 0;
  assert_int_equal(floc_file_section(file, 0, &info), FLOC_INVALID_ARGUMENT);
  floc_file_close(file);
}

/* Two files that differ in one number each of two sections, in rows, and in a section that only one has. */
static void differences_are_found(void **state)
{
  const sample *written = *state;
  char other_path[48];
  snprintf(other_path, sizeof other_path, "%s.other", PATH);
  environment env = test_environment(1);
  double x[1000];
  memcpy(x, written->list.item[0].data, sizeof x);
  x[17] += 0.25;
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, section_list_add(&list, "particles.x", "f64", 1000, 1, x, true));
  assert_ok(&env, section_list_add(&list, "particles.id", "i32", 2, 1, x, true));
  assert_ok(&env, section_list_add(&list, "pairs", "i32", 999, 2, written->list.item[2].data, true));
  assert_ok(&env, checkpoint_write(&env, file_layer_system(), other_path, 1, &list));
  section_list_free(&list);
  floc_file *file, *other;
  assert_int_equal(floc_file_open(PATH, &file, NULL, 0), FLOC_OK);
  assert_int_equal(floc_file_open(other_path, &other, NULL, 0), FLOC_OK);
  unlink(other_path);
  floc_section_difference found = {.struct_size = sizeof found};
  for (int32_t k = 0; k < SAMPLE_SECTIONS; k++) {
    assert_int_equal(floc_file_compare(file, k, file, &found), FLOC_OK);
    assert_true(!found.missing && !found.other_kind && found.differing == 0 && found.rows_a == found.rows_b);
  }
  assert_int_equal(floc_file_compare(file, 0, other, &found), FLOC_OK);
  assert_true(found.differing == 1 && found.row == 17 && found.column == 0 && found.value_b == x[17]);
  assert_close(found.greatest, 0.25, 1e-12 * fabs(x[17]));
  assert_int_equal(floc_file_compare(file, 1, other, &found), FLOC_OK);
  assert_true(found.other_kind && found.differing == 0);
  assert_int_equal(floc_file_compare(file, 2, other, &found), FLOC_OK);
  assert_true(found.differing == 0 && found.rows_a == 1000 && found.rows_b == 999);
  assert_int_equal(floc_file_compare(file, 3, other, &found), FLOC_OK);
  assert_true(found.missing);
  assert_int_equal(floc_file_compare(file, SAMPLE_SECTIONS, other, &found), FLOC_NOT_FOUND);
  assert_int_equal(floc_file_compare(file, 0, NULL, &found), FLOC_INVALID_ARGUMENT);
  found.struct_size = 0;
  assert_int_equal(floc_file_compare(file, 0, other, &found), FLOC_INVALID_ARGUMENT);
  floc_file_close(file);
  floc_file_close(other);
}

/* No program was built when the struct ended after `type`. */
static void a_struct_that_never_was_is_refused(void **state)
{
  (void)state;
  floc_file *file;
  assert_int_equal(floc_file_open(PATH, &file, NULL, 0), FLOC_OK);
  floc_section_info info;
  memset(&info, 0xaa, sizeof info);
  info.struct_size = offsetof(floc_section_info, rows);
  assert_int_equal(floc_file_section(file, 0, &info), FLOC_INVALID_ARGUMENT);
  assert_true(info.rows == 0xaaaaaaaaaaaaaaaau && info.raw_bytes == 0xaaaaaaaaaaaaaaaau);
  floc_file_close(file);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_open_file_tells_what_it_holds),
      cmocka_unit_test(rows_in_any_order_come_sorted),
      cmocka_unit_test(what_cannot_be_sorted_is_not_written),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test(differences_are_found),
      cmocka_unit_test(a_struct_that_never_was_is_refused),
  };
  return cmocka_run_group_tests(tests, write_sample, remove_sample);
}
