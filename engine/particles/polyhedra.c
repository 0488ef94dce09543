/*
 * Convex polyhedra. See polyhedra.h.
 *
 * The hull of up to 32 corners is found by trying the plane of every three of them, which needs no order and no
 * case for corners of which more than three lie in one plane.
 */
#include "particles/polyhedra.h"

#include "base/mathematics/mathematics.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double in_plane = 1e-9;   /* over the size: corners so near to a plane lie in it */
static const double least_turn = 1e-9; /* sine of the angle at a corner of a face: less is flat */
static const int first_of[6] = {0, 1, 2, 0, 0, 1}, second_of[6] = {0, 1, 2, 1, 2, 2};

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double made[3])
{
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  made[0] = x;
  made[1] = y;
  made[2] = z;
}

static void way(const double from[3], const double to[3], double made[3])
{
  for (int k = 0; k < 3; k++) made[k] = to[k] - from[k];
}

static double length(const double a[3])
{
  return sqrt(dot(a, a));
}

static double farthest(const polyhedron *made)
{
  double greatest = 0.0;
  for (int32_t k = 0; k < made->corners; k++) greatest = fmax(greatest, length(made->corner[k]));
  return greatest;
}

/* ---- hull ---- */

/* The plane of three corners, outward of all others; false: they lie on a line, or others on both sides. */
static bool find_plane(const polyhedron *made, const int32_t three[3], double normal[3], uint32_t *on)
{
  const double *p = made->corner[three[0]];
  double a[3], b[3], from[3];
  way(p, made->corner[three[1]], a);
  way(p, made->corner[three[2]], b);
  cross(a, b, normal);
  const double size = length(normal);
  if (!(size > least_turn * length(a) * length(b))) return false;
  for (int k = 0; k < 3; k++) normal[k] /= size;
  bool above = false, below = false;
  *on = 0;
  for (int32_t k = 0; k < made->corners; k++) {
    way(p, made->corner[k], from);
    const double height = dot(normal, from);
    if (fabs(height) <= in_plane)
      *on |= 1u << k;
    else if (height > 0.0)
      above = true;
    else
      below = true;
  }
  if (above == below) return false;
  for (int k = 0; k < 3 && above; k++) normal[k] = -normal[k];
  return true;
}

/* Corner k lies more to the right of the way from corner `from` than corner `to`, or farther on the same way. */
static bool is_righter(const polyhedron *made, const double normal[3], int32_t from, int32_t to, int32_t k)
{
  double a[3], b[3], turn[3];
  way(made->corner[from], made->corner[to], a);
  way(made->corner[from], made->corner[k], b);
  cross(a, b, turn);
  const double sine = dot(turn, normal) / (length(a) * length(b));
  return sine < -least_turn || (sine <= least_turn && dot(b, b) > dot(a, a));
}

/* Goes round the corners in a plane, by way of those that have all others on their left. */
static bool add_face(polyhedron *made, const double normal[3], uint32_t on, int32_t start)
{
  if (made->faces == POLYHEDRON_FACES) return false;
  uint8_t *loop = made->loop + made->begin[made->faces];
  int32_t count = 0, at = start;
  do {
    if (made->begin[made->faces] + count == 2 * POLYHEDRON_EDGES || count == made->corners) return false;
    loop[count++] = (uint8_t)at;
    int32_t next = -1;
    for (int32_t k = 0; k < made->corners; k++)
      if (k != at && (on >> k & 1u) && (next < 0 || is_righter(made, normal, at, next, k))) next = k;
    at = next;
  } while (at != start);
  memcpy(made->normal[made->faces], normal, sizeof made->normal[0]);
  made->begin[made->faces + 1] = (uint8_t)(made->begin[made->faces] + count);
  made->faces++;
  return count >= 3;
}

