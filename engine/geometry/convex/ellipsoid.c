/*
 * Ellipses and ellipsoids. See ellipsoid.h.
 */
#include "geometry/convex/ellipsoid.h"

#include "geometry/vector.h"

#include <string.h>

enum { STEPS_MOST = 60, HALVINGS_MOST = 30, HOLLOW_STARTS = 3 };

static const double sure = 1e-3;    /* a step of Newton's by less than that is taken as it is */
static const double settled = 1e-8; /* after one by less than that its error is below rounding */
static const double definite = 1e-6;
static const double longest = 0.5;   /* of a step, as a tangent */
static const double same_end = 1e-9; /* one less the cosine of two normals */

/* n . way + sign sum |V n|, over unit vectors n. */
typedef struct reach_sum {
  int32_t dimension; /* 2: all third components are 0 */
  double way[3];
  double sign;
  int32_t parts;
  int32_t vectors; /* of each */
  double vector[2][3][3];
} reach_sum;

static void load(const ellipsoid_core *core, double vector[3][3])
{
  const int32_t n = core->dimension;
  for (int k = 0; k < 3; k++)
    for (int axis = 0; axis < 3; axis++) vector[k][axis] = k < n && axis < n ? core->axis[k * n + axis] : 0.0;
}

/* h(n), and the point there. */
static double part_support(const reach_sum *sum, int32_t part, const double n[3], double point[3])
{
  double along[3] = {0.0, 0.0, 0.0}, square = 0.0;
  for (int32_t k = 0; k < sum->vectors; k++) {
    along[k] = vector_dot(sum->vector[part][k], n);
    square += along[k] * along[k];
  }
  const double height = sqrt(square);
  for (int axis = 0; axis < 3; axis++) point[axis] = 0.0;
  for (int32_t k = 0; k < sum->vectors && height > 0.0; k++)
    vector_add_scaled(point, along[k] / height, sum->vector[part][k], point);
  return height;
}

/* f(n), and its gradient in space. */
static double value_at(const reach_sum *sum, const double n[3], double gradient[3])
{
  memcpy(gradient, sum->way, sizeof sum->way);
  double value = vector_dot(n, sum->way);
  for (int32_t part = 0; part < sum->parts; part++) {
    double point[3];
    value += sum->sign * part_support(sum, part, n, point);
    vector_add_scaled(gradient, sum->sign, point, gradient);
  }
  return value;
}

/* Two tangents to the sphere; in the plane one, the other is 0. */
static void tangents_at(const reach_sum *sum, const double n[3], double tangent[2][3])
{
  if (sum->dimension == 2) {
    const double along[3] = {-n[1], n[0], 0.0};
    memcpy(tangent[0], along, sizeof along);
    for (int axis = 0; axis < 3; axis++) tangent[1][axis] = 0.0;
    return;
  }
  const int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
  double unit[3] = {0.0, 0.0, 0.0};
  unit[least] = 1.0;
  vector_cross(n, unit, tangent[0]);
  const double length = vector_length(tangent[0]);
  for (int axis = 0; axis < 3; axis++) tangent[0][axis] /= length;
  vector_cross(n, tangent[0], tangent[1]);
}

/* Minus the Hessian of f on the sphere: aa, ab, bb by the tangents. */
static void curvature_at(const reach_sum *sum, const double n[3], double tangent[2][3], double value, double m[3])
{
  m[0] = m[2] = value;
  m[1] = 0.0;
  for (int32_t part = 0; part < sum->parts; part++) {
    double point[3];
    const double height = part_support(sum, part, n, point);
    if (!(height > 0.0)) continue;
    const double p = vector_dot(point, tangent[0]), q = vector_dot(point, tangent[1]);
    double radii[3] = {-p * p, -p * q, -q * q};
    for (int32_t k = 0; k < sum->vectors; k++) {
      const double a = vector_dot(sum->vector[part][k], tangent[0]),
                   b = vector_dot(sum->vector[part][k], tangent[1]);
      radii[0] += a * a;
      radii[1] += a * b;
      radii[2] += b * b;
    }
    for (int k = 0; k < 3; k++) m[k] -= sum->sign * radii[k] / height;
  }
}

