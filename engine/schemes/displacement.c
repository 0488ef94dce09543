/*
 * See displacement.h. One pass over speeds finds whether one may be too great; who it is and how far all reach is
 * looked for only then.
 */
#include "schemes/displacement.h"

#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>

static const double most_diameters = 1e4, most_extents = 10.0;

typedef struct speed_pass {
  const step_context *context;
  double *const *velocity;
  double most; /* square of a speed over that of the radius */
} speed_pass;

static double square_of(const speed_pass *pass, int64_t i)
{
  double square = 0.0;
  for (int axis = 0; axis < pass->context->box->dimension; axis++)
    square += pass->velocity[axis][i] * pass->velocity[axis][i];
  return square;
}

/* Whether a square of a speed reaches `most` times that of the radius: 1, or 0; what is not a number is refused
 * elsewhere. With neither a division nor an early end, so that two particles are done at a time. */
static double fast_in_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const speed_pass *pass = context;
  const double *radius = pass->context->table->column[COLUMN_radius], most = pass->most;
  const double *x = pass->velocity[0], *y = pass->velocity[1], *z = pass->velocity[2];
  double fast = 0.0;
  if (pass->context->box->dimension == 2)
    for (int64_t i = begin; i < end; i++)
      fast = x[i] * x[i] + y[i] * y[i] >= most * (radius[i] * radius[i]) ? 1.0 : fast;
  else
    for (int64_t i = begin; i < end; i++)
      fast = x[i] * x[i] + y[i] * y[i] + z[i] * z[i] >= most * (radius[i] * radius[i]) ? 1.0 : fast;
  return fast;
}

/* The longest side of the domain and of the box around all centres. */
static double extent_of(const step_context *context)
{
  const particles *table = context->table;
  double extent = 0.0;
  for (int axis = 0; axis < context->box->dimension; axis++) {
    double lower = INFINITY, upper = -INFINITY;
    if (context->box->boundary[axis] != FLOC_BOUNDARY_OPEN)
      extent = fmax(extent, context->box->upper[axis] - context->box->lower[axis]);
    EACH_OWNED(i, table) {
      lower = fmin(lower, table->column[COLUMN_x + axis][i]);
      upper = fmax(upper, table->column[COLUMN_x + axis][i]);
    }
    extent = fmax(extent, upper - lower);
  }
  return extent;
}

floc_status displacement_check(const step_context *context, double *const velocity[3], const char *when)
{
  const particles *table = context->table;
  double h = context->time_step, limit = 2.0 * most_diameters / h, most = limit * limit;
  speed_pass pass = {context, velocity, most};
  if (table->count < 2) return FLOC_OK;
  if (owned_max(context->env, table, PARALLEL_BLOCK, 0.0, fast_in_block, &pass) == 0.0) return FLOC_OK;
  double extent = extent_of(context);
  int64_t worst = -1;
  EACH_OWNED(i, table) {
    double radius = table->column[COLUMN_radius][i], square = square_of(&pass, i);
    if (square / (radius * radius) <= most || h * sqrt(square) <= most_extents * extent) continue;
    most = square / (radius * radius);
    worst = i;
  }
  if (worst < 0) return FLOC_OK;
  double way = h * sqrt(square_of(&pass, worst));
  return refuse(context->env, FLOC_LIMIT_EXCEEDED,
                "particle %" PRId64 " would move by %.3g in step %" PRId64
                " (%s), %.3g of its diameters and %.3g times the extent of all particles; the limits are %g and "
                "%g: use a smaller "
                "time step than %g, or smaller velocities",
                table->id[worst], way, context->step + 1, when, way / (2.0 * table->column[COLUMN_radius][worst]),
                extent > 0.0 ? way / extent : INFINITY, most_diameters, most_extents, h);
}
