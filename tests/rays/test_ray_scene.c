/*
 * Flights: the nearest surface against a search through everything, grazing and far rays, overlapping spheres,
 * periodic images, walls, every kind of shape.
 */
#include "rays/ray_support.h"

#include "geometry/shape.h"
#include "rays/walk.h"

static traveler ray_from(double x, double y, double z, double dx, double dy, double dz)
{
  double length = sqrt(dx * dx + dy * dy + dz * dz);
  return (traveler){
      .position = {x, y, z}, .direction = {dx / length, dy / length, dz / length}, .left_image = IMAGE_HOME};
}

static void build(ray_test *test, ray_scene *scene)
{
  assert_ok(&test->env, ray_scene_build(scene, &test->scratch, &test->table, &test->obstacles, &test->box));
}

/* Nearest entry by looking at every sphere, in the order of slots. */
static double search_all(const ray_test *test, const traveler *ray, int64_t without, int64_t *found)
{
  double best = INFINITY;
  for (int64_t k = 0; k < test->table.count; k++) {
    if (test->table.id[k] == without) continue;
    double c[3], along = 0.0, squared = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      c[axis] = test->table.column[COLUMN_x + axis][k] - ray->position[axis];
      along += c[axis] * ray->direction[axis];
    }
    if (along <= 0.0) continue;
    for (int axis = 0; axis < 3; axis++) {
      double a = c[axis] - along * ray->direction[axis];
      squared += a * a;
    }
    double r = test->table.column[COLUMN_radius][k];
    if (squared > r * r) continue;
    double length = along - sqrt(r * r - squared);
    if (length < best) best = length, *found = test->table.id[k];
  }
  return best;
}

static void flights_find_the_nearest_sphere(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    ray_test test;
    ray_test_begin(&test, 1, dimension);
    for (int k = dimension == 3 ? 150 : 60; k > 0; k--)
      if (!add_random_sphere(&test, 0.02 + 0.0005 * k, 3)) fail_msg("no room");
    ray_scene scene;
    build(&test, &scene);
    int hits = 0;
    for (uint64_t n = 0; n < 20000; n++) {
      double u[4], v[4];
      random_uniform4(9, n, 0, RANDOM_RAY, 0, u);
      random_uniform4(9, n, 1, RANDOM_RAY, 0, v);
      traveler ray = ray_from(3 * u[0] - 1.5, 3 * u[1] - 1.5, dimension == 3 ? 3 * u[2] - 1.5 : 0.0, v[0] - 0.5,
                              v[1] - 0.5, dimension == 3 ? v[2] - 0.5 : 0.0);
      if (ray_scene_inside_sphere(&scene, ray.position)) continue;
      for (int bounce = 0; bounce < 4; bounce++) {
        int64_t expected = 0;
        double length = search_all(&test, &ray, ray.left, &expected);
        traveler plain = ray;
        flight flown, by_plain;
        ray_scene_fly(&scene, &ray, INFINITY, &flown);
        scene.plain_walk = true;
        ray_scene_fly(&scene, &plain, INFINITY, &by_plain);
        scene.plain_walk = false;
        assert_int_equal(flown.end, by_plain.end);
        assert_memory_equal(ray.position, plain.position, sizeof ray.position);
        if (length == INFINITY) {
          assert_int_equal(flown.end, FLIGHT_ESCAPED);
          break;
        }
        hits++;
        assert_int_equal(flown.end, FLIGHT_HIT_SPHERE);
        assert_int_equal(flown.surface, expected);
        assert_close(flown.length, length, 1e-14);
        double cosine = 0.0;
        for (int k = 0; k < 3; k++) cosine -= ray.direction[k] * flown.normal[k];
        assert_true(cosine >= 0.0);
        for (int k = 0; k < 3; k++) ray.direction[k] += 2.0 * cosine * flown.normal[k];
        ray.left = flown.surface;
      }
    }
    assert_true(hits > 1000);
    ray_test_end(&test);
  }
}

