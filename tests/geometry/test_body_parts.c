/*
 * engine/geometry/convex/body_parts.c: which shapes are one part, rows between bodies against distances by brute
 * force, rows that say the same, and what is not known.
 */
#include "geometry/convex/body_parts.h"

#include "base/arena.h"
#include "support.h"

#include <math.h>

typedef struct scene {
  environment env;
  bodies all;
  arena scratch;
  body_forms forms;
  body_parts parts;
} scene;

static void begin(scene *one)
{
  one->env = test_environment(1);
  one->forms = (body_forms){0};
  bodies_init(&one->all, &one->env, 2);
  arena_init(&one->scratch, &one->env);
}

static void end(scene *one)
{
  body_forms_free(&one->env, &one->forms);
  arena_free(&one->scratch);
  bodies_free(&one->all);
}

static int32_t add(scene *one, double x, double y, double angle)
{
  floc_body_options options;
  floc_body_options_init(&options);
  options.position[0] = x;
  options.position[1] = y;
  options.rotation[2] = angle;
  int32_t number;
  assert_int_equal(bodies_add(&one->all, &options, 0.0, &number), FLOC_OK);
  return number;
}

static void add_line(scene *one, int32_t number, double ax, double ay, double bx, double by, double radius)
{
  floc_shape line;
  floc_shape_init(&line);
  line.kind = FLOC_SHAPE_SEGMENT;
  line.points[0][0] = ax;
  line.points[0][1] = ay;
  line.points[1][0] = bx;
  line.points[1][1] = by;
  line.radius = radius;
  assert_int_equal(bodies_add_shape(&one->all, number, &line), FLOC_OK);
}

static void add_round(scene *one, int32_t number, int32_t kind, double x, double y, double radius)
{
  floc_shape ball;
  floc_shape_init(&ball);
  ball.kind = kind;
  ball.points[0][0] = x;
  ball.points[0][1] = y;
  ball.radius = radius;
  assert_int_equal(bodies_add_shape(&one->all, number, &ball), FLOC_OK);
}

/* In the order, and each the way round, that floc_compound has them. */
static void add_box(scene *one, int32_t number, double width, double height, double radius)
{
  add_line(one, number, -width, -height, width, -height, radius);
  add_line(one, number, -width, -height, -width, height, radius);
  add_line(one, number, width, -height, width, height, radius);
  add_line(one, number, -width, height, width, height, radius);
}

static int32_t rows_of(scene *one, int32_t first, int32_t second, double reach, body_row *rows)
{
  int32_t count;
  assert_int_equal(body_parts_make(&one->scratch, &one->forms, &one->all, &one->parts), FLOC_OK);
  assert_int_equal(body_rows_find(&one->parts, first, second, reach, rows, &count), FLOC_OK);
  return count;
}

static double least_of(const body_row *rows, int32_t count)
{
  double least = INFINITY;
  for (int32_t k = 0; k < count; k++) least = fmin(least, rows[k].distance);
  return least;
}

static void closed_convex_outlines_are_one_part(void **state)
{
  (void)state;
  scene one;
  begin(&one);
  const int32_t box = add(&one, 0, 0, 0.3);
  add_box(&one, box, 1, 0.5, 0.0);
  add_round(&one, box, FLOC_SHAPE_SPHERE, 0, 0, 0.2);
  const int32_t arrow = add(&one, 5, 0, 0); /* not convex */
  add_line(&one, arrow, -1, 0, 1, 1, 0.1);
  add_line(&one, arrow, 1, 1, 0, 0, 0.1);
  add_line(&one, arrow, 0, 0, 1, -1, 0.1);
  add_line(&one, arrow, 1, -1, -1, 0, 0.1);
  const int32_t open = add(&one, 9, 0, 0);
  add_line(&one, open, 0, 0, 1, 0, 0.1);
  add_line(&one, open, 1, 0, 1, 1, 0.1);
  assert_int_equal(body_parts_make(&one.scratch, &one.forms, &one.all, &one.parts), FLOC_OK);
  assert_int_equal(one.parts.count, 2 + 4 + 2);
  assert_int_equal(one.parts.part[0].count, 4);
  assert_int_equal(one.parts.part[1].count, 1);
  for (int32_t k = 2; k < 8; k++) assert_int_equal(one.parts.part[k].count, 2);
  for (int32_t k = 0; k < 4; k++) assert_int_equal(one.parts.of_shape[k], 0);
  assert_int_equal(one.parts.of_shape[4], 1);
  end(&one);
}

