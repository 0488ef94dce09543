/*
 * Moments of shapes. See moments.h.
 *
 * In the plane a closed line of corners a, b, .. has area 1/2 sum a x b (the shoelace formula), and its edges'
 * strip is a rectangle on the outside of each and a sector at each corner (Steiner): exact for convex outlines, and
 * right in the area for all. In space a closed surface is a sum of signed tetrahedra from the frame's origin to
 * each triangle (the divergence theorem), whose triangles are turned so that neighbours run through their common
 * edge the other way.
 */
#include "geometry/shapes/moments.h"

#include "geometry/shapes/shape_type.h"
#include "geometry/vector.h"

#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

extern const shape_type shape_segment, shape_triangle;

static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};

/* A part of this volume about c, with the second moments `spread` about it. */
static void add_part(union_moments *sum, double volume, const double c[3], const double spread[6])
{
  sum->volume += volume;
  for (int axis = 0; axis < 3; axis++) sum->first[axis] += volume * c[axis];
  for (int p = 0; p < 6; p++) sum->second[p] += volume * c[ROW[p]] * c[COLUMN[p]] + spread[p];
}

/* ---- single shapes ---- */

void moments_of_sphere(const shape *local, int32_t dimension, shape_moments *sums)
{
  const double r = local->radius, area = PI * r * r;
  const double volume = dimension == 2 ? area : area * r * 4.0 / 3.0, own = volume * r * r;
  const double part = own / (dimension == 2 ? 4.0 : 5.0);
  add_part(&sums->solid, volume, local->point[0],
           (const double[6]){part, part, dimension == 2 ? 0.0 : part, 0.0, 0.0, 0.0});
}

void moments_of_hollow(const shape *local, int32_t dimension, shape_moments *sums)
{
  const double r = local->radius, size = dimension == 2 ? 2.0 * PI * r : 4.0 * PI * r * r;
  const double part = size * r * r / (double)dimension;
  add_part(&sums->thin, size, local->point[0],
           (const double[6]){part, part, dimension == 2 ? 0.0 : part, 0.0, 0.0, 0.0});
}

/* Straight, uniform along its length and isotropic across it. */
static void add_bar(union_moments *sum, const double a[3], const double b[3], double volume, double across)
{
  double along[3], middle[3], spread[6];
  vector_difference(b, a, along);
  vector_add_scaled(a, 0.5, along, middle);
  const double square = vector_dot(along, along);
  for (int p = 0; p < 6; p++) {
    const double u = along[ROW[p]] * along[COLUMN[p]];
    spread[p] = volume * (u / 12.0 + across * ((ROW[p] == COLUMN[p] ? 1.0 : 0.0) - u / square));
  }
  add_part(sum, volume, middle, spread);
}

/* Half a disc or ball at the end e of a bar; `out` points away from it. */
static void add_cap(union_moments *sum, int32_t dimension, const double e[3], const double out[3], double r)
{
  const double volume = (dimension == 2 ? 0.5 * PI : 2.0 / 3.0 * PI * r) * r * r;
  const double shift = dimension == 2 ? 4.0 * r / (3.0 * PI) : 0.375 * r;
  const double own = r * r / (dimension == 2 ? 4.0 : 5.0);
  double center[3], spread[6];
  vector_add_scaled(e, shift, out, center);
  for (int p = 0; p < 6; p++)
    spread[p] = volume * ((ROW[p] == COLUMN[p] ? own : 0.0) - shift * shift * out[ROW[p]] * out[COLUMN[p]]);
  add_part(sum, volume, center, spread);
}