/* A ray that leaves a sphere along its surface, in every direction, never meets it again. */
static void the_sphere_just_left_is_never_met(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  int64_t id = add_sphere(&test, 0.1, -0.3, 0.7, 0.05);
  ray_scene scene;
  build(&test, &scene);
  for (uint64_t n = 0; n < 20000; n++) {
    double u[4], normal[3], tangent[3];
    random_uniform4(5, n, 0, RANDOM_RAY, 0, u);
    double sine = sqrt(u[0] * (2 - u[0]) > 0 ? 4 * u[0] * (1 - u[0]) : 0), angle = 6.283185307179586 * u[1];
    normal[0] = sine * cos(angle), normal[1] = sine * sin(angle), normal[2] = 1 - 2 * u[0];
    double turn = 6.283185307179586 * u[2], e[3] = {-sin(angle), cos(angle), 0};
    double f[3] = {normal[1] * e[2] - normal[2] * e[1], normal[2] * e[0] - normal[0] * e[2],
                   normal[0] * e[1] - normal[1] * e[0]};
    traveler ray = {.left = id, .left_image = IMAGE_HOME};
    for (int k = 0; k < 3; k++) {
      tangent[k] = cos(turn) * e[k] + sin(turn) * f[k];
      ray.position[k] = test.table.column[COLUMN_x + k][0] + 0.05 * normal[k];
      ray.direction[k] = tangent[k] + 1e-17 * normal[k]; /* grazing */
    }
    flight flown;
    ray_scene_fly(&scene, &ray, INFINITY, &flown);
    assert_int_equal(flown.end, FLIGHT_ESCAPED);
  }
  ray_test_end(&test);
}

static void far_rays_hit_precisely(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  add_sphere(&test, 0, 0, 0, 0.05);
  ray_scene scene;
  build(&test, &scene);
  for (double distance = 1.0; distance <= 1e6; distance *= 10.0) {
    traveler ray = ray_from(-distance, 0.03, 0.02, 1, 0, 0);
    flight flown;
    ray_scene_fly(&scene, &ray, INFINITY, &flown);
    assert_int_equal(flown.end, FLIGHT_HIT_SPHERE);
    assert_close(ray.position[0], -sqrt(0.0025 - 0.0013), 1e-15 * distance);
    double squared = 0.0;
    for (int k = 0; k < 3; k++) squared += ray.position[k] * ray.position[k];
    assert_close(sqrt(squared), 0.05, 1e-16);
  }
  ray_test_end(&test);
}

static void lengths_are_kept(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  add_sphere(&test, 0, 0, 0, 0.5);
  ray_scene scene;
  build(&test, &scene);
  traveler ray = ray_from(-2, 0, 0, 1, 0, 0);
  flight flown;
  ray_scene_fly(&scene, &ray, 1.0, &flown);
  assert_int_equal(flown.end, FLIGHT_STOPPED);
  assert_close(ray.position[0], -1.0, 1e-15);
  ray_scene_fly(&scene, &ray, 1.0, &flown);
  assert_int_equal(flown.end, FLIGHT_HIT_SPHERE);
  assert_close(flown.length, 0.5, 1e-15);
  ray_test_end(&test);
}

/* In a lens of two spheres a ray is thrown from one to the other until it runs outwards. */
static void overlapping_spheres_let_rays_out(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  add_sphere(&test, 0, 0.09, 0, 0.1);
  add_sphere(&test, 0, -0.09, 0, 0.1);
  for (int n = -20; n <= 20; n++) {
    floc_ray ray = {{-1, 0.002 * n, 0.001}, {1, 0, 0}, 1, 1e-4, 0};
    floc_ray_source_options source = single_ray(&ray);
    ray_trace result = trace_once(&test, &source);
    assert_int_equal(result.report.ended_rays, 0);
    assert_balanced(&result.report);
    assert_true(result.report.reflections > 0 && result.report.reflections < 20);
  }
  /* a ray whose start both hold, running inwards, is thrown out at once */
  ray_scene scene;
  build(&test, &scene);
  traveler ray = ray_from(0.001, 0.001, 0, 0.1, 1, 0);
  flight flown;
  ray_scene_fly(&scene, &ray, INFINITY, &flown);
  assert_int_equal(flown.end, FLIGHT_HIT_SPHERE);
  assert_int_equal(flown.surface, 1);
  assert_close(ray.position[1], 0.001, 1e-15);
  ray_test_end(&test);
}

