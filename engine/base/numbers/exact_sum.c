/*
 * Carries, merging and rounding of exact sums. See exact_sum.h.
 */
#include "base/numbers/exact_sum.h"

#include "base/numbers/bits.h"
#include "floc/floc.h"

#include <math.h>
#include <stdbool.h>

enum { NOTED_NAN = 1, NOTED_PLUS = 2, NOTED_MINUS = 4 };
enum { LAST = EXACT_CHUNKS - 1, MANTISSA = 52 };

void exact_carry(exact_sum *sum)
{
  for (int k = 0; k < LAST; k++) {
    const int64_t low = sum->chunk[k] & INT64_C(0xffffffff);
    sum->chunk[k + 1] += (sum->chunk[k] - low) / (INT64_C(1) << 32);
    sum->chunk[k] = low;
  }
  sum->left = EXACT_ADDS - 1; /* without the term that this was called for */
}

void exact_note(exact_sum *sum, double value)
{
  if (fabs(value) < 1.0) { /* in units of the smallest double */
    const int64_t units = (int64_t)(bits_of(value) & (UINT64_MAX >> 1));
    const int64_t low = units & INT64_C(0xffffffff), high = units >> 32;
    sum->chunk[0] += value < 0.0 ? -low : low;
    sum->chunk[1] += value < 0.0 ? -high : high;
    return;
  }
  sum->special |= isnan(value) ? NOTED_NAN : value > 0.0 ? NOTED_PLUS : NOTED_MINUS;
}

void exact_merge(exact_sum *sum, exact_sum *other)
{
  exact_carry(other);
  if (sum->left-- == 0) exact_carry(sum);
  for (int k = 0; k < EXACT_CHUNKS; k++) sum->chunk[k] += other->chunk[k];
  sum->special |= other->special;
}

/* `count` bits, at most 53, from bit number `from` on; carries are taken. */
static uint64_t bits_from(const exact_sum *sum, int from, int count)
{
  const int k = from / 32, shift = from % 32;
  uint64_t two = (uint64_t)sum->chunk[k] >> shift | (uint64_t)sum->chunk[k + 1] << (32 - shift);
  if (shift > 0 && k + 2 < EXACT_CHUNKS) two |= (uint64_t)sum->chunk[k + 2] << (64 - shift);
  return two & ((UINT64_C(1) << count) - 1);
}

static bool any_below(const exact_sum *sum, int bit)
{
  for (int k = 0; k < bit / 32; k++)
    if (sum->chunk[k] != 0) return true;
  return (sum->chunk[bit / 32] & ((INT64_C(1) << bit % 32) - 1)) != 0;
}

static int highest_bit(int64_t chunk)
{
  int bit = 0;
  while (chunk >> bit > 1) bit++;
  return bit;
}

/* Of a sum > 0 whose carries are taken. Rounding up may carry into the exponent, which is as it should be. */
static uint64_t rounded(const exact_sum *sum, int last)
{
  const uint64_t infinite = UINT64_C(0x7ff) << MANTISSA;
  if (last == LAST) return infinite;
  const int highest = 32 * last + highest_bit(sum->chunk[last]);
  if (highest <= MANTISSA) return bits_from(sum, 0, MANTISSA + 1);
  const int lowest = highest - MANTISSA;
  if (lowest + 1 >= 0x7ff) return infinite;
  const uint64_t mantissa = bits_from(sum, lowest, MANTISSA + 1);
  const bool half = bits_from(sum, lowest - 1, 1) != 0;
  const bool up = half && (any_below(sum, lowest - 1) || (mantissa & 1) != 0);
  return ((uint64_t)lowest << MANTISSA) + mantissa + up;
}

double exact_value(const exact_sum *sum)
{
  if (sum->special != 0) {
    if (sum->special == NOTED_PLUS) return INFINITY;
    return sum->special == NOTED_MINUS ? -INFINITY : NAN;
  }
  exact_sum copy = *sum;
  exact_carry(&copy);
  const bool negative = copy.chunk[LAST] < 0;
  if (negative) {
    for (int k = 0; k < EXACT_CHUNKS; k++) copy.chunk[k] = -copy.chunk[k];
    exact_carry(&copy);
  }
  int last = LAST;
  while (last > 0 && copy.chunk[last] == 0) last--;
  const double size = number_of(rounded(&copy, last));
  return negative ? -size : size;
}

void exact_add_all(exact_sum *sum, const double *values, int64_t count)
{
  for (int64_t k = 0, end; k < count; k = end) {
    if (sum->left-- == 0) exact_carry(sum);
    end = count - k > sum->left ? k + sum->left + 1 : count;
    sum->left -= (int32_t)(end - k - 1);
    for (int64_t n = k; n < end; n++) exact_put(sum, values[n]);
  }
}

double floc_sum(const double *values, int64_t count)
{
  exact_sum sum = EXACT_ZERO;
  if (values) exact_add_all(&sum, values, count);
  return exact_value(&sum);
}
