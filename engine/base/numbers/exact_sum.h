/*
 * Sums that depend neither on the order of their terms nor on how these are cut into parts: the sum is kept
 * exactly, and rounded once, to nearest and ties to even, when it is asked for. So an exact_sum of all particles is
 * the same number for any storage order, any blocks, any number of threads.
 *
 * A finite double is a whole multiple of 2^-1074 below 2^1024. The sum is an integer of these units, in chunks
 * of 32 bits with 64 bits of space each (after R. M. Neal, Fast exact summation using small and large
 * superaccumulators, 2015): a term is added to two chunks, without looking at their carries, which are taken every
 * EXACT_ADDS terms. Above the greatest double 64 bits are left, so that 2^63 terms of any size fit, and only the
 * result can be infinite.
 *
 * What is not finite is noted apart: the sum is NaN if a term is NaN, or if there are infinities of both signs;
 * infinite if there are those of one sign, whatever the finite terms; infinite, too, if the finite sum is too large
 * for a double. 0 for no terms, and 0, not -0, for terms that cancel. Underflow cannot happen: sums of doubles are
 * multiples of the smallest one.
 */
#ifndef FLOC_BASE_NUMBERS_EXACT_SUM_H
#define FLOC_BASE_NUMBERS_EXACT_SUM_H

#include <stdint.h>
#include <string.h>

enum { EXACT_CHUNKS = 67, EXACT_ADDS = 1024 };

/* Begin with EXACT_ZERO. */
typedef struct exact_sum {
  int64_t chunk[EXACT_CHUNKS]; /* chunk k counts 2^(32 k - 1074) */
  int32_t left;                /* terms that may still be added before carries are taken */
  uint32_t special;            /* flags: what was added that is not finite */
} exact_sum;

#define EXACT_ZERO ((exact_sum){.left = EXACT_ADDS})

/* Takes carries: all chunks but the last are then from 0 to 2^32 - 1, and equal sums have equal chunks. */
void exact_carry(exact_sum *sum);
/* Adds what is 0, subnormal, NaN or infinite. */
void exact_note(exact_sum *sum, double value);
/* Adds what another one holds; its carries are taken. */
void exact_merge(exact_sum *sum, exact_sum *other);
/* The sum, rounded once. */
double exact_value(const exact_sum *sum);
/* Adds numbers one after the other, in fewer instructions each than exact_add(). */
void exact_add_all(exact_sum *sum, const double *values, int64_t count);

/* The same where carries need not be taken. A negative term borrows: its lower chunk is positive, too. */
static inline __attribute__((always_inline)) void exact_put(exact_sum *sum, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint32_t exponent = (uint32_t)(bits >> 52) & 0x7ffU;
  if (__builtin_expect(exponent - 1U >= 0x7feU, 0)) { /* 0 or 0x7ff */
    exact_note(sum, value);
    return;
  }
  const uint32_t place = exponent - 1U, shift = place & 31U;
  const int64_t sign = -(int64_t)(bits >> 63), size = (int64_t)((bits & 0xfffffffffffffU) | UINT64_C(1) << 52);
  const int64_t mantissa = (size ^ sign) - sign;
  int64_t *to = &sum->chunk[place >> 5];
  to[0] += (int64_t)(uint32_t)((uint32_t)mantissa << shift);
  to[1] += mantissa >> (32U - shift);
}

static inline void exact_add(exact_sum *sum, double value)
{
  if (sum->left-- == 0) exact_carry(sum);
  exact_put(sum, value);
}

#endif
