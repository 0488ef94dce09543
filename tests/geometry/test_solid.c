/*
 * engine/geometry/convex/solid.c: distances of rounded segments and triangles in space against a minimiser in long
 * double, which shares no code with them; rows that leave nothing out in first order.
 * engine/geometry/convex/solid_grain.c: moments by integration, and free rotation.
 */
#include "random_shapes.h"
#include "support.h"

#include "geometry/convex/solid.h"
#include "geometry/convex/solid_grain.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { PAIRS = SLOWED ? 300 : 10000 };

typedef struct solid {
  double corner[3][3];
  solid_core core;
} solid;

static dice drawn = {.seed = 11};

static double solid_distance(const solid_core *first, const solid_core *second, const double *between, double reach)
{
  convex_row rows[CONVEX_ROWS];
  return convex_least(rows, solid_rows(first, second, between, reach, rows));
}

/* A capsule along an axis of length 1, about its centre. */
static void make_rod(const double axis[3], double half, double rounding, solid *made)
{
  for (int k = 0; k < 3; k++) {
    made->corner[0][k] = -half * axis[k];
    made->corner[1][k] = half * axis[k];
  }
  made->core = (solid_core){2, (const double(*)[3])made->corner, rounding};
}

static void draw_solid(int32_t count, solid *made)
{
  double axis[3];
  throw_direction(&drawn, 3, axis);
  make_rod(axis, throw_between(&drawn, 0.2, 1.0), throw_between(&drawn, 0.05, 0.3), made);
  made->core.count = count;
  for (int k = 0; k < 3 && count == 1; k++) made->corner[0][k] = 0.0;
  if (count == 3) throw_direction(&drawn, 3, made->corner[2]);
}

/* ---- the minimiser ---- */

static long double dot(const long double a[3], const long double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The square of the distance from p to the segment from corner a to corner b. */
static long double to_segment(const long double p[3], const double a[3], const double b[3])
{
  long double along[3], from[3], rest[3];
  for (int k = 0; k < 3; k++) {
    along[k] = (long double)b[k] - a[k];
    from[k] = p[k] - a[k];
  }
  const long double whole = dot(along, along);
  long double part = whole > 0.0L ? dot(from, along) / whole : 0.0L;
  part = part < 0.0L ? 0.0L : part > 1.0L ? 1.0L : part;
  for (int k = 0; k < 3; k++) rest[k] = from[k] - part * along[k];
  return dot(rest, rest);
}

/* To a core; of a triangle, to its plane where all of three areas about the foot have one sign. */
static long double to_core(const long double p[3], const solid *one)
{
  const double(*c)[3] = (const double(*)[3])one->corner;
  if (one->core.count < 3) return to_segment(p, c[0], one->core.count == 1 ? c[0] : c[1]);
  long double u[3], v[3], w[3], n[3], least = INFINITY;
  for (int k = 0; k < 3; k++) {
    u[k] = (long double)c[1][k] - c[0][k];
    v[k] = (long double)c[2][k] - c[0][k];
    w[k] = p[k] - c[0][k];
  }
  for (int k = 0; k < 3; k++) n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
  const long double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v),
                    scale = uu * vv - uv * uv;
  const long double s = (vv * wu - uv * wv) / scale, t = (uu * wv - uv * wu) / scale;
  if (s >= 0.0L && t >= 0.0L && s + t <= 1.0L) return dot(w, n) * dot(w, n) / dot(n, n);
  for (int k = 0; k < 3; k++) least = fminl(least, to_segment(p, c[k], c[(k + 1) % 3]));
  return least;
}

/* Convex in the place along the first core. */
static long double square_at(const solid *a, const solid *b, const double between[3], long double place)
{
  long double p[3];
  for (int k = 0; k < 3; k++)
    p[k] = a->corner[0][k] +
           (a->core.count == 1 ? 0.0L : place * ((long double)a->corner[1][k] - a->corner[0][k])) - between[k];
  return to_core(p, b);
}

