/*
 * Reflectance, refraction and ray force against every row of the reference table that concerns them.
 */
#include "rays/ray_support.h"

#include <stdio.h>
#include <stdlib.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

static floc_media water_and_ceramic(void)
{
  floc_media media;
  floc_media_init(&media);
  return media;
}

/* Relative 1e-12. */
#define assert_same(actual, expected) assert_close(actual, expected, 1e-12 * fabs(expected))

static void reflectance_is_the_reference(void **state)
{
  (void)state;
  static const struct {
    double degrees, reflectance;
  } into[] = {{0, 0.800554016620499},
              {1, 0.800771660178029},
              {5, 0.806122737040704},
              {10, 0.824678150574652},
              {15, 0.864986546193204},
              {18, 0.916108249663063},
              {19, 0.950814002447768},
              {19.4, 0.98045247760376},
              {19.47, 0.997415883610777},
              {20, 1.0},
              {30, 1.0},
              {45, 1.0},
              {60, 1.0},
              {80, 1.0},
              {89, 1.0}},
    out_of[] = {{0, 0.800554016620499},  {15, 0.806007508460502}, {30, 0.82255893860395},  {45, 0.850629538750601},
                {60, 0.890400115487559}, {75, 0.941053683475771}, {85, 0.979676131488099}, {89, 0.995894954040708}};
  floc_media media = water_and_ceramic();
  interface_ratio ratio = media_into(&media, 0);
  double cosine;
  for (size_t k = 0; k < sizeof into / sizeof *into; k++)
    assert_same(media_reflectance(&ratio, cos(into[k].degrees * DEGREE), &cosine), into[k].reflectance);
  ratio = media_out_of(&media, 0);
  for (size_t k = 0; k < sizeof out_of / sizeof *out_of; k++)
    assert_same(media_reflectance(&ratio, cos(out_of[k].degrees * DEGREE), &cosine), out_of[k].reflectance);
}

static void critical_angle_is_the_reference(void **state)
{
  (void)state;
  floc_media media = water_and_ceramic();
  interface_ratio into = media_into(&media, 0), out_of = media_out_of(&media, 0);
  double critical = asin(into.speed) / DEGREE, cosine;
  assert_same(critical, 19.4712206344907);
  assert_true(media_reflectance(&into, cos((critical + 1e-7) * DEGREE), &cosine) == 1.0);
  assert_true(cosine == 0.0);
  double below = media_reflectance(&into, cos((critical - 1e-7) * DEGREE), &cosine);
  assert_true(below < 1.0 && below > 0.9999);
  for (int degrees = 0; degrees < 90; degrees++) /* out of the denser medium there is none */
    assert_true(media_reflectance(&out_of, cos(degrees * DEGREE), &cosine) < 1.0);
  assert_same((out_of.speed), 3.0);
  assert_same(into.impedance, 18.0);
}

/* The means over a uniformly lit sphere, by the midpoint rule in sin^2 up to the critical angle. */
static void means_over_a_lit_sphere_are_the_reference(void **state)
{
  (void)state;
  floc_media media = water_and_ceramic();
  interface_ratio ratio = media_into(&media, 0);
  double transmitted = 0.0, push = 0.0, limit = ratio.speed * ratio.speed;
  int count = 200000;
  for (int k = 0; k < count; k++) {
    /* w = 1 - (sin/c)^2, substituted w = u^2, smooths the root at the critical angle */
    double u = (k + 0.5) / count, sine_squared = limit * (1.0 - u * u), cosine = sqrt(1.0 - sine_squared),
           refracted;
    double reflectance = media_reflectance(&ratio, cosine, &refracted);
    double direction[3] = {1, 0, 0}, normal[3] = {-cosine, sqrt(sine_squared), 0}, t[3];
    media_refract(&ratio, direction, normal, cosine, refracted, t);
    double weight = limit * 2.0 * u / count;
    transmitted += (1.0 - reflectance) * weight;
    push += sqrt(1.0 - reflectance) * t[0] * weight;
  }
  assert_close(transmitted, 0.015510157500945, 1e-11);
  assert_close(push, 0.0344897606834093, 1e-11);
  assert_same(limit, 0.111111111111111);
}

static void power_and_area_of_the_example(void **state)
{
  (void)state;
  double pi = 3.14159265358979323846;
  assert_same(150e6 * 1500.0 * pi, 706858347057.703);
  assert_same(150e6 * 150e6 / (1000.0 * 1500.0) * pi, 47123889803.8469);
  floc_media media = water_and_ceramic();
  interface_ratio ratio = media_into(&media, 0);
  double cosine, reflectance = media_reflectance(&ratio, 1.0, &cosine), area = 0.000314159265358979;
  assert_same(media_force(&ratio, (1.0 - reflectance) * 7.06e9, area), 3455984.74034976);
  assert_same(media_force(&ratio, (1.0 - reflectance) * 706858347057.703 / 1e4, area), 345808.497635645);
  assert_same(sqrt((1.0 - reflectance) * ratio.impedance), 1.89473684210526);
}

