/*
 * engine/base/mathematics against MPFR: the greatest error of each function, in units in the last place of the
 * exact result (of subnormal ones, in the smallest number), over its whole range.
 *
 *   mathematics_accuracy [ARGUMENTS]
 */
#include <floc/floc.h>

#include "mathematics/arguments.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct function_of_one {
  const char *name;
  double (*function)(double);
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  double limit;
  argument_range *range;
} function_of_one;

typedef struct function_of_two {
  const char *name;
  double (*function)(double, double);
  int (*exact)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
  double limit;
  argument_ranges *range;
} function_of_two;

static const function_of_one of_one[] = {
    {"exp", floc_exp, mpfr_exp, 0.6, range_exp},           {"exp2", floc_exp2, mpfr_exp2, 0.6, range_exp2},
    {"expm1", floc_expm1, mpfr_expm1, 1.0, range_expm1},   {"log", floc_log, mpfr_log, 0.6, range_log},
    {"log2", floc_log2, mpfr_log2, 0.6, range_log},        {"log10", floc_log10, mpfr_log10, 0.6, range_log},
    {"log1p", floc_log1p, mpfr_log1p, 1.0, range_log1p},   {"sinh", floc_sinh, mpfr_sinh, 1.0, range_hyperbolic},
    {"cosh", floc_cosh, mpfr_cosh, 1.0, range_hyperbolic}, {"tanh", floc_tanh, mpfr_tanh, 1.0, range_tanh},
    {"sin", floc_sin, mpfr_sin, 1.0, range_circular},      {"cos", floc_cos, mpfr_cos, 1.0, range_circular},
    {"tan", floc_tan, mpfr_tan, 1.0, range_circular},      {"asin", floc_asin, mpfr_asin, 1.0, range_unit},
    {"acos", floc_acos, mpfr_acos, 1.0, range_unit},       {"atan", floc_atan, mpfr_atan, 1.0, range_atan},
    {"cbrt", floc_cbrt, mpfr_cbrt, 1.0, range_cbrt},       {"erf", floc_erf, mpfr_erf, 1.0, range_erf},
    {"erfc", floc_erfc, mpfr_erfc, 1.0, range_erfc}};

static const function_of_two of_two[] = {{"pow", floc_pow, mpfr_pow, 0.6, ranges_pow},
                                         {"atan2", floc_atan2, mpfr_atan2, 1.0, ranges_atan2},
                                         {"hypot", floc_hypot, mpfr_hypot, 1.0, ranges_hypot},
                                         {"fmod", floc_fmod, mpfr_fmod, 1e-9, ranges_fmod}};

/* In units in the last place of the exact value, and of a subnormal one in the smallest number; 1e9 where one of
 * both is infinite, a NaN, or a zero of another sign, alone. */
static double error_of(double value, const mpfr_t exact, bool *subnormal)
{
  double nearest = mpfr_get_d(exact, MPFR_RNDN);
  *subnormal = mpfr_regular_p(exact) && mpfr_get_exp(exact) <= -1022;
  if (isnan(nearest) || isnan(value)) return isnan(nearest) == isnan(value) ? 0.0 : 1e9;
  if (isinf(nearest) || isinf(value)) return nearest == value ? 0.0 : 1e9;
  if (value == 0.0 && nearest == 0.0) return signbit(value) == signbit(nearest) ? 0.0 : 1e9;
  mpfr_t difference;
  mpfr_init2(difference, 160);
  mpfr_sub_d(difference, exact, value, MPFR_RNDN);
  long exponent = mpfr_get_exp(exact) - 53;
  mpfr_mul_2si(difference, difference, exponent < -1074 ? 1074 : -exponent, MPFR_RNDN);
  double error = fabs(mpfr_get_d(difference, MPFR_RNDN));
  mpfr_clear(difference);
  return error;
}

typedef struct worst_case {
  double error, x, y, subnormal;
} worst_case;

static void note(worst_case *worst, double error, bool subnormal, double x, double y)
{
  if (subnormal) {
    worst->subnormal = fmax(worst->subnormal, error);
    if (error < 1.0) return;
  }
  if (error > worst->error) worst->error = error, worst->x = x, worst->y = y;
}

static bool report(const char *name, double limit, const worst_case *worst)
{
  bool good = worst->error < limit;
  printf("%-6s %.4f (below %.2g) at %a", name, worst->error, limit, worst->x);
  if (worst->y == worst->y) printf(", %a", worst->y);
  printf("; subnormal results %.4f%s\n", worst->subnormal, good ? "" : "   TOO LARGE");
  fflush(stdout);
  return good;
}

int main(int count, char **words)
{
  long arguments = count > 1 ? atol(words[1]) : 20000;
  const char *only = count > 2 ? words[2] : NULL;
  bool good = true, subnormal;
  mpfr_t x, y, exact;
  mpfr_inits2(53, x, y, (mpfr_ptr)0);
  mpfr_init2(exact, 160);
  for (size_t k = 0; k < sizeof of_one / sizeof *of_one; k++) {
    const function_of_one *one = &of_one[k];
    if (only && strcmp(only, one->name) != 0) continue;
    worst_case worst = {0, 0, NAN, 0};
    for (long n = -EDGES; n < arguments; n++) {
      double at = n < 0 ? edges[n + EDGES] : one->range(n);
      mpfr_set_d(x, at, MPFR_RNDN);
      one->exact(exact, x, MPFR_RNDN);
      double error = error_of(one->function(at), exact, &subnormal);
      note(&worst, error, subnormal, at, NAN);
    }
    good = report(one->name, one->limit, &worst) && good;
  }
  for (size_t k = 0; k < sizeof of_two / sizeof *of_two; k++) {
    const function_of_two *one = &of_two[k];
    if (only && strcmp(only, one->name) != 0) continue;
    worst_case worst = {0, 0, 0, 0};
    for (long n = -EDGES * EDGES; n < arguments; n++) {
      double at[2];
      if (n < 0)
        at[0] = edges[(n + EDGES * EDGES) / EDGES], at[1] = edges[(n + EDGES * EDGES) % EDGES];
      else
        one->range(n, at);
      mpfr_set_d(x, at[0], MPFR_RNDN), mpfr_set_d(y, at[1], MPFR_RNDN);
      one->exact(exact, x, y, MPFR_RNDN);
      double error = error_of(one->function(at[0], at[1]), exact, &subnormal);
      note(&worst, error, subnormal, at[0], at[1]);
    }
    good = report(one->name, one->limit, &worst) && good;
  }
  mpfr_clears(x, y, exact, (mpfr_ptr)0);
  mpfr_free_cache();
  return good ? 0 : 1;
}
