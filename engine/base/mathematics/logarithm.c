/*
 * floc_log, floc_log2, floc_log10, floc_log1p, floc_pow. See logarithm.h.
 */
#include "base/mathematics/logarithm.h"

#include <floc/floc.h>

/* The bits of a positive number as if it were normal: those of subnormal ones wrap around. */
static uint64_t normal_bits(double x)
{
  return x < 0x1p-1022 ? bits_of(x * 0x1p52) - ((uint64_t)52 << 52) : bits_of(x);
}

/* What all logarithms give for numbers that have none. */
static bool has_no_log(double x, double *value)
{
  if (x > 0.0 && x < INFINITY) return false;
  *value = x == 0.0 ? -INFINITY : x > 0.0 || isnan(x) ? x : NAN;
  return true;
}

static double log_rest(double x)
{
  double value;
  return has_no_log(x, &value) ? value : log_of_bits(normal_bits(x));
}

double floc_log(double x)
{
  return LIKELY(log_ordinary(x)) ? log_lane(x) : log_rest(x);
}

static double log2_rest(double x)
{
  double value;
  return has_no_log(x, &value) ? value : log2_of_bits(normal_bits(x));
}

double floc_log2(double x)
{
  return LIKELY(log_ordinary(x)) ? log2_lane(x) : log2_rest(x);
}

static double log10_rest(double x)
{
  double value;
  return has_no_log(x, &value) ? value
                               : log_scaled(log_pair(log_reduce(normal_bits(x))), LOG10_E_HIGH, LOG10_E_LOW);
}

double floc_log10(double x)
{
  return LIKELY(log_ordinary(x)) ? log10_lane(x) : log10_rest(x);
}

double floc_log1p(double x)
{
  if (LIKELY(log1p_ordinary(x))) return log1p_lane(x);
  if (x == -1.0) return -INFINITY;
  return x < -1.0 ? NAN : floc_log(x);
}

/* ---- powers ---- */

typedef enum kind_of_number { NO_INTEGER, EVEN, ODD } kind_of_number;

static kind_of_number kind_of(double y)
{
  double size = fabs(y);
  if (size >= 0x1p53) return EVEN;
  uint64_t whole = (uint64_t)size;
  if ((double)whole != size) return NO_INTEGER;
  return whole & 1 ? ODD : EVEN;
}

/* x^y for x > 0, finite, not 1. */
static double pow_of_positive(double x, double y)
{
  if (fabs(y) > 0x1p66) return (x > 1.0) == (y > 0.0) ? INFINITY : 0.0;
  if (fabs(y) < 0x1p-66) return 1.0;
  pair exponent = pow_exponent(normal_bits(x), y);
  if (exponent.high > 800.0) return INFINITY;
  if (exponent.high < -800.0) return 0.0;
  return exponent.high > 0.0 ? 0x1p256 * exp_of_pair(exponent, -256) : 0x1p-256 * exp_of_pair(exponent, 256);
}

/* C11, F.10.4.4 */
static double pow_of_edge(double x, double y, kind_of_number kind)
{
  if (isinf(y)) {
    double size = fabs(x);
    if (size == 1.0) return 1.0;
    return (size > 1.0) == (y > 0.0) ? INFINITY : 0.0;
  }
  double size = (x == 0.0) == (y > 0.0) ? 0.0 : INFINITY; /* x is 0 or infinite */
  return kind == ODD ? times_sign(size, x) : size;
}

static double pow_rest(double x, double y)
{
  if (x == 1.0 || y == 0.0) return 1.0;
  if (isnan(x) || isnan(y)) return x + y;
  if (y == 1.0) return x;
  if (y == 2.0) return x * x;
  if (y == -1.0) return 1.0 / x;
  kind_of_number kind = kind_of(y);
  if (x == 0.0 || isinf(x) || isinf(y)) return pow_of_edge(x, y, kind);
  if (x < 0.0 && kind == NO_INTEGER) return NAN;
  if (y == 0.5) return sqrt(x);
  if (x < 0.0 && kind == ODD) return -pow_of_positive(-x, y);
  return x == -1.0 ? 1.0 : pow_of_positive(fabs(x), y);
}

double floc_pow(double x, double y)
{
  pair exponent = pow_exponent(bits_of(x), y);
  /* The powers of two among the exponents are rare, and one comparison. */
  if (LIKELY(bits_of(y) << 12 != 0 && log_ordinary(x) && fabs(exponent.high) < 690.0))
    return exp_of_pair(exponent, 0);
  return pow_rest(x, y);
}
