/*
 * engine/particles/polyhedra.c: volume and moments against formulas and sums over random points.
 * engine/geometry/convex/polyhedron.c: distances against a search over all triangles and edges that corners make,
 * in long double, which knows no hull; rows that leave nothing out in first order.
 */
#include "geometry/random_shapes.h"
#include "support.h"

#include "geometry/convex/polyhedron.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"
#include "particles/grain_shapes.h"

#include <math.h>
#include <string.h>

enum { PAIRS = SLOWED ? 300 : 10000, DIRECTIONS = SLOWED ? 20 : 100 };

typedef struct placed {
  polyhedron form;
  double corner[POLYHEDRON_CORNERS][3], normal[POLYHEDRON_FACES][3];
  double rounding;
  polyhedron_core core;
} placed;

static dice drawn = {.seed = 12};

/* The core scaled, and turned by a rotation vector. */
static void place(placed *one, double scale, const double by[3])
{
  double quaternion[4], matrix[3][3];
  rotation_from_vector(by, quaternion);
  rotation_matrix(quaternion, matrix);
  for (int32_t k = 0; k < one->form.corners; k++)
    for (int c = 0; c < 3; c++) one->corner[k][c] = scale * vector_dot(matrix[c], one->form.corner[k]);
  for (int32_t k = 0; k < one->form.faces; k++)
    for (int c = 0; c < 3; c++) one->normal[k][c] = vector_dot(matrix[c], one->form.normal[k]);
  one->core = (polyhedron_core){&one->form, (const double(*)[3])one->corner, (const double(*)[3])one->normal,
                                one->rounding};
}

static void make(const double (*corners)[3], int32_t count, double rounding, polyhedron *made)
{
  environment env = test_environment(1);
  assert_ok(&env, polyhedron_make(&env, corners, count, rounding, made));
}

static const double cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

/* A box now and then, whose faces have more than three corners; else corners on an ellipsoid. */
static void draw_placed(int32_t count, double size, placed *one)
{
  double corners[POLYHEDRON_CORNERS][3], axes[3], by[3];
  for (int c = 0; c < 3; c++) axes[c] = throw_between(&drawn, 0.5, 1.0);
  for (int32_t k = 0; k < count; k++) {
    throw_direction(&drawn, 3, corners[k]);
    for (int c = 0; c < 3; c++) corners[k][c] = axes[c] * (count == 8 ? cube[k][c] : corners[k][c]);
  }
  one->rounding = size * throw_between(&drawn, 0.02, 0.2);
  make((const double(*)[3])corners, count, one->rounding / size, &one->form);
  throw_direction(&drawn, 3, by);
  for (int c = 0; c < 3; c++) by[c] *= throw_between(&drawn, 0.0, 3.0);
  place(one, size - one->rounding, by);
}

/* ---- the search ---- */

typedef long double number;

static number dot(const number a[3], const number b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static number between_0_and_1(number x)
{
  return x < 0.0L ? 0.0L : x > 1.0L ? 1.0L : x;
}

/* Squares of distances: of two segments p + s u and q + t v. */
static number of_segments(const number p[3], const number u[3], const number q[3], const number v[3])
{
  number w[3], rest[3], least = INFINITY;
  for (int k = 0; k < 3; k++) w[k] = q[k] - p[k];
  const number uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v),
               scale = uu * vv - uv * uv;
  number s[5] = {0.0L, 1.0L, between_0_and_1(wu / uu), between_0_and_1((wu + uv) / uu), 0.0L};
  number t[5] = {between_0_and_1(-wv / vv), between_0_and_1((uv - wv) / vv), 0.0L, 1.0L, 0.0L};
  int tries = 4;
  if (scale > 1e-14L * uu * vv) {
    s[4] = (wu * vv - wv * uv) / scale;
    t[4] = (uv * wu - uu * wv) / scale;
    if (s[4] >= 0.0L && s[4] <= 1.0L && t[4] >= 0.0L && t[4] <= 1.0L) tries = 5;
  }
  for (int k = 0; k < tries; k++) {
    for (int c = 0; c < 3; c++) rest[c] = w[c] + t[k] * v[c] - s[k] * u[c];
    least = fminl(least, dot(rest, rest));
  }
  return least;
}

