/*
 * floc_cbrt, floc_hypot, floc_fmod. See roots.h; the remainder is a long division of integers, exact.
 */
#include "base/mathematics/roots.h"

#include <floc/floc.h>

double floc_cbrt(double x)
{
  if (LIKELY(cbrt_ordinary(x))) return cbrt_lane(x);
  if (x == 0.0 || !(fabs(x) < INFINITY)) return x;
  return 0x1p-20 * cbrt_lane(x * 0x1p60);
}

static double hypot_rest(double x, double y)
{
  if (isinf(x) || isinf(y)) return INFINITY;
  if (isnan(x) || isnan(y)) return x + y;
  double a = fabs(x), b = fabs(y), more = a > b ? a : b, less = a > b ? b : a;
  if (less <= more * 0x1p-60) return more;
  double scale = more > 1.0 ? 0x1p-600 : 0x1p600;
  return hypot_lane(more * scale, less * scale) / scale;
}

double floc_hypot(double x, double y)
{
  return LIKELY(hypot_ordinary(x, y)) ? hypot_lane(x, y) : hypot_rest(x, y);
}

/* x = m 2^(exponent - 1075) */
static uint64_t mantissa(double x, int *exponent)
{
  uint64_t bits = bits_of(x) & ~SIGN_BIT, m = bits & 0xfffffffffffff;
  *exponent = (int)(bits >> 52);
  if (*exponent > 0) return m | 0x10000000000000;
  *exponent = 1;
  return m;
}

double floc_fmod(double x, double y)
{
  double a = fabs(x), b = fabs(y);
  if (!(a < INFINITY) || !(b > 0.0)) return isnan(x) || isnan(y) ? x + y : NAN;
  if (a < b) return x;
  int of_x, of_y;
  uint64_t rest = mantissa(x, &of_x), m = mantissa(y, &of_y);
  rest %= m;
  for (int left = of_x - of_y; left > 0 && rest > 0; left -= 11) rest = (rest << (left < 11 ? left : 11)) % m;
  /* In two steps, the first of which stays normal. */
  int power = of_y - 1075;
  double value =
      power < -1000 ? (double)rest * power_of_two(power + 200) * 0x1p-200 : (double)rest * power_of_two(power);
  return times_sign(value, x);
}