/* Newton's step along the tangents: m^-1 g, where m is definite; else of a matrix that is more so. */
static bool newton_step(const double given[3], const double slope[2], int32_t dimension, double step[2])
{
  double m[3] = {given[0], given[1], dimension == 2 ? 1.0 : given[2]};
  const double size = fabs(m[0]) + fabs(m[2]) + 2.0 * fabs(m[1]);
  const double half = 0.5 * (m[0] - m[2]),
               least = dimension == 2 ? m[0] : 0.5 * (m[0] + m[2]) - sqrt(half * half + m[1] * m[1]);
  const bool is_definite = least > definite * size;
  if (!is_definite) {
    const double more = fabs(least) + 0.1 * size;
    m[0] += more;
    m[2] += dimension == 2 ? 0.0 : more;
  }
  const double determinant = m[0] * m[2] - m[1] * m[1];
  step[0] = (m[2] * slope[0] - m[1] * slope[1]) / determinant;
  step[1] = (m[0] * slope[1] - m[1] * slope[0]) / determinant;
  return is_definite;
}

static void turn_along(const double n[3], double tangent[2][3], const double step[2], double factor,
                       double result[3])
{
  vector_add_scaled(n, factor * step[0], tangent[0], result);
  vector_add_scaled(result, factor * step[1], tangent[1], result);
  const double length = vector_length(result);
  for (int axis = 0; axis < 3; axis++) result[axis] /= length;
}

/* Moves n uphill to a maximum of f, which it returns. */
static double climb(const reach_sum *sum, double n[3])
{
  double gradient[3], value = value_at(sum, n, gradient);
  for (int round = 0; round < STEPS_MOST; round++) {
    double tangent[2][3], m[3], step[2], next[3], next_gradient[3];
    tangents_at(sum, n, tangent);
    curvature_at(sum, n, tangent, value, m);
    const double slope[2] = {vector_dot(gradient, tangent[0]), vector_dot(gradient, tangent[1])};
    const bool is_definite = newton_step(m, slope, sum->dimension, step);
    double length = sqrt(step[0] * step[0] + step[1] * step[1]), factor = length > longest ? longest / length : 1.0;
    if (is_definite && length < sure) {
      turn_along(n, tangent, step, 1.0, n);
      value = value_at(sum, n, gradient);
      if (length < settled) break;
      continue;
    }
    bool grows = false;
    for (int half = 0; half < HALVINGS_MOST && !grows && length > 0.0; half++, factor *= 0.5) {
      turn_along(n, tangent, step, factor, next);
      const double found = value_at(sum, next, next_gradient);
      if (!(found > value)) continue;
      grows = true;
      value = found;
      memcpy(n, next, sizeof next);
      memcpy(gradient, next_gradient, sizeof next_gradient);
    }
    if (!grows) break;
  }
  return value;
}

/* adj(sum V V^T) way, or some direction. Of the plane the third is 0. */
static void begin_at(const reach_sum *sum, double n[3])
{
  double q[3][3] = {{0.0}}, column[3];
  for (int32_t part = 0; part < sum->parts; part++)
    for (int32_t k = 0; k < sum->vectors; k++)
      for (int a = 0; a < 3; a++) vector_add_scaled(q[a], sum->vector[part][k][a], sum->vector[part][k], q[a]);
  if (sum->dimension == 2) q[2][2] = 1.0;
  for (int a = 0; a < 3; a++) { /* rows of the adjugate are crosses of the others, for it is symmetric */
    vector_cross(q[(a + 1) % 3], q[(a + 2) % 3], column);
    n[a] = vector_dot(column, sum->way);
  }
  const double length = vector_length(n);
  if (length > 0.0) {
    for (int a = 0; a < 3; a++) n[a] /= length;
    return;
  }
  const double *least = sum->vector[0][0]; /* centres that are the same: along the shortest axis */
  for (int32_t k = 1; k < sum->vectors; k++)
    if (vector_dot(sum->vector[0][k], sum->vector[0][k]) < vector_dot(least, least)) least = sum->vector[0][k];
  const double whole = vector_length(least);
  for (int a = 0; a < 3; a++) n[a] = whole > 0.0 ? least[a] / whole : a == 0;
}

