/*
 * The mathematical functions of many numbers. See mathematics.h. The loops become vector code, the compiler's, of
 * the same operations in each lane; numbers that are not ordinary are left to the functions of one.
 */
#define CHOOSE_BY_BITS
#include "base/mathematics/mathematics.h"

#include "base/mathematics/circular.h"
#include "base/mathematics/inverse.h"
#include "base/mathematics/logarithm.h"
#include "base/mathematics/roots.h"

#include <floc/floc.h>

enum { TOGETHER = 64 };

/* One by one: two lanes of SSE2, NEON or WebAssembly gain nothing, because tables are read number by number. */
#define X(f)                                                                                                       \
  static void f##_any(const double *x, const double *y, double *to, int32_t count)                                 \
  {                                                                                                                \
    (void)y;                                                                                                       \
    for (int32_t k = 0; k < count; k++) to[k] = floc_##f(x[k]);                                                    \
  }
MATHEMATICS_OF_ONE(X)
#undef X
#define X(f)                                                                                                       \
  static void f##_any(const double *x, const double *y, double *to, int32_t count)                                 \
  {                                                                                                                \
    for (int32_t k = 0; k < count; k++) to[k] = floc_##f(x[k], y[k]);                                              \
  }
MATHEMATICS_OF_TWO(X)
#undef X

static function_of_many *const table_any[MATHEMATICS_FUNCTIONS] = {
#define X(f) f##_any,
    MATHEMATICS_OF_ONE(X) MATHEMATICS_OF_TWO(X)
#undef X
};

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2")))
#define FOR(f) f##_avx2
#include "base/mathematics/many.h"

#define AVX512 "avx512f,avx512vl,avx512dq,avx512bw"
#ifdef __clang__
#define TARGET __attribute__((target(AVX512)))
#else
#define TARGET __attribute__((target(AVX512 ",prefer-vector-width=512")))
#endif
#define FOR(f) f##_avx512
#include "base/mathematics/many.h"
#endif

function_of_many *mathematics_of_many(mathematics_function which, int32_t width)
{
#if defined(__x86_64__)
  if (width >= 512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return table_avx512[which];
  if (width >= 256 && __builtin_cpu_supports("avx2")) return table_avx2[which];
#endif
  (void)width;
  return table_any[which];
}
