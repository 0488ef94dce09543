/*
 * Rounded convex shapes in the plane. See convex.h.
 */
#include "geometry/convex/convex.h"

#include <math.h>

static const double apart_at_least = 1e-9; /* over the distance of centres: a direction is known from there on */

/* A direction along which the cores are apart, or overlap least. */
typedef struct axis {
  double separation;
  double normal[2]; /* from the owner of the edge to the other */
  int32_t owner;    /* 0: the first */
  int32_t edge;     /* of the owner; of a capsule's end: count + the corner */
} axis;

static double dot(const double a[2], const double b[2])
{
  return a[0] * b[0] + a[1] * b[1];
}

/* Along the edge that begins at corner k. */
static void tangent_of(const convex_core *core, int32_t k, double tangent[2])
{
  tangent[0] = -core->normal[k][1];
  tangent[1] = core->normal[k][0];
}

/* The least of the other's corners along a normal, about the owner's centre. */
static double support(const convex_core *other, const double way[2], const double normal[2])
{
  double least = INFINITY;
  for (int32_t k = 0; k < other->count; k++) {
    const double along = dot(normal, other->corner[k]);
    least = along < least ? along : least;
  }
  return least + dot(normal, way);
}

static void try_axis(const convex_core *own, const convex_core *other, const double way[2], const double normal[2],
                     int32_t corner, int32_t owner, int32_t edge, axis *best)
{
  const double separation = support(other, way, normal) - dot(normal, own->corner[corner]);
  if (!(separation > best->separation)) return;
  *best = (axis){separation, {normal[0], normal[1]}, owner, edge};
}

/* way: from the owner's centre to the other's. A segment's ends count as edges of no length. */
static void try_axes(const convex_core *own, const convex_core *other, const double way[2], int32_t owner,
                     double limit, axis *best)
{
  for (int32_t k = 0; k < own->count && own->count > 1 && best->separation <= limit; k++)
    try_axis(own, other, way, own->normal[k], k, owner, k, best);
  for (int32_t k = 0; k < 2 && own->count == 2 && best->separation <= limit; k++) {
    double along[2];
    tangent_of(own, 1 - k, along); /* edge 1 leads to corner 0 */
    try_axis(own, other, way, along, k, owner, 2 + k, best);
  }
}

/* ---- apart: the nearest point of a core to a corner of the other ---- */

typedef struct nearest {
  double point[2], normal[2]; /* from the core to the corner */
  double distance;            /* of the corner */
  int32_t feature;
} nearest;

/* p lies outside of the core, about whose centre it is given. */
static nearest nearest_point(const convex_core *core, const double p[2])
{
  int32_t closest = 0;
  double least = INFINITY;
  for (int32_t k = 0; k < core->count; k++) {
    const double *corner = core->corner[k], from[2] = {p[0] - corner[0], p[1] - corner[1]};
    const double square = dot(from, from);
    if (square < least) {
      least = square;
      closest = k;
    }
    if (core->count == 1) break;
    const double above = dot(core->normal[k], from);
    if (!(above > 0.0)) continue;
    double along[2];
    tangent_of(core, k, along);
    const double *next = core->corner[k + 1 < core->count ? k + 1 : 0],
                 edge[2] = {next[0] - corner[0], next[1] - corner[1]};
    const double at = dot(along, from);
    if (!(at > 0.0 && at < dot(along, edge))) continue;
    return (nearest){{p[0] - above * core->normal[k][0], p[1] - above * core->normal[k][1]},
                     {core->normal[k][0], core->normal[k][1]},
                     above,
                     CONVEX_EDGE + k};
  }
  const double *corner = core->corner[closest], length = sqrt(least);
  return (nearest){
      {corner[0], corner[1]}, {(p[0] - corner[0]) / length, (p[1] - corner[1]) / length}, length, closest};
}