double ellipsoid_support(const ellipsoid_core *core, const double n[3], double point[3])
{
  reach_sum own = {.vectors = core->dimension, .parts = 1};
  load(core, own.vector[0]);
  return part_support(&own, 0, n, point);
}

/* Can n as it is say that the two are farther apart than that? It is a lower bound. */
static bool is_beyond(const reach_sum *sum, double limit)
{
  const double length = vector_length(sum->way);
  double n[3], gradient[3];
  if (!(length > limit)) return false;
  for (int axis = 0; axis < 3; axis++) n[axis] = sum->way[axis] / length;
  return value_at(sum, n, gradient) > limit;
}

int32_t ellipsoid_rows(const ellipsoid_core *first, const ellipsoid_core *second, const double between[3],
                       double reach, convex_row rows[CONVEX_ROWS])
{
  reach_sum sum = {.dimension = first->dimension, .sign = -1.0, .parts = 2, .vectors = first->dimension};
  for (int axis = 0; axis < first->dimension; axis++) sum.way[axis] = between[axis];
  load(first, sum.vector[0]);
  load(second, sum.vector[1]);
  if (is_beyond(&sum, reach)) return 0;
  convex_row *row = &rows[0];
  *row = (convex_row){.feature = {ELLIPSOID_SIDE, ELLIPSOID_SIDE}};
  begin_at(&sum, row->normal);
  row->distance = climb(&sum, row->normal);
  if (!(row->distance <= reach)) return 0;
  part_support(&sum, 0, row->normal, row->first);
  part_support(&sum, 1, row->normal, row->second);
  for (int axis = 0; axis < 3; axis++) row->second[axis] = -row->second[axis];
  return 1;
}

/* ---- against corners ---- */

/* All about the ellipsoid's centre. */
typedef struct corner_view {
  reach_sum own; /* of a point, way is to be set */
  int32_t count;
  double corner[CONVEX_CORNERS][3];
  double rounding, limit; /* of the cores' distance */
  double most;            /* of all candidates, the greatest distance along its normal */
  uint32_t beyond;        /* bits of corners that are none, being farther than the limit */
  convex_row best;
  convex_row *rows;
  int32_t found;
} corner_view;

static void begin_view(const ellipsoid_core *own, int32_t count, double rounding, double reach, convex_row *rows,
                       corner_view *view)
{
  *view = (corner_view){.own = {.dimension = own->dimension, .sign = -1.0, .parts = 1, .vectors = own->dimension},
                        .count = count,
                        .rounding = rounding,
                        .limit = reach + rounding,
                        .most = -INFINITY,
                        .rows = rows};
  load(own, view->own.vector[0]);
}

/* How far all corners are along a normal; the nearest. */
static double corners_along(const corner_view *view, const double n[3], int32_t *nearest)
{
  double least = INFINITY;
  *nearest = 0;
  for (int32_t k = 0; k < view->count; k++) {
    const double along = vector_dot(n, view->corner[k]);
    if (!(along < least)) continue;
    least = along;
    *nearest = k;
  }
  return least;
}

static void set_row(const corner_view *view, double distance, const double n[3], const double on_other[3],
                    int32_t feature, convex_row *row)
{
  *row = (convex_row){.distance = distance - view->rounding, .feature = {ELLIPSOID_SIDE, feature}};
  memcpy(row->normal, n, sizeof row->normal);
  part_support(&view->own, 0, n, row->first);
  vector_add_scaled(on_other, -view->rounding, n, row->second);
}

/* A direction that a feature gives. is_nearest: between its nearest points the cores are `distance` apart along n.
 * That is a row where it is above 0; as a way apart each counts for what all corners say. */
static void take_candidate(corner_view *view, double distance, const double n[3], const double on_other[3],
                           int32_t feature, bool is_nearest)
{
  double point[3];
  int32_t nearest;
  if (is_nearest && distance > 0.0 && distance <= view->limit && view->found < CONVEX_ROWS)
    set_row(view, distance, n, on_other, feature, &view->rows[view->found++]);
  const double apart = corners_along(view, n, &nearest) - part_support(&view->own, 0, n, point);
  if (!(apart > view->most)) return;
  view->most = apart;
  set_row(view, apart, n, is_nearest ? on_other : view->corner[nearest], feature, &view->best);
}

