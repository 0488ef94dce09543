/*
 * Rounded convex polyhedra in space. See polyhedron.h.
 */
#include "geometry/convex/polyhedron.h"

#include "geometry/convex/nearest.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

static const double parallel = 1e-16; /* square of the sine of two edges' angle: less has no direction across */
static const double apart = 1e-12;    /* over the size: a separation that is one */
static const double shallow = 1e-4; /* likewise: nearer than that, what has no rounding has rows of one direction */
static const double plainly = 1e-6; /* likewise: by so much two edges' direction is better than a face's then */
static const double least_leaning = 1e-6; /* sine; a direction leads out of both bodies if it does but for that */
static const double most_leaning = 0.1;

/* The best direction so far: normal from the first to the second, the cores' separation along it. */
typedef struct direction {
  double separation, normal[3];
  int32_t feature[2]; /* of the face, or of two edges; -1: the other has none */
} direction;

typedef struct hull_pair {
  const polyhedron_core *first, *second;
  const double *between;
  double size, rounding, reach;
  convex_row *rows;
  int32_t count, left_out;
} hull_pair;

/* ---- directions ---- */

/* Farthest of the corners along a direction. */
static double support(const polyhedron_core *core, const double n[3])
{
  double greatest = -INFINITY;
  for (int32_t k = 0; k < core->form->corners; k++) {
    const double along = vector_dot(n, core->corner[k]);
    greatest = along > greatest ? along : greatest;
  }
  return greatest;
}

static void try_direction(const hull_pair *pair, const double n[3], int32_t of_first, int32_t of_second,
                          direction *best)
{
  const double back[3] = {-n[0], -n[1], -n[2]};
  const double separation = vector_dot(n, pair->between) - support(pair->first, n) - support(pair->second, back);
  /* sides that lie on each other stay those of a face, however little they are turned */
  const bool by_face =
      of_first >= 0 && of_second >= 0 && pair->rounding == 0.0 && (best->feature[0] < 0 || best->feature[1] < 0);
  if (!(separation > best->separation + (by_face ? plainly * pair->size : 0.0))) return;
  *best = (direction){separation, {n[0], n[1], n[2]}, {of_first, of_second}};
}

static void try_faces(const hull_pair *pair, double limit, direction *best)
{
  for (int32_t f = 0; f < pair->first->form->faces && best->separation <= limit; f++)
    try_direction(pair, pair->first->normal[f], POLYHEDRON_FACE + f, -1, best);
  for (int32_t f = 0; f < pair->second->form->faces && best->separation <= limit; f++) {
    const double *own = pair->second->normal[f], n[3] = {-own[0], -own[1], -own[2]};
    try_direction(pair, n, -1, POLYHEDRON_FACE + f, best);
  }
}

static void edge_vector(const polyhedron_core *core, int32_t e, double along[3])
{
  const polyhedron_edge *edge = &core->form->edge[e];
  vector_difference(core->corner[edge->to], core->corner[edge->from], along);
}

double polyhedron_leaning(const polyhedron_core *core, int32_t e, const double along[3], const double n[3])
{
  const polyhedron_edge *edge = &core->form->edge[e];
  double product[3];
  if (core->form->faces == 0) return 0.0;
  const double *left = core->normal[edge->left], *right = core->normal[edge->right], length = vector_length(along);
  if (vector_dot(n, left) + vector_dot(n, right) < 0.0) return 1.0; /* it leads into the body */
  vector_cross(n, left, product);
  const double beyond_left = vector_dot(product, along) / length;
  vector_cross(right, n, product);
  return fmax(beyond_left, vector_dot(product, along) / length);
}

/* Two edges, and the direction across both that leads from the first body to the second. */
typedef struct crossing {
  double u[3], v[3], product[3], square;
  double normal[3];
} crossing;

