/*
 * engine/geometry/shapes/cone.c: distances held against a sampling of the surface, the area of what is drawn, rays
 * through a wall, and what is refused.
 */
#include "area_of_drawing.h"

static const double pi = 3.14159265358979323846;
static const double first = 1.0, second = 0.4, height = 1.5;

/* Its axis is y of the world. */
static floc_shape standing(int32_t kind, double parts)
{
  floc_shape shape;
  floc_shape_init(&shape);
  shape.kind = kind;
  shape.points[0][0] = 0.5;
  shape.points[1][2] = shape.points[2][0] = 1.0;
  shape.parameters[0] = first;
  shape.parameters[1] = second;
  shape.parameters[2] = height;
  shape.parameters[3] = parts;
  return shape;
}

/* Distance of a point from the parts of the surface, by the smallest of many. */
static double sampled(const double point[3], int parts)
{
  enum { ALONG = 2000 };
  double across = hypot(point[0] - 0.5, point[2]), least = INFINITY;
  for (int k = 0; k <= ALONG; k++) {
    double share = (double)k / ALONG;
    if (parts & 1) least = fmin(least, hypot(across - share * first, point[1]));
    if (parts & 2) least = fmin(least, hypot(across - first - share * (second - first), point[1] - share * height));
    if (parts & 4) least = fmin(least, hypot(across - share * second, point[1] - height));
  }
  return least;
}

static bool is_inside(const double point[3])
{
  double radius = first + (second - first) * point[1] / height;
  return point[1] > 0.0 && point[1] < height && hypot(point[0] - 0.5, point[2]) < radius;
}

static void distances_are_those_of_the_nearest_point(void **state)
{
  (void)state;
  floc_world *world = make_world(3, 1e-3, 0.0, 1);
  int inside = 0;
  for (int k = 0; k < 600; k++) {
    const double point[3] = {0.5 + 1.2 * sin(1.7 * k), 0.75 + 1.2 * sin(2.3 * k + 1.0), 1.2 * sin(2.9 * k + 2.0)};
    const int parts = k % 7 + 1;
    floc_shape solid = standing(FLOC_SHAPE_CONE, 0), wall = standing(FLOC_SHAPE_CONE_WALL, parts);
    double distance;
    assert_world_ok(world, floc_shape_distance(world, &solid, point, &distance));
    assert_float_equal(distance, is_inside(point) ? -sampled(point, 7) : sampled(point, 7), 2e-3);
    inside += is_inside(point);
    wall.radius = 0.01;
    assert_world_ok(world, floc_shape_distance(world, &wall, point, &distance));
    assert_float_equal(distance, sampled(point, parts) - 0.01, 2e-3);
  }
  assert_true(inside > 30);
  floc_world_destroy(world);
}

static double drawn_area(floc_world *world, const floc_shape *shape)
{
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t body;
  assert_world_ok(world, floc_body_add(world, &fixed, &body));
  assert_world_ok(world, floc_body_add_shape(world, body, shape));
  return area_of_drawing(world, body);
}

static void what_is_drawn_has_its_area(void **state)
{
  (void)state;
  floc_world *world = make_world(3, 1e-3, 0.0, 1);
  const double side = pi * (first + second) * hypot(height, first - second);
  const double of_parts[] = {pi * first * first, side, pi * second * second};
  for (int parts = 1; parts < 8; parts++) {
    floc_shape wall = standing(FLOC_SHAPE_CONE_WALL, parts);
    double expected = 0.0;
    for (int k = 0; k < 3; k++) expected += parts >> k & 1 ? of_parts[k] : 0.0;
    assert_float_equal(drawn_area(world, &wall), expected, 0.004 * expected);
  }
  floc_shape solid = standing(FLOC_SHAPE_CONE, 0);
  assert_float_equal(drawn_area(world, &solid), of_parts[0] + side + of_parts[2], 0.03);
  solid.parameters[1] = 0.0; /* a tip */
  const double pointed = pi * first * first + pi * first * hypot(height, first);
  assert_float_equal(drawn_area(world, &solid), pointed, 0.004 * pointed);
  floc_world_destroy(world);
}

/* A grain inside meets side and floor, which are shapes of their own, and rests in the corner. */
static void a_grain_rests_in_the_corner(void **state)
{
  (void)state;
  const double radius = 0.1, gravity[3] = {5.0, -10.0, 0.0};
  floc_world *world = make_world(3, 1e-3, 0.0, 1);
  assert_world_ok(world, floc_world_set_gravity(world, gravity));
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t body;
  assert_world_ok(world, floc_body_add(world, &fixed, &body));
  for (int part = 1; part < 4; part <<= 1) {
    floc_shape wall = standing(FLOC_SHAPE_CONE_WALL, part);
    wall.parameters[1] = first;
    assert_world_ok(world, floc_body_add_shape(world, body, &wall));
  }
  int64_t id = add_particle(world, 0.5, 0.5, 0.0, 0.0, radius);
  run_steps(world, 3000);
  assert_float_equal(column_value(world, "y", id), radius, 1e-6);
  assert_float_equal(column_value(world, "x", id), 0.5 + first - radius, 1e-6);
  floc_world_destroy(world);
}

static void wrong_ones_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(3, 1e-3, 0.0, 1);
  const double origin[3] = {0.0};
  double distance;
  floc_shape shape = standing(FLOC_SHAPE_CONE, 0);
  shape.parameters[2] = 0.0;
  assert_int_equal(floc_shape_distance(world, &shape, origin, &distance), FLOC_INVALID_ARGUMENT);
  assert_non_null(
      strstr(floc_world_message(world), "cone: with radius_first = 1, radius_second = 0.4, height = 0"));
  for (int k = 0; k < 3; k++) {
    const double wrong[] = {0.0, 8.0, 1.5};
    shape = standing(FLOC_SHAPE_CONE_WALL, wrong[k]);
    assert_int_equal(floc_shape_distance(world, &shape, origin, &distance), FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(floc_world_message(world), "parts"));
  }
  shape = standing(FLOC_SHAPE_CONE, 0);
  assert_int_equal(floc_shape_distance(world, NULL, origin, &distance), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_shape_distance(world, &shape, NULL, &distance), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_are_those_of_the_nearest_point), cmocka_unit_test(what_is_drawn_has_its_area),
      cmocka_unit_test(a_grain_rests_in_the_corner), cmocka_unit_test(wrong_ones_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
