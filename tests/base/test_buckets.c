/*
 * Buckets: items put into them by counting, and sorted within them, short buckets and long ones.
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

static void buckets_of_any_length_are_sorted(void **state)
{
  (void)state;
  enum { LONGEST = 200 };
  uint64_t draws = 1;
  for (size_t count = 0; count <= LONGEST; count++) {
    bucket_item item[LONGEST + 1];
    int64_t sum = 0;
    for (size_t k = 0; k < count; k++) {
      draws = draws * UINT64_C(6364136223846793005) + 1;
      int32_t key = (int32_t)(draws >> 33) - (1 << 30);
      item[k] = (bucket_item){count % 3 == 0 ? key % 4 : key, ~key};
      if (count % 3 == 0) item[k].value = ~item[k].key;
      sum += item[k].key;
    }
    item[count] = (bucket_item){-7, 7};
    bucket_sort(item, count);
    for (size_t k = 0; k < count; k++) {
      assert_int_equal(item[k].value, ~item[k].key);
      assert_true(k == 0 || item[k - 1].key <= item[k].key);
      sum -= item[k].key;
    }
    assert_int_equal(sum, 0);
    assert_int_equal(item[count].key, -7);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(places_are_sums_of_counts),
                                     cmocka_unit_test(buckets_of_any_length_are_sorted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
