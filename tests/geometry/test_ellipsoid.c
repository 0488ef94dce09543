/*
 * engine/geometry/convex/ellipsoid.c: distances of ellipses and ellipsoids against a search over all directions
 * that shares no code with them; against rods, polygons, triangles and balls by points that are on both and a plane
 * between them; insides of balls; rows that leave nothing out in first order. engine/particles/grain_kinds.c:
 * volumes and moments by integration.
 */
#include "random_shapes.h"
#include "support.h"

#include "geometry/convex/cores.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { PAIRS = SLOWED ? 200 : 10000 };

/* One of any kind, at a radius, turned. */
typedef struct grain {
  grain_shape form;
  int32_t dimension;
  double radius, rounding, angle, orientation[4];
  double scale; /* of the form's core */
  grain_memory memory;
  grain_core core;
} grain;

static dice drawn = {.seed = 29};

/* From the table of particles, so that placing is tried as well. */
static void place(grain *one)
{
  environment env = test_environment(1);
  int32_t number;
  particles table;
  particles_init(&table, &env);
  newcomer at = {.radius = one->radius, .angle = one->angle};
  if (one->form.kind != GRAIN_CORNERED || one->form.count > 1) {
    assert_ok(&env, grain_shapes_add(&env, &table.shapes, &one->form, &number));
    at.shape = 1;
  }
  memcpy(at.orientation, one->orientation, sizeof at.orientation);
  one->core = grain_core_of_newcomer(&table, one->dimension, &at, &one->memory);
  if (one->core.kind == GRAIN_POLYHEDRON) one->core.hull.form = &one->form.solid; /* the table goes */
  particles_free(&table);
}

static void turn_at_random(grain *one)
{
  one->angle = throw_between(&drawn, 0.0, 2.0 * pi);
  for (int k = 0; k < 4; k++) one->orientation[k] = throw_between(&drawn, -1.0, 1.0);
  place(one);
}

/* corners 0: an ellipsoid whose semi-axes are 1 to 1/aspect; 1: a ball; in space, above 2: a polyhedron, 8: a box.
 */
static void draw_grain(int32_t dimension, int32_t corners, double aspect, grain *made)
{
  environment env = test_environment(1);
  floc_grain_shape_options options;
  floc_grain_shape_options_init(&options);
  *made = (grain){.dimension = dimension, .radius = throw_between(&drawn, 0.5, 1.5)};
  if (corners == 1) {
    made->form.count = 1;
    place(made);
    return;
  }
  const bool is_solid = dimension == 3 && corners > 2;
  options.corner_count = is_solid ? 0 : corners;
  options.point_count = is_solid ? corners : 0;
  for (int k = 0; k < 3 * options.point_count; k += 3) {
    throw_direction(&drawn, 3, options.points + k);
    for (int axis = 0; axis < 3 && corners == 8; axis++)
      options.points[k + axis] = (k / 3 >> axis & 1) ? 1.0 : -1.0;
  }
  options.rounding = 0.1;
  options.regular = corners > 2 && !is_solid;
  if (corners == 2) options.corners[0] = 1.0;
  for (int k = 0; k < dimension && corners == 0; k++)
    options.semi_axes[k] = k == 1 ? 1.0 : throw_between(&drawn, 1.0, aspect);
  assert_ok(&env, grain_shape_make(&env, dimension, &options, &made->form));
  turn_at_random(made);
}

/* ---- what does not know how they are found ---- */

/* How far a grain reaches along n, by the angles, and the matrix of its own axes. */
static long double reach_along(const grain *one, const long double n[3])
{
  long double square = 0.0L, most = -INFINITY;
  const grain_core *core = &one->core;
  if (core->kind == GRAIN_ELLIPSOID) {
    for (int k = 0; k < one->dimension; k++) {
      long double along = 0.0L;
      for (int axis = 0; axis < one->dimension; axis++)
        along += n[axis] * core->ellipsoid.axis[k * one->dimension + axis];
      square += along * along;
    }
    return sqrtl(square);
  }
  const bool is_hull = core->kind == GRAIN_POLYHEDRON;
  const int32_t count = is_hull               ? core->hull.form->corners
                        : one->dimension == 2 ? core->plane.count
                                              : core->solid.count;
  for (int32_t k = 0; k < count; k++) {
    const double *p = is_hull               ? core->hull.corner[k]
                      : one->dimension == 2 ? core->plane.corner[k]
                                            : core->solid.corner[k];
    long double along = 0.0L;
    for (int axis = 0; axis < one->dimension; axis++) along += n[axis] * p[axis];
    most = fmaxl(most, along);
  }
  return most + grain_core_rounding(core);
}

