/*
 * The world as a host sees it: every scheme resumes in the middle bit for bit, rays act through it, a failed
 * allocation at any point leaves it usable or gives a status.
 */
#include "support_world.h"

#include "failing_allocator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- worlds of every scheme ---- */

static floc_world *make_closed(int32_t dimension, double time_step, double side, int64_t count, double radius,
                               double speed)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = dimension;
  options.time_step = time_step;
  options.threads = 2;
  for (int axis = 0; axis < dimension; axis++) {
    options.boundary[axis] = FLOC_BOUNDARY_WALL;
    options.domain_upper[axis] = side;
  }
  floc_world *world = NULL;
  if (floc_world_create(&options, &world) != FLOC_OK) fail_msg("%s", options.message);
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = count;
  insertion.radius_lower = radius;
  insertion.velocity_spread = speed;
  for (int axis = 0; axis < dimension; axis++) insertion.region_upper[axis] = side;
  assert_world_ok(world, floc_particles_insert(world, &insertion, NULL));
  return world;
}

static floc_world *make_projection(void)
{
  floc_world *world = make_closed(2, 0.01, 2.0, 150, 0.05, 1.0);
  const double gravity[3] = {0.0, -5.0, 0.0};
  assert_world_ok(world, floc_world_set_gravity(world, gravity));
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.contact_law = FLOC_CONTACT_GLUEY;
  projection.gamma_min = -0.5;
  assert_world_ok(world, floc_world_set_projection(world, &projection));
  return world;
}

static floc_world *make_event_driven(void)
{
  floc_world *world = make_closed(2, 0.05, 10.0, 100, 0.17, 0.5);
  floc_event_driven_options options;
  assert_int_equal(floc_event_driven_options_init(&options), FLOC_OK);
  assert_world_ok(world, floc_world_set_event_driven(world, &options));
  return world;
}

static floc_world *make_ballistic(void)
{
  floc_world *world = make_closed(2, 0.05, 10.0, 100, 0.17, 0.5);
  floc_ballistic_options options;
  assert_int_equal(floc_ballistic_options_init(&options), FLOC_OK);
  assert_world_ok(world, floc_world_set_ballistic(world, &options));
  return world;
}

static floc_ray_source_options pulse(void)
{
  floc_ray_source_options source;
  assert_int_equal(floc_ray_source_options_init(&source), FLOC_OK);
  source.direction[0] = 1.0;
  source.aim[0] = source.aim[1] = source.aim[2] = 0.5;
  source.radius = 0.5;
  source.rays = 500;
  source.power = 1e9;
  return source;
}

static floc_world *make_discrete_element(void)
{
  floc_world *world = make_closed(3, 1e-4, 1.0, 200, 0.05, 0.3);
  floc_discrete_element_options options;
  assert_int_equal(floc_discrete_element_options_init(&options), FLOC_OK);
  assert_world_ok(world, floc_world_set_discrete_element(world, &options));
  floc_media media;
  assert_int_equal(floc_media_init(&media), FLOC_OK);
  media.body_reflectance = 0.0; /* rays that reach the walls do not come back */
  assert_world_ok(world, floc_world_set_media(world, &media));
  floc_ray_source_options source = pulse();
  assert_world_ok(world, floc_ray_source_add(world, &source, NULL));
  return world;
}

typedef floc_world *(*world_maker)(void);
static const struct {
  const char *name;
  world_maker make;
  int steps;
} makers[] = {{"projection", make_projection, 60},
              {"event_driven", make_event_driven, 20},
              {"ballistic", make_ballistic, 20},
              {"discrete_element", make_discrete_element, 30}};

