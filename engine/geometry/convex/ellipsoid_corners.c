/*
 * Ellipses and ellipsoids against what has corners. See ellipsoid.h.
 *
 * Each corner, edge and side gives a direction n. Whatever n is, the cores are apart by at least how far all
 * corners are along it, less the ellipsoid's reach: so the first that says more than rows reach ends the search,
 * and where none says more than 0, the greatest is the least way apart.
 */
#include "geometry/convex/ellipsoid.h"

#include "geometry/convex/reach_sum.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { CORNERS_MOST = POLYHEDRON_CORNERS, EDGES_MOST = POLYHEDRON_EDGES };

_Static_assert(CORNERS_MOST + EDGES_MOST + 2 <= CONVEX_ROWS,
               "a row for each corner and edge, and one or two faces");

static const double any_leaning = 2.0; /* a sine */

/* All about the ellipsoid's centre. */
typedef struct corner_view {
  reach_sum own; /* of a point, way is to be set */
  int32_t count;
  double (*corner)[3];
  double rounding, limit; /* of the cores' distance */
  double most;            /* of all directions so far, how far apart the cores are along it */
  convex_row best;        /* that direction */
  uint32_t beyond;        /* bits of corners that are none, being farther than the limit */
  convex_row *rows;
  int32_t found;
} corner_view;

static void begin_view(const ellipsoid_core *own, int32_t count, double (*corner)[3], double rounding, double reach,
                       convex_row *rows, corner_view *view)
{
  *view = (corner_view){.own = {.dimension = own->dimension, .sign = -1.0, .parts = 1, .vectors = own->dimension},
                        .count = count,
                        .corner = corner,
                        .rounding = rounding,
                        .limit = reach + rounding,
                        .most = -INFINITY,
                        .rows = rows};
  reach_sum_load(own->dimension, own->axis, view->own.vector[0]);
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
  reach_sum_support(&view->own, 0, n, row->first);
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
  const double apart = corners_along(view, n, &nearest) - reach_sum_support(&view->own, 0, n, point);
  if (!(apart > view->most)) return;
  view->most = apart;
  if (apart <= 0.0) set_row(view, apart, n, is_nearest ? on_other : view->corner[nearest], feature, &view->best);
}

static bool view_is_beyond(const corner_view *view, const double between[3])
{
  const double length = vector_length(between);
  double n[3], point[3];
  int32_t nearest;
  if (!(length > view->limit)) return false;
  for (int axis = 0; axis < 3; axis++) n[axis] = between[axis] / length;
  return corners_along(view, n, &nearest) - reach_sum_support(&view->own, 0, n, point) > view->limit;
}

/* enough: of the distance, that it need not be known better. */
static void try_corner(corner_view *view, int32_t k, double enough)
{
  reach_sum sum = view->own;
  double n[3];
  memcpy(sum.way, view->corner[k], sizeof sum.way);
  view->beyond |= 1u << k;
  if (reach_sum_is_beyond(&sum, enough)) {
    if (view->count == 1) view->most = INFINITY;
    return;
  }
  reach_sum_begin(&sum, n);
  const double distance = reach_sum_climb(&sum, enough, n);
  if (!(distance > enough)) view->beyond &= ~(1u << k);
  take_candidate(view, distance, n, view->corner[k], k, true);
}

/* Where the cores overlap, the least way apart that was found: that they do is known when features beyond reach
 * have been asked as well. */
static int32_t finish_view(corner_view *view)
{
  for (int32_t k = 0; k < view->count && view->most <= 0.0; k++)
    if (view->beyond >> k & 1u) try_corner(view, k, INFINITY);
  if (view->most > view->limit) return 0;
  if (view->most <= 0.0 && view->found < CONVEX_ROWS) view->rows[view->found++] = view->best;
  return view->found;
}

/* ---- in the plane ---- */

/* `outward` from the other core, from corner k to the next. */
static void try_side(corner_view *view, const double outward[2], int32_t k, int32_t next)
{
  const double n[3] = {-outward[0], -outward[1], 0.0};
  double foot[3], from[3], edge[3];
  const double height = reach_sum_support(&view->own, 0, n, foot),
               distance = vector_dot(n, view->corner[k]) - height;
  vector_add_scaled(foot, distance, n, foot);
  vector_difference(foot, view->corner[k], from);
  vector_difference(view->corner[next], view->corner[k], edge);
  const double along = vector_dot(edge, from);
  take_candidate(view, distance, n, foot, CONVEX_EDGE + k, along > 0.0 && along < vector_dot(edge, edge));
}

