/*
 * engine/base/mathematics: special values, limits, symmetry, identities, monotony, and bits,
 * those of one number and of many at once (FLOC_ARGUMENTS of each function, 200,000). How exact the
 * functions are is measured by tests/mathematics/accuracy.c, where MPFR is there.
 */
#include <floc/floc.h>

#include "base/mathematics/mathematics.h"
#include "mathematics/arguments.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static bool same(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

#define assert_same(a, b) assert_true(same(a, b))

static void test_limits(void **state)
{
  (void)state;
  assert_same(floc_exp(0x1.62e42fefa39efp+9), 0x1.fffffffffff2ap+1023);
  assert_same(floc_exp(0x1.62e42fefa39f0p+9), INFINITY);
  assert_same(floc_exp(-0x1.74910d52d3051p+9), 0x1p-1074);
  assert_same(floc_exp(-0x1.74910d52d3052p+9), 0.0);
  assert_true(floc_exp2(0x1.fffffffffffffp+9) < INFINITY);
  assert_same(floc_exp2(1024.0), INFINITY);
  assert_same(floc_exp2(-1074.0), 0x1p-1074);
  assert_same(floc_exp2(-1075.0), 0.0);
  assert_true(floc_sinh(0x1.633ce8fb9f87dp+9) < INFINITY && floc_cosh(0x1.633ce8fb9f87dp+9) < INFINITY);
  assert_same(floc_sinh(-0x1.633ce8fb9f87ep+9), -INFINITY);
  assert_same(floc_cosh(0x1.633ce8fb9f87ep+9), INFINITY);
  assert_true(floc_expm1(0x1.62e42fefa39efp+9) < INFINITY);
  assert_same(floc_expm1(0x1.62e42fefa39f0p+9), INFINITY);
  assert_true(floc_pow(0x1.fffffffffffffp+1023, 0x1.fffffffffffffp-1) < INFINITY);
  assert_true(floc_pow(2.0, 0x1.fffffffffffffp+9) < INFINITY);
  assert_same(floc_pow(2.0, 1024.0), INFINITY);
  assert_same(floc_pow(2.0, -1074.0), 0x1p-1074);
  assert_same(floc_hypot(0x1.6p+1023, 0x1.6p+1023), hypot(0x1.6p+1023, 0x1.6p+1023));
  assert_same(floc_hypot(0x1.7p+1023, 0x1.7p+1023), INFINITY);
  assert_true(floc_log1p(0x1.fffffffffffffp+1023) < 710.0);
}

/* glibc's special values are those of C11, annex F. */
static void test_special_values(void **state)
{
  (void)state;
  for (int k = 0; k < EDGES; k++) {
    double x = edges[k];
    if (!(x == 0.0 || isnan(x) || isinf(x))) continue;
    assert_same(floc_exp(x), exp(x)), assert_same(floc_exp2(x), exp2(x)), assert_same(floc_expm1(x), expm1(x));
    assert_same(floc_log(x), log(x)), assert_same(floc_log2(x), log2(x)), assert_same(floc_log10(x), log10(x));
    assert_same(floc_log1p(x), log1p(x)), assert_same(floc_sinh(x), sinh(x)), assert_same(floc_cosh(x), cosh(x));
    assert_same(floc_tanh(x), tanh(x)), assert_same(floc_sin(x), sin(x)), assert_same(floc_cos(x), cos(x));
    assert_same(floc_tan(x), tan(x)), assert_same(floc_asin(x), asin(x)), assert_same(floc_acos(x), acos(x));
    assert_same(floc_atan(x), atan(x)), assert_same(floc_cbrt(x), cbrt(x)), assert_same(floc_erf(x), erf(x));
    assert_same(floc_erfc(x), erfc(x));
    for (int n = 0; n < EDGES; n++) {
      double y = edges[n];
      assert_same(floc_pow(x, y), pow(x, y)), assert_same(floc_atan2(x, y), atan2(x, y));
      if (y != -1.0 || x != 0.0) assert_same(floc_pow(y, x), pow(y, x));
      assert_same(floc_atan2(y, x), atan2(y, x)), assert_same(floc_hypot(x, y), hypot(x, y));
      assert_same(floc_hypot(y, x), hypot(y, x)), assert_same(floc_fmod(x, y), fmod(x, y));
      assert_same(floc_fmod(y, x), fmod(y, x));
    }
  }
  assert_true(isnan(floc_log(-1.0)) && isnan(floc_log(-0x1p-1074)) && isnan(floc_pow(-8.0, 1.0 / 3.0)));
  assert_true(isnan(floc_asin(1.5)) && isnan(floc_acos(-1.5)) && isnan(floc_log1p(-1.5)));
  assert_same(floc_asin(-1.0), asin(-1.0)), assert_same(floc_acos(-1.0), acos(-1.0)),
      assert_same(floc_acos(1.0), 0.0);
  assert_same(floc_log1p(-1.0), -INFINITY);
}

