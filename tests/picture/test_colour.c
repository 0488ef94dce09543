/*
 * Colour maps, groups, scales.
 */
#include "images.h"

#include "draw/colour.h"

#include <float.h>
#include <math.h>

static picture_scale default_scale(void)
{
  picture_scene scene;
  picture_scene_init(&scene);
  return scene.scale;
}

static char message[PICTURE_MESSAGE_SIZE];
static const picture_report report = {message, sizeof message};

static void maps_begin_and_end_at_their_anchors(void **state)
{
  (void)state;
  assert_int_equal(picture_map_colour("viridis", 0.0), 0x440154);
  assert_int_equal(picture_map_colour("viridis", 1.0), 0xfde725);
  assert_int_equal(picture_map_colour("viridis", 3.0 / 9.0), 0x31688e);
  assert_int_equal(picture_map_colour("magma", 1.0), 0xfcfdbf);
  assert_int_equal(picture_map_colour("inferno", 0.0), 0x000004);
  assert_int_equal(picture_map_colour("diverging", 0.5), 0xdddddd);
  assert_int_equal(picture_map_colour("viridis", -5.0), 0x440154);
  assert_int_equal(picture_map_colour("viridis", 7.0), 0xfde725);
  assert_int_equal(picture_map_colour("viridis", NAN), colour_missing);
  assert_int_equal(picture_map_colour("rainbow", 0.5), -1);
  assert_int_equal(picture_map_colour(NULL, 0.5), -1);
  int count = 0;
  while (picture_map_name(count)) assert_true(picture_map_colour(picture_map_name(count++), 0.3) >= 0);
  assert_int_equal(count, 5);
  assert_null(picture_map_name(-1));
}

/* Sequential maps must not fool the eye: luminance rises all the way, without jumps. */
static void sequential_maps_rise_in_luminance(void **state)
{
  (void)state;
  static const char *const names[] = {"viridis", "magma", "inferno", "grey"};
  for (int m = 0; m < 4; m++) {
    double last = -1.0;
    for (int k = 0; k <= 200; k++) {
      double luminance = colour_luminance(picture_map_colour(names[m], k / 200.0));
      assert_true(luminance >= last - 0.004);
      if (k > 0) assert_true(luminance - last < 0.03);
      last = luminance;
    }
  }
  for (int k = 0; k < 100; k++) { /* the diverging one rises to the middle and falls again */
    double here = colour_luminance(picture_map_colour("diverging", k / 200.0));
    assert_true(colour_luminance(picture_map_colour("diverging", (k + 1) / 200.0)) > here - 1e-3);
  }
}

static void groups_differ(void **state)
{
  (void)state;
  assert_int_equal(picture_group_colour(-1), colour_missing);
  for (int a = 0; a < 60; a++)
    for (int b = 0; b < a; b++)
      assert_true(component_distance((uint32_t)picture_group_colour(a), (uint32_t)picture_group_colour(b)) > 5);
  for (int32_t k = 0; k < 100000; k += 997)
    assert_true(picture_group_colour(k) >= 0 && picture_group_colour(k) <= 0xffffff);
  assert_true(picture_group_colour(INT32_MAX) >= 0);
  assert_true(colour_of_series(1000) >= 0);
}

static void include_all(const picture_scale *scale, const double *value, int count, double *lower, double *upper)
{
  *lower = INFINITY;
  *upper = -INFINITY;
  for (int k = 0; k < count; k++) scale_include(scale, value[k], lower, upper);
}

static void scales_find_their_range(void **state)
{
  (void)state;
  static resolved_scale resolved;
  picture_scale scale = default_scale();
  const double values[] = {3.0, NAN, -1.0, INFINITY, 2.0, -INFINITY};
  double lower, upper;
  include_all(&scale, values, 6, &lower, &upper);
  assert_true(lower == -1.0 && upper == 3.0);
  scale_resolve(&resolved, &scale, "viridis", lower, upper);
  assert_int_equal(scale_colour(&resolved, -1.0), 0x440154);
  assert_int_equal(scale_colour(&resolved, 3.0), 0xfde725);
  assert_int_equal(scale_colour(&resolved, INFINITY), 0xfde725);
  assert_int_equal(scale_colour(&resolved, -INFINITY), 0x440154);
  assert_int_equal(scale_colour(&resolved, NAN), colour_missing);
  scale.reversed = true;
  scale_resolve(&resolved, &scale, "viridis", lower, upper);
  assert_int_equal(scale_colour(&resolved, -1.0), 0xfde725);
  scale.reversed = false;
  scale.map = "diverging"; /* both signs: symmetric */
  scale_resolve(&resolved, &scale, "viridis", lower, upper);
  assert_true(resolved.lower == -3.0 && resolved.upper == 3.0);
  scale.lower = -2.0;
  scale_resolve(&resolved, &scale, "viridis", lower, upper);
  assert_true(resolved.lower == -2.0 && resolved.upper == 3.0);
  scale =
      default_scale(); /* from almost 0: from 0, but not where that is asked for, and not on logarithmic scales */
  scale_resolve(&resolved, &scale, "viridis", 9.5e-16, 2.0);
  assert_true(resolved.lower == 0.0 && resolved.upper == 2.0);
  scale_resolve(&resolved, &scale, "viridis", 1.0, 2.0);
  assert_true(resolved.lower == 1.0);
  scale_resolve(&resolved, &scale, "viridis", -1e-3, 2.0);
  assert_true(resolved.lower == -1e-3);
  scale.logarithmic = true;
  scale_resolve(&resolved, &scale, "viridis", 1e-3, 2.0);
  assert_true(resolved.lower == 1e-3);
  scale.logarithmic = false;
  scale.lower = 1e-3;
  scale_resolve(&resolved, &scale, "viridis", 1e-3, 2.0);
  assert_true(resolved.lower == 1e-3);
}

