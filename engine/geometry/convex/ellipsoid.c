/*
 * Ellipses and ellipsoids: two of them, and one inside of a circle or ball. See ellipsoid.h.
 */
#include "geometry/convex/ellipsoid.h"

#include "geometry/convex/reach_sum.h"
#include "geometry/vector.h"

#include <string.h>

enum { HOLLOW_STARTS = 3 };

static const double same_end = 1e-9; /* one less the cosine of two normals */

double ellipsoid_support(const ellipsoid_core *core, const double n[3], double point[3])
{
  reach_sum own = {.vectors = core->dimension, .parts = 1};
  reach_sum_load(core->dimension, core->axis, own.vector[0]);
  return reach_sum_support(&own, 0, n, point);
}

int32_t ellipsoid_rows(const ellipsoid_core *first, const ellipsoid_core *second, const double between[3],
                       double reach, convex_row rows[CONVEX_ROWS])
{
  reach_sum sum = {.dimension = first->dimension, .sign = -1.0, .parts = 2, .vectors = first->dimension};
  for (int axis = 0; axis < first->dimension; axis++) sum.way[axis] = between[axis];
  reach_sum_load(first->dimension, first->axis, sum.vector[0]);
  reach_sum_load(second->dimension, second->axis, sum.vector[1]);
  if (reach_sum_is_beyond(&sum, reach)) return 0;
  convex_row *row = &rows[0];
  *row = (convex_row){.feature = {ELLIPSOID_SIDE, ELLIPSOID_SIDE}};
  reach_sum_begin(&sum, row->normal);
  row->distance = reach_sum_climb(&sum, INFINITY, row->normal);
  if (!(row->distance <= reach)) return 0;
  reach_sum_support(&sum, 0, row->normal, row->first);
  reach_sum_support(&sum, 1, row->normal, row->second);
  for (int axis = 0; axis < 3; axis++) row->second[axis] = -row->second[axis];
  return 1;
}

/* ---- inside of a circle or ball ---- */

int32_t ellipsoid_hollow_rows(const ellipsoid_core *core, const double place[3], double radius, double reach,
                              convex_row rows[CONVEX_ROWS])
{
  reach_sum sum = {.dimension = core->dimension, .sign = 1.0, .parts = 1, .vectors = core->dimension};
  int32_t count = 0, longest_axis = 0;
  reach_sum_load(core->dimension, core->axis, sum.vector[0]);
  for (int axis = 0; axis < core->dimension; axis++) sum.way[axis] = place[axis];
  for (int32_t k = 1; k < core->dimension; k++)
    if (vector_dot(sum.vector[0][k], sum.vector[0][k]) >
        vector_dot(sum.vector[0][longest_axis], sum.vector[0][longest_axis]))
      longest_axis = k;
  for (int32_t start = 0; start < HOLLOW_STARTS; start++) {
    const double sign = start == 1 ? -1.0 : 1.0, *begin = start < 2 ? sum.vector[0][longest_axis] : sum.way;
    const double length = vector_length(begin);
    double n[3];
    if (!(length > 0.0)) continue;
    for (int axis = 0; axis < 3; axis++) n[axis] = sign * begin[axis] / length;
    const double distance = radius - reach_sum_climb(&sum, INFINITY, n);
    bool known = !(distance <= reach);
    for (int32_t r = 0; r < count && !known; r++) known = vector_dot(n, rows[r].normal) > 1.0 - same_end;
    if (known) continue;
    convex_row *row = &rows[count++];
    *row = (convex_row){.distance = distance, .feature = {ELLIPSOID_SIDE + start, 0}};
    memcpy(row->normal, n, sizeof row->normal);
    reach_sum_support(&sum, 0, n, row->first);
  }
  return count;
}
