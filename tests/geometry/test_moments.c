/*
 * engine/geometry/shapes/moments.c and gap.c: moments against sums over a grid and closed forms, gaps against pairs
 * of points of both cores, failing memory.
 */
#include "geometry/shapes/gap.h"
#include "geometry/shapes/moments.h"
#include "geometry/shapes/shape_type.h"

#include "geometry/vector.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static shape make(int32_t kind, const double points[3][3], double radius)
{
  floc_shape given = {.struct_size = sizeof given, .kind = kind, .radius = radius};
  memcpy(given.points, points, sizeof given.points);
  return shape_make(shape_type_built_in(kind), &given);
}

static shape segment(double ax, double ay, double bx, double by, double radius)
{
  return make(FLOC_SHAPE_SEGMENT, (const double[3][3]){{ax, ay, 0.0}, {bx, by, 0.0}}, radius);
}

static shape_moments moments_of(const shape *shapes, int32_t count, int32_t dimension, int32_t *unknown,
                                int32_t *sheet)
{
  environment env = test_environment(1);
  shape_moments sums;
  assert_ok(&env, shapes_moments(&env, shapes, count, 0, dimension, &sums, unknown, sheet));
  return sums;
}

/* A pentagon, not in the order of its corners and some edges turned round, against a fine grid. */
static void a_rounded_outline_is_filled(void **state)
{
  (void)state;
  const double r = 0.15;
  const double x[5] = {0.2, 1.4, 1.7, 0.9, -0.1}, y[5] = {0.1, 0.0, 0.8, 1.3, 0.9};
  shape edge[5];
  const int order[5] = {2, 0, 4, 3, 1};
  for (int k = 0; k < 5; k++) {
    const int a = order[k], b = (order[k] + 1) % 5;
    edge[k] = k % 2 ? segment(x[b], y[b], x[a], y[a], r) : segment(x[a], y[a], x[b], y[b], r);
  }
  int32_t unknown, sheet;
  const shape_moments sums = moments_of(edge, 5, 2, &unknown, &sheet);
  assert_int_equal(unknown, -1);
  assert_int_equal(sheet, -1);
  double volume = 0.0, first[2] = {0.0, 0.0}, second = 0.0;
  const double h = 1e-3;
  for (int i = 0; i < 2400; i++)
    for (int j = 0; j < 2000; j++) {
      const double p[3] = {-0.4 + (i + 0.5) * h, -0.3 + (j + 0.5) * h, 0.0};
      bool inside = true, near = false;
      for (int k = 0; k < 5; k++) {
        const int b = (k + 1) % 5;
        double normal[3], nearest[3];
        inside &= (x[b] - x[k]) * (p[1] - y[k]) - (y[b] - y[k]) * (p[0] - x[k]) >= 0.0;
        near |= shape_distance(&edge[k], 2, p, normal, nearest) <= 0.0;
      }
      if (!inside && !near) continue;
      volume += h * h;
      first[0] += h * h * p[0];
      first[1] += h * h * p[1];
      second += h * h * (p[0] * p[0] + p[1] * p[1]);
    }
  assert_close(sums.solid.volume, volume, 2e-4);
  assert_close(sums.solid.first[0], first[0], 2e-4);
  assert_close(sums.solid.first[1], first[1], 2e-4);
  assert_close(sums.solid.second[0] + sums.solid.second[1], second, 5e-4);
}

/* An L: corners that point inwards take their sector away, so the area is A + r L + pi r^2 - what the strips share.
 */
static void an_outline_with_a_notch_has_its_area(void **state)
{
  (void)state;
  const double x[6] = {0, 2, 2, 1, 1, 0}, y[6] = {0, 0, 1, 1, 2, 2};
  shape edge[6];
  for (int k = 0; k < 6; k++) edge[k] = segment(x[k], y[k], x[(k + 1) % 6], y[(k + 1) % 6], 0.0);
  int32_t unknown, sheet;
  shape_moments sums = moments_of(edge, 6, 2, &unknown, &sheet);
  assert_close(sums.solid.volume, 3.0, 1e-14);
  assert_close(sums.solid.first[0], 2.5, 1e-14);
  assert_close(sums.solid.second[0], 2.0 * 8.0 / 3.0 - 7.0 / 3.0, 1e-14);
  sums = moments_of(edge, 5, 2, &unknown, &sheet); /* open: lines */
  assert_int_equal(sheet, 0);
  assert_close(sums.solid.volume, 0.0, 0.0);
  assert_close(sums.thin.volume, 6.0, 1e-14);
}

static shape triangle(const double *a, const double *b, const double *c)
{
  double points[3][3];
  memcpy(points[0], a, sizeof points[0]);
  memcpy(points[1], b, sizeof points[1]);
  memcpy(points[2], c, sizeof points[2]);
  return make(FLOC_SHAPE_TRIANGLE, (const double(*)[3])points, 0.0);
}

