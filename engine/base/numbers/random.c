/*
 * Philox streams. See random.h.
 */
#include "base/numbers/random.h"

#include "base/mathematics/mathematics.h"
#include "base/numbers/philox.h"
#include "floc/floc.h"

#include <math.h>

void random_uniform4(uint64_t seed, uint64_t id, uint64_t step, random_purpose purpose, uint64_t index,
                     double out[4])
{
  uint64_t counter[4] = {id, step, (uint64_t)purpose, index}, key[2] = {seed, 0}, bits[4];
  philox4x64(counter, key, bits);
  for (int k = 0; k < 4; k++) {
    /* 52 bits and a half step: symmetric, and a flag other than 0 or 1 can come up */
    out[k] = ((double)(bits[k] >> 12) + 0.5) * 0x1.0p-52;
  }
}

void random_normal4(uint64_t seed, uint64_t id, uint64_t step, random_purpose purpose, uint64_t index,
                    double out[4])
{
  double u[4];
  random_uniform4(seed, id, step, purpose, index, u);
  for (int k = 0; k < 4; k += 2) {
    double length = sqrt(-2.0 * floc_log(u[k]));
    double angle = 6.283185307179586476925 * u[k + 1], sine, cosine;
    mathematics_sine_and_cosine(angle, &sine, &cosine);
    out[k] = length * cosine;
    out[k + 1] = length * sine;
  }
}

floc_status floc_random_uniform(uint64_t seed, uint64_t stream, int64_t first, int64_t count, double *out)
{
  if (first < 0 || count < 0 || (count > 0 && !out) || first > INT64_MAX - count) return FLOC_INVALID_ARGUMENT;
  double four[4];
  for (int64_t k = 0; k < count; k++) {
    int64_t number = first + k;
    if (k == 0 || number % 4 == 0) random_uniform4(seed, stream, 0, RANDOM_SCRIPT, (uint64_t)(number / 4), four);
    out[k] = four[number % 4];
  }
  return FLOC_OK;
}
