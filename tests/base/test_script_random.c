/*
 * Random streams of scripts, floc_random_uniform(): a number depends on its stream and its place alone.
 */
#include "base/numbers/random.h"
#include "floc/floc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 4000 };

static void numbers_do_not_depend_on_how_they_are_asked_for(void **state)
{
  (void)state;
  double whole[COUNT], part[7];
  assert_int_equal(floc_random_uniform(3, 5, 0, COUNT, whole), FLOC_OK);
  for (int64_t first = 0; first + 7 <= 100; first++) {
    assert_int_equal(floc_random_uniform(3, 5, first, 7, part), FLOC_OK);
    for (int k = 0; k < 7; k++) assert_true(part[k] == whole[first + k]);
  }
  double four[4];
  random_uniform4(3, 5, 0, RANDOM_SCRIPT, 2, four);
  for (int k = 0; k < 4; k++) assert_true(four[k] == whole[8 + k]);
}

static void streams_are_uniform_and_apart(void **state)
{
  (void)state;
  double one[COUNT], other[COUNT], sum = 0, product = 0;
  assert_int_equal(floc_random_uniform(1, 1, 0, COUNT, one), FLOC_OK);
  assert_int_equal(floc_random_uniform(1, 2, 0, COUNT, other), FLOC_OK);
  for (int k = 0; k < COUNT; k++) {
    assert_true(one[k] > 0 && one[k] < 1);
    sum += one[k];
    product += (one[k] - 0.5) * (other[k] - 0.5);
  }
  assert_true(fabs(sum / COUNT - 0.5) < 4 * sqrt(1.0 / 12 / COUNT));
  assert_true(fabs(product / COUNT) < 4.0 / 12 / sqrt(COUNT));
}

static void wrong_numbers_are_refused(void **state)
{
  (void)state;
  double out[1];
  assert_int_equal(floc_random_uniform(1, 1, -1, 1, out), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_random_uniform(1, 1, 0, -1, out), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_random_uniform(1, 1, 0, 1, NULL), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_random_uniform(1, 1, INT64_MAX, 1, out), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_random_uniform(1, 1, 0, 0, NULL), FLOC_OK);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_do_not_depend_on_how_they_are_asked_for),
                                     cmocka_unit_test(streams_are_uniform_and_apart),
                                     cmocka_unit_test(wrong_numbers_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
