/*
 * Exact sums (base/numbers/exact_sum.h, floc_sum), against sums of integers of 2^-1074 that are added bit by
 * bit, in any order and cut into any parts; and what is not finite, overflows or is subnormal, by the rules in the
 * header.
 */
#include "support.h"

#include "base/numbers/bits.h"
#include "base/numbers/exact_sum.h"
#include "base/numbers/random.h"
#include "base/threads/parallel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- an independent sum: a number for every bit ---- */

enum { BITS = 2300 };

typedef struct bitwise {
  int64_t bit[BITS]; /* how often 2^(k - 1074) was added */
} bitwise;

static void bitwise_add(bitwise *sum, double value)
{
  int exponent;
  double fraction = frexp(fabs(value), &exponent);
  for (int k = exponent - 1; fraction != 0.0; k--) {
    fraction *= 2.0;
    if (fraction < 1.0) continue;
    fraction -= 1.0;
    sum->bit[k + 1074] += value < 0.0 ? -1 : 1;
  }
}

static void bitwise_settle(bitwise *sum)
{
  for (int k = 0; k + 1 < BITS; k++) {
    int64_t rest = ((sum->bit[k] % 2) + 2) % 2;
    sum->bit[k + 1] += (sum->bit[k] - rest) / 2;
    sum->bit[k] = rest;
  }
}

static double bitwise_value(bitwise *sum)
{
  bitwise_settle(sum);
  double sign = 1.0;
  if (sum->bit[BITS - 1] < 0) {
    sign = -1.0;
    for (int k = 0; k < BITS; k++) sum->bit[k] = -sum->bit[k];
    bitwise_settle(sum);
  }
  int top = BITS - 1;
  while (top >= 0 && sum->bit[top] == 0) top--;
  if (top < 0) return 0.0;
  int last = top > 52 ? top - 52 : 0; /* the last bit that a double has */
  double value = 0.0;
  for (int k = top; k >= last; k--) value = 2.0 * value + (double)sum->bit[k];
  bool sticky = false;
  for (int k = 0; k < last - 1; k++) sticky |= sum->bit[k] != 0;
  bool up = last > 0 && sum->bit[last - 1] && (sticky || sum->bit[last]);
  return sign * ldexp(value + up, last - 1074);
}

/* ---- numbers ---- */

enum { COUNT = 3000 };

static double random_number(uint64_t number, int range)
{
  double u[4];
  random_uniform4(17, number, 0, RANDOM_NOISE, 0, u);
  double size = ldexp(1.0 + u[0], (int)(range * (2.0 * u[1] - 1.0)));
  return u[2] < 0.5 ? -size : size;
}

static void shuffle(double *values, int count, uint64_t seed)
{
  for (int k = count - 1; k > 0; k--) {
    double u[4];
    random_uniform4(seed, (uint64_t)k, 1, RANDOM_NOISE, 0, u);
    int other = (int)(u[0] * (k + 1));
    if (other > k) other = k;
    double kept = values[k];
    values[k] = values[other];
    values[other] = kept;
  }
}

static void assert_same(double a, double b)
{
  if (bits_of(a) == bits_of(b)) return;
  print_error("%.17g (%a) is not %.17g (%a)\n", a, a, b, b);
  fail();
}

static void sums_are_rounded_once(void **state)
{
  (void)state;
  static double values[COUNT];
  const int range[] = {0, 3, 30, 60, 300, 1000, 1020};
  for (size_t r = 0; r < sizeof range / sizeof *range; r++)
    for (int round = 0; round < 20; round++) {
      int count = round < 10 ? round : COUNT / (20 - round + 1);
      bitwise expected = {{0}};
      for (int k = 0; k < count; k++) {
        values[k] = random_number((uint64_t)(k + COUNT * (round + 20 * (int)r)), range[r]);
        bitwise_add(&expected, values[k]);
      }
      assert_same(floc_sum(values, count), bitwise_value(&expected));
    }
}

