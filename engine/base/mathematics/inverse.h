/*
 * The angles: atan2 of pairs, from which all are made: asin x = atan2(x, sqrt(1 - x^2)), acos x = atan2(sqrt(1 -
 * x^2), x). The ratio z of the smaller to the larger one is near c = i/64, and atan z = atan c + atan((z - c)/(1 +
 * z c)), whose numerator and denominator need no z. Below 1/18 c is 0.
 */
#ifndef FLOC_BASE_MATHEMATICS_INVERSE_H
#define FLOC_BASE_MATHEMATICS_INVERSE_H

#include "base/mathematics/exponential.h"

/* atan(n/d) for 0 <= n <= d, d > 0. */
INLINE pair arc_of_ratio(pair n, pair d)
{
  double shifted = n.high / d.high * 64.0 + TO_INTEGER;
  shifted = choose(shifted < TO_INTEGER + 3.5, TO_INTEGER, shifted);
  uint64_t at = bits_of(shifted) & 127;
  double c = (shifted - TO_INTEGER) * 0x1p-6;
  double d1 = leading_half(d.high), d2 = d.high - d1, n1 = leading_half(n.high), n2 = n.high - n1;
  /* n - c d, of which the first difference is exact; d + c n. */
  pair above = sum_of(n.high - c * d1, -(c * d2)), below = sum_of_ordered(d.high, c * n1);
  above = sum_of(above.high, above.low + (n.low - c * d.low));
  below = sum_of_ordered(below.high, below.low + (c * n2 + (d.low + c * n.low)));
  pair r = quotient_of(above, below);
  const double *p = arc_terms;
  double u = r.high * r.high, u2 = u * u;
  double rest = (p[0] + u * p[1]) + u2 * ((p[2] + u * p[3]) + u2 * (p[4] + u * p[5]));
  pair sum = sum_of_ordered(arc_table[2 * at], r.high);
  return sum_of_ordered(sum.high, sum.low + (arc_table[2 * at + 1] + (r.low + r.high * u * rest)));
}

/* The angle of (x, y), y >= 0, not both 0, in 0 .. pi: a multiple of pi/2 and, to one of both sides, the acute one.
 */
INLINE double arc_of_point(pair y, pair x)
{
  bool left = x.high < 0.0;
  pair size = {fabs(x.high), times_sign(x.low, x.high)};
  bool steep = y.high > size.high;
  pair n = {choose(steep, size.high, y.high), choose(steep, size.low, y.low)};
  pair d = {choose(steep, y.high, size.high), choose(steep, y.low, size.low)}, a = arc_of_ratio(n, d);
  double back = choose(steep != left, -1.0, 1.0), turn = choose(steep, 1.0, choose(left, 2.0, 0.0));
  pair sum = sum_of_ordered(turn * HALF_PI_HIGH, back * a.high);
  return sum.high + (sum.low + (turn * HALF_PI_LOW + back * a.low));
}

#define ARC_TINY  0x1p-27 /* below, asin and atan of x are x */
#define ARC_LARGE 0x1p60

INLINE bool atan_ordinary(double x)
{
  return fabs(x) < ARC_LARGE;
}

INLINE double atan_lane(double x)
{
  return choose(fabs(x) < ARC_TINY, x, times_sign(arc_of_point((pair){fabs(x), 0.0}, (pair){1.0, 0.0}), x));
}

INLINE bool atan2_ordinary(double y, double x)
{
  double a = fabs(y), b = fabs(x);
  return (a > 0x1p-400) & (a < 0x1p400) & (b > 0x1p-400) & (b < 0x1p400);
}

INLINE double atan2_lane(double y, double x)
{
  return times_sign(arc_of_point((pair){fabs(y), 0.0}, (pair){x, 0.0}), y);
}

/* sqrt(1 - x^2), |x| < 1 */
INLINE pair other_leg(double x)
{
  pair square = product_of(x, x), rest = sum_of_ordered(1.0, -square.high);
  return root_of(sum_of_ordered(rest.high, rest.low - square.low));
}

INLINE bool asin_ordinary(double x)
{
  return fabs(x) < 1.0;
}

INLINE double asin_lane(double x)
{
  return choose(fabs(x) < ARC_TINY, x, times_sign(arc_of_point((pair){fabs(x), 0.0}, other_leg(x)), x));
}

INLINE bool acos_ordinary(double x)
{
  return fabs(x) < 1.0;
}

INLINE double acos_lane(double x)
{
  return arc_of_point(other_leg(x), (pair){x, 0.0});
}

#endif
