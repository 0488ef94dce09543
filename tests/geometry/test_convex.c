/*
 * engine/geometry/convex: distances of rounded convex shapes against a maximiser over directions, which shares no
 * code with them; rows that leave nothing out in first order; and engine/particles/grain_shapes.c: moments by
 * integration, polygons that are none.
 */
#include "support.h"

#include "base/numbers/random.h"
#include "geometry/convex/convex.h"
#include "particles/particles.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { PAIRS = SLOWED ? 300 : 10000, DIRECTIONS = 360 };

typedef struct placed {
  grain_shape form;
  double corner[CONVEX_CORNERS][2], normal[CONVEX_CORNERS][2];
  double radius, rounding, angle;
  convex_core core;
} placed;

static uint64_t draws;

static double convex_distance(const convex_core *first, const convex_core *second, const double *between,
                              double reach)
{
  convex_row rows[CONVEX_ROWS];
  return convex_least(rows, convex_rows(first, second, between, reach, rows));
}

static double uniform(double lower, double upper)
{
  double u[4];
  random_uniform4(7, ++draws, 0, RANDOM_SCRIPT, 0, u);
  return lower + (upper - lower) * u[0];
}

static void turn_to(placed *one, double angle)
{
  const double scale = one->radius - one->rounding;
  one->angle = angle;
  for (int32_t k = 0; k < one->form.count; k++) {
    const double *from[2] = {one->form.corner[k], one->form.normal[k]};
    double *to[2] = {one->corner[k], one->normal[k]};
    for (int which = 0; which < 2; which++) {
      const double factor = which == 0 ? scale : 1.0;
      to[which][0] = factor * (cos(angle) * from[which][0] - sin(angle) * from[which][1]);
      to[which][1] = factor * (sin(angle) * from[which][0] + cos(angle) * from[which][1]);
    }
  }
  one->core = (convex_core){one->form.count, (const double(*)[2])one->corner, (const double(*)[2])one->normal,
                            one->rounding};
}

/* A polygon of corners on an ellipse, or a capsule; count 1: a disc. */
static void draw_shape(environment *env, int32_t count, double rounding, double radius, placed *made)
{
  floc_grain_shape_options options;
  floc_grain_shape_options_init(&options);
  made->radius = radius;
  if (count == 1) {
    made->form = (grain_shape){.count = 1};
    made->rounding = radius;
    turn_to(made, 0.0);
    return;
  }
  double from = uniform(0.0, 2.0 * pi), flat = uniform(0.4, 1.0);
  options.corner_count = count;
  options.rounding = rounding;
  for (int32_t k = 0; k < count; k++) {
    const double angle = from + 2.0 * pi * (k + uniform(0.0, 0.7)) / count;
    options.corners[2 * k] = cos(angle);
    options.corners[2 * k + 1] = flat * sin(angle);
  }
  assert_ok(env, grain_shape_make(env, 2, &options, &made->form));
  made->rounding = rounding * radius;
  turn_to(made, uniform(0.0, 2.0 * pi));
}

/* How far the two are apart along a direction. */
static double separation_along(const placed *a, const placed *b, const double between[2], double angle)
{
  const double n[2] = {cos(angle), sin(angle)};
  double upper = INFINITY, lower = -INFINITY;
  for (int32_t k = 0; k < a->core.count; k++) lower = fmax(lower, n[0] * a->corner[k][0] + n[1] * a->corner[k][1]);
  for (int32_t k = 0; k < b->core.count; k++)
    upper = fmin(upper, n[0] * (b->corner[k][0] + between[0]) + n[1] * (b->corner[k][1] + between[1]));
  return upper - lower - a->rounding - b->rounding;
}

