/*
 * Pulses through frozen particles: the exact law of the mean number of reflections, the account of power,
 * limits and floors, hooks of the host, the paper's discrete advance, equal bits on any number of threads.
 */
#include "rays/ray_support.h"

#include "base/threads/parallel.h"

#include <stdlib.h>

static void pack(ray_test *test, int count, double least, double greatest)
{
  for (int k = 0; k < count; k++) {
    double radius = greatest - (greatest - least) * k / count;
    if (!add_random_sphere(test, radius, 7)) fail_msg("no room");
  }
}

static double sum_of_squares(const ray_test *test)
{
  double sum = 0.0;
  for (int64_t k = 0; k < test->table.count; k++)
    sum += test->table.column[COLUMN_radius][k] * test->table.column[COLUMN_radius][k];
  return sum;
}

/* Mean number of reflections per ray over beam directions spread evenly over the sphere. */
static double mean_reflections(ray_test *test, int directions, int rays, double *standard_error)
{
  double sum = 0.0, squares = 0.0;
  floc_ray_source_options source = default_source();
  source.rays = rays;
  for (int k = 0; k < directions; k++) {
    double z = 1.0 - 2.0 * (k + 0.5) / directions, angle = 2.399963229728653 * k;
    source.direction[0] = sqrt(1.0 - z * z) * cos(angle);
    source.direction[1] = sqrt(1.0 - z * z) * sin(angle);
    source.direction[2] = z;
    source.seed = (uint64_t)k + 1;
    ray_trace result = trace_once(test, &source);
    assert_balanced(&result.report);
    assert_int_equal(result.report.ended_rays, 0);
    double mean = (double)result.report.reflections / rays;
    sum += mean;
    squares += mean * mean;
  }
  double mean = sum / directions;
  *standard_error = sqrt((squares / directions - mean * mean) / directions);
  return mean;
}

static void reflections_per_ray_follow_the_law(void **state)
{
  (void)state;
  static const struct {
    int count;
    double least, greatest;
  } packings[] = {{2000, 0.05, 0.05}, {300, 0.02, 0.1}, {40, 0.1, 0.2}};
  for (int n = 0; n < 3; n++) {
    ray_test test;
    ray_test_begin(&test, 1, 3);
    pack(&test, packings[n].count, packings[n].least, packings[n].greatest);
    double error, mean = mean_reflections(&test, 100, 2000, &error), law = sum_of_squares(&test);
    if (n == 0) assert_close(law, 5.0, 1e-12);
    assert_true(error < 0.01 * law);
    assert_close(mean, law, 4.0 * error);
    ray_test_end(&test);
  }
}

/* The example's pulse: prototype 50,171 +- 950 reflections, absorbed 0.0687 +- 0.0015, exit I_x -0.160 +- 0.007. */
static void the_example_pulse_has_the_prototypes_numbers(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 2000, 0.05, 0.05);
  floc_ray_source_options source = default_source();
  source.power = 7.06e13;
  ray_trace result = trace_once(&test, &source);
  const floc_ray_report *report = &result.report;
  assert_balanced(report);
  assert_close(report->incident, 7.06e13, 1.0);
  assert_close((double)report->reflections, 50171.0, 4 * 950.0);
  assert_close(report->absorbed / report->incident, 0.0687, 4 * 0.0015);
  assert_close(report->exit_power[0] / report->incident, -0.160, 4 * 0.007);
  assert_close(report->exit_power[1] / report->incident, 0.0, 4 * 0.007);
  ray_test_end(&test);
}

enum { SPHERES = 400 };

typedef struct traced {
  double force[3 * SPHERES], absorbed[SPHERES];
  floc_ray_report report;
} traced;

static void trace_with(int32_t threads, bool team, bool watched, const floc_ray_source_options *source,
                       traced *found)
{
  floc_ray_segment segments[16];
  ray_test test;
  ray_test_begin(&test, threads, 3);
  if (team) parallel_call_team(&test.env);
  pack(&test, SPHERES, 0.05, 0.08);
  ray_sources *all;
  ray_trace result = {.force = found->force, .absorbed = found->absorbed};
  if (watched) result.segments = segments, result.segment_size = sizeof *segments, result.segment_capacity = 16;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env,
            ray_sources_trace(all, &test.scratch, &test.table, NULL, &test.box, 0, source, NULL, &result));
  found->report = result.report;
  ray_sources_destroy(all);
  parallel_dismiss_team(&test.env);
  ray_test_end(&test);
}

