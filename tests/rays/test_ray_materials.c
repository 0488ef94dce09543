/*
 * Particles of several acoustic materials, and particles that rays warm: closed forms of one ray, sums over pulses,
 * wrong input.
 */
#include "ray_support.h"

#include <stdio.h>

/* Water, then a ceramic, a metal, a plastic. */
static const double density[4] = {1000, 6000, 2700, 1100}, speed[4] = {1500, 4500, 6300, 1200};

static floc_media three_materials(void)
{
  floc_media media;
  floc_media_init(&media);
  media.materials = 2;
  for (int k = 0; k < 2; k++) {
    media.material_density[k] = density[2 + k];
    media.material_sound_speed[k] = speed[2 + k];
  }
  return media;
}

static void set_materials(ray_test *test)
{
  assert_ok(&test->env, particles_add_attribute(&test->table, "material", 0.0));
  double *material = test->table.column[particles_find_column(&test->table, "material")];
  for (int64_t k = 0; k < test->table.count; k++) material[k] = (double)(k % 3);
}

static double impedance(int medium)
{
  return density[medium] * speed[medium];
}

/* Of a ray that is perpendicular to a surface. */
static double straight_reflectance(int from, int into)
{
  double share = (impedance(into) - impedance(from)) / (impedance(into) + impedance(from));
  return share * share;
}

static floc_status transmit(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  (void)context;
  if (hit->inside) return FLOC_OK; /* goes out */
  response->action = FLOC_HIT_TRANSMIT;
  response->power = hit->power - response->power;
  memcpy(response->direction, hit->refracted_direction, sizeof response->direction);
  return FLOC_OK;
}

static ray_trace trace_with(ray_test *test, const floc_ray_source_options *source, const floc_media *media,
                            double *force, double *absorbed)
{
  ray_sources *all;
  ray_trace result = {.force = force, .absorbed = absorbed};
  assert_ok(&test->env, ray_sources_create(&test->env, test->box.dimension, 1, &all));
  assert_ok(&test->env, ray_sources_trace(all, &test->scratch, &test->table, &test->obstacles, &test->box, 0.0,
                                          source, media, &result));
  ray_sources_destroy(all);
  arena_reset(&test->scratch);
  return result;
}

/* Through the middles of three spheres, one of each material: (1 - R_k)^2 of what comes passes each. */
static void a_ray_passes_through_layers(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  for (int k = 0; k < 3; k++) add_sphere(&test, 3.0 * k, 0, 0, 1.0);
  set_materials(&test);
  floc_media media = three_materials();
  floc_ray ray = {.position = {-5, 0, 0}, .direction = {1, 0, 0}, .power = 2.0, .area = 1e-4};
  floc_ray_source_options source = single_ray(&ray);
  source.hit = transmit;
  double force[9], absorbed[3], left = 2.0;
  ray_trace found = trace_with(&test, &source, &media, force, absorbed);
  for (int k = 0; k < 3; k++) {
    double into = left * (1.0 - straight_reflectance(0, 1 + k)),
           out = into * (1.0 - straight_reflectance(1 + k, 0));
    assert_close(absorbed[k], left - out, 1e-14);
    left = out;
  }
  assert_close(found.report.escaped, left, 1e-14);
  assert_balanced(&found.report);
  assert_int_equal(found.report.reflections, 6);
  ray_test_end(&test);
}

/* One oblique ray on each: reflectance (60), force (7) along the direction of Snell's law. The metal refracts away
 * from the normal, the plastic towards it. */
static void a_ray_meets_each_material(void **state)
{
  (void)state;
  for (int k = 0; k < 3; k++) {
    ray_test test;
    ray_test_begin(&test, 1, 3);
    for (int n = 0; n < 3; n++) add_sphere(&test, 0, 10.0 * n, 0, 1.0);
    set_materials(&test);
    floc_media media = three_materials();
    double sine = 0.2, cosine = sqrt(1.0 - sine * sine), beyond = sine * speed[1 + k] / speed[0];
    floc_ray ray = {.position = {-5, 10.0 * k + sine, 0}, .direction = {1, 0, 0}, .power = 3.0, .area = 2e-4};
    floc_ray_source_options source = single_ray(&ray);
    source.max_bounces = 1;
    double force[9], absorbed[3], refracted = sqrt(1.0 - beyond * beyond);
    trace_with(&test, &source, &media, force, absorbed);
    double direct = impedance(1 + k) * cosine, back = impedance(0) * refracted;
    double share = (direct - back) / (direct + back), size;
    share *= share;
    assert_close(absorbed[k], 3.0 * (1.0 - share), 1e-13);
    assert_close(absorbed[(k + 1) % 3], 0.0, 0.0);
    size = sqrt(3.0 * (1.0 - share) * impedance(1 + k) * 2e-4);
    /* inwards is (cosine, -sine); along the surface (sine, cosine) */
    assert_close(force[3 * k], size * (refracted * cosine + beyond * sine), 1e-12 * size);
    assert_close(force[3 * k + 1], size * (-refracted * sine + beyond * cosine), 1e-12 * size);
    ray_test_end(&test);
  }
}

static void do_step(ray_test *test, ray_sources *all, double time, double length)
{
  assert_ok(&test->env, ray_sources_begin(all, &test->scratch, &test->table, &test->obstacles, &test->box, time));
  arena_reset(&test->scratch);
  ray_sources_commit(all, &test->table, time + length);
}

static void fill(ray_test *test)
{
  for (int k = 0; k < 60; k++) assert_true(add_random_sphere(test, k % 2 ? 0.12 : 0.1, 5));
  set_materials(test);
}