/* Section by section, and in the hash; the sizes differ. */
static void expect_same_state(const char *path, const char *plain)
{
  floc_file *file[2];
  uint64_t hash[2], stored[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    assert_int_equal(floc_file_open(k == 0 ? path : plain, &file[k], NULL, 0), FLOC_OK);
    assert_int_equal(floc_file_hash(file[k], &hash[k]), FLOC_OK);
  }
  assert_true(hash[0] == hash[1]);
  assert_int_equal(floc_file_section_count(file[0]), floc_file_section_count(file[1]));
  for (int32_t n = 0; n < floc_file_section_count(file[0]); n++) {
    floc_section_info info[2] = {{.struct_size = sizeof *info}, {.struct_size = sizeof *info}};
    for (int k = 0; k < 2; k++) {
      assert_int_equal(floc_file_section(file[k], n, &info[k]), FLOC_OK);
      stored[k] += info[k].stored_bytes;
    }
    assert_string_equal(info[0].name, info[1].name);
    assert_int_equal(info[0].raw_bytes, info[1].raw_bytes);
    assert_int_equal(info[0].crc32, info[1].crc32);
  }
  assert_true(stored[0] < stored[1]);
  for (int k = 0; k < 2; k++) floc_file_close(file[k]);
}

static void every_scheme_resumes_bit_for_bit(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-world-XXXXXX";
  int handle = mkstemp(path);
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  assert_true(handle >= 0);
  for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
    floc_world *world = makers[k].make();
    run_steps(world, makers[k].steps);
    char plain[sizeof path + 6];
    snprintf(plain, sizeof plain, "%s.plain", path);
    assert_world_ok(world, floc_world_save(world, path, 1));
    assert_world_ok(world, floc_world_set_checkpoint_compression(world, FLOC_COMPRESSION_NONE));
    assert_world_ok(world, floc_world_save(world, plain, 1));
    expect_same_state(path, plain);
    run_steps(world, makers[k].steps);
    uint64_t expected = world_hash(world);
    floc_world_destroy(world);
    for (int c = 0; c < 2; c++) {
      world = makers[k].make();
      run_steps(world, 3); /* whatever it did before is forgotten */
      assert_world_ok(world, floc_world_set_threads(world, 1));
      assert_world_ok(world, floc_world_load(world, c == 0 ? path : plain));
      run_steps(world, makers[k].steps);
      if (world_hash(world) != expected) fail_msg("%s does not resume bit for bit", makers[k].name);
      floc_world_destroy(world);
    }
    remove(plain);
  }
  remove(path);
}

static void a_compression_that_is_none_is_refused(void **state)
{
  (void)state;
  floc_world *world = make_projection();
  static const int wrong[] = {-1, 2, 1000};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    assert_int_equal(floc_world_set_checkpoint_compression(world, (floc_compression)wrong[k]),
                     FLOC_INVALID_ARGUMENT);
    char says[40];
    snprintf(says, sizeof says, "compression is %d; it must be", wrong[k]);
    assert_non_null(strstr(floc_world_message(world), says));
  }
  assert_int_equal(floc_world_set_checkpoint_compression(NULL, FLOC_COMPRESSION_NONE), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
}

static void a_checkpoint_of_another_scheme_is_refused(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-world-XXXXXX";
  int handle = mkstemp(path);
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  assert_true(handle >= 0);
  floc_world *one = make_event_driven(), *other = make_projection();
  run_steps(one, 2);
  run_steps(other, 2);
  uint64_t before = world_hash(other);
  assert_world_ok(one, floc_world_save(one, path, 1));
  assert_int_equal(floc_world_load(other, path), FLOC_STRUCTURE_MISMATCH);
  assert_true(world_hash(other) == before);
  run_steps(other, 2);
  floc_world_destroy(one);
  floc_world_destroy(other);
  remove(path);
}

/* ---- rays through the world ---- */

static void a_pulse_pushes_and_its_power_adds_up(void **state)
{
  (void)state;
  floc_world *world = make_discrete_element();
  floc_ray_source_options source = pulse();
  floc_trace_result result;
  assert_int_equal(floc_trace_result_init(&result), FLOC_OK);
  uint64_t before = world_hash(world);
  assert_world_ok(world, floc_trace(world, &source, NULL, &result));
  assert_true(world_hash(world) == before);
  const floc_trace_report *power = &result.report;
  assert_true(power->reflections > 100);
  double accounted = power->absorbed + power->body_absorbed + power->escaped + power->residual;
  assert_close(accounted / power->incident, 1.0, 1e-13);
  double momentum = 0.0, pushed = 0.0;
  assert_world_ok(world, floc_measure(world, "momentum_x", &momentum));
  run_steps(world, 1);
  assert_world_ok(world, floc_measure(world, "momentum_x", &pushed));
  assert_true(pushed > momentum);
  floc_world_destroy(world);
}

