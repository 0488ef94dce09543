/*
 * The library functions of programs with fast_math: those of glibc's libmvec, four numbers at a time. They are
 * within 4 units in the last place, where the plain ones are within 1 (tests/laws/test_fast_math.c measures it).
 * They are called by their names in the vector ABI, not left to the compiler, so that every number goes through the
 * same code wherever in a block it stands: results depend neither on threads nor on the order of a list.
 */
#include "laws/program/program.h"

#include <string.h> /* which says whether the library is glibc */

#if defined(__x86_64__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define HAS_VECTOR_FUNCTIONS 1
#endif
#endif

#ifdef HAS_VECTOR_FUNCTIONS
#include <immintrin.h>

#define WIDE __attribute__((target("avx2,fma")))

#define X(code, name) __m256d four_##name(__m256d x) __asm__("_ZGVdN4v_" #name);
PROGRAM_FAST_UNARY(X)
#undef X
#define X(code, name) __m256d four_##name(__m256d x, __m256d y) __asm__("_ZGVdN4vv_" #name);
PROGRAM_FAST_BINARY(X)
#undef X

typedef struct operand {
  const double *values;
  int32_t step;
} operand;

/* Elements k .. k + 3; past the end the last one again. */
static inline __m256d load_four(const operand *from, int32_t k, int32_t count)
{
  if (from->step == 0) return _mm256_set1_pd(from->values[0]);
  if (k + 4 <= count) return _mm256_loadu_pd(from->values + k);
  double four[4];
  for (int32_t n = 0; n < 4; n++) four[n] = from->values[k + n < count ? k + n : count - 1];
  return _mm256_loadu_pd(four);
}

static inline void store_four(__m256d value, int32_t k, int32_t count, double *to)
{
  double four[4];
  if (k + 4 <= count) {
    _mm256_storeu_pd(to + k, value);
    return;
  }
  _mm256_storeu_pd(four, value);
  memcpy(to + k, four, (size_t)(count - k) * sizeof *to);
}

static bool run_wide(int32_t code, int32_t count, const operand *x, const operand *y, double *to)
{
  switch (code) {
#define X(code_, name)                                                                                             \
  case CODE_##code_:                                                                                               \
    for (int32_t k = 0; k < count; k += 4) store_four(four_##name(load_four(x, k, count)), k, count, to);          \
    return true;
    PROGRAM_FAST_UNARY(X)
#undef X
#define X(code_, name)                                                                                             \
  case CODE_##code_:                                                                                               \
    for (int32_t k = 0; k < count; k += 4)                                                                         \
      store_four(four_##name(load_four(x, k, count), load_four(y, k, count)), k, count, to);                       \
    return true;
    PROGRAM_FAST_BINARY(X)
#undef X
  default:
    return false;
  }
}

bool program_fast_library(int32_t code, int32_t count, const double *x, int32_t x_step, const double *y,
                          int32_t y_step, double *to)
{
  const operand of_x = {x, x_step}, of_y = {y, y_step};
  return run_wide(code, count, &of_x, &of_y, to);
}

#else

bool program_fast_library(int32_t code, int32_t count, const double *x, int32_t x_step, const double *y,
                          int32_t y_step, double *to)
{
  (void)code, (void)count, (void)x, (void)x_step, (void)y, (void)y_step, (void)to;
  return false;
}

#endif