/* Of a point over a triangle; INFINITY: its foot is outside. */
static number over_triangle(const number p[3], const number a[3], const number b[3], const number c[3])
{
  number u[3], v[3], w[3], n[3];
  for (int k = 0; k < 3; k++) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
    w[k] = p[k] - a[k];
  }
  for (int k = 0; k < 3; k++) n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
  const number uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v),
               scale = uu * vv - uv * uv, s = vv * wu - uv * wv, t = uu * wv - uv * wu;
  if (s < 0.0L || t < 0.0L || s + t > scale) return INFINITY;
  return dot(w, n) * dot(w, n) / dot(n, n);
}

typedef struct cloud {
  int32_t count;
  number point[POLYHEDRON_CORNERS][3];
} cloud;

static cloud cloud_of(const double (*corner)[3], int32_t count, const double shift[3])
{
  cloud made = {.count = count};
  for (int32_t k = 0; k < count; k++)
    for (int c = 0; c < 3; c++) made.point[k][c] = (number)corner[k][c] + shift[c];
  return made;
}

static number corners_over_triangles(const cloud *of, const cloud *other)
{
  number least = INFINITY;
  for (int32_t a = 0; a < other->count; a++)
    for (int32_t b = a + 1; b < other->count; b++)
      for (int32_t c = b + 1; c < other->count; c++)
        for (int32_t k = 0; k < of->count; k++)
          least = fminl(least, over_triangle(of->point[k], other->point[a], other->point[b], other->point[c]));
  return least;
}

/* Every triangle and segment of corners belongs to the hull, so the least of their distances is that of the hulls,
 * which are apart. */
static number distance_of_clouds(const cloud *first, const cloud *second)
{
  number least = fminl(corners_over_triangles(first, second), corners_over_triangles(second, first));
  for (int32_t a = 0; a < first->count; a++)
    for (int32_t b = a + 1; b < first->count; b++)
      for (int32_t c = 0; c < second->count; c++)
        for (int32_t d = c + 1; d < second->count; d++) {
          number u[3], v[3];
          for (int k = 0; k < 3; k++) {
            u[k] = first->point[b][k] - first->point[a][k];
            v[k] = second->point[d][k] - second->point[c][k];
          }
          least = fminl(least, of_segments(first->point[a], u, second->point[c], v));
        }
  return sqrtl(least);
}

static double least_of(const placed *a, const placed *b, const double between[3], double reach)
{
  convex_row rows[CONVEX_ROWS];
  return convex_least(rows, polyhedron_rows(&a->core, &b->core, between, reach, rows));
}

static void distances_are_those_of_a_search(void **state)
{
  (void)state;
  static const double nowhere[3] = {0.0, 0.0, 0.0};
  int32_t apart = 0, overlapping = 0;
  for (int k = 0; k < PAIRS; k++) {
    static placed a, b;
    double between[3], way[3];
    draw_placed(k % 100 == 0 ? 8 : 4 + k % 2, 1.0, &a);
    draw_placed(k % 100 < 2 ? 8 : 4 + k / 3 % 2, 0.8, &b);
    throw_direction(&drawn, 3, way);
    for (int c = 0; c < 3; c++) between[c] = 2.0 * way[c];
    for (int round = 0; round < 2; round++)
      vector_add_scaled(between, throw_between(&drawn, -0.1, 0.3) - least_of(&a, &b, between, 10.0), way, between);
    const double back[3] = {-between[0], -between[1], -between[2]}, found = least_of(&a, &b, between, 10.0);
    if (!(found > 1e-6 - a.rounding - b.rounding)) continue; /* cores that meet */
    const cloud first = cloud_of((const double(*)[3])a.corner, a.form.corners, nowhere),
                second = cloud_of((const double(*)[3])b.corner, b.form.corners, between);
    const double expected = (double)(distance_of_clouds(&first, &second) - a.rounding - b.rounding);
    assert_close(found, expected, 1e-12);
    assert_close(least_of(&b, &a, back, 10.0), expected, 1e-12);
    if (expected > 0.0) assert_close(least_of(&a, &b, between, expected + 1e-9), expected, 1e-12);
    apart += expected > 0.0;
    overlapping += expected < 0.0;
  }
  assert_true(apart > PAIRS / 3);
  assert_true(overlapping > PAIRS / 50);
}

