/*
 * Particles that grow. The columns radius_rate and rounding_rate say how fast: R(t + h) = R + h dR/dt. A step works
 * with the sizes at its end from its beginning on: the distances D of its contacts are those of the grown
 * particles, where they are, so that D + h G V >= 0 keeps them apart at t + h. For discs and balls that is
 *
 *   D(t) + h (G V - dR_i/dt - dR_j/dt) >= 0
 *
 * with the D of the old radii; for rods and polygons it holds with the normals and arms of the grown ones, and is
 * as exact as for those that do not grow (geometry/convex/convex.h).
 *
 * What has no rounding_rate grows alike all round. Density stays: mass goes with the volume, and what comes has the
 * velocity of what is there; a moment of inertia that was given goes with mass and size. Without inertia masses
 * have no effect, and grow as well.
 *
 * Memory: the columns as they were, in the step's arena; NULL where nothing grows.
 */
#include "schemes/projection/step.h"

#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static double *const *grown_column(const particles *table, int k)
{
  static const optional_column optional[] = {OPTIONAL_rounding, OPTIONAL_inertia};
  if (k == 0) return &table->column[COLUMN_radius];
  if (k == 1) return &table->column[COLUMN_mass];
  const int32_t column = table->optional[optional[k - 2]];
  return column >= 0 ? &table->column[column] : NULL;
}

static floc_status keep_columns(projection_step *step)
{
  const particles *table = step->context->table;
  for (int k = 0; k < GROWN_COLUMNS; k++) {
    double *const *column = grown_column(table, k);
    if (!column) continue;
    step->ungrown[k] = arena_allocate(step->context->scratch, (size_t)table->count, sizeof(double));
    if (!step->ungrown[k]) return FLOC_OUT_OF_MEMORY;
    memcpy(step->ungrown[k], *column, (size_t)table->count * sizeof(double));
  }
  return FLOC_OK;
}

/* Second moment of the area, or of the volume, but for what is the same before and after. */
static double moment(const particles *table, int32_t dimension, int64_t i)
{
  const double radius = table->column[COLUMN_radius][i];
  return particles_volume(table, dimension, i) * particles_uniform_factor(table, dimension, i) * radius * radius;
}

static floc_status grow_one(const projection_step *step, int64_t i)
{
  const step_context *context = step->context;
  const particles *table = context->table;
  const int32_t dimension = context->obstacles->dimension;
  const double *rate = particles_optional(table, OPTIONAL_radius_rate),
               *other = particles_optional(table, OPTIONAL_rounding_rate);
  double *radius = &table->column[COLUMN_radius][i], *rounding = particles_optional(table, OPTIONAL_rounding),
         *inertia = particles_optional(table, OPTIONAL_inertia);
  const double by = rate ? rate[i] : 0.0, was = *radius;
  if (by == 0.0 && (!other || other[i] == 0.0)) return FLOC_OK;
  const double volume = particles_volume(table, dimension, i), second = moment(table, dimension, i);
  const number_range range = particles_radius_range(context->box);
  *radius += context->time_step * by;
  if (!(*radius >= range.least && *radius <= range.greatest))
    return refuse(context->env, FLOC_INVALID_ARGUMENT,
                  "particle %" PRId64 " of radius %g has the radius_rate %g, so that step %" PRId64
                  " would make it %g; radii are from %g to %g",
                  table->id[i], was, by, context->step + 1, *radius, range.least, range.greatest);
  const grain_shape *form = rounding ? particles_shape(table, i) : NULL;
  if (form) {
    rounding[i] = other ? rounding[i] + context->time_step * other[i] : rounding[i] * (*radius / was);
    if (!grain_kinds[form->kind].takes_rounding(dimension, *radius, rounding[i]))
      return refuse(context->env, FLOC_INVALID_ARGUMENT,
                    "particle %" PRId64 " has the radius_rate %g and the rounding_rate %g, so that step %" PRId64
                    " would give it the rounding %g and the radius %g; the rounding must be %s",
                    table->id[i], by, other ? other[i] : 0.0, context->step + 1, rounding[i], *radius,
                    grain_kinds[form->kind].rounding_range[dimension - 2]);
  }
  table->column[COLUMN_mass][i] *= particles_volume(table, dimension, i) / volume;
  if (inertia) inertia[i] *= moment(table, dimension, i) / second;
  return FLOC_OK;
}

floc_status growth_begin(projection_step *step)
{
  const particles *table = step->context->table;
  if (!particles_optional(table, OPTIONAL_radius_rate) && !particles_optional(table, OPTIONAL_rounding_rate))
    return FLOC_OK;
  floc_status status = keep_columns(step);
  EACH_SLOT(i, table)
    if (status == FLOC_OK) status = grow_one(step, i);
  if (status == FLOC_OK) neighbors_see_radii(step->context->near, table);
  return status;
}

void growth_revert(projection_step *step)
{
  const particles *table = step->context->table;
  bool any = false;
  for (int k = 0; k < GROWN_COLUMNS; k++) {
    if (!step->ungrown[k]) continue;
    memcpy(*grown_column(table, k), step->ungrown[k], (size_t)table->count * sizeof(double));
    any = true;
  }
  if (any) neighbors_see_radii(step->context->near, table);
}
