/*
 * Plots: points where they should be, gaps, axes, legends, files, refusals.
 */
#include "images.h"

#include "plot/axes.h"
#include "plot/plot.h"

#include <float.h>
#include <math.h>

static char message[PICTURE_MESSAGE_SIZE];

static plot_options options_of(int32_t width, int32_t height)
{
  plot_options options;
  plot_options_init(&options);
  options.width = width;
  options.height = height;
  return options;
}

static plot_series series_of(const double *x, const double *y, int64_t count)
{
  plot_series series;
  plot_series_init(&series);
  series.x = x;
  series.y = y;
  series.count = count;
  return series;
}

static plot_panel panel_of(const plot_series *series, int32_t count)
{
  plot_panel panel;
  plot_panel_init(&panel);
  panel.series = series;
  panel.series_count = count;
  panel.x.grid = panel.y.grid = false;
  return panel;
}

static image draw(const plot_options *options, const plot_panel *panels, int32_t count)
{
  image result = {0};
  assert_int_equal(plot_size(options, count, &result.width, &result.height, message, sizeof message), FLOC_OK);
  result.pixels = malloc(4 * (size_t)result.width * (size_t)result.height);
  floc_status status =
      plot_draw(options, panels, count, result.pixels, result.width, result.height, message, sizeof message);
  if (status != FLOC_OK) fail_msg("%s", message);
  return result;
}

/* The frame of a plot is its longest dark lines: their columns and rows. */
static rectangle find_frame(const image *picture)
{
  int left = -1, right = -1, top = -1, bottom = -1;
  for (int x = 0; x < picture->width; x++) {
    int dark = 0;
    for (int y = 0; y < picture->height; y++) dark += (pixel(picture, x, y) >> 8 & 255) < 0x60;
    if (dark < picture->height / 2) continue;
    if (left < 0) left = x;
    right = x;
  }
  for (int y = 0; y < picture->height; y++) {
    int dark = 0;
    for (int x = 0; x < picture->width; x++) dark += (pixel(picture, x, y) >> 8 & 255) < 0x60;
    if (dark < picture->width / 2) continue;
    if (top < 0) top = y;
    bottom = y;
  }
  assert_true(left >= 0 && right > left && top >= 0 && bottom > top);
  rectangle frame = {left, top, right - left, bottom - top};
  return frame;
}

/* ---- ranges and positions ---------------------------------------------------------------------------- */

static plot_job job_of(const plot_panel *panel)
{
  plot_job job = {.panel = panel};
  plot_ranges(&job);
  assert_true(isfinite(job.x.lower) && isfinite(job.x.upper) && job.x.lower < job.x.upper);
  assert_true(isfinite(job.y.lower) && isfinite(job.y.upper) && job.y.lower < job.y.upper);
  return job;
}

static void ranges_hold_the_data(void **state)
{
  (void)state;
  const double x[5] = {0, 1, 2, 3, 4}, y[5] = {-3, 5, NAN, INFINITY, 2}, error[5] = {1, 0.5, 1, 1, NAN};
  plot_series series = series_of(x, y, 5);
  plot_panel panel = panel_of(&series, 1);
  plot_job job = job_of(&panel);
  assert_true(job.x.lower < 0 && job.x.lower > -0.5 && job.x.upper > 4 && job.x.upper < 4.5);
  assert_true(job.y.lower < -3 && job.y.lower > -4 && job.y.upper > 5 && job.y.upper < 6);
  series.error = error;
  job = job_of(&panel);
  assert_true(job.y.lower < -4 && job.y.upper > 5.5);
  series.style = PLOT_BARS; /* stand on 0, with a margin of half a bar */
  series.error = NULL;
  job = job_of(&panel);
  assert_true(job.x.lower < -0.5 && job.x.upper > 4.5);
  panel.x.lower = 0.6; /* y follows what is seen of x */
  panel.x.upper = 4.4;
  series.style = PLOT_LINE;
  job = job_of(&panel);
  assert_true(job.x.lower == 0.6 && job.x.upper == 4.4);
  assert_true(job.y.lower > 1.0 && job.y.lower < 2.0);
  panel.y.lower = -100.0;
  job = job_of(&panel);
  assert_true(job.y.lower == -100.0);
}