static void and_from_points_segments_and_triangles(void **state)
{
  (void)state;
  static const double nowhere[3] = {0.0, 0.0, 0.0};
  int32_t compared = 0;
  for (int k = 0; k < PAIRS / 20; k++) {
    static placed a;
    double corner[3][3], between[3], way[3];
    const int32_t count = 1 + k % 3;
    convex_row rows[CONVEX_ROWS];
    draw_placed(k % 10 == 0 ? 8 : 6, 1.0, &a);
    for (int p = 0; p < 3; p++) throw_direction(&drawn, 3, corner[p]);
    const solid_core other = {count, (const double(*)[3])corner, 0.1};
    throw_direction(&drawn, 3, way);
    for (int c = 0; c < 3; c++) between[c] = 3.0 * way[c];
    for (int round = 0; round < 2; round++) {
      const int32_t found = polyhedron_solid_rows(&a.core, &other, between, 10.0, rows);
      vector_add_scaled(between, throw_between(&drawn, -0.05, 0.2) - convex_least(rows, found), way, between);
    }
    const double found = convex_least(rows, polyhedron_solid_rows(&a.core, &other, between, 10.0, rows));
    if (!(found > 1e-6 - a.rounding - 0.1)) continue;
    const cloud first = cloud_of((const double(*)[3])a.corner, a.form.corners, nowhere);
    cloud second = cloud_of((const double(*)[3])corner, count, between);
    if (count == 1) { /* so that it is a segment, however short */
      second.count = 2;
      memcpy(second.point[1], second.point[0], sizeof second.point[0]);
      second.point[1][0] += 1e-18L;
    }
    const double expected = (double)(distance_of_clouds(&first, &second) - a.rounding - 0.1);
    assert_close(found, expected, 1e-12);
    compared++;
  }
  assert_true(compared > PAIRS / 40);
}

/* The least way apart is along a face's normal or the product of two edges; of all directions tried none needs
 * less. */
static void cores_that_overlap_are_pushed_along_the_least_way(void **state)
{
  (void)state;
  for (int k = 0; k < DIRECTIONS; k++) {
    static placed a, b;
    double between[3], n[3];
    convex_row rows[CONVEX_ROWS];
    draw_placed(k % 5 == 0 ? 8 : 6, 1.0, &a);
    draw_placed(6, 1.0, &b);
    throw_direction(&drawn, 3, between);
    for (int c = 0; c < 3; c++) between[c] *= throw_between(&drawn, 0.1, 0.6);
    const int32_t count = polyhedron_rows(&a.core, &b.core, between, 0.0, rows);
    assert_true(count > 0);
    const double depth = -convex_least(rows, count) - a.rounding - b.rounding;
    if (depth <= 0.0) continue;
    double least = INFINITY;
    for (int d = 0; d < 2000; d++) {
      throw_direction(&drawn, 3, n);
      double overlap = -vector_dot(n, between), one = -INFINITY, two = -INFINITY;
      for (int32_t c = 0; c < a.form.corners; c++) one = fmax(one, vector_dot(n, a.corner[c]));
      for (int32_t c = 0; c < b.form.corners; c++) two = fmax(two, -vector_dot(n, b.corner[c]));
      overlap += one + two;
      least = fmin(least, overlap);
    }
    assert_true(depth <= least + 1e-12);
    assert_true(depth > least - 0.25);
    double moved[3]; /* along the row they come apart */
    int32_t deepest = 0;
    for (int32_t r = 0; r < count; r++)
      if (rows[r].distance < rows[deepest].distance) deepest = r;
    vector_add_scaled(between, depth + 1e-3, rows[deepest].normal, moved);
    assert_close(least_of(&a, &b, moved, 10.0), 1e-3 - a.rounding - b.rounding, 1e-9);
  }
}