/* The one that is farthest along some direction in the plane is a corner of the face. */
static int32_t outermost(const polyhedron *made, uint32_t on)
{
  int32_t best = -1;
  double greatest = 0.0, middle[3] = {0.0, 0.0, 0.0}, from[3];
  int32_t count = 0;
  for (int32_t k = 0; k < made->corners; k++)
    for (int c = 0; c < 3 && (on >> k & 1u); c++) {
      middle[c] += made->corner[k][c];
      count += c == 0;
    }
  for (int c = 0; c < 3; c++) middle[c] /= count;
  for (int32_t k = 0; k < made->corners; k++) {
    way(middle, made->corner[k], from);
    if (!(on >> k & 1u) || !(dot(from, from) > greatest)) continue;
    greatest = dot(from, from);
    best = k;
  }
  return best;
}

/* Edges from the faces' loops: each in one direction by one face and in the other by another. */
static bool find_edges(polyhedron *made)
{
  enum { NONE = 255 };
  uint8_t face_of[POLYHEDRON_CORNERS][POLYHEDRON_CORNERS];
  memset(face_of, NONE, sizeof face_of);
  for (int32_t f = 0; f < made->faces; f++)
    for (int32_t k = made->begin[f]; k < made->begin[f + 1]; k++) {
      const int32_t from = made->loop[k], to = made->loop[k + 1 < made->begin[f + 1] ? k + 1 : made->begin[f]];
      if (face_of[from][to] != NONE) return false;
      face_of[from][to] = (uint8_t)f;
    }
  made->edges = 0;
  for (int32_t a = 0; a < made->corners; a++)
    for (int32_t b = 0; b < made->corners; b++) {
      if ((face_of[a][b] == NONE) != (face_of[b][a] == NONE)) return false;
      if (a > b || face_of[a][b] == NONE) continue;
      if (made->edges == POLYHEDRON_EDGES) return false;
      made->edge[made->edges++] = (polyhedron_edge){(uint8_t)a, (uint8_t)b, face_of[a][b], face_of[b][a]};
    }
  return true;
}

/* Corners are of the size 1. false: faces do not close. */
static bool find_hull(polyhedron *made)
{
  uint32_t known[POLYHEDRON_FACES];
  made->faces = made->edges = 0;
  made->begin[0] = 0;
  for (int32_t a = 0; a < made->corners; a++)
    for (int32_t b = a + 1; b < made->corners; b++)
      for (int32_t c = b + 1; c < made->corners; c++) {
        double normal[3];
        uint32_t on = 0;
        if (!find_plane(made, (const int32_t[3]){a, b, c}, normal, &on)) continue;
        bool repeated = false;
        for (int32_t f = 0; f < made->faces; f++) repeated |= known[f] == on;
        if (repeated) continue;
        if (made->faces < POLYHEDRON_FACES) known[made->faces] = on;
        if (!add_face(made, normal, on, outermost(made, on))) return false;
      }
  return find_edges(made);
}

static uint32_t corners_of_faces(const polyhedron *made)
{
  uint32_t seen = 0;
  for (int32_t k = 0; k < made->begin[made->faces]; k++) seen |= 1u << made->loop[k];
  return seen;
}

/* ---- moments ---- */

typedef struct moments {
  double volume[4], first[4][3], second[6][6];
} moments;

/* factor (a b^T + b a^T) / 2 */
static void add_product(double second[6], double factor, const double a[3], const double b[3])
{
  for (int p = 0; p < 6; p++)
    second[p] += 0.5 * factor * (a[first_of[p]] * b[second_of[p]] + a[second_of[p]] * b[first_of[p]]);
}

static void add_vector(double to[3], double factor, const double a[3])
{
  for (int k = 0; k < 3; k++) to[k] += factor * a[k];
}