static const double capacity[3] = {800, 900, 1500};

static ray_sources *warm_sources(ray_test *test)
{
  ray_sources *all;
  int32_t number;
  floc_media media = three_materials();
  for (int k = 0; k < 3; k++) media.heat_capacity[k] = capacity[k];
  floc_ray_source_options source = default_source();
  source.rays = 3000;
  source.power = 5e8;
  source.duration = 0.01;
  source.period = 0.1;
  source.pulses = 3;
  assert_ok(&test->env, ray_sources_create(&test->env, 3, 1, &all));
  assert_ok(&test->env, ray_sources_set_media(all, &media));
  assert_ok(&test->env, ray_sources_add(all, &source, &number));
  return all;
}

/* All that is absorbed warms: sum of m c (T - T_0) is absorbed power times duration, whatever steps and threads
 * are. */
static void heat_is_balanced(void **state)
{
  (void)state;
  uint64_t first = 0;
  for (int threads = 1; threads <= 4; threads++) {
    ray_test test;
    ray_test_begin(&test, threads, 3);
    fill(&test);
    assert_ok(&test.env, particles_add_attribute(&test.table, "temperature", 300.0));
    ray_sources *all = warm_sources(&test);
    for (int k = 0; k < 60; k++) do_step(&test, all, 0.007 * k, 0.007);
    floc_ray_report report;
    assert_ok(&test.env, ray_sources_report(all, &test.env, 0, &report));
    assert_balanced(&report);
    const double *temperature = test.table.column[particles_find_column(&test.table, "temperature")];
    double heat = 0.0;
    uint64_t hash = 0;
    for (int64_t k = 0; k < test.table.count; k++) {
      heat += test.table.column[COLUMN_mass][k] * capacity[k % 3] * (temperature[k] - 300.0);
      uint64_t bits;
      memcpy(&bits, &temperature[k], sizeof bits);
      hash = hash * 31 + bits;
    }
    if (threads == 1) {
      print_message("heat over absorbed energy: 1 %+.1e\n", heat / (report.absorbed * 0.01) - 1.0);
      first = hash;
    }
    assert_close(heat, report.absorbed * 0.01, 1e-12 * heat);
    assert_true(heat > 0.0 && hash == first);
    ray_sources_destroy(all);
    ray_test_end(&test);
  }
}

/* The same media in `density` alone and as a further material: the same numbers. */
static void the_column_chooses(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  for (int k = 0; k < 60; k++) assert_true(add_random_sphere(&test, 0.1, 5));
  floc_media plain, further;
  floc_media_init(&plain);
  floc_ray_source_options source = default_source();
  double force[180], absorbed[60], force_again[180], absorbed_again[60];
  ray_trace found = trace_with(&test, &source, &plain, force, absorbed);
  assert_ok(&test.env, particles_add_attribute(&test.table, "material", 1.0));
  ray_trace same = trace_with(&test, &source, &plain, force_again, absorbed_again); /* one material: all have it */
  assert_memory_equal(force, force_again, sizeof force);
  floc_media_init(&further);
  further.materials = 1;
  further.material_density[0] = plain.density[1];
  further.material_sound_speed[0] = plain.sound_speed[1];
  further.density[1] = 77;
  ray_trace other = trace_with(&test, &source, &further, force_again, absorbed_again);
  assert_memory_equal(force, force_again, sizeof force);
  assert_memory_equal(absorbed, absorbed_again, sizeof absorbed);
  assert_true(found.report.absorbed == other.report.absorbed && same.report.absorbed == found.report.absorbed);
  ray_test_end(&test);
}

static void wrong_materials_are_named(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  fill(&test);
  ray_sources *all = warm_sources(&test); /* warms, but nothing has a temperature */
  assert_int_equal(ray_sources_begin(all, &test.scratch, &test.table, &test.obstacles, &test.box, 0.0),
                   FLOC_NOT_SUPPORTED);
  assert_non_null(strstr(test.env.message, "no attribute temperature"));
  assert_ok(&test.env, particles_add_attribute(&test.table, "temperature", 300.0));
  double *material = test.table.column[particles_find_column(&test.table, "material")];
  for (int k = 0; k < 3; k++) {
    material[4] = k == 0 ? 3.0 : k == 1 ? -1.0 : 0.5;
    assert_int_equal(ray_sources_begin(all, &test.scratch, &test.table, &test.obstacles, &test.box, 0.0),
                     FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(test.env.message, "particle 5 has material"));
    assert_non_null(strstr(test.env.message, "materials 0 to 2"));
  }
  floc_media media = three_materials();
  media.material_sound_speed[1] = 0.0;
  assert_int_equal(ray_sources_set_media(all, &media), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(test.env.message, "material 2 has density 1100 and sound_speed 0"));
  media = three_materials();
  media.heat_capacity[3] = 1.0;
  assert_int_equal(ray_sources_set_media(all, &media), FLOC_INVALID_ARGUMENT);
  media = three_materials();
  media.heat_capacity[1] = -1.0;
  assert_int_equal(ray_sources_set_media(all, &media), FLOC_INVALID_ARGUMENT);
  media = three_materials();
  media.materials = 16;
  assert_int_equal(ray_sources_set_media(all, &media), FLOC_INVALID_ARGUMENT);
  ray_sources_destroy(all);
  ray_test_end(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ray_passes_through_layers),
      cmocka_unit_test(a_ray_meets_each_material),
      cmocka_unit_test(heat_is_balanced),
      cmocka_unit_test(the_column_chooses),
      cmocka_unit_test(wrong_materials_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