/* ---- rows ---- */

/* Bodies near each other turn by up to `turn` and slip by up to that, so that the rows found before are all met and
 * one exactly: the greatest overlap afterwards. aligned: a face lies on a face before, or nearly. */
static double greatest_overlap(double turn, bool aligned)
{
  double greatest = 0.0;
  for (int k = 0; k < (SLOWED ? 200 : 800); k++) {
    static placed grain[2];
    double by[2][3], at[2][3], between[3], way[3], slip[3], needed = -INFINITY;
    for (int side = 0; side < 2; side++) {
      draw_placed(8, 1.0, &grain[side]);
      throw_direction(&drawn, 3, by[side]);
      throw_direction(&drawn, 3, at[side]);
      const double size = throw_between(&drawn, 0.0, turn), start = throw_between(&drawn, 0.0, 3.0);
      for (int c = 0; c < 3; c++) {
        by[side][c] *= size;
        at[side][c] =
            aligned ? (c == 2 ? start : throw_between(&drawn, 0.0, turn) * at[side][c]) : start * at[side][c];
      }
      place(&grain[side], 1.0 - grain[side].rounding, at[side]);
    }
    throw_direction(&drawn, 3, way);
    for (int c = 0; c < 3; c++) between[c] = aligned ? (c == 2 ? 2.0 : 0.4 * way[c]) : 2.0 * way[c];
    if (aligned) memcpy(way, (const double[]){0.0, 0.0, 1.0}, sizeof way);
    for (int round = 0; round < 3; round++)
      vector_add_scaled(between, throw_between(&drawn, 0.0, turn) - least_of(&grain[0], &grain[1], between, 10.0),
                        way, between);
    convex_row rows[CONVEX_ROWS];
    const int32_t found = polyhedron_rows(&grain[0].core, &grain[1].core, between, 8.0 * turn, rows);
    if (found == 0) continue;
    bool usable = true;
    double gaps[CONVEX_ROWS];
    const double *along = rows[0].normal;
    throw_direction(&drawn, 3, slip);
    for (int c = 0; c < 3; c++) slip[c] *= turn;
    for (int32_t r = 0; r < found; r++) {
      double turning[3], gap = rows[r].distance + vector_dot(rows[r].normal, slip);
      vector_cross(rows[r].second, rows[r].normal, turning);
      gap += vector_dot(by[1], turning);
      vector_cross(rows[r].first, rows[r].normal, turning);
      gap -= vector_dot(by[0], turning);
      const double share = vector_dot(rows[r].normal, along);
      gaps[r] = gap;
      if (share > 0.7) needed = fmax(needed, -gap / share);
    }
    for (int32_t r = 0; r < found; r++) /* of other directions, met by what is needed of these? */
      usable &= gaps[r] + needed * vector_dot(rows[r].normal, along) >= -1e-12;
    if (!usable || !(fabs(needed) < 2.0 * turn)) continue;
    for (int side = 0; side < 2; side++)
      for (int32_t c = 0; c < grain[side].form.corners; c++) {
        double quaternion[4], matrix[3][3], old[3];
        rotation_from_vector(by[side], quaternion);
        rotation_matrix(quaternion, matrix);
        memcpy(old, grain[side].corner[c], sizeof old);
        for (int x = 0; x < 3; x++) grain[side].corner[c][x] = vector_dot(matrix[x], old);
        if (c >= grain[side].form.faces) continue;
        memcpy(old, grain[side].normal[c], sizeof old);
        for (int x = 0; x < 3; x++) grain[side].normal[c][x] = vector_dot(matrix[x], old);
      }
    for (int c = 0; c < 3; c++) between[c] += slip[c] + needed * along[c];
    greatest = fmax(greatest, -least_of(&grain[0], &grain[1], between, 10.0));
  }
  return greatest;
}

