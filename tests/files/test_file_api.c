/*
 * floc_file_*: looking into a checkpoint through the public header.
 */
#include "samples.h"

#include "files/checkpoint.h"

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

/* A program that was built when the struct ended after `type`. */
static void an_older_struct_is_not_overrun(void **state)
{
  (void)state;
  floc_file *file;
  assert_int_equal(floc_file_open(PATH, &file, NULL, 0), FLOC_OK);
  floc_section_info info;
  memset(&info, 0xaa, sizeof info);
  info.struct_size = offsetof(floc_section_info, rows);
  assert_int_equal(floc_file_section(file, 0, &info), FLOC_OK);
  assert_string_equal(info.name, "particles.x");
  assert_true(info.rows == 0xaaaaaaaaaaaaaaaau && info.raw_bytes == 0xaaaaaaaaaaaaaaaau);
  floc_file_close(file);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_open_file_tells_what_it_holds),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test(an_older_struct_is_not_overrun),
  };
  return cmocka_run_group_tests(tests, write_sample, remove_sample);
}