/* A triangle of a face: the tetrahedron between it and the centre, and the slab on it. */
static void add_triangle(moments *sum, const double *a, const double *b, const double *c, const double normal[3])
{
  double u[3], v[3], product[3], middle[3] = {0.0, 0.0, 0.0}, squares[6] = {0.0};
  const double *point[3] = {a, b, c};
  way(a, b, u);
  way(a, c, v);
  cross(u, v, product);
  const double area = 0.5 * dot(product, normal), height = dot(a, normal), volume = area * height / 3.0;
  for (int p = 0; p < 3; p++) {
    add_vector(middle, 1.0, point[p]); /* three times the middle */
    add_product(squares, 1.0, point[p], point[p]);
  }
  add_product(squares, 1.0, middle, middle); /* 12 / area times the triangle's own, 20 / volume the tetrahedron's */
  sum->volume[0] += volume;
  sum->volume[1] += area;
  add_vector(sum->first[0], volume / 4.0, middle);
  add_vector(sum->first[1], area / 3.0, middle);
  add_vector(sum->first[2], area / 2.0, normal);
  for (int p = 0; p < 6; p++) {
    sum->second[0][p] += volume / 20.0 * squares[p];
    sum->second[1][p] += area / 12.0 * squares[p];
  }
  add_product(sum->second[2], area / 3.0, middle, normal);
  add_product(sum->second[3], area / 3.0, normal, normal);
}

/* A sector of a cylinder, from the normal of one face to that of the other; theta: the turn between them. */
static void add_edge(moments *sum, const double *p, const double *q, const double a[3], const double b[3],
                     double theta)
{
  double along[3], across[3], both[3], mean[3] = {0.0, 0.0, 0.0}, squares[6] = {0.0};
  way(p, q, along);
  const double whole = length(along), cosine = dot(a, b);
  for (int k = 0; k < 3; k++) across[k] = b[k] - cosine * a[k];
  const double sine = length(across);
  for (int k = 0; k < 3; k++) {
    across[k] /= sine;
    both[k] = p[k] + q[k];
  }
  add_vector(mean, sine, a);
  add_vector(mean, 1.0 - cosine, across);
  add_product(squares, 1.0, p, p);
  add_product(squares, 1.0, q, q);
  add_product(squares, 1.0, both, both); /* 6 / length times the segment's */
  sum->volume[2] += 0.5 * theta * whole;
  add_vector(sum->first[2], 0.25 * theta * whole, both);
  add_vector(sum->first[3], whole / 3.0, mean);
  for (int k = 0; k < 6; k++) sum->second[2][k] += theta * whole / 12.0 * squares[k];
  add_product(sum->second[3], whole / 3.0, both, mean);
  add_product(sum->second[4], 0.125 * whole * (theta + sine * cosine), a, a);
  add_product(sum->second[4], 0.125 * whole * (theta - sine * cosine), across, across);
  add_product(sum->second[4], 0.25 * whole * sine * sine, a, across);
}

/* The turn at an edge, between the normals of its faces. */
static double turn_at(const polyhedron *made, const polyhedron_edge *edge)
{
  double product[3];
  cross(made->normal[edge->left], made->normal[edge->right], product);
  return floc_atan2(length(product), dot(made->normal[edge->left], made->normal[edge->right]));
}

/* The solid angle of a corner's normal cone: 2 pi less the angles of its faces there (Descartes). */
static void find_solid_angles(const polyhedron *made, double angle[POLYHEDRON_CORNERS])
{
  for (int32_t k = 0; k < made->corners; k++) angle[k] = 2.0 * pi;
  for (int32_t f = 0; f < made->faces; f++) {
    const int32_t begin = made->begin[f], end = made->begin[f + 1];
    for (int32_t k = begin; k < end; k++) {
      const int32_t at = made->loop[k];
      double in[3], out[3], product[3];
      way(made->corner[at], made->corner[made->loop[k > begin ? k - 1 : end - 1]], in);
      way(made->corner[at], made->corner[made->loop[k + 1 < end ? k + 1 : begin]], out);
      cross(in, out, product);
      angle[at] -= floc_atan2(length(product), dot(in, out));
    }
  }
}

