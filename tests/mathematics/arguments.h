/*
 * Arguments for the tests of the mathematical functions: for each function ranges that cover all of it, number n of
 * which is drawn from a hash of n, so that every test has the same ones; and edges, where functions change their
 * way.
 */
#ifndef FLOC_TESTS_MATHEMATICS_ARGUMENTS_H
#define FLOC_TESTS_MATHEMATICS_ARGUMENTS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double argument_range(long n);
typedef void argument_ranges(long n, double at[2]);

static inline uint64_t random_bits(uint64_t n)
{
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/* Draw k of number n, in lower .. upper. */
static inline double between(long n, int k, double lower, double upper)
{
  return lower + (upper - lower) * ((double)(random_bits(8 * (uint64_t)n + (uint64_t)k) >> 11) * 0x1p-53);
}

/* 2^lower .. 2^upper, every octave as often. */
static inline double octaves(long n, int k, int lower, int upper)
{
  uint64_t bits = random_bits(8 * (uint64_t)n + (uint64_t)k);
  return ldexp(1.0 + (double)(bits >> 12) * 0x1p-52, lower + (int)(random_bits(bits) % (uint64_t)(upper - lower)));
}

static inline double either_sign(long n, double x)
{
  return random_bits(8 * (uint64_t)n + 7) & 1 ? -x : x;
}

static inline double range_exp(long n)
{
  switch (n % 4) {
  case 0:
    return either_sign(n, octaves(n, 0, -60, 0));
  case 1:
    return between(n, 0, -745.2, 709.8);
  case 2:
    return between(n, 0, -10, 10);
  default:
    return between(n, 0, -1, 1);
  }
}

static inline double range_exp2(long n)
{
  return n % 3 == 0   ? either_sign(n, octaves(n, 0, -60, 0))
         : n % 3 == 1 ? between(n, 0, -1075, 1024)
                      : between(n, 0, -10, 10);
}

static inline double range_expm1(long n)
{
  return n % 3 == 0   ? either_sign(n, octaves(n, 0, -1074, 0))
         : n % 3 == 1 ? between(n, 0, -50, 709.8)
                      : between(n, 0, -1, 1);
}

static inline double range_log(long n)
{
  switch (n % 4) {
  case 0:
    return octaves(n, 0, -1074, 1024);
  case 1:
    return between(n, 0, 0.5, 2);
  case 2:
    return 1 + either_sign(n, octaves(n, 0, -50, -2));
  default:
    return between(n, 0, 0, 100);
  }
}

static inline double range_log1p(long n)
{
  switch (n % 4) {
  case 0:
    return octaves(n, 0, -1074, 1024);
  case 1:
    return between(n, 0, -1, 0);
  case 2:
    return either_sign(n, octaves(n, 0, -60, -1));
  default:
    return between(n, 0, 0, 100);
  }
}

/* Also next to multiples of pi/2, and all sizes. */
static inline double range_circular(long n)
{
  switch (n % 5) {
  case 0:
    return either_sign(n, octaves(n, 0, -60, 17));
  case 1:
    return between(n, 0, -7, 7);
  case 2:
    return either_sign(n, octaves(n, 0, 0, 1024));
  case 3:
    return (double)(random_bits(8 * (uint64_t)n) % 1000) * 1.5707963267948966;
  default:
    return between(n, 0, -1e5, 1e5);
  }
}

static inline double range_unit(long n)
{
  return n % 3 == 0   ? either_sign(n, octaves(n, 0, -1074, 0))
         : n % 3 == 1 ? either_sign(n, 1 - octaves(n, 0, -50, -1))
                      : between(n, 0, -1, 1);
}

static inline double range_atan(long n)
{
  return n % 3 == 0   ? either_sign(n, octaves(n, 0, -1074, 1024))
         : n % 3 == 1 ? between(n, 0, -1, 1)
                      : between(n, 0, -10, 10);
}

static inline double range_hyperbolic(long n)
{
  return n % 3 == 0   ? either_sign(n, octaves(n, 0, -60, 1))
         : n % 3 == 1 ? between(n, 0, -711, 711)
                      : between(n, 0, -5, 5);
}

static inline double range_tanh(long n)
{
  return n % 3 == 0   ? either_sign(n, octaves(n, 0, -1074, 1))
         : n % 3 == 1 ? between(n, 0, -25, 25)
                      : between(n, 0, -2, 2);
}

static inline double range_cbrt(long n)
{
  return n % 2 ? either_sign(n, octaves(n, 0, -1074, 1024)) : between(n, 0, -8, 8);
}

static inline double range_erf(long n)
{
  return n % 2 ? either_sign(n, octaves(n, 0, -1074, 0)) : between(n, 0, -7, 7);
}

static inline double range_erfc(long n)
{
  return n % 3 == 0   ? either_sign(n, octaves(n, 0, -60, 0))
         : n % 3 == 1 ? between(n, 0, 0, 28)
                      : between(n, 0, -7, 7);
}

static inline void ranges_pow(long n, double at[2])
{
  switch (n % 4) {
  case 0:
    at[0] = octaves(n, 0, -1074, 1024);
    at[1] = between(n, 1, -1080, 1080) / (1 + fabs(log2(at[0])));
    break;
  case 1:
    at[0] = between(n, 0, 0, 4), at[1] = between(n, 1, -4, 4);
    break;
  case 2:
    at[0] = 1 + either_sign(n, octaves(n, 0, -45, -3)),
    at[1] = octaves(n, 1, 0, 40) * (random_bits((uint64_t)n) & 1 ? 1 : -1);
    break;
  default:
    at[0] = between(n, 0, -10, 10), at[1] = (double)(random_bits((uint64_t)n) % 41) - 20;
  }
}

static inline void ranges_atan2(long n, double at[2])
{
  if (n % 3 == 0)
    at[0] = either_sign(n, octaves(n, 0, -1074, 1024)), at[1] = either_sign(n / 2, octaves(n, 1, -1074, 1024));
  else if (n % 3 == 1)
    at[0] = between(n, 0, -1, 1), at[1] = between(n, 1, -1, 1);
  else
    at[1] = either_sign(n, octaves(n, 0, -1000, 1000)), at[0] = at[1] * octaves(n, 1, -20, 20);
}

static inline void ranges_hypot(long n, double at[2])
{
  if (n % 3 == 0)
    at[0] = either_sign(n, octaves(n, 0, -1074, 1023)), at[1] = at[0] * octaves(n, 1, -60, 0);
  else
    at[0] = between(n, 0, -1, 1), at[1] = between(n, 1, -1, 1) * (n % 3 == 1 ? 1 : 1e-3);
}

static inline void ranges_fmod(long n, double at[2])
{
  if (n % 3 == 0)
    at[0] = either_sign(n, octaves(n, 0, -1074, 1024)), at[1] = octaves(n, 1, -1074, 1024);
  else if (n % 3 == 1)
    at[0] = octaves(n, 0, 0, 60), at[1] = octaves(n, 1, -10, 10);
  else
    at[0] = between(n, 0, -100, 100), at[1] = between(n, 1, -3, 3);
}

static const double edges[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1074, 1e-310,
    -1e-310, 0x1p-1022, -0x1p-1022, 0x0.fffffffffffffp-1022, 1e-300, -1e-300, 1e-160, -1e-160, 1e-20, -1e-20, 1e-9,
    -1e-9, 1e-5, -1e-5, 0x1.fffffffffffffp+1023, -0x1.fffffffffffffp+1023, 1e300, -1e300, 1e200, 1e22, -1e22, 1e15,
    1e14, 125.0, 15.0,
    /* e^x at its limits; 2^x, sinh, cosh at theirs */
    0x1.62e42fefa39efp+9, 0x1.62e42fefa39f0p+9, -0x1.74910d52d3051p+9, -0x1.74910d52d3052p+9, -0x1.6232bdd7abcd2p+9,
    -708.0, 709.78, -708.5, -740.0, 710.0, -711.0, -746.0, -750.0, 1000.0, -1000.0, 0x1.fffffffffffffp+9, 1024.0,
    1023.99, -1022.0, -1022.5, -1074.0, -1074.5, -1075.0, -1076.0, -1077.0, 0x1.633ce8fb9f87dp+9,
    0x1.633ce8fb9f87ep+9, 700.0, -700.0, 0x1.fffffffffffffp-1, 0x1.0000000000001p+0, -0x1.fffffffffffffp-1,
    -0x1.0000000000001p+0, 0x1.6a09e667f3bcdp-1, 0x1.921fb54442d18p+0, 0x1.921fb54442d18p+1, 0x1.921fb54442d18p-1,
    355.0, 103993.0, 0x1.6ac5b262ca1ffp+849, 1e5, -1e5, 0x1.86a0000000001p+16, 0x1p53, 0x1p63, 0x1p64, -0x1p53,
    0x1p54, 9007199254740993.0, 0x1p60, 0x1p-27, 0x1p-54, 0.0625, -0.0625, 0.125, 0.3, -0.3, 22.0, -50.0, 0.1, 0.7,
    1.1, 1.5, 2.5, -1.5, -2.5, 10.0, 100.0, 1e10, 0.6875, 1.375, 27.2, 26.5, 28.0, 20.0, -6.0, 6.0, 0x1p-400,
    0x1p400, 0x1p66, 8.0, 27.0, 64.0, 1.0 / 3.0, 3.5 / 64.0};
enum { EDGES = sizeof edges / sizeof *edges };

#endif