static void bars_stand_on_zero(void **state)
{
  (void)state;
  const double y[3] = {4, 2, 3};
  plot_series series = series_of(NULL, y, 3);
  series.style = PLOT_BARS;
  plot_panel panel = panel_of(&series, 1);
  plot_job job = job_of(&panel);
  assert_true(job.y.lower == 0.0);
  assert_close(series_bar_width(&series), 1.0, 0.0);
  const double x[3] = {0, 0.25, 1.0};
  series.x = x;
  assert_close(series_bar_width(&series), 0.25, 0.0);
}

static void logarithmic_ranges_leave_out_what_is_not_above_zero(void **state)
{
  (void)state;
  const double x[4] = {0, 1, 10, 100}, y[4] = {5, -1, 0.01, 100};
  plot_series series = series_of(x, y, 4);
  plot_panel panel = panel_of(&series, 1);
  panel.x.logarithmic = panel.y.logarithmic = true;
  plot_job job = job_of(&panel);
  assert_true(job.x.lower > 5.0 && job.x.lower < 10.0);
  assert_true(job.y.lower < 0.01 && job.y.lower > 0.001);
  assert_true(isnan(axis_position(&job.y, 0.0)) && isnan(axis_position(&job.y, -1.0)));
  assert_close(axis_position(&job.y, sqrt(job.y.lower * job.y.upper)), 0.5, 1e-9);
}

static void strange_data_get_a_range(void **state)
{
  (void)state;
  static const double columns[][2] = {
      {5, 5},        {0, 0},           {NAN, NAN}, {-DBL_MAX, DBL_MAX}, {1e-310, 2e-310}, {1e300, 1e308},
      {INFINITY, 3}, {1e15, 1e15 + 1}, {-7, -7},   {DBL_MAX, DBL_MAX}};
  enum { CASES = sizeof columns / sizeof columns[0] };
  plot_options options = options_of(300, 200);
  for (int a = 0; a < CASES; a++)
    for (int b = 0; b < CASES; b++)
      for (int logarithmic = 0; logarithmic < 4; logarithmic++) {
        plot_series series = series_of(columns[a], columns[b], 2);
        series.style = PLOT_LINE | PLOT_MARKERS | PLOT_STEPS | PLOT_BARS;
        plot_panel panel = panel_of(&series, 1);
        panel.x.logarithmic = logarithmic & 1;
        panel.y.logarithmic = logarithmic & 2;
        job_of(&panel);
        if ((a + b) % 3 == 0) free(draw(&options, &panel, 1).pixels);
      }
}

/* ---- what is seen ------------------------------------------------------------------------------------ */

static void points_lie_where_they_should(void **state)
{
  (void)state;
  const double x[3] = {0.0, 5.0, 10.0}, y[3] = {0.0, 50.0, 25.0};
  plot_series series = series_of(x, y, 3);
  series.style = PLOT_MARKERS;
  series.colour = 0xff0000;
  series.marker_size = 9.0;
  plot_panel panel = panel_of(&series, 1);
  panel.x.lower = -10.0;
  panel.x.upper = 20.0;
  panel.y.lower = -50.0;
  panel.y.upper = 100.0;
  plot_options options = options_of(600, 400);
  image picture = draw(&options, &panel, 1);
  rectangle frame = find_frame(&picture);
  for (int k = 0; k < 3; k++)
    assert_pixel(&picture, frame.x + 0.5 + frame.width * (x[k] + 10) / 30,
                 frame.y + 0.5 + frame.height * (100 - y[k]) / 150, 0xff0000, 2);
  assert_close(pixels_like(&picture, 0xff0000, 60) / (3 * M_PI * 4.5 * 4.5), 1.0, 0.25);
  free(picture.pixels);
}

static void gaps_stay_open(void **state)
{
  (void)state;
  const double y[5] = {1.0, 1.0, NAN, 1.0, 1.0};
  plot_series series = series_of(NULL, y, 5);
  series.colour = 0xff0000;
  series.width = 3.0;
  plot_panel panel = panel_of(&series, 1);
  panel.x.lower = 1.0;
  panel.x.upper = 5.0;
  plot_options options = options_of(600, 400);
  for (int style = PLOT_LINE; style <= PLOT_STEPS; style += PLOT_STEPS - PLOT_LINE) {
    series.style = style;
    image picture = draw(&options, &panel, 1);
    rectangle frame = find_frame(&picture);
    double row = frame.y + 0.5 * frame.height;
    assert_pixel(&picture, frame.x + 0.12 * frame.width, row, 0xff0000, 4);
    assert_pixel(&picture, frame.x + 0.5 * frame.width, row, 0xffffff, 0);
    assert_pixel(&picture, frame.x + 0.88 * frame.width, row, 0xff0000, 4);
    free(picture.pixels);
  }
}

