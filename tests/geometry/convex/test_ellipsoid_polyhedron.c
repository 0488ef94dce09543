/*
 * engine/geometry/convex/ellipsoid_corners.c: distances of ellipsoids to polyhedra, triangles and segments against
 * a search, in long double, over all points of faces and edges, whose distance to the ellipsoid it finds by a
 * multiplier and not by a normal; touching at a corner, an edge and a face; cores that overlap. How rows turn is in
 * geometry/test_ellipsoid.c.
 */
#include "geometry/random_shapes.h"
#include "support.h"

#include "geometry/convex/ellipsoid.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { PAIRS = SLOWED ? 8 : 60, OVERLAPS = SLOWED ? 60 : 600 };

typedef long double number;

static dice drawn = {.seed = 7};

typedef struct ellipsoid {
  double length[3], unit[3][3]; /* semi-axes and their directions */
  double axis[3][3];
  ellipsoid_core core;
} ellipsoid;

typedef struct solid {
  polyhedron form;
  double corner[POLYHEDRON_CORNERS][3], normal[POLYHEDRON_FACES][3];
  polyhedron_core core;
} solid;

static void draw_matrix(double matrix[3][3])
{
  double by[3], quaternion[4];
  throw_direction(&drawn, 3, by);
  for (int c = 0; c < 3; c++) by[c] *= throw_between(&drawn, 0.0, 3.0);
  rotation_from_vector(by, quaternion);
  rotation_matrix(quaternion, matrix);
}

static void make_ellipsoid(const double length[3], double (*matrix)[3], ellipsoid *one)
{
  for (int k = 0; k < 3; k++) {
    one->length[k] = length[k];
    for (int c = 0; c < 3; c++) {
      one->unit[k][c] = matrix[c][k];
      one->axis[k][c] = length[k] * matrix[c][k];
    }
  }
  one->core = (ellipsoid_core){3, &one->axis[0][0]};
}

static void draw_ellipsoid(double aspect, ellipsoid *one)
{
  double matrix[3][3], length[3] = {1.0, 1.0 / aspect, throw_between(&drawn, 1.0 / aspect, 1.0)};
  draw_matrix(matrix);
  make_ellipsoid(length, matrix, one);
}

static void make_solid(const double (*corners)[3], int32_t count, double rounding, double (*matrix)[3], solid *one)
{
  environment env = test_environment(1);
  assert_ok(&env, polyhedron_make(&env, corners, count, rounding, &one->form));
  for (int32_t k = 0; k < one->form.corners; k++)
    for (int c = 0; c < 3; c++) one->corner[k][c] = (1.0 - rounding) * vector_dot(matrix[c], one->form.corner[k]);
  for (int32_t k = 0; k < one->form.faces; k++)
    for (int c = 0; c < 3; c++) one->normal[k][c] = vector_dot(matrix[c], one->form.normal[k]);
  one->core =
      (polyhedron_core){&one->form, (const double(*)[3])one->corner, (const double(*)[3])one->normal, rounding};
}

/* A box of 8 corners, else corners on a ball. */
static void draw_solid(int32_t count, double rounding, solid *one)
{
  double corners[POLYHEDRON_CORNERS][3], matrix[3][3], axes[3];
  for (int c = 0; c < 3; c++) axes[c] = throw_between(&drawn, 0.3, 1.0);
  for (int32_t k = 0; k < count; k++) {
    throw_direction(&drawn, 3, corners[k]);
    for (int c = 0; c < 3 && count == 8; c++) corners[k][c] = (k >> c & 1) ? axes[c] : -axes[c];
  }
  draw_matrix(matrix);
  make_solid((const double(*)[3])corners, count, rounding, matrix, one);
}

/* ---- the search ---- */

/* Of a point to the ellipsoid about 0, and the direction from the nearest point: x_k = a_k^2 p_k / (a_k^2 + t),
 * with the t at which it is on the surface. 0: the point is inside. */
