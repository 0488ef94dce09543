/*
 * What the mathematical functions are made of: bits of numbers, and pairs, numbers with a tail.
 *
 * A pair stands for the sum of its parts; high holds all of it but for a rounding. Sums and products whose rounding
 * error is a number themselves are after Dekker (1971) and Knuth (TAOCP 2, 4.2.2). They need +, -, * rounded to
 * nearest, each for itself: fused products or x87 registers would break them, so the whole project is compiled with
 * -ffp-contract=off.
 */
#ifndef FLOC_BASE_MATHEMATICS_PAIRS_H
#define FLOC_BASE_MATHEMATICS_PAIRS_H

#include "base/numbers/bits.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define INLINE            static inline __attribute__((always_inline))
#define LIKELY(condition) __builtin_expect(condition, 1)

typedef struct pair {
  double high, low;
} pair;

#define SIGN_BIT 0x8000000000000000

/* yes ? a : b. In loops (many.c) by bits, so that no compiler makes a branch of it and no vector of the loop. */
INLINE double choose(bool yes, double a, double b)
{
#ifdef CHOOSE_BY_BITS
  uint64_t mask = -(uint64_t)yes;
  return number_of((bits_of(a) & mask) | (bits_of(b) & ~mask));
#else
  return yes ? a : b;
#endif
}

/* x with the sign of `of` on top of its own. */
INLINE double times_sign(double x, double of)
{
  return number_of(bits_of(x) ^ (bits_of(of) & SIGN_BIT));
}

/* 2^k for k of -1022 .. 1023. */
INLINE double power_of_two(int64_t k)
{
  return number_of((uint64_t)(k + 1023) << 52);
}

/* The 26 leading bits of x. */
INLINE double leading_half(double x)
{
  return number_of(bits_of(x) & ~(uint64_t)0x7ffffff);
}

/* a + b exactly, if |a| >= |b| or a is 0. */
INLINE pair sum_of_ordered(double a, double b)
{
  double high = a + b;
  return (pair){high, (a - high) + b};
}

INLINE pair sum_of(double a, double b)
{
  double high = a + b, part = high - a;
  return (pair){high, (a - (high - part)) + (b - part)};
}

/* a b but for 2^-107 of it, if neither the product nor its error overflows or becomes subnormal. */
INLINE pair product_of(double a, double b)
{
  double high = a * b, a1 = leading_half(a), a2 = a - a1, b1 = leading_half(b), b2 = b - b1;
  return (pair){high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
}

/* a/b, 100 bits of it. */
INLINE pair quotient_of(pair a, pair b)
{
  double inverse = 1.0 / b.high, q = a.high * inverse;
  pair back = product_of(q, b.high);
  return sum_of_ordered(q, (((a.high - back.high) - back.low) + a.low - q * b.low) * inverse);
}

/* The square root of a > 0. */
INLINE pair root_of(pair a)
{
  double root = sqrt(a.high);
  pair back = product_of(root, root);
  return (pair){root, (((a.high - back.high) - back.low) + a.low) / (2.0 * root)};
}

#endif