static void scales_survive_strange_data(void **state)
{
  (void)state;
  static resolved_scale resolved;
  static const double cases[][2] = {{INFINITY, -INFINITY}, {5.0, 5.0},       {0.0, 0.0},   {-DBL_MAX, DBL_MAX},
                                    {DBL_MAX, DBL_MAX},    {1e-320, 1e-320}, {-7.0, -7.0}, {-DBL_MAX, -DBL_MAX}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (int ends = 0; ends < 4; ends++) {
      picture_scale scale = default_scale();
      if (ends & 1) scale.lower = 10.0;
      if (ends & 2) scale.upper = 20.0;
      scale_resolve(&resolved, &scale, "viridis", cases[k][0], cases[k][1]);
      assert_true(isfinite(resolved.lower) && isfinite(resolved.upper) && resolved.lower < resolved.upper);
      if (ends & 1) assert_true(resolved.lower == 10.0);
      if (ends & 2) assert_true(resolved.upper == 20.0);
      double position = scale_position(&resolved, 15.0);
      assert_true(position >= 0.0 && position <= 1.0);
    }
}

static void logarithmic_scales(void **state)
{
  (void)state;
  static resolved_scale resolved;
  picture_scale scale = default_scale();
  scale.logarithmic = true;
  const double values[] = {-4.0, 0.0, 0.01, 100.0};
  double lower, upper;
  include_all(&scale, values, 4, &lower, &upper);
  assert_true(lower == 0.01 && upper == 100.0);
  scale_resolve(&resolved, &scale, "grey", lower, upper);
  assert_close(scale_position(&resolved, 1.0), 0.5, 1e-12);
  assert_true(isnan(scale_position(&resolved, 0.0)));
  assert_int_equal(scale_colour(&resolved, -4.0), colour_missing);
}

static void wrong_scales_are_refused(void **state)
{
  (void)state;
  picture_scale scale = default_scale();
  assert_int_equal(scale_check(&report, &scale, "scale"), FLOC_OK);
  scale.map = "rainbow";
  assert_int_equal(scale_check(&report, &scale, "scale"), FLOC_NOT_FOUND);
  assert_non_null(strstr(message, "rainbow"));
  assert_non_null(strstr(message, "viridis"));
  scale = default_scale();
  scale.lower = 2.0;
  scale.upper = 2.0;
  assert_int_equal(scale_check(&report, &scale, "tubes.scale"), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "tubes.scale.lower is 2"));
  scale = default_scale();
  scale.upper = INFINITY;
  assert_int_equal(scale_check(&report, &scale, "scale"), FLOC_INVALID_ARGUMENT);
  scale = default_scale();
  scale.lower = -1.0;
  scale.logarithmic = true;
  assert_int_equal(scale_check(&report, &scale, "scale"), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "above 0"));
}

static void colours_mix(void **state)
{
  (void)state;
  assert_int_equal(colour_mix(0x000000, 0xffffff, 0.5), 0x808080);
  assert_int_equal(colour_mix(0x123456, 0xfedcba, 0.0), 0x123456);
  assert_int_equal(colour_mix(0x123456, 0xfedcba, 1.0), 0xfedcba);
  assert_close(colour_luminance(0xffffff), 1.0, 1e-12);
  assert_close(colour_luminance(0x000000), 0.0, 1e-12);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_begin_and_end_at_their_anchors),
      cmocka_unit_test(sequential_maps_rise_in_luminance),
      cmocka_unit_test(groups_differ),
      cmocka_unit_test(scales_find_their_range),
      cmocka_unit_test(scales_survive_strange_data),
      cmocka_unit_test(logarithmic_scales),
      cmocka_unit_test(wrong_scales_are_refused),
      cmocka_unit_test(colours_mix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
