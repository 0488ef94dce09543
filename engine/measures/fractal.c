/*
 * Fractal dimensions. See fractal.h.
 *
 * Boxes are counted on all scales at once: each point gets the number of its finest box, with the bits of
 * its coordinates interleaved. In sorted order the points of any coarser box lie together, so that the
 * number of boxes of side L / 2^m is the number of places where the leading m bits per axis change.
 */
#include "measures/fractal.h"

#include "base/structs.h"
#include "measures/shape_measures.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASS_RADIUS_POINTS = 16, LEVELS_2D = 31, LEVELS_3D = 21 };

floc_status fractal_check_options(environment *env, const floc_fractal_options *options)
{
  return fields_check(env, &struct_fractal_options, options);
}

/* ---- the fit ---- */

/* Straight line through count points; needs two different x. */
static void fit_line(const double *x, const double *y, int64_t count, double *slope, double *offset,
                     double *deviation)
{
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0, rest = 0.0;
  for (int64_t k = 0; k < count; k++) {
    mean_x += x[k] / (double)count;
    mean_y += y[k] / (double)count;
  }
  for (int64_t k = 0; k < count; k++) {
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    xy += (x[k] - mean_x) * (y[k] - mean_y);
  }
  *slope = xy / xx;
  *offset = mean_y - *slope * mean_x;
  for (int64_t k = 0; k < count; k++) {
    double error = y[k] - *offset - *slope * x[k];
    rest += error * error;
  }
  *deviation = count > 2 ? sqrt(rest / (double)(count - 2) / xx) : 0.0;
}

/* Fits the points within [least, greatest] (a little more, for rounding); sign -1: dimension is the
 * opposite of the slope. */
static floc_status fit_scaling(environment *env, floc_scaling *scaling, double least, double greatest, int sign)
{
  double x[FLOC_SCALE_COUNT], y[FLOC_SCALE_COUNT], slope, offset;
  int64_t count = 0;
  for (int32_t k = 0; k < scaling->count; k++) {
    if (scaling->x[k] < least * (1 - 1e-9) || scaling->x[k] > greatest * (1 + 1e-9) || scaling->y[k] <= 0.0)
      continue;
    if (count == 0) scaling->first = k;
    scaling->last = k;
    x[count] = floc_log(scaling->x[k]);
    y[count++] = floc_log(scaling->y[k]);
  }
  if (count < 2)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "only %d of %d scales lie between least = %g and greatest = %g; a fit needs 2", (int)count,
                  scaling->count, least, greatest);
  fit_line(x, y, count, &slope, &offset, &scaling->deviation);
  scaling->dimension = sign * slope;
  scaling->prefactor = floc_exp(offset);
  return FLOC_OK;
}

/* ---- box counting ---- */

typedef struct counting_box {
  double corner[3], side;
} counting_box;

/* The domain where it is closed; where it is open, the bounding box of the centres. */
static counting_box natural_box(const measured_points *points, const domain *box)
{
  counting_box whole = {{0.0, 0.0, 0.0}, 0.0};
  for (int axis = 0; axis < box->dimension; axis++) {
    double lower = box->lower[axis], upper = box->upper[axis];
    if (box->boundary[axis] == FLOC_BOUNDARY_OPEN) {
      lower = INFINITY;
      upper = -INFINITY;
      for (int64_t k = 0; k < points->count; k++) {
        lower = fmin(lower, points->position[axis][k]);
        upper = fmax(upper, points->position[axis][k]);
      }
    }
    whole.corner[axis] = lower;
    whole.side = fmax(whole.side, upper - lower);
  }
  if (!(whole.side > 0.0)) whole.side = points_greatest_radius(points);
  return whole;
}

/* Bits of the box of side L / 2^levels, interleaved from the highest on. Points outside count for the box
 * at the face: on periodic axes they are brought inside before. */
static uint64_t finest_box(const measured_points *points, const domain *box, const counting_box *whole, int levels,
                           int64_t k)
{
  uint64_t key = 0, cell[3];
  double boxes = ldexp(1.0, levels);
  for (int axis = 0; axis < box->dimension; axis++) {
    double x = domain_wrap(box, axis, points->position[axis][k]);
    double place = floor((x - whole->corner[axis]) / whole->side * boxes);
    cell[axis] = (uint64_t)fmin(fmax(place, 0.0), boxes - 1.0);
  }
  for (int bit = levels - 1; bit >= 0; bit--)
    for (int axis = 0; axis < box->dimension; axis++) key = key << 1 | (cell[axis] >> bit & 1);
  return key;
}

static int compare_keys(const void *a, const void *b)
{
  uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
  return p < q ? -1 : p > q;
}

static void count_boxes(const uint64_t *key, int64_t count, int levels, int32_t dimension, floc_scaling *scaling,
                        double side)
{
  scaling->count = levels;
  for (int m = 1; m <= levels; m++) {
    int shift = (levels - m) * dimension;
    int64_t boxes = 1;
    for (int64_t k = 1; k < count; k++) boxes += key[k] >> shift != key[k - 1] >> shift;
    scaling->x[m - 1] = ldexp(side, -m);
    scaling->y[m - 1] = (double)boxes;
  }
}

