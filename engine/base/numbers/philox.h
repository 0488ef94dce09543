/*
 * Philox4x64 with ten rounds: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
 * A bijection of a counter of four words, chosen by a key of two. A round multiplies two of the words by constants,
 * takes the lower halves of the products, and mixes the upper halves with the other two words and the key, which
 * grows by constants from round to round. It has no state, so any number of a stream is had without those before
 * it.
 */
#ifndef FLOC_BASE_NUMBERS_PHILOX_H
#define FLOC_BASE_NUMBERS_PHILOX_H

#include <stdint.h>

/* Upper and lower half of a product of two words, from four products of half words. */
static inline uint64_t philox_product_by_halves(uint64_t a, uint64_t b, uint64_t *lower)
{
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
  *lower = other << 32 | (uint32_t)low;
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

static inline uint64_t philox_product(uint64_t a, uint64_t b, uint64_t *lower)
{
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)a * b;
  *lower = (uint64_t)product;
  return (uint64_t)(product >> 64);
#else
  return philox_product_by_halves(a, b, lower);
#endif
}

static inline void philox4x64(const uint64_t counter[4], const uint64_t key[2], uint64_t out[4])
{
  uint64_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3], key0 = key[0], key1 = key[1];
  for (int round = 0; round < 10; round++) {
    uint64_t lower0, lower2;
    uint64_t upper0 = philox_product(UINT64_C(0xD2E7470EE14C6C93), x0, &lower0);
    uint64_t upper2 = philox_product(UINT64_C(0xCA5A826395121157), x2, &lower2);
    x0 = upper2 ^ x1 ^ key0;
    x1 = lower2;
    x2 = upper0 ^ x3 ^ key1;
    x3 = lower0;
    key0 += UINT64_C(0x9E3779B97F4A7C15);
    key1 += UINT64_C(0xBB67AE8584CAA73B);
  }
  out[0] = x0, out[1] = x1, out[2] = x2, out[3] = x3;
}

#endif