static number to_point(const ellipsoid *one, const number p[3], number direction[3])
{
  number along[3], way[3], sum, slope, t = 0.0L, square = 0.0L;
  for (int k = 0; k < 3; k++) along[k] = one->unit[k][0] * p[0] + one->unit[k][1] * p[1] + one->unit[k][2] * p[2];
  for (int round = 0; round < 200; round++) {
    sum = -1.0L;
    slope = 0.0L;
    for (int k = 0; k < 3; k++) {
      const number a = one->length[k], part = a * along[k] / (a * a + t);
      sum += part * part;
      slope -= 2.0L * part * part / (a * a + t);
    }
    if (!(sum > 0.0L) || t - sum / slope == t) break;
    t -= sum / slope; /* convex and falling: never too far */
  }
  for (int k = 0; k < 3; k++) {
    const number a = one->length[k];
    way[k] = t * along[k] / (a * a + t);
    square += way[k] * way[k];
  }
  for (int c = 0; c < 3; c++)
    direction[c] =
        square > 0.0L
            ? (one->unit[0][c] * way[0] + one->unit[1][c] * way[1] + one->unit[2][c] * way[2]) / sqrtl(square)
            : 0.0L;
  return sqrtl(square);
}

static number dot(const number a[3], const number b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Nearest of p + t u, 0 <= t <= 1, where the convex distance ceases to fall. */
static number to_segment(const ellipsoid *one, const number p[3], const number u[3], number direction[3])
{
  number lower = 0.0L, upper = 1.0L, least = INFINITY, n[3], at[3];
  for (int round = 0; round < 90; round++) {
    const number t = round == 0 ? 0.0L : round == 1 ? 1.0L : (lower + upper) / 2;
    for (int c = 0; c < 3; c++) at[c] = p[c] + t * u[c];
    const number distance = to_point(one, at, n), slope = dot(n, u);
    if (distance < least) {
      least = distance;
      memcpy(direction, n, sizeof n);
    }
    if ((round == 0 && slope >= 0.0L) || (round == 1 && slope <= 0.0L) || slope == 0.0L) break;
    if (round < 2) continue;
    if (slope > 0.0L)
      upper = t;
    else
      lower = t;
    if (upper - lower < 1e-17L) break;
  }
  return least;
}

/* Of a triangle: of the segments from its side p + t u to that behind, the nearest. */
static number to_triangle(const ellipsoid *one, const number a[3], const number b[3], const number c[3])
{
  number lower = 0.0L, upper = 1.0L, least = INFINITY;
  for (int round = 0; round < 90 && upper - lower > 1e-14L; round++) {
    const number t = (lower + upper) / 2;
    number p[3], u[3], n[3], along[3];
    for (int k = 0; k < 3; k++) { /* parallel to bc, at t of the way from a */
      p[k] = a[k] + t * (b[k] - a[k]);
      u[k] = t * (c[k] - b[k]);
      along[k] = b[k] - a[k];
    }
    const number distance = to_segment(one, p, u, n);
    least = fminl(least, distance);
    if (distance == 0.0L) return 0.0L;
    /* at the nearest point (where n.u = 0, or at an end) the distance changes with t by n . its motion */
    number end[3], other[3], rate;
    for (int k = 0; k < 3; k++) end[k] = c[k] - a[k];
    (void)other;
    const number across = dot(n, u);
    rate = fabsl(across) < 1e-12L * sqrtl(dot(u, u)) ? dot(n, along) : across > 0.0L ? dot(n, along) : dot(n, end);
    if (rate > 0.0L)
      upper = t;
    else
      lower = t;
  }
  return least;
}

/* Of cores that are apart: the least over all edges and faces. */
static double distance_by_search(const ellipsoid *one, const polyhedron_core *other, const double between[3])
{
  number p[POLYHEDRON_CORNERS][3], u[3], n[3], least = INFINITY;
  const polyhedron *form = other->form;
  for (int32_t k = 0; k < form->corners; k++) {
    for (int c = 0; c < 3; c++) p[k][c] = (number)other->corner[k][c] + between[c];
    least = fminl(least, to_point(one, p[k], n));
  }
  for (int32_t e = 0; e < form->edges; e++) {
    for (int c = 0; c < 3; c++) u[c] = p[form->edge[e].to][c] - p[form->edge[e].from][c];
    least = fminl(least, to_segment(one, p[form->edge[e].from], u, n));
  }
  for (int32_t f = 0; f < form->faces; f++)
    for (int32_t k = form->begin[f] + 1; k + 1 < form->begin[f + 1]; k++)
      least = fminl(least, to_triangle(one, p[form->loop[form->begin[f]]], p[form->loop[k]], p[form->loop[k + 1]]));
  return (double)(least - other->rounding);
}

/* ---- distances ---- */

static double least_of(const ellipsoid *one, const polyhedron_core *other, const double between[3], double reach)
{
  convex_row rows[CONVEX_ROWS];
  return convex_least(rows, ellipsoid_polyhedron_rows(&one->core, other, between, reach, rows));
}

/* Moves the second so that they are about that far apart. */
static void bring_near(const ellipsoid *one, const polyhedron_core *other, double gap, double between[3])
{
  double way[3];
  throw_direction(&drawn, 3, way);
  for (int c = 0; c < 3; c++) between[c] = 2.1 * way[c];
  for (int round = 0; round < 40; round++) {
    const double now = least_of(one, other, between, 10.0);
    vector_add_scaled(between, gap - now, way, between);
    if (fabs(gap - now) < 1e-3) return;
  }
}

static void distances_are_those_of_a_search(void **state)
{
  (void)state;
  static const double aspects[] = {1.0, 1.5, 3.0, 10.0, 100.0};
  static const int32_t counts[] = {4, 5, 6, 8, 12};
  int32_t rounded_overlaps = 0, apart = 0;
  for (int k = 0; k < PAIRS; k++) {
    static solid other;
    ellipsoid one;
    double between[3];
    draw_ellipsoid(aspects[k % 5], &one);
    draw_solid(counts[k / 5 % 5], throw_between(&drawn, 0.02, 0.2), &other);
    bring_near(&one, &other.core, throw_between(&drawn, -0.9 * other.core.rounding, 0.2), between);
    const double found = least_of(&one, &other.core, between, 10.0),
                 expected = distance_by_search(&one, &other.core, between);
    if (!(found > 1e-6 - other.core.rounding)) continue; /* cores that meet */
    assert_close(found, expected, 1e-12);
    assert_close(least_of(&one, &other.core, between, expected + 1e-9), expected, 1e-12);
    assert_true(least_of(&one, &other.core, between, expected - 1e-9) == INFINITY);
    apart += expected > 0.0;
    rounded_overlaps += expected < 0.0;
  }
  assert_true(apart > PAIRS / 4);
  assert_true(rounded_overlaps > PAIRS / 8);
}

/* ---- cores that overlap ---- */

static double apart_along(const ellipsoid *one, const polyhedron_core *other, const double between[3],
                          const double n[3])
{
  double point[3], least = INFINITY;
  for (int32_t k = 0; k < other->form->corners; k++) least = fmin(least, vector_dot(n, other->corner[k]));
  return vector_dot(n, between) + least - ellipsoid_support(&one->core, n, point);
}

/* No direction that is tried leads apart sooner; and along the row they come apart, no sooner. */
static void cores_that_overlap_are_pushed_along_the_least_way(void **state)
{
  (void)state;
  static const double aspects[] = {1.0, 1.5, 3.0, 10.0};
  int32_t tried = 0;
  for (int k = 0; k < OVERLAPS; k++) {
    static solid other;
    ellipsoid one;
    double between[3], moved[3], n[3];
    convex_row rows[CONVEX_ROWS];
    const double aspect = aspects[k % 4];
    draw_ellipsoid(aspect, &one);
    draw_solid(k % 3 == 0 ? 8 : 6, 0.02, &other);
    /* less than the least radius of curvature */
    bring_near(&one, &other.core, -0.02 - throw_between(&drawn, 0.0, 0.5 / aspect / aspect), between);
    const int32_t count = ellipsoid_polyhedron_rows(&one.core, &other.core, between, 0.0, rows);
    assert_true(count > 0);
    int32_t deepest = 0;
    for (int32_t r = 0; r < count; r++)
      if (rows[r].distance < rows[deepest].distance) deepest = r;
    const double depth = -rows[deepest].distance - other.core.rounding;
    if (!(depth > 0.0)) continue;
    tried++;
    for (int d = 0; d < 500; d++) {
      throw_direction(&drawn, 3, n);
      if (d % 2) { /* near the one found */
        for (int c = 0; c < 3; c++) n[c] = rows[deepest].normal[c] + 0.1 * n[c];
        const double length = vector_length(n);
        for (int c = 0; c < 3; c++) n[c] /= length;
      }
      assert_true(apart_along(&one, &other.core, between, n) <= -depth + 1e-12);
    }
    assert_close(apart_along(&one, &other.core, between, rows[deepest].normal), -depth, 1e-12);
    vector_add_scaled(between, depth + 1e-3, rows[deepest].normal, moved);
    assert_close(least_of(&one, &other.core, moved, 10.0), 1e-3 - other.core.rounding, 1e-9);
  }
  assert_true(tried > OVERLAPS / 2);
}

/* ---- places that are known ---- */

static const double cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

/* An ellipsoid (1, 1/2, 1/4) above a cube that turns a face, an edge, a corner to it: over the middle, its lowest
 * point is as far as its axis says, and there the nearest points are. */
static void faces_edges_and_corners_are_touched(void **state)
{
  (void)state;
  static double straight[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, matrix[3][3];
  static const double length[3] = {1.0, 0.5, 0.25};
  const double half = 1.0 / sqrt(3.0), pi = 3.14159265358979323846;
  const double turns[3][3] = {
      {0, 0, 0}, {pi / 4.0, 0, 0}, {acos(half) * sqrt(0.5), -acos(half) * sqrt(0.5), 0}}; /* z to a corner */
  const double tops[3] = {half, half * sqrt(2.0), 1.0};
  for (int place = 0; place < 3; place++)
    for (double gap = -1e-3; gap <= 1e-3; gap += 1e-3) {
      static solid other;
      ellipsoid one;
      double quaternion[4];
      convex_row rows[CONVEX_ROWS];
      rotation_from_vector(turns[place], quaternion);
      rotation_matrix(quaternion, matrix);
      make_ellipsoid(length, straight, &one);
      make_solid(cube, 8, 0.02, matrix, &other);
      const double between[3] = {0.0, 0.0, -(0.25 + 0.02 + 0.98 * tops[place] + gap)};
      const int32_t count = ellipsoid_polyhedron_rows(&one.core, &other.core, between, 0.01, rows);
      assert_int_equal(count, 1);
      const int32_t base = place == 0 ? POLYHEDRON_FACE : place == 1 ? POLYHEDRON_EDGE : 0;
      assert_true(rows[0].feature[1] >= base && rows[0].feature[1] < base + 12);
      assert_close(rows[0].distance, gap, 1e-15);
      assert_close(rows[0].normal[2], -1.0, 1e-15);
      assert_close(rows[0].first[2], -0.25, 1e-15);
      assert_close(rows[0].second[2], 0.02 + 0.98 * tops[place], 1e-15);
    }
}

/* A ball is the ellipsoid of three equal semi-axes. */
static void a_ball_is_one_of_them(void **state)
{
  (void)state;
  static double corner[1][3];
  for (int k = 0; k < PAIRS; k++) {
    static solid other;
    ellipsoid one;
    double between[3];
    convex_row rows[CONVEX_ROWS];
    draw_ellipsoid(1.0, &one);
    draw_solid(k % 2 ? 8 : 7, 0.05, &other);
    bring_near(&one, &other.core, throw_between(&drawn, -0.04, 0.1), between);
    const solid_core ball = {1, (const double(*)[3])corner, 1.0};
    const double back[3] = {-between[0], -between[1], -between[2]};
    assert_close(least_of(&one, &other.core, between, 1.0),
                 convex_least(rows, polyhedron_solid_rows(&other.core, &ball, back, 1.0, rows)), 1e-13);
  }
}

/* Far from the edges of a face: they are beyond reach, and what has come into it is led out, by however
 * little; of a triangle, without thickness, as of a box. */
static void what_has_come_into_a_wide_face_is_led_out(void **state)
{
  (void)state;
  static const double corner[3][3] = {{-10, -10, 0}, {10, -10, 0}, {0, 20, 0}};
  static double straight[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const double length[3] = {0.05, 0.02, 0.01};
  static solid box;
  ellipsoid one;
  convex_row rows[CONVEX_ROWS];
  make_ellipsoid(length, straight, &one);
  make_solid(cube, 8, 0.001, straight, &box);
  const solid_core triangle = {3, corner, 0.0};
  for (double depth = 1e-13; depth < 0.01; depth *= 10.0) {
    double between[3] = {0.0, 0.0, -(0.01 - depth)};
    assert_int_equal(ellipsoid_solid_rows(&one.core, &triangle, between, 1e-3, rows), 1);
    assert_close(rows[0].distance, -depth, 1e-15);
    assert_close(rows[0].normal[2], -1.0, 1e-15);
    assert_int_equal(rows[0].feature[1], SOLID_FACE);
    between[2] -= 0.001 + 0.999 / sqrt(3.0);
    assert_int_equal(ellipsoid_polyhedron_rows(&one.core, &box.core, between, 1e-3, rows), 1);
    assert_close(rows[0].distance, -depth, 1e-15);
    assert_close(rows[0].normal[2], -1.0, 1e-15);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_are_those_of_a_search),
      cmocka_unit_test(cores_that_overlap_are_pushed_along_the_least_way),
      cmocka_unit_test(faces_edges_and_corners_are_touched),
      cmocka_unit_test(a_ball_is_one_of_them),
      cmocka_unit_test(what_has_come_into_a_wide_face_is_led_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
