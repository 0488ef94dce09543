/*
 * floc_erf, floc_erfc. Below 1/2 erf is x times a polynomial in x^2; beyond, erfc x = e^(-x^2) g(x), with the exact
 * square, where g is a polynomial around the middle of each sixteenth of an octave.
 */
#include "base/mathematics/exponential.h"

#include <floc/floc.h>

#define ERFC_GREATEST 28.0 /* beyond, it is 0 */

/* erf x / x - 1, |x| < 1/2 */
static double error_ratio(double x)
{
  const double *p = error_terms;
  double u = x * x, u2 = u * u;
  return (p[0] + u * p[1]) +
         u2 * ((p[2] + u * p[3]) + u2 * ((p[4] + u * p[5]) + u2 * ((p[6] + u * p[7]) + u2 * (p[8] + u * p[9]))));
}

/* erfc x, 1/2 <= x <= ERFC_GREATEST */
static double erfc_large(double x)
{
  uint64_t bits = bits_of(x);
  const double *p = error_table + ((bits - 0x3fe0000000000000) >> 48) * 12;
  double d = x - number_of((bits & ~(uint64_t)0xffffffffffff) | 0x800000000000), d2 = d * d;
  double terms =
      d *
      ((p[2] + d * p[3]) +
       d2 * ((p[4] + d * p[5]) + d2 * ((p[6] + d * p[7]) + d2 * ((p[8] + d * p[9]) + d2 * (p[10] + d * p[11])))));
  pair square = product_of(x, x);
  double shifted = -square.high * STEPS_BY_LN2 + TO_INTEGER, k = shifted - TO_INTEGER;
  double r = ((-square.high - k * LN2_STEP_HIGH) - k * LN2_STEP_LOW) - square.low;
  pair e = exp_parts(bits_of(shifted), r, x > 20.0 ? 256 : 0), value = product_of(e.high, p[0]);
  double more = e.low + (p[1] + terms) * (1.0 + e.low);
  double result = value.high + (value.low + value.high * more);
  return x > 20.0 ? result * 0x1p-256 : result;
}

double floc_erf(double x)
{
  double size = fabs(x);
  if (size < 0.5) return size < 0x1p-1000 ? x * 0x1.20dd750429b6dp+0 : x + x * error_ratio(x);
  if (isnan(x)) return x;
  return times_sign(size > 6.0 ? 1.0 : 1.0 - erfc_large(size), x);
}

double floc_erfc(double x)
{
  double size = fabs(x);
  if (size < 0.5) {
    pair less = sum_of_ordered(1.0, -x);
    return less.high + (less.low - x * error_ratio(x));
  }
  if (isnan(x)) return x;
  double value = size > ERFC_GREATEST ? 0.0 : erfc_large(size);
  return x > 0.0 ? value : 2.0 - value;
}