static void periodic_images_are_met(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  test.box = (domain){.dimension = 3,
                      .upper = {1, 1, 1},
                      .length = {1, 0, 0},
                      .boundary = {FLOC_BOUNDARY_PERIODIC, FLOC_BOUNDARY_OPEN, FLOC_BOUNDARY_OPEN}};
  add_sphere(&test, 0.98, 0.5, 0.5, 0.05); /* looks in at the lower face */
  add_sphere(&test, 0.5, 0.9, 0.5, 0.05);
  ray_scene scene;
  build(&test, &scene);
  assert_int_equal(scene.instance_count, 3);
  traveler ray = ray_from(0.5, 0.5, 0.5, -1, 0, 0);
  flight flown;
  ray_scene_fly(&scene, &ray, INFINITY, &flown);
  assert_int_equal(flown.surface, 1);
  assert_close(ray.position[0], 0.03, 1e-15);
  /* three turns around the box, climbing, until it is under the second sphere */
  ray = ray_from(0.2, 0.2, 0.5, 1, 0.2, 0);
  ray_scene_fly(&scene, &ray, INFINITY, &flown);
  assert_int_equal(flown.end, FLIGHT_HIT_SPHERE);
  assert_int_equal(flown.surface, 2);
  assert_close(flown.length, 3.4, 0.3);
  /* it leaves the first sphere and comes back to it around the box */
  ray = (traveler){.position = {0.93, 0.5, 0.5}, .direction = {-1, 0, 0}, .left = 1, .left_image = IMAGE_HOME};
  ray_scene_fly(&scene, &ray, INFINITY, &flown);
  assert_int_equal(flown.surface, 1);
  assert_close(flown.length, 0.9, 1e-14);
  /* nothing on its way, for ever */
  ray = ray_from(0.5, 0.7, 0.5, 1, 0, 0);
  ray_scene_fly(&scene, &ray, INFINITY, &flown);
  assert_int_equal(flown.end, FLIGHT_LOST);
  ray = ray_from(0.5, 0.1, 0.5, 1, -0.1, 0);
  ray_scene_fly(&scene, &ray, INFINITY, &flown);
  assert_int_equal(flown.end, FLIGHT_ESCAPED);
  ray_test_end(&test);
}

static void add_shape(ray_test *test, const floc_shape *description)
{
  floc_body_options options = {.struct_size = sizeof options};
  int32_t number;
  assert_ok(&test->env, bodies_add(&test->obstacles, &options, 0.0, &number));
  assert_ok(&test->env, bodies_add_shape(&test->obstacles, number, description));
}

/* A closed domain is four planes of a body. */
static void walls_of_the_domain_reflect(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 2);
  test.box = (domain){
      .dimension = 2, .upper = {1, 2, 0}, .boundary = {FLOC_BOUNDARY_WALL, FLOC_BOUNDARY_WALL, FLOC_BOUNDARY_OPEN}};
  static const floc_shape walls[] = {{sizeof(floc_shape), FLOC_SHAPE_PLANE, {{0, 0, 0}, {1, 0, 0}}, 0.0, {0}},
                                     {sizeof(floc_shape), FLOC_SHAPE_PLANE, {{1, 0, 0}, {-1, 0, 0}}, 0.0, {0}},
                                     {sizeof(floc_shape), FLOC_SHAPE_PLANE, {{0, 0, 0}, {0, 1, 0}}, 0.0, {0}},
                                     {sizeof(floc_shape), FLOC_SHAPE_PLANE, {{0, 2, 0}, {0, -1, 0}}, 0.0, {0}}};
  for (int k = 0; k < 4; k++) add_shape(&test, &walls[k]);
  add_sphere(&test, 0.5, 1.9, 0, 0.05);
  floc_ray ray = {{0.3, 0.4, 0}, {0.6, 0.8, 0}, 1, 1, 0};
  floc_ray_source_options source = single_ray(&ray);
  source.max_bounces = 50;
  ray_trace result = trace_once(&test, &source);
  assert_int_equal(result.report.body_reflections + result.report.reflections, 50);
  assert_int_equal(result.report.ended_rays, 1);
  assert_balanced(&result.report);
  /* from outside it passes through the first wall and meets the second from within */
  ray_scene scene;
  build(&test, &scene);
  traveler start = ray_from(-1, 1, 0, 1, 0, 0);
  flight flown;
  ray_scene_fly(&scene, &start, INFINITY, &flown);
  assert_int_equal(flown.end, FLIGHT_HIT_OBSTACLE);
  assert_close(start.position[0], 1.0, 0.0);
  start = ray_from(-1, 3, 0, 1, 0, 0); /* beside the domain */
  ray_scene_fly(&scene, &start, INFINITY, &flown);
  assert_int_equal(flown.end, FLIGHT_ESCAPED);
  ray_test_end(&test);
}