static double distance_by_search(const solid *a, const solid *b, const double between[3])
{
  const long double ratio = 0.5L * (sqrtl(5.0L) - 1.0L);
  long double lower = 0.0L, upper = 1.0L,
              best = fminl(square_at(a, b, between, 0.0L), square_at(a, b, between, 1.0L));
  long double one = upper - ratio, two = ratio, at_one = square_at(a, b, between, one),
              at_two = square_at(a, b, between, two);
  for (int k = 0; k < 90 && a->core.count > 1; k++) {
    const bool left = at_one < at_two;
    best = fminl(best, left ? at_one : at_two);
    if (left) {
      upper = two;
      two = one;
      at_two = at_one;
      one = upper - ratio * (upper - lower);
      at_one = square_at(a, b, between, one);
    } else {
      lower = one;
      one = two;
      at_one = at_two;
      two = lower + ratio * (upper - lower);
      at_two = square_at(a, b, between, two);
    }
  }
  return (double)(sqrtl(best) - a->core.rounding - b->core.rounding);
}

static void expect_distance(const solid *a, const solid *b, const double between[3], double expected)
{
  const double back[3] = {-between[0], -between[1], -between[2]};
  assert_close(solid_distance(&a->core, &b->core, between, 10.0), expected, 1e-12);
  assert_close(solid_distance(&b->core, &a->core, back, 10.0), expected, 1e-12);
}

/* Brings two to a distance of less than 0.2, or an overlap of less than their roundings. */
static void bring_near(const solid *a, const solid *b, double between[3])
{
  double way[3];
  throw_direction(&drawn, 3, way);
  for (int k = 0; k < 3; k++) between[k] = 2.5 * way[k];
  for (int round = 0; round < 2; round++) {
    const double surplus = distance_by_search(a, b, between) - throw_between(&drawn, -0.05, 0.2);
    vector_add_scaled(between, -surplus, way, between);
  }
}

static void distances_are_those_of_a_search(void **state)
{
  (void)state;
  static const int32_t counts[][2] = {{2, 2}, {2, 1}, {2, 3}};
  for (int kind = 0; kind < 3; kind++) {
    int32_t apart = 0, overlapping = 0;
    for (int k = 0; k < PAIRS; k++) {
      solid a, b;
      double between[3];
      draw_solid(counts[kind][0], &a);
      draw_solid(counts[kind][1], &b);
      bring_near(&a, &b, between);
      const double expected = distance_by_search(&a, &b, between);
      if (!(expected > 1e-6 - a.core.rounding - b.core.rounding)) continue; /* cores that meet */
      expect_distance(&a, &b, between, expected);
      apart += expected > 0.0;
      overlapping += expected < 0.0;
    }
    assert_true(apart > PAIRS / 4);
    assert_true(overlapping > PAIRS / 100);
  }
}

/* Where the way across is the product of two directions that hardly differ. */
static void and_of_rods_that_are_nearly_parallel(void **state)
{
  (void)state;
  for (int k = 0; k < PAIRS; k++) {
    solid a, b;
    double axis[3], other[3], between[3], length;
    throw_direction(&drawn, 3, axis);
    throw_direction(&drawn, 3, other);
    vector_add_scaled(axis, k % 8 == 0 ? 0.0 : pow(10.0, -throw_between(&drawn, 1.0, 14.0)), other, other);
    length = vector_length(other);
    for (int c = 0; c < 3; c++) other[c] = (k % 2 ? -1.0 : 1.0) * other[c] / length;
    make_rod(axis, throw_between(&drawn, 0.5, 1.0), 0.1, &a);
    make_rod(other, throw_between(&drawn, 0.5, 1.0), 0.2, &b);
    bring_near(&a, &b, between);
    const double expected = distance_by_search(&a, &b, between);
    if (expected > 1e-3 - 0.3) expect_distance(&a, &b, between, expected);
  }
}

