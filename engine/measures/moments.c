/*
 * Moments and the greatest distance. Sums of moments are exact (base/numbers/exact_sum.h).
 *
 * The farthest pair is looked for from the outside inwards: particles are sorted by their distance from the
 * centre of mass, and since two of them are at most the sum of these distances apart, the search ends early.
 * Shortest images in a periodic box are never longer than plain ways, so the bound holds there too.
 */
#include "measures/moments.h"

#include "base/fields.h"
#include "base/numbers/exact_sum.h"
#include "particles/owned.h"

#include <math.h>
#include <stdlib.h>

static floc_status find_column(environment *env, const particles *table, const char *name, const double **values)
{
  int32_t number = particles_find_column(table, name);
  if (number < 0) return refuse(env, FLOC_NOT_FOUND, "there is no column \"%.60s\"", name);
  *values = table->column[number];
  return FLOC_OK;
}

static double whole_power(double base, int32_t exponent)
{
  double power = 1.0;
  for (int32_t k = 0; k < exponent; k++) power *= base;
  return power;
}

floc_status measure_moment(environment *env, const particles *table, const char *column, const char *weight,
                           double about, int32_t order, double *value)
{
  const double *quantity = NULL, *share = NULL;
  floc_status status = fields_check_value(env, &arguments_measure_moment, "order", order);
  if (status == FLOC_OK) status = fields_check_value(env, &arguments_measure_moment, "about", about);
  if (status == FLOC_OK) status = find_column(env, table, column, &quantity);
  if (status == FLOC_OK && weight) status = find_column(env, table, weight, &share);
  if (status != FLOC_OK) return status;
  exact_sum sum = EXACT_ZERO, weights = EXACT_ZERO;
  EACH_OWNED(slot, table) {
    double a = share ? share[slot] : 1.0;
    exact_add(&sum, a * whole_power(quantity[slot] - about, order));
    exact_add(&weights, a);
  }
  const double total = exact_value(&weights);
  if (total == 0.0) return refuse(env, FLOC_WRONG_STATE, "the sum of the weights is 0: the moment is undefined");
  *value = exact_value(&sum) / total;
  return FLOC_OK;
}

/* ---- the farthest pair ---- */

typedef struct outlier {
  double distance; /* from the centre */
  int64_t number;
} outlier;

static int compare_outliers(const void *a, const void *b)
{
  const outlier *one = a, *other = b;
  if (one->distance != other->distance) return one->distance > other->distance ? -1 : 1;
  return one->number < other->number ? -1 : one->number > other->number;
}

static void sort_outliers(const measured_points *points, outlier *list)
{
  double center[3] = {0.0, 0.0, 0.0};
  for (int axis = 0; axis < points->box.dimension; axis++)
    for (int64_t k = 0; k < points->count; k++) center[axis] += points->position[axis][k] / (double)points->count;
  for (int64_t k = 0; k < points->count; k++) {
    double square = 0.0;
    for (int axis = 0; axis < points->box.dimension; axis++) {
      double way = points->position[axis][k] - center[axis];
      square += way * way;
    }
    list[k] = (outlier){sqrt(square), k};
  }
  qsort(list, (size_t)points->count, sizeof *list, compare_outliers);
}

static double square_between(const measured_points *points, int64_t a, int64_t b)
{
  double square = 0.0;
  for (int axis = 0; axis < points->box.dimension; axis++) {
    double way = domain_shortest(&points->box, axis, points->position[axis][b] - points->position[axis][a]);
    square += way * way;
  }
  return square;
}

/* With a margin for rounding, so that no pair is hidden. */
static bool cannot_be_farther(const outlier *list, int64_t a, int64_t b, double square)
{
  double bound = list[a].distance + list[b].distance;
  return bound * bound < square * (1.0 - 1e-12);
}

floc_status measure_greatest_distance(const measured_points *points, double *distance)
{
  size_t size = (size_t)points->count * sizeof(outlier);
  outlier *list = memory_resize(points->env, NULL, 0, size);
  if (!list) return refuse(points->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", size);
  sort_outliers(points, list);
  double greatest = 0.0; /* squared */
  for (int64_t a = 1; a < points->count; a++) {
    if (cannot_be_farther(list, a, 0, greatest)) break;
    for (int64_t b = 0; b < a && !cannot_be_farther(list, a, b, greatest); b++) {
      double square = square_between(points, list[a].number, list[b].number);
      if (square > greatest) greatest = square;
    }
  }
  memory_free(points->env, list, size);
  *distance = sqrt(greatest);
  return FLOC_OK;
}