static void add_corners(const polyhedron *made, moments *sum)
{
  double angle[POLYHEDRON_CORNERS], mean[POLYHEDRON_CORNERS][3];
  memset(mean, 0, sizeof mean);
  find_solid_angles(made, angle);
  for (int32_t e = 0; e < made->edges; e++) {
    const polyhedron_edge *edge = &made->edge[e];
    double along[3];
    way(made->corner[edge->from], made->corner[edge->to], along);
    const double half = 0.5 * turn_at(made, edge) / length(along);
    add_vector(mean[edge->from], -half, along);
    add_vector(mean[edge->to], half, along);
  }
  for (int32_t k = 0; k < made->corners; k++) {
    const double *corner = made->corner[k];
    add_vector(sum->first[3], angle[k] / 3.0, corner);
    add_product(sum->second[3], angle[k] / 3.0, corner, corner);
    add_product(sum->second[4], 0.5, corner, mean[k]);
  }
  sum->volume[3] = 4.0 / 3.0 * pi;
  for (int k = 0; k < 3; k++) sum->second[5][k] = 4.0 / 15.0 * pi;
}

static moments find_moments(const polyhedron *made)
{
  moments sum;
  memset(&sum, 0, sizeof sum);
  for (int32_t f = 0; f < made->faces; f++)
    for (int32_t k = made->begin[f] + 1; k + 1 < made->begin[f + 1]; k++)
      add_triangle(&sum, made->corner[made->loop[made->begin[f]]], made->corner[made->loop[k]],
                   made->corner[made->loop[k + 1]], made->normal[f]);
  for (int32_t e = 0; e < made->edges; e++) {
    const polyhedron_edge *edge = &made->edge[e];
    add_edge(&sum, made->corner[edge->from], made->corner[edge->to], made->normal[edge->left],
             made->normal[edge->right], turn_at(made, edge));
  }
  add_corners(made, &sum);
  return sum;
}

static void keep_moments(polyhedron *made)
{
  const moments sum = find_moments(made);
  memcpy(made->volume, sum.volume, sizeof made->volume);
  memcpy(made->second, sum.second, sizeof made->second);
}

/* ---- making ---- */

static void move_and_scale(polyhedron *made, const double centre[3], double scale)
{
  for (int32_t k = 0; k < made->corners; k++)
    for (int c = 0; c < 3; c++) made->corner[k][c] = scale * (made->corner[k][c] - centre[c]);
}

static void to_size_one(polyhedron *made, const double centre[3])
{
  static const double nowhere[3] = {0.0, 0.0, 0.0};
  move_and_scale(made, centre, 1.0);
  move_and_scale(made, nowhere, 1.0 / farthest(made));
}

/* The rounding goes with the scale, which goes with the centre: a few rounds. */
static void center(polyhedron *made, double rounding)
{
  const double r = rounding / (1.0 - rounding);
  for (int round = 0; round < 60; round++) {
    const moments sum = find_moments(made);
    const double volume = sum.volume[0] + (sum.volume[1] + (sum.volume[2] + sum.volume[3] * r) * r) * r;
    double middle[3];
    for (int c = 0; c < 3; c++)
      middle[c] = (sum.first[0][c] + (sum.first[1][c] + (sum.first[2][c] + sum.first[3][c] * r) * r) * r) / volume;
    to_size_one(made, middle);
  }
}

static floc_status check_corners(environment *env, const double (*corners)[3], int32_t count)
{
  if (count < 4 || count > POLYHEDRON_CORNERS)
    return refuse(env, FLOC_INVALID_ARGUMENT, "a polyhedron has %d corners; it must have 4 to %d", (int)count,
                  POLYHEDRON_CORNERS);
  for (int32_t k = 0; k < count; k++) {
    for (int c = 0; c < 3; c++)
      if (!(fabs(corners[k][c]) <= 1e100))
        return refuse(env, FLOC_INVALID_ARGUMENT,
                      "corner %d of the polyhedron has the coordinate %g; it must be finite", (int)k + 1,
                      corners[k][c]);
    for (int32_t m = 0; m < k; m++)
      if (memcmp(corners[m], corners[k], sizeof corners[k]) == 0)
        return refuse(env, FLOC_INVALID_ARGUMENT, "corners %d and %d of the polyhedron are the same point",
                      (int)m + 1, (int)k + 1);
  }
  return FLOC_OK;
}