static void cores_that_meet_are_pushed_apart(void **state)
{
  (void)state;
  static const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
  static const double ways[][3] = {{1.2, 0.0, 0.0}, {0.5, 0.0, 0.0}, {0.3, 1.0, 0.0}, {0.2, 0.1, 0.0}};
  solid a, b;
  for (int kind = 0; kind < 2; kind++)
    for (int k = 0; k < 4; k++) {
      convex_row rows[CONVEX_ROWS];
      make_rod(x, 1.0, 0.1, &a);
      make_rod(kind == 0 ? x : y, 1.0, 0.1, &b);
      if (solid_distance(&a.core, &b.core, ways[k], 1.0) > -0.1999) continue;
      const int32_t count = solid_rows(&a.core, &b.core, ways[k], 1.0, rows);
      bool deep = false;
      for (int32_t r = 0; r < count; r++) {
        assert_close(vector_length(rows[r].normal), 1.0, 1e-14);
        deep |= fabs(rows[r].distance + 0.2) < 1e-12;
        if (rows[r].distance < -0.19) assert_close(vector_dot(rows[r].normal, x), 0.0, 1e-14);
      }
      assert_true(deep);
    }
  /* a rod through a triangle comes out where its centre is */
  solid flat = {.corner = {{-3.0, -3.0, 0.0}, {3.0, -3.0, 0.0}, {0.0, 3.0, 0.0}}};
  static const double slanted[3] = {0.6, 0.0, 0.8}, place[3] = {0.0, 0.0, -0.3};
  flat.core = (solid_core){3, (const double(*)[3])flat.corner, 0.05};
  make_rod(slanted, 1.0, 0.1, &a);
  convex_row row[CONVEX_ROWS];
  assert_int_equal(solid_rows(&a.core, &flat.core, place, 0.0, row), 1);
  assert_close(row[0].distance, -0.8 - 0.3 - 0.15 + 0.6, 1e-14); /* the lower end is 0.5 below */
  assert_close(row[0].normal[2], -1.0, 1e-14);
}

/* ---- rows ---- */

/* Turns the axis by the rotation vector. */
static void turned(const double axis[3], const double by[3], double to[3])
{
  double quaternion[4], matrix[3][3];
  rotation_from_vector(by, quaternion);
  rotation_matrix(quaternion, matrix);
  for (int k = 0; k < 3; k++) to[k] = vector_dot(matrix[k], axis);
}

/* Rods whose directions have an angle of at least that sine, that turn by up to `turn` and slip by up to that, so
 * that the rows found before are all met and one exactly: the greatest overlap afterwards. */
static double greatest_overlap(double turn, double least_sine)
{
  const double half = 0.4, rounding = 0.1, radius = half + rounding;
  double greatest = 0.0;
  for (int k = 0; k < (SLOWED ? 1000 : 15000); k++) {
    solid a, b;
    double axis[2][3], by[2][3], between[3], way[3], slip[3], needed = -INFINITY;
    for (int side = 0; side < 2; side++) {
      throw_direction(&drawn, 3, axis[side]);
      throw_direction(&drawn, 3, by[side]);
      const double size = throw_between(&drawn, 0.0, turn);
      for (int c = 0; c < 3; c++) by[side][c] *= size;
    }
    double across[3];
    vector_cross(axis[0], axis[1], across);
    if (vector_length(across) < least_sine) continue;
    make_rod(axis[0], half, rounding, &a);
    make_rod(axis[1], half, rounding, &b);
    throw_direction(&drawn, 3, way);
    for (int c = 0; c < 3; c++) between[c] = 2.0 * way[c];
    for (int round = 0; round < 3; round++)
      vector_add_scaled(between,
                        throw_between(&drawn, 0.0, radius * turn) - solid_distance(&a.core, &b.core, between, 10.0),
                        way, between);
    convex_row rows[CONVEX_ROWS];
    const int32_t found = solid_rows(&a.core, &b.core, between, 8.0 * radius * turn, rows);
    if (found == 0) continue;
    bool usable = true;
    const double *along = rows[0].normal;
    throw_direction(&drawn, 3, slip);
    for (int c = 0; c < 3; c++) slip[c] *= radius * turn;
    for (int32_t r = 0; r < found; r++) {
      double turning[3], gap = rows[r].distance + vector_dot(rows[r].normal, slip);
      vector_cross(rows[r].second, rows[r].normal, turning);
      gap += vector_dot(by[1], turning);
      vector_cross(rows[r].first, rows[r].normal, turning);
      gap -= vector_dot(by[0], turning);
      const double share = vector_dot(rows[r].normal, along);
      usable &= share > 0.7;
      needed = fmax(needed, -gap / share);
    }
    if (!usable || !(fabs(needed) < 2.0 * radius * turn)) continue;
    double next[3];
    turned(axis[0], by[0], next);
    make_rod(next, half, rounding, &a);
    turned(axis[1], by[1], next);
    make_rod(next, half, rounding, &b);
    for (int c = 0; c < 3; c++) between[c] += slip[c] + needed * along[c];
    greatest = fmax(greatest, -solid_distance(&a.core, &b.core, between, 10.0));
  }
  return greatest / radius;
}