/* false: they are parallel, or no direction across them leads out of both, but for a sine of `allowed`. */
static bool cross_edges(const hull_pair *pair, int32_t e, int32_t f, const double u[3], double allowed,
                        crossing *made)
{
  memcpy(made->u, u, sizeof made->u);
  edge_vector(pair->second, f, made->v);
  vector_cross(u, made->v, made->product);
  made->square = vector_dot(made->product, made->product);
  if (!(made->square > parallel * vector_dot(u, u) * vector_dot(made->v, made->v))) return false;
  const double length = sqrt(made->square);
  double worst[2], opposite[2][3];
  for (int side = 0; side < 2; side++) {
    double n[3], back[3];
    for (int k = 0; k < 3; k++) {
      n[k] = (side == 0 ? 1.0 : -1.0) * made->product[k] / length;
      back[k] = -n[k];
    }
    worst[side] =
        fmax(polyhedron_leaning(pair->first, e, u, n), polyhedron_leaning(pair->second, f, made->v, back));
    memcpy(opposite[side], n, sizeof n);
  }
  int side = worst[0] < worst[1] ? 0 : 1;
  if (worst[0] == worst[1]) side = vector_dot(opposite[0], pair->between) >= 0.0 ? 0 : 1;
  memcpy(made->normal, opposite[side], sizeof made->normal);
  return worst[side] <= allowed;
}

static void try_edges(const hull_pair *pair, double limit, direction *best)
{
  for (int32_t e = 0; e < pair->first->form->edges; e++) {
    double u[3];
    edge_vector(pair->first, e, u);
    for (int32_t f = 0; f < pair->second->form->edges && best->separation <= limit; f++) {
      crossing at;
      if (cross_edges(pair, e, f, u, least_leaning, &at))
        try_direction(pair, at.normal, POLYHEDRON_EDGE + e, POLYHEDRON_EDGE + f, best);
    }
  }
}

/* ---- rows of cores that are apart ---- */

/* Points of the cores, about the first's centre. */
static void add_row(hull_pair *pair, double distance, const double normal[3], const double on_first[3],
                    const double on_second[3], int32_t of_first, int32_t of_second)
{
  int32_t at = pair->count;
  if (!(distance - pair->rounding <= pair->reach)) return;
  for (int32_t r = 0; r < pair->count; r++) /* corner against corner, from the other side */
    if (pair->rows[r].feature[0] == of_first && pair->rows[r].feature[1] == of_second) return;
  if (at == CONVEX_ROWS) { /* in the place of the farthest */
    at = 0;
    for (int32_t r = 1; r < pair->count; r++)
      if (pair->rows[r].distance > pair->rows[at].distance) at = r;
    pair->left_out++;
    if (!(pair->rows[at].distance > distance - pair->rounding)) return;
    pair->count--;
  }
  convex_row *row = &pair->rows[at];
  pair->count++;
  *row = (convex_row){.distance = distance - pair->rounding, .feature = {of_first, of_second}};
  for (int k = 0; k < 3; k++) {
    row->normal[k] = normal[k];
    row->first[k] = on_first[k] + normal[k] * pair->first->rounding;
    row->second[k] = on_second[k] - pair->between[k] - normal[k] * pair->second->rounding;
  }
}

/* Is the point, seen along the face's normal, within the face? */
static bool is_within(const polyhedron_core *core, int32_t f, const double p[3])
{
  const polyhedron *form = core->form;
  for (int32_t k = form->begin[f]; k < form->begin[f + 1]; k++) {
    const double *a = core->corner[form->loop[k]],
                 *b = core->corner[form->loop[k + 1 < form->begin[f + 1] ? k + 1 : form->begin[f]]];
    double edge[3], from[3], inwards[3];
    vector_difference(b, a, edge);
    vector_difference(p, a, from);
    vector_cross(core->normal[f], edge, inwards);
    if (vector_dot(inwards, from) < 0.0) return false;
  }
  return true;
}

