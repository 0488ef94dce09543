/*
 * Distances and boxes of shapes: values by hand, certificates of the nearest point, gradients, convexity.
 */
#include "random_shapes.h"
#include "support.h"

#include <math.h>
#include <string.h>

static const int32_t EVERY_KIND[] = {FLOC_SHAPE_PLANE, FLOC_SHAPE_SEGMENT, FLOC_SHAPE_SPHERE, FLOC_SHAPE_HOLLOW,
                                     FLOC_SHAPE_TRIANGLE};

static bool exists(int32_t kind, int32_t dimension)
{
  return dimension == 3 || kind != FLOC_SHAPE_TRIANGLE;
}

typedef struct known_distance {
  shape surface;
  int32_t dimension;
  double position[3], distance, normal[3];
} known_distance;

static const known_distance KNOWN[] = {
    /* plane y = 1, from above, from below, on it; thickened */
    {{FLOC_SHAPE_PLANE, 0, 0, {{5, 1, 0}, {0, 1, 0}}, 0, NULL, NULL, 0, 0}, 2, {0, 3, 0}, 2, {0, -1, 0}},
    {{FLOC_SHAPE_PLANE, 0, 0, {{5, 1, 0}, {0, 1, 0}}, 0, NULL, NULL, 0, 0}, 2, {0, -3, 0}, -4, {0, -1, 0}},
    {{FLOC_SHAPE_PLANE, 0, 0, {{5, 1, 0}, {0, 1, 0}}, 0, NULL, NULL, 0, 0}, 2, {7, 1, 0}, 0, {0, -1, 0}},
    {{FLOC_SHAPE_PLANE, 0, 0, {{5, 1, 0}, {0, 1, 0}}, 0.5, NULL, NULL, 0, 0}, 3, {0, 3, 9}, 1.5, {0, -1, 0}},
    {{FLOC_SHAPE_PLANE, 0, 0, {{0, 0, 1}, {0.6, 0, 0.8}}, 0, NULL, NULL, 0, 0}, 3, {3, 7, 5}, 5, {-0.6, 0, -0.8}},
    /* segment (0,0) (4,0): above, below, beyond both ends, inside the thickness */
    {{FLOC_SHAPE_SEGMENT, 0, 0, {{0, 0, 0}, {4, 0, 0}}, 0, NULL, NULL, 0, 0}, 2, {1, 2, 0}, 2, {0, -1, 0}},
    {{FLOC_SHAPE_SEGMENT, 0, 0, {{0, 0, 0}, {4, 0, 0}}, 0.5, NULL, NULL, 0, 0}, 2, {1, -2, 0}, 1.5, {0, 1, 0}},
    {{FLOC_SHAPE_SEGMENT, 0, 0, {{0, 0, 0}, {4, 0, 0}}, 0, NULL, NULL, 0, 0}, 2, {7, 4, 0}, 5, {-0.6, -0.8, 0}},
    {{FLOC_SHAPE_SEGMENT, 0, 0, {{0, 0, 0}, {4, 0, 0}}, 1, NULL, NULL, 0, 0}, 2, {-3, -4, 0}, 4, {0.6, 0.8, 0}},
    {{FLOC_SHAPE_SEGMENT, 0, 0, {{0, 0, 0}, {4, 0, 0}}, 1, NULL, NULL, 0, 0}, 2, {2, 0.25, 0}, -0.75, {0, -1, 0}},
    {{FLOC_SHAPE_SEGMENT, 0, 0, {{0, 0, 0}, {4, 0, 0}}, 1, NULL, NULL, 0, 0}, 3, {2, 3, 4}, 4, {0, -0.6, -0.8}},
    {{FLOC_SHAPE_SEGMENT, 0, 0, {{0, 0, 0}, {4, 0, 0}}, 0, NULL, NULL, 0, 0},
     3,
     {6, 2, 1},
     3,
     {-2.0 / 3, -2.0 / 3, -1.0 / 3}},
    /* sphere and hollow sphere */
    {{FLOC_SHAPE_SPHERE, 0, 0, {{1, 1, 0}}, 2, NULL, NULL, 0, 0}, 2, {4, 5, 0}, 3, {-0.6, -0.8, 0}},
    {{FLOC_SHAPE_SPHERE, 0, 0, {{1, 1, 1}}, 2, NULL, NULL, 0, 0}, 3, {1, 1, 2}, -1, {0, 0, -1}},
    {{FLOC_SHAPE_HOLLOW, 0, 0, {{1, 1, 0}}, 6, NULL, NULL, 0, 0}, 2, {4, 5, 0}, 1, {0.6, 0.8, 0}},
    {{FLOC_SHAPE_HOLLOW, 0, 0, {{1, 1, 1}}, 2, NULL, NULL, 0, 0}, 3, {1, 1, 4}, -1, {0, 0, 1}},
    /* triangle (0,0,0) (4,0,0) (0,4,0): face from both sides, three edges, three corners */
    {{FLOC_SHAPE_TRIANGLE, 0, 0, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 0, NULL, NULL, 0, 0},
     3,
     {1, 1, 2},
     2,
     {0, 0, -1}},
    {{FLOC_SHAPE_TRIANGLE, 0, 0, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 0.5, NULL, NULL, 0, 0},
     3,
     {1, 1, -2},
     1.5,
     {0, 0, 1}},
    {{FLOC_SHAPE_TRIANGLE, 0, 0, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 0, NULL, NULL, 0, 0},
     3,
     {1, -3, 4},
     5,
     {0, 0.6, -0.8}},
    {{FLOC_SHAPE_TRIANGLE, 0, 0, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 0, NULL, NULL, 0, 0},
     3,
     {-4, 2, 3},
     5,
     {0.8, 0, -0.6}},
    {{FLOC_SHAPE_TRIANGLE, 0, 0, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 1, NULL, NULL, 0, 0},
     3,
     {4, 4, 1},
     2,
     {-2.0 / 3, -2.0 / 3, -1.0 / 3}},
    {{FLOC_SHAPE_TRIANGLE, 0, 0, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 0, NULL, NULL, 0, 0},
     3,
     {-2, -1, 2},
     3,
     {2.0 / 3, 1.0 / 3, -2.0 / 3}},
    {{FLOC_SHAPE_TRIANGLE, 0, 0, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 0, NULL, NULL, 0, 0},
     3,
     {6, -1, 2},
     3,
     {-2.0 / 3, 1.0 / 3, -2.0 / 3}},
    {{FLOC_SHAPE_TRIANGLE, 0, 0, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 0, NULL, NULL, 0, 0},
     3,
     {-1, 6, 2},
     3,
     {1.0 / 3, -2.0 / 3, -2.0 / 3}},
};