static void reflectance_has_the_papers_values(void **state)
{
  (void)state;
  floc_media media;
  assert_int_equal(floc_media_init(&media), FLOC_OK);
  double reflectance, cosine;
  assert_int_equal(floc_reflectance(&media, 1.0, &reflectance, &cosine), FLOC_OK);
  assert_close(reflectance, 17.0 / 19.0 * 17.0 / 19.0, 1e-14);
  assert_int_equal(floc_reflectance(&media, cos(0.34), &reflectance, &cosine), FLOC_OK);
  assert_true(reflectance == 1.0 && cosine == 0.0); /* beyond 19.47 degrees */
  assert_int_equal(floc_reflectance(&media, 1.5, &reflectance, &cosine), FLOC_INVALID_ARGUMENT);
}

/* ---- reports and measures that belong to one scheme ---- */

static void reports_ask_for_their_scheme(void **state)
{
  (void)state;
  floc_world *world = make_event_driven();
  run_steps(world, 10);
  floc_event_driven_report report = {.struct_size = sizeof report};
  assert_world_ok(world, floc_world_get_event_driven_report(world, &report));
  assert_true(report.clusters >= 1 && report.clusters <= 100);
  floc_cluster_summary summary = {.struct_size = sizeof summary};
  assert_world_ok(world, floc_clusters(world, FLOC_CLUSTER_LINK, 0.0, NULL, &summary));
  assert_int_equal(summary.count, report.clusters);
  floc_selection selection;
  assert_int_equal(floc_selection_init(&selection), FLOC_OK);
  floc_gyration gyration = {.struct_size = sizeof gyration};
  assert_world_ok(world, floc_measure_gyration(world, &selection, &gyration));
  double radius = 0.0;
  assert_world_ok(world, floc_measure(world, "gyration_radius", &radius));
  assert_close(gyration.radius, radius, 1e-12 * radius);
  floc_discrete_element_report wrong = {.struct_size = sizeof wrong};
  assert_int_equal(floc_world_get_discrete_element_report(world, &wrong), FLOC_WRONG_STATE);
  floc_world_destroy(world);
}

/* A number behind the last one would be read beyond the list. */
static void shapes_of_grains_end_at_the_last(void **state)
{
  (void)state;
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 0.01;
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  floc_grain_shape_options triangle;
  floc_grain_shape_options_init(&triangle);
  triangle.corner_count = 3;
  for (int k = 0; k < 3; k++) {
    triangle.corners[2 * k] = cos(2.0 * k);
    triangle.corners[2 * k + 1] = sin(2.0 * k);
  }
  floc_particle_options one;
  floc_particle_options_init(&one);
  one.radius = 0.1;
  floc_insertion_options some;
  floc_insertion_options_init(&some);
  some.count = 1;
  some.radius_lower = 0.1;
  some.region_upper[0] = some.region_upper[1] = 1.0;
  for (int32_t count = 0; count <= 2; count++) {
    int64_t id;
    for (one.shape = some.shape = -1; one.shape <= count + 2; some.shape = ++one.shape)
      if (one.shape < 0 || one.shape > count) {
        assert_int_equal(floc_particle_add(world, &one, &id), FLOC_INVALID_ARGUMENT);
        assert_non_null(strstr(floc_world_message(world), "shape"));
        assert_int_equal(floc_particles_insert(world, &some, &id), FLOC_INVALID_ARGUMENT);
        assert_non_null(strstr(floc_world_message(world), "shape"));
      }
    assert_world_ok(world, floc_grain_shape_add(world, &triangle, NULL, NULL));
  }
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scheme_resumes_bit_for_bit),
      cmocka_unit_test(a_compression_that_is_none_is_refused),
      cmocka_unit_test(a_checkpoint_of_another_scheme_is_refused),
      cmocka_unit_test(a_pulse_pushes_and_its_power_adds_up),
      cmocka_unit_test(reflectance_has_the_papers_values),
      cmocka_unit_test(reports_ask_for_their_scheme),
      cmocka_unit_test(shapes_of_grains_end_at_the_last),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
