/*
 * bindings/picture/draw/options.c, and the rows that scripts/surface.sh makes: what the init functions promise, and
 * every number that has a range at its ends, just beyond them, and where it is no number.
 */
#include "images.h"

#include "draw/options.h"
#include "picture.h"
#include "plot/plot.h"

#include <math.h>
#include <string.h>

static char message[PICTURE_MESSAGE_SIZE];
static const picture_report report = {message, sizeof message};

static void init_functions_set_what_the_headers_say(void **state)
{
  (void)state;
  picture_scene scene;
  memset(&scene, 0x55, sizeof scene);
  picture_scene_init(&scene);
  assert_int_equal(scene.dimension, 2);
  assert_true(isnan(scene.view.lower[0]) && isnan(scene.view.upper[2]) && isnan(scene.scale.lower));
  assert_true(scene.view.direction[0] == -0.45 && scene.view.direction[1] == -0.4 && scene.view.direction[2] == -1);
  assert_true(scene.view.up[0] == 0 && scene.view.up[1] == 1 && scene.view.zoom == 1);
  assert_true(scene.particle_opacity == 1 && scene.body_opacity == 0.28 && scene.outline && scene.scale_bar);
  assert_int_equal(scene.particle_colour, PICTURE_AUTOMATIC);
  assert_int_equal(scene.tubes.colour, PICTURE_AUTOMATIC);
  assert_true(scene.tubes.width == 0 && scene.lines.scale.legend && isnan(scene.lines.scale.upper));
  assert_int_equal(scene.boundary[2], FLOC_BOUNDARY_OPEN);
  assert_null(scene.x);
  picture_options options;
  memset(&options, 0x55, sizeof options);
  picture_options_init(&options);
  assert_int_equal(options.width, 1000);
  assert_int_equal(options.background, 0xffffff);
  assert_true(options.height == 0 && options.shared_scale && !options.transparent && !options.title);
  plot_options sheet;
  plot_options_init(&sheet);
  assert_int_equal(sheet.width, 800);
  plot_series series;
  plot_series_init(&series);
  assert_int_equal(series.style, PLOT_LINE);
  assert_int_equal(series.colour, PICTURE_AUTOMATIC);
  plot_reference reference;
  plot_reference_init(&reference);
  assert_int_equal(reference.dash, PLOT_DASHED);
  assert_true(isnan(reference.second));
  plot_panel panel;
  plot_panel_init(&panel);
  assert_true(panel.x.grid && isnan(panel.y.upper) && panel.legend == PLOT_LEGEND_AUTOMATIC);
}

static void assert_allowed(const option_rows *rows, const option_row *one, double value, bool allowed)
{
  floc_status status = options_check_value(&report, rows, one->name, value);
  if ((status == FLOC_OK) == allowed) return;
  fail_msg("%s = %.17g: %s", one->name, value, status == FLOC_OK ? "accepted" : message);
}

static void check_ends(const option_rows *rows)
{
  for (const option_row *one = rows->row; one < rows->row + rows->count; one++) {
    if (one->kind == OPTION_BOOLEAN) continue;
    bool number = one->kind == OPTION_NUMBER;
    double least = number ? 1e-9 * fmax(fabs(one->lower), 1e-3) : 1.0;
    if (isfinite(one->lower)) {
      assert_allowed(rows, one, one->lower, !(one->flags & OPTION_ABOVE));
      assert_allowed(rows, one, one->lower + least, true);
      double below = one->lower - least;
      bool automatic = !number && one->flags & OPTION_AUTOMATIC && below == PICTURE_AUTOMATIC;
      assert_allowed(rows, one, below, automatic);
    }
    if (isfinite(one->upper)) {
      assert_allowed(rows, one, one->upper, !(one->flags & OPTION_BELOW));
      assert_allowed(rows, one, one->upper + fmax(least, 1e-9 * one->upper), false);
    }
    if (number) assert_allowed(rows, one, NAN, one->flags & OPTION_AUTOMATIC);
    if (number) assert_allowed(rows, one, INFINITY, false);
    if (one->flags & OPTION_ZERO) assert_allowed(rows, one, 0.0, true);
  }
}

static void ranges_end_where_they_should(void **state)
{
  (void)state;
  const option_rows *all[] = {&options_of_picture_scale, &options_of_picture_lines,   &options_of_picture_view,
                              &options_of_picture_scene, &options_of_picture_options, &options_of_picture_movie,
                              &options_of_plot_series,   &options_of_plot_reference,  &options_of_plot_axis,
                              &options_of_plot_panel,    &options_of_plot_options};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) check_ends(all[k]);
  assert_int_equal(options_row(&options_of_picture_options, "width")->lower, 64);
  assert_int_equal(options_row(&options_of_plot_options, "height")->upper, 16384);
}

static void messages_name_member_value_and_range(void **state)
{
  (void)state;
  picture_options options;
  picture_options_init(&options);
  assert_int_equal(options_check(&report, "", &options_of_picture_options, &options), FLOC_OK);
  options.height = 20000;
  assert_int_equal(options_check(&report, "", &options_of_picture_options, &options), FLOC_INVALID_ARGUMENT);
  assert_string_equal(message, "height is 20000; it must be an integer between 64 and 16384, or 0 (automatic)");
  options.height = 0;
  options.background = -1;
  assert_int_equal(options_check(&report, "", &options_of_picture_options, &options), FLOC_INVALID_ARGUMENT);
  assert_string_equal(message, "background is -1; it must be a colour from 0x000000 to 0xffffff");
  picture_scene scene;
  picture_scene_init(&scene);
  scene.boundary[1] = 3;
  assert_int_equal(options_check(&report, "panel 2: ", &options_of_picture_scene, &scene), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "panel 2: boundary[1] is 3; it must be "));
  scene.view.up[2] = NAN;
  assert_int_equal(options_check(&report, "view.", &options_of_picture_view, &scene.view), FLOC_INVALID_ARGUMENT);
  assert_string_equal(message, "view.up[2] is nan; it must be a finite number");
  const picture_report silent = {NULL, 0};
  assert_int_equal(options_check_value(&silent, &options_of_picture_movie, "frames_per_second", 0.0),
                   FLOC_INVALID_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(init_functions_set_what_the_headers_say),
      cmocka_unit_test(ranges_end_where_they_should),
      cmocka_unit_test(messages_name_member_value_and_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
