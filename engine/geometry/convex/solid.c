/*
 * Rounded convex shapes in space. See solid.h.
 */
#include "geometry/convex/solid.h"

#include "geometry/convex/nearest.h"
#include "geometry/vector.h"

#include <string.h>

static const double met = 1e-13;      /* over the size of both cores: nearer, they have no direction between them */
static const double parallel = 1e-16; /* square of the sine of two edges' angle: less has no direction across */
static const double beside = 1e-12;   /* over the size: a corner that far on the other side is on this one */

typedef struct solid_pair {
  const solid_core *first, *second;
  const double *between;
  double size, rounding, reach;
  convex_row *rows;
  int32_t count;
  bool meets; /* a corner lies on the other core */
} solid_pair;

/* ---- nearest points ---- */

static int32_t edge_count(const solid_core *core)
{
  return core->count == 3 ? 3 : core->count - 1;
}

static const double *edge_end(const solid_core *core, int32_t edge)
{
  return core->corner[edge + 1 < core->count ? edge + 1 : 0];
}

static void face_of(const solid_core *core, double face[3])
{
  double a[3], b[3];
  vector_difference(core->corner[1], core->corner[0], a);
  vector_difference(core->corner[2], core->corner[0], b);
  vector_cross(a, b, face);
  const double length = vector_length(face);
  for (int k = 0; k < 3; k++) face[k] /= length;
}

/* Is the point, seen along the face's normal, within the triangle? */
static bool is_within(const solid_core *core, const double face[3], const double p[3])
{
  bool inside = true;
  for (int32_t k = 0; k < 3; k++) {
    double edge[3], from[3], inwards[3];
    vector_difference(edge_end(core, k), core->corner[k], edge);
    vector_difference(p, core->corner[k], from);
    vector_cross(face, edge, inwards);
    inside &= vector_dot(inwards, from) > 0.0;
  }
  return inside;
}

/* p: about the core's centre. */
static core_nearest nearest_point(const solid_core *core, const double p[3])
{
  core_nearest best = {.square = INFINITY};
  if (core->count == 3) {
    double face[3], from[3], point[3];
    face_of(core, face);
    vector_difference(p, core->corner[0], from);
    vector_add_scaled(p, -vector_dot(face, from), face, point);
    if (is_within(core, face, p)) {
      core_keep_nearer(p, point, SOLID_FACE, &best);
      return best;
    }
  }
  for (int32_t k = 0; k < core->count; k++) core_keep_nearer(p, core->corner[k], k, &best);
  for (int32_t k = 0; k < edge_count(core); k++) {
    double edge[3], from[3], point[3];
    vector_difference(edge_end(core, k), core->corner[k], edge);
    vector_difference(p, core->corner[k], from);
    const double along = vector_dot(from, edge), whole = vector_dot(edge, edge);
    if (!(along > 0.0 && along < whole)) continue;
    vector_add_scaled(core->corner[k], along / whole, edge, point);
    core_keep_nearer(p, point, CONVEX_EDGE + k, &best);
  }
  return best;
}

/* ---- rows ---- */

/* Points of the cores, about the first's centre. normal: from the first to the second. */
static void add_row(solid_pair *pair, double distance, const double normal[3], const double on_first[3],
                    const double on_second[3], int32_t first_feature, int32_t second_feature)
{
  if (!(distance - pair->rounding <= pair->reach) || pair->count == CONVEX_ROWS) return;
  for (int32_t r = 0; r < pair->count; r++) /* corner against corner, from the other side */
    if (pair->rows[r].feature[0] == first_feature && pair->rows[r].feature[1] == second_feature) return;
  convex_row *row = &pair->rows[pair->count++];
  *row = (convex_row){.distance = distance - pair->rounding, .feature = {first_feature, second_feature}};
  for (int k = 0; k < 3; k++) {
    row->normal[k] = normal[k];
    row->first[k] = on_first[k] + normal[k] * pair->first->rounding;
    row->second[k] = on_second[k] - pair->between[k] - normal[k] * pair->second->rounding;
  }
}