/* A point's distance to a filled rectangle about 0; below 0 inside. */
static double to_box(double x, double y, double width, double height)
{
  const double a = fabs(x) - width, b = fabs(y) - height;
  return a > 0.0 && b > 0.0 ? sqrt(a * a + b * b) : fmax(a, b);
}

static void distances_are_those_of_many_points(void **state)
{
  (void)state;
  uint64_t seed = 7;
  int touched = 0;
  for (int k = 0; k < 400; k++) {
    double draw[4];
    for (int m = 0; m < 4; m++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      draw[m] = (double)(seed >> 11) / 9007199254740992.0;
    }
    scene one;
    begin(&one);
    const double way = 6.2831853 * draw[0], far = 1.2 + 0.9 * draw[1], turn = 6.2831853 * draw[2],
                 half = 6.2831853 * draw[3];
    const double x = far * cos(way), y = far * sin(way);
    const int32_t a = add(&one, 0, 0, half), b = add(&one, x, y, turn);
    add_box(&one, a, 0.7, 0.4, 0.02);
    add_box(&one, b, 0.5, 0.3, 0.0);
    body_row rows[BODY_ROWS];
    const int32_t count = rows_of(&one, a, b, 0.8, rows);
    double least = INFINITY; /* of points on one outline to the other box, either way */
    for (int side = 0; side < 2; side++)
      for (int p = 0; p < 400; p++) {
        const double width = side == 0 ? 0.5 : 0.7, height = side == 0 ? 0.3 : 0.4, along = (p % 100) / 49.5 - 1.0;
        const double u = p < 200 ? along * width : (p < 300 ? -width : width),
                     v = p < 200 ? (p < 100 ? -height : height) : along * height;
        const double own = side == 0 ? turn : half, other = side == 0 ? half : turn, sign = side == 0 ? 1.0 : -1.0;
        const double wx = cos(own) * u - sin(own) * v + sign * x, wy = sin(own) * u + cos(own) * v + sign * y;
        const double px = cos(other) * wx + sin(other) * wy, py = -sin(other) * wx + cos(other) * wy;
        least = fmin(least, to_box(px, py, side == 0 ? 0.7 : 0.5, side == 0 ? 0.4 : 0.3) - 0.02);
      }
    if (least > 0.0 && least < 0.8) { /* corners are among the points, so the least is exact where they are apart */
      assert_float_equal(least_of(rows, count), least, 1e-12);
      touched++;
    }
    for (int32_t m = 0; m < count; m++) {
      const body_row *row = &rows[m];
      double gap = 0.0; /* points lie along the normal, the distance apart */
      for (int axis = 0; axis < 2; axis++)
        gap += fabs(row->point[1][axis] - row->point[0][axis] - row->distance * row->normal[axis]);
      assert_true(gap < 1e-12);
      for (int32_t other = 0; other < m; other++)
        assert_true(fabs(row->point[0][0] - rows[other].point[0][0]) > 1e-9 ||
                    fabs(row->point[0][1] - rows[other].point[0][1]) > 1e-9 ||
                    fabs(row->point[1][0] - rows[other].point[1][0]) > 1e-9 ||
                    fabs(row->point[1][1] - rows[other].point[1][1]) > 1e-9);
    }
    end(&one);
  }
  assert_true(touched > 100);
}

