/*
 * floc_sin, floc_cos, floc_tan. See circular.h.
 */
#include "base/mathematics/circular.h"
#include "base/mathematics/mathematics.h"

#include <floc/floc.h>

enum { WORDS = 8, LIMBS = WORDS + 2 };

/* 64 bits of a number of LIMBS words, lowest first, from bit `from` on, which may be negative. */
static uint64_t bits_from(const uint32_t *limb, int from)
{
  uint64_t found = 0;
  for (int n = 0; n < 64; n += 32) {
    int at = from + n, word = at >= 0 ? at / 32 : -((31 - at) / 32), shift = at - 32 * word;
    uint64_t low = word >= 0 && word < LIMBS ? limb[word] : 0,
             high = word >= -1 && word < LIMBS - 1 ? limb[word + 1] : 0;
    found |= ((low | high << 32) >> shift & 0xffffffff) << n;
  }
  return found;
}

/* The pair of 2^-192 of a number of three words, highest first, times pi/2. */
static pair fraction_of_quarter(const uint64_t word[3], bool negative)
{
  uint64_t first = word[0], second = word[1], third = word[2];
  int zeros = 0;
  if (first == 0) first = second, second = third, third = 0, zeros = 64;
  int shift = __builtin_clzll(first | 1);
  if (shift > 0) {
    first = first << shift | second >> (64 - shift);
    second = second << shift | third >> (64 - shift);
  }
  zeros += shift;
  /* 53 bits each, so that converting rounds nothing. */
  double high = (double)(first >> 11) * power_of_two(-53 - zeros);
  double low = (double)((first & 0x7ff) << 42 | second >> 22) * power_of_two(-106 - zeros);
  pair product = product_of(high, HALF_PI_HIGH),
       r = sum_of_ordered(product.high, product.low + (high * HALF_PI_LOW + low * HALF_PI_HIGH));
  return negative ? (pair){-r.high, -r.low} : r;
}

/* |x| >= 1e5, finite: x 2/pi with the bits of 2/pi whose products are no multiples of 4 (Payne and Hanek). */
static quarter_turns reduce_far(double x)
{
  uint64_t bits = bits_of(x), m = (bits & 0xfffffffffffff) | 0x10000000000000;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1075, first = exponent > 2 ? (exponent - 2) / 32 : 0;
  uint32_t limb[LIMBS] = {0};
  for (int part = 0; part < 2; part++) {
    uint64_t factor = part ? m >> 32 : m & 0xffffffff, carry = 0;
    for (int n = 0; n < WORDS; n++) {
      carry += factor * two_by_pi[first + WORDS - 1 - n] + limb[n + part];
      limb[n + part] = (uint32_t)carry;
      carry >>= 32;
    }
    limb[WORDS + part] = (uint32_t)carry;
  }
  int point = 32 * (first + WORDS) - exponent;
  uint64_t q = bits_from(limb, point) & 3;
  uint64_t word[3] = {bits_from(limb, point - 64), bits_from(limb, point - 128), bits_from(limb, point - 192)};
  bool over_half = word[0] >> 63;
  if (over_half) {
    q++;
    for (int n = 0; n < 3; n++) word[n] = ~word[n];
  }
  pair r = fraction_of_quarter(word, over_half);
  if (!(bits & SIGN_BIT)) return (quarter_turns){r, q};
  return (quarter_turns){{-r.high, -r.low}, -q};
}

static quarter_turns reduce_any(double x)
{
  return LIKELY(circular_ordinary(x)) ? circular_reduce(x) : reduce_far(x);
}

/* One of both is needed, and which is hard to foresee: as a rule both together are sooner there than a wrong guess.
 */
double floc_sin(double x)
{
  if (fabs(x) < CIRCULAR_TINY) return x;
  return fabs(x) < INFINITY ? circular_value(reduce_any(x)) : NAN;
}

double floc_cos(double x)
{
  if (!(fabs(x) < INFINITY)) return NAN;
  quarter_turns at = reduce_any(x);
  at.q++;
  return circular_value(at);
}

void mathematics_sine_and_cosine(double x, double *sine, double *cosine)
{
  *sine = x, *cosine = NAN;
  if (!(fabs(x) < INFINITY)) {
    *sine = NAN;
    return;
  }
  quarter_turns at = reduce_any(x);
  pair of_sine = sine_parts(at.r), of_cosine = cosine_parts(at.r);
  const double value[2] = {of_sine.high + of_sine.low, of_cosine.high + of_cosine.low};
  if (!(fabs(x) < CIRCULAR_TINY)) *sine = number_of(bits_of(value[at.q & 1]) ^ (at.q & 2) << 62);
  at.q++;
  *cosine = number_of(bits_of(value[at.q & 1]) ^ (at.q & 2) << 62);
}

double floc_tan(double x)
{
  if (fabs(x) < CIRCULAR_TINY) return x;
  return fabs(x) < INFINITY ? tan_value(reduce_any(x)) : NAN;
}
