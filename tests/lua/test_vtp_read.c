/*
 * Reading .vtp: what was written comes back bit by bit; files that are cut at any byte, altered at any byte, or of
 * other kinds are refused with what is wrong, and never read beyond their end (this test runs under the sanitizers
 * too). Frames of the browser page: what packing promises, seen from the packed bytes. The sources are part of the
 * test, so that its allocations can fail.
 */
#define _GNU_SOURCE
#include "support.h"

#include <stdlib.h>

static int allocations_left = -1; /* -1: without limit */

static bool may_allocate(void)
{
  if (allocations_left == 0) return false;
  if (allocations_left > 0) allocations_left--;
  return true;
}

static void *limited_realloc(void *pointer, size_t size)
{
  return may_allocate() ? realloc(pointer, size) : NULL;
}

static void *limited_malloc(size_t size)
{
  return may_allocate() ? malloc(size) : NULL;
}

static void *limited_calloc(size_t count, size_t size)
{
  return may_allocate() ? calloc(count, size) : NULL;
}

/* Sources with names of their own, each under others here. */
#define reserve page_reserve
#define realloc limited_realloc
#define malloc  limited_malloc
#define calloc  limited_calloc
#define refuse  vtp_refuse
#include "../../bindings/lua/page/encode.c"
#undef reserve
#include "../../bindings/lua/output/vtp_file.c"
#define NUMBER_SIZE READ_NUMBER_SIZE
#include "../../bindings/lua/output/vtp_read.c"
#undef realloc
#undef malloc
#undef calloc
#undef refuse

#include <unistd.h>

static char path[64];

static int make_path(void **state)
{
  (void)state;
  snprintf(path, sizeof path, "vtp-read-%ld.vtp", (long)getpid());
  return 0;
}

static int remove_path(void **state)
{
  (void)state;
  remove(path);
  return 0;
}

/* count particles with ids, radii and velocities, and lines between neighbours. */
static void fill(vtp_dataset *dataset, int64_t count, double moved)
{
  vtp_begin(dataset);
  dataset->time = 0.1;
  dataset->step = 7;
  double *points = vtp_numbers(dataset, &dataset->points, count);
  int64_t *ids = vtp_integers(dataset, vtp_point_data(dataset, "id", true, 1), count);
  double *radius = vtp_numbers(dataset, vtp_point_data(dataset, "radius", false, 1), count);
  double *velocity = vtp_numbers(dataset, vtp_point_data(dataset, "velocity", false, 3), count);
  for (int64_t k = 0; k < count; k++) {
    memcpy(points + 3 * k, (double[]){(double)k + moved, (double)k / 3, -(double)k}, 3 * sizeof *points);
    memcpy(velocity + 3 * k, (double[]){3, (double)k, 4}, 3 * sizeof *velocity);
    ids[k] = k + 1;
    radius[k] = 0.25 + 0.01 * (double)k;
  }
  for (int64_t k = 0; k + 1 < count && k < 20; k++) vtp_cell(dataset, &dataset->lines, (int64_t[]){k, k + 1}, 2);
  double *force = vtp_numbers(dataset, vtp_cell_data(dataset, "force", false, 1), dataset->lines.offsets.count);
  for (int64_t k = 0; k < dataset->lines.offsets.count; k++) force[k] = 1.5 * (double)k;
}

static void write_one(int64_t count)
{
  vtp_dataset dataset;
  char message[256];
  fill(&dataset, count, 0);
  assert_int_equal(vtp_write(&dataset, path, message, sizeof message), FLOC_OK);
  vtp_free(&dataset);
}

static void same_array(const vtp_array *a, const vtp_array *b)
{
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->integer, b->integer);
  assert_int_equal(a->components, b->components);
  assert_int_equal(a->count, b->count);
  if (a->count > 0) assert_memory_equal(a->values, b->values, (size_t)a->count * (size_t)a->components * 8);
}

static void what_was_written_comes_back(void **state)
{
  (void)state;
  const int64_t counts[] = {0, 1, 2, 1000, 131072, 131073}; /* around a block of 1 MiB */
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    vtp_dataset written, read;
    char message[256];
    write_one(counts[c]);
    fill(&written, counts[c], 0);
    vtp_begin(&read);
    assert_int_equal(vtp_read(&read, path, message, sizeof message), FLOC_OK);
    assert_true(read.time == 0.1);
    assert_int_equal(read.step, 7);
    same_array(&written.points, &read.points);
    assert_int_equal(read.point_data_count, 3);
    for (int k = 0; k < 3; k++) same_array(&written.point_data[k], &read.point_data[k]);
    same_array(&written.cell_data[0], &read.cell_data[0]);
    same_array(&written.lines.connectivity, &read.lines.connectivity);
    same_array(&written.lines.offsets, &read.lines.offsets);
    vtp_free(&written);
    vtp_free(&read);
  }
}