/* Nor that somebody watches, which takes one thread. Several batches, the last one not full, and less than one;
 * emission of both kinds. */
static void threads_do_not_matter(void **state)
{
  (void)state;
  static const int64_t rays[] = {9000, 300};
  static const int32_t threads[] = {1, 2, 3, 4, 7};
  static traced expected, found;
  for (int kind = 0; kind < 2; kind++)
    for (int size = 0; size < 2; size++) {
      floc_ray_source_options source = default_source();
      source.rays = rays[size];
      if (kind == 1) source.kind = FLOC_RAY_SOURCE_POINT, source.sampling = FLOC_RAY_SAMPLING_EVEN;
      trace_with(1, false, true, &source, &expected);
      assert_true(expected.report.reflections > (size == 0 ? 9000 : 100));
      for (int k = 0; k < 10; k++) {
        trace_with(threads[k / 2], k % 2 == 1, false, &source, &found);
        assert_memory_equal(&found, &expected, sizeof found);
      }
    }
}

/* Momentum of the forces is that of the hits, and particles absorb what the report says. */
static void forces_and_powers_add_up(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 100, 0.1, 0.1);
  ray_sources *all;
  double force[300], absorbed[100], sum = 0.0, push = 0.0;
  ray_trace result = {.force = force, .absorbed = absorbed};
  floc_ray_source_options source = default_source();
  source.rays = 5000;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env,
            ray_sources_trace(all, &test.scratch, &test.table, NULL, &test.box, 0, &source, NULL, &result));
  for (int k = 0; k < 100; k++) {
    assert_true(absorbed[k] >= 0.0);
    sum += absorbed[k];
    push += force[3 * k];
  }
  assert_close(sum, result.report.absorbed, 1e-13);
  assert_true(push > 0.0); /* along the beam */
  ray_sources_destroy(all);
  ray_test_end(&test);
}

static void a_ray_between_two_mirrors_ends_at_the_cap(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  add_sphere(&test, -0.5, 0, 0, 0.1);
  add_sphere(&test, 0.5, 0, 0, 0.1);
  floc_ray ray = {{0, 0, 0}, {1, 0, 0}, 1, 1e-4, 0};
  floc_ray_source_options source = single_ray(&ray);
  source.max_bounces = 7;
  ray_trace result = trace_once(&test, &source);
  assert_int_equal(result.report.reflections, 7);
  assert_int_equal(result.report.ended_rays, 1);
  assert_close(result.report.residual, pow(289.0 / 361.0, 7), 1e-14);
  assert_balanced(&result.report);
  source.max_bounces = 1000000;
  source.power_floor = 1e-3;
  result = trace_once(&test, &source);
  assert_int_equal(result.report.reflections, (int)ceil(log(1e-3) / log(289.0 / 361.0)));
  assert_true(result.report.residual < 1e-3 && result.report.residual > 1e-3 * 0.8);
  source.power_floor = 0.0; /* the power falls below what numbers can hold in full, and then the ray is over */
  result = trace_once(&test, &source);
  assert_true(result.report.reflections > 3000 && result.report.reflections < 4000);
  assert_balanced(&result.report);
  ray_test_end(&test);
}

static void pulses_without_effect_are_no_error(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  add_sphere(&test, 0, 0, 0, 0.1);
  floc_ray_source_options source = default_source();
  source.rays = 0;
  ray_trace result = trace_once(&test, &source);
  assert_int_equal(result.report.pulses, 1);
  assert_int_equal(result.report.rays, 0);
  assert_true(result.report.incident == 0.0);
  source.rays = 100; /* a beam that misses everything */
  source.aim[1] = 5.0;
  result = trace_once(&test, &source);
  assert_int_equal(result.report.reflections, 0);
  assert_close(result.report.escaped, 1.0, 1e-14);
  assert_close(result.report.exit_power[0], 1.0, 1e-14);
  source.aim[1] = 0.0; /* no particles at all */
  particles_truncate(&test.table, 0);
  result = trace_once(&test, &source);
  assert_close(result.report.escaped, 1.0, 1e-14);
  ray_test_end(&test);
}

