/*
 * Four numbers side by side, for processors with AVX2. Loops that use it have a form for any processor as well,
 * with the same operations in the same order, so that both give the same bits; which one runs is asked at run time.
 */
#ifndef FLOC_BASE_NUMBERS_WIDE_H
#define FLOC_BASE_NUMBERS_WIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Into the loops that are compiled for several processors, dimensions and boxes. */
#define HOT static inline __attribute__((always_inline))

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_WIDE 1
#include <immintrin.h>

#define WIDE __attribute__((target("avx2"))) static inline

static inline bool processor_is_wide(void)
{
  return __builtin_cpu_supports("avx2");
}

/* By pattern of chosen lanes: the order that puts these first. In halves of doubles, and in numbers of four bytes.
 */
static const int32_t PACK_DOUBLES[16][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
    {4, 5, 0, 1, 2, 3, 6, 7}, {0, 1, 4, 5, 2, 3, 6, 7}, {2, 3, 4, 5, 0, 1, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
    {6, 7, 0, 1, 2, 3, 4, 5}, {0, 1, 6, 7, 2, 3, 4, 5}, {2, 3, 6, 7, 0, 1, 4, 5}, {0, 1, 2, 3, 6, 7, 4, 5},
    {4, 5, 6, 7, 0, 1, 2, 3}, {0, 1, 4, 5, 6, 7, 2, 3}, {2, 3, 4, 5, 6, 7, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7},
};
static const int32_t PACK_NUMBERS[16][4] = {
    {0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 2, 3}, {2, 0, 1, 3}, {0, 2, 1, 3}, {1, 2, 0, 3}, {0, 1, 2, 3},
    {3, 0, 1, 2}, {0, 3, 1, 2}, {1, 3, 0, 2}, {0, 1, 3, 2}, {2, 3, 0, 1}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3},
};
/* Stores four, the chosen ones first. */
WIDE void pack_doubles(double *to, __m256d value, int pattern)
{
  __m256i order = _mm256_loadu_si256((const __m256i *)PACK_DOUBLES[pattern]);
  _mm256_storeu_ps((float *)to, _mm256_permutevar8x32_ps(_mm256_castpd_ps(value), order));
}

WIDE void pack_numbers(int32_t *to, __m128i value, int pattern)
{
  __m128i order = _mm_loadu_si128((const __m128i *)PACK_NUMBERS[pattern]);
  _mm_storeu_ps((float *)to, _mm_permutevar_ps(_mm_castsi128_ps(value), order));
}

/* Four numbers of a column, and back. */
WIDE __m256d gather_four(const double *column, const int32_t slot[4])
{
  __m128d low = _mm_loadh_pd(_mm_load_sd(&column[slot[0]]), &column[slot[1]]);
  __m128d high = _mm_loadh_pd(_mm_load_sd(&column[slot[2]]), &column[slot[3]]);
  return _mm256_set_m128d(high, low);
}

WIDE void scatter_four(__m256d value, const int32_t slot[4], double *column)
{
  __m128d low = _mm256_castpd256_pd128(value), high = _mm256_extractf128_pd(value, 1);
  _mm_storel_pd(&column[slot[0]], low);
  _mm_storeh_pd(&column[slot[1]], low);
  _mm_storel_pd(&column[slot[2]], high);
  _mm_storeh_pd(&column[slot[3]], high);
}

/* Defines the function `name`, which does what name##_loop does, a HOT function. That is compiled twice, for any
 * processor and for those with AVX2, and chosen where it runs. */
#define CLONED(type, name, parameters, arguments)                                                                  \
  __attribute__((target("avx2"))) static type name##_wide parameters                                               \
  {                                                                                                                \
    return name##_loop arguments;                                                                                  \
  }                                                                                                                \
  static type name parameters                                                                                      \
  {                                                                                                                \
    return processor_is_wide() ? name##_wide arguments : name##_loop arguments;                                    \
  }
/* The same of a function without a value. */
#define CLONED_ACTION(name, parameters, arguments)                                                                 \
  __attribute__((target("avx2"))) static void name##_wide parameters                                               \
  {                                                                                                                \
    name##_loop arguments;                                                                                         \
  }                                                                                                                \
  static void name parameters                                                                                      \
  {                                                                                                                \
    if (processor_is_wide())                                                                                       \
      name##_wide arguments;                                                                                       \
    else                                                                                                           \
      name##_loop arguments;                                                                                       \
  }

#else

static inline bool processor_is_wide(void)
{
  return false;
}

#define CLONED(type, name, parameters, arguments)                                                                  \
  static type name parameters                                                                                      \
  {                                                                                                                \
    return name##_loop arguments;                                                                                  \
  }
#define CLONED_ACTION(name, parameters, arguments)                                                                 \
  static void name parameters                                                                                      \
  {                                                                                                                \
    name##_loop arguments;                                                                                         \
  }

#endif
#endif