floc_status measure_box_counting(const measured_points *points, const domain *box,
                                 const floc_fractal_options *options, floc_scaling *scaling)
{
  environment *env = points->env;
  counting_box whole = natural_box(points, box);
  if (options->side > 0.0) {
    whole.side = options->side;
    memcpy(whole.corner, options->corner, sizeof whole.corner);
  }
  double least = options->least > 0.0 ? options->least : 3.0 * points_mean_radius(points);
  double greatest = options->greatest > 0.0 ? options->greatest : 0.5 * whole.side;
  int most = box->dimension == 2 ? LEVELS_2D : LEVELS_3D, levels = 1;
  while (levels < most && ldexp(whole.side, -levels - 1) >= 0.25 * least) levels++; /* shows the plateau */
  size_t bytes = (size_t)points->count * sizeof(uint64_t);
  uint64_t *key = memory_resize(env, NULL, 0, bytes);
  if (!key) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  for (int64_t k = 0; k < points->count; k++) key[k] = finest_box(points, box, &whole, levels, k);
  qsort(key, (size_t)points->count, sizeof *key, compare_keys);
  count_boxes(key, points->count, levels, box->dimension, scaling, whole.side);
  memory_free(env, key, bytes);
  return fit_scaling(env, scaling, least, greatest, -1);
}

/* ---- mass within a distance from the centre ---- */

floc_status measure_mass_radius(const measured_points *points, const floc_fractal_options *options,
                                floc_scaling *scaling)
{
  floc_gyration gyration = {.struct_size = sizeof gyration};
  domain open = points->box;
  for (int axis = 0; axis < 3; axis++) open.length[axis] = 0.0;
  measure_gyration(points, &open, &gyration);
  double least = options->least > 0.0 ? options->least : 3.0 * points_mean_radius(points);
  double greatest = options->greatest > 0.0 ? options->greatest : gyration.radius;
  if (!(greatest > least))
    return refuse(points->env, FLOC_INVALID_ARGUMENT, "the range from least = %g to greatest = %g is empty", least,
                  greatest);
  double step = floc_log(greatest / least) / (MASS_RADIUS_POINTS - 1);
  scaling->count = MASS_RADIUS_POINTS;
  for (int32_t n = 0; n < MASS_RADIUS_POINTS; n++) {
    scaling->x[n] = n == MASS_RADIUS_POINTS - 1 ? greatest : least * floc_exp(n * step);
    scaling->y[n] = 0.0;
  }
  for (int64_t k = 0; k < points->count; k++) {
    double square = 0.0;
    for (int axis = 0; axis < points->box.dimension; axis++) {
      double y = points->position[axis][k] - gyration.center[axis];
      square += y * y;
    }
    for (int32_t n = MASS_RADIUS_POINTS - 1; n >= 0 && square <= scaling->x[n] * scaling->x[n]; n--)
      scaling->y[n] += points->mass[k];
  }
  return fit_scaling(points->env, scaling, least, greatest, 1);
}

/* ---- clusters ---- */

typedef struct sized_cluster {
  double mass, radius;
} sized_cluster;

static int compare_clusters(const void *a, const void *b)
{
  const sized_cluster *p = a, *q = b;
  if (p->mass != q->mass) return p->mass < q->mass ? -1 : 1;
  return p->radius < q->radius ? -1 : p->radius > q->radius;
}

/* Masses in octaves, one point each: geometric means. */
static void bin_clusters(const sized_cluster *cluster, int64_t count, floc_scaling *scaling)
{
  scaling->count = 0;
  for (int64_t begin = 0; begin < count && scaling->count < FLOC_SCALE_COUNT;) {
    double limit = 2.0 * cluster[begin].mass, mass = 0.0, radius = 0.0;
    int64_t end = begin;
    bool last_bin = scaling->count == FLOC_SCALE_COUNT - 1;
    for (; end < count && (cluster[end].mass < limit || last_bin); end++) {
      mass += floc_log(cluster[end].mass);
      radius += floc_log(cluster[end].radius);
    }
    scaling->x[scaling->count] = floc_exp(radius / (double)(end - begin));
    scaling->y[scaling->count++] = floc_exp(mass / (double)(end - begin));
    begin = end;
  }
  scaling->first = 0;
  scaling->last = scaling->count - 1;
}

