/*
 * A number and the 64 bits that it consists of.
 */
#ifndef FLOC_BASE_NUMBERS_BITS_H
#define FLOC_BASE_NUMBERS_BITS_H

#include <stdint.h>
#include <string.h>

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