static void place_row(const convex_core *first, const convex_core *second, const double between[2],
                      const double on_first[2], const double on_second[2], convex_row *row)
{
  for (int k = 0; k < 2; k++) {
    row->first[k] = on_first[k] + row->normal[k] * first->rounding;
    row->second[k] = on_second[k] - between[k] - row->normal[k] * second->rounding;
  }
}

static int32_t rows_apart(const convex_core *first, const convex_core *second, const double between[2],
                          double reach, const axis *best, convex_row *rows)
{
  const double rounding = first->rounding + second->rounding, limit = reach + rounding;
  const double turn = best->owner == 0 ? 1.0 : -1.0, n[2] = {turn * best->normal[0], turn * best->normal[1]};
  /* nothing of the second is below its support, nothing of the first above its own */
  const double back[2] = {-n[0], -n[1]}, zero[2] = {0.0, 0.0};
  const double upper = support(second, between, n), lower = -support(first, zero, back);
  int32_t count = 0;
  for (int32_t k = 0; k < first->count; k++) {
    const double *p = first->corner[k];
    if (upper - dot(n, p) > limit) continue;
    const double about[2] = {p[0] - between[0], p[1] - between[1]};
    const nearest at = nearest_point(second, about);
    if (!(at.distance <= limit)) continue;
    convex_row *row = &rows[count++];
    *row = (convex_row){
        .distance = at.distance - rounding, .normal = {-at.normal[0], -at.normal[1]}, .feature = {k, at.feature}};
    const double on_second[2] = {at.point[0] + between[0], at.point[1] + between[1]};
    place_row(first, second, between, p, on_second, row);
  }
  const int32_t of_first = count;
  for (int32_t k = 0; k < second->count; k++) {
    const double q[2] = {second->corner[k][0] + between[0], second->corner[k][1] + between[1]};
    if (dot(n, q) - lower > limit) continue;
    const nearest at = nearest_point(first, q);
    if (!(at.distance <= limit)) continue;
    bool known = false; /* corner against corner */
    for (int32_t r = 0; r < of_first && !known; r++)
      known = rows[r].feature[0] == at.feature && rows[r].feature[1] == k;
    if (known) continue;
    convex_row *row = &rows[count++];
    *row = (convex_row){
        .distance = at.distance - rounding, .normal = {at.normal[0], at.normal[1]}, .feature = {at.feature, k}};
    place_row(first, second, between, at.point, q, row);
  }
  return count;
}

/* ---- overlapping cores: rows along one axis ---- */

/* What the two are seen from the owner of the axis. */
typedef struct axis_view {
  const convex_core *own, *other;
  double way[2]; /* from the owner's centre to the other's */
  const axis *at;
  double reach;
  convex_row *rows;
  int32_t count;
} axis_view;

static void add_behind(axis_view *view, const double on_own[2], const double on_other[2], int32_t own_feature,
                       int32_t other_feature)
{
  const double *n = view->at->normal, rounding = view->own->rounding + view->other->rounding;
  const double apart[2] = {on_other[0] - on_own[0], on_other[1] - on_own[1]}, distance = dot(n, apart) - rounding;
  if (!(distance <= view->reach) || view->count == CONVEX_ROWS) return;
  const bool turned = view->at->owner == 1;
  convex_row *row = &view->rows[view->count++];
  *row = (convex_row){.distance = distance};
  for (int k = 0; k < 2; k++) {
    const double own = on_own[k] + n[k] * view->own->rounding,
                 other = on_other[k] - view->way[k] - n[k] * view->other->rounding;
    row->normal[k] = turned ? -n[k] : n[k];
    row->first[k] = turned ? other : own;
    row->second[k] = turned ? own : other;
  }
  row->feature[turned ? 1 : 0] = own_feature;
  row->feature[turned ? 0 : 1] = other_feature;
}