/* Faces of a tetrahedron, every one turned either way; without one of them it is a sheet. */
static void a_closed_mesh_is_filled_however_its_faces_turn(void **state)
{
  (void)state;
  const double p[4][3] = {{1, 1, 1}, {3, 1, 1}, {1, 4, 1}, {1, 1, 5}};
  for (int turned = 0; turned < 16; turned++) {
    shape face[4];
    for (int k = 0; k < 4; k++) {
      const double *a = p[(k + 1) % 4], *b = p[(k + 2) % 4], *c = p[(k + 3) % 4];
      face[k] = turned >> k & 1 ? triangle(a, c, b) : triangle(a, b, c);
    }
    int32_t unknown, sheet;
    shape_moments sums = moments_of(face, 4, 3, &unknown, &sheet);
    assert_int_equal(sheet, -1);
    assert_close(sums.solid.volume, 4.0, 1e-13);
    assert_close(sums.solid.first[0], 4.0 * 1.5, 1e-13);
    double inertia[6], center[3] = {1.5, 1.75, 2.0};
    rigid_reduce_moments(&sums.solid, center, inertia);
    assert_close(inertia[0], 3.0 / 80.0 * (9.0 + 16.0), 1e-13); /* 3/80 (b^2 + c^2), a right-angled one */
    assert_close(inertia[3], 1.0 / 80.0 * 2.0 * 3.0, 1e-13);
    sums = moments_of(face, 3, 3, &unknown, &sheet);
    assert_int_equal(sheet, 0);
    assert_close(sums.solid.volume, 0.0, 0.0);
    assert_true(sums.thin.volume > 10.0);
  }
}

static void a_capsule_is_the_sum_over_a_grid(void **state)
{
  (void)state;
  const double points[3][3] = {{0.1, 0.2, 0.3}, {0.9, 0.5, 0.1}};
  const shape rod = make(FLOC_SHAPE_SEGMENT, points, 0.3);
  int32_t unknown, sheet;
  const shape_moments sums = moments_of(&rod, 1, 3, &unknown, &sheet);
  const double h = 0.01;
  double volume = 0.0, second[6] = {0.0};
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 150; i++)
    for (int j = 0; j < 100; j++)
      for (int k = 0; k < 90; k++) {
        const double p[3] = {-0.25 + h * i, -0.15 + h * j, -0.25 + h * k};
        double normal[3], nearest[3];
        if (shape_distance(&rod, 3, p, normal, nearest) > 0.0) continue;
        volume += h * h * h;
        for (int q = 0; q < 6; q++) second[q] += h * h * h * p[row[q]] * p[column[q]];
      }
  assert_close(sums.solid.volume, volume, 1e-3);
  assert_close(sums.solid.volume, PI * 0.09 * (sqrt(0.77) + 0.4), 1e-14);
  for (int q = 0; q < 6; q++) assert_close(sums.solid.second[q], second[q], 5e-4);
}

/* ---- gaps ---- */

static double draw(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

static double sampled(const shape *a, int corners_a, const shape *b, int corners_b, int32_t dimension)
{
  enum { STEPS = 24 };
  double least = INFINITY;
  for (int i = 0; i <= STEPS; i++)
    for (int j = 0; j <= (corners_a == 3 ? STEPS - i : 0); j++) {
      double p[3], normal[3], nearest[3], u = (double)i / STEPS, v = (double)j / STEPS;
      if (corners_a == 1) u = 0.0;
      for (int k = 0; k < 3; k++) {
        p[k] = (1.0 - u - v) * a->point[0][k] + (corners_a > 1 ? u * a->point[1][k] : 0.0);
        if (corners_a == 3) p[k] += v * a->point[2][k];
      }
      least = fmin(least, shape_distance(b, dimension, p, normal, nearest));
    }
  (void)corners_b;
  return least - a->radius;
}

/* Never above the distance, and near it while the cores are apart. */
static void gaps_are_distances(void **state)
{
  (void)state;
  static const int32_t kinds[3] = {FLOC_SHAPE_SPHERE, FLOC_SHAPE_SEGMENT, FLOC_SHAPE_TRIANGLE};
  uint64_t seed = 5;
  int apart = 0;
  for (int trial = 0; trial < 3000; trial++) {
    const int32_t dimension = trial % 2 ? 3 : 2;
    shape one[2];
    int corners[2];
    for (int side = 0; side < 2; side++) {
      double points[3][3] = {{0.0}};
      corners[side] = 1 + (int)(draw(&seed) * (dimension == 2 ? 2.0 : 3.0));
      for (int p = 0; p < corners[side]; p++)
        for (int k = 0; k < dimension; k++) points[p][k] = (side == 0 ? 0.0 : 0.8) + draw(&seed);
      one[side] = make(kinds[corners[side] - 1], (const double(*)[3])points, 0.05);
    }
    const double gap = shapes_gap(&one[0], &one[1], dimension);
    const double found = sampled(&one[0], corners[0], &one[1], corners[1], dimension);
    assert_true(gap <= found + 1e-12);
    if (found < 0.0) continue;
    apart++;
    assert_true(found - gap < 0.02); /* of the grid of points */
    assert_close(shapes_gap(&one[1], &one[0], dimension), gap, 1e-12);
  }
  assert_true(apart > 500);
}

static void gaps_to_planes_and_insides(void **state)
{
  (void)state;
  const shape rod = segment(0.0, 1.0, 2.0, 3.0, 0.25);
  const shape plane = make(FLOC_SHAPE_PLANE, (const double[3][3]){{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, 0.0);
  const shape drum = make(FLOC_SHAPE_HOLLOW, (const double[3][3]){{0.0, 0.0, 0.0}}, 5.0);
  assert_close(shapes_gap(&rod, &plane, 2), 0.75, 1e-14);
  assert_close(shapes_gap(&plane, &rod, 2), 0.75, 1e-14);
  assert_close(shapes_gap(&rod, &drum, 2), 5.0 - sqrt(13.0) - 0.25, 1e-14);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rounded_outline_is_filled),
      cmocka_unit_test(an_outline_with_a_notch_has_its_area),
      cmocka_unit_test(a_closed_mesh_is_filled_however_its_faces_turn),
      cmocka_unit_test(a_capsule_is_the_sum_over_a_grid),
      cmocka_unit_test(gaps_are_distances),
      cmocka_unit_test(gaps_to_planes_and_insides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