static void add_corners_of_first(solid_pair *pair)
{
  for (int32_t k = 0; k < pair->first->count; k++) {
    const double *p = pair->first->corner[k];
    double about[3], point[3], normal[3];
    vector_difference(p, pair->between, about);
    const core_nearest at = nearest_point(pair->second, about);
    const double distance = sqrt(at.square);
    if (!(distance > met * pair->size)) {
      pair->meets = true;
      continue;
    }
    for (int a = 0; a < 3; a++) {
      point[a] = at.point[a] + pair->between[a];
      normal[a] = -at.way[a] / distance;
    }
    add_row(pair, distance, normal, p, point, k, at.feature);
  }
}

static void add_corners_of_second(solid_pair *pair)
{
  for (int32_t k = 0; k < pair->second->count; k++) {
    double q[3], normal[3];
    vector_add_scaled(pair->second->corner[k], 1.0, pair->between, q);
    const core_nearest at = nearest_point(pair->first, q);
    const double distance = sqrt(at.square);
    if (!(distance > met * pair->size)) {
      pair->meets = true;
      continue;
    }
    for (int a = 0; a < 3; a++) normal[a] = at.way[a] / distance;
    add_row(pair, distance, normal, at.point, q, at.feature, k);
  }
}

/* Is the core on the side of the edge's point to which the direction leads? */
static bool is_beyond(const solid_core *core, const double shift[3], const double point[3], const double way[3],
                      double margin)
{
  for (int32_t k = 0; k < core->count; k++) {
    double from[3];
    vector_add_scaled(core->corner[k], 1.0, shift, from);
    vector_difference(from, point, from);
    if (vector_dot(way, from) < -margin) return false;
  }
  return true;
}

/* Lines p + s u and q + t v, by the crossing c = u x v: along it they are apart. */
static void add_edges(solid_pair *pair, int32_t e, int32_t f)
{
  static const double nowhere[3] = {0.0, 0.0, 0.0};
  const solid_core *first = pair->first, *second = pair->second;
  const double *p = first->corner[e];
  double u[3], v[3], q[3], w[3], c[3], part[3], on_first[3], on_second[3], normal[3], back[3];
  vector_difference(edge_end(first, e), p, u);
  vector_difference(edge_end(second, f), second->corner[f], v);
  vector_add_scaled(second->corner[f], 1.0, pair->between, q);
  vector_difference(q, p, w);
  vector_cross(u, v, c);
  const double square = vector_dot(c, c);
  if (!(square > parallel * vector_dot(u, u) * vector_dot(v, v))) return;
  vector_cross(w, v, part);
  const double s = vector_dot(part, c) / square;
  vector_cross(w, u, part);
  const double t = vector_dot(part, c) / square;
  if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) return;
  vector_add_scaled(p, s, u, on_first);
  vector_add_scaled(q, t, v, on_second);
  vector_difference(on_second, on_first, w);
  const double length = sqrt(square), along = vector_dot(c, w) / length;
  double sign = along < 0.0 ? -1.0 : 1.0;
  if (!(fabs(along) > met * pair->size)) sign = vector_dot(c, pair->between) < 0.0 ? -1.0 : 1.0;
  for (int k = 0; k < 3; k++) {
    normal[k] = sign * c[k] / length;
    back[k] = -normal[k];
  }
  if (!is_beyond(second, pair->between, on_second, normal, beside * pair->size)) return;
  if (!is_beyond(first, nowhere, on_first, back, beside * pair->size)) return;
  add_row(pair, sign * along, normal, on_first, on_second, CONVEX_EDGE + e, CONVEX_EDGE + f);
}

/* ---- cores that meet ---- */

/* A triangle that the other core goes through: it is to come out on the side of its centre. `owner` 0: the triangle
 * is the first. */
