/*
 * exp and its relatives, for ordinary arguments: x = k ln2/128 + r, e^x = 2^(k/128) (1 + r + r^2/2 + ...), |r| <
 * 0.0028. 2^(k/128) comes from a table with its tail and the exponent; the terms are Taylor's up to r^5. A
 * function f has f_ordinary(x), which holds for all but large, small and special arguments, and f_lane(x), its
 * value there, without branches.
 */
#ifndef FLOC_BASE_MATHEMATICS_EXPONENTIAL_H
#define FLOC_BASE_MATHEMATICS_EXPONENTIAL_H

#include "base/mathematics/pairs.h"
#include "base/mathematics/tables.h"

#define EXP_GREATEST  0x1.62e42fefa39efp+9 /* the greatest x whose e^x is finite */
#define SINH_GREATEST 0x1.633ce8fb9f87dp+9 /* the same of sinh and cosh */

/* Adding it rounds to an integer, whose low bits are then those of the sum. */
#define TO_INTEGER 0x1.8p52

/* e^r - 1 - r */
INLINE double exp_terms(double r)
{
  double r2 = r * r;
  return r2 * ((0.5 + r * 0x1.5555555555555p-3) + r2 * (0x1.5555555555555p-5 + r * 0x1.1111111111111p-7));
}

/* 2^(k/128 + shift) e^r as a number times 1 + terms. */
INLINE pair exp_parts(uint64_t k, double r, int64_t shift)
{
  uint64_t at = (k & 127) * 2, exponent = ((k >> 7) + (uint64_t)shift) << 52;
  return (pair){number_of(bits_of(power_table[at]) + exponent), power_table[at + 1] + r + exp_terms(r)};
}

/* 2^shift e^x, if that can be represented as a normal number, |x| < 746. */
INLINE double exp_scaled(double x, int64_t shift)
{
  double shifted = x * STEPS_BY_LN2 + TO_INTEGER, k = shifted - TO_INTEGER;
  pair e = exp_parts(bits_of(shifted), (x - k * LN2_STEP_HIGH) - k * LN2_STEP_LOW, shift);
  return e.high + e.high * e.low;
}

/* The same of a pair, whose second part is below 0.1. */
INLINE double exp_of_pair(pair x, int64_t shift)
{
  double shifted = (x.high + x.low) * STEPS_BY_LN2 + TO_INTEGER, k = shifted - TO_INTEGER;
  pair e = exp_parts(bits_of(shifted), ((x.high - k * LN2_STEP_HIGH) - k * LN2_STEP_LOW) + x.low, shift);
  return e.high + e.high * e.low;
}

INLINE bool exp_ordinary(double x)
{
  return (x > -690.0) & (x < 709.78); /* terms that are added are no subnormal numbers */
}

INLINE double exp_lane(double x)
{
  return exp_scaled(x, 0);
}

INLINE bool exp2_ordinary(double x)
{
  return (x > -1000.0) & (x < 1023.99);
}

INLINE double exp2_scaled(double x, int64_t shift)
{
  double shifted = x + 0x1.8p45, r = (x - (shifted - 0x1.8p45)) * LN2_NEAREST;
  pair e = exp_parts(bits_of(shifted), r, shift);
  return e.high + e.high * e.low;
}

INLINE double exp2_lane(double x)
{
  return exp2_scaled(x, 0);
}

/* ---- e^x and e^-x together, for what subtracts them ---- */

typedef struct exp_both {
  double rising, falling;             /* 2^(k/128 + shift), 2^(-k/128 + shift) */
  double rising_terms, falling_terms; /* times 1 + these: 2^shift e^x, 2^shift e^-x */
} exp_both;

INLINE exp_both exp_of_both(double x, int64_t shift)
{
  double shifted = x * STEPS_BY_LN2 + TO_INTEGER, k = shifted - TO_INTEGER;
  double r = (x - k * LN2_STEP_HIGH) - k * LN2_STEP_LOW;
  pair up = exp_parts(bits_of(shifted), r, shift), down = exp_parts(-bits_of(shifted), -r, shift);
  return (exp_both){up.high, down.high, up.low, down.low};
}