static void test_powers(void **state)
{
  (void)state;
  for (long n = 0; n < 100000; n++) {
    double x = either_sign(n, octaves(n, 0, -500, 500)), y = between(n, 1, -20, 20);
    assert_same(floc_pow(x, 2.0), x * x);
    assert_same(floc_pow(x, 1.0), x);
    assert_same(floc_pow(x, -1.0), 1.0 / x);
    assert_same(floc_pow(fabs(x), 0.5), sqrt(fabs(x)));
    double size = fabs(between(n, 2, -30, 30));
    assert_same(floc_pow(-size, 3.0), -floc_pow(size, 3.0));
    assert_same(floc_pow(-size, -4.0), floc_pow(size, -4.0));
    assert_true(isnan(floc_pow(-size, y)));
  }
  for (int k = 1; k < 1000; k++) {
    assert_same(floc_exp2(k - 500), ldexp(1.0, k - 500));
    assert_same(floc_log2(ldexp(1.0, k - 500)), k - 500);
    assert_same(floc_cbrt((double)k * k * k), k);
    assert_same(floc_pow(k, 3.0), (double)k * k * k);
    assert_same(floc_hypot(3.0 * k, 4.0 * k), 5.0 * k);
  }
  double ten = 1.0;
  for (int k = 0; k <= 22; k++, ten *= 10.0) assert_same(floc_log10(ten), k), assert_same(floc_pow(10.0, k), ten);
}

static void test_symmetry(void **state)
{
  (void)state;
  for (long n = 0; n < 200000; n++) {
    double x = range_circular(n), h = range_hyperbolic(n), a = range_atan(n), u = range_unit(n), at[2];
    assert_same(floc_sin(-x), -floc_sin(x)), assert_same(floc_cos(-x), floc_cos(x)),
        assert_same(floc_tan(-x), -floc_tan(x));
    assert_same(floc_sinh(-h), -floc_sinh(h)), assert_same(floc_cosh(-h), floc_cosh(h)),
        assert_same(floc_tanh(-h), -floc_tanh(h));
    assert_same(floc_atan(-a), -floc_atan(a)), assert_same(floc_asin(-u), -floc_asin(u)),
        assert_same(floc_cbrt(-a), -floc_cbrt(a));
    assert_same(floc_erf(-a), -floc_erf(a));
    ranges_atan2(n, at);
    assert_same(floc_atan2(-at[0], at[1]), -floc_atan2(at[0], at[1]));
    assert_same(floc_hypot(at[0], at[1]), floc_hypot(-at[1], at[0]));
  }
}

static long falls(double (*f)(double), argument_range *range, long count)
{
  long found = 0;
  for (long n = 0; n < count; n++) {
    double x = range(n), next = nextafter(x, INFINITY);
    found += f(x) > f(next);
  }
  return found;
}

static void test_monotony(void **state)
{
  (void)state;
  const long count = 1000000;
  assert_int_equal(falls(floc_exp, range_exp, count), 0);
  assert_int_equal(falls(floc_log, range_log, count), 0);
  assert_int_equal(falls(floc_tanh, range_tanh, count), 0);
  assert_int_equal(falls(floc_atan, range_atan, count), 0);
  assert_int_equal(falls(floc_cbrt, range_cbrt, count), 0);
  assert_int_equal(falls(floc_log2, range_log, count), 0);
  assert_int_equal(falls(floc_asin, range_unit, count), 0);
}

static double long_division(double x, double y)
{
  double rest = fabs(x), m = fabs(y);
  while (rest >= m) {
    double part = m;
    while (part <= 0.5 * rest) part *= 2.0;
    rest -= part;
  }
  return copysign(rest, x);
}

static void test_remainder(void **state)
{
  (void)state;
  for (long n = 0; n < 3000; n++) {
    double at[2];
    ranges_fmod(n, at);
    if (fabs(at[1]) > 0x1p-1020) assert_same(floc_fmod(at[0], at[1]), long_division(at[0], at[1]));
  }
}

static void add(uint64_t *hash, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  *hash = random_bits(*hash ^ (isnan(value) ? 1 : bits));
}