/* The greatest over all directions: the distance, or minus the least way that leads apart. */
static double distance_by_directions(const placed *a, const placed *b, const double between[2])
{
  double best = -INFINITY, at = 0.0, width = 2.0 * pi / DIRECTIONS;
  for (int k = 0; k < DIRECTIONS; k++) {
    const double value = separation_along(a, b, between, k * width);
    if (value > best) {
      best = value;
      at = k * width;
    }
  }
  double lower = at - width, upper = at + width;
  const double ratio = 0.5 * (sqrt(5.0) - 1.0);
  for (int k = 0; k < 80; k++) {
    const double one = upper - ratio * (upper - lower), two = lower + ratio * (upper - lower);
    if (separation_along(a, b, between, one) < separation_along(a, b, between, two))
      lower = one;
    else
      upper = two;
  }
  return fmax(best, separation_along(a, b, between, 0.5 * (lower + upper)));
}

static void try_pairs(int32_t first, int32_t second, double rounding)
{
  environment env = test_environment(1);
  int32_t apart = 0, overlapping = 0;
  for (int k = 0; k < PAIRS; k++) {
    placed a, b;
    draw_shape(&env, first, rounding, uniform(0.5, 1.5), &a);
    draw_shape(&env, second, rounding, uniform(0.5, 1.5), &b);
    if (k % 5 == 0 && first > 1) turn_to(&b, a.angle + 0.5 * pi * (k % 4));
    const double angle = uniform(0.0, 2.0 * pi);
    double between[2] = {cos(angle), sin(angle)};
    /* within some tenths of touching */
    const double far = uniform(-0.1, 0.3) + a.radius + b.radius;
    for (int axis = 0; axis < 2; axis++) between[axis] *= far;
    const double surplus = distance_by_directions(&a, &b, between) - uniform(-0.05, 0.2);
    between[0] -= surplus * cos(angle);
    between[1] -= surplus * sin(angle);
    const double expected = distance_by_directions(&a, &b, between);
    if (expected < -0.2) continue; /* many ways lead out */
    assert_close(convex_distance(&a.core, &b.core, between, 10.0), expected, 1e-12);
    apart += expected > 0.0;
    overlapping += expected < 0.0;
    const double back[2] = {-between[0], -between[1]};
    assert_close(convex_distance(&b.core, &a.core, back, 10.0), expected, 1e-12);
  }
  assert_true(apart > PAIRS / 4);
  assert_true(overlapping > PAIRS / 40);
}

static void distances_are_those_of_all_directions(void **state)
{
  (void)state;
  try_pairs(2, 2, 0.2);
  try_pairs(4, 4, 0.02);
  try_pairs(6, 3, 0.02);
  try_pairs(16, 8, 0.1);
  try_pairs(5, 2, 0.1);
  try_pairs(1, 5, 0.05);
  try_pairs(1, 2, 0.3);
}

/* Without a rounding the cores themselves touch. */
static void sharp_corners_too(void **state)
{
  (void)state;
  try_pairs(4, 4, 0.0);
  try_pairs(3, 7, 0.0);
}

/* ---- rows ---- */

static double greatest_overlap(int32_t count, double rounding, double turn)
{
  environment env = test_environment(1);
  const double radius = 0.5;
  double greatest = 0.0;
  for (int k = 0; k < (SLOWED ? 2000 : 40000); k++) {
    placed a, b;
    draw_shape(&env, count, rounding, radius, &a);
    b = a;
    turn_to(&b,
            k % 2 ? a.angle + 2.0 * pi * (k % count) / count + pi + uniform(-turn, turn) : uniform(0.0, 2.0 * pi));
    const double angle = uniform(0.0, 2.0 * pi), by[2] = {uniform(-turn, turn), uniform(-turn, turn)};
    double between[2] = {2.0 * cos(angle), 2.0 * sin(angle)};
    const double surplus = convex_distance(&a.core, &b.core, between, 10.0) - uniform(0.0, radius * turn);
    between[0] -= surplus * cos(angle);
    between[1] -= surplus * sin(angle);
    convex_row rows[CONVEX_ROWS];
    const int32_t found = convex_rows(&a.core, &b.core, between, 8.0 * radius * turn, rows);
    if (found == 0) continue;
    /* a displacement of the second that meets all rows, one exactly: a slip, and as far as needed along a normal */
    double along[2] = {rows[0].normal[0], rows[0].normal[1]}, slip = uniform(-radius * turn, radius * turn);
    double needed = -INFINITY;
    bool usable = true;
    const double way[2] = {-slip * along[1], slip * along[0]};
    for (int32_t r = 0; r < found; r++) {
      const double *n = rows[r].normal, *p = rows[r].first, *q = rows[r].second;
      const double gap = rows[r].distance + n[0] * way[0] + n[1] * way[1] + by[1] * (q[0] * n[1] - q[1] * n[0]) -
                         by[0] * (p[0] * n[1] - p[1] * n[0]);
      const double share = n[0] * along[0] + n[1] * along[1];
      usable &= share > 0.7;
      needed = fmax(needed, -gap / share);
    }
    if (!usable || !(fabs(needed) < 2.0 * radius * turn)) continue;
    turn_to(&a, a.angle + by[0]);
    turn_to(&b, b.angle + by[1]);
    for (int axis = 0; axis < 2; axis++) between[axis] += way[axis] + needed * along[axis];
    greatest = fmax(greatest, -convex_distance(&a.core, &b.core, between, 10.0));
  }
  return greatest / radius;
}

