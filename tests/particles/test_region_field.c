/*
 * Depths in regions of functions, beside closed forms: a disc, a ring in space, a half space; for radii that the
 * function looks at and for one that does not; volumes; what is empty; memory that runs out.
 */
#include "particles/region_field.h"

#include "failing_allocator.h"

#include <math.h>
#include <string.h>

/* Exact depths of centres, kind: 0 of a ball of radius 1, 1 of a torus of radii 1 and 0.5, 2 of x + 2 y < 1. 10
 * more: without a look at the radius. */
static double exact_depth(int kind, const double p[3], double radius)
{
  double depth = 1.0 - sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  if (kind % 10 == 1) {
    double ring = sqrt(p[0] * p[0] + p[1] * p[1]) - 1.0;
    depth = 0.5 - sqrt(ring * ring + p[2] * p[2]);
  }
  if (kind % 10 == 2) depth = (1.0 - p[0] - 2.0 * p[1]) / sqrt(5.0);
  return depth - (kind < 10 ? radius : 0.0);
}

static floc_status ask(void *context, const double *center, double radius, bool *inside)
{
  *inside = exact_depth(*(const int *)context, center, radius) >= 0.0;
  return FLOC_OK;
}

static floc_insertion_options options_of(int *kind)
{
  floc_insertion_options options;
  floc_insertion_options_init(&options);
  options.region_kind = FLOC_REGION_FUNCTION;
  options.region_function = ask;
  options.region_context = kind;
  for (int axis = 0; axis < 3; axis++) {
    options.region_lower[axis] = -1.6;
    options.region_upper[axis] = 1.6;
  }
  return options;
}

/* The greatest error of depths at the edge, where packings ask; directions are checked as well. */
static double worst_depth(const region_field *field, int kind)
{
  double worst = 0.0;
  for (int n = 0; n < 20000; n++) {
    double p[3] = {0.0, 0.0, 0.0}, inward[3], ahead[3], radius = 0.1 + 0.02 * (n % 11) / 10.0;
    for (int axis = 0; axis < field->dimension; axis++)
      p[axis] = -1.5 + 3.0 * fmod((n + 1) * (0.6180339887 + 0.13 * axis * axis), 1.0);
    double wanted = exact_depth(kind, p, radius), depth = region_field_depth(field, p, radius, inward);
    if (fabs(wanted) > 0.15) { /* far off only the sign matters */
      assert_true(depth * wanted > 0.0);
      continue;
    }
    if (fabs(wanted) < 0.01) worst = fmax(worst, fabs(depth - wanted));
    for (int axis = 0; axis < 3; axis++) ahead[axis] = p[axis] + 1e-5 * inward[axis];
    double along = (exact_depth(kind, ahead, radius) - wanted) / 1e-5;
    if (!(along > 0.9 && along < 1.0 + 1e-6)) fail_msg("inward at %g %g %g: %g", p[0], p[1], p[2], along);
  }
  return worst;
}

static void depths_are_near_closed_forms(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int k = 0; k < 6; k++) {
      int kind = k % 3 + (k >= 3 ? 10 : 0);
      if (dimension == 2 && k % 3 == 1) continue;
      environment env = test_environment(1);
      floc_insertion_options options = options_of(&kind);
      region_field field;
      assert_ok(&env, region_field_create(&env, &options, dimension, 0.1, 0.12, &field));
      const double spacing = field.spacing[0], worst = worst_depth(&field, kind);
      assert_true(spacing <= 0.05 + 1e-12);
      if (worst > 0.15 * spacing)
        fail_msg("kind %d in %d dimensions: %g at a spacing of %g", kind, dimension, worst, spacing);
      region_field_free(&field);
    }
  }
}

static void volumes_are_near(void **state)
{
  (void)state;
  environment env = test_environment(1);
  const double pi = 3.14159265358979323846, exact[2][2] = {{pi, 4.0 / 3.0 * pi}, {0.0, 0.5 * pi * pi}};
  for (int kind = 0; kind < 2; kind++) {
    for (int32_t dimension = 2 + kind; dimension <= 3; dimension++) {
      double volume;
      floc_insertion_options options = options_of(&kind);
      assert_ok(&env, region_measure(&env, &options, dimension, &volume));
      assert_true(fabs(volume / exact[kind][dimension - 2] - 1.0) < 2e-3);
    }
  }
}

static void what_fits_nowhere_is_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  int kind = 1;
  floc_insertion_options options = options_of(&kind);
  region_field field;
  assert_int_equal(region_field_create(&env, &options, 3, 0.4, 0.7, &field), FLOC_NO_ROOM);
  assert_non_null(strstr(env.message, "a particle of the radius 0.7 fits nowhere"));
  region_field_free(&field);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  int kind = 0;
  floc_insertion_options options = options_of(&kind);
  for (int64_t n = 1;; n++) {
    failing_allocator counter;
    environment env = failing_environment(&counter, n);
    region_field field;
    floc_status status = region_field_create(&env, &options, 2, 0.3, 0.3, &field);
    region_field_free(&field);
    assert_int_equal(counter.bytes, 0);
    if (status == FLOC_OK) break;
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    assert_in_range(n, 1, 10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(depths_are_near_closed_forms),
      cmocka_unit_test(volumes_are_near),
      cmocka_unit_test(what_fits_nowhere_is_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