/* One number for all functions on a machine: differing ones say that a compiler fuses or reorders. */
static void test_bits(void **state)
{
  (void)state;
  uint64_t hash = 0;
  for (long n = 0; n < 20000; n++) {
    double at[2];
    add(&hash, floc_exp(range_exp(n))), add(&hash, floc_exp2(range_exp2(n))),
        add(&hash, floc_expm1(range_expm1(n))), add(&hash, floc_log(range_log(n)));
    add(&hash, floc_log2(range_log(n))), add(&hash, floc_log10(range_log(n))),
        add(&hash, floc_log1p(range_log1p(n)));
    add(&hash, floc_sinh(range_hyperbolic(n))), add(&hash, floc_cosh(range_hyperbolic(n))),
        add(&hash, floc_tanh(range_tanh(n)));
    add(&hash, floc_sin(range_circular(n))), add(&hash, floc_cos(range_circular(n))),
        add(&hash, floc_tan(range_circular(n)));
    add(&hash, floc_asin(range_unit(n))), add(&hash, floc_acos(range_unit(n))),
        add(&hash, floc_atan(range_atan(n))), add(&hash, floc_cbrt(range_cbrt(n)));
    add(&hash, floc_erf(range_erf(n))), add(&hash, floc_erfc(range_erfc(n)));
    /* The exponents of pow's test come from the library's logarithm. */
    add(&hash, floc_pow(octaves(n, 0, -40, 40), between(n, 1, -20, 20)));
    ranges_atan2(n, at), add(&hash, floc_atan2(at[0], at[1]));
    ranges_hypot(n, at), add(&hash, floc_hypot(at[0], at[1]));
    ranges_fmod(n, at), add(&hash, floc_fmod(at[0], at[1]));
  }
  if (hash != 0xda4156809f945488) print_message("bits %016llx\n", (unsigned long long)hash);
  assert_true(hash == 0xda4156809f945488);
}

static void test_sine_and_cosine(void **state)
{
  (void)state;
  static const double special[] = {0.0,     -0.0, 1e-9,  -1e-9,    0x1p-27,   0x1p-1074,
                                   99999.9, 1e5,  -1e22, INFINITY, -INFINITY, NAN};
  for (long n = 0; n < 100000; n++) {
    double x = n < 12 ? special[n] : n % 2 ? range_circular(n) : between(n, 0, 0, 6.3), sine, cosine;
    mathematics_sine_and_cosine(x, &sine, &cosine);
    assert_same(sine, floc_sin(x));
    assert_same(cosine, floc_cos(x));
  }
}

/* ---- many at once ---- */

enum { MANY = 259 };

typedef struct many_arguments {
  double x[MANY], y[MANY], one[MANY];
} many_arguments;

static double special_argument(long n)
{
  static const double special[] = {0.0,        -0.0,  INFINITY, -INFINITY, NAN, 0x1p-1074,
                                   -0x1p-1030, 1e300, -745.0,   1.0,       -1.0};
  return special[n % (long)(sizeof special / sizeof *special)];
}

/* Small, large and of the size that laws have, now and then one that is special. */
static double any_argument(long n, int which)
{
  if (random_bits((uint64_t)n * 2 + (uint64_t)which) % 61 == 0) return special_argument(n + which);
  double size = n % 3 == 0 ? octaves(n, which, -60, 60) : between(n, which, 0, n % 3 == 1 ? 1 : 40);
  return n % 2 ? -size : size;
}

static void compare_many(const char *name, mathematics_function which, const many_arguments *at)
{
  double to[MANY];
  for (int32_t width = 128; width <= 512; width *= 2) {
    int32_t count = MANY - 2 * (width == 256); /* with and without numbers that are left over */
    mathematics_of_many(which, width)(at->x, at->y, to, count);
    for (int32_t k = 0; k < count; k++)
      if (!same(to[k], at->one[k]))
        fail_msg("%s(%a, %a) in registers of %d: %a, not %a", name, at->x[k], at->y[k], width, to[k], at->one[k]);
  }
}

static void test_many_at_once(void **state)
{
  (void)state;
  static many_arguments at;
  const long arguments = getenv("FLOC_ARGUMENTS") ? atol(getenv("FLOC_ARGUMENTS")) : 200000;
  for (long first = 0; first < arguments; first += MANY) {
    for (long k = 0; k < MANY; k++) at.x[k] = any_argument(first + k, 0), at.y[k] = any_argument(first + k, 1);
#define X(f)                                                                                                       \
  for (int k = 0; k < MANY; k++) at.one[k] = floc_##f(at.x[k]);                                                    \
  compare_many(#f, MATHEMATICS_##f, &at);
    MATHEMATICS_OF_ONE(X)
#undef X
#define X(f)                                                                                                       \
  for (int k = 0; k < MANY; k++) at.one[k] = floc_##f(at.x[k], at.y[k]);                                           \
  compare_many(#f, MATHEMATICS_##f, &at);
    MATHEMATICS_OF_TWO(X)
#undef X
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limits),   cmocka_unit_test(test_special_values),  cmocka_unit_test(test_powers),
      cmocka_unit_test(test_symmetry), cmocka_unit_test(test_monotony),        cmocka_unit_test(test_remainder),
      cmocka_unit_test(test_bits),     cmocka_unit_test(test_sine_and_cosine), cmocka_unit_test(test_many_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