#define EXPM1_SMALL 0.0625
#define EXPM1_LEAST -50.0 /* below, e^x - 1 is -1 */

INLINE double expm1_small(double x)
{
  const double *p = expm1_terms;
  double x2 = x * x, x3 = x2 * x;
  double rest = (p[0] + x * p[1]) + x2 * ((p[2] + x * p[3]) + x2 * ((p[4] + x * p[5]) + x2 * p[6]));
  return x + (0.5 * x2 + x3 * rest);
}

INLINE double expm1_large(double x)
{
  double shifted = x * STEPS_BY_LN2 + TO_INTEGER, k = shifted - TO_INTEGER;
  pair e = exp_parts(bits_of(shifted), (x - k * LN2_STEP_HIGH) - k * LN2_STEP_LOW, 0), less = sum_of(e.high, -1.0);
  return less.high + (less.low + e.high * e.low);
}

INLINE bool expm1_ordinary(double x)
{
  return (x < 709.78) & (x != 0.0);
}

INLINE double expm1_lane(double x)
{
  double bounded = choose(x < EXPM1_LEAST, EXPM1_LEAST, x);
  return choose(fabs(bounded) < EXPM1_SMALL, expm1_small(bounded), expm1_large(bounded));
}

/* ---- hyperbolic functions ---- */

#define SINH_SMALL    0.3
#define TANH_SMALL    0.125
#define TANH_GREATEST 22.0 /* beyond, it is 1 */

INLINE double sinh_small(double x)
{
  const double *p = sinh_terms;
  double u = x * x, u2 = u * u;
  return x + x * u * ((p[0] + u * p[1]) + u2 * ((p[2] + u * p[3]) + u2 * (p[4] + u * p[5])));
}

/* Of x >= 0. */
INLINE double sinh_large(double x)
{
  exp_both e = exp_of_both(x, -1);
  pair difference = sum_of_ordered(e.rising, -e.falling);
  return difference.high + (difference.low + (e.rising * e.rising_terms - e.falling * e.falling_terms));
}

INLINE bool sinh_ordinary(double x)
{
  return fabs(x) < 700.0;
}

INLINE double sinh_lane(double x)
{
  double size = fabs(x);
  return choose(size < SINH_SMALL, sinh_small(x), times_sign(sinh_large(size), x));
}

INLINE bool cosh_ordinary(double x)
{
  return fabs(x) < 700.0;
}

INLINE double cosh_lane(double x)
{
  exp_both e = exp_of_both(fabs(x), -1);
  pair sum = sum_of_ordered(e.rising, e.falling);
  return sum.high + (sum.low + (e.rising * e.rising_terms + e.falling * e.falling_terms));
}

/* Of x >= 0: with a minus before a zero its sign would be lost. */
INLINE double tanh_small(double x)
{
  const double *p = tanh_terms;
  double u = x * x, u2 = u * u;
  double rest = (p[0] + u * p[1]) + u2 * ((p[2] + u * p[3]) + u2 * ((p[4] + u * p[5]) + u2 * p[6]));
  return x + x * u * rest;
}

/* Of x in TANH_SMALL .. TANH_GREATEST. */
INLINE double tanh_large(double x)
{
  exp_both e = exp_of_both(x, 0);
  pair below = sum_of_ordered(e.rising, e.falling), above = sum_of_ordered(e.rising, -e.falling);
  double rising = e.rising * e.rising_terms, falling = e.falling * e.falling_terms;
  below = sum_of_ordered(below.high, below.low + (rising + falling));
  above = sum_of_ordered(above.high, above.low + (rising - falling));
  pair q = quotient_of(above, below);
  return q.high + q.low;
}

INLINE bool tanh_ordinary(double x)
{
  (void)x;
  return true;
}

INLINE double tanh_lane(double x)
{
  double size = fabs(x), bounded = choose(size > TANH_GREATEST, TANH_GREATEST, size);
  return times_sign(choose(size < TANH_SMALL, tanh_small(bounded), tanh_large(bounded)), x);
}

#endif