/* Where rods cross at an angle t, the place where they are nearest goes by a d/t^2 as they turn by a, d their
 * distance, which the rows leave out: an overlap of a^2 d/(2 t^2), and whatever the angle of at most a L, of rods
 * of length L. */
static void met_rows_overlap_in_second_order(void **state)
{
  (void)state;
  for (int halving = 0; halving < 4; halving++) {
    const double turn = 0.1 / (1 << halving), wide = greatest_overlap(turn, 0.5), all = greatest_overlap(turn, 0.0);
    if (!(wide <= 5.0 * turn * turn))
      fail_msg("turned by %g: overlap %g R, more than 5 R times its square", turn, wide);
    assert_true(wide > 0.2 * turn * turn); /* tries that could not overlap show nothing */
    assert_true(all <= 0.8 * turn);
  }
}

/* ---- moments, free rotation ---- */

static void a_capsule_has_the_moments_of_its_formula(void **state)
{
  (void)state;
  const double radius = 1.3, r = 0.4, s = radius - r;
  double volume = 0.0, about = 0.0, across = 0.0;
  const int slices = 20000;
  for (int k = 0; k < slices; k++) { /* discs across the axis */
    const double x = radius * (2.0 * (k + 0.5) / slices - 1.0), beyond = fmax(fabs(x) - s, 0.0);
    const double square = r * r - beyond * beyond, part = 3.14159265358979323846 * square * 2.0 * radius / slices;
    volume += part;
    about += part * square / 2.0;
    across += part * (square / 4.0 + x * x);
  }
  const grain_shape rod = {.count = 2, .corner = {{-1.0, 0.0}, {1.0, 0.0}}}, ball = rod;
  const grain_kind_type *kind = &grain_kinds[GRAIN_CORNERED];
  double inertia[6];
  assert_close(grain_volume(&rod, 3, radius, r), volume, 1e-7);
  kind->inertia(&rod, volume, radius, r, inertia);
  assert_close(inertia[0], about, 1e-7);
  assert_close(inertia[1], across, 1e-7);
  assert_close(kind->moment(&rod, 3, radius, r), across, 1e-7);
  assert_close(kind->moment(&ball, 3, 1.0, 1.0 - 1e-12), grain_volume(&ball, 3, 1.0, 1.0) * 0.4, 1e-10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_are_those_of_a_search),
      cmocka_unit_test(and_of_rods_that_are_nearly_parallel),
      cmocka_unit_test(cores_that_meet_are_pushed_apart),
      cmocka_unit_test(met_rows_overlap_in_second_order),
      cmocka_unit_test(a_capsule_has_the_moments_of_its_formula),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
