/*
 * cbrt and hypot. The cube root of 2^(3k) m, 1 <= m < 8, begins with a polynomial, which one step of Halley's makes
 * exact to some bits and one of Newton's, with the exact residual, to more bits than a number has.
 */
#ifndef FLOC_BASE_MATHEMATICS_ROOTS_H
#define FLOC_BASE_MATHEMATICS_ROOTS_H

#include "base/mathematics/pairs.h"
#include "base/mathematics/tables.h"

INLINE bool cbrt_ordinary(double x)
{
  return (fabs(x) >= 0x1p-1022) & (fabs(x) < INFINITY);
}

INLINE double cbrt_lane(double x)
{
  uint64_t bits = bits_of(x) & ~SIGN_BIT, exponent = bits >> 52;
  uint64_t third = exponent * 21846 >> 16, rest = exponent - 3 * third; /* exponent/3; 1023 = 3 * 341 */
  double part = number_of((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  double m = number_of(bits_of(part) + (rest << 52)), of_rest = rest == 0   ? 1.0
                                                                : rest == 1 ? CUBE_ROOT_2
                                                                            : CUBE_ROOT_4;
  const double *p = cube_root_terms;
  double square = part * part;
  double y = of_rest * ((p[0] + part * p[1]) + square * ((p[2] + part * p[3]) + square * (p[4] + part * p[5])));
  double cube = y * y * y;
  y = y * (cube + 2.0 * m) / (2.0 * cube + m);
  pair two = product_of(y, y), three = product_of(two.high, y);
  y += (((m - three.high) - three.low) - two.low * y) / (3.0 * two.high);
  return times_sign(y * number_of((third + 1023 - 341) << 52), x);
}

INLINE bool hypot_ordinary(double x, double y)
{
  double a = fabs(x), b = fabs(y);
  return (a > 0x1p-400) & (a < 0x1p400) & (b > 0x1p-400) & (b < 0x1p400);
}

INLINE double hypot_lane(double x, double y)
{
  double a = fabs(x), b = fabs(y), more = choose(a > b, a, b), less = choose(a > b, b, a);
  pair first = product_of(more, more), second = product_of(less, less),
       sum = sum_of_ordered(first.high, second.high);
  pair root = root_of(sum_of_ordered(sum.high, sum.low + (first.low + second.low)));
  return root.high + root.low;
}

#endif