/* p: about the core's centre, outside of it. */
static core_nearest nearest_point(const polyhedron_core *core, const double p[3])
{
  const polyhedron *form = core->form;
  core_nearest best = {.square = INFINITY};
  double from[3], point[3];
  for (int32_t f = 0; f < form->faces; f++) {
    vector_difference(p, core->corner[form->loop[form->begin[f]]], from);
    const double height = vector_dot(core->normal[f], from);
    if (!(height > 0.0) || !is_within(core, f, p)) continue;
    vector_add_scaled(p, -height, core->normal[f], best.point);
    for (int k = 0; k < 3; k++) best.way[k] = height * core->normal[f][k];
    best.square = height * height;
    best.feature = POLYHEDRON_FACE + f;
    return best;
  }
  for (int32_t k = 0; k < form->corners; k++) core_keep_nearer(p, core->corner[k], k, &best);
  for (int32_t e = 0; e < form->edges; e++) {
    double edge[3];
    edge_vector(core, e, edge);
    vector_difference(p, core->corner[form->edge[e].from], from);
    const double along = vector_dot(from, edge), whole = vector_dot(edge, edge);
    if (!(along > 0.0 && along < whole)) continue;
    vector_add_scaled(core->corner[form->edge[e].from], along / whole, edge, point);
    core_keep_nearer(p, point, POLYHEDRON_EDGE + e, &best);
  }
  return best;
}

/* Corners of one; those farther behind the other's side along the best direction than rows reach are not near. */
static void add_corners(hull_pair *pair, const direction *best, bool of_first)
{
  const polyhedron_core *own = of_first ? pair->first : pair->second,
                        *other = of_first ? pair->second : pair->first;
  const double turn = of_first ? -1.0 : 1.0, limit = pair->reach + pair->rounding;
  const double out[3] = {turn * best->normal[0], turn * best->normal[1], turn * best->normal[2]};
  const double side = support(other, out);
  for (int32_t k = 0; k < own->form->corners; k++) {
    double about[3], normal[3], point[3];
    vector_add_scaled(own->corner[k], turn, pair->between, about);
    if (vector_dot(out, about) - side > limit) continue;
    const core_nearest at = nearest_point(other, about);
    const double distance = sqrt(at.square);
    for (int a = 0; a < 3; a++) {
      normal[a] = distance > 0.0 ? turn * at.way[a] / distance : best->normal[a];
      point[a] = of_first ? at.point[a] + pair->between[a] : at.point[a];
    }
    if (of_first)
      add_row(pair, distance, normal, own->corner[k], point, k, at.feature);
    else
      add_row(pair, distance, normal, point, about, at.feature, k);
  }
}

/* Where two edges' lines are nearest to each other, about the first's centre; false: not within both. */
static bool find_crossing(const hull_pair *pair, int32_t e, int32_t f, const crossing *at, double on_first[3],
                          double on_second[3])
{
  const double *p = pair->first->corner[pair->first->form->edge[e].from];
  double q[3], w[3], part[3];
  vector_add_scaled(pair->second->corner[pair->second->form->edge[f].from], 1.0, pair->between, q);
  vector_difference(q, p, w);
  vector_cross(w, at->v, part);
  const double s = vector_dot(part, at->product) / at->square;
  vector_cross(w, at->u, part);
  const double t = vector_dot(part, at->product) / at->square;
  if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) return false;
  vector_add_scaled(p, s, at->u, on_first);
  vector_add_scaled(q, t, at->v, on_second);
  return true;
}

/* Is an edge nearer to the other's side along the best direction than rows reach? */
static bool edge_is_near(const polyhedron_core *core, int32_t e, const double shift[3], const double out[3],
                         double limit)
{
  const polyhedron_edge *edge = &core->form->edge[e];
  double a[3], b[3];
  vector_add_scaled(core->corner[edge->from], 1.0, shift, a);
  vector_add_scaled(core->corner[edge->to], 1.0, shift, b);
  return fmin(vector_dot(out, a), vector_dot(out, b)) <= limit;
}

double polyhedron_leaning_allowed(double reach, double size)
{
  const double allowed = reach / size;
  return allowed > most_leaning ? most_leaning : allowed > least_leaning ? allowed : least_leaning;
}

