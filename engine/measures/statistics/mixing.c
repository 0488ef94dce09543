/*
 * Lacey's mixing index. See mixing.h.
 *
 * Cells are numbered and counted in an array; the cell of a particle is that of its centre.
 */
#include "measures/statistics/mixing.h"

#include "base/fields.h"
#include "measures/statistics/stress.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { CELL_LIMIT = 1 << 26 };

typedef struct cells {
  double lower[3], width[3];
  int64_t number[3]; /* along each axis */
  int64_t count;
} cells;

static floc_status make_cells(const measure_source *source, double cell, cells *all)
{
  *all = (cells){.number = {1, 1, 1}, .count = 1};
  for (int axis = 0; axis < source->box->dimension; axis++) {
    double lower, upper;
    measured_ends(source, axis, 0.0, &lower, &upper);
    const double number = fmax(1.0, floor((upper - lower) / cell + 0.5));
    if (!(number * (double)all->count <= CELL_LIMIT))
      return refuse(source->env, FLOC_LIMIT_EXCEEDED, "cell is %g; that makes more than %d cells", cell,
                    CELL_LIMIT);
    all->number[axis] = (int64_t)number;
    all->lower[axis] = lower;
    all->width[axis] = (upper - lower) / number;
    all->count *= all->number[axis];
  }
  return FLOC_OK;
}

static int64_t cell_of(const measure_source *source, const cells *all, int64_t slot)
{
  int64_t cell = 0;
  for (int axis = source->box->dimension - 1; axis >= 0; axis--) {
    const double place = source->table->column[COLUMN_x + axis][slot] - all->lower[axis];
    double index = all->width[axis] > 0.0 ? floor(place / all->width[axis]) : 0.0;
    index = fmin(fmax(index, 0.0), (double)(all->number[axis] - 1));
    cell = cell * all->number[axis] + (int64_t)index;
  }
  return cell;
}

/* NaN: the middle between the least value and the greatest. */
static double find_threshold(const measure_source *source, const double *values, double given)
{
  double least = INFINITY, greatest = -INFINITY;
  if (!isnan(given)) return given;
  EACH_OWNED(slot, source->table) {
    least = fmin(least, values[slot]);
    greatest = fmax(greatest, values[slot]);
  }
  return 0.5 * least + 0.5 * greatest;
}

static floc_status judge(const measure_source *source, const char *column, double threshold, const int32_t *all,
                         const int32_t *chosen, int64_t count, floc_mixing *result)
{
  const double total = (double)owned_number(source->table);
  double kind = 0.0, occupied = 0.0, sum = 0.0;
  for (int64_t cell = 0; cell < count; cell++) {
    kind += chosen[cell];
    occupied += all[cell] > 0;
  }
  const double p = kind / total, pure = p * (1.0 - p);
  if (kind == 0.0 || kind == total)
    return refuse(source->env, FLOC_INVALID_ARGUMENT,
                  "threshold is %.17g; all %" PRId64 " particles have %s %s it, so there is one kind only",
                  threshold, source->table->count, column, kind == 0.0 ? "up to" : "above");
  if (occupied == total)
    return refuse(source->env, FLOC_INVALID_ARGUMENT,
                  "no cell has more than one of the %" PRId64
                  " particles, so mixing means nothing; give larger cells",
                  source->table->count);
  for (int64_t cell = 0; cell < count; cell++)
    if (all[cell] > 0)
      sum += all[cell] * (chosen[cell] / (double)all[cell] - p) * (chosen[cell] / (double)all[cell] - p);
  result->fraction = p;
  result->cells = (int64_t)occupied;
  result->variance = sum / total;
  result->segregated = pure;
  result->random = pure * (occupied - 1.0) / (total - 1.0);
  result->index = (result->segregated - result->variance) / (result->segregated - result->random);
  return FLOC_OK;
}

floc_status mixing_find(const measure_source *source, const floc_mixing_options *options, const char *column,
                        floc_mixing *result)
{
  floc_status status = fields_check(source->env, &struct_mixing_options, options);
  if (status != FLOC_OK) return status;
  if (isinf(options->threshold))
    return refuse(source->env, FLOC_INVALID_ARGUMENT, "threshold is %g; it must be finite, or NaN",
                  options->threshold);
  const int32_t number = particles_find_column(source->table, column);
  if (number < 0) return refuse(source->env, FLOC_NOT_FOUND, "there is no column \"%.60s\"", column);
  if (source->table->count < 2)
    return refuse(source->env, FLOC_INVALID_ARGUMENT, "there are %" PRId64 " particles; mixing needs two or more",
                  source->table->count);
  const double *values = source->table->column[number];
  cells grid;
  status = make_cells(source, options->cell, &grid);
  if (status != FLOC_OK) return status;
  int32_t *all = arena_allocate(source->scratch, (size_t)grid.count, sizeof *all);
  int32_t *chosen = arena_allocate(source->scratch, (size_t)grid.count, sizeof *chosen);
  if (!all || !chosen) return FLOC_OUT_OF_MEMORY;
  memset(all, 0, (size_t)grid.count * sizeof *all);
  memset(chosen, 0, (size_t)grid.count * sizeof *chosen);
  const double threshold = find_threshold(source, values, options->threshold);
  EACH_OWNED(slot, source->table) {
    const int64_t cell = cell_of(source, &grid, slot);
    all[cell]++;
    chosen[cell] += values[slot] > threshold;
  }
  return judge(source, column, threshold, all, chosen, grid.count, result);
}
