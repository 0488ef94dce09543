/*
 * engine/geometry/shapes/torus.c: held against what is known of a torus: its area, where grains rest on it and what
 * its hole lets through, rays along its axis.
 */
#include "area_of_drawing.h"

static const double ring = 1.0, tube = 0.4, pi = 3.14159265358979323846;

/* Its axis is y, so that gravity pulls along it. */
static floc_shape lying(floc_world *world)
{
  floc_shape shape;
  floc_shape_init(&shape);
  assert_world_ok(world, floc_shape_type_find(world, "torus", &shape.kind));
  shape.points[0][0] = 0.5;
  shape.points[1][2] = shape.points[2][0] = 1.0; /* z = x cross y of the frame: y of the world */
  shape.parameters[0] = ring;
  shape.parameters[1] = tube;
  return shape;
}

static floc_world *with_torus(double gravity)
{
  floc_world *world = make_world(3, 1e-3, gravity, 1);
  floc_shape shape = lying(world);
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t body;
  assert_world_ok(world, floc_body_add(world, &fixed, &body));
  assert_world_ok(world, floc_body_add_shape(world, body, &shape));
  return world;
}

/* A grain rests on top of the tube. One that is too large stays in the hole, above the height at which it would
 * touch all of the ring: it touches one point at a time. A small one falls through. */
static void grains_rest_on_it_and_fall_through(void **state)
{
  (void)state;
  const double radius = 0.9;
  floc_world *world = with_torus(-1.0);
  int64_t top = add_particle(world, 0.5 + ring, 1.2, 0.0, 0.0, 0.3);
  run_steps(world, 3000);
  assert_float_equal(column_value(world, "y", top), tube + 0.3, 1e-6);
  assert_float_equal(column_value(world, "x", top), 0.5 + ring, 1e-6);
  floc_world_destroy(world);
  world = with_torus(-1.0);
  int64_t large = add_particle(world, 0.5, 1.2, 0.0, 0.0, radius);
  run_steps(world, 3000);
  double lowest = sqrt((tube + radius) * (tube + radius) - ring * ring), y = column_value(world, "y", large);
  assert_true(y > lowest - 1e-6 && y < lowest + 0.1);
  floc_world_destroy(world);
  world = with_torus(-1.0);
  int64_t small = add_particle(world, 0.5, 1.2, 0.0, 0.0, 0.5);
  run_steps(world, 3000);
  assert_float_equal(column_value(world, "y", small), 1.2 - 0.5 * 3.0 * 3.0, 0.01); /* in free fall */
  floc_world_destroy(world);
}

static void its_area_is_that_of_a_torus(void **state)
{
  (void)state;
  floc_world *world = with_torus(0.0);
  const double area = area_of_drawing(world, 0);
  assert_float_equal(area, 4.0 * pi * pi * ring * tube, 0.02 * 4.0 * pi * pi * ring * tube);
  floc_world_destroy(world);
}

/* A beam down the axis: a ray at distance d from it meets the tube where (d - R)^2 + y^2 = r^2, or goes by. */
static void rays_along_the_axis_meet_the_tube(void **state)
{
  (void)state;
  enum { CAPACITY = 20000, RAYS = 2000 };
  floc_world *world = with_torus(0.0);
  floc_ray_segment *segment = calloc(CAPACITY, sizeof *segment);
  floc_trace_result result;
  floc_trace_result_init(&result);
  result.segments = segment;
  result.segment_capacity = CAPACITY;
  floc_ray_source_options source;
  floc_ray_source_options_init(&source);
  source.direction[0] = 0.0;
  source.direction[1] = -1.0;
  source.aim[0] = 0.5;
  source.distance = 3.0;
  source.radius = 1.6;
  source.rays = RAYS;
  source.max_bounces = 3;
  assert_world_ok(world, floc_trace(world, &source, NULL, &result));
  assert_true(result.segment_count <= CAPACITY);
  int64_t met = 0, passed = 0;
  int parts[RAYS] = {0};
  for (int64_t k = 0; k < result.segment_count; k++) parts[segment[k].ray]++;
  for (int64_t k = 0; k < result.segment_count; k++) {
    const floc_ray_segment *one = &segment[k];
    if (one->from[1] != 3.0) continue; /* a reflected part */
    double x = one->from[0] - 0.5, z = one->from[2], across = sqrt(x * x + z * z) - ring;
    if (fabs(across) < tube * (1.0 - 1e-6)) {
      assert_float_equal(one->to[1], sqrt(tube * tube - across * across), 1e-6);
      met++;
    } else if (fabs(across) > tube * (1.0 + 1e-6)) {
      assert_int_equal(parts[one->ray], 1); /* nothing is met */
      passed++;
    }
  }
  assert_true(met > 500 && passed > 200);
  free(segment);
  floc_world_destroy(world);
}

static void wrong_tori_are_refused(void **state)
{
  (void)state;
  floc_world *world = with_torus(0.0), *flat = make_world(2, 1e-3, 0.0, 1);
  floc_shape shape = lying(world);
  shape.parameters[1] = 1.0;
  assert_int_equal(floc_body_add_shape(world, 0, &shape), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(floc_world_message(world), "torus: with ring_radius = 1, tube_radius = 1"));
  shape = lying(world);
  shape.parameters[1] = -0.1;
  assert_int_equal(floc_body_add_shape(world, 0, &shape), FLOC_INVALID_ARGUMENT);
  add_segment(flat, NULL, 0.0, 0.0, 1.0, 0.0);
  shape = lying(flat);
  assert_int_equal(floc_body_add_shape(flat, 0, &shape), FLOC_NOT_SUPPORTED);
  floc_world_destroy(flat);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grains_rest_on_it_and_fall_through), cmocka_unit_test(its_area_is_that_of_a_torus),
      cmocka_unit_test(rays_along_the_axis_meet_the_tube), cmocka_unit_test(wrong_tori_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