/* What is wrong with corners that are no polyhedron's, each of them. */
static floc_status refuse_hull(environment *env, const polyhedron *made, bool closed, const double (*corners)[3])
{
  if (made->faces == 0)
    return refuse(env, FLOC_INVALID_ARGUMENT, "the %d corners of the polyhedron lie in one plane",
                  (int)made->corners);
  const uint32_t seen = corners_of_faces(made);
  for (int32_t k = 0; k < made->corners; k++)
    if (!(seen >> k & 1u))
      return refuse(
          env, FLOC_INVALID_ARGUMENT,
          "corner %d of the polyhedron, (%g, %g, %g), is none of the hull of all: it lies inside of it, or "
          "on a face or an edge between others",
          (int)k + 1, corners[k][0], corners[k][1], corners[k][2]);
  if (closed) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT,
                "corners of the polyhedron lie so nearly in one plane that its faces cannot be told apart");
}

floc_status polyhedron_make(environment *env, const double (*corners)[3], int32_t count, double rounding,
                            polyhedron *made)
{
  double middle[3] = {0.0, 0.0, 0.0};
  floc_status status = check_corners(env, corners, count);
  if (status != FLOC_OK) return status;
  memset(made, 0, sizeof *made);
  made->corners = count;
  memcpy(made->corner, corners, (size_t)count * sizeof *corners);
  for (int32_t k = 0; k < count; k++) add_vector(middle, 1.0 / count, corners[k]);
  to_size_one(made, middle);
  const bool closed = find_hull(made);
  status = refuse_hull(env, made, closed, corners);
  if (status != FLOC_OK) return status;
  center(made, rounding);
  polyhedron again;
  if (!polyhedron_restore((const double(*)[3])made->corner, count, &again))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "corners of the polyhedron lie so nearly in one plane that its faces cannot be told apart");
  *made = again;
  return FLOC_OK;
}

bool polyhedron_restore(const double (*corners)[3], int32_t count, polyhedron *made)
{
  memset(made, 0, sizeof *made);
  if (count < 4 || count > POLYHEDRON_CORNERS) return false;
  made->corners = count;
  memcpy(made->corner, corners, (size_t)count * sizeof *corners);
  for (int32_t k = 0; k < count; k++)
    if (!(length(made->corner[k]) <= 1.0 + 1e-9)) return false;
  const uint32_t all = count == 32 ? UINT32_MAX : (1u << count) - 1u;
  if (!find_hull(made) || made->faces < 4 || corners_of_faces(made) != all) return false;
  keep_moments(made);
  return made->volume[0] > 0.0;
}

double polyhedron_volume(const polyhedron *form, double radius, double rounding)
{
  const double s = radius - rounding, r = rounding, *v = form->volume;
  return ((v[0] * s + v[1] * r) * s + v[2] * r * r) * s + v[3] * r * r * r;
}

void polyhedron_inertia(const polyhedron *form, double mass, double radius, double rounding, double inertia[6])
{
  const double s = radius - rounding, r = rounding, density = mass / polyhedron_volume(form, radius, rounding);
  double second[6];
  for (int p = 0; p < 6; p++) {
    double power = 1.0;
    second[p] = 0.0;
    for (int k = 0; k < 6; k++) {
      second[p] = second[p] * s + form->second[k][p] * power;
      power *= r;
    }
    second[p] *= density;
  }
  const double trace = second[0] + second[1] + second[2];
  for (int p = 0; p < 6; p++) inertia[p] = (p < 3 ? trace : 0.0) - second[p];
}