static void add_edges(hull_pair *pair, const direction *best)
{
  static const double nowhere[3] = {0.0, 0.0, 0.0};
  const polyhedron_core *first = pair->first, *second = pair->second;
  const double *n = best->normal, back[3] = {-n[0], -n[1], -n[2]};
  const double limit = pair->reach + pair->rounding, upper = limit + support(first, n),
               lower = limit + support(second, back) - vector_dot(n, pair->between);
  const double allowed = polyhedron_leaning_allowed(pair->reach, pair->size);
  uint8_t near[POLYHEDRON_EDGES];
  int32_t near_count = 0;
  for (int32_t f = 0; f < second->form->edges; f++)
    if (edge_is_near(second, f, pair->between, n, upper)) near[near_count++] = (uint8_t)f;
  for (int32_t e = 0; e < first->form->edges; e++) {
    double u[3];
    if (!edge_is_near(first, e, nowhere, back, lower)) continue;
    edge_vector(first, e, u);
    for (int32_t k = 0; k < near_count; k++) {
      crossing at;
      double on_first[3], on_second[3], w[3];
      if (!cross_edges(pair, e, near[k], u, allowed, &at)) continue;
      if (!find_crossing(pair, e, near[k], &at, on_first, on_second)) continue;
      vector_difference(on_second, on_first, w);
      const double distance = vector_dot(at.normal, w);
      if (distance < 0.0) continue; /* one leans out, and passes beside the other */
      add_row(pair, distance, at.normal, on_first, on_second, POLYHEDRON_EDGE + e, POLYHEDRON_EDGE + near[k]);
    }
  }
}

/* ---- cores that overlap ---- */

/* Where the line p + h n enters the core, about whose centre p is; false: it does not. */
static bool find_entry(const polyhedron_core *core, const double p[3], const double n[3], double *height,
                       int32_t *feature)
{
  const polyhedron *form = core->form;
  double lower = -INFINITY, upper = INFINITY;
  for (int32_t f = 0; f < form->faces; f++) {
    double from[3];
    vector_difference(core->corner[form->loop[form->begin[f]]], p, from);
    const double rate = vector_dot(core->normal[f], n), room = vector_dot(core->normal[f], from);
    if (rate == 0.0) {
      if (room < 0.0) return false;
    } else if (rate > 0.0) {
      upper = fmin(upper, room / rate);
    } else if (room / rate > lower) {
      lower = room / rate;
      *feature = POLYHEDRON_FACE + f;
    }
  }
  *height = lower;
  return form->faces > 0 && lower <= upper && isfinite(lower);
}

static void place_behind(hull_pair *pair, const direction *best, bool owner_is_first, double height,
                         const double on_own[3], const double on_other[3], int32_t own, int32_t other)
{
  /* both about the owner's centre; height: of the other over the owner */
  double first[3], second[3];
  for (int k = 0; k < 3; k++) {
    first[k] = owner_is_first ? on_own[k] : on_other[k] + pair->between[k];
    second[k] = owner_is_first ? on_other[k] : on_own[k] + pair->between[k];
  }
  add_row(pair, height, best->normal, first, second, owner_is_first ? own : other, owner_is_first ? other : own);
}

static int32_t edge_between(const polyhedron *form, int32_t a, int32_t b)
{
  int32_t e = 0;
  while (
      !((form->edge[e].from == a && form->edge[e].to == b) || (form->edge[e].from == b && form->edge[e].to == a)))
    e++;
  return e;
}

/* An edge of the face, from corner a to corner b, with the other's edges that cross it, seen along n, on the side
 * that looks at the face. */