/* Everything cancels but for one small number, which a sum in doubles loses. */
static void what_cancels_leaves_the_rest(void **state)
{
  (void)state;
  static double values[COUNT];
  for (int k = 0; k + 1 < COUNT; k += 2) {
    values[k] = random_number((uint64_t)k, 1000);
    values[k + 1] = -values[k];
  }
  for (int round = 0; round < 10; round++) {
    shuffle(values, COUNT, (uint64_t)round);
    assert_same(floc_sum(values, COUNT), 0.0);
  }
  for (int k = 0; k < COUNT; k++)
    if (values[k] > 0.0) {
      values[k] = nextafter(values[k], INFINITY);
      bitwise expected = {{0}};
      for (int n = 0; n < COUNT; n++) bitwise_add(&expected, values[n]);
      const double rest = bitwise_value(&expected);
      assert_true(rest > 0.0);
      assert_same(floc_sum(values, COUNT), rest);
      break;
    }
  const double four[] = {1e308, 1.0, -1e308, 1e-300};
  assert_same(floc_sum(four, 4), 1.0);
}

static void order_and_parts_do_not_matter(void **state)
{
  (void)state;
  static double values[COUNT];
  for (int k = 0; k < COUNT; k++) values[k] = random_number((uint64_t)k, 200);
  const double expected = floc_sum(values, COUNT);
  double plain = 0.0;
  for (int k = 0; k < COUNT; k++) plain += values[k];
  assert_true(plain != expected); /* so that the test can fail */
  exact_sum whole = EXACT_ZERO;
  for (int k = 0; k < COUNT; k++) exact_add(&whole, values[k]);
  exact_carry(&whole);
  for (int round = 0; round < 10; round++) {
    shuffle(values, COUNT, (uint64_t)round);
    exact_sum sum = EXACT_ZERO;
    for (int from = 0, to; from < COUNT; from = to) {
      exact_sum part = EXACT_ZERO;
      to = from + 1 + (round * 37 + from) % 97;
      for (int k = from; k < to && k < COUNT; k++) exact_add(&part, values[k]);
      exact_merge(&sum, &part);
    }
    assert_same(exact_value(&sum), expected);
    exact_carry(&sum);
    assert_memory_equal(sum.chunk, whole.chunk, sizeof sum.chunk);
  }
}

/* More terms than fit between two carries, all of the greatest size, and as many parts. */
static void many_large_terms_fit(void **state)
{
  (void)state;
  exact_sum sum = EXACT_ZERO, parts = EXACT_ZERO;
  const double great = ldexp(2.0 - DBL_EPSILON, 993); /* shifted by 31 bits: the most that a chunk gets */
  for (int k = 0; k < 100000; k++) {
    exact_add(&sum, great);
    exact_sum part = EXACT_ZERO;
    exact_add(&part, great);
    if (k % 10 == 0) exact_merge(&parts, &part);
  }
  assert_same(exact_value(&sum), 100000.0 * great); /* 100000 has 17 bits; both are rounded once */
  assert_same(exact_value(&parts), 10000.0 * great);
  for (int k = 0; k < 200000; k++) exact_add(&sum, -great);
  assert_same(exact_value(&sum), -100000.0 * great);
}

