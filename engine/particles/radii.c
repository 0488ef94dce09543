/*
 * Distributions of radii. See radii.h.
 *
 * A cut normal or lognormal distribution is drawn by rejection: what lies outside is drawn again. That
 * needs 1/P draws in the mean, P being the fraction of the distribution between the bounds, which is
 * therefore checked beforehand. "By volume" means that the volume of a particle (in 2-D its area) is
 * uniform between that of the least and of the greatest one.
 */
#include "particles/radii.h"

#include "base/numbers/random.h"

#include <math.h>

static const double PI = 3.141592653589793238463;
static const double LEAST_SHARE = 1e-3; /* of a distribution between the bounds */

double sphere_volume(double radius, int32_t dimension)
{
  return dimension == 2 ? PI * radius * radius : 4.0 / 3.0 * PI * radius * radius * radius;
}

double radius_greatest(const floc_insertion_options *options)
{
  return options->radius_upper == 0.0 ? options->radius_lower : options->radius_upper;
}

/* ---- distributions with a mean and a deviation ---- */

/* The normal distribution that is drawn: of the radius, or of its logarithm. */
typedef struct bell {
  double mean, deviation;
  bool of_logarithm;
} bell;

static bell bell_of(const floc_insertion_options *options)
{
  if (options->distribution == FLOC_DISTRIBUTION_NORMAL) {
    return (bell){options->radius_mean, options->radius_deviation, false};
  }
  double relative = options->radius_deviation / options->radius_mean;
  double variance = floc_log1p(relative * relative);
  return (bell){floc_log(options->radius_mean) - 0.5 * variance, sqrt(variance), true};
}

static double share_below(const bell *curve, double radius)
{
  double value = curve->of_logarithm ? floc_log(radius) : radius;
  if (curve->deviation == 0.0) return value >= curve->mean ? 1.0 : 0.0;
  return 0.5 * floc_erfc((curve->mean - value) / (curve->deviation * sqrt(2.0)));
}

/* Without a width there is nothing to draw. */
static bool is_sharp(const floc_insertion_options *options)
{
  return options->radius_lower == radius_greatest(options) || options->radius_deviation == 0.0;
}

static double draw_bell(const floc_insertion_options *options, uint64_t seed, uint64_t number)
{
  double lower = options->radius_lower, upper = radius_greatest(options);
  if (is_sharp(options)) return lower == upper ? lower : options->radius_mean;
  bell curve = bell_of(options);
  for (uint64_t index = 0;; index++) {
    double normal[4];
    random_normal4(seed, number, 0, RANDOM_RADIUS, index, normal);
    for (int k = 0; k < 4; k++) {
      double value = curve.mean + curve.deviation * normal[k];
      if (curve.of_logarithm) value = floc_exp(value);
      if (value >= lower && value <= upper) return value;
    }
  }
}

/* ---- all of them ---- */

static double draw_by_volume(double lower, double upper, int32_t dimension, double u)
{
  if (dimension == 2) return sqrt(lower * lower + u * (upper * upper - lower * lower));
  double least = lower * lower * lower, greatest = upper * upper * upper;
  return floc_cbrt(least + u * (greatest - least));
}

double radius_draw(const floc_insertion_options *options, int32_t dimension, uint64_t seed, uint64_t number)
{
  if (options->distribution == FLOC_DISTRIBUTION_NORMAL || options->distribution == FLOC_DISTRIBUTION_LOGNORMAL) {
    return draw_bell(options, seed, number);
  }
  double lower = options->radius_lower, upper = radius_greatest(options), u[4];
  if (lower == upper) return lower;
  random_uniform4(seed, number, 0, RANDOM_RADIUS, 0, u);
  double radius = options->distribution == FLOC_DISTRIBUTION_UNIFORM
                      ? lower + (upper - lower) * u[0]
                      : draw_by_volume(lower, upper, dimension, u[0]);
  return fmin(fmax(radius, lower), upper);
}

/* ---- checks ---- */

static floc_status check_bell(environment *env, const floc_insertion_options *options)
{
  double lower = options->radius_lower, upper = radius_greatest(options);
  if (is_sharp(options)) {
    if (options->radius_mean >= lower && options->radius_mean <= upper) return FLOC_OK;
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "radius_mean is %g; it must be between radius_lower and radius_upper, %g to %g",
                  options->radius_mean, lower, upper);
  }
  bell curve = bell_of(options);
  double share = share_below(&curve, upper) - share_below(&curve, lower);
  if (share >= LEAST_SHARE) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT,
                "radius_mean %g and radius_deviation %g: only a fraction %.2g lies between radius_lower %g and "
                "radius_upper %g; it must be at least %g",
                options->radius_mean, options->radius_deviation, share, lower, upper, LEAST_SHARE);
}

static floc_status check_mass(environment *env, const floc_insertion_options *options, int32_t dimension)
{
  if (options->mass > 0.0) return FLOC_OK;
  if (!(options->density > 0.0 && isfinite(options->density))) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "density is %g; it must be above 0 and finite when mass is 0",
                  options->density);
  }
  double least = options->density * sphere_volume(options->radius_lower, dimension);
  double greatest = options->density * sphere_volume(radius_greatest(options), dimension);
  if (least > 0.0 && isfinite(greatest)) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "density %g gives masses of %g to %g; they must be above 0 and finite",
                options->density, least, greatest);
}

floc_status radii_check(environment *env, const floc_insertion_options *options, int32_t dimension)
{
  double lower = options->radius_lower, upper = radius_greatest(options);
  if (!(upper >= lower && isfinite(upper))) {
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "radius_upper is %g; it must be finite and at least radius_lower, which is %g", upper, lower);
  }
  floc_status status = check_mass(env, options, dimension);
  bool has_bell =
      options->distribution == FLOC_DISTRIBUTION_NORMAL || options->distribution == FLOC_DISTRIBUTION_LOGNORMAL;
  return status == FLOC_OK && has_bell ? check_bell(env, options) : status;
}