void moments_of_segment(const shape *local, int32_t dimension, shape_moments *sums)
{
  const double *a = local->point[0], *b = local->point[1], r = local->radius;
  double along[3], back[3];
  vector_difference(b, a, along);
  const double length = vector_length(along);
  if (r == 0.0) {
    add_bar(&sums->thin, a, b, length, 0.0);
    return;
  }
  for (int axis = 0; axis < 3; axis++) {
    along[axis] /= length;
    back[axis] = -along[axis];
  }
  const double cut = dimension == 2 ? 2.0 * r : PI * r * r;
  add_bar(&sums->solid, a, b, cut * length, r * r / (dimension == 2 ? 3.0 : 4.0));
  add_cap(&sums->solid, dimension, a, back, r);
  add_cap(&sums->solid, dimension, b, along, r);
}

/* A thin triangle of this content per area. */
static void add_triangle(union_moments *sum, const double corner[3][3], double content)
{
  double side[2][3], across[3], total[3] = {0.0, 0.0, 0.0};
  vector_difference(corner[1], corner[0], side[0]);
  vector_difference(corner[2], corner[0], side[1]);
  vector_cross(side[0], side[1], across);
  const double volume = 0.5 * vector_length(across) * content;
  sum->volume += volume;
  for (int k = 0; k < 3; k++) vector_add_scaled(total, 1.0, corner[k], total);
  for (int axis = 0; axis < 3; axis++) sum->first[axis] += volume * total[axis] / 3.0;
  for (int p = 0; p < 6; p++) {
    double squares = total[ROW[p]] * total[COLUMN[p]];
    for (int k = 0; k < 3; k++) squares += corner[k][ROW[p]] * corner[k][COLUMN[p]];
    sum->second[p] += volume / 12.0 * squares;
  }
}

void moments_of_triangle(const shape *local, int32_t dimension, shape_moments *sums)
{
  (void)dimension;
  if (local->radius == 0.0)
    add_triangle(&sums->thin, local->point, 1.0);
  else
    add_triangle(&sums->solid, local->point, 2.0 * local->radius);
}

/* ---- closed lines ---- */

/* Whose moments are found: the shape, or what it is part of. */
typedef struct part_list {
  const shape *shapes;
  int32_t count, body, dimension;
  bool *done;
} part_list;

static bool is_of(const part_list *list, int32_t k, const shape_type *type)
{
  return list->shapes[k].body == list->body && !list->done[k] && shape_type_of(&list->shapes[k]) == type;
}

