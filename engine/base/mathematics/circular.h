/*
 * sin, cos and tan: x = q pi/2 + r, |r| <= pi/4, with r as a pair. Up to 1e5 from pi/2 in four parts, of which the
 * first three have so few bits that their products with q are exact (Cody and Waite); beyond by the bits of 2/pi
 * that matter (Payne and Hanek 1983), in circular.c.
 */
#ifndef FLOC_BASE_MATHEMATICS_CIRCULAR_H
#define FLOC_BASE_MATHEMATICS_CIRCULAR_H

#include "base/mathematics/exponential.h"

#define CIRCULAR_TINY 0x1p-27 /* below, sin x is x, and cos x 1 */

typedef struct quarter_turns {
  pair r;
  uint64_t q; /* the last two bits count */
} quarter_turns;

INLINE bool circular_ordinary(double x)
{
  return fabs(x) < 1e5;
}

INLINE quarter_turns circular_reduce(double x)
{
  double shifted = x * TWO_BY_PI + TO_INTEGER, q = shifted - TO_INTEGER;
  pair first = sum_of(x - q * HALF_PI_1, -q * HALF_PI_2), second = sum_of(first.high, -q * HALF_PI_3);
  double low = (first.low + second.low) - q * HALF_PI_4;
  return (quarter_turns){sum_of_ordered(second.high, low), bits_of(shifted)};
}

/* sin r is the sum of the parts, not normalised. */
INLINE pair sine_parts(pair r)
{
  const double *p = sine_terms;
  double u = r.high * r.high, u2 = u * u;
  double rest = (p[0] + u * p[1]) + u2 * ((p[2] + u * p[3]) + u2 * ((p[4] + u * p[5]) + u2 * p[6]));
  return (pair){r.high, r.high * u * rest + (r.low - 0.5 * u * r.low)};
}

/* The same of cos r. */
INLINE pair cosine_parts(pair r)
{
  const double *p = cosine_terms;
  double u = r.high * r.high, u2 = u * u, half = 0.5 * u;
  double rest = (p[0] + u * p[1]) + u2 * ((p[2] + u * p[3]) + u2 * ((p[4] + u * p[5]) + u2 * p[6]));
  pair first = sum_of_ordered(1.0, -half);
  return (pair){first.high, first.low + (u2 * rest - r.high * r.low)};
}

/* sin(r + q pi/2) */
INLINE double circular_value(quarter_turns at)
{
  pair sine = sine_parts(at.r), cosine = cosine_parts(at.r);
  double s = sine.high + sine.low, c = cosine.high + cosine.low;
  return number_of(bits_of(choose(at.q & 1, c, s)) ^ (at.q & 2) << 62);
}

INLINE bool sin_ordinary(double x)
{
  return circular_ordinary(x);
}

INLINE double sin_lane(double x)
{
  return choose(fabs(x) < CIRCULAR_TINY, x, circular_value(circular_reduce(x)));
}

INLINE bool cos_ordinary(double x)
{
  return circular_ordinary(x);
}

INLINE double cos_lane(double x)
{
  quarter_turns at = circular_reduce(x);
  at.q++;
  return circular_value(at);
}

/* cos r with the error of r^2 taken along, for tan. */
INLINE pair cosine_pair(pair r)
{
  pair u = product_of(r.high, r.high), cosine = cosine_parts(r);
  return sum_of_ordered(cosine.high, cosine.low - 0.5 * u.low);
}

INLINE double tan_value(quarter_turns at)
{
  pair sine = sine_parts(at.r), cosine = cosine_pair(at.r);
  sine = sum_of_ordered(sine.high, sine.low);
  bool odd = at.q & 1;
  pair above = {choose(odd, -cosine.high, sine.high), choose(odd, -cosine.low, sine.low)};
  pair below = {choose(odd, sine.high, cosine.high), choose(odd, sine.low, cosine.low)};
  pair q = quotient_of(above, below);
  return q.high + q.low;
}

INLINE bool tan_ordinary(double x)
{
  return circular_ordinary(x);
}

INLINE double tan_lane(double x)
{
  return choose(fabs(x) < CIRCULAR_TINY, x, tan_value(circular_reduce(x)));
}

#endif
