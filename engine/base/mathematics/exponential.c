/*
 * floc_exp, floc_exp2, floc_expm1, floc_sinh, floc_cosh, floc_tanh. See exponential.h.
 */
#include "base/mathematics/exponential.h"

#include <floc/floc.h>

/* Results that overflow or become subnormal: 2^-shift e^x is computed and scaled afterwards. */
static double exp_rest(double x)
{
  if (!(x <= EXP_GREATEST)) return x > 0.0 ? INFINITY : x;
  if (x < -746.0) return 0.0;
  return x > 0.0 ? 2.0 * exp_scaled(x, -1) : 0x1p-64 * exp_scaled(x, 64);
}

double floc_exp(double x)
{
  return LIKELY(exp_ordinary(x)) ? exp_lane(x) : exp_rest(x);
}

static double exp2_rest(double x)
{
  if (!(x < 1024.0)) return x > 0.0 ? INFINITY : x;
  if (x < -1076.0) return 0.0;
  return x > 0.0 ? 2.0 * exp2_scaled(x, -1) : 0x1p-64 * exp2_scaled(x, 64);
}

double floc_exp2(double x)
{
  return LIKELY(exp2_ordinary(x)) ? exp2_lane(x) : exp2_rest(x);
}

double floc_expm1(double x)
{
  if (!LIKELY(expm1_ordinary(x))) return x == 0.0 ? x : exp_rest(x);
  if (fabs(x) < EXPM1_SMALL) return expm1_small(x);
  return expm1_large(x < EXPM1_LEAST ? EXPM1_LEAST : x);
}

/* sinh and cosh of x >= 700. */
static double half_exp(double x)
{
  return x > SINH_GREATEST ? INFINITY : 2.0 * exp_scaled(x, -2);
}

double floc_sinh(double x)
{
  double size = fabs(x);
  if (size < SINH_SMALL) return sinh_small(x);
  if (!(size < 700.0)) return isnan(x) ? x : times_sign(half_exp(size), x);
  return times_sign(sinh_large(size), x);
}

double floc_cosh(double x)
{
  if (!LIKELY(cosh_ordinary(x))) return isnan(x) ? x : half_exp(fabs(x));
  return cosh_lane(x);
}

double floc_tanh(double x)
{
  double size = fabs(x);
  if (size < TANH_SMALL) return times_sign(tanh_small(size), x);
  return times_sign(tanh_large(size > TANH_GREATEST ? TANH_GREATEST : size), x);
}