static long double apart_along(const grain *a, const grain *b, const double between[3], const long double n[3])
{
  long double back[3], along = 0.0L;
  for (int axis = 0; axis < 3; axis++) {
    back[axis] = -n[axis];
    along += n[axis] * between[axis];
  }
  return along - reach_along(a, n) - reach_along(b, back);
}

/* n moved by p and q along two directions across it. */
static long double beside(const grain *a, const grain *b, const double between[3], const double n[3],
                          double across[2][3], long double p, long double q, long double moved[3])
{
  long double square = 0.0L;
  for (int axis = 0; axis < 3; axis++) {
    moved[axis] = n[axis] + p * across[0][axis] + q * across[1][axis];
    square += moved[axis] * moved[axis];
  }
  for (int axis = 0; axis < 3; axis++) moved[axis] /= sqrtl(square);
  return apart_along(a, b, between, moved);
}

/* The greatest over all directions: of a grid, then the top of the parabola through neighbours nearer and nearer.
 */
static double distance_by_search(const grain *a, const grain *b, const double between[3])
{
  const int grid = a->dimension == 2 ? 180 : 400;
  double n[3] = {0.0, 0.0, 0.0}, across[2][3] = {{0.0}};
  long double best = -INFINITY, moved[3], most = -INFINITY;
  for (int k = 0; k < grid; k++) {
    const double height = a->dimension == 2 ? 0.0 : 1.0 - (2.0 * k + 1.0) / grid, turn = k * 2.0 * pi / grid;
    const double angle = a->dimension == 2 ? turn : k * pi * (3.0 - sqrt(5.0)), wide = sqrt(1.0 - height * height);
    const long double way[3] = {wide * cos(angle), wide * sin(angle), height};
    const long double value = apart_along(a, b, between, way);
    if (value <= most) continue;
    most = value;
    for (int axis = 0; axis < 3; axis++) n[axis] = (double)way[axis];
  }
  for (long double step = 0.05L; step > 1e-7L; step *= 0.4L) {
    for (int again = 0; again < 3; again++) {
      const double *unit = fabs(n[2]) < 0.9 ? (const double[3]){0.0, 0.0, 1.0} : (const double[3]){1.0, 0.0, 0.0};
      vector_cross(n, unit, across[0]);
      const double length = vector_length(across[0]);
      for (int axis = 0; axis < 3; axis++) across[0][axis] /= length;
      vector_cross(n, across[0], across[1]);
      if (a->dimension == 2) memset(across[1], 0, sizeof across[1]);
      long double f[3][3];
      for (int p = -1; p <= 1; p++)
        for (int q = -1; q <= 1; q++) f[p + 1][q + 1] = beside(a, b, between, n, across, p * step, q * step, moved);
      const long double gp = (f[2][1] - f[0][1]) / 2, gq = (f[1][2] - f[1][0]) / 2,
                        hp = f[2][1] - 2 * f[1][1] + f[0][1], hq = f[1][2] - 2 * f[1][1] + f[1][0],
                        h = (f[2][2] - f[2][0] - f[0][2] + f[0][0]) / 4;
      const long double whole = hp * hq - h * h;
      long double p = 0.0L, q = 0.0L;
      if (a->dimension == 2)
        p = hp < 0.0L ? -gp / hp : gp > 0.0L ? 1.0L : -1.0L;
      else if (hp < 0.0L && whole > 0.0L) {
        p = -(hq * gp - h * gq) / whole;
        q = -(hp * gq - h * gp) / whole;
      } else {
        p = gp > 0.0L ? 1.0L : -1.0L;
        q = gq > 0.0L ? 1.0L : -1.0L;
      }
      p = fmaxl(fminl(p, 3.0L), -3.0L);
      q = fmaxl(fminl(q, 3.0L), -3.0L);
      const long double value = beside(a, b, between, n, across, p * step, q * step, moved);
      best = fmaxl(best, fmaxl(f[1][1], value));
      if (value >= f[1][1])
        for (int axis = 0; axis < 3; axis++) n[axis] = (double)moved[axis];
    }
  }
  return (double)best;
}

/* ---- distances ---- */

static double least_curvature(const grain *one)
{
  const double *a = one->form.semi_axis;
  double least = INFINITY;
  for (int k = 0; k < one->dimension; k++) least = fmin(least, a[k]);
  return one->radius * least * least;
}