static void known_distances(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; k++) {
    double normal[3], nearest[3];
    double distance = shape_distance(&KNOWN[k].surface, KNOWN[k].dimension, KNOWN[k].position, normal, nearest);
    assert_close(distance, KNOWN[k].distance, 1e-14);
    for (int c = 0; c < 3; c++) {
      assert_close(normal[c], KNOWN[k].normal[c], 1e-15);
      assert_close(nearest[c], KNOWN[k].position[c] + KNOWN[k].distance * KNOWN[k].normal[c], 1e-14);
    }
  }
}

/* Is the point in the core, given by its corners? Lengths (areas) of the parts add up to the whole. */
static void check_in_core(const shape *surface, const double point[3])
{
  double a[3], b[3], c[3], cross[3], parts = 0.0, whole;
  if (surface->kind == FLOC_SHAPE_SEGMENT) {
    vector_difference(surface->point[0], point, a);
    vector_difference(surface->point[1], point, b);
    vector_difference(surface->point[1], surface->point[0], c);
    assert_close(vector_length(a) + vector_length(b), vector_length(c), 1e-12);
    return;
  }
  for (int k = 0; k < 3; k++) {
    vector_difference(surface->point[k], point, a);
    vector_difference(surface->point[(k + 1) % 3], point, b);
    vector_cross(a, b, cross);
    parts += vector_length(cross);
  }
  vector_difference(surface->point[1], surface->point[0], a);
  vector_difference(surface->point[2], surface->point[0], b);
  vector_cross(a, b, cross);
  whole = vector_length(cross);
  assert_close(parts, whole, 1e-12);
}