/* From a point inside a sphere rays come out unhindered, and can hit it later. */
static void sources_inside_a_sphere_let_rays_out(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  add_sphere(&test, 0, 0, 0, 0.1);
  floc_ray_source_options source = default_source();
  source.kind = FLOC_RAY_SOURCE_POINT;
  source.aim[0] = 0.05;
  source.rays = 1000;
  ray_trace result = trace_once(&test, &source);
  assert_int_equal(result.report.reflections, 0);
  assert_close(result.report.escaped, 1.0, 1e-14);
  source.method = FLOC_RAY_METHOD_ADVANCE;
  result = trace_once(&test, &source);
  assert_int_equal(result.report.reflections, 0);
  source.method = FLOC_RAY_METHOD_EXACT;
  add_sphere(&test, 0.5, 0, 0, 0.1); /* throws some back */
  result = trace_once(&test, &source);
  assert_true(result.report.reflections > 10);
  assert_balanced(&result.report);
  ray_test_end(&test);
}

/* A point source: power over a sphere goes with the solid angle, the cross-section with the distance. */
typedef struct area_check {
  double area, path;
  int hits;
} area_check;

static floc_status check_area(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  area_check *check = context;
  (void)response;
  double squared = 0.0;
  for (int k = 0; k < 3; k++) squared += hit->point[k] * hit->point[k];
  if (hit->bounces == 0) assert_close(hit->area, 4.0 * 3.14159265358979 / 20000 * squared, 1e-12);
  check->hits++;
  return FLOC_OK;
}

static void point_sources_spread(void **state)
{
  (void)state;
  for (int32_t sampling = FLOC_RAY_SAMPLING_RANDOM; sampling <= FLOC_RAY_SAMPLING_EVEN; sampling++) {
    ray_test test;
    ray_test_begin(&test, 1, 3);
    add_sphere(&test, 0.3, 0.4, 0, 0.25);
    floc_ray_source_options source = default_source();
    area_check check = {0};
    source.kind = FLOC_RAY_SOURCE_POINT;
    source.rays = 20000;
    source.sampling = sampling;
    source.hit = check_area;
    source.hit_context = &check;
    ray_trace result = trace_once(&test, &source);
    double share = 0.5 * (1.0 - sqrt(1.0 - 0.25)); /* of all directions that meet it */
    double tolerance = sampling == FLOC_RAY_SAMPLING_EVEN ? 0.001 : 5.0 * sqrt(share / 20000);
    assert_close(check.hits / 20000.0, share, tolerance);
    assert_int_equal(result.report.reflections, check.hits);
    ray_test_end(&test);
  }
}

/* In the plane: a line beam meets the discs' width, each ray once (they all go back or aside). */
static void beams_in_the_plane(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 2);
  add_sphere(&test, 0, 0.2, 0, 0.3);
  floc_ray_source_options source = default_source();
  source.sampling = FLOC_RAY_SAMPLING_EVEN;
  source.direction[0] = 0.6, source.direction[1] = -0.8;
  ray_trace result = trace_once(&test, &source);
  assert_close((double)result.report.reflections, 3000.0, 1.0);
  assert_true(result.report.exit_power[2] == 0.0);
  assert_balanced(&result.report);
  ray_test_end(&test);
}

/* The paper's advance reflects somewhere inside, up to one advance deep. It misses grazing rays, the
 * fewer the finer it is. */
