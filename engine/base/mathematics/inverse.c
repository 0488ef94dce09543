/*
 * floc_asin, floc_acos, floc_atan, floc_atan2. See inverse.h.
 */
#include "base/mathematics/inverse.h"

#include <floc/floc.h>

double floc_asin(double x)
{
  if (LIKELY(fabs(x) < 1.0)) return asin_lane(x);
  return fabs(x) == 1.0 ? times_sign(HALF_PI_HIGH, x) : isnan(x) ? x : NAN;
}

double floc_acos(double x)
{
  if (LIKELY(fabs(x) < 1.0)) return acos_lane(x);
  return x == 1.0 ? 0.0 : x == -1.0 ? 2.0 * HALF_PI_HIGH : isnan(x) ? x : NAN;
}

double floc_atan(double x)
{
  return LIKELY(x == x) ? atan_lane(x) : x;
}

/* Of y >= 0 and x, where one of them is 0, infinite, or far greater than the other; C11, F.10.1.4. */
static double atan2_of_edge(double y, double x)
{
  double size = fabs(x);
  if (isinf(y) && isinf(x)) return x > 0.0 ? 0.5 * HALF_PI_HIGH : 0x1.2d97c7f3321d2p+1;
  if (y == 0.0 || isinf(x)) return signbit(x) ? 2.0 * HALF_PI_HIGH : 0.0;
  if (x == 0.0 || isinf(y)) return HALF_PI_HIGH;
  if (y > size) return HALF_PI_HIGH;
  return x > 0.0 ? y / x : 2.0 * HALF_PI_HIGH;
}

static double atan2_rest(double y, double x)
{
  if (isnan(x) || isnan(y)) return x + y;
  double high = fabs(y), size = fabs(x), more = high > size ? high : size, less = high > size ? size : high;
  double scale = more > 1.0 ? 0x1p-600 : 0x1p600;
  /* Scaled so that neither overflows, and nothing is lost. */
  bool far =
      less == 0.0 || isinf(more) || less * (more > 1.0 ? 1.0 : 0x1p600) < more * (more > 1.0 ? 0x1p-60 : 0x1p540);
  double angle = far ? atan2_of_edge(high, x) : arc_of_point(high * scale, x * scale);
  return times_sign(angle, y);
}

double floc_atan2(double y, double x)
{
  return LIKELY(atan2_ordinary(y, x)) ? atan2_lane(y, x) : atan2_rest(y, x);
}