int32_t ellipsoid_plane_rows(const ellipsoid_core *first, const convex_core *second, const double between[3],
                             double reach, convex_row rows[CONVEX_ROWS])
{
  corner_view view;
  double corner[CONVEX_CORNERS][3];
  begin_view(first, second->count, corner, second->rounding, reach, rows, &view);
  for (int32_t k = 0; k < view.count; k++) {
    for (int axis = 0; axis < 2; axis++) corner[k][axis] = between[axis] + second->corner[k][axis];
    corner[k][2] = 0.0;
  }
  if (view_is_beyond(&view, between)) return 0;
  for (int32_t k = 0; k < view.count && view.most <= view.limit; k++) try_corner(&view, k, view.limit);
  for (int32_t k = 0; k < view.count && view.count > 1 && view.most <= view.limit; k++)
    try_side(&view, second->normal[k], k, k + 1 < view.count ? k + 1 : 0);
  const int32_t count = finish_view(&view);
  for (int32_t r = 0; r < count; r++)
    for (int axis = 0; axis < 2; axis++) rows[r].second[axis] -= between[axis];
  return count;
}

/* ---- in space ---- */

/* Of a polyhedron's features the first edge and the first face. */
typedef struct feature_base {
  int32_t edge, face;
} feature_base;

typedef struct hull_view {
  corner_view view;
  const polyhedron_core *hull;
  feature_base base;
  double allowed;             /* of an edge's direction */
  double side[3], side_reach; /* along the face's normal that has them farthest apart, from the ellipsoid */
  bool edge_is_beyond[EDGES_MOST];
} hull_view;

/* Is a point, seen along the face's normal, within the face? */
static bool is_within(const hull_view *all, int32_t f, const double p[3])
{
  const polyhedron *form = all->hull->form;
  const int32_t begin = form->begin[f], end = form->begin[f + 1];
  for (int32_t k = begin; k < end; k++) {
    const double *a = all->view.corner[form->loop[k]],
                 *b = all->view.corner[form->loop[k + 1 < end ? k + 1 : begin]];
    double edge[3], from[3], inwards[3];
    vector_difference(b, a, edge);
    vector_difference(p, a, from);
    vector_cross(all->hull->normal[f], edge, inwards);
    if (!(vector_dot(inwards, from) > 0.0)) return false;
  }
  return true;
}

static void try_faces(hull_view *all)
{
  corner_view *view = &all->view;
  const polyhedron *form = all->hull->form;
  double farthest = -INFINITY;
  for (int32_t f = 0; f < form->faces && view->most <= view->limit; f++) {
    const double *outward = all->hull->normal[f], n[3] = {-outward[0], -outward[1], -outward[2]};
    double foot[3];
    const double reach = reach_sum_support(&view->own, 0, n, foot),
                 distance = vector_dot(n, view->corner[form->loop[form->begin[f]]]) - reach;
    if (distance > farthest) {
      farthest = distance;
      memcpy(all->side, n, sizeof n);
      all->side_reach = reach;
    }
    if (distance <= 0.0 && distance <= view->most) continue; /* a way apart that is not the least */
    vector_add_scaled(foot, distance, n, foot);
    take_candidate(view, distance, n, foot, all->base.face + f, is_within(all, f, foot));
  }
}

/* Does the best face say that a corner is none? */
static bool is_behind(const hull_view *all, int32_t k)
{
  return all->hull->form->faces > 0 &&
         vector_dot(all->side, all->view.corner[k]) - all->side_reach > all->view.limit;
}

static void try_corners(hull_view *all)
{
  for (int32_t k = 0; k < all->view.count && all->view.most <= all->view.limit; k++) {
    if (is_behind(all, k))
      all->view.beyond |= 1u << k;
    else
      try_corner(&all->view, k, all->view.limit);
  }
}