static void ends_of_the_range(void **state)
{
  (void)state;
  const double least = 4.9406564584124654e-324;
  assert_same(floc_sum(NULL, 0), 0.0);
  assert_same(floc_sum(NULL, -1), 0.0);
  assert_same(floc_sum((double[]){-0.0, -0.0}, 2), 0.0);
  assert_same(floc_sum((double[]){least, least}, 2), 2.0 * least);
  assert_same(floc_sum((double[]){DBL_MIN, -least}, 2), DBL_MIN - least);
  assert_same(floc_sum((double[]){DBL_MIN - least, least}, 2), DBL_MIN);
  assert_same(floc_sum((double[]){-least, 0.0}, 2), -least);
  assert_same(floc_sum((double[]){DBL_MAX}, 1), DBL_MAX);
  assert_same(floc_sum((double[]){-DBL_MAX, 1.0}, 2), -DBL_MAX);
  /* Ties go to even; half a unit above the greatest double is too much, less is not. */
  assert_same(floc_sum((double[]){1.0, DBL_EPSILON / 2}, 2), 1.0);
  assert_same(floc_sum((double[]){1.0 + DBL_EPSILON, DBL_EPSILON / 2}, 2), 1.0 + 2 * DBL_EPSILON);
  assert_same(floc_sum((double[]){1.0, DBL_EPSILON / 2, least}, 3), 1.0 + DBL_EPSILON);
  assert_same(floc_sum((double[]){DBL_MAX, ldexp(1.0, 969)}, 2), DBL_MAX);
  assert_same(floc_sum((double[]){DBL_MAX, ldexp(1.0, 970)}, 2), INFINITY);
  assert_same(floc_sum((double[]){DBL_MAX, ldexp(1.0, 970), -least}, 3), DBL_MAX);
  assert_same(floc_sum((double[]){-DBL_MAX, -DBL_MAX}, 2), -INFINITY);
  assert_same(floc_sum((double[]){DBL_MAX, DBL_MAX, -DBL_MAX}, 3), DBL_MAX);
}

static void what_is_not_finite_comes_through(void **state)
{
  (void)state;
  assert_same(floc_sum((double[]){1.0, INFINITY, -DBL_MAX, INFINITY}, 4), INFINITY);
  assert_same(floc_sum((double[]){-INFINITY, DBL_MAX, DBL_MAX}, 3), -INFINITY);
  assert_same(floc_sum((double[]){INFINITY, 1.0, -INFINITY}, 3), NAN);
  assert_same(floc_sum((double[]){1.0, NAN, INFINITY}, 3), NAN);
  assert_same(floc_sum((double[]){-NAN, 1.0}, 2), NAN); /* always the same NaN */
  exact_sum sum = EXACT_ZERO, part = EXACT_ZERO;
  exact_add(&sum, INFINITY);
  exact_add(&part, -INFINITY);
  exact_merge(&sum, &part);
  assert_same(exact_value(&sum), NAN);
}

/* ---- in parallel ---- */

static void add_values(void *context, int64_t begin, int64_t end, exact_sum *sum)
{
  const double *values = context;
  for (int64_t k = begin; k < end; k++) exact_add(sum, values[k]);
}

static void blocks_and_threads_do_not_matter(void **state)
{
  (void)state;
  static double values[COUNT];
  for (int k = 0; k < COUNT; k++) values[k] = random_number((uint64_t)k, 100);
  const double expected = floc_sum(values, COUNT);
  for (int threads = 1; threads <= 8; threads++) {
    environment env = test_environment(threads);
    parallel_call_team(&env);
    for (int64_t size = 1; size < 2 * COUNT; size = 3 * size + 1)
      assert_same(parallel_sum(&env, COUNT, size, add_values, values), expected);
    shuffle(values, COUNT, (uint64_t)threads);
    assert_same(parallel_total(&env, COUNT, values), expected);
    const double kept = values[COUNT / 2];
    values[COUNT / 2] = NAN;
    assert_same(parallel_sum(&env, COUNT, 7, add_values, values), NAN);
    values[COUNT / 2] = kept;
    parallel_dismiss_team(&env);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_rounded_once),
      cmocka_unit_test(what_cancels_leaves_the_rest),
      cmocka_unit_test(order_and_parts_do_not_matter),
      cmocka_unit_test(many_large_terms_fit),
      cmocka_unit_test(ends_of_the_range),
      cmocka_unit_test(what_is_not_finite_comes_through),
      cmocka_unit_test(blocks_and_threads_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