static void met_rows_overlap_in_second_order(void **state)
{
  (void)state;
  for (int halving = 0; halving < 4; halving++) {
    const double turn = 0.1 / (1 << halving);
    const double faces = greatest_overlap(turn, true), all = greatest_overlap(turn, false);
    if (!(faces <= 5.0 * turn * turn)) fail_msg("turned by %g: faces overlap by %g", turn, faces);
    if (!(all <= 10.0 * turn * turn)) fail_msg("turned by %g: they overlap by %g", turn, all);
    assert_true(all > 0.2 * turn * turn); /* tries that could not overlap show nothing */
  }
}

/* ---- moments ---- */

static void a_box_has_the_moments_of_its_formula(void **state)
{
  (void)state;
  double corners[8][3], inertia[6];
  const double half[3] = {1.0, 0.5, 0.25}, size = sqrt(1.0 + 0.25 + 0.0625);
  polyhedron made;
  for (int k = 0; k < 8; k++)
    for (int c = 0; c < 3; c++) corners[k][c] = 3.0 * half[c] * cube[k][c] + c;
  make((const double(*)[3])corners, 8, 0.0, &made);
  assert_int_equal(made.faces, 6);
  assert_int_equal(made.edges, 12);
  assert_close(polyhedron_volume(&made, size, 0.0), 1.0, 1e-14);
  polyhedron_inertia(&made, 3.0, size, 0.0, inertia);
  for (int c = 0; c < 3; c++) {
    const double a = half[(c + 1) % 3], b = half[(c + 2) % 3];
    assert_close(inertia[c], a * a + b * b, 1e-14);
    assert_close(inertia[3 + c], 0.0, 1e-14);
  }
  /* rounded: 8 a b c + 8 (ab + bc + ca) r + 2 pi (a + b + c) r^2 + 4/3 pi r^3 */
  const double r = 0.1;
  assert_close(polyhedron_volume(&made, size + r, r),
               1.0 + 8.0 * r * 0.875 + 2.0 * 3.14159265358979323846 * 1.75 * r * r +
                   4.0 / 3.0 * 3.14159265358979323846 * r * r * r,
               1e-13);
  polyhedron_inertia(&made, 1.0, 1.0, 1.0 - 1e-12, inertia); /* a ball */
  for (int c = 0; c < 3; c++) assert_close(inertia[c], 0.4, 1e-11);
}