static void bars_and_steps_and_bands(void **state)
{
  (void)state;
  const double y[4] = {1.0, 3.0, 2.0, 4.0}, low[4] = {0.5, 0.5, 0.5, 0.5}, high[4] = {4.5, 4.5, 4.5, 4.5};
  plot_series series = series_of(NULL, y, 4);
  series.colour = 0x0000ff;
  series.style = PLOT_BARS;
  plot_panel panel = panel_of(&series, 1);
  panel.x.lower = 0.5;
  panel.x.upper = 4.5;
  panel.y.lower = 0.0;
  panel.y.upper = 5.0;
  plot_options options = options_of(600, 400);
  image picture = draw(&options, &panel, 1);
  rectangle frame = find_frame(&picture);
  for (int k = 0; k < 4; k++) {
    double column = frame.x + frame.width * (k + 0.4) / 4;
    uint32_t inside = pixel(&picture, column, frame.y + frame.height * (1.0 - (y[k] - 0.2) / 5));
    assert_true((inside & 255) > (inside >> 16 & 255) + 80);
    assert_pixel(&picture, column, frame.y + frame.height * (1.0 - (y[k] + 0.2) / 5), 0xffffff, 0);
  }
  free(picture.pixels);
  series.style = PLOT_STEPS;
  series.width = 3.0;
  series.band_lower = low;
  series.band_upper = high;
  picture = draw(&options, &panel, 1);
  frame = find_frame(&picture);
  for (int k = 0; k < 3; k++) /* level y[k] up to the next x */
    assert_pixel(&picture, frame.x + frame.width * (k + 0.9) / 4, frame.y + frame.height * (1.0 - y[k] / 5) + 0.5,
                 0x0000ff, 30);
  uint32_t band = pixel(&picture, frame.x + 0.3 * frame.width, frame.y + frame.height * (1.0 - 4.2 / 5));
  assert_true((band & 255) == 255 && (band >> 16 & 255) < 230 && (band >> 16 & 255) > 150);
  free(picture.pixels);
}

static void references_cross_the_panel(void **state)
{
  (void)state;
  plot_reference references[3];
  for (int k = 0; k < 3; k++) {
    plot_reference_init(&references[k]);
    references[k].dash = PLOT_SOLID;
    references[k].colour = 0xff0000;
  }
  references[0].value = 0.5;
  references[0].label = "expected";
  references[1].vertical = true;
  references[1].value = 0.25;
  references[2].vertical = true;
  references[2].value = 0.6;
  references[2].second = 0.8;
  plot_panel panel = panel_of(NULL, 0);
  panel.references = references;
  panel.reference_count = 3;
  panel.x.lower = panel.y.lower = 0.0;
  panel.x.upper = panel.y.upper = 1.0;
  plot_options options = options_of(600, 400);
  image picture = draw(&options, &panel, 1);
  rectangle frame = find_frame(&picture);
  long row = pixels_unlike(&picture, frame.x + 3, frame.y + 0.5 * frame.height - 2, frame.x + frame.width - 3,
                           frame.y + 0.5 * frame.height + 3, 0xffffff);
  assert_true(row > frame.width);
  uint32_t band = pixel(&picture, frame.x + 0.7 * frame.width, frame.y + 0.8 * frame.height);
  assert_true((band >> 16 & 255) > 240 && (band & 255) < 235);
  assert_true(pixels_unlike(&picture, frame.x + 0.25 * frame.width - 3, frame.y + 5,
                            frame.x + 0.25 * frame.width + 3, frame.y + 100, 0xffffff) >= 95);
  assert_true(pixels_like(&picture, 0xff0000, 90) > 500);
  free(picture.pixels);
}