static void met_rows_overlap_in_second_order(void **state)
{
  (void)state;
  static const struct {
    int32_t count;
    double rounding;
  } kinds[] = {{2, 0.2}, {4, 0.02}, {6, 0.02}, {3, 0.1}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int halving = 0; halving < 3; halving++) {
      const double turn = 0.1 / (1 << halving), overlap = greatest_overlap(kinds[k].count, kinds[k].rounding, turn);
      if (!(overlap <= 2.5 * turn * turn))
        fail_msg("%d corners, turned by %g: overlap %g R, more than 2.5 R times its square", (int)kinds[k].count,
                 turn, overlap);
      assert_true(overlap > 0.02 * turn * turn); /* tries that could not overlap show nothing */
    }
}

static void nothing_beyond_reach_is_a_row(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int k = 0; k < 2000; k++) {
    placed a, b;
    convex_row near[CONVEX_ROWS], far[CONVEX_ROWS];
    draw_shape(&env, 3 + k % 6, 0.05, 1.0, &a);
    draw_shape(&env, 2 + k % 5, 0.05, 1.0, &b);
    const double angle = uniform(0.0, 2.0 * pi), length = uniform(1.6, 2.2),
                 between[2] = {length * cos(angle), length * sin(angle)};
    if (!(convex_distance(&a.core, &b.core, between, 10.0) > 0.0)) continue;
    const int32_t all = convex_rows(&a.core, &b.core, between, 10.0, far);
    const int32_t some = convex_rows(&a.core, &b.core, between, 0.3, near);
    int32_t at = 0;
    for (int32_t r = 0; r < all; r++) {
      if (!(far[r].distance <= 0.3)) continue;
      assert_true(at < some);
      assert_memory_equal(&near[at++], &far[r], sizeof far[r]);
    }
    assert_int_equal(at, some);
  }
}

/* ---- moments ---- */

/* Is the point within the rounded shape? By the nearest point of the core. */
static bool is_covered(const placed *one, double x, double y)
{
  const placed point = {.core = {.count = 1}, .rounding = 1e-12};
  const convex_core dot = {1, (const double(*)[2])point.corner, (const double(*)[2])point.normal, 0.0};
  const double between[2] = {x, y};
  return convex_distance(&one->core, &dot, between, 10.0) <= 0.0;
}

static double moment_of(const grain_shape *form, double radius, double rounding)
{
  return grain_kinds[form->kind].moment(form, 2, radius, rounding);
}

static void moments_are_those_of_a_grid(void **state)
{
  (void)state;
  environment env = test_environment(1);
  static const int32_t counts[] = {2, 3, 5, 8};
  for (int k = 0; k < 4; k++) {
    placed one;
    draw_shape(&env, counts[k], k % 2 ? 0.05 : 0.3, 1.0, &one);
    const int cells = SLOWED ? 200 : 400;
    double area = 0.0, first[2] = {0.0, 0.0}, second = 0.0, cell = 2.0 / cells;
    for (int i = 0; i < cells; i++)
      for (int j = 0; j < cells; j++) {
        const double x = (i + 0.5) * cell - 1.0, y = (j + 0.5) * cell - 1.0;
        if (!is_covered(&one, x, y)) continue;
        area += cell * cell;
        first[0] += cell * cell * x;
        first[1] += cell * cell * y;
        second += cell * cell * (x * x + y * y);
      }
    const double tolerance = SLOWED ? 1e-2 : 4e-3;
    assert_close(grain_volume(&one.form, 2, 1.0, one.rounding), area, tolerance);
    assert_close(moment_of(&one.form, 1.0, one.rounding), second, tolerance);
    assert_close(first[0], 0.0, tolerance);
    assert_close(first[1], 0.0, tolerance);
  }
}