/* The core's point c is nearest to p if and only if (p - c).(corner - c) <= 0 for every corner. */
static void nearest_point_is_nearest(void **state)
{
  (void)state;
  dice d = {1, 0};
  static const int32_t kinds[] = {FLOC_SHAPE_SEGMENT, FLOC_SHAPE_TRIANGLE};
  for (int32_t round = 0; round < 60000; round++) {
    int32_t kind = kinds[round % 2], dimension = kind == FLOC_SHAPE_SEGMENT && round % 4 < 2 ? 2 : 3;
    floc_shape thrown = throw_shape(&d, kind, dimension);
    shape surface = as_shape(&thrown);
    double position[3], normal[3], nearest[3], core[3], away[3], to_corner[3];
    throw_point(&d, dimension, round % 3 == 0 ? 10.0 : 1.5, position);
    double distance = shape_distance(&surface, dimension, position, normal, nearest);
    vector_add_scaled(position, distance + surface.radius, normal, core);
    check_in_core(&surface, core);
    vector_difference(position, core, away);
    for (int k = 0; k < shape_corners(kind); k++) {
      vector_difference(surface.point[k], core, to_corner);
      if (vector_dot(away, to_corner) > 1e-11) fail_msg("round %d: corner %d is nearer", (int)round, k);
    }
    double on_surface = shape_distance(&surface, dimension, nearest, normal, core);
    if (distance + surface.radius > 1e-6) assert_close(on_surface, 0.0, 1e-13 * 1e2);
  }
}

/* The same by brute force, without any theory: sampled core points are never nearer, and some come close. */
static void sampled_distances_agree(void **state)
{
  (void)state;
  enum { SAMPLES = 60 };
  dice d = {2, 0};
  for (int round = 0; round < 400; round++) {
    int32_t kind = round % 2 ? FLOC_SHAPE_SEGMENT : FLOC_SHAPE_TRIANGLE;
    floc_shape thrown = throw_shape(&d, kind, 3);
    shape surface = as_shape(&thrown);
    double position[3], normal[3], nearest[3], edge[3], separation[3], longest = 0.0, least = INFINITY;
    throw_point(&d, 3, 2.0, position);
    double distance = shape_distance(&surface, 3, position, normal, nearest) + surface.radius;
    for (int p = 0; p < shape_corners(kind); p++) {
      vector_difference(surface.point[(p + 1) % shape_corners(kind)], surface.point[p], edge);
      longest = fmax(longest, vector_length(edge));
    }
    for (int i = 0; i <= SAMPLES; i++) {
      for (int j = 0; j <= (kind == FLOC_SHAPE_TRIANGLE ? SAMPLES - i : 0); j++) {
        double u = (double)i / SAMPLES, v = (double)j / SAMPLES;
        for (int k = 0; k < 3; k++) {
          separation[k] = surface.point[0][k] + u * (surface.point[1][k] - surface.point[0][k]) - position[k];
          if (kind == FLOC_SHAPE_TRIANGLE) separation[k] += v * (surface.point[2][k] - surface.point[0][k]);
        }
        least = fmin(least, vector_length(separation));
      }
    }
    assert_true(distance <= least + 1e-13);
    assert_true(least <= distance + longest / SAMPLES);
  }
}

static void normal_is_the_negative_gradient(void **state)
{
  (void)state;
  dice d = {3, 0};
  double step = 1e-5;
  int checked = 0;
  for (int round = 0; round < 20000; round++) {
    int32_t dimension = 2 + round % 2, kind = EVERY_KIND[round / 2 % 5];
    if (!exists(kind, dimension)) continue;
    floc_shape thrown = throw_shape(&d, kind, dimension);
    shape surface = as_shape(&thrown);
    double position[3], normal[3], nearest[3], unused[3], gradient[3] = {0, 0, 0};
    throw_point(&d, dimension, 2.0, position);
    double distance = shape_distance(&surface, dimension, position, normal, nearest);
    assert_close(vector_length(normal), 1.0, 1e-15 * 4);
    for (int k = 0; k < 3; k++) assert_close(nearest[k], position[k] + distance * normal[k], 1e-15 * 8);
    bool is_ball = kind == FLOC_SHAPE_SPHERE || kind == FLOC_SHAPE_HOLLOW;
    double from_core = is_ball ? surface.radius - fabs(distance) : distance + surface.radius;
    if (kind != FLOC_SHAPE_PLANE && fabs(from_core) < 0.05) continue; /* the distance has a kink there */
    if (is_ball && fabs(kind == FLOC_SHAPE_SPHERE ? distance + surface.radius : surface.radius - distance) < 0.05) {
      continue;
    }
    for (int k = 0; k < dimension; k++) {
      double moved[3] = {position[0], position[1], position[2]};
      moved[k] += step;
      gradient[k] = shape_distance(&surface, dimension, moved, unused, nearest);
      moved[k] -= 2.0 * step;
      gradient[k] = (gradient[k] - shape_distance(&surface, dimension, moved, unused, nearest)) / (2.0 * step);
    }
    /* second derivatives may jump where face and edge meet: the difference quotient is off by step/distance */
    for (int k = 0; k < 3; k++) assert_close(-normal[k], gradient[k], 3e-4);
    checked++;
  }
  assert_true(checked > 10000);
}