static void add_crossings(hull_pair *pair, const direction *best, bool by_first, int32_t a, int32_t b,
                          const double n[3], const double way[3])
{
  const polyhedron_core *own = by_first ? pair->first : pair->second,
                        *other = by_first ? pair->second : pair->first;
  const int32_t e = edge_between(own->form, a, b);
  double u[3];
  vector_difference(own->corner[b], own->corner[a], u);
  for (int32_t f = 0; f < other->form->edges; f++) {
    const polyhedron_edge *edge = &other->form->edge[f];
    double v[3], q[3], w[3], part[3], on_own[3], on_other[3];
    if (other->form->faces > 0 && vector_dot(n, other->normal[edge->left]) >= 0.0 &&
        vector_dot(n, other->normal[edge->right]) >= 0.0)
      continue;
    edge_vector(other, f, v);
    vector_cross(u, v, part);
    const double across = vector_dot(part, n);
    if (!(across * across > parallel * vector_dot(u, u) * vector_dot(v, v))) continue;
    vector_add_scaled(other->corner[edge->from], 1.0, way, q);
    vector_difference(q, own->corner[a], w);
    vector_cross(w, v, part);
    const double s = vector_dot(part, n) / across;
    vector_cross(w, u, part);
    const double t = vector_dot(part, n) / across;
    if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) continue;
    vector_add_scaled(own->corner[a], s, u, on_own);
    vector_add_scaled(q, t, v, on_other);
    vector_difference(on_other, on_own, w);
    const double height = vector_dot(n, w);
    vector_add_scaled(on_own, height, n, on_other); /* the gap is along n to rounding */
    place_behind(pair, best, by_first, height, on_own, on_other, POLYHEDRON_EDGE + e, POLYHEDRON_EDGE + f);
  }
}

/* The direction belongs to a face: corners of the other over it, where cores overlap the deepest in any case, its
 * own corners below the other, and edges that cross. */
static void add_behind_face(hull_pair *pair, const direction *best)
{
  const bool by_first = best->feature[0] >= 0;
  const polyhedron_core *own = by_first ? pair->first : pair->second,
                        *other = by_first ? pair->second : pair->first;
  const double turn = by_first ? 1.0 : -1.0;
  const double n[3] = {turn * best->normal[0], turn * best->normal[1], turn * best->normal[2]},
               back[3] = {-n[0], -n[1], -n[2]};
  const double way[3] = {turn * pair->between[0], turn * pair->between[1], turn * pair->between[2]};
  const int32_t f = best->feature[by_first ? 0 : 1] - POLYHEDRON_FACE;
  const polyhedron *form = own->form;
  const double level = vector_dot(n, own->corner[form->loop[form->begin[f]]]), least = -support(other, back);
  bool deepest = best->separation > apart * pair->size;
  for (int32_t k = 0; k < other->form->corners; k++) {
    double at[3], on_own[3];
    vector_add_scaled(other->corner[k], 1.0, way, at);
    const bool first_deepest = !deepest && vector_dot(n, other->corner[k]) <= least;
    deepest |= first_deepest;
    if (!first_deepest && !is_within(own, f, at)) continue;
    const double height = vector_dot(n, at) - level;
    vector_add_scaled(at, -height, n, on_own);
    place_behind(pair, best, by_first, height, on_own, at, POLYHEDRON_FACE + f, k);
  }
  for (int32_t k = form->begin[f]; k < form->begin[f + 1]; k++) {
    const double *corner = own->corner[form->loop[k]];
    double about[3], at[3], height;
    int32_t feature = 0;
    vector_difference(corner, way, about);
    if (!find_entry(other, about, n, &height, &feature)) continue;
    vector_add_scaled(corner, height, n, at);
    place_behind(pair, best, by_first, height, corner, at, form->loop[k], feature);
  }
  for (int32_t k = form->begin[f]; k < form->begin[f + 1]; k++)
    add_crossings(pair, best, by_first, form->loop[k],
                  form->loop[k + 1 < form->begin[f + 1] ? k + 1 : form->begin[f]], n, way);
}