/* Between two planes a ray bounces until it has left everything behind, then it is gone. */
static void channels_let_rays_out(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  floc_shape floor = {sizeof floor, FLOC_SHAPE_PLANE, {{0, 0, 0}, {0, 0, 1}}, 0.0, {0}};
  floc_shape ceiling = {sizeof ceiling, FLOC_SHAPE_PLANE, {{0, 0, 1}, {0, 0, -1}}, 0.0, {0}};
  add_shape(&test, &floor);
  add_shape(&test, &ceiling);
  add_sphere(&test, 0.5, 0.1, 0.5, 0.05);
  floc_shape post = {sizeof post, FLOC_SHAPE_SEGMENT, {{5, 0, 0}, {5, 0, 1}}, 0.01, {0}};
  add_shape(&test, &post);
  for (int k = 0; k < 30; k++) {
    floc_ray ray = {{0, 0, 0.5}, {1, 0.001 * k, 3}, 1, 1, 0};
    floc_ray_source_options source = single_ray(&ray);
    ray_trace result = trace_once(&test, &source);
    /* 15 up to the post at x = 5, perhaps as many back, then 64 */
    assert_true(result.report.body_reflections >= 79 && result.report.body_reflections <= 96);
    assert_int_equal(result.report.ended_rays, 0);
    assert_close(result.report.escaped, 1.0, 1e-15);
  }
  ray_test_end(&test);
}

/* Every entry that is found lies on the surface, and nothing of the solid lies before it. */
static void shapes_are_met_on_their_surface(void **state)
{
  (void)state;
  static const floc_shape shapes[] = {
      {sizeof(floc_shape), FLOC_SHAPE_PLANE, {{0, 0, 0.1}, {0.2, 0.3, 1}}, 0.0, {0}},
      {sizeof(floc_shape), FLOC_SHAPE_SPHERE, {{0.1, 0.2, 0.3}}, 0.4, {0}},
      {sizeof(floc_shape), FLOC_SHAPE_HOLLOW, {{0.1, 0.2, 0.3}}, 2.0, {0}},
      {sizeof(floc_shape), FLOC_SHAPE_SEGMENT, {{-0.5, 0, 0}, {0.5, 0.3, 0.2}}, 0.2, {0}},
      {sizeof(floc_shape), FLOC_SHAPE_TRIANGLE, {{-0.5, 0, 0}, {0.5, 0.3, 0.2}, {0, 0.6, -0.4}}, 0.15, {0}},
      {sizeof(floc_shape), FLOC_SHAPE_TRIANGLE, {{-0.5, 0, 0}, {0.5, 0.3, 0.2}, {0, 0.6, -0.4}}, 0.0, {0}}};
  for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
    ray_test test;
    ray_test_begin(&test, 1, 3);
    add_shape(&test, &shapes[n]);
    const shape *surface = &test.obstacles.world[0];
    int hits = 0;
    for (uint64_t k = 0; k < 5000; k++) {
      double u[4], v[4], point[3], normal[3], nearest[3];
      random_uniform4(11, k, n, RANDOM_RAY, 0, u);
      random_uniform4(11, k, n, RANDOM_RAY, 1, v);
      double origin[3] = {2 * u[0] - 1, 2 * u[1] - 1, 2 * u[2] - 1};
      double direction[3] = {v[0] - 0.5, v[1] - 0.5, v[2] - 0.5};
      double size = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
      for (int a = 0; a < 3; a++) direction[a] /= size;
      double start = shape_distance(surface, 3, origin, normal, nearest);
      double length = shape_hit(surface, 3, origin, direction);
      if (start < 0.0) {
        assert_true(length == INFINITY);
        continue;
      }
      double limit = length == INFINITY ? 3.0 : length;
      for (int step = 1; step < 40; step++) { /* free way up to the hit */
        for (int a = 0; a < 3; a++) point[a] = origin[a] + direction[a] * limit * step / 40.0;
        assert_true(shape_distance(surface, 3, point, normal, nearest) > -1e-12);
      }
      if (length == INFINITY) continue;
      hits++;
      for (int a = 0; a < 3; a++) point[a] = origin[a] + direction[a] * length;
      assert_close(shape_distance(surface, 3, point, normal, nearest), 0.0, 1e-12);
      shape_hit_normal(surface, 3, point, direction, normal);
      double cosine = direction[0] * normal[0] + direction[1] * normal[1] + direction[2] * normal[2];
      assert_true(cosine <= 1e-12);
      assert_close(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2], 1.0, 1e-12);
    }
    assert_true(hits > 100);
    ray_test_end(&test);
  }
}