static void the_discrete_advance_converges(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  add_sphere(&test, 0, 0, 0, 0.5);
  floc_ray_source_options source = default_source();
  source.rays = 50000;
  source.radius = 0.6;
  source.distance = 0.5217; /* so that no advance ends at the sphere's widest place */
  ray_trace exact = trace_once(&test, &source);
  source.method = FLOC_RAY_METHOD_ADVANCE;
  double reflections[3], absorbed[3];
  for (int k = 0; k < 3; k++) {
    source.advance = 0.1 / (1 << (2 * k));
    ray_trace result = trace_once(&test, &source);
    assert_balanced(&result.report);
    reflections[k] = 1.0 - (double)result.report.reflections / exact.report.reflections;
    absorbed[k] = fabs(result.report.absorbed / exact.report.absorbed - 1.0);
  }
  assert_true(reflections[0] > reflections[1] && reflections[1] > reflections[2] && reflections[2] >= 0.0);
  assert_true(absorbed[0] > absorbed[1] && absorbed[1] > absorbed[2]);
  assert_true(reflections[0] < 0.005 && absorbed[2] < 0.02);
  ray_test_end(&test);
}

/* A hook that lets light through: Snell's law on both sides turns the ray by 2 (theta_i - theta_t). */
typedef struct lens {
  int hits, from_within;
  double incident, within;
} lens;

static floc_status transmit(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  lens *seen = context;
  seen->hits++;
  if (hit->inside) {
    seen->from_within++;
    seen->within = hit->incident_cosine;
    assert_int_equal(response->action, FLOC_HIT_TRANSMIT);
    response->power = hit->power;
    return FLOC_OK;
  }
  seen->incident = hit->incident_cosine;
  response->action = FLOC_HIT_TRANSMIT;
  response->power = hit->power;
  for (int k = 0; k < 3; k++) response->direction[k] = hit->refracted_direction[k];
  return FLOC_OK;
}

static void hooks_can_transmit(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  add_sphere(&test, 0, 0, 0, 1.0);
  floc_ray ray = {{-3, 0.25, 0}, {1, 0, 0}, 1, 1e-4, 0};
  floc_ray_source_options source = single_ray(&ray);
  lens seen = {0};
  source.hit = transmit;
  source.hit_context = &seen;
  ray_trace result = trace_once(&test, &source);
  assert_int_equal(seen.hits, 2);
  assert_int_equal(seen.from_within, 1);
  double incident = acos(seen.incident), refracted = asin(3.0 * sin(incident)); /* faster inside: bent away */
  assert_close(acos(seen.within), refracted, 1e-12);
  assert_close(result.report.exit_power[0], cos(2.0 * (refracted - incident)), 1e-12);
  assert_true(result.report.exit_power[1] > 0.0); /* faster inside: it spreads */
  assert_close(result.report.escaped, 1.0, 1e-15);
  ray_test_end(&test);
}

static floc_status absorb(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  floc_ray_segment *where = context;
  for (int k = 0; k < 3; k++) where->to[k] = hit->point[k];
  response->action = FLOC_HIT_ABSORB;
  return FLOC_OK;
}

static floc_status fail_at_third(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  (void)hit, (void)response;
  return ++*(int *)context == 3 ? FLOC_NOT_FOUND : FLOC_OK;
}

static floc_status give_too_much(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  (void)context;
  response->power = 2.0 * hit->power;
  return FLOC_OK;
}

static floc_status give_no_direction(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  (void)context, (void)hit;
  response->direction[0] = response->direction[1] = response->direction[2] = 0.0;
  return FLOC_OK;
}

static floc_status give_nan(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  (void)context, (void)hit;
  response->force[1] = NAN;
  return FLOC_OK;
}

static floc_status trace_status(ray_test *test, const floc_ray_source_options *source)
{
  ray_sources *all;
  ray_trace result = {0};
  assert_ok(&test->env, ray_sources_create(&test->env, test->box.dimension, 1, &all));
  floc_status status =
      ray_sources_trace(all, &test->scratch, &test->table, &test->obstacles, &test->box, 0, source, NULL, &result);
  ray_sources_destroy(all);
  arena_reset(&test->scratch);
  return status;
}

