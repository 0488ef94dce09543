/*
 * Attraction between near pairs. See attraction.h.
 *
 * sech^2(x) = 4 e / (1 + e)^2 with e = exp(-2 |x|): one exponential, no overflow.
 */
#include "laws/attraction.h"

#include "base/parallel.h"

#include <math.h>

enum { PAIR_CHUNK = 4096 };

static const double default_range_in_epsilon = 5.0;

floc_status attraction_resolve(environment *env, const floc_attraction_options *options, attraction *result)
{
  if (!(options->kappa > 0.0 && isfinite(options->kappa)))
    return refuse(env, FLOC_INVALID_ARGUMENT, "kappa is %g; it must be a finite number above 0", options->kappa);
  if (!(options->epsilon > 0.0 && isfinite(options->epsilon)))
    return refuse(env, FLOC_INVALID_ARGUMENT, "epsilon is %g; it must be a finite number above 0",
                  options->epsilon);
  if (!(options->range >= 0.0 && isfinite(options->range)))
    return refuse(env, FLOC_INVALID_ARGUMENT, "range is %g; it must be a finite number of at least 0",
                  options->range);
  *result = (attraction){options->kappa / options->epsilon, options->epsilon,
                         options->range > 0.0 ? options->range : default_range_in_epsilon * options->epsilon,
                         options->noise_scaling};
  return FLOC_OK;
}

typedef struct attraction_pass {
  const attraction *which;
  const particles *table;
  const pair_list *pairs;
  const domain *box;
  int32_t dimension;
  double scale;
  double *const *force;
} attraction_pass;

static void attract_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  (void)chunk;
  const attraction_pass *pass = context;
  double *const *column = pass->table->column;
  const double *radius = column[COLUMN_radius];
  double factor = -2.0 / pass->which->epsilon;
  for (int64_t k = begin; k < end; k++) {
    int32_t i = pass->pairs->first[k], j = pass->pairs->second[k];
    double separation[3] = {0.0, 0.0, 0.0}, square = 0.0;
    for (int axis = 0; axis < pass->dimension; axis++) {
      separation[axis] = domain_shortest(pass->box, axis, column[COLUMN_x + axis][j] - column[COLUMN_x + axis][i]);
      square += separation[axis] * separation[axis];
    }
    double contact = radius[i] + radius[j];
    double reach = contact + pass->which->range;
    if (square > reach * reach || square == 0.0) continue;
    double distance = sqrt(square);
    double decay = exp(factor * fabs(distance - contact));
    double pull = -pass->scale * 4.0 * decay / ((1.0 + decay) * (1.0 + decay)) / distance;
    for (int axis = 0; axis < pass->dimension; axis++) pass->force[axis][k] += pull * separation[axis];
  }
}

void attraction_apply(const environment *env, const attraction *which, const particles *table,
                      const pair_list *pairs, const domain *box, int32_t dimension, double time_step,
                      double *const force[3])
{
  double scale = which->strength;
  if (which->noise_scaling) scale /= sqrt(time_step);
  attraction_pass pass = {which, table, pairs, box, dimension, scale, force};
  parallel_for(env, pairs->count, PAIR_CHUNK, attract_chunk, &pass);
}