static void errors_on_a_logarithmic_axis_reach_down(void **state)
{
  (void)state;
  const double y[2] = {1.0, 1.0}, error[2] = {0.5, 2.0};
  plot_series series = series_of(NULL, y, 2);
  series.style = PLOT_MARKERS;
  series.error = error;
  series.colour = 0xff0000;
  plot_panel panel = panel_of(&series, 1);
  panel.y.logarithmic = true;
  panel.y.lower = 0.01;
  panel.y.upper = 10.0;
  panel.x.lower = 0.0;
  panel.x.upper = 3.0;
  plot_options options = options_of(600, 400);
  image picture = draw(&options, &panel, 1);
  rectangle frame = find_frame(&picture);
  double low = frame.y + 0.95 * frame.height;
  assert_int_equal(
      pixels_unlike(&picture, frame.x + frame.width / 3 - 3, low - 3, frame.x + frame.width / 3 + 4, low, 0xffffff),
      0);
  assert_true(pixels_unlike(&picture, frame.x + 2 * frame.width / 3 - 3, low - 3, frame.x + 2 * frame.width / 3 + 4,
                            low, 0xffffff) > 0);
  free(picture.pixels);
}

static void equal_scales_make_circles_round(void **state)
{
  (void)state;
  double x[200], y[200];
  for (int k = 0; k < 200; k++) {
    x[k] = 3 + cos(k * 0.0316);
    y[k] = sin(k * 0.0316);
  }
  plot_series series = series_of(x, y, 200);
  series.colour = 0xff0000;
  plot_panel panel = panel_of(&series, 1);
  panel.equal_scale = true;
  for (int shape = 0; shape < 3; shape++) {
    plot_options options = options_of(shape == 1 ? 300 : 700, shape == 2 ? 250 : 400);
    if (shape == 2) { /* ends are given: the frame shrinks instead */
      panel.x.lower = 1.0;
      panel.x.upper = 5.0;
      panel.y.lower = -2.0;
      panel.y.upper = 2.0;
    }
    image picture = draw(&options, &panel, 1);
    int left = picture.width, right = 0, top = picture.height, bottom = 0;
    for (int row = 0; row < picture.height; row++)
      for (int column = 0; column < picture.width; column++) {
        if (component_distance(pixel(&picture, column, row), 0xff0000) > 60) continue;
        left = column < left ? column : left;
        right = column > right ? column : right;
        top = row < top ? row : top;
        bottom = row > bottom ? row : bottom;
      }
    assert_close(right - left, bottom - top, 3.0);
    free(picture.pixels);
  }
}

/* Text in a stripe of 30 pixels' height. */
static int dark_pixels(const image *picture, double left, double top, double right)
{
  int dark = 0;
  for (int y = (int)top; y < (int)top + 30; y++)
    for (int x = (int)left; x < (int)right; x++) dark += component_distance(pixel(picture, x, y), 0x202020) < 120;
  return dark;
}

static void legends_avoid_the_data(void **state)
{
  (void)state;
  double y[100];
  for (int corner = 0; corner < 4; corner++) { /* the curve runs below, then above */
    for (int k = 0; k < 100; k++) y[k] = corner < 2 ? -0.05 : 1.05;
    plot_series series = series_of(NULL, y, 100);
    series.name = "name";
    plot_panel panel = panel_of(&series, 1);
    panel.y.lower = -0.1;
    panel.y.upper = 1.1;
    panel.y.label = "y";
    plot_options options = options_of(600, 400);
    image picture = draw(&options, &panel, 1);
    rectangle frame = find_frame(&picture);
    bool upper = dark_pixels(&picture, frame.x + frame.width - 60, frame.y + 4, frame.x + frame.width - 4) > 20;
    bool lower = dark_pixels(&picture, frame.x + frame.width - 60, frame.y + frame.height - 34,
                             frame.x + frame.width - 4) > 20;
    assert_int_equal(upper, corner < 2);
    assert_int_equal(lower, corner >= 2);
    free(picture.pixels);
  }
}

