/*
 * log and its relatives, for ordinary arguments: x = 2^k z, 0.6875 <= z < 1.375, and log x = k ln2 - log f + log(1
 * + r) with r = z f - 1, where f, of the interval of z, has 10 bits, so that r is known exactly as the sum of two
 * numbers without fused products. Around 1 f is 1 and r the exact distance.
 */
#ifndef FLOC_BASE_MATHEMATICS_LOGARITHM_H
#define FLOC_BASE_MATHEMATICS_LOGARITHM_H

#include "base/mathematics/exponential.h"

typedef struct log_parts {
  double r_high, r_low; /* the first has so few bits that its square is exact */
  double base_high;     /* k ln2 - log f, a multiple of 2^-42 as r_high is one of 2^-30: their sum is exact */
  double base_low;
} log_parts;

typedef struct log_place {
  double k;
  uint64_t at, z_bits; /* interval and bits of z */
} log_place;

/* Of a normal positive number's bits. */
INLINE log_place log_find(uint64_t bits)
{
  uint64_t from_first = bits - 0x3fe6000000000000;
  return (log_place){(double)((int32_t)(from_first >> 32) >> 20), from_first >> 45 & 127,
                     bits - (from_first & 0xfff0000000000000)};
}

INLINE log_parts log_reduce(uint64_t bits)
{
  log_place of = log_find(bits);
  double z = number_of(of.z_bits), z1 = number_of((of.z_bits + 0x80000000) & 0xffffffff00000000), z2 = z - z1;
  double f = logarithm_table[of.at * 3];
  return (log_parts){z1 * f - 1.0, z2 * f, of.k * LN2_HIGH + logarithm_table[of.at * 3 + 1],
                     of.k * LN2_LOW + logarithm_table[of.at * 3 + 2]};
}

/* (log(1 + r) - r + r^2/2) / r^3, |r| < 0.008 */
INLINE double log_terms(double r, double r2)
{
  return (0x1.5555555555555p-2 + r * -0.25) +
         r2 * ((0x1.999999999999ap-3 + r * -0x1.5555555555555p-3) + r2 * (0x1.2492492492492p-3 + r * -0.125));
}

INLINE bool log_ordinary(double x)
{
  return bits_of(x) - 0x10000000000000 < 0x7ff0000000000000 - 0x10000000000000;
}

INLINE double log_of_bits(uint64_t bits)
{
  log_parts part = log_reduce(bits);
  double r = part.r_high + part.r_low, r2 = r * r;
  pair sum = sum_of_ordered(part.base_high + part.r_high, part.r_low);
  return sum.high + ((part.base_low + sum.low) + r2 * (-0.5 + r * log_terms(r, r2)));
}

INLINE double log_lane(double x)
{
  return log_of_bits(bits_of(x));
}

/* With some 64 bits: the square of r as well is taken apart. Not normalised. */
INLINE pair log_pair(log_parts part)
{
  double r_low = part.r_low, r = part.r_high + r_low, r2 = r * r;
  pair sum = sum_of_ordered(part.base_high, r);
  double low = part.base_low + sum.low + ((part.r_high - r) + r_low);
  double half = -0.5 * r, half_high = -0.5 * part.r_high, square = part.r_high * half_high,
         high = sum.high + square;
  low += r_low * (half + half_high) + ((sum.high - high) + square);
  double terms = (0x1.5555555555555p-2 + r * -0.25) +
                 r2 * ((0x1.999999999999ap-3 + r * -0x1.5555555555555p-3) +
                       r2 * ((0x1.2492492492492p-3 + r * -0.125) + r2 * (0x1.c71c71c71c71cp-4 + r * -0.1)));
  return (pair){high, low + r * r2 * terms};
}

/* log2 x = k - log2 f + r/ln2 + r^2 q(r): r, whose rounding error joins its lower half, times 1/ln2 in two parts.
 */
INLINE double log2_of_bits(uint64_t bits)
{
  const double c1 = leading_half(LOG2_E_HIGH), c2 = (LOG2_E_HIGH - c1) + LOG2_E_LOW, *q = logarithm2_terms;
  log_place of = log_find(bits);
  double z = number_of(of.z_bits), z1 = number_of(of.z_bits & 0xffffffff00000000), z2 = z - z1;
  double f = logarithm2_table[of.at * 3], r_high = z1 * f - 1.0, r_low = z2 * f;
  double r = r_high + r_low, r2 = r * r, r1 = leading_half(r), rest = (r - r1) + ((r_high - r) + r_low);
  pair sum = sum_of_ordered(of.k + logarithm2_table[of.at * 3 + 1], r1 * c1);
  double low = (logarithm2_table[of.at * 3 + 2] + sum.low) + (r1 * c2 + rest * LOG2_E_HIGH);
  return sum.high + (low + r2 * ((q[0] + r * q[1]) + r2 * ((q[2] + r * q[3]) + r2 * (q[4] + r * q[5]))));
}

/* The logarithm times a constant. */
INLINE double log_scaled(pair log, double high, double low)
{
  double a1 = leading_half(log.high), a2 = (log.high - a1) + log.low, b1 = leading_half(high),
         b2 = (high - b1) + low;
  pair sum = sum_of_ordered(a1 * b1, a1 * b2 + a2 * high);
  return sum.high + (sum.low + a2 * low);
}

INLINE bool log2_ordinary(double x)
{
  return log_ordinary(x);
}

INLINE double log2_lane(double x)
{
  return log2_of_bits(bits_of(x));
}

INLINE bool log10_ordinary(double x)
{
  return log_ordinary(x);
}

INLINE double log10_lane(double x)
{
  return log_scaled(log_pair(log_reduce(bits_of(x))), LOG10_E_HIGH, LOG10_E_LOW);
}

#define LOG1P_GREATEST 0x1p60

INLINE bool log1p_ordinary(double x)
{
  return (x > -1.0) & (x < LOG1P_GREATEST);
}

/* log(1 + x): what 1 + x lost by rounding goes into the second part of r. */
INLINE double log1p_lane(double x)
{
  pair sum = sum_of(1.0, x);
  uint64_t bits = bits_of(sum.high);
  uint64_t from_first = bits - 0x3fe6000000000000;
  /* f 2^-k sum.low, for its factor relative to z */
  double scaled = sum.low * number_of(0x3ff0000000000000 - (from_first & 0xfff0000000000000));
  log_parts part = log_reduce(bits);
  part.r_low += scaled * logarithm_table[(from_first >> 45 & 127) * 3];
  pair log = log_pair(part);
  return fabs(x) < 0x1p-54 ? x : log.high + log.low;
}

/* ---- powers ---- */

/* x^y = e^(y log x) for an ordinary x and exponents that do not leave the range. Squares, inverses and square roots
 * are left out: they are exact ones. */
INLINE pair pow_exponent(uint64_t bits_of_x, double y)
{
  pair log = log_pair(log_reduce(bits_of_x));
  double y1 = leading_half(y), y2 = y - y1;
  double log1 = leading_half(log.high), log2 = (log.high - log1) + log.low;
  return (pair){y1 * log1, y2 * log1 + y * log2};
}

INLINE bool pow_ordinary(double x, double y)
{
  double exponent = fabs(pow_exponent(bits_of(x), y).high);
  return log_ordinary(x) & (exponent < 690.0) & (y != 2.0) & (y != -1.0) & (y != 0.5);
}

INLINE double pow_lane(double x, double y)
{
  return exp_of_pair(pow_exponent(bits_of(x), y), 0);
}

#endif