/* Two boxes one on the other touch at two corners: as filled outlines, and as lines with a thickness. */
static void rows_that_say_the_same_are_one(void **state)
{
  (void)state;
  for (int variant = 0; variant < 2; variant++) {
    scene one;
    body_row rows[BODY_ROWS];
    begin(&one);
    const int32_t low = add(&one, 0, 0, 0), high = add(&one, 0.1, 1.2, 0);
    if (variant == 0) {
      add_box(&one, low, 1, 0.5, 0.1);
      add_box(&one, high, 1, 0.5, 0.1);
    } else { /* open below and above */
      add_line(&one, low, -1, -0.5, -1, 0.5, 0.1);
      add_line(&one, low, -1, 0.5, 1, 0.5, 0.1);
      add_line(&one, low, 1, 0.5, 1, -0.5, 0.1);
      add_line(&one, high, -1, 0.5, -1, -0.5, 0.1);
      add_line(&one, high, -1, -0.5, 1, -0.5, 0.1);
      add_line(&one, high, 1, -0.5, 1, 0.5, 0.1);
    }
    const int32_t count = rows_of(&one, low, high, 0.01, rows);
    assert_int_equal(count, 2);
    for (int32_t k = 0; k < 2; k++) {
      assert_float_equal(rows[k].distance, 0.0, 1e-12);
      assert_float_equal(rows[k].normal[0], 0.0, 1e-12);
      assert_float_equal(rows[k].normal[1], 1.0, 1e-12);
    }
    assert_float_equal(fabs(rows[0].point[0][0] - rows[1].point[0][0]), 1.9, 1e-12);
    end(&one);
  }
}

static void rooms_and_circles_are_known(void **state)
{
  (void)state;
  scene one;
  body_row rows[BODY_ROWS];
  begin(&one);
  const int32_t drum = add(&one, 0, 0, 0), box = add(&one, 0.5, 0, 0), ball = add(&one, 0, 1.2, 0);
  add_round(&one, drum, FLOC_SHAPE_HOLLOW, 0, 0, 2);
  add_box(&one, box, 0.5, 0.3, 0.0);
  add_round(&one, ball, FLOC_SHAPE_SPHERE, 0, 0, 0.3);
  const double corner = 2 - sqrt(1 + 0.09);
  int32_t count = rows_of(&one, box, drum, 1.0, rows);
  assert_int_equal(count, 2);
  assert_float_equal(rows[0].distance, corner, 1e-12);
  count = rows_of(&one, drum, box, 1.0, rows); /* the other way round */
  assert_int_equal(count, 2);
  assert_float_equal(rows[0].distance, corner, 1e-12);
  assert_true(rows[0].normal[0] < 0.0);
  count = rows_of(&one, drum, ball, 1.0, rows);
  assert_int_equal(count, 1);
  assert_float_equal(rows[0].distance, 0.5, 1e-12);
  assert_float_equal(rows[0].normal[1], -1.0, 1e-12);
  count = rows_of(&one, box, ball, 1.0, rows);
  assert_float_equal(least_of(rows, count), 0.6, 1e-12);
  end(&one);
}

static void lines_without_thickness_are_not(void **state)
{
  (void)state;
  scene one;
  body_row rows[BODY_ROWS];
  begin(&one);
  const int32_t a = add(&one, 0, 0, 0), b = add(&one, 0, 0.1, 0), box = add(&one, 0, -0.4, 0);
  add_line(&one, a, -1, 0, 1, 0, 0.0);
  add_line(&one, b, -1, 0, 1, 0, 0.0);
  add_box(&one, box, 0.5, 0.3, 0.0);
  assert_int_equal(rows_of(&one, a, b, 1.0, rows), 0);
  assert_false(body_parts_know(&one.parts, 0, 1));
  assert_true(body_parts_know(&one.parts, 0, 2));
  const int32_t count = rows_of(&one, a, box, 0.2, rows);
  assert_float_equal(least_of(rows, count), 0.1, 1e-12);
  end(&one);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_convex_outlines_are_one_part), cmocka_unit_test(distances_are_those_of_many_points),
      cmocka_unit_test(rows_that_say_the_same_are_one),      cmocka_unit_test(rooms_and_circles_are_known),
      cmocka_unit_test(lines_without_thickness_are_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