static char *read_bytes(size_t *size)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static void write_bytes(const char *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static floc_status read_status(char *message, size_t size)
{
  vtp_dataset dataset;
  vtp_begin(&dataset);
  floc_status status = vtp_read(&dataset, path, message, size);
  vtp_free(&dataset);
  return status;
}

static void files_that_are_cut_are_refused(void **state)
{
  (void)state;
  char message[256];
  size_t size = 0;
  write_one(30);
  char *bytes = read_bytes(&size);
  const char tail[] = "\n  </AppendedData>\n</VTKFile>\n"; /* without it all numbers are there */
  for (size_t length = 0; length + sizeof tail - 1 < size; length += 3) {
    write_bytes(bytes, length);
    assert_int_equal(read_status(message, sizeof message), FLOC_DAMAGED_FILE);
    assert_true(strlen(message) > 10);
  }
  free(bytes);
}

static void files_that_are_altered_never_harm(void **state)
{
  (void)state;
  char message[256];
  size_t size = 0, refused = 0;
  write_one(12);
  char *bytes = read_bytes(&size);
  for (size_t k = 0; k < size; k += 2) {
    for (int bit = 0; bit < 8; bit += 6) {
      bytes[k] = (char)(bytes[k] ^ (1 << bit));
      write_bytes(bytes, size);
      if (read_status(message, sizeof message) != FLOC_OK) refused++;
      bytes[k] = (char)(bytes[k] ^ (1 << bit));
    }
  }
  assert_true(4 * refused > size); /* names of arrays may change unnoticed, numbers may not */
  free(bytes);
}

static void refused_with(const char *text, const char *wanted)
{
  char message[256];
  write_bytes(text, strlen(text));
  assert_int_equal(read_status(message, sizeof message), FLOC_DAMAGED_FILE);
  if (!strstr(message, wanted)) fail_msg("\"%s\" says nothing of \"%s\"", message, wanted);
}

static void other_files_are_refused_with_a_reason(void **state)
{
  (void)state;
  char message[256];
  refused_with("", "no VTK file");
  refused_with("<VTKFile type=\"UnstructuredGrid\">", "no VTK file");
  refused_with("<VTKFile type=\"PolyData\" byte_order=\"BigEndian\">", "byte order is BigEndian");
  refused_with("<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\" header_type=\"UInt32\">",
               "not compressed by zlib");
  const char *head = "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
                     "compressor=\"vtkZLibDataCompressor\">";
  char text[512];
  refused_with(head, "ends before its arrays");
  snprintf(text, sizeof text, "%s<AppendedData encoding=\"raw\">\n_", head);
  refused_with(text, "has no piece");
  snprintf(text, sizeof text, "%s<Piece NumberOfPoints=\"2\"><AppendedData encoding=\"raw\">\n_", head);
  refused_with(text, "numbers of points and cells are missing");
  const char *piece = "<Piece NumberOfPoints=\"2\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfPolys=\"0\">";
  snprintf(text, sizeof text, "%s%s<AppendedData encoding=\"raw\">\n_", head, piece);
  refused_with(text, "points are missing");
  snprintf(text, sizeof text,
           "%s%s<Points><DataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\" format=\"appended\" "
           "offset=\"0\"/><AppendedData encoding=\"raw\">\n_",
           head, piece);
  refused_with(text, "type Float32");
  remove(path);
  assert_int_equal(read_status(message, sizeof message), FLOC_NOT_FOUND);
  assert_string_equal(message, "there is no such file");
}

/* ---- frames ------------------------------------------------------------------------------------------ */

static size_t encode(page_encoder *encoder, bool key, double moved)
{
  vtp_dataset dataset;
  fill(&dataset, 500, moved);
  page_frame_begin(encoder, key);
  page_add(encoder, "particles", &dataset, &dataset);
  assert_int_equal(page_frame_end(encoder, NULL), FLOC_OK);
  vtp_free(&dataset);
  return encoder->frame.size;
}

static void what_rests_costs_nothing(void **state)
{
  (void)state;
  page_encoder encoder = {.raw = false};
  size_t first = encode(&encoder, true, 0), second = encode(&encoder, false, 0),
         moved = encode(&encoder, false, 0.7);
  assert_true(second < first / 2);
  assert_int_equal(encoder.arrays.size > 0, true);
  assert_true(moved > second && moved < first);
  assert_true(encoder.length_step <= 0.25 / 64 && encoder.length_step > 0.25 / 130);
  encode(&encoder, false, 0.7);
  assert_int_equal(encoder.arrays.size, 0); /* nothing but the head */
  page_free(&encoder);
}

static const page_track *track_named(const page_encoder *encoder, const char *name)
{
  for (int32_t k = 0; k < encoder->track_count; k++)
    if (strcmp(encoder->tracks[k].name, name) == 0) return &encoder->tracks[k];
  fail_msg("there is no track %s", name);
  return NULL;
}

static void ranges_are_those_of_the_numbers(void **state)
{
  (void)state;
  page_encoder encoder = {.raw = true};
  encode(&encoder, true, 0);
  const page_track *radius = track_named(&encoder, "particles.radius"),
                   *speed = track_named(&encoder, "particles.velocity");
  assert_true(radius->low == 0.25 && radius->high == 0.25 + 0.01 * 499);
  assert_true(speed->low == 5 && speed->high == sqrt(25 + 499.0 * 499.0));
  page_free(&encoder);
}

static void numbers_keep_their_digits(void **state)
{
  (void)state;
  const double values[] = {1, -1, 0.1, 1e-30, -3.7e30, 123456.789, 0, 65535.99};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    uint32_t bits = number_word(values[k], EXACT_SHIFT) << EXACT_SHIFT;
    float back;
    memcpy(&back, &bits, sizeof back);
    assert_true(fabs(back - values[k]) <= ldexp(fabs(values[k]), -10));
  }
  uint32_t bits = number_word(NAN, EXACT_SHIFT) << EXACT_SHIFT;
  float back;
  memcpy(&back, &bits, sizeof back);
  assert_true(isnan(back));
  bits = number_word(-INFINITY, EXACT_SHIFT) << EXACT_SHIFT;
  memcpy(&back, &bits, sizeof back);
  assert_true(isinf(back) && back < 0);
  assert_int_equal(length_word(NAN, 0.5), UINT32_C(0x80000000));
  assert_int_equal((int32_t)length_word(-1e300, 0.5), -INT32_MAX);
  assert_int_equal((int32_t)length_word(3.26, 0.5), 7);
}