static bool same_point(const double a[3], const double b[3])
{
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Signed area of a x b, and what belongs to it. */
static void add_wedge(union_moments *sum, const double a[3], const double b[3])
{
  const double area = 0.5 * (a[0] * b[1] - a[1] * b[0]);
  sum->volume += area;
  for (int axis = 0; axis < 2; axis++) sum->first[axis] += area * (a[axis] + b[axis]) / 3.0;
  for (int axis = 0; axis < 2; axis++)
    sum->second[axis] += area / 6.0 * (a[axis] * a[axis] + a[axis] * b[axis] + b[axis] * b[axis]);
}

/* The strip outside of an edge, and the sector from its normal to that of the next one (before, at a). */
static void add_strip(union_moments *sum, const double a[3], const double b[3], double r, double side)
{
  double along[3], out[3], from[3], to[3];
  vector_difference(b, a, along);
  const double length = vector_length(along);
  out[0] = side * along[1] / length;
  out[1] = -side * along[0] / length;
  out[2] = 0.0;
  vector_add_scaled(a, 0.5 * r, out, from);
  vector_add_scaled(b, 0.5 * r, out, to);
  const double volume = r * length;
  const double spread[6] = {volume * (length * length + r * r) / 12.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  double middle[3];
  for (int axis = 0; axis < 3; axis++) middle[axis] = 0.5 * (from[axis] + to[axis]);
  add_part(sum, volume, middle, spread);
}

static void add_sector(union_moments *sum, const double before[3], const double at[3], const double after[3],
                       double r, double side)
{
  double first[3], second[3], out[3], spread[6] = {0.0};
  vector_difference(at, before, first);
  vector_difference(after, at, second);
  const double cross = side * (first[0] * second[1] - first[1] * second[0]);
  const double turn = floc_atan2(cross, vector_dot(first, second)); /* below 0 where the corner points inwards */
  const double lengths[2] = {vector_length(first), vector_length(second)};
  if (turn == 0.0) return;
  for (int axis = 0; axis < 2; axis++) out[axis] = first[axis] / lengths[0] - second[axis] / lengths[1];
  out[2] = 0.0;
  const double size = vector_length(out), half = 0.5 * fabs(turn), area = 0.5 * turn * r * r;
  const double shift = 2.0 * r * floc_sin(half) / (3.0 * half);
  double center[3];
  for (int axis = 0; axis < 3; axis++) out[axis] *= (turn > 0.0 ? 1.0 : -1.0) / size;
  vector_add_scaled(at, shift, out, center);
  spread[0] = area * (0.5 * r * r - shift * shift);
  add_part(sum, area, center, spread);
}

/* Follows segments from the end of `first`; corner: [count] where it went through. 0: it does not come back. */
static int32_t follow_line(const part_list *list, int32_t first, int32_t *member, double (*corner)[3])
{
  int32_t length = 1;
  const double *start = list->shapes[first].point[0], *end = list->shapes[first].point[1];
  member[0] = first;
  memcpy(corner[0], start, sizeof corner[0]);
  while (!same_point(end, start)) {
    int32_t next = -1;
    for (int32_t k = first + 1; k < list->count && next < 0; k++) {
      bool used = !is_of(list, k, &shape_segment);
      for (int32_t m = 0; m < length && !used; m++) used = member[m] == k;
      const shape *other = &list->shapes[k];
      if (!used && (same_point(other->point[0], end) || same_point(other->point[1], end))) next = k;
    }
    if (next < 0) return 0;
    memcpy(corner[length], end, sizeof corner[0]);
    member[length++] = next;
    end = list->shapes[next].point[same_point(list->shapes[next].point[0], end) ? 1 : 0];
  }
  return length;
}

static void fill_outline(const part_list *list, const int32_t *member, double (*corner)[3], int32_t count,
                         shape_moments *sums)
{
  union_moments core = {0};
  for (int32_t k = 0; k < count; k++) add_wedge(&core, corner[k], corner[(k + 1) % count]);
  const double side = core.volume < 0.0 ? -1.0 : 1.0, r = list->shapes[member[0]].radius;
  union_moments *to = &sums->solid;
  to->volume += side * core.volume;
  for (int axis = 0; axis < 2; axis++) {
    to->first[axis] += side * core.first[axis];
    to->second[axis] += side * core.second[axis];
  }
  for (int32_t k = 0; k < count; k++) list->done[member[k]] = true;
  for (int32_t k = 0; k < count && r > 0.0; k++) {
    const double *a = corner[k], *b = corner[(k + 1) % count];
    add_strip(to, a, b, r, side);
    add_sector(to, corner[(k + count - 1) % count], a, b, r, side);
  }
}

static floc_status fill_outlines(environment *env, const part_list *list, shape_moments *sums)
{
  const size_t count = (size_t)list->count;
  int32_t *member = memory_resize(env, NULL, 0, count * sizeof *member);
  double(*corner)[3] = memory_resize(env, NULL, 0, count * sizeof *corner);
  for (int32_t k = 0; member && corner && k < list->count; k++) {
    if (!is_of(list, k, &shape_segment)) continue;
    const int32_t length = follow_line(list, k, member, corner);
    if (length >= 3) fill_outline(list, member, corner, length, sums);
  }
  const bool complete = member && corner;
  if (member) memory_free(env, member, count * sizeof *member);
  if (corner) memory_free(env, corner, count * sizeof *corner);
  return complete ? FLOC_OK : refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: the outline of a body");
}

/* ---- closed surfaces ---- */

typedef struct mesh_edge {
  double end[2][3]; /* the lesser first */
  int32_t place;    /* 3 triangle + edge */
  bool turned;      /* it runs from end[1] to end[0] */
} mesh_edge;

static int compare_points(const double a[3], const double b[3])
{
  for (int k = 0; k < 3; k++)
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  return 0;
}

static int compare_edges(const void *left, const void *right)
{
  const mesh_edge *a = left, *b = right;
  int order = compare_points(a->end[0], b->end[0]);
  if (order == 0) order = compare_points(a->end[1], b->end[1]);
  return order != 0 ? order : a->place - b->place;
}

/* Triangles of a body, and for each edge the other triangle there. */
typedef struct mesh_parts {
  int32_t count;
  int32_t *shape;     /* [count] */
  int32_t *neighbour; /* [3 count]: 2 triangle + 1 if both run the same way; -1: it is open */
  int32_t *sign;      /* [count] 1 or -1; 0: not seen */
  int32_t *stack;     /* [count] */
  mesh_edge *edge;    /* [3 count] */
} mesh_parts;

static void list_edges(const part_list *list, mesh_parts *mesh)
{
  for (int32_t t = 0; t < mesh->count; t++)
    for (int e = 0; e < 3; e++) {
      const double *a = list->shapes[mesh->shape[t]].point[e], *b = list->shapes[mesh->shape[t]].point[(e + 1) % 3];
      mesh_edge *made = &mesh->edge[3 * t + e];
      made->turned = compare_points(a, b) > 0;
      made->place = 3 * t + e;
      memcpy(made->end[made->turned ? 1 : 0], a, sizeof made->end[0]);
      memcpy(made->end[made->turned ? 0 : 1], b, sizeof made->end[0]);
      mesh->neighbour[3 * t + e] = -1;
    }
  qsort(mesh->edge, 3 * (size_t)mesh->count, sizeof *mesh->edge, compare_edges);
}

static bool same_edge(const mesh_edge *a, const mesh_edge *b)
{
  return compare_points(a->end[0], b->end[0]) == 0 && compare_points(a->end[1], b->end[1]) == 0;
}

static void join_edges(mesh_parts *mesh)
{
  const int32_t count = 3 * mesh->count;
  for (int32_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count && same_edge(&mesh->edge[begin], &mesh->edge[end]);) end++;
    if (end - begin != 2) continue;
    const mesh_edge *a = &mesh->edge[begin], *b = &mesh->edge[begin + 1];
    const int32_t same = a->turned == b->turned;
    mesh->neighbour[a->place] = 2 * (b->place / 3) + same;
    mesh->neighbour[b->place] = 2 * (a->place / 3) + same;
  }
}

/* All that are connected with a triangle, in `stack`; how many there are, and whether they close a space. */
static int32_t find_surface(mesh_parts *mesh, int32_t first, bool *closed)
{
  int32_t found = 1;
  *closed = true;
  mesh->stack[0] = first;
  mesh->sign[first] = 1;
  for (int32_t at = 0; at < found; at++) {
    const int32_t t = mesh->stack[at];
    for (int e = 0; e < 3; e++) {
      const int32_t code = mesh->neighbour[3 * t + e], other = code / 2;
      if (code < 0) {
        *closed = false;
        continue;
      }
      const int32_t wanted = code % 2 ? -mesh->sign[t] : mesh->sign[t];
      if (mesh->sign[other] == 0) {
        mesh->sign[other] = wanted;
        mesh->stack[found++] = other;
      } else if (mesh->sign[other] != wanted) {
        *closed = false; /* one-sided */
      }
    }
  }
  return found;
}

static void add_tetrahedron(union_moments *sum, const double corner[3][3], double sign)
{
  double across[3], total[3] = {0.0, 0.0, 0.0};
  vector_cross(corner[1], corner[2], across);
  const double volume = sign * vector_dot(corner[0], across) / 6.0;
  sum->volume += volume;
  for (int k = 0; k < 3; k++) vector_add_scaled(total, 1.0, corner[k], total);
  for (int axis = 0; axis < 3; axis++) sum->first[axis] += volume * total[axis] / 4.0;
  for (int p = 0; p < 6; p++) {
    double squares = total[ROW[p]] * total[COLUMN[p]];
    for (int k = 0; k < 3; k++) squares += corner[k][ROW[p]] * corner[k][COLUMN[p]];
    sum->second[p] += volume / 20.0 * squares;
  }
}

static void fill_surfaces(const part_list *list, mesh_parts *mesh, shape_moments *sums)
{
  for (int32_t t = 0; t < mesh->count; t++) {
    bool closed;
    if (mesh->sign[t] != 0) continue;
    const int32_t found = find_surface(mesh, t, &closed);
    if (!closed) continue;
    union_moments core = {0};
    for (int32_t k = 0; k < found; k++) {
      const int32_t number = mesh->shape[mesh->stack[k]];
      add_tetrahedron(&core, list->shapes[number].point, mesh->sign[mesh->stack[k]]);
      list->done[number] = true;
    }
    const double side = core.volume < 0.0 ? -1.0 : 1.0;
    sums->solid.volume += side * core.volume;
    for (int axis = 0; axis < 3; axis++) sums->solid.first[axis] += side * core.first[axis];
    for (int p = 0; p < 6; p++) sums->solid.second[p] += side * core.second[p];
  }
}

static floc_status fill_meshes(environment *env, const part_list *list, shape_moments *sums)
{
  size_t count = 0;
  for (int32_t k = 0; k < list->count; k++) count += is_of(list, k, &shape_triangle);
  if (count == 0) return FLOC_OK;
  const size_t whole = 6 * count * sizeof(int32_t), edges = 3 * count * sizeof(mesh_edge);
  int32_t *numbers = memory_resize(env, NULL, 0, whole);
  mesh_parts mesh = {(int32_t)count,      numbers,
                     numbers + count,     numbers + 4 * count,
                     numbers + 5 * count, memory_resize(env, NULL, 0, edges)};
  const bool complete = numbers && mesh.edge;
  if (complete) {
    int32_t place = 0;
    memset(numbers, 0, whole);
    for (int32_t k = 0; k < list->count; k++)
      if (is_of(list, k, &shape_triangle)) mesh.shape[place++] = k;
    list_edges(list, &mesh);
    join_edges(&mesh);
    fill_surfaces(list, &mesh, sums);
  }
  if (numbers) memory_free(env, numbers, whole);
  if (mesh.edge) memory_free(env, mesh.edge, edges);
  return complete ? FLOC_OK : refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: the surface of a body");
}

/* ---- all ---- */

static void add_single(const part_list *list, shape_moments *sums, int32_t *unknown, int32_t *sheet)
{
  for (int32_t k = 0; k < list->count; k++) {
    const shape *one = &list->shapes[k];
    if (one->body != list->body || list->done[k]) continue;
    const double before = sums->solid.volume;
    const shape_type *type = shape_type_of(one);
    if (type->moments)
      type->moments(one, list->dimension, sums);
    else if (*unknown < 0)
      *unknown = k;
    if (sums->solid.volume == before && *sheet < 0) *sheet = k;
  }
}

floc_status shapes_moments(environment *env, const shape *shapes, int32_t count, int32_t body, int32_t dimension,
                           shape_moments *sums, int32_t *unknown, int32_t *sheet)
{
  *sums = (shape_moments){0};
  *unknown = *sheet = -1;
  if (count <= 0) return FLOC_OK;
  const size_t bytes = (size_t)count * sizeof(bool);
  part_list list = {shapes, count, body, dimension, memory_resize(env, NULL, 0, bytes)};
  if (!list.done) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  memset(list.done, 0, bytes);
  floc_status status = dimension == 2 ? fill_outlines(env, &list, sums) : fill_meshes(env, &list, sums);
  if (status == FLOC_OK) add_single(&list, sums, unknown, sheet);
  memory_free(env, list.done, bytes);
  return status;
}