/* One ray along x on a sphere of radius 0.05 at the origin: hit, reflection, force and velocity kick. */
typedef struct ray_row {
  double y, z, hit_x, cosine, reflectance, reflected[3], reflected_power, transmitted[3], force_size, force[3],
      kick;
} ray_row;

typedef struct seen_hit {
  floc_ray_hit hit;
  floc_ray_response response;
  int count;
} seen_hit;

static floc_status look(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  seen_hit *seen = context;
  seen->hit = *hit;
  seen->response = *response;
  seen->count++;
  return FLOC_OK;
}

static void rays_on_a_sphere_are_the_reference(void **state)
{
  (void)state;
  static const ray_row rows[] = {{0,
                                  0,
                                  -0.05,
                                  1.0,
                                  0.800554016620499,
                                  {-1, 0, 0},
                                  5651911357.34072,
                                  {1, 0, 0},
                                  3455984.74034976,
                                  {3455984.74034976, 0, 0},
                                  11.0007410935365},
                                 {0.01,
                                  0,
                                  -0.0489897948556636,
                                  0.979795897113271,
                                  0.833961295906155,
                                  {-0.92, 0.391918358845308, 0},
                                  5887766749.09745,
                                  {0.903836717690617, 0.427877538267963, 0},
                                  3153289.44075685,
                                  {2850058.77806215, 1349221.7233574, 0},
                                  10.0372320299186},
                                 {0.006,
                                  0.008,
                                  -0.0489897948556636,
                                  0.979795897113271,
                                  0.833961295906155,
                                  {-0.92, 0.235151015307185, 0.313534687076247},
                                  5887766749.09745,
                                  {0.903836717690617, 0.256726522960778, 0.34230203061437},
                                  3153289.44075685,
                                  {2850058.77806215, 809533.03401444, 1079377.37868592},
                                  10.0372320299186},
                                 {0.03,
                                  0.02,
                                  -0.0346410161513775,
                                  0.692820323027551,
                                  1.0,
                                  {0.04, 0.831384387633061, 0.554256258422041},
                                  7060000000.0,
                                  {0, 0, 0},
                                  0,
                                  {0, 0, 0},
                                  0}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const ray_row *row = &rows[k];
    ray_test test;
    ray_test_begin(&test, 1, 3);
    add_sphere(&test, 0, 0, 0, 0.05);
    assert_same(test.table.column[COLUMN_mass][0], 3.14159265358979);
    floc_ray ray = {{-1, row->y, row->z}, {1, 0, 0}, 7.06e9, 0.000314159265358979, 0};
    floc_ray_source_options source = single_ray(&ray);
    seen_hit seen = {.count = 0};
    source.hit = look;
    source.hit_context = &seen;
    trace_once(&test, &source);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.hit.id, 1);
    assert_same(seen.hit.point[0], row->hit_x);
    assert_close(seen.hit.point[1], row->y, 1e-14);
    assert_close(seen.hit.point[2], row->z, 1e-14);
    assert_same(seen.hit.incident_cosine, row->cosine);
    assert_same(seen.response.power, row->reflected_power);
    assert_same(seen.response.power / seen.hit.power, row->reflectance);
    double size = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      assert_close(seen.response.direction[axis], row->reflected[axis], 1e-12);
      assert_close(seen.hit.refracted_direction[axis], row->transmitted[axis], 1e-12);
      assert_close(seen.response.force[axis], row->force[axis], 1e-12 * row->force_size);
      size += seen.response.force[axis] * seen.response.force[axis];
    }
    assert_same(sqrt(size), row->force_size);
    assert_close(sqrt(size) * 1e-5 / 3.14159265358979, row->kick, 1e-12 * row->kick);
    ray_test_end(&test);
  }
}

static void wrong_media_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  floc_media media = water_and_ceramic();
  assert_int_equal(media_check(&env, &media), FLOC_OK);
  media.density[1] = 0.0;
  assert_int_equal(media_check(&env, &media), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "density[1] is 0"));
  media = water_and_ceramic();
  media.sound_speed[0] = NAN;
  assert_int_equal(media_check(&env, &media), FLOC_INVALID_ARGUMENT);
  media = water_and_ceramic();
  media.body_reflectance = 1.5;
  assert_int_equal(media_check(&env, &media), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "body_reflectance is 1.5"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reflectance_is_the_reference),
      cmocka_unit_test(critical_angle_is_the_reference),
      cmocka_unit_test(means_over_a_lit_sphere_are_the_reference),
      cmocka_unit_test(power_and_area_of_the_example),
      cmocka_unit_test(rays_on_a_sphere_are_the_reference),
      cmocka_unit_test(wrong_media_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