static void base64_is_that_of_the_standard(void **state)
{
  (void)state;
  static const char *const pairs[][2] = {{"", ""},        {"f", "Zg=="},          {"fo", "Zm8="},
                                         {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}, {"\xff\xfe", "//4="}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    page_bytes bytes = {NULL, 0, 0};
    assert_true(page_base64(&bytes, (const unsigned char *)pairs[k][0], strlen(pairs[k][0])));
    assert_int_equal(bytes.size, strlen(pairs[k][1]));
    if (bytes.size > 0) assert_memory_equal(bytes.bytes, pairs[k][1], bytes.size);
    free(bytes.bytes);
  }
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static void reading_without_memory_fails_clean(void **state)
{
  (void)state;
  char message[256];
  write_one(30);
  floc_status status = FLOC_OUT_OF_MEMORY;
  int tries = 0;
  for (; status != FLOC_OK; tries++) {
    assert_in_range(tries, 0, 100);
    allocations_left = tries;
    status = read_status(message, sizeof message);
    allocations_left = -1;
    if (status != FLOC_OK) assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    if (status != FLOC_OK) assert_string_equal(message, "out of memory");
  }
  assert_true(tries > 5);
}

static void encoding_without_memory_fails_clean(void **state)
{
  (void)state;
  vtp_dataset dataset;
  fill(&dataset, 50, 0);
  floc_status status = FLOC_OUT_OF_MEMORY;
  int tries = 0;
  for (; status != FLOC_OK; tries++) {
    assert_in_range(tries, 0, 200);
    page_encoder encoder = {.raw = false};
    allocations_left = tries;
    page_frame_begin(&encoder, true);
    page_add(&encoder, "particles", &dataset, &dataset);
    page_add(&encoder, "bodies", &dataset, &dataset);
    page_add(&encoder, "contacts", &dataset, &dataset);
    status = page_frame_end(&encoder, "{}");
    allocations_left = -1;
    if (status != FLOC_OK) assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    page_free(&encoder);
  }
  assert_true(tries > 10);
  vtp_free(&dataset);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_written_comes_back),        cmocka_unit_test(files_that_are_cut_are_refused),
      cmocka_unit_test(files_that_are_altered_never_harm),  cmocka_unit_test(other_files_are_refused_with_a_reason),
      cmocka_unit_test(what_rests_costs_nothing),           cmocka_unit_test(ranges_are_those_of_the_numbers),
      cmocka_unit_test(numbers_keep_their_digits),          cmocka_unit_test(base64_is_that_of_the_standard),
      cmocka_unit_test(reading_without_memory_fails_clean), cmocka_unit_test(encoding_without_memory_fails_clean),
  };
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