/* Seen along the edge, the ellipsoid is an ellipse and the edge a point. */
static void try_edge(hull_view *all, int32_t e, double enough)
{
  corner_view *view = &all->view;
  const polyhedron_edge *edge = &all->hull->form->edge[e];
  double along[3], across[2][3], flat[3], n[3] = {0.0}, foot[3], rest[3];
  vector_difference(view->corner[edge->to], view->corner[edge->from], along);
  const double whole = vector_dot(along, along), length = sqrt(whole);
  const double unit[3] = {along[0] / length, along[1] / length, along[2] / length};
  reach_sum_tangents(&view->own, unit, across);
  reach_sum seen = {.dimension = 2, .sign = -1.0, .parts = 1, .vectors = view->own.vectors};
  for (int axis = 0; axis < 2; axis++) {
    seen.way[axis] = vector_dot(across[axis], view->corner[edge->from]);
    for (int k = 0; k < 3; k++) seen.vector[0][k][axis] = vector_dot(across[axis], view->own.vector[0][k]);
  }
  all->edge_is_beyond[e] = true;
  if (reach_sum_is_beyond(&seen, enough)) {
    if (view->count == 2) view->most = INFINITY; /* of a triangle one edge says nothing of the others */
    return;
  }
  reach_sum_begin(&seen, flat);
  const double distance = reach_sum_climb(&seen, enough, flat);
  all->edge_is_beyond[e] = distance > enough;
  for (int axis = 0; axis < 2; axis++) vector_add_scaled(n, flat[axis], across[axis], n);
  reach_sum_support(&view->own, 0, n, foot);
  vector_add_scaled(foot, distance, n, foot);
  vector_difference(foot, view->corner[edge->from], rest);
  const double part = vector_dot(rest, along), back[3] = {-n[0], -n[1], -n[2]};
  const bool leads_out = polyhedron_leaning(all->hull, e, along, back) <= all->allowed;
  take_candidate(view, distance, n, foot, all->base.edge + e, leads_out && part > 0.0 && part < whole);
}

static void try_edges(hull_view *all)
{
  for (int32_t e = 0; e < all->hull->form->edges && all->view.most <= all->view.limit; e++) {
    const polyhedron_edge *edge = &all->hull->form->edge[e];
    all->edge_is_beyond[e] = is_behind(all, edge->from) && is_behind(all, edge->to);
    if (!all->edge_is_beyond[e]) try_edge(all, e, all->view.limit);
  }
}

/* As finish_view(). */
static int32_t finish_hull_view(hull_view *all)
{
  for (int32_t e = 0; e < all->hull->form->edges && all->view.most <= 0.0; e++)
    if (all->edge_is_beyond[e]) try_edge(all, e, INFINITY);
  return finish_view(&all->view);
}

static int32_t hull_rows(const ellipsoid_core *first, const polyhedron_core *second, feature_base base,
                         double allowed, const double between[3], double reach, convex_row *rows)
{
  hull_view all;
  double corner[CORNERS_MOST][3];
  all.hull = second;
  all.base = base;
  all.allowed = allowed;
  begin_view(first, second->form->corners, corner, second->rounding, reach, rows, &all.view);
  for (int32_t k = 0; k < all.view.count; k++) vector_add_scaled(second->corner[k], 1.0, between, corner[k]);
  if (view_is_beyond(&all.view, between)) return 0;
  try_faces(&all);
  try_corners(&all);
  try_edges(&all);
  if (all.view.most > all.view.limit) return 0;
  const int32_t count = finish_hull_view(&all);
  for (int32_t r = 0; r < count; r++) vector_difference(rows[r].second, between, rows[r].second);
  return count;
}

int32_t ellipsoid_solid_rows(const ellipsoid_core *first, const solid_core *second, const double between[3],
                             double reach, convex_row rows[CONVEX_ROWS])
{
  double normal[2][3];
  const polyhedron_core hull = polyhedron_of_solid(second, normal);
  return hull_rows(first, &hull, (feature_base){CONVEX_EDGE, SOLID_FACE}, any_leaning, between, reach, rows);
}

int32_t ellipsoid_polyhedron_rows(const ellipsoid_core *first, const polyhedron_core *second,
                                  const double between[3], double reach, convex_row rows[CONVEX_ROWS])
{
  double longest = 0.0;
  for (int k = 0; k < 3; k++) longest = fmax(longest, vector_length(first->axis + 3 * k));
  return hull_rows(first, second, (feature_base){POLYHEDRON_EDGE, POLYHEDRON_FACE},
                   polyhedron_leaning_allowed(reach, longest + polyhedron_size(second)), between, reach, rows);
}