static void every_legend_marker_and_dash_is_drawn(void **state)
{
  (void)state;
  const double y[3] = {1.0, 2.0, 1.5};
  plot_series series[8];
  for (int k = 0; k < 8; k++) {
    series[k] = series_of(NULL, y, 3);
    series[k].style = PLOT_LINE | PLOT_MARKERS;
    series[k].marker = k;
    series[k].dash = k % 4;
    series[k].name = "a name";
  }
  plot_panel panel = panel_of(series, 8);
  panel.x.label = "time";
  panel.y.label = "value";
  panel.y.unit = "m";
  panel.title = "panel";
  plot_options options = options_of(600, 450);
  for (int legend = PLOT_LEGEND_AUTOMATIC; legend <= PLOT_LEGEND_BELOW; legend++) {
    panel.legend = legend;
    image picture = draw(&options, &panel, 1);
    for (int k = 0; k < 450; k++)
      assert_true(pixel(&picture, 0, k) == 0xffffff && pixel(&picture, 599, k) == 0xffffff);
    for (int k = 0; k < 600; k++)
      assert_true(pixel(&picture, k, 0) == 0xffffff && pixel(&picture, k, 449) == 0xffffff);
    free(picture.pixels);
  }
}

/* Thinning a dense line must not change the picture. */
static void dense_lines_look_the_same(void **state)
{
  (void)state;
  enum { COUNT = 20000 };
  double *x = malloc(2 * COUNT * sizeof *x), *y = x + COUNT;
  srand(12);
  for (int k = 0; k < COUNT; k++) {
    x[k] = k;
    y[k] = sin(k * 0.001) + (rand() % 100 == 0 ? 1.0 : 0.0);
  }
  plot_series dense = series_of(x, y, COUNT), parts[20];
  for (int k = 0; k < 20; k++) parts[k] = series_of(x + 1000 * k, y + 1000 * k, k < 19 ? 1001 : 1000);
  dense.colour = 0xff0000;
  for (int k = 0; k < 20; k++) parts[k].colour = 0xff0000;
  plot_panel whole = panel_of(&dense, 1), pieces = panel_of(parts, 20);
  plot_options options = options_of(600, 400);
  image thinned = draw(&options, &whole, 1), full = draw(&options, &pieces, 1);
  long different = 0, drawn = 0;
  for (long k = 0; k < 600 * 400; k++) {
    different += component_distance(thinned.pixels[k] & 0xffffff, full.pixels[k] & 0xffffff) > 100;
    drawn += component_distance(full.pixels[k] & 0xffffff, 0xff0000) < 100;
  }
  assert_true(drawn > 3000);
  if (different * 20 > drawn) fail_msg("%ld of %ld pixels differ", different, drawn);
  free(thinned.pixels);
  free(full.pixels);
  free(x);
}

/* ---- panels and files -------------------------------------------------------------------------------- */

static void frames_of_a_grid_are_aligned(void **state)
{
  (void)state;
  const double small[2] = {0, 1}, large[2] = {-123456, 98765};
  plot_series series[2] = {series_of(NULL, small, 2), series_of(NULL, large, 2)};
  plot_panel panels[4] = {panel_of(&series[0], 1), panel_of(&series[1], 1), panel_of(&series[1], 1),
                          panel_of(&series[0], 1)};
  panels[0].y.label = "with a label";
  plot_options options = options_of(900, 600);
  options.columns = 2;
  image picture = draw(&options, panels, 4);
  int lines = 0; /* columns of dark pixels over most of the height: two frames with two sides each */
  for (int x = 0; x < 900; x++) {
    int dark = 0;
    for (int y = 0; y < 600; y++) dark += (pixel(&picture, x, y) >> 8 & 255) < 0x60;
    lines += dark > 400;
  }
  assert_int_equal(lines, 4);
  free(picture.pixels);
}

static void plots_are_written(void **state)
{
  (void)state;
  const double y[3] = {1.0, 2.0, 1.5};
  plot_series series = series_of(NULL, y, 3);
  series.name = "\u03b3 <&>";
  plot_panel panels[3] = {panel_of(&series, 1), panel_of(NULL, 0), panel_of(&series, 1)};
  plot_options options = options_of(700, 0);
  options.title = "Title";
  options.caption_left = "left";
  assert_int_equal(plot_write(in_folder("a.png"), &options, panels, 3, message, sizeof message), FLOC_OK);
  assert_int_equal(plot_write(in_folder("a.svg"), &options, panels, 3, message, sizeof message), FLOC_OK);
  assert_int_equal(plot_write(in_folder("a.pdf"), &options, panels, 3, message, sizeof message), FLOC_OK);
  image picture = read_png(in_folder("a.png"));
  int32_t width, height;
  assert_int_equal(plot_size(&options, 3, &width, &height, message, sizeof message), FLOC_OK);
  assert_int_equal(picture.width, width);
  assert_int_equal(picture.height, height);
  assert_true(pixels_like(&picture, 0x0072b2, 30) > 100);
  free(picture.pixels);
  check_svg(in_folder("a.svg"));
  check_pdf(in_folder("a.pdf"));
  assert_int_equal(files_in_folder(), 3);
  empty_folder();
}