static bool view_is_beyond(const corner_view *view, const double between[3])
{
  const double length = vector_length(between);
  double n[3], point[3];
  int32_t nearest;
  if (!(length > view->limit)) return false;
  for (int axis = 0; axis < 3; axis++) n[axis] = between[axis] / length;
  return corners_along(view, n, &nearest) - part_support(&view->own, 0, n, point) > view->limit;
}

static void try_corner(corner_view *view, int32_t k, bool beyond_too)
{
  reach_sum sum = view->own;
  double n[3];
  memcpy(sum.way, view->corner[k], sizeof sum.way);
  if (!beyond_too && is_beyond(&sum, view->limit)) {
    view->beyond |= 1u << k;
    return;
  }
  begin_at(&sum, n);
  const double distance = climb(&sum, n);
  take_candidate(view, distance, n, view->corner[k], k, true);
}

/* Where the cores overlap, the least way apart that was found; that they do is known when corners beyond reach have
 * been asked as well. */
static int32_t finish_view(corner_view *view)
{
  for (int32_t k = 0; k < view->count && view->most <= 0.0; k++)
    if (view->beyond >> k & 1u) try_corner(view, k, true);
  if (view->most > -INFINITY && view->most <= 0.0 && view->most <= view->limit && view->found < CONVEX_ROWS)
    view->rows[view->found++] = view->best;
  return view->found;
}

/* A side: `outward` from the other core, whose corner `first` lies on it. A foot is within where inwards . (foot -
 * corner) is above 0 and below `whole`, for each of `count` pairs of these. */
typedef struct side_bounds {
  int count;
  double inwards[3][3], whole[3];
  int32_t corner[3];
} side_bounds;

static void try_side(corner_view *view, const double outward[3], int32_t first, const side_bounds *bounds,
                     int32_t feature)
{
  double n[3], foot[3];
  for (int axis = 0; axis < 3; axis++) n[axis] = -outward[axis];
  const double height = part_support(&view->own, 0, n, foot),
               distance = vector_dot(n, view->corner[first]) - height;
  if (distance > view->limit) {
    view->most = INFINITY;
    return;
  }
  vector_add_scaled(foot, distance, n, foot);
  bool inside = true;
  for (int k = 0; k < bounds->count; k++) {
    double from[3];
    vector_difference(foot, view->corner[bounds->corner[k]], from);
    const double along = vector_dot(bounds->inwards[k], from);
    inside &= along > 0.0 && along < bounds->whole[k];
  }
  take_candidate(view, distance, n, foot, feature, inside);
}

int32_t ellipsoid_plane_rows(const ellipsoid_core *first, const convex_core *second, const double between[3],
                             double reach, convex_row rows[CONVEX_ROWS])
{
  corner_view view;
  begin_view(first, second->count, second->rounding, reach, rows, &view);
  for (int32_t k = 0; k < view.count; k++)
    for (int axis = 0; axis < 2; axis++) view.corner[k][axis] = between[axis] + second->corner[k][axis];
  if (view_is_beyond(&view, between)) return 0;
  for (int32_t k = 0; k < view.count; k++) try_corner(&view, k, false);
  for (int32_t k = 0; k < view.count && view.count > 1; k++) {
    const int32_t next = k + 1 < view.count ? k + 1 : 0;
    const double outward[3] = {second->normal[k][0], second->normal[k][1], 0.0};
    side_bounds bounds = {.count = 1, .corner = {k}};
    vector_difference(view.corner[next], view.corner[k], bounds.inwards[0]);
    bounds.whole[0] = vector_dot(bounds.inwards[0], bounds.inwards[0]);
    try_side(&view, outward, k, &bounds, CONVEX_EDGE + k);
  }
  const int32_t count = finish_view(&view);
  for (int32_t r = 0; r < count; r++)
    for (int axis = 0; axis < 2; axis++) rows[r].second[axis] -= between[axis];
  return count;
}