/* A capsule's, of half the length l of its axis and radius r: A = 4 l r + pi r^2, about the centre a rectangle's
 * and two half discs'. At another width than it was made with as well. */
static void a_capsule_has_the_moments_of_its_formula(void **state)
{
  (void)state;
  environment env = test_environment(1);
  placed one;
  draw_shape(&env, 2, 0.25, 1.0, &one);
  for (double r = 0.1; r < 0.6; r += 0.2) {
    const double l = 1.0 - r, half = 4.0 * r / (3.0 * pi), disc = pi * r * r;
    const double along =
        2.0 * r * 8.0 * l * l * l / 12.0 + disc * (r * r / 4.0 - half * half) + disc * (l + half) * (l + half);
    const double across = 2.0 * l * 8.0 * r * r * r / 12.0 + disc * r * r / 4.0;
    assert_close(grain_volume(&one.form, 2, 1.0, r), 4.0 * l * r + disc, 1e-14);
    assert_close(moment_of(&one.form, 1.0, r), along + across, 1e-14);
  }
}

/* ---- what is no shape ---- */

static void refused(const char *words, int32_t count, const double *corners, double rounding)
{
  environment env = test_environment(1);
  floc_grain_shape_options options;
  grain_shape made;
  floc_grain_shape_options_init(&options);
  options.corner_count = count;
  options.rounding = rounding;
  if (count <= CONVEX_CORNERS) memcpy(options.corners, corners, 2 * (size_t)count * sizeof *corners);
  assert_int_equal(grain_shape_make(&env, 2, &options, &made), FLOC_INVALID_ARGUMENT);
  if (!strstr(env.message, words)) fail_msg("\"%s\" does not say \"%s\"", env.message, words);
}

static void what_is_no_convex_polygon_is_refused(void **state)
{
  (void)state;
  refused("turns inward", 4, (double[]){0, 0, 2, 0, 0.5, 0.5, 0, 2}, 0.02);
  refused("turns inward", 4, (double[]){0, 0, 1, 1, 1, 0, 0, 1}, 0.02);
  refused("on the line", 3, (double[]){0, 0, 1, 0, 2, 0}, 0.02);
  refused("on the line", 4, (double[]){0, 0, 1, 0, 2, 0, 0, 1}, 0.02);
  refused("same point", 4, (double[]){0, 0, 1, 0, 1, 0, 0, 1}, 0.02);
  refused("crosses itself", 5, (double[]){0, 1, 0.59, -0.81, -0.95, 0.31, 0.95, 0.31, -0.59, -0.81},
          0.02); /* a star */
  refused("finite", 3, (double[]){0, 0, 1, NAN, 0, 1}, 0.02);
  refused("no area", 2, (double[]){0, 0, 1, 0}, 0.0);
  refused("corner_count is 1", 1, (double[]){0, 0}, 0.1);
  refused("corner_count is 17", 17, NULL, 0.1);
  refused("rounding is 1", 3, (double[]){0, 0, 1, 0, 0, 1}, 1.0);
  refused("rounding is -0.1", 3, (double[]){0, 0, 1, 0, 0, 1}, -0.1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_are_those_of_all_directions),
      cmocka_unit_test(sharp_corners_too),
      cmocka_unit_test(met_rows_overlap_in_second_order),
      cmocka_unit_test(nothing_beyond_reach_is_a_row),
      cmocka_unit_test(moments_are_those_of_a_grid),
      cmocka_unit_test(a_capsule_has_the_moments_of_its_formula),
      cmocka_unit_test(what_is_no_convex_polygon_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