/* Of a rounded polyhedron without symmetry: a sum over a grid of points. */
static void moments_are_those_of_a_grid(void **state)
{
  (void)state;
  static placed one;
  const double rounding = 0.3;
  const int n = SLOWED ? 20 : 40;
  double volume = 0.0, first[3] = {0.0, 0.0, 0.0}, second[6] = {0.0}, inertia[6], corner[1][3] = {{0.0, 0.0, 0.0}};
  static const double corners[5][3] = {{0, 0, 0}, {2, 0, 0.3}, {0, 1.5, 0}, {0.2, 0.4, 1.2}, {1.5, 1.2, 0.2}};
  const solid_core point = {1, (const double(*)[3])corner, 0.0};
  one.rounding = rounding;
  make(corners, 5, rounding, &one.form);
  place(&one, 1.0 - rounding, corner[0]);
  const double cell = 2.0 / n;
  for (int a = 0; a < n * n * n; a++) {
    const double at[3] = {(a % n + 0.5) * cell - 1.0, (a / n % n + 0.5) * cell - 1.0,
                          (a / n / n + 0.5) * cell - 1.0};
    convex_row rows[CONVEX_ROWS];
    if (!(convex_least(rows, polyhedron_solid_rows(&one.core, &point, at, 0.0, rows)) <= 0.0)) continue;
    volume += cell * cell * cell;
    for (int c = 0; c < 3; c++) {
      first[c] += cell * cell * cell * at[c];
      second[c] += cell * cell * cell * at[c] * at[c];
      second[3 + c] += cell * cell * cell * at[c == 2 ? 1 : 0] * at[c == 0 ? 1 : 2];
    }
  }
  const double tolerance = SLOWED ? 2e-2 : 1e-2, own = polyhedron_volume(&one.form, 1.0, rounding);
  assert_close(own, volume, tolerance);
  polyhedron_inertia(&one.form, own, 1.0, rounding, inertia);
  for (int c = 0; c < 3; c++) {
    assert_close(first[c], 0.0, tolerance);
    assert_close(inertia[c], second[(c + 1) % 3] + second[(c + 2) % 3], tolerance);
    assert_close(inertia[3 + c], -second[3 + c], tolerance);
  }
}

static void refused(const char *words, int32_t count, const double (*corners)[3])
{
  environment env = test_environment(1);
  polyhedron made;
  assert_int_equal(polyhedron_make(&env, corners, count, 0.02, &made), FLOC_INVALID_ARGUMENT);
  if (!strstr(env.message, words)) fail_msg("\"%s\" does not say \"%s\"", env.message, words);
}

static void wrong_corners_are_named(void **state)
{
  (void)state;
  double corners[9][3];
  memcpy(corners, cube, sizeof cube);
  memset(corners[8], 0, sizeof corners[8]);
  refused("corner 9 of the polyhedron, (0, 0, 0), is none of the hull", 9, (const double(*)[3])corners);
  corners[8][2] = 1.0;
  refused("corner 9", 9, (const double(*)[3])corners);
  corners[8][0] = 1.0; /* on an edge */
  refused("corner 9", 9, (const double(*)[3])corners);
  corners[8][1] = 1.0;
  refused("corners 8 and 9 of the polyhedron are the same point", 9, (const double(*)[3])corners);
  refused("the 4 corners of the polyhedron lie in one plane", 4, cube);
  refused("3 corners; it must have 4 to 32", 3, cube);
  corners[8][1] = NAN;
  refused("corner 9 of the polyhedron has the coordinate nan", 9, (const double(*)[3])corners);
}

/* Who gives corners in space learns of points. */
static void corners_in_the_plane_are_refused_in_space(void **state)
{
  (void)state;
  environment env = test_environment(1);
  floc_grain_shape_options options;
  grain_shape made;
  for (int32_t count = 0; count < 5; count++) {
    floc_grain_shape_options_init(&options);
    options.corner_count = count;
    options.regular = count == 4;
    if (count == 2) continue;
    assert_int_equal(grain_shape_make(&env, 3, &options, &made),
                     count < 2 ? FLOC_INVALID_ARGUMENT : FLOC_NOT_SUPPORTED);
    assert_non_null(strstr(env.message, count == 4 ? "regular is set" : "corner_count is "));
    assert_non_null(strstr(env.message, "point_count and points of a polyhedron"));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_are_those_of_a_search),
      cmocka_unit_test(and_from_points_segments_and_triangles),
      cmocka_unit_test(cores_that_overlap_are_pushed_along_the_least_way),
      cmocka_unit_test(met_rows_overlap_in_second_order),
      cmocka_unit_test(a_box_has_the_moments_of_its_formula),
      cmocka_unit_test(moments_are_those_of_a_grid),
      cmocka_unit_test(wrong_corners_are_named),
      cmocka_unit_test(corners_in_the_plane_are_refused_in_space),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