/* Moves the second so that they are about that far apart. */
static void bring_near(const grain *a, const grain *b, double gap, double between[3])
{
  double way[3];
  throw_direction(&drawn, a->dimension, way);
  for (int axis = 0; axis < 3; axis++) between[axis] = (a->radius + b->radius + 0.1) * way[axis];
  for (int round = 0; round < 40; round++) {
    const double now = grain_distance(&a->core, &b->core, between, 10.0);
    vector_add_scaled(between, gap - now, way, between);
    if (fabs(gap - now) < 1e-3) return;
  }
}

static void expect_distances(int32_t dimension, double aspect, int pairs)
{
  int overlapping = 0, apart = 0;
  for (int k = 0; k < pairs; k++) {
    grain a, b;
    double between[3];
    draw_grain(dimension, 0, aspect, &a);
    draw_grain(dimension, 0, aspect, &b);
    const double most = 0.4 * (least_curvature(&a) + least_curvature(&b));
    bring_near(&a, &b, k % 3 == 0 ? -throw_between(&drawn, 0.0, most) : throw_between(&drawn, 0.0, 0.3), between);
    const double found = grain_distance(&a.core, &b.core, between, 10.0);
    const double back[3] = {-between[0], -between[1], -between[2]};
    assert_close(found, distance_by_search(&a, &b, between), 1e-12);
    assert_close(grain_distance(&b.core, &a.core, back, 10.0), found, 1e-13);
    overlapping += found < 0.0;
    apart += found > 0.0;
  }
  assert_true(overlapping > pairs / 5 && apart > pairs / 5);
}

static void distances_are_those_of_a_search(void **state)
{
  (void)state;
  expect_distances(2, 2.0, PAIRS / 4);
  expect_distances(2, 6.0, PAIRS / 4);
  expect_distances(3, 1.5, PAIRS / 4);
  expect_distances(3, 4.0, PAIRS / 4);
}

/* On the surface of a grain, to rounding: nothing of it reaches farther along n, and it does. */
static void expect_point(const grain *one, const double n[3], const double point[3], double sign)
{
  const long double way[3] = {sign * n[0], sign * n[1], sign * n[2]};
  assert_close(sign * vector_dot(n, point), (double)reach_along(one, way), 1e-12);
  const grain_core *core = &one->core;
  if (core->kind != GRAIN_ELLIPSOID) return;
  double sum = 0.0;
  for (int k = 0; k < one->dimension; k++) {
    double along = 0.0, square = 0.0;
    for (int axis = 0; axis < one->dimension; axis++) {
      const double v = core->ellipsoid.axis[k * one->dimension + axis];
      along += v * point[axis];
      square += v * v;
    }
    sum += along * along / (square * square);
  }
  assert_close(sum, 1.0, 1e-12);
}

/* Cores that do not meet: the nearest points are on both, and a plane across the normal is between: that is the
 * distance, whatever found it. */
static void expect_certain(int32_t dimension, int32_t corners)
{
  for (int k = 0; k < PAIRS / (dimension == 3 && corners > 2 ? 20 : 4); k++) {
    grain a, b;
    double between[3], apart[3];
    convex_row rows[CONVEX_ROWS];
    draw_grain(dimension, corners, 3.0, &a);
    draw_grain(dimension, 0, 3.0, &b);
    if (k % 2) {
      const grain kept = a;
      a = b;
      b = kept;
      place(&a);
      place(&b);
    }
    const double gap = corners == 0
                           ? throw_between(&drawn, 0.0, 0.3)
                           : throw_between(&drawn, -0.5 * grain_core_rounding(k % 2 ? &b.core : &a.core), 0.3);
    bring_near(&a, &b, gap, between);
    const int32_t count = grain_rows(&a.core, &b.core, between, 0.4, rows);
    const convex_row *least = NULL;
    for (int32_t r = 0; r < count; r++)
      if (!least || rows[r].distance < least->distance) least = &rows[r];
    assert_non_null(least);
    const long double n[3] = {least->normal[0], least->normal[1], least->normal[2]};
    assert_close(vector_dot(least->normal, least->normal), 1.0, 1e-14);
    assert_close((double)apart_along(&a, &b, between, n), least->distance, 1e-12);
    for (int axis = 0; axis < 3; axis++)
      apart[axis] =
          between[axis] + least->second[axis] - least->first[axis] - least->distance * least->normal[axis];
    assert_close(vector_length(apart), 0.0, 1e-12);
    expect_point(&a, least->normal, least->first, 1.0);
    expect_point(&b, least->normal, least->second, -1.0);
    for (double reach = 0.0; reach < 0.3; reach += 0.1) /* what is farther is no row, and no overlap */
      assert_true(grain_distance(&a.core, &b.core, between, reach) ==
                  (least->distance <= reach ? least->distance : INFINITY));
  }
}

