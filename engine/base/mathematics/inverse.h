/*
 * The angles. For atan and atan2 the tangent z is near c, the middle of a sixteenth of an octave, and atan z = atan
 * c + atan((z - c)/(1 + z c)): what rounds in the quotient is less than a thirtieth of the result. Below 1/16 c is
 * 0, from 16 on infinite. asin and acos are polynomials up to 1/2, and beyond it that of the half angle: acos x = 2
 * asin sqrt((1 - x)/2).
 */
#ifndef FLOC_BASE_MATHEMATICS_INVERSE_H
#define FLOC_BASE_MATHEMATICS_INVERSE_H

#include "base/mathematics/exponential.h"

#define ARC_FIRST    0.0625 /* from here on the table has rows */
#define ARC_LAST     16.0
#define BEFORE_FIRST 0x1.fp-5

/* The row of arc_table of z, BEFORE_FIRST .. ARC_LAST. */
INLINE uint64_t arc_row(double z)
{
  return (bits_of(z) - 0x3faf000000000000) >> 48;
}

/* The number whose angle that is. */
INLINE double arc_middle(double z)
{
  return number_of((bits_of(z) & 0xffff000000000000) | 0x800000000000);
}

/* atan r - r, |r| <= 1/16 */
INLINE double arc_terms_of(double r)
{
  const double *p = arc_terms;
  double u = r * r, u2 = u * u;
  return r * u * ((p[0] + u * p[1]) + u2 * ((p[2] + u * p[3]) + u2 * p[4]));
}

/* atan(n/d) for 0 <= n <= d, d > 0, with its tail: the ratio may be small, and itself the result. */
INLINE pair arc_of_ratio(double n, double d)
{
  double ratio = n / d;
  bool tiny = !(ratio >= ARC_FIRST); /* also if it is no number */
  uint64_t at = arc_row(choose(tiny, BEFORE_FIRST, ratio));
  double c = choose(tiny, 0.0, arc_middle(ratio)), d1 = leading_half(d), d2 = d - d1;
  /* n - c d, of which the first difference is exact; for c = 0, n. */
  double above = (n - c * d1) - c * d2, below = d + c * n;
  double r = choose(tiny, ratio, above / below);
  pair back = product_of(ratio, d);
  double lost = choose(tiny, ((n - back.high) - back.low) / d, 0.0);
  pair sum = sum_of_ordered(arc_table[2 * at], r);
  return sum_of_ordered(sum.high, sum.low + (arc_table[2 * at + 1] + (lost + arc_terms_of(r))));
}

/* The angle of (x, y), y >= 0, not both 0, in 0 .. pi: a multiple of pi/2 and, to one of both sides, the acute one.
 */
INLINE double arc_of_point(double y, double x)
{
  bool left = x < 0.0;
  double size = fabs(x);
  bool steep = y > size;
  pair a = arc_of_ratio(choose(steep, size, y), choose(steep, y, size));
  double back = choose(steep != left, -1.0, 1.0), turn = choose(steep, 1.0, choose(left, 2.0, 0.0));
  pair sum = sum_of_ordered(turn * HALF_PI_HIGH, back * a.high);
  return sum.high + (sum.low + (turn * HALF_PI_LOW + back * a.low));
}

#define ARC_TINY 0x1p-27 /* below, atan x is x */

/* Also of infinite x: 1/x is 0. */
INLINE bool atan_ordinary(double x)
{
  return x == x;
}

INLINE double atan_lane(double x)
{
  double z = fabs(x);
  bool small = z < ARC_FIRST, large = !(z < ARC_LAST);
  uint64_t at = arc_row(choose(large, ARC_LAST, choose(small, BEFORE_FIRST, z)));
  double c = choose(small, 0.0, arc_middle(z));
  double r = choose(large, -1.0, z - c) / choose(large, z, 1.0 + z * c);
  pair sum = sum_of_ordered(arc_table[2 * at], r);
  double angle = sum.high + (sum.low + (arc_table[2 * at + 1] + arc_terms_of(r)));
  return choose(z < ARC_TINY, x, times_sign(angle, x));
}

INLINE bool atan2_ordinary(double y, double x)
{
  double a = fabs(y), b = fabs(x);
  return (a > 0x1p-400) & (a < 0x1p400) & (b > 0x1p-400) & (b < 0x1p400);
}

INLINE double atan2_lane(double y, double x)
{
  return times_sign(arc_of_point(fabs(y), x), y);
}

/* The root s = x for x up to 1/2, sqrt((1 - x)/2) beyond, and what is to be added to it for asin s. */
INLINE pair arc_sine_parts(double x, bool large)
{
  const double *p = arc_sine_terms;
  double u = choose(large, 0.5 - 0.5 * x, x * x), u2 = u * u, u4 = u2 * u2;
  double root = sqrt(u);
  pair back = product_of(root, root);
  double lost = choose(large, ((u - back.high) - back.low) / (root + root), 0.0), s = choose(large, root, x);
  double lower = ((p[0] + u * p[1]) + u2 * (p[2] + u * p[3])) + u4 * ((p[4] + u * p[5]) + u2 * (p[6] + u * p[7]));
  double upper = ((p[8] + u * p[9]) + u2 * (p[10] + u * p[11])) + u4 * p[12];
  return (pair){s, lost + s * (u * (lower + u4 * u4 * upper))};
}

/* turn pi/2 + factor asin s */
INLINE double arc_sine_sum(double turn, double factor, pair part)
{
  pair sum = sum_of_ordered(turn * HALF_PI_HIGH, factor * part.high);
  return sum.high + (sum.low + (turn * HALF_PI_LOW + factor * part.low));
}

INLINE bool asin_ordinary(double x)
{
  return fabs(x) < 1.0;
}

INLINE double asin_lane(double x)
{
  bool large = fabs(x) > 0.5;
  pair part = arc_sine_parts(fabs(x), large);
  return times_sign(arc_sine_sum(choose(large, 1.0, 0.0), choose(large, -2.0, 1.0), part), x);
}

INLINE bool acos_ordinary(double x)
{
  return fabs(x) < 1.0;
}

INLINE double acos_lane(double x)
{
  bool large = fabs(x) > 0.5;
  pair part = arc_sine_parts(fabs(x), large);
  double turn = choose(large, choose(x < 0.0, 2.0, 0.0), 1.0);
  return arc_sine_sum(turn, times_sign(choose(large, 2.0, -1.0), x), part);
}

#endif
