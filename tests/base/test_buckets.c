/*
 * Buckets: rows put into them by counting, and sorted within them, short buckets and long ones.
 */
#include "support.h"

#include "base/buckets.h"

#include <stdlib.h>

static void places_are_sums_of_counts(void **state)
{
  (void)state;
  int32_t begin[] = {0, 2, 0, 5, 1};
  buckets_place(begin, 4);
  static const int32_t expected[] = {0, 2, 2, 7, 8};
  assert_memory_equal(begin, expected, sizeof expected);
  buckets_place(begin, 0);
  assert_memory_equal(begin, expected, sizeof expected);
}

/* Rows of every width, where the other numbers must stay beside their keys. */
static void buckets_of_any_length_are_sorted(void **state)
{
  (void)state;
  enum { LONGEST = 200 };
  static double row[(LONGEST + 1) * BUCKET_ROW_LIMIT];
  uint64_t draws = 1;
  for (size_t count = 0; count <= LONGEST; count++) {
    size_t width = 2 + count % (BUCKET_ROW_LIMIT - 1);
    double sum = 0.0;
    for (size_t k = 0; k < count; k++) {
      draws = draws * UINT64_C(6364136223846793005) + 1;
      int32_t drawn = (int32_t)(draws >> 33) - (1 << 30), key = count % 3 == 0 ? drawn % 4 : drawn;
      for (size_t c = 0; c < width; c++) row[k * width + c] = key + (double)c - 1.0;
      sum += key;
    }
    for (size_t c = 0; c < width; c++) row[count * width + c] = -7.0;
    bucket_sort(row, count, width);
    for (size_t k = 0; k < count; k++) {
      const double *sorted = row + k * width;
      for (size_t c = 0; c < width; c++) assert_true(sorted[c] == sorted[1] + (double)c - 1.0);
      assert_true(k == 0 || sorted[1] >= (sorted - width)[1]);
      sum -= sorted[1];
    }
    assert_true(sum == 0.0);
    for (size_t c = 0; c < width; c++) assert_true(row[count * width + c] == -7.0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(places_are_sums_of_counts),
                                     cmocka_unit_test(buckets_of_any_length_are_sorted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