static void nearest_points_are_on_both(void **state)
{
  (void)state;
  for (int32_t corners = 0; corners < 6; corners++) expect_certain(2, corners);
  for (int32_t corners = 0; corners < 3; corners++) expect_certain(3, corners);
  for (int32_t corners = 4; corners < 10; corners += 2) expect_certain(3, corners);
}

/* ---- bodies ---- */

static long double to_wall(const shape *wall, const grain *one, const double position[3])
{
  double normal[3], nearest[3], least = INFINITY;
  const int turns = SLOWED ? 200 : 600, heights = one->dimension == 2 ? 1 : turns / 2;
  for (int k = 0; k < turns; k++)
    for (int m = 0; m < heights; m++) {
      const double angle = 2.0 * pi * k / turns, height = one->dimension == 2 ? 0.0 : cos(pi * (m + 0.5) / heights);
      const double unit[3] = {sqrt(1.0 - height * height) * cos(angle), sqrt(1.0 - height * height) * sin(angle),
                              height};
      double p[3] = {position[0], position[1], position[2]};
      for (int v = 0; v < one->dimension; v++)
        for (int axis = 0; axis < one->dimension; axis++)
          p[axis] += unit[v] * one->core.ellipsoid.axis[v * one->dimension + axis];
      least = fmin(least, shape_distance(wall, one->dimension, p, normal, nearest));
    }
  return least;
}

/* Then a ball about that point may be inside altogether, which is no distance of surfaces. */
static bool is_inside(const grain *one, const double position[3], const double point[3])
{
  double sum = 0.0;
  for (int v = 0; v < one->dimension; v++) {
    double along = 0.0, square = 0.0;
    for (int axis = 0; axis < one->dimension; axis++) {
      const double a = one->core.ellipsoid.axis[v * one->dimension + axis];
      along += a * (point[axis] - position[axis]);
      square += a * a;
    }
    sum += along * along / (square * square);
  }
  return sum < 1.0;
}

/* By points all over the surface, which are an error of the second order away from the nearest. */
static void bodies_are_as_far_as_the_nearest_point(void **state)
{
  (void)state;
  const shape walls[] = {
      {.kind = FLOC_SHAPE_PLANE, .framed = -1, .point = {{0.2, 0.1, 0.0}, {0.6, 0.8, 0.0}}},
      {.kind = FLOC_SHAPE_SPHERE, .framed = -1, .point = {{0.3, -1.0, 0.0}}, .radius = 0.4},
      {.kind = FLOC_SHAPE_SEGMENT, .framed = -1, .point = {{-1.0, 0.3, 0.0}, {1.0, 0.9, 0.0}}, .radius = 0.05},
      {.kind = FLOC_SHAPE_HOLLOW, .framed = -1, .point = {{0.1, 0.2, 0.0}}, .radius = 3.0},
      {.kind = FLOC_SHAPE_TRIANGLE,
       .framed = -1,
       .point = {{-1.0, 0.3, 0.4}, {1.0, 0.9, 0.0}, {0.2, -0.8, 0.1}},
       .radius = 0.05},
  };
  for (int k = 0; k < (SLOWED ? 20 : 60); k++)
    for (int w = 0; w < 5; w++)
      for (int32_t dimension = w == 4 ? 3 : 2; dimension < 4; dimension++) {
        grain one;
        double position[3], way[3];
        if (dimension == 3 && k % 4) continue;
        draw_grain(dimension, 0, 2.0, &one);
        throw_direction(&drawn, dimension, way);
        for (int axis = 0; axis < 3; axis++)
          position[axis] = throw_between(&drawn, 0.5, w == 3 ? 2.0 : 4.0) * way[axis];
        const double found = grain_wall_distance(&walls[w], &one.core, position, 10.0),
                     tried = (double)to_wall(&walls[w], &one, position);
        if (!(tried > 0.0) || (w == 1 && is_inside(&one, position, walls[w].point[0]))) continue;
        if (!(found <= tried + 1e-12 && found > tried - (SLOWED ? 5e-3 : 6e-4)))
          fail_msg("shape %d in %d dimensions: distance %g, by points of the surface %g", w, dimension, found,
                   tried);
      }
}

