/*
 * Volume, centre and second moments of a union of balls, for the mass of assemblies whose members overlap.
 *
 * Chords: for lines along x (a row of them in the plane, a square grid in space) the union of the balls'
 * intervals is found exactly; moments along the line are integrated in closed form, across the lines by the
 * midpoint rule.
 */
#include "geometry/rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_PLANE = 40000, LINES_SPACE = 700 };

typedef struct interval {
  double begin, end;
} interval;

static int compare_intervals(const void *a, const void *b)
{
  const interval *left = a, *right = b;
  return left->begin < right->begin ? -1 : left->begin > right->begin;
}

static void add_chord(union_moments *sums, double begin, double end, double y, double z, double weight)
{
  double length = weight * (end - begin), first = weight * 0.5 * (end * end - begin * begin);
  sums->volume += length;
  sums->first[0] += first;
  sums->first[1] += length * y;
  sums->first[2] += length * z;
  sums->second[0] += weight * (end * end * end - begin * begin * begin) / 3.0;
  sums->second[1] += length * y * y;
  sums->second[2] += length * z * z;
  sums->second[3] += first * y;
  sums->second[4] += first * z;
  sums->second[5] += length * y * z;
}

/* One line at (y, z): found holds space for an interval per ball. */
static void add_line(union_moments *sums, int64_t count, const double (*center)[3], const double *radius, double y,
                     double z, double weight, interval *found)
{
  int64_t hits = 0;
  for (int64_t k = 0; k < count; k++) {
    double dy = y - center[k][1], dz = z - center[k][2];
    double square = radius[k] * radius[k] - dy * dy - dz * dz;
    if (square <= 0.0) continue;
    double half = sqrt(square);
    found[hits++] = (interval){center[k][0] - half, center[k][0] + half};
  }
  if (hits > 1) qsort(found, (size_t)hits, sizeof *found, compare_intervals);
  for (int64_t k = 0; k < hits;) {
    double begin = found[k].begin, end = found[k].end;
    for (k++; k < hits && found[k].begin <= end; k++) end = fmax(end, found[k].end);
    add_chord(sums, begin, end, y, z, weight);
  }
}

static void bounds(int64_t count, const double (*center)[3], const double *radius, int axis, double *lower,
                   double *upper)
{
  *lower = INFINITY;
  *upper = -INFINITY;
  for (int64_t k = 0; k < count; k++) {
    *lower = fmin(*lower, center[k][axis] - radius[k]);
    *upper = fmax(*upper, center[k][axis] + radius[k]);
  }
}

floc_status union_integrate(environment *env, int32_t dimension, int64_t count, const double (*center)[3],
                            const double *radius, union_moments *moments)
{
  *moments = (union_moments){0};
  size_t bytes = (size_t)count * sizeof(interval);
  interval *found = memory_resize(env, NULL, 0, bytes);
  if (!found) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  double lower[3] = {0.0}, upper[3] = {0.0};
  for (int axis = 1; axis < dimension; axis++) bounds(count, center, radius, axis, &lower[axis], &upper[axis]);
  int lines = dimension == 2 ? LINES_PLANE : LINES_SPACE;
  double step_y = (upper[1] - lower[1]) / lines, step_z = dimension == 3 ? (upper[2] - lower[2]) / lines : 1.0;
  for (int b = 0; b < (dimension == 3 ? lines : 1); b++) {
    double z = dimension == 3 ? lower[2] + (b + 0.5) * step_z : 0.0;
    for (int a = 0; a < lines; a++)
      add_line(moments, count, center, radius, lower[1] + (a + 0.5) * step_y, z, step_y * step_z, found);
  }
  memory_free(env, found, bytes);
  return FLOC_OK;
}
