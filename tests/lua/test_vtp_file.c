/*
 * Files of VTK: the arrays come back from the appended part bit by bit, for sizes around a block's; memory that
 * fails at any call and disks that are full are told of, and leave nothing behind. The file itself is part of the
 * test, so that its allocations can fail.
 */
#include "support.h"

#include <stdlib.h>

static int allocations_left = -1; /* -1: without limit */

static void *limited_realloc(void *pointer, size_t size)
{
  if (allocations_left == 0) return NULL;
  if (allocations_left > 0) allocations_left--;
  return realloc(pointer, size);
}

#define realloc limited_realloc
#include "../../bindings/lua/output/vtp_file.c"
#undef realloc

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static char path[64];

static int make_path(void **state)
{
  (void)state;
  snprintf(path, sizeof path, "vtp-%ld.vtp", (long)getpid());
  return 0;
}

static int remove_path(void **state)
{
  (void)state;
  remove(path);
  return 0;
}

/* count points at (k, k/3, -k) with their numbers, and a line through each two neighbours. */
static void fill(vtp_dataset *dataset, int64_t count)
{
  vtp_begin(dataset);
  dataset->time = 0.1;
  dataset->step = 7;
  double *points = vtp_numbers(dataset, &dataset->points, count);
  int64_t *ids = vtp_integers(dataset, vtp_point_data(dataset, "id", true, 1), count);
  for (int64_t k = 0; k < count; k++) {
    if (points) memcpy(points + 3 * k, (double[]){(double)k, (double)k / 3, -(double)k}, 3 * sizeof *points);
    if (ids) ids[k] = k + 1;
  }
  for (int64_t k = 0; k + 1 < count && k < 20; k++) vtp_cell(dataset, &dataset->lines, (int64_t[]){k, k + 1}, 2);
}

static char *read_file(size_t *size)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(*size + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, *size, file), *size);
  fclose(file);
  return text;
}

/* The array of that name, from the file's text and appended part; as VTK's description of the format has it. */
static unsigned char *read_array(const char *text, const char *name, size_t *size)
{
  char wanted[128];
  snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
  const char *at = strstr(text, wanted);
  assert_non_null(at);
  at = strstr(at, "offset=\"");
  assert_non_null(at);
  size_t offset = (size_t)strtoull(at + 8, NULL, 10);
  const char *data = strstr(text, "encoding=\"raw\">\n_") + 17 + offset;
  uint64_t head[3];
  memcpy(head, data, sizeof head);
  *size = head[0] == 0 ? 0 : (size_t)((head[0] - 1) * head[1] + (head[2] ? head[2] : head[1]));
  unsigned char *bytes = calloc(*size + 1, 1);
  assert_non_null(bytes);
  const char *block = data + (3 + head[0]) * sizeof(uint64_t);
  for (uint64_t k = 0; k < head[0]; k++) {
    uint64_t stored;
    memcpy(&stored, data + (3 + k) * sizeof stored, sizeof stored);
    uLongf raw = k + 1 < head[0] || head[2] == 0 ? (uLongf)head[1] : (uLongf)head[2];
    assert_int_equal(uncompress(bytes + k * head[1], &raw, (const unsigned char *)block, (uLong)stored), Z_OK);
    block += stored;
  }
  return bytes;
}

static void arrays_come_back(void **state)
{
  (void)state;
  const int64_t per_block = BLOCK_SIZE / NUMBER_SIZE;
  const int64_t counts[] = {0, 1, 100, per_block - 1, per_block, per_block + 1, 2 * per_block, 3 * per_block + 5};
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
    vtp_dataset dataset;
    char message[256];
    fill(&dataset, counts[c]);
    assert_int_equal(vtp_write(&dataset, path, message, sizeof message), FLOC_OK);
    assert_string_equal(message, "");
    size_t length = 0, points_size = 0, ids_size = 0;
    char *text = read_file(&length);
    unsigned char *points = read_array(text, "Points", &points_size), *ids = read_array(text, "id", &ids_size);
    assert_int_equal(points_size, 24 * counts[c]);
    assert_int_equal(ids_size, 8 * counts[c]);
    if (counts[c] > 0) {
      assert_memory_equal(points, dataset.points.values, points_size);
      assert_memory_equal(ids, dataset.point_data[0].values, ids_size);
    }
    assert_non_null(strstr(text, ">0.10000000000000001<"));
    assert_memory_equal(text + length - 11, "</VTKFile>\n", 11);
    free(points);
    free(ids);
    free(text);
    vtp_free(&dataset);
  }
}

static void every_failing_allocation_is_told(void **state)
{
  (void)state;
  int failures = 0;
  for (int limit = 0;; limit++) {
    vtp_dataset dataset;
    char message[256];
    allocations_left = limit;
    fill(&dataset, 1000);
    floc_status status = vtp_write(&dataset, path, message, sizeof message);
    bool reached = allocations_left == 0;
    allocations_left = -1;
    vtp_free(&dataset);
    if (status == FLOC_OK && !reached) break;
    if (status == FLOC_OK) continue; /* the last one was just enough */
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    assert_non_null(strstr(message, "out of memory"));
    assert_int_not_equal(access(path, F_OK), 0);
    failures++;
    remove(path);
  }
  assert_true(failures >= 5);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
  (void)state;
  vtp_dataset dataset;
  char message[256];
  fill(&dataset, 3);
  assert_int_equal(vtp_write(&dataset, "no-such-folder/a.vtp", message, sizeof message), FLOC_FILE_ERROR);
  assert_non_null(strstr(message, "no-such-folder/a.vtp: cannot be opened for writing: "));
  vtp_free(&dataset);
}

static void a_full_disk_leaves_nothing(void **state)
{
  (void)state;
  struct rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 1000;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  vtp_dataset dataset;
  char message[256];
  fill(&dataset, 1000);
  setrlimit(RLIMIT_FSIZE, &small);
  floc_status status = vtp_write(&dataset, path, message, sizeof message);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  assert_int_equal(status, FLOC_FILE_ERROR);
  assert_non_null(strstr(message, path));
  assert_int_not_equal(access(path, F_OK), 0);
  vtp_free(&dataset);
}

static void arrays_are_limited(void **state)
{
  (void)state;
  vtp_dataset dataset;
  vtp_begin(&dataset);
  for (int k = 0; k < VTP_ARRAY_LIMIT; k++) {
    assert_non_null(vtp_point_data(&dataset, "p", false, 1));
    assert_non_null(vtp_cell_data(&dataset, "c", true, 1));
  }
  assert_null(vtp_point_data(&dataset, "p", false, 1));
  assert_null(vtp_cell_data(&dataset, "c", true, 1));
  vtp_free(&dataset);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(arrays_come_back, make_path, remove_path),
      cmocka_unit_test_setup_teardown(every_failing_allocation_is_told, make_path, remove_path),
      cmocka_unit_test(a_folder_that_is_not_there_is_named),
      cmocka_unit_test_setup_teardown(a_full_disk_leaves_nothing, make_path, remove_path),
      cmocka_unit_test(arrays_are_limited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