/* The edge of the other that is the lower one at a place along the axis' side, and its height there. */
static bool lower_boundary(const axis_view *view, const double along[2], double place, int32_t *edge,
                           double point[2])
{
  const convex_core *other = view->other;
  double least = INFINITY;
  for (int32_t k = 0; k < other->count && other->count > 1; k++) {
    const double *p = other->corner[k], *q = other->corner[k + 1 < other->count ? k + 1 : 0];
    const double from = dot(along, p) + dot(along, view->way), to = dot(along, q) + dot(along, view->way);
    if (from == to || (place - from) * (place - to) > 0.0) continue;
    const double part = (place - from) / (to - from);
    const double at[2] = {p[0] + part * (q[0] - p[0]) + view->way[0], p[1] + part * (q[1] - p[1]) + view->way[1]};
    const double height = dot(view->at->normal, at);
    if (!(height < least)) continue;
    least = height;
    *edge = k;
    point[0] = at[0];
    point[1] = at[1];
  }
  return least < INFINITY;
}

static void rows_behind(axis_view *view)
{
  const convex_core *own = view->own, *other = view->other;
  const bool end = view->at->edge >= own->count; /* of a capsule */
  const int32_t from = end ? view->at->edge - own->count : view->at->edge,
                to = end ? from : (from + 1) % own->count;
  const double *n = view->at->normal, along[2] = {-n[1], n[0]};
  const double begin = dot(along, own->corner[from]), finish = dot(along, own->corner[to]),
               height = dot(n, own->corner[from]), least = support(other, view->way, n);
  bool deepest = false;
  for (int32_t k = 0; k < other->count; k++) {
    const double q[2] = {other->corner[k][0] + view->way[0], other->corner[k][1] + view->way[1]};
    const double place = dot(along, q);
    const bool first_deepest = !deepest && dot(n, other->corner[k]) + dot(n, view->way) <= least;
    deepest |= first_deepest;
    if (!first_deepest && !(place >= begin && place <= finish)) continue;
    const double below = dot(n, q) - height, on_own[2] = {q[0] - below * n[0], q[1] - below * n[1]};
    add_behind(view, on_own, q, end ? from : CONVEX_EDGE + from, k);
  }
  for (int side = 0; side < (end ? 1 : 2); side++) {
    const int32_t corner = side == 0 ? from : to;
    double point[2];
    int32_t edge = 0;
    if (lower_boundary(view, along, side == 0 ? begin : finish, &edge, point))
      add_behind(view, own->corner[corner], point, corner, CONVEX_EDGE + edge);
  }
}

/* ---- both ---- */

static axis find_axis(const convex_core *first, const convex_core *second, const double between[2], double limit)
{
  const double back[2] = {-between[0], -between[1]};
  axis best = {.separation = -INFINITY};
  try_axes(first, second, between, 0, limit, &best);
  if (best.separation <= limit) try_axes(second, first, back, 1, limit, &best);
  return best;
}

static bool are_apart(const axis *best, const double between[2])
{
  return best->separation > apart_at_least * (fabs(between[0]) + fabs(between[1]));
}

int32_t convex_rows(const convex_core *first, const convex_core *second, const double between[2], double reach,
                    convex_row rows[CONVEX_ROWS])
{
  const double limit = reach + first->rounding + second->rounding;
  const axis best = find_axis(first, second, between, limit);
  if (best.separation > limit) return 0;
  if (are_apart(&best, between)) return rows_apart(first, second, between, reach, &best, rows);
  const bool turned = best.owner == 1;
  axis_view view = {.own = turned ? second : first,
                    .other = turned ? first : second,
                    .way = {turned ? -between[0] : between[0], turned ? -between[1] : between[1]},
                    .at = &best,
                    .reach = reach,
                    .rows = rows};
  rows_behind(&view);
  return view.count;
}

double convex_least(const convex_row *rows, int32_t count)
{
  double least = INFINITY;
  for (int32_t k = 0; k < convex_kept(count); k++) least = fmin(least, rows[k].distance);
  return least;
}