static bool add_pierced(solid_pair *pair, int owner)
{
  const solid_core *flat = owner == 0 ? pair->first : pair->second,
                   *other = owner == 0 ? pair->second : pair->first;
  double face[3], height[3], shift[3], center[3];
  if (flat->count != 3 || other->count != 2) return false;
  for (int k = 0; k < 3; k++) shift[k] = owner == 0 ? pair->between[k] : -pair->between[k];
  face_of(flat, face);
  for (int32_t k = 0; k < 2; k++) {
    vector_add_scaled(other->corner[k], 1.0, shift, center);
    vector_difference(center, flat->corner[0], center);
    height[k] = vector_dot(face, center);
  }
  if (!((height[0] < 0.0 && height[1] > 0.0) || (height[0] > 0.0 && height[1] < 0.0))) return false;
  const double part = height[0] / (height[0] - height[1]);
  for (int k = 0; k < 3; k++)
    center[k] = other->corner[0][k] + part * (other->corner[1][k] - other->corner[0][k]) + shift[k];
  if (!is_within(flat, face, center)) return false;
  vector_difference(shift, flat->corner[0], center);
  const double side = vector_dot(face, center) < 0.0 ? -1.0 : 1.0; /* of the other's centre */
  const int32_t deepest = side * height[0] <= side * height[1] ? 0 : 1;
  double normal[3], corner[3], point[3];
  vector_add_scaled(other->corner[deepest], 1.0, shift, corner);
  vector_add_scaled(corner, -height[deepest], face, point);
  for (int k = 0; k < 3; k++) {
    normal[k] = (owner == 0 ? side : -side) * face[k];
    if (owner == 0) continue;
    corner[k] += pair->between[k];
    point[k] += pair->between[k];
  }
  if (owner == 0)
    add_row(pair, side * height[deepest], normal, point, corner, SOLID_FACE, deepest);
  else
    add_row(pair, side * height[deepest], normal, corner, point, deepest, SOLID_FACE);
  return true;
}

/* A corner lies on the other core, and no pair of edges has a direction across: that across one, to the other. */
static void add_met(solid_pair *pair)
{
  const bool by_first = pair->first->count > 1;
  const solid_core *core = by_first ? pair->first : pair->second;
  const double *n = pair->between;
  double along[3], normal[3];
  vector_difference(core->corner[1], core->corner[0], along);
  const double square = vector_dot(along, along);
  vector_add_scaled(n, -vector_dot(n, along) / square, along, normal);
  if (!(vector_length(normal) > 1e-9 * pair->size)) {
    const int least = fabs(along[0]) <= fabs(along[1]) && fabs(along[0]) <= fabs(along[2]) ? 0
                      : fabs(along[1]) <= fabs(along[2])                                   ? 1
                                                                                           : 2;
    double unit[3] = {0.0, 0.0, 0.0};
    unit[least] = 1.0;
    vector_cross(along, unit, normal);
  }
  const double length = vector_length(normal);
  for (int k = 0; k < 3; k++) normal[k] /= length;
  double nearest[3], place[3];
  vector_add_scaled(pair->second->corner[0], 1.0, n, place);
  const core_nearest at = nearest_point(pair->first, place);
  for (int k = 0; k < 3; k++) nearest[k] = 0.5 * (at.point[k] + place[k]);
  add_row(pair, 0.0, normal, nearest, nearest, at.feature, 0);
}

/* ---- all ---- */

static double size_of(const solid_core *core)
{
  double greatest = 0.0;
  for (int32_t k = 0; k < core->count; k++) greatest = fmax(greatest, vector_length(core->corner[k]));
  return greatest;
}

int32_t solid_rows(const solid_core *first, const solid_core *second, const double between[3], double reach,
                   convex_row rows[CONVEX_ROWS])
{
  const double size = size_of(first) + size_of(second), rounding = first->rounding + second->rounding;
  solid_pair pair = {first, second, between, size, rounding, reach, rows, 0, false};
  if (add_pierced(&pair, 0) || add_pierced(&pair, 1)) return pair.count;
  add_corners_of_first(&pair);
  add_corners_of_second(&pair);
  for (int32_t e = 0; e < edge_count(first); e++)
    for (int32_t f = 0; f < edge_count(second); f++) add_edges(&pair, e, f);
  bool known = !pair.meets;
  for (int32_t r = 0; r < pair.count; r++) known |= rows[r].distance <= met * size - rounding;
  if (!known) add_met(&pair);
  return pair.count;
}