/* ---- rows ---- */

static void turn_by(grain *one, const double by[3])
{
  double quaternion[4], next[4];
  one->angle += by[2];
  rotation_from_vector(by, quaternion);
  rotation_compose(quaternion, one->orientation, next);
  memcpy(one->orientation, next, sizeof next);
  place(one);
}

/* Rows are met, one exactly, of grains that turn by up to `turn` and slip by up to that. */
static double greatest_overlap(int32_t dimension, int32_t corners, double turn)
{
  double greatest = 0.0;
  const bool is_solid = dimension == 3 && corners > 2; /* these take longer */
  for (int k = 0; k < (SLOWED ? 300 : 2000) / (is_solid ? 5 : 1); k++) {
    grain one[2];
    double by[2][3], between[3], slip[3], needed = -INFINITY;
    draw_grain(dimension, corners, 2.0, &one[0]);
    draw_grain(dimension, 0, 2.0, &one[1]);
    for (int side = 0; side < 2; side++) {
      one[side].radius = 0.5;
      turn_at_random(&one[side]);
      throw_direction(&drawn, 3, by[side]);
      if (dimension == 2) by[side][0] = by[side][1] = 0.0;
      for (int axis = 0; axis < 3; axis++) by[side][axis] *= turn / vector_length(by[side]);
    }
    bring_near(&one[0], &one[1], throw_between(&drawn, 0.0, 0.5 * turn), between);
    convex_row rows[CONVEX_ROWS];
    const int32_t found = grain_rows(&one[0].core, &one[1].core, between, 4.0 * turn, rows);
    if (found == 0) continue;
    bool usable = true;
    const double *along = rows[0].normal;
    throw_direction(&drawn, dimension, slip);
    for (int axis = 0; axis < 3; axis++) slip[axis] *= 0.5 * turn;
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
    if (!usable || !(fabs(needed) < turn)) continue;
    for (int axis = 0; axis < 3; axis++) between[axis] += slip[axis] + needed * along[axis];
    for (int side = 0; side < 2; side++) turn_by(&one[side], by[side]);
    greatest = fmax(greatest, -grain_distance(&one[0].core, &one[1].core, between, 10.0));
  }
  return greatest / 0.5;
}

/* Along a normal that turns with the other's side, an ellipse of aspect e against it turns by 2 a, which at its
 * flat side, of radius of curvature rho = e R and height R/e, lets it in by (2 a)^2 (rho - R/e)/2 = 3 R a^2 at e =
 * 2; the way between centres turns by a, at most 0.75 R a^2; the slip of R a adds R a^2, and what is needed along
 * another row's normal 1.4 R a^2. In space, of 10,000 tries each, at most 7.3 R a^2 against rods, 6.3 against
 * polyhedra. */
static void met_rows_overlap_in_second_order(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension < 4; dimension++)
    for (int32_t corners = 0; corners < (dimension == 2 ? 5 : 9); corners++)
      for (double turn = 0.1; turn > 0.02; turn *= 0.5) {
        if (dimension == 3 && (corners == 3 || corners == 5 || corners == 7)) continue;
        const double found = greatest_overlap(dimension, corners, turn);
        if (!(found <= (dimension == 2 ? 6.2 : 8.0) * turn * turn && found > 0.02 * turn * turn))
          fail_msg("in %d dimensions, against %d corners, turned by %g: overlap %g R, %g R times its square",
                   dimension, corners, turn, found, found / (turn * turn));
      }
}

/* What turning moves is no more than grain_shape.turned says: a point that one just does not reach, it does not
 * reach when it has turned by less. */
static void turning_moves_by_no_more_than_that(void **state)
{
  (void)state;
  double nearest = 0.0;
  for (int k = 0; k < (SLOWED ? 300 : 3000); k++)
    for (int32_t dimension = 2; dimension < 4; dimension++) {
      grain one;
      double n[3], by[3], point[3];
      draw_grain(dimension, 0, 3.0, &one);
      throw_direction(&drawn, dimension, n);
      throw_direction(&drawn, 3, by);
      if (dimension == 2) by[0] = by[1] = 0.0;
      const double angle = 0.01, length = vector_length(by);
      for (int axis = 0; axis < 3; axis++) by[axis] *= angle / length;
      const double before = ellipsoid_support(&one.core.ellipsoid, n, point);
      turn_by(&one, by);
      const double more = ellipsoid_support(&one.core.ellipsoid, n, point) - before,
                   allowed = one.form.turned * one.radius * angle;
      assert_true(fabs(more) <= allowed * (1.0 + 1e-9));
      nearest = fmax(nearest, fabs(more) / allowed);
    }
  assert_true(nearest > 0.9);
}