/* The mass of a cluster is exact and its radius scatters, so the line is that of radius in mass. */
static floc_status fit_clusters(environment *env, sized_cluster *cluster, int64_t count, floc_scaling *scaling)
{
  qsort(cluster, (size_t)count, sizeof *cluster, compare_clusters);
  if (count < 3 || !(cluster[count - 1].mass > cluster[0].mass))
    return refuse(env, FLOC_INVALID_ARGUMENT, "a fit needs 3 clusters of different mass; there are %" PRId64,
                  count);
  bin_clusters(cluster, count, scaling);
  double slope, offset, deviation;
  for (int64_t k = 0; k < count; k++) {
    cluster[k].mass = floc_log(cluster[k].mass);
    cluster[k].radius = floc_log(cluster[k].radius);
  }
  size_t bytes = 2 * (size_t)count * sizeof(double);
  double *x = memory_resize(env, NULL, 0, bytes);
  if (!x) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  double *y = x + count;
  for (int64_t k = 0; k < count; k++) {
    x[k] = cluster[k].mass;
    y[k] = cluster[k].radius;
  }
  fit_line(x, y, count, &slope, &offset, &deviation);
  memory_free(env, x, bytes);
  if (!(slope > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "the radius of gyration does not increase with the mass");
  scaling->dimension = 1.0 / slope;
  scaling->deviation = deviation / (slope * slope);
  scaling->prefactor = floc_exp(-offset / slope);
  return FLOC_OK;
}

static int64_t *cluster_counts(environment *env, const int64_t *cluster_of, int64_t particle_count,
                               int64_t cluster_count)
{
  size_t bytes = (size_t)(cluster_count + 1) * sizeof(int64_t);
  int64_t *size = memory_resize(env, NULL, 0, bytes);
  if (!size) {
    refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
    return NULL;
  }
  memset(size, 0, bytes);
  for (int64_t k = 0; k < particle_count; k++) size[cluster_of[k]]++;
  return size;
}

/* Points sorted by cluster, all clusters put together at once. */
typedef struct cluster_sums {
  double mass, first[3], second;
} cluster_sums;

floc_status measure_cluster_scaling(environment *env, const particles *table, const domain *box,
                                    const cluster_pairs *pairs, const int64_t *cluster_of, int64_t cluster_count,
                                    int64_t least_count, floc_scaling *scaling)
{
  floc_status status =
      fields_check_value(env, &arguments_measure_cluster_scaling, "least_count", (double)least_count);
  measured_points points;
  if (status == FLOC_OK) status = points_gather_together(env, table, box, pairs, &points);
  if (status != FLOC_OK) return status;
  arena scratch;
  arena_init(&scratch, env);
  cluster_sums *sums = arena_allocate(&scratch, (size_t)cluster_count, sizeof *sums);
  sized_cluster *sized = sums ? arena_allocate(&scratch, (size_t)cluster_count, sizeof *sized) : NULL;
  int64_t *size = sized ? cluster_counts(env, cluster_of, table->count, cluster_count) : NULL, count = 0;
  status = size ? FLOC_OK : FLOC_OUT_OF_MEMORY;
  if (status == FLOC_OK) {
    memset(sums, 0, (size_t)cluster_count * sizeof *sums);
    for (int64_t k = 0; k < points.count; k++) { /* centres first: squares of small numbers */
      cluster_sums *sum = &sums[cluster_of[k] - 1];
      sum->mass += points.mass[k];
      for (int axis = 0; axis < box->dimension; axis++)
        sum->first[axis] += points.mass[k] * points.position[axis][k];
    }
    for (int64_t k = 0; k < points.count; k++) {
      cluster_sums *sum = &sums[cluster_of[k] - 1];
      for (int axis = 0; axis < box->dimension; axis++) {
        double y = points.position[axis][k] - sum->first[axis] / sum->mass;
        sum->second += points.mass[k] * y * y;
      }
    }
    for (int64_t c = 0; c < cluster_count; c++)
      if (size[c + 1] >= least_count && sums[c].second > 0.0)
        sized[count++] = (sized_cluster){sums[c].mass, sqrt(sums[c].second / sums[c].mass)};
    status = fit_clusters(env, sized, count, scaling);
  }
  if (size) memory_free(env, size, (size_t)(cluster_count + 1) * sizeof *size);
  arena_free(&scratch);
  points_free(&points);
  return status;
}

static int compare_sizes(const void *a, const void *b)
{
  int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
  return p < q ? -1 : p > q;
}

floc_status measure_cluster_sizes(environment *env, const int64_t *cluster_of, int64_t particle_count,
                                  int64_t cluster_count, int64_t *sizes, int64_t *numbers, int64_t capacity,
                                  int64_t *count)
{
  int64_t *size = cluster_counts(env, cluster_of, particle_count, cluster_count);
  if (!size) return FLOC_OUT_OF_MEMORY;
  qsort(size + 1, (size_t)cluster_count, sizeof *size, compare_sizes);
  *count = 0;
  for (int64_t begin = 1; begin <= cluster_count;) {
    int64_t end = begin;
    while (end <= cluster_count && size[end] == size[begin]) end++;
    if (*count < capacity) {
      sizes[*count] = size[begin];
      numbers[*count] = end - begin;
    }
    (*count)++;
    begin = end;
  }
  memory_free(env, size, (size_t)(cluster_count + 1) * sizeof *size);
  return FLOC_OK;
}
