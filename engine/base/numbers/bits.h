/*
 * A number and the 64 bits that it consists of. Where a compiler computes in registers that are wider than a number
 * (x87), results would depend on what it keeps in them, so that it is refused.
 */
#ifndef FLOC_BASE_NUMBERS_BITS_H
#define FLOC_BASE_NUMBERS_BITS_H

#include <float.h>
#include <stdint.h>
#include <string.h>

#if FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD < 0
#error "double is computed with more than 64 bits: give the compiler -msse2 -mfpmath=sse"
#endif

static inline __attribute__((always_inline)) uint64_t bits_of(double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static inline __attribute__((always_inline)) double number_of(uint64_t bits)
{
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

#endif