static void add_overlap(hull_pair *pair, const direction *best)
{
  crossing at;
  double u[3], on_first[3], on_second[3];
  const int32_t e = best->feature[0] - POLYHEDRON_EDGE, f = best->feature[1] - POLYHEDRON_EDGE;
  if (best->feature[0] < 0 || best->feature[1] < 0) {
    add_behind_face(pair, best);
    return;
  }
  edge_vector(pair->first, e, u);
  if (cross_edges(pair, e, f, u, 1.0, &at) && find_crossing(pair, e, f, &at, on_first, on_second)) {
    /* of edges nearly parallel the crossing is not known well, and points beside each other would be a moment */
    vector_add_scaled(on_first, best->separation, best->normal, on_second);
    add_row(pair, best->separation, best->normal, on_first, on_second, best->feature[0], best->feature[1]);
  }
  if (pair->count > 0 || best->separation > apart * pair->size) return;
  /* edges that do not reach the crossing: the corners that are farthest along the direction */
  const double back[3] = {-best->normal[0], -best->normal[1], -best->normal[2]};
  const double highest = support(pair->first, best->normal), lowest = support(pair->second, back);
  int32_t upper = 0, lower = 0;
  while (vector_dot(best->normal, pair->first->corner[upper]) < highest) upper++;
  while (vector_dot(back, pair->second->corner[lower]) < lowest) lower++;
  vector_add_scaled(pair->second->corner[lower], 1.0, pair->between, on_second);
  add_row(pair, best->separation, best->normal, pair->first->corner[upper], on_second, upper, lower);
}

/* ---- all ---- */

double polyhedron_size(const polyhedron_core *core)
{
  double greatest = 0.0;
  for (int32_t k = 0; k < core->form->corners; k++)
    greatest = fmax(greatest, vector_dot(core->corner[k], core->corner[k]));
  return sqrt(greatest);
}

int32_t polyhedron_rows(const polyhedron_core *first, const polyhedron_core *second, const double between[3],
                        double reach, convex_row rows[CONVEX_ROWS])
{
  const double rounding = first->rounding + second->rounding, limit = reach + rounding;
  const double length = vector_length(between);
  const double size = polyhedron_size(first) + polyhedron_size(second);
  hull_pair pair = {first, second, between, size, rounding, reach, rows, 0, 0};
  direction best = {.separation = -INFINITY, .feature = {-1, -1}};
  if (length > 0.0) {
    const double n[3] = {between[0] / length, between[1] / length, between[2] / length};
    const double back[3] = {-n[0], -n[1], -n[2]};
    if (length - support(first, n) - support(second, back) > limit) return 0;
  }
  try_faces(&pair, limit, &best);
  const double deep = (rounding > 0.0 ? apart : shallow) * size;
  if (best.separation <= deep) try_edges(&pair, limit, &best);
  if (best.separation > limit) return 0;
  if (best.separation <= deep) add_overlap(&pair, &best);
  if (best.separation > apart * pair.size && pair.count == 0) {
    add_corners(&pair, &best, true);
    add_corners(&pair, &best, false);
    add_edges(&pair, &best);
  }
  return pair.count + pair.left_out;
}

/* ---- points, segments and triangles ---- */

static const polyhedron as_point = {.corners = 1};
static const polyhedron as_segment = {.corners = 2, .edges = 1, .edge = {{0, 1, 0, 0}}};
static const polyhedron as_triangle = {.corners = 3,
                                       .faces = 2,
                                       .edges = 3,
                                       .begin = {0, 3, 6},
                                       .loop = {0, 1, 2, 0, 2, 1},
                                       .edge = {{0, 1, 0, 1}, {1, 2, 0, 1}, {0, 2, 1, 0}}};

polyhedron_core polyhedron_of_solid(const solid_core *core, double normal[2][3])
{
  memset(normal, 0, 2 * sizeof *normal);
  if (core->count == 3) {
    double a[3], b[3];
    vector_difference(core->corner[1], core->corner[0], a);
    vector_difference(core->corner[2], core->corner[0], b);
    vector_cross(a, b, normal[0]);
    const double length = vector_length(normal[0]);
    for (int k = 0; k < 3; k++) {
      normal[0][k] /= length;
      normal[1][k] = -normal[0][k];
    }
  }
  return (polyhedron_core){core->count == 1   ? &as_point
                           : core->count == 2 ? &as_segment
                                              : &as_triangle,
                           core->corner, (const double(*)[3])normal, core->rounding};
}

int32_t polyhedron_solid_rows(const polyhedron_core *first, const solid_core *second, const double between[3],
                              double reach, convex_row rows[CONVEX_ROWS])
{
  double normal[2][3];
  const polyhedron_core other = polyhedron_of_solid(second, normal);
  return polyhedron_rows(first, &other, between, reach, rows);
}