/* ---- volumes and moments ---- */

static void moments_are_those_of_a_grid(void **state)
{
  (void)state;
  const double radius = 1.3, a[3] = {1.0, 0.8, 0.5};
  const int cells = 60;
  double sum[2] = {0.0, 0.0}, second[3] = {0.0, 0.0, 0.0}, polar = 0.0, inertia[6];
  grain_shape flat = {.kind = GRAIN_ELLIPSOID, .semi_axis = {1.0, 0.8, 0.0}},
              solid = {.kind = GRAIN_ELLIPSOID, .semi_axis = {1.0, 0.8, 0.5}};
  const double cell = 2.0 / cells;
  for (int i = 0; i < cells; i++)
    for (int j = 0; j < cells; j++)
      for (int k = 0; k < cells; k++) { /* of the unit ball, stretched */
        const double u[3] = {(i + 0.5) * cell - 1.0, (j + 0.5) * cell - 1.0, (k + 0.5) * cell - 1.0};
        const double part = radius * radius * radius * a[0] * a[1] * a[2] * cell * cell * cell;
        if (vector_dot(u, u) > 1.0) continue;
        sum[1] += part;
        for (int axis = 0; axis < 3; axis++)
          second[axis] += part * radius * radius * a[axis] * a[axis] * u[axis] * u[axis];
      }
  const int fine = 400;
  for (int i = 0; i < fine; i++)
    for (int j = 0; j < fine; j++) {
      const double x = (2.0 * i + 1.0) / fine - 1.0, y = (2.0 * j + 1.0) / fine - 1.0;
      if (x * x + y * y > 1.0) continue;
      const double part = radius * radius * a[0] * a[1] * 4.0 / fine / fine;
      sum[0] += part;
      polar += part * radius * radius * (a[0] * a[0] * x * x + a[1] * a[1] * y * y);
    }
  assert_close(grain_volume(&flat, 2, radius, 0.0), sum[0], 1e-3 * sum[0]);
  assert_close(grain_volume(&solid, 3, radius, 0.0), sum[1], 2e-3 * sum[1]);
  assert_close(grain_kinds[GRAIN_ELLIPSOID].moment(&flat, 2, radius, 0.0), polar, 1e-3 * polar);
  grain_kinds[GRAIN_ELLIPSOID].inertia(&solid, sum[1], radius, 0.0, inertia);
  for (int axis = 0; axis < 3; axis++) {
    const double about = second[(axis + 1) % 3] + second[(axis + 2) % 3];
    assert_close(inertia[axis], about, 4e-3 * about);
    assert_close(inertia[3 + axis], 0.0, 0.0);
  }
}

static void refused(int32_t dimension, const char *words, double a, double b, double c)
{
  environment env = test_environment(1);
  floc_grain_shape_options options;
  grain_shape made;
  floc_grain_shape_options_init(&options);
  options.semi_axes[0] = a;
  options.semi_axes[1] = b;
  options.semi_axes[2] = c;
  assert_int_equal(grain_shape_make(&env, dimension, &options, &made), FLOC_INVALID_ARGUMENT);
  if (!strstr(env.message, words)) fail_msg("\"%s\" does not say \"%s\"", env.message, words);
  options.corner_count = 3;
  assert_int_equal(grain_shape_make(&env, dimension, &options, &made), FLOC_INVALID_ARGUMENT);
}

static void what_is_no_ellipsoid_is_refused(void **state)
{
  (void)state;
  refused(2, "semi_axes[2] of the shape is 1", 1.0, 1.0, 1.0);
  refused(3, "semi_axes[2] of the shape is 0", 1.0, 1.0, 0.0);
  refused(3, "semi_axes[1] of the shape is -1", 1.0, -1.0, 1.0);
  refused(2, "semi_axes[0] of the shape is nan", NAN, 1.0, 0.0);
  refused(3, "at most 100 times the least", 1.0, 101.0, 5.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_are_those_of_a_search),        cmocka_unit_test(nearest_points_are_on_both),
      cmocka_unit_test(bodies_are_as_far_as_the_nearest_point), cmocka_unit_test(met_rows_overlap_in_second_order),
      cmocka_unit_test(turning_moves_by_no_more_than_that),     cmocka_unit_test(moments_are_those_of_a_grid),
      cmocka_unit_test(what_is_no_ellipsoid_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