#define assert_refused(word)                                                                                       \
  do {                                                                                                             \
    assert_int_equal(plot_write(in_folder("x.png"), &options, &panel, 1, message, sizeof message),                 \
                     FLOC_INVALID_ARGUMENT);                                                                       \
    if (!strstr(message, word)) fail_msg("\"%s\" does not say \"%s\"", message, word);                             \
    series = series_of(NULL, y, 3);                                                                                \
    panel = panel_of(&series, 1);                                                                                  \
    options = options_of(600, 400);                                                                                \
  } while (0)

static void wrong_plots_are_refused(void **state)
{
  (void)state;
  const double y[3] = {1.0, 2.0, 1.5};
  plot_series series = series_of(NULL, y, 3);
  plot_panel panel = panel_of(&series, 1);
  plot_options options = options_of(600, 400);
  series.count = -1;
  assert_refused("series 1: count is -1; it must be an integer of at least 0");
  series.y = NULL;
  assert_refused("series 1: y is NULL");
  series.style = 0;
  assert_refused("series 1: style is 0; it must be an integer between 1 and 15");
  series.band_lower = y;
  assert_refused("only one of");
  series.bar_width = NAN;
  assert_refused("bar_width");
  panel.x.lower = 2.0;
  panel.x.upper = 1.0;
  assert_refused("x.lower is 2");
  panel.y.logarithmic = true;
  panel.y.lower = 0.0;
  assert_refused("y.lower is 0; it must be above 0");
  panel.y.upper = INFINITY;
  assert_refused("y.upper is inf; it must be a finite number, or NaN (automatic)");
  panel.legend = 17;
  assert_refused("legend is 17");
  panel.equal_scale = panel.x.logarithmic = true;
  assert_refused("equal_scale");
  panel.series_count = -2;
  assert_refused("series_count is -2");
  panel.reference_count = 1;
  assert_refused("references is NULL");
  plot_reference reference;
  plot_reference_init(&reference);
  reference.value = NAN;
  panel.references = &reference;
  panel.reference_count = 1;
  assert_refused("reference 1");
  options.width = 0;
  assert_refused("width is 0");
  options.columns = -4;
  assert_refused("columns is -4");
  assert_int_equal(plot_write(in_folder("x.png"), &options, &panel, 0, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_int_equal(plot_write(in_folder("x.png"), &options, NULL, 1, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_int_equal(plot_write(in_folder("x.png"), NULL, &panel, 1, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_int_equal(plot_write(in_folder("x.gif"), &options, &panel, 1, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  uint32_t one;
  assert_int_equal(plot_draw(&options, &panel, 1, &one, 1, 1, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_int_equal(files_in_folder(), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_hold_the_data),
      cmocka_unit_test(bars_stand_on_zero),
      cmocka_unit_test(logarithmic_ranges_leave_out_what_is_not_above_zero),
      cmocka_unit_test(strange_data_get_a_range),
      cmocka_unit_test(points_lie_where_they_should),
      cmocka_unit_test(gaps_stay_open),
      cmocka_unit_test(bars_and_steps_and_bands),
      cmocka_unit_test(references_cross_the_panel),
      cmocka_unit_test(errors_on_a_logarithmic_axis_reach_down),
      cmocka_unit_test(equal_scales_make_circles_round),
      cmocka_unit_test(legends_avoid_the_data),
      cmocka_unit_test(every_legend_marker_and_dash_is_drawn),
      cmocka_unit_test(dense_lines_look_the_same),
      cmocka_unit_test(frames_of_a_grid_are_aligned),
      cmocka_unit_test(plots_are_written),
      cmocka_unit_test(wrong_plots_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