static void hooks_can_absorb_and_fail(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 50, 0.1, 0.1);
  floc_ray_segment where = {0};
  floc_ray_source_options source = default_source();
  source.hit = absorb;
  source.hit_context = &where;
  ray_trace result = trace_once(&test, &source);
  assert_close(result.report.absorbed + result.report.escaped, 1.0, 1e-13);
  int calls = 0;
  source.hit = fail_at_third;
  source.hit_context = &calls;
  assert_int_equal(trace_status(&test, &source), FLOC_CALLBACK_FAILED);
  assert_non_null(strstr(test.env.message, "not found"));
  assert_int_equal(calls, 3);
  source.hit = give_too_much;
  assert_int_equal(trace_status(&test, &source), FLOC_CALLBACK_FAILED);
  source.hit = give_no_direction;
  assert_int_equal(trace_status(&test, &source), FLOC_CALLBACK_FAILED);
  source.hit = give_nan;
  assert_int_equal(trace_status(&test, &source), FLOC_CALLBACK_FAILED);
  ray_test_end(&test);
}

static void bodies_take_their_share(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  floc_body_options still = {.struct_size = sizeof still};
  floc_shape floor = {sizeof floor, FLOC_SHAPE_PLANE, {{0, 0, 0}, {0, 0, 1}}, 0.0, {0}};
  int32_t number;
  assert_ok(&test.env, bodies_add(&test.obstacles, &still, 0, &number));
  assert_ok(&test.env, bodies_add_shape(&test.obstacles, number, &floor));
  add_sphere(&test, 0, 0, 5.0, 0.1);
  floc_ray_source_options source = default_source();
  source.direction[0] = 0.0, source.direction[2] = -1.0;
  source.aim[0] = 3.0; /* beside the sphere */
  ray_sources *all;
  floc_media media;
  floc_media_init(&media);
  media.body_reflectance = 0.75;
  ray_trace result = {0};
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env, ray_sources_trace(all, &test.scratch, &test.table, &test.obstacles, &test.box, 0, &source,
                                         &media, &result));
  assert_int_equal(result.report.body_reflections, 10000);
  assert_close(result.report.body_absorbed, 0.25, 1e-13);
  assert_close(result.report.exit_power[2], 0.75, 1e-13);
  assert_balanced(&result.report);
  ray_sources_destroy(all);
  ray_test_end(&test);
}

static void paths_are_recorded(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 50, 0.1, 0.1);
  floc_ray_segment *segments = calloc(5000, sizeof *segments);
  ray_trace result = {.segments = segments, .segment_size = sizeof *segments, .segment_capacity = 5000};
  floc_ray_source_options source = default_source();
  source.rays = 500;
  ray_sources *all;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env,
            ray_sources_trace(all, &test.scratch, &test.table, NULL, &test.box, 0, &source, NULL, &result));
  assert_int_equal(result.segment_count, 500 + result.report.reflections);
  for (int64_t ray = 0; ray < 500; ray += 50) { /* the pieces of a ray join, and its power falls */
    const floc_ray_segment *last = NULL;
    for (int64_t k = 0; k < result.segment_count; k++) {
      if (segments[k].ray != ray) continue;
      if (last) {
        for (int a = 0; a < 3; a++) assert_close(segments[k].from[a], last->to[a], 1e-12);
        assert_true(segments[k].power <= last->power);
      }
      last = &segments[k];
    }
    assert_non_null(last);
    double squared = 0.0;
    for (int a = 0; a < 3; a++) squared += last->to[a] * last->to[a];
    assert_true(squared > 1.0); /* it ends outside */
  }
  ray_sources_destroy(all);
  free(segments);
  ray_test_end(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reflections_per_ray_follow_the_law),
      cmocka_unit_test(the_example_pulse_has_the_prototypes_numbers),
      cmocka_unit_test(threads_do_not_matter),
      cmocka_unit_test(forces_and_powers_add_up),
      cmocka_unit_test(a_ray_between_two_mirrors_ends_at_the_cap),
      cmocka_unit_test(pulses_without_effect_are_no_error),
      cmocka_unit_test(sources_inside_a_sphere_let_rays_out),
      cmocka_unit_test(point_sources_spread),
      cmocka_unit_test(beams_in_the_plane),
      cmocka_unit_test(the_discrete_advance_converges),
      cmocka_unit_test(hooks_can_transmit),
      cmocka_unit_test(hooks_can_absorb_and_fail),
      cmocka_unit_test(bodies_take_their_share),
      cmocka_unit_test(paths_are_recorded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