/* An edge: seen along it, the ellipsoid is an ellipse and the edge a point. */
static void try_edge(corner_view *view, int32_t from, int32_t to, int32_t feature)
{
  double along[3], across[2][3], n[3] = {0.0}, foot[3], rest[3];
  vector_difference(view->corner[to], view->corner[from], along);
  const double whole = vector_dot(along, along), length = sqrt(whole);
  const double unit[3] = {along[0] / length, along[1] / length, along[2] / length};
  tangents_at(&view->own, unit, across);
  reach_sum seen = {.dimension = 2, .sign = -1.0, .parts = 1, .vectors = view->own.vectors};
  for (int axis = 0; axis < 2; axis++) {
    seen.way[axis] = vector_dot(across[axis], view->corner[from]);
    for (int k = 0; k < 3; k++) seen.vector[0][k][axis] = vector_dot(across[axis], view->own.vector[0][k]);
  }
  if (is_beyond(&seen, view->limit)) {
    view->most = INFINITY;
    return;
  }
  double flat[3];
  begin_at(&seen, flat);
  const double distance = climb(&seen, flat);
  for (int axis = 0; axis < 2; axis++) vector_add_scaled(n, flat[axis], across[axis], n);
  part_support(&view->own, 0, n, foot);
  vector_add_scaled(foot, distance, n, foot);
  vector_difference(foot, view->corner[from], rest);
  const double part = vector_dot(rest, along);
  take_candidate(view, distance, n, foot, feature, part > 0.0 && part < whole);
}

static void try_face(corner_view *view)
{
  double edge[3][3], face[3];
  for (int k = 0; k < 3; k++) vector_difference(view->corner[(k + 1) % 3], view->corner[k], edge[k]);
  vector_cross(edge[0], edge[1], face);
  const double length = vector_length(face);
  side_bounds bounds = {.count = 3, .corner = {0, 1, 2}, .whole = {INFINITY, INFINITY, INFINITY}};
  for (int k = 0; k < 3; k++) {
    face[k] /= length;
  }
  for (int k = 0; k < 3; k++) vector_cross(face, edge[k], bounds.inwards[k]);
  for (int side = 0; side < 2; side++) {
    try_side(view, face, 0, &bounds, SOLID_FACE);
    for (int k = 0; k < 3; k++) face[k] = -face[k];
  }
}

int32_t ellipsoid_solid_rows(const ellipsoid_core *first, const solid_core *second, const double between[3],
                             double reach, convex_row rows[CONVEX_ROWS])
{
  corner_view view;
  begin_view(first, second->count, second->rounding, reach, rows, &view);
  for (int32_t k = 0; k < view.count; k++) vector_add_scaled(second->corner[k], 1.0, between, view.corner[k]);
  if (view_is_beyond(&view, between)) return 0;
  for (int32_t k = 0; k < view.count; k++) try_corner(&view, k, false);
  for (int32_t k = 0; k < (view.count == 3 ? 3 : view.count - 1); k++)
    try_edge(&view, k, k + 1 < view.count ? k + 1 : 0, CONVEX_EDGE + k);
  if (view.count == 3) try_face(&view);
  const int32_t count = finish_view(&view);
  for (int32_t r = 0; r < count; r++) vector_difference(rows[r].second, between, rows[r].second);
  return count;
}

/* ---- inside of a circle or ball ---- */

int32_t ellipsoid_hollow_rows(const ellipsoid_core *core, const double place[3], double radius, double reach,
                              convex_row rows[CONVEX_ROWS])
{
  reach_sum sum = {.dimension = core->dimension, .sign = 1.0, .parts = 1, .vectors = core->dimension};
  int32_t count = 0, longest_axis = 0;
  load(core, sum.vector[0]);
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
    const double distance = radius - climb(&sum, n);
    bool known = !(distance <= reach);
    for (int32_t r = 0; r < count && !known; r++) known = vector_dot(n, rows[r].normal) > 1.0 - same_end;
    if (known) continue;
    convex_row *row = &rows[count++];
    *row = (convex_row){.distance = distance, .feature = {ELLIPSOID_SIDE + start, 0}};
    memcpy(row->normal, n, sizeof row->normal);
    part_support(&sum, 0, n, row->first);
  }
  return count;
}