/* D(q + v) >= D(q) + grad D . v: what makes the linearised constraint safe. The inside of a sphere is not
 * convex: there the sign turns round. */
static void linearised_distance_is_a_bound(void **state)
{
  (void)state;
  dice d = {4, 0};
  double greatest_slack = 0.0;
  for (int round = 0; round < 100000; round++) {
    int32_t dimension = 2 + round % 2, kind = EVERY_KIND[round / 2 % 5];
    if (!exists(kind, dimension)) continue;
    floc_shape thrown = throw_shape(&d, kind, dimension);
    shape surface = as_shape(&thrown);
    double position[3], shift[3], moved[3], normal[3], nearest[3], unused[3];
    throw_point(&d, dimension, 2.0, position);
    throw_point(&d, dimension, round % 3 ? 1.0 : 0.01, shift);
    vector_add_scaled(position, 1.0, shift, moved);
    double linear = shape_distance(&surface, dimension, position, normal, nearest) - vector_dot(normal, shift);
    double slack = shape_distance(&surface, dimension, moved, unused, nearest) - linear;
    if (kind == FLOC_SHAPE_HOLLOW) slack = -slack;
    if (slack < -1e-14 * 8) fail_msg("round %d, kind %d: the bound fails by %g", round, (int)kind, slack);
    greatest_slack = fmax(greatest_slack, slack);
  }
  assert_true(greatest_slack > 0.5); /* not all of it is flat */
}

/* ---- a point exactly on the core ---- */

static void check_on_core(const shape *surface, int32_t dimension, const double position[3], const double along[3])
{
  double normal[3], nearest[3];
  double distance = shape_distance(surface, dimension, position, normal, nearest);
  assert_close(fabs(distance), surface->radius, 1e-15 * 8);
  assert_close(vector_length(normal), 1.0, 1e-15 * 4);
  if (dimension == 2) assert_true(normal[2] == 0.0);
  for (int k = 0; k < 3; k++) assert_true(isfinite(nearest[k]));
  if (along) assert_close(vector_dot(normal, along), 0.0, 1e-14 * 8);
}

static void points_on_the_core_get_a_perpendicular(void **state)
{
  (void)state;
  dice d = {5, 0};
  for (int round = 0; round < 5000; round++) {
    int32_t dimension = 2 + round % 2, kind = EVERY_KIND[round / 2 % 5];
    if (!exists(kind, dimension)) continue;
    floc_shape thrown = throw_shape(&d, kind, dimension);
    shape surface = as_shape(&thrown);
    double along[3], across[3], position[3];
    vector_difference(surface.point[1], surface.point[0], along);
    vector_difference(surface.point[2], surface.point[0], across);
    bool has_edge = kind == FLOC_SHAPE_SEGMENT || kind == FLOC_SHAPE_TRIANGLE;
    for (int p = 0; p < shape_corners(kind); p++)
      check_on_core(&surface, dimension, surface.point[p], has_edge ? along : NULL);
    if (!has_edge) continue;
    double u = throw_between(&d, 0.0, 1.0), v = throw_between(&d, 0.0, 1.0 - u);
    vector_add_scaled(surface.point[0], u, along, position);
    check_on_core(&surface, dimension, position, along);
    if (kind != FLOC_SHAPE_TRIANGLE) continue;
    vector_add_scaled(position, v, across, position);
    check_on_core(&surface, dimension, position, along);
    check_on_core(&surface, dimension, position, across);
  }
}

/* Close to the core the direction must not be a matter of rounding. */
static void normals_stay_sharp_near_the_core(void **state)
{
  (void)state;
  dice d = {6, 0};
  for (int round = 0; round < 4000; round++) {
    int32_t kind = round % 2 ? FLOC_SHAPE_SEGMENT : FLOC_SHAPE_TRIANGLE,
            dimension = kind == FLOC_SHAPE_SEGMENT ? 2 : 3;
    floc_shape thrown = throw_shape(&d, kind, dimension);
    shape surface = as_shape(&thrown);
    double along[3], across[3], face[3], position[3], normal[3], nearest[3];
    vector_difference(surface.point[1], surface.point[0], along);
    vector_difference(surface.point[2], surface.point[0], across);
    if (dimension == 2) across[0] = across[1] = 0.0, across[2] = 1.0;
    vector_cross(along, across, face);
    double height = pow(10.0, throw_between(&d, -15.0, -3.0)), length = vector_length(face);
    vector_add_scaled(surface.point[0], 0.3, along, position);
    if (dimension == 3) vector_add_scaled(position, 0.4, across, position);
    vector_add_scaled(position, height / length, face, position);
    shape_distance(&surface, dimension, position, normal, nearest);
    assert_close(fabs(vector_dot(normal, face)) / length, 1.0, 1e-14);
  }
}

