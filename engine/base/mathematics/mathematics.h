/*
 * The engine's own mathematics: floc_exp and so on (floc.h) for one number, and here for many at once. Both give
 * the same bits, as do all compilers, processors and widths of registers: there is one text for all, made of +, -,
 * *, /, square roots and bits (pairs.h), which is compiled for one number and in loops, for SSE2 (or whatever the
 * target has), AVX2 and AVX-512.
 *
 * A function f has f_ordinary(x), which holds for all but large, small and special arguments, and f_lane(x), its
 * value there, without branches. floc_f takes f_lane if f_ordinary holds; where it does not hold for an element of
 * a loop, that element is taken by floc_f afterwards. Tables and polynomials are made by
 * scripts/mathematics/tables.py. Errors against MPFR: tests/mathematics/accuracy.c; time:
 * benchmarks/mathematics_benchmark.c.
 */
#ifndef FLOC_BASE_MATHEMATICS_MATHEMATICS_H
#define FLOC_BASE_MATHEMATICS_MATHEMATICS_H

#include <stdint.h>

/* clang-format off */
#define MATHEMATICS_OF_ONE(X)                                                                                      \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sinh) X(cosh) X(tanh)                                 \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(cbrt)
#define MATHEMATICS_OF_TWO(X) X(pow) X(atan2) X(hypot)
/* clang-format on */

typedef enum mathematics_function {
#define X(name) MATHEMATICS_##name,
  MATHEMATICS_OF_ONE(X) MATHEMATICS_OF_TWO(X)
#undef X
      MATHEMATICS_FUNCTIONS
} mathematics_function;

/* floc_sin(x) and floc_cos(x), in the time of one. */
void mathematics_sine_and_cosine(double x, double *sine, double *cosine);

/* to[k] = f(x[k]), or f(x[k], y[k]); x or y may be `to`. */
typedef void function_of_many(const double *x, const double *y, double *to, int32_t count);

/* In registers of at most `width` bits that this processor has. */
function_of_many *mathematics_of_many(mathematics_function which, int32_t width);

#endif