/* In the plane, and through the tracer: a square of thin segments keeps a ray for ever. */
static void segments_in_the_plane_close_a_box(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 2);
  static const double corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
  for (int k = 0; k < 4; k++) {
    floc_shape side = {sizeof side,
                       FLOC_SHAPE_SEGMENT,
                       {{corner[k][0], corner[k][1]}, {corner[k + 1][0], corner[k + 1][1]}},
                       k % 2 ? 0.0 : 0.01,
                       {0}};
    add_shape(&test, &side);
  }
  add_sphere(&test, 0.5, 0.5, 0, 0.1);
  floc_ray ray = {{0.2, 0.3, 0}, {0.3, 0.9, 0}, 1, 1, 0};
  floc_ray_source_options source = single_ray(&ray);
  source.max_bounces = 300;
  ray_trace result = trace_once(&test, &source);
  assert_int_equal(result.report.reflections + result.report.body_reflections, 300);
  assert_true(result.report.reflections > 30);
  assert_balanced(&result.report);
  ray_test_end(&test);
}

/* A drum: the ray meets the same hollow sphere again and again, at equal chords. */
static void a_drum_reflects_at_equal_chords(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  floc_shape drum = {sizeof drum, FLOC_SHAPE_HOLLOW, {{0, 0, 0}}, 1.0, {0}};
  add_shape(&test, &drum);
  ray_scene scene;
  build(&test, &scene);
  traveler ray = ray_from(-1.0, 0, 0, 1, 0.5, 0.2);
  ray.left = FIRST_SHAPE_NAME;
  double chord = 0.0;
  for (int k = 0; k < 100; k++) {
    flight flown;
    ray_scene_fly(&scene, &ray, INFINITY, &flown);
    assert_int_equal(flown.end, FLIGHT_HIT_OBSTACLE);
    if (k > 0) assert_close(flown.length, chord, 1e-12);
    chord = flown.length;
    double cosine = 0.0;
    for (int a = 0; a < 3; a++) cosine -= ray.direction[a] * flown.normal[a];
    for (int a = 0; a < 3; a++) ray.direction[a] += 2.0 * cosine * flown.normal[a];
    ray.left = flown.surface;
  }
  ray_test_end(&test);
}

static void scenes_without_particles_are_empty(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  ray_scene scene;
  build(&test, &scene);
  traveler ray = ray_from(0.5, 0, 0, -1, 0.1, 0.2);
  flight flown;
  ray_scene_fly(&scene, &ray, INFINITY, &flown);
  assert_int_equal(flown.end, FLIGHT_ESCAPED);
  assert_false(ray_scene_inside_sphere(&scene, ray.position));
  ray_test_end(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flights_find_the_nearest_sphere),  cmocka_unit_test(the_sphere_just_left_is_never_met),
      cmocka_unit_test(far_rays_hit_precisely),           cmocka_unit_test(lengths_are_kept),
      cmocka_unit_test(overlapping_spheres_let_rays_out), cmocka_unit_test(periodic_images_are_met),
      cmocka_unit_test(walls_of_the_domain_reflect),      cmocka_unit_test(channels_let_rays_out),
      cmocka_unit_test(shapes_are_met_on_their_surface),  cmocka_unit_test(segments_in_the_plane_close_a_box),
      cmocka_unit_test(a_drum_reflects_at_equal_chords),  cmocka_unit_test(scenes_without_particles_are_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