/* ---- boxes ---- */

static void bounds_hold_and_touch_the_shape(void **state)
{
  (void)state;
  dice d = {7, 0};
  for (int round = 0; round < 4000; round++) {
    int32_t dimension = 2 + round % 2, kind = EVERY_KIND[round / 2 % 5];
    if (!exists(kind, dimension)) continue;
    floc_shape thrown = throw_shape(&d, kind, dimension);
    shape surface = as_shape(&thrown);
    double lower[3], upper[3], margin = throw_between(&d, 0.0, 0.5);
    shape_bounds(&surface, dimension, margin, lower, upper);
    for (int k = 0; k < dimension; k++) {
      double least = INFINITY, greatest = -INFINITY;
      for (int p = 0; p < shape_corners(kind); p++) {
        least = fmin(least, surface.point[p][k] - surface.radius - margin);
        greatest = fmax(greatest, surface.point[p][k] + surface.radius + margin);
      }
      if (kind == FLOC_SHAPE_PLANE) {
        assert_true(lower[k] == -INFINITY && upper[k] == INFINITY);
      } else {
        assert_close(lower[k], least, 1e-15 * 8);
        assert_close(upper[k], greatest, 1e-15 * 8);
      }
    }
    if (dimension == 2) assert_true(lower[2] == 0.0 && upper[2] == 0.0);
  }
}

/* Least distance from the points of a box, by projecting back and forth between box and core (both convex).
 * For a hollow sphere and a plane the farthest corner decides. */
static double box_distance(const shape *surface, int32_t dimension, const double lower[3], const double upper[3])
{
  double least = INFINITY, normal[3], nearest[3], position[3] = {0, 0, 0};
  if (surface->kind == FLOC_SHAPE_PLANE || surface->kind == FLOC_SHAPE_HOLLOW) {
    for (int corner = 0; corner < 8; corner++) {
      for (int k = 0; k < dimension; k++) position[k] = corner >> k & 1 ? upper[k] : lower[k];
      least = fmin(least, shape_distance(surface, dimension, position, normal, nearest));
    }
    return least;
  }
  for (int k = 0; k < dimension; k++) position[k] = 0.5 * (lower[k] + upper[k]);
  for (int round = 0; round < 300; round++) {
    double distance = shape_distance(surface, dimension, position, normal, nearest);
    least = fmin(least, distance);
    for (int k = 0; k < dimension; k++) {
      double core = position[k] + (distance + surface->radius) * normal[k];
      position[k] = fmin(fmax(core, lower[k]), upper[k]);
    }
  }
  return least;
}

static void culling_is_safe_and_tight(void **state)
{
  (void)state;
  dice d = {8, 0};
  int64_t kept[6] = {0}, needless[6] = {0}, far[6] = {0};
  for (int round = 0; round < 60000; round++) {
    int32_t dimension = 2 + round % 2, kind = EVERY_KIND[round / 2 % 5];
    if (!exists(kind, dimension)) continue;
    floc_shape thrown = throw_shape(&d, kind, dimension);
    shape surface = as_shape(&thrown);
    double lower[3], upper[3], margin = throw_between(&d, 0.0, 0.1), side = throw_between(&d, 0.05, 0.5);
    surface.radius = kind == FLOC_SHAPE_SPHERE || kind == FLOC_SHAPE_HOLLOW ? surface.radius : 0.3 * surface.radius;
    throw_point(&d, dimension, 1.2, lower);
    for (int k = 0; k < 3; k++) upper[k] = lower[k] + (k < dimension ? side : 0.0);
    double distance = box_distance(&surface, dimension, lower, upper);
    bool touches = shape_touches_box(&surface, dimension, margin, lower, upper);
    if (distance <= margin - 1e-12 && !touches)
      fail_msg("round %d: kind %d was culled at %g", round, (int)kind, distance);
    kept[kind] += touches;
    needless[kind] += touches && distance > margin + 1e-9;
    far[kind] += !touches;
    /* What is kept needlessly is at a corner or an edge of the box: never farther than the margin's own size. */
    if (touches) assert_true(distance <= margin + surface.radius + margin + 1e-9);
  }
  for (int k = 0; k < 5; k++) {
    int32_t kind = EVERY_KIND[k];
    assert_true(kept[kind] > 200 && far[kind] > 200);
    assert_true((double)needless[kind] <= 0.05 * (double)kept[kind]);
  }
  assert_int_equal(needless[FLOC_SHAPE_PLANE], 0);
  assert_int_equal(needless[FLOC_SHAPE_SPHERE], 0);
  assert_int_equal(needless[FLOC_SHAPE_HOLLOW], 0);
}

