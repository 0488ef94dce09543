/*
 * Regions of insertion. See region.h.
 */
#include "particles/region.h"

#include "base/callback.h"
#include "base/numbers/random.h"
#include "particles/radii.h"

#include <math.h>

static floc_status check_box(environment *env, const floc_insertion_options *options, int32_t dimension)
{
  double diameter = 2.0 * radius_greatest(options);
  for (int k = 0; k < dimension; k++) {
    double lower = options->region_lower[k], upper = options->region_upper[k];
    if (!(isfinite(lower) && isfinite(upper) && lower < upper)) {
      return refuse(env, FLOC_INVALID_ARGUMENT,
                    "region_lower[%d] is %g and region_upper[%d] is %g; both must be finite and upper above lower",
                    k, lower, k, upper);
    }
    if (upper - lower < diameter * (1.0 - 1e-9)) {
      return refuse(env, FLOC_NO_ROOM, "the region is %g wide along axis %d; a particle of %g does not fit in",
                    upper - lower, k, diameter);
    }
  }
  return FLOC_OK;
}

static floc_status check_ball(environment *env, const floc_insertion_options *options)
{
  double radius = options->region_radius;
  if (radius >= radius_greatest(options)) return FLOC_OK;
  return refuse(env, FLOC_NO_ROOM, "region_radius is %g; a particle of radius %g does not fit in", radius,
                radius_greatest(options));
}

floc_status region_check(environment *env, const floc_insertion_options *options, int32_t dimension)
{
  if (options->region_kind == FLOC_REGION_BALL) return check_ball(env, options);
  if (options->region_kind == FLOC_REGION_FUNCTION && !options->region_function)
    return refuse(env, FLOC_INVALID_ARGUMENT, "region_function is NULL; a region of kind function needs one");
  return check_box(env, options, dimension);
}

double region_volume(const floc_insertion_options *options, int32_t dimension)
{
  if (options->region_kind == FLOC_REGION_BALL) return sphere_volume(options->region_radius, dimension);
  double volume = 1.0;
  for (int k = 0; k < dimension; k++) volume *= options->region_upper[k] - options->region_lower[k];
  return volume;
}

bool region_spans(const floc_insertion_options *options, const domain *box, int axis)
{
  return box && box->boundary[axis] == FLOC_BOUNDARY_PERIODIC && options->region_kind == FLOC_REGION_BOX &&
         options->region_lower[axis] == box->lower[axis] && options->region_upper[axis] == box->upper[axis] &&
         !(axis == 1 && domain_is_skew(box)); /* there the images are shifted, and rows do not meet */
}

floc_status region_allows(environment *env, const floc_insertion_options *options, const double position[3],
                          double radius, bool *allowed)
{
  *allowed = true;
  if (options->region_kind != FLOC_REGION_FUNCTION) return FLOC_OK;
  *allowed = false;
  callback_mark before = callback_begin(env, CALLBACK_REGION, NULL);
  floc_status status = options->region_function(options->region_context, position, radius, allowed);
  int32_t changed = float_take_back();
  callback_end(env, before);
  return callback_verdict(env, status, changed, "the function of the region at (%g, %g, %g)", position[0],
                          position[1], position[2]);
}

static double between(double lower, double upper, double u)
{
  if (lower >= upper) return 0.5 * (lower + upper); /* a region just as wide as the particle */
  return fmin(fmax(lower + (upper - lower) * u, lower), upper);
}

static void draw_in_ball(const floc_insertion_options *options, int32_t dimension, double radius, uint64_t seed,
                         uint64_t number, uint64_t try, double position[3])
{
  double room = options->region_radius - radius;
  for (uint64_t index = 0;; index++) {
    double u[4], squared = 0.0;
    random_uniform4(seed, number, try, RANDOM_POSITION, index, u);
    for (int k = 0; k < dimension; k++) {
      u[k] = 2.0 * u[k] - 1.0;
      squared += u[k] * u[k];
    }
    if (squared > 1.0) continue;
    for (int k = 0; k < dimension; k++) position[k] = options->region_center[k] + room * u[k];
    return;
  }
}

void region_draw(const floc_insertion_options *options, int32_t dimension, double radius, uint64_t seed,
                 uint64_t number, uint64_t try, double position[3])
{
  position[2] = 0.0;
  if (options->region_kind == FLOC_REGION_BALL) {
    draw_in_ball(options, dimension, radius, seed, number, try, position);
    return;
  }
  double u[4];
  random_uniform4(seed, number, try, RANDOM_POSITION, 0, u);
  for (int k = 0; k < dimension; k++)
    position[k] = between(options->region_lower[k] + radius, options->region_upper[k] - radius, u[k]);
}

bool region_interval(const floc_insertion_options *options, int32_t dimension, double radius, int axis,
                     const double position[3], double *lowest, double *highest)
{
  if (options->region_kind != FLOC_REGION_BALL) {
    *lowest = options->region_lower[axis] + radius;
    *highest = options->region_upper[axis] - radius;
    return true;
  }
  double room = options->region_radius - radius;
  double squared = room * room * (1.0 + 1e-12);
  for (int k = axis + 1; k < dimension; k++) {
    double separation = position[k] - options->region_center[k];
    squared -= separation * separation;
  }
  if (squared < 0.0) return false;
  *lowest = options->region_center[axis] - sqrt(squared);
  *highest = options->region_center[axis] + sqrt(squared);
  return true;
}
