/*
 * The version of the engine's mathematics. See version.h. Arguments and sum are made by integers, so that nothing
 * but the functions can differ.
 */
#include "base/mathematics/version.h"

#include "base/numbers/bits.h"

#include <floc/floc.h>

#include <stddef.h>
#include <string.h>

enum { ARGUMENTS = 64 };

static double (*const of_one[])(double) = {
    floc_exp, floc_exp2, floc_expm1, floc_log,  floc_log2, floc_log10, floc_log1p, floc_sinh, floc_cosh, floc_tanh,
    floc_sin, floc_cos,  floc_tan,   floc_asin, floc_acos, floc_atan,  floc_cbrt,  floc_erf,  floc_erfc};
static double (*const of_two[])(double, double) = {floc_pow, floc_atan2, floc_hypot, floc_fmod};

/* Mixes all bits (Steele, Lea and Flood 2014). */
static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/* Every fourth is up to 0.99, where asin and acos are; the others are 1/8 .. 32. */
static double argument(uint64_t n, bool positive)
{
  uint64_t bits = mix((n + 1) * 0x9e3779b97f4a7c15), exponent = n % 4 == 0 ? 1022 : 1020 + (bits >> 52 & 7);
  uint64_t made = (bits & 0xfffffffffffff) | exponent << 52 | (positive ? 0 : bits & 0x8000000000000000);
  return number_of(made);
}

static uint64_t add(uint64_t hash, double value)
{
  const uint64_t bits = value == value ? bits_of(value) : 1; /* NaNs have no other bits that count */
  return mix((hash ^ bits) + 0x9e3779b97f4a7c15);
}

uint64_t mathematics_version(void)
{
  uint64_t hash = 0, n = 0;
  for (size_t k = 0; k < sizeof of_one / sizeof *of_one; k++)
    for (int count = 0; count < ARGUMENTS; count++, n++) hash = add(hash, of_one[k](argument(n, count % 2)));
  for (size_t k = 0; k < sizeof of_two / sizeof *of_two; k++)
    for (int count = 0; count < ARGUMENTS; count++, n += 2)
      hash = add(hash, of_two[k](argument(n, true), argument(n + 1, k > 0)));
  return hash;
}

bool mathematics_of_sections(const section_list *list, uint64_t *version)
{
  const section *part = section_find(list, MATHEMATICS_SECTION);
  if (!part || strcmp(part->type, "i64") != 0 || part->rows != 1 || part->columns != 1) return false;
  memcpy(version, part->data, sizeof *version);
  return true;
}