/* ---- what the host gives ---- */

static void refused(floc_shape description, int32_t dimension, floc_status expected, const char *text)
{
  environment env = test_environment(1);
  assert_int_equal(shape_check(&env, shape_type_by_kind(NULL, description.kind), &description, dimension),
                   expected);
  if (!strstr(env.message, text)) fail_msg("\"%s\" lacks \"%s\"", env.message, text);
}

static void wrong_shapes_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  dice d = {9, 0};
  for (int round = 0; round < 500; round++) {
    int32_t dimension = 2 + round % 2, kind = EVERY_KIND[round / 2 % 5];
    floc_shape right = throw_shape(&d, kind, dimension);
    if (exists(kind, dimension))
      assert_ok(&env, shape_check(&env, shape_type_by_kind(NULL, right.kind), &right, dimension));
    else
      assert_int_equal(shape_check(&env, shape_type_by_kind(NULL, right.kind), &right, dimension),
                       FLOC_NOT_SUPPORTED);
  }
  refused((floc_shape){.kind = 0}, 2, FLOC_INVALID_ARGUMENT, "shape kind is 0");
  refused((floc_shape){.kind = 99}, 3, FLOC_INVALID_ARGUMENT, "kind is 99");
  refused((floc_shape){.kind = FLOC_SHAPE_PLANE}, 3, FLOC_INVALID_ARGUMENT, "(0, 0, 0)");
  refused((floc_shape){.kind = FLOC_SHAPE_PLANE, .points = {{0, 0, 0}, {0, 1, 0.5}}}, 2, FLOC_INVALID_ARGUMENT,
          "points[1][2] is 0.5");
  refused((floc_shape){.kind = FLOC_SHAPE_SEGMENT, .points = {{1, 2, 0}, {1, 2, 0}}}, 2, FLOC_INVALID_ARGUMENT,
          "(1, 2, 0)");
  refused((floc_shape){.kind = FLOC_SHAPE_SEGMENT, .points = {{1, NAN, 0}, {1, 2, 0}}}, 2, FLOC_INVALID_ARGUMENT,
          "points[0][1] is nan");
  refused((floc_shape){.kind = FLOC_SHAPE_SEGMENT, .points = {{1, 0, 0}, {-1e200, 2, 0}}}, 2, FLOC_INVALID_ARGUMENT,
          "points[1][0] is -1e+200");
  refused((floc_shape){.kind = FLOC_SHAPE_SEGMENT, .points = {{1, 0, 0}, {1, 2, 0}}, .radius = -0.5}, 2,
          FLOC_INVALID_ARGUMENT, "radius is -0.5; it must be a finite number between 0 and 1e+150");
  refused((floc_shape){.kind = FLOC_SHAPE_SPHERE, .radius = 0}, 2, FLOC_INVALID_ARGUMENT,
          "radius is 0; it must be above 0");
  refused((floc_shape){.kind = FLOC_SHAPE_SPHERE, .radius = NAN}, 3, FLOC_INVALID_ARGUMENT, "radius is nan");
  refused((floc_shape){.kind = FLOC_SHAPE_HOLLOW, .radius = INFINITY}, 3, FLOC_INVALID_ARGUMENT, "radius is inf");
  refused((floc_shape){.kind = FLOC_SHAPE_TRIANGLE, .points = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}}, 3,
          FLOC_INVALID_ARGUMENT, "lie on one line");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_distances),
      cmocka_unit_test(nearest_point_is_nearest),
      cmocka_unit_test(sampled_distances_agree),
      cmocka_unit_test(normal_is_the_negative_gradient),
      cmocka_unit_test(linearised_distance_is_a_bound),
      cmocka_unit_test(points_on_the_core_get_a_perpendicular),
      cmocka_unit_test(normals_stay_sharp_near_the_core),
      cmocka_unit_test(bounds_hold_and_touch_the_shape),
      cmocka_unit_test(culling_is_safe_and_tight),
      cmocka_unit_test(wrong_shapes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
